"""Holds an audit against the record it was made from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from table.records.audit.game_audit import AuditJson, audit_game
from table.records.formats.game_record import GameRecord, HandRecord
from table.rules.ruleset import Ruleset
from table.runtime.table_errors import RecordError


def audit_lines(record: GameRecord, *, log: str, ruleset: Ruleset | None = None) -> Iterator[AuditJson]:
    """Yields an audit as its lines of the contract."""
    return (audited.as_json() for audited in audit_game(record, log=log, ruleset=ruleset))


def disagreements(record: GameRecord, log: str) -> Iterator[str]:
    """Yields every place where the rules and the record differ; a record cut short ends where it ends."""
    lines = audit_lines(record, log=log)
    for hand, line in zip(record.hands, lines, strict=False):
        yield from (f"{log} hand {line['hand']}: {difference}" for difference in _hand_differences(hand, line))
    try:
        last = next(lines, None)
    except RecordError as error:
        if record.cut_short is None:
            yield f"{log}: {error}"
        return
    if last is None or (record.final is not None and last["final"] != list(record.final)):
        yield f"{log}: final {last} instead of {record.final}"


def files(folder: Path, *, every: int = 1) -> list[Path]:
    """Every n-th mjlog file of a folder."""
    return sorted(folder.glob("*.mjlog"))[::every]


def _hand_differences(hand: HandRecord, line: AuditJson) -> Iterator[str]:
    expected: AuditJson = {
        "riichi": [int(seat) for seat in hand.riichi],
        "result": hand.kind.value,
        "abort": hand.reason.value if hand.reason else None,
        "deltas": None if hand.deltas is None else list(hand.deltas),
        "scores": None if hand.scores is None else list(hand.scores),
        "suspicions": [],
    }
    yield from _win_differences(hand, line)
    found = line
    for name, value in expected.items():
        if value is None:
            continue
        if found[name] != value:
            yield f"{name} {found[name]} instead of {value}"
    for win in hand.wins:
        if not win.yakuman and win.yaku is not None:
            computed = "ippatsu" in dict(win.yaku)
            if computed != (int(win.seat) in line["ippatsu"]):
                yield f"ippatsu of seat {int(win.seat)} is {not computed} instead of {computed}"


def _win_differences(hand: HandRecord, line: AuditJson) -> Iterator[str]:
    """Yields what a record tells of its wins and the rules see otherwise."""
    if len(hand.wins) != len(line["wins"]):
        yield f"{len(line['wins'])} wins instead of {len(hand.wins)}"
        return
    for win, found in zip(hand.wins, line["wins"], strict=True):
        expected: AuditJson = {"seat": int(win.seat), "from": int(win.from_seat), "points": win.points}
        if win.yaku is not None:
            expected |= {"han": win.han, "yakuman": win.yakuman, "yaku": sorted(list(pair) for pair in win.yaku)}
        if win.fu is not None:
            expected["fu"] = win.fu
        for name, value in expected.items():
            computed = sorted(found[name]) if name == "yaku" else found[name]
            if value is not None and computed != value:
                yield f"{name} {computed} of the win {found} instead of {value}"
