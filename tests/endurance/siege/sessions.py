"""Evenings at random: four seats, the owner and spectators give every command at once while everything else goes wrong.

The camera sees the demo's evening and is lost, the disk is full for a moment, the clock jumps by decades, posts come
twice or break off, backups are made, the program starts anew. In the end everything that was confirmed must stand in
the journal, every page must open, and the journal folded anew must give the state that was shown.
"""

from __future__ import annotations

import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from pathlib import Path
from random import Random

from table.appliance.appliance import Appliance, run_appliance
from table.appliance.files.data_folder import JOURNAL
from table.config import Config, LoadedConfig, PageConfig, TableConfig
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.snapshot import CameraHealth
from table.game.table_loop import Table
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import PressError
from tests.endurance.power_cuts import steps
from tests.endurance.siege.kept_journal import check_kept, check_whole, entries_of
from tests.endurance.siege.pages import page_rules, read_every_page
from tests.endurance.siege.phones import ROLES, Ledger, Phone, join_all, kept_failures
from tests.endurance.siege.tally import Tally
from tests.fakes.disks import full_disk
from tests.fakes.jumping_clock import JumpingClock
from tests.fakes.waiting import PATIENCE_S
from tests.table.game.by_hand import with_all_seen
from vision.felt import FeltReport

STARTS = 2
"""How often the program starts in one session."""
CALM = 0.7
"""How often people wait for each other."""
WATCHED = 0.5
"""How often a camera looks on."""
LOOKS = 0.8
"""How often a phone has the newest news before it posts."""
PAUSE_S = 0.1
"""Between two things that go wrong."""


def hold_session(seed: int, posts: int) -> Tally:
    """Lets people post so often, and checks what was confirmed."""
    chance, tally, ledger = Random(seed), Tally(), Ledger()
    with tempfile.TemporaryDirectory() as name:
        try:
            _hold(Path(name), posts, chance, ledger, tally)
            tally.survived = check_kept(entries_of(Path(name) / JOURNAL), ledger)
        except Exception as error:
            tally.fault(f"session, seed {seed}", error)
    tally.attempts = len(ledger.confirmed)
    tally.details.update({"sessions": 1, "refused": ledger.refused, "sent twice": ledger.repeated})
    tally.details["joined again"] = ledger.rejoined
    return tally


def _hold(folder: Path, posts: int, chance: Random, ledger: Ledger, tally: Tally) -> None:
    phones: list[Phone] = []
    for _ in range(STARTS):
        with run_appliance(configured(folder), clock=JumpingClock(chance.getrandbits(32))) as appliance:
            phones = phones or join_all(appliance.port, ledger, chance, (*ROLES, ""))
            for phone in phones:
                phone.go_to(appliance.port)
            _besiege(appliance, phones, posts // STARTS, chance, tally)
            readers = [phones[4], phones[chance.randrange(4)], phones[-1]]
            tally.details["pages read"] += read_every_page(readers, page_rules(appliance), chance)
            for phone in phones:
                phone.hang_up()
            assert not [line for line in appliance.log_buffer.lines if "could not be taken in" in line]
            _check(folder, appliance.table)


def configured(folder: Path) -> LoadedConfig:
    """A table without devices."""
    table = TableConfig(data=str(folder), name="besieged")
    return LoadedConfig(config=Config(table=table, page=PageConfig(host="127.0.0.1", port=0)))


def _check(folder: Path, table: Table) -> None:
    """Checks that the journal on the disk tells what the table shows."""
    entries = entries_of(folder / JOURNAL)
    check_whole(entries)
    with Journal(None) as journal:
        for entry in entries:
            journal.append(entry.envelope, entry.body)
        again = Table(journal=journal, referee=Referee(), ruleset=table.folded_game.ruleset, clock=LogicalClock())
    assert with_all_seen(again.state) == with_all_seen(table.state), "the journal folded anew tells another game"


def _besiege(appliance: Appliance, phones: list[Phone], posts: int, chance: Random, tally: Tally) -> None:
    """Lets all phones post while everything goes wrong: one after the other, or all at once."""
    failed: list[BaseException] = []
    turns = threading.Lock() if chance.random() < CALM else nullcontext()
    threads = [
        threading.Thread(target=_post_any, args=(phone, posts // (len(ROLES) if phone.by else 100), turns, failed))
        for phone in phones
    ]
    watched = iter(steps()[: chance.randrange(len(steps()))]) if chance.random() < WATCHED else iter(())
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        tally.details[_go_wrong(appliance, watched, chance)] += 1
        time.sleep(PAUSE_S)
    assert appliance.loop is not None
    appliance.loop.turn()
    if failed:
        raise failed[0]


def _post_any(phone: Phone, posts: int, turns: AbstractContextManager[object], failed: list[BaseException]) -> None:
    with kept_failures(phone, failed):
        for _ in range(posts):
            with turns:
                if not phone.table_json or phone.chance.random() < LOOKS:
                    phone.read_table()
                phone.give_any()


def _go_wrong(appliance: Appliance, watched: Iterator[object], chance: Random) -> str:
    """Lets one thing go wrong; returns what it is called."""
    deeds = (
        *[partial(_watch, appliance, watched, chance)] * 12,
        partial(_lose_camera, appliance, chance),
        partial(_fill_disk, appliance, chance),
        partial(_break_off, appliance.port, chance),
        partial(_back_up, appliance),
    )
    return chance.choice(deeds)()


def _watch(appliance: Appliance, watched: Iterator[object], chance: Random) -> str:
    """The camera sees some of the demo's evening, whatever people say meanwhile."""
    assert appliance.loop is not None
    for _ in range(chance.randrange(1, 5)):
        step = next(watched, None)
        if isinstance(step, FeltReport):
            appliance.loop.report(step)
        elif step is not None:
            with suppress(PressError):
                appliance.loop.handle(step)  # type: ignore[arg-type]
    return "looks of the camera"


def _lose_camera(appliance: Appliance, chance: Random) -> str:
    assert appliance.loop is not None
    appliance.loop.send(chance.choice((CameraHealth.LOST, CameraHealth.OK))).result()
    return "cameras lost or back"


def _fill_disk(appliance: Appliance, chance: Random) -> str:
    """Lets this process write no further than somewhere in the journal's files."""
    path = appliance.config.folder / JOURNAL
    size = max(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))
    with full_disk(chance.randrange(size + 1)):
        time.sleep(chance.uniform(0, PAUSE_S))
    return "full disks"


def _break_off(port: int, chance: Random) -> str:
    """A phone that goes away in the middle of a request, or speaks no HTTP."""
    whole = b'POST /api/press HTTP/1.1\r\nHost: localhost\r\nContent-Length: 30\r\n\r\n{"press": "draw"}'
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as line:
        line.sendall(chance.choice((whole[: chance.randrange(len(whole))], chance.randbytes(200))))
    return "broken requests"


def _back_up(appliance: Appliance) -> str:
    appliance.upkeep.back_up()
    return "backups"
