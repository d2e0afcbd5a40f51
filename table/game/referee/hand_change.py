"""Finds the end of a hand and the deal of the next: open hands, ura, a cleared table, a new indicator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import hypot
from typing import Final

from table.game.commands.game_commands import ClaimRon, ClaimTsumo, HandPress
from table.game.journal.entries import Source
from table.game.referee import felt_in_seats
from table.game.referee.discards import found_indicator, indicator_question, unmatched_tiles
from table.game.referee.findings import Finding, FoundEvent
from table.game.referee.observation import Observation, Search
from table.game.referee.open_hands import shown_hand
from table.game.referee.river_matching import uncalled_discards
from table.rules.aspects import dora
from table.rules.events import (
    ClaimsConfirmed,
    DrawReached,
    Event,
    HandShown,
    HandStarted,
    TenpaiStated,
    UraTurned,
    WinClaimed,
    WinKind,
)
from table.rules.scoring.waits import is_complete, waits
from table.rules.state import GameState, HandState, LaidTile, Phase
from table.rules.terms.seats import SEATS, Seat, seats_from
from table.rules.terms.tiles import Tile
from vision.confidence import ASK_BELOW
from vision.felt import Felt, FeltChange, FeltReport, LyingTile, StickLaid, StickTaken, Zone

SWEPT_TILES: Final = 3
"""The number of tiles that disappear from two rivers at once if the table is being cleared."""
LAID_OPEN: Final = 3
"""The least number of face-up tiles that are an open hand, not stray tiles."""
BESIDE_INDICATOR_MM: Final = 60.0
"""A tile left over beside open hands that lies this near to an indicator is an ura."""
OPENING_DISCARDS: Final = range(4, 9)
"""This many discards in the order of play show that a hand has begun, though its indicator is not seen."""
BUILT_WALL_TILES: Final = 10
"""With fewer backs in the walls the hand has not begun: while tiles are shuffled, faces lie anywhere."""
GUESSED_START: Final = 0.3
"""Confidence of a start that does not follow from a settlement, and of the confirmation of a cleared table."""
SETTLED_WITHOUT: Final = 0.1
"""Confidence of the confirmation that settles a hand although facts are missing, since the next one is dealt."""


class HandChange:
    """Finds the end of a hand and the start of the next; remembers the old hand while the next is dealt."""

    def __init__(self) -> None:
        self._old_ids: frozenset[int] = frozenset()
        self._draw_found_in: HandStarted | None = None
        """The start of the hand whose draw was found because no tile was left; found once in a hand."""
        self._confirmed_in: HandStarted | None = None
        """The start of the hand that was confirmed because the table was cleared; confirmed so once in a hand."""
        self._settled_in: HandStarted | None = None
        """The start of the hand that was settled although facts were missing; settled so once in a hand."""
        self.confirmed_facts: HandState | None = None
        """What was known of the hand when it was last confirmed without being settled."""
        self._inferred_wins: set[tuple[HandStarted, Seat]] = set()
        """The starts of hands with the winners that only an open hand shows."""
        self._reported_wins: dict[tuple[HandStarted, Seat], tuple[LaidTile, ...]] = {}
        """The newest tile when a seat's open hand was reported as a win: reported once, though it may be void."""

    @property
    def old_ids(self) -> frozenset[int]:
        """Ids of the tiles of the previous hand, until the next deal is seen."""
        return self._old_ids

    def watch(self, felt: Felt) -> None:
        """Remembers the tiles on the felt during a hand, since none of them belongs to the next."""
        self._old_ids |= {tile.id for tile in felt.tiles}

    def is_swept(self, hand: HandState, felt: Felt) -> bool:
        """Whether the table of this hand has been cleared, or is being cleared."""
        missing_counts = [len(uncalled_discards(hand, seat)) - len(felt_in_seats.river(felt, seat)) for seat in SEATS]
        discard_count = sum(len(uncalled_discards(hand, seat)) for seat in SEATS)
        if discard_count == 0:
            return False
        if sum(missing_counts) == discard_count and discard_count > 1:
            return not any(tile.zone is Zone.MELD for tile in felt.tiles)
        return sum(missing_counts) >= SWEPT_TILES and sum(count > 0 for count in missing_counts) > 1

    def shown_hands(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns a win that nobody pressed but that an open hand shows."""
        hand = observation.hand
        for seat in SEATS:
            found = shown_hand(hand, seat, observation.felt)
            if found is None:
                continue
            claim = _claim_event(observation, seat, found[0])
            if claim is not None and self._reported_wins.get((hand.start, seat)) != hand.laid_tiles[-1:]:
                self._reported_wins[hand.start, seat] = hand.laid_tiles[-1:]
                self._inferred_wins.add((hand.start, seat))
                return (observation.found(claim, found[1], Source.INFERRED),)
        return ()

    def is_inferred_win(self, press: HandPress, hand: HandState) -> bool:
        """Whether the press claims a win that so far only an open hand showed."""
        is_inferred = isinstance(press, ClaimRon | ClaimTsumo) and (hand.start, press.seat) in self._inferred_wins
        return is_inferred and not hand.is_behind  # an unseen tile may be the one won on: a second claim repeats none

    def take_as_said(self, press: HandPress, hand: HandState) -> None:
        """Remembers that people now said what a press claims, which was not refused."""
        if isinstance(press, ClaimRon | ClaimTsumo):
            self._inferred_wins.discard((hand.start, press.seat))

    def forget_hands(self) -> None:
        """Forgets what was found in earlier hands, except their tiles, since another hand is played."""
        self._draw_found_in = self._confirmed_in = self._settled_in = self.confirmed_facts = None
        self._inferred_wins.clear()
        self._reported_wins.clear()

    def tenpai_statements(self, observation: Observation) -> tuple[Finding, ...]:
        """Returns a tenpai statement for each open hand at a draw, even if not every tile of it was found."""
        hand = observation.hand
        if hand.phase is not Phase.ENDING:
            return ()
        found: list[Finding] = []
        for seat in SEATS:
            row = felt_in_seats.open_hand(observation.felt, seat)
            if hand.shown_hands[seat] is None and hand.tenpai[seat] is None and len(row) >= LAID_OPEN:
                event = TenpaiStated(seat=seat, is_tenpai=True)
                found.append(observation.found(event, row, Source.INFERRED))
        return tuple(found)

    def end_searches(self, hand: HandState, red: Mapping[str, int]) -> tuple[Search, ...]:
        """Returns the searches at the end of a hand: for each hand that may be shown by itself, then for indicators.

        Each is a search of its own: a hand that does not fit what else lies there keeps no other from being found.
        `red` says how many fives of each suit are red.
        """
        seats = [claim.seat for claim in hand.claims] if hand.phase is Phase.CLAIMED else SEATS
        shown_hands = (partial(self._hand_shown, seat=seat) for seat in seats)
        return *shown_hands, partial(self._late_indicator, red=red), self._ura

    def _hand_shown(self, observation: Observation, *, seat: Seat) -> tuple[Finding, ...]:
        hand = observation.hand
        found = shown_hand(hand, seat, observation.felt)
        if found is None or found[0] == hand.shown_hands[seat] or self._was_reported(hand, seat, observation):
            return ()
        return (observation.found(found[0], found[1]),)

    def _was_reported(self, hand: HandState, seat: Seat, observation: Observation) -> bool:
        """Whether the seat's hand was already reported and has not been read again since."""
        if hand.shown_hands[seat] is None:
            return False
        return not any(_side_of_hand(change) == seat for change in observation.report.changes)

    def _late_indicator(self, observation: Observation, *, red: Mapping[str, int]) -> tuple[Finding, ...]:
        """Returns an indicator that is due for a kan and turned only after the win, before any ura.

        If the ura are turned at the same time, any of the tiles may be it: each is worth the same to a riichi winner.
        """
        hand, indicators = observation.hand, felt_in_seats.indicators(observation.felt)
        new_tiles = unmatched_tiles(indicators, (*hand.dora_indicators, *hand.ura))
        is_due = bool(hand.dora_indicators) and dora.missing_count(hand) > 0
        if hand.phase is not Phase.CLAIMED or not is_due or not new_tiles:
            return ()
        return found_indicator(observation, new_tiles[0], red)

    def _ura(self, observation: Observation) -> tuple[Finding, ...]:
        hand = observation.hand
        winner = next((claim.seat for claim in hand.claims if hand.riichi[claim.seat].is_accepted), None)
        if winner is None or hand.ura:
            return ()
        indicators = felt_in_seats.indicators(observation.felt)
        ura_tiles, ura_count = unmatched_tiles(indicators, hand.dora_indicators), len(dora.counting_indicators(hand))
        if len(ura_tiles) < ura_count and hand.shown_hands[winner] is not None:
            ura_tiles += _beside_hands(observation, indicators)
        if len(ura_tiles) != ura_count:
            return ()
        event = UraTurned(seat=winner, indicators=tuple(felt_in_seats.tile_of(tile) for tile in ura_tiles))
        uncertain_tiles = [tile for tile in ura_tiles if tile.reading.score < ASK_BELOW]
        return (
            observation.found(event, ura_tiles),
            *(indicator_question(tile, observation.frame) for tile in uncertain_tiles),
        )

    def between_hands(self, report: FeltReport, state: GameState, first: HandStarted | None) -> tuple[Finding, ...]:
        """Returns the end of an unsettled hand, or the start of the next once its indicator or discards are seen.

        A hand that still lacks facts is settled as proposed before the next starts, which begins with its points.
        """
        if state.hand is not None and state.live is None:
            # taken back, it is settled by people
            self._draw_found_in = self._confirmed_in = self._settled_in = state.hand.start
            if _still_lies(state.hand, report.felt):
                self.watch(report.felt)  # a camera that was set up anew meanwhile gives the tiles other ids
                return ()
        if state.is_over or not (state.hand is None or self._is_clear(report.felt)):
            return ()
        hand = state.live
        if hand is not None and (closing_event := self._closing_event(hand)) is not None:
            return (_guessed_event(closing_event, report.frame, GUESSED_START),)
        indicators = [tile for tile in felt_in_seats.indicators(report.felt) if tile.id not in self._old_ids]
        if not indicators:
            return self._start_from_discards(
                report, first if state.hand is None and first is not None else state.next_start
            )
        if hand is not None and (confidence := self._confidence_of_confirmation(hand)) is not None:
            return (_guessed_event(ClaimsConfirmed(), report.frame, confidence),)
        return self._start_from_indicator(report, state, first, indicators[0])

    def _start_from_indicator(
        self, report: FeltReport, state: GameState, first: HandStarted | None, indicator: LyingTile
    ) -> tuple[Finding, ...]:
        start, confidence = _start(state, first, felt_in_seats.tile_of(indicator))
        event = FoundEvent(
            event=start,
            source=Source.CAMERA if confidence == 1.0 else Source.INFERRED,
            frame=report.frame,
            confidence=min(confidence, felt_in_seats.confidence([indicator])),
            evidence=(indicator.id,),
        )
        self._old_ids = frozenset()
        return (event,) if confidence == 1.0 else (event, indicator_question(indicator, report.frame))

    def _start_from_discards(self, report: FeltReport, start: HandStarted | None) -> tuple[Finding, ...]:
        """Returns the start of a hand that is played before its indicator is seen, which something may hide."""
        felt = replace(report.felt, tiles=tuple(tile for tile in report.felt.tiles if tile.id not in self._old_ids))
        if start is None or not _is_played(felt, start.dealer):
            return ()
        self._old_ids = frozenset()
        discards = [tile for seat in SEATS for tile in felt_in_seats.river(felt, seat)]
        found = FoundEvent(
            event=replace(start, dora_indicator=None),
            source=Source.INFERRED,
            frame=report.frame,
            confidence=felt_in_seats.confidence(discards),
            evidence=felt_in_seats.ids(discards),
        )
        return (found,)

    def _is_clear(self, felt: Felt) -> bool:
        """Whether no tile of the old hand is left on the table, or, if it is not remembered, no tile at all."""
        if not self._old_ids:
            return felt_in_seats.is_clear(felt)
        zones = (Zone.RIVER, Zone.MELD, Zone.HAND)
        return not any(
            tile.id in self._old_ids and tile.zone in zones and felt_in_seats.is_face_up(tile) for tile in felt.tiles
        )

    def _closing_event(self, hand: HandState) -> Event | None:
        """Returns the event that ends an unsettled hand, each once: the draw, then the proposed settlement."""
        if hand.phase is Phase.PLAY and hand.tiles_left == 0 and self._draw_found_in != hand.start:
            self._draw_found_in = hand.start
            return DrawReached(is_watched=True)
        if hand.phase is not Phase.PLAY and self._confirmed_in != hand.start:
            self._confirmed_in, self.confirmed_facts = hand.start, _facts(hand)
            return ClaimsConfirmed()
        return None

    def _confidence_of_confirmation(self, hand: HandState) -> float | None:
        """Returns the confidence of a confirmation before the next deal; None if there is nothing new to confirm.

        What people stated since the table was cleared is confirmed first, then the proposal without the missing facts.
        """
        if hand.proposal is not None and self._settled_in != hand.start:
            self._settled_in = hand.start
            return SETTLED_WITHOUT
        if hand.proposal is None and hand.phase is not Phase.PLAY and self.confirmed_facts != _facts(hand):
            self.confirmed_facts = _facts(hand)
            return GUESSED_START
        return None


def _facts(hand: HandState) -> HandState:
    return replace(hand, proposal=None, missing=())


def _guessed_event(event: Event, frame: int, confidence: float) -> FoundEvent:
    return FoundEvent(event=event, source=Source.INFERRED, frame=frame, confidence=confidence)


def _still_lies(hand: HandState, felt: Felt) -> bool:
    """Whether the rivers show mostly what was discarded in this hand."""
    rivers = [felt_in_seats.river(felt, seat) for seat in SEATS]
    unmatched_counts = [
        len(unmatched_tiles(river, [tile.tile for tile in hand.rivers[seat]])) for seat, river in enumerate(rivers)
    ]
    tile_count = sum(map(len, rivers))
    return tile_count >= SWEPT_TILES and sum(unmatched_counts) <= tile_count / 2


def _is_played(felt: Felt, dealer: Seat) -> bool:
    """Whether the rivers hold discards in the order of play, without a call, before standing walls."""
    rivers = [felt_in_seats.river(felt, seat) for seat in seats_from(dealer)]
    counts = [len(river) for river in rivers]
    is_in_order = counts == sorted(counts, reverse=True) and counts[0] - counts[-1] <= 1
    are_faces = all(felt_in_seats.is_face_up(tile) for river in rivers for tile in river)
    is_called = any(tile.zone is Zone.MELD for tile in felt.tiles)
    return (
        sum(counts) in OPENING_DISCARDS
        and is_in_order
        and are_faces
        and not is_called
        and felt.walls >= BUILT_WALL_TILES
    )


def _beside_hands(observation: Observation, indicators: Sequence[LyingTile]) -> list[LyingTile]:
    """Returns the tiles beside indicators that no hand shown needs: on a small table the ura lie among open hands."""

    def distance_mm(tile: LyingTile) -> float:
        return min(
            (hypot(tile.x_mm - indicator.x_mm, tile.y_mm - indicator.y_mm) for indicator in indicators),
            default=float("inf"),
        )

    surplus: list[LyingTile] = []
    for seat, hand_shown in enumerate(observation.hand.shown_hands):
        row = sorted(felt_in_seats.open_hand(observation.felt, Seat(seat)), key=distance_mm, reverse=True)
        if hand_shown is not None:
            surplus += unmatched_tiles(
                row, (*hand_shown.tiles, *((hand_shown.winning_tile,) if hand_shown.winning_tile else ()))
            )
        elif len(row) < LAID_OPEN:
            surplus += row
    return [tile for tile in surplus if distance_mm(tile) < BESIDE_INDICATOR_MM]


def _side_of_hand(change: FeltChange) -> int | None:
    """Returns the side of the open hand that changed; None for any other change of the felt."""
    if isinstance(change, StickLaid | StickTaken) or change.tile.zone is not Zone.HAND:
        return None
    return change.tile.side


def _claim_event(observation: Observation, seat: Seat, shown_hand: HandShown) -> Event | None:
    hand = observation.hand
    melds = len(hand.melds[seat])
    if shown_hand.winning_tile is not None:
        is_whole = is_complete((*shown_hand.tiles, shown_hand.winning_tile), melds)
        return WinClaimed(seat=seat, kind=WinKind.TSUMO) if is_whole and seat == observation.expected else None
    winning_kinds = waits(shown_hand.tiles, melds)
    if winning_kinds and hand.tiles_left == 0 and hand.turn is None:
        return DrawReached(is_watched=True)
    last = hand.claimable_tile
    if last is not None and last.seat != seat and last.tile.kind in winning_kinds:
        return WinClaimed(seat=seat, kind=WinKind.RON)
    return None


def _start(state: GameState, first: HandStarted | None, indicator: Tile) -> tuple[HandStarted, float]:
    """Returns the start of the next hand with its confidence; after a hand that could not be settled it is a guess."""
    if first is not None and state.hand is None:
        return replace(first, dora_indicator=indicator), 1.0
    if state.next_start is not None:
        return replace(state.next_start, dora_indicator=indicator), 1.0
    if state.hand is None:
        raise ValueError("expected a state that knows how its first hand starts, got none")
    before = state.hand.start
    guess = HandStarted(
        round=before.round.next,
        dealer=before.dealer.next,
        scores=state.scores,
        deposits=state.deposits,
        deposit_points=state.deposit_points,
        dora_indicator=indicator,
    )
    return guess, GUESSED_START
