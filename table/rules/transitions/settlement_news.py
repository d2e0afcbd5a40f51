"""Announces settlements, proposed and confirmed, and the end of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from table.rules.aspects.winning.unseen_worth import unseen_worth
from table.rules.draft import Draft
from table.rules.events import HandStarted
from table.rules.fouls import foul_hand_end
from table.rules.penalties.consequence import Due, game_end_costs
from table.rules.state import FactKind, GameState, MissingFact
from table.rules.terms.announcements import Announcement, AnnouncementId
from table.rules.terms.results import AbortReason, Deltas, ResultKind, Settlement
from table.rules.terms.seats import Seat


def say_proposed(draft: Draft, settlement: Settlement) -> None:
    """Announces a proposed settlement."""
    if settlement.reason is AbortReason.TRIPLE_RON and draft.abort is not AbortReason.TRIPLE_RON:
        draft.say(AnnouncementId.of_abort(settlement.reason), settlement.reason.names.rule)
    draft.say(
        AnnouncementId.SETTLEMENT_PROPOSED,
        _rule_of(draft, settlement),
        deltas=list(settlement.deltas),
        kind=settlement.kind.value,
        missing=[str(fact) for fact in draft.missing],
        **_sticks(draft.start, settlement, foul_hand_end.riichi_seats(draft)),
        **_penalty(settlement),
        **_chips(settlement.chips),
    )


def say_settled(draft: Draft, settlement: Settlement, scores: Deltas, charged_seats: tuple[Seat, ...]) -> None:
    """Announces a confirmed settlement, with the scores after it and the seats that were charged for riichi."""
    draft.say(
        AnnouncementId.SETTLEMENT_CONFIRMED,
        _rule_of(draft, settlement),
        deltas=list(settlement.deltas),
        kind=settlement.kind.value,
        scores=list(scores),
        **_sticks(draft.start, settlement, charged_seats),
        **_penalty(settlement),
        **_game_end_costs(foul_hand_end.dues_of(draft)),
        **_chips(settlement.chips),
    )


def say_missing_facts(draft: Draft, announcement_id: AnnouncementId, facts: Sequence[MissingFact]) -> None:
    """Announces the facts that nobody stated, if any, except sticks, which are charged all the same."""
    missing_facts = [fact for fact in facts if fact.kind is not FactKind.STICK]
    seats = [fact.seat for fact in missing_facts if fact.kind is FactKind.UNSEEN and fact.seat is not None]
    unseen = {str(int(seat)): list(unseen_worth(draft, seat, draft.rules)) for seat in seats}
    args: dict[str, Any] = {"unseen": unseen} if unseen else {}
    if missing_facts:
        draft.say(announcement_id, "R46", missing=[str(fact) for fact in missing_facts], **args)


def game_ended(state: GameState) -> Announcement:
    """Returns the announcement of a game's end."""
    ranking = [int(seat) for seat in state.ranking]
    bonus = {} if state.bust_bonus is None else {"bust_bonus": list(state.bust_bonus)}
    args = {"scores": list(state.scores), "ranking": ranking, **_chips(state.chips), **bonus}
    return Announcement(id=AnnouncementId.GAME_ENDED, rule="R48", args=args)


def sticks_paid(start: HandStarted, settlement: Settlement, charged_seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Returns which of the seats charged for riichi pay their sticks by this settlement: none if it returns them."""
    return () if settlement.penalty is not None and settlement.deposits == start.deposits else charged_seats


def _sticks(start: HandStarted, settlement: Settlement, charged_seats: tuple[Seat, ...]) -> dict[str, Any]:
    """Returns the seats whose payments contain a riichi stick as an argument of an announcement; empty if none do."""
    seats = [int(seat) for seat in sticks_paid(start, settlement, charged_seats)]
    return {"riichi": seats} if seats else {}


def _game_end_costs(dues: Sequence[Due]) -> dict[str, Any]:
    """Returns the cost of fouls at the end of the game, by seat, as arguments of an announcement; empty if none."""
    return {op_name: list(cost) for op_name, cost in game_end_costs(dues).items()}


def _penalty(settlement: Settlement) -> dict[str, Any]:
    """Returns how a penalty ended the hand as an argument of an announcement; empty if none did."""
    return {} if settlement.penalty is None else {"penalty": settlement.penalty.value}


def _chips(chips: Deltas | None) -> dict[str, Any]:
    """Returns the chips as an argument of an announcement; empty if the rules use none."""
    return {} if chips is None else {"chips": list(chips)}


def _rule_of(draft: Draft, settlement: Settlement) -> str:
    if settlement.penalty is not None:
        return foul_hand_end.rule_of_end(draft, settlement.penalty)
    return "R46" if settlement.kind in (ResultKind.RON, ResultKind.TSUMO) else "R47"
