"""A scan is judged on looks that it did not take."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.faces import font_glyphs
from models.training.judge import scan_figures
from vision.felt import FACES
from vision.reading.reader import TileReader


@pytest.fixture(scope="module")
def reader() -> TileReader:
    return TileReader()


@pytest.fixture(scope="module")
def set_crops() -> scan_figures.SetCrops:
    try:
        font_glyphs.find_fonts()
    except LookupError as absent:
        pytest.skip(f"fonts to render with are absent: {absent}")
    (one,) = scan_figures.from_above(1)
    return one


def test_a_scan_takes_some_looks_and_the_others_are_read(reader: TileReader, set_crops: scan_figures.SetCrops) -> None:
    counts = {face: set_crops.truth.count(face) for face in set(set_crops.truth)}
    judgement = scan_figures.judge(reader, set_crops, 2)
    assert len(judgement.truth) == sum(max(count - 2, 1) for count in counts.values())
    assert len(judgement.truth) == len(judgement.without) == len(judgement.learnt)
    right = [
        sum(a == b for a, b in zip(judgement.truth, read, strict=True))
        for read in (judgement.without, judgement.learnt)
    ]
    assert right[1] >= 0.95 * len(judgement.truth)
    assert right[1] >= right[0] - 2


def test_absent_photographs_are_no_set(tmp_path: Path) -> None:
    assert scan_figures.standing_set(tmp_path) == []


def test_the_report_names_sets_rates_and_confusions(
    reader: TileReader, set_crops: scan_figures.SetCrops, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    half = scan_figures.SetCrops(
        name="flipped", crops=np.ascontiguousarray(set_crops.crops[:, ::-1]), truth=set_crops.truth
    )
    monkeypatch.setattr(scan_figures, "from_above", lambda count: [set_crops, half])
    text = scan_figures.report(reader, tmp_path, sets=2)
    assert "| **2 imagined sets from above** |" in text
    assert "| flipped |" in text
    assert "Mistakes, imagined sets from above, without: " in text
    assert set(FACES) & set(text.replace(":", " ").replace(",", " ").split())
