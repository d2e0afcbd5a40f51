"""Names the kind of JSON in a file for errors, without its content: a file that is not a game may hold secrets."""

from __future__ import annotations

from typing import Any


def json_kind(value: Any) -> str:
    """Returns the kind of a parsed value, without any of its content."""
    match value:
        case {}:
            return "another object" if value else "an empty object"
        case list():
            return "a list"
        case str():
            return "a text"
        case None | bool():
            return "null, true or false"
        case _:
            return "a number"
