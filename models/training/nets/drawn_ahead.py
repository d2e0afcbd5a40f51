"""Training examples drawn ahead by processes of their own, and kept on the device that learns from them."""

from __future__ import annotations

import multiprocessing
import queue
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

Arrays = tuple[npt.NDArray[Any], ...]
"""Examples by the row: every array has as many rows."""
_WAITING: Final = 64
"""So many draws wait for their training."""
_SILENCE_S: Final = 300.0
"""Whoever draws nothing for so long has died."""


class Ring:
    """The latest examples drawn, on a device."""

    def __init__(self, device: torch.device, *, kept: int) -> None:
        self._device, self._kept = device, kept
        self._rows: list[Tensor] = []
        self.drawn = 0

    def add(self, arrays: Arrays) -> None:
        """Takes in examples; the oldest go."""
        given = [torch.from_numpy(np.ascontiguousarray(array)) for array in arrays]
        if not self._rows:
            self._rows = [
                torch.empty((self._kept, *one.shape[1:]), dtype=one.dtype, device=self._device) for one in given
            ]
        places = torch.arange(self.drawn, self.drawn + len(given[0]), device=self._device) % self._kept
        for rows, one in zip(self._rows, given, strict=True):
            rows[places] = one.to(self._device)
        self.drawn += len(given[0])

    def batch(self, size: int) -> tuple[Tensor, ...]:
        """Examples at random, some perhaps twice."""
        chosen = torch.randint(min(self.drawn, self._kept), (size,), device=self._device)
        return tuple(rows[chosen] for rows in self._rows)


class Draws:
    """What processes have drawn and a training has not taken yet."""

    def __init__(self, waiting: Any) -> None:
        self._waiting = waiting

    def into(self, ring: Ring, *, least: int) -> None:
        """Moves all that is ready into a ring; waits until it was given `least` in all.

        Raises:
            TimeoutError: nothing comes any more.
        """
        begun = time.monotonic()
        while ring.drawn < least or not self._waiting.empty():
            try:
                ring.add(self._waiting.get(timeout=5))
            except queue.Empty:
                if ring.drawn >= least:
                    return
                if time.monotonic() - begun > _SILENCE_S:
                    raise TimeoutError(f"expected {least} examples, got {ring.drawn}, from those who draw") from None


@contextmanager
def drawing(source: Callable[[int], Iterator[Arrays]], *, workers: int, seed: int) -> Iterator[Draws]:
    """Lets so many processes draw from `source`, each from its own seed; they end with the block."""
    spawn = multiprocessing.get_context("spawn")
    waiting: Any = spawn.Queue(_WAITING)
    drawers = [
        spawn.Process(target=_draw, args=(source, seed * 1000 + number, waiting), daemon=True)
        for number in range(workers)
    ]
    for drawer in drawers:
        drawer.start()
    try:
        yield Draws(waiting)
    finally:
        for drawer in drawers:
            drawer.terminate()


def _draw(source: Callable[[int], Iterator[Arrays]], seed: int, waiting: Any) -> None:
    import cv2  # noqa: PLC0415 - each process for itself

    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    for arrays in source(seed):
        waiting.put(arrays)
