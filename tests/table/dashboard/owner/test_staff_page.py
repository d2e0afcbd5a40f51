"""The staff's page: verdicts and questions for the owner's eyes only."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask

from table.dashboard import create_app
from table.dashboard.owner.staff_page import staff_view
from table.game.journal.fold import LoggedAnnouncement, RejectedEntry
from table.game.snapshot import Board, Mode, Snapshot
from table.i18n import catalogue
from table.rulebook.play_presets import HOME
from table.rules.advance import new_game
from table.rules.terms.announcements import Announcement, AnnouncementId, Scope
from table.rules.terms.seats import Seat
from tests.fakes.desks import PIN, FakeDesk, join


def log_line(scope: str, seat: int = 1) -> LoggedAnnouncement:
    announcement = Announcement(id=AnnouncementId.NOTEN_RIICHI, scope=Scope(scope), seat=Seat(seat), rule="R56")
    return LoggedAnnouncement.of_hand(0, announcement, 7, cause=(7,), frame=4)


@pytest.fixture
def snapshot() -> Snapshot:
    announcements = (log_line("public"), log_line("verdict"), log_line("staff", 2), log_line("private", 3))
    unfit = (
        RejectedEntry(entry=9, message="expected a tile, got none", says="tile", values={"tile": "7p"}),
        RejectedEntry(entry=12, message="expected a hand to settle, got a game that has ended"),
    )
    return Snapshot(
        version=1,
        game=new_game(HOME),
        announcements=announcements,
        rejected_entries=unfit,
        mode=Mode.TOURNAMENT,
        ruleset=HOME,
    )


@pytest.fixture
def app(snapshot: Snapshot) -> Flask:
    return create_app(Board(snapshot), FakeDesk())


def test_it_lists_verdicts_and_staff_matters_the_newest_first_and_nothing_private(snapshot: Snapshot) -> None:
    view = staff_view(snapshot, 3, catalogue())
    assert ["West" in line["text"] for line in view["told"]] == [True, False]
    assert "Rule R56" in view["told"][0]["why"]
    assert (view["phones"], view["mode"]) == (3, "Tournament")
    assert view["unfit"] == [
        "It cannot be 7 pin: there would be too many of it.",
        "This no longer fits the game.",
    ]


def test_it_names_those_who_sat_there_then(snapshot: Snapshot) -> None:
    people = ("Aki", "Ben", "Chie", "Dan")
    snapshot_with_names = replace(snapshot, names=people, names_before_changes=((8, ("Aki", "Eva", "Chie", "Dan")),))
    lines = [line["text"] for line in staff_view(snapshot_with_names, 3, catalogue())["told"]]
    assert ["Chie" in lines[0], "Eva" in lines[1]] == [True, True]


def test_only_the_owner_reads_it(app: Flask) -> None:
    seated, owner = app.test_client(), app.test_client()
    join(seated)
    join(owner, "owner", pin=PIN)
    assert seated.get("/staff").status_code == app.test_client().get("/staff").status_code == 302
    page = owner.get("/staff")
    assert page.status_code == 200
    assert "This no longer fits the game." in page.text
    assert "/staff" in owner.get("/game").text
    assert "/staff" not in seated.get("/game").text
