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
    assert pages.open_tournament(players=seats) == 303
    assert pages.desk.tournament is not None
    assert pages.desk.tournament.opening.players == ("a", "b", "c", "d")
    assert pages.open_tournament(players=seats + "1,2,a,b\nx,1,e,f,g,h\n") == 409
    page = pages.owner.post(
        "/desk/open", data={"token": form_token(pages.owner), "players": "a\na\nb\nb\n", "rounds": "1"}
    )
    text = page.get_data(as_text=True)
    assert "Line 2" in text
    assert "Line 4" in text


def test_a_seating_beyond_the_known_ones_is_searched_beside_the_page_and_opens_by_itself(pages: Pages) -> None:
    assert pages.open_tournament(rounds="6", players=SIXTEEN) == 303
    page = pages.page()
    assert "Round 6" not in page
    assert "Seating 16 players, rounds: 6" in page
    assert "<progress" in page
    assert pages.send("enough") == 303
    wait_for(lambda: [tournament for tournament in [pages.desk.tournament] if tournament is not None])
    assert "Round 6" in pages.page()
    page = pages.page()
    assert "<progress" not in page
    assert "Pairs that meet again" in page


def test_a_tournament_whose_seating_was_found_but_not_written_says_so(pages: Pages) -> None:
    with full_disk((pages.folder / "desk.jsonl").stat().st_size):
        assert (
            pages.open_tournament(players="\n".join(f"P{number}" for number in range(8)), tables="", rounds="7") == 303
        )
        assert pages.send("enough") == 303
        wait_for(lambda: pages.desk.search is None)
    refusal = catalogue().text("refused.desk_unwritten")
    assert refusal in pages.page()
    assert pages.open_tournament() == 303
    assert refusal not in pages.page()


def test_a_search_for_a_seating_can_be_stopped_and_leaves_everything_as_it_was(pages: Pages) -> None:
    assert pages.open_tournament(rounds="6", players=SIXTEEN) == 303
    assert pages.send("stop") == 303
    assert pages.desk.tournament is None
    assert "<progress" not in pages.page()


def test_a_new_tournament_is_opened_after_a_question_and_the_one_before_is_still_there_to_print(pages: Pages) -> None:
    question = "The present tournament ends."
    assert question not in pages.page()
    assert pages.open_tournament(title="Cup") == 303
    assert f'type="checkbox" required> {question}' in form_of(pages.page(), "open")
    assert pages.send("begin", round="1") == 303
    assert pages.send("result", round="1", table="2", **OTHER_SCORES) == 303
    figures = pages.page("/desk/standings.csv")
    assert pages.open_tournament(title="Opened by mistake") == 303
    assert pages.open_tournament(title="Final", players="a\nb\nc\nd") == 303
    assert "Opened by mistake" not in pages.page()
    assert pages.page("/desk/standings.csv?tournament=0") == figures
    assert "Cup" in pages.page("/desk/sheet/standings?tournament=0")
    assert 'href="/desk/sheet/standings?tournament=0"' in pages.page()
    assert pages.owner.get("/desk/standings.csv?tournament=2").status_code == 404
    assert pages.spectator.get("/desk/standings.csv?tournament=0").status_code == 403
    with DeskJournal(pages.folder / "desk.jsonl") as journal:
        again = Desk(journal, LogicalClock(), tables=tuple, send=pages.say)
        assert [each.opening.title for each in again.earlier] == ["Cup", "Opened by mistake"]
        assert again.tournament == pages.tournament


def test_players_are_listed_as_people_sort_names(pages: Pages) -> None:
    assert pages.open_tournament(players="Zoe\nŁukasz\nÉmile\nanna\nMax\nFay\nÖzil\nPaul") == 303
    names = re.findall(r'<option value="\d+">([^<]+)<', form_of(pages.page(), "replace"))
    assert names == ["anna", "Émile", "Fay", "Łukasz", "Max", "Özil", "Paul", "Zoe"]


def test_of_the_tables_that_the_page_offers_a_final_takes_the_first(pages: Pages) -> None:
    for name in ("east", "south", "west"):
        pages.hall.handle_message(f"tachiai/{name}/status", b"online")
    offered = re.findall(r'name="offered" value="([^"]*)"', pages.page())[0]
    names = "a\nb\nc\nd"
    assert pages.open_tournament(players=names, tables="east\r\nsouth\r\nwest\r\n", offered=offered) == 303
    assert pages.tournament.opening.tables == ("east",)
    assert pages.open_tournament(players=names, tables="east\r\nwest", offered=offered) == 409


def test_of_the_tables_that_the_page_offers_those_that_are_away_are_left_out_first(pages: Pages) -> None:
    """A table that was renamed, or of an earlier tournament, stays at the broker under its former name."""
    for name in ("east", "south", "west"):
        pages.hall.handle_message(f"tachiai/{name}/status", b"offline" if name == "east" else b"online")
    offered = re.findall(r'name="offered" value="([^"]*)"', pages.page())[0]
    assert pages.open_tournament(tables="east\r\nsouth\r\nwest", offered=offered) == 303
    assert list(pages.tournament.opening.tables) == ["south", "west"]
    assert (
        pages.open_tournament(players="\n".join("abcdefghijkl"), tables="east\r\nsouth\r\nwest", offered=offered) == 303
    )
    assert list(pages.tournament.opening.tables) == ["east", "south", "west"]
