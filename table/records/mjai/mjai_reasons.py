"""Why a hand ended without a winner, as mjai says it.

`chombo`, `replay` and `bust` are our own: common mjai knows no fouls.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from table.rules.terms.results import AbortReason

REASON_NAMES: Final[Mapping[AbortReason | None, str]] = {
    None: "fanpai",
    AbortReason.FOUR_RIICHI: "suuchariichi",
    AbortReason.FOUR_WINDS: "suufonrenta",
    AbortReason.FOUR_KANS: "suukaikan",
    AbortReason.NINE_TERMINALS: "kyushukyuhai",
    AbortReason.TRIPLE_RON: "sanchahoa",
    AbortReason.NAGASHI: "nagashimangan",
    AbortReason.CHOMBO: "chombo",
    AbortReason.REPLAY: "replay",
    AbortReason.BUST: "bust",
}
"""What is written; None where the wall was used up."""
REASONS: Final[Mapping[str, AbortReason | None]] = {
    **{name: reason for reason, name in REASON_NAMES.items()},
    "howanpai": None,
    "exhaustive": None,
    "ryukyoku": None,
    "reach4": AbortReason.FOUR_RIICHI,
    "kaze4": AbortReason.FOUR_WINDS,
    "kan4": AbortReason.FOUR_KANS,
    "kyuushukyuuhai": AbortReason.NINE_TERMINALS,
    "yao9": AbortReason.NINE_TERMINALS,
    "sanchahou": AbortReason.TRIPLE_RON,
    "ron3": AbortReason.TRIPLE_RON,
    "nm": AbortReason.NAGASHI,
}
"""What is read, as several programs write it."""
