"""Every command can be given, and by whom."""

from __future__ import annotations

from typing import get_args

import pytest

from table.dashboard.live.commands_api import ADDRESSES
from table.dashboard.web.command_rights import refusal
from table.dashboard.web.roles import Role, Visitor
from table.game.command_reader import PRESSES
from table.game.game_commands import CallTime, CancelFoul, CancelWin, Command, DeclareWait, EndGame, OpenGame, Press
from table.rules.terms.seats import Seat

SEATED = Visitor(role=Role.SEAT, seat=Seat.FAR)
OWNER = Visitor(role=Role.OWNER)


def test_every_command_is_a_press_or_has_its_address() -> None:
    assert set(get_args(Command)) == {*PRESSES.values(), CancelFoul, *ADDRESSES.values()}
    assert not set(ADDRESSES.values()) & set(get_args(Press))


@pytest.mark.parametrize("command", [OpenGame(), EndGame(), CallTime()], ids=lambda command: command.word)
def test_only_the_owner_begins_and_ends_games(command: Command) -> None:
    assert refusal(command, SEATED) == "expected the owner of the table for this"
    assert refusal(command, OWNER) == ""


def test_a_wait_is_told_by_its_own_seat_alone() -> None:
    assert refusal(DeclareWait(seat=Seat.FAR), SEATED) == ""
    for who in (SEATED, OWNER):
        assert "the seat itself" in refusal(DeclareWait(seat=Seat.NEAR), who)


def test_a_claimed_win_is_withdrawn_by_one_phone_and_a_logged_foul_by_none() -> None:
    for who in (SEATED, OWNER):
        assert refusal(CancelWin(), who) == ""
        assert refusal(CancelFoul(foul=0), who) == (
            "expected a press that one phone may send, got 'cancel': name the foul instead"
        )
