"""A riichi reported afterwards: it counts in full from its declaration tile, if that was seen (WRC 12.3.5).

That tile is the first one laid upright after riichi was announced or the seat's stick placed, or else the seat's last
discard. Double riichi, ippatsu and furiten follow from it as if it had been laid sideways; where a later discard may
have gone unseen, or several were found only after a gap, double riichi and ippatsu are asked about.
"""

from __future__ import annotations

from dataclasses import replace

from table.rules.aspects import first_go_round, ippatsu
from table.rules.aspects.riichi import declaration
from table.rules.aspects.river import newest_discard
from table.rules.draft import Draft, put
from table.rules.state import Claimable, Riichi, RiichiStage
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
    laid = newest_discard(draft, seat) if current.upright_laid_index is None else draft.laid[current.upright_laid_index]
    declaration.check_declaration(draft, seat, draft.tiles_left if laid is None else laid.tiles_left)
    draft.sticks = put(draft.sticks, seat, True)
    draft.values = put(draft.values, seat, None)
    if laid is not None:
        _declare(draft, seat, laid)
        return
    stands = replace(current, stage=RiichiStage.ACCEPTED, has_passed=True, stick_seen=True, is_voiced=True)
    draft.riichi = put(draft.riichi, seat, stands)
    draft.say(AnnouncementId.RIICHI_ACCEPTED, "R15", seat, stick=True)


def assume_all(draft: Draft) -> None:
    """Takes every seat as in riichi, since four riichi are called after unseen play; their sticks are asked for."""
    for seat in SEATS:
        current = draft.riichi[seat]
        if current.stage is RiichiStage.NONE:
            stick = draft.sticks[seat]
            stands = replace(
                current, stage=RiichiStage.ACCEPTED, has_passed=True, stick_seen=stick, is_voiced=True, is_assumed=True
            )
            draft.riichi = put(draft.riichi, seat, stands)
            draft.say(AnnouncementId.RIICHI_ACCEPTED, "R15", seat, stick=stick)


def drop_assumed(draft: Draft) -> None:
    """Takes no riichi as declared any more that only an abort by four riichi told, since the hand does not end so."""
    for seat in SEATS:
        if draft.riichi[seat].is_assumed:
            declaration.void(draft, seat)


def keep_reports(draft: Draft, earlier: tuple[Riichi, ...], but: Seat) -> None:
    """Keeps what people reported about riichi in `earlier`, although the last tile of the seat `but` is put back.

    A riichi that a foul made void stays void.
    """
    for seat in SEATS:
        declared, now = earlier[seat], draft.riichi[seat]
        if now.is_declared and declared.stage is RiichiStage.NONE:
            declaration.void(draft, seat)
        elif seat is but or now is declared:
            continue
        elif now.stage is RiichiStage.NONE and declared.is_accepted:
            draft.riichi = put(draft.riichi, seat, declared)
            declaration.mark_declaration(draft, seat, declared.discard_number)
            ippatsu.open_for_reported_riichi(draft, seat)
        else:
            kept = replace(now, is_voiced=now.is_voiced or declared.is_voiced, opened=now.opened or declared.opened)
            draft.riichi = put(draft.riichi, seat, kept)


def _declare(draft: Draft, seat: Seat, laid: Claimable) -> None:
    """Declares riichi with a tile laid earlier, and applies what has happened since."""
    tile = draft.rivers[seat][_mine(draft, seat, laid)]
    may_be_double = _may_be_first(draft, laid)
    candidates = _may_have_declared(draft, seat, laid)
    is_double = may_be_double and draft.missed[seat] is None and len(candidates) == 1
    may_be_double = may_be_double or _may_be_first(draft, candidates[0])
    is_claimable = (
        draft.claimable is not None and draft.claimable.laid_index == laid.laid_index and not draft.has_passed
    )
    missed_at = draft.missed[seat]
    is_tile_told = draft.riichi[seat].upright_laid_index is not None
    may_be_later = not is_tile_told and missed_at is not None and missed_at > laid.laid_index
    own = Riichi(
        stage=RiichiStage.DECLARED,
        is_double=is_double,
        may_be_double=may_be_double
        and (may_be_later or len(candidates) > 1 or first_go_round.is_doubtful(draft, seat, laid.laid_index)),
        discard_number=tile.discard_number,
        laid_index=laid.laid_index,
        has_passed=not is_claimable,
        may_be_later=may_be_later,
        last_laid_index=candidates[-1].laid_index if len(candidates) > 1 else None,
        stick_seen=True,
        is_voiced=True,
    )
    draft.riichi = put(draft.riichi, seat, own)
    declaration.mark_declaration(draft, seat, own.discard_number)
    if is_double:
        draft.say(AnnouncementId.DOUBLE_RIICHI, "R37", seat)
    claimed = draft.claims[0].laid if draft.claims else None
    if claimed is not None and claimed.laid_index <= laid.laid_index:
        _keep_for_no_ron(draft, seat)
        declaration.on_ron(draft, claimed, (seat,))
        return
    declaration.accept_if_due(draft, seat)
    if not is_claimable:
        ippatsu.open_for_reported_riichi(draft, seat)
    if tile.called_by is not None and tile.discard_number == draft.rivers[seat][-1].discard_number:
        draft.sideways_due = put(draft.sideways_due, seat, True)
        draft.say(AnnouncementId.NEXT_SIDEWAYS, "R18", seat)


def _may_have_declared(draft: Draft, seat: Seat, laid: Claimable) -> tuple[Claimable, ...]:
    """Returns the seat's discards that may have declared, in order: with `laid`, those that were found after a gap.

    The first one after riichi was announced is known. A stick may have been found before the discards of the gap.
    """
    told = draft.riichi[seat].upright_laid_index
    if told is not None and not draft.hand.sticks[seat]:
        return (laid,)
    late = (*draft.found_late, *range(len(draft.laid) if draft.gap is None else draft.gap.laid_count, len(draft.laid)))
    own = (draft.laid[index] for index in late if draft.laid[index].seat is seat and not draft.laid[index].kind.is_kan)
    others = {each.laid_index for each in own if told is None or each.laid_index > told}
    return tuple(draft.laid[index] for index in sorted({laid.laid_index, *others}))


def _may_be_first(draft: Draft, laid: Claimable) -> bool:
    """Whether that discard is its seat's first one, with no call before it."""
    return _mine(draft, laid.seat, laid) == 0 and not first_go_round.was_interrupted(draft, laid)


def _keep_for_no_ron(draft: Draft, seat: Seat) -> None:
    """Makes the riichi, which the ron makes void, valid again if the ron is withdrawn."""
    if (before := draft.before_ron) is not None:
        draft.before_ron = replace(before, riichi=put(before.riichi, seat, draft.riichi[seat]))


def _mine(draft: Draft, seat: Seat, laid: Claimable) -> int:
    """Returns the tile's place in the seat's river, from 0."""
    before = draft.laid[: laid.laid_index]
    return sum(each.seat is seat and not each.kind.is_kan for each in before)
