"""What the tracker itself knows of a foul: riichi, shown hands, who discarded, how often. The rest, people tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from table.rules.aspects import dora, wins
from table.rules.events import FoulLogged, HandShown, Origin
from table.rules.fouls import standing
from table.rules.hand import Draft
from table.rules.penalties.consequence import Card
from table.rules.penalties.facts import Facts, Worth
from table.rules.penalties.vocabulary import Count, Fact, Op, Who
from table.rules.seats import SEATS, Seat, Wind, seat_wind
from table.rules.state import Phase
from table.rules.tiles import KIND_TILES, Tile
from table.rules.value import HandQuery, HandValue, evaluate

_COPIES: Final = 4


def facts_of(draft: Draft, event: FoulLogged) -> Facts:
    """Returns everything that is known of a foul: what people told with it goes before what was seen."""
    worths = {seat: _worth(draft, shown) for seat, shown in zip(SEATS, draft.shown, strict=True) if shown is not None}
    facts = Facts(
        dealer=draft.start.dealer,
        scores=draft.scores,
        is_last_hand=_is_last_hand(draft),
        answers=dict(_answers(draft, event.seat, worths)),
        counts=dict(_counts(draft, event)),
        roles=dict(_roles(draft, event.seat)),
        worths=worths,
    )
    told = facts.told(event.facts)
    breaker, winner = told.roles.get(Who.BREAKER), told.roles.get(Who.WINNER)
    if Fact.BREAKER_IS_WINNER in told.answers or breaker is None or winner is None:
        return told
    return replace(told, answers={**told.answers, Fact.BREAKER_IS_WINNER: breaker is winner})


def _is_last_hand(draft: Draft) -> bool:
    last = Wind.EAST if draft.rules.length == "east" else Wind.SOUTH
    return draft.start.round.wind > last or (draft.start.round.wind is last and draft.start.round.number == 4)


def _answers(draft: Draft, seat: Seat, worths: dict[Seat, Worth]) -> Iterator[tuple[Fact, bool]]:
    yield Fact.IN_RIICHI, draft.riichi[seat].is_declared
    yield Fact.OFFENDER_OPENED_HAND, draft.shown[seat] is not None
    yield Fact.ANYONE_OPENED_HAND, any(shown is not None for shown in draft.shown)
    yield Fact.OFFENDER_WINS, any(claim.seat is seat for claim in draft.claims)
    yield Fact.BEFORE_DISCARD, draft.turn is seat and not draft.has_drawn
    yield Fact.AFTER_LAST_DISCARD, draft.phase is Phase.ENDING or (draft.tiles_left == 0 and draft.turn is None)
    last = draft.rivers[seat][-1] if draft.rivers[seat] else None
    if last is not None and last.origin is not Origin.UNKNOWN:
        yield Fact.HAND_DISCARD_MADE, last.origin is Origin.HAND
    others = [worths.get(each) for each in SEATS if each is not seat]
    if any(worth is not None and worth.is_yakuman for worth in others):
        yield Fact.SOMEONE_YAKUMAN_TENPAI, True
    elif None not in others:
        yield Fact.SOMEONE_YAKUMAN_TENPAI, False


def _counts(draft: Draft, event: FoulLogged) -> Iterator[tuple[Count, int]]:
    earlier = [foul for line in draft.game.history for foul in standing(line.fouls)]
    fouls = [foul for foul in (*earlier, *standing(draft.fouls)) if foul.seat is event.seat]
    yield Count.OCCURRENCE, 1 + sum(foul.clause == event.clause for foul in fouls)
    if (card := _card(draft, event)) is not None:
        within = [foul for foul in standing(draft.fouls) if foul.seat is event.seat] if card.scope == "hand" else fouls
        given = [due for foul in within for due in foul.consequence.now.dues if due.op is Op.CARD]
        yield Count.CARDS, 1 + sum(due.detail == card.text for due in given)


def _card(draft: Draft, event: FoulLogged) -> Card | None:
    """Returns the card that the foul may bring; cards of earlier games are for people to tell (`cards=2`)."""
    rule = draft.rules.penalties.rule(event.clause)
    option = None if rule is None else rule.option(event.option)
    cards = (Card.of(effect) for effect in (() if option is None else option.effects) if effect.op is Op.CARD)
    return next(cards, None)


def _roles(draft: Draft, offender: Seat) -> Iterator[tuple[Who, Seat]]:
    yield Who.BREAKER, offender
    yield Who.LATE_CALLER, offender
    if draft.laid:
        yield Who.DISCARDER, draft.laid[-1].seat
    if len(draft.claims) == 1:
        yield Who.WINNER, draft.claims[0].seat
        yield Who.RON_CALLER, draft.claims[0].seat
    shown = [seat for seat in SEATS if draft.shown[seat] is not None]
    if len(shown) == 1:
        yield Who.FIRST_TO_OPEN, shown[0]


def _worth(draft: Draft, shown: HandShown) -> Worth:
    if len(shown.tiles) != 13 - 3 * len(draft.melds[shown.seat]) or not all(tile.is_known for tile in shown.tiles):
        return Worth()
    kinds = wins.waits_of(draft, shown.seat, shown.tiles)
    live = [kind for kind in kinds if draft.counts[kind] < _COPIES]
    plain = _values(draft, shown, kinds, with_luck=False)
    return Worth(
        most=max((value.points for value in _values(draft, shown, kinds, with_luck=True)), default=0),
        most_without_luck=max((value.points for value in _values(draft, shown, live, with_luck=False)), default=0),
        is_live=bool(live),
        is_yakuman=any(value.yakuman for value in plain),
    )


def _values(draft: Draft, shown: HandShown, kinds: Iterable[int], *, with_luck: bool) -> list[HandValue]:
    found = (_value(draft, shown, KIND_TILES[kind], with_luck=with_luck) for kind in kinds)
    return [value for value in found if value is not None]


def _value(draft: Draft, shown: HandShown, tile: Tile, *, with_luck: bool) -> HandValue | None:
    """Returns what the hand wins by a ron on that tile; luck is what chance adds: ippatsu and ura dora."""
    seat, riichi = shown.seat, draft.riichi[shown.seat]
    lucky = with_luck and riichi.is_accepted
    query = HandQuery(
        concealed=shown.tiles,
        melds=draft.melds[seat],
        winning_tile=tile,
        is_tsumo=False,
        seat_wind=seat_wind(seat, draft.start.dealer),
        round_wind=draft.start.round.wind,
        riichi=(2 if riichi.is_double else 1) if riichi.is_accepted else 0,
        is_open_riichi=riichi.is_accepted and riichi.is_open,
        ippatsu=lucky and draft.ippatsu[seat].is_open,
        honba=draft.start.honba,
        dora_indicators=draft.dora_indicators,
        ura_indicators=draft.ura[: dora.ura_wanted(draft)] if lucky else (),
    )
    value = evaluate(query, draft.rules)
    return value if isinstance(value, HandValue) else None
