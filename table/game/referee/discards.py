"""Finds discards, sticks and indicators: the changes on the felt during a hand, except melds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count

from table.game.journal.entries import Source
from table.game.referee import felt_in_seats
from table.game.referee.findings import Correction, Finding, FoundEvent, Question
from table.game.referee.observation import Observation
from table.game.referee.pending_findings import CALL_PATIENCE_NS, PATIENCE_NS, PendingFindings
from table.game.referee.river_matching import Rivers
from table.rules import foul_totals
from table.rules.aspects.tile_copies import RED_FIVES, with_tile
from table.rules.events import (
    AbortCalled,
    Discarded,
    DoraTurned,
    DrawReached,
    Event,
    PutBack,
    SightLost,
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

    def __init__(self, red: Mapping[str, int], *, old_ids: frozenset[int] = frozenset()) -> None:
        """Takes the number of red fives of each suit, and the tiles that were there before the hand was dealt."""
        self.rivers = Rivers()
        self.named_discards: set[int] = set()
        """The discards whose tiles people named."""
        self._red = red
        self._old_ids = old_ids
        self._pending_findings = PendingFindings()
        self._sticks_before: list[int] | None = None
        self._penalty_sticks = [0] * len(SEATS)

    def next(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns the next indicator or discard that the state does not contain yet; `stick` finds sticks."""
        return (
            self._indicator(observation)
            or self._turned_discard(observation)
            or self._replaced_discard(observation)
            or self._overlooked_discard(observation)
            or self._discard(observation)
        )

    def stick(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns a stick placed or taken back in front of a seat."""
        for seat in seats_from(observation.expected):
            has_stick, had_stick = self._own_sticks(observation, seat) > 0, observation.hand.sticks[seat]
            if has_stick == had_stick:
                self._pending_findings.forget(("stick", seat))
                self._pending_findings.forget(("no stick", seat))
            elif has_stick and self._is_riichi_stick(observation, seat):
                return (observation.found(StickPlaced(seat=seat), []),)
            elif had_stick and self._is_taken_back(observation, seat):
                return (observation.found(StickTakenBack(seat=seat), []),)
        return ()

    def was_sideways(self, observation: Observation, seat: Seat) -> bool:
        """Whether a discard of the seat that was first seen in a meld must have lain sideways in its river.

        It declared riichi if riichi was announced or a stick laid, but not that of a riichi that a foul withdrew, or it
        replaced a called riichi tile.
        """
        hand, riichi = observation.hand, observation.hand.riichi[seat]
        if riichi.is_declared:
            return hand.sideways_due[seat]
        if riichi.upright_laid_index is not None or any(meld.is_open for meld in hand.melds[seat]):
            return False
        if self.rivers.new_tiles(hand, seat, observation.felt):
            return False  # the sideways one among them declared it
        return riichi.is_voiced or (not riichi.stick_seen and self._own_sticks(observation, seat) > 0)

    def _own_sticks(self, observation: Observation, seat: Seat) -> int:
        """Returns the number of this hand's riichi sticks in front of a seat.

        Sticks from earlier hands were there when it started; a stick without riichi is a deposit for a foul, if any.
        """
        stick_count = felt_in_seats.sticks(observation.felt, seat)
        if self._sticks_before is None:
            laid_sticks = observation.hand.sticks
            self._sticks_before = [
                max(0, felt_in_seats.sticks(observation.felt, owner) - laid_sticks[owner]) for owner in sorted(Seat)
            ]
        self._sticks_before[seat] = min(self._sticks_before[seat], stick_count)
        new_sticks = stick_count - self._sticks_before[seat]
        if not observation.hand.riichi[seat].is_declared:
            self._penalty_sticks[seat] = min(foul_totals.sticks_laid(observation.hand.fouls, seat), new_sticks)
        return new_sticks - min(self._penalty_sticks[seat], new_sticks)

    def _is_riichi_stick(self, observation: Observation, seat: Seat) -> bool:
        """Whether a new stick is a riichi stick: with a declaration, or after waiting for one."""
        if observation.hand.riichi[seat].is_declared or observation.is_press:
            return True
        return self._pending_findings.is_ripe(("stick", seat), observation.now_ns, PATIENCE_NS)

    def _is_taken_back(self, observation: Observation, seat: Seat) -> bool:
        if felt_in_seats.is_covered(observation.felt, seat, Zone.STICKS):
            return False
        return self._pending_findings.is_ripe(("no stick", seat), observation.now_ns, PATIENCE_NS)

    def _indicator(self, observation: Observation) -> tuple[Finding, ...]:
        known_indicators = observation.hand.dora_indicators
        new_tiles = [
            tile
            for tile in unmatched_tiles(felt_in_seats.indicators(observation.felt), known_indicators)
            if tile.id not in self._old_ids
        ]
        if not new_tiles:
            return ()
        tile = new_tiles[0]
        if _is_indicator_gone(observation):
            return (correction_to(tile, observation.frame, indicator=0),)
        if len(known_indicators) > len(observation.hand.kans):
            return ()
        return found_indicator(observation, tile, self._red)

    def _discard(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns the discard that is due, or another one that has waited long enough for an explanation.

        A tile like one that is missing from its river has only been moved, unless people act on it at once.
        """
        for seat in seats_from(observation.expected):
            new_tiles = self.rivers.new_tiles(observation.hand, seat, observation.felt)
            if not new_tiles:
                continue
            tile, is_due = new_tiles[0], self._is_due(observation, seat)
            moved = self.rivers.moved_discard(observation.hand, seat, tile, observation.felt)
            if not (is_due and moved is None) and not self._has_waited(observation, tile):
                continue
            if moved is None or (is_due and observation.is_press):
                return self.report_discard(observation, seat, tile)
            self.rivers.bind(tile, moved.discard_number)
        return ()

    def _replaced_discard(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns that the last discard is put back, if its player has taken it up and laid another tile instead.

        If it was called instead, the seat before that player has discarded since.
        """
        hand, last = observation.hand, observation.hand.claimable_tile
        if last is None or hand.is_behind or not self.is_calling(observation):
            return ()
        new_tiles = self.rivers.new_tiles(hand, last.seat, observation.felt)
        has_seat_before_played = bool(self.rivers.new_tiles(hand, last.seat.plus(3), observation.felt))
        if not new_tiles or has_seat_before_played or not self._has_waited(observation, new_tiles[0]):
            return ()
        return (observation.found(PutBack(seat=last.seat), new_tiles[:1]),)

    def _turned_discard(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns that the last discard is put back and laid again, if it was turned by a quarter where it lies.

        Until the next act, its player may declare riichi with it, or straighten a tile that was laid askew.
        """
        hand, last = observation.hand, observation.hand.claimable_tile
        is_open = last is not None and last.kind is LaidKind.DISCARD and not hand.has_passed and not hand.is_behind
        if last is None or hand.before_act is None or not is_open:
            return ()
        discard, missing = hand.rivers[last.seat][-1], self.rivers.missing_discards(hand, last.seat, observation.felt)
        tiles = felt_in_seats.river(observation.felt, last.seat)
        tile = next((tile for tile in tiles if self.rivers.discard_of(tile) == discard.discard_number), None)
        if discard in missing or tile is None or tile.is_sideways == discard.sideways:
            return ()
        put_back = observation.found(PutBack(seat=last.seat), [tile])
        if discard.discard_number in self.named_discards:
            named = Discarded(seat=last.seat, tile=discard.tile, sideways=tile.is_sideways)
            return put_back, observation.found(named, [tile])
        return put_back, *self.report_discard(replace(observation, hand=hand.before_act), last.seat, tile)

    def _overlooked_discard(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns a discard that was seen only after its seat's next one, as while the camera moved.

        The next one was taken for it, so that one and those after it are corrected, and the last becomes a new discard.
        If more than faces would change, or a tile that people named, the tile is reported as a discard made now.
        """
        hand = observation.hand
        for seat in seats_from(observation.expected):
            tiles = self.rivers.overlooked_tiles(hand, seat, observation.felt)
            if not tiles or not self._has_waited(observation, tiles[0]):
                continue
            tile_of_discard = {self.rivers.discard_of(tile): tile for tile in tiles}
            later_discards = [discard for discard in hand.rivers[seat] if discard.discard_number in tile_of_discard]
            is_upright = not any(tile.is_sideways for tile in tiles)
            are_as_read = all(
                discard.tile == felt_in_seats.tile_of(tile_of_discard[discard.discard_number])
                for discard in later_discards
            )
            is_named = any(discard.discard_number in self.named_discards for discard in later_discards)
            if (
                is_upright
                and are_as_read
                and not is_named
                and has_copy_left(hand, felt_in_seats.tile_of(tiles[0]), self._red)
            ):
                return tuple(self._shifted_discards(observation, seat, tiles, later_discards))
            return self.report_discard(observation, seat, tiles[0])
        return ()

    def _shifted_discards(
        self, observation: Observation, seat: Seat, tiles: Sequence[LyingTile], discards: Sequence[RiverTile]
    ) -> Iterator[Finding]:
        """Yields corrections that make the last discards of a river the first of these tiles, then the next discard."""
        new_tiles = tiles[len(discards) :]
        for tile in new_tiles:
            self.rivers.forget(tile)
        for tile, discard in zip(tiles, discards, strict=False):
            self.rivers.bind(tile, discard.discard_number)
            if felt_in_seats.tile_of(tile) != discard.tile:
                yield correction_to(tile, observation.frame, discard=discard.discard_number)
            if tile.reading.score < ASK_BELOW:
                yield discard_question(AnnouncementId.DOUBT, seat, discard.discard_number, tile, observation.frame)
        yield from self.report_discard(observation, seat, new_tiles[0])

    def _is_due(self, observation: Observation, seat: Seat) -> bool:
        return seat == observation.expected and not self.is_calling(observation)

    def _has_waited(self, observation: Observation, tile: LyingTile) -> bool:
        """Whether the tile has waited long enough, or people act on it at once."""
        return self.is_ripe(observation, tile) or observation.is_press

    def is_ripe(self, observation: Observation, tile: LyingTile) -> bool:
        """Whether the tile has waited long enough; longer if an arm may cover the explanation."""
        is_covered = partial(felt_in_seats.is_covered, observation.felt)
        is_call_hidden = self.is_calling(observation) and any(is_covered(seat, Zone.MELD) for seat in SEATS)
        is_hidden = is_call_hidden or is_covered(observation.expected, Zone.RIVER)
        patience = CALL_PATIENCE_NS if is_hidden else PATIENCE_NS
        return self._pending_findings.is_ripe(("discard", tile.id), observation.now_ns, patience)

    def is_calling(self, observation: Observation) -> bool:
        """Whether the last discard is gone from its river although no meld holds it yet."""
        last = observation.hand.claimable_tile
        if last is None or last.kind is not LaidKind.DISCARD:
            return False
        missing = self.rivers.missing_discards(observation.hand, last.seat, observation.felt)
        return any(discard.discard_number == observation.hand.discards - 1 for discard in missing)

    def sureness_of_last(self, hand: HandState) -> float:
        """Returns how sure it is which tile was discarded last: 1 if people named it, one half if it was not seen."""
        number = hand.discards - 1
        score = 1.0 if number in self.named_discards else self.rivers.score_of(number)
        return 0.5 if score is None else score

    def report_discard(self, observation: Observation, seat: Seat, lying_tile: LyingTile) -> tuple[Finding, ...]:
        """Returns the discard, with a question if its face is uncertain or impossible."""
        face = felt_in_seats.tile_of(lying_tile)
        tile = face if has_copy_left(observation.hand, face, self._red) else UNKNOWN
        number = observation.hand.discards
        self.rivers.bind(lying_tile, number)
        self.named_discards.discard(number)  # what people named under this number was put back
        event = observation.found(Discarded(seat=seat, tile=tile, sideways=lying_tile.is_sideways), [lying_tile])
        if tile.is_known and lying_tile.reading.score >= ASK_BELOW:
            return (event,)
        question_id = AnnouncementId.IMPOSSIBLE_READING if face.is_known and not tile.is_known else AnnouncementId.DOUBT
        return (event, discard_question(question_id, seat, number, lying_tile, observation.frame))


def late_discard(observation: Observation, finder: DiscardFinder) -> tuple[Finding, ...]:
    """Undoes the press, reports the discard, and repeats the press; only while no hand is open.

    Such a discard comes to rest just after the press about it, so it belongs before the press; so do those that a
    camera finds when it is back, unless people have already said whose tile was won on. If more lies there than the
    turns explain, play went unseen, and people are asked what it made the win worth. If the last of them is that of a
    winner by ron, the tile that was won on may come to rest behind it yet, or lie in its place.
    """
    hand = observation.hand
    is_named = any(claim.laid_tile is None and claim.from_seat not in (None, claim.seat) for claim in hand.claims)
    if is_named or any(shown_hand is not None for shown_hand in hand.shown_hands):
        return ()
    turns, is_whole = _late_turns(observation, finder)
    if not turns or _may_ron_be_right(observation, finder, turns[-1]):
        return ()
    doubt = () if is_whole else (observation.found(SightLost(), []),)
    return before_press(observation, (*_late_discards(observation, finder, turns), *doubt))


def _may_ron_be_right(observation: Observation, finder: DiscardFinder, turn: tuple[Seat, LyingTile]) -> bool:
    """Whether a ron by the seat of this late discard may be right, because of the tile behind it, or of that tile.

    The seat cannot win on its own discard. But the tile that it won on may soon come to rest; or it has taken that tile
    from its river, and laid it at the own one.
    """
    (seat, tile), won_tile = turn, observation.hand.claimable_tile
    if all(claim.seat is not seat or claim.kind is not WinKind.RON for claim in observation.hand.claims):
        return False
    is_won = won_tile is not None and felt_in_seats.tile_of(tile).kind == won_tile.tile.kind
    return (is_won and finder.is_calling(observation)) or not finder.is_ripe(observation, tile)


def before_press(observation: Observation, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Returns findings that belong before the press that ended the hand, between its withdrawal and its repetition."""
    hand = observation.hand
    withdrawals = tuple(_repeated_event(observation, WinWithdrawn(seat=claim.seat)) for claim in hand.claims)
    claims = tuple(_repeated_event(observation, _claim_event(claim)) for claim in hand.claims)
    endings = tuple(_repeated_event(observation, event) for event in _ending_events(hand))
    return (*withdrawals, *findings, *claims, *endings)


def tsumo_seat(hand: HandState) -> Seat | None:
    """Returns the seat that claims a tsumo, if any."""
    return next((claim.seat for claim in hand.claims if claim.kind is WinKind.TSUMO), None)


def _late_turns(observation: Observation, finder: DiscardFinder) -> tuple[list[tuple[Seat, LyingTile]], bool]:
    """Returns the discards that were missed before a press: in turn order, or the one before a tsumo.

    Also returns whether they explain everything that lies on the felt.
    """
    hand, last = observation.hand, observation.hand.claimable_tile
    first = observation.expected if last is None else last.seat.next
    drew = tsumo_seat(hand)
    new_tiles = {seat: finder.rivers.new_tiles(hand, seat, observation.felt) for seat in SEATS}
    turns = list(_turns(new_tiles, first))
    if drew is not None and first.plus(len(turns)) is not drew:
        turns = [(drew.plus(3), tile) for tile in new_tiles[drew.plus(3)][:1]]
    late_counts = Counter(seat for seat, _ in turns)
    has_changed_melds = any(_has_changed_melds(observation, seat, has_late_turn=seat in late_counts) for seat in SEATS)
    lies_won_tile = drew is not None and not hand.is_behind and len(new_tiles[drew]) > late_counts[drew]
    return turns, sum(map(len, new_tiles.values())) == len(turns) + lies_won_tile and not has_changed_melds


def _has_changed_melds(observation: Observation, seat: Seat, *, has_late_turn: bool) -> bool:
    """Whether a seat has a meld that is not on record, or a kan that may have been made before its late discards.

    Fewer tiles tell nothing: an arm may hide some, and one or two may belong to an open hand.
    """
    sizes = [len(group) for group in felt_in_seats.groups(observation.felt, seat)]
    known_sizes = [len(meld.tiles) for meld in observation.hand.melds[seat]]
    is_kan_new = sizes.count(4) > known_sizes.count(4)
    return sum(size > 2 for size in sizes) > len(known_sizes) or (has_late_turn and is_kan_new)


def _late_discards(
    observation: Observation, finder: DiscardFinder, turns: Sequence[tuple[Seat, LyingTile]]
) -> Iterator[Finding]:
    hand = observation.hand
    for seat, tile in turns:
        yield from finder.report_discard(replace(observation, hand=hand), seat, tile)
        counts = with_tile(hand.counts, felt_in_seats.tile_of(tile))
        hand = replace(hand, discards=hand.discards + 1, counts=counts)


def _turns(tiles: Mapping[Seat, Sequence[LyingTile]], first: Seat) -> Iterator[tuple[Seat, LyingTile]]:
    """Yields tiles by seat in turn order, until it is the turn of a seat without another one."""
    for turn in count():
        seat = first.plus(turn)
        if turn // 4 == len(tiles[seat]):
            return
        yield seat, tiles[seat][turn // 4]


def _ending_events(hand: HandState) -> Iterator[Event]:
    """Yields the draw or abort that people called; an abort that the table itself shows lapses once play goes on."""
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


def _claim_event(claim: Claim) -> Event:
    return WinClaimed(seat=claim.seat, kind=claim.kind, han=claim.han, fu=claim.fu)


def _repeated_event(observation: Observation, event: Event) -> FoundEvent:
    return FoundEvent(event=event, source=Source.PRESS, frame=observation.frame, is_repeated=True)


def discard_question(
    question_id: AnnouncementId, seat: Seat, discard: int, tile: LyingTile, frame: int | None
) -> Question:
    """Returns a question about the face of a discard."""
    return Question(
        id=question_id,
        seat=seat,
        discard=discard,
        tile=felt_in_seats.tile_of(tile),
        alternatives=felt_in_seats.alternatives_of(tile),
        frame=frame,
        evidence=(tile.id,),
    )


def found_indicator(observation: Observation, indicator: LyingTile, red: Mapping[str, int]) -> tuple[Finding, ...]:
    """Returns that a dora indicator was turned, with a question if its face is uncertain; none without a copy left."""
    tile = felt_in_seats.tile_of(indicator)
    if not has_copy_left(observation.hand, tile, red):
        return ()
    event = observation.found(DoraTurned(indicator=tile), [indicator])
    is_sure = indicator.reading.score >= ASK_BELOW
    return (event,) if is_sure else (event, indicator_question(indicator, observation.frame))


def indicator_question(indicator: LyingTile, frame: int) -> Question:
    """Returns the question whether an indicator has the face that was read."""
    tile = felt_in_seats.tile_of(indicator)
    return Question(id=AnnouncementId.DOUBT, subject="indicator", tile=tile, frame=frame, evidence=(indicator.id,))


def correction_to(
    tile: LyingTile, frame: int | None, *, discard: int | None = None, indicator: int | None = None
) -> Correction:
    """Returns the correction of a discard or a dora indicator, by its number from 0, to the face that lies there."""
    return Correction(
        discard=discard,
        indicator=indicator,
        to=felt_in_seats.tile_of(tile),
        source=Source.CAMERA,
        frame=frame,
        confidence=felt_in_seats.confidence([tile]),
        evidence=(tile.id,),
    )


def has_copy_left(hand: HandState, tile: Tile, red: Mapping[str, int]) -> bool:
    """Whether the set has one more copy of that tile; `red` says how many fives of each suit are red."""
    if not tile.is_known:
        return True
    visible = hand.counts[tile.kind]
    if tile.kind not in RED_FIVES:
        return visible < COPIES
    reds, visible_reds = red.get(tile.text[1], 0), hand.counts[RED_FIVES[tile.kind]]
    return visible_reds < reds if tile.is_red else visible - visible_reds < COPIES - reds


def unmatched_tiles(tiles: Sequence[LyingTile], known_tiles: Sequence[Tile]) -> list[LyingTile]:
    """Returns the lying tiles that match none of the known ones."""
    remaining = Counter(known_tiles)
    unmatched: list[LyingTile] = []
    for lying_tile in tiles:
        tile = felt_in_seats.tile_of(lying_tile)
        if remaining[tile]:
            remaining[tile] -= 1
        else:
            unmatched.append(lying_tile)
    return unmatched


def _is_indicator_gone(observation: Observation) -> bool:
    """Whether a hand without a discard began with a face that is gone: it lay where walls were being built."""
    hand = observation.hand
    if hand.discards or hand.kans or len(hand.dora_indicators) != 1:
        return False
    visible = {felt_in_seats.tile_of(tile) for tile in felt_in_seats.indicators(observation.felt)}
    return hand.dora_indicators[0] not in visible
