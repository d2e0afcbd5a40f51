"""`tachiai audit`: its verdict, its last line, journals, and streams that are followed as they come."""

from __future__ import annotations

import io
import json
import subprocess
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from errno import EACCES
from pathlib import Path
from typing import Any

import pytest

from table.appliance.table_server import serve_table
from table.cli.main import main
from table.game.journal.entries import Body, Envelope, GameOpened, SettlementRecorded, Source
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table
from table.records.audit.game_audit import audit_game
from table.records.audit.record_values import with_values
from table.records.audit.seen_events import seen_events
from table.records.formats.game_record import GameRecord
from table.records.mjai.mjai_writer import write_mjai
from table.records.tenhou.tenhou6_writer import write_tenhou6
from table.rules.events import GameEnded
from table.runtime.clock import LogicalClock
from tests.commands.commanded import command
from tests.contracts import assert_keeps
from tests.fakes.processes import killed_at_last
from tests.fakes.waiting import PATIENCE_S
from tests.places import ROOT
from tests.table.records.selfplay import selfplay_game

SEED = 1
HANDS = 15
"""So many has that game: played here, it would be played by every process that only looks for tests."""
JOURNAL_HANDS = 3
"""So many of them in a journal."""


def lines_of(record: GameRecord) -> list[dict[str, Any]]:
    return list(write_mjai(record))


def write_record(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def run_audit(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    """Exit code, lines of the contract, and what standard error says."""
    code = main(["audit", "--json", *arguments])
    printed = capsys.readouterr()
    lines = [json.loads(line) for line in printed.out.splitlines()]
    for line in lines:
        assert_keeps("audit", line)
    return code, lines, printed.err


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_record(tmp_path / "game.mjson", lines_of(selfplay_game(SEED)))


@pytest.fixture
def wrong_log(tmp_path: Path) -> Path:
    """The same game, in which the record pays 100 points more once."""
    lines = lines_of(selfplay_game(SEED))
    hora = next(line for line in lines if line["type"] == "hora")
    hora["deltas"] = [delta + step for delta, step in zip(hora["deltas"], (100, -100, 0, 0), strict=True)]
    return write_record(tmp_path / "wrong.mjson", lines)


def test_a_record_that_agrees_is_0_and_says_so_at_the_end(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", str(log)]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines()[-1] == f"{HANDS} hands, 0 disagree"
    assert printed.err == ""


def test_with_json_the_verdict_stands_in_each_line_and_the_count_on_standard_error(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines, err = run_audit(capsys, str(log))
    assert code == 0
    assert [line["disagreements"] for line in lines] == [[]] * (HANDS + 1)
    assert "final" in lines[-1]
    assert err == f"{HANDS} hands, 0 disagree\n"


def test_a_record_that_disagrees_is_1_and_names_what_where(wrong_log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, err = run_audit(capsys, str(wrong_log))
    assert code == 1
    (line,) = [line for line in lines if line["disagreements"]]
    assert {"deltas"} <= {each["what"] for each in line["disagreements"]}
    for each in line["disagreements"]:
        assert set(each) == {"what", "record", "rules"}
        assert each["record"] != each["rules"]
    assert err == f"{HANDS} hands, 1 disagrees\n"
    assert main(["audit", str(wrong_log)]) == 1
    text = capsys.readouterr().out.splitlines()
    assert text[-1] == f"{HANDS} hands, 1 disagrees"
    assert any(line.strip().startswith("deltas: the record says ") for line in text)


@pytest.mark.parametrize(
    ("fact", "change"),
    [
        ("han", lambda worth: worth.replace("飜", "1飜", 1)),
        ("fu", lambda worth: worth.replace("符", "0符", 1)),
        ("points", lambda worth: worth.replace("点", "00点", 1)),
    ],
)
def test_what_a_viewers_record_says_beside_the_points_is_compared(
    fact: str, change: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = write_tenhou6(with_values(selfplay_game(SEED)))
    detail = next(
        hand[16][2] for hand in game["log"] if len(hand[16]) > 2 and "符" in hand[16][2][3] and "点" in hand[16][2][3]
    )
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game), encoding="utf-8")
    assert run_audit(capsys, str(path))[0] == 0
    detail[3] = change(detail[3])
    path.write_text(json.dumps(game), encoding="utf-8")
    code, lines, _ = run_audit(capsys, str(path))
    assert code == 1
    assert fact in {each["what"] for line in lines for each in line["disagreements"]}


def test_by_other_rules_payments_are_not_compared(wrong_log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run_audit(capsys, str(wrong_log), "--ruleset", "wrc-2025")
    assert (code, err) == (0, f"{HANDS} hands, 0 disagree\n")


def journal_of(path: Path, *, extra: tuple[int, int, int, int] = (0, 0, 0, 0)) -> Path:
    """A journal of the game whose first win was confirmed with so many points more."""
    envelope = Envelope(utc="2026-01-01T20:00:00Z", source=Source.PRESS, frame=0)
    with Journal(path) as journal:
        journal.append(envelope, GameOpened(ruleset=selfplay_game(SEED).ruleset))
        for number, (hand, found) in enumerate(
            zip(selfplay_game(SEED).hands[:JOURNAL_HANDS], audit_game(selfplay_game(SEED), log="x"), strict=False)
        ):
            bodies: list[Body] = list(seen_events(hand, selfplay_game(SEED).ruleset))
            settlement = found.settlement  # type: ignore[union-attr]
            if settlement.wins and any(extra):
                more = tuple(a + b for a, b in zip(settlement.deltas, extra, strict=True))
                settlement, extra = replace(settlement, deltas=more), (0, 0, 0, 0)
            for body in [*bodies, SettlementRecorded(hand=number, settlement=settlement)]:
                journal.append(envelope, body)
    return path


def test_in_a_folder_a_record_with_a_value_of_a_wrong_type_stops_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = write_tenhou6(replace(selfplay_game(SEED), hands=selfplay_game(SEED).hands[:1]))
    for name, points in (("a.json", "a"), ("b.json", float("nan")), ("c.json", 25000)):
        game["log"][0][1][0] = points
        (tmp_path / name).write_text(json.dumps(game), encoding="utf-8")
    assert main(["audit", str(tmp_path)]) == 1
    captured = capsys.readouterr()
    assert [line.partition(": expected ")[0].split("/")[-1] for line in captured.err.splitlines()] == [
        "a.json: hand 0",
        "b.json: hand 0",
    ]
    assert captured.out.splitlines()[-1].startswith("1 hand,")


def test_with_json_an_unreadable_record_is_one_error_and_nothing_else(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{", encoding="utf-8")
    cut = write_record(tmp_path / "cut.mjson", lines_of(selfplay_game(SEED))[:-1])
    for path, hands in ((bad, 0), (cut, HANDS), (tmp_path / "missing.mjson", 0)):
        code, lines, err = run_audit(capsys, str(path))
        assert (code, len(lines)) == (1, hands)
        assert [line.partition(": expected ")[0] for line in err.splitlines()] == [f"tachiai audit: {path}"]
    assert run_audit(capsys, str(log), str(bad))[2].count("\n") == 1


def test_where_nothing_could_be_checked_no_count_follows_the_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", str(tmp_path / "missing.mjson")]) == 1
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)


def test_a_name_that_no_file_can_have_stops_no_other(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, err = run_audit(capsys, "long" * 100, str(log))
    assert (code, len(lines)) == (1, HANDS + 1)
    assert err.startswith(f"tachiai audit: {'long' * 100}: expected readable game records, got: File name too long\n")


def test_a_journal_that_the_system_does_not_hand_out_stops_no_other(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(EACCES, "Permission denied")

    journal = journal_of(tmp_path / "table.journal")
    journal.with_name("table.journal-wal").write_bytes(b"x")
    monkeypatch.setattr("table.game.journal.stored_games.shutil.copyfile", refuse)
    code, lines, err = run_audit(capsys, str(journal), str(log))
    assert (code, len(lines)) == (1, HANDS + 1)
    assert f"{journal}: expected readable game records, got: Permission denied" in err


def test_a_journal_is_audited_game_by_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = journal_of(tmp_path / "table.journal")
    code, lines, err = run_audit(capsys, str(path))
    assert (code, err) == (0, f"{JOURNAL_HANDS} hands, 0 disagree\n")
    assert {line["log"] for line in lines} == {f"{path}#1"}
    audited_log = list(audit_game(selfplay_game(SEED), log="x"))[:JOURNAL_HANDS]
    assert [line["scores"] for line in lines] == [each.as_json()["scores"] for each in audited_log]
    assert [line["riichi"] for line in lines] == [each.as_json()["riichi"] for each in audited_log]


def test_a_journal_tells_final_points_once_the_game_is_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = journal_of(tmp_path / "table.journal")
    _, playing, _ = run_audit(capsys, str(path))
    with Journal(path) as journal:
        journal.append(Envelope(utc="2026-01-01T23:00:00Z", source=Source.PRESS), GameEnded())
    _, over, _ = run_audit(capsys, str(path))
    assert over[:-1] == playing
    assert sum(over[-1]["final"]) == 100000


def test_in_a_folder_what_is_kept_beside_a_journal_is_no_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = journal_of(tmp_path / "table.journal")
    (tmp_path / "secrets.json").write_text('{"key": "9335"}', encoding="utf-8")
    with Journal(path) as playing:
        playing.append(Envelope(utc="2026-01-01T23:00:00Z", source=Source.PRESS), GameEnded())
        assert len(list(tmp_path.iterdir())) > 2
        code, _, err = run_audit(capsys, str(tmp_path))
    assert (code, err) == (0, f"{JOURNAL_HANDS} hands, 0 disagree\n")


def test_the_data_folder_of_a_table_whose_pages_were_open_is_audited_without_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = journal_of(tmp_path / "table.journal")
    assert main(["backup", "--data", str(tmp_path)]) == 0
    (copy,) = (tmp_path / "backups").iterdir()
    assert main(["restore", str(copy), "--data", str(tmp_path)]) == 0
    with Journal(path) as journal:
        journal.append(Envelope(utc="2026-01-01T23:00:00Z", source=Source.PRESS), GameEnded())
        rules = selfplay_game(SEED).ruleset
        journal.append(Envelope(utc="2026-01-01T23:00:00Z", source=Source.PRESS), GameOpened(ruleset=rules))
        table = Table(journal=journal, referee=Referee(), ruleset=rules, clock=LogicalClock())
        with serve_table(table, host="127.0.0.1", port=0, secrets=tmp_path / "secrets.json") as running:
            for page in ("season", "game"):
                with urllib.request.urlopen(f"http://127.0.0.1:{running.port}/{page}", timeout=PATIENCE_S) as answer:
                    assert answer.status == 200
    assert {"table.games", "table.season", "table.journal.lock"} <= {each.name for each in tmp_path.iterdir()}
    capsys.readouterr()
    code, lines, err = run_audit(capsys, str(tmp_path))
    assert (code, err) == (0, f"{JOURNAL_HANDS} hands, 0 disagree\n")
    assert {line["log"].partition("#")[0] for line in lines} == {str(path)}


def test_in_the_folder_of_a_recording_only_its_truth_is_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, err = run_audit(capsys, str(ROOT / "tests" / "recordings" / "called_riichi"))
    assert {line["log"] for line in lines} == {str(ROOT / "tests" / "recordings" / "called_riichi" / "truth.mjson")}
    assert (code, err.count("expected")) == (1, 1)
    assert "expected a whole game" in err, "a recording of one hand is cut short"


def test_a_settlement_that_was_confirmed_otherwise_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = journal_of(tmp_path / "table.journal", extra=(100, -100, 0, 0))
    code, lines, err = run_audit(capsys, str(path))
    assert (code, err) == (1, f"{JOURNAL_HANDS} hands, 1 disagrees\n")
    (disagreements,) = [line["disagreements"] for line in lines if line["disagreements"]]
    assert [each["what"] for each in disagreements] == ["deltas"]


def test_a_stream_is_followed_as_it_comes() -> None:
    """Each hand is told before the next one is dealt."""
    words, pipe = command("audit", "--json", "-"), subprocess.PIPE
    with killed_at_last(subprocess.Popen(words, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        answers = []
        for line in lines_of(selfplay_game(SEED)):
            process.stdin.write(json.dumps(line) + "\n")
            process.stdin.flush()
            if line["type"] == "end_kyoku":
                answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        assert [each["hand"] for each in answers] == list(range(HANDS))
        assert "final" in json.loads(process.stdout.readline())
        assert process.wait(PATIENCE_S) == 0


def test_a_stream_that_breaks_off_is_1() -> None:
    lines = lines_of(selfplay_game(SEED))[:-1]
    done = subprocess.run(
        command("audit", "-"),
        cwd=ROOT,
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == f"{HANDS} hands, 0 disagree"
    assert "truncated" in done.stderr


def with_repeats(lines: list[dict[str, Any]], hand: int, *, as_game: bool) -> list[dict[str, Any]]:
    """The lines of a logger that connects again after a hand, and sends it again, or the whole game from its start."""
    ends = [at for at, line in enumerate(lines) if line["type"] == "end_kyoku"]
    first = 0 if as_game else next(at for at in range(ends[hand], 0, -1) if lines[at]["type"] == "start_kyoku")
    return [*lines[: ends[hand] + 1], *lines[first : ends[hand] + 1], *lines[ends[hand] + 1 :]]


@pytest.mark.parametrize("as_game", [False, True])
@pytest.mark.parametrize("as_stream", [False, True])
def test_a_hand_that_comes_again_is_checked_once_and_said(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    as_game: bool,
    as_stream: bool,
) -> None:
    lines = lines_of(selfplay_game(SEED))
    path = write_record(tmp_path / "again.mjson", with_repeats(lines, 1, as_game=as_game))
    _, expected, _ = run_audit(capsys, str(write_record(tmp_path / "game.mjson", lines)))
    if as_stream:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    code, found, err = run_audit(capsys, "-" if as_stream else str(path))
    assert code == 0
    assert [each | {"log": ""} for each in found] == [each | {"log": ""} for each in expected]
    name = "standard input" if as_stream else str(path)
    repeated = [f"tachiai audit: {name}: hand {hand} came again, and is checked once" for hand in (0, 1)[not as_game :]]
    assert err.splitlines()[:-1] == repeated
