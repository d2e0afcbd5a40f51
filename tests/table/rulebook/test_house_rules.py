from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from table.rulebook import SHIPPED, HouseRules, book_languages, parse_house, rules_named, write_house
from table.rulebook.clause_catalogue import clause_named, package_text
from table.rulebook.ruleset_difference import differences
from table.rulebook.ruleset_reader import SWITCHES as SWITCH_NAMES
from table.rulebook.ruleset_registry import default_folder, imported_names, store
from table.rulebook.ruleset_writer import switch_texts
from table.rules.chips import Chips
from table.rules.penalties.effect_terms import Count, Op
from table.rules.penalties.foul_effects import consequences
from table.rules.penalties.foul_facts import Facts
from table.rules.penalties.penalty_rules import QuickFoul
from table.rules.ruleset import Ruleset
from table.rules.terms.seats import Seat
from table.runtime.table_errors import ConfigError

HOME = rules_named("home")
BARE = 'format = 1\nname = "ours"\n'


@pytest.mark.parametrize("language", book_languages())
@pytest.mark.parametrize("name", SHIPPED)
def test_an_exported_rule_set_imports_as_the_same(name: str, language: str) -> None:
    house = rules_named(name)
    assert parse_house(write_house(house, language), "ours.toml") == house


def test_an_exported_file_explains_every_switch_clause_and_option_where_it_is_chosen() -> None:
    text = write_house(HOME)
    assert "# 7-05-07 不聽立直\n#   Noten riichi\n#   a  Chombo at exhaustive draw." in text
    assert "# Whether ippatsu is a yaku (R29).\nippatsu = true" in text
    assert "`mangan_alone` is a mangan that combines with nothing" in switch_texts()["renhou"]
    assert 'One of: "never", "below_zero", "zero_or_below".\ntobi = "below_zero"' in text
    assert "Pays {?}000 points to each other player. [amount is a guess: set it under amounts]" in text


def test_a_file_names_the_yakuman_that_count_twice() -> None:
    house = parse_house(f'{BARE}[rules]\ndouble_yakuman = ["big_four_winds", "all_green"]', "ours.toml")
    assert house.switches.double_yakuman == ("big_four_winds", "all_green")
    assert parse_house(write_house(house), "ours.toml") == house


def test_a_file_names_its_chips_by_what_they_are_for() -> None:
    house = parse_house(f"{BARE}[rules]\nchips = {{ ippatsu = 1, ura = 1, red = 1, yakuman = 5 }}", "ours.toml")
    assert house.switches.chips == Chips(ippatsu=1, ura=1, red=1, yakuman=5)
    assert "\nchips = { ippatsu = 1, ura = 1, red = 1, yakuman = 5 }\n" in write_house(house)
    assert parse_house(write_house(house), "ours.toml") == house


def test_what_a_file_leaves_out_is_left_to_the_referee_unless_it_builds_on_a_set() -> None:
    assert set(parse_house(BARE, "ours.toml").choices.values()) == {"referee"}
    built = parse_house(f'{BARE}[choices]\n"7-01" = "g"', "ours.toml", HOME)
    assert built.choices == {**HOME.choices, "7-01": "g"}


def test_spaces_and_signs_of_any_language_are_texts_of_a_rule_set() -> None:
    text = "七\u3000章 ; R\u00e8gle\u00a0: 3 ; Schluss\u00adrang ; a\u200bb\nc"
    house = parse_house(f'{BARE}[sources]\n"7-02" = """{text}"""', "ours.toml")
    assert house.sources["7-02"] == text


def test_a_house_sets_an_amount_whose_digit_is_lost_and_it_is_no_guess_any_more() -> None:
    clause = clause_named("7-01")
    house = parse_house(f'{BARE}[amounts]\n"7-01 f" = {{ each = 3900 }}', "ours.toml", HOME)
    assert HOME.is_guess(clause, clause.option("f"))
    assert not house.is_guess(clause, clause.option("f"))
    (effect,) = house.effects("7-01", "f")
    assert effect.points_each == 3900
    assert parse_house(write_house(house), "ours.toml").amounts == {"7-01 f": {"each": 3900}}


def test_two_amounts_of_one_option_are_set_apart() -> None:
    text = f'{BARE}[amounts]\n"7-07-01-01 b" = {{ per_tile = 300, deposit = 3000 }}'
    effects = parse_house(text, "ours.toml", HOME).effects("7-07-01-01", "b")
    assert [effect.number("points") for effect in effects if effect.op is Op.DEPOSIT] == [300, 3000]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("format = 2\n", r"ours.toml line 1: format: expected 1, got 2"),
        ('format = 1\nname = "a/b"', r"ours.toml line 2: name: expected a name of at most 40 letters without slashes"),
        ("format = 1\n", r"ours.toml: name: expected a name of at most 40 letters .*, got nothing"),
        (f'{BARE}colour = "red"', r"ours.toml line 3: colour: expected one of format, name, .*, got 'colour'"),
        (
            f'{BARE}[choices]\n"7-05-99" = "a"',
            r"ours.toml line 4: choices.7-05-99: expected a clause, got '7-05-99'; did you mean '7-05-09'",
        ),
        (
            f'{BARE}[choices]\n"7-02" = "z"',
            r'ours.toml line 4: choices."7-02": expected an option \(a, b, c, d, referee\), got .z',
        ),
        (
            f'{BARE}[sources]\ntoby = "x"',
            r"line 4: sources.toby: expected a clause or a switch, .* did you mean 'tobi'",
        ),
        (f'{BARE}[choices]\n"7-02" = 3', r"ours.toml line 4: choices.7-02: expected a text in quotes, got 3"),
        (
            f'{BARE}[amounts]\n"7-02 a" = {{ each = 100 }}',
            r'amounts."7-02 a": expected an amount of this option, got .each',
        ),
        (f'{BARE}[amounts]\n"7-01 z" = {{ each = 100 }}', r'amounts."7-01 z": expected an option with an amount'),
        (
            f'{BARE}[amounts]\n"7-01 f" = {{ each = 150 }}',
            r'amounts."7-01 f".each: expected points in whole hundreds.*150',
        ),
        (f'{BARE}[amounts]\n"7-01 f" = 3000', r"line 4: amounts.7-01 f: expected amounts by name.* got 3000"),
        (
            f'{BARE}[rules]\ntoby = "never"',
            r"ours.toml line 4: rules.toby: expected a switch of the rules, got 'toby'; .*'tobi'",
        ),
        (
            f"{BARE}[rules]\nnoten_payment = 1000",
            r"ours.toml line 4: rules.noten_payment: .* noten_payment = 1000: each of three noten hands would pay 333",
        ),
        (f"{BARE}[rules]\numa = 15", r"ours.toml line 4: rules.uma: expected uma .* list of four points, got 15"),
        (f'{BARE}[rules]\numa = "15-5"', r"ours.toml line 4: rules.uma: .* got '15-5'"),
        (f"{BARE}[rules]\nfloating_uma = 0.5", r"line 4: rules.floating_uma: .* list of rows of four points, got 0.5"),
        (f'{BARE}[rules]\ntobi = "maybe"', r"ours.toml line 4: rules.tobi: expected tobi to be one of .* got 'maybe'"),
        (f'{BARE}switches = "hom"', r"ours.toml line 3: switches: expected a named rule set .* did you mean 'home'"),
        (
            f'{BARE}returned_sticks = "none"',
            r"ours.toml line 3: returned_sticks: expected one of all, riichi, got 'none'",
        ),
        (f'{BARE}"a\\u001bb" = 1', r"ours.toml line 3: a\ufffdb: expected one of format, name, .*, got 'a\\x1bb'"),
        (
            f'{BARE}[sources]\n"7-02" = "a\\nb\\u001b"',
            r"line 4: sources.7-02: expected a text without signs that command .*, got 'a\\nb\\x1b'",
        ),
        (
            f'{BARE}[[article]]\nnumber = "X\\n"\ntitle = "x"\nevidence = "read"',
            r"line 4: article\[0\].number: expected one line of text, got 'X\\n'",
        ),
        (
            f'{BARE}[[article]]\nnumber = "X"\ntitle = "x\\u202e"\nevidence = "read"',
            r"line 5: article\[0\].title: expected a text without signs that command .*, got 'x\\u202e'",
        ),
        (
            f'{BARE}[[article]]\nnumber = "X"\ntitle = "x"\nevidence = "hearsay"',
            r"line 6: article\[0\].evidence: expected one of read, .* got 'hearsay'",
        ),
        (
            f'{BARE}[[article]]\nnumber = "X"\ntitle = "x"\nevidence = "read"\n'
            'effects = [{ when = "now", do = "ban" }]',
            r"ours.toml line 7: article\[0\].effects\[0\]: expected a time of .* got 'now'",
        ),
        *(
            (
                f'{BARE}[[article]]\nnumber = "X"\ntitle = "x"\nevidence = "read"\neffects = [{effect}]',
                r"ours.toml line 7: article\[0\].effects: expected amounts up to 1,000,000, got 1000000",
            )
            for effect in (
                '{ when = "discovery", do = "deposit", points = 1000000000 }',
                f'{{ when = "discovery", do = "pay", to = "others", scheme = "each:1{"0" * 400}" }}',
                '{ when = "discovery", do = "ban", if = "exposed>=1000000000" }',
            )
        ),
        (f'{BARE}amounts."7-01 f" = {{ each = 1{"0" * 400} }}', r"got {'each': \(a number of 401 digits\)}"),
        (f"{BARE}[rules]\numa = [1{'0' * 400}, 0, 0, -1{'0' * 400}]", r"line 4: rules\.uma: expected a number of 64 "),
        ("format = ", r"ours.toml: expected a TOML file, got: "),
    ],
)
def test_a_set_that_cannot_be_understood_whole_is_refused_naming_file_key_value_and_what_is_allowed(
    text: str, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_house(text, "ours.toml")


def test_a_wrong_set_cannot_be_made_in_code_either() -> None:
    with pytest.raises(ConfigError, match=r"home: choices: expected an option for 7-01"):
        replace(HOME, choices={})


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_set_has_its_name_and_one_without_switches_plays_by_those_at_home(name: str) -> None:
    house = rules_named(name)
    assert house.name == house.switches.name == name
    assert (house.switches == Ruleset(name=name)) is (name in ("home", "parlour"))


@pytest.mark.parametrize("name", [name for name in SHIPPED if name != "home"])
def test_a_rulebook_names_its_source_for_every_clause_that_it_decides(name: str) -> None:
    house = rules_named(name)
    decided = {number for number, choice in house.choices.items() if choice != "referee"}
    assert decided == house.sources.keys()


@pytest.mark.parametrize("name", ["wrc-2025", "m-league", "parlour", "jpml-a"])
def test_what_a_rulebook_says_second_hand_is_marked_so(name: str) -> None:
    house = rules_named(name)
    assert not any(article.is_certain for article in house.articles)
    unmarked = {number for number, source in house.sources.items() if "[S]" not in source}
    assert unmarked <= {"7-05-01-01", "7-05-01-02", "7-01-01"}


def test_rulebooks_decide_the_same_foul_differently() -> None:
    """Too many tiles: a dead hand under EMA 6.3, a chombo under WRC 12.3.1."""
    assert {name: rules_named(name).choices["7-04-01"] for name in ("ema-2025", "wrc-2025")} == {
        "ema-2025": "f",
        "wrc-2025": "a",
    }


def our_house(name: str = "ours") -> HouseRules:
    return parse_house(f'format = 1\nname = "{name}"', "ours.toml", HOME)


def test_an_imported_set_is_kept_under_its_name(tmp_path: Path) -> None:
    store(our_house(), tmp_path)
    assert imported_names(tmp_path) == ("ours",)
    assert rules_named("ours", tmp_path) == our_house()


def test_a_set_cannot_take_the_name_of_one_of_ours(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'ema-2025', which is built in"):
        store(our_house("ema-2025"), tmp_path)


def test_a_file_builds_on_a_set_by_name(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text(f'{BARE}base = "ema-2025"\n[choices]\n"7-01" = "a"', encoding="utf-8")
    ema = rules_named("ema-2025")
    assert rules_named(str(file), tmp_path).choices == {**ema.choices, "7-01": "a"}
    file.write_text(f'{BARE}base = "emma"', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"base: expected a shipped rule set .* got 'emma'"):
        rules_named(str(file), tmp_path)


def test_a_byte_order_mark_is_ignored_and_lines_count_as_without_it(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text(f'{BARE}base = "ema-2025"', encoding="utf-8-sig")
    assert rules_named(str(file), tmp_path).choices == rules_named("ema-2025").choices
    file.write_text("format = 7", encoding="utf-8-sig")
    with pytest.raises(ConfigError, match=r"x.toml line 1: format"):
        rules_named(str(file), tmp_path)


def test_an_unknown_or_unreadable_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"got 'ema-2052'; did you mean 'ema-2025'"):
        rules_named("ema-2052", tmp_path)
    with pytest.raises(ConfigError, match=r"no.toml: expected a rule set, got: .*No such file"):
        rules_named(str(tmp_path / "no.toml"), tmp_path)


def test_sets_are_kept_in_the_users_configuration_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "tachiai" / "rules"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"cannot write the rule set .*ours.toml"):
        store(our_house(), blocked)


def test_an_option_that_a_clause_has_not_cannot_be_chosen_in_code_either() -> None:
    with pytest.raises(ConfigError, match=r"expected an option .* got 'z'"):
        replace(HOME, choices={**HOME.choices, "7-02": "z"})


@pytest.mark.parametrize("name", SHIPPED)
def test_every_rule_set_with_fouls_of_its_own_has_quick_ones_that_ask_only_what_the_book_leaves_open(name: str) -> None:
    house = rules_named(name)
    assert len(house.quick) == {"jpml-a": 0, "tenhou": 0, "mahjong-soul": 0, "m-league": 5}.get(name, 6)
    for quick in house.quick:
        facts = Facts(dealer=Seat.NEAR, counts={Count.OCCURRENCE: 1, Count.CARDS: 1}).with_facts(quick.facts)
        questions = consequences(quick.clause, Seat.RIGHT, house.penalties, facts, quick.option).questions
        assert set(questions) <= {clause for clause, choice in house.choices.items() if choice == "referee"}


def test_a_house_writes_its_own_quick_fouls_and_who_decides() -> None:
    text = f'{BARE}fouls_decided_by = "owner"\n[[quick]]\nclause = "7-06-01"\noption = "d"\nfacts = ["exposed=2"]'
    house = parse_house(text, "ours.toml", HOME)
    assert house.quick == (QuickFoul(clause="7-06-01", option="d", facts=("exposed=2",)),)
    assert house.penalties.fouls_decided_by == "owner"
    assert parse_house(write_house(house), "ours.toml") == house
    changed = {(difference.kind, difference.key): difference.b for difference in differences(HOME, house)}
    assert changed["quick", "1"] == "7-06-01 d exposed=2"
    assert changed["setting", "fouls_decided_by"] == "owner"


@pytest.mark.parametrize(
    ("quick", "message"),
    [
        (
            'clause = "EMA 6.6"',
            r"ours.toml line 3: quick\[0\]: expected quick fouls out of this house's clauses, got 'EMA 6.6'",
        ),
        ('clause = "7-06-01"\noption = "z"', r"ours.toml line 3: quick\[0\]: expected an option of a, b, .* got 'z'"),
        (
            'clause = "7-06-01"\nfacts = ["deliberat"]',
            r"ours.toml line 3: quick\[0\]: expected a condition .* mean deliberate",
        ),
        (
            'clause = "7-06-01"\nfacts = [3]',
            r"ours.toml line 5: quick\[0\].facts\[0\]: expected a text in quotes, got 3",
        ),
        (
            'clause = "7-06-01"\nblinks = 3',
            r"ours.toml line 5: quick\[0\].blinks: expected one of clause, option, facts, got 'blinks'",
        ),
    ],
)
def test_a_quick_foul_that_the_house_has_not_is_refused(quick: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_house(f"{BARE}[[quick]]\n{quick}", "ours.toml", HOME)


@pytest.mark.parametrize(
    ("name", "suspected", "answer"),
    [
        ("ema-2025", "R22", "EMA 6.7.3"),
        ("ema-2025", "R23", "EMA 6.7 call in riichi"),
        ("ema-2025", "R01", "EMA 6.6"),
        ("ema-2025", "R08", "EMA 6.6"),
        ("wrc-2025", "R08", "WRC 12.3.5"),
        ("wrc-2025", "R22", "WRC hand discard in riichi"),
        ("wrc-2025", "EMA 6.6", "WRC 12.3.5"),
        ("wrc-2025", "7-05-07", "7-05-07"),
        ("home", "R22", "R22"),
        ("home", "EMA 6.6", None),
    ],
)
def test_what_the_catalogue_does_not_know_is_answered_by_a_rulebooks_article(
    name: str, suspected: str, answer: str | None
) -> None:
    rule = rules_named(name).penalties.answer(suspected)
    assert (None if rule is None else rule.clause) == answer


def test_a_changed_answer_loses_the_source_of_the_answer_before() -> None:
    ema = rules_named("ema-2025")
    changed = parse_house(f'{BARE}[choices]\n"7-04-01" = "a"\n[rules]\ntobi = "below_zero"', "ours.toml", ema)
    assert "7-04-01" in ema.sources
    assert changed.sources == {number: source for number, source in ema.sources.items() if number != "7-04-01"}
    assert changed.switch_sources == {name: source for name, source in ema.switch_sources.items() if name != "tobi"}
    cited = parse_house(f'{BARE}[choices]\n"7-04-01" = "a"\n[sources]\n"7-04-01" = "we agreed"', "ours.toml", ema)
    assert cited.sources["7-04-01"] == "we agreed"


def test_a_source_is_cited_for_a_clause_or_a_switch_only() -> None:
    with pytest.raises(ConfigError, match=r"sources.toby: .*did you mean 'tobi'"):
        parse_house(f'{BARE}[sources]\ntoby = "x"', "ours.toml")


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_set_names_the_source_of_every_switch_that_it_sets_and_no_other(name: str) -> None:
    house, text = rules_named(name), package_text("presets", f"{name}.toml")
    changed_switches = {key for key in SWITCH_NAMES if getattr(house.switches, key) != getattr(HOME.switches, key)}
    assert changed_switches <= house.switch_sources.keys() == tomllib.loads(text).get("rules", {}).keys()
    assert all(source.startswith(("[P]", "[S]", "[tenhou]")) for source in house.switch_sources.values())


@pytest.mark.parametrize("name", SHIPPED)
def test_a_file_of_an_earlier_version_may_take_its_switches_from_a_shipped_set(name: str) -> None:
    own_rules, shipped = parse_house(f'{BARE}switches = "{name}"', "ours.toml", HOME), rules_named(name)
    assert own_rules.switches == shipped.switches.but(name=own_rules.name)
    assert own_rules.switch_sources == shipped.switch_sources
    assert own_rules.choices == HOME.choices
    changed = parse_house(f'{BARE}switches = "{name}"\n[rules]\ntobi = "zero_or_below"', "ours.toml")
    assert changed.switch_sources.keys() == shipped.switch_sources.keys() - {"tobi"}
