"""Reads the presses of a recording, and says of a wrong one where it is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from table.game.command_reader import read_press
from table.game.game_commands import LogFoul, NameFoul, Press
from table.records.foul_clauses import check_clause
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.terms.rule_errors import InvalidValueError
from table.runtime.table_errors import PressError


def timed_presses(
    lines: Iterable[Mapping[str, Any]], places: Sequence[str] = (), *, penalties: PenaltyRules | None = None
) -> list[Press]:
    """Reads the lines of presses.jsonl.

    Args:
        lines: the lines.
        places: the place of each line, for messages; without them lines are counted from 0.
        penalties: the penalties of the rule set, by which the clauses of fouls are checked; None to check none.

    Raises:
        PressError: a line is not a press, or names a clause that does not exist; the message names its place.
    """
    return [_read(line, places[n] if places else f"press {n}", penalties) for n, line in enumerate(lines)]


def _read(line: Mapping[str, Any], where: str, penalties: PenaltyRules | None) -> Press:
    try:
        press = read_press(line)
        if penalties is not None and isinstance(press, LogFoul | NameFoul) and press.clause is not None:
            check_clause(press.clause, penalties, press.word)
        return press
    except InvalidValueError as error:
        raise PressError(f"{error}, at {where}") from error
    except PressError as error:
        raise PressError(f"{error}, at {where}", says=error.says, **error.values) from error
