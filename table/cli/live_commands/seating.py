"""`tachiai seating`: who sits where in each round of a tournament."""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

from table.cli.number_arguments import whole
from table.mqtt.desk.seating import SEARCHED_S, SeatingError, kept_rounds, most_rounds, repeats, seated
from table.runtime.table_errors import ConfigError

MOST_ROUNDS = 100
MOST_PLAYERS = 400


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "seating",
        help="seat a tournament so that nobody meets anybody twice",
        description="Reads the players, a name a line (of CSV the first column), and prints as CSV who sits where in "
        "each round, East first; everybody has each wind about as often. Where more rounds are asked for than can be "
        "played with no pair "
        f"meeting twice, it searches {SEARCHED_S:.0f} seconds at most, and says how many meet again.",
    )
    parser.add_argument("players", metavar="PLAYERS.csv", type=Path, help="the players")
    parser.add_argument("--rounds", type=whole(1, MOST_ROUNDS), required=True, help="how many rounds are played")
    parser.add_argument("--seed", type=whole(0, 2**31), default=0, help="another one seats them otherwise (0)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the seating.

    Raises:
        ConfigError: the players cannot be read, or fill no tables of four.
    """
    names = _names(args.players)
    try:
        rounds = seated(len(names), args.rounds, seed=args.seed)
    except SeatingError as error:
        raise ConfigError(f"{error}, in {args.players}") from error
    print("round,table,east,south,west,north")
    lines = csv.writer(sys.stdout, lineterminator="\n")
    for number, tables in enumerate(rounds, 1):
        for table, players in enumerate(tables, 1):
            lines.writerow([number, table, *(names[player] for player in players)])
    again, bound = repeats(rounds), most_rounds(len(names))
    kept = f"{kept_rounds(len(names))} rounds are kept in which nobody meets anybody twice; the bound is {bound}"
    print(f"tachiai: {again} meetings come again in {len(rounds)} rounds ({kept})", file=sys.stderr)
    return 0


def _names(path: Path) -> list[str]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            names = [row[0].strip() for row in csv.reader(file) if row and row[0].strip()]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(f"expected a file with the players, got {path}: {error}") from error
    if len(names) > MOST_PLAYERS:
        raise ConfigError(f"expected {MOST_PLAYERS} players at most, got {len(names)} in {path}")
    if twice := [name for name in names if names.count(name) > 1]:
        raise ConfigError(f"expected every player once, got {twice[0]!r} {names.count(twice[0])} times in {path}")
    return names
