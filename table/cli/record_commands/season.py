"""`tachiai season FOLDER`: prints every player's statistics over all journals and game records in a folder.

Places, points, rates and averages of everybody who played under a name, each with its 95 % confidence interval. Hands
that the table could not see are excluded from the rates that depend on them; `?` means unknown. The folder's
`people.json`, written by the owner's season page, lists which names belong to the same person and who is a guest.
Of a table's backups only the newest is read, and a journal that another one replaced is left out. A game that was
continued in two copies of a journal counts as in the copy with more entries, and a record that two files hold counts
once; a sentence on stderr says so.
Counts are cached in `season.counted` in the folder, so that each game is read only once; the file may be deleted.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Final

from table.cli.arguments.path_arguments import folder
from table.cli.streams.output_encoding import use_utf8
from table.cli.streams.progress import progress
from table.records.season.season_export import season_csv, season_json
from table.records.season.season_figures import Mean, PersonFigures, Rate, Season
from table.records.season.season_folder import read_season
from table.rules.terms.amounts import amount
from table.runtime.table_errors import RecordError
from table.runtime.text_columns import columns_of, padded

COLUMNS: Final = ("games", "place", "result", "wins", "deal-ins", "riichi", "calls")


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command's parser."""
    parser = commands.add_parser("season", help="print every player's statistics over many games", description=__doc__)
    parser.set_defaults(run=run)
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        type=folder,
        help="a folder with journals or game records in any format that `audit` reads; subfolders are included",
    )
    style = parser.add_mutually_exclusive_group()
    style.add_argument("--json", action="store_true", help="print everything as one JSON object")
    style.add_argument("--csv", action="store_true", help="print everything as CSV, one row per figure")


def run(args: argparse.Namespace) -> int:
    """Prints the season; unreadable journals and records are reported on stderr and make the command fail.

    Raises:
        RecordError: the folder holds no games.
        ConfigError: the folder's `people.json` cannot be read.
    """
    if not args.folder.exists():
        raise RecordError(f"expected a folder with journals or game records, got nothing at {args.folder}")
    found = read_season(args.folder, watch=lambda sources: progress(sources, "games"))
    if found.is_empty and not found.faults:
        raise RecordError(f"expected journals or game records in {args.folder}, got none")
    sys.stdout.write(_text(found.season, args))
    for message in (*found.notes, *found.faults):
        print(f"tachiai season: {message}", file=sys.stderr)
    return 1 if found.faults else 0


def _text(season: Season, args: argparse.Namespace) -> str:
    if args.json:
        return json.dumps(season_json(season), ensure_ascii=False) + "\n"
    if args.csv:
        use_utf8()
        return season_csv(season)
    width = max((columns_of(person.name) for person in season.people), default=0) + 2
    head = f"{'':<{width}}{COLUMNS[0]:>6}{COLUMNS[1]:>17}{COLUMNS[2]:>10}" + "".join(
        f"{column:>18}" for column in COLUMNS[3:]
    )
    rows = [_row(person, width) for person in season.people]
    return "\n".join([head, *rows, _games_text(season)]) + "\n"


def _games_text(season: Season) -> str:
    """Returns how many games were read, and how many of them count for whom."""
    text = amount(season.games, "game")
    if season.finished < season.games:
        text += f", {season.finished} of them finished and with a named player"
    return text + (f", {season.left_out} not for the season" if season.left_out else "")


def _row(person: PersonFigures, width: int) -> str:
    shares = "".join(f"{_rate(person.rate_of(name)):>18}" for name in ("wins", "deal_ins", "riichi", "calls"))
    place = _mean(person.mean_of("place"))
    name = padded(person.name, width)
    return f"{name}{len(person.games):>6}{place:>17}{person.result / 1000:>+10.1f}{shares}"


def _rate(rate: Rate) -> str:
    if rate.value is None or rate.interval is None:
        return "?"
    low, high = rate.interval
    return f"{100 * rate.value:.1f}% ({100 * low:.0f}–{100 * high:.0f})"


def _mean(mean: Mean) -> str:
    if mean.value is None:
        return "?"
    interval = "" if mean.interval is None else " ({:.1f}–{:.1f})".format(*mean.interval)
    return f"{mean.value:.2f}{interval}"
