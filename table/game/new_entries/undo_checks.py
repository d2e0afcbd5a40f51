"""Whether what a phone asks to undo or redo is the next in line, and may still be undone or redone. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from table.game.journal.effective_events import effective_entries, is_event
from table.game.journal.entries import Entry
from table.game.journal.game_openings import is_undoable, own_entries
from table.game.journal.history.change_history import changes_of
from table.rules.events import HandStarted
from table.runtime.table_errors import PressError


def check_undo(act: int, entries: Sequence[Entry], *, has_undoable_opening: bool) -> None:
    """Checks that an action can be undone now.

    Args:
        act: the number of the action.
        entries: the game's entries, from its opening.
        has_undoable_opening: whether the game's opening can be undone, as for `changes_of`.

    Raises:
        PressError: another action is the next to be undone, or the camera saw what followed.
    """
    _check_next(act, changes_of(entries, has_undoable_opening=has_undoable_opening).undo, says="nothing_left")
    _check_same_hand(act, entries)


def check_redo(act: int, entries: Sequence[Entry], *, has_undoable_opening: bool) -> None:
    """Checks that an undone action can be redone now; takes and raises the same as `check_undo`."""
    _check_next(act, changes_of(entries, has_undoable_opening=has_undoable_opening).redo, says="nothing_to_redo")
    _check_same_hand(act, entries)


def _check_next(act: int, next_act: int | None, *, says: str) -> None:
    if next_act is None:
        raise PressError("expected something that people did, got nothing left", says=says)
    if act != next_act:
        raise PressError("expected the last thing that was done: something else was done since", says="done_since")


def _check_same_hand(act: int, entries: Sequence[Entry]) -> None:
    """Refuses to undo an action of a hand once the camera saw the next hand dealt, which cannot be undone.

    The opening of a game stays undone or redone once the camera saw anything since.
    """
    game_entries = own_entries(entries)
    if any(entry.number == act and is_undoable(entry) for entry in game_entries):
        _check_unseen(act, game_entries)
    effective = [entry.number for entry in game_entries if entry.envelope.act == act and is_event(entry.body)]
    if effective and any(
        isinstance(entry.body, HandStarted) and entry.envelope.act is None and entry.number > effective[0]
        for entry in game_entries
    ):
        raise PressError(
            "expected something of the hand being played: the next one was dealt since, edit that hand",
            says="next_dealt",
        )


def _check_unseen(opening: int, game_entries: Sequence[Entry]) -> None:
    if any(
        entry.number > opening and entry.envelope.act is None
        for entry in effective_entries(game_entries)
        if is_event(entry.body)
    ):
        raise PressError(
            "expected a game whose tiles no camera saw: its opening can no longer be undone or redone",
            says="tiles_seen",
        )
