from __future__ import annotations

import pytest

from table.runtime.person_name import MOST_LETTERS, checked_name, letter_count, normalised_name
from table.runtime.table_errors import PressError


@pytest.mark.parametrize("name", ["Ann", "佐藤 葵", "김", "é", "🀄", "-", "7", "\u3164Ann"])
def test_what_can_be_seen_is_a_name(name: str) -> None:
    assert normalised_name(f" {name} ") == name


@pytest.mark.parametrize(
    "name", ["", "  ", "\u3164", "\u2800\u115f\u1160\uffa0", "\u200b\u2060", "\u3000", "\ufe0f", "\0"]
)
def test_what_cannot_be_seen_is_none(name: str) -> None:
    assert normalised_name(name) == ""


@pytest.mark.parametrize(
    "name", ["A\u200doi", "\u200cAoi", "Aoi\u200d\u200c", "Ao\u200c\u200d\u200di", "A\u200doi\u200d"]
)
def test_a_joiner_that_joins_nothing_makes_no_other_name(name: str) -> None:
    assert normalised_name(name) == "Aoi"


@pytest.mark.parametrize("name", ["\u0646\u06cc\u200c\u06a9\u06cc", "\u0915\u094d\u200d\u0937", "👩🏽‍🚀", "❤️‍🔥"])
def test_joiners_that_scripts_and_emoji_need_stay(name: str) -> None:
    assert normalised_name(name) == name


@pytest.mark.parametrize(
    "sign", ["\u034f", "\u17b4", "\ufe00", "\ufe0f", "\U000e0100", "\u180b", "\U000e0061", "\U000e0061\U000e007f"]
)
@pytest.mark.parametrize("name", ["Ann", "Анна", "김", "あい"])
def test_a_sign_that_changes_no_letter_makes_no_other_name(name: str, sign: str) -> None:
    assert checked_name(name + sign) == checked_name(sign + name) == checked_name(name[0] + sign + name[1:]) == name


@pytest.mark.parametrize(
    "name", ["辻\U000e0100", "\u2764\ufe0f", "1\ufe0f\u20e3", "\u182d\u180b", "🏴\U000e0067\U000e0062\U000e007f"]
)
def test_a_sign_that_chooses_a_form_stays_once(name: str) -> None:
    assert checked_name(name) == name
    assert checked_name("\u2764\ufe0f\ufe0f") == "\u2764\ufe0f"


def test_a_sign_that_chooses_the_form_of_a_nameless_one_is_no_error() -> None:
    with pytest.raises(PressError, match="expected a name as one line of text"):
        checked_name("Ann\x01\ufe0f")


def test_an_accent_is_one_letter_however_a_keyboard_wrote_it() -> None:
    assert normalised_name("Jose\u0301  Luis") == "José Luis"


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("", 0),
        ("Ann Lee", 7),
        ("佐藤 葵", 4),
        ("ガガ", 2),
        ("か\u3099", 1),
        ("한글", 2),
        ("\u1112\u1161\u11ab", 1),
        ("Jose\u0301", 4),
        ("Nguyễn Thị Ánh", 14),
        ("שָׁלוֹם", 4),
        ("\u0646\u06cc\u200c\u06a9", 3),
        ("🀄", 1),
        ("👩🏽‍❤️‍💋‍👨🏽", 1),
        ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 2),
        ("🇯🇵🇰🇷", 2),
        ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", 1),
        ("a" + "\u0301" * 29, 3),
        ("a" + "\u200da" * 29, 6),
        ("\u0301a", 2),
    ],
)
def test_letters_are_counted_as_people_count_them(name: str, letters: int) -> None:
    assert letter_count(name) == letters


@pytest.mark.parametrize("letter", ["A", "葵", "글", "e\u0301", "x\u0301", "👩🏽‍🚀", "🇯🇵"])
def test_a_name_has_as_many_letters_in_every_script(letter: str) -> None:
    assert letter_count(checked_name(letter * MOST_LETTERS)) == MOST_LETTERS
    with pytest.raises(PressError, match=f"expected a name of {MOST_LETTERS} letters at most, got 25") as refused:
        checked_name(letter * (MOST_LETTERS + 1))
    assert (refused.value.says, refused.value.values["most"]) == ("name_long", MOST_LETTERS)
    assert checked_name(letter * 30, most=30)


def test_a_name_has_no_signs_that_write_nothing_or_turn_the_line() -> None:
    assert checked_name("\u0646\u06cc\u200c\u06a9") == "\u0646\u06cc\u200c\u06a9"
    assert checked_name(" Ann \n Lee ") == "Ann Lee"
    for sign in "\x07\u202e":
        with pytest.raises(PressError, match="expected a name as one line of text") as refused:
            checked_name(f"Ann{sign}")
        assert refused.value.says == "name_signs"


@pytest.mark.parametrize("sign", ["\u00ad", "\u061c", "\u200b", "\u200e", "\u200f", "\u2060", "\ufeff"])
@pytest.mark.parametrize("name", ["Ann", "דוד", "علي"])
def test_a_sign_that_is_never_seen_makes_no_other_name(name: str, sign: str) -> None:
    assert checked_name(f"{sign}{name[0]}{sign}{name[1:]}{sign}") == name
