"""A training can be interrupted, taken up and exported, and what is exported is what was trained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the training extra is not installed")
pytest.importorskip("onnxscript", reason="the training extra is not installed")

import torch

from models.training import train_reader
from models.training.crops.samples import Batch
from models.training.nets import fit, onnx_export, photo_crops, reader_net, shipped_weights
from vision.felt import CLASSES
from vision.reading.reader import HEIGHT, WIDTH, TileReader
from vision.reading.weights import load


@pytest.fixture
def rendered() -> Batch:
    rng = np.random.default_rng(1)
    crops = rng.integers(0, 255, (40, HEIGHT, WIDTH, 3)).astype(np.uint8)
    return Batch(crops=crops, labels=rng.integers(0, len(CLASSES), 40))


def _numbers(trained: reader_net.TileNet) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return torch.cat([values.detach().flatten() for values in trained.parameters()]).numpy()


def test_an_interrupted_training_ends_where_an_uninterrupted_one_does(tmp_path: Path, rendered: Batch) -> None:
    through = fit.Trainer(fit.Plan(seed=3, minutes=None, steps=3), tmp_path / "through.pt").run(rendered, None)
    halted = fit.Trainer(fit.Plan(seed=3, minutes=None, steps=3), tmp_path / "halted.pt")
    halted.run(rendered, None, until=2)
    resumed = fit.Trainer(fit.Plan(seed=3, minutes=None, steps=3), tmp_path / "halted.pt").run(rendered, None)
    assert np.allclose(_numbers(through), _numbers(resumed), atol=1e-6)


@pytest.mark.parametrize(("minutes", "steps"), [(None, None), (1.0, 5)])
def test_a_plan_ends_by_time_or_by_steps(minutes: float | None, steps: int | None) -> None:
    with pytest.raises(ValueError, match="either minutes or steps"):
        fit.Plan(seed=1, minutes=minutes, steps=steps)


def test_an_export_can_be_read_with_and_says_where_it_comes_from(tmp_path: Path, rendered: Batch) -> None:
    torch.manual_seed(2)
    trained = reader_net.TileNet().eval()
    onnx_export.write(trained, tmp_path, version="9", temperature=1.25, recipe="none", details={"seed": 2})
    weights = load("tiles", places=(tmp_path,))
    assert (weights.manifest.version, weights.manifest.temperature) == ("9", 1.25)
    assert weights.manifest.details["parameters"] == reader_net.parameters(trained)
    probabilities, _, embeddings = TileReader(weights=weights).outputs(rendered.crops)
    logits, _ = photo_crops.answers(trained, rendered.crops)
    assert list(probabilities.argmax(axis=1)) == list(logits.argmax(axis=1))
    assert embeddings.shape == (40, reader_net.EMBEDDING)
    content = weights.onnx_bytes
    assert str(train_reader.ROOT).encode() not in content, "names a place of this machine"
    assert b"site-packages" not in content, "names a place of this machine"


def test_shipped_weights_are_taken_up_answering_as_they_do(tmp_path: Path, rendered: Batch) -> None:
    torch.manual_seed(4)
    trained = reader_net.TileNet()
    trained(torch.from_numpy(rendered.crops).permute(0, 3, 1, 2).float())  # moves the norms off their start
    onnx_export.write(trained.eval(), tmp_path, version="1", temperature=1.0, recipe="none", details={})
    again = shipped_weights.load_for_training(tmp_path / "tiles.onnx", rendered.crops)
    answers, repeated = (photo_crops.answers(one, rendered.crops)[0] for one in (trained, again))
    assert np.allclose(answers, repeated, atol=1e-4)
    again.train()
    with torch.no_grad():
        learning, _, _ = again(torch.from_numpy(rendered.crops).permute(0, 3, 1, 2).float())
    assert np.allclose(answers, learning.numpy(), atol=0.2), "its norms were not measured where it learns"
