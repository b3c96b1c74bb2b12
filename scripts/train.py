#!/usr/bin/env python3
"""Make the three models from the shared data: render, train, put into eight bits, fit, measure, write what is known.

    python3 scripts/train.py --data ../shared

Needs the `train` extra. The finder comes first; then namer and refiner, which learn from its mistakes, side by side.
Every stage starts from the same seed and is as long as its number of steps, whatever the clock says: on one machine and
with the same libraries the same command gives the same weights. What each says goes to its log in --work and, with its
name in front, to the screen; when one fails, or on Ctrl-C, the others are stopped. --resume goes on where a run was
stopped, with the renders that are there and from the checkpoints; from there on it draws other crops than an unbroken
run.

The models in floats, checkpoints, renders and figures stay in --work; the shipped models in eight bits, the manifest
and the card are written to --out.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lanes import Lanes, Step, StepFailed  # noqa: E402 - found beside this file, or in the checkout

SCRIPTS = ROOT / "scripts"

STAGES = (
    *("render", "render-own", "finder", "namer", "refiner"),
    *("quantize", "judge", "manifest", "evaluate", "card"),
)
"""In their order, but for `BESIDE`."""

BESIDE = ("namer", "refiner")
"""These run side by side. The finder has the machine for itself: making its crops keeps a second core half busy."""

JUDGE = "judge.json"
"""The judge's weights in --work; the manifest takes them up."""

SHIPPED = ("finder.onnx", "refiner.onnx", "namer.onnx")


def main(arguments: list[str] | None = None) -> int:
    """Run the stages; 0 when done, 1 when one failed, 130 when stopped."""
    options = parse(arguments)
    options.work.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    facts = Facts(options)
    begun = time.monotonic()
    try:
        for group in groups(options.stages):
            minutes = (time.monotonic() - begun) / 60
            print(f"== {' beside '.join(group)} ({minutes:.0f} min so far)", flush=True)
            if group in (["manifest"], ["card"]):
                describe(options, facts, measured=group == ["card"])
            else:
                run(group, options, facts)
    except (StepFailed, NotMeasured) as error:
        print(f"train.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("train.py: stopped; --resume goes on from here", file=sys.stderr)
        return 130
    print(f"== done in {(time.monotonic() - begun) / 60:.0f} min")
    return 0


class NotMeasured(Exception):
    """There are no figures of these very models for the card."""


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """The command line, its folders made absolute."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    shared = Path(os.environ.get("GORRION_DATA", ROOT / ".." / "shared"))
    parser.add_argument("--data", type=Path, default=shared, help="folder with data/ and art/")
    parser.add_argument(
        "--work",
        type=Path,
        default=ROOT / "build" / "training",
        help="folder of renders, checkpoints, logs and the models in floats",
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "models", help="folder of the models to ship"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--renders", type=int, default=7000, help="pictures to train on")
    parser.add_argument(
        "--own-renders", type=int, default=300, help="pictures of our own drawings alone"
    )
    parser.add_argument("--finder-steps", type=int, default=46_000)
    parser.add_argument("--refiner-steps", type=int, default=40_000)
    parser.add_argument("--namer-steps", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=1, help="threads of each training")
    parser.add_argument("--workers", type=int, default=2, help="processes that render")
    parser.add_argument("--resume", action="store_true", help="go on where a run was stopped")
    parser.add_argument(
        "--stages",
        default=",".join(STAGES),
        help=f"comma list of the stages to run (default: {','.join(STAGES)})",
    )
    options = parser.parse_args(arguments)
    options.stages = options.stages.split(",")
    unknown = [stage for stage in options.stages if stage not in STAGES]
    if unknown:
        parser.error(f"there is no stage {unknown[0]!r}: use {', '.join(STAGES)}")
    if not (options.data / "data" / "photos.jsonl").is_file():
        parser.error(f"{options.data} holds no data/photos.jsonl: name the folder with --data")
    for name in ("data", "work", "out"):
        setattr(options, name, getattr(options, name).resolve())
    return options


def groups(stages: Sequence[str]) -> list[list[str]]:
    """The stages asked for in their order: groups that follow each other, of stages that run side by side."""
    out: list[list[str]] = []
    for stage in STAGES:
        if stage not in stages:
            continue
        if out and stage in BESIDE and out[-1][0] in BESIDE:
            out[-1].append(stage)
        else:
            out.append([stage])
    return out


def run(group: Sequence[str], options: argparse.Namespace, facts: Facts) -> None:
    """Run the stages of a group."""
    steps = []
    for stage in group:
        if not options.resume:
            forget(stage, options.work)
        words = command(stage, options)
        if words:
            steps.append(Step(stage, words, options.work / f"{stage}.log"))
        else:
            print(f"{stage:<10} is done already", flush=True)
    Lanes(ROOT, facts.begun, facts.ended).run(steps)


def forget(stage: str, work: Path) -> None:
    """Remove what an earlier run left of a stage, where it would be taken for this run's."""
    for name in (f"{stage}.log", f"{stage}.onnx"):
        (work / name).unlink(missing_ok=True)
    if stage in POOLS:
        shutil.rmtree(work / POOLS[stage], ignore_errors=True)


POOLS = {"render": "renders", "render-own": "own"}
"""Folders of the renders in --work."""


def command(stage: str, options: argparse.Namespace) -> tuple[str, ...]:
    """The command line of a stage; empty if there is nothing left to do."""
    work = options.work
    pool, own = (work / folder for folder in POOLS.values())
    finder, refiner, namer = (work / name for name in SHIPPED)
    shared = ["--seed", options.seed, "--threads", options.threads]
    shared += ["--resume"] if options.resume else []
    words: list[object] = []
    if stage in POOLS:
        count = options.renders if stage == "render" else options.own_renders
        start = complete(work / POOLS[stage])
        if start >= count:
            return ()
        words = ["render.py", "--data", options.data, "--out", work / POOLS[stage]]
        words += ["--start", start, "--count", count - start, "--part", "train"]
        words += ["--seed", options.seed, "--workers", options.workers]
        words += ["--designs", "own"] if stage == "render-own" else []
    elif stage == "finder":
        words = ["train_finder.py", "--data", options.data / "data", "--pool", pool]
        words += ["--out", finder, "--steps", options.finder_steps, *shared]
    elif stage == "refiner":
        words = ["train_refiner.py", "--data", options.data / "data", "--pool", pool]
        words += ["--finder", finder, "--out", refiner, "--work", work / "refiner"]
        words += ["--steps", options.refiner_steps, *shared]
    elif stage == "namer":
        words = ["train_namer.py", "--data", options.data, "--pool", pool, "--own-pool", own]
        words += ["--finder", finder, "--out", namer, "--work", work / "namer"]
        words += ["--steps", options.namer_steps, *shared]
    elif stage == "quantize":
        words = ["quantize.py", "--data", options.data, "--models", work, "--out", options.out]
    elif stage == "judge":
        words = ["fit_judge.py", "--data", options.data, "--pool", pool]
        words += ["--models", options.out, "--out", work / JUDGE]
    elif stage == "evaluate":
        words = ["evaluate.py", "--data", options.data, "--models", options.out]
        words += ["--out", work / "evaluation.json", "--quiet"]
    script, *rest = words
    return (sys.executable, str(SCRIPTS / str(script)), *map(str, rest))


def complete(pool: Path) -> int:
    """How many pictures of a pool are there without a gap; several processes may have left some behind it."""
    count = 0
    while (pool / f"{count:05d}.json").is_file():
        count += 1
    return count


class Facts:
    """What `manifest.json` says of the training: how each stage was asked for, when it began and how long it took.

    Kept in --work, so that stages run on another day don't lose what was noted of the others. Minutes of a stage
    that was stopped and resumed add up.

    Args:
        options: the command line.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self._path: Path = options.work / "training.json"
        self._resume: bool = options.resume
        self.known: dict[str, Any] = {"command": "python3 scripts/train.py --data ../shared"}
        if self._path.is_file():
            self.known = json.loads(self._path.read_text(encoding="utf-8"))
        self._stages: dict[str, Any] = self.known.setdefault("stages", {})

    def begun(self, step: Step) -> None:
        """Note when a stage starts, and how."""
        if not (self._resume and step.name in self._stages):
            now = time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime())
            self._stages[step.name] = {"begun": now, "minutes": 0.0}
        self._stages[step.name]["command"] = told(step.command)
        if step.name in ("finder", *BESIDE):
            self.known |= versions()
        self._write()

    def ended(self, step: Step, seconds: float) -> None:
        """Note how long it ran."""
        entry = self._stages[step.name]
        entry["minutes"] = round(entry["minutes"] + seconds / 60, 1)
        self._write()

    def _write(self) -> None:
        text = json.dumps(self.known, indent=1, ensure_ascii=False)
        self._path.write_text(text + "\n", encoding="utf-8")


def told(words: Sequence[str]) -> str:
    """A stage's command without the folders of this machine."""
    options = zip(words[2::2], words[3::2], strict=False)
    kept = [f"{name} {value}" for name, value in options if name in TOLD]
    return " ".join([Path(words[1]).name, *kept])


TOLD = ("--seed", "--threads", "--steps", "--start", "--count", "--part", "--designs")
"""What decides a stage's outcome, besides the data."""


def versions() -> dict[str, str]:
    """Versions of what decides the figures."""
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for package in ("torch", "onnxruntime"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def describe(options: argparse.Namespace, facts: Facts, measured: bool) -> None:
    """Write the manifest and, once they are measured, the figures into it and into the card.

    Raises:
        NotMeasured: if the figures are missing or older than a model.
    """
    from vision.training.card import fill_card
    from vision.training.manifest import write_manifest

    report, judge = options.work / "evaluation.json", options.work / JUDGE
    if not judge.is_file():
        raise NotMeasured("the judge's weights are not fitted yet: run the stage judge first")
    figures: dict[str, Any] = {}
    if measured:
        made_of = (*(options.out / name for name in SHIPPED), judge)
        made = max(file.stat().st_mtime for file in made_of if file.is_file())
        if not report.is_file() or report.stat().st_mtime < made:
            raise NotMeasured("these models are not measured yet: run the stage evaluate first")
        figures = json.loads(report.read_text(encoding="utf-8"))
    weights = json.loads(judge.read_text(encoding="utf-8"))
    path = write_manifest(options.out, options.data, figures, facts.known, weights)
    print(f"wrote {path}")
    if measured:
        card = options.out / "MODEL_CARD.md"
        if not card.is_file():
            shutil.copyfile(ROOT / "models" / card.name, card)
        fill_card(card, figures, json.loads(path.read_text(encoding="utf-8"))["data"])
        print(f"filled {card}")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
