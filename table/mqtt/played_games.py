"""The last games of a table as they are sent, so that a desk that was offline misses none."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from operator import is_
from typing import Final

from table.game.journal.history.game_history import GameHistory, standings_of
from table.game.snapshot import Board, Snapshot
from table.mqtt.mqtt_messages import Message
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.rules.terms.seats import Seat

MOST_GAMES: Final = 12
"""Limit of games in a message: more than a tournament has in a day."""


class PlayedGames:
    """Follows a board, so that no game is missed, however soon the next one begins."""

    def __init__(self, board: Board) -> None:
        """Follows the board from the game that is on it now."""
        self._board = board
        self._lock = threading.Lock()
        self._earlier_games: OrderedDict[int, Message] = OrderedDict()
        self._latest = board.latest
        self._cached_entry: tuple[tuple[object, ...], Message] | None = None
        board.call_on_change(self._follow)

    def _follow(self) -> None:
        """Notes the latest snapshot: in the table's thread after each publication, and before a message is written."""
        with self._lock:
            snapshot = self._board.latest
            if snapshot.opened_by > self._latest.opened_by:
                self._store(self._latest.opened_by, snapshot_game(self._latest))
            self._earlier_games.pop(snapshot.opened_by, None)  # its opening or that of the game after it was undone
            self._latest = snapshot

    def add_earlier(self, games: Sequence[GameHistory]) -> None:
        """Adds earlier games of the journal; games known already are not replaced."""
        with self._lock:
            for game in games:
                if game.number not in self._earlier_games and game.number != self._latest.opened_by:
                    self._store(game.number, history_game(game))

    def _store(self, number: int, message: Message) -> None:
        self._earlier_games[number] = message
        for spare in sorted(self._earlier_games)[: 1 - MOST_GAMES]:
            del self._earlier_games[spare]

    @property
    def message(self) -> Message:
        """The message: the games by their number, the one on the table last."""
        self._follow()
        with self._lock:
            latest, earlier = self._latest, [self._earlier_games[number] for number in sorted(self._earlier_games)]
        return {"games": [*earlier, self._current_entry(latest)]}

    def _current_entry(self, snapshot: Snapshot) -> Message:
        """Returns the entry of the game on the table; computed again only when a hand or its points change."""
        game = snapshot.game
        basis = (snapshot.opened_by, snapshot.ruleset, game.scores, game.history, game.ranking, game.next_start)
        cached = self._cached_entry
        if cached is None or cached[1]["round"] != snapshot.round or not all(map(is_, cached[0], basis)):
            cached = self._cached_entry = basis, snapshot_game(snapshot)
        return cached[1]


def snapshot_game(snapshot: Snapshot) -> Message:
    """Returns the message's entry for the game on the table."""
    head = {"number": snapshot.opened_by, "opened": snapshot.opened_at, "round": snapshot.round}
    return head | _standing(snapshot.game, snapshot.ruleset, snapshot.game.first_dealer)


def history_game(game: GameHistory) -> Message:
    """Returns the message's entry for a game of the journal."""
    head = {"number": game.number, "opened": game.utc, "round": game.round}
    return head | _standing(game.state, game.ruleset, game.first_dealer)


def _standing(state: GameState, ruleset: Ruleset, dealer: Seat) -> dict[str, object]:
    """Returns a game's standings by seat, without names. `points` include uma, oka and fouls that count after uma.

    `is_stopped` is left out where it is false, since earlier desks do not know it.
    """
    standing = {
        "rules": ruleset.name,
        "first_dealer": int(dealer),
        "hands": len(state.history),
        "is_over": state.is_over,
        "scores": list(state.scores),
        "points": list(standings_of(state, ruleset, dealer).points),
    }
    return standing | ({"is_stopped": True} if state.is_stopped else {})
