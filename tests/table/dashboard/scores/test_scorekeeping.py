from __future__ import annotations

import re

import pytest

from table.dashboard.scores.scorekeeping import by_text
from table.game.snapshot import Mode
from table.i18n import catalogue
from table.rules.ruleset import Ruleset
from tests.table.dashboard.live.viewed_hands import view
from tests.table.rules.situations import play


@pytest.mark.parametrize(("mode", "may"), [(Mode.HOME, True), (Mode.CLUB, True), (Mode.TOURNAMENT, False)])
def test_no_phone_is_offered_hints_at_a_tournament(mode: Mode, may: bool) -> None:
    assert view(mode=mode)["keeping"]["may_hint"] is may


@pytest.mark.parametrize(
    ("yakuman", "switch"),
    [("big_three_dragons", "pao_dragons"), ("big_four_winds", "pao_winds"), ("four_kans", "pao_kans")],
)
def test_a_liable_seat_is_asked_for_where_the_rules_have_one(yakuman: str, switch: str) -> None:
    for is_liable in (True, False):
        keeping = view(ruleset=Ruleset().but(**{switch: is_liable}))["keeping"]
        assert (yakuman in [pao["yakuman"] for pao in keeping["paos"]]) is is_liable


@pytest.mark.parametrize(
    ("events", "tenpai"),
    [
        ("1 riichi-told; draw; 2 tenpai; 3 noten", [1, 2]),
        ("draw; 0 shows 123m456p789s1122z", [0]),
        ("1 riichi-told; 2 riichi-told; 1 foul 7-05-07", [2]),
    ],
    ids=["said", "shown", "a noten riichi"],
)
def test_a_draw_is_entered_from_the_seats_that_are_known_to_be_tenpai(events: str, tenpai: list[int]) -> None:
    table = play(events)
    assert view(table.state.hand, game=table.state, ruleset=table.ruleset)["keeping"]["tenpai"] == tenpai


@pytest.mark.parametrize(
    ("by", "text"),
    [
        ("seat 0", "Ann"),
        ("seat 2", "Seat 3"),
        ("owner", "Owner"),
        ("owner 0", "Ann"),
        ("owner 2", "Owner"),
        ('name "Zoe, Ltd."', "Zoe, Ltd."),
        ("seat 0, panel", "Ann, table button"),
        ("owner, seat 2", "Owner, Seat 3"),
        ("table", "all players"),
        ("desk", "Tournament desk"),
    ],
)
def test_who_did_something_is_told_in_words(by: str, text: str) -> None:
    names = ("Ann", "", "", "")
    assert by_text(by, names, catalogue("en")) == text
    assert not re.search("panel|table|desk|seat|owner", by_text(by, names, catalogue("ja")))
