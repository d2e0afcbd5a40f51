"""The events that a table with a camera and buttons would observe in a recorded hand.

These are deals, discards, calls, indicators, sticks, claimed wins with the shown hand and ura, the nine terminals
claim, and the end of the wall with the hands shown then. Passes, the acceptance of riichi, ippatsu, other aborts and
all payments follow from the rules. The record of a hand that was kept without a camera has only the result that people
entered, at most with the winner's tiles: the hand is settled as they entered it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from table.records.formats.game_record import AcceptedWithoutStick, Deal, Drawn, HandRecord, Move, RecordedWin, Tiles
from table.rules import events
from table.rules.events import Event
from table.rules.ruleset import Ruleset
from table.rules.terms.results import STICK, AbortReason, Deltas, ResultKind, Settlement, Win
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import Tile


def seen_events(hand: HandRecord, rules: Ruleset) -> Iterator[Event]:
    """Yields the events of a hand that a table with a camera and buttons would have observed, in order.

    Args:
        hand: the hand.
        rules: the rules, which say who deals after an entered end.
    """
    yield start_of(hand.deal if hand.is_entered else hand.deal_after_fouls)
    yield from seen_moves(hand.moves)
    if hand.is_entered:
        yield from entered_hands(hand)
        yield events.HandSettled(settlement=entered_settlement(hand, rules))
        return
    if hand.wins:
        if _was_last_tile_unseen(hand):
            yield events.SightLost()
        yield from _seen_wins(hand)
    elif hand.reason is AbortReason.TRIPLE_RON:
        yield from _seen_triple_ron(hand)
    else:
        yield from _seen_draw(hand)
    yield events.ClaimsConfirmed()


def entered_hands(hand: HandRecord) -> Iterator[events.HandShown]:
    """Yields the hands that people entered with their wins."""
    for win in hand.wins:
        if win.melds is not None:
            yield _hand_shown(win)


def entered_settlement(hand: HandRecord, rules: Ruleset) -> Settlement:
    """Returns the end of a hand as its record states it, since nobody saw what the rules would compute it from.

    Args:
        hand: the hand.
        rules: the rules, which say who deals next.

    Raises:
        ValueError: the record has no payments.
    """
    if hand.deltas is None:
        raise ValueError("expected a hand with payments, got one without")
    deposits, deposit_points = _entered_pot(hand)
    tenpai = _entered_tenpai(hand, hand.deltas)
    dealer_stays = _does_dealer_stay(hand, tenpai, rules)
    return Settlement(
        kind=hand.kind,
        deltas=hand.deltas,
        wins=tuple(_entered_win(win) for win in sorted(hand.wins, key=lambda win: win.seat.after(win.from_seat))),
        reason=hand.reason,
        tenpai=tenpai,
        deposits=deposits,
        deposit_points=deposit_points,
        dealer_stays=dealer_stays,
        honba=_honba_after(hand, dealer_stays=dealer_stays),
        chips=hand.chips,
    )


def _entered_pot(hand: HandRecord) -> tuple[int, int]:
    """Returns the sticks that stay on the table, none after a win, and the penalties: whatever else stays there."""
    sticks = 0 if hand.wins else hand.deal.deposits + len(hand.entered_riichi or ())
    if _is_penalty(hand) and hand.left_sticks is not None:  # by the rules, sticks of riichi stay or are returned
        sticks = hand.left_sticks
    penalties = hand.points_in_pot - STICK * sticks
    return divmod(hand.points_in_pot, STICK) if penalties < 0 else (sticks, penalties)


def _entered_tenpai(hand: HandRecord, deltas: Deltas) -> tuple[Seat, ...]:
    """Returns the seats that were tenpai at a draw: as recorded, else those that noten payments show to be."""
    is_paid = hand.kind is ResultKind.DRAW and hand.reason is None
    return hand.tenpai_seats or tuple(seat for seat in SEATS if is_paid and deltas[seat] > 0)


def _does_dealer_stay(hand: HandRecord, tenpai: Sequence[Seat], rules: Ruleset) -> bool:
    """Whether the dealer deals again; a penalty replays the hand."""
    if hand.wins:
        return rules.dealer_repeat != "never" and any(win.seat is hand.deal.dealer for win in hand.wins)
    if hand.kind is ResultKind.DRAW:
        return rules.dealer_repeat == "win_or_tenpai" and hand.deal.dealer in tenpai
    return _is_penalty(hand) or (rules.abort_keeps_deal and rules.dealer_repeat != "never")


def _honba_after(hand: HandRecord, *, dealer_stays: bool) -> int:
    """Returns the honba of the next hand; a penalty adds none."""
    if _is_penalty(hand):
        return hand.deal.honba
    return hand.deal.honba + 1 if dealer_stays or not hand.wins else 0


def _is_penalty(hand: HandRecord) -> bool:
    return hand.reason is not None and hand.reason.is_penalty


def _entered_win(win: RecordedWin) -> Win:
    return Win(
        seat=win.seat,
        from_seat=win.from_seat,
        han=win.han,
        fu=win.fu,
        yaku=win.yaku or (),
        yakuman=win.yakuman,
        points=win.points or 0,
    )


def start_of(deal: Deal) -> events.HandStarted:
    """Returns the event by which the hand of a deal starts."""
    return events.HandStarted(
        round=deal.round,
        dealer=deal.dealer,
        scores=deal.scores,
        honba=deal.honba,
        deposits=deal.deposits,
        deposit_points=deal.penalties,
        dora_indicator=deal.indicator,
    )


def seen_moves(moves: Iterable[Move]) -> Iterator[Event]:
    """Yields the acts that are seen; riichi is announced, and a discard that replaces a called one is sideways too."""
    sideways_seats: set[Seat] = set()
    last: events.Discarded | None = None
    for move in moves:
        if isinstance(move, Drawn | AcceptedWithoutStick):
            continue
        if isinstance(move, events.Called) and last is not None and last.sideways:
            sideways_seats.add(last.seat)
        if isinstance(move, events.Discarded):
            if move.sideways:
                yield events.RiichiVoiced(seat=move.seat)
            last = _seen_discard(move.seat, move.tile, move.sideways or move.seat in sideways_seats)
            sideways_seats.discard(move.seat)
            yield last
        else:
            yield move


@cache
def _seen_discard(seat: Seat, tile: Tile, sideways: bool) -> events.Discarded:
    """Returns the discard as a table shows it, without its origin; cached, since there are only a few hundred."""
    return events.Discarded(seat=seat, tile=tile, sideways=sideways)


def _was_last_tile_unseen(hand: HandRecord) -> bool:
    """Whether the hand was won by ron on another tile than the last one that the record has: it lacks discards."""
    laid_tiles = (move for move in reversed(hand.moves) if isinstance(move, events.Discarded | events.AddedKan))
    win, last = hand.wins[0], next(laid_tiles, None)
    if win.seat is win.from_seat or last is None or isinstance(hand.moves[-1], events.ClosedKan):
        return False
    is_read = win.winning_tile.is_known and last.tile.is_known
    return last.seat is not win.from_seat or (is_read and win.winning_tile.kind != last.tile.kind)


def _seen_wins(hand: HandRecord) -> Iterator[Event]:
    """Yields the wins with their hands; a win whose hand nobody saw, beside one that was seen, has its entered han."""
    for win in hand.wins:
        is_tsumo = win.seat == win.from_seat
        yield events.WinClaimed(
            seat=win.seat,
            kind=events.WinKind.TSUMO if is_tsumo else events.WinKind.RON,
            from_seat=None if is_tsumo else win.from_seat,
            han=win.han if win.is_entered else None,
            fu=win.fu if win.is_entered else None,
        )
    for win in hand.wins:
        if win.is_entered:
            continue
        yield _hand_shown(win)
        if win.ura:
            yield events.UraTurned(seat=win.seat, indicators=win.ura)


def _hand_shown(win: RecordedWin) -> events.HandShown:
    return events.HandShown(
        seat=win.seat, tiles=win.concealed, winning_tile=win.winning_tile, melds=() if win.melds is None else win.melds
    )


def _seen_triple_ron(hand: HandRecord) -> Iterator[Event]:
    last = next(move for move in reversed(hand.moves) if isinstance(move, events.Discarded | events.AddedKan))
    for seat in hand.claimants:
        yield events.WinClaimed(seat=seat, kind=events.WinKind.RON, from_seat=last.seat)
    for seat in hand.claimants:
        if (tiles := hand.shown_hands[seat]) is not None:
            yield events.HandShown(seat=seat, tiles=tiles, winning_tile=last.tile)


def _seen_draw(hand: HandRecord) -> Iterator[Event]:
    if hand.kind is ResultKind.DRAW:
        yield events.DrawReached()
    elif hand.reason is AbortReason.NINE_TERMINALS:
        yield events.AbortCalled(reason=AbortReason.NINE_TERMINALS, seat=hand.claimants[0] if hand.claimants else None)
    for seat in SEATS:
        tiles: Tiles | None = hand.shown_hands[seat]
        if tiles is not None:
            yield events.HandShown(seat=seat, tiles=tiles)
        elif hand.kind is ResultKind.DRAW:
            yield events.TenpaiStated(seat=seat, is_tenpai=seat in hand.tenpai)
