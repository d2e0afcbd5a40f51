"""The rules that a record's header names, in fields of our own: a shipped rule set, and the switches that differ.

Other programs ignore them. A game record has no fouls, so it does not say what they cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, Final

from table.records.formats.checked_values import object_of, text_of
from table.rulebook import known_rules
from table.rulebook.play_presets import HOME
from table.rulebook.ruleset_reader import SHIPPED, preset_rules
from table.rules.ruleset import Ruleset
from table.rules.terms.rule_errors import InvalidValueError
from vision.plain_values import with_tuples

_NAME: Final = "ruleset"
_CHANGES: Final = "ruleset_changes"


def rules_fields(ruleset: Ruleset) -> dict[str, Any]:
    """Returns fields that name a rule set: the shipped one that it is based on, and the switches that differ.

    They are empty if no rule set may have these amounts today, as in an old journal: no reader would accept them.
    """
    try:
        ruleset.but()
    except InvalidValueError:
        return {}
    preset = preset_rules(ruleset.name if ruleset.name in SHIPPED else HOME.name).switches
    names = [field.name for field in fields(Ruleset) if field.name != "penalties"]
    changes = {name: getattr(ruleset, name) for name in names if getattr(ruleset, name) != getattr(preset, name)}
    if "chips" in changes:
        changes["chips"] = asdict(ruleset.chips)
    return {_NAME: preset.name, **({_CHANGES: changes} if changes else {})}


def rules_in(header: Mapping[str, Any]) -> Ruleset | None:
    """Returns the rules that a header names; None if it names none.

    Raises:
        RecordError: the fields hold no name or no switches.
        ConfigError: there is no rule set of that name.
        InvalidValueError: a switch is unknown, or has a value that it does not allow.
    """
    if header.get(_NAME) is None:
        return None
    switches = object_of(header.get(_CHANGES, {}), _CHANGES)
    changes = {name: with_tuples(value) for name, value in switches.items()}
    return known_rules(text_of(header[_NAME], _NAME)).switches.but(**changes)
