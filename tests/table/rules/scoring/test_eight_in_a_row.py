"""Eight wins in a row (八連荘) are a yakuman where it is played: wins alone count, not repeats of the deal."""

from __future__ import annotations

import pytest

from table.rulebook import rules_named
from table.rules.ruleset import Ruleset
from table.rules.terms.seats import Seat
from tests.table.rules.hands import no_win, value
from tests.table.rules.situations import Table, settlement_of

PINFU = ("234m567p34s678s99s", "5s")
NO_YAKU = ("344556m24s678s66z", "3s")
WITH_EIGHT = Ruleset().but(eight_in_a_row=True, tobi="never")
WON = "told ron win0=1:0:1:30:0::"


def after(*events: str, rules: Ruleset = WITH_EIGHT) -> Table:
    """A game in which hands ended so, and another one is dealt."""
    table = Table(rules)
    for text in events:
        table.feed(text)
    start = table.state.next_start
    assert start is not None
    scores = ",".join(map(str, start.scores))
    return table.feed(f"start {start.round!r} dealer={int(start.dealer)} scores={scores} dora=1z")


def eighth(*events: str, rules: Ruleset = WITH_EIGHT) -> int:
    """How many yakuman a hand of seat 1 is that has one han of its own."""
    table = after(*events, rules=rules)
    assert table.hand.dealer is Seat.RIGHT
    table.feed("1 discards 9m; 2 discards 9m; 3 discards 2p; 1 ron; 1 shows 222m567m34567p66s; confirm")
    assert len(table.state.history) == len(events) + 1
    return settlement_of(table).wins[0].yakuman


@pytest.mark.parametrize(("is_played", "before", "yakuman"), [(True, 6, 0), (True, 7, 1), (True, 8, 1), (False, 7, 0)])
def test_the_eighth_win_in_a_row_and_each_after_it_is_a_yakuman(is_played: bool, before: int, yakuman: int) -> None:
    ruleset = Ruleset().but(eight_in_a_row=is_played)
    found = value(*PINFU, ruleset=ruleset, wins_before=before)
    assert found.yakuman == yakuman
    assert (found.yaku == (("eight_in_a_row", 13),)) is bool(yakuman)


def test_it_needs_no_other_yaku_and_adds_to_other_yakuman() -> None:
    assert no_win(*NO_YAKU, ruleset=WITH_EIGHT, wins_before=6) == "no_yaku"
    assert value(*NO_YAKU, ruleset=WITH_EIGHT, wins_before=7).points == 32000
    assert no_win("123456789m1234p", "9s", ruleset=WITH_EIGHT, wins_before=7) == "not_winning"
    green = value("22334466888s66z", "6z", ruleset=WITH_EIGHT, wins_before=7)
    assert (green.yakuman, green.yaku) == (2, (("eight_in_a_row", 13), ("all_green", 13)))
    assert value("22334466888s66z", "6z", ruleset=WITH_EIGHT.but(multiple_yakuman=False), wins_before=7).yakuman == 1
    doubled = WITH_EIGHT.but(double_yakuman=("eight_in_a_row",))
    assert value(*PINFU, ruleset=doubled, wins_before=7).yakuman == 2


@pytest.mark.parametrize(
    ("events", "count"),
    [
        ([WON] * 7, 7),
        (["told draw tenpai=1", *[WON] * 3], 3),
        ([*[WON] * 3, "told draw tenpai=1"], 0),
        ([*[WON] * 3, "told abort reason=four_winds"], 0),
        ([*[WON] * 3, "told ron win0=2:0:1:30:0::"], 0),
        ([*[WON] * 3, "told ron win0=1:0:1:30:0:: win1=2:0:1:30:0::"], 4),
        ([*[WON] * 3, "told tsumo win0=1:1:1:30:0::"], 4),
    ],
    ids=["seven wins", "a draw before", "a draw", "an abort", "won by another", "won beside another", "a tsumo"],
)
def test_what_counts_and_what_breaks_a_run(events: list[str], count: int) -> None:
    table = Table(WITH_EIGHT)
    for text in events:
        table.feed(text)
    assert table.state.wins_in_a_row(Seat.RIGHT) == count


def test_a_hand_ended_by_a_foul_is_passed_over() -> None:
    rules = rules_named("home").ruleset.but(eight_in_a_row=True, tobi="never")
    table = after(*[WON] * 3, rules=rules)
    dealer = int(table.hand.dealer)
    table.feed(f"{dealer} discards 1m; 2 foul 7-05-01 option=a; confirm")
    reason = settlement_of(table).reason
    assert reason is not None
    assert reason.is_penalty
    assert table.state.wins_in_a_row(Seat.RIGHT) == 3


@pytest.mark.parametrize(("before", "yakuman"), [(6, 0), (7, 1)])
def test_a_hand_on_the_table_counts_the_wins_before_it(before: int, yakuman: int) -> None:
    assert eighth(*[WON] * before) == yakuman
    assert eighth(*[WON] * before, rules=WITH_EIGHT.but(eight_in_a_row=False)) == 0
