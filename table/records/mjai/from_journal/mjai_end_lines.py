"""The mjai lines of a hand's end: its wins or its draw, with their value and payments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from table.records.mjai.fields.mjai_line import MjaiLine
from table.records.mjai.fields.mjai_melds import melds_lines
from table.records.mjai.fields.mjai_reasons import REASON_NAMES
from table.records.mjai.fields.mjai_tiles import mjai_texts, to_mjai
from table.records.mjai.fields.mjai_wins import liable_fields, worth_line
from table.records.mjai.from_journal.settled_points import foul_fields
from table.records.mjai.from_journal.written_event import WrittenEvent
from table.rules.aspects.exhaustive_draw import nagashi_seats
from table.rules.draft import Draft
from table.rules.events import HandShown
from table.rules.ruleset import Ruleset
from table.rules.state import Claim, GameState, HandState
from table.rules.terms.results import AbortReason, ResultKind, Settlement, Win
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import UNKNOWN, Tile


def claimed_win_line(
    event: WrittenEvent,
    hand: HandState,
    claim: Claim,
    settlement: Settlement | None,
    after: GameState,
    *,
    is_paid: bool,
) -> MjaiLine:
    """Returns the line of a claim, with its value if it was settled; the last of several wins has the payments."""
    shown_hand = hand.shown_hands[claim.seat]
    pai = None if shown_hand is None else shown_hand.winning_tile
    if claim.laid_tile is not None:
        pai = claim.laid_tile.tile
    points: dict[str, Any] = {}
    for win in () if settlement is None else settlement.wins:
        points |= worth_line(win) if win.seat is claim.seat else {}
    if shown_hand is not None and not hand.was_seen:
        points["entered_melds"] = melds_lines(shown_hand.melds)
    if settlement is not None:
        points |= _liable_seats(claim.seat, after)
    if settlement is not None and is_paid:
        points |= _payments(settlement, after, is_unseen=not hand.was_seen)
    return event.line(
        "hora",
        actor=int(claim.seat),
        target=int(claim.seat if claim.from_seat is None else claim.from_seat),
        pai=to_mjai(UNKNOWN if pai is None else pai),
        uradora_markers=mjai_texts(hand.ura) if hand.riichi[claim.seat].is_declared else [],
        hora_tehais=["?"] * 13 if shown_hand is None else mjai_texts(shown_hand.tiles),
        **points,
    )


def declared_win_lines(
    effective: WrittenEvent, settlement: Settlement, hand: HandState, after: GameState
) -> Iterator[MjaiLine]:
    """Yields the lines of wins that people entered, with the hands that they entered; the last one has the payments."""
    for win in settlement.wins:
        points: Mapping[str, Any] = {}
        if win is settlement.wins[-1]:
            points = _payments(settlement, after)
        yield effective.line(
            "hora",
            actor=int(win.seat),
            target=int(win.from_seat),
            **_entered_hand(None if hand.laid_tiles else hand.shown_hands[win.seat], _last_tile(hand, win)),
            **{"han": win.han, "fu": win.fu, "points": win.points, **worth_line(win)},
            **_liable_seats(win.seat, after),
            **points,
        )


def draw_line(
    effective: WrittenEvent, hand: HandState, settlement: Settlement, after: GameState, rules: Ruleset
) -> MjaiLine:
    """Returns the line of a draw or an abort, with its payments, and who called nine terminals.

    A draw at which a foul denies a nagashi mangan counts as people's ruling, since the acts show only the tiles.
    """
    paid_seats = after.history[-1].nagashi
    is_paid_known = settlement.kind is ResultKind.DRAW and (settlement.reason is None or bool(paid_seats))
    is_ruled = is_paid_known and any(seat not in paid_seats for seat in nagashi_seats(Draft(after, hand, rules)))
    caller = hand.abort_by if settlement.reason is AbortReason.NINE_TERMINALS else None
    return effective.line(
        "ryukyoku",
        reason=REASON_NAMES[settlement.reason],
        **({} if caller is None else {"actor": int(caller)}),
        tehais=[["?"] * 13 if shown_hand is None else mjai_texts(shown_hand.tiles) for shown_hand in hand.shown_hands],
        tenpais=[seat in settlement.tenpai for seat in SEATS],
        **_payments(settlement, after, is_unseen=not hand.was_seen, is_ruled=is_ruled),
    )


def _payments(settlement: Settlement, after: GameState, *, is_unseen: bool = False, is_ruled: bool = False) -> MjaiLine:
    """Returns the fields of a hand's last line: its points, and the riichi if people entered its end or ruled on it."""
    finished = after.history[-1]
    is_entered = finished.is_riichi_declared or is_ruled or (is_unseen and not finished.is_penalty)
    entered_riichi = {"entered_riichi": list(map(int, finished.riichi))} if is_entered else {}
    points = {"deltas": list(settlement.deltas), "scores": list(finished.scores)}
    return {**points, **foul_fields(finished), **entered_riichi}


def _liable_seats(winner: Seat, after: GameState) -> MjaiLine:
    """Returns the fields with the seats that are liable for the winner's yakuman; none if nobody is."""
    return liable_fields(int(pao.liable) for pao in after.history[-1].pao if pao.winner is winner)


def _last_tile(hand: HandState, win: Win) -> Tile:
    """Returns the winning tile of an entered ron: the last tile laid, if play was seen to the end; else unknown."""
    is_seen = bool(hand.laid_tiles) and not hand.is_behind and hand.laid_tiles[-1].seat is win.from_seat
    return hand.laid_tiles[-1].tile if is_seen and win.seat is not win.from_seat else UNKNOWN


def _entered_hand(hand: HandShown | None, last_tile: Tile) -> MjaiLine:
    """Returns the tiles of a win that people entered; if they entered only its value, hidden tiles and `last_tile`."""
    if hand is None or hand.winning_tile is None:
        return {"pai": to_mjai(last_tile), "uradora_markers": [], "hora_tehais": ["?"] * 13}
    tiles = {"pai": to_mjai(hand.winning_tile), "uradora_markers": [], "hora_tehais": mjai_texts(hand.tiles)}
    return {**tiles, "entered_melds": melds_lines(hand.melds)}
