"""Reads the presses of a recording, and says of a wrong one where it is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from table.game.command_reader import read_press
from table.game.game_commands import Press
from table.runtime.table_errors import PressError


def timed_presses(lines: Iterable[Mapping[str, Any]], places: Sequence[str] = ()) -> list[Press]:
    """Reads the lines of presses.jsonl.

    Args:
        lines: the lines.
        places: the place of each line, for messages; without them lines are counted from 0.

    Raises:
        PressError: a line is not a press; the message names its place.
    """
    return [_read(line, places[n] if places else f"press {n}") for n, line in enumerate(lines)]


def _read(line: Mapping[str, Any], where: str) -> Press:
    try:
        return read_press(line)
    except PressError as error:
        raise PressError(f"{error}, at {where}", says=error.says, **error.values) from error
