"""Notes of rules in another language than English: nothing in them is English, except names and references."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from table.dashboard.foul_pages.foul_view import foreseen_view, fouls_view
from table.dashboard.foul_pages.rule_view import rules_view
from table.dashboard.live.news_view import announcement_view
from table.dashboard.web.view import View
from table.game.journal.entries import NOBODY
from table.game.journal.fold import LoggedAnnouncement
from table.game.snapshot import Snapshot
from table.i18n import catalogue, languages
from table.i18n.clause_books import clause_words
from table.rulebook import SHIPPED, HouseRules, parse_house, rules_named
from table.rules.events import FoulLogged
from table.rules.terms.announcements import Announcement, AnnouncementId
from table.rules.terms.results import ABORTS
from table.rules.terms.seats import Seat
from tests.english_words import english_on_page, english_words
from tests.table.rules.situations import START, Table

OTHERS = [language for language in languages() if language != "en"]
RULES = ("R15", "D13", "7-05-09", "open riichi", *(reason.names.rule for reason in ABORTS))
"""What announcements name as their rule."""


def clauses_of(house: HouseRules, language: str) -> list[View]:
    view = rules_view(house, None, catalogue(language))
    return [clause for group in (*view["groups"], view["own"]) for clause in group["clauses"]]


def said_of(house: HouseRules, language: str) -> Iterator[str]:
    """What the page of rules says of each clause and article, apart from the options of the book."""
    for clause in clauses_of(house, language):
        yield from (clause["source"], clause["evidence"], clause["chosen"])
    for article in rules_view(house, None, catalogue(language))["articles"]:
        yield from (article["reference"], article["text"], article["evidence"])


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", SHIPPED)
def test_the_notes_of_every_rule_set_speak_the_page_s_language(name: str, language: str) -> None:
    texts = set(said_of(rules_named(name), language))
    assert {text: words for text in texts if (words := english_words(text))} == {}


def test_a_reference_stays_as_it_is_and_hearsay_is_told_in_words() -> None:
    notes = {
        clause["number"]: (clause["source"], clause["evidence"]) for clause in clauses_of(rules_named("wrc-2025"), "ja")
    }
    assert notes["7-04-01"] == ("WRC 12.3.1", "伝聞")
    assert notes["7-01-01"] == ("WRC Penalties 2025、書き起こしによる", "伝聞")
    ours = {clause["number"]: clause["source"] for clause in clauses_of(rules_named("ema-2025"), "zh-Hans")}
    assert (ours["7-05-12"], ours["7-05-05"]) == ("EMA 6.6", "EMA 2025：放弃和牌")


def test_a_note_in_a_house_s_own_words_is_shown_as_it_was_written() -> None:
    text = 'format = 1\nname = "x"\n[sources]\n"7-04-01" = "in unserem Klub"\n'
    house = parse_house(text, "x.toml", rules_named("home"))
    assert next(each["source"] for each in clauses_of(house, "ja") if each["number"] == "7-04-01") == "in unserem Klub"


@pytest.mark.parametrize("language", OTHERS)
def test_the_rule_behind_an_announcement_speaks_the_page_s_language(language: str) -> None:
    articles = {article.number for name in SHIPPED for article in rules_named(name).articles}
    for rule in (*RULES, *sorted(articles)):
        announcement = LoggedAnnouncement(
            key="0", hand=0, announcement=Announcement(id=AnnouncementId.FURITEN, rule=rule), frame=7
        )
        assert (
            english_words(announcement_view(announcement, Seat.NEAR, catalogue(language), names=NOBODY)["why"]) == []
        ), rule


def told_of(clause: str, snapshot: Snapshot, language: str) -> Iterator[str]:
    """Everything that the page of fouls says of a clause that is being considered."""
    view = foreseen_view(snapshot, FoulLogged(seat=Seat.RIGHT, clause=clause), catalogue(language))
    yield from (view["title"], *view["sentences"], *(each["text"] for each in (*view["options"], *view["asks"])))
    yield from (text for each in view["later"] for text in (each.get("title", ""), *each.get("sentences", ())))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", SHIPPED)
def test_what_follows_from_a_foul_speaks_the_page_s_language(name: str, language: str) -> None:
    rules = rules_named(name).ruleset
    snapshot = Snapshot(version=1, game=Table(rules).feed(START).state, ruleset=rules)
    for clause in fouls_view(snapshot, catalogue(language))["clauses"]:
        texts = [clause["title"], clause["reference"], clause["group"], *told_of(clause["clause"], snapshot, language)]
        assert [text for text in texts if english_words(text)] == [], clause["clause"]
        assert english_words(clause_words(clause["clause"], catalogue(language))) == []


def test_what_the_other_tests_look_for_is_found() -> None:
    page = '<p title="Dead hand" data-said="誰も come">EMA 6.6：<b>mj-college.com</b></p><code>x = by</code><i>Ron</i>'
    assert english_on_page(page) == ["Dead hand: ['Dead', 'hand']", "誰も come: ['come']", "Ron: ['Ron']"]
