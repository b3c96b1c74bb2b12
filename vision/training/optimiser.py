"""How the networks' weights are moved: Muon for the hidden layers, AdamW for everything else.

Muon (Jordan et al. 2024; here PyTorch's) makes every step of a weight matrix change all directions alike. The finder
was after 1,000 steps where AdamW alone was after 2,000, for 3 % more time a step; see `models/NOTES.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn


class Optimiser:
    """Muon and AdamW side by side.

    Args:
        net: the network, already in the memory format it will keep.
        ends: its first layer and those that answer: their weights are left to AdamW, as Muon's authors advise, since
            their directions mean something by themselves.
        rate: learning rate of both until `pace` says otherwise; Muon's steps are scaled to the size of AdamW's.
        decay: weight decay of Muon and of AdamW; what has one dimension isn't decayed.
    """

    def __init__(
        self, net: nn.Module, ends: Sequence[nn.Module], rate: float, decay: tuple[float, float]
    ) -> None:
        spared = {id(weight) for end in ends for weight in end.parameters()}
        weights = list(net.parameters())
        self._hidden = [w for w in weights if w.ndim > 1 and id(w) not in spared]
        self._matrices = [nn.Parameter(_matrix(weight.data)) for weight in self._hidden]
        for matrix, weight in zip(self._matrices, self._hidden, strict=True):
            if matrix.data_ptr() != weight.data_ptr():
                raise ValueError("weights must be channels last, or Muon would move copies of them")
        of_ends = [w for w in weights if w.ndim > 1 and id(w) in spared]
        self._muon = torch.optim.Muon(
            self._matrices, lr=rate, weight_decay=decay[0], adjust_lr_fn="match_rms_adamw"
        )
        self._adam = torch.optim.AdamW(
            [
                {"params": of_ends, "weight_decay": decay[1]},
                {"params": [w for w in weights if w.ndim <= 1], "weight_decay": 0.0},
            ],
            lr=rate,
        )

    def pace(self, rate: float) -> None:
        """Set the learning rate of the next steps."""
        for group in (*self._muon.param_groups, *self._adam.param_groups):
            group["lr"] = rate

    def forget_slopes(self) -> None:
        """Drop the gradients of the last step."""
        for weight in self._hidden:
            weight.grad = None
        self._adam.zero_grad()

    def step(self) -> None:
        """Move the weights by their gradients."""
        for matrix, weight in zip(self._matrices, self._hidden, strict=True):
            matrix.grad = None if weight.grad is None else _matrix(weight.grad)
        self._muon.step()
        self._adam.step()

    def state_dict(self) -> dict[str, Any]:
        """What `load_state_dict` needs to go on."""
        return {"muon": self._muon.state_dict(), "adam": self._adam.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""
        self._muon.load_state_dict(state["muon"])
        self._adam.load_state_dict(state["adam"])


def _matrix(weight: Tensor) -> Tensor:
    """A convolution's or linear layer's weight as (outputs, everything else), in the same memory if channels last."""
    if weight.ndim == 4:
        weight = weight.permute(0, 2, 3, 1)
    return weight.reshape(len(weight), -1)
