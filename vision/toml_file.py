"""TOML files whose mistakes are reported with file, line and key."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Any

from vision.plain_values import parse_reason
from vision.strict_reader import PLAIN, MisfitError, StrictReader

_HEADING = re.compile(r"\s*(\[\[?)([^\[\]]+)\]")
_KEY = re.compile(r"\s*([\w-]+|\"[^\"]*\")\s*=")


class TomlFile:
    """The data of one file, and the line of each key."""

    def __init__(
        self, where: str, text: str, *, error: type[Exception] = ValueError, reader: StrictReader = PLAIN
    ) -> None:
        """Reads a whole file, without an editor's byte order mark.

        `where` names the file in messages, `error` is the class of errors to raise.

        Raises:
            Exception: of the class `error`: the text is not TOML.
        """
        self.where, self._text = where, text.removeprefix("\ufeff")
        self._error, self._reader = error, reader
        try:
            self.data = tomllib.loads(self._text)
        except ValueError as mistake:
            raise error(f"{where}: expected a TOML file, got: {parse_reason(mistake)}") from mistake
        except RecursionError:
            raise error(f"{where}: expected a TOML file, got one nested too deeply") from None

    def read(self, kind: Any) -> Any:
        """Returns the whole file as a value of a dataclass.

        Raises:
            Exception: of the class `error`: it does not match; the message names file, line and key, what was expected,
            and what was found.
        """
        try:
            return self._reader.read(kind, self.data)
        except MisfitError as mistake:
            raise self.wrong(mistake.key, mistake.problem) from mistake

    def wrong(self, key: str, problem: str) -> Exception:
        """Returns the error for a mistake at a key."""
        return self._error(f"{self.place(key)}: {MisfitError(key, problem)}")

    def place(self, key: str) -> str:
        """Returns the file and line of a key, or of the table around it."""
        lines = dict(_lines(self._text))
        while key and key not in lines:
            key = max(key.rpartition(".")[0], key.rpartition("[")[0], key=len)
        return f"{self.where} line {lines[key]}" if key else self.where


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """Yields every table and key with its line, counted from 1; the inside of a value on several lines is skipped."""
    table, counts = "", Counter[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if heading := _HEADING.match(line):
            table = heading[2].strip().replace('"', "")
            if heading[1] == "[[":
                table = _numbered(table, counts)
            yield table, number
        elif found := _KEY.match(line):
            key = found[1].strip('"')
            yield (f"{table}.{key}" if table else key), number


def _numbered(table: str, counts: Counter[str]) -> str:
    """Returns the key of the next table of an array: `clause.option` is `clause[3].option[0]` in the fourth clause."""
    outer, _, name = table.rpartition(".")
    path = f"{outer}[{counts[outer] - 1}].{name}" if outer in counts else table
    counts[path] += 1
    return f"{path}[{counts[path] - 1}]"
