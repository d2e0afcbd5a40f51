"""What is told of a foul knows how far its hand has come."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.dashboard.foul_pages.foul_view import foreseen_view
from table.game.snapshot import Snapshot
from table.i18n import catalogue, languages
from table.i18n.foul_text import foul_sentences
from table.rules.events import FoulLogged
from table.rules.foul_preview import preview_foul
from table.rules.terms.seats import Seat
from tests.table.rules.fouls.fouled_hands import NOTEN, ROUND, TENPAI, at, four_riichi

FALSE = FoulLogged(seat=Seat.FAR, clause="7-05-01", facts=("offender_opened_hand",))
BOTH = f"{ROUND}; 0 discards 5p; 1 ron from 0; 1 shows {TENPAI}; 2 ron from 0; 2 shows {NOTEN}"
CHOMBO = [
    "West pays 8,000 in all.",
    "The hand is replayed: same dealer, same honba.",
    "Riichi sticks of this hand go back.",
]
UNDO = "If that result is not to count: undo the settlement first, then enter the foul."
EDIT = "If that result is not to count: edit that hand’s result."
FREE = "The settled result stands, and the foul costs nothing."


def foreseen_sentences(
    text: str, foul: FoulLogged, options: dict[str, str] | None = None, language: str = "en"
) -> list[str]:
    """What is foreseen on the page, which is what is told once the foul is logged."""
    table = at(text, options)
    snapshot = Snapshot(version=1, game=table.state, ruleset=table.ruleset)
    sentences: list[str] = foreseen_view(snapshot, foul, catalogue(language))["sentences"]
    return sentences


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("a", ["Only the valid ron counts; the chombo is ignored."]),
        ("b", ["Both the valid ron and the chombo count.", CHOMBO[0]]),
        ("c", ["Only the chombo counts; the valid ron is ignored.", *CHOMBO]),
        (
            "d",
            [
                "Head bump: only the first ron in turn order from the discarder counts, valid or false.",
                "Only the valid ron counts; the chombo is ignored.",
            ],
        ),
        ("referee", ["Only the valid ron counts; the chombo is ignored."]),
    ],
)
def test_beside_a_valid_ron_it_says_which_counts(option: str, expected: list[str]) -> None:
    assert foreseen_sentences(BOTH, FALSE, {"7-05-01-01": option}) == expected


@pytest.mark.parametrize(("option", "expected"), [("a", []), ("b", [CHOMBO[0]])])
def test_beside_a_valid_ron_nobody_asks_how_the_chombo_ends_the_hand(option: str, expected: list[str]) -> None:
    assert foreseen_sentences(BOTH, FALSE, {"7-05-01-01": option, "7-02": "referee"})[1:] == expected


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("option", "key"), [("a", "valid_only"), ("b", "both"), ("c", "foul_only"), ("d", "head_bump")]
)
def test_beside_a_valid_ron_every_language_says_which_counts(language: str, option: str, key: str) -> None:
    sentences = foreseen_sentences(BOTH, FALSE, {"7-05-01-01": option}, language)
    assert sentences[0] == catalogue(language).text(f"follows.beside_{key}")


def test_where_any_win_voids_a_chombo_it_says_so() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 1 ron from 0; 1 shows {TENPAI}")
    voids = replace(table.ruleset.penalties, win_voids_chombo=True)
    foul = FoulLogged(seat=Seat.FAR, clause="7-04-01", option="a")
    outlook = preview_foul(table.state, foul, table.ruleset.but(penalties=voids))
    assert list(foul_sentences(outlook, Seat.NEAR, catalogue("en"))) == ["A valid win counts; the chombo is ignored."]


DRAWN = "0 discards 9m; 1 discards 9p; 2 discards 9s sideways; 2 stick; draw"
FOUR = four_riichi()


@pytest.mark.parametrize(
    ("text", "clause", "expected"),
    [
        (DRAWN, "7-05-07", CHOMBO),
        (DRAWN, "7-05-06", CHOMBO),
        (DRAWN, "7-05-16", CHOMBO),
        (FOUR, "7-05-07", CHOMBO),
        (DRAWN, "7-05-11", ["West puts 1,000 in the pot."]),
        (DRAWN, "7-05-04", ["Put it right."]),
        ("0 discards 9m; 1 discards 9p; 2 discards 9s; abort nine_terminals by 0", "7-05-07", ["lapsed"]),
        (BOTH.partition("; 2 ron")[0], "7-07-02", ["The winner’s count stands."]),
        (BOTH.partition("; 2 ron")[0], "7-07-03", ["The players who did not win decide."]),
        ("1 foul 7-04-01 option=a", "7-05-11", ["West puts 1,000 in the pot."]),
    ],
)
def test_when_play_is_over_there_is_no_if_and_play_does_not_go_on(text: str, clause: str, expected: list[str]) -> None:
    lapsed = ["Nothing is paid for it, since the hand ends in another way."]
    facts = ("breaker_not_winner",) if clause.startswith("7-07") else ()
    sentences = foreseen_sentences(text, FoulLogged(seat=Seat.FAR, clause=clause, facts=facts))
    assert sentences == (lapsed if expected == ["lapsed"] else expected)


def test_during_play_it_depends_on_the_draw_and_play_goes_on() -> None:
    sentences = foreseen_sentences(DRAWN.removesuffix("; draw"), FoulLogged(seat=Seat.FAR, clause="7-05-07"))
    assert sentences == [f"If the hand is drawn: {' '.join(CHOMBO)}", "Play goes on."]


def test_a_second_chombo_at_the_draw_is_said_to_cost_nothing_beside_the_first() -> None:
    text = f"{DRAWN.removesuffix('; draw')}; 2 foul 7-05-07"
    sentences = foreseen_sentences(text, FoulLogged(seat=Seat.FAR, clause="7-05-06"))
    assert sentences[0].startswith("If the hand is drawn: West pays for a chombo only once")


@pytest.mark.parametrize(
    ("text", "clause", "option", "expected"),
    [
        ("draw; 2 tenpai; confirm", "7-05-16", "b", [FREE, UNDO]),
        ("draw; 1 tenpai; confirm", "7-05-16", "b", [FREE]),
        ("draw; 2 tenpai; confirm", "7-06-03", "a", [FREE, UNDO]),
        ("draw; 2 noten; confirm", "7-05-06", "c", [FREE, UNDO]),
        ("0 discards 2m; 1 discards 2p; 2 discards 9s; draw; confirm", "7-06-03", "a", [FREE, UNDO]),
        (
            "draw; 2 tenpai; confirm; start E2 scores=24000,24000,28000,24000 honba=1 dora=2z",
            "7-05-16",
            "b",
            [FREE, EDIT],
        ),
        (f"{BOTH.partition('; 2 ron')[0]}; confirm", "7-07-03", "c", [FREE, UNDO]),
    ],
)
def test_a_foul_that_would_have_changed_a_settled_result_says_how_it_can_still_be_changed(
    text: str, clause: str, option: str, expected: list[str]
) -> None:
    seat, facts = (Seat.RIGHT, ("breaker_is_winner",)) if clause == "7-07-03" else (Seat.FAR, ())
    foul = FoulLogged(seat=seat, clause=clause, option=option, facts=facts, hand=0)
    assert foreseen_sentences(text, foul) == expected


@pytest.mark.parametrize(
    ("discarder", "expected"),
    [
        (Seat.RIGHT, ["South pays 8,000 in all.", "West pays 8,000 in all."]),
        (Seat.NEAR, ["East pays 12,000 in all.", "West pays 8,000 in all."]),
    ],
)
def test_two_chombos_by_one_clause_are_told_as_the_clause_has_each(discarder: Seat, expected: list[str]) -> None:
    before = "0 discards 9p; " if discarder is Seat.RIGHT else ""
    discarded = f"{before}{int(discarder)} discards 3p; 2 ron from {int(discarder)}"
    assert foreseen_sentences(discarded, FoulLogged(seat=discarder, clause="7-08-02", option="c"))[:2] == expected
