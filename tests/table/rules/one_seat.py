"""Replays what one player's client saw, and asks the rules the same questions that the server answered for that player.

The player is seat 0. Its wait is told to the tracker as a private event whenever its hand rests; nothing else of its
hand is. The server's answers are its offers (8 ron, 16 tsumo) and its word on furiten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from table.records.tenhou.mjlog_codes import TILES, read_meld
from table.records.tenhou.mjlog_reader import ruleset_of
from table.rules.advance import advance, new_game
from table.rules.aspects.furiten import causes
from table.rules.events import (
    AddedKan,
    Called,
    ClosedKan,
    Discarded,
    DoraTurned,
    Event,
    HandShown,
    HandStarted,
    Origin,
    StickPlaced,
    TilePassed,
    WaitDeclared,
    WinClaimed,
    WinKind,
)
from table.rules.ruleset import Ruleset
from table.rules.scoring.waits import waits
from table.rules.state import GameState
from table.rules.terms.seats import SEATS, Round, Seat, Wind
from table.rules.terms.tiles import KIND_TILES, Tile

ME: Final = Seat.NEAR
_TAG: Final = re.compile(r"<(\w+)([^<>]*)>")
_ATTRIBUTE: Final = re.compile(r'(\w+)="([^"]*)"')
_DISCARD: Final = re.compile(r"([DEFGdefg])(\d+)$")


@dataclass(slots=True)
class OneSeat:
    """The tracker of one log, with the player's own hand beside it."""

    rules: Ruleset
    state: GameState
    tiles: list[Tile] = field(default_factory=list)
    melds: list[tuple[Tile, ...]] = field(default_factory=list)
    drawn: Tile | None = None
    declaring: bool = False
    turned_next: set[Seat] = field(default_factory=set)
    """Whose next discard lies sideways, since the one before was called."""
    last: Discarded | None = None
    is_furiten: bool = False
    """What the server said last."""
    in_hand: bool = False
    checks: dict[str, int] = field(default_factory=dict)
    """How many answers of each kind were compared."""

    def take(self, name: str, attributes: dict[str, str]) -> Iterator[str]:
        """Takes one tag; yields where the rules and the server disagree."""
        if name == "INIT":
            self._deal(attributes)
        elif name in ("REINIT", "AGARI", "RYUUKYOKU"):
            self.in_hand = False
        elif not self.in_hand:
            return
        elif name == "FURITEN":
            self.is_furiten = attributes["show"] == "1"
        elif match := _DISCARD.match(name):
            yield from self._discard(match[1], TILES[int(match[2])], int(attributes.get("t", 0)))
        elif re.match(r"T\d+$", name):
            yield from self._draw(TILES[int(name[1:])], int(attributes.get("t", 0)))
        elif name == "N":
            yield from self._meld(attributes)
        elif name == "DORA":
            self._feed(DoraTurned(indicator=TILES[int(attributes["hai"])]))
        elif name == "REACH" and attributes["step"] == "1":
            self.declaring = True
        elif name == "REACH":
            self._feed(StickPlaced(seat=SEATS[int(attributes["who"])]))

    def _feed(self, event: Event) -> None:
        self.state = advance(self.state, event, self.rules).state

    def _deal(self, attributes: dict[str, str]) -> None:
        seed = [int(part) for part in attributes["seed"].split(",")]
        first, second, third, fourth = (100 * int(part) for part in attributes["ten"].split(","))
        self.tiles = [TILES[int(part)] for part in attributes["hai"].split(",")]
        self.melds, self.drawn, self.declaring, self.turned_next, self.is_furiten = [], None, False, set(), False
        self.last, self.in_hand = None, True
        start = HandStarted(
            round=Round(Wind(seed[0] // 4), seed[0] % 4 + 1),
            dealer=SEATS[int(attributes["oya"])],
            honba=seed[1],
            deposits=seed[2],
            scores=(first, second, third, fourth),
            dora_indicator=TILES[seed[5]],
        )
        self.state = advance(new_game(self.rules), start, self.rules).state
        self._tell_wait()

    def _waits(self) -> frozenset[int]:
        return waits(self.tiles, len(self.melds), in_melds=[tile for meld in self.melds for tile in meld])

    def _tell_wait(self) -> None:
        self._feed(WaitDeclared(seat=ME, tiles=tuple(KIND_TILES[kind] for kind in sorted(self._waits()))))

    def _draw(self, tile: Tile, offers: int) -> Iterator[str]:
        self.drawn = tile
        claim = WinClaimed(seat=ME, kind=WinKind.TSUMO)
        yield from self._compare("tsumo", self._can_win(claim, tile), bool(offers & 16), tile)
        self.tiles.append(tile)

    def _discard(self, letter: str, tile: Tile, offers: int) -> Iterator[str]:
        seat = SEATS["DEFG".index(letter.upper())]
        origin = Origin.DRAWN if letter.islower() or (seat is ME and tile is self.drawn) else Origin.HAND
        self.last = Discarded(seat=seat, tile=tile, sideways=self.declaring or seat in self.turned_next, origin=origin)
        self.declaring = False
        self.turned_next.discard(seat)
        self._feed(self.last)
        if seat is ME:
            self.tiles.remove(tile)
            self.drawn = None
            self._tell_wait()
        else:
            claim = WinClaimed(seat=ME, kind=WinKind.RON, from_seat=seat)
            yield from self._compare("ron", self._can_win(claim, tile), bool(offers & 8), tile)
        if not offers & 8:
            yield from self._compare("furiten", self._is_furiten(), self.is_furiten, tile)

    def _meld(self, attributes: dict[str, str]) -> Iterator[str]:
        if "m" not in attributes:
            return
        seat = SEATS[int(attributes["who"])]
        move = read_meld(int(attributes["m"]), seat)
        if isinstance(move, Called) and self.last is not None and self.last.sideways:
            self.turned_next.add(self.last.seat)
        if seat is ME:
            self._own_meld(move)
        self._feed(move)
        if isinstance(move, AddedKan) and seat is not ME:
            claim = WinClaimed(seat=ME, kind=WinKind.RON, from_seat=seat)
            offered = bool(int(attributes.get("t", 0)) & 8)
            yield from self._compare("robbing", self._can_win(claim, move.tile), offered, move.tile)
        if seat is ME and not isinstance(move, Called):
            self._tell_wait()

    def _own_meld(self, move: Called | AddedKan | ClosedKan) -> None:
        if isinstance(move, AddedKan):
            self.tiles.remove(move.tile)
            place = next(at for at, meld in enumerate(self.melds) if {tile.kind for tile in meld} == {move.tile.kind})
            self.melds[place] = (*self.melds[place], move.tile)
            return
        own_tiles = move.own if isinstance(move, Called) else move.tiles
        for tile in own_tiles:
            self.tiles.remove(tile)
        self.melds.append((*own_tiles, move.tile) if isinstance(move, Called) else own_tiles)

    def _can_win(self, claim: WinClaimed, tile: Tile) -> bool:
        """Whether a claim with the true hand shown raises no suspicion."""
        if tile.kind not in self._waits():
            return False
        claimed = advance(self.state, claim, self.rules)
        shown_hand = HandShown(seat=ME, tiles=tuple(self.tiles), winning_tile=tile)
        step = advance(claimed.state, shown_hand, self.rules)
        value = None if step.state.hand is None else step.state.hand.values[ME]
        in_riichi = step.state.hand is not None and step.state.hand.riichi[ME].is_declared
        return not claimed.suspicions and not step.suspicions and (value is not None or in_riichi)

    def _is_furiten(self) -> bool:
        """Whether the tracker holds the player for furiten once the last tile has passed."""
        passed = advance(self.state, TilePassed(), self.rules).state.hand
        waits = self._waits()
        return passed is not None and bool(causes(passed, ME, self.rules).of(waits))

    def _compare(self, kind: str, answer: bool, expected: bool, tile: Tile) -> Iterator[str]:
        self.checks[kind] = self.checks.get(kind, 0) + (expected or answer)
        if answer != expected:
            yield f"{kind} at {tile}: {answer} instead of {expected}, hand {sorted(self.tiles)} {self.melds}"


def replay(text: str) -> tuple[list[str], dict[str, int]]:
    """Returns the disagreements of a log, and how many positive answers were compared."""
    received = "\n".join(line for line in text.splitlines() if line.startswith("Get:"))
    tags = [(name, dict(_ATTRIBUTE.findall(rest))) for name, rest in _TAG.findall(received)]
    flags = next((int(attributes["type"]) for name, attributes in tags if name == "GO"), 9)
    rules = ruleset_of(flags, "one seat")
    table = OneSeat(rules=rules, state=new_game(rules))
    found = [each for name, attributes in tags for each in table.take(name, attributes)]
    return found, table.checks
