"""A network of the reader's training with its optimiser: single steps, running mean, and state for a checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from models.training.nets.reader_net import TileNet
from models.training.nets.running_mean import running_mean

_WARM_STEPS: Final = 200
"""The number of steps in which the learning rate rises to its highest."""
_LEAST_RATE: Final = 0.002
"""The share of the highest learning rate that remains at the end."""
_MOST_GRADIENT: Final = 2.0
"""The longest gradient of one step."""


class Learner:
    """A network, its optimiser, and the running mean of its weights."""

    def __init__(self, net: nn.Module, *, rate: float, device: torch.device) -> None:
        """Moves the network to the device; `rate` is the highest learning rate."""
        self.net = net.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.mean = running_mean(self.net)
        self.steps = 0
        """The number of steps made."""
        self._rate = rate
        self._optimiser = torch.optim.AdamW(self.net.parameters(), lr=rate, weight_decay=0.02)

    def step(self, loss: Tensor, *, progress: float) -> None:
        """Makes one step against a loss, at the learning rate for this share of the training, 0-1."""
        rise = min(1.0, (self.steps + 1) / _WARM_STEPS)
        for group in self._optimiser.param_groups:
            group["lr"] = self._rate * rise * (0.5 * (1 + float(np.cos(np.pi * progress))) + _LEAST_RATE)
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), _MOST_GRADIENT)
        self._optimiser.step()
        self.mean.update_parameters(self.net)
        self.steps += 1

    def state(self) -> dict[str, Any]:
        """Returns what `resume` needs."""
        return {
            "net": self.net.state_dict(), "mean": self.mean.state_dict(),
            "optimiser": self._optimiser.state_dict(), "steps": self.steps,
        }  # fmt: skip

    def resume(self, state: dict[str, Any]) -> None:
        """Continues from a state."""
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self._optimiser.load_state_dict(state["optimiser"])
        self.steps = state["steps"]


def mean_reader(learner: Learner) -> TileNet:
    """Returns the reader with the running mean of a learning reader's weights, on the processor, ready for use."""
    net = TileNet()
    net.load_state_dict(learner.mean.module.state_dict())
    return net.cpu().eval()


def save_checkpoint(state: dict[str, Any], path: Path) -> None:
    """Writes a checkpoint; if it is interrupted, the earlier one stays."""
    unfinished = path.with_suffix(".part")
    torch.save(state, unfinished)
    unfinished.rename(path)
