"""Makes the configured devices of an appliance and what serves them; nothing of it runs yet."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from table.appliance.machine.device_control import DeviceControl
from table.appliance.parts.appliance_basis import ApplianceBasis
from table.appliance.setup.setup_wizard import SetupWizard
from table.camera.clips.clip_recorder import ClipRecorder
from table.camera.correction_learning import CorrectionLearning
from table.camera.live_camera import LiveCamera
from table.dashboard.owner.clip_pages import MEGABYTE
from table.game.journal.authors import seated_author
from table.panel.panel_driver import PanelDriver
from table.panel.panel_port import Panel
from table.runtime.table_errors import ConfigError, PressError
from vision.recording.frame_buffer import FrameBuffer

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of an appliance; None for one that is not configured or cannot be used."""

    live_camera: LiveCamera | None
    clip_recorder: ClipRecorder | None
    learning: CorrectionLearning | None
    panel: PanelDriver | None
    setup_wizard: SetupWizard
    device: DeviceControl
    problems: tuple[str, ...]
    """Why a configured part is left out."""


def make_parts(
    basis: ApplianceBasis,
    make_panel: Callable[[], Panel] | None,
    stack: ExitStack,
    *,
    own_log: Callable[[], tuple[str, ...]],
) -> Parts:
    """Returns the parts, of which only the panel is opened.

    Args:
        basis: the table.
        make_panel: opens the panel; None without one.
        stack: closes the panel, even if the appliance does not start.
        own_log: returns the log lines since this start.
    """
    recorder, live_camera, learning = _camera_parts(basis)
    panel, problem = (None, "") if make_panel is None else _panel(basis, make_panel, recorder, stack)
    return Parts(
        live_camera=live_camera,
        clip_recorder=recorder,
        learning=learning,
        panel=panel,
        setup_wizard=SetupWizard(
            basis.config,
            basis.choices_file,
            basis.table.board,
            live_camera=live_camera,
            panel=panel,
            play_as=basis.loop.send,
            handle=basis.loop.handle,
        ),
        device=DeviceControl(
            basis.choices_file,
            basis.file_config,
            basis.table.board,
            live_camera=live_camera,
            request_restart=basis.program_end.request_restart,
            own_log=own_log,
        ),
        problems=(problem,) if problem else (),
    )


def _camera_parts(
    basis: ApplianceBasis,
) -> tuple[ClipRecorder | None, LiveCamera | None, CorrectionLearning | None]:
    """Returns what keeps the camera's last minutes, the camera, and what learns from corrections of its readings."""
    config, table, loop = basis.config, basis.table, basis.loop
    if config.camera.source == "none":
        return None, None, None

    def crop(number: int) -> bytes | None:  # the recorder watches the camera and shows its tiles
        return live_camera.tile_picture(number)

    recorder = _recorder(basis, crop) if config.clips.seconds else None
    live_camera = LiveCamera(
        config,
        loop,
        basis.clock,
        observers=() if recorder is None else (recorder.observe,),
        is_between_hands=lambda: _is_between_hands(basis),
        has_gap=lambda: _has_gap(basis),
    )
    table.board.call_on_change(live_camera.camera_thread.pace.wake)
    learning = CorrectionLearning(
        table.board, loop.entries, live_camera.tile_sets, example=live_camera.example, after=table.journal.last
    )
    return recorder, live_camera, learning


def _recorder(basis: ApplianceBasis, crop: Callable[[int], bytes | None]) -> ClipRecorder:
    clips, tiles = basis.config.clips, basis.config.tiles
    return ClipRecorder(
        FrameBuffer(seconds=clips.seconds, most_bytes=clips.memory_mb * MEGABYTE, fps=clips.fps),
        basis.clips,
        fps=clips.fps,
        tile=tiles.size,
        red=tiles.red,
        board=basis.table.board,
        inbox=basis.loop,
        crop=crop,
    )


def _is_between_hands(basis: ApplianceBasis) -> bool:
    hand = basis.table.board.latest.game.live
    return hand is None or hand.discards == 0


def _has_gap(basis: ApplianceBasis) -> bool:
    hand = basis.table.board.latest.game.live
    return hand is not None and hand.gap is not None


def _panel(
    basis: ApplianceBasis, make_panel: Callable[[], Panel], recorder: ClipRecorder | None, stack: ExitStack
) -> tuple[PanelDriver | None, str]:
    """Opens the panel; returns its driver, or None and the reason if it cannot be used."""
    settings = basis.config.panel
    try:
        panel = make_panel()
    except ConfigError as error:
        _log.error("the panel is left out: %s", error)
        return None, f"the panel is left out: {error}"
    stack.callback(panel.close)
    driver = PanelDriver(
        panel,
        basis.table.board,
        basis.loop.handle,
        flag=lambda seat: flag(recorder, seated_author(seat)),
        hold_s=settings.hold_s,
        brightness=settings.brightness,
    )
    return driver, ""


def flag(recorder: ClipRecorder | None, by: str) -> float:
    """Saves the camera's last minutes as a clip; returns its length in seconds.

    Raises:
        PressError: nothing has been seen yet, or clips are turned off.
    """
    if recorder is None:
        raise PressError("expected a camera and [clips] seconds above 0, got no pictures to keep", says="no_moment")
    return recorder.flag(by)
