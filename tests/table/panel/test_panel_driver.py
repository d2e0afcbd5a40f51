from __future__ import annotations

import logging
import os
import pty
import select
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from table.game.commands.foul_vote import SIGNALS, FoulProposal
from table.game.commands.game_commands import PressFoulButton, PressTableButton
from table.game.snapshot import Board, CameraHealth
from table.panel.keyboard_panel import KeyboardPanel
from table.panel.led_strip import RESET, SPEED_HZ, Strip, spi_bytes
from table.panel.panel_driver import FLAGGED_HZ, REFUSED_HZ, TIME_HZ, PanelDriver
from table.panel.panel_port import FOULS, TABLE, WINS, Button
from table.panel.seat_lights import UNWATCHED
from table.rules.terms.seats import Seat
from tests.fakes.fake_panel import FakePanel
from tests.fakes.panels import FIRST, PanelBench
from tests.fakes.waiting import wait_for


def test_a_held_table_button_cancels_and_a_short_one_confirms() -> None:
    bench = PanelBench()
    bench.push(TABLE)
    bench.push(TABLE, 1500)
    assert bench.presses == [PressTableButton(held=False), PressTableButton(held=True)]


def test_the_table_button_with_a_foul_button_flags_the_moment_and_nothing_else() -> None:
    bench = PanelBench()
    bench.panel.pressed.add(TABLE)
    bench.wait(200)
    bench.panel.pressed.add(FOULS[2])
    bench.wait(1500)
    bench.panel.pressed.clear()
    bench.wait(100)
    assert (bench.flagged, bench.presses) == ([Seat.FAR], [])
    assert bench.panel.tones == [FLAGGED_HZ, None]
    bench.push(FOULS[2])
    bench.push(TABLE)
    assert bench.flagged == [Seat.FAR]
    assert [type(press) for press in bench.presses] == [PressFoulButton, PressTableButton]


def test_where_no_clips_are_saved_the_table_button_with_a_foul_button_is_two_presses() -> None:
    bench = PanelBench()
    bench.driver = PanelDriver(bench.panel, bench.board, bench.take, now_ns=lambda: bench.now)
    bench.wait(50)
    bench.panel.pressed |= {TABLE, FOULS[0]}
    bench.wait(200)
    bench.panel.pressed.clear()
    bench.wait(100)
    assert {type(press) for press in bench.presses} == {PressFoulButton, PressTableButton}


def test_a_moment_that_cannot_be_kept_sounds_low() -> None:
    bench = PanelBench()
    bench.can_keep = False
    bench.panel.pressed |= {TABLE, FOULS[0]}
    bench.wait(200)
    assert (bench.flagged, bench.panel.tones[0]) == ([], REFUSED_HZ)


def test_a_held_table_button_is_said_before_a_foul_button_comes_to_it() -> None:
    bench = PanelBench()
    bench.panel.pressed.add(TABLE)
    bench.wait(1000)
    bench.panel.pressed.add(FOULS[1])
    bench.wait(100)
    assert bench.flagged == []
    assert bench.presses == [PressTableButton(held=True)]


def test_a_refused_press_sounds_low_and_costs_only_itself() -> None:
    bench = PanelBench()
    bench.push(WINS[1])
    assert bench.panel.tones == [REFUSED_HZ]
    bench.wait(100)
    assert bench.panel.tones == [REFUSED_HZ, None]
    bench.push(FOULS[3])
    assert bench.presses == [PressFoulButton(seat=Seat.LEFT)]


def test_each_step_of_a_named_foul_lights_and_sounds_once() -> None:
    bench = PanelBench()
    for step in (0, 1):
        bench.board.publish(replace(FIRST, version=2 + step, proposal=FoulProposal(seat=Seat.RIGHT, step=step)))
        bench.wait(400)
    assert bench.panel.tones == [SIGNALS[0].tone_hz, None, SIGNALS[1].tone_hz, None]
    bench.board.publish(replace(FIRST, version=4))
    bench.wait(100)
    assert bench.panel.lit[1] == (0, 0, 0)


def test_a_stuck_button_is_logged_once_and_the_others_still_work(caplog: pytest.LogCaptureFixture) -> None:
    bench = PanelBench()
    bench.panel.pressed.add(TABLE)
    with caplog.at_level(logging.WARNING):
        bench.wait(25_000)
    assert [record.getMessage() for record in caplog.records] == ["button table is ignored until it is released: stuck"]
    assert {str(button): fault.value for button, fault in bench.driver.faults.items()} == {"table": "stuck"}
    bench.push(FOULS[0])
    assert isinstance(bench.presses[-1], PressFoulButton)


def test_a_driver_at_work_lights_the_panel_and_ends_dark_with_no_thread_left() -> None:
    panel, board = FakePanel(), Board(replace(FIRST, camera=CameraHealth.LOST))
    driver = PanelDriver(panel, board, lambda press: None)
    with driver:
        wait_for(lambda: panel.lit[0] == UNWATCHED.rgb)
    assert panel.lit == (UNWATCHED.rgb,) * 4
    assert panel.is_closed
    assert not driver._thread.is_alive()


def test_a_loose_wire_does_not_end_the_driver(caplog: pytest.LogCaptureFixture) -> None:
    class LooseWirePanel(FakePanel):
        reads = 0

        def down(self) -> set[Button]:
            self.reads += 1
            if self.reads <= 2:
                raise OSError("no such line")
            return set()

    panel = LooseWirePanel()
    with PanelDriver(panel, Board(FIRST), lambda press: None):
        wait_for(lambda: panel.reads >= 3)
    assert panel.reads >= 3
    assert [record.getMessage() for record in caplog.records] == ["the panel could not be read"], "not at every look"


@pytest.mark.parametrize(
    ("key", "button", "is_held"),
    [("q", WINS[0], False), ("R", WINS[3], True), (" ", TABLE, False), ("\x7f", TABLE, True)],
)
def test_keys_are_buttons_and_shift_holds_them(key: str, button: Button, is_held: bool) -> None:
    now = [0.0]
    panel = KeyboardPanel(hold_s=0.8, now=lambda: now[0])
    panel.hit(key)
    assert panel.down() == {button}
    now[0] = 0.5
    assert panel.down() == ({button} if is_held else set())
    now[0] = 1.0
    assert panel.down() == set()
    panel.hit("z")
    assert panel.down() == set()
    panel.hit("k")
    assert panel.down() == {TABLE, FOULS[0]}
    panel.close()


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], None]]:
    """Types into the terminal that the program reads, all at once."""
    outer, inner = pty.openpty()
    with os.fdopen(outer, "wb", buffering=0) as typed, os.fdopen(inner) as terminal:
        monkeypatch.setattr("sys.stdin", terminal)

        def type_keys(keys: bytes) -> None:
            typed.write(keys)
            wait_for(lambda: select.select([terminal], [], [], 0)[0])

        yield type_keys


def test_keys_that_are_typed_at_once_all_count(keyboard: Callable[[bytes], None]) -> None:
    panel = KeyboardPanel(hold_s=0.8, now=lambda: 0.0)
    keyboard(b"qs")
    assert panel.down() == {WINS[0], FOULS[1]}
    panel.close()


def test_an_arrow_key_presses_no_button_although_it_sends_a_letter(keyboard: Callable[[bytes], None]) -> None:
    panel = KeyboardPanel(hold_s=0.8, now=lambda: 0.0)
    keyboard(b"\x1b[A")
    assert panel.down() == set()
    keyboard(b"e")
    assert panel.down() == {WINS[2]}
    panel.close()


def test_a_keyboard_whose_terminal_is_gone_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    outer, inner = pty.openpty()
    with os.fdopen(inner) as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        panel = KeyboardPanel(hold_s=0.8, now=lambda: 0.0)
        os.close(outer)
        panel.close()


class Bus:
    def __init__(self) -> None:
        self.transfers: list[bytes] = []
        self.is_closed = False

    def writebytes2(self, data: bytes) -> None:
        self.transfers.append(data)

    def close(self) -> None:
        self.is_closed = True


def test_a_strip_gets_each_bit_in_the_time_it_knows() -> None:
    data = spi_bytes([(0b10000001, 0xFF, 0)])
    bits = "".join(f"{byte:08b}" for byte in data[len(RESET) : -len(RESET)])
    parts = [bits[n : n + 3] for n in range(0, 72, 3)]
    assert parts[:8] == ["110"] * 8
    assert parts[8:16] == ["110", *["100"] * 6, "110"]
    assert parts[16:] == ["100"] * 8


def test_a_strip_is_left_in_silence_before_and_after_what_it_is_sent() -> None:
    data = spi_bytes([(255, 255, 255)])
    assert data.startswith(RESET)
    assert data.endswith(RESET)
    assert len(data) == 9 + 2 * len(RESET)
    assert set(RESET) == {0}
    assert len(RESET) * 8 / SPEED_HZ >= 280e-6


def test_a_strip_has_four_runs_and_ends_dark() -> None:
    bus = Bus()
    strip = Strip(bus, per_seat=2)
    strip.light(((1, 0, 0), (0, 2, 0), (0, 0, 3), (4, 5, 6)))
    assert bus.transfers[-1] == spi_bytes([(1, 0, 0)] * 2 + [(0, 2, 0)] * 2 + [(0, 0, 3)] * 2 + [(4, 5, 6)] * 2)
    strip.close()
    assert bus.transfers[-1] == spi_bytes([(0, 0, 0)] * 8)
    assert bus.is_closed


def test_time_that_is_called_lights_all_seats_and_sounds_once() -> None:
    bench = PanelBench()
    game_with_time_called = replace(FIRST.game, ends_after=3)
    bench.board.publish(replace(FIRST, version=2, game=game_with_time_called))
    bench.wait(100)
    assert bench.panel.lit == ((255, 255, 255),) * 4
    assert bench.panel.tones == [TIME_HZ]
    bench.board.publish(replace(FIRST, version=3, game=game_with_time_called))
    bench.wait(11_000)
    assert bench.panel.tones == [TIME_HZ, None]
    assert bench.panel.lit == ((0, 0, 0),) * 4


def test_a_table_that_starts_after_time_was_called_does_not_signal_it_again() -> None:
    board = Board(replace(FIRST, game=replace(FIRST.game, ends_after=3)))
    panel = FakePanel()
    driver = PanelDriver(panel, board, lambda _: None, now_ns=lambda: 0)
    driver.step()
    assert panel.tones == []
