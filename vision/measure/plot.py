"""A few curves in one picture, drawn with OpenCV: no plotting library for one chart a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

_INK = (60, 50, 45)
_GRID = (225, 222, 218)
_CURVE = (150, 90, 20)
_PANEL = (400, 270)
_BOX = (56, 38, 376, 220)
"""Left, top, right and bottom of a panel's chart in pixels."""


def panels(
    curves: Mapping[str, Sequence[tuple[float, float]]], units: Mapping[str, str], columns: int = 4
) -> Image:
    """One panel a curve: strengths evenly spaced from none to hopeless, shares from 0 to 100 %.

    Args:
        curves: title -> (strength, share) in the order they are drawn.
        units: title -> what the strength counts.
        columns: panels side by side.

    Returns:
        (H, W, 3) uint8, blue green red.
    """
    drawn = [_panel(title, points, units[title]) for title, points in curves.items()]
    while len(drawn) % columns:
        drawn.append(np.full((_PANEL[1], _PANEL[0], 3), 255, np.uint8))
    rows = [np.hstack(drawn[k : k + columns]) for k in range(0, len(drawn), columns)]
    return np.vstack(rows)


def _panel(title: str, points: Sequence[tuple[float, float]], unit: str) -> Image:
    out = np.full((_PANEL[1], _PANEL[0], 3), 255, np.uint8)
    left, top, right, bottom = _BOX
    for percent in (0, 25, 50, 75, 100):
        y = round(bottom - (bottom - top) * percent / 100)
        cv2.line(out, (left, y), (right, y), _GRID, 1)
        _write(out, f"{percent}%", (8, y + 4), 0.4)
    step = (right - left) / max(len(points) - 1, 1)
    at = [
        (round(left + step * k), round(bottom - (bottom - top) * share))
        for k, (_, share) in enumerate(points)
    ]
    cv2.polylines(out, [np.array(at, np.int32)], False, _CURVE, 2, cv2.LINE_AA)
    for (x, y), (strength, share) in zip(at, points, strict=True):
        cv2.circle(out, (x, y), 4, _CURVE, -1, cv2.LINE_AA)
        _write(out, f"{100 * share:.0f}", (x - 8, y - 8 if y > top + 12 else y + 18), 0.4)
        _write(out, f"{strength:g}", (x - 9, bottom + 16), 0.4)
    _write(out, title, (left, 22), 0.55)
    _write(out, unit, (left, bottom + 36), 0.42)
    return out


def _write(out: Image, text: str, at: tuple[int, int], scale: float) -> None:
    cv2.putText(out, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, _INK, 1, cv2.LINE_AA)
