"""Number arguments: a number out of range is a usage error, as is text that is not a number."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Final

MAX_PORT: Final = 65_535
"""The highest port number."""
QUOTED_LETTERS: Final = 60
"""How many letters of an argument a message quotes at most."""
MAX_NUMBER: Final = 10**9
"""The largest number where an argument names no limit of its own."""


def whole_number_from(minimum: int, maximum: int = MAX_NUMBER) -> Callable[[str], int]:
    """Returns an argparse type for whole numbers from `minimum` to `maximum`, both included."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = minimum - 1
        if not minimum <= value <= maximum:
            raise argparse.ArgumentTypeError(
                f"expected a whole number from {minimum} to {maximum}, got {text[:QUOTED_LETTERS]!r}"
            )
        return value

    return read


def number(*, above: float, maximum: float) -> Callable[[str], float]:
    """Returns an argparse type for numbers above `above`, up to and including `maximum`."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not above < value <= maximum:
            raise argparse.ArgumentTypeError(
                f"expected a number above {above:g}, up to {maximum:g}, got {text[:QUOTED_LETTERS]!r}"
            )
        return value

    return read
