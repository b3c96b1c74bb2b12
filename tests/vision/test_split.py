import json
from pathlib import Path

import pytest

from vision.training.split import is_held_out_art, no_tiles_part, photo_part


@pytest.mark.parametrize(
    ("name", "held_out"),
    [
        ("demching-alt1", True),
        ("martinpersson-index", True),
        ("gnome-postmodern", False),
        ("kanji-dejima", False),
    ],
)
def test_a_whole_artwork_family_is_on_one_side(name: str, held_out: bool) -> None:
    assert is_held_out_art(name) is held_out


@pytest.mark.parametrize(
    ("row", "part"),
    [
        ({"image": "photos/shop-tiles/141.jpg"}, "test-set"),
        ({"image": "photos/shop-tiles/183.jpg"}, "train"),
        ({"dataset": "riichi-parlour", "original": "mahjon_image91_jpg"}, "test-set"),
        ({"dataset": "hk-taiwan", "original": "F7531494-6915-417C_jpeg"}, "test-set"),
        ({"dataset": "hk-taiwan", "original": "IMG_1755-HEIC_jpg"}, "test-set"),
        ({"dataset": "hk-taiwan", "original": "home-mj-IMG_3176_png"}, "train"),
        (
            {"dataset": "hk-taiwan", "original": "Screenshot-2024-09-23-at-4-36-21-PM_png"},
            "test-set",
        ),
        (
            {"dataset": "hk-taiwan", "original": "Screenshot-2024-09-23-at-4-36-02-PM_png"},
            "train",
        ),
    ],
)
def test_parts_named_by_eye(row: dict[str, str], part: str) -> None:
    assert photo_part(row) == part


def test_whole_prefixes_of_tile_free_pictures_are_kept_out() -> None:
    assert no_tiles_part("data/no-tiles/med_003.jpg") == "test"
    assert no_tiles_part("cards_009.jpg") == "train"
    assert no_tiles_part("cards_001.jpg") == "check"
    assert no_tiles_part("chess_001.jpg") == "check"


def test_copies_stay_together_and_the_held_out_part_is_large_enough(shared_dir: Path) -> None:
    rows = [
        json.loads(line) for line in (shared_dir / "data" / "photos.jsonl").read_text().splitlines()
    ]
    parts: dict[str, set[str]] = {}
    labels = {"train": 0, "test-original": 0, "test-set": 0}
    for row in rows:
        parts.setdefault(row["original"], set()).add(photo_part(row))
        labels[photo_part(row)] += len(row["boxes"])
    assert all(len(part) == 1 for part in parts.values())
    assert labels["test-original"] > 1000
    assert labels["test-set"] > 3500
    assert labels["train"] > 0.7 * sum(labels.values())
    names = [path.name for path in (shared_dir / "data" / "no-tiles").iterdir()]
    assert sum(no_tiles_part(name) == "test" for name in names) >= 80
