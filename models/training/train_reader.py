"""Renders, trains, calibrates, evaluates and exports the reader: `python -m models.training.train_reader`.

Phases: crops are rendered; a first network is trained only on them, or taken from `--start`; it turns the photographs'
boxes upright; the training continues with photographs among the rendered crops; the temperature is fitted on crops
never used for training; the result is written to `build/models/`. An interrupted run continues from its checkpoint.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

try:
    import torch  # noqa: F401 - looked for before all that needs it
except ImportError:
    raise SystemExit("expected the training extra, got none: pip install '.[training]'") from None

from models.training.crops import labelled_photos
from models.training.crops.samples import Batch
from models.training.faces import font_glyphs
from models.training.finished_reader import finish
from models.training.nets import shipped_weights
from models.training.nets.fit import BATCH, Plan, Trainer
from models.training.nets.manifest import OUT
from models.training.nets.photo_crops import CREDIT, TRAINED_ON, photo_batch
from models.training.nets.reader_net import TileNet
from models.training.studio import crop_shards, traced_crops
from models.training.traced.pictures import training_truths

log = logging.getLogger(__name__)


ROOT: Final = Path(__file__).resolve().parents[2]
VALIDATION_SHARDS: Final = crop_shards.TABLES
_FIRST_PART: Final = 0.3
_RATE: Final = 4e-3
_RATE_AGAIN: Final = 2e-3
"""The learning rate of a training that starts with good weights."""
_MEASURED: Final = 1024
"""The number of crops on which the norms of shipped weights are measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of the command line."""

    shared: Path
    work: Path
    out: Path
    fonts: Path
    seed: int
    minutes: float | None
    steps: int | None
    shards: int
    workers: int
    threads: int
    version: str
    photos: bool
    start: Path | None
    traced: Path | None
    rounds: int
    batch: int
    rate: float | None
    photo_share: float


def options(arguments: list[str] | None = None) -> Options:
    """Parses the command line."""
    parser = argparse.ArgumentParser(
        prog="models.training.train_reader", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder with art/ and photos/")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "tiles", help="rendered crops and checkpoints")
    parser.add_argument("--out", type=Path, default=OUT, help="the folder for the weights (build/models)")
    parser.add_argument("--fonts", type=Path, default=font_glyphs.FONT_ROOT, help="the folder to search for fonts")
    parser.add_argument("--seed", type=int, default=1)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=float, help="training time (default 45)")
    length.add_argument("--steps", type=int, help="number of batches, instead of a time")
    parser.add_argument("--shards", type=int, default=60, help=f"shards of {crop_shards.SHARD} training crops")
    parser.add_argument("--workers", type=int, default=1, help="number of rendering processes")
    parser.add_argument("--threads", type=int, default=1, help="number of training threads")
    parser.add_argument("--version", default="1", help="the version in the manifest")
    parser.add_argument("--no-photos", dest="photos", action="store_false", help="train only on rendered crops")
    parser.add_argument("--start", type=Path, metavar="ONNX", help="start from these exported weights")
    parser.add_argument("--traced", type=Path, metavar="FOLDER", help="also train on these path-traced pictures")
    parser.add_argument("--rounds", type=int, default=3, help="how often each path-traced picture is cut (3)")
    parser.add_argument("--batch", type=int, default=BATCH, help=f"crops per step ({BATCH}; more with a GPU)")
    parser.add_argument("--rate", type=float, help=f"learning rate ({_RATE}; {_RATE_AGAIN} with --start)")
    parser.add_argument("--photo-share", type=float, default=0.2, help="fraction of photographs in a batch (0.2)")
    parsed = parser.parse_args(arguments)
    if parsed.minutes is None and parsed.steps is None:
        parsed.minutes = 45.0
    return Options(**vars(parsed))


def main(arguments: list[str] | None = None) -> int:
    """Runs the whole training."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    settings = options(arguments)
    order = crop_shards.Order(
        folder=settings.work / "pool", shared=settings.shared, seed=settings.seed, fonts=settings.fonts
    )
    numbers = list(range(settings.shards + VALIDATION_SHARDS))
    crop_shards.render(order, numbers, workers=settings.workers)
    rendered = crop_shards.load(order.folder, numbers[VALIDATION_SHARDS:])
    unseen = crop_shards.load(order.folder, numbers[:VALIDATION_SHARDS])
    log.info("%d rendered crops to train on", len(rendered.labels))
    if settings.traced is not None:
        rendered = _with_traced(settings, rendered)
    net, remaining = _first(settings, rendered)
    photo_crops = _photo_crops(net, settings) if settings.photos else None
    if remaining > 0:
        log.info("%d crops of photographs to train on", 0 if photo_crops is None else len(photo_crops.labels))
        net = _train(settings, "second", remaining, rendered, photo_crops, start=net)
    recipe = f"{len(rendered.labels)} rendered crops"
    if settings.start is not None:
        recipe += f" after those of the weights {hashlib.sha256(settings.start.read_bytes()).hexdigest()[:12]}"
    if settings.traced is not None:
        recipe += ", path-traced tables' among them"
    if photo_crops is not None:
        recipe += f", {len(photo_crops.labels)} crops of {CREDIT} that are not held out"
    finish(
        net,
        settings.out,
        unseen=unseen,
        shared=settings.shared,
        seed=settings.seed,
        version=settings.version,
        recipe=recipe,
        details={"minutes": settings.minutes, "steps": settings.steps},
    )
    return 0


def _with_traced(settings: Options, rendered: Batch) -> Batch:
    """Returns the rendered crops together with those of path-traced pictures."""
    assert settings.traced is not None  # noqa: S101 - asked for
    traced = traced_crops.crops_of(training_truths(settings.traced), seed=settings.seed, rounds=settings.rounds)
    log.info("%d crops of path-traced pictures to train on", len(traced.labels))
    return Batch(
        crops=np.concatenate([rendered.crops, traced.crops]), labels=np.concatenate([rendered.labels, traced.labels])
    )


def _first(settings: Options, rendered: Batch) -> tuple[TileNet, float]:
    """Returns a network that can turn the photographs upright, and the remaining fraction of the training."""
    if settings.start is not None:
        return shipped_weights.load_for_training(settings.start, rendered.crops[:_MEASURED]), 1.0
    part = _FIRST_PART if settings.photos else 1.0
    return _train(settings, "first", part, rendered, None), 1.0 - part


def _train(
    settings: Options,
    phase: str,
    part: float,
    rendered: Batch,
    photo_crops: Batch | None,
    *,
    start: TileNet | None = None,
) -> TileNet:
    plan = Plan(
        seed=settings.seed,
        minutes=settings.minutes * part if settings.minutes is not None else None,
        steps=round(settings.steps * part) if settings.steps is not None else None,
        rate=settings.rate or (_RATE if settings.start is None else _RATE_AGAIN),
        photo_share=settings.photo_share,
        threads=settings.threads,
        batch=settings.batch,
    )
    return Trainer(plan, settings.work / f"{phase}.pt", start=start).run(rendered, photo_crops)


def _photo_crops(net: TileNet, settings: Options) -> Batch | None:
    """Returns the crops of photographs for training; they are stored, since a resumed training needs the same ones."""
    path = settings.work / "photos.npz"
    if path.exists():
        parts = np.load(path)
        return Batch(crops=parts["crops"], labels=parts["labels"])
    batch = photo_batch(net, labelled_photos.find(settings.shared, TRAINED_ON), held_out=False, seed=settings.seed)
    if batch is not None:
        np.savez(path, crops=batch.crops, labels=batch.labels)
    return batch


if __name__ == "__main__":
    raise SystemExit(main())
