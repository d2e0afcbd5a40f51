from __future__ import annotations

import pytest

from table.runtime.person_name import spelt


@pytest.mark.parametrize("name", ["Ann", "佐藤 葵", "김", "é", "🀄", "-", "7", "\u3164Ann"])
def test_what_can_be_seen_is_a_name(name: str) -> None:
    assert spelt(f" {name} ") == name


@pytest.mark.parametrize(
    "name", ["", "  ", "\u3164", "\u2800\u115f\u1160\uffa0", "\u200b\u2060", "\u3000", "\ufe0f", "\0"]
)
def test_what_cannot_be_seen_is_none(name: str) -> None:
    assert spelt(name) == ""


def test_an_accent_is_one_letter_however_a_keyboard_wrote_it() -> None:
    assert spelt("Jose\u0301  Luis") == "José Luis"
