"""Phones on a network that loses, delays or hangs, and phones that slept: nothing is stuck, nothing counts twice."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from table.game.commands.command_reader import read_press
from table.game.commands.game_commands import NameSeats
from tests.browser.by_hand import READ, KeptTable, chip, confirm, declare, draw_with_nobody_tenpai, press, sit, value
from tests.browser.waiting import HeldRequests, stop_clock

pytestmark = pytest.mark.browser
NOW = 1_800_000_000


def late_news(page: Page, ms: int) -> None:
    """Delays whatever the page hears of the table."""
    page.add_init_script(
        f"""const {{ addEventListener }} = EventTarget.prototype;
        Object.defineProperty(EventSource.prototype, "onmessage", {{
          set(listener) {{
            addEventListener.call(this, "message", (event) => setTimeout(() => listener(event), {ms}));
          }},
        }});"""
    )


def leave_unanswered(_: Route) -> None:
    """Lets a request hang."""


def rename(kept_table: KeptTable, name: str) -> None:
    kept_table.table.handle(NameSeats(names=(name, "Ben", "Cy", "Di"), by="owner"))


def win_previewed(page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    value(page, 3, 40).click()
    expect(page.locator("#preview .delta")).to_have_text(["+7,700", "0", "−7,700", "0"])


def test_the_next_hand_can_be_settled_at_once_however_late_the_table_is_heard_of(
    kept_table: KeptTable, phone: Page
) -> None:
    late_news(phone, 700)
    page = sit(phone, kept_table, 0)
    for number in (1, 2, 3):
        press(page, "Draw")
        chip(page, "tenpai", "East").click()
        confirm(page)
        assert len(kept_table.table.board.latest.game.history) == number


def test_requests_that_a_bad_network_lost_are_sent_again(page: Page) -> None:
    lost_answers = {"preview": 2, "values": 1, "value": 1}

    def lose(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        lost_answers[name] -= 1
        route.abort() if lost_answers[name] >= 0 else route.continue_()

    for name in lost_answers:
        page.route(f"**/api/{name}", lose)
    press(page, "Win")
    chip(page, "loser", "West").click()
    value(page, 3, 40).click()
    expect(page.locator("#preview.refused")).to_be_attached()
    expect(page.locator("#preview .delta")).to_have_text(["+7,700", "0", "−7,700", "0"])
    page.get_by_role("button", name="By tiles").click()
    for face in READ:
        page.locator(f"#hand .keys [value='{face}']").click()
    expect(page.locator("#hand .value")).to_have_text("2 han 30 fu · 2,900 points")
    assert all(left < 0 for left in lost_answers.values())


def test_a_request_that_is_never_answered_is_sent_again(page: Page) -> None:
    page.route("**/api/preview", lambda _route: None, times=1)
    draw_with_nobody_tenpai(page)
    expect(page.locator("#settle .confirm")).to_be_enabled()
    confirm(page)


def lose_the_answer(route: Route) -> None:
    route.fetch()
    route.abort()


def test_a_result_whose_answer_was_lost_counts_once_and_closes_its_sheet(kept_table: KeptTable, page: Page) -> None:
    win_previewed(page)
    page.route("**/api/tell", lose_the_answer, times=1)
    confirm(page)
    assert len(kept_table.table.state.history) == 1
    expect(page.locator(".card").first.locator(".score")).to_have_text("32,700")


def test_a_confirm_that_was_given_up_says_so_and_a_second_one_counts(kept_table: KeptTable, phone: Page) -> None:
    phone.clock.install()
    page = sit(phone, kept_table, 0)
    win_previewed(page)
    page.route("**/api/tell", lambda route: route.abort())
    page.locator("#settle .confirm").click()
    expect(page.locator("#preview p")).to_have_text("Connection lost, trying again …")
    page.clock.run_for(25_000)
    expect(page.locator("#preview p")).to_have_text("Connection lost, trying again …")
    for _ in range(6):
        page.clock.run_for(5_000)
    expect(page.locator("#preview p")).to_have_text("Not sent: tap again.")
    expect(page.locator("#preview .delta")).to_have_text(["+7,700", "0", "−7,700", "0"])
    page.unroute("**/api/tell")
    confirm(page)
    assert len(kept_table.table.state.history) == 1


def test_a_riichi_that_was_given_up_says_so(kept_table: KeptTable, phone: Page) -> None:
    phone.clock.install()
    page = sit(phone, kept_table, 0)
    page.route("**/api/press", lambda route: route.abort())
    page.locator("button.lay").first.click()
    expect(page.locator("#toast")).to_have_text("Connection lost, trying again …")
    begun_ms, text = page.evaluate("Date.now()"), ""
    while not text or "trying again" in text:
        page.clock.run_for(1_000)
        text = page.locator("#toast").inner_text()
    assert text == "Not sent: tap again."
    assert page.evaluate("Date.now()") - begun_ms > 30_000


def test_a_photo_that_was_not_sent_says_so_at_once(page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    page.get_by_role("button", name="By tiles").click()
    page.route("**/api/photo", lambda route: route.abort())
    page.locator("#photo").set_input_files({"name": "x.jpg", "mimeType": "image/jpeg", "buffer": b"x"})
    expect(page.locator("#hand .value")).to_have_text("Not sent: tap again.")


def test_a_late_answer_leaves_the_next_hand_s_sheet_open(page: Page) -> None:
    win_previewed(page)
    late_answers: list[Route] = []

    def hold_the_answer(route: Route) -> None:
        late_answers.append(route)
        route.fetch()

    page.route("**/api/tell", hold_the_answer, times=1)
    page.locator("#settle .confirm").click()
    expect(page.locator("#sheet tr")).to_have_count(2)
    page.locator("#settle-close").click()
    press(page, "Draw")
    chip(page, "tenpai", "South").click()
    with page.expect_response("**/api/tell"):
        late_answers[0].fulfill(json={})
    page.wait_for_timeout(200)
    expect(page.locator("#settle")).to_be_visible()
    expect(chip(page, "tenpai", "South").locator("input")).to_be_checked()


def test_a_refusal_is_told_also_after_the_sheet_was_closed(page: Page) -> None:
    win_previewed(page)
    tell = HeldRequests(page, "**/api/tell")
    page.locator("#settle .confirm").click()
    page.locator("#settle-close").click()
    tell.refuse("No.")
    expect(page.locator("#toast")).to_have_text("No.")


def test_a_riichi_declared_while_a_result_is_refused_is_ticked(kept_table: KeptTable, page: Page) -> None:
    win_previewed(page)
    tell = HeldRequests(page, "**/api/tell")
    page.locator("#settle .confirm").click()
    kept_table.table.handle(read_press({"press": "riichi", "seat": 1}))
    expect(page.locator("#deposits")).to_have_text("1")
    tell.refuse("No.")
    expect(chip(page, "riichi", "South").locator("input")).to_be_checked()
    expect(page.locator("#preview p")).to_have_text("No.")


def test_an_undo_whose_answer_was_lost_undoes_one_act(kept_table: KeptTable, page: Page) -> None:
    for _ in range(2):
        draw_with_nobody_tenpai(page)
        confirm(page)
    page.route("**/api/undo", lose_the_answer, times=1)
    with page.expect_response("**/api/undo"):
        page.locator("#undo").click()
    expect(page.locator("#toast")).to_be_empty()
    assert len(kept_table.table.state.history) == 1


def test_riichi_declared_while_a_sheet_is_open_is_ticked_in_it(kept_table: KeptTable, page: Page) -> None:
    press(page, "Draw")
    kept_table.table.handle(read_press({"press": "riichi", "seat": 1}))
    for group in ("riichi", "tenpai"):
        expect(chip(page, group, "South").locator("input")).to_be_checked()
    confirm(page)
    expect(page.locator(".card").nth(1).locator(".score")).to_have_text("27,000")


def test_what_happens_while_a_win_is_entered_does_not_answer_who_was_tenpai(kept_table: KeptTable, page: Page) -> None:
    press(page, "Win")
    rename(kept_table, "Anna")
    expect(page.locator("#winners label").first).to_contain_text("Anna")
    page.locator("#kinds label:has([value=draw])").click()
    expect(page.locator("#tenpai input:checked")).to_have_count(0)
    expect(page.locator("#settle .confirm")).to_be_disabled()


def test_a_hand_that_another_phone_settled_is_told_before_anybody_confirms_it_again(
    kept_table: KeptTable, page: Page, chromium: Browser
) -> None:
    with chromium.new_context(viewport={"width": 390, "height": 844}) as context:
        other = sit(context.new_page(), kept_table, 1)
        for phone in (page, other):
            draw_with_nobody_tenpai(phone)
            expect(phone.locator("#settle .confirm")).to_be_enabled()
        confirm(page)
        expect(other.locator("#preview p")).to_have_text("Another phone has settled this hand: close this sheet.")
        expect(other.locator("#settle .confirm")).to_be_disabled()
    assert len(kept_table.table.state.history) == 1


def test_a_sheet_opened_anew_says_nothing_of_the_one_before(kept_table: KeptTable, page: Page) -> None:
    draw_with_nobody_tenpai(page)
    expect(page.locator("#settle .confirm")).to_be_enabled()
    declare(kept_table, 0)
    line = page.locator("#preview p")
    expect(line).to_have_text("Another phone has settled this hand: close this sheet.")
    page.locator("#settle-close").click()
    kept_table.table.handle(read_press({"press": "riichi", "seat": 1}))
    expect(page.locator("#deposits")).to_have_text("1")
    payments = HeldRequests(page, "**/api/preview")
    press(page, "Draw")
    payments.wait()
    expect(line).to_be_empty()
    payments.let_through()
    expect(page.locator("#settle .confirm")).to_be_enabled()


def test_a_page_that_is_opened_again_takes_its_files_from_the_phone(kept_table: KeptTable, page: Page) -> None:
    bytes_by_file = """() => performance.getEntriesByType("resource")
        .filter(({ name }) => new URL(name).pathname.startsWith("/static/"))
        .map(({ transferSize }) => transferSize)"""
    page.goto(kept_table.address)
    sizes = page.evaluate(bytes_by_file)
    assert len(sizes) > 30
    assert not any(sizes)


def test_a_page_that_the_browser_had_put_aside_is_loaded_again(kept_table: KeptTable, page: Page) -> None:
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    rename(kept_table, "Alexandra")
    with page.expect_navigation():
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator(".seats .name", has_text="Alexandra")).to_be_visible()


@pytest.mark.parametrize("set_back_s", [0, 3600], ids=["", "its clock set back"])
def test_a_connection_that_died_in_silence_is_opened_anew(kept_table: KeptTable, phone: Page, set_back_s: int) -> None:
    phone.add_init_script(
        """const { addEventListener } = EventTarget.prototype;
        let opened = 0;
        window.EventSource = class extends EventSource {
          constructor(address) { super(address); this.number = opened++; }
          addEventListener(name, listener) {
            addEventListener.call(this, name, (event) => this.number > 0 || !window.isDead ? listener(event) : null);
          }
          set onmessage(listener) { this.addEventListener("message", listener); }
        };"""
    )
    stop_clock(phone, NOW)
    page = sit(phone, kept_table, 0)
    page.evaluate("window.isDead = true")
    rename(kept_table, "Alexandra")
    page.clock.run_for(20_000)
    expect(page.locator(".seats .name", has_text="Alexandra")).to_have_count(0)
    page.clock.set_system_time(NOW + 20 - set_back_s)
    page.clock.run_for(10_000)
    expect(page.locator(".seats .name", has_text="Alexandra")).to_be_visible()


def test_a_table_that_no_longer_answers_is_not_shown_as_live(kept_table: KeptTable, phone: Page) -> None:
    phone.clock.install()
    page = sit(phone, kept_table, 0)
    link = page.locator("#link")
    expect(link).to_have_attribute("data-state", "on")
    page.route("**/api/stream", leave_unanswered)
    page.clock.run_for(30_000)
    expect(link).to_have_attribute("data-state", "off")
    page.unroute("**/api/stream")
    page.clock.run_for(30_000)
    expect(link).to_have_attribute("data-state", "on")


def test_hidden_pages_leave_a_browser_its_connections(kept_table: KeptTable, phone: Page) -> None:
    hide = "Object.defineProperty(document, 'hidden', { get: () => window.isHidden })"
    pages = [phone, *(phone.context.new_page() for _ in range(5))]
    for each in pages:
        each.add_init_script(hide)
        each.clock.install()
        sit(each, kept_table, 0)
        each.evaluate("window.isHidden = true")
        each.clock.run_for(15_000)
    seventh = phone.context.new_page()
    sit(seventh, kept_table, 0)
    rename(kept_table, "Alexandra")
    phone.evaluate("window.isHidden = false; document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.locator(".seats .name", has_text="Alexandra")).to_be_visible()


def test_a_foul_whose_requests_were_lost_keeps_what_was_entered(kept_table: KeptTable, page: Page) -> None:
    page.goto(f"{kept_table.address}/fouls")
    page.locator("#who label", has_text="South").click()
    with page.expect_response("**/api/fouls/foreseen*"):
        page.locator("#clauses button", has_text="False win declaration").click()
    page.route("**/api/fouls/foreseen*", lambda route: route.abort(), times=1)
    page.locator("#asks button", has_text="Yes").click()
    expect(page.locator("#name")).to_be_disabled()
    expect(page.locator("#asks button", has_text="Yes")).to_have_attribute("aria-pressed", "true")
    page.locator("#note").fill("west saw it")
    page.route(
        "**/api/press", lambda route: route.fulfill(status=503, json={"said": "The table does not answer."}), times=1
    )
    page.locator("#name").click()
    expect(page.get_by_role("alert")).to_have_text("The table does not answer.")
    expect(page.locator("#case")).to_be_visible()
    expect(page.locator("#note")).to_have_value("west saw it")
    page.locator("#name").click()
    expect(page.locator("#case")).to_be_hidden()
    expect(page.locator("#named")).to_contain_text(re.compile("South.*False win declaration"))
