"""Which tiles belong together: hands, the melds and bonus tiles beside them, the winning tile apart, and all the rest.

Rows come from `vision.rows`. What a row is follows from its length, its tiles and its place: a hand with its sets has
13 or 14 tiles (16 or 17 in Taiwan), whoever lies nearest belongs to it, and rows stacked like bricks are walls, rivers
or a set laid out for show. No rules are applied beyond what a set of three or four looks like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.labels import BACK, BONUS, plain
from vision.maps import apart
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
    bonus_reach: float = 9.0
    """Bonus tiles are laid out in front or to the side, farther than sets."""
    brick_gap: float = 0.3
    """Rows whose tiles touch end to end, in tile heights: stacked like this they are a wall, a river or a display."""
    facing_degrees: float = 50.0
    """What belongs to a player faces the same way as his row, give or take the eye's perspective."""


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


def is_set(labels: Sequence[str], sideways: bool = False) -> bool:
    """Whether tiles look like a chow, a pung or a kong, in any order; face-down members of a kong may be anything."""
    faces = sorted(plain(label) for label in labels if label != BACK)
    down = len(labels) - len(faces)
    if any(label in BONUS for label in faces) or len(labels) not in (3, 4):
        return False
    alike = len(set(faces)) <= 1
    if down:
        return len(labels) == 4 and alike and (bool(faces) or sideways)
    if alike:
        return True
    ranks = [int(label[0]) for label in faces]
    one_suit = len({label[1] for label in faces}) == 1 and faces[0][1] in "mps"
    return len(faces) == 3 and one_suit and ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2]


def split_into_sets(labels: Sequence[str], sideways: Sequence[bool]) -> list[int] | None:
    """Lengths of consecutive sets that make up the whole row, or None: melds are often pushed together."""
    if not labels:
        return []
    for length in (3, 4):
        if len(labels) >= length and is_set(labels[:length], any(sideways[:length])):
            rest = split_into_sets(labels[length:], sideways[length:])
            if rest is not None:
                return [length, *rest]
    return None


class _Table:
    """The rows of one picture, handed out to groups one after the other."""

    def __init__(self, frames: Frames, labels: Sequence[str], config: GroupConfig) -> None:
        self._frames, self._labels, self._config = frames, labels, config
        self._size = np.sqrt(np.maximum(frames.area(), 1e-9))
        rows = self._rejoin_sets(find_rows(frames, config.rows))
        self._bonus, rows = self._take_out_bonus(rows)
        self._rows, self._winners = self._take_out_sideways_winner(rows)
        self._sets = [self._sets_of(row) for row in self._rows]
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

    def _hand_order(self, number: int) -> tuple[bool, int, float]:
        """What is nothing but sets is rather someone's melds; then the longest, then the nearest row first."""
        row = self._rows[number]
        return bool(self._sets[number]), -len(row), -self._mean_size(row)

    def _sets_of(self, row: Row) -> list[Row]:
        """The sets a row consists of, if it consists of sets alone."""
        lengths = split_into_sets(self._labels_of(row), [i in row.sideways for i in row.tiles])
        sets, start = [], 0
        for length in lengths or []:
            tiles = row.tiles[start : start + length]
            sets.append(Row(tiles, row.sideways & set(tiles), row.line))
            start += length
        return sets

    def _rejoin_sets(self, rows: list[Row]) -> list[Row]:
        """A whole hand laid out set by set, with gaps between the sets, is still one hand and not four melds."""
        lines: dict[int, list[Row]] = {}
        for row in rows:
            lines.setdefault(row.line, []).append(row)
        out = []
        for line, pieces in lines.items():
            loose = sum(not is_set(self._labels_of(piece)) for piece in pieces)
            tiles = tuple(i for piece in pieces for i in piece.tiles)
            plain_row = not any(p.sideways for p in pieces) and BACK not in self._labels_of(
                Row(tiles)
            )
            if (
                len(pieces) >= 4
                and loose <= 1
                and plain_row
                and len(tiles) in self._config.full_hands
            ):
                out.append(Row(tiles, line=line))
            else:
                out.extend(pieces)
        return out

    def _take_out_bonus(self, rows: list[Row]) -> tuple[list[Row], list[Row]]:
        """Bonus tiles are never part of a hand's row, even if they touch it."""
        bonus, others = [], []
        for row in rows:
            flowers = tuple(i for i in row.tiles if self._labels[i] in BONUS)
            rest = tuple(i for i in row.tiles if self._labels[i] not in BONUS)
            if flowers:
                bonus.append(Row(flowers))
            if rest:
                others.append(Row(rest, row.sideways & set(rest), row.line))
        return bonus, others

    def _take_out_sideways_winner(self, rows: list[Row]) -> tuple[list[Row], dict[int, int]]:
        """A tile laid sideways at the end of a long row is the winning one, set apart by its direction."""
        out: list[Row] = []
        winners: dict[int, int] = {}
        for row in rows:
            ends = [i for i in (row.tiles[0], row.tiles[-1]) if i in row.sideways]
            if len(row) > 4 and len(row.sideways) == 1 and ends and self._labels[ends[0]] != BACK:
                winners[len(out)] = len(out) + 1
                out.append(Row(tuple(i for i in row.tiles if i != ends[0])))
                out.append(Row((ends[0],)))
            else:
                out.append(row)
        return out, winners

    def _find_bricks(self) -> set[int]:
        """Rows that touch a row above or below over most of their length, three or more together, or face down."""
        touching: dict[int, set[int]] = {n: {n} for n in range(len(self._rows))}
        at, half = self._frames.seen_at, self._frames.seen_half
        beside = np.abs(at[..., 0]) <= 0.75
        above = beside & (np.abs(at[..., 1]) - half[..., 1] - 0.5 < self._config.brick_gap)
        long = [n for n, row in enumerate(self._rows) if len(row) >= 3]
        for a in long:
            for b in long:
                if a < b and _touch(self._rows[a], self._rows[b], above):
                    joined = touching[a] | touching[b]
                    for n in joined:
                        touching[n] = joined
        bricks = {n for n in long if len(touching[n]) >= 3}
        return bricks | {n for n in long if self._share_down(self._rows[n]) > 0.5}

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
        # All sets are laid apart and the pair is what is left of the hand.
        alike = len(row) == 2 and len({plain(label) for label in self._labels_of(row)}) == 1
        return alike and self._is_full(number)

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
        return cosine >= np.cos(np.radians(self._config.facing_degrees))

    def _labels_of(self, row: Row) -> list[str]:
        return [self._labels[i] for i in row.tiles]

    def _near(self, hand: Row, numbers: Sequence[int], reach: float) -> list[int]:
        within = [(self._distance(hand, self._rows[n]), n) for n in numbers]
        return [n for distance, n in sorted(within) if distance <= reach]

    def _add_hand(self, number: int) -> None:
        hand = self._rows[number]
        self._free.discard(number)
        owned = self._melds_of(hand)
        melds = [meld for n in owned for meld in self._sets[n]]
        self._free.difference_update(owned)
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
            if n not in self._bricks and self._sets[n] and self._faces_like(hand, self._rows[n])
        ]
        near = self._near(hand, candidates, self._config.meld_reach)
        totals = np.cumsum([len(hand), *(3 * len(self._sets[n]) for n in near)]).tolist()
        full = [k for k, total in enumerate(totals) if total in self._config.full_hands]
        fitting = [k for k, total in enumerate(totals) if total <= self._config.full_hands[0]]
        return near[: max(full or fitting or [0])]

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
        distances = [(self._distance(row, self._rows[n]), n) for row in own for n in lone]
        within = [pair for pair in distances if pair[0] <= self._config.single_reach]
        return min(within)[1] if within else None

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
