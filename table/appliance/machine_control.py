"""What the owner may do with the machine from the phone: restart it, switch it off, read its log.

systemd restarts the machine or switches it off; a polkit rule (`firmware-config`) allows the table's user exactly this.
Without systemd, or if it refuses, an error is reported.
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
"""Limit of log lines: some weeks of evenings, a few megabytes."""
Run = Callable[[Sequence[str]], str]
"""Runs a command and returns its output; raises `OSError` if it fails."""


def ask(verb: str, run: Run | None = None) -> None:
    """Restarts the machine (`reboot`) or switches it off (`poweroff`).

    Raises:
        PressError: the machine refuses, or the verb is unknown.
    """
    if verb not in VERBS:
        raise PressError(f"expected one of {', '.join(VERBS)}, got {verb!r}", says="unreadable")
    try:
        (run or run_command)(["systemctl", "--no-ask-password", verb])
    except OSError as error:
        raise PressError(f"expected a machine that may be told to {verb}, got: {error}", says="machine") from error


def log_of_all_boots(own: Sequence[str], run: Run | None = None) -> str:
    """Returns all log lines of this program that the system kept, oldest first.

    If the system keeps no log or denies access, returns `own`, the lines since this start.
    """
    command = ["journalctl", "--unit", SERVICE, "--no-pager", "--output=short-iso", f"--lines={MOST_LINES}"]
    try:
        kept = (run or run_command)(command)
    except OSError as error:
        kept = f"only lines since this start: {error}\n"
    return kept if kept.count("\n") > 1 else kept + "\n".join(own) + "\n"


def run_command(command: Sequence[str]) -> str:
    """Runs a command and returns what it printed.

    Raises:
        OSError: the command is missing, times out, or fails; the text holds its output.
    """
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise OSError(f"{command[0]} does not end") from error
    if done.returncode:
        raise OSError(done.stderr.strip() or f"{command[0]} ended with {done.returncode}")
    return done.stdout
