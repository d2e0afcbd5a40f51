"""The rule set of the desk's tournament: its name, and what holds once its file is changed or deleted."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from table.i18n import catalogue
from table.mqtt.desk.desk_journal import DeskJournal
from table.mqtt.tournament.tournament import tournaments_of
from table.mqtt.tournament.tournament_rules import first_read_rules, tournament_rules
from table.rulebook import rules_named
from table.rulebook.ruleset_registry import default_folder, store
from tests.table.mqtt.desk.hall_with_desk import (
    GAMES,
    Pages,
)


def test_without_the_tournaments_rule_set_everybody_sees_what_the_tables_computed_and_its_owner_the_remedy(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(pages.folder))
    store(replace(rules_named("ema-2025"), name="club-cup"), default_folder())
    assert pages.open_tournament(rules="club-cup") == 303
    assert pages.desk.tournament is not None
    pages.desk.open(replace(pages.desk.tournament.opening, house=""))  # by a desk that stored only the name
    assert pages.send("begin", round="1") == 303
    pages.hall.handle_message("tachiai/east/games", GAMES)
    result = {"round": "1", "table": "2"} | {f"score{wind}": "30000" for wind in range(4)}
    assert pages.send("result", **result) == 303
    assert "club-cup" not in pages.page()[:2000]
    first_read_rules.cache_clear()
    (default_folder() / "club-cup.toml").unlink()
    pages.desk.shown_standings.clear()
    for address in ("/", "/broadcast/standings", "/desk/sheet/standings", "/desk/results.csv"):
        assert pages.owner.get(address).status_code == 200, address
    assert "+50.0" in pages.page("/", pages.spectator)
    assert "The rule set club-cup is no longer stored" in pages.page()
    assert pages.send("penalty", player="0", points="1000", why="late") == 303
    store(replace(rules_named("ema-2025"), name="club-cup"), default_folder())
    assert "The rule set club-cup" not in pages.page()


def test_a_rule_set_that_is_changed_or_deleted_changes_no_result_of_a_tournament_that_was_opened_by_it(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(pages.folder))
    cup = rules_named("ema-2025")
    store(replace(cup, name="club-cup"), default_folder())
    assert pages.open_tournament(rules="club-cup") == 303
    assert pages.send("begin", round="1") == 303
    result = {"round": "1", "table": "2"} | {"score0": "45000", "score1": "35000", "score2": "25000", "score3": "15000"}
    assert pages.send("result", **result) == 303
    entered = pages.owner.get("/desk/results.csv").data
    other = replace(cup.switches, uma=(30000, 10000, -10000, -30000))
    assert other != cup.switches
    for is_changed in (True, False):
        if is_changed:
            store(replace(cup, name="club-cup", switches=other), default_folder())
        else:
            (default_folder() / "club-cup.toml").unlink()
        first_read_rules.cache_clear()
        with DeskJournal(pages.folder / "desk.jsonl") as journal:
            again = tournaments_of(journal.acts)[-1]
        assert again is not None
        found = tournament_rules(again.opening)
        assert found is not None
        assert found.ruleset.uma == cup.ruleset.uma
        pages.desk.shown_standings.clear()
        assert pages.owner.get("/desk/results.csv").data == entered
        assert "The rule set club-cup" not in pages.page()


def test_rule_sets_have_the_names_that_players_read(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(pages.folder))
    store(replace(rules_named("ema-2025"), name="club-cup"), default_folder())
    offered = dict(re.findall(r'<option value="([^"]+)">([^<]+)</option>', pages.page()))
    assert offered == {**catalogue("en").group("ruleset"), "club-cup": "club-cup"}
    assert pages.open_tournament(rules="wrc-2025") == 303
    assert pages.send("begin", round="1") == 303
    pages.hall.handle_message("tachiai/east/games", GAMES)
    assert "counted by other rules: At home" in pages.page()
