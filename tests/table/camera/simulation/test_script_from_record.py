from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from table.camera.simulation import ScriptError
from table.camera.simulation.script import Abort, Ron
from table.camera.simulation.script_from_record import scripted_hand
from table.camera.simulation.script_timeline import stage_script
from table.records.format_detection import load_game
from table.records.formats.game_record import GameRecord, HandRecord
from table.rules.advance import advance, new_game
from table.rules.terms.results import AbortReason
from table.rules.terms.tiles import UNKNOWN
from tests.table.records.real_games import files
from tests.table.records.selfplay import selfplay_game
from vision.cameras.synthetic.layout import Layout

pytestmark = pytest.mark.pictures

RARE = (
    AbortReason.FOUR_RIICHI,
    AbortReason.FOUR_WINDS,
    AbortReason.FOUR_KANS,
    AbortReason.NINE_TERMINALS,
    AbortReason.TRIPLE_RON,
    AbortReason.NAGASHI,
)


def assert_plays_to_its_scores(record: GameRecord, hand: HandRecord) -> None:
    """What the stage says of a filmed hand leads, by the rules, to the points of the record."""
    staged = stage_script((scripted_hand(hand, pace_s=1.0),), Layout(), scores=hand.deal.scores)
    state = new_game(record.ruleset)
    for each in staged.truth:
        state = advance(state, each.event, record.ruleset).state
    assert [line.scores for line in state.history] == [hand.scores]


@pytest.mark.parametrize("seed", [0, 1])
def test_hands_of_our_own_games_can_be_filmed(seed: int) -> None:
    record = selfplay_game(seed)
    for hand in record.hands[:4]:
        assert_plays_to_its_scores(record, hand)


def test_recorded_hands_can_be_filmed(shared: Path) -> None:
    for path in files(shared / "logs" / "tenhou", every=40):
        record = load_game(path)
        for hand in record.hands[::5]:
            assert_plays_to_its_scores(record, hand)


@pytest.mark.parametrize("reason", RARE)
def test_rare_ends_can_be_filmed(shared: Path, reason: AbortReason) -> None:
    records = [load_game(path) for path in files(shared / "logs" / "rare")]
    ends = [(record, hand) for record in records for hand in record.hands if hand.reason is reason]
    assert ends
    for record, hand in ends[:3]:
        assert_plays_to_its_scores(record, hand)


def test_a_triple_ron_shows_the_three_hands_of_those_who_claimed(shared: Path) -> None:
    records = [load_game(path) for path in files(shared / "logs" / "rare")]
    (hand, *_) = [h for record in records for h in record.hands if h.reason is AbortReason.TRIPLE_RON]
    *_, first, second, third, end = scripted_hand(hand, pace_s=1.0).acts
    assert {type(act) for act in (first, second, third)} == {Ron}
    assert end == Abort(reason=AbortReason.TRIPLE_RON, showing_seats=())


def test_a_hand_with_hidden_tiles_cannot_be_filmed() -> None:
    hand = selfplay_game(0).hands[0]
    first, second, third, _ = hand.deal.hands
    hidden = replace(hand, deal=replace(hand.deal, hands=(first, second, third, (UNKNOWN,) * 13)))
    with pytest.raises(ScriptError, match="expected a record of all four hands"):
        scripted_hand(hidden, pace_s=1.0)
