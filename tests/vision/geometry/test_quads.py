"""Quads that may overlap are paired without comparing all at once."""

from __future__ import annotations

import numpy as np

from vision.geometry.quads import are_close, close_pairs


def test_close_pairs_are_those_of_the_whole_matrix_in_its_order() -> None:
    rng = np.random.default_rng(3)
    middles, halves = rng.uniform(0, 400, (300, 1, 2)), rng.uniform(5, 40, (300, 1, 1))
    corners = np.array([(-1, -1.4), (1, -1.4), (1, 1.4), (-1, 1.4)])
    quads = (middles + halves * corners).astype(np.float32)
    assert close_pairs(quads).tolist() == np.argwhere(np.tril(are_close(quads), -1)).tolist()
    assert close_pairs(quads[:0]).shape == (0, 2)
