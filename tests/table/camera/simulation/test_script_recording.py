from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from table.camera.simulation import ScriptError, evening, read_script
from table.camera.simulation.script_recording import Show, prepare_show, settings_of, write_recording
from table.camera.simulation.script_timeline import StagedScript, stage_script
from table.camera.simulation.table_contents import TableContents
from table.game.commands.command_reader import read_press
from table.records.replay.recording_replay import ruleset_of
from table.rulebook import SHIPPED, rules_named
from table.rules.advance import advance, new_game
from table.rules.events import Called, Discarded, StickPlaced
from table.rules.state import GameState
from table.rules.terms.announcements import Announcement, AnnouncementId
from table.rules.terms.results import ResultKind
from tests.table.camera.simulation.scripts import KANS, SHORT
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.layout import Layout
from vision.cameras.synthetic.scene import Pose
from vision.cameras.synthetic.synthetic_camera import frame_count
from vision.errors import RecordingError
from vision.recording.recording import Recording


@pytest.fixture(scope="module")
def staged() -> StagedScript:
    return stage_script(evening(), Layout())


@pytest.fixture(scope="module")
def played_evening(staged: StagedScript) -> tuple[GameState, list[Announcement]]:
    """The evening's truth through the rules."""
    rules = rules_named("home").ruleset
    state, announcements = new_game(rules), list[Announcement]()
    for each in staged.truth:
        step = advance(state, each.event, rules)
        state = step.state
        announcements += step.announcements
        assert not step.suspicions
    return state, announcements


# The evening


def test_the_evening_settles_to_the_scores_that_its_script_was_given(
    played_evening: tuple[GameState, list[Announcement]], staged: StagedScript
) -> None:
    assert tuple(line.scores for line in played_evening[0].history) == staged.scores


def test_the_evening_shows_what_a_demo_must_show(played_evening: tuple[GameState, list[Announcement]]) -> None:
    state, announcements = played_evening
    closed = [
        announcement.args["by"] for announcement in announcements if announcement.id is AnnouncementId.IPPATSU_CLOSED
    ]
    assert "call" in closed
    assert any(announcement.id is AnnouncementId.NEXT_SIDEWAYS for announcement in announcements)
    settled = [line.settlement for line in state.history if line.settlement is not None]
    assert {each.kind for each in settled} == {ResultKind.RON, ResultKind.TSUMO, ResultKind.DRAW}
    assert any("ippatsu" in dict(win.yaku) for each in settled for win in each.wins)


def test_the_discard_after_a_called_riichi_tile_lies_sideways(staged: StagedScript) -> None:
    events = [line.event for line in staged.truth]
    index = next(
        place for place, (before, event) in enumerate(pairwise(events), 1)
        if isinstance(event, Called) and isinstance(before, StickPlaced)
    )  # fmt: skip
    call = events[index]
    assert isinstance(call, Called)
    following = (event for event in events[index:] if isinstance(event, Discarded) and event.seat is call.from_seat)
    assert next(following).sideways


def test_each_riichi_brings_its_stick(staged: StagedScript) -> None:
    declarers = [line.event.seat for line in staged.truth if isinstance(line.event, Discarded) and line.event.sideways]
    sticks = [line.event.seat for line in staged.truth if isinstance(line.event, StickPlaced)]
    assert len(sticks) == len(declarers) - 1  # one sideways tile replaces a called one


# Reading scripts


@pytest.mark.parametrize(
    ("line", "instead", "message"),
    [
        ("0 2p r2p", "0 2x", "expected a line of a script"),
        ("0 2p r2p", "", "expected"),
        ("3 8p 8p", "-1 8p 8p", "expected a seat from 0 to 3, got '-1'"),
        ("0 ron", "draw 0 -1", "expected a seat from 0 to 3, got '-1'"),
        ("0 ron", "abort four_winds -1", "expected a seat from 0 to 3, got '-1'"),
        ("scores 37000 25000 25000 13000", "scores 37000", "in line 16"),
        ("scores 37000 25000 25000 13000", "", "expected four deals and the scores"),
        ("hand E1", "hand E9", "expected a hand line"),
        ("deal 3 19m19p", "deal 3 9m19p", "expected 13 tiles dealt to seat 3, got 12"),
        ("1 chi 34p 6s", "1 chi 34p 9m", "expected 9m in the hand of seat 1"),
        ("1 chi 34p 6s", "1 pon 34p 6s", "expected tiles that make a pon"),
        ("2 3z 3z", "3 3z 3z", "expected a draw of seat 2"),
        ("2 3z 3z", "2 1z 1z\n3 1z 1z\n0 1z", "expected at most 4 of 1z"),
        ("0 9p 9p", "0 0p 0p\n1 0p", "expected at most 1 of 0p"),
        ("0 ron", "", "expected an end of the hand"),
        (SHORT[SHORT.index("0 2p r2p") : SHORT.index("scores")], "", "expected an end of the hand, got nothing"),
    ],
)
def test_a_script_that_cannot_be_played_names_what_is_wrong(line: str, instead: str, message: str) -> None:
    with pytest.raises(ScriptError, match=message):
        read_script(SHORT.replace(line, instead, 1))


def test_a_script_begins_with_a_hand() -> None:
    with pytest.raises(ScriptError, match="expected the script to begin with a hand"):
        read_script("deal 0 1m")


def test_a_call_needs_a_discard() -> None:
    text = SHORT.replace("0 2p r2p\n1 chi 34p 6s", "0 pon 11p 9m", 1)
    with pytest.raises(ScriptError, match="expected a discard to call"):
        read_script(text)


# What lies there


def contents_after(script: str, acts: int) -> TableContents:
    """What lies after so many beats beyond the deal and the indicator."""
    return stage_script(read_script(script), Layout()).contents[1 + acts]


def test_a_called_tile_leaves_its_river_and_lies_turned_toward_its_giver() -> None:
    contents = contents_after(SHORT, 3)
    assert contents.rivers[0] == ()
    (meld,) = contents.melds[1]
    assert (meld.faces, meld.turned_index) == (("2p", "3p", "4p"), 0)
    assert len(contents.hands[1]) == 11


def test_kans_lie_as_people_lay_them() -> None:
    contents = stage_script(read_script(KANS), Layout()).contents[-3]
    assert contents.melds[0][0].faces == ("back", "1m", "1m", "back")
    assert contents.melds[1][0].turned_index == 0
    assert contents.melds[2][0].added == "6z"
    assert contents.wall is not None
    assert (contents.wall.indicators, contents.wall.rinshan) == (("1z", "3z", "7z", "1z"), 3)


def test_the_wall_shrinks_by_every_draw() -> None:
    beats = stage_script(read_script(SHORT), Layout()).beats
    walls = [sum(tile.pose is Pose.FACE_DOWN for tile in beat.scene.tiles) for beat in beats]
    assert walls[0] - walls[1] == 1  # the indicator
    assert walls[1] - walls[2] == 1  # the first draw
    assert walls[3] == walls[4]  # a call draws nothing


def test_sticks_stay_after_a_draw_and_go_with_a_win(staged: StagedScript) -> None:
    cleared = [contents for contents in staged.contents if contents.wall is None]
    assert [sum(contents.sticks) for contents in cleared] == [0, 0, 1, 0]


def test_standing_hands_carry_no_faces(staged: StagedScript) -> None:
    standing = {tile.face for beat in staged.beats for tile in beat.scene.tiles if tile.pose is Pose.STANDING}
    assert standing == {"back"}


# The show


@pytest.fixture(scope="module")
def short_show() -> Show:
    return prepare_show(read_script(SHORT), appearance=Appearance(width_px=160, height_px=160), fps=2.0)


def test_presses_carry_no_tiles_and_can_be_read(short_show: Show, tmp_path: Path) -> None:
    write_recording(short_show, tmp_path / "short")
    lines = (tmp_path / "short" / "presses.jsonl").read_text().splitlines()
    assert [json.loads(line)["press"] for line in lines] == ["ron", "confirm"]
    assert not any("tiles" in json.loads(line) for line in lines)
    assert [read_press(json.loads(line)) for line in lines] == list(short_show.presses)


def test_a_recording_of_a_show_has_every_frame_and_the_truth(short_show: Show, tmp_path: Path) -> None:
    write_recording(short_show, tmp_path / "short")
    recording = Recording.open(tmp_path / "short")
    assert len(recording.frames) == frame_count(short_show.film, short_show.fps)
    assert [dict(line) for line in recording.read_truth() or ()] == list(short_show.truth)
    assert recording.settings == settings_of(short_show)
    with pytest.raises(RecordingError, match="expected a new folder"):
        write_recording(short_show, tmp_path / "short")


@pytest.mark.pictures
@pytest.mark.parametrize("name", SHIPPED)
def test_a_recording_of_a_show_replays_by_the_rules_of_the_show(short_show: Show, tmp_path: Path, name: str) -> None:
    rules = rules_named(name).ruleset
    write_recording(replace(short_show, ruleset=rules), tmp_path / "short")
    recording = Recording.open(tmp_path / "short")
    assert ruleset_of(recording.settings.game, recording.path).but(name=name) == rules


def test_true_frames_are_the_first_at_rest(short_show: Show) -> None:
    first = next(line for line in short_show.truth if line["type"] == "dahai")
    beat = stage_script(read_script(SHORT), Layout()).beats[2]
    assert first["frame"] / short_show.fps >= beat.time_s > (first["frame"] - 1) / short_show.fps


def test_equal_seeds_make_equal_shows(short_show: Show) -> None:
    again = prepare_show(read_script(SHORT), appearance=short_show.appearance, fps=2.0)
    assert again.film.scene_at(9.0) == short_show.film.scene_at(9.0)
    assert prepare_show(read_script(SHORT), appearance=short_show.appearance, seed=1).film.scene_at(
        9.0
    ) != short_show.film.scene_at(9.0)
