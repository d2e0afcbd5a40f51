"""The demo's evening, drawn and read by the shipped models, with something lying on the dora indicator."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from table.camera.simulation import evening
from table.camera.simulation.script_recording import prepare_show, settings_of
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table
from table.rulebook import rules_named
from table.runtime.clock import LogicalClock
from tests.browser.filmed import frames_from, watcher_of
from vision.felt import Zone
from vision.geometry.calibration import calibrate

pytestmark = pytest.mark.pictures
FRAMES = 80
LID_MM = 30.0
"""Half of what hides the indicator."""


def test_a_hand_whose_indicator_is_hidden_begins_with_its_fourth_discard() -> None:
    shown_evening = prepare_show(evening())
    settings = settings_of(shown_evening)
    assert settings.table.corners_px is not None
    size = (shown_evening.appearance.width_px, shown_evening.appearance.height_px)
    calibration = calibrate(settings.table.corners_px, size=size, side_mm=settings.table.side_mm)
    frames = [frame for _, frame in zip(range(FRAMES), frames_from(shown_evening, 0), strict=False)]
    felts = [
        report.felt for watcher in [watcher_of(shown_evening)] for frame in frames if (report := watcher.watch(frame))
    ]
    (indicator,) = {(tile.x_mm, tile.y_mm) for tile in felts[-1].tiles if tile.zone is Zone.WALL}
    corners = np.array(indicator) + LID_MM * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    lid = np.rint(calibration.to_pixels(corners, height_mm=20.0)).astype(np.int32)
    with Journal(None) as journal:
        table = Table(journal=journal, referee=Referee(), ruleset=rules_named("home").ruleset, clock=LogicalClock())
        watcher = watcher_of(shown_evening)
        for frame in frames:
            cv2.fillConvexPoly(frame.image, lid, (40, 40, 40))
            if (report := watcher.watch(frame)) is not None:
                table.report(report)
        hand = table.state.live
    assert hand is not None
    assert hand.dora_indicators == ()
    discards = sorted((tile for river in hand.rivers for tile in river), key=lambda tile: tile.discard_number)
    river_tiles = [tile.reading.tile for tile in felts[-1].tiles if tile.zone is Zone.RIVER]
    assert sorted(tile.tile.text for tile in discards) == sorted(river_tiles)
    assert len(discards) > 4
