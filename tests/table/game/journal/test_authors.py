"""Authors as texts: what is written is read again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.game.journal.authors import (
    OWNER,
    PANEL,
    TABLE,
    author_name,
    author_seat,
    authors,
    is_owner,
    named_author,
    seated_author,
    with_names,
)
from table.rules.terms.seats import SEATS, Seat


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("owns", [True, False])
def test_a_seated_author_has_a_seat_and_may_be_the_owner(seat: Seat, owns: bool) -> None:
    author = seated_author(seat, is_owner=owns)
    assert (author_seat(author), is_owner(author), author_name(author)) == (seat, owns, "")


@pytest.mark.parametrize("author", [OWNER, PANEL, TABLE, "seat 4", "owner 10", "owners", "desk", ""])
def test_any_other_author_has_no_seat_and_no_name(author: str) -> None:
    assert (author_seat(author), author_name(author), is_owner(author)) == (None, "", author in (OWNER, "owner 10"))


@given(st.lists(st.one_of(st.text(min_size=1).map(named_author), st.sampled_from(["seat 1", "owner 2", PANEL]))))
def test_several_authors_are_read_one_by_one_whatever_their_names(several: list[str]) -> None:
    assert authors(", ".join(several)) == several


@given(st.text(min_size=1))
def test_a_name_is_read_as_it_was_written(name: str) -> None:
    assert author_name(named_author(name)) == name


def test_only_those_called_by_name_are_named_anew() -> None:
    assert with_names('seat 1, name "Anna, née B.", owner', str.upper) == 'seat 1, name "ANNA, NÉE B.", owner'
