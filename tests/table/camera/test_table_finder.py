"""Finding the table, taking the owner's word for it, and what the table hears of the felt meanwhile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from table.camera.report_switch import Aside
from table.camera.table_finder import PICTURES, Sighted
from table.game.table_loop import Message
from vision.arrays import Image
from vision.errors import CalibrationError
from vision.felt import Felt, FeltReport, LyingTile, Reading, TileLaid, TileTaken, Zone
from vision.frames import Frame
from vision.geometry.calibration import Calibration
from vision.geometry.calibration_file import Kept
from vision.watching.changes import changes_between

CORNERS = ((50.0, 50.0), (350.0, 50.0), (350.0, 350.0), (50.0, 350.0))
KEPT = Kept(corners_px=CORNERS, size=(400, 400), side_mm=720.0, when="", by="hand")
GREEN = np.full((400, 400, 3), (62, 96, 24), np.uint8)
GREEN[:50] = GREEN[350:] = GREEN[:, :50] = GREEN[:, 350:] = (36, 44, 60)
NOISE = np.random.default_rng(1).integers(0, 255, (400, 400, 3), np.uint8)


def tile(number: int, x_mm: float = 0.0, face: str = "5p") -> LyingTile:
    return LyingTile(
        id=number,
        reading=Reading(tile=face, score=0.99),
        x_mm=x_mm,
        y_mm=-90.0,
        angle_deg=0.0,
        side=0,
        zone=Zone.RIVER,
        is_sideways=False,
        order=0,
    )


class Eye:
    """Believes one tile to lie there."""

    judged = 5

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self.felt = self.reported = Felt()
        self.next_id = 1

    def take_over(self, reported: Felt, next_id: int) -> None:
        self.reported, self.next_id = reported, next_id

    def look(self, frame: Frame) -> FeltReport | None:
        before, self.felt = self.reported, Felt(tiles=(tile(self.next_id),))
        self.reported, self.next_id = self.felt, self.next_id + 1
        return FeltReport(frame=frame.k, t_ns=frame.t_ns, changes=changes_between(before, self.felt), felt=self.felt)


class Place:
    """A table that is looked for."""

    def __init__(self, kept: Kept | None = None) -> None:
        self.written: list[Kept] = []
        self.can_write = True
        self.sighted = Sighted(Eye, self.keep, kept=kept, side_mm=720.0, wall=lambda: "now")
        self.k = 0

    def keep(self, kept: Kept) -> None:
        if not self.can_write:
            raise CalibrationError("the disk is full")
        self.written.append(kept)

    def look(self, image: Image = NOISE) -> FeltReport | None:
        self.k += 1
        frame = Frame(k=self.k, t_ns=self.k, image=image)
        return self.sighted.watcher_for(frame).look(frame)


def test_a_table_that_is_known_is_watched_at_once() -> None:
    place = Place(KEPT)
    assert not place.sighted.is_found
    assert place.look() is not None
    assert place.sighted.is_found


def test_a_table_that_is_not_known_is_looked_for_and_kept() -> None:
    place = Place()
    for _ in range(PICTURES - 1):
        with pytest.raises(CalibrationError, match="got too few pictures yet"):
            place.look(GREEN)
    assert place.look(GREEN) is not None
    (kept,) = place.written
    assert np.abs(np.array(kept.corners_px) - CORNERS).max() < 4
    assert (kept.by, kept.when) == ("picture", "now")


def test_where_it_is_not_found_the_pictures_go_on_and_the_owner_points_it_out() -> None:
    place = Place()
    for _ in range(PICTURES + 3):
        with pytest.raises(CalibrationError):
            place.look()
    assert place.sighted.frame is not None
    assert (place.sighted.kept, place.sighted.is_found) == (None, False)
    kept = place.sighted.place(CORNERS, "hand")
    assert (kept.corners_px, kept.size, kept.by) == (CORNERS, (400, 400), "hand")
    assert place.look() is not None


def test_corners_of_no_table_are_refused_and_change_nothing() -> None:
    place = Place(KEPT)
    place.look()
    with pytest.raises(CalibrationError, match="expected the corners far left"):
        place.sighted.place(((0.0, 0.0),) * 4, "hand")
    assert place.sighted.kept == KEPT
    with pytest.raises(CalibrationError, match="got none"):
        Place().sighted.find()


def test_a_camera_of_another_size_is_looked_for_anew(caplog: pytest.LogCaptureFixture) -> None:
    place = Place(replace(KEPT, size=(800, 800)))
    with pytest.raises(CalibrationError):
        place.look()
    assert "as when calibrated" in caplog.text


def test_a_disk_that_refuses_keeps_nobody_from_watching(caplog: pytest.LogCaptureFixture) -> None:
    place = Place()
    place.can_write = False
    for _ in range(PICTURES - 1):
        with pytest.raises(CalibrationError):
            place.look(GREEN)
    assert place.look(GREEN) is not None
    assert "the disk is full" in caplog.text


def test_ids_are_never_used_again_when_other_eyes_take_over() -> None:
    place = Place(KEPT)
    first = place.look()
    place.sighted.again()
    second = place.look()
    assert first is not None
    assert second is not None
    (was,), (now,) = first.felt.tiles, second.felt.tiles
    assert was.id != now.id
    assert second.changes == (TileTaken(tile=was), TileLaid(tile=now))


# Aside


class Inbox:
    def __init__(self) -> None:
        self.got: list[Message] = []

    def send(self, message: Message) -> None:
        self.got.append(message)


def see(aside: Aside, *reports: FeltReport | None) -> None:
    """Lets frames with these reports be looked at."""
    for each in reports:
        aside.observe(Frame(k=0, t_ns=0, image=NOISE), each, Eye(KEPT.calibration))


def report(*tiles: LyingTile) -> FeltReport:
    return FeltReport(frame=0, t_ns=0, changes=(), felt=Felt(tiles=tiles))


def test_while_somebody_holds_the_felt_the_table_hears_nothing_of_it() -> None:
    inbox, heard = Inbox(), list[FeltReport | None]()
    aside = Aside(inbox)
    see(aside, report(tile(1)))
    aside.hold(lambda _, report: heard.append(report))
    see(aside, report(tile(1), tile(2)), None)
    assert inbox.got == [report(tile(1))]
    assert heard == [report(tile(1), tile(2)), None]


def test_the_felt_is_given_back_when_it_is_so_and_with_all_that_changed() -> None:
    inbox = Inbox()
    aside = Aside(inbox)
    see(aside, report(tile(1)))
    aside.hold(lambda *_: None)
    see(aside, report(tile(2), tile(3)))
    aside.give_back_when(lambda felt: len(felt.tiles) < 2)
    was_held = aside.is_held
    see(aside, report(tile(2)))
    assert (was_held, aside.is_held) == (True, False)
    told = inbox.got[-1]
    assert isinstance(told, FeltReport)
    assert told.changes == (TileTaken(tile=tile(1)), TileLaid(tile=tile(2)))
    aside.give_back_when(lambda felt: True)
    assert len(inbox.got) == 2


def test_felt_on_which_nothing_changed_is_given_back_without_a_word() -> None:
    inbox = Inbox()
    aside = Aside(inbox)
    aside.hold(lambda *_: None)
    aside.give_back_when(lambda felt: True)
    assert (aside.is_held, inbox.got) == (False, [])
