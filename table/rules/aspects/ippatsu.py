"""Ippatsu: a window that opens when the declaration tile has passed, and closes on a call or the seat's next discard.

An added kan closes it only if it is not robbed (R44); a closed kan closes it immediately. A win while it is open scores
ippatsu; the seat's own draw is the last chance. The window of a seat that must not win is tracked as well, in case its
foul is cancelled, but not announced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from table.rules.aspects.river import replace_laid
from table.rules.draft import Draft, replace_at
from table.rules.foul_totals import may_win
from table.rules.state import HandState, Ippatsu, LaidKind, LaidTile, Phase, RiichiStage
from table.rules.terms.announcements import AnnouncementId, Scope
from table.rules.terms.seats import SEATS, Seat, four


def on_pass(draft: Draft, laid_tile: LaidTile) -> None:
    """Opens the window of a riichi whose tile has passed uncalled."""
    riichi = draft.riichi[laid_tile.seat]
    if (
        not draft.rules.ippatsu
        or riichi.laid_index != laid_tile.laid_index
        or draft.ippatsu[laid_tile.seat] is not Ippatsu.NONE
    ):
        return
    if riichi.is_declared and riichi.last_laid_index is not None:
        draft.ippatsu = replace_at(draft.ippatsu, laid_tile.seat, Ippatsu.UNSURE)
    elif riichi.is_declared:
        draft.ippatsu = replace_at(draft.ippatsu, laid_tile.seat, Ippatsu.OPEN)
        _announce(draft, AnnouncementId.IPPATSU_OPEN, "R40", laid_tile.seat)


def on_turn(draft: Draft, seat: Seat | None) -> None:
    """Limits the window of the seat in turn to its own draw."""
    if seat is not None and draft.ippatsu[seat] is Ippatsu.OPEN and draft.has_drawn:
        draft.ippatsu = replace_at(draft.ippatsu, seat, Ippatsu.LAST_CHANCE)
        _announce(draft, AnnouncementId.IPPATSU_LAST_CHANCE, "R40", seat)


def on_hand_end(draft: Draft) -> None:
    """Drops the announcements of windows that opened, or reached their last draw, with an event that ends play."""
    draft.unsay(AnnouncementId.IPPATSU_OPEN, AnnouncementId.IPPATSU_LAST_CHANCE)


def window_to_show(hand: HandState, seat: Seat) -> Ippatsu | None:
    """Returns the open window of a seat that may still win by ippatsu; None if it has none or play has ended."""
    is_in_play = hand.phase in (Phase.PLAY, Phase.CLAIMED) and not hand.is_behind
    return hand.ippatsu[seat] if is_in_play and hand.ippatsu[seat].is_open and may_win(hand.fouls, seat) else None


def on_discard(draft: Draft, seat: Seat) -> None:
    """Closes the window of a seat that discards again (R41), unless that tile may be the one that declared."""
    may_declare = draft.riichi[seat].may_be_later and not has_discarded_since(draft, seat)
    if draft.ippatsu[seat].may_be_open and not may_declare:
        _close(draft, seat, "own_discard", "R41")


def has_discarded_since(draft: Draft, seat: Seat) -> bool:
    """Whether the seat has discarded since the tile that, on record, declared its riichi."""
    declared_at = draft.riichi[seat].laid_index
    return declared_at is not None and any(
        laid_tile.seat is seat and not laid_tile.kind.is_kan for laid_tile in draft.laid_tiles[declared_at + 1 :]
    )


def make_unsure(draft: Draft) -> None:
    """Makes every open window doubtful: turns may have gone unseen, even a whole go-round, or a call."""
    unsure = (Ippatsu.UNSURE if window.is_open else window for window in draft.ippatsu)
    draft.ippatsu = four(unsure)


def close_all(draft: Draft, by: str) -> None:
    """Closes every window after a call or a kan (R43, R45)."""
    for seat in SEATS:
        if draft.ippatsu[seat].may_be_open:
            _close(draft, seat, by, "R43")


def on_declaration_called(draft: Draft, laid_tile: LaidTile) -> None:
    """Keeps the window closed, since the declaration tile was called (R42)."""
    riichi = draft.riichi[laid_tile.seat]
    if draft.rules.ippatsu and riichi.is_declared and riichi.laid_index == laid_tile.laid_index:
        _close(draft, laid_tile.seat, "declaration_called", "R42")


def on_ron(draft: Draft) -> None:
    """Closes the windows of void riichi."""
    for seat in SEATS:
        if draft.riichi[seat].stage is RiichiStage.VOID and draft.ippatsu[seat] is not Ippatsu.NONE:
            draft.ippatsu = replace_at(draft.ippatsu, seat, Ippatsu.NONE)


def on_ron_withdrawn(draft: Draft, seats: Iterable[Seat], before: HandState) -> None:
    """Reopens the windows of riichi that are valid again, unless play continued after the ron and closed them."""
    for seat in seats:
        draft.ippatsu = replace_at(draft.ippatsu, seat, before.ippatsu[seat])
        if draft.riichi[seat].has_passed and before.ippatsu[seat] is not Ippatsu.CLOSED:
            _recompute_window(draft, seat)


def restore(draft: Draft, before: HandState) -> None:
    """Restores the windows as before; recomputes the window of a riichi that a foul has voided or restored since."""
    for seat in SEATS:
        riichi, old_riichi = draft.riichi[seat], before.riichi[seat]
        is_same = riichi.is_declared == old_riichi.is_declared and riichi.laid_index == old_riichi.laid_index
        draft.ippatsu = replace_at(draft.ippatsu, seat, before.ippatsu[seat] if is_same else Ippatsu.NONE)
        if riichi.is_declared and not is_same:
            _recompute_window(draft, seat)


def announce_reopened(draft: Draft, before: tuple[Ippatsu, ...]) -> None:
    """Announces the windows that are open again because the call that had closed them was taken back."""
    for seat in SEATS:
        if draft.ippatsu[seat].is_open and not before[seat].is_open:
            _announce(draft, AnnouncementId.IPPATSU_OPEN, "R43", seat)


def recompute_unsure(draft: Draft) -> None:
    """Recomputes every doubtful window from the record, since nothing went unseen after all."""
    for seat in SEATS:
        windows = (draft.ippatsu[seat], *(laid_tile.ippatsu[seat] for laid_tile in draft.laid_tiles))
        if draft.riichi[seat].is_declared and not draft.riichi[seat].may_be_later and Ippatsu.UNSURE in windows:
            _recompute_window(draft, seat)


def recompute_all(draft: Draft) -> None:
    """Recomputes every window from the record, since no turn was passed over after all."""
    for seat in SEATS:
        draft.ippatsu = replace_at(draft.ippatsu, seat, Ippatsu.NONE)
        if draft.riichi[seat].is_declared and draft.riichi[seat].has_passed:
            _recompute_window(draft, seat)


def announce_known(draft: Draft, before: tuple[Ippatsu, ...]) -> None:
    """Announces the formerly doubtful windows that prove to be open, since nothing went unseen."""
    for seat in SEATS:
        if before[seat] is Ippatsu.UNSURE:
            _announce_if_open(draft, seat)


def on_kan_pass(draft: Draft, laid_tile: LaidTile) -> None:
    """Closes every window after an added kan was not robbed (R44)."""
    if laid_tile.kind is LaidKind.ADDED_KAN:
        close_all(draft, "kan")


def open_for_reported_riichi(draft: Draft, seat: Seat) -> None:
    """Opens the window of a riichi reported after its tile had passed, also for claims on tiles laid since.

    A call, a kan or the seat's next discard since then has already closed it.
    """
    _recompute_window(draft, seat)
    _announce_if_open(draft, seat)


def _recompute_window(draft: Draft, seat: Seat) -> None:
    """Recomputes the seat's window from the tiles laid since its declaration, both now and for a claim on each tile."""
    declared_at, last_at = draft.riichi[seat].laid_index, draft.riichi[seat].last_laid_index
    if not draft.rules.ippatsu or declared_at is None:
        return
    unsure_from = _unsure_from(draft, seat, declared_at) if last_at is None else declared_at
    closed_from = min(_closing_places(draft, seat, declared_at if last_at is None else last_at), default=None)
    window = Ippatsu.CLOSED
    if closed_from is None and unsure_from is not None:
        window = Ippatsu.UNSURE
    elif closed_from is None:
        window = Ippatsu.LAST_CHANCE if draft.turn is seat and draft.has_drawn else Ippatsu.OPEN
    draft.ippatsu = replace_at(draft.ippatsu, seat, window)
    for laid_tile in draft.laid_tiles[declared_at + 1 :]:
        was_open = closed_from is None or laid_tile.laid_index < closed_from
        is_sure = unsure_from is None or laid_tile.laid_index < unsure_from
        window_then = (Ippatsu.OPEN if is_sure else Ippatsu.UNSURE) if was_open else Ippatsu.CLOSED
        replace_laid(draft, replace(laid_tile, ippatsu=replace_at(laid_tile.ippatsu, seat, window_then)))


def _unsure_from(draft: Draft, seat: Seat, declared_at: int) -> int | None:
    """Returns the index of the first tile laid after unseen play since `declared_at`; None if all play was seen."""
    starts = (None if draft.gap is None else draft.gap.laid_count, draft.unseen_from, draft.missed_at[seat])
    return min((at for at in starts if at is not None and at > declared_at), default=None)


def _closing_places(draft: Draft, seat: Seat, declared_at: int) -> Iterator[int]:
    """Yields, for each act that closed the window of the riichi at `declared_at`, the first laid tile it applies to."""
    discards = [laid_tile for laid_tile in draft.laid_tiles if not laid_tile.kind.is_kan]
    called_numbers = {tile.discard_number for river in draft.rivers for tile in river if tile.called_by is not None}
    yield from (
        laid_tile.laid_index + 1
        for index, laid_tile in enumerate(discards)
        if laid_tile.laid_index >= declared_at and index in called_numbers
    )
    claimable_index = (
        draft.claimable_tile.laid_index if draft.claimable_tile is not None and not draft.has_passed else None
    )
    for laid_tile in draft.laid_tiles[declared_at + 1 :]:
        if laid_tile.kind is LaidKind.ADDED_KAN and laid_tile.laid_index != claimable_index:
            yield laid_tile.laid_index + 1
        elif laid_tile.kind is LaidKind.CLOSED_KAN or (laid_tile.kind is LaidKind.DISCARD and laid_tile.seat is seat):
            yield laid_tile.laid_index


def _close(draft: Draft, seat: Seat, by: str, rule: str) -> None:
    draft.ippatsu = replace_at(draft.ippatsu, seat, Ippatsu.CLOSED)
    _announce(draft, AnnouncementId.IPPATSU_CLOSED, rule, seat, by=by)


def _announce_if_open(draft: Draft, seat: Seat) -> None:
    if (window := draft.ippatsu[seat]).is_open:
        is_last = window is Ippatsu.LAST_CHANCE
        announcement_id = AnnouncementId.IPPATSU_LAST_CHANCE if is_last else AnnouncementId.IPPATSU_OPEN
        _announce(draft, announcement_id, "R40", seat)


def _announce(draft: Draft, announcement_id: AnnouncementId, rule: str, seat: Seat, **args: object) -> None:
    """Announces a seat's window, unless the seat must not win; an open window only if all play so far was seen."""
    if draft.is_behind and announcement_id is not AnnouncementId.IPPATSU_CLOSED:
        return
    if not draft.fouls or may_win(draft.fouls, seat):
        draft.say(announcement_id, rule, seat, Scope.PUBLIC, **args)
