"""The facts that the settlement of a hand still needs, and the value of each win by those known so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from table.rules.aspects import dora, exhaustive_draw
from table.rules.aspects.riichi import declaration
from table.rules.aspects.winning import pao, shown_hand, unseen_wins
from table.rules.draft import Draft
from table.rules.events import WinKind
from table.rules.foul_totals import sanction_on
from table.rules.fouls import foul_hand_end
from table.rules.penalties.effect_terms import Op
from table.rules.scoring.hand_value import HandValue, NoWin, value_of
from table.rules.scoring.payments import is_triple_ron_abort
from table.rules.scoring.possible_counts import ANY_FU
from table.rules.state import Claim, FactKind, MissingFact, Phase
from table.rules.terms.rule_errors import InvalidValueError


def missing(draft: Draft) -> tuple[MissingFact, ...]:
    """Returns the facts that the settlement needs, in the order in which people are asked: sticks before ura (R11)."""
    if foul_hand_end.ending_of(draft) is not None:
        return foul_hand_end.unknown_costs(draft)
    sticks = [MissingFact(FactKind.STICK, seat) for seat in declaration.sticks_missing(draft)]
    return _missing_at_draw(draft, sticks) if draft.phase is Phase.ENDING else _missing_at_win(draft, sticks)


def _missing_at_draw(draft: Draft, sticks: Iterable[MissingFact]) -> tuple[MissingFact, ...]:
    hands = (seat for seat in exhaustive_draw.hands_missing(draft) if foul_hand_end.must_show(draft, seat))
    unclear = foul_hand_end.nagashi_of(draft, exhaustive_draw.nagashi_unclear(draft))
    is_checked = draft.abort in exhaustive_draw.TENPAI_ABORTS
    riichi_seats = foul_hand_end.riichi_seats(draft) if is_checked else ()
    noten = (seat for seat in riichi_seats if exhaustive_draw.is_noten_riichi_due(draft, seat))
    is_tenpai_missing = draft.is_behind and exhaustive_draw.is_tenpai_unstated(draft)
    return (
        *([MissingFact(FactKind.TENPAI)] if is_tenpai_missing else ()),
        *sticks,
        *(MissingFact(FactKind.HAND, seat) for seat in hands),
        *(MissingFact(FactKind.RULING, seat) for seat in noten),
        *(MissingFact(FactKind.NAGASHI, seat) for seat in unclear),
    )


def _missing_at_win(draft: Draft, sticks: Iterable[MissingFact]) -> tuple[MissingFact, ...]:
    rulings = (MissingFact(FactKind.RULING, seat) for seat in foul_hand_end.missing_rulings(draft))
    claims = foul_hand_end.counting_claims(draft)
    if is_triple_ron_abort(claims, draft.rules):
        return (*sticks, *rulings)
    return (
        *sticks,
        *_missing_indicators(draft, claims),
        *(MissingFact(FactKind.DISCARDER, claim.seat) for claim in claims if claim.from_seat is None),
        *(MissingFact(FactKind.LIABLE, claim.seat) for claim in claims if pao.is_unclear(draft, claim)),
        *(MissingFact(FactKind.DECLARATION, seat) for seat in unseen_wins.declarations_unclear(draft)),
        *_missing_hands(draft, claims),
        *(MissingFact(FactKind.UNSEEN, claim.seat) for claim in claims if _may_lack_yaku(draft, claim)),
        *rulings,
    )


def refresh(draft: Draft) -> None:
    """Removes facts that are no longer missing."""
    if draft.missing:
        now = missing(draft)
        draft.missing = tuple(fact for fact in draft.missing if fact in now)


def _missing_indicators(draft: Draft, claims: Sequence[Claim]) -> tuple[MissingFact, ...]:
    """Returns the indicators that the value of a win needs; none for a win that counts no dora (7-07-03)."""
    claims = [claim for claim in claims if sanction_on(draft.fouls, claim.seat, Op.DORA_VOID) is None]
    if not any(_needs_hand(draft, claim) for claim in claims):
        return ()
    ura_count = dora.ura_count(draft)
    ura = tuple(
        MissingFact(FactKind.URA, claim.seat)
        for claim in claims
        if draft.riichi[claim.seat].is_declared and len(draft.ura) < ura_count
    )
    return (*((MissingFact(FactKind.DORA),) if dora.missing_count(draft) else ()), *ura)


def _missing_hands(draft: Draft, claims: Sequence[Claim]) -> tuple[MissingFact, ...]:
    values = ((claim, value_of_claim(draft, claim)) for claim in claims)
    return tuple(
        MissingFact(_missing_kind(draft, claim, value), claim.seat)
        for claim, value in values
        if isinstance(value, NoWin)
    )


def _missing_kind(draft: Draft, claim: Claim, value: NoWin) -> FactKind:
    """Returns the fact that a hand's value lacks: an unseen winning tile, a yaku by unseen play, or the hand."""
    hand = draft.shown_hands[claim.seat]
    if hand is None:
        return FactKind.HAND
    if claim.kind is WinKind.RON and shown_hand.winning_tile_of(claim, hand) is None:
        return FactKind.WINNING_TILE
    is_worth_asking = value.reason in ("no_yaku", "one_han") and shown_hand.may_be_worth_more(draft, claim)
    return FactKind.YAKU if is_worth_asking else FactKind.HAND


def _may_lack_yaku(draft: Draft, claim: Claim) -> bool:
    """Whether unseen play may add to a win whose value nobody counted."""
    return _needs_hand(draft, claim) and shown_hand.may_be_worth_more(draft, claim)


def value_of_claim(draft: Draft, claim: Claim) -> HandValue | NoWin:
    """Returns the value of a claimed win: by its shown hand, else as people counted it."""
    if _needs_hand(draft, claim):
        return shown_hand.value_of(draft, claim)
    try:
        return value_of(
            han=claim.han or 0,
            fu=claim.fu if claim.fu is not None else ANY_FU,
            is_tsumo=claim.kind is WinKind.TSUMO,
            is_dealer=claim.seat is draft.start.dealer,
            ruleset=draft.rules,
        )
    except InvalidValueError:
        return NoWin(reason="contradiction")


def _needs_hand(draft: Draft, claim: Claim) -> bool:
    return draft.shown_hands[claim.seat] is not None or claim.han is None
