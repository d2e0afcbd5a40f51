"""What fouls do to the final standings."""

from __future__ import annotations

from table.rulebook import rules_named
from table.rules.penalties.consequence import Due
from table.rules.penalties.effect_terms import Op
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import final_standings
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason, ResultKind
from table.rules.terms.seats import Seat
from tests.table.rules.fouls.fouled_hands import FINISH, LAST, at
from tests.table.rules.situations import START, Table, settlement_of


def finished_table(foul: str, options: dict[str, str] | None = None) -> Table:
    table = at(f"{foul}; {FINISH}", options, start=LAST)
    assert table.state.is_over
    return table


def test_the_deduction_at_the_end_goes_to_the_top_player() -> None:
    table = finished_table("1 foul 7-05-07 option=b", {"7-01": "k"})
    assert table.state.scores == (21000, 17000, 52000, 10000)


def test_a_top_player_who_offended_pays_the_best_of_the_others() -> None:
    table = finished_table("2 foul 7-05-07 option=b", {"7-01": "j"})
    assert table.state.scores == (21000, 49000, 20000, 10000)


def test_the_ranking_is_lowered_by_a_place() -> None:
    table = finished_table("1 foul 7-05-07 option=b", {"7-01": "l", "7-01-01": "b"})
    assert list(map(int, table.state.ranking)) == [2, 0, 1, 3]
    unpunished = at(FINISH, start=LAST).state
    assert list(map(int, unpunished.ranking)) == [2, 1, 0, 3]


def test_a_lowered_place_and_points_after_uma_count_in_the_standings() -> None:
    scores = (20000, 30000, 39000, 11000)
    dues = (Due(seat=Seat.RIGHT, op=Op.LOWER_RANK, amount=1), Due(seat=Seat.FAR, op=Op.AFTER_UMA, amount=20000))
    unpunished, punished = final_standings(scores, Ruleset()), final_standings(scores, Ruleset(), dues=dues)
    assert unpunished.points == (-20000, 10000, 49000, -39000)
    assert punished.points == (0, -10000, 29000, -39000)


def test_who_is_last_already_cannot_be_lowered_further() -> None:
    dues = (Due(seat=Seat.LEFT, op=Op.LOWER_RANK, amount=1),)
    assert final_standings((20000, 30000, 39000, 11000), Ruleset(), dues=dues).ranking == (2, 1, 0, 3)


def test_riichi_without_a_stick_may_be_a_bust() -> None:
    table = at("1 foul 7-05-13; confirm", {"7-05-13": "d"})
    assert (table.state.is_over, settlement_of(table).reason, table.state.scores) == (
        True,
        AbortReason.BUST,
        (25000,) * 4,
    )


def test_a_second_yellow_card_costs_points_after_uma_in_m_league() -> None:
    table = Table(rules_named("m-league").ruleset)
    table.feed(START).feed("1 foul 'M.League manner'; draw; confirm")
    assert [due.op for due in table.state.history[-1].dues] == [Op.CARD]
    table.feed("start E2 scores=25000,25000,25000,25000 honba=1 dora=2z; 1 foul 'M.League unvoiced'; draw; confirm")
    assert [(due.op, due.amount) for due in table.state.history[-1].dues] == [(Op.CARD, 0), (Op.AFTER_UMA, 20000)]


def test_a_chombo_after_the_last_discard_is_a_dead_hand_under_ema() -> None:
    table = Table(rules_named("ema-2025").ruleset)
    table.feed("start E1 scores=30000,30000,30000,30000 dora=1z; draw; 1 foul 7-05-01 facts=offender_opened_hand")
    assert (AnnouncementId.DEAD_HAND, Seat.RIGHT) in [
        (announcement.id, announcement.seat) for announcement in table.announcements
    ]
    assert settlement_of(table.feed("confirm")).kind is ResultKind.DRAW
