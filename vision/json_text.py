"""Parses untrusted JSON: excessive nesting, unusable numbers and texts are refused like invalid JSON."""

from __future__ import annotations

import json
from typing import Any

from vision.plain_values import MOST_DEEP, check_depth, check_plain, parse_reason


def read_json(text: str | bytes) -> Any:
    """Parses a JSON text; an editor's byte order mark before it is ignored.

    Raises:
        ValueError: it is invalid, or not plain data as in `vision.plain_values`.
    """
    value = read_any_json(text)
    check_plain(value)
    return value


def read_any_json(text: str | bytes) -> Any:
    """Parses the JSON text of another program, whose numbers and texts the caller checks one by one.

    Raises:
        ValueError: it is invalid, or nested too deeply.
    """
    try:
        value = json.loads(text.removeprefix("\ufeff") if isinstance(text, str) else text)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise ValueError(f"expected JSON nested at most {MOST_DEEP} deep, got deeper nesting") from None
    except ValueError as error:
        raise ValueError(parse_reason(error)) from error
    check_depth(value)
    return value
