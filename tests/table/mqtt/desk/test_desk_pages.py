"""The desk's pages: its owner does everything there, everybody else sees the standings and nothing more."""

from __future__ import annotations

import csv
import http.client
import io
import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from table.cli.main import main
from table.config import MqttConfig
from table.dashboard import serve
from table.dashboard.web.access.vault import Vault
from table.game.journal.storage.journal_lock import lock_journal
from table.i18n import catalogue, languages
from table.mqtt.desk.desk import Desk
from table.mqtt.desk.desk_journal import DeskJournal
from table.mqtt.desk.desk_pages import MOST_BYTES
from table.mqtt.desk.desk_view import appeals_view, turned
from table.mqtt.desk.other_desk import SILENT_S
from table.mqtt.desk_signal import DeskSignal, moment, read_signal, signal_message
from table.mqtt.hall_page import Hall, hall_app
from table.mqtt.tournament.past_tournaments import PastTournaments
from table.mqtt.tournament.tournament import Tournament, tournaments_of
from table.mqtt.tournament.tournament_rules import _first_read, tournament_rules
from table.rulebook import rules_named
from table.rulebook.ruleset_registry import default_folder, store
from table.runtime.clock import LogicalClock
from tests.fakes.desks import PIN
from tests.fakes.disks import full_disk
from tests.fakes.typed_numbers import NO_NUMBERS
from tests.fakes.waiting import wait_for

NAMES = ("佐藤 葵", "김민준", "王小明", "陳大文", "Ann O’Neil", "鈴木 一郎", "박서연", "李雷")
SIXTEEN = "\n".join(f"Player {number}" for number in range(16))
"""So many that in a sixth round some meet again, and a search for as few as possible goes on."""
GAMES = (
    b'{"games": [{"number": 3, "opened": "", "rules": "home", "first_dealer": 0, "hands": 2, "is_over": true,'
    b' "scores": [40000, 30000, 20000, 10000], "points": [50000, 10000, -20000, -40000]}]}'
)
APPEALS = (
    b'{"address": "http://192.168.1.5:8000",'
    b' "appeals": [{"name": "20261123-210305", "at": "21:03", "seconds": 90, "by": "seat 2"}]}'
)


class Pages:
    """A hall with a desk, its owner and a spectator."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.hall = Hall(MqttConfig())
        clock = LogicalClock()
        self.journal = DeskJournal(folder / "desk.jsonl")
        self.passed_s, self.is_connected = 0.0, True
        self.desk = Desk(
            self.journal,
            clock,
            tables=lambda: self.hall.tables,
            say=self.say,
            is_connected=lambda: self.is_connected,
            name="tachiai-desk-here",
            seconds=lambda: self.passed_s,
        )
        self.hall.call_on_news(self.desk.heard)
        self.hall.call_on_signal(self.desk.other.hear)
        self.said: list[str] = []
        self.app = hall_app(self.hall, self.desk, Vault(folder / "secrets.json"))
        self.owner, self.spectator = self.app.test_client(), self.app.test_client()
        assert self.sends("join", pin=PIN, again="739125") == 403
        assert self.sends("join", pin=PIN, again=PIN) == 303

    @property
    def tournament(self) -> Tournament:
        assert self.desk.tournament is not None
        return self.desk.tournament

    def say(self, text: str, *, is_news: bool) -> None:
        if is_news and read_signal(text.encode()).is_called:
            self.said.append(text)

    def sends(self, act: str, client: FlaskClient | None = None, /, **fields: Any) -> int:
        client = client or self.owner
        page = client.get("/desk/join").get_data(as_text=True)
        found = re.search(r'name="token" value="([^"]+)"', page)
        assert found is not None
        return client.post(f"/desk/{act}", data={"token": found[1], **fields}).status_code

    def opens(self, **fields: Any) -> int:
        players = "\n".join(NAMES)
        form = {"title": "Cup", "rules": "home", "minutes": "75", "rounds": "1", "tables": "east", "players": players}
        return self.sends("open", **(form | fields))

    def shown(self, address: str = "/desk", client: FlaskClient | None = None) -> str:
        return (client or self.owner).get(address).get_data(as_text=True)


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Pages]:
    pages = Pages(tmp_path)
    with pages.journal:
        yield pages


def test_a_tournament_runs_from_a_file_of_names_to_standings_and_sheets(pages: Pages) -> None:
    assert pages.opens(players="", file=(io.BytesIO("\n".join(NAMES).encode()), "names.csv")) == 303
    assert pages.sends("begin", round="1") == 303
    pages.hall.take("tachiai/east/status", b"online")
    pages.hall.take("tachiai/east/games", GAMES)
    told = {"round": "1", "table": "2"} | {f"score{wind}": "25000" for wind in range(4)}
    assert pages.sends("result", **told) == 303
    assert pages.sends("penalty", player="0", points="5000", why="late") == 303
    assert pages.sends("time") == 303
    assert len(pages.said) == 1
    for page in (
        pages.shown(),
        pages.shown("/", pages.spectator),
        pages.shown("/broadcast/standings", pages.spectator),
    ):
        assert all(name in page for name in NAMES)
        assert "+50.0" in page or "+45.0" in page
    for kind in ("seating", "scores", "standings"):
        assert all(name in pages.shown(f"/desk/sheet/{kind}") for name in NAMES)
    results = pages.shown("/desk/results.csv")
    assert len(results.splitlines()) == 9
    assert "50000" in results


def test_a_name_written_from_right_to_left_turns_no_penalty_around(pages: Pages) -> None:
    assert pages.opens(players="\n".join(("שרה", *NAMES[1:]))) == 303
    number = pages.tournament.opened.players.index("שרה")
    assert pages.sends("penalty", player=str(number), points="5000", why="2 min late") == 303
    assert "\u2068שרה\u2069 −5.0 2 min late" in pages.shown()


def test_only_the_desks_owner_may_send_a_large_form(pages: Pages) -> None:
    """Its body is not received at all before that is known."""
    with serve(pages.app, port=0) as port, closing(http.client.HTTPConnection("127.0.0.1", port)) as phone:
        for path, status in (("/desk/join", 413), ("/desk/open", 403)):
            phone.request("POST", path, headers={"Content-Length": str(MOST_BYTES)})
            with closing(phone.getresponse()) as answer:
                assert answer.status == status
            phone.close()
    assert pages.opens(players="\n".join(NAMES) + "\n" * 20_000) == 303


def test_seats_from_a_file_are_taken_as_they_are_and_bad_lines_are_all_named(pages: Pages) -> None:
    seats = "round,table,east,south,west,north\n1,1,a,b,c,d\n"
    assert pages.opens(players=seats) == 303
    assert pages.desk.tournament is not None
    assert pages.desk.tournament.opened.players == ("a", "b", "c", "d")
    assert pages.opens(players=seats + "1,2,a,b\nx,1,e,f,g,h\n") == 409
    page = pages.owner.post("/desk/open", data={"token": _token(pages.owner), "players": "a\na\nb\nb\n", "rounds": "1"})
    text = page.get_data(as_text=True)
    assert "Line 2" in text
    assert "Line 4" in text


def test_a_seating_beyond_the_known_ones_is_searched_beside_the_page_and_opens_by_itself(pages: Pages) -> None:
    assert pages.opens(rounds="6", players=SIXTEEN) == 303
    shown = pages.shown()
    assert "Round 6" not in shown
    assert "Seating 16 players, rounds: 6" in shown
    assert "<progress" in shown
    assert pages.sends("enough") == 303
    wait_for(lambda: [tournament for tournament in [pages.desk.tournament] if tournament is not None])
    assert "Round 6" in pages.shown()
    shown = pages.shown()
    assert "<progress" not in shown
    assert "Pairs that meet again" in shown


def test_every_form_of_the_desk_on_a_full_disk_is_refused_in_a_sentence_but_time_is_called(pages: Pages) -> None:
    assert pages.opens() == 303
    assert pages.sends("begin", round="1") == 303
    assert pages.sends("penalty", player="0", points="1000", why="") == 303
    forms: dict[str, dict[str, str]] = {
        "open": {"rules": "home", "minutes": "75", "rounds": "1", "players": "\n".join(NAMES)},
        "clock": {"minutes": "5"},
        "result": {"round": "1", "table": "2"} | {f"score{wind}": "25000" for wind in range(4)},
        "penalty": {"player": "1", "points": "500", "why": "late"},
        "cancel": {"penalty": "0", "why": "the bus"},
        "replace": {"round": "1", "player": "3", "by": "Sub"},
        "appeal": {"table": "east", "clip": "20261126-100000", "ruling": "stands"},
    }
    before, size = pages.tournament, (pages.folder / "desk.jsonl").stat().st_size
    token = re.findall(r'name="token" value="([^"]+)"', pages.shown())[0]
    said = catalogue().text("refused.desk_unwritten")
    with full_disk(size):
        for act, form in forms.items():
            answer = pages.owner.post(f"/desk/{act}", data={"token": token, **form})
            assert (answer.status_code, said in answer.text) == (409, True), act
        assert pages.tournament == before
        assert pages.sends("time") == 303
    assert pages.sends("penalty", player="1", points="500", why="late") == 303


def test_a_tournament_whose_seating_was_found_but_not_written_says_so(pages: Pages) -> None:
    with full_disk((pages.folder / "desk.jsonl").stat().st_size):
        assert pages.opens(players="\n".join(f"P{number}" for number in range(8)), tables="", rounds="7") == 303
        assert pages.sends("enough") == 303
        wait_for(lambda: pages.desk.search is None)
    said = catalogue().text("refused.desk_unwritten")
    assert said in pages.shown()
    assert pages.opens() == 303
    assert said not in pages.shown()


def test_a_search_for_a_seating_can_be_stopped_and_leaves_everything_as_it_was(pages: Pages) -> None:
    assert pages.opens(rounds="6", players=SIXTEEN) == 303
    assert pages.sends("stop") == 303
    assert pages.desk.tournament is None
    assert "<progress" not in pages.shown()


def _token(client: FlaskClient) -> str:
    found = re.search(r'name="token" value="([^"]+)"', client.get("/desk/join").get_data(as_text=True))
    assert found is not None
    return found[1]


def test_a_form_that_is_tapped_twice_counts_once_and_another_one_from_the_same_page_counts(pages: Pages) -> None:
    assert pages.opens() == 303
    assert pages.sends("begin", round="1") == 303
    until = pages.tournament.until
    (mark,) = set(re.findall(r'name="mark" value="([^"]+)"', pages.shown()))
    assert [pages.sends("clock", mark=mark, minutes="5") for _ in range(2)] == [303, 303]
    assert moment(pages.tournament.until) - moment(until) == timedelta(minutes=5)
    for points in ("5000", "x", "5000", "x", "1000"):
        pages.sends("penalty", mark=mark, player="0", points=points, why="late")
    assert [each.given.points for each in pages.tournament.penalties] == [5000, 1000]
    files = [(io.BytesIO(names.encode()), "names.csv") for names in ("a\nb\nc\nd", "a\nb\nc\nd", "e\nf\ng\nh")]
    opened = []
    for file in files:
        assert pages.opens(mark=mark, players="", file=file) == 303
        opened.append(pages.tournament.opened)
    assert opened[0] == opened[1]
    assert set(opened[2].players) == {"e", "f", "g", "h"}


def test_a_round_is_begun_over_tables_without_a_result_only_after_a_question_that_names_them(pages: Pages) -> None:
    seating = "round,table,east,south,west,north\n1,1,a,b,c,d\n2,1,b,a,d,c"
    assert pages.opens(players=seating) == 303
    asked = 'type="checkbox" required> No result yet: Table 1.'
    assert asked not in pages.shown()
    assert pages.sends("begin", round="1") == 303
    assert asked in pages.shown()
    scores = {f"score{seat}": "25000" for seat in range(4)}
    assert pages.sends("result", round="1", table="1", **scores) == 303
    assert asked not in pages.shown()


def test_the_answer_to_a_refused_form_names_the_page_whose_clock_goes_on(pages: Pages) -> None:
    assert pages.opens() == 303
    assert pages.sends("begin", round="1") == 303
    refused = pages.owner.post("/desk/penalty", data={"token": _token(pages.owner), "player": "0", "points": "x"})
    found = re.search(r'<body[^>]* data-address="([^"]+)"', refused.text)
    assert found is not None
    assert 'id="now"' in pages.shown(found[1])
    assert "data-address" not in pages.shown()


def test_a_broadcast_of_the_standings_is_as_late_as_its_address_says_and_a_restart_shortens_nothing(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [1000.0]
    assert pages.opens() == 303
    monkeypatch.setattr(pages.desk, "past", PastTournaments(pages.desk.tournament, now=lambda: seconds[0]))
    address = "/broadcast/standings?delay=60"
    assert NAMES[0] in pages.shown("/broadcast/standings", pages.spectator)
    assert NAMES[0] not in pages.shown(address, pages.spectator)
    seconds[0] += 61
    assert NAMES[0] in pages.shown(address, pages.spectator)
    assert pages.sends("penalty", player="0", points="5000", why="late") == 303
    assert "−5.0" in pages.shown("/broadcast/standings", pages.spectator)
    assert "−5.0" not in pages.shown(address, pages.spectator)
    seconds[0] += 60
    assert "−5.0" in pages.shown(address, pages.spectator)


def test_a_broadcast_of_the_standings_stands_where_its_address_says(pages: Pages) -> None:
    assert pages.opens() == 303
    page = pages.shown("/broadcast/standings?standings=top-left&ink=ff0000&size=80&language=ja", pages.spectator)
    assert 'data-at="top-left"' in page
    assert 'data-ink="ff0000"' in page
    assert 'data-size="80"' in page
    assert 'lang="ja"' in page
    for query in ("delay=-1", "delay=9999", "ink=red", "standings=here", "nonsense=1"):
        assert pages.spectator.get(f"/broadcast/standings?{query}").status_code == 400


def test_nothing_is_animated_on_a_broadcast_of_the_standings() -> None:
    css = resources.files("table.mqtt").joinpath("static", "event.css").read_text("utf-8")
    assert "background: transparent" in css
    assert not re.search("animation|transition|@keyframes", css)


def test_a_broadcast_shows_sixteen_lines_at_a_time_and_all_of_them_in_turn() -> None:
    lines = [{"place": place} for place in range(1, 41)]
    shown = [[line["place"] for line in turned(lines, turn)] for turn in range(4)]
    assert [places[0] for places in shown] == [1, 17, 33, 1]
    assert sorted({place for places in shown for place in places}) == list(range(1, 41))
    assert turned([], 7) == []


def test_who_is_not_the_owner_sees_standings_and_does_nothing(pages: Pages) -> None:
    assert pages.opens() == 303
    assert pages.sends("begin", round="1") == 303
    pages.hall.take("tachiai/east/appeals", APPEALS)
    assert pages.spectator.get("/desk").status_code == 302
    for address in ("/desk/sheet/seating", "/desk/results.csv", "/desk/sheet/standings"):
        assert pages.spectator.get(address).status_code == 403
    for act in ("open", "begin", "time", "result", "penalty", "replace", "appeal"):
        assert pages.sends(act, pages.spectator, round="1") == 403
    assert pages.owner.post("/desk/begin", data={"round": "1"}).status_code == 403
    assert "20261123" not in pages.shown("/api/hall", pages.spectator)
    assert "20261123" in pages.shown()
    assert "http://192.168.1.5:8000/clips/20261123-210305.zip" in pages.shown()


def test_what_was_flagged_before_the_tournament_is_no_appeal_and_another_day_is_shown(pages: Pages) -> None:
    assert pages.opens() == 303
    pages.hall.take("tachiai/east/appeals", APPEALS)
    assert pages.sends("begin", round="1") == 303
    assert "20261123-210305" not in pages.shown()
    both = json.loads(APPEALS)
    both["appeals"].append(both["appeals"][0] | {"name": "20261124-190000", "at": "19:00"})
    pages.hall.take("tachiai/east/appeals", json.dumps(both).encode())
    assert "20261123-210305" not in pages.shown()
    assert "east · 2026-11-24 19:00" in pages.shown()
    (shown,) = appeals_view(pages.tournament, pages.hall.tables, date(2026, 11, 24))
    assert shown["at"] == "19:00"


def test_the_desk_is_asked_whether_a_game_that_was_stopped_counts(pages: Pages) -> None:
    assert pages.opens() == 303
    assert pages.sends("begin", round="1") == 303
    game = {"number": 7, "opened": pages.desk.now, "rules": "home", "first_dealer": 0, "hands": 5, "is_over": True}
    game |= {"is_stopped": True, "scores": [25000] * 4, "points": [0] * 4}
    pages.hall.take("tachiai/east/games", json.dumps({"games": [game]}).encode())
    question = "Stopped by hand before its end: does it count?"
    assert question in pages.shown()
    assert pages.sends("game", table="east", game="7", opened=str(game["opened"]), round="1") == 303
    assert question not in pages.shown()


def test_a_desk_says_that_another_one_sends_signals_until_it_is_silent(pages: Pages) -> None:
    said = "Another desk sends rounds and times to the same tables"
    own = DeskSignal(at=pages.desk.now, is_called=False, desk="tachiai-desk-here")
    other = signal_message(replace(own, desk="tachiai-desk-copy")).encode()
    pages.hall.take("tachiai/hall/signal", signal_message(own).encode())
    pages.hall.take("tachiai/hall/signal", other, is_kept=True)
    assert said not in pages.shown(), "a desk that is started again hears what it sent, and what the broker kept"
    pages.hall.take("tachiai/hall/signal", other)
    assert said in pages.shown()
    pages.passed_s += SILENT_S + 1
    assert said not in pages.shown()


@pytest.mark.parametrize(
    ("act", "fields"),
    [
        ("open", "minutes rounds"),
        ("begin", "round"),
        ("clock", "minutes"),
        ("result", "round table score0 score3"),
        ("game", "round game"),
        ("penalty", "player points"),
        ("cancel", "penalty"),
        ("replace", "round player points"),
    ],
)
def test_whatever_is_typed_in_a_field_for_a_number_is_refused_in_a_sentence(
    pages: Pages, act: str, fields: str
) -> None:
    assert pages.opens() == 303
    before = pages.tournament
    form = dict.fromkeys(("round", "table", "player", "points", "score0", "score1", "score2", "score3"), "1")
    form |= {"minutes": "75", "rounds": "1", "rules": "home", "players": "\n".join(NAMES), "by": "Sub", "game": "1"}
    for field, text in product(fields.split(), NO_NUMBERS[1:]):
        assert pages.sends(act, **(form | {field: text})) == 409
        assert pages.owner.get("/desk", query_string={"round": text}).status_code == 200
    assert pages.tournament == before


def test_points_are_entered_as_the_hall_and_japanese_keyboards_write_them(pages: Pages) -> None:
    assert pages.opens() == 303
    scores = {"score0": "40,000", "score1": "３００００", "score2": "20 000", "score3": "10’000"}
    assert pages.sends("result", round="1", table="1", **scores) == 303
    told = pages.tournament.told[0, 0]
    assert told.scores == (40000, 30000, 20000, 10000)


def test_a_substitute_whose_name_cannot_be_seen_or_is_too_long_is_refused(pages: Pages) -> None:
    assert pages.opens() == 303
    assert pages.sends("replace", player="1", round="1", by="Zoe") == 303
    assert pages.sends("replace", player="1", round="1", by="\u200b\u202e") == 409
    assert pages.sends("replace", player="1", round="1", by="Z" * 61) == 409
    assert pages.tournament.replaced[0, 1].by == "Zoe"
    assert pages.sends("replace", player="1", round="1", by="") == 303
    assert pages.tournament.replaced[0, 1].by == ""


def test_a_penalty_by_the_book_costs_what_its_article_says(pages: Pages) -> None:
    assert pages.opens(rules="ema-2025") == 303
    page = pages.owner.get("/desk", headers={"Accept-Language": "ja"}).text
    assert '<option value="EMA late 1000">EMA：遅刻：1分ごと、10分まで（−1000）<' in page
    assert pages.sends("penalty", player="1", article="EMA late 1000", times="12", why="") == 303
    assert pages.desk.tournament is not None
    (given,) = pages.desk.tournament.penalties
    assert (given.given.points, given.given.why) == (10000, "EMA late × 12")
    page = pages.owner.get("/desk", headers={"Accept-Language": "ja"}).text
    assert "EMA：遅刻：1分ごと、10分まで × 12" in page
    assert pages.sends("penalty", player="2", article="EMA late 1000", times="1", why="bus") == 303
    assert "EMA: Late at the table: for each minute, up to ten × 1: bus" in pages.shown()


def test_points_that_do_not_add_up_are_confirmed_first_and_another_sum_again(pages: Pages) -> None:
    assert pages.opens(rules="ema-2025") == 303
    wrong = {"round": "1", "table": "2", "score0": "30000", "score1": "300000", "score2": "30000", "score3": "29000"}
    wrong["place"] = "table-2"
    refused = pages.owner.post("/desk/result", data={"token": _token(pages.owner), **wrong}).text
    assert "add up to 389000, not 120000" in refused
    assert 'name="score1" inputmode="numeric" autocomplete="off" value="300000"' in refused
    assert refused.count('name="sure" value="389000"') == 1
    left_over = wrong | {"score1": "30000"}
    assert pages.sends("result", **left_over, sure="389000") == 409
    assert pages.tournament.told == {}
    assert pages.sends("result", **left_over, sure="119000") == 303
    assert pages.tournament.told[0, 1].scores == (30000, 30000, 30000, 29000)
    assert 'name="sure"' not in pages.shown()


def form_of(page: str, place: str) -> str:
    """The form of a page that is sent to this place of it."""
    (found,) = re.findall(rf'<form [^>]*action="[^"]*#{place}".*?</form>', page, re.DOTALL)
    return str(found)


def seen_in(page: str, place: str) -> str:
    (found,) = re.findall(r'name="seen" value="([^"]+)"', form_of(page, place))
    return str(found)


def refused(pages: Pages, act: str, **fields: str) -> str:
    """The page that answers a refused form."""
    answer = pages.owner.post(f"/desk/{act}", data={"token": _token(pages.owner), **fields})
    assert answer.status_code == 409, answer.text[:200]
    return answer.text


SEATS = [f"{table},{','.join(NAMES[4 * table - 4 : 4 * table])}" for table in (1, 2)]
TWO_ROUNDS = "\n".join(("round,table,east,south,west,north", *map(",".join, product("12", SEATS))))
SCORES = {f"score{wind}": "25000" for wind in range(4)}
OTHER_SCORES = {"score0": "40000", "score1": "30000", "score2": "20000", "score3": "10000"}
OVERTAKEN = "This was changed elsewhere in the meantime"


@pytest.mark.parametrize(
    ("place", "act", "one", "other"),
    [
        ("table-2", "result", {"round": "1", "table": "2"} | SCORES, OTHER_SCORES),
        ("move", "clock", {"minutes": "5"}, {"minutes": "10"}),
        ("penalty", "penalty", {"player": "0", "points": "1000"}, {"points": "2000"}),
        ("penalty-0", "cancel", {"penalty": "0", "why": "the bus"}, {"why": "the train"}),
        ("replace", "replace", {"player": "0", "round": "1", "by": "Sub"}, {"by": "Other"}),
        ("appeal-east-20261123-210305", "appeal", {"table": "east", "clip": "20261123-210305", "ruling": "x"}, {}),
        ("game-east-3-", "game", {"table": "east", "game": "3", "opened": "", "round": "1"}, {"round": "0"}),
        ("begin", "begin", {"round": "2"}, {}),
        ("time", "time", {}, {}),
    ],
)
def test_a_form_that_another_browser_has_overtaken_is_refused_and_goes_through_once_it_was_looked_at(
    pages: Pages, place: str, act: str, one: dict[str, str], other: dict[str, str]
) -> None:
    assert pages.opens(players=TWO_ROUNDS, minutes="0" if act == "time" else "75") == 303
    assert pages.sends("begin", round="1") == 303
    pages.hall.take("tachiai/east/appeals", APPEALS)
    pages.hall.take("tachiai/east/games", GAMES)
    assert pages.sends("game", table="east", game="3", opened="", round="2") == 303
    assert pages.sends("penalty", player="1", points="500") == 303
    second = one | other | {"seen": seen_in(pages.shown(), place), "place": place}
    assert pages.sends(act, **one) == 303
    before = pages.tournament
    page = refused(pages, act, **second)
    assert OVERTAKEN in page
    assert pages.tournament == before
    if act not in ("begin", "time", "cancel"):
        assert OVERTAKEN in form_of(page, place)
        assert pages.sends(act, **second | {"seen": seen_in(page, place)}) == 303
        assert pages.tournament != before or not other


def test_a_form_of_the_tournament_before_changes_nothing_of_the_new_one(pages: Pages) -> None:
    assert pages.opens() == 303
    assert pages.sends("begin", round="1") == 303
    page = pages.shown()
    assert pages.opens(title="Final") == 303
    for place, act in (("penalty", "penalty"), ("table-1", "result"), ("open", "open")):
        form = {"player": "0", "points": "1000", "round": "1", "table": "1", "seen": seen_in(page, place)} | SCORES
        assert OVERTAKEN in refused(pages, act, **form)
    assert pages.tournament.penalties == ()


def test_a_new_tournament_is_opened_after_a_question_and_the_one_before_is_still_there_to_print(pages: Pages) -> None:
    question = "The present tournament ends."
    assert question not in pages.shown()
    assert pages.opens(title="Cup") == 303
    assert f'type="checkbox" required> {question}' in form_of(pages.shown(), "open")
    assert pages.sends("begin", round="1") == 303
    assert pages.sends("result", round="1", table="2", **OTHER_SCORES) == 303
    figures = pages.shown("/desk/standings.csv")
    assert pages.opens(title="Opened by mistake") == 303
    assert pages.opens(title="Final", players="a\nb\nc\nd") == 303
    assert "Opened by mistake" not in pages.shown()
    assert pages.shown("/desk/standings.csv?tournament=0") == figures
    assert "Cup" in pages.shown("/desk/sheet/standings?tournament=0")
    assert 'href="/desk/sheet/standings?tournament=0"' in pages.shown()
    assert pages.owner.get("/desk/standings.csv?tournament=2").status_code == 404
    assert pages.spectator.get("/desk/standings.csv?tournament=0").status_code == 403
    with DeskJournal(pages.folder / "desk.jsonl") as journal:
        again = Desk(journal, LogicalClock(), tables=tuple, say=pages.say)
        assert [each.opened.title for each in again.earlier] == ["Cup", "Opened by mistake"]
        assert again.tournament == pages.tournament


def test_what_cannot_be_undone_asks_first(pages: Pages) -> None:
    assert pages.opens(players=TWO_ROUNDS) == 303
    asks = 'type="checkbox" required>'
    assert asks in form_of(pages.shown(), "begin")
    assert pages.sends("begin", round="1") == 303
    assert asks in form_of(pages.shown(), "time")
    assert asks in form_of(pages.shown(), "begin")
    assert pages.sends("time") == 303
    shown = pages.shown()
    assert "/desk/time" not in shown
    assert "/desk/clock" not in shown
    assert "the tables end their games, whatever the clock shows" in refused(pages, "clock", minutes="20")
    assert "the tables end their games" in refused(pages, "time")


def test_both_pages_say_that_the_tables_cannot_be_reached(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "No connection to the tables"
    monkeypatch.setattr(Hall, "is_connected", property(lambda _: pages.is_connected))
    assert pages.opens() == 303
    pages.hall.take("tachiai/east/status", b"online")
    assert said not in pages.shown() + pages.shown("/")
    assert "not connected" not in pages.shown()
    pages.is_connected = False
    assert said in pages.shown()
    assert said in pages.shown("/", pages.spectator)
    assert "not connected" in pages.shown()


def test_a_refusal_stands_at_its_form_which_keeps_what_was_typed(pages: Pages) -> None:
    assert pages.opens(rules="ema-2025") == 303
    fields = {"player": "3", "points": "many", "times": "2", "why": "phone", "place": "penalty"}
    page = refused(pages, "penalty", **fields)
    form = form_of(page, "penalty")
    assert page.count("Enter a whole number") == form.count("Enter a whole number") == 1
    assert all(f'value="{typed}"' in form for typed in ("many", "2", "phone"))
    assert '<option value="3" selected>' in form
    gone = refused(pages, "cancel", penalty="7", why="x", place="penalty-7")
    assert gone.index('role="alert">') < gone.index("<main")


def test_nothing_that_is_typed_is_ignored(pages: Pages) -> None:
    assert pages.opens(rules="ema-2025") == 303
    assert pages.sends("penalty", player="0", points="1000", times="3", why="phone") == 303
    assert pages.sends("penalty", player="0", article="EMA late 1000", times="2", points="") == 303
    given = [(each.given.points, each.given.why) for each in pages.tournament.penalties]
    assert given == [(3000, "1000 × 3: phone"), (2000, "EMA late × 2")]
    sentences = {
        ("penalty", "player=0 article=EMA+late+1000 times=1 points=500"): "An article has its own points",
        ("penalty", "player=0 article=EMA+gone+1 times=1"): OVERTAKEN,
        ("penalty", "player=0 points=1000000 times=2"): "Enter a whole number from 1 to 1000000",
        ("penalty", "player=0 article= points= times=1"): "Choose an article, or enter the points.",
        ("penalty", "player= points=500 times=1"): "Choose a player.",
        ("replace", "player= round=1 by=Sub"): "Choose a player.",
        ("replace", "player=0 round=9 by=Sub"): "Enter a whole number from 1 to 1, not 9.",
        ("game", "table=east game=1 round=9"): "Enter a whole number from 0 to 1, not 9.",
        ("cancel", "penalty=0"): "Say why.",
        ("replace", "player=0 round=1 points=-30000"): "Enter the substitute’s name.",
        ("replace", "player=0 round=1"): "Enter the substitute’s name.",
        ("result", "round=1 table=1"): "Enter the points of all four.",
        ("clock", "minutes=-90"): "The round would be over then",
    }
    assert pages.sends("begin", round="1") == 303
    before = pages.tournament
    for (act, typed), sentence in sentences.items():
        fields = dict(each.split("=") for each in typed.split())
        assert sentence in refused(pages, act, **{name: text.replace("+", " ") for name, text in fields.items()})
    assert pages.tournament == before
    names, file = "\n".join(NAMES), (io.BytesIO(b"a\nb\nc\nd"), "names.csv")
    answer = pages.owner.post("/desk/open", data={"token": _token(pages.owner), "players": names, "file": file})
    assert "in the field or choose a file, not both" in answer.text


def test_who_plays_in_a_round_is_no_substitute_in_it(pages: Pages) -> None:
    assert pages.opens(players=TWO_ROUNDS) == 303
    player = pages.tournament.opened.players.index
    ann, jun = str(player("Ann O’Neil")), str(player("陳大文"))
    for by in ("ann o’neil", "陳大文", "李雷"):
        assert "plays in this round already" in refused(pages, "replace", player=jun, round="1", by=by)
    assert pages.sends("replace", player=ann, round="1", by="Sub") == 303
    assert "Sub plays in this round already" in refused(pages, "replace", player=jun, round="1", by="Sub")
    assert pages.sends("replace", player=jun, round="2", by="Sub") == 303
    assert pages.sends("replace", player=ann, round="1", by="Sub", points="-30000") == 303
    assert pages.sends("replace", player=ann, round="1", by="") == 303
    assert pages.tournament.replaced[0, int(ann)].by == ""


def test_the_results_of_a_replaced_player_add_up_to_the_standings(pages: Pages) -> None:
    assert pages.opens(rules="ema-2025") == 303
    assert pages.sends("begin", round="1") == 303
    at_table, later = pages.tournament.opened.rounds[0][1][0], pages.tournament.opened.rounds[0][0][2]
    for player, by in ((at_table, "Sub"), (later, "Other")):
        assert pages.sends("replace", player=str(player), round="1", by=by, points="-30000") == 303
    scores = {f"score{wind}": str(points) for wind, points in enumerate((50000, 30000, 20000, 20000))}
    assert pages.sends("result", round="1", table="2", **scores) == 303
    results = list(csv.DictReader(pages.shown("/desk/results.csv").removeprefix("\ufeff").splitlines()))
    totals = csv.DictReader(pages.shown("/desk/standings.csv").removeprefix("\ufeff").splitlines())
    counted = {each["player"]: each["points"] for each in results}
    assert counted == {each["player"]: each["total"] for each in totals if each["player"] in counted}
    row = {"round": "1", "table": "1", "wind": "W", "substitute": "Other", "score": "", "points": "-30000"}
    assert {"player": pages.tournament.opened.players[later], "state": "none"} | row in results


@pytest.mark.parametrize("kind", ["standings", "seating", "results"])
def test_every_file_also_comes_with_semicolons_for_spreadsheets_that_expect_them(pages: Pages, kind: str) -> None:
    assert pages.opens(players="\n".join((*NAMES[:-1], '"Semi; Colon"'))) == 303
    (address,) = set(re.findall(rf'href="(/desk/{kind}.csv\?[^"]*semicolons[^"]*)"', pages.shown()))
    plain, parted = (pages.shown(each).removeprefix("\ufeff") for each in (f"/desk/{kind}.csv", address))
    assert ";" in parted.splitlines()[0]
    assert list(csv.reader(io.StringIO(parted), delimiter=";")) == list(csv.reader(io.StringIO(plain)))


def test_players_are_listed_as_people_sort_names(pages: Pages) -> None:
    assert pages.opens(players="Zoe\nŁukasz\nÉmile\nanna\nMax\nFay\nÖzil\nPaul") == 303
    listed = re.findall(r'<option value="\d+">([^<]+)<', form_of(pages.shown(), "replace"))
    assert listed == ["anna", "Émile", "Fay", "Łukasz", "Max", "Özil", "Paul", "Zoe"]


def test_of_the_tables_that_the_page_offers_a_final_takes_the_first(pages: Pages) -> None:
    for name in ("east", "south", "west"):
        pages.hall.take(f"tachiai/{name}/status", b"online")
    offered = re.findall(r'name="offered" value="([^"]*)"', pages.shown())[0]
    names = "a\nb\nc\nd"
    assert pages.opens(players=names, tables="east\r\nsouth\r\nwest\r\n", offered=offered) == 303
    assert pages.tournament.opened.tables == ("east",)
    assert pages.opens(players=names, tables="east\r\nwest", offered=offered) == 409


def test_without_the_tournaments_rule_set_everybody_sees_what_the_tables_computed_and_its_owner_the_remedy(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(pages.folder))
    store(replace(rules_named("ema-2025"), name="club-cup"), default_folder())
    assert pages.opens(rules="club-cup") == 303
    assert pages.desk.tournament is not None
    pages.desk.open(replace(pages.desk.tournament.opened, house=""))  # by a desk that stored only the name
    assert pages.sends("begin", round="1") == 303
    pages.hall.take("tachiai/east/games", GAMES)
    told = {"round": "1", "table": "2"} | {f"score{wind}": "30000" for wind in range(4)}
    assert pages.sends("result", **told) == 303
    assert "club-cup" not in pages.shown()[:2000]
    _first_read.cache_clear()
    (default_folder() / "club-cup.toml").unlink()
    pages.desk.counted.clear()
    for address in ("/", "/broadcast/standings", "/desk/sheet/standings", "/desk/results.csv"):
        assert pages.owner.get(address).status_code == 200, address
    assert "+50.0" in pages.shown("/", pages.spectator)
    assert "The rule set club-cup is no longer stored" in pages.shown()
    assert pages.sends("penalty", player="0", points="1000", why="late") == 303
    store(replace(rules_named("ema-2025"), name="club-cup"), default_folder())
    assert "The rule set club-cup" not in pages.shown()


def test_a_rule_set_that_is_changed_or_deleted_changes_no_result_of_a_tournament_that_was_opened_by_it(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(pages.folder))
    cup = rules_named("ema-2025")
    store(replace(cup, name="club-cup"), default_folder())
    assert pages.opens(rules="club-cup") == 303
    assert pages.sends("begin", round="1") == 303
    told = {"round": "1", "table": "2"} | {"score0": "45000", "score1": "35000", "score2": "25000", "score3": "15000"}
    assert pages.sends("result", **told) == 303
    entered = pages.owner.get("/desk/results.csv").data
    other = replace(cup.switches, uma=(30000, 10000, -10000, -30000))
    assert other != cup.switches
    for is_changed in (True, False):
        if is_changed:
            store(replace(cup, name="club-cup", switches=other), default_folder())
        else:
            (default_folder() / "club-cup.toml").unlink()
        _first_read.cache_clear()
        with DeskJournal(pages.folder / "desk.jsonl") as journal:
            again = tournaments_of(journal.acts)[-1]
        assert again is not None
        found = tournament_rules(again.opened)
        assert found is not None
        assert found.ruleset.uma == cup.ruleset.uma
        pages.desk.counted.clear()
        assert pages.owner.get("/desk/results.csv").data == entered
        assert "The rule set club-cup" not in pages.shown()


def test_rule_sets_have_the_names_that_players_read(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(pages.folder))
    store(replace(rules_named("ema-2025"), name="club-cup"), default_folder())
    offered = dict(re.findall(r'<option value="([^"]+)">([^<]+)</option>', pages.shown()))
    assert offered == {**catalogue("en").under("ruleset"), "club-cup": "club-cup"}
    assert pages.opens(rules="wrc-2025") == 303
    assert pages.sends("begin", round="1") == 303
    pages.hall.take("tachiai/east/games", GAMES)
    assert "counted by other rules: At home" in pages.shown()


def test_a_wrong_pin_opens_nothing(pages: Pages) -> None:
    assert pages.sends("join", pages.spectator, pin="000111") == 403
    assert pages.spectator.get("/desk").status_code == 302


@pytest.mark.parametrize("language", languages())
def test_every_page_comes_up_in_every_language(pages: Pages, language: str) -> None:
    assert pages.opens() == 303
    assert pages.sends("begin", round="1") == 303
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
