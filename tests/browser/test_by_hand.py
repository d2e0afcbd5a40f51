"""A game kept by hand on real phones: told in few taps, taken back, edited, by several phones at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urljoin

import cv2
import numpy as np
import pytest
from playwright.sync_api import FilePayload, Locator, Page, Route, expect

from table.camera.phone_photos import Face
from table.dashboard import create_app, serve
from table.game.commands.command_reader import read_press, read_result
from table.game.commands.game_commands import (
    AdjustPoints,
    CallTime,
    Command,
    DeclareResult,
    EndGame,
    NameSeats,
    OpenGame,
)
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table, TableLoop
from table.rulebook import rules_named
from table.runtime.clock import LogicalClock
from tests.browser.by_hand import READ, KeptTable, chip, confirm, declare, draw_with_nobody_tenpai, press, sit, value
from tests.browser.screen_fit import faults, letters_of
from tests.browser.waiting import HeldRequests, press_enter

pytestmark = pytest.mark.browser
ENDS_WITH_SAN = """name => {
  const [person, san] = [...name.children].map((part) => part.getBoundingClientRect());
  const isWhole = san.right <= name.getBoundingClientRect().right + 1;
  return name.innerText.endsWith("さん") && san.left >= person.right - 1 && isWhole;
}"""
"""Whether a name is followed by the whole of "さん", as it is read."""


def score(page: Page, place: int) -> Locator:
    return page.locator(".card").nth(place).locator(".score")


def test_a_normal_win_takes_four_taps(page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    value(page, 3, 40).click()
    expect(page.locator("#preview .delta")).to_have_text(["+7,700", "0", "−7,700", "0"])
    confirm(page)
    expect(score(page, 0)).to_have_text("32,700")
    expect(page.locator("#round")).to_have_text("East 1")
    expect(page.locator("#honba")).to_have_text("1")


def test_an_open_sheet_says_that_a_foul_ends_its_hand(kept_table: KeptTable, page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    value(page, 3, 40).click()
    expect(page.locator("#preview .delta").first).to_have_text("+7,700")
    kept_table.table.handle(read_press({"press": "foul", "seat": 1, "clause": "7-04-01", "option": "a"}))
    expect(page.locator("#preview p")).to_have_text("A foul ends this hand: confirm that, or cancel the foul first.")


@pytest.mark.parametrize(
    "command",
    [
        read_press({"press": "foul", "seat": 1, "clause": "7-05-11"}),
        AdjustPoints(points=(-1000, 1000, 0, 0), hand=0, why="a test"),
        CallTime(),
    ],
    ids=["a deposit", "adjusted points", "the last hand"],
)
def test_an_open_sheet_follows_whatever_changes_its_payments(
    kept_table: KeptTable, page: Page, command: Command
) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    value(page, 3, 40).click()
    expect(page.locator("#preview .delta").first).to_have_text("+7,700")
    with page.expect_response("**/api/preview"):
        kept_table.table.handle(command)
    confirm(page)


def test_an_open_sheet_says_what_another_phone_has_entered_meanwhile(kept_table: KeptTable, page: Page) -> None:
    press(page, "Win")
    kept_table.table.handle(read_press({"press": "riichi", "seat": 2}))
    line = page.locator("#preview p")
    kept_table.table.handle(read_press({"press": "tsumo", "seat": 1}))
    expect(line).to_have_text("Entered meanwhile: South wins by tsumo")
    chip(page, "loser", "West").click()
    value(page, 3, 40).click()
    expect(page.locator("#settle .confirm")).to_be_enabled()
    expect(line).to_contain_text("Entered meanwhile: South wins by tsumo")
    kept_table.table.handle(read_press({"press": "cancel"}))
    expect(line).not_to_contain_text("meanwhile")
    page.locator("#settle-close").click()


def test_a_hand_being_entered_tile_by_tile_says_that_another_phone_has_settled_it(
    kept_table: KeptTable, page: Page
) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    page.locator("#by-tiles").click()
    expect(page.locator("#hand")).to_be_visible()
    declare(kept_table, 0)
    expect(page.locator("#hand #toast")).to_have_text("Another phone has settled this hand: close this sheet.")


def test_another_s_drawn_win_takes_four_taps_too(page: Page) -> None:
    page.locator(".card").nth(2).click()
    chip(page, "loser", "Tsumo").click()
    value(page, 3, 30).click()
    expect(page.locator("#preview .paid")).to_have_text(["2,000", "1,000", "1,000"])
    confirm(page)
    expect(score(page, 2)).to_have_text("29,000")
    expect(page.locator("#round")).to_have_text("East 2")


def test_a_win_is_settled_with_no_finger_at_all(page: Page) -> None:
    press_enter(page.locator(".actions .kept").get_by_role("button", name="Win"))
    expect(page.locator("#settle")).to_be_visible()
    chip(page, "loser", "West").locator("input").focus()
    page.keyboard.press("Space")
    press_enter(value(page, 3, 40))
    expect(value(page, 3, 40)).to_have_attribute("aria-pressed", "true")
    press_enter(page.locator("#settle .confirm"))
    expect(page.locator("#settle")).to_be_hidden()
    expect(score(page, 0)).to_have_text("32,700")


def test_arrow_keys_lead_to_every_seat_and_only_enter_or_space_opens_its_sheet(page: Page) -> None:
    first = page.get_by_role("radio", name="East 25,000", exact=True)
    first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="West 25,000", exact=True)).to_be_focused()
    expect(page.locator("#settle")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(chip(page, "winners", "West").locator("input")).to_be_checked()


def test_riichi_by_button_is_charged_at_once_and_filled_in(page: Page) -> None:
    page.get_by_role("button", name="Riichi: South").click()
    expect(score(page, 1)).to_have_text("24,000")
    expect(page.locator("#deposits")).to_have_text("1")
    press(page, "Draw")
    expect(chip(page, "riichi", "South").locator("input")).to_be_checked()
    expect(chip(page, "tenpai", "South").locator("input")).to_be_checked()
    confirm(page)
    expect(score(page, 1)).to_have_text("27,000")


def test_what_cannot_be_is_refused_with_the_reason(page: Page) -> None:
    page.get_by_role("button", name="Riichi: South").click()
    expect(score(page, 1)).to_have_text("24,000")
    press(page, "Draw")
    chip(page, "tenpai", "Nobody").click()
    expect(page.locator("#preview p")).to_contain_text("Noten riichi is a foul")
    expect(page.locator("#settle .confirm")).to_be_disabled()


def test_the_head_of_a_row_has_its_place_beside_nobody_in_safari_too(page: Page) -> None:
    """Safari gives a legend no place in a grid: "Nobody" took the place of the fourth player."""
    press(page, "Draw")
    row = page.get_by_role("group", name="Tenpai", exact=True)
    expect(row.locator(".nobody")).to_be_visible()
    assert row.evaluate("row => row.firstElementChild.tagName") == "DIV"
    tops = [each.evaluate("node => node.getBoundingClientRect().top") for each in row.locator("label").all()]
    assert len(set(tops[:4])) == 1
    assert tops[4] < tops[0]


def test_two_rons_on_one_tile(page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "North").click()
    value(page, 2, 30).click()
    chip(page, "winners", "South").click()
    value(page, 1, 30).click()
    expect(page.locator("#whose button")).to_have_text(["East2,900", "South1,000"])
    expect(page.locator("#preview .delta")).to_have_text(["+2,900", "+1,000", "0", "−3,900"])
    confirm(page)
    expect(score(page, 3)).to_have_text("21,100")
    note = page.locator("#sheet .note td")
    expect(note).to_contain_text("Seat 1: 2 han 30 fu · Seat 2: 1 han 30 fu")


def test_with_two_winners_a_mangan_is_seen_and_tapped_without_scrolling(page: Page) -> None:
    for width, height in ((390, 844), (360, 780)):
        page.set_viewport_size({"width": width, "height": height})
        press(page, "Win")
        chip(page, "loser", "North").click()
        chip(page, "winners", "South").click()
        chip(page, "winners", "East").click()  # the seat that was offered gave way
        expect(page.locator("#whose button")).to_have_count(2)
        mangan = page.locator("#values").get_by_role("button", name="Mangan")
        box, foot = mangan.bounding_box(), page.locator("#settle .foot").bounding_box()
        assert box is not None
        assert foot is not None
        assert box["y"] + box["height"] <= foot["y"]
        page.locator("#settle-close").click()


def test_a_yakuman_that_somebody_is_liable_for(page: Page) -> None:
    page.locator(".card").nth(1).click()
    chip(page, "loser", "West").click()
    page.locator("#values").get_by_role("button", name="Yakuman").click()
    page.get_by_label("Who is liable?").select_option("North")
    expect(page.locator("#preview .delta")).to_have_text(["0", "+32,000", "−16,000", "−16,000"])
    chip(page, "winners", "East").click()  # a second winner is liable to nobody, and changes nothing for the first
    value(page, 1, 30).click()
    expect(page.get_by_label("Who is liable?")).to_be_hidden()
    expect(page.locator("#preview .delta")).to_have_text(["+1,500", "+32,000", "−17,500", "−16,000"])
    page.locator("#whose button", has_text="South").click()
    expect(page.get_by_label("Who is liable?").locator("option:checked")).to_have_text("North")


def test_letters_of_twice_the_size_leave_a_name_its_lines_below_the_wind(kept_table: KeptTable, page: Page) -> None:
    kept_table.table.handle(NameSeats(names=("Jörg-Ulrich", "Karl-Heinz", "", "")))
    page.set_viewport_size({"width": 320, "height": 568})
    names = page.locator(".who", has_text="-")
    expect(names).to_have_text(["Jörg-Ulrich", "Karl-Heinz"])
    with letters_of(page, 200):
        assert names.evaluate_all("all => all.every((each) => each.scrollHeight <= each.clientHeight + 1)")
        for each in ({"press": "riichi", "seat": 0}, {"press": "tsumo", "seat": 1, "han": 3, "fu": 30}):
            kept_table.table.handle(read_press(each))
        expect(page.locator("#ending .payments b")).to_have_count(4)
        assert faults(page) == []


def test_the_head_of_a_row_is_read_with_its_honba_apart(page: Page) -> None:
    for _ in range(2):
        press(page, "Draw")
        chip(page, "tenpai", "East").click()
        confirm(page)
    expect(page.locator("#sheet th").first).to_have_text("E1-1")


def test_four_sticks_on_the_table_choose_the_abort_that_they_end_the_hand_by(kept_table: KeptTable, page: Page) -> None:
    for seat in range(4):
        kept_table.table.handle(read_press({"press": "riichi", "seat": seat}))
    expect(page.locator(".lay:disabled")).to_have_count(4)
    press(page, "Abortive draw")
    expect(chip(page, "aborts", "Four riichi").locator("input")).to_be_checked()
    confirm(page)
    expect(page.locator("#deposits")).to_have_text("4")


def test_who_only_watches_sees_whose_riichi_stick_lies(kept_table: KeptTable, phone: Page) -> None:
    kept_table.table.handle(read_press({"press": "riichi", "seat": 1}))
    for path in ("", "wall"):
        phone.goto(f"{kept_table.address}/{path}")
        expect(phone.locator(".badges em:visible")).to_have_text(["Riichi"])


def test_an_abort_keeps_the_deal(page: Page) -> None:
    press(page, "Abortive draw")
    chip(page, "aborts", "nine terminals").click()
    confirm(page)
    expect(page.locator("#honba")).to_have_text("1")


def test_a_chombo_is_shown_with_its_payments_and_confirmed(kept_table: KeptTable, page: Page) -> None:
    foul = {"press": "foul", "seat": 1, "clause": "7-05-01", "facts": ["offender_opened_hand"]}
    kept_table.table.handle(read_press(foul))
    expect(page.locator("#ending")).to_contain_text("Penalty: chombo")
    expect(page.locator("#ending .payments b")).to_have_text(["+4,000", "−8,000", "+2,000", "+2,000"])
    page.locator(".actions .watched").get_by_role("button", name="Confirm").click()
    expect(score(page, 1)).to_have_text("17,000")
    expect(page.locator(".actions .kept")).to_be_visible()


def test_undo_redo_and_a_reload_in_between(page: Page) -> None:
    draw_with_nobody_tenpai(page)
    confirm(page)
    expect(page.locator("#round")).to_have_text("East 2")
    page.get_by_role("button", name="Undo: result").click()
    expect(page.locator("#round")).to_have_text("East 1")
    page.reload()
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("#round")).to_have_text("East 2")


def test_an_earlier_hand_is_edited_with_its_reason(kept_table: KeptTable, page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    value(page, 3, 40).click()
    confirm(page)
    draw_with_nobody_tenpai(page)
    confirm(page)
    page.get_by_role("button", name="Edit this hand: E1", exact=True).click()
    expect(value(page, 3, 40)).to_have_attribute("aria-pressed", "true")
    expect(value(page, 3, 40)).to_be_in_viewport(ratio=1)
    value(page, 2, 40).click()
    page.get_by_label("Reason", exact=True).fill("one dora too many")
    expect(page.locator("#settle .moved")).to_have_text("West −3,900 → East +3,900")
    expect(page.locator("#later li").first).to_have_text("East32,70028,900")
    confirm(page)
    expect(score(page, 0)).to_have_text("28,900")
    change = kept_table.table.board.latest.changes.all[-1]
    assert (change.by, change.reason) == ("seat 0", "one dora too many")


def test_the_correction_of_a_hand_begins_with_who_was_liable_and_with_nagashi_mangan(
    kept_table: KeptTable, page: Page
) -> None:
    win = {"seat": 1, "from": 0, "yakuman": 1, "yaku": [["big_three_dragons", 13]], "pao": {"big_three_dragons": 3}}
    for result in ({"kind": "ron", "wins": [win]}, {"kind": "draw", "nagashi": [2]}):
        kept_table.table.handle(DeclareResult(result=read_result(result), hand=kept_table.table.folded_game.hand))
    scores = kept_table.table.state.scores
    for number, name in enumerate(("E1", "E2")):
        page.get_by_role("button", name=f"Edit this hand: {name}", exact=True).click()
        page.get_by_label("Reason", exact=True).fill("as it was")
        confirm(page)
        expect(page.locator("#settle")).to_be_hidden()
        assert kept_table.table.state.scores == scores, number


def test_what_another_phone_changed_since_the_preview_is_shown_before_it_is_paid(
    kept_table: KeptTable, page: Page
) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    value(page, 3, 40).click()
    expect(page.locator("#settle .confirm")).to_be_enabled()
    expect(page.locator("#preview .delta")).to_have_text(["+7,700", "0", "−7,700", "0"])
    held_confirms = HeldRequests(page, "**/api/tell")
    page.locator("#settle .confirm").click()
    held_confirms.wait()
    kept_table.table.handle(read_press({"press": "foul", "seat": 1, "clause": "7-05-11"}))
    expect(score(page, 1)).to_have_text("24,000")
    held_confirms.let_through()
    expect(page.locator("#preview p")).to_have_text("The payments have changed: look again, then confirm.")
    expect(page.locator("#preview .delta").first).to_be_visible()
    expect(page.locator("#settle .confirm")).to_be_enabled()
    assert not kept_table.table.state.history
    confirm(page)
    expect(score(page, 1)).to_have_text("24,000")


def test_spectators_see_everything_and_press_nothing(kept_table: KeptTable, phone: Page) -> None:
    phone.goto(kept_table.address)
    expect(phone.locator("body[data-version]")).to_be_attached()
    expect(phone.locator("[data-settle], [data-press], .lay, #undo")).to_have_count(0)
    phone.get_by_role("link", name="Join the table").click()
    expect(phone.locator(".sitting button")).to_have_count(4)


def enter_by_tiles(page: Page) -> Locator:
    """The keyboard of tiles, opened for a drawn win of this phone's seat."""
    press(page, "Win")
    chip(page, "loser", "Tsumo").click()
    page.get_by_role("button", name="By tiles").click()
    return page.locator("#hand")


def test_a_hand_is_entered_tile_by_tile_and_explained(page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    page.get_by_role("button", name="By tiles").click()
    keyboard = page.locator("#hand")
    for face in READ:
        keyboard.locator(f".keys [value='{face}']").click()
    expect(keyboard.locator(".value")).to_have_text("2 han 30 fu · 2,900 points")
    expect(keyboard.locator(".yaku li")).to_have_count(2)
    expect(keyboard.locator(".fu")).not_to_be_empty()
    keyboard.get_by_role("button", name="Take this value").click()
    expect(value(page, 2, 30)).to_have_attribute("aria-pressed", "true")
    confirm(page)
    expect(page.locator("#sheet .note").first).to_contain_text("2 han 30 fu: Pinfu 1")
    page.goto(urljoin(page.url, "/hand/0"))
    expect(page.locator("#on")).to_be_enabled()  # once the hand is there
    while page.locator("#on").is_enabled():
        page.locator("#on").click()
    expect(page.locator("#ending .hand .tile")).to_have_count(len(READ))


def test_the_bar_of_a_replay_is_as_wide_as_a_wide_page(page: Page) -> None:
    draw_with_nobody_tenpai(page)
    confirm(page)
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto(urljoin(page.url, "/hand/0"))
    expect(page.locator("#on")).to_be_enabled()
    assert page.locator(".replay-bar").evaluate("bar => bar.offsetWidth") == 844


def test_an_open_hand_entered_tile_by_tile_lies_with_its_melds_in_the_replay(page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    page.get_by_role("button", name="By tiles").click()
    keyboard = page.locator("#hand")
    keyboard.locator(".slots label", has_text="Melds").click()
    for face in ("3p", "5z"):
        keyboard.locator(f".keys [value='{face}']").click()
    keyboard.locator(".slots label", has_text="Hand").click()
    for face in ("1s", "1s", "1s", "6m", "6m", "7m", "8m", "9m"):
        keyboard.locator(f".keys [value='{face}']").click()
    keyboard.get_by_role("button", name="Take this value").click()
    confirm(page)
    page.goto(urljoin(page.url, "/hand/0"))
    expect(page.locator("#on")).to_be_enabled()  # once the hand is there
    while page.locator("#on").is_enabled():
        page.locator("#on").click()
    expect(page.locator("#ending .hand .tile")).to_have_count(8)
    expect(page.locator(".melds .meld")).to_have_count(2)
    expect(page.locator(".melds .meld .sideways")).to_have_count(0)


def photo() -> FilePayload:
    data = cv2.imencode(".jpg", np.full((48, 64, 3), 128, np.uint8))[1].tobytes()
    return {"name": "hand.jpg", "mimeType": "image/jpeg", "buffer": data}


@pytest.fixture
def reading_page(phone: Page) -> Iterator[Page]:
    """The page of a seat at a table that reads the same hand in every photo."""
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(None))
        table = Table(journal=journal, referee=Referee(), ruleset=rules_named("home").ruleset, clock=LogicalClock())
        loop = stack.enter_context(TableLoop(table))
        app = create_app(table.board, loop, faces=lambda data: [Face(tile=tile, score=0.97) for tile in READ])
        port = stack.enter_context(serve(app, port=0))
        yield sit(phone, KeptTable(table=table, address=f"http://127.0.0.1:{port}"), 0)


def test_a_photo_of_the_hand_comes_first_and_asks_from_whom(reading_page: Page) -> None:
    press(reading_page, "Win")
    reading_page.locator("#photo-first").set_input_files(photo())
    keyboard = reading_page.locator("#hand")
    expect(keyboard.locator("[data-part=tiles] li")).to_have_count(14)
    expect(keyboard.locator(".value")).to_have_text("Who dealt in?")
    chip(reading_page, "hand-from", "West").click()
    expect(keyboard.locator(".value")).to_have_text("2 han 30 fu · 2,900 points")
    keyboard.get_by_role("button", name="Take this value").click()
    confirm(reading_page)
    expect(score(reading_page, 0)).to_have_text("27,900")


def test_a_picture_that_this_browser_cannot_decode_is_left_to_the_table_to_read(reading_page: Page) -> None:
    press(reading_page, "Win")
    chip(reading_page, "loser", "Tsumo").click()
    reading_page.get_by_role("button", name="By tiles").click()
    keyboard = reading_page.locator("#hand")
    expect(keyboard.locator("#hand-from")).to_be_hidden()
    reading_page.locator("#photo").set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"})
    expect(keyboard.locator("[data-part=tiles] li")).to_have_count(14)
    expect(keyboard.locator(".value")).to_contain_text("3 han 20 fu")


def test_a_tapped_tile_leaves_the_hand_again(page: Page) -> None:
    keyboard = enter_by_tiles(page)
    keyboard.locator(".keys [value='5z']").click()
    expect(keyboard.locator("[data-part=tiles] li")).to_have_count(1)
    keyboard.locator("[data-part=tiles] button").click()
    expect(keyboard.locator("[data-part=tiles] li")).to_have_count(0)
    expect(keyboard.locator(".value")).to_have_text("0 / 14")


def test_tiles_stay_when_their_part_is_tapped_or_the_keyboard_is_closed(page: Page) -> None:
    keyboard = enter_by_tiles(page)
    keyboard.locator(".keys [value='1p']").click()
    keyboard.locator(".slots label", has_text="Melds").click()
    keyboard.locator(".keys [value='8m']").click()
    expect(keyboard.locator(".value")).to_have_text("A chi is entered by its lowest tile.")
    keyboard.locator(".keys [value='5z']").click()
    expect(keyboard.locator("[data-part=melds] li")).to_have_count(3)
    keyboard.locator(".keys [value='5z']").click()
    expect(keyboard.locator(".value")).to_have_text("There are only four of each tile.")
    keyboard.locator("[data-part=tiles] button").click()
    expect(keyboard.locator("[name=part][value=tiles]")).to_be_checked()
    page.locator("#hand-close").click()
    page.get_by_role("button", name="By tiles").click()
    expect(keyboard.locator("[data-part=tiles] li")).to_have_count(1)
    expect(keyboard.locator("[data-part=melds] li")).to_have_count(3)


def test_a_finished_hand_is_watched_again(page: Page) -> None:
    page.get_by_role("button", name="Riichi: South").click()
    press(page, "Draw")
    confirm(page)
    page.get_by_role("link", name="Watch this hand again").click()
    expect(page.locator("body[data-version]")).to_be_attached()
    expect(page.locator(".side[data-seat='1'] .stick")).to_be_hidden()
    page.get_by_role("button", name="One step on").click()
    expect(page.locator(".side[data-seat='1'] .stick")).to_be_visible()
    expect(page.locator("#news")).to_contain_text("South’s riichi stands")
    expect(page.get_by_role("log")).to_have_text("South’s riichi stands: 1,000 points in the pot.")


def test_a_column_of_values_scrolls_under_the_head_of_the_rows_with_its_own_head(page: Page) -> None:
    press(page, "Win")
    expect(value(page, 3, 40)).to_be_visible()
    page.locator("#values .grid").evaluate("grid => { grid.scrollLeft = 60; }")
    corner, first_row = (page.locator(f"#values {part} th").first.bounding_box() for part in ("thead", "tbody"))
    assert corner is not None
    assert first_row is not None
    assert corner["x"] == first_row["x"]


def test_penalty_points_in_the_pot_are_written_like_other_points_with_their_name_on_one_line(
    kept_table: KeptTable, page: Page
) -> None:
    kept_table.table.handle(read_press({"press": "foul", "seat": 1, "clause": "7-05-11"}))
    page.set_viewport_size({"width": 360, "height": 640})
    page.request.get(f"{kept_table.address}/language/ja", max_redirects=0)
    page.reload()
    expect(page.locator("#penalties dd")).to_have_text("+1,000")
    name = page.locator("#penalties dt")
    assert name.evaluate("name => name.offsetHeight < 2 * parseFloat(getComputedStyle(name).fontSize)")


def test_san_follows_an_arabic_name_where_points_are_listed(kept_table: KeptTable, page: Page) -> None:
    declare(kept_table, 0)
    kept_table.table.handle(NameSeats(names=("محمد علي عبد الرحمن", "Ben", "", ""), by="owner"))
    page.set_viewport_size({"width": 360, "height": 640})
    page.request.get(f"{kept_table.address}/language/ja", max_redirects=0)
    page.reload()
    page.locator("#sheet button.edit").click()
    value(page, 1, 30).click()
    expect(page.locator("#later li").first).to_be_visible()
    assert page.locator("#later li span").first.evaluate(ENDS_WITH_SAN)
    page.goto(f"{kept_table.address}/fouls")
    page.locator("#who label", has_text="Ben").click()
    page.locator("#often button").first.click()
    page.locator("#asks button").first.click()
    expect(page.locator("#case .payments li").first).to_be_visible()
    assert page.locator("#case .payments span").first.evaluate(ENDS_WITH_SAN)
    person = page.locator("#case .payments bdi")
    expect(person).to_have_css("direction", "rtl")
    assert person.evaluate("name => name.scrollWidth > name.clientWidth"), "too long, so that it is cut, at its end"
    page.request.get(f"{kept_table.address}/language/en", max_redirects=0)
    page.goto(f"{kept_table.address}/fouls")
    page.locator("#who label", has_text="Ben").click()
    page.locator("#often button").first.click()
    page.locator("#asks button").first.click()
    expect(page.locator("#case .payments bdi")).to_have_css("direction", "rtl")  # a long one is cut at its end


@pytest.mark.parametrize("path", ["game", "moments"])
def test_a_name_of_one_long_word_stays_within_its_list_in_letters_of_twice_the_size(
    kept_table: KeptTable, page: Page, path: str
) -> None:
    kept_table.table.handle(NameSeats(names=("Wolfeschlegelsteinhausen", "", "", "")))
    declare(kept_table, 0)
    kept_table.table.handle(read_press({"press": "riichi", "seat": 0}))
    page.goto(f"{kept_table.address}/{path}")
    expect(page.locator(".changes")).to_contain_text("Wolfeschlegelsteinhausen")
    with letters_of(page, 200):
        assert faults(page) == []


def test_nobody_misses_the_links_of_a_game_that_ended_without_an_owner(kept_table: KeptTable, page: Page) -> None:
    page.request.get(f"{kept_table.address}/language/ja", max_redirects=0)
    kept_table.table.handle(EndGame())
    page.reload()
    expect(page.locator("#final .hint a")).to_be_visible()
    assert faults(page) == []


def test_confirm_stays_ready_while_the_grid_of_values_is_still_on_its_way(page: Page) -> None:
    held_requests = HeldRequests(page, "**/api/values")
    draw_with_nobody_tenpai(page)
    expect(page.locator("#settle .confirm")).to_be_enabled()
    page.evaluate("""() => {
        const watch = new MutationObserver(() => { window.wentOff = true; });
        watch.observe(document.querySelector("#settle .confirm"), { attributes: true });
    }""")
    with page.expect_response("**/api/values"):
        held_requests.let_through()
    page.evaluate("fetch('/api/session').then((answer) => answer.json())")
    assert not page.evaluate("window.wentOff")


def test_the_grid_of_values_follows_a_change_of_rules(kept_table: KeptTable, page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    expect(value(page, 4, 30)).to_have_text("11,600")
    page.locator("#settle-close").click()
    kept_table.table.handle(OpenGame(ruleset=rules_named("m-league").ruleset))
    expect(page.locator("#round")).to_have_text("East 1")
    press(page, "Win")
    chip(page, "loser", "West").click()
    expect(value(page, 4, 30)).to_have_text("12,000")


def test_the_grid_follows_a_change_of_rules_also_while_the_sheet_is_open(kept_table: KeptTable, page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    expect(value(page, 4, 30)).to_have_text("11,600")
    kept_table.table.handle(OpenGame(ruleset=rules_named("m-league").ruleset))
    expect(value(page, 4, 30)).to_have_text("12,000")
    value(page, 4, 30).click()
    confirm(page)
    expect(score(page, 0)).to_have_text("37,000")


def test_a_sheet_of_a_later_hand_is_not_settled_in_a_game_under_other_rules(kept_table: KeptTable, page: Page) -> None:
    declare(kept_table, 0)
    expect(score(page, 0)).to_have_text("32,700")
    press(page, "Win")
    chip(page, "loser", "West").click()
    value(page, 3, 40).click()
    expect(page.locator("#settle .confirm")).to_be_enabled()
    kept_table.table.handle(OpenGame(ruleset=rules_named("m-league").ruleset))
    expect(page.locator("#preview p")).to_have_text("Another game is on the table now: close this sheet.")
    expect(page.locator("#settle .confirm")).to_be_disabled()


def test_a_sheet_left_open_through_a_whole_game_is_not_settled_in_the_next_one(
    kept_table: KeptTable, page: Page
) -> None:
    """A phone that slept hears only of the first hand under other rules, as if nothing had been played."""
    page.clock.set_fixed_time(1_800_000_000)
    press(page, "Win")
    chip(page, "loser", "West").click()
    page.clock.set_fixed_time(1_800_003_600)
    kept_table.table.handle(OpenGame(ruleset=rules_named("m-league").ruleset))
    expect(page.locator("#preview p")).to_have_text("Another game is on the table now: close this sheet.")
    expect(page.locator("#settle .confirm")).to_be_disabled()


def test_values_of_earlier_rules_that_come_late_replace_no_newer_ones(kept_table: KeptTable, page: Page) -> None:
    earlier_values = page.request.get(f"{kept_table.address}/api/values").json()
    held: list[Route] = []
    page.route("**/api/values", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/api/values"):
        press(page, "Win")
    chip(page, "loser", "West").click()
    kept_table.table.handle(OpenGame(ruleset=rules_named("m-league").ruleset))
    expect(value(page, 4, 30)).to_have_text("12,000")
    with page.expect_response("**/api/values"):
        held[0].fulfill(json=earlier_values)
    page.evaluate("fetch('/api/session').then((answer) => answer.json())")
    assert value(page, 4, 30).is_visible()


def test_an_earlier_hand_is_edited_under_its_own_winds(page: Page) -> None:
    page.locator(".card").nth(2).click()
    chip(page, "loser", "North").click()
    value(page, 1, 30).click()
    confirm(page)
    expect(page.locator("#round")).to_have_text("East 2")
    page.get_by_role("button", name="Edit this hand").click()
    expect(page.locator("#winners label b")).to_have_text(["East", "South", "West", "North"])
    chip(page, "loser", "East").click()
    chip(page, "winners", "West").click()
    chip(page, "winners", "South").click()
    value(page, 3, 30).click()
    expect(page.locator("#settle .moved")).to_have_text("East −3,900 → South +3,900")


def test_han_and_fu_are_counted_after_a_win_was_claimed_without_them(kept_table: KeptTable, page: Page) -> None:
    page.get_by_role("button", name="Riichi: South").click()
    expect(score(page, 1)).to_have_text("24,000")
    kept_table.table.handle(read_press({"press": "tsumo", "seat": 1}))
    form = page.locator("#ending form.count")
    form.locator("select").nth(0).select_option("1")
    form.locator("select").nth(1).select_option("20")
    form.get_by_role("button").click()
    expect(page.locator("#toast")).to_have_text("No hand has 1 han and 20 fu.")
    form.locator("select").nth(0).select_option("3")
    form.locator("select").nth(1).select_option("30")
    form.get_by_role("button").click()
    expect(page.locator("#ending .value")).to_have_text("3 han 30 fu")
    expect(form).to_have_count(0)
    page.locator(".actions .watched").get_by_role("button", name="Confirm").click()
    expect(score(page, 1)).to_have_text("29,000")


def test_a_refusal_is_told_in_the_player_s_language(kept_table: KeptTable, page: Page) -> None:
    page.goto(f"{kept_table.address}/language/ja")
    expect(page.locator("body[data-version]")).to_be_attached()
    for seat in (0, 1):
        kept_table.table.handle(read_press({"press": "riichi" if seat == 0 else "tsumo", "seat": seat}))
    form = page.locator("#ending form.count")
    form.locator("select").nth(1).select_option("20")
    form.get_by_role("button").click()
    expect(page.locator("#toast")).to_have_text("1翻20符の手はありません。")


def test_a_disk_that_takes_nothing_is_told_and_what_is_tapped_is_refused_until_it_does(
    page: Page, kept_table: KeptTable
) -> None:
    notices, lay = page.locator("#notices"), page.get_by_role("button", name="Riichi: East")
    expect(notices).to_be_hidden()
    kept_table.table.journal.stop_writing("cannot write to the journal: the disk is full")
    lay.click()
    expect(page.locator("#toast")).to_contain_text("Not saved")
    expect(notices).to_contain_text("Nothing can be saved")
    kept_table.table.journal.stop_writing("")
    lay.click()
    expect(notices).to_be_hidden()
    expect(score(page, 0)).to_have_text("24,000")
