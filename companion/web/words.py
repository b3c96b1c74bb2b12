"""What the scripts of the page say, and the names of the tiles, in the reader's language."""

from __future__ import annotations

from typing import Any

from flask import url_for

from companion.catalogue import translate
from companion.text import T
from companion.tiles import ALL, WIND_NAMES, Tile
from companion.web.language import current_lang

WORDS = {
    "add_tile": T("Add a tile"),
    "all_tiles": T("All tiles"),
    "and_also": T("And also"),
    "best_guesses": T("Best guesses"),
    "bonus": T("Flowers and seasons"),
    "break_meld": T("Take back into the hand"),
    "chow": T("chow"),
    "ckong": T("concealed kong"),
    "clear": T("Take all away"),
    "close": T("Close"),
    "conceal_kong": T("Make it concealed"),
    "concealed": T("Hand"),
    "concealed_empty": T("no tiles yet"),
    "dead_hand": T("dead hand"),
    "dealer": T("dealer"),
    "discarded_by": T("%(tile)s, discarded by %(who)s"),
    "doubtful": T("not sure"),
    "doubtful_name": T("%(tile)s, not sure"),
    "excluded": T("Not counted, and why"),
    "expose_kong": T("Make it exposed"),
    "failed": T("No answer from Gorrión: is it still running? Your change was not saved."),
    "forget_no": T("Keep it"),
    "forget_really": T("Delete the sheet and its picture for good?"),
    "forget_yes": T("Delete"),
    "hand_number": T("hand %(number)s"),
    "has_won": T("%(who)s has won"),
    "hidden_tiles": T("%(count)s hidden tiles"),
    "honba_sticks": T("honba %(honba)s, sticks %(sticks)s"),
    "how_won": T("How it was won"),
    "is_winning": T("It completed the hand"),
    "kong": T("kong"),
    "larger": T("Enlarge"),
    "lay_down": T("Lay down as a meld"),
    "may_claim": T("%(tile)s can be claimed:"),
    "move_to": T("Move to"),
    "near": T("Just missed"),
    "new_meld": T("New meld"),
    "nobody_won": T("Nobody has won"),
    "not_a_tile": T("Not a tile"),
    "not_on_sheet": T("%(tile)s, on the picture but not in this hand"),
    "not_winning": T("It did not complete the hand"),
    "off_sheet": T("on the picture, not in this hand"),
    "or_write": T("Or write the hand, such as 123p123s23477m [567m] 2f2g"),
    "pad_tile": T("tile"),
    "pad_to": T("Add as"),
    "payments": T("Who pays whom"),
    "picture": T("Picture with %(count)s tiles found"),
    "pung": T("pung"),
    "reading": T("Reading the tiles…"),
    "reconnecting": T("No answer from Gorrión: trying again."),
    "remove": T("Remove"),
    "round_of": T("%(wind)s round"),
    "rule_system": T("Rules"),
    "settlement": T("What was paid"),
    "smaller": T("Whole picture"),
    "sort": T("Sort the tiles"),
    "uncertain_percent": T("%(percent)s % sure"),
    "undo": T("Undo"),
    "undo_this": T("Take back: %(event)s"),
    "winning_name": T("%(tile)s, winning tile"),
    "write": T("Take it"),
}

_SUIT_SHORT = {"m": T("char"), "p": T("circ"), "s": T("bam"), "f": T("flower"), "g": T("season")}
_HONOUR_SHORT = (*WIND_NAMES.values(), T("white"), T("green"), T("red"))


def short_name(tile: Tile, lang: str) -> str:
    """A name that fits on the tile's outline: "5 circ", "East"."""
    if tile.is_honour:
        return translate(_HONOUR_SHORT[tile.rank - 1], lang)
    if tile.suit:
        return f"{tile.rank} {translate(_SUIT_SHORT[tile.suit], lang)}"
    return "?" if tile.is_unknown else "—"


def tile_words() -> dict[str, dict[str, str]]:
    """For each tile code its spoken name and its short name."""
    lang = current_lang()
    return {
        tile.code: {
            "name": tile.name(lang),
            "short": short_name(tile, lang),
        }
        for tile in ALL
    }


def page_data() -> dict[str, Any]:
    """What every script gets from its page."""
    lang = current_lang()
    return {
        "lang": lang,
        # Without parameters the placeholders stay in place: the scripts fill them.
        "words": {key: translate(text, lang) for key, text in WORDS.items()},
        "tiles": tile_words(),
        "sprite": url_for("static", filename="tiles/tiles.svg"),
    }
