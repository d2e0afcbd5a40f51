"""The rule set of a tournament, as it was when the tournament was opened, whatever became of its file since."""

from __future__ import annotations

import logging
from functools import cache

from table.mqtt.tournament.acts import TournamentOpened
from table.rulebook import SHIPPED, HouseRules, known_rules, write_house
from table.rulebook.ruleset_reader import read_rules
from table.runtime.table_errors import ConfigError

_log = logging.getLogger(__name__)


def rules_to_store(name: str) -> str:
    """Returns an imported rule set as a file's text, for `TournamentOpened.house`; empty for a shipped one.

    Raises:
        ConfigError: there is no rule set of that name, or it cannot be read.
    """
    return "" if name in SHIPPED else write_house(known_rules(name))


def tournament_rules(opening: TournamentOpened) -> HouseRules | None:
    """Returns a tournament's rule set; None if it cannot be read.

    Of a tournament that an earlier version opened only the name was stored: it has the set of that name, as first read.
    """
    try:
        return first_read_rules(opening.rules) if not opening.house else _read(opening.house, opening.rules)
    except ConfigError as error:
        _log.debug("the tournament's rule set cannot be read: %s", error)
        return None


@cache
def _read(text: str, name: str) -> HouseRules:
    return read_rules(text, f"the tournament's rules {name}")


@cache
def first_read_rules(name: str) -> HouseRules:
    """Returns the rule set of a name, as it was when this program first read it.

    Raises:
        ConfigError: there is no rule set of that name, or it cannot be read.
    """
    return known_rules(name)
