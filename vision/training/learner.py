"""A network that learns: its averaged twin, its optimiser, one step down the slope, and the checkpoint of all that."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor, nn

from vision.training.blocks import follow

Net = TypeVar("Net", bound=nn.Module)

_STEEPEST = 5.0
"""Gradients are shortened to this norm: a batch of odd pictures must not throw the network far off."""


class Learner(Generic[Net]):
    """A network in training.

    Args:
        net: the network, as it begins.
        rate: learning rate of AdamW until `pace` says otherwise.
        average: decay of the averaged weights a step.
        betas: of AdamW.
        groups: parameters and their weight decay; all parameters alike with ``decay`` if not given.
        decay: weight decay.
    """

    def __init__(
        self,
        net: Net,
        rate: float,
        average: float,
        decay: float = 0.0,
        betas: tuple[float, float] = (0.9, 0.999),
        groups: Sequence[dict[str, Any]] | None = None,
    ) -> None:
        self.net: Net = net.to(memory_format=torch.channels_last)
        self.average: Net = copy.deepcopy(self.net).eval()
        self.steps = 0
        self._keep = average
        parameters = groups or [{"params": list(self.net.parameters())}]
        self._optimiser = torch.optim.AdamW(parameters, lr=rate, weight_decay=decay, betas=betas)

    def pace(self, rate: float) -> None:
        """Set the learning rate of the next steps."""
        for group in self._optimiser.param_groups:
            group["lr"] = rate

    def descend(self, loss: Tensor) -> None:
        """One step down the slope of a loss; the twin follows."""
        self._optimiser.zero_grad(set_to_none=True)
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
