"""Parses untrusted JSON: excessive nesting is refused like invalid JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

MOST_DEEP: Final = 50
"""Limit of nested lists and objects: more than any of our files has, and safe for recursive code."""


def read_json(text: str | bytes) -> Any:
    """Parses a JSON text; an editor's byte order mark before it is ignored.

    Raises:
        ValueError: it is invalid, or nested too deeply.
    """
    try:
        value = json.loads(text.removeprefix("\ufeff") if isinstance(text, str) else text)
    except RecursionError:
        raise ValueError(f"expected JSON nested at most {MOST_DEEP} deep, got deeper nesting") from None
    check_depth(value)
    return value


def check_depth(value: object) -> None:
    """Refuses a value that is nested too deeply.

    Raises:
        ValueError: it is nested too deeply.
    """
    level = [value]
    for _ in range(MOST_DEEP + 1):
        level = [inner for each in level for inner in _inside(each)]
        if not level:
            return
    raise ValueError(f"expected at most {MOST_DEEP} nested lists and objects, got more")


def _inside(value: object) -> Iterator[object]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (each for each in inner if isinstance(each, dict | list))
