from __future__ import annotations

import re
import string
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from typing import Any

import pytest
from babel.messages.pofile import read_po

from table.dashboard.scores.changeovers import changeovers_view
from table.game.announcement_json import camera_announcement
from table.game.journal.entries import NOBODY
from table.game.snapshot import CameraHealth
from table.i18n import (
    MissingTextError,
    PoError,
    adjustment_text,
    announcement_sentence,
    catalogue,
    languages,
    lasting_names,
    message_catalogue,
    payments_text,
    seat_name,
    tile_name,
)
from table.i18n.event_text import event_sentence
from table.i18n.po_file import parse_po
from table.rulebook.clause_texts import SIMPLIFIED, TRADITIONAL, book_languages
from table.rules.notation.event_notation import parse_event
from table.rules.notation.notation_forms import FORMS
from table.rules.terms.announcements import Announcement, AnnouncementId
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import KIND_TILES, Tile
from table.rules.terms.yaku import YAKU
from tests.places import ROOT
from vision.felt import CLASSES

ENGLISH = catalogue("en")
ARGS: dict[str, list[dict[str, Any]]] = {
    "camera_lost": [{}, {"why": "dark"}, {"why": "even"}, {"why": "blurred"}],
    "riichi_accepted": [{"stick": True}, {"stick": False}],
    "riichi_void": [{}, {"by": "foul"}, {"by": "put_back"}],
    "open_riichi": [{"tiles": ["3p", "6p"], "known": True}, {"tiles": [], "known": False}],
    "ippatsu_closed": [{"by": by} for by in ("call", "own_discard", "declaration_called", "kan")],
    "kan_count": [{"count": 2}],
    "tiles_left": [{"count": 4}],
    "furiten": [{"kind": kind, "tiles": ["1m"]} for kind in ("discard", "temporary", "riichi")],
    "win_void": [
        *({"why": why} for why in ("dead_hand", "no_win", "furiten", "tsumogiri_only", "early_draw")),
        {"why": "foul", "from": 2},
    ],
    "meld_points_wrong_way": [{"points_at": 1, "from": 2}],
    "settled_without": [{"missing": ["ura 1", "unseen 1", "dora"], "unseen": {"1": ["ippatsu", "last_tile"]}}],
    "hand_left_open": [{"missing": ["discarder 1"]}],
    "missing_discard": [{"expected": 3}, {"tile": None}],
    "impossible_reading": [{"tile": "5p"}],
    "doubt": [
        {"tile": "5p", "alternatives": [["6p", 0.2]]},
        {"tile": None, "alternatives": []},
        {"tile": "7z", "kind": "added_kan"},
        {"tile": "3m", "kind": "indicator"},
    ],
    "settlement_proposed": [{"kind": kind, "deltas": [0] * 4} for kind in ("ron", "tsumo", "draw", "abort")],
    "settlement_confirmed": [
        *({"kind": kind, "deltas": [0] * 4} for kind in ("ron", "tsumo", "draw", "abort")),
        *({"kind": "abort", "penalty": reason, "deltas": [0] * 4} for reason in ("chombo", "replay", "bust")),
    ],
    "moment_kept": [{"at": "21:03", "seconds": 90}],
    "moment_lost": [{"at": "21:03"}],
    "seat_taken": [{"way": way} for way in ("word", "pin", "owner", "others")],
    "foul_agreed": [{"first": 0, "second": 3}, {"first": 1, "second": "owner"}],
    "seat_asked": [{}, {"asker": "Hana"}, {"asker": "Hana", "is_entered": True}],
    "seats_swapped": [{"what": what, "seats": [0, 1]} for what in ("swapped", "swapped_results", "undone")],
    "later_hands": [{"what": what, "hands": [["E1", 0], ["S4", 2]]} for what in ("over", "unfit", "back")],
    "time_signal": [{"last": last} for last in ("none", "this_hand", "next_hand")],
    "points_adjusted": [{"deltas": [-1000, 1000, 0, 0], "sticks": 0}, {"deltas": [0] * 4, "sticks": 1, "honba": 2}],
    "hand_started": [{"round": "E1", "dealer": 0, "honba": honba, "deposits": 0} for honba in (0, 1)],
}
"""Arguments as `Saying` documents them; none for those not named."""


def announcement(saying: str, args: dict[str, Any], seat: int | None = 1) -> Announcement:
    return Announcement(id=AnnouncementId(saying), seat=None if seat is None else Seat(seat), args=args)


def test_every_language_has_the_penalty_catalogue() -> None:
    with_book = {*book_languages(), SIMPLIFIED, TRADITIONAL}
    missing = [f"table/rulebook/texts/{language}.toml" for language in languages() if language not in with_book]
    assert missing == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("saying", [saying.value for saying in AnnouncementId])
def test_every_announcement_has_a_sentence_in_every_language(language: str, saying: str) -> None:
    for args in ARGS.get(saying, [{}]):
        assert announcement_sentence(announcement(saying, args), Seat.NEAR, catalogue(language)).strip()


@pytest.mark.parametrize("tile", [None, "?"])
def test_a_discard_that_could_not_be_read_is_asked_for_and_not_given_a_name(tile: str | None) -> None:
    doubt = announcement("doubt", {"tile": tile, "alternatives": []})
    sentence = announcement_sentence(doubt, Seat.NEAR, ENGLISH)
    assert sentence == "South’s discard could not be read: which tile is it?"


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_texts_of_the_english_one_with_the_same_placeholders(language: str) -> None:
    def holes(texts: dict[str, str]) -> dict[str, set[str]]:
        return {key: {hole for _, hole, _, _ in string.Formatter().parse(text) if hole} for key, text in texts.items()}

    assert holes(dict(catalogue(language).texts)) == holes(dict(ENGLISH.texts))


@pytest.mark.parametrize("language", languages())
def test_gettext_tools_read_the_same_texts_in_every_catalogue(language: str) -> None:
    with resources.files("table.i18n").joinpath(f"{language}.po").open("rb") as file:
        read = read_po(file, abort_invalid=True)
    assert {message.id: message.string for message in read if message.id} == catalogue(language).texts


@pytest.mark.parametrize("language", languages())
def test_every_catalogue_says_its_language_and_holds_nothing_but_finished_singular_texts(language: str) -> None:
    with resources.files("table.i18n").joinpath(f"{language}.po").open("rb") as file:
        read = read_po(file, abort_invalid=True)
    head = dict(read.mime_headers)
    assert (head["Language"], head["Content-Type"]) == (language.replace("-", "_"), "text/plain; charset=utf-8")
    assert not read.obsolete
    for message in read:
        assert (bool(message.string), message.fuzzy, message.pluralizable, message.context) == (
            True,
            False,
            False,
            None,
        )
    assert [error for _, errors in read.check() for error in errors] == []


@pytest.mark.parametrize("face", CLASSES)
def test_every_face_has_a_name(face: str) -> None:
    assert f"tile.{face}" in ENGLISH.texts


@pytest.mark.parametrize("reason", [reason.value for reason in AbortReason])
def test_every_abort_has_a_name(reason: str) -> None:
    assert f"abort.{reason}" in ENGLISH.texts


@pytest.mark.parametrize("yaku", YAKU)
def test_every_yaku_has_a_name(yaku: str) -> None:
    assert f"yaku.{yaku}" in ENGLISH.texts


def test_every_refusal_is_one_that_the_program_says() -> None:
    sources = [path for room in ("table", "vision") for path in (ROOT / room).rglob("*.py")]
    words = {name for path in sources for name in re.findall(r'"(\w+)"', path.read_text(encoding="utf-8"))}
    assert {key for key in ENGLISH.texts if key.startswith("refused.")} - {f"refused.{name}" for name in words} == set()


WITH_A_NUMBER = re.compile(
    r"\{\w+\} (?:[a-z]+ ){0,2}(?:chips|days|differences|games|hands|minutes|places|players|rounds|sticks|tables)\b"
)
"""A number that may be 1 before a noun in the plural; the other languages have no plural."""
NEVER_ONE = ("desk.csv_players", "desk.more_games", "desk.searching", "follows.outside", "result.with_counters")
"""Texts whose number is always above 1, or that have another text for 1."""


def test_no_english_text_counts_one_of_something_in_the_plural() -> None:
    found = {key for key, text in ENGLISH.texts.items() if WITH_A_NUMBER.search(text)}
    assert found == set(NEVER_ONE)


def test_a_seat_is_called_by_its_wind_in_that_hand() -> None:
    assert seat_name(1, Seat.NEAR, ENGLISH) == "South"
    assert seat_name(1, Seat.RIGHT, ENGLISH) == "East"


def test_tiles_are_named_in_words() -> None:
    assert tile_name("0p", ENGLISH) == "red 5 pin"
    assert len({tile_name(tile.text, ENGLISH) for tile in KIND_TILES}) == 34
    assert tile_name(Tile("5z").text, ENGLISH) == "white dragon"


def test_seats_and_tiles_in_arguments_become_words() -> None:
    points_at = announcement("meld_points_wrong_way", {"points_at": 1, "from": 2}, seat=3)
    assert (
        announcement_sentence(points_at, Seat.NEAR, ENGLISH)
        == "North’s sideways tile points at South; West discarded it."
    )
    chombo = {"kind": "abort", "penalty": "chombo", "deltas": [0] * 4}
    assert announcement_sentence(announcement("settlement_proposed", chombo), Seat.NEAR, ENGLISH).startswith(
        "A chombo is ready"
    )
    assert announcement_sentence(announcement("settlement_confirmed", chombo), Seat.NEAR, ENGLISH).startswith(
        "Chombo settled: "
    )
    started = announcement("hand_started", {"round": "S2", "dealer": 3, "honba": 0, "deposits": 0}, seat=None)
    assert announcement_sentence(started, Seat.LEFT, ENGLISH) == "South 2 begins. Dealer: East."


def test_the_start_of_a_hand_with_honba_says_how_many() -> None:
    started = announcement("hand_started", {"round": "E1", "dealer": 0, "honba": 2, "deposits": 0}, seat=None)
    sentences = [announcement_sentence(started, Seat.NEAR, catalogue(language)) for language in ("en", "ja", "zh-Hant")]
    assert sentences == [
        "East 1, 2 honba, begins. Dealer: East.",
        "東1局 2本場開始。親は東家。",
        "東1局 2本場開始，東家為莊家。",
    ]


def test_a_camera_that_players_can_help_is_announced_with_what_to_do() -> None:
    for reason, advice in (
        ("dark", "Switch the light on"),
        ("even", "Something covers"),
        ("blurred", "Wipe its lens"),
        ("", "lost the table"),
    ):
        announcement = camera_announcement(CameraHealth.LOST, 1, reason=reason).announcement
        assert advice in announcement_sentence(announcement, Seat.NEAR, ENGLISH)


@pytest.mark.parametrize(
    ("language", "payments", "change"),
    [
        ("ja", "席1 +2,000、Benさん −2,000", "席1に代わってBenさんが着席。これより前の局は席1のもの。"),
        ("ko", "자리 1 +2,000, Ben 씨 −2,000", "자리 1 대신 Ben 씨 착석. 이전 국은 자리 1의 기록입니다."),
    ],
)
def test_the_number_of_a_seat_has_no_form_of_address(language: str, payments: str, change: str) -> None:
    texts, names = catalogue(language), ("", "Ben", "", "")
    assert payments_text([2000, -2000, 0, 0], Seat.NEAR, texts, lasting_names(names, texts)) == payments
    (line,) = changeovers_view([NOBODY], ("Ben", "", "", ""), texts)
    assert line["text"] == change


def test_a_settlement_says_who_gets_and_who_pays() -> None:
    ron = announcement("settlement_confirmed", {"kind": "ron", "deltas": [0, -3900, 0, 3900], "scores": [0] * 4}, None)
    assert announcement_sentence(ron, Seat.RIGHT, ENGLISH) == "Ron settled: West +3,900, East −3,900."
    stick = {"kind": "abort", "deltas": [-1000, 0, 0, 0], "riichi": [0, 1]}
    assert announcement_sentence(announcement("settlement_confirmed", stick, None), Seat.NEAR, ENGLISH) == (
        "Abortive draw settled: South 0 (riichi stick included), East −1,000 (riichi stick included)."
    )
    drawn = announcement("settlement_confirmed", {"kind": "abort", "deltas": [0, 0, 0, 0]}, None)
    assert announcement_sentence(drawn, Seat.RIGHT, ENGLISH) == "Abortive draw settled: nobody pays."


@pytest.mark.parametrize(
    ("points", "others", "text"),
    [
        ((-1000, 1000, 0, 0), {}, "East −1,000 → South +1,000"),
        ((-2000, 1000, 1000, 0), {}, "East −2,000, South +1,000, West +1,000"),
        ((1000, 1000, 0, 0), {}, "East +1,000, South +1,000"),
        ((-1000, 0, 0, 0), {"sticks": 1}, "East −1,000, riichi sticks on the table +1"),
        ((0, 0, 0, 0), {"sticks": -1, "honba": 2}, "riichi sticks on the table −1, honba now 2"),
    ],
)
def test_a_correction_says_who_pays_whom_and_what_else_changes(
    points: tuple[int, ...], others: dict[str, Any], text: str
) -> None:
    assert adjustment_text(points, Seat.NEAR, ENGLISH, **others) == text
    told = announcement("points_adjusted", {"deltas": points, **others, "reason": "miscounted"}, None)
    assert text in announcement_sentence(told, Seat.NEAR, ENGLISH)


def test_a_phone_without_a_seat_asks_for_one_by_the_name_that_it_gives() -> None:
    for args, asker in (({}, "Another phone"), ({"asker": "Hana", "is_entered": True}, "A phone named “Hana”")):
        sentence = announcement_sentence(announcement("seat_asked", args, 1), Seat.NEAR, ENGLISH)
        assert sentence.startswith(f"{asker} asks for South’s seat.")


def test_a_missing_language_key_or_argument_is_named() -> None:
    with pytest.raises(MissingTextError, match=r"expected a language out of .*en.*, got 'tlh'"):
        catalogue("tlh")
    with pytest.raises(MissingTextError, match=r"'say.nothing'"):
        ENGLISH.text("say.nothing")
    with pytest.raises(MissingTextError, match=r"'count' for the text 'say.kan_count'"):
        ENGLISH.text("say.kan_count")


def test_a_catalogue_reads_comments_continued_lines_and_escapes() -> None:
    text = '# Said first.\nmsgid ""\nmsgstr "Language: en\\n"\n\nmsgid "a"\nmsgstr "one "\n"\\"two\\""\n'
    assert parse_po(text, "x.po") == {"a": 'one "two"'}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('msgstr "a"', "expected msgid first, .* in x.po, line 1"),
        ('msgid "a"\nmsgstr a', "in x.po, line 2"),
        ('msgid "a"\nmsgstr "1"\nmsgid "a"\nmsgstr "2"', "expected each key once, got 'a' again in x.po"),
    ],
)
def test_a_broken_catalogue_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(PoError, match=message):
        parse_po(text, "x.po")


@pytest.mark.parametrize("language", languages())
def test_every_event_has_a_sentence_in_every_language(language: str) -> None:
    sentences = {event_sentence(parse_event(form.example), Seat.NEAR, catalogue(language), "x") for form in FORMS}
    assert len(sentences) == len(FORMS)
    assert not any("{" in sentence for sentence in sentences)


def test_many_phones_that_ask_at_once_wait_for_one_reading_of_a_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve readings at once took memory twelve times, and Python's own parser failed at them: a page was lost."""
    begin, read = threading.Barrier(12), list[str]()

    def note_reading(text: str, place: str) -> dict[str, str]:
        read.append(place)
        return parse_po(text, place)

    def ask(_: int) -> str:
        begin.wait()
        return catalogue("ko").text("page.language")

    monkeypatch.setattr(message_catalogue, "parse_po", note_reading)
    message_catalogue._read.cache_clear()
    with ThreadPoolExecutor(max_workers=12) as phones:
        assert set(phones.map(ask, range(12))) == {"한국어"}
    assert read == ["ko.po"]


@pytest.mark.parametrize(("language", "text"), [("en", "Ann, Ben"), ("ja", "Ann、Ben"), ("ko", "Ann, Ben")])
def test_items_stand_in_one_line_with_the_language_s_own_comma(language: str, text: str) -> None:
    assert catalogue(language).list_text(("Ann", "Ben")) == text


def test_both_who_agreed_on_a_foul_are_called_politely_in_japanese() -> None:
    agreed = Announcement(id=AnnouncementId.FOUL_AGREED, args={"first": "太郎", "second": "owner"})
    assert announcement_sentence(agreed, Seat.NEAR, catalogue("ja")) == "太郎さんと管理者が同意しました。"
