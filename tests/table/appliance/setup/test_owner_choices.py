"""What is chosen on the phone lies over the configuration and never in it."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from table.appliance.setup import owner_choices
from table.appliance.setup.owner_choices import FILE, ChoicesFile, load
from table.config import CameraConfig, Config, TableConfig
from table.runtime.table_errors import ConfigError

HOME = Config()
CLUB = Config(table=TableConfig(mode="club"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / FILE


def test_a_choice_survives_a_restart(path: Path) -> None:
    ChoicesFile(path, HOME).choose({"table.mode": "tournament"})
    ChoicesFile(path, HOME).choose({"tiles.tileset": "mine.tileset"})
    config = load(path).applied_to(HOME)
    assert (config.table.mode, config.tiles.tileset) == ("tournament", "mine.tileset")
    assert replace(config, table=HOME.table, tiles=HOME.tiles) == HOME


def test_a_configuration_edited_by_hand_since_then_is_the_newer_word(path: Path) -> None:
    ChoicesFile(path, HOME).choose({"table.mode": "tournament"})
    assert load(path).applied_to(CLUB).table.mode == "club"
    ChoicesFile(path, CLUB).choose({"table.mode": "tournament"})
    assert load(path).applied_to(CLUB).table.mode == "tournament"


def test_a_camera_that_the_configuration_selects_since_then_has_nothing_of_the_chosen_one(path: Path) -> None:
    usb = Config(camera=CameraConfig(source="usb"))
    choice = {"camera.source": "usb", "camera.device": "0", "camera.address": "/dev/v4l/by-id/desk"}
    ChoicesFile(path, usb).choose(choice | {"camera.mains_hz": "60"})
    assert load(path).applied_to(usb).camera.address == "/dev/v4l/by-id/desk"
    edited = replace(usb, camera=replace(usb.camera, device=1))
    assert load(path).applied_to(edited).camera == replace(edited.camera, mains_hz=60)


def test_what_was_done_stays_done(path: Path) -> None:
    file = ChoicesFile(path, HOME)
    file.step("camera", "skipped")
    file.step("camera", "done")
    file.step("camera", "skipped")
    file.step("tiles", "skipped")
    assert load(path).steps == {"camera": "done", "tiles": "skipped"}


@pytest.mark.parametrize("text", ["", "[]", '{"format": 9}', '{"format": 1, "settings": [], "steps": {}}'])
def test_a_file_that_cannot_be_understood_is_left_out_and_named(
    path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    path.write_text(text, "utf-8")
    with caplog.at_level(logging.WARNING):
        assert load(path).applied_to(HOME) == HOME
    assert "expected choices of format 1, got" in caplog.text


def test_a_mode_that_there_is_none_is_never_played(path: Path) -> None:
    ChoicesFile(path, HOME).choose({"table.mode": "loud"})
    assert load(path).applied_to(HOME).table.mode == "home"


def test_a_disk_that_refuses_is_told_and_the_choice_counts_meanwhile(tmp_path: Path) -> None:
    file = ChoicesFile(tmp_path / "missing" / FILE, HOME)
    with pytest.raises(ConfigError, match="expected a writable file for choices"):
        file.choose({"table.mode": "club"})
    assert file.choices.applied_to(HOME).table.mode == "club"


def test_choices_made_together_are_written_at_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, written = ChoicesFile(path, HOME), list[str]()
    monkeypatch.setattr(owner_choices, "write_whole", lambda path, text, mode: written.append(text))
    file.choose({"camera.source": "usb", "camera.device": "1"})
    assert [sorted(json.loads(text)["settings"]) for text in written] == [["camera.device", "camera.source"]]


@pytest.mark.parametrize("value", ["1" + "0" * 400, "1" + "0" * 5000, "1.0e999", "-1", "nan.", "0x10"])
@pytest.mark.parametrize("name", ["table.side_mm", "camera.focus", "camera.device", "camera.mains_hz"])
def test_a_number_that_no_setting_can_be_is_left_out_and_named(
    path: Path, name: str, value: str, caplog: pytest.LogCaptureFixture
) -> None:
    ChoicesFile(path, HOME).choose({name: value})
    with caplog.at_level(logging.WARNING):
        assert load(path).applied_to(HOME) == HOME
    assert f"expected a value for {name}, got" in caplog.text
    assert len(caplog.messages[0]) < 300
