from __future__ import annotations

from pathlib import Path
from unicodedata import normalize

import pytest

from table.records.season.people import FILE, People, person_id, read_people, write_people
from table.records.season.season_figures import season_of
from table.records.season.tally import Tally
from table.runtime.table_errors import ConfigError


def test_a_name_is_its_own_person_until_somebody_says_otherwise() -> None:
    assert People().person("Ana") == "Ana"
    assert People().person("") is None
    assert People().shown_name("") == ""


def test_names_of_one_person_are_one() -> None:
    people = People().renamed("Anna", "Ana").renamed("ana k.", "Ana")
    assert {people.person(name) for name in ("Ana", "Anna", "ana k.")} == {"Ana"}


def test_a_name_is_one_however_its_letters_were_written() -> None:
    composed, decomposed = normalize("NFC", "José"), normalize("NFD", "José")
    assert People().person(decomposed) == People().person(f" {composed} ") == composed
    assert People().shown_name(decomposed) == composed
    people = People().renamed("Pepe", decomposed).with_guest(decomposed)
    assert people == People().renamed("Pepe", composed).with_guest(composed)
    assert (people.person(decomposed), people.person("Pepe")) == (None, None)
    assert people.without_guest(decomposed).parted("Pepe") == People()


def test_the_figures_of_one_name_written_in_two_ways_are_one_persons() -> None:
    tallies = {normalize("NFC", "José"): Tally(hands=3), normalize("NFD", "José"): Tally(hands=4)}
    (person,) = season_of(tallies, [], People(), games=2).people
    assert (person.names, person.tally.hands) == (("José",), 7)


def test_a_renamed_person_takes_all_its_names_along() -> None:
    people = People().renamed("Anna", "Ana").renamed("Ana", "Ana Sousa")
    assert {people.person(name) for name in ("Ana", "Anna", "Ana Sousa")} == {"Ana Sousa"}


def test_a_person_can_be_called_back_by_a_former_name() -> None:
    people = People().renamed("Anna", "Ana").renamed("Ana", "Anna")
    assert {people.person(name) for name in ("Ana", "Anna")} == {"Anna"}


def test_two_persons_who_are_merged_end_under_the_name_that_was_chosen() -> None:
    people = People().renamed("Ben", "Benjamin").renamed("Anna", "Ana").renamed("Ana", "Ben")
    assert {people.person(name) for name in ("Ben", "Benjamin", "Ana", "Anna")} == {"Benjamin"}


def test_a_name_can_be_parted_again() -> None:
    people = People().renamed("Anna", "Ana").parted("Anna")
    assert people.person("Anna") == "Anna"
    assert people.person("Ana") == "Ana"


def test_a_guest_is_one_under_every_name() -> None:
    people = People().renamed("Anna", "Ana").with_guest("Ana")
    assert people.person("Anna") is None
    assert people.shown_name("Anna") == people.shown_name("Ana") == "Guest"
    assert people.without_guest("Ana").shown_name("Anna") == "Ana"


def test_a_guest_stays_one_under_a_new_name() -> None:
    people = People().with_guest("Ana").renamed("Ana", "Anna").renamed("Ben", "Benno")
    assert [people.shown_name(name) for name in ("Ana", "Anna", "Ben", "Benno")] == ["Guest", "Guest", "Benno", "Benno"]


def test_people_are_kept_in_a_file(tmp_path: Path) -> None:
    people = People().renamed("Anna", "Ána").with_guest("Ben")
    write_people(tmp_path / FILE, people)
    assert read_people(tmp_path / FILE) == people
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600  # names of persons are for the table's own user
    assert read_people(tmp_path / "none.json") == People()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": 1, "persons": [], "guests": []}',
        '{"format": 2}',
        '{"format": 1, "persons": {"a": 1}, "guests": []}',
        '{"format": 1, "persons": {"a": "\\ud800b"}, "guests": []}',
        '{"format": 1, "persons": {}, "guests": ["\\udfff"]}',
    ],
)
def test_a_file_that_holds_no_people_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="people"):
        read_people(tmp_path / FILE)


def test_names_in_a_file_that_cannot_be_seen_are_nobodys(tmp_path: Path) -> None:
    people = '{"format": 1, "persons": {"Ana": "\u200b", "\u3164": "Ben"}, "guests": ["\u2060"]}'
    (tmp_path / FILE).write_text(people, encoding="utf-8")
    found = read_people(tmp_path / FILE)
    assert (found.person("Ana"), found.person(""), found.guests) == ("Ana", None, frozenset())


def test_an_address_stands_for_one_name() -> None:
    assert person_id("Ana") == person_id("Ana") != person_id("Anna")
    assert person_id("</script>").isalnum()


@pytest.mark.parametrize(
    ("persons", "person"),
    [
        ({"Annie": "Ann", "Ann": "Anne"}, "Anne"),
        ({"Annie": "Ann", "Ann": "Anne", "Anne": "Ann"}, "Ann"),
        ({"Annie": "Anne", "Anne": "Ann", "Ann": "Annie"}, "Ann"),
    ],
)
def test_names_that_lead_to_one_another_in_a_file_edited_by_hand_are_one_person(
    persons: dict[str, str], person: str
) -> None:
    people = People(persons=persons)
    assert {people.person(name) for name in ("Annie", "Ann", "Anne")} == {person}
    guests = People(persons=persons, guests=frozenset({"Annie"}))
    assert {guests.person(name) for name in ("Annie", "Ann", "Anne")} == {None}
