"""Exports a game's score sheet as CSV, as JSON, and as a picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, Final
from xml.sax.saxutils import escape

from table.dashboard.scores.changeovers import changeovers, sitters
from table.dashboard.scores.score_text import chips_view, graph_view, score_text
from table.dashboard.web.ruleset_choice import ruleset_title
from table.game.journal.history.game_history import GameHistory
from table.i18n import Catalogue, isolated, lasting_name, short_round, signed
from table.records.formats.csv_writer import spreadsheet_text
from table.records.score_sheet import END_KINDS, adjusted_scores, is_sticks_alone, points_at_end
from table.rules.state import Adjustment
from table.rules.terms.results import Deltas, Settlement, Win
from table.rules.terms.seats import SEATS, Seat
from table.runtime.clock import local_day
from table.runtime.text_columns import columns_of

COLOURS: Final = ("#1d6148", "#2f6fc4", "#c2571c", "#8a4fb5")
"""A line's colour by seat."""
INK: Final = "#22261f"
FAINT: Final = "#6a6759"
WIDTH: Final = 720
ROW: Final = 30
SCORES_END: Final = 580
"""The right end of the ranking's scores, which follow the names."""
COLUMN: Final = 146
"""The width of a column of the table."""
GAP: Final = 14
"""The least room between two texts."""
NARROW: Final = frozenset("fijlrtIJ .,:;'’|!·-()−+")
WIDE: Final = frozenset("mwMW@%")


WITH_UMA: Final = "with uma and oka"
"""The label of the final row, whose first four numbers are the points with uma and oka."""
Adjustments = Sequence[tuple[Adjustment, Deltas]]
Cells = Sequence[str] | Deltas | None
"""The four cells in a row of the picture: names or points; None if they are unknown."""


def as_csv(game: GameHistory, texts: Catalogue, *, separator: str = ",") -> str:
    """Returns one row per hand, with points by seat; the row `final` has the results with uma and oka.

    Players without a name are called by their seat, as on the pages. A column's heading names all who sat there in
    turn; a row marks where a substitute begins. Spreadsheets in languages with a decimal comma expect a semicolon as
    `separator`.
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    names = [spreadsheet_text(" → ".join(_sitters(game, seat, texts))) for seat in SEATS]
    total = game.state.chips
    columns = [] if total is None else [f"{name} chips" for name in names]
    columns += ["reason"] if game.state.adjustments else []
    writer.writerow(["round", "honba", "result", *(f"{name} +/-" for name in names), *names, *columns])
    adjustments = adjusted_scores(game.state)
    for number, hand in enumerate(game.state.history):
        writer.writerows(_substitute_rows(game, number, texts))
        writer.writerows(_adjusted_rows(adjustments, number, chips=total is not None))
        kind = "" if hand.settlement is None else _result(hand.settlement)
        deltas = [""] * 4 if hand.settlement is None else list(hand.settlement.deltas)
        chips = [] if total is None else (hand.settlement and hand.settlement.chips) or [""] * 4
        writer.writerow([repr(hand.round), hand.honba, kind, *deltas, *hand.scores, *chips])
    writer.writerows(_substitute_rows(game, len(game.state.history), texts))
    writer.writerows(_adjusted_rows(adjustments, len(game.state.history), chips=total is not None))
    if (end_points := points_at_end(game.state)) is not None:
        kind, blank = END_KINDS[is_sticks_alone(game.state)], [] if total is None else [""] * 4
        writer.writerow(["", "", kind, *end_points, *game.state.scores, *blank])
    writer.writerow(["final", "", WITH_UMA, *game.standings.points, *game.state.scores, *(total or ())])
    if not game.counts:
        writer.writerow(["", "", "not for the season"])
    return out.getvalue()


def _result(settlement: Settlement) -> str:
    """Returns how a hand ended; a penalty by its own name, since it is no abortive draw."""
    return settlement.kind.value if settlement.penalty is None else settlement.penalty.value


def _sitters(game: GameHistory, seat: Seat, texts: Catalogue) -> list[str]:
    """Returns the names of all who sat at a seat, in turn."""
    return [lasting_name(name, seat, texts) for name in sitters(seat, game.hand_names, game.names)]


def _substitutes(game: GameHistory, number: int, texts: Catalogue) -> list[str]:
    """Returns the names of those who sat down before a hand, by seat; empty if nobody did."""
    changes = changeovers(game.hand_names, game.names)
    names = {seat: lasting_name(name, seat, texts) for hand, seat, _, name in changes if hand == number}
    return [names.get(seat, "") for seat in SEATS] if names else []


def _substitute_rows(game: GameHistory, number: int, texts: Catalogue) -> list[list[object]]:
    """Returns a row with those who sat down before a hand, each in the column of their points; none if nobody did."""
    names = _substitutes(game, number, texts)
    return [["", "", "substitute", *([""] * 4), *map(spreadsheet_text, names)]] if names else []


def _adjusted_rows(adjustments: Adjustments, number: int, *, chips: bool) -> list[list[object]]:
    """Returns a row for each correction in or before a hand, with the reason at the end."""
    return [
        [
            "",
            "",
            "adjusted",
            *adjustment.event.points,
            *scores,
            *([""] * 4 if chips else ()),
            spreadsheet_text(adjustment.event.reason),
        ]
        for adjustment, scores in adjustments
        if adjustment.hand == number
    ]


def as_json(game: GameHistory) -> dict[str, Any]:
    """Returns the sheet as one JSON object."""
    return {
        "rules": game.ruleset.name,
        "opened": game.utc,
        "names": list(game.names),
        "hands": [_hand(game, number) for number in range(len(game.state.history))],
        **_adjustments(game),
        **({} if (end_points := points_at_end(game.state)) is None else {"at_end": list(end_points)}),
        "scores": list(game.state.scores),
        "points": list(game.standings.points),
        "ranking": [int(seat) for seat in game.standings.ranking],
        "is_over": game.state.is_over,
        **({} if game.counts else {"counts": False}),
        **chips_view(game.state.chips),
        **({} if game.state.bust_bonus is None else {"bust_bonus": list(game.state.bust_bonus)}),
    }


def _adjustments(game: GameHistory) -> dict[str, Any]:
    """Returns the corrections made by hand, if any: in or before which hand, counted from 0."""
    found = [
        {
            "hand": adjustment.hand,
            "points": list(adjustment.event.points),
            "sticks": adjustment.event.sticks,
            "honba": adjustment.event.honba,
            "reason": adjustment.event.reason,
            "by": adjustment.event.by,
            "scores": list(scores),
        }
        for adjustment, scores in adjusted_scores(game.state)
    ]
    return {"adjustments": found} if found else {}


def _hand(game: GameHistory, number: int) -> dict[str, Any]:
    hand = game.state.history[number]
    settlement = hand.settlement
    return {
        "round": repr(hand.round),
        "honba": hand.honba,
        "names": list(game.names_in(number)),
        "dealer": int(hand.dealer),
        "result": None if settlement is None else settlement.kind.value,
        "reason": None if settlement is None or settlement.reason is None else settlement.reason.value,
        "wins": [] if settlement is None else [_win(win) for win in settlement.wins],
        "tenpai": [] if settlement is None else [int(seat) for seat in settlement.tenpai],
        "riichi": [int(seat) for seat in hand.riichi],
        "deltas": None if settlement is None else list(settlement.deltas),
        "scores": list(hand.scores),
        "seconds": game.seconds[number],
        **chips_view(None if settlement is None else settlement.chips),
    }


def _win(win: Win) -> dict[str, Any]:
    return {
        "seat": int(win.seat),
        "from": int(win.from_seat),
        "han": win.han,
        "fu": win.fu,
        "yakuman": win.yakuman,
        "yaku": [list(yaku) for yaku in win.yaku],
        "points": win.points,
    }


def as_svg(game: GameHistory, texts: Catalogue) -> str:
    """Draws the ranking, the points over the hands, and every hand."""
    parts = [_text(32, 52, texts.text("page.title"), size=26, weight=700)]
    subtitle = f"{local_day(game.utc)} · {ruleset_title(game.ruleset.name, texts)}"
    parts.append(_text(WIDTH - 32, 52, subtitle, size=15, anchor="end", fill=FAINT))
    parts += [line for row, seat in enumerate(game.standings.ranking) for line in _place(game, row, seat, texts)]
    parts.append(f'<g transform="translate(32 250)">{_graph(game)}</g>')
    parts += [_column_name(_sitters(game, seat, texts)[0], seat, 462) for seat in SEATS]
    rows = list(_rows(game, texts))
    parts += [_row(title, cells, 490 + ROW * index) for index, (title, cells) in enumerate(rows)]
    height = 510 + ROW * len(rows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="system-ui, sans-serif"><rect width="100%" height="100%" fill="#f3efe6"/>{"".join(parts)}</svg>'
    )


def _name(game: GameHistory, seat: Seat, texts: Catalogue) -> str:
    return lasting_name(game.names[seat], seat, texts)


def _width(letter: str) -> float:
    """Returns the greatest usual width of a letter in units of its size: here it cannot be measured."""
    if (columns := columns_of(letter)) != 1:
        return columns / 2
    return 0.42 if letter in NARROW else 1.12 if letter in WIDE else 0.85 if letter.isupper() else 0.68


def _shortened(name: str, limit: float) -> str:
    """Returns a name that takes at most this width, in units of its letters' size; cut with dots if it is wider."""
    widths = list(accumulate(map(_width, name)))
    if not widths or widths[-1] <= limit:
        return name
    return name[: sum(width <= limit - 1 for width in widths)].rstrip() + "…"


def _place(game: GameHistory, row: int, seat: Seat, texts: Catalogue) -> list[str]:
    top = 104 + row * 36
    points = game.standings.points[seat] / 1000
    score = score_text(game.state, seat, texts)
    limit = (SCORES_END - 64 - GAP) / 20 - sum(map(_width, score))
    return [
        _text(32, top, f"{game.standings.places[seat]}", size=20, weight=700, fill=COLOURS[seat]),
        _text(64, top, isolated(_shortened(_name(game, seat, texts), limit)), size=20, weight=600),
        _text(SCORES_END, top, score, size=20, anchor="end"),
        _text(WIDTH - 32, top, f"{points:+.1f}".replace("-", "−"), size=20, weight=700, anchor="end"),
    ]


def _graph(game: GameHistory) -> str:
    points = graph_view(game.state)
    if len(points) < 2:
        return ""
    flat = [score for row in points for score in row]
    low, high = min(flat), max(*flat, min(flat) + 1)
    step = (WIDTH - 64) / (len(points) - 1)
    return "".join(
        f'<polyline fill="none" stroke="{COLOURS[seat]}" stroke-width="3" stroke-linejoin="round" points="'
        + " ".join(
            f"{index * step:.1f},{170 * (high - row[seat]) / (high - low):.1f}" for index, row in enumerate(points)
        )
        + '"/>'
        for seat in SEATS
    )


def _rows(game: GameHistory, texts: Catalogue) -> Iterator[tuple[str, Cells]]:
    """Yields every hand with its payments, the substitutes and corrections in between, and what the end moved."""
    for number, hand in enumerate(game.state.history):
        yield from _between(game, number, texts)
        title, settlement = short_round(hand.round, texts) + (f"-{hand.honba}" if hand.honba else ""), hand.settlement
        if settlement is not None and settlement.penalty is not None:
            title = f"{title} {texts.name('abort', settlement.penalty.value)}"
        yield title, None if settlement is None else settlement.deltas
    yield from _between(game, len(game.state.history), texts)
    if (end_points := points_at_end(game.state)) is not None:
        yield texts.text("change.left_sticks" if is_sticks_alone(game.state) else "change.moved_at_end"), end_points


def _between(game: GameHistory, number: int, texts: Catalogue) -> Iterator[tuple[str, Cells]]:
    """Yields who sat down, and what people corrected, before the hand with this number."""
    if names := _substitutes(game, number, texts):
        yield texts.text("change.substituted"), names
    for adjustment in game.state.adjustments:
        if adjustment.hand == number:
            yield texts.text("change.points_adjusted"), adjustment.event.points


def _row(title: str, cells: Cells, top: int) -> str:
    cells_svg = "".join(_cell(None if cells is None else cells[seat], seat, top) for seat in SEATS)
    return _text(32, top, title, size=15, weight=600) + cells_svg


def _cell(cell: str | int | None, seat: Seat, top: int) -> str:
    if isinstance(cell, str):
        return _column_name(cell, seat, top)
    text = "·" if cell is None else signed(cell)
    return _text(_column(seat), top, text, size=15, anchor="end", fill=_colour(cell))


def _column_name(name: str, seat: Seat, top: int) -> str:
    text = isolated(_shortened(name, (COLUMN - GAP) / 13))
    return _text(_column(seat), top, text, size=13, anchor="end", fill=FAINT)


def _colour(delta: int | None) -> str:
    return FAINT if not delta else "#17643f" if delta > 0 else "#b8271b"


def _column(seat: Seat) -> float:
    return 250 + COLUMN * seat


def _text(
    x: float, y: float, text: str, *, size: int, weight: int = 400, anchor: str = "start", fill: str = INK
) -> str:
    style = f'font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{fill}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(text)}</text>'
