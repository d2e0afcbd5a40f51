"""Rulings in which several clauses meet, as an examiner reads them in the text: what is paid, and which sticks stay."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table.rules.fouls.fouled_hands import TENPAI, at, four_riichi
from tests.table.rules.situations import START, discards

ROUND = discards("2m 4p 2s 4m")
RIICHI = f"{ROUND}; 0 discards 5z sideways; 0 stick"
PON = "0 discards 9m; 1 discards 8p; 2 pon 8p from 1 with 88p; 2 discards 9s; 3 discards 1z"
WINDOW = f"{PON}; 0 discards 5z sideways; 0 stick; 1 discards 2m; 2 adds 8p"
"""Seat 2 adds a kan within the ippatsu of seat 0."""
FOURTH = four_riichi().replace("4z sideways", "5p sideways")
DEAD = "2 foul 7-04-01"
VOID = "2 foul 7-09-02"
WIN = f"shows {TENPAI} with 5p"
OTHER_WIN = f"shows {TENPAI.replace('22s', '33s')} with 5p"
CHEAP = "ron han=1 fu=30"
OPENED, CLOSED = "facts=offender_opened_hand", "facts='not offender_opened_hand'"
STAYS: dict[str, Any] = {"7-02": "a", "7-03": "a"}
"""After a chombo the deal stays and the sticks are carried over."""
POT = START.replace("E1", "E2 honba=2 deposits=3 pot=700").replace("25000 dora", "21300 dora")
DRAGONS = (
    "0 discards 2m; 1 discards 3p; 2 discards 5z; 1 pon 5z from 2 with 55z; 1 discards 9m; 2 discards 6z; "
    "1 pon 6z from 2 with 66z; 1 discards 9m; 2 discards 1s; 3 discards 7z; 1 pon 7z from 3 with 77z"
)
BIG_DRAGONS = "2 discards 4s; 1 ron; 1 shows 3344s with 4s; confirm"

RULINGS: tuple[tuple[str, str, dict[str, Any], dict[str, Any], tuple[int, ...], tuple[int, int]], ...] = (
    (
        "R44, R49: two rob an added kan, and only the one in riichi has ippatsu",
        f"{WINDOW}; 0 ron; 3 ron; 0 shows {TENPAI} with 8p; 0 ura 9m; 3 shows {TENPAI.replace('22s', '33s')} with 8p",
        {},
        {},
        (24000 + 12000, 25000, 25000 - 12000 - 3900, 25000 + 3900 + 1000),
        (0, 0),
    ),
    (
        "R44, R51: an added kan that was not robbed closes the window, and the tsumo of a furiten riichi counts",
        f"{WINDOW}; dora 2z; 2 discards 2s; 3 discards 5p; 0 tsumo; 0 {WIN}; 0 ura 9m9m",
        {},
        {},
        (24000 + 7800 + 1000, 22400, 22400, 22400),
        (0, 0),
    ),
    (
        "R14, R49: the pot, honba for each, and the stick of a loser whose riichi stands",
        f"{discards('9m 9p 9s', 1)}; 0 discards 5z sideways; 0 stick; 1 discards 2m sideways; 1 stick; 2 discards 1z; "
        f"3 discards 3z; 0 discards 6z; 1 discards 5p; 2 ron; 0 ron; 2 {OTHER_WIN}; 0 {WIN}; 0 ura 9m",
        {},
        {
            "start": POT,
            "sticks_on_multiple_ron": "own_returned_rest_to_first",
            "honba_on_multiple_ron": "each",
        },
        (24000 + 7700 + 600 + 1000, 24000 - 9700 - 1200, 25000 + 2000 + 600 + 3000 + 1000 + 700, 21300),
        (0, 0),
    ),
    (
        "R13, R49, R66: the fourth riichi falls by two rons; each winner has the own stick back",
        f"{FOURTH}; 1 ron; 0 ron; 1 {OTHER_WIN}; 0 {WIN}; 0 ura 9m; 1 ura 9m",
        {},
        {"sticks_on_multiple_ron": "own_returned_rest_to_first"},
        (25000 + 12000 + 1000, 25000 + 8000, 24000, 25000 - 20000),
        (0, 0),
    ),
    (
        "7-05-01, R66: three rons on the fourth riichi tile that all fall leave the abort and four sticks",
        f"{FOURTH}; 0 {CHEAP}; 1 {CHEAP}; 2 {CHEAP}; "
        + "; ".join(f"{seat} foul 7-05-01 {CLOSED}" for seat in (2, 0, 1)),
        {},
        {"triple_ron": "abort"},
        (24000,) * 4,
        (4, 0),
    ),
    (
        "7-09-02 b, R18, R42: a void pon of the riichi tile ends no ippatsu",
        f"{DEAD}; {RIICHI}; 2 pon 5z from 0 with 55z; {VOID}; 2 puts-back-meld; 1 discards 2m; 2 discards 9p; "
        f"3 discards 5p; 0 ron; 0 {WIN}; 0 ura 9m",
        {},
        {},
        (25000 + 11600, 25000, 25000, 25000 - 11600),
        (0, 0),
    ),
    (
        "7-09-02 b, R39: after a void chi the riichi of the next seat is double",
        f"0 discards 9m; 1 discards 9p; {DEAD}; 2 chi 9p from 1 with 78p; {VOID}; 2 puts-back-meld; 2 discards 1p; "
        f"3 discards 5z sideways; 3 stick; 0 discards 5p; 3 ron; 3 {WIN}; 3 ura 9m",
        {},
        {},
        (25000 - 8000, 25000, 25000, 25000 + 8000),
        (0, 0),
    ),
    (
        "7-09-02 b: after a void pon four winds end the hand",
        f"{DEAD}; 0 discards 4z; 2 pon 4z from 0 with 44z; {VOID}; 2 puts-back-meld; {discards('4z 4z 4z', 1)}",
        {},
        {},
        (25000,) * 4,
        (0, 0),
    ),
    (
        "7-09-02 b, renhou: a void chi leaves the first go-round whole",
        f"1 foul 7-04-01; 0 discards 2m; 1 chi 2m from 0 with 34m; 1 foul 7-09-02; 1 puts-back-meld; 1 discards 5p; "
        f"2 ron; 2 {WIN}",
        {},
        {"renhou": "mangan_alone"},
        (25000, 25000 - 8000, 25000 + 8000, 25000),
        (0, 0),
    ),
    (
        "7-05-01, 7-03 a, R13: a false ron on the riichi tile is none, and the stick stays",
        f"{ROUND}; 0 discards 5p sideways; 0 stick; 2 ron; 2 foul 7-05-01 {OPENED}",
        STAYS,
        {},
        (24000 + 4000, 27000, 17000, 27000),
        (1, 0),
    ),
    (
        "7-05-01-01 d, 7-03 a, R13: so does it beside a valid ron that the nearer, false one takes away",
        f"{ROUND}; 0 discards 5p sideways; 0 stick; 2 ron; 1 ron; 2 {WIN}; 1 foul 7-05-01 {OPENED}",
        {**STAYS, "7-05-01-01": "d"},
        {},
        (24000 + 4000, 17000, 27000, 27000),
        (1, 0),
    ),
    *(
        (
            f"7-05-01-01 {mode}: three rons of which one is false are no triple ron",
            f"{ROUND}; 0 discards 5p; 1 {CHEAP}; 2 {CHEAP}; 3 {CHEAP}; 2 foul 7-05-01 {OPENED}",
            {"7-05-01-01": mode},
            {"triple_ron": "abort"},
            scores,
            (0, 0),
        )
        for mode, scores in (
            ("a", (23000, 26000, 25000, 26000)),
            ("b", (27000, 28000, 17000, 28000)),
            ("d", (24000, 26000, 25000, 25000)),
        )
    ),
    (
        "liability follows the pon that stands, not the one put back",
        f"{DRAGONS}; 1 puts-back-meld; 0 discards 9p; 1 discards 8m; 2 discards 9p; 3 discards 9p; 0 discards 7z; "
        f"1 pon 7z from 0 with 77z; 1 discards 8m; {BIG_DRAGONS}",
        {},
        {},
        (9000, 57000, 9000, 25000),
        (0, 0),
    ),
    (
        "7-04-01 c: the liable seat pays its chombo beside its half, and honba",
        f"3 foul 7-04-01 option=c; {DRAGONS}; 1 discards 8m; {BIG_DRAGONS}",
        {},
        {"start": START.replace("dora", "honba=2 dora")},
        (25000 + 4000, 25000 + 32000 + 600 + 2000, 25000 - 16000 + 2000, 25000 - 16000 - 600 - 8000),
        (0, 0),
    ),
    (
        "7-07-01-01 b, 7-03: of a hand played again the riichi stick goes back, the fine stays, the old sticks stay",
        "0 discards 5z sideways; 0 stick; 1 foul 7-07-01-01 option=b facts=exposed=9",
        {},
        {"start": START.replace("25000 dora", "23000 honba=1 deposits=2 dora")},
        (25000, 25000 - 8000, 25000, 23000),
        (2, 8000),
    ),
    (
        "7-05-12 f: a riichi taken back with the first discard is not double when it is declared again",
        "0 discards 5z sideways; 0 stick; 0 foul 7-05-12 option=f; 1 discards 9m; 2 discards 9m; 3 discards 9m; "
        f"0 discards 6z sideways; 1 discards 5p; 0 ron; 0 {WIN}; 0 ura 9m",
        {},
        {},
        (25000 + 11600, 25000 - 11600, 25000, 25000),
        (0, 0),
    ),
)


@pytest.mark.parametrize(
    ("text", "options", "rules", "scores", "pot"), [ruling[1:] for ruling in RULINGS], ids=[each[0] for each in RULINGS]
)
def test_several_clauses_at_once(
    text: str, options: dict[str, str], rules: dict[str, Any], scores: tuple[int, ...], pot: tuple[int, int]
) -> None:
    table = at(text, options, **rules)
    for _ in range(2):
        if table.hand.is_live:
            table.feed("confirm")
    assert not table.hand.is_live
    assert table.state.scores == scores
    assert (table.state.deposits, table.state.deposit_points) == pot
