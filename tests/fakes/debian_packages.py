"""Programs of Debian's packages that are taken out and run, none of them installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

NETPLAN: Final = ("netplan.io", "libnetplan0")


def extract_packages(folder: Path, packages: Sequence[str]) -> Path:
    """Unpacks the packages; returns the folder. The test skips, loudly, where they cannot be had."""
    if not shutil.which("apt-get"):
        pytest.skip(f"NOT TRIED WITH THE REAL {packages}: this is no Debian")
    for attempt in (["apt-get", "download", "-qq", *packages], ["apt-get", "update", "-qq"]) * 2:
        done = subprocess.run(attempt, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
        if attempt[1] == "download" and done.returncode == 0:
            break
    else:
        pytest.skip(f"NOT TRIED WITH THE REAL {packages}: {done.stderr[-200:]}")
    for package in folder.glob("*.deb"):
        subprocess.run(["dpkg", "-x", str(package), str(folder / "root")], check=True)
    return folder / "root"


def library_path(root: Path, library: str) -> str:
    """Where a library lies among what was taken out."""
    (found,) = {each.parent for each in root.rglob(f"{library}.so.*")}
    return str(found)


def netplan(debian: Path, text: str, root: Path) -> subprocess.CompletedProcess[str]:
    """What netplan makes of a configuration, below a root, for NetworkManager as on Raspberry Pi OS."""
    folder = root / "etc" / "netplan"
    folder.mkdir(parents=True)
    renderer = "network: {version: 2, renderer: NetworkManager}\n"
    for name, content in {"01-renderer.yaml": renderer, "50-cloud-init.yaml": text}.items():
        (folder / name).write_text(content, encoding="utf-8")
        (folder / name).chmod(0o600)
    words = [str(debian / "usr/libexec/netplan/generate"), "--root-dir", str(root)]
    environment = {**os.environ, "LD_LIBRARY_PATH": library_path(debian, "libnetplan")}
    return subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
