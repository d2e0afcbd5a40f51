from __future__ import annotations

import json
from dataclasses import replace

import pytest

from table.records.format_detection import read_game
from table.records.formats.game_record import GameRecord
from table.records.mjai.mjai_writer import write_mjai
from table.records.tenhou.tenhou6_writer import write_tenhou6
from table.rulebook.ruleset_reader import preset_rules
from table.rules.ruleset import Ruleset
from tests.table.records.real_games import disagreements
from tests.table.records.selfplay import selfplay_game

GAMES = (0, 1, 3)
NO_ABORTS = {"four_riichi": False, "four_winds": False, "four_kans": False, "nine_terminals": False}
VARIANTS: dict[str, Ruleset] = {
    "m-league": preset_rules("m-league").switches,
    "renmei": preset_rules("jpml-a").switches.but(**NO_ABORTS),
    "mahjong-soul": preset_rules("mahjong-soul").switches,
}
"""The engine's rule sets as ours: head bump, kiriage, double winds, play in debt; no ippatsu, no ura; and so on."""


@pytest.mark.parametrize("seed", GAMES)
def test_the_rules_agree_with_games_of_an_independent_engine(seed: int) -> None:
    assert list(disagreements(selfplay_game(seed), f"game {seed}")) == []


@pytest.mark.parametrize("rules", VARIANTS)
def test_the_rules_agree_with_it_under_other_rule_sets(rules: str) -> None:
    record = replace(selfplay_game(1, rules), ruleset=VARIANTS[rules])
    assert list(disagreements(record, rules)) == []


def test_these_games_end_in_every_common_way() -> None:
    ends = {hand.reason or hand.kind for seed in GAMES for hand in selfplay_game(seed).hands}
    assert {str(end.value) for end in ends} >= {"ron", "tsumo", "draw", "four_riichi", "nine_terminals"}


@pytest.mark.parametrize("seed", GAMES)
def test_mjai_reads_back_as_it_was_written(seed: int) -> None:
    record = selfplay_game(seed)
    assert read_game(_mjai(record), "mjai") == record


@pytest.mark.parametrize("seed", GAMES)
def test_tenhou6_reads_back_turn_for_turn(seed: int) -> None:
    record = selfplay_game(seed)
    again = read_game(json.dumps(write_tenhou6(record)).encode(), "tenhou6")
    assert [hand.moves for hand in again.hands] == [hand.moves for hand in record.hands]
    assert [hand.deal for hand in again.hands] == [hand.deal for hand in record.hands]
    assert [hand.reason for hand in again.hands] == [hand.reason for hand in record.hands]
    assert again.final == record.final


def _mjai(record: GameRecord) -> bytes:
    return "\n".join(json.dumps(line) for line in write_mjai(record)).encode()
