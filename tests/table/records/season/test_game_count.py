from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from table.game.journal.entries import Envelope, GameOpened, Source
from table.game.journal.journal import Journal
from table.records.audit.seen_events import seen_events
from table.records.format_detection import load_game
from table.records.season.season_export import season_json
from table.records.season.season_folder import read_season
from table.rules.terms.tiles import parse_tiles
from tests.table.game.journal.played_games import FIRST_DAY
from tests.table.records.real_games import files
from tests.table.records.season.counted_from_records import PEOPLE, counts_of_records, players_of, write_with_players

SAMPLE = 20
"""Every n-th real game is counted in a normal run."""
JOURNAL_SAMPLE = 80
"""The same of games that stand in a journal."""
Write = Callable[[Sequence[Path], Path], None]
IN_POINTS = ("points", "uma", "result", "win_value", "deal_in_value")
"""What is told in points: two ways of adding up Student's density differ by less than a hundredth of one."""


def all_differences(
    records: Sequence[Path], folder: Path, write: Write = write_with_players, *, tell_fouls: bool = False
) -> list[str]:
    """Every figure of everybody in which a folder's season and the oracle differ."""
    write(records, folder)
    found = read_season(folder)
    assert (found.faults, found.notes) == ([], [])
    ours = {person["name"]: _comparable(person) for person in season_json(found.season)["people"]}
    expected = counts_of_records(records, tell_fouls=tell_fouls)
    assert sorted(ours) == sorted(expected)
    return [
        f"{name}: {difference}"
        for name, figures in expected.items()
        for difference in _differences(ours[name], figures)
    ]


def write_journal(records: Sequence[Path], folder: Path) -> None:
    """Writes the games as a table would have kept them, a day each, with those who are dealt to their seats."""
    with Journal(folder / "table.journal") as journal, journal.transaction():
        for game, path in enumerate(records):
            record, (first, second, third, fourth) = load_game(path), players_of(game)
            envelope = Envelope(utc=(FIRST_DAY + timedelta(days=game)).isoformat(), source=Source.TABLE)
            journal.append(envelope, GameOpened(ruleset=record.ruleset, names=(first, second, third, fourth)))
            for event in (event for hand in record.hands for event in seen_events(hand, record.ruleset)):
                journal.append(envelope, event)


def _comparable(person: Mapping[str, Any]) -> dict[str, Any]:
    """A person of the contract without what no record tells, and with what has no order by name."""
    best = person["best"]
    return {
        **{name: value for name, value in person.items() if name not in ("id", "name", "names")},
        "against": {each["name"]: {**each, "name": None} for each in person["against"]},
        "history": [{**game, "utc": None} for game in person["history"]],
        "best": best
        and {
            "points": best["points"],
            "fu": best["fu"],
            "yaku": sorted(name for name, _ in best["yaku"]),
            "hand": best["hand"],
            "tiles": _tiles(best["tiles"]),
            "winning_tile": best["winning_tile"],
            "melds": sorted(_tiles(meld.strip("()")) for meld in best["melds"]),
        },
    }


def _tiles(text: str) -> list[str]:
    return sorted(tile.text for tile in parse_tiles(text))


def _differences(found: Any, expected: Any, at: str = "") -> Iterator[str]:
    if isinstance(expected, dict) and isinstance(found, dict) and found.keys() == expected.keys():
        for name, value in expected.items():
            yield from _differences(found[name], value, f"{at} {name}")
    elif isinstance(expected, list) and isinstance(found, list) and len(found) == len(expected):
        for number, value in enumerate(expected):
            yield from _differences(found[number], value, f"{at} {number}")
    elif isinstance(expected, float):
        exact = 0.01 if at.split(maxsplit=1)[0] in IN_POINTS else 2e-6
        if found is None or abs(found - expected) > exact:
            yield f"{at} {found} instead of {expected}"
    elif found != expected:
        yield f"{at} {json.dumps(found)} instead of {json.dumps(expected)}"


def test_every_figure_of_a_sample_of_real_games_is_what_their_records_tell(shared: Path, tmp_path: Path) -> None:
    records = files(shared / "logs" / "tenhou", every=SAMPLE)
    assert len(records) >= 28
    assert all_differences(records, tmp_path) == []


@pytest.mark.long
def test_every_figure_of_all_real_games_is_what_their_records_tell(shared: Path, tmp_path: Path) -> None:
    records = files(shared / "logs" / "tenhou")
    assert len(records) == 564
    assert {name for game in range(564) for name in players_of(game)} == set(PEOPLE)
    assert all_differences(records, tmp_path) == []


def test_a_journal_of_real_games_counts_as_their_records_tell(shared: Path, tmp_path: Path) -> None:
    records = files(shared / "logs" / "tenhou", every=JOURNAL_SAMPLE)
    assert len(records) >= 7
    assert all_differences(records, tmp_path, write_journal, tell_fouls=True) == []


@pytest.mark.long
def test_a_journal_of_all_real_games_counts_as_their_records_tell(shared: Path, tmp_path: Path) -> None:
    records = files(shared / "logs" / "tenhou")
    assert all_differences(records, tmp_path, write_journal, tell_fouls=True) == []


def test_rare_ends_count_as_their_records_tell(shared: Path, tmp_path: Path) -> None:
    whole = [path for path in files(shared / "logs" / "rare") if load_game(path).cut_short is None]
    records = [path for path in whole if b"owari" in path.read_bytes()]
    assert len(records) >= 5
    assert all_differences(records, tmp_path) == []
