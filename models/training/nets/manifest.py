"""Writes the manifest of a network, by which the network is checked when it is loaded."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

OUT: Final = Path(__file__).resolve().parents[3] / "build" / "models"
"""The default folder for the weights of a training; the shipped ones are in `models/`."""


def write_manifest(path: Path, fields: Mapping[str, Any]) -> None:
    """Writes the manifest of the network at `path`: its name, its hash, and `fields`."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    manifest = {"name": path.stem, "version": "1", "sha256": digest, **fields}
    path.with_suffix(".json").write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def commit() -> str:
    """Returns the commit of the training code, or an empty text outside a repository."""
    here = Path(__file__).resolve().parent
    done = subprocess.run(["git", "-C", str(here), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return done.stdout.strip()
