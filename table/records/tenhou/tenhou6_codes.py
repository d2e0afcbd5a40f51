"""The codes of tenhou.net/6: tile numbers (11-47, red fives 51-53), meld strings, names of results and yaku."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from table.rules.terms.results import AbortReason
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import UNKNOWN, Tile

TSUMOGIRI: Final = 60
"""The code of the tile just drawn, in a list of discards."""
HIDDEN: Final = 0
"""The code of an unseen tile, in a hand or a list of draws; the format has no tile with that number."""
CALLED_KAN: Final = 0
"""The code of the turn in which an open kan was called, in a list of discards."""
TRUNCATED: Final = "truncated"
"""Our own key of a truncated or unfinished game; the format has none, and other readers ignore it."""
CORRECTED: Final = "corrected"
"""Our own key of what people corrected by hand: for each hand concerned its index (that after the last hand has their
number), the change of each seat's points and of the sticks, `[[1, [-1000, 0, 0, 0], 1]]`."""
TENPAI: Final = "tenpai"
"""Our own key of the seats that were tenpai at a draw, where hidden hands cannot show it: for each hand concerned its
index and the seats, `[[1, [0, 2]]]`."""
ENTERED_RIICHI: Final = "entered_riichi"
"""Our own key of the hands whose end people entered: the index of each, and the seats in riichi by their entry."""
PENALTIES: Final = "penalties"
"""Our own key of the hands that a penalty ended, which the format knows only as draws: `[[1, "chombo"]]`."""
FOUL_PAYMENTS: Final = "foul_payments"
"""Our own key of what fouls moved in hands that they did not end, as part of the payments: for each hand concerned its
index and the points of each seat, `[[1, [0, -1000, 0, 1000]]]`."""
DUES: Final = "penalties_of_hands"
"""Our own key of the penalties at the end of the game by the hand of the foul: the index of each hand concerned, and
the fields that the game itself has, `[[1, {"places_lost": [0, 1, 0, 0]}]]`."""
WON: Final = "和了"
DRAWN: Final = "流局"
REASONS: Final[dict[str, AbortReason | None]] = {
    **dict.fromkeys((DRAWN, "全員聴牌", "全員不聴")),
    **{name: reason for reason in AbortReason for name in (reason.names.tenhou, *reason.names.others) if name},
}
"""Names of ends without a winner. Those for None do not show the reason, since some writers do not name aborts; ours
do."""
REASON_NAMES: Final[dict[AbortReason | None, str]] = {
    None: DRAWN,
    **{reason: reason.names.tenhou or DRAWN for reason in AbortReason},
}
"""The names that we write. The viewer knows no fouls: a hand ended by one is written as a draw with its payments."""
YAKU_NAMES: Final = {
    "menzen_tsumo": "門前清自摸和",
    "riichi": "立直",
    "ippatsu": "一発",
    "robbing_a_kan": "槍槓",
    "after_a_kan": "嶺上開花",
    "last_tile_tsumo": "海底摸月",
    "last_tile_ron": "河底撈魚",
    "pinfu": "平和",
    "tanyao": "断幺九",
    "iipeikou": "一盃口",
    "seat_wind": "自風",
    "round_wind": "場風",
    "haku": "役牌 白",
    "hatsu": "役牌 發",
    "chun": "役牌 中",
    "double_riichi": "両立直",
    "open_riichi": "開立直",
    "double_open_riichi": "両開立直",
    "seven_pairs": "七対子",
    "chanta": "混全帯幺九",
    "ittsuu": "一気通貫",
    "sanshoku_doujun": "三色同順",
    "sanshoku_doukou": "三色同刻",
    "three_kans": "三槓子",
    "toitoi": "対々和",
    "three_closed_triplets": "三暗刻",
    "little_three_dragons": "小三元",
    "honroutou": "混老頭",
    "ryanpeikou": "二盃口",
    "junchan": "純全帯幺九",
    "honitsu": "混一色",
    "chinitsu": "清一色",
    "renhou": "人和",
    "renhou_yakuman": "人和",
    "open_riichi_yakuman": "開立直放銃",
    "eight_in_a_row": "八連荘",
    "tenhou": "天和",
    "chiihou": "地和",
    "big_three_dragons": "大三元",
    "four_closed_triplets": "四暗刻",
    "four_closed_triplets_pair_wait": "四暗刻単騎",
    "all_honors": "字一色",
    "all_green": "緑一色",
    "all_terminals": "清老頭",
    "nine_gates": "九蓮宝燈",
    "nine_gates_nine_waits": "純正九蓮宝燈",
    "thirteen_orphans": "国士無双",
    "thirteen_orphans_thirteen_waits": "国士無双１３面",
    "big_four_winds": "大四喜",
    "little_four_winds": "小四喜",
    "four_kans": "四槓子",
    "dora": "ドラ",
    "ura_dora": "裏ドラ",
    "red_five": "赤ドラ",
}
"""Our names of the yaku and Tenhou's; winds are followed by their tile."""
_OUR_NAMES: Final = {name: ours for ours, name in YAKU_NAMES.items() if ours != "renhou_yakuman"}
_YAKU: Final = re.compile(r"(.+)\((?:(\d+)飜|役満)\)$")
_MELD: Final = re.compile(r"\d\d|[a-z]")


def tile_of(code: int) -> Tile:
    """Returns the tile of a number; unknown for `HIDDEN`.

    Raises:
        ValueError: for a number that is not a tile's.
    """
    if type(code) is not int:
        raise ValueError(f"expected the number of a tile, got {code!r}")
    if code == HIDDEN:
        return UNKNOWN
    suit, rank = divmod(code, 10)
    if suit == 5 and 1 <= rank <= 3:
        return Tile(f"0{'mps'[rank - 1]}")
    if not 1 <= suit <= 4 or not 1 <= rank <= 9 or (suit == 4 and rank > 7):
        raise ValueError(f"expected a tile from 11 to 47 or 51 to 53, got {code!r}")
    return Tile(f"{rank}{'mpsz'[suit - 1]}")


def code_of(tile: Tile) -> int:
    """Returns a tile's number, `HIDDEN` for the unknown one."""
    if tile is UNKNOWN:
        return HIDDEN
    suit = "mpsz".index(tile.text[1])
    return 51 + suit if tile.is_red else 10 * (suit + 1) + int(tile.text[0])


def yaku_of(text: str) -> tuple[str, int]:
    """Returns a yaku's name and han; a yakuman has 13.

    Raises:
        ValueError: for an unknown one.
    """
    match = _YAKU.match(text)
    name = match[1] if match else ""
    ours = _OUR_NAMES.get(name) or _OUR_NAMES.get(name.split(" ")[0])
    if match is None or ours is None:
        raise ValueError(f"expected a yaku such as 立直(1飜), got {text!r}")
    return ours, int(match[2]) if match[2] else 13


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldCode:
    """The parts of a meld string: `c` chi, `p` pon, `m` open kan, `k` added kan, `a` closed kan."""

    letter: str
    tiles: tuple[Tile, ...]
    """The tiles, without the one after the letter."""
    tile: Tile
    """The tile after the letter: the called one, or the one added to a pon."""
    place: int
    """The number of tiles before the letter, which shows the seat that was called from."""

    @classmethod
    def parse(cls, text: str) -> MeldCode:
        """Reads a meld string.

        Raises:
            ValueError: for any other text.
        """
        parts = _MELD.findall(text)
        place = next((index for index, part in enumerate(parts) if part.isalpha()), None)
        if place is None or place + 1 >= len(parts) or len(parts) not in (4, 5):
            raise ValueError(f"expected a meld such as c275226, got {text!r}")
        tiles = [tile_of(int(part)) for part in (*parts[:place], *parts[place + 1 :])]
        return cls(letter=parts[place], tile=tiles.pop(place), tiles=tuple(tiles), place=place)

    def source(self, caller: Seat) -> Seat:
        """Returns the seat whose discard was called."""
        return caller.plus(4 - (1 if self.letter == "c" else min(self.place, 2) + 1))


def meld_text(letter: str, tile: Tile, own_tiles: tuple[Tile, ...], steps_back: int) -> str:
    """Returns a meld string; the discarder sits `steps_back` seats before the caller, 1-3."""
    place = {1: 0, 2: 1, 3: len(own_tiles)}[steps_back]
    codes = [f"{code_of(own_tile):02}" for own_tile in own_tiles]
    return "".join([*codes[:place], f"{letter}{code_of(tile):02}", *codes[place:]])
