from __future__ import annotations

from typing import Any

import pytest

from table.game.game_commands import CallDraw, Confirm
from table.records.recorded_presses import timed_presses
from table.runtime.table_errors import PressError

WHERE = "presses.jsonl line 7"


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
    with pytest.raises(PressError, match=f"expected .*, at {WHERE}$"):
        timed_presses([{"frame": 0, "press": "draw"}, {"frame": 1, **line}], ["presses.jsonl line 1", WHERE])


def test_presses_of_no_file_are_counted() -> None:
    assert timed_presses([{"press": "draw"}, {"press": "confirm"}]) == [CallDraw(), Confirm()]
    with pytest.raises(PressError, match=r"at press 1$"):
        timed_presses([{"press": "draw"}, {}])
