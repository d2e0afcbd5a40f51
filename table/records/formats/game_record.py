"""The common form of game records: the true course of each hand, including hidden tiles, and the payments.

Audits compare against it. Seats are the record's actors.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any
from unicodedata import category

from table.game.journal.entries import NOBODY, Names
from table.rules.events import AddedKan, Called, ClosedKan, Discarded, DoraTurned, StickPlaced
from table.rules.penalties.consequence import Due
from table.rules.ruleset import Ruleset
from table.rules.terms.melds import Meld
from table.rules.terms.results import STICK, AbortReason, Deltas, ResultKind, add
from table.rules.terms.seats import SEATS, Round, Seat, four
from table.rules.terms.tiles import Tile
from table.runtime.typed_text import TURNING

Tiles = tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PointCorrection:
    """What people corrected by hand since the end of the hand before, in changes."""

    points: Deltas
    sticks: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """The start of a hand."""

    round: Round
    dealer: Seat
    honba: int
    deposits: int
    scores: Deltas
    indicator: Tile
    hands: tuple[Tiles, Tiles, Tiles, Tiles]
    """Thirteen tiles for each seat; unknown tiles if the record does not contain them."""
    corrected: PointCorrection | None = None
    """What people corrected by hand, before or during this hand; `scores` and `deposits` include it."""
    penalties: int = field(default=0, compare=False)
    """The points of penalties in the pot, which no record states: what earlier hands left there beside the sticks."""

    @property
    def left_scores(self) -> Deltas:
        """The points after the hand before, without what people corrected since."""
        return (
            self.scores
            if self.corrected is None
            else four(now - change for now, change in zip(self.scores, self.corrected.points, strict=True))
        )

    @property
    def left_sticks(self) -> int:
        """The sticks after the hand before, without what people corrected since."""
        return self.deposits - (0 if self.corrected is None else self.corrected.sticks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A tile was drawn, which no table shows."""

    seat: Seat
    tile: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedWithoutStick:
    """A riichi was accepted, though nobody saw its stick."""

    seat: Seat


Move = Drawn | Discarded | StickPlaced | AcceptedWithoutStick | Called | AddedKan | ClosedKan | DoraTurned
"""One act. `Discarded.sideways` declares riichi; its acceptance, with or without a stick, is a separate act."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedWin:
    """A win as stated by the record; unstated fields are None or empty."""

    seat: Seat
    from_seat: Seat
    concealed: Tiles
    """The concealed tiles without the winning tile and the melds."""
    winning_tile: Tile
    ura: Tiles = ()
    han: int | None = None
    """Also None for a yakuman."""
    fu: int | None = None
    yaku: tuple[tuple[str, int], ...] | None = None
    """Names from `YAKU` with their han; None if the record has no yaku."""
    yakuman: int = 0
    points: int | None = None
    liable: tuple[Seat, ...] = ()
    """The seats that are liable for a yakuman; mostly at most one."""
    melds: tuple[Meld, ...] | None = None
    """The melds of a hand that people entered, without discarders; None if its calls are acts of the record."""

    @property
    def is_entered(self) -> bool:
        """Whether it is known only as people entered it: its value, with or without its tiles."""
        return self.points is not None and (self.melds is not None or _is_unseen(self.concealed))


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """One hand, from the deal to the payments."""

    deal: Deal
    moves: tuple[Move, ...]
    kind: ResultKind
    deltas: Deltas | None
    """Scores after the hand less scores before it, including this hand's riichi sticks; None if not recorded."""
    wins: tuple[RecordedWin, ...] = ()
    reason: AbortReason | None = None
    shown_hands: tuple[Tiles | None, Tiles | None, Tiles | None, Tiles | None] = (None, None, None, None)
    """Hands shown at a draw, by the tenpai seats, or at an abort, by seat."""
    tenpai: tuple[Seat, ...] = ()
    """The seats that were tenpai at a draw according to the record, which does not have their hands."""
    claimants: tuple[Seat, ...] = ()
    """The seats that caused an abort: that of nine terminals, or the three of a triple ron."""
    chips: Deltas | None = None
    """Change of chips by seat; None if the rules use none, or it is not recorded."""

    entered_riichi: tuple[Seat, ...] | None = None
    """The seats in riichi as people entered them with the result; None if the acts of the record show them."""

    foul_payments: Deltas | None = None
    """What fouls moved, as part of `deltas`; None if they moved no points, or the record does not say."""

    dues: tuple[Due, ...] = ()
    """The penalties at the end of the game for its fouls; none if the record does not say."""

    left_sticks: int | None = field(default=None, compare=False)
    """The sticks that it left on the table, as the next deal has them; None if the record has no next deal."""

    recorded_scores: Deltas | None = field(default=None, compare=False)
    """Points after the hand, if the record has them in addition to the payments."""

    @property
    def scores(self) -> Deltas | None:
        """Points after the hand, computed from its payments."""
        return None if self.deltas is None else add(self.deal.scores, self.deltas)

    @property
    def is_entered(self) -> bool:
        """Whether its end is known only as people entered it: payments and wins, no hand and no act, or a penalty."""
        if self.deltas is None:
            return False
        if self.reason is not None and self.reason.is_penalty:  # no record has the foul
            return True
        if self.wins:
            return all(win.is_entered for win in self.wins)
        if self.entered_riichi is not None:
            return True
        acts = (move for move in self.moves if not isinstance(move, Drawn))
        return next(acts, None) is None and all(map(_is_unseen, self.deal.hands))

    def followed_by(self, deal: Deal) -> Deal:
        """Returns the next deal with the penalties that this hand left in the pot; none if a hand lies between them."""
        if not self._is_before(deal):
            return deal
        return replace(deal, penalties=max(0, self.points_in_pot - STICK * deal.left_sticks))

    def before(self, deal: Deal) -> HandRecord:
        """Returns the hand with the sticks that it left for the next deal; the same if a hand lies between them."""
        return replace(self, left_sticks=deal.left_sticks) if self._is_before(deal) else self

    def _is_before(self, deal: Deal) -> bool:
        return self.deltas is not None and deal.left_scores == self.scores

    @property
    def deal_after_fouls(self) -> Deal:
        """The deal as if fouls had moved their points before it, since no record has the fouls.

        What they paid into the pot lies there; a winner who took it has it already.
        """
        if self.foul_payments is None:
            return self.deal
        into_pot = 0 if self.wins else -sum(self.foul_payments)
        scores = add(self.deal.scores, self.foul_payments)
        return replace(self.deal, scores=scores, penalties=self.deal.penalties + into_pot)

    @property
    def late_fines(self) -> int:
        """The points that fouls found after a win paid into the pot, where they stay; 0 of an end that was entered."""
        return -sum(self.foul_payments or ()) if self.wins and not self.is_entered else 0

    @property
    def points_in_pot(self) -> int:
        """The points of sticks and penalties that the hand left on the table; as before it without its payments."""
        return STICK * self.deal.deposits + self.deal.penalties - sum(self.deltas or ())

    @property
    def tenpai_seats(self) -> tuple[Seat, ...]:
        """The seats that were tenpai at a draw: those that showed their hands, and those that the record names."""
        is_draw = self.kind is ResultKind.DRAW
        return tuple(seat for seat in SEATS if is_draw and (self.shown_hands[seat] is not None or seat in self.tenpai))

    @property
    def riichi(self) -> tuple[Seat, ...]:
        """Seats whose riichi was accepted, in order."""
        return tuple(move.seat for move in self.moves if isinstance(move, StickPlaced | AcceptedWithoutStick))


def _is_unseen(tiles: Tiles) -> bool:
    return not any(tile.is_known for tile in tiles)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """A game: its complete hands, and the reason if the record is truncated."""

    ruleset: Ruleset
    """The rules named in the record's header."""
    hands: tuple[HandRecord, ...]
    final: Deltas | None = None
    """Points at the end including leftover sticks, as recorded; None if not recorded."""
    cut_short: str | None = None
    """What is missing from a truncated record; None for a complete game."""
    names: Names = NOBODY
    """The players' names by seat, at the end; empty if not recorded."""
    hand_names: tuple[Names, ...] = ()
    """The names by seat in each hand, if the record says who replaced whom; empty if `names` holds for all hands."""
    corrected: PointCorrection | None = None
    """What people corrected by hand after the last hand."""
    dues: tuple[Due, ...] = ()
    """The penalties at the end, which no hand has: points paid there, points after uma, and places."""
    earlier_dues: tuple[Due, ...] = ()
    """Those of `dues` for fouls before the last hand; none if the record does not say."""
    repeated: tuple[int, ...] = ()
    """The hands that the record contains again, counted from 0: each time counts once, and is left out of `hands`."""

    def names_in(self, hand: int) -> Names:
        """Returns the names of those who sat at the seats in a hand, counted from 0."""
        return self.hand_names[hand] if hand < len(self.hand_names) else self.names


def names_of(names: Any) -> Names:
    """Returns the four names of a record's header; empty if it does not have four.

    A missing name is empty. Lone surrogates, which JSON can hold but a UTF-8 file cannot, become question marks, and so
    do line ends, control characters, and marks that turn the rest of a line around.
    """
    if not isinstance(names, list) or len(names) != 4:
        return NOBODY
    return four("" if name is None else _one_line(str(name).encode(errors="replace").decode()) for name in names)


def _one_line(name: str) -> str:
    return "".join("?" if category(sign) in ("Cc", "Zl", "Zp") or sign in TURNING else sign for sign in name)
