"""`tachiai score HAND`: what a won hand is worth, with its fu broken down and its yaku named."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any, TypeVar

from table.cli.user_language import user_language
from table.i18n import Catalogue, catalogue, languages
from table.rulebook import rules_named
from table.rulebook.ruleset_registry import SETS
from table.rules.notation.hand_text import NO_WIN, read_melds
from table.rules.scoring.hand_value import HandQuery, HandValue, NoWin, Payments, evaluate
from table.rules.terms.rule_errors import InvalidValueError, RulesError
from table.rules.terms.seats import Wind
from table.rules.terms.tiles import Tile, parse_tiles

T = TypeVar("T")
_WAITING = 1
"""What is left of the concealed tiles, taken in threes, where the winning tile is not among them."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command's parser."""
    parser = commands.add_parser("score", help="value a won hand", description=__doc__)
    parser.set_defaults(run=run)
    tiles = _argument(parse_tiles)
    parser.add_argument(
        "hand", metavar="HAND", type=tiles, help="concealed tiles: 123m0p55z…, with the winning one or without"
    )
    parser.add_argument("--win", metavar="TILE", type=_argument(Tile), required=True, help="the winning tile")
    parser.add_argument("--tsumo", action="store_true", help="drawn, not discarded by another")
    melds_help = "open melds, and closed kans in brackets: 123m,555z,1111p,(2222s)"
    parser.add_argument("--melds", type=_argument(read_melds), default=(), help=melds_help)
    parser.add_argument("--dora", metavar="TILES", type=tiles, default=(), help="dora indicators")
    parser.add_argument("--ura", metavar="TILES", type=tiles, default=(), help="ura dora indicators")
    wind = _argument(_wind)
    parser.add_argument("--seat-wind", type=wind, default=Wind.SOUTH, metavar="WIND", help="E (deals), S (default) …")
    parser.add_argument("--round-wind", type=wind, default=Wind.EAST, metavar="WIND", help="E (default), S …")
    riichi = parser.add_mutually_exclusive_group()
    riichi.add_argument("--riichi", action="store_const", dest="riichi", const=1, default=0)
    riichi.add_argument("--double-riichi", action="store_const", dest="riichi", const=2)
    parser.add_argument("--ippatsu", action="store_true")
    parser.add_argument("--last-tile", action="store_true", help="won with the last tile or the last discard")
    parser.add_argument("--after-kan", action="store_true", help="drawn after an own kan")
    parser.add_argument("--robbing-kan", action="store_true", help="won with the tile of another's added kan")
    parser.add_argument("--first-turn", action="store_true", help="before the own first discard, nobody having called")
    parser.add_argument("--ruleset", metavar="SET", default="home", help=f"rules to value it by (home): {SETS}")
    language = user_language()
    parser.add_argument("--language", choices=languages(), default=language, help=f"of the names ({language})")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Prints the value.

    Raises:
        InvalidValueError: for a hand that cannot be won.
        ConfigError: there is no such rule set.
    """
    value = evaluate(_query(args), rules_named(args.ruleset).ruleset)
    if isinstance(value, NoWin):
        raise InvalidValueError(f"expected a winning hand, got one that cannot win: {NO_WIN[value.reason]}")
    print(json.dumps(as_json(value)) if args.json else as_text(value, catalogue(args.language)))
    return 0


def as_json(value: HandValue) -> dict[str, Any]:
    """Returns the contract's object."""
    return {
        "han": value.han,
        "fu": value.fu,
        "fu_parts": [list(part) for part in value.fu_parts],
        "yaku": [list(pair) for pair in value.yaku],
        "yakuman": value.yakuman,
        "points": value.points,
        "payments": _payments_json(value.payments),
    }


def as_text(value: HandValue, texts: Catalogue) -> str:
    """Returns the value in a few lines for people."""
    lines = [texts.text("result.points", points=value.points) + _payments_text(value.payments, texts)]
    lines.append(_worth_text(value, texts))
    lines += [f"  {texts.name('yaku', name):<32}{'' if value.yakuman else han}".rstrip() for name, han in value.yaku]
    if value.fu_parts:
        lines.append(
            f"{texts.text('page.fu')}: "
            + " + ".join(f"{fu} {texts.name('fu', reason)}" for reason, fu in value.fu_parts)
        )
    return "\n".join(lines)


def _argument(read: Callable[[str], T]) -> Callable[[str], T]:
    """Makes a reader's refusal a wrong use of the command."""

    def wrapped(text: str) -> T:
        try:
            return read(text)
        except RulesError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return wrapped


def _wind(text: str) -> Wind:
    if len(text) != 1 or text.upper() not in "ESWN":
        raise InvalidValueError(f"expected a wind E, S, W or N, got {text!r}")
    return Wind("ESWN".index(text.upper()))


def _query(args: argparse.Namespace) -> HandQuery:
    concealed = list(args.hand)
    winning = next((tile for tile in concealed if tile is args.win), None)
    winning = winning or next((tile for tile in concealed if tile.kind == args.win.kind), None)
    if len(concealed) % 3 == _WAITING:
        winning = args.win
    elif winning is None:
        raise InvalidValueError(f"expected the winning tile {args.win} among the concealed tiles, got {concealed!r}")
    else:
        concealed.remove(winning)
    return HandQuery(
        concealed=tuple(concealed),
        melds=args.melds,
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
        dora_indicators=args.dora,
        ura_indicators=args.ura,
    )


def _payments_json(payments: Payments) -> dict[str, int]:
    if payments.ron:
        return {"ron": payments.ron}
    if payments.from_dealer:
        return {"from_dealer": payments.from_dealer, "from_others": payments.from_others}
    return {"from_others": payments.from_others}


def _worth_text(value: HandValue, texts: Catalogue) -> str:
    if value.yakuman > 1:
        return texts.text("result.yakumans", count=value.yakuman)
    return texts.text("result.yakuman") if value.yakuman else texts.text("result.han_fu", han=value.han, fu=value.fu)


def _payments_text(payments: Payments, texts: Catalogue) -> str:
    if payments.ron:
        return ""
    if payments.from_dealer:
        split = texts.text("result.each_and_dealer", others=payments.from_others, dealer=payments.from_dealer)
        return f" ({split})"
    return f" ({texts.text('result.all', points=payments.from_others)})"
