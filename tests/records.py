"""Holds an audit against the record it was made from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from table.audit import Line, audit_game
from table.errors import RecordError
from table.formats.record import GameRecord, HandRecord, RecordedWin


def disagreements(record: GameRecord, log: str) -> Iterator[str]:
    """Yields every place where the rules and the record differ; a record cut short ends where it ends."""
    lines = audit_game(record, log=log)
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
    wanted = {
        "riichi": [int(seat) for seat in hand.riichi],
        "result": hand.kind.value,
        "abort": hand.reason.value if hand.reason else None,
        "deltas": list(hand.deltas or ()),
        "scores": list(hand.scores or ()),
        "suspicions": [],
        "wins": [_win(win) for win in hand.wins],
    }
    found = {**played, "wins": [_plain(win) for win in played["wins"]]}
    for name, value in wanted.items():
        if found[name] != value:
            yield f"{name} {found[name]} instead of {value}"
    for win in hand.wins:
        if not win.yakuman and win.yaku is not None:
            told = "ippatsu" in dict(win.yaku)
            if told != (int(win.seat) in played["ippatsu"]):
                yield f"ippatsu of seat {int(win.seat)} is {not told} instead of {told}"


def _win(win: RecordedWin) -> Line:
    return {
        "seat": int(win.seat),
        "from": int(win.from_seat),
        "han": win.han,
        "fu": win.fu,
        "yaku": sorted(list(pair) for pair in win.yaku or ()),
        "yakuman": win.yakuman,
        "points": win.points,
    }


def _plain(win: Line) -> Line:
    return {**win, "yaku": sorted(win["yaku"])}
