r"""Writes and parses events as one line of text each, for tests, logs and people.

`str(event)` writes an event, and `parse_event` reads it; `table.rules.events` declares the forms of each event. Events
are separated by line ends and ``;``, and ``#`` starts a comment. A text that contains spaces, ``;`` or ``#`` is quoted,
and a line end in it is written ``\n``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from table.rules.events import Event, WaitDeclared
from table.rules.notation.notation_forms import FORMS
from table.rules.terms.line_reader import LineReader, split_line
from table.rules.terms.rule_errors import InvalidValueError, NotationError

_SEATED: Final = {form.word: form for form in FORMS if form.is_seated}
_UNSEATED: Final = {form.word: form for form in FORMS if not form.is_seated}


def public_text(event: Event) -> str:
    """Returns the text of an event that everybody may read, without the tiles of a declared wait."""
    return f"{int(event.seat)} waits" if isinstance(event, WaitDeclared) else str(event)


def parse_event(text: str) -> Event:
    """Reads one line as `str(event)` writes it.

    Raises:
        NotationError: if it cannot be read; the message names what was expected.
    """
    line = LineReader(text)
    expected = "a seat from 0 to 3 or one of " + ", ".join(sorted(_UNSEATED))
    first, seat = line.word(expected), None
    try:
        if first in _UNSEATED:
            form = _UNSEATED[first]
        elif not first.isdigit():
            raise line.fail(expected, first, _UNSEATED)
        else:
            seat = line.seat_of(first)
            form = _SEATED[line.one_of(_SEATED)]
        event: Event = form.read(line, seat)
    except InvalidValueError as error:
        raise NotationError(f"{error} in {text!r:.80}") from error
    line.end()
    return event


def parse_events(text: str) -> tuple[Event, ...]:
    """Reads events separated by ``;`` or line ends; ``#`` starts a comment.

    Raises:
        NotationError: for the first event that cannot be read.
    """
    return tuple(parse_event(part) for part in split_events(text))


def split_events(text: str) -> Iterator[str]:
    """Yields the text of each event, without comments and empty parts."""
    for line in text.split("\n"):
        yield from split_line(line)
