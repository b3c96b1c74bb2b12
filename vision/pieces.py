"""The pieces that hands are made of: rows, joined where one hand was laid with gaps, cut where two things touch.

What counts is what a set looks like; no other rule of the game is applied.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from vision.labels import BACK, BONUS, plain
from vision.rows import Row

LEAST_SETS_OF_A_HAND = 4
"""A hand laid out set by set has as many pieces; a row of melds seldom has."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Every tile of a picture once.

    Attributes:
        rows: without bonus tiles.
        bonus: bonus tiles that lay in one row.
        winners: number of a row whose last tile lay sideways at its end: number of the row that this tile is now.
    """

    rows: list[Row]
    bonus: list[Row]
    winners: dict[int, int]


def to_pieces(rows: Sequence[Row], labels: Sequence[str], full_hands: Sequence[int]) -> Pieces:
    """Join and cut rows.

    Args:
        rows: see `vision.rows.find_rows`.
        labels: N codes, ``"back"`` for face-down tiles.
        full_hands: how many tiles a whole hand has, sets counted as three.
    """
    whole = [row for line in _lines(rows) for row in _sets_joined(line, labels, full_hands)]
    bonus, others = _without_bonus(whole, labels)
    joined = [row for line in _lines(others) for row in _loose_joined(line, labels, full_hands)]
    apart, winners = _winners_apart(joined, labels)
    return Pieces(apart, bonus, winners)


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


def sets_of(row: Row, labels: Sequence[str]) -> list[Row]:
    """The sets a row consists of, if it consists of sets alone."""
    lengths = split_into_sets(labels_of(row, labels), [i in row.sideways for i in row.tiles])
    ends = itertools.accumulate(lengths or [], initial=0)
    return [_part(row, row.tiles[a:b]) for a, b in itertools.pairwise(ends)]


def labels_of(row: Row, labels: Sequence[str]) -> list[str]:
    """The row's codes, from left to right."""
    return [labels[i] for i in row.tiles]


def as_dealt(rows: Sequence[Row], labels: Sequence[str]) -> bool:
    """Upright and face up, as tiles of the hand itself are."""
    return not any(row.sideways or BACK in labels_of(row, labels) for row in rows)


def _part(row: Row, tiles: Sequence[int]) -> Row:
    return Row(tuple(tiles), row.sideways & set(tiles), row.line)


def _lines(rows: Sequence[Row]) -> list[list[Row]]:
    lines: dict[int, list[Row]] = {}
    for row in rows:
        lines.setdefault(row.line, []).append(row)
    return list(lines.values())


def _sets_joined(pieces: list[Row], labels: Sequence[str], full_hands: Sequence[int]) -> list[Row]:
    """A whole hand laid out set by set, with gaps between the sets, is still one hand and not four melds."""
    loose = sum(not is_set(labels_of(piece, labels)) for piece in pieces)
    tiles = tuple(i for piece in pieces for i in piece.tiles)
    by_sets = len(pieces) >= LEAST_SETS_OF_A_HAND and loose <= 1
    if by_sets and len(tiles) in full_hands and as_dealt(pieces, labels):
        return [Row(tiles, line=pieces[0].line)]
    return pieces


def _loose_joined(pieces: list[Row], labels: Sequence[str], full_hands: Sequence[int]) -> list[Row]:
    """Parts of one hand with gaps between them that are no sets, pairs and runs that a player keeps apart, are one row.

    A single tile beside them is rather the winning one. What is a multiple of three is no hand, but may be melds whose
    gaps are in other places than between them.
    """
    sets = [sets_of(piece, labels) for piece in pieces]
    beside = 3 * sum(map(len, sets))
    loose = [p for p, its in zip(pieces, sets, strict=True) if not its and len(p) > 1]
    tiles = tuple(i for piece in loose for i in piece.tiles)
    ready = any(len(piece) + beside in full_hands for piece in loose)
    joined = Row(tiles, frozenset().union(*(p.sideways for p in loose)), pieces[0].line)
    a_hand = len(tiles) % 3 != 0 and not ready and as_dealt(loose, labels)
    if len(loose) < 2 or not (a_hand or sets_of(joined, labels)):
        return pieces
    return [joined, *(piece for piece in pieces if piece not in loose)]


def _without_bonus(rows: Sequence[Row], labels: Sequence[str]) -> tuple[list[Row], list[Row]]:
    """Bonus tiles are never part of a hand's row, even if they touch it."""
    bonus, others = [], []
    for row in rows:
        flowers = tuple(i for i in row.tiles if labels[i] in BONUS)
        if flowers:
            bonus.append(Row(flowers))
        others.extend(_between_bonus(row, labels))
    return bonus, others


def _between_bonus(row: Row, labels: Sequence[str]) -> list[Row]:
    """What is left of a row: cut at its bonus tiles if that leaves a set, since players lay both out together."""
    parts: list[list[int]] = [[]]
    for i in row.tiles:
        if labels[i] in BONUS:
            parts.append([])
        else:
            parts[-1].append(i)
    pieces = [_part(row, part) for part in parts if part]
    if any(sets_of(piece, labels) for piece in pieces):
        return pieces
    rest = [i for part in parts for i in part]
    return [_part(row, rest)] if rest else []


def _winners_apart(rows: Sequence[Row], labels: Sequence[str]) -> tuple[list[Row], dict[int, int]]:
    """A tile laid sideways at the end of a long row is the winning one, set apart by its direction."""
    out: list[Row] = []
    winners: dict[int, int] = {}
    for row in rows:
        ends = [i for i in (row.tiles[0], row.tiles[-1]) if i in row.sideways]
        if len(row) > 4 and len(row.sideways) == 1 and ends and labels[ends[0]] != BACK:
            winners[len(out)] = len(out) + 1
            out.append(Row(tuple(i for i in row.tiles if i != ends[0])))
            out.append(Row((ends[0],)))
        else:
            out.append(row)
    return out, winners
