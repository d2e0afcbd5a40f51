from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest

from table.cli.main import main
from table.records.format_detection import load_game
from table.rulebook.ruleset_reader import SHIPPED, preset_rules
from table.runtime.table_errors import RecordError
from tests.contracts import assert_keeps
from tests.table.records.real_games import audit_lines, disagreements, files
from tests.table.records.selfplay import selfplay_game

SAMPLE = 15
"""Every n-th real game is played again in a normal run."""


@pytest.fixture
def logs(shared: Path) -> Path:
    return shared / "logs"


def test_the_rules_agree_with_a_sample_of_real_games(logs: Path) -> None:
    sample = files(logs / "tenhou", every=SAMPLE)
    assert len(sample) >= 30
    assert [disagreement for path in sample for disagreement in disagreements(load_game(path), path.name)] == []


@pytest.mark.long
def test_the_rules_agree_with_all_real_games(logs: Path) -> None:
    games = files(logs / "tenhou")
    assert len(games) > 500
    assert [disagreement for path in games for disagreement in disagreements(load_game(path), path.name)] == []


def test_the_rules_agree_with_every_rare_event(logs: Path) -> None:
    rare = files(logs / "rare")
    assert len(rare) > 20
    assert [disagreement for path in rare for disagreement in disagreements(load_game(path), path.name)] == []


def test_a_log_cut_short_gives_its_complete_hands_and_then_one_error(logs: Path) -> None:
    path = logs / "rare" / "mjx_upd-aft-nm.mjlog"
    lines = audit_lines(load_game(path), log="nm")
    assert [next(lines)["hand"] for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(RecordError, match="nm: expected a whole game, got a truncated one"):
        next(lines)


def test_the_command_prints_lines_of_the_contract(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = files(logs / "tenhou")[0]
    assert main(["audit", "--json", str(path)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for line in lines:
        assert_keeps("audit", line)
    for line in lines[:-1]:
        for announcement in line["announcements"]:
            assert_keeps("announcement", {key: value for key, value in announcement.items() if key != "rule"})
    assert lines[-1]["final"] == list(load_game(path).final or ())


def test_the_command_fails_once_for_each_broken_log_and_goes_on(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.mjlog"
    broken.write_text("<mjloggm><GO type='169'/>", encoding="utf-8")
    whole = files(logs / "tenhou")[0]
    assert main(["audit", str(broken), str(whole)]) == 1
    printed = capsys.readouterr()
    assert len(printed.err.splitlines()) == 1
    assert "final" in printed.out


def test_an_empty_folder_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", str(tmp_path)]) == 1
    assert "expected a folder with game records, got an empty one" in capsys.readouterr().err


@pytest.mark.parametrize("name", SHIPPED)
def test_every_rule_set_can_play_a_game_with_red_fives(name: str) -> None:
    lines = list(audit_lines(selfplay_game(1), log="x", ruleset=preset_rules(name).switches))
    assert len(lines) == len(selfplay_game(1).hands) + 1
    yaku = {yaku for line in lines[:-1] for win in line["wins"] for yaku, _ in win["yaku"]}
    assert ("red_five" in yaku) == bool(preset_rules(name).switches.red_man)


def test_another_rule_set_can_be_played(logs: Path) -> None:
    record = load_game(logs / "rare" / "doubleron.mjlog")
    by_header = [line["wins"] for line in audit_lines(record, log="x") if "wins" in line]
    bumped = [
        line["wins"]
        for line in audit_lines(record, log="x", ruleset=preset_rules("m-league").switches)
        if "wins" in line
    ]
    assert max(len(wins) for wins in by_header) == 2
    assert max(len(wins) for wins in bumped) == 1


def test_r08_every_recorded_riichi_was_said() -> None:
    """No record tells who kept silent."""
    rules = preset_rules("home").switches.but(ask_unvoiced_riichi=True)
    lines = list(audit_lines(selfplay_game(1), log="x", ruleset=rules))
    assert any(line["riichi"] for line in lines[:-1])
    assert [line["suspicions"] for line in lines[:-1]] == [[]] * len(lines[:-1])


@pytest.mark.parametrize("name", ["m-league", "ema-2025"])
def test_an_abort_that_the_rules_played_have_not_ends_the_hand_as_the_record_tells_and_asks_nothing(
    logs: Path, name: str
) -> None:
    aborted = []
    for path in files(logs / "rare"):
        with suppress(RecordError):  # some are cut short after their hands
            lines = audit_lines(load_game(path), log="x", ruleset=preset_rules(name).switches)
            aborted += [line for line in lines if line.get("abort") in ("four_riichi", "four_winds", "four_kans")]
    assert len(aborted) > 2
    for line in aborted:
        assert not {"R66", "four winds", "four kans"} & {each["clause"] for each in line["suspicions"]}
        assert sum(line["deltas"]) == -1000 * len(line["riichi"])
