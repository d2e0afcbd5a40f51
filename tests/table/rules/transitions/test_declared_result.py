"""Hands kept by people alone: what they say is settled by the rules, and what cannot be is refused with the reason."""

from __future__ import annotations

import pytest

from table.rulebook import rules_named
from table.rules.ruleset import Ruleset
from table.rules.state import RiichiStage
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason, DeclaredWin, ResultKind
from table.rules.terms.rule_errors import ImpossibleEventError, InvalidValueError
from table.rules.terms.seats import Seat
from tests.table.rules.fouls.fouled_hands import at
from tests.table.rules.situations import START, Table, play, settlement_of


def declared_table(text: str, **switches: object) -> Table:
    """A game of which nobody sees a tile, after these events."""
    return Table(Ruleset().but(**switches)).feed(text)


def test_r46_a_told_ron_is_paid_by_the_discarder_with_counters_and_sticks() -> None:
    table = declared_table("told draw tenpai=12 riichi=1").feed("told ron win0=2:0:3:40:0:: riichi=2")
    assert settlement_of(table).deltas == (-5200 - 300, 0, 5200 + 300 - 1000 + 2000, 0)
    assert table.state.deposits == 0
    assert [hand.riichi for hand in table.state.history] == [(1,), (2,)]
    assert repr(table.state.next_start.round) == "E3" if table.state.next_start else False


def test_a_told_tsumo_of_the_dealer_is_paid_by_all_and_repeats() -> None:
    table = declared_table("told tsumo win0=0:0:2:30:0::")
    assert settlement_of(table).deltas == (3000, -1000, -1000, -1000)
    assert table.state.next_start is not None
    assert (repr(table.state.next_start.round), table.state.next_start.honba) == ("E1", 1)


def test_a_riichi_told_by_people_is_charged_at_once_and_stands() -> None:
    table = play("").feed("2 riichi-told")
    assert table.state.scores == (25000, 25000, 24000, 25000)
    assert table.state.deposits == 1
    assert table.hand.riichi[2].stage is RiichiStage.ACCEPTED
    assert table.one(AnnouncementId.RIICHI_ACCEPTED).args == {"stick": True}
    with pytest.raises(ImpossibleEventError, match="expected one riichi of seat 2 in a hand, got another"):
        table.feed("2 riichi-told")


def test_what_people_tell_about_riichi_stands_above_what_was_seen() -> None:
    table = play("2 riichi-told").feed("told draw")
    assert table.state.scores == (25000, 25000, 25000, 25000)
    assert table.state.deposits == 0


@pytest.mark.parametrize(("rule", "honba_takers"), [("first", (0,)), ("each", (0, 1))])
def test_r49_several_told_rons_share_as_the_rules_say(rule: str, honba_takers: tuple[int, ...]) -> None:
    table = declared_table("told draw tenpai=0 riichi=0", honba_on_multiple_ron=rule)
    table.feed("told ron win0=1:3:1:30:0:: win1=0:3:2:30:0:: riichi=1")
    honba = [300 if seat in honba_takers else 0 for seat in (0, 1)]
    deltas = settlement_of(table).deltas
    assert deltas[0] == 2900 + honba[0] + 2000
    assert deltas[1] == 1000 + honba[1] - 1000


def test_a_told_yakuman_is_shared_with_the_seat_that_is_liable() -> None:
    table = declared_table("told ron win0=1:2:-:-:1::big_three_dragons+3")
    assert settlement_of(table).deltas == (0, 32000, -16000, -16000)
    assert settlement_of(table).wins[0].yaku == (("big_three_dragons", 13),)


def test_a_told_nagashi_mangan_is_paid_instead_of_tenpai() -> None:
    table = declared_table("told draw tenpai=0 nagashi=2")
    assert settlement_of(table).deltas == (-4000, -2000, 8000, -2000)


def test_a_told_abort_keeps_the_sticks() -> None:
    table = declared_table("told abort reason=four_riichi riichi=0123")
    assert table.state.deposits == 4
    assert table.state.scores == (24000,) * 4


def test_fouls_of_the_hand_are_paid_with_what_is_told() -> None:
    table = play("1 foul 7-05-01")
    assert settlement_of(table.feed("told draw tenpai=1")).deltas == (-1000, 3000, -1000, -1000)


def fouled(foul: str) -> Table:
    """A hand by the home rules, with this foul."""
    return Table(rules_named("home").ruleset).feed(f"{START}; {foul}")


DEAD = "2 foul 7-04-01"
SHORT_WITHOUT_RIICHI = "2 foul 7-04-02 option=h"


@pytest.mark.parametrize(
    ("foul", "result", "deltas"),
    [
        (DEAD, "tenpai=0 riichi=2", (3000, -1000, -2000, -1000)),
        (DEAD, "tenpai=02 riichi=2", (3000, -1000, -2000, -1000)),
        (DEAD, "tenpai=02", (3000, -1000, -1000, -1000)),
        (DEAD, "nagashi=2", (0, 0, 0, 0)),
        (f"{DEAD}; 2 foul 7-09-06 option=b", "nagashi=2", (-4000, -2000, 8000, -2000)),
        (f"{SHORT_WITHOUT_RIICHI}; 2 foul 7-05-07 option=c", "tenpai=02 riichi=2", (3000, -1000, -2000, -1000)),
        (f"{SHORT_WITHOUT_RIICHI}; 2 foul 7-05-07", "tenpai=02 riichi=2", (4000, 2000, -8000, 2000)),
        (SHORT_WITHOUT_RIICHI, "tenpai=02", (1500, -1500, 1500, -1500)),
        ("2 foul 7-05-06 option=b", "tenpai=02 riichi=2", (3000, -1000, -2000, -1000)),
        ("2 foul 7-05-06 option=c", "tenpai=0 riichi=2", (1500, -1500, 500, -1500)),
        ("2 foul 7-05-07 option=c", "tenpai=0 riichi=2", (3000, -1000, -2000, -1000)),
        ("2 foul 7-05-16 option=b", "tenpai=02", (3000, -1000, -1000, -1000)),
    ],
)
def test_r27_a_told_draw_is_paid_by_what_fouls_make_of_a_hand(foul: str, result: str, deltas: tuple[int, ...]) -> None:
    """7-09-05 a, 7-09-06 a, 7-04-02 h, 7-05-06 b and c, 7-05-07 c, 7-05-16 b."""
    assert settlement_of(fouled(foul).feed(f"told draw {result}")).deltas == deltas


def test_r56_noten_riichi_entered_as_a_foul_ends_the_told_draw_as_a_chombo() -> None:
    table = fouled("2 foul 7-05-07").feed("told draw tenpai=0 riichi=2")
    assert settlement_of(table).reason is AbortReason.CHOMBO
    with pytest.raises(ImpossibleEventError, match="got seat 3 without: noten riichi is a foul"):
        fouled("2 foul 7-05-07 option=c").feed("told draw tenpai=0 riichi=23")


@pytest.mark.parametrize("tenpai", ["", " tenpai=2", " tenpai=02"])
def test_7_04_02_h_a_told_draw_waits_for_the_noten_riichi_as_which_a_riichi_counts(tenpai: str) -> None:
    with pytest.raises(ImpossibleEventError, match="expected 7-05-07 to be entered for seat 2") as refused:
        fouled(SHORT_WITHOUT_RIICHI).feed(f"told draw riichi=2{tenpai}")
    assert refused.value.says == "counts_as_noten_riichi"


def test_7_04_02_h_a_told_draw_waits_for_no_noten_riichi_that_costs_nothing() -> None:
    table = at(SHORT_WITHOUT_RIICHI, {"7-05-07": "c"}).feed("told draw tenpai=02 riichi=2")
    assert settlement_of(table).deltas == (3000, -1000, -2000, -1000)


@pytest.mark.parametrize(
    ("foul", "result"),
    [
        (DEAD, "ron win0=2:1:3:30:0::"),
        (DEAD, "tsumo win0=2:2:3:30:0::"),
        (SHORT_WITHOUT_RIICHI, "ron win0=2:1:3:30:0::"),
        ("2 foul 7-04-01 option=g", "tsumo win0=2:2:3:30:0::"),
    ],
)
def test_a_told_win_of_a_seat_that_must_not_win_is_refused(foul: str, result: str) -> None:
    """7-09-01; whoever thinks otherwise cancels the foul first."""
    with pytest.raises(ImpossibleEventError, match="expected a winner who may win, got seat 2") as refused:
        fouled(foul).feed(f"told {result}")
    assert refused.value.says == "barred_win"
    allowed = fouled(foul).feed("cancel-foul 0 reason=wrong").feed(f"told {result}")
    assert settlement_of(allowed).wins


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("told ron win0=1:1:3:30:0::", "a ron from another seat, a tsumo from oneself"),
        ("told tsumo win0=1:2:3:30:0::", "a ron from another seat, a tsumo from oneself"),
        ("told ron win0=1:0:1:30:0:: win1=2:3:1:30:0::", "different seats from one discarder"),
        ("told ron", "wins in a ron or tsumo and only there, got 0"),
        ("told draw win0=1:0:1:30:0::", "wins in a ron or tsumo and only there, got 1"),
        ("told ron win0=1:0:1:20:0::", "20 fu for a drawn pinfu only"),
        ("told tsumo win0=1:1:1:20:0::", "20 fu for a drawn pinfu only"),
        ("told ron win0=1:0:1:25:0::", "2 han at least for seven pairs"),
        ("told tsumo win0=1:1:2:25:0::", "3 han at least for seven pairs"),
        ("told ron win0=1:0:3:35:0::", "fu such as 20, 25, 30 … 110, got 35"),
        ("told ron win0=1:0:0:30:0::", "han from 1, got 0"),
        ("told ron win0=1:0:3:-:0::", "fu beside 3 han, got none"),
        ("told tsumo win0=1:1:1:30:0:: riichi=1", "two han at least for riichi and tsumo, got 1"),
        ("told draw riichi=1 tenpai=2", "got seat 1 without: noten riichi is a foul"),
        ("told draw tenpai=11", "each seat once, got seat 1, seat 1"),
        ("told abort tenpai=1 reason=four_kans", "tenpai and nagashi mangan at a draw only"),
        ("told abort", "the reason of the abort, got none"),
        ("told abort reason=chombo", "an abort of the rules, got chombo: penalties end hands by a foul"),
        ("told abort reason=four_riichi riichi=012", "four seats in riichi, got 3"),
        ("told abort reason=nine_terminals riichi=0123", "a seat not in riichi, got four in riichi"),
        ("told ron win0=1:0:3:30:0::big_three_dragons+2", "a yakuman for each liability"),
        ("told ron win0=1:0:-:-:1::four_kans+2", "rules with liability for four_kans"),
        ("told ron win0=1:0:-:-:1::tanyao+2", "rules with liability for tanyao"),
        ("told ron win0=1:0:-:-:1::big_four_winds+1", "another seat than the winner liable"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ImpossibleEventError, match=f"expected .*{reason}"):
        declared_table("").feed(text)


def test_a_nagashi_mangan_that_the_rules_do_not_know_is_refused() -> None:
    assert declared_table("told draw nagashi=1").state.history
    with pytest.raises(ImpossibleEventError, match="expected rules with"):
        declared_table("told draw nagashi=1", nagashi_mangan=False)


@pytest.mark.parametrize(("double", "limit"), [(False, 1), (True, 2), (("big_four_winds",), 2)])
def test_more_yakuman_than_one_hand_can_count_are_refused(double: bool | tuple[str, ...], limit: int) -> None:
    """EMA: yakuman do not add up; only one that counts twice is worth two."""
    table = declared_table(f"told ron win0=1:0:-:-:{limit}::", multiple_yakuman=False, double_yakuman=double)
    assert settlement_of(table).deltas[1] == 32000 * limit
    with pytest.raises(ImpossibleEventError, match=f"expected {limit} yakuman at most, got {limit + 1}"):
        declared_table(f"told ron win0=1:0:-:-:{limit + 1}::", multiple_yakuman=False, double_yakuman=double)
    assert settlement_of(declared_table("told ron win0=1:0:-:-:3::", double_yakuman=double)).deltas[1] == 96000


@pytest.mark.parametrize("reason", ["four_riichi", "four_winds", "four_kans", "nine_terminals", "triple_ron"])
@pytest.mark.parametrize("is_known", [True, False])
def test_an_abort_told_afterwards_with_its_reason_is_accepted(reason: str, is_known: bool) -> None:
    """Whether or not these rules know it, and whatever was seen of it: people have agreed that the hand ended so."""
    switches = dict.fromkeys(("four_riichi", "four_winds", "four_kans", "nine_terminals"), is_known)
    riichi = " riichi=0123" if reason == "four_riichi" else ""
    table = declared_table(f"told abort reason={reason}{riichi}", triple_ron="abort" if is_known else "ron", **switches)
    assert (settlement_of(table).kind, settlement_of(table).reason) == (ResultKind.ABORT, AbortReason(reason))
    assert table.clauses == []
    assert table.state.next_start is not None
    assert table.state.next_start.honba == 1


def test_riichi_needs_a_thousand_points_unless_the_rules_say_otherwise() -> None:
    poor = "start E1 scores=900,33000,33000,33100; told draw tenpai=0 riichi=0"
    with pytest.raises(ImpossibleEventError, match="expected 1000 points for riichi, got 900 of seat 0"):
        declared_table(poor)
    assert declared_table(poor, riichi_below_1000=True, tobi="never").state.scores[0] == 900 - 1000 + 3000


def test_a_told_riichi_may_be_paid_with_points_that_a_foul_has_brought() -> None:
    """A chombo that does not end the hand is paid at once (7-05-09 b): with 2900 points a riichi is possible."""
    start = "start E1 scores=33000,900,33000,33100"
    chombo = "2 foul 7-05-09 option=b"
    table = fouled_from(start, f"{chombo}; told draw tenpai=1 riichi=1")
    assert table.state.scores == (36000, 900 + 2000 - 1000 + 3000, 24000, 34100)
    spent = fouled_from(start, f"{chombo}; 1 foul 7-05-11 option=c; 1 foul 7-05-11; told draw tenpai=1 riichi=1")
    assert spent.state.scores[1] == 900 + 2000 - 2000 - 1000 + 3000
    with pytest.raises(ImpossibleEventError, match="expected 1000 points for riichi, got 900 of seat 1"):
        fouled_from(start, f"{chombo}; cancel-foul 0 reason=misread; told draw tenpai=1 riichi=1")
    with pytest.raises(ImpossibleEventError, match="expected 1000 points for riichi, got 900 of seat 1"):
        fouled_from(start, "1 foul 7-05-11 option=c; told draw tenpai=1 riichi=1")


def test_a_told_riichi_before_a_fine_needs_no_points_after_it() -> None:
    table = fouled_from(
        "start E1 scores=33000,1500,33000,32500", "1 foul 7-05-11 option=c; told draw tenpai=1 riichi=1"
    )
    assert table.state.scores[1] == 1500 - 1000 - 1000 + 3000


def test_a_riichi_that_was_declared_on_the_table_can_be_told_whatever_its_points() -> None:
    """Below 1000 points it is irregular (7-05-13), not impossible: people were asked about it as it was declared."""
    declared = "0 discards 9m; 1 discards 2p sideways; 1 stick; 2 discards 9s"
    table = fouled_from("start E1 scores=33000,900,33000,33100", f"{declared}; told draw tenpai=1 riichi=1")
    assert table.state.scores[1] == 900 - 1000 + 3000


def fouled_from(start: str, events: str) -> Table:
    """A hand by the home rules with these points."""
    return Table(rules_named("home").ruleset).feed(f"{start}; {events}")


def test_five_han_and_more_need_no_fu() -> None:
    table = declared_table("told ron win0=1:0:5:-:0::")
    assert settlement_of(table).deltas == (-8000, 8000, 0, 0)
    assert settlement_of(table).wins[0].fu is None


def test_fu_that_people_gave_stay_where_they_do_not_matter() -> None:
    (win,) = settlement_of(declared_table("told ron win0=1:0:5:30:0::")).wins
    assert (win.han, win.fu, win.points) == (5, 30, 8000)


def test_three_told_rons_abort_where_the_rules_say_so() -> None:
    assert declared_table("told abort reason=triple_ron", triple_ron="abort").state.scores == (25000,) * 4


def test_a_told_win_has_han_or_yakuman() -> None:
    with pytest.raises(InvalidValueError, match="expected han or a number of yakuman, got None han, 0"):
        DeclaredWin(seat=Seat.NEAR, from_seat=Seat.FAR)


def test_a_game_that_has_ended_takes_no_more_hands() -> None:
    table = declared_table("told ron win0=1:0:-:-:1::")
    assert table.state.is_over
    with pytest.raises(ImpossibleEventError, match="got a game that has ended"):
        table.feed("told draw")


@pytest.mark.parametrize(("double", "deltas"), [(False, (-16000, 64000, -8000, -40000)), (True, (0, 64000, 0, -64000))])
def test_a_told_liability_covers_both_of_a_yakuman_that_counts_twice(double: bool, deltas: tuple[int, ...]) -> None:
    table = declared_table("told tsumo win0=1:1:-:-:2::big_four_winds+3", double_yakuman=double)
    assert settlement_of(table).deltas == deltas
