"""Pictures to time the reader on: tables laid with the project's own tiles, as a camera right above sees them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import FACES

Image = NDArray[np.uint8]

_ART: Final = Path(__file__).resolve().parent.parent / "render" / "own"
_CLOTH: Final = (78, 104, 52)
_IVORY: Final = (225, 238, 242)
_EDGE: Final = (150, 165, 170)

Place = tuple[float, float, int]
"""Centre x and y in tile widths, and quarter turns clockwise."""


def table(width: int, height: int, tiles: int, seed: int = 1) -> Image:
    """A picture of a table.

    Args:
        width: of the picture in pixels.
        height: of the picture in pixels.
        tiles: 14 (one hand), 40 (a hand and a pool of discards) or 100 (four hands and four rivers).
        seed: chooses the faces and the noise.

    Returns:
        (height, width, 3) uint8.

    Raises:
        ValueError: for another number of tiles.
    """
    layouts = {14: _hand, 40: _hand_and_pool, 100: _four_players}
    if tiles not in layouts:
        raise ValueError(f"there are tables of {sorted(layouts)} tiles, not of {tiles}")
    rng = np.random.default_rng(seed)
    places, across, down = layouts[tiles]()
    unit = min(width / across, height / down)
    out = np.full((height, width, 3), _CLOTH, np.uint8)
    deck = rng.permutation([label for label in FACES[:34] for _ in range(4)])
    for (x, y, turns), label in zip(places, deck, strict=False):
        face = np.rot90(_tile(str(label), unit), -turns)
        left = round(width / 2 + x * unit - face.shape[1] / 2)
        top = round(height / 2 + y * unit - face.shape[0] / 2)
        shadow = max(1, round(unit * 0.06))
        out[
            top + shadow : top + face.shape[0] + shadow,
            left + shadow : left + face.shape[1] + shadow,
        ] //= 2
        out[top : top + face.shape[0], left : left + face.shape[1]] = face
    out = cv2.GaussianBlur(out, (0, 0), 0.6).astype(np.uint8, copy=False)
    noise = rng.normal(0, 3, (height, width, 1)).astype(np.int16)
    return np.clip(out + noise, 0, 255).astype(np.uint8)


def _tile(label: str, unit: float) -> Image:
    width, height = max(8, round(unit * 0.97)), max(11, round(unit * 1.3))
    art = cv2.imread(str(_ART / f"{label}.png"), cv2.IMREAD_UNCHANGED)
    if art is None:
        raise FileNotFoundError(_ART / f"{label}.png")
    rim = max(1, round(unit * 0.05))
    inner = (width - 2 * rim, height - 2 * rim)
    art = cv2.resize(art, inner, interpolation=cv2.INTER_AREA).astype(np.float32)
    alpha = art[:, :, 3:] / 255
    out = np.full((height, width, 3), _EDGE, np.uint8)
    out[1:-1, 1:-1] = _IVORY
    out[rim:-rim, rim:-rim] = art[:, :, :3] * alpha + np.array(_IVORY, np.float32) * (1 - alpha)
    return out


def _row(count: int, x: float, y: float, turns: int = 0) -> list[Place]:
    """A row centred on (x, y), one tile after the other along its own left to right."""
    step = [(1, 0), (0, 1), (-1, 0), (0, -1)][turns]
    offsets = np.arange(count) - (count - 1) / 2
    return [(x + step[0] * k, y + step[1] * k, turns) for k in offsets]


def _hand() -> tuple[list[Place], float, float]:
    return _row(14, 0, 0), 16.5, 4


def _hand_and_pool() -> tuple[list[Place], float, float]:
    pool = [place for k in range(3) for place in _row(9, 0, -3.6 + 1.36 * k)]
    return [*_row(13, 0, 2.2), *pool], 16, 9


def _four_players() -> tuple[list[Place], float, float]:
    places: list[Place] = []
    for turns, (dx, dy) in enumerate([(0, 1), (-1, 0), (0, -1), (1, 0)]):
        places += _row(13, dx * 8.3, dy * 8.3, turns)
        for line in range(2):
            away = 3.6 + 1.36 * line
            places += _row(6, dx * away, dy * away, turns)
    return places, 19, 19
