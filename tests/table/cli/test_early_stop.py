"""A command that is stopped in any way removes what it keeps for its own use only, which may be gigabytes in memory."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

PROGRAM = """
import os, signal, sys, tempfile
from table.cli.early_stop import exit_when_stopped, raise_when_stopped

signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup
number = int(sys.argv[2])
if len(sys.argv) > 3:
    signal.signal(number, signal.SIG_IGN)
exit_when_stopped()
raise_when_stopped()
try:
    with tempfile.TemporaryDirectory(dir=sys.argv[1]):
        try:
            os.kill(os.getpid(), number)
            print("goes on")
        finally:
            if number != signal.SIGINT and len(sys.argv) == 3:  # the system tells of a lost terminal, too
                os.kill(os.getpid(), signal.SIGHUP)
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(("ignored", "end"), [([], "stopped"), (["ignored"], "goes on")])
def test_a_stopped_command_leaves_no_temporary_folder(
    number: signal.Signals, ignored: list[str], end: str, tmp_path: Path
) -> None:
    words = [sys.executable, "-S", "-c", PROGRAM, str(tmp_path), str(int(number)), *ignored]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{end}\n", "")
    assert list(tmp_path.iterdir()) == []
