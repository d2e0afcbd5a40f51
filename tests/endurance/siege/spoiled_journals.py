"""Journals that a card, a power cut or a curious hand spoiled: the page comes up and shows the newest whole state."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any, Final

from table.appliance.files.data_folder import JOURNAL
from table.game.journal.entries import Entry, GameOpened
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_backup import BACKUPS, backups
from tests.endurance.siege.kept_journal import ShownState, entries_of, shown_by, shown_on
from tests.endurance.siege.phones import Ledger, Phone
from tests.endurance.siege.served import RunningCommand
from tests.endurance.siege.tally import Tally
from tests.endurance.siege.written_evening import write_evening

PAGES: Final = ("/", "/wall", "/game", "/game/1", "/health", "/fouls", "/rules", "/join", "/api/table", "/hand/0")


def spoil_journals(seed: int, attempts: int) -> Tally:
    """Spoils a journal so often, each time another copy of it, and looks at what the table makes of it."""
    chance, tally = Random(seed), Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_evening(folder / "good", seed)
        entries = entries_of(folder / "good" / JOURNAL)
        for number in range(attempts):
            damage = chance.choice(list(DAMAGES))
            tally.attempts += 1
            shutil.copytree(folder / "good", folder / "spoiled")
            try:
                tally.details[_try(damage, folder / "spoiled", entries, chance)] += 1
                tally.survived += 1
            except Exception as error:
                tally.fault(f"journal with {damage}, seed {seed}, attempt {number}", error)
            shutil.rmtree(folder / "spoiled")
    return tally


def _try(damage: str, folder: Path, entries: Sequence[Entry], chance: Random) -> str:
    """Spoils a journal in one way, starts the table, and checks what it shows; returns what came of it."""
    DAMAGES[damage](folder, chance)
    states = {
        shown_by(entries[:number]): number for number in range(len(entries), 0, -1) if _has_game(entries[:number])
    }
    with RunningCommand(["run", "--data", folder, "--port", "0"], folder.parent / "said") as running:
        phone = Phone(port=running.port(), by="", chance=chance, ledger=Ledger())
        for page in PAGES:
            code, body = phone.get(page)
            assert code < 500, f"{page} was answered {code}: {body[:300]!r}"
        found = shown_on(json.loads(phone.get("/api/table")[1]))
        status = json.loads(phone.get("/api/health")[1])["journal"]
        phone.hang_up()
        running.kill()
    return _verdict(found, status, states, entries)


def _verdict(
    found: ShownState, status: Mapping[str, Any], states: Mapping[ShownState, int], entries: Sequence[Entry]
) -> str:
    """Holds what the page shows, and what its health says of the journal, against what the journal held."""
    assert found in states, f"the page shows what never was: {found}, {status}"
    if found == shown_by(entries) and status["entries"] >= len(entries):
        return "shown whole with a note" if status["notes"] else "shown whole"
    assert status["notes"], f"the page shows entry {states[found]} of {len(entries)} and says nothing of it: {status}"
    return "shown as of before, with a note"


def _has_game(entries: Sequence[Entry]) -> bool:
    return any(isinstance(entry.body, GameOpened) for entry in entries)


# --- What is spoiled --------------------------------------------------------------------------------------------------


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _fold_log(path: Path) -> None:
    """Brings what the log holds into the file, as a program does that ends in order."""
    with Journal(path):
        pass


def _flip(path: Path, chance: Random, count: int) -> None:
    """Writes other bytes into a file."""
    content = bytearray(path.read_bytes())
    for _ in range(count):
        content[chance.randrange(len(content))] ^= chance.randrange(1, 256)
    path.write_bytes(content)


def _flipped(folder: Path, chance: Random) -> None:
    _fold_log(folder / JOURNAL)
    _flip(folder / JOURNAL, chance, 20)


def _flipped_once(folder: Path, chance: Random) -> None:
    _fold_log(folder / JOURNAL)
    _flip(folder / JOURNAL, chance, 1)


def _flipped_beside_log(folder: Path, chance: Random) -> None:
    _flip(folder / JOURNAL, chance, 20)


def _log_flipped(folder: Path, chance: Random) -> None:
    _flip(_log_of(folder / JOURNAL), chance, 20)


def _log_cut(folder: Path, chance: Random) -> None:
    log = _log_of(folder / JOURNAL)
    with log.open("r+b") as file:
        file.truncate(chance.randrange(log.stat().st_size))


def _log_gone(folder: Path, _: Random) -> None:
    _log_of(folder / JOURNAL).unlink()


def _file_cut(folder: Path, chance: Random) -> None:
    _fold_log(folder / JOURNAL)
    with (folder / JOURNAL).open("r+b") as file:
        file.truncate(chance.randrange((folder / JOURNAL).stat().st_size))


def _garbage(folder: Path, chance: Random) -> None:
    _fold_log(folder / JOURNAL)
    (folder / JOURNAL).write_bytes(chance.choice((b"a shopping list\n" * 900, bytes(9000), chance.randbytes(9000))))


def _rows(path: Path, chance: Random, change: str, *values: Any, first: int = 2) -> None:
    """Changes one entry in the middle."""
    with closing(sqlite3.connect(path)) as database, database:
        (last,) = database.execute("SELECT max(number) FROM entry").fetchone()
        for table in ("immutable_entry", "keep_entry"):
            with suppress(sqlite3.Error):
                database.execute(f"DROP TRIGGER {table}")
        database.execute(change, (*values, chance.randrange(first, last)))


def _entry_gone(folder: Path, chance: Random) -> None:
    _rows(folder / JOURNAL, chance, "DELETE FROM entry WHERE number = ?")


def _first_entry_gone(folder: Path, chance: Random) -> None:
    with closing(sqlite3.connect(folder / JOURNAL)) as database, database:
        database.execute("DELETE FROM entry WHERE number = 1")


def _garbage_body(folder: Path, chance: Random) -> None:
    garbage = chance.choice(("", "null", "[]", '{"is": "Nothing"}', '{"is": "TilePassed"}', "{", "\ud7ff"))
    _rows(folder / JOURNAL, chance, "UPDATE entry SET body = ? WHERE number = ?", garbage)


def _another_body(folder: Path, chance: Random) -> None:
    """One entry says what another one says."""
    change = "UPDATE entry SET body = (SELECT body FROM entry AS other WHERE other.number = ?) WHERE number = ?"
    _rows(folder / JOURNAL, chance, change, chance.randrange(2, 9), first=9)


def _garbage_envelope(folder: Path, chance: Random) -> None:
    _rows(folder / JOURNAL, chance, "UPDATE entry SET envelope = ? WHERE number = ?", chance.choice(("", "{}", "7")))


def _table_dropped(folder: Path, _: Random) -> None:
    with closing(sqlite3.connect(folder / JOURNAL)) as database, database:
        database.execute("DROP TABLE entry")


def _backup_too(folder: Path, chance: Random) -> None:
    """The newest backup holds a garbage body, and the journal is flipped."""
    copy = backups(folder / BACKUPS, Path(JOURNAL).stem)[0]
    _rows(copy, chance, "UPDATE entry SET body = ? WHERE number = ?", '{"is": "Nothing"}')
    _flipped(folder, chance)
    _flip_header(folder, chance)


def _flip_header(folder: Path, _: Random) -> None:
    with (folder / JOURNAL).open("r+b") as file:
        file.write(b"\xa5" * 16)


def _foreign_log(folder: Path, chance: Random) -> None:
    _fold_log(folder / JOURNAL)
    for side in ("-wal", "-shm", "-journal"):
        (folder / (JOURNAL + side)).write_bytes(chance.randbytes(chance.randrange(1, 9000)))


def _file_gone(folder: Path, _: Random) -> None:
    """The journal is gone and its log still lies there."""
    (folder / JOURNAL).unlink()


DAMAGES: Final[Mapping[str, Callable[[Path, Random], None]]] = {
    "20 flipped bytes": _flipped,
    "one flipped byte": _flipped_once,
    "20 flipped bytes beside its log": _flipped_beside_log,
    "a flipped log": _log_flipped,
    "a cut log": _log_cut,
    "no log": _log_gone,
    "a cut file": _file_cut,
    "garbage for a file": _garbage,
    "an entry gone": _entry_gone,
    "its first entry gone": _first_entry_gone,
    "a garbage body": _garbage_body,
    "another entry's body": _another_body,
    "a garbage envelope": _garbage_envelope,
    "no table of entries": _table_dropped,
    "a flipped header and a bad backup": _backup_too,
    "a foreign log": _foreign_log,
    "no file": _file_gone,
}
