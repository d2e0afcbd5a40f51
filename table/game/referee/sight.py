"""Finds that nothing was missed while the camera was away: all lies on the felt as it is on record."""

from __future__ import annotations

from table.game.referee import felt_in_seats
from table.game.referee.findings import Finding
from table.game.referee.observation import Observation
from table.game.referee.pending_findings import PATIENCE_NS, PendingFindings
from table.game.referee.river_matching import lying
from table.rules.aspects import gaps
from table.rules.events import SightProven
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import Tile
from vision.felt import LyingTile, Zone

_SHOWN = (Zone.RIVER, Zone.MELD)


class SightFinder:
    """Finds that the gap of a hand hides nothing.

    Two looks must show it, with `PATIENCE_NS` between them: the first one after a loss may still show what was believed
    before. An open hand proves nothing, since its winning tile may have been taken from a river.
    """

    def __init__(self) -> None:
        self._agreeing = PendingFindings()

    def lose(self) -> None:
        """Forgets the looks before the camera was lost."""
        self._agreeing.clear()

    def next(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns the proof if this look completes it; only for what the camera shows now, not for a press."""
        if not gaps.may_be_proven(observation.hand):
            return ()
        if not all(_lies_as_recorded(observation, seat) for seat in SEATS):
            self._agreeing.clear()
            return ()
        is_proven = self._agreeing.is_ripe(observation.hand.start, observation.now_ns, PATIENCE_NS)
        return (observation.found(SightProven(), []),) if is_proven else ()


def _lies_as_recorded(observation: Observation, seat: Seat) -> bool:
    """Whether a seat's river and melds are seen, and are those on record, and its hand is not open."""
    hand, felt = observation.hand, observation.felt
    if any(felt_in_seats.is_covered(felt, seat, zone) for zone in _SHOWN) or felt_in_seats.open_hand(felt, seat):
        return False
    seen, recorded = felt_in_seats.river(felt, seat), lying(hand, seat)
    groups, melds = felt_in_seats.groups(felt, seat), hand.melds[seat]
    return (
        len(seen) == len(recorded)
        and all(_may_be(tile, discard.tile) for tile, discard in zip(seen, recorded, strict=True))
        and [len(group) for group in groups] == [len(meld.tiles) for meld in melds]
    )


def _may_be(seen: LyingTile, recorded: Tile) -> bool:
    """Whether these are of the same kind, or the face of one is not known."""
    tile = felt_in_seats.tile_of(seen)
    return tile.kind == recorded.kind or not (tile.is_known and recorded.is_known)
