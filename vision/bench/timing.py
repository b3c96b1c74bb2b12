"""Time the reader and the reference network in turn, on the same processor at the same time."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import onnxruntime as ort

from vision.bench import reference
from vision.bench.pictures import table
from vision.models import load_manifest, models_dir, shipped
from vision.reader import Reader

SIZES: Final = ((640, 480), (1280, 720), (1920, 1080), (4032, 3024))
TILES: Final = (14, 40, 100)


@dataclass(frozen=True, slots=True)
class BenchConfig:
    """How often things are timed; the median counts."""

    reads: int = 5
    """Reads of each picture: a laptop's frequency moves by a tenth within a second, the median does not."""
    references: int = 3
    """Passes of the reference before and after each picture, so that both see the same processor."""


def bench(
    threads: int = 1,
    folder: Path | None = None,
    config: BenchConfig | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """All figures, as the JSON that is printed.

    Args:
        threads: of the networks and of the reference.
        folder: of the models; by default where `vision.models` finds them.
        config: see `BenchConfig`.
        progress: told what is timed.

    Returns:
        ``reference_ms``, ``reads`` (``width, height, tiles, found, find_ms, name_ms, total_ms, ratio``), the models'
        sizes and multiply-accumulates, and the memory of the process.
    """
    config = config or BenchConfig()
    folder = models_dir() if folder is None else folder
    cv2.setNumThreads(threads)
    reader = Reader(folder, threads)
    before = resident_mb()
    content, macs, parameters = reference.build()
    pass_reference = _reference(content, threads)
    passes: list[float] = []
    rows: list[dict[str, Any]] = []
    for width, height in SIZES:
        for tiles in TILES:
            progress(f"{width} x {height}, {tiles} tiles")
            image = table(width, height, tiles)
            reader.read(image)
            passes += [pass_reference() for _ in range(config.references)]
            readings = [reader.read(image) for _ in range(config.reads)]
            passes += [pass_reference() for _ in range(config.references)]
            find = statistics.median(reading.ms["find"] for reading in readings)
            name = statistics.median(reading.ms["name"] for reading in readings)
            rows.append(
                {
                    "width": width,
                    "height": height,
                    "tiles": tiles,
                    "found": len(readings[0].tiles),
                    "find_ms": find,
                    "name_ms": name,
                    "total_ms": statistics.median(sum(reading.ms.values()) for reading in readings),
                }
            )
    reference_ms = statistics.median(passes)
    for row in rows:
        row["ratio"] = round(row["total_ms"] / reference_ms, 3)
        row.update({key: round(row[key], 2) for key in ("find_ms", "name_ms", "total_ms")})
    return {
        "threads": threads,
        "reference_ms": round(reference_ms, 2),
        "reference": {"like": "YOLO11n at 640", "macs": macs, "parameters": parameters},
        "reads": rows,
        "models": _models(folder),
        "memory_mb": {"with_models": before, "after_all_reads": resident_mb()},
    }


def _reference(content: bytes, threads: int) -> Callable[[], float]:
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = ort.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    image = np.random.default_rng(0).random((1, 3, reference.SIDE, reference.SIDE), np.float32)

    def once() -> float:
        start = time.perf_counter()
        session.run(None, {"images": image})
        return (time.perf_counter() - start) * 1000

    for _ in range(3):
        once()
    return once


def _models(folder: Path) -> dict[str, Any]:
    manifest = load_manifest(folder)
    entries = manifest["models"]
    known = ("bytes", "parameters", "macs", "macs_of")
    return {
        name: {key: entries[name][key] for key in known if key in entries.get(name, {})}
        for name in shipped(manifest)
    }


def resident_mb() -> float | None:
    """Memory the process holds now in MB, where Linux or macOS tell it."""
    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text().splitlines():
            if line.startswith("VmRSS:"):
                return round(int(line.split()[1]) / 1024, 1)
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # the most so far; macOS counts bytes
    return round(peak / 1e6 if sys.platform == "darwin" else peak / 1024, 1)
