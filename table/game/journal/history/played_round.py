"""The round of a tournament in which a game was played, as the desk announced it to the table, independent of clocks.

Each entry of the journal has the round that the desk announced last, as text: `5f2c 2` is round 2 of the tournament
`5f2c`, `5f2c 2 called` the same after time was called. If the table finished games of the same round before, without a
new announcement, the opening of the next game also has their number: `5f2c 2 1`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from table.game.journal.effective_events import is_event
from table.game.journal.entries import Entry
from table.game.journal.game_openings import own_entries

EVENT: Final = "[0-9a-f]{4,16}"
"""The pattern of a tournament's name in messages."""
_TEXT: Final = re.compile(rf"({EVENT}) ([1-9][0-9]{{0,2}})( called)?(?: ([1-9][0-9]{{0,2}}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRound:
    """What a table knew about the round when a game started."""

    event: str
    """The tournament."""
    number: int
    """The round that the desk had started last, from 1."""
    is_called: bool = False
    """Whether the desk had called time in it."""
    games: int = 0
    """The number of games that the table had finished since that round started."""

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Returns the round of a text; None if the text is not a round."""
        found = _TEXT.fullmatch(text)
        if found is None:
            return None
        return cls(event=found[1], number=int(found[2]), is_called=bool(found[3]), games=int(found[4] or 0))

    @property
    def text(self) -> str:
        """The text in journals and messages."""
        return (
            f"{self.event} {self.number}{' called' if self.is_called else ''}{f' {self.games}' if self.games else ''}"
        )

    @property
    def earliest(self) -> int:
        """The first possible round of the game, a later one if time was called or the round's game was finished."""
        return self.number + max(int(self.is_called), self.games)


def round_of(entries: Sequence[Entry]) -> str:
    """Returns the round that a game counts for, as its table knew it; empty if unknown.

    The round known at its first event takes precedence over the one known at its opening.
    """
    opening, game_entries = PlayedRound.parse(entries[0].envelope.round), own_entries(entries)
    first = PlayedRound.parse(next((entry.envelope.round for entry in game_entries[1:] if is_event(entry.body)), ""))
    if first is None or (opening is not None and opening.event == first.event and opening.number >= first.number):
        return "" if opening is None else opening.text
    ahead = 0 if opening is None or opening.event != first.event else max(0, opening.earliest - first.number)
    return replace(first, is_called=False, games=ahead).text


def opening_round(round_text: str, before: Sequence[Entry], *, is_over: bool) -> str:
    """Returns the round for the opening entry of a game.

    Args:
        round_text: the round that the desk announced last.
        before: the entries of the previous game.
        is_over: whether the previous game was finished.
    """
    now, last = PlayedRound.parse(round_text), PlayedRound.parse(round_of(before))
    if now is None or last is None or last.event != now.event:
        return round_text
    return replace(now, games=max(0, last.earliest + is_over - now.number)).text


def announced_round(entries: Sequence[Entry]) -> str:
    """Returns the round that the desk had announced last when the newest of these entries was written."""
    last = PlayedRound.parse(next((entry.envelope.round for entry in reversed(entries) if entry.envelope.round), ""))
    return "" if last is None else replace(last, games=0).text
