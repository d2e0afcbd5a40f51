"""Pulls the plug on the real process while phones post to it: nothing that was confirmed may be lost."""

from __future__ import annotations

import json
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from table.appliance.files.data_folder import JOURNAL
from table.game.journal.entries import Entry
from tests.endurance.siege.kept_journal import bodies_of, check_kept, check_whole, entries_of, shown_by, shown_on
from tests.endurance.siege.phones import Ledger, Phone, UnansweredError, join_all, kept_failures
from tests.endurance.siege.served import RunningCommand
from tests.endurance.siege.tally import Tally

MOST_ALIVE_S = 0.6
"""The process lives at most so long after the phones began to post."""


def kill_while_posting(seed: int, kills: int) -> Tally:
    """Kills a table so often, each time in the middle of posts, and checks what it finds when it starts again."""
    tally, ledger = Tally(), Ledger()
    with tempfile.TemporaryDirectory() as name:
        try:
            _besiege(Path(name), kills, Random(seed), ledger, tally)
        except Exception as error:
            tally.fault(f"kill, seed {seed}, after {tally.attempts} kills", error)
    tally.details.update({"acts confirmed": len(ledger.confirmed), "posts unanswered": len(ledger.uncertain)})
    return tally


def _besiege(folder: Path, kills: int, chance: Random, ledger: Ledger, tally: Tally) -> None:
    phones: list[Phone] = []
    before: list[Entry] = []
    for number in range(kills + 1):
        with RunningCommand(["run", "--data", folder / "data", "--port", "0"], folder / "said") as running:
            port = running.port()
            phones = phones or join_all(port, ledger, chance)
            for phone in phones:
                phone.go_to(port)
            before = _check_start(phones[0], folder / "data" / JOURNAL, before, ledger)
            tally.survived = number
            if number < kills:
                tally.attempts += 1
                assert _kill(running, phones, chance), f"the process ended by itself: {running.log_text[-2000:]}"
    for phone in phones:
        phone.hang_up()


def _check_start(phone: Phone, path: Path, before: list[Entry], ledger: Ledger) -> list[Entry]:
    """Checks what a table starts with: all that was there and confirmed, and nothing had to be mended."""
    shown_state, entries = shown_on(phone.read_table()), list(entries_of(path))
    assert bodies_of(entries[: len(before)]) == bodies_of(before)
    check_kept(entries, ledger)
    check_whole(entries)
    assert shown_state == shown_by(entries)
    health = json.loads(phone.get("/api/health")[1])
    assert not health["journal"]["notes"], health["journal"]["notes"]
    return entries


def _kill(running: RunningCommand, phones: list[Phone], chance: Random) -> bool:
    """Lets all phones post until the process is killed; returns whether it ran until then."""
    failed: list[BaseException] = []
    threads = [threading.Thread(target=_post_on, args=(phone, failed)) for phone in phones]
    for thread in threads:
        thread.start()
    time.sleep(chance.uniform(0, MOST_ALIVE_S))
    ran = running.kill()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return ran


def _post_on(phone: Phone, failed: list[BaseException]) -> None:
    """Posts until nobody answers any more."""
    with kept_failures(phone, failed), suppress(UnansweredError):
        while True:
            phone.read_table()
            phone.give_any()
