"""What a win is worth as mjai lines tell it: what is written is read again, and what others write is not misread."""

from __future__ import annotations

import json
from typing import Any

import pytest

from table.records.audit.game_audit import audit_game, audit_stream
from table.records.audit.record_values import with_values
from table.records.formats.game_record import RecordedWin
from table.records.mjai.fields.mjai_wins import worth_in, worth_line
from table.records.mjai.mjai_reader import read_mjai
from table.records.mjai.mjai_writer import write_mjai
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile, parse_tiles
from table.rules.terms.yaku import YAKU
from tests.table.records.selfplay import selfplay_game

SEED = 1
THREE_DRAGONS = parse_tiles("123m456p11s555z666z")
"""A pair and two triplets of dragons."""


def win(
    yaku: tuple[tuple[str, int], ...], *, yakuman: int = 0, han: int | None = 3, fu: int | None = 40
) -> RecordedWin:
    return RecordedWin(
        seat=Seat.NEAR,
        from_seat=Seat.FAR,
        concealed=(),
        winning_tile=Tile("1m"),
        han=han,
        fu=fu,
        yaku=yaku,
        yakuman=yakuman,
        points=5200,
    )


def lines() -> list[dict[str, Any]]:
    """A game as it is exported, its wins with what they are worth."""
    return list(write_mjai(with_values(selfplay_game(SEED))))


def audit_lines(lines: list[dict[str, Any]]) -> list[tuple[str, Any, Any]]:
    """Every disagreement of a game's lines."""
    record = read_mjai("\n".join(map(json.dumps, lines)).encode(), "x")
    return [
        (disagreement.fact, disagreement.record, disagreement.rules)
        for hand in audit_game(record, log="x")
        for disagreement in hand.disagreements
    ]


def test_a_win_is_told_as_other_programs_tell_it() -> None:
    line = worth_line(win((("riichi", 1), ("haku", 1), ("hatsu", 1), ("dora", 2)), han=5))
    assert line == {
        "yakuman": 0,
        "hora_points": 5200,
        "fan": 5,
        "fu": 40,
        "yakus": [["reach", 1], ["sangenpai", 2], ["dora", 2]],
    }


def test_a_yakuman_has_no_han_and_no_fu() -> None:
    line = worth_line(win((("big_three_dragons", 13),), yakuman=1, han=None))
    assert line == {"yakuman": 1, "hora_points": 5200, "yakus": [["daisangen", 13]]}


def test_of_a_win_that_nobody_valued_nothing_is_told() -> None:
    assert worth_line(RecordedWin(seat=Seat.NEAR, from_seat=Seat.FAR, concealed=(), winning_tile=Tile("1m"))) == {}


@pytest.mark.parametrize("name", YAKU)
def test_every_yaku_that_has_a_name_of_its_own_is_read_again(name: str) -> None:
    ambiguous = ("four_closed_triplets", "nine_gates", "thirteen_orphans")
    tiles = {"haku": "555z", "hatsu": "666z", "chun": "777z"}.get(name, "")
    line = worth_line(win(((name, 1),)))
    read = worth_in(line, parse_tiles(tiles))
    assert read["yaku"] == (None if name.startswith(ambiguous) else ((name, 1),))
    assert (read["han"], read["fu"], read["points"]) == (3, 40, 5200)


def test_dragons_are_told_apart_by_the_hand() -> None:
    assert worth_in({"fan": 2, "yakus": [["sangenpai", 2]]}, THREE_DRAGONS)["yaku"] == (("haku", 1), ("hatsu", 1))
    assert worth_in({"fan": 2, "yakus": [["sangenpai", 1], ["sangenpai", 1]]}, THREE_DRAGONS)["yaku"] == (
        ("haku", 1),
        ("hatsu", 1),
    )
    assert worth_in({"fan": 1, "yakus": [["sangenpai", 1]]}, ())["yaku"] is None


def test_how_others_count_a_yakuman_is_not_taken_for_han() -> None:
    for line in ({"fan": 13, "fu": 30}, {"fan": 100, "yakus": [["kokushimuso", 100]]}):
        assert worth_in({**line, "hora_points": 32000}, ()) == {"points": 32000}
    assert worth_in({"fan": 13, "fu": 30, "yakuman": 0}, ())["han"] == 13


def test_names_that_nobody_knows_are_not_compared() -> None:
    assert worth_in({"fan": 1, "yakus": [["all_greener", 1]]}, ())["yaku"] is None
    assert worth_in({"fan": 1, "yakus": ["reach"]}, ())["yaku"] is None
    assert worth_in({"fan": 1, "yakus": [["reach", 1], ["uradora", 0]]}, ())["yaku"] == (("riichi", 1),)


def test_an_exported_game_tells_its_wins_and_agrees_with_the_rules() -> None:
    wins = [line for line in lines() if line["type"] == "hora"]
    assert wins
    assert all(line["yakus"] and line["hora_points"] for line in wins)
    assert audit_lines(lines()) == []


@pytest.mark.parametrize(
    ("name", "wrong", "fact"),
    [("fan", 9, "han"), ("fu", 110, "fu"), ("hora_points", 100, "points"), ("yakus", [["chiniso", 6]], "yaku")],
)
def test_what_is_told_of_a_win_is_held_against_the_rules(name: str, wrong: Any, fact: str) -> None:
    game = lines()
    next(line for line in game if line["type"] == "hora" and name in line)[name] = wrong
    (disagreement,) = audit_lines(game)
    assert disagreement[0] == fact


def test_a_stream_is_compared_as_it_comes() -> None:
    game = lines()
    next(line for line in game if line["type"] == "hora")["fan"] = 9
    disagreements = [
        disagreement for hand in audit_stream(map(json.dumps, game), log="x") for disagreement in hand.disagreements
    ]
    assert [disagreement.fact for disagreement in disagreements] == ["han"]
