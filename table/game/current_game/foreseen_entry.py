"""The next entry and the game with it, before it is written; it may bring back the game before."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from table.game import amendments
from table.game.amendments import check_declared, entry_body
from table.game.current_game.entry_writer import EntryWriter
from table.game.current_game.game_on_table import GameOnTable
from table.game.game_commands import DeclareResult, JournalCommand
from table.game.journal.entries import Body, Entry, GameOpened, Redone, Source, Undone
from table.game.journal.fold import Folded
from table.game.journal.game_openings import is_undoable
from table.game.journal.journal import Journal
from table.runtime.table_errors import JournalError, PressError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeseenEntry:
    """An entry that need not be written, and what it leads to."""

    entry: Entry
    entries: Sequence[Entry]
    """The entries of the game that is on the table after it, with itself."""
    folded: Folded
    """That game."""


def foreseen_entry(command: JournalCommand, game: GameOnTable, entry_writer: EntryWriter) -> ForeseenEntry:
    """Returns the entry of a command, and the game with it, without writing anything.

    Raises:
        PressError: the command is not possible now; the message says why.
    """
    body = entry_body(command, game.folded, game.entries, has_undoable_opening=game.has_undoable_opening)
    entry = entry_writer.next_entry(game, Source.PRESS, body, action=entry_writer.action_of(command))
    with _reading_game_before(body, game):
        entries = _entries_before(body, game, entry_writer.journal)
        after = amendments.preview_state(entry, game.folded, entries)
    if isinstance(command, DeclareResult):
        check_declared(game.folded, after)
    return ForeseenEntry(entry=entry, entries=(*entries, entry), folded=after)


def _entries_before(body: Body, game: GameOnTable, journal: Journal) -> Sequence[Entry]:
    """Returns the entries so far of the game that is on the table after an entry."""
    match body:
        case GameOpened():
            return ()
        case Undone(act=act) if act == game.opening.number:
            return journal.game_before(act)
        case Redone(act=act):
            at = next((at for at, each in enumerate(game.entries) if each.number == act and is_undoable(each)), 0)
            return game.entries[at:]
    return game.entries


@contextmanager
def _reading_game_before(body: Body, game: GameOnTable) -> Iterator[None]:
    """Turns whatever keeps the game before from being read into a refusal, if this entry brings it back."""
    try:
        yield
    except PressError:
        raise
    except Exception as error:
        if not isinstance(body, Undone) or body.act != game.opening.number:
            raise
        is_of_the_journal = isinstance(error, JournalError)
        _log.warning("the game before cannot be read: %s", error, exc_info=not is_of_the_journal)
        raise PressError(f"the game before cannot be read: {error}", says="game_before") from error
