"""The amounts of an option that a house may set: `each`, `deposit`, `per_tile`, `deduct`, `after_uma`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from table.rules.penalties.effect_terms import Effect, Op

LARGEST: Final = 1_000_000
"""The largest amount that is accepted."""
_BY_OP: Final = {
    Op.DEPOSIT: "deposit",
    Op.UNIT_DEDUCT: "deduct",
    Op.AFTER_UMA: "after_uma",
}


def amount_name(effect: Effect) -> str | None:
    """Returns the name of the effect's amount; None for an effect without points."""
    if effect.points_each is not None:
        return "each"
    if effect.op is Op.DEPOSIT and effect.param("per") == "tile":
        return "per_tile"
    return _BY_OP.get(effect.op)


def amounts_of(effects: tuple[Effect, ...]) -> dict[str, int]:
    """Returns the amounts by name."""
    named_effects = ((amount_name(effect), effect) for effect in effects)
    return {name: effect.points_each or effect.number("points") for name, effect in named_effects if name is not None}


def with_amounts(effects: tuple[Effect, ...], amounts: Mapping[str, int]) -> tuple[Effect, ...]:
    """Returns the effects with the amounts that a house set, which are no longer guesses."""
    return tuple(_with_amount(effect, amounts) for effect in effects)


def is_possible(points: object) -> bool:
    """Whether an amount can be paid in sticks: whole hundreds from 100 to `LARGEST`."""
    return isinstance(points, int) and not isinstance(points, bool) and 0 < points <= LARGEST and points % 100 == 0


def _with_amount(effect: Effect, amounts: Mapping[str, int]) -> Effect:
    name = amount_name(effect)
    if name is None or name not in amounts:
        return effect
    changed = dict(effect.params)
    if name == "each":
        changed["scheme"] = f"each:{amounts[name]}"
        changed.pop("digit_lost", None)
    else:
        changed["points"] = amounts[name]
    return replace(effect, params=tuple(changed.items()))
