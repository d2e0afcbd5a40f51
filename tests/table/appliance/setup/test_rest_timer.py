"""How long an object has lain still is measured from the camera's last pictures."""

from __future__ import annotations

import numpy as np

from table.appliance.setup.rest_timer import RestTimer
from vision.frames import Frame

SECOND = 1_000_000_000
PLACE = np.array([[400.0, 400.0], [440.0, 400.0], [440.0, 440.0], [400.0, 440.0]])


def frame(seconds: int, *, lit: bool, side: int = 480) -> Frame:
    """A picture with something bright at the place, or not."""
    image = np.zeros((side, side, 3), np.uint8)
    image[390:450, 390:450] = 255 * lit
    return Frame(image=image, k=seconds, t_ns=seconds * SECOND)


def test_a_tile_lies_still_since_the_first_picture_that_shows_it() -> None:
    timer = RestTimer()
    for second in range(5):
        timer.add_frame(frame(second, lit=second >= 3))
    assert timer.still_since(PLACE) == 3 * SECOND


def test_what_lay_there_in_all_pictures_has_lain_still_for_an_unknown_time() -> None:
    timer = RestTimer()
    assert timer.still_since(PLACE) is None
    for second in range(9):
        timer.add_frame(frame(second, lit=second >= 2))
    assert timer.still_since(PLACE) is None


def test_pictures_of_another_camera_or_of_another_size_begin_anew() -> None:
    timer = RestTimer()
    timer.add_frame(frame(100, lit=False, side=320))
    for second in range(101, 104):
        timer.add_frame(frame(second, lit=True))
    assert timer.still_since(PLACE) is None
    for second in range(3):
        timer.add_frame(frame(second, lit=second >= 1))
    assert timer.still_since(PLACE) == 1 * SECOND
