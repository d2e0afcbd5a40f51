"""Writes a trained network as ONNX, with the manifest by which it is checked when it is loaded."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch

from models.training.crops.samples import UPRIGHT
from models.training.nets.manifest import commit, write_manifest
from models.training.nets.reader_net import EMBEDDING, TileNet, parameters
from vision.felt import CLASSES
from vision.reading.reader import HEIGHT, WIDTH

_LIMIT = 1e-3


def write(
    net: TileNet, folder: Path, *, version: str, temperature: float, recipe: str, details: dict[str, Any]
) -> Path:
    """Exports to `folder`/tiles.onnx and tiles.json, and checks that the export computes the same.

    Raises:
        ArithmeticError: the exported model's answers differ from the network's.
    """
    path = folder / "tiles.onnx"
    _export(net, path)
    _compare(net, path)
    fields = {
        "version": version,
        "input": [3, HEIGHT, WIDTH],
        "classes": list(CLASSES),
        "upright": list(UPRIGHT),
        "temperature": round(temperature, 4),
        "recipe": recipe,
        "commit": commit(),
        "parameters": parameters(net),
        "embedding": EMBEDDING,
        **details,
    }
    write_manifest(path, fields)
    return path


def _export(net: TileNet, path: Path) -> None:
    # Standard memory order: the runtime chooses its own.
    net = net.to(memory_format=torch.contiguous_format).eval()  # type: ignore[call-overload]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net,
            (torch.zeros(2, 3, HEIGHT, WIDTH),),
            str(path),
            input_names=["crops"],
            output_names=["logits", "turned", "embedding"],
            dynamic_shapes={"crops": {0: torch.export.Dim("batch", min=1, max=4096)}},
            opset_version=18,
            external_data=False,
            dynamo=True,
        )
    without_traces(path)


def without_traces(path: Path) -> None:
    """Removes the names of files on this machine from an exported network, which does not need them."""
    model = onnx.load(str(path))
    for node in model.graph.node:
        del node.metadata_props[:]
        node.doc_string = ""
    for value in (*model.graph.value_info, *model.graph.input, *model.graph.output):
        del value.metadata_props[:]
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def _compare(net: TileNet, path: Path) -> None:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    for count in (1, 5):
        batch = np.random.default_rng(count).uniform(0, 255, (count, 3, HEIGHT, WIDTH)).astype(np.float32)
        with torch.no_grad():
            expected = [values.numpy() for values in net(torch.from_numpy(batch))]
        got = session.run(None, {"crops": batch})
        worst = max(float(np.abs(a - b).max()) for a, b in zip(expected, got, strict=True))
        if worst > _LIMIT * max(1.0, float(np.abs(expected[0]).max())):
            raise ArithmeticError(f"expected the export to differ by less than {_LIMIT}, got {worst}, at batch {count}")
