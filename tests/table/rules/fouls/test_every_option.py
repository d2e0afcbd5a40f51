"""Every option of the catalogue at the table: the same foul, the same play after it, and never the same outcome.

Each clause is played with each of its options in turn, through the one door; all else is as in the home set. An outcome
is what people at the table notice: points, pot, the end of hand and game, what is said, asked and told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import pytest

from table.rulebook import all_clauses, catalogue_of_clauses, rules_named
from table.rulebook.house_rules import HouseRules
from table.rules.notation.event_notation import parse_events
from table.rules.scoring.game_progress import final_standings
from table.rules.terms.rule_errors import ImpossibleEventError
from tests.table.rules.fouls.fouled_hands import NOTEN, ROUND, TENPAI
from tests.table.rules.situations import START, Table

HOME: Final = rules_named("home")
LAST: Final = START.replace("E1", "S4").replace("25000,25000,25000,25000", "24000,25000,26000,25000")
SHORT: Final = START.replace("25000,25000,25000,25000", "25000,900,25000,49100")
RIICHI: Final = f"{ROUND}; 0 discards 3m; 1 discards 5z sideways; 2 discards 2m; 1 stick; 3 discards 2p"
YES: Final = (
    "exposed=3,deliberate,offender_opened_hand,anyone_opened_hand,cannot_continue,restorable,before_discard,breaker=3,"
    "late_caller=2,ron_caller=2,winner=2,pon_caller=3,first_to_open=2,outside=1,late_call_is_ron,occurrence=3,"
    "to_stop_yakuman_deliberately,not someone_yakuman_tenpai,breaker_is_winner,hand_discard_made,permitted"
)
NO: Final = (
    "exposed=9,not deliberate,not offender_opened_hand,not anyone_opened_hand,can_continue,not restorable,"
    "after_discard,breaker=3,late_caller=2,ron_caller=2,winner=2,pon_caller=3,first_to_open=2,not late_call_is_ron,"
    "occurrence=1,not to_stop_yakuman_deliberately,someone_yakuman_tenpai,breaker_not_winner,not hand_discard_made"
)
ANOTHER: Final = "not offender_opened_hand,anyone_opened_hand,first_to_open=2,can_continue,exposed=3"
"""What tells apart who opened a hand."""
OWN_CLAUSES: Final = tuple(clause for clause in all_clauses() if clause not in catalogue_of_clauses())
IN_RIICHI: Final = (
    *("7-04-02", "7-05-06", "7-05-07", "7-05-08", "7-05-10", "7-05-12", "7-05-13", "7-05-14", "7-06-05"),
    *OWN_CLAUSES,
)
"""Clauses that a hand in riichi meets in a way of its own."""
AFTER: Final = (
    "confirm",
    "0 discards 5p; 1 ron han=1 fu=30; confirm",
    "0 discards 5p; 1 chi 5p from 0 with 46p; 1 discards 9s; 2 ron han=1 fu=30; confirm",
    f"0 discards 5p; 1 discards 6z sideways hand; 2 discards 3p; 1 stick; draw; 1 shows {TENPAI}; 0 tenpai; confirm",
    f"draw; 1 shows {NOTEN}; 2 tenpai; confirm",
)
MODIFIERS: Final = {
    "7-01": (
        f"draw; 2 shows {TENPAI}; 3 shows 111m222p333s444z5z; 0 shows {NOTEN}; 1 foul 7-04-01 option=d; confirm",
        f"draw; 2 shows {TENPAI}; 1 foul 7-04-01 option=d facts='someone_yakuman_tenpai,to_stop_yakuman_deliberately'"
        "; confirm",
        "0 foul 7-04-01 option=a facts='not someone_yakuman_tenpai,to_stop_yakuman_deliberately'; confirm",
    ),
    "7-01-01": ("1 foul 7-04-01 option=b; draw; confirm",),
    "7-02": (
        f"{RIICHI}; 1 foul 7-04-01 option=a; confirm",
        f"{RIICHI}; 0 foul 7-04-01 option=a; confirm",
    ),
    "7-02-01": ("1 foul 7-04-01 option=a; confirm",),
    "7-03": (f"{RIICHI}; 1 foul 7-04-01 option=a; confirm",),
    "7-05-01-01": tuple(
        f"{ROUND}; 0 discards 5p; {valid} ron han=1 fu=30; {false} foul 7-05-01 facts=offender_opened_hand; confirm"
        for valid, false in ((2, 1), (1, 2))
    ),
    "7-06-05-01": ("1 foul 7-06-04 facts=permitted; 0 discards 5p; 1 ron han=1 fu=30; confirm",),
    "7-08-06": ("1 foul 7-05-11 option=c; confirm",),
    "7-09-04": (
        "0 foul 7-04-01; 0 discards 5p hand; 0 foul 7-09-04",
        "0 foul 7-04-01; 0 discards 5p drawn; 0 foul 7-09-04",
    ),
    "7-09-05": (f"1 foul 7-04-01; draw; 1 shows {TENPAI}; 0 tenpai; confirm",),
    "7-09-06": ("1 discards 9m; 2 discards 2m; 3 discards 2p; 0 discards 2s; 1 foul 7-04-01; draw; confirm",),
}
"""Clauses that say how other fouls are settled: the play in which that shows."""
NEEDED: Final = {
    "7-01-01": {"7-01": "l"},
    "7-02": {"7-03": "a"},
    "7-02-01": {"7-02": "c"},
    "7-03": {"7-02": "a"},
    "7-06-05-01": {"7-06-04": "b"},
}
"""What must be chosen elsewhere for a clause to apply."""


def scripts(clause: str) -> Iterator[tuple[str, str]]:
    """How the hand starts, and what happens in it, for every situation that a clause is tried in."""
    if clause in MODIFIERS:
        start = LAST if clause in ("7-01-01", "7-02-01") else SHORT if clause == "7-08-06" else START
        yield from ((start, text) for text in MODIFIERS[clause])
        return
    for facts in (YES, NO, *((ANOTHER,) if clause == "7-05-01" else ())):
        foul = f"1 foul {clause} facts='{facts}'"
        yield START, f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; {foul}; confirm"
        for after in AFTER:
            dead = "1 foul 7-04-01; " if clause.startswith("7-09") else ""
            yield START, f"{RIICHI if clause in IN_RIICHI else ROUND}; {dead}{foul}; {after}"
        if clause.startswith("7-09"):
            yield from ((START, f"1 foul 7-04-01; {after}") for after in AFTER)


def outcome(rules: HouseRules, start: str, text: str) -> tuple[Any, ...]:
    """What people notice; an act that is impossible by then is left out."""
    table = Table(rules.ruleset)
    table.feed(start)
    noticed: list[Any] = []
    for line in text.split("; "):
        list(parse_events(line))
        try:
            table.feed(line)
        except ImpossibleEventError:
            noticed.append("impossible")
            continue
        announcement = [(each.id, each.seat) for each in table.announcements]
        noticed.append(
            (table.state.scores, table.state.deposits, table.state.deposit_points, announcement, table.clauses)
        )
    state, hand = table.state, table.hand
    dues = tuple(due for past in state.history for due in past.dues)
    instructions = [
        (instruction.seat, instruction.op, instruction.effect.params)
        for foul in hand.fouls
        for instruction in foul.consequence.instructions
    ]
    return (
        *noticed,
        state.next_start,
        state.ranking,
        hand.phase,
        hand.tiles_left,
        final_standings(state.scores, rules.ruleset, dues=dues),
        dues,
        [
            (sanction.seat, sanction.op, sanction.effect.params)
            for foul in hand.fouls
            for sanction in foul.consequence.sanctions
        ],
        instructions,
        [foul.consequence.questions for foul in hand.fouls],
        [past.settlement for past in state.history],
    )


def told_apart(clause: str, letters: Sequence[str], start: str, text: str) -> list[tuple[str, ...]]:
    """The options by how that play ends with them."""
    chosen = {**HOME.choices, **NEEDED.get(clause, {})}
    outcomes = {letter: outcome(replace(HOME, choices={**chosen, clause: letter}), start, text) for letter in letters}
    same_letters = [tuple(each for each in letters if outcomes[each] == outcomes[letter]) for letter in letters]
    return list(dict.fromkeys(same_letters))


@pytest.mark.parametrize("clause", list(all_clauses()))
def test_no_two_options_of_a_clause_end_alike_at_the_table(clause: str) -> None:
    """Each situation is played with those options alone that ended alike in all before it."""
    groups = [tuple(all_clauses()[clause].letters)]
    for start, text in scripts(clause):
        groups = [same for letters in groups for same in told_apart(clause, letters, start, text) if len(same) > 1]
    assert groups == []


def test_that_is_all_of_them() -> None:
    assert sum(len(clause.letters) for clause in catalogue_of_clauses().values()) == 194
    assert MODIFIERS.keys() | NEEDED.keys() <= catalogue_of_clauses().keys()
