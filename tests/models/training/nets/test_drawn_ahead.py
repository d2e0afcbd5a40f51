"""Examples drawn ahead of a training by processes of their own."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from functools import partial
from itertools import count
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest

pytest.importorskip("torch", reason="the training extra is not installed")
pytest.importorskip("PIL", reason="the training extra is not installed")

import torch

from models.training.nets import drawn_ahead
from models.training.nets.drawn_ahead import Arrays, Draws, Ring, drawing
from models.training.studio.scenes.scene_renderer import Scene, Studio
from models.training.train_locator import _rotated


def numbered_rows(seed: int, *, step: int) -> Iterator[Arrays]:
    """Rows that say who drew them and how many came before."""
    for number in range(1000):
        yield np.full((step, 2), seed), np.arange(step) + number * step


def test_a_ring_keeps_the_latest_examples_and_their_parts_together() -> None:
    ring = Ring(torch.device("cpu"), capacity=10)
    for first in (0, 8, 16):
        rows = np.arange(first, first + 8)
        ring.add((rows, np.stack([rows, 2 * rows], axis=1)))
    numbers, pairs = ring.batch(400)
    assert set(numbers.tolist()) == set(range(14, 24))
    assert torch.equal(pairs[:, 1], 2 * numbers)


def test_a_ring_gives_only_what_was_drawn() -> None:
    ring = Ring(torch.device("cpu"), capacity=1000)
    ring.add((np.arange(5),))
    assert set(ring.batch(200)[0].tolist()) == set(range(5))


def test_what_was_learnt_badly_comes_more_often() -> None:
    ring = Ring(torch.device("cpu"), capacity=100)
    ring.add((np.arange(100),))
    for _ in range(3):
        (numbers,) = ring.hard_batch(500)
        ring.learnt(torch.where(numbers == 7, 5.0, 0.0))
    (numbers,) = ring.hard_batch(4000)
    assert len(numbers) == 4000
    assert (numbers == 7).sum() > 5 * 4000 / 100
    assert set(numbers.tolist()) == set(range(100)), "none is forgotten"


def test_processes_draw_from_seeds_of_their_own_until_there_is_enough() -> None:
    ring = Ring(torch.device("cpu"), capacity=8000)
    with drawing(partial(numbered_rows, step=4), workers=2, seed=7) as draws:
        draws.into(ring, least=6000)  # more than one of them gives
    assert ring.drawn >= 6000
    assert set(ring.batch(1000)[0][:, 0].tolist()) == {7000, 7001}


def test_processes_that_draw_slowly_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = count(step=200)
    monkeypatch.setattr(drawn_ahead, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    waiting = Mock(empty=lambda: True, get=Mock(side_effect=[queue.Empty, (np.arange(2),)] * 5))
    ring = Ring(torch.device("cpu"), capacity=100)
    Draws(waiting).into(ring, least=10)
    assert ring.drawn == 10


def test_processes_that_draw_nothing_are_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = count(step=200)
    monkeypatch.setattr(drawn_ahead, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    waiting = Mock(empty=lambda: True, get=Mock(side_effect=queue.Empty))
    with pytest.raises(TimeoutError, match="expected 10 examples, got 0"):
        Draws(waiting).into(Ring(torch.device("cpu"), capacity=100), least=10)


@pytest.mark.parametrize("quarters", range(4))
def test_a_turned_pictures_truth_turns_with_it(quarters: int) -> None:
    scene = Studio(seed=11, art=None, stock=3).scene(256)
    marked = Scene(image=np.zeros_like(scene.image), truth=scene.truth)
    places = [quad.mean(axis=0).round().astype(int) for quad in scene.truth.quads]
    inside = [index for index, (x, y) in enumerate(places) if 1 < x < 254 and 1 < y < 254]
    for index in inside:
        marked.image[places[index][1] - 1 : places[index][1] + 2, places[index][0] - 1 : places[index][0] + 2] = 255
    rotated = _rotated(marked, quarters)
    assert inside
    for index in inside:
        x, y = rotated.truth.quads[index].mean(axis=0).round().astype(int)
        assert rotated.image[y, x].max() == 255
