"""Turns commands that change the journal into entries, or refuses them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from table.game.commands import game_commands as commands
from table.game.commands.game_commands import JournalCommand
from table.game.journal.effective_events import effective_events
from table.game.journal.entries import (
    Amendment,
    Body,
    Corrected,
    CountedInSeason,
    Entry,
    GameOpened,
    Inserted,
    PlayersNamed,
    Redone,
    Reseated,
    SettlementRecorded,
    Source,
    Undone,
)
from table.game.journal.fold import FoldedGame, records_in
from table.game.journal.game_openings import own_entries
from table.game.new_entries.undo_checks import check_redo, check_undo
from table.rules.events import GameEnded, HandStarted, PointsAdjusted, ResultDeclared, TimeSignal
from table.rules.terms.amounts import numbered
from table.runtime.table_errors import PressError

_GAME_COMMANDS: Final = (
    commands.DeclareResult
    | commands.EditResult
    | commands.OpenGame
    | commands.EndGame
    | commands.CountInSeason
    | commands.CallTime
    | commands.AdjustPoints
)
"""Commands that may name the game that their phone showed."""


def entry_body(
    command: JournalCommand, game: FoldedGame, entries: Sequence[Entry], *, has_undoable_opening: bool
) -> Body:
    """Returns the entry body of a command.

    Args:
        command: the command.
        game: the current game.
        entries: the game's journal, from its opening.
        has_undoable_opening: whether the game's opening can be undone, as for `changes_of`.

    Raises:
        PressError: the command is not possible now; the message says why.
    """
    if isinstance(command, _GAME_COMMANDS) and command.game not in (None, entries[0].number):
        raise PressError("expected a hand of the game being played: another one was opened since", says="other_game")
    match command:
        case commands.DeclareResult(result=result, hand=hand):
            _check_hand(hand, game, says="hand_settled" if hand < game.hand else "hand_undone")
            return ResultDeclared(result=result)
        case commands.EditResult():
            return _edited_result(command, game, entries)
        case commands.Undo(act=number, why=why):
            check_undo(number, entries, has_undoable_opening=has_undoable_opening)
            return Undone(act=number, why=why)
        case commands.Redo(act=number):
            check_redo(number, entries, has_undoable_opening=has_undoable_opening)
            return Redone(act=number)
        case commands.Reseat(order=order, why=why):
            is_seen = any(entry.envelope.source is Source.CAMERA for entry in own_entries(entries))
            return Reseated(order=order, moves_results=not is_seen, why=why)
        case commands.NameSeats(names=names, substitute=substitute):
            return PlayersNamed(names=names, is_substitution=substitute)
        case commands.CallTime() | commands.EndGame() | commands.CountInSeason():
            return _game_record(command)
        case commands.AdjustPoints():
            return _adjustment(command, game)
        case commands.OpenGame(names=names, first_dealer=first_dealer, ruleset=ruleset):
            return GameOpened(
                ruleset=ruleset or game.ruleset,
                names=names,
                first_dealer=first_dealer,
                asks_for_sticks_in_play=False,
            )
        case _:
            assert_never(command)


def _game_record(command: commands.CallTime | commands.EndGame | commands.CountInSeason) -> Body:
    match command:
        case commands.CallTime(finished=finished):
            return TimeSignal(finished=finished)
        case commands.EndGame(why=why):
            return GameEnded(reason=why)
        case commands.CountInSeason(counts=counts):
            return CountedInSeason(counts=counts)
        case _:
            assert_never(command)


def missing_records(game: FoldedGame, entries: Sequence[Entry]) -> list[SettlementRecorded]:
    """Returns a record for each finished hand whose settlement differs from its last record."""
    records = records_in(entries)
    missing = []
    for record, end in zip(game.settlement_records, game.hand_ends, strict=True):
        if record is None:
            continue
        *_, last = (None, *(line.settlement for _, line in records.of_hand(record.hand, end)))
        if record.settlement != last:
            missing.append(record)
    return missing


def _check_hand(hand: int, game: FoldedGame, *, says: str = "faster") -> None:
    if hand != game.hand:
        raise PressError(f"expected hand {game.hand + 1}, got hand {hand + 1}: another phone was faster", says=says)


def _adjustment(command: commands.AdjustPoints, game: FoldedGame) -> PointsAdjusted:
    """Returns the event of a correction of points by hand.

    Raises:
        PressError: it changes nothing or gives no reason, its phone showed other points, or the change of the sum of
            all points was not confirmed.
    """
    _check_hand(command.hand, game)
    event = PointsAdjusted(
        points=command.points,
        sticks=command.sticks,
        honba=command.honba,
        reason=command.why.strip(),
        by=command.by,
    )
    if not event.reason:
        raise PressError("expected a reason for the correction of points, got none", says="why_needed")
    if not any(event.points) and not event.sticks and event.honba in (None, _honba(game)):
        raise PressError("expected a change of points, sticks or honba, got none", says="nothing_adjusted")
    if command.scores not in (None, game.state.scores):
        raise PressError(f"expected points {game.state.scores}, got {command.scores}", says="points_moved")
    if event.total != command.total:
        raise PressError(
            f"expected all points to change by {command.total} together, got {event.total}",
            says="sum_changes",
            points=f"{event.total:+,}".replace("-", "−"),
        )
    return event


def _honba(game: FoldedGame) -> int | None:
    start = game.state.present_start
    return None if start is None else start.honba


def _edited_result(edit: commands.EditResult, game: FoldedGame, entries: Sequence[Entry]) -> Amendment:
    if not 0 <= edit.hand < len(game.hand_ends):
        raise PressError(
            f"expected {numbered('finished hand', range(1, len(game.hand_ends) + 1))}, got hand {edit.hand + 1}",
            says="hand_unfinished",
        )
    place = game.hand_ends[edit.hand]
    *_, current = (effective for effective in effective_events(entries) if effective.place == place)
    event = ResultDeclared(result=edit.result)
    if isinstance(current.first.body, Inserted):
        return Inserted(before=current.first.body.before, event=event, why=edit.why)
    if isinstance(current.first.body, HandStarted):
        return Inserted(before=current.first.number, event=event, why=edit.why)
    return Corrected(entry=current.first.number, event=event, why=edit.why)
