"""Which tiles belong together: hands, the melds and bonus tiles beside them, the winning tile apart, and all the rest.

Rows come from `vision.rows` by way of `vision.pieces`. What a row is follows from its length, its tiles and its place:
a hand with its sets has 13 or 14 tiles (16 or 17 in Taiwan), whoever lies nearest belongs to it, and rows stacked like
bricks are walls, rivers or a set laid out for show. No rules are applied beyond what a set of three or four looks like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.labels import BACK, plain
from vision.maps import apart
from vision.pieces import as_dealt, labels_of, sets_of, to_pieces
from vision.rows import Frames, Row, RowConfig, find_rows
from vision.seen import Group


@dataclass(frozen=True, slots=True)
class GroupConfig:
    """What makes a hand; distances in tile sizes (the root of a tile's area)."""

    rows: RowConfig = field(default_factory=RowConfig)
    full_hands: tuple[int, ...] = (14, 13, 17, 16)
    """Tiles of a hand with its sets counted as three, most usual first: with or without the winning tile; Taiwan."""
    least_hand: int = 5
    """A row of fewer tiles is a hand only if it is all there is: rivers and melds are as short."""
    meld_reach: float = 7.0
    """Sets are laid at the owner's right hand or before the row, at most a few tiles away."""
    single_reach: float = 5.0
    """The winning tile is laid beside or above the row."""
    alone: float = 1.5
    """The winning tile has no other's tile so near: in a wall or among the discards a lone tile is not the hand's."""
    bonus_reach: float = 9.0
    """Bonus tiles are laid out in front or to the side, farther than sets."""
    brick_gap: float = 0.3
    """Rows whose tiles touch end to end, in tile heights: stacked like this they are a wall, a river or a display."""
    facing_degrees: float = 50.0
    """What belongs to a player faces the same way as his row, give or take the eye's perspective."""
    at_hand: float = 2.5
    """Sets this near belong to the row upside down as well: the way up of many faces is a guess, and others sit
    farther off."""


DEFAULT_CONFIG = GroupConfig()


def group(
    quads_px: NDArray[np.floating], labels: Sequence[str], config: GroupConfig = DEFAULT_CONFIG
) -> tuple[Group, ...]:
    """Sort tiles into groups.

    Args:
        quads_px: (N, 4, 2) corners, clockwise from the face's own top left.
        labels: N codes, ``"back"`` for face-down tiles.
        config: see `GroupConfig`.

    Returns:
        Groups in which every tile occurs exactly once: hands first (the largest, which is the nearest, leading), each
        followed by its melds, bonus tiles and winning tile; then what belongs to no hand.

    Raises:
        ValueError: if the lengths differ.
    """
    if len(quads_px) != len(labels):
        raise ValueError(f"{len(quads_px)} quads but {len(labels)} labels")
    if not len(labels):
        return ()
    return _Table(Frames.of(quads_px), labels, config).groups()


class _Table:
    """The rows of one picture, handed out to groups one after the other."""

    def __init__(self, frames: Frames, labels: Sequence[str], config: GroupConfig) -> None:
        self._frames, self._labels, self._config = frames, labels, config
        self._size = np.sqrt(np.maximum(frames.area(), 1e-9))
        pieces = to_pieces(find_rows(frames, config.rows), labels, config.full_hands)
        self._rows, self._bonus, self._winners = pieces.rows, pieces.bonus, pieces.winners
        self._sets = [sets_of(row, labels) for row in self._rows]
        self._bricks = self._find_bricks()
        self._groups: list[Group] = []
        self._free = set(range(len(self._rows)))

    def groups(self) -> tuple[Group, ...]:
        """All groups; see `group`."""
        candidates = sorted(
            (n for n in self._free if self._may_be_hand(n)),
            key=self._hand_order,
        )
        for number in candidates:
            if number in self._free and (not self._groups or self._is_full(number)):
                self._add_hand(number)
        if not self._groups:
            self._add_hand_of_what_is_left()
        self._add_the_rest()
        return tuple(self._groups)

    def _hand_order(self, number: int) -> tuple[bool, bool, int, float]:
        """What is nothing but sets is rather someone's melds; a whole hand, the longest and the nearest row first."""
        row = self._rows[number]
        whole = self._is_full(number)
        return bool(self._sets[number]), not whole, -len(row), -self._mean_size(row)

    def _find_bricks(self) -> set[int]:
        """Rows that touch a row above or below over most of their length, three or more together, or face down.

        Face-down rows don't make bricks of others: the flanks of a standing hand may pass for backs.
        """
        touching: dict[int, set[int]] = {n: {n} for n in range(len(self._rows))}
        at, half = self._frames.seen_at, self._frames.seen_half
        beside = np.abs(at[..., 0]) <= 0.75
        above = beside & (np.abs(at[..., 1]) - half[..., 1] - 0.5 < self._config.brick_gap)
        long = [n for n, row in enumerate(self._rows) if len(row) >= 3]
        down = {n for n in long if self._share_down(self._rows[n]) > 0.5}
        long = [n for n in long if n not in down]
        for a in long:
            for b in long:
                if a < b and _touch(self._rows[a], self._rows[b], above):
                    joined = touching[a] | touching[b]
                    for n in joined:
                        touching[n] = joined
        return down | {n for n in long if len(touching[n]) >= 3}

    def _share_down(self, row: Row) -> float:
        return sum(self._labels[i] == BACK for i in row.tiles) / len(row)

    def _mean_size(self, row: Row) -> float:
        return float(self._size[list(row.tiles)].mean())

    def _may_be_hand(self, number: int) -> bool:
        row = self._rows[number]
        if number in self._bricks or row.sideways or self._share_down(row) >= 0.5:
            return False
        if self._config.least_hand <= len(row) <= max(self._config.full_hands) + 1:
            return True
        # Sets are laid apart and a pair, or the four tiles that wait for the last, are what is left of the hand.
        alike = len(row) == 2 and len({plain(label) for label in labels_of(row, self._labels)}) == 1
        return (alike or len(row) == 4) and self._is_full(number)

    def _is_full(self, number: int) -> bool:
        """Whether a row and the sets beside it make a whole hand: a second hand must, or it is a river's first row."""
        sets = sum(len(self._sets[n]) for n in self._melds_of(self._rows[number]))
        return len(self._rows[number]) + 3 * sets in self._config.full_hands

    def _distance(self, a: Row, b: Row) -> float:
        """Between the nearest tiles of two rows, centre to centre, in tile sizes."""
        first, second = list(a.tiles), list(b.tiles)
        away = apart(self._frames.centres[first], self._frames.centres[second])
        return float(away.min() / ((self._mean_size(a) + self._mean_size(b)) / 2))

    def _faces_like(self, a: Row, b: Row) -> bool:
        """Whether two rows belong to one side of the table: upright tiles point the same way, give or take."""
        mine, other = (
            self._frames.down[
                [i for i in row.tiles if i not in row.sideways] or list(row.tiles)
            ].mean(axis=0)
            for row in (a, b)
        )
        cosine = float(mine @ other) / max(float(np.hypot(*mine) * np.hypot(*other)), 1e-9)
        if cosine < 0 and self._distance(a, b) <= self._config.at_hand:
            cosine = -cosine
        return cosine >= np.cos(np.radians(self._config.facing_degrees))

    def _near(self, hand: Row, numbers: Sequence[int], reach: float) -> list[int]:
        within = [(self._distance(hand, self._rows[n]), n) for n in numbers]
        return [n for distance, n in sorted(within) if distance <= reach]

    def _add_hand(self, number: int) -> None:
        hand = self._rows[number]
        self._free.discard(number)
        owned = self._melds_of(hand)
        melds = [meld for n in owned for meld in self._sets[n]]
        self._free.difference_update(owned)
        hand = self._with_its_rest(hand, 3 * len(melds))
        winner = self._winner_of(number, [hand, *melds], len(hand) + 3 * len(melds))
        at = len(self._groups)
        self._groups.append(Group("hand", hand.tiles))
        self._groups.extend(Group("meld", meld.tiles, at) for meld in melds)
        for row in list(self._bonus):
            if min(self._distance(own, row) for own in (hand, *melds)) <= self._config.bonus_reach:
                self._bonus.remove(row)
                self._groups.append(Group("bonus", row.tiles, at))
        if winner is not None:
            self._free.discard(winner)
            self._groups.append(Group("single", self._rows[winner].tiles, at))

    def _melds_of(self, hand: Row) -> list[int]:
        """The nearest rows of sets, as many as make a full hand, or as fit into one."""
        candidates = [
            n
            for n in self._free
            if n not in self._bricks
            and self._sets[n]
            and self._rows[n] is not hand
            and self._faces_like(hand, self._rows[n])
        ]
        near = self._near(hand, candidates, self._config.meld_reach)
        totals = np.cumsum([len(hand), *(3 * len(self._sets[n]) for n in near)]).tolist()
        full = [k for k, total in enumerate(totals) if total in self._config.full_hands]
        fitting = [k for k, total in enumerate(totals) if total <= max(self._config.full_hands)]
        return near[: max(full or fitting or [0])]

    def _with_its_rest(self, hand: Row, melded: int) -> Row:
        """A few tiles that were pushed a little aside are part of the hand if they make it whole."""
        for n in self._near(hand, sorted(self._free), self._config.at_hand):
            rest = self._rows[n]
            loose = len(rest) > 1 and n not in self._bricks and not self._sets[n]
            whole = len(hand) + len(rest) + melded in self._config.full_hands
            if loose and whole and as_dealt([rest], self._labels) and self._faces_like(hand, rest):
                self._free.discard(n)
                across = self._frames.across[list(hand.tiles)].mean(axis=0)
                first, second = (
                    float(self._frames.centres[list(row.tiles)].mean(axis=0) @ across)
                    for row in (hand, rest)
                )
                parts = (hand, rest) if first < second else (rest, hand)
                return Row(parts[0].tiles + parts[1].tiles, line=hand.line)
        return hand

    def _winner_of(self, number: int, own: Sequence[Row], total: int) -> int | None:
        if number in self._winners:
            return self._winners[number]
        if total % 3 != 1:  # the row already holds its last tile
            return None
        lone = [
            n
            for n in self._free
            if len(self._rows[n]) == 1 and self._labels[self._rows[n].tiles[0]] != BACK
        ]
        near = [(min(self._distance(row, self._rows[n]) for row in own), n) for n in lone]
        for distance, n in sorted(near):
            crowd = (self._distance(self._rows[n], self._rows[m]) for m in self._free if m != n)
            if distance > self._config.single_reach:
                break
            if min(crowd, default=np.inf) >= self._config.alone:
                return n
        return None

    def _add_hand_of_what_is_left(self) -> None:
        """No long row: the hand is what is no set, a pair or a few tiles, with the sets around it."""
        loose = [
            n
            for n in self._free
            if n not in self._bricks
            and self._share_down(self._rows[n]) < 0.5
            and not self._sets[n]
            and len(self._rows[n]) >= 2
        ]
        if loose:
            self._add_hand(
                max(loose, key=lambda n: (len(self._rows[n]), self._mean_size(self._rows[n])))
            )

    def _add_the_rest(self) -> None:
        self._groups.extend(Group("bonus", row.tiles) for row in self._bonus)
        for n in sorted(self._free):
            row = self._rows[n]
            if self._sets[n] and n not in self._bricks:
                self._groups.extend(Group("meld", meld.tiles) for meld in self._sets[n])
            elif len(row) == 1 and self._labels[row.tiles[0]] != BACK:
                self._groups.append(Group("single", row.tiles))
            else:
                self._groups.append(Group("row", row.tiles))


def _touch(a: Row, b: Row, above: NDArray[np.bool_]) -> bool:
    """Whether most tiles of the shorter row have one of the other right above or below them."""
    if len(b) < len(a):
        a, b = b, a
    found = above[list(a.tiles)][:, list(b.tiles)].any(axis=1)
    return bool(np.count_nonzero(found) * 2 > len(a))
