"""Finds the trained weights and verifies them against their manifest.

In a checkout they are in `models/` beside this package; in an installed wheel they are package data in
`vision/_models/`. No other module knows these places.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats32
from vision.errors import ModelError, reason
from vision.json_text import read_json

_PACKAGE: Final = Path(__file__).resolve().parents[1]
PLACES: Final = (_PACKAGE / "_models", _PACKAGE.parent / "models")
"""The places searched for weights: the wheel's package data, then the checkout."""
AS_REQUESTED: Final = 1
"""How onnxruntime's memory grows: `kSameAsRequested`, not to the next power of two."""
_RUN_LOCK: Final = threading.Lock()
"""Held while a model runs, so that the tens of megabytes of a run are needed only once."""
_OPEN_LOCK: Final = threading.Lock()
_sessions: Final[WeakValueDictionary[tuple[bytes, int], Any]] = WeakValueDictionary()
"""The sessions in use, by the model's digest and the number of threads."""
_REQUIRED: Final = ("name", "version", "sha256", "input", "classes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The manifest of a model: the `.json` file that describes its `.onnx` file."""

    name: str
    version: str
    sha256: str
    """Hex digest of the `.onnx` file."""
    input: tuple[int, int, int]
    """Channels, height, width of one input."""
    classes: tuple[str, ...]
    """The classes of the output, in order; empty if the output is not a classification."""
    temperature: float = 1.0
    """Divisor of the logits before the softmax, for calibrated scores."""
    recipe: str = ""
    """The training data and method, in one line."""
    commit: str = ""
    """The commit of the training code."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Other fields of the manifest, by key."""

    def __post_init__(self) -> None:
        if len(self.input) != 3 or min(self.input) < 1:
            raise ModelError(f"expected an input of three positive sizes, got {self.input!r}, in manifest {self.name}")
        if self.temperature <= 0:
            raise ModelError(f"expected a temperature above 0, got {self.temperature!r}, in manifest {self.name}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A model that matches its manifest."""

    path: Path
    onnx_bytes: bytes
    manifest: Manifest


def load(name: str, *, places: tuple[Path, ...] = PLACES) -> Weights:
    """Returns the weights called `name` (`"tiles"`, `"locate"`), from the first of `places` that has them.

    Raises:
        ModelError: there are none, they or their manifest cannot be read, or the two do not match.
    """
    folder = next((place for place in places if (place / f"{name}.onnx").is_file()), None)
    if folder is None:
        searched = ", ".join(str(place) for place in places)
        alone = any((place / f"{name}.json").is_file() for place in places)
        found = f"{name}.json alone" if alone else "neither"
        raise ModelError(f"expected {name}.onnx with {name}.json, got {found}, in {searched}")
    path = folder / f"{name}.onnx"
    manifest = read_manifest(folder / f"{name}.json")
    try:
        onnx_bytes = path.read_bytes()
    except OSError as error:
        raise ModelError(f"expected readable weights, got {reason(error)}, at {path}") from error
    digest = hashlib.sha256(onnx_bytes).hexdigest()
    if digest != manifest.sha256:
        raise ModelError(f"expected sha256 {manifest.sha256}, got {digest}, of {path}")
    return Weights(path=path, onnx_bytes=onnx_bytes, manifest=manifest)


def read_manifest(path: Path) -> Manifest:
    """Reads one manifest file.

    Raises:
        ModelError: it is missing, not a JSON object, or lacks a field.
    """
    try:
        content = read_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"expected a readable manifest, got {reason(error)}, at {path}") from error
    if not isinstance(content, dict) or any(key not in content for key in _REQUIRED):
        raise ModelError(f"expected an object with {', '.join(_REQUIRED)}, got {content!r:.200}, at {path}")
    return _manifest(content, path)


def _manifest(content: dict[str, Any], path: Path) -> Manifest:
    known_keys = {*_REQUIRED, "temperature", "recipe", "commit"}
    try:
        channels, height, width = (int(size) for size in content["input"])
        return Manifest(
            name=str(content["name"]),
            version=str(content["version"]),
            sha256=str(content["sha256"]),
            input=(channels, height, width),
            classes=tuple(str(name) for name in content["classes"]),
            temperature=float(content.get("temperature", 1.0)),
            recipe=str(content.get("recipe", "")),
            commit=str(content.get("commit", "")),
            details={key: value for key, value in content.items() if key not in known_keys},
        )
    except (TypeError, ValueError) as error:
        raise ModelError(f"expected a manifest of the documented types, got {error}, at {path}") from error


def runtime() -> Any:
    """Imports and returns the module `onnxruntime`, with its telemetry switched off.

    Since version 1.32 it otherwise stores a device number in the user's cache and reports its environment to its maker.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime  # noqa: PLC0415 - heavy, and needed only to run a model

    return onnxruntime


def session(weights: Weights, threads: int) -> Any:
    """Returns an inference session on the CPU, which all users of the same model share; for any thread.

    Pictures and batches have many sizes, so memory planning is off: it would keep buffers of each size.
    """
    key = hashlib.sha256(weights.onnx_bytes).digest(), threads
    with _OPEN_LOCK:
        found = _sessions.get(key)
        if found is None:
            found = _sessions[key] = _open_session(weights, threads)
        return found


def _open_session(weights: Weights, threads: int) -> Any:
    onnxruntime = runtime()
    _share_memory()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False
    options.add_session_config_entry("session.use_env_allocators", "1")
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(weights.onnx_bytes, options, providers=["CPUExecutionProvider"])


@cache
def _share_memory() -> None:
    """Makes all models of the program share one memory arena, which grows by no more than requested.

    Otherwise each has its own, which doubles each time it grows.
    """
    onnxruntime = runtime()
    memory = onnxruntime.OrtMemoryInfo(
        "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
    )
    onnxruntime.create_and_register_allocator(
        memory, onnxruntime.OrtArenaCfg({"max_mem": 0, "arena_extend_strategy": AS_REQUESTED})
    )


def outputs_of(
    session: Any, arrays: Mapping[str, npt.NDArray[Any]], shapes: Mapping[str, tuple[int, ...]]
) -> list[Floats32]:
    """Runs a model and returns its outputs, which have these shapes; the run's memory is released.

    Runs of all threads are serialised, so that a photo and a frame do not take memory at the same time. The outputs are
    copied to separate memory: while one is in the models' memory, the block around it, tens of megabytes for a large
    picture, cannot be released.
    """
    inputs = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    outputs = {name: np.empty(shape, np.float32) for name, shape in shapes.items()}
    binding = session.io_binding()
    for name, array in inputs.items():
        binding.bind_cpu_input(name, array)
    for name, array in outputs.items():
        binding.bind_output(name, "cpu", 0, np.float32, array.shape, array.ctypes.data)
    with _RUN_LOCK:
        session.run_with_iobinding(binding, _run_options())
    return list(outputs.values())


@cache
def _run_options() -> Any:
    """Returns run options that release the run's memory afterwards."""
    options = runtime().RunOptions()
    options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    return options
