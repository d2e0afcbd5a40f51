"""A journal from before its classes were renamed opens, and tells what it told then.

`before_renames/journal.gz` is the SQLite file that the program wrote then: the demo's evening, games kept by hand with
results, fouls, edits and undo, and a game with every kind of entry and event. `before_renames/views.json.gz` holds what
the program showed of it then: no test writes either anew.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.dashboard.web.access.vault import Vault
from table.game.journal.entries import Body, Entry, Envelope
from table.game.journal.history.change_history import changes_of
from table.game.journal.history.game_history import game_history, games_of
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_backup import back_up, restore
from table.game.journal.recovery.journal_check import journal_trouble
from table.game.journal.storage.journal_codec import decode, encode
from table.game.referee import Referee
from table.game.table_loop import Table, TableLoop
from table.records.mjai.from_journal.journal_record import record_of
from table.records.mjai.mjai_writer import paid_on_acceptance, write_mjai
from table.records.score_sheet import END_KINDS
from table.rulebook.play_presets import HOME
from table.runtime.clock import LogicalClock
from tests.fakes.desks import PIN, join

BEFORE: Final = Path(__file__).parent / "before_renames"
CHOMBO: Final = (174, ["E2", "2", "abort"])
"""The game and the start of the row of a hand that a chombo ended."""
KINDS: Final = """
GameOpened Corrected Inserted Undone Redone Reseated Named SettlementRecorded Asked HandStarted Discarded
TilePassed Called AddedKan ClosedKan DoraTurned UraTurned StickPlaced StickTakenBack RiichiVoiced
RiichiOpened WinClaimed WinWithdrawn HandShown WaitTold TenpaiStated DrawReached AbortCalled PutBack
TilesExposed FoulLogged FoulCancelled ClaimsConfirmed HandSettled RiichiTold ResultTold GameEnded TimeSignal
ToldResult ToldWin Win Settlement
"""
"""What was written into journals then, by the names of then."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "table.journal"
    path.write_bytes(gzip.decompress((BEFORE / "journal.gz").read_bytes()))
    return path


def tags(value: Any) -> set[str]:
    """Every class name in a row's JSON."""
    match value:
        case dict():
            return {str(value.get("is"))}.union(*map(tags, value.values()))
        case list():
            return set().union(*map(tags, value))
    return set()


def fields_in(value: Any) -> set[str]:
    """Every field of a class in a row's JSON, as Class.field."""
    match value:
        case dict():
            names = {f"{value['is']}.{name}" for name in value if name != "is"} if "is" in value else set()
            return names.union(*map(fields_in, value.values()))
        case list():
            return set().union(*map(fields_in, value))
    return set()


def views_of(path: Path) -> dict[str, Any]:
    """What people see of a journal: the page of the table, each hand event by event, sheets, records, changes."""
    with Journal(path) as journal:
        games = games_of(journal.entries())
        table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock())
        with TableLoop(table) as loop:
            vault = Vault()
            vault.set_pin(PIN)  # chosen before: that a phone becomes the owner is no news
            client = create_app(table.board, loop, vault).test_client()
            join(client, "owner", pin=PIN)
            return {
                "table": client.get("/api/table").get_json(),
                "fouls": client.get("/api/fouls").get_json(),
                "games": [game_view(client, game) for game in games],
            }


def game_view(client: FlaskClient, entries: Sequence[Entry]) -> dict[str, Any]:
    game, changes = game_history(entries), changes_of(entries)
    number, hands = game.number, range(len(game.state.history))
    return {
        "number": number,
        "names": list(game.names),
        "scores": list(game.state.scores),
        "points": list(game.standings.points),
        "hands": [list(hand.scores) for hand in game.state.history],
        "counted": [game.acts, game.corrected, game.undone, game.asked, game.interruptions, game.needless, game.fouls],
        "changes": [[each.act, each.by, each.reason, each.is_undone] for each in changes.all],
        "undo": [changes.undo, changes.redo],
        "sheet": list(csv.reader(io.StringIO(client.get(f"/game/{number}/sheet.csv").text))),
        "mjai": list(write_mjai(record_of(entries))),
        "steps": [client.get(f"/api/games/{number}/hands/{hand}").get_json() for hand in hands],
    }


def shared_view(new_view: Any, old_view: Any) -> Any:
    """The part of a view that the older view held too.

    Pages are worded anew and tell whose turn it is otherwise: sentences, names and turns count as equal. They show no
    number of tiles left after a missed discard.
    """
    if isinstance(new_view, dict) and isinstance(old_view, dict):
        otherwise = {"turn", "name"} | ({"left"} if new_view.get("left") is None else set())
        return {
            name: each if name in otherwise else shared_view(new_view.get(name), each)
            for name, each in old_view.items()
        }
    if isinstance(new_view, list) and isinstance(old_view, list) and len(new_view) == len(old_view):
        return [shared_view(*pair) for pair in zip(new_view, old_view, strict=True)]
    is_worded = isinstance(new_view, str) and isinstance(old_view, str) and " " in old_view
    return old_view if is_worded else new_view


def without_starts(view: Any) -> Any:
    """A view without the news that a hand begins: unseen by a camera, it begins when the one before is settled now."""
    for hand in (hand for game in view["games"] for hand in game["steps"]):
        for step in (hand["base"], *hand["steps"]):
            step["news"] = [item for item in step["news"] if item["id"] != "hand_started"]
    return view


def with_news_of_the_hand_alone(old_view: Any) -> Any:
    """A view of then without what a replayed hand told of the hand before: it shows its own announcements alone now."""
    for game in old_view["games"]:
        for number, hand in enumerate(game["steps"]):
            for step in (hand["base"], *hand["steps"]):
                step["news"] = [item for item in step["news"] if item["key"].startswith(f"{number}.")]
    return old_view


WALL: Final = {
    "7-07-01-01": "Wall knocked over, and it can be put back",
    "7-07-01-02": "Wall knocked over, and it cannot be put back",
}


UNTOLD = ("settled_without", "hand_left_open")


def with_what_changed_on_purpose(old_view: Any) -> Any:
    """A view of then: now an ending tells what Confirm still changes; a sheet names its last row, and a chombo.

    The false ron of the first hand costs nothing, since a valid one lay beside it. An abort ends ippatsu. A draw in
    mjai tells who was tenpai also where nobody showed a hand, and names no tile of seat 3 as won off seat 1; its
    payments leave out the sticks that the lines of accepted riichi paid. The clauses about a knocked-over wall name it.
    After a restart the news are those of before, which were empty then. The mark of the rules, by which a page sees
    that they changed, is made of the program's own names, and so another in each version.
    """
    assert old_view["table"].pop("news") == []
    assert re.fullmatch("[0-9a-f]{8}", old_view["fouls"].pop("rules"))
    for clause in old_view["fouls"]["clauses"]:
        clause["title"] = WALL.get(clause["clause"], clause["title"])
    for foul in old_view["fouls"]["logged"]:
        if (foul["hand"], foul["clause"]) == (0, "7-05-01"):
            foul |= {"sentences": ["Nothing is paid for it."], "points": None}
    for game in old_view["games"]:
        for row in game["sheet"]:
            if row[0] == "final":
                row[2] = "with uma and oka"
            if (game["number"], row[:3]) == CHOMBO:
                row[2] = "chombo"
        game["mjai"] = list(paid_on_acceptance(game["mjai"]))
        for line in game["mjai"]:
            line.pop("tenpais", None)
            if (line["type"], line.get("actor"), line.get("target"), line.get("pai")) == ("hora", 2, 1, "5m"):
                line["pai"] = "?"
        for step in (step for hand in game["steps"] for step in hand["steps"] if step.get("ending")):
            for name in ("deltas", "delta_texts", "flows"):
                del step["ending"][name]
            for seat in () if step["ending"]["wins"] else step["seats"]:
                seat["badges"] = [badge for badge in seat["badges"] if badge["kind"] != "ippatsu"]
    return old_view


def without_left_sticks(now: Any) -> Any:
    """A view without the row of a sheet for sticks left at the end, which then only the final points held."""
    for game in now["games"]:
        game["sheet"] = [row for row in game["sheet"] if row[2] != END_KINDS[True]]
    return now


def remove_untold(new_view: Any, old_view: Any) -> None:
    """Takes out the news of what nobody told, which were not told then, and the oldest ones that they displace."""
    if isinstance(new_view, dict) and isinstance(old_view, dict):
        for name in old_view:
            remove_untold(new_view.get(name), old_view[name])
    elif isinstance(new_view, list) and isinstance(old_view, list):
        others = [each for each in new_view if not (isinstance(each, dict) and each.get("id") in UNTOLD)]
        if len(others) < len(new_view):
            new_view[:] = others
            del old_view[len(new_view) :]
        for one, other in zip(new_view, old_view, strict=False):
            remove_untold(one, other)


def remove_tiles_won_on(new_view: Any, old_view: Any) -> None:
    """Takes out the tiles of rons that wait for their confirmation, which then were shown in the river alone."""
    if isinstance(new_view, dict) and isinstance(old_view, dict):
        if (tiles := new_view.get("tiles")) and tiles[:-1] == old_view.get("tiles"):
            del tiles[-1]
        for name in old_view:
            remove_tiles_won_on(new_view.get(name), old_view[name])
    elif isinstance(new_view, list) and isinstance(old_view, list):
        for one, other in zip(new_view, old_view, strict=False):
            remove_tiles_won_on(one, other)


def test_it_holds_every_kind_of_entry_by_its_name_of_then(path: Path) -> None:
    with closing(sqlite3.connect(path)) as journal:
        rows = journal.execute("SELECT body FROM entry").fetchall()
    assert set().union(*(tags(json.loads(body)) for (body,) in rows)) >= set(KINDS.split())


def test_it_shows_what_it_showed_then(path: Path) -> None:
    old_views = json.loads(gzip.decompress((BEFORE / "views.json.gz").read_bytes()))
    old_views = without_starts(with_what_changed_on_purpose(with_news_of_the_hand_alone(old_views)))
    now = without_left_sticks(without_starts(json.loads(json.dumps(views_of(path)))))
    remove_untold(now, old_views)
    remove_tiles_won_on(now, old_views)
    assert shared_view(now, old_views) == old_views


def test_it_is_found_whole_and_comes_back_from_a_backup(path: Path, tmp_path: Path) -> None:
    assert journal_trouble(path) == ""
    copy, restored_path = back_up(path, tmp_path / "copies", day="2026-11-22", keep=1), tmp_path / "restored.journal"
    restore(copy, restored_path, stamp="now")
    with Journal(restored_path) as restored_journal, Journal(path) as journal:
        assert restored_journal.entries() == journal.entries()


def test_entries_are_written_to_the_letter_as_then_so_that_the_program_of_then_reads_them(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        rows = [json.loads(each) for row in database.execute("SELECT envelope, body FROM entry") for each in row]
    encoded = [encode(decode(Envelope if row["is"] == "Envelope" else Body, row)) for row in rows]
    added_fields = fields_in(encoded) - fields_in(rows)
    assert not added_fields, (
        f"{added_fields}: a new field needs a default and its line in SINCE_FORMAT of journal_codec.py"
    )
    assert encoded == rows
