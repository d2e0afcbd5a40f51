"""Who pays whom: the arrows of every settlement add up to what it moves."""

from __future__ import annotations

import pytest

from table.dashboard import create_app
from table.dashboard.scores.payment_arrows import PaymentArrow, payment_arrows
from table.dashboard.scores.result_preview import arrows_view
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table as Kept
from table.game.table_loop import TableLoop
from table.rulebook import rules_named
from table.rules.terms.seats import SEATS, Seat
from table.runtime.clock import LogicalClock
from tests.fakes.desks import join, token
from tests.table.rules.fouls.fouled_hands import at
from tests.table.rules.situations import Table


def arrows(text: str, **switches: object) -> tuple[Table, tuple[PaymentArrow, ...]]:
    table = Table()
    table.ruleset = table.ruleset.but(**switches)
    table.feed(text)
    hand = table.state.history[-1]
    assert hand.settlement is not None
    counter = table.ruleset.counter_value(is_tsumo=hand.settlement.wins[0].is_tsumo if hand.settlement.wins else False)
    return table, payment_arrows(hand.settlement, hand.riichi, hand.honba * counter)


def arrow_texts(found: tuple[PaymentArrow, ...]) -> list[str]:
    return [f"{place(flow.payer)}>{place(flow.to)} {flow.points}" for flow in found]


def check_sums(table: Table, found: tuple[PaymentArrow, ...]) -> None:
    """Checks that the arrows of the last hand can be paid and add up to what each seat gains or pays."""
    assert not any(flow.points % 100 for flow in found)
    settlement = table.state.history[-1].settlement
    assert settlement is not None
    for seat in SEATS:
        gained = sum(flow.points for flow in found if flow.to is seat)
        assert gained - sum(flow.points for flow in found if flow.payer is seat) == settlement.deltas[seat]


def place(seat: Seat | None) -> str:
    return "pot" if seat is None else str(int(seat))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("told ron win0=1:0:3:30:0::", ["0>1 3900"]),
        ("told tsumo win0=1:1:3:30:0:: riichi=1", ["0>1 2000", "2>1 1000", "3>1 1000"]),
        ("told tsumo win0=1:1:3:30:0:: riichi=12", ["2>pot 1000", "0>1 2000", "2>1 1000", "3>1 1000", "pot>1 1000"]),
        ("told draw tenpai=01", ["2>0 1500", "3>1 1500"]),
        ("told draw tenpai=0123", []),
        ("told draw riichi=0 tenpai=0", ["0>pot 1000", "1>0 1000", "2>0 1000", "3>0 1000"]),
        ("told abort reason=nine_terminals", []),
        ("told ron win0=1:0:1:30:0:: win1=2:0:2:30:0::", ["0>1 1000", "0>2 2000"]),
        ("told draw tenpai=0; told ron win0=1:3:1:30:0:: win1=2:3:1:30:0::", ["3>1 1300", "3>2 1000"]),
        ("told ron win0=1:2:-:-:1::big_three_dragons+3", ["3>1 16000", "2>1 16000"]),
        (
            "told ron win0=1:0:3:30:0:: win1=3:0:-:-:1::big_three_dragons+2",
            ["2>3 16000", "0>3 16000", "0>1 3900"],
        ),
        (
            "told draw tenpai=0; told ron win0=1:0:3:30:0:: win1=3:0:-:-:1::big_three_dragons+2",
            ["2>3 16000", "0>3 16000", "0>1 4200"],
        ),
        (
            "told ron win0=2:0:-:-:1::big_three_dragons+3 win1=3:0:3:30:0:: riichi=3",
            ["3>pot 1000", "3>2 16000", "0>2 16000", "0>3 3900", "pot>2 1000"],
        ),
        ("told draw tenpai=123 nagashi=12", ["0>1 4000", "0>2 4000", "3>1 2000", "3>2 2000"]),
        ("told draw tenpai=12 nagashi=01", ["2>0 4000", "2>1 2000", "3>0 4000", "3>1 2000"]),
    ],
)
def test_arrows_name_payer_taker_and_points(text: str, expected: list[str]) -> None:
    assert arrow_texts(arrows(text)[1]) == expected


@pytest.mark.parametrize(
    "text",
    [
        "told ron win0=1:0:3:30:0::",
        "told draw riichi=03 tenpai=03; told tsumo win0=2:2:4:25:0:: riichi=0",
        "told draw riichi=0 tenpai=0; told ron win0=1:3:2:40:0:: win1=2:3:3:30:0:: riichi=2",
        "told draw tenpai=1 riichi=1; told ron win0=1:2:-:-:1::big_four_winds+3",
        "told draw tenpai=1",
        "told draw tenpai=0; told ron win0=1:0:-:-:1::big_three_dragons+2 win1=2:0:3:30:0:: riichi=2",
        "told ron win0=1:0:-:-:1::big_three_dragons+2 win1=2:0:3:30:0:: riichi=12",
    ],
)
def test_arrows_add_up_to_what_each_seat_gains_or_pays(text: str) -> None:
    check_sums(*arrows(text))


def test_counters_for_each_winner_are_in_the_arrows() -> None:
    _, found = arrows("told draw tenpai=0; told ron win0=1:3:1:30:0:: win1=2:3:1:30:0::", honba_on_multiple_ron="each")
    assert arrow_texts(found) == ["3>1 1300", "3>2 1300"]


# Fouls


def test_the_table_s_page_draws_the_dealer_s_chombo_as_three_payments_and_the_stick_that_goes_back() -> None:
    with Journal(None) as journal:
        table = Kept(journal=journal, referee=Referee(), ruleset=rules_named("home").ruleset, clock=LogicalClock())
        with TableLoop(table) as loop:
            app = create_app(table.board, loop)
            one, other = app.test_client(), app.test_client()
            join(one, seat="0")
            join(other, seat="1")
            foul = {"press": "name_foul", "seat": 0, "clause": "7-05-01", "facts": ["offender_opened_hand"]}
            for phone, press in ((one, {"press": "riichi", "seat": 1}), (one, foul), (other, {"press": "agree"})):
                assert phone.post("/api/press", json=press, headers=token(phone)).status_code == 202
            end = one.get("/api/table").get_json()["ending"]
    assert [(flow["from"], flow["to"], flow["text"]) for flow in end["flows"]] == [
        *((0, seat, "4,000") for seat in (1, 2, 3)),
        (None, 1, "1,000"),
    ]
    assert end["deltas"] == [-12000, 5000, 4000, 4000]


DEALT = "start E1 scores=25000,25000,25000,25000 dora=1z"
FALSE_WIN = "7-05-01 facts=offender_opened_hand"


def with_fouls(text: str, **switches: object) -> tuple[Table, tuple[PaymentArrow, ...]]:
    """The arrows of the last hand of a table with the home penalties, as the previews draw them."""
    table = Table(rules_named("home").ruleset.but(**switches))
    table.feed(f"{DEALT}; {text}")
    hand = table.state.history[-1]
    assert hand.settlement is not None
    return table, payment_arrows(hand.settlement, hand.riichi, hand.honba * table.ruleset.honba_value, hand.fouls)


@pytest.mark.parametrize("riichi", ["", "1 riichi-told; ", "1 riichi-told; 2 riichi-told; "])
def test_the_dealer_s_chombo_is_three_arrows_however_many_riichi_sticks_go_back(riichi: str) -> None:
    table, found = with_fouls(f"{riichi}0 foul {FALSE_WIN}; confirm")
    assert arrow_texts(found) == ["0>1 4000", "0>2 4000", "0>3 4000"]
    assert table.state.deposits == 0


def test_the_arrows_of_a_chombo_need_not_know_the_foul() -> None:
    table, _ = with_fouls(f"1 riichi-told; 0 foul {FALSE_WIN}; confirm")
    hand = table.state.history[-1]
    assert hand.settlement is not None
    assert arrow_texts(payment_arrows(hand.settlement, hand.riichi, 0)) == ["0>1 4000", "0>2 4000", "0>3 4000"]


def test_who_is_in_riichi_and_makes_a_chombo_pays_the_chombo_alone() -> None:
    _, found = with_fouls(f"1 riichi-told; 1 foul {FALSE_WIN}; confirm")
    assert arrow_texts(found) == ["1>0 4000", "1>2 2000", "1>3 2000"]


def test_a_foul_paid_into_the_pot_beside_noten_payments_has_an_arrow_of_its_own() -> None:
    _, found = with_fouls("1 foul 7-06-01 option=c; draw; 0 tenpai; 1 noten; 2 noten; 3 noten; confirm")
    assert arrow_texts(found) == ["1>0 1000", "2>0 1000", "3>0 1000", "1>pot 1000"]


@pytest.mark.parametrize("deposits", [0, 1])
@pytest.mark.parametrize(("sticks", "expected"), [("b", []), ("a", ["1>pot 1000"])], ids=["returned", "carried over"])
@pytest.mark.parametrize("foul", ["", "2 foul 7-06-01 option=c; "], ids=["", "a foul paid into the pot"])
def test_a_stick_is_paid_beside_a_chombo_where_the_sticks_stay(
    deposits: int, sticks: str, expected: list[str], foul: str
) -> None:
    start = f"start E1 scores={25000 - 1000 * deposits},25000,25000,25000 deposits={deposits} dora=1z"
    table = at(f"1 riichi-told; {foul}0 foul {FALSE_WIN}; confirm", {"7-02": "a", "7-03": sticks}, start=start)
    hand = table.state.history[-1]
    assert hand.settlement is not None
    found = payment_arrows(hand.settlement, hand.riichi, 0, hand.fouls)
    pot = ["2>pot 1000"] if foul else []
    assert arrow_texts(found) == [*expected, *pot, "0>1 4000", "0>2 4000", "0>3 4000"]
    check_sums(table, found)


def test_two_chombo_of_one_hand_are_two_payments() -> None:
    _, found = with_fouls(f"0 foul {FALSE_WIN}; 1 foul {FALSE_WIN}; confirm")
    assert arrow_texts(found) == ["0>1 4000", "0>2 4000", "0>3 4000", "1>0 4000", "1>2 2000", "1>3 2000"]


@pytest.mark.parametrize(
    "text",
    [
        f"1 riichi-told; 0 foul {FALSE_WIN}; confirm",
        "1 foul 7-06-01 option=c; told ron win0=1:0:3:30:0:: riichi=1",
        "1 foul 7-06-01 option=c; 2 foul 7-06-01 option=c; told tsumo win0=0:0:3:30:0:: riichi=3",
        "1 foul 7-06-01 option=c; told draw tenpai=12",
        "1 foul 7-06-01 option=c; told abort reason=nine_terminals",
        "1 foul 7-06-01 option=c; told ron win0=0:1:1:30:0:: win1=2:1:2:30:0::",
    ],
)
def test_arrows_with_fouls_add_up_to_what_each_seat_gains_or_pays(text: str) -> None:
    check_sums(*with_fouls(text))


@pytest.mark.parametrize(("value", "payment"), [("same", "600"), (1500, "1,000")])
def test_arrows_show_what_a_counter_is_worth_at_a_tsumo(value: object, payment: str) -> None:
    table, _ = arrows("told draw tenpai=1; told tsumo win0=2:2:1:30:0::", honba_value_tsumo=value)
    hand = table.state.history[-1]
    assert hand.settlement is not None
    flows = arrows_view(hand.settlement, hand.riichi, hand.honba, table.ruleset, hand.fouls)
    assert {"from": 1, "to": 2, "text": payment} in flows
