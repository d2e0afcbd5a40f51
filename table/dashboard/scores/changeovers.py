"""Where somebody else sat down during a game, for the score sheet: earlier hands belong to the former player."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from table.dashboard.web.view import View
from table.game.journal.entries import Names
from table.i18n import Catalogue, addressed, lasting_name
from table.rules.terms.seats import SEATS, Seat


class Changeover(NamedTuple):
    """Somebody else sits down at a seat."""

    hand: int
    """The first hand that they play, from 0; if they have finished none yet, the hand in play or the next one."""
    seat: Seat
    former_name: str
    """Who sat there before; empty if unknown."""
    new_name: str


def changeovers(hand_names: Sequence[Names], names: Names) -> list[Changeover]:
    """Returns where somebody else sat down, oldest first.

    Args:
        hand_names: who sat at the seats in each finished hand.
        names: who sits there now, or at the end.
    """
    return [
        Changeover(hand, seat, before[seat], after[seat])
        for hand, (before, after) in enumerate(pairwise([*hand_names, names]), start=1)
        for seat in SEATS
        if before[seat] != after[seat]
    ]


def changeovers_view(hand_names: Sequence[Names], names: Names, texts: Catalogue) -> list[View]:
    """Returns a line for each change: before which hand, and who sat down for whom."""

    def called(name: str, seat: Seat) -> str:
        return addressed(lasting_name(name, seat, texts), texts)

    return [
        {
            "hand": hand,
            "text": texts.text("page.took_over", came=called(new_name, seat), left=called(former_name, seat)),
        }
        for hand, seat, former_name, new_name in changeovers(hand_names, names)
    ]


def sitters(seat: Seat, hand_names: Sequence[Names], names: Names) -> list[str]:
    """Returns everybody who sat at a seat, in order of their hands."""
    first = (hand_names[0] if hand_names else names)[seat]
    return [first, *(changeover.new_name for changeover in changeovers(hand_names, names) if changeover.seat is seat)]
