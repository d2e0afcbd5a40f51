"""Hints only for me: to that seat's own phone only, and only in the modes that allow them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.dashboard import create_app
from table.dashboard.live.private_hints import hints_view
from table.game.journal.fold import LoggedAnnouncement, Status
from table.game.snapshot import Board, Mode, Snapshot
from table.i18n import catalogue
from table.rulebook.play_presets import HOME
from table.rules.advance import advance, new_game
from table.rules.notation.event_notation import parse_events
from table.rules.terms.announcements import Scope
from table.rules.terms.seats import SEATS, Seat
from tests.fakes.desks import FakeDesk, join, streamed, token

FURITEN = "start E1 scores=25000,25000,25000,25000 dora=1z; 0 discards 3m; 1 discards 9p; 2 discards 9s; 3 discards 1z"


def snapshot(mode: Mode = Mode.HOME) -> Snapshot:
    """A hand in which the near seat told a wait that makes it furiten."""
    state, announcements = new_game(HOME), []
    for event in parse_events(f"{FURITEN}; 0 waits 36m"):
        step = advance(state, event, HOME)
        state = step.state
        announcements += [LoggedAnnouncement.of_hand(0, each, number) for number, each in enumerate(step.announcements)]
    return Snapshot(version=1, game=state, announcements=tuple(announcements), mode=mode)


def hints(snapshot: Snapshot, seat: Seat, *, opted_in: bool = False) -> list[str]:
    return [each["text"] for each in hints_view(snapshot, seat, catalogue(), opted_in=opted_in)]


def test_a_seat_is_told_its_wait_and_its_furiten() -> None:
    wait, furiten = hints(snapshot(), Seat.NEAR)
    assert wait == "You wait for: 3 man, 6 man."
    assert "furiten" in furiten.lower()


def test_a_hint_that_was_taken_back_or_is_of_another_hand_is_told_no_more() -> None:
    shown = snapshot()
    (hint,) = (each for each in shown.announcements if each.announcement.scope is Scope.PRIVATE)
    withdrawn = replace(shown, announcements=(*shown.announcements, replace(hint, status=Status.WITHDRAWN)))
    earlier = replace(shown, announcements=(replace(hint, hand=1),))
    assert [hints(each, Seat.NEAR) for each in (withdrawn, earlier)] == [["You wait for: 3 man, 6 man."]] * 2


def test_no_other_seat_is_told_anything() -> None:
    assert [hints(snapshot(), seat) for seat in SEATS[1:]] == [[], [], []]


@pytest.mark.parametrize(
    ("mode", "opted_in", "is_told"),
    [
        (Mode.HOME, False, True),
        (Mode.CLUB, False, False),
        (Mode.CLUB, True, True),
        (Mode.TOURNAMENT, False, False),
        (Mode.TOURNAMENT, True, False),
    ],
)
def test_hints_go_by_the_mode(mode: Mode, opted_in: bool, is_told: bool) -> None:
    assert bool(hints(snapshot(mode), Seat.NEAR, opted_in=opted_in)) == is_told


def test_only_the_own_phone_hears_them_on_its_stream() -> None:
    app = create_app(Board(snapshot()), FakeDesk())
    near, right, nobody = app.test_client(), app.test_client(), app.test_client()
    join(near, seat="0")
    join(right, seat="1")
    assert len(streamed(near)["hints"]) == 2
    assert "hints" not in streamed(right)
    assert "hints" not in streamed(nobody)
    assert "hints" not in near.get("/api/table").get_json()
    assert "3 man, 6 man" not in near.get("/api/table").text


def test_in_a_club_a_seat_asks_for_its_hints() -> None:
    client = create_app(Board(snapshot(Mode.CLUB)), FakeDesk()).test_client()
    join(client, seat="0")
    assert "hints" not in streamed(client)
    assert "Hints only for me" in client.get("/join").text
    form_token = token(client)["X-Tachiai-Token"]
    assert client.post("/join/hints", data={"token": form_token, "hints": "on"}).status_code == 302
    assert streamed(client)["hints"]
    assert client.post("/join/hints", data={"token": "forged"}).status_code == 403


def test_a_wait_is_told_by_the_seat_itself() -> None:
    desk = FakeDesk()
    client = create_app(Board(snapshot()), desk).test_client()
    join(client, seat="0")
    for seat, status in ((1, 403), (0, 202)):
        body = {"press": "wait", "seat": seat, "tiles": ["3m"]}
        assert client.post("/api/press", json=body, headers=token(client)).status_code == status
    assert len(desk.commands) == 1
