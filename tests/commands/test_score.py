from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mahjong.hand_calculating.fu import FuCalculator
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig

from table.cli.main import main
from table.i18n import catalogue, languages
from table.records.format_detection import load_game
from table.records.formats.game_record import HandRecord, RecordedWin
from table.rules.events import AddedKan, Called, ClosedKan, DoraTurned
from table.rules.notation.written_tiles import written_tiles
from table.rules.terms.rule_errors import NotationError
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import KIND_TILES, Tile, tiles_text
from tests.contracts import assert_keeps


def run_score(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """The JSON that the command prints."""
    assert main(["score", *arguments, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert_keeps("score", printed)
    return printed


def test_a_riichi_ron_is_valued_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_score(capsys, "344556m234678s66z", "--win", "3s", "--riichi", "--dora", "1s", "--ura", "2m") == {
        "han": 3,
        "fu": 40,
        "fu_parts": [["base", 30], ["kanchan", 2], ["valued_pair", 2]],
        "yaku": [["riichi", 1], ["dora", 1], ["ura_dora", 1]],
        "yakuman": 0,
        "points": 5200,
        "payments": {"ron": 5200},
    }


def test_a_tsumo_of_the_dealer_is_paid_by_each(capsys: pytest.CaptureFixture[str]) -> None:
    printed = run_score(capsys, "234m567p345678s99s", "--win", "5s", "--tsumo", "--seat-wind", "E")
    assert (printed["points"], printed["payments"]) == (2100, {"from_others": 700})


def test_melds_are_read_with_closed_kans_in_brackets(capsys: pytest.CaptureFixture[str]) -> None:
    printed = run_score(capsys, "22p", "--win", "2p", "--melds", "123m,555z,1111p,(2222s)")
    assert printed["yaku"] == [["haku", 1]]
    assert ["closed_kan", 16] in printed["fu_parts"]
    assert ["open_terminal_kan", 16] in printed["fu_parts"]


def test_a_yakuman_has_neither_han_nor_fu(capsys: pytest.CaptureFixture[str]) -> None:
    printed = run_score(capsys, "119m19p19s1234567z", "--win", "1m", "--tsumo")
    assert (printed["han"], printed["fu"], printed["yakuman"], printed["points"]) == (None, None, 1, 32000)
    assert printed["payments"] == {"from_dealer": 16000, "from_others": 8000}


def test_people_read_the_names_of_the_yaku_and_the_fu(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("344556m234678s66z", "--win", "3s", "--double-riichi", "--tsumo", "--language", "en")
    assert main(["score", *arguments]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0] == "4000 points (1000 each, 2000 from the dealer)"
    assert "3 han 30 fu" in printed
    assert "Fu: 20 base + 2 middle wait + 2 dragon or wind pair" in printed


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
    assert run_score(capsys, *arguments)["points"] == points


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
        ("234567m234p55s678s", "--win", "?"),
        ("234567m234p55s678s", "--win", "2p", "--dora", "?"),
        ("234567m234p55s678s", "--win", "2p", "--riichi", "--ura", "1m?"),
        ("234567m234p55s67s?", "--win", "2p"),
    ],
)
def test_text_that_is_no_hand_is_wrong_use(arguments: tuple[str, ...]) -> None:
    assert code_of("score", *arguments) == 2


def code_of(*arguments: str) -> object:
    """The exit code, also where the line cannot be read at all."""
    try:
        return main([*arguments])
    except SystemExit as stopped:
        return stopped.code


HAND = ("345m678p123789s11z", "--language", "en", "--tsumo")
"""With its winning tile last."""


@pytest.mark.parametrize(
    "hand",
    [
        ("345m678p123789s1z", "--win", "1z"),
        ("345m678p123789s11z", "--win", "1z"),
        ("345m678p123789s11z", "--win", "E"),
        ("m345p678s123789z11",),
        ("m345 p678 s123789 EE",),
        ("345m", "678p", "123789s", "EE"),
        ("3 4 5m 678p 123789s E E",),
        ("🀉🀊🀋 678p 123789s 🀀︎🀀",),
        ("EE345m678p123789s", "--win", "1z"),
        ("345m678p123789s東東",),
        ("東345m678p123789s", "--win", "东"),
    ],
)
def test_a_hand_is_read_as_people_write_it(hand: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *hand, "--language", "en", "--tsumo"]) == 0
    text = capsys.readouterr().out
    assert main(["score", *HAND]) == 0
    assert text == capsys.readouterr().out


@pytest.mark.parametrize("five", ["0p", "5pr"])
def test_a_red_five_is_written_as_0_or_with_an_r(five: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ["red_five", 1] in run_score(capsys, f"34{five}123m123789s11z", "--tsumo")["yaku"]
    assert ["red_five", 1] in run_score(capsys, "34p123m123789s11z", "--win", five, "--tsumo")["yaku"]


def test_every_picture_is_its_tile() -> None:
    order = "1234z765z123456789m123456789s123456789p"
    pictures = "".join(chr(0x1F000 + number) for number in range(34))
    assert written_tiles(pictures) == written_tiles(order)


@pytest.mark.parametrize("characters", ["東南西北白發中", "東 南 西 北 白 発 中", "东南西北白发中", "ESWNPFC"])
def test_every_honour_is_read_by_its_character(characters: str) -> None:
    assert written_tiles(characters) == written_tiles("1234567z")


@given(st.lists(st.sampled_from(KIND_TILES), min_size=1, max_size=14))
def test_suits_before_and_behind_their_numbers_are_the_same_tiles(tiles: list[Tile]) -> None:
    before = " ".join(f"{tile.text[1]}{tile.text[0]}" for tile in tiles)
    assert written_tiles(tiles_text(tiles)) == written_tiles(before) == tuple(tiles)


@given(st.text(alphabet="0123456789mpszESWNPFCr? 🀀🀡東発x", max_size=12))
def test_whatever_is_written_is_read_or_refused(text: str) -> None:
    try:
        tiles = written_tiles(text)
    except NotationError as error:
        assert str(error).startswith("expected ")  # noqa: PT017
    else:
        assert written_tiles(tiles_text(tiles)) == tiles


@pytest.mark.parametrize("text", ["123m m456", "m123 456p", "12x", "8z", "5zr", "46mr", "e", "123"])
def test_what_is_no_way_of_writing_tiles_is_wrong_use(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of("score", text, "--win", "1m") == 2
    assert "expected " in capsys.readouterr().err


@pytest.mark.parametrize("text", ["1" * 9000 + "m", "x" * 9000, "1m2p" * 3000, "123m," * 3000])
def test_a_message_quotes_the_beginning_of_what_is_endless(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    good = ("score", "123m456p789s11z22z")
    options = ("--win", "--melds", "--dora", "--seat-wind", "--honba", "--ruleset")
    for words in (("score", text), *((*good, option, text) for option in options), (*good, f"--{text}"), (text,)):
        assert code_of(*words) in (1, 2)
        assert len(capsys.readouterr().err) < 1500, [word[:20] for word in words]


@pytest.mark.parametrize(
    "melds", [("123m,555z,1111p,(2222s)",), ("123m 555z 1111p (2222s)",), ("m123", "PPP", "1111p", "(s2222)")]
)
def test_melds_stand_behind_commas_or_spaces(melds: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    expected = run_score(capsys, "22p", "--win", "2p", "--melds", "123m,555z,1111p,(2222s)")
    assert run_score(capsys, "22p", "--melds", *melds) == expected
    assert run_score(capsys, "--melds", *melds, "22p") == expected


@pytest.mark.parametrize("meld", ["(2222s", "2222s)", "((2222s))", "(2222s))"])
def test_a_bracket_too_few_or_too_many_is_wrong_use(meld: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of("score", "123m456p77s11z", "--win", "1z", "--melds", meld) == 2
    assert f"expected a meld such as 123m, 555z, 1111p or (2222s), got {meld!r}" in capsys.readouterr().err


def test_full_width_letters_and_numbers_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    expected = run_score(capsys, "22p", "--win", "2p", "--melds", "123m,EEE,1111p,(2222s)", "--seat-wind", "E")
    words = (
        "２２ｐ",
        "--win",
        "２ｐ",
        "--melds",
        "１２３ｍ、ＥＥＥ，１１１１ｐ　（２２２２ｓ）",
        "--seat-wind",
        "Ｅ",
    )
    assert run_score(capsys, *words) == expected


@pytest.mark.parametrize(
    ("language", "all_pay", "dealer_pays_more"),
    [
        ("en", "(700 all)", "(400 each, 700 from the dealer)"),
        ("ja", "（700点オール）", "（子400点、親700点）"),
        ("ko", "(700점 올)", "(자 400점, 친 700점)"),
        ("zh-Hans", "（各家700点）", "（闲家各400点，庄家700点）"),
        ("zh-Hant", "（各家700點）", "（閒家各400點，莊家700點）"),
    ],
)
def test_what_each_pays_has_the_unit_of_the_language(
    language: str, all_pay: str, dealer_pays_more: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for wind, payments in (("E", all_pay), ("S", dealer_pays_more)):
        assert main(["score", "345m678p123789s33m", "--tsumo", "--seat-wind", wind, "--language", language]) == 0
        assert payments in capsys.readouterr().out


@pytest.mark.parametrize("wind", ["E", "e", "east", "East", "1z", "東", "东"])
def test_a_wind_is_written_by_letter_name_or_tile(wind: str, capsys: pytest.CaptureFixture[str]) -> None:
    printed = run_score(capsys, "345m678p123789s11z", "--tsumo", "--seat-wind", wind, "--round-wind", "south")
    assert set(printed["payments"]) == {"from_others"}


@pytest.mark.parametrize(
    ("options", "points", "payments", "total"),
    [
        ((), 1300, {"ron": 1900}, 3900),
        (("--tsumo",), 2000, {"from_dealer": 1200, "from_others": 700}, 4600),
        (("--tsumo", "--seat-wind", "E"), 3000, {"from_others": 1200}, 5600),
    ],
)
def test_counters_are_paid_by_each_and_sticks_are_for_the_winner(
    options: tuple[str, ...], points: int, payments: dict[str, int], total: int, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("344556m234678s66z", "--win", "3s", "--riichi", *options)
    printed = run_score(capsys, *words, "--honba", "2", "--sticks", "2")
    assert (printed["points"], printed["payments"], printed["total"]) == (points, payments, total)
    base_value = run_score(capsys, *words)
    assert (base_value["points"], "total" in base_value) == (points, False)
    assert main(["score", *words, "--honba", "2", "--sticks", "2", "--language", "en"]) == 0
    assert f"With 2 honba and 2 riichi sticks: {total} points\n" in capsys.readouterr().out


def test_one_riichi_stick_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "345m678p123789s11z", "--tsumo", "--sticks", "1", "--language", "en"]) == 0
    assert "With 0 honba and 1 riichi stick: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("1111m23456789m55p --riichi --dora 1m", "5 copies of 1m"),
        ("11m123456p789s111z --riichi --dora 1z --ura 1z", "5 copies of 1z"),
        ("1111m234p567s88p --win 8p --melds 111m", "expected 10 concealed tiles"),
        ("123m456p789s11z --melds 123s --dora 111111m", "6 dora indicators"),
        ("006m123p789s11222z --tsumo", "2 red fives 0m"),
        ("345m678p123789s11z --robbing-kan", "2 copies of 1z beside the robbed kan"),
        ("11112m --win 1m", "expected 13 concealed tiles and the winning tile, or 14 with it, got 5"),
        ("1234m --win 5m", "expected 13 concealed tiles and the winning tile, or 14 with it, got 4"),
        ("345m678p123789s1z", "expected a winning tile beside 13 concealed tiles"),
        ("345m678p123789s1z", "; --win names the winning tile"),
        ("345m678p12s --melds 123m", "expected 10 concealed tiles beside 1 meld and the winning tile, or 11 with it"),
        ("1234z --melds 111m,222m,333m,444m", "expected 1 concealed tile beside 4 melds and the winning tile, or 2"),
    ],
)
def test_tiles_that_no_table_holds_are_named_in_one_sentence(
    words: str, names: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *words.split()]) == 1
    (sentence,) = capsys.readouterr().err.splitlines()
    assert names in sentence


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("--ura 1m", "ura dora without riichi"),
        ("--ippatsu", "ippatsu without riichi"),
        ("--robbing-kan --tsumo", "robbing a kan by own draw"),
        ("--after-kan", "after a kan without tsumo"),
        ("--after-kan --tsumo", "without a kan"),
        ("--robbing-kan --last-tile", "a robbed kan after the last tile"),
        ("--first-turn --riichi", "riichi with a win before the first discard"),
        ("--first-turn --robbing-kan", "a kan with a win in the first go-round"),
        ("--first-turn --last-tile", "the last tile in the first go-round"),
        ("--first-turn --seat-wind E", "a ron of the dealer"),
        ("--riichi --melds 123m", "riichi with an open meld"),
        ("--first-turn --tsumo --melds (1111m)", "the first go-round with a meld"),
        ("--riichi --ippatsu --after-kan --tsumo --melds (1111m)", "ippatsu after an own kan"),
        ("--after-kan --last-tile --tsumo --melds (1111m)", "the last tile of the wall drawn after a kan"),
    ],
)
def test_facts_that_exclude_each_other_are_wrong_use_and_named(
    words: str, names: str, capsys: pytest.CaptureFixture[str]
) -> None:
    hand = "678p123789s11z" if "--melds" in words else "345m678p123789s11z"
    assert main(["score", hand, *words.split()]) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert names in sentence


def test_a_hand_may_come_by_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"345m678p123789sEE\n")))
    assert run_score(capsys, "-", "--tsumo")["yaku"] == [["menzen_tsumo", 1]]


@pytest.mark.parametrize("text", ["", "\n", "12x", "123m456p ?"])
def test_what_came_by_standard_input_and_is_no_hand_is_no_wrong_use(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["score", "-", "--tsumo"]) == 1
    (sentence,) = capsys.readouterr().err.splitlines()
    assert "expected " in sentence
    assert "standard input" in sentence


def test_melds_that_are_none_are_wrong_use_also_beside_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"345m678p11z")))
    assert main(["score", "-", "--melds", "124m"]) == 2


FLAGS = {
    "riichi": "--riichi",
    "double_riichi": "--double-riichi",
    "ippatsu": "--ippatsu",
    "last_tile_tsumo": "--last-tile",
    "last_tile_ron": "--last-tile",
    "after_a_kan": "--after-kan",
    "robbing_a_kan": "--robbing-kan",
    "tenhou": "--first-turn",
    "chiihou": "--first-turn",
}
"""How the yaku that the tiles do not show are told."""


def recorded_wins(folder: Path, *, every: int) -> Iterator[tuple[list[str], RecordedWin]]:
    """Real wins, as somebody would ask for their value, with what the record says of them."""
    for path in sorted(folder.glob("*.mjlog"))[::every]:
        record = load_game(path)
        for hand in record.hands:
            dora = [hand.deal.indicator, *(move.indicator for move in hand.moves if isinstance(move, DoraTurned))]
            for win in hand.wins:
                names = [name for name, _ in win.yaku or ()]
                melds = ["".join(meld) for meld in melds_of(hand, win.seat)]
                words = [tiles_text(list(win.concealed)), "--win", win.winning_tile.text, "--ruleset", "tenhou"]
                words += ["--dora", tiles_text(dora), *(["--melds", *melds] if melds else [])]
                words += ["--seat-wind", "ESWN"[(win.seat - hand.deal.dealer) % 4]]
                words += ["--round-wind", hand.deal.round.wind.letter]
                words += ["--tsumo"] if win.seat == win.from_seat else []
                words += ["--ura", tiles_text(list(win.ura))] if win.ura else []
                yield words + [FLAGS[name] for name in names if name in FLAGS], win


def melds_of(hand: HandRecord, seat: Seat) -> list[list[str]]:
    """A seat's melds: the tiles of each, a closed kan's with brackets."""
    melds: list[list[str]] = []
    for move in hand.moves:
        match move:
            case Called() if move.seat == seat:
                melds.append([move.tile.text, *(tile.text for tile in move.own)])
            case ClosedKan() if move.seat == seat:
                melds.append(["(", *(tile.text for tile in move.tiles), ")"])
            case AddedKan() if move.seat == seat:
                kind = move.tile.kind
                pon = next(meld for meld in melds if {Tile(text).kind for text in meld if text != "("} == {kind})
                pon.append(move.tile.text)
            case _:
                pass
    return melds


def test_real_wins_are_worth_what_their_records_say(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    count = 0
    for words, win in recorded_wins(shared / "logs" / "tenhou", every=40):
        assert main(["score", *words, "--json"]) == 0, words
        printed = json.loads(capsys.readouterr().out)
        assert printed["points"] == win.points, words
        assert sorted(map(tuple, printed["yaku"])) == sorted(win.yaku or ()), words
        if not win.yakuman:
            assert (printed["han"], printed["fu"]) == (win.han, win.fu), words
        count += 1
    assert count > 80


def test_random_wins_are_worth_what_the_library_says(capsys: pytest.CaptureFixture[str]) -> None:
    """Closed hands of four runs or triplets and a pair, valued by the `mahjong` library itself."""
    chance = random.Random(7)
    count = 0
    while count < 60:
        kinds = [kind for _ in range(4) for kind in a_set(chance)] + [chance.randrange(34)] * 2
        if max(map(kinds.count, kinds)) > 4:
            continue
        count += 1
        is_tsumo = chance.random() < 0.5
        numbers = [4 * kind + kinds[:place].count(kind) for place, kind in enumerate(kinds)]
        config = HandConfig(is_tsumo=is_tsumo, is_riichi=True, player_wind=28, round_wind=27)
        expected = HandCalculator.estimate_hand_value(numbers, numbers[-1], config=config)
        tiles = [KIND_TILES[kind] for kind in kinds]
        printed = run_score(capsys, tiles_text(tiles), "--riichi", *(["--tsumo"] if is_tsumo else []))
        assert expected.cost is not None
        assert printed["points"] == expected.cost["main"] + 2 * expected.cost["additional"], tiles
        if not printed["yakuman"]:
            assert (printed["han"], printed["fu"]) == (expected.han, expected.fu), tiles


def a_set(chance: random.Random) -> list[int]:
    """The kinds of a run or a triplet."""
    if chance.random() < 0.3:
        return [chance.randrange(34)] * 3
    low = 9 * chance.randrange(3) + chance.randrange(7)
    return [low, low + 1, low + 2]


@pytest.mark.parametrize("language", ["en", "ja", "ko", "zh-Hans"])
def test_the_han_of_yaku_stand_in_one_column(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    hand = ("234567m234p55s678s", "--win", "2p", "--riichi", "--tsumo")
    assert main(["score", *hand, "--language", language]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    assert len(lines) == 4
    assert len({sum(1 + (east_asian_width(letter) in "WF") for letter in line) for line in lines}) == 1
