"""The script of a film: the entries of a game and the acts that show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from companion.rules import Profile
from companion.simulator.film import cast as casting
from companion.simulator.film.acts import Act, Tempo, act_of
from companion.simulator.film.between import between
from companion.simulator.film.deck import Deck, deck_of
from companion.simulator.film.props import Prop
from companion.simulator.film.stage import Lie, TablePlan, arrange, at_seat
from companion.simulator.pace import Pace
from companion.simulator.play import start_state
from companion.table import events as ev
from companion.table.fold import apply
from companion.table.state import State

FILM_PACE: Final = Pace(draw=1.5, discard=2.6, claim=2.0, dora=1.2, deal=16.0)
"""Slower than the demo's: before a camera hands need time to reach, and walls to be built."""

AFTERWARDS_MS: Final = 1500.0
"""How long the camera goes on after the last event."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The table at rest after an event.

    Attributes:
        at_ms: when.
        deck, cast: whose tiles these are and where.
        lies: how they lie.
    """

    at_ms: float
    deck: Deck
    cast: casting.Cast
    lies: Mapping[int, Lie]


@dataclass(frozen=True)
class Script:
    """A film before it is shot.

    Attributes:
        entries: the true log.
        acts: in the order in which they begin.
        scenes: the table after every event of a hand, by the entry's number.
        stop_ms: the end.
    """

    entries: tuple[ev.Entry, ...]
    acts: tuple[Act, ...]
    scenes: Mapping[int, Scene]
    stop_ms: float


def script_of(
    profile: Profile,
    entries: Sequence[ev.Entry],
    seed: int,
    plan: TablePlan,
    tempo: Tempo | None = None,
) -> Script:
    """How the events of a simulated game are shown.

    Args:
        entries: of a whole game with their times (`companion.simulator.pace.timed`).
        seed: of everything that the game leaves open.
    """
    tempo = tempo or Tempo()
    rng = Random(f"film {seed}")
    state = start_state(profile)
    after: Mapping[int, Lie]
    acts: list[Act] = []
    scenes: dict[int, Scene] = {}
    lies: Mapping[int, Lie] = {}
    cast: casting.Cast | None = None
    deck: Deck | None = None
    rested_ms, hand_began = 0.0, 0
    sticks = 0
    for at, entry in enumerate(entries):
        event, at_ms = entry.event, float(entry.at_ms or 0)
        state = apply(state, event)
        if isinstance(event, ev.StartHand):
            hand_began = at
            deck = deck_of(state.flow, _hand_from(entries, at), rng)
            cast = casting.dealt(deck)
            after = arrange(plan, deck, cast, state, seed + at)
            clear = [(f"stick {number}", None) for number in range(sticks)]
            sticks = 0
            props = [*clear, *_dice(plan, event, rng)]
            acts += between(plan, state.flow, deck, after, lies, rested_ms, at_ms, rng, props)
        elif deck is not None and cast is not None:
            taken = deck.takes.get(at - hand_began)
            if state.phase not in {"before", "over"}:
                cast = casting.after(cast, deck, state, taken)
            after = (
                lies
                if state.phase in {"before", "over"}
                else arrange(plan, deck, cast, state, seed + hand_began)
            )
            act = act_of(event, _actor(event, state), rested_ms, at_ms, lies, after, cast, tempo)
            if act is not None:
                acts.append(act)
            if isinstance(event, ev.RiichiAccepted):
                lie = at_seat(event.actor, Lie(0.0, -plan.river_mm + 14))
                stick = Prop("stick", lie.x_mm, lie.y_mm, lie.turn_deg)
                acts.append(Act(at_ms, at_ms, props=((f"stick {sticks}", stick),)))
                sticks += 1
        else:
            continue
        if after is not lies or isinstance(event, ev.Rotate):
            rested_ms = at_ms
        lies = after
        if deck is not None and cast is not None:
            scenes[entry.seq] = Scene(at_ms, deck, cast, lies)
    acts.sort(key=lambda act: act.start_ms)
    last_ms = float(entries[-1].at_ms or 0) if entries else 0.0
    return Script(tuple(entries), tuple(acts), scenes, last_ms + AFTERWARDS_MS)


def _hand_from(entries: Sequence[ev.Entry], at: int) -> list[ev.Event]:
    found = [entries[at].event]
    for entry in entries[at + 1 :]:
        if isinstance(entry.event, ev.StartHand):
            break
        found.append(entry.event)
    return found


def _actor(event: ev.Event, state: State) -> int | None:
    """Whose hand moves the tiles: the event's actor; an indicator is turned over by who is in turn."""
    actor = getattr(event, "actor", None)
    if isinstance(actor, int):
        return actor
    if isinstance(event, ev.DrawnHand) and event.tenpai:
        return event.tenpai[0]
    return state.turn


def _dice(plan: TablePlan, event: ev.StartHand, rng: Random) -> list[tuple[str, Prop | None]]:
    """The last throw lies in the corner at East's right, inside the walls."""
    thrown = event.dice[-1] if event.dice else ()
    found: list[tuple[str, Prop | None]] = [("die 2", None)]
    for number, pips in enumerate(thrown):
        x = plan.wall_mm - 47 + (number % 2) * 14 - (number // 2) * 16
        y = -(plan.wall_mm - 47) + (number // 2) * 14
        lie = at_seat(event.east, Lie(x, y, 0.0, rng.uniform(0, 90)))
        found.append((f"die {number}", Prop("die", lie.x_mm, lie.y_mm, lie.turn_deg, pips)))
    return found
