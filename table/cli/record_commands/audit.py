"""`tachiai audit LOG…`: plays game records again as the table would see them, and says what the rules make of them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from table.cli.progress import progress
from table.records.format_detection import load_game
from table.records.game_audit import AuditedEnd, AuditedHand, audit_game
from table.rulebook import rules_named
from table.rulebook.ruleset_registry import SETS
from table.rules.terms.results import Win
from table.runtime.table_errors import RecordError


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command's parser."""
    parser = commands.add_parser("audit", help="play game records through the rules", description=__doc__)
    parser.set_defaults(run=run)
    logs_help = "mjlog (XML or gz), tenhou.net/6 JSON or mjai; a folder stands for the files in it"
    parser.add_argument("logs", nargs="+", metavar="LOG", type=Path, help=logs_help)
    help_text = f"play by these rules, not by those of the header: {SETS}"
    parser.add_argument("--ruleset", metavar="SET", help=help_text)
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
            for each in audit_game(load_game(path), log=str(path), ruleset=ruleset):
                print(json.dumps(each.as_json(), ensure_ascii=False) if args.json else _text(each))
        except RecordError as error:
            failed = True
            print(f"tachiai audit: {error}", file=sys.stderr)
    return 1 if failed else 0


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        inside = sorted(each for each in path.iterdir() if each.is_file()) if path.is_dir() else []
        yield from inside or [path]


def _text(each: AuditedHand | AuditedEnd) -> str:
    if isinstance(each, AuditedEnd):
        return f"{each.log}  final {' '.join(map(str, each.final))}"
    settlement = each.settlement
    what = (settlement.reason or settlement.kind).value
    wins = "; ".join(map(_win_text, settlement.wins))
    deltas = " ".join(f"{delta:+d}" for delta in settlement.deltas)
    doubts = f"  suspicions: {len(each.play.suspicions)}" if each.play.suspicions else ""
    place = f"{each.deal.round!r}-{each.deal.honba}"
    return f"{each.log} {each.play.number:>2} {place:<5} {what:<14} {wins:<40} {deltas}{doubts}".rstrip()


def _win_text(win: Win) -> str:
    worth = f"yakuman x {win.yakuman}" if win.yakuman else f"{win.han} han {win.fu} fu"
    source = "tsumo" if win.is_tsumo else f"from {int(win.from_seat)}"
    return f"seat {int(win.seat)} {source} {worth} {win.points}"
