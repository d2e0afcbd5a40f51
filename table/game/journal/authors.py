"""The authors of entries and events, each as a text: the form of `by` wherever people do something.

| text | author |
|---|---|
| `seat 1` | who sat at that seat then |
| `owner`, `owner 1` | the table's owner, without or with a seat |
| `panel`, `table` | everybody, by the table button or by the only phone of a table without an owner |
| `desk` | the desk of a tournament, for all its tables |
| `name "Anna"` | somebody who no longer has a seat |

`by` may name several, separated by commas: `seat 1, owner`. Any other text stands for itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Final

from table.rules.terms.seats import SEATS, Seat

OWNER: Final = "owner"
PANEL: Final = "panel"
"""The author if the table button was pressed: everybody sees that, so no second vote is needed."""
TABLE: Final = "table"
"""The author of a vote for everybody, from the only phone of a table without an owner."""
DESK: Final = "desk"
"""The author of a call of time at all tables of a tournament."""
_SEATED: Final = re.compile(r"(seat|owner) ([0-3])")
_AUTHOR: Final = re.compile(r'name "(?:[^"\\]|\\.)*"|[^, ][^,]*')


def seated_author(seat: Seat, *, is_owner: bool = False) -> str:
    """Returns the author who sits at a seat."""
    return f"{OWNER if is_owner else 'seat'} {int(seat)}"


def named_author(name: str) -> str:
    """Returns an author who is called by name."""
    return f"name {json.dumps(name, ensure_ascii=False)}"


def authors(by: str) -> list[str]:
    """Returns the authors that an entry or an event names."""
    return _AUTHOR.findall(by)


def author_seat(author: str) -> Seat | None:
    """Returns the seat of an author; None for one without a seat."""
    match = _SEATED.fullmatch(author)
    return None if match is None else SEATS[int(match[2])]


def author_name(author: str) -> str:
    """Returns the name of an author who is called by it; empty for any other."""
    kind, _, name = author.partition(" ")
    return str(json.loads(name)) if kind == "name" and name.startswith('"') else ""


def is_owner(author: str) -> bool:
    """Returns whether an author is the table's owner, at a seat or not."""
    return author.partition(" ")[0] == OWNER


def with_names(by: str, name_of: Callable[[str], str]) -> str:
    """Returns the authors in `by`, with each name replaced by what `name_of` returns for it."""
    return ", ".join(named_author(name_of(name)) if (name := author_name(author)) else author for author in authors(by))
