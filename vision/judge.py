"""Which finds are tiles: what the finder, the refiner and the namer say of each, weighed together and in company."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.labels import BACK, INDEX, NOT, WHITE
from vision.maps import Floats, Reals, medians_nearby, polygon_areas, shared_area, suppress
from vision.rectify import side_lengths

_NOT: Final = INDEX[NOT]
_PLAIN: Final = tuple(INDEX[label] for label in (BACK, WHITE, "1p", "2p"))
"""Faces that other things look like."""
_PIPS: Final = tuple(INDEX[f"{n}p"] for n in range(1, 7))


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic regression on what is said of a find.

    Attributes:
        finder: of the logit of the finder's score.
        present: of the logit of the refiner's "this is a tile".
        named: of the logit of the namer's best name.
        bias: added.
    """

    finder: float
    present: float
    named: float
    bias: float


@dataclass(frozen=True, slots=True)
class JudgeConfig:
    """What becomes of a find."""

    faces: Weights = Weights(1.59, 0.26, 0.63, -2.21)
    """For finds that the finder takes for faces. Models come with their own, fitted to what they find in training
    photographs kept aside, check renders and tile-free pictures kept aside (``scripts/fit_judge.py``)."""
    backs: Weights = Weights(2.15, 0.23, 0.18, -1.36)
    """For finds it takes for backs: the namer sees a plain surface in them and knows less than the others."""
    surest: float = 0.999
    """Logits are taken of probabilities up to here: one network that is quite sure must not drown the others."""
    not_a_tile: float = 0.5
    """Faces the namer holds for no tile more likely than this are dropped, whatever the others say."""
    least: float = 0.4
    """Least belief in a find among the others. Of 1,980 labels kept aside 1,955 are read right at 0.3 and 0.4, 1,952 at
    0.7, while the false finds in check renders fall from 2.4 to 0.9 of a hundred."""
    alone: float = 0.9
    """Least belief without such company. In the 47 tile-free pictures kept aside nothing is believed more than 0.80,
    and kinds never seen show more than they do (held out, 9 false finds at 0.87, 6 at 0.9); of the photographs kept
    aside four labels of lone pairs are regained from 0.95, two more would be at 0.87."""
    alone_px: float = 16.0
    """And least shorter side. Who shows one tile holds it near: of 68 lone tiles on check renders none is below 18 px,
    and of the nine finds in the tile-free pictures kept aside that are believed more than 0.5 eight are below 14."""
    sure: float = 0.9
    """Belief from which a find is company for the others."""
    named: float = 0.7
    """And least probability of its best name, if it is a face: boxes on a shelf look like tiles, but like no tile in
    particular. Up to 0.7 no tile of the pictures kept aside is lost by it."""
    company: int = 3
    """With so many sure tiles the picture shows mahjong, and doubtful finds among them are mostly tiles too."""
    mostly_sure: float = 0.5
    """Plain surfaces (backs, white dragons, one and two circles) are company only if so many of all finds are sure."""
    die: float = 0.64
    """Pips in circles that are smaller than this beside the nearest sure tiles are dice: these measure half a tile,
    while perspective takes a fifth from one row to the next."""
    nearest: int = 8
    """So many sure tiles say how large a tile is there."""
    duplicate: float = 0.5
    """Of two quads that share more than this part of the smaller one, the surer stays; neighbours share under 0.1."""
    part: float = 0.55
    """A quad that lies in another and has less than this part of its area is a piece of that tile's picture, if the
    larger one is believed at all."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What the three networks say of N finds.

    Attributes:
        quads_px: (N, 4, 2) float32 refined corners.
        scores: (N,) float32 the finder's.
        up: (N,) float32 the finder's, that it is a face and no back.
        present: (N,) float32 the refiner's, or the finder's again where there is none.
        posteriors: (N, 47) float32 the namer's.
    """

    quads_px: Floats
    scores: Floats
    up: Floats
    present: Floats
    posteriors: Floats

    @property
    def backs(self) -> NDArray[np.bool_]:
        """(N,) whether the finder takes a find for a back."""
        return self.up < 0.5

    def __getitem__(self, keep: NDArray[np.bool_]) -> Evidence:
        """The finds a mask selects."""
        return Evidence(
            self.quads_px[keep],
            self.scores[keep],
            self.up[keep],
            self.present[keep],
            self.posteriors[keep],
        )

    def and_also(self, other: Evidence) -> Evidence:
        """These finds and, behind them, others."""
        mine, more = (
            (each.quads_px, each.scores, each.up, each.present, each.posteriors)
            for each in (self, other)
        )
        return Evidence(*(np.concatenate(pair) for pair in zip(mine, more, strict=True)))

    @property
    def named(self) -> Floats:
        """(N,) probability of the best name of a tile."""
        best: Floats = self.posteriors[:, :_NOT].max(axis=1, initial=0.0)
        return best


@dataclass(frozen=True, slots=True)
class Verdict:
    """The finds that are tiles, in their order, and for each other find why it is none."""

    kept: NDArray[np.intp]
    because: dict[int, str]

    def without(self, finds: NDArray[np.intp], why: str) -> Verdict:
        """The same, but that these finds are none either."""
        gone = np.intersect1d(self.kept, finds)
        return Verdict(
            np.setdiff1d(self.kept, gone), {**self.because, **{int(i): why for i in gone}}
        )


def logits(p: Reals, surest: float) -> Reals:
    """Logits of probabilities, each held within ``1 - surest`` and ``surest`` first."""
    held = np.clip(p, 1 - surest, surest)
    return np.asarray(np.log(held / (1 - held)), p.dtype)


def belief(evidence: Evidence, config: JudgeConfig) -> Floats:
    """(N,) probability that a find is a tile."""
    said = logits(
        np.stack([evidence.scores, evidence.present, evidence.named], axis=1), config.surest
    )
    return regressed(said, evidence.backs, astuple(config.faces), astuple(config.backs))


def regressed(
    said: Floats, backs: NDArray[np.bool_], of_faces: Sequence[float], of_backs: Sequence[float]
) -> Floats:
    """(N,) probabilities by logistic regressions on (N, K), one for faces and one for backs.

    Args:
        said: (N, K) what is known of each find.
        backs: (N,) which of them the finder takes for backs.
        of_faces, of_backs: K weights, and the bias behind them.
    """

    def weighed(by: Sequence[float]) -> Floats:
        return said @ np.array(by[:-1], np.float32) + np.float32(by[-1])

    logit = np.where(backs, weighed(of_backs), weighed(of_faces))
    return np.asarray(1 / (1 + np.exp(-logit)), np.float32)


def judge(evidence: Evidence, believed: Floats, among: Floats, config: JudgeConfig) -> Verdict:
    """Which finds are tiles, and why the others are not.

    Args:
        evidence: N finds.
        believed: (N,) what each is believed by itself, see `belief`.
        among: (N,) what it is believed among the others, see `vision.company`.
        config: thresholds.
    """
    because: dict[int, str] = {}
    nothing = (evidence.posteriors[:, _NOT] > config.not_a_tile) & ~evidence.backs
    for i in map(int, np.flatnonzero(nothing)):
        because[i] = "not-a-tile"
    candidates = len(believed) - len(because)
    company = _has_company(evidence, believed, candidates, config)
    for i in map(int, np.flatnonzero(among < config.least)):
        because.setdefault(i, "unsure")
    if not company:
        small = np.minimum(*side_lengths(evidence.quads_px)) < config.alone_px
        for i in map(int, np.flatnonzero((believed < config.alone) | small)):
            because.setdefault(i, "alone")
    for i in map(int, np.flatnonzero(_dice(evidence, believed, config))):
        because.setdefault(i, "die")
    for i in _parts(evidence, [i for i in range(len(believed)) if i not in because], config):
        because[i] = "part"
    left = np.array([i for i in range(len(believed)) if i not in because], np.intp)
    rank = (believed * evidence.named)[left]
    kept = left[suppress(evidence.quads_px[left], rank, config.duplicate)]
    because.update((int(i), "duplicate") for i in np.setdiff1d(left, kept))
    return Verdict(np.sort(kept), because)


def certain(evidence: Evidence, believed: Floats, config: JudgeConfig) -> NDArray[np.bool_]:
    """Which finds (N,) are company for the others: believed, and backs or well named."""
    nothing = evidence.posteriors[:, _NOT] > config.not_a_tile
    named = evidence.backs | (evidence.named >= config.named)
    return np.asarray((believed >= config.sure) & named & ~nothing)


def _has_company(
    evidence: Evidence, believed: Floats, candidates: int, config: JudgeConfig
) -> bool:
    """Whether the picture shows mahjong at all: enough sure faces that nothing else looks like, or sure tiles only.

    Roof tiles and keys pass for backs, dots and rings for one and two circles, blank labels for white dragons.
    """
    sure = certain(evidence, believed, config)
    telling = sure & ~np.isin(evidence.posteriors[:, :_NOT].argmax(axis=1), _PLAIN)
    if np.count_nonzero(telling) >= config.company:
        return True
    count = int(np.count_nonzero(sure))
    return bool(count >= config.company and count >= config.mostly_sure * candidates)


def _dice(evidence: Evidence, believed: Floats, config: JudgeConfig) -> NDArray[np.bool_]:
    """Which finds (N,) are dice: named one to six circles, and far too small for the tiles around them."""
    pips = np.isin(evidence.posteriors[:, :_NOT].argmax(axis=1), _PIPS)
    quads = evidence.quads_px
    size, centres = np.sqrt(polygon_areas(quads)), quads.mean(axis=1)
    tiles = np.flatnonzero((believed >= config.sure) & ~pips)
    out = np.zeros(len(believed), bool)
    if len(tiles) < config.company:
        return out
    asked = np.flatnonzero(pips)
    out[asked] = size[asked] < config.die * medians_nearby(
        size, centres, asked, tiles, config.nearest
    )
    return out


def _parts(evidence: Evidence, left: list[int], config: JudgeConfig) -> list[int]:
    """The finds of ``left`` that lie in a much larger one of ``left``: one bamboo of four, a digit in its corner."""
    quads = evidence.quads_px[left]
    areas, middles = polygon_areas(quads), quads.mean(axis=1)[:, None]
    within = (middles >= quads.min(axis=1)) & (middles <= quads.max(axis=1))
    lies_in = within.all(axis=2) & (areas[:, None] < config.part * areas)
    pieces = {
        int(i)
        for i, j in np.argwhere(lies_in)
        if shared_area(quads[i], quads[j]) > config.duplicate * areas[i]
    }
    return [left[i] for i in sorted(pieces)]
