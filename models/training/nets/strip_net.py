"""The strip reader: `python -m models.training.nets.strip_net` trains it on tables drawn during the training.

`models.training.judge.strip_figures` evaluates it.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

try:
    import onnx
    import torch
except ImportError:
    raise SystemExit("expected the training extra, got none: pip install '.[training]'") from None

from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from models.training.nets.drawn_ahead import Ring, drawing
from models.training.nets.manifest import OUT, commit, write_manifest
from models.training.nets.onnx_export import without_traces
from models.training.nets.running_mean import running_mean
from models.training.nets.varied_crops import uniform_each
from models.training.studio.strips.likely_strips import likely_spots, read_first
from models.training.studio.strips.mined_strips import CrowdedTable, Miner
from models.training.studio.strips.stick_strips import UNTOLD, KnownTable, Table, TracedTable, strips_at
from models.training.studio.table_pictures import HELD_OUT
from models.training.traced.pictures import training_truths
from vision.reading.locator import STICK_VALUES, Locator
from vision.reading.sticks.spots import LONG_MM, WIDE_MM
from vision.reading.sticks.strips import HEIGHT, ROWS, WIDTH

NAME: Final = "strips"
"""The name of the weights."""
_COLUMNS: Final = 24
_ANSWERS: Final = 10
"""The answers for each row: whether a stick's middle is here, four values, and five numbers as in `strips.FIELDS`."""
_CAPACITY: Final = 160_000
_CAPACITY_ON_A_CARD: Final = 600_000
_FIRST_STRIPS: Final = 4000
"""The number of strips drawn before the first step."""
_RATE: Final = 2e-3
_FOLDED: Final = "stem.0.bias"
"""The name of a weight that only networks with folded norms have."""
_TRACED: Final = 0.3
"""The fraction of path-traced tables, if there are any."""
_CROWDED: Final = 0.75
"""The fraction of the drawn tables that have crowds of sticks."""
_ROUNDS: Final = 5, 2
"""The number of draws from a path-traced table, and from a drawn one, before the next."""
_MOST_LOSS: Final = 5.0
"""A strip's loss is limited to this when hard ones are chosen: the hardest mostly have a doubtful truth."""
_MIDDLE_WEIGHT: Final = 4.0
"""The weight of a row with a stick's middle."""
_MINED_MIDDLE_WEIGHT: Final = 2.0
"""The same weight for mined strips, which mainly teach what is no stick."""


def _block(inputs: int, outputs: int, stride: tuple[int, int], *, is_folded: bool) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, inputs, 3, stride, 1, groups=inputs, bias=is_folded),
        _norm(inputs, is_folded=is_folded),
        nn.Conv2d(inputs, outputs, 1, bias=is_folded),
        _norm(outputs, is_folded=is_folded),
        nn.ReLU(),
    )


def _norm(channels: int, *, is_folded: bool) -> nn.Module:
    return nn.Identity() if is_folded else nn.BatchNorm2d(channels)


class StripNet(nn.Module):
    """The network: from strips [N, H, W, 3] as bytes to [N, ROWS, 10]."""

    def __init__(self, *, is_folded: bool = False) -> None:
        """Takes whether the norms are folded into the convolutions, as in an exported network."""
        super().__init__()
        block = partial(_block, is_folded=is_folded)
        self.stem = nn.Sequential(nn.Conv2d(3, 24, 3, 2, 1, bias=is_folded), _norm(24, is_folded=is_folded), nn.ReLU())
        self.body = nn.Sequential(
            block(24, 48, (1, 1)),
            block(48, 64, (2, 2)),
            block(64, 64, (1, 1)),
            block(64, 96, (1, 2)),
            block(96, 96, (1, 1)),
            block(96, 96, (1, 1)),
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
        """Returns the answers for every row of every strip."""
        pixels = strips.permute(0, 3, 1, 2).float() / 127.5 - 1
        maps = self.body(self.stem(pixels))
        along = maps.permute(0, 1, 3, 2).reshape(maps.shape[0], 24 * _COLUMNS, ROWS)
        return self.rows(along).permute(0, 2, 1)


def load_net(path: Path) -> StripNet:
    """Returns the network of a checkpoint, or the one exported to `path`, with its norms folded into its convolutions.

    Raises:
        RuntimeError: the file is of a network of another shape.
    """
    if path.suffix == ".onnx":
        weights = onnx.load(path).graph.initializer
        tensors = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in weights}
        state = {name.replace("weight_bias", "bias"): weight for name, weight in tensors.items() if _is_part(name)}
    else:
        state = torch.load(path, map_location="cpu")
    net = StripNet(is_folded=_FOLDED in state)
    net.load_state_dict(state)
    return net


def _is_part(name: str) -> bool:
    return name.endswith(("weight", "bias"))


def presence_losses(answers: Tensor, targets: Tensor, middle_weight: float = _MIDDLE_WEIGHT) -> Tensor:
    """Returns the loss of the answer to whether a stick is here, for each row of each strip."""
    is_here, is_known = targets[..., 0], targets[..., 7]
    losses = functional.binary_cross_entropy_with_logits(answers[..., 0], is_here, reduction="none")
    return losses * is_known * (1 + (middle_weight - 1) * is_here)


def loss_of(answers: Tensor, targets: Tensor, middle_weight: float = _MIDDLE_WEIGHT) -> Tensor:
    """Returns the loss of the answers; `middle_weight` is the weight of rows with a stick's middle."""
    presence_loss = presence_losses(answers, targets, middle_weight).mean()
    chosen = targets[..., 0] > 0.5
    values = targets[..., 1][chosen].long()
    valued_count = (values != UNTOLD).sum().clamp(min=1)
    value = (
        functional.cross_entropy(answers[..., 1:5][chosen], values, ignore_index=UNTOLD, reduction="sum") / valued_count
    )
    place = functional.smooth_l1_loss(answers[..., 5:][chosen], targets[..., 2:7][chosen], beta=0.05)
    return 6 * presence_loss + value + 4 * place


def varied(strips: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """Returns strips mirrored, in other light, blurred and with noise, together with their changed targets."""
    pixels, labels = strips.float(), targets.clone()
    if torch.rand(()) < 0.5:
        pixels, labels = pixels.flip(1), labels.flip(1)
        labels[..., 2:4] *= -1
    if torch.rand(()) < 0.5:
        pixels = pixels.flip(2)
        labels[..., 3:5] *= -1
    pixels = _lit(pixels)
    if torch.rand(()) < 0.5:
        pixels = _seen_from_afar(pixels)
    noise = uniform_each(pixels, 0, 10)
    return (pixels + noise * torch.randn_like(pixels)).clamp(0, 255), labels


def _lit(pixels: Tensor) -> Tensor:
    """Returns strips [N, H, W, 3] in other light; some are paler, or have a veil of light over them."""
    grey = pixels.mean(dim=3, keepdim=True)
    pixels = torch.where(
        uniform_each(pixels, 0, 1) < 0.4, grey + uniform_each(pixels, 0.35, 1.15) * (pixels - grey), pixels
    )
    veil = torch.where(uniform_each(pixels, 0, 1) < 0.3, uniform_each(pixels, 0, 0.35), 0)
    pixels = pixels + veil * (255 - pixels)
    cast = torch.empty(len(pixels), 1, 1, 3, device=pixels.device).uniform_(0.75, 1.25)
    pixels = pixels * cast * uniform_each(pixels, 0.45, 1.3)
    return 255 * (pixels / 255).clamp(1e-3, 1) ** uniform_each(pixels, 0.7, 1.4)


def _seen_from_afar(pixels: Tensor) -> Tensor:
    """Returns strips as seen with fewer pixels, fewest across the sticks as in a low view, and with more noise."""
    size = (
        round(HEIGHT * float(torch.empty(()).uniform_(0.3, 0.9))),
        round(WIDTH * float(torch.empty(()).uniform_(0.45, 0.9))),
    )
    small = functional.interpolate(pixels.permute(0, 3, 1, 2), size=size, mode="bilinear", antialias=True)
    small = small + uniform_each(small, 0, 16) * torch.randn_like(small)
    return functional.interpolate(small, size=(HEIGHT, WIDTH), mode="bilinear").permute(0, 2, 3, 1)


def halfway(one: StripNet, other: StripNet) -> StripNet:
    """Returns the network with the mean weights of two networks of one shape.

    It forgets less of what the first one knew than the second, which was trained further: see Wortsman et al., "Robust
    fine-tuning of zero-shot models", 2022.
    """
    between, others = StripNet(is_folded=_FOLDED in one.state_dict()), other.state_dict()
    between.load_state_dict({name: (weight + others[name]) / 2 for name, weight in one.state_dict().items()})
    return between


def drawn_strips(seed: int, *, traced: Path | None, mined_by: Path | None) -> Iterator[tuple[npt.NDArray[Any], ...]]:
    """Yields strips and targets of always new tables, and of path-traced ones if the folder `traced` has some.

    If `mined_by` is a folder with weights, most strips are those in which these weights err.
    """
    rng = np.random.default_rng([seed, 0x57A1])
    truths = training_truths(traced) if traced is not None else []
    miner, locator = None if mined_by is None else Miner(mined_by), Locator.from_above()
    while True:
        if truths and rng.random() < _TRACED:
            table: KnownTable = TracedTable(truths[rng.integers(len(truths))], rng)
        else:
            table = (CrowdedTable if rng.random() < _CROWDED else Table)(int(rng.integers(HELD_OUT)))
        if miner is not None:
            yield miner.strips_of(table)
            continue
        first = read_first(table, locator)
        for _ in range(_ROUNDS[0] if isinstance(table, TracedTable) else _ROUNDS[1]):
            yield strips_at(table, likely_spots(table, first))


def train(
    out: Path, *, minutes: float, workers: int, start: Path | None, seed: int, batch: int, rate: float,
    traced: Path | None, mined_by: Path | None,
) -> StripNet:  # fmt: skip
    """Trains for `minutes` on tables drawn by `workers` processes; returns the running mean of the weights."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = (StripNet() if start is None else load_net(start)).to(device)
    mean = running_mean(net)
    ring, steps = Ring(device, capacity=_CAPACITY if device.type == "cpu" else _CAPACITY_ON_A_CARD), 0
    middle_weight = _MIDDLE_WEIGHT if mined_by is None else _MINED_MIDDLE_WEIGHT
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    with drawing(partial(drawn_strips, traced=traced, mined_by=mined_by), workers=workers, seed=seed) as draws:
        draws.into(ring, least=_FIRST_STRIPS)
        start_time = time.monotonic()
        while (share := (time.monotonic() - start_time) / (60 * minutes)) < 1:
            draws.into(ring, least=0)
            for group in optimiser.param_groups:
                group["lr"] = rate * min(1.0, (steps + 1) / 200) * 0.5 * (1 + float(np.cos(np.pi * share)))
            optimiser.zero_grad()
            strips, targets = varied(*(ring.hard_batch if mined_by is None else ring.batch)(batch))
            with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
                answers = net(strips).float()
            ring.learnt(presence_losses(answers.detach(), targets).sum(dim=1).clamp(max=_MOST_LOSS))
            loss = loss_of(answers, targets, middle_weight)
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            mean.update_parameters(net)
            steps += 1
            if steps % 500 == 0:
                print(f"{share:.0%}: step {steps}, {ring.drawn} strips, loss {float(loss.detach()):.4f}", flush=True)
                torch.save(mean.module.state_dict(), out / "strips.pt")
    torch.save(mean.module.state_dict(), out / "strips.pt")
    print(f"{steps} steps of {batch}, {ring.drawn} strips drawn", flush=True)
    return mean.module.cpu()


def export(net: StripNet, path: Path) -> None:
    """Writes the network as ONNX: `strips` as bytes in, `rows` out."""
    net = net.cpu().eval()
    blank = torch.zeros((2, HEIGHT, WIDTH, 3), dtype=torch.uint8)
    shapes = {"strips": {0: torch.export.Dim("n", min=1, max=4096)}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, (blank,), str(path), input_names=["strips"], output_names=["rows"], dynamic_shapes=shapes,
            dynamo=True, external_data=False, opset_version=18,
        )  # fmt: skip
    without_traces(path)


def write(net: StripNet, folder: Path, *, recipe: str, version: str = "1") -> None:
    """Exports to `folder`/strips.onnx, with the manifest by which it is checked when it is loaded."""
    path = folder / f"{NAME}.onnx"
    export(net, path)
    write_manifest(
        path,
        {
            "version": version,
            "input": [3, HEIGHT, WIDTH],
            "classes": [],
            "values": list(STICK_VALUES),
            "strip_mm": [LONG_MM, WIDE_MM],
            "rows": ROWS,
            "recipe": recipe,
            "commit": commit(),
            "parameters": sum(weight.numel() for weight in net.parameters()),
        },
    )


def main() -> None:
    """Parses the command line, trains and exports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help="the folder for the weights (build/models)")
    parser.add_argument("--minutes", type=float, default=9)
    parser.add_argument("--workers", type=int, default=14)
    parser.add_argument("--start", type=Path, metavar="FILE", help="a checkpoint, or exported weights, to go on from")
    parser.add_argument("--rate", type=float, default=_RATE, help="the highest rate of learning")
    parser.add_argument("--halfway", action="store_true", help="write the mean of the first and the last weights")
    parser.add_argument("--mined", type=Path, metavar="FOLDER", help="mostly on strips in which these weights err")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--version", default="1", help="the version to write (1)")
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--traced", type=Path, metavar="FOLDER", help="also train on these path-traced pictures")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    net = train(
        options.out,
        minutes=options.minutes,
        workers=options.workers,
        start=options.start,
        seed=options.seed,
        batch=options.batch,
        rate=options.rate,
        traced=options.traced,
        mined_by=options.mined,
    )
    drawn = "drawn tables" + (
        "" if options.traced is None else f" and {len(training_truths(options.traced))} path-traced pictures"
    )
    steps = f"seed {options.seed}, {options.minutes:g} minutes of {options.batch} strips per step"
    further = "" if options.start is None else f"; from {options.start.name}"
    if options.start is not None and options.halfway:
        net, further = halfway(load_net(options.start), net), f"; halfway from {options.start.name}"
    write(net, options.out, recipe=f"{drawn}; {steps}{further}", version=options.version)


if __name__ == "__main__":
    main()
