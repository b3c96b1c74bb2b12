"""The tiles of one hand, each known by the place in the wall where it began."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from companion.rules.flow import Flow, OpenedWall, Place, deal, open_wall
from companion.simulator.luck import tile_set
from companion.table import events as ev
from companion.tiles import Tile


@dataclass(frozen=True)
class Deck:
    """Every tile of a hand under its number, 0..135 or 0..143.

    Attributes:
        opened: the wall as the dice opened it.
        places: by number, where in the opened wall the tile begins.
        tiles: by number, which tile it is.
        dealt: numbers by seat in the order of dealing.
        takes: the number that each drawing event took from the wall, by its place in the hand.
    """

    opened: OpenedWall
    places: tuple[Place, ...]
    tiles: tuple[Tile, ...]
    dealt: tuple[tuple[int, ...], ...]
    takes: Mapping[int, int]

    def indicators(self, count: int) -> tuple[int, ...]:
        """Numbers of the first indicators: top tiles of the dead wall from the third column at the gap."""
        number = {place: at for at, place in enumerate(self.places)}
        columns = self.opened.dead_columns[::-1][2 : 2 + count]
        return tuple(number[column.places[0]] for column in columns)


def deck_of(flow: Flow, events: Sequence[ev.Event], rng: Random) -> Deck:
    """What the events of a hand reveal of its wall; tiles that nobody drew lie as chance has them.

    Args:
        flow: the flow of the profile.
        events: the hand's events, a `StartHand` with its dice first.
        rng: deals the tiles that stay unseen.

    Raises:
        ValueError: when the events draw more than the wall holds.
    """
    start = events[0]
    if not isinstance(start, ev.StartHand):
        raise ValueError(f"a hand begins with start_hand, not {start.type}")
    opened = open_wall(flow, start.east, *start.dice)
    places = (*opened.live, *opened.dead)
    number = {place: at for at, place in enumerate(places)}
    tiles: dict[int, Tile] = {}
    dealt: list[tuple[int, ...]] = [()] * 4
    taken: set[int] = set()
    for order, indexes in enumerate(deal(flow)):
        seat = (start.east + order) % 4
        dealt[seat] = indexes
        taken.update(indexes)
        tiles.update(zip(indexes, start.hands[seat], strict=True))
    live = range(len(opened.live))
    replacing = [number[place] for place in opened.replacement_order]
    takes: dict[int, int] = {}
    for at, event in enumerate(events):
        if not isinstance(event, (ev.Draw, ev.ReplacementDraw)):
            continue
        order_of_drawing = live if isinstance(event, ev.Draw) else replacing
        took = next((each for each in order_of_drawing if each not in taken), None)
        if took is None:
            raise ValueError(f"event {at} of the hand draws from an empty wall")
        takes[at] = took
        taken.add(took)
        tiles[took] = event.pai
    markers = [start.dora_marker] if start.dora_marker else []
    markers += [event.dora_marker for event in events if isinstance(event, ev.Dora)]
    for column, marker in zip(opened.dead_columns[::-1][2:], markers, strict=False):
        tiles[number[column.places[0]]] = marker
    ura = next((e.ura_markers for e in events if isinstance(e, ev.Win) and e.ura_markers), ())
    for column, marker in zip(opened.dead_columns[::-1][2:], ura, strict=False):
        tiles[number[column.places[1]]] = marker
    rest = list((Counter(tile_set(flow)) - Counter(tiles.values())).elements())
    rng.shuffle(rest)
    unseen = iter(rest)
    known = tuple(tiles[at] if at in tiles else next(unseen) for at in range(len(places)))
    return Deck(opened, places, known, tuple(dealt), takes)
