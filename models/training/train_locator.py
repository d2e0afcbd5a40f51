"""Trains the locator: renders scenes, learns, measures and exports, with one command.

`python -m models.training.train_locator --shared ../shared --minutes 40` writes `models/locate.onnx` and
`models/locate.json`. A run that was cut short goes on from its checkpoint when called again with the same
`--checkpoint`.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from models.training.crops.imagined_sets import sets_of
from models.training.judge.locator_figures import measure
from models.training.nets.locator_net import Net, export, loss, prepared, take_up, targets
from models.training.nets.manifest import commit, write_manifest
from models.training.studio.locator_photos import Photos, for_training, labelled
from models.training.studio.pasted_tables import pasted
from models.training.studio.random_deals import MANY_STRAYS
from models.training.studio.scene_renderer import Scene, Studio, Truth
from models.training.studio.table_pictures import HELD_OUT, Tables
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.textures import FaceSource
from vision.geometry.rectify import PX_PER_MM
from vision.reading.locator import CHANNELS, STRIDE, Locator
from vision.reading.weights import load

_MODELS: Final = Path(__file__).resolve().parent.parent
SIZE: Final = 256
"""Pixels a side of a training picture."""
BATCH: Final = 18
_FRESH: Final = 2
"""New pictures a step; the others are drawn again from the pool, turned."""
_POOL: Final = 5000
_PHOTOS: Final = 0.22
_SHARES: Final = {"locate": (0.4, 0.12, 0.48), "watch": (0.6, 0.28, 0.12)}
"""Of the other pictures: tables of the synthetic camera, tables pasted together, scenes of the studio."""
_OF_ONE_SET: Final = 8
"""Pictures pasted of one set of tiles before the next is drawn."""
_THRESHOLDS: Final = {"locate": (0.45, 0.28), "watch": (0.2, 0.3)}
"""From which scores on tiles and sticks are told; a watcher looks often, and what it reads can still be refused."""
_MEASURING: Final = 96
"""Pictures on which the norms of an exported network are measured anew."""
_RATE: Final = 3e-3
_DECAY: Final = 0.998
"""Of the running mean of the weights."""


class Pool:
    """Pictures to learn from: keeps drawing new ones and shows the old ones again in other turns."""

    def __init__(self, *, draw: Callable[[], Scene], seed: int) -> None:
        self._draw = draw
        self._rng = np.random.default_rng(seed)
        self._scenes: list[Scene] = []

    def batch(self) -> list[Scene]:
        """Returns `BATCH` pictures, a few of them new."""
        fresh = BATCH if len(self._scenes) < BATCH else _FRESH
        new = [self._draw() for _ in range(fresh)]
        old = [self._turned(self._scenes[self._rng.integers(len(self._scenes))]) for _ in range(BATCH - fresh)]
        for scene in new:
            if len(self._scenes) < _POOL:
                self._scenes.append(scene)
            else:
                self._scenes[self._rng.integers(_POOL)] = scene
        return new + old

    def _turned(self, scene: Scene) -> Scene:
        image, quads = scene.image, scene.truth.quads
        for _ in range(int(self._rng.integers(4))):
            image = np.rot90(image)
            quads = np.stack([quads[..., 1], image.shape[0] - 1 - quads[..., 0]], axis=-1)
        gain = self._rng.uniform(0.8, 1.15, 3) if self._rng.random() < 0.5 else np.ones(3)
        image = np.clip(image * gain, 0, 255).astype(np.uint8)
        truth = Truth(quads=quads, kinds=scene.truth.kinds, values=scene.truth.values, duty=scene.truth.duty)
        return Scene(image=image, truth=truth)


class Sources:
    """Where pictures to learn from come from, and in which shares."""

    def __init__(self, *, seed: int, shared: Path, teacher: Path | None, from_above: bool = False) -> None:
        self._rng = np.random.default_rng([seed, 0x50])
        self._sets = sets_of(shared)
        self._studio = Studio(seed=seed, art=shared / "art")
        self._tables = Tables(seed=seed, sets=self._sets, from_above=from_above)
        self._from_above = from_above
        self._laid: tuple[Appearance, FaceSource] | None = None
        self._photos: Photos | None = None
        if teacher is not None:
            folder = shared / "photos" / "chinese-and-hk"
            earlier = Locator(weights=load("locate", places=(teacher,)))
            self._photos = Photos(for_training(labelled(folder)), teacher=earlier, seed=seed)
        self.recipe = "tables of the synthetic camera, tables pasted together, scenes of the studio" + (
            "" if self._photos is None else ', and of "Chinese Mahjong Detection" v4 (CC BY 4.0) what is not held out'
        )
        if from_above:
            self.recipe += "; from straight above at the watcher's scale"

    def scene(self) -> Scene:
        """Draws one picture."""
        if self._photos is not None and self._rng.random() < _PHOTOS:
            return self._photos.scene(SIZE)
        kind = self._rng.choice(3, p=_SHARES["watch" if self._from_above else "locate"])
        return (self._table, self._pasted, self._in_studio)[kind]()

    def _table(self) -> Scene:
        return self._tables.scene(SIZE)

    def _pasted(self) -> Scene:
        if self._laid is None or self._rng.random() < 1 / _OF_ONE_SET:
            appearance = Appearance.random(int(self._rng.integers(HELD_OUT)))
            self._laid = (appearance, self._sets(self._rng, appearance))
        appearance, faces = self._laid
        width = float(np.exp(self._rng.uniform(np.log(15), np.log(35))))
        scale = self._watched_scale() if self._from_above else width / appearance.tile_width_mm
        return pasted(self._rng, appearance, faces, px_per_mm=scale, size=SIZE, strays=MANY_STRAYS)[0]

    def _in_studio(self) -> Scene:
        width = self._watched_scale() * float(self._rng.uniform(18.5, 22)) if self._from_above else None
        return self._studio.scene(SIZE, from_above=width)

    def _watched_scale(self) -> float:
        return PX_PER_MM * float(self._rng.uniform(0.95, 1.08))


class Trainer:
    """A network on its way: weights, their running mean, and the time already spent."""

    def __init__(self, *, minutes: float, seed: int, net: Net | None = None) -> None:
        """Begins with a new network, or goes on with one that knows something, at a third of the rate."""
        torch.manual_seed(seed)
        self.net, self.mean = net or Net(), Net()
        self.mean.load_state_dict(self.net.state_dict())
        self._rate = _RATE if net is None else _RATE / 3
        self._optimiser = torch.optim.AdamW(self.net.parameters(), lr=self._rate, weight_decay=1e-4)
        self.seconds, self.steps = 0.0, 0
        self._goal = minutes * 60

    @property
    def progress(self) -> float:
        """The share of the time that is spent, 0-1."""
        return min(self.seconds / self._goal, 1.0)

    def step(self, scenes: list[Scene]) -> dict[str, float]:
        """Learns from one batch; returns the parts of its loss."""
        warm = min(1.0, (self.steps + 1) / 100)
        for group in self._optimiser.param_groups:
            group["lr"] = self._rate * warm * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * self.progress)))
        self.net.train()
        answer = self.net(prepared(np.stack([scene.image for scene in scenes])))
        total, parts = loss(answer, [targets(scene.truth, SIZE) for scene in scenes])
        self._optimiser.zero_grad()
        total.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self._optimiser.step()
        self.steps += 1
        self._follow()
        return parts

    def _follow(self) -> None:
        keep = min(_DECAY, self.steps / (self.steps + 10))
        with torch.no_grad():
            ours = self.net.state_dict()
            for name, slow in self.mean.state_dict().items():
                if slow.dtype.is_floating_point:
                    slow.mul_(keep).add_(ours[name], alpha=1 - keep)
                else:
                    slow.copy_(ours[name])

    def save(self, path: Path) -> None:
        """Writes a checkpoint, whole or not at all."""
        state = {
            "net": self.net.state_dict(),
            "mean": self.mean.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "rate": self._rate,
            "seconds": self.seconds,
            "steps": self.steps,
        }
        torch.save(state, path.with_suffix(".part"))
        path.with_suffix(".part").replace(path)

    def resume(self, path: Path, *, fresh_clock: bool = False) -> None:
        """Goes on from a checkpoint; with `fresh_clock` only its weights are taken."""
        state = torch.load(path, weights_only=True)
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        if not fresh_clock:
            self._optimiser.load_state_dict(state["optimiser"])
            self._rate = state["rate"]
            self.seconds, self.steps = state["seconds"], state["steps"]


def train(trainer: Trainer, pool: Pool, checkpoint: Path) -> None:
    """Learns until the trainer's time is spent."""
    begun, before = time.monotonic(), trainer.seconds
    logged_loss = 0.0
    sums: dict[str, float] = {}
    count = 0
    while trainer.progress < 1.0:
        for name, part in trainer.step(pool.batch()).items():
            sums[name] = sums.get(name, 0.0) + part
        count += 1
        trainer.seconds = before + time.monotonic() - begun
        if trainer.seconds - logged_loss > 30:
            logged_loss = trainer.seconds
            means = " ".join(f"{name} {part / count:.3f}" for name, part in sums.items())
            print(f"{trainer.seconds / 60:5.1f} min, step {trainer.steps}: {means}", flush=True)
            sums, count = {}, 0
            trainer.save(checkpoint)
    trainer.save(checkpoint)


def write(net: Net, folder: Path, *, name: str, recipe: str, measured: dict[str, Any]) -> None:
    """Exports the network with its manifest into `folder`, as `name`."""
    path = folder / f"{name}.onnx"
    export(net, path)
    fields = {
        "input": [3, 960, 960],
        "classes": [],
        "recipe": recipe,
        "commit": commit(),
        "stride": STRIDE,
        "channels": CHANNELS,
        "band": [16, 34],
        "tile_threshold": _THRESHOLDS[name][0],
        "stick_threshold": _THRESHOLDS[name][1],
        "parameters": sum(weight.numel() for weight in net.parameters()),
        "measured": measured,
    }
    write_manifest(path, fields)


def main() -> None:
    """Parses the command line and runs."""
    parser = argparse.ArgumentParser(description="Trains and exports the locator.")
    parser.add_argument("--shared", type=Path, default=_MODELS.parent.parent / "shared", help="art and photographs")
    parser.add_argument("--minutes", type=float, default=40.0, help="how long to learn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checkpoint", type=Path, default=_MODELS / "training" / "checkpoints" / "locate.pt")
    parser.add_argument("--start", type=Path, help="a checkpoint or an exported locator whose weights to begin from")
    parser.add_argument("--watch", action="store_true", help="train `watch`, for tables from above at one scale")
    parser.add_argument("--teacher", type=Path, help="a folder with an earlier locator; photographs are used with it")
    parser.add_argument("--out", type=Path, default=_MODELS, help="where locate.onnx and locate.json go")
    options = parser.parse_args()
    torch.set_num_threads(1)
    name = "watch" if options.watch else "locate"
    options.checkpoint.parent.mkdir(parents=True, exist_ok=True)
    trainer = _trainer(options)
    sources = _sources(options, seed=options.seed + trainer.steps)
    train(trainer, Pool(draw=sources.scene, seed=options.seed), options.checkpoint)
    recipe = f"{sources.recipe}; seed {options.seed}, {trainer.steps} steps of {BATCH} pictures of {SIZE} px"
    write(trainer.mean, options.out, name=name, recipe=recipe, measured={})
    measured = measure(options.shared, model=options.out, frames=40, name=name)
    write(trainer.mean, options.out, name=name, recipe=recipe, measured=measured)
    print(json.dumps(measured, indent=1))


def _sources(options: argparse.Namespace, *, seed: int) -> Sources:
    return Sources(seed=seed, shared=options.shared, teacher=options.teacher, from_above=options.watch)


def _trainer(options: argparse.Namespace) -> Trainer:
    """Goes on from the run's own checkpoint, or begins from another's weights, or anew."""
    start: Path | None = options.start
    if not options.checkpoint.is_file() and start is not None and start.suffix == ".onnx":
        sources = _sources(options, seed=options.seed)
        pictures = np.stack([sources.scene().image for _ in range(_MEASURING)])
        return Trainer(minutes=options.minutes, seed=options.seed, net=take_up(start, pictures))
    trainer = Trainer(minutes=options.minutes, seed=options.seed)
    if options.checkpoint.is_file():
        trainer.resume(options.checkpoint)
    elif start is not None:
        trainer.resume(start, fresh_clock=True)
    return trainer


if __name__ == "__main__":
    main()
