"""How well the refiner puts finds right and tells tiles from the rest: on renders and on photographs without tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.finder import Finder
from vision.maps import Floats, describe, iou
from vision.refiner import Refiner
from vision.seen import Finds
from vision.training.desk import Numbered
from vision.training.finder_pictures import Picture
from vision.training.finder_score import Find, corner_error
from vision.training.finder_targets import TILE
from vision.training.refiner_errors import ErrorConfig, stray

SIZES = ((0.0, 20.0), (20.0, 40.0), (40.0, 80.0), (80.0, 1e9))
"""Ranges of the true short side in picture pixels."""


@dataclass
class StrayScore:
    """Errors of strayed quads before and after; corner errors as shares of the tile's short side."""

    corner: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    share: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    present: list[float] = field(default_factory=list)

    def line(self) -> str:
        """One line of figures, before > after."""
        if not self.present:
            return "no tiles"
        parts = [f"{len(self.present)} tiles"]
        for name, q in (("median", 0.5), ("90 %", 0.9)):
            parts.append(
                f"corner {name} {' > '.join(f'{np.quantile(e, q):.4f}' for e in self.corner)}"
            )
        for least in (0.75, 0.9):
            parts.append(
                f"IoU {least} {' > '.join(f'{np.mean(np.array(s) >= least):.4f}' for s in self.share)}"
            )
        parts.append(f"held for tiles {np.mean(np.array(self.present) >= 0.5):.4f}")
        return "  ".join(parts)


def score_strayed(
    refiner: Refiner, renders: Numbered[Picture], seed: int = 1, limit: int | None = None
) -> list[StrayScore]:
    """Stray from the true quads of renders as they are, and refine; one score for each of `SIZES`."""
    rng = np.random.default_rng(seed)
    scores = [StrayScore() for _ in SIZES]
    for index in range(min(len(renders), limit or len(renders))):
        picture = renders.load(index)
        true = picture.quads_px[picture.states == TILE]
        if not len(true):
            continue
        given = stray(true, rng, ErrorConfig())
        refined, present = refiner.refine(picture.image_bgr, given)
        short = _short(true)
        for i, quad in enumerate(true):
            at = next(k for k, (low, high) in enumerate(SIZES) if low <= short[i] < high)
            scores[at].present.append(float(present[i]))
            for k, answer in enumerate((given[i], refined[i])):
                scores[at].corner[k].append(corner_error(quad, answer)[0])
                scores[at].share[k].append(iou(quad, answer))
    return scores


def refined_finds(finder: Finder, refiner: Refiner, least: float) -> Find:
    """A finder whose finds are put right; those less likely to be tiles than ``least`` are left out."""

    def find(image_bgr: np.ndarray) -> Finds:
        finds = finder.find(image_bgr)
        quads, present = refiner.refine(image_bgr, finds.quads_px)
        return Finds(quads, finds.scores, finds.up)[present >= least]

    return find


def presence(
    finder: Finder, refiner: Refiner, pictures: Numbered[Picture], limit: int | None = None
) -> tuple[Floats, Floats]:
    """What the refiner says of finds that are tiles and of finds that are none; doubtful matches are left out.

    Args:
        finder: at a low threshold.
        refiner: to be measured.
        pictures: pictures of which every tile is known.
        limit: number of pictures at most.

    Returns:
        ``present`` of right finds and of wrong ones.
    """
    right, wrong = [], []
    for index in range(min(len(pictures), limit or len(pictures))):
        picture = pictures.load(index)
        finds = finder.find(picture.image_bgr)
        _, present = refiner.refine(picture.image_bgr, finds.quads_px)
        for quad, value in zip(finds.quads_px, present, strict=True):
            shares = [iou(quad, tile) for tile in picture.quads_px]
            best = int(np.argmax(shares)) if shares else -1
            if best < 0 or shares[best] < 0.1:
                wrong.append(float(value))
            elif shares[best] >= 0.5 and picture.states[best] == TILE:
                right.append(float(value))
    return np.array(right, np.float32), np.array(wrong, np.float32)


def area_under_curve(right: Floats, wrong: Floats) -> float:
    """Probability that a right find has more ``present`` than a wrong one."""
    if not len(right) or not len(wrong):
        return 1.0
    ranks = np.sort(wrong)
    below = np.searchsorted(ranks, right, "left") + np.searchsorted(ranks, right, "right")
    return float(below.mean() / 2 / len(wrong))


def presence_line(right: Floats, wrong: Floats, leasts: Sequence[float] = (0.1, 0.3, 0.5)) -> str:
    """One line of figures."""
    kept = "  ".join(
        f"from {least:g}: {np.mean(right >= least) if len(right) else 1:.4f} of right, "
        f"{np.mean(wrong >= least) if len(wrong) else 0:.4f} of wrong"
        for least in leasts
    )
    return f"{len(right)} right finds, {len(wrong)} wrong  AUC {area_under_curve(right, wrong):.4f}  {kept}"


def _short(quads_px: Floats) -> Floats:
    _, short, long = describe(quads_px)
    return np.minimum(np.hypot(*short.T), np.hypot(*long.T)).astype(np.float32)
