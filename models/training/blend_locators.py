"""Averages the weights of two locators of one shape, one of which was trained further from the other.

`python -m models.training.blend_locators FIRST SECOND --name watch --out OUT` writes the mean of their weights, with
manifest. A network that is trained further on other pictures forgets a little of the first ones; on both kinds of
pictures the mean was better than either network (Wortsman et al., "Model soups", 2022).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from models.training.judge.locator_figures import measure
from models.training.nets.manifest import write_manifest


def mean(first: bytes, second: bytes) -> bytes:
    """Returns the network with the mean weights of two networks; all three are ONNX.

    Raises:
        ValueError: the networks differ in shape.
    """
    model, others = onnx.load_from_string(first), _weights(onnx.load_from_string(second))
    if {name: weight.shape for name, weight in _weights(model).items()} != {n: w.shape for n, w in others.items()}:
        raise ValueError("expected two networks with weights of the same names and shapes, got others")
    for tensor in model.graph.initializer:
        ours = numpy_helper.to_array(tensor)
        if np.issubdtype(ours.dtype, np.floating):
            between = ((ours + others[tensor.name]) / 2).astype(ours.dtype)
            tensor.CopyFrom(numpy_helper.from_array(between, tensor.name))
    return bytes(model.SerializeToString())


def _weights(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    return {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}


def write(first: Path, second: Path, out: Path, *, name: str, shared: Path) -> None:
    """Writes the mean of the models `name` of two folders into `out`, with its measured figures."""
    old, new = (json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for folder in (first, second))
    path = out / f"{name}.onnx"
    path.write_bytes(mean(*((folder / f"{name}.onnx").read_bytes() for folder in (first, second))))
    sources = [f"{description['sha256'][:8]}… ({description['recipe']})" for description in (old, new)]
    inherited = {key: value for key, value in new.items() if key not in ("name", "sha256")}
    fields = {
        **inherited,
        "version": str(int(old["version"]) + 1),
        "recipe": f"the mean of the weights {' and '.join(sources)}",
    }
    write_manifest(path, {**fields, "measured": {}})
    write_manifest(path, {**fields, "measured": measure(shared, model=out, frames=40, name=name)})


def main() -> None:
    """Parses the command line and writes the model."""
    parser = argparse.ArgumentParser(description="Writes the mean of two locators.")
    parser.add_argument("first", type=Path, help="a folder with the earlier model and its manifest")
    parser.add_argument("second", type=Path, help="a folder with the model trained further from it")
    parser.add_argument("--name", choices=("locate", "watch"), default="locate")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the model and its manifest")
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[3] / "shared")
    options = parser.parse_args()
    write(options.first, options.second, options.out, name=options.name, shared=options.shared)


if __name__ == "__main__":
    main()
