"""`tachiai export GAME`: writes a game as mjai, tenhou.net/6 JSON, CSV or a page.

GAME is a journal of Tachiai, or a game record in any format that `audit` reads. Of a journal it writes the last game
with a settled hand, or the one that `--game` names by the number of its page: 3 is the game at `/game/3`.

`--format html` writes one page to give away: it opens in any browser with no network, and steps through hands and
turns. It speaks the language of the terminal. Of a journal, people are called as `people.json` beside it says.

Hidden tiles and unseen draws are written as `?` in mjai, and as 0, which is no tile, in tenhou.net/6. Wins are valued
where the record does not tell.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from table.cli.output_files import check_outputs, is_journal, write_output
from table.cli.user_language import user_language
from table.dashboard.games.game_file import as_html
from table.game.journal.entries import Entry, Names
from table.game.journal.game_history import game_history, games_of
from table.game.journal.journal import Journal
from table.game.journal.journal_format import format_of
from table.game.journal.opened_database import READING, UNUSED, opened
from table.i18n import catalogue
from table.records.format_detection import load_game
from table.records.formats.csv_writer import write_csv
from table.records.formats.game_record import GameRecord
from table.records.formats.missing_pickups import with_draws
from table.records.game_audit import valued
from table.records.mjai.journal_record import has_ended_hand, record_of
from table.records.mjai.mjai_writer import write_mjai
from table.records.record_journal import journal_of
from table.records.season.people import FILE, People, read_people
from table.records.tenhou.tenhou6_writer import write_tenhou6
from table.rules.terms.seats import four
from table.runtime.table_errors import JournalError, RecordError, UsageError


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command's parser."""
    parser = commands.add_parser("export", help="write a game as mjai, tenhou6 or csv", description=__doc__)
    parser.set_defaults(run=run)
    parser.add_argument("game", metavar="GAME", type=Path, help="a journal, or a game record")
    parser.add_argument(
        "--game",
        metavar="N",
        dest="number",
        type=int,
        help="which game of the journal, as its page /game/N counts (the last one with a settled hand)",
    )
    styles = ("mjai", "tenhou6", "csv", "html")
    parser.add_argument("--format", choices=styles, default="mjai", help="what to write (mjai)")
    parser.add_argument("--out", metavar="FILE", type=Path, help="where to (standard output)")


def run(args: argparse.Namespace) -> int:
    """Writes the game.

    Raises:
        UsageError: for the game itself as the file to write, or a number for what is no journal.
        ConfigError: for a place where no file can be written.
        RecordError: for a game that cannot be read, or written in that format.
        OSError: for a file that cannot be written; what lay there stays.
    """
    check_outputs([args.out], [args.game])
    if args.format == "html":
        text = as_page(args.game, args.number)
    else:
        text = as_text(load(args.game, args.number), args.format)
    if args.out is None:
        sys.stdout.write(text)
    else:
        write_output(args.out, text)
    return 0


def load(path: Path, number: int | None = None) -> GameRecord:
    """Reads one game of a journal, or a game record.

    Args:
        path: the file.
        number: the entry that opened the game, as its page is numbered; None: the last one with a settled hand.

    Raises:
        UsageError: for a number beside a game record, which holds one game.
        RecordError: for anything else.
        JournalError: for a journal that cannot be read.
    """
    if is_journal(path):
        record = record_of(_game(games_of(_entries(path)), number, str(path)), str(path))
        return replace(record, names=_shown(path, record.names))
    if number is not None and path.is_file():
        raise UsageError(f"expected --game with a journal only, got it with {path}, which holds one game")
    return load_game(path)


def as_page(path: Path, number: int | None = None) -> str:
    """Returns a game as one page, in the language of the terminal.

    Raises:
        UsageError, RecordError, JournalError: as for `load`.
    """
    kept = is_journal(path)
    entries = _game(games_of(_entries(path)), number, str(path)) if kept else journal_of(load(path, number))
    game = game_history(entries)
    return as_html(replace(game, names=_shown(path, game.names)), entries, catalogue(user_language()))


def _shown(path: Path, names: Names) -> Names:
    """How people are called who played under these names at the table of that journal."""
    people = read_people(path.parent / FILE) if is_journal(path) else People()
    return four(people.shown(name) for name in names)


def as_text(record: GameRecord, style: str) -> str:
    """Returns the game in that format."""
    if style == "mjai":
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in write_mjai(with_draws(record)))
    known = valued(record)
    if style == "csv":
        return write_csv(known)
    return json.dumps(write_tenhou6(with_draws(known)), ensure_ascii=False) + "\n"


def _entries(path: Path) -> tuple[Entry, ...]:
    """A journal's entries, read without writing to it: a table may play on it, or it may be another program's."""
    # Where nobody writes, SQLite need not make its side files, which another user could not make either.
    how = READING if path.with_name(f"{path.name}-wal").exists() else UNUSED
    try:
        with opened(path, how) as database, Journal(None) as journal:
            format_of(database, str(path))
            journal.take_over(database)
            return journal.entries()
    except sqlite3.Error as error:
        raise JournalError(f"expected a journal in {path}, got: {error}") from error


def _game(games: Sequence[Sequence[Entry]], number: int | None, where: str) -> Sequence[Entry]:
    """The game of that number, or the last one that has something to tell."""
    numbers = " or ".join(str(game[0].number) for game in games)
    if not games:
        raise RecordError(f"{where}: expected a game, got none")
    meant = [game for game in games if number in (None, game[0].number)]
    if not meant:
        raise RecordError(f"{where}: expected game {numbers}, got {number}")
    ended = next((game for game in reversed(meant) if has_ended_hand(game)), None)
    if ended is None:
        raise RecordError(f"{where}: expected a settled hand in game {number or numbers}, got none")
    return ended
