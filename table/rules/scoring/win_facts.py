"""Finds impossible wins: facts that exclude each other, or more copies of a tile than a set has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from table.rules.ruleset import Ruleset
from table.rules.scoring.hand_value import HandQuery
from table.rules.terms.tiles import COPIES, KIND_TILES, Tile

MOST_INDICATORS: Final = 5
"""The most indicators of a hand: the first, and one for each of four kans."""


def excluding_facts(query: HandQuery) -> str:
    """Returns the first facts of a win that exclude each other, in words; empty if there are none."""
    return next(_excluding_facts(query), "")


def impossible_tiles(query: HandQuery, ruleset: Ruleset) -> str:
    """Returns the tiles of a win, its melds and its indicators that exceed the set, in words; empty if none do."""
    return next(_impossible_tiles(query, ruleset), "")


def _excluding_facts(query: HandQuery) -> Iterator[str]:
    is_open = any(meld.is_open for meld in query.melds)
    in_riichi = query.riichi > 0
    if in_riichi and is_open:
        yield "riichi with an open meld"
    if query.ippatsu and not in_riichi:
        yield "ippatsu without riichi"
    if query.ura_indicators and not in_riichi:
        yield "ura dora without riichi"
    if query.robbing_kan and query.is_tsumo:
        yield "robbing a kan by own draw: a kan is robbed by ron"
    yield from _excluding_draws(query)
    if query.is_first_turn:
        yield from _excluding_first_turn(query, in_riichi=in_riichi)


def _excluding_draws(query: HandQuery) -> Iterator[str]:
    if query.after_kan and not query.is_tsumo:
        yield "a tile drawn after a kan without tsumo"
    if query.after_kan and not any(meld.kind.is_kan for meld in query.melds):
        yield "a tile drawn after an own kan without a kan"
    if query.after_kan and query.is_last_tile:
        yield "the last tile of the wall drawn after a kan"
    if query.after_kan and query.ippatsu:
        yield "ippatsu after an own kan, which ends it"
    if query.robbing_kan and query.is_last_tile:
        yield "a robbed kan after the last tile of the wall, when none can be made"


def _excluding_first_turn(query: HandQuery, *, in_riichi: bool) -> Iterator[str]:
    if query.melds:
        yield "a win in the first go-round with a meld, which interrupts it"
    if in_riichi:
        yield "riichi with a win before the first discard"
    if query.robbing_kan:
        yield "a kan with a win in the first go-round, which it interrupts"
    if query.is_last_tile:
        yield "the last tile in the first go-round"
    if query.is_dealer and not query.is_tsumo:
        yield "a ron of the dealer before the dealer's first discard"


def _impossible_tiles(query: HandQuery, ruleset: Ruleset) -> Iterator[str]:
    for name, indicators in (("dora", query.dora_indicators), ("ura dora", query.ura_indicators)):
        if len(indicators) > MOST_INDICATORS:
            yield f"{len(indicators)} {name} indicators, {MOST_INDICATORS} at most"
    hand = [*query.concealed, query.winning_tile, *(tile for meld in query.melds for tile in meld.tiles)]
    tiles = [tile for tile in (*hand, *query.dora_indicators, *query.ura_indicators) if tile.is_known]
    for kind, count in Counter(tile.kind for tile in tiles).items():
        if count > COPIES:
            yield f"{count} copies of {KIND_TILES[kind]}, hand, melds and indicators together; a set has {COPIES}"
    for suit, reds in zip("mps", (ruleset.red_man, ruleset.red_pin, ruleset.red_sou), strict=True):
        count = tiles.count(Tile(f"0{suit}"))
        if count > max(reds, 1):
            yield f"{count} red fives 0{suit}; these rules have {reds}"
    robbed = sum(tile.kind == query.winning_tile.kind for tile in tiles)
    if query.robbing_kan and robbed > 1:
        yield f"{robbed} copies of {query.winning_tile.without_red} beside the robbed kan, which has the other three"
