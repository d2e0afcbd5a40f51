"""A backup on another machine brings back who is whom, the guests and the house's rule sets, and tells the rest."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from table.appliance.appliance import run_appliance
from table.appliance.files.data_folder import JOURNAL
from table.cli.main import main
from table.game.journal.journal import Journal
from table.game.journal.recovery.backup_texts import texts_in
from table.game.journal.recovery.journal_backup import back_up, backups
from table.game.journal.recovery.journal_files import verify_journal
from table.records.season.people import FILE, People, read_people, write_people
from table.rulebook.ruleset_reader import read_rules
from table.rulebook.ruleset_registry import default_folder, known_rules, store
from tests.fakes.disks import unlistable
from tests.table.appliance.configured import make_config
from tests.table.game.journal.journals import DAY, write_journal

PEOPLE = People(persons={"Joerg": "Jörg"}, guests=frozenset(("陳怡君",)))
HOUSE = "Klub 西入り"
RULES = read_rules(f'format = 1\nname = "{HOUSE}"\nbase = "home"\n', "rules")


def at_home(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another machine: its own data, and its own rule sets."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / name / "config"))
    (folder / name / "data").mkdir(parents=True, exist_ok=True)
    return folder / name / "data"


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of a club's table, with people and rules."""
    data = at_home("old", tmp_path, monkeypatch)
    write_journal(data / JOURNAL, 3)
    write_people(data / FILE, PEOPLE)
    store(RULES, default_folder())
    return data


def backed_up(data: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["backup", "--data", str(data)]) == 0
    return Path(capsys.readouterr().out.strip())


def test_a_restore_on_another_machine_brings_back_people_and_rules(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = backed_up(club, capsys)
    mode = (default_folder() / f"{HOUSE}.toml").stat().st_mode
    data = at_home("new", tmp_path, monkeypatch)
    assert main(["restore", str(copy), "--data", str(data)]) == 0
    output = capsys.readouterr().err
    assert (default_folder() / f"{HOUSE}.toml").stat().st_mode == mode
    assert read_people(data / FILE) == PEOPLE
    assert (data / FILE).stat().st_mode & 0o077 == 0
    assert known_rules(HOUSE) == RULES
    assert f"brought back: {data / FILE}" in output
    assert f"brought back: {default_folder() / HOUSE}.toml" in output
    assert "not in a backup: the PIN" in output


def test_a_backup_tells_what_it_holds_and_what_not(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", "--data", str(club)]) == 0
    output = capsys.readouterr().err
    assert "in the backup: the games, who is whom in the season, guests, and the house's own rule sets" in output
    assert "not in a backup: the PIN" in output


def test_people_and_rules_that_are_there_are_kept_and_said(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = backed_up(club, capsys)
    data = at_home("new", tmp_path, monkeypatch)
    later = PEOPLE.with_guest("Ann")
    write_people(data / FILE, later)
    store(RULES, default_folder())
    assert main(["restore", str(copy), "--data", str(data)]) == 0
    output = capsys.readouterr().err
    assert read_people(data / FILE) == later
    assert f"kept: {data / FILE}, which differs from the backup's" in output
    assert f"as in the backup: {default_folder() / HOUSE}.toml" in output


def test_a_file_with_a_mistake_is_told_and_the_journal_copied(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (club / FILE).write_text("{")
    assert main(["backup", "--data", str(club)]) == 0
    found = capsys.readouterr()
    assert f"{club / FILE} is not in the backup: " in found.err
    assert set(texts_in(Path(found.out.strip())) or ()) == {f"rules/{HOUSE}.toml"}


def test_rule_sets_that_a_failing_card_does_not_list_are_told_and_the_rest_backed_up(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with unlistable(default_folder()):
        assert main(["backup", "--data", str(club)]) == 0
    found = capsys.readouterr()
    assert f"the rule sets in {default_folder()} are not in the backup: Input/output error" in found.err
    assert set(texts_in(Path(found.out.strip())) or ()) == {FILE}


@pytest.mark.parametrize("name", ["x" * 120, "spring\\autumn"])
def test_a_rule_set_whose_file_has_an_unusable_name_is_told_and_the_rest_backed_up(
    name: str, club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = default_folder() / f"{name}.toml"
    (default_folder() / f"{HOUSE}.toml").rename(file)
    assert main(["backup", "--data", str(club)]) == 0
    found = capsys.readouterr()
    assert f"{file} is not in the backup: expected people.json or rules of a house, got 'rules/" in found.err
    assert set(texts_in(Path(found.out.strip())) or ()) == {FILE}


def test_a_backup_of_the_journal_alone_is_restored_and_said(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = back_up(club / JOURNAL, tmp_path, day=DAY, keep=None)
    data = at_home("new", tmp_path, monkeypatch)
    assert main(["restore", str(copy), "--data", str(data)]) == 0
    assert "the backup is of an earlier version: who is whom, guests and rule sets are not in it" in (
        capsys.readouterr().err
    )
    assert not (data / FILE).exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("../people.json", '{"format": 1, "persons": {}, "guests": []}'),
        ("secrets.json", "{}"),
        ("rules/../../x.toml", "format = 1\nname = 'x'\n"),
        ("rules/home.toml", "format = 1\nname = 'home'\n"),
        ("rules/x.toml", "format = 1\nname = 'x'\nwhat = 1\n"),
        ("rules/x\n.toml", "format = 1\nname = 'x'\n"),
        ("people.json", "[" * 5000),
        ("people.json", " " * 1_000_001),
    ],
)
def test_what_does_not_belong_in_a_backup_is_written_nowhere(
    name: str, text: str, club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = back_up(club / JOURNAL, tmp_path, day=DAY, keep=None, texts={name: text})
    data = at_home("new", tmp_path, monkeypatch)
    before = set(tmp_path.rglob("*"))
    assert main(["restore", str(copy), "--data", str(data)]) == 0
    assert {path.name for path in set(tmp_path.rglob("*")) - before} == {JOURNAL, f"{JOURNAL}.lock"}


def test_a_link_in_place_of_people_is_not_written_through(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = backed_up(club, capsys)
    data = at_home("new", tmp_path, monkeypatch)
    (data / FILE).symlink_to(tmp_path / "elsewhere")
    assert main(["restore", str(copy), "--data", str(data)]) == 0
    assert not (tmp_path / "elsewhere").exists()
    assert read_people(data / FILE) == PEOPLE


def test_a_restored_journal_holds_only_the_journal(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = backed_up(club, capsys)
    data = at_home("new", tmp_path, monkeypatch)
    assert main(["restore", str(copy), "--data", str(data)]) == 0
    assert verify_journal(data / JOURNAL) == 3
    with closing(sqlite3.connect(data / JOURNAL)) as database:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    with closing(sqlite3.connect(club / JOURNAL)) as database:
        assert tables == {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    with Journal(copy) as journal:
        assert journal.last == 3


def test_the_daily_backup_and_the_pages_restore_hold_the_clubs_files(club: Path) -> None:
    with run_appliance(make_config(club)) as appliance:
        appliance.upkeep.back_up()
        (club / FILE).unlink()
        newest = backups(club / "backups", "table")[0].name
        assert appliance.upkeep.restore(newest)
    assert appliance.upkeep.restore_chosen()
    assert read_people(club / FILE) == PEOPLE
