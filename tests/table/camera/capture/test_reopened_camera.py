"""A film goes on after its camera was lost, for as long as it was to last."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from table.camera.capture.continuous_time import GAP_NS
from table.camera.capture.reopened_camera import ReopenedCamera
from tests.fakes.hanging_camera import IMAGE, Device
from vision.errors import CameraError
from vision.frames import Frame

S_NS = 1_000_000_000


class Evening:
    """A camera that is opened several times, on a clock that only its frames and the pauses move."""

    def __init__(self, *openings: int | str, starts_anew: bool = False) -> None:
        """Takes for each opening how many frames it gives, one a second, or why it fails."""
        self.left, self.now_s, self.starts_anew = list(openings), 100.0, starts_anew
        self.messages: list[str] = []
        self.devices: list[Device] = []

    def open(self) -> Device:
        result = self.left.pop(0) if self.left else "unplugged"
        if isinstance(result, str):
            raise CameraError(result)
        evening, count, began_s = self, result, self.now_s if self.starts_anew else 0.0

        class Reel(Device):
            def frames(self) -> Iterator[Frame]:
                for k in range(count):
                    yield Frame(k=k, t_ns=round((evening.now_s - began_s) * S_NS), image=IMAGE)
                    evening.now_s += 1

        self.devices.append(Reel())
        return self.devices[-1]

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds

    def times(self, duration_s: float, *, can_end: bool = False) -> list[int]:
        """Films; returns the frames' times, also if an error ends the film."""
        self.times_ns: list[int] = []
        camera = ReopenedCamera(
            self.open,
            duration_s=duration_s,
            can_end=can_end,
            say=self.messages.append,
            retry_s=(1.0, 2.0),
            now=lambda: self.now_s,
            sleep=self.sleep,
        )
        for frame in camera.frames():
            self.times_ns.append(frame.t_ns)
        return self.times_ns


def test_the_film_ends_when_its_time_is_over() -> None:
    evening = Evening(100)
    assert evening.times(3) == [0, S_NS, 2 * S_NS, 3 * S_NS]
    assert evening.messages == []
    assert all(device.is_closed for device in evening.devices)


def test_a_camera_that_goes_and_comes_back_is_filmed_on_and_both_are_said() -> None:
    evening = Evening(3, "unplugged", 100)
    assert evening.times(10) == [t * S_NS for t in (0, 1, 2, 6, 7, 8, 9, 10)]
    assert evening.messages == [
        "the camera is lost, and tried again: no more frames",
        "the camera is back after 3 s",
    ]


def test_a_camera_that_is_lost_again_is_tried_as_soon_as_the_first_time() -> None:
    evening = Evening(2, "unplugged", 2, "unplugged", 100)
    assert evening.times(12) == [t * S_NS for t in (0, 1, 5, 6, 10, 11, 12)]


def test_a_camera_whose_time_starts_anew_goes_on_in_order() -> None:
    evening = Evening(3, 100, starts_anew=True)
    times = evening.times(5)
    assert times[:4] == [0, S_NS, 2 * S_NS, 2 * S_NS + GAP_NS]
    assert times == sorted(set(times))


@pytest.mark.parametrize("openings", [(3,), (3, "no route"), (3, 0, 0)])
def test_a_camera_that_does_not_come_back_is_an_error_once_the_time_is_over(openings: tuple[int | str, ...]) -> None:
    evening = Evening(*openings)
    with pytest.raises(CameraError, match=r"^expected pictures for 20 s, got none after 3 s: unplugged$"):
        evening.times(20)
    assert evening.times_ns == [0, S_NS, 2 * S_NS]
    assert evening.now_s >= 120
    assert len(evening.messages) == 1


def test_a_camera_that_is_back_only_after_the_time_is_over_is_an_error_too() -> None:
    evening = Evening(3, 100)
    open_at_once = evening.open

    def open_slowly() -> Device:
        evening.sleep(20 if evening.devices else 0)
        return open_at_once()

    evening.open = open_slowly  # type: ignore[method-assign]
    with pytest.raises(CameraError, match=r"^expected pictures for 10 s, got none after 3 s: no more frames$"):
        evening.times(10)
    assert evening.times_ns == [0, S_NS, 2 * S_NS]


def test_a_camera_that_does_not_open_at_first_is_not_tried_again() -> None:
    evening = Evening("busy", 3)
    with pytest.raises(CameraError, match=r"^busy$"):
        evening.times(20)
    assert evening.left == [3]
    assert evening.messages == []


def test_the_end_of_what_can_end_is_no_loss() -> None:
    evening = Evening(3, 3)
    assert len(evening.times(20, can_end=True)) == 3
    assert evening.messages == []


def test_an_error_of_what_can_end_is_not_tried_again() -> None:
    def broken() -> Device:
        class Reel(Device):
            def frames(self) -> Iterator[Frame]:
                yield from super().frames()
                raise CameraError("damaged")

        return Reel(frames=1)

    evening = Evening()
    evening.open = broken  # type: ignore[method-assign]
    with pytest.raises(CameraError, match=r"^damaged$"):
        evening.times(20, can_end=True)
