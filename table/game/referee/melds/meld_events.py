"""Finds calls, added kans and closed kans from the groups in the meld corners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from table.game.journal.entries import Source
from table.game.referee import felt_in_seats
from table.game.referee.discards import DiscardFinder
from table.game.referee.findings import Correction, Finding, FoundEvent, Question
from table.game.referee.melds.meld_reading import MeldSeen, guess_meld, new_groups, read_meld, with_red_fives
from table.game.referee.observation import Observation
from table.game.referee.pending_findings import CALL_PATIENCE_NS, PATIENCE_NS, PendingFindings
from table.rules.events import AddedKan, Called, CallKind, ClosedKan, Discarded
from table.rules.state import LaidKind, LaidTile
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.melds import MeldKind
from table.rules.terms.seats import Seat, four, seats_from
from table.rules.terms.tiles import UNKNOWN, Tile
from vision.confidence import ASK_BELOW
from vision.felt import LyingTile, Zone

_CALLS = {MeldKind.CHI: CallKind.CHI, MeldKind.PON: CallKind.PON, MeldKind.OPEN_KAN: CallKind.OPEN_KAN}
LEAST = 0.3
"""Confidence of an unseen discard for a meld with missing tiles."""
GUESSED = 0.5
"""Confidence of an unseen discard that follows from a complete meld."""


class MeldFinder:
    """Finds the melds of one hand."""

    def __init__(self, red: Mapping[str, int]) -> None:
        """Takes the number of red fives of each suit."""
        self._red = red
        self._meld_of: dict[int, int] = {}
        self._waiting = PendingFindings()

    def next(self, observation: Observation, finder: DiscardFinder) -> tuple[Finding, ...]:
        """Returns the next call or kan that the state does not contain yet, if it fits the turn or has waited."""
        for seat in seats_from(observation.expected):
            found = self._added(observation, seat) or self._new(observation, seat, finder)
            if found:
                return found
        return ()

    def _added(self, observation: Observation, seat: Seat) -> tuple[Finding, ...]:
        """Returns an added kan: a known pon that now has four tiles; with a question if one is only supposed on top."""
        seen = felt_in_seats.groups(observation.felt, seat)
        for number, meld in enumerate(observation.hand.melds[seat]):
            group = self._group(seen, number)
            if meld.kind is not MeldKind.PON or len(group) != 4:
                continue
            added = next((tile for tile in group if tile.id not in self._meld_of), group[-1])
            if not self._is_timely(observation, seat, added):
                continue
            self._bind(group, number)
            read = felt_in_seats.tile_of(added)
            tile = read if read.kind == meld.tiles[0].kind else meld.tiles[0].without_red
            kan = observation.found(AddedKan(seat=seat, tile=tile), [added])
            if added.reading.score >= ASK_BELOW or not felt_in_seats.is_on_top(added, group):
                return (kan,)
            return kan, _doubted_kan(observation, seat, tile, added)
        return ()

    def _group(self, seen: Sequence[tuple[LyingTile, ...]], number: int) -> tuple[LyingTile, ...]:
        """Returns the group of a known meld, by its tiles or, after a restart, by its place."""
        for group in seen:
            if any(self._meld_of.get(tile.id) == number for tile in group):
                return group
        unknown = number < len(seen) and not any(tile.id in self._meld_of for tile in seen[number])
        return seen[number] if unknown else ()

    def _new(self, observation: Observation, seat: Seat, finder: DiscardFinder) -> tuple[Finding, ...]:
        seen = felt_in_seats.groups(observation.felt, seat)
        known = len(observation.hand.melds[seat])
        for place in new_groups(frozenset(self._meld_of), seen, known):
            group = seen[place]
            last = observation.hand.claimable_tile
            called = last.tile if last is not None and last.seat != seat else None
            meld = read_meld(group, seat, called)
            if meld is not None:
                found = self._meld_findings(observation, seat, meld, group, finder)
                if found:
                    if not isinstance(found[-1], FoundEvent) or not isinstance(found[-1].event, Discarded):
                        self._bind(group, known)
                    return found
        return self._guessed(observation, seat, finder)

    def _guessed(self, observation: Observation, seat: Seat, finder: DiscardFinder) -> tuple[Finding, ...]:
        """Returns a call with missing tiles whose caller has already discarded.

        A seat that discards out of turn, while the last discard is missing from its river, has called it.
        """
        last = observation.hand.claimable_tile
        loose = [tile for tile in observation.felt.in_zone(seat, Zone.MELD) if tile.id not in self._meld_of]
        if last is None or last.seat == seat or not finder.is_calling(observation):
            return self._guessed_discard(observation, seat, loose, finder)
        if not loose and seat is last.seat.next:
            return ()  # it may just as well have drawn
        if not finder.rivers.new_tiles(observation.hand, seat, observation.felt):
            return ()
        meld = guess_meld(loose, last.tile)
        if meld is None or (meld.kind is MeldKind.CHI and seat is not last.seat.next):
            return ()
        if (
            not self._waiting.is_ripe(("guess", seat, last.laid_index), observation.now_ns, PATIENCE_NS // 2)
            and not observation.is_press
        ):
            return ()
        self._bind(loose, len(observation.hand.melds[seat]))
        (call,) = self._called(observation, seat, meld, last)
        return (replace(call, source=Source.INFERRED),) if isinstance(call, FoundEvent) else ()

    def _guessed_discard(
        self, observation: Observation, seat: Seat, loose: Sequence[LyingTile], finder: DiscardFinder
    ) -> tuple[Finding, ...]:
        """Returns an unseen discard, inferred from a partial meld of a seat that discarded out of turn."""
        giver = observation.expected
        fresh = finder.rivers.new_tiles(observation.hand, seat, observation.felt)
        if len(loose) not in (1, 2) or giver == seat or not fresh:
            return ()
        if finder.rivers.new_tiles(observation.hand, giver, observation.felt):
            return ()
        turned = [felt_in_seats.tile_of(tile) for tile in loose if tile.is_sideways]
        kinds = {felt_in_seats.tile_of(tile).without_red for tile in loose}
        tile = turned[0] if turned else kinds.pop() if len(kinds) == 1 and len(loose) == 2 else UNKNOWN
        event = Discarded(seat=giver, tile=tile)
        evidence = felt_in_seats.ids(loose)
        return (
            FoundEvent(
                event=event, source=Source.INFERRED, frame=observation.frame, confidence=LEAST, evidence=evidence
            ),
        )

    def _meld_findings(
        self, observation: Observation, seat: Seat, meld: MeldSeen, group: Sequence[LyingTile], finder: DiscardFinder
    ) -> tuple[Finding, ...]:
        if meld.kind is MeldKind.CLOSED_KAN:
            return self._closed(observation, seat, meld, group)
        last = observation.hand.claimable_tile
        if last is not None and self._is_taken(observation, seat, last, meld, finder):
            return self._called(observation, seat, meld, last)
        return self._unseen(observation, seat, meld, finder)

    def _closed(
        self, observation: Observation, seat: Seat, meld: MeldSeen, group: Sequence[LyingTile]
    ) -> tuple[Finding, ...]:
        if not self._is_timely(observation, seat, group[0]):
            return ()
        event = ClosedKan(seat=seat, tiles=four(with_red_fives(meld.tiles, group, self._red)))
        return (
            FoundEvent(
                event=event,
                source=Source.CAMERA,
                frame=observation.frame,
                confidence=meld.confidence,
                evidence=meld.evidence,
            ),
        )

    def _is_timely(self, observation: Observation, seat: Seat, tile: LyingTile) -> bool:
        """Whether a kan from the hand is made in turn, or has waited long enough for the discards before it."""
        if seat == observation.expected or observation.is_press:
            return True
        return self._waiting.is_ripe(("kan", tile.id), observation.now_ns, PATIENCE_NS)

    def _is_taken(
        self, observation: Observation, seat: Seat, last: LaidTile, meld: MeldSeen, finder: DiscardFinder
    ) -> bool:
        """Whether the meld contains the last discard: it left its river, and the meld has that tile or points there."""
        if last.kind is not LaidKind.DISCARD or last.seat == seat:
            return False
        equal = any(tile.kind == last.tile.kind for tile in _may_be_called(meld))
        if finder.is_calling(observation):
            return equal or meld.points_at == last.seat
        return equal and felt_in_seats.is_covered(observation.felt, last.seat, Zone.RIVER)

    def _called(self, observation: Observation, seat: Seat, meld: MeldSeen, last: LaidTile) -> tuple[Finding, ...]:
        """Returns the call, after a correction of the discard if the meld shows that it was misread."""
        right = meld.called_tile
        wrong = right is not None and right.kind != last.tile.kind
        tile = right if right is not None and wrong else last.tile
        call = FoundEvent(
            event=Called(
                seat=seat,
                kind=_CALLS.get(meld.kind, CallKind.PON),
                tile=tile,
                from_seat=last.seat,
                own=_own(meld, tile),
                points_at=meld.points_at,
            ),
            source=Source.CAMERA,
            frame=observation.frame,
            confidence=meld.confidence,
            evidence=meld.evidence,
        )
        if not wrong:
            return (call,)
        correction = Correction(
            discard=observation.hand.discards - 1,
            to=tile,
            source=Source.CAMERA,
            frame=observation.frame,
            confidence=meld.confidence,
            evidence=meld.evidence,
        )
        return (correction, call)

    def _unseen(
        self, observation: Observation, seat: Seat, meld: MeldSeen, finder: DiscardFinder
    ) -> tuple[Finding, ...]:
        """Returns the unseen discard of a tile that was called; the next step finds the call."""
        giver = meld.points_at
        if giver is None or giver == seat or meld.called_tile is None or not meld.called_tile.is_known:
            return ()
        if finder.rivers.new_tiles(observation.hand, giver, observation.felt):
            return ()
        # A tile that lies in a meld will not be seen in a river any more: only a wrong turn makes it wait.
        is_due = giver == observation.expected or observation.is_press
        if not is_due and not self._waiting.is_ripe(("unseen", *meld.evidence), observation.now_ns, CALL_PATIENCE_NS):
            return ()
        return (
            FoundEvent(
                event=Discarded(seat=giver, tile=meld.called_tile),
                source=Source.INFERRED,
                frame=observation.frame,
                confidence=min(GUESSED, meld.confidence),
                evidence=meld.evidence,
            ),
        )

    def _bind(self, group: Sequence[LyingTile], number: int) -> None:
        for tile in group:
            self._meld_of[tile.id] = number


def _doubted_kan(observation: Observation, seat: Seat, tile: Tile, added: LyingTile) -> Question:
    return Question(
        id=AnnouncementId.DOUBT,
        seat=seat,
        tile=tile,
        about="added_kan",
        frame=observation.frame,
        evidence=felt_in_seats.ids([added]),
    )


def _may_be_called(meld: MeldSeen) -> tuple[Tile, ...]:
    """Returns the tiles that may have been called: the turned one, or all if none is turned."""
    return meld.tiles if meld.called_tile is None else (meld.called_tile,)


def _own(meld: MeldSeen, called: Tile) -> tuple[Tile, ...]:
    """Returns the tiles from the caller's hand; the tile of an added kan seen at once is reported later."""
    own = meld.own(called)
    return own[:2] if meld.kind is MeldKind.ADDED_KAN else own
