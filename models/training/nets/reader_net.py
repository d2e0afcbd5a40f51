"""The reading network: a small depthwise-separable CNN from a 48 x 64 crop to a face, a half turn, and an embedding."""

from __future__ import annotations

from typing import Final

import torch
from torch import nn

from vision.felt import CLASSES
from vision.reading.reader import HEIGHT, WIDTH

EMBEDDING: Final = 128
"""The length of the embedding, with which a user's own set is learnt."""
_STAGES: Final = ((40, 1, 1), (96, 2, 3), (192, 2, 5), (288, 1, 1))
"""Channels, stride of the first block, and blocks of each stage."""


class _Separable(nn.Module):
    """Depthwise 3 x 3, then pointwise convolution, with a residual connection if the shape does not change."""

    def __init__(self, inside: int, outside: int, stride: int) -> None:
        super().__init__()
        self.bypass = inside == outside and stride == 1
        self.body = nn.Sequential(
            nn.Conv2d(inside, inside, 3, stride, 1, groups=inside, bias=False),
            nn.BatchNorm2d(inside),
            nn.ReLU(inplace=True),
            nn.Conv2d(inside, outside, 1, bias=False),
            nn.BatchNorm2d(outside),
        )

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        """Returns the resulting maps."""
        out: torch.Tensor = self.body(maps)
        return torch.relu(maps + out) if self.bypass else torch.relu(out)


class TileNet(nn.Module):
    """Takes crops [N, 3, 64, 48], BGR, 0-255 as floats; gives logits [N, 39], turned [N], embedding [N, 128]."""

    def __init__(self) -> None:
        """Starts with random weights, which depend on torch's seed."""
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 24, 3, 2, 1, bias=False), nn.BatchNorm2d(24), nn.ReLU(inplace=True))
        blocks: list[nn.Module] = []
        inside = 24
        for outside, stride, count in _STAGES:
            for index in range(count):
                blocks.append(_Separable(inside, outside, stride if index == 0 else 1))
                inside = outside
        self.blocks = nn.Sequential(*blocks)
        # The place of a stroke matters as much as its presence, so each place of the last map has its own weight.
        self.places = nn.Conv2d(inside, inside, (HEIGHT // 8, WIDTH // 8), groups=inside, bias=False)
        self.settle = nn.BatchNorm2d(inside)
        self.project = nn.Linear(inside, EMBEDDING)
        self.face = nn.Linear(EMBEDDING, len(CLASSES))
        self.turn = nn.Linear(EMBEDDING, 1)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Reads a batch."""
        maps = self.blocks(self.stem(crops / 127.5 - 1.0))
        embedding = self.project(torch.flatten(self.settle(self.places(maps)), 1))
        return self.face(torch.relu(embedding)), self.turn(torch.relu(embedding)).squeeze(1), embedding


def parameters(net: nn.Module) -> int:
    """Returns the number of the network's parameters."""
    return sum(values.numel() for values in net.parameters())
