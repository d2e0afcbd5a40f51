"""Pins that are busy, and a panel that a test presses."""

from __future__ import annotations

from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from table.game.commands.game_commands import ClaimRon, Press
from table.game.snapshot import Board, Snapshot
from table.panel.panel_driver import PanelDriver
from table.panel.panel_port import Button
from table.rules.state import GameState
from table.rules.terms.seats import Seat
from table.runtime.table_errors import PressError
from tests.fakes.fake_panel import FakePanel


class LgpioError(Exception):
    """As lgpio raises: of no kind that Python or gpiozero has."""


class BusyPins(MockFactory):  # type: ignore[misc]
    """Pins of which some are busy; more can become so."""

    def __init__(self, *busy: int) -> None:
        super().__init__(pin_class=MockPWMPin)
        self.busy = set(busy)

    def pin(self, name: Any) -> Any:
        if name in self.busy:
            raise LgpioError("GPIO busy")
        return super().pin(name)


FIRST = Snapshot(version=1, game=GameState(scores=(25000,) * 4))


class PanelBench:
    """A driver over a fake panel, with time that passes when told."""

    def __init__(self) -> None:
        self.now = 0
        self.panel = FakePanel()
        self.board = Board(FIRST)
        self.presses: list[Press] = []
        self.flagged: list[Seat] = []
        self.can_keep = True
        self.driver = PanelDriver(self.panel, self.board, self.take, flag=self.flag, now_ns=lambda: self.now)
        self.wait(50)

    def flag(self, seat: Seat) -> None:
        if not self.can_keep:
            raise PressError("nothing to keep yet")
        self.flagged.append(seat)

    def take(self, press: Press) -> None:
        if isinstance(press, ClaimRon):
            raise PressError("nothing to claim")
        self.presses.append(press)

    def wait(self, ms: int) -> None:
        for _ in range(ms // 10):
            self.now += 10_000_000
            self.driver.step()

    def push(self, button: Button, ms: int = 100) -> None:
        self.panel.pressed.add(button)
        self.wait(ms)
        self.panel.pressed.discard(button)
        self.wait(100)
