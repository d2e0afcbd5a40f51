"""The sheet that corrects a finished hand begins with everything that its payments follow from."""

from __future__ import annotations

from typing import Any

import pytest

from table.dashboard.scores.score_text import sheet_view
from table.game.commands.command_reader import read_result
from table.game.commands.game_commands import EditResult
from table.game.journal.journal import Journal
from table.game.table_loop import Table
from table.i18n import catalogue
from table.rules.notation.event_notation import parse_events
from tests.table.game.by_hand import see, table_at, tell

DRAGONS = ["big_three_dragons", 13]


def _edited_as_it_was(table: Table) -> None:
    """Corrects the first hand to what its sheet begins with: nothing may change."""
    before = table.state
    result = sheet_view(before.history, catalogue("en"))[0]["told"]
    table.handle(EditResult(hand=0, result=read_result(result), why="as it was", by="owner"))
    assert table.state.scores == before.scores
    assert table.state.history[0].settlement == before.history[0].settlement
    assert sheet_view(table.state.history, catalogue("en"))[0]["told"] == result


def _win(seat: int, loser: int, **fields: Any) -> dict[str, Any]:
    return {"seat": seat, "from": loser, "yakuman": 1, "yaku": [DRAGONS], **fields}


@pytest.mark.parametrize(
    "result",
    [
        {"kind": "tsumo", "wins": [_win(1, 1, pao={"big_three_dragons": 3})]},
        {"kind": "ron", "wins": [_win(1, 0, pao={"big_three_dragons": 3})], "riichi": [0]},
        {"kind": "draw", "nagashi": [2], "tenpai": [0, 2]},
        {"kind": "draw", "nagashi": [0, 1], "riichi": [1], "tenpai": [1]},
        {"kind": "draw", "tenpai": [3]},
        {"kind": "abort", "reason": "four_winds", "riichi": [2]},
    ],
    ids=["tsumo with pao", "ron with pao", "nagashi", "two nagashi", "no nagashi", "an abort"],
)
def test_a_result_told_by_people_begins_its_correction(journal: Journal, result: dict[str, Any]) -> None:
    table = table_at(journal)
    tell(table, read_result(result))
    _edited_as_it_was(table)


@pytest.mark.parametrize(
    "events",
    [
        "0 discards 5z; 1 pon 5z from 0 with 55z; 1 discards 2m; 2 discards 6z; 1 pon 6z from 2 with 66z; "
        "1 discards 2p; 3 discards 7z; 1 pon 7z from 3 with 77z; 1 discards 2s; 2 discards 9p; 3 discards 9p; "
        "0 discards 9p; 1 tsumo; 1 shows 1m9s9s9s with 1m; confirm",
        "0 discards 1m; 1 discards 2m; 2 discards 2p; 3 discards 2s; draw; confirm",
    ],
    ids=["pao", "nagashi"],
)
def test_what_the_camera_saw_begins_the_correction(journal: Journal, events: str) -> None:
    table = table_at(journal)
    see(table, *parse_events(f"start E1 scores=25000,25000,25000,25000 dora=9m; {events}"))
    _edited_as_it_was(table)
