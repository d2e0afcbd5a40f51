"""What the owner may do to the machine from the phone: restart it, switch it off, read its log.

Restarting and switching off is asked of systemd, whose polkit rule (`firmware-config`) lets the table's user do that
and nothing else. Where there is no systemd, or it refuses, that is said.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from typing import Final

from table.runtime.table_errors import PressError

SERVICE: Final = "tachiai.service"
VERBS: Final = ("reboot", "poweroff")
PATIENCE_S: Final = 20.0
MOST_LINES: Final = 20_000
"""Of the log: some weeks of evenings, in a few megabytes."""
Run = Callable[[Sequence[str]], str]
"""Runs a command and returns what it printed; raises `OSError` where it fails."""


def ask(verb: str, run: Run | None = None) -> None:
    """Has the machine restart (`reboot`) or switch itself off (`poweroff`).

    Raises:
        PressError: it refuses, or there is no such verb.
    """
    if verb not in VERBS:
        raise PressError(f"expected one of {', '.join(VERBS)}, got {verb!r}", says="unreadable")
    try:
        (run or run_command)(["systemctl", "--no-ask-password", verb])
    except OSError as error:
        raise PressError(f"expected a machine that may be told to {verb}, got: {error}", says="machine") from error


def log_of_all_boots(own: Sequence[str], run: Run | None = None) -> str:
    """Returns every line that this program wrote as far back as the system keeps them, the oldest first.

    Where the system keeps no log, or does not let us read it, those of this start, which are `own`.
    """
    command = ["journalctl", "--unit", SERVICE, "--no-pager", "--output=short-iso", f"--lines={MOST_LINES}"]
    try:
        kept = (run or run_command)(command)
    except OSError as error:
        kept = f"only of this start: {error}\n"
    return kept if kept.count("\n") > 1 else kept + "\n".join(own) + "\n"


def run_command(command: Sequence[str]) -> str:
    """Runs a command and returns what it printed.

    Raises:
        OSError: it is not there, does not end in time, or fails; says what it said.
    """
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise OSError(f"{command[0]} does not end") from error
    if done.returncode:
        raise OSError(done.stderr.strip() or f"{command[0]} ended with {done.returncode}")
    return done.stdout
