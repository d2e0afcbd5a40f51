from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from table.cli.main import build_parser
from table.game.commands.command_reader import PRESSES, read_press
from table.rules.terms.announcements import AnnouncementId
from tests import config_schema
from tests.contracts import FOLDER, assert_keeps, schema, validator
from tests.places import ROOT

SCHEMAS = sorted(path.name.removesuffix(".schema.json") for path in FOLDER.glob("*.schema.json"))


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_valid_and_named_in_the_readme(name: str) -> None:
    assert validator(name)
    assert f"| `{name}` |" in (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_says_its_name_and_its_version(name: str) -> None:
    assert re.fullmatch(rf"urn:tachiai:{name}:[1-9]\d*", schema(name)["$id"])


PRINTED = {
    "audit": "audit",
    "bench": "bench",
    "calibrate": "calibrate",
    "check": "health",
    "demo": "demo",
    "read": "read",
    "replay": "event",
    "rules diff": "rules_diff",
    "rules list": "rules",
    "rules play": "rules_play",
    "rules show": "rules_show",
    "scan": "scan",
    "score": "score",
    "season": "season",
}
"""The schema of what each command prints with `--json`."""


def test_every_command_that_prints_json_has_a_schema() -> None:
    def printing(parser: argparse.ArgumentParser, name: str = "") -> Iterator[str]:
        for action in parser._actions:
            if "--json" in action.option_strings:
                yield name
            if isinstance(action, argparse._SubParsersAction):
                for word, choice in action.choices.items():
                    yield from printing(choice, f"{name} {word}".strip())

    assert set(printing(build_parser())) - {"rules import", "rules export"} == set(PRINTED)
    assert set(PRINTED.values()) <= set(SCHEMAS)


def test_the_schema_of_the_configuration_is_that_of_the_classes_that_read_it() -> None:
    assert config_schema.FILE.read_text(encoding="utf-8") == config_schema.schema_text()


def test_the_configuration_of_the_appliance_keeps_its_schema() -> None:
    example = ROOT / "firmware-config" / "etc" / "tachiai" / "tachiai.toml"
    assert_keeps("config", tomllib.loads(example.read_text(encoding="utf-8")))
    assert_keeps("config", {})
    assert list(validator("config").iter_errors({"camera": {"source": "usb", "fps": 100}}))
    assert list(validator("config").iter_errors({"kamera": {}}))


def test_the_announcement_schema_lists_every_saying() -> None:
    assert schema("announcement")["properties"]["id"]["enum"] == [saying.value for saying in AnnouncementId]


@pytest.mark.parametrize("end", [{"type": "hora", "actor": 0, "target": 1}, {"type": "ryukyoku"}])
def test_the_event_schema_has_what_fouls_moved_at_each_end_of_a_hand(end: dict[str, Any]) -> None:
    assert_keeps("event", {**end, "foul_payments": [0, -1000, 0, 0]})
    assert list(validator("event").iter_errors({**end, "foul_payments": [-1000]}))


def test_the_press_schema_lists_every_press() -> None:
    assert schema("press")["properties"]["press"]["enum"] == list(PRESSES)


@pytest.mark.parametrize(
    "press",
    [
        {"frame": 3, "press": "ron", "seat": 2, "tiles": "123m456p789s11222z", "han": 3, "fu": 30},
        {"press": "tsumo", "seat": 0, "melds": ["123m", "(2222s)"]},
        {"press": "confirm"},
        {"press": "correct", "discard": 4, "to": "0p"},
        {"press": "foul", "seat": 1, "clause": "7-05-01", "option": "a"},
        {"press": "wait", "seat": 3, "tiles": ["3s", "6s"]},
        {"press": "open", "seat": 3, "tiles": ["4s", "5s"]},
    ],
)
def test_presses_of_the_contract_are_understood(press: dict[str, Any]) -> None:
    assert_keeps("press", press)
    assert read_press(press).word == press["press"]


@pytest.mark.parametrize(
    "press",
    [{"press": "ron"}, {"press": "sing"}, {"press": "correct", "discard": 1}, {"press": "tsumo", "seat": 4}, {}],
)
def test_what_breaks_the_contract_of_presses_is_refused_with_one_clear_message(press: dict[str, Any]) -> None:
    assert list(validator("press").iter_errors(press))
    with pytest.raises(ValueError, match=r"expected .* got "):
        read_press(press)
