"""Joint transitions: what depends on several seats or aspects at once, all in one place.

Four riichi, four winds and four kans wait until the tile that completes them has passed; four riichi also for the
fourth stick (R66). A ron on that tile comes first. Each can be off in the rule set.
"""

from __future__ import annotations

from typing import Final

from table.rules.announcements import Saying
from table.rules.aspects import go_round
from table.rules.errors import ImpossibleEventError
from table.rules.events import AbortCalled
from table.rules.hand import Draft
from table.rules.results import AbortReason
from table.rules.state import Phase

_SAYINGS: Final = {
    AbortReason.FOUR_RIICHI: (Saying.FOUR_RIICHI_ABORT, "R66"),
    AbortReason.FOUR_WINDS: (Saying.FOUR_WINDS_ABORT, "four winds"),
    AbortReason.FOUR_KANS: (Saying.FOUR_KANS_ABORT, "four kans"),
    AbortReason.NINE_TERMINALS: (Saying.NINE_TERMINALS_ABORT, "nine terminals"),
    AbortReason.TRIPLE_RON: (Saying.TRIPLE_RON_ABORT, "D13"),
}


def look(draft: Draft) -> None:
    """Sees whether the tile just laid completes an abort, which then waits for it to pass."""
    if draft.pending is not None:
        return
    if draft.rules.four_winds and go_round.are_four_winds(draft):
        draft.pending = AbortReason.FOUR_WINDS
    elif _are_four_kans(draft):
        draft.pending = AbortReason.FOUR_KANS
    elif draft.rules.four_riichi and _are_four_riichi(draft):
        draft.pending = AbortReason.FOUR_RIICHI
        draft.say(Saying.FOUR_RIICHI_PENDING, "R66")


def settle_pending(draft: Draft) -> None:
    """Aborts the hand if everything that a pending abort waited for is there: the tile has passed, the stick lies."""
    if draft.pending is None or draft.phase is not Phase.PLAY:
        return
    if draft.pending is not AbortReason.FOUR_RIICHI or _is_fourth_riichi_complete(draft):
        abort(draft, draft.pending)


def abort(draft: Draft, reason: AbortReason) -> None:
    """Ends play by an abortive draw; until it is confirmed, a ron can still take it back."""
    saying, rule = _SAYINGS[reason]
    draft.phase, draft.abort, draft.pending = Phase.ENDING, reason, None
    draft.say(saying, rule, draft.abort_by)


def abort_called(draft: Draft, event: AbortCalled) -> None:
    """Takes an abort that people call.

    Raises:
        ImpossibleEventError: for nagashi mangan, which is a draw and not an abort, and for what only fouls bring about.
    """
    if event.reason.is_penalty:
        raise ImpossibleEventError(f"expected an abortive draw, got {event.reason.value}, which follows from a foul")
    if event.reason is AbortReason.NAGASHI:
        raise ImpossibleEventError("expected an abortive draw, got nagashi, which follows from an exhaustive draw")
    if event.reason is AbortReason.NINE_TERMINALS:
        draft.abort_by = event.seat if event.seat is not None else draft.turn
        _check_nine_terminals(draft)
    if draft.abort is not event.reason:
        abort(draft, event.reason)


def _check_nine_terminals(draft: Draft) -> None:
    seat = draft.abort_by
    if seat is None:
        return
    is_first = go_round.is_first(draft, seat) and draft.turn is seat
    if not is_first or not draft.rules.nine_terminals:
        draft.suspect(
            "7-05-01", seat, "nine terminals were called other than at the first own draw, or the rules have none"
        )


def _are_four_riichi(draft: Draft) -> bool:
    first, second, third, fourth = draft.riichi
    return first.is_declared and second.is_declared and third.is_declared and fourth.is_declared


def _are_four_kans(draft: Draft) -> bool:
    return draft.rules.four_kans and len(draft.kans) >= 4 and len(set(draft.kans)) > 1


def _is_fourth_riichi_complete(draft: Draft) -> bool:
    last = max(draft.riichi, key=lambda each: -1 if each.place is None else each.place)
    return last.has_passed and last.stick_seen
