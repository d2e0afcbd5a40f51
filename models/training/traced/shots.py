"""The description of one picture of a table by seed and number alone: the stage to render, and the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.training.arrangement.laid_sticks import laid_sticks, on_top
from models.training.arrangement.stick_crowds import with_stick_crowds
from models.training.arrangement.views import VIEWS, with_camera
from models.training.traced import prints
from models.training.traced.furniture import furnished, srgb
from models.training.traced.lights import LIGHTS, Light, light_of
from models.training.traced.positions import Records
from models.training.traced.round_arms import arm_things
from models.training.traced.things import Eye, Material, Stage, Thing
from vision.art import STICK_VALUES
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.arm_shape import FINGERS_MM
from vision.cameras.synthetic.drawing.optics import lens_of
from vision.cameras.synthetic.drawing.solids import STICK_DEPTH_MM
from vision.cameras.synthetic.ground_truth import corners_px, seen_sticks, seen_tiles
from vision.cameras.synthetic.layout import Layout
from vision.cameras.synthetic.scene import Arm, Pose, Scene, SceneStick, SceneTile
from vision.felt import BACK, FACES, HAKU

JUDGED: Final = 300
"""The number of pictures for evaluation."""
JUDGE_SEED: Final = 20_261_122
"""The seed of the pictures for evaluation, which is refused for training."""
_STICK_EDGE_MM: Final = 0.8
_CROWDED: Final = 0.75
"""The fraction of training pictures with crowds of sticks."""
_CLEAR_OF_UNIT_MM: Final = 45.0
"""The least distance from the unit to the middle of a crowd of sticks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureSources:
    """The records and faces from which random shots are made."""

    records: Records
    faces: dict[str, Callable[[np.random.Generator], prints.Inks]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """The description of a picture to be rendered."""

    seed: int
    number: int
    appearance: Appearance
    light: Light
    view: str
    faces: str
    """The name of the source of its faces."""
    inks: prints.Inks
    scene: Scene
    source: str
    """The record, hand and moment of its position."""
    riichi_place: str
    riichi_sides: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of its files."""
        return f"{self.seed}-{self.number:05}"

    def chance(self, aspect: int) -> np.random.Generator:
        """Returns a random generator for one aspect of the shot; it gives the same numbers every time."""
        return np.random.default_rng([self.seed, self.number, aspect])


def shot(seed: int, number: int, sources: PictureSources) -> Shot:
    """Returns the description of a picture. Lights and views alternate, so that every series has all equally often."""
    rng = np.random.default_rng([seed, number])
    light = LIGHTS[number % len(LIGHTS)]
    view = tuple(VIEWS)[number // len(LIGHTS) % len(VIEWS)]
    appearance = with_camera(random_look(rng), view, rng)
    layout = Layout(appearance=appearance, seed=int(rng.integers(1 << 30)), untidiness=float(rng.uniform(0.4, 1.8)))
    position = sources.records.position(layout, rng)
    sticks = laid_sticks(appearance, position.scene.tiles, position.scene.sticks, rng)
    scene = Scene(tiles=position.scene.tiles, sticks=sticks.sticks, arms=position.scene.arms)
    faces = sorted(sources.faces)[int(rng.integers(len(sources.faces)))]
    return Shot(
        seed=seed,
        number=number,
        appearance=appearance,
        light=light_of(light, rng),
        view=view,
        faces=faces,
        inks=sources.faces[faces](rng),
        scene=scene if seed == JUDGE_SEED else _with_crowds(scene, appearance, rng),
        source=position.source,
        riichi_place=sticks.riichi_place,
        riichi_sides=sticks.riichi_sides,
    )


def _with_crowds(scene: Scene, appearance: Appearance, rng: np.random.Generator) -> Scene:
    """Returns a scene for training, mostly with crowds of sticks beside its unit."""
    if rng.random() >= _CROWDED:
        return scene
    full = with_stick_crowds(appearance, scene, rng)
    clearance = appearance.unit_mm / 2 + _CLEAR_OF_UNIT_MM if appearance.unit_mm else 0.0
    sticks = list(scene.sticks)
    for stick in full.sticks[len(scene.sticks) :]:
        if max(abs(stick.x_mm), abs(stick.y_mm)) >= clearance:
            sticks.append(on_top(stick, sticks, appearance))
    return replace(full, sticks=tuple(sticks))


def random_look(rng: np.random.Generator) -> Appearance:
    """Returns a random table; half of them are automatic, with a unit, low slots and coloured sticks."""
    appearance = Appearance.random(int(rng.integers(1 << 31)))
    if rng.random() < 0.5:
        return replace(appearance, unit_mm=0.0, are_sticks_coloured=bool(rng.random() < 0.1))
    unit = max(appearance.stick_length_mm + 26.0, float(rng.uniform(112, 150)))
    return replace(
        appearance, unit_mm=unit, unit_height_mm=float(rng.uniform(2, 7)), are_sticks_coloured=bool(rng.random() < 0.5)
    )


def stage_of(shot: Shot, atlases: Path) -> Stage:
    """Returns the stage to render; `atlases` is the folder for the atlases of its faces and sticks."""
    appearance, rng = shot.appearance, shot.chance(1)
    furniture = furnished(appearance, rng)
    things = [*furniture.things, *_pieces(shot)]
    materials = {**furniture.materials, **_piece_materials(appearance, rng)}
    for arm in shot.scene.arms:
        limbs, made_of = arm_things(arm, appearance, rng)
        things += limbs
        materials |= made_of
    return Stage(
        eye=_eye(appearance, rng),
        things=tuple(things),
        materials=materials,
        lamps=shot.light.lamps,
        around=shot.light.around,
        around_lux=shot.light.around_lux,
        seed=shot.number,
        atlases={"tiles": str(atlases / "tiles.png"), "sticks": str(atlases / "sticks.png")},
        atlas_cells={"tiles": prints.TILE_CELLS, "sticks": prints.STICK_CELLS},
    )


def _eye(appearance: Appearance, rng: np.random.Generator) -> Eye:
    lens = lens_of(appearance)
    rotation = np.linalg.inv(lens.intrinsics) @ lens.matrix[:, :3]
    distance = float(np.linalg.norm(lens.position - (appearance.aim_x_mm, appearance.aim_y_mm, 0.0)))
    right, down = rotation[0], rotation[1]
    return Eye(
        at=_place(lens.position),
        right=_place(right),
        up=_place(-down),
        focal_px=appearance.focal_px,
        width_px=appearance.width_px,
        height_px=appearance.height_px,
        opening_mm=float(rng.uniform(0.3, 5.0)),
        focus_mm=distance * float(rng.uniform(0.85, 1.12)),
    )


def _place(values: Any) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z


def _pieces(shot: Shot) -> Iterator[Thing]:
    for tile in shot.scene.tiles:
        yield _tile(tile, shot.appearance)
    for stick in shot.scene.sticks:
        yield _stick(stick, shot.appearance)
    for arm in shot.scene.arms:
        if arm.holds is not None:
            yield _tile(_carried_tile(arm, arm.holds), shot.appearance)


def _carried_tile(arm: Arm, tile: SceneTile) -> SceneTile:
    return replace(tile, x_mm=arm.x_mm, y_mm=arm.y_mm, z_mm=FINGERS_MM - 20)


def _tile(tile: SceneTile, appearance: Appearance) -> Thing:
    tall = appearance.tile_height_mm if tile.pose is Pose.STANDING else appearance.tile_depth_mm
    turn = {Pose.FACE_UP: (0.0, 0.0), Pose.FACE_DOWN: (0.0, 180.0), Pose.STANDING: (90.0, 0.0)}[tile.pose]
    return Thing(
        shape="box",
        material="tile",
        at=(float(tile.x_mm), float(tile.y_mm), tile.z_mm + tall / 2),
        turn_deg=(*turn, float(tile.angle_deg)),
        size=(appearance.tile_width_mm, appearance.tile_height_mm, appearance.tile_depth_mm),
        edge_mm=appearance.edge_mm,
        cell=FACES.index(HAKU if tile.face == BACK else tile.face),
    )


def _stick(stick: SceneStick, appearance: Appearance) -> Thing:
    return Thing(
        shape="box",
        material=f"stick {stick.value}",
        at=(stick.x_mm, stick.y_mm, stick.z_mm + STICK_DEPTH_MM / 2),
        turn_deg=(0.0, 0.0, stick.angle_deg),
        size=(appearance.stick_length_mm, appearance.stick_breadth_mm, STICK_DEPTH_MM),
        edge_mm=_STICK_EDGE_MM,
        cell=STICK_VALUES.index(stick.value),
    )


def _piece_materials(appearance: Appearance, rng: np.random.Generator) -> dict[str, Material]:
    gloss = float(rng.uniform(0.12, 0.5))
    made_of = {
        "tile": Material(
            kind="printed",
            colour=srgb(appearance.body),
            roughness=gloss,
            coat=float(rng.choice([0.0, 0.0, 0.4])),
            under=srgb(appearance.back),
            seam=appearance.back_share,
            inset_mm=appearance.ink_inset_mm,
            relief_mm=float(rng.uniform(0.0, 0.45)),
            atlas="tiles",
        )
    }
    for value in STICK_VALUES:
        colour = srgb(appearance.stick_colour(value))
        made_of[f"stick {value}"] = Material(
            kind="printed",
            colour=colour,
            roughness=gloss,
            under=colour,
            relief_mm=float(rng.uniform(0.0, 0.3)),
            atlas="sticks",
        )
    return made_of


def truth_of(shot: Shot) -> dict[str, Any]:
    """Returns the truth of a shot: corners, tiles and sticks in pixels, and their visible fractions."""
    scene, appearance = shot.scene, shot.appearance
    return {
        "picture": f"{shot.name}.jpg",
        "seed": shot.seed,
        "number": shot.number,
        "light": shot.light.name,
        "view": shot.view,
        "faces": shot.faces,
        "position": shot.source,
        "riichi": {"place": shot.riichi_place, "sides": list(shot.riichi_sides)},
        "corners_px": _rounded(corners_px(appearance)),
        "side_mm": round(appearance.felt_mm, 2),
        "tile_mm": [
            round(size, 2) for size in (appearance.tile_width_mm, appearance.tile_height_mm, appearance.tile_depth_mm)
        ],
        "unit_mm": round(appearance.unit_mm, 2),
        "tiles": [
            {
                "tile": BACK if seen.tile.pose is Pose.FACE_DOWN else seen.tile.face,
                "quad": _rounded(seen.quad),
                "visible": round(seen.visible, 3),
                "high_mm": round(seen.tile.z_mm, 2),
            }
            for seen in seen_tiles(scene, appearance)
        ],
        "sticks": [
            {
                "value": seen.stick.value,
                "quad": _rounded(seen.quad),
                "visible": round(seen.visible, 3),
                "print_visible": round(seen.print_visible, 3),
                "high_mm": round(seen.stick.z_mm, 2),
            }
            for seen in seen_sticks(scene, appearance)
        ],
    }


def _rounded(points: Any) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in points]
