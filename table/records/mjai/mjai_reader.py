"""Reads mjai: one JSON object per line, in game order.

It reads both the common form (with all hands and draws) and our own recordings (without draws, hidden tiles ``?``, with
the shown hand at the win). Facts that a record lacks (han, fu, points) are None.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from table.game.journal.entries import NOBODY, Names
from table.records.formats.checked_values import (
    four_numbers,
    list_of,
    object_of,
    one_of,
    seat_of,
    text_of,
    whole_number,
)
from table.records.formats.game_record import (
    AcceptedWithoutStick,
    Deal,
    Drawn,
    GameRecord,
    HandRecord,
    Move,
    PointCorrection,
    RecordedWin,
    Tiles,
    names_of,
)
from table.records.formats.hidden_hands import HiddenHands, tiles_without
from table.records.formats.inferred_events import likely_reason, robbed_kan
from table.records.formats.json_kind import json_kind
from table.records.formats.late_penalties import dues_in
from table.records.mjai.mjai_corrections import corrected_in
from table.records.mjai.mjai_melds import read_melds_lines
from table.records.mjai.mjai_reasons import REASONS
from table.records.mjai.mjai_tiles import from_mjai
from table.records.mjai.mjai_wins import worth_in
from table.rulebook import known_rules
from table.rulebook.ruleset_reader import SHIPPED, preset_rules
from table.rules.events import AddedKan, Called, CallKind, ClosedKan, Discarded, DoraTurned, Origin, StickPlaced
from table.rules.penalties.consequence import Due
from table.rules.ruleset import Ruleset
from table.rules.terms.amounts import amount
from table.rules.terms.results import STICK, AbortReason, Deltas, ResultKind, add
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS, Round, Seat, Wind, four
from table.rules.terms.tiles import UNKNOWN, Tile
from table.runtime.table_errors import RecordError, TachiaiError
from vision.json_text import read_any_json
from vision.plain_values import with_tuples

Line = Mapping[str, Any]

_EAST_ONLY: Final = 4
"""The `kyoku_first` of an East-only game; an East-South game has 0."""
_CALLS: Final = {kind.mjai: kind for kind in CallKind}
_ORIGINS: Final = {True: Origin.DRAWN, False: Origin.HAND, None: Origin.UNKNOWN}
_WINDS: Final = {wind.letter: wind for wind in Wind}
_ACTS: Final = frozenset(
    ("tsumo", "dahai", "reach", "reach_accepted", "dora", "ankan", "kakan", "hora", "ryukyoku", *_CALLS)
)
_FIRST_TYPES: Final = frozenset(("start_game", "start_kyoku"))
_IGNORED: Final = frozenset(("none", "hello", "start_game", "tehai", "error"))


def read_mjai(data: bytes, source: str) -> GameRecord:
    """Reads one game.

    Args:
        data: the lines.
        source: their name in messages.

    Raises:
        RecordError: for a three-player game, or lines that are not a game.
    """
    reader = MjaiReader(source=source)
    lines = data.splitlines()  # not the text's, which ends at signs that a name may have
    for number, line in enumerate(lines, start=1):
        text = line.decode("utf-8", errors="replace")
        if text.strip() and not reader.read_line(text, number, is_last=number == len(lines)):
            break
    return reader.record()


@dataclass(slots=True)
class _Hand:
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


@dataclass(slots=True)
class MjaiReader:
    """Reads the lines of one game in order."""

    source: str
    ruleset: Ruleset = field(default_factory=lambda: preset_rules("tenhou").switches)
    hand: _Hand | None = None
    hands: list[HandRecord] = field(default_factory=list)
    final: Deltas | None = None
    corrected: PointCorrection | None = None
    """What was corrected by hand after the last hand."""
    dues: tuple[Due, ...] = ()
    """The penalties after uma, and the places lost by penalties."""
    has_ended: bool = False
    has_begun: bool = False
    """Whether a line was an act of a game, so that it is no other file."""
    missing_part: str | None = None
    repeated: list[int] = field(default_factory=list)
    """The hands that came again, counted from 0, as from a logger that connects again; they are left out."""
    hands_so_far: list[HandRecord] = field(default_factory=list)
    """Every hand so far."""
    names: Names = NOBODY

    def read_line(self, text: str, number: int, *, is_last: bool) -> bool:
        """Reads one line; returns whether reading can continue."""
        place = f"{self.source}, line {number}"
        try:
            line = read_any_json(text)
        except ValueError as error:
            if not is_last or not isinstance(error, json.JSONDecodeError):
                raise RecordError(f"{place}: expected a JSON object, got another text: {error}") from error
            self.missing_part = f"line {number} is cut off"
            return False
        try:
            self._read_act(line)
        except (TachiaiError, RulesError, KeyError, IndexError, TypeError, ValueError) as error:
            raise RecordError(f"{place}: {self._complaint(line, error)}") from error
        return True

    def _complaint(self, line: Any, error: Exception) -> str:
        """Returns what is wrong with a line; before any act of a game, nothing of what is in it: it may be secret."""
        if not self.has_begun:
            return f"expected an act of a game, got {json_kind(line)}"
        if isinstance(error, TachiaiError | RulesError):
            return str(error)
        return f"expected an act of a game, got {json_kind(line)}: {error}"

    def record(self) -> GameRecord:
        """Returns the game read so far."""
        self._close()
        if self.hand is not None:
            self.missing_part = self.missing_part or f"hand {len(self.hands)} has no end"
        elif not self.has_ended:
            self.missing_part = self.missing_part or f"the game has no end after {amount(len(self.hands), 'hand')}"
        if not self.hands and self.hand is None:
            raise RecordError(f"{self.source}: expected at least one start_kyoku, got none")
        return GameRecord(
            ruleset=self.ruleset,
            hands=tuple(self.hands),
            final=self.final,
            cut_short=self.missing_part,
            names=self.names,
            corrected=self.corrected,
            dues=self.dues,
            repeated=tuple(self.repeated),
        )

    def _add(self, hand: HandRecord) -> None:
        """Adds a hand, unless it is there already: with acts, no two are alike, down to the points before them."""
        self.hand = None
        if hand.moves and hand in self.hands_so_far:
            self.repeated.append(self.hands_so_far.index(hand))
        else:
            self.hands_so_far.append(hand)
            self.hands.append(hand)

    def _read_act(self, line: Line) -> None:
        kind = text_of(object_of(line, "an act")["type"], "type")
        line = object_of(line, f"a line of type {kind:.40}")
        self.has_begun = self.has_begun or kind in _FIRST_TYPES
        if kind == "start_game":
            self._open(line)
        elif kind == "start_kyoku":
            self._close()
            self.hand = _deal(line)
        elif kind == "end_kyoku":
            self._close()
        elif kind == "end_game":
            self._close()
            self.has_ended = True
            self.final = four_numbers(line["scores"], "scores") if line.get("scores") else None
            self.corrected = corrected_in(line)
            self.dues = dues_in(line)
        elif kind not in (*_IGNORED, *_ACTS):
            raise RecordError(f"expected an act of a game, got one of type {kind!r:.40}")
        elif kind not in _IGNORED and not line.get("retracted"):
            if self.hand is None:
                raise RecordError(f"expected start_kyoku before {kind}, got none")
            self._act(self.hand, kind, line)

    def _open(self, line: Line) -> None:
        if line.get("names") is not None and len(line["names"]) == 3:
            raise RecordError("expected a game of four players, got one of three")
        self.names = names_of(line.get("names"))
        if line.get("kyoku_first") == _EAST_ONLY:
            self.ruleset = self.ruleset.but(length="east")
        if line.get("preset") in SHIPPED:
            self.ruleset = preset_rules(line["preset"]).switches
        if line.get("ruleset") is not None:
            changes = {
                name: with_tuples(value)
                for name, value in object_of(line.get("ruleset_changes", {}), "ruleset_changes").items()
            }
            self.ruleset = known_rules(text_of(line["ruleset"], "ruleset")).switches.but(**changes)
        if line.get("aka_flag") is False:
            self.ruleset = self.ruleset.but(red_man=0, red_pin=0, red_sou=0)

    def _act(self, hand: _Hand, kind: str, line: Line) -> None:
        if kind == "reach":
            hand.is_declaring = True
        elif kind == "hora":
            self._win(hand, line)
        elif kind == "ryukyoku":
            self._draw(hand, line)
        else:
            move = _move(hand, kind, line)
            hand.hidden.apply(move)
            hand.moves.append(move)

    def _win(self, hand: _Hand, line: Line) -> None:
        seat, from_seat = seat_of(line["actor"], "actor"), seat_of(line["target"], "target")
        if (kan := robbed_kan(hand.moves, hand.hidden, seat, from_seat)) is not None:
            hand.hidden.apply(kan)
            hand.moves.append(kan)
        tile = from_mjai(line["pai"]) if line.get("pai") else _winning_tile(hand, is_tsumo=seat == from_seat)
        concealed = _winning_hand(hand, line, tile)
        melds = read_melds_lines(line["entered_melds"]) if line.get("entered_melds") is not None else None
        meld_tiles = _meld_tiles(hand.moves, seat) if melds is None else [each for meld in melds for each in meld.tiles]
        hand.wins.append(
            RecordedWin(
                seat=seat,
                from_seat=from_seat,
                concealed=concealed,
                winning_tile=tile,
                ura=_tiles(line.get("uradora_markers") or line.get("ura_markers") or []),
                **worth_in(line, (*concealed, tile, *meld_tiles)),
                liable=seat_of(line["pao"], "pao") if line.get("pao") is not None else None,
                melds=melds,
            )
        )
        _pay(hand, line)

    def _draw(self, hand: _Hand, line: Line) -> None:
        reason_name = line.get("reason")
        reason = one_of(REASONS, reason_name, "a reason") if reason_name else likely_reason(hand.moves)
        kind = ResultKind.DRAW if reason in (None, AbortReason.NAGASHI) else ResultKind.ABORT
        shown_hands = _shown_hands(hand, line, reason)
        _pay(hand, line)
        self._add(
            HandRecord(
                deal=hand.deal,
                moves=tuple(hand.moves),
                kind=kind,
                deltas=_total(hand),
                recorded_scores=hand.recorded_scores,
                entered_riichi=hand.entered_riichi,
                reason=reason,
                shown_hands=shown_hands,
                tenpai=_hidden_tenpai(line, shown_hands),
                claimants=_claimants(hand, line, reason),
            )
        )

    def _close(self) -> None:
        """Ends a won hand when no further winner can follow."""
        hand = self.hand
        if hand is None or not hand.wins:
            return
        is_tsumo = hand.wins[0].seat == hand.wins[0].from_seat
        self._add(
            HandRecord(
                deal=hand.deal,
                moves=tuple(hand.moves),
                kind=ResultKind.TSUMO if is_tsumo else ResultKind.RON,
                deltas=_total(hand),
                recorded_scores=hand.recorded_scores,
                entered_riichi=hand.entered_riichi,
                wins=tuple(hand.wins),
            )
        )


def _deal(line: Line) -> _Hand:
    hands = list_of(line["tehais"], "tehais")
    if len(hands) != 4 or not hands[3]:
        raise RecordError(f"expected a game of four players, got hands of {len(hands)}")
    deal = Deal(
        round=Round(_wind(line["bakaze"]), whole_number(line["kyoku"], "kyoku")),
        dealer=seat_of(line["oya"], "oya"),
        honba=whole_number(line["honba"], "honba", minimum=0),
        deposits=whole_number(line["kyotaku"], "kyotaku", minimum=0),
        scores=four_numbers(line["scores"], "scores"),
        indicator=from_mjai(line["dora_marker"]),
        hands=four(_tiles(hand) for hand in hands),
        corrected=corrected_in(line),
    )
    return _Hand(deal=deal, hidden=HiddenHands(deal.hands))


def _wind(value: Any) -> Wind:
    letter = text_of(value, "bakaze")
    if letter not in _WINDS:
        raise RecordError(f"expected bakaze as E, S, W or N, got {letter!r:.40}")
    return _WINDS[letter]


def _move(hand: _Hand, kind: str, line: Line) -> Move:
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


def _origin(line: Line) -> Origin:
    tsumogiri = line.get("tsumogiri")
    if tsumogiri is not None and not isinstance(tsumogiri, bool):
        raise RecordError(f"expected tsumogiri as true, false or null, got {tsumogiri!r}")
    return _ORIGINS[tsumogiri]


def _winning_tile(hand: _Hand, *, is_tsumo: bool) -> Tile:
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


def _winning_hand(hand: _Hand, line: Line, tile: Tile) -> Tiles:
    """Returns the concealed tiles without the winning one, as shown at the win or as tracked from the deal."""
    seat = seat_of(line["actor"], "actor")
    drawn = tile if line["actor"] == line["target"] else None
    if hand.hidden.is_known(seat) or not line.get("hora_tehais"):
        return hand.hidden.concealed(seat, without=drawn)
    tiles = _tiles(line["hora_tehais"])
    return tiles_without(tiles, tile, seat) if len(tiles) % 3 == 2 else tuple(sorted(tiles))


def _shown_hands(
    hand: _Hand, line: Line, reason: AbortReason | None
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
        tiles = _tiles(tehais[seat] or [])
        return tiles if tiles and UNKNOWN not in tiles else None

    return four(hand_of(seat) for seat in SEATS)


def _hidden_tenpai(line: Line, shown_hands: Sequence[Tiles | None]) -> tuple[Seat, ...]:
    """Returns the seats that are tenpai by the line, but whose hands it does not show."""
    tenpais = line.get("tenpais") or [False] * 4
    return tuple(seat for seat in SEATS if tenpais[seat] is True and shown_hands[seat] is None)


def _claimants(hand: _Hand, line: Line, reason: AbortReason | None) -> tuple[Seat, ...]:
    last = next((move for move in reversed(hand.moves) if isinstance(move, Discarded | Drawn)), None)
    if reason is AbortReason.NINE_TERMINALS:
        if line.get("actor") is not None:
            return (seat_of(line["actor"], "actor"),)
        if isinstance(last, Drawn):
            return (last.seat,)
        return (hand.deal.dealer if last is None else last.seat.next,)
    if reason is AbortReason.TRIPLE_RON and last is not None:
        return tuple(seat for seat in SEATS if seat != last.seat)
    return ()


def _pay(hand: _Hand, line: Line) -> None:
    """Adds payments; in a line that also has scores, they are complete, with this hand's sticks subtracted."""
    if line.get("entered_riichi") is not None:
        entered_seats = list_of(line["entered_riichi"], "entered_riichi")
        hand.entered_riichi = tuple(seat_of(seat, "entered_riichi") for seat in entered_seats)
    if not line.get("deltas"):
        return
    deltas = four_numbers(line["deltas"], "deltas")
    hand.deltas = [sum(pair) for pair in zip(hand.deltas or [0] * 4, deltas, strict=True)]
    if line.get("scores"):
        hand.recorded_scores = four_numbers(line["scores"], "scores")
        hand.is_total = add(hand.deal.scores, deltas) == hand.recorded_scores


def _total(hand: _Hand) -> Deltas | None:
    if hand.deltas is None:
        return None
    accepted = (move.seat for move in hand.moves if isinstance(move, StickPlaced | AcceptedWithoutStick))
    sticks = [] if hand.is_total else list(accepted)
    return four([delta - STICK * sticks.count(seat) for seat, delta in zip(SEATS, hand.deltas, strict=True)])


def _tiles(texts: Any) -> Tiles:
    return tuple(from_mjai(text) for text in list_of(texts, "tiles"))
