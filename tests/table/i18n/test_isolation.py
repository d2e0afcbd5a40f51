"""Names written from right to left stay where a sentence puts them."""

from __future__ import annotations

import pytest

from table.dashboard import create_app
from table.game.commands.game_commands import AdjustPoints, OpenGame
from table.game.journal.journal import Journal
from table.game.table_loop import TableLoop
from table.i18n import adjustment_text, catalogue, isolated, languages
from table.rules.terms.seats import Seat
from tests.table.game.by_hand import table_at, tell, win

SARA, DAVID = "שרה", "דוד"
NAMES = (SARA, DAVID, "José", "محمد")
ISOLATED = "\u2068שרה\u2069"


@pytest.mark.parametrize("name", ["", "Ann", "José", "佐藤", "김", "Ольга", ISOLATED, f"{ISOLATED}, Ann"])
def test_only_a_name_that_would_turn_a_sentence_gets_marks(name: str) -> None:
    assert isolated(name) == name


@pytest.mark.parametrize("name", [SARA, "محمد", "Ann שרה", "\u202eAnn", f"{ISOLATED}, {DAVID}"])
def test_a_name_that_would_turn_a_sentence_is_kept_together(name: str) -> None:
    assert isolated(name) == f"\u2068{name}\u2069"


def test_no_name_ends_its_isolation_by_a_mark_of_its_own() -> None:
    assert isolated("\u2069\u202eAnn") == "\u2068\u202eAnn\u2069"
    assert isolated("\u2067Ann") == "Ann"
    assert isolated(f"{ISOLATED}\u2069, {DAVID}") == f"\u2068{ISOLATED}, {DAVID}\u2069"


@pytest.mark.parametrize("language", languages())
def test_who_pays_whom_is_read_in_the_order_of_the_sentence(language: str) -> None:
    texts = catalogue(language)
    sentence = adjustment_text((-1000, 1000, 0, 0), Seat.NEAR, texts.for_pages(), NAMES)
    payer, receiver = sentence.split(" → ")
    assert (payer[:5], receiver[:5]) == (ISOLATED, "\u2068דוד\u2069")
    assert sentence.count("\u2068") == 2
    assert "\u2068" not in adjustment_text((-1000, 1000, 0, 0), Seat.NEAR, texts, NAMES)


def test_pages_keep_names_together_and_files_have_them_as_they_were_entered() -> None:
    with Journal(None) as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=NAMES))
        table.handle(AdjustPoints(points=(-1000, 1000, 0, 0), hand=0, why="paid late", by="owner"))
        tell(table, win(0, 1, 13, None))
        table.handle(OpenGame(names=NAMES))
        with TableLoop(table) as loop:
            client, game = create_app(table.board, loop).test_client(), f"/game/{loop.games(0)[1].number}"
            for address in ("/games", game, f"{game}/moments", f"{game}/sheet.svg", f"{game}/game.html"):
                assert ISOLATED in client.get(address).text, address
            assert f"{ISOLATED} −1,000 → \u2068דוד\u2069 +1,000" in client.get(game).text
            for address in (f"{game}/sheet.csv", f"{game}/sheet.json", f"{game}/tenhou6.json", "/season.json"):
                found = client.get(address).text
                assert (SARA in found, "\u2068" in found) == (True, False), address
