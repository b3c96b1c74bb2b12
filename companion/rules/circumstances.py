"""How the winning tile came: everything about a win that the tiles do not show."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, get_args

from companion.text import GorrionError, T
from companion.tiles import WINDS, narrow

Wind = Literal["E", "S", "W", "N"]
By = Literal["discard", "self-draw"]

WIND_WORDS: Final[dict[str, Wind]] = {
    "e": "E",
    "s": "S",
    "w": "W",
    "n": "N",
    "o": "W",
    "east": "E",
    "south": "S",
    "west": "W",
    "north": "N",
    "este": "E",
    "sur": "S",
    "oeste": "W",
    "norte": "N",
    "東": "E",
    "南": "S",
    "西": "W",
    "北": "N",
    "1z": "E",
    "2z": "S",
    "3z": "W",
    "4z": "N",
}
BY_WORDS: Final[dict[str, By]] = {
    "discard": "discard",
    "ron": "discard",
    "descarte": "discard",
    "self-draw": "self-draw",
    "self_draw": "self-draw",
    "selfdraw": "self-draw",
    "self draw": "self-draw",
    "self-drawn": "self-draw",
    "draw": "self-draw",
    "wall": "self-draw",
    "tsumo": "self-draw",
    "zimo": "self-draw",
    "auto-robo": "self-draw",
    "muralla": "self-draw",
}


class CircumstanceError(GorrionError):
    """A circumstance that cannot be, alone or with another one."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the table knows about the win.

    Attributes:
        by: whether the winning tile was another player's discard (or robbed from his kong) or drawn.
        seat: the winner's wind; E is the dealer.
        round: the wind of the round.
        discarder: the wind of the player who gave the tile, when known.
        kong_draw: the winning tile was the replacement for a declared kong.
        rob_kong: the winning tile was taken from another player's kong.
        last_tile: it was the last tile of the wall, drawn by the winner.
        last_discard: it was the discard after the last tile of the wall.
        first_turn: the hand was won in the first go-around: the dealer's dealt hand, a discard before
            the player's own first draw, or that draw; `by`, `seat` and `discarder` tell which.
        extra: what only one system asks for (riichi, dora indicators, options ...), for its evaluator.
    """

    by: By = "discard"
    seat: Wind = "E"
    round: Wind = "E"
    discarder: Wind | None = None
    kong_draw: bool = False
    rob_kong: bool = False
    last_tile: bool = False
    last_discard: bool = False
    first_turn: bool = False
    extra: tuple[tuple[str, Any], ...] = field(default=())

    def __post_init__(self) -> None:
        if self.by not in get_args(By):
            raise ValueError(f"by {self.by!r} is none of {get_args(By)}")
        for wind in (self.seat, self.round, self.discarder):
            if wind is not None and wind not in WINDS:
                raise ValueError(f"wind {wind!r} is none of {WINDS}")
        problem = self._contradiction()
        if problem is not None:
            raise CircumstanceError(problem[0], code="contradiction", field=problem[1])

    @property
    def is_self_draw(self) -> bool:
        return self.by == "self-draw"

    @property
    def is_dealer(self) -> bool:
        return self.seat == "E"

    def _contradiction(self) -> tuple[T, str] | None:
        drawn = self.is_self_draw
        if self.kong_draw and not drawn:
            text = T("a tile drawn after a kong is a self-draw: choose one of the two")
            return text, "kong_draw"
        if self.rob_kong and drawn:
            text = T("a tile robbed from a kong is not a self-draw: choose one of the two")
            return text, "rob_kong"
        if self.last_discard and drawn:
            text = T("the last discard is not a self-draw: choose one of the two")
            return text, "last_discard"
        if self.last_tile and not drawn:
            text = T(
                "the last tile of the wall is won by self-draw; won by discard it is the last discard"
            )
            return text, "last_tile"
        if self.first_turn and (self.last_tile or self.last_discard):
            text = T(
                "the last tile of the wall does not come in the first go-around: choose one of them"
            )
            return text, "first_turn"
        if self.discarder is not None and drawn:
            text = T("nobody discarded the tile of a self-draw: leave the discarder out")
            return text, "discarder"
        if self.discarder is not None and self.discarder == self.seat:
            text = T("the winner can't be the discarder: choose another wind for one of them")
            return text, "discarder"
        return None

    def drawn(self) -> Circumstances:
        """The same win, had the winner drawn the tile."""
        return replace(
            self,
            by="self-draw",
            discarder=None,
            rob_kong=False,
            last_tile=self.last_tile or self.last_discard,
            last_discard=False,
        )

    def discarded(self) -> Circumstances:
        """The same win, had another player discarded the tile."""
        return replace(
            self,
            by="discard",
            kong_draw=False,
            last_discard=self.last_tile or self.last_discard,
            last_tile=False,
        )


def parse_wind(word: str, field_name: str = "seat") -> Wind:
    """The wind that a word such as ``S``, ``south`` or ``sur`` names (``O`` is west, *oeste*).

    Raises:
        CircumstanceError: when it names none.
    """
    wind = WIND_WORDS.get(narrow(word).strip().lower())
    if wind is None:
        text = T('"%(given)s" is not a wind: use E, S, W or N', given=word)
        raise CircumstanceError(text, code="unknown_wind", field=field_name)
    return wind


def parse_by(word: str) -> By:
    """``discard`` or ``self-draw`` from a word such as ``ron``, ``self_draw`` or ``tsumo``.

    Raises:
        CircumstanceError: when it is neither.
    """
    by = BY_WORDS.get(word.strip().lower())
    if by is None:
        text = T('"%(given)s" is no way to win: use discard or self-draw', given=word)
        raise CircumstanceError(text, code="unknown_by", field="by")
    return by
