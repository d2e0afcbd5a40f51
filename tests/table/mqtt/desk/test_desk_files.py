"""The files that the desk's owner downloads."""

from __future__ import annotations

import csv
import io
import re

import pytest

from tests.table.mqtt.desk.hall_with_desk import (
    NAMES,
    Pages,
)


def test_the_results_of_a_replaced_player_add_up_to_the_standings(pages: Pages) -> None:
    assert pages.open_tournament(rules="ema-2025") == 303
    assert pages.send("begin", round="1") == 303
    at_table, later = pages.tournament.opening.rounds[0][1][0], pages.tournament.opening.rounds[0][0][2]
    for player, by in ((at_table, "Sub"), (later, "Other")):
        assert pages.send("replace", player=str(player), round="1", by=by, points="-30000") == 303
    scores = {f"score{wind}": str(points) for wind, points in enumerate((50000, 30000, 20000, 20000))}
    assert pages.send("result", round="1", table="2", **scores) == 303
    results = list(csv.DictReader(pages.page("/desk/results.csv").removeprefix("\ufeff").splitlines()))
    totals = csv.DictReader(pages.page("/desk/standings.csv").removeprefix("\ufeff").splitlines())
    points_by_player = {each["player"]: each["points"] for each in results}
    assert points_by_player == {each["player"]: each["total"] for each in totals if each["player"] in points_by_player}
    row = {"round": "1", "table": "1", "wind": "W", "substitute": "Other", "score": "", "points": "-30000"}
    assert {"player": pages.tournament.opening.players[later], "state": "none"} | row in results


@pytest.mark.parametrize("kind", ["standings", "seating", "results"])
def test_every_file_also_comes_with_semicolons_for_spreadsheets_that_expect_them(pages: Pages, kind: str) -> None:
    assert pages.open_tournament(players="\n".join((*NAMES[:-1], '"Semi; Colon"'))) == 303
    (address,) = set(re.findall(rf'href="(/desk/{kind}.csv\?[^"]*semicolons[^"]*)"', pages.page()))
    with_commas, parted = (pages.page(each).removeprefix("\ufeff") for each in (f"/desk/{kind}.csv", address))
    assert '<p class="quiet">(;) with semicolons, for spreadsheets in German' in pages.page()
    assert ";" in parted.splitlines()[0]
    assert list(csv.reader(io.StringIO(parted), delimiter=";")) == list(csv.reader(io.StringIO(with_commas)))
