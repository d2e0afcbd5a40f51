from __future__ import annotations

import json
from typing import Any

import pytest

from table.cli import main
from tests.contracts import assert_keeps


def scored(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """The JSON that the command prints."""
    assert main(["score", *arguments, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert_keeps("score", printed)
    return printed


def test_a_riichi_ron_is_valued_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert scored(capsys, "344556m234678s66z", "--win", "3s", "--riichi", "--dora", "1s", "--ura", "2m") == {
        "han": 3,
        "fu": 40,
        "fu_parts": [["base", 30], ["kanchan", 2], ["valued_pair", 2]],
        "yaku": [["riichi", 1], ["dora", 1], ["ura_dora", 1]],
        "yakuman": 0,
        "points": 5200,
        "payments": {"ron": 5200},
    }


def test_a_tsumo_of_the_dealer_is_paid_by_each(capsys: pytest.CaptureFixture[str]) -> None:
    printed = scored(capsys, "234m567p345678s99s", "--win", "5s", "--tsumo", "--seat-wind", "E")
    assert (printed["points"], printed["payments"]) == (2100, {"from_others": 700})


def test_melds_are_read_with_closed_kans_in_brackets(capsys: pytest.CaptureFixture[str]) -> None:
    printed = scored(capsys, "22p", "--win", "2p", "--melds", "123m,555z,1111p,(2222s)")
    assert printed["yaku"] == [["haku", 1]]
    assert ["closed_kan", 16] in printed["fu_parts"]
    assert ["open_terminal_kan", 16] in printed["fu_parts"]


def test_a_yakuman_has_neither_han_nor_fu(capsys: pytest.CaptureFixture[str]) -> None:
    printed = scored(capsys, "119m19p19s1234567z", "--win", "1m", "--tsumo")
    assert (printed["han"], printed["fu"], printed["yakuman"], printed["points"]) == (None, None, 1, 32000)
    assert printed["payments"] == {"from_dealer": 16000, "from_others": 8000}


def test_people_read_the_names_of_the_yaku_and_the_fu(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "344556m234678s66z", "--win", "3s", "--double-riichi", "--tsumo"]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0] == "4000 points (1000 each, 2000 from the dealer)"
    assert "3 han 30 fu" in printed
    assert "fu: 20 " in printed


@pytest.mark.parametrize(("ruleset", "points"), [("home", 7700), ("ema-2025", 8000)])
def test_the_rule_set_can_be_chosen(capsys: pytest.CaptureFixture[str], ruleset: str, points: int) -> None:
    arguments = ("234m567p345678s99s", "--win", "5s", "--riichi", "--dora", "8s", "--ruleset", ruleset)
    assert scored(capsys, *arguments)["points"] == points


def test_a_hand_that_cannot_win_fails_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "344556m234678s66z", "--win", "3s"]) == 1
    assert (
        capsys.readouterr().err == "tachiai score: expected a winning hand, got one that cannot win: it has no yaku\n"
    )


def test_the_winning_tile_must_be_among_the_concealed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "344556m234678s66z", "--win", "9s"]) == 1
    assert "expected the winning tile 9s among" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ("12x", "--win", "1m"),
        ("123m", "--win", "8z"),
        ("123m", "--win", "1m", "--melds", "124m"),
        ("123m", "--win", "1m", "--melds", "(123m)"),
        ("123m", "--win", "1m", "--melds", "12m"),
        ("123m", "--win", "1m", "--seat-wind", "Q"),
        ("123m", "--win", "1m", "--riichi", "--double-riichi"),
    ],
)
def test_text_that_is_no_hand_is_wrong_use(arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["score", *arguments])
    assert stopped.value.code == 2
