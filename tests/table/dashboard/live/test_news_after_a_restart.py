"""A table that is started anew still shows what was announced before, also after a power cut."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from table.dashboard.live.table_view import table_view
from table.game.journal.journal import Journal
from table.game.table_loop import Table
from table.i18n import catalogue
from tests.table.game.by_hand import draw, table_at, tell, undo, win
from tests.table.game.table_by_hand import TableByHand


def _news(table: Table) -> list[dict[str, Any]]:
    return [dict(line) for line in table_view(table.board.latest, catalogue("en"))["news"]]


def test_the_last_results_are_still_news(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.journal") as journal:
        table = table_at(journal)
        tell(table, win(0, 1, 3), draw(2))
        before = _news(table)
    with Journal(tmp_path / "a.journal") as journal:
        assert _news(table_at(journal)) == before


def test_news_of_the_hand_in_play_name_no_tiles_of_the_run_before(journal: Journal) -> None:
    first = TableByHand(journal=journal).discard((0, "1m"), (1, "r2m"), (2, "3m"))
    before = _news(first.table)
    again = _news(TableByHand(journal=journal, indicator="").table)
    assert [line["text"] for line in again] == [line["text"] for line in before]
    assert [line["key"] for line in again] == [line["key"] for line in before]
    assert not any(line["pictures"] for line in again)


def test_a_result_from_before_a_restart_that_is_taken_back_is_withdrawn(journal: Journal) -> None:
    tell(table_at(journal), win(0, 1, 3))
    again = table_at(journal)
    undo(again)
    settled = [line["status"] for line in _news(again) if line["id"] == "settlement_confirmed"]
    assert settled[0] == "withdrawn"
