"""Caches the counts of a folder in a file in it, so that each game is read only once.

A game is identified by a unique key: in a journal the hash of its last entry, which covers every byte before it; for a
record the hash of its text. If a game is gone or the version differs, everything is counted anew. The file may be
deleted at any time.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from table.game.journal.storage.journal_codec import parse_stored
from table.records.season.season_figures import GameEnd
from table.records.season.tally import GamePlace, GameTally, Tally, read_game, read_tally
from vision.atomic_files import read_whole, write_whole
from vision.errors import reason_and_place

FILE: Final = "season.counted"
"""The file's name in the folder."""
_FORMAT: Final = 11
_log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class SeasonCount:
    """The sum of all counted games."""

    keys: set[str] = field(default_factory=set)
    """The keys of the counted games."""
    game_ends: list[GameEnd] = field(default_factory=list)
    tallies: dict[str, Tally] = field(default_factory=dict)
    left_out: int = 0
    """Number of games that people took out of the season."""
    not_begun: int = 0
    """Number of openings without a finished hand, which are no games yet."""
    open_games: dict[str, GameTally] = field(default_factory=dict)
    """Games that may still continue, by key; not part of the sum, since each replaces its earlier count."""

    @property
    def games(self) -> int:
        """The number of counted games."""
        return len(self.keys) - self.not_begun

    def add(self, key: str, game: GameTally) -> None:
        """Counts one more game."""
        self.keys.add(key)
        self.left_out += game.has_begun and not game.counts
        self.not_begun += not game.has_begun
        if game.places:
            self.game_ends.append(GameEnd(utc=game.utc, number=game.number, places=game.places))
        for name, tally in game.tallies.items():
            self.tallies.setdefault(name, Tally()).add(tally)

    def total(self) -> SeasonCount:
        """Returns the sum of all games, including those that may still continue; this object stays unchanged."""
        tallies = {name: Tally() for name in self.tallies}
        for name, tally in self.tallies.items():
            tallies[name].add(tally)
        found = SeasonCount(
            keys=set(self.keys),
            game_ends=list(self.game_ends),
            tallies=tallies,
            left_out=self.left_out,
            not_begun=self.not_begun,
        )
        for key, game in self.open_games.items():
            found.add(key, game)
        return found


def stored_counts(path: Path, keys: Iterable[str]) -> SeasonCount:
    """Returns the cached sum if the file contains no other games than these; else an empty one."""
    try:
        season_count = _read(path) if path.is_file() else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        _log.warning("the counts of earlier games cannot be read: %s", reason_and_place(error))
        season_count = None
    return season_count if season_count is not None and season_count.keys <= set(keys) else SeasonCount()


def store_counts(path: Path, season_count: SeasonCount) -> None:
    """Writes the file; if that fails, games are counted again next time."""
    data = {
        "keys": sorted(season_count.keys),
        "left_out": season_count.left_out,
        "not_begun": season_count.not_begun,
        "ended": [
            [game.utc, game.number, [list(asdict(place).values()) for place in game.places]]
            for game in season_count.game_ends
        ],
        "tallies": {name: asdict(tally) for name, tally in season_count.tallies.items()},
        "going": {key: game.as_json() for key, game in season_count.open_games.items()},
    }
    text = json.dumps(data, ensure_ascii=False).encode()
    try:
        write_whole(path, _head(text) + text)
    except OSError as error:
        _log.info("the counts cannot be stored: %s", reason_and_place(error))


def _head(text: bytes) -> bytes:
    """Returns the header: the program's version and a checksum that reveals a damaged file."""
    check = blake2b(text, digest_size=8).hexdigest()
    return f"{version('tachiai')}/{_FORMAT} {check}\n".encode()


def _read(path: Path) -> SeasonCount | None:
    head, _, text = read_whole(path).partition(b"\n")
    if head + b"\n" != _head(text):
        return None
    data: dict[str, Any] = parse_stored(text.decode())
    return SeasonCount(
        keys=set(data["keys"]),
        left_out=data["left_out"],
        not_begun=data["not_begun"],
        game_ends=[GameEnd(utc=utc, number=number, places=_places(places)) for utc, number, places in data["ended"]],
        tallies={name: read_tally(tally) for name, tally in data["tallies"].items()},
        open_games={key: read_game(game) for key, game in data["going"].items()},
    )


def _places(data: Any) -> tuple[GamePlace, ...]:
    return tuple(
        GamePlace(name=name, place=place, points=points, uma=uma, result=result)
        for name, place, points, uma, result in data
    )
