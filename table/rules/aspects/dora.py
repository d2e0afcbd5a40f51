"""Indicators: how many dora indicators are due, which ones count, and who may turn ura (R34).

Indicators are in the order of the dead wall, so a win counts the first one and as many more as were due when its tile
was laid or drawn. Others that were turned do not count: too early, after the winning tile, without a kan, or for a kan
that is void or was put back. An indicator turned too early is no foul, since many tables turn it at once; it counts as
soon as it is due.
"""

from __future__ import annotations

from typing import Final

from table.rules.draft import Draft
from table.rules.events import DoraTurned, UraTurned
from table.rules.state import HandState, LaidKind, LaidTile, Phase
from table.rules.terms.amounts import amount
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile

MOST_KANS: Final = 4
"""Number of kans for which the dead wall has an indicator."""


def on_dora_turned(draft: Draft, event: DoraTurned) -> None:
    """Adds an indicator; one too many belongs to an unseen kan if play went unseen, and raises a suspicion if not."""
    draft.dora_indicators = (*draft.dora_indicators, event.indicator)
    kan_tile = _robbed_tile(draft)
    allowed = 1 + (len(draft.kans) * draft.rules.kan_dora if kan_tile is None else kan_tile.dora_due)
    if len(draft.dora_indicators) > allowed and draft.unseen_from is not None:
        _make_due(draft, len(draft.dora_indicators) - 1)
    elif len(draft.dora_indicators) > allowed:
        seat = draft.kans[-1] if draft.kans else draft.start.dealer
        count, kans = len(draft.dora_indicators), amount(len(draft.kans), "kan")
        draft.suspect(_looking_clause(draft, seat), seat, f"{count} dora indicators were turned after {kans}")
    draft.values = (None,) * 4


def on_kan_made(draft: Draft) -> None:
    """Makes the indicators of all kans before the newest due, since the next kan makes them due in any case."""
    _make_due(draft, len(draft.kans) - 1)


def make_newest_due(draft: Draft, *, is_closed: bool) -> None:
    """Makes the newest kan's indicator due: always for a closed kan, for others if the rules turn it at once."""
    if is_closed or draft.rules.open_kan_dora == "at_once":
        _make_due(draft, len(draft.kans))


def on_discard(draft: Draft) -> None:
    """Makes all indicators due as a discard is laid, if the rules turn them with it."""
    if draft.rules.open_kan_dora == "with_discard":
        _make_due(draft, len(draft.kans))


def on_pass(draft: Draft, laid_tile: LaidTile) -> None:
    """Makes all indicators due once a discard has passed; that of an added kan as soon as nobody robbed it."""
    if laid_tile.kind is LaidKind.DISCARD:
        _make_due(draft, len(draft.kans))
    elif laid_tile.kind is LaidKind.ADDED_KAN:
        make_newest_due(draft, is_closed=False)


def on_discard_missed(draft: Draft) -> None:
    """Makes all indicators due, since a discard that nobody saw must have passed."""
    _make_due(draft, len(draft.kans))


def missing_count(hand: Draft | HandState) -> int:
    """Returns how many due indicators have not been turned."""
    return max(0, 1 + _kan_indicators_due(hand) - len(hand.dora_indicators))


def counting_indicators(hand: Draft | HandState) -> tuple[Tile, ...]:
    """Returns the indicators that count for the claimed win, or for a win now, in the order of the dead wall."""
    return hand.dora_indicators[: 1 + _kan_indicators_due(hand)]


def ura_count(draft: Draft) -> int:
    """Returns how many ura indicators a riichi winner may turn."""
    if not draft.rules.ura_dora:
        return 0
    indicators = len(counting_indicators(draft))
    return indicators if draft.rules.kan_ura else min(1, indicators)


def on_ura_turned(draft: Draft, event: UraTurned) -> None:
    """Adds the ura indicators; raises a suspicion if they were turned before a win (R36), or not by a riichi winner."""
    if event.seat not in draft.ura_by:
        draft.ura_by = (*draft.ura_by, event.seat)
    draft.ura = event.indicators
    draft.values = (None,) * 4
    if draft.phase is Phase.PLAY:
        draft.suspect(_looking_clause(draft, event.seat), event.seat, "ura indicators were turned before a win")
    elif not _may_turn(draft, event.seat):
        draft.suspect("R34", event.seat, "ura indicators were turned without a win in riichi")


def _make_due(draft: Draft, kans: int) -> None:
    if draft.unseen_from is not None:
        kans = max(kans, draft.dora_due)  # some may belong to kans that went unseen
    if draft.rules.kan_dora and draft.dora_due != kans:
        draft.dora_due = min(MOST_KANS, kans)


def _kan_indicators_due(hand: Draft | HandState) -> int:
    """Returns the number of indicators due for kans when the tile of a claimed ron was laid; without a ron, now."""
    ronned_tile = _ronned_tile(hand)
    return hand.dora_due if ronned_tile is None else ronned_tile.dora_due


def _ronned_tile(hand: Draft | HandState) -> LaidTile | None:
    """Returns the tile of a claimed ron."""
    return hand.claims[0].laid_tile if hand.claims else None


def _robbed_tile(draft: Draft) -> LaidTile | None:
    """Returns the kan tile of a claimed ron."""
    ronned_tile = _ronned_tile(draft)
    return ronned_tile if ronned_tile is not None and ronned_tile.kind.is_kan else None


def _looking_clause(draft: Draft, seat: Seat) -> str:
    """Returns the clause about a look at the dead wall: 7-06-05 in riichi, otherwise 7-06-04."""
    return "7-06-05" if draft.riichi[seat].is_declared else "7-06-04"


def _may_turn(draft: Draft, seat: Seat) -> bool:
    return draft.riichi[seat].is_declared and any(claim.seat is seat for claim in draft.claims)
