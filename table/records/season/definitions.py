"""What each figure of a season means, and who defines it so. The sentences are texts, `season.about.…`.

Mahjong Soul publishes none. The figures that its players compare are those of amae-koromo, computed from its records;
Tenhou's own are counted in its client, and for its records written out by Kobayashi. Where these say nothing, or do not
agree, the definition is ours and says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

AMAE_KOROMO: Final = (
    "https://github.com/SAPikachu/amae-koromo/blob/master/src/components/playerDetails/playerDetails.tsx"
)
"""The figures of Mahjong Soul's records, each with how it is counted."""
KOBAYASHI: Final = "https://blog.kobalab.net/entry/20180113/1515776231"
"""Figures of Tenhou's records, and how a double ron and a riichi whose tile was won on are counted."""
KOBAYASHI_TURNS: Final = "https://blog.kobalab.net/entry/20180118/1516202840"
"""The same for turns: a seat's own discards, whatever turns calls skipped."""
WILSON: Final = "https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval#Wilson_score_interval"


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """Where a figure's definition comes from."""

    sources: tuple[str, ...] = ()
    is_ours: bool = False
    """Whether it is ours: none was found, or those found do not agree."""


_CITED: Final = Definition(sources=(AMAE_KOROMO,))
_OURS: Final = Definition(is_ours=True)
DEFINITIONS: Final[Mapping[str, Definition]] = {
    "games": _OURS,
    "places": _OURS,
    "place": _CITED,
    "points": _OURS,
    "uma": _OURS,
    "result": _OURS,
    "wins": Definition(sources=(AMAE_KOROMO, KOBAYASHI)),
    "deal_ins": Definition(sources=(AMAE_KOROMO, KOBAYASHI)),
    "riichi": Definition(sources=(AMAE_KOROMO, KOBAYASHI), is_ours=True),
    "calls": _CITED,
    "tenpai": _CITED,
    "ippatsu": Definition(sources=(AMAE_KOROMO,), is_ours=True),
    "ura": Definition(sources=(AMAE_KOROMO,), is_ours=True),
    "furiten_riichi": Definition(sources=(AMAE_KOROMO,), is_ours=True),
    "fouls": _OURS,
    "comebacks": _OURS,
    "win_value": _OURS,
    "deal_in_value": _OURS,
    "riichi_turn": Definition(sources=(KOBAYASHI_TURNS,)),
    "best": _OURS,
    "dealership": _OURS,
    "against": _OURS,
    "interval": Definition(sources=(WILSON,)),
}
"""Every figure, in the order in which it is told, and what `interval` means."""
