"""What the owner may do with the machine from the phone: update it, restart it, switch it off, read its log.

systemd does all of it; a polkit rule (`firmware-config`) allows the table's user exactly this.
Without systemd, or if it refuses, an error is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, Literal

from table.runtime.system_command import run_command
from table.runtime.table_errors import PressError
from vision.errors import reason_and_place

SERVICE: Final = "tachiai.service"
UPDATE: Final = "tachiai-update.service"
VERBS: Final = ("reboot", "poweroff")
INSTALLED: Final = Path("/opt/tachiai")
CHECKOUT: Final = "checkout"
"""In the installer's folder, a link to the checkout that was installed: an update fetches newer commits into it."""
REPORT: Final = "update.txt"
"""In the installer's folder, the report of the last update: its state, its step, when that began, and why it failed."""
STEPS: Final = ("fetch", "packages", "environment", "check", "switch")
UpdateState = Literal["none", "running", "done", "failed", "cut"]
REPORTED: Final[tuple[UpdateState, ...]] = ("running", "done", "failed")
"""The states that the report of an update names."""
PATIENCE_S: Final = 20.0
MOST_LINES: Final = 20_000
"""Limit of log lines: some weeks of evenings, a few megabytes."""
Run = Callable[[Sequence[str]], str]
"""Runs a command and returns its output; raises `OSError` if it fails."""
_run: Final[Run] = partial(run_command, timeout_s=PATIENCE_S)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateStatus:
    """The state of the last update."""

    state: UpdateState = "none"
    """`cut`: it was interrupted, for example by a power cut."""
    step: str = "fetch"
    """The last of `STEPS` that began."""
    when: str = ""
    """When this step began, in the machine's local time."""


def ask(verb: str, run: Run | None = None) -> None:
    """Restarts the machine (`reboot`) or switches it off (`poweroff`).

    Raises:
        PressError: the machine refuses, or the verb is unknown.
    """
    if verb not in VERBS:
        raise PressError(f"expected one of {', '.join(VERBS)}, got {verb!r}", says="unreadable")
    _run_systemctl([verb], f"allows {verb}", run)


def begin_update(run: Run | None = None) -> None:
    """Starts an update; if it succeeds, it ends by restarting this program.

    Raises:
        PressError: the machine refuses.
    """
    _run_systemctl(["start", "--no-block", UPDATE], "allows an update", run)


def _run_systemctl(arguments: Sequence[str], ability: str, run: Run | None) -> None:
    try:
        (run or _run)(["systemctl", "--no-ask-password", *arguments])
    except OSError as error:
        raise PressError(
            f"expected a machine that {ability}, got: {reason_and_place(error)}", says="machine"
        ) from error


def can_update(installed: Path = INSTALLED) -> bool:
    """Returns whether the source of updates is known; it is not if a wheel was installed."""
    return (installed / CHECKOUT).is_symlink()


def update_status(run: Run | None = None, installed: Path = INSTALLED) -> UpdateStatus:
    """Returns the state of the last update, from its report and systemd."""
    status = _reported(installed)
    if status.state != "running" or is_updating(run):
        return status
    status = _reported(installed)  # it may have ended since the first look
    return replace(status, state="cut") if status.state == "running" else status


def _reported(installed: Path) -> UpdateStatus:
    """Returns what the report of the last update says."""
    try:
        word, step, when = (installed / REPORT).read_text("utf-8").partition("\n")[0].split(" ", 2)
    except (OSError, ValueError):
        return UpdateStatus()
    state = next((reported for reported in REPORTED if reported == word), None)
    return UpdateStatus() if state is None or step not in STEPS else UpdateStatus(state=state, step=step, when=when)


def is_updating(run: Run | None = None) -> bool:
    """Returns whether an update runs or waits to run; while it waits, the report is still that of an earlier one.

    A machine too busy to answer is taken for one that updates: an update is what keeps it busy.
    """
    try:
        states = (run or _run)(["systemctl", "show", "--property=ActiveState,Job", "--value", UPDATE])
    except TimeoutError:
        return True
    except OSError:
        return False
    return any(word in ("activating", "active") or word.strip("0").isdigit() for word in states.split())


def log_of_all_boots(own_lines: Sequence[str], run: Run | None = None) -> str:
    """Returns all log lines that the system kept of this program and its updates, oldest first.

    If the system keeps no log or denies access, returns `own_lines`, the lines since this start.
    """
    units = ["--unit", SERVICE, "--unit", UPDATE]
    command = ["journalctl", *units, "--no-pager", "--output=short-iso", f"--lines={MOST_LINES}"]
    try:
        log = (run or _run)(command)
    except OSError as error:
        log = f"only lines since this start: {reason_and_place(error)}\n"
    return log if log.count("\n") > 1 else log + "\n".join(own_lines) + "\n"
