"""Reads the season of a folder: every journal and game record in it and its subfolders, each game once.

Of a table's backups only the newest is read. Journals that another one replaced are left out: what was played in them
later was given up. A game that was continued in two copies of a journal counts as in the one with more entries. A
record that is in several files counts once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from itertools import takewhile
from pathlib import Path
from typing import Final

from table.game.journal.recovery.backup_names import SUFFIX as BACKUP
from table.game.journal.recovery.backup_names import is_set_aside, named_backups, read_name
from table.game.journal.recovery.journal_backup import is_of_another_table
from table.game.journal.recovery.journal_check import followed_game
from table.game.journal.storage.journal_start import JOURNAL_START
from table.game.journal.storage.opened_database import check_pages
from table.records.format_detection import decompressed, load_game, record_bytes
from table.records.own_files import is_own_file, is_truth
from table.records.season.game_count import count_journal, count_record
from table.records.season.journal_games import JournalGame, entries_of, games_in, hash_of, open_games
from table.records.season.people import FILE as PEOPLE
from table.records.season.people import read_people
from table.records.season.season_figures import Season, season_of
from table.records.season.season_memory import FILE, SeasonCount, store_counts, stored_counts
from table.records.season.tally import GameTally
from table.runtime.table_errors import JournalError, RecordError
from vision.errors import reason_and_place

RECORDS: Final = (".mjlog", ".xml", ".gz", ".json", ".mjson")
"""The suffixes of game records."""
Source = Callable[[], GameTally]
Watch = Callable[[list[Source]], Iterable[Source]]


@dataclass(slots=True, kw_only=True)
class _FolderGames:
    """The games found in a folder."""

    closed: dict[str, Source] = field(default_factory=dict)
    """The readers of the games that no longer change, by key."""
    journal_games: list[tuple[JournalGame, Path]] = field(default_factory=list)
    """The games of journals, each with its file."""
    records: dict[str, Path] = field(default_factory=dict)
    """The first file with each record, by key."""
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """One sentence for each continuation of a game, and each record, that does not count in favour of another file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSeason:
    """What a folder's journals and records amount to."""

    season: Season
    is_empty: bool
    """Whether no journal or record was read, not even one whose first hand goes on."""
    faults: Sequence[str]
    """One sentence for each unreadable file."""
    notes: Sequence[str]
    """One sentence for each continuation of a game in a shorter copy, and each repeated record: neither counts."""


def read_season(folder: Path, *, watch: Watch = iter) -> FolderSeason:
    """Returns a folder's season.

    Args:
        folder: the folder of journals and records; a single journal or record is also accepted.
        watch: wraps the items to read, to show progress.

    Raises:
        ConfigError: the folder's `people.json` cannot be read.
    """
    home = folder if folder.is_dir() else folder.parent
    found = _FolderGames()
    for path in _files(folder):
        _add_file(path, found)
    games = set(_distinct_games(found))
    found.journal_games = [game for game in found.journal_games if game in games]
    found.closed |= {
        game.key: partial(_count_journal, path, game) for game, path in found.journal_games if game.is_closed
    }
    people = read_people(home / PEOPLE)
    season_count = _count_games(home / FILE if folder.is_dir() else None, found, watch)
    season = season_of(
        season_count.tallies, season_count.game_ends, people, games=season_count.games, left_out=season_count.left_out
    )
    is_empty = not season_count.keys
    return FolderSeason(season=season, is_empty=is_empty, faults=found.faults, notes=found.notes)


def _count_games(file: Path | None, found: _FolderGames, watch: Watch) -> SeasonCount:
    """Counts the games that were not counted before, and stores the result."""
    season_count = SeasonCount() if file is None else stored_counts(file, found.closed)
    open_games = {
        game.key: partial(_count_journal, path, game) for game, path in found.journal_games if not game.is_closed
    }
    to_count = {key: source for key, source in found.closed.items() if key not in season_count.keys}
    games_before = season_count.open_games
    season_count.open_games = {key: game for key, game in games_before.items() if key in open_games}
    to_count |= {key: source for key, source in open_games.items() if key not in season_count.open_games}
    for key, source in zip(to_count, watch(list(to_count.values())), strict=True):
        try:
            game = source()
        except (RecordError, JournalError) as error:
            found.faults.append(reason_and_place(error))
            continue
        if key in open_games:
            season_count.open_games[key] = game
        else:
            season_count.add(key, game)
    if file is not None and (to_count or season_count.open_games.keys() != games_before.keys()):
        store_counts(file, season_count)
    return season_count.total()


def _files(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        yield folder
        return
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(is_no_game(path) for is_no_game in _NO_GAMES):
            yield path


def _is_old_backup(path: Path) -> bool:
    """Whether a file is a backup, but not the newest of its table in its folder; tables may share a stick."""
    if not path.name.endswith(BACKUP):
        return False
    name = read_name(path)
    if name is None:
        return True
    newer_backups = takewhile(lambda newer: newer != path, (each for _, each in named_backups(path.parent, name.stem)))
    return any(not is_of_another_table(newer, path) for newer in newer_backups)


_NO_GAMES: Final = (is_own_file, is_truth, is_set_aside, _is_old_backup)
"""The tests of a path by which a file is left out."""


def _add_file(path: Path, found: _FolderGames) -> None:
    try:
        with path.open("rb") as file:
            start = file.read(len(JOURNAL_START))
        if start == JOURNAL_START:
            _add_journal(path, found)
        elif path.suffix in RECORDS:
            _add_record(path, found)
    except (JournalError, RecordError, OSError) as error:
        found.faults.append(reason_and_place(error))


def _add_record(path: Path, found: _FolderGames) -> None:
    """Notes a record by its content, whatever its name: a copy of a file, compressed or not, is the same game.

    The text is not kept in memory: the few records that were not counted before are read again.
    """
    key = f"record {blake2b(decompressed(record_bytes(path)).strip(), digest_size=16).hexdigest()}"
    first = found.records.setdefault(key, path)
    if first is path:
        found.closed[key] = partial(_count_record, path)
    else:
        found.notes.append(f"{path} holds the same as {first}: its game counts once")


def _add_journal(path: Path, found: _FolderGames) -> None:
    with open_games(path) as database:
        check_pages(database)
        found.journal_games += [(game, path) for game in games_in(database)]


def _distinct_games(found: _FolderGames) -> Iterator[tuple[JournalGame, Path]]:
    """Yields the games of journals; of several copies of a game only the longest, even if another was continued too.

    A game whose opening is undone in the longest copy is left out. Copies that have only the opening in common are
    games of different tables, such as those of a card that was copied beforehand.
    """
    by_opening: dict[str, list[tuple[JournalGame, Path]]] = {}
    for game, path in sorted(found.journal_games, key=lambda pair: (-pair[0].last, not pair[0].is_closed)):
        kept_copies = by_opening.setdefault(game.opening, [])
        if any(_hash(other, game.last) == game.key for _, other in kept_copies):
            continue
        forks = [other for _, other in kept_copies if _hash(other, game.first + 1) == _hash(path, game.first + 1)]
        if forks:
            found.notes.append(
                f"the game that entry {game.first} opened was played on in two copies: it counts as in "
                f"{forks[0]}, which has more of it, not as in {path}"
            )
            continue
        kept_copies.append((game, path))
        if not game.is_undone:
            yield game, path


def _hash(path: Path, number: int) -> str:
    """Returns the hash of a journal's entry, which covers every byte before it; empty without that entry."""
    with open_games(path) as database:
        return hash_of(database, number)


def _count_record(path: Path) -> GameTally:
    record = load_game(path)
    return count_record(record, record.names, log=str(path))


def _count_journal(path: Path, game: JournalGame) -> GameTally:
    with open_games(path) as database, followed_game(f"{path}, game {game.first}"):
        return count_journal(entries_of(database, game))
