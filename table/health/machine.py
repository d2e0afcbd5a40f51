"""The state of the machine: heat, power, disk, memory, clock. Read from kernel files; None if a file is missing."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HEAT: Final = "sys/class/thermal/thermal_zone0/temp"
THROTTLED: Final = tuple(f"sys/devices/platform/{part}/get_throttled" for part in ("*/*firmware*", "*firmware*"))
"""The files with the hexadecimal value of `vcgencmd get_throttled`, which depend on the model."""
VOLTAGE: Final = "sys/class/hwmon/*/name"
VOLTAGE_NAME: Final = "rpi_volt"
"""The kernel's voltage monitor of a Pi, also a Pi 5; `in0_lcrit_alarm` beside it is 1 while the voltage is too low."""
SYNCHRONIZED: Final = "run/systemd/timesync/synchronized"
MODEL: Final = "proc/device-tree/model"
STATUS: Final = "proc/self/status"
HOT_C: Final = 80.0
"""Temperature from which a Pi throttles."""
LITTLE_DISK_MB: Final = 200
_PROBLEMS: Final = {0: "undervoltage", 1: "slowed", 2: "throttled", 3: "hot"}
_EARLIER_PROBLEMS: Final = {bit + 16: f"{problem}_before" for bit, problem in _PROBLEMS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The state of the machine at one moment."""

    model: str
    """The maker's name for it; on a machine without one, the kernel's word for its processor, such as `x86_64`."""
    heat_c: float | None
    power: tuple[str, ...]
    """Problems that the firmware reports, now or since the start, such as `undervoltage` and `throttled_before`."""
    is_power_known: bool = True
    """Whether the machine reports power problems at all."""
    disk_free_mb: int | None
    memory_mb: float | None
    """Memory used by this program."""
    is_clock_set: bool | None
    """Whether the clock was set from the network since the start; None if unknown."""

    @property
    def has_name(self) -> bool:
        """Whether `model` is a maker's name, not the kernel's word for a processor, which is in lower case."""
        return not re.fullmatch(r"[a-z0-9_]+", self.model)

    @property
    def troubles(self) -> tuple[str, ...]:
        """What needs attention, as short names."""
        found = [problem for problem in self.power if not problem.endswith("_before")]
        if self.heat_c is not None and self.heat_c >= HOT_C:
            found.append("heat")
        if self.disk_free_mb is not None and self.disk_free_mb < LITTLE_DISK_MB:
            found.append("disk")
        return tuple(found)


def read_machine(folder: Path, root: Path = Path("/")) -> Machine:
    """Reads the state of the machine; `folder` is the journal's folder, `root` that of the kernel's files."""
    heat, status = _text_of(root / HEAT), _text_of(root / STATUS)
    throttled, alarm = _first_text(root, THROTTLED), _voltage_alarm(root)
    low = ("undervoltage",) if alarm == "1" else ()
    return Machine(
        model=(_text_of(root / MODEL) or os.uname().machine).strip("\0\n "),
        heat_c=int(heat) / 1000 if heat and heat.strip().lstrip("-").isdigit() else None,
        power=tuple(dict.fromkeys((*low, *firmware_problems(throttled)))),
        is_power_known=throttled is not None or alarm is not None,
        disk_free_mb=_free_mb(folder),
        memory_mb=_memory_mb(status),
        is_clock_set=is_clock_set(root),
    )


def is_clock_set(root: Path = Path("/")) -> bool | None:
    """Returns whether the clock was set from the network since the start; None if it is not known."""
    synchronized = root / SYNCHRONIZED
    return synchronized.exists() if synchronized.parent.exists() else None


def firmware_problems(text: str | None) -> tuple[str, ...]:
    """Returns the meaning of the firmware's bits, e.g. ``50005``: undervoltage and throttled, now and before."""
    try:
        bits = int(text or "0", 16)
    except ValueError:
        return ()
    return tuple(problem for bit, problem in (_PROBLEMS | _EARLIER_PROBLEMS).items() if bits >> bit & 1)


def _first_text(root: Path, patterns: Sequence[str]) -> str | None:
    """Returns the content of the first of these files that exists."""
    texts = (_text_of(path) for pattern in patterns for path in sorted(root.glob(pattern)))
    return next((text for text in texts if text is not None), None)


def _voltage_alarm(root: Path) -> str | None:
    for path in sorted(root.glob(VOLTAGE)):
        if (_text_of(path) or "").strip() == VOLTAGE_NAME:
            alarm = _text_of(path.with_name("in0_lcrit_alarm"))
            return None if alarm is None else alarm.strip()
    return None


def _free_mb(folder: Path) -> int | None:
    try:
        return shutil.disk_usage(folder).free // 1_000_000
    except OSError:
        return None


def _memory_mb(status: str | None) -> float | None:
    for line in (status or "").splitlines():
        if line.startswith("VmRSS:"):
            return round(int(line.split()[1]) / 1024, 1)
    return None


def _text_of(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
