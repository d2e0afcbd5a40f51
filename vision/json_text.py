"""Parses untrusted JSON: excessive nesting, unusable numbers and texts are refused like invalid JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from vision.plain_values import MOST_DEEP, check_depth, check_plain, parse_reason


def read_json(text: str | bytes) -> Any:
    """Parses a JSON text; an editor's byte order mark before it is ignored.

    Raises:
        ValueError: it is invalid, or not plain data as in `vision.plain_values`.
    """
    value = _parsed(text, object_of=_with_each_key_once)
    check_plain(value)
    return value


def read_any_json(text: str | bytes) -> Any:
    """Parses the JSON text of another program, whose numbers and texts the caller checks one by one.

    Raises:
        ValueError: it is invalid, or nested too deeply.
    """
    return _parsed(text)


def _parsed(text: str | bytes, *, object_of: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    try:
        decoded = text if isinstance(text, str) else text.decode("utf-8")
        value = json.loads(decoded.removeprefix("\ufeff"), object_pairs_hook=object_of)
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except RecursionError:
        raise ValueError(f"expected JSON nested at most {MOST_DEEP} deep, got deeper nesting") from None
    except ValueError as error:
        raise ValueError(parse_reason(error)) from error
    check_depth(value)
    return value


def _with_each_key_once(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns an object; refuses a key that comes twice, since nobody knows which value was meant."""
    found = dict(items)
    if len(found) < len(items):
        keys = [key for key, _ in items]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"expected each key once, got {twice!r:.80} again")
    return found
