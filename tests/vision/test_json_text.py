from __future__ import annotations

import pytest

from vision.json_text import MOST_DEEP, read_json


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
