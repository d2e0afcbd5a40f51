from __future__ import annotations

from typing import Any

import pytest

from table.errors import PressError
from table.presses import parse_press
from table.referee.pressed import events_of
from table.rules.events import Event, FoulCancelled, FoulLogged
from table.rules.seats import Seat
from tests.contracts import assert_keeps
from tests.rules.situations import play


def events(press: dict[str, Any]) -> list[Event]:
    """What a press means in a hand that has just begun; the press keeps its contract."""
    assert_keeps("press", press)
    return list(events_of(parse_press(press), play("").hand))


def test_a_foul_names_its_offender_clause_option_and_what_people_know() -> None:
    press = {"press": "foul", "seat": 2, "clause": "7-06-01", "option": "d", "facts": ["exposed=3", "deliberate"]}
    told = FoulLogged(seat=Seat.FAR, clause="7-06-01", option="d", facts=("exposed=3", "deliberate"))
    assert events(press) == [told]


def test_a_foul_that_nobody_named_yet_names_its_offender_only() -> None:
    assert events({"press": "foul", "seat": 1}) == [FoulLogged(seat=Seat.RIGHT, clause="other")]


def test_a_foul_is_cancelled_by_its_number_with_a_reason() -> None:
    press = {"press": "cancel", "foul": 0, "reason": "the tiles were right"}
    assert events(press) == [FoulCancelled(foul=0, reason="the tiles were right")]


def test_a_fact_that_is_none_is_refused() -> None:
    with pytest.raises(PressError, match=r"in a 'foul' press: expected a condition .* did you mean deliberate"):
        events({"press": "foul", "seat": 1, "clause": "7-06-02", "facts": ["deliberat"]})
