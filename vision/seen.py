"""What the eyes report: struct-of-arrays between the stages, one small record a tile at the end.

Shapes are checked when an object is made, so that a wrong array fails where it was built and not three calls later.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from vision.labels import LABELS

GroupKind = Literal["hand", "meld", "row", "bonus", "single"]
"""What a group of tiles is: the row with the most tiles of its hand; a set laid apart; any other row or cluster
(discards, walls, other players' tiles); bonus tiles laid apart; one tile apart, the winning one if a hand is near."""


def _check(name: str, array: NDArray[Any], shape: tuple[int | None, ...]) -> None:
    fits = array.ndim == len(shape) and all(
        want is None or want == got for want, got in zip(shape, array.shape, strict=True)
    )
    if not fits:
        wanted = ", ".join("N" if n is None else str(n) for n in shape)
        raise ValueError(f"{name} must have shape ({wanted}), got {array.shape}")


def corners_of(quad_px: NDArray[np.float32]) -> tuple[tuple[float, float], ...]:
    """Corners (4, 2) as plain numbers."""
    return tuple((float(x), float(y)) for x, y in quad_px)


@dataclass(frozen=True, slots=True, eq=False)
class Finds:
    """What the finder saw.

    Attributes:
        quads_px: (N, 4, 2) float32 corners in image pixels, clockwise (y down); the start corner is arbitrary.
        scores: (N,) float32 in 0..1, how sure the finder is that this is a tile.
        up: (N,) float32 in 0..1, probability that the face (not the back) is seen.
    """

    quads_px: NDArray[np.float32]
    scores: NDArray[np.float32]
    up: NDArray[np.float32]

    def __post_init__(self) -> None:
        _check("quads_px", self.quads_px, (None, 4, 2))
        _check("scores", self.scores, (len(self.quads_px),))
        _check("up", self.up, (len(self.quads_px),))

    def __len__(self) -> int:
        return len(self.quads_px)

    def __getitem__(self, keep: NDArray[Any] | slice) -> Finds:
        """The finds a mask, an index array or a slice selects."""
        return Finds(self.quads_px[keep], self.scores[keep], self.up[keep])

    @staticmethod
    def none() -> Finds:
        """No tile at all."""
        zero = np.zeros(0, np.float32)
        return Finds(np.zeros((0, 4, 2), np.float32), zero, zero)


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """What the namer says of N crops.

    Attributes:
        posteriors: (N, 47) float32, calibrated, rows sum to 1, columns as in `vision.labels.LABELS`.
        turned: (N,) float32 in 0..1, probability that the face is upside down in its crop.
        embeddings: (N, E) float32, for adaptation to a table's own set.
    """

    posteriors: NDArray[np.float32]
    turned: NDArray[np.float32]
    embeddings: NDArray[np.float32]

    def __post_init__(self) -> None:
        _check("posteriors", self.posteriors, (None, len(LABELS)))
        _check("turned", self.turned, (len(self.posteriors),))
        _check("embeddings", self.embeddings, (len(self.posteriors), None))

    def __len__(self) -> int:
        return len(self.posteriors)

    def __getitem__(self, keep: NDArray[Any] | slice) -> Names:
        """The rows a mask, an index array or a slice selects."""
        return Names(self.posteriors[keep], self.turned[keep], self.embeddings[keep])

    def and_also(self, other: Names) -> Names:
        """These rows and, behind them, others."""
        return Names(
            np.concatenate([self.posteriors, other.posteriors]),
            np.concatenate([self.turned, other.turned]),
            np.concatenate([self.embeddings, other.embeddings]),
        )


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile of a reading.

    Attributes:
        tile: MPSZ code, or ``"back"`` for a tile that lies face down.
        confidence: calibrated probability of ``tile`` in 0..1, after joint naming.
        quad_px: four (x, y) corners in image pixels, clockwise from the face's own top left corner.
        alternatives: the next best codes with their probabilities, best first.
        doubtful: true if the confidence lies below the reader's threshold: show it with a question mark.
        changed_from: what the namer alone would have said, where joint naming said otherwise.
        same_as: (picture, tile) of pictures read together that show this tile too.
    """

    tile: str
    confidence: float
    quad_px: tuple[tuple[float, float], ...]
    alternatives: tuple[tuple[str, float], ...] = ()
    doubtful: bool = False
    changed_from: str | None = None
    same_as: tuple[int, int] | None = None

    @property
    def bounds_px(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of the quad in image pixels."""
        xs, ys = [x for x, _ in self.quad_px], [y for _, y in self.quad_px]
        return min(xs), min(ys), max(xs), max(ys)

    def to_json(self) -> dict[str, Any]:
        """The tile as DESIGN section 3 prints it; optional keys appear only when they say something."""
        out: dict[str, Any] = {
            "tile": self.tile,
            "confidence": round(self.confidence, 4),
            "quad": [[round(x, 1), round(y, 1)] for x, y in self.quad_px],
            "alternatives": [
                {"tile": code, "confidence": round(p, 4)} for code, p in self.alternatives
            ],
        }
        if self.doubtful:
            out["doubtful"] = True
        if self.changed_from is not None:
            out["changed_from"] = self.changed_from
        if self.same_as is not None:
            out["same_as"] = {"picture": self.same_as[0], "tile": self.same_as[1]}
        return out


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles that lie together.

    Attributes:
        kind: see `GroupKind`.
        tiles: indices into `Reading.tiles`, in reading order (left to right as the owner of the tiles sees them).
        hand: for melds, bonus tiles and single tiles, the index in `Reading.groups` of the hand they lie nearest to
            and belong to; None for a hand itself and for what belongs to none.
    """

    kind: GroupKind
    tiles: tuple[int, ...]
    hand: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The group as DESIGN section 3 prints it."""
        out: dict[str, Any] = {"kind": self.kind, "tiles": list(self.tiles)}
        if self.hand is not None:
            out["hand"] = self.hand
        return out


@dataclass(frozen=True, slots=True)
class Dropped:
    """A find that is not listed as a tile, and why: ``duplicate``, ``tiny``, ``die``, ``not-a-tile``, ``unsure``,
    ``part``, ``edge`` or ``flank`` of a tile, or ``alone``: too doubtful on a picture that shows no sure tiles."""

    quad_px: tuple[tuple[float, float], ...]
    because: str


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything read in one picture of ``width`` x ``height`` pixels; ``ms`` has ``find`` and ``name``."""

    width: int
    height: int
    tiles: tuple[SeenTile, ...]
    groups: tuple[Group, ...]
    ms: dict[str, float] = field(default_factory=dict)
    dropped: tuple[Dropped, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The picture's object of DESIGN section 3, without ``image``, which only the caller knows."""
        return {
            "width": self.width,
            "height": self.height,
            "tiles": [tile.to_json() for tile in self.tiles],
            "groups": [group.to_json() for group in self.groups],
            "ms": {stage: round(ms, 2) for stage, ms in self.ms.items()},
        }
