"""What the refiner learns from: finds as the finder errs, and what is no tile, cut from renders and photographs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.maps import Floats, describe, iou, rebuild
from vision.refiner import neighbourhoods
from vision.training.finder_crops import Spoiler
from vision.training.finder_pictures import SEEN_FROM, Picture
from vision.training.finder_targets import IGNORED, TILE
from vision.training.refiner_errors import ErrorConfig, stray
from vision.training.refiner_scenes import Scene

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class ViewConfig:
    """How a part of a picture is shown; shares are probabilities."""

    view_px: int = 512
    """Longest side of a part of a picture: some twenty tiles of the usual size."""
    typical_px: float = 30.0
    """The most frequent short side of a tile."""
    spread: float = 0.6
    """Standard deviation of its logarithm: two thirds lie between 16 and 55 px."""
    least_px: float = 10.0
    largest_px: float = 150.0
    enlarge: float = 2.2
    """Never enlarge a picture more: there is nothing to learn from blown-up pixels."""
    stretch: float = 0.4
    """Squeezed along the picture's axes, as collections do to photographs."""
    stretch_by: float = 0.3
    """Standard deviation of the logarithm of one side's factor against the other's."""
    perturbed: int = 3
    """Crops of one tile in a view at most."""
    most: int = 36
    """Crops of a view at most: beyond, a batch would look alike."""
    mined: int = 16
    """Crops of a view at most that show what the finder mistook: with half as many, most of them passed for tiles."""
    nothing: float = 0.35
    """Share of the crops that should show no tile, or a tile badly missed."""
    corners_from: float = 0.25
    """IoU of a strayed quad and its tile from which the corners are learned."""
    tile_from: float = 0.45
    """IoU from which the crop shows a tile."""
    nothing_below: float = 0.3
    """IoU with every tile below which it shows none; between the two nothing is said."""
    errors: ErrorConfig = field(default_factory=ErrorConfig)


@dataclass(frozen=True, slots=True, eq=False)
class Crops:
    """Crops and what is to be said of them.

    Attributes:
        pixels: (N, 64, 64, 3) uint8.
        corners: (N, 4, 2) float32, the true corners in units of the quad that was cut.
        known: (N,) float32, 1 where the corners are to be learned.
        present: (N,) float32: 1 a tile, 0 none, -1 nothing is said.
    """

    pixels: Pixels
    corners: Floats
    known: Floats
    present: Floats

    def __len__(self) -> int:
        return len(self.pixels)


def in_units(quads_px: Floats, true_px: Floats) -> Floats:
    """True corners in units of given quads, in the cyclic order that lies nearest to their corners.

    Args:
        quads_px: (N, 4, 2) parallelograms, clockwise.
        true_px: (N, 4, 2) true corners, clockwise.

    Returns:
        (N, 4, 2) float32; corner i belongs to corner i of the given quad.
    """
    if not len(quads_px):
        return np.zeros((0, 4, 2), np.float32)
    turned = np.stack([np.roll(true_px, k, axis=1) for k in range(4)])
    away = np.linalg.norm(turned - quads_px, axis=3).sum(axis=2)
    nearest = turned[away.argmin(axis=0), np.arange(len(quads_px))]
    axes = np.stack([quads_px[:, 1] - quads_px[:, 0], quads_px[:, 3] - quads_px[:, 0]], axis=2)
    offsets = (nearest - quads_px[:, :1]).transpose(0, 2, 1)
    return np.linalg.solve(axes.astype(np.float64), offsets).transpose(0, 2, 1).astype(np.float32)


def crops_of(
    scene: Scene, spoil: Spoiler, rng: np.random.Generator, config: ViewConfig
) -> Crops | None:
    """Crops of a part of a scene; None where it holds nothing to cut.

    Args:
        scene: a picture with what is known of it.
        spoil: what cameras do.
        rng: chance.
        config: see `ViewConfig`.
    """
    shown = view(scene, rng, config)
    picture = shown.picture
    quads, targets = _candidates(shown, rng, config)
    if not len(quads):
        return None
    image = spoil(picture.image_bgr, rng)
    share, nearest = _best(quads, picture.quads_px)
    states = np.append(picture.states, IGNORED)[nearest]
    ignored = (states == IGNORED) & (share > 0.05) & (nearest < len(picture.states))
    # A find made from a tile is that tile's, unless it strayed until a neighbour is more of it.
    own = ((targets < 0) | (targets == nearest)) & ~ignored
    tile = own & (share >= config.tile_from)
    known = own & (share >= config.corners_from) & (tile | (targets >= 0)) & shown.exact
    present = np.where(tile, 1.0, np.where((share < config.nothing_below) & ~known, 0.0, -1.0))
    present[ignored] = -1.0
    if not shown.searched:
        # Of a photograph only the labelled tiles are known: beside them may lie others.
        present[(present == 0) & (targets == -1)] = -1.0
    corners = np.tile(np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32), (len(quads), 1, 1))
    corners[known] = in_units(quads[known], picture.quads_px[nearest[known]])
    keep = known | (present >= 0)
    if not keep.any():
        return None
    return Crops(
        neighbourhoods(image, quads[keep]),
        corners[keep],
        known[keep].astype(np.float32),
        present[keep].astype(np.float32),
    )


def view(scene: Scene, rng: np.random.Generator, config: ViewConfig) -> Scene:
    """A part of the scene at another size, stretched, turned by quarters and mirrored."""
    picture = scene.picture
    height, width = picture.image_bgr.shape[:2]
    tiles = np.flatnonzero(picture.states == TILE)
    if len(tiles):
        focus, short = _tile_size(picture.quads_px[int(rng.choice(tiles))])
    elif len(scene.wrong):
        focus, short = _tile_size(scene.wrong[int(rng.integers(len(scene.wrong)))])
    else:
        focus, short = rng.uniform(0.1, 0.9, 2) * (width, height), max(height, width) / 16
    wanted = config.typical_px * np.exp(rng.normal(0, config.spread))
    wanted = float(np.clip(wanted, config.least_px, config.largest_px))
    scale = min(wanted / max(short, 1.0), config.enlarge)
    by = np.exp(rng.normal(0, config.stretch_by) / 2) if rng.random() < config.stretch else 1.0
    factors = np.array([scale * by, scale / by])
    # Large tiles need a larger part: the crop reaches beyond them.
    extent = np.maximum(config.view_px, 4 * wanted) / factors
    low = np.floor(np.clip(focus - extent * rng.uniform(0.3, 0.7, 2), 0, None)).astype(int)
    high = np.ceil(np.minimum(low + extent, (width, height))).astype(int)
    size = np.maximum(np.round((high - low) * factors), 8).astype(int)
    part = picture.image_bgr[low[1] : high[1], low[0] : high[0]]
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    image = np.asarray(cv2.resize(part, (int(size[0]), int(size[1])), interpolation=way), np.uint8)
    ratio = (size / (high - low)).astype(np.float32)
    quads = (picture.quads_px - low.astype(np.float32)) * ratio
    wrong = (scene.wrong - low.astype(np.float32)) * ratio
    quarter = int(rng.choice([0, 0, 0, 1, 2, 3]))
    mirror = bool(rng.random() < 0.5)
    image, quads, wrong = _turned(image, quads, wrong, quarter, mirror)
    extent_px = np.array(image.shape[1::-1])
    low_px, high_px = quads.min(axis=1), quads.max(axis=1)
    inside = np.all((low_px > -2) & (high_px < extent_px + 2), axis=1)
    touching = np.all((high_px > 0) & (low_px < extent_px), axis=1)
    states = np.where(inside, picture.states, IGNORED).astype(np.int8)
    return Scene(
        Picture(
            image,
            quads[touching],
            picture.up[touching],
            states[touching],
            picture.visible[touching],
            picture.plain[touching],
        ),
        scene.exact,
        wrong[_inside(wrong, image)],
        scene.searched,
    )


def _turned(
    image: Pixels, quads: Floats, wrong: Floats, quarter: int, mirror: bool
) -> tuple[Pixels, Floats, Floats]:
    """Turned clockwise by quarters and then mirrored; quads stay clockwise, their short sides first."""
    for _ in range(quarter):
        height = image.shape[0]
        image = np.rot90(image, -1)
        quads, wrong = (
            np.stack([height - q[..., 1], q[..., 0]], axis=-1).astype(np.float32)
            for q in (quads, wrong)
        )
    if mirror:
        width = image.shape[1]
        image = image[:, ::-1]
        # Mirrored corners run the other way round: 1, 0, 3, 2 is clockwise and begins with the same side.
        quads, wrong = (
            np.stack([width - q[..., 0], q[..., 1]], axis=-1)[:, [1, 0, 3, 2]].astype(np.float32)
            for q in (quads, wrong)
        )
    return np.ascontiguousarray(image), quads, wrong


def _candidates(
    shown: Scene, rng: np.random.Generator, config: ViewConfig
) -> tuple[Floats, NDArray[np.intp]]:
    """Quads to cut, and of each the tile it was made from (-1 none, -2 a tile on purpose missed)."""
    picture = shown.picture
    tiles = np.flatnonzero((picture.states == TILE) & (picture.visible >= SEEN_FROM))
    wanted = min(config.most, config.perturbed * len(tiles)) if len(tiles) else config.most // 2
    bad = round(wanted * config.nothing) if len(tiles) else wanted
    quads, sources = [], []
    if len(tiles):
        # Fully visible tiles count twice as much as those that peep out.
        weights = np.where(picture.visible[tiles] > 0.9, 2.0, 1.0)
        drawn = rng.choice(tiles, wanted - bad, p=weights / weights.sum())
        quads.append(stray(picture.quads_px[drawn], rng, config.errors))
        sources.append(drawn)
        missed = rng.choice(tiles, (bad + 1) // 2)
        quads.append(_missed(picture.quads_px[missed], rng, config))
        sources.append(np.full(len(missed), -2))
    if shown.searched:
        free = _anywhere(shown, bad // 2, rng, config)
        quads.append(free)
        sources.append(np.full(len(free), -1))
    if len(shown.wrong):
        count = min(3 * len(shown.wrong), config.mined)
        mined = shown.wrong[rng.integers(len(shown.wrong), size=count)]
        quads.append(stray(mined, rng, config.errors))
        sources.append(np.full(len(mined), -2))
    if not quads:
        return np.zeros((0, 4, 2), np.float32), np.zeros(0, np.intp)
    cut = np.concatenate(quads)
    inside = _inside(cut, picture.image_bgr)
    return cut[inside], np.concatenate(sources).astype(np.intp)[inside]


def _missed(quads: Floats, rng: np.random.Generator, config: ViewConfig) -> Floats:
    """Finds that straddle the border to what lies beside, hold a part of the face only, or much more than it."""
    n = len(quads)
    centres, short, long = describe(quads)
    kind = rng.random(n)
    side = rng.choice([-1.0, 1.0], n) * rng.uniform(0.48, 1.1, n)
    across = rng.random(n) < 0.5
    shift = np.where(across[:, None], short, long) * side[:, None]
    shift[kind > 0.65] = 0
    grow = np.ones((n, 1))
    grow[(kind > 0.65) & (kind < 0.85)] = rng.uniform(0.25, 0.5)
    grow[kind >= 0.85] = rng.uniform(1.85, 2.6)
    moved = (centres[:, None] + shift[:, None] + (quads - centres[:, None]) * grow[:, None]).astype(
        np.float32
    )
    return stray(moved, rng, config.errors)


def _anywhere(shown: Scene, count: int, rng: np.random.Generator, config: ViewConfig) -> Floats:
    """Tile-like quads wherever chance puts them."""
    height, width = shown.picture.image_bgr.shape[:2]
    centres = rng.uniform(0.05, 0.95, (count, 2)) * (width, height)
    short = np.exp(rng.normal(np.log(config.typical_px), config.spread, (count, 1)))
    short = np.clip(short, config.least_px, min(height, width) / 2)
    lengths = np.concatenate([short, short * rng.uniform(1.0, 1.6, (count, 1))], axis=1)
    angle = np.where(
        rng.random((count, 1)) < 0.5,
        rng.uniform(0, np.pi, (count, 1)),
        rng.integers(0, 2, (count, 1)) * np.pi / 2 + rng.normal(0, 0.08, (count, 1)),
    )
    other = angle + np.pi / 2 + rng.normal(0, 0.15, (count, 1))
    doubled = [np.concatenate([np.cos(2 * a), np.sin(2 * a)], axis=1) for a in (angle, other)]
    return rebuild(
        centres.astype(np.float32),
        lengths.astype(np.float32),
        doubled[0].astype(np.float32),
        doubled[1].astype(np.float32),
    )


def _best(quads: Floats, tiles: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Largest IoU (N,) of every quad with a tile, and that tile; 0 and the count of tiles where none is near."""
    share = np.zeros(len(quads), np.float32)
    nearest = np.full(len(quads), len(tiles), np.intp)
    if not len(tiles):
        return share, nearest
    low, high = tiles.min(axis=1), tiles.max(axis=1)
    for i, quad in enumerate(quads):
        near = (low < quad.max(axis=0)).all(axis=1) & (high > quad.min(axis=0)).all(axis=1)
        for j in np.flatnonzero(near):
            value = iou(quad, tiles[j])
            if value > share[i]:
                share[i], nearest[i] = value, j
    return share, nearest


def _tile_size(quad: Floats) -> tuple[NDArray[np.float64], float]:
    centres, short, long = describe(quad[None])
    return centres[0].astype(np.float64), float(min(np.hypot(*short[0]), np.hypot(*long[0])))


def _inside(quads: Floats, image: Pixels) -> NDArray[np.bool_]:
    """Whose centre (N,) lies in the picture."""
    centres = quads.mean(axis=1)
    inside: NDArray[np.bool_] = ((centres > 0) & (centres < np.array(image.shape[1::-1]))).all(
        axis=1
    )
    return inside


def joined(parts: Sequence[Crops]) -> Crops:
    """Crops of several views as one."""
    return Crops(
        np.concatenate([part.pixels for part in parts]),
        np.concatenate([part.corners for part in parts]),
        np.concatenate([part.known for part in parts]),
        np.concatenate([part.present for part in parts]),
    )


def some(
    scenes: Iterator[Scene],
    count: int,
    spoil: Spoiler,
    rng: np.random.Generator,
    config: ViewConfig,
) -> Crops:
    """At least so many crops of the next scenes."""
    parts: list[Crops] = []
    while sum(len(part) for part in parts) < count:
        crops = crops_of(next(scenes), spoil, rng, config)
        if crops is not None:
            parts.append(crops)
    return joined(parts)
