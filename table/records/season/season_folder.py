"""Reads the season of a folder: every journal and game record in it and its subfolders, each game once.

Of a table's backups only the newest is read. Journals that another one replaced are left out: what was played on in
them was given up. A game that was played on in two copies of a journal counts as it is in the one with more entries. A
record that several files hold counts once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Final

from table.game.journal.recovery.backup_names import SUFFIX as BACKUP
from table.game.journal.recovery.backup_names import is_set_aside, named_backups, read_name
from table.game.journal.storage.journal_start import JOURNAL_START
from table.records.format_detection import load_game, unpacked
from table.records.own_files import is_own_file, is_truth
from table.records.season.game_count import count_journal, count_record
from table.records.season.journal_games import JournalGame, entries_of, games_in, hash_of, open_games
from table.records.season.people import FILE as PEOPLE
from table.records.season.people import People, read_people
from table.records.season.season_figures import Season, season_of
from table.records.season.season_memory import FILE, Counted, store_counts, stored_counts
from table.records.season.tally import GameTally
from table.runtime.table_errors import JournalError, RecordError

RECORDS: Final = (".mjlog", ".xml", ".gz", ".json", ".mjson")
"""The suffixes of game records."""
Source = Callable[[], GameTally]
Watch = Callable[[list[Source]], Iterable[Source]]


@dataclass(slots=True, kw_only=True)
class _Found:
    """The games found in a folder, by key, each with its reader."""

    closed: dict[str, Source] = field(default_factory=dict)
    games: list[tuple[JournalGame, Path]] = field(default_factory=list)
    """The games of journals."""
    records: dict[str, Path] = field(default_factory=dict)
    """The first file with each record, by key."""
    refused: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """One sentence for each course of a game, or record, that does not count since another file has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSeason:
    """What a folder's journals and records amount to."""

    season: Season
    is_empty: bool
    """Whether no journal or record was read, not even one whose first hand goes on."""
    people: People
    refused: Sequence[str]
    """One sentence for each unreadable file."""
    notes: Sequence[str]
    """One sentence for each course of a game that was played on in a copy, and each repeated record: neither counts."""


def read_season(folder: Path, *, watch: Watch = iter) -> FolderSeason:
    """Returns a folder's season.

    Args:
        folder: the folder of journals and records; a single journal or record is also accepted.
        watch: wraps the items to read, to show progress.

    Raises:
        ConfigError: the folder's `people.json` cannot be read.
    """
    home = folder if folder.is_dir() else folder.parent
    found = _Found()
    for path in _files(folder):
        _look_into(path, found)
    counting = set(_each_once(found))
    found.games = [each for each in found.games if each in counting]
    found.closed |= {game.key: partial(_counted_journal, path, game) for game, path in found.games if game.is_closed}
    people = read_people(home / PEOPLE)
    counted = _counted(home / FILE if folder.is_dir() else None, found, watch)
    season = season_of(counted.tallies, counted.ended, people, games=counted.games, left_out=counted.left_out)
    is_empty = not counted.keys
    return FolderSeason(season=season, is_empty=is_empty, people=people, refused=found.refused, notes=found.notes)


def _counted(memory: Path | None, found: _Found, watch: Watch) -> Counted:
    """Counts the games that were not counted before, and stores the result."""
    counted = Counted() if memory is None else stored_counts(memory, found.closed)
    going = {game.key: partial(_counted_journal, path, game) for game, path in found.games if not game.is_closed}
    fresh = {key: source for key, source in found.closed.items() if key not in counted.keys}
    games_before = counted.going
    counted.going = {key: game for key, game in games_before.items() if key in going}
    fresh |= {key: source for key, source in going.items() if key not in counted.going}
    for key, source in zip(fresh, watch(list(fresh.values())), strict=True):
        try:
            game = source()
        except (RecordError, JournalError) as error:
            found.refused.append(str(error))
            continue
        if key in going:
            counted.going[key] = game
        else:
            counted.add(key, game)
    if memory is not None and (fresh or counted.going.keys() != games_before.keys()):
        store_counts(memory, counted)
    return counted.everything()


def _files(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        yield folder
        return
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(is_no_game(path) for is_no_game in _NO_GAMES):
            yield path


def _is_old_backup(path: Path) -> bool:
    """Whether a file is a backup, but not the newest of its journal in its folder."""
    if not path.name.endswith(BACKUP):
        return False
    name = read_name(path)
    return name is None or path != named_backups(path.parent, name.stem)[0][1]


_NO_GAMES: Final = (is_own_file, is_truth, is_set_aside, _is_old_backup)
"""Whether a file is left out, for each reason."""


def _look_into(path: Path, found: _Found) -> None:
    try:
        with path.open("rb") as file:
            start = file.read(len(JOURNAL_START))
        if start == JOURNAL_START:
            _look_into_journal(path, found)
        elif path.suffix in RECORDS:
            _look_into_record(path, found)
    except (JournalError, OSError) as error:
        found.refused.append(str(error))


def _look_into_record(path: Path, found: _Found) -> None:
    """Notes a record by what it holds, whatever its name: a copy of a file, packed or not, is the same game.

    The text is not held: it is read again to be counted, which most records were before.
    """
    key = f"record {blake2b(unpacked(path.read_bytes()).strip(), digest_size=16).hexdigest()}"
    first = found.records.setdefault(key, path)
    if first is path:
        found.closed[key] = partial(_counted_record, path)
    else:
        found.notes.append(f"{path} holds the same as {first}: its game counts once")


def _look_into_journal(path: Path, found: _Found) -> None:
    with open_games(path) as database:
        found.games += [(game, path) for game in games_in(database)]


def _each_once(found: _Found) -> Iterator[tuple[JournalGame, Path]]:
    """Yields the games of journals; of several copies of a game, only the longest, even if another was played on too.

    A game whose opening is undone in the longest copy is none. Copies that have nothing but the opening in common are
    games of different tables, as of cards copied beforehand.
    """
    by_opening: dict[str, list[tuple[JournalGame, Path]]] = {}
    for game, path in sorted(found.games, key=lambda each: (-each[0].last, not each[0].is_closed)):
        longer = by_opening.setdefault(game.opening, [])
        if any(_hash(other, game.last) == game.key for _, other in longer):
            continue
        begun_alike = [other for _, other in longer if _hash(other, game.first + 1) == _hash(path, game.first + 1)]
        if begun_alike:
            found.notes.append(
                f"the game that entry {game.first} opened was played on in two copies: it counts as in "
                f"{begun_alike[0]}, which has more of it, not as in {path}"
            )
            continue
        longer.append((game, path))
        if not game.is_undone:
            yield game, path


def _hash(path: Path, number: int) -> str:
    """Returns the hash of a journal's entry, which covers every byte before it; empty without that entry."""
    with open_games(path) as database:
        return hash_of(database, number)


def _counted_record(path: Path) -> GameTally:
    record = load_game(path)
    return count_record(record, record.names, log=str(path))


def _counted_journal(path: Path, game: JournalGame) -> GameTally:
    with open_games(path) as database:
        return count_journal(entries_of(database, game))
