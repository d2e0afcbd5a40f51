"""Reads tenhou.net/6 JSON, the format of Tenhou's log viewer and editor."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, Final
from urllib.parse import unquote

from table.records.formats.checked_values import checked_number, four_numbers, list_of, object_of, one_of, seat_of
from table.records.formats.game_record import GameRecord, HandRecord, PointCorrection, names_of
from table.records.formats.header_rules import rules_in
from table.records.formats.json_kind import json_kind
from table.records.formats.late_penalties import dues_in, earlier_dues_in
from table.records.tenhou.tenhou6_codes import (
    CORRECTED,
    DUES,
    ENTERED_RIICHI,
    FOUL_PAYMENTS,
    PENALTIES,
    TENPAI,
    TRUNCATED,
)
from table.records.tenhou.tenhou6_hand import read_hand
from table.rulebook.ruleset_reader import preset_rules
from table.rules.penalties.consequence import Due
from table.rules.ruleset import Ruleset
from table.rules.terms.amounts import amount
from table.rules.terms.results import AbortReason, Deltas, ResultKind
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import Seat
from table.runtime.table_errors import RecordError, TachiaiError
from vision.json_text import read_any_json

_PARTS: Final = 17
"""The parts of a hand: its number, points, indicators, ura, three of each seat, and its result."""
_PENALTIES: Final = {reason.value: reason for reason in AbortReason if reason.is_penalty}
_TENHOU_RULE: Final = re.compile(r"(?:L\d+)?\s*[四三般上級特鳳凰若銀琥孔雀技能]*[東南](喰?)赤?速?")
"""The names of Tenhou's own rules; other names do not determine open tanyao."""


def read_tenhou6(data: bytes, source: str) -> GameRecord:
    """Reads one game: the JSON object, or the viewer's address with the object after ``#json=``.

    Raises:
        RecordError: for a three-player game, or data that is not a game.
    """
    text = data.decode("utf-8-sig", errors="replace").strip()
    if not text.startswith("{") and "#json=" in text:
        text = unquote(text.split("#json=", 1)[1].split("&ts=", 1)[0])
    try:
        game = read_any_json(text)
    except json.JSONDecodeError as error:
        return _read_cut(text, source, error)
    except ValueError as error:
        raise RecordError(f"{source}: expected a tenhou.net/6 object, got another text: {error}") from error
    return _read(game, source, None)


def _read_cut(text: str, source: str, error: json.JSONDecodeError) -> GameRecord:
    """Reads the complete hands of a truncated object."""
    start = text.find('"log"')
    bracket = text.find("[", start)
    if start < 0 or bracket < 0:
        raise RecordError(f"{source}: expected a tenhou.net/6 object, got another text: {error}") from error
    decoder, hands, position = json.JSONDecoder(), [], bracket + 1
    while True:
        position += len(text[position:]) - len(text[position:].lstrip(" ,\r\n\t"))
        try:
            hand, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        hands.append(hand)
    return _read(
        {**_header(text[:start]), "log": hands}, source, f"the text breaks off after {amount(len(hands), 'hand')}"
    )


def _header(text: str) -> dict[str, Any]:
    """Returns the names and the rules before the hands of a truncated object; empty if they cannot be read."""
    try:
        header = read_any_json(f'{text}"log": []}}')
    except ValueError:
        return {}
    return {key: value for key, value in header.items() if key in ("name", "rule")} if isinstance(header, dict) else {}


def _read(game: Any, source: str, missing_part: str | None) -> GameRecord:
    if not isinstance(game, dict) or not isinstance(game.get("log"), list):
        raise RecordError(f"{source}: expected a tenhou.net/6 object with a log, got {json_kind(game)}")
    try:
        return _read_object(game, missing_part)
    except TachiaiError as error:
        raise RecordError(f"{source}: {error}") from error
    except (IndexError, KeyError, TypeError, ValueError, AttributeError, RulesError) as error:
        raise RecordError(f"{source}: expected a tenhou.net/6 object, got an unreadable one: {error}") from error


def _read_object(game: dict[str, Any], missing_part: str | None) -> GameRecord:
    ruleset, corrections = _ruleset(game), _corrections(game)
    tenpai, entered_riichi = _seats_by_hand(game, TENPAI), _seats_by_hand(game, ENTERED_RIICHI)
    penalties, foul_payments, dues = _penalties(game), _foul_payments(game), _dues(game)
    hands: list[HandRecord] = []
    for index, entry in enumerate(game["log"]):
        try:
            hand = read_hand(entry, ruleset)
        except (RecordError, RulesError) as error:
            raise RecordError(f"hand {index}: {error}") from error
        except (IndexError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise RecordError(
                f"hand {index}: expected a hand of tenhou.net/6, got an unreadable one: {error}"
            ) from error
        hand = replace(hand, tenpai=tenpai.get(index, ()), entered_riichi=entered_riichi.get(index))
        if (penalty := penalties.get(index)) is not None:
            hand = replace(hand, kind=ResultKind.ABORT, reason=penalty)
        if hand.reason is AbortReason.NINE_TERMINALS and hand.entered_riichi is not None:
            hand = replace(hand, claimants=())  # nobody saw who called
        hand = replace(hand, foul_payments=foul_payments.get(index), dues=dues.get(index, ()))
        deal = replace(hand.deal, corrected=corrections.get(index))
        if hands:
            hands[-1], deal = hands[-1].before(deal), hands[-1].followed_by(deal)
        hands.append(replace(hand, deal=deal))
    final = game.get("sc")
    return GameRecord(
        ruleset=ruleset,
        hands=tuple(hands),
        corrected=corrections.get(len(hands)),
        final=four_numbers(list_of(final, "sc")[0::2], "points in sc") if final else None,
        dues=dues_in(game),
        earlier_dues=earlier_dues_in(game),
        cut_short=missing_part or ("it was exported truncated or unfinished" if game.get(TRUNCATED) else None),
        names=names_of(game.get("name")),
    )


def _corrections(game: dict[str, Any]) -> dict[int, PointCorrection]:
    """Returns what people corrected by hand, by the index of the hand."""
    found = {}
    for correction in list_of(game.get(CORRECTED) or [], CORRECTED):
        index, points, sticks = list_of(correction, CORRECTED)
        changes = PointCorrection(
            points=four_numbers(points, "corrected points"), sticks=checked_number(sticks, "corrected sticks")
        )
        found[checked_number(index, "hand", minimum=0)] = changes
    return found


def _penalties(game: dict[str, Any]) -> dict[int, AbortReason]:
    """Returns the penalties that ended hands, by the index of the hand."""
    entries = [list_of(entry, PENALTIES) for entry in list_of(game.get(PENALTIES) or [], PENALTIES)]
    return {checked_number(index, "hand", minimum=0): one_of(_PENALTIES, name, "a penalty") for index, name in entries}


def _foul_payments(game: dict[str, Any]) -> dict[int, Deltas]:
    """Returns what fouls moved in hands that they did not end, by the index of the hand."""
    entries = [list_of(entry, FOUL_PAYMENTS) for entry in list_of(game.get(FOUL_PAYMENTS) or [], FOUL_PAYMENTS)]
    return {checked_number(index, "hand", minimum=0): four_numbers(points, FOUL_PAYMENTS) for index, points in entries}


def _dues(game: dict[str, Any]) -> dict[int, tuple[Due, ...]]:
    """Returns the penalties at the end of the game, by the index of the hand of the foul."""
    entries = [list_of(entry, DUES) for entry in list_of(game.get(DUES) or [], DUES)]
    return {checked_number(index, "hand", minimum=0): dues_in(object_of(fields, DUES)) for index, fields in entries}


def _seats_by_hand(game: dict[str, Any], key: str) -> dict[int, tuple[Seat, ...]]:
    """Returns the seats that one of our own keys has for some hands, by the index of the hand."""
    found = {}
    for entry in list_of(game.get(key) or [], key):
        index, seats = list_of(entry, key)
        found[checked_number(index, "hand", minimum=0)] = tuple(seat_of(seat, key) for seat in list_of(seats, key))
    return found


def _ruleset(game: dict[str, Any]) -> Ruleset:
    rule = object_of(game.get("rule") or {}, "rule")
    display_name = str(rule.get("disp", ""))
    names = game.get("name") or ["", "", "", ""]
    hands = [list_of(entry, "a hand") for entry in game["log"]]
    if "三" in display_name or len(names) == 3 or any(len(hand) >= _PARTS and not hand[13] for hand in hands):
        raise RecordError("expected a game of four players, got one of three")
    if hands and (fewest := min(map(len, hands))) < _PARTS:
        raise RecordError(f"expected hands of {_PARTS} parts, as of four players, got one of {fewest}")
    if (named_rules := rules_in(rule)) is not None:
        return named_rules
    tenhou_rule = _TENHOU_RULE.fullmatch(display_name)
    reds = {
        suit: rule.get(key, rule.get("aka", 1)) for suit, key in zip("mps", ("aka51", "aka52", "aka53"), strict=True)
    }
    return preset_rules("tenhou").switches.but(
        red_man=checked_number(reds["m"], "red fives"),
        red_pin=checked_number(reds["p"], "red fives"),
        red_sou=checked_number(reds["s"], "red fives"),
        open_tanyao=tenhou_rule is None or bool(tenhou_rule[1]),
        length="east" if "東" in display_name or "East" in display_name else "south",
    )
