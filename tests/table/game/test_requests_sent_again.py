"""A request that is sent again after its answer was lost counts once, also where its phone has another seat by then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from table.dashboard import create_app
from table.dashboard.web.access.vault import Vault
from table.game.commands.game_commands import AdjustPoints, Command, DeclareResult, NameSeats, OpenGame, Reseat
from table.game.journal.journal import Journal
from table.game.table_loop import TableLoop
from table.rules.terms.seats import SEATS
from tests.fakes.desks import do, join
from tests.table.game.by_hand import draw, table_at, win

NAMES = ("Anna", "Ben", "Cho", "Dana")
SWAP = Reseat(order=(SEATS[1], SEATS[0], SEATS[2], SEATS[3]), by="seat 0", mark="12345678")


def sent_again(*commands: Command, by: str, again: Command) -> tuple[int, int]:
    """The number of entries after commands, and after the one sent `again` by a phone that is now `by`.

    The table starts anew in between, which forgets what the page remembers.
    """
    with Journal(None) as journal:
        table = table_at(journal)
        for command in commands:
            table.handle(command)
        before = journal.last
        table_at(journal).handle(replace(again, by=by))
        return before, journal.last


def test_a_swap_whose_sender_moved_with_it_is_not_swapped_back() -> None:
    before, after = sent_again(NameSeats(names=NAMES), SWAP, by="seat 1", again=SWAP)
    assert after == before


def test_a_correction_of_points_sent_before_somebody_else_swapped_the_seats_counts_once() -> None:
    adjusted = AdjustPoints(hand=0, points=(1000, -1000, 0, 0), why="a stick", by="seat 0", mark="23456789")
    before, after = sent_again(adjusted, replace(SWAP, by="seat 2"), by="seat 1", again=adjusted)
    assert after == before


def test_a_phone_that_sends_its_swap_again_after_a_power_cut_swaps_once(tmp_path: Path, journal: Journal) -> None:
    table, secrets = table_at(journal), tmp_path / "secrets"
    table.handle(NameSeats(names=NAMES))
    body = {"order": [1, 0, 2, 3], "mark": "12345678"}
    with TableLoop(table) as loop:
        phone = create_app(table.board, loop, Vault(secrets)).test_client()
        join(phone, seat="0")
        assert do(phone, "seats", **body)[0] == 202
    with TableLoop(again := table_at(journal)) as loop:
        anew = create_app(again.board, loop, Vault(secrets)).test_client()
        cookie = phone.get_cookie("tachiai")
        assert cookie is not None
        anew.set_cookie("tachiai", cookie.value)
        assert anew.get("/api/session").get_json()["seat"] == 1
        assert do(anew, "seats", **body)[0] == 202
        assert again.board.latest.names == ("Ben", "Anna", "Cho", "Dana")


@pytest.mark.parametrize("now", ["owner 0", "owner 2", "owner"])
def test_a_game_opened_by_an_owner_who_sits_elsewhere_in_it_is_opened_once(now: str) -> None:
    open_game = OpenGame(names=("Cho", "Ben", "Anna", "Dana"), by="owner 0", mark="34567890")
    before, after = sent_again(NameSeats(names=NAMES), open_game, by=now, again=open_game)
    assert after == before


@pytest.mark.parametrize("opened_before_the_cut", [True, False])
def test_a_result_sent_again_in_the_next_game_does_not_count_there(
    journal: Journal, opened_before_the_cut: bool
) -> None:
    result = DeclareResult(result=win(1, 0, 2), hand=0, by="seat 0", mark="56789012")
    table = table_at(journal)
    table.handle(result)
    if not opened_before_the_cut:
        table = table_at(journal)
    table.handle(OpenGame(by="owner"))
    if opened_before_the_cut:
        table = table_at(journal)
    table.handle(result)
    assert table.state.history == ()


def test_another_player_s_request_with_the_same_mark_counts() -> None:
    one = DeclareResult(result=win(1, 0, 2), hand=0, by="seat 0", mark="45678901")
    other = replace(one, result=draw(), hand=1)
    before, after = sent_again(one, by="seat 1", again=other)
    assert after > before
