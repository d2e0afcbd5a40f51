from __future__ import annotations

import pytest

from table.dashboard.scores.result_preview import chips_text, voided_chombo_notes
from table.i18n import catalogue
from table.rules.terms.results import Deltas
from table.rules.terms.seats import Seat
from tests.table.rules.fouls.fouled_hands import at


@pytest.mark.parametrize(
    ("foul", "notes"),
    [
        ("7-05-01 facts=offender_opened_hand", ["East: A valid win counts; the chombo is ignored."]),
        ("7-06-01 option=e", []),
        ("7-06-01 option=c", []),
    ],
    ids=["a chombo", "a foul that costs nothing", "a foul that is paid"],
)
def test_beside_a_valid_win_a_chombo_alone_is_said_to_be_ignored(foul: str, notes: list[str]) -> None:
    start = "start E1 scores=25000,25000,25000,25000 dora=1z"
    hand = at(f"0 foul {foul}; told ron win0=1:2:3:30:0::", start=start).state.history[-1]
    assert hand.settlement is not None
    assert voided_chombo_notes(hand.settlement, hand.fouls, hand.dealer, catalogue("en"), [""] * 4) == notes


@pytest.mark.parametrize(
    ("chips", "text"),
    [(None, ""), ((0, 0, 0, 0), ""), ((3, -1, -1, -1), "Chips: East +3, South −1, West −1, North −1.")],
    ids=["rules without chips", "none moved", "a tsumo"],
)
def test_chips_are_told_where_some_move(chips: Deltas | None, text: str) -> None:
    assert chips_text(chips, Seat.NEAR, catalogue("en"), [""] * 4) == text
