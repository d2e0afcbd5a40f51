"""A file that is nested without end is refused by every command that reads it, like any other that is none of ours."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from table.cli.main import main
from tests.places import RIICHI_TSUMO

DEEP = "[" * 50_000
FILES = {
    "audit game.mjson": '{"type":"start_game","x":' + DEEP,
    "audit game.json": '{"log":' + DEEP,
    "export game.mjson": '{"type":"start_game","x":' + DEEP,
    "export game.json": '{"log":' + DEEP,
    "rules import set.toml": "x = " + DEEP,
    "backup --config table.toml": "x = " + DEEP,
}


def is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> bool:
    """Whether a command ends with one error."""
    code, err = main(words), capsys.readouterr().err
    return code == 1 and err.count("tachiai ") == 1


@pytest.mark.parametrize("call", FILES)
def test_a_file_that_is_nested_without_end_is_refused(
    call: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    *words, name = call.split()
    (tmp_path / name).write_text(FILES[call])
    assert is_refused([*words, str(tmp_path / name)], capsys)


@pytest.mark.parametrize("name", ["recording.toml", "presses.jsonl", "frames.jsonl"])
def test_a_recording_that_is_nested_without_end_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(RIICHI_TSUMO, tmp_path / "recording")
    (tmp_path / "recording" / name).write_text(f"x = {DEEP}\n" if name.endswith("toml") else f'{{"frame": {DEEP}\n')
    assert is_refused(["replay", str(tmp_path / "recording")], capsys)
