"""The namer's training: batches from all sources, losses, validation, calibration, checkpoints."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from vision.labels import BACK, INDEX, LABELS, NOT, RED_FIVES
from vision.training.learner import Learner
from vision.training.namer_augment import AugmentConfig, augment
from vision.training.namer_bank import Bank
from vision.training.namer_net import NamerNet, export_onnx
from vision.training.namer_synthesis import Synthesizer


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Knobs of the training; each with its reason."""

    batch: int = 256
    """Large enough for batch norm over 47 labels and five sources, small enough for steady progress on one thread."""
    learning_rate: float = 3e-3
    """Peak; with AdamW alone 1e-2 diverged under bf16 and 1e-3 was slower to the same accuracy."""
    decay: tuple[float, float] = (0.1, 0.03)
    """Weight decay of the hidden layers and of the ends; see `vision.training.optimiser`. The photographs are few:
    without it the net learns their tables by heart."""
    smoothing: float = 0.04
    """Label noise is about 1 %; more smoothing flattens the confidences the solver needs."""
    turned_weight: float = 0.25
    """Share of the direction loss: it must not pull the trunk away from the names."""
    ema: float = 0.998
    """Averaging over about 500 steps; the average is what is judged and shipped."""
    fresh: int = 24
    """New drawings a step: the synthetic bank is renewed every few hundred steps and no drawing is learnt by heart."""
    synthetic_bank: int = 14000
    """Drawings kept at once (290 MB)."""
    sideways: float = 0.05
    """Share of crops cut a quarter turn off, as happens to tiles that look wider than tall: circles keep their name,
    all others become ``not``, because the reader asks both ways."""


_ALL_ROUND: Final = frozenset(f"{rank}p" for rank in (0, 1, 2, 3, 4, 5, 6, 8, 9)) | {
    "5z",
    BACK,
    NOT,
}
"""Faces that are still themselves after a quarter turn; stretched nine circles must not become nine bamboos."""

_COLOUR_TELLS: Final = frozenset(INDEX[name] for name in ("5m", "5p", "5s", *RED_FIVES, "5z", BACK))
"""Labels that colour alone tells apart: red from plain fives, a back from a blank dragon."""


@dataclass
class Source:
    """Where a part of every batch comes from."""

    name: str
    share: float
    bank: Bank
    config: AugmentConfig
    odds: NDArray[np.float64]

    @staticmethod
    def of(name: str, share: float, bank: Bank, config: AugmentConfig) -> Source:
        """A source with labels half balanced: rare labels come more often than their number says."""
        counts = np.bincount(bank.labels, minlength=len(LABELS))
        odds = 1 / np.sqrt(np.maximum(counts, 1))[np.array(bank.labels, int)]
        return Source(name, share, bank, config, np.cumsum(odds / odds.sum()))


@dataclass
class Batch:
    """One step's work.

    Attributes:
        crops: (B, 3, 64, 48) uint8, channels last in memory.
        wanted: (B, 47) float32, 1 for every label that is right.
        turned: (B,) float32, 1 upside down, 0 upright, -1 unknown or meaningless.
    """

    crops: Tensor
    wanted: Tensor
    turned: Tensor


def photographed(
    bank: Bank,
    i: int,
    flip: bool,
    rng: np.random.Generator,
    config: AugmentConfig,
    sideways: bool = False,
) -> NDArray[np.uint8]:
    """Crop ``i`` of a bank, (64, 48, 3), as a camera and a careless finder would show it; see `augment`."""
    return augment(
        bank.crops[i],
        flip,
        rng,
        config,
        bank.native_px[i],
        keep_colour=bank.labels[i] in _COLOUR_TELLS,
        sideways=sideways,
    )


class Trainer:
    """Holds the network, its average and the sources.

    Args:
        synthesizer: draws new crops for ever.
        seed: of everything.
        config: see `TrainConfig`.
        say: where progress lines go.
    """

    def __init__(
        self,
        synthesizer: Synthesizer,
        seed: int,
        config: TrainConfig | None = None,
        say: Callable[[str], None] = print,
    ) -> None:
        self.config = config or TrainConfig()
        torch.manual_seed(seed)
        self._rng = np.random.default_rng(seed)
        self._say = say
        self._synthesizer = synthesizer
        self.learner = Learner(
            NamerNet(), self.config.learning_rate, self.config.ema, self.config.decay
        )
        self.drawn = Bank()
        self.sources: list[Source] = []
        self._fresh_at = 0

    def grow(self, count: int) -> None:
        """Draw synthetic crops into the bank; when it is full the oldest are replaced."""
        for sample in self._synthesizer.draw(count):
            label = INDEX[sample.label]
            if len(self.drawn) < self.config.synthetic_bank:
                self.drawn.add(sample.crop, label, sample.directed)
            else:
                i = self._fresh_at % self.config.synthetic_bank
                self.drawn.crops[i], self.drawn.labels[i], self.drawn.directed[i] = (
                    sample.crop,
                    label,
                    sample.directed,
                )
                self._fresh_at += 1

    def batch(self) -> Batch:
        """One augmented batch over all sources; the drawings take what the others leave."""
        rng, size = self._rng, self.config.batch
        picks: list[tuple[Bank, int, AugmentConfig]] = []
        for source in self.sources:
            spots = np.searchsorted(source.odds, rng.random(int(size * source.share)))
            picks += [
                (source.bank, int(min(i, len(source.bank) - 1)), source.config) for i in spots
            ]
        easy = AugmentConfig()
        picks += [
            (self.drawn, int(i), easy) for i in rng.integers(0, len(self.drawn), size - len(picks))
        ]
        crops = np.empty((size, 64, 48, 3), np.uint8)
        wanted = np.zeros((size, len(LABELS)), np.float32)
        turned = np.full(size, -1.0, np.float32)
        for row, (bank, i, config) in enumerate(picks):
            flip = bool(rng.random() < 0.5)
            label = bank.labels[i]
            sideways = bool(rng.random() < self.config.sideways)
            crops[row] = photographed(bank, i, flip, rng, config, sideways)
            if sideways and LABELS[label] not in _ALL_ROUND:
                wanted[row, INDEX[NOT]] = 1
                continue
            wanted[row, label] = 1
            if bank.others[i] >= 0:
                wanted[row, bank.others[i]] = 1
            if bank.directed[i] and not sideways:
                turned[row] = float(flip)
        return Batch(
            torch.from_numpy(crops).permute(0, 3, 1, 2),
            torch.from_numpy(wanted),
            torch.from_numpy(turned),
        )

    def run(self, until: int, steps: int, save: Callable[[], None]) -> None:
        """Train up to a step; the schedule runs over all of them, whatever the clock says.

        Args:
            until: where to stop.
            steps: length of the whole training.
            save: called every two minutes.
        """
        losses = []
        said = saved = time.monotonic()
        while self.learner.steps < until:
            self.grow(self.config.fresh)
            losses.append(self._learn(self.batch(), self.learner.steps / steps))
            now = time.monotonic()
            if now - saved > 120:
                saved = now
                save()
            if now - said > 30:
                self._say(
                    f"step {self.learner.steps} of {steps}  loss {np.mean(losses):.3f}"
                    f"  {self.config.batch * len(losses) / (now - said):.0f} crops/s"
                )
                said, losses = now, []

    def _learn(self, batch: Batch, progress: float) -> float:
        warm = min(1.0, (self.learner.steps + 1) / 300)
        slope = 0.5 * (1 + math.cos(math.pi * min(progress, 1.0))) + 0.004
        rate = self.config.learning_rate * warm * slope
        self.learner.pace(rate)
        self.learner.net.train()
        with torch.autocast("cpu", torch.bfloat16):
            out = self.learner.net(batch.crops.float())
        loss = self._loss(out.logits.float(), out.turned.float(), batch)
        self.learner.descend(loss)
        return float(loss.detach())

    def _loss(self, logits: Tensor, turned: Tensor, batch: Batch) -> Tensor:
        log_p = functional.log_softmax(logits, 1)
        right = torch.logsumexp(log_p.masked_fill(batch.wanted == 0, -1e4), 1)
        names = -(1 - self.config.smoothing) * right - self.config.smoothing * log_p.mean(1)
        known = batch.turned >= 0
        if not known.any():
            return names.mean()
        direction = functional.binary_cross_entropy_with_logits(
            turned[known], batch.turned[known] * 0.96 + 0.02
        )
        return names.mean() + self.config.turned_weight * direction

    def judge(self, crops: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Posteriors (N, 47) and turned probabilities (N,) of plain crops by the averaged network."""
        logits, turned = self.logits(crops)
        return torch.softmax(logits, 1).numpy(), torch.sigmoid(turned).numpy()

    def logits(self, crops: NDArray[np.uint8]) -> tuple[Tensor, Tensor]:
        """Logits (N, 47) and turned logits (N,) by the averaged network."""
        names, turned = [], []
        self.learner.average.eval()
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            for start in range(0, len(crops), 512):
                out = self.learner.average(
                    torch.from_numpy(crops[start : start + 512]).permute(0, 3, 1, 2).float()
                )
                names.append(out.logits.float())
                turned.append(out.turned.float())
        if not names:
            return torch.zeros(0, len(LABELS)), torch.zeros(0)
        return torch.cat(names), torch.cat(turned)


def ship(trainer: Trainer, path: Path, temperature: float, turned_temperature: float = 1.0) -> None:
    """Export the averaged network with its temperature."""
    export_onnx(trainer.learner.average, path, temperature, turned_temperature)
