"""Players and rounds from CSV: what cannot be is told by line, what was expected, and what came."""

from __future__ import annotations

import pytest

from table.i18n import catalogue, languages
from table.mqtt.tournament.tournament_csv import CsvError, decoded, read_players, read_seating, written_csv

SEATS = "round,table,east,south,west,north\n"


def faults(read: object, text: str) -> list[tuple[int, str, str]]:
    with pytest.raises(CsvError) as refused:
        read(text)  # type: ignore[operator]
    for fault in refused.value.faults:
        for language in languages():
            assert fault.text(catalogue(language))
    return [(fault.line, fault.expects, fault.got) for fault in refused.value.faults]


def test_players_are_the_first_column_in_any_script_and_with_any_parting() -> None:
    assert read_players('佐藤 葵,club\nМария\n\n"O\'Neil, Ann"\n김민준\n') == (
        "佐藤 葵",
        "Мария",
        "O'Neil, Ann",
        "김민준",
    )
    assert read_players("\ufeffa;1\nb;2\nc;3\nd;4\n") == ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("content", "players"),
    [
        ("\ufeffName;Club\r\nJosé;FC\r\nb;\r\n\r\nc;\r\nd;x\r\n".encode(), ("José", "b", "c", "d")),
        ("選手\t会\n佐藤 葵\tx\nb\ty\nc\tz\nd\tw\n".encode("utf-16"), ("佐藤 葵", "b", "c", "d")),
        ("Müller, A;x\nb;\nc;\nd;\n".encode(), ("Müller, A", "b", "c", "d")),
        (b"a\rb\rc\rd", ("a", "b", "c", "d")),
        (" Ann  Lee \nJose\u0301\nc\nd\n".encode(), ("Ann Lee", "José", "c", "d")),
    ],
)
def test_players_are_read_as_spreadsheets_write_them(content: bytes, players: tuple[str, ...]) -> None:
    assert read_players(decoded(content)) == players


@pytest.mark.parametrize("text", ["Ann  Lee\nAnn Lee\nc\nd\n", "José\nJose\u0301\nc\nd\n", "ann\nAnn\nc\nd\n"])
def test_names_that_look_alike_are_one_name_twice(text: str) -> None:
    assert [(line, expects) for line, expects, _ in faults(read_players, text)] == [(2, "once")]


def test_every_bad_line_of_players_is_told() -> None:
    assert faults(read_players, f"a\nb\na\n{'x' * 61}\n") == [(3, "once", "a"), (4, "name", "x" * 60)]
    assert faults(read_players, "a\nb\n\u3164\nd\n") == [(3, "name", "\u3164")]
    assert faults(read_players, "a\nb\nc\n") == [(0, "fours", "3")]
    assert faults(read_players, "\n".join(f"P{number}" for number in range(42))) == [(0, "fours", "42")]
    assert faults(read_players, "\n".join(f"P{number}" for number in range(404))) == [(0, "players", "404")]
    assert faults(read_players, "") == [(0, "players", "0")]


def test_seats_are_read_as_the_command_writes_them() -> None:
    seating = read_seating(f"{SEATS}1,1,a,b,c,d\n1,2,e,f,g,h\n2,1,e,b,c,d\n2,2,a,f,g,h\n")
    assert seating.players == tuple("abcdefgh")
    assert seating.rounds == (((0, 1, 2, 3), (4, 5, 6, 7)), ((4, 1, 2, 3), (0, 5, 6, 7)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,1,a,b,c\n", [(2, "columns", "5")]),
        ("0,1,a,b,c,d\nx,1,a,b,c,d\n", [(2, "round", "0"), (3, "round", "x")]),
        ("1,1,a,b,c,a\n", [(2, "once", "a")]),
        ("1,1,a,b,c,d\n1,1,e,f,g,h\n", [(3, "table_once", "1, 1")]),
        ("1,1,a,b,c,d\n1,2,e,f,g,a\n", [(3, "once", "a")]),
        ("1,1,a,b,c,d\n2,1,a,b,c,x\n", [(3, "known", "x")]),
        ("1,1,a,b,c,d\n3,1,a,b,c,d\n", [(0, "whole_round", "-")]),
        ("", [(0, "columns", "0")]),
    ],
)
def test_every_bad_line_of_seats_is_told(text: str, found: list[tuple[int, str, str]]) -> None:
    assert faults(read_seating, SEATS + text) == found


def test_no_cell_is_a_formula_to_a_spreadsheet() -> None:
    assert written_csv([["=1+1", "@x", -5]]) == "\ufeff'=1+1,'@x,-5\r\n"


@pytest.mark.parametrize("sign", ["＝", "＋", "－", "＠", "\r=", "\n="])
def test_no_sign_by_which_any_spreadsheet_begins_a_formula_is_left_out(sign: str) -> None:
    assert written_csv([[f"{sign}A1"]]).lstrip('\ufeff"').startswith(f"'{sign}")


def test_names_in_persian_and_hebrew_keep_their_joiners_and_lose_marks_at_their_ends() -> None:
    names = ("علی\u200cرضا", "\u200fדוד כהן\u200e", "א\u200fב", "क्\u200dष")
    assert read_players("\n".join(names)) == ("علی\u200cرضا", "דוד כהן", "א\u200fב", "क्\u200dष")
    assert faults(read_players, "דוד\n\u200fד\u200eוד\nb\nc") == [(2, "once", "ד\u200eוד")]


@pytest.mark.parametrize("sign", ["\u202a", "\u202e", "\u2066", "\u2069", "\x00", "\x07"])
def test_no_name_turns_the_text_around_it(sign: str) -> None:
    (fault,) = faults(read_players, f"a{sign}b\nc\nd\ne")
    assert fault[:2] == (1, "name")


def test_an_invisible_name_is_none() -> None:
    assert faults(read_players, "\u200d\u200c\na\nb\nc") == [(1, "name", "\u200d\u200c")]
