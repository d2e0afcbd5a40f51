"""What a void call took goes back when its foul is logged, and lies again if the foul is cancelled."""

from __future__ import annotations

import pytest

from table.i18n import catalogue
from table.i18n.foul_text import foul_sentences
from table.rulebook import rules_named
from table.rules.events import FoulLogged
from table.rules.foul_preview import preview_foul
from table.rules.foul_totals import is_dead
from table.rules.state import Ippatsu, RiichiStage
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Seat
from tests.table.rules.fouls.fouled_hands import ROUND, at
from tests.table.rules.situations import START, Table

DEAD_PON = f"{ROUND}; 2 foul 7-04-01; 0 discards 2m; 1 discards 5z; 2 pon 5z from 1 with 55z"
LATE_PON = f"{ROUND}; 0 discards 5m; 2 pon 5m from 0 with 55m"
IN_RIICHI = f"{ROUND}; 0 discards 2m; 1 discards 2p; 2 discards 2z sideways; 2 stick; 3 discards 3z; 0 discards 5m; "
IN_RIICHI += "1 discards 5z; 2 pon 5z from 1 with 55z; 2 discards 1p"
DEAD_KAN = f"{ROUND}; 2 foul 7-04-01; 0 discards 2m; 1 discards 2p; 2 closed 7777p"
SWAP = "0 discards 3m; 1 chi 3m from 0 with 45m; 1 discards 6m"


def melds(table: Table) -> list[int]:
    """The number of melds of each seat."""
    return [len(meld) for meld in table.hand.melds]


@pytest.mark.parametrize(
    ("text", "options", "following"),
    [
        (f"{DEAD_PON}; 2 foul 7-09-02", {}, "2 discards 1p"),
        (f"{DEAD_PON}; 2 foul 7-09-02; 2 puts-back-meld", {}, "2 discards 1p"),
        (f"{LATE_PON}; 2 foul 7-05-14", {}, "1 discards 1m"),
        (f"{ROUND}; 0 discards 8m; 3 kan 8m from 0 with 888m; 3 foul 7-05-14", {}, "1 discards 1m"),
        (f"{ROUND}; 2 foul 7-04-01; 0 discards 2m; 1 discards 2m; 2 closed 7777p; 2 foul 7-09-02", {}, "2 discards 1p"),
        (f"{SWAP}; 1 foul 7-05-05", {"7-05-05": "e"}, "1 discards 9s"),
        (f"{SWAP}; 1 foul 7-05-05; 1 puts-back; 1 puts-back-meld", {"7-05-05": "e"}, "1 discards 9s"),
        (f"{LATE_PON}; 1 foul 7-08-03 facts='pon_caller=2'", {"7-08-03": "c"}, "1 discards 1m"),
        (f"{DEAD_PON}; 2 discards 1p; 2 foul 7-09-02", {}, "2 discards 1p"),
        (f"{DEAD_PON}; 2 discards 1p; 2 foul 7-09-02; 2 puts-back-meld; 2 puts-back", {}, "2 discards 1p"),
        (f"{DEAD_PON}; 2 discards 1p; 2 foul 7-09-02; 2 puts-back; 2 puts-back-meld", {}, "2 discards 1p"),
        (f"{IN_RIICHI}; 2 foul R23", {}, "2 discards 1p"),
        (f"{LATE_PON}; 2 discards 1p; 2 foul 7-05-14", {}, "1 discards 1m"),
        (f"{DEAD_KAN}; dora 2m; 2 discards 3z; 2 foul 7-09-02", {}, "2 discards 7p"),
        (f"{LATE_PON}; 1 discards 9s; 1 foul 7-08-03 facts='pon_caller=2'", {"7-08-03": "c"}, "2 discards 1m"),
        (
            f"{LATE_PON}; 1 discards 9s; 2 discards 8s; 1 foul 7-08-03 facts='pon_caller=2'",
            {"7-08-03": "c"},
            "2 discards 1m",
        ),
        (
            f"{LATE_PON}; 2 discards 8s; 1 discards 9s; 1 foul 7-08-03 facts='pon_caller=2'; 2 puts-back-meld",
            {"7-08-03": "c"},
            "2 discards 1m",
        ),
    ],
)
def test_a_void_call_goes_back_and_play_goes_on_without_a_question(
    text: str, options: dict[str, str], following: str
) -> None:
    table = at(text, options)
    assert melds(table) == [0, 0, 0, 0]
    assert table.feed(following).clauses == []


@pytest.mark.parametrize(
    "text",
    [
        f"{ROUND}; 0 discards 5m; 2 pon 5m from 0 with 55m; 2 foul 7-05-11",
        f"{ROUND}; 0 discards 5m; 2 pon 5m from 0 with 55m; 2 discards 1p; 3 discards 2p; 2 foul 7-05-14",
        f"{ROUND}; 0 discards 5m; 2 pon 5m from 0 with 55m; 2 discards 1p; 2 discards 2p; 2 foul 7-05-14",
        f"{ROUND}; 0 discards 5m; 2 pon 5m from 0 with 55m; 2 discards 1p sideways; 2 foul 7-05-14",
        f"{ROUND}; 0 discards 5m; 2 pon 5m from 0 with 55m; 2 discards 1p; 3 ron han=1 fu=30; 2 foul 7-09-02",
        f"{ROUND}; 0 discards 5m; 2 pon 5m from 0 with 55m; 1 foul 7-05-14",
    ],
)
def test_a_right_meld_after_a_wrong_word_an_older_one_and_one_of_another_seat_stay(text: str) -> None:
    assert melds(at(text, {"7-05-11": "e"})) == [0, 0, 1, 0]


def test_a_riichi_declared_after_a_void_call_is_said_to_count_no_more() -> None:
    table = at("0 discards 3m; 1 chi 3m from 0 with 45m; 1 discards 6m sideways; 1 foul 7-05-05", {"7-05-05": "e"})
    assert ("riichi_void", 1) in table.sayings
    kept = at(f"{LATE_PON}; 1 discards 9s sideways; 1 foul 7-08-03 facts='pon_caller=2'", {"7-08-03": "c"})
    assert kept.hand.riichi[1].is_declared
    assert ("riichi_void", 1) not in kept.sayings


@pytest.mark.parametrize(("fact", "has_meld"), [("restorable", False), ("not restorable", True)])
def test_a_call_in_riichi_that_can_be_put_right_goes_back_by_ema_6_7(fact: str, has_meld: bool) -> None:
    """Dead hand, chombo if it is not put right."""
    table = Table(rules_named("ema-2025").ruleset).feed(f"{START}; {IN_RIICHI}; 2 foul R23 facts='{fact}'")
    assert bool(table.hand.melds[2]) is has_meld
    assert is_dead(table.hand.fouls, Seat.FAR) is not has_meld
    assert (table.hand.proposal is not None) is has_meld
    if not has_meld:
        assert table.feed("2 discards 1p").clauses == []


def test_a_void_call_ends_no_ippatsu() -> None:
    riichi = f"{ROUND}; 2 foul 7-04-01; 0 discards 4z sideways; 0 stick; 1 discards 5z; 2 pon 5z from 1 with 55z"
    assert at(riichi).hand.ippatsu[0] is Ippatsu.CLOSED
    table = at(f"{riichi}; 2 foul 7-09-02")
    assert table.hand.ippatsu[0] is Ippatsu.OPEN
    assert table.sayings.count(("ippatsu_open", 0)) == 2


def test_a_call_lies_again_when_its_foul_is_cancelled_before_the_next_tile() -> None:
    table = at(f"{DEAD_PON}; 2 foul 7-09-02; cancel-foul 1 reason=alive")
    assert melds(table) == [0, 0, 1, 0]
    assert table.hand.turn is Seat.FAR
    later = at(f"{DEAD_PON}; 2 foul 7-09-02; 2 discards 1p; cancel-foul 1 reason=alive")
    assert melds(later) == [0, 0, 0, 0]


def test_what_went_back_is_not_put_back_again_after_the_next_tile() -> None:
    table = at(f"{DEAD_PON}; 2 foul 7-09-02; 2 discards 1p; 3 discards 1p")
    with pytest.raises(ImpossibleEventError, match="expected the last meld to be of seat 2"):
        table.feed("2 puts-back-meld")


def test_a_chi_lies_again_when_the_pon_that_went_before_it_is_void() -> None:
    """7-05-15 d."""
    table = at("0 discards 9m; 1 chi 9m from 0 with 78m; 3 pon 9m from 0 with 99m")
    table.feed("3 foul 7-05-15 facts='late_caller=3,deliberate'")
    assert melds(table) == [0, 1, 0, 0]
    assert table.feed("1 discards 1p").clauses == []


UNNOTICED = {"7-08-03": "c"}


def test_what_was_drawn_and_discarded_over_an_unnoticed_pon_stays_when_the_pon_is_void() -> None:
    """7-08-03 c: the discard is then in turn, and may be called or won on."""
    table = at(f"{LATE_PON}; 2 discards 8s; 1 discards 9s; 1 foul 7-08-03 facts='pon_caller=2'", UNNOTICED)
    assert [[river_tile.tile.text for river_tile in river][1:] for river in table.hand.rivers] == [
        ["5m"],
        ["9s"],
        [],
        [],
    ]
    assert table.hand.claimable_tile is not None
    assert table.hand.claimable_tile.seat is Seat.RIGHT
    assert table.hand.tiles_left == at(f"{ROUND}; 0 discards 5m; 1 discards 9s").hand.tiles_left
    again = table.feed("cancel-foul 0 reason=no")
    assert melds(again) == [0, 0, 1, 0]
    assert [[river_tile.tile.text for river_tile in river][1:] for river in again.hand.rivers] == [
        ["5m"],
        ["9s"],
        ["8s"],
        [],
    ]


def test_after_a_void_call_with_its_discard_everything_is_as_if_nobody_had_called() -> None:
    """Ippatsu, furiten, pao, the draws and the indicators that are due."""
    riichi = f"{ROUND}; 2 foul 7-04-01; 0 discards 4z sideways; 0 stick; 1 discards 5z; 0 waits 36m"
    for text in ("2 pon 5z from 1 with 55z; 2 discards 3m", "2 kan 5z from 1 with 555z; 2 discards 3m"):
        baseline, table = at(riichi), at(f"{riichi}; {text}; 2 foul 7-09-02")
        for name in (
            "ippatsu",
            "riichi",
            "rivers",
            "melds",
            "laid_tiles",
            "tiles_left",
            "dora_due",
            "kans",
            "pao",
            "counts",
        ):
            assert getattr(table.hand, name) == getattr(baseline.hand, name), name
        assert table.feed("2 discards 1p; 3 discards 6m; 0 ron; 0 shows 45m123456p11789s").clauses == []


@pytest.mark.parametrize("between", ["", "; dora 8s", "; 0 stick-back"])
def test_a_call_and_its_discard_lie_again_when_the_foul_is_cancelled(between: str) -> None:
    before = f"{DEAD_PON.replace('0 discards 2m', '0 discards 2m sideways; 0 stick')}; 2 discards 1p"
    baseline, table = at(f"{before}{between}"), at(f"{before}; 2 foul 7-09-02{between}; cancel-foul 1 reason=alive")
    for name in (
        "melds",
        "laid_tiles",
        "rivers",
        "tiles_left",
        "turn",
        "sticks",
        "dora_indicators",
        "counts",
        "riichi",
    ):
        assert getattr(table.hand, name) == getattr(baseline.hand, name), name
    assert table.feed("3 discards 1p").clauses == []


def test_a_void_call_says_whether_its_tiles_go_back() -> None:
    def outlook(text: str, clause: str, options: dict[str, str] | None = None) -> str:
        table, foul = at(text, options), FoulLogged(seat=Seat.FAR, clause=clause)
        return " ".join(foul_sentences(preview_foul(table.state, foul, table.ruleset), Seat.NEAR, catalogue("en")))

    assert outlook(DEAD_PON, "7-09-02") == "West’s call is void: the tiles go back. Play goes on."
    assert outlook(f"{DEAD_PON}; 2 discards 1p", "7-09-02") == "West’s call is void: the tiles go back. Play goes on."
    assert outlook(f"{DEAD_PON}; 2 discards 1p; 3 discards 1p", "7-09-02") == (
        "West’s call is void, but play has gone on: the referee decides what goes back. Play goes on."
    )
    assert outlook(DEAD_PON, "7-05-11", {"7-05-11": "e"}) == "What West said does not count. Play goes on."
    two_calls = DEAD_PON.replace(
        ROUND, f"{ROUND}; 0 discards 4m; 2 pon 4m from 0 with 44m; 2 discards 9s; 3 discards 1z"
    )
    assert outlook(two_calls, "7-09-02") == "West’s call is void: the tiles go back. Play goes on."
    third_call = "2 discards 1p; 3 discards 6z; 0 discards 2p; 2 pon 2p from 0 with 22p; 2 discards 9p; 3 discards 9m"
    assert outlook(f"{two_calls}; 2 foul 7-09-02; {third_call}", "7-09-02") == (
        "West’s call is void, but play has gone on: the referee decides what goes back. Play goes on."
    )


RIICHI_AND_PON = "0 discards 5z sideways; 0 stick; 1 discards 2m; 2 foul 7-04-01"


def test_a_riichi_voided_after_a_void_call_went_back_stays_void_when_the_call_lies_again() -> None:
    table = at(f"{RIICHI_AND_PON}; 2 pon 2m from 1 with 22m; 2 foul 7-09-02; 0 foul 7-05-13 option=d")
    table.feed("cancel-foul 1 reason=no")
    assert (melds(table), table.hand.riichi[0].stage) == ([0, 0, 1, 0], RiichiStage.NONE)
    table.feed("cancel-foul 2 reason=no")
    assert (table.hand.riichi[0].is_accepted, table.hand.ippatsu[0]) == (True, Ippatsu.CLOSED)


def test_a_riichi_given_back_after_a_void_call_went_back_stands_when_the_call_lies_again() -> None:
    text = f"{RIICHI_AND_PON}; 0 foul 7-05-13 option=d; 2 pon 2m from 1 with 22m; 2 foul 7-09-02"
    table = at(f"{text}; cancel-foul 1 reason=no; cancel-foul 2 reason=no")
    assert (melds(table), table.hand.riichi[0].is_accepted) == ([0, 0, 1, 0], True)
    assert (table.hand.ippatsu[0], table.state.scores[0]) == (Ippatsu.CLOSED, 24000)
