"""Crops cut from whole tables drawn by the project's synthetic camera, with true perspective and exact truth.

They contain what photographs of single tiles lack: sides, stacks, arms, walls, sticks, the centre of the table, and
rows of backs. The reader's negatives are quads without a face on the same pictures.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from models.training.crops.crop_scene import random_width
from models.training.crops.imagined_sets import imagined
from models.training.crops.samples import Batch
from models.training.faces import art_sets
from models.training.faces.font_glyphs import Fonts
from models.training.studio.pasted_tables import pasted
from models.training.studio.random_deals import random_table
from models.training.studio.scenes.scene_renderer import MUST, TILE
from models.training.studio.table_pictures import HELD_OUT
from vision.arrays import Floats32, Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.drawing.textures import FaceSource, own_faces
from vision.cameras.synthetic.ground_truth import SeenTile, seen_sticks, seen_tiles
from vision.cameras.synthetic.scene import Pose
from vision.felt import BACK, CLASSES, NOT_A_TILE
from vision.reading.reader import HEIGHT, WIDTH, crops

_OWN_SHARE: Final = 0.35
"""The fraction of tables with the project's own faces."""
_ASLANT: Final = 0.35
_PASTED: Final = 0.3
"""The fraction of tables that are pasted together instead."""
_FLAT_PX: Final = 512
_CLEAR: Final = 0.75
"""The visible fraction from which a face is used for training."""
_NOTHING: Final = 10
"""The number of quads without a face per table."""


def make(count: int, *, seed: int, fonts: Fonts, art: tuple[art_sets.ArtSet, ...]) -> Batch:
    """Renders tables until `count` crops are cut; the same seed and material give the same crops."""
    rng = np.random.default_rng(seed)
    cut: list[Image] = []
    labels: list[int] = []
    while len(labels) < count:
        appearance = _random_appearance(rng)
        faces = own_faces if rng.random() < _OWN_SHARE else imagined(rng, appearance, fonts, art)
        picture, quads, names = (flat_table if rng.random() < _PASTED else table)(appearance, faces, rng)
        cut.append(crops(picture, slipped(quads, rng)))
        labels.extend(CLASSES.index(name) for name in names)
    found = np.concatenate(cut)[:count] if cut else np.empty((0, HEIGHT, WIDTH, 3), np.uint8)
    return Batch(crops=found, labels=np.array(labels[:count], np.int64))


def table(appearance: Appearance, faces: FaceSource, rng: np.random.Generator) -> tuple[Image, Floats32, list[str]]:
    """Returns a picture of a random table, quads on it [N, 4, 2] with upright glyphs, and the face of each."""
    scene = random_table(rng, appearance)
    picture = Renderer(appearance, faces=faces).render(scene)
    seen = seen_tiles(scene, appearance)
    clear = [tile for tile in seen if tile.visible > _CLEAR]
    quads_on_table = [tile.quad for tile in seen] + [stick.quad for stick in seen_sticks(scene, appearance)]
    empty = _empty_quads(clear, quads_on_table, appearance, rng)
    quads = np.array([tile.quad for tile in clear] + empty, np.float32).reshape(-1, 4, 2)
    names = [BACK if tile.tile.pose is Pose.FACE_DOWN else tile.tile.face for tile in clear]
    return np.asarray(picture, dtype=np.uint8), quads, [*names, *[NOT_A_TILE] * len(empty)]


def flat_table(
    appearance: Appearance, faces: FaceSource, rng: np.random.Generator
) -> tuple[Image, Floats32, list[str]]:
    """Returns the same as `table` for a pasted table."""
    scale = random_width(rng, 48) / appearance.tile_width_mm
    scene, names = pasted(rng, appearance, faces, px_per_mm=scale, size=_FLAT_PX)
    truth = scene.truth
    whole = ((truth.quads > 0) & (truth.quads < _FLAT_PX)).all(axis=(1, 2))
    indexes = np.flatnonzero((truth.kinds == TILE) & (truth.duty == MUST) & whole)
    return scene.image, truth.quads[indexes], [names[index] for index in indexes]


def _random_appearance(rng: np.random.Generator) -> Appearance:
    side = int(rng.choice([640, 800, 1024, 1296, 1600]))
    appearance = Appearance.random(int(rng.integers(HELD_OUT)), width_px=side, height_px=side)
    if rng.random() > _ASLANT:
        return appearance
    offset = appearance.camera_height_mm * float(np.tan(np.radians(rng.uniform(15, 48))))
    direction = float(rng.uniform(0, 2 * np.pi))
    return replace(
        appearance,
        camera_x_mm=offset * float(np.cos(direction)),
        camera_y_mm=offset * float(np.sin(direction)),
        covered_mm=appearance.felt_mm * float(rng.uniform(1.1, 1.3)),
    )


def _empty_quads(
    clear: list[SeenTile],
    quads_on_table: list[npt.NDArray[np.float64]],
    appearance: Appearance,
    rng: np.random.Generator,
) -> list[Floats32]:
    """Returns quads of a tile's size and shape that contain the middle of no object on the table."""
    if not clear:
        return []
    middles = np.array([quad.mean(axis=0) for quad in quads_on_table])
    found: list[Floats32] = []
    for _ in range(_NOTHING * 4):
        model = clear[int(rng.integers(len(clear)))].quad
        size = float(np.linalg.norm(model[1] - model[0]))
        middle = rng.uniform(0.05, 0.95, 2) * (appearance.width_px, appearance.height_px)
        if rng.random() < 0.6:
            middle = model.mean(axis=0) + rng.normal(0, 1, 2) * size
        if np.linalg.norm(middles - middle, axis=1).min() > 0.55 * size and len(found) < _NOTHING:
            found.append(np.asarray(model - model.mean(axis=0) + middle, dtype=np.float32))
    return found


def slipped(quads: Floats32, rng: np.random.Generator) -> Floats32:
    """Returns the quads with a locator's errors."""
    size = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)[:, None, None]
    errors = rng.uniform(-0.08, 0.08, quads.shape) * rng.choice([0.3, 0.6, 1.0], (len(quads), 1, 1))
    drift = rng.uniform(-0.04, 0.04, (len(quads), 1, 2))
    return np.asarray(quads + (errors + drift) * size, dtype=np.float32)
