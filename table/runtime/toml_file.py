"""Reading TOML strictly: every refusal names the file, the key, the value and what is allowed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from table.runtime.table_errors import ConfigError

T = TypeVar("T")


def refusal(where: str, key: str, expected: str, got: object, allowed: Iterable[str] = ()) -> ConfigError:
    """Returns the error for a value that does not fit; `allowed` also gives the nearest name."""
    names = list(allowed)
    near = get_close_matches(str(got), names, n=1)
    listed = f" ({', '.join(names)})" if names else ""
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return ConfigError(f"{where}: {key}: expected {expected}{listed}, got {got!r}{hint}")


class TomlTable:
    """One table of a TOML file, read key by key; `end` refuses what nobody asked for."""

    def __init__(self, where: str, data: Mapping[str, Any], path: str = "") -> None:
        self.where = where
        self.path = path
        self._data = dict(data)
        self._known: list[str] = []

    @classmethod
    def parse(cls, where: str, text: str) -> TomlTable:
        """Reads a whole file; `where` names it in messages.

        Raises:
            ConfigError: the text is no TOML.
        """
        try:
            return cls(where, tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"{where}: expected TOML, got: {error}") from error

    def key(self, name: str) -> str:
        """Returns the key's full name."""
        return f"{self.path}.{name}" if self.path else name

    def take(self, name: str, kind: type[T], default: T | None = None) -> T:
        """Takes a value; without a default it must be there.

        Raises:
            ConfigError: it is missing or of another type.
        """
        self._known.append(name)
        if name not in self._data:
            if default is None:
                raise refusal(self.where, self.key(name), f"a {kind.__name__}", "nothing")
            return default
        value = self._data.pop(name)
        if type(value) is not kind:
            raise refusal(self.where, self.key(name), f"a {kind.__name__}", value)
        return value

    def table(self, name: str) -> TomlTable:
        """Takes a table; an absent one is empty."""
        return TomlTable(self.where, self.take(name, dict, {}), self.key(name))

    def tables(self, name: str) -> list[TomlTable]:
        """Takes an array of tables; an absent one is empty."""
        rows = self.take(name, list, [])
        for row in rows:
            if not isinstance(row, dict):
                raise refusal(self.where, self.key(name), "tables", row)
        return [TomlTable(self.where, row, f"{self.key(name)}[{index}]") for index, row in enumerate(rows)]

    def rest(self) -> dict[str, Any]:
        """Takes everything that is left."""
        left, self._data = self._data, {}
        return left

    def end(self) -> None:
        """Checks that nothing unknown is left.

        Raises:
            ConfigError: there is; the message names the nearest key.
        """
        for name in self._data:
            raise refusal(self.where, self.key(name), "no such key, but one of these", name, self._known)
