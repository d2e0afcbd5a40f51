"""Finding the table, taking the owner's word for it, and what the table hears of the felt meanwhile."""

from __future__ import annotations

from dataclasses import replace
from threading import Thread

import numpy as np
import pytest

from table.camera.report_switch import ReportSwitch
from table.camera.table_place.table_finder import FRAMES_BETWEEN_SEARCHES, PICTURES
from tests.fakes.inbox import Inbox
from tests.table.camera.table_place.played_place import (
    CORNERS,
    GREEN,
    HALF,
    NOISE,
    STORED_PLACE,
    FakeCameraWatcher,
    Place,
    half_marked,
    tile,
)
from vision.errors import CalibrationError
from vision.felt import Felt, FeltReport, LyingTile, TileLaid, TileTaken
from vision.frames import Frame
from vision.geometry.calibration_file import StoredCalibration


def test_a_table_that_is_known_is_watched_at_once() -> None:
    place = Place(STORED_PLACE)
    assert not place.table_finder.is_found
    assert place.watch() is not None
    assert place.table_finder.is_found


def test_how_far_a_table_is_from_its_stored_place_is_known_until_a_person_confirms_another() -> None:
    place = Place(replace(STORED_PLACE, corners_px=HALF))
    place.watch(GREEN)
    off = place.table_finder.away_mm
    place.table_finder.set_place(CORNERS, "hand")
    assert off is not None
    assert off > 100
    assert place.table_finder.away_mm is None
    stored = Place(STORED_PLACE)
    stored.watch(GREEN)
    assert stored.table_finder.away_mm is None


def test_a_stored_place_of_which_a_part_is_not_in_the_picture_is_not_watched() -> None:
    place = Place(replace(STORED_PLACE, corners_px=((50.0, 150.0), (350.0, 150.0), (350.0, 450.0), (50.0, 450.0))))
    with pytest.raises(CalibrationError, match="expected the whole play surface in the picture") as refused:
        place.watch(GREEN)
    assert refused.value.says == "border"
    place.table_finder.set_place(CORNERS, "hand")
    assert place.watch(GREEN) is not None


def test_corners_without_a_marker_where_others_have_one_are_told() -> None:
    place = Place(STORED_PLACE)
    place.watch(half_marked())
    found = place.table_finder.find()
    assert np.abs(np.array(found.corners_px) - CORNERS).max() < 8
    unmarked = [place.table_finder.unmarked_corners]
    place.watch(GREEN)
    place.table_finder.find()
    assert [*unmarked, place.table_finder.unmarked_corners] == [(1, 2), ()]


def proposing() -> Place:
    """A place where the table was found in the picture."""
    place = Place()
    for _ in range(PICTURES - 1):
        with pytest.raises(CalibrationError, match="got too few pictures yet"):
            place.watch(GREEN)
    with pytest.raises(CalibrationError, match="expected a confirmation") as refusal:
        place.watch(GREEN)
    assert refusal.value.says == "agree"
    return place


def test_a_table_that_is_found_in_the_picture_is_neither_kept_nor_watched_before_a_person_agrees() -> None:
    place = proposing()
    for _ in range(PICTURES + FRAMES_BETWEEN_SEARCHES):
        with pytest.raises(CalibrationError, match="expected a confirmation"):
            place.watch(GREEN)
    assert (place.stored_places, place.table_finder.place, place.table_finder.is_found) == ([], None, False)
    proposed = place.table_finder.proposed_place
    assert proposed is not None
    assert np.abs(np.array(proposed.corners_px) - CORNERS).max() < 4
    place.table_finder.set_place(tuple((x + 0.4, y - 0.4) for x, y in proposed.corners_px), "hand")
    assert place.watch(GREEN) is not None
    (place_on_disk,) = place.stored_places
    assert (place_on_disk.by, place_on_disk.when, place_on_disk.agreed) == ("picture", "now", True)
    assert place.table_finder.proposed_place is None


def test_what_the_command_found_is_watched_once_a_person_agreed() -> None:
    place = Place(replace(STORED_PLACE, by="picture", agreed=False))
    with pytest.raises(CalibrationError):
        place.watch()
    assert (place.table_finder.place, place.table_finder.proposed_place) == (
        None,
        replace(STORED_PLACE, by="picture", agreed=False),
    )
    place.table_finder.set_place(STORED_PLACE.corners_px, "hand")
    assert place.watch() is not None
    assert [each.agreed for each in place.stored_places] == [True]


def test_looking_for_the_table_again_changes_nothing_until_a_person_agrees() -> None:
    place = Place(STORED_PLACE)
    place.watch(GREEN)
    found = place.table_finder.find()
    assert (place.table_finder.place, place.table_finder.proposed_place, place.stored_places) == (
        STORED_PLACE,
        found,
        [],
    )
    place.table_finder.set_place(CORNERS, "hand")
    assert (place.stored_places[0].corners_px, place.table_finder.proposed_place) == (CORNERS, None)


def test_a_place_that_a_person_confirms_during_a_search_stays_and_nothing_is_proposed() -> None:
    place = Place(STORED_PLACE)
    place.watch(GREEN)

    def confirm_meanwhile() -> str:
        place.utc = lambda: "now"
        place.table_finder.set_place(HALF, "hand")
        return "now"

    place.utc = confirm_meanwhile
    place.table_finder.find()
    confirmed, proposed = place.table_finder.place, place.table_finder.proposed_place
    assert (confirmed and confirmed.corners_px, proposed) == (HALF, None)


def test_a_place_that_a_person_confirms_while_tiles_are_learnt_stays() -> None:
    place = Place(STORED_PLACE)
    place.watch(GREEN)
    person = Thread(target=place.table_finder.set_place, args=(HALF, "hand"))

    def confirm_meanwhile() -> None:
        place.while_watcher_is_made = lambda: None
        person.start()
        person.join(0.3)

    place.while_watcher_is_made = confirm_meanwhile
    place.table_finder.replace_watcher()
    person.join()
    confirmed = place.table_finder.place
    assert confirmed is not None
    assert [confirmed] == place.stored_places
    assert confirmed.corners_px == HALF
    place.watch(GREEN)
    assert np.abs(place.watcher.calibration.corners_px - HALF).max() < 1e-6


def test_corners_at_the_pictures_border_are_refused_from_a_person_too() -> None:
    place = Place(STORED_PLACE)
    place.watch(GREEN)
    with pytest.raises(CalibrationError, match="hang the camera higher"):
        place.table_finder.set_place(((0.0, 0.0), (399.0, 0.0), (399.0, 399.0), (0.0, 399.0)), "hand")
    assert (place.table_finder.place, place.stored_places) == (STORED_PLACE, [])


def test_where_it_is_not_found_the_pictures_go_on_and_the_owner_points_it_out() -> None:
    place = Place()
    for _ in range(PICTURES + 3):
        with pytest.raises(CalibrationError):
            place.watch()
    assert place.table_finder.frame is not None
    assert (place.table_finder.place, place.table_finder.is_found) == (None, False)
    confirmed = place.table_finder.set_place(CORNERS, "hand")
    assert (confirmed.corners_px, confirmed.size, confirmed.by) == (CORNERS, (400, 400), "hand")
    assert place.watch() is not None


def test_corners_of_no_table_are_refused_and_change_nothing() -> None:
    place = Place(STORED_PLACE)
    place.watch()
    with pytest.raises(CalibrationError, match="expected the corners far left"):
        place.table_finder.set_place(((0.0, 0.0),) * 4, "hand")
    assert place.table_finder.place == STORED_PLACE
    with pytest.raises(CalibrationError, match="got none"):
        Place().table_finder.find()


def test_a_camera_of_another_size_is_looked_for_anew(caplog: pytest.LogCaptureFixture) -> None:
    place = Place(replace(STORED_PLACE, size=(800, 800)))
    with pytest.raises(CalibrationError):
        place.watch()
    assert "as when calibrated" in caplog.text


def test_a_camera_that_gives_another_size_for_a_while_is_watched_again_where_people_agreed() -> None:
    place = Place(STORED_PLACE)
    assert place.watch() is not None
    with pytest.raises(CalibrationError):
        place.watch(GREEN[:200, :200])
    assert not place.table_finder.is_found
    assert place.watch() is not None
    assert (place.table_finder.place, place.stored_places) == (STORED_PLACE, [])


def test_pictures_of_two_sizes_are_not_searched_together() -> None:
    place = Place()
    for _ in range(PICTURES - 1):
        with pytest.raises(CalibrationError, match="got too few pictures yet"):
            place.watch(GREEN)
    half_size = np.ascontiguousarray(GREEN[::2, ::2])
    for _ in range(PICTURES):
        with pytest.raises(CalibrationError):
            place.watch(half_size)
    proposed = place.table_finder.proposed_place
    assert proposed is not None
    assert np.abs(np.array(proposed.corners_px) - np.array(CORNERS) / 2).max() < 4


def test_a_disk_that_refuses_keeps_nobody_from_watching() -> None:
    place = proposing()
    place.can_write = False
    with pytest.raises(CalibrationError, match="the disk is full"):
        place.table_finder.set_place(CORNERS, "hand")
    assert place.watch(GREEN) is not None


def test_ids_are_never_used_again_when_other_eyes_take_over() -> None:
    place = Place(STORED_PLACE)
    first = place.watch()
    place.table_finder.replace_watcher()
    second = place.watch()
    assert first is not None
    assert second is not None
    (before,), (now,) = first.felt.tiles, second.felt.tiles
    assert before.id != now.id
    assert second.changes == (TileTaken(tile=before), TileLaid(tile=now))


# Aside


def see(report_switch: ReportSwitch, *reports: FeltReport | None) -> None:
    """Lets frames with these reports be looked at."""
    for each in reports:
        report_switch.observe(Frame(k=0, t_ns=0, image=NOISE), each, FakeCameraWatcher(STORED_PLACE.calibration))


def report(*tiles: LyingTile) -> FeltReport:
    return FeltReport(frame=0, t_ns=0, changes=(), felt=Felt(tiles=tiles))


def test_while_somebody_holds_the_felt_the_table_hears_nothing_of_it() -> None:
    inbox, reports = Inbox(), list[FeltReport | None]()
    report_switch = ReportSwitch(inbox)
    see(report_switch, report(tile(1)))
    report_switch.hold(lambda _, report: reports.append(report))
    see(report_switch, report(tile(1), tile(2)), None)
    assert inbox.messages == [report(tile(1))]
    assert reports == [report(tile(1), tile(2)), None]


def test_the_felt_is_given_back_when_it_is_so_and_with_all_that_changed() -> None:
    inbox = Inbox()
    report_switch = ReportSwitch(inbox)
    see(report_switch, report(tile(1)))
    report_switch.hold(lambda *_: None)
    see(report_switch, report(tile(2), tile(3)))
    report_switch.give_back_when(lambda felt: len(felt.tiles) < 2)
    was_held = report_switch.is_held
    see(report_switch, report(tile(2)))
    assert (was_held, report_switch.is_held) == (True, False)
    caught_up = inbox.messages[-1]
    assert isinstance(caught_up, FeltReport)
    assert caught_up.changes == (TileTaken(tile=tile(1)), TileLaid(tile=tile(2)))
    report_switch.give_back_when(lambda felt: True)
    assert len(inbox.messages) == 2


def test_felt_on_which_nothing_changed_is_given_back_without_a_word() -> None:
    inbox = Inbox()
    report_switch = ReportSwitch(inbox)
    report_switch.hold(lambda *_: None)
    report_switch.give_back_when(lambda felt: True)
    assert (report_switch.is_held, inbox.messages) == (False, [])


@pytest.mark.parametrize("stored", [STORED_PLACE, None], ids=["the table was found in others", "others were asked for"])
def test_pictures_of_another_size_are_told_with_the_size_that_came_and_that_was_asked_for(
    stored: StoredCalibration | None,
) -> None:
    place = Place(stored, asked_size=(400, 400))
    other = NOISE[:300, :320]
    for _ in range(PICTURES + 1):
        with pytest.raises(CalibrationError, match="expected pictures of 400 × 400 pixels, got 320 × 300") as refused:
            place.watch(other)
    assert (refused.value.says, refused.value.values) == ("size", {"got": "320 × 300", "asked": "400 × 400"})
