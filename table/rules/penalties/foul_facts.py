"""Known facts about a foul: who did what, yes-or-no facts, counts, and the values of the other hands.

People enter facts as short texts (`deliberate`, `not restorable`, `exposed=3`, `breaker=2`, `outside=1`), and the table
adds those that it saw. An unknown fact becomes a question and is never assumed. If the rule set leaves the payment for
a chombo to the referee, the ruling is a fact too: `7-01=a`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from table.rules.penalties.effect_terms import Condition, Count, Fact, FoulRole, one_of
from table.rules.terms.results import NOTHING, Deltas
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import SEATS, Seat

OUTSIDE: Final = "outside"
"""The fact that counts the players of the group who sit out this game."""
CHOMBO_PAYMENT: Final = "7-01"
"""The clause of a chombo's cost; as a fact, its value is the letter of the option that the referee chose this once."""
MOST_DIGITS: Final = 3
"""The most digits of an entered number; no count exceeds the number of tiles in a set."""
_NUMBERS: Final = {OUTSIDE: None, **{count.value: None for count in Count}, **{role.value: None for role in FoulRole}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """The win that an opponent's hand could have made."""

    most: int = 0
    """Points of its most valuable win, by ron; by tsumo if only that wins or only that is a yakuman."""
    most_without_luck: int = 0
    """The same without luck yaku: ippatsu and ura dora."""
    is_live: bool = False
    """Whether it could still win: a tile of its wait is left, and would win."""
    is_yakuman: bool = False
    """Whether one of its wins is a yakuman, even if only by tsumo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All facts that the consequence of a foul can depend on."""

    dealer: Seat
    scores: Deltas = (25000, 25000, 25000, 25000)
    """Points by seat when the foul is found."""
    stick_points: Deltas = NOTHING
    """Points by seat that are on the table as riichi sticks of this hand, not counted in `scores`."""
    end_target: int | None = None
    """The points with which the first place ends the game if the deal passes after this hand; None if none do."""
    answers: Mapping[Fact, bool] = field(default_factory=dict)
    counts: Mapping[Count, int] = field(default_factory=dict)
    roles: Mapping[FoulRole, Seat] = field(default_factory=dict)
    """The seat of each role except the offender."""
    outside: int = 0
    """The number of players of the group who sit out."""
    worths: Mapping[Seat, Worth] = field(default_factory=dict)
    """The values of open hands."""
    chombo_payment: str | None = None
    """The option of 7-01 by the referee's ruling, where the rule set chooses none; None without a ruling."""

    def with_facts(self, texts: Iterable[str]) -> Facts:
        """Returns these facts with those that people gave, which take precedence over those seen.

        Raises:
            InvalidValueError: for a text that is not a fact; the message suggests the nearest.
        """
        answers, counts, roles, outside = dict(self.answers), dict(self.counts), dict(self.roles), self.outside
        ruling = self.chombo_payment
        for text in texts:
            name, is_number, number = text.partition("=")
            if not is_number:
                condition = check_fact(text)
                if condition is not None and condition.fact is not None:
                    answers[condition.fact] = condition.wanted
                continue
            check_fact(text)
            if name == CHOMBO_PAYMENT:
                ruling = number
            elif name == OUTSIDE:
                outside = int(number)
            elif name in [count.value for count in Count]:
                counts[Count(name)] = int(number)
            else:
                roles[FoulRole(name)] = SEATS[int(number)]
        return replace(self, answers=answers, counts=counts, roles=roles, outside=outside, chombo_payment=ruling)

    def holds(self, condition: Condition) -> bool | None:
        """Whether a condition is fulfilled; None if unknown."""
        if condition.fact is not None:
            answer = self.answers.get(condition.fact)
            return None if answer is None else answer is condition.wanted
        if condition.count is None or (count := self.counts.get(condition.count)) is None:
            return None
        return count <= condition.limit if condition.at_most else count >= condition.limit

    def seat_of(self, who: FoulRole, offender: Seat) -> Seat | None:
        """Returns the seat with that role; None if unknown."""
        return offender if who is FoulRole.OFFENDER else self.roles.get(who)


def reseated_fact(text: str, order: Sequence[Seat]) -> str:
    """Returns a fact with the seat that it names, if any, replaced by `order[seat]`."""
    name, _, number = text.partition("=")
    return f"{name}={int(order[int(number)])}" if name in {role.value for role in FoulRole} else text


def check_fact(text: str) -> Condition | None:
    """Reads one fact as people enter it; returns None for a number, a role or a ruling.

    Raises:
        InvalidValueError: if the text is not a fact.
    """
    name, has_number, number = text.partition("=")
    if not has_number:
        return Condition.parse(text)
    if name == CHOMBO_PAYMENT:
        if not number:
            raise InvalidValueError(f"expected an option of {CHOMBO_PAYMENT} in {text!r:.80}, got none")
        return None
    if name not in _NUMBERS:
        one_of(Fact, name, "a fact", also=_NUMBERS)
    is_part = name not in (OUTSIDE, *(count.value for count in Count))
    is_number = number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS
    if not is_number or (is_part and int(number) > 3):
        expected = "a seat from 0 to 3" if is_part else "a number"
        raise InvalidValueError(f"expected {expected} in {text!r:.80}, got {number!r:.80}")
    return None
