from __future__ import annotations

from dataclasses import replace

from table.records.score_sheet import score_sheet
from table.rules.penalties.consequence import Due
from table.rules.penalties.effect_terms import Op
from table.rules.ruleset import Ruleset
from table.rules.state import FinishedHand, GameState
from table.rules.terms.results import AbortReason, ResultKind, Settlement, Win
from table.rules.terms.seats import Round, Seat

RULES = Ruleset()
WIN = Win(
    seat=Seat.FAR, from_seat=Seat.NEAR, han=2, fu=40, yaku=(("riichi", 1), ("ippatsu", 1)), yakuman=0, points=2600
)


def finished_hand(text: str, settlement: Settlement | None, scores: tuple[int, int, int, int]) -> FinishedHand:
    return FinishedHand(round=Round.parse(text), honba=1, dealer=Seat.NEAR, settlement=settlement, scores=scores)


def test_every_hand_has_its_line_with_result_and_scores() -> None:
    ron = Settlement(kind=ResultKind.RON, deltas=(-2600, 0, 2600, 0), wins=(WIN,))
    draw = Settlement(kind=ResultKind.DRAW, deltas=(0, 0, 0, 0), tenpai=(Seat.NEAR, Seat.LEFT))
    abort = Settlement(kind=ResultKind.ABORT, deltas=(0, 0, 0, 0), reason=AbortReason.FOUR_WINDS)
    scores = (22400, 25000, 27600, 25000)
    state = GameState(
        scores=scores,
        deposits=2,
        history=(
            finished_hand("E1", ron, scores),
            finished_hand("E2", draw, scores),
            finished_hand("E3", abort, scores),
            finished_hand("E4", None, scores),
        ),
    )
    lines = score_sheet(state, RULES).splitlines()
    assert lines[1].split() == ["E1-1", "ron", "seat", "2:", "2600", "22400", "25000", "27600", "25000"]
    assert "draw, tenpai: 0 3" in lines[2]
    assert "abort: four_winds" in lines[3]
    assert "not settled" in lines[4]
    assert "2 x 1000 on the table" in lines[5]


def test_a_finished_game_ends_with_its_ranking() -> None:
    state = GameState(scores=(1, 2, 3, 4), ranking=(Seat.LEFT, Seat.FAR, Seat.RIGHT, Seat.NEAR))
    assert score_sheet(state, RULES).endswith("ranking: 1. seat 3, 2. seat 2, 3. seat 1, 4. seat 0")


def test_seats_that_share_a_place_have_one_number() -> None:
    state = GameState(scores=(20000, 30000, 20000, 30000), ranking=(Seat.RIGHT, Seat.LEFT, Seat.NEAR, Seat.FAR))
    sheet = score_sheet(state, RULES.but(ties="split"))
    assert sheet.endswith("ranking: 1. seat 1, 1. seat 3, 3. seat 0, 3. seat 2")
    assert score_sheet(state, RULES).endswith("ranking: 1. seat 1, 2. seat 3, 3. seat 0, 4. seat 2")


def test_chips_stand_below_the_points_where_they_are_played() -> None:
    ron = Settlement(kind=ResultKind.RON, deltas=(-2600, 0, 2600, 0), wins=(WIN,), chips=(-2, 0, 2, 0))
    hand = finished_hand("E1", ron, (22400, 25000, 27600, 25000))
    state = GameState(scores=hand.scores, history=(hand, hand))
    assert score_sheet(state, RULES).splitlines()[-1].split() == ["chips", "-4", "+0", "+4", "+0"]
    without = replace(hand, settlement=replace(ron, chips=None))
    assert "chips" not in score_sheet(replace(state, history=(without,)), RULES)


def test_penalties_are_listed_with_what_they_cost_and_what_lies_in_the_pot() -> None:
    dues = (
        Due(seat=Seat.RIGHT, op=Op.AFTER_UMA, amount=20000),
        Due(seat=Seat.FAR, op=Op.CARD, detail="yellow day"),
        Due(seat=Seat.LEFT, op=Op.BAN),
    )
    line = replace(finished_hand("E1", None, (25000,) * 4), dues=dues)
    sheet = score_sheet(GameState(scores=(25000,) * 4, deposits=1, deposit_points=300, history=(line,)), RULES)
    assert "1 x 1000 + 300 of penalties on the table" in sheet
    assert sheet.splitlines()[-3:] == [
        "penalty for seat 1, after uma: 20000",
        "penalty for seat 2, card: yellow day",
        "penalty for seat 3, ban",
    ]
