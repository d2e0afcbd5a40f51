from __future__ import annotations

import csv
import io
import itertools
import json
import os
import re
import shutil
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from table.cli.main import main
from table.cli.record_commands.export import as_text, load_record
from table.game.journal.entries import Envelope, GameOpened, PlayersNamed, Source
from table.game.journal.journal import Journal
from table.records.audit.record_values import with_values
from table.records.audit.seen_events import seen_events
from table.records.format_detection import read_game
from table.records.formats.game_record import GameRecord, HandRecord, Move
from table.records.formats.missing_pickups import with_draws
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
from tests.table.records.selfplay import selfplay_game

SEED = 1


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "game.mjson"
    path.write_text("\n".join(json.dumps(line) for line in write_mjai(selfplay_game(SEED))), encoding="utf-8")
    return path


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal of the same game, kept as the table saw it: no draws, hidden hands."""
    path = tmp_path / "evening.db"
    envelope = Envelope(utc="2026-01-01T20:00:00Z", source=Source.PRESS, frame=0)
    with Journal(path) as open_journal:
        open_journal.append(envelope, GameOpened(ruleset=selfplay_game(SEED).ruleset))
        for hand in selfplay_game(SEED).hands:
            for event in seen_events(hand, selfplay_game(SEED).ruleset):
                open_journal.append(envelope, event)
    return path


def run_export(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command prints."""
    assert main(["export", *arguments]) == 0
    return capsys.readouterr().out


def in_order(record: GameRecord) -> GameRecord:
    """The game with the yaku of each win in alphabetical order."""
    return replace(record, hands=tuple(
        replace(hand, wins=tuple(replace(win, yaku=tuple(sorted(win.yaku or ()))) for win in hand.wins))
        for hand in record.hands
    ))  # fmt: skip


def test_a_record_comes_back_from_mjai_as_it_was_with_its_wins_valued(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert all(win.points is None for hand in selfplay_game(SEED).hands for win in hand.wins)
    again = read_game(run_export(capsys, str(log)).encode(), "again")
    assert in_order(again) == in_order(with_values(selfplay_game(SEED)))


def test_a_win_that_the_viewers_form_gives_without_fu_is_written_with_its_fu(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    viewed = tmp_path / "game.json"
    viewed.write_text(run_export(capsys, str(log), "--format", "tenhou6"), encoding="utf-8")
    lines, again = ([line for line in map(json.loads, run_export(capsys, str(path)).splitlines())
                     if line["type"] == "hora"] for path in (log, viewed))  # fmt: skip
    worth = [[win.get(name) for name in ("fan", "fu", "yakuman", "hora_points")] for win in again]
    assert worth == [[win.get(name) for name in ("fan", "fu", "yakuman", "hora_points")] for win in lines]
    assert any(fan >= 5 and fu for fan, fu, *_ in worth if fan)
    assert all(row["fu"] for row in csv.DictReader(io.StringIO(run_export(capsys, str(viewed), "--format", "csv")))
               if row["han"])  # fmt: skip


ORPHANS = (
    {"type": "start_game"},
    {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0, "scores": [25000] * 4,
     "dora_marker": "2m", "tehais": [["?"] * 13] * 4},
    {"type": "dahai", "actor": 0, "pai": "5m", "tsumogiri": None},
    {"type": "dahai", "actor": 1, "pai": "C", "tsumogiri": None},
    {"type": "hora", "actor": 2, "target": 1, "pai": "C", "uradora_markers": [], "hora_tehais": [
        "1m", "9m", "1p", "9p", "1s", "9s", "E", "S", "W", "N", "P", "F", "E"],
     "deltas": [0, -32000, 32000, 0], "scores": [25000, -7000, 57000, 25000]},
    {"type": "end_kyoku"},
    {"type": "end_game"},
)  # fmt: skip
"""A game won by thirteen orphans, as other programs tell it."""


def test_a_yakuman_whose_name_mjai_has_for_two_keeps_it_through_another_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "first.mjson", tmp_path / "second.mjson"
    first.write_text("\n".join(map(json.dumps, ORPHANS)), encoding="utf-8")
    second.write_text(run_export(capsys, str(first)), encoding="utf-8")
    again = run_export(capsys, str(second))
    assert again == second.read_text(encoding="utf-8")
    assert '"yakus": [["kokushimuso", 13]]' in again
    assert "国士無双(役満)" in run_export(capsys, str(second), "--format", "tenhou6")


def test_a_record_is_written_for_the_viewer(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = json.loads(run_export(capsys, str(log), "--format", "tenhou6"))
    assert len(game["log"]) == len(selfplay_game(SEED).hands)
    assert game["rule"]["disp"] == "\u5357\u55b0\u8d64"


def test_a_table_has_a_row_a_hand(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(run_export(capsys, str(log), "--format", "csv"))))
    assert [int(row["hand"]) for row in rows] == list(range(len(selfplay_game(SEED).hands)))
    last = selfplay_game(SEED).hands[-1]
    assert [int(rows[-1][f"score_{seat}"]) for seat in range(4)] == list(last.scores or ())


def test_a_game_is_written_as_one_page_from_a_record_and_from_its_journal(
    log: Path, journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (log, journal):
        page = run_export(capsys, str(path), "--format", "html")
        found = re.search(r'id="game">(.*?)</script>', page, re.DOTALL)
        assert found is not None
        hands = json.loads(found[1])["hands"]
        assert len(hands) == len(selfplay_game(SEED).hands)
        assert all(len(hand["steps"]) > 1 for hand in hands)


def test_people_of_a_journals_folder_are_called_as_the_owner_said(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    envelope = Envelope(utc="2026-01-01T21:00:00Z", source=Source.PRESS)
    with Journal(journal) as open_journal:
        open_journal.append(envelope, PlayersNamed(names=("Ana", "Ben", "Chie", "Dan")))
    write_people(journal.parent / PEOPLE, People().renamed("Ana", "Anna").with_guest("Ben"))
    game = json.loads(run_export(capsys, str(journal), "--format", "tenhou6"))
    assert game["name"] == ["Anna", "Guest", "Chie", "Dan"]
    with Journal(journal) as open_journal:
        open_journal.append(envelope, PlayersNamed(names=("Ana", "Eve", "Chie", "Dan"), is_substitution=True))
    page = run_export(capsys, str(journal), "--format", "html")
    assert '"names":["Anna","Guest","Chie","Dan"]' in re.sub("[\u2066-\u2069]", "", page)
    assert "Ben" not in page
    typed = run_export(capsys, str(journal), "--format", "html", "--names", "A,B,C,D")
    assert '"names":["A","B","C","D"]' in re.sub("[\u2066-\u2069]", "", typed)


def test_a_file_is_written_where_one_is_named(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert main(["export", str(log), "--format", "csv", "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8").startswith("hand,round,honba")


def test_a_journal_is_written_with_unknown_draws_so_that_others_can_read_it(journal: Path) -> None:
    lines: list[dict[str, Any]] = [json.loads(line) for line in as_text(load_record(journal), "mjai").splitlines()]
    assert lines[1]["tehais"] == [["?"] * 13] * 4
    before = {"dahai": {"tsumo", "reach", "chi", "pon", "dora"}}
    for earlier, line in itertools.pairwise(lines):
        if line["type"] == "dahai":
            assert earlier["type"] in before["dahai"], (earlier, line)


def test_a_journal_audits_like_the_game_it_was_kept_of(journal: Path) -> None:
    again = read_game(as_text(load_record(journal), "mjai").encode(), "journal")
    expected, found = _outcomes(selfplay_game(SEED)), _outcomes(again)
    assert found == expected


def test_a_journal_is_written_for_the_viewer_with_its_hidden_tiles_marked(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = json.loads(run_export(capsys, str(journal), "--format", "tenhou6"))
    assert len(game["log"]) == len(selfplay_game(SEED).hands)
    for hand in game["log"]:
        assert len(hand) == 17
        assert all(hand[4 + 3 * seat] == [HIDDEN] * 13 for seat in range(4))
        thrown = [code for seat in range(4) for code in hand[6 + 3 * seat] if code != CALLED_KAN]
        assert thrown
        assert HIDDEN not in [code for code in thrown if isinstance(code, int)]


def test_hidden_tiles_read_back_hidden_from_the_viewers_form(journal: Path) -> None:
    record = with_draws(load_record(journal))
    again = read_game(as_text(record, "tenhou6").encode(), "journal")
    assert [_acts(hand) for hand in again.hands] == [_acts(hand) for hand in record.hands]


@pytest.mark.parametrize("style", ["csv", "tenhou6"])
def test_wins_of_a_journal_are_written_with_what_they_are_worth(
    journal: Path, log: Path, style: str, capsys: pytest.CaptureFixture[str]
) -> None:
    names_flag = ("--names", "A,B,C,D")
    journal_text, log_text = (run_export(capsys, str(path), "--format", style, *names_flag) for path in (journal, log))
    if style == "csv":
        assert journal_text == log_text
        return
    results = [[hand[16] for hand in json.loads(text)["log"]] for text in (journal_text, log_text)]
    assert results[0] == results[1]
    assert any("飜" in result[2][3] for result in results[0] if result[0] == WON)


def test_an_evening_kept_by_hand_is_written_in_every_form(tmp_path: Path) -> None:
    path = tmp_path / "told.db"
    envelope = Envelope(utc="2026-01-01T20:00:00Z", source=Source.PRESS)
    ron = DeclaredResult(
        kind=ResultKind.RON, wins=(DeclaredWin(seat=SEATS[1], from_seat=SEATS[2], han=3, fu=40),), riichi=(SEATS[1],)
    )
    draw = DeclaredResult(kind=ResultKind.DRAW, tenpai=(SEATS[1],))
    with Journal(path) as journal:
        for body in (GameOpened(ruleset=Ruleset()), ResultDeclared(result=ron), ResultDeclared(result=draw)):
            journal.append(envelope, body)
    record = load_record(path)
    assert [hand.scores for hand in record.hands] == [(25000, 30200, 19800, 25000), (24000, 33200, 18800, 24000)]
    first, second = csv.DictReader(io.StringIO(as_text(record, "csv")))
    assert (first["han"], first["fu"], first["points"], second["result"]) == ("3", "40", "5200", "draw")
    won = json.loads(as_text(record, "tenhou6"))["log"][0][16]
    assert won == [WON, [0, 5200, -5200, 0], [1, 2, 1, "40\u7b263\u98dc5200\u70b9"]]
    assert len(read_game(as_text(record, "mjai").encode(), "told").hands) == 2


def test_what_cannot_be_read_or_written_is_named(tmp_path: Path, log: Path) -> None:
    with pytest.raises(RecordError, match="expected readable game records"):
        load_record(tmp_path / "nothing")
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
    path, rules = tmp_path / "evening.db", selfplay_game(SEED).ruleset.but(chips=chips)
    envelope = Envelope(utc="2026-01-01T20:00:00Z", source=Source.PRESS, frame=0)
    with Journal(path) as journal:
        journal.append(envelope, GameOpened(ruleset=rules))
        for hand in selfplay_game(SEED).hands:
            for event in seen_events(hand, rules):
                journal.append(envelope, event)
    rows = list(csv.DictReader(io.StringIO(as_text(load_record(path), "csv"))))
    assert ("chips_0" in rows[0]) is bool(chips)
    if chips:
        chip_changes = [[int(row[f"chips_{seat}"]) for seat in range(4)] for row in rows]
        assert all(sum(each) == 0 for each in chip_changes)
        assert any(each != [0] * 4 for each in chip_changes)


def test_the_chips_of_a_rule_set_come_back_from_mjai() -> None:
    record = replace(selfplay_game(SEED), ruleset=selfplay_game(SEED).ruleset.but(chips={"ura": 2}))
    text = "\n".join(json.dumps(line) for line in write_mjai(record))
    assert read_game(text.encode(), "again").ruleset == record.ruleset


def evening(path: Path, *, games: int = 1) -> Path:
    """A journal of games in which two win at once, then nobody does."""
    envelope = Envelope(utc="2026-01-01T20:00:00Z", source=Source.PRESS)
    wins = tuple(DeclaredWin(seat=SEATS[seat], from_seat=SEATS[2], han=han, fu=30) for seat, han in ((3, 1), (1, 2)))
    with Journal(path) as journal:
        for _ in range(games):
            for body in (
                GameOpened(ruleset=Ruleset(), names=("Aya", "=1+1", "", "D, d")),
                ResultDeclared(result=DeclaredResult(kind=ResultKind.RON, wins=wins)),
                ResultDeclared(result=DeclaredResult(kind=ResultKind.DRAW, tenpai=(SEATS[1],))),
            ):
                journal.append(envelope, body)
    return path


def test_each_winner_of_a_hand_has_a_row_and_payments_stand_in_the_first(tmp_path: Path) -> None:
    record = load_record(evening(tmp_path / "e.db"))
    first, second, drawn = csv.DictReader(io.StringIO(as_text(record, "csv")))
    assert [(row["hand"], row["winner"], row["from"], row["han"]) for row in (first, second)] == [
        ("0", "3", "2", "1"),
        ("0", "1", "2", "2"),
    ]
    assert [int(first[f"delta_{seat}"]) for seat in range(4)] == list(record.hands[0].deltas or ())
    assert [second[f"delta_{seat}"] for seat in range(4)] == [""] * 4
    assert first["score_0"] == second["score_0"]
    assert (drawn["hand"], drawn["winner"], drawn["result"]) == ("1", "", "draw")


def test_players_are_named_as_the_game_says_or_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(evening(tmp_path / "e.db"))
    row = next(csv.DictReader(io.StringIO(run_export(capsys, path, "--format", "csv"))))
    assert [row[f"name_{seat}"] for seat in range(4)] == ["Aya", "'=1+1", "", "D, d"]
    assert json.loads(run_export(capsys, path).splitlines()[0])["names"] == ["Aya", "=1+1", "", "D, d"]
    text = run_export(capsys, path, "--names", "Eri, Fumi, Go, Hana", "--format", "tenhou6")
    assert json.loads(text)["name"] == ["Eri", "Fumi", "Go", "Hana"]


@pytest.mark.parametrize("flags", [("--url",), ("--format", "html"), ("--format", "csv")])
def test_a_name_in_the_letters_of_another_encoding_becomes_one_of_a_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...]
) -> None:
    names = os.fsdecode(b"Jos\xe9,B,C,D")
    text = unquote(run_export(capsys, str(evening(tmp_path / "e.db")), "--names", names, *flags))
    assert "Jos?" in text


def test_the_games_of_a_journal_are_listed_and_taken_by_their_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(evening(tmp_path / "e.db", games=3))
    lines = run_export(capsys, path, "--list").splitlines()
    numbers = [line.split()[0] for line in lines]
    assert numbers == ["1", "4", "7"]
    assert all("2026-01-01 20:00" in line and " 2 hands" in line and "Aya" in line for line in lines)
    assert len({run_export(capsys, path, "--game", number) for number in numbers}) == 1
    assert main(["export", path, "--game", "2"]) == 1
    assert "expected game 1 or 4 or 7, got 2" in capsys.readouterr().err


def test_an_address_holds_the_whole_game_and_nothing_is_sent(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = run_export(capsys, str(log), "--url")
    assert address.startswith("https://tenhou.net/6/#json=%7B%22")
    assert address.isascii()
    assert len(address.split()) == 1
    assert json.loads(unquote(address.partition("#json=")[2])) == json.loads(
        run_export(capsys, str(log), "--format", "tenhou6")
    )
    assert len(read_game(address.encode(), "again").hands) == len(selfplay_game(SEED).hands)


@pytest.mark.parametrize(
    "flags",
    [
        ("--url", "--format", "csv"),
        ("--list", "--url"),
        ("--list", "--game", "1"),
        ("--names", "A,B,C"),
    ],
)
def test_flags_that_exclude_each_other_are_wrong_use(
    flags: tuple[str, ...], log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code: object = main(["export", str(log), *flags])
    except SystemExit as stopped:
        code = stopped.code
    assert code == 2
    assert "expected" in capsys.readouterr().err


@pytest.mark.parametrize("flags", [("--game", "1"), ("--list",)])
def test_only_a_journal_has_several_games(
    flags: tuple[str, ...], log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What lies there decides, so it is no wrong command line, also on standard input."""
    assert main(["export", str(log), *flags]) == 1
    assert "which holds one game" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(log.read_bytes())))
    assert main(["export", "-", *flags]) == 1
    assert "got it with standard input, which holds one game" in capsys.readouterr().err


@pytest.mark.parametrize("style", ["mjai", "tenhou6", "csv"])
def test_a_record_that_is_cut_short_is_written_as_far_as_it_goes_and_fails(
    style: str, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = log.read_text(encoding="utf-8").splitlines()
    at = [number for number, line in enumerate(lines) if '"end_kyoku"' in line][2]
    log.write_text("\n".join(lines[: at + 5]), encoding="utf-8")
    assert main(["export", str(log), "--format", style]) == 1
    printed = capsys.readouterr()
    assert len(printed.err.splitlines()) == 1
    assert "got a truncated one" in printed.err
    if style != "csv":
        again = read_game(printed.out.encode(), "again")
        assert len(again.hands) == 3
        assert again.cut_short is not None


def test_a_record_may_come_by_standard_input(
    log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = run_export(capsys, str(log))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(log.read_bytes())))
    assert run_export(capsys, "-") == whole


def test_a_journal_with_a_write_ahead_log_is_only_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also one that a power cut left with its log, and while a table plays on it."""
    (tmp_path / "live").mkdir()
    path = evening(tmp_path / "live" / "e.db")
    envelope = Envelope(utc="2026-01-01T20:00:00Z", source=Source.PRESS)
    draw = ResultDeclared(result=DeclaredResult(kind=ResultKind.DRAW, tenpai=(SEATS[0],)))
    with Journal(path) as playing:
        playing.append(envelope, draw)
        cut = Path(shutil.copytree(path.parent, tmp_path / "cut"))
        for folder in (path.parent, cut):
            before = {each.name: (each.read_bytes(), each.stat().st_mtime_ns) for each in folder.iterdir()}
            assert "e.db-wal" in before
            rows = list(csv.DictReader(io.StringIO(run_export(capsys, str(folder / "e.db"), "--format", "csv"))))
            assert [row["result"] for row in rows] == ["ron", "ron", "draw", "draw"]
            assert {each.name: (each.read_bytes(), each.stat().st_mtime_ns) for each in folder.iterdir()} == before


def test_only_the_game_that_is_wanted_is_decoded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = evening(tmp_path / "e.db", games=3)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE entry SET body = 'no JSON' WHERE number = 2")
    assert len(run_export(capsys, str(path), "--game", "4").splitlines()) > 2
    assert run_export(capsys, str(path)) == run_export(capsys, str(path), "--game", "7")
    assert main(["export", str(path), "--game", "1"]) == 1
    assert "entry 2" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("export", "--format", "csv"),
        pytest.param(("export", "--format", "html"), marks=pytest.mark.long),
        ("export", "--game", "1"),
        ("export", "--list"),
        ("audit",),
    ],
)
def test_a_journal_may_come_by_standard_input_or_a_pipe(
    words: tuple[str, ...],
    journal: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command, *flags = words
    assert main([command, str(journal), *flags]) == 0
    whole = capsys.readouterr().out
    assert whole
    data = journal.read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main([command, "-", *flags]) == 0
    assert capsys.readouterr().out.replace("-#1", f"{journal}#1") == whole
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=pipe.write_bytes, args=(data,), daemon=True).start()
    assert main([command, str(pipe), *flags]) == 0
    assert capsys.readouterr().out.replace(f"{pipe}#1", f"{journal}#1") == whole


@pytest.mark.parametrize("command", ["export", "audit"])
def test_half_a_journal_by_standard_input_is_refused_by_that_name(
    command: str, journal: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(journal.read_bytes()[:5000])))
    assert main([command, "-"]) == 1
    (sentence, *_) = capsys.readouterr().err.splitlines()
    assert "standard input" in sentence
    assert "tachiai-" not in sentence
