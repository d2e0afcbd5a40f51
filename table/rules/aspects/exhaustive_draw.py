"""Hands at an exhaustive draw: tenpai, noten riichi (R56), and nagashi mangan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from table.rules.aspects.winning.shown_hand import check_kans_in_riichi, check_tile_count, is_right_count, waits_of
from table.rules.draft import Draft, replace_at
from table.rules.events import HandShown, TenpaiStated
from table.rules.foul_totals import counts_as_noten_riichi, is_dead, is_entered
from table.rules.penalties.effect_terms import Op
from table.rules.penalties.foul_effects import FALSE_WIN, NOTEN_RIICHI
from table.rules.scoring.waits import ORPHANS
from table.rules.state import HandState, Phase
from table.rules.terms.amounts import amount
from table.rules.terms.announcements import AnnouncementId, Scope
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import SEATS, Seat

COUNTS_AS_NOTEN: Final = "riichi was declared by a hand that counts as noten because of a foul"
"""The evidence of a noten riichi by a foul, whatever the hand (7-04-02 h)."""
TENPAI_ABORTS = (None, AbortReason.FOUR_RIICHI)
"""Ends at which shown hands are checked: an exhaustive draw and four riichi (R68)."""


def on_hand_shown(draft: Draft, shown_hand: HandShown) -> None:
    """Checks a hand that is shown without a win."""
    if draft.abort is AbortReason.NINE_TERMINALS:
        _check_orphans(draft, shown_hand)
    elif draft.abort not in TENPAI_ABORTS:
        return
    elif draft.riichi[shown_hand.seat].is_declared and is_noten_riichi_due(draft, shown_hand.seat):
        _ask_about_noten_riichi(draft, shown_hand.seat, COUNTS_AS_NOTEN)
    elif check_tile_count(draft, shown_hand) and _is_read(shown_hand):
        _check_tenpai(draft, shown_hand)


def on_tenpai_stated(draft: Draft, event: TenpaiStated) -> None:
    """Records a seat's statement, and raises a suspicion if it contradicts riichi or the shown hand.

    Noten in riichi is accepted with a suspicion, unless the hand is dead (R27, R56).
    """
    seat, shown_hand = event.seat, draft.shown_hands[event.seat]
    draft.tenpai = replace_at(draft.tenpai, seat, event.is_tenpai)
    if draft.phase is not Phase.ENDING or draft.abort not in TENPAI_ABORTS:
        return
    if not draft.riichi[seat].is_declared:
        if shown_hand is not None and is_right_count(draft, shown_hand) and not is_tenpai(draft, seat):
            _ask_about_false_tenpai(draft, seat)
    elif is_dead(draft.fouls, seat):
        return
    elif not event.is_tenpai:
        _ask_about_noten_riichi(draft, seat, "noten was declared in riichi")
    elif is_noten_riichi_due(draft, seat):
        _ask_about_noten_riichi(draft, seat, COUNTS_AS_NOTEN)


def is_tenpai(draft: Draft, seat: Seat) -> bool:
    """Whether the seat counts as tenpai: by its shown hand, else by its statement, else if it is in riichi."""
    hand = draft.shown_hands[seat]
    if hand is not None and _is_read(hand):
        return bool(waits_of(draft, seat, hand.tiles))
    statement = draft.tenpai[seat]
    return draft.riichi[seat].is_declared if statement is None else statement


def is_noten_riichi_due(draft: Draft, seat: Seat) -> bool:
    """Whether a riichi of the seat counts as noten because of a foul, and people still have to log 7-05-07 for it."""
    is_decided = is_dead(draft.fouls, seat) or is_entered(draft.fouls, seat, NOTEN_RIICHI, draft.rules.penalties)
    costs_nothing = draft.rules.penalties.chosen_effect(NOTEN_RIICHI, Op.NO_WIN) is not None
    return counts_as_noten_riichi(draft.fouls, seat) and not is_decided and not costs_nothing


def tenpai_seats(draft: Draft) -> tuple[Seat, ...]:
    """Returns the seats that count as tenpai."""
    return tuple(seat for seat in SEATS if is_tenpai(draft, seat))


def nagashi_seats(draft: Draft) -> tuple[Seat, ...]:
    """Returns the seats with nagashi mangan: their whole river is terminals and honours, none of it called."""
    return tuple(seat for seat in _uncalled_orphans(draft) if _is_whole(draft, seat))


def nagashi_unclear(draft: Draft) -> tuple[Seat, ...]:
    """Returns the seats that may have nagashi mangan: their known discards allow it, but some are not known."""
    if draft.abort is not None:
        return ()
    return tuple(seat for seat in _uncalled_orphans(draft) if not _is_whole(draft, seat))


def _uncalled_orphans(draft: Draft) -> Iterator[Seat]:
    """Yields the seats with an uncalled river whose known tiles, at least one, are terminals and honours.

    Yields nothing if the rules have no nagashi mangan.
    """
    for seat in SEATS if draft.rules.nagashi_mangan else ():
        known_tiles = [river_tile.tile for river_tile in draft.rivers[seat] if river_tile.tile.is_known]
        is_called = any(river_tile.called_by is not None for river_tile in draft.rivers[seat])
        if known_tiles and not is_called and all(tile.is_orphan for tile in known_tiles):
            yield seat


def _is_whole(draft: Draft, seat: Seat) -> bool:
    """Whether every discard of the seat was seen and read."""
    is_short = draft.is_draw_watched and (draft.tiles_left > 0 or draft.turn is seat)
    return (
        not is_short
        and draft.missed_at[seat] is None
        and all(river_tile.tile.is_known for river_tile in draft.rivers[seat])
    )


def is_tenpai_unstated(hand: Draft | HandState) -> bool:
    """Whether the hand ends in a draw, nobody has shown a hand or said tenpai, and a seat not in riichi is silent."""
    is_tenpai_known = any(hand.shown_hands) or any(hand.tenpai)
    is_silent = any(hand.tenpai[seat] is None and not hand.riichi[seat].is_declared for seat in SEATS)
    is_said = not is_silent and False in hand.tenpai
    return hand.phase is Phase.ENDING and hand.abort is None and not is_tenpai_known and not is_said


def hands_missing(draft: Draft) -> tuple[Seat, ...]:
    """Returns seats that must still show their hands: in riichi (R27, R68), or calling nine terminals."""
    if draft.abort is AbortReason.NINE_TERMINALS:
        return tuple(seat for seat in SEATS if seat is draft.abort_by and draft.shown_hands[seat] is None)
    if draft.abort not in TENPAI_ABORTS:
        return ()
    return tuple(seat for seat in SEATS if draft.riichi[seat].is_declared and draft.shown_hands[seat] is None)


def _is_read(shown_hand: HandShown) -> bool:
    return all(tile.is_known for tile in shown_hand.tiles)


def _check_tenpai(draft: Draft, shown_hand: HandShown) -> None:
    seat = shown_hand.seat
    if waits_of(draft, seat, shown_hand.tiles):
        check_kans_in_riichi(draft, seat, shown_hand.tiles)
    elif draft.riichi[seat].is_declared:
        _ask_about_noten_riichi(draft, seat, "the hand shown in riichi waits for nothing")
    else:
        _ask_about_false_tenpai(draft, seat)


def _ask_about_false_tenpai(draft: Draft, seat: Seat) -> None:
    """Asks about a seat that declared tenpai and showed a noten hand, unless people have already decided about it."""
    if draft.tenpai[seat] and not is_entered(draft.fouls, seat, "7-05-16", draft.rules.penalties):
        draft.suspect("7-05-16", seat, "tenpai was declared, but the shown hand waits for nothing")


def _ask_about_noten_riichi(draft: Draft, seat: Seat, evidence: str) -> None:
    """Asks about a noten riichi, unless people have already decided about it."""
    if is_entered(draft.fouls, seat, NOTEN_RIICHI, draft.rules.penalties):
        return
    draft.say(AnnouncementId.NOTEN_RIICHI, "R56", seat, Scope.VERDICT)
    draft.suspect(NOTEN_RIICHI, seat, evidence)


def _check_orphans(draft: Draft, shown_hand: HandShown) -> None:
    tiles = shown_hand.tiles if shown_hand.winning_tile is None else (*shown_hand.tiles, shown_hand.winning_tile)
    kinds = {tile.kind for tile in tiles} & ORPHANS
    if len(kinds) < 9 and _is_read(shown_hand):
        draft.suspect(FALSE_WIN, shown_hand.seat, f"nine terminals were called with {amount(len(kinds), 'kind')}")
