"""The entries of the hand being played: the discards and indicators, and their corrections.

Also the game before that hand, its open suspicions, and the requests that were already carried out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from typing import TypeVar

from table.game.commands.game_commands import Command
from table.game.journal.authors import author_seat, is_owner
from table.game.journal.effective_events import effective_events, is_event
from table.game.journal.entries import Entry, GameOpened
from table.game.journal.fold import FoldedGame, fold, fold_steps, opened_game
from table.game.journal.seating import SeatingHistory
from table.game.referee import Correction, Question
from table.game.snapshot import Doubt
from table.rules.aspects.riichi.declaration import is_answered
from table.rules.events import Discarded, DoraTurned, Event, HandStarted
from table.rules.state import HandState
from table.rules.terms.amounts import numbered
from table.rules.terms.announcements import Suspicion
from table.rules.terms.seats import SEATS, Seat
from table.runtime.table_errors import PressError

E = TypeVar("E", bound=Event)
Request = tuple[bool, str]
"""Whether its sender is the owner, and its mark."""


def requests_in(entries: Sequence[Entry]) -> frozenset[Request]:
    """Returns the requests that wrote these entries of a game, so that they are recognised if sent again after it."""
    return frozenset((is_owner(entry.envelope.by), entry.envelope.mark) for entry in entries if entry.envelope.mark)


def was_carried_out(command: Command, entries: Sequence[Entry], earlier: Set[Request]) -> bool:
    """Whether a request with this command's mark was already carried out, and sent again after its answer was lost.

    Its phone may have another seat by then: phones move with their players, in a swap and into the next game.

    Args:
        command: what the request asks for.
        entries: the entries of the game on the table.
        earlier: the requests of the games before.
    """
    if (is_owner(command.by), command.mark) in earlier:
        return True
    marked_entries = [entry for entry in entries if command.mark and entry.envelope.mark == command.mark]
    seatings = SeatingHistory(entries) if marked_entries else None
    return seatings is not None and any(_is_by_same_phone(command.by, entry, seatings) for entry in marked_entries)


def _is_by_same_phone(by: str, entry: Entry, seatings: SeatingHistory) -> bool:
    """Whether the phone that is now `by` may have sent what an entry records, by the swaps of seats since."""
    author = entry.envelope.by
    if by == author:
        return True
    if isinstance(entry.body, GameOpened):  # its author sat as in the game before
        return is_owner(by) == is_owner(author)
    seat = author_seat(author)
    return seat is not None and author_seat(by) is seatings.before(entry.number).people_in(seatings.now)[seat]


def corrected_entry(
    correction: Correction, hand_start: FoldedGame, since_hand_start: Sequence[Entry]
) -> tuple[Entry, Event]:
    """Returns the entry of the tile and its corrected event; the hand in play is given as for `discards_of`.

    Raises:
        PressError: the hand has no such tile.
    """
    if correction.discard is not None:
        discards = discards_of(hand_start, since_hand_start)
        entry, discard = _nth_event("discard", discards, correction.discard)
        return entry, replace(discard, tile=correction.to)
    entry, event = _nth_event("dora indicator", _indicators_of(since_hand_start), correction.indicator or 0)
    if isinstance(event, HandStarted):
        return entry, replace(event, dora_indicator=correction.to)
    return entry, replace(event, indicator=correction.to)


def discards_of(hand_start: FoldedGame, since_hand_start: Sequence[Entry]) -> list[tuple[Entry, Discarded]]:
    """Returns the discards of the hand in play by their numbers, each with its original entry.

    A discard that was put back is not among them: the next one has its number. Each is known by its place in its river,
    since one that stays when the call before it is void gets another number (7-08-03).

    Args:
        hand_start: the game before the hand.
        since_hand_start: the entries since then.
    """
    found: dict[tuple[Seat, int], tuple[Entry, Discarded]] = {}
    hand: HandState | None = None
    steps = fold_steps(hand_start, since_hand_start)
    for effective, game in zip(effective_events(since_hand_start), steps, strict=True):
        before, hand, event = 0 if hand is None else hand.discards, game.state.live, effective.event
        if isinstance(event, Discarded) and hand is not None and hand.discards > before:
            found[event.seat, len(hand.rivers[event.seat]) - 1] = effective.first, event
    if hand is None:
        return []
    places = [(tile.discard_number, seat, at) for seat in SEATS for at, tile in enumerate(hand.rivers[seat])]
    return [found[seat, at] for _, seat, at in sorted(places)]


def _indicators_of(since_hand_start: Sequence[Entry]) -> list[tuple[Entry, HandStarted | DoraTurned]]:
    """Returns the events that showed the indicators of a hand, in order, each with its original entry."""
    return [
        (effective.first, event)
        for effective in effective_events(since_hand_start)
        if isinstance(event := effective.event, DoraTurned)
        or (isinstance(event, HandStarted) and event.dora_indicator is not None)
    ]


def doubt_of(question: Question) -> Doubt | None:
    """Returns the page's question about a discard; None if the question is about something else."""
    if question.seat is None or question.discard is None or question.tile is None:
        return None
    return Doubt(
        seat=question.seat,
        discard=question.discard,
        tile=question.tile.text,
        alternatives=tuple((tile.text, score) for tile, score in question.alternatives),
        tile_id=question.evidence[0] if question.evidence else None,
    )


def game_before_hand(game: FoldedGame, entries: Sequence[Entry]) -> FoldedGame:
    """Returns the game before the hand being played, computed from the entries before it."""
    earlier = [entry for entry in entries[1:] if entry.number <= game.entry_before_hand or not is_event(entry.body)]
    return replace(fold(opened_game(entries[0]), earlier), last=game.entry_before_hand)


def open_suspicions(game: FoldedGame) -> Iterator[Suspicion]:
    """Yields the suspicions of the hand being played that were not resolved since."""
    hand = game.state.hand
    for logged in game.suspicions:
        if logged.entry > game.entry_before_hand and (hand is None or not is_answered(hand, logged.suspicion)):
            yield logged.suspicion


def _nth_event(kind: str, events: Sequence[tuple[Entry, E]], number: int) -> tuple[Entry, E]:
    if not 0 <= number < len(events):
        expected = numbered(kind, range(len(events)))
        raise PressError(f"expected {expected} of this hand, got {number}", says="done_since")
    return events[number]
