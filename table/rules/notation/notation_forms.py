"""The event notation as shown to people: every form with its meaning and a playable example."""

from __future__ import annotations

from typing import Final, get_args

from table.rules.events import Event
from table.rules.terms.written_forms import Form

INTRODUCTION: Final = """\
One event per line, or several separated by ";"; "#" starts a comment.
SEAT is 0 to 3 counter-clockwise, so that seat 1 plays after seat 0. Tiles are 1m-9m 1p-9p 1s-9s, 1z-4z for E S W N,
5z 6z 7z for white, green and red dragon, 0m 0p 0s for red fives, ? for an unreadable tile; 123m77z means five tiles,
- means none. Parts in [ ] are optional. Quote text that contains spaces, ";" or "#": note='too late'.
Draws are never written: they are inferred when the previous tile has passed, or from the seat's next act.
Without a "start", events belong to the first hand of a game: E1, dealt by seat 0. If another seat discards first, the
seats before it are assumed to have made unknown discards."""
FORMS: Final[tuple[Form, ...]] = tuple(form for event in get_args(Event) for form in event.forms)
"""The forms of every event."""
EXAMPLE: Final = "1 discards 9s sideways; 1 stick; 2 discards 2z; 3 ron from 1; 3 foul 7-05-14"
"""An example in one line: a riichi whose tile is ronned one discard late."""
