"""Penalties that are settled at the end of a game, in fields of our own of game records.

Other programs ignore them: `penalties_at_end` has the points that each seat pays to the first place, which the final
points include, `penalties_after_uma` those that it loses after uma, `places_lost` how many places it is moved down.
`before_last_hand` has, in the same fields, those of them for fouls before the last hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from table.records.formats.checked_values import four_numbers, object_of
from table.rules.penalties.consequence import Due
from table.rules.penalties.effect_terms import Op
from table.rules.terms.seats import SEATS

FIELDS: Final[Mapping[str, Op]] = {
    "penalties_at_end": Op.UNIT_DEDUCT,
    "penalties_after_uma": Op.AFTER_UMA,
    "places_lost": Op.LOWER_RANK,
}

EARLIER: Final = "before_last_hand"


def late_dues(dues: Sequence[Due]) -> tuple[Due, ...]:
    """Returns those of a game's dues that a record carries, one for each seat and kind."""
    sums = {
        (op, seat): sum(due.amount for due in dues if due.op is op and due.seat is seat)
        for op in FIELDS.values()
        for seat in SEATS
    }
    return tuple(Due(seat=seat, op=op, amount=amount) for (op, seat), amount in sums.items() if amount)


def late_fields(
    dues: Sequence[Due], by_seat: Callable[[Sequence[Any]], list[Any]], *, earlier: Sequence[Due] = ()
) -> dict[str, Any]:
    """Returns dues as fields of a record, with their values in the order of `by_seat`; empty without dues.

    Those in `earlier` are the dues before the last hand.
    """
    amounts = {
        name: [sum(due.amount for due in dues if due.op is op and due.seat is seat) for seat in SEATS]
        for name, op in FIELDS.items()
    }
    fields: dict[str, Any] = {name: by_seat(values) for name, values in amounts.items() if any(values)}
    return {**fields, EARLIER: late_fields(earlier, by_seat)} if earlier else fields


def dues_in(fields: Mapping[str, Any]) -> tuple[Due, ...]:
    """Returns the dues in the fields of a record.

    Raises:
        RecordError: a field does not hold four numbers.
    """
    return tuple(
        Due(seat=seat, op=op, amount=amount)
        for name, op in FIELDS.items()
        if fields.get(name) is not None
        for seat, amount in zip(SEATS, four_numbers(fields[name], name), strict=True)
        if amount
    )


def earlier_dues_in(fields: Mapping[str, Any]) -> tuple[Due, ...]:
    """Returns the dues before the last hand in the fields of a record; none if it does not say.

    Raises:
        RecordError: a field does not hold four numbers.
    """
    return dues_in(object_of(fields[EARLIER], EARLIER)) if fields.get(EARLIER) is not None else ()
