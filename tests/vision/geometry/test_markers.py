from __future__ import annotations

import re

import pytest

from vision.geometry.markers import INSIDE, Box, Paper, boxes, cuts, sheet_pdf, sheet_svg, texts

UNPRINTED_MM = 12.0
"""What printers leave white at the page's edge."""
LETTER_WIDTH = 0.5
"""A letter's width over its height, on the wide side for a line's mean."""


def holds(outer: Box, inner: Box) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )


@pytest.mark.parametrize("paper", Paper, ids=lambda paper: paper.name)
def test_all_of_the_sheet_is_within_what_a_printer_reaches(paper: Paper) -> None:
    width, height = paper.value
    page = Box(UNPRINTED_MM, UNPRINTED_MM, width - 2 * UNPRINTED_MM, height - 2 * UNPRINTED_MM)
    lines = [Box(t.x, t.y - t.size, t.size * LETTER_WIDTH * len(t.words), t.size) for t in texts()]
    for box in (*boxes(), *cuts(), *lines):
        assert holds(page, box), box


def test_each_marker_carries_its_caption_within_the_cut_and_clear_of_the_white_it_needs() -> None:
    captions = [text for text in texts() if re.match(r"\d  ", text.words)]
    assert len(captions) == 8
    for caption, cut in zip(captions, cuts(), strict=True):
        line = Box(caption.x, caption.y - caption.size, caption.size * LETTER_WIDTH * len(caption.words), caption.size)
        assert holds(cut, line), caption
        black = [box for box in boxes() if holds(cut, box)]
        lowest = max(box.y + box.height for box in black)
        assert line.y >= lowest + INSIDE.cell_mm


def test_the_ruler_measures_what_it_says() -> None:
    (line,) = (box for box in boxes() if box.width > 100)
    (words,) = (text.words for text in texts() if "must measure" in text.words)
    assert f"must measure {line.width:g} mm ({line.width / 25.4:.2f} inches)" in words


@pytest.mark.parametrize("paper", Paper, ids=lambda paper: paper.name)
def test_both_forms_are_of_the_paper_s_size(paper: Paper) -> None:
    width, height = paper.value
    assert f'width="{width}mm" height="{height}mm"' in sheet_svg(paper)
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", sheet_pdf(paper))
    assert box is not None
    assert [float(group) for group in box.groups()] == pytest.approx([width / 25.4 * 72, height / 25.4 * 72], abs=0.01)
