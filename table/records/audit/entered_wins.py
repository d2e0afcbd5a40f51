"""Values again the wins that people entered with their hands.

Nobody saw how such a hand was played, so what its tiles cannot show is believed as entered: riichi, ippatsu, the last
tile, a kan's replacement, dora. A win whose yaku people did not name, or whose tiles they did not enter, is not valued.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from table.records.audit.audit_verdict import PAYMENTS, Disagreement, win_disagreements
from table.rules.events import HandShown
from table.rules.ruleset import Ruleset
from table.rules.scoring.hand_value import EIGHT, HandQuery, HandValue, evaluate, value_of
from table.rules.scoring.win_facts import excluding_facts, impossible_tiles
from table.rules.terms.results import Win
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import Round, Seat, seat_wind

_RIICHI: Final = ("riichi", "open_riichi")
_DOUBLE_RIICHI: Final = ("double_riichi", "double_open_riichi")
_OPEN_RIICHI: Final = ("open_riichi", "double_open_riichi", "open_riichi_yakuman")
_FIRST_TURN: Final = ("tenhou", "chiihou", "renhou", "renhou_yakuman")
_INDICATOR_YAKU: Final = ("dora", "ura_dora")
"""What indicators add; no record of such a hand has the indicators, but red fives are among its tiles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPlace:
    """What the value of a hand depends on besides its tiles."""

    round: Round
    dealer: Seat
    honba: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuedWins:
    """The wins of a hand that people entered, by the rules where its tiles are known."""

    wins: tuple[Win, ...]
    disagreements: tuple[Disagreement, ...] = ()
    are_valued: bool = False
    """Whether every win could be valued again."""


def revalued_wins(
    wins: Sequence[Win], hands: Sequence[HandShown | None], place: HandPlace, rules: Ruleset, *, same_rules: bool
) -> ValuedWins:
    """Returns the wins of a hand by the rules; a win that cannot be valued stays as entered.

    Args:
        wins: the wins as entered.
        hands: the hands as entered, by seat; None without one.
        place: where in the game the hand is.
        rules: the rules.
        same_rules: whether they are those by which the wins were entered; otherwise payments are not compared.
    """
    valued_wins: list[Win] = []
    disagreements: list[Disagreement] = []
    are_valued = bool(wins)
    for win in wins:
        hand = hands[win.seat]
        if hand is None or not _can_value(win, hand):
            are_valued = False
            valued_wins.append(win)
            continue
        valued_win = _win_by_rules(win, hand, place, rules)
        if valued_win is None:
            entered = [[name, han] for name, han in win.yaku]
            disagreements.append(
                Disagreement(fact="yaku", record=entered, rules=[], seat=win.seat if len(wins) > 1 else None)
            )
        valued_wins.append(valued_win or win)
    disagreements += win_disagreements(wins, valued_wins)
    return ValuedWins(
        wins=tuple(valued_wins),
        disagreements=tuple(
            disagreement for disagreement in disagreements if same_rules or disagreement.fact not in PAYMENTS
        ),
        are_valued=are_valued,
    )


def _can_value(win: Win, hand: HandShown) -> bool:
    if hand.winning_tile is None or not win.yaku:
        return False
    meld_tiles = [tile for meld in hand.melds for tile in meld.tiles]
    are_known = all(tile.is_known for tile in (*hand.tiles, hand.winning_tile, *meld_tiles))
    return are_known and len(hand.tiles) == 13 - 3 * len(hand.melds)


def _win_by_rules(win: Win, hand: HandShown, place: HandPlace, rules: Ruleset) -> Win | None:
    """Returns a win by the rules, with the dora as entered; None if its hand cannot win."""
    query = _query(win, hand, place)
    value = None if excluding_facts(query) or impossible_tiles(query, rules) else evaluate(query, rules)
    if not isinstance(value, HandValue):
        return None
    if value.yakuman:
        return replace(win, han=None, fu=None, yaku=value.yaku, yakuman=value.yakuman, points=value.points)
    dora = tuple((name, han) for name, han in win.yaku if name in _INDICATOR_YAKU)
    han, fu = (value.han or 0) + sum(han for _, han in dora), value.fu or 0
    is_dealer = win.seat is place.dealer
    try:
        total_value = value_of(han=han, fu=fu, is_tsumo=win.is_tsumo, is_dealer=is_dealer, ruleset=rules)
    except InvalidValueError:
        return None
    return replace(win, han=han, fu=fu, yaku=_with_dora(value.yaku, dora), yakuman=0, points=total_value.points)


def _with_dora(yaku: Sequence[tuple[str, int]], dora: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Returns the yaku with the dora of the indicators before the red fives."""
    reds = [pair for pair in yaku if pair[0] == "red_five"]
    return (*(pair for pair in yaku if pair[0] != "red_five"), *dora, *reds)


def _query(win: Win, hand: HandShown, place: HandPlace) -> HandQuery:
    names = {name for name, _ in win.yaku}
    level: Literal[0, 1, 2] = (
        2 if names.intersection(_DOUBLE_RIICHI) else 1 if names.intersection((*_RIICHI, *_OPEN_RIICHI)) else 0
    )
    if hand.winning_tile is None:
        raise ValueError("expected a winning tile, got none")
    return HandQuery(
        concealed=hand.tiles,
        melds=hand.melds,
        winning_tile=hand.winning_tile,
        is_tsumo=win.is_tsumo,
        seat_wind=seat_wind(win.seat, place.dealer),
        round_wind=place.round.wind,
        riichi=level,
        is_open_riichi=not names.isdisjoint(_OPEN_RIICHI),
        fed_outside_riichi="open_riichi_yakuman" in names,
        ippatsu="ippatsu" in names,
        is_last_tile=not names.isdisjoint(("last_tile_tsumo", "last_tile_ron")),
        after_kan="after_a_kan" in names,
        robbing_kan="robbing_a_kan" in names,
        is_first_turn=not names.isdisjoint(_FIRST_TURN),
        wins_before=EIGHT - 1 if "eight_in_a_row" in names else 0,
        honba=place.honba,
    )
