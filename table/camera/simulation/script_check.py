"""Checks that a script can be played: every tile comes from its place, and no tile exists more often than in a set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from table.camera.simulation.script import (
    Abort,
    Call,
    Discard,
    Dora,
    Draw,
    Foul,
    KanFromHand,
    Ron,
    ScriptedHand,
    ScriptError,
    Tsumo,
    WallOut,
    parse_script,
)
from table.rules.events import CallKind
from table.rules.state import DRAWS
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import COPIES, Tile


def read_script(text: str) -> tuple[ScriptedHand, ...]:
    """Reads a script that can be played.

    Raises:
        ScriptError: a line cannot be read, or a tile comes from nowhere.
    """
    hands = parse_script(text)
    for hand in hands:
        check_playable(hand)
    return hands


def check_playable(hand: ScriptedHand) -> None:
    """Plays a hand without a camera.

    Raises:
        ScriptError: an act is impossible; the message names it.
    """
    _check_deals(hand)
    _check_copies(hand)
    _Play(hand).check()


def _check_deals(hand: ScriptedHand) -> None:
    for seat in SEATS:
        if len(hand.deals[seat]) != 13:
            raise ScriptError(f"expected 13 tiles dealt to seat {seat}, got {len(hand.deals[seat])} in {hand.round!r}")


def _check_copies(hand: ScriptedHand) -> None:
    drawn = [act.tile for act in hand.acts if isinstance(act, Draw | Tsumo)]
    indicators = [tile for act in hand.acts if isinstance(act, Dora) for tile in (act.tile, act.ura)]
    all_tiles = [hand.dora, hand.ura, *indicators, *drawn, *(tile for deal in hand.deals for tile in deal)]
    kinds = Counter(tile.without_red for tile in all_tiles)
    reds = Counter(tile for tile in all_tiles if tile.is_red)
    for tile, count in [*kinds.items(), *reds.items()]:
        allowed = 1 if tile.is_red else COPIES
        if count > allowed:
            raise ScriptError(f"expected at most {allowed} of {tile!r}, got {count} in {hand.round!r}")
    if len(drawn) > DRAWS:
        raise ScriptError(f"expected at most {DRAWS} draws, got {len(drawn)} in {hand.round!r}")


class _Play:
    """The hands while a script is checked."""

    def __init__(self, hand: ScriptedHand) -> None:
        self._hand = hand
        self._hands = [Counter(deal) for deal in hand.deals]
        self._turn: Seat = hand.dealer
        self._last: Discard | None = None

    def check(self) -> None:
        """Plays every act; the last one must end the hand."""
        for act in self._hand.acts:
            match act:
                case Draw() | Tsumo():
                    self._draw(act.seat, act.tile)
                case Discard():
                    self._discard(act)
                case Call():
                    self._call(act)
                case KanFromHand():
                    self._take(act.seat, act.tiles)
                case Dora() | Foul() | Ron() | WallOut() | Abort():
                    pass
        last = self._hand.acts[-1] if self._hand.acts else None
        if not isinstance(last, Tsumo | Ron | WallOut | Abort):
            found = "nothing" if last is None else repr(last)
            raise ScriptError(f"expected an end of the hand, got {found} in {self._hand.round!r}")

    def _draw(self, seat: Seat, tile: Tile) -> None:
        if seat != self._turn:
            raise ScriptError(f"expected a draw of seat {self._turn}, got one of {seat} in {self._hand.round!r}")
        self._hands[seat][tile] += 1

    def _discard(self, act: Discard) -> None:
        self._take(act.seat, (act.tile,))
        self._last = act
        self._turn = act.seat.next

    def _call(self, act: Call) -> None:
        if self._last is None or self._last.seat == act.seat:
            raise ScriptError(f"expected a discard to call, got {act!r} in {self._hand.round!r}")
        kinds = sorted(tile.kind for tile in (*act.own, self._last.tile))
        expected = [kinds[0], kinds[0] + 1, kinds[0] + 2] if act.kind is CallKind.CHI else [kinds[0]] * len(kinds)
        if kinds != expected:
            raise ScriptError(f"expected tiles that make a {act.kind.value}, got {act!r} on {self._last.tile!r}")
        self._take(act.seat, act.own)
        self._turn = act.seat

    def _take(self, seat: Seat, tiles: Iterable[Tile]) -> None:
        for tile in tiles:
            if not self._hands[seat][tile]:
                raise ScriptError(f"expected {tile!r} in the hand of seat {seat}, got none in {self._hand.round!r}")
            self._hands[seat][tile] -= 1
