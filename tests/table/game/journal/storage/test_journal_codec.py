from __future__ import annotations

import json
from dataclasses import MISSING, fields
from typing import Any

import pytest

from table.game.journal.entries import (
    Body,
    Corrected,
    Envelope,
    GameOpened,
    Inserted,
    PlayersNamed,
    QuestionAsked,
    Redone,
    Reseated,
    SettlementRecorded,
    Source,
    Undone,
)
from table.game.journal.storage.journal_codec import SINCE_FORMAT, decode, encode, parse_stored
from table.game.journal.storage.journal_format import FORMAT
from table.rules.events import (
    Called,
    CallKind,
    ClosedKan,
    Discarded,
    DrawReached,
    Event,
    HandSettled,
    HandShown,
    HandStarted,
    Origin,
    ResultDeclared,
    TimeSignal,
    WinClaimed,
    WinKind,
)
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.ruleset import Ruleset
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import DeclaredResult, DeclaredWin, ResultKind, Settlement, Win
from table.rules.terms.seats import Round, Seat
from table.rules.terms.tiles import Tile, parse_tiles
from table.runtime.table_errors import JournalError

WIN = Win(
    seat=Seat.FAR, from_seat=Seat.NEAR, han=2, fu=40, yaku=(("riichi", 1), ("ippatsu", 1)), yakuman=0, points=2600
)
SETTLEMENT = Settlement(kind=ResultKind.RON, deltas=(-2600, 0, 3600, -1000), wins=(WIN,), honba=0)
START = HandStarted(
    round=Round.parse("S3"), dealer=Seat.FAR, scores=(25000, 24000, 26000, 25000), dora_indicator=Tile("0p")
)
EVENTS: tuple[Event, ...] = (
    START,
    Discarded(seat=Seat.LEFT, tile=Tile("?"), sideways=True, origin=Origin.HAND),
    Called(
        seat=Seat.NEAR,
        kind=CallKind.CHI,
        tile=Tile("3s"),
        from_seat=Seat.LEFT,
        own=parse_tiles("12s"),
        points_at=Seat.FAR,
    ),
    ClosedKan(seat=Seat.RIGHT, tiles=(Tile("5m"), Tile("5m"), Tile("5m"), Tile("0m"))),
    WinClaimed(seat=Seat.FAR, kind=WinKind.RON, han=3, fu=30),
    HandShown(seat=Seat.FAR, tiles=parse_tiles("123m456p789s1122z"), winning_tile=Tile("1z")),
    HandSettled(settlement=SETTLEMENT),
)
RESULT = DeclaredResult(
    kind=ResultKind.RON,
    wins=(DeclaredWin(seat=Seat.FAR, from_seat=Seat.NEAR, yakuman=1, pao=(("four_kans", Seat.LEFT),)),),
    riichi=(Seat.FAR,),
)
BODIES: tuple[Body, ...] = (
    *EVENTS,
    GameOpened(ruleset=Ruleset(name="club", uma=(15000, 5000, -5000, -15000), double_wind_fu=2)),
    Corrected(entry=7, event=EVENTS[1], why="misread"),
    Corrected(entry=8, event=None),
    Inserted(before=9, event=ResultDeclared(result=RESULT), why="dealt over"),
    Undone(act=4, why="by mistake"),
    Redone(act=4),
    Reseated(order=(Seat.RIGHT, Seat.NEAR, Seat.FAR, Seat.LEFT), moves_results=True),
    PlayersNamed(names=("Aoi", "", "", "Dan")),
    SettlementRecorded(hand=3, settlement=SETTLEMENT, start=START),
    SettlementRecorded(hand=3, settlement=SETTLEMENT),
    SettlementRecorded(hand=3, settlement=SETTLEMENT, start=START, end=17),
    QuestionAsked(id=AnnouncementId.DOUBT, entry=7),
    QuestionAsked(id=AnnouncementId.IMPOSSIBLE_READING),
)


@pytest.mark.parametrize("body", BODIES, ids=lambda body: type(body).__name__)
def test_every_kind_of_entry_comes_back_as_it_was_through_json_text(body: Body) -> None:
    assert decode(Body, json.loads(json.dumps(encode(body)))) == body


def test_an_envelope_comes_back_as_it_was() -> None:
    envelope = Envelope(
        utc="2026-11-20T11:00:00.000+00:00",
        source=Source.CAMERA,
        frame=17,
        confidence=0.93,
        evidence=(4, 9),
        by="Aoi",
        act=3,
    )
    assert decode(Envelope, json.loads(json.dumps(encode(envelope)))) == envelope


@pytest.mark.parametrize("name", SINCE_FORMAT)
def test_a_field_that_came_later_has_a_default_and_a_format(name: str) -> None:
    kinds = (
        DrawReached,
        Envelope,
        GameOpened,
        HandShown,
        PenaltyRules,
        PlayersNamed,
        Ruleset,
        SettlementRecorded,
        TimeSignal,
    )
    found = {f"{kind.__name__}.{field.name}": field.default for kind in kinds for field in fields(kind)}
    assert found[name] is not MISSING
    assert SINCE_FORMAT[name] in range(1, FORMAT + 1)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"is": "Teleported", "seat": 1}, "expected one of HandStarted, .*, got 'Teleported'"),
        ({"is": "Discarded", "seat": 7, "tile": "1m"}, "Discarded.seat: 7 is not a valid Seat"),
        ({"is": "Discarded", "seat": 1, "tile": "1x"}, "Discarded.tile: expected a tile"),
        (
            {"is": "Discarded", "seat": 1, "tile": "1m", "colour": "red"},
            "Discarded.colour: expected one of seat, .*, got 'colour'",
        ),
        (
            {"is": "Discarded", "seat": 1, "tile": "1m", "sideways": 1},
            "Discarded.sideways: expected true or false, got 1",
        ),
        ({"is": "ClosedKan", "seat": 1, "tiles": ["1m"]}, "ClosedKan.tiles: expected 4 values, got"),
        ({"is": "Discarded"}, "Discarded.seat: expected Seat, got nothing"),
        ({"is": "Corrected", "entry": 3, "event": {"is": "Discard"}}, "Corrected.event: .*; did you mean 'Discarded'"),
        ("Discarded", "expected one of"),
    ],
)
def test_what_is_no_entry_is_refused_with_its_place(data: Any, message: str) -> None:
    with pytest.raises(JournalError, match=message):
        decode(Body, data)


BIG = 9 * 10**15


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"time_limit": 10**400}, {"time_limit": BIG}),
        ({"starting_points": -(10**20), "honba_value": 3 * 10**400}, {"starting_points": -BIG, "honba_value": BIG}),
        ({"uma": (10**400, 0, 0, -(10**400))}, {"uma": (BIG, 0, 0, -BIG)}),
        ({"uma": (2 * 10**16, -(10**16), -(10**16), 0)}, {"uma": (0, 0, 0, 0)}),
        ({"name": "\ud800b"}, {"name": "?b"}),
        ({"name": "🀄 NaN", "oka": 10**15}, {"name": "🀄 NaN", "oka": 10**15}),
    ],
)
def test_a_rule_set_that_an_earlier_version_took_is_read_with_what_can_be_used(
    changes: dict[str, Any], rules: dict[str, Any]
) -> None:
    text = json.dumps(encode(GameOpened(ruleset=Ruleset(**changes))))
    assert decode(Body, parse_stored(text)) == GameOpened(ruleset=Ruleset(**rules))


def test_a_confidence_that_is_no_number_is_none_and_a_name_may_say_so() -> None:
    for odd in (float("nan"), float("inf"), -float("inf")):
        text = json.dumps(encode(Envelope(utc="NaN", source=Source.TABLE, confidence=odd)))
        assert decode(Envelope, parse_stored(text)) == Envelope(utc="NaN", source=Source.TABLE, confidence=0.0)
