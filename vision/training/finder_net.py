"""The finder's network: fully convolutional, five scales down, three up, one map for every fourth pixel."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from vision.maps import CHANNELS
from vision.training.blocks import Network

WIDTHS: Final = (16, 32, 56, 80, 112)
"""Channels at strides 2, 4, 8, 16, 32: thin where pixels are many, wide where the neighbourhood is judged."""

BLOCKS: Final = (0, 2, 2, 1)
"""Residual blocks at strides 4, 8, 16, 32."""

HEAD: Final = 40
"""Channels of the last stage at stride 4, from which every output is read by a 1x1 convolution."""

DENSE: Final = 3
"""Maps that only the training asks for: inside a face, inside a back, on an outline."""

MULTIPLE: Final = 32
"""Both sides of the input must be multiples of the deepest stride."""


def _conv(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class _Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _conv(channels, channels)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )
        # A block begins as the identity: the shallow network learns at once, the deep one grows into it.
        nn.init.zeros_(self.second[1].weight)

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


class FinderNet(Network):
    """Pixels to raw maps: probabilities still as logits."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = _conv(3, WIDTHS[0], 2)
        self.down = nn.ModuleList(
            nn.Sequential(_conv(a, b, 2), *(_Residual(b) for _ in range(blocks)))
            for a, b, blocks in zip(WIDTHS, WIDTHS[1:], BLOCKS, strict=False)
        )
        across = (HEAD, WIDTHS[2], WIDTHS[3])
        self.lateral = nn.ModuleList(
            nn.Conv2d(a, b, 1) for a, b in zip(WIDTHS[1:4], across, strict=True)
        )
        self.rise = nn.ModuleList(
            nn.Conv2d(a, b, 1) for a, b in zip(WIDTHS[2:], across, strict=True)
        )
        self.merge = nn.ModuleList(_conv(b, b) for b in across)
        self.out = nn.Conv2d(HEAD, len(CHANNELS), 1)
        self.dense = nn.Conv2d(HEAD, DENSE, 1)
        # Start from "hardly ever a tile", or the first steps are spent on unlearning a picture full of tiles.
        nn.init.zeros_(self.out.bias)
        nn.init.constant_(self.out.bias[:2], -4.0)

    def ends(self) -> list[nn.Module]:
        return [self.stem, self.out, self.dense]

    def forward(self, image_bgr: Tensor) -> Tensor:
        """(B, 3, H, W) float 0..255 to (B, 10, H/4, W/4), H and W multiples of 32."""
        return self.out(self._features(image_bgr))

    def learn(self, image_bgr: Tensor) -> tuple[Tensor, Tensor]:
        """The maps, and the `DENSE` maps beside them as logits."""
        x = self._features(image_bgr)
        return self.out(x), self.dense(x)

    def _features(self, image_bgr: Tensor) -> Tensor:
        x = self.stem((image_bgr - 127.5) / 64.0)
        levels = []
        for stage in self.down:
            x = stage(x)
            levels.append(x)
        for lateral, rise, merge, level in reversed(
            list(zip(self.lateral, self.rise, self.merge, levels[:3], strict=True))
        ):
            x = functional.interpolate(rise(x), scale_factor=2.0, mode="nearest")
            x = merge(functional.relu(x + lateral(level)))
        return x


class _Deployed(nn.Module):
    """Takes pixels as OpenCV holds them and gives probabilities: nothing is left to do wrong outside."""

    def __init__(self, net: FinderNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, pixels: Tensor) -> Tensor:
        raw = self.net(pixels.permute(0, 3, 1, 2).float())
        return torch.cat([torch.sigmoid(raw[:, :2]), raw[:, 2:]], dim=1)


def export(net: FinderNet, path: Path) -> None:
    """Write the network as ONNX with half-precision weights: ``pixels`` (B, H, W, 3) uint8 BGR to ``maps``.

    Arithmetic stays single precision; the runtime widens the weights once, when it loads the file.
    """
    deployed = _Deployed(net).float().eval()
    torch.onnx.export(
        deployed,
        (torch.zeros(1, 256, 320, 3, dtype=torch.uint8),),
        str(path),
        dynamo=False,
        opset_version=17,
        input_names=["pixels"],
        output_names=["maps"],
        dynamic_axes={"pixels": {0: "b", 1: "h", 2: "w"}, "maps": {0: "b", 2: "h4", 3: "w4"}},
    )
    model = onnx.load(str(path))
    _halve_weights(model)
    onnx.save(model, str(path))


def _halve_weights(model: onnx.ModelProto) -> None:
    graph = model.graph
    widen = []
    for weights in graph.initializer:
        array = numpy_helper.to_array(weights)
        if array.dtype != np.float32 or array.size < 64:
            continue
        name = weights.name
        weights.CopyFrom(numpy_helper.from_array(array.astype(np.float16), f"{name}_half"))
        widen.append(helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT))
    for node in reversed(widen):
        graph.node.insert(0, node)
