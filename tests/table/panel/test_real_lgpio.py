"""The panel through the real gpiozero and lgpio, above pins made of Python."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from table.panel.gpio_panel import GpioPanel, PinMap
from table.panel.lights import DARK
from table.panel.panel_port import TABLE, WINS

PINS = PinMap()
BOARDS = {"Pi 5": 0xC04170, "Pi 4": 0xC03115}


class Chip:
    """What lgpio's compiled half does, for pins of which some are busy."""

    def __init__(self, real: Any, *busy: int) -> None:
        self._real, self.busy = real, set(busy)
        self.levels: dict[int, int] = {}
        self.modes: dict[int, int] = {}
        self.duty: dict[int, float] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def _claim(self, pin: int, mode: int) -> int:
        if pin in self.busy:
            return int(sys.modules["lgpio"].GPIO_BUSY)
        self.modes[pin] = mode
        return 0

    def _gpiochip_open(self, chip: int) -> int:
        return 0

    def _gpiochip_close(self, handle: int) -> int:
        return 0

    def _gpio_claim_input(self, handle: int, flags: int, pin: int) -> int:
        return self._claim(pin, 0x100 | flags)

    def _gpio_claim_output(self, handle: int, flags: int, pin: int, level: int) -> int:
        return self._claim(pin, 0x202)

    def _gpio_claim_alert(self, handle: int, flags: int, edges: int, pin: int, notify: int) -> int:
        return self._claim(pin, 0x400 | flags)

    def _gpio_free(self, handle: int, pin: int) -> int:
        return 0

    def _gpio_read(self, handle: int, pin: int) -> int:
        return self.levels.get(pin, 1)

    def _gpio_write(self, handle: int, pin: int, level: int) -> int:
        self.levels[pin] = level
        return 0

    def _gpio_get_mode(self, handle: int, pin: int) -> int:
        return self.modes.get(pin, 0)

    def _gpio_set_debounce_micros(self, handle: int, pin: int, micros: int) -> int:
        return 0

    def _tx_pwm(self, *asked: float) -> int:
        self.duty[int(asked[1])] = asked[3]
        return 1


@pytest.fixture(params=BOARDS)
def chip(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Chip:
    monkeypatch.setenv("LG_WD", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    lgpio = pytest.importorskip("lgpio", reason="lgpio is absent: it is compiled for some Pythons only")
    pins = pytest.importorskip("gpiozero.pins.lgpio")
    played = Chip(lgpio._lgpio)
    monkeypatch.setattr(lgpio, "_lgpio", played)
    monkeypatch.setattr(pins.LGPIOFactory, "_get_revision", lambda _: BOARDS[request.param])
    return played


def test_a_busy_pin_costs_its_own_part_and_no_other(chip: Chip) -> None:
    chip.busy = {6, 9}
    panel = GpioPanel(PINS)
    assert panel.left_out == (
        "expected GPIO 6 free for win 1, got: 'GPIO busy'",
        "expected GPIO 10, 9, 11 free for light 2, got: 'GPIO busy'",
    )
    chip.levels[PINS.win[0]] = chip.levels[4] = 0
    assert panel.down() == {WINS[0], TABLE}
    panel.light(((255, 0, 0), DARK, (255, 0, 0), (255, 0, 0)))
    assert [chip.duty.get(pins[0]) for pins in PINS.lights] == [100, 0, 0, 100]
    panel.sound(440)
    assert chip.duty[25] == 50
    panel.close()
    assert set(chip.duty.values()) == {0}
