"""The vocabulary of tiles: one immutable, interned object per face.

Notation is MPSZ (see :data:`SUITS`): ``1m``..``9m`` characters, ``1p``..``9p`` circles, ``1s``..``9s``
bamboos, ``1z``..``7z`` East South West North White Green Red, ``0m 0p 0s`` red fives, ``1f``..``4f``
flowers, ``1g``..``4g`` seasons, ``back`` face down, ``?`` unknown.
"""

from __future__ import annotations

from typing import Final

from companion.text import GorrionError, T

SUITS: Final = "mpszfg"
"""Suit letters in sorting order: characters, circles, bamboos, honours, flowers, seasons."""

_SUIT_SIZE: Final = {"m": 9, "p": 9, "s": 9, "z": 7, "f": 4, "g": 4}

_SUIT_NAMES: Final = {
    "es": {"m": "caracteres", "p": "círculos", "s": "bambúes"},
    "en": {"m": "characters", "p": "circles", "s": "bamboos"},
    "zh": {"m": "萬", "p": "筒", "s": "索"},
}
_ZH_DIGITS: Final = "零一二三四五六七八九"
_HONOUR_NAMES: Final = {
    "es": (
        "viento Este",
        "viento Sur",
        "viento Oeste",
        "viento Norte",
        "dragón blanco",
        "dragón verde",
        "dragón rojo",
    ),
    "en": (
        "East wind",
        "South wind",
        "West wind",
        "North wind",
        "white dragon",
        "green dragon",
        "red dragon",
    ),
    "zh": ("東", "南", "西", "北", "白", "發", "中"),
}
_BONUS_NAMES: Final = {
    "es": {
        "f": ("ciruelo", "orquídea", "crisantemo", "bambú"),
        "g": ("primavera", "verano", "otoño", "invierno"),
    },
    "en": {
        "f": ("plum", "orchid", "chrysanthemum", "bamboo"),
        "g": ("spring", "summer", "autumn", "winter"),
    },
    "zh": {"f": ("梅", "蘭", "菊", "竹"), "g": ("春", "夏", "秋", "冬")},
}
_BONUS_SUIT_NAMES: Final = {
    "es": {"f": "flor", "g": "estación"},
    "en": {"f": "flower", "g": "season"},
}
_ODD_NAMES: Final = {
    "es": {"back": "ficha boca abajo", "?": "ficha sin identificar"},
    "en": {"back": "face-down tile", "?": "unknown tile"},
    "zh": {"back": "牌背", "?": "未知牌"},
}


class TileError(GorrionError):
    """A tile code that names no tile; the sentence quotes what was given."""


class Tile:
    """One tile face. ``Tile("5m") is Tile.parse("5m")``; compare with ``is`` or ``==``.

    Attributes:
        code: the notation, ``"5m"``; also ``str(tile)``.
        suit: one of ``m p s z f g``, or ``""`` for a face-down or unknown tile.
        rank: 1..9 (a red five has rank 5), or 0 for a face-down or unknown tile.
        index: 0..33 over the 34 kinds in the order of :data:`KINDS` (a red five shares the index of
            its plain five), or None for bonus, face-down and unknown tiles.
        is_red, is_suited, is_honour, is_wind, is_dragon, is_terminal, is_simple, is_bonus, is_flower,
        is_season, is_back, is_unknown: plain booleans.
    """

    __slots__ = (
        "_order",
        "code",
        "index",
        "is_back",
        "is_bonus",
        "is_dragon",
        "is_flower",
        "is_honour",
        "is_red",
        "is_season",
        "is_simple",
        "is_suited",
        "is_terminal",
        "is_unknown",
        "is_wind",
        "rank",
        "suit",
    )

    code: str
    suit: str
    rank: int
    index: int | None
    is_red: bool
    is_suited: bool
    is_honour: bool
    is_wind: bool
    is_dragon: bool
    is_terminal: bool
    is_simple: bool
    is_bonus: bool
    is_flower: bool
    is_season: bool
    is_back: bool
    is_unknown: bool
    _order: int

    def __new__(cls, code: str) -> Tile:
        return cls.parse(code)

    @staticmethod
    def parse(code: str) -> Tile:
        """Return the tile that ``code`` names; upper case, full width and spaces around it are allowed.

        Raises:
            TileError: when ``code`` names no tile.
        """
        tile = _TABLE.get(code) or _TABLE.get(narrow(code).strip().lower())
        if tile is None:
            raise TileError(_why_no_tile(code.strip()), code="unknown_tile", field="tile")
        return tile

    @property
    def kind(self) -> Tile:
        """The plain tile of this face: a red five gives the plain five, others give themselves."""
        return _TABLE[f"5{self.suit}"] if self.is_red else self

    def name(self, lang: str = "en") -> str:
        """The spoken name in ``es``, ``en`` or ``zh``: "5 de caracteres", "5 of characters", "五萬"."""
        if lang not in _SUIT_NAMES:
            lang = "en"
        if not self.suit:
            return _ODD_NAMES[lang][self.code]
        if self.is_honour:
            return _HONOUR_NAMES[lang][self.rank - 1]
        if self.is_bonus:
            own = _BONUS_NAMES[lang][self.suit][self.rank - 1]
            return (
                own if lang == "zh" else f"{_BONUS_SUIT_NAMES[lang][self.suit]} {self.rank} ({own})"
            )
        suit = _SUIT_NAMES[lang][self.suit]
        if lang == "zh":
            return f"{'赤' if self.is_red else ''}{_ZH_DIGITS[self.rank]}{suit}"
        if lang == "es":
            return f"{self.rank} {'rojo ' if self.is_red else ''}de {suit}"
        return f"{'red ' if self.is_red else ''}{self.rank} of {suit}"

    def __str__(self) -> str:
        return self.code

    def __repr__(self) -> str:
        return f"Tile({self.code!r})"

    def __lt__(self, other: Tile) -> bool:
        return self._order < other._order

    def __le__(self, other: Tile) -> bool:
        return self._order <= other._order

    def __gt__(self, other: Tile) -> bool:
        return self._order > other._order

    def __ge__(self, other: Tile) -> bool:
        return self._order >= other._order

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Tile is immutable: cannot set {name}")

    def __reduce__(self) -> tuple[type[Tile], tuple[str]]:
        return (Tile, (self.code,))

    def __copy__(self) -> Tile:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Tile:
        return self


def _make(
    code: str, suit: str, rank: int, index: int | None, order: int, red: bool = False
) -> Tile:
    tile = object.__new__(Tile)
    suited = suit in {"m", "p", "s"}
    values: dict[str, object] = {
        "code": code,
        "suit": suit,
        "rank": rank,
        "index": index,
        "is_red": red,
        "is_suited": suited,
        "is_honour": suit == "z",
        "is_wind": suit == "z" and rank <= 4,
        "is_dragon": suit == "z" and rank > 4,
        "is_terminal": suited and rank in {1, 9},
        "is_simple": suited and 2 <= rank <= 8,
        "is_bonus": suit in {"f", "g"},
        "is_flower": suit == "f",
        "is_season": suit == "g",
        "is_back": code == "back",
        "is_unknown": code == "?",
        "_order": order,
    }
    for name, value in values.items():
        object.__setattr__(tile, name, value)
    return tile


def _build_table() -> dict[str, Tile]:
    """Make every tile once, in sorting order; a red five comes right after its plain five."""
    table: dict[str, Tile] = {}
    index = 0
    for suit in SUITS:
        for rank in range(1, _SUIT_SIZE[suit] + 1):
            is_kind = suit in {"m", "p", "s", "z"}
            code = f"{rank}{suit}"
            table[code] = _make(code, suit, rank, index if is_kind else None, len(table))
            if rank == 5 and suit in {"m", "p", "s"}:
                table[f"0{suit}"] = _make(f"0{suit}", suit, 5, index, len(table), red=True)
            index += is_kind
    for code in ("back", "?"):
        table[code] = _make(code, "", 0, None, len(table))
    return table


_TABLE: Final[dict[str, Tile]] = _build_table()

ALL: Final[tuple[Tile, ...]] = tuple(_TABLE.values())
"""Every face there is, in sorting order: 34 kinds, 3 red fives, 8 bonus tiles, back, unknown."""
KINDS: Final[tuple[Tile, ...]] = tuple(t for t in ALL if t.index is not None and not t.is_red)
"""The 34 kinds a hand is made of, by index."""
BONUS: Final[tuple[Tile, ...]] = tuple(t for t in ALL if t.is_bonus)
"""The four flowers and the four seasons."""
REDS: Final[tuple[Tile, ...]] = tuple(t for t in ALL if t.is_red)
"""The red fives 0m, 0p, 0s."""
BACK: Final = _TABLE["back"]
UNKNOWN: Final = _TABLE["?"]

WINDS: Final = ("E", "S", "W", "N")
"""Letters of the winds in turn order; ``1z``..``4z`` follow the same order."""
WIND_NAMES: Final = {"E": T("East"), "S": T("South"), "W": T("West"), "N": T("North")}
"""Names of the winds, which players without a name go by too; the tiles' own names say "wind"."""


_NARROW: Final = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | {
    0x3000: " ",
    0x3010: "[",
    0x3011: "]",
}


def narrow(text: str) -> str:
    """Full-width letters, digits and brackets, as Chinese and Japanese keyboards write them, as ASCII."""
    return text.translate(_NARROW)


def wind_tile(wind: str) -> Tile:
    """The tile of a wind letter: ``wind_tile("S")`` is ``2z``."""
    return KINDS[27 + WINDS.index(wind)]


def _why_no_tile(code: str) -> T:
    """Say what is wrong with a code that is not in the table."""
    if len(code) == 2 and code[0].isascii() and code[0].isdigit():
        suit = code[1].lower()
        if suit not in _SUIT_SIZE:
            return T(
                'unknown suit "%(suit)s" in "%(given)s": use m (characters), p (circles), s (bamboos), '
                "z (honours), f (flowers) or g (seasons)",
                suit=code[1],
                given=code,
            )
        return T(
            'there is no tile "%(given)s": suit %(suit)s goes from 1 to %(last)s',
            given=code,
            suit=suit,
            last=_SUIT_SIZE[suit],
        )
    return T(
        '"%(given)s" is not a tile: write a digit and a suit, such as 5m, 3p, 7s or 1z', given=code
    )
