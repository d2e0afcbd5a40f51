"""``.venv/bin/python -m tests.benchmarks.refold``: how long the table thinks after somebody corrects a reading.

A correction folds the hand in play again, from its start; an edit of an earlier hand folds the whole game. Both are
timed on self-played games, as journals with every event of a camera that saw everything, the first discard corrected.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from table.game.journal.entries import Body, Corrected, Entry, Envelope, GameOpened, Source
from table.game.journal.fold import FoldedGame, fold, opened_game
from table.records.audit.seen_events import seen_events
from table.records.formats.game_record import GameRecord
from table.rules.events import Discarded
from tests.table.records.selfplay import selfplay_game

GAMES: Final = range(1, 13)
RUNS: Final = 5
PI_FACTOR: Final = 8
"""Assumed, not measured: how many times slower than this machine a Raspberry Pi 4 runs Python."""
FELT_MS: Final = 1000
"""What a correction may take on a Pi."""


def main() -> int:
    """Prints the longest times; returns 1 if one would be felt on a Pi."""
    games = [journal(selfplay_game(seed)) for seed in GAMES]
    hands = [_refold_ms(start, entries) for game in games for start, entries in in_hands(game)]
    whole = [_refold_ms(opened_game(game[0]), game[1:]) for game in games]
    for name, times in (("a hand", hands), ("a whole game", whole)):
        longest = max(times)
        print(
            f"{name}: {len(times)} folded, median {statistics.median(times):.1f} ms, longest {longest:.1f} ms; "
            f"on a Pi 4, assumed to be {PI_FACTOR} times slower, {PI_FACTOR * longest:.0f} ms"
        )
    return 0 if PI_FACTOR * max(hands) < FELT_MS else 1


def journal(record: GameRecord) -> list[Entry]:
    """The journal of a game whose every event a camera saw and people pressed."""
    bodies: list[Body] = [GameOpened(ruleset=record.ruleset)]
    bodies += [event for hand in record.hands for event in seen_events(hand, record.ruleset)]
    envelope = Envelope(utc="2026-11-21T20:00:00.000+00:00", source=Source.CAMERA)
    return [Entry(number=number, envelope=envelope, body=body) for number, body in enumerate(bodies, start=1)]


def in_hands(entries: Sequence[Entry]) -> Iterator[tuple[FoldedGame, list[Entry]]]:
    """Yields the game at the start of each hand, with the hand's entries."""
    start = now = opened_game(entries[0])
    since: list[Entry] = []
    for entry in entries[1:]:
        since.append(entry)
        now = fold(now, [entry])
        if now.hand > start.hand:
            yield start, since
            start, since = now, []


def _refold_ms(start: FoldedGame, entries: Sequence[Entry]) -> float:
    """How long a fold takes in which the first discard is corrected into what it was: the shortest of some runs."""
    same = [Corrected(entry=entry.number, event=entry.body) for entry in entries if isinstance(entry.body, Discarded)]
    last = entries[-1]
    corrected = [*entries, *(replace(last, number=last.number + 1, body=body) for body in same[:1])]
    times = []
    for _ in range(RUNS):
        began = time.process_time()
        fold(start, corrected)
        times.append(time.process_time() - began)
    return 1000 * min(times)


if __name__ == "__main__":
    sys.exit(main())
