"""`tachiai audit LOG…`: plays game records again as the table would see them, and says what the rules make of them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from table.cli.progress import progress
from table.records.format_detection import load_game
from table.records.game_audit import Line, audit_game
from table.rulebook import rules_named
from table.rulebook.ruleset_registry import SETS
from table.runtime.table_errors import RecordError


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command's parser."""
    parser = commands.add_parser("audit", help="play game records through the rules", description=__doc__)
    parser.set_defaults(run=run)
    logs_help = "mjlog (XML or gz), tenhou.net/6 JSON or mjai; a folder stands for the files in it"
    parser.add_argument("logs", nargs="+", metavar="LOG", type=Path, help=logs_help)
    told = f"play by these rules, not by those of the header: {SETS}"
    parser.add_argument("--ruleset", metavar="SET", help=told)
    parser.add_argument("--json", action="store_true", help="print one JSON object a hand")


def run(args: argparse.Namespace) -> int:
    """Prints a line a hand; records that cannot be read to their end are named on stderr and make it fail.

    Raises:
        ConfigError: there is no such rule set.
    """
    ruleset = None if args.ruleset is None else rules_named(args.ruleset).ruleset
    failed = False
    for path in progress(list(_files(args.logs)), "games"):
        try:
            if path.is_dir():
                raise RecordError(f"{path}: expected a folder with game records, got an empty one")
            for line in audit_game(load_game(path), log=str(path), ruleset=ruleset):
                print(json.dumps(line, ensure_ascii=False) if args.json else _text(line))
        except RecordError as error:
            failed = True
            print(f"tachiai audit: {error}", file=sys.stderr)
    return 1 if failed else 0


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        inside = sorted(each for each in path.iterdir() if each.is_file()) if path.is_dir() else []
        yield from inside or [path]


def _text(line: Line) -> str:
    if "final" in line:
        return f"{line['log']}  final {' '.join(str(points) for points in line['final'])}"
    what = line["abort"] or line["result"]
    wins = "; ".join(_win_text(win) for win in line["wins"])
    deltas = " ".join(f"{delta:+d}" for delta in line["deltas"])
    doubts = f"  suspicions: {len(line['suspicions'])}" if line["suspicions"] else ""
    place = f"{line['round']}-{line['honba']}"
    return f"{line['log']} {line['hand']:>2} {place:<5} {what:<14} {wins:<40} {deltas}{doubts}".rstrip()


def _win_text(win: Line) -> str:
    worth = f"yakuman x {win['yakuman']}" if win["yakuman"] else f"{win['han']} han {win['fu']} fu"
    source = "tsumo" if win["seat"] == win["from"] else f"from {win['from']}"
    return f"seat {win['seat']} {source} {worth} {win['points']}"
