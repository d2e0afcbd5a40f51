from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from table.dashboard import create_app, serve
from table.errors import PressError
from table.presses import Press, PressKind
from table.rules.events import HandStarted
from table.rules.results import ResultKind, Settlement, Win
from table.rules.seats import Round, Seat
from table.rules.state import FinishedHand, GameState, HandState, Phase, Riichi, RiichiStage, RiverTile
from table.rules.tiles import Tile
from table.snapshot import Board, Doubt, Snapshot, Spoken

pytestmark = pytest.mark.browser

START = HandStarted(round=Round.parse("E1"), dealer=Seat.NEAR, scores=(25000, 25000, 25000, 25000))
SETTLEMENT = Settlement(
    kind=ResultKind.TSUMO,
    deltas=(-2000, 4000, -1000, -1000),
    wins=(
        Win(
            seat=Seat.RIGHT,
            from_seat=Seat.RIGHT,
            han=3,
            fu=30,
            yaku=(("riichi", 1), ("menzen_tsumo", 1), ("tanyao", 1)),
            yakuman=0,
            points=4000,
        ),
    ),
)


class Inbox:
    """What the page pressed; refuses with a message where one is set."""

    def __init__(self) -> None:
        self.presses: queue.SimpleQueue[Press] = queue.SimpleQueue()
        self.refusal = ""

    def __call__(self, press: Press) -> None:
        if self.refusal:
            raise PressError(self.refusal)
        self.presses.put(press)


@dataclass
class Live:
    """A served table that the test plays on."""

    board: Board
    inbox: Inbox
    address: str
    hand: HandState = field(default_factory=lambda: HandState(start=START))

    def publish(self, **fields: Any) -> None:
        latest = self.board.latest
        self.board.publish(replace(latest, version=latest.version + 1, **fields))

    def play(self, **fields: Any) -> None:
        """Changes the hand being played and publishes it."""
        self.hand = replace(self.hand, **fields)
        self.publish(game=replace(self.board.latest.game, hand=self.hand))

    def discard(self, seat: Seat, text: str, **fields: Any) -> None:
        tile = RiverTile(tile=Tile(text), index=self.hand.discards, **fields)
        rivers = tuple((*river, tile) if each == seat else river for each, river in enumerate(self.hand.rivers))
        self.play(rivers=rivers, discards=self.hand.discards + 1)

    def say(self, saying: str, seat: int | None, **args: Any) -> None:
        said = self.board.latest.said
        spoken = Spoken(
            id=saying, scope="public", seat=seat, frame=0, cause=[], args=args, status="new", key=saying, rule="R40"
        )
        self.publish(said=(*said, spoken))


@pytest.fixture
def live() -> Iterator[Live]:
    game = GameState(scores=START.scores, hand=HandState(start=START))
    board, inbox = Board(Snapshot(version=1, game=game)), Inbox()
    with serve(create_app(board, inbox), port=0) as port:
        yield Live(board=board, inbox=inbox, address=f"http://127.0.0.1:{port}")


@pytest.fixture
def page(live: Live, phone: Page) -> Page:
    phone.goto(live.address)
    expect(phone.locator("body[data-version]")).to_be_attached()
    phone.evaluate("window.neverReloaded = true")
    return phone


def river(page: Page, seat: Seat) -> Locator:
    return page.locator(f".side[data-seat='{int(seat)}'] .river .tile")


def four(seat: Seat, value: Any, other: Any) -> tuple[Any, ...]:
    return tuple(value if each == seat else other for each in Seat)


def test_a_discard_appears_without_a_reload(live: Live, page: Page) -> None:
    expect(river(page, Seat.RIGHT)).to_have_count(0)
    live.discard(Seat.RIGHT, "5z")
    expect(river(page, Seat.RIGHT).locator("img")).to_have_attribute("alt", "white dragon")
    assert page.evaluate("window.neverReloaded")


def test_a_riichi_shows_its_sideways_tile_and_then_its_stick_and_the_score(live: Live, page: Page) -> None:
    live.discard(Seat.NEAR, "9p", sideways=True, is_declaration=True)
    tile = river(page, Seat.NEAR).first
    expect(tile).to_have_class("tile fresh sideways last")
    box = tile.bounding_box()
    assert box is not None
    assert box["width"] > box["height"]
    stick = page.locator(".side[data-seat='0'] .stick")
    expect(stick).to_be_hidden()
    accepted = Riichi(stage=RiichiStage.ACCEPTED, stick_seen=True)
    live.play(riichi=four(Seat.NEAR, accepted, Riichi()), sticks=four(Seat.NEAR, True, False))
    live.publish(game=replace(live.board.latest.game, scores=(24000, 25000, 25000, 25000), deposits=1))
    expect(stick).to_be_visible()
    expect(page.locator(".card").first.locator(".score")).to_have_text("24,000")
    expect(page.locator(".card").first.locator(".badges")).to_have_text("Riichi")
    expect(page.locator("#deposits")).to_have_text("1")


def test_a_called_tile_leaves_its_river(live: Live, page: Page) -> None:
    live.discard(Seat.FAR, "3s")
    expect(river(page, Seat.FAR)).to_have_count(1)
    called = tuple(tuple(replace(tile, called_by=Seat.LEFT) for tile in tiles) for tiles in live.hand.rivers)
    live.play(rivers=called)
    expect(river(page, Seat.FAR)).to_have_count(0)


def test_an_announcement_is_read_out_live_to_screen_readers(live: Live, page: Page) -> None:
    live.say("ippatsu_open", 0)
    news = page.get_by_role("list", name="Announcements")
    expect(news.locator("li").first).to_have_text("Ippatsu is open for East.")
    expect(news).to_have_attribute("aria-live", "polite")


def test_confirming_a_proposed_settlement_reaches_the_inbox(live: Live, page: Page) -> None:
    live.play(phase=Phase.CLAIMED, proposal=SETTLEMENT)
    proposal = page.locator("#proposal")
    expect(proposal).to_contain_text("South draws the win")
    expect(proposal).to_contain_text("3 han 30 fu · 4,000 points")
    page.get_by_role("button", name="Confirm").click()
    assert live.inbox.presses.get(timeout=10) == Press(kind=PressKind.CONFIRM)


def test_a_win_needs_a_seat_and_then_names_it(live: Live, page: Page) -> None:
    page.get_by_role("button", name="Ron", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("Pick a seat first.")
    page.locator(".card", has_text="West").click()
    page.get_by_role("button", name="Ron", exact=True).click()
    assert live.inbox.presses.get(timeout=10) == Press(kind=PressKind.RON, seat=Seat.FAR)


def test_a_refusal_is_shown_with_its_reason(live: Live, page: Page) -> None:
    live.inbox.refusal = "expected an open claim, there is none"
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("alert")).to_have_text("expected an open claim, there is none")


def test_a_doubt_is_answered_with_one_tap(live: Live, page: Page) -> None:
    live.discard(Seat.NEAR, "6m")
    live.publish(doubts=(Doubt(seat=Seat.NEAR, discard=0, tile="6m", alternatives=(("9m", 0.2),)),))
    expect(river(page, Seat.NEAR).first).to_have_class("tile fresh last doubtful")
    page.get_by_role("button", name="9 man").click()
    assert live.inbox.presses.get(timeout=10) == Press(kind=PressKind.CORRECT, discard=0, to=Tile("9m"))


def test_a_settled_hand_stands_in_the_score_sheet(live: Live, page: Page) -> None:
    expect(page.locator("#sheet")).to_have_text("No hand has been settled yet.")
    done = FinishedHand(
        round=START.round, honba=0, dealer=Seat.NEAR, settlement=SETTLEMENT, scores=(23000, 29000, 24000, 24000)
    )
    live.publish(game=replace(live.board.latest.game, history=(done,)))
    expect(page.locator("#sheet tr").first).to_contain_text("E1−2,00023,000+4,00029,000−1,00024,000")
    expect(page.locator("#sheet .note").first).to_have_text("South draws the win: 3 han 30 fu")


def test_turning_the_view_puts_the_next_seat_at_the_bottom_and_is_remembered(live: Live, page: Page) -> None:
    page.get_by_role("button", name="Turn the table").click()
    expect(page.locator(".side[data-seat='1']")).to_have_attribute("data-side", "0")
    expect(page.locator(".card").first.locator(".name")).to_have_text("South")
    page.reload()
    expect(page.locator(".card").first.locator(".name")).to_have_text("South")


def test_nothing_moves_when_something_is_said_or_laid(live: Live, page: Page) -> None:
    def places() -> list[Any]:
        return [page.locator(name).bounding_box() for name in (".felt", ".seats", ".now", ".actions", ".sheet")]

    before = places()
    live.discard(Seat.RIGHT, "1m")
    live.say("ippatsu_open", 0)
    expect(page.locator("#news li").first).to_have_text("Ippatsu is open for East.")
    assert places() == before


@pytest.mark.parametrize("width", [320, 390, 768, 1024, 1440])
def test_the_page_fits_its_width_and_its_buttons_a_finger(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 768})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for button in page.get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44


def test_every_picture_has_words_or_is_marked_as_decoration(live: Live, page: Page) -> None:
    live.discard(Seat.RIGHT, "1m")
    expect(river(page, Seat.RIGHT)).to_have_count(1)
    assert page.evaluate("[...document.images].every((image) => image.hasAttribute('alt'))")
    assert page.evaluate("[...document.images].every((image) => !image.src || image.naturalWidth > 0)")


def test_no_request_leaves_the_page_s_own_server(live: Live, phone: Page) -> None:
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    phone.goto(live.address)
    expect(phone.locator("body[data-version]")).to_be_attached()
    assert asked
    assert [url for url in asked if not url.startswith(live.address)] == []


def test_the_page_finds_a_restarted_server_and_can_press_again(phone: Page) -> None:
    game = GameState(scores=START.scores, hand=HandState(start=START))
    inbox = Inbox()
    start: Callable[[int, int], Any] = lambda version, port: serve(  # noqa: E731
        create_app(Board(Snapshot(version=version, game=game)), inbox), port=port
    )
    with ExitStack() as first:
        port = first.enter_context(start(1, 0))
        phone.goto(f"http://127.0.0.1:{port}")
        phone.get_by_role("button", name="Confirm").click()
        assert inbox.presses.get(timeout=10).kind is PressKind.CONFIRM
    expect(phone.locator("#link")).to_have_attribute("data-state", "off")
    with start(5, port):
        expect(phone.locator("body")).to_have_attribute("data-version", "5", timeout=20000)
        phone.get_by_role("button", name="Draw").click()
        assert inbox.presses.get(timeout=10).kind is PressKind.DRAW
