"""Our words as those of `jansou`, an independent engine that only tests use."""

from __future__ import annotations

from typing import Any

from jansou.core import hand as other_hands
from jansou.core.rules import Rules
from jansou.core.tiles import Tile as OtherTile
from jansou.core.tiles import TileKind
from jansou.core.tiles import Wind as OtherWind
from jansou.scoring.context import WinContext
from jansou.scoring.score import ScoringError, score

from table.rules.ruleset import Ruleset
from table.rules.scoring.hand_value import HandQuery
from table.rules.terms.melds import Meld, MeldKind
from table.rules.terms.tiles import Tile

_KINDS = {
    MeldKind.CHI: "CHII",
    MeldKind.PON: "PON",
    MeldKind.OPEN_KAN: "DAIMINKAN",
    MeldKind.CLOSED_KAN: "ANKAN",
}


def hand_value(query: HandQuery, ruleset: Ruleset) -> tuple[int | None, int | None, int] | None:
    """Han, fu (both None with yakuman) and points of a won hand; None where it has no yaku."""
    tiles = tuple(other_tile(tile) for tile in (*query.concealed, query.winning_tile))
    hand = other_hands.Hand(tiles, tuple(_other_meld(meld) for meld in query.melds))
    try:
        result: Any = score(hand, tiles[-1], _context(query, ruleset))
    except ScoringError:
        return None
    if result.is_yakuman:
        return None, None, result.payment.total
    return result.han, result.fu.total, result.payment.total


def other_tile(tile: Tile) -> Any:
    """The tile in its words."""
    return OtherTile(TileKind(tile.kind), red=tile.is_red)


def _other_meld(meld: Meld) -> Any:
    tiles = tuple(other_tile(tile) for tile in meld.tiles)
    kind = other_hands.MeldType[_KINDS[meld.kind]]
    if meld.kind is MeldKind.CLOSED_KAN:
        return other_hands.Meld(kind, tiles)
    return other_hands.Meld(kind, tiles, tiles[0], other_hands.CallSource.KAMICHA)


def _context(query: HandQuery, ruleset: Ruleset) -> Any:
    winds = list(OtherWind)
    return WinContext(
        rules=Rules(
            double_wind_fu=ruleset.double_wind_fu,
            kiriage_mangan=ruleset.kiriage_mangan,
            kazoe_yakuman=ruleset.kazoe == "yakuman",
            multiple_yakuman=ruleset.multiple_yakuman,
            double_yakuman=ruleset.double_yakuman is True,
            aka_dora=ruleset.red_man > 0,
            ura_dora=ruleset.ura_dora,
            kan_dora=ruleset.kan_dora,
            kuitan=ruleset.open_tanyao,
            ippatsu=ruleset.ippatsu,
        ),
        round_wind=winds[query.round_wind],
        seat_wind=winds[query.seat_wind],
        is_tsumo=query.is_tsumo,
        riichi=query.riichi == 1,
        double_riichi=query.riichi == 2,
        ippatsu=query.ippatsu,
        haitei=query.is_tsumo and query.is_last_tile,
        houtei=not query.is_tsumo and query.is_last_tile,
        rinshan=query.after_kan,
        chankan=query.robbing_kan,
        dora_indicators=tuple(other_tile(tile) for tile in query.dora_indicators),
        ura_indicators=tuple(other_tile(tile) for tile in query.ura_indicators),
    )
