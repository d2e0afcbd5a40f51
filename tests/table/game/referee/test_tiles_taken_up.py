"""A discard that its player turns, or takes up again for another, before anybody acts on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from table.game.commands.game_commands import CorrectDiscard, DeclareRiichi
from table.rules.events import Discarded, PutBack
from table.rules.state import RiichiStage
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.tiles import Tile
from tests.table.game.table_by_hand import TableByHand
from vision.felt import LyingTile


def turn(by_hand: TableByHand, face: str, *, sideways: bool) -> None:
    change_posture(by_hand, face, lambda tile: replace(tile, is_sideways=sideways))


def change_posture(by_hand: TableByHand, face: str, change: Callable[[LyingTile], LyingTile]) -> None:
    tiles = tuple(change(tile) if tile.reading.tile == face else tile for tile in by_hand.felt.tiles)
    by_hand.observe(replace(by_hand.felt, tiles=tiles))


@pytest.mark.parametrize("new_id", [0, 500])
def test_a_tile_that_is_turned_after_it_lay_upright_declares_riichi(by_hand: TableByHand, new_id: int) -> None:
    by_hand.discard((0, "3m"), (1, "4p"))
    change_posture(by_hand, "4p", lambda tile: replace(tile, id=tile.id + new_id, is_sideways=True))
    assert by_hand.hand.riichi[1].stage is RiichiStage.DECLARED
    by_hand.discard((2, "9s"))
    assert by_hand.hand.riichi[1].is_accepted
    assert (by_hand.discards, by_hand.hand.tiles_left) == (["3m", "4p", "9s"], 67)


def test_riichi_that_was_announced_stands_on_the_tile_that_is_turned_late(by_hand: TableByHand) -> None:
    by_hand.discard((0, "3m")).press(DeclareRiichi, 1).discard((1, "4p"))
    turn(by_hand, "4p", sideways=True)
    assert (by_hand.hand.riichi[1].stage, by_hand.hand.riichi[1].is_voiced) == (RiichiStage.DECLARED, True)


def test_a_tile_that_is_straightened_at_once_declares_no_riichi(by_hand: TableByHand) -> None:
    by_hand.discard((0, "r3m"))
    turn(by_hand, "3m", sideways=False)
    said = [logged.announcement for logged in by_hand.table.folded_game.announcements]
    assert [each.args for each in said if each.id is AnnouncementId.RIICHI_VOID] == [{"by": "put_back"}]
    by_hand.discard((1, "4p"))
    assert by_hand.hand.riichi[0].stage is RiichiStage.NONE
    assert by_hand.table.state.scores == (25000,) * 4


@pytest.mark.parametrize("face", ["3m", "r3m"])
def test_a_tile_that_is_turned_once_play_has_gone_on_changes_nothing(by_hand: TableByHand, face: str) -> None:
    by_hand.discard((0, face), (1, "4p"))
    riichi = by_hand.hand.riichi[0]
    turn(by_hand, "3m", sideways=face == "3m")
    by_hand.discard((2, "9s"))
    assert by_hand.hand.riichi[0] == riichi


def test_what_people_called_a_tile_stays_when_it_is_turned(by_hand: TableByHand) -> None:
    by_hand.discard((0, "3m")).press(CorrectDiscard, discard=0, to=Tile("8m"))
    turn(by_hand, "3m", sideways=True)
    by_hand.discard((1, "4p"))
    by_hand.read_again("3m", "2m")
    assert by_hand.discards == ["8m", "4p"]
    assert by_hand.hand.riichi[0].is_accepted


def test_a_doubtful_tile_that_is_turned_is_still_asked_about(by_hand: TableByHand) -> None:
    by_hand.discard((0, "3m"))
    change_posture(
        by_hand, "3m", lambda tile: replace(tile, reading=replace(tile.reading, score=0.5), is_sideways=True)
    )
    assert [doubt.discard for doubt in by_hand.table.board.latest.doubts] == [0]


@pytest.mark.parametrize("is_seen_between", [True, False])
def test_a_tile_that_is_taken_up_again_for_another_is_no_discard(by_hand: TableByHand, is_seen_between: bool) -> None:
    by_hand.discard((0, "3m"), (1, "4p")).take(1, is_observed=is_seen_between).discard((1, "9s"), (2, "1p"))
    by_hand.observe(by_hand.felt, seconds=3.0)
    assert (by_hand.discards, by_hand.hand.tiles_left) == (["3m", "9s", "1p"], 67)
    assert by_hand.table.folded_game.suspicions == ()


def test_a_called_tile_whose_meld_is_not_seen_is_not_taken_up_by_its_owner(by_hand: TableByHand) -> None:
    by_hand.discard((0, "3m"), (1, "4p")).take(1, is_observed=False).discard((0, "1z"), (1, "9s"))
    for _ in range(4):
        by_hand.observe(by_hand.felt, seconds=3.0)
    bodies = [getattr(entry.body, "event", entry.body) for entry in by_hand.table.journal.last_game() or ()]
    assert not any(isinstance(body, PutBack) for body in bodies)
    assert sum(isinstance(body, Discarded) for body in bodies) >= 4
