"""How the appliance is, as one JSON object: the same for the page, for `tachiai check` and for other programs.

`ok` is false as soon as somebody should look after something; `troubles` names it. No player's name is in it.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

from table.camera.camera_thread import Sight
from table.game.journal.journal import Journal
from table.game.snapshot import CameraHealth
from table.health.machine import Machine
from table.panel.buttons import Fault
from table.panel.panel_port import Button
from vision.errors import ModelError
from vision.geometry.calibration_file import Kept
from vision.reading.weights import load

Health = dict[str, Any]
MODELS = ("watch", "tiles")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What the health is made of."""

    name: str
    now: str
    """The time of day, ISO 8601."""
    machine: Machine
    journal: Journal
    problems: Sequence[str] = ()
    """What is wrong in the configuration."""
    notes: Sequence[str] = ()
    """What had to be done for the journal at the start."""
    sight: Sight | None = None
    """None: no camera is configured."""
    calibration: Kept | None = None
    rehearsed: Mapping[str, Any] | None = None
    """What the last rehearsal said; None where there was none."""
    panel: str = "none"
    faults: Mapping[Button, Fault] | None = None
    left_out: Sequence[str] = ()
    """What of the panel cannot be used, each with its reason."""
    backup: str | None = None
    """The newest backup's name."""
    broker: str | None = None
    """`connected` or `away`; None: no broker is configured."""


def health(parts: Parts) -> Health:
    """Returns the health of an appliance from its parts."""
    faults = {str(button): fault.value for button, fault in (parts.faults or {}).items()}
    troubles = [
        *(["configuration"] if parts.problems else []),
        *(["journal"] if parts.journal.trouble or parts.notes else []),
        *(["camera"] if parts.sight is not None and parts.sight.state is CameraHealth.LOST else []),
        *(["panel"] if faults or parts.left_out else []),
        *(["broker"] if parts.broker == "away" else []),
        *parts.machine.troubles,
    ]
    return {
        "ok": not troubles,
        "troubles": troubles,
        "name": parts.name,
        "now": parts.now,
        "version": version("tachiai"),
        "problems": list(parts.problems),
        "camera": None if parts.sight is None else _camera(parts.sight),
        "calibration": None
        if parts.calibration is None
        else {"when": parts.calibration.when, "by": parts.calibration.by},
        "rehearsed": None if parts.rehearsed is None else dict(parts.rehearsed),
        "models": models(),
        "machine": {**asdict(parts.machine), "troubles": list(parts.machine.troubles)},
        "journal": {
            "entries": parts.journal.last,
            "trouble": parts.journal.trouble,
            "waiting": parts.journal.waiting,
            "notes": list(parts.notes),
            "backup": parts.backup,
        },
        "panel": {"kind": parts.panel, "faults": faults, "left_out": list(parts.left_out)},
        "broker": parts.broker,
    }


def models() -> dict[str, str]:
    """The models in use with their versions, or why one cannot be used."""
    found = {}
    for name in MODELS:
        try:
            found[name] = load(name).manifest.version
        except ModelError as error:
            found[name] = str(error)
    return found


def bundle(told: Health, log: Sequence[str]) -> bytes:
    """Returns everything that somebody who helps needs, as a ZIP: the health and the last lines of the log."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("health.json", json.dumps(told, indent=2, ensure_ascii=False))
        archive.writestr("log.txt", "\n".join(log) + "\n")
    return file.getvalue()


def report(told: Health) -> str:
    """Returns the health as lines for a terminal."""
    machine, journal, camera = told["machine"], told["journal"], told["camera"]
    heat = "unknown" if machine["heat_c"] is None else f"{machine['heat_c']:.0f} °C"
    clock = {True: "set from the network", False: "NOT set from the network", None: "unknown"}[machine["is_clock_set"]]
    lines = [
        f"table        {told['name']}, version {told['version']}, on {machine['model']}",
        f"camera       {'none configured' if camera is None else _camera_line(camera)}",
        f"calibration  {_calibration_line(told['calibration'])}",
        f"rehearsal    {_rehearsal_line(told['rehearsed'])}",
        f"models       {', '.join(f'{name} {found}' for name, found in told['models'].items())}",
        f"panel        {told['panel']['kind']}" + "".join(f"; {b}: {f}" for b, f in told["panel"]["faults"].items()),
        f"journal      {journal['entries']} entries, last backup: {journal['backup'] or 'none'} {journal['trouble']}",
        f"disk         {machine['disk_free_mb']} MB free",
        f"heat         {heat}; power: {', '.join(machine['power']) or 'no complaints'}",
        f"clock        {clock}",
    ]
    lines += [
        f"problem      {problem}" for problem in (*told["problems"], *told["panel"]["left_out"], *journal["notes"])
    ]
    return "\n".join([*lines, "all is well" if told["ok"] else f"look after: {', '.join(told['troubles'])}"])


def _camera(sight: Sight) -> Health:
    return {
        "state": sight.state.value,
        "why": sight.why,
        "frames": sight.frames,
        "fps": round(sight.fps, 1),
        "age_s": None if sight.age_s is None else round(sight.age_s, 1),
        "look_ms": round(sight.look_ms, 1),
        "look_ms_most": round(sight.look_ms_most, 1),
    }


def _camera_line(camera: Mapping[str, Any]) -> str:
    if camera["why"]:
        return f"{camera['state']}: {camera['why']}"
    return f"{camera['state']}, {camera['fps']} frames a second, a look takes {camera['look_ms']} ms"


def _rehearsal_line(rehearsed: Mapping[str, Any] | None) -> str:
    return (
        "none yet" if rehearsed is None else f"{rehearsed['right']} of {rehearsed['steps']} right, {rehearsed['when']}"
    )


def _calibration_line(kept: Mapping[str, Any] | None) -> str:
    return "none: run tachiai calibrate" if kept is None else f"by {kept['by']}, {kept['when']}"
