"""A game by rules with amounts that no table can play, as earlier versions took them, spoils no page and no season."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from table.cli.main import main
from table.dashboard import create_app
from table.game.commands.game_commands import EndGame, OpenGame
from table.game.journal.journal import Journal
from table.game.table_loop import TableLoop
from table.rulebook import rules_named
from table.rulebook.recorded_rules import house_of
from table.rules.penalties.effect_terms import Effect
from table.rules.penalties.penalty_rules import Option, PenaltyRules, Rule
from tests.fakes.desks import PIN, join, token
from tests.table.dashboard.any_table import VIEWS, check_exports, visit_pages
from tests.table.game.by_hand import draw, table_at, tell, win

HOME = rules_named("home").ruleset
BIG = 3 * 10**400
BIG_PAYMENT = Effect.of({"when": "discovery", "do": "pay", "to": "others", "scheme": f"each:{BIG}"})
ODD: tuple[dict[str, Any], ...] = (
    {"time_limit": 4_500_000_000},
    {"time_limit": BIG},
    {"uma": (BIG, 0, 0, -BIG)},
    {"uma": (2 * BIG, -BIG, -BIG, 0), "floating_uma": ((BIG, 0, 0, -BIG),) * 3},
    {"starting_points": BIG, "target_points": BIG, "counted_from": BIG, "oka": BIG},
    {"starting_points": -BIG, "bust_bonus": BIG},
    {"honba_value": BIG, "noten_payment": BIG, "two_han_from_honba": BIG},
    {
        "penalties": PenaltyRules(
            rules=(Rule(clause="X", options=(Option(letter="a", effects=(BIG_PAYMENT,)),), choice="a"),)
        )
    },
)
NAMES = ("Aoi", "Ben", "Chie", "Dai")
HISTORY = ("/game", "/games", "/season", "/season.csv", "/season.json")
PAGES = (*VIEWS, *HISTORY, "/broadcast/state.json", "/health")


def play_games(path: Path, rules: dict[str, Any]) -> None:
    """Plays a game by these rules to its end, and leaves another in the middle."""
    with Journal(path) as journal:
        table = table_at(journal)
        for is_first in (True, False):
            table.handle(OpenGame(names=NAMES, ruleset=replace(HOME, **rules), by="owner"))
            for result in (draw(0), win(1, 2, 3)):
                if not table.state.is_over:
                    tell(table, result)
            if is_first and not table.state.is_over:
                table.handle(EndGame(by="owner"))


@pytest.mark.parametrize("rules", ODD, ids=[",".join(rules) for rules in ODD])
def test_every_page_the_season_and_the_exports_of_such_a_journal_are_there(
    tmp_path: Path, rules: dict[str, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.journal"
    play_games(path, rules)
    with Journal(path) as journal:
        table = table_at(journal)
        assert house_of(table.folded_game.ruleset).name == "home"
        with TableLoop(table) as loop:
            app = create_app(table.board, loop, summaries=tmp_path / "table.games")
            clients = [app.test_client() for _ in range(6)]
            join(clients[1], seat="1")
            join(clients[4], "owner", pin=PIN)
            visit_pages(clients, PAGES)
            assert clients[4].post("/api/game", json={"rules": "home"}, headers=token(clients[4])).status_code == 202
            visit_pages(clients, HISTORY)
        check_exports(journal)
    assert main(["season", str(path), "--json"]) == 0
    assert main(["audit", str(path), "--json"]) in (0, 1)  # records of what was paid may disagree
    assert "Traceback" not in capfd.readouterr().err
