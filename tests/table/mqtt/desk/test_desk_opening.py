"""A tournament is opened: its players, its seating, its tables, and the one before."""

from __future__ import annotations

import re

from table.i18n import catalogue
from table.mqtt.desk.desk import Desk
from table.mqtt.desk.desk_journal import DeskJournal
from table.runtime.clock import LogicalClock
from tests.fakes.disks import full_disk
from tests.fakes.waiting import wait_for
from tests.table.mqtt.desk.hall_with_desk import (
    OTHER_SCORES,
    Pages,
    form_of,
    form_token,
)

SIXTEEN = "\n".join(f"Player {number}" for number in range(16))
"""So many that in a sixth round some meet again, and a search for as few as possible goes on."""


def test_seats_from_a_file_are_taken_as_they_are_and_bad_lines_are_all_named(pages: Pages) -> None:
    seats = "round,table,east,south,west,north\n1,1,a,b,c,d\n"
    assert pages.opens(players=seats) == 303
    assert pages.desk.tournament is not None
    assert pages.desk.tournament.opened.players == ("a", "b", "c", "d")
    assert pages.opens(players=seats + "1,2,a,b\nx,1,e,f,g,h\n") == 409
    page = pages.owner.post(
        "/desk/open", data={"token": form_token(pages.owner), "players": "a\na\nb\nb\n", "rounds": "1"}
    )
    text = page.get_data(as_text=True)
    assert "Line 2" in text
    assert "Line 4" in text


def test_a_seating_beyond_the_known_ones_is_searched_beside_the_page_and_opens_by_itself(pages: Pages) -> None:
    assert pages.opens(rounds="6", players=SIXTEEN) == 303
    shown = pages.shown()
    assert "Round 6" not in shown
    assert "Seating 16 players, rounds: 6" in shown
    assert "<progress" in shown
    assert pages.sends("enough") == 303
    wait_for(lambda: [tournament for tournament in [pages.desk.tournament] if tournament is not None])
    assert "Round 6" in pages.shown()
    shown = pages.shown()
    assert "<progress" not in shown
    assert "Pairs that meet again" in shown


def test_a_tournament_whose_seating_was_found_but_not_written_says_so(pages: Pages) -> None:
    with full_disk((pages.folder / "desk.jsonl").stat().st_size):
        assert pages.opens(players="\n".join(f"P{number}" for number in range(8)), tables="", rounds="7") == 303
        assert pages.sends("enough") == 303
        wait_for(lambda: pages.desk.search is None)
    said = catalogue().text("refused.desk_unwritten")
    assert said in pages.shown()
    assert pages.opens() == 303
    assert said not in pages.shown()


def test_a_search_for_a_seating_can_be_stopped_and_leaves_everything_as_it_was(pages: Pages) -> None:
    assert pages.opens(rounds="6", players=SIXTEEN) == 303
    assert pages.sends("stop") == 303
    assert pages.desk.tournament is None
    assert "<progress" not in pages.shown()


def test_a_new_tournament_is_opened_after_a_question_and_the_one_before_is_still_there_to_print(pages: Pages) -> None:
    question = "The present tournament ends."
    assert question not in pages.shown()
    assert pages.opens(title="Cup") == 303
    assert f'type="checkbox" required> {question}' in form_of(pages.shown(), "open")
    assert pages.sends("begin", round="1") == 303
    assert pages.sends("result", round="1", table="2", **OTHER_SCORES) == 303
    figures = pages.shown("/desk/standings.csv")
    assert pages.opens(title="Opened by mistake") == 303
    assert pages.opens(title="Final", players="a\nb\nc\nd") == 303
    assert "Opened by mistake" not in pages.shown()
    assert pages.shown("/desk/standings.csv?tournament=0") == figures
    assert "Cup" in pages.shown("/desk/sheet/standings?tournament=0")
    assert 'href="/desk/sheet/standings?tournament=0"' in pages.shown()
    assert pages.owner.get("/desk/standings.csv?tournament=2").status_code == 404
    assert pages.spectator.get("/desk/standings.csv?tournament=0").status_code == 403
    with DeskJournal(pages.folder / "desk.jsonl") as journal:
        again = Desk(journal, LogicalClock(), tables=tuple, say=pages.say)
        assert [each.opened.title for each in again.earlier] == ["Cup", "Opened by mistake"]
        assert again.tournament == pages.tournament


def test_players_are_listed_as_people_sort_names(pages: Pages) -> None:
    assert pages.opens(players="Zoe\nŁukasz\nÉmile\nanna\nMax\nFay\nÖzil\nPaul") == 303
    listed = re.findall(r'<option value="\d+">([^<]+)<', form_of(pages.shown(), "replace"))
    assert listed == ["anna", "Émile", "Fay", "Łukasz", "Max", "Özil", "Paul", "Zoe"]


def test_of_the_tables_that_the_page_offers_a_final_takes_the_first(pages: Pages) -> None:
    for name in ("east", "south", "west"):
        pages.hall.take(f"tachiai/{name}/status", b"online")
    offered = re.findall(r'name="offered" value="([^"]*)"', pages.shown())[0]
    names = "a\nb\nc\nd"
    assert pages.opens(players=names, tables="east\r\nsouth\r\nwest\r\n", offered=offered) == 303
    assert pages.tournament.opened.tables == ("east",)
    assert pages.opens(players=names, tables="east\r\nwest", offered=offered) == 409
