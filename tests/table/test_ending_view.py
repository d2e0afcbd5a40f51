from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.rules.events import HandShown, WinKind
from table.rules.results import AbortReason
from table.rules.seats import Seat
from table.rules.state import Claim, Ippatsu, Phase, Riichi, RiichiStage
from table.rules.tiles import Tile, parse_tiles
from table.rules.value import HandValue, Payments
from tests.table.test_views import HAND, NONE_RIICHI, RON, four, view

TSUMO = Claim(seat=Seat.RIGHT, kind=WinKind.TSUMO, from_seat=Seat.RIGHT)
SHOWN = HandShown(seat=Seat.RIGHT, tiles=parse_tiles("678s22p234m55m"), winning_tile=Tile("0m"))
VALUE = HandValue(han=3, fu=30, yaku=(("riichi", 1), ("red_five", 1)), payments=Payments(from_others=2000))


def claimed(**fields: Any) -> dict[str, Any]:
    ending: dict[str, Any] = view(replace(HAND, phase=Phase.CLAIMED, claims=(TSUMO,), **fields))["ending"]
    return ending


def test_nothing_ends_while_the_hand_is_played_or_once_it_is_settled() -> None:
    assert view()["ending"] is None
    assert view(replace(HAND, phase=Phase.SETTLED, proposal=RON))["ending"] is None


def test_a_claimed_win_asks_for_its_hand() -> None:
    ending = claimed()
    assert ending["title"] == "East draws the win"
    assert ending["missing"] == ["East’s hand"]
    assert ending["wins"][0]["tiles"] == []
    assert ending["deltas"] is None


def test_a_shown_win_lists_its_tiles_in_order_with_the_winning_one_last() -> None:
    tiles = claimed(shown=four(Seat.RIGHT, SHOWN, None))["wins"][0]["tiles"]
    assert [tile["face"] for tile in tiles] == ["2m", "3m", "4m", "5m", "5m", "2p", "2p", "6s", "7s", "8s", "0m"]
    assert [tile["is_last"] for tile in tiles] == [False] * 10 + [True]


def test_a_valued_win_tells_its_value_and_yaku() -> None:
    ending = claimed(shown=four(Seat.RIGHT, SHOWN, None), values=four(Seat.RIGHT, VALUE, None))
    assert ending["wins"][0]["value"] == "3 han 30 fu · 6,000 points"
    assert ending["wins"][0]["yaku"] == ["Riichi 1", "Red five 1"]
    assert ending["missing"] == []


def test_a_counted_win_needs_no_hand() -> None:
    counted = replace(TSUMO, han=4, fu=40)
    ending = view(replace(HAND, phase=Phase.CLAIMED, claims=(counted,)))["ending"]
    assert ending["wins"][0]["value"] == "4 han 40 fu"
    assert ending["missing"] == []


def test_what_a_settlement_waits_for_is_named() -> None:
    waiting = claimed(missing=("stick 0", "ura 1", "dora", "hand 1", "tenpai 2"))["missing"]
    assert waiting == [
        "North’s riichi stick",
        "the ura indicators",
        "the kan’s dora indicator",
        "East’s hand",
        "South: tenpai or not",
    ]


def test_a_riichi_win_asks_for_the_ura_indicators_while_only_they_keep_its_value_open() -> None:
    riichi = {"riichi": four(Seat.RIGHT, Riichi(stage=RiichiStage.ACCEPTED), NONE_RIICHI)}
    shown = {"shown": four(Seat.RIGHT, SHOWN, None)}
    assert claimed(**riichi, **shown)["missing"] == ["the ura indicators"]
    assert claimed(**riichi, **shown, ura=(Tile("1m"),))["missing"] == []
    assert claimed(**riichi, **shown, values=four(Seat.RIGHT, VALUE, None))["missing"] == []


def test_a_settled_hand_leaves_no_stick_and_no_badge() -> None:
    riichi = four(Seat.NEAR, Riichi(stage=RiichiStage.ACCEPTED), NONE_RIICHI)
    seat = view(replace(HAND, phase=Phase.SETTLED, riichi=riichi, ippatsu=(Ippatsu.OPEN,) * 4))["seats"][0]
    assert (seat["stick"], seat["badges"]) == (False, [])


def test_a_proposed_settlement_tells_the_payments() -> None:
    ending = claimed(proposal=RON)
    assert ending["deltas"] == [-3900, 0, 3900, 0]
    assert ending["delta_texts"] == ["−3,900", "0", "+3,900", "0"]


def test_two_claimed_wins_are_named_in_one_line() -> None:
    ron = Claim(seat=Seat.FAR, kind=WinKind.RON, from_seat=Seat.NEAR)
    claims = (ron, replace(ron, seat=Seat.RIGHT))
    ending = view(replace(HAND, phase=Phase.CLAIMED, claims=claims))["ending"]
    assert ending["title"] == "South wins from North · East wins from North"


@pytest.mark.parametrize(
    ("fields", "title"),
    [({}, "The wall is used up"), ({"abort": AbortReason.FOUR_WINDS}, "Abort: four equal winds")],
)
def test_a_hand_without_a_winner_says_how_it_ends(fields: dict[str, Any], title: str) -> None:
    shown = four(Seat.RIGHT, replace(SHOWN, winning_tile=None), None)
    ending = view(replace(HAND, phase=Phase.ENDING, shown=shown, **fields))["ending"]
    assert ending["title"] == title
    assert [hand["name"] for hand in ending["shown"]] == ["East"]
