"""Finds discards, sticks and indicators: the changes on the felt during a hand, except melds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from table.game.journal.entries import Source
from table.game.referee import felt_in_seats
from table.game.referee.findings import Correction, Finding, FoundEvent, Question
from table.game.referee.observation import Observation
from table.game.referee.pending_findings import CALL_PATIENCE_NS, PATIENCE_NS, PendingFindings
from table.game.referee.river_matching import Rivers
from table.rules import foul_totals
from table.rules.aspects.tile_copies import RED_FIVES
from table.rules.events import (
    AbortCalled,
    Discarded,
    DoraTurned,
    DrawReached,
    Event,
    StickPlaced,
    StickTakenBack,
    WinClaimed,
    WinKind,
    WinWithdrawn,
)
from table.rules.state import Claim, HandState, LaidKind, Phase, RiverTile
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import SEATS, Seat, seats_from
from table.rules.terms.tiles import COPIES, UNKNOWN, Tile
from vision.confidence import ASK_BELOW
from vision.felt import LyingTile, Zone


class DiscardFinder:
    """Finds the discards, sticks and indicators of one hand."""

    def __init__(self, red: Mapping[str, int], *, old: frozenset[int] = frozenset()) -> None:
        """Takes the number of red fives of each suit, and the tiles that were there before the hand was dealt."""
        self.rivers = Rivers()
        self.named: set[int] = set()
        """The discards whose tiles people named."""
        self._red = red
        self._old = old
        self._waiting = PendingFindings()
        self._sticks_before: list[int] | None = None
        self._penalty_sticks = [0] * len(SEATS)

    def next(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns the next indicator or discard that the state does not contain yet; `stick` finds sticks."""
        return self._dora(observation) or self._overlooked(observation) or self._discard(observation)

    def stick(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns a stick placed or taken back in front of a seat."""
        for seat in seats_from(observation.expected):
            laid = self._own_sticks(observation, seat) > 0
            if laid and not observation.hand.sticks[seat] and self._may_lay(observation, seat):
                return (observation.found(StickPlaced(seat=seat), []),)
            if not laid and observation.hand.sticks[seat] and self._is_taken(observation, seat):
                return (observation.found(StickTakenBack(seat=seat), []),)
        return ()

    def _own_sticks(self, observation: Observation, seat: Seat) -> int:
        """Returns the number of this hand's riichi sticks in front of a seat.

        Sticks from earlier hands were there when it started; a stick without riichi is a deposit for a foul, if any.
        """
        seen = felt_in_seats.sticks(observation.felt, seat)
        if self._sticks_before is None:
            laid = observation.hand.sticks
            self._sticks_before = [
                max(0, felt_in_seats.sticks(observation.felt, each) - laid[each]) for each in sorted(Seat)
            ]
        self._sticks_before[seat] = min(self._sticks_before[seat], seen)
        lying = seen - self._sticks_before[seat]
        if not observation.hand.riichi[seat].is_declared:
            self._penalty_sticks[seat] = min(foul_totals.sticks_laid(observation.hand.fouls, seat), lying)
        return lying - min(self._penalty_sticks[seat], lying)

    def _may_lay(self, observation: Observation, seat: Seat) -> bool:
        """Whether a new stick is a riichi stick: with a declaration, or after waiting for one."""
        if observation.hand.riichi[seat].is_declared or observation.is_press:
            return True
        return self._waiting.is_ripe(("stick", seat), observation.now_ns, PATIENCE_NS)

    def _is_taken(self, observation: Observation, seat: Seat) -> bool:
        if felt_in_seats.is_covered(observation.felt, seat, Zone.STICKS):
            return False
        return self._waiting.is_ripe(("no stick", seat), observation.now_ns, PATIENCE_NS)

    def _dora(self, observation: Observation) -> tuple[Finding, ...]:
        known = observation.hand.dora_indicators
        fresh = [
            tile for tile in unmatched(felt_in_seats.indicators(observation.felt), known) if tile.id not in self._old
        ]
        if not fresh:
            return ()
        tile = fresh[0]
        if _is_indicator_gone(observation):
            return (correction_to(tile, observation.frame, indicator=0),)
        if len(known) > len(observation.hand.kans):
            return ()
        return (observation.found(DoraTurned(indicator=felt_in_seats.tile_of(tile)), [tile]),)

    def _discard(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns the discard that is due, or another one that has waited long enough for an explanation."""
        for seat in seats_from(observation.expected):
            fresh = self.rivers.new_tiles(observation.hand, seat, observation.felt)
            if fresh and (self._is_due(observation, seat) or self._has_waited(observation, fresh[0])):
                return self.report_discard(observation, seat, fresh[0])
        return ()

    def _overlooked(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns a discard that was seen only after its seat's next one, as while the camera moved.

        The next one was taken for it: that one and those after it are corrected, and the last is then a new discard.
        Where more than faces would change, or what people named, it is reported as a discard of now.
        """
        hand = observation.hand
        for seat in seats_from(observation.expected):
            tiles = self.rivers.overlooked(hand, seat, observation.felt)
            if not tiles or not self._has_waited(observation, tiles[0]):
                continue
            known = {self.rivers.discard_of(tile): tile for tile in tiles}
            taken = [discard for discard in hand.rivers[seat] if discard.discard_number in known]
            is_upright = not any(tile.is_sideways for tile in tiles)
            as_read = all(each.tile == felt_in_seats.tile_of(known[each.discard_number]) for each in taken)
            is_named = any(each.discard_number in self.named for each in taken)
            if is_upright and as_read and not is_named and fits(hand, felt_in_seats.tile_of(tiles[0]), self._red):
                return tuple(self._put_right(observation, seat, tiles, taken))
            return self.report_discard(observation, seat, tiles[0])
        return ()

    def _put_right(
        self, observation: Observation, seat: Seat, tiles: Sequence[LyingTile], discards: Sequence[RiverTile]
    ) -> Iterator[Finding]:
        """Yields the corrections by which these last discards of a river are the first of these tiles, and the next."""
        fresh = tiles[len(discards) :]
        for tile in fresh:
            self.rivers.forget(tile)
        for tile, discard in zip(tiles, discards, strict=False):
            self.rivers.bind(tile, discard.discard_number)
            if felt_in_seats.tile_of(tile) != discard.tile:
                yield correction_to(tile, observation.frame, discard=discard.discard_number)
            if tile.reading.score < ASK_BELOW:
                yield asked(AnnouncementId.DOUBT, seat, discard.discard_number, tile, observation.frame)
        yield from self.report_discard(observation, seat, fresh[0])

    def _is_due(self, observation: Observation, seat: Seat) -> bool:
        return seat == observation.expected and not self.is_calling(observation)

    def _has_waited(self, observation: Observation, tile: LyingTile) -> bool:
        """Whether the tile has waited long enough; longer if an arm may cover the explanation."""
        hidden = (
            any(felt_in_seats.is_covered(observation.felt, seat, Zone.MELD) for seat in SEATS)
            if self.is_calling(observation)
            else False
        )
        hidden = hidden or felt_in_seats.is_covered(observation.felt, observation.expected, Zone.RIVER)
        patience = CALL_PATIENCE_NS if hidden else PATIENCE_NS
        return self._waiting.is_ripe(("discard", tile.id), observation.now_ns, patience) or observation.is_press

    def is_calling(self, observation: Observation) -> bool:
        """Whether the last discard is gone from its river although no meld holds it yet."""
        last = observation.hand.claimable_tile
        if last is None or last.kind is not LaidKind.DISCARD:
            return False
        missing = self.rivers.missing(observation.hand, last.seat, observation.felt)
        return any(discard.discard_number == observation.hand.discards - 1 for discard in missing)

    def report_discard(self, observation: Observation, seat: Seat, lying: LyingTile) -> tuple[Finding, ...]:
        """Returns the discard, with a question if its face is uncertain or impossible."""
        read = felt_in_seats.tile_of(lying)
        tile = read if fits(observation.hand, read, self._red) else UNKNOWN
        index = observation.hand.discards
        self.rivers.bind(lying, index)
        ruling = observation.found(Discarded(seat=seat, tile=tile, sideways=lying.is_sideways), [lying])
        if tile.is_known and lying.reading.score >= ASK_BELOW:
            return (ruling,)
        saying = AnnouncementId.IMPOSSIBLE_READING if read.is_known and not tile.is_known else AnnouncementId.DOUBT
        return (ruling, asked(saying, seat, index, lying, observation.frame))


def late_discard(observation: Observation, finder: DiscardFinder) -> tuple[Finding, ...]:
    """Undoes the press, reports the discard, and repeats the press; only while no hand is open.

    Such a discard comes to rest just after the press about it, so it belongs before the press; so do those that a
    camera finds when it is back, unless people have already said whose tile was won on.
    """
    hand = observation.hand
    is_told = any(claim.laid_tile is None and claim.from_seat not in (None, claim.seat) for claim in hand.claims)
    if is_told or any(shown is not None for shown in hand.shown_hands):
        return ()
    seat = _discarder(observation)
    fresh = finder.rivers.new_tiles(hand, seat, observation.felt)
    if not fresh:
        return ()
    back = tuple(_again(observation, WinWithdrawn(seat=claim.seat)) for claim in hand.claims)
    claims = tuple(_again(observation, _claimed(claim)) for claim in hand.claims)
    ends = tuple(_again(observation, event) for event in _ended(hand))
    return (*back, *finder.report_discard(observation, seat, fresh[0]), *claims, *ends)


def _discarder(observation: Observation) -> Seat:
    """Returns the seat whose discard may have been missed: the one before a tsumo, or the next in turn."""
    drew = next((claim.seat for claim in observation.hand.claims if claim.kind is WinKind.TSUMO), None)
    if drew is not None:
        return drew.plus(3)
    last = observation.hand.claimable_tile
    return observation.expected if last is None else last.seat.next


def _ended(hand: HandState) -> Iterator[Event]:
    """Yields the draw or abort that people called; one that the table itself shows is over once play goes on."""
    if hand.phase is not Phase.ENDING:
        return
    if hand.abort is None:
        yield DrawReached(is_watched=hand.is_draw_watched)
    elif not _is_shown(hand, hand.abort):
        yield AbortCalled(reason=hand.abort, seat=hand.abort_by)


def _is_shown(hand: HandState, abort: AbortReason) -> bool:
    """Whether what lies on the table may have caused an abort without anybody's call."""
    match abort:
        case AbortReason.FOUR_RIICHI:
            return all(riichi.is_declared for riichi in hand.riichi)
        case AbortReason.FOUR_WINDS:
            return hand.discards >= len(SEATS)
        case AbortReason.FOUR_KANS:
            return len(hand.kans) >= len(SEATS)
        case AbortReason.NINE_TERMINALS:
            return False
        case _:
            return True


def _claimed(claim: Claim) -> Event:
    return WinClaimed(seat=claim.seat, kind=claim.kind, han=claim.han, fu=claim.fu)


def _again(observation: Observation, event: Event) -> FoundEvent:
    return FoundEvent(event=event, source=Source.PRESS, frame=observation.frame, is_again=True)


def asked(saying: AnnouncementId, seat: Seat, discard: int, lying: LyingTile, frame: int | None) -> Question:
    """Returns a question about the face of a discard."""
    return Question(
        id=saying,
        seat=seat,
        discard=discard,
        tile=felt_in_seats.tile_of(lying),
        alternatives=felt_in_seats.alternatives_of(lying),
        frame=frame,
        evidence=(lying.id,),
    )


def correction_to(
    lying: LyingTile, frame: int | None, *, discard: int | None = None, indicator: int | None = None
) -> Correction:
    """Returns the correction of a discard or a dora indicator, by its number from 0, to the face that lies there."""
    return Correction(
        discard=discard,
        indicator=indicator,
        to=felt_in_seats.tile_of(lying),
        source=Source.CAMERA,
        frame=frame,
        confidence=felt_in_seats.confidence([lying]),
        evidence=(lying.id,),
    )


def fits(hand: HandState, tile: Tile, red: Mapping[str, int]) -> bool:
    """Whether the set has one more copy of that tile; `red` says how many fives of each suit are red."""
    if not tile.is_known:
        return True
    lying = hand.counts[tile.kind]
    if tile.kind not in RED_FIVES:
        return lying < COPIES
    reds, lying_red = red.get(tile.text[1], 0), hand.counts[RED_FIVES[tile.kind]]
    return lying_red < reds if tile.is_red else lying - lying_red < COPIES - reds


def unmatched(seen: Sequence[LyingTile], known: Sequence[Tile]) -> list[LyingTile]:
    """Returns the lying tiles that match none of the known ones."""
    left = Counter(known)
    fresh: list[LyingTile] = []
    for lying in seen:
        tile = felt_in_seats.tile_of(lying)
        if left[tile]:
            left[tile] -= 1
        else:
            fresh.append(lying)
    return fresh


def _is_indicator_gone(observation: Observation) -> bool:
    """Whether a hand without a discard began with a face that is gone: it lay where walls were being built."""
    hand = observation.hand
    if hand.discards or hand.kans or len(hand.dora_indicators) != 1:
        return False
    seen = {felt_in_seats.tile_of(tile) for tile in felt_in_seats.indicators(observation.felt)}
    return hand.dora_indicators[0] not in seen
