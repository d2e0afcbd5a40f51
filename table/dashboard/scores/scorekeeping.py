"""The data for keeping the score by hand: initial values, what the rules allow, what can be undone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Final
from zlib import crc32

from table.dashboard.web.clause_names import cancellation_text
from table.dashboard.web.view import View
from table.game.commands.confirm_keys import ending_key
from table.game.commands.unseen_draw import is_unseen
from table.game.journal.authors import DESK, PANEL, TABLE, author_name, author_seat, authors, is_owner
from table.game.journal.entries import Corrected, CountedInSeason, Inserted, Names, PlayersNamed, Redone, Undone
from table.game.journal.history.change_history import Change, Changes
from table.game.snapshot import Mode, Snapshot
from table.i18n import Catalogue, lasting_name, round_name
from table.rules.events import (
    FoulCancelled,
    FoulLogged,
    GameEnded,
    HandShown,
    ResultDeclared,
    RiichiOpened,
    RiichiReported,
    RiichiVoiced,
    TenpaiStated,
    WinClaimed,
    WinWithdrawn,
)
from table.rules.foul_totals import is_noten_riichi
from table.rules.ruleset import Ruleset
from table.rules.state import FinishedHand, GameState, HandState, Phase
from table.rules.terms.results import ABORTS
from table.rules.terms.seats import SEATS, Seat

MISCOUNTED: Final = 4
"""The most tiles left at which a draw needs no question: the camera may have missed a few discards."""
_SEAT_EVENTS: Final = (
    FoulLogged,
    HandShown,
    RiichiOpened,
    RiichiReported,
    RiichiVoiced,
    TenpaiStated,
    WinClaimed,
    WinWithdrawn,
)
"""Acts that the history shows with the seat that they concern, besides the person who entered them."""
_WITHOUT_SEAT: Final = {PANEL: "fouls.panel", TABLE: "fouls.table", DESK: "desk.desk"}
"""The texts of authors who are no person."""


def keeping_view(snapshot: Snapshot, texts: Catalogue) -> View:
    """Returns the initial content of the settling sheet."""
    game, rules = snapshot.game, snapshot.ruleset
    hand = game.live
    return {
        "game": snapshot.opened_by,
        "hand": len(game.history),
        "order": [int(seat) for seat in snapshot.seating.people],
        "rules": rules_mark(rules),
        "seen": ending_key(game, rules, snapshot.opened_by, snapshot.seating),
        "fouls": "" if hand is None or not hand.fouls else _mark(hand.fouls),
        "is_over": game.is_over,
        "is_watched": is_watched(snapshot),
        "may_hint": snapshot.mode is not Mode.TOURNAMENT,
        "riichi": [] if hand is None else [int(seat) for seat in SEATS if hand.riichi[seat].is_declared],
        "from": None
        if hand is None or hand.claimable_tile is None or hand.is_behind
        else int(hand.claimable_tile.seat),
        "tenpai": [] if hand is None else [int(seat) for seat in _tenpai(hand, rules)],
        "aborts": [{"reason": reason, "text": texts.name("abort", reason)} for reason in _aborts(rules)],
        "nagashi": rules.nagashi_mangan,
        "draw_by_hand": hand is not None and is_unseen(hand, is_blind=snapshot.is_blind),
        "early_draw": "" if snapshot.mode is Mode.TOURNAMENT else _early_draw(hand, texts),
        "chips": rules.chips.are_played,
        "may_open_riichi": rules.open_riichi and hand is not None and hand.phase is Phase.PLAY,
        "paos": [{"yakuman": yakuman, "text": texts.name("yaku", yakuman)} for yakuman in rules.pao_yakuman],
        "undo": _next_change_view(snapshot.changes, snapshot.changes.undo, "undo", texts),
        "redo": _next_change_view(snapshot.changes, snapshot.changes.redo, "redo", texts),
    }


def is_watched(snapshot: Snapshot) -> bool:
    """Returns whether a camera follows the hand; otherwise people keep the score by hand."""
    hand = snapshot.game.live
    return snapshot.felt is not None or bool(hand and hand.discards)


def rules_mark(rules: Ruleset) -> str:
    """Returns a short name for the payments under these rules; when it changes, a page requests the grid of values.

    Penalties are not included, since the page for fouls requests them with every change of the table; nor is the time
    limit, which affects no payment.
    """
    left_out = ("penalties", "time_limit")
    switches = {field.name: getattr(rules, field.name) for field in fields(rules) if field.name not in left_out}
    return _mark(switches)


def _mark(content: object) -> str:
    """Returns a short text that changes with the content."""
    return f"{crc32(repr(content).encode()):08x}"


def _tenpai(hand: HandState, rules: Ruleset) -> list[Seat]:
    """Returns the seats known to be tenpai: in riichi, or as shown and said, unless people decided on noten riichi."""
    seats = [seat for seat in SEATS if hand.tenpai[seat] or hand.riichi[seat].is_declared or hand.shown_hands[seat]]
    return [seat for seat in seats if not is_noten_riichi(hand.fouls, seat, rules.penalties)]


def _early_draw(hand: HandState | None, texts: Catalogue) -> str:
    """Returns the question about a draw while the camera still counts tiles left; empty if it need not be asked."""
    if hand is None or hand.phase is not Phase.PLAY or not hand.discards or hand.has_gap:
        return ""
    return texts.text("page.early_draw", count=hand.tiles_left) if hand.tiles_left > MISCOUNTED else ""


def _aborts(rules: Ruleset) -> list[str]:
    return [reason.value for reason in ABORTS if rules.has_abort(reason)]


def _next_change_view(changes: Changes, act: int | None, direction: str, texts: Catalogue) -> View | None:
    """Returns the act that the next undo or redo affects, in words."""
    change = next((found for found in changes.all if found.act == act), None)
    if act is None or change is None:
        return None
    return {"act": act, "text": texts.text(f"page.{direction}_what", what=change_text(change, texts))}


def change_text(change: Change, texts: Catalogue) -> str:
    """Returns what somebody did, in a few words."""
    if is_edit(change):
        return texts.name("change", "edited")
    if isinstance(change.body, PlayersNamed) and change.body.is_substitution:
        return texts.name("change", "substituted")
    if isinstance(change.body, CountedInSeason) and not change.body.counts:
        return texts.name("change", "left_out")
    return texts.name("change", re.sub(r"(?<=[a-z])([A-Z])", r"_\1", type(change.body).__name__).lower())


def is_edit(change: Change) -> bool:
    """Returns whether somebody edited the result of a finished hand."""
    return isinstance(change.body, Corrected | Inserted) and isinstance(change.body.event, ResultDeclared)


def edited_hands(changes: Changes) -> set[int]:
    """Returns the numbers of the finished hands whose results were edited, from 0."""
    return {
        change.hand for change in changes.all if change.hand is not None and is_edit(change) and not change.is_undone
    }


def is_correction_undone(changes: Changes, hand: int) -> bool:
    """Returns whether an edit of this finished hand or an earlier one was undone, and none of them is in force."""
    edits = [change for change in changes.all if change.hand is not None and change.hand <= hand and is_edit(change)]
    return bool(edits) and all(edit.is_undone for edit in edits)


def _description(change: Change, snapshot: Snapshot, texts: Catalogue) -> str:
    """Returns what somebody did, and what it concerns: a hand, a seat, people who moved, or an undone or redone act."""
    text, history = change_text(change, texts), snapshot.game.history
    if change.hand is not None and change.hand < len(history):
        return texts.text("page.change_of_hand", what=text, round=_hand_name(history[change.hand], texts))
    if isinstance(change.body, _SEAT_EVENTS):
        name = seat_title(change.body.seat, _names_then(change, snapshot), texts)
        return texts.text("page.change_of_seat", what=text, seat=name)
    if change.moved_seats:
        people = texts.list_text(seat_title(seat, change.names, texts) for seat in change.moved_seats)
        return texts.text("page.change_of_seat", what=text, seat=people)
    if isinstance(change.body, Undone | Redone):
        act = change.body.act
        for each in snapshot.changes.all:
            if each.act == act:
                return texts.text("page.change_of_seat", what=text, seat=_description(each, snapshot, texts))
    return text


def _names_then(change: Change, snapshot: Snapshot) -> Names:
    """Returns who sat at the present seats at an act; of a foul that was found after its hand, in that hand."""
    body, ends = change.body, snapshot.hand_ends
    if not isinstance(body, FoulLogged) or body.hand is None or body.hand >= len(ends):
        return change.names
    return snapshot.names_in(body.hand) if change.act is not None and change.act > ends[body.hand] else change.names


def _hand_name(hand: FinishedHand, texts: Catalogue) -> str:
    """Returns a hand's round, with its honba if there are any."""
    name = round_name(hand.round, texts)
    return texts.text("stands.hand", round=name, honba=hand.honba) if hand.honba else name


def changes_view(snapshot: Snapshot, texts: Catalogue) -> list[View]:
    """Returns all acts, newest first, with the hand they concern, who, when and why."""
    return [
        {
            "text": _description(change, snapshot, texts),
            "by": by_text(change.by, snapshot.names, texts),
            "utc": change.utc,
            "why": cancellation_text(change.reason, snapshot, texts)
            if isinstance(change.body, FoulCancelled)
            else change.reason,
            "is_undone": change.is_undone,
        }
        for change in reversed(snapshot.changes.all)
    ]


def early_end_text(snapshot: Snapshot, texts: Catalogue) -> str:
    """Returns that people ended the game before the rules did, with their reason; empty if they did not."""
    ends = (
        change
        for change in reversed(snapshot.changes.all)
        if isinstance(change.body, GameEnded) and not change.is_undone
    )
    return ended_early_text(next((end.reason for end in ends), None), snapshot.game, texts)


def ended_early_text(reason: str | None, game: GameState, texts: Catalogue) -> str:
    """Returns that people ended a game before the rules did, for a reason that may be empty; empty for None."""
    if reason is None or not game.is_over:
        return ""
    text = texts.text("page.ended_early")
    return texts.labelled(text, reason) if reason else text


def left_out_text(snapshot: Snapshot, texts: Catalogue) -> str:
    """Returns that the game does not count for the season; empty if it does."""
    choices = [
        change.body
        for change in snapshot.changes.all
        if isinstance(change.body, CountedInSeason) and not change.is_undone
    ]
    return texts.text("page.left_out") if choices and not choices[-1].counts else ""


def by_text(by: str, names: Sequence[str], texts: Catalogue) -> str:
    """Returns who did something: players by name if known, the owner, the table's button, a tournament's desk."""
    return texts.list_text(_author_text(author, names, texts) for author in authors(by))


def _author_text(author: str, names: Sequence[str], texts: Catalogue) -> str:
    if author in _WITHOUT_SEAT:
        return texts.text(_WITHOUT_SEAT[author])
    if name := author_name(author):
        return name
    seat = author_seat(author)
    if is_owner(author) and (seat is None or not names[seat]):
        return texts.text("page.owner")
    return author if seat is None else seat_title(seat, names, texts)


def seat_title(seat: Seat, names: Sequence[str], texts: Catalogue) -> str:
    """Returns the name of a seat's player; without a name, the seat's number."""
    return lasting_name(names[seat], seat, texts)
