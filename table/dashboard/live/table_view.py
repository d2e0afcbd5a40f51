"""The table as one JSON object for the common page: public facts only, in one language. Pure.

Private hints, verdicts and staff messages are never included; each has its own page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from table.dashboard.live.news_view import news_view
from table.dashboard.live.tournament_law import is_silent, open_snapshot
from table.dashboard.scores.adjustments import adjustments_view, end_view
from table.dashboard.scores.changeovers import changeovers_view
from table.dashboard.scores.hand_end_view import ending_view, possible_presses
from table.dashboard.scores.past_names import names_at_adjustments
from table.dashboard.scores.result_preview import is_last_hand
from table.dashboard.scores.score_text import final_view, graph_view, sheet_view, tie_text
from table.dashboard.scores.scorekeeping import early_end_text, edited_hands, is_watched, keeping_view, left_out_text
from table.dashboard.web.view import View, face_view
from table.game.commands.unseen_draw import is_tenpai_unknown
from table.game.journal.history.played_round import PlayedRound
from table.game.journal.recovery.journal_notice import JournalNotice, NoticeKind
from table.game.snapshot import CameraHealth, DeskClock, Doubt, Mode, Snapshot
from table.i18n import (
    Catalogue,
    round_name,
    seat_name,
    signed,
    tile_name,
)
from table.rules.aspects.ippatsu import window_to_show
from table.rules.foul_totals import is_last_discard
from table.rules.ruleset import MOST_MINUTES
from table.rules.state import GameState, HandState, Ippatsu, Phase, RiichiStage, RiverTile
from table.rules.terms.melds import Meld, MeldKind
from table.rules.terms.seats import SEATS, Seat, seat_wind


def table_view(snapshot: Snapshot, texts: Catalogue) -> View:
    """Returns the page's content: seats with rivers and melds, centre, news, doubts, settlement, score sheet."""
    snapshot = replace(snapshot, game=_on_the_table(snapshot.game))
    game, hand = snapshot.game, snapshot.game.hand
    dealer = _dealer(game)
    is_blind = snapshot.is_blind
    unknown = is_tenpai_unknown(game, snapshot.ruleset, is_blind=is_blind)
    ending = ending_view(game, snapshot.ruleset, texts, snapshot.names, is_tenpai_unknown=unknown, is_blind=is_blind)
    open_ends = tie_text(game, snapshot.ruleset, texts, snapshot.names)
    public_snapshot = open_snapshot(snapshot) if is_silent(snapshot) else snapshot
    return {
        "version": snapshot.version,
        "may_speak": snapshot.mode is not Mode.TOURNAMENT,
        "notices": [_notice(notice, texts) for notice in snapshot.notices],
        "camera": {"state": snapshot.camera.value, "text": texts.text(f"page.camera_{snapshot.camera.value}")},
        "centre": _centre(game, texts) | ({"left": None} if is_silent(snapshot) else {}),
        "seats": seats_view(public_snapshot, texts),
        "news": news_view(public_snapshot, dealer, texts),
        "foul_named": snapshot.proposal is not None,
        "foul_asked": _foul_line(snapshot, dealer, texts),
        "doubts": [_doubt(doubt, hand, texts, snapshot.names) for doubt in snapshot.doubts if hand is not None],
        "ending": ending,
        "presses": possible_presses(game, is_ending=ending is not None, is_tenpai_unknown=unknown),
        "sheet": _sheet(snapshot, texts),
        "adjustments": [
            *adjustments_view(
                game, texts, snapshot.names, all_names_then=names_at_adjustments(game.adjustments, snapshot.changes)
            ),
            *end_view(game, texts, snapshot.names),
        ],
        "changeovers": changeovers_view(snapshot.hand_names[: len(game.history)], snapshot.names, texts),
        "graph": graph_view(game),
        "clock": _clock(snapshot),
        "seated": _seated_text(snapshot, texts),
        "final": final_view(game, snapshot.ruleset, texts),
        "tie": " · ".join(filter(None, (early_end_text(snapshot, texts), left_out_text(snapshot, texts), open_ends))),
        "keeping": keeping_view(snapshot, texts),
    }


def _sheet(snapshot: Snapshot, texts: Catalogue) -> list[View]:
    """Returns the score sheet, in which edited hands are marked."""
    edited = edited_hands(snapshot.changes)
    rows = sheet_view(snapshot.game.history, texts, snapshot.game.adjustments)
    return [row | {"edited": texts.text("page.edited") if index in edited else ""} for index, row in enumerate(rows)]


def _foul_line(snapshot: Snapshot, dealer: Seat, texts: Catalogue) -> str:
    """Returns a line about the named foul that waits for an answer; empty if there is none.

    A foul of a finished hand names who sat there then, by the winds of that hand.
    """
    proposal, history = snapshot.proposal, snapshot.game.history
    if proposal is None:
        return ""
    if proposal.hand is not None and proposal.hand < len(history):
        dealer = history[proposal.hand].dealer
    name = seat_name(proposal.seat, dealer, texts, snapshot.names_in(proposal.hand))
    return texts.text("page.foul_named", seat=name)


def _clock(snapshot: Snapshot) -> View | None:
    """Returns the clock of a game in progress, whether time was called, and whether this is the last hand after it.

    At a tournament it is the desk's clock, otherwise the time limit of the rules; None without both until time is
    called. All times are by the table's own clock, which is in every answer of the server and by which the page counts.
    """
    game, desk = snapshot.game, snapshot.desk
    if game.is_over:
        return None
    is_called = game.ends_after is not None
    time_call = {"is_called": is_called, "is_last": is_last_hand(game)}
    if desk is not None and (_is_ahead(desk.until, snapshot.limit_start) or (desk.called_at and is_called)):
        return {"until": desk.until or None, "called_at": desk.called_at or None, **time_call}
    if not snapshot.ruleset.time_limit or not snapshot.limit_start:
        return {"until": None, "called_at": None, **time_call} if is_called else None
    minutes = min(snapshot.ruleset.time_limit, MOST_MINUTES)  # an earlier version's rules may have any number
    until = datetime.fromisoformat(snapshot.limit_start) + timedelta(minutes=minutes)
    return {"until": until.isoformat(timespec="milliseconds"), "called_at": None, **time_call}


def _seated_text(snapshot: Snapshot, texts: Catalogue) -> str:
    """Returns whom the desk has seated here for a round, until its game begins; empty without a desk."""
    desk, game = snapshot.desk, snapshot.game
    if desk is None or not desk.seated_round or (not game.is_over and (game.live is not None or game.history)):
        return ""
    if game.is_over and _has_played(snapshot.round, desk):
        return ""
    players = texts.list_text(
        texts.labelled(texts.name("wind", wind), name) for wind, name in zip("ESWN", desk.seated_names, strict=True)
    )
    return texts.text("page.seated_here", round=desk.seated_round, players=players)


def _has_played(game_round: str, desk: DeskClock) -> bool:
    """Returns whether a game was of the round for which the desk seats people here, or of a later one."""
    game, present = PlayedRound.parse(game_round), PlayedRound.parse(desk.round)
    if game is None or present is None or game.event != present.event:
        return False
    return game.number >= desk.seated_round


def _is_ahead(until: str, opened_at: str) -> bool:
    """Returns whether the desk's round ends after a game was opened; a desk that is gone never calls time.

    Both times are by the table's clock as it is set now.
    """
    return bool(until) and (not opened_at or datetime.fromisoformat(opened_at) < datetime.fromisoformat(until))


def _notice(notice: JournalNotice, texts: Catalogue) -> View:
    """Returns what is wrong with the journal, and what to do about it."""
    is_bare = notice.kind is NoticeKind.NEWER and not notice.backup
    text = texts.text(f"page.journal_{notice.kind.value}{'_bare' if is_bare else ''}", backup=notice.day)
    return {"kind": notice.kind.value, "text": text}


def _on_the_table(game: GameState) -> GameState:
    """Leaves out a settled hand of which nothing was seen, since people are looking at the next one."""
    is_past = game.live is None and game.on_table == len(game.history)
    return replace(game, hand=None) if is_past else game


def hand_dealer(snapshot: Snapshot) -> Seat:
    """Returns the dealer of the hand that the page shows."""
    return _dealer(snapshot.game)


def _dealer(game: GameState) -> Seat:
    """Returns the dealer of the shown hand; before the first one, its future dealer."""
    start = game.start_on_table
    return start.dealer if start is not None else Seat.NEAR


def _centre(game: GameState, texts: Catalogue) -> View:
    hand, start = game.hand, game.start_on_table
    return {
        "round": None if start is None else round_name(start.round, texts),
        "honba": 0 if start is None else start.honba,
        "deposits": game.deposits,
        "penalties": game.deposit_points,
        "penalties_text": signed(game.deposit_points),
        "left": None if hand is None or hand.has_gap else hand.tiles_left,
        "dora": [] if hand is None else [face_view(tile.text, texts) for tile in hand.dora_indicators],
        "live": game.live is not None,
    }


def seats_view(snapshot: Snapshot, texts: Catalogue) -> list[View]:
    """Returns the four seats with names, scores, rivers and melds."""
    snapshot = replace(snapshot, game=_on_the_table(snapshot.game))
    return [_seat(seat, snapshot, texts) for seat in SEATS]


def _seat(seat: Seat, snapshot: Snapshot, texts: Catalogue) -> View:
    game, hand = snapshot.game, snapshot.game.hand
    dealer = _dealer(game)
    score = game.scores[seat]
    name = seat_name(seat, dealer, texts)
    person = seat_name(seat, dealer, texts, snapshot.names)
    view: View = {
        "seat": int(seat),
        "name": name,
        "player": snapshot.names[seat],
        "number_text": texts.text("page.seat_number", number=seat + 1),
        "wind": seat_wind(seat, dealer).tile.text,
        "is_dealer": seat == dealer,
        "score": score,
        "score_text": signed(score, plus=""),
        "river": [],
        "melds": [],
        "entry": [],
        "stick": False,
        "turn": False,
        "badges": [],
        "labels": {part: texts.text(f"page.{part}", seat=person) for part in ("river", "discard", "melds")},
    }
    return view if hand is None else view | _in_hand(seat, hand, snapshot, texts)


def _in_hand(seat: Seat, hand: HandState, snapshot: Snapshot, texts: Catalogue) -> View:
    doubtful = {doubt.discard for doubt in snapshot.doubts}
    tiles = [tile for tile in hand.rivers[seat] if tile.called_by is None]
    return {
        "river": [_river_tile(tile, hand, doubtful, texts) for tile in tiles],
        "melds": [meld_view(meld, seat, texts) for meld in hand.melds[seat]],
        "entry": [meld_entry(meld) for meld in hand.melds[seat]],
        "stick": hand.is_live and (hand.sticks[seat] or hand.riichi[seat].is_accepted),
        "turn": _turn(snapshot, hand) == seat,
        "badges": _badges(hand, seat, texts) if hand.is_live else [],
    }


def _turn(snapshot: Snapshot, hand: HandState) -> Seat | None:
    """Returns whose turn it is according to the discards: the next seat's, unless somebody calls the tile.

    None if no camera follows the discards, and while nobody draws: a win is claimed, or the hand is over.
    """
    is_seen = is_watched(snapshot) and snapshot.camera is not CameraHealth.LOST
    if not is_seen or hand.phase is not Phase.PLAY:
        return None
    last = hand.claimable_tile
    if hand.turn is not None or last is None or is_last_discard(hand.fouls, last):
        return hand.turn
    return last.seat if last.kind.is_kan else SEATS[(last.seat + 1) % 4]


def _river_tile(tile: RiverTile, hand: HandState, doubtful: set[int], texts: Catalogue) -> View:
    name = tile_name(tile.tile.text, texts)
    sideways = {"name": texts.text("page.sideways", tile=name)} if tile.sideways else {}
    return {
        **face_view(tile.tile.text, texts),
        **sideways,
        "index": tile.discard_number,
        "sideways": tile.sideways,
        "is_last": tile.discard_number == hand.discards - 1,
        "is_doubtful": tile.discard_number in doubtful or not tile.tile.is_known,
    }


def _badges(hand: HandState, seat: Seat, texts: Catalogue) -> list[View]:
    riichi, window = hand.riichi[seat], window_to_show(hand, seat)
    badges: list[View] = []
    if riichi.stage is RiichiStage.DECLARED:
        badges.append({"kind": "declared", "text": texts.text("page.riichi_declared")})
    elif riichi.is_accepted:
        key = "page.double_riichi" if riichi.is_double else "page.riichi"
        badges.append({"kind": "riichi", "text": texts.text(key)})
    if window is not None:
        last = window is Ippatsu.LAST_CHANCE
        key = "page.ippatsu_last" if last else "page.ippatsu"
        badges.append({"kind": "ippatsu_last" if last else "ippatsu", "text": texts.text(key)})
    return badges


def _doubt(doubt: Doubt, hand: HandState, texts: Catalogue, names: Sequence[str]) -> View:
    place = next((at for at, tile in enumerate(hand.rivers[doubt.seat], 1) if tile.discard_number == doubt.discard), 0)
    name = seat_name(doubt.seat, hand.dealer, texts, names)
    faces = [doubt.tile, *(face for face, _ in doubt.alternatives if face != doubt.tile)][:4]
    return {
        "seat": int(doubt.seat),
        "discard": doubt.discard,
        "lying": doubt.tile_id,
        "text": texts.text("page.doubt_unread", seat=name, place=place)
        if doubt.tile == "?"
        else texts.text("page.doubt", seat=name, place=place, tile=tile_name(doubt.tile, texts)),
        "choices": [face_view(face, texts) | {"to": face} for face in faces if face != "?"],
    }


def meld_view(meld: Meld, owner: Seat, texts: Catalogue) -> View:
    """Returns a meld's tiles from its owner's left; the sideways one shows whose discard was called, if known."""
    tiles = _closed_kan(meld) if meld.kind is MeldKind.CLOSED_KAN else _open_meld(meld, owner)
    return {
        "kind": meld.kind.value,
        "tiles": [face_view(face, texts) | {"sideways": is_sideways} for face, is_sideways in tiles],
        "added": face_view(meld.tiles[-1].text, texts) | {"sideways": True}
        if meld.kind is MeldKind.ADDED_KAN
        else None,
    }


def meld_entry(meld: Meld) -> View:
    """Returns a meld as the tile keyboard writes it: its faces, and the text that `read_melds` reads."""
    faces = [tile.text for tile in sorted(meld.tiles)]
    text = "".join(faces)
    return {"tiles": faces, "text": f"({text})" if meld.kind is MeldKind.CLOSED_KAN else text}


def _closed_kan(meld: Meld) -> list[tuple[str, bool]]:
    """Returns a closed kan with its outer two tiles face down and a red five visible."""
    ordered = sorted(meld.tiles)
    return [("back", False), (ordered[-1].text, False), (ordered[-2].text, False), ("back", False)]


def _open_meld(meld: Meld, owner: Seat) -> list[tuple[str, bool]]:
    """Returns an open meld with the called tile sideways on the side of its seat; an added tile on it is left out.

    A meld that nobody saw being called has no sideways tile.
    """
    tiles = list(meld.tiles[:3] if meld.kind is MeldKind.ADDED_KAN else meld.tiles)
    if meld.from_seat is None or meld.called is None:
        return [(tile.text, False) for tile in sorted(tiles)]
    tiles.remove(meld.called)
    own_tiles = [(tile.text, False) for tile in sorted(tiles)]
    index = {3: 0, 2: 1, 1: len(own_tiles)}[meld.from_seat.after(owner)]
    return [*own_tiles[:index], (meld.called.text, True), *own_tiles[index:]]
