"""Trains the locator with one command: renders scenes, trains, evaluates and exports.

`python -m models.training.train_locator --shared ../shared --minutes 40` writes `build/models/locate.onnx` and
`build/models/locate.json`. An interrupted run continues from its checkpoint when started again with the same
`--checkpoint`.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

try:
    import torch
except ImportError:
    raise SystemExit("expected the training extra, got none: pip install '.[training]'") from None

from models.training.crops.imagined_sets import sets_of
from models.training.judge.locator_figures import measure
from models.training.nets.drawn_ahead import Draws, Ring, drawing
from models.training.nets.locator_net import Net, export, load_for_training, loss, normalised, packed, targets
from models.training.nets.manifest import OUT, commit, write_manifest
from models.training.studio.locator_photos import Photos, for_training, labelled
from models.training.studio.pasted_tables import pasted
from models.training.studio.random_deals import MANY_STRAYS
from models.training.studio.scenes.scene_renderer import Scene, Studio, Truth
from models.training.studio.table_pictures import HELD_OUT, Tables
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.textures import FaceSource
from vision.geometry.rectify import PX_PER_MM
from vision.reading.locator import CHANNELS, STRIDE, Locator
from vision.reading.weights import load

_MODELS: Final = Path(__file__).resolve().parent.parent
SIZE: Final = 256
"""The side of a training picture in pixels."""
BATCH: Final = 18
_POOL: Final = 5000
"""The number of the latest pictures used for training."""
_POOL_ON_A_CARD: Final = 60_000
_LEAST: Final = 200
"""The number of pictures drawn before the first step."""
_PHOTOS: Final = 0.22
_SHARES: Final = {"locate": (0.4, 0.12, 0.48), "watch": (0.6, 0.28, 0.12)}
"""The shares, among pictures that are no photographs, of the synthetic camera's tables, pasted tables and scenes."""
_OF_ONE_SET: Final = 8
"""The number of pasted pictures with one set of tiles."""
_THRESHOLDS: Final = {"locate": (0.45, 0.28), "watch": (0.2, 0.3)}
"""The scores from which tiles and sticks are reported; lower for a watcher, which reads them again and again."""
_MEASURING: Final = 96
"""The number of pictures on which the norms of an exported network are measured again."""
_RATE: Final = 3e-3
_DECAY: Final = 0.998
"""The decay of the running mean of the weights."""


def examples(seed: int, *, sources: Callable[[int], Sources]) -> Iterator[tuple[npt.NDArray[Any], ...]]:
    """Yields pictures without end, each in two rotations, with targets as from `packed`."""
    drawn, rng = sources(seed), np.random.default_rng(seed)
    while True:
        scene = drawn.scene()
        turns = [_rotated(scene, int(turn)) for turn in rng.permutation(4)[:2]]
        yield np.stack([one.image for one in turns]), *packed([targets(one.truth, SIZE) for one in turns])


def _rotated(scene: Scene, quarters: int) -> Scene:
    image, quads = scene.image, scene.truth.quads
    for _ in range(quarters):
        image = np.rot90(image)
        quads = np.stack([quads[..., 1], image.shape[0] - 1 - quads[..., 0]], axis=-1)
    truth = Truth(quads=quads, kinds=scene.truth.kinds, values=scene.truth.values, duty=scene.truth.duty)
    return Scene(image=np.ascontiguousarray(image), truth=truth)


def _relit(images: torch.Tensor) -> torch.Tensor:
    """Returns the pictures, half of them in other light."""
    count = len(images)
    gain = torch.empty(count, 1, 1, 3, device=images.device).uniform_(0.8, 1.15)
    gain[torch.rand(count, device=images.device) < 0.5] = 1.0
    return (images * gain).clamp(0, 255)


class Sources:
    """The sources of training pictures, and their shares."""

    def __init__(
        self,
        seed: int,
        *,
        shared: Path,
        teacher: Path | None = None,
        from_above: bool = False,
        traced: Path | None = None,
    ) -> None:
        self._rng = np.random.default_rng([seed, 0x50])
        self._sets = sets_of(shared)
        self._studio = Studio(seed=seed, art=shared / "art")
        self._tables = Tables(seed=seed, sets=self._sets, from_above=from_above, traced=traced)
        self._from_above = from_above
        self._current_set: tuple[Appearance, FaceSource] | None = None
        self._photos: Photos | None = None
        if teacher is not None:
            folder = shared / "photos" / "chinese-and-hk"
            earlier = Locator(weights=load("locate", places=(teacher,)))
            self._photos = Photos(for_training(labelled(folder)), teacher=earlier, seed=seed)
        self.recipe = "tables of the synthetic camera, tables pasted together, scenes of the studio" + (
            "" if self._photos is None else ', and of "Chinese Mahjong Detection" v4 (CC BY 4.0) what is not held out'
        )
        if traced is not None:
            self.recipe += ", path-traced tables"
        if from_above:
            self.recipe += "; from straight above at the watcher's scale"

    def scene(self) -> Scene:
        """Returns one picture."""
        if self._photos is not None and self._rng.random() < _PHOTOS:
            return self._photos.scene(SIZE)
        kind = self._rng.choice(3, p=_SHARES["watch" if self._from_above else "locate"])
        return (self._table, self._pasted, self._in_studio)[kind]()

    def _table(self) -> Scene:
        return self._tables.scene(SIZE)

    def _pasted(self) -> Scene:
        if self._current_set is None or self._rng.random() < 1 / _OF_ONE_SET:
            appearance = Appearance.random(int(self._rng.integers(HELD_OUT)))
            self._current_set = (appearance, self._sets(self._rng, appearance))
        appearance, faces = self._current_set
        width = float(np.exp(self._rng.uniform(np.log(15), np.log(35))))
        scale = self._watched_scale() if self._from_above else width / appearance.tile_width_mm
        return pasted(self._rng, appearance, faces, px_per_mm=scale, size=SIZE, strays=MANY_STRAYS)[0]

    def _in_studio(self) -> Scene:
        width = self._watched_scale() * float(self._rng.uniform(18.5, 22)) if self._from_above else None
        return self._studio.scene(SIZE, from_above=width)

    def _watched_scale(self) -> float:
        return PX_PER_MM * float(self._rng.uniform(0.95, 1.08))


class Trainer:
    """A network in training: weights, their running mean, and the time already spent."""

    def __init__(self, *, minutes: float, seed: int, net: Net | None = None) -> None:
        """Starts with a new network, or with a trained one at a third of the learning rate."""
        torch.manual_seed(seed)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net, self.mean = (net or Net()).to(self.device), Net().to(self.device)
        self.mean.load_state_dict(self.net.state_dict())
        self._rate = _RATE if net is None else _RATE / 3
        self._optimiser = torch.optim.AdamW(self.net.parameters(), lr=self._rate, weight_decay=1e-4)
        self.seconds, self.steps = 0.0, 0
        self._goal = minutes * 60

    @property
    def progress(self) -> float:
        """The fraction of the time already spent, 0-1."""
        return min(self.seconds / self._goal, 1.0)

    def step(self, pictures: torch.Tensor, aims: Sequence[torch.Tensor]) -> dict[str, torch.Tensor]:
        """Trains on one batch from `examples`; returns the parts of its loss."""
        warm = min(1.0, (self.steps + 1) / 100)
        for group in self._optimiser.param_groups:
            group["lr"] = self._rate * warm * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * self.progress)))
        self.net.train()
        total, parts = loss(self.net(normalised(_relit(pictures))), aims)
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
        """Writes a checkpoint atomically."""
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
        """Resumes from a checkpoint; with `fresh_clock` only its weights are used."""
        state = torch.load(path, weights_only=True, map_location=self.device)
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        if not fresh_clock:
            self._optimiser.load_state_dict(state["optimiser"])
            self._rate = state["rate"]
            self.seconds, self.steps = state["seconds"], state["steps"]


def train(trainer: Trainer, draws: Draws, checkpoint: Path, *, batch: int) -> None:
    """Trains until the trainer's time is spent."""
    ring = Ring(trainer.device, capacity=_POOL if trainer.device.type == "cpu" else _POOL_ON_A_CARD)
    draws.into(ring, least=_LEAST)
    start, before = time.monotonic(), trainer.seconds
    logged_loss, since = trainer.seconds, trainer.steps
    sums: dict[str, torch.Tensor] = {}
    while trainer.progress < 1.0:
        draws.into(ring, least=0)
        pictures, *aims = ring.batch(batch)
        for name, part in trainer.step(pictures, aims).items():
            sums[name] = sums.get(name, torch.zeros((), device=trainer.device)) + part
        trainer.seconds = before + time.monotonic() - start
        if trainer.seconds - logged_loss > 30:
            means = " ".join(f"{name} {float(part) / (trainer.steps - since):.3f}" for name, part in sums.items())
            print(f"{trainer.seconds / 60:5.1f} min, step {trainer.steps}, {ring.drawn} drawn: {means}", flush=True)
            logged_loss, since, sums = trainer.seconds, trainer.steps, {}
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
    """Parses the command line and runs the training."""
    parser = argparse.ArgumentParser(description="Trains and exports the locator.")
    parser.add_argument("--shared", type=Path, default=_MODELS.parent.parent / "shared", help="art and photographs")
    parser.add_argument("--minutes", type=float, default=40.0, help="the duration of the training in minutes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checkpoint", type=Path, default=_MODELS / "training" / "checkpoints" / "locate.pt")
    parser.add_argument("--start", type=Path, help="a checkpoint or an exported locator whose weights to start from")
    parser.add_argument("--watch", action="store_true", help="train `watch`, for tables from above at one scale")
    parser.add_argument("--teacher", type=Path, help="a folder with an earlier locator, required to use photographs")
    parser.add_argument("--traced", type=Path, metavar="FOLDER", help="also train on these path-traced pictures")
    parser.add_argument("--workers", type=int, default=1, help="number of processes that draw pictures (1)")
    parser.add_argument("--batch", type=int, default=BATCH, help=f"pictures per step ({BATCH}; more with a GPU)")
    parser.add_argument("--no-figures", action="store_true", help="skip the evaluation at the end")
    parser.add_argument("--out", type=Path, default=OUT, help="the folder for weights and manifest (build/models)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    name = "watch" if options.watch else "locate"
    for folder in (options.checkpoint.parent, options.out):
        folder.mkdir(parents=True, exist_ok=True)
    trainer, sources = _trainer(options), _sources(options)
    drawn = partial(examples, sources=sources)
    with drawing(drawn, workers=options.workers, seed=options.seed + trainer.steps) as draws:
        train(trainer, draws, options.checkpoint, batch=options.batch)
    description = sources(options.seed).recipe
    recipe = f"{description}; seed {options.seed}, {trainer.steps} steps of {options.batch} pictures of {SIZE} px"
    write(trainer.mean, options.out, name=name, recipe=recipe, measured={})
    if options.no_figures:
        return
    measured = measure(options.shared, model=options.out, frames=40, name=name)
    write(trainer.mean, options.out, name=name, recipe=recipe, measured=measured)
    print(json.dumps(measured, indent=1))


def _sources(options: argparse.Namespace) -> Callable[[int], Sources]:
    """Returns a function that makes the sources of a seed."""
    return partial(
        Sources, shared=options.shared, teacher=options.teacher, from_above=options.watch, traced=options.traced
    )


def _trainer(options: argparse.Namespace) -> Trainer:
    """Returns a trainer resumed from the run's checkpoint, started from other weights, or new."""
    start: Path | None = options.start
    if not options.checkpoint.is_file() and start is not None and start.suffix == ".onnx":
        sources = _sources(options)(options.seed)
        pictures = np.stack([sources.scene().image for _ in range(_MEASURING)])
        return Trainer(minutes=options.minutes, seed=options.seed, net=load_for_training(start, pictures))
    trainer = Trainer(minutes=options.minutes, seed=options.seed)
    if options.checkpoint.is_file():
        trainer.resume(options.checkpoint)
    elif start is not None:
        trainer.resume(start, fresh_clock=True)
    return trainer


if __name__ == "__main__":
    main()
