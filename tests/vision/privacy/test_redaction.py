"""Two tables that differ only in their standing hands look the same, bit for bit, behind the blinds."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.privacy.hidden_hands import BEHIND, tiles_by_rails, with_noise_on_hands
from tests.vision.scenes_to_see import busy_table
from tests.vision.true_calibration import calibration_of
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.optics import lens_of
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.scene import Pose
from vision.felt import LyingTile, Reading, Zone
from vision.geometry.plane_geometry import turn
from vision.privacy.redaction import HandRedaction


@pytest.mark.pictures
@pytest.mark.parametrize(
    "appearance", [Appearance.default(), BEHIND, *(Appearance.random(seed) for seed in range(1, 7))]
)
def test_nothing_of_a_standing_hand_is_left(appearance: Appearance) -> None:
    scene, redaction = busy_table(appearance), HandRedaction(calibration_of(appearance), appearance.tile_size)
    hands = tuple(tile for tile in scene.tiles if tile.pose is Pose.STANDING)
    picture = Renderer(appearance).render(scene)
    one, other = (
        redaction.applied_to(with_noise_on_hands(picture, hands, appearance, seed), tiles_by_rails(scene))
        for seed in (1, 2)
    )
    assert np.array_equal(one, other)
    assert not np.array_equal(one, np.zeros_like(one))


def test_rivers_melds_and_shown_hands_stay_as_they_are() -> None:
    appearance = Appearance.default()
    scene, picture = busy_table(appearance), Renderer(appearance).render(busy_table(appearance))
    redacted = HandRedaction(calibration_of(appearance), appearance.tile_size).applied_to(
        picture, tiles_by_rails(scene)
    )
    for tile in scene.tiles:
        if tile.pose is not Pose.STANDING and tile.z_mm == 0 and tile.face != "back":
            ((x, y),) = np.rint(lens_of(appearance).project_flat(np.array([[tile.x_mm, tile.y_mm]]), 16.0)).astype(int)
            around = np.s_[y - 8 : y + 9, x - 8 : x + 9]
            assert np.array_equal(redacted[around], picture[around]), tile


@pytest.mark.parametrize("appearance", [Appearance.default(), BEHIND], ids=["overhead", "behind"])
@pytest.mark.parametrize("side", range(4))
def test_a_tile_held_above_a_hand_is_hidden_where_it_covers_the_middle(side: int, appearance: Appearance) -> None:
    calibration = calibration_of(appearance)
    image = np.full((appearance.height_px, appearance.width_px, 3), 200, np.uint8)
    redacted = HandRedaction(calibration, appearance.tile_size).applied_to(image, ())
    held = [calibration.to_pixels(turn([[0.0, -245.0]], 90.0 * side), height_mm=high) for high in (0.0, 20.0, 38.0)]
    shown = [int(redacted[y, x, 0]) for ((x, y),) in (np.rint(pixels).astype(int) for pixels in held)]
    ((x, y),) = np.rint(calibration.to_pixels([[0.0, 0.0]], height_mm=0.0)).astype(int)
    assert (shown, int(redacted[y, x, 0])) == ([0, 0, 0], 200)


@pytest.mark.parametrize(("out", "is_face_alone"), [(120.0, False), (230.0, True), (330.0, True)])
def test_the_picture_of_a_tile_by_a_rail_shows_nothing_beside_it(out: float, is_face_alone: bool) -> None:
    appearance = Appearance.default()
    tile = LyingTile(
        id=1,
        reading=Reading(tile="1m", score=1.0),
        x_mm=0.0,
        y_mm=-out,
        angle_deg=0.0,
        side=0,
        zone=Zone.HAND,
        is_sideways=False,
        order=0,
    )
    image = np.full((appearance.height_px, appearance.width_px, 3), 200, np.uint8)
    crop = HandRedaction(calibration_of(appearance), appearance.tile_size).tile(image, tile)
    assert int(crop[64, 48, 0]) == 200
    assert {int(crop[row, column, 0]) for row, column in ((3, 48), (-4, 48), (64, 3), (64, -4))} == (
        {0} if is_face_alone else {200}
    )


def test_a_frame_of_another_size_is_refused() -> None:
    appearance = Appearance.default()
    with pytest.raises(ValueError, match=r"expected a frame of \(1600, 1600\), got \(800, 600\)"):
        HandRedaction(calibration_of(appearance), appearance.tile_size).applied_to(
            np.zeros((600, 800, 3), np.uint8), ()
        )
