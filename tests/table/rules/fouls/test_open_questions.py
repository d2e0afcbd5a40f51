"""A chombo whose cost is not known yet: what is missing is named once, then the hand is settled by the default."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.rulebook import SHIPPED, catalogue_of_clauses, rules_named
from table.rules.penalties.effect_terms import Fact, Op
from table.rules.terms.results import AbortReason
from table.rules.terms.rule_errors import ImpossibleEventError, InvalidValueError, NotationError
from tests.table.rules.fouls.fouled_hands import HOME, NOTEN, ROUND, TENPAI, at
from tests.table.rules.situations import START, Table, settlement_of

MANGAN = (4000, 2000, -8000, 2000)
YAKUMAN = (16000, 8000, -32000, 8000)
FALSE_WIN = "2 foul 7-05-01 facts=offender_opened_hand"
OPEN = {"d": "to_stop_yakuman_deliberately", "e": "someone_yakuman_tenpai"}


@pytest.mark.parametrize("option", OPEN)
def test_mangan_unless_a_question_is_answered_is_named_once_and_then_settled_as_mangan(option: str) -> None:
    table = at(f"{FALSE_WIN}; confirm", {"7-01": option})
    assert (table.hand.is_live, table.missing) == (True, ("ruling 2",))
    assert table.hand.proposal is not None
    assert table.hand.proposal.deltas == MANGAN
    assert settlement_of(table.feed("confirm")).deltas == MANGAN


@pytest.mark.parametrize("option", OPEN)
@pytest.mark.parametrize(("answer", "deltas"), [("", YAKUMAN), ("not ", MANGAN)])
def test_once_the_question_is_answered_one_confirmation_settles(
    option: str, answer: str, deltas: tuple[int, ...]
) -> None:
    table = at(f"2 foul 7-05-01 facts='offender_opened_hand,{answer}{OPEN[option]}'; confirm", {"7-01": option})
    assert settlement_of(table).deltas == deltas


def test_hands_that_are_shown_answer_what_was_missing() -> None:
    shown_hands = f"0 shows {TENPAI}; 1 shows 111m222p333s44z66z; 3 shows {NOTEN}"
    table = at(f"{FALSE_WIN}; confirm; {shown_hands}; confirm", {"7-01": "e"})
    assert settlement_of(table).deltas == YAKUMAN


@pytest.mark.parametrize("option", ["c", "i"])
def test_hands_that_may_cost_more_are_named_once_as_missing(option: str) -> None:
    table = at(f"{ROUND}; 0 shows {NOTEN}; {FALSE_WIN}; confirm", {"7-01": option})
    assert table.missing == ("hand 1", "hand 3")
    assert settlement_of(table.feed("confirm")).reason is AbortReason.CHOMBO


def test_a_riichi_stick_is_not_asked_for_beside_the_question() -> None:
    table = at(f"0 discards 9m; 1 discards 9p sideways; 2 discards 9s; {FALSE_WIN}; confirm", {"7-01": "e"})
    assert table.missing == ("ruling 2",)
    assert "stick_missing" not in dict(table.sayings)


def test_a_hand_dealt_over_an_open_question_settles_by_the_default() -> None:
    table = at(f"{FALSE_WIN}; start E1 scores=29000,27000,17000,27000", {"7-01": "d"})
    assert table.state.scores == (29000, 27000, 17000, 27000)


CHOMBOS = [
    (clause.number, option.letter)
    for clause in catalogue_of_clauses().values()
    for option in clause.options
    if any(effect.op is Op.CHOMBO for effect in option.effects)
]
ENDS = ("", "draw", "0 discards 5p; 3 ron han=1 fu=30")


@pytest.mark.parametrize("cost", [letter for letter in catalogue_of_clauses()["7-01"].letters if letter != "l"])
def test_no_chombo_settles_while_a_question_is_open_and_nobody_pays_and_nothing_is_due(cost: str) -> None:
    """All but 7-01 l, by which a chombo costs nothing whatever the answers."""
    rules = replace(HOME, choices={**HOME.choices, "7-01": cost}).ruleset
    for clause, letter in CHOMBOS:
        for facts in ("", " facts='offender_opened_hand,deliberate,cannot_continue,not win_stands'"):
            for end in ENDS:
                check_paid(Table(rules), f"{START}; {ROUND}", f"1 foul {clause} option={letter}{facts}", end)


@pytest.mark.parametrize(
    "name", [name for name in SHIPPED if rules_named(name).ruleset.penalties.chosen_effects("7-01")]
)
def test_no_chombo_of_a_preset_does_either(name: str) -> None:
    rules = rules_named(name).ruleset
    for rule in rules.penalties.rules:
        for end in ENDS:
            check_paid(Table(rules), f"{START}; {ROUND}", f"1 foul '{rule.clause}'", end)


def check_paid(table: Table, before: str, foul: str, end: str) -> None:
    """Plays a hand with a foul, which is found while a win is checked if one ends the hand."""
    table.feed(f"{before}; {end}; {foul}" if "ron" in end else f"{before}; {foul}")
    if end == "draw" and table.hand.proposal is None:
        table.feed(end)
    for _ in range(3):
        if table.hand.is_live:
            table.feed("confirm")
    line = table.state.history[-1] if table.state.history else None
    if line is None or line.settlement is None or line.settlement.reason is not AbortReason.CHOMBO:
        return
    questions = [question for foul in table.hand.fouls for question in foul.consequence.questions if question != "7-02"]
    assert not questions or any(line.settlement.deltas) or line.dues, (foul, end, questions)


PAYMENT_OPEN = ("tenhou", "mahjong-soul")
"""Presets that leave to the referee what a chombo costs."""
CHOMBO = f"{START}; {ROUND}; 2 foul 7-05-01 option=a"


def of_preset(name: str) -> Table:
    return Table(rules_named(name).ruleset)


@pytest.mark.parametrize("name", PAYMENT_OPEN)
def test_a_payment_that_is_left_to_the_referee_stays_open_until_it_is_ruled(name: str) -> None:
    table = of_preset(name).feed(f"{CHOMBO}; confirm; confirm; confirm")
    assert (table.hand.is_live, table.missing) == (True, ("ruling 2",))
    with pytest.raises(ImpossibleEventError, match="expected a ruling on what a chombo costs"):
        table.feed("told draw")
    table.feed("cancel-foul 0 reason=ruled; 2 foul 7-05-01 option=a facts='7-01=a'; confirm; confirm")
    assert settlement_of(table).deltas == (4000, 2000, -8000, 2000)


def test_people_may_settle_it_themselves() -> None:
    table = of_preset("tenhou").feed(f"{CHOMBO}; settled abort 3000,3000,-9000,3000 reason=chombo")
    assert settlement_of(table).deltas == (3000, 3000, -9000, 3000)


def test_a_hand_dealt_over_an_open_payment_is_not_settled() -> None:
    table = of_preset("tenhou").feed(f"{CHOMBO}; confirm; start E1 scores=29000,27000,17000,27000")
    assert table.state.history[0].settlement is None
    assert table.state.scores == (29000, 27000, 17000, 27000)


@pytest.mark.parametrize("fact", ["7-01=zz", "7-01="])
def test_a_ruling_is_an_option_of_its_clause(fact: str) -> None:
    with pytest.raises((InvalidValueError, NotationError), match=r"expected an option of"):
        of_preset("tenhou").feed(f"{START}; {ROUND}; 2 foul 7-05-01 option=a facts='{fact}'")


def test_a_ruling_does_not_change_what_the_rule_set_chooses() -> None:
    table = at("2 foul 7-05-01 facts='offender_opened_hand,7-01=b'; confirm", {"7-01": "a"})
    assert settlement_of(table).deltas == MANGAN


DRAWN = f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 9m; draw; 0 shows {TENPAI}; confirm"
KEPT_BY_HAND = "start E1 scores=25000,25000,25000,25000"
NEXT_DEAL = "start E1 scores=27000,24000,24000,24000 honba=1 deposits=1 dora=1z"


@pytest.mark.parametrize("place", ["7-05-01", "7-05-01 option=g"])
@pytest.mark.parametrize(
    ("before", "hand", "is_asked"),
    [
        (f"{ROUND}; 0 discards 5p", "", False),
        (f"{ROUND}; unseen; 0 discards 5p", "", True),
        (f"{ROUND}; unseen; seen; 0 discards 5p", "", False),
        (f"{DRAWN}; {NEXT_DEAL}; 0 discards 3m", " hand=0", True),
        ("told draw tenpai=0", "", True),
        (KEPT_BY_HAND, "", True),
    ],
)
def test_whether_a_hand_was_opened_is_asked_where_nobody_saw_that_it_was_not(
    before: str, hand: str, place: str, is_asked: bool
) -> None:
    """An earlier hand is known as a line of the score sheet only; a lost camera, or none, sees nothing."""
    table = at(f"{before}; 2 foul {place}{hand}")
    fouls = table.hand.fouls or table.state.history[0].fouls
    assert bool(fouls[-1].consequence.questions) is is_asked


def test_a_false_win_of_an_earlier_hand_costs_nothing_before_people_say_that_it_was_opened() -> None:
    earlier = at(f"{DRAWN}; {NEXT_DEAL}; 0 discards 3m")
    scores = earlier.state.scores
    assert earlier.feed("2 foul 7-05-01 hand=0").state.scores == scores
    assert earlier.feed("2 foul 7-05-01 hand=0 facts=offender_opened_hand").state.scores != scores


@pytest.mark.parametrize(
    ("before", "seat", "questions"),
    [
        (f"{ROUND}; unseen; 0 discards 5p", 2, ("in_riichi",)),
        (f"{ROUND}; 2 riichi-told; unseen; 0 discards 5p", 2, ()),
        (KEPT_BY_HAND, 2, ("in_riichi",)),
        (f"{KEPT_BY_HAND}; 2 riichi-told", 2, ()),
        (f"{ROUND}; 0 discards 5p", 2, ()),
    ],
)
def test_whether_a_seat_is_in_riichi_is_asked_if_it_may_have_declared_it_unseen(
    before: str, seat: int, questions: tuple[str, ...]
) -> None:
    table = at(f"{before}; {seat} foul 7-05-10 option=d")
    assert table.hand.fouls[-1].consequence.questions == questions


def test_a_riichi_that_an_earlier_hand_was_charged_for_is_known() -> None:
    table = at(f"{DRAWN}; {NEXT_DEAL}; 0 discards 3m; 0 foul 7-05-10 option=d hand=0; 1 foul 7-05-10 option=d hand=0")
    answers = [foul.seen_facts.answers for foul in table.state.history[0].fouls]
    assert [each[Fact.IN_RIICHI] for each in answers] == [True, False]
