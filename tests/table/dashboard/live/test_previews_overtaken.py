"""A preview is of one moment, also if another phone is faster between its request and its answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.dashboard.web.security import TOKEN_HEADER
from table.game.commands.game_commands import Command, DeclareResult, JournalCommand, NameSeats, Undo
from table.game.journal.fold import FoldedGame
from table.game.snapshot import Snapshot
from table.game.table_loop import Table, TableLoop
from tests.fakes.desks import do, join, token
from tests.table.game.by_hand import tell, win

CORRECTED = {"result": {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 30}]}, "hand": 0, "edit": True}


class OvertakenLoop(TableLoop):
    """Carries out the commands of faster phones, all of them, before the next preview."""

    faster: Sequence[Command] = ()

    def preview(self, command: JournalCommand, timeout: float = 5.0) -> tuple[Snapshot, FoldedGame]:
        for each in self.faster:
            self.handle(each)
        self.faster = ()
        return super().preview(command, timeout)


@pytest.fixture
def loop(table: Table) -> Iterator[OvertakenLoop]:
    loop = OvertakenLoop(table)
    with loop:
        yield loop


@pytest.fixture
def app(table: Table, loop: OvertakenLoop) -> Flask:
    return create_app(table.board, loop)


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    client = app.test_client()
    join(client)
    return client


def test_a_hand_settled_meanwhile_is_corrected_as_its_preview_said(
    phone: FlaskClient, table: Table, loop: OvertakenLoop
) -> None:
    loop.faster = [DeclareResult(result=win(1, 0, 1), hand=0, by="seat 1")]
    status, preview = do(phone, "preview", **CORRECTED)
    assert status == 200
    assert [each["before"] for each in preview["later"]["scores"]] == ["24,000", "26,000", "25,000", "25,000"]
    assert [each["after"] for each in preview["later"]["scores"]] == ["21,100", "28,900", "25,000", "25,000"]
    assert do(phone, "edit", **{**CORRECTED, "edit": None}, seen=preview["key"])[0] == 202
    assert table.state.scores == (21100, 28900, 25000, 25000)


def test_a_result_after_an_undone_one_is_told_as_its_preview_said(
    phone: FlaskClient, table: Table, loop: OvertakenLoop
) -> None:
    tell(table, win(1, 0, 1))
    loop.faster = [Undo(act=table.journal.last - 1, by="seat 1")]
    result = {"result": CORRECTED["result"], "hand": 0}
    status, preview = do(phone, "preview", **result)
    assert (status, preview["lost"]) == (200, "")
    assert do(phone, "tell", **result, seen=preview["key"])[0] == 202


def test_a_swap_asks_about_the_hands_that_are_settled_when_it_asks(
    phone: FlaskClient, table: Table, loop: OvertakenLoop
) -> None:
    table.handle(NameSeats(names=("Anna", "Ben", "Cho", "Dana")))
    loop.faster = [DeclareResult(result=win(1, 0, 1), hand=0, by="seat 1")]
    form = {"do": "swap", "one": "0", "other": "1", "why": "", "token": token(phone)[TOKEN_HEADER]}
    answer = phone.post("/game", data=form)
    assert answer.status_code == 409
    assert "E1: " in answer.text
