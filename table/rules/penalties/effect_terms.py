"""The vocabulary of effects: kinds of effect, their timing, the seat concerned, and conditions.

Its words are those of the penalty catalogue. Modern rulebooks also need `after_uma`, `card`, `check_tile`, `disqualify`
and `refer`, and the conditions `aware`, `after_last_discard`, `offender_wins` and `cards`; `win_stands` is a decision
that the catalogue leaves to the referee.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, TypeVar

from table.rules.terms.rule_errors import InvalidValueError

Value = str | int | float | bool
"""A parameter of an effect."""
E = TypeVar("E", bound=Enum)


class EffectTiming(Enum):
    """When an effect takes place."""

    DISCOVERY = "discovery"
    """As soon as the foul is noticed and confirmed."""
    EXHAUSTIVE_DRAW = "exhaustive_draw"
    """Only if the hand reaches an exhaustive draw; it lapses if somebody wins."""
    HAND_END = "hand_end"
    """Together with the hand's result."""
    UNIT_END = "unit_end"
    """At the settlement of the game."""
    CHOMBO = "chombo"
    """While any chombo is settled."""
    STANDING = "standing"
    """For as long as the foul's state lasts."""
    WIN_CHECK = "win_check"
    """While a declared win is being checked."""


class FoulRole(Enum):
    """The seat that an effect applies to."""

    OFFENDER = "offender"
    FIRST_TO_OPEN = "first_to_open"
    BREAKER = "breaker"
    """The player who knocked tiles over."""
    DISCARDER = "discarder"
    RON_CALLER = "ron_caller"
    LATE_CALLER = "late_caller"
    WINNER = "winner"
    PON_CALLER = "pon_caller"


class Op(Enum):
    """The kinds of effect."""

    CHOMBO = "chombo"
    DEAD_HAND = "dead_hand"
    NO_WIN = "no_win"
    FURITEN_LOCK = "furiten_lock"
    TSUMOGIRI_ONLY = "tsumogiri_only"
    DEPOSIT = "deposit"
    PAY = "pay"
    PAY_HAND_VALUE = "pay_hand_value"
    UNIT_DEDUCT = "unit_deduct"
    LOWER_RANK = "lower_rank"
    DEALER = "dealer"
    DEALER_IN_LAST_HAND = "dealer_in_last_hand"
    STICKS = "sticks"
    REPLAY_HAND = "replay_hand"
    TENPAI_AS = "tenpai_as"
    COUNT_AS_NOTEN_RIICHI = "count_as_noten_riichi"
    FIX_COUNT = "fix_count"
    RESTORE = "restore"
    CORRECT = "correct"
    KEEP_STATE = "keep_state"
    VOID = "void"
    VALID = "valid"
    WIN_PRECEDENCE = "win_precedence"
    CALL_PRIORITY = "call_priority"
    FORCE_WIN = "force_win"
    BAR_CALLS_AND_RON = "bar_calls_and_ron"
    FORCE_TSUMOGIRI_CORRECTION = "force_tsumogiri_correction"
    GIVE_RANDOM_TILE = "give_random_tile"
    DECLARED_VALUE_STANDS = "declared_value_stands"
    DORA_VOID = "dora_void"
    NON_WINNERS_DECIDE = "non_winners_decide"
    BUST = "bust"
    BAN = "ban"
    JOKE = "joke"
    DEFINE = "define"
    EXEMPT_IF_SHORT = "exempt_if_short"
    ALLOW = "allow"
    FORBID = "forbid"
    NONE = "none"
    AFTER_UMA = "after_uma"
    """Subtracts points from the final standing; the score at the table is unchanged."""
    CARD = "card"
    """Gives a counted warning: `cards>=2` holds for the second within its scope."""
    CHECK_TILE = "check_tile"
    """Places a marker next to the offender's hand."""
    DISQUALIFY = "disqualify"
    """Excludes the player from the event; the referee decides how the game continues."""
    REFER = "refer"
    """Leaves the ruling to the referee, since the source gives no reliable value."""


_CARD_SCOPES: Final = ("hand", "game", "day", "event")
_VOIDABLE_ACTS: Final = ("call", "riichi", "win", "pon", "utterance", "tenpai_declaration", "nagashi_mangan")
_ALLOWABLE_ACTS: Final = ("call", "riichi", "hand_discard", "nagashi_mangan", "look_with_permission")
_FIXED_SCHEMES: Final = ("mangan", "haneman", "yakuman")
_EACH_SCHEME: Final = re.compile(r"each:([1-9]\d*)")
_MOST_DIGITS: Final = 15
"""The most digits of an amount that are read; earlier versions accepted files with more."""

PARAMS: Final[Mapping[Op, Mapping[str, Any]]] = MappingProxyType(
    {
        Op.CHOMBO: {"pay": ("now", "hand_end"), "hand": ("end", "continue")},
        Op.DEPOSIT: {"points": int, "per": ("tile",), "cap": int},
        Op.PAY: {"scheme": "scheme", "to": ("others", "everyone_incl_sitting_out"), "digit_lost": bool},
        Op.PAY_HAND_VALUE: {
            "to": ("tenpai_with_live_wait", "yakuman_tenpai"),
            "value": ("max", "max_excl_luck_yaku"),
            "factor": float,
            "mode": ("replace",),
        },
        Op.UNIT_DEDUCT: {"points": int, "to": ("top",)},
        Op.LOWER_RANK: {"by": int},
        Op.DEALER: {"rotate": ("never", "always", "if_dealer_offends")},
        Op.DEALER_IN_LAST_HAND: {"rotate": bool},
        Op.STICKS: {"to": ("carry_over", "return_to_owner"), "scope": ("this_hand",)},
        Op.REPLAY_HAND: {"same_conditions": bool},
        Op.TENPAI_AS: {"status": ("noten", "tenpai", "as_shown")},
        Op.FIX_COUNT: {"discard_extra": int, "draw_extra": int},
        Op.RESTORE: {"exact": bool},
        Op.VOID: {"what": _VOIDABLE_ACTS, "incl_ankan": bool},
        Op.VALID: {"what": ("utterance", "ron")},
        Op.WIN_PRECEDENCE: {"mode": ("valid_only", "both", "foul_only", "head_bump")},
        Op.FORCE_WIN: {"occasion": ("first_draw_or_discard", "any_ron_before_own_draw")},
        Op.BAR_CALLS_AND_RON: {"until": ("own_regular_draw",)},
        Op.JOKE: {"digit_lost": bool},
        Op.DEFINE: {"term": str, "value": str},
        Op.EXEMPT_IF_SHORT: {"exempt": bool},
        Op.ALLOW: {"what": _ALLOWABLE_ACTS},
        Op.FORBID: {"what": ("look_with_permission",)},
        Op.AFTER_UMA: {"points": int, "per": ("minute",), "cap": int},
        Op.CARD: {"colour": ("warning", "yellow", "red"), "scope": _CARD_SCOPES},
        Op.REFER: {"source": ("missing", "second_hand", "judgement")},
    }
)
"""The parameters of each effect with their allowed values; an effect that is not listed has none."""
OPTIONAL: Final = frozenset({"per", "cap", "digit_lost", "exact", "incl_ankan", "discard_extra", "draw_extra"})
"""Optional parameters."""


class Fact(Enum):
    """Yes-or-no facts about a foul that may affect its consequence."""

    OFFENDER_OPENED_HAND = "offender_opened_hand"
    ANYONE_OPENED_HAND = "anyone_opened_hand"
    CANNOT_CONTINUE = "cannot_continue"
    RESTORABLE = "restorable"
    BEFORE_DISCARD = "before_discard"
    """The offender has not discarded since the call."""
    DELIBERATE = "deliberate"
    TO_STOP_YAKUMAN = "to_stop_yakuman_deliberately"
    SOMEONE_YAKUMAN_TENPAI = "someone_yakuman_tenpai"
    IN_RIICHI = "in_riichi"
    BREAKER_IS_WINNER = "breaker_is_winner"
    HAND_DISCARD_MADE = "hand_discard_made"
    LATE_CALL_IS_RON = "late_call_is_ron"
    AWARE = "aware"
    """The offender knew that the hand was dead."""
    AFTER_LAST_DISCARD = "after_last_discard"
    PERMITTED = "permitted"
    """The owner of the hand had given permission to look at it; false unless people say so."""
    WIN_STANDS = "win_stands"
    """The referee accepts a win although another player knocked over its hand or its indicators."""
    OFFENDER_WINS = "offender_wins"
    """The offender has claimed the win that is being checked."""


class Count(Enum):
    """Numbers about a foul that may affect its consequence."""

    OCCURRENCE = "occurrence"
    """How many times the player has done it in this game, including this time."""
    EXPOSED = "exposed"
    """How many tiles were exposed."""
    CARDS = "cards"
    """How many such cards the player has within their scope, including this one."""
    MINUTES = "minutes"
    """How many minutes the player came late."""


_OPPOSITES: Final[Mapping[str, Fact]] = MappingProxyType(
    {
        "can_continue": Fact.CANNOT_CONTINUE,
        "not_restorable": Fact.RESTORABLE,
        "after_discard": Fact.BEFORE_DISCARD,
        "not_deliberate": Fact.DELIBERATE,
        "not_in_riichi": Fact.IN_RIICHI,
        "breaker_not_winner": Fact.BREAKER_IS_WINNER,
        "unaware": Fact.AWARE,
    }
)
_COUNT_LIMIT: Final = re.compile(rf"(\w+)([<>]=)([0-9]{{1,{_MOST_DIGITS}}})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A condition of an effect: a fact that must be true or false, or a limit on a count."""

    text: str
    """The condition as in the catalogue: `not offender_opened_hand`, `exposed<=8`."""
    fact: Fact | None = None
    wanted: bool = True
    """The required value of the fact."""
    count: Count | None = None
    limit: int = 0
    at_most: bool = True
    """Whether the count must be at most the limit; otherwise it must be at least the limit."""

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Reads a condition such as `deliberate`, `not deliberate` or `occurrence>=3`.

        Raises:
            InvalidValueError: for any other text; the message suggests the nearest word.
        """
        if (limit := _COUNT_LIMIT.fullmatch(text)) is not None:
            count = one_of(Count, limit[1], "a count")
            return cls(text=text, count=count, limit=int(limit[3]), at_most=limit[2] == "<=")
        word = text.removeprefix("not ")
        is_negated = word != text
        if word in _OPPOSITES:
            return cls(text=text, fact=_OPPOSITES[word], wanted=is_negated)
        return cls(text=text, fact=one_of(Fact, word, "a condition", also=_OPPOSITES), wanted=not is_negated)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One effect of an option."""

    op: Op
    when: EffectTiming
    who: FoulRole = FoulRole.OFFENDER
    conditions: tuple[Condition, ...] = ()
    """Conditions that must all hold."""
    params: tuple[tuple[str, Value], ...] = ()

    def __post_init__(self) -> None:
        allowed = PARAMS.get(self.op, {})
        for name, value in self.params:
            if name not in allowed:
                raise InvalidValueError(_mismatch_text(f"a parameter of {self.op.value}", allowed, name))
            _check_param(self.op, name, value, allowed[name])
        missing = [name for name in allowed if name not in dict(self.params) and name not in OPTIONAL]
        if missing:
            raise InvalidValueError(f"expected {missing[0]} in the effect {self.op.value}, got nothing")

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Effect:
        """Builds an effect from `{"when", "do", parameters…, "who", "if"}`.

        Raises:
            InvalidValueError: for a word that is not in the vocabulary.
        """
        rest = dict(data)
        conditions = str(rest.pop("if", "")).split(" and ")
        return cls(
            op=one_of(Op, rest.pop("do", None), "an effect"),
            when=one_of(EffectTiming, rest.pop("when", None), "a time"),
            who=one_of(FoulRole, rest.pop("who", "offender"), "a player"),
            conditions=tuple(Condition.parse(condition) for condition in conditions if condition),
            params=tuple(rest.items()),
        )

    @property
    def data(self) -> dict[str, Value]:
        """The effect as a mapping that `of` reads."""
        fields: dict[str, Value] = {"when": self.when.value, "do": self.op.value, **dict(self.params)}
        if self.who is not FoulRole.OFFENDER:
            fields["who"] = self.who.value
        if self.conditions:
            fields["if"] = " and ".join(condition.text for condition in self.conditions)
        return fields

    def param(self, name: str) -> Value | None:
        """Returns a parameter; None if it is omitted."""
        return dict(self.params).get(name)

    def number(self, name: str) -> int:
        """Returns a parameter that is a whole number; 0 if it is omitted."""
        value = self.param(name)
        return value if isinstance(value, int) else 0

    @property
    def points_each(self) -> int | None:
        """The points of a payment of a fixed amount to each other player; None for any other effect."""
        match = _EACH_SCHEME.fullmatch(str(self.param("scheme") or ""))
        return int(match[1][:_MOST_DIGITS]) if match else None

    @property
    def largest_number(self) -> int:
        """The largest number in the effect: of points, places, tiles, or of a condition."""
        numbers = [value for _, value in self.params if type(value) is int]
        return max((self.points_each or 0, *numbers, *(condition.limit for condition in self.conditions)))

    @property
    def is_digit_lost(self) -> bool:
        """Whether a digit of the amount is illegible in the source."""
        return self.param("digit_lost") is True


def one_of(kind: type[E], text: object, noun: str, also: Mapping[str, object] = MappingProxyType({})) -> E:
    """Returns the member of `kind` with that value.

    Raises:
        InvalidValueError: if there is none; the message lists the allowed values and suggests the nearest.
    """
    for member in kind:
        if member.value == text:
            return member
    raise InvalidValueError(_mismatch_text(noun, [str(member.value) for member in kind] + list(also), text))


def _mismatch_text(noun: str, allowed: Any, value: object) -> str:
    nearest = get_close_matches(str(value), [str(each) for each in allowed], n=1)
    hint = f"; did you mean {nearest[0]}?" if nearest else ""
    return f"expected {noun} of {', '.join(allowed) or 'none'}, got {value!r:.200}{hint}"


def _check_param(op: Op, name: str, value: Value, allowed: Any) -> None:
    noun = f"{name} in the effect {op.value}"
    if allowed == "scheme":
        if not isinstance(value, str) or (value not in _FIXED_SCHEMES and not _EACH_SCHEME.fullmatch(value)):
            raise InvalidValueError(
                f"expected {noun} to be {', '.join(_FIXED_SCHEMES)} or each:POINTS, got {value!r:.200}"
            )
    elif isinstance(allowed, tuple):
        if value not in allowed:
            raise InvalidValueError(_mismatch_text(noun, allowed, value))
    elif allowed is float:
        if isinstance(value, bool | str) or not 0 < value <= 1:
            raise InvalidValueError(f"expected {noun} to be above 0 and at most 1, got {value!r:.200}")
    elif type(value) is not allowed or (allowed is int and int(value) < 0):
        raise InvalidValueError(f"expected {noun} to be of type {allowed.__name__}, got {value!r:.200}")
