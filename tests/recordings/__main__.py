"""``.venv/bin/python -m tests.recordings FOLDER``: makes the recordings of this folder anew, pixel for pixel."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from table.camera.simulation import read_script
from table.camera.simulation.script_recording import Show, prepare_show, press_line, settings_of
from tests.table.camera.simulation.scripts import CALM, KANS, OPEN_HANDS, RIICHI_TSUMO, SHORT
from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.scene import Arm, Scene
from vision.cameras.synthetic.synthetic_camera import frame_count
from vision.recording.recording import RecordingWriter

PLAIN: Final = Appearance(width_px=1000, height_px=1000, felt_grain=0.0, noise=0.6)
PUSHED: Final = replace(PLAIN, camera_x_mm=14.0, aim_x_mm=16.0, aim_y_mm=-9.0, turn_deg=0.8)
QUALITY: Final = 45
FPS: Final = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    """One recording: a script, and what happens to the camera and the table meanwhile."""

    script: str
    seed: int = 3
    appearance_at: Callable[[float], Appearance] = lambda _: PLAIN
    """The camera and the light at a time in seconds."""
    arms_at: Callable[[float], tuple[Arm, ...]] = lambda _: ()
    """Arms that rest on the table besides the script's hands."""


TAKES: Final = {
    "riichi_tsumo": Take(script=RIICHI_TSUMO),
    "called_riichi": Take(script=SHORT),
    "pon_and_kans": Take(script=KANS),
    "open_hands": Take(script=OPEN_HANDS),
    "resting_arm": Take(
        script=CALM, arms_at=lambda time_s: (Arm(side=0, x_mm=-20.0, y_mm=-70.0),) if 7.0 < time_s < 11.0 else ()
    ),
    "pushed_camera": Take(script=CALM, appearance_at=lambda time_s: PUSHED if time_s > 8.2 else PLAIN),
}


def make(take: Take, path: Path) -> None:
    """Films one recording.

    Raises:
        RecordingError: it lies there already.
    """
    shown = prepare_show(read_script(take.script), appearance=PLAIN, fps=FPS, seed=take.seed)
    with RecordingWriter(path, settings_of(shown), quality=QUALITY) as writer:
        for image in pictures(take, shown):
            writer.add(image)
        for press in shown.presses:
            writer.add_press(press_line(press))
        for line in shown.truth:
            writer.add_truth(line)


def pictures(take: Take, film: Show) -> Iterator[Image]:
    """The frames, one after another."""
    renderers: dict[Appearance, Renderer] = {}
    for k in range(frame_count(film.film, FPS)):
        appearance, scene = take.appearance_at(k / FPS), film.film.scene_at(k / FPS)
        renderer = renderers.setdefault(appearance, Renderer(appearance))
        arms = (*scene.arms, *take.arms_at(k / FPS))
        yield renderer.render(Scene(tiles=scene.tiles, sticks=scene.sticks, arms=arms), k=k)


def main(arguments: list[str]) -> int:
    """Makes all that do not lie in the folder yet."""
    if len(arguments) != 1:
        print("expected one argument, the folder for the recordings", file=sys.stderr)
        return 2
    for name, take in TAKES.items():
        path = Path(arguments[0]) / name
        if not path.exists():
            make(take, path)
            print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
