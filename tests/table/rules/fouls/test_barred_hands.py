"""What a hand may no longer do after a foul: a dead hand, a bar from wins or calls, or a win that it must take."""

from __future__ import annotations

import pytest

from table.rules.state import Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Seat
from tests.table.rules.fouls.fouled_hands import (
    NOTEN,
    RIICHI,
    ROUND,
    TENPAI,
    at,
)
from tests.table.rules.situations import discards, settlement_of


def test_a_dead_hand_may_not_win_and_its_claim_is_asked_about() -> None:
    table = at(f"{ROUND}; 2 foul 7-04-01; 0 discards 5p").feed("2 ron")
    assert table.clauses == [("7-09-01", 2)]
    assert table.hand.phase is Phase.PLAY
    assert table.hand.claims == ()


def test_logging_a_foul_that_kills_a_hand_says_so() -> None:
    table = at("2 foul 7-04-01")
    assert [(announcement.id, announcement.seat) for announcement in table.announcements] == [
        (AnnouncementId.FOUL_LOGGED, Seat.FAR),
        (AnnouncementId.DEAD_HAND, Seat.FAR),
    ]
    assert table.announcements[0].args == {"clause": "7-04-01", "foul": 0, "option": "f", "questions": []}


@pytest.mark.parametrize(("option", "is_asked"), [("a", True), ("b", True), ("c", False)])
def test_a_call_with_a_dead_hand_is_asked_about_unless_allowed(option: str, is_asked: bool) -> None:
    table = at("1 foul 7-04-01; 0 discards 5p", {"7-09-02": option}).feed("1 chi 5p from 0 with 46p")
    assert (("7-09-02", 1) in table.clauses) is is_asked


@pytest.mark.parametrize(("option", "is_asked"), [("a", True), ("b", True), ("c", False)])
def test_riichi_with_a_dead_hand_is_asked_about_unless_allowed(option: str, is_asked: bool) -> None:
    table = at("0 foul 7-04-01", {"7-09-03": option}).feed("0 discards 5p sideways")
    assert (("7-09-03", 0) in table.clauses) is is_asked


@pytest.mark.parametrize(("option", "is_asked"), [("a", False), ("b", True), ("c", True)])
@pytest.mark.parametrize("origin", ["hand", "drawn", ""])
def test_a_hand_discard_with_a_dead_hand_is_asked_about_where_only_drawn_tiles_may_go(
    option: str, is_asked: bool, origin: str
) -> None:
    table = at("0 foul 7-04-01", {"7-09-04": option}).feed(f"0 discards 5p {origin}")
    assert (("7-09-04", 0) in table.clauses) is (is_asked and origin == "hand")
    other = at("3 foul 7-04-01", {"7-09-04": option}).feed(f"0 discards 5p {origin}")
    assert other.clauses == [], "the dead hand is another seat's"


@pytest.mark.parametrize(("option", "deltas"), [("a", (3000, -1000, -1000, -1000)), ("b", (1500, -1500, 1500, -1500))])
def test_a_dead_hand_at_a_draw_counts_by_7_09_05(option: str, deltas: tuple[int, ...]) -> None:
    table = at(f"2 foul 7-04-01; draw; 0 shows {TENPAI}; 2 shows 234m567m34567s22p; confirm", {"7-09-05": option})
    assert settlement_of(table).deltas == deltas


def test_a_noten_dead_hand_is_noten_either_way() -> None:
    table = at(f"2 foul 7-04-01; draw; 0 shows {TENPAI}; confirm", {"7-09-05": "b"})
    assert settlement_of(table).tenpai == (Seat.NEAR,)


@pytest.mark.parametrize(("option", "points"), [("a", 0), ("b", 12000)])
def test_nagashi_mangan_with_a_dead_hand_counts_by_7_09_06(option: str, points: int) -> None:
    river = discards("9m 2m 2p 2s 1z 3m 3p 3s")
    table = at(f"{river}; 0 foul 7-04-01; draw; confirm", {"7-09-06": option})
    assert settlement_of(table).deltas[0] == points


@pytest.mark.parametrize(
    ("chosen", "entered", "points"),
    [("a", "b", 12000), ("b", "a", 0), ("a", "a", 0), ("b", "b", 12000)],
)
def test_7_09_06_entered_with_an_option_decides_about_this_nagashi_mangan(
    chosen: str, entered: str, points: int
) -> None:
    river = discards("9m 2m 2p 2s 1z 3m 3p 3s")
    entry = f"0 foul 7-04-01; 0 foul 7-09-06 option={entered}"
    table = at(f"{river}; {entry}; draw; confirm", {"7-09-06": chosen})
    assert settlement_of(table).deltas[0] == points
    table = at(f"{river}; {entry}; cancel-foul 1 reason=misread; draw; confirm", {"7-09-06": chosen})
    assert settlement_of(table).deltas[0] == (0 if chosen == "a" else 12000)


def test_7_09_06_entered_for_one_seat_says_nothing_about_another() -> None:
    table = at(f"{discards('9m 2m 2p 2s')}; 0 foul 7-04-01; 1 foul 7-09-06 option=b; draw; confirm")
    assert settlement_of(table).deltas == (0, 0, 0, 0)


def test_a_dead_hand_in_riichi_is_not_asked_to_show_at_a_draw_pays_noten_and_leaves_its_stick() -> None:
    table = at(f"{RIICHI}; 0 foul 7-06-05; draw; 1 tenpai; confirm")
    assert settlement_of(table).deltas == (-2000, 3000, -1000, -1000)
    assert (settlement_of(table).deposits, settlement_of(table).tenpai) == (1, (Seat.RIGHT,))


def test_a_hand_that_is_not_dead_must_show_its_riichi_at_a_draw() -> None:
    table = at(f"{ROUND}; 0 discards 5z sideways; 1 discards 2m; 0 stick; draw; confirm")
    assert table.missing == ("hand 0",)


@pytest.mark.parametrize("option", ["7-04-02=h", "7-05-01=c", "7-04-01=g"])
def test_who_may_not_win_by_ron(option: str) -> None:
    """7-04-01 g leaves the number of tiles wrong, with which no hand wins."""
    clause, letter = option.split("=")
    table = at(f"{ROUND}; 2 foul {clause}; 0 discards 5p", {clause: letter}).feed("2 ron han=1 fu=30")
    assert (table.hand.claims, table.clauses) == ((), [("7-05-01", 2)])


@pytest.mark.parametrize(("option", "counts"), [("7-04-02=h", False), ("7-05-01=c", True), ("7-04-01=g", False)])
def test_who_may_not_win_by_tsumo(option: str, counts: bool) -> None:
    clause, letter = option.split("=")
    table = at(f"0 foul {clause}", {clause: letter}).feed("0 tsumo han=1 fu=30")
    assert bool(table.hand.claims) is counts


def test_no_win_leaves_calls_riichi_and_the_draw_free() -> None:
    """7-09 speaks of dead hands only."""
    table = at("1 foul 7-05-07; 0 discards 5p", {"7-05-07": "c"}).feed("1 chi 5p from 0 with 46p; 1 discards 9s")
    assert table.clauses == []
    assert settlement_of(table.feed("draw; 1 tenpai; confirm")).tenpai == (Seat.RIGHT,)


def test_an_early_draw_bars_from_calls_and_rons_until_the_own_regular_draw() -> None:
    table = at("0 discards 9m; 2 foul 7-05-10").feed("2 ron han=1 fu=30")
    assert (table.clauses, table.hand.claims) == ([("7-05-10", 2)], ())
    table.feed("1 discards 5p").feed("2 chi 5p from 1 with 46p")
    assert ("7-05-10", 2) in table.clauses


def test_after_the_own_regular_draw_the_bar_is_lifted() -> None:
    table = at("0 discards 9m; 2 foul 7-05-10; 1 discards 9p; 2 discards 9s; 3 discards 5p").feed("2 ron han=1 fu=30")
    assert len(table.hand.claims) == 1


def test_a_second_early_draw_bars_again() -> None:
    early = "0 discards 9m; 2 foul 7-05-10; 1 discards 9p; 2 discards 9s; 3 discards 1z; 0 discards 5p; 2 foul 7-05-10"
    assert at(early).feed("2 ron han=1 fu=30").clauses == [("7-05-10", 2)]
    assert at(f"{early}; 1 discards 9p; 2 discards 9s; 3 discards 5p").feed("2 ron han=1 fu=30").clauses == []


def test_an_early_draw_bars_a_told_ron_as_far_as_the_discards_are_known() -> None:
    result = "told ron win0=2:0:2:30:0::"
    with pytest.raises(ImpossibleEventError, match="before the seat's next regular draw"):
        at(f"0 discards 5p; 2 foul 7-05-10; {result}")
    for text in (f"2 foul 7-05-10; {result}", f"0 discards 5p; 2 foul 7-05-10; unseen; {result}"):
        assert settlement_of(at(text)).deltas == (-2000, 0, 2000, 0)


@pytest.mark.parametrize(("option", "tenpai"), [("b", ()), ("c", (0,))])
def test_an_illegal_kan_in_riichi_counts_as_noten_or_tenpai_at_the_draw(option: str, tenpai: tuple[int, ...]) -> None:
    riichi = f"{ROUND}; 0 discards 5z sideways; 1 discards 2m; 0 stick"
    table = at(f"{riichi}; 0 foul 7-05-06; draw; 0 shows {NOTEN}; confirm", {"7-05-06": option, "7-05-07": "c"})
    assert tuple(map(int, settlement_of(table).tenpai)) == tenpai


def test_a_short_hand_in_riichi_counts_as_noten() -> None:
    table = at("0 foul 7-04-02", {"7-04-02": "h"}).feed("0 discards 5z sideways")
    assert ("7-05-07", 0) in table.clauses
    table.feed(f"0 stick; draw; 0 shows {TENPAI}; confirm")
    assert table.missing == ("ruling 0",), "its chombo is asked for once"
    table.feed("confirm")
    assert settlement_of(table).tenpai == ()


def test_a_suspicion_carries_the_options_of_its_clause() -> None:
    table = at("1 foul 7-04-01; 0 discards 5p").feed("1 ron")
    assert [(suspicion.clause, suspicion.options) for suspicion in table.suspicions] == [("7-09-01", ("a", "b"))]


def test_a_meld_is_asked_about_where_each_drawn_tile_has_to_go() -> None:
    table = at("1 foul 7-04-01; 0 discards 5p", {"7-04-01": "g"}).feed("1 chi 5p from 0 with 46p")
    assert ("7-09-02", 1) in table.clauses


def test_a_hand_discard_is_known_from_where_the_tile_came() -> None:
    for origin, dead in (("hand", True), ("drawn", False)):
        table = at(f"0 discards 9m {origin}; 0 foul 7-09-04", {"7-09-04": "b"})
        assert (table.hand.fouls[0].consequence.now.ending is not None) is dead


@pytest.mark.parametrize("act", ["1 discards 2m", "pass", "1 chi 5p from 0 with 46p"])
def test_who_has_to_win_and_lets_a_tile_of_the_told_wait_pass_is_asked_about(act: str) -> None:
    table = at("2 waits 258p; 2 foul 7-06-05; 0 discards 5p", {"7-06-05": "c"}).feed(act)
    assert ("7-06-05", 2) in table.clauses
    other = at("2 waits 258p; 2 foul 7-06-05; 0 discards 6p", {"7-06-05": "c"}).feed(act.replace("5p", "6p"))
    assert ("7-06-05", 2) not in other.clauses


def test_an_early_draw_in_riichi_forces_a_ron_only_until_the_own_draw() -> None:
    """Seat 0 is in riichi for 2p 5p 8p and touched its tile early."""
    events = f"{RIICHI}; 0 discards 1s; 0 waits 258p; 0 foul 7-05-10"
    assert ("7-05-10", 0) in at(f"{events}; 1 discards 5p").feed("2 discards 1p").clauses
    after = f"{events}; 1 discards 1p; 2 discards 1p; 3 discards 1p; 0 discards 9m; 1 discards 5p"
    assert at(after).feed("2 discards 3z").clauses == []


@pytest.mark.parametrize(
    ("option", "act", "is_asked"),
    [("b", "1 chi 5p from 0 with 46p", True), ("c", "1 chi 5p from 0 with 46p", False), ("c", "1 closed 9999s", True)],
)
def test_where_each_drawn_tile_has_to_go_calls_are_allowed_by_7_09_02_c_but_no_closed_kan(
    option: str, act: str, is_asked: bool
) -> None:
    table = at("1 foul 7-04-01; 0 discards 5p", {"7-04-01": "g", "7-09-02": option}).feed(act)
    assert (("7-09-02", 1) in table.clauses) is is_asked


@pytest.mark.parametrize("choices", [{"7-04-01": "g"}, {"7-09-04": "b"}, {"7-09-04": "c"}])
def test_after_an_allowed_call_the_discard_comes_from_the_hand(choices: dict[str, str]) -> None:
    table = at("1 foul 7-04-01; 0 discards 5p; 1 chi 5p from 0 with 46p", {"7-09-02": "c", **choices})
    assert table.feed("1 discards 9s hand").clauses == []
    table.feed("2 discards 9p; 3 discards 9p; 0 discards 9p")
    assert table.feed("1 discards 9p hand").clauses == [("7-09-04", 1)]
