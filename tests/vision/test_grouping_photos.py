"""Photographs of the training part whose hands a person has sorted, and what the reader makes of them.

They tell whether a change of the grouping helps on real tables; the rules were made on them, so how many are right is
no figure for the model card.
"""

from __future__ import annotations

from pathlib import Path

from vision.decode import decode_file
from vision.reader import Reader
from vision.seen import Reading

AS_SEEN = {
    "riichi-parlour/mahjon-image10-jpg-0.jpg": "14",
    "riichi-parlour/mahjon-image54-jpg-0.jpg": "13 w",
    "riichi-parlour/mahjon-image44-jpg-0.jpg": "13",
    "riichi-parlour/mahjon-image39-jpg-0.jpg": "13 w",
    "riichi-parlour/mahjon-image55-jpg-0.jpg": "13",
    "riichi-parlour/mahjon-image28-jpg-0.jpg": "14",
    "riichi-parlour/mahjon-image25-jpg-0.jpg": "13 w",
    "riichi-parlour/mahjon-image43-jpg-0.jpg": "13",
    "riichi-parlour/mahjon-image32-jpg-0.jpg": "7+3+3 w",
    "riichi-parlour/mahjon-image36-jpg-0.jpg": "13",
    "riichi-parlour/mahjon-image9-jpg-0.jpg": "14",
    "riichi-parlour/mahjon-image2-jpg-0.jpg": "13 w",
    "riichi-parlour/mahjon-image60-jpg-0.jpg": "13",
    "hk-taiwan/screenshot-2024-09-24-at-8-13-19-pm-png-0.jpg": "16 b1",
    "hk-taiwan/screenshot-2024-09-23-at-4-14-47-pm-png-0.jpg": "16 b1",
    "hk-taiwan/screenshot-2024-09-23-at-4-18-22-pm-png-0.jpg": "13+3 b1",
    "hk-taiwan/screenshot-2024-09-23-at-4-20-52-pm-png-0.jpg": "13+3",
    "hk-taiwan/screenshot-2024-09-23-at-4-20-22-pm-png-0.jpg": "10+3+3 b1",
    "hk-taiwan/screenshot-2024-09-23-at-4-20-31-pm-png-0.jpg": "10+3+3 b2 w",
    "hk-taiwan/screenshot-2024-09-23-at-4-28-35-pm-png-0.jpg": "12+3",
    "hk-taiwan/pasted-graphic-png-0.jpg": "16",
    "hk-taiwan/screenshot-2024-09-23-at-4-18-52-pm-png-0.jpg": "10+3+3 b2",
    "hk-taiwan/mahjong-default-jpg-0.jpg": "10+3",
    "hk-taiwan/screenshot-2024-09-23-at-8-16-13-pm-png-0.jpg": "12+3 b2",
    "hk-taiwan/bdcdd1d2-ca58-4c57-b771-6e00c06676f9-1-102-o-jpeg-jpg-0.jpg": "10+3 b1 w",
    "hk-taiwan/screenshot-2024-09-23-at-4-52-22-pm-png-0.jpg": "5+3+3+3 b2",
    "hk-taiwan/screenshot-2024-09-23-at-4-47-03-pm-png-0.jpg": "7+3+3+4 b1",
    "hk-taiwan/screenshot-2024-09-23-at-4-17-12-pm-png-0.jpg": "9+3+3 b2",
    "hk-taiwan/screenshot-2024-09-23-at-4-53-35-pm-png-0.jpg": "7+3+3+3 b2",
    "hk-taiwan/29bb40da-34ee-4e88-88fd-075632414336-jpeg-jpg-0.jpg": "0",
    "hk-taiwan/e6a86e96-aa0b-4999-a371-3897eac5c9e4-1-102-o-jpeg-jpg-0.jpg": "14 b7",
    "hk-taiwan/screenshot-2024-09-23-at-4-16-03-pm-png-0.jpg": "16 b2",
    "hk-taiwan/7315dc5a-289d-4d18-9290-83c69c7801fc-1-102-o-jpeg-jpg-0.jpg": "14 b1",
}
"""By photograph: tiles of the first hand, of its sets, bonus tiles, and whether the winning tile lies apart."""

LEAST_RIGHT = 0.85
"""A flower that is missed or read where there is none counts here, too: 32 of the 33 were right with one training's
models, 29 with the next."""


def told(reading: Reading) -> str:
    """A reading's first hand in the notation of `AS_SEEN`."""
    groups = reading.groups
    hand = next((n for n, each in enumerate(groups) if each.kind == "hand"), None)
    if hand is None:
        return "0"
    own = [each for each in groups if each.hand == hand]
    sets = sorted(len(each.tiles) for each in own if each.kind == "meld")
    bonus = sum(len(each.tiles) for each in own if each.kind == "bonus")
    parts = ["+".join(map(str, [len(groups[hand].tiles), *sets]))]
    parts += [f"b{bonus}"] if bonus else []
    parts += ["w"] if any(each.kind == "single" for each in own) else []
    return " ".join(parts)


def test_hands_on_photographs_are_sorted_as_a_person_does(shared_dir: Path) -> None:
    reader, wrong = Reader(), {}
    for name, wanted in AS_SEEN.items():
        image = decode_file(shared_dir / "data" / "photos" / name)
        if (said := told(reader.read(image))) != wanted:
            wrong[name] = f"{wanted} read as {said}"
    assert len(wrong) <= (1 - LEAST_RIGHT) * len(AS_SEEN), wrong
