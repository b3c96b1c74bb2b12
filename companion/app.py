"""Where the parts are wired together: a photograph in, an explained score out.

    bytes -> vision.decode -> Reader.read -> Reading -> layout_from_reading -> Layout -> Hand -> rules.score

The web and the terminal call this module; the parts it joins do not know each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes import LazyReader, PictureReader
from companion.hand import Hand
from companion.layout import (
    MAX_PIECES,
    LaidSet,
    Layout,
    LayoutError,
    Piece,
    layout_from_hand,
    layout_from_json,
)
from companion.layout_edits import edit
from companion.rules import (
    DEFAULT_RULES,
    Circumstances,
    Profile,
    ScoreSheet,
    list_profiles,
    load_profile,
    score,
)
from companion.rules.circumstances import parse_by, parse_wind
from companion.rules.scoring import EVALUATORS
from companion.store import Draft, DraftStore, KeepConfig
from companion.text import GorrionError, T
from companion.tiles import Tile
from vision.decode import decode
from vision.seen import Group, Reading


@dataclass(frozen=True, slots=True)
class AppConfig:
    """In what form pictures are kept."""

    picture_side_px: int = 2400  # long side: a tile of a phone photo stays legible
    jpeg_quality: int = 88  # a kept picture takes about 0.7 MB


class NoTiles(GorrionError):
    """The picture was read, and there is no tile on it."""

    def __init__(self) -> None:
        super().__init__(
            T(
                "no mahjong tiles were found on this picture: take it from above, closer and in good "
                "light, or enter the tiles by hand"
            ),
            code="no_tiles",
            field="photo",
            status=422,
        )


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """A picture that was read.

    Attributes:
        reading: what was seen, in pixels of the upright picture.
        jpeg: the picture for the page: upright, at most `AppConfig.picture_side_px` long, without metadata.
    """

    reading: Reading
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class OpenSheet:
    """A stored sheet with what it means."""

    draft: Draft
    layout: Layout
    circumstances: Circumstances
    profile: Profile


@dataclass(frozen=True, slots=True)
class Scored:
    """What a sheet is worth, or nothing while its hand cannot be scored."""

    hand: Hand
    score: ScoreSheet | None
    problem: T | None


class Companion:
    """The companion of one table: its eyes, its rules and its memory."""

    def __init__(
        self,
        folder: Path,
        make_reader: Callable[[], PictureReader],
        keep: KeepConfig | None = None,
        config: AppConfig | None = None,
    ) -> None:
        self._config = config or AppConfig()
        self.store = DraftStore(folder, keep)
        self.reader = LazyReader(make_reader)

    def read_photo(self, data: bytes) -> PhotoReading:
        """Decode and read an uploaded picture.

        Raises what `vision.decode.decode` raises for bad files, NoTiles, ReaderBusy.
        """
        image = decode(data)
        reading = self.reader.read(image)
        if not reading.tiles:
            raise NoTiles
        return PhotoReading(reading, _jpeg(image, self._config))

    def start_from_photo(self, photo: PhotoReading) -> Draft:
        """A new sheet with what was read."""
        body = _body(layout_from_reading(photo.reading), Circumstances(), DEFAULT_RULES)
        return self.store.create(body, photo.reading.to_json(), photo.jpeg)

    def start_from_hand(self, hand: Hand | None = None) -> Draft:
        """A new sheet without a picture, empty or with the tiles of a hand."""
        layout = Layout() if hand is None else layout_from_hand(hand)
        return self.store.create(_body(layout, Circumstances(), DEFAULT_RULES))

    def open(self, draft_id: str) -> OpenSheet:
        """A stored sheet. Raises companion.store.NoSuchDraft."""
        return _open(self.store.get(draft_id))

    def edit(self, draft_id: str, seen_version: int, change: Mapping[str, Any]) -> OpenSheet:
        """Make one change and store it; `change["do"]` names it.

        Beside the edits of `companion.layout_edits.edit`: `circumstances` (`set`: what changes), `rules`
        (`id`) and `undo`.

        Raises StaleEdit, NoSuchDraft, and a GorrionError that says why the edit cannot be made.
        """
        do = change.get("do")
        if do == "undo":
            return _open(self.store.undo(draft_id, seen_version))
        now = self.open(draft_id)
        layout, circumstances, rules = now.layout, now.circumstances, now.profile.id
        if do == "circumstances":
            circumstances = _changed(circumstances, change.get("set"))
        elif do == "rules":
            rules = known_rules(change.get("id"))
        else:
            layout = edit(layout, change)
        return _open(self.store.update(draft_id, seen_version, _body(layout, circumstances, rules)))

    def score(self, opened: OpenSheet) -> Scored:
        """What the sheet is worth now; `problem` says what keeps it from being scored."""
        hand = opened.layout.hand()
        flags = hand.flags()
        if flags:
            return Scored(hand, None, flags[0].text)
        try:
            return Scored(hand, score(hand, opened.circumstances, opened.profile), None)
        except GorrionError as error:
            return Scored(hand, None, error.text)

    def rule_systems(self) -> list[Profile]:
        """The rule systems that can score a hand."""
        profiles = map(load_profile, list_profiles())
        return [profile for profile in profiles if profile.evaluator in EVALUATORS]


def layout_from_reading(reading: Reading) -> Layout:
    """Lay the read tiles out as one hand.

    The hand is the group of that kind with the most tiles; melds, bonus tiles and a single tile
    (the winning one) that belong to it come along. Other rows stay on the picture, where a person
    can take a tile from them. Without any hand, everything that was read is laid out to be sorted.
    """
    at = max(
        (i for i, group in enumerate(reading.groups) if group.kind == "hand"),
        key=lambda i: len(reading.groups[i].tiles),
        default=None,
    )
    if at is None:
        return _unsorted(reading)
    own = [group for i, group in enumerate(reading.groups) if i == at or group.hand == at]
    concealed: list[Piece] = []
    bonus: list[Piece] = []
    melds: list[LaidSet] = []
    winning: int | None = None
    next_id = 1
    for group in own:
        pieces = _pieces(reading, group, next_id)
        next_id += len(pieces)
        if group.kind == "meld":
            melds.append(_laid(next_id, pieces))
            next_id += 1
            continue
        bonus += [piece for piece in pieces if piece.tile.is_bonus]
        concealed += [piece for piece in pieces if not piece.tile.is_bonus]
        if group.kind == "single" and not pieces[0].tile.is_bonus:
            winning = pieces[0].id
    return Layout(tuple(concealed), tuple(melds), tuple(bonus), winning, next_id)


def hand_from_reading(reading: Reading) -> Hand:
    """The hand on a picture, right or wrong: `Hand.flags` tells."""
    return layout_from_reading(reading).hand()


def _unsorted(reading: Reading) -> Layout:
    everything = Group("row", tuple(range(len(reading.tiles)))[:MAX_PIECES])
    pieces = _pieces(reading, everything, 1)
    return Layout(
        tuple(piece for piece in pieces if not piece.tile.is_bonus),
        bonus=tuple(piece for piece in pieces if piece.tile.is_bonus),
        next_id=len(pieces) + 1,
    )


def _pieces(reading: Reading, group: Group, first_id: int) -> tuple[Piece, ...]:
    return tuple(
        Piece(
            first_id + at,
            Tile(reading.tiles[index].tile),
            index,
            doubtful=reading.tiles[index].doubtful,
        )
        for at, index in enumerate(group.tiles)
    )


def _laid(set_id: int, pieces: tuple[Piece, ...]) -> LaidSet:
    """A meld; with tiles face down it is a concealed kong, and they are what the others show."""
    shown = {piece.tile.kind for piece in pieces if not piece.tile.is_back}
    hidden = any(piece.tile.is_back for piece in pieces)
    if hidden and len(shown) == 1:
        face = next(iter(shown))
        pieces = tuple(
            replace(piece, tile=face, doubtful=False) if piece.tile.is_back else piece
            for piece in pieces
        )
    return LaidSet(set_id, pieces, concealed=hidden)


def _body(layout: Layout, circumstances: Circumstances, rules: str) -> dict[str, Any]:
    return {
        "layout": layout.to_json(),
        "circumstances": circumstances_to_json(circumstances),
        "rules": rules,
    }


def _open(draft: Draft) -> OpenSheet:
    return OpenSheet(
        draft,
        layout_from_json(draft.body["layout"]),
        circumstances_from_json(draft.body["circumstances"]),
        load_profile(draft.body["rules"]),
    )


_SWITCHES = ("kong_draw", "rob_kong", "last_tile", "last_discard", "first_turn")
_EXTRA_SWITCHES = ("riichi", "double_riichi", "ippatsu")
_EXTRA_TEXTS = ("dora_indicators", "ura_indicators")
_EXTRA_COUNTS = ("honba", "sticks")
_MAX_EXTRA_CHARS = 40
"""Indicators for five tiles, each written on its own with spaces, fit twice."""


def circumstances_to_json(circumstances: Circumstances) -> dict[str, Any]:
    """What a sheet keeps of the circumstances, by the names of their fields."""
    names = ("by", "seat", "round", "discarder", *_SWITCHES)
    values = {name: getattr(circumstances, name) for name in names}
    return {**values, "extra": dict(circumstances.extra)}


def circumstances_from_json(values: Mapping[str, Any]) -> Circumstances:
    """Read the form of `circumstances_to_json`."""
    extra = tuple(dict(values.get("extra", {})).items())
    return Circumstances(**{**values, "extra": extra})


def _changed(now: Circumstances, wanted: Any) -> Circumstances:
    """Circumstances after a person set some; what no longer fits the way of winning is dropped.

    Raises companion.rules.CircumstanceError for values that cannot be, and LayoutError for no values.
    """
    if not isinstance(wanted, Mapping):
        raise LayoutError(
            T('the edit needs the circumstances to change as "set"'), code="bad_edit", field="set"
        )
    if "by" in wanted:
        now = now.drawn() if parse_by(str(wanted["by"])) == "self-draw" else now.discarded()
    values = circumstances_to_json(now)
    for name in ("seat", "round", "discarder"):
        if wanted.get(name) is not None:
            values[name] = parse_wind(str(wanted[name]), name)
    if "seat" in wanted and values["discarder"] == values["seat"]:
        values["discarder"] = None  # the winner moved to the chair of who discarded
    values.update({name: bool(wanted[name]) for name in _SWITCHES if name in wanted})
    values["extra"] = _changed_extra(values["extra"], wanted)
    return circumstances_from_json(values)


def _changed_extra(now: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """What only the Japanese game asks, with what a person set; what is off or empty is left out."""
    values = dict(now)
    for name in _EXTRA_SWITCHES:
        if name in wanted:
            values[name] = bool(wanted[name])
    for name in _EXTRA_TEXTS:
        if name in wanted:
            values[name] = str(wanted[name])[:_MAX_EXTRA_CHARS].strip()
    for name in _EXTRA_COUNTS:
        if name in wanted:
            given = str(wanted[name])[:_MAX_EXTRA_CHARS]
            values[name] = int(given) if given.isdecimal() else 0
    if not (values.get("riichi") or values.get("double_riichi")):
        values.pop("ippatsu", None)  # it comes after riichi only
        values.pop("ura_indicators", None)
    return {name: value for name, value in values.items() if value}


def known_rules(name: Any) -> str:
    """`name` if a profile of that id comes with the program: a browser names no files of this machine."""
    known = list_profiles()
    if name not in known:
        raise LayoutError(
            T('there are no rules "%(given)s": use one of %(known)s', given=str(name), known=known),
            code="unknown_rules",
            field="id",
        )
    return str(name)


def _jpeg(image_bgr: NDArray[np.uint8], config: AppConfig) -> bytes:
    """The picture to keep: smaller, and without what the camera wrote into it (place, time, owner)."""
    height, width = image_bgr.shape[:2]
    shrink = config.picture_side_px / max(height, width)
    if shrink < 1:
        size = (max(1, round(width * shrink)), max(1, round(height * shrink)))
        image_bgr = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    done, data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, config.jpeg_quality])
    if not done:
        raise RuntimeError("OpenCV could not write a JPEG")
    return data.tobytes()
