"""A chombo: what it pays, what becomes of the pot, and the deal after it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.i18n import catalogue
from table.i18n.foul_text import foul_sentences
from table.rulebook import rules_named
from table.rules.events import FoulLogged
from table.rules.foul_preview import preview_foul
from table.rules.fouls.foul_outlook import Outlook, outlook_of
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason, ResultKind
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Seat
from tests.table.rules.fouls.fouled_hands import CHOMBO, HOME, NOTEN, RIICHI, ROUND, TENPAI, at, four_riichi
from tests.table.rules.situations import START, Table, settlement_of


def deal_of(outlook: Outlook) -> str:
    """What is said of the deal after a foul."""
    said = list(foul_sentences(outlook, Seat.NEAR, catalogue("en")))
    return (
        "passes"
        if "The hand ends; the deal passes." in said
        else "stays"
        if any("stays" in each for each in said)
        else "?"
    )


def deals_after(table: Table, text: str) -> list[str]:
    """What the list of fouls says of the deal after these events, by foul of the only hand."""
    table.feed(text)
    hand = table.state.history[0] if table.state.live is None else table.state.live
    return [deal_of(outlook_of(table.state, 0, at, table.ruleset)) for at in range(len(hand.fouls))]


@pytest.mark.parametrize(
    ("place", "best", "following"),
    [
        ("S4", 25000, "W1"),
        ("W1", 25000, "W2"),
        ("W4", 25000, "W4"),
        ("S4", 26000, "S4"),
        ("S3", 26000, "S4"),
    ],
)
def test_7_02_01_the_deal_passes_after_a_chombo_unless_that_would_end_the_game(
    place: str, best: int, following: str
) -> None:
    """7-02 c passes it; 7-02-01 a keeps it in the hand that ends the game, which in overtime depends on the points."""
    start = f"start {place} dealer=0 scores={best},{50000 - best},25000,25000 dora=1z"
    text = "0 discards 1m; 1 foul 7-06-02 option=a; confirm"
    table = at(text, {"7-02": "c", "7-02-01": "a"}, start=start, west_in=True)
    assert table.state.next_start is not None
    assert repr(table.state.next_start.round) == following


@pytest.mark.parametrize(
    ("passes", "scores", "fouls", "following"),
    [
        ("c", "23000,29000,26000,22000", (1, 2), "S4"),
        ("c", "23000,29000,26000,22000", (2, 1), "S4"),
        ("c", "26000,29000,23000,22000", (1, 0), "W1"),
        ("c", "26000,29000,23000,22000", (0, 1), "W1"),
        ("b", "25000,25000,25000,25000", (1, 0), "S4"),
        ("b", "25000,25000,25000,25000", (0, 1), "S4"),
    ],
)
def test_7_02_01_all_chombos_of_the_hand_together_decide_whether_the_game_would_end(
    passes: str, scores: str, fouls: tuple[int, int], following: str
) -> None:
    """The first two reach the target of 30000 only together; of the next two, one alone reaches it.

    Under 7-02 b only the dealer's chombo passes the deal; the target is reached by both together.
    """
    first, second = (FoulLogged(seat=Seat(seat), clause="7-04-01", option="a") for seat in fouls)
    start = f"start S4 dealer=0 scores={scores} dora=1z"
    table = at(str(first), {"7-02": passes, "7-02-01": "a"}, start=start, west_in=True)
    previewed = deal_of(preview_foul(table.state, second, table.ruleset))
    logged = deals_after(table, str(second))
    settled = deals_after(table, "confirm")
    assert table.state.next_start is not None
    assert repr(table.state.next_start.round) == following
    assert [previewed, *logged, *settled] == ["passes" if following == "W1" else "stays"] * 5


@pytest.mark.parametrize(
    ("text", "following"),
    [
        ("2 foul 7-04-01 option=a; 1 riichi-told", "W1"),
        ("0 discards 1m; 2 foul 7-04-01 option=a; 1 discards 2m sideways; 1 stick; pass", "W1"),
        ("0 discards 1m; 1 foul 7-04-01 option=a; 2 foul 7-04-01 option=a; 0 puts-back", "S4"),
        ("1 foul 7-04-01 option=d; 2 foul 7-04-01 option=d; draw", "S4"),
    ],
)
def test_7_02_01_the_list_of_fouls_names_the_deal_that_the_settlement_has(text: str, following: str) -> None:
    """A stick that stays on the table (7-03 a) keeps the first two seats below the target."""
    scores = "24000,28500,24000,23500" if "riichi" in text or "stick" in text else "23000,29000,26000,22000"
    options = {"7-02": "c", "7-02-01": "a", "7-03": "a"}
    table = at("", options, start=f"start S4 dealer=0 scores={scores} dora=1z", west_in=True)
    listed = set(deals_after(table, text))
    table.feed("confirm")
    assert table.state.next_start is not None
    assert (repr(table.state.next_start.round), listed) == (following, {"passes" if following == "W1" else "stays"})


def test_a_chombo_is_proposed_at_once_and_settled_by_one_confirmation() -> None:
    table = at(f"{ROUND}; 1 foul 7-05-01 facts=offender_opened_hand")
    proposed = table.one(AnnouncementId.SETTLEMENT_PROPOSED).args
    assert proposed == {"deltas": [4000, -8000, 2000, 2000], "kind": "abort", "missing": [], "penalty": "chombo"}
    assert table.state.scores == (25000,) * 4
    table.feed("confirm")
    assert (settlement_of(table).reason, table.state.scores) == (AbortReason.CHOMBO, CHOMBO)


def test_after_a_chombo_the_hand_is_dealt_again_without_another_counter() -> None:
    table = at("2 foul 7-04-01 option=a; confirm", start=START.replace("E1", "E1 honba=3 deposits=2"))
    coming = table.state.next_start
    assert coming is not None
    assert (repr(coming.round), coming.dealer, coming.honba, coming.deposits) == ("E1", Seat.NEAR, 3, 2)


@pytest.mark.parametrize(
    ("options", "offender", "coming"),
    [
        ({"7-02": "a"}, 0, "E1"),
        ({"7-02": "b"}, 0, "E2"),
        ({"7-02": "b"}, 1, "E1"),
        ({"7-02": "c"}, 1, "E2"),
        ({"7-02": "d"}, 0, "E1"),
    ],
)
def test_the_deal_after_a_chombo_goes_by_7_02(options: dict[str, str], offender: int, coming: str) -> None:
    table = at(f"{offender} foul 7-04-01 option=a; confirm", options)
    assert table.state.next_start is not None
    assert repr(table.state.next_start.round) == coming


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("a", "The hand ends; the dealer stays."),
        ("c", "The hand ends; the deal passes."),
        ("d", "The hand is replayed: same dealer, same honba."),
    ],
)
def test_two_chombos_are_said_to_be_followed_by_the_deal_that_7_02_names(option: str, sentence: str) -> None:
    table = at("1 foul 7-04-01 option=a", {"7-02": option})
    second = FoulLogged(seat=Seat.FAR, clause="7-04-01", option="a")
    outlook = preview_foul(table.state, second, table.ruleset)
    assert sentence in list(foul_sentences(outlook, Seat.NEAR, catalogue("en")))


@pytest.mark.parametrize(("option", "is_over"), [("a", False), ("b", True)])
def test_in_the_last_hand_the_deal_passes_by_7_02_01(option: str, is_over: bool) -> None:
    start = START.replace("E1", "S4").replace("25000,25000,25000,25000", "20000,20000,40000,20000")
    table = at("1 foul 7-04-01 option=a; confirm", {"7-02": "c", "7-02-01": option}, start=start)
    assert table.state.is_over is is_over


@pytest.mark.parametrize(
    ("options", "scores", "deposits"),
    [
        ({"7-02": "d"}, CHOMBO, 3),
        ({"7-02": "a", "7-03": "b"}, CHOMBO, 3),
        ({"7-02": "a", "7-03": "a"}, (28000, 17000, 27000, 27000), 4),
    ],
)
def test_riichi_sticks_of_the_hand_go_back_or_stay_and_the_older_pot_stays(
    options: dict[str, str], scores: tuple[int, ...], deposits: int
) -> None:
    table = at(f"{RIICHI}; 1 foul 7-04-01 option=a; confirm", options, start=START.replace("E1", "E1 deposits=3"))
    assert (table.state.scores, table.state.deposits) == (scores, deposits)


@pytest.mark.parametrize(
    ("returned", "scores", "pot"), [("all", CHOMBO, 500), ("riichi", (29000, 17000, 26000, 27000), 1500)]
)
def test_penalty_deposits_of_the_hand_go_back_only_where_the_house_says_all(
    returned: Any, scores: tuple[int, ...], pot: int
) -> None:
    table = Table(replace(HOME, returned_sticks=returned).ruleset)
    table.feed(START.replace("E1", "E1 pot=500")).feed("2 foul 7-05-11; 1 foul 7-04-01 option=a; confirm")
    assert (table.state.scores, table.state.deposit_points) == (scores, pot)


def test_what_the_same_option_deposits_stays_when_the_hand_is_dealt_again() -> None:
    table = Table(replace(HOME, returned_sticks="all").ruleset)
    table.feed(START).feed("1 foul 7-07-01-01 option=b facts=exposed=9; confirm")
    assert (settlement_of(table).reason, table.state.scores) == (AbortReason.REPLAY, (25000, 17000, 25000, 25000))
    assert table.state.deposit_points == 8000


def test_a_chombo_with_play_going_on_is_paid_at_once() -> None:
    table = at("1 foul 7-05-07 option=b")
    assert (table.state.scores, table.hand.is_live) == (CHOMBO, True)
    table.feed(f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; confirm")
    assert table.state.scores == (28000, 17000, 28000, 27000)


def test_a_chombo_may_be_paid_when_the_hand_ends() -> None:
    table = at(f"1 foul 7-04-01 option=c; {ROUND}; 0 discards 5p; 2 ron han=1 fu=30")
    assert table.state.scores == (25000,) * 4
    table.feed("confirm")
    assert (settlement_of(table).kind, table.state.scores) == (ResultKind.RON, (28000, 17000, 28000, 27000))


def test_a_foul_punished_at_a_draw_lapses_when_somebody_wins() -> None:
    table = at(f"1 foul 7-04-01 option=d; {ROUND}; 0 discards 5p; 2 ron han=1 fu=30; confirm")
    assert table.state.scores == (24000, 25000, 26000, 25000)


def test_at_a_draw_it_is_a_chombo_instead_of_noten_payments() -> None:
    table = at("1 foul 7-04-01 option=d; draw; 0 tenpai; confirm")
    assert (settlement_of(table).reason, table.state.scores) == (AbortReason.CHOMBO, CHOMBO)


@pytest.mark.parametrize(
    ("option", "scores"),
    [
        ("a", (13000, 29000, 29000, 29000)),
        ("b", (11000, 32000, 28000, 28000)),
        ("c", (23000, 28000, 24000, 24000)),
    ],
)
def test_a_noten_riichi_shown_at_a_draw(option: str, scores: tuple[int, ...]) -> None:
    table = at(
        f"{RIICHI}; 0 discards 3m; draw; 1 tenpai; 0 shows {NOTEN}; 0 foul 7-05-07; confirm", {"7-05-07": option}
    )
    assert table.state.scores == scores
    assert table.state.deposits == (0 if option == "a" else 1)


def test_a_foul_found_after_four_riichi_is_still_a_chombo() -> None:
    """R68, R69: the hand is dealt again, no counter is added, the sticks go back."""
    table = at(four_riichi())
    assert table.hand.abort is AbortReason.FOUR_RIICHI
    table.feed("1 foul 7-05-07; confirm")
    assert (settlement_of(table).reason, table.state.scores) == (AbortReason.CHOMBO, CHOMBO)
    assert table.state.next_start is not None
    assert (table.state.next_start.honba, table.state.deposits) == (0, 0)


def test_two_offenders_at_once_both_pay() -> None:
    table = at("1 foul 7-04-01 option=a; 2 foul 7-04-01 option=a; confirm")
    assert table.state.scores == (33000, 19000, 19000, 29000)


def test_a_new_deal_settles_a_chombo_that_nobody_confirmed() -> None:
    table = at("1 foul 7-04-01 option=a").feed("start E1 scores=29000,17000,27000,27000 dora=2z")
    assert table.state.history[-1].scores == CHOMBO


def test_a_chombo_may_pay_each_tenpai_player_what_the_own_hand_could_have_won() -> None:
    """Seat 2 could win 3 han 30 fu on 2p, the dora; seat 3 four closed triplets; seat 0 waits for nothing."""
    shown_hands = f"2 shows {TENPAI}; 0 shows 147m369p258s1234z; 3 shows 111m222p333s444z5z"
    start = START.replace("dora=1z", "dora=1p")
    for option, deltas in (("c", (4000, -39900, 3900, 32000)), ("i", (2000, -20000, 2000, 16000))):
        table = at(f"draw; {shown_hands}; 1 foul 7-04-01 option=d; confirm", {"7-01": option}, start=start)
        assert settlement_of(table).deltas == deltas


def test_a_yakuman_tenpai_that_lies_open_is_seen_without_asking() -> None:
    table = at("draw; 3 shows 111m222p333s444z5z; 1 foul 7-04-01 option=d; confirm", {"7-01": "e"})
    assert settlement_of(table).deltas == (16000, -32000, 8000, 8000)


@pytest.mark.parametrize("reason", ["chombo", "replay", "bust"])
def test_only_a_foul_ends_a_hand_by_a_penalty(reason: str) -> None:
    with pytest.raises(ImpossibleEventError, match=f"got {reason}, which follows from a foul"):
        at(f"abort {reason}")


def test_a_hand_that_was_not_read_is_worth_nothing_to_its_owner() -> None:
    shown_hands = "0 shows 1m; 2 shows ??; 3 shows 1p"
    table = at(f"draw; {shown_hands}; 1 foul 7-04-01 option=d; confirm", {"7-01": "c"})
    assert settlement_of(table).deltas == (4000, -8000, 2000, 2000)


def test_a_hand_in_riichi_is_valued_with_its_riichi() -> None:
    """Riichi, tanyao and pinfu of the dealer: 3 han 30 fu; after a 2p was let pass, by the own draw: 4 han 20 fu."""
    shown_hands = f"0 shows {TENPAI}; 2 shows 1p; 3 shows 1m"
    for passed, deltas in (("1p", (5800, -9800, 2000, 2000)), ("2p", (7800, -11800, 2000, 2000))):
        riichi = RIICHI.replace("2 discards 2p", f"2 discards {passed}")
        text = f"{riichi}; 0 discards 3m; draw; {shown_hands}; 1 foul 7-04-01 option=d; confirm"
        assert settlement_of(at(text, {"7-01": "c"})).deltas == deltas


@pytest.mark.parametrize(("name", "scores"), [("ema-2025", (24000, 25000, 26000, 25000)), ("home", CHOMBO)])
def test_a_valid_win_at_the_same_time_voids_any_chombo_where_the_rulebook_says_so(
    name: str, scores: tuple[int, ...]
) -> None:
    table = Table(rules_named(name).ruleset)
    table.feed(START).feed(f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; 1 foul 7-07-01-02; confirm")
    assert table.state.scores == scores
    assert table.state.history[-1].dues == ()


@pytest.mark.parametrize(("winner", "reason"), [(0, AbortReason.CHOMBO), (2, None)])
def test_an_invalid_kan_in_riichi_is_a_chombo_when_the_offender_wins_and_nothing_when_another_does(
    winner: int, reason: AbortReason | None
) -> None:
    table = Table(rules_named("wrc-2025").ruleset)
    ron = f"{RIICHI}; 0 discards 3m; 1 discards 5p; {winner} ron han=1 fu=30"
    table.feed("start E1 scores=30000,30000,30000,30000 dora=1z").feed(f"{ron}; 0 foul 7-05-06; confirm")
    assert settlement_of(table).reason is reason


@pytest.mark.parametrize(
    ("foul", "rule"),
    [
        ("0 foul 7-04-01 option=a", "7-01"),
        ("0 foul 7-07-01-02 option=c", "7-07-01-02"),
        ("0 foul 7-05-13 option=d", "7-05-13"),
    ],
)
def test_a_settlement_by_a_penalty_names_the_clause_that_decides_it(foul: str, rule: str) -> None:
    table = at(foul)
    assert table.one(AnnouncementId.SETTLEMENT_PROPOSED).rule == rule
    assert table.feed("confirm").one(AnnouncementId.SETTLEMENT_CONFIRMED).rule == rule
