"""A chombo that costs points after uma says so wherever it is shown, and leaves no trace once it is cancelled."""

from __future__ import annotations

import pytest

from table.dashboard.foul_pages.foul_view import fouls_view
from table.dashboard.scores.hand_end_view import ending_view
from table.dashboard.scores.score_text import sheet_view
from table.dashboard.scores.sheet_export import as_csv
from table.game.journal.entries import NOBODY
from table.game.journal.history.game_history import GameHistory
from table.game.snapshot import Snapshot
from table.i18n import announcement_sentence, catalogue
from table.rulebook import rules_named
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import Seat
from tests.table.rules.fouls.fouled_hands import at
from tests.table.rules.situations import START, Table

ENGLISH = catalogue()


def chombo() -> Table:
    return Table(rules_named("ema-2025").ruleset).feed(f"{START}; 1 foul 7-05-01 facts=offender_opened_hand")


def test_the_hand_that_it_ends_names_its_cost_and_the_fouls_page_where_to_confirm() -> None:
    table = chombo()
    view = ending_view(table.state, table.ruleset, ENGLISH)
    assert view is not None
    assert view["title"] == "Penalty: chombo · South −20,000 after uma"
    page = fouls_view(Snapshot(version=1, game=table.state, ruleset=table.ruleset), ENGLISH)
    assert page["in_force"] == ["A foul ends this hand: confirm it at the table."]


@pytest.mark.parametrize(
    ("name", "events", "owed"),
    [
        ("ema-2025", "0 discards 5z sideways; 0 stick; draw; 0 noten; 0 foul 7-05-07", "East −20,000"),
        ("wrc-2025", "0 discards 5z sideways; 0 stick; draw; 0 noten; 0 foul 7-05-07", "East −30,000"),
        ("wrc-2025", "1 foul 7-04-01; 1 foul 7-04-01; 2 foul 7-04-01", "South −30,000 after uma, West −30,000"),
    ],
)
def test_what_it_costs_only_at_a_draw_is_named_once_too(name: str, events: str, owed: str) -> None:
    table = Table(rules_named(name).ruleset).feed(f"{START.replace('25000', '30000')}; {events}")
    view = ending_view(table.state, table.ruleset, ENGLISH)
    assert view is not None
    assert view["title"] == f"Penalty: chombo · {owed} after uma"


def test_the_news_and_the_sheet_name_its_cost() -> None:
    table = chombo().feed("confirm")
    sentence = announcement_sentence(table.one(AnnouncementId.SETTLEMENT_CONFIRMED), Seat.NEAR, ENGLISH)
    assert sentence == "Chombo settled: South −20,000 after uma."
    assert sheet_view(table.state.history, ENGLISH)[0]["settled"]["title"] == "Penalty: chombo · −20,000 after uma"


@pytest.mark.parametrize(
    ("choices", "owed", "sheet"),
    [
        (
            {"7-01": "j"},
            "South −20,000 at the end of the game, for first place",
            "−20,000 at the end of the game",
        ),
        (
            {"7-01": "k"},
            "South −12,000 at the end of the game, for first place",
            "−12,000 at the end of the game",
        ),
        ({"7-01": "l", "7-01-01": "b"}, "the final place of South drops by 1", "final place drops by 1"),
    ],
)
def test_what_is_due_after_the_game_is_said_with_the_settlement(choices: dict[str, str], owed: str, sheet: str) -> None:
    table = at("1 foul 7-04-01 option=a", choices)
    view = ending_view(table.state, table.ruleset, ENGLISH)
    assert view is not None
    assert view["title"] == f"Penalty: chombo · {owed}"
    table.feed("confirm")
    sentence = announcement_sentence(table.one(AnnouncementId.SETTLEMENT_CONFIRMED), Seat.NEAR, ENGLISH)
    assert sentence == f"Chombo settled: {owed}."
    assert sheet_view(table.state.history, ENGLISH)[0]["settled"]["title"] == f"Penalty: chombo · {sheet}"


def test_a_chombo_that_counts_beside_a_ron_is_what_people_confirm() -> None:
    """7-05-01-01 c."""
    text = "0 discards 5p; 1 ron from 0 han=2 fu=30; 2 ron from 0; 2 foul 7-05-01 option=a"
    table = at(text, {"7-05-01-01": "c"})
    view = ending_view(table.state, table.ruleset, ENGLISH)
    assert view is not None
    assert view["title"] == "Penalty: chombo"


def test_a_hand_whose_chombo_was_cancelled_has_no_chombo_on_the_sheet() -> None:
    table = chombo().feed("confirm; cancel-foul 0 reason=no")
    assert sheet_view(table.state.history, ENGLISH)[0]["settled"]["title"] == "No result, foul cancelled"


def test_a_downloaded_sheet_does_not_call_it_an_abortive_draw() -> None:
    table = chombo().feed("confirm")
    game = GameHistory(
        number=1,
        utc="2026-11-26T18:00:00Z",
        ruleset=table.ruleset,
        names=NOBODY,
        first_dealer=Seat.NEAR,
        state=table.state,
        seconds=(0.0,),
    )
    assert [row.split(",")[2] for row in as_csv(game, ENGLISH).splitlines()][1:-1] == ["chombo"]
    assert as_csv(game, ENGLISH).startswith("round,honba,result,Seat 1 +/-,Seat 2 +/-,Seat 3 +/-,Seat 4 +/-,Seat 1,")
    assert catalogue("ja").text("page.seat_number", number=3) in as_csv(game, catalogue("ja"))
