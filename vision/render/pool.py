"""Folders of rendered photographs with their truth: ``NNNNN.jpg`` and ``NNNNN.json``.

The JSON holds ``width, height, seed, kind`` and ``tiles``: per visible face or back ``quad`` (four
[x, y] pixels clockwise from the face's own top left corner), ``tile`` (MPSZ, ``back``, or ``?`` for a
face outside the notation), ``up``, ``standing``, ``visible`` (share not covered and inside the frame; at
most 0.5 when seen at less than 17 degrees), ``px`` (short side) and ``set``.
"""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.art import OWN_FACES, FaceLibrary
from vision.render.chances import KINDS, Chances
from vision.render.compose import Composer
from vision.render.degrade import Faults, degrade
from vision.render.scene import SeenFace, render

Image = NDArray[np.uint8]

QUALITY: Final = 95
"""JPEG quality of the files: the losses that matter were made on purpose before."""


@dataclass(frozen=True)
class PoolPlan:
    """What a pool is made of.

    Attributes:
        art: folder of face sets; the project's own drawings count as one more, ``own``.
        photos: tile-free photographs.
        families: names of the sets that may be used.
        seed: equal seeds give equal files, whatever the count and the number of workers.
        tile_px: bounds of the tiles' short side in pixels, or None.
        kinds: the round of scene kinds.
    """

    art: Path
    photos: tuple[Path, ...]
    families: frozenset[str]
    seed: int
    tile_px: tuple[float, float] | None = None
    kinds: tuple[str, ...] = KINDS


def photograph(
    composer: Composer,
    kind: str,
    rng: np.random.Generator,
    tile_px: tuple[float, float] | None = None,
    chances: Chances | None = None,
) -> tuple[Image, list[dict[str, Any]]]:
    """A random picture of a kind and the truth of its tiles, as in the pool's JSON."""
    chances = chances or Chances()
    scene = composer.compose(kind, rng, tile_px)
    drawn = render(scene)
    quads = np.array([face.quad_px for face in drawn.faces]).reshape(-1, 4, 2)
    shorts = [face.short_px for face in drawn.faces] or [40.0]
    image, quads = degrade(drawn.image, quads, rng, float(np.percentile(shorts, 25)), Faults())
    height, width = image.shape[:2]
    if rng.random() < (0.6 if width > 2 * height else chances.letterbox):
        image, quads = letterbox(image, quads, rng)
    return image, truth_of(drawn.faces, list(quads))


def truth_of(
    faces: Sequence[SeenFace], quads_px: Sequence[NDArray[np.float64]]
) -> list[dict[str, Any]]:
    """The JSON entries of faces whose (4, 2) corners ended at ``quads_px``."""
    tiles = []
    for face, quad in zip(faces, quads_px, strict=True):
        sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
        tiles.append(
            {
                "quad": [[round(float(x), 2), round(float(y), 2)] for x, y in quad],
                "tile": face.code,
                "up": face.up,
                "standing": face.standing,
                "visible": round(face.visible, 3),
                "px": round(float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2), 1),
                "set": face.set_name,
            }
        )
    return tiles


def letterbox(
    image: Image, quads_px: NDArray[np.float64], rng: np.random.Generator
) -> tuple[Image, NDArray[np.float64]]:
    """Set a picture in black bars to a square, as video stills are passed around."""
    height, width = image.shape[:2]
    side = max(height, width)
    x, y = (side - width) // 2, (side - height) // 2
    square = np.full((side, side, 3), int(rng.choice([0, 0, 0, 114])), np.uint8)
    square[y : y + height, x : x + width] = image
    return square, quads_px + [x, y]


def write_pool(
    plan: PoolPlan,
    out: Path,
    count: int,
    start: int = 0,
    workers: int = 1,
    progress: Callable[[int], None] = lambda _done: None,
) -> None:
    """Write pictures ``start`` .. ``start + count - 1`` of a pool.

    Raises:
        FileNotFoundError: no artwork in ``plan.art`` belongs to ``plan.families``.
        OSError: ``out`` can't be written.
    """
    _library(plan)  # say so before any worker starts
    out.mkdir(parents=True, exist_ok=True)
    indices = range(start, start + count)
    if workers <= 1:
        _prepare(plan)
        for done, index in enumerate(indices, 1):
            _write_one(plan, out, index)
            progress(done)
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(workers, _prepare, (plan,)) as pool:
        for done, _ in enumerate(pool.imap_unordered(partial(_write_one, plan, out), indices), 1):
            progress(done)


def save_jpeg(file: Path, image: Image, quality: int) -> None:
    """Write a picture.

    Raises:
        OSError: the file can't be written (OpenCV's own writer would only return False).
    """
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise OSError(f"{file}: the picture can't be encoded as JPEG")
    file.write_bytes(data.tobytes())


_composers: dict[int, Composer] = {}
"""One composer a process, so that artwork is read once."""


def _prepare(plan: PoolPlan) -> None:
    cv2.setNumThreads(1)
    _composers[0] = Composer(_library(plan), plan.photos)


def _library(plan: PoolPlan) -> FaceLibrary:
    return FaceLibrary(plan.art, plan.families.__contains__, [OWN_FACES])


def _write_one(plan: PoolPlan, out: Path, index: int) -> None:
    rng = np.random.default_rng([plan.seed, index])
    kind = plan.kinds[index % len(plan.kinds)]
    image, tiles = photograph(_composers[0], kind, rng, plan.tile_px)
    stem = out / f"{index:05d}"
    save_jpeg(stem.with_suffix(".jpg"), image, QUALITY)
    record = {
        "width": image.shape[1],
        "height": image.shape[0],
        "seed": plan.seed,
        "kind": kind,
        "tiles": tiles,
    }
    stem.with_suffix(".json").write_text(json.dumps(record), encoding="utf-8")


def tile_free(folder: Path, keep: Callable[[str], bool]) -> tuple[Path, ...]:
    """Tile-free photographs whose file name may be used."""
    files: Sequence[Path] = sorted(folder.glob("*.jpg"))
    return tuple(file for file in files if keep(file.name))
