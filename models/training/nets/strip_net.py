"""The reader of strips: `python -m models.training.nets.strip_net OUT` trains it on tables drawn meanwhile.

`models.training.judge.strip_figures` measures it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import queue
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.training.studio.stick_strips import FIELDS, HEIGHT, HELD_OUT, ROWS, WIDTH, strips_of

_COLUMNS: Final = 24
_ANSWERS: Final = 10
"""Of each row: a stick's middle is here, four values, and five numbers as in `strips.FIELDS`."""
_KEPT: Final = 160_000
_LEAST: Final = 4000
"""So many strips are drawn before the first step."""


def _block(fed: int, given: int, stride: tuple[int, int]) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(fed, fed, 3, stride, 1, groups=fed, bias=False),
        nn.BatchNorm2d(fed),
        nn.Conv2d(fed, given, 1, bias=False),
        nn.BatchNorm2d(given),
        nn.ReLU(),
    )


class StripNet(nn.Module):
    """Strips [N, H, W, 3] as bytes in, [N, ROWS, 10] out."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 24, 3, 2, 1, bias=False), nn.BatchNorm2d(24), nn.ReLU())
        self.body = nn.Sequential(
            _block(24, 48, (1, 1)),
            _block(48, 64, (2, 2)),
            _block(64, 64, (1, 1)),
            _block(64, 96, (1, 2)),
            _block(96, 96, (1, 1)),
            _block(96, 96, (1, 1)),
            nn.Conv2d(96, 24, 1),
        )
        self.rows = nn.Sequential(
            nn.Conv1d(24 * _COLUMNS, 128, 1),
            nn.ReLU(),
            nn.Conv1d(128, 128, 3, padding=1),
            nn.ReLU(),
            nn.Conv1d(128, 128, 3, padding=1),
            nn.ReLU(),
            nn.Conv1d(128, _ANSWERS, 1),
        )

    def forward(self, strips: Tensor) -> Tensor:
        """Answers for every row of every strip."""
        pixels = strips.permute(0, 3, 1, 2).float() / 127.5 - 1
        seen = self.body(self.stem(pixels))
        along = seen.permute(0, 1, 3, 2).reshape(seen.shape[0], 24 * _COLUMNS, ROWS)
        return self.rows(along).permute(0, 2, 1)


def loss_of(answers: Tensor, targets: Tensor) -> Tensor:
    """How wrong the answers are."""
    is_here, known = targets[..., 0], targets[..., 7]
    weight = known * (1 + 3 * is_here)
    here = (functional.binary_cross_entropy_with_logits(answers[..., 0], is_here, reduction="none") * weight).mean()
    chosen = is_here > 0.5
    value = functional.cross_entropy(answers[..., 1:5][chosen], targets[..., 1][chosen].long())
    place = functional.smooth_l1_loss(answers[..., 5:][chosen], targets[..., 2:7][chosen], beta=0.05)
    return 6 * here + value + 4 * place


def varied(strips: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """Strips mirrored, in other light, blurred and noisier, with what is then true of them."""
    pixels, labels = strips.float(), targets.clone()
    if torch.rand(()) < 0.5:
        pixels, labels = pixels.flip(1), labels.flip(1)
        labels[..., 2:4] *= -1
    if torch.rand(()) < 0.5:
        pixels = pixels.flip(2)
        labels[..., 3:5] *= -1
    count, where = len(pixels), pixels.device
    gain = torch.empty(count, 1, 1, 3, device=where).uniform_(0.75, 1.25)
    gain = gain * torch.empty(count, 1, 1, 1, device=where).uniform_(0.45, 1.3)
    gamma = torch.empty(count, 1, 1, 1, device=where).uniform_(0.7, 1.4)
    pixels = 255 * (pixels / 255 * gain).clamp(1e-3, 1) ** gamma
    if torch.rand(()) < 0.35:
        share = float(torch.empty(()).uniform_(0.45, 0.9))
        seen = pixels.permute(0, 3, 1, 2)
        small = functional.interpolate(seen, scale_factor=share, mode="bilinear", antialias=True)
        pixels = functional.interpolate(small, size=(HEIGHT, WIDTH), mode="bilinear").permute(0, 2, 3, 1)
    noise = torch.empty(count, 1, 1, 1, device=where).uniform_(0, 10)
    return (pixels + noise * torch.randn_like(pixels)).clamp(0, 255), labels


class Buffer:
    """The latest strips drawn, on the device."""

    def __init__(self, device: torch.device) -> None:
        self.strips = torch.empty((_KEPT, HEIGHT, WIDTH, 3), dtype=torch.uint8, device=device)
        self.targets = torch.empty((_KEPT, ROWS, FIELDS), device=device)
        self.drawn = 0

    def add(self, strips: Any, targets: Any) -> None:
        """Takes in the strips of one table; the oldest go."""
        places = torch.arange(self.drawn, self.drawn + len(strips), device=self.strips.device) % _KEPT
        self.strips[places] = torch.from_numpy(strips).to(self.strips.device)
        self.targets[places] = torch.from_numpy(targets).to(self.strips.device)
        self.drawn += len(strips)

    def batch(self, size: int) -> tuple[Tensor, Tensor]:
        """A random batch."""
        chosen = torch.randint(min(self.drawn, _KEPT), (size,), device=self.strips.device)
        return varied(self.strips[chosen], self.targets[chosen])


def _draw(seed: int, workers: int, ready: Any) -> None:
    import cv2  # noqa: PLC0415 - each process for itself

    cv2.setNumThreads(1)
    while True:
        ready.put(strips_of(seed % HELD_OUT))
        seed += workers


def train(out: Path, *, minutes: float, workers: int, start: Path | None, seed: int, batch: int = 512) -> StripNet:
    """Trains for so long on tables drawn meanwhile by so many processes."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = StripNet().to(device)
    if start is not None:
        net.load_state_dict(torch.load(start, map_location=device))
    spawn = multiprocessing.get_context("spawn")
    ready: Any = spawn.Queue(64)
    drawers = [spawn.Process(target=_draw, args=(seed + i, workers, ready), daemon=True) for i in range(workers)]
    for drawer in drawers:
        drawer.start()
    buffer, steps, begun = Buffer(device), 0, time.monotonic()
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    while (share := (time.monotonic() - begun) / (60 * minutes)) < 1:
        while buffer.drawn < _LEAST or not ready.empty():
            try:
                buffer.add(*ready.get(timeout=60))
            except queue.Empty:
                break
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * min(1.0, steps / 200) * 0.5 * (1 + float(np.cos(np.pi * share)))
        optimiser.zero_grad()
        strips, targets = buffer.batch(batch)
        loss = loss_of(net(strips), targets)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        steps += 1
        if steps % 500 == 0:
            print(f"{share:.0%}: step {steps}, {buffer.drawn} strips, loss {float(loss.detach()):.4f}", flush=True)
            torch.save(net.state_dict(), out / "strips.pt")
    for drawer in drawers:
        drawer.terminate()
    torch.save(net.state_dict(), out / "strips.pt")
    print(f"{steps} steps of {batch}, {buffer.drawn} strips drawn", flush=True)
    return net


def export(net: StripNet, path: Path) -> None:
    """Writes the net as ONNX: `strips` as bytes, `rows`."""
    net = net.cpu().eval()
    blank = torch.zeros((2, HEIGHT, WIDTH, 3), dtype=torch.uint8)
    shapes = {"strips": {0: torch.export.Dim("n", min=1, max=4096)}}
    torch.onnx.export(
        net, (blank,), str(path), input_names=["strips"], output_names=["rows"], dynamic_shapes=shapes,
        dynamo=True, external_data=False,
    )  # fmt: skip


def main() -> None:
    """Parses the command line, trains and exports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=9)
    parser.add_argument("--workers", type=int, default=14)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=512)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    net = train(
        asked.out, minutes=asked.minutes, workers=asked.workers, start=asked.start, seed=asked.seed, batch=asked.batch
    )
    export(net, asked.out / "strips.onnx")


if __name__ == "__main__":
    main()
