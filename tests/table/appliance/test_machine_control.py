"""What the owner does to the machine from the phone, with commands that are played."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest

from table.appliance.machine_control import ask, log_of_all_boots, run_command
from table.runtime.table_errors import PressError


def refusing(command: Sequence[str]) -> str:
    raise OSError("Access denied")


@pytest.mark.parametrize("verb", ["reboot", "poweroff"])
def test_the_machine_is_asked_as_systemd_wants_it(verb: str) -> None:
    ran: list[Sequence[str]] = []

    def run(command: Sequence[str]) -> str:
        ran.append(command)
        return ""

    ask(verb, run)
    assert ran == [["systemctl", "--no-ask-password", verb]]
    with pytest.raises(PressError, match="Access denied") as refused:
        ask(verb, refusing)
    assert refused.value.says == "machine"


def test_nothing_else_can_be_asked_for() -> None:
    with pytest.raises(PressError, match="expected one of reboot, poweroff"):
        ask("halt; rm", refusing)


def test_the_log_is_the_systems_where_it_keeps_one_and_else_our_own() -> None:
    assert log_of_all_boots(["now"], lambda _: "boot 1\nboot 2\n") == "boot 1\nboot 2\n"
    assert log_of_all_boots(["now"], refusing) == "only lines since this start: Access denied\nnow\n"
    assert log_of_all_boots(["now"], lambda _: "-- No entries --\n") == "-- No entries --\nnow\n"


def test_a_command_that_fails_or_is_not_there_is_told() -> None:
    assert run_command([sys.executable, "-c", "print(1)"]) == "1\n"
    with pytest.raises(OSError, match="why"):
        run_command([sys.executable, "-c", "import sys; sys.exit('why')"])
    with pytest.raises(OSError, match="no-such-program"):
        run_command(["no-such-program"])
