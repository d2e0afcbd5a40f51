"""One confirmation: what the settlement still waits for, who takes what, and hands settled by people."""

from __future__ import annotations

import pytest

from table.rules.ruleset import Ruleset
from table.rules.state import Phase, RiichiStage
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason, ResultKind, Settlement
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.transitions.hand_end import preview_settlement
from tests.table.rules.fouls.fouled_hands import at, four_riichi
from tests.table.rules.situations import TANYAO, Table, discards, play, settlement_of

ROUND = discards("9m 9p 9s 1z")


def test_one_confirmation_closes_the_claims_and_settles() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron; 2 shows {TANYAO} with 5p").feed("confirm")
    assert [saying for saying, _ in table.sayings] == ["settlement_proposed", "settlement_confirmed"]
    assert table.hand.phase is Phase.SETTLED
    assert settlement_of(table).kind is ResultKind.RON
    assert table.one(AnnouncementId.SETTLEMENT_CONFIRMED).args["scores"] == list(table.state.scores)


def test_r10_r11_a_missing_stick_is_demanded_at_the_settlement_before_ura() -> None:
    opening = f"{ROUND}; 0 discards 5z sideways; 1 discards 5p; 0 ron; 0 shows {TANYAO} with 5p"
    table = play(opening).feed("confirm")
    assert table.missing == ("stick 0", "ura 0")
    assert ("stick_missing", 0) in table.sayings
    table = table.feed("0 stick")
    assert table.missing == ("ura 0",)
    table = table.feed("0 ura 9m")
    assert table.missing == ()
    assert not table.feed("confirm").hand.is_live


@pytest.mark.parametrize(
    "play_text",
    [
        f"{ROUND}; 0 discards 5z sideways; 1 discards 5p",
        f"{ROUND}; 0 discards 5z sideways; 1 pon 5z from 0 with 55z; 1 discards 5p",
        f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 1m; 0 stick-back; 2 discards 5p",
        f"{ROUND}; 0 discards 5z sideways; 2 ron; 2 withdraws; 1 discards 5p",
    ],
    ids=["forgotten", "its tile called", "taken back", "a ron fell"],
)
def test_r11_a_missing_stick_is_asked_for_only_at_the_settlement(play_text: str) -> None:
    table = play("").feed(f"{play_text}; 0 ron")
    assert ("riichi_accepted", 0) in table.sayings
    assert ("stick_missing", 0) not in table.sayings
    sayings = table.feed(f"0 shows {TANYAO} with 5p; confirm").sayings
    assert ("stick_missing", 0) in sayings


def test_d13_with_head_bump_only_the_hand_of_the_seat_that_is_paid_is_asked_for() -> None:
    opening = f"{ROUND}; 0 discards 2m; 1 discards 3m; 2 discards 9m sideways; 2 stick; 3 discards 2m; 0 discards 5p"
    table = play(f"{opening}; 1 ron; 2 ron; confirm", multiple_ron="head_bump")
    assert table.missing == ("hand 1",)
    table.feed(f"1 shows {TANYAO} with 5p; confirm")
    assert [win.seat for win in settlement_of(table).wins] == [1]


def test_d13_no_hand_is_asked_for_where_three_rons_abort() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 1 ron; 2 ron; 3 ron; confirm", triple_ron="abort")
    assert settlement_of(table).reason is AbortReason.TRIPLE_RON


@pytest.mark.parametrize("end", ["end-game", "time-signal"])
@pytest.mark.parametrize(
    ("scores", "points"), [((40000, 20000, 20000, 20000), 1000), ((20000, 40000, 20000, 20000), 0)]
)
def test_r48_a_game_ended_between_two_hands_leaves_its_sticks_to_the_dealer_of_the_last_one(
    end: str, scores: tuple[int, ...], points: int
) -> None:
    """Not to whoever would have dealt the next hand."""
    table = Table(Ruleset().but(end_sticks="dealer_top_only", time_signal="this_hand"))
    table.feed(f"start E1 scores={','.join(map(str, scores))}; {discards('1m')}; 1 discards 3z sideways; 1 stick")
    table.feed(f"2 discards 4m; draw; 0 noten; 1 shows {TANYAO}; confirm")
    before = table.state.scores
    table.feed(end)
    assert table.state.scores == (before[0] + points, *before[1:])
    assert table.state.deposits == (0 if points else 1)


def test_what_a_confirmation_would_pay_and_wait_for_is_known_before_it() -> None:
    opening = f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 5p"
    table = play(opening)
    assert looked_ahead(table) == (None, ())
    table = table.feed("0 ron")
    assert looked_ahead(table) == (None, ("ura 0", "hand 0"))
    table = table.feed(f"0 shows {TANYAO} with 5p; 0 ura 9m")
    proposal, missing = looked_ahead(table)
    assert missing == ()
    assert (table.hand.proposal, table.missing) == (None, ())
    table = table.feed("confirm")
    assert settlement_of(table) == proposal
    assert preview_settlement(table.state, table.ruleset) is None


def looked_ahead(table: Table) -> tuple[Settlement | None, tuple[str, ...]]:
    hand = preview_settlement(table.state, table.ruleset)
    assert hand is not None
    return hand.proposal, tuple(map(str, hand.missing))


def test_r11_a_second_confirmation_takes_the_stick_as_paid() -> None:
    opening = f"{ROUND}; 0 discards 5z sideways; 1 discards 5p; 2 ron han=1"
    for rule in ("passed", "passed_and_stick"):
        table = play(opening, riichi_stands_on=rule).feed("confirm")
        assert table.hand.is_live
        table = table.feed("confirm")
        assert table.hand.riichi[0].stage is RiichiStage.ACCEPTED
        assert table.state.scores == (24000, 24000, 27000, 25000)


def test_r34_ura_are_for_a_winner_in_riichi() -> None:
    opening = f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 5p; "
    assert play(opening + "2 ron").feed("2 ura 9m").clauses == [("R34", 2)]
    assert play(opening + "0 ron").feed("0 ura 9m").clauses == []


@pytest.mark.parametrize(("seat", "clause"), [(0, "7-06-05"), (2, "7-06-04")])
def test_r36_ura_turned_before_any_win_are_a_look_at_the_dead_wall(seat: int, clause: str) -> None:
    """7-06-05 is about a player in riichi, 7-06-04 about one who is not."""
    opening = f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 5p"
    assert play(opening).feed(f"{seat} ura 9m").clauses == [(clause, seat)]


def test_r33_ura_count_for_the_winner_in_riichi_alone() -> None:
    opening = f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 5p"
    table = play(
        f"{opening}; 0 ron; 0 shows {TANYAO} with 5p; 2 ron; 2 shows 234m678m234s46p88s with 5p; 0 ura 1s; confirm"
    )
    by_seat = {int(win.seat): dict(win.yaku) for win in settlement_of(table).wins}
    assert by_seat[0]["ura_dora"] == 2
    assert "ura_dora" not in by_seat[2]


@pytest.mark.parametrize(("switches", "count"), [({}, 2), ({"kan_ura": False}, 1), ({"ura_dora": False}, 0)])
def test_r35_how_many_ura_are_asked_for(switches: dict[str, object], count: int) -> None:
    opening = f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 closed 7777z; dora 9m; 1 discards 2p"
    table = play(f"{opening}; 0 ron; 0 shows {TANYAO} with 2p", **switches)
    for turned_count in range(1, count):
        table = table.feed(f"0 ura {'9s' * turned_count}")
    table = table.feed("confirm")
    assert table.missing == (("ura 0",) if count else ())
    if count:
        table = table.feed(f"0 ura {'9s' * count}; confirm")
    assert not table.hand.is_live


def test_a_missing_indicator_is_asked_for_once() -> None:
    table = play(f"{ROUND}; 0 closed 7777z; 0 discards 5p; 2 ron; 2 shows {TANYAO} with 5p").feed("confirm")
    assert table.missing == ("dora",)
    assert table.feed("dora 9m").missing == ()
    assert not table.feed("confirm").hand.is_live


def test_pao_reaches_the_settlement() -> None:
    feeding = (
        "0 discards 5z; 2 pon 5z from 0 with 55z; 2 discards 1m; 3 discards 6z; 2 pon 6z from 3 with 66z; 2 discards 2m"
        "; 3 discards 1p; 0 discards 1s; 1 discards 7z; 2 pon 7z from 1 with 77z; 2 discards 9m; 3 discards 9p"
    )
    table = play(f"{feeding}; 0 discards 9s; 1 discards 9s; 2 tsumo; 2 shows 345m5p with 5p; confirm")
    assert table.state.scores == (25000, 25000 - 32000, 57000, 25000)


def test_r57_nothing_is_asked_of_a_riichi_hand_when_another_wins() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 5p; 2 ron; 2 shows {TANYAO} with 5p").feed(
        "confirm"
    )
    assert not table.hand.is_live
    assert table.suspicions == []


def test_r46_the_winner_takes_all_sticks() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 5p; 2 ron han=1; confirm")
    assert table.state.scores == (24000, 24000, 27000, 25000)
    assert table.state.deposits == 0


def test_a_hand_is_settled_by_people_at_any_point() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 0 stick").feed("settled draw -1000,0,0,0 deposits=1 honba=1")
    assert table.state.scores == (24000, 25000, 25000, 25000)
    assert table.state.deposits == 1
    assert not table.hand.is_live


def test_a_hand_is_settled_by_people_with_nothing_seen_at_all() -> None:
    table = Table().feed("settled ron 2000,-2000,0,0 win0=0:1:1:30:0:1500:tanyao+1 next=stays honba=1")
    assert table.state.scores == (27000, 23000, 25000, 25000)
    assert table.sayings[0] == ("hand_started", 0)
    assert table.state.next_start is not None
    assert repr(table.state.next_start.round) == "E1"
    assert table.feed("settled ron 0,-1000,1000,0 win0=2:1:1:30:0:1000:tanyao+1").state.scores[2] == 26000


def test_payments_that_lose_points_cannot_be() -> None:
    with pytest.raises(ImpossibleEventError, match=r"keep the points, got \+1000 by 2000,-1000,0,0$"):
        play("settled ron 2000,-1000,0,0 win0=0:1:1:30:0:1500:tanyao+1")


@pytest.mark.parametrize(("deltas", "deposits"), [("0,0,0,0", 2), ("0,-1000,0,0", 3)])
def test_the_sticks_of_earlier_hands_are_no_points_of_this_one(deltas: str, deposits: int) -> None:
    table = Table().feed("start E1 deposits=2 scores=25000,25000,25000,23000 dora=1z; 0 discards 1m")
    assert settlement_of(table.feed(f"settled draw {deltas} deposits={deposits}")).deposits == deposits


def test_the_game_ends_with_its_ranking_and_settles_no_more() -> None:
    table = Table().feed("start S4 scores=20000,35000,25000,20000 dora=1z")
    table.feed("settled ron 0,-1000,1000,0 win0=2:1:1:30:0:1000:tanyao+1")
    assert table.state.is_over
    assert table.one(AnnouncementId.GAME_ENDED).args == {
        "scores": [20000, 34000, 26000, 20000],
        "ranking": [1, 2, 0, 3],
    }
    assert table.state.next_start is None
    with pytest.raises(ImpossibleEventError, match="expected a hand to settle"):
        table.feed("settled draw 0,0,0,0")


def test_people_end_a_game_between_hands_and_who_is_first_takes_the_leftover_sticks() -> None:
    between = play(f"{ROUND}; 0 discards 5z sideways; 0 stick; told draw tenpai=01 riichi=0")
    assert (between.state.scores, between.state.deposits) == ((25500, 26500, 23500, 23500), 1)
    table = between.feed("end-game reason='it is late'")
    assert table.state.is_over
    assert table.state.scores == (25500, 27500, 23500, 23500)
    assert [int(seat) for seat in table.state.ranking] == [1, 0, 2, 3]
    assert table.one(AnnouncementId.GAME_ENDED).args["scores"] == [25500, 27500, 23500, 23500]
    with pytest.raises(ImpossibleEventError, match="expected a game in progress, got one that has ended"):
        table.feed("end-game")


def test_a_hand_in_play_does_not_count_when_people_end_the_game() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 5p").feed("end-game")
    assert table.state.scores == (25000,) * 4
    assert (table.state.hand, table.state.history, table.state.deposits) == (None, (), 0)


def test_sticks_that_nobody_takes_stay_on_the_table_when_people_end_the_game() -> None:
    opening = f"{ROUND}; 0 discards 5z sideways; 0 stick; told draw tenpai=01 riichi=0; end-game"
    table = play(opening, end_sticks="nobody")
    assert (table.state.scores, table.state.deposits) == ((25500, 26500, 23500, 23500), 1)


@pytest.mark.parametrize(
    ("end", "act"),
    [
        ("0 discards 9m sideways; abort nine_terminals by 1", "1 discards 1m"),
        ("0 discards 9m sideways; abort nine_terminals by 1", "1 closed 1111m"),
        (four_riichi().removesuffix("; 3 stick") + "; abort four_riichi", "3 foul 7-05-08 option=b"),
    ],
    ids=["a discard", "a kan", "a foul that makes a riichi void"],
)
def test_when_play_goes_on_after_an_abort_its_proposed_settlement_is_gone(end: str, act: str) -> None:
    before = at(f"{end}; confirm").hand
    assert before.proposal is not None
    assert before.missing != ()
    table = at(f"{end}; confirm; {act}")
    assert (table.hand.phase, table.hand.proposal) == (Phase.PLAY, None)
    table.feed("2 foul 7-05-11")
    assert "settlement_proposed" not in dict(table.sayings)


@pytest.mark.parametrize(
    ("first_end", "other_end", "still_missing"),
    [
        ("0 discards 9m sideways; abort nine_terminals by 1", "draw", ("stick 0",)),
        ("0 discards 9m sideways; draw", "abort nine_terminals by 1", ("stick 0",)),
        ("0 discards 9m sideways; abort nine_terminals by 1", "abort nine_terminals by 3", ("stick 0",)),
        ("0 discards 9m sideways; 1 discards 8m; 0 ron han=1; 2 ron han=1; 3 ron han=1", "abort triple_ron", None),
    ],
)
def test_what_was_proposed_and_asked_for_one_end_is_gone_with_another(
    first_end: str, other_end: str, still_missing: tuple[str, ...] | None
) -> None:
    before = at(f"{first_end}; confirm")
    assert before.hand.proposal is not None
    table = at(f"{first_end}; confirm; {other_end}")
    assert table.hand.proposal is None
    assert table.missing == (before.missing if still_missing is None else still_missing)
    assert at(f"{first_end}; confirm; {first_end.rsplit('; ', maxsplit=1)[-1]}").hand.proposal == before.hand.proposal


def test_when_play_goes_on_after_an_abort_a_chombo_still_ends_the_hand() -> None:
    table = at("0 discards 9m sideways; abort nine_terminals by 1; 1 foul 7-09-01 option=a; 1 discards 1m")
    proposal = table.hand.proposal
    assert proposal is not None
    assert proposal.reason is AbortReason.CHOMBO


def test_people_may_play_on_after_the_end() -> None:
    table = Table().feed(
        "start S4 scores=20000,35000,25000,20000 dora=1z; settled ron 0,-1000,1000,0 win0=2:1:1:30:0:1000:"
    )
    assert not table.feed("start W1 scores=20000,34000,26000,20000 dora=1z").state.is_over


@pytest.mark.parametrize(
    ("end", "riichi"), [("draw; 0 tenpai", [0]), ("1 tsumo han=1 fu=30", [0]), ("2 foul 7-04-01 option=a", None)]
)
def test_a_settlement_says_whose_payments_contain_the_riichi_stick_of_this_hand(
    end: str, riichi: list[int] | None
) -> None:
    """A penalty that gives the stick back moves nothing for it."""
    table = at(f"0 discards 6m sideways; 0 stick; {end}")
    table.feed("confirm; confirm" if table.hand.phase is Phase.ENDING else "confirm")
    assert table.one(AnnouncementId.SETTLEMENT_CONFIRMED).args.get("riichi") == riichi
