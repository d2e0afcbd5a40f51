"""Reads one hand of mjai line by line: its deal, its acts, and its wins, draw or abort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from table.records.formats.checked_values import checked_number, four_numbers, list_of, one_of, seat_of, text_of
from table.records.formats.game_record import (
    AcceptedWithoutStick,
    Deal,
    Drawn,
    HandRecord,
    Move,
    RecordedWin,
    Tiles,
)
from table.records.formats.hidden_hands import HiddenHands, tiles_without
from table.records.formats.inferred_events import is_likely_nagashi, likely_reason, robbed_kan
from table.records.formats.late_penalties import dues_in
from table.records.mjai.fields.mjai_corrections import corrected_in
from table.records.mjai.fields.mjai_line import ReadLine
from table.records.mjai.fields.mjai_melds import read_melds_lines
from table.records.mjai.fields.mjai_reasons import REASONS
from table.records.mjai.fields.mjai_tiles import from_mjai
from table.records.mjai.fields.mjai_wins import liable_in, worth_in
from table.rules.events import AddedKan, Called, CallKind, ClosedKan, Discarded, DoraTurned, Origin, StickPlaced
from table.rules.penalties.consequence import Due
from table.rules.terms.results import STICK, AbortReason, Deltas, ResultKind, add, subtract
from table.rules.terms.seats import SEATS, Round, Seat, Wind, four
from table.rules.terms.tiles import UNKNOWN, Tile
from table.runtime.table_errors import RecordError

_CALLS: Final = {kind.mjai: kind for kind in CallKind}
_ORIGINS: Final = {True: Origin.DRAWN, False: Origin.HAND, None: Origin.UNKNOWN}
_WINDS: Final = {wind.letter: wind for wind in Wind}
ACTS: Final = frozenset(
    ("tsumo", "dahai", "reach", "reach_accepted", "dora", "ankan", "kakan", "hora", "ryukyoku", *_CALLS)
)
"""The types of the lines between a hand's deal and its end."""


@dataclass(slots=True)
class MjaiHand:
    """A hand as far as its lines were read."""

    deal: Deal
    hidden: HiddenHands
    moves: list[Move] = field(default_factory=list)
    is_declaring: bool = False
    wins: list[RecordedWin] = field(default_factory=list)
    deltas: list[int] | None = None
    recorded_scores: Deltas | None = None
    is_total: bool = False
    """Whether the recorded payments include the sticks of this hand."""
    entered_riichi: tuple[Seat, ...] | None = None
    foul_payments: Deltas | None = None
    dues: tuple[Due, ...] = ()

    @classmethod
    def dealt(cls, line: ReadLine, points: Deltas | None) -> MjaiHand:
        """Returns a hand that has only its deal, from the line `start_kyoku`; without `scores` it starts with `points`.

        The original mjai has no `scores` there, and our recordings have null after a hand that nobody settled.
        """
        hands = list_of(line["tehais"], "tehais")
        if len(hands) != 4 or not hands[3]:
            raise RecordError(f"expected a game of four players, got hands of {len(hands)}")
        deal = Deal(
            round=Round(_wind(line["bakaze"]), checked_number(line["kyoku"], "kyoku")),
            dealer=seat_of(line["oya"], "oya"),
            honba=checked_number(line["honba"], "honba", minimum=0),
            deposits=checked_number(line["kyotaku"], "kyotaku", minimum=0),
            scores=points if points and line.get("scores") is None else four_numbers(line["scores"], "scores"),
            indicator=from_mjai(line["dora_marker"]),
            hands=four(_tiles(hand) for hand in hands),
            corrected=corrected_in(line),
        )
        return cls(deal=deal, hidden=HiddenHands(deal.hands))

    def read(self, kind: str, line: ReadLine) -> HandRecord | None:
        """Reads an act; returns the hand if it ends by a draw or an abort. After a win, another winner may follow."""
        if kind == "ryukyoku":
            return self._drawn(line)
        if kind == "reach":
            self.is_declaring = True
        elif kind == "hora":
            self._add_win(line)
        else:
            move = _move(self, kind, line)
            self.hidden.apply(move)
            self.moves.append(move)
        return None

    def _add_win(self, line: ReadLine) -> None:
        seat, from_seat = seat_of(line["actor"], "actor"), seat_of(line["target"], "target")
        if (kan := robbed_kan(self.moves, self.hidden, seat, from_seat)) is not None:
            self.hidden.apply(kan)
            self.moves.append(kan)
        tile = from_mjai(line["pai"]) if line.get("pai") else _winning_tile(self, is_tsumo=seat == from_seat)
        concealed = _winning_hand(self, line, tile)
        melds = read_melds_lines(line["entered_melds"]) if line.get("entered_melds") is not None else None
        meld_tiles = (
            _meld_tiles(self.moves, seat)
            if melds is None
            else [meld_tile for meld in melds for meld_tile in meld.tiles]
        )
        self.wins.append(
            RecordedWin(
                seat=seat,
                from_seat=from_seat,
                concealed=concealed,
                winning_tile=tile,
                ura=_tiles(line.get("uradora_markers") or line.get("ura_markers") or []),
                **worth_in(line, (*concealed, tile, *meld_tiles)),
                liable=liable_in(line),
                melds=melds,
            )
        )
        _pay(self, line)

    def _drawn(self, line: ReadLine) -> HandRecord:
        _pay(self, line)
        reason = self._reason(line)
        kind = ResultKind.DRAW if reason in (None, AbortReason.NAGASHI) else ResultKind.ABORT
        shown_hands = _shown_hands(self, line, reason)
        return HandRecord(
            deal=self.deal,
            moves=tuple(self.moves),
            kind=kind,
            deltas=_total(self),
            recorded_scores=self.recorded_scores,
            entered_riichi=self.entered_riichi,
            foul_payments=self.foul_payments,
            dues=self.dues,
            reason=reason,
            shown_hands=shown_hands,
            tenpai=_hidden_tenpai(line, shown_hands),
            claimants=_claimants(self, line, reason),
        )

    def _reason(self, line: ReadLine) -> AbortReason | None:
        if line.get("reason"):
            return one_of(REASONS, line["reason"], "a reason")
        is_nagashi = is_likely_nagashi(self.moves, _total(self))
        return AbortReason.NAGASHI if is_nagashi else likely_reason(self.moves)

    def won(self) -> HandRecord | None:
        """Returns the hand if somebody has won it, when no further winner can follow; else None."""
        if not self.wins:
            return None
        is_tsumo = self.wins[0].seat == self.wins[0].from_seat
        return HandRecord(
            deal=self.deal,
            moves=tuple(self.moves),
            kind=ResultKind.TSUMO if is_tsumo else ResultKind.RON,
            deltas=_total(self),
            recorded_scores=self.recorded_scores,
            entered_riichi=self.entered_riichi,
            foul_payments=self.foul_payments,
            dues=self.dues,
            wins=tuple(self.wins),
        )


def _wind(value: Any) -> Wind:
    letter = text_of(value, "bakaze")
    if letter not in _WINDS:
        raise RecordError(f"expected bakaze as E, S, W or N, got {letter!r:.40}")
    return _WINDS[letter]


def _move(hand: MjaiHand, kind: str, line: ReadLine) -> Move:
    """Returns the act of a line."""
    if kind == "dora":
        return DoraTurned(indicator=from_mjai(line["dora_marker"]))
    seat = seat_of(line["actor"], "actor")
    if kind == "tsumo":
        return Drawn(seat=seat, tile=from_mjai(line["pai"]))
    if kind == "dahai":
        sideways, hand.is_declaring = hand.is_declaring, False
        return Discarded(seat=seat, tile=from_mjai(line["pai"]), sideways=sideways, origin=_origin(line))
    if kind == "reach_accepted":
        return StickPlaced(seat=seat) if line.get("stick", True) else AcceptedWithoutStick(seat=seat)
    own_tiles = _tiles(line["consumed"])
    if kind == "ankan":
        return ClosedKan(seat=seat, tiles=four(own_tiles))
    tile = from_mjai(line["pai"])
    if kind == "kakan":
        return AddedKan(seat=seat, tile=tile)
    return Called(seat=seat, kind=_CALLS[kind], tile=tile, from_seat=seat_of(line["target"], "target"), own=own_tiles)


def _origin(line: ReadLine) -> Origin:
    tsumogiri = line.get("tsumogiri")
    if tsumogiri is not None and not isinstance(tsumogiri, bool):
        raise RecordError(f"expected tsumogiri as true, false or null, got {tsumogiri!r}")
    return _ORIGINS[tsumogiri]


def _winning_tile(hand: MjaiHand, *, is_tsumo: bool) -> Tile:
    if is_tsumo:
        return hand.hidden.last_drawn
    laid_tiles = (move for move in reversed(hand.moves) if isinstance(move, Discarded | AddedKan))
    last = next(laid_tiles, None)
    return UNKNOWN if last is None else last.tile


def _meld_tiles(moves: Sequence[Move], seat: Seat) -> Tiles:
    """Returns the tiles of a seat's melds."""
    tiles: Tiles = ()
    for move in moves:
        if isinstance(move, Called) and move.seat is seat:
            tiles = (*tiles, *move.own, move.tile)
        elif isinstance(move, AddedKan) and move.seat is seat:
            tiles = (*tiles, move.tile)
        elif isinstance(move, ClosedKan) and move.seat is seat:
            tiles = (*tiles, *move.tiles)
    return tiles


def _winning_hand(hand: MjaiHand, line: ReadLine, tile: Tile) -> Tiles:
    """Returns the concealed tiles without the winning one, as shown at the win or as tracked from the deal."""
    seat = seat_of(line["actor"], "actor")
    drawn = tile if line["actor"] == line["target"] else None
    if hand.hidden.is_known(seat) or not line.get("hora_tehais"):
        return hand.hidden.concealed(seat, without=drawn)
    tiles = _tiles(line["hora_tehais"])
    return tiles_without(tiles, tile, seat) if len(tiles) % 3 == 2 else tuple(sorted(tiles))


def _shown_hands(
    hand: MjaiHand, line: ReadLine, reason: AbortReason | None
) -> tuple[Tiles | None, Tiles | None, Tiles | None, Tiles | None]:
    """Returns the hands shown at a draw: the tenpai ones, or all after four riichi."""
    tenpais = line.get("tenpais")
    tehais = line.get("tehais") or ((), (), (), ())
    claimants = _claimants(hand, line, reason)

    def hand_of(seat: Seat) -> Tiles | None:
        if tehais[seat] is None and reason in (None, AbortReason.NAGASHI):
            return None
        if hand.hidden.is_known(seat):
            is_tenpai = bool(tenpais[seat]) if tenpais else hand.hidden.is_tenpai(seat)
            shows_hand = {None: is_tenpai, AbortReason.NAGASHI: is_tenpai, AbortReason.FOUR_RIICHI: True}
            return hand.hidden.concealed(seat) if shows_hand.get(reason, seat in claimants) else None
        if reason in (None, AbortReason.NAGASHI) and tenpais and not tenpais[seat]:
            return None
        tiles = _tiles(tehais[seat] or [])
        return tiles if tiles and UNKNOWN not in tiles else None

    return four(hand_of(seat) for seat in SEATS)


def _hidden_tenpai(line: ReadLine, shown_hands: Sequence[Tiles | None]) -> tuple[Seat, ...]:
    """Returns the seats that are tenpai by the line, but whose hands it does not show."""
    tenpais = line.get("tenpais") or [False] * 4
    return tuple(seat for seat in SEATS if tenpais[seat] is True and shown_hands[seat] is None)


def _claimants(hand: MjaiHand, line: ReadLine, reason: AbortReason | None) -> tuple[Seat, ...]:
    last = next((move for move in reversed(hand.moves) if isinstance(move, Discarded | Drawn)), None)
    if reason is AbortReason.NINE_TERMINALS:
        if line.get("actor") is not None:
            return (seat_of(line["actor"], "actor"),)
        if hand.entered_riichi is not None:  # people entered the end of the hand, and nobody saw who called
            return ()
        if isinstance(last, Drawn):
            return (last.seat,)
        return (hand.deal.dealer if last is None else last.seat.next,)
    if reason is AbortReason.TRIPLE_RON and last is not None:
        return tuple(seat for seat in SEATS if seat != last.seat)
    return ()


def _pay(hand: MjaiHand, line: ReadLine) -> None:
    """Adds a line's payments. They include this hand's sticks if all so far lead to the scores of the same line."""
    if line.get("entered_riichi") is not None:
        entered_seats = list_of(line["entered_riichi"], "entered_riichi")
        hand.entered_riichi = tuple(seat_of(seat, "entered_riichi") for seat in entered_seats)
    hand.dues += dues_in(line)
    if line.get("foul_payments") is not None:
        hand.foul_payments = four_numbers(line["foul_payments"], "foul_payments")
    if line.get("deltas"):
        deltas = four_numbers(line["deltas"], "deltas")
        hand.deltas = [sum(pair) for pair in zip(hand.deltas or [0] * 4, deltas, strict=True)]
    if line.get("scores"):
        hand.recorded_scores = four_numbers(line["scores"], "scores")
        hand.is_total = hand.deltas is not None and add(hand.deal.scores, four(hand.deltas)) == hand.recorded_scores


def _total(hand: MjaiHand) -> Deltas | None:
    if hand.deltas is None:
        return None if hand.recorded_scores is None else subtract(hand.recorded_scores, hand.deal.scores)
    accepted = (move.seat for move in hand.moves if isinstance(move, StickPlaced | AcceptedWithoutStick))
    sticks = [] if hand.is_total else list(accepted)
    return four([delta - STICK * sticks.count(seat) for seat, delta in zip(SEATS, hand.deltas, strict=True)])


def _tiles(texts: Any) -> Tiles:
    return tuple(from_mjai(text) for text in list_of(texts, "tiles"))
