"""The reader learns with a large network, and a training goes on where it was interrupted."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
import pytest

pytest.importorskip("torch", reason="the training extra is not installed")

import torch

from models.training.nets import distil
from models.training.nets.drawn_ahead import Draws, Ring
from models.training.nets.reader_net import TileNet
from models.training.nets.varied_crops import varied, with_cloth
from vision.felt import CLASSES, NOT_A_TILE
from vision.reading.reader import HEIGHT, WIDTH

PLAN = distil.Plan(minutes=0.02, batch=8, rate=1e-3)


class ReadyDraws:
    """Draws that are all there from the start."""

    def into(self, ring: Ring, *, least: int) -> None:
        if not ring.drawn:
            rng = np.random.default_rng(1)
            ring.add((rng.integers(0, 255, (40, HEIGHT, WIDTH, 3)).astype(np.uint8), rng.integers(0, 39, 40)))


def _run(distiller: distil.Distiller) -> None:
    distiller.run(Ring(distiller.device, capacity=64), cast(Draws, ReadyDraws()))


def _weights(net: TileNet) -> torch.Tensor:
    return torch.cat([values.detach().flatten() for values in net.parameters()])


def test_the_reader_learns_and_an_ended_training_is_taken_up_with_what_it_learnt(tmp_path: Path) -> None:
    torch.manual_seed(1)
    start = TileNet()
    untaught = _weights(start).clone()
    trained = distil.Distiller(PLAN, tmp_path / "distil.pt", start)
    _run(trained)
    assert trained.is_done
    assert not torch.allclose(_weights(trained.reader()), untaught)
    again = distil.Distiller(PLAN, tmp_path / "distil.pt", TileNet())
    assert again.is_done
    assert torch.equal(_weights(again.reader()), _weights(trained.reader()))


def test_an_interrupted_training_has_only_the_rest_of_its_time_left(tmp_path: Path) -> None:
    _run(distil.Distiller(PLAN, tmp_path / "distil.pt", TileNet()))
    longer = distil.Distiller(distil.Plan(minutes=1.0, batch=8, rate=1e-3), tmp_path / "distil.pt", TileNet())
    assert not longer.is_done
    assert longer.spent_s >= 60 * PLAN.minutes


def test_varied_crops_show_what_they_showed_before() -> None:
    torch.manual_seed(2)
    crops = torch.zeros((64, HEIGHT, WIDTH, 3), dtype=torch.uint8)
    crops[:, : HEIGHT // 2] = 200
    images = varied(crops)
    assert images.shape == (64, 3, HEIGHT, WIDTH)
    assert 0 <= float(images.min()) < float(images.max()) <= 255
    upper, lower = images[:, :, :16].mean(dim=(1, 2, 3)), images[:, :, -16:].mean(dim=(1, 2, 3))
    assert bool((upper > lower + 40).all())


def test_cloth_is_no_tile_and_all_other_crops_stay() -> None:
    torch.manual_seed(3)
    crops = torch.randint(0, 255, (4000, HEIGHT, WIDTH, 3), dtype=torch.uint8)
    changed, labels = with_cloth(crops, torch.full((4000,), CLASSES.index("3m")))
    is_changed = (changed != crops).flatten(1).any(dim=1)
    assert torch.equal(is_changed, labels == CLASSES.index(NOT_A_TILE))
    assert 0.01 < float(is_changed.float().mean()) < 0.03
