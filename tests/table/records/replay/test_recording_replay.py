from __future__ import annotations

import json
import logging
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from table.camera.simulation import read_script
from table.camera.simulation.script_recording import Show, prepare_show, press_line, settings_of
from table.camera.simulation.script_timeline import stage_script
from table.cli.main import main
from table.game.commands.command_reader import read_press
from table.records.replay.recording_replay import ReplayResult, first_hand, replay, ruleset_of
from table.rules.terms.seats import Round, Seat
from table.runtime.table_errors import PressError
from tests.fakes.watchers import FakeWatcher
from tests.places import RIICHI_TSUMO
from tests.table.camera.simulation.felts import FPS, LAYOUT, observations
from tests.table.camera.simulation.scripts import SHORT
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.synthetic_camera import frame_count
from vision.errors import RecordingError
from vision.felt import FeltReport
from vision.frames import Frame

LATENCY = 3
"""Frames after which a perfect eye commits what lies there."""


class ScriptedWatcher(FakeWatcher):
    """A watcher that needs no pictures: it reports what a script lays, some frames later."""

    def __init__(self) -> None:
        super().__init__()
        reports = [
            observation
            for observation in observations(stage_script(read_script(SHORT), LAYOUT))
            if isinstance(observation, FeltReport)
        ]
        self._reports = {report.frame + LATENCY: report for report in reports}

    def watch(self, frame: Frame) -> FeltReport | None:
        self.last_judged_frame = frame.k - LATENCY
        return self._reports.get(frame.k)


@pytest.fixture(scope="module")
def film() -> Show:
    return prepare_show(read_script(SHORT), appearance=Appearance(width_px=160, height_px=160), fps=FPS)


def frames(film: Show) -> Iterator[Frame]:
    blank = np.zeros((1, 1, 3), np.uint8)
    for k in range(frame_count(film.film, FPS)):
        yield Frame(k=k, t_ns=round(k * 1e9 / FPS), image=blank)


def replay_film(film: Show, presses: list[dict[str, Any]] | None = None) -> ReplayResult:
    lines = [press_line(press) for press in film.presses] if presses is None else presses
    return replay(frames(film), ScriptedWatcher(), game=settings_of(film).game, presses=lines)


def meaning(lines: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
    return [{key: value for key, value in line.items() if key not in ("frame", "confidence")} for line in lines]


def test_a_replay_tells_the_truth_of_its_recording(film: Show) -> None:
    assert meaning(replay_film(film).events) == meaning(film.truth)


def test_a_press_waits_until_what_lay_there_was_judged(film: Show) -> None:
    hurried = [{"frame": line["frame"] - 5, **{k: v for k, v in line.items() if k != "frame"}} for line in (
        press_line(press) for press in film.presses
    )]  # fmt: skip
    assert meaning(replay_film(film, hurried).events) == meaning(film.truth)


def test_a_win_has_the_frame_in_which_it_was_pressed(film: Show) -> None:
    hora = next(line for line in replay_film(film).events if line["type"] == "hora")
    assert hora["frame"] == film.presses[0].frame


def test_a_win_that_is_pressed_after_its_open_hand_was_read_is_not_inferred(film: Show) -> None:
    win, *others = map(press_line, film.presses)
    late_win = win | {"frame": win["frame"] + round(2 * FPS)}
    result = replay_film(film, [late_win, *others])
    assert meaning(result.events) == meaning(film.truth)
    hora = next(line for line in result.events if line["type"] == "hora")
    assert hora["frame"] == late_win["frame"]


def test_two_replays_are_equal(film: Show) -> None:
    first, second = replay_film(film), replay_film(film)
    assert (first.events, first.announcements) == (second.events, second.announcements)


def test_without_presses_what_lies_open_ends_the_hand(film: Show) -> None:
    events = replay_film(film, []).events
    hora = next(line for line in events if line["type"] == "hora")
    assert (hora["actor"], hora["inferred"]) == (0, True)
    truth = next(line for line in film.truth if line["type"] == "hora")
    assert hora["deltas"] == truth["deltas"]


@pytest.mark.parametrize(
    ("claimed", "reason"),
    [
        ({"tiles": "1234p5678s44z555z"}, "seat 2: the shown hand is not complete"),
        ({"han": 3, "fu": 40, "tiles": "1234p5678s44z555z"}, "seat 2: the shown hand is not complete"),
        ({"tiles": "123p567789s44z55z"}, "seat 2: the shown hand is not complete"),
        ({}, "seat 2: the hand was neither shown nor counted"),
    ],
    ids=["no win", "no win though counted", "another wait", "unknown"],
)
def test_why_a_confirmed_win_is_not_settled_is_told(
    film: Show, caplog: pytest.LogCaptureFixture, claimed: dict[str, Any], reason: str
) -> None:
    frame = film.presses[0].frame
    presses = [{"press": "ron", "seat": 2, "frame": frame, **claimed}, {"press": "confirm", "frame": frame}]
    with caplog.at_level(logging.WARNING):
        found = replay_film(film, presses)
    assert not found.state.history
    assert f"the win confirmed at frame {frame} is not settled: {reason}" in caplog.text


def test_a_press_that_makes_no_sense_costs_only_itself(film: Show, caplog: pytest.LogCaptureFixture) -> None:
    lines = [{"frame": 40, "press": "cancel"}, *(press_line(press) for press in film.presses)]
    with caplog.at_level(logging.WARNING):
        assert meaning(replay_film(film, lines).events) == meaning(film.truth)
    assert "expected a claimed win to cancel" in caplog.text


def test_a_press_that_cannot_be_read_names_what_is_allowed(film: Show) -> None:
    with pytest.raises(PressError, match="expected a press out of ron"):
        replay_film(film, [{"frame": 0, "press": "shout"}])


@pytest.mark.parametrize("field", ["press", "seat", "tiles", "clause"])
def test_a_message_repeats_no_endless_text_of_a_press(field: str) -> None:
    with pytest.raises(PressError, match=r"^expected|: expected") as refused:
        read_press({"press": "foul" if field == "clause" else "wait", "seat": 0, field: "a" * 100_000})
    assert len(str(refused.value)) < 400


def test_the_first_hand_starts_as_the_recording_says() -> None:
    game = {"dealer_seat": 2, "round": "S3", "honba": 1, "deposits": 2, "scores": [20000, 30000, 24000, 24000]}
    start = first_hand(game, ruleset_of({}))
    assert (start.dealer, start.round, start.honba, start.deposits) == (Seat.FAR, Round.parse("S3"), 1, 2)
    assert start.scores == (20000, 30000, 24000, 24000)


def test_a_recording_that_says_nothing_starts_a_new_game() -> None:
    start = first_hand({}, ruleset_of({}))
    assert (start.dealer, start.round, start.scores) == (Seat.NEAR, Round.parse("E1"), (25000,) * 4)


def test_the_rules_of_a_recording_are_a_preset_or_switches() -> None:
    assert ruleset_of({"ruleset": "home"}) == ruleset_of({})
    assert ruleset_of({"ruleset": {"ippatsu": False}}).ippatsu is False
    with pytest.raises(RecordingError, match="expected a switch of the rules, got 'ipatsu'; did you mean 'ippatsu'"):
        ruleset_of({"ruleset": {"ipatsu": False}})
    with pytest.raises(RecordingError, match="expected a rule set"):
        ruleset_of({"ruleset": "houuse"})


def test_presses_are_made_in_order_of_their_frames(film: Show) -> None:
    lines = [press_line(press) for press in reversed(film.presses)]
    assert meaning(replay_film(film, lines).events) == meaning(film.truth)


def test_a_show_presses_what_people_would_press(film: Show) -> None:
    assert film.presses
    assert all(getattr(press, "tiles", ()) == () for press in film.presses)


@pytest.mark.pictures
def test_a_replay_says_what_follows_and_ends_with_the_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines_file = tmp_path / "said"
    assert main(["replay", str(RIICHI_TSUMO), "--announcements", str(lines_file)]) == 0
    assert {"riichi_accepted", "ippatsu_open", "settlement_confirmed"} <= {line["id"] for line in lines_of(lines_file)}
    assert "43000" in capsys.readouterr().out


@pytest.mark.pictures
def test_a_replay_in_which_nothing_is_read_says_so_and_ends_with_the_points_it_began_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "small"
    shutil.copytree(RIICHI_TSUMO, path)
    for late in sorted((path / "frames").iterdir())[12:]:
        late.unlink()
    (path / "presses.jsonl").unlink()
    text = (path / "recording.toml").read_text()
    text = re.sub("scores = .*", "scores = [24800, 26500, 11400, 37300]", text)
    (path / "recording.toml").write_text(re.sub("side_mm = .*", "side_mm = 300.0", text))
    assert main(["replay", str(path)]) == 0
    captured = capsys.readouterr()
    assert "no hand was seen in 12 pictures: check corners_px, side_mm" in captured.err
    assert captured.out.split()[-4:] == ["24800", "26500", "11400", "37300"]


def test_a_recording_that_is_none_fails_with_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path)]) == 1
    assert "recording.toml" in capsys.readouterr().err


def lines_of(path: Path) -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in path.read_text().splitlines())


def test_a_tile_set_that_is_none_stops_the_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(RIICHI_TSUMO), "--tileset", str(tmp_path / "none.tileset")]) == 1
    assert "expected a readable tile set" in capsys.readouterr().err
