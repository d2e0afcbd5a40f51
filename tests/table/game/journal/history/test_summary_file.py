"""What is kept of finished games is only believed where the journal confirms it."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import pytest

from table.game.journal.history import summary_file
from table.game.journal.history.game_history import game_history, games_of
from table.game.journal.history.game_summary import GameSummary, summary_of
from table.game.journal.history.summary_file import SummaryFile
from table.game.journal.journal import Journal
from tests.table.game.journal.played_games import declared_game, whole_game, write_games


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.games"


@pytest.fixture(scope="module")
def games() -> list[GameSummary]:
    with Journal(None) as journal:
        write_games(journal, 1, session=whole_game())
        write_games(journal, 2, session=declared_game())
        return [summary_of(game_history(game)) for game in games_of(journal.entries())]


def stored_summaries(path: Path, games: list[GameSummary]) -> dict[tuple[int, str], GameSummary]:
    for game in games:
        SummaryFile(path).add(f"{game.number:x}", game)
    return {(game.number, f"{game.number:x}"): game for game in games}


def test_what_is_kept_is_read_again(path: Path, games: list[GameSummary]) -> None:
    assert SummaryFile(path).read() == {}
    assert SummaryFile(path).read() == stored_summaries(path, games[:0])
    expected = stored_summaries(path, games)
    assert SummaryFile(path).read() == expected
    assert games[0].figures.hands > 4


def test_without_a_file_nothing_is_kept(games: list[GameSummary]) -> None:
    file = SummaryFile(None)
    file.add("0", games[0])
    assert file.read() == {}


@pytest.mark.parametrize("at", ["torn at its end", "altered"])
def test_a_line_that_is_not_whole_is_dropped_and_the_others_stay(path: Path, games: list[GameSummary], at: str) -> None:
    expected = stored_summaries(path, games)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[-1] = lines[-1][:-9] if at == "torn at its end" else lines[-1].replace(b"Aoi", b"Aoj")
    path.write_bytes(b"".join(lines))
    gone = (games[-1].number, f"{games[-1].number:x}")
    assert SummaryFile(path).read() == {key: game for key, game in expected.items() if key != gone}
    stored_summaries(path, games[-1:])
    assert SummaryFile(path).read() == expected


def test_what_another_version_made_is_made_anew(
    path: Path, games: list[GameSummary], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = stored_summaries(path, games)
    monkeypatch.setattr(summary_file, "version", lambda _: "0.0.1")
    assert SummaryFile(path).read() == {}
    monkeypatch.undo()
    assert SummaryFile(path).read() == {}
    assert stored_summaries(path, games) == expected


def test_a_disk_that_takes_nothing_costs_nothing_but_the_reading(tmp_path: Path, games: list[GameSummary]) -> None:
    file = SummaryFile(tmp_path / "missing" / "table.games")
    file.add("0", games[0])
    assert file.read() == {}


def test_a_pipe_in_its_place_keeps_no_page_waiting(path: Path, games: list[GameSummary]) -> None:
    os.mkfifo(path)
    file = SummaryFile(path)
    thread = Thread(target=file.add, args=("0", games[0]), daemon=True)
    thread.start()
    thread.join(timeout=10)
    assert not thread.is_alive()
    assert file.read() == {}
