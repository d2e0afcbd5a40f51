"""The combinations that the catalogue calls out, played through the one door."""

from __future__ import annotations

import pytest

from table.rulebook import parse_house, rules_named
from table.rules.state import Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason, ResultKind
from table.rules.terms.seats import Seat
from tests.table.rules.fouls.fouled_hands import CHOMBO, NOTEN, RIICHI, ROUND, TENPAI, at, four_riichi
from tests.table.rules.situations import START, Table, settlement_of

POT = START.replace("E1", "E2 honba=2 deposits=3 pot=700")
"""Three riichi sticks and 700 of penalties lie there from earlier hands; seat 1 deals."""


@pytest.mark.parametrize(
    ("options", "scores", "sticks"),
    [
        ({"7-02": "d"}, CHOMBO, 0),
        ({"7-02": "a", "7-03": "a"}, (28000, 16000, 26000, 26000), 4),
        ({"7-02": "c", "7-03": "b"}, CHOMBO, 0),
    ],
)
def test_a_chombo_after_four_riichi_goes_before_the_abort_and_the_sticks_go_as_at_any_chombo(
    options: dict[str, str], scores: tuple[int, ...], sticks: int
) -> None:
    table = at(f"{four_riichi()}; 1 foul 7-05-07; confirm", options)
    assert settlement_of(table).reason is AbortReason.CHOMBO
    assert (table.state.scores, table.state.deposits) == (scores, sticks)
    assert table.state.next_start is not None
    assert repr(table.state.next_start.round) == ("E2" if options["7-02"] == "c" else "E1")


def test_four_riichi_with_a_cancelled_chombo_are_aborted_as_ever() -> None:
    table = at(f"{four_riichi()}; 1 foul 7-05-07; cancel-foul 0 reason=tenpai")
    for seat in range(4):
        table.feed(f"{seat} tenpai")
    table.feed("confirm; confirm")
    assert (settlement_of(table).reason, table.state.deposits) == (AbortReason.FOUR_RIICHI, 4)


def test_a_chombo_leaves_the_pot_of_earlier_hands_and_its_counters_to_the_next_winner() -> None:
    table = at("2 foul 7-04-01 option=a; confirm", start=POT)
    assert table.state.scores == (27000, 29000, 17000, 27000)
    coming = table.state.next_start
    assert coming is not None
    assert (coming.honba, coming.deposits, coming.deposit_points) == (2, 3, 700)
    table.feed("start E2 honba=2 deposits=3 pot=700 scores=27000,29000,17000,27000 dora=2z")
    table.feed("1 discards 5p; 0 ron han=1 fu=30; confirm")
    assert table.state.scores == (27000 + 1600 + 3000 + 700, 27400, 17000, 27000)
    assert (table.state.deposits, table.state.deposit_points) == (0, 0)


def test_a_win_claimed_with_a_dead_hand_is_a_chombo_of_its_own_and_the_first_deposit_stays() -> None:
    table = at(f"1 foul 7-04-02 option=e; {ROUND}; 0 discards 5p").feed("1 ron")
    assert table.clauses == [("7-09-01", 1)]
    table.feed("1 foul 7-09-01; confirm")
    assert (settlement_of(table).reason, table.state.deposit_points) == (AbortReason.CHOMBO, 1000)
    assert table.state.scores == (29000, 16000, 27000, 27000)


def test_a_call_and_a_riichi_with_a_dead_hand_are_chombos_where_the_house_says_so() -> None:
    options = {"7-09-02": "a", "7-09-03": "a"}
    after_call = at("1 foul 7-04-01; 0 discards 5p; 1 chi 5p from 0 with 46p", options)
    assert after_call.clauses[-1:] == [("7-09-02", 1)]
    after_riichi = at("1 foul 7-04-01; 0 discards 9m; 1 discards 5z sideways", options)
    assert after_riichi.clauses[-1:] == [("7-09-03", 1)]
    for table, clause in ((after_call, "7-09-02"), (after_riichi, "7-09-03")):
        table.feed(f"1 foul {clause}; confirm")
        assert table.state.scores == CHOMBO


def test_a_hand_in_riichi_that_is_dead_may_be_noten_at_a_draw_without_a_chombo() -> None:
    """EMA 3.3.14: it pays noten, its stick stays."""
    table = at(f"{RIICHI}; 0 discards 3m; 0 foul 7-06-05; draw; 0 shows {NOTEN}; 1 tenpai; confirm")
    assert (settlement_of(table).kind, settlement_of(table).reason) == (ResultKind.DRAW, None)
    assert (settlement_of(table).tenpai, table.state.scores, table.state.deposits) == (
        (Seat.RIGHT,),
        (23000, 28000, 24000, 24000),
        1,
    )


def test_a_hand_in_riichi_that_is_dead_but_tenpai_counts_by_7_09_05() -> None:
    for option, tenpai in (("a", (Seat.RIGHT,)), ("b", (Seat.NEAR, Seat.RIGHT))):
        text = f"{RIICHI}; 0 discards 3m; 0 foul 7-06-05; draw; 0 shows {TENPAI}; 1 tenpai; confirm"
        assert settlement_of(at(text, {"7-09-05": option})).tenpai == tenpai


@pytest.mark.parametrize(
    ("fouls", "scores", "pot"),
    [
        ("1 foul 7-04-01 option=a; 2 foul 7-04-01 option=a", (33000, 19000, 19000, 29000), 0),
        ("0 foul 7-04-01 option=a; 1 foul 7-04-01 option=a", (17000, 21000, 31000, 31000), 0),
        ("1 foul 7-04-01 option=b; 2 foul 7-05-11; draw", (29000, 17000, 26000, 27000), 1000),
        ("1 foul 7-05-11; 2 foul 7-05-11 option=d; draw", (25000, 24000, 24700, 25000), 1300),
    ],
)
def test_two_offenders_at_once_each_pay_the_other_too(fouls: str, scores: tuple[int, ...], pot: int) -> None:
    table = at(f"{fouls}; confirm")
    assert (table.state.scores, table.state.deposit_points) == (scores, pot)


ONE_CHOMBO = (29000, 17000, 27000, 27000)


@pytest.mark.parametrize(
    ("fouls", "scores"),
    [
        ("1 foul 7-04-01 option=a; 1 foul 7-04-01 option=a", ONE_CHOMBO),
        ("1 foul 7-05-01 facts=offender_opened_hand; 1 foul 7-04-02 option=a; 1 foul 7-05-02 option=a", ONE_CHOMBO),
        ("1 foul 7-04-01 option=d; 1 foul 7-05-06; draw", ONE_CHOMBO),
        ("1 foul 7-04-01 option=d; draw; 1 foul 7-05-01 facts=offender_opened_hand", ONE_CHOMBO),
        ("1 foul 7-04-01 option=a; 1 foul 7-05-11", (29000, 16000, 27000, 27000)),
        ("1 foul 7-04-01 option=b; 1 foul 7-05-01 facts=offender_opened_hand", (33000, 9000, 29000, 29000)),
        (
            "1 foul 7-04-01 option=c; 1 foul 7-05-02 option=c; 0 discards 5p; 2 ron han=1 fu=30",
            (32000, 9000, 30000, 29000),
        ),
        ("1 foul 7-04-01 option=a; 2 foul 7-04-02 option=a; 1 foul 7-05-02 option=a", (33000, 19000, 19000, 29000)),
        ("1 foul 7-04-01 option=a; 1 foul 7-04-02 option=a; cancel-foul 0 reason=no", ONE_CHOMBO),
        ("1 foul 7-04-01 option=a; 1 foul 7-04-02 option=a; cancel-foul 1 reason=no", ONE_CHOMBO),
    ],
    ids=[
        "logged twice",
        "by several clauses",
        "twice at the draw",
        "at once and at the draw",
        "and a deposit",
        "after one with which play went on",
        "play went on after both",
        "beside another seat's",
        "the first one cancelled",
        "the second one cancelled",
    ],
)
def test_7_02_a_chombo_ends_the_hand_so_a_seat_pays_for_no_second_one_that_would(
    fouls: str, scores: tuple[int, ...]
) -> None:
    table = at(f"{ROUND}; {fouls}; confirm", {"7-03": "a"})
    assert table.state.scores == scores


@pytest.mark.parametrize("mode", ["a", "b"])
def test_who_pays_for_a_chombo_that_a_valid_ron_leaves_unpaid_still_pays_for_another(mode: str) -> None:
    fouls = "1 foul 7-05-01 facts=offender_opened_hand; 1 foul 7-04-02 option=a"
    table = at(f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; {fouls}; confirm", {"7-05-01-01": mode})
    assert (settlement_of(table).reason, table.state.scores) == (AbortReason.CHOMBO, ONE_CHOMBO)


@pytest.mark.parametrize(
    ("mode", "scores"),
    [
        ("a", (24000, 25000, 26000, 25000)),
        ("b", (32000, 19000, 30000, 19000)),
        ("c", (33000, 19000, 29000, 19000)),
    ],
)
def test_two_false_rons_beside_a_valid_one(mode: str, scores: tuple[int, ...]) -> None:
    fouls = "; ".join(f"{seat} foul 7-05-01 facts=offender_opened_hand" for seat in (1, 3))
    table = at(f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; {fouls}; confirm", {"7-05-01-01": mode})
    assert table.state.scores == scores


def test_who_falls_below_zero_by_a_chombo_ends_the_game_where_that_is_the_rule() -> None:
    start = START.replace("25000,25000,25000,25000", "30000,5000,35000,30000")
    for tobi, is_over in (("below_zero", True), ("never", False)):
        table = at("1 foul 7-04-01 option=a; confirm", start=start, tobi=tobi)
        assert (table.state.is_over, table.state.scores) == (is_over, (34000, -3000, 37000, 32000))


def test_who_is_short_is_excused_from_deposits_but_not_from_a_chombo() -> None:
    start = START.replace("25000,25000,25000,25000", "30000,900,35000,34100")
    table = at("1 foul 7-05-11; 1 foul 7-04-01 option=a; confirm", {"7-08-06": "b"}, start=start)
    assert (table.state.scores, table.state.deposit_points) == ((34000, -7100, 37000, 36100), 0)


@pytest.mark.parametrize(("option", "phase"), [("c", Phase.PLAY), ("d", Phase.CLAIMED)])
def test_a_clearly_late_ron_counts_or_not_by_7_05_14(option: str, phase: Phase) -> None:
    table = at(f"{ROUND}; 0 discards 5p; 1 discards 2m").feed("2 ron from 0 han=1 fu=30")
    assert ("7-05-14", 2) in table.clauses
    table = at(f"{ROUND}; 0 discards 5p; 1 discards 2m; 2 ron from 0 han=1 fu=30; 2 foul 7-05-14", {"7-05-14": option})
    assert table.hand.phase is phase


@pytest.mark.parametrize(
    ("option", "facts", "counts"),
    [
        ("c", "late_caller=2", False),
        ("d", "late_caller=2,not_deliberate", True),
        ("d", "late_caller=2,deliberate", False),
        ("e", "late_caller=2", True),
        ("f", "late_caller=2,late_call_is_ron", True),
    ],
)
def test_a_ron_that_comes_clearly_after_a_chi_of_the_tile_goes_by_7_05_15(
    option: str, facts: str, counts: bool
) -> None:
    text = f"{ROUND}; 0 discards 5p; 1 chi 5p from 0 with 46p; 2 ron from 0 han=1 fu=30; 2 foul 7-05-15 facts='{facts}'"
    table = at(text, {"7-05-15": option})
    assert bool(table.hand.claims) is counts
    if counts:
        assert table.feed("confirm").state.scores == (24000, 25000, 26000, 25000)


def test_a_pon_that_comes_after_a_chi_goes_first_once_the_chi_is_put_back() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 1 chi 5p from 0 with 46p; 2 foul 7-05-15 facts='late_caller=2,not_deliberate'")
    (instruction,) = table.hand.fouls[0].consequence.instructions
    assert instruction.op.value == "call_priority"
    table.feed("1 puts-back-meld; 2 pon 5p from 0 with 55p")
    assert (len(table.hand.melds[2]), table.hand.melds[1], table.hand.turn) == (1, (), Seat.FAR)


def test_a_swap_call_that_is_void_is_put_back_and_the_next_player_draws() -> None:
    table = at("0 discards 5p; 1 chi 5p from 0 with 46p; 1 discards 5p", {"7-05-05": "e"})
    assert ("7-05-05", 1) in table.clauses
    table.feed("1 foul 7-05-05; 1 puts-back; 1 puts-back-meld; 1 discards 9m")
    assert (table.hand.melds[1], [river_tile.tile.text for river_tile in table.hand.rivers[1]]) == ((), ["9m"])
    assert not table.hand.fouls[0].consequence.sanctions


@pytest.mark.parametrize(
    ("facts", "dues"), [("minutes=4", 4000), ("minutes=9", 9000), ("minutes=10", 10000), ("minutes=25", 10000)]
)
def test_who_comes_late_loses_points_by_the_minute_up_to_a_cap(facts: str, dues: int) -> None:
    table = Table(rules_named("ema-2025").ruleset)
    table.feed("start E1 scores=30000,30000,30000,30000 dora=1z").feed(
        f"1 foul 'EMA late' facts={facts}; draw; confirm"
    )
    assert [due.amount for due in table.state.history[-1].dues] == [dues]


def test_how_late_is_asked() -> None:
    table = Table(rules_named("ema-2025").ruleset)
    table.feed("start E1 scores=30000,30000,30000,30000 dora=1z").feed("1 foul 'EMA late'")
    assert table.hand.fouls[0].consequence.questions == ("minutes",)


@pytest.mark.parametrize(("option", "is_dead"), [("a", False), ("b", True)])
def test_permission_to_look_excuses_where_the_house_lets_it(option: str, is_dead: bool) -> None:
    table = at("1 foul 7-06-04 facts=permitted", {"7-06-05-01": option})
    assert bool(table.hand.fouls[0].consequence.sanctions) is is_dead
    assert at("1 foul 7-06-04", {"7-06-05-01": option}).hand.fouls[0].consequence.sanctions


def test_cards_are_counted_by_their_kind_and_within_their_scope() -> None:
    """A yellow card of the day and a warning of the game are not each other's second; earlier games are told."""
    rules = rules_named("m-league").ruleset
    table = Table(rules).feed("start E1 scores=25000,25000,25000,25000 dora=1z")
    for foul in ("1 foul 'M.League manner'", "2 foul 'M.League manner'", "1 foul 'M.League unvoiced'"):
        table.feed(foul)
    table.feed("3 foul 'M.League manner' facts=cards=2")
    dues = [[due.op.value for due in foul.consequence.now.dues] for foul in table.hand.fouls]
    assert dues == [["card"], ["card"], ["card", "after_uma"], ["card", "after_uma"]]


def test_a_card_that_counts_within_the_hand_is_forgotten_with_it() -> None:
    article = """
format = 1
name = "ours"
[[article]]
number = "X"
title = "Slow"
evidence = "read"
effects = [
  { when = "discovery", do = "card", colour = "warning", scope = "hand" },
  { when = "discovery", do = "deposit", points = 3000, cap = 1000, per = "tile", if = "cards>=2" },
]
"""
    table = Table(parse_house(article, "ours.toml").ruleset).feed(START).feed("1 foul X; draw; confirm")
    table.feed("start E2 honba=1 scores=25000,25000,25000,25000 dora=2z").feed("1 foul X facts=exposed=2")
    assert table.state.deposit_points == 0
    assert table.feed("1 foul X facts=exposed=2").state.deposit_points == 1000


YAKUMAN = "111m222p333s444z5z"
"""Four closed triplets but for a pair."""


@pytest.mark.parametrize(
    ("option", "questions", "deltas"),
    [
        ("c", ("hand 0", "hand 2", "hand 3"), (4000, -39900, 3900, 32000)),
        ("i", ("hand 0", "hand 2", "hand 3"), (2000, -20000, 2000, 16000)),
        ("e", ("someone_yakuman_tenpai",), (16000, -32000, 8000, 8000)),
    ],
)
def test_a_chombo_that_pays_by_the_others_hands_is_priced_once_they_are_shown(
    option: str, questions: tuple[str, ...], deltas: tuple[int, ...]
) -> None:
    table = at(f"{ROUND}; 1 foul 7-04-01 option=a", {"7-01": option}, start=START.replace("dora=1z", "dora=1p"))
    assert table.hand.fouls[0].consequence.questions == questions
    table.feed(f"2 shows {TENPAI}; 3 shows {YAKUMAN}; 0 shows 147m369p258s1234z")
    assert table.hand.fouls[0].consequence.questions == ()
    assert [
        announcement.args["deltas"]
        for announcement in table.announcements
        if announcement.id is AnnouncementId.SETTLEMENT_PROPOSED
    ][-1] == list(deltas)
    assert settlement_of(table.feed("confirm")).deltas == deltas


def test_a_chombo_paid_at_once_is_priced_again_in_the_hand_and_neither_points_nor_the_count_are_lost() -> None:
    table = at(f"{ROUND}; 1 foul 7-05-07 option=b", {"7-01": "i"})
    assert table.state.scores == (27000, 19000, 27000, 27000)
    table.feed(f"3 shows {YAKUMAN}")
    assert table.state.scores == (27000, 5000, 27000, 41000)
    assert len(table.hand.fouls) == 1


# Knocked over by another than the winner (7-07-02 a, 7-07-03 a)

WON = f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30"


@pytest.mark.parametrize("clause", ["7-07-02", "7-07-03"])
def test_whether_a_win_stands_whose_hand_another_knocked_over_is_asked_and_never_decided_alone(clause: str) -> None:
    for breaker in ("", " facts=breaker=3"):
        table = at(f"{WON}; 1 foul {clause} option=a{breaker}")
        assert table.hand.fouls[0].consequence.questions == ("win_stands",)
        for _ in range(3):
            table.feed("confirm")
            assert (table.missing, table.hand.is_live) == (("ruling 1",), True)
        assert table.state.scores == (25000,) * 4
        table.feed("cancel-foul 0 reason=told; confirm")
        assert table.state.scores == (24000, 25000, 26000, 25000)


@pytest.mark.parametrize("clause", ["7-07-02", "7-07-03"])
@pytest.mark.parametrize(
    ("facts", "scores", "reason"),
    [
        ("win_stands", (28000, 17000, 28000, 27000), None),
        ("not win_stands", CHOMBO, AbortReason.CHOMBO),
        ("breaker=3,win_stands", (28000, 27000, 28000, 17000), None),
        ("breaker=3,not win_stands", (29000, 27000, 27000, 17000), AbortReason.CHOMBO),
        ("breaker=2", (29000, 27000, 17000, 27000), AbortReason.CHOMBO),
        ("breaker_is_winner", CHOMBO, AbortReason.CHOMBO),
    ],
)
def test_the_referee_tells_what_becomes_of_a_win_that_another_knocked_over(
    clause: str, facts: str, scores: tuple[int, ...], reason: AbortReason | None
) -> None:
    table = at(f"{WON}; 1 foul {clause} option=a facts='{facts}'")
    assert table.hand.fouls[0].consequence.questions == ()
    table.feed("confirm")
    assert (table.state.scores, settlement_of(table).reason, table.missing) == (scores, reason, ())


def test_with_two_winners_it_is_asked_whether_one_of_them_was_the_breaker() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 1 ron han=1 fu=30; 2 ron han=1 fu=30; 2 foul 7-07-02 option=a; confirm")
    assert table.hand.fouls[0].consequence.questions == ("breaker_is_winner",)
    assert table.missing == ("ruling 2",)


def test_a_win_that_was_settled_before_stands() -> None:
    table = at(f"{WON}; confirm; 1 foul 7-07-02 option=a")
    assert (table.state.scores, settlement_of(table).reason) == ((28000, 17000, 28000, 27000), None)


@pytest.mark.parametrize("option", ["b", "c"])
def test_where_the_book_says_what_becomes_of_it_nothing_is_asked(option: str) -> None:
    clause = "7-07-02" if option == "b" else "7-07-03"
    table = at(f"{WON}; 1 foul {clause} option={option}; confirm")
    assert (table.state.scores, table.hand.fouls[0].consequence.questions) == ((24000, 25000, 26000, 25000), ())
