"""A game kept by people alone, and what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from table.game.commands.command_reader import read_result
from table.game.commands.game_commands import DeclareResult, DeclareRiichi, Press, Redo, Undo
from table.game.journal.entries import Source
from table.game.journal.journal import Journal
from table.game.referee import Finding, FoundEvent, Referee
from table.game.table_loop import Table
from table.rulebook.play_presets import HOME
from table.rules.events import Event
from table.rules.state import GameState
from table.rules.terms.results import DeclaredResult
from table.rules.terms.seats import SEATS
from table.runtime.clock import LogicalClock
from vision.felt import Felt, FeltReport


@dataclass(frozen=True, slots=True, kw_only=True)
class EventReport(FeltReport):
    """A report in which the camera sees these events."""

    events: tuple[Event, ...]


class EventReferee(Referee):
    """Finds what an `EventReport` says, and in every other report what a referee finds."""

    def on_report(self, report: FeltReport, get_state: Callable[[], GameState]) -> Iterator[Finding]:
        if isinstance(report, EventReport):
            yield from (FoundEvent(event=event, source=Source.CAMERA) for event in report.events)
        else:
            yield from super().on_report(report, get_state)


def table_at(journal: Journal) -> Table:
    return Table(journal=journal, referee=EventReferee(), ruleset=HOME, clock=LogicalClock())


def see(table: Table, *events: Event) -> None:
    """Lets the camera of a table of `table_at` see events."""
    table.report(EventReport(frame=0, t_ns=0, changes=(), felt=Felt(), events=events))


def win(seat: int, loser: int, han: int, fu: int | None = 30, riichi: tuple[int, ...] = ()) -> DeclaredResult:
    wins = [{"seat": seat, "from": loser, "han": han, "fu": fu}]
    kind = "tsumo" if seat == loser else "ron"
    return read_result({"kind": kind, "wins": wins, "riichi": list(riichi)})


def draw(*tenpai: int, riichi: tuple[int, ...] = ()) -> DeclaredResult:
    return read_result({"kind": "draw", "tenpai": list(tenpai), "riichi": list(riichi)})


def tell(table: Table, *results: DeclaredResult, by: str = "seat 0") -> None:
    for result in results:
        table.handle(DeclareResult(result=result, hand=table.folded_game.hand, by=by))


def undo(table: Table, **fields: Any) -> None:
    act = table.board.latest.changes.undo
    assert act is not None
    table.handle(Undo(act=act, **fields))


def redo(table: Table) -> None:
    act = table.board.latest.changes.redo
    assert act is not None
    table.handle(Redo(act=act))


def with_all_seen(state: GameState) -> GameState:
    """A game as if all of its hand had been seen: after a restart, discards may have gone unseen."""
    hand = state.hand
    return (
        state if hand is None else replace(state, hand=replace(hand, missed_at=(None,) * 4, unseen_from=None, gap=None))
    )


def riichi(seat: int) -> Press:
    return DeclareRiichi(seat=SEATS[seat])
