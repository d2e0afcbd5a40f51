"""Players and rounds from CSV: what cannot be is told by line, what was expected, and what came."""

from __future__ import annotations

import pytest

from table.i18n import catalogue, languages
from table.mqtt.tournament.tournament_csv import (
    CsvError,
    csv_text,
    decoded_text,
    is_seating,
    read_players,
    read_seating,
)

SEATS = "round,table,east,south,west,north\n"


def faults(read: object, text: str) -> list[tuple[int, str, str]]:
    with pytest.raises(CsvError) as refused:
        read(text)  # type: ignore[operator]
    for fault in refused.value.faults:
        for language in languages():
            assert fault.text(catalogue(language))
    return [(fault.line, fault.expects, fault.got) for fault in refused.value.faults]


def test_players_are_the_first_column_in_any_script_and_with_any_parting() -> None:
    assert read_players('佐藤 葵,club\nМария,\n\n"O\'Neil, Ann",\n김민준,\n') == (
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
    assert read_players(decoded_text(content)) == players


@pytest.mark.parametrize("text", ["Ann  Lee\nAnn Lee\nc\nd\n", "José\nJose\u0301\nc\nd\n", "ann\nAnn\nc\nd\n"])
def test_names_that_look_alike_are_one_name_twice(text: str) -> None:
    assert [(line, expects) for line, expects, _ in faults(read_players, text)] == [(2, "once")]


def test_every_bad_line_of_players_is_told() -> None:
    assert faults(read_players, f"a\nb\na\n{'x' * 61}\n") == [(3, "once", "a"), (4, "name", "x" * 60)]
    assert faults(read_players, "a\nb\n\u3164\nd\n") == [(3, "unseen", "\u3164")]
    assert faults(read_players, "a\nb\nc\n") == [(0, "fours", "3")]
    assert faults(read_players, "\n".join(f"P{number}" for number in range(42))) == [(0, "fours", "42")]
    assert faults(read_players, "\n".join(f"P{number}" for number in range(404))) == [(0, "players", "404")]
    assert faults(read_players, "") == [(0, "players", "0")]
    assert faults(read_players, "\u200f\n\u200e;\u200f\n") == [(0, "players", "0")], "marks of direction alone"


def test_a_quoted_name_without_end_is_told_where_it_begins() -> None:
    text = 'Ann\nBen\n"Cleo\n' + "somebody\n" * 15_000
    assert faults(read_players, text) == [(3, "readable", '"Cleo')]


@pytest.mark.parametrize("heading", ["Nr", "Nr.", "No.", "ID", "#", "Lfd. Nr.", "番号", "번호", "编号", "編號", ""])
def test_a_column_of_numbers_before_the_names_is_none_of_them(heading: str) -> None:
    numbered = "".join(f"{number};{name};Club\n" for number, name in enumerate("abcd", 1))
    assert read_players(f"{heading};Name;Verein\n{numbered}") == tuple("abcd")
    assert read_players(numbered) == tuple("abcd")
    assert read_players(f"{heading};Name;Verein\n{numbered}5;;\n6;;\n") == tuple("abcd"), "a form not filled to its end"


@pytest.mark.parametrize(
    "heading",
    ["Name", "Spieler", "Player", "Teilnehmer", "Vor- und Nachname", "Nachname", "Surname", "Last name", "Vorname"]
    + ["氏名", "お名前", "選手名", "姓", "이름", "성명", "참가자", "姓名", "选手", "參賽者"],
)
def test_a_heading_is_no_player(heading: str) -> None:
    assert read_players(f"{heading}\na\nb\nc\nd\n") == tuple("abcd")
    assert read_players(f"Club;{heading}\nx;a\nx;b\ny;c\ny;d\n") == tuple("abcd"), "in whatever column"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Surname;First name\nMeier;Anna\n", "Anna Meier"),
        ("Nr.;Nachname;Vorname;Verein\n1;van Dijk;Anna;B\n", "Anna van Dijk"),
        ("Vorname,Nachname\nAnna,Meier\n", "Anna Meier"),
        ("Name;Vorname\nMeier;Anna\n", "Anna Meier"),
        ("Name;Surname\nAnna;Meier\n", "Anna Meier"),
        ("Name;Surname;First name\nAnna Meier;Meier;Anna\n", "Anna Meier"),
        ("姓,名\n高橋,花子\n", "高橋 花子"),
        ("성\t이름\n김\t민준\n", "김민준"),
        ("姓,名\nMeier,Anna\n", "Anna Meier"),
        ("Nachname;Vorname\nMeier;\n", "Meier"),
    ],
)
def test_family_and_first_names_are_joined_as_their_script_writes_them(text: str, first: str) -> None:
    parting = next(sign for sign in ";,\t" if sign in text)
    columns = text.partition("\n")[0].split(parting)
    rest = "".join(parting.join(f"{letter}{at}" for at, _ in enumerate(columns)) + "\n" for letter in "xyz")
    assert read_players(text + rest)[0] == first


def test_first_names_that_the_names_already_have_are_not_said_twice() -> None:
    people = ("Anna Meier;Anna", "Ben Klee;Ben", "Cid Bach;Cid", "Dan Lund;Dan")
    assert read_players("\n".join(("Name;Vorname", *people))) == ("Anna Meier", "Ben Klee", "Cid Bach", "Dan Lund")


def test_any_space_parts_the_words_of_a_name() -> None:
    spaces = ("\u3000", "\xa0", "\u2003", " ")
    assert read_players("".join(f"{sign}高橋{sign}花{number}{sign}\n" for number, sign in enumerate(spaces))) == tuple(
        f"高橋 花{number}" for number in range(4)
    )
    assert faults(read_players, "高橋　花子\n高橋 花子\nb\nc\n") == [(2, "once", "高橋 花子")]


def test_empty_columns_before_the_names_are_left_out() -> None:
    assert read_players("\ufeff;Name;;\n;a;;\n;b;;\n;c;;\n;d;;\n") == tuple("abcd")
    assert read_players(";a;;\n;b;;\n;c;;\n;d;;\n") == tuple("abcd")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Müller, Anna\nMeier, Ben\nKlee, Cid\nBach, Dan\n", [(1, "named", "Müller, Anna")]),
        ("Nr;Wer;Verein\n1;a;B\n2;b;B\n3;c;B\n4;d;B\n", [(1, "named", "Nr, Wer, Verein")]),
        ("Name;Spieler\na;b\nc;d\ne;f\ng;h\n", [(1, "named", "Name, Spieler")]),
        ("Cup\n\nName\na\nb\n", [(3, "heading", "Name")]),
        ("Cup\n1;a\n2;b\n", [(2, "named", "1, a")]),
        ("Nr;Name;Verein\n1;a;B\n2;;Kassel\n", [(3, "unseen", "2, Kassel")]),
        ("a;B\n;Kassel\nc;B\nd;B\n", [(2, "unseen", "Kassel")]),
        ('"a\nb"\nc\nd\ne\n', [(2, "signs", "a�b")]),
    ],
)
def test_a_list_whose_names_could_be_taken_for_others_is_refused(text: str, found: list[tuple[int, str, str]]) -> None:
    assert faults(read_players, text) == found


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Ann Ash\nBen Bay\nCleo Cox\nO’Neil, Sean\n", 4),
        ("Ann Ash\nBen Bay\nCox, Cleo\nO’Neil, Sean\n", 3),
        ("Ann Ash\nBen Bay\nCleo Cox\nSammy Davis, Jr.\n", 4),
        ("Ann Ash;Rome\nBen Bay;Rome\nCox; Cleo; Rome\nDan Day;Rome\n", 3),
        ("Name\nAnn Ash\nBen Bay\nCleo Cox\nO’Neil, Sean\n", 5),
    ],
)
def test_a_name_with_a_comma_among_names_without_loses_nothing(text: str, line: int) -> None:
    with pytest.raises(CsvError) as caught:
        read_players(text)
    assert [(fault.line, fault.expects) for fault in caught.value.faults] == [(line, "named")]


def test_commas_in_some_names_are_read_with_a_heading_or_in_quotes() -> None:
    names = ("Ann Ash", "Ben Bay", "Cleo Cox", "Sean O’Neil")
    assert read_players("Surname, First name\nAnn Ash\nBen Bay\nCleo Cox\nO’Neil, Sean\n") == names
    assert read_players('Ann Ash\nBen Bay\nCleo Cox\n"Sammy Davis, Jr."\n')[3] == "Sammy Davis, Jr."
    assert read_players("Ann Ash,\nBen Bay\nCleo Cox\nDan Day\n")[0] == "Ann Ash"


def test_whose_clubs_have_several_members_needs_no_heading() -> None:
    assert read_players("Anna;Bonn\nBen;Bonn\nCid;Kiel\nDan;Kiel\n") == ("Anna", "Ben", "Cid", "Dan")
    assert read_players("Anna;Player\nBen;Player\nCid;Player\nDan;Player\n") == ("Anna", "Ben", "Cid", "Dan")


@pytest.mark.parametrize(
    "heading",
    ["Runde;Tisch;Ost;Süd;West;Nord\n", "回戦;卓;東;南;西;北\n", "회전;탁;동;남;서;북\n", "轮次;桌号;东;南;西;北\n"]
    + ["輪次;桌號;東;南;西;北\n", "Round;Table;E;S;W;N\n", ""],
)
def test_a_seating_is_known_by_its_heading_or_its_first_line(heading: str) -> None:
    text = f"{heading}1;1;a;b;c;d\n2;1;b;c;d;a\n"
    assert is_seating(text)
    assert read_seating(text).players == tuple("abcd")
    assert not is_seating("1;17;a;b;c;d\n2;18;b;c;d;a\n"), "players with two numbers each"


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
    assert csv_text([["=1+1", "@x", -5]]) == "\ufeff'=1+1,'@x,-5\r\n"


@pytest.mark.parametrize("sign", ["＝", "＋", "－", "＠", "\r=", "\n="])
def test_no_sign_by_which_any_spreadsheet_begins_a_formula_is_left_out(sign: str) -> None:
    assert csv_text([[f"{sign}A1"]]).lstrip('\ufeff"').startswith(f"'{sign}")


def test_names_in_persian_and_hebrew_keep_their_joiners_and_lose_marks_at_their_ends() -> None:
    names = ("علی\u200cرضا", "\u200fדוד כהן\u200e", "א\u200fב", "क्\u200dष")
    assert read_players("\n".join(names)) == ("علی\u200cرضا", "דוד כהן", "א\u200fב", "क्\u200dष")
    assert faults(read_players, "דוד\n\u200fד\u200eוד\nb\nc") == [(2, "once", "ד\u200eוד")]


@pytest.mark.parametrize("sign", ["\u202a", "\u202e", "\u2066", "\u2069", "\x00", "\x07"])
def test_no_name_turns_the_text_around_it(sign: str) -> None:
    (fault,) = faults(read_players, f"a{sign}b\nc\nd\ne")
    assert fault == (1, "signs", "a�b")


def test_an_invisible_name_is_none() -> None:
    assert faults(read_players, "\u200d\u200c\na\nb\nc") == [(1, "unseen", "\u200d\u200c")]
