"""Abortive draws: transitions that depend on several seats or aspects at once.

Four riichi, four winds and four kans wait until the tile that completes them has passed; four riichi also waits for the
fourth stick (R66). A ron on that tile takes precedence. The abort is announced as soon as that tile is laid. If the
next seat plays on instead, it is announced that the abort lapses, but people may still call it. Four winds or kans that
are also four riichi end the hand as four riichi, because only then all hands are shown and checked (R68), which
protects those who did nothing wrong. The rule set can switch off each abort.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from table.rules import hand_phase
from table.rules.aspects import first_go_round, ippatsu
from table.rules.aspects.riichi import late_riichi
from table.rules.draft import Draft
from table.rules.events import AbortCalled
from table.rules.penalties.foul_effects import FALSE_WIN
from table.rules.state import Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason
from table.rules.terms.rule_errors import ImpossibleEventError


def find_pending_abort(draft: Draft) -> None:
    """Records the abort, if any, that the last tile completes; it waits until that tile has passed."""
    if draft.pending_abort is not None:
        return
    for reason in PLAY_ABORTS:
        if _is_due(draft, reason):
            hand_phase.await_abort(draft, reason)
            draft.say(AnnouncementId.of_pending(reason), reason.names.rule)
            return


def settle_pending(draft: Draft) -> None:
    """Aborts the hand if the conditions of a pending abort are met: its tile has passed, its stick is placed.

    If four riichi lack only the stick and the same tile completes another abort, the stick is asked for afterwards.
    """
    if draft.pending_abort is None or draft.phase is not Phase.PLAY:
        return
    if _is_complete(draft, draft.pending_abort) or _is_other_complete(draft, draft.pending_abort):
        abort(draft, draft.pending_abort)


def play_on(draft: Draft) -> None:
    """Lets play go on: a complete abort lapses for the rest of the hand; a draw or abort that was called is undone."""
    for reason in PLAY_ABORTS:
        if reason in (draft.abort, draft.pending_abort) and PLAY_ABORTS[reason](draft) and _is_complete(draft, reason):
            draft.lapsed_aborts = (*draft.lapsed_aborts, reason)
            draft.say(AnnouncementId.ABORT_LAPSED, reason.names.rule, reason=reason.value)
            hand_phase.await_abort(draft, None)
    late_riichi.drop_assumed(draft)
    hand_phase.play_on(draft)


def follow_riichi(draft: Draft) -> None:
    """Finds the abort that is due after a foul voided a riichi, or its cancellation restored one."""
    if draft.riichi == draft.hand.riichi:
        return
    if draft.phase is Phase.PLAY:
        find_pending_abort(draft)
        settle_pending(draft)
    elif draft.abort is not AbortReason.FOUR_RIICHI and _is_also_four_riichi(draft, draft.abort):
        abort(draft, AbortReason.FOUR_RIICHI)


def abort(draft: Draft, reason: AbortReason) -> None:
    """Ends play by an abortive draw; until it is confirmed, a ron can still undo it."""
    hand_phase.end(draft, reason)
    ippatsu.on_hand_end(draft)
    draft.say(AnnouncementId.of_abort(reason), reason.names.rule, draft.abort_by)


def call_abort(draft: Draft, event: AbortCalled) -> None:
    """Applies an abort that people call; raises a suspicion if its condition is not met or the rules do not have it.

    Raises:
        ImpossibleEventError: for nagashi mangan, which is a draw and not an abort, and for ends that only fouls cause.
    """
    if event.reason.is_penalty:
        raise ImpossibleEventError(
            f"expected an abortive draw, got {event.reason.value}, which follows from a foul", says="foul_abort"
        )
    if event.reason is AbortReason.NAGASHI:
        raise ImpossibleEventError(
            "expected an abortive draw, got nagashi, which follows from an exhaustive draw", says="draw_only"
        )
    if event.reason is AbortReason.NINE_TERMINALS:
        draft.abort_by = event.seat if event.seat is not None else draft.turn
    _ask_if_unmet(draft, event)
    if event.reason is AbortReason.FOUR_RIICHI and draft.has_gap:
        late_riichi.assume_all(draft)
    reason = AbortReason.FOUR_RIICHI if _is_also_four_riichi(draft, event.reason) else event.reason
    if draft.abort is not reason:
        abort(draft, reason)


def _ask_if_unmet(draft: Draft, event: AbortCalled) -> None:
    reason, abort_name = event.reason, event.reason.value.replace("_", " ")
    if reason in draft.lapsed_aborts:  # it was possible, and is called late
        return
    evidence = f"the rules have no abort by {abort_name}"
    if draft.rules.has_abort(reason):
        if not draft.was_seen or (_is_possible(draft, reason) if draft.has_gap else _is_met(draft, reason)):
            return
        evidence = f"an abort by {abort_name} was called, but the table shows none"
    callers = (event.seat, draft.abort_by, draft.laid_tiles[-1].seat if draft.laid_tiles else None, draft.start.dealer)
    seat = next(caller for caller in callers if caller is not None)
    draft.suspect(FALSE_WIN if reason is AbortReason.NINE_TERMINALS else reason.names.rule, seat, evidence)


def _is_met(draft: Draft, reason: AbortReason) -> bool:
    """Whether the table shows the condition of an abort; an unread tile may be the one that it needs."""
    match reason:
        case AbortReason.NINE_TERMINALS:
            caller = draft.abort_by
            return caller is not None and first_go_round.is_first(draft, caller) and draft.turn is caller
        case AbortReason.FOUR_WINDS:
            return first_go_round.are_four_winds(draft, unread=True)
        case AbortReason.TRIPLE_RON:
            return len(draft.claims) == 3
        case _:
            return PLAY_ABORTS[reason](draft)


def _is_possible(draft: Draft, reason: AbortReason) -> bool:
    """Whether the condition of an abort may be met by missed discards: those on record do not exclude it."""
    match reason:
        case AbortReason.NINE_TERMINALS:
            return draft.abort_by is None or first_go_round.may_be_first(draft, draft.abort_by)
        case AbortReason.FOUR_WINDS:
            return first_go_round.may_be_four_winds(draft)
        case _:
            return True


def _are_four_riichi(draft: Draft) -> bool:
    first, second, third, fourth = draft.riichi
    return first.is_declared and second.is_declared and third.is_declared and fourth.is_declared


def _are_four_kans(draft: Draft) -> bool:
    return len(draft.kans) >= 4 and len(set(draft.kans)) > 1


def _is_complete(draft: Draft, reason: AbortReason) -> bool:
    """Whether the tile that completes an abort has passed, or was called; for four riichi, also its stick is placed."""
    if reason is AbortReason.FOUR_RIICHI:
        return _is_fourth_riichi_complete(draft)
    return draft.claimable_tile is None or _has_discard_passed(draft)


def _is_other_complete(draft: Draft, reason: AbortReason) -> bool:
    """Whether the last discard completes another abort than this one, and has passed."""
    return _has_discard_passed(draft) and any(_is_due(draft, other) for other in PLAY_ABORTS if other is not reason)


def _has_discard_passed(draft: Draft) -> bool:
    """Whether the last tile is a discard that has passed; the tile of a kan completes no abort."""
    return draft.claimable_tile is not None and not draft.claimable_tile.kind.is_kan and draft.has_passed


def _is_due(draft: Draft, reason: AbortReason) -> bool:
    """Whether the table shows the condition of an abort that the rules have and that has not lapsed.

    Four kans end no hand before the discard that follows the last one.
    """
    last = draft.claimable_tile
    if reason is AbortReason.FOUR_KANS and (draft.is_replacement if last is None else last.kind.is_kan):
        return False
    return draft.rules.has_abort(reason) and reason not in draft.lapsed_aborts and PLAY_ABORTS[reason](draft)


def _is_also_four_riichi(draft: Draft, reason: AbortReason | None) -> bool:
    return reason in PLAY_ABORTS and _is_due(draft, AbortReason.FOUR_RIICHI)


def _is_fourth_riichi_complete(draft: Draft) -> bool:
    """Whether the last riichi has passed and its stick is placed; if no tile was seen, that of every riichi."""
    last_index = max((riichi.laid_index for riichi in draft.riichi if riichi.laid_index is not None), default=None)
    return all(riichi.has_passed and riichi.stick_seen for riichi in draft.riichi if riichi.laid_index == last_index)


PLAY_ABORTS: Final[Mapping[AbortReason, Callable[[Draft], bool]]] = {
    AbortReason.FOUR_RIICHI: _are_four_riichi,
    AbortReason.FOUR_WINDS: first_go_round.are_four_winds,
    AbortReason.FOUR_KANS: _are_four_kans,
}
"""Aborts caused by play, in the order in which they are checked, and whether the table shows their conditions."""
