"""The rules of play that differ most between tables, as controls: shown, parsed and described. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, get_args, get_type_hints

from table.dashboard.web.view import View
from table.i18n import Catalogue
from table.rulebook.rules_file import refusal
from table.rules.ruleset import LIMITS, Ruleset
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import ConfigError

THE_PAGE: Final = "the page"
FLOATING: Final = "floating"
"""An uma that depends on how many players finish at or above the starting points."""
_UMA: Final = (
    (0, 0, 0, 0),
    (10000, 5000, -5000, -10000),
    (15000, 5000, -5000, -15000),
    (20000, 10000, -10000, -20000),
    (30000, 10000, -10000, -30000),
)
_REDS: Final = ((0, 0, 0), (1, 1, 1), (1, 2, 1))
_KINDS: Final = get_type_hints(Ruleset)


def _values(key: str) -> tuple[str, ...]:
    """Returns the values of a switch that has a few, in the form that the page sends."""
    return ("True", "False") if _KINDS[key] is bool else tuple(map(str, get_args(_KINDS[key])))


CONTROLS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "starting_points": (),
        "target_points": (),
        "uma": tuple(",".join(map(str, row)) for row in _UMA),
        "oka": (),
        "reds": tuple(",".join(map(str, row)) for row in _REDS),
        "tobi": _values("tobi"),
        "length": _values("length"),
        "west_in": _values("west_in"),
        "agari_yame": _values("agari_yame"),
        "time_limit": ("0", "30", "45", "60", "75", "90", "120"),
        "time_signal": _values("time_signal"),
    }
)
"""All controls, in the order of the page, with the values that they offer; one without takes a number of points."""


def play_view(ruleset: Ruleset, against: Ruleset | None, texts: Catalogue) -> list[View]:
    """Returns the controls, each with its value, the values offered, and the value in `against` if different."""
    return [_control(key, ruleset, against, texts) for key in CONTROLS]


def _control(key: str, ruleset: Ruleset, against: Ruleset | None, texts: Catalogue) -> View:
    value = control_value(key, ruleset)
    other = value if against is None else control_value(key, against)
    offered = tuple(dict.fromkeys((*CONTROLS[key], value))) if CONTROLS[key] else ()
    return {
        "key": key,
        "text": texts.text(f"play.{key}"),
        "value": value,
        "options": [(choice, value_text(key, choice, texts)) for choice in offered],
        "most": None if offered else LIMITS[key][1],
        "other": "" if other == value else value_text(key, other, texts),
    }


def control_value(key: str, ruleset: Ruleset) -> str:
    """Returns a control's value in a rule set, in the form that the page sends."""
    if key == "reds":
        return f"{ruleset.red_man},{ruleset.red_pin},{ruleset.red_sou}"
    if key == "uma":
        return FLOATING if ruleset.floating_uma else ",".join(map(str, ruleset.uma))
    return str(getattr(ruleset, key))


def value_text(key: str, value: str, texts: Catalogue) -> str:
    """Returns a control's value in words: `+20 +10 −10 −20`, `below 0`."""
    if not CONTROLS[key]:
        return f"{int(value):,}"
    if key == "uma" and value != FLOATING:
        return " ".join(_in_thousands(int(amount)) for amount in value.split(","))
    if key == "reds":
        man, pin, sou = value.split(",")
        return texts.text("play.reds.each", count=int(man) + int(pin) + int(sou), man=man, pin=pin, sou=sou)
    if key == "time_limit" and value != "0":
        return texts.text("play.time_limit.minutes", minutes=value)
    return texts.text(f"play.{key}.{value.lower()}")


def _in_thousands(points: int) -> str:
    return f"{points / 1000:+g}".replace("-", "−") if points else "0"


def changed_play(ruleset: Ruleset, values: Mapping[str, Any]) -> Ruleset:
    """Returns the rule set with the changed controls applied.

    If the oka was the usual one (`has_usual_oka`), it stays the usual one unless the request changes it.

    Raises:
        ConfigError: there is no such control, or its value is invalid.
    """
    changes: dict[str, object] = {}
    for key, value in values.items():
        if key not in CONTROLS:
            raise refusal(THE_PAGE, "play", "one of these", key, CONTROLS)
        changes |= _changes_for(key, value, ruleset)
    try:
        changed = ruleset.but(**changes)
        return changed.but(oka=_usual_oka(changed)) if "oka" not in changes and has_usual_oka(ruleset) else changed
    except RulesError as error:
        raise ConfigError(f"{THE_PAGE}: {error}") from error


def has_usual_oka(ruleset: Ruleset) -> bool:
    """Returns whether the oka is what all four players pay in: the difference of target and starting points each."""
    return ruleset.counted_from == "target" and ruleset.oka == _usual_oka(ruleset)


def _usual_oka(ruleset: Ruleset) -> int:
    return max(0, 4 * (ruleset.zero_points - ruleset.starting_points))


def _changes_for(key: str, value: object, ruleset: Ruleset) -> dict[str, object]:
    """Returns the switches of play for a control's value."""
    if not CONTROLS[key]:
        least, most = LIMITS[key]
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise refusal(THE_PAGE, key, f"points from {least:,} to {most:,}", value)
        return {key: value}
    allowed = (*CONTROLS[key], control_value(key, ruleset))
    if not isinstance(value, str) or value not in allowed:
        raise refusal(THE_PAGE, key, "one of these", value, allowed)
    if value == control_value(key, ruleset):
        return {}
    return _PARSERS[key](value) if key in _PARSERS else {key: value}


def _uma(value: str) -> dict[str, object]:
    return {"uma": tuple(map(int, value.split(","))), "floating_uma": ()}


def _reds(value: str) -> dict[str, object]:
    return dict(zip(("red_man", "red_pin", "red_sou"), map(int, value.split(",")), strict=True))


def _west_in(value: str) -> dict[str, object]:
    return {"west_in": value == "True"}


def _time_limit(value: str) -> dict[str, object]:
    return {"time_limit": int(value)}


_PARSERS: Final[Mapping[str, Callable[[str], dict[str, object]]]] = {
    "uma": _uma,
    "reds": _reds,
    "west_in": _west_in,
    "time_limit": _time_limit,
}
