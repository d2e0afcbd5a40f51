from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from table.cli.main import main
from table.i18n import languages
from table.rulebook import rules_named
from table.rulebook.ruleset_writer import switch_texts
from tests.contracts import assert_keeps


def rules(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """What the command prints: on standard output, or on standard error where it fails."""
    assert main(["rules", *words]) == code
    out, err = capsys.readouterr()
    return err if code else out


def printed_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return json.loads(rules(capsys, *words, "--json"))


@pytest.mark.parametrize(
    "ruleset", ["home", "parlour", "ema-2025", "wrc-2025", "m-league", "jpml-a", "tenhou", "mahjong-soul"]
)
def test_list_prints_every_clause_by_its_contract(capsys: pytest.CaptureFixture[str], ruleset: str) -> None:
    clauses = printed_json(capsys, "list", "--ruleset", ruleset)
    assert_keeps("rules", clauses)
    catalogue = [clause for clause in clauses if clause["number"].startswith("7-")]
    assert len(catalogue) == 49
    assert sum(len(clause["options"]) for clause in catalogue) == 194
    assert all(set(clause["titles"]) == {"zh", "en", "ja", "ko"} for clause in catalogue)
    assert all(clause["unreviewed"] == ["en", "ja", "ko"] for clause in catalogue)


def test_list_says_what_is_chosen_in_the_readers_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert "7-05-07     ノーテンリーチ\n            a: 流局時にチョンボ" in rules(capsys, "list", "--language", "ja")
    assert "referee: left to the referee" in rules(capsys, "list", "--ruleset", "tenhou")


def test_list_names_articles_and_marks_what_is_second_hand(capsys: pytest.CaptureFixture[str]) -> None:
    assert "EMA 6.4.2\n            A tile is drawn" in rules(capsys, "list", "--ruleset", "ema-2025")
    assert "WRC draw  [S]\n" in rules(capsys, "list", "--ruleset", "wrc-2025")


def test_show_marks_the_chosen_option_and_the_lost_digits(capsys: pytest.CaptureFixture[str]) -> None:
    text = rules(capsys, "show", "7-01")
    assert "> a  支付滿貫\n     Pays mangan" in text
    assert "a digit is missing in the source: the amount is a guess" in text
    assert "chosen: a: Pays mangan" in text


def test_show_tells_articles_and_switches_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert "[when=unit_end do=after_uma points=20000]" in rules(capsys, "show", "EMA chombo", "--ruleset", "ema-2025")
    assert printed_json(capsys, "show", "7-02")["choice"] == "d"
    assert printed_json(capsys, "show", "tobi") == {"tobi": "below_zero"}
    assert rules(capsys, "show", "tobi").startswith("tobi = below_zero\nWhich score")
    assert rules(capsys, "show", "uma", "--language", "ja") == "uma = 20000, 10000, -10000, -20000\nウマ（順位順）\n"


@pytest.mark.parametrize("words", [("list",), ("show", "7-02"), ("show", "uma")])
def test_a_rule_set_is_named_first_or_by_its_option(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    action, *subject = words
    assert rules(capsys, action, "wrc-2025", *subject) == rules(capsys, *words, "--ruleset", "wrc-2025")
    assert rules(capsys, action, "home", *subject) == rules(capsys, *words)


@pytest.mark.parametrize(
    "words", ["show home 7-02 uma", "show home 7-02 --ruleset tenhou", "list home --ruleset tenhou"]
)
def test_two_rule_sets_or_two_things_to_show_are_a_wrong_command(
    capsys: pytest.CaptureFixture[str], words: str
) -> None:
    assert "expected " in rules(capsys, *words.split(), code=2)


@pytest.mark.parametrize("words", [("list", ""), ("list", "--ruleset", ""), ("show", "", "7-02")])
def test_an_empty_name_is_not_taken_for_the_home_rules(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert main(["rules", *words]) == 1
    assert "expected a rule set of home" in capsys.readouterr().err


def test_no_note_speaks_to_the_authors(capsys: pytest.CaptureFixture[str]) -> None:
    notes = {clause["number"]: clause["note"] for clause in printed_json(capsys, "list")}
    assert any(notes.values())
    for number, note in notes.items():
        for word in ("proposal", "parameter", "never show", ".md", "setting"):
            assert word not in note, number


@pytest.mark.parametrize(
    "ruleset", ["home", "parlour", "ema-2025", "wrc-2025", "m-league", "jpml-a", "tenhou", "mahjong-soul"]
)
def test_show_tells_every_switch_of_a_rule_set_with_value_and_source(
    capsys: pytest.CaptureFixture[str], ruleset: str
) -> None:
    found = printed_json(capsys, "show", ruleset)
    assert_keeps("rules_show", found)
    assert found["name"] == ruleset
    told_of = {each["name"]: each["value"] for each in found["switches"]}
    rules_of = rules_named(ruleset).switches
    assert told_of == {name: json.loads(json.dumps(getattr(rules_of, name), default=asdict)) for name in switch_texts()}
    text = rules(capsys, "show", ruleset)
    assert text.startswith(f"{ruleset}:\n")
    assert all(f"\n{name} " in text for name in told_of)


def test_every_value_of_a_rulebook_is_shown_with_its_source(capsys: pytest.CaptureFixture[str]) -> None:
    for ruleset in ("ema-2025", "wrc-2025", "m-league", "jpml-a", "tenhou"):
        switches = rules_named(ruleset).switches
        for each in printed_json(capsys, "show", ruleset)["switches"]:
            if getattr(switches, each["name"]) != getattr(rules_named("home").switches, each["name"]):
                assert each["source"].startswith("["), (ruleset, each)
    assert "no red fives" in rules(capsys, "show", "ema-2025")
    assert "source: [P] EMA Riichi Rules 2025: no bust" in rules(capsys, "show", "tobi", "--ruleset", "ema-2025")


def test_show_takes_imported_sets_and_files_and_what_they_cite(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, folder = tmp_path / "ours.toml", tmp_path / "kept"
    text = 'format = 1\nname = "ours"\nbase = "ema-2025"\n[rules]\nties = "seat"\ntobi = "below_zero"\n'
    file.write_text(f'{text}[sources]\ntobi = "our evening of 3 May"\n', "utf-8")
    rules(capsys, "import", str(file), "--folder", str(folder))
    for words in ((str(file),), ("ours", "--folder", str(folder))):
        found = printed_json(capsys, "show", *words)
        sources = {each["name"]: each["source"] for each in found["switches"]}
        assert found["name"] == "ours"
        assert sources["tobi"] == "our evening of 3 May"
        assert sources["ties"] == ""  # changed here: the rulebook says something else
        assert sources["red_man"] == "[P] EMA Riichi Rules 2025: no red fives"
    assert "/nowhere/x.toml: expected a rule set" in rules(capsys, "show", "/nowhere/x.toml", code=1)
    assert "did you mean 'ema-2025'" in rules(capsys, "show", "ema-2052", code=1)


def test_diff_lists_what_two_sets_decide_differently(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed_json(capsys, "diff", "home", "wrc-2025")
    assert_keeps("rules_diff", found)
    assert {"kind": "clause", "key": "7-04-01", "a": "f", "b": "a"} in found
    assert {"kind": "switch", "key": "multiple_ron", "a": "all", "b": "head_bump"} in found
    assert all(each["a"] != each["b"] for each in found)
    text = rules(capsys, "diff", "home", "wrc-2025")
    assert (
        "clause 7-04-01 Too many tiles (tahai, 多牌)\n  home: f: Dead hand from discovery.\n"
        "  wrc-2025: a: Chombo upon discovery (hand ends).  ([S] WRC 12.3.1)" in text
    )
    assert "setting win_voids_chombo\n  home: no\n  wrc-2025: yes" in text
    assert "switch uma\n  home: 20000, 10000, -10000, -20000\n  wrc-2025: " in text
    assert "switch uma ウマ（順位順）\n  home: 20000, " in rules(capsys, "diff", "home", "wrc-2025", "--language", "ja")
    assert "article WRC late\n  home: -\n  wrc-2025: Late at the table: 1P" in text
    assert "switch multiple_ron\n  home: all\n  wrc-2025: head_bump" in text
    assert "decide everything the same way" in rules(capsys, "diff", "home", "home")


def test_a_set_is_exported_changed_and_imported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, folder = tmp_path / "ours.toml", tmp_path / "kept"
    assert rules(capsys, "export", "home", str(file)) == f"wrote {file}\n"
    text = file.read_text("utf-8").replace('name = "home"', 'name = "ours"').replace('"7-01" = "a"', '"7-01" = "g"')
    file.write_text(text, "utf-8")
    assert "ours: 49 clauses, 0 left to the referee" in rules(capsys, "import", str(file), "--folder", str(folder))
    found = printed_json(capsys, "diff", "home", "ours", "--folder", str(folder))
    assert found == [{"kind": "clause", "key": "7-01", "a": "a", "b": "g"}]
    assert rules(capsys, "export", "ours", "--folder", str(folder)) == text


def test_an_import_says_whether_it_replaced_an_earlier_set(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, folder = tmp_path / "ours.toml", tmp_path / "kept"
    file.write_text('format = 1\nname = "ours"\nbase = "home"', "utf-8")
    stored = f"stored in {folder / 'ours.toml'}"
    assert rules(capsys, "import", str(file), "--folder", str(folder)).endswith(f"{stored}\n")
    again = rules(capsys, "import", str(file), "--folder", str(folder))
    assert again.endswith(f"{stored}, in place of the earlier set of that name\n")


def test_a_set_that_is_refused_leaves_the_old_one_in_force(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, folder = tmp_path / "ours.toml", tmp_path / "kept"
    file.write_text('format = 1\nname = "ours"\nbase = "home"', "utf-8")
    rules(capsys, "import", str(file), "--folder", str(folder))
    stored = (folder / "ours.toml").read_text("utf-8")
    file.write_text('format = 1\nname = "ours"\n[choices]\n"7-02" = "e"', "utf-8")
    message = rules(capsys, "import", str(file), "--folder", str(folder), code=1)
    assert f'tachiai rules: {file} line 4: choices."7-02": expected an option (a, b, c, d, referee)' in message
    assert "got 'e'" in message
    assert (folder / "ours.toml").read_text("utf-8") == stored


@pytest.mark.parametrize(
    ("name", "reason"), [("home", "is built in"), ("-", "means standard input"), (".", "would hide its file")]
)
def test_a_set_without_a_name_of_its_own_is_refused_with_its_file_and_what_to_do(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, reason: str
) -> None:
    file, folder = tmp_path / "ours.toml", tmp_path / "kept"
    file.write_text(f'format = 1\nname = "{name}"\nbase = "home"', "utf-8")
    message = rules(capsys, "import", str(file), "--folder", str(folder), code=1)
    expected = "expected a name of its own for an imported rule set, such as 'our house'"
    assert message == f"tachiai rules: {file}: name: {expected}, got {name!r}, which {reason}\n"
    assert not folder.exists()


@pytest.mark.parametrize(("name", "found"), [("ours.toml", "a file"), ("link", "a link that leads nowhere")])
def test_rules_cannot_be_stored_in_a_file(
    name: str, found: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, folder = tmp_path / "ours.toml", tmp_path / name
    file.write_text('format = 1\nname = "ours"\nbase = "home"', "utf-8")
    (tmp_path / "link").symlink_to("nowhere")
    message = rules(capsys, "import", str(file), "--folder", str(folder), code=1)
    expected = f"expected a folder, got {found} in its place"
    assert message == f"tachiai rules: cannot write the rule set {folder / 'ours.toml'}: {expected}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "7-5-1"), "got '7-5-1'; did you mean '7-"),
        (("show", "toby"), "got 'toby'; did you mean 'tobi'"),
        (("list", "--ruleset", "emma"), "expected a rule set of home, parlour, ema-2025"),
        (("import", "/nowhere/x.toml"), "/nowhere/x.toml: expected a rule set, got: "),
        (("export", "home", "/nowhere/x.toml"), "expected a folder to write into, got none: /nowhere"),
    ],
)
def test_what_does_not_exist_fails_with_one_message(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    assert message in rules(capsys, *words, code=1)


@pytest.mark.parametrize(
    ("environment", "title"),
    [
        ({"LANG": "ja_JP.UTF-8"}, "ノーテンリーチ"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "ko_KR.UTF-8"}, "노텐 리치"),
        ({"LANG": "zh_TW.UTF-8"}, "未聽牌立直"),
        ({"LANG": "C.UTF-8"}, "Noten riichi"),
        ({"LANG": ""}, "Noten riichi"),
    ],
)
def test_clauses_come_in_the_users_language(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], title: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert title in rules(capsys, "list")


@pytest.mark.parametrize("language", ["zh", *languages()])
@pytest.mark.parametrize(
    "words",
    ["rules list", "rules show 7-05-07", "rules diff home wrc-2025", "rules export home", "score 123m456p789s11122z"],
)
def test_every_command_speaks_the_same_languages(capsys: pytest.CaptureFixture[str], words: str, language: str) -> None:
    assert main([*words.split(), "--language", language]) == 0
    assert capsys.readouterr().out


def test_chinese_without_a_script_is_simplified_as_in_a_browser(capsys: pytest.CaptureFixture[str]) -> None:
    lists = {language: rules(capsys, "list", "--language", language) for language in ("zh", "zh-Hans", "zh-Hant")}
    assert lists["zh"] == lists["zh-Hans"]
    assert "未聽牌立直" in lists["zh-Hant"]
    assert "未听牌立直" in lists["zh"]


def test_list_ends_with_the_quick_fouls_of_the_panel(capsys: pytest.CaptureFixture[str]) -> None:
    lines = rules(capsys, "list", "--ruleset", "ema-2025").splitlines()
    assert lines[-6:][0] == "quick 1     EMA 6.2 One or two tiles, or a few more, are exposed or knocked over"
    assert lines[-1].endswith("(offender_opened_hand)")


def test_a_switch_of_several_values_and_an_amount_are_shown_by_name_and_compared(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "ours.toml"
    text = 'format = 1\nname = "ours"\nbase = "home"\n[rules]\nchips = { ura = 1 }\n'
    file.write_text(f'{text}[amounts]\n"7-01 f" = {{ each = 3000 }}\n', encoding="utf-8")
    amounts = {"ippatsu": 0, "ura": 1, "red": 0, "yakuman": 0}
    assert printed_json(capsys, "show", "chips", "--ruleset", str(file)) == {"chips": amounts}
    assert "chips = { ippatsu = 0, ura = 1, red = 0, yakuman = 0 }" in rules(
        capsys, "show", "chips", "--ruleset", str(file)
    )
    found = {each["key"]: each["b"] for each in printed_json(capsys, "diff", "home", str(file))}
    assert found == {"chips": amounts, "7-01 f each": 3000}
