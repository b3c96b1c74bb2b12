"""One pass over a picture: find, refine, name, and say how much each find is to be believed; stretched if need be."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gaps import GapsConfig, places, stood_on
from vision.halves import HalvesConfig, better, candidates
from vision.judge import Evidence, JudgeConfig, belief
from vision.labels import BACK, INDEX, NOT, WHITE
from vision.rectify import rectify, side_lengths
from vision.seen import Dropped, Finds, Names, corners_of
from vision.whole import Naming

_BACK, _WHITE, _NOT = INDEX[BACK], INDEX[WHITE], INDEX[NOT]


class Finding(Protocol):
    """What is asked of a finder."""

    def find(self, image_bgr: NDArray[np.uint8]) -> Finds: ...


class Refining(Protocol):
    """What is asked of a refiner."""

    def refine(
        self, image_bgr: NDArray[np.uint8], quads_px: NDArray[np.floating]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]: ...


@dataclass(frozen=True, slots=True)
class GlanceConfig:
    """How finds are named and when a picture is looked at stretched; sizes in picture pixels."""

    tiny_px: float = 7.0
    """Shorter sides hold no legible face: what is found there are edges of tiles that stand behind others."""
    legible: float = 0.75
    """The belief in a find times the probability of its best name from which it is read well."""
    stretched_below: float = 0.6
    """If fewer of the finds are read well, the picture may have been squeezed: it is looked at stretched too."""
    squeezed: float = 0.5
    """It is also where the median side of a find is less than this part of the other."""
    stretches: tuple[float, ...] = (1.6, 2.2, 3.0)
    """Collections squeeze pictures of 4:3 to 16:9 into a square, some of upright pictures even more, and standing tiles
    seen from far aside look squeezed by themselves. The next step is taken while the one before was a gain."""
    stretched_px: int = 4000
    """Longest side of a stretched picture: enough for the finder's closer looks, and 48 megapixels stay small."""
    stretched_gain: float = 1.1
    """So many times as many legible finds, or so many times fewer others, a stretched look must give to be taken."""
    second_look: float = 0.9
    """If the best name is less sure and the sides are alike, the crop is named once more turned by 90 degrees."""
    doubted: tuple[float, float] = (0.2, 0.95)
    """Between these probabilities of its best name a crop is named again, a little closer and a little wider, and what
    is said of all is averaged: of 1,980 labels kept aside three more are read right. Whatever is below is no tile."""
    closer: tuple[float, ...] = (0.94, 1.06)
    """So many times the quad's sides. From 0.9 and 1.1 on small tiles in renders are lost."""
    alike: float = 0.35
    """A tile's sides are 0.72 to 0.78 of each other; seen from low down, the long one shrinks below the short one, and
    one that lies across in a squeezed picture looks like a slim one that stands."""
    up_weight: float = 0.5
    """How much the finder's own opinion on face or back counts beside the namer's (exponent of its odds)."""
    judge: JudgeConfig = field(default_factory=JudgeConfig)
    halves: HalvesConfig = field(default_factory=HalvesConfig)
    gaps: GapsConfig = field(default_factory=GapsConfig)


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What one pass over a picture found and named; ``believed`` (N,) is the belief that each find is a tile."""

    evidence: Evidence
    names: Names
    believed: NDArray[np.float32]
    tiny: tuple[Dropped, ...]
    find_ms: float

    @property
    def legible(self) -> NDArray[np.float32]:
        """(N,) the belief in a find times the probability of its best name."""
        return self.believed * self.evidence.named

    def worth(self) -> float:
        """What the pass is worth: legible finds, less half of those that are not."""
        return float((1.5 * self.legible - 0.5).sum())


Factors = tuple[float, float]
"""How many times as wide and as high the finder sees a picture."""

_AS_IT_IS: Final[Factors] = (1.0, 1.0)


class Glancer:
    """The three networks on one picture.

    Args:
        finder, refiner, namer: the networks; without a refiner finds stay as they are.
        config: see `GlanceConfig`.
    """

    def __init__(
        self, finder: Finding, refiner: Refining | None, namer: Naming, config: GlanceConfig
    ) -> None:
        self._finder = finder
        self._refiner = refiner
        self._namer = namer
        self._config = config

    def look(self, image: NDArray[np.uint8]) -> Glance:
        """The best glance at a picture (H, W, 3) uint8: as it is or, where it looks squeezed, stretched."""
        plain = self.glance(image)
        if not self._looks_squeezed(plain):
            return plain
        best, find_ms = self._stretched(image, plain)
        return replace(best, find_ms=find_ms)

    def _stretched(self, image: NDArray[np.uint8], plain: Glance) -> tuple[Glance, float]:
        """The best of a glance and of those at the picture stretched, and how long finding took in all of them."""
        stretches = self._config.stretches
        ways = [[(by, 1.0) for by in stretches], [(1.0, by) for by in stretches]]
        begun = [(self.glance(image, way[0]), way[1:]) for way in ways]
        find_ms = plain.find_ms + sum(glance.find_ms for glance, _ in begun)
        best, further = max(begun, key=lambda each: each[0].worth())
        if best.worth() <= plain.worth():
            return plain, find_ms
        for factors in further:
            other = self.glance(image, factors)
            find_ms += other.find_ms
            if other.worth() <= best.worth():
                break
            best = other
        enough = best.worth() > self._config.stretched_gain * max(plain.worth(), 0.0)
        return best if enough else plain, find_ms

    def _looks_squeezed(self, glance: Glance) -> bool:
        """Whether the picture should be looked at stretched: few finds are legible, or they are too slim."""
        legible = glance.legible >= self._config.legible
        if not legible.any() or legible.mean() < self._config.stretched_below:
            return True
        width, height = side_lengths(glance.evidence.quads_px[legible])
        slim = np.minimum(width, height) / np.maximum(np.maximum(width, height), 1e-6)
        return bool(np.median(slim) < self._config.squeezed)

    def glance(self, image: NDArray[np.uint8], factors: Factors = _AS_IT_IS) -> Glance:
        """Find, refine and name once, the picture stretched for the finder."""
        start = time.perf_counter()
        across, down = factors
        seen = image
        if factors != _AS_IT_IS:
            width, height = image.shape[1] * across, image.shape[0] * down
            fit = min(1.0, self._config.stretched_px / max(width, height))
            seen = np.asarray(
                cv2.resize(image, (round(width * fit), round(height * fit))), np.uint8
            )
        finds = self._finder.find(seen)
        ratio = np.array(image.shape[1::-1], np.float32) / np.array(seen.shape[1::-1], np.float32)
        quads_px = (finds.quads_px * ratio).astype(np.float32)
        finds, tiny = self._without_tiny(Finds(quads_px, finds.scores, finds.up))
        find_ms = (time.perf_counter() - start) * 1000
        present = finds.scores  # without a refiner the finder speaks for both
        if self._refiner is not None and len(finds):
            quads_px, present = self._refiner.refine(image, finds.quads_px)
            finds = Finds(quads_px, finds.scores, finds.up)
        quads, names = self._name(image, finds.quads_px)
        posteriors = _with_finders_opinion(names.posteriors, finds.up, self._config.up_weight)
        names = replace(names, posteriors=posteriors)
        evidence = Evidence(quads, finds.scores, finds.up, present, posteriors)
        if self._refiner is not None:
            evidence, names = self._made_whole(image, evidence, names)
            evidence, names = self._gaps_filled(image, evidence, names)
        return Glance(evidence, names, belief(evidence, self._config.judge), tiny, find_ms)

    def _made_whole(
        self, image: NDArray[np.uint8], evidence: Evidence, names: Names
    ) -> tuple[Evidence, Names]:
        """Finds that hold half a tile replaced by the whole one."""
        assert self._refiner is not None
        config = self._config
        believed = belief(evidence, config.judge)
        legible = believed * evidence.named >= config.legible
        owner, quads_px = candidates(evidence.quads_px, legible, config.halves)
        if not len(owner):
            return evidence, names
        tried_px, present = self._refiner.refine(image, quads_px)
        tried = self._namer.name(rectify(image, tried_px, roll=False)[0])
        told = _with_finders_opinion(tried.posteriors, evidence.up[owner], self._config.up_weight)
        tried = replace(tried, posteriors=told)
        named = tried.posteriors[:, :_NOT].max(axis=1)
        quads, seen = evidence.quads_px.copy(), evidence.present.copy()
        posteriors, turned = names.posteriors.copy(), names.turned.copy()
        embeddings = names.embeddings.copy()
        for i in np.unique(owner):
            mine = np.flatnonzero(owner == i)
            k = better(quads[i], tried_px[mine], named[mine], present[mine], config.halves)
            if k is not None:
                at = mine[k]
                quads[i], seen[i], posteriors[i] = tried_px[at], present[at], tried.posteriors[at]
                turned[i], embeddings[i] = tried.turned[at], tried.embeddings[at]
        whole = Evidence(quads, evidence.scores, evidence.up, seen, posteriors)
        return whole, Names(posteriors, turned, embeddings)

    def _gaps_filled(
        self, image: NDArray[np.uint8], evidence: Evidence, names: Names
    ) -> tuple[Evidence, Names]:
        """What stands beside sure tiles and was not found, behind the finds."""
        assert self._refiner is not None
        config = self._config
        believed = belief(evidence, config.judge)
        quads_px = places(evidence.quads_px, believed, image.shape[:2], config.gaps)
        if not len(quads_px):
            return evidence, names
        quads_px, present = self._refiner.refine(image, quads_px)
        seen = present >= config.gaps.present
        quads_px, more = self._name(image, quads_px[seen])
        best, present = more.posteriors.argmax(axis=1), present[seen]
        # A white surface beside a tile is mostly the flank of one.
        blank = (best == _WHITE) & (present >= config.gaps.blank)
        face_down = best == _BACK
        telling = ~np.isin(best, (_WHITE, _NOT)) | blank
        quads_px, present, more = quads_px[telling], present[telling], more[telling]
        scores = np.full(len(quads_px), config.gaps.score, np.float32)
        up = np.where(face_down[telling], np.float32(0), np.float32(1))
        found = Evidence(quads_px, scores, up, present, more.posteriors)
        there = evidence.quads_px[believed >= config.gaps.taken]
        plain = (blank | face_down)[telling]
        least = np.where(plain, config.gaps.plain_believed, config.judge.least)
        new = belief(found, config.judge) >= least
        new &= ~stood_on(quads_px, there, config.gaps)
        return evidence.and_also(found[new]), names.and_also(more[new])

    def _without_tiny(self, finds: Finds) -> tuple[Finds, tuple[Dropped, ...]]:
        width, height = side_lengths(finds.quads_px)
        tiny = np.minimum(width, height) < self._config.tiny_px
        return finds[~tiny], tuple(
            Dropped(corners_of(quad), "tiny") for quad in finds.quads_px[tiny]
        )

    def _name(
        self, image: NDArray[np.uint8], quads: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], Names]:
        """Name quads (N, 4, 2), of which some turn out to lie on their side; doubtful names are asked for again."""
        quads, names = self._named_both_ways(image, quads)
        return quads, self._doubts_asked(image, quads, names)

    def _named_both_ways(
        self, image: NDArray[np.uint8], quads: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], Names]:
        """Name quads (N, 4, 2); those that may lie on their side also the other way, and the better way stays."""
        names = self._namer.name(rectify(image, quads, roll=False)[0])
        width, height = side_lengths(quads)
        alike = np.minimum(width, height) >= self._config.alike * np.maximum(width, height)
        unsure = names.posteriors[:, :_NOT].max(axis=1, initial=0.0) < self._config.second_look
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

    def _doubts_asked(
        self, image: NDArray[np.uint8], quads: NDArray[np.float32], names: Names
    ) -> Names:
        """The names of quads (N, 4, 2), of the doubtful ones the geometric mean over crops of several sizes."""
        best = names.posteriors[:, :_NOT].max(axis=1, initial=0.0)
        low, high = self._config.doubted
        doubted = np.flatnonzero((best > low) & (best < high))
        if not len(doubted):
            return names
        middles = quads[doubted].mean(axis=1, keepdims=True)
        said = [names.posteriors[doubted]]
        for by in self._config.closer:
            crops, _ = rectify(image, middles + (quads[doubted] - middles) * by, roll=False)
            said.append(self._namer.name(crops).posteriors)
        mean = np.exp(np.log(np.maximum(said, 1e-4)).mean(axis=0))
        posteriors = names.posteriors.copy()
        posteriors[doubted] = mean / mean.sum(axis=1, keepdims=True)
        return replace(names, posteriors=posteriors)


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
