"""Changes crops at random on the training device, so that none is learnt from twice in the same form."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from vision.felt import CLASSES, NOT_A_TILE

_WARPED: Final = 0.6
"""The fraction of crops that are moved."""
_WARM: Final = 0.2
"""The fraction of crops that are seen in warm light."""
_SMALL: Final = 0.3
"""The fraction of crops that are seen in fewer pixels."""
_COVERED: Final = 0.12
"""The fraction of crops that are covered in part."""
_COVER: Final = 11, 9
"""The height and width in pixels of the rectangle that covers a part of a crop."""
_CLOTHS: Final = 0.02
"""The fraction of crops that are replaced by bare cloth."""


def with_cloth(crops: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Returns crops [N, 64, 48, 3] and labels [N], some of the crops replaced by bare cloth, which is no tile.

    Cloth has a texture; the back of a tile, cut without its edge, has none.
    """
    is_cloth = torch.rand(len(labels), device=labels.device) < _CLOTHS
    changed = crops.clone()
    changed[is_cloth] = _cloths(crops[is_cloth])
    return changed, torch.where(is_cloth, CLASSES.index(NOT_A_TILE), labels)


def _cloths(crops: Tensor) -> Tensor:
    """Returns crops of the same shape that show bare cloth in any colour, one side slightly lighter."""
    count, height, width, _ = crops.shape
    span = torch.tensor([150.0, 160.0, 130.0], device=crops.device)
    colour = 10 + span * torch.rand(count, 1, 1, 3, device=crops.device)
    down = torch.linspace(-8, 8, height, device=crops.device)[:, None, None]
    across = torch.linspace(-8, 8, width, device=crops.device)[:, None]
    slopes = torch.randn(2, count, 1, 1, 1, device=crops.device)
    texture = torch.randn(count, height, width, 1, device=crops.device) * uniform_each(crops, 3, 11)
    return (colour + slopes[0] * down + slopes[1] * across + texture).clamp(0, 255).to(crops.dtype)


def varied(crops: Tensor) -> Tensor:
    """Returns crops [N, 64, 48, 3] as floats [N, 3, 64, 48]: slightly moved, in other light, smaller, covered."""
    images = crops.permute(0, 3, 1, 2).float()
    images = _covered(_smaller(_warped(images)))
    images = _lit(images)
    images = images + uniform_each(images, 0, 7) * torch.randn_like(images)
    return images.clamp(0, 255).contiguous(memory_format=torch.channels_last)


def uniform_each(images: Tensor, low: float, high: float) -> Tensor:
    """Returns a random number between two for each of N images, [N, 1, 1, 1]."""
    return torch.empty(len(images), 1, 1, 1, device=images.device).uniform_(low, high)


def _warped(images: Tensor) -> Tensor:
    """Returns images some of which are rotated, sheared, stretched and shifted by a few hundredths."""
    still = torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], device=images.device)
    moves = torch.randn(len(images), 2, 3, device=images.device) * 0.03
    moves = moves * (torch.rand(len(images), 1, 1, device=images.device) < _WARPED)
    grid = functional.affine_grid(still + moves, list(images.shape), align_corners=False)
    return functional.grid_sample(images, grid, padding_mode="border", align_corners=False)


def _smaller(images: Tensor) -> Tensor:
    """Returns images of which the first ones look as if they had fewer pixels."""
    count = int(len(images) * _SMALL)
    share = float(torch.empty(()).uniform_(0.35, 0.9))
    height, width = images.shape[2:]
    size = round(height * share), round(width * share)
    small = functional.interpolate(images[:count], size=size, mode="bilinear", antialias=True)
    back = functional.interpolate(small, size=(height, width), mode="bilinear")
    return torch.cat([back, images[count:]])


def _covered(images: Tensor) -> Tensor:
    """Returns images of which some have a rectangle in their mean colour."""
    count, _, height, width = images.shape
    rows = torch.arange(height, device=images.device)[None, :, None]
    columns = torch.arange(width, device=images.device)[None, None, :]
    top = torch.randint(0, height - _COVER[0], (count, 1, 1), device=images.device)
    left = torch.randint(0, width - _COVER[1], (count, 1, 1), device=images.device)
    inside = (rows >= top) & (rows < top + _COVER[0]) & (columns >= left) & (columns < left + _COVER[1])
    inside &= torch.rand(count, 1, 1, device=images.device) < _COVERED
    return torch.where(inside[:, None], images.mean(dim=(2, 3), keepdim=True), images)


def _lit(images: Tensor) -> Tensor:
    """Returns images in other light, some in warm light."""
    count = len(images)
    cast = torch.empty(count, 3, 1, 1, device=images.device).uniform_(0.92, 1.08)
    is_warm = torch.rand(count, device=images.device) < _WARM
    warmth = torch.empty(count, device=images.device).uniform_(0.62, 1.0)
    cast[:, 0, 0, 0] *= torch.where(is_warm, warmth, 1.0)
    cast[:, 1, 0, 0] *= torch.where(is_warm, warmth.sqrt(), 1.0)
    images = (images * cast * uniform_each(images, 0.6, 1.25) + uniform_each(images, -12, 15)).clamp(0, 255)
    return 255 * (images / 255).clamp(1e-3, 1) ** uniform_each(images, 0.8, 1.25)
