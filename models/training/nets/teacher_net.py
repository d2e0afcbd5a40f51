"""A large network that reads tiles, too slow for a Raspberry Pi: the reader is trained by its answers."""

from __future__ import annotations

from typing import Final

import torch
from torch import nn

from vision.felt import CLASSES
from vision.reading.reader import HEIGHT, WIDTH

_STAGES: Final = ((80, 1, 2), (160, 2, 3), (320, 2, 3))
"""Channels, stride of the first block, and blocks of each stage."""
_EMBEDDING: Final = 256


class _Block(nn.Module):
    """Two 3 x 3 convolutions beside a residual connection."""

    def __init__(self, inside: int, outside: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inside, outside, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outside),
            nn.ReLU(inplace=True),
            nn.Conv2d(outside, outside, 3, 1, 1, bias=False),
            nn.BatchNorm2d(outside),
        )
        self.bypass = (
            nn.Identity()
            if inside == outside and stride == 1
            else nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside))
        )

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        """Returns the resulting maps."""
        return torch.relu(self.body(maps) + self.bypass(maps))


class TeacherNet(nn.Module):
    """Takes crops [N, 3, 64, 48], BGR, 0-255 as floats; gives logits [N, 39] and turned [N], as `TileNet` does."""

    def __init__(self) -> None:
        """Starts with random weights, which depend on torch's seed."""
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 48, 5, 2, 2, bias=False), nn.BatchNorm2d(48), nn.ReLU(inplace=True))
        blocks: list[nn.Module] = []
        inside = 48
        for outside, stride, count in _STAGES:
            for index in range(count):
                blocks.append(_Block(inside, outside, stride if index == 0 else 1))
                inside = outside
        self.blocks = nn.Sequential(*blocks)
        self.places = nn.Conv2d(inside, inside, (HEIGHT // 8, WIDTH // 8), groups=inside, bias=False)
        self.settle = nn.BatchNorm2d(inside)
        self.project = nn.Linear(inside, _EMBEDDING)
        self.face = nn.Linear(_EMBEDDING, len(CLASSES))
        self.turn = nn.Linear(_EMBEDDING, 1)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Reads a batch."""
        maps = self.blocks(self.stem(crops / 127.5 - 1.0))
        embedding = torch.relu(self.project(torch.flatten(self.settle(self.places(maps)), 1)))
        return self.face(embedding), self.turn(embedding).squeeze(1)
