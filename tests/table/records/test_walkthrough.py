from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table.i18n import catalogue
from table.records.foul_clauses import check_clause
from table.records.walkthrough import Walkthrough, end_line, event_line
from table.rulebook import all_clauses, rules_named
from table.rules.notation.event_notation import split_events
from table.rules.notation.notation_forms import EXAMPLE, FORMS
from tests.contracts import assert_keeps
from tests.table.rules.situations import START, TANYAO, ruling

HOME = rules_named("home").ruleset


def test_a_line_without_a_deal_is_the_first_hand_and_nobody_before_is_said_to_be_missing() -> None:
    found = ruling(EXAMPLE)
    assert found.errors == []
    assert found.suspicions == [("7-05-14", 3)]
    assert ("missing_discard", 1) not in found.announcements
    assert (found.end["round"], found.end["honba"], found.end["phase"]) == ("E1", 0, "play")


def test_events_are_told_as_they_are_written_and_remarks_are_not() -> None:
    found = ruling("  0 discards   5z   # first\n\n1 discards 1m ;# and\n 1 foul 7-05-14 note='a; b # c'")
    assert [line["event"] for line in found.events] == [
        "0 discards   5z",
        "1 discards 1m",
        "1 foul 7-05-14 note='a; b # c'",
    ]


def test_a_first_hand_starts_as_these_rules_deal_it() -> None:
    end = ruling("0 discards 1z", "ema-2025").end
    assert (end["scores"], end["round"], end["honba"], end["deposits"]) == ([30000] * 4, "E1", 0, 0)
    assert ruling("", "wrc-2025").end == {
        "scores": [30000] * 4,
        "deposits": 0,
        "round": "E1",
        "honba": 0,
        "phase": "play",
        "riichi": ["none"] * 4,
        "ippatsu": [False] * 4,
        "furiten": [None] * 4,
        "missing": [],
        "result": None,
    }


def test_a_seat_out_of_turn_is_asked_about_where_the_deal_was_told() -> None:
    assert ("missing_discard", 1) in ruling(f"{START}; 1 discards 9s").announcements
    assert ("missing_discard", 2) in ruling("0 discards 1m; 2 discards 9s").announcements
    assert ruling("2 tsumo han=3 fu=40; confirm").end["scores"] == [22400, 23700, 30200, 23700]


def test_a_foul_of_no_clause_is_an_error_that_changes_nothing() -> None:
    found = ruling("1 foul 7-05-99; 1 foul 7-05-11", may_fail=True)
    (error,) = found.errors
    assert error.startswith("expected a clause such as 7-05-01, an article such as 'EMA 6.3' or a requirement such as ")
    assert error.endswith("got '7-05-99' in '1 foul 7-05-99'; did you mean '7-05-09'?")
    assert found.announcements.count(("foul_logged", 1)) == 1


def test_a_foul_may_name_whatever_the_rules_ask_and_any_book_has() -> None:
    clauses = {key.removeprefix("irregular.") for key in catalogue("en").texts if key.startswith("irregular.")}
    for clause in (*(clauses - {"unnamed"}), *all_clauses(), "EMA 6.4.3", "four winds"):
        check_clause(clause, HOME.penalties, clause)


@pytest.mark.parametrize(
    "wrong", ["1 discards 9x", "strat E1", "1 pon 5z from 2 with 55z", "7 stick", "1 foul 7-05-14 note='open"]
)
def test_an_error_leaves_the_game_as_it_was_and_the_run_goes_on(wrong: str) -> None:
    right = ["0 discards 1z", "1 discards 2z sideways", "1 stick", "2 discards 3z"]
    expected = ruling("; ".join(right))
    for place in range(len(right) + 1):
        found = ruling("\n".join([*right[:place], wrong, *right[place:]]), may_fail=True)
        assert found.end == expected.end
        assert len(found.errors) == 1
        assert found.events[place] == {
            "event": wrong,
            "announcements": [],
            "suspicions": [],
            "error": found.errors[0],
        }


def test_a_deal_after_a_line_that_cannot_be_read_is_the_first_one() -> None:
    found = ruling("strat S2; start S2 scores=1000,29000,40000,30000 deposits=0 honba=3", may_fail=True)
    assert found.announcements == [("hand_started", 1)]
    assert (found.end["round"], found.end["honba"], found.end["scores"][0]) == ("S2", 3, 1000)


def test_a_riichi_is_declared_then_accepted_or_void() -> None:
    declaration = "0 discards 1z sideways"
    assert ruling(declaration).end["riichi"] == ["declared", "none", "none", "none"]
    accepted = ruling(f"{declaration}; 0 stick").end
    assert (accepted["riichi"][0], accepted["ippatsu"]) == ("accepted", [True, False, False, False])
    assert (accepted["deposits"], accepted["scores"]) == (1, [24000, 25000, 25000, 25000])
    ronned = ruling(f"{declaration}; 1 ron from 0").end
    assert (ronned["riichi"][0], ronned["phase"]) == ("void", "claimed")


def test_missing_names_what_a_confirmation_would_ask_for() -> None:
    won = f"{START}; 0 discards 1z sideways; 1 discards 5p; 0 ron from 1"
    assert ruling(won).end["missing"] == ["stick 0", "ura 0", "hand 0"]
    assert ruling(f"{won}; 0 stick; 0 shows {TANYAO} with 5p").end["missing"] == ["ura 0"]
    assert ruling("0 discards 1z sideways; 0 stick; draw").end["missing"] == ["hand 0"]
    assert ruling(f"0 discards 5p; 1 ron from 0; 1 shows {TANYAO}").end["missing"] == ["dora"]


def test_a_settled_hand_keeps_its_result_and_stands_at_the_next() -> None:
    won = f"{START}; 0 discards 5p; 1 ron from 0; 1 shows {TANYAO} with 5p; confirm"
    found = ruling(won).end
    assert (found["phase"], found["round"], found["scores"]) == ("settled", "E2", [23000, 27000, 25000, 25000])
    result = {
        "kind": "ron",
        "deltas": [-2000, 2000, 0, 0],
        "wins": [{"seat": 1, "from": 0, "han": 2, "fu": 30, "points": 2000, "yaku": [["pinfu", 1], ["tanyao", 1]]}],
    }
    assert found["result"] == result
    following = ruling(f"{won}; start E2 scores=23000,27000,25000,25000; 1 discards 1z").end
    assert (following["phase"], following["round"], following["result"]) == ("play", "E2", result)


def test_a_yakuman_has_neither_han_nor_fu_and_nagashi_is_a_draw() -> None:
    orphans = ruling(f"{START}; 0 discards 1m; 1 ron from 0; 1 shows 19m19p19s1234567z; confirm").end["result"]
    assert orphans["wins"][0] | {"yaku": None} == {
        "seat": 1,
        "from": 0,
        "han": None,
        "fu": None,
        "points": 32000,
        "yaku": None,
    }
    result = ruling("told draw nagashi=2").end["result"]
    assert (result["kind"], result["wins"]) == ("draw", [])
    assert ruling("told abort reason=nine_terminals").end["result"]["kind"] == "abort"


def test_furiten_is_the_longest_lasting_that_a_told_wait_shows() -> None:
    assert ruling("0 waits 36m").end["furiten"] == [None] * 4
    assert ruling("0 discards 3m drawn; 0 waits 36m").end["furiten"][0] == "discard"
    passed = "0 discards 9p; 0 waits 36m; 1 discards 6m; 2 discards 1z"
    assert ruling(passed).end["furiten"][0] == "temporary"
    assert ruling(f"{passed}; 3 discards 2z; 0 discards 3z drawn").end["furiten"][0] is None
    in_riichi = "0 discards 3m sideways; 0 stick; 0 waits 36m; 1 discards 6m; 2 discards 1z"
    assert ruling(in_riichi).end["furiten"][0] == "riichi"


def test_a_hand_shown_at_a_win_or_a_draw_tells_its_furiten_too() -> None:
    won = f"0 discards 5p; 1 discards 8p; 2 discards 1z; 3 discards 2p; 1 ron from 3; 1 shows {TANYAO} with 2p"
    found = ruling(won)
    assert found.end["furiten"] == [None, "discard", None, None]
    assert ("7-05-01", 1) in found.suspicions
    assert ruling(f"0 discards 5p; draw; 0 shows {TANYAO}; 1 noten").end["furiten"][0] == "discard"
    won = f"{START}; 0 discards 1z; 1 discards 2z; 2 discards 2p; 1 ron from 2; 1 shows {TANYAO} with 2p; confirm"
    end = ruling(won).end
    assert (end["phase"], end["furiten"]) == ("settled", [None] * 4)


def test_a_game_that_people_end_leaves_no_hand_in_play() -> None:
    end = ruling("start S1 scores=20000,30000,25000,25000 honba=1; 0 discards 1z sideways; 0 stick; end-game").end
    assert (end["phase"], end["round"], end["honba"], end["riichi"]) == ("settled", "S1", 1, ["none"] * 4)
    assert end["scores"] == [20000, 30000, 25000, 25000]
    after = ruling("end-game; 0 discards 1z sideways; 0 waits 36m", may_fail=True)
    assert after.errors == [
        "expected a hand in play, got none for '0 discards 1z sideways'",
        "expected a hand in play, got none for '0 waits'",  # what is private stays so
    ]


EVENTS = st.lists(st.one_of(st.sampled_from([form.example for form in FORMS]), st.text(max_size=20)), max_size=25)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=150)
@given(texts=EVENTS)
def test_whatever_is_written_every_line_keeps_the_contract(texts: list[str]) -> None:
    walk = Walkthrough(HOME)
    for text in split_events("\n".join(texts)):
        before = walk.state
        followed = walk.follow(text)
        assert_keeps("rules_play", event_line(followed))
        assert followed.error is None or walk.state is before
    assert_keeps("rules_play", end_line(walk.end(), HOME))
