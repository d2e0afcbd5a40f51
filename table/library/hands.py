"""A won hand in text, valued."""

from __future__ import annotations

from typing import Literal

from table.rulebook import rules_named
from table.rules.notation.hand_text import NO_WIN, read_melds
from table.rules.scoring.hand_value import HandQuery, HandValue, NoWin, evaluate
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import Wind
from table.rules.terms.tiles import Tile, parse_tiles

WindLetter = Literal["E", "S", "W", "N"]


def score(
    hand: str,
    *,
    win: str,
    melds: str = "",
    tsumo: bool = False,
    riichi: bool = False,
    double_riichi: bool = False,
    ippatsu: bool = False,
    last_tile: bool = False,
    after_kan: bool = False,
    robbing_kan: bool = False,
    first_turn: bool = False,
    dora: str = "",
    ura: str = "",
    seat_wind: WindLetter = "S",
    round_wind: WindLetter = "E",
    ruleset: str = "home",
) -> HandValue:
    """Returns what a won hand is worth, read in its best way, without counters and sticks.

    >>> value = score("234567m234p55s678s", win="2p", riichi=True, tsumo=True, dora="4s")
    >>> value.han, value.fu, value.points
    (6, 20, 12000)

    Args:
        hand: the concealed tiles, with the winning one or without: `123m0p55z`, where 0 is a red five.
        win: the winning tile.
        melds: open melds, and closed kans in brackets: `123m,555z,(2222s)`.
        tsumo: the winner drew it; else another discarded it.
        riichi: with riichi.
        double_riichi: with double riichi.
        ippatsu: within the ippatsu window.
        last_tile: won with the last tile of the wall or the last discard.
        after_kan: drawn after an own kan.
        robbing_kan: won with the tile of another's added kan.
        first_turn: before the winner's own first discard, nobody having called.
        dora: the dora indicators.
        ura: the ura dora indicators.
        seat_wind: the winner's wind; E deals.
        round_wind: the round's wind.
        ruleset: the rules: a preset's name, or the file of a rule set.

    Raises:
        RulesError: text that is no tile or meld, or a hand that cannot be won so; the message says why.
        TachiaiError: there is no such rule set.
    """
    winning = Tile(win)
    value = evaluate(
        HandQuery(
            concealed=_without(winning, parse_tiles(hand)),
            melds=read_melds(melds),
            winning_tile=winning,
            is_tsumo=tsumo,
            riichi=2 if double_riichi else 1 if riichi else 0,
            ippatsu=ippatsu,
            is_last_tile=last_tile,
            after_kan=after_kan,
            robbing_kan=robbing_kan,
            is_first_turn=first_turn,
            dora_indicators=tuple(parse_tiles(dora)),
            ura_indicators=tuple(parse_tiles(ura)),
            seat_wind=_wind(seat_wind),
            round_wind=_wind(round_wind),
        ),
        rules_named(ruleset).ruleset,
    )
    if isinstance(value, NoWin):
        raise InvalidValueError(f"expected a winning hand, got one that cannot win: {NO_WIN[value.reason]}")
    return value


def _without(winning: Tile, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The concealed tiles without the winning one, where it is among them."""
    if len(tiles) % 3 == 1:
        return tiles
    concealed = list(tiles)
    found = next((tile for tile in concealed if tile is winning), None)
    found = found or next((tile for tile in concealed if tile.kind == winning.kind), None)
    if found is None:
        raise InvalidValueError(f"expected the winning tile {winning} among the concealed tiles, got {concealed!r}")
    concealed.remove(found)
    return tuple(concealed)


def _wind(letter: str) -> Wind:
    if letter not in ("E", "S", "W", "N"):
        raise InvalidValueError(f"expected a wind E, S, W or N, got {letter!r}")
    return Wind("ESWN".index(letter))
