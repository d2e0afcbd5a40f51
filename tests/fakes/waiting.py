"""Waiting for what another thread or process does, never for time to pass."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep

PATIENCE_S = 120.0
"""How long is waited for what takes a moment: long, for a machine that does much else."""


def wait_for(condition: Callable[[], object], seconds: float = PATIENCE_S) -> None:
    """Returns as soon as the condition is true; fails if it never is."""
    until = monotonic() + seconds
    while not condition():
        assert monotonic() < until, "waited in vain"
        sleep(0.005)
