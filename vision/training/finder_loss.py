"""The finder's loss: a focal loss on the peaks, absolute errors on the shapes at the peaks."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional


@dataclass(frozen=True, slots=True)
class LossConfig:
    """Weights of the parts."""

    offset: float = 1.5
    """An error of a tenth of a tile in the centre counts as much as in a corner that the sides place."""
    length: float = 0.6
    angle: float = 0.6
    """The refiner puts sides right: what the finder alone can do is see that there is a tile."""
    smooth: float = 0.1
    """Errors below this count by their square: what is nearly right leaves the gradient to what is not."""
    empty: float = 4.0
    """Weight of a picture without tiles, in tiles: few such pictures must outweigh many renders."""
    dense: float = 2.0
    """Weight of the dense maps, in tiles a picture: every cell says something about every tile it is part of, which is
    what teaches a young network what a tile is."""
    focus: float = 2.0
    """Exponent that turns attention to what is still wrong (Lin et al. 2017, as in CenterNet, Zhou et al. 2019)."""
    calm: float = 4.0
    """Exponent that spares the slopes of the peaks (CenterNet)."""


def finder_loss(
    raw: Tensor,
    heat: Tensor,
    shape: Tensor,
    weight: Tensor,
    mask: Tensor,
    count: Tensor,
    dense: Tensor,
    parts_map: Tensor,
    config: LossConfig,
) -> tuple[Tensor, dict[str, Tensor]]:
    """Loss of a batch.

    Args:
        raw: (B, 10, h, w) the network's output, probabilities as logits.
        heat: (B, 2, h, w), shape: (B, 8, h, w), weight and mask: (B, h, w), see `finder_targets.Targets`.
        count: (B,) tiles a picture.
        dense: (B, 3, h, w) the dense maps as logits, parts_map: (B, 3, h, w) what they should be, -1 unknown.
        config: weights.

    Returns:
        The loss and its parts. A picture of 100 tiles counts ten times one of one tile, not a hundred times.
    """
    raw = raw.float()
    number = count.clamp(min=1.0)
    scale = number.rsqrt() / number.sqrt().sum()
    scale = torch.where(count == 0, config.empty * scale, scale)
    logits = raw[:, :2]
    p = torch.sigmoid(logits)
    log_p, log_q = functional.logsigmoid(logits), functional.logsigmoid(-logits)
    peak = heat >= 0.999
    hit = -((1 - p) ** config.focus) * log_p
    miss = -(p**config.focus) * log_q * (1 - heat) ** config.calm
    presence = torch.where(peak, hit, miss * mask[:, None]).sum(dim=(1, 2, 3))
    error = (
        functional.smooth_l1_loss(raw[:, 2:], shape, reduction="none", beta=config.smooth)
        * weight[:, None]
    )
    part = error.sum(dim=(2, 3))
    parts = {
        "peak": (presence * scale).sum(),
        "offset": (part[:, 0:2].sum(dim=1) * scale).sum(),
        "length": (part[:, 2:4].sum(dim=1) * scale).sum(),
        "angle": (part[:, 4:8].sum(dim=1) * scale).sum(),
        "dense": _dense(dense.float(), parts_map),
    }
    total = (
        parts["peak"]
        + config.offset * parts["offset"]
        + config.length * parts["length"]
        + config.angle * parts["angle"]
        + config.dense * parts["dense"]
    )
    return total, parts


def _dense(logits: Tensor, wanted: Tensor) -> Tensor:
    known = (wanted >= 0).float()
    each = functional.binary_cross_entropy_with_logits(
        logits, wanted.clamp(min=0), reduction="none"
    )
    return logits.shape[1] * (each * known).sum() / (known.sum() + 1.0)
