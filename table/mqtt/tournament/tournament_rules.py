"""The rule set of a tournament, which somebody may have renamed or deleted since it was opened."""

from __future__ import annotations

import logging
from functools import cache

from table.rulebook import known_rules
from table.rulebook.house_rules import HouseRules
from table.runtime.table_errors import ConfigError

_log = logging.getLogger(__name__)


def tournament_rules(name: str) -> HouseRules | None:
    """Returns a rule set by name, as it was when first read; None if it cannot be read now."""
    try:
        return _first_read(name)
    except ConfigError as error:
        _log.debug("the tournament's rule set cannot be read: %s", error)
        return None


@cache
def _first_read(name: str) -> HouseRules:
    return known_rules(name)
