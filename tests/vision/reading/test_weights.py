"""Weights are found where they lie, and refused when they are not what their manifest says."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock
from weakref import ref

import numpy as np
import pytest

from tests.places import ROOT
from vision.errors import ModelError, VisionError
from vision.reading.weights import Manifest, load, outputs_of, read_manifest, session

CONTENT = b"not really a network"


def _lay(folder: Path, **changes: Any) -> Path:
    folder.mkdir(exist_ok=True)
    manifest = {
        "name": "tiles", "version": "3", "sha256": hashlib.sha256(CONTENT).hexdigest(), "input": [3, 64, 48],
        "classes": ["1m", "?"], "temperature": 1.5, "recipe": "by hand", "commit": "abc", "upright": ["1m"], **changes,
    }  # fmt: skip
    (folder / "tiles.onnx").write_bytes(CONTENT)
    (folder / "tiles.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def test_weights_come_with_all_that_their_manifest_says(tmp_path: Path) -> None:
    weights = load("tiles", places=(_lay(tmp_path / "models"),))
    assert weights.onnx_bytes == CONTENT
    assert weights.path == tmp_path / "models" / "tiles.onnx"
    manifest = weights.manifest
    assert (manifest.name, manifest.version, manifest.input) == ("tiles", "3", (3, 64, 48))
    assert (manifest.classes, manifest.temperature, manifest.commit) == (("1m", "?"), 1.5, "abc")
    assert manifest.details == {"upright": ["1m"]}


def test_package_data_goes_before_the_checkout(tmp_path: Path) -> None:
    wheel, checkout = _lay(tmp_path / "wheel", version="wheel"), _lay(tmp_path / "checkout", version="checkout")
    assert load("tiles", places=(wheel, checkout)).manifest.version == "wheel"
    assert load("tiles", places=(tmp_path / "absent", checkout)).manifest.version == "checkout"


def test_altered_weights_are_refused_with_both_digests(tmp_path: Path) -> None:
    folder = _lay(tmp_path / "models", sha256="0" * 64)
    with pytest.raises(ModelError, match=f"expected sha256 {'0' * 64}, got {hashlib.sha256(CONTENT).hexdigest()}"):
        load("tiles", places=(folder,))


def test_weights_that_cannot_be_read_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    folder = _lay(tmp_path / "models")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(ModelError, match=r"expected readable weights, got Permission denied, at .*tiles\.onnx"):
        load("tiles", places=(folder,))


def test_absent_weights_name_the_places_that_were_looked_in(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"got neither, in .*nowhere"):
        load("tiles", places=(tmp_path / "nowhere",))


def test_a_manifest_without_its_weights_is_said_to_be_alone(tmp_path: Path) -> None:
    folder = _lay(tmp_path / "models")
    (folder / "tiles.onnx").unlink()
    with pytest.raises(ModelError, match=r"expected tiles\.onnx with tiles\.json, got tiles\.json alone, in .*models"):
        load("tiles", places=(tmp_path / "nowhere", folder))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("{", "readable manifest", id="broken JSON"),
        pytest.param("[]", "an object with", id="no object"),
        pytest.param('{"name": "tiles"}', "an object with", id="fields missing"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "tiles.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=complaint):
        read_manifest(path)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"input": [3, 64]}, id="two sizes"),
        pytest.param({"input": [3, 0, 48]}, id="a size of 0"),
        pytest.param({"temperature": "warm"}, id="temperature in words"),
        pytest.param({"temperature": 0}, id="temperature of 0"),
    ],
)
def test_a_manifest_of_wrong_values_is_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="expected"):
        load("tiles", places=(_lay(tmp_path / "models", **changes),))


def test_models_run_one_after_the_other_whatever_threads_ask() -> None:
    """A run takes tens of megabytes: a photo that is read while the table is watched takes them in turn."""
    runs, at_once, begin = 0, list[int](), threading.Barrier(3)

    class Session:
        def io_binding(self) -> MagicMock:
            return MagicMock()

        def run_with_iobinding(self, *_: object) -> None:
            nonlocal runs
            runs += 1
            at_once.append(runs)
            threading.Event().wait(0.01)
            runs -= 1

    def ask() -> None:
        begin.wait()
        outputs_of(Session(), {"image": np.zeros(1)}, {"maps": (1,)})

    with ThreadPoolExecutor(max_workers=3) as threads:
        for answer in [threads.submit(ask) for _ in range(3)]:
            answer.result()
    assert at_once == [1, 1, 1]


def test_model_errors_are_vision_errors_and_value_errors() -> None:
    assert issubclass(ModelError, VisionError)
    assert issubclass(ModelError, ValueError)


def test_manifests_need_no_more_than_what_every_model_has() -> None:
    manifest = Manifest(name="locate", version="1", sha256="", input=(3, 8, 8), classes=())
    assert manifest.temperature == 1.0
    assert dict(manifest.details) == {}


def test_a_model_that_runs_leaves_no_trace_in_the_home_and_tells_its_maker_nothing(tmp_path: Path) -> None:
    """Since 1.32 onnxruntime keeps a number of the device in the home and reports to its maker, if nobody objects."""
    run = (
        "import os; from vision.reading.weights import load, session; session(load('watch'), threads=1);"
        "print(os.environ.get('ORT_DISABLE_TELEMETRY'))"
    )
    outside = {
        name: value for name, value in os.environ.items() if name not in ("XDG_CACHE_HOME", "ORT_DISABLE_TELEMETRY")
    }
    environment = outside | {"HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", run], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not list(tmp_path.rglob("*"))
    assert done.stdout == "1\n"


def test_who_reads_by_the_same_model_shares_it_and_the_last_one_lets_it_go() -> None:
    # Nobody else in this process reads with three threads.
    watch, locate = load("watch"), load("locate")
    first, second = session(watch, threads=3), session(load("watch"), threads=3)
    assert first is second
    assert session(watch, threads=2) is not first
    assert session(locate, threads=3) is not first
    forged = replace(locate, manifest=watch.manifest)
    assert session(forged, threads=3) is not first, "the model itself tells, not what is said of it"
    gone = ref(first)
    del first, second
    assert gone() is None
