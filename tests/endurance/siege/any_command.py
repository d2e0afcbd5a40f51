"""Every command that people can give, as their phones post it: mostly right, sometimes stale, sometimes nonsense.

What may be posted follows from the union of commands: one that is new has a generator as soon as each of its fields
has one in `FIELDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from random import Random
from typing import Any, Final, get_args

from table.dashboard.games.game_forms import FORMS
from table.dashboard.live.commands_api import ADDRESSES
from table.game.commands import game_commands as commands
from table.game.commands.game_commands import Command, Press
from table.rulebook.ruleset_reader import SHIPPED
from table.rules.terms.results import AbortReason

TableJson = Mapping[str, Any]
"""The table as a phone was shown it: what `/api/table` says."""
KINDS: Final[tuple[type[Command], ...]] = get_args(Command)
OFTEN: Final[Mapping[type[Command], float]] = {
    commands.DeclareResult: 14,
    commands.OpenGame: 0.3,
    commands.EditResult: 5,
    commands.Undo: 6,
    commands.Redo: 4,
    commands.NameSeats: 3,
    commands.Reseat: 3,
    commands.NameFoul: 3,
    commands.AgreeToFoul: 3,
    commands.ClaimRon: 2,
    commands.ClaimTsumo: 2,
    commands.Confirm: 4,
}
"""How often a command comes for each time that another one does."""
ILL: Final[tuple[Any, ...]] = (
    *(None, True, "", " ", "x" * 300, "\x00", "\u202e", "<b>", "9" * 5000, "?", "back", [], {}, [[[[]]]], {"seat": 9}),
    *(-1, 4, 999, 2**53, 10**40, 1.5),
)
"""What no field means."""
WINNING: Final = ("234m567m34567p22s5p", "19m19p19s12345677z", "1111m", "55p", "?")
OPEN: Final = (
    {"tiles": "34567p22s5p", "melds": "234m,555m"},
    {"tiles": "22s", "melds": "234m,555z,(1111p),9999s"},
    {"tiles": "22s", "melds": "234m"},
    {"melds": "124m"},
)
"""Hands with melds, and such as cannot be."""
CLAUSES: Final = ("7-05-01", "7-05-06", "7-06-01", "7-04-01", "7-01-01", "EMA 6.6", "R23", "other", "nothing")
FACTS: Final = ("7-01=a", "deliberate", "not restorable", "exposed=3", "breaker=2", "outside=1", "exposed=", "nothing")
COUNTS: Final = ((1, 30), (1, 40), (2, 30), (2, 40), (3, 30), (3, 60), (4, 30), (5, None), (8, None), (13, None))
"""Han with fu that hands have."""
SELDOM: Final = 0.05
"""How much rarer a command is that means nothing now."""
RIGHT: Final = 0.92
"""How often a command is about the hand, the game or the act that its phone shows."""
SPOILED: Final = 0.01
"""How many fields hold what they cannot."""


def any_kind(table_json: TableJson, chance: Random) -> type[Command]:
    """Returns a command that people give: often one that means something now, and sometimes any."""
    if _keeping(table_json, "is_over") and chance.random() < 0.5:
        return commands.OpenGame
    weights = [OFTEN.get(kind, 1.0) * (1.0 if _means_something(kind, table_json) else SELDOM) for kind in KINDS]
    return chance.choices(KINDS, weights)[0]


def _means_something(kind: type[Command], table_json: TableJson) -> bool:
    """Whether the phone that shows this table would offer the command."""
    if issubclass(kind, commands.AgreeToFoul | commands.DropFoul):
        return bool(table_json.get("foul_named"))
    if issubclass(kind, commands.Undo | commands.Redo):
        return bool(_keeping(table_json, kind.word))
    is_live = bool(table_json.get("centre", {}).get("live"))
    if issubclass(kind, commands.HandPress | commands.CorrectDiscard):
        return is_live
    if issubclass(kind, commands.JournalCommand):
        return not is_live
    return kind not in (commands.PressFoulButton, commands.PressTableButton)


def any_post(kind: type[Command], table_json: TableJson, chance: Random) -> tuple[str, dict[str, Any]]:
    """Returns where a command of that kind is posted, and a body for it."""
    body: dict[str, Any] = {}
    for each in fields(kind):
        if each.name in UNSAID or (each.default is not MISSING and chance.random() < 0.3):
            continue
        name = SAID_AS.get(each.name, each.name)
        body[name] = chance.choice(ILL) if chance.random() < SPOILED else FIELDS[name](table_json, chance, kind)
    if kind in get_args(Press):
        return "/api/press", {"press": kind.word, **body}
    address = next(address for address, each in ADDRESSES.items() if each is kind)
    return f"/api/{address}", body


def any_form(table_json: TableJson, chance: Random) -> dict[str, str]:
    """Returns what somebody sends from the forms of the game's page."""
    names = {f"name{seat}": name for seat, name in enumerate(_names(table_json, chance, commands.NameSeats))}
    form = {"do": chance.choice((*FORMS, "nothing")), **names, "why": _text(table_json, chance, commands.EndGame)}
    form |= {name: chance.choice(("0", "1", "2", "3", "4", "x")) for name in ("one", "other", "first_dealer")}
    return form | chance.choice(({}, {"draw": "on"}, {"rules": chance.choice((*SHIPPED, "nothing"))}))


def _keeping(table_json: TableJson, name: str) -> Any:
    return table_json.get("keeping", {}).get(name)


def _seat(_: TableJson, chance: Random, kind: type[Command]) -> int:
    return chance.randrange(4)


def _tiles(_: TableJson, chance: Random, kind: type[Command]) -> Any:
    tiles = [chance.choice(("1m", "5p", "0p", "9s", "1z", "7z", "?")) for _ in range(chance.randrange(4))]
    return chance.choice((tiles, chance.choice(WINNING)))


def _hands(_: TableJson, chance: Random, kind: type[Command]) -> list[dict[str, Any]]:
    """The hands of a result that was entered tile by tile; mostly none."""
    hand = {"seat": chance.randrange(4), "tiles": chance.choice(WINNING)}
    if chance.random() < 0.5:
        hand = {**hand, **chance.choice(OPEN)}
    return [hand] * chance.choice((0, 0, 0, 0, 1, 2))


def _text(_: TableJson, chance: Random, kind: type[Command]) -> str:
    return chance.choice(("dora", "so", "", "もう一度", "=1+1", "<script>", "ron", "-", "\u0627\u0644"))


def _hand(table_json: TableJson, chance: Random, kind: type[Command]) -> int:
    """Mostly the hand that is meant, sometimes one that is past or not there."""
    now = _keeping(table_json, "hand") or 0
    hand = chance.randrange(now) if now and kind is commands.EditResult else now
    return hand if chance.random() < RIGHT else chance.randrange(now + 2)


def _game(table_json: TableJson, chance: Random, _: type[Command]) -> int | None:
    return _keeping(table_json, "game") if chance.random() < RIGHT else chance.choice((None, chance.randrange(1, 400)))


def _act(table_json: TableJson, chance: Random, kind: type[Command]) -> int:
    """Mostly the act that the phone shows, sometimes another one."""
    last_act = _keeping(table_json, kind.word)
    return last_act["act"] if last_act and chance.random() < RIGHT else chance.randrange(1, 400)


def _settlement_key(table_json: TableJson, chance: Random, kind: type[Command]) -> Any:
    """The key of what a confirmation would settle, as the phone shows it; of what it did not ask for it has none."""
    if kind is commands.Confirm and chance.random() < RIGHT:
        return _keeping(table_json, "seen")
    return None if chance.random() < RIGHT else "0badc0de"


def _names(_: TableJson, chance: Random, kind: type[Command]) -> list[str]:
    return [chance.choice(("Ann", "Ben", "Chi", "Dai", "", "=SUM(A1)", "<b>", "\u202eeve")) for _ in range(4)]


def _win(seat: int, loser: int, table_json: TableJson, chance: Random) -> dict[str, Any]:
    han, fu = chance.choice(COUNTS)
    if chance.random() < 0.9:
        return {"seat": seat, "from": loser, "han": han, "fu": fu}
    paos = [each["yakuman"] for each in _keeping(table_json, "paos") or ()]
    liable = {"pao": {chance.choice(paos): chance.randrange(4)}} if paos and chance.random() < 0.5 else {}
    return {"seat": seat, "from": loser, "yakuman": chance.choice((1, 1, 2)), **liable}


def _points(_: TableJson, chance: Random, kind: type[Command]) -> list[int]:
    """Mostly what one seat pays another."""
    points, payment = [0, 0, 0, 0], 100 * chance.randrange(-30, 31)
    one, other = chance.sample(range(4), 2)
    points[one] -= payment
    points[other] += payment if chance.random() < RIGHT else 0
    return points


def _scores(table_json: TableJson, chance: Random, kind: type[Command]) -> list[int] | None:
    """Mostly the points that the phone shows."""
    scores = [seat["score"] for seat in table_json.get("seats", ())]
    return scores if len(scores) == 4 and chance.random() < RIGHT else chance.choice((None, [25000] * 4))


def _result(table_json: TableJson, chance: Random, kind: type[Command]) -> dict[str, Any]:
    """Mostly an end that a hand can have."""
    riichi = {"riichi": chance.sample(range(4), chance.randrange(3))} if chance.random() < 0.3 else {}
    end = chance.choices(("ron", "tsumo", "draw", "abort"), (6, 4, 3, 1))[0]
    winner, loser, other = chance.sample(range(4), 3)
    if end == "ron":
        winners = (winner, other) if chance.random() < 0.1 else (winner,)
        return {"kind": end, "wins": [_win(each, loser, table_json, chance) for each in winners], **riichi}
    if end == "tsumo":
        return {"kind": end, "wins": [_win(winner, winner, table_json, chance)], **riichi}
    if end == "draw":
        nagashi = {"nagashi": [winner]} if chance.random() < 0.1 else {}
        return {"kind": end, "tenpai": sorted(chance.sample(range(4), chance.randrange(5))), **nagashi, **riichi}
    allowed = [each["reason"] for each in _keeping(table_json, "aborts") or ()]
    return {"kind": end, "reason": chance.choice((*allowed * 3, *[each.value for each in AbortReason])), **riichi}


FIELDS: Final[Mapping[str, Callable[[TableJson, Random, type[Command]], Any]]] = {
    "act": _act,
    "counts": lambda _, chance, kind: chance.random() < 0.5,
    "clause": lambda _, chance, kind: chance.choice(CLAUSES),
    "discard": lambda _, chance, kind: chance.randrange(12),
    "discarder": _seat,
    "facts": lambda _, chance, kind: chance.sample(FACTS, chance.randrange(3)),
    "first_dealer": _seat,
    "foul": lambda _, chance, kind: chance.randrange(3),
    "frame": lambda _, chance, kind: chance.randrange(4),
    "fu": lambda _, chance, kind: chance.choice((20, 25, 30, 40, 7)),
    "game": _game,
    "han": lambda _, chance, kind: chance.choice((1, 2, 3, 4, 5, 13)),
    "hand": _hand,
    "hands": _hands,
    "held": lambda _, chance, kind: chance.random() < 0.5,
    "melds": lambda _, chance, kind: chance.choice((None, "", "555m", "777z,(1111p)", "124m")),
    "names": _names,
    "honba": lambda _, chance, kind: chance.choice((None, 0, 1, 3)),
    "option": lambda _, chance, kind: chance.choice(("a", "b", "c", "z")),
    "order": lambda _, chance, kind: chance.sample(range(4), 4),
    "points": _points,
    "reason": lambda _, chance, kind: chance.choice([each.value for each in AbortReason]),
    "result": _result,
    "rules": lambda _, chance, kind: chance.choice((*SHIPPED, "home", "nothing")),
    "scores": _scores,
    "seat": _seat,
    "seen": _settlement_key,
    "sticks": lambda _, chance, kind: chance.choice((0, 0, 0, 1, -1)),
    "substitute": lambda _, chance, kind: chance.random() < 0.5,
    "tiles": _tiles,
    "to": lambda _, chance, kind: chance.choice(("1m", "0p", "7z", "9s", "?")),
    "total": lambda _, chance, kind: chance.choice((0, 0, 0, 1000, -1000)),
    "why": _text,
}
"""A value for each field of a command, by the name that phones post it under."""
SAID_AS: Final = {"ruleset": "rules"}
"""Fields that phones post under another name."""
UNSAID: Final = frozenset({"by", "finished", "mark", "phone"})
"""Fields that no phone posts as one of the command: its cookie says who it is, each post has a mark, and only a
tournament's desk knows how many hands were finished since it called time."""
