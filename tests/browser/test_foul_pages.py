"""Two phones and the panel decide fouls, and an owner chooses rules: a real table behind a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from table.dashboard import create_app, serve
from table.game.commands.command_reader import read_press
from table.game.commands.game_commands import DeclareResult, NameSeats, OpenGame
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table, TableLoop
from table.rulebook import rules_named
from table.rules.penalties.penalty_rules import Deciders
from table.rules.terms.seats import Seat
from table.runtime.clock import LogicalClock
from tests.browser.by_hand import KeptTable, declare
from tests.browser.screen_fit import faults, letters_of
from tests.browser.waiting import HeldRequests
from tests.fakes.desks import PIN
from tests.table.game.by_hand import win
from tests.table.game.dealing import DealingReferee
from vision.felt import Felt, FeltReport

pytestmark = pytest.mark.browser


@dataclass
class Hall:
    """A table at which a hand was dealt, its address, and phones that joined."""

    table: Table
    loop: TableLoop
    address: str
    phone: Callable[..., Page]

    @property
    def deciders(self) -> list[str]:
        """Who decided each foul of the hand."""
        hand = self.table.state.hand
        return [] if hand is None else [foul.by for foul in hand.fouls]


@pytest.fixture
def hall(chromium: Browser, tmp_path: Path) -> Iterator[Hall]:
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(None))
        table = Table(
            journal=journal, referee=DealingReferee(), ruleset=rules_named("home").ruleset, clock=LogicalClock()
        )
        table.report(FeltReport(frame=0, t_ns=0, changes=(), felt=Felt()))
        loop = stack.enter_context(TableLoop(table))
        stack.callback(table.board.close)
        port = stack.enter_context(serve(create_app(table.board, loop, rules=tmp_path), "127.0.0.1", 0))
        address = f"http://127.0.0.1:{port}"

        def phone(role: str = "seat", **form: str) -> Page:
            context = stack.enter_context(chromium.new_context(viewport={"width": 390, "height": 844}, locale="en-GB"))
            page = context.new_page()
            token = page.request.get(f"{address}/api/session").json()["token"]
            page.request.post(
                f"{address}/join", form={"role": role, "token": token, "again": form.get("pin", ""), **form}
            )
            return page

        yield Hall(table=table, loop=loop, address=address, phone=phone)


def choose(page: Page, seat: str, clause: str) -> None:
    page.locator("#who label", has_text=seat).click()
    page.locator("#clauses button", has_text=clause).click()
    expect(page.locator("#case")).to_be_visible()


@pytest.mark.parametrize("deciders", ["owner", "two"])
def test_a_chombo_takes_four_taps_from_the_tables_page(hall: Hall, deciders: Deciders) -> None:
    rules = replace(rules_named("home"), fouls_decided_by=deciders).ruleset
    hall.loop.handle(OpenGame(ruleset=rules))
    hall.loop.report(FeltReport(frame=1, t_ns=1, changes=(), felt=Felt()))
    page = hall.phone("owner", pin=PIN)
    page.goto(hall.address)
    taps = [
        page.locator("#fouls"),
        page.locator("#who label", has_text="South"),
        page.locator("#often button").first,
        page.locator("#name"),
    ]
    for tap in taps:
        tap.click()
    expect(page.locator("#logged > li .head b")).to_have_text("South: False win declaration (wrong ron or tsumo)")
    assert len(taps) <= 4


def test_two_phones_decide_a_foul_and_cancel_it_with_a_reason(hall: Hall) -> None:
    first, second = hall.phone(seat="1"), hall.phone(seat="2")
    for page in (first, second):
        page.goto(f"{hall.address}/fouls")
    choose(first, "South", "False win declaration")
    expect(first.locator("#case .follows")).to_contain_text("South has a dead hand")
    first.locator("#asks button", has_text="Yes").click()
    expect(first.locator("#case .payments")).to_contain_text("−8,000")
    first.locator("#name").click()
    expect(second.locator("#named h2")).to_have_text("South: False win declaration (wrong ron or tsumo)")
    expect(first.locator("#named [data-press=agree]")).to_be_disabled()
    assert hall.deciders == []
    second.locator("#named [data-press=agree]").click()
    expect(first.locator("#logged")).to_contain_text("decided by South, West")
    assert hall.deciders == ["seat 1, seat 2"]
    first.locator(".changes button", has_text="Cancel").click()
    first.locator("#why").fill("the hand was right")
    first.locator("#withdraw").click()
    second.locator("#named [data-press=agree]").click()
    expect(first.locator("#logged")).to_contain_text("Cancelled: the hand was right")
    assert hall.table.state.scores == (25000,) * 4


def test_what_changes_a_logged_foul_is_as_wide_as_a_finger_in_short_words_too(
    kept_table: KeptTable, page: Page
) -> None:
    kept_table.table.handle(read_press({"press": "foul", "seat": 1, "clause": "7-05-11"}))
    page.request.get(f"{kept_table.address}/language/zh-Hant", max_redirects=0)
    page.goto(f"{kept_table.address}/fouls")
    expect(page.locator("#logged .changes")).to_be_visible()
    assert faults(page) == []


def test_two_rule_sets_compared_fit_a_narrow_phone_in_letters_of_twice_the_size(
    kept_table: KeptTable, phone: Page
) -> None:
    phone.set_viewport_size({"width": 320, "height": 568})
    phone.goto(f"{kept_table.address}/rules?against=ema-2025")
    with letters_of(phone, 200):
        expect(phone.locator(".differs b")).to_be_visible()
        assert phone.evaluate("document.scrollingElement.scrollWidth") == 320


@pytest.mark.parametrize(("width", "size"), [(320, 100), (390, 200), (320, 200)])
def test_a_question_with_four_names_stays_within_its_sheet(
    kept_table: KeptTable, page: Page, width: int, size: int
) -> None:
    kept_table.table.handle(NameSeats(names=("Wilhelmina", "Bartholomew", "Cho", "Dana")))
    page.set_viewport_size({"width": width, "height": 640})
    page.goto(f"{kept_table.address}/fouls")
    with letters_of(page, size):
        choose(page, "Bartholomew", "Utterances that should have been simultaneous, one clearly late")
        expect(page.locator("#asks")).to_contain_text("Wilhelmina")
        assert page.locator("#case").evaluate("sheet => sheet.scrollWidth - sheet.clientWidth") == 0
        assert size > 100 or faults(page) == []


def test_an_open_sheet_says_what_follows_once_its_hand_is_over(kept_table: KeptTable, page: Page) -> None:
    page.goto(f"{kept_table.address}/fouls")
    choose(page, "South", "False win declaration")
    page.locator("#asks").get_by_role("button", name="No", exact=True).click()
    expect(page.locator("#case .follows")).to_contain_text("South has a dead hand")
    declare(kept_table, 0)
    expect(page.locator("#case .follows")).to_contain_text("The settled result stands")
    expect(page.locator("#case-who")).to_have_text("South")


def test_a_question_about_a_seat_keeps_the_winds_of_its_hand_once_the_next_one_begins(
    kept_table: KeptTable, page: Page
) -> None:
    page.goto(f"{kept_table.address}/fouls")
    choose(page, "South", "Utterances that should have been simultaneous, one clearly late")
    seats = page.locator("#asks fieldset", has_text="East").locator("button")
    expect(seats).to_have_text(["East", "South", "West", "North"])
    kept_table.table.handle(DeclareResult(hand=0, result=win(1, 3, 2)))
    expect(page.locator("#case .follows")).to_contain_text("The settled result stands")
    expect(seats).to_have_text(["East", "South", "West", "North"])


def test_what_the_panel_named_shows_on_phones_and_is_put_right_there(hall: Hall) -> None:
    page = hall.phone(seat="1")
    page.goto(hall.address)
    for press in ("foul_button", "foul_button"):
        hall.loop.handle(read_press({"press": press, "seat": 3}))
    expect(page.locator("#fouls")).to_have_class("waiting")
    page.locator("#fouls").click()
    expect(page.locator("#named h2")).to_contain_text("North: Wrong chi/pon/kan utterance")
    hall.loop.handle(read_press({"press": "table_button"}))
    expect(page.locator("#pot")).to_have_text("Pot: riichi sticks 0, penalty points 1,000")
    page.locator(".changes button", has_text="Correct").click()
    page.locator("#options summary").click()
    page.locator("#options label", has_text="Deposits 300").click()
    expect(page.locator("#case .follows")).to_contain_text("North puts 300 in the pot")
    page.locator("#name").click()
    expect(page.locator("#named")).to_be_visible()  # its texts alone could be those of the first vote
    expect(page.locator("#named [data-press=agree]")).to_have_text("All agree")
    hall.loop.handle(read_press({"press": "table_button"}))
    expect(page.locator("#pot")).to_have_text("Pot: riichi sticks 0, penalty points 300")
    expect(page.locator("#logged > li")).to_have_count(2)


def test_a_chombo_between_hands_that_nobody_watches_is_one_of_the_next_hand_or_of_the_one_it_is_asked_for(
    chromium: Browser,
) -> None:
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(None))
        table = Table(journal=journal, referee=Referee(), ruleset=rules_named("home").ruleset, clock=LogicalClock())
        loop = stack.enter_context(TableLoop(table))
        port = stack.enter_context(serve(create_app(table.board, loop), "127.0.0.1", 0))
        loop.handle(DeclareResult(result=win(1, 0, 3), hand=0))
        address = f"http://127.0.0.1:{port}"
        page = stack.enter_context(
            chromium.new_context(viewport={"width": 390, "height": 844}, locale="en-GB")
        ).new_page()
        token = page.request.get(f"{address}/api/session").json()["token"]
        page.request.post(f"{address}/join", form={"role": "seat", "seat": "1", "token": token})
        for path, place, pays in (("/fouls", "East 2", "East"), ("/hand/0", "East 1", "South")):
            page.goto(f"{address}{path}")
            if path != "/fouls":
                page.get_by_role("link", name="Fouls").click()
            expect(page.locator("#round")).to_have_text(place)
            choose(page, pays, "Too many tiles")
            expect(page.locator("#case-title")).to_contain_text("Too many tiles")
            page.locator("#name").click()
            expect(page.locator("#named")).to_be_visible()
            loop.handle(read_press({"press": "table_button"}))
            expect(page.locator("#logged > li .head small").first).to_have_text("East 2")
        assert table.state.live is not None
        assert [foul.seat for foul in table.state.live.fouls] == [Seat.RIGHT]
        assert [foul.seat for foul in table.state.history[0].fouls] == [Seat.RIGHT]


def test_an_owner_makes_a_set_of_the_house_and_plays_by_it(hall: Hall) -> None:
    page = hall.phone("owner", pin=PIN)
    page.goto(f"{hall.address}/rules?set=home")
    clause = page.locator("[data-clause='7-01']")
    clause.get_by_text("All options").click()
    clause.locator("input[value=f]").check()
    clause.locator("[data-option='7-01 f']").fill("3900")
    page.locator("#as").fill("friday")
    page.locator("#save button").click()
    page.wait_for_url("**/rules?set=friday&against=home")
    expect(page.locator("[data-clause='7-01'] .against")).to_contain_text("home: Pays mangan")
    expect(page.locator(".differs b")).to_have_text("Differences: 2")
    page.locator("#only").check()
    expect(page.locator("[data-clause='7-02']")).to_be_hidden()
    page.locator("#upload").set_input_files(
        {"name": "x.toml", "mimeType": "text/plain", "buffer": b'format = 1\nname = "x"\n[choices]\n"7-02" = "z"'}
    )
    expect(page.locator("#toast")).to_contain_text("Line 4 of the file is not understood")
    assert hall.table.board.latest.ruleset.name == "home"
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("#play").click()
    page.wait_for_url(f"{hall.address}/")
    assert hall.table.board.latest.ruleset.name == "friday"


def test_rules_of_play_are_changed_at_their_controls_and_clauses_are_found_by_a_word(hall: Hall) -> None:
    page = hall.phone("owner", pin=PIN)
    page.goto(f"{hall.address}/rules?set=home")
    page.locator("#find").fill("7-05-01")
    expect(page.locator("[data-clause='7-05-01']")).to_be_visible()
    expect(page.locator("[data-clause='7-02']")).to_be_hidden()
    page.locator("#find").fill("nothing at all")
    expect(page.locator("#no-match")).to_be_visible()
    start = page.locator("[data-play=starting_points]")
    start.fill("27000")
    start.blur()
    expect(page.locator("[data-play=oka]")).to_have_value("12000")
    page.locator("[data-play=tobi]").select_option("never")
    expect(page.locator("#save p")).to_have_text("2 changed, not saved yet")
    page.locator("#as").fill("friday")
    page.locator("#save button").click()
    page.wait_for_url("**/rules?set=friday&against=home")
    expect(page.locator("[data-play=oka]")).to_have_value("12000")
    expect(page.locator(".switches tbody tr").first).to_contain_text("Starting points")


def test_a_rule_that_is_changed_back_is_not_changed(hall: Hall) -> None:
    page = hall.phone("owner", pin=PIN)
    page.goto(f"{hall.address}/rules?set=home")
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    amount, setting = page.locator("[data-amount]").first, page.locator("[data-setting]").first
    points, chosen = amount.input_value(), setting.input_value()
    option = page.locator(".choices").first.locator("[type=radio]")
    checked = option.and_(page.locator(":checked")).get_attribute("value")
    amount.fill("12300")
    setting.select_option(index=0 if setting.evaluate("each => each.selectedIndex") else 1)
    option.and_(page.locator(":not(:checked)")).first.check()
    page.locator("[data-play=tobi]").select_option("never")
    expect(page.locator("#save p")).to_have_text("4 changed, not saved yet")
    amount.fill(points)
    setting.select_option(chosen)
    option.and_(page.locator(f"[value='{checked}']")).check()
    page.locator("[data-play=tobi]").select_option(page.locator("[data-play=tobi]").get_attribute("data-now"))
    expect(page.locator("#save")).to_be_hidden()
    expect(page.locator("#play")).to_be_enabled()


@pytest.mark.parametrize("points", ["", "150"], ids=["none", "no hundreds"])
def test_an_amount_that_cannot_be_is_shown_where_it_was_entered(hall: Hall, points: str) -> None:
    page = hall.phone("owner", pin=PIN)
    page.goto(f"{hall.address}/rules?set=home")
    clause = page.locator("article details", has=page.locator("[data-amount]")).first
    clause.locator("summary").click()
    clause.locator("[data-amount]").first.fill(points)
    clause.locator("summary").click()
    page.locator("#as").fill("friday")
    page.locator("#save button").click()
    expect(clause.locator("[data-amount]").first).to_be_focused()
    expect(page.locator("#toast")).to_have_text("")


@pytest.mark.parametrize(("oka", "count"), [("12000", 1), ("4000", 2)], ids=["that follows", "of one's own"])
def test_an_oka_that_a_browser_kept_is_the_one_that_was_there(hall: Hall, oka: str, count: int) -> None:
    page = hall.phone("owner", pin=PIN)
    page.goto(f"{hall.address}/rules?set=home")
    kept = {"starting_points": "27000", "oka": oka}
    page.evaluate(
        "(kept) => { for (const key in kept) document.querySelector(`[data-play=${key}]`).value = kept[key];"
        " dispatchEvent(new PageTransitionEvent('pageshow')) }",
        kept,
    )
    expect(page.locator("[data-play=oka]")).to_have_value(oka)
    expect(page.locator("#save p")).to_have_text(f"{count} changed, not saved yet")


def test_the_sheet_of_a_foul_follows_a_change_of_rules(hall: Hall) -> None:
    page = hall.phone(seat="1")
    page.goto(f"{hall.address}/fouls")
    choose(page, "South", "False win declaration")
    stale = page.locator("#case[open] .follows", has_text="South has a dead hand")
    expect(stale).to_have_count(1)
    hall.loop.send(OpenGame(ruleset=rules_named("jpml-a").ruleset)).result()
    hall.loop.report(FeltReport(frame=1, t_ns=1, changes=(), felt=Felt()))
    expect(stale).to_have_count(0)


@pytest.mark.parametrize(
    ("hands", "rules"), [([], "home"), ([0], "ema-2025")], ids=["the same rules", "other rules after a hand"]
)
def test_a_foul_of_the_game_before_is_not_named_in_the_next_one(
    page: Page, kept_table: KeptTable, hands: list[int], rules: str
) -> None:
    declare(kept_table, *hands)
    page.goto(f"{kept_table.address}/fouls")
    choose(page, "South", "False win declaration")
    kept_table.table.handle(OpenGame(ruleset=rules_named(rules).ruleset))
    expect(page.locator("#case")).to_be_hidden()
    expect(page.locator("#toast")).to_have_text("Another hand is being played: what was being entered is closed.")
    expect(page.locator("#what")).to_be_hidden()


def test_a_foul_considered_before_a_phone_slept_through_a_whole_game_is_not_named_in_the_next_one(
    page: Page, kept_table: KeptTable
) -> None:
    page.clock.set_fixed_time(1_800_000_000)
    page.goto(f"{kept_table.address}/fouls")
    choose(page, "South", "False win declaration")
    expect(page.locator("#case")).to_be_visible()
    page.clock.set_fixed_time(1_800_003_600)
    kept_table.table.handle(OpenGame(ruleset=rules_named("m-league").ruleset))
    expect(page.locator("#case")).to_be_hidden()
    expect(page.locator("#toast")).to_have_text("Another hand is being played: what was being entered is closed.")


def test_the_sheet_of_a_foul_says_who_sits_there_now(page: Page, kept_table: KeptTable) -> None:
    kept_table.table.handle(NameSeats(names=("Anna", "Ben", "Cho", "Dana")))
    page.goto(f"{kept_table.address}/fouls")
    choose(page, "Ben", "False win declaration")
    expect(page.locator("#case-who")).to_have_text("Ben")
    page.locator("#asks").get_by_role("button", name="No", exact=True).click()  # nothing sees it
    expect(page.locator("#case .follows")).to_contain_text("Ben")
    kept_table.table.handle(NameSeats(names=("Anna", "Emil", "Cho", "Dana")))
    expect(page.locator("#case-who")).to_have_text("Emil")
    expect(page.locator("#case .follows")).to_contain_text("Emil")
    expect(page.locator("#name")).to_be_enabled()


def test_every_other_ruling_of_a_foul_is_large_enough_for_a_finger(page: Page, kept_table: KeptTable) -> None:
    page.set_viewport_size({"width": 568, "height": 844})
    page.goto(f"{kept_table.address}/fouls")
    choose(page, "South", "Too many tiles")
    page.locator("#options summary").click()
    expect(page.locator("#options label").first).to_be_visible()
    assert faults(page) == []


def test_a_logged_foul_is_no_wider_than_a_narrow_phone(page: Page, kept_table: KeptTable) -> None:
    kept_table.table.handle(NameSeats(names=("Anna", "Ben", "Cho", "Donaudampfschifffahrtska")))
    foul = {"press": "foul", "seat": 3, "clause": "7-04-01", "option": "a", "reason": "m" * 60}
    kept_table.table.handle(read_press(foul))
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"{kept_table.address}/fouls")
    expect(page.locator("#logged")).to_contain_text("m" * 60)
    assert faults(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.locator(".bar").evaluate("bar => bar.offsetHeight") < 60, "the bar has one line"


def test_enter_sends_what_was_written_about_a_foul(page: Page, kept_table: KeptTable) -> None:
    page.goto(f"{kept_table.address}/fouls")
    choose(page, "South", "False win declaration")
    page.locator("#note").fill("west saw it")
    page.locator("#note").press("Enter")
    expect(page.locator("#named h2")).to_have_text("South: False win declaration (wrong ron or tsumo)")
    page.locator("#named [data-press=drop]").click()
    expect(page.locator("#named")).to_be_hidden()
    kept_table.table.handle(read_press({"press": "foul", "seat": 1, "clause": "7-04-01", "option": "a"}))
    page.locator("#logged .changes button", has_text="Cancel").click()
    page.locator("#why").fill("the hand was right")
    page.locator("#why").press("Enter")
    expect(page.locator("#named h2")).to_have_text("South: Cancel: Too many tiles (tahai, 多牌)")


def test_the_cancellation_of_a_foul_is_left_without_a_reason(page: Page, kept_table: KeptTable) -> None:
    kept_table.table.handle(read_press({"press": "foul", "seat": 1, "clause": "7-04-01", "option": "a"}))
    page.goto(f"{kept_table.address}/fouls")
    page.locator("#logged .changes button", has_text="Cancel").click()
    page.locator("#reason").get_by_role("button", name="Close").click()
    expect(page.locator("#reason")).to_be_hidden()


def test_a_foul_that_is_no_longer_put_right_is_not_replaced_by_the_next_one(page: Page, kept_table: KeptTable) -> None:
    kept_table.table.handle(read_press({"press": "foul", "seat": 1, "clause": "7-04-01", "option": "a"}))
    page.goto(f"{kept_table.address}/fouls")
    page.locator("#logged .changes button").first.click()
    expect(page.locator("#case")).to_be_visible()
    page.locator("#case").get_by_role("button", name="Close").click()
    choose(page, "South", "False win declaration")
    with page.expect_request("**/api/press") as sent:
        page.locator("#name").click()
    assert '"clause":' in (sent.value.post_data or "")
    assert '"foul":' not in (sent.value.post_data or "")


def test_a_refusal_after_the_sheet_of_a_foul_was_closed_is_told(page: Page, kept_table: KeptTable) -> None:
    page.goto(f"{kept_table.address}/fouls")
    choose(page, "South", "False win declaration")
    press = HeldRequests(page, "**/api/press")
    page.locator("#name").click()
    page.locator("#case").get_by_role("button", name="Close").click()
    press.refuse("No.")
    expect(page.get_by_role("alert")).to_have_text("No.")
    expect(page.locator("#case")).to_be_hidden()


def test_a_field_of_the_rules_is_not_behind_what_saves_them(hall: Hall) -> None:
    page = hall.phone("owner", pin=PIN)
    page.set_viewport_size({"width": 390, "height": 420})  # over a keyboard
    page.goto(f"{hall.address}/rules?set=home")
    page.locator("[data-play=tobi]").select_option("never")
    save = page.locator("#save").bounding_box()
    page.evaluate("() => scrollTo(0, 0)")
    page.locator("[data-setting]").first.evaluate("field => field.scrollIntoView({ block: 'nearest' })")
    field = page.locator("[data-setting]").first.bounding_box()
    assert save is not None
    assert field is not None
    assert field["y"] + field["height"] <= save["y"]


def test_a_name_from_right_to_left_is_cut_at_its_end(kept_table: KeptTable, page: Page) -> None:
    kept_table.table.handle(NameSeats(names=("عبدالرحمن بن محمد", "", "", ""), by="owner"))
    page.goto(f"{kept_table.address}/fouls")
    name = page.locator("#who b").first
    expect(name).to_contain_text("عبدالرحمن")
    expect(name).to_have_css("direction", "rtl")
