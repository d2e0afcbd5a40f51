"""What the first start does to the appliance: nothing while a hand is played, and everything survives a restart."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest

from table.appliance.setup.owner_choices import FILE, ChoicesFile, load
from table.appliance.setup.setup_wizard import PICTURE_PX, SetupWizard, StepUnavailableError, last_rehearsal
from table.camera.live_camera import LiveCamera
from table.camera.report_switch import ReportSwitch
from table.camera.table_place.table_finder import TableFinder
from table.config import Config, PanelConfig, TableConfig
from table.game.commands.game_commands import Command, OpenGame
from table.game.snapshot import Board, Mode, Snapshot
from table.health.health_report import RehearsalResult
from table.panel.panel_driver import PanelDriver
from table.panel.panel_trial import PanelTrial
from table.rulebook import parse_house, rules_named
from table.rulebook.play_presets import HOME
from table.rulebook.ruleset_registry import default_folder, store
from table.rules.advance import advance, new_game
from table.rules.events import Discarded
from table.rules.state import GameState
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from table.runtime.table_errors import PressError
from tests.fakes.inbox import Inbox
from tests.table.camera.table_place.played_place import NOISE, STORED_PLACE, Place, half_marked
from tests.table.game.journal.played_games import PLAYERS
from vision.arrays import Image
from vision.frames import Frame
from vision.geometry.visibility.visibility import Visibility


@dataclass
class FakeLiveCamera:
    """What is watched, without a camera's thread."""

    table_finder: TableFinder
    report_switch: ReportSwitch = field(default_factory=lambda: ReportSwitch(Inbox()))
    drawn_table: None = None
    learnt: list[Path] = field(default_factory=list)
    seen: Visibility | None = None
    has_pictures: bool = True

    def visibility(self) -> Visibility | None:
        return self.seen

    def set_up_picture(self) -> Image | None:
        frame = self.table_finder.frame
        return None if frame is None else frame.image

    def learn(self, tileset: Path) -> None:
        self.learnt.append(tileset)


def playing(discards: int) -> GameState:
    """A game in whose first hand so many tiles were discarded."""
    state = new_game(HOME)
    assert state.next_start is not None
    events: list[Any] = [replace(state.next_start, dora_indicator=Tile("3z"))]
    events += [Discarded(seat=Seat(n), tile=Tile(f"{n + 1}m")) for n in range(discards)]
    for event in events:
        state = advance(state, event, HOME).state
    return state


@dataclass
class Start:
    wizard: SetupWizard
    board: Board
    watch: FakeLiveCamera
    modes: list[Mode]
    commands: list[Command]
    path: Path

    def play(self, discards: int) -> None:
        self.board.publish(replace(self.board.latest, version=self.board.latest.version + 1, game=playing(discards)))


@pytest.fixture
def start(tmp_path: Path) -> Start:
    config = Config(table=TableConfig(data=str(tmp_path)), panel=PanelConfig(kind="gpio", win=(), table=-1))
    board = Board(Snapshot(version=1, game=new_game(HOME), ruleset=HOME))
    place = Place(STORED_PLACE)
    place.watch(cv2.resize(NOISE, (400, 400)).astype(np.uint8))
    watch, modes, commands = FakeLiveCamera(place.table_finder), list[Mode](), list[Command]()
    choices = ChoicesFile(tmp_path / FILE, config)
    wizard = SetupWizard(
        config,
        choices,
        board,
        live_camera=cast(LiveCamera, watch),
        panel=None,
        play_as=modes.append,
        handle=commands.append,
    )
    return Start(wizard, board, watch, modes, commands, tmp_path / FILE)


def test_the_mode_is_played_at_once_and_after_a_restart(start: Start) -> None:
    start.wizard.choose_mode(Mode.CLUB)
    assert start.modes == [Mode.CLUB]
    assert load(start.path).applied_to(Config()).table.mode == "club"


def test_rules_are_chosen_until_something_is_played(start: Start) -> None:
    start.wizard.choose_rules("ema-2025", "owner", PLAYERS)
    (act,) = start.commands
    assert isinstance(act, OpenGame)
    assert act.ruleset is not None
    assert (act.ruleset.name, act.by, act.names) == ("ema-2025", "owner", PLAYERS)
    with pytest.raises(StepUnavailableError, match="expected a rule set out of home"):
        start.wizard.choose_rules("nobody's", "owner", PLAYERS)
    start.play(1)
    assert start.wizard.rules == ()
    with pytest.raises(StepUnavailableError, match="none now"):
        start.wizard.choose_rules("ema-2025", "owner", PLAYERS)


def test_other_rules_leave_the_first_dealer_as_it_was_chosen(start: Start) -> None:
    start.board.publish(replace(start.board.latest, version=2, game=new_game(HOME, first_dealer=Seat.FAR)))
    start.wizard.choose_rules("ema-2025", "owner", PLAYERS)
    (act,) = start.commands
    assert isinstance(act, OpenGame)
    assert act.first_dealer is Seat.FAR


def test_a_set_that_was_imported_is_offered_like_ours(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    house = parse_house('format = 1\nname = "friday"\nbase = "parlour"', "friday.toml", rules_named("parlour"))
    store(house, default_folder())
    assert start.wizard.rules[-1] == "friday"
    start.wizard.choose_rules("friday", "owner", PLAYERS)
    (act,) = start.commands
    assert isinstance(act, OpenGame)
    assert act.ruleset == house.ruleset


def test_nothing_of_it_disturbs_a_hand_that_is_played(start: Start) -> None:
    start.play(1)
    assert start.wizard.picture() is None
    for do in (
        start.wizard.find,
        start.wizard.begin_scan,
        start.wizard.scan_next_face,
        start.wizard.rehearse,
    ):
        with pytest.raises(StepUnavailableError, match="expected no hand being played, got one"):
            do()
    with pytest.raises(StepUnavailableError):
        start.wizard.store_corners(((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)))
    assert not start.watch.report_switch.is_held


def test_no_step_goes_on_with_the_last_picture_of_a_lost_camera(start: Start) -> None:
    start.watch.has_pictures = False
    steps = (start.wizard.find, start.wizard.begin_scan, start.wizard.scan_next_face, start.wizard.rehearse)
    for do in (*steps, lambda: start.wizard.store_corners(((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)))):
        with pytest.raises(StepUnavailableError, match="expected pictures from the camera, got none") as refused:
            do()
        assert refused.value.says == "no_camera"
    assert not start.wizard.has_pictures
    assert not start.watch.report_switch.is_held


def test_reading_the_panels_trial_changes_nothing(start: Start) -> None:
    trial = PanelTrial()
    start.wizard._panel = cast(PanelDriver, SimpleNamespace(trial=trial))
    trial.begin()
    start.play(1)
    assert start.wizard.trial is trial
    assert trial.is_on
    with pytest.raises(StepUnavailableError, match="expected no hand being played, got one"):
        start.wizard.check_no_hand()


def test_a_hand_in_which_nothing_was_discarded_yet_is_in_nobodys_way(start: Start) -> None:
    start.play(0)
    start.wizard.rehearse()
    assert start.watch.report_switch.is_held
    start.wizard.leave()
    assert not start.watch.report_switch.is_held


def test_what_keeps_the_table_from_being_seen_well_is_told_with_its_place(start: Start) -> None:
    well = Visibility(px_per_mm=1.5, brightness=200, has_contrast=True, glare=0, blur_mm=0.4, is_within=True)
    corners = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    for visibility, fault in (
        (well, None),
        (replace(well, px_per_mm=0.6), "far"),
        (replace(well, blur_mm=2.0), "blurred"),
    ):
        start.watch.seen = visibility
        place = start.wizard.place()
        assert (start.wizard.store_corners(corners).fault, place is not None and place.fault) == (fault, fault)


def test_the_picture_is_too_small_to_tell_a_face_by(start: Start) -> None:
    start.watch.table_finder.watcher_for(Frame(k=9, t_ns=9, image=np.zeros((400, 400, 3), np.uint8)))
    jpeg = start.wizard.picture()
    assert jpeg is not None
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape[1] == PICTURE_PX
    tile_px = 20.0 * PICTURE_PX / 760
    assert tile_px < 13, "a tile on a table that fills the picture"


def test_corners_are_shares_of_the_picture(start: Start) -> None:
    place = start.wizard.store_corners(((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)))
    assert (place.by, place.corners[1]) == ("hand", (0.9, 0.1))
    watched_place = start.watch.table_finder.place
    assert watched_place is not None
    assert watched_place.corners_px[1] == (360.0, 40.0)
    assert start.wizard.place() == place


def test_a_proposal_names_the_corners_whose_marker_is_not_seen(start: Start) -> None:
    start.watch.table_finder.watcher_for(Frame(k=9, t_ns=9, image=half_marked()))
    found = start.wizard.find()
    assert (found.is_kept, found.unmarked) == (False, (1, 2))
    assert start.wizard.place() == found


def test_buttons_that_are_not_wired_are_not_asked_for(start: Start) -> None:
    assert start.wizard.buttons == ("foul 0", "foul 1", "foul 2", "foul 3")
    assert start.wizard.trial is None


def test_a_set_that_was_learnt_is_read_by_at_once_and_after_a_restart(start: Start, tmp_path: Path) -> None:
    start.wizard._use_learnt_set(tmp_path / "scanned.tileset")
    assert start.watch.learnt == [tmp_path / "scanned.tileset"]
    assert load(start.path).applied_to(Config()).tiles.tileset == str(tmp_path / "scanned.tileset")


def test_a_set_that_was_learnt_but_cannot_be_chosen_for_later_starts_is_told(start: Start, tmp_path: Path) -> None:
    start.path.mkdir()
    with pytest.raises(PressError, match="expected a writable file") as caught:
        start.wizard._use_learnt_set(tmp_path / "scanned.tileset")
    assert caught.value.says == "device_unwritten"
    assert start.watch.learnt == [tmp_path / "scanned.tileset"]


def test_what_a_rehearsal_said_is_kept(start: Start, tmp_path: Path) -> None:
    assert last_rehearsal(tmp_path) is None
    guide = start.wizard.guide
    assert guide is not None
    result = RehearsalResult(when="2026-11-20", steps=15, done=15, right=14, trust={"pon": "yes", "kan": None})
    guide._keep(result)
    assert last_rehearsal(tmp_path) == result
    (tmp_path / "rehearsal.json").write_text("no JSON", "utf-8")
    assert last_rehearsal(tmp_path) is None


def test_without_a_camera_what_needs_one_is_refused(tmp_path: Path) -> None:
    board = Board(Snapshot(version=1, game=new_game(HOME)))
    choices = ChoicesFile(tmp_path / FILE, Config())
    wizard = SetupWizard(
        Config(), choices, board, live_camera=None, panel=None, play_as=lambda mode: None, handle=lambda act: None
    )
    assert (wizard.has_camera, wizard.guide, wizard.picture(), wizard.place()) == (False, None, None, None)
    with pytest.raises(StepUnavailableError, match="expected a camera in the configuration"):
        wizard.find()
    wizard.finish()
    assert wizard.steps == {"over": "done"}
