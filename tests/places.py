"""Where things lie: the checkout, its recorded tables, and the project's outside material."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
SHARED: Final = ROOT.parent / "shared"
"""Real game records and photographs; absent on most machines."""
RECORDINGS: Final = ROOT / "tests" / "recordings"
RIICHI_TSUMO: Final = RECORDINGS / "riichi_tsumo"
