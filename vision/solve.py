"""Settle all names together: a set has four copies of a kind, one of each bonus tile, so many red fives.

The cheapest assignment of N tiles to 47 labels with such capacities is a transportation problem. It is solved exactly
by successive shortest paths over the labels (Ahuja, Magnanti and Orlin, *Network Flows*, 1993, section 9.7): every
tile starts at its likeliest label, and each tile too many is pushed along the cheapest chain of renamings to where a
copy is free. Only what is too many costs work, so 144 tiles take a millisecond or two, without a solver library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.labels import BACK, BONUS, INDEX, LABELS, NOT, RED_FIVES, plain

_N: Final = len(LABELS)
_KIND: Final = np.array([INDEX[plain(label)] for label in LABELS])
"""Label -> the label of its kind: red fives share the copies of the plain five."""
_SINK: Final = 2 * _N
_UNLIMITED: Final = 1 << 30
_LEAST_P: Final = 1e-6
"""Below this a posterior says only "no"; the logarithm must stay finite."""


@dataclass(frozen=True, slots=True)
class Stock:
    """How many copies the tiles in view can have at most."""

    copies: int = 4
    bonus: int = 1
    red_fives: Mapping[str, int] = field(default_factory=lambda: {"0m": 1, "0p": 2, "0s": 1})
    """Of the four fives, the red ones at most: most sets have one a suit, older ones two red circles."""


@dataclass(frozen=True, slots=True)
class SolverConfig:
    """What joint naming trusts."""

    excess_cost: float = 5.0
    """Nats a copy too many costs. Not infinite: two sets may lie in one picture, or a tile be seen twice in a mirror;
    then five tiles that are each surer than 1 in 150 keep their name rather than push others into wrong ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """The joint names of N tiles.

    Attributes:
        labels: (N,) int, columns of `vision.labels.LABELS`.
        posteriors: (N, 47) float32: what each tile is, given what all the others are settled to be.
        changed: (N,) bool, where the label is not the likeliest of the tile alone.
    """

    labels: NDArray[np.intp]
    posteriors: NDArray[np.float32]
    changed: NDArray[np.bool_]


def settle(
    posteriors: NDArray[np.floating],
    stock: Stock | None = None,
    config: SolverConfig | None = None,
) -> Settled:
    """Name all tiles at once.

    Args:
        posteriors: (N, 47) of each tile alone, rows summing to 1. Tiles of several pictures may be stacked if each
            tile of the table is in only one of them.
        stock: the copies there can be; face-down tiles and what is no tile are without limit.
        config: see `SolverConfig`.

    Returns:
        The assignment of the least total cost (minus the logarithm of the posteriors, plus the cost of copies
        too many).

    Raises:
        ValueError: if the array has another shape.
    """
    stock, config = stock or Stock(), config or SolverConfig()
    p = np.asarray(posteriors, np.float64)
    if p.ndim != 2 or p.shape[1] != _N:
        raise ValueError(f"posteriors must be (N, {_N}), got {p.shape}")
    label_caps, kind_caps = _capacities(stock)
    flow = _Flow(-np.log(np.maximum(p, _LEAST_P)), label_caps, kind_caps, config.excess_cost)
    flow.run()
    return Settled(
        labels=flow.labels,
        posteriors=_given_the_others(p, flow.labels, label_caps, kind_caps, config.excess_cost),
        changed=flow.labels != p.argmax(axis=1),
    )


def _capacities(stock: Stock) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    label_caps = np.full(_N, _UNLIMITED, np.intp)
    for red in RED_FIVES:
        label_caps[INDEX[red]] = stock.red_fives.get(red, 0)
    kind_caps = np.full(_N, stock.copies, np.intp)
    kind_caps[[INDEX[label] for label in BONUS]] = stock.bonus
    kind_caps[[INDEX[BACK], INDEX[NOT]]] = _UNLIMITED
    return label_caps, kind_caps


class _Flow:
    """Units at labels (nodes 0..46) flow through their kinds (47..93) into the sink (94)."""

    def __init__(
        self,
        cost: NDArray[np.float64],
        label_caps: NDArray[np.intp],
        kind_caps: NDArray[np.intp],
        excess_cost: float,
    ) -> None:
        self.labels: NDArray[np.intp] = cost.argmin(axis=1)
        self._cost, self._excess_cost = cost, excess_cost
        self._label_caps, self._kind_caps = label_caps, kind_caps
        at_label = np.bincount(self.labels, minlength=_N)
        self._through_label = np.minimum(at_label, label_caps)
        at_kind = np.bincount(_KIND, weights=self._through_label, minlength=_N).astype(np.intp)
        self._through_kind = np.minimum(at_kind, kind_caps)
        self._excess = [
            *np.repeat(np.arange(_N), at_label - self._through_label),
            *np.repeat(_N + np.arange(_N), at_kind - self._through_kind),
        ]

    def run(self) -> None:
        """Push every unit too many to the sink, each by the cheapest way there is."""
        for node in self._excess:
            self._push(self._cheapest_path(int(node)))

    def _residual(self) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Cost of every step between nodes, and which tile a step between two labels renames."""
        step = np.full((_SINK + 1, _SINK + 1), np.inf)
        movers = np.zeros((_N, _N), np.intp)
        for label in np.unique(self.labels):
            tiles = np.flatnonzero(self.labels == label)
            gain = self._cost[tiles] - self._cost[tiles, label][:, None]
            movers[label] = tiles[gain.argmin(axis=0)]
            step[label, :_N] = gain.min(axis=0)
            step[label, label] = np.inf
        into, labels = _N + _KIND, np.arange(_N)
        over = self._through_label >= self._label_caps
        step[labels, into] = np.where(over, self._excess_cost, 0.0)
        beyond = self._through_label > self._label_caps
        back = np.where(beyond, -self._excess_cost, 0.0)
        step[into, labels] = np.where(self._through_label > 0, back, np.inf)
        full = self._through_kind >= self._kind_caps
        step[_N + labels, _SINK] = np.where(full, self._excess_cost, 0.0)
        return step, movers

    def _cheapest_path(self, start: int) -> list[tuple[int, int, int]]:
        """Bellman-Ford from a node to the sink: steps as (from, to, tile renamed or -1)."""
        step, movers = self._residual()
        distance = np.full(_SINK + 1, np.inf)
        distance[start] = 0.0
        before = np.full(_SINK + 1, -1, np.intp)
        for _ in range(_SINK + 1):
            reach = distance[:, None] + step
            best = reach.argmin(axis=0)
            shorter = reach[best, np.arange(_SINK + 1)] < distance - 1e-9
            if not shorter.any():
                break
            distance[shorter] = reach[best, np.arange(_SINK + 1)][shorter]
            before[shorter] = best[shorter]
        path = []
        node = _SINK
        while node != start:
            previous = int(before[node])
            renames = previous < _N and node < _N
            path.append((previous, node, int(movers[previous, node]) if renames else -1))
            node = previous
        return path

    def _push(self, path: list[tuple[int, int, int]]) -> None:
        for source, target, tile in path:
            if tile >= 0:
                self.labels[tile] = target
            elif target == _SINK:
                self._through_kind[source - _N] += 1
            elif source < _N:
                self._through_label[source] += 1
            else:
                self._through_label[target] -= 1


def _given_the_others(
    p: NDArray[np.float64],
    labels: NDArray[np.intp],
    label_caps: NDArray[np.intp],
    kind_caps: NDArray[np.intp],
    excess_cost: float,
) -> NDArray[np.float32]:
    """Each tile's posterior, where labels whose copies are used up by other tiles count as copies too many."""
    own = np.zeros((len(p), _N), np.intp)
    own[np.arange(len(p)), labels] = 1
    others = own.sum(axis=0)[None] - own
    by_kind = np.zeros_like(others)
    np.add.at(by_kind.T, _KIND, others.T)
    used_up = (others >= label_caps) | (by_kind[:, _KIND] >= kind_caps[_KIND])
    weighed = p * np.where(used_up, np.exp(-excess_cost), 1.0)
    total = weighed.sum(axis=1, keepdims=True)
    return (weighed / np.maximum(total, 1e-12)).astype(np.float32)
