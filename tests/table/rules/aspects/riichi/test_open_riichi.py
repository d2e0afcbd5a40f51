"""Open riichi (開立直): one han more, a wait that all know, and a yakuman from a seat that was warned."""

from __future__ import annotations

from typing import Any

import pytest

from table.rules.events import RiichiOpened
from table.rules.scoring.waits import waits_of_part
from table.rules.terms.announcements import AnnouncementId, Scope
from table.rules.terms.rule_errors import ImpossibleEventError, InvalidValueError
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import parse_tiles
from tests.table.rules.hands import value
from tests.table.rules.situations import TANYAO, Table, discards, play, settlement_of

ROUND = discards("9m 9p 9s 1z")
OPEN_RIICHI = f"{ROUND}; 0 riichi; 0 discards 5z sideways; 0 opens 34567p; 0 stick"
PINFU = ("234m567p34s678s99s", "5s")


def open_riichi_table(text: str = OPEN_RIICHI, **switches: object) -> Table:
    return play(text, open_riichi=True, ura_dora=False, **switches)


def won_from_1(**switches: object) -> Table:
    """Seat 0 has declared open riichi and rons seat 1."""
    return open_riichi_table(OPEN_RIICHI, **switches).feed(f"1 discards 2p; 0 ron; 0 shows {TANYAO}; confirm")


@pytest.mark.parametrize(("switch", "han"), [(True, 2), (False, 1)])
def test_an_open_riichi_is_two_han_where_it_is_played(switch: bool, han: int) -> None:
    table = play(f"{OPEN_RIICHI}; 1 discards 1m; 2 discards 1m; 3 discards 1m; 0 discards 1m", open_riichi=switch)
    table.feed(f"1 discards 9m; 2 discards 2p; 0 ron; 0 shows {TANYAO}; 0 ura 1z; confirm")
    yaku = dict(settlement_of(table).wins[0].yaku)
    assert yaku.get("open_riichi", 0) + yaku.get("riichi", 0) == han
    assert ("open_riichi" in yaku) is switch


def test_a_double_riichi_laid_open_is_three_han() -> None:
    table = open_riichi_table(
        "0 discards 5z sideways; 0 opens 34567p; 0 stick; 1 discards 9m; 2 discards 9m; 3 discards 9m"
    )
    table.feed(f"0 discards 1m; 1 discards 2p; 0 ron; 0 shows {TANYAO}; confirm")
    assert dict(settlement_of(table).wins[0].yaku)["double_open_riichi"] == 3


@pytest.mark.parametrize(("switch", "yakuman"), [(True, 1), (False, 0)])
def test_a_deal_in_by_a_seat_not_in_riichi_is_a_yakuman_by_a_switch_of_its_own(switch: bool, yakuman: int) -> None:
    (win,) = settlement_of(won_from_1(open_riichi_yakuman=switch)).wins
    assert win.yakuman == yakuman
    assert (win.yaku == (("open_riichi_yakuman", 13),)) is switch
    assert win.points == (48000 if switch else 12000)


def test_a_deal_in_by_a_seat_in_riichi_or_a_tsumo_is_no_yakuman() -> None:
    both = open_riichi_table(open_riichi_yakuman=True).feed(
        "1 discards 1s sideways; 1 stick; 2 discards 1s; 3 discards 1s"
    )
    both.feed(f"0 discards 1m; 1 discards 2p; 0 ron; 0 shows {TANYAO}; confirm")
    assert settlement_of(both).wins[0].yakuman == 0
    drawn = open_riichi_table(open_riichi_yakuman=True).feed(discards("1m 2m 3m", 1))
    drawn.feed(f"0 tsumo; 0 shows {TANYAO} with 2p; confirm")
    assert settlement_of(drawn).wins[0].yakuman == 0


def test_a_seat_whose_own_declaration_tile_deals_in_is_not_in_riichi() -> None:
    table = open_riichi_table(open_riichi_yakuman=True).feed(
        f"1 discards 2p sideways; 0 ron; 0 shows {TANYAO}; confirm"
    )
    assert settlement_of(table).wins[0].yakuman == 1


def test_the_yakuman_adds_to_others_and_needs_an_open_riichi() -> None:
    ruleset = play("", open_riichi=True, open_riichi_yakuman=True).ruleset
    green = ("22334466888s66z", "6z")
    facts: dict[str, Any] = {"riichi": 1, "fed_outside_riichi": True}
    assert value(*green, ruleset=ruleset, is_open_riichi=True, **facts).yakuman == 2
    assert value(*green, ruleset=ruleset, **facts).yakuman == 1
    assert value(*PINFU, ruleset=ruleset, is_open_riichi=True, riichi=1, is_tsumo=True).yakuman == 0


@pytest.mark.parametrize(
    "text",
    [
        f"{ROUND}; 0 opens 34567p; 0 discards 5z sideways",
        f"{ROUND}; 0 discards 5z sideways; 0 opens 34567p",
        f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 1m; 0 opens {TANYAO}",
    ],
    ids=["before the tile", "after it", "the whole hand, before the own next discard"],
)
def test_tiles_laid_open_with_the_declaration_are_no_foul_and_the_wait_is_told_to_all(text: str) -> None:
    table = open_riichi_table(text)
    assert table.clauses == []
    announcement = table.one(AnnouncementId.OPEN_RIICHI)
    assert (announcement.scope, announcement.seat, announcement.args) == (
        Scope.PUBLIC,
        0,
        {"tiles": ["2p", "5p", "8p"], "known": True},
    )


@pytest.mark.parametrize(
    ("text", "switch"),
    [
        (f"{ROUND}; 0 discards 5z sideways; 0 opens 34567p", False),
        (f"{ROUND}; 0 opens 34567p; 0 discards 5z", True),
        (f"{OPEN_RIICHI}; {discards('1m 1m 1m 1m', 1)}; 0 opens 34567p", True),
    ],
    ids=["not played here", "no riichi declared", "too late"],
)
def test_7_06_01_tiles_laid_open_otherwise_are_asked_about(text: str, switch: bool) -> None:
    table = play(text, open_riichi=switch)
    assert table.clauses == [("7-06-01", 0)]


def test_tiles_laid_open_too_late_open_no_riichi() -> None:
    late = f"{ROUND}; 0 discards 5z sideways; 0 stick; {discards('1m 1m 1m 1m', 1)}; 0 opens 34567p"
    table = open_riichi_table(late)
    assert not table.hand.riichi[0].is_laid_open


def test_the_furiten_of_an_open_riichi_is_told_to_all() -> None:
    at_once = open_riichi_table(f"0 discards 2p; {discards('9m 9m 9m', 1)}; 0 discards 5z sideways; 0 opens 34567p")
    assert [
        (announcement.scope, announcement.args["kind"])
        for announcement in at_once.announcements
        if announcement.id is AnnouncementId.FURITEN
    ] == [(Scope.PUBLIC, "discard")]
    later = open_riichi_table().feed("1 discards 5p; 2 discards 1m")
    furiten = [
        (announcement.scope, announcement.args["kind"])
        for announcement in later.announcements
        if announcement.id is AnnouncementId.FURITEN
    ]
    assert furiten == [(Scope.PUBLIC, "riichi")]


def test_a_hand_laid_open_that_waits_for_nothing_is_asked_about() -> None:
    table = open_riichi_table(f"{ROUND}; 0 discards 5z sideways; 0 opens 1379m1379p1379s1z")
    assert table.clauses == [("7-05-07", 0)]
    assert table.one(AnnouncementId.OPEN_RIICHI).args == {"tiles": [], "known": False}


def test_tiles_that_cannot_all_be_in_the_set_are_refused() -> None:
    with pytest.raises(ImpossibleEventError, match="expected at most 4 copies of 9s"):
        open_riichi_table("0 discards 9s; 1 opens 9999s")
    with pytest.raises(InvalidValueError, match="from 1 to 13 tiles"):
        RiichiOpened(seat=Seat.NEAR, tiles=())


def test_a_ronned_declaration_tile_opens_no_riichi() -> None:
    table = open_riichi_table(f"{ROUND}; 0 discards 5p sideways; 0 opens 34567p; 1 ron; 1 shows {TANYAO}; confirm")
    assert settlement_of(table).deltas[0] < 0
    assert table.state.deposits == 0


@pytest.mark.parametrize(
    ("tiles", "waits"),
    [
        ("45p", "36p"),
        ("5p", "5p"),
        ("44m55p", "4m 5p"),
        ("34567p", "258p"),
        ("3444m", "235m"),
        ("13m", "2m"),
        ("45p1z", ""),
        ("4p?", ""),
        ("19m19p19s1234567z", "19m 19p 19s 1234567z"),
    ],
)
def test_a_part_of_a_hand_tells_its_wait(tiles: str, waits: str) -> None:
    found = waits_of_part(parse_tiles(tiles))
    assert found == {tile.kind for tile in parse_tiles(waits.replace(" ", ""))}


def test_tiles_laid_open_stay_open_though_another_seat_puts_its_tile_back() -> None:
    table = open_riichi_table("0 discards 5z sideways; 1 discards 1m; 0 opens 34567p; 1 puts-back; 1 discards 1p")
    assert table.hand.riichi[0].is_laid_open


@pytest.mark.parametrize("text", ["2 opens 34567p; 2 riichi-told", "2 riichi-told; 2 opens 34567p"])
def test_tiles_laid_open_beside_a_riichi_that_is_told_where_nobody_watched_open_it(text: str) -> None:
    assert open_riichi_table(text).hand.riichi[2].is_laid_open


@pytest.mark.parametrize("text", ["0 opens 34567p; 0 discards 5z sideways", "0 discards 5z sideways; 0 opens 34567p"])
def test_the_wait_that_an_open_riichi_shows_is_known_no_more_when_its_tile_is_put_back(text: str) -> None:
    assert open_riichi_table(f"{ROUND}; {text}").hand.declared_waits[0] is not None
    assert open_riichi_table(f"{ROUND}; {text}; 0 puts-back").hand.declared_waits[0] is None
    wait = open_riichi_table(f"{ROUND}; {text}; 0 waits 19m; 0 puts-back").hand.declared_waits[0]
    assert wait == frozenset(tile.kind for tile in parse_tiles("19m"))
