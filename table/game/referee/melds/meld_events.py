"""Finds calls, added kans and closed kans from the groups in the meld corners."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from table.game.journal.entries import Source
from table.game.referee import felt_in_seats
from table.game.referee.discards import DiscardFinder, before_press, tsumo_seat
from table.game.referee.findings import Correction, Finding, FoundEvent, Question
from table.game.referee.melds.meld_reading import SeenMeld, guess_meld, new_group_indices, read_meld, with_red_fives
from table.game.referee.melds.unseen_order import Place, UnseenCall, place_of
from table.game.referee.observation import Observation
from table.game.referee.pending_findings import CALL_PATIENCE_NS, PATIENCE_NS, PendingFindings
from table.rules.events import AddedKan, Called, CallKind, ClosedKan, Discarded, PutBack, SightLost
from table.rules.fouls.tiles_put_back import has_just_called
from table.rules.state import LaidKind, LaidTile
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.melds import Meld, MeldKind
from table.rules.terms.seats import SEATS, Seat, four, seats_from
from table.rules.terms.tiles import UNKNOWN, Tile
from vision.confidence import ASK_BELOW
from vision.felt import Felt, LyingTile, Zone

_CALLS = {MeldKind.CHI: CallKind.CHI, MeldKind.PON: CallKind.PON, MeldKind.OPEN_KAN: CallKind.OPEN_KAN}
DISCARD_OF_PARTIAL_MELD = 0.3
"""Confidence of an unseen discard for a meld with missing tiles."""
DISCARD_OF_WHOLE_MELD = 0.5
"""Confidence of an unseen discard that follows from a complete meld."""


class MeldFinder:
    """Finds the melds of one hand."""

    def __init__(self, red: Mapping[str, int]) -> None:
        """Takes the number of red fives of each suit."""
        self._red = red
        self.is_order_open = False
        """Whether a call was placed before a riichi of the same look, though the turns leave other places too."""
        self._meld_of: dict[int, int] = {}
        self._pending_findings = PendingFindings()

    def next(self, observation: Observation, finder: DiscardFinder) -> tuple[Finding, ...]:
        """Returns the next call or kan that the state does not contain yet, if it fits the turn or has waited."""
        for seat in seats_from(observation.expected):
            found = self._added_kan(observation, seat) or self._new_meld(observation, seat, finder)
            if found:
                return found
        return ()

    def forget_gone(self, felt: Felt, number: int) -> None:
        """Forgets the tiles of melds with that number which are gone, since such a meld was taken up again."""
        lying_ids = {tile.id for tile in felt.tiles}
        self._meld_of = {tile: meld for tile, meld in self._meld_of.items() if meld != number or tile in lying_ids}

    def late_kan(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns an added kan that came to rest only after its seat's press about a tsumo: its replacement tile won.

        It is put before the press. A tile of an open hand beside the meld is none: the hand would not be whole.
        """
        hand, felt = observation.hand, observation.felt
        seat = tsumo_seat(hand)
        if seat is None or hand.shown_hands[seat] is not None:
            return ()
        is_whole = len(felt_in_seats.open_hand(felt, seat)) in (0, 14 - 3 * len(hand.melds[seat]))
        has_new_four = any(
            len(group) == 4
            and len({felt_in_seats.tile_of(tile).kind for tile in group}) == 1
            and any(tile.id not in self._meld_of for tile in group)
            for group in felt_in_seats.groups(felt, seat)
        )
        found = self._added_kan(observation, seat) if is_whole and has_new_four else ()
        doubt = (observation.found(SightLost(), []),) if hand.is_behind else ()
        return before_press(observation, (*found, *doubt)) if found else ()

    def _added_kan(self, observation: Observation, seat: Seat) -> tuple[Finding, ...]:
        """Returns an added kan: a known pon that now has four tiles; with a question if one only seems to be on top."""
        groups = felt_in_seats.groups(observation.felt, seat)
        for number, meld in enumerate(observation.hand.melds[seat]):
            group = self._group(groups, number)
            if meld.kind is not MeldKind.PON or len(group) != 4:
                continue
            added_tile = next((tile for tile in group if tile.id not in self._meld_of), group[-1])
            if not self._is_timely(observation, seat, added_tile):
                continue
            self._bind(group, number)
            face = felt_in_seats.tile_of(added_tile)
            tile = face if face.kind == meld.tiles[0].kind else meld.tiles[0].without_red
            is_newest = number == len(observation.hand.melds[seat]) - 1
            if is_newest and has_just_called(observation.hand, seat) and not _is_added(added_tile, group):
                return _open_kan(observation, seat, meld, added_tile, tile)
            kan = observation.found(AddedKan(seat=seat, tile=tile), [added_tile])
            if added_tile.reading.score >= ASK_BELOW or not felt_in_seats.is_on_top(added_tile, group):
                return (kan,)
            return kan, _added_kan_question(observation, seat, tile, added_tile)
        return ()

    def _group(self, groups: Sequence[tuple[LyingTile, ...]], number: int) -> tuple[LyingTile, ...]:
        """Returns the group of a known meld, by its tiles or, after a restart, by its place."""
        for group in groups:
            if any(self._meld_of.get(tile.id) == number for tile in group):
                return group
        is_unbound = number < len(groups) and not any(tile.id in self._meld_of for tile in groups[number])
        return groups[number] if is_unbound else ()

    def _new_meld(self, observation: Observation, seat: Seat, finder: DiscardFinder) -> tuple[Finding, ...]:
        groups = felt_in_seats.groups(observation.felt, seat)
        meld_count = len(observation.hand.melds[seat])
        for index in new_group_indices(frozenset(self._meld_of), groups, meld_count):
            group = groups[index]
            last = observation.hand.claimable_tile
            claimable_tile = last.tile if last is not None and last.seat != seat else None
            meld = read_meld(group, seat, claimable_tile, finder.sureness_of_last(observation.hand))
            if meld is not None:
                found = self._meld_findings(observation, seat, meld, group, finder)
                if found:
                    if not isinstance(found[-1], FoundEvent) or not isinstance(found[-1].event, Discarded | PutBack):
                        self._bind(_first_seen(meld, group), meld_count)
                    return found
        return self._guessed_call(observation, seat, finder)

    def _guessed_call(self, observation: Observation, seat: Seat, finder: DiscardFinder) -> tuple[Finding, ...]:
        """Returns a call with missing tiles whose caller has already discarded.

        A seat that discards out of turn, while the last discard is missing from its river, has called it.
        """
        last = observation.hand.claimable_tile
        loose_tiles = [tile for tile in observation.felt.in_zone(seat, Zone.MELD) if tile.id not in self._meld_of]
        if last is None or last.seat == seat or not finder.is_calling(observation):
            return self._guessed_discard(observation, seat, loose_tiles, finder)
        if not loose_tiles and seat is last.seat.next:
            return ()  # it may just as well have drawn
        if not finder.rivers.new_tiles(observation.hand, seat, observation.felt):
            return ()
        meld = guess_meld(loose_tiles, last.tile)
        if meld is None or (meld.kind is MeldKind.CHI and seat is not last.seat.next):
            return ()
        if (
            not self._pending_findings.is_ripe(("guess", seat, last.laid_index), observation.now_ns, PATIENCE_NS // 2)
            and not observation.is_press
        ):
            return ()
        self._bind(loose_tiles, len(observation.hand.melds[seat]))
        (call,) = self._call(observation, seat, meld, last)
        return (replace(call, source=Source.INFERRED),) if isinstance(call, FoundEvent) else ()

    def _guessed_discard(
        self, observation: Observation, seat: Seat, loose_tiles: Sequence[LyingTile], finder: DiscardFinder
    ) -> tuple[Finding, ...]:
        """Returns an unseen discard, inferred from a partial meld of a seat that discarded out of turn."""
        giver = observation.expected
        new_tiles = finder.rivers.new_tiles(observation.hand, seat, observation.felt)
        if len(loose_tiles) not in (1, 2) or giver == seat or not new_tiles:
            return ()
        if finder.rivers.new_tiles(observation.hand, giver, observation.felt):
            return ()
        sideways_tiles = [felt_in_seats.tile_of(tile) for tile in loose_tiles if tile.is_sideways]
        kinds = {felt_in_seats.tile_of(tile).without_red for tile in loose_tiles}
        tile = (
            sideways_tiles[0]
            if sideways_tiles
            else kinds.pop()
            if len(kinds) == 1 and len(loose_tiles) == 2
            else UNKNOWN
        )
        event = Discarded(seat=giver, tile=tile, sideways=finder.was_sideways(observation, giver))
        evidence = felt_in_seats.ids(loose_tiles)
        return (
            FoundEvent(
                event=event,
                source=Source.INFERRED,
                frame=observation.frame,
                confidence=DISCARD_OF_PARTIAL_MELD,
                evidence=evidence,
            ),
        )

    def _meld_findings(
        self, observation: Observation, seat: Seat, meld: SeenMeld, group: Sequence[LyingTile], finder: DiscardFinder
    ) -> tuple[Finding, ...]:
        if meld.kind is MeldKind.CLOSED_KAN:
            return self._closed_kan(observation, seat, meld, group)
        last = observation.hand.claimable_tile
        is_claimed = last is not None and self._is_claimed(observation, seat, last, meld, finder)
        earlier = None if is_claimed and _has_tile(meld, last) else self._late_claimed(observation, seat, meld, finder)
        if earlier is not None:
            return self._late_call(observation, seat, meld, earlier, finder)
        if last is not None and is_claimed:
            return self._call(observation, seat, meld, last)
        return self._unseen_discard(observation, seat, meld, finder)

    def _closed_kan(
        self, observation: Observation, seat: Seat, meld: SeenMeld, group: Sequence[LyingTile]
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
        return self._pending_findings.is_ripe(("kan", tile.id), observation.now_ns, PATIENCE_NS)

    def _is_claimed(
        self, observation: Observation, seat: Seat, last: LaidTile, meld: SeenMeld, finder: DiscardFinder
    ) -> bool:
        """Whether the meld contains the last discard: it left its river, and the meld has that tile or points there."""
        if last.kind is not LaidKind.DISCARD or last.seat == seat:
            return False
        has_tile = _has_tile(meld, last)
        if finder.is_calling(observation):
            return has_tile or meld.points_at == last.seat
        return has_tile and felt_in_seats.is_covered(observation.felt, last.seat, Zone.RIVER)

    def _late_claimed(
        self, observation: Observation, seat: Seat, meld: SeenMeld, finder: DiscardFinder
    ) -> LaidTile | None:
        """Returns the discard before the last one that the meld contains: a call was announced while play went on."""
        hand, felt = observation.hand, observation.felt
        if hand.claimable_tile is None:
            return None
        for giver in sorted(seats_from(seat.next), key=lambda giver: giver is not meld.points_at):
            laid_tile = next((laid for laid in reversed(hand.laid_tiles) if laid.seat is giver), None)
            if laid_tile is None or laid_tile == hand.claimable_tile:
                continue
            missing = finder.rivers.missing_discards(hand, giver, felt)
            is_taken = hand.rivers[giver][-1:] == missing and not felt_in_seats.is_covered(felt, giver, Zone.RIVER)
            is_discard = giver is not seat and laid_tile.kind is LaidKind.DISCARD
            if is_discard and is_taken and _has_tile(meld, laid_tile):
                return laid_tile
        return None

    def _late_call(
        self, observation: Observation, seat: Seat, meld: SeenMeld, earlier: LaidTile, finder: DiscardFinder
    ) -> tuple[Finding, ...]:
        """Returns that the last discard is taken up because of a call of that earlier one, or the call if it stays."""
        last = observation.hand.claimable_tile
        if last is not None and finder.is_calling(observation):
            return (observation.found(PutBack(seat=last.seat), []),)
        has_discarded = bool(finder.rivers.new_tiles(observation.hand, seat, observation.felt))
        patience = PATIENCE_NS if has_discarded else CALL_PATIENCE_NS
        is_ripe = self._pending_findings.is_ripe(("late", *meld.evidence), observation.now_ns, patience)
        return self._call(observation, seat, meld, earlier) if is_ripe or observation.is_press else ()

    def _call(self, observation: Observation, seat: Seat, meld: SeenMeld, last: LaidTile) -> tuple[Finding, ...]:
        """Returns the call, after a correction of the discard if the meld shows that it was misread."""
        called_tile = meld.called_tile
        is_misread = called_tile is not None and called_tile.kind != last.tile.kind
        tile = called_tile if called_tile is not None and is_misread else last.tile
        call = FoundEvent(
            event=Called(
                seat=seat,
                kind=_CALLS.get(meld.kind, CallKind.PON),
                tile=tile,
                from_seat=last.seat,
                own=_own_tiles(meld, tile),
                points_at=meld.points_at,
            ),
            source=Source.CAMERA,
            frame=observation.frame,
            confidence=meld.confidence,
            evidence=meld.evidence,
        )
        if not is_misread:
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

    def _unseen_discard(
        self, observation: Observation, seat: Seat, meld: SeenMeld, finder: DiscardFinder
    ) -> tuple[Finding, ...]:
        """Returns the unseen discard of a tile that was called; the next step finds the call."""
        giver = meld.points_at
        if giver is None or giver == seat or meld.called_tile is None or not meld.called_tile.is_known:
            return ()
        doubt: tuple[Finding, ...] = ()
        if finder.rivers.new_tiles(observation.hand, giver, observation.felt):
            place = self._place_of(observation, UnseenCall(giver, seat), finder)
            if place is Place.LATER:
                return ()
            if place is Place.OPEN:
                self.is_order_open, doubt = True, (observation.found(SightLost(), []),)
        # A tile that lies in a meld will not be seen in a river any more: only a wrong turn makes it wait.
        is_due = giver == observation.expected or observation.is_press
        if not is_due and not self._pending_findings.is_ripe(
            ("unseen", *meld.evidence), observation.now_ns, CALL_PATIENCE_NS
        ):
            return ()
        return (
            *doubt,
            FoundEvent(
                event=Discarded(seat=giver, tile=meld.called_tile, sideways=finder.was_sideways(observation, giver)),
                source=Source.INFERRED,
                frame=observation.frame,
                confidence=min(DISCARD_OF_WHOLE_MELD, meld.confidence),
                evidence=meld.evidence,
            ),
        )

    def _place_of(self, observation: Observation, call: UnseenCall, finder: DiscardFinder) -> Place:
        if call.giver is not observation.expected or finder.is_calling(observation):
            return Place.LATER
        rivers = [finder.rivers.new_tiles(observation.hand, seat, observation.felt) for seat in SEATS]
        return place_of(call, [*self._unseen_calls(observation)], rivers)

    def _unseen_calls(self, observation: Observation) -> Iterator[UnseenCall]:
        for seat in SEATS:
            groups = felt_in_seats.groups(observation.felt, seat)
            for index in new_group_indices(frozenset(self._meld_of), groups, len(observation.hand.melds[seat])):
                meld = read_meld(groups[index], seat, None)
                if meld is not None and meld.points_at is not None:
                    yield UnseenCall(meld.points_at, seat)

    def _bind(self, group: Sequence[LyingTile], number: int) -> None:
        for tile in group:
            self._meld_of[tile.id] = number


def _is_added(tile: LyingTile, group: Sequence[LyingTile]) -> bool:
    """Returns whether a pon's fourth tile lies as an added one does: on top of another, or turned as the called one."""
    return tile.is_sideways or felt_in_seats.is_on_top(tile, group)


def _open_kan(observation: Observation, seat: Seat, pon: Meld, last_tile: LyingTile, tile: Tile) -> tuple[Finding, ...]:
    """Returns the open kan of which three tiles were seen before the fourth: nobody adds a tile right after a call."""
    if pon.called is None or pon.from_seat is None:
        return ()
    own = list(pon.tiles)
    own.remove(pon.called)
    call = Called(
        seat=seat,
        kind=CallKind.OPEN_KAN,
        tile=pon.called,
        from_seat=pon.from_seat,
        own=(*own, tile),
        points_at=pon.from_seat,
    )
    return observation.found(PutBack(seat=seat, meld=True), [last_tile]), observation.found(call, [last_tile])


def _added_kan_question(observation: Observation, seat: Seat, tile: Tile, added_tile: LyingTile) -> Question:
    return Question(
        id=AnnouncementId.DOUBT,
        seat=seat,
        tile=tile,
        subject="added_kan",
        frame=observation.frame,
        evidence=felt_in_seats.ids([added_tile]),
    )


def _has_tile(meld: SeenMeld, laid_tile: LaidTile | None) -> bool:
    """Whether that tile may have been called for the meld: it is the turned one, or any one if none is turned."""
    callable_tiles = meld.tiles if meld.called_tile is None else (meld.called_tile,)
    return laid_tile is not None and any(tile.kind == laid_tile.tile.kind for tile in callable_tiles)


def _first_seen(meld: SeenMeld, group: Sequence[LyingTile]) -> Sequence[LyingTile]:
    """Returns the tiles of a meld that its first event is about: of an added kan seen at once, those of its pon."""
    if meld.kind is not MeldKind.ADDED_KAN:
        return group
    *_, added_tile = (tile for tile in group if tile.is_sideways)
    return [tile for tile in group if tile is not added_tile]


def _own_tiles(meld: SeenMeld, called_tile: Tile) -> tuple[Tile, ...]:
    """Returns the tiles from the caller's hand; the tile of an added kan seen at once is reported later."""
    tiles = meld.own_tiles(called_tile)
    return tiles[:2] if meld.kind is MeldKind.ADDED_KAN else tiles
