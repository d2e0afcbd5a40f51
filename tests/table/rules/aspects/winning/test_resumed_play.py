"""Play that goes on from before a tsumo out of turn: nothing was missed once that tsumo is withdrawn."""

from __future__ import annotations

import pytest

from table.rules.state import Ippatsu, Phase
from tests.table.rules.situations import TANYAO, discards, play, settlement_of

COUNTED = ("turn", "has_drawn", "tiles_left", "missed_at", "ippatsu", "riichi", "dora_due", "laid_tiles", "phase")
"""What counts turns and tiles."""
ROUND = discards("9m 9p 9s 1z")


@pytest.mark.parametrize("claimant", [1, 2, 3])
@pytest.mark.parametrize("extra", ["", "3 foul 7-04-02 option=i; "])
@pytest.mark.parametrize(
    "play_on",
    [
        "0 discards 1m",
        "0 discards 1m sideways; 0 stick",
        "0 discards 1m sideways; 0 stick; 1 discards 3m; 2 discards 4m; 3 discards 5m",
        "0 discards 1m; 1 discards 3m; 2 discards 4m; 3 discards 5m; 0 discards 6m",
    ],
)
def test_play_that_goes_on_where_it_was_before_a_tsumo_out_of_turn_has_missed_nothing(
    play_on: str, extra: str, claimant: int
) -> None:
    before = f"{extra}0 discards 9m; 1 discards 9p; 2 discards 2m sideways; 2 stick; 3 discards 6z; pass"
    table = play(f"{before}; {claimant} tsumo; {play_on}; {claimant} withdraws")
    never = play(f"{before}; {play_on}")
    assert (table.hand.missed_at, table.hand.tiles_left) == ((None,) * 4, table.feed("pass").hand.tiles_left + 1)
    never.feed("pass")
    assert [getattr(table.hand, name) for name in COUNTED] == [getattr(never.hand, name) for name in COUNTED]


@pytest.mark.parametrize("rule", ["with_discard", "at_once", "after_discard"])
@pytest.mark.parametrize("play_on", ["0 discards 1m", "0 discards 1m; 1 discards 3m"])
def test_the_indicator_of_a_kan_before_a_tsumo_out_of_turn_is_due_as_ever(play_on: str, rule: str) -> None:
    before = "0 discards 9m; 1 discards 9p; 0 kan 9p from 1 with 999p"
    table = play(f"{before}; 2 tsumo; {play_on}; 2 withdraws", open_kan_dora=rule)
    never = play(f"{before}; {play_on}", open_kan_dora=rule)
    assert [getattr(table.hand, name) for name in COUNTED] == [getattr(never.hand, name) for name in COUNTED]


def test_only_the_tsumo_is_asked_about_when_the_seat_in_turn_plays_on() -> None:
    table = play(f"{ROUND}; pass; 2 tsumo").feed("0 discards 5z")
    assert (table.clauses, table.sayings) == ([("7-05-01", 0)], [])
    assert ("7-05-09", 1) in play(f"{ROUND}; pass; 2 tsumo").feed("1 discards 5z").clauses


def test_a_riichi_declared_first_while_a_tsumo_out_of_turn_stands_is_double_once_that_is_withdrawn() -> None:
    told = "0 discards 9m; 2 tsumo; 1 discards 5z sideways; 1 stick; 2 withdraws"
    assert play(f"{told}; pass").hand.riichi == play("0 discards 9m; 1 discards 5z sideways; 1 stick").hand.riichi
    assert play(told).hand.riichi[1].is_double


@pytest.mark.parametrize("act", ["1 discards 1m", "0 discards 1m; 2 discards 1s", "0 closed 1111m; 0 discards 2m"])
def test_play_that_goes_on_otherwise_stays_in_doubt(act: str) -> None:
    assert play(f"{ROUND}; pass; 2 tsumo; {act}; 2 withdraws").hand.has_gap


def test_a_tsumo_that_stays_claimed_though_the_turn_before_it_comes_late_is_on_the_last_tile() -> None:
    almost_all = "; ".join(f"{number % 4} discards ?" for number in range(68))
    table = play(f"{almost_all}; 2 tsumo; 0 discards 9m; 2 shows 234m345678s88s34m with 5m")
    assert (table.hand.tiles_left, table.hand.has_gap) == (0, True)


def test_a_later_ron_is_paid_as_if_no_tsumo_had_been_claimed() -> None:
    text = (
        f"{ROUND}; 0 discards 1m sideways; 0 stick; {{}}1 discards 5p; {{}}0 ron; 0 shows {TANYAO}; 0 ura 9s; confirm"
    )
    table = play(text.format("3 tsumo; ", "3 withdraws; "))
    assert settlement_of(table) == settlement_of(play(text.format("", "")))
    assert "ippatsu" in dict(settlement_of(table).wins[0].yaku)


@pytest.mark.parametrize("then", ["1 discards 3z", "1 discards 3z; 2 discards 3z; 3 discards 3z; 0 discards 3z"])
@pytest.mark.parametrize("rest", ["2 withdraws; {}", "{}; 2 withdraws"])
def test_a_riichi_reported_while_a_tsumo_out_of_turn_stands_has_the_window_of_any_other(rest: str, then: str) -> None:
    before = "0 discards 9m; 1 discards 5z; 2 discards 9s; 3 discards 1z; 0 discards 9p"
    events = rest.format(then)
    table = play(f"{before}; 2 tsumo; 1 riichi-told; {events}")
    never = play(f"{before}; pass; 1 riichi-told; {then}")
    assert [getattr(table.hand, name) for name in COUNTED] == [getattr(never.hand, name) for name in COUNTED]
    assert table.hand.ippatsu[1] is Ippatsu.CLOSED


@pytest.mark.parametrize(
    ("discards_before", "events", "missing"),
    [
        (69, "0 tsumo; 1 discards 9s; 2 discards 5p; 0 withdraws", ("unseen 3",)),
        (
            66,
            "2 discards 9m; 3 discards 9p sideways; 3 stick; 0 discards 2z; 0 tsumo; 1 discards 5s; 2 discards 5p; "
            "0 withdraws",
            ("ura 3", "unseen 3"),
        ),
    ],
)
def test_more_discards_than_tiles_were_left_to_draw_stay_in_doubt(
    discards_before: int, events: str, missing: tuple[str, ...]
) -> None:
    unknown = "; ".join(f"{number % 4} discards ?" for number in range(discards_before))
    table = play(f"{unknown}; {events}; 3 ron; 3 shows {TANYAO}; confirm")
    assert (table.hand.phase, set(table.missing)) == (Phase.CLAIMED, set(missing))


def test_the_last_tile_left_to_draw_may_be_discarded_while_a_tsumo_out_of_turn_stands() -> None:
    unknown = "; ".join(f"{number % 4} discards ?" for number in range(68))
    rest = "0 discards 9s; 1 discards 5p; {}3 ron; 3 shows 234m567m34567p22s; confirm"
    told = play(f"{unknown}; 2 tsumo; {rest.format('2 withdraws; ')}")
    assert settlement_of(told) == settlement_of(play(f"{unknown}; {rest.format('')}"))
    assert "last_tile_ron" in dict(settlement_of(told).wins[0].yaku)
