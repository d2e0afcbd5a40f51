"""What plain data of files and requests may hold: finite numbers of 64 bits, whole characters, and little nesting.

Other values (Python reads whole numbers of any length, JSON can name half a character) would fail only later, when a
page, a picture or a file is made of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final

MOST_DEEP: Final = 50
"""How many lists and objects may be nested in the outermost one: more than in any of our files, and safe to recurse."""
TOO_DEEP: Final = f"expected at most {MOST_DEEP} nested lists and objects, got more"
MOST_WHOLE: Final = 2**63 - 1
"""The largest whole number that TOML guarantees and SQLite stores; it is within the range of floats, too."""
_HALF: Final = re.compile("[\ud800-\udfff]")


def check_plain(value: object) -> None:
    """Refuses a value that is nested too deeply, or that holds a number or a text that cannot be used.

    Raises:
        ValueError: it cannot be used; the message says what was expected.
    """
    for level in _levels(value):
        if problem := next(filter(None, map(flaw, level)), ""):
            raise ValueError(problem)


def with_tuples(value: object) -> Any:
    """Returns a value with tuples in place of its lists, also of nested ones."""
    return tuple(map(with_tuples, value)) if isinstance(value, list) else value


def check_depth(value: object) -> None:
    """Refuses a value that is nested too deeply.

    Raises:
        ValueError: it is nested too deeply.
    """
    for _ in _levels(value):
        pass


def _levels(value: object) -> Iterator[Sequence[object]]:
    """Yields the values of each level of nesting, keys included: first the value itself, then what is in it, and so on.

    Raises:
        ValueError: there are too many levels.
    """
    level: list[object] = [value]
    for _ in range(MOST_DEEP + 1):
        yield level
        outer = [item for item in level if isinstance(item, dict | list)]
        if not outer:
            return
        level = [inner for item in outer for inner in _inside(item)]
    if any(isinstance(item, dict | list) for item in level):
        raise ValueError(TOO_DEEP)
    yield level


def flaw(value: object) -> str:
    """Returns why a number or a text cannot be used, as expected and got; empty if it can, or is neither."""
    match value:
        case int() if abs(value) > MOST_WHOLE:
            digits = int(value.bit_length() * math.log10(2)) + 1
            return f"expected a number of 64 bits, got one of about {digits} digits"
        case float() if not math.isfinite(value):
            return f"expected a finite number, got {value}"
        case str() if not value.isascii() and _HALF.search(value):
            return f"expected text of whole characters, got {value!r:.80}"
    return ""


def parse_reason(error: ValueError) -> str:
    """Returns why JSON or TOML cannot be parsed; Python's own words for a long number name a setting of Python."""
    is_long = "int_max_str_digits" in str(error)
    return "expected numbers of 64 bits, got one of thousands of digits" if is_long else str(error)


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return chain.from_iterable(value.items())
    return value if isinstance(value, list) else ()
