"""The clock on the phone, of a tournament or a game: what is left by the table's clock, and that time was called."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from playwright.sync_api import Page, Route, expect

from table.game.commands.game_commands import CallTime, OpenGame
from table.game.snapshot import DeskClock
from table.rulebook import rules_named
from tests.browser.by_hand import KeptTable, sit
from tests.browser.screen_fit import faults
from tests.browser.waiting import stop_clock
from tests.table.game.by_hand import draw, tell, undo

pytestmark = pytest.mark.browser


def set_tables_clock(phone: Page, now: datetime) -> None:
    """Lets the table's clock stand at a time, however long a slow machine takes to load pages."""

    def answer_with_time(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, headers={**answer.headers, "date": format_datetime(now, usegmt=True)})

    phone.route("**/api/session", answer_with_time)


@pytest.mark.parametrize(("passed_min", "text"), [(10, "35 min left"), (50, "Time is up")])
def test_the_phone_says_how_much_time_is_left_by_the_tables_clock(
    kept_table: KeptTable, phone: Page, passed_min: int, text: str
) -> None:
    kept_table.table.handle(OpenGame(ruleset=rules_named("home").ruleset.but(time_limit=45)))
    opened_at = datetime.fromisoformat(kept_table.table.board.latest.opened_at)
    set_tables_clock(phone, opened_at + timedelta(minutes=passed_min))
    phone.set_viewport_size({"width": 320, "height": 600})
    page = sit(phone, kept_table, 0)
    expect(page.locator("#clock")).to_have_text(text)
    for language in ("ja", "ko", "en"):
        page.goto(f"{kept_table.address}/language/{language}")
        expect(page.locator("#clock")).not_to_be_empty()
        assert faults(page) == []
    kept_table.table.handle(CallTime())
    expect(page.locator("#clock")).to_have_text("Time was called")
    tell(kept_table.table, draw())
    expect(page.locator("#clock")).to_have_text("Last hand")
    for language in ("ja", "ko", "zh-Hans", "en"):
        page.goto(f"{kept_table.address}/language/{language}")
        expect(page.locator("#clock")).not_to_be_empty()
        assert faults(page) == []


def test_the_phone_shows_the_rounds_clock_and_how_long_ago_a_table_that_was_away_missed_the_call(
    kept_table: KeptTable, phone: Page
) -> None:
    now = datetime(2026, 11, 23, 20, tzinfo=UTC)
    set_tables_clock(phone, now)
    until = (now + timedelta(minutes=39.5)).isoformat()
    kept_table.table.set_desk_clock(DeskClock(round="5f2c 1", until=until))
    phone.set_viewport_size({"width": 320, "height": 600})
    page = sit(phone, kept_table, 0)
    expect(page.locator("#clock")).to_have_text("40 min left")
    kept_table.table.handle(CallTime())
    called_at = (now - timedelta(minutes=12.5)).isoformat()
    kept_table.table.set_desk_clock(DeskClock(round="5f2c 1 called", called_at=called_at))
    expect(page.locator("#clock")).to_have_text("Time was called 12 min ago")
    for language in ("ja", "ko", "zh-Hans"):
        page.goto(f"{kept_table.address}/language/{language}")
        expect(page.locator("#clock")).to_contain_text("12")
        assert faults(page) == []
    tell(kept_table.table, draw())
    for language in ("ja", "ko", "zh-Hans", "en"):
        page.goto(f"{kept_table.address}/language/{language}")
        expect(page.locator("#clock")).to_contain_text(" · ")
        assert faults(page) == []
    expect(page.locator("#clock")).to_have_text("Last hand · Time was called 12 min ago")


def test_a_lost_request_leaves_the_tables_clock_to_be_asked_again(kept_table: KeptTable, phone: Page) -> None:
    kept_table.table.handle(OpenGame(ruleset=rules_named("home").ruleset.but(time_limit=45)))
    now = datetime.fromisoformat(kept_table.table.board.latest.opened_at) + timedelta(minutes=10)
    with phone.expect_response("**/api/session"):
        page = sit(phone, kept_table, 0)
    set_tables_clock(phone, now)
    phone.route("**/api/session", lambda route: route.abort(), times=1)
    stop_clock(phone, (now + timedelta(days=300)).timestamp())
    with phone.expect_event("requestfailed", lambda request: request.url.endswith("/api/session")):
        page.reload()
    expect(page.locator("body[data-version]")).to_be_attached()
    expect(page.locator("#clock")).to_be_hidden()
    phone.clock.run_for(6000)
    expect(page.locator("#clock")).to_have_text("35 min left")


def test_a_game_without_a_limit_shows_no_clock_until_time_is_called(kept_table: KeptTable, phone: Page) -> None:
    page = sit(phone, kept_table, 0)
    expect(page.locator("#clock")).to_be_hidden()
    kept_table.table.handle(CallTime())
    expect(page.locator("#clock")).to_have_text("Time was called")
    tell(kept_table.table, draw())
    expect(page.locator("#clock")).to_have_text("Last hand")
    undo(kept_table.table)
    expect(page.locator("#clock")).to_have_text("Time was called")
