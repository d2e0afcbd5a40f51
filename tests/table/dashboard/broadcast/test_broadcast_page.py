"""The broadcast: what lies open on the table, as late as the owner said, and told waits only by the owner's key."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.dashboard.broadcast.broadcast_view import broadcast_view
from table.dashboard.broadcast.overlay_query import ALL, OverlayError, read_overlay
from table.dashboard.broadcast.past_snapshots import MOST_DELAY_S, PastSnapshots
from table.game.snapshot import Board, CameraHealth, Doubt, Mode, Snapshot
from table.i18n import catalogue, languages, round_name, signed
from table.rulebook.play_presets import HOME
from table.rules.advance import advance, new_game
from table.rules.notation.event_notation import parse_events
from table.rules.state import GameState
from table.rules.terms.seats import Round, Seat
from tests.fakes.desks import PIN, FakeDesk, join, token
from tests.fakes.typed_numbers import NO_NUMBERS
from vision.felt import Felt

START = "start E1 scores=25000,25000,25000,25000 dora=4p"
RIICHI = f"{START}; 0 discards 9p sideways; 0 stick; 1 discards 1z; 1 waits 58s"
WON = f"{RIICHI}; 2 discards 2z; 3 discards 3z; 0 discards 9m; 1 tsumo; 1 shows 234m456p22s67888s with 5s"


def state_after(text: str, game: GameState | None = None) -> GameState:
    game = new_game(HOME) if game is None else game
    for event in parse_events(text):
        game = advance(game, event, HOME).state
    return game


def snapshot_of(text: str, **fields: Any) -> Snapshot:
    return Snapshot(version=1, game=state_after(text), ruleset=HOME, felt=Felt(), camera=CameraHealth.OK, **fields)


class Now:
    seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Now:
    now = Now()
    monkeypatch.setattr(PastSnapshots.__init__, "__kwdefaults__", {"now": now})
    return now


@pytest.fixture
def board() -> Board:
    return Board(snapshot_of(RIICHI))


@pytest.fixture
def app(board: Board, now: Now) -> Flask:
    return create_app(board, FakeDesk())


@pytest.fixture
def owner(app: Flask) -> FlaskClient:
    client = app.test_client()
    assert join(client, "owner", pin=PIN) == 302
    return client


def happen(board: Board, text: str) -> None:
    latest = board.latest
    board.publish(replace(latest, version=latest.version + 1, game=state_after(text, latest.game)))


def state(client: FlaskClient, query: str = "") -> Any:
    answer = client.get(f"/broadcast/state.json?{query}")
    assert answer.status_code in (200, 204), answer.get_data(as_text=True)
    return answer.get_json() if answer.status_code == 200 else None


def choose(owner: FlaskClient, **fields: str) -> None:
    form = {"token": next(iter(token(owner).values())), **fields}
    assert owner.post("/broadcast", data=form).status_code == 303


def key_of(owner: FlaskClient) -> str:
    found = re.search(r"key=([\w-]+)", owner.get("/broadcast").get_data(as_text=True))
    assert found is not None
    return found[1]


# What is shown


def test_a_broadcast_shows_points_rivers_melds_riichi_dora_and_standings() -> None:
    view = broadcast_view(snapshot_of(RIICHI, names=("Ann", "", "", "")), catalogue(), with_waits=False)
    near, right = view["seats"][:2]
    assert (near["score"], near["riichi"], near["stick"]) == (24000, True, True)
    assert [tile["face"] for tile in near["river"]] == ["9p"]
    assert near["river"][0]["sideways"]
    assert not right["riichi"]
    assert [tile["face"] for tile in view["centre"]["dora"]] == ["4p"]
    assert view["centre"]["deposits"] == 1
    assert [row["name"] for row in view["standings"]][-1] == "Ann"
    assert view["won"] is None


@pytest.mark.parametrize("text", [WON, f"{WON}; confirm"])
def test_the_won_hand_is_shown_with_its_yaku_until_the_next_is_dealt(text: str) -> None:
    won = broadcast_view(snapshot_of(text), catalogue(), with_waits=False)["won"]
    (win,) = won["wins"]
    assert len(win["tiles"]) == 14
    assert any("Tanyao" in yaku for yaku in win["yaku"])
    assert won["is_settled"] == text.endswith("confirm")
    assert won["delta_texts"][1].startswith("+")


def test_a_win_that_people_told_without_tiles_is_shown_by_its_worth() -> None:
    told_win = snapshot_of("start E1 scores=25000,25000,25000,25000; told ron win0=1:0:3:40:0::")
    won = broadcast_view(told_win, catalogue(), with_waits=False)["won"]
    assert won["wins"][0]["tiles"] == []
    assert "3" in won["wins"][0]["value"]


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("",) * 4, ["East", "South", "West", "North"]),
        (("", "Ben", "", "שרה"), ["East", "Ben", "West", "\u2068שרה\u2069"]),
    ],
)
@pytest.mark.parametrize("end", ["told ron win0=1:0:3:40:0::", "0 discards 5s; 1 ron"])
def test_the_payments_of_a_hand_are_named_by_its_own_winds_and_players(
    end: str, names: tuple[str, str, str, str], shown: list[str]
) -> None:
    sat_then = snapshot_of(f"{START}; {end}", hand_names=(names,), names=names)
    settled = end.startswith("told")
    after = replace(sat_then, names=("Somebody", "else", "sits", "there")) if settled else sat_then
    view = broadcast_view(after, catalogue().for_pages(), with_waits=False)
    assert view["won"]["names"] == shown
    assert [win["name"] for win in view["won"]["wins"]] == [shown[1]]


@pytest.mark.parametrize(
    ("before", "ending"),
    [
        (RIICHI, "2 discards 2z; 3 discards 3z; 0 discards 9m; 1 tsumo; 1 shows 234m456p22s67888s with 5s; confirm"),
        (RIICHI, "told ron riichi=0 win0=1:0:3:40:0::"),
        (RIICHI, "told draw riichi=0 tenpai=0"),
        (START, "told ron riichi=0 win0=1:0:3:40:0::"),
        (f"{RIICHI}; 2 foul 7-05-12", "told ron riichi=0 win0=1:0:3:40:0::"),
    ],
)
def test_the_payments_of_a_win_are_those_by_which_the_points_at_the_table_change(before: str, ending: str) -> None:
    playing = state_after(before)
    after = Snapshot(version=1, game=state_after(ending, playing), ruleset=HOME)
    won = broadcast_view(after, catalogue(), with_waits=False)["won"]
    changes = [now - then for now, then in zip(after.game.scores, playing.scores, strict=True)]
    assert won["delta_texts"] == [signed(change) for change in changes]
    later = replace(after, game=state_after("3 foul 7-05-12 hand=0", after.game))
    assert broadcast_view(later, catalogue(), with_waits=False)["won"]["delta_texts"] == won["delta_texts"]


@pytest.mark.parametrize(("worth", "value"), [("-:-:1::", "Yakuman"), ("-:-:2::", "2× yakuman")])
def test_a_yakuman_that_people_told_is_named(worth: str, value: str) -> None:
    told_win = snapshot_of(f"start E1 scores=25000,25000,25000,25000; told ron win0=1:0:{worth}")
    (win,) = broadcast_view(told_win, catalogue(), with_waits=False)["won"]["wins"]
    assert win["value"] == value


def test_the_next_hand_shows_none_of_the_last() -> None:
    after = snapshot_of(f"{WON}; confirm; start E2 dealer=1 scores=23000,30000,23000,24000 dora=1m")
    assert broadcast_view(after, catalogue(), with_waits=True)["won"] is None


@pytest.mark.parametrize("mode", list(Mode))
def test_nothing_that_does_not_lie_open_gets_into_a_broadcast(mode: Mode) -> None:
    doubt = Doubt(seat=Seat.NEAR, discard=0, tile="9p", alternatives=(("8p", 0.4),))
    view = broadcast_view(snapshot_of(RIICHI, mode=mode, doubts=(doubt,)), catalogue(), with_waits=False)
    text = json.dumps(view)
    assert "ppatsu" not in text
    assert "uriten" not in text
    assert all(seat["waits"] == [] for seat in view["seats"])
    assert not {"left", "news", "doubts", "presses", "keeping"} & (view.keys() | view["centre"].keys())
    assert all(not {"badges", "turn", "entry"} & seat.keys() for seat in view["seats"])
    assert all(tile.keys() == {"face", "name", "sideways"} for seat in view["seats"] for tile in seat["river"])


@pytest.mark.parametrize("mode", list(Mode))
def test_waits_are_those_of_players_who_told_them_and_none_at_a_tournament(mode: Mode) -> None:
    seats = broadcast_view(snapshot_of(RIICHI, mode=mode), catalogue(), with_waits=True)["seats"]
    waits = [[tile["face"] for tile in seat["waits"]] for seat in seats]
    assert waits == ([[], [], [], []] if mode is Mode.TOURNAMENT else [[], ["5s", "8s"], [], []])


# How late it is


def test_nobody_sees_earlier_than_the_owner_said_whatever_the_address_asks(
    app: Flask, owner: FlaskClient, board: Board, now: Now
) -> None:
    now.seconds += 100
    choose(owner, delay="30")
    happen(board, "2 discards 2z")
    visitor = app.test_client()
    secret = key_of(owner)
    for client in (visitor, owner):
        for query in ("", "delay=0", "delay=5", f"key={secret}&delay=0", "seen=0"):
            assert state(client, query)["version"] == 1, query
    now.seconds += 29.9
    assert state(visitor)["version"] == 1
    now.seconds += 0.1
    assert state(visitor)["version"] == 2
    assert state(visitor, "delay=60")["version"] == 1


def test_a_restart_shortens_no_delay(owner: FlaskClient, now: Now) -> None:
    choose(owner, delay="30")
    assert state(owner) is None
    now.seconds += 30
    assert state(owner)["version"] == 1


def test_what_was_seen_is_not_sent_again(owner: FlaskClient) -> None:
    seen = state(owner)["seen"]
    assert state(owner, f"seen={seen}") is None
    assert state(owner, "seen=0")["version"] == 1


def test_another_state_of_the_same_version_is_sent_as_after_a_restart(app: Flask, owner: FlaskClient) -> None:
    seen = state(owner)["seen"]
    restarted = create_app(Board(snapshot_of(START)), FakeDesk()).test_client()
    assert state(restarted, f"seen={seen}")["centre"]["deposits"] == 0


def test_what_the_owner_no_longer_shares_is_taken_from_the_screen_at_once(app: Flask, owner: FlaskClient) -> None:
    address = f"key={key_of(owner)}"
    choose(owner, delay="0", waits="on")
    seen = state(owner, address)["seen"]
    choose(owner, delay="0")
    assert state(owner, f"{address}&seen={seen}")["seats"][1]["waits"] == []


def test_only_what_a_delay_can_need_is_kept_and_no_camera_picture(board: Board, now: Now) -> None:
    past = PastSnapshots(board, now=now)
    for version in range(2, 50):
        now.seconds += MOST_DELAY_S / 20
        board.publish(replace(board.latest, version=version, names=(str(version), "", "", "")))
    board.publish(replace(board.latest, version=50))
    assert len(past._snapshots) <= 22
    found = past.before(MOST_DELAY_S)
    assert found is not None
    assert (found.version, found.felt) == (29, None)
    assert past.before(0) == replace(board.latest, version=49, felt=None)


# Who sees waits


def waits(client: FlaskClient, query: str) -> list[str]:
    return [tile["face"] for tile in state(client, query)["seats"][1]["waits"]]


def test_told_waits_need_the_owners_key_and_the_owners_word(app: Flask, owner: FlaskClient) -> None:
    secret = key_of(owner)
    screen = app.test_client()
    assert waits(screen, f"key={secret}") == []
    choose(owner, delay="0", waits="on")
    assert waits(screen, f"key={secret}") == ["5s", "8s"]
    assert waits(screen, "") == []
    assert waits(screen, f"key={secret}x") == []
    assert waits(screen, "key=鍵") == []
    assert waits(owner, "") == []


def test_a_new_key_or_pin_ends_the_addresses_given_out(app: Flask, owner: FlaskClient) -> None:
    choose(owner, delay="0", waits="on")
    old = key_of(owner)
    choose(owner, new="yes")
    renewed = key_of(owner)
    assert waits(owner, f"key={old}") == []
    assert waits(owner, f"key={renewed}") == ["5s", "8s"]
    form = {"token": next(iter(token(owner).values())), "present": PIN, "pin": "482615", "again": "482615"}
    assert owner.post("/staff/pin", data=form).status_code == 302
    assert waits(owner, f"key={renewed}") == []


def test_who_tells_a_wait_reads_that_it_is_broadcast(app: Flask, owner: FlaskClient) -> None:
    player = app.test_client()
    join(player, "seat", seat="1")
    notice = catalogue().text("page.wait_is_broadcast")
    assert notice not in player.get("/").get_data(as_text=True)
    choose(owner, delay="0", waits="on")
    assert notice in player.get("/").get_data(as_text=True)


def test_only_the_owner_opens_the_addresses_and_chooses(app: Flask, owner: FlaskClient) -> None:
    player = app.test_client()
    join(player, "seat", seat="1")
    assert player.get("/broadcast").status_code == 302
    form = {"token": next(iter(token(player).values())), "delay": "0", "waits": "on"}
    assert player.post("/broadcast", data=form).status_code == 403
    assert owner.post("/broadcast", data={"delay": "0"}).status_code == 403
    for delay in ("-1", "901", "٣", *NO_NUMBERS):
        form = {"token": next(iter(token(owner).values())), "delay": delay}
        assert owner.post("/broadcast", data=form).status_code == 400, delay
        assert owner.get("/broadcast/all", query_string={"delay": delay or "x"}).status_code == 400, delay


# The pages


@pytest.mark.parametrize("part", [ALL, "points", "table", "dora", "win", "standings"])
def test_a_page_is_transparent_and_brings_no_style_of_its_own(app: Flask, part: str) -> None:
    answer = app.test_client().get(f"/broadcast/{part}?ink=ff0000&panel=00000080&accent=0f0&size=120&seat=2")
    page = answer.get_data(as_text=True)
    assert answer.status_code == 200
    assert "style=" not in page
    assert "<style" not in page
    assert 'data-ink="ff0000"' in page
    assert "style-src 'self'" in answer.headers["Content-Security-Policy"]


def test_every_language_has_its_page(app: Flask) -> None:
    client = app.test_client()
    for language in languages():
        page = client.get(f"/broadcast/all?language={language}").get_data(as_text=True)
        assert catalogue(language).text("page.riichi") in page
        view = state(client, f"language={language}")
        assert view["centre"]["round"] == round_name(Round.parse("E1"), catalogue(language))
        assert {row["place"] for row in view["standings"]} == {""}, "nobody leads before the first hand has ended"


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"points": "nowhere"}, "points"),
        ({"ink": "red;background:url(//x)"}, "ink"),
        ({"ink": "ffff"}, "ink"),
        ({"delay": "-1"}, "delay"),
        ({"delay": "901"}, "delay"),
        ({"delay": "١"}, "delay"),
        ({"size": "49"}, "size"),
        ({"seat": "4"}, "seat"),
        ({"language": "xx"}, "language"),
        ({"colour": "fff"}, "colour"),
    ],
)
def test_a_query_that_cannot_be_shown_is_told_what_was_expected(app: Flask, query: dict[str, str], names: str) -> None:
    with pytest.raises(OverlayError, match=names):
        read_overlay(ALL, query)
    answer = app.test_client().get("/broadcast/all", query_string=query)
    assert answer.status_code == 400
    assert answer.mimetype == "text/plain"
    assert "expected" in answer.get_data(as_text=True)


def test_parts_stand_where_the_address_says_or_not_at_all(app: Flask) -> None:
    overlay = read_overlay(ALL, {"points": "top", "dora": "off", "win": ""})
    assert overlay.parts == {"points": "top", "table": "left", "win": "centre", "standings": "top-right"}
    page = app.test_client().get("/broadcast/all?points=top-right&dora=off").get_data(as_text=True)
    assert 'data-at="top-right"' in page
    assert 'id="dora"' not in page
    assert app.test_client().get("/broadcast/nothing").status_code == 404


def test_only_transform_and_opacity_are_animated() -> None:
    css = resources.files("table.dashboard").joinpath("static", "broadcast", "overlay.css").read_text("utf-8")
    assert "transition" not in css
    properties = set()
    for frames in re.findall(r"@keyframes \w+ \{((?:[^{}]*\{[^{}]*\})+)\s*\}", css):
        properties |= set(re.findall(r"([a-z-]+)\s*:", frames))
    assert properties == {"transform", "opacity"}
    assert css.count("@keyframes") == len(re.findall(r"@keyframes \w+ \{(?:[^{}]*\{[^{}]*\})+\s*\}", css))
