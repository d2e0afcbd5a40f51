"""A Debian trixie with libcamera's own Python module, the real picamera2 and what the table needs: made once, kept.

``python3 -m tests.pi.trixie_root`` makes it and says where it lies. It takes root's rights, mmdebstrap, and half a
minute; what it holds decides its name, so that it is made anew when that changes.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.places import ROOT

SUITE: Final = "trixie"
PYTHON: Final = "3.13"
"""Trixie's."""
PACKAGES: Final = ("python3-minimal", "python3-libcamera", "e2fsprogs")
WHEELS: Final = ("pytest", "pytest-xdist", "hypothesis", "gpiozero>=2.0.1.post3")
WITHOUT_DEPENDENCIES: Final = ("picamera2==0.3.31",)
"""It asks for packages that must be compiled, for files and previews that no table uses."""
OF_ANOTHER_PYTHON: Final = ("lgpio==0.2.2.0",)
"""Its Python half is the same for all; the compiled one, which speaks to pins, is played (`tests.fakes.lgpio_chip`)."""
FOLDERS: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tachiai-tests"
SITE: Final = "opt/site"
WORK: Final = "work"


class RootUnavailableError(Exception):
    """The root cannot be made here; the text says why."""


@dataclass(frozen=True, slots=True)
class TrixieRoot:
    """A root that was made."""

    path: Path

    def run(self, arguments: Sequence[str], *, timeout_s: float) -> subprocess.CompletedProcess[str]:
        """Runs trixie's Python in the checkout, which it may only read; `/tmp` is its own and new."""
        mounts = [
            f"mount --rbind --make-rslave {ROOT} {WORK}",
            f"mount -o remount,bind,ro {WORK}",
            "mount -t proc proc proc",
            "mount -t sysfs sys sys",
            "mount -t tmpfs tmp tmp",
            "mount --rbind --make-rslave /dev dev",
            f"exec chroot . env -i PATH=/usr/bin:/bin HOME=/tmp LANG=C.UTF-8 PYTHONPATH=/{WORK}:/{SITE} "
            f'PYTHONDONTWRITEBYTECODE=1 sh -c \'cd /{WORK} && exec python3 "$@"\' python3 "$@"',
        ]
        command = ["unshare", "--mount", "sh", "-euc", "\n".join(mounts), "sh", *arguments]
        return subprocess.run(command, cwd=self.path, capture_output=True, text=True, timeout=timeout_s, check=False)


def trixie_root() -> TrixieRoot:
    """Returns the root, which is made first where it is not there yet.

    Raises:
        RootUnavailableError: it cannot be made here.
    """
    path = FOLDERS / f"{SUITE}-{_contents()}"
    if os.geteuid() != 0:
        raise RootUnavailableError(f"expected root's rights to make and enter a Debian {SUITE}")
    FOLDERS.mkdir(parents=True, exist_ok=True)
    with (FOLDERS / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes
        if not path.is_dir():
            _make(path)
    return TrixieRoot(path)


def project() -> dict[str, Any]:
    """What `pyproject.toml` says of the project."""
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return found


def _requirements() -> tuple[str, ...]:
    return (*project()["dependencies"], *WHEELS)


def _contents() -> str:
    wheels = (*_requirements(), *WITHOUT_DEPENDENCIES, *OF_ANOTHER_PYTHON)
    return contents_of("\n".join((*PACKAGES, *wheels, project()["version"])))


def contents_of(*parts: object) -> str:
    """A short name for what these parts say: another one where they say another thing."""
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:12]


def _make(path: Path) -> None:
    if shutil.which("mmdebstrap") is None:
        raise RootUnavailableError("expected mmdebstrap, got none: apt-get install mmdebstrap")
    root = path.with_suffix(".new")
    shutil.rmtree(root, ignore_errors=True)
    # In a namespace of its own, what it mounts is seen by nobody else and gone with it, however it ends.
    make = ("unshare", "--mount", "mmdebstrap", "--quiet", "--variant=minbase", "--mode=root")
    run_program(*make, f"--include={','.join(PACKAGES)}", SUITE, root)
    site = root / SITE
    # By this machine's pip, which knows where packages come from here.
    pip: list[str | Path] = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", site]
    pip += ["--only-binary=:all:", "--python-version"]
    run_program(*pip, PYTHON, *_requirements())
    run_program(*pip, PYTHON, "--no-deps", "--upgrade", *WITHOUT_DEPENDENCIES)
    run_program(*pip, "3.11", "--no-deps", "--upgrade", *OF_ANOTHER_PYTHON)
    metadata = site / f"tachiai-{project()['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tachiai\nVersion: {project()['version']}\n")
    (root / WORK).mkdir()
    root.rename(path)


def run_program(*command: str | Path) -> None:
    """Runs a program that is needed to make a root.

    Raises:
        RootUnavailableError: it fails; the text is the end of what it said.
    """
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RootUnavailableError(f"expected {command[0]} to succeed, got: {done.stderr[-600:]}")


if __name__ == "__main__":
    try:
        print(trixie_root().path)
    except RootUnavailableError as error:
        sys.exit(f"trixie_root: {error}")
