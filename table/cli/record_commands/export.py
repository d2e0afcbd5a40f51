"""`tachiai export GAME`: writes a game as mjai, tenhou.net/6 JSON, CSV or HTML, or as a link to tenhou.net's viewer.

GAME is a Tachiai journal or a game record in any format that `audit` reads. A journal can hold many games: `--list`
lists them, and `--game N` chooses the one whose page is `/game/N`. The default is the last game with a settled hand.
The journal is never changed.

`--format html` writes a single page that opens in any browser without a network and steps through hands and turns. It
is in the terminal's language. A journal's players are named as in the `people.json` beside it.

Hidden tiles and unseen draws are written as `?` in mjai and as 0 in tenhou.net/6. Where people entered a winner's hand
without a camera, nobody knows from whom its melds were called: mjai has them as `entered_melds` of its line `hora`
instead of calls, and tenhou.net/6 has only the win's value. What the record lacks of a win's value is computed by the
rules, unless they find another value than the record states. CSV has a row for each win, or one for a hand without a
win; with several winners, the first row holds the payments. Points that people corrected by hand are marked in every
format. A truncated record is written as far as it goes, and the exit code is 1.
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

from table.cli.arguments.number_arguments import whole_number_from
from table.cli.arguments.path_arguments import any_file, output_file
from table.cli.arguments.user_language import user_language
from table.cli.streams.input_files import as_file, is_standard
from table.cli.streams.output_encoding import use_utf8
from table.cli.streams.output_files import check_outputs, write_output
from table.cli.streams.progress import progress, waiting
from table.game.journal.entries import Entry, Names
from table.game.journal.history.game_history import game_history
from table.game.journal.recovery.journal_check import followed_game
from table.game.journal.storage.journal_start import is_journal
from table.game.journal.stored_games import StoredGames, stored_games
from table.i18n import catalogue
from table.records.audit.record_values import with_values
from table.records.format_detection import load_game
from table.records.formats.csv_writer import write_csv
from table.records.formats.game_record import GameRecord, names_of
from table.records.formats.missing_pickups import with_draws, with_every_turn
from table.records.mjai.from_journal.journal_record import has_ended_hand, record_of
from table.records.mjai.mjai_writer import write_mjai
from table.records.record_journal import history_of, journal_of
from table.records.season.people import FILE, read_people
from table.records.tenhou.tenhou6_writer import VIEWER, write_tenhou6
from table.rules.terms.amounts import amount
from table.rules.terms.seats import four
from table.runtime.clock import local_time
from table.runtime.table_errors import JournalError, RecordError, UsageError

FORMATS: Final = ("mjai", "tenhou6", "csv", "html")


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command's parser."""
    parser = commands.add_parser("export", help="write a game as mjai, tenhou6, csv or html", description=__doc__)
    parser.set_defaults(run=run)
    parser.add_argument("game", metavar="GAME", type=any_file, help="a journal or a game record; - for standard input")
    parser.add_argument(
        "--game",
        metavar="N",
        dest="number",
        type=whole_number_from(1, 2**53),
        help="the number of the journal's game, as in /game/N (default: the last with a settled hand)",
    )
    parser.add_argument("--list", action="store_true", dest="lists", help="list the journal's games, one per line")
    parser.add_argument("--format", choices=FORMATS, help="the output format (default: mjai)")
    parser.add_argument("--url", action="store_true", help="write a link that opens the game in tenhou.net's viewer")
    parser.add_argument(
        "--names", type=_four_names, metavar="A,B,C,D", help="the players' names, by seat (default: as recorded)"
    )
    parser.add_argument(
        "--out", metavar="FILE", type=output_file, help="the output file (default: - for standard output)"
    )


def run(args: argparse.Namespace) -> int:
    """Writes the game; returns 1 if it is truncated.

    Raises:
        UsageError: the output is the input, or flags exclude each other.
        ConfigError: the output cannot be written there.
        RecordError: the game cannot be read, or cannot be written in that format.
        OSError: the file cannot be written; an existing one stays unchanged.
    """
    _check_flags(args)
    check_outputs([args.out], [] if is_standard(args.game) else [args.game])
    with as_file(args.game) as game:
        if args.lists:
            _list_games(game, args.out)
            return 0
        with waiting("following the game"):
            record = load_record(game, args.number)
            is_truncated = record.cut_short is not None and not is_journal(game)  # its game may be in progress
            record = record if args.names is None else replace(record, names=args.names, hand_names=())
            text = _game_text(args, game, record)
        use_utf8()
        _write(args.out, text)
        if is_truncated:
            raise RecordError(f"{game}: expected a whole game, got a truncated one: {record.cut_short}")
    return 0


def _game_text(args: argparse.Namespace, game: Path, record: GameRecord) -> str:
    if args.format == "html":
        return as_page(game, record, args.number)
    return url_of(record) if args.url else as_text(record, args.format or FORMATS[0])


def _check_flags(args: argparse.Namespace) -> None:
    if args.url and args.format not in (None, "tenhou6"):
        raise UsageError(f"expected --url with the format tenhou6 or none, got {args.format}")
    if args.lists and (args.url or args.format or args.names or args.number is not None):
        raise UsageError("expected --list without --game, --format, --names and --url, got one of them")


def _four_names(text: str) -> Names:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 4:
        raise argparse.ArgumentTypeError(f"expected four names A,B,C,D, got {text!r:.80}")
    return names_of(names)


def _write(out: Path | None, text: str) -> None:
    if out is None:
        sys.stdout.write(text)
    else:
        write_output(out, text)


def load_record(path: Path, number: int | None = None) -> GameRecord:
    """Reads one game from a journal, or a game record.

    Args:
        path: the file.
        number: the entry that opened the game, as in the address of its page; None for the last with a settled hand.

    Raises:
        RecordError: the game cannot be read, or a number was given for a game record, which holds one game.
        JournalError: the journal cannot be read.
    """
    if is_journal(path):
        with stored_games(path) as games:
            entries = _game(games, number, path)
            with followed_game(f"{path}, game {entries[0].number}"):
                record = record_of(entries, str(path))
            return _with_shown_names(record, path)
    if number is not None and path.is_file():
        raise RecordError(f"expected --game with a journal only, got it with {path}, which holds one game")
    return load_game(path)


def _list_games(path: Path, out: Path | None) -> None:
    """Writes a line for each game of a journal: number, date, number of hands, points and names.

    Raises:
        RecordError: the file is a game record, which holds one game.
        JournalError: the journal cannot be read, or some of its games, after all others were written.
    """
    if path.is_file() and not is_journal(path):
        raise RecordError(f"expected --list with a journal only, got it with {path}, which holds one game")
    lines, faults = list[str](), list[str]()
    with stored_games(path) as games:
        for number in progress(games.numbers, "games"):
            try:
                with followed_game(f"{path}, game {number}"):
                    lines.append(_list_line(games.entries(number)))
            except JournalError as error:
                faults.append(str(error))
    _write(out, "".join(lines))
    if faults:
        raise JournalError("; ".join(faults))


def _list_line(entries: Sequence[Entry]) -> str:
    game = game_history(entries)
    hands = sum(hand.settlement is not None for hand in game.state.history)
    points = " ".join(f"{score:>6}" for score in game.state.scores)
    names = ", ".join(name or f"seat {seat}" for seat, name in enumerate(game.names))
    state = "ended" if game.state.is_over else "open"
    return f"{game.number:>6}  {local_time(game.utc):<16}  {amount(hands, 'hand'):>8}  {state:<5}  {points}  {names}\n"


def url_of(record: GameRecord) -> str:
    """Returns the link that opens the game in tenhou.net's viewer, with a line end."""
    text = json.dumps(write_tenhou6(with_every_turn(with_values(record))), ensure_ascii=False, separators=(",", ":"))
    return f"{VIEWER}{quote(text, safe='')}\n"


def as_page(path: Path, record: GameRecord, number: int | None) -> str:
    """Returns a game as one HTML page, in the terminal's language.

    Args:
        path: the game's file; a journal holds more than the record.
        record: the game, with the players' names to show.
        number: the number of the journal's game.

    Raises:
        RecordError, JournalError: as for `load_record`.
    """
    if is_journal(path):
        with stored_games(path) as games:
            entries = _game(games, number, path)
        game = game_history(entries)
    else:
        entries = journal_of(record)
        game = history_of(record, entries)
    from table.dashboard.games.game_file import as_html  # noqa: PLC0415 - the dashboard is heavy, and help needs none

    is_as_played = is_journal(path) and record.names == _shown_names(path, game.names)
    hand_names = tuple(_shown_names(path, names) for names in game.hand_names) if is_as_played else ()
    end_reason = game.end_reason if is_journal(path) else None  # a record does not say who ended its game
    game = replace(game, names=record.names, hand_names=hand_names, end_reason=end_reason)
    return as_html(game, entries, catalogue(user_language()))


def _with_shown_names(record: GameRecord, path: Path) -> GameRecord:
    hand_names = tuple(_shown_names(path, names) for names in record.hand_names)
    return replace(record, names=_shown_names(path, record.names), hand_names=hand_names)


def _shown_names(path: Path, names: Names) -> Names:
    """Returns the names to show for the people who played under these names, by the journal's `people.json`."""
    people, guest = read_people(path.parent / FILE), catalogue(user_language()).text("season.guest")
    return four(people.shown_name(name, guest) for name in names)


def as_text(record: GameRecord, style: str) -> str:
    """Returns the game as text in the given format; a truncated or unfinished game is marked as such, except in CSV."""
    valued_record = with_values(record)
    if style == "mjai":
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in write_mjai(with_draws(valued_record)))
    if style == "csv":
        return write_csv(valued_record)
    return json.dumps(write_tenhou6(with_every_turn(valued_record)), ensure_ascii=False) + "\n"


def _game(games: StoredGames, number: int | None, path: Path) -> Sequence[Entry]:
    """Returns the game of that number, or the last with a settled hand; no other game is decoded."""
    numbers = games.numbers
    numbers_text = " or ".join(map(str, numbers))
    if not numbers:
        raise RecordError(f"{path}: expected a game, got none")
    candidates = [candidate for candidate in numbers if number in (None, candidate)]
    if not candidates:
        raise RecordError(f"{path}: expected game {numbers_text}, got {number}")
    for candidate in reversed(candidates):
        with followed_game(f"{path}, game {candidate}"):
            entries = games.entries(candidate)
            if has_ended_hand(entries):
                return entries
    raise RecordError(f"{path}: expected a settled hand in game {number or numbers_text}, got none")
