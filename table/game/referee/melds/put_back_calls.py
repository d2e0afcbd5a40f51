"""Finds a call that was put back: it was void or a mistake, or a pon or kan overruled a chi."""

from __future__ import annotations

from typing import Final

from table.game.referee import felt_in_seats
from table.game.referee.discards import DiscardFinder
from table.game.referee.findings import Finding
from table.game.referee.melds.meld_reading import read_meld
from table.game.referee.observation import Observation
from table.game.referee.pending_findings import PATIENCE_NS, PendingFindings
from table.rules.events import Called, CallKind, PutBack
from table.rules.fouls.tiles_put_back import has_just_called, last_act
from table.rules.terms.melds import Meld, MeldKind
from table.rules.terms.seats import SEATS, Seat
from vision.felt import Zone

_LEAST_TILES: Final = 3
"""The fewest tiles of a meld: one whose called tile is back in its river has fewer."""
_BEFORE_CHI = {MeldKind.PON: CallKind.PON, MeldKind.OPEN_KAN: CallKind.OPEN_KAN}


class PutBackFinder:
    """Finds the calls of one hand that were put back."""

    def __init__(self, finder: DiscardFinder) -> None:
        """Takes the finder of discards, which knows the tiles of the rivers."""
        self._rivers = finder.rivers
        self._pending_findings = PendingFindings()

    def next(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns that the last call was put back, or the pon or kan that took its tile, once its meld is gone.

        The caller may have discarded already; that tile then goes back too.
        """
        last = last_act(observation.hand)
        if last is None:
            return ()
        seat, has_discarded = last[0], not last[1]
        with_call = observation.hand.before_act if has_discarded else observation.hand
        if with_call is None or not has_just_called(with_call, seat):
            return ()
        meld, giver = observation.hand.melds[seat][-1], observation.hand.melds[seat][-1].from_seat
        whole_groups = [group for group in felt_in_seats.groups(observation.felt, seat) if len(group) >= _LEAST_TILES]
        is_meld_complete = len(whole_groups) >= len(observation.hand.melds[seat])
        if giver is None or is_meld_complete or felt_in_seats.is_covered(observation.felt, seat, Zone.MELD):
            return ()
        put_back = self._put_back(observation, seat, meld, giver, has_discarded=has_discarded)
        return put_back or (() if has_discarded else self._superseding_call(observation, seat, meld, giver))

    def _put_back(
        self, observation: Observation, seat: Seat, meld: Meld, giver: Seat, *, has_discarded: bool
    ) -> tuple[Finding, ...]:
        new_tiles = self._rivers.new_tiles(observation.hand, giver, observation.felt)
        if (
            not new_tiles
            or felt_in_seats.tile_of(new_tiles[0]).kind != _called_kind(meld)
            or not self._is_ripe(observation, seat)
        ):
            return ()
        self._rivers.bind(new_tiles[0], observation.hand.rivers[giver][-1].discard_number)
        discard = (observation.found(PutBack(seat=seat), new_tiles[:1]),) if has_discarded else ()
        return (*discard, observation.found(PutBack(seat=seat, meld=True), new_tiles[:1]))

    def _superseding_call(self, observation: Observation, seat: Seat, meld: Meld, giver: Seat) -> tuple[Finding, ...]:
        """Returns another seat's call of the same tile, which overrules this chi, once it has lain there a while."""
        if meld.kind is not MeldKind.CHI:
            return ()
        for other in SEATS:
            groups = felt_in_seats.groups(observation.felt, other)
            if other in (seat, giver) or len(groups) <= len(observation.hand.melds[other]):
                continue
            seen_meld = read_meld(groups[-1], other, meld.called)
            if seen_meld is None or seen_meld.kind not in _BEFORE_CHI:
                continue
            if seen_meld.tiles[0].kind != _called_kind(meld) or not self._is_ripe(observation, other):
                continue
            tile = seen_meld.called_tile or seen_meld.tiles[0]
            call = Called(
                seat=other,
                kind=_BEFORE_CHI[seen_meld.kind],
                tile=tile,
                from_seat=giver,
                own=seen_meld.own_tiles(tile),
                points_at=seen_meld.points_at,
            )
            return (observation.found(call, groups[-1]),)
        return ()

    def _is_ripe(self, observation: Observation, seat: Seat) -> bool:
        key = (seat, observation.hand.discards)
        return self._pending_findings.is_ripe(key, observation.now_ns, PATIENCE_NS // 2) or observation.is_press


def _called_kind(meld: Meld) -> int | None:
    return None if meld.called is None else meld.called.kind
