"""How the page of the rules calls the flow of the game, and what a document leaves open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.catalogue import translate
from companion.text import T

STATUS_WORDS: Final = {
    "ambiguous": T("the document can be read both ways"),
    "contradictory": T("the document contradicts itself"),
    "missing": T("the document does not say"),
    "reconstructed": T("worked out from the text; what the document itself had is lost"),
}

FLOW_LABELS: Final[Mapping[str, T]] = {
    "flow.seating.east_by": T("Who is East first"),
    "flow.opening.sides": T("The side that opens"),
    "flow.opening.side_dice": T("Dice for the side that opens"),
    "flow.opening.column_dice": T("Dice for the column that opens"),
    "flow.opening.gap": T("The wall breaks before the counted column, or after it"),
    "flow.wall.replenished": T("The dead wall is filled up again"),
    "flow.wall.replacements": T("Replacement tiles come from"),
    "flow.wall.loose_at": T("Columns of the dead wall with a loose tile on top"),
    "flow.wall.loose_at_plain": T("Columns with a loose tile on top, without flowers"),
    "flow.deal.last": T("The last tiles of the deal, for East and the others"),
    "flow.claims.priority": T("Who goes first when several claim"),
    "flow.claims.chow_until": T("A chow may be claimed until the next"),
    "flow.claims.pung_until": T("A pung may be claimed until the next"),
    "flow.claims.winners": T("Several win on one discard"),
    "flow.claims.swap": T("A discard right after a claim may be"),
    "flow.claims.last_discard": T("The discard after the last tile may be claimed"),
    "flow.claims.rob": T("Kongs that can be robbed"),
    "flow.claims.rob_concealed_orphans": T("Thirteen orphans may rob a concealed kong"),
    "flow.kong.added": T("A pung may become a kong"),
    "flow.kong.concealed_lies": T("How a concealed kong lies (u up, d down)"),
    "flow.kong.claimed_lies": T("How a claimed kong lies (u up, d down)"),
    "flow.kong.added_lies": T("How an added kong lies (u up, d down)"),
    "flow.kong.on_last_tile": T("A kong may be declared on the last tile"),
    "flow.end.false_win": T("After a false win"),
    "flow.rotation.east_wins": T("When East wins, the winds"),
    "flow.rotation.other_wins": T("When another wins, the winds"),
    "flow.rotation.draw": T("After a drawn hand, the winds"),
    "flow.rotation.dealer_streak": T("Most hands in a row with one dealer (0: no limit)"),
    "flow.match.rounds": T("Rounds of a match"),
}
"""Settings of the flow of the game that a document may leave open."""

_VALUE_WORDS: Final[Mapping[str, T]] = {
    "win": T("win"),
    "pung": T("pung"),
    "kong": T("kong"),
    "chow": T("chow"),
    "highest-dice": T("the highest dice"),
    "drawn-winds": T("winds drawn face down"),
    "count": T("counted from East"),
    "facing": T("told by one die"),
    "at": T("before"),
    "after": T("after"),
    "tail": T("the tail"),
    "dead": T("the dead wall"),
    "draw": T("draw"),
    "discard": T("discard"),
    "nearest": T("only the nearest"),
    "all": T("all of them"),
    "declared": T("any declared kong"),
    "added": T("only added kongs"),
    "replay": T("the hand is played again"),
    "dead-hand": T("that hand is dead"),
    "stay": T("stay"),
    "rotate": T("rotate"),
}
_OWN_VALUE_WORDS: Final[Mapping[str, Mapping[str, T]]] = {
    "flow.claims.last_discard": {
        "any": T("for anything"),
        "none": T("for nothing"),
        "win": T("only to win"),
    },
    "flow.claims.rob": {"none": T("none")},
    "flow.claims.swap": {
        "anything": T("any tile"),
        "not-same": T("any but the tile claimed"),
        "not-either-end": T("any but the tile claimed and the other end of its run"),
    },
}
"""Words that mean something else under one key."""


def flow_words(key: str, value: Any, options: Sequence[Any], lang: str) -> dict[str, Any]:
    """Label and values of a setting of the flow in words, by the names of `companion.rules.pages`."""
    label = FLOW_LABELS.get(key)
    return {
        "label": key if label is None else translate(label, lang),
        "value_text": _words(key, value, lang),
        "option_texts": [_words(key, option, lang) for option in options],
    }


def _words(key: str, value: Any, lang: str) -> str:
    if isinstance(value, bool):
        return translate(T("yes") if value else T("no"), lang)
    if isinstance(value, Mapping):  # the table's own words for a thing, by language
        return str(value.get(lang) or value.get("en"))
    if isinstance(value, (list, tuple)):
        if all(isinstance(each, (list, tuple)) for each in value):  # groups of equals, best first
            groups = (" = ".join(_words(key, part, lang) for part in each) for each in value)
            return " › ".join(groups)
        return ", ".join(_words(key, each, lang) for each in value)
    words = _OWN_VALUE_WORDS.get(key, {}).get(value) or _VALUE_WORDS.get(value)
    return str(value) if words is None else translate(words, lang)
