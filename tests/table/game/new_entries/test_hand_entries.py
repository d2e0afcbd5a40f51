"""A correction finds the entry of the tile that it names, whatever else was laid and taken up in the hand."""

from __future__ import annotations

import pytest

from table.game.commands.game_commands import CancelFoul, CorrectDiscard, LogFoul
from table.rules.terms.tiles import Tile
from tests.table.game.referee.void_pon import BACK, go_back
from tests.table.game.table_by_hand import TableByHand
from vision.felt import BACK as FACE_DOWN
from vision.felt import Felt, Zone


@pytest.fixture
def called(by_hand: TableByHand) -> TableByHand:
    """A pon of a first discard, and its caller's discard, which has the number 1."""
    return by_hand.discard((0, "5m")).call(2, 0, "5m", "5m", "5m", sideways=2).discard((2, "9p"))


@pytest.mark.parametrize("is_foul_named", [True, False])
def test_a_discard_after_one_that_was_put_back_has_its_number(called: TableByHand, is_foul_named: bool) -> None:
    if is_foul_named:
        called.press(LogFoul, 2, clause="7-09-02", option="b")
    for part in BACK:
        go_back(called, part).observe(called.felt, seconds=5.0)
    called.observe(called.felt, seconds=5.0).discard((1, "1p"), (2, "2p"))
    called.table.handle(CorrectDiscard(discard=1, to=Tile("3p")))
    assert called.discards == ["5m", "3p", "2p"]
    called.read_again("2p", "4p")
    assert called.discards == ["5m", "3p", "4p"]


@pytest.mark.parametrize("is_foul_named", [True, False])
def test_a_question_about_a_discard_that_is_put_back_is_not_one_about_the_next(
    by_hand: TableByHand, is_foul_named: bool
) -> None:
    table = by_hand.discard((0, "5m")).call(2, 0, "5m", "5m", "5m", sideways=2).lay(2, Zone.RIVER, "9p", score=0.3)
    assert [doubt.discard for doubt in table.table.board.latest.doubts] == [1]
    if is_foul_named:
        table.press(LogFoul, 2, clause="7-09-02", option="b")
    for part in BACK:
        go_back(table, part).observe(table.felt, seconds=5.0)
    table.observe(table.felt, seconds=5.0).discard((1, "1p"))
    assert table.table.board.latest.doubts == ()


def test_a_discard_after_a_named_one_that_was_put_back_is_read_again(called: TableByHand) -> None:
    called.table.handle(CorrectDiscard(discard=1, to=Tile("8p")))
    for part in BACK:
        go_back(called, part).observe(called.felt, seconds=5.0)
    called.observe(called.felt, seconds=5.0).discard((1, "1p")).read_again("1p", "2p")
    assert called.discards == ["5m", "2p"]


def test_a_discard_that_lies_again_since_its_foul_was_cancelled_has_its_number_again(called: TableByHand) -> None:
    called.press(LogFoul, 2, clause="7-09-02", option="b")
    assert called.discards == ["5m"]
    called.press(CancelFoul, foul=0, reason="a mistake")
    called.table.handle(CorrectDiscard(discard=1, to=Tile("3p")))
    assert called.discards == ["5m", "3p"]


def test_a_discard_that_stays_when_an_unnoticed_pon_is_void_is_corrected_by_its_new_number(called: TableByHand) -> None:
    """7-08-03 c: the pon goes back with its caller's discard."""
    called.discard((1, "9s")).press(LogFoul, 1, clause="7-08-03", option="c", facts=("pon_caller=2",))
    assert called.discards == ["5m", "9s"]
    called.table.handle(CorrectDiscard(discard=1, to=Tile("3p")))
    assert called.discards == ["5m", "3p"]
    called.press(CancelFoul, foul=0, reason="a mistake")
    assert called.discards == ["5m", "9p", "3p"]


def test_an_indicator_that_was_seen_after_the_deal_is_the_one_that_is_read_again() -> None:
    table = TableByHand(indicator="").lay(0, Zone.WALL, *[FACE_DOWN] * 20)
    table.discard((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m")).observe(table.felt, seconds=5.0)
    table.lay(0, Zone.WALL, "1z").read_again("1z", "2z")
    assert table.hand.dora_indicators == (Tile("2z"),)
    table.table.journal.close()


def test_the_indicator_of_a_hand_that_was_dealt_while_the_last_one_was_open_is_read_again(by_hand: TableByHand) -> None:
    by_hand.discard((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"), (0, "5m"), (1, "6m")).observe(Felt(), seconds=20.0)
    by_hand.lay(0, Zone.WALL, "2z").observe(by_hand.felt, seconds=20.0)
    assert len(by_hand.table.state.history) == 1
    by_hand.read_again("2z", "3z")
    assert by_hand.hand.dora_indicators == (Tile("3z"),)
