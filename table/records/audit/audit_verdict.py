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


def verdict(hands: int, disagree: int) -> str:
    """Returns how many hands were compared and how many of them disagree: `1 hand, 0 disagree`."""
    return f"{amount(hands, 'hand')}, {disagree} {'disagrees' if disagree == 1 else 'disagree'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One fact on which the record and the rules disagree."""

    what: str
    record: object
    rules: object
    seat: Seat | None = None
    """The winner concerned, if a hand has several."""

    def as_json(self) -> dict[str, Any]:
        """Returns the object of the JSON contract."""
        seat = {} if self.seat is None else {"seat": int(self.seat)}
        return {"what": self.what, **seat, "record": self.record, "rules": self.rules}

    def in_words(self, record: str = "the record says", rules: str = "the rules find") -> str:
        """Returns one line for people, with the given words before the two values."""
        whose = "" if self.seat is None else f" of seat {int(self.seat)}"
        return f"{self.what}{whose}: {record} {_words(self.record)}, {rules} {_words(self.rules)}"


def record_statements(hand: HandRecord, after: Deltas | None) -> dict[str, Any]:
    """Returns a record's statements about a hand, by field; None if unstated.

    Args:
        hand: the hand.
        after: the points at the start of the record's next hand, without what people corrected; None without one.
    """
    otherwise = (points for points in (hand.told_scores, after) if points not in (None, hand.scores))
    scores = next(otherwise, hand.scores)
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
    told: Mapping[str, Any],
    found: Mapping[str, Any],
    *,
    wins: Sequence[RecordedWin | Win],
    found_wins: Sequence[Win],
    same_rules: bool = True,
) -> list[Disagreement]:
    """Returns every fact on which record and rules disagree.

    Args:
        told: the record's statements, by field; None if unstated.
        found: the rules' results.
        wins: the record's wins.
        found_wins: the wins by the rules.
        same_rules: whether the rules are those of the record; otherwise payments are not compared.
    """
    by_field = (
        Disagreement(what=what, record=record or _nothing(record), rules=found[what] or _nothing(found[what]))
        for what, record in told.items()
        if record is not None and record != found[what]
    )
    each = [*by_field, *win_disagreements(wins, found_wins)]
    return [one for one in each if same_rules or one.what not in PAYMENTS]


def final_disagreement(record: Deltas | None, rules: Sequence[int], *, same_rules: bool) -> list[Disagreement]:
    """Returns the disagreement on the final points, as a list of none or one."""
    if record is None or list(record) == list(rules) or not same_rules:
        return []
    return [Disagreement(what="final", record=list(record), rules=list(rules))]


def _nothing(value: object) -> object:
    """Returns null for an empty text, which means "none" in the contract."""
    return None if value == "" else value


def _numbers(seats: Sequence[Seat]) -> list[int]:
    return [int(seat) for seat in seats]


def win_disagreements(told: Sequence[RecordedWin | Win], found: Sequence[RecordedWin | Win]) -> Iterator[Disagreement]:
    """Yields the disagreements win by win; if the winners differ, only that."""
    record, rules = ([[int(win.seat), int(win.from_seat)] for win in wins] for wins in (told, found))
    if record != rules:
        yield Disagreement(what="wins", record=record, rules=rules)
        return
    for win, by_rules in zip(told, found, strict=True):
        seat = win.seat if len(told) > 1 else None
        for what, value in _facts(win).items():
            computed = _facts(by_rules)[what]
            if value is not None and computed != value:
                yield Disagreement(what=what, record=value, rules=computed, seat=seat)


def _facts(win: RecordedWin | Win) -> dict[str, Any]:
    """Returns the value of a win; a yakuman has no han, and its fu are meaningless."""
    is_told = win.yaku is not None or win.han is not None or win.yakuman > 0
    return {
        "yaku": None if win.yaku is None else sorted([name, han] for name, han in win.yaku),
        "yakuman": win.yakuman if is_told else None,
        "han": win.han,
        "fu": None if win.yakuman else win.fu,
        "points": win.points,
    }


def _words(value: object) -> str:
    if value is None or value == []:
        return "none"
    if not isinstance(value, list):
        return str(value)
    return ", ".join(" ".join(map(str, each)) if isinstance(each, list) else str(each) for each in value)
