"""The running mean of a network's weights."""

from __future__ import annotations

from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel


def running_mean(net: nn.Module) -> AveragedModel:
    """Returns a mean of the network's weights and buffers, to be updated with each step."""
    return AveragedModel(net, avg_fn=_towards, use_buffers=True)


def _towards(mean: Tensor, now: Tensor, count: Tensor | int) -> Tensor:
    """Returns a mean updated to cover the last twentieth of the training, at most 1000 steps."""
    return mean + max(0.001, 19 / (20 + int(count))) * (now - mean) if mean.is_floating_point() else now
