"""Acts that a foul forbids a seat for the rest of the hand, and their suspicions if the seat does them all the same.

A forbidden claim does not count. Other forbidden acts advance the hand. Both raise a suspicion. To let a claim count
after all, people must first cancel the foul.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from table.rules.aspects.exhaustive_draw import COUNTS_AS_NOTEN, is_noten_riichi_due
from table.rules.aspects.winning.shown_hand import waits_of
from table.rules.draft import Draft
from table.rules.events import (
    AddedKan,
    Called,
    ClosedKan,
    Discarded,
    Event,
    HandShown,
    Origin,
    TilePassed,
    WinClaimed,
    WinKind,
)
from table.rules.foul_totals import has_discarded_twice, in_force, is_dead, sanction_on
from table.rules.fouls.foul_evidence import option_of
from table.rules.penalties.effect_terms import Fact, Op
from table.rules.penalties.foul_effects import DEAD_WIN, FALSE_WIN, ILLEGAL_KAN, NOTEN_RIICHI
from table.rules.state import LaidKind, LoggedFoul
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import KIND_TILES, Tile

WRONG_COUNTS: Final = ("7-04-01", "7-04-02")


def check_forbidden_acts(draft: Draft, event: Event) -> None:
    """Raises suspicions about forbidden melds and discards of a punished seat."""
    match event:
        case Called() | AddedKan() | ClosedKan():
            _watch_passing(draft)
            _watch_call(draft, event)
        case Discarded():
            _watch_passing(draft)
            _watch_discard(draft, event)
        case TilePassed():
            _watch_passing(draft)


def check_shown_hand(draft: Draft, shown_hand: HandShown) -> None:
    """Raises a suspicion if a hand in riichi had to win and let a winning tile go by (7-05-10 d, 7-06-05 c).

    No effect for a seat that declared its wait, since such a suspicion was raised during play.
    """
    seat = shown_hand.seat
    if draft.declared_waits[seat] is not None:
        return
    wait_kinds = waits_of(draft, seat, shown_hand.tiles)
    for foul in in_force(draft.fouls):
        missed = [tile for tile in _tiles_to_win_on(draft, foul, seat) if tile.kind in wait_kinds]
        if missed:
            draft.suspect(foul.clause, seat, f"a seat that must win let {missed[0]} go by")


def _tiles_to_win_on(draft: Draft, foul: LoggedFoul, seat: Seat) -> Iterator[Tile]:
    """Yields the tiles since a foul, and since riichi, with which it obliged the seat to win."""
    sanction, declared_at = foul.consequence.sanction_on(seat, Op.FORCE_WIN), draft.riichi[seat].laid_index
    if sanction is None or declared_at is None:
        return
    is_any_tile = sanction.param("occasion") == "first_draw_or_discard"
    if draft.has_gap and not is_any_tile:  # the own draw may have gone unseen
        return
    from_hand = {tile.discard_number for tile in draft.rivers[seat] if tile.origin is Origin.HAND}
    discards = 0
    for laid_tile in draft.laid_tiles:
        is_after = discards >= foul.discards and laid_tile.laid_index > declared_at
        if is_after and laid_tile.seat is seat and not is_any_tile:
            return
        if is_after and laid_tile.kind is not LaidKind.CLOSED_KAN and discards not in from_hand:
            yield laid_tile.tile
        discards += not laid_tile.kind.is_kan


def may_claim(draft: Draft, event: WinClaimed) -> bool:
    """Returns whether a claimed win counts; raises a suspicion and announces it if a foul forbids the win."""
    seat, is_ron = event.seat, event.kind is WinKind.RON
    bar = win_bar(draft, seat, is_ron=is_ron)
    if bar is not None:
        draft.say(AnnouncementId.WIN_VOID, bar.clause, seat, why=bar.reason)
        draft.suspect(bar.clause, seat, bar.evidence)
    return bar is None


class Bar(NamedTuple):
    """Why a seat must not win."""

    clause: str
    """The clause that makes a win claimed all the same a foul."""
    reason: str
    """The reason as the argument of an announcement."""
    evidence: str


def win_bar(draft: Draft, seat: Seat, *, is_ron: bool) -> Bar | None:
    """Returns why this seat must not win any more; None if it may."""
    if is_dead(draft.fouls, seat):
        return Bar(DEAD_WIN, "dead_hand", "a win was claimed with a dead hand")
    if sanction_on(draft.fouls, seat, Op.NO_WIN) is not None:
        return Bar(FALSE_WIN, "no_win", "a win was claimed by a hand that must not win")
    if is_ron and sanction_on(draft.fouls, seat, Op.FURITEN_LOCK) is not None:
        return Bar(FALSE_WIN, "furiten", "a ron was claimed by a hand that counts as furiten")
    if not is_ron and sanction_on(draft.fouls, seat, Op.TSUMOGIRI_ONLY) is not None:
        return Bar(FALSE_WIN, "tsumogiri_only", "a tsumo was claimed although each drawn tile must be discarded")
    if (evidence := _false_win_evidence(draft, seat)) is not None:
        return Bar(FALSE_WIN, "no_win", evidence)
    if is_ron and _is_barred(draft, seat):
        return Bar("7-05-10", "early_draw", "a ron was claimed before the seat's next regular draw")
    return None


def _false_win_evidence(draft: Draft, seat: Seat) -> str | None:
    """Returns why a logged foul makes any win of the seat false, whatever that foul costs; None if none does."""
    for foul in in_force(draft.fouls):
        if foul.seat is seat and has_wrong_count(draft, foul):
            return "a win was claimed by a hand with a wrong number of tiles"
        if foul.seat is seat and _spoils_own_win(draft, foul):
            return "a win was claimed although a foul in riichi makes it false"
    return None


def has_wrong_count(draft: Draft, foul: LoggedFoul) -> bool:
    """Whether this foul leaves its seat with a wrong number of tiles, so that it cannot win (7-04-01, 7-04-02).

    A count that is to be corrected by one more discard stays wrong until that was seen (7-04-01 h).
    """
    option = option_of(draft, foul) if foul.clause in WRONG_COUNTS else None
    fixes = [] if option is None else [effect for effect in option.effects if effect.op is Op.FIX_COUNT]
    if option is None or not fixes:
        return option is not None
    is_followed = bool(draft.laid_tiles) and not draft.has_gap
    needs_discard = any(effect.number("discard_extra") for effect in fixes)
    return is_followed and needs_discard and not has_discarded_twice(draft.rivers[foul.seat])


def _spoils_own_win(draft: Draft, foul: LoggedFoul) -> bool:
    """Whether a foul makes a win of its seat false, such as an illegal kan (D4)."""
    option = option_of(draft, foul)
    if option is None or foul.clause == ILLEGAL_KAN:
        return option is not None
    return any(condition.fact is Fact.OFFENDER_WINS for effect in option.effects for condition in effect.conditions)


def _is_barred(draft: Draft, seat: Seat) -> bool:
    """Whether an early draw still bars the seat from calls and rons, which ends with its next regular draw.

    False if discards may have gone unseen, since that draw may have been among them.
    """
    if not draft.laid_tiles or draft.has_gap:
        return False
    return any(
        foul.consequence.sanction_on(seat, Op.BAR_CALLS_AND_RON) is not None and not _has_drawn_since(draft, foul, seat)
        for foul in in_force(draft.fouls)
    )


def _has_drawn_since(draft: Draft, foul: LoggedFoul, seat: Seat) -> bool:
    """Whether the seat has had its regular draw since a foul."""
    return (draft.turn is seat and draft.has_drawn) or any(
        river_tile.discard_number >= foul.discards for river_tile in draft.rivers[seat]
    )


def _watch_passing(draft: Draft) -> None:
    """Raises a suspicion if a seat that must win lets a tile of its declared wait pass (7-05-10 d, 7-06-05 c)."""
    last = draft.claimable_tile
    if last is None or draft.has_passed:
        return
    for foul in in_force(draft.fouls):
        for sanction in foul.consequence.sanctions:
            waits = draft.declared_waits[sanction.seat]
            if (
                sanction.op is not Op.FORCE_WIN
                or waits is None
                or last.seat is sanction.seat
                or last.tile.kind not in waits
            ):
                continue
            if sanction.effect.param("occasion") == "first_draw_or_discard" or not _has_drawn_since(
                draft, foul, sanction.seat
            ):
                draft.suspect(foul.clause, sanction.seat, f"a seat that must win let {last.tile} pass")


def _watch_winning_draw(draft: Draft, seat: Seat, kind: int) -> None:
    """Raises a suspicion if a seat that must win discards its winning draw or makes a kan of it (7-06-05 c)."""
    waits = draft.declared_waits[seat]
    if waits is None or kind not in waits:
        return
    for foul in in_force(draft.fouls):
        sanction = foul.consequence.sanction_on(seat, Op.FORCE_WIN)
        if sanction is not None and sanction.param("occasion") == "first_draw_or_discard":
            draft.suspect(foul.clause, seat, f"a seat that must win did not win with its drawn {KIND_TILES[kind]}")


def _watch_call(draft: Draft, event: Called | AddedKan | ClosedKan) -> None:
    seat = event.seat
    if isinstance(event, ClosedKan):
        _watch_winning_draw(draft, seat, event.tiles[0].kind)
    are_calls_allowed = _house_allows(draft, "7-09-02")
    is_allowed_call = are_calls_allowed and isinstance(event, Called)  # not a kan: the drawn tile must be discarded
    if is_dead(draft.fouls, seat) and not are_calls_allowed:
        draft.suspect("7-09-02", seat, "a meld was laid with a dead hand")
    elif sanction_on(draft.fouls, seat, Op.TSUMOGIRI_ONLY) is not None and not is_allowed_call:
        draft.suspect("7-09-02", seat, "a meld was laid although each drawn tile must be discarded")
    elif isinstance(event, Called) and _is_barred(draft, seat):
        draft.suspect("7-05-10", seat, "a tile was called before the seat's next regular draw")


def _watch_discard(draft: Draft, event: Discarded) -> None:
    seat, has_dead_hand = event.seat, is_dead(draft.fouls, event.seat)
    declares_riichi = event.sideways and not draft.riichi[seat].is_declared
    if declares_riichi and has_dead_hand and not _house_allows(draft, "7-09-03"):
        draft.suspect("7-09-03", seat, "riichi was declared with a dead hand")
    if declares_riichi and is_noten_riichi_due(draft, seat):
        draft.suspect(NOTEN_RIICHI, seat, COUNTS_AS_NOTEN)
    is_bound = sanction_on(draft.fouls, seat, Op.TSUMOGIRI_ONLY) is not None
    is_drawn = event.origin is Origin.DRAWN or (event.origin is Origin.UNKNOWN and draft.riichi[seat].is_declared)
    if is_drawn:
        _watch_winning_draw(draft, seat, event.tile.kind)
    has_called = draft.turn is seat and not draft.has_drawn
    if event.origin is Origin.HAND and not has_called and (is_bound or (has_dead_hand and _must_discard_drawn(draft))):
        draft.suspect("7-09-04", seat, "a tile from the hand was discarded instead of the drawn one")


def _must_discard_drawn(draft: Draft) -> bool:
    return draft.rules.penalties.chosen_effect("7-09-04", Op.TSUMOGIRI_ONLY) is not None


def _house_allows(draft: Draft, clause: str) -> bool:
    return draft.rules.penalties.chosen_effect(clause, Op.ALLOW) is not None
