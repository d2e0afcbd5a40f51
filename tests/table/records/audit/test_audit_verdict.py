"""Whatever a record tells otherwise than the rules find is found; what it does not tell is not compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from table.records.audit.audit_verdict import PAYMENTS, Disagreement
from table.records.audit.game_audit import audit_game
from table.records.audit.record_values import with_values
from table.records.formats.game_record import GameRecord, HandRecord
from table.records.tenhou.mjlog_reader import read_mjlog
from table.rulebook.ruleset_reader import preset_rules
from table.rules.events import Discarded, StickPlaced
from table.rules.ruleset import Ruleset
from table.rules.terms.results import AbortReason, ResultKind
from table.rules.terms.seats import four
from tests.table.records.selfplay import selfplay_game

SEED = 1
DRAWN = 2
"""A game with draws."""


def found_in(record: GameRecord, ruleset: Ruleset | None = None) -> list[Disagreement]:
    return [
        disagreement
        for audited in audit_game(record, log="x", ruleset=ruleset)
        for disagreement in audited.disagreements
    ]


def stated_game() -> GameRecord:
    """A game whose record tells all there is."""
    record = with_values(selfplay_game(SEED))
    return replace(record, final=record.hands[-1].scores)


def altered_record(
    record: GameRecord, at: Callable[[HandRecord], bool], change: Callable[[HandRecord], HandRecord]
) -> Any:
    place = next(number for number, hand in enumerate(record.hands) if at(hand))
    hands = [change(hand) if number == place else hand for number, hand in enumerate(record.hands)]
    return replace(record, hands=tuple(hands))


def is_won(hand: HandRecord) -> bool:
    return bool(hand.wins) and not hand.wins[0].yakuman


def win(**facts: object) -> Callable[[HandRecord], HandRecord]:
    return lambda hand: replace(hand, wins=(replace(hand.wins[0], **facts), *hand.wins[1:]))  # type: ignore[arg-type]


def without_stick(hand: HandRecord) -> HandRecord:
    """As if the record said that the riichi was never accepted; the discard still lies sideways."""
    return replace(hand, moves=tuple(move for move in hand.moves if not isinstance(move, StickPlaced)))


def in_riichi(hand: HandRecord) -> bool:
    last = [move for move in hand.moves if isinstance(move, Discarded)][-1]
    return bool(hand.riichi) and not last.sideways


@pytest.mark.parametrize("lacking", ["points", "yaku", "han", "fu"])
def test_what_a_record_does_not_tell_of_a_wins_value_is_added_if_the_rules_agree_with_the_rest(lacking: str) -> None:
    record = stated_game()
    silent_record = altered_record(record, is_won, win(**{lacking: None}))
    assert silent_record != record
    assert with_values(silent_record) == record
    if lacking != "points":
        odd_record = altered_record(record, is_won, win(**{lacking: None, "points": 123_400}))
        assert with_values(odd_record) == odd_record


def test_the_rules_agree_with_a_record_that_tells_everything() -> None:
    assert found_in(stated_game()) == []


@pytest.mark.parametrize(
    ("fact", "at", "change"),
    [
        ("yaku", is_won, win(yaku=(("ryanpeikou", 3),))),
        ("han", is_won, win(han=11)),
        ("fu", is_won, win(fu=110)),
        ("points", is_won, win(points=100)),
        ("yakuman", is_won, win(yakuman=2)),
        ("deltas", is_won, lambda hand: replace(hand, deltas=(100, -100, 0, 0))),
        ("scores", is_won, lambda hand: replace(hand, recorded_scores=(1, 2, 3, 4))),
        ("riichi", in_riichi, without_stick),
    ],
)
def test_each_fact_that_is_changed_is_found(
    fact: str, at: Callable[[HandRecord], bool], change: Callable[[HandRecord], HandRecord]
) -> None:
    whole = stated_game()
    found = found_in(altered_record(whole, at, change))
    assert fact in {one.fact for one in found}
    assert all(one.record != one.rules for one in found)


def test_points_that_the_next_hand_begins_with_are_the_ones_after_the_hand() -> None:
    whole = stated_game()
    second = whole.hands[1]
    deal = replace(second.deal, scores=four(score + 100 for score in second.deal.scores))
    record = replace(whole, hands=(whole.hands[0], replace(second, deal=deal, recorded_scores=None), *whole.hands[2:]))
    assert "scores" in {disagreement.fact for disagreement in found_in(record)}


def test_another_end_of_a_hand_is_found() -> None:
    record = altered_record(
        selfplay_game(DRAWN),
        lambda hand: hand.kind is ResultKind.DRAW and hand.reason is None,
        lambda hand: replace(hand, reason=AbortReason.NAGASHI),
    )
    assert {"abort"} <= {disagreement.fact for disagreement in found_in(record)}


def test_other_points_at_the_end_are_found() -> None:
    found = found_in(replace(stated_game(), final=(1, 2, 3, 4)))
    assert [(one.fact, one.record) for one in found] == [("final", [1, 2, 3, 4])]


def test_what_a_record_does_not_tell_is_not_compared() -> None:
    assert found_in(selfplay_game(SEED)) == []


def test_by_other_rules_payments_are_not_compared() -> None:
    whole = stated_game()
    record = replace(
        altered_record(whole, is_won, lambda hand: win(points=100)(replace(hand, deltas=(100, -100, 0, 0)))),
        final=(1, 2, 3, 4),
    )
    assert {"points", "deltas", "final"} <= {disagreement.fact for disagreement in found_in(record, whole.ruleset)}
    for name in ("wrc-2025", "ema-2025", "m-league"):
        assert PAYMENTS.isdisjoint(disagreement.fact for disagreement in found_in(record, preset_rules(name).switches))


def plus_one(place: int) -> Callable[[list[str]], list[str]]:
    return lambda parts: [str(int(part) + 1) if at == place else part for at, part in enumerate(parts)]


def to_25(parts: list[str]) -> list[str]:
    return ["25", *parts[1:]]


@pytest.mark.parametrize(
    ("tag", "attribute", "change", "fact"),
    [
        ("AGARI", "ten", plus_one(0), "fu"),
        ("AGARI", "ten", plus_one(1), "points"),
        ("AGARI", "yaku", plus_one(1), "han"),
        ("AGARI", "yaku", to_25, "yaku"),
        ("AGARI", "sc", plus_one(1), "deltas"),
        ("AGARI", "sc", plus_one(0), "scores"),
        ("INIT", "ten", plus_one(0), "scores"),
        ("INIT", "seed", plus_one(1), "deltas"),
        ("AGARI", "owari", plus_one(0), "final"),
    ],
)
def test_each_number_that_is_changed_in_a_real_record_is_found(
    shared: Path, tag: str, attribute: str, change: Callable[[list[str]], list[str]], fact: str
) -> None:
    text = sorted((shared / "logs" / "tenhou").glob("*.mjlog"))[3].read_text(encoding="utf-8")
    assert found_in(read_mjlog(text.encode(), "x")) == []
    place = [match for match in re.finditer(rf'<{tag}[^>]*\b{attribute}="([^"]*)"', text) if "yakuman" not in match[0]]
    match = place[1] if tag == "INIT" else place[0]
    numbers = ",".join(change(match[1].split(",")))
    altered = text[: match.start(1)] + numbers + text[match.end(1) :]
    assert fact in {disagreement.fact for disagreement in found_in(read_mjlog(altered.encode(), "x"))}
