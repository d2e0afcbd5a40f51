"""The value of a win in mjai lines: `fan`, `fu`, `yakus`, `hora_points`, and our own `yakuman`, `pao` and `paos`.

Programs without the field `yakuman` write a yakuman as 13 han, as 100 han, or without han; so only the points of their
wins of 13 han or more are used. mjai has one name for the three dragons, and one for a yakuman and its double form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from table.records.formats.checked_values import checked_number, checked_number_or_none, list_of, seat_of
from table.records.formats.game_record import RecordedWin
from table.records.mjai.fields.mjai_line import MjaiLine, ReadLine
from table.rules.terms.results import Win
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from table.rules.terms.yaku import YAKU

Yaku = tuple[tuple[str, int], ...]

COUNTED_YAKUMAN_HAN: Final = 13
"""The han from which some programs call any hand a yakuman."""
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
"""mjai's name by ours; all other yaku have our names in mjai."""
_OURS: Final[Mapping[str, str]] = {
    mjai_name: name for name in YAKU if Counter(_NAMES.values())[mjai_name := _NAMES.get(name, name)] < 2
}
"""Our name by mjai's, for names with a single meaning."""


def worth_line(win: Win | RecordedWin) -> MjaiLine:
    """Returns the known value of a win as fields of its line."""
    if win.points is None:
        return {}
    line: MjaiLine = {"yakuman": win.yakuman, "hora_points": win.points}
    if win.han is not None:
        line["fan"] = win.han
    if win.fu is not None and not win.yakuman:
        line["fu"] = win.fu
    if win.yaku:
        line["yakus"] = _yakus(win.yaku)
    return line


def liable_fields(actors: Iterable[int]) -> MjaiLine:
    """Returns the fields of who is liable for a yakuman: `pao`, and `paos` if two seats are, each for one yakuman."""
    liable = list(dict.fromkeys(actors))
    return {**({"pao": liable[0]} if liable else {}), **({"paos": liable} if len(liable) > 1 else {})}


def liable_in(line: ReadLine) -> tuple[Seat, ...]:
    """Returns the liable seats in a line."""
    one = [] if line.get("pao") is None else [line["pao"]]
    return tuple(seat_of(seat, "pao") for seat in list_of(line.get("paos", one), "paos"))


def without_worth(line: MjaiLine) -> MjaiLine:
    """Returns an event line as in recordings: a win that was seen has its tiles, not its value."""
    is_declared = "points" in line  # nobody saw the hand, so only han, fu, yakuman and points are known
    extra = _WORTH - {"fu", "yakuman"} if is_declared else _WORTH
    return {key: value for key, value in line.items() if line["type"] != "hora" or key not in extra}


def _yakus(yaku: Yaku) -> list[list[Any]]:
    """Returns the yaku by mjai's names; yaku with the same name are merged, with the sum of their han."""
    han: dict[str, int] = {}
    for name, count in yaku:
        mjai_name = _NAMES.get(name, name)
        han[mjai_name] = han.get(mjai_name, 0) + count
    return [[name, count] for name, count in han.items()]


def worth_in(line: ReadLine, tiles: Sequence[Tile]) -> MjaiLine:
    """Returns the value of a win in a line as fields of `RecordedWin`.

    Args:
        line: the line of the win, ours or another program's.
        tiles: all tiles of the winner, including melds, which show the dragons that are meant.
    """
    han = checked_number_or_none(line.get("han", line.get("fan")), "han")
    points = checked_number_or_none(line.get("points", line.get("hora_points")), "points")
    if "yakuman" not in line and (han or 0) >= COUNTED_YAKUMAN_HAN:
        return {"points": points}
    yakuman = checked_number(line.get("yakuman", 0), "yakuman", minimum=0)
    return {
        "han": None if yakuman else han,
        "fu": checked_number_or_none(line.get("fu"), "fu"),
        "yaku": _yaku(line, tiles),
        "yakuman": yakuman,
        "points": points,
    }


def _yaku(line: ReadLine, tiles: Sequence[Tile]) -> Yaku | None:
    """Returns the yaku with their han by our names; None if they are missing or ambiguous."""
    our_yaku = line.get("yaku")
    if our_yaku is not None:
        return tuple((str(name), checked_number(han, "han")) for name, han in list_of(our_yaku, "yaku"))
    mjai_yaku = line.get("yakus")
    if not mjai_yaku or not all(isinstance(pair, Sequence) and len(pair) == 2 for pair in mjai_yaku):
        return None
    found: Counter[str] = Counter()
    dragons = 0
    for name, han in mjai_yaku:
        if name == _DRAGON:
            dragons += checked_number(han, "han", minimum=0)
        elif name in _OURS:
            found[_OURS[name]] += checked_number(han, "han", minimum=0)
        else:
            return None
    dragon_names = _triplets(tiles) if dragons else []
    if dragons != len(dragon_names):
        return None
    return tuple((name, han) for name, han in (found | Counter(dragon_names)).items() if han)


def _triplets(tiles: Iterable[Tile]) -> list[str]:
    """Returns the dragons of which there are at least three."""
    counts = Counter(tiles)
    return [name for name, tile in _DRAGONS.items() if counts[tile] >= 3]
