"""The definition of each season figure and its source. The sentences are catalogue texts, `season.about.…`.

Mahjong Soul publishes no definitions; its players use the figures of amae-koromo, which are computed from its records.
Tenhou counts its figures in its client; Kobayashi published definitions for its records. Where these sources are silent
or disagree, the definition is our own and says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

AMAE_KOROMO: Final = (
    "https://github.com/SAPikachu/amae-koromo/blob/master/src/components/playerDetails/playerDetails.tsx"
)
"""The figures of Mahjong Soul's records and how each is counted."""
KOBAYASHI: Final = "https://blog.kobalab.net/entry/20180113/1515776231"
"""Figures of Tenhou's records, and how a double ron and a ron on the riichi tile are counted."""
KOBAYASHI_TURNS: Final = "https://blog.kobalab.net/entry/20180118/1516202840"
"""Likewise for turns, which are the seat's own discards; turns skipped by calls do not count."""
WILSON: Final = "https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval#Wilson_score_interval"


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """The source of a figure's definition."""

    sources: tuple[str, ...] = ()
    is_ours: bool = False
    """Whether the definition is our own, because no source defines the figure or sources disagree."""


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
"""Every figure in display order, and the meaning of `interval`."""
