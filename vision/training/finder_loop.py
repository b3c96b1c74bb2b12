"""The finder's training loop: batches from a second thread, bfloat16, averaged weights, checkpoints."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from vision.training.desk import Share, drawn
from vision.training.finder_crops import CropConfig, Spoiler, compose
from vision.training.finder_loss import LossConfig, finder_loss
from vision.training.finder_net import FinderNet
from vision.training.finder_pictures import Picture
from vision.training.finder_targets import encode
from vision.training.learner import Learner, falling

Batch = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class LoopConfig:
    """How long and how fast the network learns."""

    batch: int = 8
    """Crops a step: enough for batch statistics, few enough for many steps on one core."""
    rate: float = 2.5e-3
    """Peak learning rate; falls along one cosine over all phases to a hundredth. In eight minutes 0.003 to 0.006
    learned more than 0.0015, but at 0.004 the loss then stood still for half an hour (`models/NOTES.md`)."""
    warm_up: float = 0.01
    """Share of all steps in which the rate rises."""
    decay: tuple[float, float] = (0.1, 1e-3)
    """Weight decay of the hidden layers and of the ends; see `vision.training.optimiser`."""
    average: float = 0.998
    """Decay of the averaged weights a step: the last 500 steps or so count."""
    save_every_s: float = 180.0
    say_every: int = 100


def crops(
    shares: Sequence[Share[Picture]], seed: int, batch: int, config: CropConfig
) -> Iterator[Batch]:
    """Batches for ever; the same seed gives the same batches."""
    rng = np.random.default_rng(seed)
    spoil = Spoiler(rng)
    pictures = drawn(shares, rng)
    while True:
        rows = []
        for _ in range(batch):
            picture = compose(lambda: next(pictures), rng, config)
            image = spoil(picture.image_bgr, rng)
            targets = encode(picture.quads_px, picture.up, picture.states, *image.shape[:2])
            rows.append((image, targets))
        yield (
            torch.from_numpy(np.stack([image for image, _ in rows])).permute(0, 3, 1, 2),
            torch.from_numpy(np.stack([t.heat for _, t in rows])),
            torch.from_numpy(np.stack([t.shape for _, t in rows])),
            torch.from_numpy(np.stack([t.weight for _, t in rows])),
            torch.from_numpy(np.stack([t.mask for _, t in rows])),
            torch.tensor([float(t.count) for _, t in rows]),
            torch.from_numpy(np.stack([t.parts for _, t in rows])),
        )


class Trainer:
    """The finder while it learns.

    Args:
        config: how it learns.
        loss: weights of the loss.
    """

    def __init__(self, config: LoopConfig, loss: LossConfig) -> None:
        self.config, self.loss = config, loss
        self.learner = Learner(FinderNet(), config.rate, config.average, config.decay)
        self.phase = 0

    def run(
        self,
        batches: Iterator[Batch],
        steps: int,
        until: int,
        keep: Callable[[], None],
        say: Say,
    ) -> None:
        """Learn through one phase; what was done of it before `restore` counts.

        Args:
            batches: crops.
            steps: length of the whole training: the rate depends on the share that is done, never on the clock, so
                that a busy machine learns the same as an idle one.
            until: step at which the phase ends.
            keep: called every few minutes and at the end, to save what has been learned.
            say: takes progress lines.
        """
        config, learner = self.config, self.learner
        saved = time.monotonic()
        sums: dict[str, float] = {}
        learner.net.train()
        while learner.steps < until:
            learner.pace(falling(config.rate, learner.steps / steps, config.warm_up))
            parts = self._step(next(batches))
            for name, value in parts.items():
                sums[name] = sums.get(name, 0.0) + float(value)
            if learner.steps % config.say_every == 0:
                means = "  ".join(
                    f"{name} {value / config.say_every:.4f}" for name, value in sums.items()
                )
                say(f"phase {self.phase}  step {learner.steps} of {steps}  {means}")
                sums.clear()
            if time.monotonic() - saved > config.save_every_s:
                keep()
                saved = time.monotonic()
        self.phase += 1
        keep()

    def _step(self, batch: Batch) -> dict[str, Tensor]:
        pixels, heat, shape, weight, mask, count, parts_map = batch
        image = pixels.float().contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            raw, dense = self.learner.net.learn(image)
        loss, parts = finder_loss(
            raw, heat, shape, weight, mask, count, dense, parts_map, self.loss
        )
        self.learner.descend(loss)
        return {name: value.detach() for name, value in parts.items()}

    def save(self, path: Path) -> None:
        """Write everything that `restore` needs, in one move."""
        self.learner.save(path, phase=self.phase)

    def restore(self, path: Path) -> None:
        """Continue from a file of `save`."""
        self.phase = int(self.learner.restore(path)["phase"])
