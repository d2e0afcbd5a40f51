"""Entries that this program cannot read, in a journal whose chain holds: the page comes up, and says what is wrong."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from table.appliance.appliance import run_appliance
from table.appliance.files.data_folder import JOURNAL
from table.cli.main import main
from table.game.commands.game_commands import OpenGame
from table.game.journal.history.game_history import latest_games
from table.game.journal.journal import Journal
from table.game.journal.journal_reader import JournalReader
from table.game.journal.storage.entry_chain import START, entry_hash, last_link
from tests.table.appliance.configured import make_config
from tests.table.appliance.phone import Phone
from tests.table.game.by_hand import draw, table_at, tell, win

ENVELOPE: Final = '{"is": "Envelope", "wall": "2026-11-20T20:00:00.000+00:00", "source": "press"}'
NONSENSE: Final = {
    "an unknown kind": '{"is": "DiceThrown", "eyes": 7}',
    "no JSON": "{{{",
    "no object": "42",
    "fields of another kind": '{"is": "ResultTold", "result": "seven"}',
    "a settlement of a hand that never was": '{"is": "SettlementRecorded", "hand": 99, "settlement": {"kind": "ron"}}',
    "a correction of nothing": '{"is": "Corrected", "entry": 1, "event": {"is": "TilePassed"}, "why": ""}',
    "seats that are none": '{"is": "Reseated", "order": [0, 0, 0, 0], "moves_results": true, "why": ""}',
    "an opening without rules": '{"is": "GameOpened"}',
    "deep": "[" * 100_000,
}
VIEWS: Final = (
    "/",
    "/wall",
    "/game",
    "/fouls",
    "/rules",
    "/join",
    "/health",
    "/api/table",
    "/api/fouls",
    "/api/health",
)


def add(path: Path, body: str) -> None:
    """Writes a line as a program would that knows it."""
    with closing(sqlite3.connect(path)) as database, database:
        last, head = last_link(database)
        row = (last + 1, ENVELOPE, body, entry_hash(head, last + 1, ENVELOPE.encode(), body.encode()))
        database.execute("INSERT INTO entry VALUES (?, ?, ?, ?)", row)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of two games, a hand in each."""
    path = tmp_path / JOURNAL
    with Journal(path) as journal:
        table = table_at(journal)
        tell(table, win(1, 0, 1))
        table.handle(OpenGame(by="owner"))
        tell(table, draw(0))
    return path


def games(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as database:
        found = database.execute("SELECT number FROM entry WHERE body LIKE '%GameOpened%' ORDER BY number")
        return [number for (number,) in found]


@pytest.mark.parametrize("body", NONSENSE.values(), ids=NONSENSE)
def test_the_page_comes_up_whatever_stands_in_the_last_game(path: Path, body: str) -> None:
    add(path, body)
    with run_appliance(make_config(path.parent)) as appliance:
        phone = Phone(appliance)
        phone.join(0)
        numbers = games(path)
        more = [
            f"/game/{number}{page}" for number in numbers for page in ("", "/sheet.csv", "/tenhou6.json", "/hand/0")
        ]
        answers = {view: phone.status(view) for view in (*VIEWS, *more)}
        assert all(status < 500 for status in answers.values()), answers
        assert all(answers[view] == 200 for view in (*VIEWS, f"/game/{numbers[0]}")), answers
        assert phone.post("/api/press", {"press": "riichi", "seat": 0})[0] == 202
    with run_appliance(make_config(path.parent)) as appliance:
        assert Phone(appliance).status("/game") == 200


def test_the_desk_hears_of_the_games_that_can_be_computed(path: Path) -> None:
    add(path, NONSENSE["seats that are none"])
    with Journal(path) as journal:
        assert [game.number for game in latest_games(JournalReader(journal), 12)] == games(path)[:1]


def test_a_last_game_that_cannot_be_read_is_told_kept_and_followed_by_another(path: Path) -> None:
    add(path, NONSENSE["an unknown kind"])
    with run_appliance(make_config(path.parent)) as appliance:
        (notice,) = Phone(appliance).get("/api/table")["notices"]
        assert notice["kind"] == "unfollowed"
        assert "It is kept, and a new game has begun" in notice["text"]
        health = json.loads(json.dumps(Phone(appliance).get("/api/health")))
        assert health["troubles"] == ["journal"]
        assert "DiceThrown" in "".join(health["journal"]["notes"])


def spoil(path: Path, body: str) -> None:
    """Replaces the first hand's result in the earlier game, as a program would that knows the new line."""
    with closing(sqlite3.connect(path)) as database, database:
        head = START
        for number, envelope, old_body in database.execute("SELECT number, envelope, body FROM entry").fetchall():
            text = body if number == 2 else old_body
            head = entry_hash(head, number, envelope.encode(), text.encode())
            database.execute("UPDATE entry SET body = ?, hash = ? WHERE number = ?", (text, head, number))
    path.with_name(f"{path.name}.mark").unlink()


def test_an_earlier_game_that_cannot_be_read_leaves_the_last_one_as_it_is(path: Path) -> None:
    spoil(path, NONSENSE["an unknown kind"])
    with run_appliance(make_config(path.parent)) as appliance:
        phone = Phone(appliance)
        assert phone.get("/api/table")["notices"] == []
        assert phone.scores == [28000, 24000, 24000, 24000]
        assert [phone.status(f"/game{page}") for page in ("", "/1", f"/{games(path)[1]}")] == [200, 404, 200]


@pytest.mark.parametrize("kind", sorted(NONSENSE.keys() - {"a correction of nothing", "seats that are none"}))
def test_undoing_a_new_game_says_that_the_one_before_cannot_be_read(
    path: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    spoil(path, NONSENSE[kind])
    with run_appliance(make_config(path.parent)) as appliance:
        phone = Phone(appliance)
        phone.join(0)
        for expected in (202, 409):
            view = phone.get("/api/table")
            status, answer = phone.post("/api/undo", {"act": view["keeping"]["undo"]["act"]})
            assert status == expected, answer
        assert answer["said"] == "The game before cannot be read, so this one goes on."
        assert phone.get("/api/table")["keeping"] == view["keeping"]
        assert phone.post("/api/press", {"press": "riichi", "seat": 0})[0] == 202
    assert "the game before cannot be read: " in caplog.text


def test_a_fault_of_this_program_in_the_game_before_is_logged_with_its_place(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def following(*_: object) -> None:
        raise KeyError("a fault of ours")

    with run_appliance(make_config(path.parent)) as appliance:
        phone = Phone(appliance)
        phone.join(0)
        view = phone.get("/api/table")
        assert phone.post("/api/undo", {"act": view["keeping"]["undo"]["act"]})[0] == 202
        view = phone.get("/api/table")
        monkeypatch.setattr("table.game.current_game.foreseen_entry.game_after", following)
        assert phone.post("/api/undo", {"act": view["keeping"]["undo"]["act"]})[0] == 409
    assert "in following" in caplog.text


@pytest.mark.parametrize("what", ["an unknown kind", "seats that are none"])
def test_the_commands_name_a_game_that_cannot_be_followed_and_go_on_with_the_others(
    path: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    add(path, NONSENSE[what])
    fault = f"{path}, game {games(path)[-1]}: "
    assert main(["export", str(path)]) == 1
    said = capsys.readouterr().err
    assert fault in said
    assert ("what it holds contradicts itself (ValueError: " in said) == (what == "seats that are none")
    with Journal(path) as journal:
        tell(table_at(journal), draw(0))
    first, bad, last = games(path)
    assert main(["export", "--list", str(path)]) == 1
    listing = capsys.readouterr()
    assert [line.split()[0] for line in listing.out.splitlines()] == [str(first), str(last)]
    assert fault in listing.err
    for command in (["season", str(path.parent)], ["export", "--game", str(bad), str(path)]):
        assert main(command) == 1
        assert fault in capsys.readouterr().err
    main(["audit", "--json", str(path)])
    hands = capsys.readouterr().out
    assert f"{path}#{first}" in hands
    assert f"{path}#{last}" in hands


@pytest.mark.parametrize("envelope", ["{", ENVELOPE[1:], 7, b"\xff"])
def test_a_game_whose_openings_envelope_is_garbage_is_listed_as_one_that_cannot_be_read(
    path: Path, envelope: object, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = games(path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE entry SET envelope = ? WHERE number = ?", (envelope, second))
    with Journal(path) as journal:
        assert [game.number for game in JournalReader(journal).games()] == [first, second]
    assert main(["audit", "--json", str(path)]) == 1
    printed = capsys.readouterr()
    assert {json.loads(line)["log"] for line in printed.out.splitlines()} == {f"{path}#{first}"}
    assert f"game {second}: " in printed.err
