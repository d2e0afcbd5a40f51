"""Writes a game record as a table: one row a hand, for spreadsheets."""

from __future__ import annotations

import csv
import io
import re
from typing import Final

from table.records.formats.game_record import GameRecord, HandRecord, RecordedWin

COLUMNS: Final = (
    *("hand", "round", "honba", "deposits", "dealer", "result", "reason"),
    *("winner", "from", "han", "fu", "yakuman", "points"),
    *(f"delta_{seat}" for seat in range(4)),
    *(f"score_{seat}" for seat in range(4)),
)
"""The first row. Several winners of a hand stand in one cell, separated by spaces; what is unknown is empty."""


CHIPS: Final = tuple(f"chips_{seat}" for seat in range(4))
"""The columns behind them in a game that is played with chips."""


_FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def spreadsheet_text(text: str) -> str:
    """Returns what somebody wrote so that no spreadsheet takes it for a formula; numbers stay as they are."""
    is_number = re.fullmatch(r"[-+]?\d+(\.\d+)?", text, re.ASCII) is not None
    return f"'{text}" if text.startswith(_FORMULA_SIGNS) and not is_number else text


def write_csv(record: GameRecord) -> str:
    """Returns the table with its first row."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    has_chips = any(hand.chips is not None for hand in record.hands)
    writer.writerow([*COLUMNS, *(CHIPS if has_chips else ())])
    for index, hand in enumerate(record.hands):
        writer.writerow([*_row(index, hand), *((hand.chips or [""] * 4) if has_chips else ())])
    return out.getvalue()


def _row(index: int, hand: HandRecord) -> list[object]:
    deal = hand.deal
    place = [index, repr(deal.round), deal.honba, deal.deposits, int(deal.dealer)]
    reason = "" if hand.reason is None else hand.reason.value
    wins = (_each(hand, name) for name in ("seat", "from_seat", "han", "fu", "yakuman", "points"))
    return [*place, hand.kind.value, reason, *wins, *(hand.deltas or [""] * 4), *(hand.scores or [""] * 4)]


def _each(hand: HandRecord, name: str) -> str:
    return " ".join(_cell(win, name) for win in hand.wins)


def _cell(win: RecordedWin, name: str) -> str:
    value = getattr(win, name)
    return "-" if value is None else str(int(value))
