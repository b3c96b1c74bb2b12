"""Bank crops from pools of renders: upright faces, backs, and quads that hold no whole face."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import BACK, INDEX, NOT
from vision.rectify import rectify, side_lengths
from vision.training.finder_pictures import Renders
from vision.training.namer_bank import Bank, Image
from vision.training.namer_canvas import BANK_MARGIN, BANK_SIZE
from vision.training.namer_synthesis import has_top

_SEEN: Final = 0.6
"""Tiles covered more than that are not asked of the reader, so they teach nothing but guessing."""


def pool_bank(
    pools: Sequence[Path], keep_set: Callable[[str], bool], rng: np.random.Generator, limit: int
) -> Bank:
    """Cut tiles and misses out of pools of renders.

    Args:
        pools: folders of ``NNNNN.jpg`` and ``NNNNN.json``.
        keep_set: pictures with a tile of any other design are left out.
        rng: chooses pictures, if there are too many, and misses.
        limit: stop after this many crops.

    Returns:
        Upright faces, backs, and ``not``: jokers and quads that hit no tile or only part of one.
    """
    bank = Bank()
    files = Renders(pools, "train").paths
    for i in rng.permutation(len(files)):
        if len(bank) >= limit:
            break
        scene = json.loads(files[i].read_text(encoding="utf-8"))
        tiles = scene["tiles"]
        if not all(keep_set(tile.get("set", "")) for tile in tiles):
            continue
        image = cv2.imread(str(files[i].with_suffix(".jpg")), cv2.IMREAD_COLOR)
        if image is None:
            continue
        for tile in tiles:
            if tile["visible"] >= _SEEN and tile["px"] >= 11:
                quad = np.array([tile["quad"]], np.float32)
                label = BACK if not tile["up"] else tile["tile"] if tile["tile"] in INDEX else NOT
                crop = rectify(image, quad, BANK_SIZE, BANK_MARGIN, roll=label == BACK)[0][0]
                if label == BACK and _is_white(crop):
                    continue
                bank.add(crop, INDEX[label], has_top(label), float(tile["px"]))
        for quad in _misses(tiles, image.shape, rng):
            crop = rectify(image, quad[None], BANK_SIZE, BANK_MARGIN)[0][0]
            bank.add(crop, INDEX[NOT], False, float(min(side_lengths(quad[None]))[0]))
    return bank


def _is_white(crop: Image) -> bool:
    """Whether the middle of a crop is bright and nearly grey.

    Backs are coloured, some of them pale; where light has washed the colour out altogether, a back cannot be told from
    a blank dragon, and a white tile is a dragon far more often.
    """
    h, w = crop.shape[:2]
    middle = crop[h * 3 // 10 : h * 7 // 10, w * 3 // 10 : w * 7 // 10].reshape(-1, 3).mean(0)
    return bool(middle.max() > 150 and middle.max() - middle.min() < 0.13 * middle.max())


def _misses(
    tiles: Sequence[dict[str, Any]], shape: tuple[int, ...], rng: np.random.Generator
) -> list[NDArray[np.float32]]:
    """Quads near and between tiles that hold no whole face: half a tile off, flanks beside tiles, anywhere else."""
    if not tiles:
        return []
    quads = np.array([tile["quad"] for tile in tiles], np.float32)
    centres = quads.mean(1)
    misses = []
    for _ in range(max(2, len(tiles) // 6)):
        quad = quads[int(rng.integers(len(quads)))]
        centre = quad.mean(0)
        if rng.random() < 0.6:
            shifted = quad + rng.uniform(-0.9, 0.9, 2).astype(np.float32) * (
                quad.max(0) - quad.min(0)
            )
        else:
            shifted = (quad - centre) * np.float32(np.exp(rng.uniform(-0.7, 0.7)))
            shifted = shifted + rng.uniform([0, 0], [shape[1], shape[0]]).astype(np.float32)
        size = np.sqrt(np.abs(cv2.contourArea(shifted)))
        nearest = np.linalg.norm(centres - shifted.mean(0), axis=1).min()
        if nearest > 0.36 * size:
            misses.append(shifted.astype(np.float32))
    return misses
