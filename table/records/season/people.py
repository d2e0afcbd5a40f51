"""Maps names to persons, with the name that the owner chose for each person.

The file is kept beside the journals and never changes them: a journal keeps the names entered that evening.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from table.records.formats.json_kind import json_kind
from table.runtime.person_name import normalised_name
from table.runtime.table_errors import ConfigError
from vision.atomic_files import read_whole, write_whole
from vision.errors import reason
from vision.json_text import read_json

FILE: Final = "people.json"
"""The file's name in the journals' folder."""
GUEST: Final = "Guest"
"""The name shown for guests if no language is chosen."""
_FORMAT: Final = 1
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Maps the names in journals to persons."""

    persons: Mapping[str, str] = field(default_factory=lambda: _NONE)
    """The person's name by name; a name that is missing is its own person."""
    guests: frozenset[str] = frozenset()
    """Persons shown as guests everywhere, without statistics."""

    def __post_init__(self) -> None:
        """Normalises all names and drops invisible ones, since files of earlier versions may have other spellings.

        In a file that was edited by hand, a person may be a name of another one; all of them become one, and
        a guest under every name.
        """
        spelled = ((normalised_name(name), normalised_name(person)) for name, person in self.persons.items())
        given = {name: person for name, person in spelled if name and person and name != person}
        persons = {name: _last_person(name, given) for name in given}
        persons = {name: person for name, person in persons.items() if name != person}
        object.__setattr__(self, "persons", persons)
        guests = filter(None, map(normalised_name, self.guests))
        object.__setattr__(self, "guests", frozenset(persons.get(guest, guest) for guest in guests))

    def person(self, name: str) -> str | None:
        """Returns the person who played under a name; None for a guest or an empty name."""
        found = self.known_as(name)
        return found if found and found not in self.guests else None

    def known_as(self, name: str) -> str:
        """Returns the name of the person, or of the guest, who played under a name."""
        name = normalised_name(name)
        return self.persons.get(name, name)

    def shown_name(self, name: str, guest: str = GUEST) -> str:
        """Returns the name that pages and files show for this name; `guest` is the reader's word for a guest."""
        return self.person(name) or (guest if name else "")

    def renamed(self, person: str, name: str) -> People:
        """Returns these people with one renamed; if the new name is taken, both become one person."""
        person, name = normalised_name(person), normalised_name(name)
        person_of_name = self.known_as(name)
        target = name if person_of_name == person else person_of_name  # renamed to a former name
        persons = {written: target if found == person else found for written, found in self.persons.items()}
        persons[person] = target
        return People(
            persons=persons,
            guests=frozenset(target if guest == person else guest for guest in self.guests),
        )

    def with_guest(self, person: str) -> People:
        """Returns these people with one made a guest."""
        return People(persons=self.persons, guests=self.guests | {person})

    def without_guest(self, person: str) -> People:
        """Returns these people with a guest made a named person again."""
        return People(persons=self.persons, guests=self.guests - {normalised_name(person)})

    def parted(self, name: str) -> People:
        """Returns these people with a name split off as its own person."""
        name = normalised_name(name)
        return People(
            persons={person: found for person, found in self.persons.items() if person != name}, guests=self.guests
        )


def _last_person(name: str, persons: Mapping[str, str]) -> str:
    """Returns the person to whom a name leads in the end; of names that lead to each other, the first by alphabet."""
    passed = [name]
    while (person := persons.get(passed[-1])) is not None and person not in passed:
        passed.append(person)
    return passed[-1] if person is None else min(passed[passed.index(person) :])


def person_id(person: str) -> str:
    """Returns the identifier of a person in addresses."""
    return blake2b(person.encode(), digest_size=6).hexdigest()


def read_people(path: Path) -> People:
    """Reads the file; without one, every name is its own person.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        text = read_whole(path)
    except FileNotFoundError:
        return People()
    except OSError as error:
        raise ConfigError(f"expected the people of a season in {path}, got: {reason(error)}") from error
    return parse_people(text, path)


def parse_people(text: str | bytes, path: Path | str) -> People:
    """Returns the people in a file's text; `path` names it in messages.

    Raises:
        ConfigError: it has a mistake.
    """
    try:
        data: Any = read_json(text)
    except ValueError as error:
        raise ConfigError(f"expected the people of a season in {path}, got: {reason(error)}") from error
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise ConfigError(f"expected people of format {_FORMAT} in {path}, got {json_kind(data)}")
    persons, guests = data.get("persons"), data.get("guests")
    if not isinstance(persons, dict) or not isinstance(guests, list):
        raise ConfigError(f"expected names of persons and guests in {path}, got {json_kind(data)}")
    if not all(isinstance(name, str) for name in (*persons.values(), *guests)):
        raise ConfigError(f"expected names of persons and guests in {path}, got {json_kind(data)}")
    return People(persons=persons, guests=frozenset(guests))


def write_people(path: Path, people: People) -> None:
    """Writes the file whole or not at all, readable only for its owner.

    Raises:
        OSError: the file cannot be written; the old one is kept.
    """
    data = {"format": _FORMAT, "persons": dict(sorted(people.persons.items())), "guests": sorted(people.guests)}
    write_whole(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n", mode=0o600)
