"""A tournament, computed from the acts at its desk. Pure."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Final, assert_never

from table.game.journal.entries import Names
from table.mqtt.desk_signal import sent_moment
from table.mqtt.table_games import TableGame
from table.mqtt.tournament import acts
from table.mqtt.tournament.acts import (
    Act,
    Change,
    GameHeard,
    PenaltyGiven,
    PlayerReplaced,
    ResultTold,
    RoundBegun,
    TournamentOpened,
)
from table.mqtt.tournament.game_rounds import played_round
from table.rules.terms.seats import four

MOST_MINUTES: Final = 600
"""Limit of a round's length."""
MOST_POINTS: Final = 1_000_000
"""Limit of a result entered at the desk, and of a penalty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """Points deducted from a player's total."""

    act: PenaltyGiven
    cancel_reason: str | None = None
    """Why it was cancelled; None if it counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """The state of one tournament."""

    opening: TournamentOpened
    begun_rounds: tuple[RoundBegun, ...] = ()
    """The rounds that have begun; if one was begun again, the last time counts."""
    called_at: str | None = None
    """When time was called in the current round; None if it was not."""
    games: Mapping[str, Mapping[str, GameHeard]] = field(default_factory=dict)
    """Each table's games, by the game's identity, in the order in which they were first reported."""
    moved_games: Mapping[tuple[str, str], int | None] = field(default_factory=dict)
    """The rounds that games count for by the desk's decision, by table and the game's identity."""
    agreed_games: frozenset[tuple[str, str]] = frozenset()
    """Games that people stopped and that count by the desk's decision, by table and the game's identity."""
    entered_results: Mapping[tuple[int, int], ResultTold] = field(default_factory=dict)
    """Results entered at the desk, by round and table."""
    penalties: tuple[Penalty, ...] = ()
    replacements: Mapping[tuple[int, int], PlayerReplaced] = field(default_factory=dict)
    """Substitutes, by round and player; one without a name was withdrawn."""
    rulings: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Rulings on appeals, by table and clip."""
    _rounds_by_table: dict[str, tuple[tuple[TableGame, int | None], ...]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    @property
    def round(self) -> int | None:
        """The current or last round; None before the first."""
        return self.begun_rounds[-1].round if self.begun_rounds else None

    @property
    def until(self) -> str:
        """When time is called in the current round; empty if people call it, or it was called."""
        return self.begun_rounds[-1].until if self.begun_rounds and self.called_at is None else ""

    def seated_round(self, *, is_round_over: bool) -> int | None:
        """Returns the round, from 1, for which people sit down; None after the last.

        It is the next one once time was called, or all games of the current one have ended.
        """
        following = 1 if self.round is None else self.round + 1 + (is_round_over or self.called_at is not None)
        return following if following <= len(self.opening.rounds) else None

    def seated(self, seated_round: int | None) -> dict[str, Names]:
        """Returns who sits down in a round at each table that is at the broker, from East on; substitutes by name."""
        if seated_round is None:
            return {}
        round_ = seated_round - 1
        tables = zip(self.opening.tables, self.opening.rounds[round_], strict=True)
        return {name: four(self._name_in(round_, player) for player in seats) for name, seats in tables if name}

    def _name_in(self, round_: int, player: int) -> str:
        replacement = self.replacements.get((round_, player))
        return replacement.by if replacement is not None and replacement.by else self.opening.players[player]

    def games_of(self, round_: int, table: int) -> tuple[TableGame, ...]:
        """Returns the games that a table played in a round, without those whose only hand was taken back."""
        name = self.opening.tables[table]
        return tuple(game for game, counts in self.rounds_of(name) if counts == round_ and game.hands)

    def game_begun_anew(self, table: int, stopped: TableGame) -> TableGame | None:
        """Returns the last game that a table played after one that people stopped, and that counts for no round yet.

        None without one: games of the next rounds, and those that the desk excluded, are not meant.
        """
        name = self.opening.tables[table]
        games = [(game, counts) for game, counts in self.rounds_of(name) if game.hands]
        later_games = games[[game.identity for game, _ in games].index(stopped.identity) + 1 :]
        uncounted_games = takewhile(lambda each: each[1] is None, later_games)
        found = [game for game, _ in uncounted_games if (name, game.identity) not in self.moved_games]
        return found[-1] if found else None

    def is_agreed(self, table: int, game: TableGame) -> bool:
        """Returns whether the desk decided that a game which people stopped counts."""
        return (self.opening.tables[table], game.identity) in self.agreed_games

    def rounds_of(self, table: str) -> tuple[tuple[TableGame, int | None], ...]:
        """Returns a table's games, each with the round that it counts for; None if it counts for none."""
        if table not in self._rounds_by_table:
            self._rounds_by_table[table] = tuple(self._with_rounds(table))
        return self._rounds_by_table[table]

    def _with_rounds(self, table: str) -> Iterator[tuple[TableGame, int | None]]:
        finished_rounds, played_rounds = set[int](), set[int]()
        for report in self.games.get(table, {}).values():
            round_ = self._round_of(table, report, finished_rounds, played_rounds)
            if round_ is not None and report.game.is_played_out:
                finished_rounds.add(round_)
            if round_ is not None and report.game.hands:
                played_rounds.add(round_)
            yield report.game, round_

    def _round_of(
        self, table: str, report: GameHeard, finished_rounds: Container[int], played_rounds: Collection[int]
    ) -> int | None:
        key = (table, report.game.identity)
        if key in self.moved_games:
            return self.moved_games[key]
        return played_round(
            report,
            self.begun_rounds,
            table,
            self.opening.event,
            finished_rounds=finished_rounds,
            played_rounds=played_rounds,
        )


def tournaments_of(done: Iterable[Act]) -> tuple[Tournament, ...]:
    """Returns every tournament that was opened, as it ended; the last one is open."""
    found: list[Tournament] = []
    for act in done:
        now = apply_act(found[-1] if found else None, act)
        if now is not None:
            found[len(found) - (not isinstance(act, TournamentOpened)) :] = [now]
    return tuple(found)


def apply_act(before: Tournament | None, act: Act) -> Tournament | None:
    """Returns the tournament after one more act; acts before the first tournament are ignored."""
    if isinstance(act, TournamentOpened):
        return Tournament(opening=act)
    return None if before is None else _apply(before, act)


def is_possible(now: Tournament | None, act: Act) -> bool:
    """Returns whether a tournament has the rounds, tables, players and penalties that an act names, at a real time.

    Acts before the first tournament are possible, since they are ignored.
    """
    if isinstance(act, TournamentOpened):
        return _is_seating_complete(act)
    return now is None or _is_possible(now, act)


def _is_seating_complete(opening: TournamentOpened) -> bool:
    """Returns whether every round seats known players, at every table."""
    players, count = range(len(opening.players)), len(opening.tables)
    seats = (seat for tables in opening.rounds for table in tables for seat in table)
    is_full = all(len(tables) == count for tables in opening.rounds)
    return is_full and all(seat in players for seat in seats) and 0 <= opening.minutes <= MOST_MINUTES


def _is_possible(now: Tournament, act: Change) -> bool:
    rounds, players = range(len(now.opening.rounds)), range(len(now.opening.players))
    match act:
        case acts.RoundBegun():
            return act.round in rounds and _is_time(act.at) and (not act.until or _is_time(act.until))
        case acts.ClockMoved():
            return bool(now.begun_rounds) and _is_time(act.until)
        case acts.TimeCalled():
            return bool(now.begun_rounds) and _is_time(act.at)
        case acts.GameHeard():
            return not act.at or _is_time(act.at)
        case acts.GameMoved():
            return act.round is None or act.round in rounds
        case acts.ResultTold():
            is_small = act.scores is None or all(abs(score) <= MOST_POINTS for score in act.scores)
            return act.round in rounds and 0 <= act.table < len(now.opening.tables) and is_small
        case acts.PenaltyGiven():
            return act.player in players and 0 < act.points <= MOST_POINTS
        case acts.PenaltyCancelled():
            return 0 <= act.penalty < len(now.penalties) and now.penalties[act.penalty].cancel_reason is None
        case acts.PlayerReplaced():
            is_small = act.points is None or abs(act.points) <= MOST_POINTS
            return act.round in rounds and act.player in players and is_small
        case acts.AppealDecided():
            return True
        case _:
            assert_never(act)


def _is_time(text: str) -> bool:
    try:
        sent_moment(text)
    except ValueError:
        return False
    return True


def _apply(now: Tournament, act: Change) -> Tournament:
    match act:
        case acts.RoundBegun():
            earlier = tuple(begun for begun in now.begun_rounds if begun.round != act.round)
            return replace(now, begun_rounds=(*earlier, act), called_at=None)
        case acts.ClockMoved():
            return replace(
                now,
                begun_rounds=(*now.begun_rounds[:-1], replace(now.begun_rounds[-1], until=act.until)),
                called_at=None,
            )
        case acts.TimeCalled():
            return replace(now, called_at=act.at)
        case acts.GameHeard():
            games = now.games.get(act.table, {})
            first = games.get(act.game.identity, act)
            games = {**games, act.game.identity: replace(act, at=first.at)}
            agreed_games = (
                now.agreed_games if act.game.is_stopped else now.agreed_games - {(act.table, act.game.identity)}
            )
            return replace(now, games={**now.games, act.table: games}, agreed_games=agreed_games)
        case acts.GameMoved():
            moved = {
                (act.table, identity): report.game.is_stopped and act.round is not None
                for identity, report in now.games.get(act.table, {}).items()
                if report.game.number == act.game and act.opened in ("", report.game.opened)
            }
            agreed_games = (now.agreed_games - moved.keys()) | {game for game, counts in moved.items() if counts}
            return replace(
                now, moved_games={**now.moved_games, **dict.fromkeys(moved, act.round)}, agreed_games=agreed_games
            )
        case acts.ResultTold():
            return replace(now, entered_results={**now.entered_results, (act.round, act.table): act})
        case acts.PenaltyGiven():
            return replace(now, penalties=(*now.penalties, Penalty(act=act)))
        case acts.PenaltyCancelled():
            cancelled = replace(now.penalties[act.penalty], cancel_reason=act.why)
            return replace(now, penalties=(*now.penalties[: act.penalty], cancelled, *now.penalties[act.penalty + 1 :]))
        case acts.PlayerReplaced():
            return replace(now, replacements={**now.replacements, (act.round, act.player): act})
        case acts.AppealDecided():
            return replace(now, rulings={**now.rulings, (act.table, act.clip): act.ruling})
        case _:
            assert_never(act)
