"""The right to replay a finished hand."""

from __future__ import annotations

from table.dashboard.live.tournament_law import may_watch_again
from table.dashboard.web.access.roles import visitor
from table.dashboard.web.answers import refuse
from table.game.snapshot import Snapshot


def check_may_watch(snapshot: Snapshot, game: int) -> None:
    """Aborts with 403 if the visitor may not replay hands of that game."""
    if not may_watch_again(snapshot, game, is_owner=visitor().is_owner):
        refuse("expected a finished game, got a tournament's game in progress", 403, says="after_game")
