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
        ConfigError: the text is no TOML. What the file is then read as raises it too.
    """
    return TomlFile(where, text, error=ConfigError, reader=_READER)


def refusal(where: str, key: str, expected: str, got: object, allowed: Iterable[str] = ()) -> ConfigError:
    """Returns the error for a value that does not fit; `allowed` also gives the nearest name."""
    names = list(allowed)
    listed = f" ({', '.join(names)})" if names else ""
    return ConfigError(f"{where}: {key}: {mismatch(expected + listed, got, names)}")
