#!/usr/bin/env python3
"""Train the finder from renders and photographs and write it as ONNX.

Three phases share the steps. Renders, tile-free pictures and photographs are learned from in all of them: at first the
photographs' label boxes alone, then twice what the finder itself makes of them (see `vision.training.finder_photos`).
Stop it at will; `--resume` goes on.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import cv2
import numpy as np
import torch

from vision.finder import Finder, FinderConfig
from vision.training.blocks import count_macs
from vision.training.desk import Share, ahead
from vision.training.finder_crops import CropConfig
from vision.training.finder_loop import Batch, LoopConfig, Trainer, crops
from vision.training.finder_loss import LossConfig
from vision.training.finder_net import export
from vision.training.finder_photos import LabelConfig, boxed_photos, label_photos
from vision.training.finder_pictures import Loaded, Renders, TileFree
from vision.training.finder_score import photo_rows, score_photos, score_renders, score_tile_free
from vision.training.finder_targets import CENTRE, IGNORED, TILE
from vision.training.split import kept_aside

PHASES = (0.35, 0.3, 0.35)
"""Shares of the steps: until the renders are learned, the finder's own labels could only confirm mistakes."""

AHEAD = 4
"""Batches that lie ready: some crops take ten times as long as others."""


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(options.seed)
    say(
        f"{len(Renders(options.pool))} renders to train on, {len(Renders(options.pool, 'check'))} to check on"
    )
    trainer = Trainer(LoopConfig(batch=options.batch), LossConfig())
    checkpoint = options.out.with_suffix(".ckpt")
    if options.resume and checkpoint.exists():
        trainer.restore(checkpoint)
        say(f"resumed in phase {trainer.phase} at step {trainer.learner.steps}")
    net = trainer.learner.average

    def keep() -> None:
        trainer.save(checkpoint)
        export(net, options.out)

    parameters = sum(p.numel() for p in net.parameters())
    macs = count_macs(net, 480, 640)
    say(f"{parameters:,} parameters, {macs / 1e9:.2f} G multiply-accumulates at 640x480")
    while trainer.phase < len(PHASES):
        phase = trainer.phase
        seed = options.seed * 1000 + phase * 100 + trainer.learner.steps
        until = round(options.steps * sum(PHASES[: phase + 1]))
        # Closed with the phase: what makes its crops holds all its photographs.
        with closing(ahead(sources(options, trainer, seed), AHEAD)) as batches:
            trainer.run(batches, options.steps, until, keep, say)
        check(options)
    return 0


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pool", type=Path, nargs="+", required=True, help="folders of renders")
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with photos.jsonl, photos/ and no-tiles/"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("models/finder.onnx"), help="file to write"
    )
    parser.add_argument(
        "--steps", type=int, default=46_000, help="steps to learn, all phases together"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--threads", type=int, default=1, help="threads of the network; one more makes the crops"
    )
    parser.add_argument("--batch", type=int, default=LoopConfig().batch, help="crops a step")
    parser.add_argument(
        "--resume", action="store_true", help="continue from the checkpoint beside --out"
    )
    return parser.parse_args(arguments)


def say(line: str) -> None:
    print(f"{time.strftime('%H:%M:%S')}  {line}", flush=True)


def sources(options: argparse.Namespace, trainer: Trainer, seed: int) -> Iterator[Batch]:
    photos = photographs(options, trainer)
    shares = [
        Share(Renders(options.pool), 0.67 if trainer.phase == 0 else 0.55),
        Share(TileFree.of(options.data, "train"), 0.13),
        Share(photos, 0.2 if trainer.phase == 0 else 0.32),
    ]
    return crops(shares, seed, options.batch, CropConfig())


def photographs(options: argparse.Namespace, trainer: Trainer) -> Loaded:
    """The training photographs: their boxes alone at first, later labelled with the network as it is now."""
    started = time.monotonic()
    rows = [row for row in photo_rows(options.data) if not kept_aside(row["original"])]
    if trainer.phase == 0:
        return Loaded(boxed_photos(options.data, rows, LabelConfig()))
    path = options.out.with_name(options.out.stem + ".labels.onnx")
    export(trainer.learner.average, path)
    finder = Finder(path, options.threads, FinderConfig(score=0.15, hint=0.15))
    path.unlink()
    config = LabelConfig()
    photos = label_photos(options.data, rows, finder.find, config)
    states = np.concatenate([picture.states for picture in photos])
    say(
        f"labelled {len(photos)} photographs in {time.monotonic() - started:.0f} s: "
        f"{np.mean(states == TILE):.3f} with corners, {np.mean(states == CENTRE):.3f} by centre, "
        f"{np.mean(states == IGNORED):.3f} ignored"
    )
    return Loaded(photos)


def check(options: argparse.Namespace) -> None:
    finder = Finder(options.out, options.threads)
    sizes = ((0, 1e9), (12, 20), (20, 40), (40, 500))
    scores = score_renders(finder.find, Renders(options.pool, "check"), sizes, limit=80)
    for (low, high), score in zip(sizes, scores, strict=True):
        say(f"renders, short side {low:g}..{high:g} px: {score.line()}")
    rows = [row for row in photo_rows(options.data) if kept_aside(row["original"])]
    for part, (found, labelled) in score_photos(finder.find, options.data, rows).items():
        say(
            f"photographs kept aside, {part}: {found} of {labelled} found, {found / max(labelled, 1):.4f}"
        )
    counts = score_tile_free(finder.find, TileFree.of(options.data, "check"))
    say(f"tile-free photographs kept aside: {np.mean(counts):.3f} false finds each")


if __name__ == "__main__":
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    raise SystemExit(main())
