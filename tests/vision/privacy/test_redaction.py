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


def test_a_frame_of_another_size_is_refused() -> None:
    appearance = Appearance.default()
    with pytest.raises(ValueError, match=r"expected a frame of \(1600, 1600\), got \(800, 600\)"):
        HandRedaction(calibration_of(appearance), appearance.tile_size).applied_to(
            np.zeros((600, 800, 3), np.uint8), ()
        )
