"""Every end of a hand that a journal can hold is exported in every format, and read back."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from table.cli.main import main
from table.cli.record_commands.export import as_text
from table.dashboard import create_app
from table.game.commands.game_commands import EditResult
from table.game.journal.entries import Body, Entry, Envelope, GameOpened, Names, Source
from table.game.journal.history.game_history import game_history, games_of
from table.game.journal.journal import Journal
from table.game.snapshot import Board, Snapshot
from table.records.format_detection import load_game, read_game
from table.records.formats.game_record import GameRecord
from table.records.mjai.from_journal.journal_mjai import mjai_lines
from table.records.mjai.from_journal.journal_record import record_of
from table.records.mjai.from_journal.live_mjai import LiveMjai
from table.records.record_journal import history_of, journal_of
from table.records.season.game_count import count_journal, count_record
from table.records.tenhou.tenhou6_codes import REASONS
from table.records.tenhou.tenhou6_writer import write_tenhou6
from table.rulebook import rules_named
from table.rules.events import Called, Discarded
from table.rules.notation.event_notation import parse_events
from table.rules.state import FinishedHand
from table.rules.terms.results import AbortReason, DeclaredResult
from table.rules.terms.seats import Seat
from tests.fakes.desks import Shelf
from tests.table.game.by_hand import riichi, table_at, tell, win
from tests.table.records.real_games import audit_lines, disagreements

RIICHI_HAND: Final = (
    "start E1 scores=25000,25000,25000,25000 dora=1z; 0 discards 5m; 1 discards 5p sideways; 1 stick; 2 discards 1m; "
)
ENTERED_RON: Final = "told ron win0=2:0:3:40:0::"
ENDINGS: Final = {
    AbortReason.CHOMBO: "2 foul 7-04-01 option=a; confirm",
    AbortReason.REPLAY: "2 foul 7-07-01-01 option=b facts=exposed=9; confirm",
    AbortReason.BUST: "2 foul 7-05-13 option=d; confirm",
    AbortReason.NAGASHI: "told draw tenpai=1 nagashi=2 riichi=1",
    AbortReason.FOUR_RIICHI: "told abort reason=four_riichi riichi=0123",
}
"""How a hand ends so; the other aborts are told by name."""
every_reason = pytest.mark.parametrize("reason", AbortReason, ids=lambda reason: str(reason.value))


def hand_to(reason: AbortReason) -> str:
    return RIICHI_HAND + ENDINGS.get(reason, f"told abort reason={reason.value} riichi=1")


def write_journal(
    path: Path, *games: str, names: Names = ("",) * 4, first_dealer: Seat = Seat.NEAR, rules: str = "home"
) -> Path:
    """A journal of these games."""
    envelope = Envelope(utc="2026-11-20T20:00:00.000+00:00", source=Source.PRESS)
    with Journal(path) as journal:
        for game in games:
            opening = GameOpened(ruleset=rules_named(rules).ruleset, names=names, first_dealer=first_dealer)
            bodies: list[Body] = [opening, *parse_events(game)]
            for body in bodies:
                journal.append(envelope, body)
    return path


def entries_in_memory(game: str) -> list[Entry]:
    with Journal(None) as journal:
        for body in (GameOpened(ruleset=rules_named("home").ruleset), *parse_events(game)):
            journal.append(Envelope(utc="2026-11-20T20:00:00.000+00:00", source=Source.PRESS), body)
        return list(journal.entries())


def entries_of(path: Path) -> list[Entry]:
    with Journal(path) as journal:
        return list(journal.entries())


def history(path: Path) -> tuple[FinishedHand, ...]:
    return game_history(entries_of(path)).state.history


def run_export(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["export", *arguments]) == 0
    return capsys.readouterr().out


def ends(record: GameRecord) -> list[tuple[object, ...]]:
    return [(hand.kind, hand.reason, hand.deltas, hand.scores) for hand in record.hands]


def settlements(hands: tuple[FinishedHand, ...]) -> list[tuple[object, ...]]:
    return [
        (hand.settlement.kind, hand.settlement.reason, hand.settlement.deltas, hand.scores)
        for hand in hands
        if hand.settlement is not None
    ]


@every_reason
def test_every_abort_is_exported_to_mjai_and_read_back_as_it_was_settled(
    reason: AbortReason, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_journal(
        tmp_path / "table.journal", f"{ENTERED_RON}; {hand_to(reason).replace('start E1', 'start E2 dealer=1')}"
    )
    first, second = history(path)
    assert second.settlement is not None
    assert second.settlement.reason is reason
    assert ends(read_game(run_export(capsys, str(path)).encode(), "again")) == settlements((first, second))


@pytest.mark.parametrize("foul", [ENDINGS[AbortReason.CHOMBO], "2 foul 7-07-01-02 option=c; confirm"])
@pytest.mark.parametrize("later", ["told draw tenpai=0; end-game", "end-game"])
def test_a_game_in_which_a_penalty_ended_a_hand_is_audited_shown_and_counted_from_its_export(
    foul: str, later: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("A", "B", "C", "D")
    path = write_journal(tmp_path / "table.journal", f"{RIICHI_HAND}{foul}; {later}", names=names)
    export = tmp_path / "game.mjson"
    export.write_text(run_export(capsys, str(path)), encoding="utf-8")
    assert main(["audit", str(export)]) == 0
    assert "not checked: only the result is known" in capsys.readouterr().out
    hands = game_history(journal_of(load_game(export))).state.history
    assert settlements(hands) == settlements(history(path))
    assert count_record(load_game(export), names).places == count_journal(entries_of(path)).places
    assert str(history(path)[0].scores[0]) in run_export(capsys, str(export), "--format", "html").replace(",", "")


def test_riichi_that_people_told_outlasts_an_export_to_mjai(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = "told ron win0=2:0:3:40:0:: riichi=12; told draw tenpai=0 riichi=0; told tsumo win0=1:1:3:40:0::; end-game"
    path = write_journal(tmp_path / "table.journal", hands, names=("A", "B", "C", "D"), first_dealer=Seat.RIGHT)
    text = run_export(capsys, str(path))
    exported_tallies = count_record(read_game(text.encode(), "again"), ("B", "C", "D", "A")).tallies
    journal_tallies = count_journal(entries_of(path)).tallies
    for name in "ABCD":
        assert exported_tallies[name].shares["riichi"] == journal_tallies[name].shares["riichi"]
    assert [journal_tallies[name].shares["riichi"].hits for name in "ABCD"] == [1, 1, 1, 0]


@every_reason
def test_every_abort_stands_in_the_table_for_spreadsheets(
    reason: AbortReason, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_journal(tmp_path / "table.journal", hand_to(reason))
    row, *_ = csv.DictReader(io.StringIO(run_export(capsys, str(path), "--format", "csv")))
    (hand,) = history(path)
    assert (row["result"], row["reason"]) == (settlements((hand,))[0][0].value, reason.value)  # type: ignore[attr-defined]
    assert [int(row[f"score_{seat}"]) for seat in range(4)] == list(hand.scores)


@every_reason
def test_every_abort_is_told_to_the_viewer_in_a_word_that_it_knows_with_the_payments(
    reason: AbortReason, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_journal(tmp_path / "table.journal", hand_to(reason))
    text = run_export(capsys, str(path), "--format", "tenhou6")
    word, *payments = json.loads(text)["log"][0][16]
    assert word in REASONS
    assert REASONS[word] is (None if reason.is_penalty else reason)
    is_plain = not reason.is_penalty and reason not in (AbortReason.NAGASHI, AbortReason.FOUR_RIICHI)
    assert (not payments) is is_plain, "three of its four riichi were told and not seen: the sticks are payments"
    (hand,) = history(path)
    (again,) = read_game(text.encode(), "again").hands
    assert again.scores == hand.scores
    assert (again.kind, again.reason) == (settlements((hand,))[0][0], reason)


@every_reason
def test_every_abort_can_be_taken_along_from_its_page(reason: AbortReason, tmp_path: Path) -> None:
    entries = entries_of(write_journal(tmp_path / "table.journal", hand_to(reason)))
    state = game_history(entries).state
    client = create_app(Board(Snapshot(version=1, game=state)), Shelf(journal=entries)).test_client()
    for address in ("/game/1/tenhou6.json", "/game/1/hand/0/tenhou6.json"):
        assert client.get(address).status_code == 200


def test_a_riichi_whose_stick_nobody_laid_is_paid_once_in_the_viewers_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = RIICHI_HAND.replace("1 stick; ", "")
    path = write_journal(tmp_path / "table.journal", f"{events} told draw tenpai=1 riichi=1")
    (again,) = read_game(run_export(capsys, str(path), "--format", "tenhou6").encode(), "again").hands
    assert again.scores == history(path)[0].scores == (24000, 27000, 24000, 24000)


def test_a_riichi_without_a_stick_stays_accepted_and_without_one_in_mjai(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = RIICHI_HAND.replace("1 stick; 2 discards 1m", "2 discards 4m")
    path = write_journal(tmp_path / "table.journal", f"{events} told draw tenpai=1 riichi=1")
    first = run_export(capsys, str(path)) + '{"type": "end_game"}\n'
    (line,) = [line for line in map(json.loads, first.splitlines()) if line["type"] == "reach_accepted"]
    assert line == {"type": "reach_accepted", "actor": 1, "stick": False}
    again = tmp_path / "game.mjson"
    again.write_text(first, encoding="utf-8")
    assert run_export(capsys, str(again)) == first
    assert main(["audit", str(again)]) == 0
    assert "1 hand, 0 disagree" in capsys.readouterr().out


GAP: Final = "start E1 scores=25000,25000,25000,25000 dora=1z; 0 discards 5m; 1 discards 4z; 2 discards 1m; unseen; "
"""Play goes unseen after three discards."""


@pytest.mark.parametrize(
    "hand",
    [
        "0 discards ?; 1 discards ? sideways; 1 stick; 2 discards 3m; 3 chi 3m from 2 with 24m; 3 discards ?",
        "0 discards ?; 1 pon 5z from 0 with 55z; 1 discards ?; 2 discards 9p",
        "0 discards 5z; 1 pon 5z from 0 with ??; 1 discards 1m; 2 discards ?; 3 kan 6z from 2 with 666z; 3 discards ?",
    ],
)
def test_discards_that_nobody_could_read_are_read_back_from_the_viewers_form(hand: str, tmp_path: Path) -> None:
    path = write_journal(
        tmp_path / "a.db", f"start E1 scores=25000,25000,25000,25000 dora=1z; {hand}; told draw tenpai=1"
    )
    record = record_of(entries_of(path))
    again = read_game(as_text(record, "tenhou6").encode(), "again")
    acts = [
        [(type(move), move.seat, move.tile) for move in each.hands[0].moves if isinstance(move, Discarded | Called)]
        for each in (record, again)
    ]
    assert len(acts[0]) == hand.count("discards") + hand.count("from")
    assert acts[1] == acts[0]


@pytest.mark.parametrize(
    ("rules", "claims", "winners"),
    [
        ("home", "2 ron from 0 han=2 fu=30; 1 ron from 0 han=3 fu=30", [1, 2]),
        ("wrc-2025", "2 ron from 0 han=2 fu=30; 1 ron from 0 han=3 fu=30", [1]),
        ("tenhou", "1 ron from 0 han=3 fu=30; 2 ron from 0 han=2 fu=30; 3 ron from 0 han=1 fu=30", []),
        ("home", "2 ron from 0 han=2 fu=30; 2 foul 7-05-01 facts=offender_opened_hand", []),
        ("home", "1 ron from 0 han=3 fu=30; 2 ron from 0 han=2 fu=30; 2 foul 7-05-01 facts=offender_opened_hand", [1]),
        ("home", "1 ron from 0 han=3 fu=30; told draw tenpai=1", []),
        ("home", "1 ron from 0 han=3 fu=30; told tsumo win0=1:1:3:40:0::", [1]),
    ],
)
def test_a_claim_that_won_nothing_is_no_win_of_an_export(
    rules: str, claims: str, winners: list[int], tmp_path: Path
) -> None:
    hand = f"start E1 scores=25000,25000,25000,25000 dora=1z; 0 discards 5m; {claims}; confirm; confirm"
    path = write_journal(tmp_path / "table.journal", hand, rules=rules)
    record, hands = record_of(entries_of(path)), history(path)
    assert ends(record) == settlements(hands)
    assert [int(win.seat) for win in record.hands[0].wins] == winners
    for form in ("mjai", "tenhou6"):
        (again,) = read_game(as_text(record, form).encode(), "again").hands
        assert [int(win.seat) for win in again.wins] == winners
        assert again.scores == hands[0].scores
    lines = LiveMjai().new_lines(entries_of(path))
    assert [line["actor"] for line in lines if line["type"] == "hora"] == winners


@pytest.mark.parametrize("first_dealer", [Seat.NEAR, Seat.FAR])
@pytest.mark.parametrize(
    ("told", "liable"),
    [
        ("told tsumo win0=1:1:-:-:1:big_three_dragons+13:big_three_dragons+3", (Seat.LEFT,)),
        ("told tsumo win0=1:1:-:-:2::big_three_dragons+3,big_four_winds+0", (Seat.LEFT, Seat.NEAR)),
        ("told ron win0=1:2:-:-:2::big_three_dragons+3,big_four_winds+3", (Seat.LEFT,)),
    ],
)
def test_who_is_liable_for_a_yakuman_is_in_every_export_that_has_a_place_for_it(
    first_dealer: Seat, told: str, liable: tuple[Seat, ...], tmp_path: Path
) -> None:
    path = write_journal(tmp_path / "table.journal", told, first_dealer=first_dealer)
    record = record_of(entries_of(path))
    assert [win.liable for win in record.hands[0].wins] == [liable]
    actors = tuple(seat.plus(-first_dealer) for seat in liable)
    for form, written in (("mjai", actors), ("tenhou6", actors[:1])):
        (win,) = read_game(as_text(record, form).encode(), "again").hands[0].wins
        assert win.liable == written
    (win_line,) = [line for line in LiveMjai().new_lines(entries_of(path)) if line["type"] == "hora"]
    assert (win_line["pao"], win_line.get("paos", [win_line["pao"]])) == (actors[0], list(actors))


@pytest.mark.parametrize(
    ("end", "tiles"),
    [
        ("1 ron from 0 han=3 fu=40; 3 ron from 0 han=2 fu=30; confirm; confirm", ["?", "?"]),
        ("1 ron from 2 han=3 fu=40; confirm", ["?"]),
        ("1 ron from 0; 1 shows 234m345678s88s45p with 3p; confirm; confirm", ["3p"]),
        ("1 tsumo han=3 fu=40; confirm", ["?"]),
        ("told ron win0=1:2:3:40:0::", ["?"]),
        ("3 discards 4z; told ron win0=1:3:3:40:0::", ["N"]),
    ],
)
def test_an_unseen_winning_tile_is_no_tile_that_was_seen_before(
    end: str, tiles: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_journal(tmp_path / "table.journal", GAP + end)
    first = run_export(capsys, str(path)) + '{"type": "end_game"}\n'
    assert [line["pai"] for line in map(json.loads, first.splitlines()) if line["type"] == "hora"] == tiles
    for style in ("tenhou6", "csv"):
        assert run_export(capsys, str(path), "--format", style)
    again = tmp_path / "game.mjson"
    again.write_text(first, encoding="utf-8")
    assert run_export(capsys, str(again)) == first
    main(["audit", str(again)])
    assert "1 hand, 0 disagree" in capsys.readouterr().out


@pytest.mark.parametrize(
    "claims",
    [
        "1 ron from 0; 3 ron from 0 han=2 fu=30",
        "3 ron from 0 han=6; 1 ron from 0",
        "3 ron from 0 han=13; 1 ron from 0; 2 ron from 0 han=1 fu=40",
    ],
)
def test_a_win_whose_value_people_entered_beside_a_shown_hand_agrees_in_the_audit_of_an_export(
    claims: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = "1 shows 234m345678s88s34m with 5m; confirm; confirm; end-game"
    path = write_journal(tmp_path / "table.journal", f"{DEALT}; {claims}; {shown}")
    again = tmp_path / "game.mjson"
    again.write_text(run_export(capsys, str(path)), encoding="utf-8")
    assert main(["audit", str(again)]) == 0
    assert "1 hand, 0 disagree" in capsys.readouterr().out
    again.write_text(again.read_text(encoding="utf-8").replace('["pinfu", 1]', '["pinfu", 2]'), encoding="utf-8")
    assert main(["audit", str(again)]) == 1, "the shown hand is valued again"


def test_a_triple_ron_of_one_shown_hand_and_two_counted_ones_is_audited_without_a_suspicion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = "1 ron from 0; 2 ron from 0 han=1 fu=30; 3 ron from 0 han=2 fu=30; 1 shows 234m345678s88s34m with 5m"
    path = write_journal(tmp_path / "table.journal", f"{DEALT}; {claims}; confirm; confirm; end-game", rules="tenhou")
    again = tmp_path / "game.mjson"
    again.write_text(run_export(capsys, str(path)), encoding="utf-8")
    assert main(["audit", "--json", str(again)]) == 0
    line = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (line["abort"], line["suspicions"]) == ("triple_ron", [])


START: Final = "start E1 scores=25000,25000,25000,25000 dora=1z"
FINE: Final = "1 foul 7-05-11 option=c"
WON: Final = "3 ron from 2; 3 shows 234m345678s88s34m with 5m; confirm; confirm"


@pytest.mark.parametrize(
    "end",
    [
        f"{FINE}; {WON}",
        f"1 foul 7-05-02 option=b; {WON}",
        f"1 foul 7-05-02 option=c; {WON}",
        f"{FINE}; 0 ron from 2 han=2 fu=30; {WON}",
        f"{FINE}; draw; 0 tenpai; 1 noten; 2 noten; 3 noten; confirm; confirm",
        f"{WON}; {FINE} hand=0",
        f"{WON}; {FINE} hand=0; start E2 dealer=1 pot=1000 scores=25000,24000,23000,27000 dora=1z; 1 discards 9p; "
        f"2 discards 5m; {WON}",
        f"1 foul 7-05-02 option=b; {WON}; cancel-foul 0 reason=x hand=0; {FINE} hand=0",
        f"{FINE}; 1 foul 7-04-01 option=a; {WON}; cancel-foul 1 reason=x hand=0",
        f"{FINE}; {WON}; {FINE} hand=0",
        f"{WON}; {FINE} hand=0; adjust points=5000,-5000,0,0 reason=paid",
        f"{WON}; start S4 dealer=3 scores=25000,25000,23000,27000 dora=1z; adjust points=9000,-9000,0,0 reason=paid; "
        f"3 discards 9p; 0 discards 9p; 1 discards 9p; 2 discards 5m; {WON}; {FINE} hand=1",
    ],
)
def test_points_that_fouls_moved_in_a_hand_agree_in_the_audit_of_an_export(end: str) -> None:
    entries = entries_in_memory(f"{START}; 0 discards 9p; 1 discards 5p; 2 discards 5m; {end}; end-game")
    record, live = record_of(entries), LiveMjai().new_lines(entries)
    for text in (as_text(record, "mjai"), as_text(record, "tenhou6"), "\n".join(map(json.dumps, live))):
        again = read_game(text.encode(), "again")
        assert list(disagreements(again, "again")) == []
        told, state = history_of(again, journal_of(again)).state, game_history(entries).state
        assert (told.scores, told.ranking) == (state.scores, state.ranking)


@pytest.mark.parametrize(("points", "doubted"), [(1500, []), (900, ["7-05-13"])])
@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
def test_an_audit_of_an_export_doubts_no_riichi_that_the_seat_could_pay_before_its_fine(
    points: int, doubted: list[str], style: str
) -> None:
    acts = f"0 discards 9p; 1 discards 5p sideways; 1 stick; 2 discards 5m; {FINE}"
    end = "draw; 0 noten; 1 shows 234m345678s88s34m; 2 noten; 3 noten; confirm; confirm; end-game"
    start = f"start E1 scores=25000,{points},{50000 - points},25000 dora=1z"
    record = record_of(entries_in_memory(f"{start}; {acts}; {end}"))
    line, _ = audit_lines(read_game(as_text(record, style).encode(), "again"), log="again")
    assert [suspicion["clause"] for suspicion in line["suspicions"]] == doubted


CORRECTED: Final = (
    f"{ENTERED_RON}; adjust points=-1000,0,0,0 sticks=1 reason=lost; {ENTERED_RON}; "
    "start E3 dealer=2 scores=13600,25000,36400,25000 dora=1z; adjust points=0,-100,100,0 reason=paid; "
    f"{ENTERED_RON}; adjust points=0,0,700,-700 reason=paid"
)
"""A game with corrections between two hands, during one, and after the last."""


@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
@pytest.mark.parametrize("end", ["", "; end-game reason=late"])
def test_points_corrected_by_hand_agree_in_the_audit_of_an_export(
    style: str, end: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_journal(tmp_path / "table.journal", CORRECTED + end)
    first = run_export(capsys, str(path), "--format", style)
    again = tmp_path / "game.json"
    again.write_text(first, encoding="utf-8")
    main(["audit", str(again)])
    assert "3 hands, 0 disagree" in capsys.readouterr().out
    read, journal_record = read_game(first.encode(), "again"), record_of(entries_of(path))
    assert [hand.deal.corrected for hand in read.hands] == [hand.deal.corrected for hand in journal_record.hands]
    assert read.corrected == journal_record.corrected


def test_points_corrected_by_hand_add_up_in_a_table_for_spreadsheets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_journal(tmp_path / "table.journal", f"{CORRECTED}; end-game reason=late")
    rows = list(csv.DictReader(io.StringIO(run_export(capsys, str(path), "--format", "csv"))))
    assert [row["result"] for row in rows] == ["ron", "ron", "ron", "corrected"]
    scores = [25000] * 4
    for row in rows:
        for seat in range(4):
            scores[seat] += int(row[f"delta_{seat}"] or 0) + int(row[f"corrected_{seat}"] or 0)
        assert [int(row[f"score_{seat}"]) for seat in range(4)] == scores
    assert tuple(scores) == game_history(entries_of(path)).state.scores


DEALT: Final = "start E1 scores=25000,25000,25000,25000 dora=1z; 0 discards 5m"


def far_scores(text: str) -> list[int]:
    return [int(row["score_2"]) for row in csv.DictReader(io.StringIO(text))]


@pytest.mark.parametrize("newest", ["", DEALT], ids=["just opened", "first hand in play"])
def test_the_last_game_with_a_settled_hand_is_exported(
    newest: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_journal(tmp_path / "table.journal", "told draw tenpai=1", ENTERED_RON, newest)
    assert far_scores(run_export(capsys, str(path), "--format", "csv")) == [30200]


def test_an_earlier_game_is_named_by_the_number_of_its_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_journal(tmp_path / "table.journal", "told draw tenpai=1", ENTERED_RON, DEALT)
    first, second, _ = (game[0].number for game in games_of(entries_of(path)))
    assert (first, second) == (1, 3)
    assert far_scores(run_export(capsys, str(path), "--game", "1", "--format", "csv")) == [24000]
    assert far_scores(run_export(capsys, str(path), "--game", "3", "--format", "csv")) == [30200]


def test_an_error_names_the_game_that_was_meant_and_those_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_journal(tmp_path / "table.journal", ENTERED_RON, DEALT)
    for number, message in (("3", "expected a settled hand in game 3, got none"), ("2", "expected game 1 or 3, got 2")):
        assert main(["export", str(path), "--game", number]) == 1
        assert message in capsys.readouterr().err
    empty = write_journal(tmp_path / "empty.journal", "", DEALT)
    assert main(["export", str(empty)]) == 1
    assert "expected a settled hand in game 1 or 2, got none" in capsys.readouterr().err


def test_a_game_is_chosen_in_a_journal_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_journal(tmp_path / "table.journal", ENTERED_RON)
    record = tmp_path / "game.mjson"
    record.write_text(run_export(capsys, str(path)), encoding="utf-8")
    assert main(["export", str(record), "--game", "1"]) == 1
    assert "--game" in capsys.readouterr().err


NAMES: Final = ("Aoi", "Ben", "Chie", "Dan")


@pytest.mark.parametrize(("style", "key"), [("mjai", "names"), ("tenhou6", "name")])
def test_players_are_exported_by_name_and_read_back_so(
    style: str, key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_journal(tmp_path / "table.journal", ENTERED_RON, names=NAMES, first_dealer=Seat.FAR)
    text = run_export(capsys, str(path), "--format", style)
    assert json.loads(text.splitlines()[0])[key] == ["Chie", "Dan", "Aoi", "Ben"]
    record = tmp_path / "game.record"
    record.write_text(text, encoding="utf-8")
    for again, name in (("mjai", "names"), ("tenhou6", "name")):
        # A game that is still played has no end: as a record it is one cut short.
        assert main(["export", str(record), "--format", again]) == 1
        line = capsys.readouterr().out.splitlines()[0]
        assert json.loads(line)[name] == ["Chie", "Dan", "Aoi", "Ben"]


def test_a_hand_that_was_dealt_over_unsettled_keeps_no_other_from_being_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    over = "start E2 dealer=1 scores=26000,24000,25000,25000 dora=2z; 1 discards 3m; told draw tenpai=1"
    path = write_journal(tmp_path / "table.journal", f"{DEALT}; {over}; {ENTERED_RON}")
    first, *settled_ones = history(path)
    assert first.settlement is None
    for style in ("mjai", "tenhou6"):
        record = read_game(run_export(capsys, str(path), "--format", style).encode(), "again")
        assert [(repr(hand.deal.round), hand.scores) for hand in record.hands] == [
            (repr(hand.round), hand.scores) for hand in settled_ones
        ]
    rows = list(csv.DictReader(io.StringIO(run_export(capsys, str(path), "--format", "csv"))))
    assert [(row["result"], row["points"]) for row in rows] == [("draw", ""), ("ron", "5200")]


@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
def test_a_game_that_people_ended_after_a_hand_was_dealt_over_unsettled_is_whole(style: str, tmp_path: Path) -> None:
    deal = "start E2 dealer=1 scores=19800,25000,30200,25000 dora=2z; 1 discards 3m"
    entries = entries_of(
        write_journal(tmp_path / "table.journal", f"{ENTERED_RON}; {deal}; {deal}; end-game", names=NAMES)
    )
    again = read_game(as_text(record_of(entries), style).encode(), "again")
    assert again.cut_short is None
    assert count_record(again, NAMES).places == count_journal(entries).places
    streamed = read_game("\n".join(map(json.dumps, LiveMjai().new_lines(entries))).encode(), "streamed")
    assert (streamed.cut_short, len(streamed.hands)) == (None, 1)


@pytest.mark.parametrize("game", [DEALT, f"{DEALT}; {DEALT}", f"{DEALT}; {DEALT}; end-game"])
def test_the_lines_of_a_game_without_any_settled_hand_are_read_as_a_game_without_one(game: str) -> None:
    entries = entries_in_memory(game)
    for lines in (mjai_lines(entries), LiveMjai().new_lines(entries)):
        assert read_game("\n".join(map(json.dumps, lines)).encode(), "again").hands == ()


def test_the_pages_of_the_hands_around_an_unsettled_one_tell_each_its_own(tmp_path: Path) -> None:
    over = "start E2 dealer=1 scores=26000,24000,25000,25000 dora=2z; told draw tenpai=1"
    entries = entries_of(write_journal(tmp_path / "table.journal", f"{ENTERED_RON}; {DEALT}; {over}"))
    state = game_history(entries).state
    assert [hand.settlement is None for hand in state.history] == [False, True, False]
    client = create_app(Board(Snapshot(version=1, game=state)), Shelf(journal=entries)).test_client()
    answers = [client.get(f"/game/1/hand/{number}/tenhou6.json") for number in range(3)]
    assert [answer.status_code for answer in answers] == [200, 409, 200]
    assert [json.loads(answers[number].data)["log"][0][16][0] for number in (0, 2)] == ["\u548c\u4e86", "\u6d41\u5c40"]


@pytest.mark.parametrize(
    ("first_result", "corrected_result", "dealer", "worth"),
    [(win(1, 0, 3), win(0, 1, 3), 0, "30符3飜1000-2000点"), (win(0, 1, 3), win(1, 0, 3), 1, "30符3飜2000点∀")],
    ids=["it is the dealer's no more", "it is the dealer's now"],
)
def test_a_hand_that_an_edit_of_an_earlier_one_gave_another_dealer_is_exported_as_the_table_shows_it(
    first_result: DeclaredResult, corrected_result: DeclaredResult, dealer: int, worth: str
) -> None:
    with Journal(None) as journal:
        table = table_at(journal)
        tell(table, first_result)
        table.handle(riichi(2))  # the next hand is dealt
        tell(table, win(1, 1, 3))
        table.handle(EditResult(hand=0, result=corrected_result, by="seat 0"))
        record = record_of(journal.entries())
        assert [hand.deal.dealer for hand in record.hands] == [0, dealer]
        assert [hand.deal.scores for hand in record.hands[1:]] == [table.state.history[0].scores]
        assert write_tenhou6(record)["log"][1][-1][2][3] == worth


def test_a_tsumo_that_nobody_can_pay_so_is_told_as_its_sum(tmp_path: Path) -> None:
    record = record_of(
        entries_of(write_journal(tmp_path / "table.journal", f"{RIICHI_HAND}told tsumo win0=2:2:3:30:0::"))
    )
    (hand,) = record.hands
    odd = replace(hand, wins=(replace(hand.wins[0], points=7700),))
    assert write_tenhou6(replace(record, hands=(odd,)))["log"][0][-1][2][3] == "30符3飜7700点"
