"""A game of another evening that cannot be read is found after the start, by `check` and by `backup`."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from table.appliance.appliance import run_appliance
from table.appliance.files import background_check
from table.appliance.files.background_check import BackgroundCheck
from table.appliance.files.data_folder import JOURNAL
from table.cli.main import main
from table.game.commands.game_commands import OpenGame
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_backup import backups
from table.game.journal.storage.entry_chain import START, entry_hash
from tests.fakes.waiting import wait_for
from tests.table.appliance.configured import make_config
from tests.table.game.by_hand import draw, table_at, tell, win
from tests.table.game.journal.journals import make_newer

UNREADABLE = "entry 2: cannot read a journal entry"


def sealed(path: Path, number: int, body: str) -> None:
    """Lets an entry say something else, as a program would that wrote it so: the chain holds."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE entry SET body = ? WHERE number = ?", (body, number))
        before = START
        for each, envelope, text in database.execute("SELECT number, envelope, body FROM entry ORDER BY number"):
            before = entry_hash(before, each, envelope.encode(), text.encode())
            database.execute("UPDATE entry SET hash = ? WHERE number = ?", (before, each))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of two games, of which the first holds an entry that nobody can read."""
    path = tmp_path / JOURNAL
    with Journal(path) as journal:
        table = table_at(journal)
        tell(table, win(0, 1, 3), draw())
        table.handle(OpenGame(by="owner"))
        tell(table, win(1, 0, 3))
    sealed(path, 2, '{"is": "Nothing"}')
    return path


def test_what_is_wrong_in_an_older_game_is_found_after_the_start(path: Path) -> None:
    with BackgroundCheck(path, delay_s=0) as found:
        wait_for(lambda: bool(found.trouble))
    assert found.trouble.startswith(UNREADABLE)


def test_a_game_that_cannot_be_followed_is_named_by_its_entries(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sealed(path, 2, '{"is": "TilePassed"}')

    def cannot(entries: object) -> None:
        raise ValueError("no such hand")

    monkeypatch.setattr("table.game.journal.recovery.journal_check.game_history", cannot)
    with BackgroundCheck(path, delay_s=0) as found:
        wait_for(lambda: bool(found.trouble))
    with Journal(path) as journal:
        last = journal.last
    assert "the last game of the journal (entries " in found.trouble
    assert f" to {last}) cannot be taken up: ValueError: no such hand" in found.trouble


def test_a_whole_journal_is_followed_without_a_word(tmp_path: Path) -> None:
    with Journal(tmp_path / JOURNAL) as journal:
        tell(table_at(journal), win(0, 1, 3), draw())
    with BackgroundCheck(tmp_path / JOURNAL, delay_s=0) as found:
        wait_for(lambda: not found._thread.is_alive())
    assert found.trouble == ""


def test_the_health_says_what_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_check, "DELAY_S", 0.0)
    monkeypatch.setattr(background_check, "journal_trouble", lambda path, **_: f"{path.name}: {UNREADABLE}")
    with run_appliance(make_config(tmp_path)) as appliance:
        wait_for(lambda: bool(appliance.health().journal.notes))
        health = appliance.health()
    assert (health.troubles, health.journal.notes) == (["journal"], (f"{JOURNAL}: {UNREADABLE}",))


def test_check_follows_every_game(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--json", "--data", str(path.parent)]) == 1
    (note,) = json.loads(capsys.readouterr().out)["journal"]["notes"]
    assert note.startswith(UNREADABLE)


def test_a_backup_is_made_all_the_same_and_no_older_one_let_go(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "tachiai.toml"
    config.write_text(f'[table]\ndata = "{tmp_path}"\nbackups = 1\n')
    folder = tmp_path / "backups"
    folder.mkdir()
    older = folder / "table-00000001-2026-11-20.backup"
    older.write_bytes(path.read_bytes())
    assert main(["backup", "--config", str(config)]) == 1
    output = capsys.readouterr()
    assert [str(backup) for backup in backups(folder, "table")] == [output.out.strip(), str(older)]
    assert UNREADABLE in output.err


def test_check_names_the_backup_to_go_back_to_from_a_newer_versions_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(tmp_path / JOURNAL) as journal:
        table_at(journal)
    assert main(["backup", "--data", str(tmp_path)]) == 0
    copy = Path(capsys.readouterr().out.strip()).name
    make_newer(tmp_path / JOURNAL)
    assert main(["check", "--json", "--data", str(tmp_path)]) == 1
    (note,) = json.loads(capsys.readouterr().out)["journal"]["notes"]
    assert note.endswith(f"install that version again or restore the backup {copy}")
