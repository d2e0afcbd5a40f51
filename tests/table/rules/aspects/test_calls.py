"""Chi, pon and kan: which tiles fit, whose discard, swap calling, where the turned tile points, and liability."""

from __future__ import annotations

import pytest

from table.rules.state import Pao
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.melds import MeldKind
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import SEATS, Seat
from tests.table.rules.situations import discards, play, settlement_of


@pytest.mark.parametrize(
    ("call", "clauses"),
    [
        ("1 chi 3m from 0 with 24m", []),
        ("1 chi 3m from 0 with 45m", []),
        ("1 chi 3m from 0 with 40m", []),
        ("1 chi 3m from 0 with 46m", [("7-05-02", 1)]),
        ("1 chi 3m from 0 with 3m5m", [("7-05-02", 1)]),
        ("1 chi 3m from 0 with 2m4p", [("7-05-02", 1)]),
        ("2 chi 3m from 0 with 24m", [("7-05-02", 2)]),
        ("1 chi 3m from 0 with 2m?", []),
        ("2 pon 3m from 0 with 33m", []),
        ("2 pon 3m from 0 with 34m", [("7-05-02", 2)]),
        ("3 kan 3m from 0 with 333m", []),
        ("3 kan 3m from 0 with 334m", [("7-05-02", 3)]),
    ],
)
def test_melds_of_tiles_that_do_not_fit_are_asked_about_and_lie_all_the_same(
    call: str, clauses: list[tuple[str, int]]
) -> None:
    table = play("0 discards 3m").feed(call)
    assert table.clauses == clauses
    assert len(table.hand.melds[int(call[0])]) == 1
    assert table.hand.turn == int(call[0])


def test_a_chi_of_honours_does_not_fit() -> None:
    assert play("0 discards 1z").feed("1 chi 1z from 0 with 23z").clauses == [("7-05-02", 1)]


def test_a_sequence_does_not_run_from_one_suit_into_the_next() -> None:
    assert play("0 discards 9m").feed("1 chi 9m from 0 with 1p2p").clauses == [("7-05-02", 1)]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("1 pon 2m from 0 with 22m", "expected a call of 3m from seat 0, got 2m"),
        ("1 pon 3m from 2 with 33m", "expected a discard of seat 2 to call, got none"),
    ],
)
def test_a_tile_that_does_not_lie_there_cannot_be_called(call: str, expected: str) -> None:
    with pytest.raises(ImpossibleEventError, match=expected):
        play("0 discards 3m").feed(call)


def test_a_called_tile_cannot_be_called_twice() -> None:
    with pytest.raises(ImpossibleEventError, match="expected a discard of seat 0 to call"):
        play("0 discards 3m; 1 pon 3m from 0 with 33m; 2 pon 3m from 0 with 33m")


def test_the_tile_of_a_kan_cannot_be_called() -> None:
    with pytest.raises(ImpossibleEventError, match="expected a discard of seat 1 to call"):
        play("0 discards 9m; 1 discards 1m; 2 discards 1p; 3 discards 1s; 0 discards 2s; 1 closed 3333m").feed(
            "2 pon 3m from 1 with 33m"
        )


def test_an_unread_discard_is_known_once_it_is_called() -> None:
    table = play("0 discards ?; 1 pon 3m from 0 with 33m")
    assert table.hand.counts[2] == 3
    with pytest.raises(ImpossibleEventError, match="at most 4 copies of 3m"):
        table.feed("1 discards 3m; 2 discards 3m")


def test_a_called_discard_stays_in_the_memory_of_its_river() -> None:
    table = play("0 discards 3m; 1 pon 3m from 0 with 33m")
    assert table.hand.rivers[0][0].called_by == 1


def test_a_call_moves_the_turn_and_draws_nothing() -> None:
    table = play("0 discards 3m; 2 pon 3m from 0 with 33m")
    assert table.hand.turn == 2
    assert not table.hand.has_drawn
    assert table.hand.tiles_left == 69


def test_a_call_after_the_pass_was_stated_takes_the_inferred_draw_back() -> None:
    table = play("0 discards 3m; pass")
    assert table.hand.tiles_left == 68
    table.feed("2 pon 3m from 0 with 33m")
    assert table.hand.tiles_left == 69
    assert table.clauses == []


def test_a_late_call_is_asked_about() -> None:
    table = play("0 discards 3m; 1 discards 4m").feed("2 pon 3m from 0 with 33m")
    assert table.clauses == [("7-05-14", 2)]
    assert table.hand.turn == 2


def test_the_last_discard_may_not_be_called() -> None:
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in (1, 2, 3, 4, 6, 7, 8, 9)]
    tiles = [kind for kind in kinds for _ in range(3)][:69]
    table = play(discards(" ".join([*tiles, "5z"])))
    assert table.hand.tiles_left == 0
    assert ("7-05-02", 3) in table.feed("3 pon 5z from 1 with 55z").clauses


@pytest.mark.parametrize(
    ("call", "discard", "rule", "is_asked"),
    [
        ("1 chi 3m from 0 with 45m", "3m", "forbidden", True),
        ("1 chi 3m from 0 with 45m", "6m", "forbidden", True),
        ("1 chi 3m from 0 with 45m", "2m", "forbidden", False),
        ("1 chi 3m from 0 with 12m", "0m", "forbidden", False),
        ("1 chi 3m from 0 with 40m", "6m", "forbidden", True),
        ("1 chi 3m from 0 with 24m", "3m", "forbidden", True),
        ("1 chi 3m from 0 with 24m", "1m", "forbidden", False),
        ("1 chi 3m from 0 with 12m", "4m", "forbidden", False),
        ("1 chi 3m from 0 with 4m?", "6m", "forbidden", False),
        ("1 pon 3m from 0 with 33m", "3m", "forbidden", True),
        ("1 pon 3m from 0 with 33m", "4m", "forbidden", False),
        ("1 chi 3m from 0 with 45m", "3m", "same_tile_forbidden", True),
        ("1 chi 3m from 0 with 45m", "6m", "same_tile_forbidden", False),
        ("1 chi 3m from 0 with 45m", "3m", "allowed", False),
        ("1 pon 3m from 0 with 33m", "3m", "allowed", False),
    ],
)
def test_swap_calling(call: str, discard: str, rule: str, is_asked: bool) -> None:
    table = play(f"0 discards 3m; {call}", kuikae=rule).feed(f"1 discards {discard}")
    assert (("7-05-05", 1) in table.clauses) is is_asked


@pytest.mark.parametrize(
    ("called_tile", "own_tiles", "other"), [("7m", "89m", "1p"), ("9s", "78s", "6s"), ("3m", "12m", "1z")]
)
def test_the_other_end_of_a_sequence_stays_in_its_suit(called_tile: str, own_tiles: str, other: str) -> None:
    table = play(f"0 discards {called_tile}; 1 chi {called_tile} from 0 with {own_tiles}").feed(f"1 discards {other}")
    assert (("7-05-05", 1) in table.clauses) is (other == "6s")


def test_only_the_discard_right_after_the_call_is_barred() -> None:
    table = play("0 discards 3m; 1 pon 3m from 0 with 33m; 1 discards 1m; 2 discards 1p; 3 discards 1s; 0 discards 2s")
    assert table.feed("1 discards 3m").clauses == []


def test_a_meld_that_points_the_wrong_way_is_told_in_time() -> None:
    table = play("0 discards 3m").feed("2 pon 3m from 0 with 33m points 1")
    assert table.one(AnnouncementId.MELD_POINTS_WRONG_WAY).args == {"points_at": 1, "from": 0}
    assert play("0 discards 3m").feed("2 pon 3m from 0 with 33m points 0").sayings == []


DRAGONS = (
    "0 discards 5z; 2 pon 5z from 0 with 55z; 2 discards 1m; 3 discards 6z; 2 pon 6z from 3 with 66z; 2 discards 2m"
)


def test_who_feeds_the_third_dragon_is_liable() -> None:
    table = play(f"{DRAGONS}; 3 discards 1p; 0 discards 1s; 1 discards 7z").feed("2 pon 7z from 1 with 77z")
    assert table.hand.pao == (Pao(winner=SEATS[2], liable=SEATS[1], yakuman="big_three_dragons"),)


def test_who_feeds_the_fourth_wind_is_liable_and_a_closed_kan_counts_as_seen() -> None:
    table = play("", four_winds=False)
    table.feed("0 closed 4444z; 0 discards 9m; 1 discards 1m; 2 discards 2z; 0 pon 2z from 2 with 22z; 0 discards 9p")
    table.feed("1 discards 3z; 0 pon 3z from 1 with 33z; 0 discards 9s")
    assert len(table.hand.pao) == 0
    table = table.feed("1 discards 2m; 2 discards 2p; 3 discards 1z; 0 pon 1z from 3 with 11z")
    assert [pao.yakuman for pao in table.hand.pao] == ["big_four_winds"]
    assert table.hand.pao[0].liable == 3


def test_a_later_meld_of_something_else_makes_nobody_liable_again() -> None:
    table = play(f"{DRAGONS}; 3 discards 1p; 0 discards 1s; 1 discards 7z; 2 pon 7z from 1 with 77z; 2 discards 3p")
    table.feed("3 discards 4s; 2 pon 4s from 3 with 44s")
    assert len(table.hand.pao) == 1


def test_who_feeds_the_fourth_kan_is_liable() -> None:
    table = play(
        "0 closed 1111m; 0 closed 2222m; 0 closed 3333m; 0 discards 9s; 1 discards 9p; 0 kan 9p from 1 with 999p"
    )
    assert table.hand.pao == (Pao(winner=SEATS[0], liable=SEATS[1], yakuman="four_kans"),)


def test_a_called_kan_lies_as_an_open_kan() -> None:
    assert play("0 discards 3m; 1 kan 3m from 0 with 333m").hand.melds[1][0].kind is MeldKind.OPEN_KAN


def test_the_last_discard_called_after_its_pass_was_stated_takes_no_draw_back() -> None:
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in (1, 2, 3, 4, 6, 7, 8, 9)]
    tiles = [kind for kind in kinds for _ in range(3)][:69]
    table = play(discards(" ".join([*tiles, "5z"])) + "; pass; 3 pon 5z from 1 with 55z")
    assert table.hand.tiles_left == 0


def test_the_meld_tells_better_than_the_river_which_five_was_called() -> None:
    table = play("0 discards 5m; 1 pon 0m from 0 with 55m; 1 discards 5m")
    assert table.clauses == [("7-05-05", 1)]
    assert repr(table.hand.rivers[0][0].tile) == "0m"
    assert play("0 discards 0m; 1 pon ? from 0 with 55m").hand.melds[1][0].called is table.hand.rivers[0][0].tile
    assert play("0 discards 0m; 1 pon 5m from 0 with 55m").hand.counts[34] == 0


@pytest.mark.parametrize("call", ["3 pon 9m from 0 with 99m", "3 kan 9m from 0 with 999m"])
def test_a_pon_or_kan_goes_before_a_chi_until_its_discard(call: str) -> None:
    """7-05-15 d, e."""
    table = play("0 discards 9m; 1 chi 9m from 0 with 78m").feed(call)
    assert [len(meld) for meld in table.hand.melds] == [0, 0, 0, 1]
    assert (table.hand.turn, table.clauses) == (Seat.LEFT, [])


def test_no_pon_comes_after_the_discard_of_a_chi_and_no_chi_after_a_pon() -> None:
    with pytest.raises(ImpossibleEventError, match="got 9m, which seat 1 has called"):
        play("0 discards 9m; 1 chi 9m from 0 with 78m; 1 discards 1p").feed("3 pon 9m from 0 with 99m")
    with pytest.raises(ImpossibleEventError, match="got 9m, which seat 3 has called"):
        play("0 discards 9m; 3 pon 9m from 0 with 99m").feed("1 chi 9m from 0 with 78m")


def test_melds_told_with_a_hand_of_which_nothing_was_seen_lie_and_count_in_its_value() -> None:
    table = play("2 tsumo; 2 shows 66m78m with 9m melds=555z,340p,(1111s)")
    assert [meld.kind for meld in table.hand.melds[2]] == [MeldKind.PON, MeldKind.CHI, MeldKind.CLOSED_KAN]
    assert {meld.from_seat for meld in table.hand.melds[2]} == {None}
    table.feed("confirm; confirm")
    (win,) = settlement_of(table).wins
    assert (win.han, win.fu, win.yaku) == (2, 60, (("haku", 1), ("red_five", 1)))


def test_a_hand_told_again_has_the_melds_told_last() -> None:
    table = play("2 shows 66m78m with 9m melds=555z,340p,(1111s); 2 shows 66m78m with 9m melds=666z,340p,(1111s)")
    assert [meld.text for meld in table.hand.melds[2]] == ["666z", "340p", "(1111s)"]
    table.feed("2 shows 123m66m78m55z11s with 9m melds=678p")
    assert [meld.text for meld in table.hand.melds[2]] == ["678p"]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ("0 discards 5z; 2 shows 66m78m with 9m melds=555z,340p,(1111s)", "expected the calls of a hand whose"),
        ("2 shows 55z78m with 9m melds=555z,340p,(1111s)", "expected at most 4 copies of 5z, got 5"),
        ("1 shows 5z with 5z melds=123m,123m,123m,999s; 2 shows 6z with 6z melds=5555z", "expected at most 4 copies"),
        ("2 shows 6z with 6z melds=123m,123m,000p,999s", "expected at most 1 copy of 0p"),
    ],
)
def test_told_melds_that_cannot_be_are_impossible(events: str, expected: str) -> None:
    with pytest.raises(ImpossibleEventError, match=expected):
        play(events)
