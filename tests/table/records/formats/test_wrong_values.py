"""Records with values of wrong types are refused in one sentence, or read; they never end in another exception."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final
from urllib.parse import quote

import pytest

from table.records.audit.game_audit import audit_game
from table.records.audit.record_values import with_values
from table.records.format_detection import read_game
from table.records.formats.csv_writer import write_csv
from table.records.formats.game_record import names_of
from table.records.mjai.mjai_writer import write_mjai
from table.records.tenhou.tenhou6_writer import write_tenhou6
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import RecordError
from tests.table.records.selfplay import selfplay_game

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


def _with_value(value: Any, place: tuple[Any, ...], wrong: object) -> Any:
    changed = deepcopy(value)
    container = changed
    for key in place[:-1]:
        container = container[key]
    container[place[-1]] = wrong
    return changed


def _mjai(lines: Any) -> bytes:
    return "\n".join(json.dumps(line) for line in lines).encode()


def _read_and_write(data: bytes) -> None:
    """Reads, checks and writes a game as the commands do."""
    record = with_values(read_game(data, "bent"))
    write_csv(record)
    json.dumps([write_tenhou6(record), *write_mjai(record)], allow_nan=False)
    for each in audit_game(record, log="bent"):
        json.dumps(each.as_json(), allow_nan=False)


@pytest.mark.parametrize("is_mjai", [True, False], ids=["mjai", "tenhou6"])
def test_any_value_of_a_wrong_type_is_refused_or_read(is_mjai: bool) -> None:
    record = replace(selfplay_game(1), hands=selfplay_game(1).hands[:1])
    whole: Any = list(write_mjai(record)) if is_mjai else write_tenhou6(record)
    places = list(_places(whole))
    chance = random.Random(7)
    refused: list[str] = []
    for _ in range(30):
        bent = _with_value(whole, chance.choice(places), chance.choice(WRONG))
        try:
            _read_and_write(_mjai(bent) if is_mjai else json.dumps(bent).encode())
        except (RecordError, RulesError) as error:
            refused.append(str(error))
    assert refused
    assert [message for message in refused if not message.startswith("bent") or message.count("bent") > 1] == []


@pytest.mark.parametrize("wrong", ["a", [], None, float("inf"), float("nan"), True, 1.5], ids=str)
def test_starting_scores_that_are_no_whole_numbers_are_named(wrong: object) -> None:
    game = write_tenhou6(selfplay_game(1))
    with pytest.raises(RecordError, match=r"^bent: hand 0: expected starting scores as a whole number"):
        read_game(json.dumps(_with_value(game, ("log", 0, 1, 0), wrong)).encode(), "bent")


@pytest.mark.parametrize(
    ("kind", "key", "wrong", "message"),
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
def test_mjai_values_of_wrong_types_are_named_with_their_line(kind: str, key: str, wrong: object, message: str) -> None:
    lines = [dict(line) for line in write_mjai(selfplay_game(1))]
    lines[0] |= {"ruleset": "tenhou"}
    number = next(place for place, line in enumerate(lines) if line["type"] == kind)
    lines[number][key] = wrong
    with pytest.raises(RecordError, match=rf"^bent, line {number + 1}: {re.escape(message)}"):
        read_game(_mjai(lines), "bent")


@pytest.mark.parametrize(
    ("kind", "key", "message"),
    [
        ("start_kyoku", "oya", "expected oya in a line of type start_kyoku, got none"),
        ("dahai", "actor", "expected actor in a line of type dahai, got none"),
        ("hora", "target", "expected target in a line of type hora, got none"),
    ],
)
def test_a_key_that_an_mjai_line_lacks_is_named(kind: str, key: str, message: str) -> None:
    lines = [dict(line) for line in write_mjai(selfplay_game(1))]
    number = next(place for place, line in enumerate(lines) if line["type"] == kind)
    del lines[number][key]
    with pytest.raises(RecordError, match=rf"^bent, line {number + 1}: {message}$"):
        read_game(_mjai(lines), "bent")


def test_an_mjai_line_in_a_place_where_it_cannot_be_is_told_with_what_comes_before_it() -> None:
    start, *others = write_mjai(selfplay_game(1))
    early = next(line for line in others if line["type"] == "dahai")
    with pytest.raises(RecordError, match=r"^bent, line 2: expected start_kyoku before dahai, got none$"):
        read_game(_mjai([start, early, *others]), "bent")


@pytest.mark.parametrize("place", [0, 1])
def test_an_mjai_line_with_a_number_too_long_to_read_says_so(place: int) -> None:
    lines = _mjai(write_mjai(selfplay_game(1))).splitlines()
    lines[place] = lines[place].removesuffix(b"}") + b', "long": ' + b"9" * 5000 + b"}"
    reason = "expected a JSON object, got another text: expected numbers of 64 bits, got one of thousands of digits"
    with pytest.raises(RecordError, match=rf"^bent, line {place + 1}: {reason}$"):
        read_game(b"\n".join(lines), "bent")


def test_an_end_that_mjai_does_not_know_is_named() -> None:
    lines = [dict(line) for line in write_mjai(selfplay_game(1))]
    number = next(place for place, line in enumerate(lines) if line["type"] == "hora")
    lines[number] = {"type": "ryukyoku", "reason": "nap"}
    with pytest.raises(RecordError, match=rf"^bent, line {number + 1}: expected a reason such as fanpai.*, got 'nap'$"):
        read_game(_mjai(lines), "bent")


def test_a_winning_tile_that_is_not_in_the_hand_is_named() -> None:
    lines = [dict(line) for line in write_mjai(selfplay_game(1))]
    number = next(place for place, line in enumerate(lines) if line["type"] == "hora")
    lines[number] |= {"target": lines[number]["actor"], "pai": "C"}
    message = rf"^bent, line {number + 1}: .*expected 7z in the hand of seat {lines[number]['actor']}, got \[.*\]$"
    with pytest.raises(RecordError, match=message):
        read_game(_mjai(lines), "bent")


@pytest.mark.parametrize(
    ("hand", "message"),
    [
        (5, "expected a hand as a list, got 5"),
        ([[0, 0, 0]], "expected hands of 17 parts, as of four players, got one of 1"),
        ([[0, 0, 0], [1, 1, 1, 1], [11], [], *[[11], [], []] * 4, ["nap"]], "hand 0: expected a result such as 和了"),
    ],
    ids=["no list", "too short", "an unknown end"],
)
def test_hands_that_are_none_of_tenhou6_are_named(hand: object, message: str) -> None:
    with pytest.raises(RecordError, match=rf"^bent: {message}"):
        read_game(json.dumps({"log": [hand]}).encode(), "bent")


def test_a_missing_name_is_empty_and_half_a_character_can_be_written() -> None:
    game = write_tenhou6(selfplay_game(1)) | {"name": ["a", None, "\ud800b", 7]}
    record = read_game(json.dumps(game).encode(), "bent")
    assert record.names == ("a", "", "?b", "7")
    assert write_csv(record).encode()


def test_no_name_of_a_record_ends_a_line_or_commands_a_terminal() -> None:
    written = ["\x1b[31mRed", "two\nlines", "\u3000葵\u2028", "\x9b31m"]
    readable = ("?[31mRed", "two?lines", "\u3000葵?", "?31m")
    game = json.dumps(write_tenhou6(selfplay_game(1)) | {"name": written})
    tags = " ".join(f'n{seat}="{quote(name)}"' for seat, name in enumerate(written))
    for record in (game, f'<mjloggm ver="2.3"><GO type="169"/><UN {tags}/>{DEAL}'):
        assert read_game(record.encode(), "bent").names == readable


@pytest.mark.parametrize("text", ["[1]", "3", "null", '"a"'])
def test_an_mjai_line_that_is_no_object_is_named(text: str) -> None:
    with pytest.raises(RecordError, match=r"^bent, line 2: expected an act as an object"):
        read_game(b'{"type":"start_game"}\n' + text.encode() + b"\n{}", "bent")


DEAL: Final = '<INIT seed="0,0,0,2,0,36" ten="1,1,1,1" oya="0" hai0="0" hai1="1" hai2="2" hai3="3"/>'


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        (DEAL.replace("1,1,1,1", "inf,1,1,1"), "INIT .*: expected a number of at most nine digits, got 'inf'$"),
        (DEAL.replace("1,1,1,1", f"{'9' * 5000},1,1,1"), "INIT .{,420}: expected a number of .{,80}$"),
        (f'{DEAL}<N who="0" m="٣"/>', "N .*: expected a number of at most nine digits, got '٣'$"),
        (DEAL.replace("36", "-1"), "INIT .*: expected a seed of numbers of 0 or more"),
        (DEAL.replace("36", "136"), "INIT .*: expected the number of a tile from 0 to 135, got 136"),
        (f'{DEAL}<N who="0" m="99999"/>', "N .*: expected a meld of 16 bits, got 99999"),
        (f'{DEAL}<RYUUKYOKU type="nap"/>', "RYUUKYOKU .*: expected a type of .*yao9.*, got 'nap'"),
        (
            f'{DEAL}<AGARI who="0" fromWho="1" hai="0" machi="0" ten="30,1,0" yaku="99,1"/>',
            "AGARI .*: expected the number of a yaku from 0 to 54, got 99",
        ),
    ],
    ids=["infinite points", "endless points", "no digits", "negative seed", "no tile", "no meld", "no end", "no yaku"],
)
def test_altered_tags_of_mjlog_are_told_with_their_place(tags: str, message: str) -> None:
    with pytest.raises(RecordError, match=f"^bent: expected a tag of a game, got hand 0, tag {message}"):
        read_game(f'<mjloggm><GO type="169"/>{tags}'.encode(), "bent")


@pytest.mark.parametrize("missing", ["seed", "ten", "oya", "hai3"])
def test_what_a_tag_of_mjlog_lacks_is_named(missing: str) -> None:
    tag = re.sub(rf' {missing}="[^"]*"', "", DEAL)
    with pytest.raises(RecordError, match=f"^bent: expected {missing} in hand 0, tag INIT .*, got none$"):
        read_game(f'<mjloggm><GO type="169"/>{tag}'.encode(), "bent")


def test_a_name_neither_ends_its_line_nor_turns_it_around() -> None:
    assert names_of(["a\nb", "a\x1b[31m", "\u202eabc", "\u2069\u2067d"]) == ("a?b", "a?[31m", "?abc", "??d")
    assert names_of(["שרה", "محمد", "Ann\u200f", None]) == ("שרה", "محمد", "Ann\u200f", "")
