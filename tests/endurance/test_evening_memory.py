from __future__ import annotations

import pytest

from tests.endurance.command_output import LONG_S, printed_by


@pytest.mark.long
def test_camera_ring_dashboard_twelve_phones_and_photos_take_less_than_400_mb() -> None:
    """With photos the drawn table takes more yet (`tests/benchmarks/README.md`)."""
    printed_by("evening_memory", "--way", "stream", "--photos", limit_s=LONG_S)
