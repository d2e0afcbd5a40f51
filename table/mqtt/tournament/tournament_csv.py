"""Reads players and seatings from CSV as spreadsheets write it, with one error for each bad line."""

from __future__ import annotations

import csv
import io
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from unicodedata import category, normalize

from table.i18n import Catalogue
from table.mqtt.tournament.name_columns import Rows, UnnamedColumnsError, is_heading, is_numbering, name_columns
from table.mqtt.tournament.round_seating import Tables
from table.records.formats.csv_writer import spreadsheet_text
from table.rules.terms.amounts import amount
from table.runtime.person_name import letter_count, normalised_name
from table.runtime.table_errors import TachiaiError
from table.runtime.whole_number import whole_number
from vision.addresses import printable

HEADER: Final = ("round", "table", "east", "south", "west", "north")
MOST_PLAYERS: Final = 400
MOST_ROUNDS: Final = 100
MOST_LETTERS_OF_NAME: Final = 60
"""Limit of a player's name, in letters as people count them: a list has full names, for which no phone has room."""
MOST_FAULTS: Final = 20
"""Limit of reported bad lines."""
_JOINERS: Final = "\u200c\u200d"
"""Invisible signs at which letters join or stay apart; Persian names need them."""
_DIRECTIONS: Final = "\u200e\u200f"
"""Invisible marks of the direction of writing, which spreadsheets add to Hebrew and Arabic names."""
_INVISIBLE: Final = str.maketrans("", "", _JOINERS + _DIRECTIONS)
_SEATING_HEADINGS: Final = (
    ("round", "runde", "rd", "回戦", "回", "ラウンド", "회전", "라운드", "轮", "轮次", "輪", "輪次"),
    ("table", "tisch", "卓", "卓番号", "卓番", "탁", "테이블", "桌", "桌号", "桌號", "桌次"),
    ("east", "ost", "e", "o", "東", "東家", "东", "东家", "동", "동가"),
    ("south", "süd", "s", "南", "南家", "남", "남가"),
    ("west", "w", "西", "西家", "서", "서가"),
    ("north", "nord", "n", "北", "北家", "북", "북가"),
)
"""Headings of a seating's columns, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong in one line."""

    line: int
    """Counted from 1; 0 for the file as a whole."""
    expects: str
    """The expected content, as the name of the text ``desk.csv_EXPECTS``."""
    got: str
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, texts: Catalogue) -> str:
        """Returns the fault in words: what was expected, what was found, and where."""
        expected = texts.text(f"desk.csv_{self.expects}", **self.values)
        if not self.line:
            return texts.text("desk.csv_file", expected=expected, got=self.got)
        return texts.text("desk.csv_line", line=self.line, expected=expected, got=self.got)


class CsvError(TachiaiError, ValueError):
    """A file cannot be read; `faults` explains each bad line."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        """Takes one fault for each bad line."""
        super().__init__(f"expected a readable file, got {amount(len(faults), 'bad line')}")
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """Players and where they sit."""

    players: tuple[str, ...]
    rounds: tuple[Tables, ...]


def decoded_text(content: bytes) -> str:
    """Returns a file's text: UTF-8, or the UTF-16 that Excel calls Unicode text. Other encodings cannot be detected.

    Raises:
        UnicodeDecodeError: it is neither.
    """
    return content.decode("utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig")


def is_seating(text: str) -> bool:
    """Returns whether a file contains a seating, by its heading or its first line; otherwise it contains players."""
    try:
        cells = tuple(map(_name, next(_rows(text), (0, []))[1]))
    except CsvError:
        return False
    is_headed = len(cells) > 2 and all(_is_heading_of(cells[column], column) for column in (0, 2))
    return is_headed or (len(cells) == len(HEADER) and cells[:2] == ("1", "1"))


def _is_heading_of(cell: str, column: int) -> bool:
    return cell.casefold() in _SEATING_HEADINGS[column]


def read_players(text: str) -> tuple[str, ...]:
    """Returns the players in a file, one a line, from the columns that `name_columns` finds.

    A heading is skipped, and so is a line with nothing but its number, as in a form that was not filled to its end.

    Raises:
        CsvError: a name is repeated, too long or invisible, the players do not fill tables of four, or it is unclear
            which columns hold the names.
    """
    rows = [(line, list(map(_name, row))) for line, row in _rows(text)]
    faults, found = list[Fault](), dict[str, int]()
    players = list[str]()
    for line, cells, name in _player_lines(rows):
        if len(cells) > 1 and is_numbering(name):
            fault: Fault | None = Fault(line=line, expects="named", got=_line_excerpt(cells))
        elif is_heading(name):
            fault = Fault(line=line, expects="heading", got=_line_excerpt(cells))
        else:
            fault = _name_fault(line, name, found, cells)
        if fault is None:
            found[_key(name)] = line
            players.append(name)
        else:
            faults.append(fault)
    if not faults and (not found or len(found) > MOST_PLAYERS):
        faults.append(Fault(line=0, expects="players", got=str(len(found)), values={"most": MOST_PLAYERS}))
    elif not faults and (more := len(found) % 4):
        faults.append(Fault(line=0, expects="fours", got=str(len(found)), values={"fewer": more, "more": 4 - more}))
    if faults:
        raise CsvError(faults[:MOST_FAULTS])
    return tuple(players)


def _player_lines(rows: Rows) -> Iterator[tuple[int, Sequence[str], str]]:
    """Yields the lines of players: their numbers, their cells, and the name in them."""
    if not rows:
        return
    try:
        columns = name_columns(rows)
    except UnnamedColumnsError as error:
        got = next(_line_excerpt(cells) for line, cells in rows if line == error.line)
        raise CsvError([Fault(line=error.line, expects="named", got=got)]) from error
    for line, cells in rows[1:] if columns.has_heading else rows:
        name = columns.name_in(cells)
        if name or not all(map(is_numbering, filter(None, cells))):
            yield line, cells, name


def _name(cell: str) -> str:
    """Returns a name as it is stored: names that look the same are the same, whatever space parts their words."""
    spaced = "".join(" " if category(sign) == "Zs" else sign for sign in cell).strip(f" {_DIRECTIONS}")
    return normalize("NFC", " ".join(filter(None, spaced.split(" "))))


def _line_excerpt(cells: Sequence[str]) -> str:
    """Returns the beginning of a line's content, by which people find the line."""
    return ", ".join(filter(None, cells))[:MOST_LETTERS_OF_NAME] or "–"


def _key(name: str) -> str:
    """Returns a key of a name; names that look the same, or nearly the same, have equal keys."""
    return name.translate(_INVISIBLE).casefold()


def _name_fault(line: int, name: str, found: Mapping[str, int], cells: Sequence[str]) -> Fault | None:
    """Returns the fault of a name in a line; None without one."""
    key = _key(name)
    if not normalised_name(key):
        return Fault(line=line, expects="unseen", got=_line_excerpt(cells))
    if not key.isprintable():
        return Fault(line=line, expects="signs", got=printable(name))
    if letter_count(name) > MOST_LETTERS_OF_NAME:
        return Fault(line=line, expects="name", got=name[:MOST_LETTERS_OF_NAME], values={"most": MOST_LETTERS_OF_NAME})
    if key in found:
        return Fault(line=line, expects="once", got=name, values={"line": found[key]})
    return None


def read_seating(text: str) -> Seating:
    """Returns the seating in a file as `tachiai seating` writes it: round, table, and the four players from East on.

    Raises:
        CsvError: a line has another form, or a round does not seat everybody once.
    """
    faults, lines = list[Fault](), list[tuple[int, int, int, tuple[str, ...]]]()
    for line, row in _rows(text):
        cells = tuple(map(_name, row))
        if (
            not lines
            and not faults
            and len(cells) == len(HEADER)
            and all(map(_is_heading_of, cells, range(len(cells))))
        ):
            continue
        parsed = _seating_line(line, cells)
        if isinstance(parsed, Fault):
            faults.append(parsed)
        else:
            lines.append((line, *parsed))
    faults += [] if faults else _seating_faults(lines)
    faults += [] if faults else _missing_tables(lines)
    if not lines and not faults:
        faults.append(Fault(line=0, expects="columns", got="0"))
    if faults:
        raise CsvError(sorted(faults, key=lambda fault: fault.line)[:MOST_FAULTS])
    return _seating_of(lines)


def _seating_line(line: int, cells: tuple[str, ...]) -> tuple[int, int, tuple[str, ...]] | Fault:
    if len(cells) != len(HEADER):
        return Fault(line=line, expects="columns", got=str(len(cells)))
    numbers = list[int]()
    for cell, expects, limit in zip(cells[:2], ("round", "table"), (MOST_ROUNDS, MOST_PLAYERS // 4), strict=True):
        number = whole_number(cell, 1, limit)
        if number is None:
            return Fault(line=line, expects=expects, got=cell[:MOST_LETTERS_OF_NAME], values={"most": limit})
        numbers.append(number)
    names, found = cells[2:], dict[str, int]()
    for name in names:
        fault = _name_fault(line, name, found, cells)
        if fault is not None:
            return fault
        found[_key(name)] = line
    return numbers[0], numbers[1], names


def _seating_faults(lines: Sequence[tuple[int, int, int, tuple[str, ...]]]) -> Iterator[Fault]:
    """Yields the faults between lines that are valid one by one: tables and names that are repeated or unknown."""
    table_lines: dict[tuple[int, int], int] = {}
    seat_lines: dict[tuple[int, str], int] = {}
    first = {name for _, round_, _, names in lines if round_ == 1 for name in names}
    for line, round_, table, names in lines:
        repeated = [(name, seat_lines[round_, name]) for name in names if (round_, name) in seat_lines]
        unknown = [name for name in names if name not in first]
        if (round_, table) in table_lines:
            other_line = {"line": table_lines[round_, table]}
            yield Fault(line=line, expects="table_once", got=f"{round_}, {table}", values=other_line)
        elif repeated:
            yield Fault(line=line, expects="once", got=repeated[0][0], values={"line": repeated[0][1]})
        elif unknown:
            yield Fault(line=line, expects="known", got=unknown[0])
        table_lines.setdefault((round_, table), line)
        seat_lines |= {(round_, name): line for name in names if (round_, name) not in seat_lines}


def _missing_tables(lines: Sequence[tuple[int, int, int, tuple[str, ...]]]) -> Iterator[Fault]:
    """Yields a fault for each round that is missing or lacks a table."""
    tables = sum(round_ == 1 for _, round_, _, _ in lines)
    for number in range(1, max((round_ for _, round_, _, _ in lines), default=0) + 1):
        found = sorted(table for _, round_, table, _ in lines if round_ == number)
        if found != list(range(1, max(tables, 1) + 1)):
            values = {"round": number, "tables": max(tables, 1)}
            yield Fault(line=0, expects="whole_round", got=", ".join(map(str, found)) or "-", values=values)


def _seating_of(lines: Sequence[tuple[int, int, int, tuple[str, ...]]]) -> Seating:
    ordered = sorted((round_, table, names) for _, round_, table, names in lines)
    players = tuple(name for round_, _, names in ordered if round_ == 1 for name in names)
    index = {name: place for place, name in enumerate(players)}
    rounds: dict[int, list[tuple[int, int, int, int]]] = {}
    for round_, _, (east, south, west, north) in ordered:
        rounds.setdefault(round_, []).append((index[east], index[south], index[west], index[north]))
    return Seating(players=players, rounds=tuple(tuple(tables) for tables in rounds.values()))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yields the lines that are not empty, with their numbers."""
    content = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    reader, lines_read = csv.reader(io.StringIO(content), delimiter=_separator(content)), 0
    try:
        for row in reader:
            if any(_name(cell).strip() for cell in row):
                yield reader.line_num, row
            lines_read = reader.line_num
    except csv.Error as error:  # a cell has no end
        beginning = _line_excerpt(content.split("\n")[lines_read : lines_read + 1])
        raise CsvError([Fault(line=lines_read + 1, expects="readable", got=beginning)]) from error


def _separator(text: str) -> str:
    """Returns the separator of the columns.

    It is the semicolon or tab that every line has equally often; else the one in the first line with any separator, if
    that line has no comma; else a comma.
    """
    lines = [re.sub(r'"[^"]*"', "", line) for line in text.split("\n") if line.strip()]
    for sign in ";\t":
        if lines and lines[0].count(sign) and len({line.count(sign) for line in lines}) == 1:
            return sign
    first = next((line for line in lines if any(sign in line for sign in ",;\t")), "")
    return next((sign for sign in ";\t" if sign in first and "," not in first), ",")


def csv_text(rows: Sequence[Sequence[object]], *, separator: str = ",") -> str:
    """Returns rows as CSV, marked as UTF-8 for spreadsheets, and without cells that they take for formulas.

    Spreadsheets in languages with a decimal comma expect a semicolon as `separator`.
    """
    file = io.StringIO()
    csv.writer(file, delimiter=separator, lineterminator="\r\n").writerows(
        [[_cell(value) for value in row] for row in rows]
    )
    return f"\ufeff{file.getvalue()}"


def _cell(value: object) -> object:
    return spreadsheet_text(value) if isinstance(value, str) else value
