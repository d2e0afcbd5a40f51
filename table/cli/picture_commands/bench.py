"""`tachiai bench`: how fast this machine watches, locates and reads a table, compared with a common detector."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from table.cli.picture_commands.bench_watcher import WatcherBench
from table.cli.streams.input_files import input_bytes, input_name
from table.cli.streams.progress import progress
from table.rules.terms.amounts import amount
from table.runtime.table_errors import ConfigError
from vision.art.face_sheet import in_rows, picture
from vision.errors import reason
from vision.felt import FACES
from vision.reading.locator import Locator
from vision.reading.reader import TileReader
from vision.reading.sticks.strips import StripReader
from vision.reading.weights import load, runtime

SIDE: Final = 960
"""Side of the rectified table in pixels."""
TILE: Final = (27, 36)
"""Width and height of a tile on it in pixels."""
COPIES: Final = {"0": 1, "5": 3}
"""Copies of each five in a suit; there are four of any other face."""
QUOTED_MS: Final = {1: 72.0, 2: 40.7}
"""YOLO11n, 640 x 640, fp32, onnxruntime 1.31.1 on a 2-core AMD EPYC, by threads: the project's stack notes."""
PI_MS: Final = {"pi5": 168.0, "pi4": 480.0}
"""Milliseconds of the same detector on a Raspberry Pi with four threads: published for the 5, projected for the 4."""
PI_POINTS: Final = {
    "pi5": "one published point, YOLO11n's 168 ms",
    "pi4": "no published point of YOLO11n: 480 ms, itself projected from the one published for YOLOv8n, 560 ms",
}
"""What each projection is based on."""
PI_THREADS: Final = 4
"""Threads of the published times; only a measurement with as many is compared with them."""
QUOTED_MODEL: Final = "YOLO11n"
MOST_MODEL_BYTES: Final = 2**31
"""No ONNX file is larger, since its format (protobuf) limits a message to 2 GiB."""
_YOLO11N: Final = ((1, 3, 640, 640), ((1, 84, 8400),))
"""The shapes of YOLO11n's input and outputs, as exported for the 80 classes of COCO."""
_YOLO11N_MB: Final = (9.5, 11.5)
"""The limits of its file's size: 2.6 million parameters of 32 bits. YOLOv8n has the same shapes, but 12.8 MB."""
GOALS: Final = {"idle": 1 / 40, "new_tile": 1 / 4, "table": 1.0}
"""The goals: the largest shares of the peer's time, if both were measured in one run."""
_WARM_UP_ROUNDS: Final = 2


def run(args: argparse.Namespace) -> int:
    """Prints how long each task takes on this machine."""
    measurements = measure(threads=args.threads, rounds=args.rounds, peer=args.peer)
    print(json.dumps(asdict(measurements)) if args.json else "\n".join(report_lines(measurements)))
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurements:
    """The measurements, as in the JSON contract; times in ms by task."""

    threads: int
    models_mb: float
    tiles: int
    found: int
    right: int
    ms: Mapping[str, float]
    peer: str
    """The peer's file name, or `quoted`."""
    peer_ms: float | None
    of_peer: Mapping[str, float] | None
    """Shares of the peer's time, by task; None if it was not measured in the same run."""
    projected_ms: Mapping[str, Mapping[str, float]] | None
    """Projected times, by Raspberry Pi model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """Another model, loaded."""

    infer: Callable[[], object]
    """One inference."""
    shapes: tuple[tuple[int | str, ...], tuple[tuple[int | str, ...], ...]]
    """The shapes of its input and of its outputs."""
    size_mb: float

    @property
    def is_quoted_model(self) -> bool:
        """Whether its shapes and size are those of the model whose times are quoted; its file name does not matter."""
        return self.shapes == _YOLO11N and _YOLO11N_MB[0] < self.size_mb < _YOLO11N_MB[1]


def measure(*, threads: int, rounds: int, peer: Path | None) -> Measurements:
    """Times all tasks in turn, round by round, so that a busy moment affects them alike; returns the fastest rounds.

    Raises:
        ModelError: the shipped models are missing or altered.
        ConfigError: the peer model cannot be run.
    """
    image, faces = _table_picture()
    locator, reader = Locator(threads=threads), TileReader(threads=threads)
    quads = locator.locate(image, tile_px=TILE[0]).tiles
    face_quads = np.resize(quads, (len(faces), 4, 2))
    tasks: dict[str, Callable[[], object]] = {
        "locate": lambda: locator.locate(image, tile_px=TILE[0]),
        "read": lambda: reader.read(image, face_quads),
        "table": lambda: reader.read(image, locator.locate(image, tile_px=TILE[0]).tiles),
    }
    peer_model = None if peer is None else _load_peer(peer, threads)
    if peer_model is not None:
        tasks["peer"] = peer_model.infer
    watcher_bench = WatcherBench(Locator(threads=threads, weights=load("watch")), reader, StripReader(threads=threads))
    ms = _fastest_ms(tasks, watcher_bench, threads, rounds)
    peer_ms = ms.pop("peer", QUOTED_MS.get(threads))
    readings = [reading.tile for reading in reader.read(image, quads)]
    shares = None if peer_model is None or peer_ms is None else {name: spent / peer_ms for name, spent in ms.items()}
    return Measurements(
        threads=threads,
        models_mb=round(sum(len(load(name).onnx_bytes) for name in ("locate", "watch", "tiles", "strips")) / 1e6, 2),
        tiles=len(faces),
        found=len(quads),
        right=sum(min(readings.count(face), faces.count(face)) for face in FACES),
        ms=ms,
        peer="quoted" if peer is None else input_name(peer),
        peer_ms=peer_ms,
        of_peer=shares and {name: round(share, 3) for name, share in shares.items()},
        projected_ms=_projected_ms(shares) if shares and peer_model and is_published(peer_model, threads) else None,
    )


def is_published(peer: Peer, threads: int) -> bool:
    """Returns whether the peer's times on a Raspberry Pi were published for this number of threads."""
    return threads == PI_THREADS and peer.is_quoted_model


def _projected_ms(shares: Mapping[str, float]) -> dict[str, dict[str, float]]:
    return {pi: {name: round(share * on_pi, 1) for name, share in shares.items()} for pi, on_pi in PI_MS.items()}


def _fastest_ms(
    tasks: Mapping[str, Callable[[], object]], watcher_bench: WatcherBench, threads: int, rounds: int
) -> dict[str, float]:
    """Returns the fastest round of each task, watching included, in ms."""
    times: dict[str, list[float]] = {name: [] for name in ("idle", "new_tile", *tasks)}
    before = cv2.getNumThreads()
    cv2.setNumThreads(threads)
    try:
        for turn in progress(range(_WARM_UP_ROUNDS + rounds), "measuring"):
            spent = dict(zip(("idle", "new_tile"), watcher_bench.round(), strict=True))
            for name, task in tasks.items():
                start = time.perf_counter()
                task()
                spent[name] = (time.perf_counter() - start) * 1000
            for name, took in spent.items() if turn >= _WARM_UP_ROUNDS else ():
                times[name].append(took)
    finally:
        cv2.setNumThreads(before)
    return {name: round(min(took), 1) for name, took in times.items()}


def _table_picture() -> tuple[Any, list[str]]:
    """Returns a rectified picture of a whole set of 136 tiles face up, and their faces."""
    faces = [face for face in FACES for _ in range(_copies(face))]
    page = picture(in_rows(faces, 17), tile=TILE)
    view = np.empty((SIDE, SIDE, 3), np.uint8)
    view[:] = page[0, 0]
    height, width = page.shape[:2]
    view[:height, :width] = page[:SIDE, :SIDE]
    return view, faces


def _copies(face: str) -> int:
    return 4 if face[1] == "z" else COPIES.get(face[0], 4)


def _load_peer(path: Path, threads: int) -> Peer:
    """Loads another model, for inferences on a picture of the size that it requires, or of 640 x 640.

    Raises:
        ConfigError: the file is not a model that takes one picture as floats.
    """
    onnxruntime = runtime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    try:
        model = input_bytes(path, MOST_MODEL_BYTES)
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        (picture_input,) = session.get_inputs()
        shape = [
            size if isinstance(size, int) else default
            for size, default in zip(picture_input.shape, (1, 3, 640, 640), strict=True)
        ]
        batch = np.random.default_rng(0).random(shape, np.float32)
        session.run(None, {picture_input.name: batch})
        shapes = tuple(picture_input.shape), tuple(tuple(output.shape) for output in session.get_outputs())
    except Exception as error:  # the runtime raises its own types
        raise ConfigError(
            f"expected an ONNX model of one picture, got {reason(error)}, at {input_name(path)}"
        ) from error
    return Peer(infer=lambda: session.run(None, {picture_input.name: batch}), shapes=shapes, size_mb=len(model) / 1e6)


def report_lines(result: Measurements) -> list[str]:
    """Returns the measurements as lines of text."""
    task_texts = {
        "idle": "a frame of 1600 x 1600 in which nothing happens",
        "new_tile": "a frame in which a tile comes to rest",
        "locate": f"locate, {SIDE} x {SIDE}",
        "read": f"read {amount(result.tiles, 'tile')}",
        "table": f"a table of {result.tiles} from picture to faces ({result.found} found, {result.right} right)",
    }
    return [
        f"threads {result.threads}, models {result.models_mb} MB; the fastest round of each, decoding excluded",
        *(f"  {text}: {result.ms[name]} ms{_share_text(name, result)}" for name, text in task_texts.items()),
        *_peer_lines(result),
    ]


def _share_text(name: str, result: Measurements) -> str:
    """Returns the time as a share of the peer's, for tasks that have a goal and a peer measured in the same run."""
    if result.of_peer is None or name not in GOALS:
        return ""
    share, goal = 100 * result.of_peer[name], 100 * GOALS[name]
    return f", {share:.1f} % of one {Path(result.peer).stem} (goal: under {goal:g} %)"


def _peer_lines(result: Measurements) -> list[str]:
    if result.peer_ms is None:
        return [f"  {QUOTED_MODEL} 640 x 640: not quoted for this many threads; measure it with --peer"]
    line = f"  {result.peer}: {result.peer_ms} ms, measured in the same run with {amount(result.threads, 'thread')}"
    if result.peer == "quoted":
        line = (
            f"  {QUOTED_MODEL} 640 x 640: {result.peer_ms} ms with {amount(result.threads, 'thread')}, quoted from the "
            "notes of another machine: no measure for this one; measure it here with --peer"
        )
    if result.projected_ms is None:
        return [line, f"  no projection for a Raspberry Pi: that needs --threads {PI_THREADS} --peer yolo11n.onnx"]
    projected = [
        f"  projected, not measured, for a Raspberry {pi.replace('pi', 'Pi ')}: idle {ms['idle']} ms, new tile "
        f"{ms['new_tile']} ms, whole table {ms['table']} ms; from {PI_POINTS[pi]}"
        for pi, ms in result.projected_ms.items()
    ]
    return [line, *projected]
