"""Complete sets of tile faces, imagined or from art, for the synthetic camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from models.training.crops import samples
from models.training.faces import art_sets, tile_style
from models.training.faces.face_painter import paint
from models.training.faces.font_glyphs import Fonts, find_fonts
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.textures import FaceSource, own_faces
from vision.felt import FACES

Sets = Callable[[np.random.Generator, Appearance], FaceSource]
"""Returns the faces of one more set for tiles of this appearance."""
_OWN_SHARE: Final = 0.3
"""The fraction of tables with the project's own faces."""


def sets_of(shared: Path) -> Sets:
    """Returns a source of sets from the installed fonts and the art under `shared`, sometimes the project's own."""
    fonts, art = find_fonts(), samples.load_material(shared)
    return lambda rng, look: own_faces if rng.random() < _OWN_SHARE else imagined(rng, look, fonts, art)


def imagined(
    rng: np.random.Generator, appearance: Appearance, fonts: Fonts, art: tuple[art_sets.ArtSet, ...]
) -> FaceSource:
    """Returns the faces of one more set, imagined or of `art`, on tiles of this appearance's colour."""
    style = replace(
        tile_style.sample(rng, fonts),
        base=(float(appearance.body[0]), float(appearance.body[1]), float(appearance.body[2])),
    )
    art_set = art[int(rng.integers(len(art)))] if art and rng.random() < 0.3 else None
    pages = {
        face: paint(face, style, rng) if art_set is None else art_sets.printed(art_set, face, style.base, rng)
        for face in FACES
    }
    opaque = np.full((*pages["1m"].shape[:2], 1), 255, np.uint8)
    return {face: np.concatenate([page, opaque], axis=2) for face, page in pages.items()}.__getitem__
