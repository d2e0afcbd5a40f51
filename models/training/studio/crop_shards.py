"""Rendered crops on disk, in shards that several processes render in parallel and a training loads.

A shard depends only on the seed and its number, so the pool is the same for any number of processes. An existing shard
is not rendered again.
"""

from __future__ import annotations

import multiprocessing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.training.crops import samples
from models.training.faces import font_glyphs
from models.training.studio import table_crops

SHARD: Final = 4000
"""The number of crops in a shard."""
TABLES: Final = 4
"""One in this many shards is cut from whole tables; the others are photographs of one tile each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The input of a rendering process."""

    folder: Path
    shared: Path
    seed: int
    fonts: Path = font_glyphs.FONT_ROOT


def shard_path(folder: Path, number: int) -> Path:
    """Returns the path of a shard."""
    return folder / f"{number:05d}.npz"


def render(order: Order, numbers: list[int], *, workers: int) -> None:
    """Renders the missing shards."""
    order.folder.mkdir(parents=True, exist_ok=True)
    absent = [number for number in numbers if not shard_path(order.folder, number).exists()]
    jobs = [(order, number) for number in absent]
    if workers <= 1:
        for job in jobs:
            _render_one(job)
        return
    with multiprocessing.get_context("spawn").Pool(workers) as processes:
        for _ in processes.imap_unordered(_render_one, jobs):
            pass


def _render_one(job: tuple[Order, int]) -> None:
    order, number = job
    cv2.setNumThreads(1)
    fonts = font_glyphs.find_fonts(order.fonts)
    make = table_crops.make if number % TABLES == TABLES - 1 else samples.make
    art = samples.load_material(order.shared)
    batch = make(SHARD, seed=order.seed * 1_000_003 + number, fonts=fonts, art=art)
    unfinished = order.folder / f"{number:05d}.part"
    with unfinished.open("wb") as file:
        np.savez(file, crops=batch.crops, labels=batch.labels)
    unfinished.rename(shard_path(order.folder, number))


def load(folder: Path, numbers: list[int]) -> samples.Batch:
    """Returns the existing shards as one batch.

    Raises:
        FileNotFoundError: none of them exists.
    """
    parts = [np.load(path) for number in numbers if (path := shard_path(folder, number)).exists()]
    if not parts:
        raise FileNotFoundError(f"expected rendered shards {numbers[0]}-{numbers[-1]}, got none, in {folder}")
    return samples.Batch(
        crops=np.concatenate([part["crops"] for part in parts]),
        labels=np.concatenate([part["labels"] for part in parts]),
    )
