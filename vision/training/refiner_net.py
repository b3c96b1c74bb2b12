"""The refiner's network: a small residual CNN on one crop of a find's neighbourhood, corners and "a tile" out.

Corners are regressed from the whole 8 x 8 map by one linear layer rather than from a pooled vector: where an edge
lies is exactly what pooling forgets.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn

from vision.refiner import CROP_PX
from vision.training.blocks import Network, Residual, Step, write_crops_onnx

_WIDTHS: Final = (16, 32, 64)
"""Channels after each halving of the crop: 32, 16 and 8 cells a side."""

_SQUEEZED: Final = 16
"""Channels of the 8 x 8 map that is flattened: the linear layer behind it has most of the weights."""

_HIDDEN: Final = 96

UNIT: Final = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
"""The given quad in its own units: the answer of a network that has nothing to say."""


class RefinerNet(Network):
    """Crop -> corners and logit.

    The input is what `vision.refiner.neighbourhoods` cuts: (N, 3, 64, 64) BGR, values 0..255; scaling happens inside.
    The outputs are (N, 4, 2) corners in units of the given quad, and the (N,) logit of "a face or back is here".
    """

    def __init__(self) -> None:
        super().__init__()
        a, b, c = _WIDTHS
        self.trunk = nn.Sequential(
            Step(3, a, 2),
            Step(a, b, 2),
            Residual(b),
            Step(b, c, 2),
            Residual(c),
            nn.Conv2d(c, _SQUEEZED, 1),
            nn.ReLU(inplace=True),
            nn.Flatten(),
            nn.Linear(_SQUEEZED * (CROP_PX // 8) ** 2, _HIDDEN),
            nn.ReLU(inplace=True),
        )
        self.head = nn.Linear(_HIDDEN, 9)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)
        self.register_buffer("unit", torch.tensor(UNIT))

    def ends(self) -> list[nn.Module]:
        return [self.trunk[0], self.head]

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        out = self.head(self.trunk(crops * (1 / 64) - 2)).float()
        return self.unit + out[:, :8].reshape(-1, 4, 2), out[:, 8]


class _Shipped(nn.Module):
    """Bytes in, probability out: what the ONNX file holds."""

    def __init__(self, net: RefinerNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        corners, logit = self.net(crops.permute(0, 3, 1, 2).float())
        return corners, torch.sigmoid(logit)


def export_onnx(net: RefinerNet, path: Path) -> None:
    """Write ``net`` to ``path``: input ``crops`` (N, 64, 64, 3) uint8 BGR, outputs ``corners`` (N, 4, 2) in units of
    the given quad and ``present`` (N,) in 0..1."""
    copy = RefinerNet()
    copy.load_state_dict(net.state_dict())
    write_crops_onnx(_Shipped(copy), (CROP_PX, CROP_PX), ("corners", "present"), path)
