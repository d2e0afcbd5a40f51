"""The end of a hand before its settlement: claims, values of shown hands, and missing facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from table.dashboard.scores.open_questions import again_text, by_hand_view, declarations_view, missing_text
from table.dashboard.scores.payment_arrows import NO_EARLIER_PAYMENTS, EarlierPayments, earlier_payments_of
from table.dashboard.scores.result_preview import (
    arrows_view,
    earlier_payment_notes,
    left_to_pay,
    moved_chips_view,
    voided_chombo_notes,
)
from table.dashboard.scores.score_text import (
    abort_title,
    fu_texts,
    payments_view,
    settlement_title,
    value_text,
    win_title,
    worth_text,
    yaku_texts,
)
from table.dashboard.web.view import View, face_view
from table.game.journal.entries import NOBODY
from table.i18n import Catalogue, payments_text, seat_name
from table.rules.events import HandShown, WinKind
from table.rules.foul_totals import in_force
from table.rules.penalties.consequence import game_end_costs
from table.rules.ruleset import Ruleset
from table.rules.state import Claim, FactKind, GameState, HandState, MissingFact, Phase
from table.rules.terms.results import NOTHING, AbortReason
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import Tile
from table.rules.transitions.hand_end import preview_settlement


def ending_view(
    game: GameState,
    ruleset: Ruleset,
    texts: Catalogue,
    names: Sequence[str] = NOBODY,
    *,
    is_tenpai_unknown: bool = False,
    is_blind: bool = False,
) -> View | None:
    """Returns what people are about to confirm; None while the hand is played or once it is settled.

    If nobody saw who was tenpai at a draw, that fact is missing, and there are no payments. While the camera
    `is_blind`, every missing fact can be entered by hand.
    """
    hand = preview_settlement(game, ruleset)
    if hand is None or not (hand.phase in (Phase.CLAIMED, Phase.ENDING) or _penalty(hand) is not None):
        return None
    if is_tenpai_unknown:
        hand = replace(hand, proposal=None, missing=tuple(dict.fromkeys((MissingFact(FactKind.TENPAI), *hand.missing))))
    view = hand_end_view(hand, ruleset, texts, names, earlier_payments_of(game.live))
    by_hand = by_hand_view(hand, game, texts, is_blind=is_blind)
    again = again_text(hand, game, texts)
    return view | {"declarations": declarations_view(hand, texts, names), "by_hand": by_hand, "again": again}


def is_ended_by_foul(game: GameState, ruleset: Ruleset) -> bool:
    """Returns whether a penalty ends the hand in play as soon as somebody confirms."""
    hand = preview_settlement(game, ruleset)
    return hand is not None and _penalty(hand) is not None


def hand_end_view(
    hand: HandState,
    ruleset: Ruleset,
    texts: Catalogue,
    names: Sequence[str],
    earlier_payments: EarlierPayments = NO_EARLIER_PAYMENTS,
) -> View:
    """Returns the end of a hand, before or after confirmation: claims, shown hands, missing facts and payments.

    The payments are those left after `earlier_payments`.
    """
    proposal = hand.proposal
    return {
        "title": _title(hand, texts, names),
        "wins": [_claim(claim, hand, texts, names) for claim in hand.claims],
        "shown": [_hand_view(seat, hand, texts, names) for seat in SEATS if hand.shown_hands[seat] and not hand.claims],
        "missing": list(dict.fromkeys(missing_text(fact, hand, ruleset, texts, names) for fact in hand.missing)),
        "flows": []
        if proposal is None
        else arrows_view(
            proposal, _valid_riichi(hand), hand.start.honba, ruleset, hand.fouls, earlier_payments=earlier_payments
        ),
        "notes": []
        if proposal is None
        else [
            *voided_chombo_notes(proposal, hand.fouls, hand.dealer, texts, names),
            *earlier_payment_notes(earlier_payments, hand.dealer, texts, names),
        ],
        **payments_view(None if proposal is None else left_to_pay(proposal, earlier_payments)),
        **moved_chips_view(None if proposal is None else proposal.chips, texts),
    }


def possible_presses(game: GameState, *, is_ending: bool, is_tenpai_unknown: bool) -> list[str]:
    """Returns what can be claimed and decided now; nothing between hands.

    Args:
        game: the game.
        is_ending: whether there is something to confirm.
        is_tenpai_unknown: whether people must say first who was tenpai.
    """
    hand = game.live
    if hand is None:
        return []
    is_played = hand.phase is Phase.PLAY and not is_ending
    may_ron = is_played or hand.phase is not Phase.PLAY
    is_drawn = any(claim.kind is WinKind.TSUMO for claim in hand.claims)
    possible = {
        "ron": (bool(hand.laid_tiles) or hand.is_behind) and may_ron and not is_drawn,
        "tsumo": is_played,
        "draw": is_played,
        "cancel": bool(hand.claims),
        "confirm": is_ending and not is_tenpai_unknown,
    }
    return [press for press, is_possible in possible.items() if is_possible]


def _valid_riichi(hand: HandState) -> tuple[Seat, ...]:
    """Returns the seats whose riichi is valid in this hand."""
    return tuple(seat for seat in SEATS if hand.riichi[seat].is_declared and hand.riichi[seat].has_passed)


def _penalty(hand: HandState) -> AbortReason | None:
    """Returns how a penalty ends the hand; None if none does."""
    return None if hand.proposal is None else hand.proposal.penalty


def _title(hand: HandState, texts: Catalogue, names: Sequence[str]) -> str:
    if (penalty := _penalty(hand)) is not None:
        return " · ".join(filter(None, (abort_title(penalty, texts), _late_costs_text(hand, texts, names))))
    if hand.claims:
        return " · ".join(win_title(claim.seat, claim.from_seat, hand.dealer, texts, names) for claim in hand.claims)
    if hand.abort is not None:
        return abort_title(hand.abort, texts)
    return texts.text("result.wall_empty") if hand.proposal is None else settlement_title(hand.proposal, texts)


def _late_costs_text(hand: HandState, texts: Catalogue, names: Sequence[str]) -> str:
    """Returns what the fouls of a hand that a penalty ends cost at the end of the game; empty if nothing."""
    later = game_end_costs([due for foul in in_force(hand.fouls) for due in foul.outcome.dues])
    return payments_text(NOTHING, hand.dealer, texts, names, later=later) if later else ""


def _claim(claim: Claim, hand: HandState, texts: Catalogue, names: Sequence[str]) -> View:
    value = hand.values[claim.seat]
    possible_discarders = [seat for seat in SEATS if claim.from_seat is None and seat is not claim.seat]
    view = _hand_view(claim.seat, hand, texts, names) | {
        "press": claim.kind.value,
        "uncounted": False,
        "may_tell_melds": hand.has_gap,
        "discarders": [
            {"seat": int(seat), "name": seat_name(seat, hand.dealer, texts, names)} for seat in possible_discarders
        ],
    }
    if value is not None:
        return view | {
            "value": worth_text(value, texts),
            "yaku": yaku_texts(value.yaku, texts),
            "fu": fu_texts(value, texts),
        }
    declared_value = _declared_value(claim, hand, texts)
    if not {MissingFact(kind, claim.seat) for kind in (FactKind.HAND, FactKind.YAKU)} & {*hand.missing}:
        return view | {"value": declared_value or ""}
    no_value = "" if declared_value is None else texts.text("result.no_value", value=declared_value)
    return view | {"value": no_value, "uncounted": hand.shown_hands[claim.seat] is None}


def _declared_value(claim: Claim, hand: HandState, texts: Catalogue) -> str | None:
    """Returns the value that people entered for a win, None if they entered none; of a yakuman, from the payments."""
    if claim.han is not None:
        return value_text(claim.han, claim.fu, 0, texts)
    wins = () if hand.proposal is None else hand.proposal.wins
    return next((value_text(win.han, win.fu, win.yakuman, texts) for win in wins if win.seat is claim.seat), None)


def _hand_view(seat: Seat, hand: HandState, texts: Catalogue, names: Sequence[str]) -> View:
    shown_hand = hand.shown_hands[seat]
    return {
        "seat": int(seat),
        "name": seat_name(seat, hand.dealer, texts, names),
        "tiles": [] if shown_hand is None else _tiles(shown_hand, _winning_tile(shown_hand, seat, hand), texts),
        "entry": _entry(shown_hand, seat, hand),
        "value": "",
        "yaku": [],
        "fu": [],
    }


def _entry(shown_hand: HandShown | None, seat: Seat, hand: HandState) -> list[str]:
    """Returns the faces as people enter them, the winning one last: the initial content of a correction."""
    if shown_hand is None:
        return []
    winning_tile = _winning_tile(shown_hand, seat, hand)
    tiles = [*sorted(shown_hand.tiles), *([] if winning_tile is None else [winning_tile])]
    return [tile.text for tile in tiles if tile.is_known]


def _winning_tile(shown_hand: HandShown, seat: Seat, hand: HandState) -> Tile | None:
    """Returns the tile won on, also where it still lies in a river; None if there is none."""
    claim = next((seat_claim for seat_claim in hand.claims if seat_claim.seat is seat), None)
    laid_tile = None if claim is None or claim.laid_tile is None else claim.laid_tile.tile
    return shown_hand.winning_tile if laid_tile is None or not laid_tile.is_known else laid_tile


def _tiles(shown_hand: HandShown, winning_tile: Tile | None, texts: Catalogue) -> list[View]:
    """Returns the concealed tiles in order, the winning one last and marked."""
    tiles = [face_view(tile.text, texts) | {"is_last": False} for tile in sorted(shown_hand.tiles)]
    return tiles if winning_tile is None else [*tiles, face_view(winning_tile.text, texts) | {"is_last": True}]
