"""Finds a call or kan that was put back: it was void or a mistake, or a pon or kan overruled a chi."""

from __future__ import annotations

from typing import Final

from table.game.referee import felt_in_seats
from table.game.referee.discards import DiscardFinder
from table.game.referee.findings import Finding
from table.game.referee.melds.meld_events import MeldFinder
from table.game.referee.melds.meld_reading import read_meld
from table.game.referee.observation import Observation
from table.game.referee.pending_findings import PATIENCE_NS, PendingFindings
from table.rules.events import Called, CallKind, PutBack
from table.rules.fouls.tiles_put_back import has_just_called, last_act
from table.rules.state import LaidKind
from table.rules.terms.melds import Meld, MeldKind
from table.rules.terms.seats import SEATS, Seat
from vision.felt import Zone

_LEAST_TILES: Final = 3
"""The fewest tiles of a meld: one whose called tile is back in its river has fewer."""
_BEFORE_CHI = {MeldKind.PON: CallKind.PON, MeldKind.OPEN_KAN: CallKind.OPEN_KAN}


class PutBackFinder:
    """Finds the calls and kans of one hand that were put back."""

    def __init__(self, discards: DiscardFinder, melds: MeldFinder) -> None:
        """Takes the finders of discards and melds, which know the tiles of rivers and melds."""
        self._rivers = discards.rivers
        self._melds = melds
        self._pending_findings = PendingFindings()
        self._whole_added_kan: int | None = None
        """The `laid_index` of the last added kan that was seen whole, its fourth tile beside the others."""

    def next(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns that the last kan or call was put back, or the pon or kan that took its tile."""
        return self._kan_put_back(observation) or self._call_put_back(observation)

    def _kan_put_back(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns that a kan from the hand was taken up again before its indicator was turned and a tile discarded."""
        hand = observation.hand
        kan, before = hand.claimable_tile, hand.before_act
        if kan is None or before is None or felt_in_seats.is_covered(observation.felt, kan.seat, Zone.MELD):
            return ()
        if kan.kind is LaidKind.CLOSED_KAN:
            is_gone = self._is_closed_kan_gone(observation, kan.seat)
        else:
            is_gone = kan.kind is LaidKind.ADDED_KAN and self._is_added_tile_gone(observation, kan.seat)
        if not is_gone or len(hand.dora_indicators) > len(before.dora_indicators):
            return ()
        self._melds.forget_gone(observation.felt, len(hand.melds[kan.seat]) - 1)
        return (observation.found(PutBack(seat=kan.seat, meld=True), []),)

    def _is_closed_kan_gone(self, observation: Observation, seat: Seat) -> bool:
        """Whether the seat's newest meld, a closed kan, has been away for a while, or its next discard lies there."""
        hand, groups = observation.hand, felt_in_seats.groups(observation.felt, seat)
        kinds = {tile.kind for tile in hand.melds[seat][-1].tiles if tile.is_known}
        key = ("kan", seat, len(hand.laid_tiles))
        lies_there = any(felt_in_seats.tile_of(tile).kind in kinds for group in groups for tile in group)
        if lies_there or len(groups) != len(hand.melds[seat]) - 1 or any(len(group) < _LEAST_TILES for group in groups):
            self._pending_findings.forget(key)
            return False
        is_ripe = self._pending_findings.is_ripe(key, observation.now_ns, PATIENCE_NS)
        return is_ripe or observation.is_press or self._has_next_discard(observation, seat)

    def _is_added_tile_gone(self, observation: Observation, seat: Seat) -> bool:
        """Whether the pon lies without its fourth tile, and the seat has discarded: nobody robbed that tile."""
        hand, groups = observation.hand, felt_in_seats.groups(observation.felt, seat)
        laid_index = len(hand.laid_tiles) - 1
        kind = hand.laid_tiles[laid_index].tile.kind
        group = next((group for group in groups if any(felt_in_seats.tile_of(tile).kind == kind for tile in group)), ())
        if len(group) > _LEAST_TILES and not any(felt_in_seats.is_on_top(tile, group) for tile in group):
            self._whole_added_kan = laid_index
        is_gone = len(group) == _LEAST_TILES and self._whole_added_kan == laid_index
        return is_gone and self._has_next_discard(observation, seat)

    def _has_next_discard(self, observation: Observation, seat: Seat) -> bool:
        return bool(self._rivers.new_tiles(observation.hand, seat, observation.felt))

    def _call_put_back(self, observation: Observation) -> tuple[Finding, ...]:
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
