"""A thread that is stuck is named, and does not keep the program from ending."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from functools import partial

import pytest

from table.runtime.threads import JobThread, Worker, wait_until_ended
from tests.fakes.waiting import PATIENCE_S
from tests.places import ROOT

STUCK = "expected the thread {} to end within 0.05 s, got none: it is left behind"


class Stuck(Worker):
    """Hears nothing of the end until it is let go."""

    def __init__(self) -> None:
        super().__init__("stuck", patience_s=0.05)
        self.let_go = threading.Event()

    def _run(self) -> None:
        self.let_go.wait(PATIENCE_S)


def test_a_worker_that_is_stuck_is_left_behind_and_named(caplog: pytest.LogCaptureFixture) -> None:
    worker = Stuck()
    with worker:
        pass
    assert caplog.messages == [STUCK.format("stuck")]
    worker.let_go.set()


def test_a_thread_that_ends_in_time_is_not_named(caplog: pytest.LogCaptureFixture) -> None:
    thread = threading.Thread(target=time.sleep, args=(0.01,), daemon=True)
    thread.start()
    wait_until_ended(thread)
    assert not thread.is_alive()
    assert caplog.messages == []


def test_jobs_are_done_in_order_and_an_error_is_its_askers() -> None:
    thread, done = JobThread("jobs"), list[int]()
    futures = [thread.submit(partial(done.append, number)) for number in range(3)]
    failed = thread.submit(lambda: 1 // 0)
    thread.close()
    assert (done, [each.result(0) for each in futures]) == ([0, 1, 2], [None] * 3)
    with pytest.raises(ZeroDivisionError):
        failed.result(0)
    assert thread.submit(list).cancelled(), "nobody would do it any more"


def test_a_job_that_is_cancelled_before_it_begins_is_left_out_and_the_next_is_done() -> None:
    thread, may_go_on, done = JobThread("jobs"), threading.Event(), list[str]()
    first = thread.submit(lambda: may_go_on.wait(PATIENCE_S))
    cancelled = thread.submit(lambda: done.append("cancelled"))
    last = thread.submit(lambda: done.append("last"))
    assert cancelled.cancel()
    may_go_on.set()
    assert first.result(PATIENCE_S)
    last.result(PATIENCE_S)
    thread.close()
    assert done == ["last"]


def test_a_job_that_is_stuck_keeps_no_program_from_ending() -> None:
    code = """
import logging, threading
from table.runtime.threads import JobThread
logging.basicConfig(format="%(message)s")
thread = JobThread("disk")
thread.submit(threading.Event().wait)
thread.close(0.05)
"""
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, STUCK.format("disk") + "\n")
