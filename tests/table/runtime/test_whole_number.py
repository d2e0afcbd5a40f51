"""Whole numbers as people type them."""

from __future__ import annotations

import pytest

from table.runtime.whole_number import whole_number
from tests.fakes.typed_numbers import NO_NUMBERS


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_whole_number_is_none(text: str) -> None:
    assert whole_number(text, -10_000_000, 10_000_000) is None


@pytest.mark.parametrize(("text", "number"), [("7", 7), (" 7 ", 7), ("+7", 7), ("-7", -7), ("−7", -7), ("007", 7)])
def test_a_whole_number_may_have_a_sign_and_blanks_around_it(text: str, number: int) -> None:
    assert whole_number(text, -7, 7) == number


def test_a_number_beyond_its_limits_is_none() -> None:
    assert [whole_number(text, 0, 5) for text in ("-1", "0", "5", "6")] == [None, 0, 5, None]
