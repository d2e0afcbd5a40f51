"""Whole games from a journal: players, the course of each hand, durations, and the actions of people."""

from __future__ import annotations

import logging
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Final

from table.game.journal.effective_events import effective_entries
from table.game.journal.entries import (
    Corrected,
    CountedInSeason,
    Entry,
    GameOpened,
    Names,
    QuestionAsked,
    Source,
    Undone,
)
from table.game.journal.fold import FoldedGame, fold, fold_steps, opened_game
from table.game.journal.game_openings import own_entries, undone_openings
from table.game.journal.history.change_history import changes_of
from table.game.journal.history.played_round import round_of
from table.game.journal.journal_reader import JournalReader
from table.game.journal.seating import SeatingHistory
from table.rules.events import Discarded, GameEnded, PointsAdjusted
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import Standings, final_standings
from table.rules.state import GameState, HandState
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import Seat

LONGEST_HAND_S: Final = 2 * 3600
"""The longest duration that counts, in seconds: in longer ones the clock was set, or everybody went away."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameHistory:
    """One game from its journal."""

    number: int
    """The number of the entry that opened it."""
    utc: str
    """When it was opened, ISO 8601, UTC."""
    ruleset: Ruleset
    names: Names
    """The players' names by seat, at the end."""
    first_dealer: Seat
    state: GameState
    seconds: tuple[float, ...]
    """The duration of each finished hand, from the end of the one before it; 0 if unknown."""
    tables: tuple[HandState | None, ...] = ()
    """The table at the end of each finished hand; None for one of which only the result is known."""
    acts: int = 0
    """The number of actions of people: presses, results, amendments."""
    corrected: int = 0
    """The number of discards corrected by people."""
    undone: int = 0
    """The number of actions that people undid."""
    asked: int = 0
    """The number of questions that the table asked."""
    interruptions: int = 0
    """The number of questions about a discard that people answered during the hand."""
    needless: int = 0
    """The number of interruptions because of readings that were right."""
    round: str = ""
    """The tournament round that the game counts for, as its table knew it; empty if unknown."""
    hand_names: tuple[Names, ...] = ()
    """Those who sat at the seats at the end of each finished hand, as in `table.game.snapshot.Snapshot`."""
    adjustment_names: tuple[Names, ...] = ()
    """Those who sat at the seats when people corrected points, for each correction."""
    counts: bool = True
    """Whether it counts for the season."""
    end_reason: str | None = None
    """Why people ended the game before the rules did, empty if they did not say; None if they did not end it."""

    def names_in(self, hand: int) -> Names:
        """Returns the names of those who sat at the seats in a hand, counted from 0."""
        return self.hand_names[hand] if hand < len(self.hand_names) else self.names

    @property
    def standings(self) -> Standings:
        """The current ranking, and the points for league tables: with uma and oka."""
        return standings_of(self.state, self.ruleset, self.first_dealer)

    @property
    def fouls(self) -> int:
        """The number of fouls that were not cancelled."""
        return sum(foul.cancel_reason is None for hand in self.state.history for foul in hand.fouls)


def standings_of(state: GameState, ruleset: Ruleset, first_dealer: Seat) -> Standings:
    """Returns the current ranking of a game, and each seat's points with uma and oka."""
    dues = [due for hand in state.history for due in hand.dues]
    bonus = state.bust_bonus
    return final_standings(state.scores, ruleset, first_dealer=first_dealer, dues=dues, bust_bonus=bonus)


def games_of(entries: Sequence[Entry]) -> list[Sequence[Entry]]:
    """Splits a journal into its games, oldest first."""
    undone = undone_openings(entries)
    starts = [
        at for at, entry in enumerate(entries) if isinstance(entry.body, GameOpened) and entry.number not in undone
    ]
    return [entries[at:end] for at, end in pairwise([*starts, len(entries)])]


def latest_games(reader: JournalReader, count: int) -> list[GameHistory]:
    """Returns the last games of a journal, at most `count`, oldest first, without those that cannot be computed.

    Raises:
        JournalError: the journal cannot be read.
    """
    starts = [game.number for game in reader.games()][-count:]
    found = []
    for game in games_of(reader.entries(starts[0] - 1)) if starts else ():
        try:
            found.append(game_history(game))
        except Exception:  # whatever it contains, the other games remain
            _log.exception("the game that entry %d opened cannot be read", game[0].number)
    return found


def game_history(entries: Sequence[Entry]) -> GameHistory:
    """Returns the history of one game from its entries.

    Raises:
        TypeError: the first entry does not open a game.
    """
    entries = own_entries(entries)
    game, tables = _game_and_tables(entries)
    opening = entries[0].body
    if not isinstance(opening, GameOpened):
        raise TypeError(f"expected a game's opening, got {opening!r}")
    answered_questions, seatings = _answered_questions(entries), SeatingHistory(entries)
    rejected_numbers = {rejection.entry for rejection in game.rejected_entries}
    return GameHistory(
        number=entries[0].number,
        utc=entries[0].envelope.utc,
        ruleset=game.ruleset,
        names=seatings.now.names,
        first_dealer=game.state.first_dealer,
        state=game.state,
        tables=tables,
        seconds=_seconds(entries, game.hand_ends),
        acts=len(changes_of(entries, seatings=seatings).all),
        corrected=sum(_is_correction(entry) for entry in entries),
        undone=sum(isinstance(entry.body, Undone) for entry in entries),
        asked=_question_count(entries, game),
        interruptions=len(answered_questions),
        needless=sum(answered_questions.values()),
        round=round_of(entries),
        hand_names=tuple(map(seatings.names_at, game.hand_ends)),
        adjustment_names=tuple(
            seatings.names_at(entry.number)
            for entry in effective_entries(entries)
            if isinstance(entry.body, PointsAdjusted) and entry.number not in rejected_numbers
        ),
        counts=_counts(entries),
        end_reason=_end_reason(entries, rejected_numbers),
    )


def _counts(entries: Sequence[Entry]) -> bool:
    """Returns whether a game counts for the season, as people said last."""
    statements = [entry.body.counts for entry in effective_entries(entries) if isinstance(entry.body, CountedInSeason)]
    return not statements or statements[-1]


def _end_reason(entries: Sequence[Entry], rejected_numbers: Set[int]) -> str | None:
    """Returns why people ended a game; None if they did not, or if the rules refused it."""
    for entry in reversed(effective_entries(entries)):
        if isinstance(entry.body, GameEnded) and entry.number not in rejected_numbers:
            return entry.body.reason
    return None


def _game_and_tables(entries: Sequence[Entry]) -> tuple[FoldedGame, tuple[HandState | None, ...]]:
    """Returns the game after its last entry, and the table at the end of each finished hand.

    A hand that is not settled ends when the next one is dealt.
    """
    game = opened_game(entries[0])
    tables: list[HandState | None] = []
    for after in fold_steps(game, entries[1:]):
        if after.hand > game.hand:
            tables.append(after.state.hand if after.state.live is None else game.state.live)
        game = after
    return game, tuple(tables)


def hand_steps(entries: Sequence[Entry], hand: int) -> tuple[FoldedGame, ...]:
    """Returns the game after each event of one finished hand, for its replay; empty if there is no such hand.

    A hand of which only the result was entered has two steps: its start and its end. Privately declared waits are left
    out, since everybody can watch the replay.

    Args:
        entries: the game's entries, from its opening.
        hand: the number of the hand in the game, from 0.
    """
    hands = steps_of_hands(entries)
    return hands[hand] if hand < len(hands) else ()


def steps_of_hands(entries: Sequence[Entry]) -> list[tuple[FoldedGame, ...]]:
    """Returns the steps of every finished hand of a game as in `hand_steps`, oldest first, with a single fold."""
    found: dict[int, list[FoldedGame]] = {}
    before = opened_game(entries[0])
    for game in fold_steps(before, entries[1:]):
        if game.hand > before.hand:
            steps = found.setdefault(before.hand, [])
            if not steps:  # only its result was entered: nothing was seen between its deal and its end
                steps.append(replace(before, state=replace(before.state, hand=before.state.live)))
            steps.append(game)
        if game.state.live is not None and not _is_wait_alone(before, game):
            found.setdefault(game.hand, []).append(game)
        before = game
    return [tuple(found.get(number, ())) for number in range(before.hand)]


def _is_wait_alone(before: FoldedGame, after: FoldedGame) -> bool:
    """Whether nothing happened except, perhaps, that a seat declared its wait."""
    earlier, later = before.state.hand, after.state.hand
    if earlier is None or later is None:
        return False
    return replace(later, declared_waits=earlier.declared_waits, declared_furiten=earlier.declared_furiten) == earlier


def ended_hand_count(entries: Sequence[Entry], *, after: datetime, until: datetime) -> int:
    """Returns the number of a game's hands that ended between two moments, by the journal's clock."""
    ended_by = fold(opened_game(entries[0]), entries[1:]).hand_ends
    times = [entry.envelope.utc for entry in entries if entry.number in ended_by]
    return sum(after < datetime.fromisoformat(time) <= until for time in times)


def _seconds(entries: Sequence[Entry], hand_ends: Sequence[int]) -> tuple[float, ...]:
    times = {entry.number: entry.envelope.utc for entry in entries}
    ends = [times.get(entries[0].number, ""), *(times.get(number, "") for number in hand_ends)]
    return tuple(_seconds_between(start, end) for start, end in pairwise(ends))


def _seconds_between(start: str, end: str) -> float:
    """Returns the seconds between two moments; 0 if unknown, as when the clock was set meanwhile."""
    try:
        found = (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()
    except ValueError:
        return 0.0
    return found if 0 < found <= LONGEST_HAND_S else 0.0


def _question_count(entries: Sequence[Entry], game: FoldedGame) -> int:
    """Returns the number of uncertain readings and of missing discards that people were asked about."""
    missing = sum(logged.announcement.id is AnnouncementId.MISSING_DISCARD for logged in game.announcements)
    return missing + sum(isinstance(entry.body, QuestionAsked) for entry in entries)


def _answered_questions(entries: Sequence[Entry]) -> dict[int, bool]:
    """Returns the discards that people were asked about and answered, each with whether its reading was right.

    Only a question about the hand in play can be answered; it lapses with the hand.
    """
    tiles_as_read = {entry.number: entry.body.tile for entry in entries if isinstance(entry.body, Discarded)}
    open_questions: set[int] = set()
    answered: dict[int, bool] = {}
    for entry in entries:
        body = entry.body
        if isinstance(body, QuestionAsked) and body.entry is not None:
            open_questions.add(body.entry)
        elif _is_correction(entry) and isinstance(body, Corrected) and body.entry in open_questions:
            is_right = isinstance(body.event, Discarded) and body.event.tile is tiles_as_read.get(body.entry)
            answered.setdefault(body.entry, is_right)
    return answered


def _is_correction(entry: Entry) -> bool:
    is_tile = isinstance(entry.body, Corrected) and isinstance(entry.body.event, Discarded)
    return is_tile and entry.envelope.source is Source.PRESS
