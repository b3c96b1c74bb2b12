"""Whole matches: each hand's luck and deal, its payment, and the passing on of the winds.

A hand itself is played in `companion.simulator.moves`. Every move is an event of `companion.table`;
the game is what those events fold to, so that a simulated game and an observed one are the same thing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from companion.rules import Profile
from companion.rules.flow import flow_of
from companion.simulator.luck import LoadedWall, build
from companion.simulator.moves import DealtHand
from companion.simulator.plans import STYLES, Plan, Style, dream
from companion.simulator.player import Player, Temper
from companion.table import events as ev
from companion.table.fold import apply
from companion.table.rotating import rotation
from companion.table.settling import draw_settlement, win_settlement
from companion.table.state import SEATS, State

_SPECIAL_STYLES: Final[tuple[Style, ...]] = ("honours", "orphans", "pairs", "flush", "pungs")


_USUAL: Final = Temper()


@dataclass(frozen=True, slots=True)
class Luck:
    """How a game is seasoned.

    Attributes:
        favoured: chance that a hand's wall favours one player.
        special: chance that a favoured player gets a rare kind of hand.
        false_win: chance that a finished hand which is worth too little is called all the same.
        temper: how everybody plays.
    """

    favoured: float = 0.8
    special: float = 0.35
    false_win: float = 0.01
    temper: Temper = _USUAL


def start_state(profile: Profile) -> State:
    """An empty table under a profile.

    Raises:
        companion.rules.flow.FlowError: when the profile does not say how a game flows.
    """
    return State(flow_of(profile), profile.shapes, profile.id, profile.hash)


def play_match(
    profile: Profile,
    seed: int,
    hands: int,
    luck: Luck | None = None,
    names: tuple[str, ...] = ("Ana", "Beto", "Carla", "Dani"),
) -> Iterator[ev.Event]:
    """The events of a match of so many hands, or fewer when the match is over before.

    The same profile, seed and number of hands give the same events.
    """
    rng = Random(f"gorrion {seed}")
    table = _Table(profile, luck or Luck(), rng)
    yield from table.does(ev.StartGame(names, profile.id, profile.hash, table.starting_scores()))
    for _ in range(hands):
        yield from table.play_hand()
        if table.state.phase == "over":
            break
    yield from table.does(ev.EndGame(table.state.scores))


class _Table:
    """The table being played at, from one hand to the next."""

    def __init__(self, profile: Profile, luck: Luck, rng: Random) -> None:
        self.profile = profile
        self.luck = luck
        self.rng = rng
        self.state = start_state(profile)

    def does(self, event: ev.Event) -> Iterator[ev.Event]:
        """Carry an event out and pass it on."""
        self.state = apply(self.state, event)
        yield event

    def starting_scores(self) -> tuple[int, ...]:
        return (self.state.flow.match.start,) * len(SEATS)

    def play_hand(self) -> Iterator[ev.Event]:
        """One hand from the deal to the rotation."""
        wall, players = self._shuffle()
        yield from self._deal(wall)
        hand = DealtHand(self.profile, self.state, wall, players)
        yield from hand.play()
        self.state = hand.state
        yield from self._finish()

    def _shuffle(self) -> tuple[LoadedWall, list[Player]]:
        """The next hand's wall, and the players who sit down to it."""
        state, flow = self.state, self.state.flow
        favour: dict[int, Plan] = {}
        if self.rng.random() < self.luck.favoured:
            seat = self.rng.choice(SEATS)
            rare = self.rng.random() < self.luck.special
            style = self.rng.choice(_SPECIAL_STYLES if rare else STYLES)
            if style not in {"pairs", "orphans"} or _form(style) in state.shapes.forms:
                favour[seat] = dream(style, state.shapes, self.rng)
        wall = build(flow, state.standing.east, favour, self.rng)
        temper = replace(self.luck.temper, false_win=self.luck.false_win)
        players = [
            Player(seat, Random(self.rng.random()), temper, favour.get(seat)) for seat in SEATS
        ]
        return wall, players

    def _deal(self, wall: LoadedWall) -> Iterator[ev.Event]:
        state, flow = self.state, self.state.flow
        hands = wall.dealt(flow, state.standing.east)
        markers = wall.indicators(flow.dora.shown)
        yield from self.does(
            ev.StartHand(
                self.profile.id,
                self.profile.hash,
                state.standing.round_wind,
                state.standing.east,
                state.scores,
                hands,
                honba=state.honba,
                sticks=state.sticks,
                dice=wall.dice,
                dora_marker=markers[0] if markers else None,
            )
        )

    def _finish(self) -> Iterator[ev.Event]:
        """Settle the hand and rotate the winds."""
        settlement = win_settlement if self.state.winners else draw_settlement
        yield from self.does(settlement(self.state, self.profile))
        yield from self.does(rotation(self.state, self.state.rounds or None))


def _form(style: Style) -> str:
    return "seven_pairs" if style == "pairs" else "thirteen_orphans"
