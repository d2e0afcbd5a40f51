"""A rule set is stored once in a journal, however many games are played under it, and read as it was stored."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from table.game.commands.game_commands import OpenGame
from table.game.journal.entries import GameOpened
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_files import verify_journal
from table.rulebook import rules_named
from table.rulebook.play_presets import HOME
from table.runtime.table_errors import JournalError
from tests.fakes.disks import taking_no_entries
from tests.table.game.by_hand import table_at
from tests.table.game.journal.journals import ENVELOPE, make_older

EMA = rules_named("ema-2025").ruleset


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


def open_games(path: Path, games: int) -> list[str]:
    """Opens games under two rule sets in turn; returns what their entries hold."""
    with Journal(path) as journal:
        for game in range(games):
            journal.append(ENVELOPE, GameOpened(ruleset=EMA if game % 2 else HOME))
    with closing(sqlite3.connect(path)) as database:
        return [body for (body,) in database.execute("SELECT body FROM entry ORDER BY number")]


def change_rows(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute(statement)
        database.commit()


def test_a_rule_set_is_written_once_for_all_its_games(path: Path) -> None:
    bodies = open_games(path, 20)
    assert max(map(len, bodies)) < 200
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM ruleset").fetchone() == (2,)
    with Journal(path) as journal:
        read = [entry.body for entry in journal.entries() if isinstance(entry.body, GameOpened)]
        assert [body.ruleset for body in read] == [HOME, EMA] * 10
    assert len({id(body.ruleset) for body in read}) == 2, "a rule set is long: it is read once, not for each game"


def test_games_that_wait_for_the_disk_store_their_rules_with_them(path: Path) -> None:
    with Journal(path) as journal:
        with taking_no_entries(journal):
            journal.append(ENVELOPE, GameOpened(ruleset=HOME))
            journal.append(ENVELOPE, GameOpened(ruleset=HOME))
        journal.flush()
    assert verify_journal(path) == 2
    with Journal(path) as reopened_journal:
        assert [entry.body for entry in reopened_journal.entries()] == [GameOpened(ruleset=HOME)] * 2


def test_an_older_journal_keeps_its_rules_in_its_entries_and_refers_to_them_from_then_on(path: Path) -> None:
    open_games(path, 3)
    with closing(sqlite3.connect(make_older(path))) as disk, Journal(None) as journal:
        whole = [len(body) for (body,) in disk.execute("SELECT body FROM entry")]
        assert min(whole) > 1000
        journal.take_over(disk)
        assert [entry.body for entry in journal.entries()] == [GameOpened(ruleset=each) for each in (HOME, EMA, HOME)]
        table = table_at(journal)
        table.handle(OpenGame(by="owner"))
        *_, newest = journal.memory.execute("SELECT length(body) FROM entry")
        assert newest[0] < 200
        assert table.folded_game.ruleset == HOME


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ruleset SET body = replace(body, '30000', '40000')",
        "DELETE FROM ruleset",
        "UPDATE ruleset SET key = 'x' || key",
    ],
    ids=["other points", "gone", "under another name"],
)
def test_rules_that_are_not_what_was_stored_are_found(path: Path, statement: str) -> None:
    open_games(path, 2)
    assert verify_journal(path) == 2
    change_rows(path, statement)
    with pytest.raises(JournalError, match="rules of the game of entry 1 were altered"):
        verify_journal(path)
    with Journal(path) as journal, pytest.raises(JournalError, match="entry 1: expected the rule set"):
        journal.entries()
