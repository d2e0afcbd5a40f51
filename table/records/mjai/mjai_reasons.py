"""Why a hand ended without a winner, as mjai says it; what it has no name for has our own word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from table.rules.terms.results import AbortReason

REASON_NAMES: Final[Mapping[AbortReason | None, str]] = {
    None: "fanpai",
    **{reason: reason.names.mjai for reason in AbortReason},
}
"""What is written; None where the wall was used up."""
REASONS: Final[Mapping[str, AbortReason | None]] = {
    **dict.fromkeys(("fanpai", "howanpai", "exhaustive", "ryukyoku")),
    **{name: each for each in AbortReason for name in (each.names.mjai, each.names.mjlog, *each.names.others) if name},
}
"""What is read, as several programs write it."""
