"""Who sits where, and who is the owner: real phones in sessions of their own, at the real table."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.dashboard.web.access.roles import answers_for_table
from table.dashboard.web.access.seat_holders import ABSENCE_S, REQUEST_S, SeatHolders
from table.dashboard.web.access.vault import Vault
from table.dashboard.web.security import TOKEN_HEADER
from table.game.table_loop import Table, TableLoop
from table.i18n import catalogue, languages
from table.rules.ruleset import Ruleset
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import Seat
from table.runtime.person_name import MOST_LETTERS
from table.runtime.table_errors import PressError
from tests.fakes.desks import PIN, join, token

SEAT_PIN = "kingfisher"
PHONES = 16


@pytest.fixture
def phones(app: Flask) -> list[FlaskClient]:
    """Four phones that sit, and one that only looks on."""
    found = [app.test_client() for _ in range(5)]
    for seat, client in enumerate(found[:4]):
        assert join(client, seat=str(seat)) == 302
    return found


def seat_of(client: FlaskClient) -> tuple[str, int | None]:
    session = client.get("/api/session").get_json()
    return session["role"], session["seat"]


def press(client: FlaskClient, kind: str, **body: Any) -> tuple[int, dict[str, Any]]:
    answer = client.post("/api/press", json={"press": kind, **body}, headers=token(client))
    return answer.status_code, answer.get_json()


def news(table: Table, kind: str) -> list[dict[str, object]]:
    return [dict(each.announcement.args) for each in table.announcements if each.announcement.id.value == kind]


def post(client: FlaskClient, **form: str) -> Any:
    return client.post("/join", data={"token": token(client)[TOKEN_HEADER], **form})


def test_an_owner_without_a_seat_is_offered_one(app: Flask) -> None:
    owner = app.test_client()
    join(owner, "owner", pin=PIN)
    for page in ("/", "/invite"):
        assert re.search(r'href="/join">(<b>)?Take a seat<', owner.get(page).text)
    join(owner)
    for page in ("/", "/invite"):
        assert "Take a seat" not in owner.get(page).text


def test_a_phone_that_only_watches_says_so_and_offers_a_seat(app: Flask) -> None:
    phone = app.test_client()
    assert "only watches" not in phone.get("/").text + phone.get("/join").text
    join(phone, "spectator")
    assert '<p class="hint">This phone only watches.</p>' in phone.get("/").text
    assert 'href="/join">Take a seat<' in phone.get("/").text
    assert "This phone only watches." in phone.get("/join").text
    assert ">Only watch<" not in phone.get("/join").text
    join(phone)
    assert "only watches" not in phone.get("/").text
    assert ">Only watch<" in phone.get("/join").text


@pytest.mark.parametrize("language", languages())
def test_a_name_with_signs_that_turn_the_line_x(app: Flask, language: str) -> None:
    phone = app.test_client()
    phone.get(f"/language/{language}")
    answer = post(phone, role="seat", seat="0", name="\u202eAnn")
    assert answer.status_code == 409
    assert catalogue(language).for_pages().text("refused.name_signs") in answer.text
    assert seat_of(phone) == ("spectator", None)


def test_a_name_loses_the_marks_that_nobody_sees(app: Flask, table: Table) -> None:
    assert join(app.test_client(), seat="0", name="\u200fדוד\u200e") == 302
    assert table.board.latest.names[0] == "דוד"


@pytest.mark.parametrize("language", languages())
def test_a_name_that_is_too_long_is_refused_before_a_seat_is_taken(app: Flask, table: Table, language: str) -> None:
    phone, long = app.test_client(), "葵" * 25
    phone.get(f"/language/{language}")
    assert str(MOST_LETTERS) in catalogue(language).text("page.own_name")
    for form in ({}, {"do": "ask"}):
        answer = post(phone, role="seat", seat="0", name=long, **form)
        assert answer.status_code == 409
        assert catalogue(language).for_pages().text("refused.name_long", name=long, most=24) in answer.text
        assert f'<input name="name" value="{long}"' in answer.text
        assert 'value="ask"' not in answer.text
    assert seat_of(phone) == ("spectator", None)
    assert join(phone, seat="0", name="👨‍👩‍👧‍👦" * 24) == 302
    assert table.board.latest.names[0] == "👨‍👩‍👧‍👦" * 24


# --- A seat that is held ----------------------------------------------------------------------------------------------


def test_a_seat_that_is_held_is_not_taken_by_sitting_down(phones: list[FlaskClient], table: Table) -> None:
    answer = post(phones[4], role="seat", seat="0")
    assert answer.status_code == 409
    assert "Another phone has this seat. You can ask for it." in answer.text
    assert seat_of(phones[0]) == ("seat", 0)
    assert seat_of(phones[4]) == ("spectator", None)
    assert not news(table, "seat_taken")


def test_its_holder_sits_down_again_as_often_as_it_likes(phones: list[FlaskClient]) -> None:
    assert [join(phones[0], seat="0") for _ in range(3)] == [302] * 3
    assert seat_of(phones[0]) == ("seat", 0)


def test_who_moves_or_only_watches_leaves_a_free_seat(phones: list[FlaskClient]) -> None:
    assert join(phones[0], "spectator") == 302
    assert join(phones[4], seat="0") == 302
    assert join(phones[0], seat="0") == 409
    assert join(phones[4], "spectator") == 302
    assert join(phones[1], seat="0") == 302
    assert join(phones[0], seat="1") == 302
    assert [seat_of(each)[1] for each in phones[:2]] == [1, 0]


def test_its_holder_gives_it_by_a_word_and_is_told(phones: list[FlaskClient], table: Table) -> None:
    assert post(phones[4], role="seat", seat="0", do="ask").status_code == 302
    assert len(news(table, "seat_asked")) == 1
    assert "Another phone asks for your seat" in phones[0].get("/join").text
    assert "Another phone asks for East’s seat" in phones[1].get("/join").text
    assert post(phones[0], role="seat", seat="0", do="give").status_code == 302
    assert seat_of(phones[4]) == ("seat", 0)
    assert seat_of(phones[0]) == ("spectator", None)
    assert news(table, "seat_taken") == [{"way": "word"}]
    assert "Another phone has your seat now." in phones[0].get("/").text
    assert press(phones[0], "confirm")[0] == 403


def test_its_holder_reads_who_asks(phones: list[FlaskClient], table: Table) -> None:
    refused = post(phones[4], role="seat", seat="0", name="Hana")
    assert '<input type="hidden" name="name" value="Hana">' in refused.text
    post(phones[4], role="seat", seat="0", do="ask", name="Hana")
    assert "A phone named “Hana” asks for your seat" in phones[0].get("/join").text
    assert "A phone named “Hana” asks for East’s seat" in phones[1].get("/join").text
    text = phones[2].get("/api/table").get_json()["news"][0]["text"]
    assert text.startswith("A phone named “Hana” asks for East’s seat.")
    assert news(table, "seat_asked") == [{"asker": "Hana", "is_entered": True}]
    assert 'value="Hana"' in phones[4].get("/join").text


def test_a_player_who_wants_another_seat_is_named_as_at_the_table(phones: list[FlaskClient]) -> None:
    post(phones[1], role="seat", seat="1", name="Ken")
    post(phones[1], role="seat", seat="0", do="ask")
    assert "Ken asks for your seat" in phones[0].get("/join").text
    assert 'class="all">' not in phones[1].get("/join").text


def test_a_phone_that_names_itself_as_a_player_is_not_told_as_that_player(phones: list[FlaskClient]) -> None:
    post(phones[1], role="seat", seat="1", name="Ken")
    post(phones[4], role="seat", seat="0", do="ask", name="Ken")
    assert "A phone named “Ken” asks for your seat" in phones[0].get("/join").text


def test_a_phone_has_one_request_and_none_once_it_watches(app: Flask, phones: list[FlaskClient]) -> None:
    new = app.test_client()
    for seat in "0123":
        assert post(phones[4], role="seat", seat=seat, do="ask", name="Guest").status_code == 302
    assert post(new, role="seat", seat="3", do="ask").status_code == 409
    for seat in "012":
        assert post(new, role="seat", seat=seat, do="ask").status_code == 302
    post(phones[4], role="spectator")
    assert post(new, role="seat", seat="3", do="ask").status_code == 302
    assert "A phone named" not in phones[3].get("/join").text


def test_a_phone_that_sits_down_elsewhere_asks_for_no_seat_any_more(app: Flask, phones: list[FlaskClient]) -> None:
    post(phones[4], role="seat", seat="0", do="ask")
    post(phones[1], role="spectator")
    assert join(phones[4], seat="1") == 302
    assert post(phones[0], role="seat", seat="0", do="give").status_code == 409
    assert post(app.test_client(), role="seat", seat="0", do="ask").status_code == 302


def test_a_request_that_nobody_answers_ends_after_a_while() -> None:
    now = [0.0]
    holders = SeatHolders(Vault(), clock=lambda: now[0])
    holders.take(Seat.NEAR, "holder")
    assert holders.ask(Seat.NEAR, "guest", "Guest")
    now[0] = REQUEST_S
    with pytest.raises(PressError):
        holders.ask(Seat.NEAR, "new")
    now[0] = REQUEST_S + 1
    assert (holders.request_for(Seat.NEAR), holders.request_to_answer("holder")) == (None, None)
    with pytest.raises(PressError):
        holders.answer(Seat.NEAR, "holder", is_agreed=True)
    assert holders.ask(Seat.NEAR, "new")
    holders.answer(Seat.NEAR, "holder", is_agreed=True)
    assert holders.holder_of(Seat.NEAR) == "new"


def test_its_holder_says_no(phones: list[FlaskClient]) -> None:
    post(phones[4], role="seat", seat="0", do="ask")
    assert post(phones[0], role="seat", seat="0", do="keep").status_code == 302
    assert post(phones[0], role="seat", seat="0", do="give").status_code == 409
    assert seat_of(phones[0]) == ("seat", 0)
    line = phones[4].get("/api/table").get_json()["news"][0]
    assert line["text"] == "East’s seat was not given to the phone that asked."


def test_who_asks_is_told_of_the_seats_pin_only_where_there_is_one(phones: list[FlaskClient]) -> None:
    post(phones[0], role="seat", do="pin", seat_pin=SEAT_PIN)
    assert "or enter the seat’s PIN." in post(phones[4], role="seat", seat="0").text
    assert "or enter the seat’s PIN." not in post(phones[4], role="seat", seat="1").text


def test_the_page_of_seats_leads_back_and_asks_an_owner_for_no_pin(app: Flask) -> None:
    owner = app.test_client()
    assert '<a class="back" href="/"' in owner.get("/join").text
    assert 'name="pin"' in owner.get("/join").text
    join(owner, "owner", pin=PIN)
    assert 'name="pin"' not in owner.get("/join").text


def test_its_own_pin_finds_it_again_with_another_phone(phones: list[FlaskClient], table: Table) -> None:
    assert post(phones[0], role="seat", do="pin", seat_pin=SEAT_PIN).status_code == 302
    assert post(phones[4], role="seat", seat="0", seat_pin="nightingale").status_code == 403
    assert seat_of(phones[0]) == ("seat", 0)
    assert post(phones[4], role="seat", seat="0", seat_pin=SEAT_PIN.title()).status_code == 302
    assert seat_of(phones[4]) == ("seat", 0)
    assert news(table, "seat_taken") == [{"way": "pin"}]
    assert "Another phone has your seat now." in phones[0].get("/").text


def test_the_pin_of_a_seat_goes_with_who_chose_it(phones: list[FlaskClient]) -> None:
    post(phones[0], role="seat", do="pin", seat_pin=SEAT_PIN)
    post(phones[0], role="spectator")
    assert join(phones[4], seat="0") == 302
    assert post(phones[0], role="seat", seat="0", seat_pin=SEAT_PIN).status_code == 409


def test_the_owner_takes_any_seat_or_frees_it(phones: list[FlaskClient], table: Table) -> None:
    assert post(phones[4], role="owner", seat="0", do="free").status_code == 400
    assert join(phones[4], "owner", pin=PIN) == 302
    assert join(phones[4], seat="0") == 302
    assert seat_of(phones[4]) == ("owner", 0)
    assert seat_of(phones[0]) == ("spectator", None)
    assert post(phones[4], role="owner", seat="1", do="free").status_code == 302
    assert seat_of(phones[1]) == ("spectator", None)
    assert news(table, "seat_taken") == [{"way": "owner"}] * 2


def test_the_three_other_seats_give_it_together_and_two_do_not(phones: list[FlaskClient], table: Table) -> None:
    post(phones[4], role="seat", seat="0", do="ask")
    for other in phones[1:3]:
        assert post(other, role="seat", seat="0", do="give").status_code == 302
        assert post(other, role="seat", seat="0", do="give").status_code == 302
        assert seat_of(phones[0]) == ("seat", 0)
    assert post(phones[3], role="seat", seat="0", do="give").status_code == 302
    assert seat_of(phones[4]) == ("seat", 0)
    assert seat_of(phones[0]) == ("spectator", None)
    assert news(table, "seat_taken") == [{"way": "others"}]


def test_one_phone_that_goes_round_the_free_seats_is_no_three_others(app: Flask) -> None:
    holder, other, asker = app.test_client(), app.test_client(), app.test_client()
    join(holder, seat="0")
    post(asker, role="seat", seat="0", do="ask")
    for seat in "123":
        assert join(other, seat=seat) == 302
        assert post(other, role="seat", seat="0", do="give").status_code == 302
    assert seat_of(holder) == ("seat", 0)


def test_who_asks_for_a_seat_does_not_answer_for_it(phones: list[FlaskClient]) -> None:
    post(phones[4], role="seat", seat="0", do="ask")
    assert post(phones[4], role="seat", seat="0", do="give").status_code == 409
    assert seat_of(phones[0]) == ("seat", 0)


@pytest.mark.parametrize("answer", ["give", "keep"])
def test_an_answer_to_a_request_is_none_to_that_of_another_phone(phones: list[FlaskClient], answer: str) -> None:
    post(phones[4], role="seat", seat="0", do="ask", name="Hana")
    shown = re.search('name="asker" value="([0-9a-f]+)"', phones[0].get("/join").text)
    assert shown is not None
    post(phones[4], role="spectator")
    post(phones[3], role="seat", seat="0", do="ask")
    refused = post(phones[0], role="seat", seat="0", do=answer, asker=shown[1])
    assert refused.status_code == 409
    assert "This was changed elsewhere in the meantime" in refused.text
    assert "Another phone asks for your seat" in refused.text
    assert [seat_of(phones[each])[1] for each in (0, 3)] == [0, 3]


def test_sixteen_phones_race_for_a_free_seat_and_one_gets_it(app: Flask) -> None:
    clients = [app.test_client() for _ in range(PHONES)]
    forms = [{"role": "seat", "seat": "2", "token": token(each)[TOKEN_HEADER]} for each in clients]
    answers: list[int] = []
    threads = [
        threading.Thread(target=lambda at=at: answers.append(clients[at].post("/join", data=forms[at]).status_code))
        for at in range(PHONES)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [302] + [409] * (PHONES - 1)
    assert [seat_of(each)[1] for each in clients].count(2) == 1


def test_a_restart_leaves_everybody_where_they_sit(table: Table, tmp_path: Path) -> None:
    secrets = tmp_path / "table.secrets"
    with TableLoop(table) as loop:
        first = create_app(table.board, loop, Vault(secrets)).test_client()
        join(first, seat="3")
        cookie = first.get_cookie("tachiai")
        assert cookie is not None
        again = create_app(table.board, loop, Vault(secrets))
        phone = again.test_client()
        phone.set_cookie("tachiai", cookie.value)
        assert seat_of(phone) == ("seat", 3)
        assert join(again.test_client(), seat="3") == 409


def test_a_phone_that_joined_under_an_earlier_program_keeps_its_seat(app: Flask) -> None:
    old, other = app.test_client(), app.test_client()
    with old.session_transaction() as session:
        session.update({"token": "of an earlier program", "role": "seat", "seat": 1})
    assert seat_of(old) == ("seat", 1)
    assert join(other, seat="1") == 409


def test_a_seat_of_which_nothing_is_heard_for_half_a_day_is_free() -> None:
    now = [0.0]
    holders = SeatHolders(Vault(), clock=lambda: now[0])
    holders.take(Seat.NEAR, "first")
    now[0] = ABSENCE_S
    with pytest.raises(PressError):
        holders.take(Seat.NEAR, "second")
    now[0] = ABSENCE_S + 1
    assert holders.seat_of("first") is Seat.NEAR
    with pytest.raises(PressError):
        holders.take(Seat.NEAR, "second")
    now[0] = 2 * ABSENCE_S + 2
    holders.take(Seat.NEAR, "second")
    assert holders.seat_of("first") is None
    with pytest.raises(PressError):
        holders.take(Seat.NEAR, "third")


# --- Names ------------------------------------------------------------------------------------------------------------


def test_who_sits_down_by_a_name_is_called_by_it_at_the_table(app: Flask, table: Table) -> None:
    phone, other = app.test_client(), app.test_client()
    assert post(phone, role="seat", seat="2", name=" Jo ").status_code == 302
    assert post(other, role="seat", seat="0").status_code == 302
    assert table.board.latest.names == ("", "", "Jo", "")
    page = other.get("/join").text
    assert "<b>Jo</b> <small>taken</small>" in page
    assert "<b>East</b> <small>you</small>" in page
    assert "<b>South</b> <small>free</small>" in page


def test_a_name_is_kept_by_its_phone_and_goes_with_its_player(app: Flask, table: Table) -> None:
    phone = app.test_client()
    post(phone, role="seat", seat="2", name="Jo")
    assert 'name="name" value="Jo"' in phone.get("/join").text
    post(phone, role="seat", seat="1", name="Jo")
    assert table.board.latest.names == ("", "Jo", "", "")
    post(phone, role="spectator")
    assert 'value="Jo"' in phone.get("/join").text


def test_a_seat_that_was_named_keeps_its_name_where_who_sits_down_says_none(app: Flask, table: Table) -> None:
    owner, phone = app.test_client(), app.test_client()
    join(owner, "owner", pin=PIN)
    owner.post("/api/names", json={"names": ["Aoi", "Ben", "", ""]}, headers=token(owner))
    post(phone, role="seat", seat="1", name="")
    assert table.board.latest.names == ("Aoi", "Ben", "", "")
    assert 'value="Ben"' in phone.get("/join").text


def test_no_name_is_taken_for_a_seat_that_another_phone_holds(phones: list[FlaskClient], table: Table) -> None:
    assert post(phones[4], role="seat", seat="0", name="Jo").status_code == 409
    assert table.board.latest.names == ("", "", "", "")


def test_a_name_that_nobody_can_see_is_none(app: Flask, table: Table) -> None:
    client = app.test_client()
    assert join(client, "seat", seat="2", name="Ann") == 302
    assert join(client, "seat", seat="2", name="\u3164") == 302
    assert table.board.latest.names[2] == "Ann"
    form = {"token": token(client)[TOKEN_HEADER], "do": "names", "name2": "\u3164", "was2": "Ann"}
    assert client.post("/game", data=form).status_code == 302
    assert table.board.latest.names[2] == ""


def test_a_name_that_is_too_long_is_refused(app: Flask, table: Table) -> None:
    assert post(app.test_client(), role="seat", seat="0", name="x" * 25).status_code == 409
    assert table.board.latest.names == ("", "", "", "")


def test_four_phones_that_sit_down_at_once_are_all_named(app: Flask, table: Table) -> None:
    clients = [app.test_client() for _ in range(4)]
    forms = [
        {"role": "seat", "seat": str(seat), "name": name, "token": token(clients[seat])[TOKEN_HEADER]}
        for seat, name in enumerate("ABCD")
    ]
    threads = [threading.Thread(target=lambda at=at: clients[at].post("/join", data=forms[at])) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert table.board.latest.names == ("A", "B", "C", "D")


# --- The big screen ---------------------------------------------------------------------------------------------------


def test_the_big_screens_code_goes_once_four_have_joined(app: Flask) -> None:
    address, wall = "http://192.168.1.4:8000", app.test_client()
    phones = [app.test_client() for _ in range(4)]
    for seat, phone in enumerate(phones):
        page = wall.get("/wall", base_url=address).text
        assert '<aside class="join" id="invited">' in page
        join(phone, seat=str(seat))
    assert '<aside class="join" id="invited" hidden>' in wall.get("/wall", base_url=address).text
    join(phones[0], "spectator")
    assert '<aside class="join" id="invited">' in wall.get("/wall", base_url=address).text


# --- Two people agree -------------------------------------------------------------------------------------------------

FOUL = {"seat": 2, "clause": "7-05-11"}


def test_two_people_who_agree_are_two_phones_and_the_table_is_told_who(phones: list[FlaskClient], table: Table) -> None:
    phones[0].post("/api/names", json={"names": ["Aoi", "", "", ""]}, headers=token(phones[0]))
    assert press(phones[0], "name_foul", **FOUL)[0] == 202
    assert press(phones[3], "agree")[0] == 202
    assert news(table, "foul_agreed") == [{"first": Seat.NEAR, "second": Seat.LEFT}]
    lines = phones[4].get("/api/table").get_json()["news"]
    assert "Agreed by Aoi and North." in [line["text"] for line in lines]


def test_one_phone_that_changes_its_seat_is_not_two_people(app: Flask, table: Table) -> None:
    phone = app.test_client()
    join(app.test_client(), seat="3")
    join(phone, seat="0")
    assert press(phone, "name_foul", **FOUL)[0] == 202
    join(phone, seat="1")
    assert press(phone, "agree")[0] == 202
    assert not news(table, "foul_logged")
    assert table.board.latest.proposal is not None


def test_a_cookie_kept_from_an_earlier_seat_is_no_second_phone(app: Flask, table: Table) -> None:
    phone, old_phone = app.test_client(), app.test_client()
    join(app.test_client(), seat="3")
    join(phone, seat="0")
    cookie = phone.get_cookie("tachiai")
    assert cookie is not None
    old_phone.set_cookie("tachiai", cookie.value)
    join(phone, seat="1")
    assert press(phone, "name_foul", **FOUL)[0] == 202
    assert press(old_phone, "agree")[0] == 202
    assert not news(table, "foul_logged")


def test_one_phone_that_keeps_the_table_alone_records_a_foul_by_a_second_tap(app: Flask, table: Table) -> None:
    phone = app.test_client()
    join(phone, seat="0")
    assert press(phone, "name_foul", **FOUL)[0] == 202
    assert not news(table, "foul_logged")
    assert press(phone, "agree")[0] == 202
    assert news(table, "foul_logged")
    assert phone.get("/api/fouls").get_json()["logged"][0]["by"] == "decided by East, all players"


# --- The owner --------------------------------------------------------------------------------------------------------


def test_a_phone_that_keeps_the_table_alone_does_not_decide_where_the_owner_decides(app: Flask) -> None:
    phone, rules = app.test_client(), Ruleset().penalties
    join(phone, seat="0")
    with phone:
        phone.get("/join")
        assert answers_for_table(rules)
        assert not answers_for_table(replace(rules, fouls_decided_by="owner"))


def test_a_table_whose_owner_skipped_the_pin_is_not_taken_over_unseen(phones: list[FlaskClient], table: Table) -> None:
    assert join(phones[4], "owner", pin=PIN) == 302
    for page in phones[:4]:
        line = page.get("/api/table").get_json()["news"][0]
        assert line["text"].endswith("A phone has chosen one and is the owner now.")
        assert line["aloud"]
    assert join(phones[3], "owner", pin=PIN) == 302
    assert len(news(table, AnnouncementId.OWNER_CAME.value)) == 1


def change_pin(client: FlaskClient, present: str, pin: str, again: str | None = None) -> Any:
    form = {
        "token": token(client)[TOKEN_HEADER],
        "present": present,
        "pin": pin,
        "again": pin if again is None else again,
    }
    return client.post("/staff/pin", data=form)


def test_a_changed_pin_ends_what_the_old_one_opened(phones: list[FlaskClient]) -> None:
    owner, other_owner = phones[0], phones[4]
    for client in (owner, other_owner):
        join(client, "owner", pin=PIN)
    answer = change_pin(owner, PIN, SEAT_PIN)
    assert "PIN changed." in owner.get(answer.location).text
    assert seat_of(owner) == ("owner", 0)
    assert seat_of(other_owner) == ("spectator", None)
    assert join(other_owner, "owner", pin=PIN) == 403
    assert join(other_owner, "owner", pin=SEAT_PIN) == 302


def test_only_an_owner_who_knows_the_pin_changes_it(phones: list[FlaskClient]) -> None:
    assert change_pin(phones[1], PIN, SEAT_PIN).status_code == 403
    join(phones[0], "owner", pin=PIN)
    assert change_pin(phones[0], "845173", SEAT_PIN).status_code == 403
    assert "The two PINs are not the same." in change_pin(phones[0], PIN, SEAT_PIN, again="nightingale").text
    assert "That PIN is easy to guess" in change_pin(phones[0], PIN, "123456").text
    assert join(phones[4], "owner", pin=PIN) == 302


A_PAGE = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
"""What a browser sends when it opens a page, and not when a page fetches something."""


@pytest.mark.parametrize("seconds", [-(10**8), 10**9], ids=["set back", "set on"])
def test_no_clock_turns_owner_and_players_into_spectators(
    phones: list[FlaskClient], monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    join(phones[0], "owner", pin=PIN)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + seconds)
    assert seat_of(phones[0]) == ("owner", 0)
    assert seat_of(phones[1]) == ("seat", 1)


def test_a_browser_keeps_its_cookie_by_its_own_clock(app: Flask) -> None:
    client = app.test_client()
    join(client, seat="0")
    cookie = client.get("/", headers=A_PAGE).headers["Set-Cookie"]
    assert "Max-Age=2678400" in cookie
    assert "Expires" not in cookie


def test_an_answer_in_the_background_never_brings_back_an_earlier_cookie(app: Flask) -> None:
    """Asked for before a change and answered after it, it would undo a language, a name or a seat."""
    client = app.test_client()
    join(client, seat="0")
    client.get("/language/ja")
    assert "Set-Cookie" in client.get("/", headers=A_PAGE).headers
    for path in ("/", "/api/session"):
        answer = client.get(path, headers={"Accept": "*/*"})
        assert answer.status_code == 200
        assert "Set-Cookie" not in answer.headers
        assert "Cookie" in answer.headers["Vary"]


# --- Refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", languages())
def test_every_refusal_is_a_sentence_of_the_language(phones: list[FlaskClient], language: str) -> None:
    sentences = {
        name: text for name, text in catalogue(language).group("refused").items() if name[:4] in ("pin_", "seat")
    }
    assert len(sentences) >= 12
    phones[4].get(f"/language/{language}")
    assert sentences["seat_held"] in post(phones[4], role="seat", seat="0").text
    assert sentences["seat_none"] in post(phones[4], role="seat", seat="0", do="give").text
    assert sentences["seat_none"] in post(phones[4], role="seat", do="pin", seat_pin=SEAT_PIN).text
    assert sentences["pin_short"] in post(phones[4], role="owner", pin="4711", again="4711").text
    assert sentences["pin_usual"] in post(phones[4], role="owner", pin="123456", again="123456").text
    join(phones[0], "owner", pin=PIN)
    assert sentences["pin_wrong"] in post(phones[4], role="owner", pin="845173").text
    for _ in range(4):
        post(phones[4], role="owner", pin="845173")
    assert sentences["pin_wait"] in post(phones[4], role="owner", pin=PIN).text


def test_a_stream_tells_no_secret_of_a_seat_that_its_phone_lost(phones: list[FlaskClient]) -> None:
    lines = phones[0].get("/api/stream").response
    events = iter(lines)
    assert b"retry" in next(events)
    assert b'"you":{"seat": 0' in next(events)
    assert press(phones[0], "riichi", seat=0)[0] == 202
    assert press(phones[0], "wait", seat=0, tiles="36s")[0] == 202
    assert b'"hints"' in next(events)
    post(phones[4], role="seat", seat="0", do="ask")
    assert b'"asked": "Another phone asks for your seat"' in next(events)
    post(phones[0], role="seat", seat="0", do="give")
    event = next(events)
    assert b'"you":{"seat": null' in event
    assert b'"hints"' not in event
