"""A game kept by people alone, and what they say."""

from __future__ import annotations

from typing import Any

from table.game.command_reader import read_result
from table.game.game_commands import DeclareResult, DeclareRiichi, Press, Redo, Undo
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table
from table.rulebook.play_presets import HOME
from table.rules.terms.results import DeclaredResult
from table.rules.terms.seats import SEATS
from table.runtime.clock import LogicalClock


def table_at(journal: Journal) -> Table:
    return Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock())


def win(seat: int, loser: int, han: int, fu: int | None = 30, riichi: tuple[int, ...] = ()) -> DeclaredResult:
    wins = [{"seat": seat, "from": loser, "han": han, "fu": fu}]
    kind = "tsumo" if seat == loser else "ron"
    return read_result({"kind": kind, "wins": wins, "riichi": list(riichi)})


def drawn(*tenpai: int, riichi: tuple[int, ...] = ()) -> DeclaredResult:
    return read_result({"kind": "draw", "tenpai": list(tenpai), "riichi": list(riichi)})


def tell(table: Table, *results: DeclaredResult, by: str = "seat 0") -> None:
    for result in results:
        table.handle(DeclareResult(result=result, hand=table.folded.hand, by=by))


def undo(table: Table, **fields: Any) -> None:
    act = table.board.latest.changes.undo
    assert act is not None
    table.handle(Undo(act=act, **fields))


def redo(table: Table) -> None:
    act = table.board.latest.changes.redo
    assert act is not None
    table.handle(Redo(act=act))


def riichi(seat: int) -> Press:
    return DeclareRiichi(seat=SEATS[seat])
