"""Fouls while others win: false claims beside valid ones, and what is taken up again."""

from __future__ import annotations

import pytest

from table.rules.state import Phase
from table.rules.terms.results import AbortReason
from tests.table.rules.fouls.fouled_hands import (
    CHOMBO,
    RIICHI,
    ROUND,
    TENPAI,
    at,
)
from tests.table.rules.situations import START, settlement_of

CLAIMS = f"{ROUND}; 0 discards 5p; 1 ron han=1 fu=30; 2 ron han=1 fu=30"


@pytest.mark.parametrize(
    ("mode", "reason", "scores"),
    [
        ("a", None, (24000, 25000, 26000, 25000)),
        ("b", None, (28000, 17000, 28000, 27000)),
        ("c", AbortReason.CHOMBO, CHOMBO),
        ("d", AbortReason.CHOMBO, CHOMBO),
    ],
)
def test_a_false_ron_beside_a_valid_one_goes_by_7_05_01_01(
    mode: str, reason: AbortReason | None, scores: tuple[int, ...]
) -> None:
    text = f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; 1 foul 7-05-01 facts=offender_opened_hand; confirm"
    table = at(text, {"7-05-01-01": mode})
    assert (settlement_of(table).reason, table.state.scores) == (reason, scores)


def test_by_head_bump_a_valid_ron_nearer_the_discarder_goes_first() -> None:
    text = f"{ROUND}; 0 discards 5p; 1 ron han=1 fu=30; 2 foul 7-05-01 facts=offender_opened_hand; confirm"
    table = at(text, {"7-05-01-01": "d"})
    assert table.state.scores == (24000, 26000, 25000, 25000)


def test_a_false_ron_that_was_only_said_is_taken_back_and_play_goes_on() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 1 ron; 1 foul 7-05-01")
    assert (table.hand.claims, table.hand.phase) == ((), Phase.PLAY)
    assert table.clauses == []
    table.feed("1 discards 2m; 2 discards 2m; 3 discards 5p").feed("1 ron")
    assert table.clauses == [("7-09-01", 1)]


def test_a_false_ron_takes_only_its_own_claim_back() -> None:
    table = at(f"{CLAIMS}; 1 foul 7-05-01; confirm")
    assert [int(win.seat) for win in settlement_of(table).wins] == [2]


def test_a_riichi_that_a_false_ron_made_void_is_given_back() -> None:
    table = at(f"{ROUND}; 0 discards 5z sideways; 1 ron")
    assert not table.hand.riichi[0].is_declared
    table.feed("1 foul 7-05-01")
    assert table.hand.riichi[0].is_declared


def test_hands_opened_for_a_void_win_are_taken_up_again() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 1 ron; 1 shows {TENPAI}").feed("1 foul 7-08-02 option=d facts=ron_caller=1")
    assert (table.hand.claims, table.hand.shown_hands[1]) == ((), None)
    assert sum(table.hand.counts[:34]) == 6


@pytest.mark.parametrize(
    ("facts", "scores"),
    [("breaker=1,not win_stands", (29000, 17000, 27000, 27000)), ("breaker=2", (29000, 27000, 17000, 27000))],
)
def test_a_hand_knocked_over_while_a_win_is_checked_is_a_chombo_of_the_breaker(
    facts: str, scores: tuple[int, ...]
) -> None:
    table = at(f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; 1 foul 7-07-02 option=a facts='{facts}'; confirm")
    assert (settlement_of(table).reason, table.state.scores) == (AbortReason.CHOMBO, scores)


def test_the_declared_value_stands_where_another_player_knocked_the_hand_over() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 2 ron han=2 fu=30; 1 foul 7-07-02; confirm")
    assert table.state.scores == (23000, 25000, 27000, 25000)


def test_no_dora_counts_where_the_winner_knocked_the_indicators_over() -> None:
    text = f"{ROUND}; 0 discards 5p; 2 ron; 2 shows {TENPAI} with 5p"
    start = START.replace("dora=1z", "dora=1s")
    unpunished, void = (at(f"{text}{foul}; confirm", start=start) for foul in ("", "; 2 foul 7-07-03"))
    worth = [settlement_of(table).wins[0].han for table in (unpunished, void)]
    assert worth == [4, 2]


def test_a_winner_whose_dora_do_not_count_is_asked_for_no_indicator() -> None:
    """7-07-03 c, also for a riichi winner and after a kan whose indicator nobody has turned."""
    text = f"{RIICHI}; 0 discards 7z; 1 discards 9m; 2 closed 7777s; 2 discards 5p; 0 ron; 0 shows {TENPAI}"
    unpunished = at(f"{text}; confirm")
    assert unpunished.missing == ("dora", "ura 0")
    void = at(f"{text}; 0 foul 7-07-03 facts=breaker_is_winner; confirm")
    assert [win.han for win in settlement_of(void).wins] == [3]


def test_a_late_utterance_that_counts_for_nothing_takes_a_ron_back() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 1 discards 2m; 2 ron from 0; 2 foul 7-05-14")
    assert (table.hand.claims, table.hand.phase) == ((), Phase.PLAY)


def test_with_its_own_drawn_hand_shown_a_false_tsumo_is_taken_up_again() -> None:
    table = at(f"0 tsumo; 0 shows {TENPAI} with 9m; 0 foul 7-09-01", {"7-09-01": "b"})
    assert (table.hand.claims, table.hand.shown_hands[0]) == ((), None)
    assert sum(table.hand.counts[:34]) == 1
