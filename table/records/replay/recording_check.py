"""Compares the replay of a recording with its ground truth."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from table.records.audit.audit_verdict import Disagreement, record_statements, win_disagreements
from table.records.audit.record_values import with_values
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
    truth: Iterable[Mapping[str, Any]], events: Iterable[Mapping[str, Any]], *, ruleset: Ruleset, source: str
) -> Iterator[CheckedHand]:
    """Yields the differences between replay and truth, hand by hand; a missing hand differs as a whole.

    Args:
        truth: the lines of truth.mjson.
        events: the lines of the replay.
        ruleset: the recording's rules, to compute values that the lines lack.
        source: the recording's name in messages.

    Raises:
        RecordError: the lines are not a game.
    """
    truth_game, replay_game = _record(truth, ruleset, f"{source}, truth"), _record(events, ruleset, f"{source}, replay")
    for number, (truth_hand, replay_hand) in enumerate(zip_longest(truth_game.hands, with_values(replay_game).hands)):
        yield CheckedHand(number=number, disagreements=_differences(truth_hand, replay_hand))


def _record(lines: Iterable[Mapping[str, Any]], ruleset: Ruleset, source: str) -> GameRecord:
    text = "\n".join(json.dumps(dict(line)) for line in lines)
    return replace(read_mjai(text.encode(), source), ruleset=ruleset)


def _differences(truth: HandRecord | None, replay: HandRecord | None) -> list[Disagreement]:
    if truth is None or replay is None:
        present, absent = "a whole hand", "no whole hand"
        return [
            Disagreement(fact="hand", record=present if truth else absent, rules=present if replay else absent),
        ]
    truth_facts, replay_facts = _hand_facts(truth), _hand_facts(replay)
    by_field = [
        Disagreement(fact=fact, record=value, rules=replay_facts[fact])
        for fact, value in truth_facts.items()
        if value is not None and value != replay_facts[fact]
    ]
    return [*by_field, *win_disagreements(truth.wins, replay.wins)]


def _hand_facts(hand: HandRecord) -> dict[str, Any]:
    """Returns the statements of a recording's lines about a hand, by field."""
    deal, moves = hand.deal, hand.moves
    rivers = [
        " ".join(move.tile.text for move in moves if isinstance(move, Discarded) and move.seat is seat)
        for seat in SEATS
    ]
    calls = [
        f"{int(move.seat)} {_call_text(move)}" for move in moves if isinstance(move, Called | AddedKan | ClosedKan)
    ]
    indicators = [deal.indicator, *(move.indicator for move in moves if isinstance(move, DoraTurned))]
    return {
        "round": f"{deal.round!r}-{deal.honba}, {amount(deal.deposits, 'stick')}, seat {int(deal.dealer)} deals",
        "dora indicators": " ".join(tile.text for tile in indicators),
        **{f"discards of seat {int(seat)}": river for seat, river in zip(SEATS, rivers, strict=True)},
        "calls": calls,
        **record_statements(hand, None),
    }


def _call_text(move: Called | AddedKan | ClosedKan) -> str:
    match move:
        case Called():
            own_tiles = "".join(sorted(tile.text for tile in move.own))
            return f"{move.kind.mjai} {move.tile.text} from {int(move.from_seat)} with {own_tiles}"
        case AddedKan():
            return f"kakan {move.tile.text}"
        case ClosedKan():
            return f"ankan {move.tiles[0].text}"
