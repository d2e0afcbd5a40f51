"""A season's figures straight from mjlog files: an oracle that shares no code with the program.

Written from the texts of the definitions alone (`season.about.…` in `table/i18n`), before the program's own figures.
It reads the XML with the standard library, knows the hidden hands, and finds waits by trying every tile.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

Person = dict[str, Any]
PEOPLE: Final = tuple(f"Person {number:02}" for number in range(24))
STEPS: Final = (1, 5, 7, 11)
WORTH: Final = (40_000, 10_000, -10_000, -20_000)
"""What a place is worth in these games: uma 20-10, and to the first the oka of four times 5000."""
COUNTED_FROM: Final = 30_000
RIICHI, IPPATSU, DOUBLE_RIICHI, URA = 1, 2, 21, 53
REDS: Final = {16: "0m", 52: "0p", 88: "0s"}
ORPHANS: Final = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)


def players_of(game: int) -> tuple[str, str, str, str]:
    """Deals the people to the seats of the n-th game by a fixed rule: four that differ, in ever other company."""
    first, second, third, fourth = (PEOPLE[(5 * game + seat * STEPS[game % 4]) % 24] for seat in range(4))
    return first, second, third, fourth


def figures_of(games: Iterable[tuple[Path, Sequence[str]]]) -> dict[str, Person]:
    """Returns everybody's figures over games with the names of who sat at each seat."""
    people: dict[str, Person] = defaultdict(_nobody)
    for number, (path, names) in enumerate(games):
        tags = list(ElementTree.fromstring(path.read_bytes()))  # noqa: S314 - our own copies of the records
        _count_game(people, number, tags, names)
    return dict(people)


def _nobody() -> Person:
    plain = "games points result uma hands wins deal_ins riichi calls draws tenpai riichi_wins ippatsu ura"
    more = "opened_riichi furiten_riichi comebacks behind dealership win_value deal_in_value riichi_turn"
    return {
        **dict.fromkeys(f"{plain} {more}".split(), 0),
        "places": [0, 0, 0, 0],
        "deal_in_turns": Counter(),
        "best": (0,),
        "against": defaultdict(lambda: dict.fromkeys(["games", "above", "result", "won", "lost"], 0)),
    }


def _hands(tags: Sequence[ElementTree.Element]) -> Iterator[list[ElementTree.Element]]:
    starts = [at for at, tag in enumerate(tags) if tag.tag == "INIT"]
    for at, end in zip(starts, [*starts[1:], len(tags)], strict=True):
        yield list(tags[at:end])


def _count_game(
    people: dict[str, Person], number: int, tags: Sequence[ElementTree.Element], names: Sequence[str]
) -> None:
    hands = list(_hands(tags))
    first = int(hands[0][0].attrib["oya"])
    dealers = [int(hand[0].attrib["oya"]) for hand in hands]
    for at, hand in enumerate(hands):
        _Hand(hand, [people[name] for name in names], names, (number, at)).count()
    for seat, name in enumerate(names):
        longest = run = 0
        for dealer in dealers:
            run = run + 1 if dealer == seat else 0
            longest = max(longest, run)
        people[name]["dealership"] = max(people[name]["dealership"], longest)
    owari = next(tag.attrib["owari"] for tag in hands[-1] if "owari" in tag.attrib)
    scores = [100 * int(text) for text in owari.split(",")[::2]]
    before = _order([100 * int(text) for text in hands[-1][0].attrib["ten"].split(",")], first)
    ranking = _order(scores, first)
    result = {seat: scores[seat] - COUNTED_FROM + WORTH[ranking.index(seat)] for seat in range(4)}
    for seat, name in enumerate(names):
        person, place = people[name], ranking.index(seat)
        person["games"] += 1
        person["places"][place] += 1
        person["points"] += scores[seat]
        person["result"] += result[seat]
        person["uma"] += WORTH[place]
        person["behind"] += before[0] != seat
        person["comebacks"] += before[0] != seat and place == 0
        for other, against in enumerate(names):
            if other != seat:
                person["against"][against]["games"] += 1
                person["against"][against]["above"] += place < ranking.index(other)
                person["against"][against]["result"] += result[seat] - result[other]


def _order(scores: Sequence[int], first: int) -> list[int]:
    return sorted(range(4), key=lambda seat: (-scores[seat], (seat - first) % 4))


class _Hand:
    def __init__(
        self, tags: Sequence[ElementTree.Element], people: list[Person], names: Sequence[str], place: tuple[int, int]
    ) -> None:
        self.tags, self.people, self.names, self.place = tags, people, names, place
        self.hands = [{int(text) for text in tags[0].attrib[f"hai{seat}"].split(",")} for seat in range(4)]
        self.kans: list[list[int]] = [[], [], [], []]
        self.rivers: list[list[int]] = [[], [], [], []]
        self.called: set[int] = set()
        self.declaring: int | None = None
        self.declared: dict[int, tuple[int, bool]] = {}
        """Turn of the declaration, and whether it was furiten."""
        self.accepted: set[int] = set()
        self.opened: set[int] = set()
        self.last_was_kan = False

    def count(self) -> None:
        wins = []
        for tag in self.tags[1:]:
            if tag.tag == "AGARI":
                wins.append(tag.attrib)
            elif tag.tag == "RYUUKYOKU":
                self._count_draw(tag.attrib)
            else:
                self._follow(tag)
        self._count_wins(wins)
        for seat, person in enumerate(self.people):
            person["hands"] += 1
            person["calls"] += seat in self.called
            if seat in self.accepted:
                turn, is_furiten = self.declared[seat]
                person["riichi"] += 1
                person["riichi_turn"] += turn
                person["opened_riichi"] += seat in self.opened
                person["furiten_riichi"] += is_furiten and seat in self.opened

    def _follow(self, tag: ElementTree.Element) -> None:
        name, number = tag.tag[0], tag.tag[1:]
        if tag.tag == "N":
            self._meld(int(tag.attrib["who"]), int(tag.attrib["m"]))
        elif tag.tag == "REACH":
            seat = int(tag.attrib["who"])
            if tag.attrib["step"] == "1":
                self.declaring = seat
            else:
                self.accepted.add(seat)
        elif number.isdigit() and name in "TUVW":
            self.hands["TUVW".index(name)].add(int(number))
        elif number.isdigit() and name in "DEFG":
            self._discard("DEFG".index(name), int(number))

    def _discard(self, seat: int, tile: int) -> None:
        self.hands[seat].discard(tile)
        self.rivers[seat].append(tile // 4)
        self.last_was_kan = False
        if self.declaring == seat:
            wanted = _waits([each // 4 for each in self.hands[seat]], self.kans[seat])
            self.declared[seat] = len(self.rivers[seat]), bool(wanted & set(self.rivers[seat]))
            self.declaring = None

    def _meld(self, seat: int, code: int) -> None:
        is_added_kan = not code & 0x4 and bool(code & 0x10)
        is_closed_kan = not code & 0x1C and not code & 0x3
        self.last_was_kan = is_added_kan or is_closed_kan
        if is_closed_kan:
            kind = (code >> 8) // 4
            self.kans[seat].append(kind)
            self.hands[seat] -= {4 * kind + copy for copy in range(4)}
        elif not is_added_kan:
            self.called.add(seat)

    def _count_draw(self, tag: dict[str, str]) -> None:
        shown = {seat for seat in range(4) if f"hai{seat}" in tag}
        self.opened |= shown
        if tag.get("type") in (None, "nm"):
            for seat, person in enumerate(self.people):
                person["draws"] += 1
                person["tenpai"] += seat in shown

    def _count_wins(self, wins: Sequence[dict[str, str]]) -> None:
        paid: Counter[int] = Counter()
        for win in wins:
            seat, source, points = int(win["who"]), int(win["fromWho"]), int(win["ten"].split(",")[1])
            person = self.people[seat]
            self.opened.add(seat)
            person["wins"] += 1
            person["win_value"] += points
            if points > person["best"][0]:
                person["best"] = (points, *self.place, _texts(win["hai"]))
            if seat != source:
                paid[source] += points
                person["against"][self.names[source]]["won"] += points
                self.people[source]["against"][self.names[seat]]["lost"] += points
            if "yaku" in win:
                numbers = [int(text) for text in win["yaku"].split(",")]
                han = dict(zip(numbers[::2], numbers[1::2], strict=True))
                if RIICHI in han or DOUBLE_RIICHI in han:
                    person["riichi_wins"] += 1
                    person["ippatsu"] += IPPATSU in han
                    person["ura"] += han.get(URA, 0) > 0
        for seat, points in paid.items():
            self.people[seat]["deal_ins"] += 1
            self.people[seat]["deal_in_value"] += points
            if not self.last_was_kan:
                self.people[seat]["deal_in_turns"][len(self.rivers[seat])] += 1


def _texts(numbers: str) -> list[str]:
    tiles = [int(text) for text in numbers.split(",")]
    return sorted(REDS.get(tile) or f"{tile // 4 % 9 + 1}{'mpsz'[tile // 36]}" for tile in tiles)


def _waits(kinds: Sequence[int], kans: Sequence[int]) -> set[int]:
    """Which kinds complete the hand; a kind of which it holds all four completes nothing."""
    held = Counter(kinds)
    return {kind for kind in range(34) if held[kind] < 4 and kind not in kans and _is_complete(held + Counter([kind]))}


def _is_complete(held: Counter[int]) -> bool:
    if sum(held.values()) == 14:
        if len(held) == 7 and set(held.values()) == {2}:
            return True
        if set(held) == set(ORPHANS):
            return True
    return any(_are_sets(held - Counter({pair: 2})) for pair in held if held[pair] >= 2)


def _are_sets(held: Counter[int]) -> bool:
    if not held:
        return True
    kind = min(held)
    if held[kind] >= 3 and _are_sets(held - Counter({kind: 3})):
        return True
    run = Counter((kind, kind + 1, kind + 2))
    is_run = kind < 27 and kind % 9 < 7 and all(held[each] for each in run)
    return is_run and _are_sets(held - run)
