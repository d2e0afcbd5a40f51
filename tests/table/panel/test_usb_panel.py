"""The buttons of a USB board: the kernel's stream of events is played through a pipe."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from table.appliance.configured_panel import panel_of
from table.config import PanelConfig
from table.panel.panel_port import FOULS, TABLE, WINS
from table.panel.usb_panel import EVENT, FIRST_BUTTON, RETRY_S, UsbPanel

SYN, KEY, DROPPED = 0, 1, 3
BUTTONS = PanelConfig().board_buttons
NAME = "usb-DragonRise_Inc._Generic_USB_Joystick-event-joystick"


class Board:
    """A board that is plugged in and out. `has` and `is_down` are what its kernel answers when asked."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self.has: set[int] = set()
        self.is_down: set[int] = set()
        self._writer = -1

    def plug_in(self) -> None:
        os.mkfifo(self.path)
        self._writer = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)

    def pull_out(self) -> None:
        os.close(self._writer)
        self.path.unlink()

    def send(self, kind: int, code: int, value: int) -> None:
        os.write(self._writer, EVENT.pack(1, 2, kind, code, value))

    def push(self, number: int, *, value: int = 1) -> None:
        self.send(KEY, FIRST_BUTTON + number - 1, value)
        self.send(SYN, 0, 0)

    def send_bytes(self, content: bytes) -> None:
        os.write(self._writer, content)

    def ioctl(self, _: int, request: int, answer: bytearray) -> int:
        if not self.has:
            raise OSError(25, "Inappropriate ioctl for device")
        assert len(answer) == request >> 16 & 0x3FFF
        for code in {0x20 + KEY: self.has, 0x18: self.is_down}[request & 0xFF]:
            answer[code // 8] |= 1 << code % 8
        return 0


class Time:
    """Seconds that pass when told."""

    def __init__(self) -> None:
        self.s = 0.0

    def __call__(self) -> float:
        return self.s


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Board]:
    board = Board(tmp_path)
    monkeypatch.setattr(fcntl, "ioctl", board.ioctl)
    board.plug_in()
    yield board
    if board.path.exists():
        board.pull_out()


def panel_at(folder: Path, now: Time | None = None) -> UsbPanel:
    return UsbPanel(BUTTONS, boards=folder, now=now or Time())


def test_every_button_of_the_board_is_one_of_the_table(board: Board, tmp_path: Path) -> None:
    panel = panel_at(tmp_path)
    for number, button in enumerate((*WINS, *FOULS, TABLE), 1):
        board.push(number)
        board.push(number, value=2)
        assert panel.down() == {button}
        board.push(number, value=0)
        assert panel.down() == set()
    board.push(12)
    board.send(3, 0, 255)  # an axis
    assert (panel.down(), panel.left_out) == (set(), ())
    panel.close()
    panel.close()


def test_two_buttons_at_once_and_an_event_in_two_pieces_are_read(board: Board, tmp_path: Path) -> None:
    panel = panel_at(tmp_path)
    board.push(9)
    board.push(5)
    assert panel.down() == {TABLE, FOULS[0]}
    event = EVENT.pack(1, 2, KEY, FIRST_BUTTON + 8, 0)
    board.send_bytes(event[:7])
    assert panel.down() == {TABLE, FOULS[0]}
    board.send_bytes(event[7:])
    assert panel.down() == {FOULS[0]}


def test_a_board_that_is_unplugged_lets_every_button_go_and_is_read_again_once_it_is_back(
    board: Board, tmp_path: Path
) -> None:
    now = Time()
    panel = panel_at(tmp_path, now)
    board.push(1)
    assert panel.down() == {WINS[0]}
    board.pull_out()
    assert panel.down() == set()
    assert "expected the USB board to answer, got: it was unplugged" in panel.left_out[0]
    now.s += RETRY_S
    assert panel.down() == set()
    assert "expected a USB board with buttons, got: no joystick in" in panel.left_out[0]
    board.plug_in()
    assert panel.down() == set(), "it is looked for once a second"
    now.s += RETRY_S
    panel.down()
    board.push(2)
    assert (panel.down(), panel.left_out) == ({WINS[1]}, ())


def test_a_table_may_start_before_its_board_is_plugged_in(tmp_path: Path) -> None:
    panel = panel_of(PanelConfig(kind="usb", usb_board=str(tmp_path / NAME)))
    assert panel.down() == set()
    assert "expected a USB board with buttons, got: " in panel.left_out[0]
    panel.close()


def test_a_gamepads_buttons_count_in_the_order_of_their_codes(board: Board, tmp_path: Path) -> None:
    board.has = {30, *range(0x130, 0x13A)}  # a key of a keyboard, and ten buttons
    board.is_down = {0x131}
    panel = panel_at(tmp_path)
    assert panel.down() == {WINS[1]}, "held while it is plugged in"
    board.send(KEY, 0x138, 1)
    assert panel.down() == {WINS[1], TABLE}
    board.is_down = {0x130}
    board.send(SYN, DROPPED, 0)
    assert panel.down() == {WINS[0]}, "where the kernel lost events it is asked"


def test_a_board_with_fewer_buttons_names_those_that_are_missing(board: Board, tmp_path: Path) -> None:
    board.has = set(range(FIRST_BUTTON, FIRST_BUTTON + 8))
    panel = panel_at(tmp_path)
    assert panel.left_out == ("expected a board with 9 buttons, got 8: table",)
    board.push(8)
    assert panel.down() == {FOULS[3]}


def test_the_configuration_says_which_button_is_which(board: Board) -> None:
    config = PanelConfig(kind="usb", usb_board=str(board.path), usb_buttons=(0, 0, 0, 0, 0, 0, 0, 0, 3))
    panel = panel_of(config)
    board.push(3)
    board.push(1)
    assert panel.down() == {TABLE}
    panel.close()
