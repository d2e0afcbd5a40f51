"""`tachiai score HAND`: values a winning hand, with its yaku and a breakdown of its fu."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from table.cli.arguments.given_rules import given_rules
from table.cli.arguments.number_arguments import whole_number_from
from table.cli.arguments.user_language import add_language
from table.cli.streams.input_files import INPUT_NAME, STANDARD_INPUT, check_inputs, standard_bytes
from table.i18n import Catalogue, catalogue
from table.rulebook.ruleset_registry import SETS
from table.rules.notation.hand_text import NO_WIN, read_melds, split_winning_tile
from table.rules.notation.written_tiles import written_tile, written_tiles, written_wind
from table.rules.ruleset import Ruleset
from table.rules.scoring.hand_value import HandQuery, HandValue, NoWin, Payments, evaluate
from table.rules.scoring.win_facts import excluding_facts, impossible_tiles
from table.rules.terms.melds import Meld
from table.rules.terms.results import STICK
from table.rules.terms.rule_errors import InvalidValueError, RulesError
from table.rules.terms.seats import Wind
from table.rules.terms.tiles import Tile
from table.runtime.table_errors import RecordError, UsageError
from table.runtime.text_columns import padded

T = TypeVar("T")
NO_HAND: Final = "expected a HAND such as 123m456p789s1122z"
MOST_COUNTERS: Final = 1000
"""Limit of honba and of riichi sticks, beyond what any table has."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command's parser."""
    parser = commands.add_parser("score", help="value a winning hand", description=__doc__)
    parser.set_defaults(run=run)
    _add_tiles(parser)
    _add_table(parser)
    _add_circumstances(parser)
    parser.add_argument("--ruleset", metavar="SET", default="home", help=f"the rules (default: home): {SETS}")
    add_language(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _add_tiles(parser: argparse.ArgumentParser) -> None:
    """Adds the hand, its melds and the indicators."""
    tiles = _argument(written_tiles)
    hand = parser.add_argument(
        "hand",
        metavar="HAND",
        nargs="+",
        help="concealed tiles: 123m0p55z, m123, E S W N P F C, 東南西北白發中, or 🀇; either 13 with --win, or 14 "
        "including the winning tile, which is --win or else the last one; three fewer for each meld; - for standard "
        "input",
    )
    hand.required = False  # `_tiles_and_melds` finds it among the words after --melds
    parser.add_argument("--win", metavar="TILE", type=_argument(written_tile), help="the winning tile")
    parser.add_argument("--tsumo", action="store_true", help="the winner drew the tile; without this, it is a ron")
    melds_help = "melds, separated by commas or spaces, with closed kans in brackets: '123m,555z,1111p,(2222s)'"
    parser.add_argument("--melds", nargs="+", default=[], metavar="MELD", help=melds_help)
    parser.add_argument("--dora", metavar="TILES", type=tiles, default=(), help="dora indicators")
    parser.add_argument("--ura", metavar="TILES", type=tiles, default=(), help="ura dora indicators")


def _add_table(parser: argparse.ArgumentParser) -> None:
    """Adds the winds and what lies on the table for the winner."""
    wind = _argument(written_wind)
    wind_help = "E or east (the dealer), S (default) …"
    parser.add_argument("--seat-wind", type=wind, default=Wind.SOUTH, metavar="WIND", help=wind_help)
    parser.add_argument("--round-wind", type=wind, default=Wind.EAST, metavar="WIND", help="E (default), S …")
    parser.add_argument(
        "--honba",
        type=whole_number_from(0, MOST_COUNTERS),
        default=0,
        metavar="N",
        help="honba on the table (default: 0)",
    )
    parser.add_argument(
        "--sticks",
        type=whole_number_from(0, MOST_COUNTERS),
        default=0,
        metavar="N",
        help="riichi sticks on the table, which the winner takes (default: 0)",
    )


def _add_circumstances(parser: argparse.ArgumentParser) -> None:
    """Adds what else decides the yaku of a win."""
    riichi = parser.add_mutually_exclusive_group()
    riichi.add_argument(
        "--riichi", action="store_const", dest="riichi", const=1, default=0, help="the winner declared riichi"
    )
    riichi.add_argument(
        "--double-riichi", action="store_const", dest="riichi", const=2, help="the winner declared double riichi"
    )
    parser.add_argument("--ippatsu", action="store_true", help="the win is ippatsu")
    parser.add_argument(
        "--last-tile",
        action="store_true",
        help="won on the last tile of the wall, or on the last discard",
    )
    parser.add_argument("--after-kan", action="store_true", help="won on the replacement tile after a kan")
    parser.add_argument("--robbing-kan", action="store_true", help="won on the tile that another player added to a pon")
    parser.add_argument(
        "--first-turn",
        action="store_true",
        help="won before the winner's first discard, without any call before",
    )


def run(args: argparse.Namespace) -> int:
    """Prints the hand's value.

    Raises:
        UsageError: the text is not a hand, or facts exclude each other.
        RecordError: standard input has no hand.
        InvalidValueError: the hand cannot win.
        ConfigError: the rule set is unknown.
    """
    check_inputs([*(args.hand or ()), args.ruleset])
    query = _query(args)
    if excluding := excluding_facts(query):
        raise UsageError(f"expected facts that can be true of one win, got {excluding}")
    ruleset = given_rules(args.ruleset).switches
    if impossible := impossible_tiles(query, ruleset):
        raise InvalidValueError(f"expected tiles that can lie on one table, got {impossible}")
    value = evaluate(query, ruleset)
    if isinstance(value, NoWin):
        raise InvalidValueError(f"expected a winning hand, got one that cannot win: {NO_WIN[value.reason]}")
    counters = Counters.of(query, ruleset, sticks=args.sticks)
    print(json.dumps(as_json(value, counters)) if args.json else as_text(value, catalogue(args.language), counters))
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Counters:
    """The honba and riichi sticks on the table."""

    honba: int = 0
    sticks: int = 0
    per_payer: int = 0
    """Points that each payer adds for the honba."""
    honba_points: int = 0
    """Points that all payers together add for the honba."""

    @classmethod
    def of(cls, query: HandQuery, ruleset: Ruleset, *, sticks: int) -> Counters:
        """Returns what honba and riichi sticks are worth to the winner."""
        points = query.honba * ruleset.counter_value(is_tsumo=query.is_tsumo)
        return cls(
            honba=query.honba, sticks=sticks, per_payer=points // 3 if query.is_tsumo else points, honba_points=points
        )

    def as_json(self, value: HandValue) -> dict[str, Any]:
        """Returns the keys of the JSON contract for honba and sticks; empty if none are on the table."""
        if not self.honba and not self.sticks:
            return {}
        return {"honba": self.honba, "sticks": self.sticks, "total": self.total(value)}

    def total(self, value: HandValue) -> int:
        """Returns everything that the winner receives."""
        return value.points + self.honba_points + STICK * self.sticks


def as_json(value: HandValue, counters: Counters) -> dict[str, Any]:
    """Returns the contract's object; payments include the honba, the total also the sticks."""
    return {
        "han": value.han,
        "fu": value.fu,
        "fu_parts": [list(part) for part in value.fu_parts],
        "yaku": [list(pair) for pair in value.yaku],
        "yakuman": value.yakuman,
        "points": value.points,
        "payments": _payments_json(value.payments, counters.per_payer),
        **counters.as_json(value),
    }


def as_text(value: HandValue, texts: Catalogue, counters: Counters) -> str:
    """Returns the value in a few lines for people."""
    lines = [_points_text(value, texts)]
    if counters.honba or counters.sticks:
        values = {"honba": counters.honba, "sticks": counters.sticks, "points": counters.total(value)}
        key = "result.with_counters_and_stick" if counters.sticks == 1 else "result.with_counters"
        lines.append(texts.text(key, **values))
    lines.append(_worth_text(value, texts))
    yaku_rows = [(padded(texts.name("yaku", name), 32), "" if value.yakuman else han) for name, han in value.yaku]
    lines += [f"  {name}{worth}".rstrip() for name, worth in yaku_rows]
    if value.fu_parts:
        lines.append(
            texts.labelled(
                texts.text("page.fu"), " + ".join(f"{fu} {texts.name('fu', reason)}" for reason, fu in value.fu_parts)
            )
        )
    return "\n".join(lines)


def _argument(read: Callable[[str], T]) -> Callable[[str], T]:
    """Returns an argparse type that reports a refusal by `read` as a usage error."""

    def wrapped(text: str) -> T:
        try:
            return read(text)
        except RulesError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return wrapped


def _tiles_and_melds(args: argparse.Namespace) -> tuple[list[Tile], tuple[Meld, ...]]:
    """Returns the concealed tiles and the melds; the last word after `--melds` is the hand if there is no other."""
    words, meld_words = list(args.hand or ()), list(args.melds)
    if not words and len(meld_words) > 1:
        words = [meld_words.pop()]
    try:
        melds = read_melds(" ".join(meld_words))
        if words == [STANDARD_INPUT]:
            return _from_standard_input(), melds
        tiles = list(written_tiles(" ".join(words)))
    except RulesError as error:
        raise UsageError(str(error)) from error
    if not tiles:
        raise UsageError(f"{NO_HAND}, got none")
    return tiles, melds


def _from_standard_input() -> list[Tile]:
    """Returns the concealed tiles on standard input; a mistake in them is not one of the command line.

    Raises:
        RecordError: standard input has no tiles, or something else.
    """
    text = standard_bytes().decode("utf-8-sig", errors="replace")
    try:
        tiles = list(written_tiles(text))
    except RulesError as error:
        raise RecordError(f"{INPUT_NAME}: {error}") from error
    if not tiles:
        raise RecordError(f"{INPUT_NAME}: {NO_HAND}, got none")
    return tiles


def _query(args: argparse.Namespace) -> HandQuery:
    tiles, melds = _tiles_and_melds(args)
    try:
        concealed, winning = split_winning_tile(tiles, melds, args.win)
    except InvalidValueError as error:
        hint = "; --win names the winning tile" if args.win is None else ""
        raise InvalidValueError(f"{error}{hint}") from error
    return HandQuery(
        concealed=concealed,
        melds=melds,
        winning_tile=winning,
        is_tsumo=args.tsumo,
        seat_wind=args.seat_wind,
        round_wind=args.round_wind,
        riichi=args.riichi,
        ippatsu=args.ippatsu,
        is_last_tile=args.last_tile,
        after_kan=args.after_kan,
        robbing_kan=args.robbing_kan,
        is_first_turn=args.first_turn,
        honba=args.honba,
        dora_indicators=args.dora,
        ura_indicators=args.ura,
    )


def _payments_json(payments: Payments, counters: int) -> dict[str, int]:
    if payments.ron:
        return {"ron": payments.ron + counters}
    others = {"from_others": payments.from_others + counters}
    return {"from_dealer": payments.from_dealer + counters, **others} if payments.from_dealer else others


def _worth_text(value: HandValue, texts: Catalogue) -> str:
    if value.yakuman > 1:
        return texts.text("result.yakumans", count=value.yakuman)
    return texts.text("result.yakuman") if value.yakuman else texts.text("result.han_fu", han=value.han, fu=value.fu)


def _points_text(value: HandValue, texts: Catalogue) -> str:
    """Returns the points of a hand and, for a tsumo, what each player pays."""
    points, payments = texts.text("result.points", points=value.points), value.payments
    if payments.ron:
        return points
    if not payments.from_dealer:
        return texts.with_note(points, texts.text("result.each", points=payments.from_others))
    split = texts.text("result.each_and_dealer", others=payments.from_others, dealer=payments.from_dealer)
    return texts.with_note(points, split)
