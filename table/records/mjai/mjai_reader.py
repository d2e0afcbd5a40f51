"""Reads mjai: one JSON object per line, in game order.

It reads both the common form (with all hands and draws) and our own recordings (without draws, hidden tiles ``?``, with
the shown hand at the win). Facts that a record lacks (han, fu, points) are None.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Final

from table.game.journal.entries import NOBODY, Names
from table.records.formats.checked_values import four_numbers, object_of, text_of
from table.records.formats.game_record import GameRecord, HandRecord, PointCorrection, names_of
from table.records.formats.header_rules import rules_in
from table.records.formats.json_kind import json_kind
from table.records.formats.late_penalties import dues_in, earlier_dues_in
from table.records.mjai.fields.mjai_corrections import corrected_in
from table.records.mjai.fields.mjai_line import ReadLine
from table.records.mjai.mjai_hand import ACTS, MjaiHand
from table.rulebook.ruleset_reader import SHIPPED, preset_rules
from table.rules.penalties.consequence import Due
from table.rules.ruleset import Ruleset
from table.rules.terms.amounts import amount
from table.rules.terms.results import STICK, Deltas, ResultKind, subtract
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS, four
from table.runtime.table_errors import RecordError, TachiaiError
from vision.json_text import read_any_json

_EAST_ONLY: Final = 4
"""The `kyoku_first` of an East-only game; an East-South game has 0."""
_FIRST_TYPES: Final = frozenset(("start_game", "start_kyoku"))
_IGNORED: Final = frozenset(("none", "hello", "start_game", "tehai", "error"))


def read_mjai(data: bytes, source: str) -> GameRecord:
    """Reads one game.

    Args:
        data: the lines.
        source: their name in messages.

    Raises:
        RecordError: for a three-player game, or lines that are not a game.
    """
    reader = MjaiReader(source=source)
    lines = data.splitlines()  # of the bytes: lines of the text would also end at characters that a name may contain
    for number, line in enumerate(lines, start=1):
        text = line.decode("utf-8", errors="replace")
        if text.strip() and not reader.read_line(text, number, is_last=number == len(lines)):
            break
    return reader.record()


@dataclass(slots=True)
class MjaiReader:
    """Reads the lines of one game in order."""

    source: str
    ruleset: Ruleset = field(default_factory=lambda: preset_rules("tenhou").switches)
    hand: MjaiHand | None = None
    """The hand being read."""
    hands: list[HandRecord] = field(default_factory=list)
    final: Deltas | None = None
    corrected: PointCorrection | None = None
    """What was corrected by hand after the last hand."""
    dues: tuple[Due, ...] = ()
    """The penalties at the end of the game."""
    earlier_dues: tuple[Due, ...] = ()
    """Those of them for fouls before the last hand."""
    has_ended: bool = False
    has_begun: bool = False
    """Whether a line began a game or a hand, so that this is no other kind of file."""
    unsettled_count: int = 0
    """The hands that nobody settled before the next deal, seen by `end_kyoku` with `inferred`; they are left out."""
    missing_part: str | None = None
    repeated: list[int] = field(default_factory=list)
    """The hands that were repeated, counted from 0, as by a logger that reconnects; they are left out."""
    hands_so_far: list[HandRecord] = field(default_factory=list)
    """Every hand so far, also those that a caller has taken out of `hands`."""
    names: Names = NOBODY

    def read_line(self, text: str, number: int, *, is_last: bool) -> bool:
        """Reads one line; returns whether reading can continue."""
        place = f"{self.source}, line {number}"
        try:
            line = read_any_json(text)
        except ValueError as error:
            if not is_last or not isinstance(error, json.JSONDecodeError):
                raise RecordError(f"{place}: expected a JSON object, got another text: {error}") from error
            self.missing_part = f"line {number} is cut off"
            return False
        try:
            self._read_act(line)
        except (TachiaiError, RulesError, KeyError, IndexError, TypeError, ValueError) as error:
            raise RecordError(f"{place}: {self._complaint(line, error)}") from error
        return True

    def _complaint(self, line: Any, error: Exception) -> str:
        """Returns what is wrong with a line; until a game has begun, without the line's content: it may be secret."""
        if not self.has_begun:
            return f"expected an act of a game, got {json_kind(line)}"
        if isinstance(error, TachiaiError | RulesError):
            return str(error)
        return f"expected an act of a game, got {json_kind(line)}: {error}"

    def record(self) -> GameRecord:
        """Returns the game read so far."""
        self._add_won_hand()
        if self.hand is not None or (self.unsettled_count and not self.hands):
            self.missing_part = self.missing_part or f"hand {len(self.hands)} has no end"
        elif not self.has_ended:
            self.missing_part = self.missing_part or f"the game has no end after {amount(len(self.hands), 'hand')}"
        if not self.hands and self.hand is None and not self.unsettled_count:
            raise RecordError(f"{self.source}: expected at least one start_kyoku, got none")
        return GameRecord(
            ruleset=self.ruleset,
            hands=tuple(self.hands),
            final=self.final,
            cut_short=self.missing_part,
            names=self.names,
            corrected=self.corrected,
            dues=self.dues,
            earlier_dues=self.earlier_dues,
            repeated=tuple(self.repeated),
        )

    def _add_won_hand(self) -> None:
        """Adds the hand being read if it was won, once no further winner can follow."""
        self._add(None if self.hand is None else self.hand.won())

    def _add(self, hand: HandRecord | None) -> None:
        """Adds an ended hand; None is one that goes on.

        A hand that equals an earlier one is a repetition: two hands with acts, and the points before them, never agree.
        """
        if hand is None:
            return
        self.hand = None
        if hand.moves and hand in self.hands_so_far:
            self.repeated.append(self.hands_so_far.index(hand))
        else:
            self.hands_so_far.append(hand)
            self.hands.append(hand)

    def _read_act(self, line: ReadLine) -> None:
        kind = text_of(object_of(line, "an act")["type"], "type")
        line = object_of(line, f"a line of type {kind:.40}")
        self.has_begun = self.has_begun or kind in _FIRST_TYPES
        if kind == "start_game":
            self._open(line)
        elif kind == "start_kyoku":
            self._add_won_hand()
            self.hand = MjaiHand.dealt(line, self._points())
            if self.hands_so_far:
                self.hand.deal = self.hands_so_far[-1].followed_by(self.hand.deal)
            if self.hands:
                self.hands[-1] = self.hands[-1].before(self.hand.deal)
        elif kind == "end_kyoku":
            self._add_won_hand()
            if self.hand is not None and line.get("inferred"):
                self.hand = None
                self.unsettled_count += 1
        elif kind == "end_game":
            self._add_won_hand()
            self.has_ended = True
            self.final = four_numbers(line["scores"], "scores") if line.get("scores") else None
            self.corrected = corrected_in(line)
            self.dues, self.earlier_dues = dues_in(line), earlier_dues_in(line)
        elif kind not in (*_IGNORED, *ACTS):
            raise RecordError(f"expected an act of a game, got one of type {kind!r:.40}")
        elif kind not in _IGNORED and not line.get("retracted"):
            if self.hand is None:
                raise RecordError(f"expected start_kyoku before {kind}, got none")
            self._add(self.hand.read(kind, line))

    def _points(self) -> Deltas | None:
        """Returns the points after the hands so far; None if the record does not have those of the last."""
        if not self.hands_so_far:
            return four([self.ruleset.starting_points] * 4)
        last = self.hands_so_far[-1]
        if last.deltas is None and last.kind is ResultKind.ABORT:  # only sticks were paid
            return subtract(last.deal.scores, four(STICK * last.riichi.count(seat) for seat in SEATS))
        return last.recorded_scores or last.scores

    def _open(self, line: ReadLine) -> None:
        if line.get("names") is not None and len(line["names"]) == 3:
            raise RecordError("expected a game of four players, got one of three")
        self.names = names_of(line.get("names"))
        if line.get("kyoku_first") == _EAST_ONLY:
            self.ruleset = self.ruleset.but(length="east")
        if line.get("preset") in SHIPPED:
            self.ruleset = preset_rules(line["preset"]).switches
        self.ruleset = rules_in(line) or self.ruleset
        if line.get("aka_flag") is False:
            self.ruleset = self.ruleset.but(red_man=0, red_pin=0, red_sou=0)
