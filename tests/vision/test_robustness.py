import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.measure.plot import panels
from vision.measure.robustness import ORDEALS, Ordeal, curves
from vision.seen import Reading, SeenTile

CARD = np.random.default_rng(3).integers(60, 200, (120, 160, 3)).astype(np.uint8)


@pytest.mark.parametrize("ordeal", ORDEALS, ids=lambda ordeal: ordeal.name)
def test_the_first_strength_changes_nothing_and_the_last_the_most(ordeal: Ordeal) -> None:
    def apply(strength: float) -> np.ndarray:
        return ordeal.apply(CARD, strength, np.random.default_rng(1))

    none, most = apply(ordeal.strengths[0]), apply(ordeal.strengths[-1])
    assert most.dtype == np.uint8
    if not ordeal.moves:
        assert np.array_equal(none, CARD)
        middle = apply(ordeal.strengths[len(ordeal.strengths) // 2])
        change = [np.abs(worse.astype(int) - CARD).mean() for worse in (none, middle, most)]
        assert change == sorted(change)


def test_labels_move_with_the_picture(tmp_path: Path) -> None:
    """A reader that finds the one red thing reads it at every angle and size."""
    image = np.full((200, 300, 3), 90, np.uint8)
    image[60:100, 40:70] = (0, 0, 255)
    cv2.imwrite(str(tmp_path / "a.png"), image)
    row = {
        "image": "a.png",
        "dataset": "riichi-parlour",
        "original": "mahjon_image91_jpg",
        "boxes": [{"tile": "1m", "xyxy": [40, 60, 70, 100]}],
    }
    (tmp_path / "photos.jsonl").write_text(json.dumps(row))

    def read(image: np.ndarray) -> Reading:
        red = (image[:, :, 2].astype(int) - image[:, :, 0] > 90).astype(np.uint8)
        quad = cv2.boxPoints(cv2.minAreaRect(np.argwhere(red)[:, ::-1].astype(np.float32)))
        seen = SeenTile("1m", 0.9, tuple((float(x), float(y)) for x, y in quad))
        return Reading(image.shape[1], image.shape[0], (seen,), ())

    moving = [ordeal for ordeal in ORDEALS if ordeal.moves]
    found = curves(read, tmp_path, 1, moving)
    assert set(found) == {"turning", "small size"}
    assert all(share == 1 for points in found.values() for _, share in points)


def test_a_panel_for_each_curve() -> None:
    picture = panels(
        {"a": [(0, 1.0), (1, 0.2)], "b": [(0, 0.5)]}, {"a": "px", "b": "px"}, columns=2
    )
    assert picture.shape[1] == 2 * panels({"a": [(0, 1.0)]}, {"a": "px"}, columns=1).shape[1]
    assert (picture != 255).any()
