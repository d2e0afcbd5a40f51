from __future__ import annotations

import threading

import pytest

from table.game.snapshot import Board, StaleSnapshotError
from tests.fakes.snapshots import snapshot


def test_the_latest_snapshot_is_the_one_published_last() -> None:
    board = Board(snapshot(1))
    board.publish(snapshot(2))
    assert board.latest.version == 2


@pytest.mark.parametrize("version", [1, 2])
def test_a_snapshot_that_is_not_newer_is_refused_and_changes_nothing(version: int) -> None:
    board = Board(snapshot(2))
    with pytest.raises(StaleSnapshotError, match=f"expected a version above 2, got {version}"):
        board.publish(snapshot(version))
    assert board.latest.version == 2


def test_waiting_for_a_newer_snapshot_returns_at_once_where_there_is_one() -> None:
    board = Board(snapshot(5))
    assert board.wait_for(4, timeout=60).version == 5


def test_waiting_in_vain_returns_the_same_snapshot() -> None:
    board = Board(first := snapshot(5))
    assert board.wait_for(5, timeout=0.01) is first


def test_a_publication_wakes_everybody_who_waits() -> None:
    board = Board(snapshot(1))
    versions: list[int] = []
    waiting = [
        threading.Thread(target=lambda: versions.append(board.wait_for(1, timeout=60).version)) for _ in range(5)
    ]
    for thread in waiting:
        thread.start()
    board.publish(snapshot(2))
    for thread in waiting:
        thread.join(timeout=60)
    assert versions == [2] * 5


def test_closing_wakes_everybody_and_may_be_done_twice() -> None:
    board = Board(snapshot(1))
    versions: list[int] = []
    thread = threading.Thread(target=lambda: versions.append(board.wait_for(1, timeout=60).version))
    thread.start()
    board.close()
    board.close()
    thread.join(timeout=60)
    assert versions == [1]
    assert board.is_closed


def test_who_asked_for_it_is_told_of_publications_and_of_the_end() -> None:
    board, calls = Board(snapshot(1)), list[int]()
    board.call_on_change(lambda: calls.append(board.latest.version))
    board.publish(snapshot(2))
    board.close()
    assert calls == [2, 2]


def test_who_left_is_told_of_no_more_publications() -> None:
    board, calls = Board(snapshot(1)), list[str]()
    with board.call_on_change(lambda: calls.append("for a while")):
        board.call_on_change(lambda: calls.append("always"))
        board.publish(snapshot(2))
    board.publish(snapshot(3))
    assert calls == ["for a while", "always", "always"]
