"""Who pays whom: the arrows of every settlement add up to what it moves."""

from __future__ import annotations

import pytest

from table.dashboard.flows import Flow, flows
from table.dashboard.telling import flows_view
from table.rules.seats import SEATS, Seat
from tests.rules.situations import Table


def arrows(text: str, **switches: object) -> tuple[Table, tuple[Flow, ...]]:
    table = Table()
    table.ruleset = table.ruleset.but(**switches)
    table.feed(text)
    hand = table.state.history[-1]
    assert hand.settlement is not None
    counter = table.ruleset.counter_value(is_tsumo=hand.settlement.wins[0].is_tsumo if hand.settlement.wins else False)
    return table, flows(hand.settlement, hand.riichi, hand.honba * counter)


def named(found: tuple[Flow, ...]) -> list[str]:
    return [f"{place(flow.payer)}>{place(flow.to)} {flow.points}" for flow in found]


def place(seat: Seat | None) -> str:
    return "pot" if seat is None else str(int(seat))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("told ron win0=1:0:3:30:0::", ["0>1 3900"]),
        ("told tsumo win0=1:1:3:30:0:: riichi=1", ["0>1 2000", "2>1 1000", "3>1 1000"]),
        ("told tsumo win0=1:1:3:30:0:: riichi=12", ["2>pot 1000", "0>1 2000", "2>1 1000", "3>1 1000", "pot>1 1000"]),
        ("told draw tenpai=01", ["2>0 750", "2>1 750", "3>0 750", "3>1 750"]),
        ("told draw tenpai=0123", []),
        ("told draw riichi=0 tenpai=0", ["0>pot 1000", "1>0 1000", "2>0 1000", "3>0 1000"]),
        ("told abort reason=nine_terminals", []),
        ("told ron win0=1:0:1:30:0:: win1=2:0:2:30:0::", ["0>1 1000", "0>2 2000"]),
        ("told draw tenpai=0; told ron win0=1:3:1:30:0:: win1=2:3:1:30:0::", ["3>1 1300", "3>2 1000"]),
        ("told ron win0=1:2:-:-:1::big_three_dragons+3", ["2>1 16000", "3>1 16000"]),
    ],
)
def test_arrows_name_payer_taker_and_points(text: str, expected: list[str]) -> None:
    assert named(arrows(text)[1]) == expected


@pytest.mark.parametrize(
    "text",
    [
        "told ron win0=1:0:3:30:0::",
        "told draw riichi=03 tenpai=03; told tsumo win0=2:2:4:25:0:: riichi=0",
        "told draw riichi=0 tenpai=0; told ron win0=1:3:2:40:0:: win1=2:3:3:30:0:: riichi=2",
        "told draw tenpai=1 riichi=1; told ron win0=1:2:-:-:1::big_four_winds+3",
        "told draw tenpai=1",
    ],
)
def test_arrows_add_up_to_what_each_seat_gains_or_pays(text: str) -> None:
    table, found = arrows(text)
    settlement = table.state.history[-1].settlement
    assert settlement is not None
    for seat in SEATS:
        gained = sum(flow.points for flow in found if flow.to is seat)
        assert gained - sum(flow.points for flow in found if flow.payer is seat) == settlement.deltas[seat]


def test_counters_for_each_winner_are_in_the_arrows() -> None:
    _, found = arrows("told draw tenpai=0; told ron win0=1:3:1:30:0:: win1=2:3:1:30:0::", honba_on_multiple_ron="each")
    assert named(found) == ["3>1 1300", "3>2 1300"]


@pytest.mark.parametrize(("value", "paid"), [("same", "600"), (1500, "1,000")])
def test_arrows_show_what_a_counter_is_worth_at_a_tsumo(value: object, paid: str) -> None:
    table, _ = arrows("told draw tenpai=1; told tsumo win0=2:2:1:30:0::", honba_value_tsumo=value)
    hand = table.state.history[-1]
    assert hand.settlement is not None
    shown = flows_view(hand.settlement, hand.riichi, hand.honba, table.ruleset)
    assert {"from": 1, "to": 2, "text": paid} in shown
