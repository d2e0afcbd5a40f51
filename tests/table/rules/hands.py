"""Won hands in one line, and random ones, for the tests of values and settlements."""

from __future__ import annotations

import random
from typing import Any

from table.rules.notation.hand_text import read_melds
from table.rules.ruleset import Ruleset
from table.rules.scoring.hand_value import HandQuery, HandValue, NoWin, evaluate
from table.rules.terms.melds import Meld, MeldKind
from table.rules.terms.seats import Seat, Wind
from table.rules.terms.tiles import KIND_TILES, Tile, parse_tiles


def query(hand: str, win: str, melds: str = "", **facts: Any) -> HandQuery:
    """A won hand: concealed tiles without the winning one; South in an East round, by ron, unless told."""
    win_facts: dict[str, Any] = {"is_tsumo": False, "seat_wind": Wind.SOUTH, "round_wind": Wind.EAST, **facts}
    for name in ("dora_indicators", "ura_indicators"):
        win_facts[name] = parse_tiles(win_facts.get(name, ""))
    return HandQuery(concealed=parse_tiles(hand), winning_tile=Tile(win), melds=read_melds(melds), **win_facts)


def value(hand: str, win: str, melds: str = "", ruleset: Ruleset | None = None, **facts: Any) -> HandValue:
    """The value of a hand that can be won."""
    found = evaluate(query(hand, win, melds, **facts), ruleset or Ruleset())
    assert isinstance(found, HandValue), found
    return found


def no_win(hand: str, win: str, melds: str = "", ruleset: Ruleset | None = None, **facts: Any) -> str:
    """The reason why a hand cannot be won."""
    found = evaluate(query(hand, win, melds, **facts), ruleset or Ruleset())
    assert isinstance(found, NoWin), found
    return found.reason


def random_win(rng: random.Random) -> HandQuery:
    """A random complete hand with random facts that can be true together."""
    while True:
        blocks = [_random_set(rng) for _ in range(4)] + [[rng.randrange(34)] * 2]
        if rng.random() < 0.08:
            blocks = [[kind] * 2 for kind in rng.sample(range(34), 7)]
        melds = () if len(blocks) == 7 else _random_melds(rng, blocks)
        kinds = [kind for block in blocks for kind in block]
        held_kinds = kinds + [tile.kind for meld in melds for tile in meld.tiles]
        if max(held_kinds.count(kind) for kind in held_kinds) <= 4:
            return _random_facts(rng, kinds, melds)


def _random_set(rng: random.Random) -> list[int]:
    if rng.random() < 0.55:
        start = 9 * rng.randrange(3) + rng.randrange(7)
        return [start, start + 1, start + 2]
    return [rng.randrange(34)] * 3


def _random_melds(rng: random.Random, blocks: list[list[int]]) -> tuple[Meld, ...]:
    """Takes up to four sets out of `blocks` and lays them."""
    melds = []
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3, 4))):
        block = blocks.pop(0)
        tiles = tuple(KIND_TILES[kind] for kind in block)
        if block[0] != block[1]:
            melds.append(Meld(kind=MeldKind.CHI, tiles=tiles, called=tiles[0], from_seat=Seat.LEFT))
        elif rng.random() < 0.5:
            melds.append(Meld(kind=MeldKind.PON, tiles=tiles, called=tiles[0], from_seat=Seat.LEFT))
        elif rng.random() < 0.5:
            melds.append(Meld(kind=MeldKind.CLOSED_KAN, tiles=(*tiles, tiles[0])))
        else:
            melds.append(Meld(kind=MeldKind.OPEN_KAN, tiles=(*tiles, tiles[0]), called=tiles[0], from_seat=Seat.LEFT))
    return tuple(melds)


def _random_facts(rng: random.Random, kinds: list[int], melds: tuple[Meld, ...]) -> HandQuery:
    tiles = [KIND_TILES[kind] for kind in kinds]
    rng.shuffle(tiles)
    for suit in rng.sample("mps", rng.randrange(4)):
        if Tile(f"5{suit}") in tiles:
            tiles[tiles.index(Tile(f"5{suit}"))] = Tile(f"0{suit}")
    is_open = any(meld.is_open for meld in melds)
    riichi = 0 if is_open else rng.choice((0, 1, 1, 2))
    is_tsumo = rng.random() < 0.5
    kans = any(meld.kind.is_kan for meld in melds)
    return HandQuery(
        concealed=tuple(tiles[1:]),
        winning_tile=tiles[0],
        melds=melds,
        is_tsumo=is_tsumo,
        seat_wind=Wind(rng.randrange(4)),
        round_wind=Wind(rng.randrange(2)),
        riichi=riichi,  # type: ignore[arg-type]  # one of 0, 1, 2
        ippatsu=bool(riichi) and rng.random() < 0.3,
        is_last_tile=(last := rng.random() < 0.1),
        after_kan=is_tsumo and kans and not last and rng.random() < 0.2,
        robbing_kan=not is_tsumo and not last and rng.random() < 0.05,
        dora_indicators=tuple(KIND_TILES[rng.randrange(34)] for _ in range(rng.choice((1, 1, 2, 3)))),
        ura_indicators=tuple(KIND_TILES[rng.randrange(34)] for _ in range(1)) if riichi else (),
    )
