"""Checks PINs: at least six digits, or a word of at least eight letters in any script, and not a common one.

A PIN may contain spaces and signs such as a hyphen, but they make it neither longer nor less common.

Common PINs are those that attackers try first: sequences, keyboard rows, repetitions, dates, and leaked passwords.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Final

from table.runtime.table_errors import PressError

LEAST_DIGITS: Final = 6
LEAST_LETTERS: Final = 8
MOST_CHARACTERS: Final = 64
"""The most characters of a PIN, including spaces and signs."""
BIRTH_YEARS: Final = range(1920, 2030)
"""Years of dates that may be somebody's birthday."""
ROWS: Final = (
    *("01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm"),
    *("abcdefghijklmnopqrstuvwxyz", "1qaz2wsx3edc4rfv", "147258369", "159357", "159753", "一二三四五六七八九十"),
    *("あいうえおかきくけこさしすせそ", "いろはにほへとちりぬるを", "가나다라마바사아자차카타파하"),
)
"""Rows of keys and letters; a PIN that is a part of one, forward or backward, is a sequence."""


class PinError(PressError):
    """A PIN is not allowed, is wrong, or comes too soon; `says` names the text for people."""


def comparable_pin(pin: str) -> str:
    """Returns a PIN in the form in which it is compared, independent of how a keyboard encodes its characters."""
    return unicodedata.normalize("NFKC", pin).strip().casefold()


def checked_pin(pin: str) -> str:
    """Returns an allowed PIN in the form in which it is compared.

    Raises:
        PinError: it is too short, too long, not printable, or a common one.
    """
    chosen = comparable_pin(pin)
    if not has_allowed_length(chosen):
        raise PinError("expected a PIN of six digits or a word of eight letters, got a shorter one", says="pin_short")
    if is_common(without_signs(chosen)):
        raise PinError("expected a PIN that is hard to guess, got a common one", says="pin_usual")
    return chosen


def pin_typed_twice(form: Mapping[str, str]) -> str:
    """Returns the PIN from a form with two fields for it, as typed.

    Raises:
        PinError: the fields differ.
    """
    if form.get("pin", "") != form.get("again", ""):
        raise PinError("expected the same PIN twice, got two", says="pin_twice")
    return form.get("pin", "")


def has_allowed_length(pin: str) -> bool:
    """Returns whether a PIN has at least six digits, or eight letters and digits, without counting signs.

    False also for one with more than `MOST_CHARACTERS` characters, or with unprintable ones.
    """
    if len(pin) > MOST_CHARACTERS or not pin.isprintable():
        return False
    characters = without_signs(pin)
    letters = sum(not unicodedata.category(character).startswith("M") for character in characters)
    return letters >= (LEAST_DIGITS if characters.isdecimal() else LEAST_LETTERS)


def without_signs(pin: str) -> str:
    """Returns the letters and digits of a PIN."""
    return "".join(character for character in pin if _is_letter(character) or character.isdecimal())


def is_common(pin: str) -> bool:
    """Returns whether a PIN is a common one."""
    if pin in common_pins() or len(set(pin)) < 3:
        return True
    return _is_row(pin) or _is_repetition(pin) or _is_date(pin)


@cache
def common_pins() -> frozenset[str]:
    """Returns the listed common PINs."""
    lines = resources.files("table.dashboard.web.access").joinpath("common_pins.txt").read_text("utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


def _is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LM"


def _is_row(pin: str) -> bool:
    """Returns whether the characters follow each other on a keyboard, in the alphabet, or in steps of equal size."""
    return any(pin in row * 2 or pin[::-1] in row * 2 for row in ROWS) or (pin.isdecimal() and _is_stepped(pin))


def _is_stepped(digits: str) -> bool:
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(digits)}
    return len(steps) == 1


def _is_repetition(pin: str) -> bool:
    """Returns whether it repeats a part (`123123`) or every character (`112233`), or is a palindrome."""
    if any(len(pin) % size == 0 and pin[:size] * (len(pin) // size) == pin for size in range(1, len(pin) // 2 + 1)):
        return True
    return pin[::2] == pin[1::2] or (pin.isdecimal() and pin == pin[::-1])


def _is_date(pin: str) -> bool:
    """Returns whether it is a date in somebody's life, in any order of day, month and year."""
    if not pin.isdecimal() or len(pin) not in (6, 8):
        return False
    if len(pin) == 8:
        orders = ((pin[:4], pin[4:6], pin[6:]), (pin[4:], pin[2:4], pin[:2]), (pin[4:], pin[:2], pin[2:4]))
        return any(_is_day(*order) for order in orders)
    first, middle, last = pin[:2], pin[2:4], pin[4:]
    orders = ((first, middle, last), (last, middle, first), (last, first, middle))
    return any(_is_day(f"{century}{year}", month, day) for year, month, day in orders for century in ("19", "20"))


def _is_day(year: str, month: str, day: str) -> bool:
    try:
        return date(int(year), int(month), int(day)).year in BIRTH_YEARS
    except ValueError:
        return False
