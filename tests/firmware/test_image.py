"""The card's image, laid out for real from a small system; a whole one is made by hand, as the README says."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.places import ROOT

SCRIPT = ROOT / "firmware-config" / "image.sh"
SECTOR = 512
DISK_ID = "7ac41a10"
"""The number of every card, by which a kernel finds the system on it."""


ENVIRONMENT = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}


def image(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(SCRIPT), *words], capture_output=True, text=True, check=False, env=ENVIRONMENT)


def output(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "expected --output FILE.img, got none"),
        (("--frobnicate", "x"), 2, "expected an option, got --frobnicate"),
        (("--output",), 2, "expected a value after --output, got none"),
        (("--output", "x.img", "--release", "bullseye"), 1, "expected --release bookworm or trixie, got bullseye"),
        (("--output", "x.img", "--arch", "armhf"), 1, "expected --arch arm64 or amd64, got armhf"),
        (("--output", "x.img", "--pi-archive", "http://example.org"), 1, "expected --pi-key with the archive's key"),
    ],
)
def test_what_cannot_be_made_is_told_before_anything_is_begun(words: tuple[str, ...], code: int, message: str) -> None:
    done = image(*words)
    assert done.returncode == code
    assert message in done.stderr


def test_the_card_has_a_partition_that_a_pi_starts_from_and_one_with_the_system(tmp_path: Path) -> None:
    missing = [tool for tool in ("mmdebstrap", "mke2fs", "mkfs.vfat", "mcopy", "sfdisk", "debugfs") if not _has(tool)]
    if missing or os.geteuid():
        pytest.skip(f"NO CARD WAS LAID OUT: expected root and {missing}")
    system = tmp_path / "system"
    for name, text in {"boot/firmware/cmdline.txt": "root=LABEL=rootfs", "etc/hostname": "tachiai\n"}.items():
        (system / name).parent.mkdir(parents=True, exist_ok=True)
        (system / name).write_text(text)
    card = tmp_path / "card.img"
    done = image("--output", str(card), "--root", str(system))
    assert done.returncode == 0, done.stderr
    assert "untested on a real Pi until somebody says otherwise" in done.stdout
    table = json.loads(output("sfdisk", "--json", str(card)))["partitiontable"]
    assert table["id"] == f"0x{DISK_ID}"
    boot, root = table["partitions"]
    assert (boot["type"], root["type"]) == ("c", "83")
    start = f"{card}@@{boot['start'] * SECTOR}"
    assert output("mtype", "-i", start, "::cmdline.txt") == "root=LABEL=rootfs"
    system_part = tmp_path / "root.ext4"
    with card.open("rb") as whole, system_part.open("wb") as part:
        whole.seek(root["start"] * SECTOR)
        shutil.copyfileobj(whole, part)
    assert output("debugfs", "-R", "cat /etc/hostname", str(system_part)) == "tachiai\n"
    assert "LABEL: rootfs" in output("dumpe2fs", "-h", str(system_part)).replace("Filesystem volume name:  ", "LABEL:")
    assert (system / "boot/firmware/cmdline.txt").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"system", "card.img", "root.ext4"}


def test_a_system_that_no_card_can_be_made_of_stays_as_it_was(tmp_path: Path) -> None:
    """Here the file system is too small for it; what lay in `boot/firmware` was once deleted."""
    if os.geteuid():
        pytest.skip("NO SYSTEM WAS TRIED: expected root")
    file = tmp_path / "system/boot/firmware/cmdline.txt"
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("mmdebstrap", "mkfs.vfat", "mcopy", "sfdisk", "mke2fs"):
        (tools / tool).write_text(f"#!/bin/sh\nexit {int(tool == 'mke2fs')}\n")
        (tools / tool).chmod(0o755)
    command = [str(SCRIPT), "--output", str(tmp_path / "card.img"), "--root", str(tmp_path / "system")]
    environment = {**ENVIRONMENT, "PATH": f"{tools}:{ENVIRONMENT['PATH']}"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 1
    assert file.read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"system", "tools"}


def _has(tool: str) -> bool:
    return shutil.which(tool, path=ENVIRONMENT["PATH"]) is not None
