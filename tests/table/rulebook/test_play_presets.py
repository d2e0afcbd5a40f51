"""What the named rule sets decide, as their texts say it and as it is played."""

from __future__ import annotations

import pytest

from table.rulebook import rules_named
from table.rulebook.ruleset_reader import preset_rules
from table.rules.state import Phase, RiichiStage
from table.rules.terms.results import AbortReason
from table.rules.terms.rule_errors import ImpossibleEventError
from tests.table.rules.situations import TANYAO, Table, discards, settlement_of

ROUND = discards("9m 9p 9s 1z")
ALL_HONOURS = "1 ron; 1 shows 555666777z2233z with 3z"
"""All honours and big three dragons: two yakuman."""


def at(name: str, scores: str = "30000,30000,30000,30000", honba: int = 0) -> Table:
    """A first hand by a named set, penalties included."""
    return Table(rules_named(name).ruleset).feed(f"start E1 scores={scores} honba={honba} dora=4s")


def yaku(table: Table) -> dict[str, int]:
    return dict(settlement_of(table).wins[0].yaku)


@pytest.mark.parametrize(("name", "points"), [("wrc-2025", 32000), ("ema-2025", 24000), ("tenhou", 32000)])
def test_wrc_13_han_or_more_score_as_a_yakuman(name: str, points: int) -> None:
    table = at(name).feed("told ron win0=1:2:13:-:0::")
    assert settlement_of(table).deltas == (0, points, -points, 0)


@pytest.mark.parametrize("name", ["wrc-2025", "ema-2025"])
def test_renhou_is_a_mangan_and_combines_with_nothing(name: str) -> None:
    """The hand is worth the larger of the two: a mangan, or what it is worth without renhou."""
    small = at(name).feed(f"0 discards 5p; 1 ron; 1 shows {TANYAO} with 5p; confirm")
    assert settlement_of(small).deltas == (-8000, 8000, 0, 0)
    large = at(name).feed("0 discards 9s; 1 ron; 1 shows 111222333s789s9s with 9s; confirm")
    assert "renhou" not in yaku(large)
    assert settlement_of(large).deltas[1] > 12000
    later = at(name).feed(f"{ROUND}; 0 discards 5p; 1 ron; 1 shows {TANYAO} with 5p; confirm")
    assert settlement_of(later).deltas[1] < 8000


FOUR_KANS = (
    "0 discards 1m; 1 closed 1111p; 1 closed 2222p; 1 closed 3333p; 1 discards 9m; 2 discards 7z"
    "; 1 kan 7z from 2 with 777z; 1 tsumo; 1 shows 8s with 8s; confirm; confirm"
)


@pytest.mark.parametrize(
    ("name", "deltas"),
    [
        ("wrc-2025", (0, 32000, -32000, 0)),
        ("ema-2025", (-16000, 32000, -8000, -8000)),
        ("m-league", (0, 32000, -32000, 0)),
        ("tenhou", (-16000, 32000, -8000, -8000)),
    ],
)
def test_wrc_has_liability_for_four_kans_and_ema_has_none(name: str, deltas: tuple[int, ...]) -> None:
    assert settlement_of(at(name).feed(FOUR_KANS)).deltas == deltas
    result = "told tsumo win0=1:1:-:-:1::four_kans+2"
    if deltas[2] == -32000:
        assert settlement_of(at(name).feed(result)).deltas == deltas
        return
    with pytest.raises(ImpossibleEventError, match="expected rules with liability for four_kans"):
        at(name).feed(result)


def _last_discards() -> str:
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in (1, 2, 3, 4, 6, 7, 8, 9)]
    return discards(" ".join([kind for kind in kinds for _ in range(3)][:69]))


@pytest.mark.parametrize(("name", "is_asked"), [("wrc-2025", False), ("ema-2025", True), ("tenhou", True)])
def test_wrc_riichi_may_be_declared_down_to_no_tile_left(name: str, is_asked: bool) -> None:
    """WRC: a clarification of June 2025."""
    table = at(name).feed(_last_discards())
    seat = table.hand.discards % 4
    assert table.feed("pass").hand.tiles_left == 0
    table.feed(f"{seat} riichi; {seat} discards 5z sideways")
    assert (("7-05-08", seat) in table.clauses) is is_asked
    assert table.feed(f"{seat} stick").hand.riichi[seat].stage is RiichiStage.ACCEPTED


WRONG_CHI = "0 discards 5s; 1 chi 5s from 0 with 68s"


def test_wrc_7_05_02_a_wrong_group_can_be_corrected_before_the_discard() -> None:
    table = at("wrc-2025").feed(WRONG_CHI)
    assert table.clauses == [("7-05-02", 1)]
    assert ("dead_hand", 1) not in table.feed("1 foul 7-05-02").sayings
    assert [instruction.op.value for instruction in table.hand.fouls[0].consequence.instructions] == ["correct"]
    right = table.feed("1 puts-back-meld; 1 chi 5s from 0 with 67s; 1 discards 1z; 2 discards 5p")
    assert settlement_of(right.feed("1 ron; 1 shows 234m34p55m888s with 5p; confirm")).wins[0].seat == 1


@pytest.mark.parametrize(
    "wrong",
    [
        "0 discards 5s; 1 kan 5s from 0 with 556s",
        "0 discards 5s; 1 closed 1112p",
        "0 discards 5s; 1 closed 1112p; pass",
    ],
)
def test_wrc_7_05_02_a_wrong_kan_is_before_its_discard_though_a_tile_was_drawn_for_it(wrong: str) -> None:
    found = at("wrc-2025").feed(f"{wrong}; 1 foul 7-05-02")
    assert ("dead_hand", 1) not in found.sayings
    assert [instruction.op.value for instruction in found.hand.fouls[0].consequence.instructions] == ["correct"]
    after = at("wrc-2025").feed(f"{wrong}; 1 discards 1z; 1 foul 7-05-02")
    assert ("dead_hand", 1) in after.sayings


def test_wrc_7_05_02_an_earlier_group_found_after_its_discard_is_not_before_the_next_one() -> None:
    table = at("wrc-2025").feed(f"{WRONG_CHI}; 1 discards 1z; 2 discards 1m; 3 discards 1p; 0 discards 1s; pass")
    assert ("dead_hand", 1) in table.feed("1 foul 7-05-02").sayings


def test_wrc_7_05_02_a_wrong_group_found_after_the_discard_is_a_dead_hand() -> None:
    assert ("dead_hand", 1) in at("wrc-2025").feed(f"{WRONG_CHI}; 1 discards 1z; 1 foul 7-05-02").sayings


@pytest.mark.parametrize(("name", "points"), [("ema-2025", 32000), ("wrc-2025", 64000), ("tenhou", 64000)])
def test_ema_yakuman_do_not_add_up(name: str, points: int) -> None:
    table = at(name).feed(f"{discards('9m 9p 9s 3z')}; 0 discards 3z; {ALL_HONOURS}; confirm")
    assert settlement_of(table).deltas == (-points, points, 0, 0)


FED = (
    "0 discards 5z; 2 pon 5z from 0 with 55z; 2 discards 1m; 3 discards 6z; 2 pon 6z from 3 with 66z; 2 discards 2m"
    "; 3 discards 1p; 0 discards 1s; 1 discards 7z; 2 pon 7z from 1 with 77z; 2 discards 9m; 3 discards 5p"
)


@pytest.mark.parametrize(("name", "liable", "discarder"), [("ema-2025", 16000, 16600), ("m-league", 16600, 16000)])
def test_ema_counters_are_paid_by_the_discarder_under_liability(name: str, liable: int, discarder: int) -> None:
    table = at(name, honba=2).feed(f"{FED}; 2 ron from 3; 2 shows 345m5p with 5p; confirm")
    assert settlement_of(table).deltas == (0, -liable, 32600, -discarder)


def test_ema_a_closed_kan_can_be_robbed_for_thirteen_orphans() -> None:
    table = at("ema-2025").feed("0 closed 7777z").feed("1 ron; 1 shows 19m19p19s1123456z with 7z; confirm")
    assert table.clauses == []
    assert settlement_of(table).deltas == (-32000, 32000, 0, 0)
    assert ("7-05-01", 1) in at("wrc-2025").feed("0 closed 7777z; 1 ron; 1 shows 19m19p19s1123456z with 7z").clauses


ORPHANS = "3 ron; 3 shows 19m19p19s1123456z with 7z"
PASSED_CLOSED = f"{ROUND}; 0 closed 777z?; 0 discards 3m; 1 discards 3m; 2 discards 7z"


@pytest.mark.parametrize(("furiten", "clauses"), [(True, [("7-05-01", 3)]), (False, [])])
def test_ema_a_passed_closed_kan_that_could_be_robbed_is_temporary_furiten(
    furiten: bool, clauses: list[tuple[str, int]]
) -> None:
    rules = preset_rules("ema-2025").switches.but(passed_kan_is_furiten=furiten)
    start = "start E1 scores=30000,30000,30000,30000 dora=4s"
    assert Table(rules).feed(start).feed(PASSED_CLOSED).feed(ORPHANS).clauses == clauses
    drawn = f"{PASSED_CLOSED.replace('2 discards 7z', '2 discards 1p; 3 discards 4m')}; 0 discards 2m; 1 discards 2p"
    assert Table(rules).feed(start).feed(f"{drawn}; 2 discards 7z").feed(ORPHANS).clauses == []


PON = "0 discards 8p; 1 pon 8p from 0 with 88p; 1 discards 9m; 2 discards 9p; 3 discards 9s; 0 discards 9m"


@pytest.mark.parametrize("name", ["ema-2025", "wrc-2025", "tenhou"])
def test_ema_a_passed_added_kan_is_temporary_furiten(name: str) -> None:
    table = at(name).feed(f"{PON}; 1 adds 8p; 1 discards 5p")
    assert ("7-05-01", 2) in table.feed(f"2 ron; 2 shows {TANYAO} with 5p").clauses
    free = at(name).feed(f"{PON}; 1 adds 8p; 1 discards 1p; 2 discards 1s; 3 discards 5p")
    assert ("7-05-01", 2) not in free.feed(f"2 ron; 2 shows {TANYAO} with 5p").clauses


POOR = "900,40000,40000,39100"


def test_ema_riichi_below_1000_is_declared_by_borrowing() -> None:
    """The stick is borrowed: it lies on the table and the score goes below nought."""
    table = at("ema-2025", POOR).feed(f"{ROUND}; 0 riichi; 0 discards 5z sideways; 0 stick; 1 discards 1m")
    assert table.clauses == []
    assert table.state.scores == (-100, 40000, 40000, 39100)
    assert table.state.deposits == 1


@pytest.mark.parametrize(
    ("end", "deltas", "deposits"),
    [
        (f"1 discards 5p; 0 ron; 0 shows {TANYAO} with 5p; 0 ura 4z; confirm", (12000, -12000, 0, 0), 0),
        ("1 discards 5p; 2 ron han=1 fu=30; confirm", (-1000, -1000, 2000, 0), 0),
        (f"1 discards 1m; draw; 0 shows {TANYAO}; confirm", (2000, -1000, -1000, -1000), 1),
        ("1 discards 1m; draw; 1 tenpai; 2 tenpai; 3 tenpai; confirm; confirm", (-1000, 0, 0, 0), 1),
        ("told ron win0=1:2:1:30:0:: riichi=0", (-1000, 2000, -1000, 0), 0),
    ],
)
def test_ema_a_borrowed_riichi_is_settled_below_nought(end: str, deltas: tuple[int, ...], deposits: int) -> None:
    table = at("ema-2025", POOR).feed(f"{ROUND}; 0 riichi; 0 discards 5z sideways; 0 stick; {end}")
    assert settlement_of(table).deltas == deltas
    assert table.state.deposits == deposits
    assert table.state.scores[0] == 900 + deltas[0]
    assert table.state.next_start is not None


def test_ema_riichi_may_be_borrowed_for_with_less_than_nothing() -> None:
    table = at("ema-2025", "-2000,40000,40000,42000").feed(f"{ROUND}; 0 riichi; 0 discards 5z sideways; 0 stick")
    assert table.clauses == []
    assert table.state.scores[0] == -3000


@pytest.mark.parametrize(("name", "aborts"), [("jpml-a", False), ("tenhou", True)])
@pytest.mark.parametrize(
    ("events", "reason"),
    [
        (f"{discards('4z 4z 4z 4z')}; pass", AbortReason.FOUR_WINDS),
        (
            "0 closed 1111m; 0 discards 1z; 1 closed 2222m; 1 discards 1p; 2 closed 3333m; 2 discards 2p"
            "; 3 closed 4444m; 3 discards 9s; pass",
            AbortReason.FOUR_KANS,
        ),
        (
            f"{ROUND}; 0 discards 2m sideways; 0 stick; 1 discards 3m sideways; 1 stick; 2 discards 4m sideways"
            "; 2 stick; 3 discards 6m sideways; 3 stick",
            AbortReason.FOUR_RIICHI,
        ),
    ],
)
def test_jpml_a_has_no_abortive_draws(name: str, aborts: bool, events: str, reason: AbortReason) -> None:
    """The sheet of April 2026 has none; another source has them."""
    table = at(name).feed(events)
    assert table.hand.abort is (reason if aborts else None)
    assert (table.hand.phase is Phase.PLAY) is not aborts


def test_jpml_a_asks_about_nine_terminals_and_pays_three_claims_by_head_bump() -> None:
    assert at("jpml-a").feed("abort nine_terminals by 0").clauses == [("7-05-01", 0)]
    table = at("jpml-a").feed(f"{ROUND}; 0 discards 5p; 1 ron han=1; 2 ron han=1; 3 ron han=1; confirm")
    assert [int(win.seat) for win in settlement_of(table).wins] == [1]


def test_tenhou_who_is_liable_pays_the_whole_composite_yakuman_on_an_own_draw() -> None:
    table = at("tenhou").feed(f"{FED}; 0 discards 2p; 1 discards 2s; 2 tsumo; 2 shows 222z3z with 3z; confirm")
    assert yaku(table).keys() == {"big_three_dragons", "all_honors"}
    assert settlement_of(table).deltas == (0, -64000, 64000, 0)


def test_tenhou_discarder_and_liable_player_halve_the_whole_on_a_ron() -> None:
    fed = FED.replace("3 discards 5p", "3 discards 3z")
    table = at("tenhou").feed(f"{fed}; 2 ron from 3; 2 shows 222z3z with 3z; confirm")
    assert settlement_of(table).deltas == (0, -32000, 64000, -32000)
    part = at("wrc-2025").feed(f"{fed}; 2 ron from 3; 2 shows 222z3z with 3z; confirm")
    assert settlement_of(part).deltas == (0, -16000, 64000, -48000)
