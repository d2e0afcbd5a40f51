"""Indicators: how many dora indicators are due, which are those that count, and who may turn ura (R34).

Indicators lie in the order of the dead wall, so a win counts the first and as many more as were due when its tile was
laid or drawn, whatever else was turned: too early, after the tile won on, without a kan, or for a kan that is void or
was put back. An indicator turned too early is no foul, since many tables turn it at once; it counts once it is due.
"""

from __future__ import annotations

from typing import Final

from table.rules.draft import Draft
from table.rules.events import DoraTurned, UraTurned
from table.rules.state import Claimable, HandState, LaidKind
from table.rules.terms.amounts import amount
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile

MOST_KANS: Final = 4
"""Number of kans for which the dead wall has an indicator."""


def on_dora_turned(draft: Draft, event: DoraTurned) -> None:
    """Adds an indicator; more than the kans require are due to a kan that went unseen, if any play did, else asked."""
    draft.dora_indicators = (*draft.dora_indicators, event.indicator)
    robbed = _robbed(draft)
    allowed = 1 + (len(draft.kans) * draft.rules.kan_dora if robbed is None else robbed.dora_due)
    if len(draft.dora_indicators) > allowed and draft.unseen_from is not None:
        _make_due(draft, len(draft.dora_indicators) - 1)
    elif len(draft.dora_indicators) > allowed:
        seat = draft.kans[-1] if draft.kans else draft.start.dealer
        turned, kans = len(draft.dora_indicators), amount(len(draft.kans), "kan")
        draft.suspect("7-06-04", seat, f"{turned} dora indicators were turned after {kans}")
    draft.values = (None,) * 4


def kan_made(draft: Draft) -> None:
    """Makes the indicators of all kans before the newest due, since the next kan ends their waiting."""
    _make_due(draft, len(draft.kans) - 1)


def kan_stands(draft: Draft, *, is_closed: bool) -> None:
    """Makes the newest kan's indicator due: a closed kan's immediately, others' if the rules say so."""
    if is_closed or draft.rules.open_kan_dora == "at_once":
        _make_due(draft, len(draft.kans))


def on_discard(draft: Draft) -> None:
    """Makes all indicators due as a discard is laid, if the rules turn them with it."""
    if draft.rules.open_kan_dora == "with_discard":
        _make_due(draft, len(draft.kans))


def on_pass(draft: Draft, laid: Claimable) -> None:
    """Makes all indicators due once a discard has passed; that of an added kan as soon as nobody robbed it."""
    if laid.kind is LaidKind.DISCARD:
        _make_due(draft, len(draft.kans))
    elif laid.kind is LaidKind.ADDED_KAN:
        kan_stands(draft, is_closed=False)


def discard_missed(draft: Draft) -> None:
    """Makes all indicators due since a discard must have passed that nobody saw."""
    _make_due(draft, len(draft.kans))


def missing(draft: Draft) -> int:
    """Returns how many due indicators have not been turned."""
    return max(0, 1 + _due(draft) - len(draft.dora_indicators))


def counted(hand: Draft | HandState) -> tuple[Tile, ...]:
    """Returns the indicators that count for the claimed win, or for a win now, in the order of the dead wall."""
    return hand.dora_indicators[: 1 + _due(hand)]


def ura_wanted(draft: Draft) -> int:
    """Returns how many ura indicators a riichi winner may turn."""
    if not draft.rules.ura_dora:
        return 0
    indicators = len(counted(draft))
    return indicators if draft.rules.kan_ura else min(1, indicators)


def on_ura_turned(draft: Draft, event: UraTurned) -> None:
    """Adds the ura indicators; raises a suspicion if they were turned by somebody who did not win in riichi."""
    if event.seat not in draft.ura_by:
        draft.ura_by = (*draft.ura_by, event.seat)
    draft.ura = event.indicators
    draft.values = (None,) * 4
    if not _may_turn(draft, event.seat):
        draft.suspect("R34", event.seat, "ura indicators were turned without a win in riichi")


def _make_due(draft: Draft, kans: int) -> None:
    if draft.unseen_from is not None:
        kans = max(kans, draft.dora_due)  # some may be due to kans that went unseen
    if draft.rules.kan_dora and draft.dora_due != kans:
        draft.dora_due = min(MOST_KANS, kans)


def _due(hand: Draft | HandState) -> int:
    """Returns the number of indicators due for kans when the tile of a claimed ron was laid; without a ron, now."""
    claimed = _claimed(hand)
    return hand.dora_due if claimed is None else claimed.dora_due


def _claimed(hand: Draft | HandState) -> Claimable | None:
    """Returns the tile of a claimed ron."""
    return hand.claims[0].laid if hand.claims else None


def _robbed(draft: Draft) -> Claimable | None:
    """Returns the kan tile of a claimed ron."""
    laid = _claimed(draft)
    return laid if laid is not None and laid.kind.is_kan else None


def _may_turn(draft: Draft, seat: Seat) -> bool:
    return draft.riichi[seat].is_declared and any(claim.seat is seat for claim in draft.claims)
