"""A rule set: every rule that tables disagree about, as one flat frozen value.

Each field's string describes its values and names its requirement; `table/rulebook/presets/` holds the named sets.
Code never asks which preset is played, only what a field's value is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Final, Literal, get_type_hints

from table.rules.chips import Chips
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.ruleset_checks import FourPoints, check_field
from table.rules.terms.results import AbortReason
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.yaku import DOUBLE_YAKUMAN, YAKUMAN

MOST_POINTS: Final = 1_000_000
"""The most points that a rule set may name."""
MOST_CHIPS: Final = 1000
MOST_MINUTES: Final = 24 * 60
_POINTS: Final = (0, MOST_POINTS)
LIMITS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "starting_points": _POINTS,
        "target_points": _POINTS,
        "counted_from": _POINTS,
        "bust_bonus": _POINTS,
        "uma": (-MOST_POINTS, MOST_POINTS),
        "floating_uma": (-MOST_POINTS, MOST_POINTS),
        "oka": (0, 4 * MOST_POINTS),
        "honba_value": _POINTS,
        "honba_value_tsumo": _POINTS,
        "noten_payment": _POINTS,
        "two_han_from_honba": (0, 100),
        "time_limit": (0, MOST_MINUTES),
    }
)
"""The least and the most of each number of a rule set that a file or a page may name; chips are 0 to `MOST_CHIPS`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """Every switch of the rules. The defaults are those of the plain home set."""

    name: str = "home"
    """The name of the set; no rule depends on it."""

    # Tiles and game
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
    """Points that are subtracted from final scores, before uma and oka; "target": `target_points`."""
    west_in: bool = False
    """Whether one more round is played if nobody has the target; once somebody has, it ends when the deal passes."""
    agari_yame: Literal["never", "win", "win_or_tenpai"] = "win"
    """When a dealer in first place who has reached the target ends the game instead of repeating the last hand."""
    tobi: Literal["never", "below_zero", "zero_or_below"] = "below_zero"
    """Which score ends the game at once."""
    bust_bonus: int = 0
    """Points that a seat pays at the end if `tobi` or a foul makes it bust, without changing a place: to the winner of
    that hand, or to the first of several after the discarder; at a draw, to the next tenpai or nagashi seat in turn
    order; after a foul, to the first-placed of the others."""
    dealer_repeat: Literal["win_or_tenpai", "win", "never"] = "win_or_tenpai"
    """When the dealer keeps the deal; `never`: each dealer deals one hand."""
    time_signal: Literal["this_hand", "one_more"] = "one_more"
    """Which hand is the last after time is called: the one being played, or one more after it."""
    time_limit: int = field(default=0, repr=False)
    """Minutes after which people should call time, 0 for no limit. Pages show the minutes left; no clock calls time."""
    abort_keeps_deal: bool = True
    """Whether the dealer stays after an abortive draw."""

    # The end
    end_sticks: Literal["top", "dealer_top_only", "nobody"] = "top"
    """Who takes the sticks left at the end (R48); `dealer_top_only`: first place, if the last dealer is in it."""
    uma: FourPoints = (20000, 10000, -10000, -20000)
    """Points by place, added at the end."""
    floating_uma: tuple[FourPoints, ...] = ()
    """Replaces `uma` unless empty: rows for one, two and three players at or above the starting points."""
    oka: int = 20000
    """Additional points for first place: usually 4 x (`counted_from` - `starting_points`)."""
    ties: Literal["seat", "split"] = "seat"
    """For equal scores: the seat that dealt earlier is placed higher, or uma, oka and leftover sticks are shared."""

    # What a hand is worth
    open_tanyao: bool = True
    """Whether all simples counts on an open hand."""
    kiriage_mangan: bool = False
    """Whether 4 han 30 fu and 3 han 60 fu are rounded up to a mangan."""
    double_wind_fu: Literal[2, 4] = 4
    """Fu of a pair of a wind that is both the seat's and the round's."""
    pinfu_tsumo: bool = True
    """Whether a drawn win can score pinfu, with 20 fu; if not, it gets 2 fu for the draw instead."""
    ippatsu: bool = True
    """Whether ippatsu is a yaku (R29)."""
    ura_dora: bool = True
    """Whether ura dora count for a winner in riichi (R33)."""
    kan_dora: bool = True
    """Whether each kan turns another indicator."""
    kan_ura: bool = True
    """Whether kan indicators have ura dora too (R35)."""
    open_kan_dora: Literal["at_once", "with_discard", "after_discard"] = "after_discard"
    """When the indicator of an open or added kan is turned: as soon as nobody robs the kan; with the next discard, so
    that it counts for a ron on that; or only once nobody has won on that discard. The next kan turns it in any case.
    That of a closed kan is always turned at once."""
    kazoe: Literal["yakuman", "sanbaiman"] = "yakuman"
    """What 13 han or more are worth."""
    double_yakuman: bool | tuple[str, ...] = False
    """Whether big four winds and the yakuman with special waits (four closed triplets on the pair, …) count twice; or
    the names of the yakuman that do, such as ["big_four_winds"]."""
    multiple_yakuman: bool = True
    """Whether several yakuman in one hand add up."""
    two_han_from_honba: int = 0
    """The honba from which a hand needs two han of yaku, without dora (ryanhan shibari); 0: one han always suffices."""
    eight_in_a_row: bool = False
    """Whether a seat's eighth win in a row, and each further one, is a yakuman (paarenchan), as dealer or not, by ron
    or tsumo. A draw, an abort or a hand won only by others breaks the row; a hand ended by a foul does not count."""
    renhou: Literal["none", "five_han", "mangan_alone", "yakuman"] = "none"
    """The value of a ron in the first go-round before the winner's own draw; `five_han` is added to yaku and dora;
    `mangan_alone` is a mangan that combines with nothing: the hand is worth it or its own value, if that is larger."""
    pao_dragons: bool = True
    """Whether the seat that feeds the third dragon set is liable for big three dragons."""
    pao_winds: bool = True
    """Whether the seat that feeds the fourth wind set is liable for big four winds."""
    pao_kans: bool = False
    """Whether the seat that feeds the fourth kan is liable for four kans."""
    pao_scope: Literal["part", "whole"] = "part"
    """The part of a hand of several yakuman that the liable seat pays: only the yakuman that it is liable for, or the
    whole hand; alone at a tsumo, and in halves with the discarder at a ron."""
    pao_honba: Literal["liable", "discarder"] = "liable"
    """Who pays the honba of a ron with a liable seat; at a tsumo the liable seat always pays it."""

    # Payments
    honba_value: int = 300
    """Points of one honba counter; at a tsumo each payer pays a third."""
    honba_value_tsumo: int | Literal["same"] = "same"
    """Points of one honba counter at a tsumo, from all three payers together; "same": `honba_value`."""
    honba_on_multiple_ron: Literal["first", "each"] = "first"
    """Who gets the honba when several win: the first in turn order from the discarder, or each."""
    noten_payment: int = 3000
    """Points that all noten hands together pay at a draw; 0 for none."""
    multiple_ron: Literal["all", "head_bump"] = "all"
    """For several rons on one tile: all are paid, or only the first in turn order (D13)."""
    triple_ron: Literal["ron", "abort"] = "ron"
    """For three rons on one tile: all are paid, or the hand aborts."""
    sticks_on_multiple_ron: Literal["all_to_first", "own_returned_rest_to_first"] = "all_to_first"
    """Who gets the sticks when several win (R49); "own" are riichi sticks of this hand."""
    chips: Chips = field(default_factory=Chips)
    """Chips paid in addition to points, by their reason: at a tsumo by each other player, at a ron by the discarder;
    all 0: no chips are used."""
    nagashi_mangan: bool = True
    """Whether, at a draw, a river of only terminals and honours, none of them called, is paid as a mangan tsumo."""

    # Riichi
    riichi_below_1000: bool = False
    """Whether riichi may be declared without 1000 points (R05)."""
    min_tiles_left: Literal[0, 1, 4] = 4
    """The least number of tiles left to draw when riichi is declared (R06)."""
    ask_unvoiced_riichi: bool = False
    """Whether the staff is asked about a sideways riichi tile that nobody heard announced (R08)."""
    riichi_stands_on: Literal["passed", "passed_and_stick"] = "passed"
    """What must happen before a riichi is accepted and 1000 is charged (R11)."""
    replacement_sideways: Literal["must", "may"] = "must"
    """Whether the discard after a called declaration tile must be sideways (R18)."""
    closed_kan_after_riichi: Literal["strict", "waits_only", "never"] = "strict"
    """Which closed kans are allowed in riichi (R59, R62)."""

    open_riichi: bool = False
    """Whether riichi may be declared with its waiting tiles laid open, for one additional han."""
    open_riichi_yakuman: bool = False
    """Whether a ron of an open riichi on a seat that is not in riichi is a yakuman."""

    # Calls, furiten and aborts
    kuikae: Literal["forbidden", "same_tile_forbidden", "allowed"] = "forbidden"
    """Which discards are forbidden right after a call: the called tile and the other end of its sequence, only the
    called tile, or none."""
    orphans_rob_closed_kan: bool = False
    """Whether thirteen orphans may rob a closed kan."""
    passed_kan_is_furiten: bool = True
    """Whether a seat becomes furiten by not robbing a kan that it could have robbed (R51)."""
    pointed_seat_discarded: bool = False
    """Whether, for furiten, a wrongly turned meld tile counts as discarded by the seat that it points at."""
    four_riichi: bool = True
    """Whether four riichi abort the hand (R65)."""
    four_winds: bool = True
    """Whether four equal winds as first discards abort the hand."""
    four_kans: bool = True
    """Whether four kans of several seats abort the hand."""
    nine_terminals: bool = True
    """Whether a seat with nine kinds of terminals and honours at its first draw may abort the hand."""
    penalties: PenaltyRules = field(default_factory=PenaltyRules)
    """The consequences of fouls, by clause; in the plain set fouls are only recorded, without consequences."""

    def __post_init__(self) -> None:
        for name, hint in _hints().items():
            check_field(name, hint, getattr(self, name))
        self._check_ranges()

    @property
    def reds(self) -> dict[str, int]:
        """How many fives of each suit are red: `m`, `p`, `s`."""
        return {"m": self.red_man, "p": self.red_pin, "s": self.red_sou}

    @property
    def doubled_yakuman(self) -> tuple[str, ...]:
        """The names of the yakuman that count twice."""
        if isinstance(self.double_yakuman, bool):
            return DOUBLE_YAKUMAN if self.double_yakuman else ()
        return self.double_yakuman

    @property
    def most_yakuman(self) -> int | None:
        """The most yakuman that one hand can count; None if they add up."""
        return None if self.multiple_yakuman else 2 if self.doubled_yakuman else 1

    @property
    def zero_points(self) -> int:
        """The score that counts as 0 at the end, before uma and oka."""
        return self.target_points if self.counted_from == "target" else self.counted_from

    def has_abort(self, reason: AbortReason) -> bool:
        """Whether these rules have the abort, according to the switch with its name."""
        return getattr(self, reason.value) in (True, "abort")

    @property
    def pao_yakuman(self) -> tuple[str, ...]:
        """The names of the yakuman with liability by these rules."""
        switches = {
            "big_three_dragons": self.pao_dragons,
            "big_four_winds": self.pao_winds,
            "four_kans": self.pao_kans,
        }
        return tuple(yakuman for yakuman, has_pao in switches.items() if has_pao)

    def counter_value(self, *, is_tsumo: bool) -> int:
        """Returns the points of one honba counter, from all payers together."""
        if is_tsumo and self.honba_value_tsumo != "same":
            return self.honba_value_tsumo
        return self.honba_value

    def han_needed(self, honba: int) -> int:
        """Returns how many han of yaku a hand needs at this honba."""
        return 2 if 0 < self.two_han_from_honba <= honba else 1

    def _check_ranges(self) -> None:
        for name in self.doubled_yakuman:
            if name not in YAKUMAN:
                nearest = get_close_matches(str(name), YAKUMAN, n=1)
                hint = f"; did you mean {nearest[0]}?" if nearest else ""
                raise InvalidValueError(f"expected double_yakuman of {', '.join(YAKUMAN)}, got {name!r:.200}{hint}")
        for name in ("red_man", "red_pin", "red_sou"):
            if not 0 <= getattr(self, name) <= 4:
                raise InvalidValueError(f"expected {name} from 0 to 4, got {getattr(self, name)!r}")
        counts = ("honba_value", "noten_payment", "oka", "honba_value_tsumo", "two_han_from_honba", "bust_bonus")
        for name in (*counts, "time_limit"):
            if getattr(self, name) != "same" and getattr(self, name) < 0:
                raise InvalidValueError(f"expected {name} of 0 or more, got {getattr(self, name)!r}")
        for name, rows in (("uma", (self.uma,)), ("floating_uma", self.floating_uma)):
            for row in rows:
                if len(row) != 4 or sum(row) != 0:
                    raise InvalidValueError(f"expected four {name} that sum to 0, got {row!r:.200}")
        if len(self.floating_uma) not in (0, 3):
            raise InvalidValueError(f"expected three rows of floating_uma or none, got {self.floating_uma!r:.200}")
        if self.counter_value(is_tsumo=True) % 3:
            name = "honba_value" if self.honba_value_tsumo == "same" else "honba_value_tsumo"
            raise InvalidValueError(f"expected a {name} that three can share, got {getattr(self, name)!r}")

    def but(self, **changes: object) -> Ruleset:
        """Returns this set with some fields changed; every rule set read from a file is made this way.

        Raises:
            InvalidValueError: for an unknown field, a value that the field does not allow, an amount beyond `LIMITS`,
                or one that cannot be paid, or shared as the rules require, in sticks of 100. A rule set of a journal
                skips the last two checks, so that old games stay readable.
        """
        names = {field.name for field in fields(self)}
        if unknown := sorted(set(changes) - names):
            nearest = get_close_matches(unknown[0], names, n=1)
            hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
            raise InvalidValueError(f"expected a switch of the rules, got {unknown[0]!r:.200}{hint}")
        if isinstance(amounts := changes.get("chips"), Mapping):
            changes["chips"] = Chips.of(amounts)
        ruleset = replace(self, **changes)  # type: ignore[arg-type]  # __post_init__ checks every value
        for name, limits, amounts in ruleset._limited_fields():
            if not all(limits[0] <= each <= limits[1] for each in amounts):
                amount = amounts[0] if len(amounts) == 1 else amounts
                raise InvalidValueError(f"expected {name} from {limits[0]:,} to {limits[1]:,}, got {amount!r}")
        if reasons := tuple(ruleset.unpayable()):
            raise InvalidValueError(
                f"expected amounts that can be paid in sticks of {SMALLEST}, got {'; '.join(reasons)}"
            )
        return ruleset

    def _limited_fields(self) -> Iterator[tuple[str, tuple[int, int], tuple[int, ...]]]:
        """Yields each field that has limits, with its limits and its numbers."""
        for name, limits in LIMITS.items():
            value = getattr(self, name)
            if isinstance(value, int):
                yield name, limits, (value,)
            for row in (value,) if name == "uma" else value if name == "floating_uma" else ():
                yield name, limits, row
        for chip in fields(Chips):
            yield f"chips.{chip.name}", (0, MOST_CHIPS), (getattr(self.chips, chip.name),)

    def unpayable(self) -> Iterator[str]:
        """Yields each amount that cannot be paid, or shared as the rules require, in sticks of 100, with the reason."""
        for name in ("starting_points", "oka", "bust_bonus"):
            if getattr(self, name) % SMALLEST:
                yield f"{name} = {getattr(self, name)}"
        for row in (self.uma, *self.floating_uma):
            if any(points % SMALLEST for points in row):
                yield f"uma = {', '.join(map(str, row))}"
        is_same = self.honba_value_tsumo == "same"
        yield from _unshared_amount(
            "honba_value", self.honba_value, _TSUMO_SHARES if is_same else {1: "a ron would cost"}
        )
        yield from _unshared_amount(
            "honba_value_tsumo", self.counter_value(is_tsumo=True), {} if is_same else _TSUMO_SHARES
        )
        yield from _unshared_amount("noten_payment", self.noten_payment, _NOTEN_SHARES)


SMALLEST: Final = 100
"""The smallest stick."""
_TSUMO_SHARES: Final = {3: "at a tsumo each of three would pay"}
_NOTEN_SHARES: Final = {3: "each of three noten hands would pay", 2: "each of two noten hands would pay"}


def _unshared_amount(name: str, points: int, sharers: Mapping[int, str]) -> Iterator[str]:
    """Yields the amount if a share of it cannot be paid; `sharers` has a text for each number of sharers."""
    for count, text in sharers.items():
        if points % (SMALLEST * count):
            yield f"{name} = {points}: {text} {points / count:g}"
            return


@cache
def _hints() -> dict[str, object]:
    return dict(get_type_hints(Ruleset))
