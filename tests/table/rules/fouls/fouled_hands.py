"""Hands to foul in, and what is asked of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from table.rulebook import catalogue_of_clauses, rules_named
from tests.table.rules.situations import START, Table, discards

HOME = rules_named("home")
ROUND = discards("9m 9p 9s 1z")
TENPAI = "234m567m34567p22s"
"""Waits for 2p 5p 8p."""
NOTEN = "147m258p369s1234z"
CHOMBO = (29000, 17000, 27000, 27000)
"""The scores after a chombo of seat 1, who does not deal."""


def at(text: str, options: dict[str, str] | None = None, *, start: str = START, **switches: Any) -> Table:
    """A table with the home penalties, `options` changed, where a hand was dealt and these events happened."""
    house = replace(HOME, choices={**HOME.choices, **(options or {})})
    table = Table(house.ruleset.but(**switches))
    table.feed(start)
    return table.feed(text)


RIICHI = f"{ROUND}; 0 discards 5z sideways; 1 discards 2m; 0 stick; 2 discards 2p; 3 discards 2s"


def four_riichi() -> str:
    lines = [f"{seat} discards {tile} sideways; {seat} stick" for seat, tile in enumerate(("5z", "6z", "7z", "4z"))]
    return "; ".join(lines)


LAST = START.replace("E1", "S4").replace("25000,25000,25000,25000", "20000,30000,40000,10000")
FINISH = "3 discards 9m; 0 discards 9p; 1 discards 5p; 0 ron han=1 fu=30; confirm"
FACTS = (
    "exposed=3,deliberate,offender_opened_hand,cannot_continue",
    "exposed=9,not_deliberate,not offender_opened_hand,can_continue",
)
FOULS = [
    f"{seat} foul {clause.number} option={letter} facts='{facts}'"
    for seat in (0, 1)
    for clause in catalogue_of_clauses().values()
    for letter in clause.letters
    for facts in FACTS
]
