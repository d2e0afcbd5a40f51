"""Resumes training from the shipped weights, since the repository has no checkpoints.

An exported network has its batch norms folded into its convolutions. Here they are restored: each norm gets the mean
and variance of its convolution on some crops, and the scale and shift that compensate them, so that the network answers
like the exported one and can be trained further.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from models.training.nets.batch_norm import unfold
from models.training.nets.reader_net import TileNet


def load_for_training(path: Path, crops: npt.NDArray[np.uint8]) -> TileNet:
    """Returns the network exported to `path`, with its norms measured on `crops` [N, 64, 48, 3].

    Raises:
        KeyError: the file is of a network of another shape.
    """
    tensors = {
        one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in onnx.load(path).graph.initializer
    }
    net = TileNet().eval()
    pairs = _pairs(net)
    pixels = torch.from_numpy(crops).permute(0, 3, 1, 2).float()
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            if name in tensors:
                parameter.copy_(tensors[name])
        # In order, since the input of a norm depends on the norms before it.
        for name, (convolution, norm) in pairs.items():
            unfold(net, convolution, norm, tensors[f"{name}.weight_bias"], pixels)
    return net


def _pairs(net: TileNet) -> dict[str, tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Returns every convolution with the norm after it, in the order of the network."""
    convolutions = [
        (name, module) for name, module in net.named_modules() if isinstance(module, nn.Conv2d | nn.BatchNorm2d)
    ]
    return {
        name: (first, second)
        for (name, first), (_, second) in zip(convolutions[::2], convolutions[1::2], strict=True)
        if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d)
    }
