"""Strips along sticks: what is cut, what is taught of it, and what is told from a perfect answer."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.judge.strip_figures import AS_LAID, ASLANT, StickPicture, TrueStick, count_sticks, drawn_picture
from models.training.studio.strips.stick_strips import Table, strips_of
from vision.geometry.plane_geometry import apply, homography_between, square
from vision.reading.locator import STICK_VALUES
from vision.reading.sticks.spots import Spot, Stick, riichi_spots, spot_of
from vision.reading.sticks.strips import HEIGHT, ROWS, WIDTH, StripReader, decoded, strip_to_felt
from vision.reading.weights import load

TOUCHING = [np.array([[-40.0, y - 4], [40, y - 4], [40, y + 4], [-40, y + 4]]) for y in (-8.2, 0.0, 8.2)]


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(3)


def _answers(target: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """What a perfect reader would answer."""
    rows = np.zeros((ROWS, 10), np.float32)
    rows[:, 0] = np.where(target[:, 0] > 0, 8, -8)
    rows[np.arange(ROWS), 1 + target[:, 1].astype(int)] = 8
    rows[:, 5:] = target[:, 2:7]
    return rows


def _with(table: Table, quads: list[npt.NDArray[np.float64]], values: tuple[int, ...]) -> Table:
    table.sticks = [(quad, value, 1.0) for quad, value in zip(quads, values, strict=True)]
    return table


def test_a_seed_cuts_the_same_strips_again() -> None:
    (strips, targets), (same_strips, same_targets) = strips_of(Table(8)), strips_of(Table(8))
    assert np.array_equal(strips, same_strips)
    assert np.array_equal(targets, same_targets)


def test_sticks_that_touch_are_taught_one_by_one_and_told_where_they_lie(table: Table) -> None:
    values = (100, 100, 5000)
    spot = Spot(3.0, -2.0, 4.0)
    target = _with(table, TOUCHING, values).target(spot)
    assert target[:, 0].sum() == 3
    found = sorted(decoded(_answers(target), spot), key=lambda answer: float(answer.quad[:, 1].mean()))
    assert tuple(STICK_VALUES[int(answer.chances.argmax())] for answer in found) == values
    for stick, quad in zip(found, TOUCHING, strict=True):
        assert np.abs(stick.quad.mean(axis=0) - quad.mean(axis=0)).max() < 0.2
        assert np.ptp(stick.quad, axis=0) == pytest.approx(np.ptp(quad, axis=0), abs=0.5)


def test_a_stick_across_or_hidden_is_neither_taught_nor_held_against_the_reader(table: Table) -> None:
    across = [quad[:, ::-1].copy() for quad in TOUCHING[1:2]]
    target = _with(table, across, (1000,)).target(Spot(0.0, 0.0, 0.0))
    assert target[:, 0].sum() == 0
    assert (target[ROWS // 2 - 1 : ROWS // 2 + 1, 7] == 0).any()
    table.sticks = [(TOUCHING[1], 1000, 0.3)]
    assert table.target(Spot(0.0, 0.0, 0.0))[:, 0].sum() == 0


def test_a_riichi_stick_before_each_side_lies_in_that_sides_strip() -> None:
    for side, spot in enumerate(riichi_spots()):
        turn = np.radians(90.0 * side)
        for distance in (40.0, 54.0, 80.0):
            place = np.array([[distance * np.sin(turn), -distance * np.cos(turn)]])
            x, y = apply(np.asarray(np.linalg.inv(strip_to_felt(spot)), np.float64), place)[0]
            assert x == pytest.approx((WIDTH - 1) / 2, abs=0.1)
            assert 0 < y < HEIGHT


def test_a_strip_about_a_stick_shows_it_along_its_middle() -> None:
    spot = spot_of(TOUCHING[2])
    corners = apply(np.asarray(np.linalg.inv(strip_to_felt(spot)), np.float64), TOUCHING[2])
    assert corners.mean(axis=0) == pytest.approx([(WIDTH - 1) / 2, (HEIGHT - 1) / 2])
    assert np.ptp(corners[:, 0]) > 5 * np.ptp(corners[:, 1])


def test_of_touching_sticks_one_that_was_told_counts_for_one() -> None:
    sticks = tuple(TrueStick(quad=quad, value=100, visible=1.0) for quad in TOUCHING)
    picture = StickPicture(
        name="three",
        image=np.zeros((8, 8, 3), np.uint8),
        side_mm=700.0,
        to_pixels=homography_between(square(700.0), square(8.0)),
        sticks=sticks,
    )
    (found,) = decoded(_answers(_one_row()), Spot(0.0, 0.0, 0.0))
    counts = count_sticks(picture, [Stick(quad=found.quad, value=100, score=found.score)])
    assert (counts["there 100"], counts["found 100"], counts["right 100"], counts["false"]) == (3, 1, 1, 0)


def _one_row() -> npt.NDArray[np.float32]:
    target = np.zeros((ROWS, 8), np.float32)
    target[ROWS // 2] = (1, STICK_VALUES.index(100), -0.5, 0, 0, 40 / 128, 4 / 128, 1)
    return target


def test_the_net_learns_from_strips_and_its_export_answers_alike(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="the training extra is not installed")
    pytest.importorskip("onnxscript", reason="the training extra is not installed")
    from models.training.nets.strip_net import StripNet, loss_of, write  # noqa: PLC0415 - needs torch

    torch.manual_seed(1)
    strips, targets = (torch.from_numpy(part) for part in strips_of(Table(9)))
    net = StripNet()
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3)
    losses = []
    for _ in range(12):
        optimiser.zero_grad()
        loss = loss_of(net(strips), targets)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.6 * losses[0]
    write(net, tmp_path, recipe="a dozen steps")
    with torch.no_grad():
        expected = net.eval()(strips).numpy()
    answered = StripReader(weights=load("strips", places=(tmp_path,))).answers(strips.numpy())
    assert np.abs(answered - expected).max() < 1e-3


def test_the_weights_in_the_repository_are_taken_up_to_train_them_further(table: Table, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="the training extra is not installed")
    from models.training.nets.strip_net import halfway, load_net  # noqa: PLC0415 - needs torch

    strips, _ = strips_of(table)
    shipped = load_net(load("strips").path)
    torch.save(shipped.state_dict(), tmp_path / "strips.pt")
    for net in (shipped, load_net(tmp_path / "strips.pt"), halfway(shipped, shipped)):
        with torch.no_grad():
            answered = net(torch.from_numpy(strips)).numpy()
        assert np.abs(answered - StripReader().answers(strips)).max() < 1e-3


def test_halfway_between_two_networks_is_the_mean_of_their_weights() -> None:
    pytest.importorskip("torch", reason="the training extra is not installed")
    from models.training.nets.strip_net import StripNet, halfway  # noqa: PLC0415 - needs torch

    one, other = StripNet(is_folded=True), StripNet(is_folded=True)
    between = halfway(one, other).stem[0].weight - (one.stem[0].weight + other.stem[0].weight) / 2
    assert float(between.detach().abs().max()) < 1e-6


def test_the_weights_in_the_repository_tell_the_sticks_of_tables_never_trained_on() -> None:
    reader, counts = StripReader(), Counter[str]()
    for seed, name in ((11, AS_LAID), (12, AS_LAID), (13, AS_LAID), *((14, view) for view in ASLANT)):
        picture = drawn_picture(seed, name)
        spots = [spot_of(stick.quad) for stick in picture.sticks]
        counts += count_sticks(picture, reader.sticks(picture.image, partial(apply, picture.to_pixels), spots))
    total, right = (sum(counts[f"{kind} {value}"] for value in STICK_VALUES) for kind in ("there", "right"))
    assert total > 30
    assert right >= 0.95 * total
    assert counts["false"] <= 1
