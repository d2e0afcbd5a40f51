from __future__ import annotations

from typing import Any

import pytest

from table.game.commands.game_commands import CallDraw, Confirm, DeclareWait, LogFoul
from table.records.replay.recorded_presses import timed_presses
from table.rulebook import known_rules
from table.rules.terms.seats import Seat
from table.runtime.table_errors import PressError

PENALTIES = known_rules("home").ruleset.penalties
PLACE = "presses.jsonl line 7"


@pytest.mark.parametrize(
    "line",
    [
        {"press": "shout"},
        {"press": "ron", "seat": 4},
        {"press": "riichi"},
        {"press": "ron", "seat": 1, "han": 3, "fu": 37},
        {"press": "ron", "seat": 1, "fu": 30},
        {"press": "correct", "discard": 0},
        {"press": "correct", "discard": -1, "to": "1m"},
        {"press": "correct", "discard": 0, "to": "9z"},
    ],
    ids=repr,
)
def test_a_press_that_cannot_be_read_is_named_by_file_and_line(line: dict[str, Any]) -> None:
    with pytest.raises(PressError, match=f"expected .*, at {PLACE}$"):
        timed_presses([{"frame": 0, "press": "draw"}, {"frame": 1, **line}], ["presses.jsonl line 1", PLACE])


@pytest.mark.parametrize("word", ["foul", "name_foul"])
def test_a_foul_whose_clause_does_not_exist_is_refused_with_the_nearest(word: str) -> None:
    line = {"press": word, "seat": 1, "clause": "7-05-1"}
    with pytest.raises(PressError, match=f"got '7-05-1' in '{word}'; did you mean '7-05-1[0-9]'.*, at {PLACE}$"):
        timed_presses([line], [PLACE], penalties=PENALTIES)


@pytest.mark.parametrize("clause", ["7-05-01", "EMA 6.6", "R22", "other", None])
def test_a_foul_by_any_rulebook_or_by_none_is_taken(clause: str | None) -> None:
    (press,) = timed_presses([{"press": "foul", "seat": 1, "clause": clause}], penalties=PENALTIES)
    assert isinstance(press, LogFoul)
    assert press.clause == clause


def test_a_key_that_no_press_has_is_ignored_and_named(caplog: pytest.LogCaptureFixture) -> None:
    line = {"frame": 3, "press": "wait", "seat": 1, "tiels": "36m"}
    assert timed_presses([line], [PLACE]) == [DeclareWait(seat=Seat.RIGHT, frame=3)]
    messages = [f"expected a key of a press, got 'tiels', at {PLACE}: ignored; did you mean 'tiles'?"]
    assert [record.getMessage() for record in caplog.records] == messages


def test_presses_of_no_file_are_counted() -> None:
    assert timed_presses([{"press": "draw"}, {"press": "confirm"}]) == [CallDraw(), Confirm()]
    with pytest.raises(PressError, match=r"at press 1$"):
        timed_presses([{"press": "draw"}, {}])
