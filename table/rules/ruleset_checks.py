"""Checks that a switch of a rule set has a value of its type, by its annotation."""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Final, Literal, Union, get_args, get_origin

from table.rules.terms.rule_errors import InvalidValueError

FourPoints = tuple[int, int, int, int]
"""Points by place, first to last."""
_LISTS: Final[Mapping[object, str]] = {
    tuple[str, ...]: "list of names",
    FourPoints: "list of four points",
    tuple[FourPoints, ...]: "list of rows of four points",
}


def check_field(name: str, hint: object, value: object) -> None:
    """Checks that a field has a value of its annotation.

    Raises:
        InvalidValueError: for any other value; the message names the field, the allowed values and the value found.
    """
    if get_origin(hint) is Literal:
        allowed = get_args(hint)
        if value not in allowed or isinstance(value, bool):
            raise InvalidValueError(f"expected {name} to be one of {allowed!r}, got {value!r:.200}")
    elif not _fits(hint, value):
        kinds = " or ".join(_kind_text(kind) for kind in _kinds(hint))
        raise InvalidValueError(f"expected {name} to be of type {kinds}, got {value!r:.200}")


def _kinds(hint: object) -> tuple[object, ...]:
    return get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,)


def _fits(hint: object, value: object) -> bool:
    """Whether a value is of that type; the rule set checks the length of rows of points."""
    if len(kinds := _kinds(hint)) > 1:
        return any(_fits(kind, value) for kind in kinds)
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if get_origin(hint) is tuple:
        return isinstance(value, tuple) and all(_fits(get_args(hint)[0], item) for item in value)
    return not isinstance(hint, type) or (isinstance(value, hint) and (hint is bool) == isinstance(value, bool))


def _kind_text(hint: object) -> str:
    if get_origin(hint) is Literal:
        return ", ".join(map(repr, get_args(hint)))
    return _LISTS.get(hint) or str(getattr(hint, "__name__", hint))
