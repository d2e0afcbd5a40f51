"""Values of the rules as JSON and back: exact, and strict about what it reads.

Dataclasses become objects (with their class name as ``"is"``), enums their value, tiles and rounds their text, tuples
lists.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from table.rules.terms.seats import Round
from table.rules.terms.tiles import Tile
from table.runtime.table_errors import JournalError
from vision.strict_reader import MisfitError, StrictReader

TAG: Final = "is"
"""The key that names the class where several are possible."""
WRITTEN: Final = {
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
"""Classes and fields by the names that stand for them in journals: a version before this one reads them, too."""
LATER: Final = frozenset({"Envelope.mark", "Envelope.round", "Ruleset.time_limit"})
"""Fields that are written only where they say something: a version before them reads all other entries."""
_RENAMED: Final = {written: name.rpartition(".")[2] for name, written in WRITTEN.items()}
_READER: Final = StrictReader(special={Tile: Tile, Round: Round.parse}, tag=TAG, renamed=_RENAMED)


def encode(value: object) -> Any:
    """Returns a JSON value; dataclasses get their name in journals as ``"is"``."""
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
        case Mapping():
            return {str(key): encode(each) for key, each in value.items()}
        case _ if dataclasses.is_dataclass(value):
            name = type(value).__name__
            fields = {
                WRITTEN.get(f"{name}.{field.name}", field.name): encode(getattr(value, field.name))
                for field in dataclasses.fields(value)
                if f"{name}.{field.name}" not in LATER or getattr(value, field.name) != field.default
            }
            return {TAG: WRITTEN.get(name, name), **fields}
    raise TypeError(f"expected a value of the rules, got {value!r}")


def decode(kind: Any, data: Any) -> Any:
    """Builds a value of `kind`, a class or a union of classes, from what `encode` made of one.

    Raises:
        JournalError: where the data does not fit; the message names the place.
    """
    name = data.get(TAG, "the entry") if isinstance(data, dict) else "the entry"
    try:
        return _READER.read(kind, data, str(name))
    except MisfitError as error:
        raise JournalError(f"cannot read a journal entry: {error}") from error
