"""Furiten, as in section G of the requirements; causes are read from what lies on the table."""

from __future__ import annotations

import pytest

from table.rules.aspects.furiten import causes
from table.rules.terms.announcements import AnnouncementId, Scope
from table.rules.terms.seats import SEATS
from table.rules.terms.tiles import Tile
from tests.table.rules.situations import Table, discards, play

ROUND = discards("9m 9p 9s 1z")


def kinds(*tiles: str) -> frozenset[int]:
    return frozenset(Tile(text).kind for text in tiles)


def of(table: Table, seat: int) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
    found = causes(table.hand, SEATS[seat], table.ruleset)
    return found.discard, found.temporary, found.riichi


def test_r50_own_discards_cause_it_for_good_called_away_or_not() -> None:
    table = play("0 discards 5z; 1 pon 5z from 0 with 55z; 1 discards 1m; 2 discards 2m; 3 discards 3m; 0 discards 4m")
    assert of(table, 0)[0] == kinds("5z", "4m")


def test_r50_the_declaration_tile_counts_too() -> None:
    assert of(play(f"{ROUND}; 0 discards 5z sideways"), 0)[0] == kinds("9m", "5z")


def test_temporary_furiten_lasts_until_the_own_next_discard() -> None:
    table = play(f"{ROUND}; 0 discards 1m; 1 discards 2m; 2 discards 3m")
    assert of(table, 0)[1] == kinds("2m")
    table.feed("3 discards 4m")
    assert of(table, 0)[1] == kinds("2m", "3m")
    table.feed("pass")
    assert of(table, 0)[1] == kinds("2m", "3m", "4m")
    assert of(table.feed("0 discards 6m"), 0)[1] == frozenset()


def test_a_tile_that_may_still_be_claimed_causes_nothing_yet() -> None:
    table = play(f"{ROUND}; 0 discards 1m; 1 discards 2m")
    assert of(table, 0)[1] == frozenset()
    assert of(table.feed("pass"), 0)[1] == kinds("2m")


def test_a_tile_that_somebody_else_called_was_let_pass() -> None:
    table = play(f"{ROUND}; 0 discards 1m; 1 discards 2m; 2 pon 2m from 1 with 22m")
    assert of(table, 3)[1] == kinds("1m", "2m")


def test_r51_in_riichi_what_was_let_pass_counts_to_the_end_of_the_hand() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 1m; 2 discards 2m; 3 discards 3m")
    table.feed("0 discards 4m; 1 discards 6m; 2 discards 7m")
    assert of(table, 0)[2] == kinds("1m", "2m", "3m", "6m")


@pytest.mark.parametrize(("counts", "found"), [(True, kinds("6z", "1m")), (False, kinds("1m"))])
def test_r51_the_tile_of_an_added_kan_let_pass_counts_where_the_rules_say_so(
    counts: bool, found: frozenset[int]
) -> None:
    opening = "0 discards 6z; 1 pon 6z from 0 with 66z; 1 discards 9m; 2 discards 9p; 3 discards 9s"
    table = play(
        f"{opening}; 0 discards 5z sideways; 0 stick; 1 adds 6z; 1 discards 1m; pass", passed_kan_is_furiten=counts
    )
    assert of(table, 0)[2] == found


def test_a_tile_that_the_seat_itself_adds_to_a_pon_is_no_discard_of_its_own() -> None:
    pon = "0 discards 6z; 1 pon 6z from 0 with 66z; 1 discards 9m; 2 discards 9p; 3 discards 9s; 0 discards 5z"
    assert of(play(f"{pon}; 1 adds 6z; 1 discards 1m; pass", passed_kan_is_furiten=True), 1)[0] == kinds("9m", "1m")


def test_r51_a_closed_kan_can_only_be_robbed_by_orphans_and_counts_for_nobody_else() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 closed 7777z; 1 discards 1m; pass")
    assert of(table, 0)[2] == kinds("1m")
    found = causes(table.hand, SEATS[0], table.ruleset, closed_kans=True)
    assert found.riichi == kinds("1m", "7z")


def test_r52_a_furiten_ron_is_told_with_its_reason_when_the_hand_lies_open() -> None:
    table = play("0 discards 3p; 1 discards 9m; 2 discards 9p; 3 discards 9s; 0 discards 1z; 1 discards 6p")
    table.feed("0 ron; 0 shows 234m45p678s222s77z with 6p")
    announcement = table.one(AnnouncementId.FURITEN)
    assert announcement.scope is Scope.VERDICT
    assert announcement.args == {"kind": "discard", "tiles": ["3p"]}
    assert table.clauses == [("7-05-01", 0)]
    assert table.suspicions[0].evidence == ("discard furiten: 3p", "the shown hand has no yaku")


def test_r53_a_tile_let_pass_in_riichi_is_told_once_as_furiten_for_the_hand() -> None:
    """Also where it went by just now: it is not furiten until the next discard as well."""
    opening = f"{ROUND}; 0 discards 9m sideways; 0 stick; 0 waits 369p; 1 discards 6p"
    table = play(opening).feed("2 discards 1m")
    assert table.one(AnnouncementId.FURITEN).args == {"kind": "riichi", "tiles": ["6p"]}
    table = play(f"{opening}; 2 discards 1m; 3 discards 3p").feed("0 ron from 3; 0 shows 234m45678p234s55s with 3p")
    assert table.one(AnnouncementId.FURITEN).args == {"kind": "riichi", "tiles": ["6p"]}
    assert [suspicion.evidence for suspicion in table.suspicions] == [("riichi furiten: 6p",)]


def test_r50_r51_two_causes_of_furiten_are_one_question_with_both() -> None:
    opening = f"{ROUND}; 0 discards 6p sideways; 0 stick; 1 discards 6p; 2 discards 1m; 3 discards 3p"
    table = play(opening).feed("0 ron from 3; 0 shows 234m45678p234s55s with 3p")
    assert [suspicion.evidence for suspicion in table.suspicions] == [("discard furiten: 6p", "riichi furiten: 6p")]


def test_r52_a_tile_let_pass_in_the_same_go_round_makes_a_ron_furiten() -> None:
    table = play(f"{ROUND}; 0 discards 1z; 1 discards 6p; 2 discards 3p")
    table.feed("0 ron; 0 shows 234m45p678s234s55s with 3p")
    assert table.one(AnnouncementId.FURITEN).args == {"kind": "temporary", "tiles": ["6p"]}


def test_r52_a_ron_on_the_first_such_tile_is_free() -> None:
    table = play(f"{ROUND}; 0 discards 1z; 1 discards 6p; 0 ron; 0 shows 234m45p678s234s55s with 6p")
    assert table.clauses == []
    assert "furiten" not in dict(table.sayings)


def test_r25_r51_a_riichi_win_let_pass_makes_every_later_ron_furiten_but_no_tsumo() -> None:
    opening = f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 6p; 2 discards 1m; 3 discards 1s; 0 discards 2z"
    ron = play(f"{opening}; 1 discards 3p").feed("0 ron; 0 shows 234m45p678s234s55s with 3p")
    assert ron.one(AnnouncementId.FURITEN).args == {"kind": "riichi", "tiles": ["6p"]}
    tsumo = play(f"{opening}; 1 discards 1p; 2 discards 2m; 3 discards 2p")
    tsumo.feed("0 tsumo; 0 shows 234m45p678s234s55s with 3p")
    assert "furiten" not in dict(tsumo.sayings)
    assert tsumo.clauses == []


def test_a_late_ron_is_judged_as_of_its_own_tile() -> None:
    table = play(f"{ROUND}; 0 discards 1z; 1 discards 6p; 2 discards 3p")
    table.feed("0 ron from 1; 0 shows 234m45p678s234s55s with 6p")
    assert table.clauses == [("7-05-14", 0)]


def test_an_unread_tile_makes_furiten_possible() -> None:
    table = play(f"{ROUND}; 0 discards ?; 1 discards 6p").feed("0 ron; 0 shows 234m45p678s234s55s with 6p")
    assert table.one(AnnouncementId.POSSIBLE_FURITEN).scope is Scope.VERDICT
    assert table.clauses == []


def test_a_told_wait_is_answered_privately_and_again_when_it_changes() -> None:
    table = play(ROUND).feed("0 discards 1m; 0 waits 36p")
    assert table.sayings == []
    table.feed("1 discards 6p; 2 discards 1s")
    announcement = table.one(AnnouncementId.FURITEN)
    assert (announcement.scope, announcement.seat, announcement.args) == (
        Scope.PRIVATE,
        SEATS[0],
        {"kind": "temporary", "tiles": ["6p"]},
    )
    table.feed("3 discards 2s; 0 discards 7s drawn")
    assert table.sayings == []
    assert table.feed("1 discards 3p; 2 discards 4s").one(AnnouncementId.FURITEN).args == {
        "kind": "temporary",
        "tiles": ["3p"],
    }


def test_a_wait_told_while_furiten_is_answered_at_once() -> None:
    table = play("0 discards 6p; 1 discards 1m").feed("0 waits 36p")
    assert table.one(AnnouncementId.FURITEN).args == {"kind": "discard", "tiles": ["6p"]}


def test_a_told_wait_hears_of_the_tile_before_a_tsumo_that_is_withdrawn() -> None:
    table = play(f"{ROUND}; 0 waits 36p; 0 discards 1m drawn; 1 discards 6p; 2 tsumo").feed("2 withdraws")
    assert table.one(AnnouncementId.FURITEN).args == {"kind": "temporary", "tiles": ["6p"]}


@pytest.mark.parametrize("passes", ["pass", "confirm", "1 stick", "2 closed 7777z", "draw"])
def test_a_told_wait_hears_of_a_tile_by_whatever_shows_that_nobody_won_on_it(passes: str) -> None:
    table = play(f"{ROUND}; 0 waits 36p; 0 discards 1m drawn; 1 discards 6p sideways").feed(passes)
    assert table.one(AnnouncementId.FURITEN).args == {"kind": "temporary", "tiles": ["6p"]}


def test_a_told_wait_lasts_until_a_discard_that_may_change_the_hand() -> None:
    assert play(f"{ROUND}; 0 waits 36p; 0 discards 1m drawn").hand.declared_waits[0] == kinds("3p", "6p")
    assert play(f"{ROUND}; 0 waits 36p; 0 discards 1m").hand.declared_waits[0] is None
    assert play(f"{ROUND}; 0 waits 36p; 0 discards 1m hand").hand.declared_waits[0] is None
    riichi = f"{ROUND}; 0 discards 5z sideways; 0 stick; 0 waits 36p; 1 discards 1m; 2 discards 1p; 3 discards 1s"
    assert play(f"{riichi}; 0 discards 2s").hand.declared_waits[0] == kinds("3p", "6p")


def test_a_told_wait_is_forgotten_with_an_own_call_or_kan() -> None:
    assert play("1 waits 36p; 0 discards 5z; 1 pon 5z from 0 with 55z").hand.declared_waits[1] is None
    assert play("0 waits 36p; 0 closed 7777z").hand.declared_waits[0] is None


def test_a_told_wait_hears_of_an_unread_tile_once() -> None:
    table = play(f"{ROUND}; 0 discards 1m; 0 waits 36p").feed("1 discards ?; 2 discards 1s")
    assert [saying for saying, _ in table.sayings] == []
    table = play(f"{ROUND}; 0 discards ?").feed("0 waits 36p")
    assert table.one(AnnouncementId.POSSIBLE_FURITEN).scope is Scope.PRIVATE
    assert "possible_furiten" not in dict(table.feed("1 discards 1s; 2 discards 2s").sayings)


@pytest.mark.parametrize(("pointed", "discarder"), [(True, 3), (False, 1)])
def test_a_wrongly_turned_meld_tile_makes_the_seat_it_points_at_the_discarder_where_rules_say_so(
    pointed: bool, discarder: int
) -> None:
    table = play("0 discards 1m; 1 discards 5z; 2 pon 5z from 1 with 55z points 3", pointed_seat_discarded=pointed)
    assert table.one(AnnouncementId.MELD_POINTS_WRONG_WAY).args == {"points_at": 3, "from": 1}
    for seat in (1, 3):
        assert (Tile("5z").kind in of(table, seat)[0]) is (seat == discarder)


@pytest.mark.parametrize("rule", ["passed", "passed_and_stick"])
def test_r21_a_riichi_whose_stick_is_not_seen_keeps_its_declared_wait(rule: str) -> None:
    """The hand does not change after riichi, so a discard of unknown origin leaves the wait known (R11, R21)."""
    table = play(f"{ROUND}; 0 discards 5z sideways; 0 waits 25p; 1 discards 1m; 2 discards 1s", riichi_stands_on=rule)
    table.feed("3 discards 1p; 0 discards 9p; 1 discards 2p; 2 discards 9m")
    assert ("furiten", 0) in table.sayings
