"""A program that waits is terminated whichever of its threads the system hands the signal to."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.fakes.waiting import PATIENCE_S
from tests.places import ROOT

PROGRAM = """
import signal, sys, threading, time
from table.cli.termination import wait_for, when_terminated

ended = threading.Event()

def terminate():
    time.sleep(0.2)
    to = threading.main_thread() if sys.argv[1] == "main" else threading.current_thread()
    signal.pthread_kill(to.ident, signal.SIGTERM)
    time.sleep(60)

when_terminated(ended.set)
threading.Thread(target=terminate, daemon=True).start()
wait_for(ended)
print("ended")
"""


@pytest.mark.parametrize("thread", ["main", "another"])
def test_a_signal_to_any_thread_ends_the_program(thread: str) -> None:
    program = subprocess.run(
        [sys.executable, "-c", PROGRAM, thread],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    assert program.stdout == "ended\n"
