"""The source of each switch of a named rule set, from the comments in `table.rulebook.play_presets`.

`tobi="never",  # [P] no bust` becomes `[P] EMA Riichi Rules 2025: no bust`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from table.rulebook import play_presets

BOOKS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ema-2025": "EMA Riichi Rules 2025",
        "jpml-a": "JPML A rules",
        "m-league": "M.League rules",
        "tenhou": "Tenhou",
        "wrc-2025": "WRC rules 2025",
    }
)
"""The source of a named set's values."""
MARKS: Final = "[P] read in the book; [tenhou] by its manual and records; [S] second-hand: check it before a tournament"
_BEGIN: Final = re.compile(r"(\w+): Final = (\w+)(?:\.but)?\(")
_VALUE: Final = re.compile(r"    (\w+)=(?:[^#]*# (.+))?")
_MARKED: Final = re.compile(r"(\[[^\]]+\])\s*(.*)")


def switch_sources(name: str) -> Mapping[str, str]:
    """Returns the source of each switch that a named rule set takes from a rulebook; an unknown set has none."""
    return _all_sources().get(name, {})


@cache
def _all_sources() -> Mapping[str, Mapping[str, str]]:
    """Returns the sources by set and switch; a set based on another one inherits those of unchanged switches."""
    by_variable: dict[str, dict[str, str]] = {}
    by_name: dict[str, dict[str, str]] = {}
    found: dict[str, str] = {}
    name = ""
    for line in inspect.getsource(play_presets).splitlines():
        if begin := _BEGIN.match(line):
            found = by_variable[begin[1]] = dict(by_variable.get(begin[2], {}))
        elif line.startswith("    name="):
            name = line.split('"')[1]
            by_name[name] = found
        elif value := _VALUE.match(line):
            found.pop(value[1], None)
            if value[2]:
                found[value[1]] = _source(name, value[2])
    return by_name


def _source(name: str, remark: str) -> str:
    """Returns a source with the book's name between its mark and the rest of the comment."""
    marked = _MARKED.match(remark)
    if marked is None:
        return remark
    return ": ".join(part for part in (f"{marked[1]} {BOOKS.get(name, '')}".strip(), marked[2]) if part)
