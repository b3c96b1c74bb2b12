"""The bundled sample: the worked example's hand, all of it in view, and the file as the script makes it."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest
from conftest import CHECKOUT

from vision.render.art import OWN_FACES, FaceLibrary
from vision.render.faces import plain_design
from vision.render.sample import LaidHand, lay_hand, render_hand, sample


def test_the_sample_holds_the_worked_example() -> None:
    image, tiles = sample()
    assert image.shape == (1000, 1600, 3)
    assert Counter(tile["tile"] for tile in tiles) == Counter(
        [
            "1p",
            "2p",
            "3p",
            "1s",
            "2s",
            "3s",
            "2m",
            "3m",
            "7m",
            "7m",
            "4m",
            "5m",
            "6m",
            "7m",
            "2f",
            "2g",
        ]
    )
    for tile in tiles:
        assert tile["visible"] > 0.9
        assert ((np.array(tile["quad"]) > 0) & (np.array(tile["quad"]) < [1600, 1000])).all()


def test_the_bundled_file_is_what_the_script_makes() -> None:
    file = CHECKOUT / "companion" / "web" / "static" / "sample.jpg"
    bundled = cv2.imread(str(file))
    image, _ = sample()
    assert bundled is not None, f"run scripts/render.py --sample {file.relative_to(CHECKOUT)}"
    difference = np.abs(bundled.astype(int) - image)
    assert difference.mean() < 4, "the sample is stale: run scripts/render.py --sample again"


def test_groups_lie_apart_and_claimed_tiles_sideways() -> None:
    hand = LaidHand(("1m", "1m"), "5p", (("2s", "3s", "4s"),), (("7z", "7z", "7z", "7z"),), ("1f",))
    laid = lay_hand(hand, (26.0, 35.0, 20.0), np.random.default_rng(0))
    at = {code: pose for code, pose in laid.tiles if code != "7z"}
    assert abs(at["2s"].rotation[0, 1]) == pytest.approx(1, abs=0.05), "sideways"
    assert abs(at["3s"].rotation[0, 1]) < 0.05
    assert at["1f"].centre_mm[1] > at["1m"].centre_mm[1] + 40
    gap = at["5p"].centre_mm[0] - at["1m"].centre_mm[0]
    assert gap > 1.5 * 26
    kong = [pose.rotation[2, 2] > 0 for code, pose in laid.tiles if code == "7z"]
    assert kong == [False, True, True, False]


def test_face_down_members_read_as_backs() -> None:
    hand = LaidHand(("1m",) * 2, kongs=(("7z",) * 4,))
    drawn = render_hand(hand, plain_design(FaceLibrary(OWN_FACES), "own"), 1, (640, 400))
    assert Counter(face.code for face in drawn.faces) == {"1m": 2, "7z": 2, "back": 2}
