"""A played camera shows every discard: a hand that is drawn early before it lacks none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from table.appliance.parts.appliance_basis import appliance_basis
from table.config import CameraConfig, Config, LoadedConfig, TableConfig
from table.dashboard.live.table_view import table_view
from table.game.commands.game_commands import CallDraw
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_opening import OpenedJournal
from table.game.snapshot import CameraHealth
from table.i18n import catalogue
from table.runtime.clock import LogicalClock
from tests.table.game.table_by_hand import TableByHand

QUESTIONS = ["East’s unseen or unread discards, perhaps a nagashi mangan"]


def _table(folder: Path, **camera: Any) -> TableByHand:
    config = Config(table=TableConfig(data=str(folder)), camera=CameraConfig(**camera))
    basis = appliance_basis(LoadedConfig(config=config), OpenedJournal(journal=Journal(None)), LogicalClock())
    by_hand = TableByHand(table=basis.table)
    by_hand.discard((0, "1m"), (1, "2m"), (2, "3m"))
    return by_hand


def _missing(by_hand: TableByHand) -> list[str]:
    by_hand.press(CallDraw, by="seat 0")
    ending: dict[str, list[str]] = table_view(by_hand.table.board.latest, catalogue("en"))["ending"]
    return ending["missing"]


@pytest.mark.parametrize(
    ("camera", "questions"),
    [({"source": "recording", "file": "x"}, []), ({"source": "drawn"}, []), ({"source": "usb"}, QUESTIONS)],
    ids=["recording", "drawn", "usb"],
)
def test_a_hand_drawn_early_is_asked_about_only_before_a_camera_that_may_miss_something(
    tmp_path: Path, camera: dict[str, str], questions: list[str]
) -> None:
    assert _missing(_table(tmp_path, **camera)) == questions


@pytest.mark.parametrize(
    ("reason", "questions"), [("", []), ("dark", ["who was tenpai", *QUESTIONS])], ids=["it has ended", "it is dark"]
)
def test_the_end_of_a_recording_hides_nothing_but_its_dark_part_does(
    tmp_path: Path, reason: str, questions: list[str]
) -> None:
    by_hand = _table(tmp_path, source="recording", file="x")
    by_hand.table.set_camera_health(CameraHealth.LOST, reason=reason)
    assert _missing(by_hand) == questions
