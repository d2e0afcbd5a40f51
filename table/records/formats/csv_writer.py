"""Writes a game record as CSV for spreadsheets: one row per win, or per hand without a win."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import Final

from table.records.formats.game_record import GameRecord, HandRecord, PointCorrection, RecordedWin
from table.rules.terms.results import Deltas, add, subtract

_WIN_COLUMNS: Final = ("winner", "from", "han", "fu", "yakuman", "points")
COLUMNS: Final = (
    *("hand", "round", "honba", "deposits", "dealer", "result", "reason"),
    *_WIN_COLUMNS,
    *(f"delta_{seat}" for seat in range(4)),
    *(f"score_{seat}" for seat in range(4)),
    *(f"name_{seat}" for seat in range(4)),
)
"""The header. Unknown values are empty. With several winners, each has a row, and the first has the payments. What the
end of the game moved, such as sticks left on the table, has a row of its own, with the result `end`. The names are
those of the people who sat there in the row's hand."""


CHIPS: Final = tuple(f"chips_{seat}" for seat in range(4))
"""Additional columns for games with chips."""
CORRECTED: Final = tuple(f"corrected_{seat}" for seat in range(4))
"""Additional columns for games whose points people corrected by hand: what the row's score includes since the score of
the hand before. A correction after the last hand has a row of its own, with the result `corrected`."""
_OF_A_WIN: Final = ("seat", "from_seat", "han", "fu", "yakuman", "points")
"""The fields of a win, in column order."""


_FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def spreadsheet_text(text: str) -> str:
    """Returns text that no spreadsheet mistakes for a formula; numbers stay unchanged."""
    is_number = re.fullmatch(r"[-+]?\d+(\.\d+)?", text, re.ASCII) is not None
    return f"'{text}" if text.startswith(_FORMULA_SIGNS) and not is_number else text


def write_csv(record: GameRecord) -> str:
    """Returns the rows of a game, after a row of column names."""
    out = io.StringIO()
    corrections = [*(hand.deal.corrected for hand in record.hands), record.corrected]
    columns = [
        *COLUMNS,
        *(CHIPS if any(hand.chips is not None for hand in record.hands) else ()),
        *(CORRECTED if any(correction is not None for correction in corrections) else ()),
    ]
    rows = csv.DictWriter(out, columns, restval="", extrasaction="ignore", lineterminator="\n")
    rows.writeheader()
    for index, hand in enumerate(record.hands):
        for place, win in enumerate(hand.wins or (None,)):
            rows.writerow({**_row(index, hand, win, is_first=place == 0), **_names(record.names_in(index))})
    if record.corrected is not None:
        rows.writerow({**_last_row(record, record.corrected), **_names(record.names)})
    if (last := _end_row(record)) is not None:
        rows.writerow({**last, **_names(record.names)})
    return out.getvalue()


def _row(index: int, hand: HandRecord, win: RecordedWin | None, *, is_first: bool) -> dict[str, object]:
    deal = hand.deal
    row: dict[str, object] = {
        "hand": index,
        "round": repr(deal.round),
        "honba": deal.honba,
        "deposits": deal.deposits,
        "dealer": int(deal.dealer),
        "result": hand.kind.value,
        "reason": "" if hand.reason is None else hand.reason.value,
        **_by_seat("score", hand.scores),
    }
    if win is not None:
        row |= {name: _cell(win, field) for name, field in zip(_WIN_COLUMNS, _OF_A_WIN, strict=True)}
    if is_first:
        row |= _by_seat("delta", hand.deltas) | _by_seat("chips", hand.chips)
        row |= _by_seat("corrected", None if deal.corrected is None else deal.corrected.points)
    return row


def _last_row(record: GameRecord, corrected: PointCorrection) -> dict[str, object]:
    """Returns the row of what people corrected after the last hand."""
    place = {"hand": len(record.hands), "result": "corrected"}
    return {**place, **_by_seat("score", _last_scores(record)), **_by_seat("corrected", corrected.points)}


def _end_row(record: GameRecord) -> dict[str, object] | None:
    """Returns the row of the sticks left at the end, and of penalties taken then; None if nothing moved."""
    before = _last_scores(record)
    if before is None or record.final is None or record.final == before:
        return None
    place = {"hand": len(record.hands), "result": "end"}
    return {**place, **_by_seat("delta", subtract(record.final, before)), **_by_seat("score", record.final)}


def _last_scores(record: GameRecord) -> Deltas | None:
    """Returns the points after the last hand, and after what people corrected then; None if unknown."""
    scores = record.hands[-1].scores if record.hands else None
    return scores if scores is None or record.corrected is None else add(scores, record.corrected.points)


def _by_seat(name: str, values: Sequence[int] | None) -> dict[str, object]:
    return {} if values is None else {f"{name}_{seat}": value for seat, value in enumerate(values)}


def _names(names: Sequence[str]) -> dict[str, object]:
    return {f"name_{seat}": spreadsheet_text(name) for seat, name in enumerate(names)}


def _cell(win: RecordedWin, name: str) -> str:
    value = getattr(win, name)
    return "" if value is None else str(int(value))
