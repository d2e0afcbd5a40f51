"""The value of a winning hand: han, fu, yaku and payments, computed by the `mahjong` library.

Only this module and `table.rules.terms.yaku` know the library's options, its 136 tile numbers and its names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal, cast

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.hand_response import HandResponse
from mahjong.hand_calculating.scores import ScoresCalculator, ScoresResult
from mahjong.hand_calculating.yaku import Yaku
from mahjong.hand_calculating.yaku_config import YakuConfig
from mahjong.meld import Meld as LibraryMeld

from table.rules.ruleset import Ruleset
from table.rules.scoring.waits import kind_counts
from table.rules.terms.amounts import amount
from table.rules.terms.melds import Meld, MeldKind
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import Wind
from table.rules.terms.tiles import Tile
from table.rules.terms.yaku import DORA, LIBRARY_YAKU, YAKU, YAKUMAN

YAKUMAN_HAN: Final = 13
"""The han of a yakuman in the library."""
EIGHT: Final = 8
"""The number of the win in a row that is a yakuman, if the rules have paarenchan."""
MANGAN_HAN: Final = 5
"""The han from which a hand is at least a mangan, regardless of its fu."""

__all__ = (
    "YAKU",
    "YAKUMAN_HAN",
    "HandQuery",
    "HandValue",
    "NoWin",
    "Payments",
    "evaluate",
    "is_yakuman",
    "value_of",
    "yakuman_han",
    "yakuman_payments",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandQuery:
    """A winning hand and all facts about the win that its value depends on."""

    concealed: tuple[Tile, ...]
    """The concealed tiles without the winning one: 13 less three for each meld."""
    melds: tuple[Meld, ...] = ()
    winning_tile: Tile
    is_tsumo: bool
    seat_wind: Wind
    round_wind: Wind
    riichi: Literal[0, 1, 2] = 0
    """0 without riichi, 1 with riichi, 2 with double riichi."""
    is_open_riichi: bool = False
    """Whether the riichi was declared with its waiting tiles laid open."""
    fed_outside_riichi: bool = False
    """Whether the win is a ron from a seat without a valid riichi."""
    ippatsu: bool = False
    is_last_tile: bool = False
    """Whether the winning tile is the last of the wall, or the last discard."""
    after_kan: bool = False
    """Whether the winning tile was drawn as a replacement after a kan."""
    robbing_kan: bool = False
    is_first_turn: bool = False
    """Whether the win is in the first go-round, before any call and before the winner's first discard."""
    wins_before: int = 0
    """The number of hands that the winner won in a row just before this one."""
    honba: int = 0
    """The honba, since the rules may require two han from some honba on."""
    dora_indicators: tuple[Tile, ...] = ()
    ura_indicators: tuple[Tile, ...] = ()

    def __post_init__(self) -> None:
        concealed_count = 13 - 3 * len(self.melds)
        if len(self.concealed) != concealed_count:
            place = f"{self.concealed!r:.80} beside {amount(len(self.melds), 'meld')} and the winning tile"
            raise InvalidValueError(
                f"expected {amount(concealed_count, 'concealed tile')}, got {len(self.concealed)}: {place}"
            )

    @property
    def is_dealer(self) -> bool:
        """Whether the winner is the dealer."""
        return self.seat_wind is Wind.EAST


@dataclass(frozen=True, slots=True, kw_only=True)
class Payments:
    """The points that the others pay for a win, without honba and sticks."""

    ron: int = 0
    """Points from the discarder at a ron; 0 at a tsumo."""
    from_dealer: int = 0
    """Points from the dealer at a tsumo; 0 if the dealer won."""
    from_others: int = 0
    """Points from each non-dealer at a tsumo."""

    @property
    def total(self) -> int:
        """The points from all payers together."""
        if self.ron:
            return self.ron
        return self.from_dealer + self.from_others * (2 if self.from_dealer else 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandValue:
    """The value of a winning hand."""

    han: int | None
    """None for a yakuman."""
    fu: int | None
    fu_parts: tuple[tuple[str, int], ...] = ()
    """Each source of fu with its fu, before rounding."""
    yaku: tuple[tuple[str, int], ...] = ()
    """Names from `YAKU` with their han; 13 or 26 for a yakuman."""
    yakuman: int = 0
    """The number of yakuman that it counts as; 0 for a counted yakuman (13 han or more)."""
    payments: Payments

    @property
    def points(self) -> int:
        """The points from all payers together, without honba and sticks."""
        return self.payments.total


@dataclass(frozen=True, slots=True, kw_only=True)
class NoWin:
    """The reason why a hand cannot win."""

    reason: Literal["not_winning", "no_yaku", "one_han", "too_many_copies", "unknown_tile", "contradiction"]
    """`one_han`: the rules require two han at this honba;
    `contradiction`: the facts exclude each other, such as riichi with an open hand."""


def evaluate(query: HandQuery, ruleset: Ruleset) -> HandValue | NoWin:
    """Returns the highest value of a hand, or the reason why it cannot win."""
    value = _evaluate(query, ruleset)
    if ruleset.eight_in_a_row and query.wins_before >= EIGHT - 1:
        value = _with_eight_in_a_row(value, query, ruleset)
    if isinstance(value, NoWin) or value.yakuman or _han_of_yaku(value) >= ruleset.han_needed(query.honba):
        return value
    return NoWin(reason="one_han")


def _with_eight_in_a_row(value: HandValue | NoWin, query: HandQuery, ruleset: Ruleset) -> HandValue | NoWin:
    """Adds the yakuman for the eighth win in a row; a complete hand needs no other yaku."""
    if isinstance(value, NoWin) and value.reason != "no_yaku":
        return value
    others = () if isinstance(value, NoWin) else tuple(pair for pair in value.yaku if is_yakuman(pair[0]))
    yaku = (*others, ("eight_in_a_row", yakuman_han("eight_in_a_row", ruleset)))
    return _yakuman_value(_in_order(yaku), ruleset, is_tsumo=query.is_tsumo, is_dealer=query.is_dealer)


def _han_of_yaku(value: HandValue) -> int:
    return sum(han for name, han in value.yaku if name not in DORA)


def _evaluate(query: HandQuery, ruleset: Ruleset) -> HandValue | NoWin:
    tiles = [*query.concealed, *(tile for meld in query.melds for tile in meld.tiles), query.winning_tile]
    if not all(tile.is_known for tile in tiles):
        return NoWin(reason="unknown_tile")
    counts = kind_counts(tiles)
    if max(counts) > 4:
        return NoWin(reason="too_many_copies")
    config = _config(query, ruleset, counts)
    value = _estimate(query, tiles, config, ruleset)
    if isinstance(value, NoWin) or not config.is_renhou or ruleset.renhou != "mangan_alone":
        return value
    config = _config(replace(query, is_first_turn=False), ruleset, counts)
    return _larger_value(_renhou_alone(value, ruleset), _estimate(query, tiles, config, ruleset))


def value_of(*, han: int, fu: int, is_tsumo: bool, is_dealer: bool, ruleset: Ruleset) -> HandValue:
    """Returns the value of a hand with han and fu counted by people.

    Raises:
        InvalidValueError: for han below 1, or fu that no hand can have.
    """
    if han < 1 or fu not in (20, 25, *range(30, 150, 10)):
        raise InvalidValueError(f"expected han from 1 and fu such as 20, 25, 30 … 140, got {han} han {fu} fu")
    config = _plain_config(is_tsumo, is_dealer, ruleset)
    cost = ScoresCalculator.calculate_scores(han, fu, config)
    return HandValue(han=han, fu=fu, payments=_payments(cost, config))


def yakuman_payments(count: int, *, is_tsumo: bool, is_dealer: bool) -> Payments:
    """Returns the payments for `count` yakuman."""
    config = HandConfig(is_tsumo=is_tsumo, player_wind=_wind_kind(Wind.EAST if is_dealer else Wind.SOUTH))
    cost = ScoresCalculator.calculate_scores(YAKUMAN_HAN * count, 0, config, is_yakuman=True)
    return _payments(cost, config)


def _estimate(query: HandQuery, tiles: Sequence[Tile], config: HandConfig, ruleset: Ruleset) -> HandValue | NoWin:
    response = HandCalculator.estimate_hand_value(
        [_tile_number(tile, ruleset) for tile in tiles],
        _tile_number(query.winning_tile, ruleset),
        melds=[_library_meld(meld, ruleset) for meld in query.melds],
        dora_indicators=_indicators(query.dora_indicators, ruleset, all_count=ruleset.kan_dora),
        ura_dora_indicators=_ura_indicators(query, ruleset),
        config=config,
    )
    if response.error is not None:
        return NoWin(reason=_REASONS.get(response.error, "contradiction"))
    return _hand_value(response, config, ruleset)


def _renhou_alone(value: HandValue, ruleset: Ruleset) -> HandValue:
    """Returns the value of a mangan with renhou as its only yaku, and the hand's fu."""
    mangan = value_of(han=MANGAN_HAN, fu=30, is_tsumo=False, is_dealer=False, ruleset=ruleset)
    return replace(mangan, fu=value.fu, fu_parts=value.fu_parts, yaku=(("renhou", MANGAN_HAN),))


def _larger_value(alone: HandValue, combined: HandValue | NoWin) -> HandValue:
    return alone if isinstance(combined, NoWin) or alone.points > combined.points else combined


_PLACES: Final = {name: place for place, name in enumerate(YAKU)}
_REASONS: Final[dict[str, Literal["not_winning", "no_yaku"]]] = {
    HandCalculator.ERR_HAND_NOT_WINNING: "not_winning",
    HandCalculator.ERR_NO_YAKU: "no_yaku",
}


def _tile_number(tile: Tile, ruleset: Ruleset) -> int:
    """Returns a tile's number among the library's 136; a red five is the first of its four.

    Several copies may share one number: the library only distinguishes kinds and red fives.
    """
    reds = (ruleset.red_man, ruleset.red_pin, ruleset.red_sou)
    is_red = tile.is_red and reds[tile.kind // 9] > 0
    return tile.kind * 4 + (0 if is_red else 3)


def _library_meld(meld: Meld, ruleset: Ruleset) -> LibraryMeld:
    kind = {MeldKind.CHI: LibraryMeld.CHI, MeldKind.PON: LibraryMeld.PON}.get(meld.kind, LibraryMeld.KAN)
    numbers = sorted(_tile_number(tile, ruleset) for tile in meld.tiles)
    return LibraryMeld(meld_type=kind, tiles=numbers, opened=meld.is_open)


def _indicators(tiles: tuple[Tile, ...], ruleset: Ruleset, *, all_count: bool) -> list[int]:
    counting_tiles = tiles if all_count else tiles[:1]
    return [_tile_number(tile, ruleset) for tile in counting_tiles if tile.is_known]


def _ura_indicators(query: HandQuery, ruleset: Ruleset) -> list[int]:
    if not ruleset.ura_dora:
        return []
    return _indicators(query.ura_indicators, ruleset, all_count=ruleset.kan_dora and ruleset.kan_ura)


def _options(ruleset: Ruleset, *, is_fed: bool = False) -> OptionalRules:
    return OptionalRules(
        has_open_tanyao=ruleset.open_tanyao,
        has_aka_dora=True,
        has_double_yakuman=ruleset.double_yakuman is True,
        kazoe_limit=HandConfig.KAZOE_LIMITED if ruleset.kazoe == "yakuman" else HandConfig.KAZOE_SANBAIMAN,
        kiriage=ruleset.kiriage_mangan,
        fu_for_pinfu_tsumo=not ruleset.pinfu_tsumo,
        renhou_as_yakuman=ruleset.renhou == "yakuman",
        has_sashikomi_yakuman=is_fed and ruleset.open_riichi_yakuman,
    )


def _plain_config(is_tsumo: bool, is_dealer: bool, ruleset: Ruleset) -> HandConfig:
    wind = _wind_kind(Wind.EAST if is_dealer else Wind.SOUTH)
    return HandConfig(is_tsumo=is_tsumo, player_wind=wind, options=_options(ruleset))


def _config(query: HandQuery, ruleset: Ruleset, counts: list[int]) -> HandConfig:
    ron, first = not query.is_tsumo, query.is_first_turn and not query.melds
    return HandConfig(
        is_tsumo=query.is_tsumo,
        is_riichi=query.riichi == 1,
        is_daburu_riichi=query.riichi == 2,
        is_open_riichi=query.is_open_riichi and ruleset.open_riichi,
        is_ippatsu=query.ippatsu and ruleset.ippatsu,
        is_rinshan=query.is_tsumo and query.after_kan,
        is_chankan=ron and query.robbing_kan,
        is_haitei=query.is_tsumo and query.is_last_tile and not query.after_kan,
        is_houtei=ron and query.is_last_tile and not query.robbing_kan,
        is_tenhou=first and query.is_tsumo and query.is_dealer,
        is_chiihou=first and query.is_tsumo and not query.is_dealer,
        is_renhou=first and ron and not query.is_dealer and ruleset.renhou != "none",
        player_wind=_wind_kind(query.seat_wind),
        round_wind=_round_wind_kind(query, ruleset, counts),
        options=_options(ruleset, is_fed=ron and query.fed_outside_riichi),
    )


def _wind_kind(wind: Wind) -> int:
    return wind.tile.kind


def _round_wind_kind(query: HandQuery, ruleset: Ruleset, counts: list[int]) -> int | None:
    """Returns the round's wind, or None to make the library count a pair of a double wind once.

    The library always gives such a pair 4 fu; without the round's wind it counts only the seat's.
    """
    kind = _wind_kind(query.round_wind)
    is_double_pair = query.seat_wind is query.round_wind and counts[kind] == 2
    return None if is_double_pair and ruleset.double_wind_fu == 2 else kind


def _payments(cost: ScoresResult, config: HandConfig) -> Payments:
    if not config.is_tsumo:
        return Payments(ron=cost["main"])
    if config.is_dealer:
        return Payments(from_others=cost["main"])
    return Payments(from_dealer=cost["main"], from_others=cost["additional"])


@cache
def _names() -> dict[int, str]:
    """Returns our names by the library's numbers of yaku."""
    library = YakuConfig()
    return {getattr(library, attribute).yaku_id: name for attribute, name in LIBRARY_YAKU.items()}


def yakuman_han(name: str, ruleset: Ruleset) -> int:
    """Returns the han listed for a yakuman: 13, or 26 if it counts twice."""
    return YAKUMAN_HAN * (2 if name in ruleset.doubled_yakuman else 1)


def _named_yaku(response: HandResponse, ruleset: Ruleset) -> tuple[tuple[str, int], ...]:
    listed_yaku = ((_names()[yaku.yaku_id], _han_of(yaku, response.is_open_hand)) for yaku in response.yaku or ())
    return _in_order((name, yakuman_han(name, ruleset) if is_yakuman(name) else han) for name, han in listed_yaku)


def _in_order(yaku: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(yaku, key=lambda pair: _PLACES[pair[0]]))


def _han_of(yaku: Yaku, is_open: bool) -> int:
    return int(yaku.han_open if is_open and yaku.han_open else yaku.han_closed)


def _hand_value(response: HandResponse, config: HandConfig, ruleset: Ruleset) -> HandValue:
    yaku = _named_yaku(response, ruleset)
    if any(is_yakuman(name) for name, _ in yaku):
        return _yakuman_value(yaku, ruleset, is_tsumo=config.is_tsumo, is_dealer=config.is_dealer)
    parts = tuple((detail["reason"], detail["fu"]) for detail in response.fu_details or ())
    # A response without an error has a cost, which its type does not say.
    payments = _payments(cast("ScoresResult", response.cost), config)
    return HandValue(han=response.han, fu=response.fu, fu_parts=parts, yaku=yaku, payments=payments)


def _yakuman_value(
    yaku: tuple[tuple[str, int], ...], ruleset: Ruleset, *, is_tsumo: bool, is_dealer: bool
) -> HandValue:
    counts = [han // YAKUMAN_HAN for name, han in yaku if is_yakuman(name)]
    count = sum(counts) if ruleset.multiple_yakuman else max(counts)
    payments = yakuman_payments(count, is_tsumo=is_tsumo, is_dealer=is_dealer)
    return HandValue(han=None, fu=None, yaku=yaku, yakuman=count, payments=payments)


def is_yakuman(name: str) -> bool:
    """Whether a name from `YAKU` is that of a yakuman."""
    return name in YAKUMAN
