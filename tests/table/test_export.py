from __future__ import annotations

import csv
import io
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from table.audit import audit_game, seen_events
from table.cli import main
from table.commands.export import as_text, load
from table.errors import RecordError
from table.formats.mjai_record import write_mjai
from table.formats.reading import read_game
from table.formats.record import GameRecord
from table.ledger.entries import Envelope, GameOpened, Source
from table.ledger.journal import Journal
from tests.formats.selfplay import played

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
    envelope = Envelope(wall="2026-01-01T20:00:00Z", source=Source.PRESS, frame=0)
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


def test_a_game_with_hidden_tiles_is_refused_for_the_viewer(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(journal), "--format", "tenhou6"]) == 1
    assert "expected tiles that are all known" in capsys.readouterr().err


def test_what_cannot_be_read_or_written_is_named(tmp_path: Path, log: Path) -> None:
    with pytest.raises(RecordError, match="expected a readable file"):
        load(tmp_path / "nothing")
    assert main(["export", str(log), "--out", str(tmp_path)]) == 1


def _outcomes(record: GameRecord) -> list[tuple[object, ...]]:
    lines = audit_game(record, log="x")
    return [
        tuple(line.get(name) for name in ("result", "abort", "wins", "deltas", "scores", "final")) for line in lines
    ]
