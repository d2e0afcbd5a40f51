"""The differences between two rule sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from table.rulebook.house_rules import SETTINGS, HouseRules
from table.rules.penalties.penalty_rules import QuickFoul
from table.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One difference between two rule sets."""

    kind: str
    """`setting`, `switch`, `clause`, `amount`, `quick` or `article`."""
    key: str
    a: Any
    """The first set's value, as JSON; None if it has none."""
    b: Any


def differences(first: HouseRules, second: HouseRules) -> list[Difference]:
    """Returns all differences except the names, in the order of an exported file."""
    pairs = zip(_decisions(first), _decisions(second), strict=True)
    found = []
    for (kind, a), (_, b) in pairs:
        keys = list(a) + [key for key in b if key not in a]
        found += [
            Difference(kind=kind, key=key, a=a.get(key), b=b.get(key)) for key in keys if a.get(key) != b.get(key)
        ]
    return found


def _decisions(house: HouseRules) -> Iterator[tuple[str, dict[str, Any]]]:
    names = [field.name for field in fields(Ruleset) if field.name not in ("name", "penalties")]
    yield "setting", {name: getattr(house, name) for name in SETTINGS}
    yield "switch", {name: getattr(house.switches, name) for name in names}
    yield "clause", dict(house.choices)
    yield (
        "amount",
        {f"{key} {name}": points for key, amounts in house.amounts.items() for name, points in amounts.items()},
    )
    yield "quick", {str(number): _quick(foul) for number, foul in enumerate(house.quick, 1)}
    yield "article", {article.number: [effect.data for effect in article.effects] for article in house.articles}


def _quick(foul: QuickFoul) -> str:
    return " ".join([foul.clause, *([foul.option] if foul.option else []), *foul.facts])
