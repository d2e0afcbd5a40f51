"""Whole hands in which several rules meet: each outcome was written from the requirements before it was played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.rulebook import rules_named
from table.rules.ruleset import Ruleset
from tests.table.rules.situations import TANYAO, discards, play, ruling

OTHER = "345m333678s46p77m"
"""A closed hand that waits for 5p: all simples, 1300."""
NOTEN = "147m258p369s1234z"
ROUND = discards("8m 8s 8m 8s")
"""One discard each, so that a riichi after it is no double one."""


def start(place: str = "E1", scores: str = "25000,25000,25000,25000", pot: str = "", dora: str = "1z") -> str:
    return f"start {place} scores={scores} {pot} dora={dora}; "


def ron(seat: int, hand: str = TANYAO, tile: str = "5p") -> str:
    return f"{seat} ron; {seat} shows {hand} with {tile}"


def riichi(seat: int, tile: str) -> str:
    return f"{seat} discards {tile} sideways; {seat} stick"


def home(options: dict[str, str], **switches: object) -> Ruleset:
    house = rules_named("home")
    return replace(house, choices={**house.choices, **options}).ruleset.but(**switches)


DRAGONS = (  # seat 1 has three dragons, the third fed by seat 3, and waits for 1m 4m
    "0 discards 5z; 1 pon 5z from 0 with 55z; 1 discards 9m; 2 discards 6z; 1 pon 6z from 2 with 66z; 1 discards 9p"
    "; 2 discards 9m; 3 discards 7z; 1 pon 7z from 3 with 77z; 1 discards 9p; 2 discards 4m"
)
TWO_RIICHI = f"{ROUND}; 0 discards 9m; {riichi(1, '9p')}; 2 discards 9m; {riichi(3, '1m')}; 0 discards 5p"
Outcome = tuple[list[int], int, str, int]
PLAIN = start(dora="2z")
POT = start(pot="honba=1 deposits=1", dora="2z")
PLAYED: dict[str, tuple[str, str | Ruleset, Outcome]] = {
    "R13 R46: two sticks lie when a third riichi tile is ronned": (
        f"{PLAIN}{riichi(0, '9m')}; 1 discards 9p; {riichi(2, '9s')}; 3 discards 1m; 0 discards 1p"
        f"; 1 discards 5p sideways; {ron(3)}; confirm",
        "home",
        ([24000, 23000, 24000, 29000], 0, "E2", 0),
    ),
    "R40 R13: the riichi tile of another is won with ippatsu and pays no stick": (
        f"{PLAIN}{ROUND}; 0 discards 3m; {riichi(1, '9p')}; 2 discards 5p sideways; {ron(1)}; 1 ura 9p; confirm",
        "home",
        ([25000, 32700, 17300, 25000], 0, "E2", 0),
    ),
    "R19 R42: a ron on the replacement of a called riichi tile leaves the riichi and its stick": (
        f"{PLAIN}0 discards 1z; 1 discards 1p sideways; 3 pon 1p from 1 with 11p; 1 stick; 3 discards 9s; 0 discards 9s"
        f"; 1 discards 5p sideways; {ron(0)}; confirm",
        "home",
        ([28900, 21100, 25000, 25000], 0, "E1", 1),
    ),
    "R37 R39: the called riichi of the dealer stays double, and a riichi after that call is not": (
        f"{PLAIN}0 discards 9m sideways; 2 pon 9m from 0 with 99m; 0 stick; 2 discards 9p; {riichi(3, '9s')}"
        f"; 0 discards 1m sideways; 1 discards 5p; {ron(0)}; {ron(3, OTHER)}; 0 ura 9p; 3 ura 9p; confirm",
        "home",
        ([24000 + 11600, 25000 - 11600 - 5200, 25000, 24000 + 5200 + 2000], 0, "E1", 1),
    ),
    "R49: own sticks go back, and the penalty of a later winner goes to the first with the rest": (
        f"{POT}{TWO_RIICHI}; 3 foul 7-05-11; {ron(1)}; {ron(3, OTHER)}; 1 ura 9p; 3 ura 9p; confirm",
        home({}, sticks_on_multiple_ron="own_returned_rest_to_first"),
        ([11800, 35000, 25000, 29200], 0, "E2", 0),
    ),
    "EMA 2025: both winners get the counters, the first the sticks that are nobody's own": (
        f"{POT}{TWO_RIICHI}; {ron(1)}; {ron(3, OTHER)}; 1 ura 9p; 3 ura 9p; confirm",
        "ema-2025",
        ([25000 - 8000 - 5200 - 600, 25000 + 8000 + 300 + 1000, 25000, 25000 + 5200 + 300], 0, "E2", 0),
    ),
    "7-05-01-01 b: the chombo is paid beside the win, which takes the offender's stick": (
        f"{POT}{ROUND}; 0 discards 9m; {riichi(1, '9p')}; 2 discards 9s; 3 discards 1m; 0 discards 5p"
        f"; {ron(1, NOTEN)}; {ron(3)}; 1 foul 7-05-01 facts=offender_opened_hand; confirm",
        home({"7-05-01-01": "b"}),
        ([25000 - 2300 + 4000, 24000 - 8000, 27000, 27000 + 2300 + 2000], 0, "E2", 0),
    ),
    "pao: the liable seat is the first of two winners, and gets the discarder's counters": (
        f"{POT}{DRAGONS}; 3 ron; 3 shows 23m234567s567p88s with 4m; 1 ron; 1 shows 23m44p with 4m; confirm",
        "home",
        ([25000, 57000, 25000 - 2300 - 16000, 25000 + 2300 + 1000 - 16000], 0, "E2", 0),
    ),
    "7-09-05 a: the tenpai of a dealer whose hand is dead keeps no deal": (
        f"{POT}{ROUND}; 0 foul 7-04-01; draw; 0 shows {TANYAO}; 1 noten; 2 noten; 3 noten; confirm",
        "home",
        ([25000, 25000, 25000, 25000], 1, "E2", 2),
    ),
    "7-09-05 b: or it does": (
        f"{POT}{ROUND}; 0 foul 7-04-01; draw; 0 shows {TANYAO}; 1 noten; 2 noten; 3 noten; confirm",
        home({"7-09-05": "b"}),
        ([28000, 24000, 24000, 24000], 1, "E1", 2),
    ),
    "R27 R56: of two riichi, a dead one that is tenpai costs nothing, a noten one is a chombo; both sticks go back": (
        f"{POT}{ROUND}; 0 discards 9m; {riichi(1, '9p')}; 1 foul 7-04-01; {riichi(2, '9s')}; draw; 1 shows {TANYAO}"
        f"; 2 shows {NOTEN}; 2 foul 7-05-07; confirm",
        "home",
        ([29000, 27000, 17000, 27000], 1, "E1", 1),
    ),
    "7-05-11 7-07-01-02 c: a hand dealt again keeps the penalty in the pot and gives the riichi stick back": (
        f"{POT}{ROUND}; 0 discards 9m; {riichi(1, '9p')}; 2 foul 7-05-11; 3 foul 7-07-01-02 option=c; confirm",
        "home",
        ([25000, 25000, 24000, 25000], 1, "E1", 1),
    ),
    "7-04-02 c: the chombo that is paid at the end joins the winner's sticks and the deal of the win": (
        f"{POT}{ROUND}; 0 discards 9m; {riichi(1, '9p')}; 1 foul 7-04-02 option=c; 2 discards 5p; {ron(3)}; confirm",
        "home",
        ([29000, 24000 - 8000, 25000 - 2300 + 2000, 27000 + 2300 + 2000], 0, "E2", 0),
    ),
}
"""What is played, by which rules, and what follows: points, sticks on the table, round and counters."""


@pytest.mark.parametrize("name", PLAYED)
def test_several_rules_meet(name: str) -> None:
    text, ruleset, expected = PLAYED[name]
    end = ruling(text, ruleset).end
    assert (end["scores"], end["deposits"], end["round"], end["honba"]) == expected


def test_r44_a_robbed_kan_scores_no_ippatsu_after_one_that_nobody_robbed() -> None:
    text = (
        "0 discards 9m; 2 pon 9m from 0 with 99m; 2 discards 1m; 3 discards 9s; 0 discards 8p; 3 pon 8p from 0 with 88p"
        f"; 3 discards 1s; 0 discards 1s; {riichi(1, '9p')}; 2 adds 9m; 2 discards 9s; dora 3z; 3 adds 8p"
        f"; {ron(1, tile='8p')}; 1 ura 9p9p; confirm"
    )
    (win,) = ruling(start() + text).end["result"]["wins"]
    assert [yaku for yaku, _ in win["yaku"]] == ["riichi", "robbing_a_kan", "pinfu", "tanyao"]


@pytest.mark.parametrize(("foul", "asked"), [("7-05-11", True), ("7-04-01 option=c", False)])
def test_r04_a_penalty_paid_in_the_hand_counts_when_riichi_is_declared(foul: str, asked: bool) -> None:
    """7-05-11 c is paid at once; a chombo of 7-04-01 c only when the hand ends."""
    text = f"{ROUND}; 1 foul {foul}; 0 discards 9m; 1 discards 9p sideways"
    found = ruling(start(scores="50000,1500,24000,24500") + text)
    assert ("7-05-13" in [clause for clause, _ in found.suspicions]) == asked


@pytest.mark.parametrize(
    ("place", "scores", "switches", "follows"),
    [
        ("W1", "27000,27000,23000,23000", {"west_in": True}, ("W1", False)),  # dealt again, though seat 0 has 31000
        ("S4", "25000,25000,25000,25000", {"west_in": True}, ("S4", False)),
        ("E1", "40000,7000,28000,25000", {}, ("E1", True)),
        ("E1", "40000,8000,27000,25000", {}, ("E1", False)),
        ("E1", "40000,8000,27000,25000", {"tobi": "zero_or_below"}, ("E1", True)),
    ],
)
def test_7_02_d_a_chombo_is_dealt_again_unless_it_makes_its_player_bust(
    place: str, scores: str, switches: dict[str, object], follows: tuple[str, bool]
) -> None:
    dealer = int(place[1]) - 1
    text = f"{discards('8m 8s', dealer)}; 1 foul 7-05-01 facts=offender_opened_hand; confirm"
    found = ruling(start(place, scores) + text, home({}, **switches))
    is_over = "game_ended" in [saying for saying, _ in found.announcements]
    assert (found.end["round"], is_over) == follows


FOUR_FED_KANS = (
    "0 discards 1m; 1 kan 1m from 0 with 111m; 1 discards 1p; 2 discards 2m; 1 kan 2m from 2 with 222m; 1 discards 2p; "
    "2 discards 3s; 1 kan 3s from 2 with 333s; 1 discards 3p; 2 discards 4s; 3 discards 7p; 0 discards 7z; "
    "1 kan 7z from 0 with 777z; 1 discards 4p; 2 discards 9s; 1 ron from 2; 1 shows 9s; confirm; confirm"
)


@pytest.mark.parametrize(("pao_kans", "liable"), [(False, []), (True, [0])])
def test_nobody_is_liable_for_four_kans_where_the_rules_have_no_such_liability(
    pao_kans: bool, liable: list[int]
) -> None:
    table = play(FOUR_FED_KANS, pao_kans=pao_kans)
    assert [int(each.liable) for each in table.state.history[0].pao] == liable
