"""Fouls in the hand being played: logging and cancelling them, and checking the acts of a punished seat.

A punished seat's claim does not count and raises a suspicion. Its other forbidden acts advance the hand and raise a
suspicion too. To let a claim count after all, people must first cancel the foul.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from table.rules import foul_totals, hand_phase
from table.rules.aspects import tile_copies
from table.rules.aspects.exhaustive_draw import COUNTS_AS_NOTEN, is_noten_riichi_due
from table.rules.aspects.winning import claims
from table.rules.draft import Draft, replace_at
from table.rules.events import (
    AddedKan,
    Called,
    ClosedKan,
    Discarded,
    Event,
    FoulCancelled,
    FoulLogged,
    Origin,
    TilePassed,
    WinClaimed,
    WinKind,
)
from table.rules.foul_totals import extra_draws, in_force, is_dead, sanction_on
from table.rules.fouls import voided_riichi
from table.rules.fouls.foul_evidence import BARS_WIN, facts_of, option_of, seen_facts
from table.rules.fouls.foul_hand_end import is_false_win, part_for
from table.rules.fouls.foul_order import with_consequences
from table.rules.fouls.hand_of_foul import hand_by_number
from table.rules.fouls.tiles_put_back import lay_again
from table.rules.penalties.consequence import Consequence
from table.rules.penalties.effect_terms import Effect, Fact, Op
from table.rules.penalties.foul_effects import DEAD_WIN, FALSE_WIN, ILLEGAL_KAN, NOTEN_RIICHI
from table.rules.penalties.foul_facts import Facts
from table.rules.ruleset import Ruleset
from table.rules.state import Claim, GameState, LoggedFoul, Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import Settlement
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import KIND_TILES

_VOIDS_CLAIM = ("win", "utterance")
_WRONG_COUNTS = ("7-04-01", "7-04-02")
_NO_RIICHI = ("7-05-12", "7-05-13")
"""Fouls that always void the riichi, whatever the option: wrongly announced, withdrawn, or without a stick."""


def log_foul(draft: Draft, event: FoulLogged, settlement: Settlement | None = None) -> LoggedFoul:
    """Logs a foul with its consequence, and carries out the effects that the rules can.

    Args:
        draft: the hand.
        event: the foul.
        settlement: how the hand was settled, if it was.

    Raises:
        InvalidValueError: the clause has no such option.
    """
    foul = _with_consequence(draft, _logged_foul(draft, event))
    consequence = foul.consequence
    if draft.phase is not Phase.SETTLED:
        foul = _carry_out(draft, foul)
        draft.fouls = with_consequences(draft, (*draft.fouls, foul))
    else:
        draft.fouls = (*draft.fouls, foul)
    details: dict[str, Any] = (
        {} if consequence.option is None else {"option": consequence.option, "questions": list(consequence.questions)}
    )
    number = len(draft.fouls) - 1
    deltas = _deltas_argument(draft, draft.fouls[number], settlement)
    draft.say(
        AnnouncementId.FOUL_LOGGED, event.clause, event.seat, clause=event.clause, foul=number, **details, **deltas
    )
    if draft.phase is not Phase.SETTLED:
        _say_dead_hands(draft, foul)
    return foul


def _deltas_argument(draft: Draft, foul: LoggedFoul, settlement: Settlement | None) -> dict[str, Any]:
    """Returns the points by seat that a foul moves as it is logged, as an argument of its announcement, if any."""
    is_late = draft.phase is Phase.SETTLED
    deltas = part_for(draft, foul, settlement).deltas if is_late else foul_totals.foul_deltas([foul])
    return {"deltas": list(deltas)} if any(deltas) else {}


def _logged_foul(draft: Draft, event: FoulLogged) -> LoggedFoul:
    """Returns the foul with what the table saw of it, without its consequence."""
    return LoggedFoul(
        seat=event.seat,
        clause=event.clause,
        option=event.option,
        note=event.note,
        facts=event.facts,
        by=event.by,
        seen_facts=seen_facts(draft, event),
        discards=draft.discards,
        is_late=draft.phase is Phase.SETTLED,
    )


def _with_consequence(draft: Draft, foul: LoggedFoul) -> LoggedFoul:
    """Returns a foul with its consequence beside the fouls of the hand.

    Raises:
        InvalidValueError: the clause has no such option.
    """
    return with_consequences(draft, (*draft.fouls, foul))[-1]


def _say_dead_hands(draft: Draft, foul: LoggedFoul) -> None:
    for sanction in foul.consequence.sanctions:
        if sanction.op is Op.DEAD_HAND:
            draft.say(AnnouncementId.DEAD_HAND, foul.clause, sanction.seat)


def preview_consequence(state: GameState, event: FoulLogged, ruleset: Ruleset) -> Consequence:
    """Returns the consequence that logging this foul now would have; nothing is changed.

    Raises:
        ImpossibleEventError: there is no such hand.
        InvalidValueError: the clause has no such option.
    """
    draft, _ = hand_by_number(state, event.hand, ruleset)
    return _with_consequence(draft, _logged_foul(draft, event)).consequence


def known_facts(state: GameState, event: FoulLogged, ruleset: Ruleset) -> Facts:
    """Returns the facts about a foul that is about to be logged, given by people or seen on the table.

    Raises:
        ImpossibleEventError: there is no such hand.
        InvalidValueError: the clause has no such option.
    """
    draft, _ = hand_by_number(state, event.hand, ruleset)
    return facts_of(draft, _logged_foul(draft, event))


def cancel_foul(draft: Draft, event: FoulCancelled) -> None:
    """Cancels a foul of the hand in play, which stays listed with the reason; a riichi that it voided is restored.

    Raises:
        ImpossibleEventError: there is no such foul, or it was already cancelled.
    """
    if not 0 <= event.foul < len(draft.fouls) or draft.fouls[event.foul].cancel_reason is not None:
        raise ImpossibleEventError(
            f"expected a logged foul out of {len(draft.fouls)} to cancel, got {event.foul}", says="foul_gone"
        )
    foul = draft.fouls[event.foul]
    draft.fouls = replace_at(draft.fouls, event.foul, replace(foul, cancel_reason=event.reason))
    lay_again(draft, event.foul)
    draft.tiles_left += extra_draws(foul)
    voided_riichi.restore_riichi(draft, foul)
    draft.values = (None,) * 4
    work_out_again(draft)
    draft.say(AnnouncementId.FOUL_CANCELLED, foul.clause, foul.seat, clause=foul.clause, foul=event.foul)


def work_out_again(draft: Draft) -> None:
    """Works out the fouls of the hand in play again, since one before them was logged or cancelled.

    What has changed is carried out, or undone as if that foul had been cancelled.
    """
    for index, new in enumerate(with_consequences(draft, draft.fouls)):
        old = draft.fouls[index]
        if old.consequence == new.consequence:
            continue
        draft.tiles_left += extra_draws(old)
        draft.fouls = replace_at(draft.fouls, index, replace(new, voided_riichi=()))
        voided_riichi.restore_riichi(draft, old)
        draft.fouls = replace_at(draft.fouls, index, _carry_out(draft, new))
        if not is_dead((old,), new.seat):
            _say_dead_hands(draft, new)


def reconsider(draft: Draft) -> bool:
    """Recomputes the fouls that waited for hands to be shown (7-01 c, e, i); returns whether there was one."""
    fouls = draft.fouls
    indexes = [index for index, foul in enumerate(fouls) if foul.cancel_reason is None and _waits_for_hands(foul)]
    for index in indexes:
        foul = fouls[index]
        event = FoulLogged(seat=foul.seat, clause=foul.clause, option=foul.option, facts=foul.facts)
        draft.fouls = fouls[:index]  # what was in force when it was logged decides what a hand could have won
        fouls = replace_at(fouls, index, replace(foul, seen_facts=seen_facts(draft, event)))
    draft.fouls = fouls
    if indexes:
        draft.fouls = with_consequences(draft, fouls)
    return bool(indexes)


def _waits_for_hands(foul: LoggedFoul) -> bool:
    questions = foul.consequence.questions
    return Fact.SOMEONE_YAKUMAN_TENPAI.value in questions or any(each.startswith("hand ") for each in questions)


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


def may_claim(draft: Draft, event: WinClaimed) -> bool:
    """Raises a suspicion about a win claimed by a punished seat, and says so; returns whether the claim counts."""
    seat, is_ron = event.seat, event.kind is WinKind.RON
    bar = win_bar(draft, seat, is_ron=is_ron)
    if bar is not None:
        draft.say(AnnouncementId.WIN_VOID, bar.clause, seat, why=bar.reason)
        draft.suspect(bar.clause, seat, bar.evidence)
    return bar is None


class Bar(NamedTuple):
    """Why a seat must not win."""

    clause: str
    """The clause by which a win claimed all the same is a foul."""
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
    """Returns why any win of the seat is false by what people entered about its hand, whatever that costs by itself."""
    for foul in in_force(draft.fouls):
        if foul.seat is seat and _has_wrong_count(draft, foul):
            return "a win was claimed by a hand with a wrong number of tiles"
        if foul.seat is seat and _spoils_own_win(draft, foul):
            return "a win was claimed although a foul in riichi makes it false"
    return None


def _has_wrong_count(draft: Draft, foul: LoggedFoul) -> bool:
    """Whether the seat's number of tiles is wrong by a foul and not cured, so that it cannot win (7-04-01, 7-04-02)."""
    option = option_of(draft, foul) if foul.clause in _WRONG_COUNTS else None
    return option is not None and all(effect.op is not Op.FIX_COUNT for effect in option.effects)


def _spoils_own_win(draft: Draft, foul: LoggedFoul) -> bool:
    """Whether a foul makes a win of its seat false, such as an illegal kan (D4)."""
    option = option_of(draft, foul)
    if option is None or foul.clause == ILLEGAL_KAN:
        return option is not None
    return any(each.fact is Fact.OFFENDER_WINS for effect in option.effects for each in effect.conditions)


def _carry_out(draft: Draft, foul: LoggedFoul) -> LoggedFoul:
    consequence = foul.consequence
    draft.values = (None,) * 4
    draft.tiles_left = max(0, draft.tiles_left - extra_draws(foul))
    if consequence.now.ending is None:
        for seat in {foul.seat, *(sanction.seat for sanction in consequence.sanctions)}:
            if _drops_claim(consequence, seat) or (
                seat is foul.seat and (_is_refuted_win(foul) or _has_wrong_count(draft, foul))
            ):
                _take_up(draft, seat)
        if is_false_win(foul) and any(each.op is Op.RESTORE for each in consequence.instructions):
            _take_up_all(draft)
    void_seats = {
        each.seat
        for each in consequence.sanctions
        if each.op is Op.VOID and _voids_riichi(draft, each.effect, each.seat)
    }
    if foul.clause in _NO_RIICHI and consequence.option is not None:
        void_seats.add(foul.seat)
    return replace(foul, voided_riichi=voided_riichi.void_riichi(draft, void_seats, foul.clause))


def _is_refuted_win(foul: LoggedFoul) -> bool:
    """Whether a foul is a false win after which play continues; not if a question or a referee's ruling is open."""
    consequence = foul.consequence
    is_decided = consequence.option is not None and not consequence.questions
    return is_false_win(foul) and is_decided and all(each.op is not Op.REFER for each in consequence.instructions)


def _drops_claim(consequence: Consequence, seat: Seat) -> bool:
    void = consequence.sanction_on(seat, Op.VOID)
    is_void = void is not None and void.param("what") in _VOIDS_CLAIM
    return is_void or any(consequence.sanction_on(seat, op) is not None for op in (*BARS_WIN, Op.FURITEN_LOCK))


def _take_up(draft: Draft, seat: Seat) -> None:
    """Removes a claim that no longer counts; the seat takes up its tiles and play continues."""
    claim = next((each for each in draft.claims if each.seat is seat), None)
    if claim is None:
        return
    _close(draft, seat, claim)
    hand_phase.withdraw(draft, seat)
    if not draft.claims:
        claims.restore_before_ron(draft)


def _take_up_all(draft: Draft) -> None:
    """Closes the opened hands, except those of wins that are still claimed."""
    for seat in SEATS:
        if all(claim.seat is not seat for claim in draft.claims):
            _close(draft, seat, None)


def _close(draft: Draft, seat: Seat, claim: Claim | None) -> None:
    """Closes a shown hand, together with a winning tile that the seat had drawn."""
    hand = draft.shown_hands[seat]
    if hand is None:
        return
    is_ron = claim is not None and claim.laid_tile is not None
    tile_copies.remove(draft, hand.tiles if is_ron or hand.winning_tile is None else (*hand.tiles, hand.winning_tile))
    draft.shown_hands = replace_at(draft.shown_hands, seat, None)
    draft.openers = tuple(each for each in draft.openers if each is not seat)


def _voids_riichi(draft: Draft, effect: Effect, seat: Seat) -> bool:
    act, riichi, last = effect.param("what"), voided_riichi.last_riichi(draft, seat), draft.claimable_tile
    is_declaration = riichi is not None and last is not None and riichi.laid_index == last.laid_index
    return act == "riichi" or (act == "utterance" and is_declaration)


def _is_barred(draft: Draft, seat: Seat) -> bool:
    """Whether an early draw still bars the seat from calls and rons, which ends with its next regular draw.

    Where discards went unseen, nobody knows whether that was drawn.
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
        for each in foul.consequence.sanctions:
            waits = draft.declared_waits[each.seat]
            if each.op is not Op.FORCE_WIN or waits is None or last.seat is each.seat or last.tile.kind not in waits:
                continue
            if each.effect.param("occasion") == "first_draw_or_discard" or not _has_drawn_since(draft, foul, each.seat):
                draft.suspect(foul.clause, each.seat, f"a seat that must win let {last.tile} pass")


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
    if is_dead(draft.fouls, seat) and not _house_allows(draft, "7-09-02"):
        draft.suspect("7-09-02", seat, "a meld was laid with a dead hand")
    elif sanction_on(draft.fouls, seat, Op.TSUMOGIRI_ONLY) is not None:
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
    if event.origin is Origin.HAND and (is_bound or (has_dead_hand and _must_discard_drawn(draft))):
        draft.suspect("7-09-04", seat, "a tile from the hand was discarded instead of the drawn one")


def _must_discard_drawn(draft: Draft) -> bool:
    return draft.rules.penalties.chosen_effect("7-09-04", Op.TSUMOGIRI_ONLY) is not None


def _house_allows(draft: Draft, clause: str) -> bool:
    return draft.rules.penalties.chosen_effect(clause, Op.ALLOW) is not None
