"""The health report: the same for the page, for `tachiai check` and, as one JSON object, for other programs.

`ok` is false if anything needs attention; `troubles` names it. The report contains no player's name.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from typing import Any, Final

from table.camera.capture.camera_thread import CameraStatus
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_notice import JournalNotice, refusal_kind
from table.game.snapshot import CameraHealth
from table.health.machine import Machine
from table.rules.terms.amounts import amount
from table.runtime.zip_files import add_text
from vision.errors import ModelError, reason_and_place
from vision.geometry.calibration_file import StoredCalibration
from vision.geometry.visibility.visibility import Fault, Visibility
from vision.reading.weights import Weights, load

MODELS = ("watch", "tiles")
PHOTO_MODELS = ("locate",)
"""The models used only for photographs."""
_IN_CONTRACT: Final = {"says": "tells", "values": "told"}
"""What the JSON contract calls fields of the camera's and the journal's status."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationStatus:
    """How and when the table was found in the picture."""

    when: str
    by: str
    away_mm: float | None = None
    """How far the table is from there in the picture; None if it is there or is not found."""

    @classmethod
    def of(cls, place: StoredCalibration | None, *, away_mm: float | None = None) -> CalibrationStatus | None:
        """Returns the status of a stored calibration."""
        away_mm = None if away_mm is None else round(away_mm)
        return None if place is None else cls(when=place.when, by=place.by, away_mm=away_mm)

    @property
    def is_off(self) -> bool:
        """Whether the table seems to be elsewhere in the picture."""
        return self.away_mm is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearsalResult:
    """The result of the last rehearsal."""

    when: str
    steps: int
    done: int
    right: int
    trust: Mapping[str, str | None]
    """How far each ability can be trusted; None if it was not rehearsed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalStatus:
    """The state of the journal."""

    entries: int | None
    """Number of entries; None if they could not be counted."""
    trouble: str
    waiting: int
    """Number of entries that are not yet on the disk."""
    notes: Sequence[str] = ()
    """Repairs that were made at the start."""
    backup: str | None = None
    """The name of the newest backup."""
    says: str = ""
    """The trouble as the name of the text ``health.why_SAYS``; empty without any, or if no text fits."""

    @classmethod
    def of(
        cls, journal: Journal, notes: Sequence[str], backup: str | None, *, notices: Sequence[JournalNotice] = ()
    ) -> JournalStatus:
        """Returns the state of an open journal."""
        return cls(
            entries=journal.last,
            trouble=journal.trouble,
            waiting=journal.waiting_count,
            notes=notes,
            backup=backup,
            says=refusal_kind(journal, notices) or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelStatus:
    """The state of the panel."""

    kind: str = "none"
    faults: Mapping[str, str] = field(default_factory=dict)
    """Faults of buttons, by name."""
    left_out: Sequence[str] = ()
    """The parts of the panel that cannot be used, each with its reason."""


def models() -> dict[str, str]:
    """Returns the version of each model, or why it cannot be used."""
    found = {}
    for name in MODELS:
        try:
            found[name] = load(name).manifest.version
        except ModelError as error:
            found[name] = str(error)
    return found


def model_faults(try_model: Callable[[Weights], object] = lambda _: None) -> dict[str, str]:
    """Returns why models cannot be used, by name; models for photos are included.

    Args:
        try_model: a further test of each intact model, such as running it.
    """
    found = {}
    for name in (*MODELS, *PHOTO_MODELS):
        try:
            try_model(load(name))
        except Exception as error:  # whatever onnxruntime raises, or that it is missing
            found[name] = reason_and_place(error)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The health of an appliance."""

    name: str
    now: str
    """The time of day, ISO 8601."""
    version: str = field(default_factory=lambda: version("tachiai"))
    problems: Sequence[str] = ()
    """Mistakes in the configuration."""
    camera: CameraStatus | None = None
    """None: no camera is configured."""
    calibration: CalibrationStatus | None = None
    sight: Visibility | None = None
    """How well the camera sees the table; None if unknown."""
    rehearsed: RehearsalResult | None = None
    models: Mapping[str, str] = field(default_factory=models)
    model_faults: Mapping[str, str] = field(default_factory=model_faults)
    """Why models cannot be used, by name."""
    has_pin: bool | None = None
    """Whether the owner chose a PIN; None if unknown."""
    machine: Machine
    journal: JournalStatus
    panel: PanelStatus = field(default_factory=PanelStatus)
    broker: str | None = None
    """`connected` or `away`; None: no broker is configured."""

    @property
    def is_ok(self) -> bool:
        """Whether nothing needs attention."""
        return not self.troubles

    @property
    def troubles(self) -> list[str]:
        """What needs attention, as short names."""
        return [*self._troubles(), *self.machine.troubles]

    def _troubles(self) -> Iterator[str]:
        if self.problems:
            yield "configuration"
        if self.journal.trouble or self.journal.notes:
            yield "journal"
        if self.camera is not None and self.camera.state is CameraHealth.LOST:
            yield "camera"
        if self.calibration is not None and self.calibration.is_off:
            yield "place"  # the sight was judged for another place, so it is not reported
        elif self.sight is not None and self.sight.fault is not None:
            yield f"sight_{self.sight.fault}"
        if self.panel.faults or self.panel.left_out:
            yield "panel"
        if self.broker == "away":
            yield "broker"
        if self.model_faults:
            yield "models"
        if self.has_pin is False:
            yield "pin"

    def as_json(self) -> dict[str, Any]:
        """Returns the health as in the JSON contract."""
        line = {"ok": self.is_ok, "troubles": self.troubles, **asdict(self)}
        line["machine"]["troubles"] = list(self.machine.troubles)
        line["journal"] = _contract_fields(line["journal"])
        if line["camera"] is not None:
            del line["camera"]["looking_s"]
            line["camera"] = _contract_fields(line["camera"])
        if self.sight is not None:
            line["sight"]["fault"] = self.sight.fault
        return line

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Health:
        """Reads what `as_json` wrote.

        Raises:
            LookupError, TypeError, ValueError: the object was written by another version.
        """
        machine, camera, found, rehearsed = line["machine"], line["camera"], line["calibration"], line["rehearsed"]
        sight = line.get("sight")
        names = ("name", "now", "version", "problems", "models", "model_faults", "has_pin", "broker")
        return cls(
            **{name: line[name] for name in names},
            machine=Machine(**{name: value for name, value in machine.items() if name != "troubles"}),
            camera=None if camera is None else _camera_status(camera),
            calibration=None if found is None else CalibrationStatus(**found),
            sight=None if sight is None else Visibility(**{name: sight[name] for name in sight if name != "fault"}),
            rehearsed=None if rehearsed is None else RehearsalResult(**rehearsed),
            journal=JournalStatus(**_own_fields(line["journal"])),
            panel=PanelStatus(**line["panel"]),
        )


def _contract_fields(status: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields of a status under their names in the contract."""
    return {_IN_CONTRACT.get(name, name): value for name, value in status.items()}


def _own_fields(line: Mapping[str, Any]) -> dict[str, Any]:
    """Reverses `_contract_fields`."""
    own_names = {name: own_name for own_name, name in _IN_CONTRACT.items()}
    return {own_names.get(name, name): value for name, value in line.items()}


def _camera_status(line: Mapping[str, Any]) -> CameraStatus:
    return CameraStatus(**{**_own_fields(line), "state": CameraHealth(line["state"])})


def rounded_status(status: CameraStatus | None) -> CameraStatus | None:
    """Returns the camera's status, rounded to significant digits."""
    if status is None:
        return None
    age = None if status.age_s is None else round(status.age_s, 1)
    mean, longest = round(status.look_ms, 1), round(status.look_ms_most, 1)
    return replace(status, fps=round(status.fps, 1), age_s=age, look_ms=mean, look_ms_most=longest)


def support_bundle(health: Health, log: Sequence[str]) -> bytes:
    """Returns a ZIP for troubleshooting: the health and the last lines of the log."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        add_text(archive, "health.json", json.dumps(health.as_json(), indent=2, ensure_ascii=False))
        add_text(archive, "log.txt", "\n".join(log) + "\n")
    return file.getvalue()


def _entries_text(entries: int | None) -> str:
    return "entries unknown" if entries is None else amount(entries, "entry")


def report_text(health: Health) -> str:
    """Returns the health as lines for a terminal."""
    machine, journal, panel = health.machine, health.journal, health.panel
    power = ", ".join(machine.power) or ("no complaints" if machine.is_power_known else "unknown")
    heat = "unknown" if machine.heat_c is None else f"{machine.heat_c:.0f} °C"
    clock = {True: "set from the network", False: "NOT set from the network", None: "unknown"}[machine.is_clock_set]
    lines = [
        f"table        {health.name}, version {health.version}, on {machine.model}",
        f"camera       {_camera_line(health.camera)}",
        f"calibration  {_calibration_line(health.calibration)}",
        f"sight        {_sight_line(health.sight)}",
        f"rehearsal    {_rehearsal_line(health.rehearsed)}",
        f"models       {', '.join(f'{name} {found}' for name, found in health.models.items())}",
        f"panel        {panel.kind}" + "".join(f"; {button}: {fault}" for button, fault in panel.faults.items()),
        f"journal      {_entries_text(journal.entries)}, last backup: {journal.backup or 'none'} {journal.trouble}",
        f"disk         {'unknown' if machine.disk_free_mb is None else f'{machine.disk_free_mb} MB free'}",
        f"heat         {heat}; power: {power}",
        f"clock        {clock}",
    ]
    if health.has_pin is not None:
        lines.append(f"PIN          {'chosen' if health.has_pin else 'none: whoever opens the page first chooses it'}")
    faults = [f"the model {name} cannot be used: {reason}" for name, reason in health.model_faults.items()]
    problems = (*health.problems, *faults, *panel.left_out, *journal.notes)
    lines += [f"problem      {problem}" for problem in problems]
    return "\n".join([*lines, "all is well" if health.is_ok else f"needs attention: {', '.join(health.troubles)}"])


def _camera_line(camera: CameraStatus | None) -> str:
    if camera is None:
        return "none configured"
    if camera.why:
        return f"{camera.state.value}: {camera.why}"
    return f"{camera.state.value}, {camera.fps} frames per second, {camera.look_ms} ms per frame"


def _rehearsal_line(result: RehearsalResult | None) -> str:
    if result is None:
        return "none yet"
    return f"{result.done} of {result.steps} steps, {result.right} of them read correctly, {result.when}"


_SIGHT_FAULTS: Final[Mapping[Fault, str]] = {
    "border": "a corner of the table is at the picture's border: hang the camera higher or over the table's middle",
    "dark": "it is too dark to read tiles reliably: put more light over the table",
    "glare": "the picture is too bright to read tiles: lower the exposure, or turn the lamp away",
    "far": "tiles are too small in the picture to be read reliably: hang the camera closer, or use larger pictures",
    "behind": "the camera stands behind a player, whose hand laid open is never read: put it higher, or nearer to the "
    "table at one of its corners",
    "blurred": "the picture is not sharp enough to read tiles reliably: focus the lens, and wipe it",
}


def _sight_line(sight: Visibility | None) -> str:
    if sight is None:
        return "not judged: no picture shows the table yet"
    measured = f"{sight.px_per_mm} pixels per mm, brightness {sight.brightness:.0f} of 255, blur {sight.blur_mm} mm"
    return measured if sight.fault is None else f"{measured}: {_SIGHT_FAULTS[sight.fault]}"


def _calibration_line(found: CalibrationStatus | None) -> str:
    if found is None:
        return "none: run tachiai calibrate"
    off = f"; the table seems to be {found.away_mm:.0f} mm away: find it again in the set-up" if found.is_off else ""
    return f"by {found.by}, {found.when}{off}"
