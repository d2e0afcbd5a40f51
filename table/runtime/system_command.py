"""Runs a program of the system."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence


def run_command(command: Sequence[str], *, timeout_s: float) -> str:
    """Runs a command and returns what it printed, with a replacement character for bytes that are not text.

    Raises:
        TimeoutError: the command takes longer than `timeout_s`.
        OSError: it is missing or fails; the text holds its output.
    """
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout_s, check=False)
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{command[0]} is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"{command[0]} does not end") from error
    if done.returncode:
        raise OSError(done.stderr.strip() or f"{command[0]} ended with {done.returncode}")
    return done.stdout
