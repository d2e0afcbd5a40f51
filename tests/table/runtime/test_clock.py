from __future__ import annotations

import pytest

from table.runtime.clock import local_day, local_time
from tests.fakes.time_zone import time_zone


@pytest.mark.parametrize(
    ("zone", "read"), [("Asia/Tokyo", "2026-11-26 08:30"), ("America/New_York", "2026-11-25 18:30")]
)
def test_people_read_a_moment_by_their_own_clock(zone: str, read: str) -> None:
    with time_zone(zone):
        for utc in ("2026-11-25T23:30:00.000+00:00", "2026-11-25T23:30:00Z", "2026-11-25T23:30:00"):
            assert (local_time(utc), local_day(utc)) == (read, read[:10])


@pytest.mark.parametrize("text", ["", "2026-11-25", "0001-01-01T00:00:00+00:00", "yesterday", "2026-11-25 and more"])
def test_what_is_no_moment_is_left_as_it_is(text: str) -> None:
    with time_zone("America/New_York"):
        assert local_time(text) == text
