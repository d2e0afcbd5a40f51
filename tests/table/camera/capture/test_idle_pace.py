"""A table that was left is looked at once a second, and whoever comes back is seen in the next frame."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from table.camera.capture.camera_thread import CameraThread
from table.camera.capture.idle_pace import IDLE_AFTER_NS, IdlePace
from tests.fakes.hanging_camera import Device
from tests.fakes.inbox import Inbox
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.fakes.watchers import FakeWatcher
from vision.arrays import Image
from vision.frames import Frame

FPS = 4
SECOND_NS = 1_000_000_000
LEFT_S = IDLE_AFTER_NS // SECOND_NS


def picture(*, hand: bool = False, light: float = 1.0, noise: int = 0) -> Image:
    image = np.random.default_rng(noise).normal(100 * light, 4.0, (192, 256, 3)).clip(0, 255).astype(np.uint8)
    if hand:
        image[80:104, 120:152] = 190
    return image


QUIET = tuple(picture(noise=number) for number in range(3))
HAND = picture(hand=True)


def frame(number: int, image: Image | None = None) -> Frame:
    return Frame(k=number, t_ns=number * SECOND_NS // FPS, image=QUIET[number % 3] if image is None else image)


def wanted_frames(pace: IdlePace, seconds: int) -> list[int]:
    """Shows so many seconds of a quiet table; returns the frames that were wanted."""
    return [number for number in range(seconds * FPS) if pace.wants(frame(number))]


def test_every_frame_is_looked_at_for_ten_minutes_and_then_one_a_second() -> None:
    pace, seconds = IdlePace(), LEFT_S + 30
    processed = wanted_frames(pace, seconds)
    assert processed[: LEFT_S * FPS] == list(range(LEFT_S * FPS))
    assert len(processed) - LEFT_S * FPS == 30
    assert pace.is_idle


def somebody_acts(pace: IdlePace) -> Image | None:
    pace.wake()
    return None


@pytest.mark.parametrize(
    "arrive",
    [lambda _: HAND, lambda _: picture(light=1.3), somebody_acts],
    ids=["a hand over the table", "the lamp", "a tap or a look through the camera"],
)
def test_the_next_frame_is_looked_at_as_soon_as_somebody_is_there(arrive: Callable[[IdlePace], Image | None]) -> None:
    pace = IdlePace(after_ns=20 * SECOND_NS)
    last = wanted_frames(pace, 60)[-1]
    following = range(60 * FPS, 60 * FPS + 5)
    assert not pace.wants(frame(last + 1))
    assert [pace.wants(frame(number, arrive(pace) if number == 60 * FPS else None)) for number in following] == [
        True
    ] * 5
    assert not pace.is_idle


def test_a_hand_that_moves_keeps_the_table_in_use() -> None:
    pace = IdlePace(after_ns=20 * SECOND_NS)
    images = [HAND if number // (10 * FPS) % 2 else None for number in range(100 * FPS)]
    assert all(pace.wants(frame(number, image)) for number, image in enumerate(images))


def test_light_that_fades_slowly_is_nobody() -> None:
    pace = IdlePace(after_ns=20 * SECOND_NS)
    for number in range(60 * FPS):
        pace.wants(frame(number, np.subtract(QUIET[number % 3], number // FPS, dtype=np.uint8)))
    assert pace.is_idle


def test_time_that_begins_anew_is_looked_at() -> None:
    pace = IdlePace(after_ns=20 * SECOND_NS)
    wanted_frames(pace, 30)
    assert pace.wants(frame(0))
    assert not pace.is_idle


def test_a_camera_that_is_back_with_pictures_of_another_size_is_looked_at() -> None:
    pace = IdlePace(after_ns=20 * SECOND_NS)
    wanted_frames(pace, 30)
    assert pace.wants(frame(30 * FPS, np.repeat(QUIET[0], 2, axis=0)))
    assert not pace.is_idle


class Evening(Device):
    """A camera over a table at which a hand moves, and then nobody for eleven minutes, until somebody comes back."""

    def __init__(self, over: threading.Event) -> None:
        super().__init__()
        self.over = over

    def frames(self) -> Iterator[Frame]:
        quiet = (LEFT_S + 60) * FPS
        yield from (frame(number) for number in range(quiet))
        yield frame(quiet, HAND)
        yield from (frame(quiet + number) for number in range(1, 9))
        self.over.wait(PATIENCE_S)


def test_a_camera_over_a_table_that_was_left_is_idle_and_not_lost() -> None:
    over, watcher, inbox = threading.Event(), FakeWatcher(), Inbox()
    idle: list[bool] = []

    def note(*_: object) -> None:
        idle.append(camera_thread.status.is_idle)

    camera_thread = CameraThread(lambda: Evening(over), lambda _: watcher, inbox, observers=(note,))
    with camera_thread:
        wait_for(lambda: len(watcher.frames) == LEFT_S * FPS + 60 + 9)
        assert len(inbox.health) == 1
        over.set()
    assert idle.count(True) == 60
    assert watcher.frames == list(range(len(watcher.frames)))
