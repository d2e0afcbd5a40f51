"""The locator's network, its targets, its loss, and its export.

Each cell of a grid of four pixels answers whether it contains the middle of a tile or of a stick, where exactly, the
length and direction of the two half axes (so that slanted views keep their parallelograms), and the stick's value.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from models.training.nets.batch_norm import unfold
from models.training.studio.scenes.scene_renderer import MAY, PLACE, TILE, Truth
from vision.reading.locator import CHANNELS, LONG_UNIT, SHORT_UNIT, STICK_VALUES, STRIDE

_GREY: Final = 64.0
"""The divisor of pixel values in training; the exported network takes them undivided."""
_CORE: Final = 0.25
"""The distance from the middle, in half tiles, up to which a cell answers for a tile."""

_STICK_GAIN: Final = 3.0
"""The weight of sticks, which are rarer than tiles and more sensitive to errors of the angle."""


def _layer(inputs: int, outputs: int, kernel: int = 3, step: int = 1, groups: int = 1) -> nn.Sequential:
    convolution = nn.Conv2d(inputs, outputs, kernel, step, kernel // 2, groups=groups, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs), nn.ReLU())


def _down(inputs: int, outputs: int, kernel: int) -> nn.Sequential:
    return nn.Sequential(_layer(inputs, inputs, kernel, 2, inputs), _layer(inputs, outputs, 1))


class Block(nn.Module):
    """Depthwise and pointwise convolution with a residual connection."""

    def __init__(self, width: int, kernel: int = 3) -> None:
        super().__init__()
        self.spread = _layer(width, width, kernel, 1, width)
        self.mix = nn.Sequential(nn.Conv2d(width, width, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Returns maps of the same shape."""
        return torch.relu(x + self.mix(self.spread(x)))


class Net(nn.Module):
    """The network of 85 thousand parameters: down to a sixteenth of the size, and back up to a quarter."""

    def __init__(self) -> None:
        super().__init__()
        self.quarter = nn.Sequential(_layer(3, 16, 3, 2), _down(16, 32, 3))
        self.eighth = nn.Sequential(_down(32, 64, 5), Block(64), Block(64))
        self.sixteenth = nn.Sequential(_down(64, 96, 5), *(Block(96, 5) for _ in range(4)))
        self.rise, self.rise_again = nn.Conv2d(96, 64, 1), nn.Conv2d(64, 32, 1)
        self.join, self.join_again = Block(64), Block(32)
        self.answer = nn.Conv2d(32, CHANNELS, 1)
        with torch.no_grad():
            self.answer.get_parameter("bias")[:2] = -4.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps [B, 3, H, W] (pixels / 64, sizes multiples of 16) to [B, CHANNELS, H / 4, W / 4]."""
        quarter = self.quarter(x)
        eighth = self.eighth(quarter)
        deep = nn.functional.interpolate(self.rise(self.sixteenth(eighth)), scale_factor=2.0, mode="nearest")
        eighth = self.join(eighth + deep)
        wide = nn.functional.interpolate(self.rise_again(eighth), scale_factor=2.0, mode="nearest")
        answer: torch.Tensor = self.answer(self.join_again(quarter + wide))
        return answer


def normalised(images: npt.NDArray[np.uint8] | torch.Tensor) -> torch.Tensor:
    """Returns [B, H, W, 3] bytes in the form that the network takes in training."""
    pixels = images if isinstance(images, torch.Tensor) else torch.from_numpy(images)
    # With channels last in memory, a depthwise network trains 50 % faster on a CPU.
    return pixels.permute(0, 3, 1, 2).float().div(_GREY).contiguous(memory_format=torch.channels_last)


def load_for_training(path: Path, pictures: npt.NDArray[np.uint8]) -> Net:
    """Returns the network exported to `path`, ready for further training, since the repository has no checkpoints.

    The export folds each batch norm into its convolution; here each norm gets the mean and variance of its convolution
    on `pictures` [B, H, W, 3], and the scale and shift that compensate them.
    """
    tensors = {
        one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in onnx.load(path).graph.initializer
    }
    folded = [weight for name, weight in tensors.items() if not name.startswith("net.")]
    net, pixels = Net().eval(), normalised(pictures)
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            if f"net.{name}" in tensors:
                parameter.copy_(tensors[f"net.{name}"])
        net.get_parameter("quarter.0.0.weight").copy_(folded[0] * _GREY)
        for index, (convolution, norm) in enumerate(_normed(net)):
            weight, bias = folded[2 * index], folded[2 * index + 1]
            if index > 0:
                convolution.weight.copy_(weight)
            unfold(net, convolution, norm, bias, pixels)
    return net


def _normed(net: Net) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Returns every convolution with the norm after it, in the order of the network."""
    parts = (net.quarter, net.eighth, net.sixteenth, net.join, net.join_again)
    layers = [layer for part in parts for layer in part.modules() if isinstance(layer, nn.Conv2d | nn.BatchNorm2d)]
    return [
        (first, second)
        for first, second in zip(layers[::2], layers[1::2], strict=True)
        if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d)
    ]


class Targets:
    """The right answers of the network for one picture, on its grid."""

    def __init__(self, size: int) -> None:
        cells = size // STRIDE
        self.heat = np.zeros((2, cells, cells), np.float32)
        self.care = np.ones((2, cells, cells), np.float32)
        """0 for cells whose answers do not matter."""
        self.shape = np.zeros((8, cells, cells), np.float32)
        self.weight = np.zeros((cells, cells), np.float32)
        self.value = np.full((cells, cells), -1, np.int64)


def targets(truth: Truth, size: int) -> Targets:
    """Returns the targets for the truth of a picture of `size` x `size` pixels."""
    aim = Targets(size)
    order = np.argsort(truth.duty, kind="stable")
    for index in order:
        _draw(aim, truth, int(index))
    return aim


def _draw(aim: Targets, truth: Truth, index: int) -> None:
    quad = (truth.quads[index].astype(np.float64) - (STRIDE - 1) / 2) / STRIDE
    layer = int(truth.kinds[index]) - TILE
    middle = quad.mean(axis=0)
    long = (quad[3] + quad[2] - quad[0] - quad[1]) / 4
    short = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
    cross = np.stack([short, long], axis=1)
    if abs(np.linalg.det(cross)) < 0.05:
        return
    if truth.duty[index] == MAY:
        _forgive(aim, layer, middle, cross)
        return
    nearest = np.rint(middle)
    rows, columns, grid = _patch(aim, nearest, 4 if layer == 0 else 5)
    if grid.size == 0:
        return
    spread = np.array([max(_CORE * np.linalg.norm(short), 0.6), max(_spread_long(layer, long), 0.6)])
    axes = np.stack([short / np.linalg.norm(short), long / np.linalg.norm(long)], axis=1)
    distances = (grid - nearest) @ np.linalg.inv(axes).T / spread
    bump = np.exp(-(distances**2).sum(axis=-1) / 2).astype(np.float32)
    np.maximum(aim.heat[layer, rows, columns], bump, out=aim.heat[layer, rows, columns])
    aim.care[layer, rows, columns][bump > 0.05] = 1.0
    if truth.duty[index] == PLACE:
        return
    strength = bump * (1.0 if layer == 0 else _STICK_GAIN)
    is_owned = (bump > 0.45) & (strength > aim.weight[rows, columns])
    aim.weight[rows, columns][is_owned] = strength[is_owned]
    answer = _shape(middle, long, short)
    answer = np.broadcast_to(answer[:, None, None], (8, *is_owned.shape)).copy()
    answer[:2] -= np.moveaxis(grid, -1, 0)
    aim.shape[:, rows, columns][:, is_owned] = answer[:, is_owned]
    value = int(truth.values[index])
    aim.value[rows, columns][is_owned] = STICK_VALUES.index(value) if value in STICK_VALUES else -1


def _spread_long(layer: int, long: npt.NDArray[np.float64]) -> float:
    return float(np.linalg.norm(long)) * (_CORE * 0.75 if layer == 0 else 0.08)


def _shape(
    middle: npt.NDArray[np.float64], long: npt.NDArray[np.float64], short: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    lengths = [float(np.linalg.norm(half)) * STRIDE for half in (long, short)]
    angles = [2 * np.arctan2(half[1], half[0]) for half in (long, short)]
    logs = [np.log(lengths[0] / LONG_UNIT), np.log(lengths[1] / SHORT_UNIT)]
    turns = [f(angle) for angle in angles for f in (np.cos, np.sin)]
    return np.array([*middle, *logs, *turns])


def _patch(aim: Targets, middle: npt.NDArray[np.float64], radius: int) -> tuple[slice, slice, npt.NDArray[np.float64]]:
    cells = aim.weight.shape[0]
    low = np.clip(middle - radius, 0, cells).astype(int)
    high = np.clip(middle + radius + 1, 0, cells).astype(int)
    rows, columns = slice(low[1], high[1]), slice(low[0], high[0])
    y, x = np.mgrid[rows, columns].astype(np.float64)
    return rows, columns, np.stack([x, y], axis=-1)


def _forgive(aim: Targets, layer: int, middle: npt.NDArray[np.float64], cross: npt.NDArray[np.float64]) -> None:
    rows, columns, grid = _patch(aim, np.rint(middle), int(np.abs(cross).sum(axis=1).max()) + 1)
    if grid.size == 0:
        return
    distances = np.abs((grid - middle) @ np.linalg.inv(cross).T)
    aim.care[layer, rows, columns][(distances < 0.8).all(axis=-1)] = 0.0


def packed(aims: Sequence[Targets]) -> tuple[npt.NDArray[Any], ...]:
    """Returns the targets of several pictures: heat, care, shape and weight in half precision, and value as int8."""
    parts = [np.stack([getattr(aim, name) for aim in aims]) for name in ("heat", "care", "shape", "weight")]
    return *(part.astype(np.float16) for part in parts), np.stack([aim.value for aim in aims]).astype(np.int8)


def loss(answer: torch.Tensor, aims: Sequence[torch.Tensor]) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """Returns the loss of the answers for a batch, in total and by part; `aims` are as from `packed`."""
    heat, care, shape, weight = (aim.float() for aim in aims[:4])
    value = aims[4].long()
    parts = {
        "tiles": _focal(answer[:, 0], heat[:, 0], care[:, 0]),
        "sticks": _focal(answer[:, 1], heat[:, 1], care[:, 1]),
    }
    weights = weight / weight.sum().clamp(min=1.0)
    wrong = (answer[:, 2:10] - shape).abs()
    for name, places, gain in (("middle", slice(0, 2), 1.0), ("size", slice(2, 4), 4.0), ("turn", slice(4, 8), 2.5)):
        parts[name] = gain * (wrong[:, places].sum(dim=1) * weights).sum()
    is_known = (value >= 0) & (weight > 0)
    value_losses = nn.functional.cross_entropy(answer[:, 10:], value.clamp(min=0), reduction="none")
    parts["value"] = (value_losses * is_known).sum() / is_known.sum().clamp(min=1)
    total = sum(parts.values(), torch.zeros((), device=answer.device))
    return total, {name: part.detach() for name, part in parts.items()}


def _focal(logits: torch.Tensor, heat: torch.Tensor, care: torch.Tensor) -> torch.Tensor:
    chance = torch.sigmoid(logits)
    peak = (heat > 0.999).float()
    right = -nn.functional.logsigmoid(logits) * (1 - chance) ** 2 * peak
    wrong = -nn.functional.logsigmoid(-logits) * chance**2 * (1 - heat) ** 4 * (1 - peak) * care
    return (right + wrong).sum() / peak.sum().clamp(min=4.0)


def export(net: nn.Module, path: Path) -> None:
    """Writes the network as ONNX: `image` float32 [1, 3, H, W] in, `maps` float32 [1, CHANNELS, H / 4, W / 4] out."""
    whole = _Greys(net).cpu().eval()
    example = torch.zeros(1, 3, 64, 96)
    axes = {"image": {2: "height", 3: "width"}, "maps": {2: "rows", 3: "columns"}}
    options: dict[str, Any] = {"opset_version": 17, "dynamo": False, "dynamic_axes": axes}
    torch.onnx.export(whole, (example,), str(path), input_names=["image"], output_names=["maps"], **options)


class _Greys(nn.Module):
    """The network with its first layer rescaled to take levels from 0 to 255."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = Net()
        self.net.load_state_dict(net.state_dict())
        with torch.no_grad():
            self.net.get_parameter("quarter.0.0.weight").div_(_GREY)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        maps: torch.Tensor = self.net(image)
        return maps
