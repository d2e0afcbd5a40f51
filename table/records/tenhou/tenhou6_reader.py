"""Reads tenhou.net/6 JSON, the format of Tenhou's log viewer and editor.

Every hand lists the draws or calls of each seat, and its discards; the order of turns is found by walking from seat to
seat. A discard goes to a seat whose next call names it; if the walk then leads nowhere, the discard was not called.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any, Final
from urllib.parse import unquote

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
from table.records.formats.hidden_hands import HiddenHands
from table.records.formats.inferred_events import likely_reason, robbed_kan, with_sticks
from table.records.formats.json_kind import json_kind
from table.records.formats.late_penalties import dues_in
from table.records.tenhou.tenhou6_codes import (
    CALLED_KAN,
    CORRECTED,
    DRAWN,
    REASONS,
    TRUNCATED,
    TSUMOGIRI,
    WON,
    MeldCode,
    tile_of,
    yaku_of,
)
from table.rulebook.ruleset_reader import preset_rules
from table.rules.events import AddedKan, Called, CallKind, ClosedKan, Discarded, DoraTurned, Origin, StickPlaced
from table.rules.ruleset import Ruleset
from table.rules.terms.amounts import amount
from table.rules.terms.results import STICK, AbortReason, Deltas, ResultKind
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS, Round, Seat, Wind, four
from table.rules.terms.tiles import UNKNOWN, Tile
from table.runtime.table_errors import RecordError
from vision.json_text import read_any_json

Entry = int | str
_CALLS: Final = {kind.tenhou: kind for kind in CallKind}
_PARTS: Final = 17
"""The parts of a hand: its number, points, indicators, ura, three of each seat, and its result."""
_TENHOU_RULE: Final = re.compile(r"(?:L\d+)?\s*[四三般上級特鳳凰若銀琥孔雀技能]*[東南](喰?)赤?速?")
"""The names of Tenhou's own rules; other names do not determine open tanyao."""
_POINTS: Final = re.compile(r"(\d+)(?:-(\d+))?点(∀)?")
_FU: Final = re.compile(r"(\d+)符")
_HAN: Final = re.compile(r"(\d+)[翻飜]")


def read_tenhou6(data: bytes, source: str) -> GameRecord:
    """Reads one game: the JSON object, or the viewer's address with the object after ``#json=``.

    Raises:
        RecordError: for a three-player game, or data that is not a game.
    """
    text = data.decode("utf-8-sig", errors="replace").strip()
    if "#json=" in text:
        text = unquote(text.split("#json=", 1)[1].split("&ts=", 1)[0])
    try:
        game = read_any_json(text)
    except json.JSONDecodeError as error:
        return _read_cut(text, source, error)
    except ValueError as error:
        raise RecordError(f"{source}: expected a tenhou.net/6 object, got another text: {error}") from error
    return _read(game, source, None)


def _read_cut(text: str, source: str, error: json.JSONDecodeError) -> GameRecord:
    """Reads the complete hands of a truncated object."""
    start = text.find('"log"')
    bracket = text.find("[", start)
    if start < 0 or bracket < 0:
        raise RecordError(f"{source}: expected a tenhou.net/6 object, got another text: {error}") from error
    decoder, hands, position = json.JSONDecoder(), [], bracket + 1
    while True:
        position += len(text[position:]) - len(text[position:].lstrip(" ,\r\n\t"))
        try:
            hand, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        hands.append(hand)
    return _read({"log": hands}, source, f"the text breaks off after {amount(len(hands), 'hand')}")


def _read(game: Any, source: str, missing_part: str | None) -> GameRecord:
    if not isinstance(game, dict) or not isinstance(game.get("log"), list):
        raise RecordError(f"{source}: expected a tenhou.net/6 object with a log, got {json_kind(game)}")
    try:
        return _read_object(game, missing_part)
    except RecordError as error:
        raise RecordError(f"{source}: {error}") from error
    except (IndexError, KeyError, TypeError, ValueError, AttributeError, RulesError) as error:
        raise RecordError(f"{source}: expected a tenhou.net/6 object, got an unreadable one: {error}") from error


def _read_object(game: dict[str, Any], missing_part: str | None) -> GameRecord:
    ruleset = _ruleset(game)
    hands = []
    for index, entry in enumerate(game["log"]):
        try:
            hands.append(_Hand.read(entry))
        except (RecordError, RulesError) as error:
            raise RecordError(f"hand {index}: {error}") from error
        except (IndexError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise RecordError(
                f"hand {index}: expected a hand of tenhou.net/6, got an unreadable one: {error}"
            ) from error
    final = game.get("sc")
    corrections = _corrections(game)
    return GameRecord(
        ruleset=ruleset,
        hands=tuple(
            replace(hand, deal=replace(hand.deal, corrected=corrections.get(index))) for index, hand in enumerate(hands)
        ),
        corrected=corrections.get(len(hands)),
        final=four_numbers(list_of(final, "sc")[0::2], "points in sc") if final else None,
        dues=dues_in(game),
        cut_short=missing_part or ("it was exported truncated or unfinished" if game.get(TRUNCATED) else None),
        names=names_of(game.get("name")),
    )


def _corrections(game: dict[str, Any]) -> dict[int, PointCorrection]:
    """Returns what people corrected by hand, by the index of the hand."""
    found = {}
    for each in list_of(game.get(CORRECTED) or [], CORRECTED):
        index, points, sticks = list_of(each, CORRECTED)
        changes = PointCorrection(
            points=four_numbers(points, "corrected points"), sticks=whole_number(sticks, "corrected sticks")
        )
        found[whole_number(index, "hand", minimum=0)] = changes
    return found


def _ruleset(game: dict[str, Any]) -> Ruleset:
    rule = object_of(game.get("rule") or {}, "rule")
    display_name = str(rule.get("disp", ""))
    names = game.get("name") or ["", "", "", ""]
    hands = [list_of(entry, "a hand") for entry in game["log"]]
    if "三" in display_name or len(names) == 3 or any(len(hand) >= _PARTS and not hand[13] for hand in hands):
        raise RecordError("expected a game of four players, got one of three")
    if hands and (fewest := min(map(len, hands))) < _PARTS:
        raise RecordError(f"expected hands of {_PARTS} parts, as of four players, got one of {fewest}")
    tenhou_rule = _TENHOU_RULE.fullmatch(display_name)
    reds = {
        suit: rule.get(key, rule.get("aka", 1)) for suit, key in zip("mps", ("aka51", "aka52", "aka53"), strict=True)
    }
    return preset_rules("tenhou").switches.but(
        red_man=whole_number(reds["m"], "red fives"),
        red_pin=whole_number(reds["p"], "red fives"),
        red_sou=whole_number(reds["s"], "red fives"),
        open_tanyao=tenhou_rule is None or bool(tenhou_rule[1]),
        length="east" if "東" in display_name or "East" in display_name else "south",
    )


@dataclass(slots=True)
class _Walk:
    """The positions up to which the lists of a hand have been read."""

    draws: list[list[Entry]]
    discards: list[list[Entry]]
    positions: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    moves: list[Move] = field(default_factory=list)
    drawn: list[Tile | None] = field(default_factory=lambda: [None] * 4)

    def copy(self) -> _Walk:
        """Returns an independent copy."""
        return replace(self, positions=list(self.positions), moves=list(self.moves), drawn=list(self.drawn))

    def is_done(self) -> bool:
        """Whether every entry was read; after a tsumo there is one discard fewer than draws."""
        return all(position >= len(draws) for position, draws in zip(self.positions, self.draws, strict=True))

    def next_entry(self, seat: Seat) -> Entry | None:
        """Returns the seat's next draw or call."""
        draws, position = self.draws[seat], self.positions[seat]
        return draws[position] if position < len(draws) else None

    def next_discard(self, seat: Seat) -> Entry | None:
        """Returns the entry in the seat's discards after its next draw or call; None after a tsumo."""
        discards, position = self.discards[seat], self.positions[seat]
        return discards[position] if position < len(discards) else None


@dataclass(slots=True)
class _Hand:
    """Converts the list of one hand."""

    deal: Deal
    indicators: tuple[Tile, ...]
    ura: Tiles
    result: list[Any]

    @classmethod
    def read(cls, entry: list[Any]) -> HandRecord:
        """Reads one element of the log."""
        number, honba, sticks = (
            whole_number(each, "round, honba and sticks", minimum=0) for each in list_of(entry[0], "start")
        )
        indicators = _tiles(entry[2])
        deal = Deal(
            round=Round(Wind(number // 4), number % 4 + 1),
            dealer=Seat(number % 4),
            honba=honba,
            deposits=sticks,
            scores=four_numbers(entry[1], "starting scores"),
            indicator=indicators[0],
            hands=four(_tiles(entry[4 + 3 * seat]) for seat in SEATS),
        )
        hand = cls(deal=deal, indicators=indicators, ura=_tiles(entry[3]), result=list_of(entry[16], "result"))
        walk = _Walk(
            draws=[list_of(entry[5 + 3 * seat], "draws") for seat in SEATS],
            discards=[list_of(entry[6 + 3 * seat], "discards") for seat in SEATS],
        )
        if not any(walk.discards) and not any(tile.is_known for tile in chain(*deal.hands)):
            return hand.record(())  # only the result was entered: a last draw has no turns before it
        done = _follow(walk, deal.dealer, is_call=False)
        if done is None:
            raise RecordError("expected draws, calls and discards that fit an order of turns, got some that fit none")
        return hand.record(done.moves)

    def record(self, moves_read: Sequence[Move]) -> HandRecord:
        """Returns the hand with facts that its lists omit: sticks, indicators of kans, hands."""
        is_won = text_of(self.result[0], "result") == WON
        reason = None if is_won else one_of(REASONS, self.result[0], f"a result such as {WON}, or an end")
        are_known = UNKNOWN not in chain(*self.deal.hands)
        if self.result[0] == DRAWN and are_known and not any(chain(*self.result[1:])):
            reason = likely_reason(moves_read)
        is_ronned = (is_won and self.result[2][0] != self.result[2][1]) or reason is AbortReason.TRIPLE_RON
        moves = _with_indicators(with_sticks(moves_read, is_ronned=is_ronned), self.indicators[1:])
        hidden = HiddenHands(self.deal.hands)
        for move in moves:
            hidden.apply(move)
        sticks = [move.seat for move in moves if isinstance(move, StickPlaced)]
        if is_won:
            return self._won_hand(self._with_robbed(moves, hidden), hidden, sticks)
        shown_hands = _shown_hands(hidden, reason, moves)
        changes = four_numbers((self.result[1] if len(self.result) > 1 else ()) or [0, 0, 0, 0], "payments")
        return HandRecord(
            deal=self.deal,
            moves=moves,
            kind=ResultKind.DRAW if reason in (None, AbortReason.NAGASHI) else ResultKind.ABORT,
            deltas=_less_sticks(changes, sticks),
            reason=reason,
            shown_hands=shown_hands,
            claimants=_claimants(reason, moves),
        )

    def _with_robbed(self, moves: tuple[Move, ...], hidden: HiddenHands) -> tuple[Move, ...]:
        winner, loser = (seat_of(seat, "winner and loser") for seat in list_of(self.result[2], "win")[:2])
        kan = robbed_kan(moves, hidden, winner, loser)
        if kan is None:
            return moves
        hidden.apply(kan)
        return (*moves, kan)

    def _won_hand(self, moves: tuple[Move, ...], hidden: HiddenHands, sticks: list[Seat]) -> HandRecord:
        changes = [0, 0, 0, 0]
        wins = []
        for deltas, detail in zip(self.result[1::2], self.result[2::2], strict=True):
            changes = [sum(pair) for pair in zip(changes, four_numbers(deltas, "payments"), strict=True)]
            wins.append(self._win(detail, moves, hidden))
        return HandRecord(
            deal=self.deal,
            moves=moves,
            kind=ResultKind.TSUMO if wins[0].seat == wins[0].from_seat else ResultKind.RON,
            deltas=_less_sticks(changes, sticks),
            wins=tuple(wins),
        )

    def _win(self, detail: list[Any], moves: Sequence[Move], hidden: HiddenHands) -> RecordedWin:
        seat, from_seat, liable = (seat_of(each, "winner, loser and liable") for each in list_of(detail, "win")[:3])
        is_tsumo = seat == from_seat
        laid_tiles = (move.tile for move in reversed(moves) if isinstance(move, Discarded | AddedKan))
        tile = hidden.last_drawn if is_tsumo else next(laid_tiles, UNKNOWN)
        yaku = _yaku(detail[4:])
        yakuman = sum("役満" in text for text in detail[4:])
        fu = _FU.search(detail[3])
        has_riichi = any(name in ("riichi", "double_riichi") for name, _ in yaku)
        has_stick = any(isinstance(move, StickPlaced) and move.seat == seat for move in moves)
        return RecordedWin(
            seat=seat,
            from_seat=from_seat,
            concealed=hidden.concealed(seat, without=tile if is_tsumo else None),
            winning_tile=tile,
            ura=self.ura if has_riichi or has_stick else (),
            han=None if yakuman else _written_han(detail[3], yaku),
            fu=int(fu[1]) if fu and not yakuman else None,
            yaku=yaku or None,
            yakuman=yakuman,
            points=_points(detail[3]),
            liable=liable if liable != seat else None,
        )


def _follow(walk: _Walk, seat: Seat, *, is_call: bool) -> _Walk | None:
    """Continues the walk from a seat's turn; returns None if the lists do not fit."""
    while (entry := walk.next_entry(seat)) is not None:
        if isinstance(entry, str) != is_call:
            return None
        _add_draw_or_call(walk, seat, entry)
        discard_entry = walk.next_discard(seat)
        walk.positions[seat] += 1
        is_call = False
        if discard_entry is None:
            break
        if _keeps_turn(walk, seat, discard_entry):
            continue
        discard = _discard(walk, seat, discard_entry)
        for caller in _callers(walk, discard):
            branch = walk.copy()
            if (done := _follow(branch, caller, is_call=True)) is not None:
                return done
        seat = seat.next
    return walk if walk.is_done() else None


def _add_draw_or_call(walk: _Walk, seat: Seat, entry: Entry) -> None:
    if isinstance(entry, str):
        meld = MeldCode.parse(entry)
        own_tiles, source = meld.tiles, meld.source(seat)
        walk.moves.append(Called(seat=seat, kind=_CALLS[meld.letter], tile=meld.tile, from_seat=source, own=own_tiles))
        walk.drawn[seat] = None
    else:
        walk.drawn[seat] = tile_of(entry)
        walk.moves.append(Drawn(seat=seat, tile=tile_of(entry)))


def _keeps_turn(walk: _Walk, seat: Seat, entry: Entry) -> bool:
    """Whether the entry is a kan (or stands for an open one): the seat then draws again."""
    if entry == CALLED_KAN:
        return True
    if not isinstance(entry, str) or entry.startswith("r"):
        return False
    meld = MeldCode.parse(entry)
    if meld.letter == "k":
        walk.moves.append(AddedKan(seat=seat, tile=meld.tile))
    else:
        walk.moves.append(ClosedKan(seat=seat, tiles=four(sorted((*meld.tiles, meld.tile)))))
    return True


def _discard(walk: _Walk, seat: Seat, entry: Entry) -> Discarded:
    sideways = isinstance(entry, str)
    code = int(str(entry).removeprefix("r"))
    drawn = walk.drawn[seat]
    if code == TSUMOGIRI and drawn is None:
        raise ValueError(f"expected a drawn tile of seat {int(seat)} to discard, got none")
    tile = drawn if code == TSUMOGIRI and drawn is not None else tile_of(code)
    origin = Origin.DRAWN if code == TSUMOGIRI else Origin.HAND
    discard = Discarded(seat=seat, tile=tile, sideways=sideways, origin=origin)
    walk.moves.append(discard)
    return discard


def _callers(walk: _Walk, discard: Discarded) -> list[Seat]:
    """Returns the seats whose next entry calls that discard: pon and kan before chi."""
    found = []
    for seat in SEATS:
        entry = walk.next_entry(seat)
        if isinstance(entry, str) and seat != discard.seat:
            meld = MeldCode.parse(entry)
            if meld.tile is discard.tile and meld.source(seat) == discard.seat:
                found.append((meld.letter == "c", seat))
    return [seat for _, seat in sorted(found)]


def _with_indicators(moves: Sequence[Move], indicators: Sequence[Tile]) -> tuple[Move, ...]:
    """Returns the acts with the indicators of kans as on Tenhou: a closed kan's at once, others with the next act.

    The next act is a discard, before which an indicator is turned, or a kan, after which it is. A robbed kan turns
    none, so there may be fewer indicators than kans.
    """
    indicator_moves = iter([DoraTurned(indicator=tile) for tile in indicators])
    result: list[Move] = []
    pending = 0
    for move in moves:
        if isinstance(move, Discarded):
            result += islice(indicator_moves, pending)
            pending = 0
        result.append(move)
        if isinstance(move, ClosedKan | AddedKan):
            result += islice(indicator_moves, pending + isinstance(move, ClosedKan))
            pending = 0
        pending += isinstance(move, AddedKan) or (isinstance(move, Called) and move.kind is CallKind.OPEN_KAN)
    return tuple(result)


def _shown_hands(
    hidden: HiddenHands, reason: AbortReason | None, moves: Sequence[Move]
) -> tuple[Tiles | None, Tiles | None, Tiles | None, Tiles | None]:
    if reason in (None, AbortReason.NAGASHI):
        seats = hidden.tenpai()
    else:
        seats = SEATS if reason is AbortReason.FOUR_RIICHI else _claimants(reason, moves)
    return four(hidden.concealed(seat) if seat in seats else None for seat in SEATS)


def _claimants(reason: AbortReason | None, moves: Sequence[Move]) -> tuple[Seat, ...]:
    last = next((move for move in reversed(moves) if isinstance(move, Drawn | Discarded)), None)
    if last is None:
        return ()
    if reason is AbortReason.NINE_TERMINALS:
        return (last.seat,)
    return tuple(seat for seat in SEATS if seat != last.seat) if reason is AbortReason.TRIPLE_RON else ()


def _yaku(texts: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Returns the yaku with their han; empty if another program uses an unknown name."""
    try:
        return tuple((name, han) for name, han in map(yaku_of, texts) if han)
    except ValueError:
        return ()


def _written_han(worth: str, yaku: Sequence[tuple[str, int]]) -> int | None:
    """Returns the han given with the points, else the sum of the yaku's, since from mangan on only these show it."""
    match = _HAN.search(worth)
    if match is not None:
        return int(match[1])
    return sum(han for _, han in yaku) if yaku else None


def _points(text: str) -> int | None:
    match = _POINTS.search(text)
    if match is None:
        return None
    if match[3]:
        return 3 * int(match[1])
    return 2 * int(match[1]) + int(match[2]) if match[2] else int(match[1])


def _less_sticks(changes: Sequence[int], sticks: list[Seat]) -> Deltas:
    return four(change - STICK * sticks.count(seat) for seat, change in zip(SEATS, changes, strict=True))


def _tiles(codes: Any) -> Tiles:
    return tuple(tile_of(code) for code in list_of(codes, "tiles"))
