"""Chips (祝儀) beside the points: for ippatsu, ura dora, red fives and yakuman, from whoever pays."""

from __future__ import annotations

from typing import Any

import pytest

from table.game.journal.storage.journal_codec import decode
from table.rulebook import rules_named
from table.rules.ruleset import Ruleset
from table.rules.scoring.payments import Stakes, ValuedWin, settle_wins
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import ResultKind, Settlement
from table.rules.terms.rule_errors import ImpossibleEventError, InvalidValueError
from table.rules.terms.seats import SEATS, Seat, seat_wind
from tests.table.rules.hands import value
from tests.table.rules.situations import Table, settlement_of

EAST, SOUTH, WEST, NORTH = SEATS
AMOUNTS = {"ippatsu": 1, "ura": 2, "red": 3, "yakuman": 10}
PINFU = ("234m567p34s678s99s", "5s")
RED = ("234m567p34s678s99s", "0s")
WITH = Ruleset().but(chips=AMOUNTS)


def chips_moved(
    hand: tuple[str, str], *, seat: Seat = WEST, from_seat: Seat = WEST, rules: Ruleset = WITH, **facts: Any
) -> object:
    """The chips that a won hand moves in a hand that seat 0 deals."""
    win_facts = {"is_tsumo": seat is from_seat, "seat_wind": seat_wind(seat, EAST), **facts}
    win = ValuedWin(seat=seat, from_seat=from_seat, value=value(*hand, ruleset=rules, **win_facts))
    return settle_wins(Stakes(dealer=EAST), [win], rules).chips


@pytest.mark.parametrize(
    ("hand", "facts", "each"),
    [
        (PINFU, {}, 0),
        (PINFU, {"riichi": 1}, 0),
        (PINFU, {"riichi": 1, "ippatsu": True}, 1),
        (PINFU, {"riichi": 1, "ura_indicators": "8s"}, 4),
        (PINFU, {"dora_indicators": "8s"}, 0),
        (RED, {}, 3),
        (RED, {"riichi": 1, "ippatsu": True, "ura_indicators": "8s"}, 8),
        (("22334466888s66z", "6z"), {"riichi": 1, "ippatsu": True}, 10),
    ],
    ids=["none", "riichi", "ippatsu", "two ura", "dora", "a red five", "all of them", "a yakuman alone"],
)
def test_each_payer_hands_over_what_the_hand_has(hand: tuple[str, str], facts: dict[str, Any], each: int) -> None:
    assert chips_moved(hand, **facts) == (-each, -each, 3 * each, -each)
    assert chips_moved(hand, from_seat=SOUTH, **facts) == (0, -each, each, 0)


def test_where_no_chips_are_played_there_are_none() -> None:
    assert chips_moved(RED, rules=Ruleset()) is None
    assert chips_moved(PINFU, rules=Ruleset().but(chips={"yakuman": 5})) == (0, 0, 0, 0)


def test_several_winners_each_take_their_own() -> None:
    wins = [
        ValuedWin(seat=seat, from_seat=EAST, value=value(*RED, ruleset=WITH, seat_wind=seat_wind(seat, EAST)))
        for seat in (SOUTH, NORTH)
    ]
    assert settle_wins(Stakes(dealer=EAST), wins, WITH).chips == (-6, 3, 0, 3)
    assert settle_wins(Stakes(dealer=EAST), wins, WITH.but(multiple_ron="head_bump")).chips == (-3, 3, 0, 0)


def test_who_is_liable_pays_points_and_the_payers_of_a_plain_win_the_chips() -> None:
    worth = value("234m9s", "9s", "555z,666z,777z", is_tsumo=True, seat_wind=seat_wind(WEST, EAST))
    win = ValuedWin(seat=WEST, from_seat=WEST, value=worth, pao=(("big_three_dragons", NORTH),))
    found = settle_wins(Stakes(dealer=EAST), [win], WITH)
    assert (found.deltas, found.chips) == ((0, 0, 32000, -32000), (-10, -10, 30, -10))


def test_chips_are_kept_beside_the_points_to_the_end_of_the_game() -> None:
    table = Table(WITH)
    table.feed("told ron win0=1:0:3:30:0:riichi+1,ippatsu+1,pinfu+1: riichi=1")
    assert (settlement_of(table).chips, table.state.chips) == ((-1, 1, 0, 0), (-1, 1, 0, 0))
    assert table.one(AnnouncementId.SETTLEMENT_CONFIRMED).args["chips"] == [-1, 1, 0, 0]
    table.feed("told draw")
    assert settlement_of(table).chips == (0, 0, 0, 0)
    table.feed("told tsumo win0=2:2:-:-:1:all_green+13:")
    assert table.state.chips == (-11, -9, 30, -10)
    assert table.feed("end-game").one(AnnouncementId.GAME_ENDED).args["chips"] == [-11, -9, 30, -10]
    assert sum(table.state.scores) == 100000


def test_people_tell_the_chips_of_a_hand_whose_yaku_they_do_not() -> None:
    table = Table(WITH).feed("told tsumo win0=1:1:5:-:0:: chips0=4")
    assert settlement_of(table).chips == (-4, 12, -4, -4)
    with pytest.raises(ImpossibleEventError, match="expected rules with chips, got 'home'"):
        Table().feed("told tsumo win0=1:1:5:-:0:: chips0=4")


def test_without_chips_nothing_speaks_of_them() -> None:
    table = Table().feed("told ron win0=1:0:3:30:0:riichi+1,ippatsu+1,pinfu+1: riichi=1")
    assert (settlement_of(table).chips, table.state.chips) == (None, None)
    assert "chips" not in table.one(AnnouncementId.SETTLEMENT_CONFIRMED).args
    assert "chips" not in table.feed("end-game").one(AnnouncementId.GAME_ENDED).args


def test_a_penalty_moves_no_chips() -> None:
    table = Table(rules_named("home").ruleset.but(chips=AMOUNTS))
    table.feed("start E1 scores=25000,25000,25000,25000; 0 discards 1m; 1 foul 7-05-01 option=a; confirm")
    assert settlement_of(table).chips == (0, 0, 0, 0)


def test_chips_that_come_from_nowhere_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="four numbers of chips that sum to 0"):
        Settlement(kind=ResultKind.DRAW, deltas=(0, 0, 0, 0), chips=(1, 0, 0, 0))


def test_a_settlement_recorded_before_there_were_chips_can_still_be_read() -> None:
    old = {"is": "Settlement", "kind": "draw", "deltas": [0, 0, 0, 0], "deposits": 1, "honba": 1}
    assert decode(Settlement, old).chips is None


def test_a_game_that_a_late_foul_ends_anew_says_its_chips_again() -> None:
    table = Table(rules_named("home").ruleset.but(chips=AMOUNTS))
    table.feed("told ron win0=1:0:3:30:0:riichi+1,ippatsu+1,pinfu+1: riichi=1; end-game")
    again = table.feed("1 foul 7-05-11").one(AnnouncementId.GAME_ENDED)
    assert again.args["chips"] == [-1, 1, 0, 0]
