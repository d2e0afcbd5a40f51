from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from table.cli.main import main
from table.records.replay.recording_check import checked_hands
from table.rulebook.ruleset_reader import preset_rules
from tests.places import RIICHI_TSUMO

Lines = list[dict[str, Any]]


def truth() -> Lines:
    return [json.loads(line) for line in (RIICHI_TSUMO / "truth.mjson").read_text().splitlines()]


def found(changed: Lines) -> set[str]:
    """What disagrees where the truth has so and the recording was read as it is."""
    hands = checked_hands(changed, truth(), ruleset=preset_rules("home").switches, source="x")
    return {disagreement.fact for hand in hands for disagreement in hand.disagreements}


def first(lines: Lines, kind: str) -> dict[str, Any]:
    return next(line for line in lines if line["type"] == kind)


def test_a_recording_agrees_with_its_truth() -> None:
    assert found(truth()) == set()


@pytest.mark.parametrize(
    ("fact", "kind", "key", "value"),
    [
        ("dora indicators", "start_kyoku", "dora_marker", "9s"),
        ("round", "start_kyoku", "honba", 3),
        ("deltas", "hora", "deltas", [1000, 0, 0, -1000]),
        ("scores", "hora", "scores", [1, 2, 3, 4]),
        ("han", "hora", "han", 12),
        ("points", "hora", "points", 300),
        ("wins", "hora", "actor", 2),
    ],
)
def test_each_fact_that_was_read_otherwise_is_found(fact: str, kind: str, key: str, value: object) -> None:
    lines = truth()
    first(lines, kind)[key] = value
    assert fact in found(lines)


@pytest.mark.parametrize(
    ("fact", "change"),
    [
        ("discards", lambda lines: first(lines, "dahai").update(pai="9s")),
        ("riichi", lambda lines: lines.remove(first(lines, "reach_accepted"))),
        (
            "hand",
            lambda lines: lines.extend([{**line, **({"honba": 1} if "honba" in line else {})} for line in lines[1:]]),
        ),
    ],
)
def test_other_tiles_riichi_and_hands_are_found(fact: str, change: Callable[[Lines], None]) -> None:
    lines = truth()
    change(lines)
    assert any(each.startswith(fact) for each in found(lines))


@pytest.mark.pictures
def test_the_command_says_so_and_ends_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recording = Path(shutil.copytree(RIICHI_TSUMO, tmp_path / "recording"))
    assert main(["replay", "--check", str(recording)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 hand, 0 disagree"
    lines = truth()
    first(lines, "dahai")["pai"] = "9s"
    (recording / "truth.mjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["replay", "--check", "--json", str(recording)]) == 1
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == len(lines)
    assert printed.err.splitlines()[-1] == "1 hand, 1 disagrees"
    assert "discards of seat 0: the truth has " in printed.err


def test_a_recording_without_truth_cannot_be_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recording = Path(shutil.copytree(RIICHI_TSUMO, tmp_path / "recording"))
    (recording / "truth.mjson").unlink()
    assert main(["replay", "--check", str(recording)]) == 1
    assert "expected truth.mjson to check against, got none" in capsys.readouterr().err
