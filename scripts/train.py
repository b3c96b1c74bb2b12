#!/usr/bin/env python3
"""Make both models from the shared data: render, train the finder, train the namer, measure, write the manifest.

    python3 scripts/train.py --data ../shared

Needs the `train` extra. Every stage starts from the same seed and takes up where it was stopped: renders that exist
are kept, both trainings go on from their checkpoints with --resume. The models are written to --out; the work (renders,
checkpoints, logs) goes to --work.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

STAGES = ("render", "finder", "namer", "evaluate", "manifest")


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    options.work.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    for stage in options.stages:
        print(f"== {stage} ({(time.monotonic() - begun) / 60:.0f} min so far)", flush=True)
        if stage == "manifest":
            write_manifest(options)
            continue
        result = subprocess.run(command(stage, options), cwd=ROOT, check=False)
        if result.returncode:
            print(f"train.py: the stage {stage} failed, see above", file=sys.stderr)
            return 1
        if stage == "namer":
            # The evaluation refuses models that the manifest does not know.
            write_manifest(options)
    print(f"== done in {(time.monotonic() - begun) / 60:.0f} min")
    return 0


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    shared = Path(os.environ.get("GORRION_DATA", ROOT / ".." / "shared"))
    parser.add_argument("--data", type=Path, default=shared, help="folder with data/ and art/")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "training")
    parser.add_argument("--out", type=Path, default=ROOT / "models", help="folder of the models")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--renders", type=int, default=4000, help="pictures to train on")
    parser.add_argument("--finder-minutes", type=float, default=70)
    parser.add_argument("--namer-minutes", type=float, default=80)
    parser.add_argument("--threads", type=int, default=2, help="processor threads of each training")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoints")
    parser.add_argument(
        "--stages",
        default=",".join(STAGES),
        help=f"comma list of the stages to run (default: {','.join(STAGES)})",
    )
    options = parser.parse_args(arguments)
    options.stages = options.stages.split(",")
    unknown = set(options.stages) - set(STAGES)
    if unknown:
        parser.error(f"there is no stage {sorted(unknown)[0]}: use {', '.join(STAGES)}")
    options.data, options.work = options.data.resolve(), options.work.resolve()
    options.out = options.out.resolve()
    return options


def command(stage: str, options: argparse.Namespace) -> list[str]:
    """The command line of a stage."""
    pool, report = options.work / "renders", options.work / "evaluation.json"
    shared = ["--seed", str(options.seed), "--threads", str(options.threads)]
    resume = ["--resume"] if options.resume else []
    lines: dict[str, list[object]] = {
        "render": [
            *("render.py", "--data", options.data, "--out", pool, "--count", options.renders),
            *("--seed", options.seed, "--part", "train", "--workers", options.threads),
        ],
        "finder": [
            *("train_finder.py", "--data", options.data / "data", "--pool", pool),
            *("--out", options.out / "finder.onnx", "--minutes", options.finder_minutes),
            *(*shared, *resume),
        ],
        "namer": [
            *("train_namer.py", "--data", options.data, "--pool", pool),
            *("--finder", options.out / "finder.onnx", "--out", options.out / "namer.onnx"),
            *("--work", options.work / "namer", "--minutes", options.namer_minutes),
            *(*shared, *resume),
        ],
        "evaluate": [
            *("evaluate.py", "--data", options.data / "data", "--models", options.out),
            *("--out", report, "--threads", options.threads, "--quiet"),
        ],
    }
    script, *rest = lines[stage]
    return [sys.executable, str(ROOT / "scripts" / str(script)), *map(str, rest)]


def write_manifest(options: argparse.Namespace) -> None:
    """Write the manifest and, once there are figures, the generated parts of the model card."""
    from vision.training.card import fill_card
    from vision.training.manifest import write_manifest as write

    report = options.work / "evaluation.json"
    figures = json.loads(report.read_text(encoding="utf-8")) if report.is_file() else {}
    training = {
        "command": "python3 scripts/train.py --data ../shared",
        "seed": options.seed,
        "renders": options.renders,
        "finder_minutes": options.finder_minutes,
        "namer_minutes": options.namer_minutes,
        "threads": options.threads,
    }
    path = write(options.out, options.data, figures, training)
    print(f"wrote {path}")
    card = options.out / "MODEL_CARD.md"
    if figures and card.is_file():
        fill_card(card, figures, json.loads(path.read_text(encoding="utf-8"))["data"])
        print(f"filled {card}")


if __name__ == "__main__":
    sys.exit(main())
