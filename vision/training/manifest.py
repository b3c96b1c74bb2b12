"""The manifest of the models: what they are, what they measure, what they were made of and under which terms."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from onnx import shape_inference

from vision.models import FINDER, MANIFEST, NAMER, REFINER
from vision.training.split import HELD_OUT_ART, HELD_OUT_NO_TILES

_COUNTED_ON: Final = {
    FINDER: ("a picture of 640 x 480", {"pixels": (1, 480, 640, 3)}),
    REFINER: ("a crop of 64 x 64", {"crops": (1, 64, 64, 3)}),
    NAMER: ("a crop of 48 x 64", {"crops": (1, 64, 48, 3)}),
}

SOURCES: Final[tuple[dict[str, str], ...]] = (
    {
        "name": "riichi-parlour",
        "what": "97 photographs of Japanese sets (291 files)",
        "licence": "CC-BY-4.0 by its data file; the repository that mirrors it adds GPL-3.0 and a non-commercial wish",
        "credit": "Roboflow project test-ul13l/my-first-project-fqqce v1",
    },
    {
        "name": "hk-taiwan",
        "what": "782 photographs and video stills of Hong Kong and Taiwan sets",
        "licence": "CC-BY-4.0 by its data file; the repository that mirrors it adds GPL-3.0 and a non-commercial wish",
        "credit": "Roboflow project marco-liu-vwkdl/13423423c-rethink-bonus-label v3",
    },
    {
        "name": "shop-tiles, shop-sheets",
        "what": "629 single faces and 36 sheets of whole sets, pictures of shops",
        "licence": "MIT (its README: images scraped from the web)",
        "credit": "Camerash/mahjong-dataset",
    },
    {
        "name": "no-tiles/amen",
        "what": "tile-free photographs",
        "licence": "CC-BY-4.0",
        "credit": "kunalpohakar/Amenity-Detection-using-Detectron2",
    },
    {
        "name": "no-tiles/azure",
        "what": "tile-free photographs (measurement only)",
        "licence": "MIT",
        "credit": "Azure-Samples/cognitive-services-sample-data-files",
    },
    {
        "name": "no-tiles/cards",
        "what": "tile-free photographs",
        "licence": "Apache-2.0",
        "credit": "EdjeElectronics card detector tutorial",
    },
    {
        "name": "no-tiles/chess",
        "what": "tile-free photographs",
        "licence": "public domain",
        "credit": "jsansao/ChessPiecesv23",
    },
    {
        "name": "no-tiles/chips",
        "what": "tile-free photographs (measurement only)",
        "licence": "CC-BY-4.0",
        "credit": "ScottJJosh/PokerSensei",
    },
    {
        "name": "no-tiles/eocr",
        "what": "tile-free photographs",
        "licence": "Apache-2.0",
        "credit": "JaidedAI/EasyOCR",
    },
    {
        "name": "no-tiles/go, no-tiles/gost",
        "what": "tile-free photographs (gost: measurement only)",
        "licence": "CC-BY-4.0",
        "credit": "wimi321/katago-go-analyzer",
    },
    {
        "name": "no-tiles/jenga",
        "what": "tile-free photographs",
        "licence": "CC-BY-4.0",
        "credit": "shreypatel1/grasp-point-calculation",
    },
    {
        "name": "no-tiles/med",
        "what": "tile-free photographs (measurement only)",
        "licence": "CC-BY-4.0",
        "credit": "2004apurva/Medicine_detector",
    },
)
"""Photographs the models were trained or measured on, as the data's own README states their terms."""


def write_manifest(
    folder: Path,
    shared: Path,
    report: dict[str, Any],
    training: dict[str, Any],
    judge: Mapping[str, Sequence[float]],
) -> Path:
    """Write ``manifest.json`` beside the models.

    Args:
        folder: of the models; a refiner need not be among them.
        shared: the folder that holds ``art/sets.json``.
        report: of `scripts/evaluate.py` over the held-out part.
        training: how they were trained: command, seed, when and how long each stage took.
        judge: weights fitted to these models, see `vision.models.FITTED`.

    Returns:
        The manifest's path.
    """
    manifest = {
        "version": 1,
        "licence": "MIT (the weights; see MODEL_CARD.md for the data)",
        "models": {
            name: _entry(folder / name)
            for name in _COUNTED_ON
            if name != REFINER or (folder / name).is_file()
        },
        "judge": dict(judge),
        "training": training,
        "held_out": {
            "artwork": list(HELD_OUT_ART),
            "tile_free": list(HELD_OUT_NO_TILES),
            "photographs": "vision/training/split.py",
        },
        "metrics": summary(report),
        "data": [*SOURCES, *_artwork(shared)],
    }
    path = folder / MANIFEST
    path.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def summary(report: dict[str, Any]) -> dict[str, Any]:
    """The figures of the model card, without the tables behind them."""
    rates = ("labels", "found", "right_of_labels", "right_of_found", "exact_images", "ece")
    out: dict[str, Any] = {}
    if "photos" in report:
        photos = report["photos"]
        out["photographs"] = {key: photos["total"][key] for key in ("images", *rates)}
        out["photographs_by_part"] = {
            part: {key: tally[key] for key in ("images", *rates)}
            for part, tally in photos["by_part"].items()
        }
    if "shop_tiles" in report:
        out["shop_tiles"] = {key: report["shop_tiles"][key] for key in rates}
    if "tile_free" in report:
        out["tile_free"] = {
            key: report["tile_free"][key] for key in ("images", "false_finds", "per_image")
        }
    for name, score in report.get("renders", {}).items():
        out[f"renders, {name}"] = {
            key: value for key, value in score.items() if key not in ("confusion", "by_design")
        }
    return out


def _entry(path: Path) -> dict[str, Any]:
    content = path.read_bytes()
    macs_of, shapes = _COUNTED_ON[path.name]
    parameters, macs = cost(path, shapes)
    return {
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
        "parameters": parameters,
        "macs": macs,
        "macs_of": macs_of,
    }


def cost(path: Path, shapes: Mapping[str, tuple[int, ...]]) -> tuple[int, int]:
    """Weights of a model, and multiply-accumulates of its convolutions and matrix products.

    Args:
        path: an ONNX file.
        shapes: of its inputs, where the file leaves sides open.
    """
    model = onnx.load(str(path))
    for each in model.graph.input:
        for side, size in zip(each.type.tensor_type.shape.dim, shapes[each.name], strict=True):
            side.dim_value = size
    model = shape_inference.infer_shapes(model)
    weights = {each.name: tuple(each.dims) for each in model.graph.initializer}
    sizes = {
        each.name: tuple(side.dim_value for side in each.type.tensor_type.shape.dim)
        for each in (*model.graph.value_info, *model.graph.output, *model.graph.input)
    }
    sizes.update(weights)
    macs = 0
    for node in model.graph.node:
        if node.op_type == "Conv":
            kernel, out = sizes[node.input[1]], sizes[node.output[0]]
            macs += int(np.prod(kernel[1:])) * int(np.prod(out))
        elif node.op_type in ("Gemm", "MatMul"):
            macs += int(sizes[node.input[0]][-1]) * int(np.prod(sizes[node.output[0]]))
    floats = {
        each.name
        for each in model.graph.initializer
        if each.data_type
        in (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16, onnx.TensorProto.INT8)
    }
    return sum(int(np.prod(shape)) for name, shape in weights.items() if name in floats), macs


def _artwork(shared: Path) -> list[dict[str, str]]:
    """Terms and credits of every artwork set, as `sets.json` states them."""
    sets = json.loads((shared / "art" / "sets.json").read_text(encoding="utf-8"))
    return [
        {
            "name": f"art/{name}",
            "what": "tile faces" if entry["source"] else "characters of a typeface",
            "licence": entry["spdx"] if entry["source"] else "not stated by the data",
            "credit": " - ".join(text for text in (entry["attribution"], entry["source"]) if text)
            or name.removeprefix("kanji-"),
        }
        for name, entry in sorted(sets.items())
    ]
