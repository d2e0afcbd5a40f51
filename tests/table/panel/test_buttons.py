from __future__ import annotations

import pytest

from table.panel.buttons import DEBOUNCE_NS, STUCK_NS, Contact, Fault, Push

MS = 1_000_000
HOLD_NS = 800 * MS


def pushes(contact: Contact, *times: tuple[int, bool], until_ms: int) -> list[tuple[int, Push]]:
    """What is said in steps of 5 ms; `times` are milliseconds with the level from then on."""
    pushes, level, changes = [], False, dict(times)
    for ms in range(0, until_ms, 5):
        level = changes.get(ms, level)
        push = contact.update(level, ms * MS)
        if push is not None:
            pushes.append((ms, push))
    return pushes


def test_a_short_press_is_said_at_its_release() -> None:
    contact = Contact(hold_ns=HOLD_NS)
    assert pushes(contact, (100, True), (250, False), until_ms=600) == [(280, Push.SHORT)]


def test_a_long_press_is_said_once_while_it_is_down() -> None:
    contact = Contact(hold_ns=HOLD_NS)
    assert pushes(contact, (100, True), (2500, False), until_ms=3000) == [(900, Push.HELD)]


def test_bounces_are_one_press() -> None:
    contact = Contact(hold_ns=HOLD_NS)
    bounces = [(100 + 5 * n, n % 2 == 0) for n in range(5)] + [(300 + 5 * n, n % 2 == 1) for n in range(5)]
    assert [push for _, push in pushes(contact, *bounces, until_ms=600)] == [Push.SHORT]


def test_a_spark_shorter_than_settling_is_nothing() -> None:
    contact = Contact(hold_ns=HOLD_NS)
    assert pushes(contact, (100, True), (100 + DEBOUNCE_NS // MS - 5, False), until_ms=400) == []


def test_a_stuck_button_is_said_and_left_out_until_it_comes_up() -> None:
    contact = Contact(hold_ns=HOLD_NS)
    stuck_ms = STUCK_NS // MS
    assert pushes(contact, (100, True), until_ms=stuck_ms + 300) == [(900, Push.HELD)]
    assert contact.fault is Fault.STUCK
    contact.update(False, (stuck_ms + 300) * MS)
    assert contact.update(False, (stuck_ms + 400) * MS) is None
    assert contact.fault is None


@pytest.mark.parametrize("lasting_ms", [100, 5000, STUCK_NS // MS + 1000])
def test_a_button_that_is_down_from_the_start_presses_nothing(lasting_ms: int) -> None:
    contact = Contact(hold_ns=HOLD_NS)
    assert pushes(contact, (0, True), until_ms=lasting_ms) == []
    assert contact.fault is Fault.DOWN_AT_START
    assert contact.update(False, lasting_ms * MS) is None
    assert contact.update(False, (lasting_ms + 50) * MS) is None
    assert contact.fault is None
