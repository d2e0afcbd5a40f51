"""Fouls found or cancelled after their hand was settled; the words of the situations are those of the fouls in game."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.i18n import catalogue
from table.i18n.foul_text import foul_sentences
from table.rulebook import rules_named
from table.rules.events import FoulLogged
from table.rules.fouls.foul_log import preview_consequence
from table.rules.fouls.foul_outlook import outlook_of_newest
from table.rules.penalties.effect_terms import Op
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Seat
from tests.table.rules.fouls.fouled_hands import (
    CHOMBO,
    FINISH,
    FOULS,
    LAST,
    RIICHI,
    ROUND,
    TENPAI,
    at,
    four_riichi,
)
from tests.table.rules.situations import START, Table, settlement_of

NEXT = "start E1 honba=1 scores={} dora=2z"
EVEN = (25000,) * 4
NO_COST = "The settled result stands, and the foul costs nothing."
RON = f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; confirm"


# Found late


def test_a_foul_found_after_the_settlement_is_paid_between_the_hands() -> None:
    table = at("draw; confirm; 1 foul 7-05-11; 2 foul 7-04-01 option=a")
    assert table.state.scores == (29000, 26000, 17000, 27000)
    assert table.state.history[-1].scores == table.state.scores
    coming = table.state.next_start
    assert coming is not None
    assert (coming.scores, coming.deposit_points) == (table.state.scores, 1000)
    table.feed("cancel-foul 1 reason=no")
    assert table.state.scores == (25000, 24000, 25000, 25000)


def test_a_late_penalty_counts_as_the_hand_ended() -> None:
    drawn = at("draw; 0 tenpai; confirm; 1 foul 7-04-01 option=d")
    assert drawn.state.scores == (32000, 16000, 26000, 26000)
    won = at(f"{RON}; 1 foul 7-07-02 option=a")
    assert won.state.scores == (28000, 17000, 28000, 27000)


def test_7_07_02_after_a_head_bump_the_winner_is_the_one_who_was_paid() -> None:
    rons = f"{START}; {ROUND}; 0 discards 5p; 1 ron han=1 fu=30; 2 ron han=1 fu=30; confirm"
    for foul, is_chombo in (("1 foul 7-07-02 option=b", True), ("2 foul 7-07-02 option=b", False)):
        table = Table(rules_named("m-league").ruleset).feed(f"{rons}; {foul}")
        at_once = table.state.history[0].fouls[0].consequence
        assert (at_once.at_win.ending is not None) == is_chombo
        later = Table(rules_named("m-league").ruleset).feed(f"{rons}; told draw; {foul} hand=0")
        assert later.state.history[0].fouls[0].consequence == at_once


def test_r68_what_is_punished_at_a_draw_is_punished_after_four_riichi_too_when_it_is_found_late() -> None:
    """The hands of all four are checked."""
    table = at(f"{four_riichi()}; 0 tenpai; 1 tenpai; 2 tenpai; 3 tenpai; confirm; confirm; 1 foul 7-05-07")
    assert table.state.scores == (24000 + 4000, 24000 - 8000, 24000 + 2000, 24000 + 2000)
    assert (settlement_of(table).reason, table.state.deposits) == (AbortReason.FOUR_RIICHI, 4)
    table.feed("cancel-foul 0 reason=no")
    assert table.state.scores == (24000,) * 4
    table = at("told abort reason=four_riichi riichi=0123; 1 foul 7-05-07")
    assert table.state.scores == (28000, 16000, 26000, 26000)
    assert at("abort four_winds; confirm; 1 foul 7-05-07").state.scores == (25000,) * 4


@pytest.mark.parametrize("end", [f"{ROUND}; draw; 0 tenpai; confirm", "told draw tenpai=0", "settled draw 0,0,0,0"])
@pytest.mark.parametrize("is_later", [False, True])
def test_a_chombo_found_after_a_settled_draw_is_one_after_the_last_discard(end: str, is_later: bool) -> None:
    """EMA 2025: it becomes a dead hand; after a win it stays a chombo."""
    next_hand = "; start E1 honba=1 scores=25000,25000,25000,25000 dora=2z" if is_later else ""
    foul = f"{next_hand}; 1 foul 7-07-01-02 hand=0"
    drawn = Table(rules_named("ema-2025").ruleset).feed(f"{START}; {end}{foul}")
    assert (drawn.state.history[0].fouls[0].consequence.now.dues, drawn.state.history[0].dues) == ((), ())
    won = Table(rules_named("ema-2025").ruleset).feed(f"{START}; told ron win0=2:0:2:30:0::{foul}")
    assert [due.amount for due in won.state.history[0].dues] == [20000]


LATE_FALSE = [
    ("7-05-01 facts=offender_opened_hand", ""),
    ("7-05-01-01 facts=offender_wins,offender_opened_hand", ""),
    ("7-09-01", "{seat} foul 7-04-01; "),
]


@pytest.mark.parametrize(("foul", "before"), LATE_FALSE)
@pytest.mark.parametrize(
    ("option", "seat"), [("a", 1), ("a", 3), ("b", 1), ("b", 3), ("c", 1), ("c", 3), ("d", 1), ("d", 3)]
)
@pytest.mark.parametrize("is_later", [False, True])
def test_a_false_ron_found_after_the_settlement_of_a_valid_one_goes_by_7_05_01_01(
    foul: str, before: str, option: str, seat: int, is_later: bool
) -> None:
    """As it does before the settlement; the result that people confirmed stands."""
    is_charged = option in "bc" or (option, seat) == ("d", 1)
    text = f"{ROUND}; {before.format(seat=seat)}0 discards 5p; 2 ron han=1 fu=30; confirm"
    table = at(text, {"7-05-01-01": option})
    if is_later:
        table.feed("start E2 scores=24000,25000,26000,25000 dora=2z")
    table.feed(f"{seat} foul {foul} hand=0")
    assert (table.state.scores[seat] == 17000, table.state.scores[2] == 26000) == (is_charged, not is_charged)
    number = len(table.state.history[0].fouls) - 1
    table.feed(f"cancel-foul {number} reason=no hand=0")
    assert table.state.scores == (24000, 25000, 26000, 25000)


@pytest.mark.parametrize("name", ["ema-2025", "wrc-2025", "m-league"])
@pytest.mark.parametrize("win", ["2 ron", "2 tsumo"])
def test_d15_a_valid_win_voids_a_false_one_beside_it_that_is_found_late(name: str, win: str) -> None:
    option = "M.League false win" if name == "m-league" else "a"
    table = Table(rules_named(name).ruleset).feed(f"{START}; 0 discards 5p; 1 discards 5s; {win} han=2 fu=30; confirm")
    table.feed(f"3 foul 7-05-01 option='{option}' facts=offender_opened_hand")
    assert table.state.history[0].dues == ()
    event = FoulLogged(seat=Seat.LEFT, clause="7-05-01")
    lines = list(foul_sentences(outlook_of_newest(table.state, event, table.ruleset), Seat.NEAR, catalogue()))
    assert (lines[0].endswith("the chombo is ignored."), lines[-1]) == (True, NO_COST)


def test_a_false_win_that_was_paid_is_a_chombo_when_it_is_found_late() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 1 ron han=1 fu=30; 2 ron han=1 fu=30; confirm")
    table.feed("1 foul 7-05-01 facts=offender_opened_hand")
    assert table.state.scores == (23000 + 4000, 26000 - 8000, 26000 + 2000, 25000 + 2000)


def test_a_false_win_found_late_beside_a_tsumo_is_a_chombo_unless_any_win_voids_one() -> None:
    table = at("0 discards 5p; 1 discards 5s; 2 tsumo han=2 fu=30; confirm")
    before = table.state.scores
    table.feed("3 foul 7-05-01 facts=offender_opened_hand")
    assert table.state.scores == tuple(map(sum, zip(before, (4000, 2000, 2000, -8000), strict=True)))


@pytest.mark.parametrize("foul", ["7-05-01", "7-05-06"])
@pytest.mark.parametrize("is_later", [False, True])
def test_whose_win_was_paid_has_opened_the_hand_though_the_table_did_not_see_it(foul: str, *, is_later: bool) -> None:
    table = at("0 discards 5p; 1 ron han=1 fu=30; confirm")
    if is_later:
        table.feed("start E2 scores=24000,26000,25000,25000 dora=2z")
    table.feed(f"1 foul {foul} hand=0")
    assert table.state.scores == (24000 + 4000, 26000 - 8000, 25000 + 2000, 25000 + 2000)


@pytest.mark.parametrize(("name", "points"), [("home", 12000), ("ema-2025", 0), ("wrc-2025", 0)])
@pytest.mark.parametrize("foul", ["7-05-06 facts=offender_opened_hand", "7-07-02 option=b"])
@pytest.mark.parametrize("is_later", [False, True])
def test_who_won_an_earlier_hand_is_known_to_its_fouls_too(name: str, points: int, foul: str, is_later: bool) -> None:
    """An illegal kan at the own win (D4), and a hand that its winner knocked over before it was checked."""
    table = Table(rules_named(name).ruleset).feed(f"{START}; told ron win0=0:1:2:30:0:riichi+1: riichi=0")
    if is_later:
        table.feed("start E1 honba=1 scores=27900,22100,25000,25000 dora=2z")
    table.feed(f"0 foul {foul} hand=0")
    assert table.state.scores[0] == 27900 - points
    assert bool(table.state.history[0].dues) is (points == 0)


def test_a_foul_found_after_the_game_can_change_the_ranking() -> None:
    table = at(FINISH, start=LAST)
    table.feed("2 foul 7-04-01 option=b; 2 foul 7-04-01 option=b")
    assert (table.state.scores, list(map(int, table.state.ranking))) == ((25000, 33000, 24000, 18000), [1, 0, 2, 3])


def test_a_deduction_found_after_the_game_goes_to_the_top_player() -> None:
    table = at(FINISH, {"7-01": "k"}, start=LAST).feed("1 foul 7-04-01 option=b")
    assert table.state.scores == (21000, 17000, 52000, 10000)


@pytest.mark.parametrize("foul", ["1 foul 7-05-13 option=d", "1 foul 7-04-01 option=b; 1 foul 7-04-01 option=b"])
def test_a_late_foul_can_end_the_game_and_its_cancelling_lets_it_go_on(foul: str) -> None:
    """A bust by the rule, and a bust by two chombos of 8000 from 10000."""
    table = at("draw; confirm", start=START.replace("25000,25000,25000,25000", "30000,10000,30000,30000")).feed(foul)
    assert (table.state.is_over, table.sayings[-1][0]) == (True, "game_ended")
    table.feed("cancel-foul 0 reason=no")
    assert (table.state.is_over, table.state.next_start is None) == (False, False)


def test_a_second_chombo_found_after_the_hand_costs_nothing_until_the_first_is_cancelled() -> None:
    for text in ("1 foul 7-04-01 option=a; confirm", "draw; confirm; 1 foul 7-04-01 option=a"):
        table = at(text).feed("1 foul 7-04-02 option=a")
        assert table.state.scores == CHOMBO
        assert table.feed("cancel-foul 0 reason=no").state.scores == CHOMBO
        assert table.feed("cancel-foul 1 reason=no").state.scores == EVEN
    table = at("1 foul 7-04-01 option=a; confirm; 2 foul 7-04-02 option=a")
    assert table.state.scores == (33000, 19000, 19000, 29000)


@pytest.mark.parametrize(
    ("name", "foul", "scores", "after_uma"),
    [("home", "foul 7-04-01 option=a", CHOMBO, []), ("wrc-2025", "foul 7-04-01", EVEN, [30000])],
)
def test_a_second_chombo_is_paid_in_place_of_a_first_that_is_cancelled_after_the_settlement(
    name: str, foul: str, scores: tuple[int, ...], after_uma: list[int]
) -> None:
    def points_moved() -> tuple[tuple[int, ...], list[int]]:
        return table.state.scores, [due.amount for due in table.state.history[0].dues]

    table = Table(rules_named(name).ruleset).feed(f"{START}; 1 {foul}; 1 {foul}; confirm")
    assert points_moved() == (scores, after_uma)
    table.feed("cancel-foul 0 reason=no")
    assert points_moved() == (scores, after_uma)
    table.feed(f"start E1 scores={','.join(map(str, scores))} dora=2z; cancel-foul 1 reason=no hand=0")
    assert points_moved() == (EVEN, [])


# Cancelled late


def test_a_chombo_cancelled_after_its_settlement_is_paid_back_and_stays_listed() -> None:
    table = at("1 foul 7-04-01 option=a; confirm").feed("cancel-foul 0 reason=miscounted")
    assert (table.state.scores, table.state.history[-1].scores) == (EVEN, EVEN)
    assert table.state.next_start is not None
    assert table.state.next_start.scores == EVEN
    assert table.state.history[-1].fouls[0].cancel_reason == table.hand.fouls[0].cancel_reason == "miscounted"
    (cancelled,) = table.announcements
    assert cancelled.id is AnnouncementId.FOUL_CANCELLED
    assert cancelled.args == {"clause": "7-04-01", "foul": 0, "hand": 0, "deltas": [-4000, 8000, -2000, -2000]}


def test_a_hand_that_was_drawn_is_settled_again_without_a_cancelled_dead_hand() -> None:
    text = f"2 foul 7-04-01; draw; 0 shows {TENPAI}; 2 shows 234m567m34567s22p; confirm"
    table = at(text)
    assert settlement_of(table).deltas == (3000, -1000, -1000, -1000)
    table.feed("cancel-foul 0 reason=no")
    assert settlement_of(table).deltas == (1500, -1500, 1500, -1500)
    assert table.state.scores == (26500, 23500, 26500, 23500)


@pytest.mark.parametrize("foul", ["7-04-01 option=d", "7-04-01 option=a", "7-05-16 option=a"])
def test_the_draw_that_a_chombo_had_replaced_is_settled_once_that_is_cancelled(foul: str) -> None:
    """7-04-01 d, 7-05-16 a: what was shown at the draw counts, its honba and its dealer too, as without the foul."""
    shown = f"draw; 1 tenpai; 1 shows {TENPAI}; 0 noten; 2 noten; 3 noten"
    table = at(f"{shown}; 1 foul {foul}; confirm")
    assert (settlement_of(table).reason, table.state.scores) == (AbortReason.CHOMBO, CHOMBO)
    table.feed("cancel-foul 0 reason=misread")
    plain = at(f"{shown}; confirm")
    assert settlement_of(table) == settlement_of(plain)
    assert (table.state.scores, table.state.next_start) == (plain.state.scores, plain.state.next_start)


def test_the_nagashi_that_a_chombo_had_replaced_is_listed_once_that_is_cancelled() -> None:
    noten = "0 noten; 1 noten; 2 noten; 3 noten"
    table = at(f"0 discards 9m; 1 discards 2m; draw; {noten}; 1 foul 7-04-01 option=a; confirm")
    assert table.state.history[0].nagashi == ()
    line = table.feed("cancel-foul 0 reason=misread").state.history[0]
    assert line.settlement is not None
    assert (line.settlement.reason, line.nagashi) == (AbortReason.NAGASHI, (Seat.NEAR,))


@pytest.mark.parametrize("foul", ["7-04-01 option=d", "7-04-01 option=a", "7-05-16 option=a", "7-06-02 option=c"])
@pytest.mark.parametrize(
    "told",
    [
        "told draw tenpai=12 riichi=2",
        "told draw tenpai=1",
        "told draw nagashi=1",
        "told draw nagashi=3 tenpai=0 riichi=0",
        "told ron win0=2:0:-:-:1::big_three_dragons+1 riichi=3",
        "told tsumo win0=3:3:3:30:0:: riichi=1",
        "told abort reason=nine_terminals riichi=0",
    ],
)
def test_the_result_that_people_told_counts_once_the_foul_that_changed_it_is_cancelled(foul: str, told: str) -> None:
    """As told: tenpai, nagashi mangan, yakuman and riichi, whether the foul ended the hand or made it a dead one."""
    table, plain = at(f"1 foul {foul}; {told}"), at(told)
    table.feed("cancel-foul 0 reason=misread")
    assert settlement_of(table) == settlement_of(plain)
    assert (table.state.scores, table.state.next_start) == (plain.state.scores, plain.state.next_start)
    old, new = plain.state.history[0], table.state.history[0]
    assert (new.riichi, new.pao, new.nagashi) == (old.riichi, old.pao, old.nagashi)


@pytest.mark.parametrize(
    "end",
    [
        "draw; 1 foul 7-04-01 option=d; confirm",
        "0 discards 5z sideways; 1 discards 2m; 0 stick; draw; 1 tenpai; 1 foul 7-04-01 option=d; confirm",
    ],
)
def test_a_draw_at_which_nobody_said_what_is_needed_stays_unsettled(end: str) -> None:
    """Nothing is assumed of hands that nobody showed: only what the chombo cost goes back (R27)."""
    table = at(f"{end}; cancel-foul 0 reason=misread")
    assert (settlement_of(table).reason, table.state.scores) == (AbortReason.CHOMBO, EVEN)


def test_the_valid_ron_that_a_chombo_had_voided_counts_once_that_is_cancelled() -> None:
    text = f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; 1 foul 7-05-01 facts=offender_opened_hand; confirm"
    table = at(text, {"7-05-01-01": "c"})
    assert settlement_of(table).reason is AbortReason.CHOMBO
    table.feed("cancel-foul 0 reason=no")
    assert (settlement_of(table).reason, table.state.scores) == (None, (24000, 25000, 26000, 25000))


def test_a_chombo_that_stands_beside_a_cancelled_one_still_ends_the_hand() -> None:
    table = at("1 foul 7-04-01 option=a; 2 foul 7-04-01 option=a; confirm; cancel-foul 1 reason=no")
    assert (settlement_of(table).reason, table.state.scores) == (AbortReason.CHOMBO, CHOMBO)


@pytest.mark.parametrize(
    ("end", "scores", "pot"),
    [("draw; confirm", EVEN, 0), (f"{RON}", (24000, 25000, 26000, 25000), 0)],
)
def test_a_cancelled_deposit_comes_from_the_pot_or_from_who_took_it(
    end: str, scores: tuple[int, ...], pot: int
) -> None:
    table = at(f"1 foul 7-05-11; {end}; cancel-foul 0 reason=heard")
    assert (table.state.scores, table.state.deposit_points) == (scores, pot)


# In a later hand


def test_a_foul_of_an_earlier_hand_is_cancelled_by_its_hand_and_all_later_scores_move_along() -> None:
    table = at("1 foul 7-04-01 option=a; confirm").feed(NEXT.format("29000,17000,27000,27000"))
    table.feed("draw; 0 tenpai; confirm").feed(NEXT.format("32000,16000,26000,26000"))
    table.feed("cancel-foul 0 reason=no hand=0")
    assert [line.scores for line in table.state.history] == [EVEN, (28000, 24000, 24000, 24000)]
    assert table.state.scores == table.hand.start.scores == (28000, 24000, 24000, 24000)
    assert table.state.history[0].fouls[0].cancel_reason == "no"


def test_a_deposit_of_an_earlier_hand_comes_from_who_won_it_later() -> None:
    table = at("1 foul 7-05-11; draw; confirm").feed("start E2 honba=1 pot=1000 scores=25000,24000,25000,25000 dora=2z")
    table.feed("1 discards 9m; 2 ron han=1 fu=30; confirm")
    assert table.state.scores == (25000, 22700, 27300, 25000)
    table.feed("cancel-foul 0 reason=heard hand=0")
    assert (table.state.scores, table.state.deposit_points) == ((25000, 23700, 26300, 25000), 0)


def test_a_deposit_of_an_earlier_hand_that_nobody_won_is_taken_out_of_the_pot() -> None:
    table = at("1 foul 7-05-11; draw; confirm").feed("start E2 honba=1 pot=1000 scores=25000,24000,25000,25000 dora=2z")
    table.feed("cancel-foul 0 reason=heard hand=0")
    assert (table.state.scores, table.state.deposit_points, table.hand.start.deposit_points) == (EVEN, 0, 0)


def test_a_foul_of_a_hand_that_was_never_settled_is_struck_and_moves_nothing() -> None:
    """The next deal said the points."""
    table = at("1 foul 7-05-11").feed("start E2 scores=25000,24000,25000,26000 dora=2z")
    assert table.state.history[0].settlement is None
    table.feed("cancel-foul 0 reason=heard hand=0")
    assert table.state.scores == (25000, 24000, 25000, 26000)
    assert table.state.history[0].fouls[0].cancel_reason == "heard"
    assert "deltas" not in table.one(AnnouncementId.FOUL_CANCELLED).args


def test_a_card_of_a_hand_that_was_never_settled_still_counts() -> None:
    table = Table(rules_named("m-league").ruleset).feed(START).feed("1 foul 'M.League manner'")
    table.feed("start E2 scores=25000,25000,25000,25000 dora=2z; 1 foul 'M.League manner'")
    assert [due.op for due in table.state.history[0].dues] == [Op.CARD]
    assert Op.AFTER_UMA in [due.op for due in table.hand.fouls[0].consequence.now.dues]


def test_what_a_cancelled_foul_left_for_the_end_of_the_game_is_struck() -> None:
    rules = rules_named("wrc-2025").ruleset
    table = Table(rules).feed("start E1 scores=30000,30000,30000,30000 dora=1z").feed("1 foul 7-04-01; confirm")
    table.feed("start E1 scores=30000,30000,30000,30000 dora=1z")
    assert [due.op for due in table.state.history[0].dues] == [Op.AFTER_UMA]
    assert table.feed("cancel-foul 0 reason=no hand=0").state.history[0].dues == ()


@pytest.mark.parametrize("event", ["cancel-foul 0 reason=no hand=1", "cancel-foul 3 reason=no hand=0"])
def test_only_a_foul_that_stands_in_a_hand_of_the_game_can_be_cancelled(event: str) -> None:
    table = at("1 foul 7-05-11; draw; confirm")
    with pytest.raises(ImpossibleEventError, match=r"expected a (hand|logged foul) out of 1"):
        table.feed(event)
    table.feed("cancel-foul 0 reason=no hand=0")
    with pytest.raises(ImpossibleEventError, match="expected a logged foul out of 1"):
        table.feed("cancel-foul 0 reason=no")


def test_the_hand_in_play_may_be_named_by_its_number_too() -> None:
    table = at("draw; confirm").feed(NEXT.format("25000,25000,25000,25000"))
    table.feed("2 foul 7-04-01; cancel-foul 0 reason=no hand=1")
    assert table.hand.fouls[0].cancel_reason == "no"


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.sampled_from(FOULS), min_size=1, max_size=3),
    st.lists(st.sampled_from(FOULS), max_size=2),
    st.sampled_from(["draw", "0 tsumo han=2 fu=30", "1 discards 3m; 2 ron han=3 fu=30"]),
)
def test_cancelling_every_foul_makes_and_loses_no_point_and_leaves_nothing_due(
    fouls: list[str], late: list[str], end: str
) -> None:
    table = at(f"{RIICHI}; {'; '.join(fouls)}")
    if table.hand.is_live:
        table.feed(end)
    for _ in range(3):
        if table.hand.is_live:
            table.feed("confirm")
    if table.hand.is_live:
        return
    for foul in late:
        table.feed(foul)
    for index in range(len(table.hand.fouls)):
        table.feed(f"cancel-foul {index} reason=no")
    state = table.state
    assert sum(state.scores) + 1000 * state.deposits + state.deposit_points == 100000
    assert state.history[-1].dues == ()
    assert state.deposit_points == 0
    assert {foul.cancel_reason for foul in table.hand.fouls} == {"no"}


# What a cancelled foul never cost

VALID_BESIDE = f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; 1 foul 7-05-01 facts=offender_opened_hand; confirm"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ema-2025", f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; 1 foul 7-07-01-02; confirm"),
        ("ema-2025", VALID_BESIDE),
        ("wrc-2025", f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; 1 foul 7-04-01; confirm"),
        ("wrc-2025", VALID_BESIDE),
    ],
)
def test_a_foul_whose_due_never_took_place_is_cancelled_and_changes_nothing(name: str, text: str) -> None:
    rules = rules_named(name).ruleset
    for later in ("", "start E2 scores=24000,25000,26000,25000 dora=2z"):
        table = Table(rules).feed(START).feed(text)
        assert table.state.history[-1].dues == ()
        scores = table.state.scores
        if later:
            table.feed(later)
        table.feed("cancel-foul 0 reason=no hand=0")
        assert (table.state.scores, table.state.history[0].fouls[0].cancel_reason) == (scores, "no")


@pytest.mark.parametrize("option", ["a", "b", "g", "j", "k", "l"])
@pytest.mark.parametrize("precedence", ["a", "d"])
@pytest.mark.parametrize("is_later", [False, True])
def test_a_chombo_that_was_ignored_beside_a_valid_ron_gives_nothing_back(
    option: str, precedence: str, is_later: bool
) -> None:
    text = VALID_BESIDE.replace("2 ron", "1 ron").replace("1 foul", "2 foul")
    table = at(text, {"7-01": option, "7-05-01-01": precedence})
    assert table.state.scores == (24000, 26000, 25000, 25000)
    if is_later:
        table.feed("start E2 scores=24000,26000,25000,25000 dora=2z")
    table.feed("cancel-foul 0 reason=no hand=0")
    assert (table.state.scores, table.state.history[0].dues) == ((24000, 26000, 25000, 25000), ())


def test_a_foul_that_lapsed_gives_nothing_back_in_a_later_hand() -> None:
    table = at(f"1 foul 7-04-01 option=d; {RON}").feed("start E2 scores=24000,25000,26000,25000 dora=2z")
    assert table.feed("cancel-foul 0 reason=no hand=0").state.scores == (24000, 25000, 26000, 25000)


def test_two_equal_dues_are_struck_one_by_one() -> None:
    table = at("1 foul 7-05-07 option=b; 1 foul 7-05-07 option=b; draw; confirm", {"7-01": "k"})
    assert len(table.state.history[-1].dues) == 2
    assert len(table.feed("cancel-foul 0 reason=no").state.history[-1].dues) == 1
    assert table.feed("cancel-foul 1 reason=no").state.history[-1].dues == ()


@pytest.mark.parametrize("when", ["draw; confirm; end-game", "draw; confirm; 1 foul 7-05-11; end-game"])
def test_a_foul_cancelled_in_a_game_that_people_ended_leaves_it_ended(when: str) -> None:
    table = at(f"1 foul 7-05-07 option=b; {when}")
    assert table.state.is_over
    table.feed("cancel-foul 0 reason=no")
    assert (table.state.is_over, table.state.next_start) == (True, None)
    assert sum(table.state.scores) + table.state.deposit_points + 1000 * table.state.deposits == 100000


def test_a_foul_found_in_a_game_that_people_ended_leaves_it_ended() -> None:
    table = at("draw; confirm; end-game; 1 foul 7-04-01 option=a")
    assert (table.state.is_over, table.state.scores) == (True, CHOMBO)


@pytest.mark.parametrize("end", ["end-game", f"start E1 scores=25000,25000,25000,25000 honba=1; {ROUND}; end-game"])
def test_a_bust_found_and_cancelled_in_a_game_that_people_ended_leaves_it_ended(end: str) -> None:
    ended = at(f"draw; confirm; {end}").state
    table = at(f"draw; confirm; {end}; 1 foul 7-05-13 option=d hand=0")
    state = table.feed("cancel-foul 0 reason=no hand=0").state
    assert (state.ranking, state.next_start, state.is_stopped) == (ended.ranking, None, True)


def test_a_game_that_a_bust_ended_goes_on_once_that_is_cancelled_though_people_confirmed_it() -> None:
    table = at("1 foul 7-05-13 option=d; confirm; cancel-foul 0 reason=no")
    assert (table.state.is_over, table.state.next_start is None) == (False, False)


# Told results beside fouls


def test_a_told_draw_is_a_chombo_where_one_follows_at_the_draw() -> None:
    table = at("1 foul 7-04-01 option=d; told draw tenpai=0")
    assert (settlement_of(table).reason, table.state.scores) == (AbortReason.CHOMBO, CHOMBO)
    table.feed("cancel-foul 0 reason=no")
    assert sum(table.state.scores) == 100000


def test_a_told_win_lets_a_foul_lapse_that_is_punished_at_a_draw() -> None:
    table = at("1 foul 7-04-01 option=d; told ron win0=2:0:1:30:0::")
    assert table.state.scores == (24000, 25000, 26000, 25000)


@pytest.mark.parametrize(
    ("option", "scores"),
    [("a", (24000, 25000, 26000, 25000)), ("b", (28000, 17000, 28000, 27000)), ("c", CHOMBO), ("d", CHOMBO)],
)
def test_a_told_ron_beside_a_false_one_goes_by_7_05_01_01(option: str, scores: tuple[int, ...]) -> None:
    text = "1 foul 7-05-01 facts=offender_opened_hand; told ron win0=2:0:1:30:0::"
    assert at(text, {"7-05-01-01": option}).state.scores == scores


@pytest.mark.parametrize("option", ["a", "b", "c", "d"])
@pytest.mark.parametrize(("winners", "false"), [("12", 1), ("12", 2), ("123", 1), ("123", 2), ("13", 2), ("23", 1)])
def test_told_rons_beside_a_false_one_count_as_if_they_had_been_claimed(option: str, winners: str, false: int) -> None:
    """Also where the false one is told as a win, three rons of which one is false are no abort, and none is listed."""
    foul, options = f"{false} foul 7-05-01 facts=offender_opened_hand", {"7-05-01-01": option}
    claimed = "; ".join(f"{seat} ron han={seat} fu=30" for seat in winners)
    seen_hand = at(f"{ROUND}; 0 discards 5p; {claimed}; {foul}; confirm", options, triple_ron="abort")
    wins = " ".join(f"win{index}={seat}:0:{seat}:30:0::" for index, seat in enumerate(winners))
    told_hand = at(f"{ROUND}; 0 discards 5p; {foul}; told ron {wins}", options, triple_ron="abort")
    result, expected = settlement_of(told_hand), settlement_of(seen_hand)
    assert (result.kind, result.reason, result.deltas) == (expected.kind, expected.reason, expected.deltas)
    assert [win.seat for win in result.wins] == [win.seat for win in expected.wins]


def test_a_told_result_after_a_chombo_is_the_chombo() -> None:
    table = at("1 foul 7-04-01 option=a; told draw tenpai=0")
    assert (settlement_of(table).reason, table.state.scores) == (AbortReason.CHOMBO, CHOMBO)


@pytest.mark.parametrize("in_play", ["", "; 0 discards 9m; 1 foul 7-05-11"])
def test_a_foul_is_cancelled_in_a_game_that_people_ended_in_the_middle_of_a_hand(in_play: str) -> None:
    table = at("1 foul 7-05-07 option=b; draw; confirm").feed(NEXT.format("29000,17000,27000,27000"))
    table.feed(f"pass{in_play}; end-game")
    assert (table.state.is_over, table.state.hand, table.state.scores) == (True, None, CHOMBO)
    table.feed("cancel-foul 0 reason=no hand=0")
    assert (table.state.is_over, table.state.next_start, table.state.scores) == (True, None, EVEN)
    assert table.state.history[0].fouls[0].cancel_reason == "no"
    assert list(map(int, table.state.ranking)) == [0, 1, 2, 3]


@pytest.mark.parametrize("hand", ["", " hand=0"])
def test_a_foul_is_found_in_a_game_that_people_ended_in_the_middle_of_a_hand(hand: str) -> None:
    table = at("draw; confirm").feed(NEXT.format("25000,25000,25000,25000"))
    table.feed(f"pass; end-game; 1 foul 7-04-01 option=a{hand}")
    assert (table.state.is_over, table.state.hand, table.state.scores) == (True, None, CHOMBO)
    assert len(table.state.history[0].fouls) == 1
    assert (
        preview_consequence(table.state, FoulLogged(seat=Seat.RIGHT, clause="7-04-01"), table.ruleset).option
        is not None
    )


def test_a_game_without_hands_has_no_foul_to_cancel() -> None:
    table = Table(rules_named("home").ruleset)
    with pytest.raises(ImpossibleEventError, match="expected a hand, got none"):
        table.feed("cancel-foul 0 reason=no")


# Where people said the points themselves, a cancelled deposit is not taken out of a pot that does not hold it

NEXT_START = "start E2 honba=1 scores=25000,25000,25000,25000 dora=2z"


@pytest.mark.parametrize(
    ("hands", "scores"),
    [
        (["1 foul 7-05-11; settled draw 0,0,0,0"], EVEN),
        (["1 foul 7-05-11; settled draw 0,-1000,0,0 pot=1000"], EVEN),
        (["1 foul 7-05-11; draw; confirm", NEXT_START], EVEN),
        (["1 foul 7-05-11; draw; confirm", f"{NEXT_START}; draw; confirm"], EVEN),
        (["1 foul 7-05-11; draw; confirm", f"{NEXT_START}; draw; confirm; end-game"], EVEN),
        (["1 foul 7-05-11; draw; confirm", f"{NEXT_START}; 2 foul 7-05-11"], (25000, 25000, 24000, 25000)),
        (["1 foul 7-05-11; draw; confirm", f"{NEXT_START} pot=700; 1 discards 9m"], EVEN),
        (["1 foul 7-05-07 option=b; draw; confirm", NEXT_START, f"{NEXT_START}; 1 discards 9m"], EVEN),
    ],
)
def test_a_deposit_that_people_have_left_out_is_cancelled_without_moving_a_point(
    hands: list[str], scores: tuple[int, ...]
) -> None:
    table = at(hands[0])
    for hand in hands[1:]:
        table.feed(hand)
    table.feed("cancel-foul 0 reason=no hand=0")
    assert table.state.scores == scores
    assert table.state.deposit_points >= 0
    assert table.state.history[0].fouls[0].cancel_reason == "no"


# A riichi that a cancelled foul had made void

VOIDED = "0 discards 9m; 1 discards 9p sideways; 1 stick; 2 discards 9s; 1 foul 7-05-12 option=d; 3 discards 1z"


@pytest.mark.parametrize(
    ("end", "scores"),
    [
        ("0 tsumo han=1 fu=30", (26500 + 1000, 24500 - 1000, 24500, 24500)),
        ("0 discards 5p; 2 ron han=1 fu=30", (24000, 24000, 27000, 25000)),
        ("draw; 0 noten; 1 noten; 2 noten; 3 noten", (25000, 24000, 25000, 25000)),
    ],
)
def test_a_riichi_that_a_foul_cancelled_after_the_settlement_had_made_void_is_charged(
    end: str, scores: tuple[int, ...]
) -> None:
    table = at(f"{VOIDED}; {end}; confirm")
    if table.hand.is_live:
        table.feed("confirm")
    assert (table.hand.is_live, table.state.history[-1].riichi) == (False, ())
    table.feed("cancel-foul 0 reason=x")
    line = table.state.history[-1]
    assert (line.scores, line.riichi) == (scores, (Seat.RIGHT,))
    assert table.state.scores == scores
    assert sum(scores) + 1000 * table.state.deposits == 100000


def test_a_riichi_that_was_ronned_is_not_charged_once_a_foul_is_cancelled_after_the_settlement() -> None:
    table = at("0 discards 9m; 1 discards 9p sideways; 1 stick; 1 foul 7-05-12 option=d; 0 ron han=1 fu=30; confirm")
    scores = table.state.scores
    assert table.feed("cancel-foul 0 reason=x").state.scores == scores
    assert table.state.history[-1].riichi == ()


def test_who_was_in_riichi_stays_as_people_told_it_when_a_foul_is_cancelled() -> None:
    table = at(f"{VOIDED}; told draw; cancel-foul 0 reason=x")
    assert (table.state.scores, table.state.deposits, table.state.history[-1].riichi) == (EVEN, 0, ())
