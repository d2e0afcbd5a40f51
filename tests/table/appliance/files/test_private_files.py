"""Secrets and settings are for the table's own user alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.appliance.files.data_folder import JOURNAL, SECRETS
from table.appliance.files.private_files import closed_files
from table.appliance.setup.owner_choices import ChoicesFile
from table.config import Config, load
from table.dashboard.web.access.vault import Vault
from table.game.journal.storage.journal_lock import lock_journal
from table.runtime.table_errors import JournalError
from tests.table.game.journal.journals import write_journal
from vision.geometry.calibration_file import StoredCalibration, save


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_what_the_table_writes_is_for_itself_alone(tmp_path: Path) -> None:
    Vault(tmp_path / "secrets.json")
    ChoicesFile(tmp_path / "choices.json", Config()).step("pin", "done")
    corners = ((0.0, 0.0), (400.0, 0.0), (400.0, 400.0), (0.0, 400.0))
    save(StoredCalibration(corners_px=corners, size=(400, 400), side_mm=720.0, when="", by="hand"), tmp_path / "c.json")
    assert {path.name: mode(path) for path in tmp_path.iterdir()} == {
        "secrets.json": 0o600,
        "choices.json": 0o600,
        "c.json": 0o600,
    }
    assert list(closed_files(tmp_path, secrets=SECRETS)) == []


def test_secrets_that_others_could_read_are_closed_and_that_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("secrets.json", "choices.json"):
        (tmp_path / name).write_text("{}")
        (tmp_path / name).chmod(0o644)
    (tmp_path / "calibration.json").touch(0o600)  # closed already, and the first of them
    (problem,) = closed_files(tmp_path, secrets=SECRETS)
    assert problem.startswith(f"expected {tmp_path / 'secrets.json'} with mode 0600, got 0644: it is closed now")
    assert "choose another PIN" in problem
    assert "choices.json with mode 0600, got 0644" in caplog.text
    assert {mode(path) for path in tmp_path.iterdir()} == {0o600}


def test_the_files_that_links_lead_to_keep_their_rights(tmp_path: Path) -> None:
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    for folder in (data, elsewhere, data / "folder.json"):
        folder.mkdir()
    for name, bits in (("open", 0o644), ("closed", 0o600)):
        (elsewhere / name).touch()
        (elsewhere / name).chmod(bits)
        (data / f"{name}.json").symlink_to(elsewhere / name)
    before = mode(data / "folder.json")
    (problem,) = closed_files(data, secrets=SECRETS)
    assert problem.endswith(f"{data / 'open.json'} open to others: it is a link to a file elsewhere")
    assert [mode(elsewhere / name) for name in ("open", "closed")] == [0o644, 0o600]
    assert mode(data / "folder.json") == before


def test_lock_and_mark_of_a_journal_are_not_written_where_links_lead(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("mine")
    (tmp_path / f"{JOURNAL}.mark").symlink_to(tmp_path / "other")
    (tmp_path / f"{JOURNAL}.lock").symlink_to(tmp_path / "missing")
    with lock_journal(tmp_path / JOURNAL):
        write_journal(tmp_path / JOURNAL, 2)
    assert (tmp_path / "other").read_text() == "mine"
    assert not (tmp_path / "missing").exists()


def test_a_journal_whose_lock_is_a_link_is_locked(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").touch()
    (tmp_path / f"{JOURNAL}.lock").symlink_to(tmp_path / "elsewhere")
    with lock_journal(tmp_path / JOURNAL), pytest.raises(JournalError), lock_journal(tmp_path / JOURNAL):
        pass


@pytest.mark.parametrize(("bits", "count"), [(0o600, 0), (0o400, 0), (0o640, 1), (0o644, 1)])
def test_a_configuration_with_a_password_that_others_read_is_said_and_used(
    tmp_path: Path, bits: int, count: int
) -> None:
    file = tmp_path / "tachiai.toml"
    file.write_text('[mqtt]\nhost = "broker"\nuser = "a"\npassword = "b"\n')
    file.chmod(bits)
    loaded = load(file)
    assert loaded.problems == ()
    assert loaded.config.mqtt.host == "broker"
    assert len(loaded.warnings) == count
    assert all(
        f"expected mode 0600 for a file with a password, got {bits:04o}" in warning for warning in loaded.warnings
    )
    file.write_text('[table]\nname = "x"\n')
    assert load(file).warnings == ()
