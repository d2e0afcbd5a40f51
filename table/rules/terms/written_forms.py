"""Forms: the ways to write a value as one line, and to read it from that line.

In `SEAT chi TILE from SEAT with TILES [points SEAT]` the words in capitals stand for the fields in their order; in
`[han=N]`, N stands for the field `han`. A part in brackets is omitted if the field has its default value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

from table.rules.terms.line_reader import NO_TILES, LineReader, quoted
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import tiles_text

W = TypeVar("W", bound="type[NotationValue]")
_READERS: Final[Mapping[str, Callable[[LineReader], object]]] = {
    "SEAT": LineReader.seat,
    "TILE": LineReader.tile,
    "TILES": LineReader.tiles,
    "N": lambda line: line.number_of(line.word("a number")),
    "CLAUSE": lambda line: line.word("a clause"),
    "REASON": lambda line: AbortReason(line.one_of({reason.value: reason for reason in AbortReason})),
}
"""The reader of each word in capitals; after `=`, N is a number, FACT,FACT several texts, any other word a text."""


class NotationValue:
    """Base class of values that are written as a line of notation."""

    __slots__ = ()
    forms: ClassVar[tuple[Form, ...]] = ()

    def __str__(self) -> str:
        """Returns the line of notation, in the form that matches the fields."""
        form = next(
            candidate
            for candidate in self.forms
            if all(getattr(self, name) == is_ for name, is_ in candidate.fixed_fields.items())
        )
        return " ".join(filter(None, (part.text(self) for part in form.parts)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One way to write a value."""

    pattern: str
    meaning: str
    example: str
    fixed_fields: Mapping[str, object]
    """Fields determined by its word, such as the kind of a call."""
    parts: tuple[_Part, ...]
    make: Callable[..., Any]
    read_rest: Callable[[LineReader], Mapping[str, object]] | None
    """Reads the fields after the word, if they do not simply follow in order."""
    check: Callable[[LineReader, Any], None] | None
    """Rejects values that must not be written by people, although a journal may contain them."""

    @property
    def is_seated(self) -> bool:
        """Whether the form begins with a seat."""
        return self.pattern.startswith("SEAT ")

    @property
    def word(self) -> str:
        """The word that identifies the form."""
        return self.pattern.split()[self.is_seated]

    def read(self, line: LineReader, seat: Seat | None) -> Any:
        """Reads a value from the rest of the line; `seat` is the seat before the form's word."""
        values = dict(self.fixed_fields) if seat is None else {"seat": seat, **self.fixed_fields}
        if self.read_rest is not None:
            values |= self.read_rest(line)
        else:
            for part in self.parts[self.is_seated + 1 :]:
                part.read(line, values)
        value = self.make(**values)
        if self.check is not None:
            self.check(line, value)
        return value


def notation_form(
    pattern: str,
    meaning: str,
    example: str,
    *,
    in_full: str = "",
    read: Callable[[LineReader], Mapping[str, object]] | None = None,
    check: Callable[[LineReader, Any], None] | None = None,
    **fixed_fields: object,
) -> Callable[[W], W]:
    """Returns a decorator that declares a form of a class: its text, its meaning and an example; see `Form`.

    `in_full` is the form with an additional part that is accepted but not documented.
    """

    def declare(kind: W) -> W:
        defaults = {field.name: field.default for field in fields(kind)}  # type: ignore[arg-type]  # events are dataclasses
        parts = () if read else tuple(_parts(in_full or pattern, defaults, fixed_fields))
        new_form = Form(
            pattern=pattern,
            meaning=meaning,
            example=example,
            fixed_fields=fixed_fields,
            parts=parts,
            make=kind,
            read_rest=read,
            check=check,
        )
        kind.forms = (new_form, *kind.forms)
        return kind

    return declare


class _Part(NamedTuple):
    """A part of a form: a word, a field, or a word and a field."""

    word: str
    field: str = ""
    stands_for: str = ""
    default: Any = MISSING
    """The field's value if the part is omitted."""

    def read(self, line: LineReader, values: dict[str, object]) -> None:
        """Reads the part from a line into the fields found so far."""
        if not self.field:
            line.expect(self.word)
        elif self.word.endswith("="):
            if (text := line.text(self.word[:-1])) is not None or self.default is MISSING:
                values[self.field] = _read_option(line, text or "", self.stands_for)
        elif not self.stands_for:  # the word itself is the value
            if (word := next(filter(line.takes, self.word.split("|")), None)) is not None:
                values[self.field] = type(self.default)(word)
        elif self.default is MISSING or line.takes(self.word):
            values[self.field] = _READERS[self.stands_for](line)

    def text(self, value: NotationValue) -> str:
        """Returns the part's text for a value, or an empty text if it is omitted."""
        field_value = getattr(value, self.field, None)
        if not self.field or field_value is True:
            return self.word
        if field_value == self.default:
            return ""
        if not self.word or not self.stands_for:
            return _value_text(field_value)
        return f"{self.word}{'' if self.word.endswith('=') else ' '}{_value_text(field_value)}"


def _parts(pattern: str, defaults: Mapping[str, object], fixed_fields: Mapping[str, object]) -> Iterator[_Part]:
    options = set(re.findall(r"(\w+)=", pattern))
    in_order = (name for name in defaults if name not in options and name not in fixed_fields)
    for text in re.findall(r"\[[^\]]*\]|\S+", pattern):
        inner, may_lack = text.strip("[]"), text.startswith("[")
        if not may_lack and inner.islower():
            yield _Part(word=inner)
            continue
        word, stands_for = re.fullmatch(r"(\w+=|[a-z|]*) ?([A-Z,]*)", inner).groups()  # type: ignore[union-attr]
        name = word[:-1] if word.endswith("=") else next(in_order)
        yield _Part(word=word, field=name, stands_for=stands_for, default=defaults[name] if may_lack else MISSING)


def _read_option(line: LineReader, text: str, stands_for: str) -> object:
    if stands_for == "N":
        return line.number_of(text)
    if "," in stands_for:
        return tuple(text.split(",")) if text else ()
    return text


def _value_text(value: Any) -> str:
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
