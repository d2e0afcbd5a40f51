"""Counts one game for the season statistics: from its journal, or from any record that `audit` reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, groupby

from table.game.journal.entries import Entry
from table.game.journal.history.game_history import GameHistory, game_history
from table.records.audit.game_audit import AuditedEnd, AuditedHand, audit_game
from table.records.formats.game_record import GameRecord, HandRecord
from table.records.season.hand_count import PlayedHand, count_hand
from table.records.season.tally import GamePlace, GameTally, Tally
from table.rules.advance import new_game
from table.rules.penalties.consequence import Due
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import Standings, final_standings
from table.rules.state import FinishedHand
from table.rules.terms.results import Deltas, subtract
from table.rules.terms.seats import SEATS, four


def count_journal(entries: Sequence[Entry]) -> GameTally:
    """Counts one game of a journal, as far as it was played.

    Raises:
        TypeError: the first entry does not open a game.
    """
    return count_game(game_history(entries))


def count_game(game: GameHistory) -> GameTally:
    """Counts a game of a journal that was followed before, as far as it was played.

    Each hand counts for those who sat there then; the place and its points for those who sat there at the end. A game
    that people took out of the season counts for nobody.
    """
    state, utc = game.state, game.utc
    has_begun = bool(state.history) or state.is_over
    if not game.counts:
        return GameTally(utc=utc, number=game.number, counts=False, has_begun=has_begun)
    hands = [
        PlayedHand(number=number, line=line, table=table, utc=utc)
        for number, (line, table) in enumerate(zip(state.history, game.tables, strict=True))
    ]
    standings = game.standings if state.is_over else None
    return GameTally(
        utc=utc,
        number=game.number,
        places=() if standings is None else _places(standings, state.scores, game.names, game.ruleset),
        tallies=_tallies(hands, [game.names_in(hand.number) for hand in hands], game.names, standings, game.ruleset),
        has_begun=has_begun,
    )


def count_record(record: GameRecord, names: Sequence[str], *, log: str = "the record") -> GameTally:
    """Counts a game record, replayed as a table would have seen it.

    Args:
        record: the game.
        names: the players by seat.
        log: the record's name in messages.

    Raises:
        RecordError: the record is truncated, or holds an impossible hand.
    """
    hands: list[PlayedHand] = []
    state = new_game(record.ruleset)
    final: Deltas | None = None
    for audited in audit_game(record, log=log):
        if isinstance(audited, AuditedHand):
            state = audited.play.state
            line = _with_entered_riichi(state.history[-1], record.hands[len(hands)])
            hands.append(PlayedHand(number=len(hands), line=line, table=state.hand, knows_fouls=False))
        elif isinstance(audited, AuditedEnd):
            final = four(audited.final)
    if final is not None and record.final is not None and sum(record.final) == sum(final):
        final = record.final  # with what a foul moved in the last hand, of which older exports say nothing
    standings = None
    if final is not None:
        standings = final_standings(
            final, record.ruleset, first_dealer=state.first_dealer, dues=record.dues, bust_bonus=state.bust_bonus
        )
    return GameTally(
        places=() if standings is None or final is None else _places(standings, final, names, record.ruleset),
        tallies=_tallies(hands, [names] * len(hands), names, standings, record.ruleset, dues=record.earlier_dues),
    )


def _with_entered_riichi(line: FinishedHand, hand: HandRecord) -> FinishedHand:
    """Returns a finished hand with the riichi that people entered with its result, if the record has them."""
    riichi = hand.entered_riichi
    return line if riichi is None else replace(line, riichi=riichi, is_riichi_declared=True)


def _places(standings: Standings, scores: Deltas, names: Sequence[str], rules: Ruleset) -> tuple[GamePlace, ...]:
    return tuple(
        GamePlace(
            name=names[seat],
            place=standings.places[seat],
            points=scores[seat],
            uma=standings.points[seat] - (scores[seat] - rules.zero_points),
            result=standings.points[seat],
        )
        for seat in standings.ranking
    )


def _tallies(
    hands: Sequence[PlayedHand],
    names_by_hand: Sequence[Sequence[str]],
    names: Sequence[str],
    standings: Standings | None,
    rules: Ruleset,
    *,
    dues: Sequence[Due] = (),
) -> dict[str, Tally]:
    """Returns the tally of each name that sat there in a hand or at the end; `dues` has earlier ones of no hand."""
    tallies = {name: Tally() for name in (*chain.from_iterable(names_by_hand), *names) if name}
    for hand, sitters in zip(hands, names_by_hand, strict=True):
        count_hand(hand, sitters, tallies)
    dealers = (
        (hand.line.dealer, sitters[hand.line.dealer]) for hand, sitters in zip(hands, names_by_hand, strict=True)
    )
    for (_, dealer), run in groupby(dealers):
        if dealer:
            tally = tallies[dealer]
            tally.dealership = max(tally.dealership, len(list(run)))
    if standings is not None and hands:
        dues = [*dues, *(due for hand in hands[:-1] for due in hand.line.dues)]
        _count_comebacks(hands, names, tallies, standings, rules, dues=dues)
    return tallies


def _count_comebacks(
    hands: Sequence[PlayedHand],
    names: Sequence[str],
    tallies: dict[str, Tally],
    standings: Standings,
    rules: Ruleset,
    *,
    dues: Sequence[Due],
) -> None:
    """Counts, for each seat that was behind before the last hand, whether it reached first place.

    By some rules several seats share the first place.
    """
    first_line, scores_before = hands[0].line, _scores_before(hands)
    first = first_line.dealer.plus(1 - first_line.round.number)
    if scores_before is None:
        return
    places_before = final_standings(scores_before, rules, first_dealer=first, dues=dues).places
    for seat in SEATS:
        if places_before[seat] > 1 and names[seat]:
            tallies[names[seat]].shares["comebacks"].count(standings.places[seat] == 1)


def _scores_before(hands: Sequence[PlayedHand]) -> Deltas | None:
    """Returns the points before the last hand, with earlier fouls that were found after it; None if unknown."""
    last, table = hands[-1].line, hands[-1].table
    if last.settlement is not None:
        return subtract(last.scores, last.settlement.deltas)
    return table.start.scores if table is not None else hands[-2].line.scores if len(hands) > 1 else None
