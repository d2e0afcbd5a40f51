"""The games of a table as they are sent: never a hand behind the table."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from threading import Event, Thread

from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table
from table.mqtt.played_games import PlayedGames
from table.rulebook.play_presets import HOME
from table.runtime.clock import LogicalClock
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.table.game.by_hand import tell, win


def test_who_is_woken_by_a_hand_is_given_its_points_however_slow_another_listener_is() -> None:
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(None))
        table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock())
        read = Event()
        table.board.call_on_change(partial(wait_for, read.is_set))
        games, version, messages = PlayedGames(table.board), table.board.latest.version, []

        def publisher() -> None:
            table.board.wait_for(version, PATIENCE_S)
            messages.append(games.message["games"])
            read.set()

        woken = Thread(target=publisher)
        woken.start()
        tell(table, win(1, 2, 2))
        woken.join(PATIENCE_S)
        assert messages[0][-1]["scores"] == list(table.state.scores)
