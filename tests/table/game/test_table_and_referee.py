"""A whole table with its referee over a felt laid by hand: what people undo and correct while the camera looks on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from table.dashboard.live.table_view import table_view
from table.game.commands.game_commands import (
    CallDraw,
    ClaimRon,
    ClaimTsumo,
    Confirm,
    CorrectDiscard,
    DeclareRiichi,
    OpenGame,
    PassTile,
    Press,
)
from table.game.journal.entries import Source
from table.game.journal.journal import Journal
from table.game.referee import Correction, Finding, Referee
from table.game.table_loop import Table
from table.i18n import catalogue
from table.rulebook.play_presets import HOME
from table.rules.events import WinClaimed, WinKind
from table.rules.state import GameState, Phase
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile, parse_tiles
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import PressError
from tests.fakes.disks import taking_no_entries
from tests.table.game.by_hand import draw, redo, tell, undo, win
from tests.table.game.referee.felt_by_hand import WHOLE
from tests.table.game.table_by_hand import TableByHand
from vision.felt import Felt, FeltReport, Zone

SIX = ((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"), (0, "5m"), (1, "6m"))
ENGLISH = catalogue("en")
ALL = tuple((turn % 4, f"{1 + turn % 9}{'mps'[turn // 9 % 3]}") for turn in range(70))


@pytest.mark.parametrize("rules", ["ema-2025", "wrc-2025", "jpml-a"])
@pytest.mark.parametrize("indicator", ["1z", "0s"])
def test_a_red_five_is_a_plain_one_where_the_rules_have_no_red_fives(rules: str, indicator: str) -> None:
    by_hand = TableByHand(rules, indicator)
    by_hand.discard((0, "1m"), (1, "0p"), (2, "9s"), (3, "8s"))
    assert by_hand.hand.dora_indicators == (Tile(indicator.replace("0", "5")),)
    assert by_hand.discards == ["1m", "5p", "9s", "8s"]
    assert by_hand.table.board.latest.suspicions == ()
    by_hand.read_again("0p", "5p")
    assert by_hand.discards == ["1m", "5p", "9s", "8s"]


def test_a_stray_face_where_walls_are_built_is_replaced_by_the_indicator_turned_later(by_hand: TableByHand) -> None:
    assert by_hand.hand.dora_indicators == (Tile("1z"),)
    by_hand.observe(Felt()).lay(2, Zone.WALL, "8s").discard((0, "9m"), (1, "9p"))
    assert by_hand.hand.dora_indicators == (Tile("8s"),)
    assert by_hand.discards == ["9m", "9p"]
    by_hand.observe(replace(by_hand.felt, tiles=by_hand.felt.tiles[1:])).lay(2, Zone.WALL, "1p")
    assert by_hand.hand.dora_indicators == (Tile("8s"),), "once somebody has discarded, the indicator stays"


def test_a_fourth_plain_five_is_asked_for_and_play_goes_on(by_hand: TableByHand) -> None:
    by_hand.discard((0, "5p"), (1, "5p"), (2, "5p"), (3, "5p"), (0, "9s"))
    assert by_hand.discards == ["5p", "5p", "5p", "?", "9s"]
    assert [doubt.discard for doubt in by_hand.table.board.latest.doubts] == [3]


def test_a_draw_undone_on_a_cleared_table_is_left_to_people(by_hand: TableByHand) -> None:
    by_hand.discard(*ALL)
    assert by_hand.hand.tiles_left == 0
    tell(by_hand.table, draw(0, 1))
    by_hand.observe(Felt())
    undo(by_hand.table)
    by_hand.lay(1, Zone.ELSEWHERE, "1z")
    assert by_hand.hand.phase is Phase.PLAY
    tell(by_hand.table, draw(0, 1, 2))
    assert by_hand.table.state.scores == (26000, 26000, 26000, 22000)


def test_a_win_undone_on_a_cleared_table_is_left_to_people(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX)
    by_hand.press(ClaimRon, 0, han=3, fu=40, by="seat 0").press(Confirm, by="seat 0")
    by_hand.observe(Felt())
    undo(by_hand.table)
    by_hand.lay(1, Zone.ELSEWHERE, "1z")
    assert not by_hand.table.state.history


@pytest.mark.parametrize(("before", "after"), [("1m", "9s"), ("0p", "5p")])
def test_a_face_that_cannot_be_is_asked_for_and_no_discard_is_lost(
    by_hand: TableByHand, before: str, after: str
) -> None:
    by_hand.discard((0, "9s"), (1, "9s"), (2, "9s"), (3, "9s"), (0, "5p"), (1, "5p"), (2, "5p"), (3, "0p"), (0, "1m"))
    discards = by_hand.discards
    by_hand.read_again(before, after)
    assert by_hand.discards == discards
    assert [doubt.discard for doubt in by_hand.table.board.latest.doubts] == [discards.index(before)]
    by_hand.discard((1, "5m"), (2, "6m"))
    assert by_hand.discards == [*discards, "5m", "6m"]


def test_people_cannot_correct_a_tile_to_a_fifth_copy_so_that_another_discard_is_lost(by_hand: TableByHand) -> None:
    by_hand.discard((0, "2m"), (1, "3m"), (2, "3m"), (3, "3m"), (0, "3m"), (1, "9s"))
    discards, last = by_hand.discards, by_hand.table.journal.last
    with pytest.raises(PressError, match="expected at most 4 copies of 3m"):
        by_hand.press(CorrectDiscard, discard=0, to=Tile("3m"), by="seat 0")
    assert (by_hand.discards, by_hand.table.journal.last) == (discards, last)
    by_hand.press(CorrectDiscard, discard=5, to=Tile("1z"), by=Seat.RIGHT.name)
    assert by_hand.discards == [*discards[:5], "1z"]


@pytest.mark.parametrize("is_named", [True, False], ids=["named by people", "an impossible face"])
def test_a_discard_that_is_still_read_otherwise_stays_the_same_one_when_it_is_found_again_where_it_lay(
    by_hand: TableByHand, is_named: bool
) -> None:
    by_hand.discard((0, "5p"), (1, "5p"), (2, "5p"), (3, "5p" if is_named else "0p"), (0, "9s"))
    if is_named:
        by_hand.press(CorrectDiscard, discard=3, to=Tile("6m"), by="seat 3")
    else:
        by_hand.read_again("0p", "5p")
    discards = by_hand.discards
    found = tuple(replace(tile, id=tile.id + 500) for tile in by_hand.felt.tiles)
    by_hand.observe(replace(by_hand.felt, tiles=()))
    by_hand.observe(replace(by_hand.felt, tiles=found))
    by_hand.observe(by_hand.felt, seconds=11.0)
    assert by_hand.discards == discards
    by_hand.discard((1, "1s"), (2, "2s"), (3, "3s"))
    assert by_hand.discards == [*discards, "1s", "2s", "3s"]


def test_the_camera_still_corrects_a_discard_whose_correction_by_people_the_disk_refused(by_hand: TableByHand) -> None:
    by_hand.discard((0, "2m"), (1, "9s"))
    with taking_no_entries(by_hand.table.journal), pytest.raises(PressError, match="cannot write to the journal"):
        by_hand.press(CorrectDiscard, discard=0, to=Tile("3m"), by="seat 0")
    by_hand.read_again("2m", "4m")
    assert by_hand.discards == ["4m", "9s"]


@pytest.mark.parametrize("press", [ClaimRon(seat=Seat.RIGHT), DeclareRiichi(seat=Seat.FAR), PassTile()])
def test_a_discard_found_at_a_press_that_the_disk_refused_is_found_again(by_hand: TableByHand, press: Press) -> None:
    by_hand.discard((0, "2m"), (1, "9s")).lay(3, Zone.RIVER, "9p")
    assert by_hand.discards == ["2m", "9s"], "out of turn, it waits for an explanation"
    with taking_no_entries(by_hand.table.journal), pytest.raises(PressError, match="cannot write to the journal"):
        by_hand.table.handle(press)
    by_hand.observe(by_hand.felt, seconds=2.0)
    assert by_hand.discards == ["2m", "9s", "9p"]


def test_a_win_laid_open_is_said_by_its_first_press_that_is_not_refused(by_hand: TableByHand) -> None:
    by_hand.discard((0, "1m"), (1, "1m"), (2, "3m"), (3, "4m"), (0, "5m"), (1, "6m")).lay(2, Zone.HAND, *WHOLE)
    with pytest.raises(PressError, match="expected at most 4 copies of 1m"):
        by_hand.press(ClaimTsumo, 2, tiles=parse_tiles("1111m2222m3333m99s"), by="seat 2")
    by_hand.press(ClaimTsumo, 2, by="seat 2")
    assert [(change.body, change.by) for change in by_hand.table.board.latest.changes.all] == [
        (WinClaimed(seat=Seat.FAR, kind=WinKind.TSUMO), "seat 2")
    ]


@pytest.mark.parametrize("indicator", ["1z", "9s"])
def test_the_first_hand_of_a_second_game_ends_when_the_table_is_cleared_also_if_it_begins_like_that_of_the_first(
    by_hand: TableByHand, indicator: str
) -> None:
    by_hand.discard(*SIX)
    tell(by_hand.table, win(0, 1, 3))
    by_hand.observe(Felt())
    by_hand.table.handle(OpenGame(names=("", "", "", "")))
    by_hand.lay(0, Zone.WALL, indicator).discard(*SIX)
    by_hand.press(ClaimRon, 0, han=3, fu=40, by="seat 0").observe(Felt())
    assert [hand.settlement is not None for hand in by_hand.table.state.history] == [True]


class WrongReferee(Referee):
    """Corrects a discard that was never made."""

    def on_report(self, report: FeltReport, get_state: Callable[[], GameState]) -> Iterator[Finding]:
        yield from super().on_report(report, get_state)
        yield Correction(discard=50, to=Tile("1m"), source=Source.CAMERA)


def test_a_correction_by_the_camera_of_a_discard_that_is_not_there_is_left_out() -> None:
    table = Table(journal=Journal(None), referee=WrongReferee(), ruleset=HOME, clock=LogicalClock())
    by_hand = TableByHand(table=table).discard((0, "1m"), (1, "2m"))
    assert by_hand.discards == ["1m", "2m"]
    table.journal.close()


def test_a_camera_set_anew_between_two_hands_takes_the_old_tiles_for_no_new_hand(by_hand: TableByHand) -> None:
    by_hand.discard(*SIX)
    tell(by_hand.table, win(0, 1, 3))
    felt_before = by_hand.felt
    by_hand.observe(replace(felt_before, tiles=tuple(replace(tile, id=tile.id + 500) for tile in felt_before.tiles)))
    assert by_hand.table.state.live is None
    by_hand.observe(replace(by_hand.felt, tiles=tuple(tile for tile in by_hand.felt.tiles if tile.zone is Zone.WALL)))
    assert by_hand.table.state.live is None
    by_hand.observe(Felt())
    by_hand.lay(0, Zone.WALL, "7z").discard((0, "9p"), (1, "9p"), (2, "9p"))
    assert (by_hand.hand.dora_indicators, by_hand.discards) == ((Tile("7z"),), ["9p", "9p", "9p"])


def test_undo_takes_back_a_ron_that_was_pressed_before_its_discard_came_to_rest(by_hand: TableByHand) -> None:
    by_hand.discard((0, "1m"), (1, "2m"), (2, "3m"))
    by_hand.press(ClaimRon, 1, by="seat 1").discard((3, "4m"))
    assert [claim.from_seat for claim in by_hand.hand.claims] == [Seat.LEFT]
    undo(by_hand.table)
    assert (by_hand.hand.claims, by_hand.hand.phase) == ((), Phase.PLAY)
    by_hand.discard((0, "9p"))
    assert by_hand.discards == ["1m", "2m", "3m", "4m", "9p"]
    redo(by_hand.table)
    assert [claim.seat for claim in by_hand.hand.claims] == [Seat.RIGHT]


ORPHANS = "1m 9m 1p 9p 1s 9s 1z 2z 3z 4z 5z 6z 7z 1m 9m 1p 9p 1s"
OTHERS = "2m 3m 4m 5m 6m 7m 8m 2p 3p 4p 5p 6p 7p 8p 2s 3s 4s 5s"
UNSURE = "{}’s unseen or unread discards, perhaps a nagashi mangan"


def _orphans_of_east(*, unread: int = -1, turns: range = range(18)) -> list[tuple[int, str]]:
    """All 70 discards of a hand, in which East discards only terminals and honours; `turns` are those that are seen."""
    faces = [
        (seat, ORPHANS.split()[turn] if seat == 0 else OTHERS.split()[turn])
        for turn in turns
        for seat in range(4 if turn < 17 else 2)
    ]
    return [(seat, "?" if at == unread else face) for at, (seat, face) in enumerate(faces)]


def test_an_unread_discard_that_decides_a_nagashi_mangan_is_asked_about_and_its_correction_is_paid(
    by_hand: TableByHand,
) -> None:
    by_hand.discard(*_orphans_of_east(unread=20)).press(CallDraw, by="seat 1")
    assert _missing(by_hand) == [UNSURE.format("East")]
    by_hand.press(CorrectDiscard, discard=20, to=Tile("9s"), by="seat 0")
    assert _missing(by_hand) == []
    by_hand.press(Confirm, by="seat 1")
    assert by_hand.table.state.scores == (37000, 21000, 21000, 21000)


@pytest.mark.parametrize(
    "discards",
    [
        _orphans_of_east(turns=range(1)),
        _orphans_of_east(turns=range(16)),
        _orphans_of_east()[1:],
        [each for at, each in enumerate(_orphans_of_east()) if at != 36],
        _orphans_of_east()[:-3],
    ],
    ids=["lost at once", "lost at last", "its first missed", "one of its own missed", "the last three missed"],
)
def test_a_nagashi_mangan_is_asked_about_where_discards_may_have_gone_unseen(
    by_hand: TableByHand, discards: list[tuple[int, str]]
) -> None:
    by_hand.discard(*discards).press(CallDraw, by="seat 1")
    assert _missing(by_hand) == [UNSURE.format("East")]
    by_hand.press(Confirm, by="seat 1").press(Confirm, by="seat 1")
    assert by_hand.table.state.scores == (25000,) * 4


def test_the_river_of_a_seat_whose_discards_were_all_seen_is_a_nagashi_mangan_though_another_lacks_one(
    by_hand: TableByHand,
) -> None:
    by_hand.discard(*_orphans_of_east()[:-1]).press(CallDraw, by="seat 1")
    assert _missing(by_hand) == []
    by_hand.press(Confirm, by="seat 1")
    assert by_hand.table.state.scores == (37000, 21000, 21000, 21000)


def test_a_last_discard_that_comes_to_rest_after_the_draw_was_pressed_makes_the_rivers_whole(
    by_hand: TableByHand,
) -> None:
    *before, last, after = _orphans_of_east()
    by_hand.discard(*before).press(CallDraw, by="seat 1")
    assert _missing(by_hand) == [UNSURE.format("East")]
    by_hand.discard(last, after)
    assert _missing(by_hand) == []


def test_a_table_taken_up_after_a_restart_asks_about_the_discards_of_meanwhile(journal: Journal) -> None:
    before = TableByHand(journal=journal)
    before.discard(*_orphans_of_east(turns=range(5)))
    after = TableByHand(journal=journal, indicator="")
    after.press(CallDraw, by="seat 1")
    assert _missing(after) == ["who was tenpai", UNSURE.format("East")]


def _missing(by_hand: TableByHand) -> object:
    return table_view(by_hand.table.board.latest, ENGLISH)["ending"]["missing"]
