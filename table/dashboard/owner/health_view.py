"""The content of the health page, in the catalogue's words. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final

from table.camera.capture.camera_thread import CameraStatus
from table.dashboard.web.view import View
from table.game.snapshot import CameraHealth
from table.health.health_report import CalibrationStatus, Health, JournalStatus, PanelStatus, RehearsalResult
from table.health.machine import Machine
from table.i18n import Catalogue
from table.runtime.clock import local_time

Row = tuple[str, str, bool]
"""A name, its present value, and whether it needs attention."""
_COPY: Final = re.compile(r".+-0*(\d+)-(\d{4}-\d\d-\d\d)(?:\.table-\d+)?(?:\.format-\d+)?\.backup")


def health_view(health: Health, texts: Catalogue) -> View:
    """Returns the health as rows, and what needs attention as sentences."""
    return {
        "ok": health.is_ok,
        "troubles": [_trouble(trouble, health.calibration, texts) for trouble in health.troubles],
        "problems": [
            *health.problems,
            *_technical_reasons(health),
            *health.panel.left_out,
            *health.journal.notes,
        ],
        "rows": [
            {"name": texts.text(f"health.{name}"), "value": value, "is_bad": is_bad}
            for name, value, is_bad in _rows(health, texts)
        ],
    }


def _trouble(trouble: str, calibration: CalibrationStatus | None, texts: Catalogue) -> str:
    """Returns what needs attention; for a table that is seen badly or has moved, also what to do."""
    if trouble == "place" and calibration is not None:
        return texts.text("health.trouble_place", mm=calibration.away_mm, find=texts.text("wizard.place_find"))
    return texts.text(
        trouble.replace("sight_", "sight.") if trouble.startswith("sight_") else f"health.trouble_{trouble}"
    )


def copies_view(copies: Mapping[str, str], texts: Catalogue) -> list[View]:
    """Returns each backup with its last entry's number, and when it was made.

    Args:
        copies: when each backup was made, ISO 8601, by its name. If the file was copied on a later day, only the day
            in its name is shown.
        texts: the page's language.
    """
    found = [(name, local_time(time), _COPY.fullmatch(name)) for name, time in copies.items()]
    backups = [
        (name, time if time.startswith(match[2]) else match[2], match[1])
        for name, time, match in found
        if match is not None
    ]
    return [
        {"name": name, "when": when, "entry": entry, "sure": texts.text("health.restore_sure", when=when, entry=entry)}
        for name, when, entry in backups
    ]


def _technical_reasons(health: Health) -> Iterator[str]:
    """Yields why the camera is lost, and why nothing can be saved, if their rows say in plain words what to do."""
    camera, journal = health.camera, health.journal
    if camera is not None and camera.says:
        yield camera.why
    if journal.says and journal.trouble not in journal.notes:
        yield journal.trouble


def _rows(health: Health, texts: Catalogue) -> Iterator[Row]:
    none = texts.text("health.none")
    if health.camera is None:
        yield "camera", none, False
    else:
        yield from _camera(health.camera, texts)
        calibration, result = health.calibration, health.rehearsed
        is_off = calibration is not None and calibration.is_off
        yield "calibration", none if calibration is None else _calibration_text(calibration, health.now, texts), is_off
        yield "rehearsed", none if result is None else _rehearsal_text(result, texts), False
    yield from _machine(health.machine, texts)
    panel = health.panel
    yield "panel", _panel(panel, texts) or none, bool(panel.faults or panel.left_out)
    yield from _journal(health.journal, texts)
    if health.broker is not None:
        yield "broker", texts.text(f"health.broker_{health.broker}"), health.broker == "away"
    models = (texts.text(f"health.model_{name}", version=version) for name, version in health.models.items())
    yield "models", " · ".join(models), bool(health.model_faults)
    yield "version", health.version, False


def _camera(camera: CameraStatus, texts: Catalogue) -> Iterator[Row]:
    is_lost, age = camera.state is CameraHealth.LOST, camera.age_s
    reason = texts.text(f"health.why_{camera.says}", **camera.values) if camera.says else camera.why
    yield "camera", texts.text(f"health.camera_{camera.state.value}", why=reason), is_lost
    yield "rate", texts.text("health.rate_idle", rate=camera.fps) if camera.is_idle else str(camera.fps), False
    yield "age", texts.text("health.unknown") if age is None else texts.text("health.ago", seconds=age), is_lost
    yield "look", texts.text("health.ms", ms=round(camera.look_ms), most=round(camera.look_ms_most)), False


def _calibration_text(calibration: CalibrationStatus, now: str, texts: Catalogue) -> str:
    """Returns when and how the table was found, and how many days ago if both clocks can be trusted."""
    how = texts.text(f"health.found_{calibration.by}") if calibration.by in ("hand", "picture", "drawing") else ""
    when = f"{local_time(calibration.when)} {how}".strip()
    try:
        days = (datetime.fromisoformat(now) - datetime.fromisoformat(calibration.when)).days
    except (TypeError, ValueError):
        return when
    return texts.list_text((when, texts.text("health.days", days=days))) if days > 0 else when


def _rehearsal_text(result: RehearsalResult, texts: Catalogue) -> str:
    counts = {"done": result.done, "steps": result.steps, "right": result.right}
    return texts.text("health.rehearsed_said", **counts, when=local_time(result.when))


def _machine(machine: Machine, texts: Catalogue) -> Iterator[Row]:
    unknown = texts.text("health.unknown")
    heat, disk, memory = machine.heat_c, machine.disk_free_mb, machine.memory_mb
    power = [texts.text(f"health.{fault}") for fault in machine.power]
    clock = {True: "health.clock_set", False: "health.clock_unset", None: "health.clock_own"}[machine.is_clock_set]
    yield "computer", machine.model if machine.has_name else texts.text("health.computer_plain"), False
    yield "heat", unknown if heat is None else f"{heat:.0f} °C", "heat" in machine.troubles
    is_weak = any(not fault.endswith("_before") for fault in machine.power)
    good = texts.text("health.power_good") if machine.is_power_known else unknown
    yield "power", texts.list_text(power) or good, is_weak
    yield "disk", unknown if disk is None else f"{disk / 1000:.1f} GB", "disk" in machine.troubles
    yield "memory", unknown if memory is None else f"{memory:.0f} MB", False
    yield "clock", texts.text(clock), False


def _panel(panel: PanelStatus, texts: Catalogue) -> str:
    faults = [
        texts.text(f"health.fault_{fault}", button=_button(button, texts)) for button, fault in panel.faults.items()
    ]
    kind = () if panel.kind == "none" else (texts.name("health", f"panel_{panel.kind}"),)
    return texts.list_text([*kind, *faults])


def _button(name: str, texts: Catalogue) -> str:
    """Returns a button as the trial of the panel calls it: `win 2` is "Win 3"."""
    kind, _, seat = name.partition(" ")
    words = texts.text(f"wizard.button_{kind}")
    return f"{words} {int(seat) + 1}" if seat else words


def _journal(journal: JournalStatus, texts: Catalogue) -> Iterator[Row]:
    parts = [texts.text("health.entries", count=journal.entries)]
    if journal.waiting:
        parts.append(texts.text("health.waiting", count=journal.waiting))
    if journal.trouble:
        parts.append(texts.text(f"health.why_{journal.says}") if journal.says else journal.trouble)
    yield "journal", texts.list_text(parts), bool(journal.trouble)
