"""The siege leaves out nothing that people can ask for, and, with `--long`, ten minutes of it lose nothing.

What it tries by chance is proven rule by rule, in process: any press and any game (`dashboard/`), power cuts, damaged
journals, wrong files and interrupted restores.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from random import Random
from typing import get_args

import pytest

from table.dashboard.live.commands_api import ADDRESSES
from table.game.command_reader import PRESSES
from table.game.game_commands import Command
from tests.endurance.siege.any_command import FIELDS, KINDS, SAID_AS, UNSAID, any_kind, posted
from tests.places import ROOT


def siege(*options: str) -> str:
    command = [sys.executable, "-m", "tests.endurance.siege", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("kind", get_args(Command))
def test_every_command_is_given_with_everything_that_it_can_say(kind: type[Command]) -> None:
    assert {SAID_AS.get(each.name, each.name) for each in fields(kind)} - UNSAID <= set(FIELDS)
    chance = Random(1)
    bodies = [posted(kind, {}, chance) for _ in range(50)]
    assert {SAID_AS.get(each.name, each.name) for each in fields(kind)} - UNSAID <= {
        name for _, body in bodies for name in body
    }


def test_every_way_in_is_used_by_somebody() -> None:
    chance = Random(2)
    kinds = {any_kind({}, chance) for _ in range(20_000)}
    assert kinds == set(KINDS) == set(get_args(Command))
    deeds = [posted(kind, {}, chance) for kind in KINDS]
    assert {address for address, _ in deeds} == {"/api/press", *(f"/api/{each}" for each in ADDRESSES)}
    assert {body["press"] for _, body in deeds if "press" in body} == set(PRESSES)


@pytest.mark.long
def test_ten_minutes_of_siege_lose_nothing() -> None:
    assert "nothing lost, no page dead" in siege("--minutes", "10")
