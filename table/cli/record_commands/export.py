"""`tachiai export GAME`: writes a game as mjai, tenhou.net/6 JSON, CSV or a page, or as an address of the viewer.

GAME is a journal of Tachiai, or a game record in any format that `audit` reads. Of a journal it writes the last game
with a settled hand, or the one that `--game` names by the number of its page: 3 is the game at `/game/3`; `--list`
says which there are. The journal is only read.

`--format html` writes one page to give away: it opens in any browser with no network, and steps through hands and
turns. It speaks the language of the terminal. Of a journal, people are called as `people.json` beside it says.

Hidden tiles and unseen draws are written as `?` in mjai, and as 0, which is no tile, in tenhou.net/6. Wins are valued
where the record does not tell. A table in CSV has a row a win, or a hand without one; where several won, the payments
stand in the first row of the hand. A record that is cut short is written as far as it goes, and ends with 1.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.parse import quote

from table.cli.input_files import game_in, is_standard
from table.cli.output_files import check_outputs, is_journal, write_output
from table.cli.progress import progress
from table.cli.user_language import user_language
from table.game.journal.entries import Entry
from table.game.journal.game_history import game_history
from table.game.journal.stored_games import StoredGames, stored_games
from table.i18n import catalogue
from table.records.formats.csv_writer import write_csv
from table.records.formats.game_record import GameRecord, Names
from table.records.formats.missing_pickups import with_draws
from table.records.game_audit import valued
from table.records.mjai.journal_record import has_ended_hand, record_of
from table.records.mjai.mjai_writer import write_mjai
from table.records.record_journal import journal_of
from table.records.season.people import FILE, read_people
from table.records.tenhou.tenhou6_writer import write_tenhou6
from table.rules.terms.seats import four
from table.runtime.table_errors import RecordError, UsageError

FORMATS: Final = ("mjai", "tenhou6", "csv", "html")
VIEWER: Final = "https://tenhou.net/6/#json="
"""The viewer opens what follows, and sends it nowhere."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command's parser."""
    parser = commands.add_parser(
        "export", help="write a game as mjai, tenhou6, csv or one page (html)", description=__doc__
    )
    parser.set_defaults(run=run)
    parser.add_argument("game", metavar="GAME", type=Path, help="a journal, or a game record; - for standard input")
    parser.add_argument(
        "--game",
        metavar="N",
        dest="number",
        type=int,
        help="which game of the journal, as its page /game/N counts (the last one with a settled hand)",
    )
    parser.add_argument("--list", action="store_true", dest="lists", help="list the journal's games, one a line")
    parser.add_argument("--format", choices=FORMATS, help="what to write (mjai)")
    parser.add_argument("--url", action="store_true", help="write the address of tenhou.net's viewer with the game")
    parser.add_argument(
        "--names", type=_four_names, metavar="A,B,C,D", help="who played, by seat (as the game itself says)"
    )
    parser.add_argument("--out", metavar="FILE", type=Path, help="where to (- or none: standard output)")


def run(args: argparse.Namespace) -> int:
    """Writes the game; returns 1 for one that is cut short.

    Raises:
        UsageError: for the game itself as the file to write, or flags that exclude each other.
        ConfigError: for a place where no file can be written.
        RecordError: for a game that cannot be read, or written in that format.
        OSError: for a file that cannot be written; what lay there stays.
    """
    _check_flags(args)
    check_outputs([args.out], [] if is_standard(args.game) else [args.game])
    if args.lists:
        _write(args.out, list_text(args.game))
        return 0
    record = load(args.game, args.number)
    if args.names is not None:
        record = replace(record, names=args.names)
    if args.format == "html":
        text = as_page(args.game, record, args.number)
    else:
        text = url_of(record) if args.url else as_text(record, args.format or FORMATS[0])
    _write(args.out, text)
    if record.cut_short is not None and not _is_journal(args.game):  # a journal's game may still be played
        raise RecordError(f"{args.game}: expected a whole game, got one cut short: {record.cut_short}")
    return 0


def _check_flags(args: argparse.Namespace) -> None:
    if is_standard(args.game) and (args.lists or args.number is not None):
        raise UsageError("expected --list and --game with a journal's file, got standard input")
    if args.url and args.format not in (None, "tenhou6"):
        raise UsageError(f"expected --url with the format tenhou6 or none, got {args.format}")
    if args.lists and (args.url or args.format or args.names or args.number is not None):
        raise UsageError("expected --list without --game, --format, --names and --url, got one of them")


def _four_names(text: str) -> Names:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 4:
        raise argparse.ArgumentTypeError(f"expected four names A,B,C,D, got {text!r}")
    return four(names)


def _write(out: Path | None, text: str) -> None:
    if out is None:
        sys.stdout.write(text)
    else:
        write_output(out, text)


def load(path: Path, number: int | None = None) -> GameRecord:
    """Reads one game of a journal, or a game record.

    Args:
        path: the file.
        number: the entry that opened the game, as its page is numbered; None: the last one with a settled hand.

    Raises:
        RecordError: for a game that cannot be read, or a number beside a game record, which holds one game.
        JournalError: for a journal that cannot be read.
    """
    if _is_journal(path):
        with stored_games(path) as games:
            record = record_of(_game(games, number, str(path)), str(path))
            return replace(record, names=_shown(path, record.names))
    if number is not None and (is_standard(path) or path.is_file()):
        raise RecordError(f"expected --game with a journal only, got it with {path}, which holds one game")
    return game_in(path)


def _is_journal(path: Path) -> bool:
    return not is_standard(path) and is_journal(path)


def list_text(path: Path) -> str:
    """Returns a line for each game of a journal: number, when, how many hands, points and names.

    Raises:
        RecordError: for a game record, which holds one game.
        JournalError: for a journal that cannot be read.
    """
    if path.is_file() and not is_journal(path):
        raise RecordError(f"expected --list with a journal only, got it with {path}, which holds one game")
    with stored_games(path) as games:
        return "".join(_list_line(games.entries(number)) for number in progress(games.numbers, "games"))


def _list_line(entries: Sequence[Entry]) -> str:
    game = game_history(entries)
    hands = sum(hand.settlement is not None for hand in game.state.history)
    points = " ".join(f"{score:>6}" for score in game.state.scores)
    names = ", ".join(name or f"seat {seat}" for seat, name in enumerate(game.names))
    ended = "ended" if game.state.is_over else "open"
    return f"{game.number:>6}  {game.utc[:16]:<16}  {hands:>2} hands  {ended:<5}  {points}  {names}\n"


def url_of(record: GameRecord) -> str:
    """Returns the address under which tenhou.net's viewer shows the game, with the end of a line."""
    text = json.dumps(write_tenhou6(with_draws(valued(record))), ensure_ascii=False, separators=(",", ":"))
    return f"{VIEWER}{quote(text, safe='')}\n"


def as_page(path: Path, record: GameRecord, number: int | None = None) -> str:
    """Returns a game as one page, in the language of the terminal.

    Args:
        path: where the game lies: a journal tells more of it than the record.
        record: the game, its players as they are to be called.
        number: which game of the journal.

    Raises:
        RecordError, JournalError: as for `load`.
    """
    if _is_journal(path):
        with stored_games(path) as games:
            entries = _game(games, number, str(path))
    else:
        entries = journal_of(record)
    from table.dashboard.games.game_file import as_html  # noqa: PLC0415 - the dashboard is heavy, and help needs none

    return as_html(replace(game_history(entries), names=record.names), entries, catalogue(user_language()))


def _shown(path: Path, names: Names) -> Names:
    """How people are called who played under these names at the table of that journal."""
    people = read_people(path.parent / FILE)
    return four(people.shown(name) for name in names)


def as_text(record: GameRecord, style: str) -> str:
    """Returns the game in that format."""
    if style == "mjai":
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in write_mjai(with_draws(record)))
    known = valued(record)
    if style == "csv":
        return write_csv(known)
    return json.dumps(write_tenhou6(with_draws(known)), ensure_ascii=False) + "\n"


def _game(games: StoredGames, number: int | None, where: str) -> Sequence[Entry]:
    """The game of that number, or the last one that has something to tell; no other is decoded."""
    there = games.numbers
    numbers = " or ".join(map(str, there))
    if not there:
        raise RecordError(f"{where}: expected a game, got none")
    meant = [each for each in there if number in (None, each)]
    if not meant:
        raise RecordError(f"{where}: expected game {numbers}, got {number}")
    for each in reversed(meant):
        entries = games.entries(each)
        if has_ended_hand(entries):
            return entries
    raise RecordError(f"{where}: expected a settled hand in game {number or numbers}, got none")
