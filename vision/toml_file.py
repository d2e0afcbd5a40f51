"""TOML files whose mistakes are reported with file, line and key."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from vision.plain_values import TOO_DEEP, check_depth, parse_reason
from vision.strict_reader import PLAIN, MisfitError, StrictReader

_TOKEN: Final = re.compile(
    r"""\"{3}(?:\\.|[^\\])*?"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\])*"|'[^']*'|\#[^\n]*|[\[\]{}\n]""", re.DOTALL
)
"""What may begin, end or go on with a statement of a valid file: texts, comments, brackets, and the ends of lines."""


class TomlFile:
    """The data of one file, and the line of each key."""

    def __init__(
        self, source: str, text: str, *, error: type[Exception] = ValueError, reader: StrictReader = PLAIN
    ) -> None:
        """Reads a whole file, without an editor's byte order mark.

        `source` names the file in messages, `error` is the class of errors to raise.

        Raises:
            Exception: of the class `error`: the text is not TOML.
        """
        self.where, self._text = source, text.removeprefix("\ufeff").replace("\r\n", "\n")
        self._error, self._reader = error, reader
        try:
            self.data = tomllib.loads(self._text)
            check_depth(self.data)
        except ValueError as mistake:
            raise error(f"{source}: expected a TOML file, got: {parse_reason(mistake)}") from mistake
        except RecursionError:
            raise error(f"{source}: expected a TOML file, got: {TOO_DEEP}") from None

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
        lines = _lines(self._text)
        while key and key not in lines:
            key = max(key.rpartition(".")[0], key.rpartition("[")[0], key=len)
        return f"{self.where} line {lines[key]}" if key else self.where


def _lines(text: str) -> dict[str, int]:
    """Returns for every table and key of a valid file the line, counted from 1, with which its statement begins."""
    table, found = "", dict[str, int]()
    counts = Counter[str]()
    for number, statement, data in _statements(text):
        if statement.lstrip().startswith("["):
            table = _heading(data, counts)
            found.setdefault(table, number)
        else:
            for key in _keys(data, table):
                found.setdefault(key, number)
    return found


def _statements(text: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yields each heading and each key with its value: the number of its first line, its text, and its data."""
    first_line, start, depth = 1, 0, 0
    for token in _TOKEN.finditer(f"{text}\n"):
        depth += (token[0] in "[{") - (token[0] in "]}")
        if token[0] == "\n" and not depth:
            statement = text[start : token.start()]
            if data := tomllib.loads(statement):
                yield first_line, statement, data
            first_line, start = first_line + statement.count("\n") + 1, token.end()


def _heading(data: dict[str, Any], counts: Counter[str]) -> str:
    """Returns the key of a heading's table: `[[clause.option]]` is `clause[3].option[0]` in the fourth clause."""
    path = ""
    while data:
        ((name, inner),) = data.items()
        path = f"{path}.{name}" if path else name
        counts[path] += isinstance(inner, list)
        path, data = (f"{path}[{counts[path] - 1}]" if counts[path] else path), {} if isinstance(inner, list) else inner
    return path


def _keys(data: dict[str, Any], table: str) -> Iterator[str]:
    """Yields the keys of a statement in a table, from the outermost one, also those of a table in one line."""
    for name, value in data.items():
        key = f"{table}.{name}" if table else name
        yield key
        if isinstance(value, dict):
            yield from _keys(value, key)
