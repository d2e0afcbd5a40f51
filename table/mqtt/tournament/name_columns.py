"""Finds the columns of a club's list that hold the players' names: by its heading, else the first without numbers.

A heading is the first line, if one of its cells is a known word that its column has nowhere else: a column of roles
may say “Player” in every line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

Rows = Sequence[tuple[int, Sequence[str]]]
"""The lines of a list that are not empty: their numbers and cells."""
_FULL: Final = frozenset(
    ("name", "names", "full name", "player", "players", "player name", "participant", "participants")
    + ("spieler", "spielerin", "spielername", "teilnehmer", "vor und nachname", "vorname nachname", "nachname, vorname")
    + ("nom", "joueur", "jugador", "nombre", "имя", "игрок", "фио")
    + ("名前", "お名前", "氏名", "選手", "選手名", "参加者", "参加者名", "プレイヤー", "プレイヤー名", "プレーヤー")
    + ("이름", "성명", "성함", "선수", "선수명", "참가자", "참가자명")
    + ("姓名", "名字", "选手", "选手姓名", "选手名", "選手姓名", "参赛者", "參賽者", "玩家")
)
_FAMILY: Final = frozenset(
    ("surname", "last name", "lastname", "family name", "nachname", "familienname", "zuname")
    + ("nom de famille", "apellido", "apellidos", "фамилия", "姓", "苗字", "성", "성씨")
)
_GIVEN: Final = frozenset(
    ("first name", "firstname", "given name", "given names", "forename", "vorname", "rufname")
    + ("prénom", "prenom", "名", "下の名前")
)
_NUMBER: Final = frozenset(
    ("nr", "no", "nº", "n°", "№", "#", "id", "num", "number", "nummer", "lfd nr", "startnummer", "start no", "ema id")
    + ("番号", "会員番号", "번호", "회원번호", "编号", "編號", "序号", "序號", "会员号", "會員號")
)
_LONE_SIGN: Final = 1
"""Length of headings that may also be somebody's name, as 姓 or 名."""
_NUMBERING: Final = re.compile(r"#?\d+[.):]?")
_EAST_ASIAN: Final = re.compile(r"[\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
_HANGUL: Final = re.compile(r"[\uac00-\ud7a3]+")


class UnnamedColumnsError(ValueError):
    """It is unclear which columns hold the names."""

    def __init__(self, line: int) -> None:
        """Takes the number of the line that makes it unclear."""
        super().__init__(f"expected a heading that names the columns, got line {line}")
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class NameColumns:
    """The columns of the names, counted from 0."""

    name: int
    """The column of whole names, or of family names."""
    given: int | None = None
    """The column of given names; None if the others are whole names."""
    has_heading: bool = False

    def name_in(self, cells: Sequence[str]) -> str:
        """Returns the name in a line, in the order in which its script writes it; empty if there is none."""
        name = _cell(cells, self.name)
        given = "" if self.given is None else _cell(cells, self.given)
        if not name or not given:
            return name or given
        if _HANGUL.fullmatch(name) and _HANGUL.fullmatch(given):
            return f"{name}{given}"
        is_family_first = _EAST_ASIAN.fullmatch(name) and _EAST_ASIAN.fullmatch(given)
        return f"{name} {given}" if is_family_first else f"{given} {name}"


def name_columns(rows: Rows) -> NameColumns:
    """Returns where the names are in a list, which has one line at least.

    Raises:
        UnnamedColumnsError: there are several columns, and none or two of them are headed as names; or the second may
            be the first names to the first; or a line has more columns than the heading or the others, as where some
            names have a comma.
    """
    kinds = _heading(rows)
    width = len(rows[0][1]) if any(kinds.values()) else min(len(cells) for _, cells in rows)
    if wider_line := next((line for line, cells in rows if any(cells[width:])), None):
        raise UnnamedColumnsError(wider_line)
    if any(kinds.values()):
        return _columns_by_heading(rows, kinds)
    used = [column for column, cells in enumerate(_columns(rows)) if any(cells)]
    first = rows[0][0]
    if len(used) > 1 and any(_word(_cell(rows[0][1], column)) in _NUMBER for column in used):
        raise UnnamedColumnsError(first)
    if len(used) > 1 and all(map(is_numbering, filter(None, _columns(rows)[used[0]]))):
        del used[0]
    if len(used) > 1 and _may_be_given(_columns(rows)[used[0]], _columns(rows)[used[1]]):
        raise UnnamedColumnsError(first)
    return NameColumns(name=used[0])


def is_numbering(cell: str) -> bool:
    """Returns whether a cell numbers its line: `7`, `07`, `7.`, `#7`."""
    return _NUMBERING.fullmatch(cell) is not None


def is_heading(name: str) -> bool:
    """Returns whether a name is the heading of a column of names, and hardly anybody's name."""
    return len(name) > _LONE_SIGN and _word(name) in _FULL | _FAMILY | _GIVEN


def _heading(rows: Rows) -> dict[str, list[int]]:
    """Returns the columns that the first line heads as names, by their kind: `full`, `family` or `given`."""
    found: dict[str, list[int]] = {"full": [], "family": [], "given": []}
    for column, (first, *others) in enumerate(_columns(rows)):
        for kind, headings in (("full", _FULL), ("family", _FAMILY), ("given", _GIVEN)):
            if _word(first) in headings and first not in others:
                found[kind].append(column)
    return found


def _columns_by_heading(rows: Rows, kinds: dict[str, list[int]]) -> NameColumns:
    """Returns the columns of names by the heading.

    Next to a column of first names, a column headed as names holds the family names, as in “Name, Vorname”; next to one
    of family names it holds the first names, as in 성, 이름. It holds full names if each contains the other column's.
    """
    if any(len(columns) > 1 for columns in kinds.values()):
        raise UnnamedColumnsError(rows[0][0])
    full, family, given = (next(iter(kinds[kind]), None) for kind in ("full", "family", "given"))
    if full is not None:
        other = given if family is None else family
        if other is None or None not in (family, given):
            return NameColumns(name=full, has_heading=True)
        if all(_cell(cells, other) in _cell(cells, full) for _, cells in rows[1:]):
            return NameColumns(name=full, has_heading=True)
        family, given = (full, given) if family is None else (family, full)
    if family is None or given is None:
        (name,) = (column for column in (family, given) if column is not None)
        return NameColumns(name=name, has_heading=True)
    return NameColumns(name=family, given=given, has_heading=True)


def _may_be_given(names: Sequence[str], others: Sequence[str]) -> bool:
    """Returns whether a column may hold the first names to another's family names, rather than clubs or places.

    It may if most names are one word, and the other column is filled in every line, without digits, and rarely repeats.
    """
    words = sum(" " not in name for name in names)
    is_text = all(other and not re.search(r"\d", other) for other in others)
    return is_text and 2 * words > len(names) and 2 * len(set(others)) > len(others)


def _columns(rows: Rows) -> list[tuple[str, ...]]:
    return list(zip_longest(*(cells for _, cells in rows), fillvalue=""))


def _cell(cells: Sequence[str], column: int) -> str:
    return cells[column] if column < len(cells) else ""


def _word(cell: str) -> str:
    """Returns a heading without what differs from list to list: case, dots, hyphens."""
    return " ".join(filter(None, re.split(r"[\s_\-.:*]+", cell.casefold())))
