"""Turns commands that change the journal into entries, or refuses them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from table.game import game_commands as commands
from table.game.game_commands import JournalCommand
from table.game.journal.effective_events import effective_entries, effective_events, is_event
from table.game.journal.entries import (
    Amendment,
    Body,
    Corrected,
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
from table.game.journal.fold import Folded, add_step, fold, opened_game, start_of
from table.game.journal.game_openings import is_undoable, own_entries
from table.game.journal.history.change_history import changes_of
from table.rules.advance import advance
from table.rules.events import Event, GameEnded, HandShown, HandStarted, PointsAdjusted, ResultDeclared, TimeSignal
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, HandState
from table.rules.terms.rule_errors import RulesError
from table.rules.transitions import hand_end
from table.runtime.table_errors import PressError

_ABOUT_GAME: Final = (
    commands.DeclareResult
    | commands.EditResult
    | commands.OpenGame
    | commands.EndGame
    | commands.CallTime
    | commands.AdjustPoints
)
"""Commands that may name the game that their phone showed."""


def entry_body(
    command: JournalCommand, folded: Folded, entries: Sequence[Entry], *, has_undoable_opening: bool
) -> Body:
    """Returns the entry body of a command.

    Args:
        command: the command.
        folded: the current game.
        entries: the game's journal, from its opening.
        has_undoable_opening: whether the game's opening can be undone, as for `changes_of`.

    Raises:
        PressError: the command is not possible now; the message says why.
    """
    if isinstance(command, _ABOUT_GAME) and command.game not in (None, entries[0].number):
        raise PressError("expected a hand of the game being played: another one was opened since", says="other_game")
    match command:
        case commands.DeclareResult(result=result, hand=hand):
            _check_hand(hand, folded, says="hand_settled" if hand < folded.hand else "hand_undone")
            return ResultDeclared(result=result)
        case commands.EditResult():
            return _edit(command, folded, entries)
        case commands.Undo(act=number, why=why):
            _check_next(number, changes_of(entries, has_undoable_opening=has_undoable_opening).undo)
            _check_same_hand(number, entries)
            return Undone(act=number, why=why)
        case commands.Redo(act=number):
            changes = changes_of(entries, has_undoable_opening=has_undoable_opening)
            _check_next(number, changes.redo, says="nothing_to_redo")
            _check_same_hand(number, entries)
            return Redone(act=number)
        case commands.Reseat(order=order, why=why):
            is_seen = any(entry.envelope.source is Source.CAMERA for entry in own_entries(entries))
            return Reseated(order=order, moves_results=not is_seen, why=why)
        case commands.NameSeats(names=names, substitute=substitute):
            return PlayersNamed(names=names, is_substitution=substitute)
        case commands.CallTime(finished=finished):
            return TimeSignal(finished=finished)
        case commands.AdjustPoints():
            return _adjusted(command, folded)
        case commands.EndGame(why=why):
            return GameEnded(reason=why)
        case commands.OpenGame(names=names, first_dealer=first_dealer, ruleset=ruleset):
            return GameOpened(
                ruleset=ruleset or folded.ruleset,
                names=names,
                first_dealer=first_dealer,
                asks_for_sticks_in_play=False,
            )
        case _:
            assert_never(command)


def shown_hands(command: commands.DeclareResult, folded: Folded) -> list[HandStarted | HandShown]:
    """Returns the events that record winning hands entered tile by tile, before their result.

    None where the camera or people told of the hand before: that is what was seen of it.
    """
    hand, winners = folded.state.live, {win.seat for win in command.result.wins}
    shown = [each for each in command.hands if each.seat in winners]
    coming = folded.state.next_start
    if not shown or (hand is None and coming is None) or (hand is not None and is_followed(hand)):
        return []
    return [*([] if coming is None else [coming]), *shown]


def check_events(events: Sequence[Event], state: GameState, ruleset: Ruleset) -> None:
    """Checks that events can happen one after another.

    Raises:
        PressError: one of them is impossible.
    """
    try:
        for event in events:
            state = advance(state, event, ruleset).state
    except RulesError as error:
        raise PressError(str(error), says=error.says, **error.values) from error


def is_followed(hand: HandState) -> bool:
    """Whether anything of a hand in play was seen or claimed, besides riichi that people declared."""
    return bool(hand.laid or hand.claims or hand.dora_indicators or any(hand.shown) or any(hand.melds))


def preview_state(entry: Entry, folded: Folded, entries: Sequence[Entry]) -> Folded:
    """Returns the game with one more entry, which need not be written.

    Raises:
        PressError: the entry is impossible; later entries that no longer fit become questions instead.
    """
    if is_event(entry.body):
        try:
            return add_step(folded, advance(folded.state, entry.body, folded.ruleset), entry)
        except RulesError as error:
            raise PressError(str(error), says=error.says, **error.values) from error
    if isinstance(entry.body, GameOpened):
        return opened_game(entry)
    after = fold(opened_game(entries[0]), [*entries[1:], entry])
    for unfit in after.rejected:
        if unfit.entry == entry.number:
            raise PressError(unfit.message, says=unfit.says or "impossible", **unfit.values)
    return after


def check_declared(before: Folded, after: Folded) -> None:
    """Refuses a declared result that would have no effect because a foul already ends the hand.

    Args:
        before: the game before the result.
        after: the game with the result.

    Raises:
        PressError: the foul has to be confirmed or cancelled first.
    """
    hand, settled = hand_end.preview_settlement(before.state, before.ruleset), after.state.history[-1].settlement
    proposed = None if hand is None else hand.proposal
    if proposed is not None and proposed.penalty is not None and settled is not None and settled.penalty is not None:
        raise PressError(
            "expected a foul that ends the hand to be confirmed or cancelled, got a result", says="foul_ends"
        )


def missing_records(folded: Folded, entries: Sequence[Entry]) -> list[SettlementRecorded]:
    """Returns a record for each finished hand whose settlement differs from its last record."""
    records = {
        entry.body.hand: entry.body.settlement
        for entry in effective_entries(entries)
        if isinstance(entry.body, SettlementRecorded)
    }
    return [
        record for record in folded.confirmed if record is not None and records.get(record.hand) != record.settlement
    ]


def _check_hand(hand: int, folded: Folded, *, says: str = "faster") -> None:
    if hand != folded.hand:
        raise PressError(f"expected hand {folded.hand + 1}, got hand {hand + 1}: another phone was faster", says=says)


def _adjusted(command: commands.AdjustPoints, folded: Folded) -> PointsAdjusted:
    """Returns the event of a correction of points by hand.

    Raises:
        PressError: it changes nothing or gives no reason, its phone showed other points, or the change of the sum of
            all points was not confirmed.
    """
    _check_hand(command.hand, folded)
    event = PointsAdjusted(
        points=command.points,
        sticks=command.sticks,
        honba=command.honba,
        reason=command.why.strip(),
        by=command.by,
    )
    if not event.reason:
        raise PressError("expected a reason for the correction of points, got none", says="why_needed")
    if not any(event.points) and not event.sticks and event.honba in (None, _honba(folded)):
        raise PressError("expected a change of points, sticks or honba, got none", says="nothing_adjusted")
    if command.scores not in (None, folded.state.scores):
        raise PressError(f"expected points {folded.state.scores}, got {command.scores}", says="points_moved")
    if event.total != command.total:
        raise PressError(
            f"expected all points to change by {command.total} together, got {event.total}",
            says="sum_changes",
            points=f"{event.total:+,}".replace("-", "−"),
        )
    return event


def _honba(folded: Folded) -> int | None:
    start = start_of(folded.state)
    return None if start is None else start.honba


def _check_next(asked: int, following: int | None, *, says: str = "nothing_left") -> None:
    if following is None:
        raise PressError("expected something that people did, got nothing left", says=says)
    if asked != following:
        raise PressError("expected the last thing that was done: something else was done since", says="done_since")


def _check_same_hand(act: int, entries: Sequence[Entry]) -> None:
    """Refuses to undo an action of a hand once the camera saw the next hand dealt, which cannot be undone.

    The opening of a game stays undone or redone once the camera saw anything since.
    """
    own = own_entries(entries)
    if any(entry.number == act and is_undoable(entry) for entry in own):
        _check_unseen(act, own)
    effective = [entry.number for entry in own if entry.envelope.act == act and is_event(entry.body)]
    if effective and any(
        isinstance(entry.body, HandStarted) and entry.envelope.act is None and entry.number > effective[0]
        for entry in own
    ):
        raise PressError(
            "expected something of the hand being played: the next one was dealt since, edit that hand",
            says="next_dealt",
        )


def _check_unseen(opening: int, own: Sequence[Entry]) -> None:
    if any(
        entry.number > opening and entry.envelope.act is None
        for entry in effective_entries(own)
        if is_event(entry.body)
    ):
        raise PressError(
            "expected a game whose tiles no camera saw: its opening can no longer be undone or redone",
            says="tiles_seen",
        )


def _edit(edit: commands.EditResult, folded: Folded, entries: Sequence[Entry]) -> Amendment:
    if not 0 <= edit.hand < len(folded.ended_by):
        raise PressError(
            f"expected a finished hand from 1 to {len(folded.ended_by)}, got hand {edit.hand + 1}",
            says="hand_unfinished",
        )
    place = folded.ended_by[edit.hand]
    *_, last = (effective for effective in effective_events(entries) if effective.place == place)
    event = ResultDeclared(result=edit.result)
    if isinstance(last.first.body, Inserted):
        return Inserted(before=last.first.body.before, event=event, why=edit.why)
    if isinstance(last.first.body, HandStarted):
        return Inserted(before=last.first.number, event=event, why=edit.why)
    return Corrected(entry=last.first.number, event=event, why=edit.why)
