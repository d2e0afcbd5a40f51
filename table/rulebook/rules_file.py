"""The files of the rulebook: TOML with effects, read strictly."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from table.rules.penalties.effect_terms import Effect
from table.runtime.table_errors import ConfigError
from vision.strict_reader import StrictReader, mismatch
from vision.toml_file import TomlFile

_READER: Final = StrictReader(special={Effect: Effect.of})


def rules_file(where: str, text: str) -> TomlFile:
    """Returns the data of a file; `where` names it in messages.

    Raises:
        ConfigError: the text is not TOML; reading the data as another type raises it too.
    """
    return TomlFile(where, text, error=ConfigError, reader=_READER)


def refusal(where: str, key: str, expected: str, got: object, allowed: Iterable[str] = ()) -> ConfigError:
    """Returns the error for a value that is not allowed; `allowed` are the values among which the nearest is named."""
    names = list(allowed)
    listed = f" ({', '.join(names)})" if names else ""
    return ConfigError(f"{where}: {key}: {mismatch(expected + listed, got, names)}")
