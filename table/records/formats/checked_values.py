"""Checks values of a record where they are read: another program's file may hold anything in place of a number."""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import Repr
from typing import Any, Final, TypeVar

from table.rules.terms.results import Deltas
from table.rules.terms.seats import Seat, four
from table.runtime.table_errors import RecordError

_MAX_NUMBER: Final = 2**53
"""Beyond any points or sticks of a game, and the largest number that every program reads exactly."""
_SHORT_REPR: Final = Repr()
T = TypeVar("T")


def checked_number(value: Any, name: str, *, minimum: int = -_MAX_NUMBER) -> int:
    """Returns a whole number; one written as a float, such as 25000.0, is read too.

    Raises:
        RecordError: for any other value, or one out of range.
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not minimum <= value <= _MAX_NUMBER or value != int(value):
        bound = f" from {minimum} to {_MAX_NUMBER}" if is_number else ""
        raise RecordError(f"expected {name} as a whole number{bound}, got {_SHORT_REPR.repr(value)}")
    return int(value)


def checked_number_or_none(value: Any, name: str) -> int | None:
    """Returns a whole number of 0 or more; None if the record has none."""
    return None if value is None else checked_number(value, name, minimum=0)


def four_numbers(values: Any, name: str) -> Deltas:
    """Returns a whole number for each seat.

    Raises:
        RecordError: for anything but four whole numbers.
    """
    found = list_of(values, name)
    if len(found) != 4:
        raise RecordError(f"expected {name} of four players, got {len(found)} of them")
    return four(checked_number(value, name) for value in found)


def seat_of(value: Any, name: str) -> Seat:
    """Returns a seat.

    Raises:
        RecordError: for anything but a whole number from 0 to 3.
    """
    if type(value) is not int or not 0 <= value <= 3:
        raise RecordError(f"expected {name} as a seat from 0 to 3, got {_SHORT_REPR.repr(value)}")
    return Seat(value)


def text_of(value: Any, name: str) -> str:
    """Returns a text.

    Raises:
        RecordError: for any other value.
    """
    if not isinstance(value, str):
        raise RecordError(f"expected {name} as a text, got {_SHORT_REPR.repr(value)}")
    return value


def list_of(value: Any, name: str) -> list[Any]:
    """Returns a list.

    Raises:
        RecordError: for any other value.
    """
    if not isinstance(value, list):
        raise RecordError(f"expected {name} as a list, got {_SHORT_REPR.repr(value)}")
    return value


class _KeyedObject(dict[str, Any]):
    """An object of a record; reading a key that it lacks raises an error that names both."""

    def __init__(self, values: dict[str, Any], name: str) -> None:
        super().__init__(values)
        self._name = name

    def __missing__(self, key: str) -> Any:
        raise RecordError(f"expected {key} in {self._name}, got none")


def object_of(value: Any, name: str) -> dict[str, Any]:
    """Returns an object; reading a key that it lacks raises a `RecordError` that names both.

    Raises:
        RecordError: for any other value.
    """
    if not isinstance(value, dict):
        raise RecordError(f"expected {name} as an object, got {_SHORT_REPR.repr(value)}")
    return _KeyedObject(value, name)


def one_of(names: Mapping[str, T], value: Any, name: str) -> T:
    """Returns what a name stands for.

    Raises:
        RecordError: for any other value.
    """
    if not isinstance(value, str) or value not in names:
        raise RecordError(f"expected {name} such as {next(iter(names))}, got {_SHORT_REPR.repr(value)}")
    return names[value]
