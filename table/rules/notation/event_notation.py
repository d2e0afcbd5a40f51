r"""Events as one line of text each, both ways: for tests, logs and people.

`table.rules.notation.notation_forms` shows every form with an example; events are parted by line ends and ``;``, and
what follows ``#`` is a remark. A text with spaces, ``;`` or ``#`` stands in quotes, and a line end in it is written
``\n``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, assert_never

from table.rules.events import (
    AbortCalled,
    AddedKan,
    Called,
    CallKind,
    ClaimsConfirmed,
    ClosedKan,
    Discarded,
    DoraTurned,
    DrawReached,
    Event,
    FoulCancelled,
    FoulLogged,
    GameEnded,
    HandSettled,
    HandShown,
    HandStarted,
    Origin,
    PutBack,
    ResultTold,
    RiichiOpened,
    RiichiTold,
    RiichiVoiced,
    StickPlaced,
    StickTakenBack,
    TenpaiStated,
    TilePassed,
    TilesExposed,
    TimeSignal,
    UraTurned,
    WaitTold,
    WinClaimed,
    WinKind,
    WinWithdrawn,
)
from table.rules.notation.line_reader import NO_TILES, Line, quoted, split_line
from table.rules.scoring.possible_counts import check_count, check_yaku
from table.rules.terms.results import AbortReason, Deltas, ResultKind, Settlement, ToldResult, ToldWin, Win
from table.rules.terms.rule_errors import InvalidValueError, NotationError
from table.rules.terms.seats import SEATS, Round, Seat
from table.rules.terms.tiles import Tile, tiles_text

_CALLS: Final = {"chi": CallKind.CHI, "pon": CallKind.PON, "kan": CallKind.OPEN_KAN}
_CALL_WORDS: Final = {kind: word for word, kind in _CALLS.items()}


def event_text(event: Event) -> str:  # noqa: PLR0911, PLR0912 - one line an event
    """Writes an event as one line: the inverse of `parse_event`."""
    match event:
        case HandStarted():
            return _start_text(event)
        case Discarded(seat=seat, tile=tile):
            origin = "" if event.origin is Origin.UNKNOWN else f" {event.origin.value}"
            return f"{int(seat)} discards {tile}{' sideways' if event.sideways else ''}{origin}"
        case TilePassed():
            return "pass"
        case Called(seat=seat, tile=tile, own=own):
            points = "" if event.points_at is None else f" points {int(event.points_at)}"
            word = _CALL_WORDS[event.kind]
            return f"{int(seat)} {word} {tile} from {int(event.from_seat)} with {_text(own)}{points}"
        case AddedKan(seat=seat, tile=tile):
            return f"{int(seat)} adds {tile}"
        case ClosedKan(seat=seat, tiles=tiles):
            return f"{int(seat)} closed {_text(tiles)}"
        case DoraTurned(indicator=tile):
            return f"dora {tile}"
        case UraTurned(seat=seat, indicators=tiles):
            return f"{int(seat)} ura {_text(tiles)}"
        case StickPlaced(seat=seat):
            return f"{int(seat)} stick"
        case StickTakenBack(seat=seat):
            return f"{int(seat)} stick-back"
        case RiichiVoiced(seat=seat):
            return f"{int(seat)} riichi"
        case RiichiOpened(seat=seat, tiles=tiles):
            return f"{int(seat)} opens {_text(tiles)}"
        case WinClaimed(seat=seat, kind=kind):
            source = "" if event.from_seat is None else f" from {int(event.from_seat)}"
            return f"{int(seat)} {kind.value}{source}{_option('han', event.han)}{_option('fu', event.fu)}"
        case WinWithdrawn(seat=seat):
            return f"{int(seat)} withdraws"
        case HandShown(seat=seat, tiles=tiles, winning_tile=tile):
            return f"{int(seat)} shows {_text(tiles)}{'' if tile is None else f' with {tile}'}"
        case WaitTold(seat=seat, tiles=tiles):
            return f"{int(seat)} waits {_text(tiles)}"
        case TenpaiStated(seat=seat, is_tenpai=is_tenpai):
            return f"{int(seat)} {'tenpai' if is_tenpai else 'noten'}"
        case DrawReached():
            return "draw"
        case AbortCalled(reason=reason):
            return f"abort {reason.value}{'' if event.seat is None else f' by {int(event.seat)}'}"
        case PutBack(seat=seat, meld=meld):
            return f"{int(seat)} {'puts-back-meld' if meld else 'puts-back'}"
        case TilesExposed(seat=seat, tiles=tiles):
            return f"{int(seat)} exposes {_text(tiles)}"
        case FoulLogged(seat=seat, clause=clause):
            note = _option("note", quoted(event.note) if event.note else None)
            option = _option("option", None if event.option is None else quoted(event.option))
            facts = _option("facts", quoted(",".join(event.facts)) if event.facts else None)
            about = _option("hand", event.hand)
            return f"{int(seat)} foul {quoted(clause)}{option}{note}{facts}{_by(event.by)}{about}"
        case FoulCancelled(foul=foul, reason=reason):
            return f"cancel-foul {foul} reason={quoted(reason)}{_by(event.by)}{_option('hand', event.hand)}"
        case ClaimsConfirmed():
            return "confirm"
        case HandSettled(settlement=settlement):
            return _settled_text(settlement)
        case RiichiTold(seat=seat):
            return f"{int(seat)} riichi-told"
        case ResultTold(result=result):
            return _told_text(result)
        case GameEnded(reason=reason):
            return f"end-game{_option('reason', quoted(reason) if reason else None)}"
        case TimeSignal():
            return "time-signal"
        case _:
            assert_never(event)


def public_text(event: Event) -> str:
    """Writes an event as everybody may read it: a told wait stays private."""
    return f"{int(event.seat)} waits" if isinstance(event, WaitTold) else event_text(event)


def parse_event(text: str) -> Event:
    """Reads one line as written by `event_text`.

    Raises:
        NotationError: where it cannot be read; the message says what was expected.
    """
    line = Line(text)
    expected = "a seat from 0 to 3 or one of " + ", ".join(sorted(_UNSEATED))
    first = line.word(expected)
    try:
        if first in _UNSEATED:
            event = _UNSEATED[first](line)
        elif not first.isdigit():
            raise line.fail(expected, first, _UNSEATED)
        else:
            seat = line.seat_of(first)
            event = _SEATED[line.one_of(_SEATED)](line, seat)
    except InvalidValueError as error:
        raise NotationError(f"{error} in {text!r}") from error
    line.end()
    return event


def parse_events(text: str) -> tuple[Event, ...]:
    """Reads events parted by ``;`` or line ends; what follows ``#`` is a remark.

    Raises:
        NotationError: at the first that cannot be read.
    """
    return tuple(parse_event(part) for part in split_events(text))


def split_events(text: str) -> Iterator[str]:
    """Takes a text apart into its events, each as it is written; remarks and blanks are left out."""
    for line in text.split("\n"):
        yield from split_line(line)


def _text(tiles: tuple[Tile, ...]) -> str:
    return tiles_text(tiles) or NO_TILES


def _option(name: str, value: object) -> str:
    return "" if value is None else f" {name}={value}"


def _by(who: str) -> str:
    return _option("by", quoted(who) if who else None)


def _numbers(values: Deltas) -> str:
    return ",".join(str(value) for value in values)


def _start_text(event: HandStarted) -> str:
    options = (
        ("dealer", int(event.dealer)),
        ("scores", _numbers(event.scores)),
        ("honba", event.honba or None),
        ("deposits", event.deposits or None),
        ("pot", event.deposit_points or None),
        ("dora", event.dora_indicator),
    )
    return f"start {event.round!r}" + "".join(_option(name, value) for name, value in options)


def _settled_text(settlement: Settlement) -> str:
    tenpai = "".join(str(int(seat)) for seat in settlement.tenpai) or None
    options = (
        *(("win" + str(index), _win_text(win)) for index, win in enumerate(settlement.wins)),
        ("reason", None if settlement.reason is None else settlement.reason.value),
        ("tenpai", tenpai),
        ("deposits", settlement.deposits or None),
        ("pot", settlement.deposit_points or None),
        ("next", "stays" if settlement.dealer_stays else None),
        ("honba", settlement.honba or None),
        ("chips", None if settlement.chips is None else _numbers(settlement.chips)),
    )
    head = f"settled {settlement.kind.value} {_numbers(settlement.deltas)}"
    return head + "".join(_option(name, value) for name, value in options)


def _win_text(win: Win) -> str:
    yaku = ",".join(f"{name}+{han}" for name, han in win.yaku)
    han, fu = ("-" if value is None else str(value) for value in (win.han, win.fu))
    return f"{int(win.seat)}:{int(win.from_seat)}:{han}:{fu}:{win.yakuman}:{win.points}:{yaku}"


def _told_text(result: ToldResult) -> str:
    options = (
        *(("win" + str(index), _told_win_text(win)) for index, win in enumerate(result.wins)),
        *(("chips" + str(index), win.chips) for index, win in enumerate(result.wins)),
        ("reason", None if result.reason is None else result.reason.value),
        *((name, _seats_text(getattr(result, name))) for name in ("tenpai", "nagashi", "riichi")),
    )
    return f"told {result.kind.value}" + "".join(_option(name, value) for name, value in options)


def _told_win_text(win: ToldWin) -> str:
    han, fu = ("-" if value is None else str(value) for value in (win.han, win.fu))
    yaku = ",".join(f"{name}+{value}" for name, value in win.yaku)
    pao = ",".join(f"{name}+{int(seat)}" for name, seat in win.pao)
    return f"{int(win.seat)}:{int(win.from_seat)}:{han}:{fu}:{win.yakuman}:{yaku}:{pao}"


def _seats_text(seats: tuple[Seat, ...]) -> str | None:
    return "".join(str(int(seat)) for seat in seats) or None


def _start(line: Line) -> Event:
    place = Round.parse(line.word("a round from E1 to N4"))
    dealer, dora = line.text("dealer"), line.text("dora")
    return HandStarted(
        round=place,
        dealer=SEATS[place.number - 1] if dealer is None else line.seat_of(dealer),
        scores=line.four(line.text("scores")),
        honba=line.number("honba") or 0,
        deposits=line.number("deposits") or 0,
        deposit_points=line.number("pot") or 0,
        dora_indicator=None if dora is None else Tile(dora),
    )


def _abort(line: Line) -> Event:
    reason = AbortReason(line.one_of({each.value: each for each in AbortReason}))
    return AbortCalled(reason=reason, seat=line.seat() if line.takes("by") else None)


def _cancel_foul(line: Line) -> Event:
    number, reason = line.number_of(line.word("a number")), line.text("reason") or ""
    return FoulCancelled(foul=number, reason=reason, by=line.text("by") or "", hand=line.number("hand"))


def _settled(line: Line) -> Event:
    kind = ResultKind(line.one_of({each.value: each for each in ResultKind}))
    deltas = line.four(line.word("four numbers by seat"))
    reason, following = _abort_reason(line), line.text("next")
    if following not in (None, "stays"):
        raise line.fail("next=stays", following)
    settlement = Settlement(
        kind=kind,
        deltas=deltas,
        wins=tuple(_win(line, parts) for parts in _win_parts(line, "seat:from:han:fu:yakuman:points:yaku")),
        reason=reason,
        tenpai=_seats(line, "tenpai"),
        deposits=line.number("deposits") or 0,
        deposit_points=line.number("pot") or 0,
        dealer_stays=following == "stays",
        honba=line.number("honba") or 0,
        chips=None if (chips := line.text("chips")) is None else line.four(chips),
    )
    return HandSettled(settlement=settlement)


def _told(line: Line) -> Event:
    result = ToldResult(
        kind=ResultKind(line.one_of({each.value: each for each in ResultKind})),
        wins=tuple(
            _told_win(line, parts, line.number(f"chips{index}"))
            for index, parts in enumerate(_win_parts(line, "seat:from:han:fu:yakuman:yaku:pao"))
        ),
        reason=_abort_reason(line),
        tenpai=_seats(line, "tenpai"),
        nagashi=_seats(line, "nagashi"),
        riichi=_seats(line, "riichi"),
    )
    return ResultTold(result=result)


def _abort_reason(line: Line) -> AbortReason | None:
    text = line.text("reason")
    reasons = {each.value: each for each in AbortReason}
    if text is not None and text not in reasons:
        raise line.fail("one of " + ", ".join(reasons), text)
    return None if text is None else reasons[text]


def _seats(line: Line, name: str) -> tuple[Seat, ...]:
    return tuple(line.seat_of(each) for each in line.text(name) or "")


def _win_parts(line: Line, shape: str) -> Iterator[list[str]]:
    """Takes `win0`, `win1` … apart, each of seven parts."""
    number = 0
    while (text := line.text(f"win{number}")) is not None:
        parts = text.split(":")
        if len(parts) != 7:
            raise line.fail(shape, text)
        yield parts
        number += 1


def _win(line: Line, parts: list[str]) -> Win:
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


def _told_win(line: Line, parts: list[str], chips: int | None) -> ToldWin:
    han, fu = (_number_or_none(line, part) for part in parts[2:4])
    liable = (part.rpartition("+") for part in parts[6].split(",") if part)
    return ToldWin(
        seat=line.seat_of(parts[0]),
        from_seat=line.seat_of(parts[1]),
        han=han,
        fu=fu,
        yakuman=line.number_of(parts[4]),
        yaku=_yaku(line, parts[5]),
        pao=tuple((name, line.seat_of(seat)) for name, _, seat in liable),
        chips=chips,
    )


def _number_or_none(line: Line, part: str) -> int | None:
    return None if part == "-" else line.number_of(part)


def _yaku(line: Line, text: str) -> tuple[tuple[str, int], ...]:
    """Reads yaku that a hand can have, each with its han.

    Raises:
        InvalidValueError: no hand has these.
    """
    parts = (part.rpartition("+") for part in text.split(",") if part)
    yaku = tuple((name, line.number_of(han)) for name, _, han in parts)
    check_yaku(yaku)
    return yaku


def _discards(line: Line, seat: Seat) -> Event:
    tile = line.tile()
    sideways = line.takes("sideways")
    origin = next((each for each in (Origin.HAND, Origin.DRAWN) if line.takes(each.value)), Origin.UNKNOWN)
    return Discarded(seat=seat, tile=tile, sideways=sideways, origin=origin)


def _called(kind: CallKind) -> Callable[[Line, Seat], Event]:
    def read(line: Line, seat: Seat) -> Event:
        tile = line.tile()
        line.expect("from")
        from_seat = line.seat()
        line.expect("with")
        own = line.tiles()
        points_at = line.seat() if line.takes("points") else None
        return Called(seat=seat, kind=kind, tile=tile, from_seat=from_seat, own=own, points_at=points_at)

    return read


def _closed(line: Line, seat: Seat) -> Event:
    tiles = line.tiles()
    if len(tiles) != 4:
        raise line.fail("four tiles", tiles_text(tiles))
    return ClosedKan(seat=seat, tiles=(tiles[0], tiles[1], tiles[2], tiles[3]))


def _wins_by(kind: WinKind) -> Callable[[Line, Seat], Event]:
    def read(line: Line, seat: Seat) -> Event:
        from_seat = line.seat() if line.takes("from") else None
        han, fu = line.number("han"), line.number("fu")
        if han is None and fu is not None:
            raise line.fail(f"han beside {fu} fu", None)
        if han is not None:
            check_count(han, fu, is_tsumo=kind is WinKind.TSUMO)
        return WinClaimed(seat=seat, kind=kind, from_seat=from_seat, han=han, fu=fu)

    return read


def _shows(line: Line, seat: Seat) -> Event:
    tiles = line.tiles()
    return HandShown(seat=seat, tiles=tiles, winning_tile=line.tile() if line.takes("with") else None)


def _foul(line: Line, seat: Seat) -> Event:
    clause, facts = line.word("a clause"), line.text("facts")
    return FoulLogged(
        seat=seat,
        clause=clause,
        option=line.text("option"),
        note=line.text("note") or "",
        facts=tuple(facts.split(",")) if facts else (),
        by=line.text("by") or "",
        hand=line.number("hand"),
    )


_UNSEATED: Final[dict[str, Callable[[Line], Event]]] = {
    "start": _start,
    "pass": lambda _: TilePassed(),
    "dora": lambda line: DoraTurned(indicator=line.tile()),
    "draw": lambda _: DrawReached(),
    "abort": _abort,
    "cancel-foul": _cancel_foul,
    "confirm": lambda _: ClaimsConfirmed(),
    "settled": _settled,
    "told": _told,
    "time-signal": lambda _: TimeSignal(),
    "end-game": lambda line: GameEnded(reason=line.text("reason") or ""),
}
_SEATED: Final[dict[str, Callable[[Line, Seat], Event]]] = {
    "discards": _discards,
    **{word: _called(kind) for word, kind in _CALLS.items()},
    "adds": lambda line, seat: AddedKan(seat=seat, tile=line.tile()),
    "closed": _closed,
    "ura": lambda line, seat: UraTurned(seat=seat, indicators=line.tiles()),
    "stick": lambda _, seat: StickPlaced(seat=seat),
    "stick-back": lambda _, seat: StickTakenBack(seat=seat),
    "riichi": lambda _, seat: RiichiVoiced(seat=seat),
    "opens": lambda line, seat: RiichiOpened(seat=seat, tiles=line.tiles()),
    "riichi-told": lambda _, seat: RiichiTold(seat=seat),
    "ron": _wins_by(WinKind.RON),
    "tsumo": _wins_by(WinKind.TSUMO),
    "withdraws": lambda _, seat: WinWithdrawn(seat=seat),
    "shows": _shows,
    "waits": lambda line, seat: WaitTold(seat=seat, tiles=line.tiles()),
    "tenpai": lambda _, seat: TenpaiStated(seat=seat, is_tenpai=True),
    "noten": lambda _, seat: TenpaiStated(seat=seat, is_tenpai=False),
    "puts-back": lambda _, seat: PutBack(seat=seat),
    "puts-back-meld": lambda _, seat: PutBack(seat=seat, meld=True),
    "exposes": lambda line, seat: TilesExposed(seat=seat, tiles=line.tiles()),
    "foul": _foul,
}
