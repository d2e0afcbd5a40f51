"""``.venv/bin/python -m tests.table.game.journal.played_games FILE GAMES``: many whole games in one journal, at once.

One game is played for real: the demo's hands before a perfect eye, a result taken back, and hands that people only told
until it was over. Every other game is that one again, a day later and with the
players in other seats, handed to the journal's own writer.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Final

from table.game.commands.game_commands import OpenGame
from table.game.journal.entries import (
    Body,
    Corrected,
    Entry,
    GameOpened,
    Inserted,
    Names,
    PlayersNamed,
    QuestionAsked,
    Redone,
    SettlementRecorded,
    Undone,
)
from table.game.journal.journal import Journal
from tests.endurance.power_cuts import steps, table_at, take
from tests.table.game.by_hand import draw, tell, undo, win

PLAYERS: Final = ("Aoi", "Ben", "Chie", "Dan")
FIRST_DAY: Final = datetime.fromisoformat("2020-01-01T19:00:00.000+00:00")


def main() -> int:
    """Writes the journal that the command line names."""
    path, games = Path(sys.argv[1]), int(sys.argv[2])
    with Journal(path) as journal:
        write_games(journal, games)
        print(f"{journal.last} entries of {games} games are in {path}")
    return 0


def write_games(journal: Journal, games: int, *, session: Sequence[Entry] = ()) -> None:
    """Writes so many games into a journal, all alike but for their days and the players' seats."""
    session = session or whole_game()
    with journal.transaction():
        for game in range(games):
            for entry in shifted_entries(session, game, after=journal.last):
                journal.append(entry.envelope, entry.body)


@cache
def whole_game() -> tuple[Entry, ...]:
    """The journal of one game, seen and told, from its opening to its end."""
    with Journal(None) as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=PLAYERS))
        for step in steps():
            take(table, step)
        tell(table, win(0, 1, 3))
        undo(table, why="another hand")
        while not table.state.is_over:
            tell(table, draw(0, 1) if table.folded_game.hand % 3 else win(2, 3, 5))
        return journal.entries(after=1)


@cache
def declared_game(loser: int = 1) -> tuple[Entry, ...]:
    """The journal of one short game that people only told, and that this seat lost."""
    with Journal(None) as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=PLAYERS))
        while not table.state.is_over:
            tell(table, win(2, loser, 13, None))
        return journal.entries(after=1)


def shifted_entries(session: Sequence[Entry], game: int, *, after: int) -> list[Entry]:
    """The entries of a game as they stand after an entry's number, so many days later, with the players moved on."""
    offset = after + 1 - session[0].number
    day = FIRST_DAY - datetime.fromisoformat(session[0].envelope.utc) + timedelta(days=game)
    return [
        Entry(
            number=entry.number + offset,
            envelope=replace(
                entry.envelope,
                utc=(datetime.fromisoformat(entry.envelope.utc) + day).isoformat(timespec="milliseconds"),
                act=None if entry.envelope.act is None else entry.envelope.act + offset,
            ),
            body=_shifted_body(entry.body, offset, game % 4),
        )
        for entry in session
    ]


def _shifted_body(body: Body, offset: int, seats: int) -> Body:
    match body:
        case GameOpened() | PlayersNamed():
            return replace(body, names=_rotated_names(body.names, seats))
        case Corrected(entry=entry):
            return replace(body, entry=entry + offset)
        case Inserted(before=before):
            return replace(body, before=before + offset)
        case Undone(act=act) | Redone(act=act):
            return replace(body, act=act + offset)
        case QuestionAsked(entry=int(entry)):
            return replace(body, entry=entry + offset)
        case SettlementRecorded(end=int(end)):
            return replace(body, end=end + offset)
        case _:
            return body


def _rotated_names(names: Names, seats: int) -> Names:
    first, second, third, fourth = (names[(seat + seats) % 4] for seat in range(4))
    return first, second, third, fourth


if __name__ == "__main__":
    sys.exit(main())
