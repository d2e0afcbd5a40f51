"""Undone openings of games: a game whose opening is undone no longer counts, and the game before it goes on.

Undoing an opening is an entry like any other (`Undone` with the opening's number), so a game's entries reach from its
opening to the next one that is not undone. Among them may be whole games whose openings are undone.

Before format 5 an opening was part of no action, and undoing it had no effect: such an opening stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from table.game.journal.entries import Entry, GameOpened, Redone, Undone


def is_undoable(entry: Entry) -> bool:
    """Whether an entry is the opening of a game, and undoing it has an effect."""
    return isinstance(entry.body, GameOpened) and entry.envelope.act is not None


def undone_openings(entries: Sequence[Entry]) -> set[int]:
    """Returns the numbers of the openings that are undone at the end of these entries."""
    openings = {entry.number for entry in entries if is_undoable(entry)}
    undone: set[int] = set()
    for entry in entries if openings else ():
        if isinstance(entry.body, Undone):
            undone |= {entry.body.act} & openings
        elif isinstance(entry.body, Redone):
            undone.discard(entry.body.act)
    return undone


def entries_until_undone(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Returns a game's entries from its opening up to the entry that undid the opening, if it is undone.

    Entries after that belong to the game before.
    """
    opening = entries[0].number
    if opening not in undone_openings(entries):
        return entries
    *_, end = (at for at, entry in enumerate(entries) if isinstance(entry.body, Undone) and entry.body.act == opening)
    return entries[: end + 1]


def own_entries(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Returns a game's entries without those of the games after it whose openings are undone.

    The undone openings themselves stay, with their undoing and redoing: they are actions of this game.
    """
    undone = undone_openings(entries)
    if not undone:
        return entries
    remaining: list[Entry] = []
    enclosing_openings: list[int] = []
    for entry in entries:
        if isinstance(entry.body, Undone) and entry.body.act in enclosing_openings[-1:]:
            enclosing_openings.pop()
        if not enclosing_openings:
            remaining.append(entry)
        match entry.body:
            case GameOpened() if entry.number in undone:
                enclosing_openings.append(entry.number)
            case Redone(act=act) if act in undone:
                enclosing_openings.append(act)
    return remaining
