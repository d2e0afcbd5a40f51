from __future__ import annotations

import csv
import io
import itertools
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from table.cli.main import main
from table.cli.record_commands.export import as_text, load
from table.game.journal.entries import Envelope, GameOpened, PlayersNamed, Source
from table.game.journal.journal import Journal
from table.records.format_detection import read_game
from table.records.formats.game_record import GameRecord, HandRecord, Move
from table.records.formats.missing_pickups import with_draws
from table.records.game_audit import seen_events
from table.records.mjai.mjai_writer import write_mjai
from table.records.season.people import FILE as PEOPLE
from table.records.season.people import People, write_people
from table.records.tenhou.tenhou6_codes import CALLED_KAN, HIDDEN, WON
from table.rules.events import Discarded, DoraTurned, Origin, ResultDeclared
from table.rules.ruleset import Ruleset
from table.rules.terms.results import DeclaredResult, DeclaredWin, ResultKind
from table.rules.terms.seats import SEATS
from table.runtime.table_errors import RecordError
from tests.table.records.real_games import audit_lines
from tests.table.records.selfplay import played

SEED = 1


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "game.mjson"
    path.write_text("\n".join(json.dumps(line) for line in write_mjai(played(SEED))), encoding="utf-8")
    return path


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal of the same game, kept as the table saw it: no draws, hidden hands."""
    path = tmp_path / "evening.db"
    envelope = Envelope(utc="2026-01-01T20:00:00Z", source=Source.PRESS, frame=0)
    with Journal(path) as kept:
        kept.append(envelope, GameOpened(ruleset=played(SEED).ruleset))
        for hand in played(SEED).hands:
            for event in seen_events(hand):
                kept.append(envelope, event)
    return path


def exported(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command prints."""
    assert main(["export", *arguments]) == 0
    return capsys.readouterr().out


def test_a_record_comes_back_from_mjai_as_it_was(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert read_game(exported(capsys, str(log)).encode(), "again") == played(SEED)


def test_a_record_is_written_for_the_viewer(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = json.loads(exported(capsys, str(log), "--format", "tenhou6"))
    assert len(game["log"]) == len(played(SEED).hands)
    assert game["rule"]["disp"] == "\u5357\u55b0\u8d64"


def test_a_table_has_a_row_a_hand(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(exported(capsys, str(log), "--format", "csv"))))
    assert [int(row["hand"]) for row in rows] == list(range(len(played(SEED).hands)))
    last = played(SEED).hands[-1]
    assert [int(rows[-1][f"score_{seat}"]) for seat in range(4)] == list(last.scores or ())


def test_a_game_is_written_as_one_page_from_a_record_and_from_its_journal(
    log: Path, journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (log, journal):
        page = exported(capsys, str(path), "--format", "html")
        found = re.search(r'id="game">(.*?)</script>', page, re.DOTALL)
        assert found is not None
        hands = json.loads(found[1])["hands"]
        assert len(hands) == len(played(SEED).hands)
        assert all(len(hand["steps"]) > 1 for hand in hands)


def test_people_of_a_journals_folder_are_called_as_the_owner_said(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    envelope = Envelope(utc="2026-01-01T21:00:00Z", source=Source.PRESS)
    with Journal(journal) as kept:
        kept.append(envelope, PlayersNamed(names=("Ana", "Ben", "Chie", "Dan")))
    write_people(journal.parent / PEOPLE, People().renamed("Ana", "Anna").with_guest("Ben"))
    game = json.loads(exported(capsys, str(journal), "--format", "tenhou6"))
    assert game["name"] == ["Anna", "Guest", "Chie", "Dan"]


def test_a_file_is_written_where_one_is_named(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert main(["export", str(log), "--format", "csv", "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8").startswith("hand,round,honba")


def test_a_journal_is_written_with_unknown_draws_so_that_others_can_read_it(journal: Path) -> None:
    lines: list[dict[str, Any]] = [json.loads(line) for line in as_text(load(journal), "mjai").splitlines()]
    assert lines[1]["tehais"] == [["?"] * 13] * 4
    before = {"dahai": {"tsumo", "reach", "chi", "pon", "dora"}}
    for earlier, line in itertools.pairwise(lines):
        if line["type"] == "dahai":
            assert earlier["type"] in before["dahai"], (earlier, line)


def test_a_journal_audits_like_the_game_it_was_kept_of(journal: Path) -> None:
    again = read_game(as_text(load(journal), "mjai").encode(), "journal")
    wanted, found = _outcomes(played(SEED)), _outcomes(again)
    assert found == wanted


def test_a_journal_is_written_for_the_viewer_with_its_hidden_tiles_marked(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = json.loads(exported(capsys, str(journal), "--format", "tenhou6"))
    assert len(game["log"]) == len(played(SEED).hands)
    for hand in game["log"]:
        assert len(hand) == 17
        assert all(hand[4 + 3 * seat] == [HIDDEN] * 13 for seat in range(4))
        thrown = [code for seat in range(4) for code in hand[6 + 3 * seat] if code != CALLED_KAN]
        assert thrown
        assert HIDDEN not in [code for code in thrown if isinstance(code, int)]


def test_hidden_tiles_read_back_hidden_from_the_viewers_form(journal: Path) -> None:
    record = with_draws(load(journal))
    again = read_game(as_text(record, "tenhou6").encode(), "journal")
    assert [_acts(hand) for hand in again.hands] == [_acts(hand) for hand in record.hands]


@pytest.mark.parametrize("style", ["csv", "tenhou6"])
def test_wins_of_a_journal_are_written_with_what_they_are_worth(
    journal: Path, log: Path, style: str, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, known = (exported(capsys, str(path), "--format", style) for path in (journal, log))
    if style == "csv":
        assert kept == known
        return
    results = [[hand[16] for hand in json.loads(text)["log"]] for text in (kept, known)]
    assert results[0] == results[1]
    assert any("飜" in result[2][3] for result in results[0] if result[0] == WON)


def test_an_evening_kept_by_hand_is_written_in_every_form(tmp_path: Path) -> None:
    path = tmp_path / "told.db"
    envelope = Envelope(utc="2026-01-01T20:00:00Z", source=Source.PRESS)
    ron = DeclaredResult(
        kind=ResultKind.RON, wins=(DeclaredWin(seat=SEATS[1], from_seat=SEATS[2], han=3, fu=40),), riichi=(SEATS[1],)
    )
    draw = DeclaredResult(kind=ResultKind.DRAW, tenpai=(SEATS[1],))
    with Journal(path) as kept:
        for body in (GameOpened(ruleset=Ruleset()), ResultDeclared(result=ron), ResultDeclared(result=draw)):
            kept.append(envelope, body)
    record = load(path)
    assert [hand.scores for hand in record.hands] == [(25000, 30200, 19800, 25000), (24000, 33200, 18800, 24000)]
    first, second = csv.DictReader(io.StringIO(as_text(record, "csv")))
    assert (first["han"], first["fu"], first["points"], second["result"]) == ("3", "40", "5200", "draw")
    won = json.loads(as_text(record, "tenhou6"))["log"][0][16]
    assert won == [WON, [0, 5200, -5200, 0], [1, 2, 1, "40\u7b263\u98dc5200\u70b9"]]
    assert len(read_game(as_text(record, "mjai").encode(), "told").hands) == 2


def test_what_cannot_be_read_or_written_is_named(tmp_path: Path, log: Path) -> None:
    with pytest.raises(RecordError, match="expected a readable file"):
        load(tmp_path / "nothing")
    assert main(["export", str(log), "--out", str(tmp_path)]) == 1


def _acts(hand: HandRecord) -> list[Move]:
    """What the seats did, as the viewer's form tells it: a discard not seen to be as drawn counts as from the hand."""
    acts = [move for move in hand.moves if not isinstance(move, DoraTurned)]
    return [
        replace(move, origin=Origin.HAND) if isinstance(move, Discarded) and move.origin is Origin.UNKNOWN else move
        for move in acts
    ]


def _outcomes(record: GameRecord) -> list[tuple[object, ...]]:
    lines = audit_lines(record, log="x")
    return [
        tuple(line.get(name) for name in ("result", "abort", "wins", "deltas", "scores", "final")) for line in lines
    ]


@pytest.mark.parametrize("chips", [{"red": 1, "ippatsu": 1, "ura": 1}, {}])
def test_chips_stand_in_a_table_of_a_game_that_is_played_with_them(chips: dict[str, int], tmp_path: Path) -> None:
    path, rules = tmp_path / "evening.db", played(SEED).ruleset.but(chips=chips)
    envelope = Envelope(utc="2026-01-01T20:00:00Z", source=Source.PRESS, frame=0)
    with Journal(path) as kept:
        kept.append(envelope, GameOpened(ruleset=rules))
        for hand in played(SEED).hands:
            for event in seen_events(hand):
                kept.append(envelope, event)
    rows = list(csv.DictReader(io.StringIO(as_text(load(path), "csv"))))
    assert ("chips_0" in rows[0]) is bool(chips)
    if chips:
        moved = [[int(row[f"chips_{seat}"]) for seat in range(4)] for row in rows]
        assert all(sum(each) == 0 for each in moved)
        assert any(each != [0] * 4 for each in moved)


def test_the_chips_of_a_rule_set_come_back_from_mjai() -> None:
    record = replace(played(SEED), ruleset=played(SEED).ruleset.but(chips={"ura": 2}))
    text = "\n".join(json.dumps(line) for line in write_mjai(record))
    assert read_game(text.encode(), "again").ruleset == record.ruleset
