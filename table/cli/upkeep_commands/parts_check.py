"""Tries the parts of a table: its folder, its journal, its panel and its camera, each on its own."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic
from typing import Final

from table.appliance.configured_panel import panel_of
from table.appliance.files.data_folder import JOURNAL
from table.appliance.setup.setup_wizard import last_rehearsal
from table.camera.capture.camera_thread import CameraStatus
from table.camera.capture.configured_camera import open_camera
from table.camera.table_place.table_calibration import far_off_mm, stored_calibration
from table.cli.streams.output_files import check_folder
from table.config import Config, LoadedConfig, PanelConfig
from table.game.journal.recovery.journal_backup import BACKUPS, backups
from table.game.journal.recovery.journal_check import journal_trouble
from table.game.journal.recovery.journal_files import copied_to_memory, verify_journal
from table.game.journal.storage.journal_lock import is_in_use
from table.game.journal.storage.journal_mark import lost_end
from table.game.snapshot import CameraHealth
from table.health.health_report import CalibrationStatus, Health, JournalStatus, PanelStatus, rounded_status
from table.health.machine import read_machine
from table.runtime.clock import SystemClock
from table.runtime.table_errors import ConfigError
from vision.errors import VisionError, reason
from vision.geometry.calibration_file import StoredCalibration
from vision.geometry.visibility.visibility import Visibility, visibility

MORE_FRAMES: Final = 10
"""Number of frames taken after the first."""
BLANK_DEVIATION: Final = 1.0
"""Standard deviation of pixel values (0–255) below which a picture is considered blank."""
PROBE_BYTES: Final = 65536
"""Bytes written to test whether the disk accepts writes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraTrial:
    """What a few frames of a camera show."""

    status: CameraStatus
    visibility: Visibility | None = None
    """How well the last frame shows the table; None if that is unknown."""
    away_mm: float | None = None
    """Distance of the table from its stored place; None if it is small or unknown."""


def health_of_parts(loaded: LoadedConfig, entries: int | None, trouble: str) -> Health:
    """Tests every part on its own, except the journal, which was read before; returns the health.

    Args:
        loaded: the configuration, with its mistakes.
        entries: the number of the journal's entries; None if they could not be counted.
        trouble: what is wrong with the journal; empty if it is sound.
    """
    config, path = loaded.config, loaded.config.folder / JOURNAL
    problems = [*loaded.problems, *loaded.warnings, *_folder_problems(config, config.page.port)]
    is_free = not is_in_use(path)
    log = logging.getLogger()
    with ExitStack() as stack:
        stack.callback(log.setLevel, log.level)
        log.setLevel(logging.ERROR)
        left_out = _try_panel(config.panel, problems) if is_free else ()
        is_watched = is_free and config.camera.source != "none"
        place = stored_calibration(config)
        trial = _try_camera(config, place) if is_watched else None
        return Health(
            name=config.table.name,
            now=SystemClock().utc(),
            machine=read_machine(config.folder),
            journal=_journal_status(config, entries, trouble),
            problems=problems,
            camera=None if trial is None else rounded_status(trial.status),
            calibration=CalibrationStatus.of(place, away_mm=None if trial is None else trial.away_mm),
            sight=None if trial is None else trial.visibility,
            rehearsed=last_rehearsal(config.folder),
            panel=PanelStatus(kind=config.panel.kind, left_out=left_out),
        )


def _try_panel(settings: PanelConfig, problems: list[str]) -> Sequence[str]:
    """Opens a wired panel once; returns the parts left out of it, or adds to `problems` why it cannot be used."""
    if settings.kind not in ("gpio", "usb"):
        return ()
    try:
        panel = panel_of(settings)
    except ConfigError as error:
        problems.append(f"the panel cannot be used: {error}")
        return ()
    panel.close()
    return panel.left_out


def journal_state(path: Path, count: Callable[[float], bool]) -> tuple[int | None, str]:
    """Returns how many entries the journal holds and what is wrong with it; empty if it is sound or not begun.

    The number is None if they could not be counted.

    If no table uses the journal, a copy is read: SQLite creates files beside a database it reads, and these would
    belong to this user instead of the table's.

    Args:
        path: the journal's file.
        count: called after each game that was followed, with the seconds it took.
    """
    try:
        if not path.exists():
            lost_entries = lost_end(path)
            return 0, "" if lost_entries is None else lost_entries.text
        if is_in_use(path):
            trouble = journal_trouble(path, on_game=count)
            return None if trouble else verify_journal(path), trouble
        with copied_to_memory(path) as copy:
            trouble = journal_trouble(copy, folder=path.parent / BACKUPS, on_game=count)
            return None if trouble else verify_journal(copy), trouble.replace(str(copy), str(path))
    except OSError as error:
        return None, f"expected a readable journal, got {path}: {reason(error)}"


def _folder_problems(config: Config, port: int) -> Iterator[str]:
    """Yields what is wrong with the table's data folder, and that a table which does not answer uses it."""
    folder = config.folder
    if not folder.is_dir():
        if folder.exists():
            yield f"expected the table's folder, got a file, at {folder}"
            return
        try:
            check_folder(folder)
        except ConfigError as error:
            yield str(error)
        else:
            yield f"expected the table's folder, got none, at {folder}: it is created when the table is started"
        return
    if is_in_use(folder / JOURNAL):
        yield (
            f"a table runs here and does not answer at port {port}: its camera and its panel were not tried; "
            "--port names another port"
        )
    try:
        with TemporaryFile(dir=folder) as file:
            file.write(bytes(PROBE_BYTES))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        yield f"expected a writable folder, got {folder}: {reason(error)}"


def _journal_status(config: Config, entries: int | None, trouble: str) -> JournalStatus:
    copies = backups(config.folder / BACKUPS, Path(JOURNAL).stem)
    return JournalStatus(
        entries=entries,
        trouble="",
        waiting=0,
        notes=[trouble] if trouble else [],
        backup=copies[0].name if copies else None,
    )


def _try_camera(config: Config, place: StoredCalibration | None) -> CameraTrial:
    """Returns what a few frames of the camera show."""
    try:
        with open_camera(config.camera) as camera:
            frames = camera.frames()
            first = next(frames, None)
            start = monotonic()
            more = list(islice(frames, MORE_FRAMES))
    except VisionError as error:
        return _lost_camera(str(error), error.says, error.values)
    if first is None:
        return _lost_camera("the camera delivers no frames", "no_frames")
    if all(float(frame.image.std()) < BLANK_DEVIATION for frame in (first, *more)):
        return _lost_camera("the picture is blank: is the lens covered?", "even")
    spent = monotonic() - start
    fps = len(more) / spent if spent > 0 else 0.0
    status = CameraStatus(state=CameraHealth.OK, frames=1 + len(more), fps=fps, age_s=0.0)
    last = (first, *more)[-1]
    if place is None or last.image.shape[1::-1] != place.size:
        return CameraTrial(status=status)
    table_visibility = visibility(last.image, place.calibration.with_lens(config.camera.lens(place.size)))
    return CameraTrial(status=status, visibility=table_visibility, away_mm=far_off_mm(place, last.image))


def _lost_camera(reason_text: str, says: str, values: Mapping[str, str] | None = None) -> CameraTrial:
    return CameraTrial(status=CameraStatus(state=CameraHealth.LOST, why=reason_text, says=says, values=values or {}))
