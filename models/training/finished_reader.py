"""Finishes a trained reader: the temperature is fitted on crops never used for training, and it is exported."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from models.training.crops import labelled_photos
from models.training.crops.samples import Batch
from models.training.judge import metrics
from models.training.nets import onnx_export
from models.training.nets.photo_crops import TRAINED_ON, answers, photo_batch
from models.training.nets.reader_net import TileNet
from vision.felt import CLASSES, NOT_A_TILE

log = logging.getLogger(__name__)

_EXPECTS: Final = 1.5
"""How much the final logit of "no tile" is lowered, since a locator's crops contain more tiles than rendered crops."""


def finish(
    net: TileNet,
    out: Path,
    *,
    unseen: Batch,
    shared: Path,
    seed: int,
    version: str,
    recipe: str,
    details: dict[str, Any],
) -> None:
    """Writes `out`/tiles.onnx with its manifest, with `recipe` and `details` in it.

    `unseen` are rendered crops; the held-out photographs are under `shared`.
    """
    with torch.no_grad():
        net.face.bias[CLASSES.index(NOT_A_TILE)] -= _EXPECTS
    temperature = _temperature(net, unseen, shared, seed)
    out.mkdir(parents=True, exist_ok=True)
    details = {"seed": seed, **details, "expects": _EXPECTS}
    path = onnx_export.write(net, out, version=version, temperature=temperature, recipe=recipe, details=details)
    log.info("wrote %s (%d bytes), temperature %.3f", path, path.stat().st_size, temperature)


def _temperature(net: TileNet, unseen: Batch, shared: Path, seed: int) -> float:
    """Returns the temperature fitted equally to rendered crops and held-out photographs, and reports both."""
    parts = [unseen]
    photo_part = photo_batch(net, labelled_photos.find(shared, TRAINED_ON), held_out=True, seed=seed)
    if photo_part is not None:
        parts.append(photo_part)
    logits, labels = [], []
    for part in parts:
        rows, _ = answers(net, part.crops)
        right = int((rows.argmax(axis=1) == part.labels).sum())
        log.info("unseen: %s", metrics.Rate(right=right, total=len(part.labels)))
        repeat = max(1, len(unseen.labels) // len(part.labels))
        logits.append(np.repeat(rows, repeat, axis=0))
        labels.append(np.repeat(part.labels, repeat))
    return metrics.temperature(np.concatenate(logits), np.concatenate(labels))
