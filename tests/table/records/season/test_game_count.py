from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from table.records.format_detection import load_game
from table.records.season.game_count import count_record
from table.records.season.people import People
from table.records.season.season import PersonFigures, Season, ended_games, season_of
from table.records.season.tally import totals
from table.rules.terms.tiles import parse_tiles
from tests.table.records.real_games import files
from tests.table.records.season.plain_figures import PEOPLE, Person, figures_of, players_of

SAMPLE = 20
"""Every n-th real game is counted in a normal run."""
SHARES = {
    "wins": ("wins", "hands"),
    "deal_ins": ("deal_ins", "hands"),
    "riichi": ("riichi", "hands"),
    "calls": ("calls", "hands"),
    "tenpai": ("tenpai", "draws"),
    "ippatsu": ("ippatsu", "riichi_wins"),
    "ura": ("ura", "riichi_wins"),
    "furiten_riichi": ("furiten_riichi", "opened_riichi"),
    "comebacks": ("comebacks", "behind"),
}
"""A share, and what the oracle calls its two numbers."""
AMOUNTS = {"win_value": "wins", "deal_in_value": "deal_ins", "riichi_turn": "riichi"}


def season_from(paths: Sequence[Path]) -> Season:
    """The program's season of real games, the people dealt to their seats."""
    games = [
        count_record(load_game(path), players_of(number), log=path.name, utc=f"{number:06}")
        for number, path in enumerate(paths)
    ]
    return season_of(totals(games), ended_games(games), People(), games=len(games))


def differences(ours: PersonFigures, plain: Person) -> Iterator[str]:
    """Every figure in which the program and the oracle differ."""
    for name, found, wanted in [*_counted(ours, plain), *_over_games(ours, plain)]:
        if found != wanted:
            yield f"{ours.name}: {name} {found} instead of {wanted}"


def _counted(ours: PersonFigures, plain: Person) -> Iterator[tuple[str, Any, Any]]:
    tally = ours.tally
    yield "hands", tally.hands, plain["hands"]
    for name, (hits, of) in SHARES.items():
        rate = ours.rate_of(name)
        yield name, (rate.hits, rate.of), (plain[hits], plain[of])
    for name, count in AMOUNTS.items():
        mean = ours.mean_of(name)
        yield name, (mean.total, mean.count), (plain[name], plain[count])
    yield "fouls", (ours.rate_of("fouls").hits, ours.rate_of("fouls").of), (0, plain["hands"])
    yield "furiten not known", ours.rate_of("furiten_riichi").unknown, plain["riichi"] - plain["opened_riichi"]
    yield "deal-in turns", Counter(tally.deal_in_turns), plain["deal_in_turns"]
    yield "dealership", tally.dealership, plain["dealership"]
    best = ours.best
    tiles = [] if best is None else [tile.text for tile in parse_tiles(best.tiles + best.winning_tile)]
    yield "best hand", (0,) if best is None else (best.points, int(best.utc), best.hand, sorted(tiles)), plain["best"]


def _over_games(ours: PersonFigures, plain: Person) -> Iterator[tuple[str, Any, Any]]:
    yield "games", len(ours.games), plain["games"]
    yield "places", [rate.hits for rate in ours.places], plain["places"]
    for name in ("points", "uma", "result"):
        yield name, ours.mean_of(name).total, plain[name]
    for other, wanted in plain["against"].items():
        each = ours.against[other]
        found = {"games": each.games, "above": each.above, "result": each.result}
        yield f"against {other}", found | {"won": each.won.total, "lost": each.lost.total}, wanted


def all_differences(paths: Sequence[Path]) -> list[str]:
    """Every figure of everybody in which the program and the oracle differ."""
    plain = figures_of((path, players_of(number)) for number, path in enumerate(paths))
    people = season_from(paths).people
    assert sorted(person.name for person in people) == sorted(plain)
    return [each for person in people for each in differences(person, plain[person.name])]


def test_every_figure_of_a_sample_of_real_games_is_what_their_records_tell(shared: Path) -> None:
    paths = files(shared / "logs" / "tenhou", every=SAMPLE)
    assert len(paths) >= 28
    assert all_differences(paths) == []


@pytest.mark.long
def test_every_figure_of_all_real_games_is_what_their_records_tell(shared: Path) -> None:
    paths = files(shared / "logs" / "tenhou")
    assert len(paths) == 564
    assert sorted({name for number in range(564) for name in players_of(number)}) == sorted(PEOPLE)
    assert all_differences(paths) == []


def test_rare_ends_count_as_their_records_tell(shared: Path) -> None:
    whole = [path for path in files(shared / "logs" / "rare") if load_game(path).cut_short is None]
    games = [path for path in whole if b"owari" in path.read_bytes()]
    assert len(games) >= 5
    assert [each for path in games for each in all_differences([path])] == []
