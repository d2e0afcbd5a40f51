"""Riichi voided by fouls, and restored when the last of these fouls is cancelled.

Each foul stores the riichi that it voids as it was before, even if a claimed ron or another foul had already voided it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from table.rules import hand_phase
from table.rules.aspects import ippatsu
from table.rules.aspects.riichi import declaration
from table.rules.draft import Draft, replace_at
from table.rules.foul_totals import in_force
from table.rules.penalties.effect_terms import Effect, Op
from table.rules.penalties.penalty_rules import Option, PenaltyRules
from table.rules.state import LoggedFoul, Riichi, RiichiStage
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import SEATS, Seat

_NO_RIICHI: Final = frozenset({"7-05-12", "7-05-13"})
"""Fouls that leave no riichi: wrongly announced, withdrawn, or without a stick."""


def is_no_riichi(clause: str, option: Option | None, penalties: PenaltyRules) -> bool:
    """Whether a foul leaves no riichi whatever its option costs, unless the option says that the riichi is valid.

    It may also be named by an article that the house chose for such clauses alone.
    """
    if option is None or any(effect.op in (Op.VALID, Op.CORRECT) for effect in option.effects):
        return False
    choosers = {rule.clause for rule in penalties.rules if rule.choice == clause and rule.clause != clause}
    return clause in _NO_RIICHI or (bool(choosers) and choosers <= _NO_RIICHI)


def voids_riichi(effect: Effect) -> bool:
    """Whether an effect makes a riichi void, whichever tile was laid last."""
    return effect.op is Op.VOID and effect.param("what") == "riichi"


def last_riichi(draft: Draft, seat: Seat) -> Riichi | None:
    """Returns the seat's riichi, or the one it had before a claimed ron or a foul voided it; None without one."""
    current, before = draft.riichi[seat], draft.before_ron
    if current.is_declared:
        return current
    if current.stage is RiichiStage.VOID:
        return before.riichi[seat] if before is not None and before.riichi[seat].is_declared else None
    voided = (riichi for foul in in_force(draft.fouls) for owner, riichi in foul.voided_riichi if owner is seat)
    return next(voided, None)


def void_riichi(draft: Draft, seats: Collection[Seat], clause: str) -> tuple[tuple[Seat, Riichi], ...]:
    """Voids the riichi of these seats because of a foul; returns each as it was before."""
    before = tuple((seat, riichi) for seat in sorted(seats) if (riichi := last_riichi(draft, seat)) is not None)
    for seat, _ in before:
        was_declared = draft.riichi[seat].is_declared
        declaration.void(draft, seat)
        if was_declared:
            draft.say(AnnouncementId.RIICHI_VOID, clause, seat, by="foul")
            hand_phase.call_off(draft, AbortReason.FOUR_RIICHI)
    return before


def take_back_announced(draft: Draft, seats: Collection[Seat]) -> tuple[tuple[Seat, Riichi], ...]:
    """Takes back each riichi of these seats that was only announced; returns it, or the one another foul took back.

    No tile is awaited for it, nor for a stick that lies there without its tile. One is over with the seat's next tile.
    """
    earlier = {
        seat: riichi
        for foul in in_force(draft.fouls)
        for seat, riichi in foul.announced_riichi
        if not declaration.tiles_laid_since(draft, seat, foul.discards)
    }
    now = {seat: draft.riichi[seat] for seat in seats if declaration.is_only_announced(draft, seat)}
    for seat in now:
        declaration.take_back_announcement(draft, seat)
    before = {**earlier, **now}
    return tuple((seat, before[seat]) for seat in sorted(seats) if seat in before)


def restore_riichi(draft: Draft, foul: LoggedFoul) -> None:
    """Restores each riichi that a cancelled foul had voided, unless another foul or a claimed ron prevents it."""
    _announce_again(draft, foul, SEATS)
    for seat, before in foul.voided_riichi:
        others = (voided for other in in_force(draft.fouls) for voided in other.voided_riichi)
        is_forbidden = any(owner is seat and riichi.discard_number == before.discard_number for owner, riichi in others)
        if draft.riichi[seat].stage is not RiichiStage.NONE or is_forbidden:
            continue
        draft.say(AnnouncementId.RIICHI_DECLARED, foul.clause, seat)
        declaration.restore(draft, seat, before)
        for cancelled in draft.fouls:
            if cancelled.cancel_reason is not None:  # it took back the announcement before the tile of this riichi
                _announce_again(draft, cancelled, (seat,))
        if draft.riichi[seat].has_passed:
            ippatsu.open_for_reported_riichi(draft, seat)
        _void_by_ron(draft, seat)
        declaration.await_missed_replacement(draft, seat)


def _announce_again(draft: Draft, foul: LoggedFoul, seats: Collection[Seat]) -> None:
    """Restores each riichi of these seats whose announcement a cancelled foul took back, unless another foul did."""
    taken_back = {announced for other in in_force(draft.fouls) for announced in other.announced_riichi}
    for seat, before in foul.announced_riichi:
        if seat in seats and (seat, before) not in taken_back:
            declaration.announce_again(draft, seat, before, foul.discards)


def keep_fouls_on_riichi(draft: Draft, earlier: tuple[Riichi, ...]) -> None:
    """Applies fouls on, and reports of, each riichi in `earlier` again after an older hand was restored."""
    voided = {(seat, riichi.discard_number) for foul in in_force(draft.fouls) for seat, riichi in foul.voided_riichi}
    for seat, riichi in zip(SEATS, earlier, strict=True):
        if draft.riichi[seat].is_declared and (seat, draft.riichi[seat].discard_number) in voided:
            declaration.void(draft, seat)
        elif riichi.is_declared and not draft.riichi[seat].is_declared:
            declaration.restore(draft, seat, riichi)
            ippatsu.open_for_reported_riichi(draft, seat)


def without_put_back(fouls: tuple[LoggedFoul, ...], discards: int) -> tuple[LoggedFoul, ...]:
    """Returns the fouls without the voided riichi whose tiles were put back; `discards` is the number left."""
    return tuple(
        replace(
            foul,
            voided_riichi=tuple(
                voided
                for voided in foul.voided_riichi
                if voided[1].discard_number is None or voided[1].discard_number < discards
            ),
        )
        if foul.voided_riichi
        else foul
        for foul in fouls
    )


def _void_by_ron(draft: Draft, seat: Seat) -> None:
    """Voids the riichi if its tile, or one before it, is ronned; it is restored if the ron is withdrawn."""
    claimed_tile = draft.claims[0].laid_tile if draft.claims else None
    if claimed_tile is None:
        return
    if (before := draft.before_ron) is not None:
        draft.before_ron = replace(before, riichi=replace_at(before.riichi, seat, draft.riichi[seat]))
    declaration.on_ron(draft, claimed_tile, (seat,))
    ippatsu.on_ron(draft)
