"""The table as a broadcast shows it: only its open state. Pure.

It never shows ippatsu, furiten, the number of tiles left, questions or suspicions; a wait is shown only if its player
declared it, and never at a tournament (WRC 12.3.8, EMA 6.11).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from table.dashboard.live.table_view import meld_view, table_view
from table.dashboard.scores.hand_end_view import hand_end_view
from table.dashboard.scores.payment_arrows import NO_EARLIER_PAYMENTS, EarlierPayments, earlier_payments_of
from table.dashboard.scores.result_preview import end_text, left_to_pay
from table.dashboard.scores.score_text import payments_view, sheet_view, thousands
from table.dashboard.web.view import View, face_view
from table.game.journal.entries import Names
from table.game.journal.history.game_history import standings_of
from table.game.snapshot import Mode, Snapshot
from table.i18n import Catalogue, isolated, lasting_names, seat_name
from table.rules.state import HandState
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import KIND_TILES

OF_CENTRE: Final = ("round", "honba", "deposits", "penalties", "dora")
OF_SEAT: Final = ("seat", "name", "player", "wind", "is_dealer", "score", "score_text", "melds", "stick", "labels")
OF_TILE: Final = ("face", "name", "sideways")
OF_WIN: Final = ("seat", "name", "tiles", "value", "yaku")


def broadcast_view(snapshot: Snapshot, texts: Catalogue, *, with_waits: bool) -> View:
    """Returns what a broadcast shows of a snapshot, including declared waits if `with_waits`."""
    table = table_view(replace(snapshot, announcements=(), doubts=(), felt=None), texts)
    return {
        "version": snapshot.version,
        "hands": len(snapshot.game.history),
        "centre": {name: table["centre"][name] for name in OF_CENTRE},
        "seats": [_seat(view, snapshot, texts, with_waits=with_waits) for view in table["seats"]],
        "won": _end_to_show(table["ending"], snapshot, texts),
        "standings": _standings(snapshot, table["seats"], texts),
    }


def _seat(view: View, snapshot: Snapshot, texts: Catalogue, *, with_waits: bool) -> View:
    hand, seat = snapshot.game.live, Seat(view["seat"])
    return {
        **{name: view[name] for name in OF_SEAT},
        "river": [{name: tile[name] for name in OF_TILE} for tile in view["river"]],
        "riichi": hand is not None and hand.riichi[seat].is_declared,
        "waits": _waits(hand, seat, texts) if with_waits and snapshot.mode is not Mode.TOURNAMENT else [],
    }


def _waits(hand: HandState | None, seat: Seat, texts: Catalogue) -> list[View]:
    wait = None if hand is None else hand.declared_waits[seat]
    return [face_view(KIND_TILES[kind].text, texts) for kind in sorted(wait or ())]


def _end_to_show(ending: View | None, snapshot: Snapshot, texts: Catalogue) -> View | None:
    """Returns how the hand ends or, until the next deal, how the last one ended; None while a hand is played.

    Payments are those by which the points at the table change: sticks and fouls paid during the hand are left out.
    What the end of the game moves in addition is described in words.
    """
    game = snapshot.game
    if ending is not None and game.hand is not None:
        names_now = _names(game.hand.dealer, snapshot.names, texts)
        return _end_view(ending, game.hand, texts, is_settled=False) | {"names": names_now}
    if game.live is not None or not game.history:
        return None
    last, players = game.history[-1], snapshot.names_in(len(game.history) - 1)
    settlement, at_end = last.settlement, end_text(game, texts, lasting_names(snapshot.names, texts))
    end = {"names": _names(last.dealer, players, texts), "at_end": at_end}
    if game.hand is not None and game.hand.claims:
        settled = hand_end_view(game.hand, snapshot.ruleset, texts, players, _paid_in(game.hand, snapshot))
        return _end_view(settled, game.hand, texts, is_settled=True) | end
    if settlement is None:
        return None
    row = sheet_view(game.history[-1:], texts)[0]
    names = {seat: seat_name(seat, last.dealer, texts, players) for seat in SEATS}
    wins = [
        {"seat": win["seat"], "name": names[Seat(win["seat"])], "tiles": [], "melds": []}
        | {"value": f"{win['value']} · {win['points']}", "yaku": win["yaku"]}
        for win in row["settled"]["wins"]
    ]
    return {
        "title": row["settled"]["title"],
        "wins": wins,
        "delta_texts": payments_view(left_to_pay(settlement, _paid_in(game.hand, snapshot)))["delta_texts"],
        "is_settled": True,
        **end,
    }


def _names(dealer: Seat, players: Names, texts: Catalogue) -> list[str]:
    """Returns the names of those who played a hand, by seat; of a seat without a name, its wind in that hand."""
    return [isolated(players[seat]) or seat_name(seat, dealer, texts) for seat in SEATS]


def _paid_in(hand: HandState | None, snapshot: Snapshot) -> EarlierPayments:
    """Returns what a settled hand had moved before its settlement; sticks not laid are charged by the settlement."""
    if hand is None:
        return NO_EARLIER_PAYMENTS
    stick_seats = earlier_payments_of(hand).stick_seats
    if snapshot.ruleset.riichi_stands_on == "passed_and_stick":
        stick_seats = tuple(seat for seat in stick_seats if hand.riichi[seat].stick_seen)
    return EarlierPayments(stick_seats=stick_seats, fouls=tuple(foul for foul in hand.fouls if not foul.is_late))


def _end_view(ending: View, hand: HandState | None, texts: Catalogue, *, is_settled: bool) -> View:
    wins = [_win(win, hand, texts) for win in (*ending["wins"], *ending["shown"])]
    payments = {"delta_texts": ending["delta_texts"], "at_end": ""}
    return {"title": ending["title"], "wins": wins, **payments, "is_settled": is_settled}


def _win(win: View, hand: HandState | None, texts: Catalogue) -> View:
    seat = Seat(win["seat"])
    melds = [] if hand is None else [meld_view(meld, seat, texts) for meld in hand.melds[seat]]
    return {name: win[name] for name in OF_WIN} | {"melds": melds}


def _standings(snapshot: Snapshot, seats: list[View], texts: Catalogue) -> list[View]:
    """Returns the seats by score: with places once a hand has ended, and final points once the game is over."""
    game = snapshot.game
    standings = standings_of(game, snapshot.ruleset, game.first_dealer)
    return [
        {
            "place": texts.text("page.place", place=standings.places[seat]) if game.history else "",
            "name": seats[seat]["player"] or seats[seat]["number_text" if game.is_over else "name"],
            "score_text": seats[seat]["score_text"],
            "points": thousands(standings.points[seat]) if game.is_over else "",
        }
        for seat in game.ranking or standings.ranking
    ]
