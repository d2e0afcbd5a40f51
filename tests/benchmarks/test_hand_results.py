from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.benchmarks.hand_results import Count, Filming, HandResult, Store

FILMING = Filming(
    number=4,
    record="one hand 3",
    look="dim",
    px=800,
    fps=5.0,
    pace_s=1.2,
    is_scanned=False,
    strains=("tremble", "jpeg"),
)
RESULT = HandResult(
    filming=FILMING,
    is_right=False,
    is_settled=True,
    events=40,
    missed=1,
    false=0,
    wrong=1,
    is_false_riichi=True,
    is_false_four=False,
    questions=("4m", "stick 2"),
    never_due=("stick_missing",),
    late_s=(0.6, 0.8),
    slips=("not dahai 6m", "but dahai 4m", "not pon E"),
)


def test_a_hand_that_was_filmed_before_is_known_from_the_file_and_one_filmed_otherwise_is_not(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    Store(path).add(RESULT)
    again = Store(path)
    assert again.get(FILMING) == RESULT
    assert again.get(replace(FILMING, px=1600)) is None
    assert again.get(replace(FILMING, strains=("tremble",))) is None


def test_the_figures_count_hands_once_and_questions_each() -> None:
    lines = list(
        Count([RESULT, replace(RESULT, is_right=True, is_false_riichi=False, questions=(), never_due=())]).lines()
    )
    figures = {line[:21].strip(): line[21:].split(" (")[0].strip() for line in lines}
    assert figures["hands entirely right"] == figures["false riichi"] == figures["false stick missing"] == "1 of 2"
    assert figures["hands with a question"] == "1 of 2"
    assert figures["questions"] == "2"
    assert figures["events missed"] == "25.0 per thousand"
