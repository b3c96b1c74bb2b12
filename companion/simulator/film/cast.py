"""Which tile is where: numbers of a `Deck` in the wall, in hands, melds, and among the discards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.simulator.film.deck import Deck
from companion.table.state import SEATS, Chair, State
from companion.tiles import Tile

Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cast:
    """The whereabouts of every tile of a hand; each number is in exactly one place.

    Attributes:
        wall: tiles that are still where they began.
        hands: by seat, from the player's left to his right; a tile just drawn is the last.
        bonus: by seat, in the order they were laid.
        melds: by seat and meld, as `LaidMeld.tiles` has them.
        pool: the discards that nobody claimed, as `State.pool` has them.
    """

    wall: frozenset[int]
    hands: tuple[Numbers, ...]
    bonus: tuple[Numbers, ...] = ((), (), (), ())
    melds: tuple[tuple[Numbers, ...], ...] = ((), (), (), ())
    pool: Numbers = ()

    def numbers(self) -> list[int]:
        """Every number that is somewhere, as often as it is."""
        found = [*self.wall, *self.pool]
        for seat in SEATS:
            found += [*self.hands[seat], *self.bonus[seat]]
            found += [number for meld in self.melds[seat] for number in meld]
        return found


def dealt(deck: Deck) -> Cast:
    """The whereabouts after the deal."""
    in_hands = {number for hand in deck.dealt for number in hand}
    return Cast(frozenset(range(len(deck.tiles))) - in_hands, deck.dealt)


def after(cast: Cast, deck: Deck, state: State, taken: int | None = None) -> Cast:
    """The whereabouts in a new state.

    Tiles that the state still has where they were stay. The others, and the tile `taken` from the
    wall, go where the state has a tile of their kind too many.

    Args:
        cast: the whereabouts before.
        state: the table after an event of the hand.
        taken: number of the tile that the event drew.

    Raises:
        ValueError: when the state can't be made of these tiles.
    """
    left: list[int] = [] if taken is None else [taken]
    wall = cast.wall - set(left)
    hands = []
    for seat in SEATS:
        stays, goes = _kept(cast.hands[seat], deck, state.chairs[seat], _from_right(state, seat))
        hands.append(stays)
        left += goes
    lying = [discard for discard in state.pool if discard.claimed_by is None]
    left += cast.pool[len(lying) :]
    pool = list(cast.pool[: len(lying)])
    for seat in SEATS:
        kept = {laid.tiles for laid in state.chairs[seat].melds}
        for meld in cast.melds[seat]:
            if tuple(deck.tiles[number] for number in meld) not in kept:
                left += meld

    def fetch(tile: Tile) -> int:
        for at, number in enumerate(left):
            if deck.tiles[number] is tile:
                return left.pop(at)
        raise ValueError(f"the state has a {tile} that comes from nowhere")

    melds = tuple(
        tuple(
            _same(cast.melds[seat], at, laid.tiles, deck) or tuple(map(fetch, laid.tiles))
            for at, laid in enumerate(state.chairs[seat].melds)
        )
        for seat in SEATS
    )
    pool += [fetch(discard.pai) for discard in lying[len(pool) :]]
    bonus = tuple(
        (*cast.bonus[seat], *map(fetch, _missing(chair.bonus, cast.bonus[seat], deck)))
        for seat, chair in enumerate(state.chairs)
    )
    for seat, chair in enumerate(state.chairs):
        hand = (*hands[seat], *map(fetch, _missing(chair.concealed, hands[seat], deck)))
        hands[seat] = _shown(hand, deck, state, seat) if chair.shown else hand
    if left:
        raise ValueError(
            f"the state has no place for {', '.join(str(deck.tiles[n]) for n in left)}"
        )
    return replace(cast, wall=wall, hands=tuple(hands), bonus=bonus, melds=melds, pool=tuple(pool))


def _from_right(state: State, seat: int) -> bool:
    """Whether the tile that leaves a hand is the one just drawn."""
    last = state.pool[-1] if state.pool else None
    return last is not None and last.actor == seat and bool(last.tsumogiri)


def _kept(hand: Numbers, deck: Deck, chair: Chair, from_right: bool) -> tuple[Numbers, list[int]]:
    """The tiles that stay in a hand, and those that leave it."""
    goes = _missing((deck.tiles[number] for number in hand), (), deck)
    for tile in chair.concealed:
        if tile in goes:
            goes.remove(tile)
    gone: list[int] = []
    for number in reversed(hand) if from_right else hand:
        if deck.tiles[number] in goes:
            goes.remove(deck.tiles[number])
            gone.append(number)
    return tuple(number for number in hand if number not in gone), gone


def _missing(wanted: Iterable[Tile], have: Iterable[int], deck: Deck) -> list[Tile]:
    """What is wanted without what is there."""
    missing = list(wanted)
    for number in have:
        missing.remove(deck.tiles[number])
    return missing


def _same(melds: tuple[Numbers, ...], at: int, tiles: tuple[Tile, ...], deck: Deck) -> Numbers:
    """The meld at a place, if it has not changed."""
    if at < len(melds) and tuple(deck.tiles[number] for number in melds[at]) == tiles:
        return melds[at]
    return ()


def _shown(hand: Numbers, deck: Deck, state: State, seat: int) -> Numbers:
    """A hand laid open: sorted, the winning tile last."""
    ordered = sorted(hand, key=lambda number: (deck.tiles[number], number))
    won = next((won for won in state.wins if won.seat == seat), None)
    if won is not None and won.hand.winning is not None:
        last = next((n for n in ordered if deck.tiles[n] is won.hand.winning), None)
        if last is not None:
            ordered.remove(last)
            ordered.append(last)
    return tuple(ordered)
