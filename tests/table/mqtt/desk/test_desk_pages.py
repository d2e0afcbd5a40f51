"""The desk's pages: its owner does everything there, everybody else sees the standings and nothing more."""

from __future__ import annotations

import html
import http.client
import io
import json
import re
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from table.cli.main import main
from table.dashboard import serve
from table.game.journal.storage.journal_lock import lock_journal
from table.i18n import catalogue, languages
from table.mqtt.desk.desk_pages import MOST_BYTES
from table.mqtt.desk.desk_view import appeals_view, games_view
from table.mqtt.desk.other_desk import SILENT_S
from table.mqtt.desk_signal import DeskSignal, signal_message
from table.mqtt.hall_page import Hall
from tests.fakes.time_zone import time_zone
from tests.fakes.waiting import PATIENCE_S
from tests.table.mqtt.desk.hall_with_desk import (
    APPEALS,
    GAMES,
    NAMES,
    OTHER_SCORES,
    SCORES,
    TWO_ROUNDS,
    Pages,
    form_of,
)


def test_a_tournament_runs_from_a_file_of_names_to_standings_and_sheets(pages: Pages) -> None:
    assert pages.open_tournament(players="", file=(io.BytesIO("\n".join(NAMES).encode()), "names.csv")) == 303
    assert pages.send("begin", round="1") == 303
    pages.hall.handle_message("tachiai/east/status", b"online")
    pages.hall.handle_message("tachiai/east/games", GAMES)
    result = {"round": "1", "table": "2"} | {f"score{wind}": "25000" for wind in range(4)}
    assert pages.send("result", **result) == 303
    assert pages.send("penalty", player="0", points="5000", why="late") == 303
    assert pages.send("time") == 303
    assert len(pages.sent_texts) == 1
    for page in (
        pages.page(),
        pages.page("/", pages.spectator),
        pages.page("/broadcast/standings", pages.spectator),
    ):
        assert all(name in page for name in NAMES)
        assert "+50.0" in page or "+45.0" in page
    for kind in ("seating", "scores", "standings"):
        assert all(name in pages.page(f"/desk/sheet/{kind}") for name in NAMES)
    results = pages.page("/desk/results.csv")
    assert len(results.splitlines()) == 9
    assert "50000" in results


def test_points_entered_over_those_of_a_table_are_said_to_lose_its_penalties(pages: Pages) -> None:
    assert pages.open_tournament() == 303
    assert pages.send("begin", round="1") == 303
    hint = "with them the penalties after uma that were logged there"
    assert hint not in pages.page()
    pages.hall.handle_message("tachiai/east/status", b"online")
    pages.hall.handle_message("tachiai/east/games", GAMES)
    assert pages.page().count(hint) == 1


def test_a_name_written_from_right_to_left_turns_no_penalty_around(pages: Pages) -> None:
    assert pages.open_tournament(players="\n".join(("שרה", *NAMES[1:]))) == 303
    number = pages.tournament.opening.players.index("שרה")
    assert pages.send("penalty", player=str(number), points="5000", why="2 min late") == 303
    assert "\u2068שרה\u2069 −5,000 points 2 min late" in pages.page()


def test_only_the_desks_owner_may_send_a_large_form(pages: Pages) -> None:
    """Its body is not received at all before that is known."""
    with (
        serve(pages.app, port=0) as port,
        closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as phone,
    ):
        for path, status in (("/desk/join", 413), ("/desk/open", 403)):
            phone.request("POST", path, headers={"Content-Length": str(MOST_BYTES)})
            with closing(phone.getresponse()) as answer:
                assert answer.status == status
            phone.close()
    assert pages.open_tournament(players="\n".join(NAMES) + "\n" * 20_000) == 303


def test_who_is_not_the_owner_sees_standings_and_does_nothing(pages: Pages) -> None:
    assert pages.open_tournament() == 303
    assert pages.send("begin", round="1") == 303
    pages.hall.handle_message("tachiai/east/appeals", APPEALS)
    assert pages.spectator.get("/desk").status_code == 302
    for address in ("/desk/sheet/seating", "/desk/results.csv", "/desk/sheet/standings"):
        assert pages.spectator.get(address).status_code == 403
    for act in ("open", "begin", "time", "result", "penalty", "replace", "appeal"):
        assert pages.send(act, pages.spectator, round="1") == 403
    assert pages.owner.post("/desk/begin", data={"round": "1"}).status_code == 403
    assert "20261123" not in pages.page("/api/hall", pages.spectator)
    assert "20261123" in pages.page()
    assert "http://192.168.1.5:8000/clips/20261123-210305.zip" in pages.page()


def test_what_was_flagged_before_the_tournament_is_no_appeal_and_another_day_is_shown(pages: Pages) -> None:
    assert pages.open_tournament() == 303
    pages.hall.handle_message("tachiai/east/appeals", APPEALS)
    assert pages.send("begin", round="1") == 303
    assert "20261123-210305" not in pages.page()
    both = json.loads(APPEALS)
    both["appeals"].append(both["appeals"][0] | {"name": "20261124-190000", "at": "19:00"})
    pages.hall.handle_message("tachiai/east/appeals", json.dumps(both).encode())
    assert "20261123-210305" not in pages.page()
    assert "east · 2026-11-24 19:00" in pages.page()
    (appeal,) = appeals_view(pages.tournament, pages.hall.tables, date(2026, 11, 24))
    assert appeal["at"] == "19:00"


def test_the_desk_is_asked_whether_a_game_that_was_stopped_counts(pages: Pages) -> None:
    assert pages.open_tournament() == 303
    assert pages.send("begin", round="1") == 303
    game = {"number": 7, "opened": pages.desk.now, "rules": "home", "first_dealer": 0, "hands": 5, "is_over": True}
    game |= {"is_stopped": True, "scores": [25000] * 4, "points": [0] * 4}
    pages.hall.handle_message("tachiai/east/games", json.dumps({"games": [game]}).encode())
    question = "Stopped by hand before its end: does it count?"
    assert question in pages.page()
    assert pages.send("game", table="east", game="7", opened=str(game["opened"]), round="1") == 303
    assert question not in pages.page()


def test_the_desk_says_that_a_game_begun_anew_waits_and_counts_it_by_a_tap(pages: Pages) -> None:
    assert pages.open_tournament() == 303
    assert pages.send("begin", round="1") == 303
    first = {"number": 7, "opened": pages.desk.now, "rules": "home", "first_dealer": 0, "hands": 5, "is_over": True}
    first |= {"is_stopped": True, "scores": [25000] * 4, "points": [0] * 4}
    anew = first | {"number": 8, "is_stopped": False, "scores": [40000, 30000, 20000, 10000]}
    question = "After a stopped game, this table began another: which one counts?"
    pages.hall.handle_message("tachiai/east/games", json.dumps({"games": [first]}).encode())
    assert question not in pages.page()
    pages.hall.handle_message("tachiai/east/games", json.dumps({"games": [first, anew]}).encode())
    page = pages.page()
    assert question in page
    assert "Hands: 5. Scores: 40,000 30,000 20,000 10,000" in form_of(page, "later-1")
    fields = dict(re.findall(r'name="(table|game|opened|round|seen)" value="([^"]+)"', form_of(page, "later-1")))
    assert pages.send("game", **fields) == 303
    assert question not in pages.page()
    assert "The game is over" in pages.page()


def test_a_reported_game_has_the_time_of_day_of_the_hall(pages: Pages) -> None:
    assert pages.open_tournament() == 303
    assert pages.send("begin", round="1") == 303
    opened = GAMES.replace(b'"opened": ""', b'"opened": "2026-11-25T23:30:00.000+00:00"')
    with time_zone("Asia/Tokyo"):
        pages.hall.handle_message("tachiai/east/games", opened)
        assert "east · 08:30 · 40,000" in pages.page()


def test_the_newest_games_of_all_tables_are_listed_first(pages: Pages) -> None:
    assert pages.open_tournament(tables="east\nwest") == 303
    assert pages.send("begin", round="1") == 303
    for table, game in (("east", 3), ("west", 5), ("east", 4), ("west", 6)):
        pages.passed_s += 60
        pages.hall.handle_message(f"tachiai/{table}/games", GAMES.replace(b'"number": 3', b'"number": %d' % game))
    listed = [(game["table"], game["number"]) for game in games_view(pages.tournament)]
    assert listed == [("west", 6), ("east", 4), ("west", 5), ("east", 3)]


def test_a_desk_says_that_another_one_sends_signals_until_it_is_silent(pages: Pages) -> None:
    warning = "Another desk sends rounds and times to the same tables"
    own_signal = DeskSignal(at=pages.desk.now, is_called=False, desk="tachiai-desk-here")
    other = signal_message(replace(own_signal, desk="tachiai-desk-copy")).encode()
    pages.hall.handle_message("tachiai/hall/signal", signal_message(own_signal).encode())
    pages.hall.handle_message("tachiai/hall/signal", other, is_kept=True)
    assert warning not in pages.page(), "a desk that is started again hears what it sent, and what the broker kept"
    pages.hall.handle_message("tachiai/hall/signal", other)
    assert warning in pages.page()
    pages.passed_s += SILENT_S + 1
    assert warning not in pages.page()


def test_a_desk_says_that_two_running_tables_have_one_name(pages: Pages) -> None:
    warning = "Two running tables are named east"
    for sender in ("first", "second"):
        health = json.dumps({"ok": True, "troubles": [], "sender": sender}).encode()
        pages.hall.handle_message("tachiai/east/health", health)
        assert warning not in pages.page()
    pages.hall.handle_message("tachiai/east/health", health.replace(b"second", b"first"))
    assert warning in pages.page()


def test_both_pages_say_that_the_tables_cannot_be_reached(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    warning = "No connection to the tables"
    monkeypatch.setattr(Hall, "is_connected", property(lambda _: pages.is_connected))
    assert pages.open_tournament() == 303
    pages.hall.handle_message("tachiai/east/status", b"online")
    assert warning not in pages.page() + pages.page("/")
    assert "not connected" not in pages.page()
    pages.is_connected = False
    assert warning in pages.page()
    assert warning in pages.page("/", pages.spectator)
    assert "not connected" in pages.page()


def test_a_wrong_pin_opens_nothing(pages: Pages) -> None:
    assert pages.send("join", pages.spectator, pin="000111") == 403
    assert pages.spectator.get("/desk").status_code == 302


@pytest.mark.parametrize("language", languages())
def test_every_page_comes_up_in_every_language(pages: Pages, language: str) -> None:
    assert pages.open_tournament() == 303
    assert pages.send("begin", round="1") == 303
    for address in ("/", "/desk", "/desk/join", "/broadcast/standings", "/desk/sheet/scores"):
        answer = pages.owner.get(address, headers={"Accept-Language": language})
        assert answer.status_code == 200
        assert f'lang="{language}"' in answer.get_data(as_text=True)
        assert "{" not in re.sub(r"<[^>]*>", "", answer.get_data(as_text=True))


def test_one_program_keeps_a_desk_and_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with lock_journal(tmp_path / "desk.jsonl"):
        assert main(["hall", "127.0.0.1", "--desk", str(tmp_path), "--port", "0"]) == 1
    assert "no other program uses" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert main(["hall", "127.0.0.1", "--desk", str(tmp_path / "file"), "--port", "0"]) == 1
    assert "expected a writable desk's journal" in capsys.readouterr().err


def test_every_page_says_when_all_games_of_a_round_have_ended_instead_of_counting_down(pages: Pages) -> None:
    assert pages.open_tournament(players=TWO_ROUNDS) == 303
    assert pages.send("begin", round="1") == 303
    addresses = (("/", pages.spectator), ("/desk", pages.owner), ("/broadcast/standings", pages.spectator))
    for address, client in addresses:
        assert "75:00" in pages.page(address, client)
    assert "Call time at every table" in pages.page()
    for table in ("1", "2"):
        assert pages.send("result", round="1", table=table, **OTHER_SCORES, sure="100000") == 303
    for address, client in addresses:
        page = pages.page(address, client)
        assert "All games have ended" in page, address
        assert "75:00" not in page
    assert "Call time at every table" not in pages.page()
    assert "Begin round 2" in pages.page()
    assert pages.send("result", round="1", table="2", **dict.fromkeys(OTHER_SCORES, "")) == 303
    assert "75:00" in pages.page("/", pages.spectator)


@pytest.mark.parametrize("language", languages())
def test_every_figure_at_the_desk_names_its_unit(pages: Pages, language: str) -> None:
    assert pages.open_tournament(rules="ema-2025") == 303
    assert pages.send("begin", round="1") == 303
    assert pages.send("result", round="1", table="1", **SCORES, sure="100000") == 303
    assert pages.send("penalty", player="0", points="5000", why="late") == 303
    assert pages.send("replace", player="1", round="1", by="Sub", points="-30000") == 303
    texts = catalogue(language)
    page = html.unescape(pages.owner.get("/desk", headers={"Accept-Language": language}).text)
    fine, worth = (texts.text("desk.single_points", points=points) for points in ("−5,000", "−30,000"))
    assert fine in form_of(page, "penalty-0")
    assert worth in form_of(page, "replaced-1-1")
    options = re.findall(r'<option value="EMA [^"]+">(.*?)</option>', page)
    assert options
    assert all(
        re.search(re.escape(texts.text("desk.single_points", points="~")).replace("\\~", r"−[\d,]+"), each)
        for each in options
    )
    pages.hall.handle_message(
        "tachiai/east/games", GAMES.replace(b'"opened": ""', f'"opened": "{pages.desk.now}"'.encode())
    )
    assert "40,000 30,000 20,000 10,000" in pages.page()
    for name in ("units_mean", "result_points", "in_thousands"):
        assert texts.text(f"desk.{name}") in page
    assert "25,000" in page


def test_the_standings_have_a_column_of_penalties_once_there_is_one(pages: Pages) -> None:
    assert pages.open_tournament() == 303
    heading = '<th scope="col">Penalties</th>'
    assert heading not in pages.page("/", pages.spectator)
    assert pages.send("penalty", player="0", points="5000", why="late") == 303
    assert heading in pages.page("/", pages.spectator)
    assert pages.send("cancel", penalty="0", why="was there") == 303
    assert heading not in pages.page("/", pages.spectator)


def test_scripts_cannot_read_the_desks_cookie_and_other_sites_do_not_send_it(pages: Pages) -> None:
    cookie = pages.spectator.get("/desk/join").headers["Set-Cookie"]
    assert cookie.startswith("tachiai-hall=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
