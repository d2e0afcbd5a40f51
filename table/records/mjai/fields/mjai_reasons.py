"""The names in mjai of ends without a winner; ends that mjai does not know have our own names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from table.rules.terms.results import AbortReason

REASON_NAMES: Final[Mapping[AbortReason | None, str]] = {
    None: "fanpai",
    **{reason: reason.names.mjai for reason in AbortReason},
}
"""The names that we write; the key None is an exhaustive draw."""
REASONS: Final[Mapping[str, AbortReason | None]] = {
    **dict.fromkeys(("fanpai", "howanpai", "exhaustive", "ryukyoku")),
    **{
        name: reason
        for reason in AbortReason
        for name in (reason.names.mjai, reason.names.mjlog, *reason.names.others)
        if name
    },
}
"""The names that we read, as several programs write them."""
