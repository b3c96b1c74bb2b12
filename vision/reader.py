"""One picture, or several that show one table, to named and grouped tiles: find, refine, name, settle, group."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finder import Finder
from vision.groups import GroupConfig, group
from vision.join import Place, same_tiles
from vision.labels import BACK, DIRECTIONLESS, INDEX, LABELS, NOT
from vision.maps import polygon_areas, suppress
from vision.models import FINDER, NAMER, REFINER, load_manifest, model_path, shipped
from vision.models import models_dir as default_dir
from vision.namer import Namer
from vision.rectify import rectify, side_lengths
from vision.refiner import Refiner
from vision.seen import Dropped, Finds, Names, Reading, SeenTile
from vision.solve import Settled, SolverConfig, Stock, settle

_BACK, _NOT = INDEX[BACK], INDEX[NOT]
_PLAIN: Final = tuple(INDEX[label] for label in (BACK, "5z", "1p", "2p"))
"""Faces that other things look like."""


class Finding(Protocol):
    """What a reader asks of its finder."""

    def find(self, image_bgr: NDArray[np.uint8]) -> Finds: ...


class Refining(Protocol):
    """What a reader asks of its refiner."""

    def refine(
        self, image_bgr: NDArray[np.uint8], quads_px: NDArray[np.floating]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]: ...


class Naming(Protocol):
    """What a reader asks of its namer."""

    def name(self, crops: NDArray[np.uint8]) -> Names: ...


@dataclass(frozen=True, slots=True)
class ReaderConfig:
    """What becomes of a find; sizes in picture pixels."""

    tiny_px: float = 7.0
    """Shorter sides hold no legible face: what is found there are edges of tiles that stand behind others."""
    present: float = 0.1
    """Finds the refiner holds for a tile less likely than this are not even named."""
    present_weight: float = 0.5
    """How much the refiner's "this is a tile" counts beside the finder's score (its exponent)."""
    not_a_tile: float = 0.5
    """Finds the namer holds for no tile more likely than this are dropped, whatever the finder says."""
    least_belief: float = 0.25
    """Least product of the finder's score and the namer's "this is a tile": two half doubts make a whole one."""
    sure: float = 0.75
    """The finder's score times the probability of the best name from which a find is company for the others."""
    company: int = 3
    """With so many sure tiles the picture shows mahjong, and doubtful finds among them are mostly tiles too."""
    mostly_sure: float = 0.5
    """Plain surfaces (backs, white dragons, one and two circles) are company only if so many of all finds are sure."""
    stretched_below: float = 0.4
    """If fewer of the finds are sure, the picture may have been squeezed: the finder looks at it stretched too."""
    stretched_gain: float = 1.6
    """So much more evidence the stretched picture must give to be believed instead."""
    alone: float = 0.7
    """Least product of score and "this is a tile" without such company: on tile-free photographs one find in ten
    reaches it, while tiles shown one or two at a time are seen from near and do."""
    alone_named: float = 0.4
    """Least probability of the best name without such company: what is no tile mostly looks like no face either."""
    die: float = 0.64
    """Pips in circles that are smaller than this beside the nearest sure tiles are dice: these measure half a tile,
    while perspective takes a fifth from one row to the next."""
    nearest: int = 8
    """So many sure tiles say how large a tile is there."""
    duplicate: float = 0.5
    """Of two quads that share more than this part of the smaller one, the surer stays; neighbours share under 0.1."""
    doubtful: float = 0.85
    """Below this the page shows a question mark. Calibrated, so about one in five of those shown is wrong."""
    alternatives: int = 3
    """As many as a correcting tap offers first."""
    least_alternative: float = 0.005
    """Less likely names are no help."""
    second_look: float = 0.9
    """If the best name is less sure and the sides are alike, the crop is named once more turned by 90 degrees."""
    alike: float = 0.62
    """A tile's sides are 0.72 to 0.78 of each other; seen from low down, the long one shrinks below the short one."""
    up_weight: float = 0.5
    """How much the finder's own opinion on face or back counts beside the namer's (exponent of its odds)."""
    neighbours: float = 4.0
    """A face that looks the same both ways is turned like the others within so many tile sizes."""
    solver: SolverConfig = field(default_factory=SolverConfig)
    groups: GroupConfig = field(default_factory=GroupConfig)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """One picture before its names are settled: quads with the face's own top left first, names, what was dropped."""

    quads: NDArray[np.float32]
    names: Names
    dropped: tuple[Dropped, ...]
    find_ms: float
    name_ms: float


@dataclass(frozen=True, slots=True, eq=False)
class _Glance:
    """What one pass over a picture found and named."""

    quads: NDArray[np.float32]
    names: Names
    scores: NDArray[np.float32]
    dropped: tuple[Dropped, ...]
    find_ms: float

    @property
    def evidence(self) -> NDArray[np.float32]:
        """(N,) the finder's score times the probability of the best name."""
        best: NDArray[np.float32] = self.names.posteriors[:, :_NOT].max(axis=1, initial=0.0)
        return self.scores * best

    def sure_share(self, sure: float) -> float:
        """The part of the finds whose evidence reaches `sure`; 0 without finds."""
        return float((self.evidence >= sure).mean()) if len(self.scores) else 0.0


_STRETCHES: Final = ((1.6, 1.0), (2.2, 1.0), (3.0, 1.0), (1.0, 1.6), (1.0, 2.2), (1.0, 3.0))
"""Factors (across, down). Collections squeeze pictures of 4:3 to 16:9 into a square, some of upright pictures even
more, and standing tiles seen from far aside look squeezed by themselves."""


class Reader:
    """The networks, loaded once. Not shared between threads at the same time.

    Args:
        models_dir: folder of the models; by default where `vision.models.models_dir` finds them.
        threads: processor threads for one pass of a network.
        config: see `ReaderConfig`.
        stock: the copies the table's set has; see `vision.solve.Stock`.
        finder, refiner, namer: to be used instead of those in ``models_dir``. The refiner there mends the finder there:
            with another finder, or where the manifest lists none, finds stay as they are unless a refiner is given.

    Raises:
        ModelError: if a model is missing or is not the one in the manifest.
    """

    def __init__(
        self,
        models_dir: Path | None = None,
        threads: int = 1,
        config: ReaderConfig | None = None,
        stock: Stock | None = None,
        finder: Finding | None = None,
        refiner: Refining | None = None,
        namer: Naming | None = None,
    ) -> None:
        self.config = config or ReaderConfig()
        self._stock = stock or Stock()
        if finder is None and refiner is None:
            folder = models_dir or default_dir()
            if REFINER in shipped(load_manifest(folder)):
                refiner = Refiner(model_path(REFINER, folder), threads)
        self._finder = finder or Finder(model_path(FINDER, models_dir), threads)
        self._refiner = refiner
        self._namer = namer or Namer(model_path(NAMER, models_dir), threads)

    def read(self, image_bgr: NDArray[np.uint8]) -> Reading:
        """Read one picture, (H, W, 3) uint8; a picture without tiles gives a reading without tiles."""
        return self.read_together([image_bgr])[0]

    def read_together(self, images_bgr: Sequence[NDArray[np.uint8]]) -> tuple[Reading, ...]:
        """Read pictures that show one table: the copies of a kind are counted over all of them.

        A row photographed in parts, each picture beginning with some tiles that end the one before, is understood:
        tiles seen twice are named together, counted once, and say so in ``same_as``.

        Args:
            images_bgr: (H, W, 3) uint8 each.

        Returns:
            A reading for each picture. ``ms["name"]`` has everything after finding.
        """
        looks = [self._look(image) for image in images_bgr]
        start = time.perf_counter()
        same = same_tiles([self._longest_row(look) for look in looks]) if len(looks) > 1 else {}
        settled = self._settle_all([look.names.posteriors for look in looks], same)
        share = (time.perf_counter() - start) * 1000 / max(len(looks), 1)
        return tuple(
            self._reading(image, look, own, share, {j: at for (k, j), at in same.items() if k == n})
            for n, (image, look, own) in enumerate(zip(images_bgr, looks, settled, strict=True))
        )

    def _longest_row(self, look: _Look) -> tuple[tuple[int, ...], NDArray[np.float32]]:
        labels = [LABELS[i] for i in look.names.posteriors[:, :_NOT].argmax(axis=1)]
        groups = group(look.quads, labels, self.config.groups)
        return max((each.tiles for each in groups), key=len, default=()), look.names.posteriors

    def _settle_all(
        self, posteriors: Sequence[NDArray[np.float32]], same: Mapping[Place, Place]
    ) -> list[Settled]:
        """Settle the tiles of all pictures at once; what is seen twice is one tile with both pictures' evidence."""
        places = [(n, i) for n, rows in enumerate(posteriors) for i in range(len(rows))]
        single = [place for place in places if place not in same]
        row_of = {place: row for row, place in enumerate(single)}
        evidence = np.array([posteriors[n][i] for n, i in single], np.float64).reshape(
            -1, len(LABELS)
        )
        for (n, i), first in same.items():
            evidence[row_of[first]] *= posteriors[n][i]
            evidence[row_of[first]] /= max(evidence[row_of[first]].sum(), 1e-12)
        settled = self._settle(evidence)
        out = []
        for n, rows in enumerate(posteriors):
            at = [row_of[same.get((n, i), (n, i))] for i in range(len(rows))]
            part = np.array(at, np.intp)
            out.append(
                Settled(settled.labels[part], settled.posteriors[part], settled.changed[part])
            )
        return out

    def _look(self, image: NDArray[np.uint8]) -> _Look:
        start = time.perf_counter()
        glance = self._glance(image, (1.0, 1.0))
        if glance.sure_share(self.config.sure) < self.config.stretched_below:
            other = max(
                (self._glance(image, factors) for factors in _STRETCHES),
                key=lambda each: each.evidence.sum(),
            )
            if other.evidence.sum() > self.config.stretched_gain * glance.evidence.sum():
                glance = other
        quads, names = glance.quads, glance.names
        keep, reasons = self._judge(quads, glance.scores, names.posteriors)
        dropped = tuple(Dropped(_corners(quads[i]), why) for i, why in sorted(reasons.items()))
        quads, names = quads[keep], names[keep]
        quads = _top_left_first(quads, names, self.config.neighbours)
        name_ms = (time.perf_counter() - start) * 1000 - glance.find_ms
        return _Look(quads, names, glance.dropped + dropped, glance.find_ms, name_ms)

    def _glance(self, image: NDArray[np.uint8], factors: tuple[float, float]) -> _Glance:
        """Find, refine and name once, the picture stretched by (across, down) for the finder."""
        start = time.perf_counter()
        across, down = factors
        size = round(image.shape[1] * across), round(image.shape[0] * down)
        seen = image if factors == (1.0, 1.0) else cv2.resize(image, size)
        finds = self._finder.find(seen)
        quads_px = (finds.quads_px / np.array(factors, np.float32)).astype(np.float32)
        finds, tiny = self._without_tiny(Finds(quads_px, finds.scores, finds.up))
        find_ms = (time.perf_counter() - start) * 1000
        finds, nothing = self._refine(image, finds)
        quads, names = self._name(image, finds)
        posteriors = _with_finders_opinion(names.posteriors, finds.up, self.config.up_weight)
        names = Names(posteriors, names.turned, names.embeddings)
        return _Glance(quads, names, finds.scores, tiny + nothing, find_ms)

    def _without_tiny(self, finds: Finds) -> tuple[Finds, tuple[Dropped, ...]]:
        width, height = side_lengths(finds.quads_px)
        tiny = np.minimum(width, height) < self.config.tiny_px
        return finds[~tiny], tuple(Dropped(_corners(quad), "tiny") for quad in finds.quads_px[tiny])

    def _refine(self, image: NDArray[np.uint8], finds: Finds) -> tuple[Finds, tuple[Dropped, ...]]:
        """Finds with the corners put right and the refiner's doubts in their scores, and those that are no tiles."""
        if self._refiner is None or not len(finds):
            return finds, ()
        quads, present = self._refiner.refine(image, finds.quads_px)
        scores = (finds.scores * present**self.config.present_weight).astype(np.float32)
        keep = present >= self.config.present
        dropped = tuple(Dropped(_corners(quad), "not-a-tile") for quad in quads[~keep])
        return Finds(quads, scores, finds.up)[keep], dropped

    def _name(self, image: NDArray[np.uint8], finds: Finds) -> tuple[NDArray[np.float32], Names]:
        """Name every find; those that may lie on their side also the other way, and the better way stays."""
        quads = finds.quads_px
        names = self._namer.name(rectify(image, quads, roll=False)[0])
        width, height = side_lengths(quads)
        alike = np.minimum(width, height) >= self.config.alike * np.maximum(width, height)
        unsure = names.posteriors[:, :_NOT].max(axis=1, initial=0.0) < self.config.second_look
        again = np.flatnonzero((alike | (width > height)) & unsure)
        if not len(again):
            return quads, names
        rolled = np.roll(quads[again], -1, axis=1)
        other = self._namer.name(rectify(image, rolled, roll=False)[0])
        better = other.posteriors[:, :_NOT].max(axis=1) > names.posteriors[again, :_NOT].max(axis=1)
        chosen = again[better]
        quads = quads.copy()
        quads[chosen] = rolled[better]
        posteriors, turned = names.posteriors.copy(), names.turned.copy()
        embeddings = names.embeddings.copy()
        posteriors[chosen] = other.posteriors[better]
        turned[chosen] = other.turned[better]
        embeddings[chosen] = other.embeddings[better]
        return quads, Names(posteriors, turned, embeddings)

    def _judge(
        self,
        quads: NDArray[np.float32],
        scores: NDArray[np.float32],
        posteriors: NDArray[np.float32],
    ) -> tuple[NDArray[np.intp], dict[int, str]]:
        """Which finds are tiles, and why the others are not."""
        a_tile = 1 - posteriors[:, _NOT]
        belief = scores * a_tile
        reasons: dict[int, str] = {}
        for i in range(len(quads)):
            if a_tile[i] < 1 - self.config.not_a_tile:
                reasons[i] = "not-a-tile"
            elif belief[i] < self.config.least_belief:
                reasons[i] = "unsure"
        surest = belief * posteriors[:, :_NOT].max(axis=1, initial=0.0)
        if not self._has_company(surest, posteriors, len(quads) - len(reasons)):
            named = posteriors[:, :_NOT].max(axis=1, initial=0.0)
            poor = (belief < self.config.alone) | (named < self.config.alone_named)
            for i in map(int, np.flatnonzero(poor)):
                reasons.setdefault(i, "alone")
        dice = _dice(quads, posteriors, surest >= self.config.sure, self.config)
        for i in map(int, np.flatnonzero(dice)):
            reasons.setdefault(i, "die")
        left = np.array([i for i in range(len(quads)) if i not in reasons], np.intp)
        kept = left[suppress(quads[left], surest[left], self.config.duplicate)]
        reasons.update((int(i), "duplicate") for i in np.setdiff1d(left, kept))
        return np.sort(kept), reasons

    def _has_company(
        self, surest: NDArray[np.float32], posteriors: NDArray[np.float32], candidates: int
    ) -> bool:
        """Whether the picture shows mahjong at all: enough sure faces that nothing else looks like, or sure tiles only.

        Roof tiles and keys pass for backs, dots and rings for one and two circles, blank labels for white dragons.
        """
        sure = surest >= self.config.sure
        telling = sure & ~np.isin(posteriors[:, :_NOT].argmax(axis=1), _PLAIN)
        if np.count_nonzero(telling) >= self.config.company:
            return True
        count = int(np.count_nonzero(sure))
        return bool(count >= self.config.company and count >= self.config.mostly_sure * candidates)

    def _settle(self, posteriors: NDArray[np.floating]) -> Settled:
        """Settle which face each tile shows; the doubt whether it is a tile at all stays in its confidence."""
        a_tile = 1 - posteriors[:, _NOT : _NOT + 1]
        faces = posteriors.copy()
        faces[:, _NOT] = 0
        faces /= np.maximum(faces.sum(axis=1, keepdims=True), 1e-9)
        settled = settle(faces, self._stock, self.config.solver)
        return Settled(
            settled.labels, (settled.posteriors * a_tile).astype(np.float32), settled.changed
        )

    def _reading(
        self,
        image: NDArray[np.uint8],
        look: _Look,
        settled: Settled,
        settle_ms: float,
        same: Mapping[int, Place],
    ) -> Reading:
        start = time.perf_counter()
        tiles = tuple(self._tile(i, look, settled, same.get(i)) for i in range(len(look.quads)))
        groups = group(look.quads, [tile.tile for tile in tiles], self.config.groups)
        group_ms = (time.perf_counter() - start) * 1000
        height, width = image.shape[:2]
        ms = {"find": look.find_ms, "name": look.name_ms + settle_ms + group_ms}
        return Reading(width, height, tiles, groups, ms, look.dropped)

    def _tile(self, i: int, look: _Look, settled: Settled, same_as: Place | None) -> SeenTile:
        p, label = settled.posteriors[i], int(settled.labels[i])
        others = [int(j) for j in np.argsort(-p, kind="stable") if j not in (label, _NOT)]
        alone = int(look.names.posteriors[i, :_NOT].argmax())
        return SeenTile(
            tile=LABELS[label],
            confidence=float(p[label]),
            quad_px=_corners(look.quads[i]),
            alternatives=tuple(
                (LABELS[j], float(p[j]))
                for j in others[: self.config.alternatives]
                if p[j] >= self.config.least_alternative
            ),
            doubtful=bool(p[label] < self.config.doubtful),
            changed_from=LABELS[alone] if alone != label else None,
            same_as=same_as,
        )


def _corners(quad: NDArray[np.float32]) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in quad)


def _dice(
    quads: NDArray[np.float32],
    posteriors: NDArray[np.float32],
    sure: NDArray[np.bool_],
    config: ReaderConfig,
) -> NDArray[np.bool_]:
    """Which finds (N,) are dice: named one to six circles, and far too small for the tiles around them."""
    named = posteriors[:, :_NOT].argmax(axis=1)
    pips = np.isin(named, [INDEX[f"{n}p"] for n in range(1, 7)])
    size, centres = np.sqrt(polygon_areas(quads)), quads.mean(axis=1)
    tiles = np.flatnonzero(sure & ~pips)
    out = np.zeros(len(quads), bool)
    if len(tiles) < config.company:
        return out
    for i in np.flatnonzero(pips):
        away = np.hypot(*(centres[tiles] - centres[i]).T)
        near = tiles[np.argsort(away, kind="stable")[: config.nearest]]
        out[i] = size[i] < config.die * np.median(size[near])
    return out


def _with_finders_opinion(
    posteriors: NDArray[np.float32], up: NDArray[np.float32], weight: float
) -> NDArray[np.float32]:
    """Weigh face against back by what the finder saw of the whole tile and its surroundings."""
    odds = np.clip(up, 0.01, 0.99)[:, None]
    weighed = posteriors * (odds**weight)
    weighed[:, _BACK] = posteriors[:, _BACK] * (1 - odds[:, 0]) ** weight
    weighed[:, _NOT] = 0
    faces = np.maximum(weighed.sum(axis=1, keepdims=True), 1e-9)
    weighed *= (1 - posteriors[:, _NOT : _NOT + 1]) / faces
    weighed[:, _NOT] = posteriors[:, _NOT]
    return weighed.astype(np.float32)


def _top_left_first(
    quads: NDArray[np.float32], names: Names, neighbours: float
) -> NDArray[np.float32]:
    """Turn each quad so that it starts at the face's own top left corner.

    Faces without a top (circles, a blank white dragon, backs) follow the nearest faces that have one: tiles of a row
    face one way.
    """
    if not len(quads):
        return quads
    flip = names.turned > 0.5
    quads = np.where(flip[:, None, None], np.roll(quads, 2, axis=1), quads)
    best = names.posteriors[:, :_NOT].argmax(axis=1)
    has_top = np.array([LABELS[i] not in DIRECTIONLESS for i in best], bool)
    centres = quads.mean(axis=1)
    down = (quads[:, 3] + quads[:, 2] - quads[:, 0] - quads[:, 1]) / 2
    size = np.sqrt(polygon_areas(quads))
    unit = down / np.maximum(np.hypot(*down.T), 1e-6)[:, None]
    for i in np.flatnonzero(~has_top):
        away = np.hypot(*(centres - centres[i]).T)
        near = np.flatnonzero(has_top & (away <= neighbours * size[i]))
        # Neighbours that lie across say nothing about which end is up.
        votes = (unit[near] @ unit[i]) / np.maximum(away[near], 1.0)
        if votes.sum() < -1e-6:
            quads[i] = np.roll(quads[i], 2, axis=0)
    return quads
