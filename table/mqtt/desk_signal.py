"""The desk's message to all tables: the current round, when it ends, whether time was called, and who sits where.

It is one retained message. A table shows the clock and the names of those who sit down there, and records the round in
its journal; when time is called, it calls time in its game of that round. The desk cannot do anything else at a table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from table.game.journal.entries import NOBODY, Names
from table.game.journal.history.played_round import EVENT, PlayedRound
from table.game.snapshot import DeskClock, Snapshot
from table.rules.terms.seats import four
from table.runtime.person_name import checked_name
from vision.json_text import read_json

DESK: Final = "hall"
"""The desk's user at the broker, and the name under which it sends to all tables."""
SIGNAL: Final = f"{DESK}/signal"
"""The topic, below that of all tables; retained, so that a table that was offline gets it when it is back."""
OLD_AFTER: Final = timedelta(hours=12)
"""Age from which a message kept by the broker is from a past tournament: a running desk sends one every 30 seconds."""
_MOST_BYTES: Final = 256 * 1024
"""Limit of the message, in which the names of 400 players have room in every script."""
_MOST_TABLES: Final = 999
_MOST_LETTERS: Final = 60
"""Limit of a name in a message, as for a desk's players."""
_TOLERANCE: Final = timedelta(seconds=2)
_CALL_ID: Final = "time_signal"
_CLOCK_ID: Final = "round_clock"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskSignal:
    """The content of the message; all times are ISO 8601, UTC, by the desk's clock."""

    at: str
    """When time was called; before that, when the round began, or before the first round when this was sent."""
    is_called: bool
    """Whether time was called."""
    event: str = ""
    """The tournament's name; empty from a desk of an earlier version."""
    round: int = 0
    """From 1; 0 before the first round."""
    until: str = ""
    """When time will be called; empty if people call it, or it was called."""
    sent: str = ""
    """When it was sent."""
    desk: str = ""
    """The name of the desk that sends it, the same after every start; empty from a desk of an earlier version."""
    seated: Mapping[str, Names] = field(default_factory=dict)
    """Who sits down at each table, from East on, by the table's name."""
    seated_round: int = 0
    """The round that they sit down for, from 1; after a call, or the end of all games, the next one; 0 without any."""
    is_kept: bool = False
    """Whether the broker may have kept it, so that it may have been sent long ago; not in the message."""

    @property
    def played_round(self) -> str:
        """The round as written in tables' journals; empty before the first."""
        if not self.event or not self.round:
            return ""
        return PlayedRound(event=self.event, number=self.round, is_called=self.is_called).text


def signal_message(signal: DeskSignal) -> str:
    """Returns the message as sent."""
    round_ = {"event": signal.event, "round": signal.round, "until": signal.until}
    kind = _CALL_ID if signal.is_called else _CLOCK_ID
    seated = {"seated": {"round": signal.seated_round, "tables": signal.seated}} if signal.seated else {}
    message = {"id": kind, "at": signal.at, **round_, "sent": signal.sent, "desk": signal.desk, **seated}
    return json.dumps(message, ensure_ascii=False)


def read_signal(payload: bytes) -> DeskSignal:
    """Reads the desk's message.

    Raises:
        ValueError: it is not such a message.
    """
    if len(payload) > _MOST_BYTES:
        raise ValueError(f"expected {_MOST_BYTES} bytes at most, got {len(payload)}")
    message = read_json(payload)
    if not isinstance(message, dict) or message.get("id") not in (_CALL_ID, _CLOCK_ID):
        raise ValueError(f"expected id as {_CALL_ID} or {_CLOCK_ID}")
    at, event, until, sent, desk = (message.get(name, "") for name in ("at", "event", "until", "sent", "desk"))
    round_ = _read_round(message.get("round", 0))
    if not all(isinstance(text, str) for text in (at, event, until, sent, desk)):
        raise ValueError("expected at, event, until, sent and desk as texts")
    if event and not re.fullmatch(EVENT, event):
        raise ValueError("expected event as the name of a tournament")
    for time in (at, *filter(None, (until, sent))):
        sent_moment(time)
    seated_round, seated = _read_seated(message.get("seated"))
    return DeskSignal(
        at=at,
        is_called=message["id"] == _CALL_ID,
        event=event,
        round=round_,
        until=until,
        sent=sent,
        desk=desk,
        seated=seated,
        seated_round=seated_round,
    )


def _read_round(round_: object) -> int:
    if not isinstance(round_, int) or isinstance(round_, bool) or not 0 <= round_ <= 999:
        raise ValueError("expected round as a whole number from 0 to 999")
    return round_


def _read_seated(seated: object) -> tuple[int, dict[str, Names]]:
    """Reads for which round people sit down, and who sits where; 0 and nobody if the message lacks it.

    Raises:
        ValueError: no desk sends such a message.
    """
    if seated is None:
        return 0, {}
    if not isinstance(seated, dict) or not isinstance(seated.get("tables"), dict):
        raise ValueError("expected seated with round and tables")
    tables: dict[str, object] = seated["tables"]
    if len(tables) > _MOST_TABLES:
        raise ValueError(f"expected {_MOST_TABLES} tables at most")
    return _read_round(seated.get("round")), {table: _read_names(names) for table, names in tables.items()}


def _read_names(names: object) -> Names:
    if not isinstance(names, list) or len(names) != 4:
        raise ValueError("expected four names for each table")
    if not all(isinstance(name, str) for name in names):
        raise ValueError("expected names as texts")
    return four(checked_name(name, most=_MOST_LETTERS) for name in names)


def moment(text: str) -> datetime:
    """Reads a moment; without a time zone, it is in UTC.

    Raises:
        ValueError: it is not a moment.
    """
    parsed = datetime.fromisoformat(text)
    return parsed if parsed.tzinfo is not None else parsed.replace(tzinfo=UTC)


def sent_moment(text: str) -> datetime:
    """Reads a moment in a message of another machine, whose clock may be wrong, but not by centuries.

    Raises:
        ValueError: it is not a moment, or so far away that computing with it could fail.
    """
    parsed = moment(text)
    if not 1970 <= parsed.year <= 2200:
        raise ValueError(f"expected a year from 1970 to 2200, got {parsed.year}")
    return parsed


class DeskTime:
    """Converts the desk's times to the table's own clock, which may be wrong.

    A message that has just been sent shows by how much the clocks differ. A message kept by the broker may be old:
    until the difference is known, the clocks are assumed to agree, unless the message would then be from the future or
    older than `OLD_AFTER`. The clock of a past tournament never starts, even if the broker keeps it for weeks.
    """

    def __init__(self) -> None:
        """Starts without a known difference."""
        self._difference: timedelta | None = None

    def clock(self, signal: DeskSignal, now: str, table: str = "") -> DeskClock:
        """Returns the common clock in terms of the table's own, which shows `now`, and who sits at `table`."""
        since = moment(now) - moment(signal.sent) if signal.sent else timedelta(0)
        if not signal.is_kept:
            self._difference = since
        difference = self._difference or timedelta(0)
        is_over = since - difference > OLD_AFTER
        if not timedelta(0) <= since - difference <= OLD_AFTER:
            difference = since
        until, called_at = (
            (moment(time) + difference).isoformat(timespec="seconds") if time else ""
            for time in (signal.until, signal.at if signal.is_called else "")
        )
        seated = NOBODY if is_over else signal.seated.get(table, NOBODY)
        people = DeskClock(round="", seated_names=seated, seated_round=signal.seated_round if any(seated) else 0)
        if signal.is_called:
            return replace(people, round=signal.played_round, called_at=called_at)
        has_ended = is_over or (signal.is_kept and until and moment(until) <= moment(now))
        return replace(people, round="" if is_over else signal.played_round, until="" if has_ended else until)


def applies_to_game(signal: DeskSignal, snapshot: Snapshot) -> bool:
    """Returns whether a call of time applies to the game on the table: one of that round, or of an earlier one.

    If a game began before its table knew of any round, the call must end the round that the table knows now. If rounds
    do not decide, the clocks do.
    """
    clock = snapshot.desk
    game = PlayedRound.parse(snapshot.round)
    if signal.event and game is not None and game.event == signal.event:
        return game.earliest <= signal.round
    if signal.event and clock is not None and clock.round == replace(signal, is_called=False).played_round:
        return True
    try:
        return moment(snapshot.opened_at) <= moment(signal.at)
    except ValueError:
        return True


def is_same_clock(one: DeskClock, other: DeskClock) -> bool:
    """Returns whether two readings of the common clock and the seats agree, apart from the messages' delays."""
    people = [(each.round, each.seated_names, each.seated_round) for each in (one, other)]
    return people[0] == people[1] and all(
        before == after or bool(before and after and abs(moment(before) - moment(after)) <= _TOLERANCE)
        for before, after in ((one.until, other.until), (one.called_at, other.called_at))
    )
