"""What a namer in training knows: figures of validation sets and the temperature that makes its confidence honest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from vision.labels import LABELS
from vision.training.namer_augment import AugmentConfig, plain_crop
from vision.training.namer_bank import Bank
from vision.training.namer_loop import Trainer, photographed


@dataclass(frozen=True)
class Examined:
    """A validation set with the network's answers: ``logits`` (N, 47), ``turned`` (N,) logits of direction."""

    name: str
    bank: Bank
    crops: NDArray[np.uint8]
    flipped: NDArray[np.bool_]
    logits: Tensor
    turned: Tensor

    def correct(self) -> NDArray[np.bool_]:
        """Where the best label is the right one or its equally right other."""
        best = self.logits.argmax(1).numpy()
        return (best == np.array(self.bank.labels)) | (best == np.array(self.bank.others))

    def direction(self) -> tuple[int, int]:
        """Directed crops read the right way up, and how many there are."""
        known = np.array(self.bank.directed, bool)
        return int((((self.turned.numpy() > 0) == self.flipped) & known).sum()), int(known.sum())

    def ece(self, temperature: float = 1.0) -> float:
        """Expected calibration error over 15 equal bins of confidence."""
        confidence = torch.softmax(self.logits / temperature, 1).max(1).values.numpy()
        right, bins = self.correct(), np.minimum((confidence * 15).astype(int), 14)
        gaps = [abs(confidence[bins == b].sum() - right[bins == b].sum()) for b in range(15)]
        return float(sum(gaps) / max(len(right), 1))

    def confusions(self, top: int = 12) -> str:
        """The most frequent mistakes as ``truth>guess count``."""
        best, truth = self.logits.argmax(1).numpy(), np.array(self.bank.labels)
        wrong = ~self.correct()
        pairs, counts = np.unique(truth[wrong] * 100 + best[wrong], return_counts=True)
        order = np.argsort(-counts)[:top]
        return " ".join(
            f"{LABELS[pairs[i] // 100]}>{LABELS[pairs[i] % 100]} {counts[i]}" for i in order
        )


def examine(
    trainer: Trainer,
    name: str,
    bank: Bank,
    seed: int,
    config: AugmentConfig | None = None,
    copies: int = 1,
) -> Examined:
    """Ask the averaged network about a bank: exact crops, or photographed ``copies`` times with ``config``."""
    rng = np.random.default_rng(seed)
    wide = Bank()
    crops, flipped = [], []
    for i in range(len(bank)):
        for _ in range(copies):
            flip = bool(rng.random() < 0.5)
            if config is None:
                crops.append(plain_crop(bank.crops[i], flip))
            else:
                crops.append(photographed(bank, i, flip, rng, config))
            wide.add(
                bank.crops[i], bank.labels[i], bank.directed[i], bank.native_px[i], bank.others[i]
            )
            flipped.append(flip)
    stacked = np.stack(crops) if crops else np.zeros((0, 64, 48, 3), np.uint8)
    logits, turned = trainer.logits(stacked)
    return Examined(name, wide, stacked, np.array(flipped, bool), logits, turned)


def report(examined: Sequence[Examined], say: Callable[[str], None]) -> None:
    """One line a set: right, calibration error, direction, and the commonest mistakes."""
    for e in examined:
        if len(e.bank) == 0:
            continue
        up, known = e.direction()
        direction = f"  direction {up / known:.4f}" if known else ""
        say(
            f"  {e.name:<16} {e.correct().mean():.4f} of {len(e.bank)}  ece {e.ece():.3f}{direction}  {e.confusions()}"
        )


def fit_temperature(examined: Sequence[Examined]) -> float:
    """The temperature with the least negative log likelihood, every validation set weighing the same."""
    candidates = np.exp(np.linspace(np.log(0.3), np.log(3), 60))

    def loss(temperature: float) -> float:
        total = 0.0
        for e in examined:
            log_p = functional.log_softmax(e.logits / temperature, 1).numpy()
            right = log_p[np.arange(len(e.bank)), np.array(e.bank.labels)]
            total += float(-np.clip(right, -8, 0).mean())  # one wrong label must not decide
        return total

    return float(min(candidates, key=loss))
