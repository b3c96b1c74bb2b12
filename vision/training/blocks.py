"""What the small networks are built of, and what is done with all of them: averaged, counted, written as ONNX."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional


class Network(nn.Module):
    """What all of them are."""

    def ends(self) -> Sequence[nn.Module]:
        """The first layer and those that answer: `vision.training.optimiser` moves their weights in another way."""
        raise NotImplementedError


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


def count_macs(net: nn.Module, height: int, width: int) -> int:
    """Multiply-accumulates of one picture of ``height`` x ``width`` pixels: convolutions and linear layers."""
    total = 0

    def add(module: nn.Module, _: object, output: Tensor) -> None:
        nonlocal total
        if isinstance(module, nn.Conv2d):
            total += output[0].numel() * module.weight[0].numel()
        elif isinstance(module, nn.Linear):
            total += module.weight.numel()

    hooks = [m.register_forward_hook(add) for m in net.modules()]
    was_training = net.training
    net.eval()
    with torch.no_grad():
        net(torch.zeros(1, 3, height, width))
    net.train(was_training)
    for hook in hooks:
        hook.remove()
    return total


def write_crops_onnx(
    shipped: nn.Module, size: tuple[int, int], outputs: Sequence[str], path: Path
) -> None:
    """Write a network on crops as ONNX, in one step, so that a reader never sees half of it.

    Args:
        shipped: takes (N, height, width, 3) uint8 BGR, the input ``crops``.
        size: height and width of a crop in pixels.
        outputs: names of what it gives, each with N rows.
        path: the file.
    """
    buffer = io.BytesIO()
    torch.onnx.export(
        shipped.eval(),
        (torch.zeros(2, *size, 3, dtype=torch.uint8),),
        buffer,
        dynamo=False,
        opset_version=17,
        input_names=["crops"],
        output_names=list(outputs),
        dynamic_axes={name: {0: "n"} for name in ("crops", *outputs)},
    )
    partial = path.with_suffix(".partial")
    partial.write_bytes(buffer.getvalue())
    partial.replace(path)
