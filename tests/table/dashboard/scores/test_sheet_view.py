from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.rules.events import PointsAdjusted
from table.rules.state import Adjustment, FinishedHand
from table.rules.terms.results import AbortReason, ResultKind, Settlement
from table.rules.terms.seats import Round, Seat
from tests.table.dashboard.live.viewed_hands import GAME, RON, view

PAID = (30000, 20000, 25000, 25000)


def settled_view(settlement: Settlement) -> dict[str, Any]:
    (row,) = view(game=replace(GAME, history=(finished_hand("E1", settlement, 25000, 25000, 25000, 25000),)))["sheet"]
    result: dict[str, Any] = row["settled"]
    return result


def yakuman(count: int) -> Settlement:
    win = replace(RON.wins[0], from_seat=Seat.FAR, han=None, fu=None, yakuman=count, points=32000 * count)
    return replace(RON, kind=ResultKind.TSUMO, wins=(win,))


@pytest.mark.parametrize(
    ("settlement", "title", "value"),
    [
        (RON, "Ron", "3 han 30 fu"),
        (yakuman(1), "Tsumo", "Yakuman"),
        (yakuman(2), "Tsumo", "2× yakuman"),
        (replace(RON, wins=(replace(RON.wins[0], fu=None),)), "Ron", "3 han"),
    ],
)
def test_wins_are_named_by_han_and_fu_or_by_their_limit(settlement: Settlement, title: str, value: str) -> None:
    result = settled_view(settlement)
    assert (result["title"], result["wins"][0]["value"]) == (title, value)


@pytest.mark.parametrize(
    ("kind", "fields", "title"),
    [
        (ResultKind.DRAW, {}, "Draw, 0 in tenpai"),
        (ResultKind.DRAW, {"tenpai": (Seat.NEAR, Seat.RIGHT)}, "Draw, 2 in tenpai"),
        (ResultKind.DRAW, {"reason": AbortReason.NAGASHI}, "Draw: nagashi mangan"),
        (ResultKind.ABORT, {"reason": AbortReason.FOUR_WINDS}, "Abortive draw: four equal winds"),
        (ResultKind.ABORT, {"reason": AbortReason.CHOMBO}, "Penalty: chombo"),
    ],
)
def test_draws_tell_why(kind: ResultKind, fields: dict[str, Any], title: str) -> None:
    assert settled_view(Settlement(kind=kind, deltas=(0, 0, 0, 0), **fields))["title"] == title


def finished_hand(text: str, settlement: Settlement | None, *scores: int) -> FinishedHand:
    near, right, far, left = scores
    return FinishedHand(
        round=Round.parse(text), honba=0, dealer=Seat.NEAR, settlement=settlement, scores=(near, right, far, left)
    )


def test_the_score_sheet_has_a_row_a_hand_with_changes_and_scores() -> None:
    game = replace(GAME, history=(finished_hand("E1", RON, 21100, 25000, 28900, 25000),))
    (row,) = view(game=game)["sheet"]
    assert row["round"] == "E1"
    assert row["delta_texts"] == ["−3,900", "0", "+3,900", "0"]
    assert row["score_texts"] == ["21,100", "25,000", "28,900", "25,000"]
    assert row["settled"]["wins"][0]["yaku"] == ["Riichi 1", "Dora 2"]


def test_a_correction_before_a_hand_without_a_settlement_is_no_payment_of_it() -> None:
    history = (finished_hand("E1", None, *[25000] * 4), finished_hand("E2", None, *PAID))
    event = PointsAdjusted(points=(5000, -5000, 0, 0), reason="paid wrongly", by="owner")
    correction = Adjustment(hand=1, event=event, honba=0, scores=PAID)
    row = view(game=replace(GAME, history=history, adjustments=(correction,)))["sheet"][1]
    assert row["deltas"] == [0, 0, 0, 0]


def test_a_hand_without_a_settlement_shows_what_the_scores_around_it_tell() -> None:
    first = finished_hand("E1", None, 25000, 25000, 25000, 25000)
    second = finished_hand("E2", None, 24000, 26000, 25000, 25000)
    rows = view(game=replace(GAME, history=(first, second)))["sheet"]
    assert [row["deltas"] for row in rows] == [None, [-1000, 1000, 0, 0]]
    assert rows[0]["delta_texts"] == ["", "", "", ""]


def test_the_graph_starts_with_the_scores_before_the_first_hand_where_they_are_known() -> None:
    hand = finished_hand("E1", RON, 21100, 25000, 28900, 25000)
    unknown = finished_hand("E1", None, 21100, 25000, 28900, 25000)
    assert view(game=replace(GAME, history=(hand,)))["graph"] == [[25000] * 4, [21100, 25000, 28900, 25000]]
    assert view(game=replace(GAME, history=(unknown,)))["graph"] == [[21100, 25000, 28900, 25000]]
    assert view()["graph"] == []


def test_the_final_result_lists_the_seats_by_place_once_the_game_has_ended() -> None:
    assert view()["final"] is None
    ranking = (Seat.RIGHT, Seat.FAR, Seat.LEFT, Seat.NEAR)
    final = view(game=replace(GAME, ranking=ranking))["final"]
    assert [row["seat"] for row in final] == [1, 2, 3, 0]
    assert final[0] == {
        "seat": 1,
        "place": "Place 1",
        "score_text": "30,000",
        "points": "+40.0",
        "worth": "uma, oka +40.0",
    }
