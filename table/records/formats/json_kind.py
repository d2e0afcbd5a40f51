"""Says what kind of JSON a file holds, for errors: a file that is no game may hold secrets."""

from __future__ import annotations

from typing import Any, Final

_KEYS: Final = 4
_LONGEST: Final = 20
"""How many keys of an object are named, and how many letters of each."""


def json_kind(value: Any) -> str:
    """Returns the kind of a parsed value, with the first keys of an object, but none of its values."""
    match value:
        case {}:
            keys = ", ".join(repr(key[:_LONGEST]) for key in list(value)[:_KEYS])
            more = ", …" if len(value) > _KEYS else ""
            return f"an object with {keys}{more}" if keys else "an empty object"
        case list():
            return "a list"
        case str():
            return "a text"
        case None | bool():
            return "null, true or false"
        case _:
            return "a number"
