"""A table's data as a power cut leaves it: some games, the newest entries in the journal's log alone, and backups."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from random import Random

from table.appliance.files.data_folder import JOURNAL
from table.game.commands.command_reader import read_result
from table.game.commands.game_commands import DeclareResult, NameSeats, OpenGame
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_backup import BACKUPS, back_up
from table.runtime.table_errors import PressError
from tests.endurance.power_cuts import steps, table_at, take
from tests.endurance.siege.served import FORKING

SHARES = (0.3, 0.6, 0.8)
"""After how much of the evening a backup is made."""
RESULTS = (
    {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 30}]},
    {"kind": "tsumo", "wins": [{"seat": 2, "from": 2, "han": 2, "fu": 40}]},
    {"kind": "draw", "tenpai": [0, 3]},
)


def write_evening(folder: Path, seed: int) -> None:
    """Writes an evening into a folder, by a process that ends without closing anything."""
    process = FORKING.Process(target=_write, args=(str(folder), seed))
    process.start()
    process.join()
    assert process.exitcode == 0
    process.close()


def _write(name: str, seed: int) -> None:
    chance, folder = Random(seed), Path(name)
    folder.mkdir(parents=True, exist_ok=True)
    watched_steps = steps()[: chance.randrange(40, 160)]
    results = chance.randrange(8, 30)
    journal = Journal(folder / JOURNAL)
    table = table_at(journal)
    marks = [int(share * (len(watched_steps) + results)) for share in SHARES]
    for number in range(len(watched_steps) + results):
        if number < len(watched_steps):
            take(table, watched_steps[number])
        else:
            with suppress(PressError):
                if number == len(watched_steps) or table.state.is_over:
                    table.handle(OpenGame(by="owner"))
                table.handle(NameSeats(names=(f"player {number}", "", "", ""), by="seat 0"))
                hand = len(table.state.history)
                table.handle(DeclareResult(result=read_result(chance.choice(RESULTS)), hand=hand, by="seat 1"))
        if number in marks:
            back_up(folder / JOURNAL, folder / BACKUPS, day=f"2026-11-{number % 28 + 1:02d}", keep=9)
    os._exit(0)
