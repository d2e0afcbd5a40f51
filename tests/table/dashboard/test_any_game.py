"""Whatever people do with a game, edits, swapped seats, fouls and all, no page, view or export of it fails."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, Final

import pytest

from table.dashboard import create_app
from table.dashboard.scores.result_preview import outcome_view
from table.game.commands import game_commands as commands
from table.game.commands.command_reader import read_press, read_result
from table.game.commands.game_commands import Command
from table.game.journal.history.game_history import games_of
from table.game.journal.journal import Journal
from table.game.table_loop import Table, TableLoop
from table.i18n import catalogue
from table.rules.terms.results import AbortReason, subtract
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS
from table.rules.terms.tiles import Tile
from table.rules.terms.yaku import YAKU
from table.runtime.table_errors import TachiaiError
from tests.fakes.desks import PIN, join
from tests.table.dashboard.any_table import SCENES, VIEWS, check_exports, keep, visit_pages
from vision.felt import Felt, FeltReport

STEPS: Final = 25
CLAUSES: Final = ("7-05-01", "7-05-06", "7-06-01", "7-04-01", "7-01-01", "7-05-14", "EMA 6.6", "R23", "R22", "other")
PRESSES: Final = (
    *("ron", "tsumo", "riichi", "tenpai", "noten", "pass", "confirm", "confirm", "confirm", "cancel", "draw", "abort"),
    *("name_foul", "foul", "agree", "cancel_foul", "wait"),
)
HANDS: Final = ("234m567m34567p22s5p", "19m19p19s12345677z1z", "123456789m1122z2z", "234678m45622p34s5s")
REASONS: Final = [reason.value for reason in AbortReason]


def random_win(random: Random) -> dict[str, Any]:
    loser = random.randrange(4)
    is_tsumo = random.random() < 0.4
    winners = random.sample([seat for seat in range(4) if seat != loser], 1 if random.random() < 0.8 else 2)
    wins: list[dict[str, Any]] = []
    for seat in [loser] if is_tsumo else winners:
        worth: dict[str, Any] = {"han": random.randint(1, 13), "fu": random.choice((20, 25, 30, 40, 50, 70, 110))}
        if random.random() < 0.15:
            worth = {"yakuman": random.randint(1, 2)}
        elif random.random() < 0.5:
            worth["yaku"] = [[name, 1] for name in random.sample(list(YAKU), 2)]
        if random.random() < 0.1:
            worth["pao"] = {random.choice(("big_three_dragons", "four_kans")): random.randrange(4)}
        wins.append({"seat": seat, "from": loser, **worth})
    return {"kind": "tsumo" if is_tsumo else "ron", "wins": wins, "riichi": some_seats(random, 2)}


def some_seats(random: Random, limit: int) -> list[int]:
    return random.sample(range(4), random.randint(0, limit))


def result(random: Random) -> dict[str, Any]:
    chance = random.random()
    if chance < 0.65:
        return random_win(random)
    if chance < 0.85:
        return {"kind": "draw", "tenpai": some_seats(random, 4), "riichi": some_seats(random, 1)}
    return {"kind": "abort", "reason": random.choice(REASONS)}


def press(random: Random, hands: int) -> Command:
    name = random.choice(PRESSES)
    fields: dict[str, Any] = {"press": name, "seat": random.randrange(4)}
    if name in ("ron", "tsumo"):
        worth = {"han": random.randint(1, 13), "fu": random.choice((20, 30, 40))}
        fields |= {"tiles": random.choice(HANDS)} if random.random() < 0.5 else worth
    elif name == "abort":
        fields["reason"] = random.choice(REASONS)
    elif name == "cancel_foul":
        fields |= {"foul": 0, "reason": "misread", "hand": random.randint(0, hands)}
    elif name in ("name_foul", "foul"):
        fields |= {"clause": random.choice(CLAUSES), **({"option": "b"} if random.random() < 0.3 else {})}
        fields |= {"hand": random.randint(0, hands)} if random.random() < 0.3 else {}
    elif name == "wait":
        fields["tiles"] = "36m"
    return read_press(fields)


def act(random: Random, table: Table) -> Command:
    """Something that somebody may do now, mostly."""
    hands, changes = table.folded_game.hand, table.board.latest.changes
    deeds: dict[Callable[[], Command], int] = {
        lambda: commands.DeclareResult(result=read_result(result(random)), hand=hands, by="seat 1"): 6,
        lambda: commands.EditResult(result=read_result(result(random)), hand=random.randrange(max(hands, 1))): 3,
        lambda: commands.Reseat(order=tuple(random.sample(SEATS, 4))): 2,  # type: ignore[arg-type]
        lambda: commands.Undo(act=changes.undo or 0): 2,
        lambda: commands.Redo(act=changes.redo or 0): 1,
        lambda: commands.NameSeats(names=("Aoi", "=1+1", "", "<b>")): 1,
        lambda: commands.OpenGame(names=("Aoi", "Ben", "", ""), first_dealer=random.choice(SEATS), by="owner"): 1,
        lambda: commands.CorrectDiscard(discard=random.randint(0, 6), to=Tile(random.choice(("1m", "0p", "?")))): 1,
        lambda: press(random, hands): 8,
    }
    (deed,) = random.choices(list(deeds), list(deeds.values()))
    return deed()


def play_game(journal: Journal, seed: int, steps: int = STEPS) -> Table:
    random = Random(seed)
    scene = random.choice(list(SCENES.values()))
    table = keep(journal, scene)
    if scene:
        table.report(FeltReport(frame=0, t_ns=0, felt=Felt(), changes=()))
    for _ in range(steps):
        try:
            table.handle(act(random, table))
        except (TachiaiError, RulesError):
            continue
    return table


def check_pages(table: Table) -> None:
    games = games_of(table.journal.entries())
    places = [f"/game/{game[0].number}{page}" for game in games for page in ("", "/sheet.csv", "/tenhou6.json")]
    for hand in range(len(table.state.history)):
        number = games[-1][0].number
        places += [f"/game/{number}/hand/{hand}", f"/api/hands/{hand}", f"/game/{number}/hand/{hand}/tenhou6.json"]
    with TableLoop(table) as loop:
        app = create_app(table.board, loop)
        clients = [app.test_client() for _ in range(6)]
        assert join(clients[4], "owner", pin=PIN) < 400
        assert join(clients[1], seat="1") < 400
        visit_pages(clients, (*VIEWS, *places))


@pytest.mark.parametrize("seed", [1, 7, 315])
def test_no_page_fails_whatever_was_done_with_the_game(seed: int) -> None:
    with Journal(None) as journal:
        check_pages(play_game(journal, seed))


def test_no_export_fails_whatever_was_done_with_the_game() -> None:
    for seed in (*range(12), 315):
        with Journal(None) as journal:
            play_game(journal, seed)
            check_exports(journal)


def check_preview(command: commands.DeclareResult | commands.EditResult, table: Table) -> None:
    """Carries out a result: it makes the game that its preview promised, and the arrows pay what the seats gain."""
    before, foreseen = table.board.latest, table.preview(command)
    view = outcome_view(command, foreseen, before, catalogue())
    table.handle(command)
    after = table.state
    assert foreseen.state == after
    paid = [0] * 4
    for arrow in view["flows"]:
        points = int(arrow["text"].replace(",", "").replace("\N{MINUS SIGN}", "-"))
        for seat, sign in ((arrow["from"], -1), (arrow["to"], 1)):
            if seat is not None:
                paid[seat] += sign * points
    assert not view["flows"] or paid == view["deltas"]
    if isinstance(command, commands.DeclareResult) and not after.is_over:  # the end of a game moves more
        assert view["deltas"] == list(subtract(after.scores, before.game.scores))


def test_a_result_moves_what_its_preview_said() -> None:
    checked = 0
    for seed in range(12):
        random = Random(seed)
        with Journal(None) as journal:
            table = play_game(journal, seed)
            for _ in range(STEPS):
                with suppress(TachiaiError, RulesError):
                    command = act(random, table)
                    if isinstance(command, commands.DeclareResult | commands.EditResult):
                        check_preview(command, table)
                        checked += 1
                    else:
                        table.handle(command)
    assert checked > 40


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_nothing_fails_at_length(seed: int) -> None:
    with Journal(None) as journal:
        table = play_game(journal, seed, 2 * STEPS)
        check_exports(journal)
        check_pages(table)
