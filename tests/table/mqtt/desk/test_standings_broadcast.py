"""The standings as a broadcast shows them."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from table.mqtt.desk.desk_view import lines_of_turn
from table.mqtt.tournament.past_tournaments import PastTournaments
from tests.table.mqtt.desk.hall_with_desk import (
    NAMES,
    Pages,
)


def test_a_broadcast_of_the_standings_is_as_late_as_its_address_says_and_a_restart_shortens_nothing(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [1000.0]
    assert pages.open_tournament() == 303
    monkeypatch.setattr(pages.desk, "past", PastTournaments(pages.desk.tournament, now=lambda: seconds[0]))
    address = "/broadcast/standings?delay=60"
    assert NAMES[0] in pages.page("/broadcast/standings", pages.spectator)
    assert NAMES[0] not in pages.page(address, pages.spectator)
    seconds[0] += 61
    assert NAMES[0] in pages.page(address, pages.spectator)
    assert pages.send("penalty", player="0", points="5000", why="late") == 303
    assert "−5.0" in pages.page("/broadcast/standings", pages.spectator)
    assert "−5.0" not in pages.page(address, pages.spectator)
    seconds[0] += 60
    assert "−5.0" in pages.page(address, pages.spectator)


def test_a_broadcast_of_the_standings_stands_where_its_address_says(pages: Pages) -> None:
    assert pages.open_tournament() == 303
    page = pages.page("/broadcast/standings?standings=top-left&ink=ff0000&size=80&language=ja", pages.spectator)
    assert 'data-at="top-left"' in page
    assert 'data-ink="ff0000"' in page
    assert 'data-size="80"' in page
    assert 'lang="ja"' in page
    for query in ("delay=-1", "delay=9999", "ink=red", "standings=here", "nonsense=1"):
        assert pages.spectator.get(f"/broadcast/standings?{query}").status_code == 400


def test_nothing_is_animated_on_a_broadcast_of_the_standings() -> None:
    css = resources.files("table.mqtt").joinpath("static", "event.css").read_text("utf-8")
    assert "background: transparent" in css
    assert not re.search("animation|transition|@keyframes", css)


def test_a_broadcast_shows_sixteen_lines_at_a_time_and_all_of_them_in_turn() -> None:
    lines = [{"place": place} for place in range(1, 41)]
    shown_places = [[line["place"] for line in lines_of_turn(lines, turn)] for turn in range(4)]
    assert [places[0] for places in shown_places] == [1, 17, 33, 1]
    assert sorted({place for places in shown_places for place in places}) == list(range(1, 41))
    assert lines_of_turn([], 7) == []
