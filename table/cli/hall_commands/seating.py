"""`tachiai seating`: who sits where in each round of a tournament."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from pathlib import Path

from table.cli.arguments.number_arguments import whole_number_from
from table.cli.arguments.path_arguments import any_file
from table.cli.streams.input_files import input_bytes, input_name
from table.cli.streams.output_encoding import use_utf8
from table.cli.streams.progress import waiting
from table.i18n import catalogue
from table.mqtt.tournament.round_seating import SEARCH_S, find_seating, most_rounds, repeats, rounds_without_repeats
from table.mqtt.tournament.tournament_csv import MOST_ROUNDS, CsvError, decoded_text, read_players
from table.rules.terms.amounts import amount
from table.runtime.table_errors import ConfigError
from vision.errors import reason


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "seating",
        help="seat a tournament so that no two players meet twice",
        description="Reads players' names, one per line or from the columns that a CSV file's heading names (Name, or "
        "Surname and First name), and prints the seating of each round as CSV, East first; in four rounds everybody "
        "sits on each wind. If there are more rounds than can be played without any pair meeting twice, it searches "
        f"for up to {SEARCH_S:.0f} seconds for the fewest repeats and reports how many there are.",
    )
    parser.add_argument(
        "players", metavar="PLAYERS.csv", type=any_file, help="the file with the players' names; - for standard input"
    )
    parser.add_argument("--rounds", type=whole_number_from(1, MOST_ROUNDS), required=True, help="the number of rounds")
    parser.add_argument("--seed", type=whole_number_from(0, 2**31), default=0, help="varies the seating (default: 0)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the seating.

    Raises:
        ConfigError: the players cannot be read, or their number is not divisible by four.
    """
    names = _names(args.players)
    with waiting("seating"):
        rounds = find_seating(len(names), args.rounds, seed=args.seed)
    use_utf8()
    print("round,table,east,south,west,north")
    lines = csv.writer(sys.stdout, lineterminator="\n")
    for number, tables in enumerate(rounds, 1):
        for table, players in enumerate(tables, 1):
            lines.writerow([number, table, *(names[player] for player in players)])
    repeat_count, bound = repeats(rounds), most_rounds(len(names))
    guaranteed_rounds = rounds_without_repeats(len(names))
    guarantee = f"guaranteed without a repeat: {amount(guaranteed_rounds, 'round')}; the upper bound is {bound}"
    print(
        f"tachiai: {amount(repeat_count, 'repeated meeting')} in {amount(len(rounds), 'round')} ({guarantee})",
        file=sys.stderr,
    )
    return 0


def _names(path: Path) -> Sequence[str]:
    name = input_name(path)
    try:
        return read_players(decoded_text(input_bytes(path)))
    except CsvError as error:
        message = "; ".join(fault.text(catalogue("en")) for fault in error.faults)
        raise ConfigError(f"{message[:1].lower()}{message[1:]}; in {name}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"expected a file in UTF-8 (Excel: “CSV UTF-8”), got {name}: {reason(error)}") from error
    except OSError as error:
        raise ConfigError(f"expected a file with the players, got {name}: {reason(error)}") from error
