"""Reads one line of notation word by word, with errors that name what was expected."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Final, TypeVar

from table.rules.terms.results import Deltas
from table.rules.terms.rule_errors import NotationError
from table.rules.terms.seats import SEATS, Seat, four
from table.rules.terms.tiles import Tile, parse_tiles

T = TypeVar("T")
NO_TILES: Final = "-"
"""The word for no tiles."""
MOST_DIGITS: Final = 15
"""More than any points or sticks of a game have, and no more than every program reads exactly."""
_NUMBER: Final = re.compile(f"[-+]?[0-9]{{1,{MOST_DIGITS}}}")
MOST_SHOWN: Final = 500
"""The most letters of a line that a message shows."""
_ESCAPES: Final = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
_UNESCAPED: Final = {escape: character for character, escape in _ESCAPES.items()}

_EVENT_OR_COMMENT: Final = re.compile(
    r"""(?: [^;\#'"\\] | \\. | '[^']*' | "(?:\\.|[^"\\])*" | ['"\\].*  # a quote that does not end takes the rest
    )+ | \#""",
    re.VERBOSE,
)
"""One event, or the start of a comment."""


def quoted(text: str) -> str:
    """Returns a free text as one word of a line, in quotes if necessary."""
    return shlex.quote("".join(_ESCAPES.get(letter, letter) for letter in text))


def option_text(name: str, value: object) -> str:
    """Returns an option of a line with a leading space, or an empty text if it has no value."""
    return "" if value is None else f" {name}={value}"


def numbers_text(values: Iterable[int]) -> str:
    """Returns numbers as one word, separated by commas."""
    return ",".join(str(value) for value in values)


def split_line(line: str) -> Iterator[str]:
    """Yields the text of each event in a line; a ``;`` or ``#`` in quotes separates nothing."""
    for found in _EVENT_OR_COMMENT.finditer(line):
        if found[0].startswith("#"):
            return
        if part := found[0].strip():
            yield part


class LineReader:
    """The words of one line that have not been read yet.

    Each method that takes a word raises `NotationError` if the line has no such word.
    """

    def __init__(self, text: str) -> None:
        words = _split(text)
        self._text = text
        self._words = [word for word in words if "=" not in word]
        self._options: dict[str, str] = {}
        for word in words:
            name, is_option, value = word.partition("=")
            if is_option and name in self._options:
                raise self.fail(f"{name} once", word)
            if is_option:
                self._options[name] = value

    def fail(self, expected: str, word: str | None, words: Iterable[str] = ()) -> NotationError:
        """Returns the error to raise; it suggests the nearest of the possible `words`."""
        nearest = get_close_matches(word or "", words, n=1)
        hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
        found = "nothing" if word is None else f"{word!r:.{MOST_SHOWN}}"
        return NotationError(f"expected {expected}, got {found} in {self._text!r:.{MOST_SHOWN}}{hint}")

    def word(self, expected: str) -> str:
        """Takes the next word."""
        if not self._words:
            raise self.fail(expected, None)
        return _unescaped(self._words.pop(0))

    def one_of(self, allowed: dict[str, T]) -> str:
        """Takes the next word, which must be a key of `allowed`."""
        expected = "one of " + ", ".join(allowed)
        if (word := self.word(expected)) not in allowed:
            raise self.fail(expected, word, allowed)
        return word

    def takes(self, word: str) -> bool:
        """Takes the next word if it is this one."""
        if self._words[:1] != [word]:
            return False
        self._words.pop(0)
        return True

    def expect(self, word: str) -> None:
        """Takes the next word, which must be this one."""
        if not self.takes(word):
            raise self.fail(repr(word), self._words[0] if self._words else None)

    def seat_of(self, word: str) -> Seat:
        """Reads a seat."""
        if word not in ("0", "1", "2", "3"):
            raise self.fail("a seat from 0 to 3", word)
        return SEATS[int(word)]

    def seat(self) -> Seat:
        """Takes a seat."""
        return self.seat_of(self.word("a seat from 0 to 3"))

    def tile(self) -> Tile:
        """Takes a tile."""
        return Tile(self.word("a tile"))

    def tiles(self) -> tuple[Tile, ...]:
        """Takes tiles."""
        word = self.word("tiles")
        return () if word == NO_TILES else parse_tiles(word)

    def text(self, name: str) -> str | None:
        """Takes an option's text; None without it."""
        text = self._options.pop(name, None)
        return None if text is None else _unescaped(text)

    def number(self, name: str) -> int | None:
        """Takes an option's number; None without it."""
        value = self.text(name)
        return None if value is None else self.number_of(value)

    def number_of(self, word: str) -> int:
        """Reads a whole number."""
        if _NUMBER.fullmatch(word) is None:
            raise self.fail(f"a whole number of at most {MOST_DIGITS} digits", word)
        return int(word)

    def four(self, word: str | None, name: str = "") -> Deltas:
        """Reads four numbers by seat; `name` is the name of the option that contains them, if one does."""
        parts = [] if word is None else word.split(",")
        if len(parts) != 4:
            raise self.fail(f"four numbers by seat as {name}=A,B,C,D" if name else "four numbers by seat", word)
        return four(self.number_of(part) for part in parts)

    def end(self) -> None:
        """Checks that nothing is left unread."""
        if left := [*self._words, *self._options]:
            raise self.fail("the end of the line", left[0])


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise NotationError(f"expected balanced quotes, got {text!r:.80} ({error})") from None


def _unescaped(text: str) -> str:
    return re.sub(r"\\[\\nr]", lambda found: _UNESCAPED[found[0]], text)
