"""The README's recipe for a read-only system, held against the program that makes one: Debian's overlayroot."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.fakes.debian_packages import extract_packages
from tests.places import ROOT

SECTION = (ROOT / "firmware-config/README.md").read_text(encoding="utf-8").partition("\n## Power cuts and the card")[2]
ON, OFF = re.findall(r"```sh\n(.*?)```", SECTION, re.DOTALL)[:2]
CMDLINE = "console=tty1 root=PARTUUID=0a1b2c3d-02 rootfstype=ext4 rootwait\n"
FSTAB = """PARTUUID=0a1b2c3d-01 /boot/firmware vfat defaults 0 2
PARTUUID=0a1b2c3d-02 / ext4 defaults,noatime 0 1
"""


def cmdline_after(commands: str, file: Path) -> str:
    """What the commands that edit the kernel's command line make of a file."""
    for line in commands.splitlines():
        if line.startswith("sudo sed "):
            words = line.removeprefix("sudo ").replace("/boot/firmware/cmdline.txt", str(file))
            subprocess.run(["sh", "-c", words], check=True)
    return file.read_text()


def fstab_line() -> str:
    """The line of the partition with the journal, as the README has it."""
    (line,) = re.findall(r"^ *(LABEL=\S+ /var/lib/tachiai .*)$", SECTION, re.MULTILINE)
    return f"{line}\n"


@pytest.fixture
def cmdline(tmp_path: Path) -> Path:
    """The kernel's command line, once raspi-config has switched the overlay on."""
    path = tmp_path / "cmdline.txt"
    path.write_text(f"overlayroot=tmpfs {CMDLINE}")
    return path


def test_the_partition_with_the_journal_stays_on_the_card(
    cmdline: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """As raspi-config leaves it, each partition is kept in memory, and the journal is gone at the next power cut."""
    debian = extract_packages(tmp_path_factory.mktemp("debian"), ["overlayroot"])
    before, after = (
        _mounted(debian, cmdline.read_text(), tmp_path),
        _mounted(debian, cmdline_after(ON, cmdline), tmp_path),
    )
    assert "overlay" in before
    assert after == fstab_line().strip()


def _mounted(debian: Path, cmdline: str, folder: Path) -> str:
    """How overlayroot mounts the partition with the journal at such a command line."""
    (script,) = debian.rglob("scripts/init-bottom/overlayroot")
    functions = script.read_text(encoding="utf-8").partition("\nload_modules ")[0]
    (folder / "fstab").write_text(FSTAB + fstab_line())
    (recurse,) = re.findall(r"^overlayroot=tmpfs(?::recurse=(\d))? ", cmdline)
    names = ("needs_workdir", "clean_path", "get_workdir", "overlayrootify_fstab")
    functions_used = "\n".join(
        re.findall(rf"^(?:{'|'.join(names)})\(\) {{\n.*?^}}\n", functions, re.DOTALL | re.MULTILINE)
    )
    call = f"overlayrootify_fstab {folder}/fstab /media/root-ro /media/root-rw overlay {recurse or 1} 0 overlay"
    done = subprocess.run(["sh", "-c", f"{functions_used}\n{call}"], capture_output=True, text=True, check=True)
    (line,) = [line for line in done.stdout.splitlines() if " /var/lib/tachiai " in line]
    return line.strip()


def test_the_overlay_is_switched_off_again(cmdline: Path) -> None:
    """raspi-config looks for its own words alone, and says that all was done."""
    assert cmdline_after(ON, cmdline) == f"overlayroot=tmpfs:recurse=0 {CMDLINE}"
    assert cmdline_after(OFF, cmdline) == CMDLINE
