"""Rendered crops are labelled, varied, and the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.crops import crop_clutter, crop_scene, samples
from models.training.faces import art_sets, canvas, face_painter, font_glyphs, tile_style
from vision.felt import CLASSES, FACES
from vision.reading.reader import HEIGHT, WIDTH


@pytest.fixture(scope="module")
def fonts() -> font_glyphs.Fonts:
    try:
        return font_glyphs.find_fonts()
    except LookupError as absent:
        pytest.skip(f"fonts to render with are absent: {absent}")


def test_the_same_seed_renders_the_same_crops(fonts: font_glyphs.Fonts) -> None:
    art = (art_sets.own_art(),)
    one, again, other = (samples.make(6, seed=seed, fonts=fonts, art=art) for seed in (5, 5, 6))
    assert one.crops.shape == (6, HEIGHT, WIDTH, 3)
    assert np.array_equal(one.crops, again.crops)
    assert np.array_equal(one.labels, again.labels)
    assert not np.array_equal(one.crops, other.crops)


def test_every_class_turns_up(fonts: font_glyphs.Fonts) -> None:
    batch = samples.make(400, seed=11, fonts=fonts, art=())
    assert {CLASSES[label] for label in batch.labels} == set(CLASSES)


@pytest.mark.parametrize("face", [*FACES, "back", "flower"])
def test_every_face_of_an_imagined_set_has_ink_of_its_own(face: str, fonts: font_glyphs.Fonts) -> None:
    style = tile_style.sample(np.random.default_rng(8), fonts)
    page = face_painter.paint(face, style, np.random.default_rng(1))
    assert page.shape == (canvas.HEIGHT, canvas.WIDTH, 3)
    blank = np.abs(page.astype(int) - np.array(style.base, int)).max() < 3
    assert blank == (face == "5z" and style.haku == "blank")


@pytest.mark.parametrize("suit", ["m", "p", "s"])
def test_a_red_five_is_redder_than_its_five(suit: str, fonts: font_glyphs.Fonts) -> None:
    def redness(face: str, seed: int) -> float:
        style = tile_style.sample(np.random.default_rng(seed), fonts)
        page = face_painter.paint(face, style, np.random.default_rng(1)).astype(float)
        return float((page[..., 2] - page[..., :2].mean(axis=2)).mean())

    assert all(redness("0" + suit, seed) > redness("5" + suit, seed) for seed in range(6))


def test_a_drawn_set_without_a_red_five_gets_one(fonts: font_glyphs.Fonts) -> None:
    own_art = art_sets.own_art()
    without_red = art_sets.ArtSet(
        name="bare", faces={face: own_art.faces[face] for face in FACES if face != "0p"}, extras=()
    )
    rng = np.random.default_rng(2)
    red, plain = (art_sets.printed(without_red, face, (230, 240, 245), rng).astype(float) for face in ("0p", "5p"))
    assert (red[..., 2] - red[..., 0]).mean() > (plain[..., 2] - plain[..., 0]).mean()
    with pytest.raises(LookupError, match="got none, in art set bare"):
        art_sets.printed(art_sets.ArtSet(name="bare", faces={}, extras=()), "1m", (230, 240, 245), rng)
    assert fonts.latin


def test_clutter_stays_on_its_canvas(fonts: font_glyphs.Fonts) -> None:
    style = tile_style.sample(np.random.default_rng(4), fonts)
    prints = [face_painter.paint(face, style, np.random.default_rng(1)) for face in FACES]
    around = crop_scene.Surroundings(neighbours=prints, base=style.base, back=(40.0, 120.0, 220.0))
    for seed in range(40):
        table, quad = crop_clutter.negative(around, fonts, np.random.default_rng(seed))
        assert table.shape == (crop_scene.CANVAS_H, crop_scene.CANVAS_W, 3)
        assert quad.shape == (4, 2)


def test_a_brush_never_writes_the_same_twice_and_knows_what_it_cannot_write() -> None:
    rng = np.random.default_rng(1)
    one, other = font_glyphs.brushed("九", rng), font_glyphs.brushed("九", rng)
    assert one is not None
    assert other is not None
    assert not np.array_equal(one, other)
    assert font_glyphs.brushed("萬", rng) is None


def test_no_fonts_is_said_plainly(tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(LookupError, match="expected brush or kai fonts"):
        font_glyphs.find_fonts(tmp_path_factory.mktemp("no fonts"))
