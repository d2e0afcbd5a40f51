"""Crops are cut as the quad says, and the shipped reader knows the faces that the project draws."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.arrays import Floats32, Image
from vision.art import draw_face
from vision.errors import ModelError
from vision.felt import CLASSES, FACES, NOT_A_TILE
from vision.reading.reader import AT_ONCE, HEIGHT, WIDTH, TileReader, crops
from vision.reading.weights import load

TILE = (60, 80)
STEP = 90
UPRIGHT = ("1m", "9m", "7p", "1s", "7s", "1z", "6z", "7z", "0m")


@pytest.fixture(scope="module")
def reader() -> TileReader:
    return TileReader()


def _table(faces: tuple[str, ...]) -> tuple[Image, Floats32]:
    """A felt with one row of ivory tiles of the project's own faces, and their quads."""
    width, height = TILE
    image: Image = np.full((height + 40, STEP * len(faces) + 20, 3), (60, 95, 40), np.uint8)
    quads = []
    for index, face in enumerate(faces):
        left, top = 20 + index * STEP, 20
        ink = draw_face(face, width, height).astype(np.float32)
        cover = ink[..., 3:] / 255
        paper = np.array((225, 240, 245), np.float32)
        image[top : top + height, left : left + width] = (paper + (ink[..., :3] - paper) * cover).astype(np.uint8)
        quads.append([[left, top], [left + width, top], [left + width, top + height], [left, top + height]])
    return cv2.GaussianBlur(image, (0, 0), sigmaX=0.6).astype(np.uint8), np.array(quads, np.float32)


def test_a_crop_begins_at_the_first_corner_and_runs_clockwise() -> None:
    image: Image = np.zeros((200, 200, 3), np.uint8)
    image[50:114, 40:88] = np.arange(64, dtype=np.uint8)[:, None, None] * 3
    upright = [[40, 50], [88, 50], [88, 114], [40, 114]]
    straight, turned = crops(image, [upright, upright[2:] + upright[:2]])
    assert straight.shape == (HEIGHT, WIDTH, 3)
    assert straight[4, 20, 0] < 20
    assert straight[60, 20, 0] > 170
    assert np.abs(turned.astype(int) - straight[::-1, ::-1]).mean() < 4


def test_thin_strokes_of_big_faces_are_averaged_not_skipped() -> None:
    image: Image = np.full((512, 384, 3), 255, np.uint8)
    image[:, ::8] = 0
    (cut,) = crops(image, [[[0, 0], [384, 0], [384, 512], [0, 512]]])
    assert 200 < cut[8:-8, 8:-8].mean() < 245
    assert cut[8:-8, 8:-8].std() < 8


def test_many_crops_of_a_picture_are_the_same_as_each_cut_alone() -> None:
    """Many are cut from a copy that computers cut faster, whatever their size and wherever they end."""
    rng = np.random.default_rng(5)
    image: Image = rng.integers(0, 256, (240, 320, 3), np.uint8)
    middles = rng.uniform((-20, -20), (340, 260), (60, 1, 2))
    sizes = np.where(np.arange(60) % 6 == 0, 4.0, 1.0)[:, None, None]
    quads = middles + np.array([[-12, -16], [12, -16], [12, 16], [-12, 16]]) * sizes + rng.normal(0, 3, (60, 4, 2))
    for quad, cut in zip(quads, crops(image, quads), strict=True):
        assert np.array_equal(crops(image, quad[None])[0], cut)


def test_a_small_face_is_enlarged_along_curves() -> None:
    small = np.random.default_rng(3).integers(60, 200, (28, 21, 3), np.uint8)
    (cut,) = crops(small, [[[-0.5, -0.5], [20.5, -0.5], [20.5, 27.5], [-0.5, 27.5]]])
    enlarged = cv2.resize(small, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    assert np.abs(cut[4:-4, 4:-4].astype(int) - enlarged[4:-4, 4:-4]).mean() < 3


def test_no_quads_give_no_readings(reader: TileReader) -> None:
    assert reader.read(np.zeros((10, 10, 3), np.uint8), np.empty((0, 4, 2))) == []


def test_the_shipped_reader_knows_every_face_that_the_project_draws(reader: TileReader) -> None:
    image, quads = _table(FACES)
    assert [reading.tile for reading in reader.read(image, quads)] == list(FACES)


def test_a_half_turned_quad_reads_the_same_face_and_says_so(reader: TileReader) -> None:
    image, quads = _table(UPRIGHT)
    assert [reading.turned for reading in reader.read(image, quads)] == [False] * len(UPRIGHT)
    half = reader.read(image, np.roll(quads, 2, axis=1))
    assert [(reading.tile, reading.turned) for reading in half] == [(face, True) for face in UPRIGHT]


def test_faces_that_a_half_turn_does_not_change_are_never_called_turned(reader: TileReader) -> None:
    image, quads = _table(("2p", "8p", "5z", "9s"))
    assert [reading.turned for reading in reader.read(image, np.roll(quads, 2, axis=1))] == [False] * 4


def test_bare_felt_is_no_tile(reader: TileReader) -> None:
    rng = np.random.default_rng(5)
    felt = np.clip(np.array((70, 110, 30)) + rng.normal(0, 8, (120, 120, 1)), 0, 255).astype(np.uint8)
    (reading,) = reader.read(felt, [[[30, 20], [90, 20], [90, 100], [30, 100]]])
    assert reading.tile == NOT_A_TILE


def test_alternatives_are_other_classes_in_falling_order(reader: TileReader) -> None:
    image, quads = _table(("6m",))
    (reading,) = reader.read(image, quads)
    names = [name for name, _ in reading.alternatives]
    scores = [reading.score, *(score for _, score in reading.alternatives)]
    assert reading.tile not in names
    assert set(names) <= set(CLASSES)
    assert scores == sorted(scores, reverse=True)
    assert sum(scores) <= 1.0001


def test_probabilities_and_embeddings_come_one_row_a_crop(reader: TileReader) -> None:
    image, quads = _table(("1m", "2m", "3m"))
    probabilities, turned, embeddings = reader.outputs(crops(image, quads))
    assert probabilities.shape == (3, len(CLASSES))
    assert probabilities.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-4)
    assert turned.shape == (3,)
    assert embeddings.shape[0] == 3
    assert np.linalg.norm(embeddings, axis=1).min() > 0


def test_readings_do_not_depend_on_what_else_is_in_the_batch(reader: TileReader) -> None:
    image, quads = _table(("1m", "5z", "9p"))
    together = reader.read(image, quads)
    alone = [reader.read(image, quads[index : index + 1])[0] for index in range(3)]
    for one, other in zip(together, alone, strict=True):
        assert one.tile == other.tile
        assert one.score == pytest.approx(other.score, abs=1e-4)


class _WaveringSession:
    """A session that is sure of light crops, and of dark ones now of this and now of that face."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def run(self, _names: list[str], inputs: dict[str, npt.NDArray[np.float32]]) -> list[npt.NDArray[np.float32]]:
        batch = inputs["crops"]
        self.batches.append(len(batch))
        logits = np.zeros((len(batch), len(CLASSES)), np.float32)
        is_light = batch.mean(axis=(1, 2, 3)) > 100
        logits[is_light, 7] = 50.0
        logits[~is_light, 3 if len(self.batches) == 1 else 4] = 1.0
        return [logits, np.zeros((len(batch), 1), np.float32), np.zeros((len(batch), 2), np.float32)]


def test_what_is_doubted_and_nothing_else_is_looked_at_again_and_the_looks_mean_is_told(
    reader: TileReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = _WaveringSession()
    monkeypatch.setattr(reader, "_session", session)
    light, dark = (np.full((1, 64, 48, 3), shade, np.uint8) for shade in (200, 20))
    sure, doubted, as_sure = reader.read_crops(np.concatenate([light, dark, light]))
    assert session.batches == [3, 6]
    assert sure == as_sure
    assert sure.tile == CLASSES[7]
    assert sure.score == pytest.approx(1.0)
    assert (doubted.tile, doubted.alternatives[0][0]) == (CLASSES[4], CLASSES[3])
    assert reader.read_crops(light)[0].score == pytest.approx(1.0)
    assert session.batches == [3, 6, 1]


def test_weights_of_other_classes_are_refused() -> None:
    weights = load("tiles")
    other = replace(weights, manifest=replace(weights.manifest, classes=("1m", "2m")))
    with pytest.raises(ModelError, match="39 classes"):
        TileReader(weights=other)


def test_the_shipped_model_is_small_enough_for_a_pi() -> None:
    assert len(load("tiles").onnx_bytes) < 2_500_000


def test_however_many_crops_are_read_the_model_takes_few_at_once(
    reader: TileReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the model needs for one look is held from then on: a whole table with its doubted tiles took 330 MB."""
    image, quads = _table(UPRIGHT)
    few = crops(image, quads)
    many: Image = np.concatenate([few] * 9)[: 2 * AT_ONCE + 5]
    session, sizes = reader._session, list[int]()

    class Counting:
        def run(self, names: list[str], inputs: dict[str, Floats32]) -> object:
            sizes.append(len(inputs["crops"]))
            return session.run(names, inputs)

    monkeypatch.setattr(reader, "_session", Counting())
    read = reader.read_crops(many)
    assert max(sizes) <= AT_ONCE
    assert [reading.tile for reading in read] == [UPRIGHT[n % len(UPRIGHT)] for n in range(len(many))]
