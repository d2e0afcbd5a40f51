"""What each option of the penalty catalogue costs at the table, by rulings that were written from its words alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from table.rules.advance import advance, new_game
from table.rules.notation.event_notation import parse_events
from table.rules.state import GameState
from tests.table.rules.fouls.fouled_hands import HOME, TENPAI
from tests.table.rules.situations import START

RULES = HOME.ruleset
WIN = "0 discards 5p; 2 ron han=1 fu=30; confirm"
DRAW = f"draw; 1 shows {TENPAI}; confirm"
Ruling = tuple[str, str, str, tuple[str, str, str]]
"""Clause, letter, facts, and the points that follow: after a win, after a draw, found after the draw."""


def rulings() -> Iterator[Ruling]:
    points = ("", "", "")
    for line in (Path(__file__).parent / "rulings.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            win, draw, late = line.partition(": ")[2].split(" | ")
            points = (win, draw, late)
        elif line and not line.startswith("#"):
            clause, letter, facts = f"{line} ".split(" ", 2)
            yield clause, letter, facts.strip(), points


def after(state: GameState, text: str) -> GameState:
    for event in parse_events(text):
        state = advance(state, event, RULES).state
    return state


def points(state: GameState) -> str:
    return ",".join(map(str, state.scores))


DEALT = after(new_game(RULES), START)
DRAWN = after(DEALT, DRAW)
BY_CLAUSE = {clause: tuple(group) for clause, group in groupby(sorted(rulings()), key=lambda ruling: ruling[0])}


@pytest.mark.parametrize("clause", BY_CLAUSE)
def test_an_option_costs_what_its_text_says(clause: str) -> None:
    """At a win of another player, at a draw, and where it is found once the draw was settled (referees.md)."""
    for _, letter, facts, expected in BY_CLAUSE[clause]:
        foul = f"1 foul {clause} option={letter} facts='{facts}'" if facts else f"1 foul {clause} option={letter}"
        fouled = after(DEALT, foul)
        is_ended = fouled.live is not None and fouled.live.proposal is not None
        found = (
            points(after(fouled, "confirm" if is_ended else WIN)),
            points(after(fouled, "confirm" if is_ended else DRAW)),
            points(after(DRAWN, f"{foul} hand=0")),
        )
        assert found == expected, (clause, letter, facts)
