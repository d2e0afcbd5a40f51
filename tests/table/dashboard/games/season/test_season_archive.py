"""A long history is counted in the background, and no page waits for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from table.dashboard.games.archive import background_reader
from table.dashboard.games.archive.known_people import KnownPeople
from table.dashboard.games.season import season_archive
from table.dashboard.games.season.season_archive import SeasonArchive
from table.dashboard.web.table_port import TablePort
from table.game.journal.entries import Entry
from table.game.journal.journal import Journal
from table.game.table_loop import Table, TableLoop
from tests.fakes.waiting import wait_for
from tests.table.game.by_hand import table_at
from tests.table.game.journal.played_games import declared_game, write_games

GAMES = 6
PATIENCE_S = 20.0


class SlowPort:
    """A table whose disk gives nothing to the background while `goes_on` is not set."""

    def __init__(self, loop: TableLoop) -> None:
        self._loop = loop
        self.goes_on, self.is_waiting = threading.Event(), threading.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loop, name)

    def entries(self, after: int, upto: int | None = None) -> tuple[Entry, ...]:
        if threading.current_thread().name == "season":
            self.is_waiting.set()
            assert self.goes_on.wait(PATIENCE_S)
        return self._loop.entries(after, upto)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Table, SlowPort]]:
    """A table with finished games, of which a page counts one."""
    monkeypatch.setattr(season_archive, "FEW_GAMES", 1)
    monkeypatch.setattr(background_reader, "PAUSE_FACTOR", 0)
    with Journal(None) as journal:
        write_games(journal, GAMES + 1, session=declared_game())
        with TableLoop(table := table_at(journal)) as loop:
            port = SlowPort(loop)
            yield table, port
            port.goes_on.set()


def test_a_page_waits_for_no_game_that_the_background_counts(table: tuple[Table, SlowPort], tmp_path: Path) -> None:
    board, port, memory = table[0].board, table[1], tmp_path / "table.season"
    with SeasonArchive(board, cast(TablePort, port), KnownPeople(None), memory) as archive:
        assert archive.season()[1] == GAMES - 1
        assert port.is_waiting.wait(PATIENCE_S)
        counts = list[int]()
        page = threading.Thread(target=lambda: counts.append(archive.season()[1]), daemon=True)
        page.start()
        page.join(PATIENCE_S / 4)
        assert counts == [GAMES - 1]
        port.goes_on.set()
        wait_for(lambda: archive.season()[1] == 0)
        assert archive.season()[0].games == GAMES + 1
        wait_for(memory.is_file)


def test_counting_ends_with_the_archive_and_what_was_counted_is_kept(
    table: tuple[Table, SlowPort], tmp_path: Path
) -> None:
    board, port, memory = table[0].board, table[1], tmp_path / "table.season"
    with SeasonArchive(board, cast(TablePort, port), KnownPeople(None), memory) as archive:
        archive.season()
        assert port.is_waiting.wait(PATIENCE_S)
        threading.Timer(1, port.goes_on.set).start()
    assert not [each for each in threading.enumerate() if each.name == "season"]
    with SeasonArchive(board, cast(TablePort, port), KnownPeople(None), memory) as again:
        assert again.season()[1] == GAMES - 3, "one is counted now, two were before"
