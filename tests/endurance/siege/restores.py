"""Restores that are killed: the journal that lay there or the one that was wanted, never an empty evening."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from table.appliance.files.data_folder import JOURNAL
from table.game.journal.recovery.journal_backup import BACKUPS, backups
from tests.endurance.siege.kept_journal import bodies_of, check_whole, entries_of, shown_by, shown_on
from tests.endurance.siege.phones import Ledger, Phone, UnansweredError, join_all
from tests.endurance.siege.served import RunningCommand
from tests.endurance.siege.tally import Tally
from tests.endurance.siege.written_evening import write_evening

MOST_S = 0.15
"""The command is killed at most so long after it began."""
MOST_PAGE_S = 1.5
"""And the table whose owner asked for it by a tap."""
BY_PAGE = 0.25
"""How often it is the owner's tap."""
SIGHT_LOST = {"is": "SightLost"}
"""A table without a camera adds this to a journal that ends in a watched hand."""


def interrupt_restores(seed: int, attempts: int) -> Tally:
    """Kills so many restores, each over another copy of a journal; those that were done before are not counted."""
    chance, tally = Random(seed), Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_evening(folder / "good", seed)
        while tally.attempts < attempts:
            shutil.copytree(folder / "good", folder / "data")
            try:
                _try(folder / "data", chance, tally)
            except Exception as error:
                tally.fault(f"restore, seed {seed}, attempt {tally.attempts}", error)
            shutil.rmtree(folder / "data")
    return tally


def _try(data: Path, chance: Random, tally: Tally) -> None:
    copy = chance.choice(backups(data / BACKUPS, Path(JOURNAL).stem))
    old, new = bodies_of(entries_of(data / JOURNAL)), bodies_of(entries_of(copy))
    kill = _kill_page if chance.random() < BY_PAGE else _kill_command
    if not kill(data, copy, chance):
        tally.details["done before"] += 1
        return
    tally.attempts += 1
    tally.details[_found(data, old, new)] += 1
    tally.survived += 1


def _kill_command(data: Path, copy: Path, chance: Random) -> bool:
    """Kills `tachiai restore`; returns whether it was not done yet."""
    with RunningCommand(["restore", copy, "--data", data], data.parent / "said") as running:
        running.wait_for_begin()
        time.sleep(chance.uniform(0, MOST_S))
        return running.kill()


def _kill_page(data: Path, copy: Path, chance: Random) -> bool:
    """Kills a table that its owner told to restore a backup and to go on with that."""
    with RunningCommand(["run", "--data", data, "--port", "0"], data.parent / "said") as running:
        (owner,) = join_all(running.port(), Ledger(), chance, ("owner",))
        with suppress(UnansweredError):  # a machine that does much else may end the table before its answer is out
            assert owner.post_form("/health", do="restore", name=copy.name, sure="yes") == 202
        owner.hang_up()
        time.sleep(chance.uniform(0, MOST_PAGE_S))
        return running.kill()


def _found(data: Path, old: Sequence[Any], new: Sequence[Any]) -> str:
    """Starts the table and returns which journal it found."""
    with RunningCommand(["run", "--data", data, "--port", "0"], data.parent / "said") as running:
        phone = Phone(port=running.port(), by="", chance=Random(), ledger=Ledger())
        entries = entries_of(data / JOURNAL)
        assert shown_on(phone.read_table()) == shown_by(entries)
        phone.hang_up()
        running.kill()
        log = running.log_text
    check_whole(entries)
    bodies = bodies_of(entries)
    if bodies not in (old, new) and bodies[-1] == SIGHT_LOST:
        bodies.pop()
    assert bodies in (old, new), f"{len(bodies)} entries were found, expected {len(old)} or {len(new)}: {log}"
    return "the old journal" if bodies == old else "the new one"
