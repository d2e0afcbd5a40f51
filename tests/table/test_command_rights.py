"""Every command can be given, and by whom."""

from __future__ import annotations

from typing import get_args

import pytest

from table.dashboard.live.commands_api import ADDRESSES
from table.dashboard.web.access.command_rights import refusal
from table.dashboard.web.access.roles import Role, Visitor
from table.game.commands.command_reader import PRESSES
from table.game.commands.game_commands import (
    AdjustPoints,
    CallTime,
    CancelFoul,
    CancelWin,
    Command,
    DeclareWait,
    EndGame,
    LogFoul,
    OpenGame,
    Press,
    PressFoulButton,
    PressTableButton,
)
from table.game.snapshot import Mode
from table.rules.terms.seats import Seat

SEATED = Visitor(role=Role.SEAT, seat=Seat.FAR)
OWNER = Visitor(role=Role.OWNER)


def why_not(command: Command, visitor: Visitor) -> str:
    """The sentence that tells why a command may not be given."""
    error = refusal(command, visitor)
    assert error is not None
    return error.says


def test_every_command_is_a_press_or_has_its_address() -> None:
    assert set(get_args(Command)) == {*PRESSES.values(), CancelFoul, *ADDRESSES.values()}
    assert not set(ADDRESSES.values()) & set(get_args(Press))


@pytest.mark.parametrize("command", [OpenGame(), EndGame(), CallTime()], ids=lambda command: command.word)
def test_only_the_owner_begins_and_ends_games(command: Command) -> None:
    assert why_not(command, SEATED) == "owner"
    assert refusal(command, OWNER) is None


def test_a_wait_is_told_by_its_own_seat_alone() -> None:
    assert refusal(DeclareWait(seat=Seat.FAR), SEATED) is None
    for who in (SEATED, OWNER):
        assert why_not(DeclareWait(seat=Seat.NEAR), who) == "own_wait"


@pytest.mark.parametrize(
    "command",
    [LogFoul(seat=Seat.FAR), CancelFoul(foul=0), PressFoulButton(seat=Seat.FAR), PressTableButton()],
    ids=lambda command: type(command).__name__,
)
def test_a_claimed_win_is_withdrawn_by_one_phone_and_a_foul_logged_or_cancelled_by_none(command: Command) -> None:
    for who in (SEATED, OWNER):
        assert refusal(CancelWin(), who) is None
        assert why_not(command, who) == "name_foul"


@pytest.mark.parametrize("mode", Mode)
def test_points_are_corrected_by_everybody_at_home_and_elsewhere_by_the_owner(mode: Mode) -> None:
    command = AdjustPoints(points=(-1000, 1000, 0, 0), hand=0, why="paid wrongly")
    assert refusal(command, OWNER, mode) is None
    assert (refusal(command, SEATED, mode) is None) is (mode is Mode.HOME)
    assert refusal(command, Visitor(), mode) is not None
