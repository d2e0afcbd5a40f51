"""Records with values of wrong types are refused in one sentence, or read; they never end in another exception."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final

import pytest

from table.records.audit.game_audit import audit_game
from table.records.audit.record_values import valued
from table.records.format_detection import read_game
from table.records.formats.csv_writer import write_csv
from table.records.mjai.mjai_writer import write_mjai
from table.records.tenhou.tenhou6_writer import write_tenhou6
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import RecordError
from tests.table.records.selfplay import played

WRONG: Final[tuple[Any, ...]] = (
    "a",
    [],
    {},
    None,
    True,
    -1,
    1.5,
    float("inf"),
    float("nan"),
    10**30,
    ["x"] * 4,
    [None] * 4,
)


def _places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*place, key)
        yield from _places(each, (*place, key))


def _with(value: Any, place: tuple[Any, ...], wrong: object) -> Any:
    changed = deepcopy(value)
    at = changed
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = wrong
    return changed


def _mjai(lines: Any) -> bytes:
    return "\n".join(json.dumps(line) for line in lines).encode()


def _used(data: bytes) -> None:
    """Reads, checks and writes a game as the commands do."""
    record = valued(read_game(data, "bent"))
    write_csv(record)
    json.dumps([write_tenhou6(record), *write_mjai(record)], allow_nan=False)
    for each in audit_game(record, log="bent"):
        json.dumps(each.as_json(), allow_nan=False)


@pytest.mark.parametrize("is_mjai", [True, False], ids=["mjai", "tenhou6"])
def test_any_value_of_a_wrong_type_is_refused_or_read(is_mjai: bool) -> None:
    record = replace(played(1), hands=played(1).hands[:1])
    whole: Any = list(write_mjai(record)) if is_mjai else write_tenhou6(record)
    places = list(_places(whole))
    chance = random.Random(7)
    refused: list[str] = []
    for _ in range(30):
        bent = _with(whole, chance.choice(places), chance.choice(WRONG))
        try:
            _used(_mjai(bent) if is_mjai else json.dumps(bent).encode())
        except (RecordError, RulesError) as error:
            refused.append(str(error))
    assert refused
    assert [said for said in refused if not said.startswith("bent") or said.count("bent") > 1] == []


@pytest.mark.parametrize("wrong", ["a", [], None, float("inf"), float("nan"), True, 1.5], ids=str)
def test_starting_scores_that_are_no_whole_numbers_are_named(wrong: object) -> None:
    game = write_tenhou6(played(1))
    with pytest.raises(RecordError, match=r"^bent: hand 0: expected starting scores as a whole number"):
        read_game(json.dumps(_with(game, ("log", 0, 1, 0), wrong)).encode(), "bent")


@pytest.mark.parametrize(
    ("kind", "key", "wrong", "told"),
    [
        ("start_game", "ruleset", True, "expected ruleset as a text, got True"),
        ("start_game", "ruleset_changes", 3, "expected ruleset_changes as an object, got 3"),
        ("start_kyoku", "scores", ["a", 0, 0, 0], "expected scores as a whole number, got 'a'"),
        ("start_kyoku", "scores", [0, 0, 0], "expected scores of four players, got 3 of them"),
        ("start_kyoku", "kyotaku", "a", "expected kyotaku as a whole number, got 'a'"),
        ("start_kyoku", "honba", -1, "expected honba as a whole number from 0"),
        ("start_kyoku", "bakaze", "", "expected bakaze as E, S, W or N, got ''"),
        ("start_kyoku", "bakaze", "ES", "expected bakaze as E, S, W or N, got 'ES'"),
        ("start_kyoku", "bakaze", 1, "expected bakaze as a text, got 1"),
        ("start_kyoku", "tehais", 4, "expected tehais as a list, got 4"),
        ("dahai", "type", "dance", "expected an act of a game, got one of type 'dance'"),
        ("dahai", "pai", [], "expected a tile such as 1m, 5mr, E or ?, got []"),
        ("dahai", "actor", True, "expected actor as a seat from 0 to 3, got True"),
        ("dahai", "tsumogiri", [], "expected tsumogiri as true, false or null, got []"),
        ("hora", "deltas", "abcd", "expected deltas as a list, got 'abcd'"),
        ("hora", "yakuman", "a", "expected yakuman as a whole number, got 'a'"),
    ],
)
def test_mjai_values_of_wrong_types_are_named_with_their_line(kind: str, key: str, wrong: object, told: str) -> None:
    lines = [dict(line) for line in write_mjai(played(1))]
    lines[0] |= {"ruleset": "tenhou"}
    number = next(place for place, line in enumerate(lines) if line["type"] == kind)
    lines[number][key] = wrong
    with pytest.raises(RecordError, match=rf"^bent, line {number + 1}: {re.escape(told)}"):
        read_game(_mjai(lines), "bent")


def test_a_missing_name_is_empty_and_half_a_character_can_be_written() -> None:
    game = write_tenhou6(played(1)) | {"name": ["a", None, "\ud800b", 7]}
    record = read_game(json.dumps(game).encode(), "bent")
    assert record.names == ("a", "", "?b", "7")
    assert write_csv(record).encode()


@pytest.mark.parametrize("text", ["[1]", "3", "null", '"a"'])
def test_an_mjai_line_that_is_no_object_is_named(text: str) -> None:
    with pytest.raises(RecordError, match=r"^bent, line 2: expected an act as an object"):
        read_game(b'{"type":"start_game"}\n' + text.encode() + b"\n{}", "bent")


DEAL: Final = '<INIT seed="0,0,0,2,0,36" ten="1,1,1,1" oya="0" hai0="0" hai1="1" hai2="2" hai3="3"/>'


@pytest.mark.parametrize(
    ("tags", "told"),
    [
        (DEAL.replace("1,1,1,1", "inf,1,1,1"), "cannot convert float infinity to integer in hand 0, tag INIT"),
        (DEAL.replace("36", "-1"), "expected a seed of numbers of 0 or more"),
        (DEAL.replace("36", "136"), "expected the number of a tile from 0 to 135, got 136 in hand 0, tag INIT"),
        (f'{DEAL}<N who="0" m="99999"/>', "expected a meld of 16 bits, got 99999 in hand 0, tag N"),
    ],
    ids=["infinite points", "a negative seed", "no tile", "no meld"],
)
def test_altered_tags_of_mjlog_are_told_with_their_place(tags: str, told: str) -> None:
    with pytest.raises(RecordError, match=rf"^bent: expected a tag of a game, got {re.escape(told)}"):
        read_game(f'<mjloggm><GO type="169"/>{tags}'.encode(), "bent")
