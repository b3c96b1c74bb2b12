"""Crops in memory: what the namer's batches are drawn from."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass
class Bank:
    """Crops of one source, grown by `add`.

    Attributes:
        crops: (96, 72, 3) uint8 BGR each.
        labels: index of the label of each.
        others: a second label that is just as right as far as anybody knows, or -1.
        directed: whether the crop is known to be upright and its face has a top.
        native_px: width of the tile in its picture.
    """

    crops: list[Image] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    directed: list[bool] = field(default_factory=list)
    native_px: list[float] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.crops)

    def add(
        self, crop: Image, label: int, directed: bool, native_px: float = 50.0, other: int = -1
    ) -> None:
        """Append one crop."""
        self.crops.append(crop)
        self.labels.append(label)
        self.others.append(other)
        self.directed.append(directed)
        self.native_px.append(native_px)

    def extend(self, other: Bank) -> None:
        """Append all crops of another bank."""
        self.crops += other.crops
        self.labels += other.labels
        self.others += other.others
        self.directed += other.directed
        self.native_px += other.native_px
