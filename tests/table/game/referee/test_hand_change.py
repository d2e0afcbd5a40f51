from __future__ import annotations

from dataclasses import replace

import pytest

from table.game.commands.game_commands import CallDraw, CancelWin, ClaimRon, ClaimTsumo, Confirm, LogFoul
from table.game.journal.entries import Source
from table.game.referee import FoundEvent
from table.rules.events import (
    Called,
    ClaimsConfirmed,
    Discarded,
    DoraTurned,
    HandShown,
    HandStarted,
    UraTurned,
    WinClaimed,
    WinKind,
)
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import SEATS, Round, Seat
from table.rules.terms.tiles import Tile
from tests.table.game.referee.felt_by_hand import WHOLE, FeltByHand
from vision.felt import BACK, Felt, Zone

WALLS = (BACK,) * 17
ROUND = ((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"))


def test_a_hand_whose_indicator_is_hidden_begins_with_its_discards() -> None:
    table = FeltByHand(*WALLS).discard(*ROUND[:3])
    assert not table.game.events
    table.discard(ROUND[3]).call(0, 3, "4m", "5m", "6m", sideways=0).discard((0, "7m"))
    first, *discards = table.game.events
    assert isinstance(first, HandStarted)
    assert first.dora_indicator is None
    assert [type(event) for event in discards] == [Discarded] * 4 + [Called, Discarded]


def test_an_indicator_seen_late_is_the_first_of_its_hand() -> None:
    table = FeltByHand(*WALLS).discard(*ROUND).lay(1, Zone.WALL, "9p").discard((0, "5m"))
    assert table.game.events[-2:] == [
        DoraTurned(indicator=Tile("9p")),
        Discarded(seat=Seat.NEAR, tile=Tile("5m")),
    ]


@pytest.mark.parametrize(
    "faces",
    [
        ((0, "1m"), (2, "3m"), (3, "4m"), (0, "5m"), (3, "6m")),
        ((1, "1m"), (2, "3m"), (3, "4m"), (1, "5m")),
        ((0, "1m"), (1, BACK), (2, "3m"), (3, "4m")),
        ROUND * 3,
    ],
    ids=["one player has none", "the dealer has none", "one lies face down", "a hand that was played before"],
)
def test_faces_that_are_no_first_discards_begin_no_hand(faces: tuple[tuple[int, str], ...]) -> None:
    table = FeltByHand(*WALLS)
    tiles = [
        tile for seat in SEATS for tile in table.row(seat, Zone.RIVER, [face for side, face in faces if side == seat])
    ]
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *tiles)))
    assert not table.game.events


def test_faces_on_a_table_without_walls_begin_no_hand() -> None:
    assert not FeltByHand(BACK, BACK).discard(*ROUND, (0, "5m")).game.events


def test_a_cleared_table_confirms_what_was_proposed() -> None:
    table = FeltByHand().discard((0, "9p"), (1, "8p"), (2, "9p"), (3, "8p")).press(ClaimTsumo, 0)
    table.lay(0, Zone.HAND, *WHOLE)
    table.observe(Felt())
    found = table.game.found[-1]
    assert isinstance(found, FoundEvent)
    assert (found.event, found.source) == (ClaimsConfirmed(), Source.INFERRED)
    table.lay(0, Zone.WALL, "2z")
    start = table.last
    assert isinstance(start, HandStarted)
    assert (start.round, start.honba, start.dora_indicator) == (Round.parse("E1"), 1, Tile("2z"))


def test_a_hand_swept_away_unsettled_leads_to_a_guessed_start_and_a_question() -> None:
    table = FeltByHand().discard((0, "9p"), (1, "8p"), (2, "9p"), (3, "8p")).observe(Felt())
    table.lay(0, Zone.WALL, "2z")
    assert isinstance(table.last, HandStarted)
    assert table.game.questions[-1].id is AnnouncementId.DOUBT
    assert table.game.state.history[0].settlement is None


def test_tiles_swept_from_two_rivers_are_no_events() -> None:
    table = FeltByHand().discard((0, "9p"), (1, "8p"), (2, "7p"), (3, "6p"), (0, "1s")).stick(1)
    before = list(table.game.events)
    table.observe(replace(table.felt, tiles=table.felt.tiles[:2], sticks=()), seconds=5.0)
    table.observe(replace(table.felt, tiles=table.felt.tiles[:1]), seconds=5.0)
    assert table.game.events == before


def test_ura_shown_by_a_winner_in_riichi_are_told_apart_from_dora() -> None:
    table = FeltByHand().discard((0, "r9p")).stick(0).discard((1, "8p"), (2, "6z"), (3, "7z")).press(ClaimTsumo, 0)
    table.lay(0, Zone.HAND, *WHOLE).lay(0, Zone.WALL, "4z")
    assert table.last == UraTurned(seat=Seat.NEAR, indicators=(Tile("4z"),))


def test_an_indicator_turned_too_early_has_no_ura() -> None:
    """The indicator of an open kan is due after the kan's discard, which is won on here."""
    table = FeltByHand().discard((0, "r9p")).stick(0).discard((1, "8p")).call(3, 1, *["8p"] * 4, sideways=1)
    table.lay(0, Zone.WALL, "9m").discard((3, "4s")).press(ClaimRon, 0).lay(0, Zone.HAND, *WHOLE[:-1])
    assert table.game.state.hand is not None
    assert len(table.game.state.hand.dora_indicators) == 2
    table.lay(0, Zone.WALL, "4z")
    assert table.last == UraTurned(seat=Seat.NEAR, indicators=(Tile("4z"),))


def win_after_a_closed_kan(*, is_riichi: bool) -> FeltByHand:
    """A win on the replacement tile, before anybody has turned the kan's indicator."""
    table = FeltByHand().discard((0, "r9p" if is_riichi else "9p"))
    if is_riichi:
        table.stick(0)
    table.discard((1, "8p"), (2, "6z"), (3, "7z")).lay(0, Zone.MELD, BACK, "9s", "9s", BACK)
    return table.press(ClaimTsumo, 0).lay(0, Zone.HAND, *WHOLE[3:])


@pytest.mark.parametrize("is_riichi", [True, False])
def test_an_indicator_of_a_kan_that_is_turned_after_the_win_is_a_dora(is_riichi: bool) -> None:
    table = win_after_a_closed_kan(is_riichi=is_riichi).lay(0, Zone.WALL, "4z")
    assert table.last == DoraTurned(indicator=Tile("4z"))
    table.lay(0, Zone.WALL, "2p", "3p")
    ura = [event.indicators for event in table.game.events if isinstance(event, UraTurned)]
    assert ura == ([(Tile("2p"), Tile("3p"))] if is_riichi else [])


def test_an_indicator_turned_together_with_the_ura_leaves_as_many_ura_as_there_are() -> None:
    table = win_after_a_closed_kan(is_riichi=True).lay(0, Zone.WALL, "4z", "2p", "3p")
    assert table.game.events[-2:] == [
        DoraTurned(indicator=Tile("4z")),
        UraTurned(seat=Seat.NEAR, indicators=(Tile("2p"), Tile("3p"))),
    ]


@pytest.mark.parametrize("has_won", [True, False])
def test_an_indicator_of_a_kan_is_asked_about_if_it_is_doubtful(has_won: bool) -> None:
    kan = FeltByHand().discard((0, "9p"), (1, "8p"), (2, "6z"), (3, "7z")).lay(0, Zone.MELD, BACK, "9s", "9s", BACK)
    table = (win_after_a_closed_kan(is_riichi=False) if has_won else kan).lay(0, Zone.WALL, "4z", score=0.5)
    assert table.last == DoraTurned(indicator=Tile("4z"))
    assert [(question.subject, question.tile) for question in table.game.questions] == [("indicator", Tile("4z"))]


def test_an_indicator_that_would_be_a_fifth_copy_is_not_asked_about_and_hides_no_discard() -> None:
    table = FeltByHand().discard((0, "7z"), (1, "7z"), (2, "7z"), (3, "7z")).lay(0, Zone.MELD, BACK, "9s", "9s", BACK)
    table.lay(0, Zone.WALL, "7z", score=0.5).discard((0, "1m"), (1, "2m"))
    assert table.game.questions == []
    assert table.last == Discarded(seat=Seat.RIGHT, tile=Tile("2m"))


def test_an_ura_that_is_read_with_a_doubt_is_told_with_a_question() -> None:
    """Its face may be half behind the wall: read as another one, it would change the score silently."""
    table = FeltByHand().discard((0, "r9p")).stick(0).discard((1, "8p"), (2, "6z"), (3, "7z")).press(ClaimTsumo, 0)
    table.lay(0, Zone.HAND, *WHOLE).lay(0, Zone.WALL, "4z", score=0.5)
    assert table.last == UraTurned(seat=Seat.NEAR, indicators=(Tile("4z"),))
    questions = [(question.id, question.subject, question.tile) for question in table.game.questions]
    assert questions == [(AnnouncementId.DOUBT, "indicator", Tile("4z"))]


@pytest.mark.parametrize(("away_mm", "is_ura"), [(36.0, True), (90.0, False)])
def test_on_a_small_table_the_ura_lies_between_the_indicator_and_the_open_hand(away_mm: float, is_ura: bool) -> None:
    table = FeltByHand().discard((0, "r9p")).stick(0).discard((1, "8p"), (2, "6z"), (3, "7z")).press(ClaimTsumo, 0)
    table.lay(0, Zone.HAND, *WHOLE)
    (ura,) = table.row(0, Zone.HAND, ("4z",))
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, replace(ura, x_mm=0.0, y_mm=-away_mm))))
    assert isinstance(table.last, UraTurned) is is_ura


def test_a_tile_of_a_hand_that_is_still_being_laid_open_is_no_ura() -> None:
    table = FeltByHand().discard((0, "r9p")).stick(0).discard((1, "8p"), (2, "6z"), (3, "7z")).press(ClaimTsumo, 0)
    row = table.row(0, Zone.HAND, WHOLE)
    row[-1] = replace(row[-1], x_mm=0.0, y_mm=-47.0)
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *row[6:])))
    assert not isinstance(table.last, UraTurned)
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *row[:6])))
    assert isinstance(table.last, HandShown)


def test_a_hand_that_a_foul_opened_takes_the_indicator_of_its_own_deal() -> None:
    """What was told by hand before a tile was seen is over on the page; the old indicator still lies."""
    table = FeltByHand().press(CallDraw).press(Confirm)
    table.press(LogFoul, 1, clause="7-05-11")
    table.observe(table.felt)
    hand_before = table.game.state.live
    assert hand_before is not None
    assert hand_before.dora_indicators == ()
    table.observe(replace(table.felt, tiles=())).lay(0, Zone.WALL, "5p").discard((1, "9m"))
    hand = table.game.state.live
    assert hand is not None
    assert (hand.dora_indicators, hand.discards, len(hand.fouls)) == ((Tile("5p"),), 1, 1)
    assert len(table.game.state.history) == 1


def test_a_win_that_counts_for_nothing_is_reported_once_while_its_hand_lies_open() -> None:
    table = FeltByHand().discard((0, "9m"), (1, "8m"), (2, "9s"), (3, "7m")).press(LogFoul, 2, clause="7-05-03")
    table.discard((0, "4s")).lay(2, Zone.HAND, *WHOLE[:-1])
    table.observe(table.felt).press(LogFoul, 1, clause="7-05-03").observe(table.felt)
    assert [event for event in table.game.events if isinstance(event, WinClaimed)] == [
        WinClaimed(seat=Seat.FAR, kind=WinKind.RON)
    ]


def test_a_win_that_people_take_back_is_not_claimed_again_while_its_hand_lies_open() -> None:
    table = FeltByHand().discard((0, "4s")).lay(2, Zone.HAND, *WHOLE[:-1]).press(CancelWin, 2)
    table.observe(table.felt)
    assert [event for event in table.game.events if isinstance(event, WinClaimed)] == [
        WinClaimed(seat=Seat.FAR, kind=WinKind.RON)
    ]
