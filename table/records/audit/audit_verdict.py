"""Compares a record's statements about a game with the results of the rules; unstated facts are not compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from table.records.formats.game_record import HandRecord, RecordedWin
from table.rules.state import FinishedHand
from table.rules.terms.amounts import amount
from table.rules.terms.results import Deltas, Settlement, Win
from table.rules.terms.seats import Seat

PAYMENTS: Final = frozenset(("points", "deltas", "scores", "chips", "final"))
"""Fields that depend on payments, which differ under other rules."""


def verdict(hands: int, disagreeing: int) -> str:
    """Returns how many hands were compared and how many of them disagree: `1 hand, 0 disagree`."""
    return f"{amount(hands, 'hand')}, {disagreeing} {'disagrees' if disagreeing == 1 else 'disagree'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One fact on which the record and the rules disagree."""

    fact: str
    record: object
    rules: object
    seat: Seat | None = None
    """The winner concerned, if a hand has several."""

    def as_json(self) -> dict[str, Any]:
        """Returns the object of the JSON contract."""
        seat = {} if self.seat is None else {"seat": int(self.seat)}
        return {"what": self.fact, **seat, "record": self.record, "rules": self.rules}

    def as_text(self, record: str = "the record says", rules: str = "the rules find") -> str:
        """Returns one line for people, with the given words before the two values."""
        owner = "" if self.seat is None else f" of seat {int(self.seat)}"
        return f"{self.fact}{owner}: {record} {_value_text(self.record)}, {rules} {_value_text(self.rules)}"


def record_statements(hand: HandRecord, next_scores: Deltas | None) -> dict[str, Any]:
    """Returns a record's statements about a hand, by field; None if unstated.

    Args:
        hand: the hand.
        next_scores: the points at the start of the record's next hand, without what people corrected; None without one.
    """
    other_scores = (points for points in (hand.recorded_scores, next_scores) if points not in (None, hand.scores))
    scores = next(other_scores, hand.scores)
    return {
        "riichi": _numbers(hand.riichi),
        "result": hand.kind.value,
        "abort": "" if hand.reason is None else hand.reason.value,
        "deltas": None if hand.deltas is None else list(hand.deltas),
        "scores": None if scores is None else list(scores),
        "chips": None if hand.chips is None else list(hand.chips),
    }


def settlement_statements(settlement: Settlement) -> dict[str, Any]:
    """Returns the statements of a settlement that people confirmed."""
    return {
        "result": settlement.kind.value,
        "abort": "" if settlement.reason is None else settlement.reason.value,
        "deltas": list(settlement.deltas),
        "chips": None if settlement.chips is None else list(settlement.chips),
    }


def rules_results(settlement: Settlement, finished: FinishedHand, riichi: Sequence[Seat]) -> dict[str, Any]:
    """Returns the rules' results for a hand, by field."""
    return {**settlement_statements(settlement), "riichi": _numbers(riichi), "scores": list(finished.scores)}


def disagreements(
    statements: Mapping[str, Any],
    results: Mapping[str, Any],
    *,
    wins: Sequence[RecordedWin | Win],
    found_wins: Sequence[Win],
    same_rules: bool,
) -> list[Disagreement]:
    """Returns every fact on which record and rules disagree.

    Args:
        statements: the record's statements, by field; None if unstated.
        results: the rules' results.
        wins: the record's wins.
        found_wins: the wins by the rules.
        same_rules: whether the rules are those of the record; otherwise payments are not compared.
    """
    by_field = (
        Disagreement(
            fact=fact, record=record or _null_if_empty(record), rules=results[fact] or _null_if_empty(results[fact])
        )
        for fact, record in statements.items()
        if record is not None and record != results[fact]
    )
    found = [*by_field, *win_disagreements(wins, found_wins)]
    return [disagreement for disagreement in found if same_rules or disagreement.fact not in PAYMENTS]


def final_disagreement(record: Deltas | None, rules: Sequence[int], *, same_rules: bool) -> list[Disagreement]:
    """Returns the disagreement on the final points, as a list of none or one."""
    if record is None or list(record) == list(rules) or not same_rules:
        return []
    return [Disagreement(fact="final", record=list(record), rules=list(rules))]


def _null_if_empty(value: object) -> object:
    """Returns null for an empty text, which means "none" in the contract."""
    return None if value == "" else value


def _numbers(seats: Sequence[Seat]) -> list[int]:
    return [int(seat) for seat in seats]


def win_disagreements(
    record_wins: Sequence[RecordedWin | Win], rules_wins: Sequence[RecordedWin | Win]
) -> Iterator[Disagreement]:
    """Yields the disagreements win by win; if the winners differ, only that."""
    winners, found_winners = (
        [[int(win.seat), int(win.from_seat)] for win in wins] for wins in (record_wins, rules_wins)
    )
    if winners != found_winners:
        yield Disagreement(fact="wins", record=winners, rules=found_winners)
        return
    for win, by_rules in zip(record_wins, rules_wins, strict=True):
        seat = win.seat if len(record_wins) > 1 else None
        for fact, value in _win_facts(win).items():
            computed = _win_facts(by_rules)[fact]
            if value is not None and computed != value:
                yield Disagreement(fact=fact, record=value, rules=computed, seat=seat)


def _win_facts(win: RecordedWin | Win) -> dict[str, Any]:
    """Returns the value of a win; a yakuman has no han, and its fu are meaningless."""
    is_valued = win.yaku is not None or win.han is not None or win.yakuman > 0
    return {
        "yaku": None if win.yaku is None else sorted([name, han] for name, han in win.yaku),
        "yakuman": win.yakuman if is_valued else None,
        "han": win.han,
        "fu": None if win.yakuman else win.fu,
        "points": win.points,
    }


def _value_text(value: object) -> str:
    if value is None or value == []:
        return "none"
    if not isinstance(value, list):
        return str(value)
    return ", ".join(" ".join(map(str, item)) if isinstance(item, list) else str(item) for item in value)
