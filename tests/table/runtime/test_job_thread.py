"""A thread that does jobs in order outlives whatever becomes of one of them."""

from __future__ import annotations

import threading

from table.runtime.job_thread import JobThread
from tests.fakes.waiting import PATIENCE_S


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
