"""`tachiai check`: says how the appliance is: configuration, camera, models, panel, journal, disk, heat and clock."""

from __future__ import annotations

import argparse
import json
import logging
import os
import ssl
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from time import monotonic
from typing import Any

from table.appliance.appliance import JOURNAL, panel_of
from table.appliance.setup.setup_wizard import last_rehearsal
from table.camera.camera_thread import CameraStatus
from table.camera.live_camera import open_camera, stored_calibration
from table.cli.appliance_options import add_place, loaded_at
from table.config import Config, Loaded
from table.game.journal.journal import Journal
from table.game.journal.journal_backup import backups
from table.game.journal.journal_check import trouble_in
from table.game.snapshot import CameraHealth
from table.health.health_report import CalibrationStatus, Health, JournalStatus, PanelStatus, report, rounded
from table.health.machine import read_machine
from table.runtime.clock import SystemClock
from table.runtime.table_errors import ConfigError, JournalError
from vision.errors import VisionError

FRAMES = 10


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "check",
        help="say how the appliance is",
        description="Says how the appliance is, and what to look after. Asks the table if it runs; otherwise tries "
        "camera and panel itself. Reads the whole journal and follows its last game, as the table does when it starts. "
        "Ends with 1 where something is to be looked after.",
    )
    add_place(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Checks."""
    loaded = loaded_at(args)
    path = loaded.config.folder / JOURNAL
    trouble = trouble_in(path) if os.access(path, os.R_OK) else ""
    asked = _asked(loaded.config)
    health = _tried(loaded, trouble) if asked is None else _with(asked[0], trouble)
    log = {} if asked is None else {"log": asked[1]}
    print(json.dumps({**health.as_json(), **log}, ensure_ascii=False) if args.json else report(health))
    return 0 if health.is_ok else 1


def _asked(config: Config) -> tuple[Health, list[str]] | None:
    """What the running table says, with its last log lines; None where none runs."""
    page = config.page
    scheme = "https" if page.tls_cert else "http"
    trusting = ssl._create_unverified_context()  # noqa: S323 - it is this machine's own certificate
    try:
        url = f"{scheme}://127.0.0.1:{page.port}/api/health"
        with urllib.request.urlopen(url, timeout=5, context=trusting) as answer:  # noqa: S310 - our own page
            line: Any = json.load(answer)
        health, log = Health.from_json(line), line["log"]
    except (OSError, LookupError, TypeError, ValueError):
        return None
    return (health, log) if health.name == config.table.name else None


def _with(health: Health, trouble: str) -> Health:
    """What a running table says, with what is wrong in its journal: it would not start again."""
    if not trouble:
        return health
    return replace(health, journal=replace(health.journal, notes=[*health.journal.notes, trouble]))


def _tried(loaded: Loaded, trouble: str) -> Health:
    """Tries every part by itself; `trouble` is what is wrong in the journal."""
    config, problems = loaded.config, [*loaded.problems, *loaded.warnings]
    log = logging.getLogger()
    with ExitStack() as stack:
        stack.callback(log.setLevel, log.level)
        log.setLevel(logging.ERROR)
        journal = stack.enter_context(Journal(None))
        path = config.folder / JOURNAL
        notes = [trouble] if trouble else []
        try:
            if path.exists():
                journal = stack.enter_context(Journal(path))
        except JournalError as error:
            notes = notes or [str(error)]
        left_out: Sequence[str] = ()
        try:
            if config.panel.kind == "gpio":
                panel = panel_of(config.panel)
                left_out = panel.left_out
                panel.close()
        except ConfigError as error:
            problems.append(f"the panel cannot be used: {error}")
        copies = backups(config.folder / "backups", path.stem)
        return Health(
            name=config.table.name,
            now=SystemClock().utc(),
            machine=read_machine(config.folder),
            journal=JournalStatus.of(journal, notes, copies[0].name if copies else None),
            problems=problems,
            camera=None if config.camera.source == "none" else rounded(_camera_status(config)),
            calibration=CalibrationStatus.of(stored_calibration(config)),
            rehearsed=last_rehearsal(config.folder),
            panel=PanelStatus(kind=config.panel.kind, left_out=left_out),
        )


def _camera_status(config: Config) -> CameraStatus:
    """Takes a few frames."""
    try:
        with open_camera(config.camera) as camera:
            frames = camera.frames()
            first = next(frames, None)
            begun = monotonic()
            more = len(list(islice(frames, FRAMES)))
    except VisionError as error:
        return CameraStatus(state=CameraHealth.LOST, why=str(error))
    if first is None:
        return CameraStatus(state=CameraHealth.LOST, why="the camera gives no frames")
    spent = monotonic() - begun
    return CameraStatus(state=CameraHealth.OK, frames=1 + more, fps=more / spent if spent > 0 else 0.0, age_s=0.0)
