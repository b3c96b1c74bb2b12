#!/usr/bin/env python3
"""Train the namer from the shared faces and photographs and from pools of renders, and write it as ONNX.

Needs the ``train`` extra and a trained finder. Prints progress lines; a stopped run goes on with --resume. Held-out
designs and pictures (vision/training/split.py) are never read.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from vision.labels import INDEX, LABELS
from vision.training import namer_crops as crops
from vision.training.blocks import count_macs
from vision.training.finder_pictures import Renders
from vision.training.namer_augment import PHOTO, RENDER, AugmentConfig
from vision.training.namer_bank import Bank
from vision.training.namer_candidates import false_finds, quads_by
from vision.training.namer_crops import Photographs
from vision.training.namer_exam import examine, fit_temperature, report
from vision.training.namer_faces import load_sets
from vision.training.namer_loop import Source, Trainer, ship
from vision.training.namer_pool import pool_bank
from vision.training.namer_sheets import sheet_sets
from vision.training.namer_synthesis import Synthesizer
from vision.training.namer_tiles import OWN
from vision.training.split import is_held_out_art

ROOT = Path(__file__).resolve().parents[1]

SETTLE_AT = (0.06, 0.15, 0.32, 0.58)
"""Shares of the steps after which quads, directions and colours in the photographs are chosen anew."""

LAST_PART = 0.75
"""From here on our own drawings come twice as often, to be read without a mistake."""

POOL_CROPS = 30_000
"""Crops kept of the pools of renders (620 MB)."""

OWN_CROPS = 8_000
"""Crops kept of the pools of our own drawings (170 MB)."""

FALSE_RENDERS = 1200
"""Renders in which the finder is asked for what it wrongly takes for tiles: two minutes."""

PHOTOS, POOL, OWN_POOL, FALSE = 0.40, 0.24, 0.05, 0.04
"""Shares of a batch; drawings take the rest."""


def main() -> int:
    """Train, validate, calibrate, export; returns the exit code."""
    options = parse()
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    say(f"reading {options.data}")
    data = options.data / "data"
    if not (data / "photos.jsonl").is_file() or not (options.data / "art" / "faces").is_dir():
        print(
            f"train_namer: {options.data} holds no data/photos.jsonl and art/faces; name the folder with --data",
            file=sys.stderr,
        )
        return 2
    rng = np.random.default_rng(options.seed)
    backgrounds = crops.background_photos(data)
    faces = options.data / "art" / "faces"
    learned = load_sets(
        faces, lambda name: not is_held_out_art(name) and not name.startswith(crops.VALIDATION_ART)
    )
    # Our own drawings too: the sample and the simulator are made with them.
    learned += load_sets(ROOT / "vision" / "render", lambda name: name == OWN)
    learned += crops.shop_sets(data, crops.is_training_row)
    kept = load_sets(
        faces, lambda name: not is_held_out_art(name) and name.startswith(crops.VALIDATION_ART)
    )
    learned += sheet_sets(data)
    kept_shop = crops.shop_sets(data, crops.is_validation_row)
    trainer = Trainer(Synthesizer(learned, backgrounds, rng), options.seed, say=say)
    say(
        f"{len(learned)} designs, {sum(p.numel() for p in trainer.learner.net.parameters()):,} parameters, "
        f"{count_macs(trainer.learner.net, 64, 48) / 1e6:.1f} M multiply-accumulates a crop"
    )

    own = [each for each in learned if each.name == OWN]
    validation = {
        "val-own": drawn(Synthesizer(own, backgrounds, np.random.default_rng(6)), 400),
        "val-art": drawn(Synthesizer(kept, backgrounds, np.random.default_rng(1)), 1500),
        "val-shop": drawn(Synthesizer(kept_shop, [], np.random.default_rng(2)), 600),
    }
    found = quads_by(options.finder)
    photographs = Photographs(data, crops.read_boxes(data, crops.is_training_row), found)
    kept_photographs = Photographs(data, crops.read_boxes(data, crops.is_validation_row), found)
    say(
        f"{len(photographs.boxes)} labelled tiles on photographs, {len(kept_photographs.boxes)} more for validation"
    )

    steps = options.steps
    checkpoint = options.work / "namer.pt"
    options.work.mkdir(parents=True, exist_ok=True)
    if options.resume and checkpoint.is_file():
        trainer.learner.restore(checkpoint)
        say(f"going on at step {trainer.learner.steps}")
    trainer.grow(trainer.config.synthetic_bank // 3)
    own_pool = pool_bank(options.own_pool, lambda name: name == OWN, rng, OWN_CROPS)
    pictures = Renders(options.pool).paths
    some = rng.permutation(len(pictures))[:FALSE_RENDERS]
    false = false_finds(found, backgrounds, [pictures[i] for i in some])
    say(f"{len(false)} false finds")
    photo_bank = photographs.naive()
    if trainer.learner.steps >= round(SETTLE_AT[0] * steps):
        photo_bank = settle(photographs, trainer, options.work)
    for share in (*SETTLE_AT, LAST_PART, 1.0):
        until = round(share * steps)
        if trainer.learner.steps >= until and share < 1:
            continue
        pool = pool_bank(options.pool, lambda name: not is_held_out_art(name), rng, POOL_CROPS)
        say(f"{len(photo_bank)} crops of photographs, {len(pool)} of renders, {len(own_pool)} own")
        own_share = OWN_POOL * (2 if share > LAST_PART else 1)
        sources = (
            Source.of("photos", PHOTOS, photo_bank, PHOTO),
            Source.of("pool", POOL, pool, RENDER),
            Source.of("own", own_share, own_pool, RENDER),
            Source.of("false", FALSE, false, PHOTO),
        )
        trainer.sources = [source for source in sources if len(source.bank)]
        trainer.run(until, steps, lambda: trainer.learner.save(checkpoint))
        trainer.learner.save(checkpoint)
        temperature = judge(trainer, validation, kept_photographs)
        ship(trainer, options.out, temperature)
        say(f"wrote {options.out}, temperature {temperature:.2f}")
        if share in SETTLE_AT:
            photo_bank = settle(photographs, trainer, options.work)
    return 0


def judge(trainer: Trainer, validation: dict[str, Bank], photographs: Photographs) -> float:
    """Print the validation figures and return the temperature fitted on them."""
    sets = [
        examine(trainer, "val-own", validation["val-own"], 7, PHOTO),
        examine(trainer, "val-art", validation["val-art"], 3, AugmentConfig()),
        examine(trainer, "val-shop", validation["val-shop"], 4, PHOTO, copies=2),
    ]
    by_source: dict[str, Bank] = {}
    bank = photographs.blind(trainer.judge)
    for i, box in enumerate(photographs.boxes):
        target = by_source.setdefault(box.source, Bank())
        target.add(bank.crops[i], bank.labels[i], False, bank.native_px[i], bank.others[i])
    sets += [examine(trainer, name, part, 5) for name, part in sorted(by_source.items())]
    report(sets, say)
    unseen = [e for e in sets if e.name in ("val-shop", "hk-web")]
    return fit_temperature(unseen)


def settle(photographs: Photographs, trainer: Trainer, work: Path) -> Bank:
    """Choose quads and directions anew; leave a contact sheet of the boxes whose label is not seen."""
    bank, doubts = photographs.settle(trainer.judge)
    directed = sum(bank.directed)
    reds = sum(label >= INDEX["0m"] and label <= INDEX["0s"] for label in bank.labels)
    say(
        f"settled {len(bank)} crops, {directed} with direction, {reds} red fives, {len(doubts)} set aside"
    )
    doubts.sort(key=lambda d: d.probability)
    cells = []
    for doubt in doubts[:300]:
        cell = cv2.copyMakeBorder(doubt.crop, 0, 14, 0, 0, cv2.BORDER_CONSTANT)
        text = f"{LABELS[doubt.box.label]}>{LABELS[doubt.guess]}"
        cells.append(
            cv2.putText(cell, text, (1, 107), cv2.FONT_HERSHEY_SIMPLEX, 0.38, (255, 255, 255), 1)
        )
    if cells:
        cells += [np.zeros_like(cells[0])] * (-len(cells) % 20)
        rows = [np.hstack(cells[i : i + 20]) for i in range(0, len(cells), 20)]
        cv2.imwrite(str(work / "doubts.png"), np.vstack(rows))
    return bank


def drawn(synthesizer: Synthesizer, count: int) -> Bank:
    """A fixed bank of drawings."""
    bank = Bank()
    for sample in synthesizer.draw(count):
        bank.add(sample.crop, INDEX[sample.label], sample.directed)
    return bank


def say(text: str) -> None:
    """A progress line with the clock."""
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def parse() -> argparse.Namespace:
    """The command line."""
    shared = Path(os.environ.get("GORRION_DATA", ROOT.parent / "shared"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", type=Path, default=shared, help="folder that holds data/ and art/"
    )
    parser.add_argument(
        "--pool", type=Path, action="append", default=[], help="folder of renders; may be repeated"
    )
    parser.add_argument(
        "--own-pool",
        type=Path,
        action="append",
        default=[],
        help="folder of renders of our own drawings; may be repeated",
    )
    parser.add_argument(
        "--finder",
        type=Path,
        required=True,
        help="the finder model: its quads are tried on the photographs too",
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "models" / "namer.onnx", help="the ONNX file to write"
    )
    parser.add_argument(
        "--work", type=Path, default=ROOT / "build" / "namer", help="checkpoints, contact sheets"
    )
    parser.add_argument("--steps", type=int, default=10_000, help="steps to learn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --work")
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    return options


if __name__ == "__main__":
    raise SystemExit(main())
