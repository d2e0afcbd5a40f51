from __future__ import annotations

import json
from pathlib import Path

import pytest

from table.cli.main import main
from table.records.mjai.mjai_writer import write_mjai
from tests.table.records.selfplay import selfplay_game
from vision.recording.recording import Recording

pytestmark = pytest.mark.pictures


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "game.mjson"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in write_mjai(selfplay_game(1))))
    return path


def test_a_hand_becomes_a_recording_with_presses_and_truth(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "film"
    assert main(["film", str(log), str(out), "--hand", "1", "--fps", "0.2", "--look", "3"]) == 0
    (path,) = out.iterdir()
    recording = Recording.open(path)
    hand = selfplay_game(1).hands[1]
    assert recording.settings.game["scores"] == list(hand.deal.scores)
    assert recording.settings.game["honba"] == hand.deal.honba
    truth = [json.loads(line) for line in (path / "truth.mjson").read_text().splitlines()]
    assert [line["type"] for line in truth].count("start_kyoku") == 1
    assert truth[-2]["type"] in ("hora", "ryukyoku")


def test_a_hand_that_the_game_has_not_is_refused(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["film", str(log), str(tmp_path / "film"), "--hand", "99"]) == 1
    assert "expected a hand from 0 to" in capsys.readouterr().err


def test_a_record_without_a_hand_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = {"title": ["", ""], "name": ["a", "b", "c", "d"], "rule": {"disp": "", "aka": 1}, "log": []}
    (tmp_path / "game.json").write_text(json.dumps(game))
    assert main(["film", str(tmp_path / "game.json"), str(tmp_path / "film")]) == 1
    assert "game.json: expected a record with a hand, got none" in capsys.readouterr().err
    assert not (tmp_path / "film").exists()
