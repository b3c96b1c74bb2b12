#!/usr/bin/env python3
"""Write the models with 8-bit weights and activations: half the time and a third of the size.

    python3 scripts/quantize.py --data ../shared --models models --out models-int8

Ranges are measured on training photographs, never on held-out ones. What it costs in accuracy is for
`scripts/evaluate.py` to say: ``GORRION_MODELS=models-int8 python3 scripts/evaluate.py --data ../shared``.
Needs the extra ``train`` (onnx).
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from vision.finder import Finder  # noqa: E402 - the checkout has to be on the path first
from vision.models import FINDER, NAMER  # noqa: E402
from vision.rectify import rectify  # noqa: E402
from vision.training.split import photo_part  # noqa: E402

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class CalibrationConfig:
    """What the ranges of the activations are measured on."""

    pictures: int = 80  # more changed no range by more than a step
    batch: int = 64  # crops a pass, as the reader sends them
    side_px: int = 640  # the side at which the finder first looks at a picture
    seed: int = 1


class Batches(CalibrationDataReader):  # type: ignore[misc]
    """Arrays for the one input of a model."""

    def __init__(self, name: str, arrays: Sequence[Image]) -> None:
        self._name = name
        self._arrays: Iterator[Image] = iter(arrays)

    def get_next(self) -> dict[str, Image] | None:
        array = next(self._arrays, None)
        return None if array is None else {self._name: array}


QUANTIZED: Final = ("Conv", "Relu", "Add", "Concat", "MaxPool", "AveragePool", "Resize")
"""The rest, at the ends, stays in floats: 256 steps are too few for probabilities and unit vectors."""
INPUTS: Final = {FINDER: "pixels", NAMER: "crops"}


def main(arguments: list[str] | None = None) -> int:
    """Quantize both models; 0 when done."""
    options = parse(arguments)
    config = CalibrationConfig()
    pictures = training_pictures(options.data, config)
    if not pictures:
        print(
            f"{options.data} holds no training photographs: name the shared folder", file=sys.stderr
        )
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    finder = Finder(options.models / FINDER)
    crops = [rectify(image, finder.find(image).quads_px)[0] for image in pictures]
    stacked = np.concatenate(crops)
    cut = [stacked[at : at + config.batch] for at in range(0, len(stacked), config.batch)]
    squares = [cv2.resize(image, (config.side_px, config.side_px))[None] for image in pictures]
    for name, arrays in ((FINDER, squares), (NAMER, cut)):
        if name in options.only:
            quantize(options.models / name, options.out / name, Batches(INPUTS[name], arrays))
        elif options.models != options.out:
            shutil.copyfile(options.models / name, options.out / name)
        print(f"{name}: {(options.out / name).stat().st_size:,} bytes")
    return 0


def quantize(source: Path, target: Path, batches: Batches) -> None:
    """Write an ONNX model with 8-bit weights (per channel) and activations."""
    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder) / source.name
        quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
        quantize_static(
            str(prepared),
            str(target),
            batches,
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            weight_type=QuantType.QInt8,
            activation_type=QuantType.QUInt8,
            op_types_to_quantize=list(QUANTIZED),
        )


def training_pictures(shared: Path, config: CalibrationConfig) -> list[Image]:
    """Photographs of the training part, BGR, in an order that the seed decides."""
    lines = (shared / "data" / "photos.jsonl").read_text("utf-8").splitlines()
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    rows = [row for row in rows if photo_part(row) == "train"]
    random.Random(config.seed).shuffle(rows)
    found = (cv2.imread(str(shared / "data" / row["image"])) for row in rows[: config.pictures])
    return [image for image in found if image is not None]


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="the shared folder")
    parser.add_argument("--models", type=Path, default=ROOT / "models", help="models to read")
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=(FINDER, NAMER),
        default=(FINDER, NAMER),
        help="models to quantize; the others are copied",
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
