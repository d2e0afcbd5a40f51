"""Parses plain data from TOML and JSON strictly into typed values.

The annotation determines the value: a dataclass is a table whose keys are its fields, a tuple is a list; mappings,
unions, literals, enums and numbers stand for themselves. A mismatch is refused with its key, what was expected, what
was found, and the closest name for a wrong one.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field
from difflib import get_close_matches
from enum import Enum
from functools import cache
from typing import Any, Final

from vision.addresses import printable, quoted
from vision.plain_values import MOST_WHOLE, check_plain, flaw

_WORDS: Final[Mapping[Any, str]] = {
    str: "a text in quotes",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    dict: "a table",
    Mapping: "a table",
    list: "a list",
    tuple: "a list",
}


@dataclass(frozen=True, slots=True)
class Between:
    """Used in `Annotated`: the range of allowed numbers."""

    least: float
    most: float

    def words(self, kind: Any) -> str:
        """Returns what is expected, in words."""
        return f"{_WORDS[kind]} from {self.least:g} to {self.most:g}"

    def allows(self, value: Any) -> bool:
        """Returns whether the value is allowed."""
        return bool(self.least <= value <= self.most)


@dataclass(frozen=True, slots=True)
class Only:
    """Used in `Annotated`: a better description of what is expected than the type's, and an additional test."""

    text: str
    allows: Callable[[Any], bool] = lambda _: True

    def words(self, _kind: Any) -> str:
        """Returns what is expected, in words."""
        return self.text


class MisfitError(ValueError):
    """Data does not match its type; `key` is its place, such as `article[0].title`."""

    def __init__(self, key: str, problem: str) -> None:
        """Takes the place and what is wrong there; in the message no sign of the place commands a terminal."""
        super().__init__(f"{printable(key)}: {problem}" if key else problem)
        self.key, self.problem = key, problem


def mismatch(expected: str, got: object, names: Iterable[object] = ()) -> str:
    """Returns the message for a value that does not match, without secrets; it suggests a similar text of `names`."""
    return f"expected {expected}, got {quoted(got)}{hint(got, names)}"


def hint(got: object, names: Iterable[object]) -> str:
    """Returns a question that suggests the shortest name that begins with a text, or else a similar one, or nothing."""
    if not isinstance(got, str):
        return ""
    by_lower_case = {name.lower(): name for name in names if isinstance(name, str)}
    typed = got.lower()
    completed = [name for name in by_lower_case if len(typed) > 1 and name.startswith(typed)]
    nearest = sorted(completed, key=len) or get_close_matches(typed, by_lower_case, n=1)
    return f"; did you mean {by_lower_case[nearest[0]]!r}?" if nearest else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrictReader:
    """Reads plain data as values of a type."""

    special: Mapping[Any, Callable[[Any], Any]] = field(default_factory=dict)
    """Functions that read certain types; they raise ValueError or TypeError for what they cannot read."""
    tag: str = ""
    """The key that names the class if several are possible; empty to use the first that matches."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """The present names of classes and fields, by their names in older files."""

    def read(self, kind: Any, data: Any, key: str = "") -> Any:
        """Returns the data as a value of the type `kind`; `key` is its place, for messages.

        Raises:
            MisfitError: the data does not match, or contains a number or text that cannot be used.
        """
        if type(data) is kind:
            is_plain = (kind is not int and kind is not float) or -MOST_WHOLE <= data <= MOST_WHOLE
            return data if is_plain else _usable(data, key)
        if kind in self.special:
            return _converted(self.special[kind], data if type(data) is str else _all_usable(data, key), key)
        origin, args = _parts(kind)
        if origin is None:
            return self._simple(kind, data, key)
        if origin is typing.Annotated:
            return self._annotated(args[0], args[1], data, key)
        if origin in (types.UnionType, typing.Union):
            return self._one_of(args, data, key)
        if origin is typing.Literal:
            return _literal(args, data, key)
        if origin is tuple:
            return self._tuple(args, data, key)
        return {name: self.read(args[1], item, _inside(key, name)) for name, item in _typed(dict, data, key).items()}

    def _simple(self, kind: Any, data: Any, key: str) -> Any:
        if dataclasses.is_dataclass(kind):
            return self._fields(kind, data, key)
        if kind is Any:
            return _all_usable(data, key)
        if issubclass(kind, Enum):
            return _converted(kind, data, key)
        if kind is float and type(data) is int:
            return float(_usable(data, key))
        return _typed(kind, data, key)

    def _annotated(self, kind: Any, mark: Any, data: Any, key: str) -> Any:
        try:
            value = self.read(kind, data, key)
        except MisfitError as error:
            raise MisfitError(key, mismatch(mark.words(kind), data)) from error
        if not mark.allows(value):
            raise MisfitError(key, mismatch(mark.words(kind), data))
        return value

    def _one_of(self, kinds: tuple[Any, ...], data: Any, key: str) -> Any:
        if data is None and types.NoneType in kinds:
            return None
        classes = _by_name(kinds)
        if len(classes) == 1:
            return self.read(next(iter(classes.values())), data, key)
        if self.tag and isinstance(data, dict):
            name = str(data.get(self.tag))
            found = classes.get(self.renamed.get(name, name))
            if found is None:
                raise MisfitError(key, mismatch(f"one of {', '.join(classes)}", data.get(self.tag), classes))
            return self.read(found, data, key)
        for kind in classes.values():
            try:
                return self.read(kind, data, key)
            except MisfitError:
                continue
        raise MisfitError(key, mismatch(f"one of {', '.join(classes)}", data))

    def _tuple(self, kinds: tuple[Any, ...], data: Any, key: str) -> tuple[Any, ...]:
        items = _typed(list, data, key)
        if len(kinds) == 2 and kinds[1] is Ellipsis:
            kinds = kinds[:1] * len(items)
        if len(items) != len(kinds):
            raise MisfitError(key, mismatch(f"{len(kinds)} values", data))
        pairs = zip(kinds, items, strict=True)
        return tuple(self.read(kind, item, f"{key}[{index}]") for index, (kind, item) in enumerate(pairs))

    def _fields(self, kind: Any, data: Any, key: str) -> Any:
        fields = _fields_of(kind)
        values = {}
        for data_key, value in _typed(dict, data, key).items():
            name = data_key if data_key in fields else self.renamed.get(data_key, data_key)
            if name in fields:
                values[fields[name].name] = self.read(fields[name].kind, value, _inside(key, name))
            elif name != self.tag:
                raise MisfitError(_inside(key, name), mismatch(f"one of {', '.join(fields)}", name, fields))
        for name, wanted in fields.items():
            if wanted.is_required and wanted.name not in values:
                raise MisfitError(_inside(key, name), f"expected {_words(wanted.kind)}, got nothing")
        return _converted(lambda arguments: kind(**arguments), values, key)


PLAIN: Final = StrictReader()
"""Reads types that plain data can express by itself."""


@cache
def _parts(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    return typing.get_origin(kind), typing.get_args(kind)


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    kind: Any
    is_required: bool


@cache
def _fields_of(kind: Any) -> dict[str, _Field]:
    """Returns the fields of a dataclass by their key in the data: their own name, or the `key` of their metadata."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return {
        member.metadata.get("key", member.name): _Field(
            member.name, hints[member.name], member.default is MISSING and member.default_factory is MISSING
        )
        for member in dataclasses.fields(kind)
    }


@cache
def _by_name(kinds: tuple[Any, ...]) -> dict[str, Any]:
    return {_words(kind): kind for kind in kinds if kind is not types.NoneType}


def _words(kind: Any) -> str:
    if typing.get_origin(kind) is typing.Annotated:
        inner, mark = typing.get_args(kind)
        return str(mark.words(inner))
    if typing.get_origin(kind) is typing.Literal:
        return ", ".join(map(repr, typing.get_args(kind)))
    return _WORDS.get(typing.get_origin(kind) or kind, getattr(kind, "__name__", str(kind)))


def _literal(allowed: tuple[Any, ...], data: Any, key: str) -> Any:
    for value in allowed:
        if type(value) is type(data) and value == data:
            return value
    names = [str(value) for value in allowed]
    raise MisfitError(key, mismatch(f"one of {', '.join(names)}" if names[1:] else names[0], data, allowed))


def _typed(kind: Any, data: Any, key: str) -> Any:
    if type(data) is not kind:
        raise MisfitError(key, mismatch(_words(kind), data))
    return data


def _usable(number: Any, key: str) -> Any:
    """Returns a number, if it is one that can be used."""
    if problem := flaw(number):
        raise MisfitError(key, problem)
    return number


def _all_usable(data: Any, key: str) -> Any:
    """Returns data of any type, if all of it can be used."""
    _converted(check_plain, data, key)
    return data


def _converted(make: Callable[[Any], Any], data: Any, key: str) -> Any:
    try:
        return make(data)
    except MisfitError:
        raise
    except (ValueError, TypeError) as error:
        raise MisfitError(key, str(error)) from error


def _inside(key: str, name: object) -> str:
    return f"{key}.{name}" if key else str(name)
