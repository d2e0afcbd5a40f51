"""`tachiai audit LOG…`: replays game records as the table would see them, and reports where the rules disagree.

Compares whatever a record states: riichi, yaku, han, fu, points, payments and final points. With rules other than the
record's, payments are not compared. The last line gives the number of hands and of those that disagree; if any does,
the exit code is 1. With --json that line goes to standard error, unless a record could not be read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from table.cli.arguments.given_rules import given_rules
from table.cli.arguments.path_arguments import any_file
from table.cli.streams.colour import GREEN, RED, coloured
from table.cli.streams.input_files import (
    check_inputs,
    input_name,
    is_standard,
    lines_of,
    temporary_copy,
)
from table.cli.streams.progress import progress, say
from table.game.journal.recovery.backup_names import is_set_aside
from table.game.journal.recovery.journal_check import followed_game
from table.game.journal.recovery.journal_files import SIDE_FILES
from table.game.journal.storage.journal_start import JOURNAL_START, is_journal
from table.game.journal.stored_games import stored_games
from table.records.audit.audit_verdict import verdict
from table.records.audit.game_audit import AuditedEnd, AuditedHand, audit_game, audit_stream
from table.records.audit.journal_audit import audit_journal
from table.records.format_detection import MOST_BYTES, is_mjai, load_game, read_game
from table.records.formats.game_record import GameRecord
from table.records.own_files import is_own_file
from table.rulebook.ruleset_registry import SETS
from table.rules.ruleset import Ruleset
from table.rules.terms.results import Win
from table.runtime.table_errors import JournalError, RecordError
from vision.atomic_files import FULL
from vision.errors import reason

AuditLine = AuditedHand | AuditedEnd


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command's parser."""
    parser = commands.add_parser("audit", help="check game records against the rules", description=__doc__)
    parser.set_defaults(run=run)
    logs_help = (
        "mjlog (XML), tenhou.net/6 JSON or mjai, also gzipped, or a Tachiai journal; a folder means all files in it "
        "but the table's own settings and secrets, and journals that others replaced; - means standard input, where "
        "mjai lines are checked as they arrive"
    )
    parser.add_argument("logs", nargs="+", metavar="LOG", type=any_file, help=logs_help)
    help_text = f"the rules to check against (default: those of the record): {SETS}"
    parser.add_argument("--ruleset", metavar="SET", help=help_text)
    parser.add_argument("--json", action="store_true", help="print one JSON object per hand")


def run(args: argparse.Namespace) -> int:
    """Prints a line for each hand and its disagreements; returns 1 if there are any, or a record is unreadable.

    Raises:
        ConfigError: the rule set is unknown.
    """
    check_inputs([*args.logs, args.ruleset])
    ruleset = None if args.ruleset is None else given_rules(args.ruleset).switches
    tally = Tally()
    is_unreadable = False
    for path in progress(list(_files(args.logs)), "games"):
        try:
            for line in _audit_path(path, ruleset):
                tally.count(line)
                say(json.dumps(line.as_json(), ensure_ascii=False) if args.json else _line_with_disagreements(line))
        except (RecordError, JournalError) as error:
            is_unreadable = True
            say(f"tachiai audit: {error}", file=sys.stderr)
    failed = is_unreadable or tally.failed
    if not is_unreadable or (tally.hands and not args.json):  # with --json standard error then holds the errors alone
        out = sys.stderr if args.json else sys.stdout
        print(coloured(tally.as_text(), RED if failed else GREEN, to=out), file=out)
    return 1 if failed else 0


@dataclass(slots=True)
class Tally:
    """How many hands were checked, and how many of them disagree."""

    hands: int = 0
    disagreeing: int = 0
    failed: bool = False

    def count(self, line: AuditLine) -> None:
        """Counts one line; final points that disagree also count as a failure."""
        self.failed = self.failed or bool(line.disagreements)
        if isinstance(line, AuditedHand):
            self.hands += 1
            self.disagreeing += bool(line.disagreements)

    def as_text(self) -> str:
        """Returns the last line of the output."""
        return verdict(self.hands, self.disagreeing)


def _audit_path(path: Path, ruleset: Ruleset | None) -> Iterator[AuditLine]:
    """Checks the games in a file.

    Raises:
        RecordError, JournalError: it cannot be read.
        OSError: the disk has no room for the copy of a journal.
    """
    try:
        yield from _audit_file(path, ruleset)
    except OSError as error:
        if error.errno in FULL:
            raise
        raise RecordError(f"{input_name(path)}: expected readable game records, got: {reason(error)}") from error


def _audit_file(path: Path, ruleset: Ruleset | None) -> Iterator[AuditLine]:
    if is_standard(path) or path.is_fifo():
        yield from _audit_input(path, ruleset)
    elif is_journal(path):
        yield from _audit_games(path, str(path), ruleset)
    elif path.is_dir():
        found = "one without any" if any(path.iterdir()) else "an empty one"
        raise RecordError(f"{path}: expected a folder with game records, got {found}")
    else:
        yield from _audit_record(load_game(path), str(path), ruleset)


def _audit_record(record: GameRecord, log: str, ruleset: Ruleset | None) -> Iterator[AuditLine]:
    for number in record.repeated:
        _say_repeated(log, number)
    yield from audit_game(record, log=log, ruleset=ruleset)


def _say_repeated(log: str, number: int) -> None:
    say(f"tachiai audit: {log}: hand {number} came again, and is checked once", file=sys.stderr)


def _audit_games(path: Path, log: str, ruleset: Ruleset | None) -> Iterator[AuditLine]:
    faults = []
    with stored_games(path) as games:
        for number in games.numbers:
            try:
                with followed_game(f"game {number}"):
                    yield from audit_journal(games.entries(number), log=f"{log}#{number}", ruleset=ruleset)
            except JournalError as error:
                faults.append(str(error))
    if faults:
        raise JournalError("; ".join(faults))


def _audit_input(path: Path, ruleset: Ruleset | None) -> Iterator[AuditLine]:
    """Checks a stream of mjai lines hand by hand; a journal, or a record in another format, is first read whole."""
    with lines_of(path) as lines:
        first = next(filter(bytes.strip, lines), b"")
        if is_mjai(first):
            texts = (line.decode(errors="replace") for line in chain([first], lines))
            name = input_name(path)
            say_repeated = partial(_say_repeated, name)
            yield from audit_stream(texts, log=str(path), source=name, ruleset=ruleset, on_repeated=say_repeated)
        elif first.startswith(JOURNAL_START):
            with temporary_copy(chain([first], lines), input_name(path)) as journal:
                yield from _audit_games(journal, str(path), ruleset)
        else:
            yield from _audit_record(read_game(_record(chain([first], lines)), input_name(path)), str(path), ruleset)


def _record(lines: Iterable[bytes]) -> bytes:
    """Returns the text of a record; stops reading once it has more than `MOST_BYTES`, which will be refused."""
    text = bytearray()
    for line in lines:
        text += line
        if len(text) > MOST_BYTES:
            break
    return bytes(text)


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        yield from _records_in(path) or [path]


def _records_in(path: Path) -> list[Path]:
    """Returns the files of a folder that may be records; none if it is a file, or cannot be listed."""
    try:
        files = sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else []
    except OSError:
        return []
    side_files = {f"{file.name}{side}" for file in files if is_journal(file) for side in SIDE_FILES}
    return [file for file in files if file.name not in side_files and not is_own_file(file) and not is_set_aside(file)]


def _line_with_disagreements(line: AuditLine) -> str:
    return "\n".join(
        [
            _line(line),
            *(coloured(f"    {disagreement.as_text()}", RED, to=sys.stdout) for disagreement in line.disagreements),
        ]
    )


def _line(line: AuditLine) -> str:
    if isinstance(line, AuditedEnd):
        return f"{line.log}  final {' '.join(map(str, line.final))}"
    settlement = line.settlement
    result = (settlement.reason or settlement.kind).value
    wins = "; ".join(map(_win_text, settlement.wins))
    deltas = " ".join(f"{delta:+d}" for delta in settlement.deltas)
    doubts = f"  suspicions: {len(line.play.suspicions)}" if line.play.suspicions else ""
    unchecked = "" if line.is_checked else "  not checked: only the result is known"
    place = f"{line.deal.round!r}-{line.deal.honba}"
    return f"{line.log} {line.play.number:>2} {place:<5} {result:<14} {wins:<40} {deltas}{doubts}{unchecked}".rstrip()


def _win_text(win: Win) -> str:
    parts = [f"{number} {name}" for number, name in ((win.han, "han"), (win.fu, "fu")) if number is not None]
    worth = f"yakuman x {win.yakuman}" if win.yakuman else " ".join(parts)
    source = "tsumo" if win.is_tsumo else f"from {int(win.from_seat)}"
    return f"seat {int(win.seat)} {source} {worth} {win.points}".replace("  ", " ")
