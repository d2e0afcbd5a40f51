"""A desk whose file is damaged: cut by a power failure, emptied, changed by an editor or by one flipped byte."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from table.cli.main import main
from table.config import MqttConfig
from table.dashboard.web.access.vault import Vault
from table.i18n import languages
from table.mqtt.desk.desk_journal import DeskJournal
from table.mqtt.desk.desk_recovery import DamageKind, JournalDamage
from table.mqtt.hall_page import Hall, hall_app
from table.mqtt.tournament.acts import PenaltyCancelled, PenaltyGiven, PlayerReplaced, ResultTold
from table.mqtt.tournament.standings import standings
from table.mqtt.tournament.tournament import Tournament, tournaments_of
from table.runtime.table_errors import ConfigError
from tests.fakes.desks import PIN
from tests.fakes.disks import full_disk
from tests.table.mqtt.desk.desk_room import OPENING, PLAYERS, RULES, Room

HEAD = b'{"format": "tachiai-desk", "version": 1}\n'


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A round with a table's game, a result, two penalties, the first cancelled, and a substitute."""
    with ExitStack() as stack:
        room = Room(tmp_path, stack)
        room.desk.open(OPENING)
        room.desk.begin_round(0)
        room.plays(1, (1000, 2000, -1000, -2000), is_over=True)
        room.desk.record(ResultTold(round=0, table=1, scores=(40000, 30000, 30000, 20000)))
        for player in (2, 3):
            room.desk.record(PenaltyGiven(player=player, points=5000, why="late"))
        room.desk.record(PenaltyCancelled(penalty=0, why="the bus"))
        room.desk.record(PlayerReplaced(round=0, player=7, by="Sub"))
        yield room


def path_of(room: Room) -> Path:
    return room.folder / "desk.jsonl"


def lines_of(room: Room) -> list[bytes]:
    return path_of(room).read_bytes().splitlines(keepends=True)


def write(room: Room, content: bytes, *, with_copy: bool = True) -> None:
    """Leaves this content; without the copy, as an earlier version's desk, or after both were damaged."""
    path_of(room).write_bytes(content)
    if not with_copy:
        (room.folder / "desk.jsonl.second").unlink()


def state_and_damage(room: Room) -> tuple[Tournament | None, JournalDamage | None]:
    with DeskJournal(path_of(room), stamp="now") as journal:
        return next(reversed(tournaments_of(journal.acts)), None), journal.damage


def kept_content(room: Room) -> bytes:
    return (room.folder / "desk.jsonl.bad-now").read_bytes()


def damaged(room: Room, number: int, *, byte: int = 40) -> bytes:
    """The file with one byte of a line flipped, so that it is no longer JSON or no longer UTF-8."""
    lines = lines_of(room)
    line = lines[number - 1]
    lines[number - 1] = line[:byte] + bytes([line[byte] ^ 0x80]) + line[byte + 1 :]
    return b"".join(lines)


@pytest.mark.parametrize("content", [b"my only notes, one line without an end", b"a\0b", b"\0" * 500, b"notes\nmore\n"])
def test_a_file_that_is_no_desks_journal_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "desk.jsonl"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="expected a desk's journal"):
        DeskJournal(path)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"desk.jsonl": content}


def test_a_journal_of_another_version_is_left_alone_whatever_its_copy_holds(room: Room) -> None:
    content = path_of(room).read_bytes().replace(b'"version": 1', b'"version": 2')
    write(room, content)
    with pytest.raises(ConfigError, match="got another version's"):
        state_and_damage(room)
    assert path_of(room).read_bytes() == content


@pytest.mark.parametrize("content", [b"", HEAD[:9], HEAD[:-1]])
def test_a_journal_whose_first_line_was_cut_short_is_begun_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "desk.jsonl"
    path.write_bytes(content)
    with DeskJournal(path) as journal:
        assert (journal.acts, journal.damage) == ((), None)
    assert path.read_bytes() == HEAD


@pytest.mark.parametrize("end", [b"\r", b"\r\n"])
def test_a_tournament_saved_with_other_line_ends_is_whole(room: Room, end: bytes) -> None:
    write(room, path_of(room).read_bytes().replace(b"\n", end), with_copy=False)
    assert state_and_damage(room) == (room.tournament, None)
    assert state_and_damage(room) == (room.tournament, None)


@pytest.mark.parametrize(("before", "after"), [(b"", b""), (b"", b"\n\n"), (b"\xef\xbb\xbf", b"\n")])
def test_a_tournament_that_an_editor_saved_is_whole_and_goes_on(room: Room, before: bytes, after: bytes) -> None:
    write(room, before + path_of(room).read_bytes().rstrip(b"\n") + after)
    assert state_and_damage(room) == (room.tournament, None)
    with DeskJournal(path_of(room)) as journal:
        journal.add(PenaltyGiven(player=0, points=1, why=""))
    tournament, damage = state_and_damage(room)
    assert tournament is not None
    assert (len(tournament.penalties), damage) == (3, None)


def test_a_cut_last_line_is_kept_beside_and_said(room: Room) -> None:
    content = path_of(room).read_bytes() + b'{"act": "PenaltyGiven", "pla'
    write(room, content)
    tournament, damage = state_and_damage(room)
    assert tournament == room.tournament
    assert damage is not None
    assert (damage.kind, damage.kept_file) == (DamageKind.CUT, "desk.jsonl.bad-now")
    assert "line 10" in damage.note
    assert kept_content(room) == content
    assert state_and_damage(room) == (room.tournament, None)


@pytest.mark.parametrize("number", range(1, 10))
@pytest.mark.parametrize("byte", [3, 20])
def test_one_damaged_line_costs_nothing(room: Room, number: int, byte: int) -> None:
    content = damaged(room, number, byte=byte)
    write(room, content)
    tournament, damage = state_and_damage(room)
    assert tournament == room.tournament
    assert damage is not None
    assert (damage.kind, damage.lines) == (DamageKind.RESTORED, ())
    assert kept_content(room) == content
    assert state_and_damage(room) == (room.tournament, None)


@pytest.mark.parametrize("content", [None, b"", b"\0" * 4096, HEAD])
def test_a_file_that_is_gone_or_emptied_costs_nothing(room: Room, content: bytes | None) -> None:
    path_of(room).unlink()
    if content is not None:
        path_of(room).write_bytes(content)
    tournament, damage = state_and_damage(room)
    assert tournament == room.tournament
    assert damage is not None
    assert damage.kind is DamageKind.RESTORED
    assert state_and_damage(room) == (room.tournament, None)


def test_a_damaged_copy_costs_nothing_and_is_made_anew(room: Room) -> None:
    copy = room.folder / "desk.jsonl.second"
    assert copy.read_bytes() == path_of(room).read_bytes()
    for content in (b"", b"\0" * 80, damaged(room, 4), HEAD):
        copy.write_bytes(content)
        assert state_and_damage(room) == (room.tournament, None)
        assert copy.read_bytes() == path_of(room).read_bytes()


def test_what_somebody_changed_in_the_file_by_hand_counts(room: Room) -> None:
    write(room, path_of(room).read_bytes().replace(b"Sub", b"Ann"))
    tournament, damage = state_and_damage(room)
    assert tournament is not None
    assert ([each.by for each in tournament.replacements.values()], damage) == (["Ann"], None)


def test_without_a_copy_the_lines_that_nothing_builds_on_are_left_out_alone(room: Room) -> None:
    write(room, damaged(room, 5), with_copy=False)
    tournament, damage = state_and_damage(room)
    assert tournament is not None
    assert damage is not None
    assert (damage.kind, damage.lines) == (DamageKind.LOST, (5,))
    assert (tournament.entered_results, tournament.penalties) == ({}, room.tournament.penalties)
    assert "line 5" in damage.note
    assert damage.kept_file in damage.note


def test_of_lines_here_and_there_that_do_not_count_each_is_named(room: Room) -> None:
    for number in (5, 9):
        write(room, damaged(room, number), with_copy=number == 5)
    _, damage = state_and_damage(room)
    assert damage is not None
    assert damage.lines == (5, 9)
    assert "damage: lines 5, 9 of it" in damage.note


@pytest.mark.parametrize(("number", "byte"), [(3, 40), (6, 40), (5, 10)])
def test_without_a_copy_what_may_build_on_a_damaged_line_does_not_count(room: Room, number: int, byte: int) -> None:
    write(room, damaged(room, number, byte=byte), with_copy=False)
    tournament, damage = state_and_damage(room)
    assert tournament is not None
    assert damage is not None
    assert damage.lines == tuple(range(number, 10))
    assert tournament.penalties == ()
    assert f"lines {number} to 9" in damage.note
    standings(tournament, RULES)


@pytest.mark.parametrize(
    "act",
    [
        {"act": "PenaltyGiven", "player": 900, "points": 1000, "why": ""},
        {"act": "PenaltyCancelled", "penalty": 7, "why": ""},
        {"act": "ResultTold", "round": 99, "table": 0, "scores": None},
        {"act": "PlayerReplaced", "round": 0, "player": -1, "by": "x"},
        {"act": "ClockMoved", "until": "2026-1x-26T10:00:00+00:00"},
        {"act": "TimeCalled", "at": ""},
        {"act": "PlayerReplaced", "round": 0, "player": 1, "by": "\ud800b"},
        {"act": "TournamentOpened", "title": "", "rules": "home", "players": ["a"], "rounds": [[[0, 1, 2, 3]]],
         "tables": [""]},
    ],
)  # fmt: skip
def test_a_line_that_no_desk_wrote_breaks_no_page(room: Room, act: dict[str, object]) -> None:
    write(room, path_of(room).read_bytes() + json.dumps(act).encode() + b"\n")
    with ExitStack() as stack:
        room.stack = stack
        room.desk = room.open_desk()
        assert room.tournament.opening == OPENING
        damage = room.desk.damage
        assert damage is not None
        assert damage.lines == (10,)
        client = owner_of(room)
        for address in ("/", "/desk", "/desk/sheet/scores", "/desk/results.csv", "/broadcast/standings"):
            assert client.get(address).status_code == 200


def test_a_round_that_never_began_has_no_clock(tmp_path: Path) -> None:
    path = tmp_path / "desk.jsonl"
    with DeskJournal(path) as journal:
        journal.add(OPENING)
    with path.open("ab") as file:
        file.write(b'{"act": "ClockMoved", "until": "2026-11-26T10:00:00+00:00"}\n')
    with DeskJournal(path) as journal:
        assert journal.damage is not None
        assert journal.damage.lines == (3,)


def test_a_copy_that_a_full_disk_did_not_take_is_caught_up_with_the_next_act(room: Room) -> None:
    copy = room.folder / "desk.jsonl.second"
    copy.unlink()
    copy.mkdir()
    with ExitStack() as stack:
        room.stack = stack
        room.desk = room.open_desk()
        room.desk.record(PenaltyGiven(player=0, points=1000, why=""))
        copy.rmdir()
        room.desk.record(PenaltyGiven(player=1, points=1000, why=""))
        assert copy.read_bytes() == path_of(room).read_bytes()


def test_a_full_disk_keeps_a_damaged_journal_as_it_is(room: Room) -> None:
    content = damaged(room, 6)
    write(room, content)
    with full_disk(100), pytest.raises(ConfigError, match="disk"):
        DeskJournal(path_of(room), stamp="now")
    assert path_of(room).read_bytes() == content
    assert state_and_damage(room)[0] == room.tournament


def owner_of(room: Room) -> FlaskClient:
    app = hall_app(Hall(MqttConfig()), room.desk, Vault(room.folder / "secrets.json"))
    client = app.test_client()
    token = re.search(r'name="token" value="([^"]+)"', client.get("/desk/join").text)
    assert token is not None
    assert client.post("/desk/join", data={"token": token[1], "pin": PIN, "again": PIN}).status_code == 303
    return client


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("number", "with_copy"), [(6, True), (6, False), (0, True)])
def test_the_desks_page_says_what_is_missing(room: Room, language: str, number: int, with_copy: bool) -> None:
    content = path_of(room).read_bytes() + b'{"act'
    content = damaged(room, number) if number else content
    write(room, content, with_copy=with_copy)
    with ExitStack() as stack:
        room.stack = stack
        room.desk = room.open_desk()
        page = owner_of(room).get("/desk", headers={"Accept-Language": language}).text
    (message,) = re.findall(r'<p class="refusal" role="alert">([^<]+)</p>', page)
    assert "desk.jsonl.bad-" in message
    assert PLAYERS[0] in page


def test_the_terminal_says_what_is_missing_or_why_the_desk_does_not_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "desk.jsonl").write_text("my only notes, one line without an end")
    assert main(["hall", "127.0.0.1", "--desk", str(tmp_path), "--port", "0"]) == 1
    assert "expected a desk's journal" in capsys.readouterr().err
    (tmp_path / "desk.jsonl").write_bytes(HEAD + b'{"act": "Ti')
    (tmp_path / "secrets.json").write_text("{")  # the desk ends at once
    assert main(["hall", "127.0.0.1", "--desk", str(tmp_path), "--port", "0"]) == 1
    message = capsys.readouterr().err
    assert "in line 2, which does not count" in message
    assert "delete it and choose a new PIN" in message
