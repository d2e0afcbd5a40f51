"""Fouls of a hand in riichi: one without a stick, one that has to win, and what its rules do not allow."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from table.i18n import announcement_sentence, catalogue, languages
from table.rulebook import SHIPPED, rules_named
from table.rules.foul_totals import is_dead
from table.rules.state import Ippatsu, Phase, RiichiStage
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import Seat
from tests.table.rules.fouls.fouled_hands import RIICHI, ROUND, TENPAI, at
from tests.table.rules.situations import START, Table, discards, settlement_of

# Riichi without a stick (7-05-13), or taken back (7-05-12)

SHORT = START.replace("25000,25000,25000,25000", "30000,900,35000,34100")
RIICHI_TILE = "0 discards 9m; 1 discards 9p sideways"
HOUSE_OPTIONS = {"7-02": "a", "7-03": "a"}
"""After a chombo the deal stays and the sticks are carried over."""


@pytest.mark.parametrize("option", ["a", "b", "c", "d", "e"])
@pytest.mark.parametrize("passed", ["", "; 2 discards 9s", "; 2 discards 9s; 3 discards 1z; 0 discards 2z"])
def test_a_riichi_without_a_stick_never_stands(option: str, passed: str) -> None:
    table = at(f"{RIICHI_TILE}{passed}; 1 foul 7-05-13 option={option}", HOUSE_OPTIONS, start=SHORT)
    assert table.hand.riichi[1].stage is RiichiStage.NONE
    pot = 1000 if option == "c" else 0
    assert (table.state.scores[1], table.state.deposits, table.state.deposit_points) == (900 - pot, 0, pot)
    for _ in range(3):
        if table.hand.is_live:
            table.feed("confirm" if option in "ad" else "draw; 0 noten; confirm")
    deposits = 0 if table.state.is_over and option == "c" else pot
    assert (table.state.deposits, table.state.deposit_points) == (0, deposits)
    assert table.state.history[-1].riichi == ()
    assert sum(table.state.scores) + table.state.deposit_points == 100000


@pytest.mark.parametrize("option", ["a", "b", "c", "d", "e"])
def test_a_cancelled_foul_of_a_riichi_without_a_stick_lets_it_stand_again(option: str) -> None:
    table = at(f"{RIICHI_TILE}; 2 discards 9s; 1 foul 7-05-13 option={option}; cancel-foul 0 reason=lent", start=SHORT)
    assert table.hand.riichi[1].is_accepted
    assert (table.state.scores[1], table.state.deposits) == (-100, 1)


@pytest.mark.parametrize("option", ["a", "b", "c", "d", "e", "f"])
@pytest.mark.parametrize("stick", ["", "; 1 stick", "; 1 stick; 1 stick-back"])
@pytest.mark.parametrize("passed", ["", "; 2 discards 9s"])
def test_a_riichi_that_was_wrongly_said_or_taken_back_stands_under_no_option(
    option: str, stick: str, passed: str
) -> None:
    table = at(f"{RIICHI_TILE}{stick}{passed}; 1 foul 7-05-12 option={option}", {**HOUSE_OPTIONS, "7-01": "g"})
    assert table.hand.riichi[1].stage is RiichiStage.NONE
    points = {"a": 0, "b": 9000, "c": 0, "d": 0, "e": 1000, "f": 0}[option]
    assert (table.state.scores[1], table.state.deposits) == (25000 - points, 0)
    table.feed("confirm" if option == "a" else "draw; confirm")
    assert (table.state.deposits, table.missing) == (0, ())


def test_a_deposit_for_a_riichi_taken_back_is_paid_once_and_the_hand_is_free_again() -> None:
    table = at(f"{RIICHI_TILE}; 1 stick; 1 stick-back; 1 foul 7-05-12; 2 discards 9s; 3 discards 1z; 0 discards 2z")
    assert (table.state.scores, table.state.deposit_points) == ((25000, 24000, 25000, 25000), 1000)
    assert table.feed("1 discards 3m hand").clauses == []


def test_left_to_the_referee_such_a_riichi_is_not_touched() -> None:
    for clause in ("7-05-12", "7-05-13"):
        table = at(f"{RIICHI_TILE}; 2 discards 9s; 1 foul {clause}", {clause: "referee"})
        assert table.hand.riichi[1].is_accepted


# A riichi that counts as noten riichi (7-04-02 h)

COUNTS = f"{ROUND}; 1 foul 7-04-02 option=h; 0 discards 5z; 1 discards 2m sideways; 1 stick; 2 discards 2p"


@pytest.mark.parametrize("statement", ["1 tenpai", "1 noten", f"1 shows {TENPAI}", "1 shows 234m567m34567p2s"])
def test_a_riichi_that_counts_as_noten_riichi_is_asked_about_again_at_the_draw(statement: str) -> None:
    table = at(f"{COUNTS}; draw").feed(statement)
    assert (table.clauses, ("noten_riichi", 1) in table.sayings) == ([("7-05-07", 1)], True)
    table.feed("1 foul 7-05-07; confirm")
    assert (settlement_of(table).reason, table.state.scores) == (AbortReason.CHOMBO, (29000, 17000, 27000, 27000))


def test_a_draw_waits_once_for_the_noten_riichi_as_which_a_riichi_counts() -> None:
    table = at(f"{COUNTS}; draw; 1 shows {TENPAI}; confirm")
    assert table.missing == ("ruling 1",)
    assert settlement_of(table.feed("confirm")).tenpai == ()
    entered = at(f"{COUNTS}; draw; 1 shows {TENPAI}; confirm; 1 foul 7-05-07; confirm")
    assert settlement_of(entered).reason is AbortReason.CHOMBO
    assert settlement_of(at(f"{COUNTS}; abort four_kans; confirm")).reason is AbortReason.FOUR_KANS


def test_a_riichi_that_counts_as_noten_riichi_is_asked_about_until_that_is_entered_or_costs_nothing() -> None:
    before_riichi, hand = COUNTS.rsplit("; 1 stick", 1)[0], f"1 shows {TENPAI}"
    assert at(before_riichi.rsplit("; ", 1)[0]).feed("1 discards 2m sideways").clauses == [("7-05-07", 1)]
    assert at(f"{COUNTS}; 1 foul 7-05-07; draw").feed(hand).clauses == []
    assert at(f"{COUNTS}; draw", {"7-05-07": "c"}).feed(hand).clauses == []
    assert at(f"{ROUND}; 1 foul 7-04-02 option=h; draw").feed(hand).clauses == []


# Who has to win (7-06-05 c)

MUST = f"{RIICHI}; 0 waits 258p; 0 foul 7-06-05"


@pytest.mark.parametrize(
    ("act", "is_asked"),
    [
        ("0 discards 5p", True),
        ("0 discards 8p drawn", True),
        ("0 discards 3m", False),
        ("0 discards 5p hand", False),
        ("0 closed 5550p", True),
        ("0 closed 6666s", False),
        ("pass; 0 discards 5p", True),
    ],
)
def test_who_has_to_win_and_does_not_with_its_own_drawn_tile_is_asked_about(act: str, is_asked: bool) -> None:
    table = at(MUST, {"7-06-05": "c"}).feed(act)
    assert (("7-06-05", 0) in table.clauses) is is_asked


def test_who_wins_with_the_drawn_tile_or_has_told_no_wait_is_not_asked_about() -> None:
    assert at(f"{MUST}; 0 tsumo; 0 shows {TENPAI} with 5p", {"7-06-05": "c"}).clauses == []
    assert at(MUST.replace("0 waits 258p; ", ""), {"7-06-05": "c"}).feed("0 discards 5p").clauses == []


def test_only_who_has_to_win_is_asked_about_the_own_drawn_tile() -> None:
    for option in ("b", "c"):
        other = at(f"{RIICHI}; 0 waits 258p; 2 foul 7-06-05", {"7-06-05": option}).feed("0 discards 5p")
        assert ("7-06-05", 0) not in other.clauses


def test_an_early_draw_forces_no_tsumo() -> None:
    """7-05-10 d speaks of the others' discards before the own draw."""
    table = at(f"{RIICHI}; 0 waits 258p; 0 foul 7-05-10").feed("0 discards 5p")
    assert table.clauses == []


def shown_by_who_has_to_win(clause: str, played: str, end: str = "draw") -> list[tuple[str, int]]:
    """The questions when seat 0, in riichi for 2p 5p 8p that it did not tell, shows its hand after a foul and play."""
    table = at(f"{RIICHI}; 0 discards 1s; 0 foul {clause}; {played}; {end}", {"7-06-05": "c"})
    return [asked for asked in table.feed(f"0 shows {TENPAI}" + " with 8p" * ("tsumo" in end)).clauses if asked[1] == 0]


GO_ROUND = "1 discards 1p; 2 discards 3z; 3 discards 1p"


@pytest.mark.parametrize(
    ("clause", "played", "is_asked"),
    [
        ("7-05-10", "1 discards 5p; 2 discards 3z; 3 discards 1p", True),
        ("7-05-10", "1 discards 5p; 2 pon 5p from 1 with 50p; 2 discards 3z; 3 discards 1p", True),
        ("7-05-10", f"{GO_ROUND}; 0 discards 9m; 1 discards 5p", False),
        ("7-05-10", f"{GO_ROUND}; 0 discards 8p drawn", False),
        ("7-05-10", GO_ROUND, False),
        ("7-05-10", "unseen; 1 discards 5p; 2 discards 3z; 3 discards 1p", False),
        ("7-05-10", "1 discards 5p; 2 discards 3z; 3 discards 1p; 0 foul R01 option=c", False),
        ("7-06-05", f"{GO_ROUND}; 0 discards 9m; 1 discards 5p", True),
        ("7-06-05", f"{GO_ROUND}; 0 discards 8p", True),
        ("7-06-05", f"{GO_ROUND}; 0 discards 8p hand", False),
        ("7-06-05", "1 closed 8888p; dora 9s; 1 discards 1p", False),
        ("7-06-05", GO_ROUND, False),
    ],
)
def test_who_had_to_win_and_told_no_wait_is_asked_about_when_its_hand_is_shown(
    clause: str, played: str, is_asked: bool
) -> None:
    assert ((clause, 0) in shown_by_who_has_to_win(clause, played)) is is_asked


def test_who_had_to_win_earlier_is_asked_about_at_its_tsumo_and_at_four_riichi() -> None:
    passed = "1 discards 5p; 2 discards 3z; 3 discards 1p"
    assert shown_by_who_has_to_win("7-06-05", passed, "0 tsumo") == [("7-06-05", 0)]
    assert shown_by_who_has_to_win("7-06-05", GO_ROUND, "0 tsumo") == []
    assert shown_by_who_has_to_win("7-06-05", passed, "abort four_riichi") == [("7-06-05", 0)]


def test_tiles_before_the_foul_or_before_riichi_did_not_have_to_be_won_on() -> None:
    before_foul = f"{RIICHI}; 0 discards 1s; 1 discards 5p; 2 discards 3z; 0 foul 7-06-05; 3 discards 1p"
    before_riichi = "0 foul 7-06-05; 0 discards 9m; 1 discards 5p; 2 discards 9s; 3 discards 1z; 0 discards 5z sideways"
    without_riichi = "0 foul 7-06-05; 0 discards 9m; 1 discards 5p; 2 discards 9s"
    for events in (before_foul, f"{before_riichi}; 0 stick; 1 discards 1p", without_riichi):
        assert at(f"{events}; draw", {"7-06-05": "c"}).feed(f"0 shows {TENPAI}").clauses == []


def test_who_told_its_wait_was_asked_during_play_and_who_sees_another_win_shows_no_hand() -> None:
    table = at(f"{MUST}; 0 discards 1s; 1 discards 5p", {"7-06-05": "c"}).feed("2 discards 3z")
    assert ("7-06-05", 0) in table.clauses
    assert table.feed("draw").feed(f"0 shows {TENPAI}").clauses == []
    other = at(f"{RIICHI}; 0 discards 1s; 0 foul 7-06-05; 1 discards 5p; 2 ron", {"7-06-05": "c"})
    assert other.feed(f"0 shows {TENPAI}").clauses == []


def test_of_a_hand_with_an_unread_tile_nobody_knows_whether_it_had_to_win() -> None:
    table = at(f"{RIICHI}; 0 discards 1s; 0 foul 7-06-05; 1 discards 5p; 2 discards 3z; draw", {"7-06-05": "c"})
    assert table.feed(f"0 shows {TENPAI.replace('22s', '2s?')}").clauses == []


def test_a_dealer_without_riichi_who_has_to_win_is_asked_about_its_own_draw_too() -> None:
    table = at(f"{ROUND}; 0 waits 258p; 0 foul 7-06-05", {"7-06-05": "c"}).feed("0 discards 5p drawn")
    assert ("7-06-05", 0) in table.clauses


# An illegal closed kan at the offender's own win (D4: by way of 7-05-01)

KAN_RIICHI = discards("9m 9p 9s 4z") + "; 0 discards 5z sideways; 0 stick; 1 discards 6z; 2 discards 6z; 3 discards 6z"
KAN = f"{KAN_RIICHI}; 0 closed 4444p; dora 9s; 0 discards 7z; 1 discards 4m"
ILLEGAL = "0 shows 11123p222s56m"


def house(name: str) -> Table:
    return Table(rules_named(name).ruleset).feed(START)


@pytest.mark.parametrize("name", ["home", "parlour"])
@pytest.mark.parametrize("win", ["0 ron", "2 discards 7z; 3 discards 7z; 0 tsumo"])
def test_a_win_with_an_illegal_kan_is_a_false_win_and_is_not_paid(name: str, win: str) -> None:
    table = house(name).feed(f"{KAN}; {win}").feed(f"{ILLEGAL} with 4m; 0 ura 9p9p")
    assert [clause for clause in table.clauses if clause[1] == 0] == [("7-05-01", 0)]
    table.feed("confirm; confirm; confirm")
    assert (table.hand.is_live, table.missing) == (True, ("hand 0",))


@pytest.mark.parametrize("name", ["home", "parlour"])
@pytest.mark.parametrize("clause", ["7-05-01", "7-05-06"])
@pytest.mark.parametrize("win", ["0 ron", "2 discards 7z; 3 discards 7z; 0 tsumo"])
def test_logged_under_either_clause_it_is_the_chombo_of_a_false_win(name: str, clause: str, win: str) -> None:
    table = house(name).feed(f"{KAN}; {win}; {ILLEGAL} with 4m; 0 foul {clause}; confirm")
    assert settlement_of(table).reason is AbortReason.CHOMBO
    assert table.state.scores == ((13000, 29000, 29000, 29000) if name == "home" else (16000, 28000, 28000, 28000))


@pytest.mark.parametrize(("option", "dead"), [("b", True), ("f", False)])
def test_before_the_hand_is_opened_it_is_a_false_win_that_was_only_said(option: str, dead: bool) -> None:
    table = at(f"{KAN}; 0 ron; 0 foul 7-05-06", {"7-05-01": option})
    assert (table.hand.claims, table.hand.phase) == ((), Phase.PLAY)
    assert is_dead(table.hand.fouls, Seat.NEAR) is dead


@pytest.mark.parametrize("option", ["b", "c"])
def test_where_such_a_kan_only_loses_the_win_it_is_refused_and_play_goes_on(option: str) -> None:
    table = at(f"{KAN}; 0 ron", {"7-05-06": option}).feed(f"{ILLEGAL} with 4m")
    assert table.clauses == [("7-05-06", 0)]
    table.feed("0 foul 7-05-06")
    assert (table.hand.claims, table.hand.phase, table.state.scores) == ((), Phase.PLAY, (24000, 25000, 25000, 25000))


def test_beside_another_players_valid_ron_it_goes_by_7_05_01_01() -> None:
    claims = f"{KAN}; 0 ron; {ILLEGAL} with 4m; 2 ron han=1 fu=30; 0 foul 7-05-06; confirm"
    assert [int(win.seat) for win in settlement_of(at(claims)).wins] == [2]
    assert settlement_of(at(claims, {"7-05-01-01": "c"})).reason is AbortReason.CHOMBO


def test_when_another_player_wins_nothing_follows_and_at_the_draw_it_is_a_chombo() -> None:
    won = at(f"{KAN}; 2 ron han=1 fu=30; 0 foul 7-05-06; confirm")
    assert won.state.scores == (24000, 24000, 27000, 25000)
    drawn = at(f"{KAN}; draw; {ILLEGAL}; 0 foul 7-05-06; confirm")
    assert settlement_of(drawn).reason is AbortReason.CHOMBO


def test_a_kan_that_was_read_wrongly_is_paid_once_the_hand_is_shown_right() -> None:
    table = at(f"{KAN}; 0 ron; {ILLEGAL} with 4m; 0 ura 9p9p; 0 shows 678p123p22s56m with 4m")
    assert [int(win.seat) for win in settlement_of(table.feed("confirm")).wins] == [0]


@pytest.mark.parametrize("name", ["ema-2025", "wrc-2025"])
def test_a_rulebook_with_an_article_for_it_goes_by_that(name: str) -> None:
    table = house(name).feed(f"{KAN}; 0 ron").feed(f"{ILLEGAL} with 4m")
    assert table.clauses == [("7-05-06", 0)]
    table.feed("0 foul 7-05-06; confirm")
    assert settlement_of(table).reason is AbortReason.CHOMBO


# What riichi requires and the catalogue has no sanction for (R01, R21-R23, R58, R60)


@pytest.mark.parametrize(
    ("text", "clause", "letters"),
    [
        ("0 discards 9m; 1 pon 9m from 0 with 99m; 1 discards 9p sideways", "R01", "abcd"),
        (f"{KAN_RIICHI}; 0 discards 2m hand", "R22", "abcde"),
        (f"{KAN_RIICHI}; 0 discards 2m; 1 discards 5p; 0 pon 5p from 1 with 55p", "R23", "abcde"),
    ],
)
def test_what_is_suspected_of_a_riichi_offers_the_houses_options(text: str, clause: str, letters: str) -> None:
    found = at(text).suspicions
    assert [(each.clause, "".join(each.options)) for each in found if each.clause == clause] == [(clause, letters)]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_kan_without_the_drawn_tile_ends_the_hand_at_once_in_every_preset(name: str) -> None:
    table = house(name).feed(f"{KAN_RIICHI}; 0 closed 4444p; 0 foul R60; confirm")
    if table.missing:  # what it costs, where the referee rules
        assert table.missing == ("ruling 0",)
        table.feed("cancel-foul 0 reason=ruled; 0 foul R60 facts='7-01=a'; confirm; confirm")
    assert settlement_of(table).reason is AbortReason.CHOMBO
    assert sum(table.state.scores) + 1000 * table.state.deposits == 100000


def test_such_a_kan_found_later_loses_the_win_and_is_a_chombo_at_the_draw() -> None:
    later = f"{KAN_RIICHI}; 0 closed 4444p; dora 9s; 0 discards 7z; 0 foul R58"
    assert at(f"{later}; 1 discards 4m").feed("0 ron").clauses == [("7-05-01", 0)]
    assert settlement_of(at(f"{later}; draw; confirm")).reason is AbortReason.CHOMBO
    won = at(f"{later}; 1 discards 4m; 2 ron han=1 fu=30; confirm")
    assert won.state.scores == (24000, 24000, 27000, 25000)


def test_a_riichi_beside_an_open_meld_is_void_and_its_hand_dead() -> None:
    events = "0 discards 9m; 1 pon 9m from 0 with 99m; 1 discards 9p sideways; 1 stick; 2 discards 9s"
    table = at(f"{events}; 1 foul R01")
    assert (table.hand.riichi[1].stage, table.state.scores[1]) == (RiichiStage.NONE, 25000)
    assert is_dead(table.hand.fouls, Seat.RIGHT)
    fined = at(f"{events}; 1 foul R01 option=d")
    assert (fined.state.scores[1], fined.state.deposits, fined.state.deposit_points) == (24000, 0, 1000)
    assert at(f"{events}; 1 foul R01; cancel-foul 0 reason=no").hand.riichi[1].is_accepted


def test_a_riichi_whose_foul_is_cancelled_once_its_tile_has_passed_stands_and_is_charged() -> None:
    table = at(f"{RIICHI_TILE}; 1 foul 7-05-12 option=d; 2 discards 9s; cancel-foul 0 reason=heard")
    assert table.hand.riichi[1].is_accepted
    assert table.hand.ippatsu[1].is_open
    assert table.state.scores[1] == 24000
    table.feed("3 discards 2z; 0 discards 3z; 1 discards 4z; 2 tsumo han=3 fu=30; confirm; confirm")
    assert settlement_of(table).deltas == (-2000, -2000, 5000, -1000)


def test_a_riichi_that_a_foul_made_void_stays_void_though_the_tile_before_the_foul_is_put_back() -> None:
    table = at(f"{RIICHI_TILE}; 1 stick; 2 discards 9s; 1 foul 7-05-12 option=d; 2 puts-back")
    assert table.hand.riichi[1].stage is RiichiStage.NONE
    assert table.state.scores[1] == 25000
    assert not table.hand.ippatsu[1].is_open


VOIDING = ["7-05-08 option=b", "7-05-12 option=e", "7-05-13 option=c", "7-09-03 option=b", "R01 option=c"]


@pytest.mark.parametrize("foul", VOIDING)
def test_a_riichi_void_by_a_foul_is_not_told_as_a_ron(foul: str) -> None:
    table = at(f"{RIICHI}; 0 foul {foul}")
    announcement = table.one(AnnouncementId.RIICHI_VOID)
    (ronned,) = (
        each for each in at(f"{RIICHI_TILE}; 2 ron from 1").announcements if each.id is AnnouncementId.RIICHI_VOID
    )
    assert ronned.args == {}
    assert announcement.rule == foul.split(maxsplit=1)[0]
    for language in languages():
        texts = catalogue(language)
        assert announcement_sentence(replace(announcement, seat=Seat.RIGHT), Seat.NEAR, texts) != announcement_sentence(
            ronned, Seat.NEAR, texts
        )
    assert announcement_sentence(announcement, Seat.NEAR, catalogue("en")) == (
        "East’s riichi is void because of a foul: a stick laid for it goes back."
    )


# A riichi that is void for two reasons, and a void one whose tile is put back


@pytest.mark.parametrize("clause", ["7-05-12 option=d", "7-05-13 option=b"])
@pytest.mark.parametrize("passed", ["", "; 2 discards 9s"])
def test_a_ron_that_falls_gives_back_no_riichi_that_a_foul_forbids(clause: str, passed: str) -> None:
    table = at(f"{RIICHI_TILE}; 1 stick{passed}; 0 ron from 1; 1 foul {clause}; 0 withdraws")
    assert table.hand.riichi[1].stage is RiichiStage.NONE
    table.feed("cancel-foul 0 reason=no")
    assert table.hand.riichi[1].is_declared


@pytest.mark.parametrize("text", ["0 ron from 1; 1 foul 7-05-12 option=d", "1 foul 7-05-12 option=d; 0 ron from 1"])
def test_a_riichi_that_a_foul_and_a_ron_make_void_stands_again_when_both_are_gone(text: str) -> None:
    table = at(f"{RIICHI_TILE}; 1 stick; 2 discards 9s; {text}; cancel-foul 0 reason=no")
    assert table.hand.riichi[1].stage is RiichiStage.VOID
    assert table.state.scores[1] == 25000
    table.feed("0 withdraws")
    assert (table.hand.riichi[1].is_accepted, table.state.scores[1]) == (True, 24000)


@pytest.mark.parametrize("sign", ["1 riichi", "1 stick", "1 riichi; 1 stick"])
@pytest.mark.parametrize("foul", ["1 foul 7-05-12 option=f", "1 foul 7-05-13 option=e"])
def test_an_announced_riichi_that_a_foul_takes_back_is_not_asked_about_at_the_next_upright_tile(
    sign: str, foul: str
) -> None:
    table = at(f"0 discards 9m; {sign}; {foul}; 1 discards 5p")
    assert table.sayings == [("foul_logged", 1)]
    asked = at(f"0 discards 9m; {sign}; 2 foul 7-05-12 option=f; 1 discards 5p").sayings
    again = at(f"0 discards 9m; {sign}; {foul}; 1 riichi; 1 discards 5p").sayings
    assert ("riichi_upright", 1) in asked
    assert ("riichi_upright", 1) in again


LATE_RIICHI: Final = "0 discards 9m; 1 discards 2m; 1 riichi; 1 foul 7-05-14 option=c"


def test_a_riichi_that_is_announced_too_late_is_not_asked_about_at_the_next_upright_tile_and_may_be_said_anew() -> None:
    rest = "2 discards 9p; 3 discards 9s; 0 discards 1z"
    assert at(f"{LATE_RIICHI}; {rest}").feed("1 discards 5p").sayings == []
    assert ("riichi_upright", 1) in at(f"{LATE_RIICHI}; {rest}; 1 riichi").feed("1 discards 5p").sayings
    never = at(f"{LATE_RIICHI.rpartition(';')[0]}; {rest}").feed("1 discards 5p").sayings
    assert at(f"{LATE_RIICHI}; {rest}; cancel-foul 0 reason=no").feed("1 discards 5p").sayings == never


def test_the_late_utterance_of_a_seat_that_has_just_called_is_not_its_announced_riichi() -> None:
    text = "0 discards 9m; 1 discards 2m; 1 riichi; 2 discards 5z; 1 pon 5z from 2 with 55z; 1 foul 7-05-14 option=c"
    assert at(text).hand.riichi[1].is_voiced


@pytest.mark.parametrize("sign", ["1 riichi", "1 stick", "1 riichi; 1 stick"])
@pytest.mark.parametrize(
    ("fouls", "cancelled"),
    [
        ("1 foul 7-05-12 option=f", "cancel-foul 0 reason=no"),
        ("1 foul 7-05-12 option=f; 1 foul 7-05-13 option=e", "cancel-foul 0 reason=no; cancel-foul 1 reason=no"),
        ("1 foul 7-05-12 option=f; 1 foul 7-05-13 option=e", "cancel-foul 1 reason=no; cancel-foul 0 reason=no"),
    ],
)
def test_an_announced_riichi_is_announced_again_once_every_foul_that_took_it_back_is_cancelled(
    sign: str, fouls: str, cancelled: str
) -> None:
    never, table = at(f"0 discards 9m; {sign}"), at(f"0 discards 9m; {sign}; {fouls}")
    forbidden = table.hand.riichi
    for event in cancelled.split("; "):
        assert table.hand.riichi == forbidden != never.hand.riichi
        table.feed(event)
    assert table.hand.riichi == never.hand.riichi
    assert table.feed("1 discards 5p").sayings == never.feed("1 discards 5p").sayings


def test_an_announcement_that_a_foul_took_back_before_an_upright_tile_is_not_made_again_for_a_later_tile() -> None:
    rest = "1 discards 5p; 2 discards 1z; 3 discards 2z; 0 discards 3z"
    text = f"0 discards 9m; 1 riichi; 1 foul 7-05-12 option=f; {rest}; 1 foul 7-05-13 option=e"
    table = at(f"{text}; cancel-foul 0 reason=no; cancel-foul 1 reason=no")
    assert not table.hand.riichi[1].is_voiced
    assert "riichi_upright" not in [saying for saying, _ in table.feed("1 discards 6p").sayings]


def test_a_riichi_declared_after_a_foul_took_its_announcement_back_was_heard_once_the_foul_is_cancelled() -> None:
    text = "0 discards 9m; 1 riichi; 1 foul 7-05-12 option=f; 1 discards 5p{}; cancel-foul 0 reason=no"
    assert at(text.format(" sideways"), ask_unvoiced_riichi=True).hand.riichi[1].is_voiced
    assert not at(text.format("")).hand.riichi[1].is_voiced


@pytest.mark.parametrize(
    ("third", "cancelled", "is_voiced"),
    [
        ("", (0, 1), True),
        ("", (1, 0), True),
        ("", (1,), False),
        ("; 1 foul 7-05-13 option=e", (0, 1, 2), True),
        ("; 1 foul 7-05-13 option=e", (2, 0, 1), True),
        ("; 1 foul 7-05-13 option=e", (2, 1), False),
    ],
)
def test_a_riichi_whose_announcement_and_tile_two_fouls_took_was_heard_in_whatever_order_they_are_cancelled(
    third: str, cancelled: tuple[int, ...], is_voiced: bool
) -> None:
    text = "0 discards 9m; 1 riichi; 1 foul 7-05-12 option=f; 1 discards 5p sideways; 1 stick; 1 foul 7-05-12 option=f"
    table = at(text + third, ask_unvoiced_riichi=True)
    table.feed("; ".join(f"cancel-foul {number} reason=no" for number in cancelled))
    riichi = table.hand.riichi[1]
    assert (riichi.is_accepted, riichi.is_voiced) == (True, is_voiced)


def test_a_riichi_that_two_fouls_forbid_stands_again_when_both_are_cancelled() -> None:
    text = f"{RIICHI_TILE}; 1 stick; 2 discards 9s; 1 foul 7-05-12 option=d; 1 foul 7-05-13 option=b"
    table = at(f"{text}; cancel-foul 0 reason=no")
    assert table.hand.riichi[1].stage is RiichiStage.NONE
    assert table.feed("cancel-foul 1 reason=no").hand.riichi[1].is_accepted


@pytest.mark.parametrize("then", ["", "; 1 discards 9p"])
def test_a_void_riichi_whose_tile_was_put_back_does_not_stand_again(then: str) -> None:
    table = at(f"{RIICHI_TILE}; 1 foul 7-05-12 option=d; 1 puts-back{then}; cancel-foul 0 reason=no")
    assert table.hand.riichi[1].stage is RiichiStage.NONE


# A foul of a riichi between two claims of the same seat: first a tsumo out of turn, then a ron instead

OUT_OF_TURN = "1 discards 2m sideways; 0 discards 5z"


def test_a_riichi_voided_while_a_tsumo_out_of_turn_is_claimed_has_no_ippatsu_window_once_that_falls() -> None:
    for end in ("2 ron", "2 withdraws"):
        table = at(f"{OUT_OF_TURN}; 2 tsumo; 1 foul 7-05-13 option=d; {end}")
        assert (table.hand.riichi[1].stage, table.hand.ippatsu[1]) == (RiichiStage.NONE, Ippatsu.NONE)


def test_a_riichi_given_back_while_a_tsumo_out_of_turn_is_claimed_keeps_its_ippatsu_window_once_that_falls() -> None:
    earlier = at(f"{OUT_OF_TURN}; 1 foul 7-05-13 option=d; cancel-foul 0 reason=no; 2 tsumo; 2 withdraws")
    table = at(f"{OUT_OF_TURN}; 1 foul 7-05-13 option=d; 2 tsumo; cancel-foul 0 reason=no; 2 withdraws")
    assert (table.hand.ippatsu, table.hand.missed_at) == (earlier.hand.ippatsu, earlier.hand.missed_at)
    assert table.hand.ippatsu[1].is_open
