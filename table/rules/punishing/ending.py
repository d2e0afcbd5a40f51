"""The end of a hand with fouls in it: which penalties take place, how they end the hand, who still counts as tenpai.

A false win beside valid ones goes by 7-05-01-01. A foul that is punished only at a draw lapses when somebody wins.
What fouls moved during the hand is part of its settlement: scores after it = scores before it + deltas.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from table.rules.fouls import is_dead, sanctioned, standing
from table.rules.hand import STICK, Draft
from table.rules.penalties.consequence import Consequence, Due, Ending, EndKind, Part, add
from table.rules.penalties.vocabulary import Effect, Op
from table.rules.results import AbortReason, ResultKind, Settlement
from table.rules.seats import SEATS, Seat
from table.rules.settlement import Stakes, no_chips
from table.rules.state import Claim, LoggedFoul, Phase

FALSE_WIN: Final = "7-05-01"
_REASONS: Final = {
    EndKind.CHOMBO: AbortReason.CHOMBO,
    EndKind.REPLAY: AbortReason.REPLAY,
    EndKind.BUST: AbortReason.BUST,
}


def ending_of(draft: Draft) -> Ending | None:
    """Returns how penalties end the hand as it stands; None if they do not."""
    return None if not draft.fouls else _total(draft).ending


def settle_penalty(draft: Draft, stakes: Stakes, ending: Ending) -> Settlement:
    """Settles a hand that a penalty ends: nobody wins, no noten payments, sticks and deal as the house says."""
    total = _total(draft)
    deltas, pot, deposits = total.moved, draft.start.deposit_points + total.pot, draft.start.deposits
    if ending.returns == "none":
        deposits = stakes.deposits
        deltas = add(deltas, _four(-STICK if seat in stakes.riichi else 0 for seat in SEATS))
    if ending.returns == "all":
        back = [_laid(draft, seat) for seat in SEATS]
        deltas, pot = add(deltas, _four(back)), pot - sum(back)
    return Settlement(
        kind=ResultKind.ABORT,
        reason=_REASONS[ending.kind],
        deltas=deltas,
        deposits=deposits,
        deposit_points=pot,
        dealer_stays=not ending.dealer_passes,
        honba=draft.start.honba,
        chips=no_chips(draft.rules),
    )


def with_penalties(draft: Draft, settlement: Settlement) -> Settlement:
    """Returns an ordinary settlement with what fouls moved in this hand; the pot was in its stakes already."""
    return replace(settlement, deltas=add(settlement.deltas, _total(draft).moved)) if draft.fouls else settlement


def pot_of(draft: Draft) -> int:
    """Returns the penalty points that lie on the table at the end of the hand."""
    return draft.start.deposit_points + (_total(draft).pot if draft.fouls else 0)


def dues_of(draft: Draft) -> tuple[Due, ...]:
    """Returns what this hand's fouls leave to be settled with the game."""
    return _total(draft).dues if draft.fouls else ()


def part_for(found: Consequence, settlement: Settlement | None) -> Part:
    """Returns what a foul leads to in a hand that was settled so."""
    part = found.now + found.at_end
    if settlement is not None and settlement.kind is ResultKind.DRAW:
        part += found.at_draw
    if settlement is not None and settlement.wins:
        part += found.at_win
    return part


def tenpai_of(draft: Draft, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Returns who counts as tenpai at a draw, out of all and of those whose hands are."""
    return tuple(seat for seat in SEATS if _is_tenpai(draft, seat, is_shown=seat in seats))


def nagashi_of(draft: Draft, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Returns whose river is paid as nagashi mangan: a dead hand's only where the house says so (7-09-06)."""
    allowed = draft.rules.penalties.chosen_effect("7-09-06", Op.ALLOW) is not None
    return tuple(seat for seat in seats if allowed or not is_dead(draft.fouls, seat))


def must_show(draft: Draft, seat: Seat) -> bool:
    """Whether a hand in riichi has to be shown at a draw: not one that counts as noten because it is dead."""
    return not (is_dead(draft.fouls, seat) and not _is_tenpai(draft, seat, is_shown=True))


def _is_tenpai(draft: Draft, seat: Seat, *, is_shown: bool) -> bool:
    if (status := sanctioned(draft.fouls, seat, Op.TENPAI_AS)) is not None:
        return _by_status(status, is_shown=is_shown)
    if sanctioned(draft.fouls, seat, Op.COUNT_AS_NOTEN_RIICHI) is not None and draft.riichi[seat].is_declared:
        return False
    if not is_dead(draft.fouls, seat):
        return is_shown
    rule = draft.rules.penalties.chosen_effect("7-09-05", Op.TENPAI_AS)
    return False if rule is None else _by_status(rule, is_shown=is_shown)


def _by_status(effect: Effect, *, is_shown: bool) -> bool:
    return {"noten": False, "tenpai": True, "as_shown": is_shown}[str(effect.param("status"))]


def _total(draft: Draft) -> Part:
    total = Part()
    for foul in standing(draft.fouls):
        total += _takes_place(draft, foul)
    return total


def _takes_place(draft: Draft, foul: LoggedFoul) -> Part:
    """Returns what a foul leads to if the hand ends as it stands."""
    found = foul.consequence
    part = found.now + found.at_end
    if draft.phase is Phase.CLAIMED:
        part += found.at_win
    if draft.phase is Phase.ENDING and draft.abort in (None, AbortReason.FOUR_RIICHI):
        part += found.at_draw
    if part.ending is None:
        return part
    if foul.clause != FALSE_WIN:
        is_void = draft.rules.penalties.win_voids_chombo and part.ending.kind is EndKind.CHOMBO
        return Part() if is_void and any(claim.seat is not foul.seat for claim in draft.claims) else part
    mode = _precedence(draft, foul)
    if mode == "valid_only":
        return Part()
    return replace(part, ending=None) if mode == "both" else part


def _precedence(draft: Draft, foul: LoggedFoul) -> str:
    """Returns which counts of a false win and the rons beside it: `valid_only`, `both` or `foul_only`."""
    rivals = [claim for claim in draft.claims if claim.seat is not foul.seat and claim.laid is not None]
    rule = draft.rules.penalties.chosen_effect("7-05-01-01", Op.WIN_PRECEDENCE)
    if not rivals or rule is None:
        return "foul_only"
    mode = str(rule.param("mode"))
    return mode if mode != "head_bump" else _head_bump(rivals, foul.seat)


def _head_bump(rivals: list[Claim], offender: Seat) -> str:
    discarder = rivals[0].from_seat
    first = min((claim.seat.after(discarder) for claim in rivals), default=4)
    return "foul_only" if offender.after(discarder) < first else "valid_only"


def _laid(draft: Draft, seat: Seat) -> int:
    """Returns what the seat laid into the pot in this hand by fouls that did not end it."""
    parts = (foul.consequence.now for foul in standing(draft.fouls) if foul.seat is seat)
    return sum(part.pot for part in parts if part.ending is None)


def _four(points: Iterator[int] | list[int]) -> tuple[int, int, int, int]:
    a, b, c, d = points
    return a, b, c, d
