"""A meld: a set laid on the table, its notation, and what is wrong with it as a flag.

``[567m]`` is an exposed set, ``(8888s)`` a concealed kong; `parse_meld` reads what stands between the
brackets, `format_meld` writes it with them. Any tiles can be a `Meld`: whether they make the set that
they are laid as is told by `Meld.flag`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from companion.notation import NotationError, format_tiles, parse_tiles
from companion.text import T
from companion.tiles import Tile

MeldKind = Literal["chow", "pung", "kong", "ckong"]
MELD_KINDS: Final[tuple[MeldKind, ...]] = get_args(MeldKind)
"""A chow, a pung, an exposed (claimed or added) kong, a concealed kong."""

MELD_WORDS: Final[Mapping[str, MeldKind]] = {
    "chow": "chow",
    "chi": "chow",
    "chii": "chow",
    "seung": "chow",
    "pung": "pung",
    "pong": "pung",
    "pon": "pung",
    "kong": "kong",
    "kan": "kong",
    "minkan": "kong",
    "daiminkan": "kong",
    "kakan": "kong",
    "shouminkan": "kong",
    "ckong": "ckong",
    "ankan": "ckong",
    "concealed kong": "ckong",
    "concealed_kong": "ckong",
    "closed_kong": "ckong",
    "exposed_kong": "kong",
    "added_kong": "kong",
}
"""What the systems call the four kinds of meld."""


@dataclass(frozen=True, slots=True)
class Flag:
    """One thing that is wrong with a meld, or with the hand that it is part of.

    Attributes:
        code: ``five_copies``, ``too_many_tiles``, ``too_few_tiles``, ``not_a_meld``,
            ``unknown_tiles``, ``double_bonus`` or ``winning_tile_missing``.
        text: the sentence that names it and says what to do.
        tiles: the tiles it is about.
    """

    code: str
    text: T
    tiles: tuple[Tile, ...] = ()


@dataclass(frozen=True)
class Meld:
    """A set laid on the table. The tiles are kept sorted; whether they make a set, `flag` says."""

    kind: MeldKind
    tiles: tuple[Tile, ...]

    def __post_init__(self) -> None:
        if self.kind not in MELD_KINDS:
            raise ValueError(f"meld kind {self.kind!r} is none of {MELD_KINDS}")
        object.__setattr__(self, "tiles", tuple(sorted(self.tiles)))

    @property
    def is_concealed(self) -> bool:
        """True for a concealed kong, the only meld that no discard helped to make."""
        return self.kind == "ckong"

    @property
    def is_kong(self) -> bool:
        return self.kind in {"kong", "ckong"}

    def flag(self) -> Flag | None:
        """What is wrong with it as the kind it claims to be, or None."""
        given = format_meld(self)
        size = 4 if self.is_kong else 3
        if len(self.tiles) != size:
            return Flag("not_a_meld", _wrong_size(self.kind, given, len(self.tiles)), self.tiles)
        kinds = [tile.kind for tile in self.tiles]
        if any(tile.index is None for tile in kinds):
            odd = next(tile for tile in kinds if tile.index is None)
            text = T(
                "%(meld)s holds %(tile)s, which belongs in no set: name the tile or take it out",
                meld=given,
                tile=odd.code,
            )
            return Flag("not_a_meld", text, self.tiles)
        good = is_run(kinds) if self.kind == "chow" else len(set(kinds)) == 1
        if good:
            return None
        return Flag("not_a_meld", _wrong_tiles(self.kind, given), self.tiles)

    def __str__(self) -> str:
        return format_meld(self)


def is_run(tiles: Iterable[Tile]) -> bool:
    """Whether three tiles are consecutive in one suit, or the three dragons.

    Whether three dragons may form a chow is for a rule profile to say; here it is a shape.
    """
    a, b, c = sorted(tile.kind for tile in tiles)
    if a.is_suited:
        return a.suit == b.suit == c.suit and a.rank + 2 == b.rank + 1 == c.rank
    return (a.code, b.code, c.code) == ("5z", "6z", "7z")


def meld_kind(word: str) -> MeldKind:
    """The kind of meld that a word such as ``pon`` or ``ankan`` stands for.

    Raises:
        NotationError: when the word is none of `MELD_WORDS`.
    """
    kind = MELD_WORDS.get(word.strip().lower())
    if kind is None:
        text = T(
            '"%(given)s" is not a kind of meld: use chow, pung, kong or ckong (concealed kong)',
            given=word,
        )
        raise NotationError(text, code="unknown_meld", field="melds")
    return kind


def parse_meld(text: str, kind: MeldKind | None = None, *, concealed: bool = False) -> Meld:
    """Read one set; without `kind` it is told from the tiles (and `concealed` makes it a kong).

    In a concealed kong, tiles that lie face down are read as the tile that shows.

    Raises:
        NotationError: when the text cannot be read. Tiles that make no set are a flag, not an error.
    """
    tiles = parse_tiles(text)
    if kind is None:
        kind = "ckong" if concealed else _guess_kind(tiles)
    if kind == "ckong":
        shown = {tile.kind for tile in tiles if tile.suit}
        if len(shown) == 1:
            tiles = tuple(tile if tile.suit else next(iter(shown)) for tile in tiles)
    return Meld(kind, tiles)


def format_meld(meld: Meld) -> str:
    """Write a meld with its brackets: ``[567m]``, ``(8888s)``."""
    left, right = "()" if meld.kind == "ckong" else "[]"
    return f"{left}{format_tiles(meld.tiles)}{right}"


def _guess_kind(tiles: tuple[Tile, ...]) -> MeldKind:
    """The kind that exposed tiles come closest to; `Meld.flag` tells whether they are one."""
    if len(tiles) >= 4:
        return "kong"
    return "chow" if len({tile.kind for tile in tiles}) > 1 else "pung"


def _wrong_size(kind: MeldKind, given: str, count: int) -> T:
    if kind in {"kong", "ckong"}:
        return T(
            "a kong has four tiles, %(meld)s has %(count)s: correct it", meld=given, count=count
        )
    if kind == "pung":
        return T(
            "a pung has three tiles, %(meld)s has %(count)s: correct it", meld=given, count=count
        )
    return T("a chow has three tiles, %(meld)s has %(count)s: correct it", meld=given, count=count)


def _wrong_tiles(kind: MeldKind, given: str) -> T:
    if kind == "chow":
        return T(
            "%(meld)s is neither a chow (three in a row of one suit) nor a pung (three alike): correct it",
            meld=given,
        )
    if kind == "pung":
        return T("%(meld)s is not a pung: its three tiles must be alike", meld=given)
    return T("%(meld)s is not a kong: its four tiles must be alike", meld=given)
