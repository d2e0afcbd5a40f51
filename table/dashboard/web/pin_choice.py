"""Checks PINs: at least six digits, or a word of at least eight letters in any script, and no common one.

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
MOST: Final = 64
"""Digits or letters of a PIN at most."""
BORN: Final = range(1920, 2030)
"""Years in which a date is somebody's."""
ROWS: Final = (
    *("01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm"),
    *("abcdefghijklmnopqrstuvwxyz", "1qaz2wsx3edc4rfv", "147258369", "159357", "159753", "一二三四五六七八九十"),
    *("あいうえおかきくけこさしすせそ", "いろはにほへとちりぬるを", "가나다라마바사아자차카타파하"),
)
"""Keys and letters as they follow each other; a PIN that is a part of one, or of one backwards, is a row."""


class PinError(PressError):
    """A PIN that cannot be chosen, is wrong, or comes too soon; `says` tells people which."""


def plain(pin: str) -> str:
    """Returns a PIN as it is compared: however a keyboard wrote its digits and letters."""
    return unicodedata.normalize("NFKC", pin).strip().casefold()


def check_choice(pin: str) -> str:
    """Returns a PIN that may be chosen, as it is compared.

    Raises:
        PinError: it is too short, or one that is tried first.
    """
    chosen = plain(pin)
    if not is_long_enough(chosen):
        raise PinError("expected a PIN of six digits or a word of eight letters, got a shorter one", says="pin_short")
    if is_usual(chosen):
        raise PinError("expected a PIN that nobody guesses first, got a usual one", says="pin_usual")
    return chosen


def typed_twice(form: Mapping[str, str]) -> str:
    """Returns the PIN of a form that asks for it twice, as it was typed.

    Raises:
        PinError: the two differ.
    """
    if form.get("pin", "") != form.get("again", ""):
        raise PinError("expected the same PIN twice, got two", says="pin_twice")
    return form.get("pin", "")


def is_long_enough(pin: str) -> bool:
    """Whether a PIN has six digits, or eight letters with or without digits among them, and nothing else."""
    if len(pin) > MOST or not all(_is_letter(each) or each.isdecimal() for each in pin):
        return False
    letters = sum(not unicodedata.category(each).startswith("M") for each in pin)
    return letters >= (LEAST_DIGITS if pin.isdecimal() else LEAST_LETTERS)


def is_usual(pin: str) -> bool:
    """Whether a PIN is one that is tried first."""
    if pin in usual_pins() or len(set(pin)) < 3:
        return True
    return _is_row(pin) or _is_repetition(pin) or _is_date(pin)


@cache
def usual_pins() -> frozenset[str]:
    """The listed PINs that are tried first."""
    lines = resources.files("table.dashboard.web").joinpath("usual_pins.txt").read_text("utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


def _is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LM"


def _is_row(pin: str) -> bool:
    """Whether each character follows the one before as on keys, in the alphabet, or in steps of one length."""
    return any(pin in row * 2 or pin[::-1] in row * 2 for row in ROWS) or (pin.isdecimal() and _is_stepped(pin))


def _is_stepped(digits: str) -> bool:
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(digits)}
    return len(steps) == 1


def _is_repetition(pin: str) -> bool:
    """Whether a part of it comes again and again (`123123`), every character twice (`112233`), or it is a mirror."""
    if any(len(pin) % size == 0 and pin[:size] * (len(pin) // size) == pin for size in range(1, len(pin) // 2 + 1)):
        return True
    return (len(pin) % 2 == 0 and pin[::2] == pin[1::2]) or (pin.isdecimal() and pin == pin[::-1])


def _is_date(pin: str) -> bool:
    """Whether it is a day in somebody's life, in any order of day, month and year."""
    if not pin.isdecimal() or len(pin) not in (6, 8):
        return False
    if len(pin) == 8:
        orders = ((pin[:4], pin[4:6], pin[6:]), (pin[4:], pin[2:4], pin[:2]), (pin[4:], pin[:2], pin[2:4]))
        return any(_is_day(*each) for each in orders)
    first, middle, last = pin[:2], pin[2:4], pin[4:]
    orders = ((first, middle, last), (last, middle, first), (last, first, middle))
    return any(_is_day(f"{century}{year}", month, day) for year, month, day in orders for century in ("19", "20"))


def _is_day(year: str, month: str, day: str) -> bool:
    try:
        return date(int(year), int(month), int(day)).year in BORN
    except ValueError:
        return False
