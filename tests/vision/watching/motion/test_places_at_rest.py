"""Which changes wait to be judged, and since when."""

from __future__ import annotations

import numpy as np

from vision.watching.motion.places_at_rest import WaitingChanges


def test_frames_count_as_judged_up_to_the_earliest_change_that_waits() -> None:
    waiting, first, second = WaitingChanges(4), np.zeros((4, 4), np.bool_), np.zeros((4, 4), np.bool_)
    first[0, 0], second[2, 3] = True, True
    nothing = np.zeros((4, 4), np.bool_)
    assert waiting.note(nothing, 5) == 5
    assert waiting.note(first, 6) == 5
    assert waiting.note(first | second, 7) == 5
    assert waiting.note(second, 8) == 6, "the first was judged meanwhile, the second waits since frame 7"
    assert waiting.note(nothing, 9) == 9
    assert waiting.note(second, 10) == 9, "it waits anew"
