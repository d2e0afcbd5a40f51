"""A rule set: every rule that tables disagree about, as one flat frozen value.

Each field's string names its values and the requirement it answers; `table.rulebook.play_presets` holds the named sets.
Code never asks which preset is played: it asks the field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cache
from types import UnionType
from typing import Final, Literal, Union, get_args, get_origin, get_type_hints

from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.terms.results import AbortReason
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.yaku import DOUBLE_YAKUMAN, YAKUMAN

FourPoints = tuple[int, int, int, int]
"""Points by place, first to last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chips:
    """How many chips each payer hands the winner beside the points (祝儀), by what they are for."""

    ippatsu: int = 0
    ura: int = 0
    """For each ura dora."""
    red: int = 0
    """For each red five."""
    yakuman: int = 0
    """For each yakuman; in such a hand nothing else is counted, and 13 han are none."""

    def __post_init__(self) -> None:
        for each in fields(self):
            _check_field(f"chips.{each.name}", int, value := getattr(self, each.name))
            if value < 0:
                raise InvalidValueError(f"expected chips.{each.name} of 0 or more, got {value!r}")

    @classmethod
    def of(cls, amounts: Mapping[str, object]) -> Chips:
        """Reads the amounts by name; those left out are 0.

        Raises:
            InvalidValueError: for another name, or an amount that is no number of 0 or more.
        """
        known = [each.name for each in fields(cls)]
        for name in amounts:
            if name not in known:
                near = get_close_matches(str(name), known, n=1)
                hint = f"; did you mean {near[0]}?" if near else ""
                raise InvalidValueError(f"expected chips for {', '.join(known)}, got {name!r}{hint}")
        return cls(**amounts)  # type: ignore[arg-type]  # __post_init__ checks every value

    @property
    def are_played(self) -> bool:
        """Whether there are any."""
        return any(getattr(self, each.name) for each in fields(self))

    def __str__(self) -> str:
        return f"{{ {', '.join(f'{each.name} = {getattr(self, each.name)}' for each in fields(self))} }}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """Every switch of the rules. The defaults are the plain home set."""

    name: str = "home"
    """What the set calls itself; nothing depends on it."""

    # The tiles and the game
    red_man: int = 1
    """How many of the four 5m are red, 0-4."""
    red_pin: int = 1
    """How many of the four 5p are red, 0-4."""
    red_sou: int = 1
    """How many of the four 5s are red, 0-4."""
    length: Literal["east", "south"] = "south"
    """The last regular round: East only, or East and South."""
    starting_points: int = 25000
    """Points of each seat at the start."""
    target_points: int = 30000
    """Points that first place needs for the game to end."""
    counted_from: int | Literal["target"] = "target"
    """Points that final scores are counted from; "target": those of `target_points`."""
    west_in: bool = False
    """Whether one more round is played while nobody has the target; it ends with the deal, once somebody has it."""
    agari_yame: Literal["never", "win", "win_or_tenpai"] = "win"
    """When a dealer in first place with the target reached ends the game instead of repeating the last hand."""
    tobi: Literal["never", "below_zero", "zero_or_below"] = "below_zero"
    """Which score ends the game at once."""
    bust_bonus: int = 0
    """Points that a seat which `tobi` or a foul makes bust pays at the end, beside the scores and changing no place: to
    the winner of that hand, of several the first after the discarder; at a draw to the next tenpai or nagashi seat in
    turn order; after a foul to the first of the others."""
    dealer_repeat: Literal["win_or_tenpai", "win", "never"] = "win_or_tenpai"
    """What keeps the deal; `never` is one hand a dealer."""
    time_signal: Literal["this_hand", "one_more"] = "one_more"
    """Which hand is the last once time is called: the one being played, or one more after it. Every hand counts as one,
    whatever ended it: a chombo too."""
    time_limit: int = field(default=0, repr=False)
    """Minutes after which time is to be called, 0 for none. No clock calls it: pages tell how much is left."""
    abort_keeps_deal: bool = True
    """Whether the dealer stays after an abortive draw."""

    # The end
    end_sticks: Literal["top", "dealer_top_only", "nobody"] = "top"
    """Who takes the sticks left at the end (R48); `dealer_top_only`: first place if it is the last dealer."""
    uma: FourPoints = (20000, 10000, -10000, -20000)
    """Points by place, added at the end."""
    floating_uma: tuple[FourPoints, ...] = ()
    """Instead of `uma`: rows for one, two and three players at or above the starting points; empty = not used."""
    oka: int = 20000
    """What first place gets besides: usually 4 x (what scores are counted from - start)."""
    ties: Literal["seat", "split"] = "seat"
    """Equal scores: the seat nearer the first dealer is placed higher, or uma, oka and leftover sticks are shared."""

    # What a hand is worth
    open_tanyao: bool = True
    """Whether all simples counts on an open hand."""
    kiriage_mangan: bool = False
    """Whether 4 han 30 fu and 3 han 60 fu are rounded up to a mangan."""
    double_wind_fu: Literal[2, 4] = 4
    """Fu of a pair of a wind that is both the seat's and the round's."""
    pinfu_tsumo: bool = True
    """Whether pinfu may be drawn: 20 fu and both yaku; off: 2 fu for the draw instead of pinfu."""
    ippatsu: bool = True
    """Whether ippatsu is a yaku (R29)."""
    ura_dora: bool = True
    """Whether a riichi winner adds ura dora (R33)."""
    kan_dora: bool = True
    """Whether each kan turns another indicator."""
    kan_ura: bool = True
    """Whether kan indicators have ura dora too (R35)."""
    open_kan_dora: Literal["at_once", "after_discard"] = "after_discard"
    """When the indicator of an open or added kan is turned: once nobody robs it, or after the discard that follows, at
    the latest with the next kan; that of a closed kan always at once."""
    kazoe: Literal["yakuman", "sanbaiman"] = "yakuman"
    """What 13 han or more are worth."""
    double_yakuman: bool | tuple[str, ...] = False
    """Whether the special waits (four closed triplets on the pair, …) and big four winds count twice; or the
    names of the yakuman that do, such as ["big_four_winds"]."""
    multiple_yakuman: bool = True
    """Whether several yakuman in one hand add up."""
    two_han_from_honba: int = 0
    """From so many counters on a hand needs two han of yaku, dora not counted (ryanhan shibari); 0: one is enough."""
    eight_in_a_row: bool = False
    """Whether the eighth win in a row of one seat, and each that follows without a break, is a yakuman (paarenchan): as
    dealer or not, by ron or tsumo. A draw, an abort or a hand that others alone win breaks it; one that a foul ends is
    passed over."""
    renhou: Literal["none", "five_han", "mangan_alone", "yakuman"] = "none"
    """A ron in the first go-round before the own draw; `five_han` adds to yaku and dora, `mangan_alone` is a mangan
    that combines with nothing: the hand is worth the larger of the two."""
    pao_dragons: bool = True
    """Whether who feeds the third dragon set is liable for big three dragons."""
    pao_winds: bool = True
    """Whether who feeds the fourth wind set is liable for big four winds."""
    pao_kans: bool = False
    """Whether who feeds the fourth kan is liable for four kans."""
    pao_scope: Literal["part", "whole"] = "part"
    """What the liable seat answers for in a hand of several yakuman: its own one and the rest is paid plainly, or the
    whole hand, paid alone at a tsumo and by halves with the discarder at a ron."""
    pao_honba: Literal["liable", "discarder"] = "liable"
    """Who pays the counters of a ron that somebody is liable for; at a tsumo always the liable seat."""

    # Payments
    honba_value: int = 300
    """Points of one counter in all; a tsumo takes a third from each."""
    honba_value_tsumo: int | Literal["same"] = "same"
    """Points of one counter at a tsumo, all three payers together, where they are others than at a ron; "same": the
    points of `honba_value`."""
    honba_on_multiple_ron: Literal["first", "each"] = "first"
    """Who gets the counters when several win: the first in turn order from the discarder, or each."""
    noten_payment: int = 3000
    """Points that noten hands pay in all at a draw; 0: none."""
    multiple_ron: Literal["all", "head_bump"] = "all"
    """Several rons on one tile: all are paid, or only the first in turn order (D13)."""
    triple_ron: Literal["ron", "abort"] = "ron"
    """Three rons on one tile: paid like two, or an abortive draw."""
    sticks_on_multiple_ron: Literal["all_to_first", "own_returned_rest_to_first"] = "all_to_first"
    """Who gets the sticks when several win (R49); "own" are riichi sticks of this hand."""
    chips: Chips = field(default_factory=Chips)
    """Chips beside the points, by what they are for: at a tsumo each other player hands them over, at a ron the
    discarder; all 0: none are played."""
    nagashi_mangan: bool = True
    """Whether a river of terminals and honours, none of them called, is paid as a drawn mangan at the draw."""

    # Riichi
    riichi_below_1000: bool = False
    """Whether riichi may be declared without 1000 points (R05)."""
    min_tiles_left: Literal[0, 1, 4] = 4
    """How many tiles must be left to draw when riichi is declared (R06)."""
    ask_unvoiced_riichi: bool = False
    """Whether the staff is asked about a sideways riichi tile that nobody heard announced (R08)."""
    riichi_stands_on: Literal["passed", "passed_and_stick"] = "passed"
    """What is needed before the riichi is said to stand and 1000 is charged (R11)."""
    replacement_sideways: Literal["must", "may"] = "must"
    """Whether the discard after a called declaration tile must be sideways (R18)."""
    closed_kan_after_riichi: Literal["strict", "waits_only", "never"] = "strict"
    """Which closed kans are allowed in riichi (R59, R62)."""

    open_riichi: bool = False
    """Whether riichi may be declared with the tiles that show its wait laid open, for one han more."""
    open_riichi_yakuman: bool = False
    """Whether an open riichi that a seat deals in to whose own riichi does not stand is a yakuman."""

    # Calls, furiten and aborts
    kuikae: Literal["forbidden", "same_tile_forbidden", "allowed"] = "forbidden"
    """Discarding at once what was called: neither the same tile nor the other end, not the same tile, or anything."""
    orphans_rob_closed_kan: bool = False
    """Whether thirteen orphans may rob a closed kan."""
    passed_kan_is_furiten: bool = True
    """Whether letting the tile of a kan pass that could be robbed makes furiten (R51)."""
    pointed_seat_discarded: bool = False
    """Whether a wrongly turned meld tile makes the seat it points at the discarder, for furiten."""
    four_riichi: bool = True
    """Whether four riichi abort the hand (R65)."""
    four_winds: bool = True
    """Whether four equal winds as first discards abort the hand."""
    four_kans: bool = True
    """Whether four kans of several seats abort the hand."""
    nine_terminals: bool = True
    """Whether nine kinds of terminals and honours in the first hand may abort it."""
    penalties: PenaltyRules = field(default_factory=PenaltyRules)
    """What follows from fouls, by clause; the plain set writes fouls down and nothing follows by itself."""

    def __post_init__(self) -> None:
        for name, hint in _hints().items():
            _check_field(name, hint, getattr(self, name))
        self._check_ranges()

    @property
    def doubled_yakuman(self) -> tuple[str, ...]:
        """The names of the yakuman that count twice."""
        if isinstance(self.double_yakuman, bool):
            return DOUBLE_YAKUMAN if self.double_yakuman else ()
        return self.double_yakuman

    @property
    def zero_points(self) -> int:
        """The score that is worth nothing in the end, before uma and oka."""
        return self.target_points if self.counted_from == "target" else self.counted_from

    def has_abort(self, reason: AbortReason) -> bool:
        """Whether these rules have that abort: by the switch of its name."""
        return getattr(self, reason.value) in (True, "abort")

    def counter_value(self, *, is_tsumo: bool) -> int:
        """Returns the points of one counter, in all."""
        if is_tsumo and self.honba_value_tsumo != "same":
            return self.honba_value_tsumo
        return self.honba_value

    def han_needed(self, honba: int) -> int:
        """Returns how many han of yaku a hand needs at so many counters."""
        return 2 if 0 < self.two_han_from_honba <= honba else 1

    def _check_ranges(self) -> None:
        for name in self.doubled_yakuman:
            if name not in YAKUMAN:
                near = get_close_matches(str(name), YAKUMAN, n=1)
                hint = f"; did you mean {near[0]}?" if near else ""
                raise InvalidValueError(f"expected double_yakuman of {', '.join(YAKUMAN)}, got {name!r}{hint}")
        for name in ("red_man", "red_pin", "red_sou"):
            if not 0 <= getattr(self, name) <= 4:
                raise InvalidValueError(f"expected {name} from 0 to 4, got {getattr(self, name)!r}")
        counts = ("honba_value", "noten_payment", "oka", "honba_value_tsumo", "two_han_from_honba", "bust_bonus")
        for name in (*counts, "time_limit"):
            if getattr(self, name) != "same" and getattr(self, name) < 0:
                raise InvalidValueError(f"expected {name} of 0 or more, got {getattr(self, name)!r}")
        for row in (self.uma, *self.floating_uma):
            if len(row) != 4 or sum(row) != 0:
                raise InvalidValueError(f"expected four uma that sum to 0, got {row!r}")
        if len(self.floating_uma) not in (0, 3):
            raise InvalidValueError(f"expected three rows of floating_uma or none, got {self.floating_uma!r}")
        if self.counter_value(is_tsumo=True) % 3:
            name = "honba_value" if self.honba_value_tsumo == "same" else "honba_value_tsumo"
            raise InvalidValueError(f"expected a {name} that three can share, got {getattr(self, name)!r}")

    def but(self, **changes: object) -> Ruleset:
        """Returns this set with some fields changed; every rule set that is read from a file is made so.

        Raises:
            InvalidValueError: for an unknown field, a value that the field does not allow, or an amount that cannot be
                paid in sticks of 100, or not be shared so as the rules say. A journal's own set is not asked for that:
                what was played stays readable.
        """
        known = {field.name for field in fields(self)}
        if unknown := sorted(set(changes) - known):
            raise InvalidValueError(f"expected fields of Ruleset, got {unknown[0]!r}")
        if isinstance(amounts := changes.get("chips"), Mapping):
            changes["chips"] = Chips.of(amounts)
        changed = replace(self, **changes)  # type: ignore[arg-type]  # __post_init__ checks every value
        if reasons := tuple(changed.unpayable()):
            raise InvalidValueError(
                f"expected amounts that can be paid in sticks of {_SMALLEST}, got {'; '.join(reasons)}"
            )
        return changed

    def unpayable(self) -> Iterator[str]:
        """Yields each amount that cannot be paid in sticks of 100, or not be shared so, with the reason."""
        for name in ("starting_points", "oka", "bust_bonus"):
            if getattr(self, name) % _SMALLEST:
                yield f"{name} = {getattr(self, name)}"
        for row in (self.uma, *self.floating_uma):
            if any(points % _SMALLEST for points in row):
                yield f"uma = {', '.join(map(str, row))}"
        is_same = self.honba_value_tsumo == "same"
        yield from _unshared("honba_value", self.honba_value, _TSUMO_SHARES if is_same else {1: "a ron would cost"})
        yield from _unshared("honba_value_tsumo", self.counter_value(is_tsumo=True), {} if is_same else _TSUMO_SHARES)
        yield from _unshared("noten_payment", self.noten_payment, _NOTEN_SHARES)


_SMALLEST: Final = 100
"""The smallest stick."""
_TSUMO_SHARES: Final = {3: "at a tsumo each of three would pay"}
_NOTEN_SHARES: Final = {3: "each of three noten hands would pay", 2: "each of two noten hands would pay"}


def _unshared(name: str, points: int, sharers: Mapping[int, str]) -> Iterator[str]:
    """Yields the amount with the first share of it that cannot be paid; `sharers` tell by how many it is shared."""
    for count, text in sharers.items():
        if points % (_SMALLEST * count):
            yield f"{name} = {points}: {text} {points / count:g}"
            return


@cache
def _hints() -> dict[str, object]:
    return dict(get_type_hints(Ruleset))


def _check_field(name: str, hint: object, value: object) -> None:
    if get_origin(hint) is Literal:
        allowed = get_args(hint)
        if value not in allowed or isinstance(value, bool):
            raise InvalidValueError(f"expected {name} to be one of {allowed!r}, got {value!r}")
    elif not _fits(hint, value):
        kinds = " or ".join(_kind_text(each) for each in _kinds(hint))
        raise InvalidValueError(f"expected {name} to be of type {kinds}, got {value!r}")


def _kinds(hint: object) -> tuple[object, ...]:
    return get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,)


def _fits(hint: object, value: object) -> bool:
    """Whether a value is of that type; rows of points are checked by the ranges."""
    if len(kinds := _kinds(hint)) > 1:
        return any(_fits(each, value) for each in kinds)
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if hint == tuple[str, ...]:
        return isinstance(value, tuple) and all(isinstance(each, str) for each in value)
    return not isinstance(hint, type) or (isinstance(value, hint) and (hint is bool) == isinstance(value, bool))


def _kind_text(hint: object) -> str:
    if get_origin(hint) is Literal:
        return ", ".join(map(repr, get_args(hint)))
    return "list of names" if hint == tuple[str, ...] else getattr(hint, "__name__", str(hint))
