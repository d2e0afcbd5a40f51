"""A wait that a seat told is seen on that seat's own phone and nowhere else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.game.commands.command_reader import read_press
from table.game.commands.game_commands import Undo
from table.game.journal.entries import Undone
from table.game.journal.history.change_history import changes_of
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.snapshot import Mode
from table.game.table_loop import Table, TableLoop
from table.records.mjai.from_journal.journal_record import record_of
from table.rulebook import rules_named
from table.rules.events import WaitDeclared
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import parse_tiles
from table.runtime.clock import LogicalClock
from tests.fakes.desks import PIN, join, streamed, token

OF_A_GAME = (
    *("/game/1", "/game/1/moments", "/game/1/game.html", "/api/games/1/hands/0", "/api/hands/0", "/season.json"),
    *("/game/1/sheet.csv", "/game/1/sheet.json", "/game/1/sheet.svg", "/game/1/tenhou6.json"),
)
ENDLESS = "/api/stream"


@dataclass
class Evening:
    """A table kept by hand, with the phones of seats 0 and 1, the owner's, and one that only watches."""

    table: Table
    phones: tuple[FlaskClient, ...]

    def press(self, phone: int, **body: object) -> int:
        client = self.phones[phone]
        return client.post("/api/press", json=body, headers=token(client)).status_code

    def visible_texts(self, phone: int) -> dict[str, str]:
        """Every page and view, without what differs each time it is asked for; of the stream, what it tells first."""
        client = self.phones[phone]
        places = [*(rule.rule for rule in client.application.url_map.iter_rules() if not rule.arguments), *OF_A_GAME]
        found = {place: client.get(place).get_data(as_text=True) for place in places if place != ENDLESS}
        found[ENDLESS] = json.dumps(streamed(client))
        return {place: re.sub(r'"version": ?\d+|value="[\w-]{20,}"', "", text) for place, text in found.items()}


@contextmanager
def evening(mode: Mode, journal: Journal) -> Iterator[Evening]:
    rules = rules_named("home").ruleset
    table = Table(journal=journal, referee=Referee(), ruleset=rules, clock=LogicalClock(), mode=mode)
    with TableLoop(table) as loop:
        app = create_app(table.board, loop)
        near, right, owner, guest = (app.test_client() for _ in range(4))
        join(near, seat="0")
        join(right, seat="1")
        join(owner, "owner", pin=PIN)
        yield Evening(table=table, phones=(near, right, owner, guest))


@pytest.mark.parametrize("mode", Mode)
def test_a_told_wait_changes_nothing_that_anybody_else_can_fetch(mode: Mode, journal: Journal) -> None:
    with evening(mode, journal) as game:
        assert game.press(1, press="riichi", seat=0) == 202
        before = [game.visible_texts(phone) for phone in (0, 2, 3)]
        assert game.press(1, press="wait", seat=1, tiles="36m") == 202
        assert [game.visible_texts(phone) for phone in (0, 2, 3)] == before
        assert any(isinstance(entry.body, WaitDeclared) for entry in journal.entries())


def test_an_undo_takes_back_what_was_done_before_the_wait_was_told(journal: Journal) -> None:
    with evening(Mode.HOME, journal) as game:
        game.press(0, press="riichi", seat=0)
        offered = game.table.board.latest.changes.undo
        game.press(1, press="wait", seat=1, tiles="36m")
        assert game.table.board.latest.changes.undo == offered
        assert offered is not None
        game.table.handle(Undo(act=offered))
        assert game.table.state.scores[0] == 25000


def test_a_redo_is_still_offered_after_a_wait_was_told(journal: Journal) -> None:
    with evening(Mode.HOME, journal) as game:
        game.press(0, press="riichi", seat=0)
        game.press(0, press="riichi", seat=2)
        last = game.table.board.latest.changes.undo
        assert last is not None
        game.table.handle(Undo(act=last))
        game.press(1, press="wait", seat=1, tiles="36m")
        assert game.table.board.latest.changes.redo == last


def test_a_told_wait_that_fits_no_more_is_no_question_for_anybody(journal: Journal) -> None:
    with evening(Mode.HOME, journal) as game:
        game.press(0, press="riichi", seat=0)
        game.press(1, press="wait", seat=1, tiles="36m")
        dealt = game.table.board.latest.changes.undo
        assert dealt is not None
        game.table.handle(Undo(act=dealt))
        assert game.table.state.live is None
        assert game.table.board.latest.rejected_entries == ()


def test_watching_a_hand_again_has_no_step_for_a_told_wait() -> None:
    steps = []
    for tells in (False, True):
        with Journal(None) as journal, evening(Mode.HOME, journal) as game:
            game.press(0, press="riichi", seat=0)
            if tells:
                game.press(1, press="wait", seat=1, tiles="36m")
                game.press(1, press="wait", seat=1, tiles="36m")
            game.press(0, press="draw")
            game.press(0, press="confirm")
            game.press(0, press="confirm")
            steps.append(len(game.phones[0].get("/api/hands/0").get_json()["steps"]))
    assert steps[0] == steps[1]


def test_a_record_of_the_game_is_the_same_with_a_told_wait(journal: Journal) -> None:
    with evening(Mode.HOME, journal) as game:
        game.press(0, press="riichi", seat=0)
        before = record_of(journal.entries())
        game.press(1, press="wait", seat=1, tiles="36m")
        assert record_of(journal.entries()) == before


def test_a_journal_in_which_a_told_wait_was_taken_back_offers_what_came_before(journal: Journal) -> None:
    with evening(Mode.HOME, journal) as game:
        game.press(0, press="riichi", seat=0)
        offered = game.table.board.latest.changes.undo
        game.table.handle(read_press({"press": "wait", "seat": 1, "tiles": "36m", "by": "seat 1"}))
        entry = journal.entries()[-1]
        journal.append(replace(entry.envelope, act=None), Undone(act=entry.number))
        found = changes_of(journal.entries())
        assert (found.undo, found.redo) == (offered, None)
        assert len(found.all) == 1


def test_a_told_wait_is_not_in_its_repr() -> None:
    assert "3m" not in repr(WaitDeclared(seat=Seat.RIGHT, tiles=parse_tiles("36m")))
