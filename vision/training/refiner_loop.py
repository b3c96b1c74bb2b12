"""The refiner's training loop: a bank of crops that is renewed all along, bfloat16, averaged weights, checkpoints."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from vision.training.desk import ahead
from vision.training.finder_crops import Spoiler
from vision.training.learner import Learner, falling
from vision.training.refiner_crops import Crops, ViewConfig, some
from vision.training.refiner_net import RefinerNet
from vision.training.refiner_scenes import Scene, half_turned, mirrored

Say = Callable[[str], None]
Batch = tuple[Tensor, Tensor, Tensor, Tensor]


@dataclass(frozen=True, slots=True)
class LoopConfig:
    """How long and how fast the network learns."""

    batch: int = 256
    bank: int = 40_000
    """Crops in memory (490 MB): each is seen a few times, mirrored and turned, before it is replaced."""
    first: int = 12_000
    """Crops before the first step: with a third of them the network knew them by heart within seconds."""
    chunk: int = 512
    """Crops that are made before they are put into the bank."""
    uses: float = 3.0
    """How often a crop is drawn on the average: making one costs two thirds of learning from it, and the mirrored and
    the turned one are news too."""
    ahead: int = 3
    """Chunks that lie ready, made by another thread."""
    rate: float = 3e-3
    """Peak learning rate; falls along a cosine to a hundredth."""
    warm_up: float = 0.01
    """Share of all steps in which the rate rises."""
    decay: tuple[float, float] = (0.1, 1e-3)
    """Weight decay of the hidden layers and of the ends; see `vision.training.optimiser`."""
    average: float = 0.999
    """Decay of the averaged weights a step: about the last 1,000 steps count."""
    beta: float = 0.03
    """Corner errors, in shares of the find's side, below this are squared, above absolute."""
    corners: float = 6.0
    """Weight of the corners beside the presence: both weigh about 0.2 in the middle of the training."""
    save_every_s: float = 120.0
    say_every: int = 100


class Bank:
    """Crops in memory, of which batches are drawn by chance; the oldest make room for new ones as they are used.

    Which crops are there when depends on what was drawn alone, not on how fast they are made.

    Args:
        scenes: gives pictures for ever; used by a thread of the bank's own.
        seed: of the crops.
        config: see `LoopConfig`.
        views: see `ViewConfig`.
    """

    def __init__(
        self, scenes: Iterator[Scene], seed: int, config: LoopConfig, views: ViewConfig
    ) -> None:
        self._config = config
        size = config.bank
        self._pixels = np.zeros((size, 64, 64, 3), np.uint8)
        self._corners = np.zeros((size, 4, 2), np.float32)
        self._known = np.zeros(size, np.float32)
        self._present = np.zeros(size, np.float32)
        self._drawn = 0
        self.made = 0
        self._chunks = ahead(chunks(scenes, seed, config.chunk, views), config.ahead)

    def batch(self, rng: np.random.Generator) -> Batch:
        """Crops (B, 3, 64, 64) uint8 channels last, corners (B, 4, 2), known (B,) and present (B,).

        The first call waits for the first crops.
        """
        while self.made < self._config.first + self._drawn / self._config.uses:
            self._put(next(self._chunks))
        rows = rng.integers(min(self.made, self._config.bank), size=self._config.batch)
        self._drawn += len(rows)
        pixels, corners = self._pixels[rows], self._corners[rows]
        known, present = self._known[rows], self._present[rows]
        quarter = len(rows) // 4
        # A quarter each: as it is, mirrored, turned by 180 degrees, both.
        for start, mirror, turn in ((1, True, False), (2, False, True), (3, True, True)):
            part = slice(start * quarter, (start + 1) * quarter)
            if mirror:
                pixels[part] = pixels[part][:, :, ::-1].copy()
                corners[part] = mirrored(corners[part])
            if turn:
                pixels[part] = pixels[part][:, ::-1, ::-1].copy()
                corners[part] = half_turned(corners[part])
        return (
            torch.from_numpy(pixels).permute(0, 3, 1, 2),
            torch.from_numpy(corners),
            torch.from_numpy(known),
            torch.from_numpy(present),
        )

    def _put(self, crops: Crops) -> None:
        rows = (self.made + np.arange(len(crops))) % self._config.bank
        self._pixels[rows], self._corners[rows] = crops.pixels, crops.corners
        self._known[rows], self._present[rows] = crops.known, crops.present
        self.made += len(crops)


def chunks(scenes: Iterator[Scene], seed: int, count: int, views: ViewConfig) -> Iterator[Crops]:
    """Crops for ever, at least so many at a time; the same seed and scenes give the same."""
    rng = np.random.default_rng(seed)
    spoil = Spoiler(rng)
    while True:
        yield some(scenes, count, spoil, rng, views)


class Trainer:
    """The refiner while it learns.

    Args:
        config: how it learns.
    """

    def __init__(self, config: LoopConfig) -> None:
        self.config = config
        self.learner = Learner(RefinerNet(), config.rate, config.average, config.decay)

    def run(self, bank: Bank, steps: int, seed: int, keep: Callable[[], None], say: Say) -> None:
        """Learn until so many steps are done, those before `restore` included.

        Args:
            bank: of crops.
            steps: of the whole training: the rate depends on the share that is done, never on the clock.
            seed: of the draws from the bank.
            keep: called every few minutes and at the end, to save what has been learned.
            say: takes progress lines.
        """
        config, learner = self.config, self.learner
        rng = np.random.default_rng((seed, learner.steps))
        saved = time.monotonic()
        sums = np.zeros(2)
        learner.net.train()
        while learner.steps < steps:
            learner.pace(falling(config.rate, learner.steps / steps, config.warm_up))
            sums += self._step(bank.batch(rng))
            if learner.steps % config.say_every == 0:
                corners, present = sums / config.say_every
                say(
                    f"step {learner.steps} of {steps}  corners {corners:.4f}  present {present:.4f}  "
                    f"{bank.made:,} crops made"
                )
                sums[:] = 0
            if time.monotonic() - saved > config.save_every_s:
                keep()
                saved = time.monotonic()
        keep()

    def _step(self, batch: Batch) -> tuple[float, float]:
        pixels, corners, known, present = batch
        image = pixels.float().contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found, logit = self.learner.net(image)
        config = self.config
        off = functional.smooth_l1_loss(found, corners, beta=config.beta, reduction="none")
        corner_loss = (off.mean(dim=(1, 2)) * known).sum() / known.sum().clamp(min=1)
        said = (present >= 0).float()
        doubt = functional.binary_cross_entropy_with_logits(
            logit, present.clamp(min=0), reduction="none"
        )
        present_loss = (doubt * said).sum() / said.sum().clamp(min=1)
        loss = config.corners * corner_loss + present_loss
        self.learner.descend(loss)
        return float(corner_loss.detach()), float(present_loss.detach())
