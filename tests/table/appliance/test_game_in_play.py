"""Whether a game is being played, as the installer asks before an update."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from table.appliance.appliance import run_appliance
from table.appliance.game_in_play import is_played
from table.config import PageConfig
from table.game.commands.game_commands import EndGame
from tests.table.appliance.configured import make_config
from tests.table.game.by_hand import tell, win


def test_a_game_is_played_from_its_first_settled_hand_until_it_is_over(tmp_path: Path) -> None:
    loaded_config = make_config(tmp_path)
    assert not is_played(loaded_config.config), "no table runs"
    with run_appliance(loaded_config) as appliance:
        config = replace(loaded_config.config, page=replace(loaded_config.config.page, port=appliance.port))
        assert not is_played(config)
        tell(appliance.table, win(1, 0, 3))
        assert is_played(config)
        assert not is_played(replace(config, table=replace(config.table, data=str(tmp_path / "other"))))
        assert not is_played(replace(config, page=replace(config.page, port=1))), "none answers there"
        assert appliance.loop is not None
        appliance.loop.handle(EndGame(by="seat 0"))
        assert not is_played(config)


def test_a_table_that_serves_one_address_only_is_asked_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    loaded_config = make_config(tmp_path)
    loaded_config = replace(
        loaded_config, config=replace(loaded_config.config, page=PageConfig(host="127.0.0.2", port=0))
    )
    with run_appliance(loaded_config) as appliance:
        tell(appliance.table, win(1, 0, 3))
        assert is_played(replace(loaded_config.config, page=replace(loaded_config.config.page, port=appliance.port)))
