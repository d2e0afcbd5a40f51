"""Files of every kind that a table reads, spoiled at random: each is taken or refused by one clear error."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from table.appliance.files.data_folder import JOURNAL, SECRETS
from table.appliance.setup.owner_choices import FILE as CHOICES
from table.appliance.table_server import phone_photos
from table.camera.phone_photos import Photos
from table.cli.main import main
from table.dashboard.web.access.vault import Vault
from table.game.journal.history.game_history import games_of
from table.game.journal.recovery.journal_backup import BACKUPS, backups
from table.game.journal.recovery.journal_check import game_trouble
from table.records.mjai.mjai_writer import write_mjai
from table.rulebook import rules_named, write_house
from table.rulebook.ruleset_reader import SHIPPED
from table.runtime.table_errors import TachiaiError
from tests.endurance.siege.kept_journal import bodies_of, entries_of
from tests.endurance.siege.tally import Tally
from tests.endurance.siege.written_evening import write_evening
from tests.fakes.desks import PIN
from tests.places import RECORDINGS, ROOT
from tests.table.records.selfplay import engine_files, selfplay_game
from vision.errors import VisionError

FRAMES: Final = 6
"""How many pictures of a recording are replayed."""
TOKENS: Final = (
    *(b"-1", b"0", b"1e999", b"NaN", b"99999999999999999999", b"null", b"true", b'""', b"[]", b"{}", b"[" * 5000),
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n", b"'", b'"""', b"../../etc/passwd", b"\xed\xa0\x80", b"=" * 70),
)
NUMBER: Final = re.compile(rb"-?\d+(?:\.\d+)?")
EXPORTS: Final = ("mjai", "tenhou6", "csv")
Place = Path
"""The folder of one attempt: what is good, and what is spoiled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoodFiles:
    """Good files that every attempt begins with."""

    folder: Path
    bodies: Sequence[Any]
    """What its journal says."""


def read_bad_files(seed: int, attempts: int) -> Tally:
    """Spoils a file so often, each time one of a random kind, and lets the table read it."""
    chance, tally = Random(seed), Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "good"
        write_evening(folder, seed)
        good = GoodFiles(folder=folder, bodies=bodies_of(entries_of(folder / JOURNAL)))
        for number in range(attempts):
            kind = chance.choice(list(FILES))
            tally.attempts += 1
            place = Path(name) / "attempt"
            place.mkdir()
            try:
                tally.details[FILES[kind](place, good, chance)] += 1
                tally.survived += 1
            except Exception as error:
                tally.fault(f"{kind}, seed {seed}, attempt {number}", error)
            shutil.rmtree(place)
    return tally


# --- How a file is spoiled --------------------------------------------------------------------------------------------


def spoiled(content: bytes, chance: Random) -> bytes:
    """Returns the content with some of it changed."""
    for _ in range(chance.choice((1, 1, 2, 5))):
        content = chance.choice(CHANGES)(content, chance)
    return content


def _flip(content: bytes, chance: Random) -> bytes:
    changed = bytearray(content or b"?")
    for _ in range(chance.choice((1, 1, 20))):
        changed[chance.randrange(len(changed))] ^= chance.randrange(1, 256)
    return bytes(changed)


def _cut(content: bytes, chance: Random) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def _leave_out(content: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] + content[at + chance.randrange(200) :]


def _say_twice(content: bytes, chance: Random) -> bytes:
    at, end = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    return content[:at] + content[at : min(end, at + 400)] * 2 + content[at:]


def _insert(content: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] + chance.choice(TOKENS) + content[at:]


def _change_number(content: bytes, chance: Random) -> bytes:
    numbers = list(NUMBER.finditer(content[:200_000]))
    if not numbers:
        return content
    found = chance.choice(numbers)
    return content[: found.start()] + chance.choice(TOKENS[:6]) + content[found.end() :]


CHANGES: Final = (_flip, _cut, _leave_out, _say_twice, _insert, _change_number)


# --- What reads it ----------------------------------------------------------------------------------------------------


@contextmanager
def _standard_error() -> Iterator[Callable[[], str]]:
    """Hears what is said on standard error, also by libraries; nothing reaches the terminal."""
    with tempfile.TemporaryFile() as file:
        terminal = os.dup(2)
        os.dup2(file.fileno(), 2)

        def text() -> str:
            file.seek(0)
            return file.read().decode("utf-8", "replace")

        try:
            yield text
        finally:
            os.dup2(terminal, 2)
            os.close(terminal)


BACKUP_NOTES: Final = ("in the backup: ", "not in a backup: ")
RESTORE_NOTES: Final = (
    "not in a backup: ",
    "as in the backup: ",
    "brought back: ",
    "kept: ",
    "the backup is of an earlier",
)
"""What is told of a backup that was made or restored."""


def _command(*words: str | Path, notes: tuple[str, ...] = ()) -> str:
    """Runs a command; returns whether it took the file, of which it may then say what begins with one of the notes.

    Raises:
        AssertionError: it said something else than one clear error.
    """
    with _standard_error() as error_text, redirect_stdout(io.StringIO()):
        code = main([str(word) for word in words])
        text = error_text()
    assert code in (0, 1), f"{words[0]} ended with {code}: {text[-500:]}"
    assert "Traceback" not in text, text[-2000:]
    prefix = f"tachiai {words[0]}: "
    messages = [line.removeprefix(prefix) for line in text.splitlines() if line.startswith(prefix)]
    errors = [line for line in messages if code or not line.startswith(notes)]
    assert len(errors) == code, f"expected {code} errors of {words[0]}, got {len(errors)}: {text[-500:]}"
    return "refused" if code else "taken"


def _refusable(read: Callable[[], object]) -> str:
    """Reads a file that no command reads by itself; returns whether it was taken."""
    try:
        read()
    except (TachiaiError, VisionError):
        return "refused"
    return "taken"


def _write(path: Path, content: bytes, chance: Random) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(spoiled(content, chance))
    return path


def _photograph(place: Place, good: GoodFiles, chance: Random) -> str:
    pictures = [*(RECORDINGS / "riichi_tsumo" / "frames").iterdir()]
    path = _write(place / "photo.jpg", chance.choice(sorted(pictures)).read_bytes(), chance)
    with _standard_error():
        return _refusable(lambda: _photos().faces(path.read_bytes()))


@cache
def _photos() -> Photos:
    return phone_photos()


def _picture(place: Place, good: GoodFiles, chance: Random) -> str:
    picture = RECORDINGS / "open_hands" / "frames" / "000000.jpg"
    return _command("read", _write(place / "picture.jpg", picture.read_bytes(), chance))


def _configuration(place: Place, good: GoodFiles, chance: Random) -> str:
    content = (ROOT / "firmware-config" / "etc" / "tachiai" / "tachiai.toml").read_bytes()
    bare = re.sub(rb"(?m)^# ?(\w+ = )", rb"\1", content)
    path = _write(place / "tachiai.toml", chance.choice((content, bare)), chance)
    return _unharmed(place, good, ("--config", path))


def _choices(place: Place, good: GoodFiles, chance: Random) -> str:
    chosen = {"table.mode": {"chosen": "club", "instead_of": "home"}}
    content = json.dumps({"format": 1, "settings": chosen, "steps": {"camera": "done"}})
    _write(place / "data" / CHOICES, content.encode(), chance)
    return _unharmed(place, good, ())


def _secrets(place: Place, good: GoodFiles, chance: Random) -> str:
    Vault(place / SECRETS).set_pin(PIN)
    path = _write(place / SECRETS, (place / SECRETS).read_bytes(), chance)
    return _refusable(lambda: Vault(path).check_pin(PIN, "192.168.1.2"))


def _rule_set(place: Place, good: GoodFiles, chance: Random) -> str:
    text = write_house(rules_named(chance.choice(SHIPPED))).replace('name = "', 'name = "my-', 1)
    path, folder = _write(place / "mine.toml", text.encode(), chance), place / "sets"
    folder.mkdir()
    (folder / "kept.toml").write_text(text.replace('"my-', '"kept-', 1))
    before = (folder / "kept.toml").read_bytes()
    found = _command("rules", "import", path, "--folder", folder)
    assert (folder / "kept.toml").read_bytes() == before
    for each in folder.iterdir():
        rules_named(str(each), folder)
    return found


def _recording(place: Place, good: GoodFiles, chance: Random) -> str:
    source, copy = RECORDINGS / chance.choice(("riichi_tsumo", "called_riichi")), place / "recording"
    shutil.copytree(source, copy)
    frames = sorted((copy / "frames").iterdir())
    for frame in frames[FRAMES:]:
        frame.unlink()
    which = chance.choice(("recording.toml", "recording.toml", "presses.jsonl", f"frames/{frames[0].name}"))
    _write(copy / which, (copy / which).read_bytes(), chance)
    return _command("replay", copy, notes=("no hand was seen in ",))


def _record(place: Place, good: GoodFiles, chance: Random) -> str:
    number = chance.randrange(3)
    lines = "\n".join(json.dumps(line) for line in write_mjai(selfplay_game(number)))
    content = chance.choice((*engine_files(number).values(), lines.encode()))
    path = _write(place / "game.log", content, chance)
    commands = (
        ("audit",),
        ("audit", "--json"),
        ("export",),
        ("export", "--format", "tenhou6"),
        ("export", "--format", "csv"),
    )
    command, *options = chance.choice(commands)
    return _command(command, path, *options)


def _exported_journal(place: Place, good: GoodFiles, chance: Random) -> str:
    copy = chance.choice(backups(good.folder / BACKUPS, Path(JOURNAL).stem))
    path = _write(place / "a.journal", copy.read_bytes(), chance)
    return _command("export", path, "--format", chance.choice(EXPORTS))


def _backup(place: Place, good: GoodFiles, chance: Random) -> str:
    copy = chance.choice(backups(good.folder / BACKUPS, Path(JOURNAL).stem))
    path = _write(place / "spoiled.backup", copy.read_bytes(), chance)
    shutil.copytree(good.folder, place / "data")
    found = _command("restore", path, "--data", place / "data", notes=RESTORE_NOTES)
    entries = entries_of(place / "data" / JOURNAL)
    if found == "refused":
        assert bodies_of(entries) == good.bodies, "the journal that lay there is not what it was"
    else:
        assert not any(map(game_trouble, games_of(entries))), "a backup was restored that cannot be played on"
    return found


def _unharmed(place: Place, good: GoodFiles, options: Sequence[str | Path]) -> str:
    """Backs up a good journal beside the spoiled file; it must be as it was."""
    shutil.copytree(good.folder, place / "data", dirs_exist_ok=True)
    found = _command("backup", "--data", place / "data", *options, notes=BACKUP_NOTES)
    assert bodies_of(entries_of(place / "data" / JOURNAL)) == good.bodies
    return found


FILES: Final[Mapping[str, Callable[[Place, GoodFiles, Random], str]]] = {
    "a photograph": _photograph,
    "a picture": _picture,
    "a configuration": _configuration,
    "choices": _choices,
    "secrets": _secrets,
    "a rule set": _rule_set,
    "a recording": _recording,
    "a record": _record,
    "a journal to export": _exported_journal,
    "a backup": _backup,
}
