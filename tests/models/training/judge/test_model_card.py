"""The model card's tables hold what was measured."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.judge import reader_figures
from models.training.judge.model_card import table
from vision.felt import FACES
from vision.reading.reader import TileReader

FIGURES = {"there": 40.0, "recall": 0.975, "right_of_found": 0.9, "false_per_100": 2.5, "corner_error": 0.047}


def test_sets_within_sets_become_rows_with_both_names() -> None:
    rows = table({"tables": {"tiles": FIGURES}, "photos": FIGURES})[2:]
    assert rows == [
        "| tables, tiles | 40 | 97.5 % | 90.0 % | 2.5 | 0.047 |",
        "| photos | 40 | 97.5 % | 90.0 % | 2.5 | 0.047 |",
    ]


def test_rendered_crops_are_judged_by_their_own_labels(tmp_path_factory: pytest.TempPathFactory) -> None:
    try:
        judgement = reader_figures.judge_rendered(TileReader(), tmp_path_factory.mktemp("no art"), count=160)
    except LookupError as absent:
        pytest.skip(f"fonts to render with are absent: {absent}")
    assert set(judgement.truth) & set(FACES)
    assert judgement.rate.right == sum(judgement.right)
    assert judgement.rate.part > 0.85
    assert 0 < float(np.mean(judgement.scores)) <= 1


def test_absent_photographs_give_no_figures(tmp_path_factory: pytest.TempPathFactory) -> None:
    empty = tmp_path_factory.mktemp("no photos")
    assert reader_figures.judge_lying(TileReader(), empty).truth == []
    assert reader_figures.judge_standing(TileReader(), empty).rate.total == 0
