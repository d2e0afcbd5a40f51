"""A disk that is full or takes no writes: every confirmed hand is shown, and what cannot be written down is refused."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from table.appliance.appliance import run_appliance
from table.appliance.files.data_folder import JOURNAL
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_backup import back_up
from table.game.journal.recovery.journal_files import verify_journal
from table.rulebook.ruleset_registry import default_folder
from tests.fakes.disks import fill, make_room, plug_in, small_card, small_disk, take_no_writes, unlistable, unplug
from tests.table.appliance.configured import make_config
from tests.table.appliance.phone import Phone
from tests.table.game.by_hand import draw, table_at, tell, win

SCORES: Final = [24000, 27500, 23500, 25000]
"""After the two hands below."""
BREAKS: Final[dict[str, Callable[[Path], None]]] = {"full": fill, "read-only": take_no_writes}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk with a journal as a power cut leaves it: the last hands stand in its write-ahead log alone."""
    with Journal(tmp_path / "table.journal") as journal:
        table = table_at(journal)
        tell(table, win(1, 0, 1))
        back_up(tmp_path / "table.journal", tmp_path / "backups", day="2026-11-20", keep=2)
        tell(table, win(1, 2, 1))
        assert list(table.state.scores) == SCORES
        with small_disk(tmp_path / "disk") as disk:
            for name in ("table.journal", "table.journal-wal"):
                shutil.copy(tmp_path / name, disk / name)
            shutil.copytree(tmp_path / "backups", disk / "backups")
            yield disk


def riichi(seat: int) -> dict[str, Any]:
    return {"press": "riichi", "seat": seat}


@pytest.mark.parametrize("how", BREAKS)
def test_a_table_that_starts_on_a_bad_disk_shows_every_confirmed_hand(disk: Path, how: str) -> None:
    BREAKS[how](disk)
    with run_appliance(make_config(disk)) as appliance:
        phone = Phone(appliance)
        assert phone.scores == SCORES
        health = phone.get("/api/health")
        assert "journal" in health["troubles"]


@pytest.mark.parametrize("how", BREAKS)
def test_acts_that_cannot_be_written_are_refused_in_words_of_the_game(disk: Path, how: str) -> None:
    BREAKS[how](disk)
    with run_appliance(make_config(disk)) as appliance:
        phone = Phone(appliance)
        phone.join(0)
        before = phone.get("/api/table")
        answers = set()
        for language in ("en", "ja", "ko", "zh-CN", "zh-TW"):
            status, answer = phone.post("/api/press", riichi(0), language)
            assert (status, "cannot write" in answer["error"]) == (409, True), answer
            answers.add(answer["said"])
        assert len(answers) == 5
        assert phone.scores == SCORES
        assert phone.get("/api/table")["notices"] == before["notices"]
        assert "Nothing can be saved" in before["notices"][0]["text"]


@pytest.mark.parametrize("how", BREAKS)
def test_a_disk_that_is_mended_takes_acts_again_without_a_new_start(disk: Path, how: str) -> None:
    BREAKS[how](disk)
    with run_appliance(make_config(disk)) as appliance:
        phone = Phone(appliance)
        phone.join(0)
        assert phone.post("/api/press", riichi(0))[0] == 409
        if how == "full":
            make_room(disk)
        else:
            take_no_writes(disk, again=True)
        assert phone.post("/api/press", riichi(0))[0] == 202
        assert phone.get("/api/table")["notices"] == []
        assert "journal" not in phone.get("/api/health")["troubles"]
        assert appliance.journal.path == disk / JOURNAL
        entries = appliance.journal.last
    with Journal(disk / JOURNAL) as journal:
        assert journal.last == entries


def test_a_disk_that_fills_up_refuses_the_act_and_takes_it_once_there_is_room(disk: Path) -> None:
    with run_appliance(make_config(disk)) as appliance:
        phone = Phone(appliance)
        phone.join(0)
        hand = {
            "hand": 2,
            "game": phone.get("/api/table")["keeping"]["game"],
            "result": {"kind": "draw", "tenpai": [0]},
        }
        last = appliance.journal.last
        fill(disk)
        for _ in range(2):
            status, answer = phone.post("/api/tell", hand)
            assert (status, answer["said"].startswith("Not saved")) == (409, True), answer
            assert (phone.scores, appliance.journal.last, appliance.journal.waiting_count) == (SCORES, last, 0)
        make_room(disk)
        assert phone.post("/api/tell", hand)[0] == 202
        assert phone.scores == [27000, 26500, 22500, 24000]


def test_a_card_that_fails_in_the_middle_of_a_hand_refuses_acts_and_keeps_every_confirmed_one(tmp_path: Path) -> None:
    with small_card(tmp_path / "card") as card:
        with run_appliance(make_config(card.folder)) as appliance:
            phone = Phone(appliance)
            phone.join(0)
            keeping = phone.get("/api/table")["keeping"]
            hand = {"hand": keeping["hand"], "game": keeping["game"], "result": {"kind": "draw", "tenpai": [0]}}
            assert phone.post("/api/tell", hand)[0] == 202
            assert phone.post("/api/press", riichi(0))[0] == 202
            scores, entries = phone.scores, appliance.journal.last
            card.fail()
            for _ in range(2):
                status, answer = phone.post("/api/press", riichi(1))
                assert (status, answer["said"].startswith("Not saved")) == (409, True), answer
            assert (phone.scores, appliance.journal.last) == (scores, entries)
            assert [phone.status(path) for path in ("/", "/game", "/games", "/health")] == [200] * 4
            assert "journal" in phone.get("/api/health")["troubles"]
            assert "Nothing can be saved" in phone.get("/api/table")["notices"][0]["text"]
        card.put_back()
        with run_appliance(make_config(card.folder)) as appliance:
            phone = Phone(appliance)
            assert (phone.scores, appliance.journal.last) == (scores, entries)
            phone.join(1)
            assert phone.post("/api/press", riichi(1))[0] == 202
            assert "journal" not in phone.get("/api/health")["troubles"]


def test_a_disk_that_is_unplugged_in_the_middle_of_a_hand_is_written_on_once_it_is_back(
    disk: Path, tmp_path: Path
) -> None:
    with run_appliance(make_config(disk)) as appliance:
        phone = Phone(appliance)
        phone.join(0)
        assert phone.post("/api/press", riichi(0))[0] == 202
        scores, entries = phone.scores, appliance.journal.last
        unplug(disk, tmp_path / "kept")
        status, answer = phone.post("/api/press", riichi(1))
        assert (status, answer["said"].startswith("Not saved")) == (409, True), answer
        assert (phone.scores, appliance.journal.last) == (scores, entries)
        assert [phone.status(path) for path in ("/", "/health", "/game")] == [200, 200, 503]
        assert "journal" in phone.get("/api/health")["troubles"]
        plug_in(disk, tmp_path / "kept")
        phone.join(1)
        assert phone.post("/api/press", riichi(1))[0] == 202
        assert "journal" not in phone.get("/api/health")["troubles"]
        entries = appliance.journal.last
    verify_journal(disk / JOURNAL)
    with Journal(disk / JOURNAL) as journal:
        assert journal.last == entries


def test_a_card_that_stalls_keeps_the_page_and_takes_what_was_done_meanwhile(tmp_path: Path) -> None:
    with small_card(tmp_path / "card") as card, run_appliance(make_config(card.folder)) as appliance:
        phone = Phone(appliance)
        phone.join(0)
        answers: list[int] = []
        act = threading.Thread(target=lambda: answers.append(phone.post("/api/press", riichi(0))[0]))
        with card.stalled():
            act.start()
            other = Phone(appliance)
            assert [other.status(path) for path in ("/", "/health")] == [200] * 2
            assert answers == [], "it waits for the card"
        act.join()
        assert answers == [202]
        assert appliance.journal.trouble == ""


def test_a_full_disk_and_a_corrupt_journal_show_the_backup(disk: Path) -> None:
    (disk / JOURNAL).write_bytes(b"\xa5" * 20_000)
    (disk / f"{JOURNAL}-wal").unlink()
    fill(disk)
    with run_appliance(make_config(disk)) as appliance:
        phone = Phone(appliance)
        assert phone.scores == [24000, 26000, 25000, 25000]
        texts = [notice["text"] for notice in phone.get("/api/table")["notices"]]
        assert any("2026-11-20" in text for text in texts), texts


def test_a_card_whose_folders_cannot_be_listed_keeps_the_game_and_says_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folders = (tmp_path / "data", tmp_path / "data" / "backups", default_folder())
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
    with Journal(tmp_path / "data" / JOURNAL) as journal:
        tell(table_at(journal), win(1, 0, 1))
    with unlistable(*folders), run_appliance(make_config(tmp_path / "data")) as appliance:
        phone = Phone(appliance)
        phone.join(0)
        assert phone.scores == [24000, 26000, 25000, 25000]
        assert phone.post("/api/press", riichi(0))[0] == 202
        assert [phone.status(path) for path in ("/", "/health", "/game", "/rules")] == [200] * 4
        appliance.upkeep.back_up()
        assert any("the earlier ones cannot be listed" in note for note in appliance.upkeep.notes)
        assert any("got: Input/output error, at" in problem for problem in appliance.health().problems)


def test_a_folder_that_cannot_be_made_costs_what_is_kept_and_not_the_page(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with run_appliance(make_config(tmp_path / "file" / "data")) as appliance:
        phone = Phone(appliance)
        phone.join(0)
        assert phone.post("/api/press", riichi(0))[0] == 409
        assert phone.get("/api/health")["troubles"] == ["journal"]
        assert "Nothing can be saved" in phone.get("/api/table")["notices"][0]["text"]
        assert [phone.status(path) for path in ("/", "/health")] == [200, 200]


def test_a_table_on_a_healthy_disk_has_no_notice(disk: Path) -> None:
    with run_appliance(make_config(disk)) as appliance:
        assert Phone(appliance).get("/api/table")["notices"] == []
    assert draw() is not None
