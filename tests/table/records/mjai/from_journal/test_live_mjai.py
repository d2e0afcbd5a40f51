"""The game as mjai lines while it is played: every line once, in an order that other readers follow."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import pytest

from table.game.journal.entries import Body, Corrected, Entry, Envelope, GameOpened, Source
from table.records.audit.game_audit import audit_game, audit_stream
from table.records.audit.seen_events import seen_events
from table.records.formats.missing_pickups import with_draws
from table.records.mjai.fields.mjai_line import MjaiLine
from table.records.mjai.from_journal.journal_record import record_of
from table.records.mjai.from_journal.live_mjai import LiveMjai
from table.records.mjai.mjai_writer import write_mjai
from table.rules.events import Discarded, GameEnded, ResultDeclared
from table.rules.notation.event_notation import parse_events
from table.rules.ruleset import Ruleset
from table.rules.terms.results import STICK, DeclaredResult, DeclaredWin, ResultKind
from table.rules.terms.seats import SEATS
from table.rules.terms.tiles import Tile
from tests.table.records.selfplay import selfplay_game

SEED = 1
HANDS = 2
ENVELOPE = Envelope(utc="2026-01-01T20:00:00Z", source=Source.CAMERA, frame=1)


def entries() -> list[Entry]:
    """A game kept as a table sees it, as far as some hands, and ended."""
    opening = GameOpened(ruleset=selfplay_game(SEED).ruleset, names=("A", "B", "C", "D"))
    events = [event for hand in selfplay_game(SEED).hands[:HANDS] for event in seen_events(hand, opening.ruleset)]
    bodies = [opening, *events, GameEnded()]
    return [Entry(number=number, envelope=ENVELOPE, body=body) for number, body in enumerate(bodies, start=1)]


def live_lines(entries_so_far: Sequence[Entry], steps: int = 1) -> Iterator[MjaiLine]:
    """What is said as the journal grows by so many entries at a time."""
    live = LiveMjai()
    for count in (*range(1, len(entries_so_far), steps), len(entries_so_far)):
        yield from live.new_lines(entries_so_far[:count])


@pytest.mark.parametrize("steps", [1, 5])
def test_however_often_one_looks_each_line_is_said_once(steps: int) -> None:
    every = sorted(json.dumps(line) for line in live_lines(entries(), len(entries())))
    assert sorted(json.dumps(line) for line in live_lines(entries(), steps)) == every
    assert len([line for line in every if "start_kyoku" in line]) == HANDS


def test_a_stream_is_audited_like_the_record_of_the_same_game() -> None:
    lines = (json.dumps(line) for line in live_lines(entries()))
    found = [audited.as_json() for audited in audit_stream(lines, log="x")]
    expected = [audited.as_json() for audited in audit_game(selfplay_game(SEED), log="x")][:HANDS]
    for one, other in zip(found, expected, strict=False):
        assert {key: one[key] for key in ("round", "riichi", "wins", "deltas", "scores")} == {
            key: other[key] for key in ("round", "riichi", "wins", "deltas", "scores")
        }
        assert one["disagreements"] == []
    assert "final" in found[-1]


@pytest.mark.parametrize(
    "get_lines",
    [lambda: write_mjai(selfplay_game(SEED)), lambda: live_lines(entries())],
    ids=["export", "while it is played"],
)
def test_the_points_add_up_as_other_programs_add_them(get_lines: Callable[[], Iterable[MjaiLine]]) -> None:
    points: list[int] = []
    accepted = 0
    for line in get_lines():
        if line["type"] == "start_kyoku":
            points = list(line["scores"])
        if line["type"] == "reach_accepted":
            points[line["actor"]] -= STICK
            accepted += 1
        if line.get("deltas"):
            points = [had + change for had, change in zip(points, line["deltas"], strict=True)]
            assert points == line["scores"]
    assert accepted > 0


def test_every_discard_follows_a_draw_or_a_call_and_the_first_dealer_is_0() -> None:
    drawer = None
    for line in live_lines(entries()):
        if line["type"] in ("tsumo", "chi", "pon", "reach"):
            drawer = line["actor"]
        if line["type"] == "dahai":
            assert drawer == line["actor"]
            drawer = None
    opening = next(line for line in live_lines(entries()) if line["type"] == "start_kyoku")
    assert (opening["oya"], opening["kyoku"]) == (0, 1)


@pytest.mark.parametrize("caller", [1, 3])
def test_nine_terminals_follow_the_draw_of_the_seat_that_called_them(caller: int) -> None:
    events = (
        f"start E1 scores=25000,25000,25000,25000 dora=1z; 0 discards 9m; abort nine_terminals by {caller}; confirm"
    )
    bodies = [GameOpened(ruleset=Ruleset()), *parse_events(f"{events}; confirm"), GameEnded()]
    game = [Entry(number=number, envelope=ENVELOPE, body=body) for number, body in enumerate(bodies, start=1)]
    exported = write_mjai(with_draws(record_of(game)))
    for lines in (live_lines(game), live_lines(game, len(game)), exported):
        *_, draw, end, _, _ = lines
        assert (draw["type"], draw["actor"], draw["pai"]) == ("tsumo", caller, "?")
        assert (end["type"], end["actor"]) == ("ryukyoku", caller)


def test_seats_are_counted_from_the_first_dealer() -> None:
    win = DeclaredWin(seat=SEATS[3], from_seat=SEATS[0], han=3, fu=40)
    result = DeclaredResult(kind=ResultKind.RON, wins=(win,), riichi=(SEATS[3], SEATS[2]))
    opening = GameOpened(ruleset=Ruleset(), names=("A", "B", "C", "D"), first_dealer=SEATS[2])
    bodies: tuple[Body, ...] = (opening, ResultDeclared(result=result), GameEnded())
    game = [Entry(number=number, envelope=ENVELOPE, body=body) for number, body in enumerate(bodies, start=1)]
    first, deal, hora, _, last = live_lines(game, len(game))
    assert first["names"] == ["C", "D", "A", "B"]
    assert deal["oya"] == 0
    assert (hora["actor"], hora["target"], hora["entered_riichi"]) == (1, 2, [1, 0])
    assert hora["deltas"] == [-1000, 6200, -5200, 0]
    assert last["scores"] == hora["scores"]


def test_names_and_rules_stand_at_the_start() -> None:
    first = next(live_lines(entries()))
    assert (first["type"], first["names"], first["ruleset"]) == ("start_game", ["A", "B", "C", "D"], "tenhou")


def test_a_correction_tells_the_hand_again_from_its_deal() -> None:
    game = entries()
    count = next(at for at, entry in enumerate(game) if isinstance(entry.body, Discarded)) + 3
    wrong = game[count - 3]
    assert isinstance(wrong.body, Discarded)
    other = Tile("9s") if wrong.body.tile is not Tile("9s") else Tile("8s")
    correction = Corrected(entry=wrong.number, event=replace(wrong.body, tile=other))
    live = LiveMjai()
    before = live.new_lines(game[:count])
    again = live.new_lines([*game[:count], Entry(number=1000, envelope=ENVELOPE, body=correction)])
    assert (again[0]["type"], again[0]["again"]) == ("start_kyoku", True)
    assert next(line for line in again if line["type"] == "dahai")["pai"] == other.text
    assert len(again) == len(before) - 1  # all but the start of the game
