"""The broadcast over somebody's picture: everything in sight at both usual sizes, nothing over it but its parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from table.dashboard import create_app, serve
from table.game.snapshot import Board, CameraHealth, Snapshot
from table.i18n import languages
from table.rulebook.play_presets import HOME
from table.rules.advance import new_game
from table.rules.events import StickPlaced
from table.rules.notation.event_notation import parse_events
from table.rules.terms.seats import Seat
from tests.browser.live_page import DRAWN_WIN, RIICHI, START, Live, SeatDesk
from vision.felt import Felt

pytestmark = pytest.mark.browser
SIZES = ((1920, 1080), (1280, 720))
LONGEST = (
    "Maximilian Wolkenstein-W",
    "さくらももこ" * 4,
    "김수한무거북이와두루미삼천갑자동방삭치치카포사나",
    "欧阳司马诸葛" * 4,
)
OUT_OF_SIGHT = """() => [...document.querySelectorAll(".part, .riichi, h2, .yaku li, .payments, .tile img")]
  .filter((node) => node.checkVisibility())
  .map((node) => [node.className || node.tagName, node.getBoundingClientRect()])
  .filter(([, box]) => box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight)
  .map(([name, box]) => `${name} ${Math.round(box.left)} ${Math.round(box.top)} ${Math.round(box.right)} ${Math.round(box.bottom)}`)"""  # noqa: E501
OVERLAID = """() => {
  const boxes = [...document.querySelectorAll(".points, .felt, .centre, .standings, .won")].map((node) => node.getBoundingClientRect());
  return boxes.flatMap((one, at) => boxes.slice(at + 1).filter((other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)).length;
}"""  # noqa: E501

# Letters of some fonts are taller than their line, by less than half of their size.
CUT = """() => [...document.querySelectorAll(".name, .owner, #standings b")].filter((node) => {
  const size = parseFloat(getComputedStyle(node).fontSize) / 2;
  const [over, lower] = [node.scrollWidth - node.clientWidth, node.scrollHeight - node.clientHeight];
  return getComputedStyle(node).writingMode === "vertical-rl" ? over > size || lower > 0 : over > 0 || lower > size;
}).map((node) => node.textContent)"""


@dataclass
class Broadcast:
    page: Page
    live: Live
    playing: Snapshot

    def open(self, path: str) -> None:
        self.page.goto(f"{self.live.address}/broadcast/{path}")
        expect(self.page.locator("body[data-version]")).to_be_attached()


@pytest.fixture(scope="module")
def broadcast(chromium: Browser) -> Iterator[Broadcast]:
    board = Board(Snapshot(version=1, game=new_game(HOME), felt=Felt(), names=LONGEST, camera=CameraHealth.OK))
    with serve(create_app(board, SeatDesk()), port=0) as port:
        live = Live(board=board, inbox=SeatDesk(), address=f"http://127.0.0.1:{port}")
        live.happen(START, RIICHI, StickPlaced(seat=Seat.NEAR))
        playing = live.board.latest
        context = chromium.new_context(viewport={"width": 1920, "height": 1080})
        page = context.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        yield Broadcast(page=page, live=live, playing=playing)
        context.close()
        assert complaints == []


def win(broadcast: Broadcast) -> None:
    broadcast.live.publish(game=broadcast.playing.game)
    broadcast.live.happen(*DRAWN_WIN[1:])


def test_everything_is_in_sight_at_both_sizes_in_every_language(broadcast: Broadcast) -> None:
    win(broadcast)
    page, found = broadcast.page, list[str]()
    for language in sorted(languages()):
        broadcast.open(f"all?language={language}")
        expect(page.locator("#won .yaku li").first).to_be_visible()
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            found += [f"{language} {width}: {each}" for each in page.evaluate(OUT_OF_SIGHT)]
            assert page.evaluate(OVERLAID) == 0, (language, width)
    assert not found, "\n".join(found)


def test_the_final_result_and_every_name_are_seen_whole_beside_the_last_win(broadcast: Broadcast) -> None:
    broadcast.live.publish(game=broadcast.playing.game)
    broadcast.live.happen(*parse_events("told ron win0=1:0:-:-:1::"))
    broadcast.open("all")
    expect(broadcast.page.locator("#won .value")).to_have_text("Yakuman")
    expect(broadcast.page.locator("#standings strong").first).to_contain_text("+")
    for width, height in SIZES:
        broadcast.page.set_viewport_size({"width": width, "height": height})
        assert broadcast.page.evaluate(OVERLAID) == 0, width
        assert broadcast.page.evaluate(CUT) == []


def test_the_next_game_begins_without_payments(broadcast: Broadcast) -> None:
    page, live = broadcast.page, broadcast.live
    live.publish(game=broadcast.playing.game)
    broadcast.open("points")
    live.happen(*parse_events("told ron win0=1:0:3:40:0::; told ron win0=2:1:-:-:1::"))
    score = page.locator(".player .score").nth(2)
    expect(score).to_have_text("57,000")
    deltas = page.locator(".delta").all_text_contents()
    live.publish(game=new_game(HOME))
    expect(score).to_have_text("25,000")
    assert page.locator(".delta").all_text_contents() == deltas


def test_the_picture_below_is_seen_wherever_no_part_stands(broadcast: Broadcast) -> None:
    broadcast.page.set_viewport_size({"width": 1280, "height": 720})
    broadcast.open("points?points=bottom")
    shot = cv2.imdecode(np.frombuffer(broadcast.page.screenshot(omit_background=True), np.uint8), cv2.IMREAD_UNCHANGED)
    assert shot is not None
    assert shot.shape[2] == 4
    assert not shot[:500, :, 3].any()
    assert shot[-60:, 100:1180, 3].any()


def test_riichi_stands_at_its_seat_and_points_count_up_to_the_new_ones(broadcast: Broadcast) -> None:
    page, live = broadcast.page, broadcast.live
    live.publish(game=broadcast.playing.game)
    broadcast.open("points?seat=3")
    players = page.locator(".player")
    expect(players.nth(1).locator(".riichi")).to_be_visible()
    expect(page.locator(".riichi:visible")).to_have_count(1)
    expect(players.nth(1).locator(".score")).to_have_text("24,000")
    live.happen(*DRAWN_WIN[1:], *parse_events("confirm"))
    expect(players.nth(2).locator(".delta.gain")).to_have_text("+5,000")
    expect(players.nth(2).locator(".score")).to_have_text("30,000")
    expect(page.locator(".riichi:visible")).to_have_count(0)


def test_colours_of_the_address_are_taken_under_the_strict_policy(broadcast: Broadcast) -> None:
    broadcast.live.publish(game=broadcast.playing.game)
    broadcast.page.set_viewport_size({"width": 1280, "height": 720})
    broadcast.open("points?ink=00ff00&panel=ff000080&size=150")
    player = broadcast.page.locator(".player").first
    expect(player).to_have_css("color", "rgb(0, 255, 0)")
    expect(player).to_have_css("background-color", "rgba(255, 0, 0, 0.5)")
    expect(broadcast.page.locator("html")).to_have_css("font-size", "16px")


def test_the_rivers_follow_the_table(broadcast: Broadcast) -> None:
    page = broadcast.page
    broadcast.live.publish(game=broadcast.playing.game)
    broadcast.open("table")
    expect(page.locator(".side[data-seat='0'] .river .tile.sideways img")).to_have_count(1)
    broadcast.live.happen(*DRAWN_WIN[1:2])
    expect(page.locator(".side[data-seat='1'] .river .tile img")).to_have_count(1)
    broadcast.live.publish(game=replace(broadcast.playing.game))
    expect(page.locator(".side[data-seat='1'] .river .tile img")).to_have_count(0)
