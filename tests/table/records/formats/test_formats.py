from __future__ import annotations

import codecs
import gzip
import json
import tracemalloc
import zlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from table.records.format_detection import MOST_BYTES, load_game, read_game
from table.records.formats.game_record import GameRecord
from table.records.mjai.mjai_writer import write_mjai
from table.records.tenhou.mjlog_codes import TILES, read_meld
from table.records.tenhou.mjlog_reader import ruleset_of
from table.records.tenhou.tenhou6_codes import MeldCode, code_of, meld_text, tile_of, yaku_of
from table.records.tenhou.tenhou6_writer import write_tenhou6
from table.rules.events import AddedKan, Called, CallKind, ClosedKan, Discarded, Origin
from table.rules.terms.results import AbortReason, ResultKind
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import UNKNOWN, Tile, parse_tiles
from table.runtime.table_errors import RecordError
from tests.table.records.real_games import files
from tests.table.records.selfplay import selfplay_game

TWO_HANDS = b"""<mjloggm ver="2.3"><GO type="169" lobby="0"/><TAIKYOKU oya="0"/>
<INIT seed="0,0,0,2,0,36" ten="250,250,250,250" oya="0" hai0="0,4,8,12,16,20,24,28,32,36,40,44,48"
 hai1="1,5,9,13,17,21,25,29,33,37,41,45,49" hai2="2,6,10,14,18,22,26,30,34,38,42,46,50"
 hai3="3,7,11,15,19,23,27,31,35,39,43,47,51"/>
<T108/><RYUUKYOKU type="yao9" ba="0,0" sc="250,0,250,0,250,0,250,0" hai0="0,4"/>
<INIT seed="0,1,0,2,0,40" ten="250,250,250,250" oya="0" hai0="0,4,8,12,16,20,24,28,32,36,40,44,48"
 hai1="1,5,9,13,17,21,25,29,33,37,41,45,49" hai2="2,6,10,14,18,22,26,30,34,38,42,46,50"
 hai3="3,7,11,15,19,23,27,31,35,39,43,47,51"/><T108/>"""


def test_a_log_cut_short_keeps_its_complete_hands_and_says_so() -> None:
    record = read_game(TWO_HANDS, "cut.mjlog")
    assert len(record.hands) == 1
    assert record.cut_short == "hand 1 has no end"


DRAWN_HAND = b"""<mjloggm ver="2.3"><GO type="169" lobby="0"/><TAIKYOKU oya="0"/>
<INIT seed="0,0,0,2,0,36" ten="250,250,250,250" oya="0" hai0="0,4,8,12,16,20,24,28,32,36,40,44,48"
 hai1="1,5,9,13,17,21,25,29,33,37,41,45,49" hai2="2,6,10,14,18,22,26,30,34,38,42,46,50"
 hai3="3,7,11,15,19,23,27,31,35,39,43,47,51"/>
<T108/><REACH who="0" step="1"/><D108/><REACH who="0" ten="240,250,250,250" step="2"/><U135/><E49/>
<RYUUKYOKU ba="0,1" sc="240,30,250,-10,250,-10,250,-10" hai0="48,44,40,36,32,28,24,20,16,12,8,4,0"
 owari="280,48.0,240,4.0,240,-16.0,240,-36.0"/></mjloggm>"""


def test_a_log_has_each_riichi_its_stick_the_points_after_a_hand_and_those_at_the_end() -> None:
    record = read_game(DRAWN_HAND, "drawn.mjlog")
    (hand,) = record.hands
    assert [(move.seat, move.sideways, move.origin) for move in hand.moves if isinstance(move, Discarded)] == [
        (SEATS[0], True, Origin.DRAWN),
        (SEATS[1], False, Origin.HAND),
    ]
    assert hand.riichi == (SEATS[0],)
    assert hand.deltas == (2000, -1000, -1000, -1000)
    assert hand.recorded_scores == hand.scores == (27000, 24000, 24000, 24000)
    assert hand.shown_hands == (hand.deal.hands[0], None, None, None)
    assert (record.final, record.cut_short) == ((28000, 24000, 24000, 24000), None)
    endless = read_game(DRAWN_HAND.replace(b"owari", b"x"), "endless.mjlog")
    assert (endless.final, endless.cut_short) == (None, "the game has no end after 1 hand")


def test_gzipped_and_plain_logs_read_alike() -> None:
    assert read_game(gzip.compress(TWO_HANDS), "a") == read_game(TWO_HANDS, "a")


def test_a_gzipped_log_is_unpacked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    unpacked = 0
    begin = zlib.decompressobj

    def count(wbits: int) -> object:
        nonlocal unpacked
        unpacked += 1
        return begin(wbits=wbits)

    monkeypatch.setattr(zlib, "decompressobj", count)
    read_game(gzip.compress(TWO_HANDS), "a")
    assert unpacked == 1


def test_gzipped_records_of_other_formats_and_plain_ones_read_alike() -> None:
    mjai = "\n".join(json.dumps(line) for line in write_mjai(selfplay_game(1)))
    for text in (mjai, json.dumps(write_tenhou6(selfplay_game(1)))):
        assert read_game(gzip.compress(text.encode()), "a") == read_game(text.encode(), "a")


def test_a_gzipped_log_that_breaks_off_keeps_its_complete_hands() -> None:
    whole = gzip.compress(TWO_HANDS + b"<T60/><D60/>" * 40)
    assert len(read_game(whole[:-20], "a").hands) == 1


def test_packed_parts_in_a_row_are_one_text() -> None:
    mjai = "".join(f"{json.dumps(line)}\n" for line in write_mjai(selfplay_game(1))).encode()
    halves = mjai[:3000], mjai[3000:]
    assert read_game(b"".join(map(gzip.compress, halves)), "a") == read_game(mjai, "a")


@pytest.mark.parametrize("content", [b"{" + b" " * MOST_BYTES, gzip.compress(b" " * (4 * MOST_BYTES)), b"\0" * 2**25])
def test_what_is_far_larger_than_a_game_is_refused_and_never_unpacked(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bomb.mjson"
    path.write_bytes(content)
    tracemalloc.start()
    try:
        with pytest.raises(RecordError, match=r"bomb\.mjson: expected a game of at most 16777216 bytes"):
            load_game(path)
        assert tracemalloc.get_traced_memory()[1] < 3 * MOST_BYTES
    finally:
        tracemalloc.stop()


def test_a_device_without_an_end_is_no_game() -> None:
    with pytest.raises(RecordError, match="/dev/zero: expected a game of at most"):
        load_game(Path("/dev/zero"))


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85"])
def test_only_the_end_of_a_line_ends_one_of_mjai(sign: str) -> None:
    lines = [{**line, "why": f"a{sign}b"} for line in write_mjai(selfplay_game(1))]
    mjai = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    assert read_game(mjai.encode(), "a") == read_game(mjai.replace(sign, " ").encode(), "a")


@pytest.mark.parametrize(
    "data",
    [
        b'<mjloggm ver="2.3"><GO type="185" lobby="0"/>',
        json.dumps({"name": ["a", "b", "c", ""], "rule": {"disp": "\u4e09"}, "log": []}).encode(),
        b'{"type":"start_game","names":["a","b","c"]}',
    ],
    ids=["mjlog", "tenhou6", "mjai"],
)
def test_a_three_player_game_is_refused(data: bytes) -> None:
    with pytest.raises(RecordError, match=r"^log(, line 1)?: expected a game of four players, got one of three$"):
        read_game(data, "log")


def test_a_byte_order_mark_before_a_record_is_ignored() -> None:
    record = replace(selfplay_game(1), hands=selfplay_game(1).hands[:1])
    mjai = "\n".join(json.dumps(line) for line in write_mjai(record)).encode()
    for data in (TWO_HANDS, mjai, json.dumps(write_tenhou6(record)).encode()):
        assert read_game(codecs.BOM_UTF8 + data, "x") == read_game(data, "x")


def test_what_only_begins_like_gzip_is_refused() -> None:
    with pytest.raises(RecordError, match="x: expected gzipped text"):
        read_game(b"\x1f\x8b\x08garbage", "x")


@pytest.mark.parametrize("data", [b"", b"hello", b"PK\x03\x04", b"[1, 2]"])
def test_what_is_no_record_is_refused_with_what_was_expected(data: bytes) -> None:
    with pytest.raises(RecordError, match=r"expected mjlog .*, tenhou.net/6 JSON or mjai lines"):
        read_game(data, "x")


@pytest.mark.parametrize(
    "data",
    [
        b"<mjloggm><T5/></mjloggm>",
        b'<mjloggm><GO type="169"/><T5/>',
        b'<mjloggm><GO type="169"/><INIT seed="x"/>',
        b'{"type":"dahai","actor":0,"pai":"1m"}',
        b'{"type":"start_kyoku","bakaze":"E"}',
        b'{"log":[[[0,0,0],1]]}',
        b'{"log":3}',
        b'{"type":"start_game"}',
    ],
)
def test_broken_records_are_refused_and_named(data: bytes) -> None:
    with pytest.raises(RecordError, match=r"broken"):
        read_game(data, "broken")


def test_a_tag_before_the_first_deal_is_told_as_that() -> None:
    with pytest.raises(RecordError, match="x: expected a deal, got tag T5 before the first hand"):
        read_game(b'<mjloggm><GO type="169"/><T5/>', "x")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"nowhere.*expected readable game records"):
        load_game(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("flags", "field", "value"),
    [
        (0xA9, "length", "south"),
        (0xE1, "length", "east"),
        (0xA9, "red_pin", 1),
        (0xAB, "red_pin", 0),
        (0xA9, "open_tanyao", True),
        (0xAD, "open_tanyao", False),
    ],
)
def test_flags_of_the_header_choose_the_rules(flags: int, field: str, value: object) -> None:
    assert getattr(ruleset_of(flags, "x"), field) == value


@pytest.mark.parametrize(
    ("rule", "length", "open_tanyao"),
    [
        ("\u822c\u5357\u55b0\u8d64", "south", True),
        ("\u9cf3\u6771\u55b0\u8d64\u901f", "east", True),
        ("\u822c\u5357\u8d64", "south", False),
        ("\u7389\u306e\u9593\u5357", "south", True),
        ("Jade Room East", "east", True),
        ("", "south", True),
    ],
)
def test_rules_are_read_from_their_name_as_far_as_it_is_tenhous(rule: str, length: str, open_tanyao: bool) -> None:
    game = {**write_tenhou6(selfplay_game(1)), "rule": {"disp": rule, "aka": 1}}
    ruleset = read_game(json.dumps(game).encode(), "named").ruleset
    assert (ruleset.length, ruleset.open_tanyao) == (length, open_tanyao)


@pytest.mark.parametrize(
    ("header", "field", "value"),
    [
        ({"kyoku_first": 4}, "length", "east"),
        ({"preset": "m-league"}, "multiple_ron", "head_bump"),
        ({}, "west_in", True),
    ],
)
def test_the_header_of_mjai_chooses_the_rules(header: dict[str, object], field: str, value: object) -> None:
    first, *others = ("\n".join(json.dumps(line) for line in write_mjai(selfplay_game(1)))).splitlines()
    lines = [json.dumps({"type": "start_game", "names": json.loads(first)["names"], **header}), *others]
    assert getattr(read_game("\n".join(lines).encode(), "headed").ruleset, field) == value


def test_a_player_named_like_a_key_of_another_format_changes_nothing() -> None:
    names = ("log", '"log"', "#json=", "type")
    record = replace(selfplay_game(1), names=names)
    assert read_game(_mjai(write_mjai(record)), "named").names == names
    assert read_game(json.dumps(write_tenhou6(record)).encode(), "named").names == names


@pytest.mark.parametrize("null", [True, False], ids=["null", "left out"])
def test_points_that_a_deal_of_mjai_leaves_out_follow_from_the_hands_before(null: bool) -> None:
    lines = [dict(line) for line in write_mjai(selfplay_game(1))]
    for line in lines:
        if line["type"] == "start_kyoku":
            line.pop("scores")
            line.update({"scores": None} if null else {})
    assert read_game(_mjai(lines), "without points").hands == selfplay_game(1).hands


def test_a_deal_of_mjai_needs_points_where_nobody_knows_those_before() -> None:
    lines = [dict(line) for line in write_mjai(selfplay_game(1))]
    for line in lines:
        for name in ("deltas", "scores") if line["type"] != "start_game" else ():
            line.pop(name, None)
    with pytest.raises(RecordError, match="expected scores in a line of type start_kyoku, got none"):
        read_game(_mjai(lines), "without points")


def test_payments_that_mjai_leaves_out_follow_from_the_points_of_the_same_line() -> None:
    lines = [{key: value for key, value in line.items() if key != "deltas"} for line in write_mjai(selfplay_game(1))]
    again = read_game(_mjai(lines), "without payments")
    assert [hand.deltas for hand in again.hands] == [hand.deltas for hand in selfplay_game(1).hands]


def test_payments_of_two_winners_with_the_stick_are_told_by_the_points_after_both() -> None:
    hand = next(hand for hand in _double_ron().hands if len(hand.wins) == 2)
    assert hand.deltas == (-9000, -1000, 5000, 5000)


def _double_ron() -> GameRecord:
    """A hand with two winners after a riichi, each with its own payments; the first line's include the stick."""
    hidden = [["?"] * 13] * 4
    deal = {"bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0, "dora_marker": "9s", "tehais": hidden}
    first = {"deltas": [-4000, -1000, 5000, 0], "scores": [21000, 24000, 30000, 25000]}
    second = {"deltas": [-5000, 0, 0, 5000], "scores": [16000, 24000, 30000, 30000]}
    lines: list[dict[str, Any]] = [
        {"type": "start_kyoku", **deal, "scores": [25000] * 4},
        {"type": "reach", "actor": 1},
        {"type": "dahai", "actor": 1, "pai": "E", "tsumogiri": None},
        {"type": "reach_accepted", "actor": 1},
        {"type": "dahai", "actor": 0, "pai": "S", "tsumogiri": None},
        {"type": "hora", "actor": 2, "target": 0, "pai": "S", **first},
        {"type": "hora", "actor": 3, "target": 0, "pai": "S", **second},
        {"type": "end_kyoku"},
    ]
    return read_game(_mjai(lines), "two winners")


def test_yaku_by_another_programs_names_are_left_out_and_the_game_is_read() -> None:
    game = write_tenhou6(selfplay_game(1))
    won = next(hand[16] for hand in game["log"] if hand[16][0] == "\u548c\u4e86")
    won[2][4:] = ["\u5f79\u724c:\u5834\u98a8\u724c(1\u98dc)"]
    wins = [win for hand in read_game(json.dumps(game).encode(), "renamed").hands for win in hand.wins]
    assert wins[0].yaku is None


def call_of(seat: Seat, kind: CallKind, tile: str, from_seat: Seat, own_tiles: str) -> Called:
    """A call in one line."""
    return Called(seat=seat, kind=kind, tile=Tile(tile), from_seat=from_seat, own=parse_tiles(own_tiles))


@pytest.mark.parametrize(
    ("code", "move"),
    [
        (31871, call_of(Seat.LEFT, CallKind.CHI, "5p", Seat.FAR, "46p")),
        (18751, call_of(Seat.RIGHT, CallKind.CHI, "7m", Seat.NEAR, "89m")),
        (49258, call_of(Seat.FAR, CallKind.PON, "6z", Seat.NEAR, "66z")),
        (13313, call_of(Seat.NEAR, CallKind.OPEN_KAN, "0p", Seat.RIGHT, "555p")),
        (10240, ClosedKan(seat=Seat.LEFT, tiles=(Tile("2p"),) * 4)),
        (16947, AddedKan(seat=Seat.RIGHT, tile=Tile("3p"))),
    ],
    ids=["chi", "chi of the lowest", "pon", "open kan of a red five", "closed kan", "added kan"],
)
def test_packed_melds_are_unpacked(code: int, move: Called | ClosedKan | AddedKan) -> None:
    assert read_meld(code, move.seat) == move


def test_a_north_set_aside_is_no_meld_of_four_players() -> None:
    with pytest.raises(ValueError, match="a north set aside"):
        read_meld(0x7A20, Seat.NEAR)


def test_tenhou_numbers_the_tiles_kind_by_kind_and_the_first_five_is_red() -> None:
    assert TILES[0] is TILES[3] is Tile("1m")
    assert (TILES[16], TILES[17], TILES[135]) == (Tile("0m"), Tile("5m"), Tile("7z"))


@pytest.mark.parametrize("text", ["1m", "9p", "5s", "0m", "0p", "0s", "1z", "7z"])
def test_tile_numbers_of_tenhou6_read_back(text: str) -> None:
    assert tile_of(code_of(Tile(text))) is Tile(text)


@pytest.mark.parametrize("code", [10, 20, 48, 54, 60, 99])
def test_numbers_that_are_no_tile_are_refused(code: int) -> None:
    with pytest.raises(ValueError, match="expected a tile from 11 to 47"):
        tile_of(code)


@pytest.mark.parametrize(
    ("text", "letter", "tile", "source"),
    [
        ("c275226", "c", "7p", 3),
        ("p444444", "p", "4z", 3),
        ("44p4444", "p", "4z", 2),
        ("4444p44", "p", "4z", 1),
        ("m11111111", "m", "1m", 3),
        ("11m111111", "m", "1m", 2),
        ("111111m11", "m", "1m", 1),
    ],
)
def test_meld_strings_name_the_tile_and_where_it_came_from(text: str, letter: str, tile: str, source: int) -> None:
    meld = MeldCode.parse(text)
    assert (meld.letter, meld.tile, meld.source(Seat.NEAR)) == (letter, Tile(tile), SEATS[source])
    assert meld_text(letter, meld.tile, meld.tiles, Seat.NEAR.after(SEATS[source])) == text


def test_yaku_are_read_by_their_names_with_winds_behind() -> None:
    assert yaku_of("\u7acb\u76f4(1\u98dc)") == ("riichi", 1)
    assert yaku_of("\u5834\u98a8 \u6771(1\u98dc)") == ("round_wind", 1)
    assert yaku_of("\u56fd\u58eb\u7121\u53cc(\u5f79\u6e80)") == ("thirteen_orphans", 13)
    with pytest.raises(ValueError, match="expected a yaku"):
        yaku_of("riichi(1)")


def test_the_viewers_address_is_read_too() -> None:
    game = json.dumps(write_tenhou6(selfplay_game(1)))
    address = f"https://tenhou.net/6/#json={quote(game)}&ts=0"
    assert read_game(address.encode(), "address").hands == read_game(game.encode(), "object").hands


def test_tenhou6_that_breaks_off_keeps_its_complete_hands() -> None:
    text = json.dumps(write_tenhou6(selfplay_game(1))).encode()
    record = read_game(text[: len(text) * 2 // 3], "cut")
    assert 0 < len(record.hands) < len(selfplay_game(1).hands)
    assert record.cut_short is not None


def test_mjai_that_breaks_off_keeps_its_complete_hands() -> None:
    text = "\n".join(json.dumps(line) for line in write_mjai(selfplay_game(1))).encode()
    record = read_game(text[: len(text) * 2 // 3], "cut")
    assert record.hands == selfplay_game(1).hands[: len(record.hands)]
    assert record.cut_short is not None


def test_seats_are_turned_so_that_the_first_dealer_is_the_first_player() -> None:
    rotated = _turn(selfplay_game(1), 1)
    assert write_tenhou6(rotated)["log"] == write_tenhou6(selfplay_game(1))["log"]
    assert list(write_mjai(rotated)) == list(write_mjai(selfplay_game(1)))


def test_hidden_tiles_are_marked_in_both_forms() -> None:
    record = selfplay_game(1)
    deal = record.hands[0].deal
    unknown = (UNKNOWN,) * 13
    hidden = replace(record.hands[0], deal=replace(deal, hands=(unknown, unknown, unknown, unknown)))
    assert write_tenhou6(replace(record, hands=(hidden,)))["log"][0][4] == [0] * 13
    lines: list[dict[str, Any]] = list(write_mjai(replace(record, hands=(hidden,))))
    assert lines[1]["tehais"] == [["?"] * 13] * 4


@pytest.mark.parametrize("points", [3900, 12000, 1234])
@pytest.mark.parametrize("game", [1, 2], ids=["dealer", "others"])
def test_the_points_of_a_tsumo_read_back_even_if_no_payments_of_three_players_make_them(game: int, points: int) -> None:
    record = selfplay_game(game)
    hand = next(hand for hand in record.hands if hand.kind is ResultKind.TSUMO)
    assert (hand.wins[0].seat is hand.deal.dealer) == (game == 1)
    odd_hand = replace(hand, wins=(replace(hand.wins[0], points=points),))
    again = read_game(json.dumps(write_tenhou6(replace(record, hands=(odd_hand,)))).encode(), "odd")
    assert again.hands[0].wins[0].points == points


@pytest.mark.parametrize("reason", [reason for reason in AbortReason if reason.names.tenhou], ids=str)
def test_an_end_that_is_named_is_read_by_its_name_whatever_the_discards_suggest(reason: AbortReason) -> None:
    record = selfplay_game(2)
    drawn = next(hand for hand in record.hands if hand.kind is ResultKind.DRAW)
    kind = ResultKind.DRAW if reason is AbortReason.NAGASHI else ResultKind.ABORT
    named_hand = replace(drawn, reason=reason, kind=kind, deltas=(0, 0, 0, 0), tenpai=())
    again = read_game(json.dumps(write_tenhou6(replace(record, hands=(named_hand,)))).encode(), "named")
    assert (again.hands[0].reason, again.hands[0].kind) == (reason, kind)


def test_real_games_read_back_from_both_formats(shared: Path) -> None:
    for path in [*files(shared / "logs" / "tenhou", every=90), *files(shared / "logs" / "rare", every=3)]:
        record = load_game(path)
        if not record.hands:
            continue
        mjai = "\n".join(json.dumps(line) for line in write_mjai(record)).encode()
        for data in (mjai, json.dumps(write_tenhou6(record)).encode()):
            again = read_game(data, path.name)
            assert [_shape(hand) for hand in again.hands] == [_shape(hand) for hand in record.hands], path
            assert (again.final, again.ruleset) == (record.final, record.ruleset)


def _mjai(lines: Iterable[dict[str, Any]]) -> bytes:
    return "\n".join(json.dumps(line) for line in lines).encode()


def _shape(hand: Any) -> tuple[object, ...]:
    return hand.deal, hand.moves, hand.kind, hand.reason, hand.deltas, hand.shown_hands, hand.claimants


def _turn(record: GameRecord, by: int) -> GameRecord:
    """The same game with everybody sitting `by` seats further."""
    text = [json.loads(json.dumps(line)) for line in write_mjai(record)]
    for line in text:
        for name in ("actor", "target", "oya", "pao"):
            if line.get(name) is not None:
                line[name] = (line[name] + by) % 4
        for name in ("scores", "deltas", "tehais", "tenpais", "names"):
            if line.get(name) is not None:
                line[name] = line[name][-by:] + line[name][:-by]
    return read_game("\n".join(json.dumps(line) for line in text).encode(), "turned")


@pytest.mark.parametrize(
    "damage",
    [
        {"log": [7]},
        {"log": [[7]]},
        {"log": [None]},
        {"name": 7},
        {"rule": "南喜"},
        {"rule": [1]},
        {"rule": {"aka51": "many"}},
        {"rule": {"aka51": 500}},
        {"rule": {"aka51": []}},
        {"sc": 7},
        {"sc": [1]},
        {"sc": ["x"] * 8},
    ],
    ids=str,
)
def test_a_tenhou_net_6_object_of_other_values_is_told_with_its_place(damage: dict[str, Any]) -> None:
    game = write_tenhou6(selfplay_game(1))
    with pytest.raises(RecordError, match=r"^bent: expected "):
        read_game(json.dumps({**game, **damage}).encode(), "bent")


def test_a_kan_added_to_no_pon_is_told_when_the_game_is_written() -> None:
    hand = replace(selfplay_game(1).hands[0], moves=(AddedKan(seat=Seat.NEAR, tile=Tile("5z")),))
    with pytest.raises(RecordError, match="expected a pon before a kan is added to it, got none of 5z"):
        list(write_mjai(replace(selfplay_game(1), hands=(hand,))))
    with pytest.raises(RecordError, match="expected a pon before a kan is added to it, got none of 5z"):
        write_tenhou6(replace(selfplay_game(1), hands=(hand,)))
