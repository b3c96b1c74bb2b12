"""Which find answers to which label, and whether confidences mean what they say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.maps import Floats
from vision.maps import iou as quad_iou

LEAST_IOU = 0.5
"""A label counts as found by a find that overlaps it at least so much."""


def bounds(quads_px: NDArray[np.floating]) -> Floats:
    """(N, 4) left, top, right, bottom of (N, 4, 2) quads."""
    q = np.asarray(quads_px, np.float32).reshape(-1, 4, 2)
    return np.concatenate([q.min(axis=1), q.max(axis=1)], axis=1)


def box_iou(a: NDArray[np.floating], b: NDArray[np.floating]) -> Floats:
    """(N, M) intersection over union of upright boxes (N, 4) and (M, 4)."""
    a, b = np.asarray(a, np.float32).reshape(-1, 1, 4), np.asarray(b, np.float32).reshape(1, -1, 4)
    sides = np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2])
    common = np.prod(np.maximum(sides, 0), axis=-1)
    areas = [np.prod(np.maximum(x[..., 2:] - x[..., :2], 0), axis=-1) for x in (a, b)]
    return (common / np.maximum(areas[0] + areas[1] - common, 1e-6)).astype(np.float32)


def assign(overlaps: NDArray[np.floating], least: float = LEAST_IOU) -> NDArray[np.intp]:
    """One find for each label at most and the other way round, the best pairs first.

    Args:
        overlaps: (finds, labels) of IoU.
        least: pairs below it do not count.

    Returns:
        (labels,) the find of each label, or -1.
    """
    overlaps = np.array(overlaps, np.float32)
    found = np.full(overlaps.shape[1], -1, np.intp)
    while overlaps.size and overlaps.max() >= least:
        find, label = np.unravel_index(overlaps.argmax(), overlaps.shape)
        found[label] = find
        overlaps[find], overlaps[:, label] = -1, -1
    return found


def match_boxes(
    quads_px: NDArray[np.floating], boxes: NDArray[np.floating], strict: bool = False
) -> NDArray[np.intp]:
    """The find of each upright label box: photographs have no better labels.

    Boxes of tiles that lie askew are often drawn around the print. The upright bounds of a tile turned by 45 degrees
    then have twice the box's area, though both have the same middle; its quad still shares two thirds with the box.

    Args:
        quads_px: (N, 4, 2) finds.
        boxes: (M, 4) left, top, right, bottom.
        strict: compare the boxes with the finds' upright bounds alone, not with the quads themselves too.

    Returns:
        (M,) the find of each box, or -1.
    """
    overlaps = box_iou(bounds(quads_px), boxes)
    if not strict:
        quads = np.asarray(quads_px, np.float32).reshape(-1, 4, 2)
        for find, label in np.argwhere(overlaps > 0.2):
            x0, y0, x1, y1 = boxes[label]
            box = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
            overlaps[find, label] = max(overlaps[find, label], quad_iou(quads[find], box))
    return assign(overlaps)


def match_quads(
    quads_px: NDArray[np.floating], truth_px: NDArray[np.floating]
) -> tuple[NDArray[np.intp], Floats]:
    """The find of each true quad by exact IoU, and the (finds, labels) overlaps."""
    found = np.asarray(quads_px, np.float32).reshape(-1, 4, 2)
    truth = np.asarray(truth_px, np.float32).reshape(-1, 4, 2)
    overlaps = np.zeros((len(found), len(truth)), np.float32)
    for find, label in np.argwhere(box_iou(bounds(found), bounds(truth)) > 0.1):
        overlaps[find, label] = quad_iou(found[find], truth[label])
    return assign(overlaps), overlaps


def calibration_error(confidence: Sequence[float], right: Sequence[bool], bins: int = 15) -> float:
    """Expected calibration error: mean gap between confidence and accuracy over equal bins (Guo et al. 2017)."""
    if not len(confidence):
        return 0.0
    sure, good = np.asarray(confidence, np.float64), np.asarray(right, np.float64)
    at = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = [
        abs(sure[at == k].mean() - good[at == k].mean()) * (at == k).sum() for k in np.unique(at)
    ]
    return float(sum(gaps) / len(sure))


def corner_error(quad: NDArray[np.floating], truth: NDArray[np.floating]) -> float:
    """Mean distance of corners over the true short side, in the corner order that fits best."""
    q, t = np.asarray(quad, np.float64), np.asarray(truth, np.float64)
    distance = min(np.hypot(*(np.roll(q, k, axis=0) - t).T).mean() for k in range(4))
    short = min(np.hypot(*(t[1] - t[0])), np.hypot(*(t[2] - t[1])))
    return float(distance / max(short, 1e-6))


def same_direction(quad: NDArray[np.floating], truth: NDArray[np.floating]) -> bool:
    """Whether the quad starts at the true face's top left: its top side points within 45 degrees of the true one."""
    q, t = np.asarray(quad, np.float64), np.asarray(truth, np.float64)
    a, b = q[1] - q[0], t[1] - t[0]
    return bool(a @ b > np.cos(np.pi / 4) * max(np.hypot(*a) * np.hypot(*b), 1e-9))
