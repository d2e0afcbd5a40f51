"""Indicators: how many dora indicators are due and count, and who may turn ura (R34).

An indicator turned before it is due is no foul, since many tables turn it at once, but a win before that moment does
not count it: a robbed kan turns none, and a tsumo on the replacement tile of an open kan comes before its discard.
"""

from __future__ import annotations

from typing import Final

from table.rules.draft import Draft
from table.rules.events import DoraTurned, UraTurned
from table.rules.state import Claimable, LaidKind
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile

MOST_KANS: Final = 4
"""Number of kans for which the dead wall has an indicator."""


def turned(draft: Draft, event: DoraTurned) -> None:
    """Adds an indicator; raises a suspicion if there are more than the kans require."""
    draft.dora_indicators = (*draft.dora_indicators, event.indicator)
    robbed = _robbed(draft)
    allowed = 1 + (len(draft.kans) * draft.rules.kan_dora if robbed is None else robbed.dora_due)
    if len(draft.dora_indicators) > allowed:
        seat = draft.kans[-1] if draft.kans else draft.start.dealer
        draft.suspect(
            "7-06-04", seat, f"{len(draft.dora_indicators)} dora indicators were turned after {len(draft.kans)} kans"
        )
    draft.values = (None,) * 4


def kan_made(draft: Draft) -> None:
    """Makes the indicators of all kans before the newest due, since the next kan ends their waiting."""
    _make_due(draft, len(draft.kans) - 1)


def kan_stands(draft: Draft, *, is_closed: bool) -> None:
    """Makes the newest kan's indicator due: a closed kan's immediately, others' if the rules say so."""
    if is_closed or draft.rules.open_kan_dora == "at_once":
        _make_due(draft, len(draft.kans))


def passes(draft: Draft, laid: Claimable) -> None:
    """Makes all indicators due once a discard has passed; that of an added kan as soon as nobody robbed it."""
    if laid.kind is LaidKind.DISCARD:
        _make_due(draft, len(draft.kans))
    elif laid.kind is LaidKind.ADDED_KAN:
        kan_stands(draft, is_closed=False)


def missing(draft: Draft) -> int:
    """Returns how many due indicators have not been turned."""
    claimed = _claimed(draft)
    due = draft.dora_due if claimed is None else claimed.dora_due
    return max(0, 1 + due - len(draft.dora_indicators))


def counted(draft: Draft) -> tuple[Tile, ...]:
    """Returns the indicators that count for a win, excluding one turned for the robbed kan or turned too early."""
    if (robbed := _robbed(draft)) is not None:
        return draft.dora_indicators[: 1 + robbed.dora_due]
    if draft.is_replacement and any(claim.laid is None for claim in draft.claims):
        return draft.dora_indicators[: 1 + draft.dora_due]
    return draft.dora_indicators


def ura_wanted(draft: Draft) -> int:
    """Returns how many ura indicators a riichi winner may turn."""
    if not draft.rules.ura_dora:
        return 0
    indicators = len(counted(draft))
    return indicators if draft.rules.kan_ura else min(1, indicators)


def ura_turned(draft: Draft, event: UraTurned) -> None:
    """Adds the ura indicators; raises a suspicion if they were turned by somebody who did not win in riichi."""
    if event.seat not in draft.ura_by:
        draft.ura_by = (*draft.ura_by, event.seat)
    draft.ura = event.indicators
    draft.values = (None,) * 4
    if not _may_turn(draft, event.seat):
        draft.suspect("R34", event.seat, "ura indicators were turned without a win in riichi")


def _make_due(draft: Draft, kans: int) -> None:
    if draft.rules.kan_dora and draft.dora_due != kans:
        draft.dora_due = min(MOST_KANS, kans)


def _claimed(draft: Draft) -> Claimable | None:
    """Returns the tile of a claimed ron."""
    return draft.claims[0].laid if draft.claims else None


def _robbed(draft: Draft) -> Claimable | None:
    """Returns the kan tile of a claimed ron."""
    laid = _claimed(draft)
    return laid if laid is not None and laid.kind.is_kan else None


def _may_turn(draft: Draft, seat: Seat) -> bool:
    return draft.riichi[seat].is_declared and any(claim.seat is seat for claim in draft.claims)
