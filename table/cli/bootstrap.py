"""Sets up a checkout: creates a virtual environment beside the code with everything that it needs.

Standard library only, since this runs before anything is installed. ``python3 -m table`` and
``python3 -m tests`` use it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The root folder of the checkout."""
VENV = ROOT / ".venv"


class SetupError(Exception):
    """The environment cannot be created; the text says what to do."""


def ensure_environment(extras: str = "") -> Path:
    """Creates or refreshes the virtual environment and returns the path of its Python.

    Args:
        extras: the optional dependencies to install, e.g. ``dev``.

    Raises:
        SetupError: Python is too old, or a step failed.
    """
    python = create_environment()
    stamp = VENV / f".tachiai-{extras or 'base'}"
    digest = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if not stamp.is_file() or stamp.read_text() != digest:
        target = f"{ROOT}[{extras}]" if extras else str(ROOT)
        print("tachiai: installing dependencies into .venv (once) …", file=sys.stderr)
        _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", target])
        stamp.write_text(digest)
    return python


def create_environment() -> Path:
    """Creates the virtual environment unless a working one exists, and returns the path of its Python.

    Raises:
        SetupError: Python is too old, or the environment cannot be created.
    """
    if sys.version_info < (3, 11):  # noqa: UP036 - this is where an older Python is reported
        raise SetupError(f"expected Python 3.11 or newer, got {sys.version.split()[0]}; install python3.11")
    python = VENV / "bin" / "python"
    if not _is_usable(python):
        _make_venv()
    return python


def install_debian(package: str) -> bool:
    """Installs a Debian package if the user agrees at the terminal; returns whether it was installed."""
    return may_install(package) and install_packages(package)


def may_install(*packages: str) -> bool:
    """Returns whether Debian packages may be installed; asks at the terminal, where an empty answer means no.

    Without a terminal nobody can be asked, so only root may install them, as in a container.
    """
    is_root = os.geteuid() == 0
    if shutil.which("apt-get") is None or (not is_root and shutil.which("sudo") is None):
        return False
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        return is_root
    names = f"{'package' if len(packages) == 1 else 'packages'} {' and '.join(packages)}"
    print(f"tachiai: install the system {names} with apt-get? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def install_packages(*packages: str) -> bool:
    """Installs Debian packages, which `may_install` allowed, one by one; returns whether all were installed."""
    apt = [*([] if os.geteuid() == 0 else ["sudo"]), shutil.which("apt-get") or "apt-get"]
    steps = [["install", "-y", "-qq", "--no-install-recommends", package] for package in packages]
    print(f"tachiai: installing {' and '.join(packages)} …", file=sys.stderr)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    codes = [
        subprocess.run([*apt, *step], env=environment, stdout=subprocess.DEVNULL, check=False).returncode
        for step in (["update", "-qq"], *steps)
    ]
    return not any(codes[1:])


def _is_usable(python: Path) -> bool:
    if not python.is_file():
        return False
    done = subprocess.run([str(python), "-m", "pip", "--version"], capture_output=True, check=False)
    return done.returncode == 0


def _make_venv() -> None:
    """Creates the environment; Debian ships the `venv` module in a separate package, which is installed if missing."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    if not _has_ensurepip() and not (install_debian(version) or install_debian("python3-venv")):
        raise SetupError(f"expected Python's venv module, which is missing; install it: sudo apt install {version}")
    _run([sys.executable, "-m", "venv", "--clear", str(VENV)])


def _has_ensurepip() -> bool:
    done = subprocess.run([sys.executable, "-c", "import ensurepip, venv"], capture_output=True, check=False)
    return done.returncode == 0


def _run(command: list[str]) -> None:
    done = subprocess.run(command, check=False)
    if done.returncode != 0:
        raise SetupError(f"expected success, got exit code {done.returncode} from: {' '.join(command)}")
