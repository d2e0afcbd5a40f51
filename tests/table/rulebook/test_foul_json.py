from __future__ import annotations

import pytest

from table.rulebook import rules_named
from table.rulebook.foul_json import consequence_line, foul_line
from table.rules.advance import new_game
from table.rules.events import FoulLogged
from table.rules.fouls.foul_log import foreseen
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Seat
from tests.contracts import assert_keeps
from tests.table.rules.situations import START, Table

RULES = rules_named("home").play


def table(text: str) -> Table:
    """A hand under the home penalties in which this happened."""
    return Table(RULES).feed(START).feed(text)


def test_a_logged_foul_keeps_the_contract() -> None:
    at = table("1 foul 7-05-01 note='said ron' facts='not offender_opened_hand'; cancel-foul 0 reason='it was valid'")
    line = foul_line(at.hand.fouls[0], RULES.penalties)
    assert_keeps("suspicion", line)
    assert (line["chosen"], line["cancelled"], line["reason"]) == ("b", True, "it was valid")
    assert line["evidence"] == ["said ron", "not offender_opened_hand"]
    assert line["options"] == list("abcdefghijklm")


def test_an_article_that_the_house_has_not_is_told_without_options() -> None:
    line = foul_line(table("1 foul 'EMA 6.6'").hand.fouls[0], RULES.penalties)
    assert_keeps("suspicion", line)
    assert (line["options"], line["chosen"], line["consequence"]["questions"]) == ([], None, ["EMA 6.6"])


def test_what_would_follow_is_said_in_points_before_anybody_confirms() -> None:
    at = table("0 discards 9m")
    event = FoulLogged(seat=Seat.RIGHT, clause="7-05-01", facts=("offender_opened_hand",))
    line = consequence_line(foreseen(at.state, event, RULES))
    assert line["now"] == {
        "points": [4000, -8000, 2000, 2000],
        "pot": 0,
        "outside": 0,
        "ends": "chombo",
        "dealer_passes": False,
        "returns": "riichi",
        "dues": [],
    }
    assert (line["at_draw"], line["sanctions"], at.hand.fouls) == (None, [], ())


def test_bans_and_dues_are_told_with_their_seat() -> None:
    at = table("")
    dead = consequence_line(foreseen(at.state, FoulLogged(seat=Seat.FAR, clause="7-04-01"), RULES))
    assert dead["sanctions"] == [{"seat": 2, "do": "dead_hand"}]
    rules = rules_named("ema-2025").play
    chombo = consequence_line(foreseen(at.state, FoulLogged(seat=Seat.FAR, clause="EMA 6.7.3"), rules))
    assert chombo["now"]["dues"] == [{"seat": 2, "do": "after_uma", "amount": 20000}]


def test_nothing_can_be_foreseen_before_the_first_hand() -> None:
    with pytest.raises(ImpossibleEventError, match="expected a hand, got none"):
        foreseen(new_game(RULES), FoulLogged(seat=Seat.FAR, clause="7-04-01"), RULES)
