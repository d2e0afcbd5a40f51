"""A panel that cannot be had, over the real gpiozero and lgpio: it is left out and said, and the rest goes on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from table.appliance.appliance import run_appliance
from table.config import Config, LoadedConfig, PageConfig, PanelConfig, TableConfig
from table.panel.gpio_panel import PinMap
from tests.fakes.lgpio_chip import WholeChip, played_chip
from tests.pi.inside.watched_table import fetch, health_of, is_kept_by_hand

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
EVERY = tuple(pin for _, pin in PinMap().parts())


def make_folder_unwritable(chip: WholeChip, patch: pytest.MonkeyPatch) -> None:
    """As lgpio answers where it cannot make its pipe."""
    for name in [name for name in sys.modules if name == "lgpio" or name.startswith("gpiozero")]:
        patch.delitem(sys.modules, name)
    patch.setattr(WholeChip, "_notify_open", lambda _: -88)


@pytest.mark.parametrize(("busy", "is_writable"), [((14, 25), True), (EVERY, True), ((), False)], ids=str)
def test_a_panel_that_cannot_be_had_is_left_out_and_said(
    busy: tuple[int, ...], is_writable: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config = Config(
        table=TableConfig(data=str(tmp_path)),
        page=PageConfig(host="127.0.0.1", port=0),
        panel=PanelConfig(kind="gpio"),
    )
    with played_chip(*busy) as chip:
        if not is_writable:
            make_folder_unwritable(chip, monkeypatch)
        with run_appliance(LoadedConfig(config=config)) as appliance:
            assert is_kept_by_hand(appliance)
            health = health_of(appliance)
            sentences = [*health["problems"], *health["panel"]["left_out"]]
            assert any("left out" in sentence or "GPIO 25 free for buzzer" in sentence for sentence in sentences), (
                sentences
            )
            assert not health["ok"]
            assert sentences[0].encode()[:20] in fetch(appliance, "/health")
