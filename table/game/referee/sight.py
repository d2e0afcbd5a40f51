"""Finds proof that nothing was missed while the camera was away: the felt shows everything as it is on record.

One discard may still have been made: the seat in turn may have discarded a tile that its winner has already lifted. So
until the next tile is laid, a ron may be on a tile that nobody saw, and people are asked who dealt in, unless only one
seat can have: nobody wins on their own tile, and if the last tile on record is gone from its river, that is the one
that was lifted.
"""

from __future__ import annotations

from collections.abc import Iterator

from table.game.commands.game_commands import ClaimRon
from table.game.journal.entries import Source
from table.game.referee import felt_in_seats
from table.game.referee.findings import Finding, FoundEvent
from table.game.referee.observation import Observation
from table.game.referee.pending_findings import PATIENCE_NS, PendingFindings
from table.game.referee.river_matching import uncalled_discards
from table.rules.aspects import gaps
from table.rules.events import Event, HandStarted, SightLost, SightProven, WinClaimed, WinWithdrawn
from table.rules.state import HandState, LaidKind, Phase
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import Tile
from vision.felt import LyingTile, Zone

_PUBLIC_ZONES = (Zone.RIVER, Zone.MELD)


class SightFinder:
    """Finds proof that the gap of a hand hides nothing.

    It takes two looks, `PATIENCE_NS` apart: the first one after a loss may still show what was believed before. An open
    hand proves nothing, since its winning tile may have been taken from a river.
    """

    def __init__(self) -> None:
        self._pending_findings = PendingFindings()
        self._proven_moment: tuple[HandStarted, int] | None = None

    def reset(self) -> None:
        """Forgets the looks before the camera was lost."""
        self._pending_findings.clear()
        self._proven_moment = None

    def next(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns the proof if this look completes it; only for what the camera shows now, not for a press."""
        if not gaps.may_be_proven(observation.hand):
            return ()
        is_whole = all(_lies_as_recorded(observation, seat) for seat in SEATS)
        if not is_whole and not _is_last_lifted(observation):
            self._pending_findings.clear()
            return ()
        if not self._is_ripe(observation) or not is_whole:
            return ()
        if observation.hand.is_behind:
            self._proven_moment = _moment(observation.hand)
        return (observation.found(SightProven(), []),)

    def findings_before_ron(self, press: ClaimRon, observation: Observation) -> Iterator[Finding]:
        """Yields what a ron before the next tile shows about a gap; the press names its `discarder` if that is known.

        If the tile won on may be one that nobody saw, the gap opens again. If it is the last one on record, nothing
        went unseen, and claims that were made before this was known are made anew.
        """
        hand, is_doubted = observation.hand, self._proven_moment == _moment(observation.hand)
        is_on_last = _is_on_last(observation, press.discarder)
        if hand.phase is Phase.PLAY and not hand.is_behind:
            if is_doubted and not is_on_last:
                yield _table_finding(observation, SightLost())
        elif hand.phase is Phase.PLAY:
            if is_on_last and self._is_lifted(observation):
                yield _table_finding(observation, SightProven())
        elif hand.is_behind and is_doubted and is_on_last and not any(hand.shown_hands):
            yield from _renewed_claims(observation)

    def sole_discarder(self, press: ClaimRon, observation: Observation) -> Seat | None:
        """Returns the only seat whose tile can have been won on, or the one that people name; None if more can."""
        hand, last = observation.hand, observation.hand.claimable_tile
        is_discarder_named = press.discarder is not None or any(claim.from_seat is not None for claim in hand.claims)
        is_lifted = self._is_lifted(observation)
        if is_discarder_named or hand.phase is Phase.ENDING or not (is_lifted or self._proven_moment == _moment(hand)):
            return press.discarder
        sources = set() if last is None else {last.seat}
        if not is_lifted:
            sources.add(observation.expected)
        sources -= {press.seat, *(claim.seat for claim in hand.claims)}
        return sources.pop() if len(sources) == 1 else None

    def _is_lifted(self, observation: Observation) -> bool:
        """Whether the felt proves that nothing went unseen, and that the last discard has been lifted by its winner."""
        is_proof = not observation.hand.has_gap or gaps.may_be_proven(observation.hand)
        return is_proof and _is_last_lifted(observation) and self._is_ripe(observation)

    def _is_ripe(self, observation: Observation) -> bool:
        return self._pending_findings.is_ripe(observation.hand.start, observation.now_ns, PATIENCE_NS)


def _moment(hand: HandState) -> tuple[HandStarted, int]:
    """Returns a value that stays the same until the next tile is laid."""
    return hand.start, len(hand.laid_tiles)


def _table_finding(observation: Observation, event: Event) -> FoundEvent:
    return FoundEvent(event=event, source=Source.TABLE, frame=observation.frame)


def _renewed_claims(observation: Observation) -> Iterator[FoundEvent]:
    """Yields the claims anew, on the last tile on record, since nothing went unseen."""
    claims, last = observation.hand.claims, observation.hand.claimable_tile
    source = None if last is None else last.seat
    for claim in claims:
        yield _table_finding(observation, WinWithdrawn(seat=claim.seat))
    yield _table_finding(observation, SightProven())
    for claim in claims:
        renewed_claim = WinClaimed(seat=claim.seat, kind=claim.kind, from_seat=source, han=claim.han, fu=claim.fu)
        yield _table_finding(observation, renewed_claim)


def _is_on_last(observation: Observation, source: Seat | None) -> bool:
    """Whether a ron on this seat's tile is one on the last discard on record."""
    last = observation.hand.claimable_tile
    return last is not None and last.kind is LaidKind.DISCARD and source is last.seat


def _is_last_lifted(observation: Observation) -> bool:
    """Whether the felt is as on record except for the last discard, gone from its river: a winner has lifted it."""
    last = observation.hand.claimable_tile
    if last is None or last.kind is not LaidKind.DISCARD:
        return False
    return all(_lies_as_recorded(observation, seat, lifted_from=last.seat) for seat in SEATS)


def _lies_as_recorded(observation: Observation, seat: Seat, *, lifted_from: Seat | None = None) -> bool:
    """Whether a seat's river and melds are seen, and are those on record, and its hand is not open.

    With `lifted_from`, the last tile of that seat's river must be gone, and a hand may be open: it has the tile.
    """
    hand, felt = observation.hand, observation.felt
    if any(felt_in_seats.is_covered(felt, seat, zone) for zone in _PUBLIC_ZONES):
        return False
    if lifted_from is None and felt_in_seats.open_hand(felt, seat):
        return False
    river, discards = felt_in_seats.river(felt, seat), uncalled_discards(hand, seat)
    if seat is lifted_from:
        discards = discards[:-1]
    groups, melds = felt_in_seats.groups(felt, seat), hand.melds[seat]
    return (
        len(river) == len(discards)
        and all(_may_be(tile, discard.tile) for tile, discard in zip(river, discards, strict=True))
        and [len(group) for group in groups] == [len(meld.tiles) for meld in melds]
    )


def _may_be(lying_tile: LyingTile, discarded_tile: Tile) -> bool:
    """Whether both are of the same kind, or the face of one of them is unknown."""
    tile = felt_in_seats.tile_of(lying_tile)
    return tile.kind == discarded_tile.kind or not (tile.is_known and discarded_tile.is_known)
