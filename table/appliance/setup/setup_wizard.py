"""The appliance's side of the set-up pages: pictures, the table's place, its tiles, its panel, a rehearsal.

Every request is refused while a hand is being played: the set-up must not disturb a game.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import cv2

from table.appliance.setup.guided_scan import FILE, SetScan
from table.appliance.setup.owner_choices import ChoicesFile
from table.appliance.setup.rehearsal_guide import IDLE_S, Guide, is_clear
from table.camera.live_camera import LiveCamera
from table.camera.simulation.simulated_camera import EMPTY, EVENING, FACES_ELSEWHERE, FACES_LAID, REHEARSAL
from table.camera.table_place.table_finder import TableFinder
from table.config import Config
from table.dashboard.wizard.setup_port import Corners, TablePlace
from table.game.commands.game_commands import Command, OpenGame
from table.game.journal.entries import Names
from table.game.snapshot import Board, Mode
from table.health.health_report import RehearsalResult
from table.panel.panel_driver import PanelDriver
from table.panel.panel_port import BUTTONS
from table.panel.panel_trial import PanelTrial
from table.rulebook import rules_named
from table.rulebook.play_presets import HOME
from table.rulebook.ruleset_registry import known_names
from table.runtime.table_errors import ConfigError, PressError
from vision.arrays import Image
from vision.atomic_files import read_whole, write_whole
from vision.errors import CalibrationError, reason_and_place
from vision.felt import FeltReport
from vision.frames import Frame
from vision.geometry.calibration_file import StoredCalibration
from vision.json_text import read_json
from vision.strict_reader import PLAIN

REHEARSAL_FILE: Final = "rehearsal.json"
PICTURE_PX: Final = 480
"""Width of the picture for marking corners: a tile is about 12 pixels wide, too few to recognise its face."""
PATIENCE_S: Final = 15.0
"""How long to wait for a fresh picture."""
_log = logging.getLogger(__name__)


class StepUnavailableError(PressError):
    """A set-up step that is not possible now; the text says what is required first."""


class SetupWizard:
    """The appliance as the set-up sees it. Thread-safe."""

    def __init__(
        self,
        config: Config,
        choices_file: ChoicesFile,
        board: Board,
        *,
        live_camera: LiveCamera | None,
        panel: PanelDriver | None,
        play_as: Callable[[Mode], object],
        handle: Callable[[Command], object],
    ) -> None:
        """Takes the parts of the appliance; `play_as` sets the table's mode, `handle` handles a command."""
        self._config, self._choices_file, self._board = config, choices_file, board
        self._live_camera, self._panel, self._play_as, self._handle = live_camera, panel, play_as, handle
        self._last_request_at = monotonic()
        self.scan = SetScan(config.folder / FILE, config.tiles.size, self._use_learnt_set)
        self.guide = None if live_camera is None else _guide(config, live_camera)
        if live_camera is not None and live_camera.drawn_table is not None:
            live_camera.drawn_table.play(EVENING if "over" in self.steps else EMPTY)

    @property
    def steps(self) -> Mapping[str, str]:
        """Each step's name with `done` or `skipped`; `over` once the set-up was left for the table."""
        return self._choices_file.choices.steps

    @property
    def has_camera(self) -> bool:
        """Whether a camera is configured."""
        return self._live_camera is not None

    @property
    def has_pictures(self) -> bool:
        """Whether a camera delivers pictures now."""
        return self._live_camera is not None and self._live_camera.has_pictures

    @property
    def trial(self) -> PanelTrial | None:
        """The panel's trial; None without a panel."""
        return None if self._panel is None else self._panel.trial

    @property
    def buttons(self) -> tuple[str, ...]:
        """The names of the buttons that the panel has."""
        pins, kind = self._config.panel, self._config.panel.kind
        if kind == "usb":
            return tuple(str(button) for button in pins.board_buttons.values())
        missing = {"win": not pins.win, "foul": not pins.foul, "table": pins.table < 0}
        return tuple(str(button) for button in BUTTONS if kind != "gpio" or not missing[button.kind])

    def step(self, name: str, how: str) -> None:
        """Records that a step was `done` or `skipped`; a write error is logged."""
        try:
            self._choices_file.step(name, how)
        except ConfigError as error:
            _log.error("%s", error)

    def check_no_hand(self) -> None:
        """Refuses what would disturb a hand.

        Raises:
            StepUnavailableError: a hand is being played.
        """
        if self._is_playing:
            raise StepUnavailableError("expected no hand being played, got one: end it first", says="hand_first")

    def choose_mode(self, mode: Mode) -> None:
        """Sets the mode, also for later starts.

        Raises:
            PressError: the mode applies until the restart, but cannot be stored.
        """
        self._play_as(mode)
        self._store_choice("table.mode", mode.value)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rule sets to choose from; none once a hand of the game was played."""
        game = self._board.latest.game
        return () if self._is_playing or game.history else known_names()

    def choose_rules(self, name: str, by: str, names: Names) -> None:
        """Opens a game with another rule set and the same first dealer, if nothing has been played yet.

        Args:
            name: the rule set.
            by: who chose it.
            names: the players by seat.

        Raises:
            StepUnavailableError: a hand of the game was played, or the rule set is unknown.
        """
        latest = self._board.latest
        if name == latest.ruleset.name:
            return
        if name not in self.rules:
            raise StepUnavailableError(
                f"expected a rule set out of {', '.join(self.rules) or 'none now'}, got {name!r}",
                says="rules_gone",
            )
        dealer, ruleset = latest.game.first_dealer, rules_named(name).ruleset
        self._handle(OpenGame(names=names, first_dealer=dealer, ruleset=ruleset, by=by))

    def picture(self) -> bytes | None:
        """Returns the camera's picture as a small JPEG while no hand is being played; None without a picture.

        It is not masked, since the table's place may be wrong, but too small to recognise a tile's face. Once the
        camera was moved it is coarser and grey.
        """
        image = None if self._live_camera is None else self._live_camera.set_up_picture()
        if image is None or self._is_playing:
            return None
        return small_jpeg(image)

    def place(self) -> TablePlace | None:
        """Returns the table's place, or a proposal that nobody has confirmed yet; None if unknown."""
        if self._live_camera is None:
            return None
        finder = self._live_camera.table_finder
        if finder.proposed_place is not None:
            return self._with_fault(_proposal(finder, finder.proposed_place))
        return None if finder.place is None else self._with_fault(_table_place(finder.place))

    def find(self) -> TablePlace:
        """Finds the table by its markers or its felt; `store_corners` stores it, once a person has confirmed it.

        Raises:
            StepUnavailableError: a hand is being played, or no camera delivers pictures.
            CalibrationError: the table was not found.
        """
        finder = self._camera_when_free().table_finder
        return self._with_fault(_proposal(finder, finder.find()))

    def store_corners(self, shares: Corners) -> TablePlace:
        """Stores the corners that a person marked, as fractions of the picture.

        Raises:
            StepUnavailableError: as for `find`.
            CalibrationError: they cannot be a table's corners, or are at the picture's edge.
        """
        table_finder = self._camera_when_free().table_finder
        if table_finder.frame is None:
            raise CalibrationError("expected pictures of the table, got none")
        height, width = table_finder.frame.image.shape[:2]
        return self._with_fault(
            _table_place(table_finder.set_place(tuple((x * width, y * height) for x, y in shares), "hand"))
        )

    def begin_scan(self) -> None:
        """Discards earlier pictures of the tiles; the table ignores what is laid out.

        Raises:
            StepUnavailableError: as for `find`.
        """
        live_camera = self._camera_when_free()
        self.scan.begin()
        live_camera.report_switch.hold(self._ignore_report)
        self._play_film(FACES_LAID)

    def scan_next_face(self) -> None:
        """Takes one picture of the faces laid out in order.

        Raises:
            StepUnavailableError: as for `find`, or the table has not been found yet.
            PressError: the learnt set applies until the restart, but cannot be stored as the one to use.
            VisionError: the picture does not show every face in order, and the text lists every fault; or the set
                cannot be written.
        """
        table_finder = self._camera_when_free().table_finder
        frame, place = _fresh_frame(table_finder), table_finder.place
        if place is None:
            raise StepUnavailableError("expected the table to be found in the picture first", says="no_table")
        self.scan.scan_frame(frame.image, place)
        self._play_film(FACES_ELSEWHERE)

    def rehearse(self) -> None:
        """Starts a rehearsal.

        Raises:
            StepUnavailableError: as for `find`.
        """
        self._camera_when_free()
        if self.guide is not None:
            self.guide.begin()
            self._play_film(REHEARSAL)

    def leave(self) -> None:
        """Returns felt and panel to the table after people left the step that used them."""
        if self.guide is not None:
            self.guide.end()
        if self._live_camera is not None:
            self._live_camera.report_switch.give_back_when(is_clear)
        if self.trial is not None:
            self.trial.end()
        if self._film_name in (FACES_LAID, FACES_ELSEWHERE, REHEARSAL):
            self._play_film(EMPTY)

    def finish(self) -> None:
        """Ends the set-up for good."""
        self.leave()
        self.step("over", "done")
        if self._film_name == EMPTY:
            self._play_film(EVENING)

    @property
    def _is_playing(self) -> bool:
        hand = self._board.latest.game.live
        return hand is not None and hand.has_begun

    def _camera_when_free(self) -> LiveCamera:
        self._last_request_at = monotonic()
        if self._live_camera is None:
            raise StepUnavailableError("expected a camera in the configuration, got none", says="no_camera")
        self.check_no_hand()
        if not self._live_camera.has_pictures:
            raise StepUnavailableError("expected pictures from the camera, got none", says="no_camera")
        return self._live_camera

    def _ignore_report(self, _: Frame, report: FeltReport | None) -> None:
        """Ignores tiles laid out for a scan; returns the felt to the table if no page is using it."""
        if report is not None and self._live_camera is not None and monotonic() - self._last_request_at > IDLE_S:
            self._live_camera.report_switch.give_back_when(is_clear)

    def _with_fault(self, place: TablePlace) -> TablePlace:
        """Returns the place with what keeps the table from being read well there."""
        visibility = None if self._live_camera is None else self._live_camera.visibility()
        return place if visibility is None else replace(place, fault=visibility.fault)

    @property
    def _film_name(self) -> str | None:
        """The drawn table's script; None if the camera is real."""
        return (
            None
            if self._live_camera is None or self._live_camera.drawn_table is None
            else self._live_camera.drawn_table.film_name
        )

    def _play_film(self, name: str) -> None:
        """Makes a drawn table show what people would do now."""
        if self._live_camera is not None and self._live_camera.drawn_table is not None:
            self._live_camera.drawn_table.play(name)

    def _use_learnt_set(self, path: Path) -> None:
        if self._live_camera is not None:
            self._live_camera.learn(path)
        self._store_choice("tiles.tileset", str(path))

    def _store_choice(self, name: str, value: str) -> None:
        """Stores a choice that applies already.

        Raises:
            PressError: it applies until the restart, but cannot be stored.
        """
        try:
            self._choices_file.choose({name: value})
        except ConfigError as error:
            raise PressError(str(error), says="device_unwritten") from error


def last_rehearsal(folder: Path) -> RehearsalResult | None:
    """Returns the result of the last rehearsal; None if there was none."""
    try:
        found: RehearsalResult = PLAIN.read(RehearsalResult, read_json(read_whole(folder / REHEARSAL_FILE)))
    except (OSError, ValueError):
        return None
    return found


def small_jpeg(image: Image) -> bytes:
    """Returns the picture, scaled down so far that no face can be recognised."""
    height, width = image.shape[:2]
    small = cv2.resize(image, (PICTURE_PX, PICTURE_PX * height // width), interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])[1])


def _guide(config: Config, live_camera: LiveCamera) -> Guide:
    def keep(result: RehearsalResult) -> None:
        try:
            write_whole(config.folder / REHEARSAL_FILE, json.dumps(asdict(result)), mode=0o600)
        except OSError as error:
            _log.error("expected a writable file for the rehearsal, got: %s", reason_and_place(error))

    return Guide(
        live_camera.table_finder,
        live_camera.report_switch,
        ruleset=rules_named(HOME.name).ruleset,
        tile=config.tiles.size,
        keep=keep,
    )


def _fresh_frame(table_finder: TableFinder) -> Frame:
    """Returns a frame taken after this call, so that it shows the present state.

    Raises:
        StepUnavailableError: no such frame came within `PATIENCE_S`.
    """
    before, until = table_finder.frame, monotonic() + PATIENCE_S
    last = -1 if before is None else before.k
    while (frame := table_finder.frame) is None or frame.k < last + 2:
        if monotonic() > until:
            raise StepUnavailableError("expected pictures from the camera, got none", says="no_camera")
        sleep(0.02)
    return frame


def _proposal(finder: TableFinder, place: StoredCalibration) -> TablePlace:
    return replace(_table_place(place), is_kept=False, unmarked=finder.unmarked_corners)


def _table_place(place: StoredCalibration) -> TablePlace:
    width, height = place.size
    shares = tuple((round(x / width, 5), round(y / height, 5)) for x, y in place.corners_px)
    return TablePlace(corners=shares, by=place.by, when=place.when)
