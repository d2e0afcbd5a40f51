"""Tiles on the table: discards, calls and kans."""

from __future__ import annotations

from dataclasses import replace

from table.rules import hand_phase
from table.rules.aspects import calls, dora, first_go_round, furiten, ippatsu, kans, tile_copies, turn
from table.rules.aspects.riichi import declaration
from table.rules.aspects.river import call_away, lay, lay_discard
from table.rules.aspects.winning import pao
from table.rules.draft import Draft, replace_at
from table.rules.events import AddedKan, Called, CallKind, ClosedKan, Discarded
from table.rules.foul_totals import is_last_discard, owes_extra_discard
from table.rules.fouls.tiles_put_back import take_back
from table.rules.penalties.foul_effects import FALSE_WIN, ILLEGAL_KAN
from table.rules.state import LaidKind, LaidTile
from table.rules.terms.melds import Meld, MeldKind
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from table.rules.transitions import aborts
from table.rules.transitions.unclaimed_tile import let_called_pass, let_pass


def discard(draft: Draft, event: Discarded) -> None:
    """Lays a discard; the tile before it has passed."""
    tile_copies.add(draft, (event.tile,))
    draft.before_act = draft.hand
    _ask_if_claimed(draft, event.seat)
    let_pass(draft)
    aborts.play_on(draft)
    if draft.fouls and owes_extra_discard(draft.fouls, event.seat, draft.rivers[event.seat], draft.discards):
        turn.undraw(draft)
    else:
        turn.expect(draft, event.seat, "a discard")
    calls.check_swap(draft, event.tile)
    ippatsu.on_discard(draft, event.seat)
    furiten.on_discard(draft, event)
    dora.on_discard(draft)
    lay_discard(draft, event, is_declaration=declaration.judge_discard(draft, event))
    aborts.find_pending_abort(draft)
    furiten.announce_all(draft)


def call(draft: Draft, event: Called) -> None:
    """Makes a meld of another seat's discard; a pon or kan goes before a chi of it until the chi's discard (7-05-15).

    Raises:
        ImpossibleEventError: if the tile is not that seat's last discard.
    """
    if (chi := calls.beaten_chi(draft, event)) is not None:
        take_back(draft, chi)
    called_tile = _callable_discard(draft, event)
    tile = _count_called(draft, event, called_tile)
    draft.before_act = draft.hand
    _ask_if_claimed(draft, event.seat)
    if called_tile.laid_index == len(draft.laid_tiles) - 1:
        _take_last(draft, called_tile)
    else:
        let_pass(draft)
        draft.suspect("7-05-14", event.seat, "a discard was called after another tile had been laid")
    calls.check_call(draft, event, is_last=is_last_discard(draft.fouls, called_tile))
    river_tile = draft.rivers[called_tile.seat][-1]
    ippatsu.close_all(draft, "call")
    declaration.on_call(draft, called_tile, event.seat, was_sideways=river_tile.sideways)
    furiten.forget_wait(draft, event.seat)
    first_go_round.interrupt(draft)
    hand_phase.take_away(draft)
    _lay_called(draft, event, called_tile, tile)
    aborts.settle_pending(draft)
    furiten.announce_all(draft)


def added_kan(draft: Draft, event: AddedKan) -> None:
    """Adds the fourth tile to a pon of the seat; the others may rob it.

    Raises:
        ImpossibleEventError: if the seat has no such pon.
    """
    melds = draft.melds[event.seat]
    place = next((index for index, meld in enumerate(melds) if _can_add(meld, event.tile)), None)
    if place is None:
        pons = " and ".join(f"a pon of {meld.tiles[0]}" for meld in melds if meld.kind is MeldKind.PON) or "none"
        raise ImpossibleEventError(f"expected a pon of {event.tile} at seat {int(event.seat)} to add to, got {pons}")
    tile_copies.add(draft, (event.tile,))
    _begin_kan(draft, event.seat)
    pon = melds[place]
    kan = replace(pon, kind=MeldKind.ADDED_KAN, tiles=(*pon.tiles, event.tile))
    draft.melds = replace_at(draft.melds, event.seat, replace_at(melds, place, kan))
    _finish_kan(draft, event.seat, event.tile, LaidKind.ADDED_KAN)


def closed_kan(draft: Draft, event: ClosedKan) -> None:
    """Lays a closed kan; a riichi hand's kan is judged when the hand is shown."""
    tile_copies.add(draft, event.tiles)
    _begin_kan(draft, event.seat)
    known_tiles = [tile for tile in event.tiles if tile.is_known]
    if len({tile.kind for tile in known_tiles}) > 1:
        draft.suspect("7-05-02", event.seat, f"a closed kan was made of {' '.join(tile.text for tile in event.tiles)}")
    if draft.riichi[event.seat].is_declared and draft.rules.closed_kan_after_riichi == "never":
        draft.suspect(ILLEGAL_KAN, event.seat, "a closed kan was made in riichi")
    meld = Meld(kind=MeldKind.CLOSED_KAN, tiles=event.tiles)
    draft.melds = replace_at(draft.melds, event.seat, (*draft.melds[event.seat], meld))
    ippatsu.close_all(draft, "kan")
    _finish_kan(draft, event.seat, known_tiles[0] if known_tiles else event.tiles[0], LaidKind.CLOSED_KAN)


def _ask_if_claimed(draft: Draft, seat: Seat) -> None:
    """Raises a suspicion if play continues while a win is claimed."""
    if draft.claims:
        draft.suspect(FALSE_WIN, seat, "play continued while a win was claimed")


def _callable_discard(draft: Draft, event: Called) -> LaidTile:
    """Returns the discard that is called, after checking that it is the last of its river and not yet called."""
    laid_tile = next((laid for laid in reversed(draft.laid_tiles) if laid.seat is event.from_seat), None)
    last = next(reversed(draft.rivers[event.from_seat]), None)
    expected = f"expected a discard of seat {int(event.from_seat)} to call"
    if laid_tile is None or last is None or laid_tile.kind is not LaidKind.DISCARD:
        raise ImpossibleEventError(f"{expected}, got none")
    if last.called_by is not None:
        raise ImpossibleEventError(f"{expected}, got {last.tile}, which seat {int(last.called_by)} has called")
    if laid_tile.tile.kind != event.tile.kind and laid_tile.tile.is_known and event.tile.is_known:
        raise ImpossibleEventError(
            f"expected a call of {laid_tile.tile} from seat {int(event.from_seat)}, got {event.tile}"
        )
    return laid_tile


def _count_called(draft: Draft, event: Called, called_tile: LaidTile) -> Tile:
    """Counts the meld's tiles; returns the called tile as read in the meld, or in the river if unread there."""
    tile_copies.add(draft, event.own)
    if not event.tile.is_known or event.tile is called_tile.tile:
        return called_tile.tile
    tile_copies.remove(draft, (called_tile.tile,))
    tile_copies.add(draft, (event.tile,))
    return event.tile


def _take_last(draft: Draft, called_tile: LaidTile) -> None:
    """Takes the last tile away: everything that waited for it settles, and an inferred draw is undone."""
    if draft.claimable_tile is not None and draft.has_passed:
        turn.undraw(draft)
    let_called_pass(draft, called_tile)


def _lay_called(draft: Draft, event: Called, called_tile: LaidTile, tile: Tile) -> None:
    meld = Meld(
        kind=calls.MELD_KINDS[event.kind],
        tiles=(tile, *event.own),
        called=tile,
        from_seat=event.from_seat,
    )
    draft.melds = replace_at(draft.melds, event.seat, (*draft.melds[event.seat], meld))
    call_away(draft, replace(called_tile, tile=tile, pointed_seat=_wrong_target(event)), event.seat)
    pao.on_call(draft, event.seat, event.from_seat)
    if event.kind is CallKind.OPEN_KAN:
        kans.count_kan(draft, event.seat)
        dora.on_kan_made(draft)
        dora.make_newest_due(draft, is_closed=False)
        turn.count_replacement(draft, event.seat)
        turn.draw_replacement(draft, event.seat)
    else:
        turn.start_without_draw(draft, event.seat, calls.barred_kinds(event, draft.rules))


def _wrong_target(event: Called) -> Seat | None:
    """Returns the seat that the turned tile points at if that is not the discarder."""
    return event.points_at if event.points_at is not event.from_seat else None


def _can_add(meld: Meld, tile: Tile) -> bool:
    return meld.kind is MeldKind.PON and (meld.tiles[0].kind == tile.kind or not tile.is_known)


def _begin_kan(draft: Draft, seat: Seat) -> None:
    draft.before_act = draft.hand
    _ask_if_claimed(draft, seat)
    let_pass(draft)
    aborts.play_on(draft)
    turn.expect(draft, seat, "a kan")
    if not draft.has_drawn:
        draft.suspect("7-05-02", seat, "a kan was made right after a call")


def _finish_kan(draft: Draft, seat: Seat, tile: Tile, kind: LaidKind) -> None:
    kans.count_kan(draft, seat)
    dora.on_kan_made(draft)
    turn.count_replacement(draft, seat)
    if not draft.riichi[seat].is_declared:
        furiten.forget_wait(draft, seat)
    first_go_round.interrupt(draft)
    lay(draft, tile, seat, kind)
    if kind is LaidKind.CLOSED_KAN:
        dora.make_newest_due(draft, is_closed=True)
    furiten.announce_all(draft)
