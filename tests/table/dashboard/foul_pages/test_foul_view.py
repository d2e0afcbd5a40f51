"""The page for fouls: sentences for whatever can follow, in every language, and what the page lists."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.dashboard.foul_pages.foul_consequences import outlook_view, questions_view
from table.dashboard.foul_pages.foul_view import foreseen_view, fouls_view
from table.dashboard.scores.scorekeeping import changes_view
from table.game.commands.foul_vote import FoulProposal
from table.game.commands.game_commands import NameFoul
from table.game.journal.journal import Journal
from table.game.snapshot import Snapshot
from table.i18n import catalogue, languages
from table.rulebook import SHIPPED, rules_named
from table.rules.events import FoulLogged
from table.rules.fouls.foul_outlook import Outlook
from table.rules.penalties.effect_terms import Count, Fact, FoulRole
from table.rules.penalties.foul_effects import consequences, decisive_facts
from table.rules.penalties.foul_facts import OUTSIDE, Facts
from table.rules.terms.announcements import Suspicion
from table.rules.terms.seats import SEATS, Seat
from tests.table.game.by_hand import table_at
from tests.table.rules.fouls.counted_articles import COUNTED_RULES
from tests.table.rules.situations import START, Table

ENGLISH = catalogue("en")
NAMES = ("", "Bo", "", "")


def facts(*, holds: bool) -> Facts:
    return Facts(
        dealer=Seat.NEAR,
        answers=dict.fromkeys(Fact, holds),
        counts=dict.fromkeys(Count, 2 if holds else 10),
        roles=dict.fromkeys(FoulRole, Seat.FAR),
        outside=int(holds),
    )


@pytest.mark.parametrize("language", languages())
def test_whatever_can_follow_has_sentences_in_every_language(language: str) -> None:
    texts = catalogue(language)
    count = 0
    for name in SHIPPED:
        rules = rules_named(name).penalties
        for rule in rules.rules:
            for option in rule.options:
                for situation in (facts(holds=True), facts(holds=False), Facts(dealer=Seat.NEAR)):
                    found = consequences(rule.clause, Seat.RIGHT, rules, situation, option.letter)
                    sentences = outlook_view(Outlook.in_play(found), Seat.NEAR, texts)["sentences"]
                    assert sentences
                    assert all(sentence and "_" not in sentence for sentence in sentences)
                    count += 1
    assert count > 3 * 7 * 194


@pytest.mark.parametrize("language", languages())
def test_whatever_decides_is_asked_in_every_language(language: str) -> None:
    names = [*(each.value for each in (*Fact, *Count, *FoulRole) if each is not FoulRole.OFFENDER), OUTSIDE]
    asks = questions_view(names, Facts(dealer=Seat.NEAR), catalogue(language))
    assert [each["ask"] for each in asks] == names
    assert {each["kind"] for each in asks} == {"yes_no", "number", "seat"}
    assert all(each["text"] for each in asks)


def sentences(clause: str, *facts: str, ruleset: str = "home", option: str | None = None) -> list[str]:
    stated = Facts(dealer=Seat.NEAR).with_facts(facts)
    found = consequences(clause, Seat.RIGHT, rules_named(ruleset).penalties, stated, option)
    view: list[str] = outlook_view(Outlook.in_play(found), Seat.NEAR, ENGLISH)["sentences"]
    return view


CHOMBO = [
    "South pays 8,000 in all.",
    "The hand is replayed: same dealer, same honba.",
    "Riichi sticks of this hand go back.",
]


@pytest.mark.parametrize(
    ("clause", "details", "ruleset", "expected"),
    [
        ("7-05-01", ("offender_opened_hand",), "home", CHOMBO),
        ("7-05-11", (), "home", ["South puts 1,000 in the pot.", "Play goes on."]),
        ("7-04-01", (), "home", ["South has a dead hand: no win this hand.", "Play goes on."]),
        ("7-05-07", (), "home", [f"If the hand is drawn: {' '.join(CHOMBO)}", "Play goes on."]),
        (
            "7-05-15",
            ("deliberate", "late_caller=3"),
            "home",
            ["What North said does not count.", "Play goes on."],
        ),
        ("7-05-15", (), "home", ["Not decided yet: On purpose?"]),
        (
            "M.League manner",
            ("cards=2",),
            "m-league",
            [
                "South gets a card: yellow, counted through the day.",
                "South loses 20,000 after uma.",
                "Play goes on.",
            ],
        ),
        ("7-06-01", (), "tenhou", ["The house rules do not say: the referee decides."]),
        ("EMA obstruction", (), "ema-2025", ["The referee decides how serious it is.", "Play goes on."]),
    ],
)
def test_one_sentence_says_each_thing_that_follows(
    clause: str, details: tuple[str, ...], ruleset: str, expected: list[str]
) -> None:
    assert sentences(clause, *details, ruleset=ruleset) == expected


def test_hands_that_must_be_shown_and_clauses_left_to_the_referee_are_named() -> None:
    home = rules_named("home")
    rules = replace(home, choices={**home.choices, "7-01": "c", "7-02": "referee"}).penalties
    found = consequences("7-04-01", Seat.RIGHT, rules, Facts(dealer=Seat.NEAR), "a")
    lines = outlook_view(Outlook.in_play(found), Seat.NEAR, ENGLISH)["sentences"]
    assert lines[-1] == "Not decided yet: East shows the hand · West shows the hand · North shows the hand"
    again = "The rules do not say who deals after a chombo: the hand is replayed with the same dealer and honba."
    assert again in lines


def test_two_who_pay_are_both_named() -> None:
    lines = sentences("7-08-02", "discarder=1", "ron_caller=2", option="c")
    assert lines[:2] == ["South pays 8,000 in all.", "West pays 8,000 in all."]


def snapshot_after(
    text: str, *, ruleset: str = "home", suspected: tuple[tuple[str, int], ...] = (), **more: Any
) -> Snapshot:
    """The table after these events."""
    rules = rules_named(ruleset).ruleset
    table = Table(rules).feed(START)
    if text:
        table.feed(text)
    doubts = tuple(Suspicion(clause=clause, seat=SEATS[seat], evidence=("x",)) for clause, seat in suspected)
    return Snapshot(version=3, game=table.state, ruleset=rules, suspicions=doubts, names=NAMES, **more)


STANDS = "The settled result stands; whatever the foul costs is paid in addition."
FREE = "The settled result stands, and the foul costs nothing."
EDIT = "If that result is not to count: edit that hand’s result."
UNDO = "If that result is not to count: undo the settlement first, then enter the foul."
WON = "0 discards 6m; 1 discards 2m; 2 discards 2m; 3 discards 9m; 0 ron han=3 fu=30; confirm"


def test_a_foul_found_after_the_settlement_is_said_to_be_paid_beside_the_result() -> None:
    event = FoulLogged(seat=Seat.NEAR, clause="7-05-01", facts=("offender_opened_hand",))
    expected = ["East pays 12,000 in all.", STANDS, UNDO]
    proposal = FoulProposal(seat=event.seat, clause=event.clause, facts=event.facts)
    table = snapshot_after(WON, proposal=proposal)
    assert foreseen_view(table, event, ENGLISH)["sentences"] == expected
    assert fouls_view(table, ENGLISH)["named"]["sentences"] == expected
    assert fouls_view(snapshot_after(f"{WON}; {event}"), ENGLISH)["logged"][0]["sentences"] == expected
    later = "start E1 honba=1 scores=30800,25000,25000,19200 dora=1z"
    assert fouls_view(snapshot_after(f"{WON}; {event}; {later}"), ENGLISH)["logged"][0]["sentences"] == [
        *expected[:-1],
        EDIT,
    ]


def test_a_penalty_of_a_hand_already_over_is_no_order_for_its_play() -> None:
    def foreseen(text: str, clause: str, option: str) -> Any:
        return foreseen_view(snapshot_after(text), FoulLogged(seat=Seat.NEAR, clause=clause, option=option), ENGLISH)

    assert foreseen("draw; confirm", "7-04-01", "a")["sentences"][-2:] == [STANDS, UNDO]
    assert foreseen("draw; confirm", "7-06-01", "c")["sentences"] == ["East puts 1,000 in the pot.", STANDS]
    assert foreseen(WON, "7-04-01", "c")["points"] == ["−12,000", "+4,000", "+4,000", "+4,000"]
    assert foreseen(WON, "7-04-01", "d")["sentences"] == [FREE]
    assert foreseen(WON, "7-06-03", "a")["sentences"] == [FREE, UNDO]
    assert foreseen("draw; confirm", "7-06-03", "a")["sentences"] == [FREE]


def test_before_the_first_hand_there_is_nothing_to_name() -> None:
    view = fouls_view(Snapshot(version=1, game=Table().state, proposal=FoulProposal(seat=Seat.FAR)), ENGLISH)
    assert [seat["possible"] for seat in view["seats"]] == [[]] * 4
    assert (view["named"], view["logged"], view["suspected"], view["in_force"]) == (None, [], [], [])


def favourites(snapshot: Snapshot, seat: int = 1) -> list[tuple[str, list[str], str]]:
    offered = fouls_view(snapshot, ENGLISH)["seats"][seat]["favourites"]
    return [(each["clause"], each["facts"], each["chombo"]) for each in offered]


@pytest.mark.parametrize("ruleset", ["home", "parlour", "ema-2025", "wrc-2025", "m-league"])
def test_a_chombo_comes_first_among_the_favourites(ruleset: str) -> None:
    first, *others = favourites(snapshot_after("", ruleset=ruleset))
    assert first[2] == "Chombo"
    assert others


@pytest.mark.parametrize(
    ("language", "word", "clause"),
    [
        ("ja", "チョンボ", "7-05-01"),
        ("ja", "フリテン", "7-05-01"),
        ("ja", "ノーテン", "7-05-07"),
        ("en", "furiten", "7-05-01"),
    ],
)
def test_the_search_knows_the_words_that_players_use(language: str, word: str, clause: str) -> None:
    view = fouls_view(snapshot_after(""), catalogue(language))
    found = [each["clause"] for each in view["clauses"] if word in f"{each['title']} {each['words']}"]
    assert clause in found
    assert clause in view["seats"][1]["possible"]


def test_where_nothing_is_a_chombo_by_itself_a_false_win_is_offered_first() -> None:
    assert favourites(snapshot_after("", ruleset="tenhou")) == [("7-05-01", ["offender_opened_hand"], "")]


def test_after_chombo_the_favourites_are_those_that_this_game_named_most() -> None:
    snapshot = snapshot_after("1 foul 7-08-01; 2 foul 7-05-12; 3 foul 7-05-12; 3 foul 7-04-02; cancel-foul 3 reason=no")
    assert [clause for clause, _, _ in favourites(snapshot)][:3] == ["7-05-01", "7-05-12", "7-08-01"]
    assert len(favourites(snapshot)) == 6


def test_what_a_seat_cannot_have_done_is_no_favourite() -> None:
    snapshot = snapshot_after("1 foul R22")
    assert "R22" not in [clause for clause, _, _ in favourites(snapshot, seat=2)]


def test_the_newest_suspicion_comes_first_and_goes_when_people_dealt_with_it() -> None:
    suspected = (("7-05-09", 1), ("R22", 2), ("7-05-09", 1))
    view = fouls_view(snapshot_after("0 discards 9m", suspected=suspected), ENGLISH)
    assert [(each["name"], each["title"]) for each in view["suspected"]] == [
        ("West", "In riichi, a discard from the hand?"),
        ("Bo", "Wrong draw (drawing out of turn or a wrong tile)"),
    ]
    after = snapshot_after("0 discards 9m; 1 foul 7-05-09; cancel-foul 0 reason=no", suspected=suspected)
    assert [each["clause"] for each in fouls_view(after, ENGLISH)["suspected"]] == ["R22"]


def test_a_suspicion_goes_too_when_people_named_the_article_that_answers_it() -> None:
    text = "1 foul 'WRC draw'"
    view = fouls_view(snapshot_after(text, ruleset="wrc-2025", suspected=(("7-05-09", 1), ("7-05-09", 2))), ENGLISH)
    assert [(each["clause"], each["seat"]) for each in view["suspected"]] == [("7-05-09", 2)]


def test_who_has_a_name_is_called_by_it_and_the_wind_is_a_badge() -> None:
    view = fouls_view(snapshot_after("0 discards 9m; 1 foul 7-04-01"), ENGLISH)
    assert [(seat["name"], seat["wind"]) for seat in view["seats"]] == [
        ("East", "1z"),
        ("Bo", "2z"),
        ("West", "3z"),
        ("North", "4z"),
    ]
    assert (view["logged"][0]["name"], view["logged"][0]["by"]) == ("Bo", "")
    assert "South" not in str((view["logged"], view["in_force"]))


def test_an_unknown_irregularity_is_asked_about_by_its_number() -> None:
    view = fouls_view(snapshot_after("", suspected=(("R77", 0),)), ENGLISH)
    assert view["suspected"][0]["title"] == "Something odd (R77)?"


def test_a_suspicion_is_named_as_the_houses_rulebook_names_it() -> None:
    view = fouls_view(snapshot_after("", ruleset="ema-2025", suspected=(("R22", 0),)), ENGLISH)
    assert [(each["clause"], each["title"]) for each in view["suspected"]] == [
        ("EMA 6.7.3", "A tile from the hand is discarded in riichi")
    ]


@pytest.mark.parametrize(
    ("ruleset", "clause", "title"),
    [
        (
            "ema-2025",
            "R08",
            "Riichi not said, not turned, withdrawn, or on an open hand: dead hand, the stick goes back",
        ),
        ("ema-2025", "EMA 6.6", "Riichi tile not sideways?"),
        ("wrc-2025", "R08", "Riichi not said or not turned, or its stick forgotten: valid, with a warning"),
        ("home", "R08", "Riichi not said aloud?"),
        ("home", "four winds", "Draw by four winds: conditions not met, or not in these rules?"),
    ],
)
def test_a_question_is_worded_as_it_was_asked_or_as_the_article_that_answers_it(
    ruleset: str, clause: str, title: str
) -> None:
    view = fouls_view(snapshot_after("", ruleset=ruleset, suspected=((clause, 0),)), ENGLISH)
    assert [each["title"] for each in view["suspected"]] == [title]


def test_clauses_have_the_readers_language_and_articles_too() -> None:
    view = fouls_view(snapshot_after("", ruleset="ema-2025"), catalogue("ja"))
    titles = {each["clause"]: each for each in view["clauses"]}
    assert titles["7-05-07"]["title"] == "ノーテンリーチ"
    assert titles["7-05-07"]["group"].startswith("誤った和了")
    assert titles["EMA 6.7.3"] == {
        "clause": "EMA 6.7.3",
        "reference": "EMA 6.7.3",
        "title": "リーチ後の手出し",
        "words": " ",
        "group": "",
    }
    chinese = fouls_view(snapshot_after(""), catalogue("zh-Hant"))
    assert {each["clause"]: each["title"] for each in chinese["clauses"]}["7-05-07"] == "未聽牌立直"
    simplified = fouls_view(snapshot_after(""), catalogue("zh-Hans"))
    assert {each["clause"]: each["title"] for each in simplified["clauses"]}["7-05-07"] == "未听牌立直"


def test_what_would_follow_is_said_with_what_decides_it_and_the_other_options() -> None:
    event = FoulLogged(seat=Seat.RIGHT, clause="7-05-01", facts=("offender_opened_hand",))
    view = foreseen_view(snapshot_after("0 discards 9m"), event, ENGLISH)
    sentences = [each.replace("South", "Bo") for each in CHOMBO]
    assert (view["sentences"], view["points"]) == (sentences, ["+4,000", "−8,000", "+2,000", "+2,000"])
    assert view["asks"] == [
        {"ask": "offender_opened_hand", "kind": "yes_no", "text": "Did that player open the hand?", "value": True}
    ]
    assert [(each["letter"], each["is_chosen"]) for each in view["options"]][:3] == [
        ("a", False),
        ("b", True),
        ("c", False),
    ]


@pytest.mark.parametrize(
    ("clause", "option", "questions"),
    [
        ("7-06-01", "d", [("exposed", None)]),
        ("7-07-02", "a", [("breaker", 1), ("breaker_is_winner", None), ("win_stands", None)]),
        ("7-06-04", None, [("permitted", None)]),
        ("7-08-04", "d", [("outside", 0)]),
        ("7-05-10", "c", []),
        ("7-04-01", "a", []),
    ],
)
def test_only_what_decides_is_asked_and_what_the_table_knows_best_is_not(
    clause: str, option: str | None, questions: list[tuple[str, Any]]
) -> None:
    view = foreseen_view(snapshot_after(""), FoulLogged(seat=Seat.RIGHT, clause=clause, option=option), ENGLISH)
    assert [(each["ask"], each["value"]) for each in view["asks"]] == questions


def test_what_a_chombo_costs_decides_too() -> None:
    rules = replace(rules_named("home"), choices={**rules_named("home").choices, "7-01": "d"}).penalties
    assert decisive_facts("7-04-01", rules, "a") == ("to_stop_yakuman_deliberately",)
    assert decisive_facts("R23", rules) == ()


@pytest.mark.parametrize(
    ("decided_by", "agreed", "needs"),
    [
        ("two", (), "Two people must agree."),
        ("two", ("seat 1",), "One more person must agree."),
        ("owner", ("seat 1",), "The owner must agree."),
    ],
)
def test_a_named_foul_says_what_would_follow_and_who_must_agree(
    decided_by: Any, agreed: tuple[str, ...], needs: str
) -> None:
    snapshot = snapshot_after("0 discards 9m", proposal=FoulProposal(seat=Seat.FAR, clause="7-05-11", agreed_by=agreed))
    penalties = replace(snapshot.ruleset.penalties, fouls_decided_by=decided_by)
    view = fouls_view(replace(snapshot, ruleset=snapshot.ruleset.but(penalties=penalties)), ENGLISH)["named"]
    assert (view["name"], view["needs"]) == ("West", needs)
    assert view["agreed_text"] == ("Agreed: " if not agreed else "Agreed: Bo")
    assert view["sentences"] == ["West puts 1,000 in the pot.", "Play goes on."]


def test_a_foul_that_the_panel_did_not_name_yet_waits_for_its_name() -> None:
    view = fouls_view(snapshot_after("", proposal=FoulProposal(seat=Seat.LEFT)), ENGLISH)["named"]
    assert (view["is_unnamed"], view["title"], view["sentences"]) == (True, "Something else", [])


def test_a_foul_that_is_to_be_cancelled_is_named_by_what_it_was() -> None:
    proposal = FoulProposal(seat=Seat.RIGHT, replaces=0, note="heard", is_withdrawal=True)
    view = fouls_view(snapshot_after("1 foul 7-05-11", proposal=proposal), ENGLISH)["named"]
    assert view["title"] == "Cancel: Wrong chi/pon/kan utterance, or taking it back"
    settled = snapshot_after("1 foul 7-05-11; draw; confirm", proposal=replace(proposal, hand=0))
    assert fouls_view(settled, ENGLISH)["named"]["title"] == view["title"]
    gone = snapshot_after("", proposal=replace(proposal, replaces=4))
    assert fouls_view(gone, ENGLISH)["named"]["title"] == "Cancel: "


def test_logged_fouls_are_listed_newest_first_with_who_decided_and_why_they_were_cancelled() -> None:
    text = "1 foul 7-05-11 by='seat 1, owner'; draw; confirm"
    table = Table(rules_named("home").ruleset).feed(START).feed(text)
    table.feed("start E2 honba=1 pot=1000 scores=25000,24000,25000,25000 dora=2z")
    table.feed("2 foul 7-04-01 by='panel, guest' note=five; cancel-foul 0 reason=miscounted")
    snapshot = Snapshot(version=1, game=table.state, ruleset=table.ruleset, names=NAMES)
    newest, oldest = fouls_view(snapshot, ENGLISH)["logged"]
    assert (newest["hand"], newest["foul"], newest["round"], newest["name"]) == (1, 0, "East 2", "South")
    assert (newest["cancelled"], newest["by"]) == ("Cancelled: miscounted", "decided by table button, guest")
    assert (oldest["hand"], oldest["name"], oldest["by"]) == (0, "Bo", "decided by Bo, owner")
    assert oldest["cancelled"] is None


def test_what_is_in_force_and_what_lies_in_the_pot_is_said() -> None:
    view = fouls_view(snapshot_after("1 foul 7-04-01; 2 foul 7-05-11; 3 foul 7-05-10; 2 foul 7-05-09"), ENGLISH)
    assert view["in_force"] == [
        "Bo has a dead hand: no win this hand.",
        "North may not call or ron before their next own draw.",
    ]
    assert view["pot"] == "Pot: riichi sticks 0, penalty points 1,000"
    assert fouls_view(snapshot_after("1 foul 7-04-01; draw; confirm"), ENGLISH)["in_force"] == []


def test_a_second_chombo_of_a_seat_is_said_to_cost_nothing_while_the_first_one_is_in_force() -> None:
    second = FoulLogged(seat=Seat.RIGHT, clause="7-04-02", option="a")
    first = "0 discards 9m; 1 foul 7-04-01 option=a"
    view = foreseen_view(snapshot_after(first), second, ENGLISH)
    assert view["sentences"][0] == "Bo pays for a chombo only once, since it ends the hand."
    assert view["points"] is None
    fouls = fouls_view(snapshot_after(f"{first}; 1 foul 7-04-02 option=a"), ENGLISH)["logged"]
    assert [each["points"] for each in fouls] == [None, ["+4,000", "−8,000", "+2,000", "+2,000"]]
    left = fouls_view(snapshot_after(f"{first}; 1 foul 7-04-02 option=a; cancel-foul 0 reason=no"), ENGLISH)["logged"]
    assert left[0]["points"] == ["+4,000", "−8,000", "+2,000", "+2,000"]


def foreseen_in(table: Table, event: FoulLogged) -> dict[str, Any]:
    snapshot = Snapshot(version=1, game=table.state, ruleset=table.ruleset, names=NAMES)
    return foreseen_view(snapshot, event, ENGLISH)


def test_a_foul_of_an_earlier_hand_tells_what_it_changes_in_later_ones() -> None:
    deposit = FoulLogged(seat=Seat.RIGHT, clause="7-06-01", option="d", facts=("exposed=1",), hand=0)
    won = Table(rules_named("home").ruleset).feed(f"{START}; told draw; told ron win0=2:3:2:30:0::")
    view = foreseen_in(won, deposit)
    assert view["sentences"][0] == "Bo puts 1,000 in the pot."
    assert view["later"] == ["Later hands change too: E2-1: West +2,300 → +3,300."]
    newest = replace(deposit, hand=1)
    assert foreseen_in(won, newest)["later"] == []


def test_a_foul_of_an_earlier_hand_tells_that_it_ends_the_hand_in_play() -> None:
    deal = "start E2 dealer=1 scores=25000,25000,25000,25000 honba=1"
    table = Table(COUNTED_RULES).feed(f"{START}; told draw; {deal}; 1 foul 'A 1'")
    assert foreseen_in(table, FoulLogged(seat=Seat.RIGHT, clause="A 1", hand=0))["later"] == [
        "Later hands change too: East 2: Penalty: chombo."
    ]


@pytest.mark.parametrize("language", languages())
def test_the_payment_that_is_left_to_the_referee_is_asked_with_its_options(language: str) -> None:
    rules = rules_named("tenhou").ruleset
    foul = FoulLogged(seat=Seat.RIGHT, clause="7-05-01", option="a")
    game = Table(rules).feed(START).state
    snapshot, texts = Snapshot(version=1, game=game, ruleset=rules), catalogue(language)
    for facts_told, value in (((), None), (("7-01=b",), "b")):
        view = foreseen_view(snapshot, replace(foul, facts=facts_told), texts)
        (ask,) = [each for each in view["asks"] if each["kind"] == "option"]
        assert (ask["ask"], ask["value"]) == ("7-01", value)
        assert ask["text"]
        assert [each["letter"] for each in ask["options"]][:3] == ["a", "b", "c"]
    assert view["points"] == ["+6,000", "−12,000", "+3,000", "+3,000"]
    decided = foreseen_view(Snapshot(version=1, game=game, ruleset=rules_named("home").ruleset), foul, texts)
    assert not [each for each in decided["asks"] if each["kind"] == "option"]


def test_a_foul_that_was_put_right_says_so_without_english_on_a_japanese_page() -> None:
    with Journal(None) as journal:
        table = table_at(journal)
        for number, clause in ((None, "7-06-01"), (0, "7-06-02")):
            table.handle(NameFoul(seat=Seat.RIGHT, clause=clause, option="e", foul=number, by="owner"))
        texts = catalogue("ja")
        logged = fouls_view(table.board.latest, texts)["logged"]
        changes = changes_view(table.board.latest, texts)
    assert logged[1]["cancelled"] == "取り消し済み：代わりに「他家の手牌を見せたとき」"
    assert changes[0]["why"] == "代わりに「他家の手牌を見せたとき」"
