"""Which finished hands a correction of an earlier one takes out of the game, or brings back. Pure."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence

from table.game.journal.effective_events import effective_events
from table.game.journal.entries import Corrected, Entry, Inserted, Redone, Reseated, Source, Undone
from table.game.journal.fold import FoldedGame
from table.rules.events import Discarded


def numbers_after(before: Sequence[int], after: Sequence[int]) -> list[int | None]:
    """Returns the number that each finished hand has after a correction; None if it is no longer part of the game.

    Args:
        before: the entry at which each hand ended, as in `FoldedGame.hand_ends`.
        after: the same after the correction, which may have moved a hand's end between its neighbours'.
    """
    kept = sorted({*before} & {*after})
    moved = defaultdict[int, deque[int]](deque)
    for number, end in enumerate(after):
        if end not in kept:
            moved[bisect(kept, end)].append(number)
    numbers: list[int | None] = []
    for end in before:
        others = moved[bisect(kept, end)]
        numbers.append(after.index(end) if end in kept else others.popleft() if others else None)
    return numbers


def hands_lost(before: FoldedGame, after: FoldedGame, entries: Sequence[Entry]) -> list[int]:
    """Returns the hands that a correction took out although nobody took back their ends, by their numbers before it.

    Args:
        before: the game before it.
        after: the game after it.
        entries: the game's entries with the correction.
    """
    places = _event_places(entries)
    numbers = numbers_after(before.hand_ends, after.hand_ends)
    return [hand for hand, number in enumerate(numbers) if number is None and before.hand_ends[hand] in places]


def hands_back(before: FoldedGame, after: FoldedGame, entries: Sequence[Entry]) -> list[int]:
    """Returns the hands that a correction brought back, by their numbers after it; `entries` are those before it."""
    places = _event_places(entries)
    numbers = numbers_after(before.hand_ends, after.hand_ends)
    return [hand for hand, end in enumerate(after.hand_ends) if hand not in numbers and end in places]


def corrections_of_hands(entries: Sequence[Entry]) -> Iterator[int]:
    """Yields the places in a game's entries of those by which people may have changed a finished hand.

    These are edits of results, swaps of seats that move results, and whatever undoes or redoes one of them.
    """
    acts = set[int | None]()
    for place, entry in enumerate(entries):
        match entry.body:
            case Corrected(event=event) | Inserted(event=event):
                is_correction = entry.envelope.source is Source.PRESS and not isinstance(event, Discarded)
            case Reseated(moves_results=moves_results):
                is_correction = moves_results
            case Undone(act=act) | Redone(act=act):
                is_correction = act in acts
            case _:
                is_correction = False
        if is_correction:
            acts.add(entry.envelope.act)
            yield place


def _event_places(entries: Sequence[Entry]) -> set[int]:
    """Returns the places of all events that nobody took back, whether or not they fit the game."""
    return {effective.place for effective in effective_events(entries)}
