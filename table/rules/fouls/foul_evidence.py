"""Facts about a foul that follow from the game: riichi, shown hands, discards, repetitions. People give the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from table.rules.aspects import dora, furiten
from table.rules.aspects.winning.shown_hand import plain_query, waits_of
from table.rules.draft import Draft
from table.rules.events import FoulLogged, HandShown, Origin, WinKind
from table.rules.foul_totals import foul_deltas, in_force, sanction_on
from table.rules.fouls.voided_riichi import is_no_riichi, voids_riichi
from table.rules.penalties.consequence import Card
from table.rules.penalties.effect_terms import Count, Fact, FoulRole, Op
from table.rules.penalties.foul_effects import FALSE_WIN
from table.rules.penalties.foul_facts import Facts, Worth
from table.rules.penalties.penalty_rules import Option
from table.rules.scoring.game_progress import end_target
from table.rules.scoring.hand_value import HandValue, evaluate
from table.rules.state import Furiten, LoggedFoul, Phase
from table.rules.terms.results import STICK, Deltas, ResultKind, add, subtract
from table.rules.terms.seats import SEATS, Seat, four
from table.rules.terms.tiles import COPIES, KIND_TILES, Tile

BARS_WIN: Final = (Op.DEAD_HAND, Op.NO_WIN)
"""Sanctions that invalidate every win of the seat."""


def seen_facts(draft: Draft, event: FoulLogged) -> Facts:
    """Returns the facts about a foul that the table saw, except those that depend on other fouls."""
    worths = {
        seat: _hand_worth(draft, hand) for seat, hand in zip(SEATS, draft.shown_hands, strict=True) if hand is not None
    }
    first_opener = _first_opener(draft, event.seat)
    answers, roles = dict(_answers(draft, event.seat, worths)), dict(_roles(draft, event.seat))
    if first_opener is not None:
        roles[FoulRole.FIRST_TO_OPEN] = first_opener
    elif _is_seen(draft) and _charges_first_to_open(draft, event):
        answers[Fact.ANYONE_OPENED_HAND] = False
    return Facts(
        dealer=draft.start.dealer,
        stick_points=four(STICK * riichi.is_accepted for riichi in draft.riichi),
        end_target=end_target(draft.start.round, draft.rules),
        answers=answers,
        roles=roles,
        worths=worths,
    )


def facts_of(draft: Draft, foul: LoggedFoul) -> Facts:
    """Returns all known facts about a foul; the fouls of `draft` come before it.

    Facts that people gave take precedence over those that the table saw or counted.
    """
    sticks = _stick_points(draft, foul)
    facts = replace(
        foul.seen_facts, stick_points=sticks, scores=_scores(draft, foul, sticks), counts=dict(_counts(draft, foul))
    )
    return _with_breaker(facts.with_facts(foul.facts))


def _stick_points(draft: Draft, foul: LoggedFoul) -> Deltas:
    """Returns the points by seat on the table as riichi sticks, given the fouls before this one.

    The stick of a riichi that the foul makes void goes back; one that only a cancelled foul made void lies there again.
    """
    is_back, restored = _returns_stick(draft, foul), _restored_sticks(draft)
    points = zip(SEATS, foul.seen_facts.stick_points, strict=True)
    return four(0 if is_back and seat is foul.seat else STICK if seat in restored else stick for seat, stick in points)


def _restored_sticks(draft: Draft) -> set[Seat]:
    """Returns the seats whose stick lies there again: every foul that made their riichi void is cancelled."""
    cancelled = (foul for foul in draft.fouls if foul.cancel_reason is not None)
    void = {seat for foul in in_force(draft.fouls) for seat, _ in foul.voided_riichi}
    return {seat for foul in cancelled for seat, riichi in foul.voided_riichi if riichi.is_accepted} - void


def _returns_stick(draft: Draft, foul: LoggedFoul) -> bool:
    option = option_of(draft, foul)
    if option is None or foul.is_late:
        return False
    return is_no_riichi(foul.clause, option, draft.rules.penalties) or any(map(voids_riichi, option.effects))


def _scores(draft: Draft, foul: LoggedFoul, stick_points: Deltas) -> Deltas:
    """Returns the points by seat when a foul was found: in its hand, or after its settlement."""
    if foul.is_late:
        return draft.game.history[-1].scores
    return add(subtract(draft.start.scores, stick_points), foul_deltas(draft.fouls))


def _with_breaker(facts: Facts) -> Facts:
    """Adds whether the winner knocked the tiles over, or the winner, if either fact follows from the others."""
    breaker, winner = facts.roles.get(FoulRole.BREAKER), facts.roles.get(FoulRole.WINNER)
    is_winner = facts.answers.get(Fact.BREAKER_IS_WINNER)
    if is_winner and breaker is not None and winner is None:
        return replace(facts, roles={**facts.roles, FoulRole.WINNER: breaker})
    if is_winner is not None or breaker is None or winner is None:
        return facts
    return replace(facts, answers={**facts.answers, Fact.BREAKER_IS_WINNER: breaker is winner})


def _answers(draft: Draft, seat: Seat, worths: dict[Seat, Worth]) -> Iterator[tuple[Fact, bool]]:
    if (is_in_riichi := _is_in_riichi(draft, seat)) or draft.phase is Phase.SETTLED or _is_seen(draft):
        yield Fact.IN_RIICHI, is_in_riichi
    opened = {
        Fact.OFFENDER_OPENED_HAND: _has_opened(draft, seat),
        Fact.ANYONE_OPENED_HAND: any(_has_opened(draft, each) for each in SEATS),
    }
    yield from ((fact, has_opened) for fact, has_opened in opened.items() if has_opened or _is_seen(draft))
    yield Fact.OFFENDER_WINS, any(winner is seat for winner, _ in _winners(draft))
    if not draft.is_behind and _is_watched(draft):
        yield Fact.BEFORE_DISCARD, _owes_discard(draft, seat)
    yield Fact.AFTER_LAST_DISCARD, _is_after_last_discard(draft)
    last = draft.rivers[seat][-1] if draft.rivers[seat] else None
    if last is not None and last.origin is not Origin.UNKNOWN:
        yield Fact.HAND_DISCARD_MADE, last.origin is Origin.HAND
    if draft.phase is Phase.SETTLED:
        yield Fact.WIN_STANDS, True
    others = [worths.get(other) for other in SEATS if other is not seat]
    if any(worth is not None and worth.is_yakuman for worth in others):
        yield Fact.SOMEONE_YAKUMAN_TENPAI, True
    elif None not in others:
        yield Fact.SOMEONE_YAKUMAN_TENPAI, False


def _is_seen(draft: Draft) -> bool:
    """Whether the record shows what did not happen: the table saw the hand, and no discard went unseen."""
    return _is_watched(draft) and not draft.has_gap


def _is_watched(draft: Draft) -> bool:
    """Whether the table saw the hand being played.

    A hand kept by hand has neither indicator nor tiles. An earlier one is known as a line of the score sheet, as is one
    whose result people declared without any play.
    """
    return bool(draft.laid_tiles or (draft.dora_indicators and draft.phase is not Phase.SETTLED))


def _is_in_riichi(draft: Draft, seat: Seat) -> bool:
    """Whether the seat was in riichi; of a settled hand, whether it paid for one."""
    is_charged = draft.phase is Phase.SETTLED and seat in draft.game.history[-1].riichi
    return is_charged or draft.riichi[seat].is_declared


def _has_opened(draft: Draft, seat: Seat) -> bool:
    """Whether the seat opened its hand: it was shown, or its win was paid."""
    is_paid = draft.phase is Phase.SETTLED and any(winner is seat for winner, _ in _winners(draft))
    return is_paid or draft.shown_hands[seat] is not None


def _is_after_last_discard(draft: Draft) -> bool:
    """Whether nothing is discarded any more in a hand that nobody has won, also once it is settled."""
    if draft.phase is not Phase.SETTLED:
        return draft.phase is Phase.ENDING or (draft.tiles_left == 0 and draft.turn is None)
    line = draft.game.history[-1]
    is_drawn = line.settlement is not None and line.settlement.kind is ResultKind.DRAW
    return is_drawn or line.phase is Phase.ENDING


def _owes_discard(draft: Draft, seat: Seat) -> bool:
    """Whether the seat's last act was a meld, and it has not discarded since."""
    if draft.turn is seat:
        return not draft.has_drawn or draft.is_replacement
    last = draft.claimable_tile
    return last is not None and last.seat is seat and last.kind.is_kan


def _counts(draft: Draft, foul: LoggedFoul) -> Iterator[tuple[Count, int]]:
    # The history of a settled hand ends with that hand, whose fouls are the draft's.
    history = draft.game.history[:-1] if draft.phase is Phase.SETTLED else draft.game.history
    of_hand = [logged for logged in in_force(draft.fouls) if logged.seat is foul.seat]
    of_game = [logged for line in history for logged in in_force(line.fouls) if logged.seat is foul.seat] + of_hand
    occurrences = [(logged, 1) for logged in of_game if _is_same_offence(draft, logged, foul)]
    yield Count.OCCURRENCE, 1 + _counted(Count.OCCURRENCE, occurrences)
    if (card := _card(draft, foul)) is not None:
        fouls_in_scope = of_hand if card.scope == "hand" else of_game
        cards = [(logged, _cards_of(logged, card)) for logged in fouls_in_scope]
        yield Count.CARDS, 1 + _counted(Count.CARDS, [(logged, number) for logged, number in cards if number])


def _is_same_offence(draft: Draft, one: LoggedFoul, other: LoggedFoul) -> bool:
    """Whether two fouls are of the same clause, or of clauses that the same article answers."""
    return one.clause == other.clause or _article_of(draft, one) == _article_of(draft, other)


def _article_of(draft: Draft, foul: LoggedFoul) -> str:
    """Returns the article that answers the foul's clause; the clause itself if none does."""
    option = option_of(draft, foul)
    is_article = option is not None and draft.rules.penalties.rule(option.letter) is not None
    return option.letter if option is not None and is_article else foul.clause


def _counted(count: Count, fouls: Sequence[tuple[LoggedFoul, int]]) -> int:
    """Returns the count after these fouls, each with its number; one that people entered goes on from there."""
    total = 0
    for foul, number in fouls:
        entered = Facts(dealer=foul.seat).with_facts(foul.facts).counts.get(count)
        total = total + number if entered is None else entered
    return total


def _cards_of(foul: LoggedFoul, card: Card) -> int:
    return sum(due.op is Op.CARD and due.detail == card.text for due in foul.consequence.now.dues)


def _card(draft: Draft, foul: LoggedFoul) -> Card | None:
    """Returns the card that the foul may cause; people enter cards of earlier games (`cards=2`)."""
    option = option_of(draft, foul)
    cards = (Card.of(effect) for effect in (() if option is None else option.effects) if effect.op is Op.CARD)
    return next(cards, None)


def _roles(draft: Draft, offender: Seat) -> Iterator[tuple[FoulRole, Seat]]:
    yield FoulRole.BREAKER, offender
    yield FoulRole.LATE_CALLER, offender
    if draft.laid_tiles:
        yield FoulRole.DISCARDER, draft.laid_tiles[-1].seat
    if len(winners := _winners(draft)) == 1:
        winner, kind = winners[0]
        yield FoulRole.WINNER, winner
        if kind is WinKind.RON:
            yield FoulRole.RON_CALLER, winner


def _winners(draft: Draft) -> list[tuple[Seat, WinKind]]:
    """Returns the seats that claim a win; of a settled hand, those that were paid for one."""
    if draft.phase is not Phase.SETTLED:
        return [(claim.seat, claim.kind) for claim in draft.claims]
    settlement = draft.game.history[-1].settlement
    wins = () if settlement is None else settlement.wins
    return [(win.seat, WinKind.TSUMO if win.seat is win.from_seat else WinKind.RON) for win in wins]


def _first_opener(draft: Draft, offender: Seat) -> Seat | None:
    """Returns the first seat to open a hand (7-05-01 k), apart from those that opened it for a possibly valid win."""
    false_winners = {foul.seat for foul in in_force(draft.fouls) if foul.clause == FALSE_WIN} | {offender}
    lawful_openers = {claim.seat for claim in draft.claims} - false_winners
    return next((seat for seat in draft.openers if seat not in lawful_openers), None)


def _charges_first_to_open(draft: Draft, event: FoulLogged) -> bool:
    option = option_of(draft, event)
    return option is not None and any(effect.who is FoulRole.FIRST_TO_OPEN for effect in option.effects)


def option_of(draft: Draft, foul: FoulLogged | LoggedFoul) -> Option | None:
    """Returns the option that punishes the foul; None if that is left to the referee."""
    rule = draft.rules.penalties.rule(foul.clause)
    return None if rule is None else rule.option(foul.option)


def _hand_worth(draft: Draft, shown_hand: HandShown) -> Worth:
    """Returns the value that an open hand could still have had, by ron or tsumo, on the waits that are still live."""
    if len(shown_hand.tiles) != 13 - 3 * len(draft.melds[shown_hand.seat]) or not all(
        tile.is_known for tile in shown_hand.tiles
    ):
        return Worth()
    wins_without_luck = list(_possible_wins(draft, shown_hand, with_luck=False))
    return Worth(
        most=max((value.points for value in _possible_wins(draft, shown_hand, with_luck=True)), default=0),
        most_without_luck=max((value.points for value in wins_without_luck), default=0),
        is_live=bool(wins_without_luck),
        is_yakuman=any(value.yakuman for value in wins_without_luck),
    )


def _possible_wins(draft: Draft, shown_hand: HandShown, *, with_luck: bool) -> Iterator[HandValue]:
    """Yields the value of each wait: by ron or, if only a tsumo wins or only a tsumo is a yakuman, by tsumo."""
    waits = waits_of(draft, shown_hand.seat, shown_hand.tiles)
    may_ron, may_draw = _may_ron(draft, shown_hand.seat, waits), _may_draw(draft, shown_hand.seat)
    for kind in sorted(waits):
        tile = KIND_TILES[kind]
        can_ron = may_ron and draft.counts[kind] - _copies_shown_by_others(draft, shown_hand.seat, kind) < COPIES
        can_draw = may_draw and draft.counts[kind] < COPIES
        ron = _value(draft, shown_hand, tile, is_tsumo=False, with_luck=with_luck) if can_ron else None
        drawn = _value(draft, shown_hand, tile, is_tsumo=True, with_luck=with_luck) if can_draw else None
        best = drawn if ron is None or (drawn is not None and drawn.yakuman > ron.yakuman) else ron
        if best is not None:
            yield best


def _copies_shown_by_others(draft: Draft, seat: Seat, kind: int) -> int:
    """Returns how many copies are in the others' shown hands: these can be discarded, but not drawn."""
    others = (hand.tiles for hand in draft.shown_hands if hand is not None and hand.seat is not seat)
    return sum(tile.kind == kind for tiles in others for tile in tiles)


def _may_ron(draft: Draft, seat: Seat, waits: frozenset[int]) -> bool:
    """Whether the seat may still win by ron: neither a sanction nor permanent furiten prevents it."""
    if any(sanction_on(draft.fouls, seat, op) is not None for op in (*BARS_WIN, Op.FURITEN_LOCK)):
        return False
    return not furiten.causes(draft, seat, draft.rules).of(waits).keys() & {Furiten.DISCARD, Furiten.RIICHI}


def _may_draw(draft: Draft, seat: Seat) -> bool:
    return all(sanction_on(draft.fouls, seat, op) is None for op in (*BARS_WIN, Op.TSUMOGIRI_ONLY))


def _value(draft: Draft, shown_hand: HandShown, tile: Tile, *, is_tsumo: bool, with_luck: bool) -> HandValue | None:
    """Returns the hand's value with that tile; `with_luck` adds ippatsu and ura dora."""
    query = plain_query(draft, shown_hand, tile, is_tsumo=is_tsumo)
    has_luck = with_luck and query.riichi > 0
    query = replace(
        query,
        ippatsu=has_luck and draft.ippatsu[shown_hand.seat].is_open,
        dora_indicators=dora.counting_indicators(draft),
        ura_indicators=draft.ura[: dora.ura_count(draft)] if has_luck else (),
    )
    value = evaluate(query, draft.rules)
    return value if isinstance(value, HandValue) else None
