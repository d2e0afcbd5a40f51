"""Runs the real command in a process of its own, as a shell does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess

from tests.places import ROOT


def tachiai(
    *words: str | Path, cwd: Path | None = None, at_most: int | None = None, **environment: str
) -> CompletedProcess[str]:
    """Runs `tachiai WORDS`; `at_most` is how many bytes a file may have that it writes, in steps of 512.

    The shell sets that: what Python itself does in a new process before a program runs there may wait for ever.
    """
    limit = [] if at_most is None else ["sh", "-c", f'ulimit -f {at_most // 512} && exec "$@"', "sh"]
    return subprocess.run(
        [*limit, *command(*words)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def command(*words: str | Path) -> list[str]:
    """What starts the command."""
    return [sys.executable, "-m", "table", *map(str, words)]
