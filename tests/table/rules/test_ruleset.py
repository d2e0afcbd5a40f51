from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from table.game.journal.storage.journal_codec import decode, encode
from table.rulebook.ruleset_reader import SHIPPED, preset_rules
from table.rules import ruleset
from table.rules.ruleset import Ruleset
from table.rules.terms.rule_errors import InvalidValueError


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"multiple_ron": "some"}, r"expected multiple_ron to be one of \('all', 'head_bump'\), got 'some'"),
        ({"double_wind_fu": 3}, "expected double_wind_fu"),
        ({"min_tiles_left": True}, "expected min_tiles_left"),
        ({"open_tanyao": 1}, "expected open_tanyao to be of type bool"),
        ({"oka": True}, "expected oka to be of type int"),
        ({"two_han_from_honba": -1}, "expected two_han_from_honba of 0 or more"),
        ({"oka": -1}, "expected oka of 0 or more"),
        ({"red_pin": 5}, "expected red_pin from 0 to 4"),
        ({"honba_value": 100}, "three can share"),
        ({"uma": (1, 2, 3, 4)}, "four uma that sum to 0"),
        ({"uma": 15}, "expected uma to be of type list of four points, got 15"),
        ({"uma": "15-5"}, "expected uma to be of type list of four points, got '15-5'"),
        ({"uma": (15.5, 0, 0, -15.5)}, "expected uma to be of type list of four points, got .15.5"),
        ({"uma": ("a", 0, 0, 0)}, "expected uma to be of type list of four points"),
        ({"floating_uma": 0.5}, "expected floating_uma to be of type list of rows of four points, got 0.5"),
        ({"floating_uma": (0, 0, 0)}, "expected floating_uma to be of type list of rows of four points"),
        ({"floating_uma": ((0, 0, 0),) * 3}, "expected four floating_uma that sum to 0"),
        ({"floating_uma": ((0, 0, 0, 0),)}, "three rows of floating_uma or none"),
        ({"noten_payment": 1000}, r"noten_payment = 1000: each of three noten hands would pay 333\.333"),
        ({"noten_payment": 1500}, "noten_payment = 1500: each of two noten hands would pay 750"),
        ({"honba_value": 150}, "honba_value = 150: at a tsumo each of three would pay 50"),
        ({"honba_value_tsumo": 1000}, "expected a honba_value_tsumo that three can share, got 1000"),
        ({"honba_value_tsumo": 150}, "honba_value_tsumo = 150: at a tsumo each of three would pay 50"),
        ({"honba_value_tsumo": -300}, "expected honba_value_tsumo of 0 or more"),
        ({"honba_value_tsumo": "some"}, "expected honba_value_tsumo to be of type int or 'same', got 'some'"),
        ({"honba_value": 250, "honba_value_tsumo": 300}, "honba_value = 250: a ron would cost 250"),
        ({"uma": (50, 0, 0, -50)}, "sticks of 100, got uma = 50, 0, 0, -50"),
        ({"starting_points": 25050}, "starting_points = 25050"),
        ({"oka": 50, "noten_payment": 1000}, "oka = 50; noten_payment = 1000: each of three"),
        (
            {"double_yakuman": "all_green"},
            "expected double_yakuman to be of type bool or list of names, got 'all_green'",
        ),
        ({"double_yakuman": (1,)}, "expected double_yakuman to be of type bool or list of names"),
        ({"double_yakuman": ("big_four_wind",)}, r"big_four_wind'; did you mean big_four_winds\?"),
        ({"double_yakuman": ("dora",)}, "expected double_yakuman of tenhou, chiihou, .*, got 'dora'"),
        (
            {"chips": {"ipatsu": 1}},
            r"expected chips for ippatsu, ura, red, yakuman, got 'ipatsu'; did you mean ippatsu\?",
        ),
        ({"chips": {"ura": -1}}, "expected chips.ura of 0 or more, got -1"),
        ({"chips": {"red": True}}, "expected chips.red to be of type int, got True"),
        ({"chips": 5}, "expected chips to be of type Chips, got 5"),
        ({"bust_bonus": -1}, "expected bust_bonus of 0 or more"),
        ({"bust_bonus": 1050}, "bust_bonus = 1050"),
        ({"starting_points": -25000}, "expected starting_points from 0 to 1,000,000, got -25000"),
        ({"target_points": 10**12}, "expected target_points from 0 to 1,000,000, got 1000000000000"),
        ({"counted_from": -100}, "expected counted_from from 0 to 1,000,000, got -100"),
        ({"bust_bonus": 1_000_100}, "expected bust_bonus from 0 to 1,000,000, got 1000100"),
        ({"uma": (1_000_100, 0, 0, -1_000_100)}, r"expected uma from -1,000,000 to 1,000,000, got \(1000100, 0, 0, -1"),
        (
            {"floating_uma": ((0, 0, 0, 0), (2 * 10**6, 0, 0, -2 * 10**6), (0, 0, 0, 0))},
            "expected floating_uma from -1",
        ),
        ({"oka": 4_000_100}, "expected oka from 0 to 4,000,000, got 4000100"),
        ({"honba_value": 3 * 10**6}, "expected honba_value from 0 to 1,000,000"),
        ({"honba_value_tsumo": 3 * 10**6}, "expected honba_value_tsumo from 0 to 1,000,000"),
        ({"noten_payment": 6 * 10**6}, "expected noten_payment from 0 to 1,000,000"),
        ({"two_han_from_honba": 101}, "expected two_han_from_honba from 0 to 100, got 101"),
        ({"time_limit": 4_500_000_000}, "expected time_limit from 0 to 1,440, got 4500000000"),
        ({"chips": {"ura": 1001}}, r"expected chips\.ura from 0 to 1,000, got 1001"),
        ({"opentanyao": True}, "expected a switch of the rules, got 'opentanyao'; did you mean 'open_tanyao'?"),
    ],
)
def test_a_value_that_a_field_does_not_allow_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        Ruleset().but(**changes)


def test_every_number_of_a_rule_set_has_limits_and_a_journal_may_hold_more() -> None:
    for field in fields(Ruleset):
        if field.type.startswith(("int", "FourPoints", "tuple[FourPoints")) and not field.name.startswith("red_"):
            lowest, highest = ruleset.LIMITS[field.name]
            assert lowest <= 0 < highest
    old = Ruleset(time_limit=4_500_000_000, starting_points=10**9)
    assert decode(Ruleset, encode(old)) == old


def test_amounts_that_can_be_shared_as_the_rules_say_are_taken() -> None:
    for payment in (0, 600, 1200, 3000, 6000):
        assert Ruleset().but(noten_payment=payment).noten_payment == payment


@pytest.mark.parametrize("name", SHIPPED)
def test_every_amount_of_a_preset_can_be_paid(name: str) -> None:
    assert list(preset_rules(name).switches.unpayable()) == []


def test_a_journal_that_was_played_with_another_amount_can_still_be_read() -> None:
    assert decode(Ruleset, encode(Ruleset(noten_payment=1000))).noten_payment == 1000


@pytest.mark.parametrize(
    "changes",
    [
        *({"double_yakuman": value} for value in (True, False, (), ("all_green", "four_kans"))),
        *({"honba_value_tsumo": points} for points in ("same", 0, 1500)),
        {"honba_value": 1000, "honba_value_tsumo": 900},
        {"chips": {"ippatsu": 1, "yakuman": 5}},
    ],
)
def test_a_switch_of_several_kinds_comes_back_from_a_journal(changes: dict[str, object]) -> None:
    ruleset = Ruleset().but(**changes)
    assert decode(Ruleset, json.loads(json.dumps(encode(ruleset)))) == ruleset


def test_changing_a_set_leaves_the_old_one_alone() -> None:
    home = Ruleset()
    assert home.but(kiriage_mangan=True).kiriage_mangan
    assert not home.kiriage_mangan


def test_every_switch_says_in_its_docstring_what_its_values_mean() -> None:
    source = inspect.getsource(ruleset)
    for field in fields(Ruleset):
        assert re.search(rf'\n    {field.name}: [^\n]+\n    """', source), field.name


def test_oka_is_what_the_four_seats_lay_in() -> None:
    for each in (preset_rules(name).switches for name in SHIPPED):
        assert each.oka == 4 * (each.zero_points - each.starting_points), each.name


def test_every_switch_is_set_to_another_value_by_a_test_of_what_it_does() -> None:
    elsewhere = (path for path in Path(__file__).parent.rglob("test_*.py") if path.name != "test_ruleset.py")
    named_switches = {name for path in elsewhere for name in _names_set(ast.parse(path.read_text(encoding="utf-8")))}
    has_its_own_tests = {"name", "penalties"}
    assert {field.name for field in fields(Ruleset)} - named_switches - has_its_own_tests == set()


def _names_set(tree: ast.Module) -> Iterator[str]:
    """Yields what is given by name: in calls, dictionaries, and the names of parameters."""
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg=str(name)):
                yield name
            case ast.Dict(keys=keys):
                yield from (key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str))
