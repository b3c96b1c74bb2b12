"""A network that learns: its averaged twin, its optimiser, one step down the slope, and the checkpoint of all that."""

from __future__ import annotations

import copy
import math
from pathlib import Path
from typing import Generic, TypeVar

import torch
from torch import Tensor

from vision.training.blocks import Network, follow
from vision.training.optimiser import Optimiser

Net = TypeVar("Net", bound=Network)

_STEEPEST = 5.0
"""Gradients are shortened to this norm: a batch of odd pictures must not throw the network far off."""


def falling(rate: float, done: float, warm_up: float) -> float:
    """A learning rate that rises for a share of the training and falls along a cosine to a hundredth of its peak.

    Args:
        rate: the peak.
        done: share of the training that is done, 0..1.
        warm_up: share in which it rises.
    """
    return rate * min(1.0, (done + 1e-4) / warm_up) * (0.505 + 0.495 * math.cos(math.pi * done))


class Learner(Generic[Net]):
    """A network in training.

    Args:
        net: the network, as it begins.
        rate: learning rate until `pace` says otherwise.
        average: decay of the averaged weights a step.
        decay: weight decay of the hidden layers and of the ends.
    """

    def __init__(self, net: Net, rate: float, average: float, decay: tuple[float, float]) -> None:
        self.net: Net = net.to(memory_format=torch.channels_last)
        self.average: Net = copy.deepcopy(self.net).eval()
        self.steps = 0
        self._keep = average
        self._optimiser = Optimiser(self.net, self.net.ends(), rate, decay)

    def pace(self, rate: float) -> None:
        """Set the learning rate of the next steps."""
        self._optimiser.pace(rate)

    def descend(self, loss: Tensor) -> None:
        """One step down the slope of a loss; the twin follows."""
        self._optimiser.forget_slopes()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), _STEEPEST)
        self._optimiser.step()
        self.steps += 1
        # Early on the average follows quickly, or it would remember the random start for long.
        keep = min(self._keep, (1 + self.steps) / (10 + self.steps))
        follow(self.average, self.net, 1 - keep)

    def save(self, path: Path, **more: float) -> None:
        """Write everything that `restore` needs, and numbers of the caller's, in one move."""
        state = {
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "steps": self.steps,
            "more": more,
        }
        part = path.with_suffix(".part")
        torch.save(state, part)
        part.replace(path)

    def restore(self, path: Path) -> dict[str, float]:
        """Continue from a file of `save`; the caller's numbers."""
        state = torch.load(path, weights_only=True)
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self._optimiser.load_state_dict(state["optimiser"])
        self.steps = state["steps"]
        more: dict[str, float] = state["more"]
        return more
