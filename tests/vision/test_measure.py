import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.measure.match import (
    assign,
    box_iou,
    calibration_error,
    corner_error,
    match_boxes,
    match_quads,
    same_direction,
)
from vision.measure.photos import Tally, count_false_finds, score_photos
from vision.measure.renders import RenderScore
from vision.measure.tables import as_text
from vision.seen import Reading, SeenTile


def quad(x: float, y: float, w: float = 30, h: float = 40) -> np.ndarray:
    return np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)


def reading(*tiles: tuple[str, np.ndarray]) -> Reading:
    seen = tuple(
        SeenTile(name, 0.9, tuple((float(x), float(y)) for x, y in q)) for name, q in tiles
    )
    return Reading(640, 480, seen, ())


def test_box_iou() -> None:
    assert box_iou([[0, 0, 10, 10]], [[0, 0, 10, 10], [5, 0, 15, 10], [20, 20, 30, 30]])[
        0
    ] == pytest.approx([1, 1 / 3, 0])


def test_each_label_and_each_find_is_used_once_the_best_pairs_first() -> None:
    overlaps = np.array([[0.9, 0.8, 0.0], [0.7, 0.0, 0.4]])
    assert assign(overlaps).tolist() == [0, -1, -1], "the second find overlaps best what is taken"
    assert assign(np.zeros((0, 2))).tolist() == [-1, -1]
    assert match_boxes(quad(0, 0)[None], np.array([[0, 0, 30, 40]])).tolist() == [0]


def test_a_box_around_the_print_of_an_askew_tile_is_answered_by_its_quad() -> None:
    diamond = np.array([[[50, 15], [76, 41], [41, 76], [15, 50]]], np.float32) + np.float32(2.5)
    print_alone = np.array([[28, 28, 68, 68]], np.float32)
    assert match_boxes(diamond, print_alone, strict=True).tolist() == [-1]
    assert match_boxes(diamond, print_alone).tolist() == [0]
    elsewhere = print_alone + 25
    assert match_boxes(diamond, elsewhere).tolist() == [-1]


def test_quads_are_matched_by_exact_overlap() -> None:
    turned = np.array([[20, 0], [40, 20], [20, 40], [0, 20]], np.float32)
    matches, overlaps = match_quads(turned[None], np.array([quad(0, 0, 40, 40), turned]))
    assert matches.tolist() == [-1, 0]
    assert overlaps[0] == pytest.approx([0.5, 1.0], abs=0.01)


def test_calibration_error() -> None:
    assert calibration_error([0.9] * 10, [True] * 9 + [False]) == pytest.approx(0)
    assert calibration_error([1.0] * 10, [True] * 5 + [False] * 5) == pytest.approx(0.5)
    assert calibration_error([], []) == 0


def test_corner_error_and_direction() -> None:
    truth = quad(100, 100)
    assert corner_error(np.roll(truth, 2, axis=0) + [3, 0], truth) == pytest.approx(0.1)
    assert same_direction(truth + 2, truth)
    assert not same_direction(np.roll(truth, 2, axis=0), truth)


def test_a_tally_counts_red_fives_as_fives_and_exact_images() -> None:
    tally = Tally()
    tally.add(["5m", "1z"], [("0m", 0.9), ("1z", 0.8)])
    tally.add(["7p", "3p"], [("3p", 0.6), None])
    out = tally.to_json()
    assert (out["found"], out["right_of_labels"], out["right_of_found"]) == (0.75, 0.5, 0.6667)
    assert out["exact_images"] == 0.5
    assert sorted(out["confusion"]) == [["3p", "missed", 1], ["7p", "3p", 1]]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two photographs, of which the first is held out, and three tile-free pictures."""
    (tmp_path / "no-tiles").mkdir()
    blank = np.zeros((60, 80, 3), np.uint8)
    for name in (
        "a.png",
        "b.png",
        "no-tiles/med_1.png",
        "no-tiles/med_2.png",
        "no-tiles/cards_1.png",
    ):
        cv2.imwrite(str(tmp_path / name), blank)
    boxes = [
        {"tile": "1m", "xyxy": [0, 0, 30, 40]},
        {"tile": "1f", "xyxy": [40, 0, 50, 10], "caption_only": True},
    ]
    rows = [
        {
            "image": "a.png",
            "dataset": "riichi-parlour",
            "original": "mahjon_image91_jpg",
            "boxes": boxes,
        },
        {
            "image": "b.png",
            "dataset": "hk-taiwan",
            "original": "home-mj-IMG_3176_png",
            "boxes": boxes,
        },
    ]
    (tmp_path / "photos.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    return tmp_path


def test_only_the_part_asked_for_is_read_and_captions_are_left_out(data: Path) -> None:
    def read(_image: np.ndarray) -> Reading:
        return reading(("2m", quad(1, 0)))

    held_out = score_photos(read, data, "held-out").to_json()
    assert held_out["total"]["labels"] == 1
    assert held_out["by_part"]["riichi-parlour test-set"]["confusion"] == [["1m", "2m", 1]]
    assert held_out["worst_images"] == [[1, 1, "a.png"]]
    assert score_photos(read, data, "all").to_json()["total"]["labels"] == 2
    false = count_false_finds(read, data, "held-out")
    assert (false["images"], false["false_finds"], false["by_prefix"]) == (2, 2, {"med": [2, 2]})
    text = as_text({"part": "held-out", "photos": held_out, "tile_free": false})
    assert "riichi-parlour test-set" in text
    assert "1m -> 2m: 1" in text


def entry(tile: str, q: np.ndarray, visible: float = 1.0) -> dict[str, object]:
    return {"tile": tile, "quad": q.tolist(), "visible": visible, "set": "own"}


def test_only_tiles_of_the_size_that_is_asked_about_count() -> None:
    truth = [entry("1m", quad(0, 0)), entry("2m", quad(100, 0) * 3)]
    read = reading(("1m", quad(0, 0)), ("3m", quad(100, 0) * 3), ("4m", quad(700, 700)))
    score = RenderScore(short_px=(20.0, 40.0))
    score.add(read, truth)
    out = score.to_json()
    assert (out["tiles"], out["right_of_tiles"], out["exact_images"]) == (1, 1.0, 1.0)
    assert out["false_share"] == pytest.approx(1 / 3, abs=1e-4)


def test_renders_are_judged_by_everything_their_truth_says() -> None:
    score = RenderScore()
    truth = [
        entry("0m", quad(0, 0)),
        entry("5m", quad(50, 0)),
        entry("back", quad(100, 0)),
        entry("7z", quad(150, 0)),
        entry("1s", quad(200, 0), visible=0.4),
        entry("?", quad(250, 0)),
        entry("3m", quad(300, 0)),
    ]
    read = reading(
        ("0m", quad(0, 0)),
        ("0m", quad(50, 0)),
        ("5z", quad(100, 0)),
        ("7z", np.roll(quad(150, 0), 2, axis=0)),
        ("1s", quad(200, 0)),  # hardly visible: neither asked for nor wrong
        ("4m", quad(400, 300)),  # nothing there
    )
    score.add(read, truth)
    out = score.to_json()
    assert (out["tiles"], out["recall_50"]) == (5, 0.8)
    assert (out["red_five_right"], out["plain_five_right"]) == (1.0, 0.0)
    assert (out["back_right"], out["face_right"]) == (0.0, 1.0)
    assert out["direction_right"] == pytest.approx(2 / 3, abs=1e-4)
    assert out["false_share"] == pytest.approx(1 / 6, abs=1e-4)
    assert ["3m", "missed", 1] in out["confusion"]
    assert out["corner_error_median"] == 0
    assert out["by_design"] == {"own": [5, 0.4]}
    assert (out["faces_found"], out["backs_found"]) == (0.75, 1.0)
    assert "red five told" in as_text({"part": "held-out", "renders": {"general": out}})
