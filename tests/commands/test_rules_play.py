from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from table.cli.main import main
from table.i18n import languages
from table.rules.notation.notation_forms import EXAMPLE, FORMS, INTRODUCTION
from tests.contracts import assert_keeps
from tests.table.rules.situations import START, TANYAO, ruling


def printed_lines(capsys: pytest.CaptureFixture[str], *options: str, code: int = 0) -> list[dict[str, Any]]:
    """The JSON lines that the command prints, each held against the contract."""
    assert main(["rules", "play", "--json", *options]) == code
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for line in lines:
        assert_keeps("rules_play", line)
    return lines


@pytest.fixture
def enter(monkeypatch: pytest.MonkeyPatch) -> Any:
    def feed(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    return feed


def test_play_prints_an_object_an_event_and_where_the_game_stands(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "hand.txt"
    file.write_text(f"# a late ron\n{EXAMPLE}\n", "utf-8")
    *events, end = printed_lines(capsys, str(file))
    expected = ruling(EXAMPLE)
    assert events == expected.events
    assert end == expected.end


@pytest.mark.parametrize("words", [(), ("-",)])
def test_without_a_file_the_events_come_from_standard_input(
    capsys: pytest.CaptureFixture[str], enter: Any, words: tuple[str, ...]
) -> None:
    enter("0 discards 5z\n1 discards 1m\n")
    assert [line["event"] for line in printed_lines(capsys, *words)[:-1]] == ["0 discards 5z", "1 discards 1m"]


def test_an_error_is_told_where_it_stands_and_fails_at_the_end(capsys: pytest.CaptureFixture[str], enter: Any) -> None:
    enter("0 discards 5z; 1 discards; 1 pon 1z from 0 with 11z; 1 discards 1m")
    assert main(["rules", "play", "--json"]) == 1
    out, err = capsys.readouterr()
    errors = [json.loads(line).get("error") for line in out.splitlines()]
    assert errors[0] is None
    assert errors[1].startswith("expected a tile, got nothing")
    assert errors[2].startswith("expected ")
    assert errors[3] is None
    assert err == "tachiai rules: 2 of 4 events could not be followed\n"


def test_a_rule_set_is_taken_by_name_or_by_its_file(
    capsys: pytest.CaptureFixture[str], enter: Any, tmp_path: Path
) -> None:
    line = f"{START}; 0 discards 5p; 1 ron from 0; 2 ron from 0; 1 shows {TANYAO}; 2 shows 345m345p345s67p22z; confirm"
    enter(line)
    assert len(printed_lines(capsys, "--ruleset", "parlour")[-1]["result"]["wins"]) == 2
    file = tmp_path / "ours.toml"
    file.write_text('format = 1\nname = "ours"\nbase = "parlour"\n[rules]\nmultiple_ron = "head_bump"\n', "utf-8")
    enter(line)
    assert len(printed_lines(capsys, "--ruleset", str(file))[-1]["result"]["wins"]) == 1
    assert main(["rules", "import", str(file), "--folder", str(tmp_path / "kept")]) == 0
    capsys.readouterr()
    enter(line)
    assert (
        len(printed_lines(capsys, "--ruleset", "ours", "--folder", str(tmp_path / "kept"))[-1]["result"]["wins"]) == 1
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("/nowhere/hand.txt",), "/nowhere/hand.txt: expected a file of events, there is no such file\n"),
        (("/",), "/: expected a file of events, it cannot be read: Is a directory\n"),
        (("--ruleset", "ema", "-"), "got 'ema'; did you mean 'ema-2025'?"),
        (("--ruleset", "/nowhere/x.toml", "-"), "/nowhere/x.toml: expected a rule set"),
    ],
)
def test_a_missing_file_or_set_fails_with_one_message(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    assert main(["rules", "play", *words]) == 1
    out, err = capsys.readouterr()
    assert message in err
    assert out == ""


def test_bytes_that_are_no_text_fail_with_one_message(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "hand.txt"
    file.write_bytes(b"0 discards 5z\xff")
    assert main(["rules", "play", str(file)]) == 1
    assert "expected events in UTF-8" in capsys.readouterr().err


def test_help_shows_the_whole_notation(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["rules", "play", "--help"])
    assert left.value.code == 0
    out = " ".join(capsys.readouterr().out.split())
    for text in (
        INTRODUCTION,
        EXAMPLE,
        *(text for form in FORMS for text in (form.pattern, form.meaning, form.example)),
    ):
        assert " ".join(text.split()) in out


FOULS_TOLD = {
    "en": ("Something odd (EMA 6.4.3).", "Foul 1 is cancelled: misread."),
    "ja": ("何かおかしい（EMA 6.4.3）", "反則1が取り消されます：misread。"),
    "ko": ("무언가 이상함(EMA 6.4.3)", "반칙 1을 취소합니다: misread."),
    "zh-Hans": ("有点不对（EMA 6.4.3）", "取消犯规1：misread。"),
    "zh-Hant": ("有點不對（EMA 6.4.3）", "取消犯規1：misread。"),
}


@pytest.mark.parametrize("last", ["", "; confirm"])
def test_a_chombo_that_is_paid_after_uma_is_not_told_as_costing_nothing(
    capsys: pytest.CaptureFixture[str], enter: Any, last: str
) -> None:
    enter(f"{START}; 1 foul 7-05-01 facts=offender_opened_hand{last}")
    end = run_play(capsys, "--language", "en", "--ruleset", "ema-2025").partition("\nHow it stands: ")[2]
    assert "    Payments: South −20,000 after uma\n" in end


@pytest.mark.parametrize("language", languages())
def test_fouls_count_from_1_for_people_and_an_article_of_another_book_is_said_once(
    capsys: pytest.CaptureFixture[str], enter: Any, language: str
) -> None:
    enter("1 foul 'EMA 6.4.3'; cancel-foul 0 reason=misread")
    assert main(["rules", "play", "--language", language]) == 0
    out = " ".join(capsys.readouterr().out.split())
    unknown, withdrawn = FOULS_TOLD[language]
    assert unknown in out
    assert out.count("EMA 6.4.3") == 2, "once as the event was written"
    assert withdrawn in out


def test_japanese_has_its_own_signs_between_texts(capsys: pytest.CaptureFixture[str], enter: Any) -> None:
    enter(f"{START}; 1 foul 7-05-01 facts=offender_opened_hand; confirm")
    assert main(["rules", "play", "--language", "ja"]) == 0
    printed = capsys.readouterr().out
    assert "（home）：0 " in printed
    assert " b：" in printed
    assert "和了放棄で続行。" in printed
    assert re.findall(r"[\u3040-\u30ff\u4e00-\u9fff](?:[:,.]| ?[(]).{0,9}", printed) == []


@pytest.mark.parametrize("language", [each for each in languages() if each != "en"])
def test_a_question_is_asked_in_one_language(capsys: pytest.CaptureFixture[str], enter: Any, language: str) -> None:
    """As on the page for fouls, which names the rule alone: what was seen is known in English only."""
    enter("1 discards 9s sideways; 1 stick; 2 discards 2z; 3 ron from 1")
    assert main(["rules", "play", "--language", language]) == 0
    (question,) = re.findall(r"^  \? (.*(?:\n    .*)*)", capsys.readouterr().out, re.MULTILINE)
    assert "7-05-14" in question
    assert "claimed" not in question


LATE_RON = """\
East 1, 0 honba (home): 0 East · 1 South · 2 West · 3 North

1 discards 9s sideways
    South discards 9 sou, sideways. South declares riichi. Double riichi for South.
1 stick
    South lays a riichi stick. South’s riichi stands: 1,000 points in the pot. South can win by
    ippatsu.
2 discards 2z
    West discards South wind.
3 ron from 1
    North claims a ron from South. South’s riichi tile was won on: no stick is paid.
  ? Is it so? North: Clearly late chi, pon, kan, ron or riichi utterance (7-05-14): a ron was
    claimed after another tile had been laid.
    Still missing: a dora indicator, North’s hand
"""
WON = f"""
{START} honba=1 deposits=1
0 discards 9p; 1 discards 7z sideways; 1 stick; 2 discards 4s; 3 discards 2p
1 ron from 3
confirm
1 shows {TANYAO} with 2p
1 shows 9z
1 ura 9s; confirm
"""
SETTLED = """\
How it stands: East 1, 1 honba · The hand is settled.
    East 25,000 · South 34,300 · West 25,000 · North 16,700
Ron
    South wins off North · 5 han 30 fu · 8,000 points · Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao
    1
    Payments: South +9,300 (riichi stick included), North −8,300
Next: East 2, 0 honba
"""


def run_play(capsys: pytest.CaptureFixture[str], *options: str, code: int = 0) -> str:
    assert main(["rules", "play", *options]) == code
    return capsys.readouterr().out


def test_people_read_what_each_event_meant_and_what_is_asked(capsys: pytest.CaptureFixture[str], enter: Any) -> None:
    enter(EXAMPLE)
    printed = run_play(capsys, "--language", "en")
    assert printed.startswith(LATE_RON)
    assert "\n3 foul 7-05-14\n    A foul is entered for North: Clearly late chi" in printed
    assert "c: The utterance is void. What North said does not count." in " ".join(printed.split())
    assert "\nHow it stands: East 1, 0 honba · The hand is being played.\n" in printed


def test_people_read_what_is_missing_errors_inline_and_the_settlement(
    capsys: pytest.CaptureFixture[str], enter: Any
) -> None:
    enter(WON)
    printed = run_play(capsys, "--language", "en", code=1)
    assert (
        "1 ron from 3\n    South claims a ron from North.\n    Still missing: the ura indicators, South’s hand\n"
        in printed
    )
    assert (
        "confirm\n    The open hands are confirmed.\n    Still missing: the ura indicators, South’s hand\n" in printed
    )
    assert "1 shows 9z\n  ! Not possible: expected a tile such as" in printed
    enter(WON)
    assert "未入力：裏ドラ表示牌、南家の手牌" in run_play(capsys, "--language", "ja", code=1)
    assert printed.endswith(SETTLED)


def test_a_foul_of_an_earlier_hand_is_told_with_what_itself_costs(
    capsys: pytest.CaptureFixture[str], enter: Any
) -> None:
    enter("told draw; start E2 dealer=1 scores=25000,25000,25000,25000 honba=1; 1 foul 7-05-11; 2 foul 7-04-01 hand=0")
    text = run_play(capsys, "--language", "en")
    assert text.count("puts 1,000 in the pot") == 1
    assert text.count("0 North · 1 East · 2 South · 3 West") == 1


def test_a_hand_that_the_next_start_settles_is_told_by_its_own_winds(
    capsys: pytest.CaptureFixture[str], enter: Any
) -> None:
    enter(
        "0 discards 9p; 1 discards 8p; 2 discards 9p; 3 discards 8p; 0 discards 3z; 1 tsumo\n"
        "1 shows 123456789m11p23s with 4s\nstart E2 scores=22400,30200,23700,23700 dora=2z"
    )
    text = run_play(capsys, "--language", "en")
    assert (
        """
start E2 scores=22400,30200,23700,23700 dora=2z
    Tsumo settled: South +5,200, East −2,600, West −1,300, North −1,300. Settled without this: the
    kan’s dora indicator. If it counts, correct the hand in the score sheet.

East 2, 0 honba (home): 0 North · 1 East · 2 South · 3 West

    East 2, 0 honba, is dealt.
"""
        in text
    )


def test_a_false_win_found_after_the_settlement_is_paid_beside_the_result(
    capsys: pytest.CaptureFixture[str], enter: Any
) -> None:
    """The result stands: nothing says that the hand is replayed, and both payments are listed."""
    enter(f"{START}; 0 discards 6m; 1 discards 2m; 0 ron han=3 fu=30; confirm; 0 foul 7-05-01 option=a")
    text = " ".join(run_play(capsys, "--language", "en").split())
    assert "replayed" not in text
    assert "The settled result stands" in text
    assert "Payments: East +5,800, South −5,800 Paid in addition for fouls found afterwards: South +4,000" in text


def test_a_question_says_what_was_seen_and_names_no_seat_by_its_number(
    capsys: pytest.CaptureFixture[str], enter: Any
) -> None:
    enter(f"{START}; 0 discards 5m; 3 discards 5m; 1 chi 5m from 3 with 46m; 1 discards 1z; 2 kan 1z from 1 with 112z")
    text = " ".join(run_play(capsys, "--language", "en").split())
    assert "(7-05-09): a discard while South's discard was expected." in text
    assert "(7-05-02): a chi was made of a discard that was not the left-hand player's." in text
    assert "a kan was made of 1z 1z 1z 2z." in text


@pytest.mark.parametrize(("statement", "title"), [("2 tenpai", "Draw, tenpai: West"), ("2 noten", "Draw, 0 in tenpai")])
def test_a_draw_names_who_was_tenpai(
    capsys: pytest.CaptureFixture[str], enter: Any, statement: str, title: str
) -> None:
    enter(f"{START}; 0 discards 6m; draw; {statement}; confirm")
    assert f"\n{title}\n" in run_play(capsys, "--language", "en")


def test_a_proposed_settlement_is_told_before_anybody_confirms(capsys: pytest.CaptureFixture[str], enter: Any) -> None:
    enter(f"{START}; 0 discards 5p; 1 ron from 0; 1 shows {TANYAO} with 5p; 2 waits 36m; 3 exposes 1z")
    end = run_play(capsys, "--language", "en").partition("\nHow it stands: ")[2]
    assert end.startswith("East 1, 0 honba · A win is claimed and waits to be confirmed.\n")
    assert "Ready to settle: Ron\n    South wins off East · 2 han 30 fu · 2,000 points · Pinfu 1, Tanyao 1\n" in end
    assert "    Payments: South +2,000, East −2,000\n" in end


@pytest.mark.parametrize("language", languages())
def test_every_language_has_words_for_every_event(
    capsys: pytest.CaptureFixture[str], enter: Any, language: str
) -> None:
    every = "\n".join(form.example for form in FORMS)
    enter(f"{every}\n{START}\n{every}\n{WON}\n0 discards 1z sideways; 0 waits 36p; draw; 0 shows 19m; confirm; confirm")
    printed = run_play(capsys, "--language", language, code=1)
    assert "{" not in printed
    if language == "en":
        assert max(map(len, printed.splitlines())) <= 100
    else:
        assert "discards 5z" in printed  # the event as it was written
        assert "The hand" not in printed


def test_words_come_in_the_language_of_the_environment(
    capsys: pytest.CaptureFixture[str], enter: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    enter("0 riichi")
    assert "東家が「リーチ」と発声します。" in run_play(capsys)
