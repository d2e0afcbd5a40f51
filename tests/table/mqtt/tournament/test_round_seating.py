"""Seating: nobody meets anybody twice, as long as that is possible."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, count
from pathlib import Path

import pytest

from table.cli.main import main
from table.mqtt.tournament.round_seating import SeatingError, find_seating, most_rounds, repeats, rounds_without_repeats


@pytest.mark.parametrize(("players", "rounds"), [(16, 5), (20, 5), (24, 7), (28, 9), (32, 10), (36, 11), (40, 11)])
def test_no_pair_meets_twice(players: int, rounds: int) -> None:
    found = find_seating(players, rounds, seconds=0)
    assert len(found) == rounds == rounds_without_repeats(players) <= most_rounds(players)
    met = Counter(frozenset(pair) for tables in found for table in tables for pair in combinations(table, 2))
    assert max(met.values()) == 1
    assert repeats(found) == 0
    for tables in found:
        assert sorted(player for table in tables for player in table) == list(range(players))


@pytest.mark.parametrize(("players", "bound"), [(16, 5), (20, 6), (24, 7), (32, 10), (40, 13), (4, 1), (12, 1), (8, 1)])
def test_the_bound_is_a_third_of_the_others_from_four_tables_on(players: int, bound: int) -> None:
    assert most_rounds(players) == bound


def test_beyond_the_kept_rounds_few_pairs_meet_again_within_the_time_and_they_are_counted() -> None:
    ticks, again = count(), count()
    found = find_seating(16, 6, seconds=400, now=lambda: float(next(ticks)))
    assert len(found) == 6
    assert 0 < repeats(found) <= 24
    assert found == find_seating(16, 6, seconds=400, now=lambda: float(next(again)))


def test_any_number_of_whole_tables_is_seated() -> None:
    for players in (4, 8, 12, 44):
        (first,) = find_seating(players, 1)
        assert sorted(player for table in first for player in table) == list(range(players))


@pytest.mark.parametrize(("players", "rounds"), [(4, 4), (12, 4), (16, 5), (24, 7), (32, 10), (40, 5), (40, 8)])
def test_everybody_has_every_wind_as_often_as_the_number_of_rounds_allows(players: int, rounds: int) -> None:
    sat = Counter(
        (player, wind)
        for tables in find_seating(players, rounds, seconds=0.1)
        for table in tables
        for wind, player in enumerate(table)
    )
    times = [[sat[player, wind] for wind in range(4)] for player in range(players)]
    assert {(min(each), max(each)) for each in times} == {(rounds // 4, (rounds + 3) // 4)}


@pytest.mark.parametrize(("players", "rounds"), [(0, 1), (3, 1), (18, 2), (16, 0)])
def test_no_table_stays_short_and_no_tournament_without_rounds(players: int, rounds: int) -> None:
    with pytest.raises(SeatingError, match="expected"):
        find_seating(players, rounds)


def test_the_command_prints_the_seating_and_says_whether_anybody_meets_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = tmp_path / "players.csv"
    players.write_text("".join(f'"Player {number}",club\n' for number in range(16)))
    assert main(["seating", str(players), "--rounds", "5"]) == 0
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert lines[0] == "round,table,east,south,west,north"
    assert len(lines) == 21
    assert "0 repeated meetings in 5 rounds" in printed.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a\nb\nc\n", "four players per table: 1 more, or 3 fewer (entered: 3)"),
        (b"a\na\nb\nc\n", "line 2: Each name only once; this one is already in line 1 (entered: a)"),
        ("José\nb\nc\nd\n".encode("cp1252"), "expected a file in UTF-8"),
        (b"", "4 to 400 players"),
    ],
)
def test_players_that_cannot_be_seated_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, message: str
) -> None:
    players = tmp_path / "players.csv"
    players.write_bytes(content)
    assert main(["seating", str(players), "--rounds", "2"]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(("players", "again"), [(4, 6), (8, 4), (12, 3)])
def test_with_few_tables_the_second_round_repeats_and_the_search_ends_at_the_fewest(players: int, again: int) -> None:
    assert most_rounds(players) == 1
    assert repeats(find_seating(players, 2, seconds=1.0, now=lambda: 0.0)) == again
