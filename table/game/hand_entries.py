"""The entries of the hand being played: what told each discard and indicator, and what a correction makes of it.

Also what the game was before that hand, what is still suspected in it, and which posts it has already.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from table.game.game_commands import Command
from table.game.journal.effective_events import effective_events, is_event
from table.game.journal.entries import Entry
from table.game.journal.fold import Folded, fold, opened_game
from table.game.referee import Correction, Question
from table.game.snapshot import Doubt
from table.rules.aspects.riichi import is_answered
from table.rules.events import Discarded, DoraTurned, Event, HandStarted
from table.rules.terms.announcements import Suspicion
from table.runtime.table_errors import PressError

Said = TypeVar("Said", bound=Event)


def was_carried_out(command: Command, entries: Sequence[Entry]) -> bool:
    """Whether a post with this command's mark is in the game already: its answer was lost, and it was sent again."""
    sent = (command.by, command.mark)
    return bool(command.mark) and any((each.envelope.by, each.envelope.mark) == sent for each in entries)


def corrected_entry(correction: Correction, since_hand_start: Sequence[Entry]) -> tuple[Entry, Event]:
    """Finds the entry that told the tile, and what it must say instead.

    Raises:
        PressError: the hand has no such tile.
    """
    if correction.discard is not None:
        entry, discard = _nth("discard", discards_of(since_hand_start), correction.discard)
        return entry, replace(discard, tile=correction.to)
    believed = _believed(since_hand_start)
    turned = [(entry, event) for entry, event in believed if isinstance(event, HandStarted | DoraTurned)]
    entry, event = _nth("indicator", turned, correction.indicator or 0)
    if isinstance(event, HandStarted):
        return entry, replace(event, dora_indicator=correction.to)
    return entry, replace(event, indicator=correction.to)


def discards_of(since_hand_start: Sequence[Entry]) -> list[tuple[Entry, Discarded]]:
    """Returns the discards of a hand, each with the entry that first told it."""
    return [(entry, event) for entry, event in _believed(since_hand_start) if isinstance(event, Discarded)]


def doubt_of(question: Question) -> Doubt | None:
    """Returns what the page asks about a discard; None where the question is about none."""
    if question.seat is None or question.discard is None or question.tile is None:
        return None
    return Doubt(
        seat=question.seat,
        discard=question.discard,
        tile=question.tile.text,
        alternatives=tuple((tile.text, score) for tile, score in question.alternatives),
        lying=question.evidence[0] if question.evidence else None,
    )


def before_hand(folded: Folded, entries: Sequence[Entry]) -> Folded:
    """Returns the game before the hand being played: a fold of what came before it, of all entries of the game."""
    earlier = [entry for entry in entries[1:] if entry.number <= folded.began or not is_event(entry.body)]
    return replace(fold(opened_game(entries[0]), earlier), last=folded.began)


def open_suspicions(folded: Folded) -> Iterator[Suspicion]:
    """Yields what is suspected in the hand being played and not answered by what happened since."""
    hand = folded.state.hand
    for each in folded.suspicions:
        if each.entry > folded.began and (hand is None or not is_answered(hand, each.suspicion)):
            yield each.suspicion


def _believed(since_hand_start: Sequence[Entry]) -> list[tuple[Entry, Event]]:
    """The events of a hand as they are believed now, each with the entry that first told it."""
    return [(logged.first, logged.event) for logged in effective_events(since_hand_start)]


def _nth(what: str, events: Sequence[tuple[Entry, Said]], number: int) -> tuple[Entry, Said]:
    if not 0 <= number < len(events):
        raise PressError(f"expected a {what} from 0 to {len(events) - 1} of this hand, got {number}", says="done_since")
    return events[number]
