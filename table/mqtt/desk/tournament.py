"""A tournament, computed from the acts at its desk. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Final, assert_never

from table.mqtt.desk import acts
from table.mqtt.desk.acts import Act, Change, PenaltyGiven, PlayerReplaced, ResultTold, RoundBegun, TournamentOpened
from table.mqtt.desk_signal import moment
from table.mqtt.table_games import TableGame

EARLY: Final = timedelta(minutes=10)
"""How long before a round begins a table may open its game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """Points deducted from a player's total."""

    given: PenaltyGiven
    cancelled: str | None = None
    """Why it does not count; None if it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """The state of one tournament."""

    opened: TournamentOpened
    begun: tuple[RoundBegun, ...] = ()
    """The rounds that have begun; if one was begun again, the last time counts."""
    called: str | None = None
    """When time was called in the current round; None if it was not."""
    games: Mapping[str, Mapping[int, TableGame]] = field(default_factory=dict)
    """Each table's games, by the game's number."""
    moved: Mapping[tuple[str, int], int | None] = field(default_factory=dict)
    """The rounds that games count for by the desk's decision."""
    told: Mapping[tuple[int, int], ResultTold] = field(default_factory=dict)
    """Results entered at the desk, by round and table."""
    penalties: tuple[Penalty, ...] = ()
    replaced: Mapping[tuple[int, int], PlayerReplaced] = field(default_factory=dict)
    """By round and player."""
    rulings: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """On appeals, by table and clip."""

    @property
    def round(self) -> int | None:
        """The current or last round; None before the first."""
        return self.begun[-1].round if self.begun else None

    @property
    def until(self) -> str:
        """When time is called in the current round; empty if people call it, or it was called."""
        return self.begun[-1].until if self.begun and self.called is None else ""

    def games_of(self, round_: int, table: int) -> tuple[TableGame, ...]:
        """Returns the games that a table played in a round; the last one counts."""
        name = self.opened.tables[table]
        played = self.games.get(name, {})
        return tuple(played[number] for number in sorted(played) if self.round_of(name, played[number]) == round_)

    def round_of(self, table: str, game: TableGame) -> int | None:
        """Returns the round that a table's game counts for; None if it counts for none."""
        if (table, game.number) in self.moved:
            return self.moved[table, game.number]
        for begun in reversed(self.begun):
            if game.number > begun.before.get(table, 0) and _is_opened_in(game, begun):
                return begun.round
        return None


def _is_opened_in(game: TableGame, begun: RoundBegun) -> bool:
    """Returns whether a game was opened after the round had begun, or shortly before."""
    return not game.opened or moment(game.opened) >= moment(begun.at) - EARLY


def tournament_of(done: Iterable[Act]) -> Tournament | None:
    """Returns the last tournament opened; None before the first."""
    found: Tournament | None = None
    for act in done:
        found = after(found, act)
    return found


def after(before: Tournament | None, act: Act) -> Tournament | None:
    """Returns the tournament after one more act; acts before the first tournament are ignored."""
    if isinstance(act, TournamentOpened):
        return Tournament(opened=act)
    return None if before is None else _with(before, act)


def _with(now: Tournament, act: Change) -> Tournament:
    match act:
        case acts.RoundBegun():
            earlier = tuple(each for each in now.begun if each.round != act.round)
            return replace(now, begun=(*earlier, act), called=None)
        case acts.ClockMoved():
            return replace(now, begun=(*now.begun[:-1], replace(now.begun[-1], until=act.until)), called=None)
        case acts.TimeCalled():
            return replace(now, called=act.at)
        case acts.GameHeard():
            games = {**now.games.get(act.table, {}), act.game.number: act.game}
            return replace(now, games={**now.games, act.table: games})
        case acts.GameMoved():
            return replace(now, moved={**now.moved, (act.table, act.game): act.round})
        case acts.ResultTold():
            return replace(now, told={**now.told, (act.round, act.table): act})
        case acts.PenaltyGiven():
            return replace(now, penalties=(*now.penalties, Penalty(given=act)))
        case acts.PenaltyCancelled():
            one = replace(now.penalties[act.penalty], cancelled=act.why)
            return replace(now, penalties=(*now.penalties[: act.penalty], one, *now.penalties[act.penalty + 1 :]))
        case acts.PlayerReplaced():
            return replace(now, replaced={**now.replaced, (act.round, act.player): act})
        case acts.AppealDecided():
            return replace(now, rulings={**now.rulings, (act.table, act.clip): act.ruling})
        case _:
            assert_never(act)
