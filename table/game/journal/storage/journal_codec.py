"""Converts values of the rules to JSON and back, exactly and strictly.

Dataclasses become objects (with their class name as ``"is"``), enums their value, tiles and rounds their text, tuples
lists.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from table.rules.terms.seats import Round
from table.rules.terms.tiles import Tile
from table.runtime.table_errors import JournalError
from vision.strict_reader import MisfitError, StrictReader

TAG: Final = "is"
"""The key of the class name, written if several classes are possible."""
STORED_NAMES: Final = {
    "DeclaredResult": "ToldResult",
    "DeclaredWin": "ToldWin",
    "Envelope.utc": "wall",
    "PlayersNamed": "Named",
    "QuestionAsked": "Asked",
    "QuestionAsked.id": "saying",
    "ResultDeclared": "ResultTold",
    "RiichiReported": "RiichiTold",
    "WaitDeclared": "WaitTold",
}
"""The names in journals of renamed classes and fields, so that earlier versions can still read journals."""
SINCE_FORMAT: Final = {
    "DrawReached.is_watched": 6,
    "Envelope.mark": 3,
    "Envelope.round": 4,
    "GameOpened.asks_for_sticks_in_play": 4,
    "HandShown.melds": 5,
    "PlayersNamed.is_substitution": 6,
    "PenaltyRules.chombo_counts": 10,
    "Ruleset.time_limit": 3,
    "SettlementRecorded.end": 10,
    "TimeSignal.finished": 4,
}
"""Fields that were added after their class was stored, with the journal's format then.

They have a default and are written only if they differ from it, so that earlier versions can read other entries."""
_LARGEST_NUMBER: Final = 9 * 10**15
"""The largest number that is read from an entry: above all points, exact as a float, divisible by three."""
_DIGITS: Final = 15
_CURRENT_NAMES: Final = {stored: name.rpartition(".")[2] for name, stored in STORED_NAMES.items()}
_READER: Final = StrictReader(special={Tile: Tile, Round: Round.parse}, tag=TAG, renamed=_CURRENT_NAMES)


def _short_number(number: str) -> int:
    """Returns a whole number as usual; raises an OverflowError for a longer one."""
    if len(number) > _DIGITS:
        raise OverflowError
    return int(number)


def _refuse_constant(name: str) -> float:
    """Raises an OverflowError: `NaN`, `Infinity` and `-Infinity` are not numbers of an entry."""
    raise OverflowError(name)


_DECODER: Final = json.JSONDecoder(parse_int=_short_number, parse_constant=_refuse_constant)


def encode(value: object) -> Any:
    """Returns a value as JSON; dataclasses get their name in journals as ``"is"``."""
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
            return [encode(item) for item in value]
        case Mapping():
            return {str(key): encode(item) for key, item in value.items()}
        case _ if dataclasses.is_dataclass(value):
            name = type(value).__name__
            fields = {
                STORED_NAMES.get(f"{name}.{field.name}", field.name): encode(getattr(value, field.name))
                for field in dataclasses.fields(value)
                if f"{name}.{field.name}" not in SINCE_FORMAT or getattr(value, field.name) != field.default
            }
            return {TAG: STORED_NAMES.get(name, name), **fields}
    raise TypeError(f"expected a value of the rules, got {value!r}")


def parse_stored(text: str) -> Any:
    """Parses the JSON of an entry, which may be an earlier version's.

    Earlier versions accepted rule sets with numbers of any length, and texts with half a surrogate pair. Such a number
    is read as the nearest one that can be used, points that no longer cancel out as 0, and half a pair as a question
    mark.

    Raises:
        ValueError: it is not JSON.
    """
    try:
        data = _DECODER.decode(text)
    except OverflowError:
        return _usable(json.loads(text))
    return _usable(data) if "\\u" in text else data


def _usable(data: Any) -> Any:
    match data:
        case int():
            return max(-_LARGEST_NUMBER, min(data, _LARGEST_NUMBER))
        case float():
            return data if math.isfinite(data) else 0.0
        case str():
            return data.encode("utf-8", "replace").decode("utf-8")
        case list():
            values = [_usable(item) for item in data]
            no_longer_cancels = all(type(item) is int for item in data) and sum(data) == 0 != sum(values)
            return [0] * len(data) if no_longer_cancels else values
        case dict():
            return {_usable(key): _usable(item) for key, item in data.items()}
    return data


def decode(kind: Any, data: Any) -> Any:
    """Returns a value of `kind`, a class or a union of classes, from the result of `encode`.

    Raises:
        JournalError: if the data does not fit; the message names the place.
    """
    name = data.get(TAG, "the entry") if isinstance(data, dict) else "the entry"
    try:
        return _READER.read(kind, data, str(name))
    except MisfitError as error:
        raise JournalError(f"cannot read a journal entry: {error}") from error
