"""Riichi: declared by a sideways tile, accepted once it has passed, void when it is ronned.

Three facts are tracked separately: the sideways tile was laid (R09), it has passed (R12), the stick was laid (R10). A
riichi is charged when it is accepted, which depends on the rule set: at the pass, or at pass and stick. A missing stick
is asked for only at the settlement and never cancels the riichi (R11). A stick alone never makes a riichi (R03), and
may be placed before the tile.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from table.rules.aspects import first_go_round
from table.rules.aspects.riichi import open_riichi
from table.rules.draft import Draft, replace_at
from table.rules.events import Discarded, Origin
from table.rules.state import HandState, Ippatsu, LaidTile, Phase, Riichi, RiichiStage, RiverTile
from table.rules.terms.amounts import amount
from table.rules.terms.announcements import AnnouncementId, Scope, Suspicion
from table.rules.terms.results import STICK
from table.rules.terms.seats import SEATS, Seat

UNVOICED: Final = "R08"
"""The clause of the suspicion about a declaration that nobody heard: that riichi is announced."""
UPRIGHT: Final = "EMA 6.6"
"""The article about a riichi tile that is not sideways; other rulebooks' articles name it in `about`."""


def judge_discard(draft: Draft, event: Discarded) -> bool:
    """Checks a discard about to be laid; returns whether it declares riichi."""
    seat, current = event.seat, draft.riichi[event.seat]
    if current.is_declared:
        _check_discard_in_riichi(draft, event)
        return False
    if event.sideways:
        _declare(draft, seat)
        return True
    open_riichi.on_undeclared_discard(draft, seat)
    if current.is_voiced:
        _ask_about_upright(draft, seat, "voice", "riichi was announced, but the tile is not sideways")
        _set_riichi(draft, seat, replace(_with_upright(draft.riichi[seat], len(draft.laid_tiles)), is_voiced=False))
    elif draft.sticks[seat] and not current.stick_seen:
        _ask_about_upright(draft, seat, "stick", "a stick was placed, but the tile is not sideways")
        _set_riichi(draft, seat, replace(_with_upright(draft.riichi[seat], len(draft.laid_tiles)), stick_seen=True))
    return False


def _ask_about_upright(draft: Draft, seat: Seat, sign: str, evidence: str) -> None:
    """Raises a suspicion about a riichi tile that is not sideways if the rules penalise it; else only announces it."""
    if draft.rules.penalties.answer(UPRIGHT) is not None:
        draft.suspect(UPRIGHT, seat, evidence)
    else:
        draft.say(AnnouncementId.RIICHI_UPRIGHT, "R09", seat, by=sign)


def on_pass(draft: Draft, laid_tile: LaidTile) -> None:
    """Records that a declaration tile passed, since nobody ronned it."""
    current = draft.riichi[laid_tile.seat]
    if current.stage is not RiichiStage.DECLARED or current.laid_index != laid_tile.laid_index or current.has_passed:
        return
    _set_riichi(draft, laid_tile.seat, replace(current, has_passed=True))
    accept_if_due(draft, laid_tile.seat)


def accept_if_due(draft: Draft, seat: Seat, *, at_settlement: bool = False) -> None:
    """Accepts a riichi whose conditions are met; at the settlement the stick counts as paid (R11)."""
    current = draft.riichi[seat]
    if current.stage is not RiichiStage.DECLARED or not current.has_passed:
        return
    if current.stick_seen or at_settlement or draft.rules.riichi_stands_on == "passed":
        _set_riichi(draft, seat, replace(current, stage=RiichiStage.ACCEPTED))
        draft.say(AnnouncementId.RIICHI_ACCEPTED, "R15", seat, stick=current.stick_seen)


def on_ron(draft: Draft, ronned_tile: LaidTile, seats: Iterable[Seat] = SEATS) -> None:
    """Voids each riichi of `seats` declared with the ronned tile, or with a later tile, which no longer counts."""
    for seat in seats:
        current = draft.riichi[seat]
        if current.is_declared and current.laid_index is not None and current.laid_index >= ronned_tile.laid_index:
            _set_riichi(draft, seat, replace(current, stage=RiichiStage.VOID, has_passed=False))
            draft.say(AnnouncementId.RIICHI_VOID, "R13", seat)


def on_ron_withdrawn(draft: Draft, before: tuple[Riichi, ...]) -> tuple[Seat, ...]:
    """Restores each riichi that a ron had voided; its stick counts if it is there now.

    A seat that declared again despite the ron has laid a second sideways tile, but no second riichi (R19).

    Returns:
        The seats whose riichi is valid again.
    """
    restored_seats = tuple(
        seat for seat in SEATS if before[seat].laid_index is not None and _was_voided(draft, seat, before[seat])
    )
    for seat in restored_seats:
        draft.say(AnnouncementId.RIICHI_DECLARED, "R13", seat)
        restore(draft, seat, before[seat])
        await_missed_replacement(draft, seat)
    return restored_seats


def _was_voided(draft: Draft, seat: Seat, before: Riichi) -> bool:
    current = draft.riichi[seat]
    is_another = current.is_declared and current.discard_number != before.discard_number
    return before.is_declared and (current.stage is RiichiStage.VOID or is_another)


def mark_declaration(draft: Draft, seat: Seat, discard_number: int | None) -> None:
    """Marks the tile of the seat's river that declares riichi, if any."""
    river = tuple(
        replace(river_tile, is_declaration=river_tile.discard_number == discard_number)
        for river_tile in draft.rivers[seat]
    )
    draft.rivers = replace_at(draft.rivers, seat, river)


def void(draft: Draft, seat: Seat) -> None:
    """Voids a riichi because of a foul: the stick is returned and the hand may change again."""
    _set_riichi(draft, seat, Riichi(stick_seen=draft.sticks[seat]))
    mark_declaration(draft, seat, None)
    draft.ippatsu = replace_at(draft.ippatsu, seat, Ippatsu.NONE)
    draft.sideways_due = replace_at(draft.sideways_due, seat, False)


def is_only_announced(draft: Draft, seat: Seat) -> bool:
    """Whether riichi was announced, or a stick placed, and no tile has declared it yet."""
    current = draft.riichi[seat]
    is_begun = current.is_voiced or (draft.sticks[seat] and not current.stick_seen)
    return current.stage is RiichiStage.NONE and is_begun


def take_back_announcement(draft: Draft, seat: Seat) -> None:
    """Forgets that riichi was announced, or a stick placed."""
    _set_riichi(draft, seat, replace(draft.riichi[seat], is_voiced=False, stick_seen=draft.sticks[seat]))


def tiles_laid_since(draft: Draft, seat: Seat, discards: int) -> list[RiverTile]:
    """Returns the tiles that the seat laid after that many discards of the hand."""
    return [river_tile for river_tile in draft.rivers[seat] if river_tile.discard_number >= discards]


def announce_again(draft: Draft, seat: Seat, before: Riichi, discards: int) -> None:
    """Restores a riichi announced before that many discards of the hand, unless its seat laid an upright tile since."""
    current = draft.riichi[seat]
    since = tiles_laid_since(draft, seat, discards)
    if not since and current.stage is RiichiStage.NONE:
        is_voiced, stick_seen = current.is_voiced or before.is_voiced, current.stick_seen and before.stick_seen
        _set_riichi(draft, seat, replace(current, is_voiced=is_voiced, stick_seen=stick_seen))
    elif since and since[0].is_declaration and before.is_voiced:
        _set_riichi(draft, seat, replace(current, is_voiced=True))


def announce_put_back(draft: Draft, before: Iterable[Riichi]) -> None:
    """Announces each riichi of `before`, by seat, that no longer counts since its tile was put back (R09)."""
    for seat, riichi in zip(SEATS, before, strict=True):
        if riichi.is_declared and not draft.riichi[seat].is_declared:
            draft.say(AnnouncementId.RIICHI_VOID, "R09", seat, by="put_back")


def restore(draft: Draft, seat: Seat, before: Riichi) -> None:
    """Restores a riichi; its stick counts if it is there now, and its tile may have passed since."""
    _set_riichi(draft, seat, replace(before, stick_seen=draft.sticks[seat]))
    mark_declaration(draft, seat, before.discard_number)
    _pass_again(draft, seat)


def await_missed_replacement(draft: Draft, seat: Seat) -> None:
    """Awaits the replacement of a restored riichi's tile if that was called meanwhile (R18, R20)."""
    last = draft.rivers[seat][-1] if draft.rivers[seat] else None
    was_called = last is not None and last.called_by is not None and (last.sideways or last.is_declaration)
    if was_called and draft.riichi[seat].is_declared and not draft.sideways_due[seat]:
        await_replacement(draft, seat)


def restore_unpassed(draft: Draft, seat: Seat, before: Riichi) -> None:
    """Restores a riichi of the seat as before its tile passed, with the stick that is there now."""
    if before.is_declared:
        _set_riichi(draft, seat, replace(before, stick_seen=draft.sticks[seat]))


def _pass_again(draft: Draft, seat: Seat) -> None:
    """Updates a restored declaration tile: it may have passed, or a stick may have been laid."""
    current, last = draft.riichi[seat], draft.claimable_tile
    is_claimable = last is not None and last.laid_index == current.laid_index and not draft.has_passed
    if not current.has_passed and current.laid_index is not None and not is_claimable:
        on_pass(draft, draft.laid_tiles[current.laid_index])
        return
    accept_if_due(draft, seat)


def on_call(draft: Draft, called_tile: LaidTile, caller: Seat, *, was_sideways: bool) -> None:
    """Checks a call: by a seat in riichi (R23), or of a riichi tile (R18, R20)."""
    if draft.riichi[caller].is_declared:
        suspect_call(draft, caller)
    if was_sideways and draft.riichi[called_tile.seat].is_declared:
        await_replacement(draft, called_tile.seat)


def await_replacement(draft: Draft, seat: Seat) -> None:
    """Awaits the seat's next discard sideways, since its riichi tile was called, and announces that in play (R18)."""
    draft.sideways_due = replace_at(draft.sideways_due, seat, True)
    if draft.phase is Phase.PLAY:
        draft.say(AnnouncementId.NEXT_SIDEWAYS, "R18", seat)


def suspect_call(draft: Draft, caller: Seat) -> None:
    """Raises a suspicion about a call by a seat in riichi (R23)."""
    draft.suspect("R23", caller, "a discard was called in riichi")


def on_stick_placed(draft: Draft, seat: Seat) -> None:
    """Records a stick in the seat's zone; placed after an upright tile, it may show that the tile declared riichi."""
    draft.sticks = replace_at(draft.sticks, seat, True)
    current = draft.riichi[seat]
    if (
        not current.is_declared
        and draft.laid_tiles
        and draft.laid_tiles[-1].seat is seat
        and not draft.laid_tiles[-1].kind.is_kan
    ):
        _set_riichi(draft, seat, _with_upright(current, draft.laid_tiles[-1].laid_index))
    update_sticks(draft)


def update_sticks(draft: Draft) -> None:
    """Updates whether each riichi has its stick, also after something was put back."""
    for seat in SEATS:
        current = draft.riichi[seat]
        if draft.sticks[seat] and current.is_declared and not current.stick_seen:
            _set_riichi(draft, seat, replace(current, stick_seen=True))
            accept_if_due(draft, seat)


def on_stick_taken_back(draft: Draft, seat: Seat) -> None:
    """Records that the seat's stick was taken away; an accepted riichi stays charged, and the settlement needs it."""
    draft.sticks = replace_at(draft.sticks, seat, False)
    current = draft.riichi[seat]
    if current.stick_seen or current.upright_laid_index is not None:
        _set_riichi(draft, seat, replace(current, stick_seen=False, upright_laid_index=None))


def on_riichi_voiced(draft: Draft, seat: Seat) -> None:
    """Records that a seat announced riichi; its tile is checked when it is discarded."""
    _set_riichi(draft, seat, replace(draft.riichi[seat], is_voiced=True))


def is_answered(hand: HandState, suspicion: Suspicion) -> bool:
    """Whether a suspicion has lapsed: riichi was announced after all, or is no longer valid (R08)."""
    riichi = hand.riichi[suspicion.seat]
    return suspicion.clause == UNVOICED and (riichi.is_voiced or not riichi.is_declared)


def sticks_missing(hand: HandState | Draft) -> tuple[Seat, ...]:
    """Returns seats with a valid riichi but no stick."""
    return tuple(
        seat
        for seat in SEATS
        if hand.riichi[seat].is_declared and hand.riichi[seat].has_passed and not hand.riichi[seat].stick_seen
    )


def _with_upright(riichi: Riichi, laid_index: int) -> Riichi:
    """Returns the riichi with the upright tile that may have declared it; the earliest such tile is kept."""
    return riichi if riichi.upright_laid_index is not None else replace(riichi, upright_laid_index=laid_index)


def _set_riichi(draft: Draft, seat: Seat, riichi: Riichi) -> None:
    draft.riichi = replace_at(draft.riichi, seat, riichi)


def _declare(draft: Draft, seat: Seat) -> None:
    check_declaration(draft, seat, draft.tiles_left, is_open=any(meld.is_open for meld in draft.melds[seat]))
    is_double = first_go_round.is_first(draft, seat)
    current = draft.riichi[seat]
    riichi = Riichi(
        stage=RiichiStage.DECLARED,
        is_double=is_double,
        may_be_double=first_go_round.may_be_first(draft, seat)
        and first_go_round.is_doubtful(draft, seat, len(draft.laid_tiles)),
        discard_number=draft.discards,
        laid_index=len(draft.laid_tiles),
        stick_seen=draft.sticks[seat],
        is_voiced=current.is_voiced,
        open_tiles=current.open_tiles,
    )
    _set_riichi(draft, seat, riichi)
    if draft.rules.ask_unvoiced_riichi and not riichi.is_voiced:
        draft.suspect(UNVOICED, seat, "a tile is sideways, but nobody heard riichi", scope=Scope.STAFF)
    draft.say(AnnouncementId.RIICHI_DECLARED, "R09", seat)
    if is_double:
        draft.say(AnnouncementId.DOUBLE_RIICHI, "R37", seat)
    open_riichi.announce_wait(draft, seat)


def check_declaration(draft: Draft, seat: Seat, tiles_left: int, *, is_open: bool) -> None:
    """Raises suspicions about an illegal declaration: an open hand, too few points, or too few tiles left."""
    if is_open:
        draft.suspect("R01", seat, "riichi was declared with an open meld")
    if draft.scores[seat] < STICK and not draft.rules.riichi_below_1000:
        draft.suspect("7-05-13", seat, f"riichi was declared with {draft.scores[seat]} points")
    if tiles_left < draft.rules.min_tiles_left and not draft.has_gap:
        draft.suspect("7-05-08", seat, f"riichi was declared with {amount(tiles_left, 'tile')} left to draw")


def _check_discard_in_riichi(draft: Draft, event: Discarded) -> None:
    seat, is_due = event.seat, draft.sideways_due[event.seat]
    draft.sideways_due = replace_at(draft.sideways_due, seat, False)
    if event.sideways and not is_due and _has_sideways_tile(draft, seat):
        draft.suspect("R19", seat, "a second tile is sideways, but no riichi tile was called")
    if is_due and not event.sideways and draft.rules.replacement_sideways == "must":
        draft.suspect("R18", seat, "the discard after a called riichi tile is not sideways")
    if event.origin is Origin.HAND and draft.has_drawn:
        draft.suspect("R22", seat, "a tile from the hand was discarded in riichi")


def _has_sideways_tile(draft: Draft, seat: Seat) -> bool:
    """Whether a sideways tile lies in the seat's river: one that was not called."""
    return any(river_tile.sideways and river_tile.called_by is None for river_tile in draft.rivers[seat])
