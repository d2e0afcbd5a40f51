"""Where discards may have gone unseen, no old tile is won on and nothing is counted surely."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.dashboard.live.table_view import table_view
from table.game.commands.command_reader import read_press
from table.game.commands.game_commands import (
    CallDraw,
    CancelWin,
    ClaimRon,
    ClaimTsumo,
    Confirm,
    EditResult,
    LogFoul,
    Press,
    PressTableButton,
    StateTenpai,
)
from table.game.journal.journal import Journal
from table.game.snapshot import CameraHealth
from table.i18n import catalogue
from table.rules.state import Phase
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import parse_tiles
from table.runtime.table_errors import PressError
from tests.contracts import assert_keeps
from tests.table.game.by_hand import draw, tell, win
from tests.table.game.table_by_hand import TableByHand
from vision.felt import Felt, Zone

SIX = ((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"), (0, "5m"), (1, "6m"))
WHO_DISCARDED = "who discarded {}’s winning tile"
WHO = "who was tenpai"
MORE = "whether unseen play adds to {}’s win ({})"
BY_RON = "Riichi, Last tile, Robbing a kan"
BY_TSUMO = "Riichi, Last tile, After a kan"


def _page(by_hand: TableByHand) -> dict[str, Any]:
    return table_view(by_hand.table.board.latest, catalogue("en"))


def _missing(by_hand: TableByHand) -> list[str]:
    ending = _page(by_hand)["ending"]
    return [] if ending is None else ending["missing"]


def _restarted_table(journal: Journal) -> TableByHand:
    TableByHand(journal=journal).discard(*SIX)
    return TableByHand(journal=journal, indicator="")


def test_a_ron_after_the_camera_was_lost_asks_whose_tile_it_was(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX).lose_camera()
    assert _page(by_hand)["keeping"]["from"] is None
    by_hand.press(ClaimRon, 0, han=3, fu=40, by="seat 0")
    (claim,) = _page(by_hand)["ending"]["wins"]
    assert _page(by_hand)["ending"]["title"] == "East wins by ron"
    assert [discarder["name"] for discarder in claim["discarders"]] == ["South", "West", "North"]
    assert _missing(by_hand) == [WHO_DISCARDED.format("East")]
    by_hand.press(Confirm, by="seat 0").press(Confirm, by="seat 0")
    assert not by_hand.table.state.history
    by_hand.press(ClaimRon, 0, discarder=Seat.FAR, by="seat 0")
    assert _missing(by_hand) == []
    by_hand.press(Confirm, by="seat 0")
    assert by_hand.table.state.scores == (32700, 25000, 17300, 25000)


def test_a_ron_at_a_table_that_was_started_anew_asks_whose_tile_it_was(journal: Journal) -> None:
    after = _restarted_table(journal)
    after.press(ClaimRon, 0, han=3, fu=40, by="seat 0")
    assert _missing(after) == [WHO_DISCARDED.format("East")]


def test_the_next_discard_that_the_camera_sees_is_the_one_that_is_won_on(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX).lose_camera().discard((2, "9p"))
    by_hand.press(ClaimRon, 0, han=3, fu=40, by="seat 0")
    assert [claim.from_seat for claim in by_hand.hand.claims] == [Seat.FAR]
    assert _missing(by_hand) == []


def test_a_camera_that_is_back_after_the_press_finds_the_tile_that_was_won_on(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX).lose_camera().press(ClaimRon, 0, han=3, fu=40, by="seat 0")
    by_hand.lay(2, Zone.RIVER, "9p")
    assert [claim.from_seat for claim in by_hand.hand.claims] == [Seat.FAR]
    assert _missing(by_hand) == []


def test_what_people_said_of_the_discarder_stays_when_the_camera_is_back(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX).lose_camera().press(ClaimRon, 0, han=3, fu=40, discarder=Seat.LEFT, by="seat 0")
    by_hand.lay(2, Zone.RIVER, "9p")
    assert [claim.from_seat for claim in by_hand.hand.claims] == [Seat.LEFT]


def test_a_second_winner_wins_off_the_discarder_that_the_first_one_named(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX).lose_camera().press(ClaimRon, 0, han=1, fu=40, by="seat 0")
    by_hand.press(ClaimRon, 3, han=1, fu=40, by="seat 3")
    assert _missing(by_hand) == [WHO_DISCARDED.format("East"), WHO_DISCARDED.format("North")]
    by_hand.press(ClaimRon, 0, discarder=Seat.FAR, by="seat 0")
    assert _missing(by_hand) == []
    by_hand.press(Confirm, by="seat 0")
    assert by_hand.table.state.scores == (27000, 25000, 21700, 26300)


def test_a_press_names_the_discarder_but_not_the_winner_as_such() -> None:
    data: dict[str, Any] = {"press": "ron", "seat": 0, "discarder": 2}
    assert_keeps("press", data)
    assert read_press(data) == ClaimRon(seat=Seat.NEAR, discarder=Seat.FAR)
    with pytest.raises(PressError, match="expected another discarder than seat 0, got the winner"):
        read_press({**data, "discarder": 0})


def test_an_unseen_winning_tile_is_the_one_that_the_winner_shows(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX).lose_camera()
    by_hand.press(ClaimRon, 2, tiles=parse_tiles("345m456m99p12p678s"), by="seat 2")
    assert _missing(by_hand) == [WHO_DISCARDED.format("West"), "West’s winning tile", MORE.format("West", BY_RON)]
    by_hand.press(ClaimRon, 2, discarder=Seat.NEAR, tiles=parse_tiles("345m456m88p34p678s2p"), by="seat 2")
    assert _missing(by_hand) == [MORE.format("West", BY_RON)]
    by_hand.press(Confirm, by="seat 2").press(Confirm, by="seat 2")
    settlement = by_hand.table.state.history[0].settlement
    assert settlement is not None
    assert [yaku for each in settlement.wins for yaku, _ in each.yaku] == ["pinfu", "tanyao"]


def test_an_unseen_tsumo_counts_neither_ippatsu_nor_a_kans_tile_surely(by_hand: TableByHand) -> None:
    by_hand.discard((0, "1z"), (1, "2z"), (2, "3z"), (3, "4z"), (0, "9m"))
    by_hand.lay(1, Zone.MELD, "back", "8p", "8p", "back", group=1)
    by_hand.lose_camera().press(ClaimTsumo, 1, tiles=parse_tiles("345m456m99p34p2p"), by="seat 1")
    assert MORE.format("South", BY_TSUMO) in _missing(by_hand)
    assert not by_hand.table.board.latest.suspicions


@pytest.mark.parametrize(
    ("discards", "seat", "press", "kinds"),
    [
        (((0, "1z"), (1, "2z"), (2, "3z")), 1, ClaimRon, BY_RON),
        (((0, "1z"), (1, "2z"), (2, "3z")), 1, ClaimTsumo, BY_TSUMO),
        (((0, "1z"),), 1, ClaimTsumo, f"{BY_TSUMO}, First turn"),
        (((0, "1z"),), 1, ClaimRon, BY_RON),
        ((), 0, ClaimTsumo, f"{BY_TSUMO}, First turn"),
        (((0, "1z"),), 0, ClaimTsumo, BY_TSUMO),
        (((0, "1z"), (1, "2z"), (2, "3z")), 3, ClaimTsumo, f"{BY_TSUMO}, First turn"),
        (((0, "1z"), (1, "2z"), (2, "3z"), (3, "4z"), (0, "9m")), 2, ClaimTsumo, BY_TSUMO),
        (((0, "1z"), (1, "2z"), (2, "3z"), (3, "4z"), (0, "9m")), 1, ClaimTsumo, BY_TSUMO),
    ],
)
def test_only_what_can_be_is_named_as_what_unseen_play_may_be_worth(
    by_hand: TableByHand, discards: tuple[tuple[int, str], ...], seat: int, press: type[Press], kinds: str
) -> None:
    by_hand.discard(*discards).lose_camera().press(press, seat, by=f"seat {seat}")
    names = ("East", "South", "West", "North")
    assert MORE.format(names[seat], kinds) in _missing(by_hand)


def test_an_open_hand_is_not_asked_about_a_riichi(by_hand: TableByHand) -> None:
    by_hand.discard((0, "5p")).call(1, 0, "5p", "5p", "5p", sideways=0).discard((1, "1z")).lose_camera().press(
        ClaimTsumo, 1, by="seat 1"
    )
    assert MORE.format("South", "Last tile, After a kan") in _missing(by_hand)


@pytest.mark.parametrize(
    ("later", "kinds"),
    [((), "Ippatsu, Last tile, After a kan"), (((2, "3z"), (3, "4z"), (0, "9m"), (1, "9p")), "Last tile, After a kan")],
    ids=["its window may be open", "its window was seen to close"],
)
def test_a_riichi_is_asked_about_ippatsu_where_its_window_may_be_open(
    by_hand: TableByHand, later: tuple[tuple[int, str], ...], kinds: str
) -> None:
    by_hand.discard((0, "1z")).lay(1, Zone.RIVER, "2z", sideways=0).discard(*later)
    by_hand.lose_camera().press(ClaimTsumo, 1, by="seat 1")
    assert MORE.format("South", kinds) in _missing(by_hand)


def test_a_tsumo_found_with_more_tiles_than_the_turns_explain_is_asked_about_a_riichi(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX).lose_camera().press(ClaimTsumo, 0, by="seat 0")
    unseen = [(2, ["9p"]), (3, ["9s"]), (0, ["1z"]), (3, ["2z"])]  # a riichi, then a call that skips seats 1 and 2
    rows = [by_hand.row(seat, Zone.RIVER, faces, sideways=0 if seat == 0 else None) for seat, faces in unseen]
    by_hand.observe(replace(by_hand.felt, tiles=(*by_hand.felt.tiles, *(tile for row in rows for tile in row))))
    assert MORE.format("East", BY_TSUMO) in _missing(by_hand)


def test_a_riichi_declared_after_a_gap_is_asked_about_what_it_may_be(by_hand: TableByHand) -> None:
    by_hand.discard((0, "1z")).lose_camera().lay(1, Zone.RIVER, "2z", sideways=0).discard((2, "3z"))
    by_hand.press(ClaimRon, 1, by="seat 1")
    assert MORE.format("South", "Double riichi") in _missing(by_hand)


def test_a_win_that_may_be_worth_more_leads_to_the_sheet_with_all_that_is_known(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX).lose_camera()
    by_hand.press(ClaimRon, 2, discarder=Seat.NEAR, by="seat 2")
    choices = _page(by_hand)["ending"]["by_hand"]
    assert choices == {
        "kind": "win",
        "winners": [2],
        "from": 0,
        "values": {},
        "hint": "Tap “By hand” and enter it there.",
    }
    by_hand.press(ClaimRon, 2, tiles=parse_tiles("345m456m88p34p678s2p"), by="seat 2")
    choices = _page(by_hand)["ending"]["by_hand"]
    assert choices["values"] == {
        "2": {"han": 2, "fu": 30, "yaku": [["pinfu", 1], ["tanyao", 1]], "said": "2 han 30 fu: Pinfu 1, Tanyao 1"}
    }
    assert choices["hint"] == "If so, tap “By hand”, then “By tiles”, and tick it there. If not, tap “Confirm”."


def _deal_anew(by_hand: TableByHand) -> TableByHand:
    """Clears the table, and deals the next hand."""
    return by_hand.observe(Felt()).lay(0, Zone.WALL, "5m")


def test_a_hand_that_lacks_what_nobody_told_is_settled_as_the_next_one_is_dealt(by_hand: TableByHand) -> None:
    by_hand.discard((0, "1z"), (1, "2z"), (2, "3z"), (3, "9m"), (0, "4z")).lay(1, Zone.RIVER, "9s", sideways=0).stick(1)
    by_hand.lose_camera().discard((2, "3p")).press(ClaimRon, 1, tiles=parse_tiles("234m345678s88s45p"), by="seat 1")
    by_hand.observe(Felt())
    assert by_hand.hand.phase is Phase.CLAIMED, "people can still say it"
    _deal_anew(by_hand)
    assert by_hand.table.state.history[0].scores == (25000, 28900, 21100, 25000)
    assert by_hand.hand.start.scores == (25000, 28900, 21100, 25000)
    assert (
        "Settled without this: the ura indicators, whether unseen play adds to South’s win (Ippatsu). "
        "If it counts, correct the hand in the score sheet."
    ) in [line["text"] for line in _page(by_hand)["news"]]
    assert [line["id"] for line in _page(by_hand)["news"][:3]] == [
        "hand_started",
        "settled_without",
        "settlement_confirmed",
    ]


def test_what_is_told_once_the_table_is_cleared_counts_as_the_next_hand_is_dealt(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX[:5]).lay(1, Zone.RIVER, "9s", sideways=0).stick(1)
    by_hand.lose_camera().press(ClaimRon, 0, han=3, fu=40, by="seat 0").observe(Felt())
    by_hand.press(ClaimRon, 0, discarder=Seat.FAR, by="seat 0")
    _deal_anew(by_hand)
    assert by_hand.table.state.history[0].scores == (33700, 24000, 17300, 25000)
    start = by_hand.hand.start
    assert (start.scores, start.dealer, start.honba, start.deposits) == ((33700, 24000, 17300, 25000), 0, 1, 0)


def test_a_win_told_anew_once_the_table_is_cleared_is_settled_without_the_rest(by_hand: TableByHand) -> None:
    by_hand.discard((0, "1z"), (1, "2z"), (2, "3z"), (3, "9m"), (0, "4z")).lay(1, Zone.RIVER, "9s", sideways=0).stick(1)
    by_hand.lose_camera().discard((2, "3p")).press(ClaimRon, 1, tiles=parse_tiles("234m345678s88s45p"), by="seat 1")
    by_hand.press(ClaimRon, 3, by="seat 3").observe(Felt()).press(CancelWin, 3, by="seat 3")
    _deal_anew(by_hand)
    assert by_hand.table.state.history[0].scores == (25000, 28900, 21100, 25000)
    assert (by_hand.hand.start.scores, by_hand.hand.start.deposits) == ((25000, 28900, 21100, 25000), 0)


def test_a_draw_of_which_nobody_said_who_was_tenpai_is_left_open_as_the_next_hand_is_dealt(
    by_hand: TableByHand,
) -> None:
    by_hand.discard(*SIX).lose_camera().press(CallDraw, by="seat 1")
    _deal_anew(by_hand)
    assert by_hand.table.state.history[0].settlement is None
    assert any("not settled" in line["text"] and WHO in line["text"] for line in _page(by_hand)["news"])


def test_a_hand_that_cannot_be_settled_without_what_nobody_told_says_so_as_the_next_one_is_dealt(
    by_hand: TableByHand,
) -> None:
    by_hand.discard(*SIX).lose_camera().press(ClaimRon, 0, han=3, fu=40, by="seat 0")
    _deal_anew(by_hand)
    assert by_hand.table.state.history[0].settlement is None
    assert (
        "The hand is not settled, since nobody said this: who discarded East’s winning tile. Enter its result in the "
        "score sheet."
    ) in [line["text"] for line in _page(by_hand)["news"]]
    result = win(0, 1, han=3, fu=40)
    by_hand.table.handle(EditResult(result=result, hand=0, by="seat 0", why="nobody had said it"))
    assert by_hand.table.state.history[0].scores == (32700, 17300, 25000, 25000)


def test_a_withdrawn_win_leaves_the_next_one_to_be_asked_about_too(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX).press(ClaimRon, 0, han=3, fu=40, by="seat 0")
    by_hand.lose_camera()
    assert [claim.from_seat for claim in by_hand.hand.claims] == [Seat.RIGHT], "it was pressed on what was seen"
    by_hand.press(CancelWin, by="seat 0").press(ClaimRon, 3, han=3, fu=40, by="seat 3")
    assert _missing(by_hand) == [WHO_DISCARDED.format("North")]


def test_the_page_shows_no_count_and_no_ippatsu_that_may_be_past(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX)
    assert _page(by_hand)["centre"]["left"] == 64
    by_hand.lose_camera()
    assert _page(by_hand)["centre"]["left"] is None


def test_a_nagashi_mangan_is_asked_about_after_a_camera_was_lost(by_hand: TableByHand) -> None:
    by_hand.discard((0, "1m"), (1, "2m")).lose_camera().press(CallDraw, by="seat 0")
    assert _missing(by_hand) == [WHO, "East’s unseen or unread discards, perhaps a nagashi mangan"]


def test_a_draw_that_nobody_saw_is_not_settled_before_somebody_says_who_was_tenpai(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX).lose_camera()
    assert _page(by_hand)["keeping"]["draw_by_hand"], "the button leads to the sheet, where people say it"
    by_hand.press(CallDraw, by="seat 0")
    page = _page(by_hand)
    assert page["ending"]["missing"] == [WHO]
    assert (page["ending"]["deltas"], page["ending"]["flows"]) == (None, [])
    assert page["ending"]["by_hand"] | {"hint": ""} == {"kind": "draw", "hint": ""}
    assert page["ending"]["by_hand"]["hint"] == "Tap “By hand” and enter it there."
    assert "confirm" not in page["presses"]
    for press in (Confirm(by="seat 0"), PressTableButton()):
        with pytest.raises(PressError, match="expected who was tenpai") as refused:
            by_hand.table.handle(press)
        assert refused.value.says == "draw_unseen"
    tell(by_hand.table, draw(2))
    assert by_hand.table.state.scores == (24000, 24000, 28000, 24000)


def test_a_draw_after_which_the_camera_is_lost_is_asked_about_too(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX).press(CallDraw, by="seat 0").lose_camera()
    assert _missing(by_hand) == [WHO]
    with pytest.raises(PressError, match="expected who was tenpai"):
        by_hand.press(Confirm, by="seat 0")


def test_a_draw_that_nobody_saw_is_settled_by_what_people_state(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX).lose_camera().press(CallDraw, by="seat 0").press(StateTenpai, 1, by="seat 1")
    assert _missing(by_hand) == []
    by_hand.press(Confirm, by="seat 0")
    assert by_hand.table.state.scores == (24000, 28000, 24000, 24000)


def test_a_draw_that_the_camera_sees_is_not_asked_about(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX)
    assert not _page(by_hand)["keeping"]["draw_by_hand"]
    by_hand.press(CallDraw, by="seat 0")
    assert (_missing(by_hand), _page(by_hand)["ending"]["by_hand"]) == ([], None)
    by_hand.press(Confirm, by="seat 0")
    assert by_hand.table.state.history


def test_a_foul_that_ends_an_unseen_hand_needs_no_tenpai(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX).lose_camera().press(CallDraw, by="seat 0")
    by_hand.press(LogFoul, 1, clause="7-05-01", facts=("offender_opened_hand",), by="owner")
    assert WHO not in _missing(by_hand)


def test_a_question_about_a_nagashi_mangan_leads_to_the_sheet_by_hand(by_hand: TableByHand) -> None:
    by_hand.discard((0, "1m"), (1, "2m")).lose_camera().press(CallDraw, by="seat 0").press(StateTenpai, 1, by="seat 1")
    hint = "If so, tap “By hand” and enter it there. If not, tap “Confirm”."
    assert _page(by_hand)["ending"]["by_hand"]["hint"] == hint
    by_hand.press(Confirm, by="seat 0")
    hint = "If so, tap “By hand” and enter it there. If not, tap “Confirm” once more."
    assert _page(by_hand)["ending"]["by_hand"]["hint"] == hint
    by_hand.press(Confirm, by="seat 0")
    assert by_hand.table.state.history


def test_ura_that_a_lost_camera_cannot_see_lead_to_the_sheet_by_hand(by_hand: TableByHand) -> None:
    by_hand.discard((0, "1z")).lay(1, Zone.RIVER, "2z", sideways=0).discard((2, "2p"))
    by_hand.press(ClaimRon, 1, tiles=parse_tiles("345m456m88p34p678s"), by="seat 1")
    assert _missing(by_hand)[-1] == "the ura indicators"
    assert _page(by_hand)["ending"]["by_hand"] is None, "the camera sees them as soon as they are turned"
    by_hand.lose_camera()
    choices = _page(by_hand)["ending"]["by_hand"]
    assert (choices["winners"], choices["from"]) == ([1], 2)
    assert choices["hint"] == "Tap “By hand”, then “By tiles”, and enter it there."


def test_a_lost_camera_between_hands_leaves_the_next_hand_as_it_is_seen(by_hand: TableByHand) -> None:
    tell(by_hand.discard(*SIX).table, win(0, 1, 3))
    by_hand.lose_camera()
    assert by_hand.table.state.live is None
    assert by_hand.table.board.latest.rejected_entries == ()


def test_a_camera_that_is_lost_again_and_again_says_so_once_between_two_discards(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX).lose_camera()
    last = by_hand.table.journal.last
    by_hand.table.set_camera_health(CameraHealth.OK)
    by_hand.lose_camera()
    assert by_hand.table.journal.last == last
    assert by_hand.hand.phase is Phase.PLAY


def test_calls_that_went_unseen_are_told_with_the_win(by_hand: TableByHand) -> None:
    by_hand.discard((0, "7z")).call(1, 0, "7z", "7z", "7z", sideways=0).discard((1, "1z"))
    by_hand.lose_camera().press(
        ClaimRon, 1, discarder=Seat.NEAR, tiles=parse_tiles("345m88p45s3s"), melds=("222p", "777z"), by="seat 1"
    )
    assert [meld.text for meld in by_hand.hand.melds[1]] == ["777z", "222p"]
    by_hand.press(ClaimRon, 1, discarder=Seat.NEAR, tiles=parse_tiles("345m88p45s6s"), by="seat 1")
    assert [meld.text for meld in by_hand.hand.melds[1]] == ["777z", "222p"], "not told again, they stay"
    with pytest.raises(PressError, match="expected 777z among the melds"):
        by_hand.press(ClaimRon, 1, tiles=parse_tiles("345m88p45s6s"), melds=("222p", "333p"), by="seat 1")


def test_calls_are_not_told_where_nothing_went_unseen(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX)
    with pytest.raises(PressError, match="expected the calls of a hand whose discards were seen"):
        by_hand.press(ClaimRon, 0, tiles=parse_tiles("345m88p45s666m3s"), melds=("222p",), by="seat 0")


def test_a_press_names_the_melds_of_the_hand() -> None:
    data: dict[str, Any] = {"press": "ron", "seat": 0, "tiles": "345m88p45s666m3s", "melds": "222p,(1111z)"}
    assert_keeps("press", data)
    press = read_press(data)
    assert isinstance(press, ClaimRon)
    assert press.melds == ("222p", "(1111z)")
