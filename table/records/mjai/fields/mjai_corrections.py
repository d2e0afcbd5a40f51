"""Corrections of points by hand in mjai lines, in fields of our own of `start_kyoku` and `end_game`.

`scores` and `kyotaku` of these lines include them: `corrected` has the change of each seat's points since the end of
the hand before, and `corrected_sticks` that of the sticks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from table.records.formats.checked_values import checked_number, four_numbers
from table.records.formats.game_record import PointCorrection
from table.records.mjai.fields.mjai_line import ReadLine


def corrected_fields(
    corrected: PointCorrection | None, by_seat: Callable[[Sequence[Any]], list[Any]] = list
) -> dict[str, Any]:
    """Returns a correction as fields of a line, with the points in the order of `by_seat`; empty without one."""
    if corrected is None:
        return {}
    sticks = {"corrected_sticks": corrected.sticks} if corrected.sticks else {}
    return {"corrected": by_seat(corrected.points), **sticks}


def corrected_in(line: ReadLine) -> PointCorrection | None:
    """Returns the correction in a line; None without one.

    Raises:
        RecordError: the fields do not hold numbers.
    """
    if line.get("corrected") is None:
        return None
    sticks = checked_number(line.get("corrected_sticks", 0), "corrected_sticks")
    return PointCorrection(points=four_numbers(line["corrected"], "corrected"), sticks=sticks)
