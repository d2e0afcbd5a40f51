from __future__ import annotations

from collections.abc import Callable

import pytest

from vision.errors import reason
from vision.json_text import read_any_json, read_json
from vision.plain_values import MOST_DEEP


def nested(deep: int) -> str:
    return "[" * deep + "]" * deep


def test_what_is_nested_as_deeply_as_may_be_is_read() -> None:
    assert read_json('{"a": [1, {"b": null}]}') == {"a": [1, {"b": None}]}
    assert read_json(nested(MOST_DEEP + 1)) is not None


def test_a_byte_order_mark_is_ignored() -> None:
    assert read_json("\ufeff[1]") == read_json("\ufeff[1]".encode()) == [1]


@pytest.mark.parametrize(
    "text",
    [nested(MOST_DEEP + 2), '{"a":' * 99 + "1" + "}" * 99, nested(900), "[" * 100_000, nested(100_000), "[1", ""],
)
def test_what_is_nested_too_deeply_is_no_more_read_than_what_is_no_json(text: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        read_json(text)
    assert not isinstance(refused.value, RecursionError)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1" + "0" * 400, "expected a number of 64 bits, got one of about 401 digits"),
        ('{"a": [-92233720368547758070]}', "expected a number of 64 bits, got one of about 21 digits"),
        ("1" + "0" * 5000, "expected numbers of 64 bits, got one of thousands of digits"),
        ("[1e999]", "expected a finite number, got inf"),
        ('{"a": NaN}', "expected a finite number, got nan"),
        ('{"a": 1, "b": 2, "a": 1}', "expected each key once, got 'a' again"),
        ('[{"a": {"": 1, "": 2}}]', "expected each key once, got '' again"),
        ('["\\ud800b"]', r"expected text of whole characters, got '\ud800b'"),
        ('{"\\udfff": 1}', r"expected text of whole characters, got '\udfff'"),
    ],
)
@pytest.mark.parametrize("form", [str, str.encode])
def test_a_number_or_text_that_nothing_can_use_is_refused_in_a_short_sentence(
    text: str, problem: str, form: Callable[[str], str | bytes]
) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        read_json(form(text))
    assert str(refused.value) == problem


def test_a_key_that_came_twice_is_left_to_readers_of_other_programs_texts() -> None:
    assert read_any_json('{"a": 1, "a": 2}') == {"a": 2}


@pytest.mark.parametrize(
    ("text", "place"),
    [("", "line 1, column 1"), ('{"a":\n 1}\n]', "line 3, column 1"), ("[1] 2", "line 1, column 5")],
)
def test_what_is_no_json_is_told_by_its_place(text: str, place: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        read_json(text)
    assert reason(refused.value) == f"no JSON at {place}"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "latin-1"])
def test_bytes_that_are_not_utf_8_are_told_as_that(encoding: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        read_json('["é"]'.encode(encoding))
    assert reason(refused.value) == "bytes that are not UTF-8 text"


def test_the_largest_numbers_and_every_letter_are_read() -> None:
    assert read_json('[9223372036854775807, 1e300, "\\ud83c\\udc04\U0001f004é"]') == [2**63 - 1, 1e300, "🀄🀄é"]
