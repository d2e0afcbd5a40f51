from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from table.records.format_detection import load_game, read_game
from table.records.formats.game_record import Drawn, GameRecord, Move
from table.records.formats.hidden_hands import HiddenHands
from table.records.formats.inferred_events import likely_reason, robbed_kan, with_sticks
from table.records.mjai.fields import mjai_reasons
from table.records.mjai.mjai_writer import write_mjai
from table.records.tenhou import tenhou6_codes
from table.records.tenhou.tenhou6_writer import write_tenhou6
from table.rules.events import AddedKan, Called, CallKind, Discarded, StickPlaced
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import SEATS
from table.rules.terms.tiles import Tile, parse_tiles
from tests.table.records.real_games import audit_lines
from tests.table.records.selfplay import engine_files, selfplay_game

GAMES = (0, 1, 3)
PON = Called(seat=SEATS[1], kind=CallKind.PON, tile=Tile("3p"), from_seat=SEATS[0], own=parse_tiles("33p"))


def test_an_abort_without_its_reason_is_known_by_its_acts() -> None:
    found = 0
    for seed in GAMES:
        record = selfplay_game(seed)
        lines = [{k: v for k, v in line.items() if k != "reason"} for line in write_mjai(record)]
        game = write_tenhou6(record)
        for hand in game["log"]:
            if hand[16][0] != "\u548c\u4e86":
                hand[16] = ["\u6d41\u5c40", hand[16][1] if len(hand[16]) > 1 else []]
        for data in ("\n".join(map(json.dumps, lines)), json.dumps(game)):
            again = read_game(data.encode(), "unnamed")
            assert [hand.reason for hand in again.hands] == [hand.reason for hand in record.hands]
        found += sum(hand.reason is not None for hand in record.hands)
    assert found >= 2


def test_nagashi_mangan_without_its_reason_is_known_by_river_and_payments(shared: Path) -> None:
    record = load_game(shared / "logs" / "rare" / "mjx_upd-aft-nm.mjlog")
    reasons = [hand.reason for hand in record.hands]
    assert AbortReason.NAGASHI in reasons
    lines = [{k: v for k, v in line.items() if k != "reason"} for line in write_mjai(record)]
    again = read_game("\n".join(map(json.dumps, lines)).encode(), "unnamed")
    assert [hand.reason for hand in again.hands] == reasons


@pytest.mark.parametrize("seed", GAMES)
@pytest.mark.parametrize("form", ["mjlog", "tenhou6"])
def test_what_the_engines_writers_leave_out_changes_nothing(seed: int, form: str) -> None:
    again = read_game(engine_files(seed)[form], form)
    assert _outcomes(again) == _outcomes(selfplay_game(seed))


def test_four_winds_are_told_from_other_aborts() -> None:
    first_round: list[Move] = []
    for seat in SEATS:
        first_round += [Drawn(seat=seat, tile=Tile("1z")), Discarded(seat=seat, tile=Tile("1z"))]
    assert likely_reason(first_round) is AbortReason.FOUR_WINDS
    assert likely_reason([*first_round, Drawn(seat=SEATS[0], tile=Tile("1m"))]) is AbortReason.NINE_TERMINALS
    assert likely_reason(first_round[:6]) is AbortReason.TRIPLE_RON
    assert likely_reason([]) is None


def test_a_kan_that_was_robbed_is_found_by_who_won_on_it() -> None:
    hidden = HiddenHands(tuple(map(parse_tiles, ("1z" * 13, "33p2345678m999s1s", "12p345m678m999s11s", "2z" * 13))))
    draw = Drawn(seat=SEATS[1], tile=Tile("3p"))
    for move in (PON, Discarded(seat=SEATS[1], tile=Tile("1s")), draw):
        hidden.apply(move)
    kan = AddedKan(seat=SEATS[1], tile=Tile("3p"))
    assert robbed_kan((PON, draw), hidden, SEATS[2], SEATS[1]) == kan
    assert robbed_kan((PON, draw), hidden, SEATS[0], SEATS[1]) is None
    assert robbed_kan((PON, draw), hidden, SEATS[1], SEATS[1]) is None
    assert robbed_kan((draw, PON), hidden, SEATS[2], SEATS[1]) is None


def test_a_stick_follows_each_riichi_but_one_that_was_ronned() -> None:
    riichi = Discarded(seat=SEATS[0], tile=Tile("5m"), sideways=True)
    passed, ronned = with_sticks([riichi, PON], is_ronned=True), with_sticks([riichi], is_ronned=True)
    assert passed == [riichi, StickPlaced(seat=SEATS[0]), PON]
    assert ronned == [riichi]


def _outcomes(record: GameRecord) -> list[tuple[object, ...]]:
    names = ("riichi", "result", "abort", "wins", "deltas", "scores", "suspicions")
    whole = replace(record, cut_short=None)
    return [tuple(line[name] for name in names) for line in audit_lines(whole, log="x") if "hand" in line]


@pytest.mark.parametrize("reason", [None, *AbortReason])
def test_every_end_without_a_winner_is_read_as_it_is_written(reason: AbortReason | None) -> None:
    is_foul = reason is not None and reason.is_penalty
    assert mjai_reasons.REASONS[mjai_reasons.REASON_NAMES[reason]] is reason
    assert tenhou6_codes.REASONS[tenhou6_codes.REASON_NAMES[reason]] is (None if is_foul else reason)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("kyushukyuhai", AbortReason.NINE_TERMINALS),
        ("sufonrenta", AbortReason.FOUR_WINDS),
        ("suufonrenda", AbortReason.FOUR_WINDS),
        ("suchareach", AbortReason.FOUR_RIICHI),
        ("sukaikan", AbortReason.FOUR_KANS),
        ("sanchaho", AbortReason.TRIPLE_RON),
        ("sanchahou", AbortReason.TRIPLE_RON),
        ("nagashimangan", AbortReason.NAGASHI),
        ("fanpai", None),
    ],
)
def test_an_end_is_read_as_mjais_own_program_and_others_write_it(name: str, reason: AbortReason | None) -> None:
    assert mjai_reasons.REASONS[name] is reason
