"""What happens at the table while a finger is on a control: the tap counts for what it was on, or for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, ViewportSize, expect

from table.game.commands.command_reader import read_press
from table.game.commands.game_commands import NameFoul, NameSeats
from table.game.snapshot import Doubt
from table.rules.events import DrawReached, Event, StickPlaced, WinClaimed, WinKind
from table.rules.terms.seats import Seat
from tests.browser.by_hand import READ, KeptTable, chip, declare, middle_of, press, sit, value
from tests.browser.live_page import DRAWN_WIN, GO_ROUND, RIICHI, START, Live
from tests.browser.shown_pages import watched_table
from tests.browser.waiting import HeldRequests, wait_until_drawn
from vision.felt import Felt

pytestmark = pytest.mark.browser
PHONE: ViewportSize = {"width": 390, "height": 844}
NOW = 1_800_000_000


def places_of(*controls: Locator) -> list[tuple[float, float]]:
    boxes = [control.bounding_box() for control in controls]
    return [(box["x"], box["y"]) for box in boxes if box is not None]


def counted_tsumo(kept_table: KeptTable, han: int) -> None:
    """The second seat's tsumo, counted past the page."""
    kept_table.table.handle(read_press({"press": "tsumo", "seat": 1, "han": han, "fu": 30}))


def press_down(page: Page, control: Locator) -> None:
    page.mouse.move(*middle_of(control))
    page.mouse.down()


@contextmanager
def seated_phone(chromium: Browser, *happened: Event, now: int = NOW) -> Iterator[tuple[Live, Page]]:
    """A watched table at which this has happened, and a phone that sits there, whose clock stands still."""
    with (
        watched_table(("Aoi", "Ben", "Chie", "Dan")) as live,
        chromium.new_context(viewport=PHONE, has_touch=True) as context,
    ):
        live.happen(*happened)
        page = context.new_page()
        page.clock.set_fixed_time(now)
        page.goto(f"{live.address}/join")
        page.locator(".sitting button").first.click()
        expect(page.locator("body[data-version] #undo")).to_be_attached()
        yield live, page


@contextmanager
def nothing_sent(page: Page, to: str = "") -> Iterator[None]:
    """Fails if the page sends something to such an address meanwhile; then a second passes, for people to look."""
    requests = list[str]()

    def keep(request: Request) -> None:
        if request.method == "POST" and request.url.endswith(to):
            requests.append(request.url)

    page.on("request", keep)
    yield
    wait_until_drawn(page)
    assert requests == []
    page.remove_listener("request", keep)
    page.clock.set_fixed_time(NOW + 1)


@pytest.mark.parametrize("button", ["#clauses button", "#often button"])
def test_a_foul_is_chosen_though_the_table_is_heard_of_meanwhile(
    kept_table: KeptTable, page: Page, button: str
) -> None:
    page.goto(f"{kept_table.address}/fouls")
    page.locator("#who label", has_text="South").click()
    press_down(page, page.locator(button).first)
    kept_table.table.handle(NameSeats(names=("Aoi", "", "", ""), by="owner"))
    expect(page.locator("#who label").first).to_have_text("Aoi")
    page.mouse.up()
    expect(page.locator("#case")).to_be_visible()


def test_an_answer_leaves_the_other_questions_in_place(kept_table: KeptTable, page: Page) -> None:
    page.goto(f"{kept_table.address}/fouls")
    page.locator("#who label", has_text="South").click()
    page.locator("#clauses button", has_text="one clearly late").click()
    first, second = (page.locator("#asks fieldset").nth(at).get_by_role("button").first for at in range(2))
    other = second.element_handle()
    first.click()
    expect(first).to_have_attribute("aria-pressed", "true")
    assert other.evaluate("button => button.isConnected")
    second.click()
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(first).to_have_attribute("aria-pressed", "true")


def test_the_sheet_of_a_foul_does_not_open_over_that_of_another_one(kept_table: KeptTable, page: Page) -> None:
    page.goto(f"{kept_table.address}/fouls")
    page.locator("#who label", has_text="South").click()
    page.locator("#often button").first.click()
    page.locator("#name").click()
    page.locator("[data-press=agree]").click()
    expect(page.locator("#logged .changes")).to_be_visible()
    late = HeldRequests(page, "**/api/fouls/foreseen*")
    page.locator("#who label", has_text="West").click()
    page.locator("#clauses button").first.click()
    page.locator("#logged .changes button").last.click()
    expect(page.locator("#reason")).to_be_visible()
    with page.expect_response("**/api/fouls/foreseen*"):
        late.let_through()
    page.locator("#why").fill("seen wrongly")
    page.locator("#withdraw").click()
    expect(page.locator("#reason")).to_be_hidden()
    expect(page.locator("#case")).to_be_hidden()


def test_what_comes_to_stand_under_a_finger_is_not_tapped_by_it(chromium: Browser) -> None:
    """At a watched table the end of a hand puts Confirm where Tsumo was."""
    with seated_phone(chromium, START) as (live, page):
        finger = page.context.new_cdp_session(page)
        at = dict(zip("xy", middle_of(page.locator("[data-press=tsumo]")), strict=True))
        confirm = page.locator("[data-press=confirm]")
        with nothing_sent(page):
            finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
            live.happen(RIICHI, StickPlaced(seat=Seat.NEAR), *DRAWN_WIN[1:])
            expect(confirm).to_be_visible()
            finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        with page.expect_request("**/api/press"):
            confirm.tap()


def test_a_tap_that_was_on_its_way_to_draw_confirms_nothing(chromium: Browser) -> None:
    """When the last tile is discarded, several people press Draw: the first makes Confirm come to stand there."""
    with seated_phone(chromium, START, *GO_ROUND) as (live, page):
        at = middle_of(page.locator("[data-press=draw]"))
        with nothing_sent(page):
            live.happen(DrawReached())
            expect(page.locator("[data-press=confirm]")).to_be_visible()
            page.touchscreen.tap(*at)
        with page.expect_request("**/api/press"):
            page.touchscreen.tap(*at)


def test_a_tap_that_was_on_its_way_to_the_buttons_by_hand_claims_nothing_once_the_camera_is_back(
    chromium: Browser,
) -> None:
    with seated_phone(chromium, now=NOW - 1) as (live, page):
        live.happen(START)
        tsumo = page.locator("[data-press=tsumo]")
        expect(tsumo).to_be_visible()
        live.publish(felt=None)
        expect(tsumo).to_be_hidden()
        page.clock.set_fixed_time(NOW)
        live.publish(felt=Felt())
        expect(tsumo).to_be_visible()
        with nothing_sent(page):
            tsumo.tap()
        with page.expect_request("**/api/press"):
            tsumo.tap()


def test_undo_takes_nothing_back_that_came_to_stand_on_it_under_the_finger(kept_table: KeptTable, page: Page) -> None:
    declare(kept_table, 0)
    page.clock.set_fixed_time(NOW)
    undo = page.locator("#undo")
    expect(undo).to_have_text("Undo: result")
    at = middle_of(undo)
    with nothing_sent(page):
        kept_table.table.handle(NameSeats(names=("Aoi", "", "", ""), by="owner"))
        expect(undo).to_have_text("Undo: players named")
        page.touchscreen.tap(*at)
    with page.expect_request("**/api/undo"):
        undo.tap()


def test_undo_takes_nothing_back_if_it_changes_while_a_finger_is_on_it(kept_table: KeptTable, page: Page) -> None:
    declare(kept_table, 0)
    undo = page.locator("#undo")
    expect(undo).to_have_text("Undo: result")
    press_down(page, undo)
    kept_table.table.handle(NameSeats(names=("Aoi", "", "", ""), by="owner"))
    expect(undo).to_have_text("Undo: players named")
    with nothing_sent(page):
        page.mouse.up()


def test_confirm_settles_no_payments_that_have_just_changed(kept_table: KeptTable, page: Page) -> None:
    for each in ({"press": "riichi", "seat": 0}, {"press": "tsumo", "seat": 1}):
        kept_table.table.handle(read_press(each))
    counted_tsumo(kept_table, 2)
    confirm = page.locator("[data-press=confirm]")
    expect(confirm).to_contain_text("+3,000")
    page.clock.set_fixed_time(NOW)
    with nothing_sent(page):
        counted_tsumo(kept_table, 3)
        expect(confirm).to_contain_text("+5,000")
        confirm.tap()
    with page.expect_request("**/api/press"):
        confirm.tap()


def test_confirm_of_an_open_sheet_settles_no_payments_that_another_phone_has_just_changed(
    kept_table: KeptTable, page: Page
) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    value(page, 3, 40).click()
    confirm = page.locator("#settle .confirm")
    expect(confirm).to_contain_text("+7,700")
    page.clock.set_fixed_time(NOW)
    with nothing_sent(page, "/tell"):
        kept_table.table.handle(read_press({"press": "riichi", "seat": 1}))
        expect(confirm).to_contain_text("+8,700")
        confirm.tap()
    with page.expect_request("**/api/tell"):
        confirm.tap()


def test_a_riichi_tapped_while_the_hand_ends_is_not_declared_in_the_next_one(kept_table: KeptTable, page: Page) -> None:
    page.clock.set_fixed_time(NOW)
    lay = page.locator("button.lay").nth(1)
    with nothing_sent(page):
        declare(kept_table, 0)
        expect(page.locator("#sheet .note")).to_contain_text("Ron")
        lay.tap()
    with page.expect_request("**/api/press"):
        lay.tap()


def test_a_tap_that_a_slow_phone_handles_only_after_drawing_is_for_what_was_under_it(
    kept_table: KeptTable, page: Page
) -> None:
    declare(kept_table, 0)
    undo = page.locator("#undo")
    expect(undo).to_have_text("Undo: result")
    kept_table.table.handle(NameSeats(names=("Aoi", "", "", ""), by="owner"))
    expect(undo).to_have_text("Undo: players named")
    page.wait_for_timeout(600)
    taps = """(ages) => {
      const undo = document.querySelector("#undo");
      let handled = [];
      for (const age of ages) {
        const down = new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch" });
        Object.defineProperty(down, "timeStamp", { value: performance.now() - age });
        undo.onclick = () => handled.push(age);
        undo.dispatchEvent(down);
        undo.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
      }
      return handled;
    }"""
    assert page.evaluate(taps, [0, 2000]) == [0]


def test_a_second_tap_on_the_cross_of_a_sheet_is_not_for_the_control_below_it(
    kept_table: KeptTable, page: Page
) -> None:
    """On a slow phone, people tap again before the sheet closes: the control that turns the table lies under it."""
    place = page.locator(".card input").first
    seat = place.input_value()
    press(page, "Win")
    page.clock.set_fixed_time(NOW)
    cross = middle_of(page.locator("#settle-close"))
    page.touchscreen.tap(*cross)
    expect(page.locator("#settle")).to_be_hidden()
    page.touchscreen.tap(*cross)
    wait_until_drawn(page)
    assert place.input_value() == seat
    page.clock.set_fixed_time(NOW + 1)
    page.touchscreen.tap(*cross)
    expect(place).not_to_have_value(seat)


def test_a_sheet_that_opens_complete_is_not_confirmed_by_the_tap_that_opened_it_twice(
    kept_table: KeptTable, page: Page
) -> None:
    for seat in range(4):
        kept_table.table.handle(read_press({"press": "riichi", "seat": seat}))
    expect(page.locator("#deposits")).to_have_text("4")
    page.clock.set_fixed_time(NOW)
    press(page, "Abortive draw")
    confirm = page.locator("#settle .confirm")
    expect(confirm).to_be_enabled()
    with nothing_sent(page, "/tell"):
        confirm.tap()
    with page.expect_request("**/api/tell"):
        confirm.tap()


def test_cancel_names_the_win_that_the_phone_shows(chromium: Browser) -> None:
    """Else the second of two people who cancel one win would cancel another one."""
    claims = (WinClaimed(seat=Seat(at), kind=WinKind.RON) for at in (1, 2))
    with seated_phone(chromium, START, *GO_ROUND, *claims) as (_, page):
        expect(page.locator("#ending h2")).to_contain_text("Chie")
        with page.expect_request("**/api/press") as pressed:
            page.locator("[data-press=cancel]").click()
        assert '"seat":2' in (pressed.value.post_data or "")


def test_a_foul_that_has_just_been_named_is_agreed_to_by_no_tap_on_its_way(kept_table: KeptTable, page: Page) -> None:
    page.goto(f"{kept_table.address}/fouls")
    expect(page.locator("#who label").first).to_be_visible()
    page.clock.set_fixed_time(NOW)
    agree = page.locator("[data-press=agree]")
    with nothing_sent(page):
        kept_table.table.handle(NameFoul(seat=Seat.RIGHT, clause="7-03-01", by="seat 2", phone="another"))
        agree.tap()
    with page.expect_request("**/api/press"):
        agree.tap()


def test_a_control_that_has_come_is_tapped_though_the_clock_of_the_phone_was_set_back(chromium: Browser) -> None:
    with seated_phone(chromium, START, *GO_ROUND) as (live, page):
        live.happen(DrawReached())
        confirm = page.locator("[data-press=confirm]")
        expect(confirm).to_be_visible()
        page.clock.set_fixed_time(NOW - 3600)
        with page.expect_request("**/api/press", timeout=5_000):
            confirm.tap()


def test_what_somebody_counts_stays_while_something_else_is_heard_of(kept_table: KeptTable, page: Page) -> None:
    for each in ({"press": "riichi", "seat": 0}, {"press": "tsumo", "seat": 1}):
        kept_table.table.handle(read_press(each))
    han, fu = (page.locator("#ending select").nth(at) for at in range(2))
    han.select_option("3")
    fu.focus()
    kept_table.table.handle(NameSeats(names=("", "Ben", "", ""), by="owner"))
    expect(page.locator("#ending h2")).to_contain_text("Ben")
    expect(han).to_have_value("3")
    expect(fu).to_be_focused()
    kept_table.table.handle(read_press({"press": "cancel"}))
    expect(han).to_have_count(0)  # a page that is slow to hear shows only the latest state
    kept_table.table.handle(read_press({"press": "tsumo", "seat": 1}))
    expect(han).to_have_value("1")


def test_a_doubt_and_the_news_can_be_tapped_though_more_of_them_come(chromium: Browser) -> None:
    doubt, other = (
        Doubt(seat=Seat.NEAR, discard=at, tile="9p", alternatives=(("8p", 0.2),), tile_id=None) for at in range(2)
    )
    with seated_phone(chromium, START, RIICHI) as (live, page):
        live.publish(doubts=(doubt,))
        expect(page.locator("#news li")).not_to_have_count(0)
        first, line = page.locator("#doubts button").first, page.locator("#news li").last.element_handle()
        press_down(page, first)
        live.happen(StickPlaced(seat=Seat.NEAR))
        live.publish(doubts=(doubt, other))
        expect(page.locator("#doubts .more").first).to_be_visible()
        assert line.evaluate("line => line.isConnected")
        with page.expect_request("**/api/press"):
            page.mouse.up()


def test_an_answer_to_a_question_counts_for_no_other_one_that_takes_its_place(chromium: Browser) -> None:
    """Two people answer the same question: the next one comes to stand under the slower finger."""
    doubt, other = (
        Doubt(seat=Seat.NEAR, discard=at, tile="9p", alternatives=(("8p", 0.2),), tile_id=None) for at in range(2)
    )
    with seated_phone(chromium, START, RIICHI, now=NOW - 1) as (live, page):
        live.publish(doubts=(doubt, other))
        button = page.locator("#doubts button >> visible=true").first
        at = middle_of(button)
        page.clock.set_fixed_time(NOW)
        with nothing_sent(page):
            press_down(page, button)
            live.publish(doubts=(other,))
            expect(page.locator("#doubts > div")).to_have_count(1)
            page.mouse.up()
            page.touchscreen.tap(*at)
        with page.expect_request("**/api/press"):
            page.touchscreen.tap(*at)


def test_a_finger_that_stays_down_selects_no_text_and_holds_no_picture(page: Page) -> None:
    page.locator("#round").dblclick()
    assert page.evaluate("String(getSelection())") == ""
    middle = middle_of(page.locator(".lay:enabled img").first)
    tag = page.evaluate("([x, y]) => document.elementFromPoint(x, y).tagName", middle)
    assert tag == "BUTTON"


@pytest.mark.parametrize("screen", [(390, 844), (360, 640), (844, 390), (768, 1024)], ids=str)
def test_values_and_payments_that_come_late_move_no_control(
    chromium: Browser, kept_table: KeptTable, screen: tuple[int, int]
) -> None:
    """On a slow network, the finger is on its way to a player already."""
    with chromium.new_context(viewport={"width": screen[0], "height": screen[1]}) as context:
        page = sit(context.new_page(), kept_table, 0)
        rows = [page.locator(f"#{row}") for row in ("kinds", "winners", "loser", "riichi")]
        values, payments = HeldRequests(page, "**/api/values"), HeldRequests(page, "**/api/preview")
        press(page, "Win")
        expect(rows[0]).to_be_visible()
        places = places_of(*rows)
        values.let_through()
        expect(value(page, 3, 40)).to_be_visible()
        assert places_of(*rows) == places
        chip(page, "winners", "South").click()
        chip(page, "loser", "West").click()
        value(page, 3, 40).click()
        payments.wait()
        places = places_of(*rows, value(page, 3, 40))
        payments.let_through()
        expect(page.locator("#settle .confirm")).to_be_enabled()
        assert places_of(*rows, value(page, 3, 40)) == places


def test_the_value_of_a_hand_moves_no_key(page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    page.locator("#by-tiles").click()
    keys = page.locator("#hand .keys")
    for tile in READ[:-1]:
        keys.locator(f"[value='{tile}']").click()
    expect(page.locator("#hand [data-part=tiles] li")).to_have_count(len(READ) - 1)
    places = places_of(keys)
    keys.locator(f"[value='{READ[-1]}']").click()
    expect(page.locator("#hand .confirm")).to_be_enabled()
    assert places_of(keys) == places


def test_what_follows_from_an_answer_moves_no_question(kept_table: KeptTable, page: Page) -> None:
    page.goto(f"{kept_table.address}/fouls")
    page.locator("#who label", has_text="South").click()
    page.locator("#clauses button", has_text="one clearly late").click()
    expect(page.locator("#case")).to_be_visible()
    questions = page.locator("#asks fieldset").all()
    places = places_of(*questions)
    lines = page.locator("#case .follows li")
    before = lines.count()
    questions[0].get_by_role("button").first.click()
    expect(lines).not_to_have_count(before)
    assert places_of(*page.locator("#asks fieldset").all()) == places
