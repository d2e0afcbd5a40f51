"""The ippatsu window, as in section E of the requirements."""

from __future__ import annotations

import pytest

from table.rules.aspects.ippatsu import window_to_show
from table.rules.state import Ippatsu
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import SEATS, Seat
from tests.table.rules.fouls.fouled_hands import at
from tests.table.rules.situations import Table, discards, play

ROUND = discards("9m 9p 9s 1z")
RIICHI = f"{ROUND}; 0 discards 5z sideways; 0 stick"


def window(table: Table, seat: int) -> Ippatsu:
    return table.hand.ippatsu[seat]


def test_r40_the_window_opens_when_the_riichi_tile_has_passed() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways")
    assert window(table, 0) is Ippatsu.NONE
    assert table.feed("pass").sayings[-1] == ("ippatsu_open", 0)
    assert window(table, 0) is Ippatsu.OPEN


def test_r40_the_own_draw_is_its_last_chance() -> None:
    table = play(f"{RIICHI}; 1 discards 1m; 2 discards 1p; 3 discards 1s")
    assert window(table, 0) is Ippatsu.OPEN
    assert table.feed("pass").sayings == [("ippatsu_last_chance", 0)]
    assert table.feed("0 discards 2s").one(AnnouncementId.IPPATSU_CLOSED).args == {"by": "own_discard"}


def test_r41_the_own_next_discard_closes_it() -> None:
    table = play(f"{RIICHI}; 1 discards 1m; 2 discards 1p; 3 discards 1s; 0 discards 2s")
    assert window(table, 0) is Ippatsu.CLOSED


def test_r42_a_called_riichi_tile_never_opens_it() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways").feed("1 pon 5z from 0 with 55z")
    assert table.one(AnnouncementId.IPPATSU_CLOSED).args == {"by": "declaration_called"}
    assert ("ippatsu_open", 0) not in table.sayings


@pytest.mark.parametrize(
    ("act", "by"),
    [
        ("1 discards 1m; 2 chi 1m from 1 with 23m", "call"),
        ("1 discards 1m; 3 pon 1m from 1 with 11m", "call"),
        ("1 discards 1m; 3 kan 1m from 1 with 111m", "call"),
        ("1 closed 1111m", "kan"),
        ("1 discards 1m; 2 discards 1p; 3 discards 1s; 0 closed 2222m", "kan"),
    ],
)
def test_r43_any_call_closes_it(act: str, by: str) -> None:
    table = play(RIICHI).feed(act)
    assert window(table, 0) is Ippatsu.CLOSED
    assert table.one(AnnouncementId.IPPATSU_CLOSED).args == {"by": by}


PON = "0 discards 6z; 1 pon 6z from 0 with 66z; 1 discards 9m; 2 discards 9p; 3 discards 9s"
ADDED = f"{PON}; 0 discards 5z sideways; 0 stick"


def test_r44_an_added_kan_closes_it_only_once_it_cannot_be_robbed() -> None:
    table = play(ADDED).feed("1 adds 6z")
    assert window(table, 0) is Ippatsu.OPEN
    table.feed("1 discards 1m")
    assert window(table, 0) is Ippatsu.CLOSED
    assert table.one(AnnouncementId.IPPATSU_CLOSED).args == {"by": "kan"}


def test_r44_robbing_the_added_kan_inside_the_window_scores_ippatsu() -> None:
    opening = "0 discards 6s; 1 pon 6s from 0 with 66s; 1 discards 9m; 2 discards 9p; 3 discards 9s"
    table = play(f"{opening}; 0 discards 5z sideways; 0 stick; 1 adds 6s")
    table.feed("0 ron; 0 shows 234m345p78s22277z with 6s; 0 ura 9s; confirm")
    settlement = table.hand.proposal
    assert settlement is not None
    assert {"riichi", "ippatsu", "robbing_a_kan"} <= {name for name, _ in settlement.wins[0].yaku}


def test_r45_each_riichi_has_its_own_window_and_one_call_closes_all() -> None:
    table = play(f"{RIICHI}; 1 discards 1m sideways; 1 stick")
    assert table.hand.ippatsu[:2] == (Ippatsu.OPEN, Ippatsu.OPEN)
    table.feed("2 discards 1p; 3 pon 1p from 2 with 11p")
    assert table.hand.ippatsu[:2] == (Ippatsu.CLOSED, Ippatsu.CLOSED)


def test_a_ronned_riichi_tile_takes_the_opened_window_back() -> None:
    table = play(f"{RIICHI}; 1 ron")
    assert window(table, 0) is Ippatsu.NONE


def test_a_call_after_the_pass_was_stated_closes_the_window_that_had_opened() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 0 stick; pass").feed("1 pon 5z from 0 with 55z")
    assert table.one(AnnouncementId.IPPATSU_CLOSED).args == {"by": "declaration_called"}


def test_ippatsu_can_be_off() -> None:
    table = play(f"{RIICHI}; 1 discards 1m", ippatsu=False)
    assert window(table, 0) is Ippatsu.NONE
    table = play(f"{ROUND}; 0 discards 5z sideways", ippatsu=False).feed("1 pon 5z from 0 with 55z")
    assert "ippatsu_closed" not in dict(table.sayings)


def test_r29_a_win_inside_the_window_scores_ippatsu_and_one_after_it_does_not() -> None:
    hand = "2 shows 234m345p678s2277z with 7z"
    for more, has_ippatsu in (("0 discards 7z", True), ("0 discards 1p; 1 discards 7z", True)):
        table = play(f"{ROUND}; 0 discards 1m; 1 discards 1s; 2 discards 5z sideways; 2 stick; 3 discards 2p; {more}")
        table.feed(f"2 ron; {hand}; 2 ura 9s; confirm")
        assert table.hand.proposal is not None
        assert ("ippatsu" in dict(table.hand.proposal.wins[0].yaku)) is has_ippatsu
    table = play(f"{ROUND}; 0 discards 1m; 1 discards 1s; 2 discards 5z sideways; 2 stick; 3 discards 2p")
    table.feed(f"0 discards 1p; 1 discards 4z; 2 discards 4z; 3 discards 7z; 2 ron; {hand}; 2 ura 9s; confirm")
    assert table.hand.proposal is not None
    assert "ippatsu" not in dict(table.hand.proposal.wins[0].yaku)


def test_r40_a_tsumo_on_the_own_first_draw_scores_ippatsu() -> None:
    table = play(f"{RIICHI}; 1 discards 1m; 2 discards 1p; 3 discards 1s")
    table.feed("0 tsumo; 0 shows 234m345p678s2277z with 7z; 0 ura 9s; confirm")
    assert table.hand.proposal is not None
    assert "ippatsu" in dict(table.hand.proposal.wins[0].yaku)


def test_a_ronned_riichi_tile_opens_no_window_when_play_goes_on() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 2 ron; 1 discards 1m")
    assert window(table, 0) is Ippatsu.NONE


@pytest.mark.parametrize("foul", ["0 foul 7-04-01", "0 foul 7-05-07 option=c"])
def test_nothing_is_told_about_the_ippatsu_of_a_hand_that_must_not_win(foul: str) -> None:
    """The window itself is followed, since the foul may be cancelled."""
    riichi_table = at(f"{ROUND}; {foul}; 0 discards 5z sideways").feed("0 stick")
    died = at(f"{RIICHI}; {foul}; 1 discards 1m; 2 discards 1p; 3 discards 1s").feed("pass")
    closed = at(f"{RIICHI}; {foul}; 1 discards 1m").feed("2 pon 1m from 1 with 11m")
    for table in (riichi_table, died, closed):
        assert not any(saying.startswith("ippatsu") for saying, _ in table.sayings)
    assert (window(riichi_table, 0), window(died, 0)) == (Ippatsu.OPEN, Ippatsu.LAST_CHANCE)
    assert died.feed("cancel-foul 0 reason=no; 0 discards 2s").one(AnnouncementId.IPPATSU_CLOSED).seat == 0


THREE = "; ".join(f"{seat} discards {seat + 5}m sideways; {seat} stick" for seat in range(3))
FOURTH = f"{ROUND}; {THREE}; 3 discards 8m"
"""Three are in riichi, and the fourth seat declares it, once its discard is `sideways`."""


@pytest.mark.parametrize(
    ("events", "end"),
    [
        (f"{FOURTH} sideways", "3 stick"),
        (f"{RIICHI}; 1 discards 1m; 2 discards 1p; 3 discards 1s", "draw"),
        (f"{RIICHI}; 1 discards 1m; 2 discards 1p; 3 discards 1s", "abort four_kans"),
    ],
)
def test_what_ends_play_opens_no_window_and_gives_no_last_chance(events: str, end: str) -> None:
    """A ron can still undo it, and play go on, so that the windows themselves stay."""
    table = play(events).feed(end)
    assert not any(saying.startswith("ippatsu") for saying, _ in table.sayings)
    assert window(table, 0) is Ippatsu.LAST_CHANCE
    assert window_to_show(table.hand, Seat.NEAR) is None
    played_on = table.feed("0 discards 3z; 1 discards 3z").hand
    assert [window_to_show(played_on, seat) for seat in SEATS[:2]] == [None, None]


def test_a_window_is_shown_while_the_tile_of_a_win_is_claimed_and_once_play_goes_on() -> None:
    table = play(f"{RIICHI}; 1 discards 1m; 0 ron")
    assert window_to_show(table.hand, Seat.NEAR) is Ippatsu.OPEN
    table = play(f"{FOURTH} sideways; 3 stick; 0 discards 3z")
    assert window_to_show(table.hand, Seat.NEAR) is None
    assert window_to_show(table.hand, Seat.LEFT) is Ippatsu.OPEN


@pytest.mark.parametrize(
    ("told", "as_if"),
    [
        (f"{RIICHI}; 2 ron; 1 discards 2m; 2 withdraws", f"{RIICHI}; 1 discards 2m"),
        (
            f"{RIICHI}; 2 ron; 1 discards 2m; 2 pon 2m from 1 with 22m; 2 withdraws",
            f"{RIICHI}; 1 discards 2m; 2 pon 2m from 1 with 22m",
        ),
        (
            f"{ROUND}; 0 discards 5z; 1 discards 2m; 2 ron from 0; 0 riichi-told; 2 withdraws",
            f"{ROUND}; 0 discards 5z; 1 discards 2m; 0 riichi-told",
        ),
    ],
    ids=["play went on", "a call", "told while the ron stood"],
)
def test_r13_r40_the_window_is_as_if_the_ron_on_the_riichi_tile_had_never_been_claimed(told: str, as_if: str) -> None:
    table, expected = play(told), play(as_if)
    assert window(table, 0) is window(expected, 0)
    assert [tile.ippatsu for tile in table.hand.laid_tiles] == [tile.ippatsu for tile in expected.hand.laid_tiles]


def test_a_window_that_a_missed_discard_closed_stays_closed_once_a_ron_is_withdrawn() -> None:
    table = play("0 discards 5z sideways; 0 stick; 1 discards 2m; 1 discards 3m; 2 ron from 0; 2 withdraws")
    assert table.hand.ippatsu[0] is Ippatsu.CLOSED
