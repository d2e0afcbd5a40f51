"""Enums that events share, and the check of their fields."""

from __future__ import annotations

from enum import Enum

from table.rules.terms.rule_errors import InvalidValueError


class Origin(Enum):
    """Where a discarded tile came from."""

    HAND = "hand"
    DRAWN = "drawn"
    UNKNOWN = "unknown"


class CallKind(Enum):
    """A call of another seat's discard, with its names in mjai and in tenhou.net/6 melds."""

    _value_: str
    mjai: str
    tenhou: str

    CHI = "chi", "chi", "c"
    PON = "pon", "pon", "p"
    OPEN_KAN = "open_kan", "daiminkan", "m"

    def __new__(cls, word: str, mjai: str = "", tenhou: str = "") -> CallKind:
        """Makes the word the value."""
        kind = object.__new__(cls)
        kind._value_, kind.mjai, kind.tenhou = word, mjai, tenhou
        return kind


class WinKind(Enum):
    """How a win is claimed."""

    RON = "ron"
    TSUMO = "tsumo"


def expect(condition: bool, expected: str, got: object) -> None:
    """Raises `InvalidValueError` unless `condition` is true; the message names what was expected and found."""
    if not condition:
        raise InvalidValueError(f"expected {expected}, got {got!r:.80}")
