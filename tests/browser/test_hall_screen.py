"""The hall on a big screen that nobody operates: whatever fits is seen at once, and the rest in turns."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from table.config import MqttConfig
from table.dashboard.server import serve
from table.mqtt.desk.desk import Desk
from table.mqtt.desk.desk_journal import DeskJournal
from table.mqtt.hall_page import Hall, hall_app
from table.mqtt.tournament.acts import TournamentOpened
from table.mqtt.tournament.round_seating import find_seating
from table.runtime.clock import SystemClock
from tests.browser.hall_names import NAMES
from tests.browser.waiting import stop_clock

pytestmark = pytest.mark.browser
LOWER = "[...document.querySelectorAll('tbody tr, main > section')].map(each => each.getBoundingClientRect().bottom)"
SEEN = """() => {
  const top = document.querySelector("header").getBoundingClientRect().bottom;
  const isSeen = ({ top: upper, bottom: lower }) => upper >= top - 1 && lower <= innerHeight + 1;
  return [...document.querySelectorAll("tbody th, main h2")]
    .filter(each => isSeen(each.closest("tr, section").getBoundingClientRect())).map(each => each.innerText);
}"""
"""What lies wholly between the clock and the lower edge."""
TURN_MS = 10_000
HELD_MS = 60_000
Address = Callable[[int], str]


@pytest.fixture
def hall_of(tmp_path: Path) -> Iterator[Address]:
    """Opens a tournament of so many players, whose first round is played, and returns where the hall is shown."""
    with ExitStack() as stack:
        numbers = count()

        def hall_of(players: int) -> str:
            hall = Hall(MqttConfig())
            journal = stack.enter_context(DeskJournal(tmp_path / f"{next(numbers)}.jsonl"))
            desk = Desk(journal, SystemClock(), tables=lambda: hall.tables, send=lambda text, is_news: None)
            hall.call_on_news(desk.store_report)
            _play(hall, desk, players)
            return f"http://127.0.0.1:{stack.enter_context(serve(hall_app(hall, desk), port=0))}"

        yield hall_of


def _play(hall: Hall, desk: Desk, players: int) -> None:
    tables = tuple(f"table-{number:02d}" for number in range(1, players // 4 + 1))
    opening = TournamentOpened(
        title="Spring Riichi Open",
        rules="ema-2025",
        players=tuple(f"{NAMES[number % 8]} {number // 8 + 1}" for number in range(players)),
        rounds=tuple(find_seating(players, 5)),
        tables=tables,
        minutes=75,
        event="5f2c",
    )
    desk.open(opening)
    desk.begin_round(0)
    standing = {"round": "S2", "honba": 1, "deposits": 2, "scores": [40000, 30000, 20000, 10000]}
    game = {"number": 3, "opened": desk.now, "rules": "ema-2025", "first_dealer": 0, "hands": 2, "is_over": True}
    points = {"scores": standing["scores"], "points": [25000, 5000, -15000, -15000]}
    for name in tables:
        hall.handle_message(f"tachiai/{name}/status", b"online")
        hall.handle_message(f"tachiai/{name}/table", json.dumps(standing).encode())
        hall.handle_message(f"tachiai/{name}/games", json.dumps({"games": [game | points]}).encode())


@pytest.mark.parametrize(
    ("wide", "high", "most_players"), [(1920, 1080, 40), (3840, 2160, 40), (1280, 720, 20)], ids=str
)
def test_every_player_and_every_table_is_seen_at_once(
    phone: Page, hall_of: Address, wide: int, high: int, most_players: int
) -> None:
    phone.set_viewport_size({"width": wide, "height": high})
    for players in (8, 16, 20, 40):
        if players > most_players:
            continue
        phone.goto(hall_of(players))
        lower_edges = phone.evaluate(LOWER)
        assert len(lower_edges) == players + players // 4
        assert max(lower_edges) <= high, players
        assert phone.evaluate("document.documentElement.scrollWidth") == wide


def test_letters_are_never_too_small_for_a_room_and_larger_with_fewer_players(phone: Page, hall_of: Address) -> None:
    phone.set_viewport_size({"width": 1920, "height": 1080})
    sizes = []
    for players in (8, 20, 100):
        phone.goto(hall_of(players))
        sizes.append(phone.evaluate("parseFloat(getComputedStyle(document.body).fontSize)"))
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 3
    assert sizes[-1] >= 1080 / 75


def test_what_does_not_fit_is_shown_in_turns_below_the_clock_until_somebody_takes_the_page(
    phone: Page, hall_of: Address
) -> None:
    stop_clock(phone)
    phone.set_viewport_size({"width": 1280, "height": 720})
    phone.goto(hall_of(60))
    seen, turns = set(phone.evaluate(SEEN)), 1
    phone.clock.run_for(TURN_MS)
    while phone.evaluate("scrollY") > 0:
        seen |= set(phone.evaluate(SEEN))
        assert phone.locator(".clock").evaluate("each => each.getBoundingClientRect().top") >= 0
        turns += 1
        phone.clock.run_for(TURN_MS)
    assert turns > 1
    assert len(seen) == 60 + 15
    phone.keyboard.press("Shift")
    phone.clock.run_for(HELD_MS - TURN_MS)
    assert phone.evaluate("scrollY") == 0
    phone.clock.run_for(TURN_MS)
    assert phone.evaluate("scrollY") > 0


def test_a_phone_and_a_page_that_is_fetched_anew_keep_their_letters(phone: Page, hall_of: Address) -> None:
    phone.clock.install()
    phone.goto(hall_of(20))
    assert phone.evaluate("document.documentElement.style.fontSize") == ""
    phone.set_viewport_size({"width": 1920, "height": 1080})
    expect(phone.locator("html")).to_have_attribute("style", re.compile("font-size"))
    size = phone.evaluate("document.documentElement.style.fontSize")
    with phone.expect_response("**/"):
        phone.clock.run_for(6000)
    assert phone.evaluate("document.documentElement.style.fontSize") == size != ""
