from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from table.cli import main
from table.rules.grammar import EXAMPLE, FORMS, INTRODUCTION
from tests.contracts import assert_keeps
from tests.rules.situations import START, TANYAO, ruling


def told(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> list[dict[str, Any]]:
    """The JSON lines that the command prints, each held against the contract."""
    assert main(["rules", "play", "--json", *words]) == code
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for line in lines:
        assert_keeps("rules_play", line)
    return lines


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> Any:
    def say(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))

    return say


def test_play_prints_an_object_an_event_and_where_the_game_stands(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "hand.txt"
    file.write_text(f"# a late ron\n{EXAMPLE}\n", "utf-8")
    *events, end = told(capsys, str(file))
    expected = ruling(EXAMPLE)
    assert events == expected.events
    assert end == expected.end


@pytest.mark.parametrize("words", [(), ("-",)])
def test_without_a_file_the_events_come_from_standard_input(
    capsys: pytest.CaptureFixture[str], spoken: Any, words: tuple[str, ...]
) -> None:
    spoken("0 discards 5z\n1 discards 1m\n")
    assert [line["event"] for line in told(capsys, *words)[:-1]] == ["0 discards 5z", "1 discards 1m"]


def test_an_error_is_told_where_it_stands_and_fails_at_the_end(capsys: pytest.CaptureFixture[str], spoken: Any) -> None:
    spoken("0 discards 5z; 1 discards; 1 pon 1z from 0 with 11z; 1 discards 1m")
    assert main(["rules", "play", "--json"]) == 1
    out, err = capsys.readouterr()
    errors = [json.loads(line).get("error") for line in out.splitlines()]
    assert errors[0] is None
    assert errors[1].startswith("expected a tile, got nothing")
    assert errors[2].startswith("expected ")
    assert errors[3] is None
    assert err == "tachiai rules: 2 of 4 events could not be followed\n"


def test_a_rule_set_is_taken_by_name_or_by_its_file(
    capsys: pytest.CaptureFixture[str], spoken: Any, tmp_path: Path
) -> None:
    line = f"{START}; 0 discards 5p; 1 ron from 0; 2 ron from 0; 1 shows {TANYAO}; 2 shows 345m345p345s67p22z; confirm"
    spoken(line)
    assert len(told(capsys, "--ruleset", "parlour")[-1]["result"]["wins"]) == 2
    file = tmp_path / "ours.toml"
    file.write_text('format = 1\nname = "ours"\nbase = "parlour"\n[rules]\nmultiple_ron = "head_bump"\n', "utf-8")
    spoken(line)
    assert len(told(capsys, "--ruleset", str(file))[-1]["result"]["wins"]) == 1
    assert main(["rules", "import", str(file), "--folder", str(tmp_path / "kept")]) == 0
    capsys.readouterr()
    spoken(line)
    assert len(told(capsys, "--ruleset", "ours", "--folder", str(tmp_path / "kept"))[-1]["result"]["wins"]) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("/nowhere/hand.txt",), "/nowhere/hand.txt: expected events in UTF-8, got: "),
        (("--ruleset", "emma", "-"), "got 'emma'; did you mean 'ema-2025'?"),
        (("--ruleset", "/nowhere/x.toml", "-"), "/nowhere/x.toml: expected a rule set"),
    ],
)
def test_a_missing_file_or_set_fails_with_one_message(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    assert main(["rules", "play", *words]) == 1
    out, err = capsys.readouterr()
    assert message in err
    assert out == ""


def test_bytes_that_are_no_text_fail_with_one_message(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "hand.txt"
    file.write_bytes(b"0 discards 5z\xff")
    assert main(["rules", "play", str(file)]) == 1
    assert "expected events in UTF-8" in capsys.readouterr().err


def test_help_shows_the_whole_notation(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["rules", "play", "--help"])
    assert left.value.code == 0
    out = " ".join(capsys.readouterr().out.split())
    for text in (INTRODUCTION, EXAMPLE, *(text for form in FORMS for text in (form.written, form.says, form.example))):
        assert " ".join(text.split()) in out
