"""Runs the commands of this folder in processes of their own, and tells where one stands that does not end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Final

from tests.fakes.waiting import PATIENCE_S
from tests.places import ROOT

SHORT_S: Final = 600.0
"""How long a command may take; long, for a machine that does much else."""
LONG_S: Final = 3 * 3600.0
"""The same of one that runs only with `--long`."""


def printed_by(module: str, *words: str, limit_s: float = SHORT_S) -> str:
    """Runs `python -m tests.endurance.MODULE WORDS`; returns what it prints.

    If it does not end in time, the failure tells where every thread of it and of its own processes stands.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", f"tests.endurance.{module}", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONFAULTHANDLER": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGABRT)
        out, err = process.communicate(timeout=PATIENCE_S)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 0, out + err
    return out
