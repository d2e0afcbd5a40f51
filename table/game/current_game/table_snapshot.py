"""Builds the snapshot of the table that everybody else reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from table.game.current_game.game_on_table import GameOnTable
from table.game.journal.history.change_history import changes_of
from table.game.journal.history.played_round import round_of
from table.game.journal.recovery.journal_notice import JournalNotice
from table.game.new_entries.hand_entries import open_suspicions
from table.game.snapshot import Snapshot

ANNOUNCEMENT_COUNT: Final = 50
"""Number of announcements in a snapshot."""


def table_snapshot(game: GameOnTable, base: Snapshot, notices: Sequence[JournalNotice]) -> Snapshot:
    """Returns the snapshot of a game; version, felt, camera, mode and desk are those of `base`.

    `notices` say what is wrong with the journal.
    """
    opened_at, seatings = game.opening.envelope.utc, game.seatings
    return replace(
        base,
        game=game.state,
        opened_by=game.opening.number,
        opened_at=opened_at,
        limit_start=game.limit_start.corrected_opening(opened_at),
        round=round_of(game.entries),
        announcements=game.announcements[-ANNOUNCEMENT_COUNT:],
        doubts=game.doubts,
        suspicions=tuple(open_suspicions(game.folded_game)),
        ruleset=game.folded_game.ruleset,
        names=seatings.now.names,
        names_before_changes=seatings.names_before_changes,
        hand_ends=game.folded_game.hand_ends,
        hand_names=tuple(map(seatings.names_at, game.folded_game.hand_ends)),
        seating=seatings.now,
        changes=changes_of(
            game.entries,
            game.folded_game.hand_ends,
            has_undoable_opening=game.has_undoable_opening,
            seatings=seatings,
        ),
        rejected_entries=game.folded_game.rejected_entries,
        proposal=game.proposal,
        notices=tuple(notices),
    )
