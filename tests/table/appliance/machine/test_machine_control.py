"""What the owner does to the machine from the phone, with commands that are played."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from table.appliance.machine.machine_control import (
    CHECKOUT,
    REPORT,
    UpdateStatus,
    ask,
    begin_update,
    can_update,
    is_updating,
    log_of_all_boots,
    update_status,
)
from table.runtime.system_command import run_command
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


def test_an_update_is_begun_by_systemd_and_nobody_waits_for_it() -> None:
    ran: list[Sequence[str]] = []
    begin_update(lambda command: ran.append(command) or "")  # type: ignore[func-returns-value]
    assert ran == [["systemctl", "--no-ask-password", "start", "--no-block", "tachiai-update.service"]]
    with pytest.raises(PressError, match="Access denied") as refused:
        begin_update(refusing)
    assert refused.value.says == "machine"


@pytest.mark.parametrize(
    ("report", "unit", "expected"),
    [
        ("running check 2026-11-23 02:40\n", "activating\n", "running"),
        ("running check 2026-11-23 02:40\n", "inactive\n", "cut"),
        ("done check 2026-11-23 02:40\n", "inactive\n", "done"),
        ("failed check 2026-11-23 02:40\nthe new version does not pass\n", "failed\n", "failed"),
    ],
)
def test_how_an_update_stands_is_read_from_its_report_and_from_systemd(
    report: str, unit: str, expected: str, tmp_path: Path
) -> None:
    (tmp_path / REPORT).write_text(report)
    status = update_status(lambda _: unit, tmp_path)
    assert (status.state, status.step, status.when) == (expected, "check", "2026-11-23 02:40")


def test_an_update_that_ends_while_it_is_looked_at_was_not_cut_short(tmp_path: Path) -> None:
    (tmp_path / REPORT).write_text("running switch 2026-11-23 02:40\n")

    def ends(command: Sequence[str]) -> str:
        (tmp_path / REPORT).write_text("done switch 2026-11-23 02:41\n")
        return "inactive\n"

    assert update_status(ends, tmp_path).state == "done"


@pytest.mark.parametrize(
    ("states", "expected"),
    [("activating\n\n", True), ("inactive\n\n417\n", True), ("inactive\n\n", False), ("failed\n\n0\n", False)],
)
def test_an_update_that_waits_for_its_turn_is_running_too(states: str, expected: bool) -> None:
    assert is_updating(lambda _: states) is expected
    assert not is_updating(refusing)


def test_an_update_that_keeps_the_machine_too_busy_to_answer_was_not_cut_short(tmp_path: Path) -> None:
    (tmp_path / REPORT).write_text("running environment 2026-11-23 02:40\n")

    def busy(command: Sequence[str]) -> str:
        return run_command(["sleep", "5"], timeout_s=0.01)

    assert update_status(busy, tmp_path).state == "running"
    assert is_updating(busy)


@pytest.mark.parametrize("report", [None, "", "running", "gone check now", "done elsewhere now"])
def test_no_report_or_one_that_cannot_be_understood_is_no_update(report: str | None, tmp_path: Path) -> None:
    if report is not None:
        (tmp_path / REPORT).write_text(report)
    assert update_status(refusing, tmp_path) == UpdateStatus()


def test_an_update_comes_from_the_checkout_that_the_installer_came_from(tmp_path: Path) -> None:
    assert not can_update(tmp_path)
    (tmp_path / CHECKOUT).symlink_to("/home/of/somebody")  # where the table itself may not look
    assert can_update(tmp_path)


def test_the_log_is_the_systems_where_it_keeps_one_and_else_our_own() -> None:
    assert log_of_all_boots(["now"], lambda _: "boot 1\nboot 2\n") == "boot 1\nboot 2\n"
    assert log_of_all_boots(["now"], refusing) == "only lines since this start: Access denied\nnow\n"
    assert log_of_all_boots(["now"], lambda _: "-- No entries --\n") == "-- No entries --\nnow\n"
