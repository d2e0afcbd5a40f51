"""A table with too little light is brightened before it is read, by a factor that stays until the light changes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.drawn import Bench, DrawnThing, Scene
from vision.arrays import Image
from vision.felt import Reading
from vision.frames import Frame
from vision.watching.dim_table import DimTable
from vision.watching.motion.motion_gate import MotionGate

RIVER = tuple(DrawnThing(face=face, x=24.0 * n - 60, y=-84) for n, face in enumerate(("1m", "9s", "2p", "7z")))
NEXT = DrawnThing(face="0p", x=36, y=-84)


@dataclass
class DimBench(Bench):
    """Keeps how bright the paper of tiles is in the pictures that the reader gets."""

    papers: list[float] = field(default_factory=list)

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        self.papers.append(float(np.percentile(image, 99.8)))
        return super().read(image, quads)


class Table:
    """What one table's looks are brightened by, asked frame by frame."""

    def __init__(self) -> None:
        self.bench = Bench()
        self.gate = MotionGate(self.bench.calibration, height_mm=self.bench.view.height_mm)
        self.dim = DimTable()
        self.now_s = 0.0

    def factor(self, light: float, *things: DrawnThing, after_s: float = 0.1) -> float:
        self.now_s += after_s
        image = self.bench._picture(Scene(things=things, light=light))
        frame = Frame(k=0, t_ns=round(self.now_s * 1e9), image=image)
        self.gate.see(image, frame.t_ns)
        bright = self.dim.brightened(frame, self.gate)
        assert bright.t_ns == frame.t_ns
        if bright is frame:
            return 1.0
        return float(bright.image.mean() / image.mean())


@pytest.mark.parametrize("light", [1.0, 0.5, 0.35])
def test_a_table_with_enough_light_is_read_in_the_very_frame(light: float) -> None:
    assert Table().factor(light, *RIVER) == 1.0


@pytest.mark.parametrize("light", [0.1, 0.14, 0.2])
def test_in_less_light_the_reader_gets_tiles_as_bright_as_it_needs(light: float) -> None:
    bench = DimBench()
    bench.show(Scene(things=RIVER, light=light))
    bench.show(Scene(things=(*RIVER, NEXT), light=light))
    assert len(bench.watcher.felt.tiles) == 5
    assert bench.papers
    assert all(70 < paper < 110 for paper in bench.papers)


def test_one_face_on_a_dark_table_is_enough_to_see_that_there_is_light() -> None:
    assert Table().factor(1.0, RIVER[0]) == 1.0
    table = Table()
    assert table.factor(0.6) > 1.0  # an empty felt
    assert table.factor(0.6, RIVER[0]) == 1.0


def test_noise_and_a_hand_over_the_tiles_leave_the_factor_as_it_is() -> None:
    table = Table()
    factors = [table.factor(0.12, *RIVER) for _ in range(5)]
    factors += [table.factor(light, *RIVER) for light in (0.125, 0.115, 0.12)]
    factors += [table.factor(0.12) for _ in range(15)]
    assert max(factors) - min(factors) < 0.02 * factors[0]


def test_the_factor_follows_more_light_at_once_and_less_light_that_lasts() -> None:
    table = Table()
    dim = table.factor(0.12, *RIVER)
    assert dim > 2
    assert table.factor(1.0, *RIVER) == 1.0
    assert table.factor(0.12, *RIVER) == 1.0
    assert table.factor(0.12, *RIVER, after_s=1.9) == 1.0
    assert table.factor(0.12, *RIVER, after_s=0.2) == pytest.approx(dim, rel=0.05)
