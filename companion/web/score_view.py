"""A score sheet as JSON for the page and its twin, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from flask import url_for

from companion.app import Companion, OpenSheet, Scored, circumstances_to_json
from companion.catalogue import translate
from companion.hand import format_hand
from companion.layout import LaidSet, Piece
from companion.notation import format_tiles
from companion.rules import ScoreSheet
from companion.text import T, Text
from companion.tiles import WIND_NAMES, Tile, wind_tile
from companion.web.language import current_lang, say
from companion.web.questions import questions
from companion.web.security import is_player

GUESSES = 3
"""What a tap offers before the whole grid."""

LOW_PERCENT = 1
"""A guess that rounds to nothing is still possible, and is not shown as 0 %."""

UNITS = {
    "faan": T("faan"),
    "fan": T("fan"),
    "points": T("points"),
    "han": T("han"),
    "fu": T("fu"),
}


def sheet_view(companion: Companion, opened: OpenSheet) -> dict[str, Any]:
    """Everything the page of one sheet shows."""
    draft = opened.draft
    scored = companion.score(opened)
    may_edit = is_player()
    return {
        "id": draft.id,
        "version": draft.version,
        "created": draft.created,
        "changed": draft.changed,
        "may_edit": may_edit,
        "can_undo": draft.can_undo,
        "picture": _picture(opened, may_edit),
        "reading": _reading(draft.reading),
        "layout": _layout(opened),
        "hand": format_hand(scored.hand),
        "full": scored.hand.size >= 14,
        "flags": [
            {"code": flag.code, "message": say(flag.text), "tiles": [t.code for t in flag.tiles]}
            for flag in scored.hand.flags()
        ],
        "circumstances": circumstances_to_json(opened.circumstances),
        "questions": questions(opened.circumstances, opened.profile),
        "rules": {"id": opened.profile.id, "name": opened.profile.names.name(current_lang())},
        "rule_systems": [
            {"id": profile.id, "name": profile.names.name(current_lang())}
            for profile in companion.rule_systems()
        ],
        "status": _status(opened, scored),
        "score": None if scored.score is None else scored.score.to_json(current_lang()),
        "result": _result(opened, scored),
    }


def _picture(opened: OpenSheet, may_see: bool) -> dict[str, Any] | None:
    reading = opened.draft.reading
    if reading is None:
        return None
    shown = opened.draft.has_picture and may_see
    return {
        "url": url_for("score.picture", draft_id=opened.draft.id) if shown else None,
        "width": reading["width"],
        "height": reading["height"],
    }


def _reading(reading: dict[str, Any] | None) -> dict[str, Any] | None:
    if reading is None:
        return None
    return {**reading, "tiles": [{**tile, "guesses": _guesses(tile)} for tile in reading["tiles"]]}


def _guesses(seen: dict[str, Any]) -> list[dict[str, Any]]:
    best = [{"tile": seen["tile"], "confidence": seen["confidence"]}, *seen["alternatives"]]
    best = [guess for guess in best if guess["tile"] not in ("not", "?")]
    best.sort(key=lambda guess: -float(guess["confidence"]))
    return [
        {"tile": guess["tile"], "percent": max(LOW_PERCENT, round(100 * guess["confidence"]))}
        for guess in best[:GUESSES]
    ]


def _layout(opened: OpenSheet) -> dict[str, Any]:
    layout = opened.layout
    concealed = [_piece(opened, piece, "concealed") for piece in layout.concealed]
    bonus = [_piece(opened, piece, "bonus") for piece in layout.bonus]
    melds = []
    everything = [*concealed]
    for meld in layout.melds:
        pieces = [_piece(opened, piece, meld.id) for piece in meld.pieces]
        everything += pieces
        melds.append(
            {
                "id": meld.id,
                "kind": meld.kind,
                "concealed": meld.concealed,
                "name": _meld_name(meld),
                "pieces": pieces,
            }
        )
    return {
        "concealed": concealed,
        "melds": melds,
        "bonus": bonus,
        "winning": layout.winning,
        # The same objects once more in one list: what lights up and what is picked is found by id.
        "pieces": everything + bonus,
    }


def _piece(opened: OpenSheet, piece: Piece, place: str | int) -> dict[str, Any]:
    reading = opened.draft.reading
    choices = opened.layout.meld_choices(piece.id) if place == "concealed" else ()
    return {
        "id": piece.id,
        "tile": piece.tile.code,
        "name": piece.tile.name(current_lang()),
        "place": place,
        "seen": piece.seen,
        "doubtful": piece.doubtful,
        "guesses": []
        if reading is None or piece.seen is None
        else _guesses(reading["tiles"][piece.seen]),
        "melds": [
            {
                "kind": choice.kind,
                "pieces": choice.pieces,
                "tiles": [opened.layout.piece(each).tile.code for each in choice.pieces],
            }
            for choice in choices
        ],
    }


_MELD_NAMES = {
    "chow": T("Chow %(tiles)s"),
    "pung": T("Pung %(tiles)s"),
    "kong": T("Kong %(tiles)s"),
    "ckong": T("Concealed kong %(tiles)s"),
}


def _meld_name(meld: LaidSet) -> str:
    tiles = format_tiles(sorted(piece.tile for piece in meld.pieces))
    return translate(T(_MELD_NAMES[meld.kind].msgid, tiles=tiles), current_lang())


def _status(opened: OpenSheet, scored: Scored) -> dict[str, str]:
    """The one line that says what to do next."""
    layout, result = opened.layout, scored.score
    doubtful = sum(piece.doubtful for piece in layout.pieces)
    text: Text
    if not layout.pieces:
        return _say("todo", T("tap the tiles of the winning hand, the one that completed it too"))
    if doubtful == 1:
        return _say("todo", T('one tile is uncertain: tap the one marked "?" and say what it is'))
    if doubtful:
        text = T(
            '%(count)s tiles are uncertain: tap those marked "?" and say what they are',
            count=doubtful,
        )
        return _say("todo", text)
    if flags := scored.hand.flags():
        building = opened.draft.reading is None and flags[0].code == "too_few_tiles"
        return _say("todo" if building else "wrong", flags[0].text)
    if layout.winning is None:
        return _say("todo", T("which tile completed the hand? Tap it in the strip and say so"))
    if result is None:
        return _say("wrong", scored.problem or T("this hand can't be scored"))
    if not result.can_win:
        return _say("wrong", _first_reason(result))
    if not opened.circumstances.is_self_draw and opened.circumstances.discarder is None:
        return _say(
            "todo",
            T("who discarded the winning tile? Choose it below, then the payments are complete"),
        )
    return _say(
        "done",
        T(
            "done: %(total)s. Rest on a line to see the tiles that make it",
            total=_total_words(result),
        ),
    )


def _say(kind: str, text: Text) -> dict[str, str]:
    return {"kind": kind, "text": say(text)}


def _first_reason(result: ScoreSheet) -> Text:
    return result.why[0] if result.why else T("the hand can't be called")


def _result(opened: OpenSheet, scored: Scored) -> dict[str, Any]:
    """The score as the slip shows it."""
    result = scored.score
    empty: dict[str, Any] = {
        "total": None,
        "can_win": False,
        "verdict": "",
        "lines": [],
        "remarks": [],
        "excluded": [],
        "near": [],
        "payments": [],
        "payment_note": "",
    }
    if result is None:
        why = scored.problem or T("the score appears here")
        if not opened.layout.pieces:
            why = T("the score appears here while you enter the hand")
        return {**empty, "why": say(why)}
    lang = current_lang()
    asides = {
        "excluded": [_aside(each.names, each.because) for each in result.excluded],
        "near": [_aside(each.names, each.missing, each.value) for each in result.near],
    }
    if not result.complete:
        return {**empty, **asides, "why": " ".join(map(say, result.why))}
    return {
        "total": _total(result),
        "can_win": result.can_win,
        "verdict": translate(_verdict(result), lang),
        "why": "" if result.can_win else " ".join(map(say, result.why)),
        "lines": [
            {
                "pattern": line.pattern,
                "worth": f"+{line.value}",
                "name": line.names.name(lang),
                "zh": line.names.name("zh"),
                "source": _source(line.source.document, line.source.term),
                "pieces": pieces_of(line.tiles, opened.layout.pieces, opened.layout.winning),
            }
            for line in result.lines
        ],
        "remarks": [say(remark) for remark in result.remarks],
        **asides,
        "payments": _payments(result) if result.can_win else [],
        "payment_note": _payment_note(result) if result.can_win else "",
    }


def _total(result: ScoreSheet) -> dict[str, Any]:
    """The number that counts, and its unit; fu, where a system has them, belong to the unit."""
    unit, number = next(iter(result.values.items()))
    words = translate(UNITS[unit], current_lang())
    if result.values.get("fu"):
        words = f"{words} · {result.values['fu']} {translate(UNITS['fu'], current_lang())}"
    return {"number": number, "unit": words}


def _total_words(result: ScoreSheet) -> str:
    total = _total(result)
    return f"{total['number']} {total['unit']}"


def _payment_note(result: ScoreSheet) -> str:
    """What else must be known to pay, or why one hand alone does not say it."""
    note = result.payments.note if result.payments else result.details.get("payment_note")
    return say(note) if note is not None else ""


def _verdict(result: ScoreSheet) -> T:
    if not result.can_win:
        return T("can't be called")
    return T("limit hand") if result.limit else T("can be called")


def _aside(names: Any, because: Text, value: int | None = None) -> dict[str, Any]:
    name = names.name(current_lang())
    return {
        "name": name if value is None else f"{name} (+{value})",
        "zh": names.name("zh"),
        "because": say(because),
    }


def _source(document: str, term: str) -> str:
    if document == "standard":
        return translate(T("common rules of the game"), current_lang())
    words = T("document %(number)s: “%(term)s”", number=document, term=term)
    return translate(words if term else T("document %(number)s", number=document), current_lang())


def pieces_of(tiles: Iterable[Tile], pieces: Sequence[Piece], winning: int | None) -> list[int]:
    """Ids of the pieces that stand for `tiles`; of equal ones the winning piece first, then as laid out.

    A line without tiles of its own (a self-draw) is made by the winning tile.
    """
    left = sorted(pieces, key=lambda piece: piece.id != winning)
    found = []
    for tile in tiles:
        piece = next((p for p in left if p.tile.kind is tile.kind), None)
        if piece is not None:
            left.remove(piece)
            found.append(piece.id)
    return found


def _payments(result: ScoreSheet) -> list[dict[str, Any]]:
    if result.payments is None:
        return []
    lang = current_lang()
    chip = result.payments.chip
    rows = []
    for transfer in result.payments.to_json(lang)["transfers"]:
        payer, amount = transfer["from"], transfer["amount"]
        winner = WIND_NAMES[transfer["to"]]
        if payer in WIND_NAMES:
            words = T("%(payer)s pays %(winner)s", payer=WIND_NAMES[payer], winner=winner)
            sign = wind_tile(payer).name("zh")
        elif payer == "discarder":
            words, sign = T("the discarder pays %(winner)s", winner=winner), ""
        else:
            words, sign = T("each of the others pays %(winner)s", winner=winner), ""
        rows.append(
            {
                "words": _capital(translate(words, lang)),
                "sign": sign,
                "amount": amount,
                "chips": None if not chip else _chips(amount, chip),
            }
        )
    return rows


def _chips(amount: int, chip: int) -> str:
    if amount % chip:
        return ""
    count = amount // chip
    text = (
        T("1 chip of %(chip)s", chip=chip)
        if count == 1
        else T("%(count)s chips of %(chip)s", count=count, chip=chip)
    )
    return translate(text, current_lang())


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
