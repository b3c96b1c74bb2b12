"""What a rule profile may say: every setting with its form and its meaning.

A profile is a TOML file. Its settings stand in tables (``rules``, ``points``, ``payment`` ...); each is
either a bare value or a table that also says where the value comes from and how sure it is:

.. code-block:: toml

    [rules]
    minimum = 1                        # a bare value

    [rules.seven_pairs_quad]           # the same with its story
    value = false
    term = "cuatro iguales no son dos pares"
    status = "ambiguous"               # stated | ambiguous | contradictory | missing | reconstructed
    options = [true, false]            # needed when the status is neither "stated" nor "missing"
    why = { es = "...", en = "..." }   # needed when the status is not "stated"

``[patterns.ID]`` gives the pattern's ``value`` (faan, ``"limit"``, or 0 for off) and its names ``es``,
``en``, ``zh``; ``replaces`` lists the patterns it contains; ``replaces_when`` does so under a switch of
``rules``. A bare ``dragon_pung = 1`` in ``[patterns]`` changes the value alone. A house profile names
its ``parent`` (a known id, or a file beside it) and what it changes. The table ``flow`` belongs to
`companion.rules.flow`, which checks it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from companion.text import T

STATUSES: Final = ("stated", "ambiguous", "contradictory", "missing", "reconstructed")
"""How sure a value is; all but the first are listed under "before you play"."""
TOP_KEYS: Final = ("schema", "id", "parent", "evaluator", "document", "names", "about")
"""What stands at the top of the file, outside the tables of settings."""
LEAF_KEYS: Final = ("value", "term", "document", "status", "options", "why")
PATTERN_KEYS: Final = (*LEAF_KEYS, "es", "en", "zh", "replaces", "replaces_when")
SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting that a profile may hold.

    Attributes:
        accepts: tells whether a value (already of TOML's types) is allowed.
        allowed: the allowed values in words, for error messages.
        label: what the setting decides, for the page of the rules.
        choices: the allowed values where there are few, in the order to offer them.
        words: what a value that is a word means, for a reader.
    """

    accepts: Callable[[Any], bool]
    allowed: T
    label: T
    choices: tuple[Any, ...] = ()
    words: Mapping[str, T] = field(default_factory=dict)


def switch(label: T) -> Setting:
    """A setting that is on or off."""
    return Setting(lambda v: isinstance(v, bool), T("true or false"), label, (True, False))


def whole(label: T, low: int, high: int) -> Setting:
    """A whole number from `low` to `high`."""
    return Setting(
        lambda v: _is_int(v) and low <= v <= high,
        T("a whole number from %(low)s to %(high)s", low=low, high=high),
        label,
    )


def one_of(label: T, *choices: str, **words: T) -> Setting:
    """One word of a few; with `words` each choice is told to the reader in his language."""
    allowed = (*choices, *words)
    text = T("one of %(choices)s", choices=allowed)
    return Setting(lambda v: v in allowed, text, label, allowed, words)


def some_of(label: T, *choices: str, **words: T) -> Setting:
    """A list of different words out of a few; with `words` each is told in the reader's language."""
    known = {*choices, *words}
    return Setting(
        lambda v: (
            isinstance(v, list)
            and all(isinstance(word, str) for word in v)
            and len(set(v)) == len(v)
            and set(v) <= known
        ),
        T("a list of %(choices)s", choices=(*choices, *words)),
        label,
        words=words,
    )


def numbers(label: T, shortest: int, longest: int, low: int = 0) -> Setting:
    """A list of whole numbers, none below `low`."""
    return Setting(
        lambda v: (
            isinstance(v, list)
            and shortest <= len(v) <= longest
            and all(_is_int(n) and n >= low for n in v)
        ),
        T(
            "a list of %(shortest)s to %(longest)s whole numbers, none below %(low)s",
            shortest=shortest,
            longest=longest,
            low=low,
        ),
        label,
    )


def visible_hidden(label: T) -> Setting:
    """Points of a set as ``[visible, hidden]``."""
    return numbers(label, 2, 2)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


SETTINGS: Final[dict[str, Setting]] = {
    # -- which hands are finished
    "rules.forms": some_of(
        T("Finished hands"),
        standard=T("four sets and a pair"),
        seven_pairs=T("seven pairs"),
        thirteen_orphans=T("thirteen orphans"),
        knitted=T("honours and knitted tiles, or a knitted straight"),
    ),
    "rules.dragon_chow": switch(T("The three dragons form a chow")),
    "rules.max_chows": whole(T("Most chows in a hand"), 0, 4),
    "rules.quad_may_split": switch(T("Four alike without a kong may be used as pung and chow")),
    "rules.seven_pairs_quad": switch(T("Four alike count as two of the seven pairs")),
    # -- how a hand is counted
    "rules.minimum": whole(T("Least value to call a hand"), 0, 100),
    "rules.limit": whole(T("Most that a hand counts"), 1, 1000),
    "rules.bonus_tiles": switch(T("Flowers and seasons are in play")),
    "rules.pinghu_pair_excludes_dragon": switch(T("All chows: the pair may not be dragons")),
    "rules.pinghu_pair_excludes_seat_wind": switch(
        T("All chows: the pair may not be the own wind")
    ),
    "rules.pinghu_pair_excludes_round_wind": switch(
        T("All chows: the pair may not be the round wind")
    ),
    "rules.mixed_terminals_with_seven_pairs": switch(T("Mixed terminals may be seven pairs")),
    "rules.all_honours_with_seven_pairs": switch(T("All honours may be seven pairs")),
    "rules.seven_pairs_includes_concealed": switch(T("Seven pairs include the concealed hand")),
    "rules.flower_set_includes_own": switch(T("A full flower set includes the own flower")),
    "rules.nine_gates": one_of(
        T("Nine gates"),
        pure=T("only when all nine tiles win"),
        any=T("whichever tile came last"),
    ),
    "rules.dragon_hand_pair": one_of(
        T("Pair of the jade, ruby and pearl dragon"), suit=T("of the suit"), any=T("any pair")
    ),
    "rules.concealed_kong_keeps_concealed": switch(T("A concealed kong keeps the hand concealed")),
    "rules.last_tile_with_kong_draw": switch(T("The last tile may be the replacement for a kong")),
    "rules.last_discard_claim": one_of(
        T("The discard after the last tile"),
        win=T("can be claimed to win"),
        none=T("can't be claimed"),
    ),
    "rules.undeclared_kong": one_of(
        T("Four alike, not declared, of a hand that did not win count as"),
        pung=T("a pung"),
        kong=T("a kong"),
    ),
    "rules.seat_unsaid": one_of(T("The winner's wind where it is not said"), "E", "S", "W", "N"),
    "rules.all_hands_count": switch(T("The losers' hands are counted too")),
    # -- set points, visible and hidden
    "points.pair": visible_hidden(T("Pair")),
    "points.pair_dragon": visible_hidden(T("Pair of dragons")),
    "points.chow": visible_hidden(T("Chow")),
    "points.pung_simple": visible_hidden(T("Pung of 2 to 8")),
    "points.pung_terminal": visible_hidden(T("Pung of 1 or 9")),
    "points.pung_wind": visible_hidden(T("Pung of winds")),
    "points.pung_dragon": visible_hidden(T("Pung of dragons")),
    "points.kong_simple": visible_hidden(T("Kong of 2 to 8")),
    "points.kong_terminal": visible_hidden(T("Kong of 1 or 9")),
    "points.kong_wind": visible_hidden(T("Kong of winds")),
    "points.kong_dragon": visible_hidden(T("Kong of dragons")),
    "points.bonus_tile": whole(T("Flower or season"), 0, 100),
    "points.mahjong": whole(T("Mahjong"), 0, 1000),
    # -- who pays whom
    "payment.kind": one_of(
        T("Who pays"),
        faan_table=T("units by faan, times what each pays"),
        differences=T("the differences between the hands"),
        none=T("the document does not say"),
        riichi=T("points by han and fu"),
        mcr=T("base points and fan"),
    ),
    "payment.table": numbers(T("Units for 0, 1, 2 ... faan"), 1, 100),
    "payment.discarder_share": whole(T("Times that the discarder pays"), 0, 10),
    "payment.others_share": whole(T("Times that the others pay on a discard"), 0, 10),
    "payment.self_draw_share": whole(T("Times that each pays on a self-draw"), 0, 10),
    "payment.east_multiplier": whole(T("Times that East pays and receives"), 1, 4),
    "payment.chip": whole(T("Units of a chip"), 1, 1000),
}
"""Every setting by its dotted key. A part that brings settings of its own adds them with `declare`."""

SECTIONS: Final = {"rules", "points", "payment"}
"""Tables whose keys are declared in `SETTINGS`."""
FREE_SECTIONS: Final = ("flow",)
"""Tables that another package checks."""


def declare(section: str, settings: Mapping[str, Setting]) -> None:
    """Let profiles hold a further table of settings: ``declare("riichi", {"aka": switch(...)})``."""
    SECTIONS.add(section)
    SETTINGS.update({f"{section}.{key}": setting for key, setting in settings.items()})


_COUNTED_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "faan": ("rules.minimum", "rules.limit"),
    "points": ("points.",),
    "riichi": ("rules.minimum", "riichi.", "yaku."),
    "mcr": ("rules.minimum", "fan."),
}
_PAID_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "faan_table": (
        "payment.table",
        "payment.discarder_share",
        "payment.others_share",
        "payment.self_draw_share",
    ),
    "riichi": ("riichi.",),
    "mcr": ("payment.base_points",),
}
_OBEYED_BY: Final[Mapping[str, frozenset[str]]] = {
    "points": frozenset(
        (
            *("forms", "dragon_chow", "max_chows", "quad_may_split", "seven_pairs_quad"),
            *("bonus_tiles", "undeclared_kong", "seat_unsaid", "all_hands_count"),
        )
    ),
    "riichi": frozenset(("minimum", "seat_unsaid")),
    "mcr": frozenset(("minimum", "seat_unsaid")),
}
"""Settings of ``rules`` that a way of counting goes by, where it isn't all of them: packages that know the whole
game count riichi and MCR, and whether four alike are two pairs is theirs to say."""


def obeys(evaluator: str, key: str) -> bool:
    """Whether a way of counting goes by a setting, by its dotted key; patterns by ``patterns.ID``."""
    section, _, name = key.partition(".")
    if section == "patterns":
        return evaluator == "faan"
    if section != "rules" or evaluator not in _OBEYED_BY:
        return True
    return name in _OBEYED_BY[evaluator]


_NOT_NEEDED: Final = ("points.bonus_tile", "riichi.replay_sticks")


def needed_keys(evaluator: str, payment: str | None) -> tuple[str, ...]:
    """Settings that a profile must hold, its parents' included, to be counted and paid like this."""
    # Hands that are counted in faan are paid by their table, whatever the losers settle.
    wanted = [*_COUNTED_BY.get(evaluator, ()), *_PAID_BY.get(payment or "", ())]
    if evaluator == "faan":
        wanted += _PAID_BY["faan_table"]
    found = [
        key
        for want in wanted
        for key in (SETTINGS if want.endswith(".") else (want,))
        if key.startswith(want) and key not in _NOT_NEEDED
    ]
    return ("payment.kind", *dict.fromkeys(found))


def is_pattern_value(value: object) -> bool:
    """Whether a pattern may have this value: a whole number from 0, or ``"limit"``."""
    return value == "limit" or (_is_int(value) and isinstance(value, int) and value >= 0)


PATTERN_VALUE_WORDS: Final = T('a whole number from 0 (0 switches it off), or "limit"')


def _is_plain(value: Any) -> bool:
    """Whether a value is made of what JSON has: TOML's dates and times are not."""
    if isinstance(value, list):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    return isinstance(value, (bool, int, float, str))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_text_by_language(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value.values()))


_TEXT: Final = (_is_text, T("a text"))
ANY_VALUE: Final = (_is_plain, T("a value that JSON has too"))
STORY_FORMS: Final[Mapping[str, tuple[Callable[[Any], bool], T]]] = {
    "term": _TEXT,
    "document": _TEXT,
    "status": (_is_text, T("one of %(choices)s", choices=STATUSES)),
    "es": _TEXT,
    "en": _TEXT,
    "zh": _TEXT,
    "options": (lambda v: isinstance(v, list) and _is_plain(v), T("a list of values")),
    "why": (_is_text_by_language, T("a table of texts by language: %(langs)s", langs=("es", "en"))),
    "replaces": (_is_texts, T("a list of patterns")),
    "replaces_when": (
        lambda v: isinstance(v, dict) and all(map(_is_texts, v.values())),
        T("lists of patterns by switch"),
    ),
}
"""What goes with a value, by key: its form, and that form in words."""
