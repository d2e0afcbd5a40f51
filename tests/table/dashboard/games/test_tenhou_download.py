"""A finished hand, and the game, as tenhou.net/6 JSON: to take along, or to open in its viewer."""

from __future__ import annotations

import json
from dataclasses import replace
from urllib.parse import unquote

import pytest
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.dashboard.games.tenhou_download import as_tenhou6, viewer_address
from table.game.journal.entries import Body, Entry, Envelope, GameOpened, PlayersNamed, Source
from table.game.journal.history.game_history import game_history
from table.game.snapshot import Board, Snapshot
from table.records.mjai.from_journal.journal_record import hand_of_record, record_of
from table.records.tenhou.tenhou6_writer import VIEWER
from table.rulebook.play_presets import HOME
from table.rules.notation.event_notation import parse_events
from table.rules.terms.seats import Seat
from table.runtime.table_errors import RecordError
from tests.fakes.desks import Shelf

TOLD_RON = "told ron win0=1:0:3:40:0:riichi+1: riichi=1"
PLAYED_HAND = (
    "start E1 dealer=2 scores=25000,25000,25000,25000 dora=1z; 2 discards 5m; 3 discards 5p sideways; 3 stick; "
    "0 discards 6s; 3 ron; 3 shows 123m456p78s99p111z; 3 ura 9m; confirm"
)


def journal(text: str, names: tuple[str, str, str, str] = ("", "", "", "")) -> list[Entry]:
    opening = GameOpened(ruleset=HOME, first_dealer=Seat.FAR, names=names)
    bodies: list[Body] = [opening, *parse_events(text)]
    envelope = Envelope(utc="2026-11-20T20:00:00.000+00:00", source=Source.CAMERA)
    return [Entry(number=number, envelope=envelope, body=body) for number, body in enumerate(bodies, 1)]


def client_of(entries: list[Entry]) -> FlaskClient:
    state = game_history(entries).state
    return create_app(Board(Snapshot(version=1, game=state)), Shelf(journal=entries)).test_client()


def test_a_hand_is_told_with_what_was_seen_and_how_it_was_settled() -> None:
    entries = journal(PLAYED_HAND, ("Aoi", "Ben", "Chie", "Dan"))
    tenhou = json.loads(as_tenhou6(game_history(entries), entries, 0))
    assert tenhou["name"] == ["Chie", "Dan", "Aoi", "Ben"]
    (hand,) = tenhou["log"]
    assert hand[0] == [0, 0, 0]
    assert hand[2:4] == [[41], [19]]
    assert hand[6] == [15]
    assert hand[9] == ["r25"]
    assert hand[16][2][3:] == ["満貫8000点", "両立直(2飜)", "一発(1飜)", "場風 東(1飜)", "裏ドラ(1飜)"]


def test_a_hand_names_those_who_sat_there_then() -> None:
    entries = journal(PLAYED_HAND, ("Anna", "Ben", "Cho", "Dan"))
    body = PlayersNamed(names=("Eve", "Ben", "Cho", "Dan"), is_substitution=True)
    entries.append(replace(entries[-1], number=entries[-1].number + 1, body=body))
    game = game_history(entries)
    whole, alone = (json.loads(as_tenhou6(game, entries, number)) for number in (None, 0))
    assert (whole["name"][2], alone["name"][2]) == ("Eve", "Anna")
    assert hand_of_record(record_of(entries), 0, game.state.history).names[0] == "Anna"


def test_the_viewer_gets_the_hand_behind_the_hash_where_no_server_reads_it() -> None:
    entries = journal(PLAYED_HAND)
    address = viewer_address(game_history(entries), entries, 0)
    assert address is not None
    assert address.startswith(VIEWER)
    assert json.loads(unquote(address.removeprefix(VIEWER)))["log"][0][0] == [0, 0, 0]


def test_a_hand_and_the_game_are_taken_along_and_the_page_links_to_them() -> None:
    client = client_of(journal(f"{TOLD_RON}; {TOLD_RON}"))
    page = client.get("/hand/1").text
    assert 'href="/game/1/hand/1/tenhou6.json"' in page
    assert f'href="{VIEWER}' in page
    hand, game = client.get("/game/1/hand/1/tenhou6.json"), client.get("/game/1/tenhou6.json")
    assert hand.headers["Content-Disposition"] == 'attachment; filename="tachiai-2026-11-20-1-2.json"'
    assert [len(json.loads(each.data)["log"]) for each in (hand, game)] == [1, 2]
    for missing in ("/game/1/hand/2/tenhou6.json", "/game/7/tenhou6.json"):
        assert client.get(missing).status_code == 404


def test_before_the_first_hand_there_is_nothing_to_take_along() -> None:
    client = client_of(journal(""))
    assert client.get("/game/1/tenhou6.json").status_code == 409
    with pytest.raises(RecordError, match="expected a game, got none"):
        record_of([])
