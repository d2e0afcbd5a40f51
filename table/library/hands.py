"""A won hand in text, valued."""

from __future__ import annotations

from table.rulebook import rules_named
from table.rules.notation.hand_text import NO_WIN, read_melds, winning_apart
from table.rules.notation.written_tiles import written_tile, written_tiles, written_wind
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
    ruleset: str = "home",
) -> HandValue:
    """Returns what a won hand is worth, read in its best way, without counters and sticks.

    >>> value = score("234567m234p55s678s", win="2p", riichi=True, tsumo=True, dora="4s")
    >>> value.han, value.fu, value.points
    (6, 20, 12000)

    Args:
        hand: the concealed tiles as people write them: `123m0p55z`, `m123`, `E`, 🀇; with the winning one or without.
        win: the winning tile; where it is among the concealed ones and not named, the last of those.
        melds: open melds, and closed kans in brackets: `123m 555z (2222s)`.
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
        seat_wind: the winner's wind, `E` or `east`; east deals.
        round_wind: the round's wind.
        ruleset: the rules: a preset's name, or the file of a rule set.

    Raises:
        RulesError: text that is no tile or meld, or a hand that cannot be won so; the message says why.
        TachiaiError: there is no such rule set.
    """
    rules, laid = rules_named(ruleset).ruleset, read_melds(melds)
    concealed, winning = winning_apart(written_tiles(hand), laid, written_tile(win) if win else None)
    query = HandQuery(
        concealed=concealed,
        melds=laid,
        winning_tile=winning,
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
    if impossible := excluding_facts(query) or impossible_tiles(query, rules):
        raise InvalidValueError(f"expected a win that can be, got {impossible}")
    value = evaluate(query, rules)
    if isinstance(value, NoWin):
        raise InvalidValueError(f"expected a winning hand, got one that cannot win: {NO_WIN[value.reason]}")
    return value
