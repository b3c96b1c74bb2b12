"""One picture, or several that show one table, to named and grouped tiles: find, refine, name, settle, group."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.company import CompanyConfig, belief_among, company
from vision.finder import Finder
from vision.flanks import FlankConfig, flanks
from vision.glance import Finding, Glance, GlanceConfig, Glancer, Refining
from vision.groups import GroupConfig, group
from vision.join import Place, same_tiles
from vision.judge import Evidence, Weights, certain, judge
from vision.labels import BACK, DIRECTIONLESS, INDEX, LABELS, NOT
from vision.light import LightConfig, mended
from vision.maps import polygon_areas
from vision.models import FINDER, NAMER, REFINER, load_manifest, model_path, shipped
from vision.models import models_dir as default_dir
from vision.namer import Namer
from vision.plain import PlainConfig, edges, sure_faces, surfaces, told_apart
from vision.refiner import Refiner
from vision.seen import Dropped, Names, Reading, SeenTile, corners_of
from vision.solve import Settled, SolverConfig, Stock, settle
from vision.whole import Naming, WholeConfig, in_pieces, whole_face

_BACK, _NOT = INDEX[BACK], INDEX[NOT]


@dataclass(frozen=True, slots=True)
class ReaderConfig:
    """What becomes of a find; sizes in picture pixels."""

    doubtful: float = 0.85
    """Below this the page shows a question mark. Calibrated, so about one in five of those shown is wrong."""
    alternatives: int = 3
    """As many as a correcting tap offers first."""
    least_alternative: float = 0.005
    """Less likely names are no help."""
    neighbours: float = 4.0
    """A face that looks the same both ways is turned like the others within so many tile sizes."""
    light: LightConfig = field(default_factory=LightConfig)
    glance: GlanceConfig = field(default_factory=GlanceConfig)
    company: CompanyConfig = field(default_factory=CompanyConfig)
    flanks: FlankConfig = field(default_factory=FlankConfig)
    plain: PlainConfig = field(default_factory=PlainConfig)
    whole: WholeConfig = field(default_factory=WholeConfig)
    solver: SolverConfig = field(default_factory=SolverConfig)
    groups: GroupConfig = field(default_factory=GroupConfig)

    def fitted(self, weights: Mapping[str, Sequence[float]]) -> ReaderConfig:
        """The same with the weights of a manifest, which belong to its models; see `vision.models.FITTED`."""
        judge, company, plain = self.glance.judge, self.company, self.plain
        if "faces" in weights:
            judge = replace(judge, faces=Weights(*weights["faces"]))
        if "backs" in weights:
            judge = replace(judge, backs=Weights(*weights["backs"]))
        if "faces_among" in weights:
            company = replace(company, faces=tuple(weights["faces_among"]))
        if "backs_among" in weights:
            company = replace(company, backs=tuple(weights["backs_among"]))
        if "plain" in weights:
            odds, distance, bias = weights["plain"]
            plain = replace(plain, odds=odds, distance=distance, bias=bias)
        glance = replace(self.glance, judge=judge)
        return replace(self, glance=glance, company=company, plain=plain)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """One picture before its names are settled: quads with the face's own top left first, names, what was dropped."""

    quads: NDArray[np.float32]
    names: Names
    dropped: tuple[Dropped, ...]
    find_ms: float
    name_ms: float


class Reader:
    """The networks, loaded once. Not shared between threads at the same time.

    Args:
        models_dir: folder of the models; by default where `vision.models.models_dir` finds them.
        threads: processor threads for one pass of a network.
        config: see `ReaderConfig`. If the finder and the refiner come from ``models_dir``, the weights of its manifest
            take the place of the configured ones.
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
            manifest = load_manifest(folder)
            self.config = self.config.fitted(manifest.get("judge", {}))
            if REFINER in shipped(manifest):
                refiner = Refiner(model_path(REFINER, folder), threads)
        finder = finder or Finder(model_path(FINDER, models_dir), threads)
        self._refiner = refiner
        self._namer = namer or Namer(model_path(NAMER, models_dir), threads)
        self._glancer = Glancer(finder, refiner, self._namer, self.config.glance)

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

    def evidence(self, image_bgr: NDArray[np.uint8]) -> Evidence:
        """What the networks say of every find in a picture (H, W, 3) uint8, before anything is judged."""
        return self._glancer.glance(mended(image_bgr, self.config.light)).evidence

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
        image = mended(image, self.config.light)
        glance = self._glancer.look(image)
        corners = glance.evidence.quads_px
        faces = sure_faces(glance.names.posteriors, glance.believed, self.config.plain)
        plain = surfaces(image, corners, glance.names.posteriors, faces, self.config.plain)
        told = told_apart(glance.names.posteriors, plain, self.config.plain)
        among = self._among(image, glance)
        verdict = judge(glance.evidence, glance.believed, among, self.config.glance.judge)
        verdict = verdict.without(edges(plain, self.config.plain), "edge")
        names = _backs_named(
            replace(glance.names, posteriors=told), glance.evidence.backs, glance.believed
        )
        backs = np.zeros(len(faces), bool)
        backs[verdict.kept] = names.posteriors[verdict.kept, :_NOT].argmax(axis=1) == _BACK
        verdict = verdict.without(flanks(image, corners, backs, faces, self.config.flanks), "flank")
        dropped = glance.tiny + tuple(
            Dropped(corners_of(corners[i]), why) for i, why in sorted(verdict.because.items())
        )
        quads, names = corners[verdict.kept], names[verdict.kept]
        quads, names = self._not_in_pieces(image, quads, names)
        quads = _top_left_first(quads, names, self.config.neighbours)
        name_ms = (time.perf_counter() - start) * 1000 - glance.find_ms
        return _Look(quads, names, dropped, glance.find_ms, name_ms)

    def _not_in_pieces(
        self, image: NDArray[np.uint8], quads: NDArray[np.float32], names: Names
    ) -> tuple[NDArray[np.float32], Names]:
        """The tiles (N, 4, 2) and their names, or the one face that fills the picture in the place of its pieces."""
        config = self.config.whole
        if not in_pieces(quads, image.shape[1::-1], config):
            return quads, names
        whole = whole_face(image, self._namer, config)
        said = names.posteriors[:, :_NOT].argmax(axis=1)
        if whole is None or whole[1].posteriors[0, :_NOT].argmax() in said:
            return quads, names
        if self._refiner is not None:
            _, present = self._refiner.refine(image, whole[0])
            if present[0] < config.present:
                return quads, names
        return whole

    def _among(self, image: NDArray[np.uint8], glance: Glance) -> NDArray[np.float32]:
        """(N,) what each find is believed among the others."""
        evidence, believed = glance.evidence, glance.believed
        sure = certain(evidence, believed, self.config.glance.judge)
        said = company(image, evidence, believed, sure, self.config.company)
        return belief_among(said, evidence.backs, self.config.company)

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
        # The label and "no tile" may be among the first, and no more than these two are left out.
        first = self.config.alternatives + 2
        best = np.argsort(-settled.posteriors, axis=1, kind="stable")[:, :first].tolist()
        tiles = tuple(
            self._tile(i, look, settled, best[i], same.get(i)) for i in range(len(look.quads))
        )
        groups = group(look.quads, [tile.tile for tile in tiles], self.config.groups)
        group_ms = (time.perf_counter() - start) * 1000
        height, width = image.shape[:2]
        ms = {"find": look.find_ms, "name": look.name_ms + settle_ms + group_ms}
        return Reading(width, height, tiles, groups, ms, look.dropped)

    def _tile(
        self, i: int, look: _Look, settled: Settled, best: Sequence[int], same_as: Place | None
    ) -> SeenTile:
        p, label = settled.posteriors[i], int(settled.labels[i])
        others = [j for j in best if j not in (label, _NOT)]
        alone = int(look.names.posteriors[i, :_NOT].argmax())
        return SeenTile(
            tile=LABELS[label],
            confidence=float(p[label]),
            quad_px=corners_of(look.quads[i]),
            alternatives=tuple(
                (LABELS[j], float(p[j]))
                for j in others[: self.config.alternatives]
                if p[j] >= self.config.least_alternative
            ),
            doubtful=bool(p[label] < self.config.doubtful),
            changed_from=LABELS[alone] if alone != label else None,
            same_as=same_as,
        )


def _backs_named(names: Names, backs: NDArray[np.bool_], believed: NDArray[np.float32]) -> Names:
    """What the finder takes for a back and is believed in is a back, although the namer sees but a plain surface."""
    posteriors = names.posteriors.copy()
    spare = np.where(backs, np.maximum(posteriors[:, _NOT] - (1 - believed), 0), 0)
    posteriors[:, _NOT] -= spare
    posteriors[:, _BACK] += spare
    return replace(names, posteriors=posteriors)


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
