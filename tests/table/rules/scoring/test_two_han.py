"""From some number of counters on a hand needs two han of yaku; dora are none (五本場二翻縛り)."""

from __future__ import annotations

from typing import Any

import pytest

from table.rules.ruleset import Ruleset
from table.rules.terms.rule_errors import ImpossibleEventError
from tests.table.rules.hands import no_win, value
from tests.table.rules.situations import Table, discards, settlement_of

PINFU = ("234m567p34s678s99s", "5s")
ROUND = discards("9m 9p 9s 1z")
TANYAO = "222m567m34567p66s"
FIVE = Ruleset().but(two_han_from_honba=5)


def at_honba(honba: int, text: str, **switches: object) -> Table:
    """A hand with so many counters on the table, where five ask for two han."""
    table = Table(FIVE.but(**switches))
    table.feed(f"start E1 scores=25000,25000,25000,25000 dora=1p honba={honba}")
    return table.feed(text)


@pytest.mark.parametrize("facts", [{}, {"dora_indicators": "8s"}, {"riichi": 0}], ids=["alone", "with dora", "silent"])
def test_one_han_of_yaku_wins_below_the_number_and_not_from_it_on(facts: dict[str, Any]) -> None:
    assert value(*PINFU, ruleset=FIVE, honba=4, **facts).yaku[0] == ("pinfu", 1)
    assert no_win(*PINFU, ruleset=FIVE, honba=5, **facts) == "one_han"
    assert no_win(*PINFU, ruleset=FIVE, honba=8, **facts) == "one_han"
    assert value(*PINFU, ruleset=Ruleset(), honba=8, **facts).yaku[0] == ("pinfu", 1)


def test_two_han_of_any_yaku_or_a_yakuman_win() -> None:
    assert value(*PINFU, ruleset=FIVE, honba=5, riichi=1).han == 2
    assert value(*PINFU, ruleset=FIVE, honba=5, is_last_tile=True).han == 2
    assert value("22334466888s66z", "6z", ruleset=FIVE, honba=5).yakuman == 1
    assert value(*PINFU, ruleset=FIVE.but(renhou="mangan_alone"), honba=5, is_first_turn=True).points == 8000


@pytest.mark.parametrize(("honba", "clauses"), [(4, []), (5, [("7-05-01", 0)])])
def test_7_05_01_a_win_of_one_han_is_a_false_win_where_two_are_needed(honba: int, clauses: list[object]) -> None:
    table = at_honba(honba, f"{ROUND}; 0 discards 5z; 1 discards 2p; 0 ron; 0 shows {TANYAO}")
    assert table.clauses == clauses
    assert (table.feed("confirm").state.live is None) is (honba == 4)


@pytest.mark.parametrize("ura_dora", [True, False])
def test_7_05_01_ura_dora_cannot_help_a_riichi_of_one_han(ura_dora: bool) -> None:
    hand = "111m567m34567p99s"
    text = f"{ROUND}; 0 discards 5z sideways; 0 stick; {discards('1s 1s 1s 1s', 1)}; 1 discards 2p; 0 ron"
    table = at_honba(5, f"{text}; 0 shows {hand}", ura_dora=ura_dora, kan_ura=False)
    assert table.clauses == [("7-05-01", 0)]
    assert "one han of yaku where two are needed" in table.suspicions[0].evidence[0]
    assert at_honba(4, f"{text}; 0 shows {hand}", ura_dora=ura_dora).clauses == []


def test_7_05_01_a_win_of_one_han_counted_by_people_is_asked_about() -> None:
    text = f"{ROUND}; 0 discards 5z; 1 discards 2p; 0 ron han=1 fu=30"
    assert at_honba(5, text).clauses == [("7-05-01", 0)]
    assert at_honba(4, text).clauses == []
    assert at_honba(5, text.replace("han=1", "han=2")).clauses == []


def test_a_told_win_of_one_han_is_refused_where_two_are_needed() -> None:
    draws = "; ".join(["told draw tenpai=0"] * 5)
    with pytest.raises(ImpossibleEventError, match="expected 2 han of yaku at least with 5 counters, got 1"):
        Table(FIVE).feed(f"{draws}; told ron win0=1:0:1:30:0::")
    assert settlement_of(Table(FIVE).feed(f"{draws}; told ron win0=1:0:2:30:0::")).wins[0].points == 2000
    assert settlement_of(Table(Ruleset()).feed(f"{draws}; told ron win0=1:0:1:30:0::")).wins[0].points == 1000


def test_dora_that_is_told_with_a_win_is_no_han_of_yaku() -> None:
    draws = "; ".join(["told draw tenpai=0"] * 5)
    with pytest.raises(ImpossibleEventError, match="expected 2 han of yaku at least with 5 counters, got 1"):
        Table(FIVE).feed(f"{draws}; told ron win0=1:0:3:30:0:tanyao+1,dora+2:")
    assert (
        settlement_of(Table(FIVE).feed(f"{draws}; told ron win0=1:0:3:30:0:tanyao+1,pinfu+1,dora+1:")).wins[0].han == 3
    )
