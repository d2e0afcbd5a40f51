"""The tournament desk in a browser: its owner runs a round, and everything fits phone and desk, in every script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from table.config import MqttConfig
from table.dashboard.server import serve
from table.mqtt.desk.desk import Desk
from table.mqtt.desk.desk_journal import DeskJournal
from table.mqtt.hall_page import Hall, hall_app
from table.mqtt.tournament.acts import PenaltyGiven, PlayerReplaced
from table.runtime.clock import SystemClock
from tests.browser.axe import complaints
from tests.browser.hall_names import NAMES
from tests.browser.screen_fit import faults, letters_of
from tests.fakes.desks import PIN

pytestmark = pytest.mark.browser
SIZES = ((390, 844), (1280, 800), (1920, 1080))
APPEALS = {
    "address": "http://192.168.1.5:8000",
    "appeals": [{"name": "20261123-210305", "at": "21:03", "seconds": 90, "by": "seat 2"}],
}


BROKEN = """() => [...document.querySelectorAll("td")].map(cell => {
  const text = document.createRange(); text.selectNodeContents(cell);
  return new Set([...text.getClientRects()].map(each => Math.round(each.bottom))).size > 1 ? cell.innerText : "";
}).filter(Boolean)"""
"""The figures that stand in more than one line."""


class Room:
    """A hall with one table and a desk, and where its page is."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.hall = Hall(MqttConfig())
        journal = stack.enter_context(DeskJournal(folder / "desk.jsonl"))
        self.desk = Desk(journal, SystemClock(), tables=lambda: self.hall.tables, send=lambda text, is_news: None)
        self.hall.call_on_news(self.desk.store_report)
        self.address = f"http://127.0.0.1:{stack.enter_context(serve(hall_app(self.hall, self.desk), port=0))}"

    def plays(self) -> None:
        """The table tells a game of the round."""
        game = {"number": 3, "opened": self.desk.now, "rules": "home", "first_dealer": 0, "hands": 2, "is_over": True}
        points = {"scores": [40000, 30000, 20000, 10000], "points": [50000, 10000, -20000, -40000]}
        self.hall.handle_message("tachiai/east/status", b"online")
        self.hall.handle_message("tachiai/east/games", json.dumps({"games": [game | points]}).encode())
        self.hall.handle_message("tachiai/east/appeals", json.dumps(APPEALS).encode())


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with ExitStack() as stack:
        yield Room(tmp_path, stack)


def test_an_owner_runs_a_round_and_every_page_fits_phone_and_desk(phone: Page, room: Room) -> None:
    phone.goto(f"{room.address}/desk")
    phone.locator("input[name=pin]").fill(PIN)
    phone.locator("input[name=again]").fill(PIN)
    phone.locator("button").click()
    phone.locator("textarea[name=players]").fill("\n".join(NAMES))
    phone.locator("textarea[name=tables]").fill("east")
    phone.locator("input[name=rounds]").fill("1")
    phone.locator("form[enctype] button").click()
    phone.locator("#begin input[type=checkbox]").check()
    phone.locator("#begin button").click()
    expect(phone.locator(".clock b")).to_contain_text(":")
    room.plays()
    room.desk.record(PenaltyGiven(player=0, points=5000, why="EMA late × 5"))
    room.desk.record(PlayerReplaced(round=0, player=1, by="Sub", points=-30000))
    found = []
    for page in ("/desk", "/", "/desk/join", "/desk/sheet/seating", "/desk/sheet/scores"):
        phone.goto(room.address + page)
        for wide, high in SIZES:
            phone.set_viewport_size({"width": wide, "height": high})
            found += [f"{page} {wide}: {each}" for each in (*faults(phone), *complaints(phone))]
        phone.set_viewport_size({"width": 320, "height": 568})
        with letters_of(phone, 200):
            found += [f"{page} in large letters: {each}" for each in faults(phone)]
    assert found == []
    phone.emulate_media(media="print")
    phone.set_viewport_size({"width": 330, "height": 1000})
    phone.goto(f"{room.address}/desk/sheet/standings")
    assert phone.evaluate(BROKEN) == []
    phone.emulate_media(media="screen")
    phone.goto(room.address)
    room.desk.call_time()
    expect(phone.locator(".clock b")).not_to_contain_text(":")
    phone.goto(f"{room.address}/desk")
    expect(phone.locator("#appeal-list a")).to_have_attribute(
        "href", "http://192.168.1.5:8000/clips/20261123-210305.zip"
    )
    expect(phone.locator("tbody tr").first).to_contain_text("+50.0")
    expect(phone.locator("#games-part form").get_by_role("button")).to_be_visible()


def enter(page: Page, table: int, *scores: int) -> None:
    """Enters a table's result by hand."""
    form = page.locator(f"#table-{table}")
    if not form.locator("input[name=score0]").is_visible():
        form.locator("summary").click()
    for wind, score in enumerate(scores):
        form.locator(f"input[name=score{wind}]").fill(str(score))
    form.locator("form[action*=result] button").click()


def test_two_browsers_see_each_others_entries_and_none_overwrites_the_other_unknowingly(
    phone: Page, room: Room
) -> None:
    phone.goto(f"{room.address}/desk")
    phone.locator("input[name=pin]").fill(PIN)
    phone.locator("input[name=again]").fill(PIN)
    phone.locator("button").click()
    phone.locator("textarea[name=players]").fill("\n".join(NAMES))
    phone.locator("input[name=rounds]").fill("1")
    phone.locator("form[enctype] button").click()
    expect(phone.locator("#table-2")).to_be_attached()
    other = phone.context.new_page()
    other.goto(f"{room.address}/desk")
    other.locator("#table-2 summary").click()
    enter(phone, 1, 40000, 30000, 20000, 10000)
    expect(phone.locator("#table-1")).to_be_in_viewport()
    enter(phone, 2, 40000, 30000, 20000, 10000)
    expect(other.locator("#state-1"), "what another browser entered is shown").to_contain_text("40,000")
    enter(other, 2, 10000, 20000, 30000, 40000)
    refusal = other.locator("#table-2 [role=alert]")
    expect(refusal).to_be_in_viewport()
    assert room.desk.opened_tournament().entered_results[0, 1].scores == (40000, 30000, 20000, 10000)
    room.desk.record(PenaltyGiven(player=0, points=5000, why="late"))
    expect(other.locator("#penalty-list")).to_contain_text("late")
    expect(refusal, "what somebody fills in stays").to_be_visible()
    expect(other.locator("#table-2 input[name=score3]")).to_have_value("40000")
    other.locator("#table-2 form[action*=result] button").click()
    expect(other.locator("#state-2 li b").last).to_have_text("+50.0")
    enter(other, 2, 1, 2, 3, 4)
    expect(refusal).to_be_visible()
    expect(other, "the page's script has taken the sent form's place").to_have_url(re.compile(r"/desk\?round=1"))
    other.goto(room.address)
    other.go_back()  # to the page, not to the question whether the form is to be sent again
    expect(other.locator("#state-2 li b").last).to_have_text("+50.0")


def test_a_page_says_when_the_halls_computer_cannot_be_reached(phone: Page, room: Room) -> None:
    phone.goto(f"{room.address}/desk")
    phone.locator("input[name=pin]").fill(PIN)
    phone.locator("input[name=again]").fill(PIN)
    phone.locator("button").click()
    phone.wait_for_url("**/desk")
    for address in ("/", "/desk"):
        phone.goto(room.address + address)
        expect(phone.locator("#lost")).to_be_hidden()
        phone.route("**/*", lambda route: route.abort())
        expect(phone.locator("#lost")).to_be_visible()
        phone.unroute("**/*")
        expect(phone.locator("#lost")).to_be_hidden()
