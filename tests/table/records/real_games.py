"""Holds an audit against the record it was made from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from table.records.audit.game_audit import Line, audit_game
from table.records.formats.game_record import GameRecord, HandRecord
from table.rules.ruleset import Ruleset
from table.runtime.table_errors import RecordError


def audit_lines(record: GameRecord, *, log: str, ruleset: Ruleset | None = None) -> Iterator[Line]:
    """Yields an audit as its lines of the contract."""
    return (each.as_json() for each in audit_game(record, log=log, ruleset=ruleset))


def disagreements(record: GameRecord, log: str) -> Iterator[str]:
    """Yields every place where the rules and the record differ; a record cut short ends where it ends."""
    lines = audit_lines(record, log=log)
    for hand, played in zip(record.hands, lines, strict=False):
        yield from (f"{log} hand {played['hand']}: {what}" for what in _hand_differences(hand, played))
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


def _hand_differences(hand: HandRecord, played: Line) -> Iterator[str]:
    wanted: Line = {
        "riichi": [int(seat) for seat in hand.riichi],
        "result": hand.kind.value,
        "abort": hand.reason.value if hand.reason else None,
        "deltas": None if hand.deltas is None else list(hand.deltas),
        "scores": None if hand.scores is None else list(hand.scores),
        "suspicions": [],
    }
    yield from _win_differences(hand, played)
    found = played
    for name, value in wanted.items():
        if value is None:
            continue
        if found[name] != value:
            yield f"{name} {found[name]} instead of {value}"
    for win in hand.wins:
        if not win.yakuman and win.yaku is not None:
            computed = "ippatsu" in dict(win.yaku)
            if computed != (int(win.seat) in played["ippatsu"]):
                yield f"ippatsu of seat {int(win.seat)} is {not computed} instead of {computed}"


def _win_differences(hand: HandRecord, played: Line) -> Iterator[str]:
    """Yields what a record tells of its wins and the rules see otherwise."""
    if len(hand.wins) != len(played["wins"]):
        yield f"{len(played['wins'])} wins instead of {len(hand.wins)}"
        return
    for win, found in zip(hand.wins, played["wins"], strict=True):
        wanted: Line = {"seat": int(win.seat), "from": int(win.from_seat), "points": win.points}
        if win.yaku is not None:
            wanted |= {"han": win.han, "yakuman": win.yakuman, "yaku": sorted(list(pair) for pair in win.yaku)}
        if win.fu is not None:
            wanted["fu"] = win.fu
        for name, value in wanted.items():
            computed = sorted(found[name]) if name == "yaku" else found[name]
            if value is not None and computed != value:
                yield f"{name} {computed} of the win {found} instead of {value}"
