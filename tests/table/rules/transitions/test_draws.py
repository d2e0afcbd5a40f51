"""Draws and aborts: who is tenpai, what has to be shown, and when a hand ends without a winner."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from table.rulebook import rules_named
from table.rules.ruleset import Ruleset
from table.rules.state import Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import ABORTS, AbortReason, ResultKind
from table.rules.terms.rule_errors import ImpossibleEventError
from tests.table.rules.fouls.fouled_hands import at
from tests.table.rules.situations import TANYAO, Table, discards, play, settlement_of

ROUND = discards("9m 9p 9s 1z")


def test_d13_three_rons_abort_where_the_rules_say_so() -> None:
    three = f"{ROUND}; 0 discards 5p; 1 ron han=1; 2 ron han=1; 3 ron han=1"
    table = play(three, triple_ron="abort").feed("confirm")
    assert ("triple_ron_abort", None) in table.sayings
    assert settlement_of(table).reason is AbortReason.TRIPLE_RON
    assert table.state.scores == (25000,) * 4
    assert len(settlement_of(play(three).feed("confirm")).wins) == 3


def test_a_triple_ron_may_be_called_as_such() -> None:
    table = play(f"{ROUND}; 0 discards 5p").feed("abort triple_ron; confirm")
    assert settlement_of(table).reason is AbortReason.TRIPLE_RON
    assert [saying for saying, _ in table.sayings].count("triple_ron_abort") == 1


def test_a_draw_is_settled_by_statements_and_riichi() -> None:
    table = play(f"{ROUND}; {discards('2m 2m 3m 3m')}; draw; 0 tenpai; 1 noten; confirm")
    assert settlement_of(table).tenpai == (0,)
    assert table.state.scores == (28000, 24000, 24000, 24000)


def test_a_shown_hand_goes_before_a_statement() -> None:
    table = play(f"{ROUND}; draw; 1 tenpai").feed("1 shows 1479m1479p1479s5z")
    assert table.clauses == [("7-05-16", 1)]
    assert settlement_of(table.feed("confirm")).tenpai == ()


def test_a_hand_with_an_unread_tile_counts_as_stated() -> None:
    table = play(f"{ROUND}; draw; 1 tenpai; 1 shows 147m?1479p1479s5z").feed("confirm")
    assert settlement_of(table).tenpai == (1,)


RIICHI = f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 1m; draw"


def test_r27_a_hand_in_riichi_has_to_be_shown_at_the_draw() -> None:
    table = play(RIICHI).feed("confirm")
    assert table.missing == ("hand 0",)
    assert settlement_of(table.feed("confirm")).tenpai == (0,)


def test_r27_noten_said_in_riichi_is_accepted_and_does_not_waive_the_showing() -> None:
    table = play(RIICHI).feed("0 noten")
    assert ("noten_riichi", 0) in table.sayings
    assert table.clauses == [("7-05-07", 0)]
    table = table.feed("confirm")
    assert table.missing == ("hand 0",)
    assert settlement_of(table.feed("confirm")).tenpai == ()


def test_noten_said_in_riichi_while_play_goes_on_is_only_noted() -> None:
    assert play(f"{ROUND}; 0 discards 5z sideways; 0 stick; 0 noten").clauses == []


def test_r56_a_riichi_hand_shown_noten_is_told() -> None:
    table = play(RIICHI).feed("0 shows 1479m1479p1479s5z")
    assert ("noten_riichi", 0) in table.sayings
    assert table.clauses == [("7-05-07", 0)]
    assert settlement_of(table.feed("confirm")).tenpai == ()


def test_r47_sticks_stay_at_a_draw() -> None:
    table = play(RIICHI).feed(f"0 shows {TANYAO}; confirm")
    assert table.state.deposits == 1
    assert table.state.next_start is not None
    assert table.state.next_start.deposits == 1
    assert table.state.next_start.honba == 1


def test_a_hand_with_a_wrong_number_of_tiles_is_asked_about_at_the_draw() -> None:
    assert play(f"{ROUND}; draw").feed("1 shows 123m").clauses == [("7-04-02", 1)]


@pytest.mark.parametrize(
    ("events", "switches", "is_paid"),
    [
        (ROUND, {}, True),
        (ROUND, {"nagashi_mangan": False}, False),
        ("0 discards 5z; 1 pon 5z from 0 with 55z; 1 discards 2m", {}, False),
        ("0 discards 5m; 1 discards 5p; 2 discards 5s; 3 discards ?", {}, False),
    ],
)
def test_nagashi_mangan_needs_a_whole_uncalled_river_of_orphans(
    events: str, switches: dict[str, object], is_paid: bool
) -> None:
    table = play(events, **switches).feed("draw; confirm")
    assert (settlement_of(table).reason is AbortReason.NAGASHI) is is_paid


UNREAD = "0 discards 9m; 1 discards ?; 2 discards 5p; 3 discards ?; 0 discards ?; 1 discards 2z; 2 discards ?; draw"
"""Seats 0 and 1 have discarded nothing but terminals and honours, as far as their tiles could be read."""


def test_an_unread_discard_that_decides_a_nagashi_mangan_is_asked_about_before_the_draw_is_settled() -> None:
    table = play(UNREAD).feed("confirm")
    assert table.one(AnnouncementId.SETTLEMENT_PROPOSED).args["missing"] == ["nagashi 0", "nagashi 1"]
    table.feed("confirm")
    assert (settlement_of(table).reason, settlement_of(table).deltas) == (None, (0, 0, 0, 0))


NO_MORE = discards(
    "1m 2m 2m 2m 9m 3m 3m 3m 1p 4m 4m 4m 9p 5m 5m 5m 1s 6m 6m 6m 9s 7m 7m 7m 2z 8m 8m 8m 3z 2p 2p 2p 4z 3p 3p 3p 5z 4p "
    "4p 4p 6z 5p 5p 5p 7z 6p 6p 6p 1m 7p 7p 7p 9m 8p 8p 8p 1p 2s 2s 2s 9p 3s 3s 3s 1s 4s 4s 4s 9s 5s"
)
"""All 70 discards of a hand; seat 0 discards only terminals and honours."""


@pytest.mark.parametrize(
    ("events", "missing"),
    [
        (f"{NO_MORE}; draw watched", []),
        (f"{NO_MORE.replace('; 1 discards 5s', '')}; draw watched", []),
        (f"{NO_MORE.replace('; 0 discards 9s; 1 discards 5s', '')}; draw watched", ["nagashi 0"]),
        (f"{NO_MORE.replace('; 1 discards 5s', '').replace('1 discards', '1 closed 8888s; 1 discards', 1)}; draw", []),
        (
            f"{NO_MORE.replace('; 0 discards 9s; 1 discards 5s', '').replace('1 d', '1 closed 8888s; 1 d', 1)}; "
            "draw watched",
            ["nagashi 0"],
        ),
        (f"{NO_MORE.replace('0 discards 9m; ', '')}; draw", ["nagashi 0"]),
        ("0 discards 1m; draw", []),
        ("0 discards 1m; draw watched", ["nagashi 0"]),
        (
            "0 discards 2m; 1 discards 9p; 2 discards 2s; 3 discards 2p; 0 discards 3m; 2 discards 4s; draw",
            ["nagashi 1"],
        ),
        ("0 discards 2m; draw watched", []),
        ("draw watched", []),
    ],
    ids=[
        "all seen",
        "another's last missed",
        "its own last missed",
        "a kan's tile drawn for the last",
        "its own last missed, of the last tile",
        "one missed",
        "a ruling by people",
        "few seen",
        "passed over",
        "no orphan",
        "none seen",
    ],
)
def test_a_river_that_may_lack_discards_is_no_nagashi_mangan_unless_people_say_so(
    events: str, missing: list[str]
) -> None:
    table = play(events).feed("confirm")
    assert table.one(AnnouncementId.SETTLEMENT_PROPOSED).args["missing"] == missing


@pytest.mark.parametrize(
    ("events", "switches"),
    [
        (UNREAD, {"nagashi_mangan": False}),
        ("0 discards 5m; 1 discards 5p; 2 discards 5s; 3 discards ?; draw", {}),
        (
            "0 discards 5z; 1 pon 5z from 0 with 55z; 1 discards 2m; 2 discards 3p; 3 discards 3s; 0 discards ?; draw",
            {},
        ),
        (f"{ROUND}; 0 discards ?; abort four_kans", {}),
        (f"{UNREAD}; 0 foul 7-04-01 option=f; 1 foul 7-04-01 option=f", {"penalties": rules_named("home").penalties}),
    ],
)
def test_an_unread_discard_that_cannot_be_a_nagashi_mangan_is_not_asked_about(
    events: str, switches: dict[str, object]
) -> None:
    table = play(events, **switches).feed("confirm")
    assert not [
        announcement
        for announcement in table.announcements
        if any("nagashi" in str(arg) for arg in announcement.args.values())
    ]


def test_a_win_after_the_draw_was_called_takes_the_draw_back() -> None:
    table = play(f"{ROUND}; 0 discards 5p; draw; 2 ron han=1; confirm")
    assert settlement_of(table).kind is ResultKind.RON


def test_play_after_a_draw_was_called_takes_the_draw_back() -> None:
    table = play(f"{ROUND}; draw; 0 discards 5p")
    assert table.hand.phase is Phase.PLAY


def test_four_winds_abort_once_the_fourth_has_passed() -> None:
    table = play("").feed("start E1 scores=25000,25000,25000,25000 dora=3m").feed(discards("4z 4z 4z 4z"))
    assert table.hand.phase is Phase.PLAY
    table = table.feed("confirm")
    assert ("four_winds_abort", None) in table.sayings
    assert settlement_of(table).reason is AbortReason.FOUR_WINDS


@pytest.mark.parametrize("tiles", ["4z 4z 4z 3z", "5z 5z 5z 5z", "9m 9m 9m 9m"])
def test_other_first_discards_do_not_abort(tiles: str) -> None:
    assert play(discards(tiles) + "; pass").hand.abort is None


def test_four_winds_can_be_off_and_need_an_unbroken_first_go_round() -> None:
    assert play(discards("4z 4z 4z 4z") + "; pass", four_winds=False).hand.abort is None
    assert play("0 closed 7777p; " + discards("4z 4z 4z 4z") + "; pass").hand.abort is None


def test_nine_terminals_are_called_at_the_first_own_draw_and_shown() -> None:
    table = play("0 discards 9m; abort nine_terminals by 1").feed("confirm")
    assert table.missing == ("hand 1",)
    table = table.feed("1 shows 19m19p19s1234567z with 5m")
    assert table.clauses == []
    assert settlement_of(table.feed("confirm")).reason is AbortReason.NINE_TERMINALS


def test_nine_terminals_of_the_seat_in_turn_need_no_name() -> None:
    assert play("0 discards 9m; abort nine_terminals").hand.abort_by == 1


def test_nine_terminals_with_fewer_kinds_are_asked_about() -> None:
    table = play("abort nine_terminals by 0").feed("0 shows 19m19p19s22345m55z with 5m")
    assert table.clauses == [("7-05-01", 0)]


@pytest.mark.parametrize(
    ("events", "switches"),
    [
        (f"{ROUND}; abort nine_terminals by 0", {}),
        ("0 discards 5z; 2 pon 5z from 0 with 55z; 2 discards 1m; abort nine_terminals by 3", {}),
        ("0 discards 9m; abort nine_terminals by 2", {}),
        ("abort nine_terminals by 0", {"nine_terminals": False}),
    ],
)
def test_nine_terminals_at_another_time_are_asked_about(events: str, switches: dict[str, object]) -> None:
    table = play("", **switches).feed(events)
    assert [clause for clause, _ in table.clauses] == ["7-05-01"]


@pytest.mark.parametrize(
    ("events", "is_asked"),
    [
        ("0 discards 5m; 1 discards 1z; 3 discards 9m; abort nine_terminals by 0", True),
        ("0 discards 5m; 1 discards 1z; 3 discards 9m; abort nine_terminals by 2", False),
        ("0 discards 4z; 1 discards 4z; 3 discards 4z; abort four_winds", False),
        ("0 discards 4z; 1 discards 3z; 3 discards 4z; abort four_winds", True),
        ("0 discards 4z; 1 discards 4z; 3 discards 4z; 0 discards 4z; abort four_winds", True),
        ("0 discards 4z; 1 pon 4z from 0 with 44z; 1 discards 4z; 3 discards ?; abort four_winds", True),
    ],
)
def test_an_abort_after_a_missed_discard_is_asked_about_if_the_recorded_ones_exclude_it(
    events: str, is_asked: bool
) -> None:
    table = play(events.rpartition(";")[0]).feed(events.rpartition(";")[2])
    assert bool(table.clauses) is is_asked


def test_an_abort_of_nobody_after_the_wall_is_used_up_is_taken_as_said() -> None:
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in (1, 2, 3, 4, 6, 7, 8, 9)]
    tiles = [kind for kind in kinds for _ in range(3)]
    table = play(discards(" ".join(tiles[:70]))).feed("abort nine_terminals; confirm")
    assert settlement_of(table).reason is AbortReason.NINE_TERMINALS


def test_nagashi_is_no_abort() -> None:
    with pytest.raises(ImpossibleEventError, match="expected an abortive draw, got nagashi"):
        play("abort nagashi")


def test_an_abort_that_the_table_did_not_show_is_settled_once_people_confirm_it() -> None:
    table = play("0 discards 1m; abort four_winds; confirm")
    assert settlement_of(table).reason is AbortReason.FOUR_WINDS


def test_a_triple_ron_called_as_such_keeps_its_claims_without_a_value() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 ron; 2 ron; 3 ron").feed("abort triple_ron; confirm")
    assert settlement_of(table).reason is AbortReason.TRIPLE_RON
    assert table.state.scores == (25000,) * 4


@pytest.mark.parametrize(("rons", "is_asked"), [("1 ron; 2 ron", True), ("1 ron; 2 ron; 3 ron", False)])
def test_a_triple_ron_called_without_three_rons_is_asked_about(rons: str, is_asked: bool) -> None:
    table = play(f"{ROUND}; 0 discards 5p; {rons}", triple_ron="abort").feed("abort triple_ron")
    assert bool(table.clauses) is is_asked


def test_play_after_a_triple_ron_was_called_takes_the_abort_back() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 1 ron; abort triple_ron; 1 discards 1m")
    assert table.hand.phase is Phase.CLAIMED


@pytest.mark.parametrize(
    ("events", "phase", "result"),
    [
        ("1 ron; abort triple_ron; 1 withdraws", Phase.PLAY, None),
        ("1 ron; abort triple_ron; 1 foul 7-05-01 option=f facts='not offender_opened_hand'", Phase.PLAY, None),
        ("draw; 1 ron; abort triple_ron; 1 withdraws", Phase.ENDING, ResultKind.DRAW),
        ("1 ron; 2 ron han=1 fu=30; 3 ron; abort triple_ron; 1 withdraws; 3 withdraws", Phase.CLAIMED, ResultKind.RON),
    ],
)
def test_a_triple_ron_that_was_called_falls_with_one_of_its_rons(
    events: str, phase: Phase, result: ResultKind | None
) -> None:
    table = at(f"{discards('9m 9p 9s 1z 5p')}; {events}")
    assert (table.hand.phase, table.hand.abort) == (phase, None)
    table.feed("confirm")
    assert [hand.settlement and hand.settlement.kind for hand in table.state.history] == ([result] if result else [])


def test_four_winds_called_by_people_are_said_once() -> None:
    opening = "start E1 scores=25000,25000,25000,25000 dora=3m; " + discards("4z 4z 4z 4z")
    table = play("").feed(f"{opening}; abort four_winds")
    assert [saying for saying, _ in table.sayings].count("four_winds_abort") == 1


def test_a_second_look_at_a_pending_abort_changes_nothing() -> None:
    table = play("0 closed 1111m; 0 discards 1z; 1 closed 2222m; 1 discards 1p; 2 closed 3333m; 2 discards 2p")
    table = table.feed("3 closed 4444m; 3 discards 9s; 0 ron; 0 withdraws; 0 ron; 0 withdraws; pass")
    assert table.hand.abort is AbortReason.FOUR_KANS


def test_a_noten_hand_may_be_shown_at_a_draw() -> None:
    assert play(f"{ROUND}; draw").feed("1 shows 1479m1479p1479s5z").clauses == []


def test_a_hand_shown_at_another_abort_is_not_looked_at() -> None:
    assert play(f"{ROUND}; 0 discards 5p; abort four_winds").feed("1 shows 123m").clauses == []


def test_a_shown_hand_that_held_red_fives_may_be_read_again_without_them() -> None:
    table = play(f"{ROUND}; draw; 1 shows 1470m1479p1479s5z; 1 shows 1475m1479p1479s5z")
    assert table.hand.counts[34] == 0


THREE_RONS = f"{ROUND}; 0 discards 5p; 1 ron; 2 ron; 3 ron"
FOUR_RIICHI = (
    f"{ROUND}; 0 discards 2m sideways; 0 stick; 1 discards 3m sideways; 1 stick; 2 discards 4m sideways; 2 stick"
    "; 3 discards 6m sideways"
)
FOUR_KANS = (
    "0 closed 1111m; 0 discards 1z; 1 closed 2222m; 1 discards 1p; 2 closed 3333m; 2 discards 2p; 3 closed 4444m"
    "; 3 discards 9s"
)


@pytest.mark.parametrize(
    ("events", "reason", "clauses"),
    [
        ("0 discards 4z; 1 discards 4z; 2 discards 4z", "four_winds", [("four winds", 2)]),
        (discards("4z 4z 4z 3z"), "four_winds", [("four winds", 3)]),
        ("", "four_winds", [("four winds", 0)]),
        (FOUR_RIICHI.rpartition(";")[0], "four_riichi", [("R66", 2)]),
        (f"{ROUND}; 0 discards 2m sideways", "four_riichi", [("R66", 0)]),
        (FOUR_KANS.rpartition("; 3 closed")[0], "four_kans", [("four kans", 2)]),
        (
            "0 closed 1111m; 0 closed 2222m; 0 closed 3333m; 0 closed 4444m; 0 discards 9m",
            "four_kans",
            [("four kans", 0)],
        ),
        (THREE_RONS.rpartition(";")[0], "triple_ron", [("D13", 0)]),
        (f"{ROUND}; 0 discards 5p", "triple_ron", [("D13", 0)]),
    ],
)
def test_an_abort_that_is_called_without_its_condition_is_a_question(
    events: str, reason: str, clauses: list[tuple[str, int]]
) -> None:
    table = play("", triple_ron="abort").feed("start E1 scores=25000,25000,25000,25000 dora=8s")
    if events:
        table.feed(events)
    table.feed(f"abort {reason}")
    assert table.clauses == clauses
    assert table.hand.abort is AbortReason(reason)


MET = [
    (discards("4z 4z 4z 4z"), "four_winds", "four winds"),
    ("0 discards 4z; 1 discards 4z; 2 discards ?; 3 discards 4z", "four_winds", "four winds"),
    (f"{FOUR_RIICHI}; 3 stick", "four_riichi", "R66"),
    (FOUR_RIICHI, "four_riichi", "R66"),
    (FOUR_KANS, "four_kans", "four kans"),
    (THREE_RONS, "triple_ron", "D13"),
]


@pytest.mark.parametrize(("events", "reason", "clause"), MET)
def test_an_abort_is_no_question_where_the_rules_know_it_and_its_condition_is_met(
    events: str, reason: str, clause: str
) -> None:
    start = "start E1 scores=25000,25000,25000,25000 dora=8s"
    table = play("", triple_ron="abort").feed(start).feed(events).feed(f"abort {reason}")
    assert table.clauses == []
    unknown = {"triple_ron": "ron"} if reason == "triple_ron" else {reason: False}
    assert clause in dict(play("", **unknown).feed(start).feed(events).feed(f"abort {reason}").clauses)


def test_an_abort_called_where_nobody_watched_or_the_thread_was_lost_is_a_question_only_if_the_rules_have_none() -> (
    None
):
    unseen = "start E1 scores=25000,25000,25000,25000"
    for reason in ("four_winds", "four_kans", "nine_terminals by 2"):
        assert play("").feed(unseen).feed(f"abort {reason}").clauses == []
        without = play("", four_winds=False, four_kans=False, nine_terminals=False)
        assert without.feed(unseen).feed(f"abort {reason}").clauses
    assert play("0 discards 4z; 2 discards 4z; 3 discards 4z").feed("abort four_winds").clauses == []


def test_an_abort_by_nine_terminals_of_nobody_is_a_question_too() -> None:
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in (1, 2, 3, 4, 6, 7, 8, 9)]
    tiles = [kind for kind in kinds for _ in range(3)]
    table = play(discards(" ".join(tiles[:70]))).feed("abort nine_terminals")
    assert table.clauses == [("7-05-01", 1)]


def test_play_goes_on_after_an_abort_that_was_none() -> None:
    table = play("0 discards 4z; abort four_winds; 1 discards 1m")
    assert table.hand.phase is Phase.PLAY
    assert table.hand.abort is None


DEAD = f"{ROUND}; 0 riichi; 0 discards 5z sideways; 0 stick; 1 discards 1m; 0 foul 7-05-11 option=b"
"""Seat 0 is in riichi, and its hand is dead."""


def in_house(name: str, **settings: object) -> Table:
    """A first hand by a rulebook, with other settings of its penalties."""
    rules = rules_named(name).ruleset
    table = Table(rules.but(penalties=replace(rules.penalties, **settings)))  # type: ignore[arg-type]
    return table.feed("start E1 scores=30000,30000,30000,30000 dora=1z")


@pytest.mark.parametrize(("name", "missing"), [("wrc-2025", ("hand 0",)), ("ema-2025", ()), ("home", ())])
def test_wrc_12_3_5_a_dead_hand_in_riichi_is_asked_to_be_shown_at_the_draw(name: str, missing: tuple[str, ...]) -> None:
    table = in_house(name).feed(f"{DEAD}; draw; confirm")
    assert table.missing == missing


@pytest.mark.parametrize(("is_shown", "missing"), [(True, ("hand 0",)), (False, ())])
def test_whether_a_dead_hand_in_riichi_is_shown_is_the_houses_choice(is_shown: bool, missing: tuple[str, ...]) -> None:
    table = in_house("home", dead_riichi_shown=is_shown).feed(f"{DEAD}; draw; confirm")
    assert table.missing == missing


def test_wrc_12_3_5_a_dead_hand_in_riichi_is_shown_at_four_riichi_too() -> None:
    rules = rules_named("wrc-2025").ruleset.but(four_riichi=True)
    table = Table(rules).feed("start E1 scores=30000,30000,30000,30000 dora=8s").feed(f"{FOUR_RIICHI}; 3 stick")
    table.feed("0 foul 7-05-11 option=b; confirm")
    assert table.missing == ("hand 0", "hand 1", "hand 2", "hand 3")


def test_wrc_12_3_5_a_dead_hand_in_riichi_that_was_tenpai_pays_as_noten_and_is_no_noten_riichi() -> None:
    table = in_house("wrc-2025").feed(f"{DEAD}; draw; 1 tenpai; confirm").feed(f"0 shows {TANYAO}")
    assert table.clauses == []
    assert table.missing == ()
    assert settlement_of(table.feed("confirm")).tenpai == (1,)


def test_wrc_12_3_5_a_dead_hand_in_riichi_that_is_shown_noten_is_a_noten_riichi() -> None:
    table = in_house("wrc-2025").feed(f"{DEAD}; draw; confirm").feed("0 shows 1479m1479p1479s5z")
    assert table.clauses == [("7-05-07", 0)]
    table.feed("0 foul 7-05-07; confirm")
    assert settlement_of(table).reason is AbortReason.CHOMBO


def test_a_hand_that_is_dead_without_riichi_need_not_be_shown() -> None:
    table = in_house("wrc-2025").feed(f"{ROUND}; 0 foul 7-05-11 option=b; draw; confirm")
    assert not table.hand.is_live


@pytest.mark.parametrize("name", ["home", "ema-2025", "wrc-2025"])
def test_r27_noten_said_of_a_dead_hand_in_riichi_is_no_further_foul(name: str) -> None:
    assert in_house(name).feed(f"{DEAD}; draw").feed("0 noten").clauses == []


@pytest.mark.parametrize("reason", ABORTS)
def test_every_abort_has_a_switch_of_its_name_and_an_announcement(reason: AbortReason) -> None:
    assert reason.value in {field.name for field in fields(Ruleset)}
    assert AnnouncementId.of_abort(reason).value == f"{reason.value}_abort"
    assert rules_named("home").ruleset.has_abort(reason) is (reason is not AbortReason.TRIPLE_RON)


def test_a_draw_that_went_unseen_is_settled_only_once_somebody_says_who_was_tenpai() -> None:
    table = play("0 discards 5m; 1 discards 6m; unseen; draw; confirm; confirm")
    assert (table.missing, table.hand.is_live) == (("tenpai",), True)
    assert settlement_of(table.feed("2 tenpai; confirm")).deltas == (-1000, -1000, 3000, -1000)
    assert settlement_of(play("0 discards 5m; 1 discards 6m; unseen; seen; draw; confirm")).deltas == (0,) * 4


def test_noten_at_a_draw_that_went_unseen_is_said_of_the_own_hand_only() -> None:
    table = play("0 discards 5m; 1 discards 6m; unseen; draw; 0 noten; 1 noten; 3 noten; confirm; confirm")
    assert (table.missing, table.hand.is_live) == (("tenpai",), True)
    assert settlement_of(table.feed("2 noten; confirm")).deltas == (0,) * 4


def test_noten_said_by_all_but_the_seat_in_riichi_asks_for_no_more_statements() -> None:
    table = play("0 discards 5m sideways; 0 stick; 1 discards 6m; unseen; draw; 1 noten; 2 noten; 3 noten; confirm")
    assert table.missing == ("hand 0",)


def test_a_tenpai_told_after_the_hand_was_shown_noten_is_asked_about_too() -> None:
    table = at("draw; 1 shows 1479m1479p1479s5z").feed("1 tenpai")
    assert table.clauses == [("7-05-16", 1)]
    assert at("draw; 1 shows 1479m1479p1479s5z; 1 foul 7-05-16").feed("1 tenpai").clauses == []
    assert at("draw; 1 shows 234m567m34567p22s").feed("1 tenpai").clauses == []
    assert at("draw; 1 shows 1479m").feed("1 tenpai").clauses == []


@pytest.mark.parametrize(
    ("ended", "ends"),
    [
        ("abort nine_terminals by 1", "draw"),
        ("abort four_riichi", "draw"),
        ("draw", "abort nine_terminals by 1"),
        ("abort nine_terminals by 1", "abort nine_terminals by 2"),
    ],
)
def test_an_end_that_another_one_replaces_leaves_neither_its_proposal_nor_its_questions(ended: str, ends: str) -> None:
    before = "0 discards 9m; 1 discards 5z sideways; 1 stick; 2 discards 9p"
    table, never = play(f"{before}; {ended}; confirm; {ends}"), play(f"{before}; {ends}")
    assert (table.hand.proposal, table.hand.abort) == (None, never.hand.abort)
    assert set(table.missing) <= set(never.feed("confirm").missing)
