"""Converts a game record to the journal that a table would have kept of it."""

from __future__ import annotations

from collections.abc import Iterator

from table.game.journal.entries import Body, Entry, Envelope, GameOpened, Source
from table.records.audit.seen_events import seen_events
from table.records.formats.game_record import GameRecord
from table.rules.events import GameEnded, PointsAdjusted
from table.rules.terms.seats import SEATS


def journal_of(record: GameRecord) -> tuple[Entry, ...]:
    """Returns the entries of a game, from its opening, without times.

    A whole game ends with its record, also where the rules would continue.
    """
    envelope = Envelope(utc="", source=Source.CAMERA)
    return tuple(
        Entry(number=number, envelope=envelope, body=body) for number, body in enumerate(_bodies(record), start=1)
    )


def _bodies(record: GameRecord) -> Iterator[Body]:
    first_dealer = record.hands[0].deal.dealer if record.hands else SEATS[0]
    yield GameOpened(
        ruleset=record.ruleset, names=record.names, first_dealer=first_dealer, asks_for_sticks_in_play=False
    )
    for hand in record.hands:
        yield from seen_events(hand)
    if (corrected := record.corrected) is not None:
        yield PointsAdjusted(points=corrected.points, sticks=corrected.sticks, reason="corrected by hand")
    if record.cut_short is None:
        yield GameEnded()  # refused, and so without effect, if the rules have ended the game
