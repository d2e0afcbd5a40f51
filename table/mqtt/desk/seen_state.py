"""Identifies the state that a form changes, so that nobody unknowingly overwrites another browser's entry. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from table.mqtt.desk.desk_view import tables_without_result
from table.mqtt.tournament.standings import result_of
from table.mqtt.tournament.tournament import Tournament
from table.rules.ruleset import Ruleset
from table.runtime.whole_number import whole_number


def seen_state(tournament: Tournament | None, rules: Ruleset | None, act: str, form: Mapping[str, Any]) -> str:
    """Returns a short text for the state that a form changes; another state has another text.

    Args:
        tournament: the tournament's state; None before the first is opened.
        rules: its rule set; None if it cannot be read.
        act: what the form does.
        form: the fields that say what the form changes: round and table, game, penalty, appeal.
    """
    state = None if tournament is None else (tournament.opening.event, _state(tournament, rules, act, form))
    return sha256(repr(state).encode()).hexdigest()[:16]


def _state(now: Tournament, rules: Ruleset | None, act: str, form: Mapping[str, Any]) -> object:
    match act:
        case "begin":
            return now.round, tables_without_result(now, rules)
        case "clock" | "time":
            return now.round, now.until, now.called_at
        case "result":
            return _result(now, rules, form)
        case "game":
            return _game(now, form)
        case "penalty" | "cancel":
            return now.penalties
        case "replace":
            return sorted(now.replacements.items())
        case "appeal":
            return now.rulings.get((str(form.get("table")), str(form.get("clip"))))
        case _:
            return None


def _result(now: Tournament, rules: Ruleset | None, form: Mapping[str, Any]) -> object:
    """Returns what was entered, and whether the table's result is final."""
    round_ = whole_number(str(form.get("round", "")), 1, len(now.opening.rounds))
    table = whole_number(str(form.get("table", "")), 1, len(now.opening.tables))
    if round_ is None or table is None:
        return None
    result = result_of(now, round_ - 1, table - 1, rules)
    return now.entered_results.get((round_ - 1, table - 1)), result is not None and result.is_over


def _game(now: Tournament, form: Mapping[str, Any]) -> object:
    """Returns the round that the game counts for, and whether people stopped it and the desk agreed that it counts."""
    table, number, opened_at = (str(form.get(name, "")) for name in ("table", "game", "opened"))
    return [
        (round_, game.is_stopped, (table, game.identity) in now.agreed_games)
        for game, round_ in now.rounds_of(table)
        if (str(game.number), game.opened) == (number, opened_at)
    ]
