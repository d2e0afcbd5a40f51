"""Computes the value of a hand entered tile by tile: han, fu and yaku, with an explanation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from flask import Blueprint, jsonify

from table.dashboard.live.tournament_law import may_count
from table.dashboard.scores.score_text import fu_texts, worth_text, yaku_texts
from table.dashboard.web.access.roles import Role, visitor
from table.dashboard.web.answers import Answer, body_of, refusal_answer, refuse
from table.dashboard.web.browser_language import request_texts
from table.game.commands.command_reader import read_seat
from table.game.commands.declared_melds import unseen_melds
from table.game.snapshot import Board, Snapshot
from table.i18n import Catalogue
from table.rules.advance import advance
from table.rules.events import HandShown, HandStarted
from table.rules.notation.hand_text import NO_WIN, read_melds
from table.rules.scoring.hand_value import HandQuery, HandValue, NoWin, evaluate
from table.rules.state import FinishedHand, GameState
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import Seat, seat_wind
from table.rules.terms.tiles import Tile, parse_tiles
from table.rules.transitions.hand_end import preview_settlement
from table.runtime.table_errors import PressError

MOST_TILES: Final = 60
"""The most characters of a text of tiles."""
FACTS: Final = ("ippatsu", "is_last_tile", "after_kan", "robbing_kan", "is_first_turn")


def blueprint(board: Board) -> Blueprint:
    """Returns the routes that compute values."""
    hands = Blueprint("hands", __name__, url_prefix="/api")

    @hands.post("/value")
    def value() -> Answer:
        body = body_of(Role.SEAT)
        check_may_count(board.latest)
        snapshot, texts = board.latest, request_texts()
        try:
            found = evaluate(_query(body.fields, snapshot), snapshot.ruleset)
        except (PressError, RulesError) as error:
            return refusal_answer(error, 400)
        if isinstance(found, NoWin):
            return refusal_answer(
                f"expected a winning hand, got one that cannot win: {NO_WIN[found.reason]}", 409, says=found.reason
            )
        return jsonify(value_view(found, texts)), 200

    @hands.post("/shown")
    def shown_hand_value() -> Answer:
        body = body_of(Role.SEAT)
        try:
            seat, melds = read_seat(body.fields.get("seat")), _text("melds", body.fields).split(",")
            found = shown_value(board.latest, seat, _tiles("tiles", body.fields), [meld for meld in melds if meld])
        except (PressError, RulesError) as error:
            return refusal_answer(error, 409)
        return jsonify(value_view(found, request_texts())), 200

    return hands


def check_may_count(snapshot: Snapshot) -> None:
    """Aborts with 403 if a tournament player could use the value of a hand while playing it."""
    if not visitor().is_owner and not may_count(snapshot):
        refuse("expected a claimed win, got a tournament's hand that is still being played", 403, says="after_claim")


def shown_value(snapshot: Snapshot, seat: Seat, tiles: Sequence[Tile], melds: Sequence[str]) -> HandValue:
    """Returns the value of a claimed win with this hand, the winning tile last; the table provides everything else.

    `melds` are all melds of the hand if some may have gone unseen; empty for those that the table has seen.

    Raises:
        PressError: that seat has not claimed a win, or the hand cannot win.
        RulesError: the hand is impossible there.
    """
    live = snapshot.game.live
    if live is None or all(claim.seat is not seat for claim in live.claims):
        raise PressError(f"expected a claimed win of seat {int(seat)}, got none", says="no_claim")
    if not tiles:
        raise PressError("expected the tiles of the hand, the winning one last, got none", says="no_tiles")
    unseen = unseen_melds(melds, live, seat)
    event = HandShown(seat=seat, tiles=tuple(tiles[:-1]), winning_tile=tiles[-1], melds=unseen)
    step = advance(snapshot.game, event, snapshot.ruleset)
    hand = preview_settlement(step.state, snapshot.ruleset)
    value = None if hand is None else hand.values[seat]
    if value is None:
        reasons = [text for suspicion in step.suspicions for text in suspicion.evidence] or [
            "its value cannot be computed"
        ]
        raise PressError(f"expected a winning hand, got one that cannot win: {'; '.join(reasons)}", says="not_winning")
    return value


def value_view(value: HandValue, texts: Catalogue) -> dict[str, Any]:
    """Returns a hand's value as it is announced and as it is explained."""
    return {
        "han": value.han,
        "fu": value.fu,
        "yakuman": value.yakuman,
        "yaku": [list(yaku) for yaku in value.yaku],
        "title": worth_text(value, texts),
        "yaku_texts": yaku_texts(value.yaku, texts),
        "fu_texts": fu_texts(value, texts),
    }


def _hand_and_game(fields: Mapping[str, Any], game: GameState) -> tuple[HandStarted | FinishedHand, GameState]:
    """Returns the hand to value, with the game as it was then: a finished hand by its number, else the present one."""
    number = fields.get("hand")
    if number is None:
        if (start := game.present_start) is None:
            raise PressError("expected a game in progress, got one that has ended", says="game_over")
        return start, game
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(game.history):
        raise PressError(
            f"expected a finished hand, from 0 and below {len(game.history)}, got {number!r}", says="hand_unfinished"
        )
    return game.history[number], replace(game, history=game.history[:number], hand=None)


def _query(fields: Mapping[str, Any], snapshot: Snapshot) -> HandQuery:
    """Reads `{"seat", "from", "tiles", "melds", "dora", "ura", "riichi", "ippatsu" …}`, the winning tile last."""
    start, game = _hand_and_game(fields, snapshot.game)
    seat, source = read_seat(fields.get("seat")), read_seat(fields.get("from"))
    tiles = _tiles("tiles", fields)
    if not tiles:
        raise PressError("expected the tiles of the hand, the winning one last, got none", says="no_tiles")
    riichi = fields.get("riichi", 0)
    if riichi not in (0, 1, 2) or isinstance(riichi, bool):
        raise PressError(f"expected riichi as 0, 1 or 2, got {riichi!r}", says="unreadable")
    level: Literal[0, 1, 2] = riichi
    live = game.live
    return HandQuery(
        concealed=tiles[:-1],
        melds=read_melds(_text("melds", fields)),
        winning_tile=tiles[-1],
        is_tsumo=seat is source,
        seat_wind=seat_wind(seat, start.dealer),
        round_wind=start.round.wind,
        riichi=level,
        is_open_riichi=live is not None and live.riichi[seat].is_laid_open,
        fed_outside_riichi=live is not None and seat is not source and not live.riichi[source].is_declared,
        wins_before=game.wins_in_a_row(seat),
        honba=start.honba,
        dora_indicators=_indicators("dora", fields),
        ura_indicators=_indicators("ura", fields) if riichi else (),
        **{name: fields.get(name) is True for name in FACTS},
    )


def _tiles(name: str, fields: Mapping[str, Any]) -> tuple[Tile, ...]:
    return parse_tiles(_text(name, fields))


def _indicators(name: str, fields: Mapping[str, Any]) -> tuple[Tile, ...]:
    tiles = _tiles(name, fields)
    if not all(tile.is_known for tile in tiles):
        raise PressError(f"expected the faces of the {name} indicators, got an unknown one", says="unreadable")
    return tiles


def _text(name: str, fields: Mapping[str, Any]) -> str:
    text = fields.get(name) or ""
    if not isinstance(text, str) or len(text) > MOST_TILES:
        raise PressError(f"expected {name} as a text of {MOST_TILES} letters at most, got {text!r}", says="unreadable")
    return text
