"""The last games of a table as they are sent, so that a desk that was away misses none."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from table.dashboard.scores.score_text import first_dealer
from table.game.journal.game_history import GameHistory, standings_of
from table.game.snapshot import Board, Snapshot
from table.mqtt.mqtt_messages import Message
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.rules.terms.seats import Seat

MOST_GAMES: Final = 12
"""The latest games that are sent: more than a day of a tournament has."""


class PlayedGames:
    """Follows a board; no game is missed, however soon the next one begins."""

    def __init__(self, board: Board) -> None:
        """Takes up the game on the board."""
        self._board = board
        self._lock = threading.Lock()
        self._before: OrderedDict[int, Message] = OrderedDict()
        self._latest = board.latest
        board.call_on_change(self._take)

    def _take(self) -> None:
        """Called by the table's own thread after each publication."""
        snapshot = self._board.latest
        with self._lock:
            if snapshot.opened_by != self._latest.opened_by:
                self._keep(self._latest.opened_by, snapshot_game(self._latest))
            self._latest = snapshot

    def add_earlier(self, games: Sequence[GameHistory]) -> None:
        """Takes games of the journal that were played before; what is known already stays."""
        with self._lock:
            for game in games:
                if game.number not in self._before and game.number != self._latest.opened_by:
                    self._keep(game.number, history_game(game))

    def _keep(self, number: int, message: Message) -> None:
        self._before[number] = message
        for spare in sorted(self._before)[: 1 - MOST_GAMES]:
            del self._before[spare]

    @property
    def message(self) -> Message:
        """What is sent: the games by their number, the one on the table last."""
        with self._lock:
            latest, before = self._latest, [self._before[number] for number in sorted(self._before)]
        return {"games": [*before, snapshot_game(latest)]}


def snapshot_game(snapshot: Snapshot) -> Message:
    """Returns the game on the table as it stands."""
    dealer = first_dealer(snapshot.game)
    return _game(snapshot.opened_by, snapshot.opened_at, snapshot.game, snapshot.ruleset, dealer)


def history_game(game: GameHistory) -> Message:
    """Returns a game of the journal."""
    return _game(game.number, game.utc, game.state, game.ruleset, game.first_dealer)


def _game(number: int, opened: str, state: GameState, ruleset: Ruleset, dealer: Seat) -> Message:
    """A game by seat: no names. `points` are with uma, oka and what fouls cost after it."""
    return {
        "number": number,
        "opened": opened,
        "rules": ruleset.name,
        "first_dealer": int(dealer),
        "hands": len(state.history),
        "is_over": state.is_over,
        "scores": list(state.scores),
        "points": list(standings_of(state, ruleset, dealer).points),
    }
