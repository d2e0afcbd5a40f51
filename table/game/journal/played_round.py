"""Which round of a tournament a game was played in, as its table knew it from the desk: no clock has a part in it.

Each entry of the journal carries the round that the desk had told the table last, as text: `5f2c 2` is round 2 of the
tournament `5f2c`, `5f2c 2 called` the same after time was called. The opening of a game that followed finished games
of the same round, at a table that heard nothing new in between, says how many: `5f2c 2 1`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from table.game.journal.effective_events import is_event
from table.game.journal.entries import Entry

EVENT: Final = "[0-9a-f]{4,16}"
"""The name of a tournament in messages."""
_TEXT: Final = re.compile(rf"({EVENT}) ([1-9][0-9]{{0,2}})( called)?(?: ([1-9][0-9]{{0,2}}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRound:
    """What a table knew of the round when a game of it began."""

    event: str
    """The tournament."""
    number: int
    """The round that the desk had begun last, from 1."""
    is_called: bool = False
    """Whether the desk had called time in it."""
    games: int = 0
    """Games that the table had finished since that round began."""

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Reads its text; None where it is none."""
        found = _TEXT.fullmatch(text)
        if found is None:
            return None
        return cls(event=found[1], number=int(found[2]), is_called=bool(found[3]), games=int(found[4] or 0))

    @property
    def text(self) -> str:
        """As journals and messages have it."""
        return (
            f"{self.event} {self.number}{' called' if self.is_called else ''}{f' {self.games}' if self.games else ''}"
        )

    @property
    def earliest(self) -> int:
        """The first round that the game can be of: it began after time was called, or after the round's game."""
        return self.number + max(int(self.is_called), self.games)


def round_of(entries: Sequence[Entry]) -> str:
    """Returns the round that a game counts for, as its table knew it; empty where it knew none.

    What was known when its first hand began or was told goes before what was known at its opening.
    """
    opened = PlayedRound.parse(entries[0].envelope.round)
    first = PlayedRound.parse(next((entry.envelope.round for entry in entries[1:] if is_event(entry.body)), ""))
    if first is None or (opened is not None and opened.event == first.event and opened.number >= first.number):
        return "" if opened is None else opened.text
    ahead = 0 if opened is None or opened.event != first.event else max(0, opened.earliest - first.number)
    return replace(first, is_called=False, games=ahead).text


def round_opened(heard: str, before: Sequence[Entry], *, is_over: bool) -> str:
    """Returns what the opening of a game carries.

    Args:
        heard: the round that the desk told last.
        before: the game before.
        is_over: whether that was finished.
    """
    now, last = PlayedRound.parse(heard), PlayedRound.parse(round_of(before))
    if now is None or last is None or last.event != now.event:
        return heard
    return replace(now, games=max(0, last.earliest + is_over - now.number)).text


def round_heard(entries: Sequence[Entry]) -> str:
    """Returns the round that the desk had told a table last when the newest of these entries was written."""
    last = PlayedRound.parse(next((each.envelope.round for each in reversed(entries) if each.envelope.round), ""))
    return "" if last is None else replace(last, games=0).text
