"""Runs the real command in a process of its own, as a shell does."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess

from tests.places import ROOT


def tachiai(
    *words: str | Path, cwd: Path | None = None, at_most: int | None = None, **environment: str
) -> CompletedProcess[str]:
    """Runs `tachiai WORDS`; `at_most` is how many bytes a file may have that it writes."""
    return subprocess.run(
        command(*words),
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        preexec_fn=None if at_most is None else _limited(at_most),
    )


def command(*words: str | Path) -> list[str]:
    """What starts the command."""
    return [sys.executable, "-m", "table", *map(str, words)]


def _limited(at_most: int) -> Callable[[], None]:
    return partial(resource.setrlimit, resource.RLIMIT_FSIZE, (at_most, at_most))
