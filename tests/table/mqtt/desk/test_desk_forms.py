"""The desk's forms: what is typed is carried out once, or refused in a sentence."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
from itertools import product

import pytest

from table.i18n import catalogue
from table.mqtt.desk_signal import moment
from tests.fakes.disks import full_disk
from tests.fakes.typed_numbers import NO_NUMBERS
from tests.table.mqtt.desk.hall_with_desk import (
    APPEALS,
    GAMES,
    NAMES,
    OTHER_SCORES,
    OVERTAKEN,
    SCORES,
    TWO_ROUNDS,
    Pages,
    form_of,
    form_token,
    refused_page,
    seen_value,
)


def test_every_form_of_the_desk_on_a_full_disk_is_refused_in_a_sentence_but_time_is_called(pages: Pages) -> None:
    assert pages.open_tournament() == 303
    assert pages.send("begin", round="1") == 303
    assert pages.send("penalty", player="0", points="1000", why="") == 303
    forms: dict[str, dict[str, str]] = {
        "open": {"rules": "home", "minutes": "75", "rounds": "1", "players": "\n".join(NAMES)},
        "clock": {"minutes": "5"},
        "result": {"round": "1", "table": "2"} | {f"score{wind}": "25000" for wind in range(4)},
        "penalty": {"player": "1", "points": "500", "why": "late"},
        "cancel": {"penalty": "0", "why": "the bus"},
        "replace": {"round": "1", "player": "3", "by": "Sub"},
        "appeal": {"table": "east", "clip": "20261126-100000", "ruling": "stands"},
    }
    before, size = pages.tournament, (pages.folder / "desk.jsonl").stat().st_size
    token = re.findall(r'name="token" value="([^"]+)"', pages.page())[0]
    refusal = catalogue().text("refused.desk_unwritten")
    with full_disk(size):
        for act, form in forms.items():
            answer = pages.owner.post(f"/desk/{act}", data={"token": token, **form})
            assert (answer.status_code, refusal in answer.text) == (409, True), act
        assert pages.tournament == before
        assert pages.send("time") == 303
    assert pages.send("penalty", player="1", points="500", why="late") == 303


@pytest.mark.parametrize("text", ["x" * 201, "Cup\x07", "\u202eCup", "\u2066Cup"])
def test_a_text_that_is_no_line_is_refused_after_its_label_and_nothing_of_it_is_kept(pages: Pages, text: str) -> None:
    texts = catalogue()
    assert pages.open_tournament(title="\u200bCup\u200e  2026 \u2764\ufe0f " + "x" * 180) == 303
    assert pages.tournament.opening.title == "Cup 2026 \u2764\ufe0f " + "x" * 180
    assert pages.send("penalty", player="0", points="1000", why="late") == 303
    pages.hall.handle_message("tachiai/east/appeals", APPEALS)
    before = pages.tournament
    for act, field, form in (
        ("open", "title", {"rules": "home", "minutes": "75", "rounds": "1", "players": "\n".join(NAMES)}),
        ("penalty", "why", {"player": "1", "points": "500"}),
        ("cancel", "why", {"penalty": "0"}),
        ("appeal", "ruling", {"table": "east", "clip": "20261126-100000"}),
    ):
        label = texts.text("desk.event_title" if field == "title" else f"desk.{field}")
        refusal = texts.labelled(label, texts.text("refused.long_line", most=200))
        assert refusal in refused_page(pages, act, **form, **{field: text}), act
    assert pages.tournament == before


def test_a_form_that_is_tapped_twice_counts_once_and_another_one_from_the_same_page_counts(pages: Pages) -> None:
    assert pages.open_tournament() == 303
    assert pages.send("begin", round="1") == 303
    until = pages.tournament.until
    (mark,) = set(re.findall(r'name="mark" value="([^"]+)"', pages.page()))
    assert [pages.send("clock", mark=mark, minutes="5") for _ in range(2)] == [303, 303]
    assert moment(pages.tournament.until) - moment(until) == timedelta(minutes=5)
    for points in ("5000", "x", "5000", "x", "1000"):
        pages.send("penalty", mark=mark, player="0", points=points, why="late")
    assert [each.act.points for each in pages.tournament.penalties] == [5000, 1000]
    files = [(io.BytesIO(names.encode()), "names.csv") for names in ("a\nb\nc\nd", "a\nb\nc\nd", "e\nf\ng\nh")]
    openings = []
    for file in files:
        assert pages.open_tournament(mark=mark, players="", file=file) == 303
        openings.append(pages.tournament.opening)
    assert openings[0] == openings[1]
    assert set(openings[2].players) == {"e", "f", "g", "h"}


def test_a_round_is_begun_over_tables_without_a_result_only_after_a_question_that_names_them(pages: Pages) -> None:
    seating = "round,table,east,south,west,north\n1,1,a,b,c,d\n2,1,b,a,d,c"
    assert pages.open_tournament(players=seating) == 303
    question = 'type="checkbox" required> No result yet: Table 1.'
    assert question not in pages.page()
    assert pages.send("begin", round="1") == 303
    assert question in pages.page()
    scores = {f"score{seat}": "25000" for seat in range(4)}
    assert pages.send("result", round="1", table="1", **scores) == 303
    assert question not in pages.page()


def test_the_answer_to_a_refused_form_names_the_page_whose_clock_goes_on(pages: Pages) -> None:
    assert pages.open_tournament() == 303
    assert pages.send("begin", round="1") == 303
    answer = pages.owner.post("/desk/penalty", data={"token": form_token(pages.owner), "player": "0", "points": "x"})
    found = re.search(r'<body[^>]* data-address="([^"]+)"', answer.text)
    assert found is not None
    assert 'id="now"' in pages.page(found[1])
    assert "data-address" not in pages.page()


@pytest.mark.parametrize(
    ("act", "fields"),
    [
        ("open", "minutes rounds"),
        ("begin", "round"),
        ("clock", "minutes"),
        ("result", "round table score0 score3"),
        ("game", "round game"),
        ("penalty", "player points"),
        ("cancel", "penalty"),
        ("replace", "round player points"),
    ],
)
def test_whatever_is_typed_in_a_field_for_a_number_is_refused_in_a_sentence(
    pages: Pages, act: str, fields: str
) -> None:
    assert pages.open_tournament() == 303
    before = pages.tournament
    form = dict.fromkeys(("round", "table", "player", "points", "score0", "score1", "score2", "score3"), "1")
    form |= {"minutes": "75", "rounds": "1", "rules": "home", "players": "\n".join(NAMES), "by": "Sub", "game": "1"}
    for field, text in product(fields.split(), NO_NUMBERS[1:]):
        assert pages.send(act, **(form | {field: text})) == 409
    assert pages.tournament == before


@pytest.mark.parametrize("text", NO_NUMBERS[1:])
def test_the_desk_is_shown_whatever_round_its_address_names(pages: Pages, text: str) -> None:
    assert pages.open_tournament() == 303
    assert pages.owner.get("/desk", query_string={"round": text}).status_code == 200


def test_points_are_entered_as_the_hall_and_japanese_keyboards_write_them(pages: Pages) -> None:
    assert pages.open_tournament() == 303
    scores = {"score0": "40,000", "score1": "３００００", "score2": "20 000", "score3": "10’000"}
    assert pages.send("result", round="1", table="1", **scores) == 303
    entered = pages.tournament.entered_results[0, 0]
    assert entered.scores == (40000, 30000, 20000, 10000)


def test_a_result_entered_at_the_desk_is_shown_as_such_and_can_be_changed_or_withdrawn(pages: Pages) -> None:
    assert pages.open_tournament() == 303
    assert "Leave all four empty" not in pages.page()
    assert pages.send("result", round="1", table="1", **OTHER_SCORES) == 303
    form = form_of(pages.page(), "table-1")
    assert [f'value="{score}"' in form for score in OTHER_SCORES.values()] == [True] * 4
    assert "Leave all four empty" in form
    rows = list(csv.reader(pages.page("/desk/results.csv").splitlines()))[1:]
    assert {row[-1] for row in rows if row[1] == "1"} == {"told"}


def test_a_substitute_whose_name_cannot_be_seen_or_is_too_long_is_refused(pages: Pages) -> None:
    assert pages.open_tournament() == 303
    assert pages.send("replace", player="1", round="1", by="Zoe") == 303
    assert pages.send("replace", player="1", round="1", by="\u200b\u202e") == 409
    assert pages.send("replace", player="1", round="1", by="Z" * 61) == 409
    assert pages.tournament.replacements[0, 1].by == "Zoe"
    assert pages.send("replace", player="1", round="1", by="") == 303
    assert pages.tournament.replacements[0, 1].by == ""


def test_a_penalty_by_the_book_costs_what_its_article_says(pages: Pages) -> None:
    assert pages.open_tournament(rules="ema-2025") == 303
    page = pages.owner.get("/desk", headers={"Accept-Language": "ja"}).text
    assert '<option value="EMA late 1000">EMA：遅刻：1分ごと、10分まで（−1,000点）<' in page
    assert pages.send("penalty", player="1", article="EMA late 1000", times="12", why="") == 303
    assert pages.desk.tournament is not None
    (penalty,) = pages.desk.tournament.penalties
    assert (penalty.act.points, penalty.act.why) == (10000, "EMA late × 12")
    page = pages.owner.get("/desk", headers={"Accept-Language": "ja"}).text
    assert "EMA：遅刻：1分ごと、10分まで × 12" in page
    assert pages.send("penalty", player="2", article="EMA late 1000", times="1", why="bus") == 303
    assert "EMA: Late at the table: for each minute, up to ten × 1: bus" in pages.page()


def test_points_that_do_not_add_up_are_confirmed_first_and_another_sum_again(pages: Pages) -> None:
    assert pages.open_tournament(rules="ema-2025") == 303
    wrong = {"round": "1", "table": "2", "score0": "30000", "score1": "300000", "score2": "30000", "score3": "29000"}
    wrong["place"] = "table-2"
    page = pages.owner.post("/desk/result", data={"token": form_token(pages.owner), **wrong}).text
    assert "add up to 389000, not 120000" in page
    assert 'name="score1" inputmode="numeric" autocomplete="off" value="300000"' in page
    assert page.count('name="sure" value="389000"') == 1
    left_over = wrong | {"score1": "30000"}
    assert pages.send("result", **left_over, sure="389000") == 409
    assert pages.tournament.entered_results == {}
    assert pages.send("result", **left_over, sure="119000") == 303
    assert pages.tournament.entered_results[0, 1].scores == (30000, 30000, 30000, 29000)
    assert 'name="sure"' not in pages.page()


@pytest.mark.parametrize(
    ("place", "act", "one", "other"),
    [
        ("table-2", "result", {"round": "1", "table": "2"} | SCORES, OTHER_SCORES),
        ("move", "clock", {"minutes": "5"}, {"minutes": "10"}),
        ("penalty", "penalty", {"player": "0", "points": "1000"}, {"points": "2000"}),
        ("penalty-0", "cancel", {"penalty": "0", "why": "the bus"}, {"why": "the train"}),
        ("replace", "replace", {"player": "0", "round": "1", "by": "Sub"}, {"by": "Other"}),
        ("appeal-east-20261123-210305", "appeal", {"table": "east", "clip": "20261123-210305", "ruling": "x"}, {}),
        ("game-east-3-", "game", {"table": "east", "game": "3", "opened": "", "round": "1"}, {"round": "0"}),
        ("begin", "begin", {"round": "2"}, {}),
        ("time", "time", {}, {}),
    ],
)
def test_a_form_that_another_browser_has_overtaken_is_refused_and_goes_through_once_it_was_looked_at(
    pages: Pages, place: str, act: str, one: dict[str, str], other: dict[str, str]
) -> None:
    assert pages.open_tournament(players=TWO_ROUNDS, minutes="0" if act == "time" else "75") == 303
    assert pages.send("begin", round="1") == 303
    pages.hall.handle_message("tachiai/east/appeals", APPEALS)
    pages.hall.handle_message("tachiai/east/games", GAMES)
    assert pages.send("game", table="east", game="3", opened="", round="2") == 303
    assert pages.send("penalty", player="1", points="500") == 303
    second = one | other | {"seen": seen_value(pages.page(), place), "place": place}
    assert pages.send(act, **one) == 303
    before = pages.tournament
    page = refused_page(pages, act, **second)
    assert OVERTAKEN in page
    assert pages.tournament == before
    if act not in ("begin", "time", "cancel"):
        assert OVERTAKEN in form_of(page, place)
        assert pages.send(act, **second | {"seen": seen_value(page, place)}) == 303
        assert pages.tournament != before or not other


def test_a_form_of_the_tournament_before_changes_nothing_of_the_new_one(pages: Pages) -> None:
    assert pages.open_tournament() == 303
    assert pages.send("begin", round="1") == 303
    page = pages.page()
    assert pages.open_tournament(title="Final") == 303
    for place, act in (("penalty", "penalty"), ("table-1", "result"), ("open", "open")):
        form = {"player": "0", "points": "1000", "round": "1", "table": "1", "seen": seen_value(page, place)} | SCORES
        assert OVERTAKEN in refused_page(pages, act, **form)
    assert pages.tournament.penalties == ()


def test_what_cannot_be_undone_asks_first(pages: Pages) -> None:
    assert pages.open_tournament(players=TWO_ROUNDS) == 303
    asks = 'type="checkbox" required>'
    assert asks in form_of(pages.page(), "begin")
    assert pages.send("begin", round="1") == 303
    assert asks in form_of(pages.page(), "time")
    assert asks in form_of(pages.page(), "begin")
    assert pages.send("time") == 303
    page = pages.page()
    assert "/desk/time" not in page
    assert "/desk/clock" not in page
    assert "the tables end their games, whatever the clock shows" in refused_page(pages, "clock", minutes="20")
    assert "the tables end their games" in refused_page(pages, "time")


def test_a_refusal_stands_at_its_form_which_keeps_what_was_typed(pages: Pages) -> None:
    assert pages.open_tournament(rules="ema-2025") == 303
    fields = {"player": "3", "points": "many", "times": "2", "why": "phone", "place": "penalty"}
    page = refused_page(pages, "penalty", **fields)
    form = form_of(page, "penalty")
    assert page.count("Enter a whole number") == form.count("Enter a whole number") == 1
    assert all(f'value="{typed}"' in form for typed in ("many", "2", "phone"))
    assert '<option value="3" selected>' in form
    gone = refused_page(pages, "cancel", penalty="7", why="x", place="penalty-7")
    assert gone.index('role="alert">') < gone.index("<main")


@pytest.mark.parametrize(
    ("act", "fields", "label"),
    [
        ("open", "players=A,B,C,D rounds=2 rules=ema-2025 minutes=", "Minutes per round (0: no clock)"),
        ("open", "players=A,B,C,D rounds= minutes=75", "Rounds, for a list of names"),
        ("result", "round=1 table=1 score0=25000 score1=25000 score2= score3=50000", "West"),
        ("penalty", "player=0 points=many times=1", "Points off the total"),
        ("penalty", "player=0 points=1000 times=", "How many"),
        ("replace", "player=0 round= by=Sub points=", "Round"),
        ("replace", "player=0 round=1 by=Sub points=x", "Points for the round, with uma"),
        ("clock", "minutes=x", "Minutes"),
    ],
)
def test_the_refusal_of_a_number_names_its_field(pages: Pages, act: str, fields: str, label: str) -> None:
    assert pages.open_tournament(rules="ema-2025") == 303
    form = {name: value.replace(",", "\n") for name, _, value in (each.partition("=") for each in fields.split(" "))}
    assert f'role="alert">{label}: Enter a whole number from ' in refused_page(pages, act, **form)


def test_nothing_that_is_typed_is_ignored(pages: Pages) -> None:
    assert pages.open_tournament(rules="ema-2025") == 303
    assert pages.send("penalty", player="0", points="1000", times="3", why="phone") == 303
    assert pages.send("penalty", player="0", article="EMA late 1000", times="2", points="") == 303
    penalties = [(each.act.points, each.act.why) for each in pages.tournament.penalties]
    assert penalties == [(3000, "1000 × 3: phone"), (2000, "EMA late × 2")]
    sentences = {
        ("penalty", "player=0 article=EMA+late+1000 times=1 points=500"): "An article has its own points",
        ("penalty", "player=0 article=EMA+gone+1 times=1"): OVERTAKEN,
        ("penalty", "player=0 points=1000000 times=2"): "Enter a whole number from 1 to 1000000",
        ("penalty", "player=0 article= points= times=1"): "Choose an article, or enter the points.",
        ("penalty", "player= points=500 times=1"): "Choose a player.",
        ("replace", "player= round=1 by=Sub"): "Choose a player.",
        ("replace", "player=0 round=9 by=Sub"): "Enter a whole number from 1 to 1, not 9.",
        ("game", "table=east game=1 round=9"): "Enter a whole number from 0 to 1, not 9.",
        ("cancel", "penalty=0"): "Say why.",
        ("replace", "player=0 round=1 points=-30000"): "Enter the substitute’s name.",
        ("replace", "player=0 round=1"): "Enter the substitute’s name.",
        ("result", "round=1 table=1"): "Enter the points of all four.",
        ("clock", "minutes=-90"): "The round would be over then",
    }
    assert pages.send("begin", round="1") == 303
    before = pages.tournament
    for (act, typed), sentence in sentences.items():
        fields = dict(each.split("=") for each in typed.split())
        assert sentence in refused_page(pages, act, **{name: text.replace("+", " ") for name, text in fields.items()})
    assert pages.tournament == before
    names, file = "\n".join(NAMES), (io.BytesIO(b"a\nb\nc\nd"), "names.csv")
    answer = pages.owner.post("/desk/open", data={"token": form_token(pages.owner), "players": names, "file": file})
    assert "in the field or choose a file, not both" in answer.text


def test_who_plays_in_a_round_is_no_substitute_in_it(pages: Pages) -> None:
    assert pages.open_tournament(players=TWO_ROUNDS) == 303
    player = pages.tournament.opening.players.index
    ann, jun = str(player("Ann O’Neil")), str(player("陳大文"))
    for by in ("ann o’neil", "陳大文", "李雷"):
        assert "plays in this round already" in refused_page(pages, "replace", player=jun, round="1", by=by)
    assert pages.send("replace", player=ann, round="1", by="Sub") == 303
    assert "Sub plays in this round already" in refused_page(pages, "replace", player=jun, round="1", by="Sub")
    assert pages.send("replace", player=jun, round="2", by="Sub") == 303
    assert pages.send("replace", player=ann, round="1", by="Sub", points="-30000") == 303
    assert pages.send("replace", player=ann, round="1", by="") == 303
    assert pages.tournament.replacements[0, int(ann)].by == ""
