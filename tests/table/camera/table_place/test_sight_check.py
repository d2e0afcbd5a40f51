"""How well the table is seen is judged in its place and before a hand, and kept for all who ask."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import cv2
import numpy as np
import pytest

from table.camera.table_place import sight_check
from table.camera.table_place.sight_check import SightCheck
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.table.camera.table_place.played_place import NOISE, STORED_PLACE, Place
from vision.arrays import Image
from vision.geometry.calibration import Calibration
from vision.geometry.visibility.visibility import Visibility, visibility

SHARP = np.random.default_rng(1).integers(0, 255, (5, 5, 3), np.uint8).repeat(80, 0).repeat(80, 1)
SOFT = np.asarray(cv2.GaussianBlur(SHARP, (0, 0), 4.0), np.uint8)


class Moment:
    """What is going on at the table."""

    def __init__(self, place: Place) -> None:
        self.is_between_hands = self.is_in_place = True
        self.check = SightCheck(
            place.table_finder,
            lens=lambda _: None,
            is_between_hands=lambda: self.is_between_hands,
            is_in_place=lambda: self.is_in_place,
        )

    def blur_mm(self) -> float:
        visibility = self.check.visibility()
        assert visibility is not None
        return visibility.blur_mm


def test_without_a_picture_or_a_place_nothing_is_said() -> None:
    assert Moment(Place(STORED_PLACE)).check.visibility() is None
    nowhere = Place()
    with pytest.raises(Exception, match="expected the table in the picture"):
        nowhere.watch()
    assert Moment(nowhere).check.visibility() is None


@pytest.mark.parametrize("now", ["is_between_hands", "is_in_place"])
def test_during_a_hand_and_while_the_table_is_elsewhere_it_stays_as_judged_before(now: str) -> None:
    place = Place(STORED_PLACE)
    place.watch(SHARP)
    moment = Moment(place)
    sharp = moment.blur_mm()
    setattr(moment, now, False)
    place.watch(SOFT)
    assert moment.blur_mm() == sharp
    setattr(moment, now, True)
    assert moment.blur_mm() > 2 * sharp > 0


@pytest.mark.parametrize("is_between_hands", [True, False])
def test_a_dark_picture_is_judged_whenever_it_comes_and_forgotten_with_the_light(is_between_hands: bool) -> None:
    place = Place(STORED_PLACE)
    place.watch(NOISE)
    moment = Moment(place)
    before = moment.check.visibility()
    moment.is_between_hands, moment.is_in_place = is_between_hands, False
    place.watch(NOISE // 25)
    dark = moment.check.visibility()
    assert dark is not None
    assert dark.fault == "dark"
    moment.is_between_hands, moment.is_in_place = False, True
    place.watch(NOISE)
    assert moment.check.visibility() == before


def test_another_place_is_judged_at_once() -> None:
    place = Place(STORED_PLACE)
    place.watch(NOISE)
    moment = Moment(place)
    moment.is_between_hands = False
    before = moment.check.visibility()
    place.table_finder.set_place(((5.0, 5.0), (395.0, 5.0), (395.0, 395.0), (5.0, 395.0)), "hand")
    after = moment.check.visibility()
    assert before is not None
    assert after is not None
    assert after.px_per_mm > before.px_per_mm


def test_pictures_of_another_size_say_nothing_about_the_place() -> None:
    place = Place(replace(STORED_PLACE, size=(800, 800)))
    with pytest.raises(Exception, match="expected the table in the picture"):
        place.watch(NOISE)
    assert Moment(place).check.visibility() is None


class CountedLock:
    """A lock that counts who asked for it."""

    def __init__(self) -> None:
        self._lock, self.asked = threading.Lock(), 0

    def __enter__(self) -> None:
        self.asked += 1
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_one_picture_is_judged_at_a_time_and_all_who_wait_share_the_next_judgement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twelve pages of health at once took 340 MB, of a table of 1920 x 1080."""
    place, pictures, may_end = Place(STORED_PLACE), list[Image](), threading.Event()

    def slow_visibility(image: Image, calibration: Calibration) -> Visibility:
        pictures.append(image)
        assert may_end.wait(PATIENCE_S)
        place.watch(SOFT)  # the camera watches on
        return visibility(image, calibration)

    monkeypatch.setattr(sight_check, "visibility", slow_visibility)
    place.watch(SHARP)
    moment, lock = Moment(place), CountedLock()
    monkeypatch.setattr(moment.check, "_lock", lock)
    with ThreadPoolExecutor(5) as pages:
        first = pages.submit(moment.blur_mm)
        wait_for(lambda: pictures)
        others = [pages.submit(moment.blur_mm) for _ in range(4)]
        wait_for(lambda: lock.asked + len(pictures) > 5)
        is_one_at_a_time = len(pictures) == 1
        may_end.set()
    assert is_one_at_a_time
    assert len(pictures) == 2
    assert all(other.result() > 2 * first.result() for other in others)
