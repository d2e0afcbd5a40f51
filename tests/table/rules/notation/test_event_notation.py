from __future__ import annotations

import inspect
import re
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from table.rules.events import (
    Event,
    FoulCancelled,
    FoulLogged,
    GameEnded,
    HandSettled,
    HandStarted,
    decision_events,
    hand_end_events,
    play_events,
    riichi_events,
)
from table.rules.notation.event_notation import parse_event, parse_events, split_events
from table.rules.notation.notation_forms import EXAMPLE, FORMS
from table.rules.terms import result_notation
from table.rules.terms.results import AbortReason, ResultKind, Settlement, Win
from table.rules.terms.rule_errors import NotationError
from table.rules.terms.seats import SEATS, Round
from table.rules.terms.tiles import Tile
from table.rules.terms.written_forms import Form

LINES = """
start E1 dealer=0 scores=25000,25000,25000,25000
start S3 dealer=1 scores=-1200,50000,26000,23200 honba=1 deposits=2 pot=500 dora=0p
0 discards 5z
0 discards ? sideways
0 discards 0m sideways drawn
3 discards 9p hand
pass
1 chi 3m from 0 with 24m points 2
2 pon 5z from 1 with 55z
1 kan 5s from 0 with 550s
1 adds 5z
1 closed 1111m
dora 3p
1 ura 3p4s
1 ura -
1 stick
1 stick-back
1 riichi
1 ron from 0 han=3 fu=40
1 ron
1 tsumo
1 withdraws
1 shows 123456789m11p45s with 6s
1 shows 123m
1 shows 11p45s with 6s melds=123m,555z,(1111p)
1 shows - melds=5550s
1 waits 36m
1 tenpai
1 noten
draw
abort four_winds
abort nine_terminals by 1
1 puts-back
1 puts-back-meld
1 exposes 5z1m
1 opens 45p
time-signal
1 foul 7-05-01
1 foul 'EMA 6.6' option=b note='said it late'
1 foul 7-06-01 option='EMA 6.2' facts='deliberate,not restorable,exposed=3' by='seat 2, panel'
cancel-foul 1 reason='it was #2; sorry' by=owner hand=4
1 riichi-told
told draw tenpai=13 nagashi=2 riichi=1
told abort reason=four_riichi riichi=0123
told tsumo win0=2:2:-:-:1:big_three_dragons+13:big_three_dragons+1
told ron win0=2:1:3:30:0:: win1=3:1:6:-:0:riichi+1,dora+5:
cancel-foul 0 reason='it was misread'
confirm
settled ron 0,-4900,4900,0 win0=2:1:3:30:0:3900:tanyao+1,dora+2
settled ron 0,-50000,32000,18000 win0=2:1:-:-:1:32000:four_kans+13 win1=3:1:6:30:0:18000:riichi+1,dora+5
settled draw 3000,-1000,-1000,-1000 reason=nagashi tenpai=02 deposits=2 pot=1000 next=stays honba=3
settled abort 0,0,0,0 reason=four_riichi
settled draw 0,0,0,0 chips=-2,2,0,0
told tsumo win0=1:1:5:-:0:: chips0=4
end-game
end-game reason='it is late'
""".strip().splitlines()


@pytest.mark.parametrize("line", LINES)
def test_every_event_is_one_line_that_reads_back_as_itself(line: str) -> None:
    event = parse_event(line)
    assert str(event) == line
    assert parse_event(str(event)) == event


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", "expected a seat from 0 to 3 or one of abort"),
        ("5 discards 1m", "expected a seat from 0 to 3, got '5'"),
        ("strat E1", "expected a seat from 0 to 3 or one of abort"),
        ("0 throws 1m", "expected one of discards, chi"),
        ("0 discards 8z", "expected a tile such as"),
        ("0 discards", "expected a tile, got nothing"),
        ("0 discards 1m 2m", "expected the end of the line, got '2m'"),
        ("start E1 scores=1,2,3,4 scores=4,3,2,1", "expected scores once, got 'scores=4,3,2,1'"),
        ("start E1 scores=1,2,3,4 honba=-1", "expected honba of 0 or more, got -1"),
        ("start E1 scores=1,2,3,4 deposits=-1", "expected deposits of 0 or more, got -1"),
        ("start E1 scores=1,2,3,4 pot=-1", "expected pot of 0 or more, got -1"),
        ("0 discards 1m depth=2", "expected the end of the line, got 'depth'"),
        ("1 pon 5z 0 with 55z", "expected 'from', got '0'"),
        ("1 pon 5z from 0", "expected 'with', got nothing"),
        ("1 pon 5z from 1 with 55z", "expected a call from another seat"),
        ("1 closed 111m", "expected four tiles, got '111m'"),
        ("start E5 scores=1,2,3,4", "expected a round from E1 to N4"),
        ("start E1", "expected four numbers by seat as scores=A,B,C,D, got nothing"),
        ("start E1 scores=1,2,3", "expected four numbers by seat as scores=A,B,C,D, got '1,2,3'"),
        ("start E1 scores=1,2,3,x", "expected a whole number, got 'x'"),
        ("abort boredom", "expected one of four_riichi"),
        ("settled draw 0,0,0,0 reason=boredom", "expected one of four_riichi"),
        ("settled draw 0,0,0,0 next=leaves", "expected next=stays, got 'leaves'"),
        (
            "told ron win0=0:1:-:-:1::big_three_dragons=2",
            "expected a yakuman and the seat liable for it such as big_three_dragons+2, got 'big_three_dragons=2'",
        ),
        ("settled ron 0,0,0,0 win0=1:2", "expected SEAT:FROM:HAN:FU:YAKUMAN:POINTS:YAKU"),
        ("settled ron 0,0,0,0", "expected wins in a ron or tsumo only, got 0 in ron"),
        ("settled draw 0,0,0,0 win0=1:2:1:30:0:1000:tanyao+1", "expected wins in a ron or tsumo only, got 1 in draw"),
        ("1 foul 7-05-01 note='open", "expected balanced quotes"),
        ("1 ron from 1", "expected a win from another seat, got 1"),
        ("1 pon 5z from 1 with 55z", "expected a call from another seat, got 1"),
        ("1 ron from 0 han=3 fu=7", "expected fu such as 20, 25, 30 … 110, got 7"),
        ("1 ron han=0", "expected han from 1, got 0"),
        ("1 ron han=2 fu=20", "expected 20 fu for a drawn pinfu only"),
        ("1 tsumo han=2 fu=25", "expected 3 han at least for seven pairs"),
        ("1 ron fu=30", "expected han beside 30 fu, got nothing"),
        ("told ron win0=1:0:3:30:0:foo+1:", "expected the name of a yaku, such as riichi or tanyao, got 'foo'"),
        ("told ron win0=1:0:3:30:0:tanyao+1,tanyao+1:", "expected each yaku once, got tanyao 2 times"),
        ("told ron win0=1:0:30:-:0:" + ",".join(["riichi+1"] * 30) + ":", "expected each yaku once, got riichi 30"),
        ("told ron win0=1:0:3:30:0:riichi+0:", "expected a yaku with the han that it can have, got riichi+0"),
        ("told ron win0=1:0:-:-:1:four_kans+1:", "expected a yaku with the han that it can have, got four_kans+1"),
        ("settled ron -1,1,0,0 win0=1:0:3:30:0:1:foo+1", "expected the name of a yaku, such as riichi or tanyao"),
        ("settled ron -1,1,0,0 win0=1:0:3:30:0:1:dora+1,dora+1", "expected each yaku once, got dora 2 times"),
    ],
)
def test_an_unreadable_line_says_what_was_expected(line: str, expected: str) -> None:
    with pytest.raises(NotationError, match=f"^{expected.replace('(', '[(]').replace('+', '[+]')}"):
        parse_event(line)


@pytest.mark.parametrize(
    ("line", "nearest"), [("strat E1", "start"), ("0 discard 1m", "discards"), ("abort four_wind", "four_winds")]
)
def test_a_slip_of_the_pen_is_told_the_nearest_word(line: str, nearest: str) -> None:
    with pytest.raises(NotationError, match=f"in {line!r}; did you mean {nearest!r}[?]$"):
        parse_event(line)


def test_a_start_without_a_dealer_takes_the_rounds_own_seat() -> None:
    start = parse_event("start S3 scores=25000,25000,25000,25000")
    assert isinstance(start, HandStarted)
    assert start.dealer is SEATS[2]
    assert start.round == Round.parse("S3")


def test_events_are_parted_by_semicolons_and_lines_and_may_carry_remarks() -> None:
    events = parse_events("pass; confirm\n# nothing\n0 discards 1m # the first\n")
    assert [str(event) for event in events] == ["pass", "confirm", "0 discards 1m"]


def test_a_settlement_keeps_its_wins_exactly() -> None:
    win = Win(seat=SEATS[0], from_seat=SEATS[0], han=None, fu=None, yaku=(("all_green", 13),), yakuman=1, points=48000)
    settlement = Settlement(
        kind=ResultKind.TSUMO, deltas=(48000, -16000, -16000, -16000), wins=(win,), dealer_stays=True, honba=1
    )
    assert parse_event(str(HandSettled(settlement=settlement))) == HandSettled(settlement=settlement)


def test_unread_tiles_and_reds_have_text_too() -> None:
    (event,) = parse_events("2 shows 0m5m?? with 0s")
    assert str(event) == "2 shows 05m?? with 0s"
    assert Tile("?") in event.tiles  # type: ignore[union-attr]  # it is a shown hand


def test_an_abort_may_be_called_by_the_table() -> None:
    (event,) = parse_events("abort triple_ron")
    assert event.reason is AbortReason.TRIPLE_RON  # type: ignore[union-attr]  # it is an abort


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.pattern)
def test_every_form_has_an_example_that_reads_back_as_itself(form: Form) -> None:
    event = parse_event(form.example)
    assert parse_event(str(event)) == event
    assert tuple(split_events(form.example)) == (form.example,)


def test_every_event_that_people_can_give_has_a_form() -> None:
    event_types = {type(parse_event(form.example)) for form in FORMS}
    assert event_types == set(get_args(Event))
    assert len({form.pattern for form in FORMS}) == len(FORMS)
    assert len(parse_events(EXAMPLE)) == 5


def test_the_forms_show_every_word_that_is_read() -> None:
    source = "".join(
        map(inspect.getsource, (decision_events, hand_end_events, play_events, riichi_events, result_notation))
    )
    options = re.findall(r'(?:line\.(?:text|number)\(|_seats\(line, )"(\w+)"\)', source)
    words = [*(form.word for form in FORMS), *(f"{option}=" for option in options)]
    patterns = " ".join(form.pattern for form in FORMS)
    assert len(options) > 10
    assert [word for word in words if word not in patterns] == []


@given(text=st.text(alphabet=st.characters() | st.sampled_from("\n\r;#'\"\\= "), max_size=12))
@example(text="a\nb; 'c' # \"d\" \\n \\")
def test_a_free_text_reads_back_as_it_was_from_its_one_line(text: str) -> None:
    for event in (
        FoulLogged(seat=SEATS[1], clause="7-05-14", option="b", note=text, by=text),
        FoulCancelled(foul=0, reason=text, by=text, hand=2),
        GameEnded(reason=text),
    ):
        line = str(event)
        assert "\n" not in line
        assert parse_event(line) == event
        assert tuple(split_events(f"{line};pass# 'x")) == (line, "pass")


def test_a_quote_that_does_not_end_spoils_its_own_line_only() -> None:
    assert list(split_events("1 foul 7-01 note='a; pass\npass # don't")) == ["1 foul 7-01 note='a; pass", "pass"]
