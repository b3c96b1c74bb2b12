#!/usr/bin/env python3
"""Write the models with 8-bit weights and activations: half the time and a third of the size.

    python3 scripts/quantize.py --data ../shared --models build/training --out models

A stage of `scripts/train.py`, which keeps the models in floats. Ranges are measured on training photographs, never on
held-out ones. What it costs in accuracy is for `scripts/evaluate.py` to say.
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
from vision.models import FINDER, NAMER, REFINER  # noqa: E402
from vision.rectify import rectify  # noqa: E402
from vision.refiner import Refiner, neighbourhoods  # noqa: E402
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
"""The rest, the linear layers and all else at the ends, stays in floats: 256 steps are too few for corners to a
hundredth of a tile, for probabilities and for unit vectors."""
INPUTS: Final = {FINDER: "pixels", REFINER: "crops", NAMER: "crops"}


def main(arguments: list[str] | None = None) -> int:
    """Quantize the models; 0 when done."""
    options = parse(arguments)
    config = CalibrationConfig()
    pictures = training_pictures(options.data, config)
    if not pictures:
        print(
            f"{options.data} holds no training photographs: name the shared folder", file=sys.stderr
        )
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    for name, arrays in seen(options.models, pictures, config).items():
        source, target = options.models / name, options.out / name
        if name in options.only:
            quantize(source, target, Batches(INPUTS[name], arrays))
        elif source.resolve() != target.resolve():
            shutil.copyfile(source, target)
        print(f"{name}: {source.stat().st_size:,} bytes in, {target.stat().st_size:,} out")
    return 0


def seen(
    models: Path, pictures: Sequence[Image], config: CalibrationConfig
) -> dict[str, list[Image]]:
    """What each model is shown of the pictures by those before it, in passes of the size the reader makes."""
    finder = Finder(models / FINDER)
    refiner = Refiner(models / REFINER) if (models / REFINER).is_file() else None
    squares = [cv2.resize(image, (config.side_px, config.side_px))[None] for image in pictures]
    around, crops = [], []
    for image in pictures:
        found = finder.find(image).quads_px
        if not len(found):  # the reader then looks at the frame as a whole
            height, width = image.shape[:2]
            found = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float32)
        if refiner is not None:
            around.append(neighbourhoods(image, found))
            found = refiner.refine(image, found)[0]
        crops.append(rectify(image, found)[0])
    shown = {FINDER: squares, NAMER: passes(np.concatenate(crops), config.batch)}
    if refiner is not None:
        shown[REFINER] = passes(np.concatenate(around), config.batch)
    return shown


def passes(crops: Image, batch: int) -> list[Image]:
    """Crops (N, H, W, 3) in pieces of a pass."""
    return [crops[at : at + batch] for at in range(0, len(crops), batch)]


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
        choices=tuple(INPUTS),
        default=tuple(INPUTS),
        help="models to quantize; the others are copied",
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
