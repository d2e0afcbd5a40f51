"""A pipe, a device or a folder in place of a file in a data folder keeps nobody waiting, and is told in a sentence."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn
from urllib.request import urlopen

import pytest

from table.appliance.appliance import run_appliance
from table.appliance.files.data_folder import JOURNAL, SECRETS
from table.appliance.setup.owner_choices import FILE as CHOICES
from table.appliance.setup.setup_wizard import REHEARSAL_FILE
from table.camera.table_place.table_calibration import CALIBRATION
from table.cli.upkeep_commands.parts_check import journal_state
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_backup import back_up
from table.game.journal.recovery.journal_opening import open_journal
from table.mqtt.broker_files import BrokerPlan, write_broker_files
from table.mqtt.desk.desk_journal import DeskJournal
from table.mqtt.desk.desk_recovery import copy_of
from table.records.season.people import FILE as PEOPLE
from table.records.season.season_memory import FILE as COUNTED
from table.rulebook.ruleset_registry import known_rules
from table.rules.events import TilePassed
from table.runtime.table_errors import ConfigError
from tests.fakes.waiting import PATIENCE_S
from tests.table.appliance.configured import make_config
from tests.table.game.by_hand import draw, table_at, tell
from tests.table.game.journal.journals import ENVELOPE, write_journal
from vision.atomic_files import read_whole
from vision.errors import RecordingError, TileSetError
from vision.recording.recording import Recording
from vision.recording.recording_files import SETTINGS
from vision.tilesets.corrections import load_taught

PAGES = ("/", "/game", "/season", "/api/health", "/api/table")
ODD: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "folder": os.mkdir,
    "device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.fixture(autouse=True)
def no_patience() -> Iterator[None]:
    """Whatever waits for a pipe is interrupted."""

    def interrupted(*_: object) -> NoReturn:
        raise TimeoutError("it waits for ever")

    before = signal.signal(signal.SIGALRM, interrupted)
    signal.alarm(round(PATIENCE_S))
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def check_pages(folder: Path) -> None:
    with run_appliance(make_config(folder)) as appliance:
        for page in PAGES:
            with urlopen(f"http://127.0.0.1:{appliance.port}{page}", timeout=PATIENCE_S) as answer:
                assert answer.status == 200


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize(
    "name",
    [
        CHOICES,
        SECRETS,
        PEOPLE,
        REHEARSAL_FILE,
        CALIBRATION,
        COUNTED,
        "corrections.json",
        "table.games",
        "table.journal.mark",
    ],
)
def test_a_table_starts_beside_what_is_no_file(tmp_path: Path, name: str, kind: str) -> None:
    with Journal(tmp_path / JOURNAL) as journal:
        tell(table_at(journal), draw(0))
    (tmp_path / name).unlink(missing_ok=True)
    ODD[kind](tmp_path / name)
    check_pages(tmp_path)


@pytest.mark.parametrize("has_backup", [True, False])
@pytest.mark.parametrize("name", [JOURNAL, f"{JOURNAL}.lock", f"{JOURNAL}-wal"])
def test_a_table_starts_although_its_journal_is_a_pipe(
    tmp_path: Path, name: str, has_backup: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with Journal(tmp_path / JOURNAL) as journal:
        tell(table_at(journal), draw(0))
    if has_backup:
        back_up(tmp_path / JOURNAL, tmp_path / "backups", day="2026-11-20", keep=2)
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    with caplog.at_level(logging.WARNING):
        check_pages(tmp_path)
    assert caplog.messages or name != JOURNAL


@pytest.mark.parametrize("has_backup", [True, False])
def test_a_folder_in_a_journals_place_is_kept_under_another_name_and_a_journal_written(
    tmp_path: Path, has_backup: bool
) -> None:
    path, folder = write_journal(tmp_path / JOURNAL, 3), tmp_path / "backups"
    if has_backup:
        back_up(path, folder, day="2026-11-20", keep=2)
    path.unlink()
    path.mkdir()
    with open_journal(path, folder, stamp="now").journal as journal:
        journal.append(ENVELOPE, TilePassed())
        assert (journal.last, journal.waiting_count, journal.trouble) == (4 if has_backup else 1, 0, "")
    assert (tmp_path / f"{JOURNAL}.bad-now").is_dir()


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("name", [JOURNAL, f"{JOURNAL}-wal"])
def test_a_check_neither_waits_for_a_journal_that_is_no_file_nor_copies_it(
    tmp_path: Path, name: str, kind: str
) -> None:
    with Journal(tmp_path / JOURNAL) as journal:
        tell(table_at(journal), draw(0))
    (tmp_path / name).unlink(missing_ok=True)
    ODD[kind](tmp_path / name)
    entries, trouble = journal_state(tmp_path / JOURNAL, lambda _: True)
    assert entries is None
    assert trouble.startswith(f"expected a readable journal, got {tmp_path / JOURNAL}: ")


@pytest.mark.parametrize("kind", ODD)
def test_reading_what_is_no_file_is_refused_by_its_kind(tmp_path: Path, kind: str) -> None:
    ODD[kind](tmp_path / "odd")
    with pytest.raises(OSError, match=r"in place of a file|Is a directory") as refused:
        read_whole(tmp_path / "odd")
    assert refused.value.filename == str(tmp_path / "odd")


@pytest.mark.parametrize("kind", ODD)
def test_a_rule_set_a_recording_and_a_tile_set_that_are_no_files_are_refused_in_a_sentence(
    tmp_path: Path, kind: str
) -> None:
    ODD[kind](tmp_path / "odd.toml")
    with pytest.raises(ConfigError, match=r"odd\.toml: expected a rule set, got: (a pipe or|Is a dir)"):
        known_rules("odd", tmp_path)
    ODD[kind](tmp_path / SETTINGS)
    with pytest.raises(RecordingError, match=r"expected a readable text file, got (a pipe or|Is a dir)"):
        Recording.open(tmp_path)
    ODD[kind](tmp_path / "odd.tileset")
    with pytest.raises(TileSetError, match=r"expected a readable tile set, got (a pipe in|more than|Is a dir)"):
        load_taught(tmp_path / "odd.tileset")


@pytest.mark.parametrize("kind", ODD)
def test_a_desks_journal_that_is_no_file_is_refused_in_a_sentence_and_its_copy_is_written_anew(
    tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "desk.jsonl"
    ODD[kind](path)
    with pytest.raises(ConfigError, match=rf"got {path}: (a pipe or|Is a dir)"), DeskJournal(path):
        pass
    path = tmp_path / "another.jsonl"
    ODD[kind](copy_of(path))
    with DeskJournal(path):
        assert copy_of(path).is_file() == (kind != "folder")


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("name", ["passwords", "logins/hall.password", "logins/Table 1.toml"])
def test_a_brokers_file_that_is_no_file_is_refused_in_a_sentence(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / "logins").mkdir()
    ODD[kind](tmp_path / name)
    with pytest.raises(ConfigError, match=rf"{name}, got: (a pipe or|Is a dir)"):
        write_broker_files(tmp_path, BrokerPlan(tables=("Table 1",)))
