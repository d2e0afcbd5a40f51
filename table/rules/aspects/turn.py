"""Tracks the turn and the inferred draws, and detects acts out of turn.

Draws cannot be seen: a draw is inferred when the previous tile has passed, or from the seat's next act.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from table.rules import hand_phase
from table.rules.aspects import dora, ippatsu
from table.rules.draft import Draft
from table.rules.foul_totals import all_extra_draws
from table.rules.state import HandState, LaidKind, LoggedFoul
from table.rules.terms.announcements import AnnouncementId, Scope
from table.rules.terms.seats import SEATS, Seat, four, seat_wind

ANNOUNCED_COUNTS: Final = (4, 1, 0)
"""The numbers of tiles left that are announced."""


def draw(draft: Draft, seat: Seat) -> None:
    """Starts the seat's turn with a tile from the wall; if none is left, it is nobody's turn."""
    if draft.tiles_left == 0:
        return
    _start(draft, seat, has_drawn=True)
    _take_from_wall(draft)


def draw_replacement(draft: Draft, seat: Seat) -> None:
    """Starts the seat's turn with a tile from the dead wall."""
    _start(draft, seat, has_drawn=True, is_replacement=True)


def start_without_draw(draft: Draft, seat: Seat, barred: frozenset[int]) -> None:
    """Starts the seat's turn after a chi or pon, without a draw; `barred` kinds may not be discarded."""
    _start(draft, seat, has_drawn=False, barred=barred)


def _start(
    draft: Draft, seat: Seat, *, has_drawn: bool, is_replacement: bool = False, barred: frozenset[int] = frozenset()
) -> None:
    draft.turn = seat
    draft.has_drawn = has_drawn
    draft.is_replacement = is_replacement
    draft.barred_kinds = barred


def count_replacement(draft: Draft, seat: Seat) -> None:
    """Subtracts a kan's replacement tile from the tiles left to draw."""
    if draft.tiles_left == 0:
        if not draft.has_gap:
            draft.suspect("7-05-02", seat, "a kan was made with no tile left to draw")
        return
    _take_from_wall(draft)


def undraw(draft: Draft) -> None:
    """Undoes a draw that was inferred from a tile's passing, since the tile was called after all."""
    if draft.turn is not None and draft.has_drawn:
        draft.tiles_left += 1
        draft.turn = None


def redraw(draft: Draft, before: HandState) -> None:
    """Restores the last tile's pass, and the draw inferred from it, as before a ron that was withdrawn."""
    hand_phase.note_pass(draft)
    draft.turn, draft.has_drawn = before.turn, before.has_drawn
    last = before.claimable_tile
    if before.turn is not None and before.has_drawn and last is not None and last.kind is LaidKind.DISCARD:
        if draft.tiles_left:
            draft.tiles_left -= 1
        else:  # a foul has let a seat draw that tile meanwhile (7-04-02 i)
            draft.turn = None


def draw_again(draft: Draft) -> None:
    """Starts the next turn if the last tile passed with no tile left to draw, and there is one after all.

    So it is once a foul is cancelled that had let a seat draw the last tile (7-04-02 i).
    """
    last = draft.claimable_tile
    if draft.turn is None and draft.has_passed and last is not None and last.kind is LaidKind.DISCARD:
        draw(draft, last.seat.next)
        ippatsu.on_turn(draft, draft.turn)


def restore(draft: Draft, before: HandState) -> None:
    """Restores the turn, and everything that followed from acting out of it, as before a tsumo that was withdrawn."""
    draft.turn, draft.has_drawn, draft.is_replacement = before.turn, before.has_drawn, before.is_replacement
    draft.barred_kinds, draft.dora_due = before.barred_kinds, before.dora_due
    draft.tiles_left = before.tiles_left
    count_extra_draws(draft, before.fouls)
    draft.missed_at = before.missed_at
    ippatsu.restore(draft, before)


def count_extra_draws(draft: Draft, before: Sequence[LoggedFoul]) -> None:
    """Counts the tiles that fouls let seats draw now in place of those of `before`, of an older hand that is restored.

    The tiles left to draw must be those of that hand.
    """
    extra_draws = all_extra_draws(draft.fouls) - all_extra_draws(before)
    draft.tiles_left = max(0, draft.tiles_left - extra_draws)


def expect(draft: Draft, seat: Seat, act: str) -> None:
    """Raises a suspicion about an act out of turn, unless play may have gone unseen; play continues from that seat."""
    expected, had_gap = draft.turn, draft.has_gap
    if draft.is_behind:
        ippatsu.make_unsure(draft)
    if expected is seat:
        return
    missed = (
        SEATS if expected is None else [skipped for skipped in SEATS if skipped.after(expected) < seat.after(expected)]
    )
    _pass_over(draft, missed)
    if expected is None:
        if not had_gap:  # else the number of tiles left is an estimate
            draft.suspect("7-05-09", seat, f"{act} with no tile left to draw")
    else:
        if not draft.is_behind and not _goes_on(draft, seat):
            draft.say(AnnouncementId.MISSING_DISCARD, "7-05-09", seat, Scope.STAFF, expected=int(expected))
            draft.suspect("7-05-09", seat, f"{act} while {_wind_name(draft, expected)}'s discard was expected")
        draft.tiles_left = max(0, draft.tiles_left - seat.after(expected))
        dora.on_discard_missed(draft)
    _start(draft, seat, has_drawn=True)


def _goes_on(draft: Draft, seat: Seat) -> bool:
    """Whether it is the seat's turn as before a tsumo that another seat claimed out of turn."""
    before = draft.before_tsumo
    return before is not None and before.turn is seat and len(draft.laid_tiles) == len(before.laid_tiles)


def _pass_over(draft: Draft, seats: Collection[Seat]) -> None:
    """Records that these seats' turns went unseen, and ends their ippatsu: they discarded, or somebody called."""
    draft.missed_at = four(len(draft.laid_tiles) if seat in seats else draft.missed_at[seat] for seat in SEATS)
    for seat in seats:
        ippatsu.on_discard(draft, seat)


def _wind_name(draft: Draft, seat: Seat) -> str:
    """Returns a seat's wind as a word."""
    return seat_wind(seat, draft.start.dealer).name.capitalize()


def _take_from_wall(draft: Draft) -> None:
    draft.tiles_left -= 1
    if draft.tiles_left in ANNOUNCED_COUNTS and not draft.has_gap:
        draft.say(AnnouncementId.TILES_LEFT, "R06", count=draft.tiles_left)
