"""Reads the presses of a recording; errors and warnings name the place of a wrong press."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from table.game.commands.command_reader import PRESS_KEYS, read_press
from table.game.commands.game_commands import LogFoul, NameFoul, Press
from table.records.foul_clauses import check_clause
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.terms.rule_errors import InvalidValueError
from table.runtime.table_errors import PressError
from vision.strict_reader import hint

_log = logging.getLogger(__name__)


def timed_presses(
    lines: Iterable[Mapping[str, Any]], places: Sequence[str] = (), *, penalties: PenaltyRules | None = None
) -> list[Press]:
    """Reads the lines of presses.jsonl. A key that no press has is logged and ignored: another program may need it.

    Args:
        lines: the lines.
        places: the place of each line, for messages; without them lines are counted from 0.
        penalties: the penalties of the rule set, by which the clauses of fouls are checked; None to check none.

    Raises:
        PressError: a line is not a press, or names a clause that does not exist; the message names its place.
    """
    return [_read(line, places[n] if places else f"press {n}", penalties) for n, line in enumerate(lines)]


def _read(line: Mapping[str, Any], place: str, penalties: PenaltyRules | None) -> Press:
    for key in sorted(set(line) - PRESS_KEYS):
        _warn(key, place)
    try:
        press = read_press(line)
        if penalties is not None and isinstance(press, LogFoul | NameFoul) and press.clause is not None:
            check_clause(press.clause, penalties, press.word)
        return press
    except InvalidValueError as error:
        raise PressError(f"{error}, at {place}") from error
    except PressError as error:
        raise PressError(f"{error}, at {place}", says=error.says, **error.values) from error


def _warn(key: str, place: str) -> None:
    _log.warning("expected a key of a press, got %r, at %s: ignored%s", key, place, hint(key, PRESS_KEYS))
