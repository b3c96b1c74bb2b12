"""What the small networks on crops are built of, and the average of weights that all trainings keep."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional


class Step(nn.Sequential):
    """3x3 convolution, batch norm, ReLU."""

    def __init__(self, c_in: int, c_out: int, stride: int) -> None:
        super().__init__(
            nn.Conv2d(c_in, c_out, 3, stride, 1, bias=False),
            nn.BatchNorm2d(c_out),
            nn.ReLU(inplace=True),
        )


class Residual(nn.Module):
    """One 3x3 convolution with a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, 1, 1, bias=False)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.norm(self.conv(x)))


def follow(average: nn.Module, net: nn.Module, by: float) -> None:
    """Move an averaged twin towards a network by a share of the way; counters are copied."""
    with torch.no_grad():
        for mean, new in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
            if mean.dtype.is_floating_point:
                mean.lerp_(new, by)
            else:
                mean.copy_(new)
