#!/usr/bin/env python3
r"""Train the refiner from renders and photographs and write it as ONNX.

    python3 scripts/train_refiner.py --data ../shared/data --pool pools/train --finder models/finder.onnx \\
        --work work --out work/refiner.onnx

Corners are learned from renders, whose quads are exact, strayed from as the finder errs. Whether a tile is there is
learned from renders, from photographs (with the finder's quads), from tile-free photographs and from what the finder
mistakes for tiles in them. Stop it at will; `--resume` goes on. Needs the extra ``train``.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import cv2
import numpy as np
import torch

from vision.finder import Finder, FinderConfig
from vision.refiner import CROP_PX, Refiner
from vision.training.blocks import count_macs
from vision.training.desk import Share, drawn
from vision.training.finder_pictures import Renders, TileFree
from vision.training.finder_score import photo_rows, score_renders
from vision.training.refiner_crops import ViewConfig
from vision.training.refiner_loop import Bank, LoopConfig, Trainer
from vision.training.refiner_net import export_onnx
from vision.training.refiner_scenes import Exact, Labelled, Scene, mistaken
from vision.training.refiner_score import (
    SIZES,
    presence,
    presence_line,
    refined_finds,
    score_strayed,
)
from vision.training.split import kept_aside

SHARES = (0.62, 0.23, 0.15)
"""Shares of the views: renders, tile-free photographs, labelled photographs."""

DESK = (24, 6)
"""Pictures of each kind held open, and views taken of one before it is put back."""

MINED = 3000
"""Renders in which the finder's mistakes are looked up: two minutes, and one cloth in five has a pattern."""

EAGER = FinderConfig(score=0.2, hint=0.15)
"""A finder that makes many mistakes, to learn from."""


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(options.seed)
    options.work.mkdir(parents=True, exist_ok=True)
    checkpoint = options.work / "refiner.ckpt"
    if options.check:
        check(options)
        return 0
    trainer = Trainer(LoopConfig())
    if options.resume and checkpoint.exists():
        trainer.learner.restore(checkpoint)
        say(f"resumed at step {trainer.learner.steps}")
    net = trainer.learner.net
    parameters = sum(p.numel() for p in net.parameters())
    macs = count_macs(net, CROP_PX, CROP_PX)
    say(f"{parameters:,} parameters, {macs / 1e6:.2f} M multiply-accumulates")

    def keep() -> None:
        trainer.learner.save(checkpoint)
        export_onnx(trainer.learner.average, options.out)

    if trainer.learner.steps < options.steps:
        rng = np.random.default_rng((options.seed, trainer.learner.steps))
        seed = options.seed * 1000 + trainer.learner.steps
        bank = Bank(drawn(shares(options), rng), seed, LoopConfig(), ViewConfig())
        trainer.run(bank, options.steps, options.seed, keep, say)
    check(options)
    return 0


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with photos.jsonl, photos/ and no-tiles/"
    )
    parser.add_argument(
        "--pool", type=Path, action="append", required=True, help="folder of renders; repeatable"
    )
    parser.add_argument(
        "--finder", type=Path, required=True, help="the ONNX file whose finds are refined"
    )
    parser.add_argument("--out", type=Path, required=True, help="the ONNX file to write")
    parser.add_argument("--work", type=Path, required=True, help="folder of the checkpoint")
    parser.add_argument("--steps", type=int, default=40_000, help="steps to learn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--threads", type=int, default=1, help="threads of the network; one more makes the crops"
    )
    parser.add_argument("--resume", action="store_true", help="continue from the checkpoint")
    parser.add_argument(
        "--check", action="store_true", help="do not train, only measure --out on the check part"
    )
    parser.add_argument(
        "--check-all",
        action="store_true",
        help="with --check: measure on all pictures of the pools",
    )
    return parser.parse_args(arguments)


def say(line: str) -> None:
    print(f"{time.strftime('%H:%M:%S')}  {line}", flush=True)


def shares(options: argparse.Namespace) -> list[Share[Scene]]:
    finder = Finder(options.finder, options.threads, EAGER)
    renders, free = Renders(options.pool), TileFree.of(options.data, "train")
    say(f"{len(renders)} renders, {len(free)} tile-free photographs")
    step = max(1, len(renders) // MINED)
    of_renders = mistaken(renders, finder.find, range(0, len(renders), step))
    of_free = mistaken(free, finder.find, range(len(free)))
    say(
        f"mistakes: {sum(map(len, of_renders.values()))} in renders, "
        f"{sum(map(len, of_free.values()))} in tile-free photographs"
    )
    rows = [row for row in photo_rows(options.data) if not kept_aside(row["original"])]
    photos = Labelled(options.data, rows, finder.find)
    say(f"{len(photos)} photographs")
    return [
        Share(Exact(renders, of_renders), SHARES[0], *DESK),
        Share(Exact(free, of_free), SHARES[1], *DESK),
        Share(photos, SHARES[2], *DESK),
    ]


def check(options: argparse.Namespace) -> None:
    refiner = Refiner(options.out, options.threads)
    part = "all" if options.check_all else "check"
    renders = Renders(options.pool, part)
    for (low, high), score in zip(SIZES, score_strayed(refiner, renders), strict=True):
        say(f"strayed, short side {low:g}..{high:g} px: {score.line()}")
    eager = Finder(options.finder, options.threads, EAGER)
    say(f"renders: {presence_line(*presence(eager, refiner, renders))}")
    free = TileFree.of(options.data, "test" if options.check_all else "check")
    say(f"tile-free photographs: {presence_line(*presence(eager, refiner, free))}")
    finder = Finder(options.finder, options.threads)
    kinds = {
        "found": finder.find,
        "refined": refined_finds(finder, refiner, 0.0),
        "refined, present from 0.3": refined_finds(finder, refiner, 0.3),
    }
    for name, find in kinds.items():
        for (low, high), found in zip(SIZES, score_renders(find, renders, SIZES), strict=True):
            say(f"{name}, short side {low:g}..{high:g} px: {found.line()}")


if __name__ == "__main__":
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    raise SystemExit(main())
