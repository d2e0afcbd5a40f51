"""`tachiai bench` measures what it says, and its peer if it is given one."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from table.cli.main import main
from table.cli.picture_commands.bench import Measurements, Peer, _load_peer, is_published, report_lines
from table.cli.picture_commands.bench_watcher import WatcherBench
from tests.contracts import assert_keeps
from tests.places import ROOT
from vision.arrays import Image
from vision.geometry.roi import Roi
from vision.reading.locator import Located, Locator
from vision.reading.reader import TileReader
from vision.reading.sticks.strips import StripReader
from vision.reading.weights import load

pytestmark = pytest.mark.pictures


@pytest.fixture(scope="module")
def answer() -> dict[str, Any]:
    """What the command tells as JSON, of one thread and without a peer."""
    out = io.StringIO()
    with redirect_stdout(out):
        assert main(["bench", "--rounds", "1", "--json"]) == 0
    return dict(json.loads(out.getvalue()))


def test_a_whole_table_is_found_read_and_timed(answer: dict[str, Any]) -> None:
    assert_keeps("bench", answer)
    assert answer["tiles"] == 136
    assert answer["right"] >= 130
    assert answer["models_mb"] < 6
    assert set(answer["ms"]) == {"idle", "new_tile", "locate", "read", "table"}
    assert answer["ms"]["idle"] < answer["ms"]["new_tile"]
    assert answer["of_peer"] is None  # times of two machines are not held against each other
    assert answer["projected_ms"] is None  # one thread is not compared with a Pi's four
    assert min(answer["ms"].values()) > 0
    assert (answer["peer"], answer["peer_ms"]) == ("quoted", 72.0)


def test_a_quoted_peer_is_called_quoted(answer: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n".join(report_lines(Measurements(**answer)))
    assert "72.0 ms with 1 thread, quoted from the notes of another machine: no measure for this one" in text
    assert "%" not in text  # times of two machines are not held against each other
    assert "no projection for a Raspberry Pi" in text
    assert main(["bench", "--rounds", "1", "--threads", "3"]) == 0
    assert "not quoted for this many threads" in capsys.readouterr().out


def test_a_peer_is_measured_in_the_same_run_and_called_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    peer = str(ROOT / "models" / "tiles.onnx")
    assert main(["bench", "--rounds", "1", "--threads", "4", "--peer", peer]) == 0
    answer = capsys.readouterr().out
    assert f"{peer}: " in answer
    goals = [line.partition("(goal: under ")[2] for line in answer.splitlines() if "% of one tiles (goal" in line]
    assert goals == ["2.5 %)", "25 %)", "100 %)"]
    assert "YOLO11n" not in answer
    assert "projected, not measured" not in answer  # what is published is of another model


class NotingLocator(Locator):
    """Notes how many tiles are believed to lie there each time it is asked."""

    def __init__(self) -> None:
        super().__init__(weights=load("watch"))
        self.watcher_bench: WatcherBench | None = None
        self.believed: list[int] = []

    def locate(self, image: Image, *, tile_px: float | None, roi: Roi | None = None) -> Located:
        if self.watcher_bench is not None:
            self.believed.append(self.watcher_bench.tiles)
        return super().locate(image, tile_px=tile_px, roi=roi)


COCO = (1, 3, 640, 640), ((1, 84, 8400),)


@pytest.mark.parametrize(
    ("shapes", "size_mb", "threads", "projected"),
    [
        pytest.param(COCO, 10.7, 4, True, id="YOLO11n"),
        pytest.param(COCO, 10.7, 1, False, id="YOLO11n on one thread"),
        pytest.param(COCO, 12.8, 4, False, id="YOLOv8n"),
        pytest.param(((1, 3, 320, 320), ((1, 84, 2100),)), 10.7, 4, False, id="another input"),
        pytest.param(((1, 3, 64, 48), ((1, 39),)), 1.3, 4, False, id="no detector"),
    ],
)
def test_a_pi_is_projected_only_from_like_threads_of_the_published_model(
    shapes: Any, size_mb: float, threads: int, projected: bool
) -> None:
    peer = Peer(infer=lambda: None, shapes=shapes, size_mb=size_mb)
    assert is_published(peer, threads) is projected


def test_a_model_is_not_taken_for_another_by_the_name_of_its_file(tmp_path: Path) -> None:
    model = tmp_path / "yolo11n.onnx"
    model.write_bytes((ROOT / "models" / "tiles.onnx").read_bytes())
    assert not is_published(_load_peer(model, 1), 4)


def test_a_projection_says_what_it_rests_on() -> None:
    of_peer = {"idle": 0.02, "new_tile": 0.2, "locate": 0.2, "read": 0.5, "table": 0.75}
    found = Measurements(
        threads=4,
        models_mb=2.0,
        tiles=136,
        found=136,
        right=136,
        ms={name: share * 50 for name, share in of_peer.items()},
        peer="yolo11n.onnx",
        peer_ms=50.0,
        of_peer=of_peer,
        projected_ms={"pi5": {**of_peer}, "pi4": {**of_peer}},
    )
    *_, pi5, pi4 = report_lines(found)
    assert pi5.endswith("from one published point, YOLO11n's 168 ms")
    assert "from no published point of YOLO11n" in pi4


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["--rounds", "1", "--peer", "absent.onnx"], "expected an ONNX model of one picture"),
    ],
)
def test_what_cannot_be_measured_is_told(arguments: list[str], answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *arguments]) == 1
    assert answer in capsys.readouterr().err


def test_watching_looks_for_tiles_only_where_one_comes_to_rest() -> None:
    locator = NotingLocator()
    watcher_bench = WatcherBench(locator, TileReader(), StripReader())
    locator.watcher_bench, before = watcher_bench, watcher_bench.tiles
    watcher_bench.round()
    assert set(locator.believed) == {before, before + 1}, "asked as the tile is laid and as it is taken away"
    assert len(locator.believed) <= 8, "of 32 frames"
    assert watcher_bench.tiles == before
