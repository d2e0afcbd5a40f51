"""The progress of a game: the next dealer, the end, and the final standings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from table.rules.penalties.consequence import Due
from table.rules.penalties.effect_terms import Op
from table.rules.ruleset import Ruleset
from table.rules.ruleset_checks import FourPoints
from table.rules.terms.results import NOTHING, STICK, Deltas, ResultKind, Settlement, add
from table.rules.terms.seats import SEATS, Round, Seat, Wind, four

_REMAINDER: Final = 2
"""The most points that can be left when points are split among tied seats."""
FourPlaces = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandFacts:
    """The hand that was just settled: its place in the game, and the scores after it."""

    round: Round
    first_dealer: Seat
    scores: Deltas
    """Points by seat after the hand."""
    dues: tuple[Due, ...] = ()
    """Payments and sanctions for fouls that are due at the end of the game."""
    is_last: bool = False
    """Whether it was the last hand because time was called."""

    @property
    def dealer(self) -> Seat:
        """The hand's dealer."""
        return self.first_dealer.plus(self.round.number - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class NextHand:
    """The game continues with this hand."""

    round: Round
    dealer: Seat
    honba: int
    deposits: int
    deposit_points: int
    scores: Deltas


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver:
    """The end of the game."""

    scores: Deltas
    """Points by seat with the leftover sticks, without uma and oka."""
    ranking: tuple[Seat, ...]
    """Seats from first to last place."""
    bust_bonus: Deltas | None = None
    """Change of points for seats that went bust, which the standings include; None if none did or there is no bonus."""
    deposits: int = 0
    """Sticks of 1000 that nobody takes."""
    deposit_points: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """The final ranking and the points for it."""

    points: Deltas
    ranking: tuple[Seat, ...]
    places: FourPlaces
    """Each seat's place, counted from 1: seats that share the points of their places share the better place."""


def after_hand(facts: HandFacts, settlement: Settlement, ruleset: Ruleset) -> NextHand | GameOver:
    """Returns the next hand, or the end of the game with the leftover sticks handed out."""
    if _is_game_over(facts, settlement, ruleset):
        bonus = _bust_bonus(facts, settlement, ruleset)
        leftover = {"deposits": settlement.deposits, "deposit_points": settlement.deposit_points}
        return end_game(facts, ruleset, **leftover, bust_bonus=bonus)
    place = facts.round if settlement.dealer_stays else facts.round.next
    return NextHand(
        round=place,
        dealer=facts.first_dealer.plus(place.number - 1),
        honba=settlement.honba,
        deposits=settlement.deposits,
        deposit_points=settlement.deposit_points,
        scores=facts.scores,
    )


def final_standings(
    scores: Deltas,
    ruleset: Ruleset,
    *,
    first_dealer: Seat = Seat.NEAR,
    dues: Sequence[Due] = (),
    bust_bonus: Deltas | None = None,
) -> Standings:
    """Returns the ranking, and the scores less the points they are counted from, with uma and oka.

    Equal scores are ranked from the first dealer on; with `ties = split` they share the points for their places, also
    if they differ by one or two points that could not be split between them.
    `dues` of fouls may lower places and subtract points after uma; `bust_bonus` only changes points.
    """
    places = _lower_places(_places(scores, first_dealer, ruleset), dues)
    uma = _uma(scores, ruleset)
    place_points = [uma[0] + ruleset.oka, *uma[1:]]
    points = [score - ruleset.zero_points for score in scores]
    numbers, place = [0, 0, 0, 0], 0
    for seats in places:
        shared_points = sum(place_points[place : place + len(seats)])
        for seat, share in zip(seats, _shares(shared_points, len(seats)), strict=True):
            points[seat] += share
            numbers[seat] = place + 1
        place += len(seats)
    for due in dues:
        if due.op is Op.AFTER_UMA:
            points[due.seat] -= due.amount
    ranking = tuple(seat for seats in places for seat in seats)
    return Standings(points=add(four(points), bust_bonus or NOTHING), ranking=ranking, places=four(numbers))


def end_game(
    facts: HandFacts, ruleset: Ruleset, *, deposits: int, deposit_points: int, bust_bonus: Deltas | None = None
) -> GameOver:
    """Returns the end of a game after that hand, by the rules or by people, with the leftover pot handed out."""
    leftover = deposits * STICK + deposit_points
    takers = _stick_takers(facts, ruleset)
    scores = list(facts.scores)
    if takers:
        _hand_out(scores, leftover, takers)
    final_scores = deduct_dues(four(scores), facts.dues, facts.first_dealer, ruleset)
    standings = final_standings(final_scores, ruleset, first_dealer=facts.first_dealer, dues=facts.dues)
    return GameOver(
        scores=final_scores,
        ranking=standings.ranking,
        bust_bonus=bust_bonus,
        deposits=0 if takers else deposits,
        deposit_points=0 if takers else deposit_points,
    )


def deduct_dues(scores: Deltas, dues: Sequence[Due], first_dealer: Seat, ruleset: Ruleset) -> Deltas:
    """Moves the points that fouls cost at the end to the first-placed of the others (7-01 j, k)."""
    points = list(scores)
    for due in dues:
        if due.op is Op.UNIT_DEDUCT:
            points[due.seat] -= due.amount
            _hand_out(points, due.amount, _first_of_others(due.seat, scores, first_dealer, ruleset))
    return four(points)


def _lower_places(places: Sequence[Sequence[Seat]], dues: Sequence[Due]) -> list[list[Seat]]:
    """Returns the places after offenders were moved down (7-01-01).

    Each offender lets the next seats that are not lowered go before him, as many as he is lowered by places; who shares
    a place with one of them goes with it.
    """
    drops = [sum(due.amount for due in dues if due.op is Op.LOWER_RANK and due.seat is seat) for seat in SEATS]
    others = [[seat for seat in seats if not drops[seat]] for seats in places]
    order: dict[tuple[int, int], list[Seat]] = {}
    for place, seats in enumerate(places):
        for seat in seats:
            key = (_place_before(others, place, drops[seat]), place) if drops[seat] else (place, -1)
            order.setdefault(key, []).append(seat)
    return [order[key] for key in sorted(order)]


def _place_before(others: Sequence[Sequence[Seat]], place: int, drop: int) -> int:
    """Returns the last place whose `others` go before an offender of that place; the offender's own if nobody does."""
    last, passing = place, 0
    for index in range(place, len(others)):
        if others[index] and passing < drop:
            last, passing = index, passing + len(others[index])
    return last


def _is_game_over(facts: HandFacts, settlement: Settlement, ruleset: Ruleset) -> bool:
    if facts.is_last or any(due.op is Op.BUST for due in facts.dues):
        return True
    if any(is_bust(score, ruleset) for score in facts.scores):
        return True
    end_points = end_target(facts.round, ruleset)
    if end_points is None:
        return False
    if settlement.dealer_stays:
        return _dealer_stops(facts, settlement, ruleset)
    return max(facts.scores) >= end_points


def end_target(place: Round, ruleset: Ruleset) -> int | None:
    """Returns the points with which the first place ends the game if the deal passes after a hand of this round.

    None if the game goes on in any case, 0 if it ends in any case.
    """
    last_wind = Wind.EAST if ruleset.length == "east" else Wind.SOUTH
    is_extra, is_fourth = place.wind > last_wind, place.number == 4
    if not is_extra and not (place.wind == last_wind and is_fourth):
        return None
    ends_anyhow = is_fourth if is_extra else not ruleset.west_in
    return 0 if ends_anyhow else ruleset.target_points


def is_bust(score: int, ruleset: Ruleset) -> bool:
    """Whether a seat with these points is bust, which ends the game."""
    return ruleset.tobi != "never" and (score < 0 or (score == 0 and ruleset.tobi == "zero_or_below"))


def _bust_bonus(facts: HandFacts, settlement: Settlement, ruleset: Ruleset) -> Deltas | None:
    """Returns the change of points by seat for seats that went bust in the last hand; None without a bonus."""
    fouls = {due.seat for due in facts.dues if due.op is Op.BUST}
    bust_seats = [seat for seat in SEATS if seat in fouls or is_bust(facts.scores[seat], ruleset)]
    if not bust_seats or not ruleset.bust_bonus:
        return None
    points = [0, 0, 0, 0]
    for seat in bust_seats:
        points[seat] -= ruleset.bust_bonus
        _hand_out(points, ruleset.bust_bonus, _bonus_takers(seat, facts, settlement, ruleset))
    return four(points)


def _bonus_takers(seat: Seat, facts: HandFacts, settlement: Settlement, ruleset: Ruleset) -> list[Seat]:
    """Returns who gets a bust seat's bonus: a winner, the next seat paid at a draw, or the first-placed of the others.

    Several seats only if they share the first place.
    """
    winners = [win.seat for win in settlement.wins if win.seat is not seat]
    if winners:
        return winners[:1]
    turns = (seat.plus(turn) for turn in (1, 2, 3))
    paid_seats = [each for each in turns if settlement.kind is ResultKind.DRAW and _is_paid_at_draw(each, settlement)]
    return paid_seats[:1] or _first_of_others(seat, facts.scores, facts.first_dealer, ruleset)


def _is_paid_at_draw(seat: Seat, settlement: Settlement) -> bool:
    """Whether a draw pays the seat, regardless of the cost of its riichi."""
    return settlement.deltas[seat] > 0 or (settlement.reason is None and seat in settlement.tenpai)


def _dealer_stops(facts: HandFacts, settlement: Settlement, ruleset: Ruleset) -> bool:
    """Whether a dealer who could deal again ends the game in first place, alone or sharing it (agari-yame).

    Every hand of the extra round may be the last, so the rule applies there too.
    """
    has_winner = settlement.kind in (ResultKind.RON, ResultKind.TSUMO)
    may_stop = {"never": False, "win": has_winner, "win_or_tenpai": has_winner or settlement.kind is ResultKind.DRAW}
    is_first = facts.dealer in _places(facts.scores, facts.first_dealer, ruleset)[0]
    return may_stop[ruleset.agari_yame] and is_first and facts.scores[facts.dealer] >= ruleset.target_points


def _stick_takers(facts: HandFacts, ruleset: Ruleset) -> list[Seat]:
    first = _places(facts.scores, facts.first_dealer, ruleset)[0]
    takes_sticks = {"top": True, "dealer_top_only": facts.dealer in first, "nobody": False}
    return first if takes_sticks[ruleset.end_sticks] else []


def _first_of_others(seat: Seat, scores: Deltas, first_dealer: Seat, ruleset: Ruleset) -> list[Seat]:
    """Returns the first-placed without that seat: several if they share the place."""
    others = ([other for other in place if other is not seat] for place in _places(scores, first_dealer, ruleset))
    return next(place for place in others if place)


def _places(scores: Deltas, first_dealer: Seat, ruleset: Ruleset) -> list[list[Seat]]:
    """Returns the seats of each place, from the first on: several that share it, or one."""
    points = _even_scores(scores) if ruleset.ties == "split" else scores
    ranking = _ranking(points, first_dealer)
    if ruleset.ties == "seat":
        return [[seat] for seat in ranking]
    return [list(tied) for _, tied in groupby(ranking, key=lambda seat: points[seat])]


def _even_scores(scores: Deltas) -> Deltas:
    """Returns the scores; those that differ only by points that could not be split between them are made equal."""
    points = list(scores)
    for seat in _ranking(scores, Seat.NEAR):
        points[seat] = max(each for each in points if each <= scores[seat] + _REMAINDER)
    return four(points)


def _ranking(scores: Deltas, first_dealer: Seat) -> tuple[Seat, ...]:
    return tuple(sorted(SEATS, key=lambda seat: (-scores[seat], seat.after(first_dealer))))


def _uma(scores: Deltas, ruleset: Ruleset) -> FourPoints:
    if not ruleset.floating_uma:
        return ruleset.uma
    floating_count = sum(score >= ruleset.starting_points for score in scores)
    return ruleset.floating_uma[floating_count - 1] if 1 <= floating_count <= 3 else (0, 0, 0, 0)


def _hand_out(points: list[int], amount: int, takers: Sequence[Seat]) -> None:
    """Adds equal shares of an amount to the points of the takers.

    The remainder goes to a taker with the fewest points, so that tied seats never differ by more than `_REMAINDER`.
    """
    share, rest = divmod(amount, len(takers))
    for seat in takers:
        points[seat] += share
    points[min(takers, key=lambda seat: points[seat])] += rest


def _shares(points: int, count: int) -> list[int]:
    """Splits points among `count` seats; the first gets the remainder."""
    share, rest = divmod(points, count)
    return [share + rest, *[share] * (count - 1)]
