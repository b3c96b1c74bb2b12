"""The bundled sample through the real models: every tile and every group right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.decode import decode_file
from vision.measure.match import match_quads, same_direction
from vision.models import check
from vision.reader import Reader
from vision.render.sample import sample
from vision.seen import Reading

SAMPLE = Path(__file__).resolve().parents[2] / "companion" / "web" / "static" / "sample.jpg"


@pytest.fixture(scope="module")
def reading() -> Reading:
    return Reader().read(decode_file(SAMPLE))


def test_the_models_are_those_of_the_manifest_and_small() -> None:
    states = check()
    assert not [state.problem for state in states if state.problem]
    assert sum(state.path.stat().st_size for state in states) <= 8_000_000


def test_every_tile_of_the_sample_is_found_named_and_the_right_way_up(reading: Reading) -> None:
    _, truth = sample()
    quads = np.array([tile.quad_px for tile in reading.tiles])
    true_quads = np.array([tile["quad"] for tile in truth])
    found, _ = match_quads(quads, true_quads)
    assert len(reading.tiles) == len(truth)
    assert [reading.tiles[i].tile for i in found] == [tile["tile"] for tile in truth]
    assert all(same_direction(quads[i], true) for i, true in zip(found, true_quads, strict=True))


def test_the_sample_is_grouped_as_it_was_laid(reading: Reading) -> None:
    groups = [(each.kind, [reading.tiles[i].tile for i in each.tiles]) for each in reading.groups]
    assert groups == [
        ("hand", ["1p", "2p", "3p", "1s", "2s", "3s", "2m", "3m", "7m", "7m"]),
        ("meld", ["5m", "6m", "7m"]),
        ("bonus", ["2f", "2g"]),
        ("single", ["4m"]),
    ]
