"""A table whose folder is kept in memory says so before a power cut shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.appliance.appliance import run_appliance
from table.health import memory_overlay
from table.health.memory_overlay import is_in_memory, memory_warnings
from tests.table.appliance.configured import make_config

CARD = "24 1 179:2 / /media/root-ro ro,noatime shared:2 - ext4 /dev/mmcblk0p2 ro\n"
MEMORY = "25 1 0:22 / /media/root-rw rw shared:3 - tmpfs tmpfs-root rw\n"
ROOT = (
    "23 1 0:21 / / rw shared:1 - overlay overlayroot "
    "rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay,workdir=/media/root-rw/overlay-workdir/_\n"
)
OWN_PARTITION = "40 23 179:3 / /var/lib/tachiai rw,noatime shared:9 - ext4 /dev/mmcblk0p3 rw\n"
OVERLAID = (
    "40 23 0:50 / /var/lib/tachiai rw shared:9 - overlay /media/root-ro/var/lib/tachiai "
    "rw,lowerdir=/media/root-ro/var/lib/tachiai,upperdir=/media/root-rw/overlay/var/lib/tachiai\n"
)
CONTAINER = "23 1 0:21 / / rw - overlay overlay rw,lowerdir=/l,upperdir=/var/lib/docker/overlay2/a/diff\n"
PLAIN_ROOT = "23 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw\n"


@pytest.mark.parametrize(
    ("mounts", "forgotten"),
    [
        (PLAIN_ROOT, False),
        (ROOT + CARD + MEMORY, True),
        (ROOT + CARD + MEMORY + OVERLAID, True),
        (ROOT + CARD + MEMORY + OWN_PARTITION, False),
        (PLAIN_ROOT + ROOT + CARD + MEMORY, True),
        (ROOT + CARD + MEMORY + OVERLAID + OWN_PARTITION, False),
        (CONTAINER, False),
        ("23 1 0:21 / / ro - overlay overlay ro,lowerdir=/one:/other\n", False),
        ("nothing that is read\n", False),
    ],
    ids=[
        "card",
        "no partition of its own",
        "as raspi-config leaves it",
        "recurse=0",
        "an overlay over the card's root",
        "a partition over the overlay",
        "container",
        "an overlay in which nothing can be written",
        "unreadable",
    ],
)
def test_what_an_overlay_in_memory_forgets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mounts: str, forgotten: bool
) -> None:
    (tmp_path / "mountinfo").write_text(mounts)
    assert is_in_memory(Path("/var/lib/tachiai"), tmp_path / "mountinfo") is forgotten
    assert not is_in_memory(Path("/var/lib/tachiai"), tmp_path / "missing")
    monkeypatch.setattr(memory_overlay, "MOUNTS", tmp_path / "mountinfo")
    assert len(list(memory_warnings(Path("/var/lib/tachiai")))) == forgotten


def test_the_health_of_such_a_table_says_that_its_games_are_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mountinfo").write_text(ROOT + CARD + MEMORY)
    monkeypatch.setattr(memory_overlay, "MOUNTS", tmp_path / "mountinfo")
    with run_appliance(make_config(tmp_path / "data")) as appliance:
        (problem,) = (each for each in appliance.health().problems if "power cut" in each)
    assert problem == (
        f"expected the table's folder on the card, got one that is kept in memory: {tmp_path / 'data'}; every game is "
        "lost at the next power cut, see firmware-config/README.md"
    )
