from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from table.game.commands.game_commands import ClaimRon, ClaimTsumo, Press, PressTableButton
from table.game.snapshot import Board, Snapshot
from table.panel.gpio_panel import GpioPanel, PinMap
from table.panel.led_strip import Strip, spi_bytes
from table.panel.panel_driver import PanelDriver
from table.panel.panel_port import BUTTONS, TABLE, WINS
from table.panel.seat_lights import DARK
from table.rules.state import GameState
from table.rules.terms.seats import Seat
from table.runtime.table_errors import ConfigError
from tests.fakes.panels import BusyPins, LgpioError

gpiozero = pytest.importorskip("gpiozero")
from gpiozero.pins.mock import MockFactory, MockPWMPin  # noqa: E402

PINS = PinMap()


@pytest.fixture
def factory() -> Iterator[Any]:
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


@pytest.fixture
def panel(factory: Any) -> Iterator[GpioPanel]:
    panel = GpioPanel(PINS, pin_factory=factory)
    yield panel
    panel.close()


def test_every_button_of_the_map_is_read_at_its_own_pin(panel: GpioPanel, factory: Any) -> None:
    assert set(PINS.buttons()) == set(BUTTONS)
    for button, pin in PINS.buttons().items():
        assert panel.down() == set()
        factory.pin(pin).drive_low()
        assert panel.down() == {button}
        factory.pin(pin).drive_high()


def test_each_seats_light_has_its_three_pins(panel: GpioPanel, factory: Any) -> None:
    panel.light((DARK, (255, 0, 51), DARK, DARK))
    assert [round(factory.pin(pin).state, 2) for pin in PINS.lights[1]] == [1.0, 0.0, 0.2]
    assert [factory.pin(pin).state for pin in PINS.lights[0]] == [0, 0, 0]


def test_common_anode_lights_shine_where_the_pin_is_low(factory: Any) -> None:
    panel = GpioPanel(PinMap(common_anode=True), pin_factory=factory)
    panel.light(((255, 0, 0), DARK, DARK, DARK))
    assert [factory.pin(pin).state for pin in PINS.lights[0]] == [0, 1, 1]
    panel.close()


def test_the_buzzer_sounds_and_is_silent_again(panel: GpioPanel, factory: Any) -> None:
    assert PINS.buzzer is not None
    panel.sound(440)
    assert (factory.pin(PINS.buzzer).frequency, factory.pin(PINS.buzzer).state) == (440, 0.5)
    panel.sound(None)
    assert factory.pin(PINS.buzzer).state == 0


def test_closing_twice_lets_every_pin_go_once(factory: Any) -> None:
    panel = GpioPanel(PINS, pin_factory=factory)
    panel.close()
    panel.close()
    GpioPanel(PINS, pin_factory=factory).close()


def test_a_panel_without_some_parts_is_one(factory: Any) -> None:
    panel = GpioPanel(PinMap(lights=(), foul=(), table=None, buzzer=None), pin_factory=factory)
    panel.light((DARK, DARK, DARK, DARK))
    panel.sound(440)
    assert panel.down() == set()
    panel.close()


def test_a_strip_shows_what_changed_and_ends_dark(factory: Any) -> None:
    transfers = list[bytes]()

    class Bus:
        def writebytes2(self, data: bytes) -> None:
            transfers.append(data)

        def close(self) -> None:
            transfers.append(b"closed")

    red = ((255, 0, 0), DARK, DARK, DARK)
    panel = GpioPanel(PinMap(lights=()), strip=Strip(Bus(), per_seat=1), pin_factory=factory)
    panel.light(red)
    panel.light(red)
    panel.close()
    assert transfers == [spi_bytes(red), spi_bytes([DARK] * 4), b"closed"]


@pytest.mark.parametrize(
    ("pins", "message"),
    [
        ({"table": 5}, r"table: expected a pin of its own, got GPIO 5 of win 0"),
        ({"buzzer": 40}, r"buzzer: expected a GPIO number from 2 to 27, got 40"),
        ({"lights": ((2, 3, 2),)}, r"light 0 blue: expected a pin of its own, got GPIO 2 of light 0 red"),
    ],
)
def test_a_map_that_cannot_be_wired_is_refused(pins: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        PinMap(**pins)


def test_no_light_hangs_where_a_pi_pulls_up_at_its_start_nor_on_a_fan_s_pin_or_a_bus() -> None:
    pulled_up, fan_and_console, bus = set(range(9)), {14, 15}, {2, 3}
    lit = {pin for part, pin in PINS.parts() if part.startswith("light") or part == "buzzer"}
    assert len(lit) == 13
    assert not lit & pulled_up
    assert not {pin for _, pin in PINS.parts()} & (fan_and_console | bus)


@pytest.mark.parametrize("pin", [9, 10, 11])
def test_a_part_on_a_pin_of_the_strip_is_refused(pin: int) -> None:
    with pytest.raises(ConfigError, match=f"buzzer: expected a pin that the strip leaves free .*, got GPIO {pin};"):
        PinMap(lights=(), buzzer=pin).check_beside_strip()
    PinMap(lights=()).check_beside_strip()


def test_a_panel_of_which_no_pin_can_be_had_is_none(factory: Any) -> None:
    first = GpioPanel(PINS, pin_factory=factory)
    with pytest.raises(ConfigError, match=r"expected GPIO 5 free for win 0, got: .*already in use"):
        GpioPanel(PINS, pin_factory=factory)
    first.close()


@pytest.mark.parametrize(
    ("pin", "message"),
    [
        (6, "expected GPIO 6 free for win 1, got: GPIO busy"),
        (4, "expected GPIO 4 free for table, got: GPIO busy"),
        (10, "expected GPIO 10, 9, 11 free for light 2, got: GPIO busy"),
        (11, "expected GPIO 10, 9, 11 free for light 2, got: GPIO busy"),
        (25, "expected GPIO 25 free for buzzer, got: GPIO busy"),
    ],
)
def test_a_busy_pin_costs_its_own_part_and_no_other(pin: int, message: str, caplog: pytest.LogCaptureFixture) -> None:
    factory = BusyPins(pin)
    panel = GpioPanel(PINS, pin_factory=factory)
    assert panel.left_out == (message,)
    assert message in caplog.text
    for button, at in PINS.buttons().items():
        if at != pin:
            factory.pin(at).drive_low()
            assert panel.down() == {button}
            factory.pin(at).drive_high()
    panel.light(((255, 0, 0),) * 4)
    panel.sound(440)
    lit = [seat for seat, pins in enumerate(PINS.lights) if pin not in pins and factory.pin(pins[0]).state]
    assert lit == [seat for seat in range(4) if pin not in PINS.lights[seat]]
    panel.close()
    factory.busy.clear()
    GpioPanel(PINS, pin_factory=factory).close()


def test_a_pin_that_fails_in_the_evening_is_left_out_then_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    panel = GpioPanel(PINS, pin_factory=factory)
    torn_pins = {PINS.win[0], PINS.lights[3][0], PINS.buzzer}

    def working_pin(pin: Any) -> Any:
        if pin.info.name in {f"GPIO{each}" for each in torn_pins}:
            raise LgpioError("bad handle")
        return pin

    read, write = MockPWMPin._get_state, MockPWMPin._set_state
    monkeypatch.setattr(MockPWMPin, "_get_state", lambda pin: read(working_pin(pin)))
    monkeypatch.setattr(MockPWMPin, "_set_state", lambda pin, value: write(working_pin(pin), value))
    factory.pin(PINS.win[1]).drive_low()
    assert panel.down() == {WINS[1]}
    panel.light(((255, 0, 0),) * 4)
    panel.sound(440)
    panel.sound(None)
    assert panel.down() == {WINS[1]}
    assert [reason.split(" on ")[0] for reason in panel.left_out] == [
        "expected win 0",
        "expected light 3",
        "expected the buzzer",
    ]
    panel.close()


def test_a_strip_that_fails_is_left_out(factory: Any) -> None:
    class TornBus:
        def writebytes2(self, data: bytes) -> None:
            raise OSError(5, "Input/output error")

        def close(self) -> None:
            """Nothing is held."""

    panel = GpioPanel(PinMap(lights=()), strip=Strip(TornBus(), per_seat=1), pin_factory=factory)
    panel.light(((255, 0, 0), DARK, DARK, DARK))
    panel.light((DARK, DARK, DARK, DARK))
    (reason,) = panel.left_out
    assert reason == "expected a strip on a bus that can be written to, got: Input/output error"
    panel.close()


def test_a_finger_on_a_mock_pin_becomes_a_press(panel: GpioPanel, factory: Any) -> None:
    now, transfers = [0], list[Press]()
    board = Board(Snapshot(version=1, game=GameState(scores=(25000,) * 4)))
    driver = PanelDriver(panel, board, transfers.append, now_ns=lambda: now[0])

    def pass_time(ms: int) -> None:
        for _ in range(ms // 10):
            now[0] += 10_000_000
            driver.step()

    pins = PINS.buttons()
    pass_time(50)
    for button, ms in ((WINS[2], 100), (WINS[2], 1000), (TABLE, 100)):
        factory.pin(pins[button]).drive_low()
        pass_time(ms)
        factory.pin(pins[button]).drive_high()
        pass_time(100)
    assert transfers == [ClaimRon(seat=Seat.FAR), ClaimTsumo(seat=Seat.FAR), PressTableButton(held=False)]
