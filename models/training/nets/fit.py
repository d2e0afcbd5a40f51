"""Trains the reading network on crops, augmented on the fly, with a falling learning rate and averaged weights."""

from __future__ import annotations

import logging
import time
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from models.training.crops.samples import UPRIGHT, Batch
from models.training.nets.learner import Learner, mean_reader, save_checkpoint
from models.training.nets.reader_net import TileNet
from vision.felt import CLASSES

log = logging.getLogger(__name__)

BATCH: Final = 128
SMOOTHING: Final = 0.05
TURN_WEIGHT: Final = 0.3
_SAVE_EVERY_S: Final = 120.0
MATTERS: Final = torch.tensor([name in UPRIGHT for name in CLASSES])
"""For each class, whether it looks different after a half turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The duration and the parameters of a training."""

    seed: int
    minutes: float | None
    """Wall time; None if `steps` determines the end."""
    steps: int | None
    """Batches; the same number on the same machine gives the same weights."""
    rate: float = 4e-3
    photo_share: float = 0.0
    """The fraction of each batch that comes from photographs, if there are any."""
    threads: int = 1
    batch: int = BATCH

    def __post_init__(self) -> None:
        if (self.minutes is None) == (self.steps is None):
            raise ValueError(f"expected either minutes or steps, got {self.minutes!r} and {self.steps!r}, in a plan")


class Trainer:
    """One training, which can be interrupted and resumed from its checkpoint."""

    def __init__(self, plan: Plan, checkpoint: Path, *, start: TileNet | None = None) -> None:
        """Resumes `checkpoint` if it exists; else starts with the weights of `start`, or with random ones."""
        torch.set_num_threads(plan.threads)
        torch.manual_seed(plan.seed)
        self._plan = plan
        self._checkpoint = checkpoint
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._learner = Learner(TileNet() if start is None else deepcopy(start), rate=plan.rate, device=self._device)
        self._spent_s = 0.0
        if checkpoint.exists():
            self._resume()

    def _resume(self) -> None:
        state = torch.load(self._checkpoint, map_location=self._device, weights_only=True)
        self._learner.resume(state["reader"])
        self._spent_s = state["spent_s"]
        log.info("resumed at step %d after %.0f s", self._learner.steps, self._spent_s)

    def _save(self) -> None:
        save_checkpoint({"reader": self._learner.state(), "spent_s": self._spent_s}, self._checkpoint)

    def _progress(self) -> float:
        if self._plan.steps is not None:
            return self._learner.steps / self._plan.steps
        return self._spent_s / (60 * (self._plan.minutes or 1))

    def run(self, rendered: Batch, photos: Batch | None, *, until: int | None = None) -> TileNet:
        """Trains to the end of the plan, or stops before step `until`; returns the averaged network, ready for use."""
        saved, mean_loss = self._spent_s, 0.0
        self._learner.net.train()
        while (progress := self._progress()) < 1 and (step := self._learner.steps) != until:
            started = time.monotonic()
            # Seeded by the step, so that a resumed training sees what an uninterrupted one would.
            rng = np.random.default_rng([self._plan.seed, step])
            torch.manual_seed(int(rng.integers(2**31)))
            loss = self._loss(*_draw(rendered, photos, self._plan, rng))
            self._learner.step(loss, progress=progress)
            mean_loss += (0.02 if step else 1.0) * (float(loss.detach()) - mean_loss)
            self._spent_s += time.monotonic() - started
            if self._learner.steps % 100 == 0:
                log.info("step %d, %.0f %%, loss %.3f", self._learner.steps, 100 * progress, mean_loss)
            if self._spent_s - saved > _SAVE_EVERY_S:
                self._save()
                saved = self._spent_s
        self._save()
        return mean_reader(self._learner)

    def _loss(
        self, crops: npt.NDArray[np.uint8], labels: npt.NDArray[np.int64], turned: npt.NDArray[np.bool_]
    ) -> torch.Tensor:
        """Returns the network's loss on crops [N, 64, 48, 3] with their classes and half turns, [N] each."""
        images = _augmented(torch.from_numpy(crops).to(self._device))
        answers = torch.from_numpy(labels).to(self._device)
        logits, half, _ = self._learner.net(images)
        matters = MATTERS.to(self._device)[answers]
        upside = torch.from_numpy(turned).to(self._device).float()
        face = functional.cross_entropy(logits, answers, label_smoothing=SMOOTHING)
        return face + TURN_WEIGHT * functional.binary_cross_entropy_with_logits(half[matters], upside[matters])


def _draw(
    rendered: Batch, photos: Batch | None, plan: Plan, rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Returns a random batch, half of it turned upside down."""
    from_photos = int(plan.batch * plan.photo_share) if photos is not None else 0
    picked = rng.integers(len(rendered.labels), size=plan.batch - from_photos)
    crops, labels = rendered.crops[picked], rendered.labels[picked]
    if photos is not None and from_photos:
        picked = rng.integers(len(photos.labels), size=from_photos)
        crops = np.concatenate([crops, photos.crops[picked]])
        labels = np.concatenate([labels, photos.labels[picked]])
    turned = rng.random(plan.batch) < 0.5
    crops[turned] = crops[turned][:, ::-1, ::-1]
    return crops, labels, turned


def _augmented(crops: torch.Tensor) -> torch.Tensor:
    """Changes exposure and colour slightly, and sometimes erases a patch; [N, 64, 48, 3] to [N, 3, 64, 48] floats."""
    images = crops.permute(0, 3, 1, 2).float()
    count = len(images)
    device = images.device
    gain = torch.empty(count, 1, 1, 1, device=device).uniform_(0.75, 1.25)
    cast = torch.empty(count, 3, 1, 1, device=device).uniform_(0.93, 1.07)
    lift = torch.empty(count, 1, 1, 1, device=device).uniform_(-15, 15)
    images = (images * gain * cast + lift).clamp(0, 255)
    for index in torch.nonzero(torch.rand(count) < 0.1).flatten().tolist():
        top, left = int(torch.randint(0, 54, ()).item()), int(torch.randint(0, 38, ()).item())
        images[index, :, top : top + 10, left : left + 10] = images[index].mean(dim=(1, 2))[:, None, None]
    return images.contiguous(memory_format=torch.channels_last)
