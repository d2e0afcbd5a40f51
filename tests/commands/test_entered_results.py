"""Hands of which only the result was entered: every reader takes what the program itself writes of them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from table.cli.main import main
from table.game.commands.command_reader import read_press, read_result
from table.game.commands.game_commands import EndGame, NameSeats
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table
from table.library import follow_mjai
from table.records.mjai.from_journal.live_mjai import LiveMjai
from table.rulebook import rules_named
from table.runtime.clock import LogicalClock
from tests.contracts import assert_keeps
from tests.table.game.by_hand import draw, table_at, tell, win

FOUR_WINDS = read_result({"kind": "abort", "reason": "four_winds"})
BOTH = read_result(
    {"kind": "ron", "wins": [{"seat": 0, "from": 1, "han": 1, "fu": 30}, {"seat": 2, "from": 1, "han": 2, "fu": 40}]}
)
NAGASHI = read_result({"kind": "draw", "nagashi": [2]})
RESULTS = (
    win(1, 0, 3),
    win(2, 2, 4, riichi=(2, 3)),
    draw(0, 1, riichi=(1,)),
    draw(),
    FOUR_WINDS,
    win(3, 2, 5, None),
    BOTH,
    NAGASHI,
    win(0, 0, 1),
)
FINAL = "final 19000 17500 37700 25800"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "table.journal"
    path.parent.mkdir()
    with Journal(path) as open_journal:
        tell(table_at(open_journal), *RESULTS)
    return path


@pytest.fixture(params=["mjai", "tenhou6"])
def exported_record(
    request: pytest.FixtureRequest, journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Path:
    assert main(["export", str(journal), "--format", request.param]) == 0
    path = tmp_path / "records" / {"mjai": "game.mjson", "tenhou6": "game.json"}[request.param]
    path.parent.mkdir()
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    return path


def test_an_audit_agrees_and_says_that_it_checked_nothing(
    journal: Path, exported_record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (journal, exported_record):
        assert main(["audit", str(path)]) == 0
        *hands, end, count = capsys.readouterr().out.splitlines()
        assert [hand.endswith("not checked: only the result is known") for hand in hands] == [True] * len(RESULTS)
        assert end.endswith(FINAL)
        assert count == f"{len(RESULTS)} hands, 0 disagree"
        assert "None" not in "".join(hands)
        assert main(["audit", "--json", str(path)]) == 0
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        for line in lines:
            assert_keeps("audit", line)
        assert [line["checked"] for line in lines[:-1]] == [False] * len(RESULTS)
        assert [each["seat"] for each in lines[6]["wins"]] == [2, 0]


def test_a_hand_played_by_presses_alone_is_audited_as_entered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.journal"
    presses = (
        {"press": "riichi", "seat": 0},
        {"press": "tsumo", "seat": 0, "tiles": "123456789m11p234s"},
        {"press": "confirm"},
        {"press": "confirm"},
    )
    with Journal(path) as journal:
        table = table_at(journal)
        for press in presses:
            table.handle(read_press(press))
        lines = LiveMjai().new_lines(list(journal.entries()))
    hora = next(line for line in lines if line["type"] == "hora")
    assert (hora["entered_melds"], hora["entered_riichi"]) == ([], [0])
    assert main(["export", str(path)]) == 0
    record = tmp_path / "game.mjson"
    record.write_text(capsys.readouterr().out, encoding="utf-8")
    main(["audit", str(record)])
    assert capsys.readouterr().out.endswith("1 hand, 0 disagree\n")


PRESSED_ENDS: tuple[tuple[dict[str, Any], ...], ...] = (
    ({"press": "tsumo", "seat": 0, "han": 3, "fu": 30},),
    ({"press": "tsumo", "seat": 0, "tiles": "123456789m11p234s"}, {"press": "confirm"}),
    ({"press": "draw"}, {"press": "tenpai", "seat": 0}, {"press": "confirm"}),
    ({"press": "abort", "reason": "nine_terminals", "seat": 1}, {"press": "confirm"}),
    ({"press": "foul", "seat": 1, "clause": "7-05-01", "facts": ["offender_opened_hand"]},),
)


@pytest.fixture(params=PRESSED_ENDS, ids=["value", "tiles", "draw", "abort", "foul"])
def pressed_game(
    request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[Path, Path]:
    """The journal and the export, each in a folder of its own, of a game with one hand played by presses alone."""
    journal, record = tmp_path / "table" / "table.journal", tmp_path / "export" / "game.mjson"
    for path in (journal, record):
        path.parent.mkdir()
    with Journal(journal) as open_journal:
        rules = rules_named("home").ruleset
        table = Table(journal=open_journal, referee=Referee(), ruleset=rules, clock=LogicalClock())
        table.handle(NameSeats(names=("Anna", "Ben", "Cho", "Dana")))
        for press in ({"press": "riichi", "seat": 0}, *request.param, {"press": "confirm"}):
            table.handle(read_press(press))
        table.handle(EndGame())
    assert main(["export", str(journal)]) == 0
    record.write_text(capsys.readouterr().out, encoding="utf-8")
    return journal, record


def test_an_audit_of_a_hand_played_by_presses_alone_says_the_same_of_its_export(
    pressed_game: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without its tiles, only its result is known."""
    checked = []
    for path in pressed_game:
        assert main(["audit", "--json", str(path)]) == 0
        hand = json.loads(capsys.readouterr().out.splitlines()[0])
        checked.append((hand.get("checked", True), hand["result"], hand["deltas"]))
    assert checked[0] == checked[1]


def test_a_season_counts_of_a_hand_played_by_presses_alone_what_its_export_has(
    pressed_game: tuple[Path, Path], capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    """Nobody saw whether a hand was called; who was in riichi is what people pressed, unless a foul ended the hand."""
    seasons = []
    for path in pressed_game:
        assert main(["season", str(path.parent), "--json"]) == 0
        people = json.loads(capsys.readouterr().out)["people"]
        seasons.append([{name: each[name] for name in ("calls", "riichi", "riichi_turn", "wins")} for each in people])
    assert seasons[0] == seasons[1]
    assert [each["calls"]["unknown"] for each in seasons[0]] == [1] * 4
    is_foul = request.node.callspec.id == "foul"
    assert [each["riichi"]["unknown"] for each in seasons[0]] == [int(is_foul)] * 4
    assert sum(each["riichi"]["hits"] for each in seasons[0]) == (not is_foul)


@pytest.mark.parametrize("style", ["mjai", "tenhou6", "csv", "html"])
def test_an_export_is_exported_again(exported_record: Path, style: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(exported_record), "--format", style]) == 0
    assert capsys.readouterr().out


def test_an_export_is_written_again_as_it_is_where_the_format_has_everything(
    exported_record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """tenhou.net/6 has only the points of a mangan, not its han."""
    style = "mjai" if exported_record.suffix == ".mjson" else "tenhou6"
    assert main(["export", str(exported_record), "--format", style]) == 0
    again = capsys.readouterr().out
    assert again == exported_record.read_text(encoding="utf-8").replace("\u6e80\u8cab8000", "8000")
    assert "None" not in again


def test_a_season_counts_its_hands(exported_record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["season", str(exported_record.parent), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_the_lines_of_a_table_in_play_are_followed_and_audited(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    live = LiveMjai()
    lines = []
    with Journal(None) as journal:
        table = table_at(journal)
        for result in RESULTS:
            tell(table, result)
            lines += live.new_lines(journal.entries())
    ids = [each.id for each in follow_mjai(lines)]
    assert ids.count("settlement_confirmed") == len(RESULTS)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["audit", "-"]) == 0
    assert capsys.readouterr().out.splitlines()[-2].endswith(FINAL)
