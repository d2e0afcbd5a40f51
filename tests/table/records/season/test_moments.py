from __future__ import annotations

from dataclasses import replace

import pytest

from table.game.commands.game_commands import AdjustPoints, OpenGame
from table.game.journal.history.game_history import GameHistory, game_history
from table.game.journal.journal import Journal
from table.records.season.game_count import count_game
from table.records.season.moments import MomentKind, moments_of
from table.rulebook.play_presets import HOME
from table.rules.ruleset import Ruleset
from table.rules.state import LoggedFoul
from table.rules.terms.results import DeclaredResult, DeclaredWin, Deltas, ResultKind, subtract
from table.rules.terms.seats import SEATS
from tests.endurance.power_cuts import table_at
from tests.table.game.by_hand import draw, tell, win
from tests.table.game.journal.played_games import PLAYERS

YAKUMAN = DeclaredResult(
    kind=ResultKind.RON,
    wins=(DeclaredWin(seat=SEATS[2], from_seat=SEATS[0], yakuman=1, yaku=(("thirteen_orphans", 13),)),),
)


def game_of(*results: DeclaredResult, to_the_end: DeclaredResult | None = None) -> GameHistory:
    with Journal(None) as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=PLAYERS))
        tell(table, *results)
        while to_the_end is not None and not table.state.is_over:
            tell(table, to_the_end)
        return game_history(journal.entries(after=1))


def of_kind(game: GameHistory, kind: MomentKind) -> list[tuple[int, tuple[str, ...]]]:
    return [(moment.hand, moment.names) for moment in moments_of(game) if moment.kind is kind]


def test_a_yakuman_is_a_moment_with_its_name() -> None:
    game = game_of(draw(1), YAKUMAN)
    assert of_kind(game, MomentKind.YAKUMAN) == [(1, ("Chie",))]
    assert [moment.details for moment in moments_of(game) if moment.kind is MomentKind.YAKUMAN] == [
        ("thirteen_orphans",)
    ]


def test_the_biggest_swing_is_the_hand_that_parted_two_seats_most() -> None:
    game = game_of(win(0, 1, 3), win(2, 3, 5, None), win(1, 2, 2))
    assert of_kind(game, MomentKind.SWING) == [(1, ("Chie", "Dan"))]
    assert next(moment.points for moment in moments_of(game)) >= 16000


def test_of_equal_swings_the_first_counts() -> None:
    assert of_kind(game_of(win(1, 2, 3), win(3, 2, 3)), MomentKind.SWING)[0][0] == 0


def test_all_who_paid_the_same_are_in_the_biggest_swing() -> None:
    (swing,) = (each for each in moments_of(game_of(win(0, 0, 5, None))) if each.kind is MomentKind.SWING)
    assert (swing.names, swing.winners, swing.points) == (PLAYERS, 1, 16000)


def test_both_winners_of_a_hand_who_got_the_same_are_in_its_swing() -> None:
    double_ron = DeclaredResult(
        kind=ResultKind.RON,
        wins=tuple(DeclaredWin(seat=SEATS[seat], from_seat=SEATS[0], han=5) for seat in (1, 2)),
    )
    (swing,) = (each for each in moments_of(game_of(double_ron)) if each.kind is MomentKind.SWING)
    assert (swing.names, swing.winners) == (("Ben", "Chie", "Aoi"), 2)


def test_three_riichi_in_one_hand_are_a_moment_and_two_are_none() -> None:
    game = game_of(draw(0, 1, riichi=(0, 1)), draw(0, 1, 2, riichi=(0, 1, 2)))
    assert of_kind(game, MomentKind.THREE_RIICHI) == [(1, ("Aoi", "Ben", "Chie"))]


def test_who_takes_the_first_place_in_the_last_hand_turns_it() -> None:
    game = game_of(win(2, 1, 3), to_the_end=win(3, 2, 13, None))
    ahead = min(SEATS, key=lambda seat: (-game.state.history[-2].scores[seat], int(seat)))
    assert game.state.is_over
    last_turns = of_kind(game, MomentKind.LAST_TURN)
    assert last_turns == (
        [] if ahead is game.state.ranking[0] else [(len(game.state.history) - 1, ("Dan", PLAYERS[ahead]))]
    )
    assert last_turns


def test_two_who_are_level_before_and_after_the_last_hand_do_not_overtake_each_other() -> None:
    game = game_of(win(2, 1, 3), to_the_end=win(3, 2, 13, None))
    level = replace(game.state.history[-2], scores=(30000, 30000, 20000, 20000))
    ranking = (SEATS[1], SEATS[0], SEATS[2], SEATS[3])
    state = replace(game.state, history=(level, game.state.history[-1]), ranking=ranking)
    after = {(30000, 30000, 21000, 19000): [], (29000, 31000, 20000, 20000): [(1, ("Ben", "Aoi"))]}
    for scores, last_turns in after.items():
        assert of_kind(replace(game, state=replace(state, scores=scores)), MomentKind.LAST_TURN) == last_turns


def test_who_is_in_first_place_by_a_correction_before_the_last_hand_does_not_turn_it() -> None:
    with Journal(None) as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=PLAYERS))
        tell(table, *(win(dealer % 4, (dealer + 1) % 4, 1) for dealer in range(1, 8)))
        assert table.state.scores == (24000, 26000, 25000, 25000)
        table.handle(AdjustPoints(points=(20000, -20000, 0, 0), hand=7, why="paid wrongly"))
        tell(table, win(0, 1, 1))
        game = game_history(journal.entries(after=1))
    assert (game.state.is_over, len(game.state.history)) == (True, 8)
    assert of_kind(game, MomentKind.LAST_TURN) == []


def test_a_game_that_goes_on_has_no_last_turn() -> None:
    assert of_kind(game_of(win(2, 1, 3), win(3, 2, 5, None)), MomentKind.LAST_TURN) == []


def test_a_logged_foul_is_a_moment_until_it_is_cancelled() -> None:
    game = game_of(win(2, 1, 3))
    fouls = (
        LoggedFoul(seat=SEATS[1], clause="7-05-01"),
        LoggedFoul(seat=SEATS[0], clause="7-05-02", cancel_reason="no"),
    )
    line = replace(game.state.history[0], fouls=fouls)
    game = replace(game, state=replace(game.state, history=(line,)))
    assert of_kind(game, MomentKind.FOUL) == [(0, ("Ben",))]


def test_a_game_without_payments_has_no_moments() -> None:
    assert moments_of(game_of(draw(0, 1, 2, 3))) == []


def last_hand_of(rules: Ruleset, before: Deltas, after: Deltas) -> GameHistory:
    """A finished game whose last hand changed the scores like that."""
    game = game_of(win(2, 1, 3), to_the_end=win(3, 2, 13, None))
    level, last = replace(game.state.history[-2], scores=before), game.state.history[-1]
    assert last.settlement is not None
    settlement = replace(last.settlement, deltas=subtract(after, before))
    history = (level, replace(last, scores=after, settlement=settlement))
    state = replace(game.state, history=history, scores=after)
    return replace(game, state=state, tables=(None, None), hand_names=(), ruleset=rules)


@pytest.mark.parametrize(
    ("ties", "before", "after", "turns", "comebacks"),
    [
        ("split", (30000, 26000, 24000, 20000), (28000, 28000, 24000, 20000), [], {"Ben": 1, "Chie": 0, "Dan": 0}),
        ("split", (28000, 28000, 24000, 20000), (26000, 30000, 24000, 20000), [], {"Chie": 0, "Dan": 0}),
        (
            "split",
            (30000, 26000, 26000, 18000),
            (24000, 29000, 29000, 18000),
            [("Ben", "Aoi"), ("Chie", "Aoi")],
            {"Ben": 1, "Chie": 1, "Dan": 0},
        ),
        (
            "seat",
            (26000, 30000, 24000, 20000),
            (28000, 28000, 24000, 20000),
            [("Aoi", "Ben")],
            {"Aoi": 1, "Chie": 0, "Dan": 0},
        ),
        (
            "seat",
            (28000, 28000, 24000, 20000),
            (26000, 30000, 24000, 20000),
            [("Ben", "Aoi")],
            {"Ben": 1, "Chie": 0, "Dan": 0},
        ),
    ],
)
def test_who_shares_the_first_place_is_in_it(
    ties: str, before: Deltas, after: Deltas, turns: list[tuple[str, str]], comebacks: dict[str, int]
) -> None:
    game = last_hand_of(HOME.but(ties=ties), before, after)
    assert of_kind(game, MomentKind.LAST_TURN) == [(1, names) for names in turns]
    shares = {name: tally.shares["comebacks"] for name, tally in count_game(game).tallies.items()}
    assert {name: share.hits for name, share in shares.items() if share.of} == comebacks
