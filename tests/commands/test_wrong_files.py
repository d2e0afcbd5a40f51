"""A file that is missing, a folder, or of another kind is named in one sentence, and nothing is made in its place."""

from __future__ import annotations

import io
import json
import os
import re
from pathlib import Path

import pytest

from table.cli.main import main

READERS = (
    "read {}",
    "scan {}",
    "scan --show {}",
    "read photo.jpg --tileset {}",
    "replay {}",
    "export {}",
    "export {} --list",
    "film {} out",
    "season {}",
    "restore {}",
    "seating {} --rounds 3",
    "rules import {}",
    "rules play {}",
    "rules list --ruleset {}.toml",
    "calibrate --config {}",
    "hall host --user me --password-file {}",
)


@pytest.fixture(autouse=True)
def odd_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one of each that is not what a command reads."""
    (tmp_path / "a folder").mkdir()
    (tmp_path / "a folder.toml").mkdir()
    for name in ("binär", "binär.toml"):
        (tmp_path / name).write_bytes(b"\xff\xfe\x00 no text \x80")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["missing one", "a folder", "binär"])
@pytest.mark.parametrize("words", READERS)
def test_a_file_that_cannot_be_read_is_named_once(
    words: str, name: str, odd_files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(odd_files.rglob("*"))
    assert main([name if word == "{}" else word.format(name) for word in words.split()]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    (sentence,) = captured.err.splitlines()
    assert sentence.count(name) == 1, sentence
    assert "expected" in sentence
    assert "Errno" not in sentence
    assert "codec" not in sentence
    assert [
        path for path in sorted(odd_files.rglob("*")) if path not in before and "tachiai-data" not in path.name
    ] == []


def test_a_peer_that_is_no_model_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--peer", "no such file", "--rounds", "1"]) == 1
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence.endswith("got No such file or directory, at no such file")


def test_an_empty_record_is_said_to_be_empty(odd_files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (odd_files / "empty.mjson").touch()
    assert main(["export", "empty.mjson"]) == 1
    assert capsys.readouterr().err.endswith("mjai lines, got an empty file\n")


def test_an_unknown_clause_is_answered_by_the_nearest_and_no_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "show", "7-05-1"]) == 1
    assert len(capsys.readouterr().err) < 300
    assert main(["rules", "show", "homme"]) == 1
    sentence = capsys.readouterr().err
    assert sentence.endswith("got 'homme'; did you mean 'home'?\n")
    assert len(sentence) < 300


def test_a_folder_without_a_disk_is_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--data", "nothing here"]) == 1
    assert "disk         unknown\n" in capsys.readouterr().out
    assert not os.path.exists("nothing here")


SECRET = "3SnrW-SuDQK"  # noqa: S105 - it opens nothing
SECRETIVE = {
    "a password file": f"{SECRET}\n",
    "names with passwords": f"desk:{SECRET}\n",
    "an environment": f"PASSWORD={SECRET}\n",
    "a configuration": f'[mqtt]\npassword = "{SECRET}"\n',
    "an account": json.dumps({"type": "account", "key": SECRET}),
    "an account of a strange type": json.dumps({"type": {"key": SECRET}}),
    "an object by names": json.dumps({SECRET: 1}),
    "an object with a log": json.dumps({"log": [[SECRET]], "key": SECRET}),
    "a list": json.dumps([SECRET]),
    "half an object": json.dumps({"key": SECRET})[:-1],
    "XML": f"<config><password>{SECRET}</password></config>",
    "XML of its own": f"<{SECRET}/>",
}


@pytest.mark.parametrize("words", ["audit {}", "export {}", "export -", "film {} out", "season {}", "restore {}"])
@pytest.mark.parametrize("kind", SECRETIVE)
def test_no_message_about_a_file_that_is_no_game_tells_what_it_holds(
    words: str, kind: str, odd_files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (odd_files / "logins").write_text(SECRETIVE[kind], encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SECRETIVE[kind].encode())))
    assert main(words.format("logins").split()) == 1
    captured = capsys.readouterr()
    assert "expected" in captured.err
    assert SECRET not in captured.out + captured.err


def test_the_broker_logins_of_a_hall_are_not_shown_by_an_audit(
    odd_files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["broker", "hall", "table1"]) == 0
    files = [path for path in (odd_files / "hall").rglob("*") if path.is_file()]
    words = {word.strip('"') for path in files for word in re.split(r"[\s:]+", path.read_text("utf-8"))}
    capsys.readouterr()
    assert main(["audit", "hall", "hall/logins"]) == 1
    err = capsys.readouterr().err
    passwords = [word for word in words if len(word) >= 20 and not word.startswith(("/", "#"))]
    assert passwords
    assert not [word for word in passwords if word[:12] in err]


def test_people_that_cannot_be_read_are_not_shown(odd_files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (odd_files / "people.json").write_text(json.dumps({"format": 1, "persons": [SECRET]}), encoding="utf-8")
    assert main(["season", "."]) == 1
    err = capsys.readouterr().err
    assert "people.json" in err
    assert SECRET not in err


ENDLESS = (
    "read zero",
    "scan zero --out x.tileset",
    "scan --show zero",
    "read photo.jpg --tileset zero",
    "audit zero",
    "seating zero --rounds 4",
    "rules import zero",
    "rules play zero",
    "rules list --ruleset zero.toml",
    "calibrate --config zero",
    "hall host --user me --password-file zero",
)


@pytest.mark.parametrize("words", ENDLESS)
def test_a_device_without_an_end_is_refused_when_it_is_too_long(
    words: str, odd_files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("zero", "zero.toml"):
        (odd_files / name).symlink_to("/dev/zero")
    assert main(words.split()) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1, err
    assert re.search(r"(more than|at most) \d+ bytes", err), err
    assert "zero" in err
