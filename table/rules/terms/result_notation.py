"""Writes and reads settlements and declared results as words of a line."""

from __future__ import annotations

from collections.abc import Iterator

from table.rules.terms.line_reader import LineReader, numbers_text, option_text
from table.rules.terms.results import AbortReason, DeclaredResult, DeclaredWin, ResultKind, Settlement, Win
from table.rules.terms.seats import Seat


def settlement_text(settlement: Settlement) -> str:
    """Writes a settlement; `read_settlement` is the inverse."""
    tenpai = "".join(str(int(seat)) for seat in settlement.tenpai) or None
    options = (
        *(("win" + str(index), _win_text(win)) for index, win in enumerate(settlement.wins)),
        ("reason", None if settlement.reason is None else settlement.reason.value),
        ("tenpai", tenpai),
        ("deposits", settlement.deposits or None),
        ("pot", settlement.deposit_points or None),
        ("next", "stays" if settlement.dealer_stays else None),
        ("honba", settlement.honba or None),
        ("chips", None if settlement.chips is None else numbers_text(settlement.chips)),
    )
    head = f"settled {settlement.kind.value} {numbers_text(settlement.deltas)}"
    return head + "".join(option_text(name, value) for name, value in options)


def _win_text(win: Win) -> str:
    return f"{_head_text(win)}:{win.points}:{_yaku_text(win)}"


def declared_text(result: DeclaredResult) -> str:
    """Writes a result that people declared; `read_declared` is the inverse."""
    options = (
        *(("win" + str(index), _declared_win_text(win)) for index, win in enumerate(result.wins)),
        *(("chips" + str(index), win.chips) for index, win in enumerate(result.wins)),
        ("reason", None if result.reason is None else result.reason.value),
        *((name, _seats_text(getattr(result, name))) for name in ("tenpai", "nagashi", "riichi")),
    )
    return f"told {result.kind.value}" + "".join(option_text(name, value) for name, value in options)


def _declared_win_text(win: DeclaredWin) -> str:
    pao = ",".join(f"{name}+{int(seat)}" for name, seat in win.pao)
    return f"{_head_text(win)}:{_yaku_text(win)}:{pao}"


def _head_text(win: Win | DeclaredWin) -> str:
    han, fu = ("-" if value is None else str(value) for value in (win.han, win.fu))
    return f"{int(win.seat)}:{int(win.from_seat)}:{han}:{fu}:{win.yakuman}"


def _yaku_text(win: Win | DeclaredWin) -> str:
    return ",".join(f"{name}+{han}" for name, han in win.yaku)


def _seats_text(seats: tuple[Seat, ...]) -> str | None:
    return "".join(str(int(seat)) for seat in seats) or None


def read_settlement(line: LineReader) -> Settlement:
    """Reads a settlement from the rest of a line.

    Raises:
        NotationError: if it cannot be read.
    """
    kind = ResultKind(line.one_of({known.value: known for known in ResultKind}))
    deltas = line.four(line.word("four numbers by seat"))
    reason, following = _abort_reason(line), line.text("next")
    if following not in (None, "stays"):
        raise line.fail("next=stays", following)
    return Settlement(
        kind=kind,
        deltas=deltas,
        wins=tuple(_win(line, parts) for parts in _win_parts(line, "SEAT:FROM:HAN:FU:YAKUMAN:POINTS:YAKU")),
        reason=reason,
        tenpai=_seats(line, "tenpai"),
        deposits=line.number("deposits") or 0,
        deposit_points=line.number("pot") or 0,
        dealer_stays=following == "stays",
        honba=line.number("honba") or 0,
        chips=None if (chips := line.text("chips")) is None else line.four(chips, "chips"),
    )


def read_declared(line: LineReader) -> DeclaredResult:
    """Reads a declared result from the rest of a line.

    Raises:
        NotationError: if it cannot be read.
    """
    return DeclaredResult(
        kind=ResultKind(line.one_of({kind.value: kind for kind in ResultKind})),
        wins=tuple(
            _read_declared_win(line, parts, line.number(f"chips{index}"))
            for index, parts in enumerate(_win_parts(line, "SEAT:FROM:HAN:FU:YAKUMAN:YAKU:LIABLE"))
        ),
        reason=_abort_reason(line),
        tenpai=_seats(line, "tenpai"),
        nagashi=_seats(line, "nagashi"),
        riichi=_seats(line, "riichi"),
    )


def _abort_reason(line: LineReader) -> AbortReason | None:
    text = line.text("reason")
    reasons = {reason.value: reason for reason in AbortReason}
    if text is not None and text not in reasons:
        raise line.fail("one of " + ", ".join(reasons), text)
    return None if text is None else reasons[text]


def _seats(line: LineReader, name: str) -> tuple[Seat, ...]:
    return tuple(line.seat_of(letter) for letter in line.text(name) or "")


def _win_parts(line: LineReader, shape: str) -> Iterator[list[str]]:
    """Yields the seven parts of each win: `win0`, `win1` and so on."""
    number = 0
    while (text := line.text(f"win{number}")) is not None:
        parts = text.split(":")
        if len(parts) != 7:
            raise line.fail(shape, text)
        yield parts
        number += 1


def _win(line: LineReader, parts: list[str]) -> Win:
    han, fu = (_number_or_none(line, part) for part in parts[2:4])
    return Win(
        seat=line.seat_of(parts[0]),
        from_seat=line.seat_of(parts[1]),
        han=han,
        fu=fu,
        yakuman=line.number_of(parts[4]),
        points=line.number_of(parts[5]),
        yaku=_yaku(line, parts[6]),
    )


def _read_declared_win(line: LineReader, parts: list[str], chips: int | None) -> DeclaredWin:
    han, fu = (_number_or_none(line, part) for part in parts[2:4])
    return DeclaredWin(
        seat=line.seat_of(parts[0]),
        from_seat=line.seat_of(parts[1]),
        han=han,
        fu=fu,
        yakuman=line.number_of(parts[4]),
        yaku=_yaku(line, parts[5]),
        pao=_liabilities(line, parts[6]),
        chips=chips,
    )


def _number_or_none(line: LineReader, part: str) -> int | None:
    return None if part == "-" else line.number_of(part)


def _yaku(line: LineReader, text: str) -> tuple[tuple[str, int], ...]:
    parts = (part.rpartition("+") for part in text.split(",") if part)
    return tuple((name, line.number_of(han)) for name, _, han in parts)


def _liabilities(line: LineReader, text: str) -> tuple[tuple[str, Seat], ...]:
    """Returns each yakuman that another seat is liable for, with that seat."""
    found = []
    for part in text.split(","):
        name, plus, seat = part.rpartition("+")
        if part and not plus:
            raise line.fail("a yakuman and the seat liable for it such as big_three_dragons+2", part)
        if part:
            found.append((name, line.seat_of(seat)))
    return tuple(found)
