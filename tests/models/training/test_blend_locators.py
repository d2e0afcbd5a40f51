"""The mean of two locators."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx", reason="the training extra is not installed")

import onnx
from onnx import helper, numpy_helper

from models.training.blend_locators import mean


def adder(*weights: float) -> bytes:
    """A network that adds its weights."""
    input_info, output_info = (
        helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [len(weights)]) for name in "xy"
    )
    weight = numpy_helper.from_array(np.array(weights, np.float32), "w")
    nodes = [helper.make_node("Add", ["x", "w"], ["y"])]
    return bytes(
        helper.make_model(helper.make_graph(nodes, "adder", [input_info], [output_info], [weight])).SerializeToString()
    )


def test_every_weight_lies_halfway() -> None:
    (weight,) = onnx.load_from_string(mean(adder(1.0, 2.0), adder(3.0, 2.5))).graph.initializer
    assert numpy_helper.to_array(weight).tolist() == [2.0, 2.25]


def test_networks_of_other_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="of the same names and shapes"):
        mean(adder(1.0), adder(1.0, 2.0))
