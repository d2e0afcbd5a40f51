"""Writes a game record as CSV for spreadsheets: one row per win, or per hand without a win."""

from __future__ import annotations

import csv
import io
import re
from typing import Final

from table.records.formats.game_record import GameRecord, HandRecord, Names, RecordedWin

COLUMNS: Final = (
    *("hand", "round", "honba", "deposits", "dealer", "result", "reason"),
    *("winner", "from", "han", "fu", "yakuman", "points"),
    *(f"delta_{seat}" for seat in range(4)),
    *(f"score_{seat}" for seat in range(4)),
    *(f"name_{seat}" for seat in range(4)),
)
"""The header. Unknown values are empty. With several winners, each has a row, and the first has the payments."""


CHIPS: Final = tuple(f"chips_{seat}" for seat in range(4))
"""Additional columns for games with chips."""
_OF_A_WIN: Final = ("seat", "from_seat", "han", "fu", "yakuman", "points")
"""The fields of a win, in column order."""


_FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def spreadsheet_text(text: str) -> str:
    """Returns text that no spreadsheet mistakes for a formula; numbers stay unchanged."""
    is_number = re.fullmatch(r"[-+]?\d+(\.\d+)?", text, re.ASCII) is not None
    return f"'{text}" if text.startswith(_FORMULA_SIGNS) and not is_number else text


def write_csv(record: GameRecord) -> str:
    """Returns the table with its first row."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    has_chips = any(hand.chips is not None for hand in record.hands)
    writer.writerow([*COLUMNS, *(CHIPS if has_chips else ())])
    for index, hand in enumerate(record.hands):
        for place, win in enumerate(hand.wins or (None,)):
            writer.writerow(_row(index, hand, win, record.names, is_first=place == 0, has_chips=has_chips))
    return out.getvalue()


def _row(
    index: int, hand: HandRecord, win: RecordedWin | None, names: Names, *, is_first: bool, has_chips: bool
) -> list[object]:
    deal, unknown = hand.deal, [""] * 4
    place = [index, repr(deal.round), deal.honba, deal.deposits, int(deal.dealer)]
    reason = "" if hand.reason is None else hand.reason.value
    worth = ["" if win is None else _cell(win, name) for name in _OF_A_WIN]
    paid = (hand.deltas if is_first else None) or unknown
    chips = (hand.chips if is_first else None) or unknown
    told = [*place, hand.kind.value, reason, *worth, *paid, *(hand.scores or unknown), *map(spreadsheet_text, names)]
    return [*told, *(chips if has_chips else ())]


def _cell(win: RecordedWin, name: str) -> str:
    value = getattr(win, name)
    return "" if value is None else str(int(value))
