"""The panel that the configuration names."""

from __future__ import annotations

import logging

from table.config import PanelConfig
from table.panel.gpio_panel import GpioPanel
from table.panel.keyboard_panel import KeyboardPanel
from table.panel.led_strip import open_strip
from table.panel.panel_port import Panel
from table.panel.usb_panel import UsbPanel
from table.runtime.table_errors import ConfigError

_log = logging.getLogger(__name__)


def panel_of(config: PanelConfig) -> Panel:
    """Returns the configured panel, without the parts that cannot be used.

    Raises:
        ConfigError: no part of it can be used.
    """
    if config.kind == "keyboard":
        return KeyboardPanel(hold_s=config.hold_s)
    if config.kind == "usb":
        return UsbPanel(config.board_buttons, board=config.usb_board)
    try:
        strip = open_strip(config.strip_per_seat) if config.strip_per_seat else None
    except ConfigError as error:
        _log.error("the strip is left out: %s", error)
        return GpioPanel(config.pins, left_out=[str(error)])
    return GpioPanel(config.pins, strip=strip)
