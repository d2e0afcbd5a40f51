"""Kans: counts, legality, and closed kans in riichi (section I of the requirements)."""

from __future__ import annotations

import pytest

from table.rules.aspects.kans import kan_fault
from table.rules.scoring.waits import waits
from table.rules.terms.announcements import AnnouncementId, Scope
from table.rules.terms.melds import MeldKind
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.tiles import KIND_TILES, Tile, parse_tiles
from tests.table.rules.fouls.fouled_hands import at
from tests.table.rules.situations import discards, play

EXAMPLES = [
    # 13 tiles, waits, kan of, strict, waits only: R63, rows in its order
    ("11123444p222s56m", "4m7m", "1p", False, True),
    ("11123444p222s56m", "4m7m", "4p", False, True),
    ("11123444p222s56m", "4m7m", "2s", True, True),
    ("3444m223344p678s", "2m5m3m", "4m", False, False),
    ("2225556m234p678s", "4m6m7m", "5m", False, False),
    ("2225556m234p678s", "4m6m7m", "2m", True, True),
    ("11122233m11166z", "3m6z", "1z", True, True),
    ("11122233m11166z", "3m6z", "1m", False, True),
    ("11122233m11166z", "3m6z", "2m", False, True),
    ("222333444p6667m", "5m7m8m", "6m", False, False),
    ("222333444p6667m", "5m7m8m", "2p", False, True),
    ("222333444p6667m", "5m7m8m", "3p", False, True),
    ("222333444p6667m", "5m7m8m", "4p", False, True),
    ("6666777788999m", "5m8m9m", "9m", False, False),
    # R64: the drawn fourth tile is itself a wait
    ("33345m11p123456s", "3m6m1p", "3m", False, False),
]


@pytest.mark.parametrize(("hand", "wait", "kan", "strict", "waits_only"), EXAMPLES)
def test_r63_closed_kans_in_riichi(hand: str, wait: str, kan: str, strict: bool, waits_only: bool) -> None:
    tiles = parse_tiles(hand)
    kind = Tile(kan).kind
    assert waits(tiles) == {tile.kind for tile in parse_tiles(wait)}
    assert (kan_fault(tiles, (), kind, "strict") is None) is strict
    assert (kan_fault(tiles, (), kind, "waits_only") is None) is waits_only
    assert kan_fault(tiles, (), kind, "never") == "never"


def test_r62_what_the_strict_rule_allows_never_changes_the_waits() -> None:
    """All hands of three triplets, a sequence or pair around them, over one suit and a little of another."""
    found = 0
    for first in range(9):
        for rest in ("123456p11s23m", "112233p456s7z", "44z12p123456s3m"):
            tiles = (*(KIND_TILES[first],) * 3, *parse_tiles(rest))[:13]
            if len(tiles) != 13 or not waits(tiles):
                continue
            if kan_fault(tiles, (), first, "strict") is None:
                found += 1
                assert kan_fault(tiles, (), first, "waits_only") is None
    assert found > 5


RIICHI = discards("9m 9p 9s 4z") + "; 0 discards 5z sideways; 0 stick; 1 discards 6z; 2 discards 6z; 3 discards 6z"


def test_r61_an_illegal_closed_kan_is_told_when_the_winner_shows_his_hand() -> None:
    table = play(f"{RIICHI}; 0 closed 4444p; dora 9s; 0 discards 7z; 1 discards 4m")
    table.feed("0 ron; 0 shows 11123p222s56m with 4m")
    announcement = table.one(AnnouncementId.ILLEGAL_CLOSED_KAN)
    assert (announcement.scope, announcement.args) == (Scope.VERDICT, {"tile": "4p", "why": "other_reading"})
    assert ("7-05-06", 0) in table.clauses


def test_r61_an_illegal_closed_kan_is_told_at_the_draw() -> None:
    table = play(f"{RIICHI}; 0 closed 4444p; dora 9s; 0 discards 7z; draw").feed("0 shows 11123p222s56m")
    assert table.clauses == [("7-05-06", 0)]


def test_r61_nothing_follows_if_another_player_wins() -> None:
    table = play(f"{RIICHI}; 0 closed 4444p; dora 9s; 0 discards 7z; 1 tsumo han=1 fu=30")
    assert table.clauses == []
    table = table.feed("confirm")
    assert not table.hand.is_live
    assert table.clauses == []


def test_r59_an_allowed_closed_kan_is_not_spoken_of() -> None:
    table = play(f"{RIICHI}; 0 closed 2222s; dora 9s; 0 discards 7z; 1 discards 4m")
    table.feed("0 ron; 0 shows 11123444p56m with 4m; 0 ura 9s9s; confirm")
    assert table.clauses == []
    assert not table.hand.is_live


def test_r59_a_closed_kan_before_the_riichi_is_nobodys_question() -> None:
    opening = discards("9m 9p 9s 4z") + "; 0 closed 4444p; dora 9s; 0 discards 5z sideways; 0 stick; 1 discards 4m"
    table = play(opening).feed("0 ron; 0 shows 11123p222s56m with 4m")
    assert "7-05-06" not in dict(table.clauses)


def test_r59_the_second_of_two_kans_is_judged_on_its_own_hand() -> None:
    table = play(f"{RIICHI}; 0 closed 2222s; dora 9s; 0 closed 4444p; dora 9s; 0 discards 7z; draw")
    table.feed("0 shows 11123p56m")
    assert table.one(AnnouncementId.ILLEGAL_CLOSED_KAN).args["tile"] == "4p"


def test_r59_the_first_of_two_kans_is_judged_if_the_second_is_allowed() -> None:
    table = play(f"{RIICHI}; 0 closed 4444p; dora 9s; 0 closed 2222s; dora 9s; 0 discards 7z; draw")
    table.feed("0 shows 11123p56m")
    assert table.one(AnnouncementId.ILLEGAL_CLOSED_KAN).args["tile"] == "4p"


@pytest.mark.parametrize(
    ("rule", "fault"), [("strict", "other_reading"), ("waits_only", "changes_waits"), ("never", "never")]
)
def test_r59_r62_an_illegal_closed_kan_is_told_by_the_rule_that_is_played(rule: str, fault: str) -> None:
    opening = discards("9m 9p 9s 4z") + "; 0 discards 5z sideways; 0 stick; 1 discards 6z; 2 discards 6z; 3 discards 6z"
    table = play(f"{opening}; 0 closed 3333m; 0 discards 7z; draw", closed_kan_after_riichi=rule)
    assert table.feed("0 shows 45m11p123456s").one(AnnouncementId.ILLEGAL_CLOSED_KAN).args["why"] == fault


def test_a_foul_that_people_entered_is_not_asked_about_again_when_the_hand_is_shown() -> None:
    kan = at(f"{RIICHI}; 0 closed 4444p; dora 9s; 0 discards 7z; 0 foul 7-05-06; draw").feed("0 shows 11123p222s56m")
    noten = at(f"{RIICHI}; draw; 0 foul 7-05-07").feed("0 shows 1133579m113357p")
    count = at(f"{RIICHI}; draw; 0 foul 7-04-02").feed("0 shows 11123p222s56m")
    tenpai = at("0 discards 5z; draw; 0 tenpai; 0 foul 7-05-16").feed("0 shows 1133579m113357p")
    for table in (kan, noten, count, tenpai):
        assert (table.clauses, {"illegal_closed_kan", "noten_riichi"} & dict(table.sayings).keys()) == ([], set())


def test_d4_a_win_after_an_entered_illegal_kan_is_still_asked_about() -> None:
    table = at(f"{RIICHI}; 0 closed 4444p; dora 9s; 0 discards 7z; 0 foul 7-05-06; 1 discards 4m")
    assert table.feed("0 ron; 0 shows 11123p222s56m with 4m").clauses == [("7-05-01", 0)]


def test_a_closed_kan_in_riichi_is_asked_about_at_once_where_none_is_allowed() -> None:
    assert play(RIICHI, closed_kan_after_riichi="never").feed("0 closed 2222s").clauses == [("7-05-06", 0)]
    assert play(RIICHI).feed("0 closed 2222s").clauses == []


def test_a_kan_is_counted_and_takes_a_tile_from_those_left() -> None:
    table = play("0 discards 1m; 1 discards 2m").feed("2 closed 7777z")
    assert table.one(AnnouncementId.KAN_COUNT).args == {"count": 1}
    assert table.hand.tiles_left == 70 - 3 - 1
    assert table.hand.turn is None
    table = table.feed("pass")
    assert table.hand.turn == 2
    assert table.hand.is_replacement


def test_an_open_kan_draws_its_replacement_at_once() -> None:
    table = play("0 discards 5z; 2 kan 5z from 0 with 555z")
    assert table.hand.turn == 2
    assert table.hand.is_replacement
    assert table.hand.tiles_left == 68


def test_an_added_kan_needs_its_pon() -> None:
    with pytest.raises(ImpossibleEventError, match=r"expected a pon of 5z at seat 0 to add to, got none$"):
        play("0 adds 5z")
    with pytest.raises(ImpossibleEventError, match=r"expected a pon of 5z at seat 1 to add to, got a pon of 6z$"):
        play("0 discards 6z; 1 pon 6z from 0 with 66z; 1 adds 5z")


def test_an_added_kan_turns_the_pon_into_a_kan() -> None:
    table = play("0 discards 5z; 1 pon 5z from 0 with 55z; 1 discards 1m; 2 discards 1p; 3 discards 1s; 0 discards 2s")
    table.feed("1 adds 5z")
    (meld,) = table.hand.melds[1]
    assert meld.kind is MeldKind.ADDED_KAN
    assert meld.from_seat == 0


def test_an_added_red_five_joins_the_pon_of_its_kind() -> None:
    table = play("0 discards 5s; 1 pon 5s from 0 with 55s; 1 discards 1m; 2 discards 1p; 3 discards 1s; 0 discards 2s")
    assert table.feed("1 adds 0s").hand.melds[1][0].kind is MeldKind.ADDED_KAN


def test_a_kan_right_after_a_call_is_asked_about() -> None:
    table = play("0 discards 5z; 1 pon 5z from 0 with 55z").feed("1 closed 1111m")
    assert table.clauses == [("7-05-02", 1)]


def test_a_closed_kan_of_different_tiles_is_asked_about() -> None:
    assert play("0 closed 1112m").clauses == [("7-05-02", 0)]
    assert play("0 closed 11m??").clauses == []


def test_a_closed_kan_of_unread_tiles_still_counts() -> None:
    table = play("0 closed ????")
    assert table.hand.kans == (0,)
    assert table.clauses == []


def test_a_fifth_kan_is_asked_about() -> None:
    table = play("0 closed 1111m; 0 closed 2222m; 0 closed 3333m; 0 closed 4444m; 0 discards 9m").feed("1 closed 1111p")
    assert ("7-05-02", 1) in table.clauses


def test_a_robbed_closed_kan_is_for_thirteen_orphans_alone_and_only_where_allowed() -> None:
    orphans = "1 ron; 1 shows 19m19p19s1123456z with 7z"
    assert play("0 closed 7777z", orphans_rob_closed_kan=True).feed(orphans).clauses == []
    assert ("7-05-01", 1) in play("0 closed 7777z").feed(orphans).clauses
    other = "1 ron; 1 shows 13m345p678s22277z with 2m"
    assert ("7-05-01", 1) in play("0 closed 2222m", orphans_rob_closed_kan=True).feed(other).clauses


KANS = "0 closed 1111m; 0 discards 1z; 1 closed 2222m; 1 discards 1p; 2 closed 3333m; 2 discards 2p; 3 closed 4444m"


def test_four_kans_of_several_seats_abort_after_the_discard_that_follows() -> None:
    table = play(KANS).feed("3 discards 9s")
    assert ("four_kans_abort", None) not in table.sayings
    assert ("four_kans_abort", None) in table.feed("pass").sayings
    table.feed("confirm")
    assert not table.hand.is_live
    assert table.state.next_start is not None
    assert table.state.next_start.honba == 1


def test_four_kans_a_ron_on_that_discard_comes_first() -> None:
    table = play(f"{KANS}; 3 discards 9s; 0 ron from 3 han=2 fu=30; confirm")
    assert table.state.history[0].settlement is not None
    assert table.state.history[0].settlement.kind.value == "ron"


def test_four_kans_can_be_off_and_those_of_one_seat_do_not_abort() -> None:
    assert play(f"{KANS}; 3 discards 9s; pass", four_kans=False).hand.abort is None
    one = "0 closed 1111m; 0 closed 2222m; 0 closed 3333m; 0 closed 4444m; 0 discards 9s; pass"
    assert play(one).hand.abort is None


OPEN_FOURTH = "0 closed 1111m; 0 discards 1z; 1 closed 2222m; 1 discards 1p; 2 closed 3333m; 2 discards 2p sideways"


@pytest.mark.parametrize("between", ["2 foul 7-05-13", "unseen; seen", "0 tsumo; 0 withdraws; 3 stick; 0 stick"])
def test_four_kans_end_no_hand_before_the_discard_whatever_happens_before_it(between: str) -> None:
    """An open kan leaves no tile to claim, and the seat may still win with its replacement tile."""
    table = at(f"{OPEN_FOURTH}; 3 discards 9s; 0 kan 9s from 3 with 999s").feed(between)
    assert (table.hand.pending_abort, table.hand.abort) == (None, None)
    assert "four_kans_pending" not in dict(table.sayings)
    assert ("four_kans_pending", None) in table.feed("0 discards 9p").sayings
    assert ("four_kans_abort", None) in table.feed("pass").sayings


def test_four_kans_end_the_hand_once_the_discard_after_the_last_one_was_called() -> None:
    table = at(f"{OPEN_FOURTH}; 3 closed 4444m; 3 discards 9s; 1 ron; 0 pon 9s from 3 with 99s; 1 withdraws")
    assert ("four_kans_abort", None) in table.feed("pass").sayings


def test_four_kans_a_called_discard_aborts_all_the_same() -> None:
    table = play(f"{KANS}; 3 discards 9s").feed("0 pon 9s from 3 with 99s")
    assert ("four_kans_abort", None) in table.sayings


def test_a_kan_is_counted_toward_the_abort_by_four_kans() -> None:
    assert at("0 closed 1111m").one(AnnouncementId.KAN_COUNT).rule == "four kans"
