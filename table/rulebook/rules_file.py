"""Reads the TOML files of the rulebook strictly, and builds the effects in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from table.rules.penalties.effect_terms import Effect
from table.runtime.table_errors import ConfigError
from vision.strict_reader import StrictReader, mismatch
from vision.toml_file import TomlFile

FEW: Final = 20
"""The most names that a message lists."""
_READER: Final = StrictReader(special={Effect: Effect.of})


def rules_file(place: str, text: str) -> TomlFile:
    """Returns the data of a file; `place` names it in messages.

    Raises:
        ConfigError: the text is not TOML; reading the data as another type raises it too.
    """
    return TomlFile(place, text, error=ConfigError, reader=_READER)


def refusal(place: str, key: str, expected: str, value: object, allowed: Iterable[str] = ()) -> ConfigError:
    """Returns the error for a value that is not allowed; `allowed` are listed if they are few, and name the nearest."""
    names = list(allowed)
    names_text = f" ({', '.join(names)})" if 0 < len(names) <= FEW else ""
    return ConfigError(f"{place}: {key}: {mismatch(expected + names_text, value, names)}")
