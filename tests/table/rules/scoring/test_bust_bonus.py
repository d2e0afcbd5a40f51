"""A bust bonus (飛び賞): who goes bust pays the one that busts him, at the end and beside the scores."""

from __future__ import annotations

import pytest

from table.records.score_sheet import score_sheet
from table.rulebook import rules_named
from table.rules.penalties.consequence import Due
from table.rules.penalties.effect_terms import Op
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import GameOver, HandFacts, after_hand, final_standings
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason, Deltas, ResultKind, Settlement, Win
from table.rules.terms.seats import Round, Seat
from tests.table.rules.situations import Table

BONUS = Ruleset().but(bust_bonus=10000)


def settled_hand(kind: ResultKind, deltas: Deltas = (0, 0, 0, 0), *, by: str = "", **fields: object) -> Settlement:
    """A settled hand; `by` are its winners in turn order, from seat 0."""
    wins = tuple(
        Win(seat=Seat(int(each)), from_seat=Seat.NEAR, han=1, fu=30, yaku=(), yakuman=0, points=1000) for each in by
    )
    return Settlement(kind=kind, deltas=deltas, wins=wins, **fields)  # type: ignore[arg-type]  # fields of Settlement


def bonus(settlement: Settlement, scores: Deltas, rules: Ruleset = BONUS, dues: tuple[Due, ...] = ()) -> Deltas | None:
    """What is paid after that hand of the first round; None where the game goes on."""
    facts = HandFacts(round=Round.parse("E2"), first_dealer=Seat.NEAR, scores=scores, dues=dues)
    over = after_hand(facts, settlement, rules)
    return over.bust_bonus if isinstance(over, GameOver) else None


BUST_0: Deltas = (-1000, 51000, 30000, 20000)
BUST_0_3: Deltas = (-1000, 71000, 32000, -2000)


@pytest.mark.parametrize(
    ("settlement", "scores", "deltas"),
    [
        (settled_hand(ResultKind.RON, by="2"), BUST_0, (-10000, 0, 10000, 0)),
        (settled_hand(ResultKind.RON, by="12"), BUST_0, (-10000, 10000, 0, 0)),
        (settled_hand(ResultKind.RON, by="2"), BUST_0_3, (-10000, 0, 20000, -10000)),
        (settled_hand(ResultKind.DRAW, (-3000, 1000, 1000, 1000), tenpai=(1, 2, 3)), BUST_0, (-10000, 10000, 0, 0)),
        (settled_hand(ResultKind.DRAW, (-3000, 0, 1000, 1000), tenpai=(1, 2, 3)), BUST_0, (-10000, 10000, 0, 0)),
        (settled_hand(ResultKind.DRAW, (-1500, -1500, 500, 1500), tenpai=(2, 3)), BUST_0, (-10000, 0, 10000, 0)),
        (settled_hand(ResultKind.DRAW, (-1000, 3000, -1000, -1000), tenpai=(1,)), BUST_0_3, (-10000, 20000, 0, -10000)),
        (
            settled_hand(ResultKind.DRAW, (-4000, -2000, -2000, 8000), reason=AbortReason.NAGASHI, tenpai=(1,)),
            BUST_0,
            (-10000, 0, 0, 10000),
        ),
        (
            settled_hand(ResultKind.ABORT, (-8000, 4000, 2000, 2000), reason=AbortReason.CHOMBO),
            BUST_0,
            (-10000, 10000, 0, 0),
        ),
    ],
    ids=[
        "the winner",
        "the first of two winners",
        "two that go bust",
        "the next tenpai seat",
        "the next tenpai seat though its riichi cost as much",
        "the next tenpai seat after a noten one",
        "two by noten payments",
        "the nagashi seat",
        "the first of the others after a chombo",
    ],
)
def test_who_takes_the_bonus(settlement: Settlement, scores: Deltas, deltas: Deltas) -> None:
    assert bonus(settlement, scores) == deltas
    assert bonus(settlement, scores, Ruleset()) is None


@pytest.mark.parametrize(("tobi", "at_zero", "below"), [("never", 0, 0), ("below_zero", 0, 1), ("zero_or_below", 1, 1)])
def test_who_is_bust_is_what_ends_the_game(tobi: str, at_zero: int, below: int) -> None:
    rules = BONUS.but(tobi=tobi, length="east")
    for score, is_paid in ((0, at_zero), (-1000, below)):
        scores: Deltas = (score, 50000 - score, 30000, 20000)
        found = bonus(settled_hand(ResultKind.RON, by="1"), scores, rules)
        assert found == ((-10000, 10000, 0, 0) if is_paid else None)


def test_a_foul_that_makes_a_seat_bust_costs_it_the_bonus() -> None:
    scores: Deltas = (20000, 30000, 26000, 24000)
    dues = (Due(seat=Seat.FAR, op=Op.BUST),)
    settlement = settled_hand(ResultKind.ABORT, reason=AbortReason.BUST)
    assert bonus(settlement, scores, dues=dues) == (0, 10000, -10000, 0)


@pytest.mark.parametrize("points", [0, 5000, 10000])
def test_the_bonus_counts_in_the_standings_and_leaves_scores_and_places(points: int) -> None:
    facts = HandFacts(round=Round.parse("E2"), first_dealer=Seat.NEAR, scores=(-5000, 40000, 30000, 35000))
    rules = Ruleset().but(bust_bonus=points)
    over = after_hand(facts, settled_hand(ResultKind.RON, by="1"), rules)
    assert isinstance(over, GameOver)
    assert (over.scores, over.ranking) == ((-5000, 40000, 30000, 35000), (1, 3, 2, 0))
    standings = final_standings(over.scores, rules, bust_bonus=over.bust_bonus).points
    without_bonus = final_standings(over.scores, rules).points
    differences = tuple(after - before for after, before in zip(standings, without_bonus, strict=True))
    assert differences == (-points, points, 0, 0)
    assert sum(standings) == 0


def test_a_game_tells_its_bonus_and_takes_it_back_with_the_hand() -> None:
    rules = rules_named("home").ruleset.but(bust_bonus=5000)
    table = Table(rules)
    table.feed("told ron win0=2:0:-:-:1::")
    assert table.state.bust_bonus == (-5000, 0, 5000, 0)
    assert table.one(AnnouncementId.GAME_ENDED).args["bust_bonus"] == [-5000, 0, 5000, 0]
    assert sum(table.state.scores) == 100000
    assert score_sheet(table.state, rules).splitlines()[-2].split()[-4:] == ["-5000", "+0", "+5000", "+0"]
    assert Table().feed("told ron win0=2:0:-:-:1::").state.bust_bonus is None
