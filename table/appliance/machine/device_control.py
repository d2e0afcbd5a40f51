"""What the device page offers the owner: settings, focus, cameras, updates, restarts and the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from table.appliance.machine.machine_control import (
    UpdateStatus,
    ask,
    begin_update,
    can_update,
    is_updating,
    log_of_all_boots,
    update_status,
)
from table.appliance.setup.owner_choices import CAMERA, DEVICE, ChoicesFile, config_value, value_of
from table.camera.live_camera import LiveCamera
from table.config import CameraConfig, Config
from table.game.snapshot import Board
from table.runtime.table_errors import ConfigError, PressError
from vision.cameras.attached.focus import sharpness_of
from vision.cameras.attached.found_cameras import FoundCamera, found_cameras


class DeviceControl:
    """The appliance as the device page sees it. Thread-safe."""

    def __init__(
        self,
        choices_file: ChoicesFile,
        file_config: Config,
        board: Board,
        *,
        live_camera: LiveCamera | None,
        request_restart: Callable[[], None],
        own_log: Callable[[], Sequence[str]],
    ) -> None:
        """Takes what the page reads and controls.

        Args:
            choices_file: the owner's choices.
            file_config: the configuration without these choices.
            board: publishes the table's state.
            live_camera: the camera; None without one.
            request_restart: restarts the program.
            own_log: returns the log lines since this start.
        """
        self._choices_file, self._file_config, self._board = choices_file, file_config, board
        self.live_camera, self.request_restart, self._own_log = live_camera, request_restart, own_log
        self._earlier_update: UpdateStatus | None = None
        """The state of the update before the one that was started."""

    def settings(self) -> Mapping[str, str]:
        """Returns the settings that may be chosen and their values, including choices made since the start."""
        chosen = self._choices_file.choices.applied_to(self._file_config)
        return {name: config_value(name, chosen) for name in DEVICE}

    def choose(self, chosen: Mapping[str, str]) -> None:
        """Stores the owner's choices, which apply from the next start.

        Raises:
            ConfigError: one is not allowed, and none was stored.
            PressError: they cannot be written.
        """
        now = self.settings()
        changed = {name: text for name, text in chosen.items() if value_of(name, text) != value_of(name, now[name])}
        if changed.keys() & set(CAMERA):
            changed |= {name: chosen.get(name, now[name]) for name in CAMERA}
            changed["camera.usb_focus"] = str(CameraConfig().usb_focus)  # belongs to the former camera
        if changed:
            self._store(changed)

    def _store(self, chosen: Mapping[str, str]) -> None:
        try:
            self._choices_file.choose(chosen)
        except ConfigError as error:
            raise PressError(str(error), says="device_unwritten") from error

    def cameras(self) -> Sequence[FoundCamera] | None:
        """Returns the cameras found on this machine; None if a driver does not answer."""
        return found_cameras()

    def sharpness(self) -> int | None:
        """Returns the sharpness of the camera's latest picture, higher if sharper; None without a picture."""
        image = None if self.live_camera is None else self.live_camera.set_up_picture()
        return None if image is None else sharpness_of(image)

    @property
    def has_autofocus(self) -> bool:
        """Whether the camera can focus by itself."""
        return self.live_camera is not None and self.live_camera.configured_camera.has_autofocus

    def focus_once(self) -> None:
        """Focuses the camera once, and stores the result, which also applies after a restart.

        Raises:
            PressError: a hand is being played, there is no such camera, it finds no focus, or the result applies until
                the restart, but cannot be written.
        """
        hand, live_camera = self._board.latest.game.live, self.live_camera
        if hand is not None and hand.has_begun:
            raise PressError("expected no hand being played, got one: end it first", says="hand_first")
        if live_camera is None:
            raise PressError("expected a camera in the configuration, got none", says="no_camera")
        key, value = live_camera.configured_camera.focus_once()
        self._store({f"camera.{key}": f"{value:g}"})

    def ask_machine(self, verb: str) -> None:
        """Restarts the machine or switches it off.

        Raises:
            PressError: it refuses.
        """
        ask(verb)

    @property
    def can_update(self) -> bool:
        """Whether the source of updates is known."""
        return can_update()

    def update(self) -> None:
        """Starts an update of the machine.

        Raises:
            PressError: a game is being played, or the machine refuses.
        """
        game = self._board.latest.game
        is_begun = bool(game.history) or (game.live is not None and game.live.has_begun)
        if is_begun and not game.is_over:
            raise PressError("expected no game being played, got one: end it first", says="game_first")
        earlier = update_status()
        begin_update()
        self._earlier_update = earlier

    def update_status(self) -> UpdateStatus:
        """Returns the state of the last update, `running` if one was just started and has not reported yet."""
        status = update_status()
        return UpdateStatus(state="running") if status == self._earlier_update and is_updating() else status

    def log_of_all_boots(self) -> str:
        """Returns all log lines of this program that the system kept; those since this start if it kept none."""
        return log_of_all_boots(self._own_log())
