"""The manifest beside a network is the one that is checked when the network is loaded."""

from __future__ import annotations

from pathlib import Path

from models.training.nets.manifest import write_manifest
from vision.reading.weights import load


def test_what_is_written_is_loaded_with_its_hash_and_its_details(tmp_path: Path) -> None:
    path = tmp_path / "watch.onnx"
    path.write_bytes(b"weights")
    fields = {"version": "3", "input": [3, 960, 960], "classes": [], "recipe": "Größe", "band": [16, 34]}
    write_manifest(path, fields)
    weights = load("watch", places=(tmp_path,))
    assert (weights.manifest.name, weights.manifest.version, weights.manifest.recipe) == ("watch", "3", "Größe")
    assert weights.manifest.details["band"] == [16, 34]
