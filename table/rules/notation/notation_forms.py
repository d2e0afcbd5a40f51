"""The notation of events as people learn it: every form with what it says and an example that can be played."""

from __future__ import annotations

from typing import Final, get_args

from table.rules.events import Event
from table.rules.terms.written_forms import Form

INTRODUCTION: Final = """\
One event a line, or several parted by ";"; what follows "#" is a remark.
SEAT is 0 to 3 counter-clockwise, so that seat 1 plays after seat 0. Tiles are 1m-9m 1p-9p 1s-9s, 1z-4z for E S W N,
5z 6z 7z for white, green and red dragon, 0m 0p 0s for red fives, ? for a tile that nobody could read; 123m77z is five
tiles, - is none. What stands in [ ] may be left out. A text with spaces, ";" or "#" stands in quotes: note='too late'.
Own draws are never written: they follow from the tile before having passed, or from what the seat does next.
Without a "start" before them, events belong to the first hand of a game: E1, seat 0 deals; where another seat discards
first, those before it have discarded what nobody tells."""
FORMS: Final[tuple[Form, ...]] = tuple(form for event in get_args(Event) for form in event.forms)
"""Every event that there is."""
EXAMPLE: Final = "1 discards 9s sideways; 1 stick; 2 discards 2z; 3 ron from 1; 3 foul 7-05-14"
"""A question in one line: what becomes of a riichi whose tile is ronned one discard late?"""
