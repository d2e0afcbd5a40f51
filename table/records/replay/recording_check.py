"""Compares the replay of a recording with its ground truth."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from table.records.audit.audit_verdict import Disagreement, record_statements, win_disagreements
from table.records.audit.record_values import valued
from table.records.formats.game_record import GameRecord, HandRecord
from table.records.mjai.mjai_reader import read_mjai
from table.rules.events import AddedKan, Called, ClosedKan, Discarded, DoraTurned
from table.rules.ruleset import Ruleset
from table.rules.terms.amounts import amount
from table.rules.terms.seats import SEATS


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedHand:
    """One hand of a recording."""

    number: int
    disagreements: Sequence[Disagreement]
    """The differences: `record` is the truth, `rules` what was read."""


def checked_hands(
    truth: Iterable[Mapping[str, Any]], events: Iterable[Mapping[str, Any]], *, ruleset: Ruleset, where: str
) -> Iterator[CheckedHand]:
    """Yields the differences between replay and truth, hand by hand; a missing hand differs as a whole.

    Args:
        truth: the lines of truth.mjson.
        events: the lines of the replay.
        ruleset: the recording's rules, to compute values that the lines lack.
        where: the recording's name in messages.

    Raises:
        RecordError: the lines are not a game.
    """
    told, found = _record(truth, ruleset, f"{where}, truth"), _record(events, ruleset, f"{where}, replay")
    for number, (one, other) in enumerate(zip_longest(told.hands, valued(found).hands)):
        yield CheckedHand(number=number, disagreements=_differences(one, other))


def _record(lines: Iterable[Mapping[str, Any]], ruleset: Ruleset, where: str) -> GameRecord:
    text = "\n".join(json.dumps(dict(line)) for line in lines)
    return replace(read_mjai(text.encode(), where), ruleset=ruleset)


def _differences(told: HandRecord | None, found: HandRecord | None) -> list[Disagreement]:
    if told is None or found is None:
        there, absent = "a whole hand", "no whole hand"
        return [
            Disagreement(what="hand", record=there if told else absent, rules=there if found else absent),
        ]
    record, read = _facts(told), _facts(found)
    by_field = [
        Disagreement(what=what, record=value, rules=read[what])
        for what, value in record.items()
        if value is not None and value != read[what]
    ]
    return [*by_field, *win_disagreements(told.wins, found.wins)]


def _facts(hand: HandRecord) -> dict[str, Any]:
    """Returns the statements of a recording's lines about a hand, by field."""
    deal, moves = hand.deal, hand.moves
    rivers = [
        " ".join(move.tile.text for move in moves if isinstance(move, Discarded) and move.seat is seat)
        for seat in SEATS
    ]
    calls = [f"{int(move.seat)} {_called(move)}" for move in moves if isinstance(move, Called | AddedKan | ClosedKan)]
    indicators = [deal.indicator, *(move.indicator for move in moves if isinstance(move, DoraTurned))]
    return {
        "round": f"{deal.round!r}-{deal.honba}, {amount(deal.deposits, 'stick')}, seat {int(deal.dealer)} deals",
        "dora indicators": " ".join(tile.text for tile in indicators),
        **{f"discards of seat {int(seat)}": river for seat, river in zip(SEATS, rivers, strict=True)},
        "calls": calls,
        **record_statements(hand, None),
    }


def _called(move: Called | AddedKan | ClosedKan) -> str:
    match move:
        case Called():
            own = "".join(sorted(tile.text for tile in move.own))
            return f"{move.kind.mjai} {move.tile.text} from {int(move.from_seat)} with {own}"
        case AddedKan():
            return f"kakan {move.tile.text}"
        case ClosedKan():
            return f"ankan {move.tiles[0].text}"
