"""The panel through the real gpiozero and lgpio, above pins made of Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.panel.gpio_panel import GpioPanel, PinMap
from table.panel.panel_port import TABLE, WINS
from table.panel.seat_lights import DARK
from tests.fakes.lgpio_chip import BOARDS, Chip

PINS = PinMap()


@pytest.fixture(params=BOARDS)
def chip(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Chip:
    monkeypatch.setenv("LG_WD", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    lgpio = pytest.importorskip("lgpio", reason="lgpio is absent: it is compiled for some Pythons only")
    pins = pytest.importorskip("gpiozero.pins.lgpio")
    chip = Chip(lgpio._lgpio)
    monkeypatch.setattr(lgpio, "_lgpio", chip)
    monkeypatch.setattr(pins.LGPIOFactory, "_get_revision", lambda _: BOARDS[request.param])
    return chip


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
