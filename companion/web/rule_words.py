"""How the page of the rules calls settings and their values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.catalogue import translate
from companion.rules import Profile
from companion.rules.profile import Leaf
from companion.rules.schema import SETTINGS
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
    "flow.claims.last_discard": T("The discard after the last tile may be claimed"),
    "flow.claims.rob": T("Kongs that can be robbed"),
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

_VALUE_WORDS: Final[Mapping[Any, T]] = {
    True: T("yes"),
    False: T("no"),
    "limit": T("limit"),
    "win": T("only to win"),
    "none": T("nobody"),
    "any": T("any"),
    "pure": T("only the ninefold wait"),
    "suit": T("of the suit"),
    "pung": T("pung"),
    "kong": T("kong"),
    "chow": T("chow"),
    "standard": T("four sets and a pair"),
    "seven_pairs": T("seven pairs"),
    "thirteen_orphans": T("thirteen orphans"),
    "faan_table": T("by the table of faan"),
    "differences": T("differences"),
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
_OWN_VALUE_WORDS: Final[Mapping[str, Mapping[Any, T]]] = {
    "flow.claims.last_discard": {"any": T("for anything"), "none": T("for nothing")},
    "rules.last_discard_claim": {"none": T("for nothing")},
    "flow.claims.rob": {"none": T("none")},
    "payment.kind": {"none": T("nobody pays")},
    "flow.claims.priority": {"win": T("win")},
}
"""Words that mean something else under one key."""


def label_of(profile: Profile, leaf: Leaf, lang: str) -> str:
    """What a setting or a pattern is called."""
    if leaf.key in SETTINGS:
        return translate(SETTINGS[leaf.key].label, lang)
    if leaf.key in FLOW_LABELS:
        return translate(FLOW_LABELS[leaf.key], lang)
    rule = next((rule for rule in profile.patterns.values() if rule.leaf is leaf), None)
    return leaf.key if rule is None else rule.names.name(lang)


def value_words(key: str, value: Any, lang: str) -> str:
    """A value of the setting `key` in words."""
    if isinstance(value, (list, tuple)):
        if all(isinstance(each, (list, tuple)) for each in value):  # groups of equals, best first
            return " › ".join(
                " = ".join(value_words(key, part, lang) for part in each) for each in value
            )
        return ", ".join(value_words(key, each, lang) for each in value)
    if isinstance(value, (bool, str)):
        words = _OWN_VALUE_WORDS.get(key, {}).get(value) or _VALUE_WORDS.get(value)
        if words is not None:
            return translate(words, lang)
    return str(value)
