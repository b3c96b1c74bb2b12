"""A network of the shape of YOLO11n at 640 x 640, with random weights: the yardstick of `gorrion bench`.

Same layers, channels and resolutions as yolo11.yaml at scale n (Ultralytics: 2.6 M parameters, 6.5 G floating point
operations, which is 3.25 G multiply-accumulates), batch norms folded, up to the raw outputs of the detection head.
Only its time matters, and that does not depend on the weights.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.bench.graph import Graph

SIDE: Final = 640
_CLASSES: Final = 80
_BINS: Final = 16


class _Yolo11n:
    def __init__(self, seed: int) -> None:
        self.g = Graph(np.random.default_rng(seed))

    def conv(
        self, x: str, into: int, out: int, side: int, k: int = 1, stride: int = 1, groups: int = 1
    ) -> str:
        """Convolution and SiLU; ``side`` is that of its square output."""
        y = self.g.conv(x, into, out, k, side * side, stride, groups)
        return self.g.node("Mul", [y, self.g.node("Sigmoid", [y])[0]])[0]

    def cat(self, *parts: str) -> str:
        return self.g.node("Concat", parts, axis=1)[0]

    def halves(self, x: str, half: int) -> list[str]:
        sizes = self.g.constant(np.array([half, half], np.int64))
        return self.g.node("Split", [x, sizes], outputs=2, axis=1)

    def bottleneck(self, x: str, c: int, side: int, inner: float) -> str:
        mid = int(c * inner)
        y = self.conv(self.conv(x, c, mid, side, 3), mid, c, side, 3)
        return self.g.node("Add", [x, y])[0]

    def c3k(self, x: str, c: int, side: int) -> str:
        mid = c // 2
        a = self.conv(x, c, mid, side)
        for _ in range(2):
            a = self.bottleneck(a, mid, side, 1.0)
        return self.conv(self.cat(a, self.conv(x, c, mid, side)), 2 * mid, c, side)

    def c3k2(
        self, x: str, into: int, out: int, side: int, deep: bool, expansion: float = 0.5
    ) -> str:
        c = int(out * expansion)
        a, b = self.halves(self.conv(x, into, 2 * c, side), c)
        last = self.c3k(b, c, side) if deep else self.bottleneck(b, c, side, 0.5)
        return self.conv(self.cat(a, b, last), 3 * c, out, side)

    def sppf(self, x: str, c: int, side: int) -> str:
        pools = [self.conv(x, c, c // 2, side)]
        for _ in range(3):
            pools += self.g.node(
                "MaxPool", [pools[-1]], kernel_shape=[5, 5], pads=[2] * 4, strides=[1, 1]
            )
        return self.conv(self.cat(*pools), 2 * c, c, side)

    def c2psa(self, x: str, c: int, side: int) -> str:
        half = c // 2
        a, b = self.halves(self.conv(x, c, c, side), half)
        b = self.g.node("Add", [b, self.attention(b, half, side)])[0]
        grown = self.conv(b, half, 2 * half, side)
        b = self.g.node("Add", [b, self.g.conv(grown, 2 * half, half, 1, side * side)])[0]
        return self.conv(self.cat(a, b), c, c, side)

    def attention(self, x: str, c: int, side: int) -> str:
        heads, n = c // 64, side * side
        key, value = 32, 64
        packed = self.g.conv(x, c, c + 2 * key * heads, 1, n)
        shape = self.g.constant(np.array([1, heads, 2 * key + value, n], np.int64))
        sizes = self.g.constant(np.array([key, key, value], np.int64))
        q, k, v = self.g.node(
            "Split", [self.g.node("Reshape", [packed, shape])[0], sizes], outputs=3, axis=2
        )
        scores = self.g.node("MatMul", [self.g.node("Transpose", [q], perm=[0, 1, 3, 2])[0], k])[0]
        scale = self.g.constant(np.array(key**-0.5, np.float32))
        weights = self.g.node("Softmax", [self.g.node("Mul", [scores, scale])[0]], axis=-1)[0]
        mixed = self.g.node(
            "MatMul", [v, self.g.node("Transpose", [weights], perm=[0, 1, 3, 2])[0]]
        )[0]
        self.g.macs += heads * n * n * (key + value)
        square = self.g.constant(np.array([1, c, side, side], np.int64))
        place = self.g.conv(self.g.node("Reshape", [v, square])[0], c, c, 3, n, groups=c)
        both = self.g.node("Add", [self.g.node("Reshape", [mixed, square])[0], place])[0]
        return self.g.conv(both, c, c, 1, n)

    def upsample(self, x: str) -> str:
        scales = self.g.constant(np.array([1, 1, 2, 2], np.float32))
        return self.g.node("Resize", [x, "", scales], mode="nearest")[0]

    def head(self, x: str, c: int, side: int) -> str:
        """One level of the detection head, flattened to (1, 144, side * side)."""
        boxes = self.conv(self.conv(x, c, 64, side, 3), 64, 64, side, 3)
        boxes = self.g.conv(boxes, 64, 4 * _BINS, 1, side * side)
        names = self.conv(self.conv(x, c, c, side, 3, groups=c), c, _CLASSES, side)
        names = self.conv(
            self.conv(names, _CLASSES, _CLASSES, side, 3, groups=_CLASSES), _CLASSES, _CLASSES, side
        )
        names = self.g.conv(names, _CLASSES, _CLASSES, 1, side * side)
        flat = self.g.constant(np.array([1, 4 * _BINS + _CLASSES, side * side], np.int64))
        return self.g.node("Reshape", [self.cat(boxes, names), flat])[0]

    def build(self) -> bytes:
        x = self.conv("images", 3, 16, 320, 3, 2)
        x = self.c3k2(self.conv(x, 16, 32, 160, 3, 2), 32, 64, 160, False, 0.25)
        p3 = self.c3k2(self.conv(x, 64, 64, 80, 3, 2), 64, 128, 80, False, 0.25)
        p4 = self.c3k2(self.conv(p3, 128, 128, 40, 3, 2), 128, 128, 40, True)
        x = self.c3k2(self.conv(p4, 128, 256, 20, 3, 2), 256, 256, 20, True)
        p5 = self.c2psa(self.sppf(x, 256, 20), 256, 20)
        n4 = self.c3k2(self.cat(self.upsample(p5), p4), 384, 128, 40, False)
        n3 = self.c3k2(self.cat(self.upsample(n4), p3), 256, 64, 80, False)
        m4 = self.c3k2(self.cat(self.conv(n3, 64, 64, 40, 3, 2), n4), 192, 128, 40, False)
        m5 = self.c3k2(self.cat(self.conv(m4, 128, 128, 20, 3, 2), p5), 384, 256, 20, True)
        levels = [self.head(n3, 64, 80), self.head(m4, 128, 40), self.head(m5, 256, 20)]
        out = self.g.node("Concat", levels, axis=2)[0]
        cells = 80 * 80 + 40 * 40 + 20 * 20
        return self.g.model({"images": (1, 3, SIDE, SIDE)}, {out: (1, 4 * _BINS + _CLASSES, cells)})


def build(seed: int = 0) -> tuple[bytes, int, int]:
    """The reference network.

    Returns:
        The ONNX file's content, its multiply-accumulates and its number of parameters. Input ``images`` is
        (1, 3, 640, 640) float32.
    """
    net = _Yolo11n(seed)
    return net.build(), net.g.macs, net.g.parameters
