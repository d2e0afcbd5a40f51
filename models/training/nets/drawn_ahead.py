"""Training examples, drawn in advance by separate processes and kept on the training device."""

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
"""Examples as arrays with one row per example; all arrays have the same number of rows."""
_WAITING: Final = 64
"""The number of draws that may wait for the training."""
_NEW: Final = 0.3
"""The loss that an example is assumed to have before it is first learnt from."""
_LEAST: Final = 0.01
"""Added to each loss when hard examples are chosen, so that none is forgotten."""
_LOOKED_AT: Final = 8
"""How many random examples are considered for each example of a batch with hard ones."""
_SILENCE_S: Final = 300.0
"""The time without a new draw after which the drawing processes are considered dead."""


class Ring:
    """The latest examples, on a device."""

    def __init__(self, device: torch.device, *, capacity: int) -> None:
        self._device, self._capacity = device, capacity
        self._rows: list[Tensor] = []
        self._losses = torch.zeros(capacity, device=device)
        self._latest = torch.zeros(0, dtype=torch.int64, device=device)
        self.drawn = 0

    def add(self, arrays: Arrays) -> None:
        """Adds examples, replacing the oldest."""
        tensors = [torch.from_numpy(np.ascontiguousarray(array)) for array in arrays]
        if not self._rows:
            self._rows = [
                torch.empty((self._capacity, *one.shape[1:]), dtype=one.dtype, device=self._device) for one in tensors
            ]
        places = torch.arange(self.drawn, self.drawn + len(tensors[0]), device=self._device) % self._capacity
        for rows, one in zip(self._rows, tensors, strict=True):
            rows[places] = one.to(self._device)
        self._losses[places] = _NEW
        self.drawn += len(tensors[0])

    def batch(self, size: int) -> tuple[Tensor, ...]:
        """Returns random examples, possibly with repetitions."""
        return self._at(self._random(size))

    def hard_batch(self, size: int) -> tuple[Tensor, ...]:
        """Returns examples: half at random, and half chosen more often the higher their loss is (see `learnt`)."""
        candidates = self._random(size * _LOOKED_AT)
        hard = candidates[torch.multinomial(self._losses[candidates] + _LEAST, size // 2)]
        return self._at(torch.cat([self._random(size - size // 2), hard]))

    def learnt(self, losses: Tensor) -> None:
        """Notes the losses of the examples of the latest batch."""
        self._losses[self._latest] = losses

    def _random(self, size: int) -> Tensor:
        return torch.randint(min(self.drawn, self._capacity), (size,), device=self._device)

    def _at(self, chosen: Tensor) -> tuple[Tensor, ...]:
        self._latest = chosen
        return tuple(rows[chosen] for rows in self._rows)


class Draws:
    """The examples drawn by processes and not yet used by the training."""

    def __init__(self, waiting: Any) -> None:
        self._waiting = waiting

    def into(self, ring: Ring, *, least: int) -> None:
        """Moves all finished examples into a ring; waits until the ring has received at least `least` in all.

        Raises:
            TimeoutError: no more examples arrive.
        """
        last_draw = time.monotonic()
        while ring.drawn < least or not self._waiting.empty():
            try:
                ring.add(self._waiting.get(timeout=5))
                last_draw = time.monotonic()
            except queue.Empty:
                if ring.drawn >= least:
                    return
                if time.monotonic() - last_draw > _SILENCE_S:
                    raise TimeoutError(f"expected {least} examples, got {ring.drawn}, from those who draw") from None


@contextmanager
def drawing(source: Callable[[int], Iterator[Arrays]], *, workers: int, seed: int) -> Iterator[Draws]:
    """Lets `workers` processes draw from `source`, each with its own seed; they end with the context."""
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
