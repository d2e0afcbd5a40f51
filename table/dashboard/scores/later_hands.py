"""What a correction of an earlier hand, or of the seating, also changes: other hands, and everybody's points."""

from __future__ import annotations

from collections.abc import Sequence

from table.dashboard.web.view import View
from table.i18n import Catalogue, short_round, signed
from table.rules.events import HandStarted
from table.rules.state import FinishedHand, GameState, HandState
from table.rules.terms.results import Deltas
from table.rules.terms.seats import SEATS, Seat, four


def consequences_view(
    before: GameState,
    after: GameState,
    texts: Catalogue,
    people: Sequence[str],
    *,
    numbers: Sequence[int | None],
    first: int = 0,
    order: Sequence[Seat] = SEATS,
) -> View:
    """Returns a line for each hand, also the next, whose round or payments change, and all points before and after.

    Args:
        before: the game as it is.
        after: the game after the correction.
        texts: the page's language.
        people: one name for each seat, before the correction.
        numbers: the number that each finished hand has after the correction; None if it is no longer part of the game.
        first: the first hand that is compared, counted from 0.
        order: where the person of each seat sits after the correction.
    """
    news = [None if number is None else after.history[number] for number in numbers]
    pairs = list(zip(before.history, news, strict=False))[first:]
    lines = [
        *(_change_line(old, new, order, texts, people) for old, new in pairs),
        _present_hand_change(before, after, texts),
    ]
    return {
        "hands": [line for line in lines if line],
        "scores": [
            {
                "seat": int(seat),
                "name": people[seat],
                "before": signed(before.scores[seat], plus=""),
                "after": signed(after.scores[order[seat]], plus=""),
            }
            for seat in SEATS
        ],
    }


def lost_hand_in_play(before: GameState, after: GameState) -> HandState | None:
    """Returns the hand in play if it no longer counts after a correction, by which the game had ended before it."""
    return before.live if after.live is None else None


def _present_hand_change(before: GameState, after: GameState, texts: Catalogue) -> str:
    """Returns that the hand in play is lost, or how its round and honba, or the next one's, change; empty if not."""
    if (lost_hand := lost_hand_in_play(before, after)) is not None:
        return texts.text("page.hand_lost", hand=_place(lost_hand.start, texts))
    starts = (before.present_start, after.present_start)
    old_place, new_place = ("" if start is None else _place(start, texts) for start in starts)
    return f"{old_place} → {new_place}" if old_place and new_place and old_place != new_place else ""


def _change_line(
    old: FinishedHand, new: FinishedHand | None, order: Sequence[Seat], texts: Catalogue, people: Sequence[str]
) -> str:
    """Returns how a hand changes, in words; empty if it stays as it is."""
    if new is None:
        return texts.text("page.hand_lost", hand=_place(old, texts))
    old_place, new_place = _place(old, texts), _place(new, texts)
    changes = _changed_deltas(_deltas_by_person(old, SEATS), _deltas_by_person(new, order))
    if old_place == new_place and not changes:
        return ""
    place = old_place if old_place == new_place else f"{old_place} → {new_place}"
    payments = [f"{people[seat]} {signed(one)} → {signed(other)}" for seat, one, other in changes]
    return texts.labelled(place, texts.list_text(payments)) if payments else place


def _deltas_by_person(hand: FinishedHand, order: Sequence[Seat]) -> Deltas | None:
    """Returns what each person gains or pays in a hand; `order` has the seat of each."""
    return None if hand.settlement is None else four(hand.settlement.deltas[seat] for seat in order)


def _changed_deltas(old: Deltas | None, new: Deltas | None) -> list[tuple[Seat, int, int]]:
    """Returns the seats whose payments change, each with the old and the new one; none where they are unknown."""
    if old is None or new is None:
        return []
    return [(seat, old[seat], new[seat]) for seat in SEATS if old[seat] != new[seat]]


def _place(hand: FinishedHand | HandStarted, texts: Catalogue) -> str:
    name = short_round(hand.round, texts)
    return f"{name}-{hand.honba}" if hand.honba else name
