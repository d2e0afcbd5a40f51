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


@pytest.mark.parametrize(
    "text",
    [
        "30,000",
        "30 000",
        "30\u00a0000",
        "30\u202f000",
        "30’000",
        "30'000",
        "３００００",
        "３０，０００",
        "+30,000",
        " ＋30,000\u3000",
    ],
)
def test_points_may_be_typed_as_pages_and_keyboards_write_them(text: str) -> None:
    assert whole_number(text, 0, 99_999) == 30_000
    assert whole_number(f"-{text.strip().lstrip('+＋')}", -99_999, 0) == -30_000


def test_thousands_of_thousands_are_read() -> None:
    assert whole_number("-1,234,567", -9_999_999, 0) == -1_234_567
    assert whole_number("−１２，３００", -99_999, 0) == -12_300


def test_a_number_beyond_its_limits_is_none() -> None:
    assert [whole_number(text, 0, 5) for text in ("-1", "0", "5", "6")] == [None, 0, 5, None]
