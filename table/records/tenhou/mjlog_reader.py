"""Reads mjlog, Tenhou's own game records: a sequence of XML tags.

The tags are read one by one, not as a document, so that a truncated file still yields its complete hands.
Seats are 0-3 from the first dealer on. `T U V W` draw and `D E F G` discard for seats 0-3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final
from urllib.parse import unquote

from table.game.journal.entries import NOBODY, Names
from table.records.formats.game_record import (
    Deal,
    Drawn,
    GameRecord,
    HandRecord,
    Move,
    RecordedWin,
    Tiles,
    names_of,
)
from table.records.formats.hidden_hands import HiddenHands
from table.records.formats.inferred_events import with_sticks
from table.records.tenhou.mjlog_codes import PLAIN_TILES, TILES, YAKU_BY_NUMBER, read_meld
from table.rulebook.ruleset_reader import preset_rules
from table.rules.events import Discarded, DoraTurned, Origin, StickPlaced
from table.rules.ruleset import Ruleset
from table.rules.scoring.hand_value import YAKUMAN_HAN
from table.rules.terms.amounts import amount
from table.rules.terms.results import STICK, AbortReason, Deltas, ResultKind
from table.rules.terms.seats import SEATS, Round, Seat, Wind, four
from table.rules.terms.tiles import Tile
from table.runtime.table_errors import RecordError

Attributes = Mapping[str, str]
ShownHands = tuple[Tiles | None, Tiles | None, Tiles | None, Tiles | None]

_TAG: Final = re.compile(r"<(\w+)([^<>]*)>")
_ATTRIBUTE: Final = re.compile(r'(\w+)="([^"]*)"')
_NUMBER: Final = re.compile(r"[-+]?[0-9]{1,9}(\.[0-9]{,9})?")
_TILE_ACTS: Final = {
    f"{letter}{number}": (letter in "TUVW", SEATS["TUVWDEFG".index(letter) % 4], number)
    for letter in "TUVWDEFG"
    for number in range(136)
}
"""Whether a tag is a draw, its seat, and the tile's number, by tag; most tags of a game are these."""
_IGNORED: Final = frozenset(("mjloggm", "SHUFFLE", "BYE", "TAIKYOKU", "FURITEN"))
_NO_RED, _NO_OPEN_TANYAO, _SOUTH, _THREE_PLAYERS = 0x02, 0x04, 0x08, 0x10
_REASONS: Final = {reason.names.mjlog: reason for reason in AbortReason if reason.names.mjlog}


def read_mjlog(data: bytes, source: str, *, is_cut: bool = False) -> GameRecord:
    """Reads one game.

    Args:
        data: the text, unpacked.
        source: its name in messages.
        is_cut: whether its compressed form broke off.

    Raises:
        RecordError: for a three-player game, or tags that are not a game.
    """
    reader = _Reader(source=source)
    for name, attributes in _TAG.findall(data.decode("utf-8", errors="replace")):
        reader.read_tag(name, attributes)
    if reader.ruleset is None:
        raise RecordError(f"{source}: expected a GO tag with the rules, got none")
    return reader.record(reader.ruleset, is_cut)


def ruleset_of(flags: int, source: str) -> Ruleset:
    """Returns the rules that the flags of a GO tag name.

    Raises:
        RecordError: for a three-player game.
    """
    if flags & _THREE_PLAYERS:
        raise RecordError(f"{source}: expected a game of four players, got one of three")
    reds = 0 if flags & _NO_RED else 1
    return preset_rules("tenhou").switches.but(
        red_man=reds,
        red_pin=reds,
        red_sou=reds,
        open_tanyao=not flags & _NO_OPEN_TANYAO,
        length="south" if flags & _SOUTH else "east",
    )


def _number(text: str) -> int:
    if _NUMBER.fullmatch(text.strip()) is None:
        raise ValueError(f"expected a number of at most nine digits, got {text!r:.40}")
    return int(float(text))


def _numbers(text: str) -> list[int]:
    return [_number(part) for part in text.split(",")] if text else []


@dataclass(slots=True)
class _Hand:
    """A hand while its tags are read."""

    deal: Deal
    moves: list[Move] = field(default_factory=list)
    drawn: dict[Seat, int] = field(default_factory=dict)
    is_declaring: bool = False
    has_sticks: bool = False
    """Whether the record has accepted riichi; some writers omit them."""
    wins: list[RecordedWin] = field(default_factory=list)
    melds: list[tuple[Seat, int]] = field(default_factory=list)
    deltas: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    recorded_scores: Deltas | None = None


@dataclass(slots=True)
class _Reader:
    """Reads the tags of one game in order."""

    source: str
    ruleset: Ruleset | None = None
    tiles: Tiles = TILES
    hand: _Hand | None = None
    hands: list[HandRecord] = field(default_factory=list)
    final: Deltas | None = None
    has_ended: bool = False
    names: Names = NOBODY

    def read_tag(self, name: str, text: str) -> None:
        """Reads one tag: its name, and the text of its attributes."""
        hand, act = self.hand, _TILE_ACTS.get(name)
        if act is not None and hand is not None and not hand.wins:
            self._tile(hand, *act)
            return
        attributes = dict(_ATTRIBUTE.findall(text))
        try:
            self._read_attributes(name, attributes)
        except RecordError:
            raise
        except (KeyError, IndexError, ValueError) as error:
            place = f"hand {len(self.hands)}, tag {name:.40} {attributes!r:.400}"
            if isinstance(error, KeyError):
                raise RecordError(f"{self.source}: expected {error.args[0]} in {place}, got none") from error
            raise RecordError(f"{self.source}: expected a tag of a game, got {place}: {error}") from error

    def record(self, ruleset: Ruleset, is_cut: bool) -> GameRecord:
        """Returns the game read so far."""
        self._close_wins()
        missing_part = None
        if self.hand is not None:
            missing_part = f"hand {len(self.hands)} has no end"
        elif is_cut or not self.has_ended:
            missing_part = f"the game has no end after {amount(len(self.hands), 'hand')}"
        return GameRecord(
            ruleset=ruleset, hands=tuple(self.hands), final=self.final, cut_short=missing_part, names=self.names
        )

    def _read_attributes(self, name: str, attributes: Attributes) -> None:
        if name in _IGNORED:
            return
        if name == "UN":
            self._name(attributes)
            return
        if name != "AGARI":
            self._close_wins()
        if name == "GO":
            self.ruleset = ruleset_of(_number(attributes["type"]), self.source)
            self.tiles = TILES if self.ruleset.red_man else PLAIN_TILES
        elif name == "INIT":
            self._deal(attributes)
        elif self.hand is None:
            place = f"after hand {len(self.hands) - 1}" if self.hands else "before the first hand"
            raise RecordError(f"{self.source}: expected a deal, got tag {name} {place}")
        else:
            self._act(self.hand, name, attributes)

    def _name(self, attributes: Attributes) -> None:
        """Reads the players' names; a later tag names only a player who comes back."""
        if not any(self.names):
            self.names = names_of([unquote(attributes.get(f"n{seat}", "")) for seat in SEATS])

    def _act(self, hand: _Hand, name: str, attributes: Attributes) -> None:
        if name == "N":
            self._meld(hand, Seat(_number(attributes["who"])), _number(attributes["m"]))
        elif name == "DORA":
            hand.moves.append(DoraTurned(indicator=self._tile_of(_number(attributes["hai"]))))
        elif name == "REACH":
            self._riichi(hand, attributes)
        elif name == "AGARI":
            self._win(hand, attributes)
        elif name == "RYUUKYOKU":
            self._draw(hand, attributes)
        else:
            raise RecordError(f"{self.source}: expected a tag of a game, got {name:.40} in hand {len(self.hands)}")

    def _tile_of(self, number: int) -> Tile:
        if not 0 <= number < len(self.tiles):
            raise ValueError(f"expected the number of a tile from 0 to {len(self.tiles) - 1}, got {number}")
        return self.tiles[number]

    def _tiles(self, text: str) -> Tiles:
        return tuple(self._tile_of(number) for number in _numbers(text))

    def _deal(self, attributes: Attributes) -> None:
        seed = _numbers(attributes["seed"])
        hands = [attributes[f"hai{seat}"] for seat in SEATS]
        if not hands[-1]:
            raise RecordError(f"{self.source}: expected hands of four players, got those of three")
        if min(seed) < 0:
            raise ValueError(f"expected a seed of numbers of 0 or more, got {seed}")
        deal = Deal(
            round=Round(Wind(seed[0] // 4), seed[0] % 4 + 1),
            dealer=Seat(_number(attributes["oya"])),
            honba=seed[1],
            deposits=seed[2],
            scores=_hundreds(_numbers(attributes["ten"])),
            indicator=self._tile_of(seed[5]),
            hands=four(map(self._tiles, hands)),
        )
        self.hand = _Hand(deal=deal)

    def _tile(self, hand: _Hand, is_draw: bool, seat: Seat, number: int) -> None:
        is_plain = self.tiles is PLAIN_TILES
        if is_draw:
            hand.drawn[seat] = number
            hand.moves.append(_draw_of(seat, number, is_plain))
            return
        is_drawn_tile = hand.drawn.pop(seat, None) == number
        hand.moves.append(_discard_of(seat, number, hand.is_declaring, is_drawn_tile, is_plain))
        hand.is_declaring = False

    def _meld(self, hand: _Hand, seat: Seat, code: int) -> None:
        meld = read_meld(code, seat, self.tiles)
        hand.moves.append(meld)
        hand.melds.append((seat, code))

    def _riichi(self, hand: _Hand, attributes: Attributes) -> None:
        if attributes["step"] == "1":
            hand.is_declaring = True
        else:
            hand.moves.append(StickPlaced(seat=Seat(_number(attributes["who"]))))
            hand.has_sticks = True

    def _win(self, hand: _Hand, attributes: Attributes) -> None:
        seat, from_seat = Seat(_number(attributes["who"])), Seat(_number(attributes["fromWho"]))
        machi = _number(attributes["machi"])
        fu, points, _ = _numbers(attributes["ten"])
        yaku, yakuman = _yaku(attributes)
        concealed = _numbers(attributes["hai"])
        if machi in concealed:
            concealed.remove(machi)
        hand.wins.append(
            RecordedWin(
                seat=seat,
                from_seat=from_seat,
                concealed=tuple(sorted(self._tile_of(number) for number in concealed)),
                winning_tile=self._tile_of(machi),
                ura=self._tiles(attributes.get("doraHaiUra", "")),
                han=None if yakuman or yaku is None else sum(han for _, han in yaku),
                fu=None if yakuman else fu,
                yaku=yaku,
                yakuman=yakuman,
                points=points,
                liable=(Seat(_number(attributes["paoWho"])),) if "paoWho" in attributes else (),
            )
        )
        self._pay(hand, attributes)

    def _pay(self, hand: _Hand, attributes: Attributes) -> None:
        numbers = _numbers(attributes["sc"])
        changes = numbers[1::2]
        hand.recorded_scores = _hundreds(
            [before + change for before, change in zip(numbers[0::2], changes, strict=True)]
        )
        hand.deltas = [sum(pair) for pair in zip(hand.deltas, (100 * change for change in changes), strict=True)]
        if "owari" in attributes:
            self.final = _hundreds(_numbers(attributes["owari"])[0::2])
            self.has_ended = True

    def _close_wins(self) -> None:
        """Ends a won hand when no further winner can follow."""
        hand = self.hand
        if hand is None or not hand.wins:
            return
        kind = ResultKind.TSUMO if hand.wins[0].seat == hand.wins[0].from_seat else ResultKind.RON
        moves = _moves(hand, is_ronned=kind is ResultKind.RON)
        deltas = _total(hand, moves)
        wins, recorded_scores = tuple(hand.wins), hand.recorded_scores
        self._finish(
            HandRecord(
                deal=hand.deal, moves=moves, kind=kind, deltas=deltas, recorded_scores=recorded_scores, wins=wins
            )
        )

    def _draw(self, hand: _Hand, attributes: Attributes) -> None:
        reason = _reason_of(attributes["type"]) if "type" in attributes else None
        kind = ResultKind.DRAW if reason in (None, AbortReason.NAGASHI) else ResultKind.ABORT
        moves = _moves(hand, is_ronned=reason is AbortReason.TRIPLE_RON)
        shown_hands = self._shown_hands(hand, attributes)
        self._pay(hand, attributes)
        self._finish(
            HandRecord(
                deal=hand.deal,
                moves=moves,
                kind=kind,
                deltas=_total(hand, moves),
                recorded_scores=hand.recorded_scores,
                reason=reason,
                shown_hands=shown_hands,
                claimants=_claimants(reason, shown_hands),
            ),
        )

    def _shown_hands(self, hand: _Hand, attributes: Attributes) -> ShownHands:
        """Returns the shown hands: as in the tag, or as tracked from the deal if the tag only names the seat."""
        hands = [attributes.get(f"hai{seat}") for seat in SEATS]
        hidden = HiddenHands(hand.deal.hands)
        if "" in hands:
            for move in hand.moves:
                hidden.apply(move)
        return four(
            None if text is None else tuple(sorted(self._tiles(text))) or hidden.concealed(seat)
            for seat, text in zip(SEATS, hands, strict=True)
        )

    def _finish(self, record: HandRecord) -> None:
        self.hands.append(record)
        self.hand = None


# A record has thousands of draws and discards, but only a few hundred different ones, so the values are cached.
@cache
def _draw_of(seat: Seat, number: int, is_plain: bool) -> Drawn:
    return Drawn(seat=seat, tile=(PLAIN_TILES if is_plain else TILES)[number])


@cache
def _discard_of(seat: Seat, number: int, sideways: bool, is_drawn_tile: bool, is_plain: bool) -> Discarded:
    tile = (PLAIN_TILES if is_plain else TILES)[number]
    origin = Origin.DRAWN if is_drawn_tile else Origin.HAND
    return Discarded(seat=seat, tile=tile, sideways=sideways, origin=origin)


def _moves(hand: _Hand, *, is_ronned: bool) -> tuple[Move, ...]:
    return tuple(hand.moves if hand.has_sticks else with_sticks(hand.moves, is_ronned=is_ronned))


def _claimants(reason: AbortReason | None, shown_hands: ShownHands) -> tuple[Seat, ...]:
    if reason not in (AbortReason.NINE_TERMINALS, AbortReason.TRIPLE_RON):
        return ()
    return tuple(seat for seat in SEATS if shown_hands[seat] is not None)


def _yaku(attributes: Attributes) -> tuple[tuple[tuple[str, int], ...] | None, int]:
    """Returns the yaku with their han (None if not recorded), and the number of yakuman."""
    if attributes.get("yakuman"):
        names = [_yaku_of(number) for number in _numbers(attributes["yakuman"])]
        return tuple((name, YAKUMAN_HAN) for name in names), len(names)
    if "yaku" not in attributes:
        return None, 0
    numbers = _numbers(attributes["yaku"])
    pairs = zip(numbers[0::2], numbers[1::2], strict=True)
    return tuple((_yaku_of(number), han) for number, han in pairs if han), 0


def _reason_of(name: str) -> AbortReason:
    if name not in _REASONS:
        raise ValueError(f"expected a type of {', '.join(_REASONS)}, got {name!r}")
    return _REASONS[name]


def _yaku_of(number: int) -> str:
    if not 0 <= number < len(YAKU_BY_NUMBER):
        raise ValueError(f"expected the number of a yaku from 0 to {len(YAKU_BY_NUMBER) - 1}, got {number}")
    return YAKU_BY_NUMBER[number]


def _hundreds(points: list[int]) -> Deltas:
    return four(100 * point for point in points)


def _total(hand: _Hand, moves: Sequence[Move]) -> Deltas:
    """Returns the payments including this hand's riichi sticks, which the record subtracts at once."""
    sticks = [move.seat for move in moves if isinstance(move, StickPlaced)]
    return four(hand.deltas[seat] - STICK * sticks.count(seat) for seat in SEATS)
