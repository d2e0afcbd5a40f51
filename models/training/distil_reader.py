"""Trains the reader with a graphics card: `python -m models.training.distil_reader --start models/tiles.onnx`.

Processes draw crops all the time. A large network learns from them, and the reader from the truth and from the large
network's answers. The result is finished as by `train_reader`, and written to `build/models/`. An interrupted run
continues from its checkpoint.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
from functools import partial
from pathlib import Path
from typing import Final

try:
    import torch  # noqa: F401 - looked for before all that needs it
except ImportError:
    raise SystemExit("expected the training extra, got none: pip install '.[training]'") from None

from models.training.crops import labelled_photos, samples
from models.training.faces import font_glyphs
from models.training.finished_reader import finish
from models.training.nets.distil import Distiller, Plan
from models.training.nets.drawn_ahead import Ring, drawing
from models.training.nets.manifest import OUT
from models.training.nets.photo_crops import CREDIT, TRAINED_ON, upright_photos
from models.training.nets.reader_net import TileNet
from models.training.nets.shipped_weights import load_for_training
from models.training.studio import crop_shards
from models.training.studio.crop_stream import Material, crops_without_end, save_photos
from models.training.traced.pictures import training_truths

log = logging.getLogger(__name__)

ROOT: Final = Path(__file__).resolve().parents[2]
_CAPACITY: Final = 700_000
"""The number of the latest crops that are learnt from: 6.5 GB of the card's memory."""
_MEASURED: Final = 128
"""The number of crops on which the norms of shipped weights are measured."""
_UNSEEN: Final = range(crop_shards.TABLES)


def main(arguments: list[str] | None = None) -> int:
    """Runs the whole training."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    options = _parser().parse_args(arguments)
    options.work.mkdir(parents=True, exist_ok=True)
    start = _start(options)
    photos = options.work / "photos.json"
    if not photos.exists():  # stored, since a resumed training needs the same ones
        found = upright_photos(start, labelled_photos.find(options.shared, TRAINED_ON), held_out=False)
        save_photos([photo for _, photo in found], photos)
    traced = training_truths(options.traced) if options.traced is not None else []
    material = Material(shared=options.shared, fonts=options.fonts, photos=photos, traced=traced)
    plan = Plan(minutes=options.minutes, batch=options.batch, rate=options.rate)
    distiller = Distiller(plan, options.work / "distil.pt", start)
    if not distiller.is_done:
        ring = Ring(distiller.device, capacity=_CAPACITY)
        with drawing(
            partial(crops_without_end, material=material), workers=options.workers, seed=options.seed
        ) as draws:
            distiller.run(ring, draws)
        log.info("%d crops drawn", ring.drawn)
    order = crop_shards.Order(
        folder=options.work / "pool", shared=options.shared, seed=options.seed, fonts=options.fonts
    )
    crop_shards.render(order, list(_UNSEEN), workers=options.workers)
    finish(
        distiller.reader(),
        options.out,
        unseen=crop_shards.load(order.folder, list(_UNSEEN)),
        shared=options.shared,
        seed=options.seed,
        version=options.version,
        recipe=(
            f"drawn crops and crops of {CREDIT} that are not held out, with a large network's answers,"
            f" after those of the weights {hashlib.sha256(options.start.read_bytes()).hexdigest()[:12]}"
        ),
        details={"minutes": options.minutes, "traced": len(traced)},
    )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="models.training.distil_reader", description=__doc__)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder with art/ and photos/")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "distilled", help="the folder of checkpoints")
    parser.add_argument("--out", type=Path, default=OUT, help="the folder for the weights (build/models)")
    parser.add_argument("--fonts", type=Path, default=font_glyphs.FONT_ROOT, help="the folder to search for fonts")
    parser.add_argument("--start", type=Path, required=True, metavar="ONNX", help="start from these exported weights")
    parser.add_argument("--traced", type=Path, metavar="FOLDER", help="also train on these path-traced pictures")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=9.0, help="training time (9)")
    parser.add_argument("--workers", type=int, default=15, help="number of drawing processes (15)")
    parser.add_argument("--batch", type=int, default=1024, help="crops per step (1024)")
    parser.add_argument("--rate", type=float, default=3e-3, help="learning rate (0.003)")
    parser.add_argument("--version", default="1", help="the version in the manifest")
    return parser


def _start(options: argparse.Namespace) -> TileNet:
    fonts, art = font_glyphs.find_fonts(options.fonts), samples.load_material(options.shared)
    return load_for_training(options.start, samples.make(_MEASURED, seed=options.seed, fonts=fonts, art=art).crops)


if __name__ == "__main__":
    raise SystemExit(main())
