"""The next entry and the game with it, before it is written; it may bring back the game before."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from table.game.commands.game_commands import DeclareResult, JournalCommand
from table.game.current_game.entry_writer import EntryWriter
from table.game.current_game.game_on_table import GameOnTable
from table.game.journal.effective_events import is_event
from table.game.journal.entries import Body, Entry, GameOpened, Redone, Source, Undone
from table.game.journal.fold import FoldedGame, add_step, fold, opened_game
from table.game.journal.game_openings import is_undoable
from table.game.journal.journal import Journal
from table.game.new_entries.amendments import entry_body
from table.rules.advance import advance
from table.rules.terms.rule_errors import RulesError
from table.rules.transitions import hand_end
from table.runtime.table_errors import JournalError, PressError
from vision.errors import reason_and_place

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeseenEntry:
    """An entry that may be written next, and the game that it leads to."""

    entry: Entry
    entries: Sequence[Entry]
    """The entries of the game that is then on the table, including this one."""
    folded_game: FoldedGame
    """That game, computed from these entries."""


def foreseen_entry(command: JournalCommand, game: GameOnTable, entry_writer: EntryWriter) -> ForeseenEntry:
    """Returns the entry of a command, and the game with it, without writing anything.

    Raises:
        PressError: the command is not possible now; the message says why.
    """
    body = entry_body(command, game.folded_game, game.entries, has_undoable_opening=game.has_undoable_opening)
    entry = entry_writer.next_entry(game, Source.PRESS, body, action=entry_writer.action_of(command))
    with _refuse_unreadable_game(body, game):
        entries = _entries_before(body, game, entry_writer.journal)
        after = game_after(entry, game.folded_game, entries)
    if isinstance(command, DeclareResult):
        _check_no_foul_ends_hand(game.folded_game, after)
    return ForeseenEntry(entry=entry, entries=(*entries, entry), folded_game=after)


def _entries_before(body: Body, game: GameOnTable, journal: Journal) -> Sequence[Entry]:
    """Returns the entries so far of the game that is on the table after an entry."""
    match body:
        case GameOpened():
            return ()
        case Undone(act=act) if act == game.opening.number:
            return journal.game_before(act)
        case Redone(act=act):
            at = next((at for at, entry in enumerate(game.entries) if entry.number == act and is_undoable(entry)), 0)
            return game.entries[at:]
    return game.entries


@contextmanager
def _refuse_unreadable_game(body: Body, game: GameOnTable) -> Iterator[None]:
    """Turns any error while reading the game before into a refusal, if this entry brings that game back."""
    try:
        yield
    except PressError:
        raise
    except Exception as error:
        if not isinstance(body, Undone) or body.act != game.opening.number:
            raise
        is_of_the_journal = isinstance(error, JournalError)
        _log.warning("the game before cannot be read: %s", reason_and_place(error), exc_info=not is_of_the_journal)
        raise PressError(f"the game before cannot be read: {reason_and_place(error)}", says="game_before") from error


def game_after(entry: Entry, game: FoldedGame, entries: Sequence[Entry]) -> FoldedGame:
    """Returns the game with one more entry, which may not be written yet.

    Raises:
        PressError: the entry is impossible; later entries that no longer fit become questions instead.
    """
    if is_event(entry.body):
        try:
            return add_step(game, advance(game.state, entry.body, game.ruleset), entry)
        except RulesError as error:
            raise PressError(str(error), says=error.says, **error.values) from error
    if isinstance(entry.body, GameOpened):
        return opened_game(entry)
    after = fold(opened_game(entries[0]), [*entries[1:], entry])
    for rejection in after.rejected_entries:
        if rejection.entry == entry.number:
            raise PressError(rejection.message, says=rejection.says or "impossible", **rejection.values)
    return after


def _check_no_foul_ends_hand(before: FoldedGame, after: FoldedGame) -> None:
    """Refuses a declared result that would have no effect because a foul already ends the hand.

    Args:
        before: the game before the result.
        after: the game with the result.

    Raises:
        PressError: the foul has to be confirmed or cancelled first.
    """
    hand, settlement = hand_end.preview_settlement(before.state, before.ruleset), after.state.history[-1].settlement
    proposal = None if hand is None else hand.proposal
    if (
        proposal is not None
        and proposal.penalty is not None
        and settlement is not None
        and settlement.penalty is not None
    ):
        raise PressError(
            "expected a foul that ends the hand to be confirmed or cancelled, got a result", says="foul_ends"
        )
