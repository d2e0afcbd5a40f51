"""A riichi told afterwards is one in full (WRC 12.3.5): double riichi, ippatsu and furiten follow from its tile."""

from __future__ import annotations

import pytest

from table.rules.state import Ippatsu, RiichiStage
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason
from tests.table.rules.situations import START, TANYAO, Table, discards, discards_until, play, settlement_of

ROUND = discards("9m 9p 9s 1z")
TOLD_RIICHI = f"{ROUND}; 0 discards 5z; 0 riichi-told"
WIN = f"0 shows {TANYAO} with 5p; 0 ura 4z; confirm"


def yaku(table: Table) -> dict[str, int]:
    """The yaku of the first winner of the hand just settled."""
    return dict(settlement_of(table).wins[0].yaku)


def test_it_stands_with_its_tile_and_costs_a_thousand_points() -> None:
    table = play(f"{ROUND}; 0 discards 5z").feed("0 riichi-told")
    assert table.sayings[:2] == [("riichi_accepted", 0), ("ippatsu_open", 0)]
    assert table.hand.riichi[0].stage is RiichiStage.ACCEPTED
    assert [river_tile.is_declaration for river_tile in table.hand.rivers[0]] == [False, True]
    assert table.state.scores == (24000, 25000, 25000, 25000)
    assert table.clauses == []


@pytest.mark.parametrize("later", ["", "1 discards 1m; ", "1 discards 1m; 2 discards 1p; "])
def test_a_ron_within_the_go_round_scores_ippatsu(later: str) -> None:
    seat = 1 + later.count("discards")
    table = play(f"{ROUND}; 0 discards 5z; {later}0 riichi-told; {seat} discards 5p; 0 ron; {WIN}")
    assert yaku(table).items() >= {"riichi": 1, "ippatsu": 1}.items()


def test_it_may_be_told_when_the_win_is_claimed_already() -> None:
    table = play(f"{ROUND}; 0 discards 5z; 1 discards 5p; 0 ron; 0 shows {TANYAO} with 5p; 0 riichi-told; 0 ura 4z")
    assert table.feed("confirm").state.history
    assert yaku(table).items() >= {"riichi": 1, "ippatsu": 1}.items()


def test_the_own_draw_is_the_last_chance_and_the_own_discard_ends_it() -> None:
    around = "1 discards 1m; 2 discards 1p; 3 discards 1s"
    drawn = play(f"{ROUND}; 0 discards 5z; {around}; pass").feed("0 riichi-told")
    assert ("ippatsu_last_chance", 0) in drawn.sayings
    assert drawn.hand.ippatsu[0] is Ippatsu.LAST_CHANCE
    assert yaku(drawn.feed(f"0 tsumo; {WIN}"))["ippatsu"] == 1
    later = play(f"{ROUND}; 0 discards 5z; {around}; 0 riichi-told; 0 discards 2z; 1 discards 5p; 0 ron; {WIN}")
    assert "ippatsu" not in yaku(later)


@pytest.mark.parametrize(
    "broken",
    [
        "1 discards 7z; 3 pon 7z from 1 with 77z; 3 discards 1m",
        "1 closed 7777z; 1 discards 1m; 2 discards 1p; 3 discards 2m",
        "1 discards 7z; 3 kan 7z from 1 with 777z; 3 discards 1m",
    ],
)
@pytest.mark.parametrize("first", ["told", "broken"])
def test_r43_a_call_or_kan_ends_the_window_whether_it_came_before_the_word_or_after(broken: str, first: str) -> None:
    acts = (f"{broken}; 0 riichi-told", f"0 riichi-told; {broken}")[first == "told"]
    table = play(f"{ROUND}; 0 discards 5z; {acts}")
    assert table.hand.ippatsu[0] is Ippatsu.CLOSED


PON = "0 discards 8p; 1 pon 8p from 0 with 88p; 1 discards 9m; 2 discards 9p; 3 discards 9s"


def test_r44_a_robbed_added_kan_in_the_window_scores_ippatsu() -> None:
    robbed = play(f"{PON}; 0 discards 5z; 1 adds 8p; 0 riichi-told; 0 ron; 0 shows 234m567m34567p22s with 8p")
    assert yaku(robbed.feed("0 ura 4z; confirm")).items() >= {"riichi": 1, "ippatsu": 1, "robbing_a_kan": 1}.items()
    passed = play(f"{PON}; 0 discards 5z; 1 adds 8p; pass; 0 riichi-told")
    assert passed.hand.ippatsu[0] is Ippatsu.CLOSED


def test_r42_a_called_riichi_tile_has_no_window_and_the_next_discard_goes_sideways() -> None:
    table = play(f"{ROUND}; 0 discards 5z; 1 pon 5z from 0 with 55z").feed("0 riichi-told")
    assert ("next_sideways", 0) in table.sayings
    assert table.hand.ippatsu[0] is Ippatsu.CLOSED
    assert table.feed("1 discards 1m; 2 discards 1p; 3 discards 1s; 0 discards 2z").clauses == [("R18", 0)]


def test_no_window_where_ippatsu_is_off() -> None:
    assert play(TOLD_RIICHI, ippatsu=False).hand.ippatsu[0] is Ippatsu.NONE


@pytest.mark.parametrize(
    ("before", "is_double"),
    [
        ("0 discards 5z", True),
        ("0 discards 5z; 1 discards 1m", True),
        ("0 discards 5z; 1 discards 7z; 2 pon 7z from 1 with 77z", True),
        ("0 discards 5z; 1 closed 7777z", True),
        ("0 closed 7777z; 0 discards 5z", False),
        ("0 discards 5z; 1 discards 1m; 2 discards 1p; 3 discards 1s; 0 discards 2z", False),
    ],
)
def test_r37_r39_it_is_double_with_the_first_discard_and_no_call_before_it(before: str, is_double: bool) -> None:
    table = play(before).feed("0 riichi-told")
    assert (("double_riichi", 0) in table.sayings) is is_double
    assert table.hand.riichi[0].is_double is is_double


def test_r39_a_call_before_the_own_first_discard_makes_it_plain() -> None:
    table = play("0 discards 5z; 2 pon 5z from 0 with 55z; 2 discards 1m; 3 discards 1p").feed("3 riichi-told")
    assert not table.hand.riichi[3].is_double


def test_double_riichi_is_worth_two_han_when_it_is_told() -> None:
    table = play(f"0 discards 5z; 0 riichi-told; 1 discards 5p; 0 ron; {WIN}")
    assert yaku(table).items() >= {"double_riichi": 2, "ippatsu": 1}.items()
    assert "riichi" not in yaku(table)


@pytest.mark.parametrize(
    "events", ["0 discards 5z; 0 riichi-told; 1 discards 2p", "0 discards 5z; 1 discards 2p; 0 riichi-told"]
)
def test_r51_what_passes_after_its_tile_makes_furiten_for_good(events: str) -> None:
    table = play(f"{ROUND}; {events}; 2 discards 1m; 3 discards 1s; 0 discards 2z; 1 discards 5p")
    table.feed(f"0 ron; 0 shows {TANYAO} with 5p")
    assert table.one(AnnouncementId.FURITEN).args == {"kind": "riichi", "tiles": ["2p"]}
    assert table.clauses == [("7-05-01", 0)]


def test_what_passed_before_its_tile_makes_no_furiten_in_riichi() -> None:
    table = play(f"{discards('9m 2p 9s 1z')}; 0 discards 5z; 0 riichi-told; 1 discards 5p; 0 ron; {WIN}")
    assert table.clauses == []
    assert not table.hand.is_live


@pytest.mark.parametrize("clue", ["0 riichi; 0 discards 5z", "0 discards 5z; 0 stick", "0 stick; 0 discards 5z"])
def test_wrc_12_3_5_the_earliest_tile_that_can_have_declared_it_is_taken(clue: str) -> None:
    """Where riichi was said, or the stick lay, and the tile lay upright: not the discard before the word."""
    around = "1 discards 2p; 2 discards 1p; 3 discards 1s; 0 discards 2z; 1 discards 1m"
    table = play(f"{ROUND}; {clue}; {around}; 0 riichi-told")
    assert [river_tile.is_declaration for river_tile in table.hand.rivers[0]] == [False, True, False]
    assert table.hand.ippatsu[0] is Ippatsu.CLOSED
    table.feed(f"2 discards 5p; 0 ron; 0 shows {TANYAO} with 5p")
    assert table.one(AnnouncementId.FURITEN).args == {"kind": "riichi", "tiles": ["2p"]}


def test_a_stick_taken_away_again_declared_nothing() -> None:
    around = "1 discards 1m; 2 discards 1p; 3 discards 1s"
    table = play(f"{ROUND}; 0 discards 5z; 0 stick; 0 stick-back; {around}; 0 discards 2z; 0 riichi-told")
    assert [river_tile.is_declaration for river_tile in table.hand.rivers[0]] == [False, False, True]


def test_r13_a_ron_on_its_tile_leaves_no_riichi() -> None:
    table = play(TOLD_RIICHI).feed("2 ron")
    assert table.hand.riichi[0].stage is RiichiStage.VOID
    assert table.state.scores == (25000,) * 4
    late = play(f"{ROUND}; 0 discards 5z; 2 ron").feed("0 riichi-told")
    assert late.hand.riichi[0].stage is RiichiStage.VOID
    assert late.state.scores == (25000,) * 4
    assert late.feed("2 withdraws; pass").hand.riichi[0].stage is RiichiStage.ACCEPTED


@pytest.mark.parametrize(("left", "is_asked"), [(4, False), (3, True)])
def test_r06_the_tiles_left_are_those_at_its_tile(left: int, is_asked: bool) -> None:
    table = play(discards_until(left))
    seat = table.hand.discards % 4
    table.feed(f"{seat} discards 5z; {(seat + 1) % 4} discards 6z; {seat} riichi-told")
    assert (("7-05-08", seat) in table.clauses) is is_asked


def test_r66_a_fourth_riichi_that_is_told_aborts_where_the_rules_say_so() -> None:
    three = "0 discards 2m sideways; 0 stick; 1 discards 3m sideways; 1 stick; 2 discards 4m sideways; 2 stick"
    table = play(f"{ROUND}; {three}; 3 discards 6m").feed("3 riichi-told")
    assert table.hand.abort is AbortReason.FOUR_RIICHI
    assert play(f"{ROUND}; {three}; 3 discards 6m; 3 riichi-told", four_riichi=False).hand.abort is None


def test_another_seats_tile_put_back_leaves_it_standing() -> None:
    table = play(f"{ROUND}; 0 discards 5z; 1 discards 1m; 0 riichi-told; 1 puts-back")
    assert table.hand.riichi[0].stage is RiichiStage.ACCEPTED
    assert table.state.scores[0] == 24000
    assert table.feed(f"1 discards 5p; 0 ron; {WIN}").clauses == []
    assert yaku(table)["ippatsu"] == 1
    same_tile = play(f"{ROUND}; 0 discards 5z; 0 riichi-told; 0 puts-back")
    assert same_tile.hand.riichi[0].stage is RiichiStage.NONE


def test_told_over_a_ron_it_makes_no_other_riichi_void() -> None:
    over = "0 discards 1p; 3 ron; 1 discards 2z; 2 discards 5z sideways; 3 discards 3z"
    table = play(f"{ROUND}; {over}; 1 riichi-told")
    assert [riichi.stage for riichi in table.hand.riichi[1:3]] == [RiichiStage.VOID, RiichiStage.ACCEPTED]


def test_told_where_nobody_watched_it_stands_without_a_tile() -> None:
    table = play("").feed("start E1 scores=25000,25000,25000,25000; 2 riichi-told")
    assert table.hand.riichi[2].stage is RiichiStage.ACCEPTED
    assert not table.hand.riichi[2].is_double
    assert table.hand.ippatsu[2] is Ippatsu.NONE


def test_a_new_hand_knows_nothing_of_it() -> None:
    assert play(f"{TOLD_RIICHI}; {START}").hand.riichi[0].stage is RiichiStage.NONE


ACTS = (
    "1 discards {}; 2 discards {}; 3 discards {}; 0 discards {}; 1 discards {}; 2 discards {}",
    "3 pon 5z from 0 with 55z; 3 discards {}; 0 discards {}; 1 discards {}",
    "1 closed 7777z; 1 discards {}; 2 discards {}; 3 discards {}; 0 discards {}",
    "1 discards {}; 2 closed 7777z; pass; 2 discards {}; 3 discards {}; 0 discards {}",
    "1 discards {}; 2 discards {}; 3 adds 8p; 3 discards {}; 0 discards {}",
    "1 discards {}; 2 discards 6z; 1 kan 6z from 2 with 666z; 1 discards {}; 2 discards {}; 3 discards {}",
    "1 discards {}; 2 discards {}; 3 discards {}; 0 closed 7777z; 0 discards {}; 1 discards {}",
)
PON_OF_SEAT_3 = f"{discards('9m 9p 8p')}; 3 pon 8p from 2 with 88p; 3 discards 1z; "


@pytest.mark.parametrize("opening", ["", PON_OF_SEAT_3])
@pytest.mark.parametrize("acts", ACTS)
def test_whenever_it_is_told_the_hand_stands_as_if_its_tile_had_lain_sideways(opening: str, acts: str) -> None:
    first = opening or (PON_OF_SEAT_3 if "adds" in acts else "")
    lines = acts.format(*["1m", "1p", "1s", "2m", "2p", "2s"]).split("; ")
    sideways = play(f"{first}0 riichi; 0 discards 5z sideways; 0 stick; {'; '.join(lines)}")
    for place in range(len(lines) + 1):
        announcement = play(
            f"{first}0 riichi; 0 discards 5z; {'; '.join((*lines[:place], '0 riichi-told', *lines[place:]))}"
        )
        assert (place, announcement.hand.ippatsu) == (place, sideways.hand.ippatsu)
        assert announcement.hand.riichi == sideways.hand.riichi
        assert announcement.state.scores == sideways.state.scores
        assert [laid_tile.ippatsu for laid_tile in announcement.hand.laid_tiles[1:]] == [
            laid_tile.ippatsu for laid_tile in sideways.hand.laid_tiles[1:]
        ]
        assert announcement.hand.tiles_left == sideways.hand.tiles_left
        reported_river, sideways_river = (table.hand.rivers[0] for table in (announcement, sideways))
        assert [tile.is_declaration for tile in reported_river] == [tile.is_declaration for tile in sideways_river]


CALL = "1 discards 1m; 2 discards 1s; 3 discards 7m; 0 chi 7m from 3 with 68m; 0 discards 9p"


def test_r23_a_call_after_the_declaration_is_one_in_riichi_and_the_hand_was_closed() -> None:
    table = play(f"{ROUND}; 0 riichi; 0 discards 5z; {CALL}").feed("0 riichi-told")
    assert table.clauses == [("R23", 0)]


def test_r01_a_call_before_the_declaration_had_opened_the_hand() -> None:
    opening = f"{ROUND}; 0 discards 2z; {CALL}; 1 discards 2m; 2 discards 2s; 3 discards 3s"
    table = play(f"{opening}; 0 riichi; 0 discards 5z").feed("0 riichi-told")
    assert table.clauses == [("R01", 0)]
