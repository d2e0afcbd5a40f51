from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

from table.dashboard import create_app, serve
from table.dashboard.web.access.vault import Vault
from table.game.commands.confirm_keys import ending_key
from table.game.commands.game_commands import CallDraw, ClaimRon, ClaimTsumo, Confirm, CorrectDiscard
from table.game.journal.fold import FoldedGame
from table.game.snapshot import Board, CameraHealth, Doubt, Mode, Snapshot
from table.rulebook.play_presets import HOME
from table.rules.advance import advance, new_game
from table.rules.events import (
    Called,
    CallKind,
    ClaimsConfirmed,
    Discarded,
    HandShown,
    ResultDeclared,
    StickPlaced,
    WaitDeclared,
    WinClaimed,
    WinKind,
)
from table.rules.terms.results import DeclaredResult, ResultKind
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile, parse_tiles
from table.runtime.table_errors import PressError
from tests.browser.live_page import DRAWN_WIN, GO_ROUND, RIICHI, START, Live, SeatDesk, discard
from tests.browser.screen_fit import faults
from tests.browser.waiting import HeldRequests, press_enter
from tests.fakes.desks import PIN
from tests.fakes.free_port import free_port
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.places import ROOT
from vision.felt import Felt

MARK = ROOT / "table" / "dashboard" / "static" / "mark.svg"
pytestmark = pytest.mark.browser

PON = Called(seat=Seat.FAR, kind=CallKind.PON, tile=Tile("1z"), from_seat=Seat.RIGHT, own=parse_tiles("11z"))


@pytest.fixture
def live() -> Iterator[Live]:
    board, inbox = Board(Snapshot(version=1, game=new_game(HOME), felt=Felt())), SeatDesk()
    with serve(create_app(board, inbox), port=0) as port:
        live = Live(board=board, inbox=inbox, address=f"http://127.0.0.1:{port}")
        live.happen(START)
        yield live


@pytest.fixture
def page(live: Live, phone: Page) -> Page:
    phone.goto(f"{live.address}/join")
    phone.locator(".sitting button").first.click()
    expect(phone.locator("body[data-version] #undo")).to_be_attached()
    phone.evaluate("window.neverReloaded = true")
    return phone


def river(page: Page, seat: Seat) -> Locator:
    return page.locator(f".side[data-seat='{int(seat)}'] .river .tile")


def newest(page: Page) -> Locator:
    return page.locator("#news summary").first


@pytest.mark.parametrize("language", ["en", "ja", "ko", "zh-Hans", "zh-Hant"])
def test_the_tiles_left_are_told_in_the_order_of_the_language(live: Live, page: Page, language: str) -> None:
    page.request.get(f"{live.address}/language/{language}", max_redirects=0)
    page.goto(live.address)
    expect(page.locator("#left")).not_to_be_empty()
    number, label = (page.locator(f".left {part}").bounding_box() for part in ("span", "small"))
    assert number is not None
    assert label is not None
    assert (number["x"] < label["x"]) is (language == "en")


def test_a_discard_appears_without_a_reload(live: Live, page: Page) -> None:
    expect(river(page, Seat.NEAR)).to_have_count(0)
    live.happen(discard(Seat.NEAR, "5z"))
    expect(river(page, Seat.NEAR).locator("img")).to_have_attribute("alt", "white dragon")
    assert page.evaluate("window.neverReloaded")


def test_a_riichi_shows_its_sideways_tile_and_then_its_stick_and_the_score(live: Live, page: Page) -> None:
    live.happen(RIICHI)
    tile = river(page, Seat.NEAR).first
    expect(tile).to_have_class("tile fresh sideways last")
    box = tile.bounding_box()
    assert box is not None
    assert box["width"] > box["height"]
    card, stick = page.locator(".card").first, page.locator(".side[data-seat='0'] .stick")
    expect(card.locator(".score")).to_have_text("25,000")
    expect(stick).to_be_hidden()
    live.happen(StickPlaced(seat=Seat.NEAR))
    expect(stick).to_be_visible()
    expect(card.locator(".score")).to_have_text("24,000")
    expect(card.locator(".badges em").first).to_have_text("Double riichi")
    expect(card.locator(".badges em").last).to_have_text("Ippatsu")
    expect(page.locator("#deposits")).to_have_text("1")


def test_a_pon_takes_the_tile_out_of_the_river_and_ends_ippatsu(live: Live, page: Page) -> None:
    live.happen(RIICHI, StickPlaced(seat=Seat.NEAR), discard(Seat.RIGHT, "1z"))
    expect(river(page, Seat.RIGHT)).to_have_count(1)
    live.happen(PON)
    expect(river(page, Seat.RIGHT)).to_have_count(0)
    meld = page.get_by_role("list", name="West’s melds").locator(".tile")
    expect(meld).to_have_count(3)
    expect(meld.last).to_have_class("tile fresh")
    expect(meld.first).to_have_class("tile fresh sideways")
    expect(newest(page)).to_have_text("No more ippatsu for East: a tile was called.")
    expect(page.locator(".card").first.locator(".badges")).to_have_text("Double riichi")


def test_a_draw_with_many_tiles_left_is_asked_about_before_it_counts(live: Live, page: Page) -> None:
    live.happen(*GO_ROUND)
    expect(river(page, Seat.LEFT)).to_have_count(1)
    questions = list[str]()

    def answer(dialog: Dialog) -> None:
        questions.append(dialog.message)
        if len(questions) == 2:
            dialog.accept()
        else:
            dialog.dismiss()

    page.on("dialog", answer)
    page.get_by_role("button", name="Draw").click()
    page.get_by_role("button", name="Draw").click()
    assert questions == ["The camera counts 66 tiles left to draw. Was the hand drawn?"] * 2
    assert live.inbox.pressed.get(timeout=PATIENCE_S) == CallDraw()
    assert live.inbox.pressed.empty()


def test_a_draw_entered_by_hand_with_many_tiles_left_says_so_before_it_is_saved(
    live: Live, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    live.happen(*GO_ROUND)
    expect(river(page, Seat.LEFT)).to_have_count(1)
    drawn = advance(live.board.latest.game, ResultDeclared(result=DeclaredResult(kind=ResultKind.DRAW)), HOME).state
    after = FoldedGame(ruleset=HOME, state=drawn, last=0, entry_before_hand=0)
    monkeypatch.setattr(live.inbox, "preview", lambda _: (live.board.latest, after))
    page.get_by_role("button", name="By hand").click()
    page.locator("#kinds label", has_text="Draw").first.click()
    page.locator("#tenpai label", has_text="Nobody").click()
    expect(page.locator("#preview")).to_contain_text("The camera counts 66 tiles left to draw. Was the hand drawn?")


def test_an_announcement_is_read_out_live_to_screen_readers(live: Live, page: Page) -> None:
    live.happen(RIICHI, StickPlaced(seat=Seat.NEAR))
    expect(page.get_by_role("log", name="Announcements").locator("p").last).to_have_text("East can win by ippatsu.")


def test_confirming_a_shown_win_reaches_the_inbox(live: Live, page: Page) -> None:
    live.happen(*DRAWN_WIN)
    ending = page.locator("#ending")
    expect(ending).to_contain_text("South wins by tsumo")
    expect(ending).to_contain_text("3 han 30 fu · 4,000 points")
    expect(page.locator("#paid .paid")).to_have_text(["2,000", "1,000", "1,000"])
    expect(ending.get_by_role("img")).to_have_count(14)
    page.get_by_role("button", name="Confirm").click()
    key = ending_key(live.board.latest.game, live.board.latest.ruleset, 0, live.board.latest.seating)
    assert live.inbox.pressed.get(timeout=PATIENCE_S) == Confirm(seen=key)


def test_confirm_says_what_it_moves_by_name(live: Live, page: Page) -> None:
    live.publish(names=("Jo", "さくら", "", "Kim"))
    live.happen(*DRAWN_WIN)
    confirm = page.get_by_role("button", name="Confirm")
    expect(confirm).to_have_accessible_name("Confirm Jo −2,000 West −1,000 Kim −1,000 → さくら +4,000")


def test_only_what_can_be_done_now_is_shown(live: Live, page: Page) -> None:
    buttons = page.locator(".actions button:visible")
    expect(buttons).to_have_text(["Tsumo", "Draw", "By hand"])
    live.happen(*GO_ROUND)
    expect(buttons).to_have_text(["Ron", "Tsumo", "Draw", "By hand"])
    live.happen(*DRAWN_WIN[len(GO_ROUND) :])
    expect(buttons).to_have_text(["Cancel", re.compile("^Confirm")])
    live.happen(ClaimsConfirmed())
    expect(buttons).to_have_text(["By hand"])


def test_an_announcement_stands_for_a_while_at_the_seat_that_it_is_about(live: Live, page: Page) -> None:
    live.publish(names=("", "", "Alexander", ""))
    live.happen(*GO_ROUND[:2], Discarded(seat=Seat.FAR, tile=Tile("9p"), sideways=True))
    expect(page.locator("#saying")).to_have_text("Double riichi for Alexander.")
    expect(page.locator("#saying")).to_have_attribute("data-side", "2")


def test_who_pays_whom_is_not_hidden_behind_an_announcement(live: Live, page: Page) -> None:
    live.happen(*DRAWN_WIN)
    expect(page.locator("#paid .paid").first).to_be_visible()
    page.locator("#saying").evaluate("box => { box.textContent = 'Ippatsu'; box.hidden = false; }")
    expect(page.locator("#saying")).to_be_hidden()


def test_whose_turn_it_is_is_marked_at_the_seat(live: Live, page: Page) -> None:
    marked = page.locator(".card.to-move .name")
    expect(marked).to_have_text(["Seat 1"])
    live.happen(discard(Seat.NEAR, "5z"))
    expect(marked).to_have_text(["Seat 2"])
    expect(page.get_by_role("radio", name="Turn: South 25,000", exact=True)).to_be_attached()
    assert page.locator(".card.to-move").evaluate("card => card.textContent.indexOf('Turn:')") == 0
    page.locator("#turn").press("Tab")  # the focus is seen on the felt, and on the colour of whoever is to move
    for colour in ("rgb(255, 210, 94)", "rgb(255, 210, 94)", "rgb(42, 33, 4)"):
        expect(page.locator(":focus")).to_have_css("outline-color", colour)
        page.keyboard.press("Tab")
    live.publish(camera=CameraHealth.LOST)
    expect(marked).to_have_count(0)


def test_the_felt_turns_to_the_phone_s_own_seat_and_a_chip_says_which(live: Live, phone: Page) -> None:
    phone.goto(f"{live.address}/join")
    phone.locator(".sitting button").nth(2).click()
    expect(phone.locator("#you b")).to_have_text("You: West")
    expect(phone.locator(".side[data-seat='2']")).to_have_attribute("data-side", "0")
    expect(phone.locator(".place .name")).to_have_text(["Seat 3", "Seat 4", "Seat 1", "Seat 2"])


def test_a_page_says_that_it_is_connecting_until_the_first_answer_comes(live: Live, phone: Page) -> None:
    held_requests = HeldRequests(phone, "**/api/stream")
    phone.goto(live.address)
    expect(phone.locator("#link")).to_have_text("Connecting …")
    expect(phone.locator("#link")).to_be_visible()
    held_requests.let_through()
    expect(phone.locator("#link")).to_have_text("Live")


def test_a_phone_claims_for_its_own_seat_unless_another_one_is_picked_for_the_hand(live: Live, page: Page) -> None:
    live.happen(*GO_ROUND)
    expect(river(page, Seat.LEFT)).to_have_count(1)  # a tap counts for the discard that was seen
    page.get_by_role("button", name="Ron", exact=True).click()
    assert live.inbox.pressed.get(timeout=PATIENCE_S) == ClaimRon(seat=Seat.NEAR)
    page.locator("input[name='seat'][value='2']").click(position={"x": 20, "y": 4})
    page.get_by_role("button", name="Ron", exact=True).click()
    assert live.inbox.pressed.get(timeout=PATIENCE_S) == ClaimRon(seat=Seat.FAR)


def test_a_phone_claims_for_its_own_seat_also_if_the_camera_came_after_the_page(live: Live, page: Page) -> None:
    live.publish(felt=None)
    page.reload()
    expect(page.locator(".actions .kept")).to_be_visible()
    live.publish(felt=Felt())
    live.happen(*GO_ROUND)
    expect(river(page, Seat.LEFT)).to_have_count(1)  # a tap counts for the discard that was seen
    page.get_by_role("button", name="Ron", exact=True).click()
    assert live.inbox.pressed.get(timeout=PATIENCE_S) == ClaimRon(seat=Seat.NEAR)


def test_who_has_no_seat_picks_one_before_a_win(live: Live, phone: Page) -> None:
    live.happen(*GO_ROUND)
    phone.goto(f"{live.address}/join")
    phone.get_by_label("Choose a PIN").fill(PIN)
    phone.get_by_label("New PIN again").fill(PIN)
    phone.get_by_role("button", name="Save").click()
    expect(phone.locator("body[data-version]")).to_be_attached()
    phone.get_by_role("button", name="Ron", exact=True).click()
    expect(phone.get_by_role("alert")).to_have_text("Pick a seat first.")


def test_a_refusal_is_shown_with_its_reason(live: Live, page: Page) -> None:
    live.inbox.refusal = PressError("expected an open claim, got none", says="no_win")
    page.get_by_role("button", name="Tsumo").click()
    expect(page.get_by_role("alert")).to_have_text("There is no win to cancel.")
    alert_box, buttons_box = page.get_by_role("alert").bounding_box(), page.locator(".watched").bounding_box()
    assert alert_box is not None
    assert buttons_box is not None
    assert 0 < buttons_box["y"] - alert_box["y"] - alert_box["height"] < 30  # where the thumb is


def test_a_doubt_is_answered_with_one_tap(live: Live, page: Page) -> None:
    live.happen(discard(Seat.NEAR, "6m"))
    live.publish(doubts=(Doubt(seat=Seat.NEAR, discard=0, tile="6m", alternatives=(("9m", 0.2),)),))
    expect(river(page, Seat.NEAR).first).to_have_class("tile fresh last doubtful")
    page.get_by_role("button", name="9 man").click()
    assert live.inbox.pressed.get(timeout=PATIENCE_S) == CorrectDiscard(discard=0, to=Tile("9m"))


def test_the_phone_says_how_many_doubts_wait_and_shows_a_doubts_picture_large(live: Live, page: Page) -> None:
    page.route("**/camera/7.jpg", lambda route: route.fulfill(path=MARK, content_type="image/svg+xml"))
    page.evaluate("document.body.dataset.camera = 'yes'")
    live.happen(discard(Seat.NEAR, "6m"), discard(Seat.RIGHT, "7m"))
    doubts = [
        Doubt(seat=seat, discard=at, tile=tile, alternatives=(("9m", 0.2), ("8m", 0.1), ("1z", 0.1)), tile_id=7)
        for at, (seat, tile) in enumerate(((Seat.NEAR, "6m"), (Seat.RIGHT, "7m")))
    ]
    live.publish(doubts=tuple(doubts))
    expect(page.locator("#doubts .more").first).to_have_text("+1 more")
    page.set_viewport_size({"width": 320, "height": 600})
    assert faults(page) == []
    page.get_by_role("button", name="Show the picture large").click()
    large = page.get_by_role("dialog", name="Show the picture large")
    expect(large.locator("img")).to_be_visible()
    large.locator("img").click()
    expect(large).to_have_count(0)
    live.publish(doubts=tuple(doubts[:1]))
    expect(page.locator("#doubts > div")).to_have_count(1)
    expect(page.locator("#doubts .more")).to_be_hidden()


@pytest.mark.parametrize("screen", [(320, 600), (360, 640), (844, 390), (820, 1180)], ids=str)
def test_a_doubt_about_the_tile_won_on_is_asked_until_the_win_is_confirmed(
    live: Live, page: Page, screen: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    live.happen(*GO_ROUND, WinClaimed(seat=Seat.NEAR, kind=WinKind.RON))
    live.publish(doubts=(Doubt(seat=Seat.LEFT, discard=3, tile="4z", alternatives=(("3z", 0.2),)),))
    answer = page.locator("#doubts").get_by_role("button", name="West wind")
    expect(answer).to_be_visible()
    assert faults(page) == []
    answer.click()
    assert live.inbox.pressed.get(timeout=PATIENCE_S) == CorrectDiscard(discard=3, to=Tile("3z"))
    live.publish(doubts=())
    expect(page.locator("#doubts")).to_be_hidden()
    expect(page.locator("#news")).to_be_hidden()


@pytest.mark.parametrize("language", ["en", "ja", "ko", "zh-Hans", "zh-Hant"])
def test_a_small_phone_says_how_many_doubts_wait_however_long_the_question_is(
    live: Live, page: Page, language: str
) -> None:
    live.publish(names=("Alexander der Zweite", "Ben", "Chie", "Dan"))
    live.happen(discard(Seat.NEAR, "6m"))
    page.set_viewport_size({"width": 360, "height": 640})
    page.request.get(f"{live.address}/language/{language}", max_redirects=0)
    page.goto(live.address)
    live.publish(
        doubts=tuple(Doubt(seat=Seat.NEAR, discard=at, tile="6m", alternatives=(("9m", 0.2),)) for at in range(2))
    )
    more, box = page.locator("#doubts .more").first, page.locator("#doubts > div").first
    expect(more).to_be_visible()
    shown, whole = more.bounding_box(), box.bounding_box()
    assert shown is not None
    assert whole is not None
    middle = {"x": shown["x"] + shown["width"] / 2, "y": shown["y"] + shown["height"] / 2}
    assert page.evaluate("({x, y}) => document.elementFromPoint(x, y).className", middle) == "more"
    assert shown["x"] + shown["width"] <= whole["x"] + whole["width"]
    assert faults(page) == []


def test_a_refusal_outlasts_the_large_picture_that_it_was_shown_over(live: Live, page: Page) -> None:
    page.route("**/camera/7.jpg", lambda route: route.fulfill(path=MARK, content_type="image/svg+xml"))
    page.evaluate("document.body.dataset.camera = 'yes'")
    live.happen(discard(Seat.NEAR, "6m"))
    live.publish(doubts=(Doubt(seat=Seat.NEAR, discard=0, tile="6m", alternatives=(("9m", 0.2),), tile_id=7),))
    press = HeldRequests(page, "**/api/press")
    page.get_by_role("button", name="Tsumo").click()
    page.get_by_role("button", name="Show the picture large").click()
    large = page.get_by_role("dialog", name="Show the picture large")
    press.refuse("No.")
    expect(large.get_by_role("alert")).to_have_text("No.")
    large.locator("img").click()
    expect(large).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_text("No.")


def test_a_misread_hand_is_put_right_tile_by_tile(live: Live, page: Page) -> None:
    misread = HandShown(seat=Seat.RIGHT, tiles=parse_tiles("234m456p22s67889s"), winning_tile=Tile("5s"))
    live.happen(*DRAWN_WIN[:-1], misread)
    expect(page.locator("#ending .missing")).to_contain_text("South’s hand")
    assert faults(page) == []  # the pencil covers no tile
    page.get_by_role("button", name="Correct the hand").click()
    keyboard = page.get_by_role("dialog", name="By tiles")
    expect(keyboard.locator(".worth .value")).to_have_text("These tiles are no winning hand.")
    expect(keyboard.locator("[data-part]:visible")).to_have_count(1)
    keyboard.locator("[data-part=tiles] li").nth(12).locator("button").click()
    keyboard.locator("[data-part=tiles] li").nth(12).locator("button").click()
    for face in ("8s", "5s"):
        keyboard.locator(f".keys [value='{face}']").click()
    expect(keyboard.locator(".worth .value")).to_have_text("3 han 30 fu · 4,000 points")
    keyboard.get_by_role("button", name="Take this value").click()
    right = (*parse_tiles("234m456p22s67888s"), Tile("5s"))
    assert live.inbox.pressed.get(timeout=PATIENCE_S) == ClaimTsumo(seat=Seat.RIGHT, tiles=right)


def test_an_announcement_unfolds_into_what_it_rests_on(live: Live, page: Page) -> None:
    live.happen(RIICHI, StickPlaced(seat=Seat.NEAR))
    line = page.locator("details", has_text="East can win by ippatsu.")
    expect(line.locator("p")).to_be_hidden()
    line.locator("summary").click()
    expect(line.locator("p")).to_contain_text("Rule R40")
    live.happen(discard(Seat.RIGHT, "1z"), PON)
    expect(newest(page)).to_have_text("No more ippatsu for East: a tile was called.")
    expect(line.locator("p")).to_be_visible()  # what was unfolded stays so


def test_a_win_whose_hand_stays_hidden_is_counted_by_people(live: Live, page: Page) -> None:
    live.happen(*GO_ROUND, WinClaimed(seat=Seat.RIGHT, kind=WinKind.RON))
    expect(page.locator("#ending")).to_contain_text("Still missing: South’s hand")
    page.get_by_label("Han", exact=True).select_option("3")
    page.get_by_label("Fu", exact=True).select_option("40")
    page.get_by_role("button", name="Count").click()
    assert live.inbox.pressed.get(timeout=PATIENCE_S) == ClaimRon(seat=Seat.RIGHT, han=3, fu=40)


def test_a_tapped_tile_is_corrected_on_the_tile_keyboard(live: Live, page: Page) -> None:
    live.happen(*GO_ROUND)
    river(page, Seat.RIGHT).first.click(force=True)
    keyboard = page.get_by_role("dialog", name="Which tile is it?")
    expect(keyboard).to_contain_text("South’s discard 1: South")
    keyboard.get_by_role("button", name="The discard after").click()
    expect(keyboard).to_contain_text("West’s discard 1: West")
    keyboard.get_by_role("button", name="red 5 pin").click()
    assert live.inbox.pressed.get(timeout=PATIENCE_S) == CorrectDiscard(discard=2, to=Tile("0p"))
    expect(keyboard).to_be_hidden()


def test_a_doubt_of_which_no_answer_is_right_opens_the_keyboard_at_that_discard(live: Live, page: Page) -> None:
    live.happen(*GO_ROUND)
    live.publish(doubts=(Doubt(seat=Seat.NEAR, discard=0, tile="6m", alternatives=(("9m", 0.2),)),))
    page.get_by_role("button", name="None of these").click()
    keyboard = page.get_by_role("dialog")
    expect(keyboard).to_contain_text("East’s discard 1: East")
    keyboard.get_by_role("button", name="red 5 pin").click()
    assert live.inbox.pressed.get(timeout=PATIENCE_S) == CorrectDiscard(discard=0, to=Tile("0p"))


def test_the_tile_keyboard_is_reached_and_left_without_a_finger(live: Live, page: Page) -> None:
    live.happen(*GO_ROUND)
    expect(river(page, Seat.LEFT)).to_have_count(1)
    press_enter(page.get_by_role("button", name="Correct a discard"))
    expect(page.get_by_role("dialog")).to_contain_text("North’s discard 1: North")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert live.inbox.pressed.empty()


SPEECH = """
window.spoken = [];
window.SpeechSynthesisUtterance = function (text) { this.text = text; };
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [{ lang: "en-US", localService: false, name: "far" }, { lang: "en-GB", localService: true, name: "near" }],
  speak: (speech) => speech.text && window.spoken.push([speech.voice.name, speech.text]),
} });
"""  # noqa: E501


def test_announcements_are_spoken_once_by_a_local_voice_and_only_when_switched_on(live: Live, phone: Page) -> None:
    phone.add_init_script(SPEECH)
    phone.goto(live.address)
    live.happen(RIICHI)
    expect(phone.locator("#news")).to_contain_text("riichi")
    assert phone.evaluate("spoken") == []
    phone.get_by_role("button", name="Read announcements out").click()
    live.happen(StickPlaced(seat=Seat.NEAR))
    live.publish(camera=CameraHealth.OK)
    expect(phone.locator("#camera")).to_have_text("Camera on")
    assert phone.evaluate("spoken") == [
        ["near", "East’s riichi stands: 1,000 points in the pot."],
        ["near", "East can win by ippatsu."],
    ]


def test_of_what_a_phone_missed_in_its_sleep_only_the_newest_is_spoken(live: Live, phone: Page) -> None:
    phone.add_init_script(SPEECH)
    phone.clock.install()
    phone.goto(live.address)
    link = phone.locator("#link")
    expect(link).to_have_attribute("data-state", "on")
    phone.get_by_role("button", name="Read announcements out").click()
    phone.route("**/api/stream", lambda _: None)
    phone.clock.run_for(30_000)
    expect(link).to_have_attribute("data-state", "off")
    live.happen(RIICHI, StickPlaced(seat=Seat.NEAR))
    phone.unroute("**/api/stream")
    phone.clock.run_for(30_000)
    expect(newest(phone)).to_have_text("East can win by ippatsu.")
    assert phone.evaluate("spoken") == [["near", "East can win by ippatsu."]]
    live.happen(discard(Seat.RIGHT, "1z"), PON)
    expect(newest(phone)).to_have_text("No more ippatsu for East: a tile was called.")
    assert phone.evaluate("spoken.length") == 2


SUSPENDED = """
window.begun = 0;
window.spoken = [];
speechSynthesis.speak = ({ text }) => spoken.push(text);
window.AudioContext = class { state = "suspended"; async resume() { window.begun += 1; this.state = "running"; } };
"""


def test_a_tap_lets_an_iphone_sound_and_none_is_taken_while_nothing_is_read_out(live: Live, phone: Page) -> None:
    phone.add_init_script(SUSPENDED)
    phone.goto(live.address)
    phone.get_by_role("button", name="Turn the table").click()
    assert phone.evaluate("begun") == 0
    phone.get_by_role("button", name="Read announcements out").click()
    assert phone.evaluate("begun") == 1
    phone.reload()
    assert phone.evaluate("begun") == 0
    assert phone.evaluate("spoken") == []
    for _ in range(2):
        phone.get_by_role("button", name="Turn the table").click()
        assert phone.evaluate("begun") == 1
        assert phone.evaluate("spoken") == [""]


def test_a_phone_that_reads_out_does_so_at_its_next_visit_too(live: Live, page: Page) -> None:
    voice = page.get_by_role("button", name="Read announcements out")
    voice.click()
    expect(voice).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(voice).to_have_attribute("aria-pressed", "true")
    voice.click()
    page.reload()
    expect(voice).to_have_attribute("aria-pressed", "false")


def test_the_screen_stays_on_where_the_browser_allows_it(live: Live, phone: Page) -> None:
    phone.add_init_script("""
        window.held = [];
        const request = WakeLock.prototype.request;
        WakeLock.prototype.request = function (kind) { window.held.push(kind); return request.call(this, kind); };
    """)
    phone.goto(live.address)
    expect(phone.locator("body[data-version]")).to_be_attached()
    assert phone.evaluate("held") == ["screen"]


def test_a_phone_is_told_once_what_tls_would_give(live: Live, phone: Page) -> None:
    untrusted = live.address.replace("127.0.0.1", "0.0.0.0")  # noqa: S104 - this machine, but not as browsers trust it
    phone.goto(f"{untrusted}/join")
    phone.locator(".sitting button").first.click()
    expect(phone.locator("#toast")).to_contain_text("could keep the screen on")
    assert not phone.evaluate("isSecureContext")
    phone.reload()
    expect(phone.locator("body[data-version]")).to_be_attached()
    expect(phone.locator("#toast")).to_be_empty()


def test_a_tournament_table_never_speaks(live: Live, page: Page) -> None:
    live.publish(mode=Mode.TOURNAMENT)
    expect(page.get_by_role("button", name="Read announcements out")).to_be_hidden()


def test_the_points_over_the_hands_are_drawn(live: Live, page: Page) -> None:
    graph = page.get_by_role("img", name="Points over the hands")
    expect(graph).to_be_hidden()
    live.happen(*DRAWN_WIN, ClaimsConfirmed())
    expect(graph.locator("polyline")).to_have_count(4)
    expect(graph.locator("text")).to_have_text(["Seat 1", "Seat 2", "Seat 3", "Seat 4"])
    live.publish(names=("Maximilian",) * 4)
    expect(graph.locator("text").first).to_have_text("Maximi…")
    assert graph.evaluate("(svg) => svg.getBBox().x + svg.getBBox().width") <= 320
    page.set_viewport_size({"width": 320, "height": 568})
    heights = page.locator("#sheet td b").evaluate_all("(all) => all.map((each) => each.getClientRects().length)")
    assert heights == [1, 1, 1, 1], "a number in the sheet breaks"


def test_the_wall_shows_the_table_and_has_nothing_to_press_about_the_game(live: Live, phone: Page) -> None:
    phone.set_viewport_size({"width": 1920, "height": 1080})
    phone.goto(f"{live.address}/wall")
    live.happen(RIICHI, StickPlaced(seat=Seat.NEAR))
    expect(river(phone, Seat.NEAR)).to_have_count(1)
    expect(phone.locator("#news")).to_contain_text("East’s riichi stands")
    expect(phone.locator("[data-press]")).to_have_count(0)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_settled_hand_stands_in_the_score_sheet(live: Live, page: Page) -> None:
    expect(page.locator("#sheet")).to_have_text("Nothing yet")
    live.happen(*DRAWN_WIN, ClaimsConfirmed())
    row = page.locator("#sheet tr").first
    expect(row.locator("th")).to_have_text("E1")
    expect(row.locator("small")).to_have_text([f"{score:,}" for score in live.board.latest.game.scores])
    expect(page.locator("#sheet .note").first).to_contain_text("Tsumo · 3 han 30 fu: Concealed tsumo 1")
    expect(page.locator("#ending")).to_be_hidden()


def test_turning_the_view_puts_the_next_seat_at_the_bottom_and_is_remembered(live: Live, page: Page) -> None:
    page.get_by_role("button", name="Turn the table").click()
    expect(page.locator(".side[data-seat='1']")).to_have_attribute("data-side", "0")
    expect(page.locator(".card").first.locator(".name")).to_have_text("Seat 2")
    page.reload()
    expect(page.locator(".card").first.locator(".name")).to_have_text("Seat 2")


def test_nothing_moves_when_something_is_said_or_laid(live: Live, page: Page) -> None:
    def places() -> list[Any]:
        return [page.locator(name).bounding_box() for name in (".felt", ".seats", ".now", ".actions", ".sheet")]

    before = places()
    live.happen(RIICHI, StickPlaced(seat=Seat.NEAR))
    expect(newest(page)).to_have_text("East can win by ippatsu.")
    assert places() == before
    live.publish(doubts=(Doubt(seat=Seat.NEAR, discard=0, tile="9p", alternatives=(("8p", 0.2),)),))
    expect(page.locator("#doubts button")).to_have_count(3)
    assert places() == before


@pytest.mark.parametrize("screen", [(360, 640), (390, 844), (844, 390), (820, 1180)], ids=str)
def test_what_concerns_this_seat_alone_does_not_move_an_open_doubt(
    live: Live, page: Page, screen: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    live.happen(*GO_ROUND)
    live.publish(doubts=(Doubt(seat=Seat.NEAR, discard=0, tile="1z", alternatives=(("2z", 0.2),)),))
    answers = page.locator("#doubts button")
    expect(answers).to_have_count(3)
    before = [button.bounding_box() for button in answers.all()]
    live.happen(WaitDeclared(seat=Seat.NEAR, tiles=parse_tiles("36m")))
    expect(page.locator("#hints")).to_be_visible()
    assert [button.bounding_box() for button in answers.all()] == before
    live.happen(discard(Seat.NEAR, "9m"))
    expect(page.locator("#hints")).to_be_hidden()
    assert [button.bounding_box() for button in answers.all()] == before


def test_every_picture_is_loaded(live: Live, page: Page) -> None:
    live.happen(discard(Seat.NEAR, "1m"))
    expect(river(page, Seat.NEAR)).to_have_count(1)
    is_loaded = (
        "[...document.images].every((image) => !image.src || image.loading === 'lazy' || image.naturalWidth > 0)"
    )
    wait_for(lambda: page.evaluate(is_loaded))


def test_no_request_leaves_the_page_s_own_server(live: Live, phone: Page) -> None:
    addresses: list[str] = []
    phone.on("request", lambda request: addresses.append(request.url))
    phone.goto(live.address)
    expect(phone.locator("body[data-version]")).to_be_attached()
    assert addresses
    assert [url for url in addresses if not url.startswith(live.address)] == []


def test_the_page_finds_a_restarted_server_and_can_press_again(phone: Page) -> None:
    game, inbox, vault = advance(new_game(HOME), START, HOME).state, SeatDesk(), Vault()
    start: Callable[[int, int], Any] = lambda version, port: serve(  # noqa: E731
        create_app(Board(Snapshot(version=version, game=game, felt=Felt())), inbox, vault), port=port
    )
    with ExitStack() as first:
        port = first.enter_context(start(1, free_port()))
        phone.goto(f"http://127.0.0.1:{port}/join")
        phone.locator(".sitting button").first.click()
        expect(phone.locator("body[data-version] #undo")).to_be_attached()
        phone.get_by_role("button", name="Tsumo").click()
        assert inbox.pressed.get(timeout=PATIENCE_S) == ClaimTsumo(seat=Seat.NEAR)
    expect(phone.locator("#link")).to_have_attribute("data-state", "off")
    bar = phone.locator("#link").bounding_box()
    assert bar is not None
    assert bar["height"] <= 32  # a thin bar, under which everything stays where it was
    with start(5, port):
        expect(phone.locator("body")).to_have_attribute("data-version", "5")
        phone.get_by_role("button", name="Draw").click()
        assert inbox.pressed.get(timeout=PATIENCE_S) == CallDraw()
