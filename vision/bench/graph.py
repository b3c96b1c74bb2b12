"""Write small ONNX graphs without the onnx package: the few fields of the format that a network of convolutions needs.

The field numbers are those of onnx.proto (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto). ONNX is protocol
buffers: a message is a list of fields, each a key (number << 3 | wire type) and a value (varint, or length and bytes).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

_FLOAT: Final = 1
_INT64: Final = 7
_IR_VERSION: Final = 8
_OPSET: Final = 13

Attribute = int | float | str | Sequence[int]


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1  # negative numbers are written as their two's complement
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(key: int, value: int) -> bytes:
    return _varint(key << 3) + _varint(value)


def _bytes(key: int, value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return _varint(key << 3 | 2) + _varint(len(data)) + data


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, int):
        return _bytes(1, name) + _number(3, value) + _number(20, 2)
    if isinstance(value, float):
        return _bytes(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, 1)
    if isinstance(value, str):
        return _bytes(1, name) + _bytes(4, value) + _number(20, 3)
    return _bytes(1, name) + b"".join(_number(8, each) for each in value) + _number(20, 7)


def _tensor(name: str, array: NDArray[np.generic]) -> bytes:
    kind = _FLOAT if array.dtype == np.float32 else _INT64
    dims = b"".join(_number(1, side) for side in array.shape)
    return (
        dims + _number(2, kind) + _bytes(8, name) + _bytes(9, np.ascontiguousarray(array).tobytes())
    )


def _value(name: str, shape: Sequence[int]) -> bytes:
    dims = b"".join(_bytes(1, _number(1, side)) for side in shape)
    return _bytes(1, name) + _bytes(2, _bytes(1, _number(1, _FLOAT) + _bytes(2, dims)))


@dataclass
class Graph:
    """A network while it is built: every call adds nodes and gives the name of their output.

    Attributes:
        macs: multiply-accumulates of the convolutions and matrix products so far.
        parameters: weights so far.
    """

    rng: np.random.Generator
    macs: int = 0
    parameters: int = 0
    _nodes: list[bytes] = field(default_factory=list)
    _tensors: list[bytes] = field(default_factory=list)
    _count: int = 0

    def node(
        self, op: str, inputs: Sequence[str], outputs: int = 1, **attributes: Attribute
    ) -> list[str]:
        """Any operator; the names of its outputs."""
        self._count += 1
        names = [f"{op.lower()}{self._count}_{k}" for k in range(outputs)]
        body = b"".join(_bytes(1, each) for each in inputs) + b"".join(
            _bytes(2, each) for each in names
        )
        body += _bytes(3, f"n{self._count}") + _bytes(4, op)
        body += b"".join(_bytes(5, _attribute(key, value)) for key, value in attributes.items())
        self._nodes.append(_bytes(1, body))
        return names

    def constant(self, array: NDArray[np.generic]) -> str:
        """A weight or another constant."""
        self._count += 1
        name = f"c{self._count}"
        self._tensors.append(_bytes(5, _tensor(name, array)))
        return name

    def conv(
        self, x: str, into: int, out: int, kernel: int, area: int, stride: int = 1, groups: int = 1
    ) -> str:
        """A convolution with bias and random weights; ``area`` is the number of its output pixels."""
        fan = into // groups * kernel * kernel
        weight = self.rng.normal(0, fan**-0.5, (out, into // groups, kernel, kernel)).astype(
            np.float32
        )
        bias = np.zeros(out, np.float32)
        self.parameters += weight.size + bias.size
        self.macs += weight.size * area
        pad = kernel // 2
        return self.node(
            "Conv",
            [x, self.constant(weight), self.constant(bias)],
            kernel_shape=[kernel, kernel],
            strides=[stride, stride],
            pads=[pad] * 4,
            group=groups,
        )[0]

    def model(self, inputs: dict[str, Sequence[int]], outputs: dict[str, Sequence[int]]) -> bytes:
        """The finished model as a file's content."""
        graph = b"".join(self._nodes) + _bytes(2, "graph") + b"".join(self._tensors)
        graph += b"".join(_bytes(11, _value(name, shape)) for name, shape in inputs.items())
        graph += b"".join(_bytes(12, _value(name, shape)) for name, shape in outputs.items())
        opset = _bytes(8, _bytes(1, "") + _number(2, _OPSET))
        return _number(1, _IR_VERSION) + _bytes(2, "gorrion") + _bytes(7, graph) + opset
