"""Who may replay a finished hand."""

from __future__ import annotations

from table.dashboard.live.tournament_law import may_watch_again
from table.dashboard.web.answers import refuse
from table.dashboard.web.roles import Role, visitor
from table.game.snapshot import Snapshot


def check_may_watch(snapshot: Snapshot, game: int) -> None:
    """Ends the request of whoever may not watch a hand of that game again: 403."""
    if not may_watch_again(snapshot, game, is_owner=visitor().role is Role.OWNER):
        refuse("expected a game that is over, got one of a tournament that is still played", 403, says="after_game")
