"""Restores batch norms that an export folded into their convolutions, to train shipped weights further."""

from __future__ import annotations

import torch
from torch import nn


def unfold(
    net: nn.Module, convolution: nn.Conv2d, norm: nn.BatchNorm2d, bias: torch.Tensor, images: torch.Tensor
) -> None:
    """Gives a norm the mean and variance of its convolution on `images`, and the scale and shift that compensate them.

    `bias` is the bias that the export added to the convolution; earlier norms must already be restored.
    """
    outputs: list[torch.Tensor] = []
    hook = convolution.register_forward_hook(lambda _module, _taken, given: outputs.append(given))
    net(images)
    hook.remove()
    mean, variance = outputs[0].mean(dim=(0, 2, 3)), outputs[0].var(dim=(0, 2, 3))
    norm.get_buffer("running_mean").copy_(mean)
    norm.get_buffer("running_var").copy_(variance)
    norm.weight.copy_(torch.sqrt(variance + norm.eps))
    norm.bias.copy_(mean + bias)
