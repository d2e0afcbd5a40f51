"""Indicators: how many dora indicators should lie, and who may turn ura (R34)."""

from __future__ import annotations

from table.rules.events import DoraTurned, UraTurned
from table.rules.hand import Draft
from table.rules.seats import Seat
from table.rules.state import Claimable, LaidKind


def turned(draft: Draft, event: DoraTurned) -> None:
    """Adds an indicator; asks if there are more than kans call for."""
    draft.dora_indicators = (*draft.dora_indicators, event.indicator)
    allowed = 1 + len(draft.kans) * draft.rules.kan_dora
    if len(draft.dora_indicators) > allowed:
        seat = draft.kans[-1] if draft.kans else draft.start.dealer
        draft.suspect("7-06-04", seat, f"{len(draft.dora_indicators)} dora indicators lie after {len(draft.kans)} kans")
    draft.values = (None,) * 4


def kan_made(draft: Draft, *, is_closed: bool) -> None:
    """Makes an indicator due at once for a closed kan, and for others where the rules say so."""
    if draft.rules.kan_dora and (is_closed or draft.rules.open_kan_dora == "at_once"):
        draft.dora_due += 1


def passes(draft: Draft, laid: Claimable) -> None:
    """Makes all indicators due once a discard has passed after the last kan."""
    if laid.kind is LaidKind.DISCARD and draft.rules.kan_dora:
        draft.dora_due = len(draft.kans)


def missing(draft: Draft) -> int:
    """Returns how many indicators should lie and do not."""
    return max(0, 1 + draft.dora_due - len(draft.dora_indicators))


def ura_wanted(draft: Draft) -> int:
    """Returns how many ura indicators a riichi winner may turn."""
    if not draft.rules.ura_dora:
        return 0
    return len(draft.dora_indicators) if draft.rules.kan_ura else min(1, len(draft.dora_indicators))


def ura_turned(draft: Draft, event: UraTurned) -> None:
    """Takes the ura indicators; asks if somebody turned them who is no winner in riichi."""
    if event.seat not in draft.ura_by:
        draft.ura_by = (*draft.ura_by, event.seat)
    draft.ura = event.indicators
    draft.values = (None,) * 4
    if not _may_turn(draft, event.seat):
        draft.suspect("R34", event.seat, "ura indicators were turned without a win in riichi")


def _may_turn(draft: Draft, seat: Seat) -> bool:
    return draft.riichi[seat].is_declared and any(claim.seat is seat for claim in draft.claims)
