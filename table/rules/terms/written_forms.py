"""Forms: how a value is written as one line, and read from it.

In `SEAT chi TILE from SEAT with TILES [points SEAT]` the words in capitals stand for the fields in their order; in
`[han=N]`, N stands for the field `han`. A part in brackets is omitted if the field has its default value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

from table.rules.terms.line_reader import NO_TILES, Line, quoted
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import tiles_text

W = TypeVar("W", bound="type[Written]")
_READERS: Final[Mapping[str, Callable[[Line], object]]] = {
    "SEAT": Line.seat,
    "TILE": Line.tile,
    "TILES": Line.tiles,
    "N": lambda line: line.number_of(line.word("a number")),
    "CLAUSE": lambda line: line.word("a clause"),
    "REASON": lambda line: AbortReason(line.one_of({each.value: each for each in AbortReason})),
}
"""The reader of each word in capitals; after `=`, N is a number, FACT,FACT several texts, any other word a text."""


class Written:
    """Base class of values that are written as a line of notation."""

    __slots__ = ()
    forms: ClassVar[tuple[Form, ...]] = ()

    def __str__(self) -> str:
        """Returns the line of notation, in the form that matches the fields."""
        form = next(each for each in self.forms if all(getattr(self, name) == is_ for name, is_ in each.meant.items()))
        return " ".join(filter(None, (part.text(self) for part in form.parts)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One way to write a value."""

    written: str
    says: str
    example: str
    meant: Mapping[str, object]
    """Fields determined by its word, such as the kind of a call."""
    parts: tuple[_Part, ...]
    make: Callable[..., Any]
    read_rest: Callable[[Line], Mapping[str, object]] | None
    """Reads the fields after the word, if they do not simply follow in order."""
    check: Callable[[Line, Any], None] | None
    """Rejects values that must not be written by people, although a journal may contain them."""

    @property
    def is_seated(self) -> bool:
        """Whether the form begins with a seat."""
        return self.written.startswith("SEAT ")

    @property
    def word(self) -> str:
        """The word that identifies the form."""
        return self.written.split()[self.is_seated]

    def read(self, line: Line, seat: Seat | None) -> Any:
        """Reads a value from the rest of the line; `seat` is the seat before the form's word."""
        found = dict(self.meant) if seat is None else {"seat": seat, **self.meant}
        if self.read_rest is not None:
            found |= self.read_rest(line)
        else:
            for part in self.parts[self.is_seated + 1 :]:
                part.read(line, found)
        value = self.make(**found)
        if self.check is not None:
            self.check(line, value)
        return value


def written(
    form: str,
    says: str,
    example: str,
    *,
    in_full: str = "",
    read: Callable[[Line], Mapping[str, object]] | None = None,
    check: Callable[[Line, Any], None] | None = None,
    **meant: object,
) -> Callable[[W], W]:
    """Returns a decorator that declares a form of a class: its text, its meaning and an example; see `Form`.

    `in_full` is the form with an additional part that is accepted but not documented.
    """

    def declare(kind: W) -> W:
        usual = {each.name: each.default for each in fields(kind)}  # type: ignore[arg-type]  # events are dataclasses
        parts = () if read else tuple(_parts(in_full or form, usual, meant))
        declared = Form(
            written=form, says=says, example=example, meant=meant, parts=parts, make=kind, read_rest=read, check=check
        )
        kind.forms = (declared, *kind.forms)
        return kind

    return declare


class _Part(NamedTuple):
    """A part of a form: a word, a field, or a word and a field."""

    word: str
    field: str = ""
    stands_for: str = ""
    usual: Any = MISSING
    """The field's value if the part is omitted."""

    def read(self, line: Line, found: dict[str, object]) -> None:
        """Reads the part from a line into the fields found so far."""
        if not self.field:
            line.expect(self.word)
        elif self.word.endswith("="):
            if (text := line.text(self.word[:-1])) is not None or self.usual is MISSING:
                found[self.field] = _option(line, text or "", self.stands_for)
        elif not self.stands_for:  # the word itself is the value
            if (word := next(filter(line.takes, self.word.split("|")), None)) is not None:
                found[self.field] = type(self.usual)(word)
        elif self.usual is MISSING or line.takes(self.word):
            found[self.field] = _READERS[self.stands_for](line)

    def text(self, value: Written) -> str:
        """Returns the part's text for a value, or an empty text if it is omitted."""
        told = getattr(value, self.field, None)
        if not self.field or told is True:
            return self.word
        if told == self.usual:
            return ""
        if not self.word or not self.stands_for:
            return _text(told)
        return f"{self.word}{'' if self.word.endswith('=') else ' '}{_text(told)}"


def _parts(form: str, usual: Mapping[str, object], meant: Mapping[str, object]) -> Iterator[_Part]:
    options = set(re.findall(r"(\w+)=", form))
    in_order = (name for name in usual if name not in options and name not in meant)
    for text in re.findall(r"\[[^\]]*\]|\S+", form):
        inner, may_lack = text.strip("[]"), text.startswith("[")
        if not may_lack and inner.islower():
            yield _Part(word=inner)
            continue
        word, stands_for = re.fullmatch(r"(\w+=|[a-z|]*) ?([A-Z,]*)", inner).groups()  # type: ignore[union-attr]
        name = word[:-1] if word.endswith("=") else next(in_order)
        yield _Part(word=word, field=name, stands_for=stands_for, usual=usual[name] if may_lack else MISSING)


def _option(line: Line, text: str, stands_for: str) -> object:
    if stands_for == "N":
        return line.number_of(text)
    if "," in stands_for:
        return tuple(text.split(",")) if text else ()
    return text


def _text(value: Any) -> str:
    match value:
        case int():
            return str(int(value))
        case str():
            return quoted(value)
        case Enum():
            return str(value.value)
        case tuple() if value and isinstance(value[0], str):
            return quoted(",".join(value))
        case tuple():
            return tiles_text(value) or NO_TILES
    return str(value)
