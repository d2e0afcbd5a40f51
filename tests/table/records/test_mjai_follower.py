"""Who follows a stream counts each hand once, also if it is sent again, and has its last content."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from table.game.journal.entries import Body, Corrected, Entry, Envelope, GameOpened, Source
from table.records.mjai.from_journal.live_mjai import LiveMjai
from table.records.mjai_follower import MjaiFollower
from table.rulebook import rules_named
from table.rules.events import Discarded
from table.rules.notation.event_notation import parse_events
from table.rules.state import GameState
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.tiles import Tile

Lines = list[dict[str, Any]]
ENVELOPE: Final = Envelope(utc="2026-11-20T20:00:00.000+00:00", source=Source.CAMERA)
FIRST: Final = (
    "start E1 scores=25000,25000,25000,25000 dora=1z; 0 discards 9p; 1 discards 9s; 2 discards 1m; 3 discards 2m; "
    "0 discards 3m"
)
DRAWN: Final = "draw; 0 tenpai; 1 noten; 2 noten; 3 noten; confirm; confirm"
SECOND: Final = (
    "start E1 honba=1 scores=28000,24000,24000,24000 dora=2z; 0 discards 9p sideways; 0 stick; 1 discards 3m"
)


def journal(*parts: str) -> list[Entry]:
    events = parse_events("; ".join(parts))
    bodies: list[Body] = [GameOpened(ruleset=rules_named("home").ruleset, asks_for_sticks_in_play=False), *events]
    return [Entry(number=number, envelope=ENVELOPE, body=body) for number, body in enumerate(bodies, start=1)]


def corrected(entries: list[Entry]) -> list[Entry]:
    """The journal after people have corrected the second discard of the first hand."""
    number, discard = [(each.number, each.body) for each in entries if isinstance(each.body, Discarded)][1]
    correction = Corrected(entry=number, event=replace(discard, tile=Tile("8s")))
    return [*entries, Entry(number=len(entries) + 1, envelope=ENVELOPE, body=correction)]


def followed(lines: Lines) -> tuple[GameState, list[int | None], list[int | None]]:
    """The game, and the hands of which the start and the settlement were announced."""
    follower = MjaiFollower()
    said = [
        (logged.announcement.id, logged.hand)
        for line in lines
        for logged, _ in follower.announcements_after(json.dumps(line))
    ]
    started, confirmed = (
        [hand for each, hand in said if each is kind]
        for kind in (AnnouncementId.HAND_STARTED, AnnouncementId.SETTLEMENT_CONFIRMED)
    )
    return follower.state, started, confirmed


WHOLE: Final = LiveMjai().new_lines(journal(FIRST, DRAWN, SECOND, DRAWN))
K0, K1 = (number for number, line in enumerate(WHOLE) if line["type"] == "start_kyoku")
AGAIN: Final = [{**WHOLE[0], "again": True}, *WHOLE[1:]]


@pytest.mark.parametrize(
    ("lines", "started"),
    [
        (lambda: WHOLE, [0, 1]),
        (lambda: WHOLE[:K1] + WHOLE[K0:], [0, 1, 1]),
        (lambda: WHOLE[: K1 - 1] + WHOLE[K0:], [0, 1, 1]),
        (lambda: WHOLE[: K1 + 3] + WHOLE[K1:], [0, 1, 1]),
        (lambda: WHOLE[:K1] + WHOLE, [0, 1, 1]),
        (lambda: WHOLE[: K1 + 3] + WHOLE, [0, 1, 1, 1]),
        (lambda: WHOLE[:K1] + AGAIN, [0, 1, 1]),
        (lambda: WHOLE[: K0 + 3] + AGAIN, [0, 0, 1]),
        (lambda: WHOLE[: K1 + 3] + AGAIN, [0, 1, 1, 1]),
    ],
    ids=[
        "once",
        "finished",
        "finished without its end",
        "open",
        "whole game",
        "whole game in its second hand",
        "marked game",
        "marked game in its first hand",
        "marked game in its second hand",
    ],
)
def test_a_hand_that_is_sent_again_unchanged_counts_once(lines: Callable[[], Lines], started: list[int]) -> None:
    state, found, confirmed = followed(lines())
    expected, *_ = followed(WHOLE)
    assert (state.history, state.scores, state.live) == (expected.history, expected.scores, None)
    assert found == started
    assert confirmed[-1] == 1


def test_a_hand_in_play_that_is_sent_again_with_a_correction_has_the_corrected_content() -> None:
    live, entries = LiveMjai(), journal(FIRST)
    lines = live.new_lines(entries)
    entries = corrected(entries)
    lines += live.new_lines(entries)
    rest = journal(DRAWN, SECOND, DRAWN)[1:]
    entries += [replace(each, number=len(entries) + place) for place, each in enumerate(rest, start=1)]
    lines += live.new_lines(entries)
    state, found, _ = followed(lines)
    expected, *_ = followed(LiveMjai().new_lines(corrected(journal(FIRST, DRAWN, SECOND, DRAWN))))
    assert (state.history, state.scores, state.live) == (expected.history, expected.scores, None)
    assert found == [0, 0, 1]
