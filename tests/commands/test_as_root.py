"""Commands run by root in the folder of the table's own user, as with `sudo` on a Pi: the table goes on from there."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from table.cli.main import main
from table.game.journal.journal import Journal
from table.rules.events import TilePassed
from tests.commands.commanded import command
from tests.fakes.processes import killed_at_last
from tests.fakes.waiting import PATIENCE_S
from tests.places import RIICHI_TSUMO, ROOT
from tests.table.game.journal.journals import ENVELOPE

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="NOT TRIED: only root makes files for others")
Tachiai = Callable[..., str]
OWNER = (4242, 4243)
"""The table's user and group."""


def give_to_table(folder: Path) -> None:
    """Makes everything in a folder the table's."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, *OWNER)


def foreign_owners(folder: Path) -> dict[str, tuple[int, int]]:
    """What in a folder does not belong to the table."""
    found = {str(path.relative_to(folder)): path.lstat() for path in folder.rglob("*")}
    owners = {name: (stat.st_uid, stat.st_gid) for name, stat in found.items()}
    return {name: owner for name, owner in owners.items() if owner != OWNER}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The data folder of a table that was played at."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o750)
    with Journal(folder / "table.journal") as journal:
        journal.append(ENVELOPE, TilePassed())
    give_to_table(folder)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def tachiai(capsys: pytest.CaptureFixture[str]) -> Tachiai:
    """Runs a command that must succeed; returns what it printed."""

    def run(*words: str | Path) -> str:
        code, (out, err) = main([str(word) for word in words]), capsys.readouterr()
        assert code == 0, err
        return out.strip()

    return run


def test_a_backup_and_the_journal_restored_from_it_belong_to_the_table(
    folder: Path, tmp_path: Path, tachiai: Tachiai
) -> None:
    backup_path = tachiai("backup", "--data", folder)
    assert foreign_owners(folder) == {}
    other_copy = shutil.copy(backup_path, tmp_path / "elsewhere.backup")
    for backup in (backup_path, other_copy):
        tachiai("restore", backup, "--data", folder)
        assert foreign_owners(folder) == {}
    assert Path(other_copy).stat().st_uid == 0, "the file that was given stays whose it is"


def test_a_place_of_the_table_found_by_root_belongs_to_the_table_and_is_private(folder: Path, tachiai: Tachiai) -> None:
    tachiai("calibrate", "--camera", RIICHI_TSUMO, "--data", folder)
    assert foreign_owners(folder) == {}
    assert (folder / "calibration.json").stat().st_mode & 0o777 == 0o600


def test_all_that_a_table_kept_by_root_writes_belongs_to_the_table(folder: Path) -> None:
    words = command("run", "--port", "0", "--data", folder)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    table = subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True)
    with killed_at_last(table) as process:
        assert process.stderr is not None
        assert "the table is kept at" in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)
    assert {"secrets.json", "table.journal.lock"} <= {path.name for path in folder.iterdir()}
    assert foreign_owners(folder) == {}


def test_a_rule_set_imported_by_root_belongs_to_the_owner_of_their_folder(folder: Path, tachiai: Tachiai) -> None:
    rules = folder / "rules"
    rules.mkdir()
    give_to_table(folder)
    exported = tachiai("rules", "export", "home")
    (folder.parent / "ours.toml").write_text(exported.replace('name = "home"', 'name = "ours"'))
    tachiai("rules", "import", folder.parent / "ours.toml", "--folder", rules)
    assert foreign_owners(folder) == {}


def test_what_root_put_there_before_stays_root_s(folder: Path, tachiai: Tachiai) -> None:
    (folder / "lost+found").mkdir()
    tachiai("backup", "--data", folder)
    assert foreign_owners(folder) == {"lost+found": (0, 0)}


def test_no_link_in_the_table_s_folder_leads_root_to_another_file(
    folder: Path, tmp_path: Path, tachiai: Tachiai
) -> None:
    """The table's user could have put it there, and would own what it leads to, or what it says would be lost."""
    other = tmp_path / "other"
    other.write_text("root's own")
    (folder / "calibration.json.new").symlink_to(other)
    (folder / "linked").symlink_to(other)
    tachiai("calibrate", "--camera", RIICHI_TSUMO, "--data", folder)
    assert (other.read_text(), other.stat().st_uid) == ("root's own", 0)
