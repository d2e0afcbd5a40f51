from __future__ import annotations

import re

import pytest

from table.i18n import catalogue
from table.i18n.korean_particles import with_particles
from tests.places import ROOT


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("남가은(는)", "남가는"),
        ("백은(는)", "백은"),
        ("“탕야오”이(가)", "“탕야오”가"),
        ("반칙 3을(를)", "반칙 3을"),
        ("반칙 2을(를)", "반칙 2를"),
        ("반칙 10을(를)", "반칙 10을"),
        ("98%이(가)", "98%가"),
        ("1만(으)로", "1만으로"),
        ("발(으)로", "발로"),
        ("1(으)로", "1로"),
        ("6(으)로", "6으로"),
        ("Ann은(는)", "Ann은"),
        ("東은(는)", "東은(는)"),
    ],
)
def test_a_particle_follows_the_sound_that_the_word_before_it_ends_with(text: str, read: str) -> None:
    assert with_particles(text) == read


def test_a_korean_text_is_told_with_the_particle_that_fits_its_number() -> None:
    assert catalogue("ko").text("event.foul_cancelled", number=2, reason="x").startswith("반칙 2를 ")
    assert catalogue("ko").text("event.foul_cancelled", number=3, reason="x").startswith("반칙 3을 ")


def test_no_korean_text_holds_one_form_of_a_particle_after_a_name_that_may_end_otherwise() -> None:
    forms = "은|는|이|가|을|를|와|과|로|으로|이라는|라는|와\\(과\\)|는\\(은\\)|가\\(이\\)|를\\(을\\)|로\\(으로\\)"
    bare = re.compile(rf"\{{\w+\}}[”’]?({forms})[ ,.]")
    assert bare.search("“{yaku}”로 화료")
    assert [key for key, text in catalogue("ko").texts.items() if bare.search(text)] == []


def test_no_korean_text_that_a_template_fills_in_itself_leaves_both_forms_of_a_particle() -> None:
    templates = (ROOT / "table").rglob("templates/**/*.html")
    filled = {
        name for template in templates for name in re.findall(r"words\.(\w+)\.format\(", template.read_text("utf-8"))
    }
    assert {"labelled", "say_tenpai", "say_nagashi"} <= filled
    texts = catalogue("ko").texts
    both = re.compile(r"은\(는\)|이\(가\)|을\(를\)|과\(와\)|\(으\)로")
    assert [key for key, text in texts.items() if key.split(".", 1)[-1] in filled and both.search(text)] == []
