"""A riichi reported afterwards: it counts in full from its declaration tile, if that was seen (WRC 12.3.5).

That tile is the first one laid upright after riichi was announced or the seat's stick placed, or else the seat's last
discard. Double riichi, ippatsu and furiten follow as if it had been laid sideways. If a later discard may have gone
unseen, or several were found only after a gap, people are asked about double riichi and ippatsu.
"""

from __future__ import annotations

from dataclasses import replace

from table.rules.aspects import first_go_round, ippatsu
from table.rules.aspects.riichi import declaration
from table.rules.aspects.river import newest_discard
from table.rules.draft import Draft, replace_at
from table.rules.foul_totals import tiles_left_at
from table.rules.state import LaidTile, Riichi, RiichiStage
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import SEATS, Seat


def report_riichi(draft: Draft, seat: Seat) -> None:
    """Accepts people's word that a riichi is valid; without a camera, its tile, pass and stick are assumed.

    Raises:
        ImpossibleEventError: if the seat has declared before.
    """
    current = draft.riichi[seat]
    if current.stage is not RiichiStage.NONE:
        raise ImpossibleEventError(
            f"expected one riichi of seat {int(seat)} in a hand, got another", says="riichi_twice"
        )
    laid_tile = (
        newest_discard(draft, seat)
        if current.upright_laid_index is None
        else draft.laid_tiles[current.upright_laid_index]
    )
    tiles_left = draft.tiles_left if laid_tile is None else tiles_left_at(draft.fouls, laid_tile)
    calls_since = 0 if laid_tile is None else _calls_since(draft, laid_tile)
    open_melds = sum(meld.is_open for meld in draft.melds[seat])
    declaration.check_declaration(draft, seat, tiles_left, is_open=open_melds > calls_since)
    if calls_since:
        declaration.suspect_call(draft, seat)
    draft.sticks = replace_at(draft.sticks, seat, True)
    draft.values = replace_at(draft.values, seat, None)
    if laid_tile is not None:
        _declare(draft, seat, laid_tile)
        return
    accepted = replace(current, stage=RiichiStage.ACCEPTED, has_passed=True, stick_seen=True, is_voiced=True)
    draft.riichi = replace_at(draft.riichi, seat, accepted)
    draft.say(AnnouncementId.RIICHI_ACCEPTED, "R15", seat, stick=True)


def assume_all(draft: Draft) -> None:
    """Assumes riichi of every seat, since four riichi are called after unseen play; missing sticks are asked for."""
    for seat in SEATS:
        current = draft.riichi[seat]
        if current.stage is RiichiStage.NONE:
            stick = draft.sticks[seat]
            accepted = replace(
                current, stage=RiichiStage.ACCEPTED, has_passed=True, stick_seen=stick, is_voiced=True, is_assumed=True
            )
            draft.riichi = replace_at(draft.riichi, seat, accepted)
            draft.say(AnnouncementId.RIICHI_ACCEPTED, "R15", seat, stick=stick)


def drop_assumed(draft: Draft) -> None:
    """Voids each riichi that was only assumed because of an abort by four riichi, since the hand does not end by it."""
    for seat in SEATS:
        if draft.riichi[seat].is_assumed:
            declaration.void(draft, seat)


def keep_reports(draft: Draft, earlier: tuple[Riichi, ...], but: Seat) -> None:
    """Keeps people's reports about riichi in `earlier` although the last tile of the seat `but` is put back.

    A riichi that a foul voided stays void; one assumed for an abort that people called stands again with that. Of the
    riichi of `but` itself, only that it was announced is kept, unless a foul withdrew it.
    """
    for seat in SEATS:
        reported, now = earlier[seat], draft.riichi[seat]
        if now.is_assumed:
            continue
        if now.is_declared and reported.stage is RiichiStage.NONE:
            declaration.void(draft, seat)
        elif now is reported:
            continue
        elif seat is but:
            is_kept = reported.is_voiced or reported.upright_laid_index is not None
            is_withdrawn = reported.stage is RiichiStage.NONE and not is_kept
            is_voiced = not is_withdrawn and (now.is_voiced or (reported.is_declared and reported.is_voiced))
            draft.riichi = replace_at(draft.riichi, seat, replace(now, is_voiced=is_voiced))
        elif now.stage is RiichiStage.NONE and reported.is_accepted:
            draft.riichi = replace_at(draft.riichi, seat, reported)
            declaration.mark_declaration(draft, seat, reported.discard_number)
            ippatsu.open_for_reported_riichi(draft, seat)
        else:
            updated = replace(
                now, is_voiced=now.is_voiced or reported.is_voiced, open_tiles=now.open_tiles or reported.open_tiles
            )
            draft.riichi = replace_at(draft.riichi, seat, updated)


def clear_doubts(draft: Draft) -> None:
    """Makes each riichi certain that was in doubt only because of turns that were not passed over after all."""
    for seat in SEATS:
        riichi, missed_at = draft.riichi[seat], draft.missed_at[seat]
        declared_at = riichi.laid_index
        if not riichi.is_declared or declared_at is None or riichi.last_laid_index is not None:
            continue
        if missed_at is None:
            is_double = _may_be_first(draft, draft.laid_tiles[declared_at])
            riichi = replace(riichi, is_double=is_double, may_be_double=False, may_be_later=False)
        elif missed_at <= declared_at:
            riichi = replace(riichi, may_be_later=False)
        draft.riichi = replace_at(draft.riichi, seat, riichi)


def _declare(draft: Draft, seat: Seat, laid_tile: LaidTile) -> None:
    """Declares riichi with a tile laid earlier, and applies what has happened since."""
    tile = draft.rivers[seat][_river_index(draft, seat, laid_tile)]
    last = draft.claimable_tile
    is_claimable = last is not None and last.laid_index == laid_tile.laid_index and not draft.has_passed
    riichi = replace(
        _declared_riichi(draft, seat, laid_tile), discard_number=tile.discard_number, has_passed=not is_claimable
    )
    draft.riichi = replace_at(draft.riichi, seat, riichi)
    declaration.mark_declaration(draft, seat, riichi.discard_number)
    if riichi.is_double:
        draft.say(AnnouncementId.DOUBLE_RIICHI, "R37", seat)
    claimed_tile = draft.claims[0].laid_tile if draft.claims else None
    if claimed_tile is not None and claimed_tile.laid_index <= laid_tile.laid_index:
        _keep_if_ron_withdrawn(draft, seat)
        declaration.on_ron(draft, claimed_tile, (seat,))
        return
    declaration.accept_if_due(draft, seat)
    if not is_claimable:
        ippatsu.open_for_reported_riichi(draft, seat)
    if tile.called_by is not None and tile.discard_number == draft.rivers[seat][-1].discard_number:
        declaration.await_replacement(draft, seat)


def _declared_riichi(draft: Draft, seat: Seat, laid_tile: LaidTile) -> Riichi:
    """Returns the riichi declared with that tile or, where play went unseen, with one of several."""
    candidates = _possible_declarations(draft, seat, laid_tile)
    missed_at = draft.missed_at[seat]
    is_tile_known = draft.riichi[seat].upright_laid_index is not None
    may_be_later = not is_tile_known and missed_at is not None and missed_at > laid_tile.laid_index
    is_doubtful = may_be_later or len(candidates) > 1 or first_go_round.is_doubtful(draft, seat, laid_tile.laid_index)
    is_first = _may_be_first(draft, laid_tile)
    return Riichi(
        stage=RiichiStage.DECLARED,
        is_double=is_first and missed_at is None and len(candidates) == 1,
        may_be_double=is_doubtful and (is_first or _may_be_first(draft, candidates[0])),
        laid_index=laid_tile.laid_index,
        may_be_later=may_be_later,
        last_laid_index=candidates[-1].laid_index if len(candidates) > 1 else None,
        stick_seen=True,
        is_voiced=True,
    )


def _possible_declarations(draft: Draft, seat: Seat, laid_tile: LaidTile) -> tuple[LaidTile, ...]:
    """Returns the seat's discards that may have declared, in order: `laid_tile`, and those found after a gap.

    The first one after riichi was announced is known. A stick may have been found before the discards of the gap.
    """
    upright_index = draft.riichi[seat].upright_laid_index
    if upright_index is not None and not draft.hand.sticks[seat]:
        return (laid_tile,)
    late_indexes = (
        *draft.late_indexes,
        *range(len(draft.laid_tiles) if draft.gap is None else draft.gap.laid_count, len(draft.laid_tiles)),
    )
    own_discards = (
        draft.laid_tiles[index]
        for index in late_indexes
        if draft.laid_tiles[index].seat is seat and not draft.laid_tiles[index].kind.is_kan
    )
    found_indexes = {
        discard.laid_index for discard in own_discards if upright_index is None or discard.laid_index > upright_index
    }
    return tuple(draft.laid_tiles[index] for index in sorted({laid_tile.laid_index, *found_indexes}))


def _calls_since(draft: Draft, laid_tile: LaidTile) -> int:
    """Returns how many discards the tile's seat has called since it laid that tile."""
    discard_number = sum(not earlier.kind.is_kan for earlier in draft.laid_tiles[: laid_tile.laid_index])
    return sum(
        river_tile.called_by is laid_tile.seat and river_tile.discard_number > discard_number
        for river in draft.rivers
        for river_tile in river
    )


def _may_be_first(draft: Draft, laid_tile: LaidTile) -> bool:
    """Whether that discard is its seat's first one, with no call before it."""
    return _river_index(draft, laid_tile.seat, laid_tile) == 0 and not first_go_round.was_interrupted(draft, laid_tile)


def _keep_if_ron_withdrawn(draft: Draft, seat: Seat) -> None:
    """Makes the riichi, which the ron makes void, valid again if the ron is withdrawn."""
    if (before := draft.before_ron) is not None:
        draft.before_ron = replace(before, riichi=replace_at(before.riichi, seat, draft.riichi[seat]))


def _river_index(draft: Draft, seat: Seat, laid_tile: LaidTile) -> int:
    """Returns the tile's place in the seat's river, from 0."""
    before = draft.laid_tiles[: laid_tile.laid_index]
    return sum(earlier.seat is seat and not earlier.kind.is_kan for earlier in before)
