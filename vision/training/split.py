"""What training never sees: the one place that says which pictures and designs are held out.

A design that was trained on proves nothing, and neighbouring shots of one layout are near copies of each other. So
whole artwork families, whole physical sets and whole videos are kept out, and besides them some originals of the
sets that are trained on, with their neighbours and all their augmented copies. Everything was sorted by eye on
contact sheets of the whole collection.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Final, Literal

PhotoPart = Literal["train", "test-original", "test-set"]
NoTilesPart = Literal["train", "check", "test"]

HELD_OUT_ART: Final = (
    "demching",  # Hong Kong style in colour, three birds, flowers, picture dragons, red fives
    "martinpersson",  # Japanese style with red fives, with and without Western index digits
    "gnome-smooth",  # a plain stick for the bird, captions for flowers: gnome-postmodern stays to teach sticks
    # Typefaces, one of each manner: a regular script, a printed serif, a running brush.
    "kanji-cwtex-kai",
    "kanji-ipaex-mincho",
    "kanji-kouzan-gyousyo",
)
"""Prefixes of set names in `art/faces`; a prefix takes its whole family (``martinpersson-index`` too)."""

HELD_OUT_NO_TILES: Final = ("azure", "chips", "med", "gost")
"""100 of 338 tile-free pictures: everyday scenes, poker chips, printed boxes, Go boards seen by another camera."""

_CHECKED_NO_TILES: Final = ("chess",)
_CHECKED_EVERY: Final = 8
"""Of the other tile-free pictures, chess boards and every eighth of the rest are not trained on but looked at."""

_PARLOUR_TEST_SET: Final = range(91, 99)
"""riichi-parlour, mahjon_image91..98: two whole sets laid out whose feathered birds of 1s occur in no other photo."""

# fmt: off
_PARROT_SET: Final = frozenset((
    "00C43BBF", "072286BC", "0CDBF973", "0D3F0CF7", "0EA76F25", "10CB8FE7", "169953D1", "23D24F99",
    "2C29F68F", "2D3F6957", "32369FBF", "421443E7", "429D3B12", "4DD57C03", "574A4249", "66624663",
    "6C6E9867", "7A5625A2", "80BBB721", "83C90757", "87CCC327", "8DE6F883", "A1BD984E", "A62F40F8",
    "B0222385", "B2EF5BB0", "B40201E9", "BAA15DA7", "CCD4386F", "CD1F8A8F", "D3D29A67", "F2DC86FB",
    "F6F9E632", "F7531494",
))
# fmt: on
"""hk-taiwan: a set with a green parrot and ten-ringed 1p on a bright green mat and on red cloth: laid-down hands with
melds, the winning tile and bonus tiles apart, just what a player photographs. The digital sheet of it goes with it."""

_ONE_OFF_TEST: Final = (
    "0_webp",  # four flowers on black
    "0a071993-ce31",  # eight bonus tiles against a wall
    "1f178a82b901",  # eight bonus tiles on grey
    "42mm_842312218mm",  # eight bonus tiles in two columns
    "MJTiles_Fullset",  # bonus tiles of the parrot set
    "OIP_jpg",  # bonus tiles on wood
    "il_fullxfull",  # bonus tiles of two antique sets
    "Mahjong_jpg",  # a heap of tiles in every direction
    "Taiwan-Mahjong-0522",  # a heap from near
)
"""hk-taiwan: single pictures from the web; each shows a set of its own."""

_SOFA_SET: Final = range(1755, 1847)
"""hk-taiwan, IMG_1755..1846 (HEIC): a Taiwanese set in black and red, fretted white dragon, on a sofa, a dark table."""

_HELD_OUT_VIDEOS: Final = (
    # 4-36-21 to 4-42-34: standing hands behind a white ruler, ivory light
    (16 * 3600 + 36 * 60 + 10, 16 * 3600 + 43 * 60),
    # 8-19-53 to 8-23-06: standing hands on a dark green table
    (20 * 3600 + 19 * 60 + 30, 20 * 3600 + 24 * 60),
)
"""hk-taiwan, Screenshot-2024-09-23: clock spans of the stills of two whole videos (seconds of the day)."""

_SHOP_TEST_SETS: Final = (range(141, 183), range(261, 297), range(504, 542))
"""shop-tiles by file number: an ivory set in black ink, a blue one with Western index and a peacock, a pale one with
vases for flowers: 116 of 629 faces, three of about thirteen sets."""

_TEST_ORIGINAL_SHARE: Final = 0.12
_BLOCK: Final = 6
"""Consecutive shots show one layout from several angles: they are drawn for the test in blocks of this many."""


def is_held_out_art(set_name: str) -> bool:
    """True if no training render may show a face of this set (a folder name in ``art/faces``)."""
    return set_name.startswith(HELD_OUT_ART)


def no_tiles_part(name: str) -> NoTilesPart:
    """The part of a tile-free picture, by its file name (``azure_003.jpg``) or path.

    What no network learned from ("check") shows the judge how sure they are where they are wrong; on pictures they
    learned from they hardly ever are. The test part is for measuring alone.
    """
    file = PurePath(name).name
    prefix = file.split("_")[0]
    if prefix in HELD_OUT_NO_TILES:
        return "test"
    aside = prefix in _CHECKED_NO_TILES or zlib.crc32(file.encode()) % _CHECKED_EVERY == 0
    return "check" if aside else "train"


def photo_part(row: Mapping[str, Any]) -> PhotoPart:
    """The part of a row of ``photos.jsonl`` or ``shop-tiles.csv``.

    Args:
        row: has ``dataset`` and ``original``, or only ``image`` for a shop tile.

    Returns:
        ``"test-set"`` if the physical set, video or web picture is held out as a whole, ``"test-original"`` if only
        this original and its neighbours are, else ``"train"``. All copies of an original have the same part.
    """
    dataset = row.get("dataset", "shop-tiles")
    if dataset == "shop-tiles":
        number = int(PurePath(row["image"]).stem)
        return "test-set" if any(number in numbers for numbers in _SHOP_TEST_SETS) else "train"
    original: str = row["original"]
    if dataset == "riichi-parlour":
        number = int(re.sub(r"\D", "", original))
        if number in _PARLOUR_TEST_SET:
            return "test-set"
        return _drawn(f"parlour {number // 3}")
    if _is_held_out_hk(original):
        return "test-set"
    return _drawn(_series_block(original))


def photo_set(row: Mapping[str, Any]) -> str:
    """The physical set, video or kind of picture a row belongs to, for figures by set."""
    if row.get("dataset", "shop-tiles") == "shop-tiles":
        return "shop-tiles"
    original: str = row["original"]
    if row["dataset"] == "riichi-parlour":
        return "parlour-feathered" if photo_part(row) == "test-set" else "parlour-others"
    if original[:8] in _PARROT_SET or original.startswith("MJTiles"):
        return "hk-parrot"
    serial = _serial(original)
    if serial in _SOFA_SET:
        return "hk-sofa"
    if "home-mj" in original:
        return "hk-home"
    if original.startswith(("Screenshot", "Pasted-Graphic")):
        return "hk-video-held-out" if _is_held_out_hk(original) else "hk-video"
    return "hk-series" if serial is not None else "hk-web"


def _is_held_out_hk(original: str) -> bool:
    if original[:8] in _PARROT_SET or original.startswith(_ONE_OFF_TEST):
        return True
    if _serial(original) in _SOFA_SET:
        return True
    clock = _clock(original)
    return clock is not None and any(start <= clock <= end for start, end in _HELD_OUT_VIDEOS)


def _serial(original: str) -> int | None:
    found = re.search(r"IMG_(\d+)", original)
    return int(found[1]) if found else None


def _clock(original: str) -> int | None:
    """Seconds of the day of a still taken on the 23rd; the two of the 24th are left alone."""
    found = re.match(r"Screenshot-2024-09-23-at-(\d+)-(\d+)-(\d+)-PM", original)
    if not found:
        return None
    hour, minute, second = map(int, found.groups())
    return (hour % 12 + 12) * 3600 + minute * 60 + second


def _series_block(original: str) -> str:
    serial, clock = _serial(original), _clock(original)
    if serial is not None:
        return f"IMG {'home ' if 'home-mj' in original else ''}{serial // _BLOCK}"
    if clock is not None:
        return f"still {clock // 60}"
    return original


def _drawn(block: str) -> PhotoPart:
    # crc32 rather than hash(): the same on every machine and in every run.
    return (
        "test-original"
        if zlib.crc32(block.encode()) % 1000 < 1000 * _TEST_ORIGINAL_SHARE
        else "train"
    )


_CHECK_EVERY: Final = 7
"""Every seventh original of the training part is kept aside to check on; the test parts are not for that."""


def kept_aside(original: str) -> bool:
    """Whether a training photograph, by its ``original``, is only checked on, by all networks and the judge."""
    # A sum of bytes is the same everywhere, unlike hash().
    return sum(original.encode()) % _CHECK_EVERY == 0
