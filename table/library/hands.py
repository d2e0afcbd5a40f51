"""Values a winning hand given as text."""

from __future__ import annotations

from pathlib import Path

from table.rulebook import rules_named
from table.rules.notation.hand_text import NO_WIN, read_melds, split_winning_tile
from table.rules.notation.written_tiles import written_tile, written_tiles, written_wind
from table.rules.ruleset import Ruleset
from table.rules.scoring.hand_value import HandQuery, HandValue, NoWin, evaluate
from table.rules.scoring.win_facts import excluding_facts, impossible_tiles
from table.rules.terms.rule_errors import InvalidValueError


def score(
    hand: str,
    *,
    win: str = "",
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
    seat_wind: str = "S",
    round_wind: str = "E",
    ruleset: str | Path = "home",
) -> HandValue:
    """Returns the value of a winning hand in its best interpretation, without honba and riichi sticks.

    >>> value = score("234567m234p55s678s", win="2p", riichi=True, tsumo=True, dora="4s")
    >>> value.han, value.fu, value.points
    (6, 20, 12000)

    Args:
        hand: the concealed tiles: `123m0p55z`, `m123`, `E`, 東, 🀇; with or without the winning tile.
        win: the winning tile; if omitted, the last of the concealed tiles.
        melds: melds, with closed kans in brackets: `123m 555z (2222s)`.
        tsumo: the winner drew the tile; otherwise it is a ron.
        riichi: the winner declared riichi.
        double_riichi: the winner declared double riichi.
        ippatsu: the win is ippatsu.
        last_tile: won on the last tile of the wall or the last discard.
        after_kan: won on the replacement tile after a kan.
        robbing_kan: won on the tile that another player added to a pon.
        first_turn: won before the winner's first discard, without any call before.
        dora: the dora indicators.
        ura: the ura dora indicators.
        seat_wind: the winner's wind, `E` or `east`; east deals.
        round_wind: the round's wind.
        ruleset: the rules: a preset's name, or the file of a rule set.

    Raises:
        RulesError: a value is not text, the text is not a tile or meld, or the hand cannot win this way; the message
            says why.
        TachiaiError: the rule set is unknown.
    """
    check_texts(hand=hand, win=win, melds=melds, dora=dora, ura=ura, seat_wind=seat_wind, round_wind=round_wind)
    if riichi and double_riichi:
        raise InvalidValueError("expected a possible win, got riichi and double riichi")
    rules, laid_melds = rules_named(ruleset).switches, read_melds(melds)
    concealed, winning_tile = split_winning_tile(written_tiles(hand), laid_melds, written_tile(win) if win else None)
    query = HandQuery(
        concealed=concealed,
        melds=laid_melds,
        winning_tile=winning_tile,
        is_tsumo=tsumo,
        riichi=2 if double_riichi else 1 if riichi else 0,
        ippatsu=ippatsu,
        is_last_tile=last_tile,
        after_kan=after_kan,
        robbing_kan=robbing_kan,
        is_first_turn=first_turn,
        dora_indicators=written_tiles(dora),
        ura_indicators=written_tiles(ura),
        seat_wind=written_wind(seat_wind),
        round_wind=written_wind(round_wind),
    )
    return _value(query, rules)


def check_texts(**arguments: object) -> None:
    """Checks that arguments, by name, are text.

    Raises:
        InvalidValueError: one is something else.
    """
    for name, value in arguments.items():
        if not isinstance(value, str):
            raise InvalidValueError(f"expected {name} as text, got {type(value).__name__}: {value!r:.100}")


def _value(query: HandQuery, rules: Ruleset) -> HandValue:
    """Returns the value of a hand.

    Raises:
        InvalidValueError: the hand cannot win this way.
    """
    if impossible := excluding_facts(query) or impossible_tiles(query, rules):
        raise InvalidValueError(f"expected a possible win, got {impossible}")
    value = evaluate(query, rules)
    if isinstance(value, NoWin):
        raise InvalidValueError(f"expected a winning hand, got one that cannot win: {NO_WIN[value.reason]}")
    return value
