"""Path-traces tables: `python -m models.training.traced OUT --judge --blender PYTHON`; a restart continues the run."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.training.traced import prints
from models.training.traced.develop import Raw, developed
from models.training.traced.positions import Records
from models.training.traced.shots import JUDGE_SEED, JUDGED, PictureSources, Shot, shot, stage_of, truth_of
from models.training.traced.things import Stage
from vision.arrays import Image

_BLENDER: Final = Path(__file__).with_name("blender.py")
_SAMPLES: Final = 8
ROOT: Final = Path(__file__).resolve().parents[3]


class Renderer:
    """Blender in a separate process."""

    def __init__(self, python: str, *, samples: int = _SAMPLES, device: str = "CPU") -> None:
        """Starts an interpreter with `bpy`."""
        self._options = {"samples": samples, "device": device}
        self._process = subprocess.Popen(
            [python, str(_BLENDER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def picture(self, shot: Shot, folder: Path) -> Image:
        """Returns a rendered and developed shot; `folder` is for temporary files.

        Raises:
            ChildProcessError: Blender failed.
        """
        write_atlases(shot.inks, folder)
        return developed(self.light(stage_of(shot, folder), folder), shot.light, shot.chance(2))

    def light(self, stage: Stage, folder: Path) -> Raw:
        """Returns the linear light of a stage; `folder` is for temporary files.

        Raises:
            ChildProcessError: Blender failed.
        """
        raw = folder / "raw.png"
        self._render({"stage": stage.to_json(), "out": str(raw), **self._options})
        light = cv2.imread(str(raw), cv2.IMREAD_UNCHANGED)
        if light is None or light.dtype != np.uint16:
            raise ChildProcessError(f"expected a picture of 16 bit, got none, at {raw}")
        return np.asarray(light, np.uint16)

    def _render(self, job: dict[str, object]) -> None:
        assert self._process.stdin is not None  # noqa: S101 - piped above
        assert self._process.stdout is not None  # noqa: S101 - piped above
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith("done "):
                return
        raise ChildProcessError(f"expected a rendered picture, got exit code {self._process.wait()}, from Blender")


def write_atlases(tile_inks: prints.Inks, folder: Path) -> None:
    """Writes the atlases of tiles and sticks, which a stage needs, into a folder."""
    inks, relief = prints.tile_atlas(tile_inks)
    dots, dents = prints.stick_atlas()
    for name, page in (("tiles", inks), ("tiles_relief", relief), ("sticks", dots), ("sticks_relief", dents)):
        cv2.imwrite(str(folder / f"{name}.png"), page)


def render_all(out: Path, shots: Iterator[Shot] | list[Shot], renderer: Renderer) -> Iterator[tuple[Shot, float]]:
    """Renders the shots into `out`, and yields each with the seconds that it took."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as between:
        for shot in shots:
            start = time.perf_counter()
            picture = renderer.picture(shot, Path(between))
            cv2.imwrite(str(out / f"{shot.name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 96])
            # The truth is written last, so a picture with a truth is complete.
            (out / f"{shot.name}.json").write_text(json.dumps(truth_of(shot)), encoding="utf-8")
            yield shot, time.perf_counter() - start


def main(arguments: list[str] | None = None) -> int:
    """Parses the command line and renders the missing pictures."""
    options = _parser().parse_args(arguments)
    seed, count = (JUDGE_SEED, min(options.count, JUDGED)) if options.judge else (options.seed, options.count)
    if not options.judge and seed == JUDGE_SEED:
        print(f"--seed {seed} is the seed of the evaluation pictures: choose another, or use --judge", file=sys.stderr)
        return 2
    shared = options.shared if options.shared.is_dir() else None
    records = options.records or (shared / "logs" / "tenhou" if shared else None)
    faces = prints.sources(shared) if options.judge else prints.sources_to_train_on(shared)
    sources = PictureSources(records=Records(records), faces=faces)
    missing_numbers = [n for n in range(options.first, count) if not (options.out / f"{seed}-{n:05}.json").exists()]
    print(
        f"{count - options.first - len(missing_numbers)} of {count - options.first} pictures exist already", flush=True
    )
    with Renderer(options.blender, samples=options.samples, device=options.device) as renderer:
        shots = (shot(seed, number, sources) for number in missing_numbers)
        for rendered, seconds in render_all(options.out, shots, renderer):
            print(
                f"{rendered.name} {rendered.light.name}, {rendered.view}, {rendered.faces}: {seconds:.1f} s", flush=True
            )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="models.training.traced", description=__doc__)
    parser.add_argument("out", metavar="OUT", type=Path, help="folder for pictures and truths, outside the repository")
    parser.add_argument("--judge", action="store_true", help=f"the {JUDGED} pictures that are only for evaluation")
    parser.add_argument("--seed", type=int, default=1, help="the seed of training pictures")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="start with this number")
    parser.add_argument("--count", type=int, default=1000, metavar="N", help="end before this number (1000)")
    parser.add_argument("--blender", default=sys.executable, metavar="PYTHON", help="a Python interpreter with bpy")
    parser.add_argument("--samples", type=int, default=_SAMPLES, help=f"light paths per pixel ({_SAMPLES})")
    parser.add_argument("--device", choices=("CPU", "CUDA"), default="CPU", help="device that traces the light (CPU)")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder with art/, photos/, logs/")
    parser.add_argument("--records", type=Path, help="folder with game records (SHARED/logs/tenhou)")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
