"""What a win is worth, as mjai lines tell it: `fan`, `fu`, `yakus`, `hora_points`, and `yakuman`, which is ours alone.

Programs that write no `yakuman` count one as 13 han, as 100, or as no han at all; so theirs of 13 han or more tell only
their points. mjai has one name for the three dragons, and one for a yakuman and its wider wait.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from table.records.formats.game_record import RecordedWin
from table.rules.terms.results import Win
from table.rules.terms.tiles import Tile
from table.rules.terms.yaku import YAKU

Line = dict[str, Any]
Yaku = tuple[tuple[str, int], ...]

COUNTED: Final = 13
"""So many han are a yakuman to some programs, whatever they come from."""
_DRAGONS: Final = {"haku": Tile("5z"), "hatsu": Tile("6z"), "chun": Tile("7z")}
_DRAGON: Final = "sangenpai"
_WORTH: Final = frozenset({"fan", "fu", "yakus", "hora_points", "yakuman"})
_NAMES: Final[Mapping[str, str]] = {
    "riichi": "reach",
    "double_riichi": "double_reach",
    "menzen_tsumo": "menzenchin_tsumoho",
    "robbing_a_kan": "chankan",
    "after_a_kan": "rinshankaiho",
    "last_tile_tsumo": "haiteiraoyue",
    "last_tile_ron": "hoteiraoyui",
    "renhou": "renho",
    "tanyao": "tanyaochu",
    "iipeikou": "ipeko",
    "seat_wind": "jikaze",
    "round_wind": "bakaze",
    **dict.fromkeys(_DRAGONS, _DRAGON),
    "seven_pairs": "chitoitsu",
    "chanta": "honchantaiyao",
    "ittsuu": "ikkitsukan",
    "sanshoku_doujun": "sanshokudojun",
    "sanshoku_doukou": "sanshokudoko",
    "three_kans": "sankantsu",
    "toitoi": "toitoiho",
    "three_closed_triplets": "sananko",
    "little_three_dragons": "shosangen",
    "honroutou": "honroto",
    "ryanpeikou": "ryanpeko",
    "junchan": "junchantaiyao",
    "honitsu": "honiso",
    "chinitsu": "chiniso",
    "tenhou": "tenho",
    "chiihou": "chiho",
    "big_three_dragons": "daisangen",
    "four_closed_triplets": "suanko",
    "four_closed_triplets_pair_wait": "suanko",
    "all_honors": "tsuiso",
    "all_green": "ryuiso",
    "all_terminals": "chinroto",
    "nine_gates": "churenpoton",
    "nine_gates_nine_waits": "churenpoton",
    "thirteen_orphans": "kokushimuso",
    "thirteen_orphans_thirteen_waits": "kokushimuso",
    "big_four_winds": "daisushi",
    "little_four_winds": "shosushi",
    "four_kans": "sukantsu",
    "ura_dora": "uradora",
    "red_five": "akadora",
}
"""Ours -> mjai's; what it has no name for, and `ippatsu`, `pinfu` and `dora`, are called as we call them."""
_OURS: Final[Mapping[str, str]] = {
    told: name for name in YAKU if Counter(_NAMES.values())[told := _NAMES.get(name, name)] < 2
}
"""mjai's -> ours, where one means the other."""


def worth_line(win: Win | RecordedWin) -> Line:
    """Returns what is known of a win's worth, as fields of its line."""
    if win.points is None:
        return {}
    told: Line = {"yakuman": win.yakuman, "hora_points": win.points}
    if win.han is not None:
        told["fan"] = win.han
    if win.fu is not None and not win.yakuman:
        told["fu"] = win.fu
    if win.yaku:
        told["yakus"] = _yakus(win.yaku)
    return told


def without_worth(line: Line) -> Line:
    """Returns an event line as recordings have it: a win that was seen carries its tiles, not their worth."""
    is_declared = "points" in line  # nobody saw the hand: han, fu, yakuman and points are all that is known of it
    extra = _WORTH - {"fu", "yakuman"} if is_declared else _WORTH
    return {key: value for key, value in line.items() if line["type"] != "hora" or key not in extra}


def _yakus(yaku: Yaku) -> list[list[Any]]:
    """The yaku by their names; those of one name are one, with the han of all."""
    han: dict[str, int] = {}
    for name, count in yaku:
        told = _NAMES.get(name, name)
        han[told] = han.get(told, 0) + count
    return [[name, count] for name, count in han.items()]


def worth_in(line: Mapping[str, Any], tiles: Sequence[Tile]) -> Line:
    """Returns what a line tells of a win's worth, as fields of `RecordedWin`.

    Args:
        line: the line of the win, ours or another program's.
        tiles: all that the winner holds, melds too; they tell which dragons are meant.
    """
    han, points = line.get("han", line.get("fan")), line.get("points", line.get("hora_points"))
    if "yakuman" not in line and (han or 0) >= COUNTED:
        return {"points": points}
    yakuman = line.get("yakuman", 0)
    return {
        "han": None if yakuman else han,
        "fu": line.get("fu"),
        "yaku": _yaku(line, tiles),
        "yakuman": yakuman,
        "points": points,
    }


def _yaku(line: Mapping[str, Any], tiles: Sequence[Tile]) -> Yaku | None:
    """The yaku with their han by our names; None where it is not told, or not told which."""
    told = line.get("yaku")
    if told is not None:
        return tuple((str(name), int(han)) for name, han in told)
    named = line.get("yakus")
    if not named or not all(isinstance(each, Sequence) and len(each) == 2 for each in named):
        return None
    found: Counter[str] = Counter()
    dragons = 0
    for name, han in named:
        if name == _DRAGON:
            dragons += int(han)
        elif name in _OURS:
            found[_OURS[name]] += int(han)
        else:
            return None
    held = _triplets(tiles) if dragons else []
    if dragons != len(held):
        return None
    return tuple((name, han) for name, han in (found | Counter(held)).items() if han)


def _triplets(tiles: Iterable[Tile]) -> list[str]:
    """The dragons of which there are three or more."""
    counts = Counter(tiles)
    return [name for name, tile in _DRAGONS.items() if counts[tile] >= 3]
