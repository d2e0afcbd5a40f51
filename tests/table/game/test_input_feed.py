from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from table.game.commands.game_commands import CallDraw, CancelWin, Confirm, Press
from table.game.input_feed import PATIENCE, FrameWatcher, feed
from table.runtime.table_errors import PressError
from tests.fakes.watchers import FakeWatcher
from vision.felt import FeltReport
from vision.frames import Frame

PICTURE = np.zeros((4, 4, 3), np.uint8)


class SlowWatcher(FakeWatcher):
    """Judges every frame some frames late, and reports every tenth."""

    def __init__(self, delay: int) -> None:
        super().__init__()
        self._delay = delay

    def watch(self, frame: Frame) -> FeltReport | None:
        self.last_judged_frame = frame.k - self._delay
        return super().watch(frame) if frame.k % 10 == 0 else None


class Diary:
    """Writes down what came, in order; refuses to cancel."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def report(self, report: FeltReport) -> None:
        self.lines.append(f"report {report.frame}")

    def handle(self, command: Press) -> None:
        if isinstance(command, CancelWin):
            raise PressError("nothing to cancel")
        self.lines.append(command.word)


def frames(count: int) -> Iterator[Frame]:
    return (Frame(k=k, t_ns=k, image=PICTURE) for k in range(count))


@pytest.mark.parametrize(
    ("made_at", "delay", "expected"),
    [
        (5, 0, ["report 0", "confirm", "report 10", "report 20"]),
        (9, 3, ["report 0", "report 10", "confirm", "report 20"]),
        (30, 0, ["report 0", "report 10", "report 20", "confirm"]),
    ],
    ids=["judged at once", "judged later", "after the last frame"],
)
def test_a_press_waits_until_what_lay_there_has_been_judged(made_at: int, delay: int, expected: list[str]) -> None:
    diary = Diary()
    feed(frames(25), SlowWatcher(delay), diary, [Confirm(frame=made_at)])
    assert diary.lines == expected


def test_presses_keep_their_order() -> None:
    diary = Diary()
    draw, confirm = CallDraw(frame=2), Confirm(frame=3)
    feed(frames(5), SlowWatcher(0), diary, [confirm, draw])
    assert diary.lines == ["report 0", "draw", "confirm"]


def test_a_place_that_never_comes_to_rest_does_not_hold_a_press_for_ever() -> None:
    diary = Diary()
    feed(
        frames(PATIENCE + 15),
        SlowWatcher(1000),
        diary,
        [Confirm(frame=4)],
    )
    at = diary.lines.index("confirm")
    assert diary.lines[at - 1] == "report 50"
    assert diary.lines[at + 1] == "report 60"


def test_a_refused_press_costs_only_itself(caplog: pytest.LogCaptureFixture) -> None:
    diary = Diary()
    cancel, confirm = CancelWin(frame=1), Confirm(frame=2)
    feed(frames(5), SlowWatcher(0), diary, [cancel, confirm])
    assert diary.lines == ["report 0", "confirm"]
    assert "the press at frame 1 was refused: nothing to cancel" in caplog.text


def test_whoever_watches_along_gets_every_frame_before_the_table_hears_of_it() -> None:
    diary, watcher = Diary(), SlowWatcher(0)

    def observe(frame: Frame, report: FeltReport | None, by: FrameWatcher) -> None:
        assert by is watcher
        diary.lines.append(f"frame {frame.k}" if report is None else f"frame {frame.k} with report {report.frame}")

    feed(frames(2), watcher, diary, observers=(observe,))
    assert diary.lines == ["frame 0 with report 0", "report 0", "frame 1"]
