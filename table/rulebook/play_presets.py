"""Rule sets by name, as data, with each value's source.

[tenhou] the game records of Tenhou's top room and its manual; [P] a rulebook read in full; [S] second-hand: an excerpt,
another program's preset or a summary, to be checked against the book before a tournament relies on it. Fields that are
not named have the values of the plain home rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final

from table.rules.ruleset import Ruleset
from table.rules.terms.rule_errors import InvalidValueError

HOME: Final = Ruleset()

TENHOU: Final = Ruleset(
    name="tenhou",
    west_in=True,  # [tenhou]
    agari_yame="win_or_tenpai",  # [tenhou]
    tobi="below_zero",  # [tenhou]
    end_sticks="top",  # [tenhou] 65 of 65
    uma=(20000, 10000, -10000, -20000),  # [S] the record's own end scores differ by room and year
    oka=20000,  # [tenhou] 25000 to 30000
    kiriage_mangan=False,  # [tenhou]
    double_wind_fu=4,  # [tenhou]
    double_yakuman=False,  # [tenhou]
    open_kan_dora="with_discard",  # [tenhou] 3 of 3 rons on the discard count it
    multiple_ron="all",  # [tenhou]
    triple_ron="abort",  # [tenhou]
    sticks_on_multiple_ron="all_to_first",  # [tenhou]
    riichi_below_1000=False,  # [tenhou]
    min_tiles_left=4,  # [tenhou]
    closed_kan_after_riichi="waits_only",  # [tenhou] R62: a video game's rule
    kuikae="forbidden",  # [tenhou]
    pao_kans=False,  # [tenhou]
    pao_scope="whole",  # [P] the whole composite yakuman; on a ron by halves with the discarder
)

MAHJONG_SOUL: Final = Ruleset(
    name="mahjong-soul",  # ranked games of four, East and South
    starting_points=25000,  # [S] riichi.wiki, Majsoul: ladder
    target_points=30000,  # [S] jansou, an engine with a preset of that name
    counted_from=25000,  # [S] riichi.wiki: points gained are (score - start) / 1000 + uma
    west_in=True,  # [S] jansou: sudden death
    agari_yame="win_or_tenpai",  # [S] jansou names a win; by players' accounts a tenpai dealer too
    tobi="below_zero",  # [S] riichi.wiki: not at zero
    end_sticks="top",  # [S] jansou
    uma=(15000, 5000, -5000, -15000),  # [S] riichi.wiki; the rooms' own rank points are left out
    oka=0,  # [S] riichi.wiki
    ties="seat",  # [S] riichi.wiki: by seat wind
    kiriage_mangan=False,  # [S] jansou
    double_wind_fu=4,  # [S] jansou
    double_yakuman=True,  # [S] RiichiEnv, which names all four
    open_kan_dora="after_discard",  # [S] RiichiEnv, jansou
    pao_kans=False,  # [S] riichi.wiki: dragons and winds
    pao_scope="part",  # [S] riichi.wiki, RiichiEnv: each yakuman apart
    pao_honba="liable",  # [S] jansou
    multiple_ron="all",  # [S] riichi.wiki
    triple_ron="ron",  # [S] riichi.wiki, RiichiEnv: no abort
    sticks_on_multiple_ron="all_to_first",  # [S] as on Tenhou
    riichi_below_1000=False,  # [S] as on Tenhou
    min_tiles_left=4,  # [S] jansou: no riichi without a draw
    closed_kan_after_riichi="waits_only",  # [S] R62: a video game's rule
    kuikae="forbidden",  # [S] riichi.wiki
    orphans_rob_closed_kan=True,  # [S] RiichiEnv, jansou
)

M_LEAGUE: Final = Ruleset(
    name="m-league",
    tobi="never",  # [S] play goes on in debt
    agari_yame="never",  # [S]
    end_sticks="top",  # [S]
    uma=(30000, 10000, -10000, -30000),  # [S]
    oka=20000,  # [S] 25000 to 30000
    ties="split",  # [S]
    kiriage_mangan=True,  # [S]
    double_wind_fu=2,  # [S]
    kazoe="sanbaiman",  # [S]
    double_yakuman=False,  # [S]
    open_kan_dora="at_once",  # [S]
    pao_kans=True,  # [S]
    pao_honba="liable",  # [S]
    multiple_ron="head_bump",  # [S] D13
    riichi_below_1000=True,  # [S] D11
    min_tiles_left=0,  # [S] D12
    four_riichi=False,  # [S] D14
    four_winds=False,  # [S]
    four_kans=False,  # [S]
    nine_terminals=False,  # [S]
    nagashi_mangan=False,  # [S]
)

EMA_2025: Final = Ruleset(
    name="ema-2025",
    red_man=0,  # [P] no red fives
    red_pin=0,  # [P]
    red_sou=0,  # [P]
    starting_points=30000,  # [S]
    target_points=30000,  # [S]
    agari_yame="never",  # [S]
    tobi="never",  # [P] no bust
    end_sticks="top",  # [P] shared on a tie
    uma=(15000, 5000, -5000, -15000),  # [S]
    oka=0,  # [S]
    ties="split",  # [P]
    kiriage_mangan=True,  # [P]
    double_wind_fu=2,  # [P]
    kazoe="sanbaiman",  # [P] 13 han and more
    double_yakuman=False,  # [S]
    multiple_yakuman=False,  # [P] yakuman do not add up
    renhou="mangan_alone",  # [P] a mangan that combines with nothing
    open_kan_dora="at_once",  # [S]
    pao_kans=False,  # [P] no liability for four kans
    pao_honba="discarder",  # [P] counters are the discarder's under liability
    honba_on_multiple_ron="each",  # [P] 300 a counter to each winner
    multiple_ron="all",  # [P]
    triple_ron="ron",  # [S]
    sticks_on_multiple_ron="own_returned_rest_to_first",  # [P]
    nagashi_mangan=False,  # [S]
    riichi_below_1000=True,  # [P] the stick is borrowed
    min_tiles_left=1,  # [P] 4 in the book of 2016
    ask_unvoiced_riichi=True,  # [P]
    replacement_sideways="must",  # [P]
    closed_kan_after_riichi="strict",  # [P] both conditions, D6
    orphans_rob_closed_kan=True,  # [P]
    passed_kan_is_furiten=True,  # [P] a robbable kan tile let pass; one's own added tile is no discard
    pointed_seat_discarded=True,  # [P]
    four_riichi=False,  # [S] D14, absent in 2016
    four_winds=False,  # [S]
    four_kans=False,  # [S]
    nine_terminals=False,  # [S]
)

WRC_2025: Final = Ruleset(
    name="wrc-2025",
    red_man=0,  # [S]
    red_pin=0,  # [S]
    red_sou=0,  # [S]
    starting_points=30000,  # [S]
    target_points=30000,  # [S]
    agari_yame="never",  # [S]
    tobi="never",  # [S]
    end_sticks="nobody",  # [S]
    uma=(15000, 5000, -5000, -15000),  # [S]
    oka=0,  # [S]
    ties="split",  # [S]
    kiriage_mangan=True,  # [S]
    double_wind_fu=2,  # [S]
    kazoe="yakuman",  # [P] 13 han or more score as a yakuman
    double_yakuman=False,  # [S]
    renhou="mangan_alone",  # [P] a mangan that combines with nothing
    open_kan_dora="at_once",  # [S]
    pao_kans=True,  # [P]
    multiple_ron="head_bump",  # [S] D13
    nagashi_mangan=False,  # [S]
    riichi_below_1000=False,  # [S]
    min_tiles_left=0,  # [P] down to no tile left: clarification of June 2025
    ask_unvoiced_riichi=True,  # [P]
    replacement_sideways="must",  # [S]
    closed_kan_after_riichi="strict",  # [S]
    four_riichi=False,  # [S] D14
    four_winds=False,  # [S]
    four_kans=False,  # [S]
    nine_terminals=False,  # [S]
)

JPML_A: Final = Ruleset(
    name="jpml-a",
    red_man=0,  # [S]
    red_pin=0,  # [S]
    red_sou=0,  # [S]
    starting_points=30000,  # [S]
    target_points=30000,  # [S]
    agari_yame="never",  # [S]
    tobi="never",  # [S]
    end_sticks="nobody",  # [S] D2: left unclaimed
    floating_uma=(  # [S] by how many seats have 30000 or more
        (12000, -1000, -3000, -8000),
        (8000, 4000, -4000, -8000),
        (8000, 3000, 1000, -12000),
    ),
    oka=0,  # [S]
    ties="split",  # [S]
    double_wind_fu=2,  # [S]
    ippatsu=False,  # [S]
    ura_dora=False,  # [S]
    kan_dora=False,  # [S]
    kan_ura=False,  # [S]
    double_yakuman=False,  # [S]
    pao_kans=True,  # [S]
    pao_honba="discarder",  # [S]
    multiple_ron="head_bump",  # [S]
    riichi_below_1000=False,  # [S]
    min_tiles_left=0,  # [S] D12
    nagashi_mangan=False,  # [S]
    four_riichi=False,  # [P] sheet of April 2026: no abortive draws; sources conflict, another has them
    four_winds=False,  # [P] sheet of April 2026: no abortive draws; sources conflict, another has them
    four_kans=False,  # [P] sheet of April 2026: no abortive draws; sources conflict, another has them
    nine_terminals=False,  # [P] sheet of April 2026: no abortive draws; sources conflict, another has them
)

PRESETS: Final[Mapping[str, Ruleset]] = MappingProxyType(
    {ruleset.name: ruleset for ruleset in (TENHOU, MAHJONG_SOUL, M_LEAGUE, EMA_2025, WRC_2025, JPML_A, HOME)}
)
"""Every named rule set."""


def preset(name: str) -> Ruleset:
    """Returns a rule set by name.

    Raises:
        InvalidValueError: for an unknown name; the message names the nearest.
    """
    try:
        return PRESETS[name]
    except KeyError:
        near = get_close_matches(name, PRESETS, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InvalidValueError(f"expected a rule set of {', '.join(PRESETS)}, got {name!r}{hint}") from None
