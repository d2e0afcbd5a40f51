"""Crops of labelled photographs, turned upright by a network, since their boxes do not show which way a tile lies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from models.training.crops import labelled_photos
from models.training.crops.labelled_photos import Photo
from models.training.crops.samples import Batch
from models.training.nets.reader_net import TileNet
from models.training.studio.crop_stream import UprightPhoto
from vision.arrays import Floats32, Image
from vision.felt import CLASSES, NOT_A_TILE
from vision.reading.reader import crops as cut_out

TRAINED_ON: Final = "chinese-and-hk"
"""The photographs used for training; the other sets are only for evaluation."""
CREDIT: Final = '"Chinese Mahjong Detection" v4 (CC BY 4.0)'
_VARIANTS: Final = 24
_SURE: Final = 0.9
"""A label is rejected if the first network gives another tile more than this, and the label less than `_DOUBT`."""
_DOUBT: Final = 0.3


def photo_batch(net: TileNet, photos: Iterable[Photo], *, held_out: bool, seed: int) -> Batch | None:
    """Returns crops of the straight photographs, upright (see `upright_photos`); None without any."""
    rng = np.random.default_rng(seed)
    count, slip = (1, 0.02) if held_out else (_VARIANTS, 0.08)
    crops, labels = [], []
    for image, photo in upright_photos(net, photos, held_out=held_out):
        for quad, label in zip(photo.quads, photo.labels, strict=True):
            crops.append(labelled_photos.jittered(image, quad, count, rng, slip=slip))
            labels.extend([int(label)] * count)
    return Batch(crops=np.concatenate(crops), labels=np.array(labels, np.int64)) if crops else None


def upright_photos(net: TileNet, photos: Iterable[Photo], *, held_out: bool) -> Iterator[tuple[Image, UprightPhoto]]:
    """Yields the straight photographs with tiles, each box turned so that the network gives its label the best score.

    For training, boxes are left out if the network is certain of another tile, since the label is then mostly wrong.
    """
    for photo in photos:
        if photo.is_held_out != held_out or not photo.is_straight:
            continue
        image, quads, labels = photo.image(), [], []
        for quad, name in zip(photo.quads, photo.labels, strict=True):
            upright_quad, is_doubted = upright(net, image, quad, CLASSES.index(name))
            if held_out or name == NOT_A_TILE or not is_doubted:
                quads.append(upright_quad)
                labels.append(CLASSES.index(name))
        if labels:
            yield image, UprightPhoto(path=photo.path, quads=np.array(quads), labels=np.array(labels, np.int64))


def upright(net: TileNet, image: Image, quad: Floats32, label: int) -> tuple[Floats32, bool]:
    """Returns the quad rotated so that its label is most likely, upright, and whether the network rejects the label."""
    turns = [np.roll(quad, -turn, axis=0) for turn in range(4)]
    logits, half = answers(net, cut_out(image, np.stack(turns)))
    log_chances = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    # Of two opposite rotations, the one that the network considers upright scores higher.
    scores = log_chances[:, label] - 0.5 * np.log1p(np.exp(half))
    others = np.delete(log_chances, [label, CLASSES.index(NOT_A_TILE)], axis=1)
    is_doubted = bool(others.max() > np.log(_SURE) and log_chances[:, label].max() < np.log(_DOUBT))
    return turns[int(np.argmax(scores))], is_doubted


def answers(net: TileNet, crops: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Returns the network's logits [N, 39] and half-turn logits [N] for crops [N, 64, 48, 3]."""
    logits, halves = [], []
    with torch.no_grad():
        for start in range(0, len(crops), 512):
            batch = torch.from_numpy(np.ascontiguousarray(crops[start : start + 512])).permute(0, 3, 1, 2).float()
            logit, half, _ = net(batch)
            logits.append(logit.numpy())
            halves.append(half.numpy())
    return np.concatenate(logits), np.concatenate(halves)
