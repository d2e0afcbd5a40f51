"""``.venv/bin/python -m tests.benchmarks.traced_hands OUT --blender PYTHON``: watches path-traced hands of records.

The hands are those of `tests.benchmarks.watching`, but Blender renders them (`models.training.traced`), with physical
light, arms, furniture, and faces that are drawn or cut from photographs: not the synthetic camera that the rules and
weights were made with. Lights and views alternate, as they do in single pictures. A frame takes 10 to 25 seconds of one
processor, so a hand takes half an hour and more: frames are kept in OUT, and a run goes on where it ended. The camera's
noise is another one in each frame.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.training.arrangement.views import VIEWS, with_camera
from models.training.traced import prints
from models.training.traced.__main__ import Renderer, write_atlases
from models.training.traced.develop import developed
from models.training.traced.lights import LIGHTS, light_of
from models.training.traced.shots import Shot, random_look, stage_of
from table.camera.simulation.script_from_record import scripted_hand
from table.camera.simulation.script_recording import Show, prepare_show
from table.records.formats.game_record import HandRecord
from table.rules.ruleset import Ruleset
from tests.benchmarks.hand_results import Count, Filming, Store, result_of
from tests.benchmarks.watching import recorded_hands, watch_frames, write_slips
from tests.places import SHARED
from vision.cameras.synthetic.scene import Pose, Scene
from vision.cameras.synthetic.synthetic_camera import frame_count
from vision.felt import FACES
from vision.frames import Frame

_SEED: Final = 20_261_201
"""Of all chance; no picture that anything was trained on or chosen by has it."""
_FPS: Final = 5.0
_PACE_S: Final = 1.2
_SIZES: Final = {"overhead": (960, 720), "25-35": (1600, 900), "35-50": (1920, 1080)}
"""Of a picture in pixels, by the camera's view; with less, the set-up would say that tiles are too small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedHand:
    """A hand before a path-traced camera."""

    show: Show
    still: Shot
    """The table before the first frame, in its light, with the faces of its tiles."""

    def scenes(self) -> Iterator[Scene]:
        """Yields what the camera sees in each frame; standing tiles have faces, which are not those of the hand."""
        film = self.show.film
        for k in range(frame_count(film, _FPS)):
            scene = film.scene_at(k / _FPS)
            tiles = (
                replace(tile, face=FACES[hash((tile.x_mm, tile.y_mm)) % len(FACES)])
                if tile.pose is Pose.STANDING
                else tile
                for tile in scene.tiles
            )
            yield replace(scene, tiles=tuple(tiles))


def traced_hand(number: int, hand: HandRecord, ruleset: Ruleset, faces: prints.Sources) -> TracedHand:
    """Returns a hand on a random table; the same number gives the same."""
    table = table_of(number, faces)
    show = prepare_show(
        (scripted_hand(hand, pace_s=_PACE_S),),
        appearance=table.appearance,
        fps=_FPS,
        seed=number,
        start=hand.deal.scores,
        ruleset=ruleset,
    )
    return TracedHand(show=show, still=replace(table, scene=show.film.scene_at(0.0)))


def table_of(number: int, faces: prints.Sources) -> Shot:
    """Returns an empty table in its light, before its camera, with tiles of one of these sources of faces."""
    rng = np.random.default_rng([_SEED, number])
    view = tuple(VIEWS)[number // len(LIGHTS) % len(VIEWS)]
    width, height = _SIZES[view]
    name = sorted(faces)[number % len(faces)]
    return Shot(
        seed=_SEED,
        number=number,
        appearance=replace(with_camera(random_look(rng), view, rng), width_px=width, height_px=height),
        light=light_of(LIGHTS[number % len(LIGHTS)], rng),
        view=view,
        faces=name,
        inks=faces[name](rng),
        scene=Scene(),
        source="",
        riichi_place="",
        riichi_sides=(),
    )


def render_missing(hand: TracedHand, folder: Path, renderer: Renderer) -> list[Path]:
    """Returns the linear light of each frame, a file in `folder`, and renders what is missing.

    Frames in which nothing differs share a file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[Scene, Path] = {}
    frames = []
    with tempfile.TemporaryDirectory() as between:
        write_atlases(hand.still.inks, Path(between))
        eye = stage_of(hand.still, Path(between)).eye
        for k, scene in enumerate(hand.scenes()):
            path = files.setdefault(scene, folder / f"{k:05}.png")
            if not path.exists():
                # The camera stays in focus, whatever the arms are like. Another seed would let all edges tremble.
                stage = replace(stage_of(replace(hand.still, scene=scene), Path(between)), eye=eye)
                light = renderer.light(stage, Path(between))
                unfinished = path.with_suffix(".part.png")
                cv2.imwrite(str(unfinished), light)
                unfinished.rename(path)
            frames.append(path)
    return frames


def frames_of(hand: TracedHand, files: Sequence[Path]) -> Iterator[Frame]:
    """Yields a camera's frames of this linear light."""
    for k, path in enumerate(files):
        light = np.asarray(cv2.imread(str(path), cv2.IMREAD_UNCHANGED), np.uint16)
        image = developed(light, hand.still.light, hand.still.chance(2), np.random.default_rng([_SEED, k]))
        yield Frame(k=k, t_ns=round(k * 1e9 / _FPS), image=image)


def main(arguments: Sequence[str]) -> int:
    """Prints a line a hand, then the figures."""
    args = _arguments(arguments)
    cv2.setNumThreads(1)
    store, count = Store(args.out / "results.jsonl"), Count()
    args.out.mkdir(parents=True, exist_ok=True)
    faces = prints.sources(SHARED if SHARED.is_dir() else None)
    with Renderer(args.blender, samples=args.samples) as renderer:
        for number, name, record, ruleset in recorded_hands(args.first, args.hands):
            hand = traced_hand(number, record, ruleset, faces)
            discards = sum(line["type"] == "dahai" for line in hand.show.truth)
            if discards > args.most_discards:
                continue
            filming = _filming(hand, number, name)
            result = store.get(filming)
            if result is None:
                files = render_missing(hand, args.out / f"{number:05}", renderer)
                replayed = watch_frames(hand.show, frames_of(hand, files))
                result = result_of(filming, hand.show, replayed)
                store.add(result)
                if not result.is_right:
                    write_slips(args.out / f"{number:05}", hand.show.truth, replayed.events)
            count.results.append(result)
            print(f"{number:3} {filming.look:40} {'right' if result.is_right else 'WRONG'}  {name}", flush=True)
    if not count.results:
        print("SKIPPED: the real game records are absent: ../shared/logs/tenhou")
    print(*count.lines(), sep="\n")
    return 0


def _filming(hand: TracedHand, number: int, record: str) -> Filming:
    still = hand.still
    return Filming(
        number=number,
        record=record,
        look=f"{still.light.name}, {still.view}, {still.faces}",
        px=still.appearance.height_px,
        fps=_FPS,
        pace_s=_PACE_S,
        is_scanned=False,
        strains=(),
    )


def _arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", metavar="OUT", type=Path, help="folder for frames and results, outside the repository")
    parser.add_argument("--blender", default=sys.executable, metavar="PYTHON", help="a Python interpreter with bpy")
    parser.add_argument("--samples", type=int, default=2, help="light paths per pixel (2)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first hand (0)")
    parser.add_argument("--hands", type=int, default=15, help="how many (15), less those that are too long")
    parser.add_argument("--most-discards", type=int, default=200, metavar="N", help="skip longer hands (200)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
