"""Fouls at a table that nobody watches belong to the hand on the screen, and open it where it is not dealt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.game.commands.command_reader import read_press
from table.game.commands.game_commands import EndGame
from table.game.journal.entries import Envelope, Source
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table, TableLoop
from table.records.mjai.from_journal.journal_mjai import mjai_lines
from table.rulebook import rules_named
from table.rules.events import FoulLogged, HandStarted
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import Seat
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import PressError
from tests.fakes.desks import join, token
from tests.table.game.by_hand import draw, riichi, tell, undo, win

HOME = rules_named("home").ruleset
CHOMBO: dict[str, Any] = {"clause": "7-04-01", "option": "a"}
AFTER_WON = (21100, 28900, 25000, 25000)
CHARGED = (23100, 32900, 17000, 27000)
"""After a chombo of West in the second hand, which South deals."""


def table_at(journal: Journal) -> Table:
    return Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock())


@pytest.fixture
def table(journal: Journal) -> Table:
    return table_at(journal)


def press(table: Table, **fields: Any) -> None:
    table.handle(read_press(fields))


def by_two_phones(table: Table, **foul: Any) -> None:
    press(table, press="name_foul", by="seat 0", **foul)
    press(table, press="agree", by="seat 1")


def by_the_panel(table: Table, seat: int, clause: str) -> None:
    """Steps to a quick foul and confirms it."""
    press(table, press="foul_button", seat=seat)
    for _ in HOME.penalties.quick:
        press(table, press="foul_button", seat=seat)
        proposal = table.board.latest.proposal
        assert proposal is not None
        if proposal.clause == clause:
            break
    press(table, press="table_button")


def test_a_chombo_after_a_settlement_is_one_of_the_next_hand(table: Table) -> None:
    tell(table, win(1, 0, 3))
    by_two_phones(table, seat=2, **CHOMBO)
    hand = table.state.live
    assert hand is not None
    assert (repr(hand.round), int(hand.dealer), [foul.seat for foul in hand.fouls]) == ("E2", 1, [Seat.FAR])
    press(table, press="confirm")
    first, second = table.state.history
    assert (first.fouls, first.scores) == ((), AFTER_WON)
    assert second.settlement is not None
    assert (second.settlement.reason, second.scores) == (AbortReason.CHOMBO, CHARGED)
    assert table_at(table.journal).state == table.state


def cancelled(table: Table) -> list[tuple[int, str | None]]:
    """The offender of each foul, hand by hand, with the reason of its cancellation."""
    hands = [line.fouls for line in table.state.history]
    fouls = (*hands, () if table.state.live is None else table.state.live.fouls)
    return [(int(foul.seat), foul.cancel_reason) for each in fouls for foul in each]


def test_a_foul_is_cancelled_in_the_hand_it_was_in_when_that_was_proposed(table: Table) -> None:
    press(table, press="foul", seat=2, clause="7-05-06")
    press(table, press="name_foul", by="seat 0", seat=2, foul=0, reason="seen wrongly")
    tell(table, win(1, 0, 3))
    press(table, press="foul", seat=3, clause="7-05-06")
    press(table, press="agree", by="seat 1")
    assert cancelled(table) == [(2, "seen wrongly"), (3, None)]


def test_a_foul_of_the_settled_hand_is_replaced_in_that_hand(table: Table) -> None:
    press(table, press="foul", seat=2, clause="7-05-06")
    tell(table, win(1, 0, 3))
    by_two_phones(table, seat=2, foul=0, clause="7-05-14", reason="another one")
    assert [foul.clause for foul in table.state.history[0].fouls] == ["7-05-06", "7-05-14"]
    assert (table.state.live, cancelled(table)) == (None, [(2, "another one"), (2, None)])


def test_a_chombo_can_be_entered_in_the_first_hand_of_a_game(table: Table) -> None:
    by_two_phones(table, seat=2, **CHOMBO)
    press(table, press="confirm")
    assert [line.scores for line in table.state.history] == [(29000, 27000, 17000, 27000)]


def test_the_panel_means_the_next_hand_too(table: Table) -> None:
    tell(table, win(1, 0, 3))
    by_the_panel(table, 2, "7-05-11")
    assert (table.state.scores, table.state.deposit_points) == ((21100, 28900, 24000, 25000), 1000)
    assert table.state.history[0].fouls == ()
    tell(table, win(2, 3, 1))
    assert table.state.scores == (21100, 28900, 26000, 24000)


def test_a_foul_named_before_the_hand_was_settled_stays_one_of_that_hand(table: Table) -> None:
    press(table, press="name_foul", by="seat 0", seat=2, clause="7-05-11")
    tell(table, draw())
    press(table, press="agree", by="seat 1")
    assert [len(line.fouls) for line in table.state.history] == [1]
    assert table.state.live is None
    assert (table.state.scores, table.state.deposit_points) == ((25000, 25000, 24000, 25000), 1000)


def test_a_foul_named_between_the_hands_waits_through_the_deal_of_its_hand(table: Table) -> None:
    tell(table, win(1, 0, 3))
    press(table, press="name_foul", by="seat 0", seat=2, clause="7-05-11")
    table.handle(riichi(3))
    press(table, press="agree", by="seat 1")
    assert table.state.live is not None
    assert len(table.state.live.fouls) == 1


def test_a_foul_that_names_the_hand_before_is_charged_there(table: Table) -> None:
    tell(table, win(1, 0, 3), win(2, 1, 1))
    by_two_phones(table, seat=2, hand=0, **CHOMBO)
    assert [len(line.fouls) for line in table.state.history] == [1, 0]
    assert table.state.history[0].scores == (25100, 30900, 17000, 27000)
    assert table.state.live is None
    assert table_at(table.journal).state == table.state


def test_a_foul_that_is_put_right_stays_in_its_hand(table: Table) -> None:
    by_two_phones(table, seat=2, clause="7-05-11")
    tell(table, draw())
    by_two_phones(table, seat=2, hand=0, foul=0, **CHOMBO)
    assert [[foul.cancel_reason is None for foul in line.fouls] for line in table.state.history] == [[False, True]]
    assert table.state.scores == (29000, 27000, 17000, 27000)
    assert table.state.deposit_points == 0


def test_no_foul_opens_a_hand_after_the_game(table: Table) -> None:
    table.handle(EndGame())
    with pytest.raises(PressError, match="expected a hand in play for 'foul', got none"):
        by_two_phones(table, seat=2, **CHOMBO)


def test_a_hand_that_a_foul_opened_is_exported_as_dealt(table: Table) -> None:
    tell(table, win(1, 0, 3))
    by_two_phones(table, seat=2, **CHOMBO)
    press(table, press="confirm")
    lines = mjai_lines(table.journal.last_game())
    assert [line["type"] for line in lines] == [
        "start_game",
        *("start_kyoku", "hora", "end_kyoku"),
        *("start_kyoku", "ryukyoku", "end_kyoku"),
    ]
    assert (lines[4]["oya"], lines[4]["scores"], lines[5]["scores"]) == (1, list(AFTER_WON), list(CHARGED))


def test_a_foul_in_a_journal_that_named_no_hand_counts_as_it_did(table: Table, journal: Journal) -> None:
    """Between hands it was about the hand just settled; before the first one the table had dealt that."""
    first = table.state.next_start
    assert isinstance(first, HandStarted)
    tell(table, win(1, 0, 3))
    envelope = Envelope(utc="2026-11-20T20:00:00.000+00:00", source=Source.PRESS, by="seat 1", act=journal.last + 1)
    journal.append(envelope, FoulLogged(seat=Seat.FAR, clause="7-04-01", option="a"))
    found = table_at(journal)
    assert [len(line.fouls) for line in found.state.history] == [1]
    assert found.state.live is None
    assert found.state.scores == (25100, 30900, 17000, 27000)
    undo(found)
    assert found.state.scores == AFTER_WON


# On the page


@pytest.fixture
def client(table: Table) -> Iterator[FlaskClient]:
    with TableLoop(table) as loop:
        client = create_app(table.board, loop).test_client()
        join(client, seat="1")
        yield client


def test_the_page_is_about_the_next_hand_with_its_winds_and_what_can_happen_in_it(
    client: FlaskClient, table: Table
) -> None:
    tell(table, win(1, 0, 3))
    view = client.get("/api/fouls").get_json()
    assert (view["hand"], view["round"]) == (1, "East 2")
    assert [seat["name"] for seat in view["seats"]] == ["North", "East", "South", "West"]
    assert all("7-05-01" in seat["possible"] for seat in view["seats"])
    preview = client.get("/api/fouls/foreseen", query_string={"seat": 2, **CHOMBO}).get_json()
    assert preview["points"] == ["+2,000", "+4,000", "−8,000", "+2,000"]


def test_the_page_can_be_asked_for_an_earlier_hand(client: FlaskClient, table: Table) -> None:
    tell(table, win(1, 0, 3))
    view = client.get("/api/fouls?hand=0").get_json()
    assert (view["hand"], view["round"], view["seats"][0]["name"]) == (0, "East 1", "East")
    preview = client.get("/api/fouls/foreseen", query_string={"seat": 2, "hand": 0, **CHOMBO}).get_json()
    assert preview["points"] == ["+4,000", "+2,000", "−8,000", "+2,000"]
    assert 'href="/fouls?hand=0"' in client.get("/hand/0").text
    for missing in ("7", "-1", "x"):
        assert client.get(f"/api/fouls?hand={missing}").status_code == 200
    assert client.get("/api/fouls/foreseen", query_string={"seat": 2, "hand": 7, **CHOMBO}).status_code == 400


def test_what_a_phone_names_for_a_hand_is_shown_as_one_of_it(client: FlaskClient, table: Table) -> None:
    tell(table, win(1, 0, 3))
    answer = client.post(
        "/api/press", json={"press": "name_foul", "seat": 2, "hand": 0, **CHOMBO}, headers=token(client)
    )
    assert answer.status_code == 202
    proposal = client.get("/api/fouls").get_json()["named"]
    assert (proposal["round"], proposal["name"], proposal["points"][0]) == ("East 1", "West", "+4,000")


def test_logged_fouls_stand_by_their_hand(client: FlaskClient, table: Table) -> None:
    tell(table, win(1, 0, 3))
    by_two_phones(table, seat=2, clause="7-05-11")
    by_two_phones(table, seat=2, hand=0, clause="7-05-11")
    fouls = client.get("/api/fouls").get_json()["logged"]
    assert [(foul["hand"], foul["foul"], foul["round"], foul["name"]) for foul in fouls] == [
        (1, 0, "East 2", "South"),
        (0, 0, "East 1", "West"),
    ]


def test_a_voice_on_a_foul_of_a_hand_that_was_taken_back_is_refused(table: Table) -> None:
    tell(table, win(1, 0, 3))
    press(table, press="name_foul", by="seat 0", seat=2, hand=1, **CHOMBO)
    undo(table)
    with pytest.raises(PressError):
        press(table, press="agree", by="seat 1", seen="0badc0de")
