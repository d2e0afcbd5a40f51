"""Where things lie: the checkout, its recorded tables, the project's outside material, and programs."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
SHARED: Final = ROOT.parent / "shared"
"""Real game records and photographs; absent on most machines."""
RECORDINGS: Final = ROOT / "tests" / "recordings"
RIICHI_TSUMO: Final = RECORDINGS / "riichi_tsumo"
BROWSERS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Programs that the browser tests may drive, the best first: without windows it takes a third less time for a page."""


def mosquitto() -> str | None:
    """The MQTT broker of the distribution, which puts it where not every user looks for programs; None if absent."""
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
