"""Trains the reader and a large teacher together: the reader learns from the truth and from the teacher's answers.

See Hinton et al., "Distilling the knowledge in a neural network", 2015. The teacher learns in the first part of the
time; in the second it only answers.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from models.training.nets.drawn_ahead import Draws, Ring
from models.training.nets.fit import MATTERS, SMOOTHING, TURN_WEIGHT
from models.training.nets.learner import Learner, mean_reader, save_checkpoint
from models.training.nets.reader_net import TileNet
from models.training.nets.teacher_net import TeacherNet
from models.training.nets.varied_crops import varied, with_cloth

log = logging.getLogger(__name__)

_TEACHER_LEARNS: Final = 0.55
"""The share of the time in which the teacher learns."""
_TEMPERATURE: Final = 2.0
"""The temperature of the answers that the reader learns from."""
_MOST_TRUST: Final = 0.7
"""The highest weight of the teacher's answers in the loss; the truth has the rest up to 1."""
_TEACHER_RATE: Final = 2e-3
_SAVE_EVERY_S: Final = 60.0
_FIRST_BATCHES: Final = 20
"""The number of batches drawn before the first step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The duration and the parameters of a training."""

    minutes: float
    batch: int
    rate: float


class Distiller:
    """One training, which continues from its checkpoint."""

    def __init__(self, plan: Plan, checkpoint: Path, start: TileNet | None) -> None:
        """Resumes `checkpoint` if it exists; else starts with the weights of `start`, or with random ones."""
        self._plan, self._checkpoint = plan, checkpoint
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._reader = Learner(start or TileNet(), rate=plan.rate, device=self.device)
        self._teacher = Learner(TeacherNet(), rate=_TEACHER_RATE, device=self.device)
        self.spent_s = 0.0
        """The seconds of training so far."""
        if checkpoint.exists():
            state = torch.load(checkpoint, map_location=self.device, weights_only=True)
            self._reader.resume(state["reader"])
            self._teacher.resume(state["teacher"])
            self.spent_s = state["spent_s"]

    @property
    def is_done(self) -> bool:
        """Whether the time of the plan is over."""
        return self._progress >= 1

    @property
    def _progress(self) -> float:
        return self.spent_s / (60 * self._plan.minutes)

    def run(self, ring: Ring, draws: Draws) -> None:
        """Trains to the end of the plan on crops and labels that come from `draws` into `ring`."""
        draws.into(ring, least=_FIRST_BATCHES * self._plan.batch)
        saved, steps = self.spent_s, 0
        self._reader.net.train()
        while not self.is_done:
            started = time.monotonic()
            draws.into(ring, least=0)
            crops, labels = with_cloth(*ring.batch(self._plan.batch))
            turned = torch.rand(len(crops), device=self.device) < 0.5
            crops = torch.where(turned[:, None, None, None], crops.flip(1, 2), crops)
            figures = self._step(varied(crops), labels, turned)
            steps += 1
            if steps % 200 == 0:
                log.info("%.0f %%, %d steps, %d drawn, %s", 100 * self._progress, steps, ring.drawn, figures.tolist())
            self.spent_s += time.monotonic() - started
            if self.spent_s - saved > _SAVE_EVERY_S:
                self.save()
                saved = self.spent_s
        self.save()

    def _step(self, images: Tensor, labels: Tensor, turned: Tensor) -> Tensor:
        """Makes one step; returns the losses of teacher and reader, and the fraction that each gets right, [4]."""
        upside = turned.float()
        matters = MATTERS.to(self.device)[labels]
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.device.type == "cuda"):
            teacher_loss = self._train_teacher(images, labels, upside, matters)
            with torch.no_grad():
                teacher_logits = self._teacher.mean.eval()(images)[0]
            logits, half, _ = self._reader.net(images)
        logits, half, teacher_logits = logits.float(), half.float(), teacher_logits.float()
        trust = _MOST_TRUST * min(1.0, self._progress / (_TEACHER_LEARNS / 2))
        truth = functional.cross_entropy(logits, labels, label_smoothing=SMOOTHING)
        soft = functional.kl_div(
            functional.log_softmax(logits / _TEMPERATURE, dim=1),
            functional.log_softmax(teacher_logits / _TEMPERATURE, dim=1),
            log_target=True,
            reduction="batchmean",
        )
        turn = functional.binary_cross_entropy_with_logits(half[matters], upside[matters])
        loss = (1 - trust) * truth + trust * _TEMPERATURE**2 * soft + TURN_WEIGHT * turn
        self._reader.step(loss, progress=self._progress)
        right = [(each.argmax(1) == labels).float().mean() for each in (teacher_logits, logits)]
        return torch.stack([teacher_loss, truth.detach(), *right])

    def _train_teacher(self, images: Tensor, labels: Tensor, upside: Tensor, matters: Tensor) -> Tensor:
        """Lets the teacher learn while its part of the time lasts; returns its loss, 0 afterwards."""
        progress = self._progress / _TEACHER_LEARNS
        if progress >= 1:
            return torch.zeros((), device=self.device)
        self._teacher.net.train()
        logits, half = self._teacher.net(images)
        loss = functional.cross_entropy(logits.float(), labels, label_smoothing=SMOOTHING)
        loss = loss + TURN_WEIGHT * functional.binary_cross_entropy_with_logits(half.float()[matters], upside[matters])
        self._teacher.step(loss, progress=progress)
        return loss.detach()

    def save(self) -> None:
        """Writes the checkpoint, and the reader's mean weights beside it."""
        state = {"reader": self._reader.state(), "teacher": self._teacher.state(), "spent_s": self.spent_s}
        save_checkpoint(state, self._checkpoint)
        torch.save(self.reader().state_dict(), self._checkpoint.with_name("reader.pt"))

    def reader(self) -> TileNet:
        """Returns the reader with the mean of its weights, on the processor, ready for use."""
        return mean_reader(self._reader)
