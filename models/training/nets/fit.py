"""Trains the reading network on crops, augmented on the fly, with a falling learning rate and averaged weights."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from models.training.crops.samples import UPRIGHT, Batch
from models.training.nets.reader_net import TileNet
from models.training.nets.running_mean import running_mean
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
        self._net = TileNet().to(self._device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        if start is not None:
            self._net.load_state_dict(start.state_dict())
        self._average = running_mean(self._net)
        self._optimiser = torch.optim.AdamW(self._net.parameters(), lr=plan.rate, weight_decay=0.02)
        self._step, self._spent_s = 0, 0.0
        if checkpoint.exists():
            self._resume()

    def _resume(self) -> None:
        state = torch.load(self._checkpoint, map_location=self._device, weights_only=True)
        self._net.load_state_dict(state["net"])
        self._average.load_state_dict(state["average"])
        self._optimiser.load_state_dict(state["optimiser"])
        self._step, self._spent_s = state["step"], state["spent_s"]
        log.info("resumed at step %d after %.0f s", self._step, self._spent_s)

    def _save(self) -> None:
        state = {
            "net": self._net.state_dict(), "average": self._average.state_dict(), "step": self._step,
            "optimiser": self._optimiser.state_dict(), "spent_s": self._spent_s,
        }  # fmt: skip
        unfinished = self._checkpoint.with_suffix(".part")
        torch.save(state, unfinished)
        unfinished.rename(self._checkpoint)

    def _progress(self) -> float:
        if self._plan.steps is not None:
            return self._step / self._plan.steps
        return self._spent_s / (60 * (self._plan.minutes or 1))

    def run(self, rendered: Batch, photos: Batch | None, *, until: int | None = None) -> TileNet:
        """Trains to the end of the plan, or stops before step `until`; returns the averaged network, ready for use."""
        saved, mean_loss = self._spent_s, 0.0
        self._net.train()
        while (progress := self._progress()) < 1 and self._step != until:
            started = time.monotonic()
            # Seeded by the step, so that a resumed training sees what an uninterrupted one would.
            rng = np.random.default_rng([self._plan.seed, self._step])
            torch.manual_seed(int(rng.integers(2**31)))
            loss = self._learn(*_draw(rendered, photos, self._plan, rng), rate=self._rate(progress))
            mean_loss += 0.02 * (loss - mean_loss) if self._step else loss
            self._step += 1
            self._spent_s += time.monotonic() - started
            if self._step % 100 == 0:
                log.info("step %d, %.0f %%, loss %.3f", self._step, 100 * progress, mean_loss)
            if self._spent_s - saved > _SAVE_EVERY_S:
                self._save()
                saved = self._spent_s
        self._save()
        return self._finished()

    def _rate(self, progress: float) -> float:
        warm = min(1.0, (self._step + 1) / 200)
        return self._plan.rate * warm * (0.5 * (1 + float(np.cos(np.pi * progress))) + 0.002)

    def _learn(
        self, crops: npt.NDArray[np.uint8], labels: npt.NDArray[np.int64], turned: npt.NDArray[np.bool_], *, rate: float
    ) -> float:
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        images = _augmented(torch.from_numpy(crops).to(self._device))
        answers = torch.from_numpy(labels).to(self._device)
        logits, half, _ = self._net(images)
        matters = MATTERS.to(self._device)[answers]
        upside = torch.from_numpy(turned).to(self._device).float()
        loss = functional.cross_entropy(logits, answers, label_smoothing=SMOOTHING)
        loss = loss + TURN_WEIGHT * functional.binary_cross_entropy_with_logits(half[matters], upside[matters])
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._net.parameters(), 2.0)
        self._optimiser.step()
        self._average.update_parameters(self._net)
        return float(loss.detach())

    def _finished(self) -> TileNet:
        net = TileNet()
        net.load_state_dict(self._average.module.state_dict())
        return net.cpu().eval()


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
