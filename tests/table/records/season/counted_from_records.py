"""Everybody's figures counted from Tenhou's records, from what the season page says each figure means.

Written from those sentences alone (`season.about.…` in `table/i18n`), by somebody who had not read
`table.records.season`. It reads the tags of a record itself and imports nothing of the program.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

PEOPLE = tuple(f"Person {number:02}" for number in range(1, 25))
YAKU = (
    "menzen_tsumo riichi ippatsu robbing_a_kan after_a_kan last_tile_tsumo last_tile_ron pinfu tanyao iipeikou "
    "seat_wind seat_wind seat_wind seat_wind round_wind round_wind round_wind round_wind haku hatsu chun "
    "double_riichi seven_pairs chanta ittsuu sanshoku_doujun sanshoku_doukou three_kans toitoi "
    "three_closed_triplets little_three_dragons honroutou ryanpeikou junchan honitsu chinitsu renhou tenhou "
    "chiihou big_three_dragons four_closed_triplets four_closed_triplets_pair_wait all_honors all_green "
    "all_terminals nine_gates nine_gates_nine_waits thirteen_orphans thirteen_orphans_thirteen_waits "
    "big_four_winds little_four_winds four_kans dora ura_dora red_five"
)
"""By Tenhou's numbers."""
UMA = (40000, 10000, -10000, -20000)
"""Tenhou's uma of the top room, 20 and 10, and the oka of 20 for the first place."""
DRAWN, DROPPED = "TUVW", "DEFG"
ORPHANS = (0, 8, 9, 17, 18, 26, *range(27, 34))
SURE = 1.959963984540054


def players_of(game: int) -> list[str]:
    """Return who sat where in a game: four of the 24, by a rule that depends on nothing but the game's number."""
    return random.Random(2200 + game).sample(PEOPLE, 4)


def with_names(record: str, names: list[str]) -> str:
    """Return the record with the four names in place of its own."""
    for seat, name in enumerate(names):
        record = re.sub(rf' n{seat}="[^"]*"', f' n{seat}="{name.replace(" ", "%20")}"', record, count=1)
    return record


def write_with_players(records: Sequence[Path], folder: Path) -> None:
    """Write the records into a folder, in order, each with the four that are dealt to it."""
    for game, record in enumerate(records):
        text = with_names(record.read_text(encoding="utf-8"), players_of(game))
        (folder / f"{game:04}.mjlog").write_text(text, encoding="utf-8")


def counts_of_records(records: Sequence[Path], *, tell_fouls: bool = False) -> dict[str, dict[str, Any]]:
    """Return everybody's figures over the records, by name, as `tachiai season --json` writes them.

    No record tells fouls; a table's journal of the same games does, and has none.
    """
    sums = {name: Sums(tell_fouls=tell_fouls) for name in PEOPLE}
    for game, record in enumerate(records):
        names = players_of(game)
        _count_game(list(_hands(record.read_text(encoding="utf-8"))), [sums[name] for name in names], names)
    return {name: sums[name].figures() for name in PEOPLE if sums[name].hands}


class Sums:
    """What one person did: events by name, values to be averaged by name, games, and other people."""

    def __init__(self, *, tell_fouls: bool) -> None:
        self.hands = 0
        self.tell_fouls = tell_fouls
        self.events: Counter[str] = Counter()
        self.values: dict[str, list[int]] = {name: [] for name in MEANS}
        self.turns: Counter[str] = Counter()
        self.dealership = 0
        self.best: dict[str, Any] | None = None
        self.others: dict[str, Counter[str]] = {}
        self.history: list[dict[str, int | None]] = []

    def other(self, name: str) -> Counter[str]:
        """Return the counts against one other person."""
        return self.others.setdefault(name, Counter())

    def figures(self) -> dict[str, Any]:
        """Return all figures of one person."""
        games, events = len(self.history), self.events
        places = Counter(game["place"] for game in self.history)
        rates = {name: _rate(events[name], self.hands) for name in ("wins", "deal_ins", "riichi", "calls")}
        rates["fouls"] = _rate(0, self.hands) if self.tell_fouls else _rate(0, 0, self.hands)
        rates["tenpai"] = _rate(events["tenpai"], events["draws"])
        rates["ippatsu"] = _rate(events["ippatsu"], events["riichi_wins"])
        rates["ura"] = _rate(events["ura"], events["riichi_wins"])
        rates["furiten_riichi"] = _rate(
            events["furiten_riichi"], events["open_riichi"], events["riichi"] - events["open_riichi"]
        )
        rates["comebacks"] = _rate(events["comebacks"], events["games_behind"])
        return {
            "games": games,
            "hands": self.hands,
            "total": sum(game["result"] for game in self.history),
            "places": [_rate(places[place], games) for place in (1, 2, 3, 4)],
            **rates,
            **{name: _mean(values) for name, values in self.values.items()},
            "place": _within(_mean(self.values["place"]), 1, 4),
            "win_value": _within(_mean(self.values["win_value"]), 0, math.inf),
            "deal_in_value": _within(_mean(self.values["deal_in_value"]), 0, math.inf),
            "riichi_turn": _within(_mean(self.values["riichi_turn"]), 1, math.inf),
            "deal_in_turns": dict(self.turns),
            "deal_in_turns_unknown": 0,
            "dealership": self.dealership,
            "best": self.best,
            "against": {name: _against(other) for name, other in self.others.items()},
            "history": self.history,
        }


MEANS = ("place", "points", "uma", "result", "win_value", "deal_in_value", "riichi_turn")


def _against(counts: Counter[str]) -> dict[str, Any]:
    return {
        "name": None,
        "games": counts["games"],
        "above": counts["above"],
        "result": counts["result"],
        "won": {"hands": counts["won"], "points": counts["won_points"]},
        "lost": {"hands": counts["lost"], "points": counts["lost_points"]},
    }


def _tags(record: str) -> Iterator[tuple[str, dict[str, str]]]:
    for name, text in re.findall(r"<([A-Z]+\d*)([^>]*)>", record):
        yield name, dict(re.findall(r'(\w+)="([^"]*)"', text))


class Hand:
    """One hand while its tags are read: what each of the four holds, threw, called and declared."""

    def __init__(self, start: dict[str, str]) -> None:
        self.dealer = int(start["oya"])
        self.scores = [100 * int(score) for score in start["ten"].split(",")]
        self.hands = [{int(tile) for tile in start[f"hai{seat}"].split(",")} for seat in range(4)]
        self.rivers: list[list[int]] = [[], [], [], []]
        self.callers: set[int] = set()
        self.riichi: dict[int, tuple[int, bool]] = {}
        """By seat: with which discard riichi was declared, and whether it was furiten."""
        self.accepted_riichi: set[int] = set()
        self.ends: list[tuple[str, dict[str, str]]] = []
        self.is_thrown = False
        """Whether the last that happened was a discard, and no draw or call."""

    def follow(self, name: str, attributes: dict[str, str]) -> None:
        """Follow one tag of the hand."""
        if name[0] in DRAWN and name[1:].isdigit():
            self.hands[DRAWN.index(name[0])].add(int(name[1:]))
            self.is_thrown = False
        elif name[0] in DROPPED and name[1:].isdigit():
            self._throw(DROPPED.index(name[0]), int(name[1:]))
            self.is_thrown = True
        elif name == "N":
            self._call(int(attributes["who"]), int(attributes["m"]))
            self.is_thrown = False
        elif name == "REACH" and attributes["step"] == "1":
            self.riichi[int(attributes["who"])] = (0, False)
        elif name == "REACH":
            self.accepted_riichi.add(int(attributes["who"]))

    def _throw(self, seat: int, tile: int) -> None:
        self.hands[seat].discard(tile)
        self.rivers[seat].append(tile)
        if self.riichi.get(seat, (1, False))[0] == 0:
            waits = _waits(tuple(sorted(tile_number // 4 for tile_number in self.hands[seat])))
            river_kinds = {number // 4 for number in self.rivers[seat]}
            self.riichi[seat] = (len(self.rivers[seat]), bool(waits & river_kinds))

    def _call(self, seat: int, bits: int) -> None:
        if _kind(bits) != "closed kan":
            self.callers.add(seat)
        self.hands[seat] -= set(_meld(bits))


def _kind(bits: int) -> str:
    if bits & 4:
        return "chi"
    if bits & 8:
        return "pon"
    if bits & 16:
        return "added kan"
    return "open kan" if bits & 3 else "closed kan"


def _meld(bits: int) -> list[int]:
    """Return the tiles of a meld, numbered 0 to 135."""
    kind = _kind(bits)
    if kind == "chi":
        first = bits >> 10
        base = first // 3
        lowest = base // 7 * 9 + base % 7
        return [4 * (lowest + step) + (bits >> 3 + 2 * step & 3) for step in range(3)]
    if kind in ("pon", "added kan"):
        tile = (bits >> 9) // 3
        left_out = bits >> 5 & 3
        return [4 * tile + copy for copy in range(4) if kind == "added kan" or copy != left_out]
    return [(bits >> 8) // 4 * 4 + copy for copy in range(4)]


@cache
def _waits(tiles: tuple[int, ...]) -> frozenset[int]:
    return frozenset(tile for tile in range(34) if tiles.count(tile) < 4 and _complete(Counter((*tiles, tile))))


def _complete(tiles: Counter[int]) -> bool:
    if set(tiles) == set(ORPHANS) or (len(tiles) == 7 and set(tiles.values()) == {2}):
        return True
    return any(_in_sets(tiles - Counter({tile: 2})) for tile in tiles if tiles[tile] >= 2)


def _in_sets(tiles: Counter[int]) -> bool:
    if not tiles:
        return True
    first = min(tiles)
    if tiles[first] >= 3 and _in_sets(tiles - Counter({first: 3})):
        return True
    run = Counter((first, first + 1, first + 2))
    return first < 27 and first % 9 < 7 and tiles & run == run and _in_sets(tiles - run)


def _hands(record: str) -> Iterator[Hand]:
    """Return the hands of a record, each followed to its end."""
    hand = None
    for name, attributes in _tags(record):
        if name == "INIT":
            if hand:
                yield hand
            hand = Hand(attributes)
        elif hand and name in ("AGARI", "RYUUKYOKU"):
            hand.ends.append((name, attributes))
        elif hand:
            hand.follow(name, attributes)
    if hand:
        yield hand


def _count_game(hands: list[Hand], people: list[Sums], names: list[str]) -> None:
    for number, hand in enumerate(hands):
        _count_hand(hand, people)
        for name, end in hand.ends:
            if name == "AGARI":
                _count_win(hand, number, end, people, names)
            else:
                _count_draw(end, people)
    for seat, person in enumerate(people):
        runs = "".join("x" if hand.dealer == seat else " " for hand in hands).split()
        person.dealership = max(person.dealership, *map(len, runs), 0)
    _count_places(hands[-1], people, names)


def _count_hand(hand: Hand, people: list[Sums]) -> None:
    wins = [end for name, end in hand.ends if name == "AGARI"]
    for seat, person in enumerate(people):
        person.hands += 1
        person.events["calls"] += seat in hand.callers
        deal_ins = [end for end in wins if int(end["fromWho"]) == seat != int(end["who"])]
        if deal_ins:
            person.events["deal_ins"] += 1
            person.values["deal_in_value"].append(sum(_worth(end) for end in deal_ins))
            if hand.is_thrown:
                person.turns[str(len(hand.rivers[seat]))] += 1
        if seat in hand.accepted_riichi:
            turn, furiten = hand.riichi[seat]
            person.events["riichi"] += 1
            person.values["riichi_turn"].append(turn)
            if any(f"hai{seat}" in end or end.get("who") == str(seat) for _, end in hand.ends):
                person.events["open_riichi"] += 1
                person.events["furiten_riichi"] += furiten


def _worth(win: dict[str, str]) -> int:
    """Return what a win was worth without honba and sticks."""
    return int(win["ten"].split(",")[1])


def _count_win(hand: Hand, number: int, win: dict[str, str], people: list[Sums], names: list[str]) -> None:
    seat, loser, worth = int(win["who"]), int(win["fromWho"]), _worth(win)
    person = people[seat]
    person.events["wins"] += 1
    person.values["win_value"].append(worth)
    if person.best is None or worth > person.best["points"]:
        person.best = _best_hand(win, number)
    yaku = _yaku(win)
    if seat in hand.accepted_riichi and "yakuman" not in win:
        person.events["riichi_wins"] += 1
        person.events["ippatsu"] += "ippatsu" in yaku
        person.events["ura"] += "ura_dora" in yaku
    if seat != loser:
        person.other(names[loser]).update(won=1, won_points=worth)
        people[loser].other(names[seat]).update(lost=1, lost_points=worth)


def _yaku(win: dict[str, str]) -> set[str]:
    """Return the yaku of a win; an ura dora of no han is none."""
    numbers = [int(number) for number in win.get("yaku", "").split(",") if number]
    yakuman = [int(number) for number in win.get("yakuman", "").split(",") if number]
    found = {YAKU.split()[number] for number, han in zip(numbers[::2], numbers[1::2], strict=True) if han}
    return found | {YAKU.split()[number] for number in yakuman}


def _best_hand(win: dict[str, str], number: int) -> dict[str, Any]:
    """Return a win as the best hand is told of: tiles and melds are counted, not in order."""
    won = int(win["machi"])
    return {
        "points": _worth(win),
        "fu": None if "yakuman" in win else int(win["ten"].split(",")[0]),
        "yaku": sorted(_yaku(win)),
        "hand": number,
        "tiles": sorted(_text(int(tile)) for tile in win["hai"].split(",") if int(tile) != won),
        "winning_tile": _text(won),
        "melds": sorted(sorted(map(_text, _meld(int(bits)))) for bits in win.get("m", "").split(",") if bits),
    }


def _text(tile: int) -> str:
    return f"{0 if tile in (16, 52, 88) else tile // 4 % 9 + 1}{'mpsz'[tile // 36]}"


def _count_draw(draw: dict[str, str], people: list[Sums]) -> None:
    if draw.get("type") not in (None, "nm"):
        return
    for seat, person in enumerate(people):
        person.events["draws"] += 1
        person.events["tenpai"] += f"hai{seat}" in draw


def _count_places(last: Hand, people: list[Sums], names: list[str]) -> None:
    owari = next(end["owari"] for _, end in last.ends if "owari" in end).split(",")
    points = [100 * int(value) for value in owari[::2]]
    places = [1 + sum(_ahead(points, other, seat) for other in range(4)) for seat in range(4)]
    results = [points[seat] - 30000 + UMA[places[seat] - 1] for seat in range(4)]
    if any(abs(result - 1000 * float(rounded)) > 2000 for result, rounded in zip(results, owari[1::2], strict=True)):
        raise ValueError(f"Tenhou's own result, rounded to thousands, differs: {owari}, {results}")
    for seat, person in enumerate(people):
        place = places[seat]
        game = {"place": place, "points": points[seat], "uma": UMA[place - 1], "result": results[seat]}
        person.history.append({"utc": None, **game})
        for name, value in game.items():
            person.values[name].append(value)
        behind = any(_ahead(last.scores, other, seat) for other in range(4))
        person.events["games_behind"] += behind
        person.events["comebacks"] += behind and place == 1
        for other in range(4):
            if other != seat:
                better = _ahead(points, seat, other)
                person.other(names[other]).update(games=1, above=better, result=results[seat] - results[other])


def _ahead(scores: list[int], one: int, other: int) -> bool:
    """Say whether a seat is ahead of another; of equal ones the one nearer the first dealer, who is seat 0."""
    return (scores[one], -one) > (scores[other], -other)


def _rate(hits: int, of: int, unknown: int = 0) -> dict[str, Any]:
    """Return a share with Wilson's interval."""
    figure: dict[str, Any] = {"hits": hits, "of": of, "unknown": unknown, "rate": None, "interval": None}
    if of:
        share, weight = hits / of, SURE**2 / of
        half = math.sqrt(share * (1 - share) * weight + weight**2 / 4)
        figure["rate"] = share
        figure["interval"] = [(share + weight / 2 + sign * half) / (1 + weight) for sign in (-1, 1)]
    return figure


def _mean(values: list[int]) -> dict[str, Any]:
    """Return an average with Student's interval."""
    figure: dict[str, Any] = {"count": len(values), "unknown": 0, "mean": None, "interval": None}
    if values:
        figure["mean"] = mean = sum(values) / len(values)
    if len(set(values)) > 1:
        half = _student(len(values) - 1) * math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
        figure["interval"] = [mean + sign * half / math.sqrt(len(values)) for sign in (-1, 1)]
    return figure


def _within(figure: dict[str, Any], low: int, high: float) -> dict[str, Any]:
    """Return an average whose interval ends where values end."""
    if figure["interval"]:
        figure["interval"] = [max(low, figure["interval"][0]), min(high, figure["interval"][1])]
    return figure


@cache
def _student(freedom: int) -> float:
    """Return how many standard errors hold 95 of 100 with so many degrees of freedom, by adding up the density.

    With t = tan(angle) * sqrt(freedom) the density becomes cos(angle) ** (freedom - 1).
    """
    angles = np.linspace(0, math.pi / 2, 40001)
    steps = np.cumsum(np.cos((angles[1:] + angles[:-1]) / 2) ** (freedom - 1))
    angle = np.interp(0.95, np.concatenate(([0.0], steps / steps[-1])), angles)
    return float(math.tan(angle) * math.sqrt(freedom))
