from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any, Literal
from unittest.mock import Mock

import pytest

from vision.strict_reader import Between, MisfitError, Only, StrictReader
from vision.toml_file import TomlFile


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True, kw_only=True)
class Leaf:
    size: Annotated[int, Between(1, 5)] = 1


@dataclass(frozen=True, kw_only=True)
class Branch:
    leaves: tuple[Leaf, ...] = field(default=(), metadata={"key": "leaf"})
    length: float = 1.0

    def __post_init__(self) -> None:
        if self.length < 0:
            raise ValueError("expected a length of 0 or more")


@dataclass(frozen=True, kw_only=True)
class Tree:
    name: str
    branch: tuple[Branch, ...] = ()
    amounts: Mapping[str, int] = field(default_factory=dict)
    grown: Branch | Leaf | None = None


READER = StrictReader(special={Fraction: Fraction}, tag="is")


@pytest.mark.parametrize(
    ("kind", "data", "value"),
    [
        (float, 2, 2.0),
        (Colour, "red", Colour.RED),
        (Fraction, "1/2", Fraction(1, 2)),
        (int | Literal["target"], "target", "target"),
        (bool | tuple[str, ...], ["a"], ("a",)),
        (str | int | float | bool, True, True),
        (tuple[int, str], [1, "a"], (1, "a")),
        (Any, {"a": [1]}, {"a": [1]}),
        (Branch, {"is": "Branch", "leaf": [{"size": 2}]}, Branch(leaves=(Leaf(size=2),))),
        (Branch | Leaf, {"is": "Leaf"}, Leaf()),
        (Tree, {"name": "a", "grown": None, "amounts": {"b": 1}}, Tree(name="a", amounts={"b": 1})),
    ],
)
def test_plain_data_becomes_what_its_annotation_says(kind: Any, data: Any, value: Any) -> None:
    read = READER.read(kind, data)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("kind", "data", "problem"),
    [
        (int, True, "expected a whole number, got True"),
        (float, "2", "expected a number, got '2'"),
        (Colour, "blue", "'blue' is not a valid Colour"),
        (Fraction, "x", "Invalid literal for Fraction: 'x'"),
        (Literal["yeast", "easterly"], "EAST", "expected one of yeast, easterly, got 'EAST'; did you mean 'easterly'?"),
        (Literal["easter", "east"], "eas", "expected one of easter, east, got 'eas'; did you mean 'east'?"),
        (Literal["east", "south"], "e", "expected one of east, south, got 'e'"),
        (Literal["east", "south"], "eats", "expected one of east, south, got 'eats'; did you mean 'east'?"),
        (Literal[1], True, "expected 1, got True"),
        (Literal[50, 60], "50", "expected one of 50, 60, got '50'"),
        (tuple[int, ...], "12", "expected a list, got '12'"),
        (tuple[int, int], [1], "expected 2 values, got [1]"),
        (tuple[int, ...], [1, "a"], "[1]: expected a whole number, got 'a'"),
        (int | Literal["target"], 1.5, "expected one of a whole number, 'target', got 1.5"),
        (Annotated[tuple[int, ...], Only("two numbers")], [1, "a"], "expected two numbers, got [1, 'a']"),
        (Branch | Leaf, {"is": "Leef"}, "expected one of Branch, Leaf, got 'Leef'; did you mean 'Leaf'?"),
        (Branch | Leaf, {"is": []}, "expected one of Branch, Leaf, got []"),
        (Branch, {"length": -1}, "expected a length of 0 or more"),
        (Tree, {}, "name: expected a text in quotes, got nothing"),
        (Tree, {"nmae": "a"}, "nmae: expected one of name, branch, amounts, grown, got 'nmae'; did you mean 'name'?"),
        (Tree, {"amounts": {"b": "c"}}, "amounts.b: expected a whole number, got 'c'"),
        (Tree, {"grown": {"is": "Leaf", "size": 9}}, "grown.size: expected a whole number from 1 to 5, got 9"),
    ],
)
def test_what_does_not_fit_is_refused_at_its_key(kind: Any, data: Any, problem: str) -> None:
    with pytest.raises(MisfitError) as refusal:
        READER.read(kind, data)
    assert str(refusal.value) == problem


TOML = """\
name = "oak"
[amounts]
"7-01 f" = 4
[[branch]]
[[branch.leaf]]
size = 1
[[branch]]
length = 1
[[branch.leaf]]
[[branch.leaf]]
size = 5
"""


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"oak"', "1", "tree.toml line 1: name: expected a text in quotes, got 1"),
        ("= 4", "= true", "tree.toml line 3: amounts.7-01 f: expected a whole number, got True"),
        (
            "size = 1",
            "size = 0",
            "tree.toml line 6: branch[0].leaf[0].size: expected a whole number from 1 to 5, got 0",
        ),
        ("length = 1", "length = -1", "tree.toml line 7: branch[1]: expected a length of 0 or more"),
        (
            "size = 5",
            "size = 6",
            "tree.toml line 11: branch[1].leaf[1].size: expected a whole number from 1 to 5, got 6",
        ),
        ('name = "oak"', "", "tree.toml: name: expected a text in quotes, got nothing"),
        ("[amounts]", "[amounts", "tree.toml: expected a TOML file, got: .*line 2.*"),
    ],
)
def test_a_mistake_in_a_toml_file_is_told_with_its_line(old: str, new: str, problem: str) -> None:
    assert isinstance(TomlFile("tree.toml", TOML, reader=READER).read(Tree), Tree)
    with pytest.raises(ValueError, match=r"tree\.toml") as refusal:
        TomlFile("tree.toml", TOML.replace(old, new), reader=READER).read(Tree)
    assert str(refusal.value).startswith(problem.partition(".*")[0])


@dataclass(frozen=True, kw_only=True)
class Numbers:
    whole: int = 0
    real: float = 0.0
    small: Annotated[float, Between(0, 1)] = 0.0
    free: Any = None
    by_name: Mapping[str, Any] = field(default_factory=dict)
    row: tuple[int, ...] = ()
    either: int | Literal["same"] = 0
    text: str = ""
    exact: Fraction = Fraction(0)


HUGE = ["1" + "0" * 400, "-1" + "0" * 400, "1" + "0" * 5000, "0x" + "f" * 4000, "inf", "-inf", "nan", "1e999"]


@pytest.mark.parametrize("number", HUGE, ids=lambda number: number[:6])
@pytest.mark.parametrize("place", ["{}", "[{}]", "{{ a = [{}] }}"])
@pytest.mark.parametrize("key", [each.name for each in dataclasses.fields(Numbers)])
def test_no_number_of_a_file_is_too_large_for_a_short_message(key: str, place: str, number: str) -> None:
    with pytest.raises(LookupError, match=r"^a\.toml.*: expected .*, got .+") as refused:
        TomlFile("a.toml", f"{key} = {place.format(number)}\n", error=LookupError, reader=READER).read(Numbers)
    assert len(str(refused.value)) < 200


def test_a_value_of_many_lines_is_read_once_to_find_the_line_of_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = Mock(wraps=tomllib.loads)
    monkeypatch.setattr(tomllib, "loads", loads)
    file = TomlFile("a.toml", "row = [\n" + "1,\n" * 400 + "]\nwrong = 1\n", reader=READER)
    with pytest.raises(ValueError, match=r"^a\.toml line 403: wrong"):
        file.read(Numbers)
    assert loads.call_count < 10


@pytest.mark.parametrize("text", ["a" + ".a" * 3000 + " = 1", "[a" + ".a" * 3000 + "]", "a = " + "[" * 60 + "]" * 60])
def test_a_file_that_is_nested_too_deeply_is_refused_before_it_is_read(text: str) -> None:
    with pytest.raises(LookupError, match=r"^a\.toml: expected a TOML file, got: expected at most 50 nested"):
        TomlFile("a.toml", text, error=LookupError)


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("name = 'a'\n[[branch]]\nlength = 2\n[[branch]]\nlength = 'x'\n", 5, "branch[1].length"),
        ("name = 'a'\nbranch = [\n  { length = 2 },\n  { length = 'x' },\n]\n", 2, "branch[1].length"),
        ("# one\u2028line\nname = 3\n", 2, "name"),
        ("'name' = 3\n", 1, "name"),
        ("name = '''a\nbranch = 1\n[branch]\n'''\nbranch = 3\n", 5, "branch"),
        ('name = """"[\\"""""" # [\nbranch = 3\n', 2, "branch"),
        ("# Windows\r\nname = 'a'\r\n[[branch]]\r\nlength = 'x'\r\n", 4, "branch[0].length"),
    ],
)
def test_the_line_of_a_mistake_is_that_of_its_key(text: str, line: int, key: str) -> None:
    with pytest.raises(ValueError, match=r"tree\.toml") as refusal:
        TomlFile("tree.toml", text, reader=READER).read(Tree)
    assert str(refusal.value).startswith(f"tree.toml line {line}: {key}: ")


@dataclass(frozen=True, kw_only=True)
class Grid:
    rows: tuple[tuple[int, ...], ...] = ()
    wide: int = 0


@dataclass(frozen=True, kw_only=True)
class Garden:
    grid: Grid = Grid()


@pytest.mark.parametrize(
    "text", ["[grid]\nrows = [\n  [1, 2],\n  [3],\n]\nwide = 'x'\n", "\n\n\n\n\ngrid.wide = 'x'\n"]
)
def test_the_line_is_right_after_a_value_of_several_lines_and_for_a_dotted_key(text: str) -> None:
    with pytest.raises(ValueError, match=r"^garden\.toml line 6: grid\.wide: ") as refusal:
        TomlFile("garden.toml", text, reader=READER).read(Garden)
    assert "expected" in str(refusal.value)
