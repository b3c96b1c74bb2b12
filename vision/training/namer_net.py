"""The namer's network: a small residual CNN on one rectified crop, with three heads.

Plain 3x3 convolutions throughout: on CPUs they run at a higher share of the peak than depthwise ones, in training
(bf16) as well as in ONNX Runtime, so a multiply-accumulate is not the same cost everywhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.labels import LABELS
from vision.training.blocks import Network, Residual, Step, write_crops_onnx

EMBEDDING: Final = 128
"""Length of the embedding: the penultimate layer, L2-normalised."""

_WIDTHS: Final = (24, 40, 80, 144)
"""Channels after each halving of the crop: 32x24, 16x12, 8x6, 4x3."""

_HIDDEN_TURNED: Final = 32


class NamerOutput(NamedTuple):
    """What the network says of N crops: (N, 47) logits, (N,) turned logit, (N, 128) embedding of length one."""

    logits: Tensor
    turned: Tensor
    embedding: Tensor


class NamerNet(Network):
    """Crop -> (logits, turned logit, embedding).

    The input is what `vision.rectify` cuts: (N, 3, 64, 48) BGR, values 0..255; scaling happens inside.
    The logits are linear in the embedding, so a class prototype of embeddings and a row of the classifier mean the
    same thing, which is what adaptation to a table's own set relies on.
    """

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = _WIDTHS
        self.trunk = nn.Sequential(
            Step(3, a, 2),
            Step(a, b, 2),
            Residual(b),
            Step(b, c, 2),
            Residual(c),
            Residual(c),
            Step(c, d, 2),
            Residual(d),
            nn.Flatten(),
        )
        flat = d * 4 * 3
        self.drop = nn.Dropout(0.1)
        self.embed = nn.Sequential(
            nn.Linear(flat, EMBEDDING, bias=False), nn.BatchNorm1d(EMBEDDING)
        )
        self.classify = nn.Linear(EMBEDDING, len(LABELS))
        self.turn = nn.Sequential(
            nn.Linear(flat, _HIDDEN_TURNED), nn.ReLU(inplace=True), nn.Linear(_HIDDEN_TURNED, 1)
        )
        self.scale = nn.Parameter(torch.tensor(8.0))

    def ends(self) -> list[nn.Module]:
        return [self.trunk[0], self.classify, self.turn[-1]]

    def forward(self, crops: Tensor) -> NamerOutput:
        features = self.trunk(crops * (1 / 64) - 2)
        embedding = functional.normalize(self.embed(self.drop(features)).float(), dim=1)
        logits = self.classify(self.scale * embedding)
        return NamerOutput(logits, self.turn(features).squeeze(1), embedding)


class _Shipped(nn.Module):
    """Bytes in, probabilities out: what the ONNX file holds, with the temperatures folded in."""

    def __init__(self, net: NamerNet, temperature: float, turned_temperature: float) -> None:
        super().__init__()
        self.net = net
        self.temperature = temperature
        self.turned_temperature = turned_temperature

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        out = self.net(crops.permute(0, 3, 1, 2).float())
        return (
            torch.softmax(out.logits / self.temperature, dim=1),
            torch.sigmoid(out.turned / self.turned_temperature),
            out.embedding,
        )


def export_onnx(
    net: NamerNet, path: Path, temperature: float = 1.0, turned_temperature: float = 1.0
) -> None:
    """Write ``net`` to ``path``: input ``crops`` (N, 64, 48, 3) uint8 BGR, outputs ``posteriors``, ``turned``,
    ``embeddings`` as in `vision.seen.Names`."""
    copy = NamerNet()
    copy.load_state_dict(net.state_dict())
    write_crops_onnx(
        _Shipped(copy, temperature, turned_temperature),
        (64, 48),
        ("posteriors", "turned", "embeddings"),
        path,
    )
