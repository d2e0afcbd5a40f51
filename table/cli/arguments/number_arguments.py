"""Number arguments: a number out of range is a usage error, as is text that is not a number."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Final

PORTS: Final = 65_535
"""The highest port number."""
LONGEST: Final = 60
"""Limit of letters of an argument that a message quotes."""
MOST: Final = 10**9
"""The largest number where an argument names no limit of its own."""


def whole(least: int, most: int = MOST) -> Callable[[str], int]:
    """Returns an argparse type for whole numbers from `least` to `most`, both included."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"expected a whole number from {least} to {most}, got {text[:LONGEST]!r}")
        return value

    return read


def number(*, above: float, most: float) -> Callable[[str], float]:
    """Returns an argparse type for numbers above `above`, up to and including `most`."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not above < value <= most:
            raise argparse.ArgumentTypeError(
                f"expected a number above {above:g}, up to {most:g}, got {text[:LONGEST]!r}"
            )
        return value

    return read
