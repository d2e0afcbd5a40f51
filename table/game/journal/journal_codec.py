"""Values of the rules as JSON and back: exact, and strict about what it reads.

Dataclasses become objects (with their class name as ``"is"``), enums their value, tiles and rounds their text, tuples
lists, frozen sets sorted lists.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import Round
from table.rules.terms.tiles import Tile
from table.runtime.table_errors import JournalError

T = TypeVar("T")
TAG = "is"
"""The key that names the class where several are possible."""


def encode(value: object) -> Any:
    """Returns a JSON value; dataclasses get their class name as ``"is"``."""
    match value:
        case Enum():
            return value.value
        case Tile():
            return value.text
        case Round():
            return repr(value)
        case None | bool() | int() | float() | str():
            return value
        case tuple() | list():
            return [encode(each) for each in value]
        case frozenset() | set():
            return sorted(encode(each) for each in value)
        case Mapping():
            return {str(key): encode(each) for key, each in value.items()}
        case _ if dataclasses.is_dataclass(value):
            fields = {field.name: encode(getattr(value, field.name)) for field in dataclasses.fields(value)}
            return {TAG: type(value).__name__, **fields}
    raise TypeError(f"expected a value of the rules, got {value!r}")


def decode(kind: Any, data: Any) -> Any:
    """Builds a value of `kind`, a class or a union of classes, from what `encode` made of one.

    Raises:
        JournalError: where the data does not fit; the message names the place.
    """
    try:
        return _decode(kind, data, getattr(kind, "__name__", "the entry"))
    except (RulesError, TypeError, ValueError) as error:
        raise JournalError(f"cannot read a journal entry: {error}") from error


def _decode(kind: Any, data: Any, where: str) -> Any:
    origin = typing.get_origin(kind)
    if origin in (types.UnionType, typing.Union):
        return _decode_union(typing.get_args(kind), data, where)
    if origin is tuple:
        return _decode_tuple(typing.get_args(kind), data, where)
    if origin is frozenset:
        return frozenset(_decode(typing.get_args(kind)[0], each, where) for each in _expect(list, data, where))
    if origin is typing.Literal:
        return data
    if kind is Tile or (isinstance(kind, type) and issubclass(kind, Enum)):
        return kind(data)
    if kind is Round:
        return Round.parse(data)
    if dataclasses.is_dataclass(kind):
        return _decode_fields(kind, data, where)
    return _plain(kind, data, where)


def _plain(kind: Any, data: Any, where: str) -> Any:
    if kind is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if type(data) is not kind:
        raise ValueError(f"expected {kind.__name__} in {where}, got {data!r}")
    return data


def _expect(kind: type[T], data: Any, where: str) -> T:
    if not isinstance(data, kind):
        raise ValueError(f"expected a {kind.__name__} in {where}, got {data!r}")
    return data


def _decode_union(kinds: tuple[Any, ...], data: Any, where: str) -> Any:
    if data is None and type(None) in kinds:
        return None
    wanted = [kind for kind in kinds if kind is not type(None)]
    if len(wanted) == 1:
        return _decode(wanted[0], data, where)
    tag = data.get(TAG) if isinstance(data, dict) else None
    for kind in wanted:
        if getattr(kind, "__name__", None) == tag or type(data) is kind or _holds(kind, data):
            return _decode(kind, data, where)
    raise ValueError(f"expected one of {', '.join(str(kind) for kind in wanted)} in {where}, got {data!r}")


def _holds(kind: Any, data: Any) -> bool:
    """Whether the data is one of a closed set of values, or a list where a tuple is wanted."""
    if typing.get_origin(kind) is typing.Literal:
        return data in typing.get_args(kind)
    return typing.get_origin(kind) is tuple and isinstance(data, list)


def _decode_tuple(kinds: tuple[Any, ...], data: Any, where: str) -> tuple[Any, ...]:
    items = _expect(list, data, where)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_decode(kinds[0], each, where) for each in items)
    if len(items) != len(kinds):
        raise ValueError(f"expected {len(kinds)} values in {where}, got {data!r}")
    return tuple(_decode(kind, each, where) for kind, each in zip(kinds, items, strict=True))


def _decode_fields(kind: Any, data: Any, where: str) -> Any:
    fields = dict(_expect(dict, data, where))
    fields.pop(TAG, None)
    hints = _hints(kind)
    unknown = fields.keys() - hints.keys()
    if unknown:
        raise ValueError(f"expected only {', '.join(hints)} in {where}, got {', '.join(sorted(unknown))}")
    return kind(**{name: _decode(hints[name], each, f"{kind.__name__}.{name}") for name, each in fields.items()})


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {each.name: hints[each.name] for each in dataclasses.fields(kind)}
