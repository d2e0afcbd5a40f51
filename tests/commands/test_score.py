from __future__ import annotations

import json
from typing import Any

import pytest
from mahjong.hand_calculating.fu import FuCalculator

from table.cli.main import main
from table.i18n import catalogue, languages
from tests.contracts import assert_keeps

REASONS = [each for name, each in vars(FuCalculator).items() if name.isupper() and isinstance(each, str)]
"""What the hand-value library calls the parts of fu."""


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
    arguments = ("344556m234678s66z", "--win", "3s", "--double-riichi", "--tsumo", "--language", "en")
    assert main(["score", *arguments]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0] == "4000 points (1000 each, 2000 from the dealer)"
    assert "3 han 30 fu" in printed
    assert "Fu: 20 base + 2 middle wait + 2 value pair" in printed


@pytest.mark.parametrize(
    ("environment", "worth", "part"),
    [
        ("ja_JP.UTF-8", "2\u7ffb40\u7b26", "30 \u526f\u5e95"),
        ("ko_KR", "2\ud310 40\ubd80", "30 \uae30\ubcf8 \ubd80"),
        ("zh_TW.UTF-8", "2\u756a40\u7b26", "30 \u5e95\u7b26"),
        ("zh_CN", "2\u756a40\u7b26", "30 \u5e95\u7b26"),
        ("de_DE.UTF-8", "2 han 40 fu", "30 base"),
    ],
)
def test_a_hand_is_explained_in_the_language_of_the_environment(
    environment: str, worth: str, part: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", environment)
    assert main(["score", "344556m234678s66z", "--win", "3s", "--double-riichi"]) == 0
    printed = capsys.readouterr().out
    assert worth in printed
    assert part in printed


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "reason", [each for name, each in vars(FuCalculator).items() if name.isupper() and isinstance(each, str)]
)
def test_every_reason_for_fu_has_a_name_in_every_language(reason: str, language: str) -> None:
    assert f"fu.{reason}" in catalogue(language).texts


def test_several_yakuman_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "11122233344455z", "--win", "5z", "--language", "en"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["96000 points", "3\u00d7 yakuman"]


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
