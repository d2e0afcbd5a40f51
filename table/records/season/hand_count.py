"""Counts one hand for its players, using only what the table saw and what people entered.

What is known of a hand depends on whether it was *followed*: calls and the turn of a riichi are known only if a camera
saw every discard. A hand entered by people has its winner, its riichi and its payments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from table.records.season.tally import Amount, BestHand, Tally, better
from table.rules.scoring.waits import waits
from table.rules.state import FinishedHand, HandState
from table.rules.terms.results import AbortReason, ResultKind, Settlement, Win
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import tiles_text

RIICHI: Final = frozenset(("riichi", "double_riichi", "open_riichi", "double_open_riichi"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedHand:
    """One finished hand: its line of the score sheet, and the table at its end."""

    number: int
    """The number of the hand in its game, counted from 0."""
    line: FinishedHand
    table: HandState | None
    """None if only the score sheet's line is known."""
    knows_fouls: bool = True
    """Whether its line has every foul; game records have none."""
    utc: str = ""
    """When the game began."""

    @property
    def is_followed(self) -> bool:
        """Whether every discard was seen: none is known to be missing, and people did not end the hand early."""
        table = self.table
        if table is None or table.has_gap or not table.was_seen:
            return False
        if not table.discards and not _ended_before_a_discard(table):
            return False
        return not self.line.is_riichi_declared or not table.tiles_left

    @property
    def knows_riichi(self) -> bool:
        """Whether it is known who was in riichi: as seen, as entered with the result, or as people pressed."""
        is_pressed = self.table is not None and not self.table.was_seen and not self.line.is_penalty
        return self.is_followed or self.line.is_riichi_declared or is_pressed


def _ended_before_a_discard(table: HandState) -> bool:
    """Whether the hand ended on the dealer's first draw, by a win or by nine terminals."""
    return bool(table.claims) or table.abort is AbortReason.NINE_TERMINALS


def count_hand(hand: PlayedHand, names: Sequence[str], tallies: Mapping[str, Tally]) -> None:
    """Counts a hand for every player with a name.

    Args:
        hand: the hand.
        names: the players by seat; empty if unknown.
        tallies: the tallies so far, which are updated in place.
    """
    for seat in SEATS:
        if names[seat]:
            _count_seat(hand, seat, tallies[names[seat]])
    settlement = hand.line.settlement
    for win in () if settlement is None else settlement.wins:
        winner, loser = names[win.seat], names[win.from_seat]
        if winner:
            _count_win(hand, win, tallies[winner])
        if winner and loser and winner != loser:
            tallies[winner].rons.setdefault(loser, Amount()).note(win.points)


def _count_seat(hand: PlayedHand, seat: Seat, tally: Tally) -> None:
    settlement = hand.line.settlement
    shares = tally.shares
    tally.hands += 1
    fouls = [foul for foul in hand.line.fouls if foul.seat is seat and foul.cancel_reason is None]
    shares["fouls"].count(bool(fouls) if hand.knows_fouls else None)
    shares["wins"].count(None if settlement is None else any(win.seat is seat for win in settlement.wins))
    shares["calls"].count(_has_called(hand, seat))
    _count_deal_in(hand, seat, tally)
    _count_riichi(hand, seat, tally)
    if settlement is not None and settlement.kind is ResultKind.DRAW:
        shares["tenpai"].count(seat in settlement.tenpai)


def _has_called(hand: PlayedHand, seat: Seat) -> bool | None:
    if hand.table is None or not hand.is_followed:
        return None
    return any(meld.is_open for meld in hand.table.melds[seat])


def _count_deal_in(hand: PlayedHand, seat: Seat, tally: Tally) -> None:
    settlement = hand.line.settlement
    if settlement is None:
        tally.shares["deal_ins"].count(None)
        return
    value = _deal_in_value(settlement, seat)
    tally.shares["deal_ins"].count(value is not None)
    if value is None:
        return
    tally.amounts["deal_in_value"].note(value)
    if not hand.is_followed or hand.table is None:
        tally.turns_unknown += 1
    elif any(claim.laid_tile is not None and not claim.laid_tile.kind.is_kan for claim in hand.table.claims):
        turn = len(hand.table.rivers[seat])
        tally.deal_in_turns[turn] = tally.deal_in_turns.get(turn, 0) + 1


def _deal_in_value(settlement: Settlement, seat: Seat) -> int | None:
    """Returns the total value of the hands that the seat dealt into; None if it did not deal in."""
    points = [win.points for win in settlement.wins if win.from_seat is seat and not win.is_tsumo]
    return sum(points) if points else None


def _count_riichi(hand: PlayedHand, seat: Seat, tally: Tally) -> None:
    if not hand.knows_riichi:
        tally.shares["riichi"].count(None)
        return
    is_in_riichi = seat in hand.line.riichi
    tally.shares["riichi"].count(is_in_riichi)
    if is_in_riichi:
        tally.amounts["riichi_turn"].note(_riichi_turn(hand, seat))
        tally.shares["furiten_riichi"].count(_is_furiten(hand, seat))


def _riichi_turn(hand: PlayedHand, seat: Seat) -> int | None:
    """Returns the number of the seat's own discard that declared riichi."""
    declaration = None if hand.table is None else hand.table.riichi[seat].discard_number
    if hand.table is None or declaration is None or not hand.is_followed:
        return None
    return sum(discard.discard_number <= declaration for discard in hand.table.rivers[seat])


def _is_furiten(hand: PlayedHand, seat: Seat) -> bool | None:
    """Whether a riichi was furiten by the seat's own river when declared; None if the hand was never shown."""
    table = hand.table
    declaration = None if table is None else table.riichi[seat].discard_number
    if table is None or declaration is None or not hand.is_followed:
        return None
    shown_hand, melds = table.shown_hands[seat], table.melds[seat]
    if shown_hand is None:
        return None
    winning_kinds = waits(shown_hand.tiles, len(melds), in_melds=[tile for meld in melds for tile in meld.tiles])
    river = {discard.tile.kind for discard in table.rivers[seat] if discard.discard_number <= declaration}
    if not winning_kinds or (-1 in river and not winning_kinds & river):
        return None
    return bool(winning_kinds & river)


def _count_win(hand: PlayedHand, win: Win, tally: Tally) -> None:
    tally.amounts["win_value"].note(win.points)
    tally.best = better(tally.best, _best_hand(hand, win))
    if win.yakuman:
        return
    yaku = dict(win.yaku)
    was_riichi = bool(RIICHI & yaku.keys()) if yaku else not hand.knows_riichi or win.seat in hand.line.riichi
    if was_riichi:
        tally.shares["ippatsu"].count("ippatsu" in yaku if yaku else None)
        tally.shares["ura"].count(yaku.get("ura_dora", 0) > 0 if yaku else None)


def _best_hand(hand: PlayedHand, win: Win) -> BestHand:
    table = hand.table
    shown_hand = None if table is None else table.shown_hands[win.seat]
    best = BestHand(
        points=win.points,
        han=win.han,
        fu=win.fu,
        yakuman=win.yakuman,
        yaku=win.yaku,
        utc=hand.utc,
        hand=hand.number,
    )
    if table is None or shown_hand is None or not shown_hand.tiles:
        return best
    claim = next((claim for claim in table.claims if claim.seat is win.seat), None)
    claimed_tile = None if claim is None or claim.laid_tile is None else claim.laid_tile.tile
    winning_tile = shown_hand.winning_tile or claimed_tile
    return replace(
        best,
        tiles=tiles_text(sorted(shown_hand.tiles)),
        winning_tile="" if winning_tile is None else winning_tile.text,
        melds=tuple(meld.text for meld in table.melds[win.seat]),
    )
