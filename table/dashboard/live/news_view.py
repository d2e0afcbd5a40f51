"""The newest announcements as lines of the common page. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from table.dashboard.live.tournament_law import is_silent
from table.dashboard.scores.result_preview import chips_text
from table.dashboard.scores.score_text import settled_text
from table.dashboard.scores.scorekeeping import is_correction_undone, is_watched
from table.dashboard.web.clause_names import article_reference
from table.dashboard.web.view import View
from table.game.journal.entries import Names
from table.game.journal.fold import LoggedAnnouncement, Status
from table.game.snapshot import Snapshot
from table.i18n import PENALTY, Catalogue, MissingTextError, lasting_names, round_name, saying_text
from table.rules.state import GameState
from table.rules.terms.announcements import Announcement, AnnouncementId, Scope
from table.rules.terms.seats import Seat

NEWS: Final = 12
"""Number of announcements on the page."""
COMING: Final = "coming"
"""The cause in the key of a hand's start that is not recorded yet."""
SILENT: Final = frozenset(
    {
        AnnouncementId.DOUBT,
        AnnouncementId.IMPOSSIBLE_READING,
        AnnouncementId.MISSING_DISCARD,
        AnnouncementId.OUT_OF_TURN,
        AnnouncementId.RIICHI_UPRIGHT,
        AnnouncementId.MELD_POINTS_WRONG_WAY,
        AnnouncementId.ILLEGAL_CLOSED_KAN,
        AnnouncementId.FOUL_LOGGED,
        AnnouncementId.FOUL_CANCELLED,
        AnnouncementId.MOMENT_KEPT,
        AnnouncementId.MOMENT_LOST,
    }
)
"""Questions and fouls: shown, never spoken."""


def news_view(snapshot: Snapshot, dealer: Seat, texts: Catalogue) -> list[View]:
    """Returns the newest public announcements first, worded by the winds of their own hand; a settlement without winds.

    A hand that no camera sees begins when the one before is settled, though its start is recorded with what people
    first enter for it.
    """
    lines: list[tuple[LoggedAnnouncement, Seat]] = []
    dealing, newest = _first_dealer(snapshot, dealer), _newest(snapshot.announcements)
    for placed in _in_force(_begun_in_time([*snapshot.announcements, *_coming(snapshot)])):
        announcement = placed.announcement
        starter = _starter(placed)
        dealing = dealing if starter is None else starter
        is_settled = announcement.id is AnnouncementId.SETTLEMENT_CONFIRMED
        if is_settled and lines and lines[-1][0].announcement.id is AnnouncementId.SETTLEMENT_PROPOSED:
            lines.pop()  # confirmed at once: one line is enough
        if announcement.scope is Scope.PUBLIC:
            otherwise = dealing if placed.hand is None else dealer
            lines.append((placed, dealing_in(placed, snapshot.game, otherwise)))

    def may_speak(placed: LoggedAnnouncement) -> bool:
        return not is_silent(snapshot) and not _is_past_start(placed, newest) and not _is_unseen_start(placed)

    return [
        announced_view(placed, dealing, texts, names=names_then(placed, snapshot), may_speak=may_speak(placed))
        | _settled(placed, dealing, snapshot, texts)
        for placed, dealing in reversed(lines[-NEWS:])
    ]


def names_then(placed: LoggedAnnouncement, snapshot: Snapshot) -> Names:
    """Returns the names of those who sat at the seats when it happened."""
    return snapshot.names_at(placed.cause[0]) if placed.cause else snapshot.names_in(placed.hand)


def _settled(placed: LoggedAnnouncement, dealer: Seat, snapshot: Snapshot, texts: Catalogue) -> View:
    """Returns the text of a settlement with what happened, and its hand if an edit or an undone one changed it.

    Nothing for any other announcement, and for a settlement that is withdrawn.
    """
    history, said = snapshot.game.history, placed.announcement
    is_settled = said.id is AnnouncementId.SETTLEMENT_CONFIRMED and placed.status is not Status.WITHDRAWN
    if not is_settled or placed.hand is None or placed.hand >= len(history):
        return {}
    settlement = history[placed.hand].settlement
    names = lasting_names(snapshot.names_in(placed.hand), texts)
    if settlement is not None and said.args.get("deltas") == list(settlement.deltas) and PENALTY not in said.args:
        sticks = cast(Sequence[int], said.args.get("riichi", ()))
        text = settled_text(settlement, dealer, texts, names, sticks=sticks)
    else:
        text = _text(said, dealer, texts, names)
        if settlement is not None and settlement.chips is not None and any(settlement.chips):
            text = f"{text} {chips_text(settlement.chips, dealer, texts, names)}"
    if placed.status is Status.CHANGED:
        key = "said.uncorrected" if is_correction_undone(snapshot.changes, placed.hand) else "said.corrected"
        text = texts.text(key, round=round_name(history[placed.hand].round, texts), text=text)
    return {"text": text}


def _in_force(announcements: Sequence[LoggedAnnouncement]) -> list[LoggedAnnouncement]:
    """Leaves out announcements that were replaced, and starts of hands that an edit of an earlier one moved."""
    told = _without_withdrawn(_without_repeats(announcements))
    changed = {each.key: at for at, each in enumerate(told) if each.status is Status.CHANGED}
    newest = _newest(told)
    gone = {
        each.key
        for each in told
        if each.status is Status.WITHDRAWN and (_is_past_start(each, newest) or _is_unseen_start(each))
    }
    return [each for at, each in enumerate(told) if changed.get(each.key, at) <= at and each.key not in gone]


def _begun_in_time(told: Sequence[LoggedAnnouncement]) -> list[LoggedAnnouncement]:
    """Puts the start of each hand that no camera saw right after the settlement of the hand before, or first."""
    ordered: list[LoggedAnnouncement] = []
    for each in told:
        if _starter(each) is None or each.frame is not None or each.status is not Status.NEW:
            ordered.append(each)
            continue
        ends = [
            at
            for at, other in enumerate(ordered, 1)
            if other.announcement.id in (AnnouncementId.SETTLEMENT_CONFIRMED, AnnouncementId.SETTLED_WITHOUT)
            and other.status is Status.NEW
            and other.hand == (each.hand or 0) - 1
        ]
        ordered.insert(ends[-1] if ends else len(ordered) if each.hand else 0, each)
    return ordered


def _coming(snapshot: Snapshot) -> list[LoggedAnnouncement]:
    """Returns the start of the hand on a table kept by hand until something is entered for it; nothing otherwise."""
    game, start = snapshot.game, snapshot.game.next_start
    is_begun = bool(game.history) or any(snapshot.names)
    if game.live is not None or start is None or is_watched(snapshot) or not is_begun:
        return []
    args = {"round": repr(start.round), "dealer": int(start.dealer), "honba": start.honba, "deposits": start.deposits}
    announcement = Announcement(id=AnnouncementId.HAND_STARTED, rule="", seat=start.dealer, args=args)
    return [LoggedAnnouncement.of_hand(len(game.history), announcement, COMING)]


def _without_repeats(announcements: Sequence[LoggedAnnouncement]) -> list[LoggedAnnouncement]:
    """Leaves out changed announcements that say what they said before: of later hands often only the scores change."""
    told: list[LoggedAnnouncement] = []
    said: dict[str, dict[str, object]] = {}
    for each in announcements:
        words = {name: value for name, value in each.announcement.args.items() if name != "scores"}
        if each.status is not Status.CHANGED or said.get(each.key) != words:
            told.append(each)
        said[each.key] = words
    return told


def _without_withdrawn(announcements: Sequence[LoggedAnnouncement]) -> list[LoggedAnnouncement]:
    """Keeps one line of what was withdrawn: the withdrawal, or what was announced again after it."""
    latest = {each.key: at for at, each in enumerate(announcements)}
    withdrawn = {each.key: at for at, each in enumerate(announcements) if each.status is Status.WITHDRAWN}
    return [each for at, each in enumerate(announcements) if at > withdrawn.get(each.key, -1) or at == latest[each.key]]


def _newest(announcements: Sequence[LoggedAnnouncement]) -> int:
    """Returns the newest hand with an announcement; -1 for none."""
    return max((each.hand for each in announcements if each.hand is not None), default=-1)


def _starter(placed: LoggedAnnouncement) -> Seat | None:
    """Returns the dealer in an announcement that a hand has started; None for any other announcement."""
    return placed.announcement.seat if placed.announcement.id is AnnouncementId.HAND_STARTED else None


def _is_unseen_start(placed: LoggedAnnouncement) -> bool:
    """Returns whether a hand was recorded as started when people entered something for it."""
    return _starter(placed) is not None and placed.frame is None and not placed.key.endswith(f".{COMING}")


def _is_past_start(placed: LoggedAnnouncement, newest: int) -> bool:
    return _starter(placed) is not None and placed.hand is not None and placed.hand < newest


def _first_dealer(snapshot: Snapshot, dealer: Seat) -> Seat:
    """Returns the dealer of the hand of the oldest announcement."""
    started = sum(_starter(placed) is not None for placed in snapshot.announcements)
    history = snapshot.game.history
    hand = snapshot.game.hand
    settled = [past.dealer for past in history] + ([dealer] if hand is not None and hand.is_live else [])
    at = len(settled) - started - 1
    return settled[at] if settled and at >= 0 else dealer


def dealing_in(placed: LoggedAnnouncement, game: GameState, otherwise: Seat) -> Seat:
    """Returns the dealer of an announcement's hand, according to the game's present state.

    Args:
        placed: the announcement.
        game: the game with its finished hands.
        otherwise: the dealer if the announcement belongs to no finished hand.
    """
    if (starter := _starter(placed)) is not None:
        return starter
    return (
        game.history[placed.hand].dealer if placed.hand is not None and placed.hand < len(game.history) else otherwise
    )


def announced_view(
    placed: LoggedAnnouncement,
    dealer: Seat,
    texts: Catalogue,
    *,
    names: Sequence[str],
    may_speak: bool = True,
) -> View:
    """Returns one announcement in words, with its seat and its sources."""
    announcement = placed.announcement
    text = _text(announcement, dealer, texts, names)
    is_withdrawn = placed.status is Status.WITHDRAWN
    return {
        "key": placed.key,
        "id": announcement.id.value,
        "status": placed.status.value,
        "seat": None if announcement.seat is None else int(announcement.seat),
        "text": texts.text("said.withdrawn", text=text) if is_withdrawn else text,
        "why": _why(placed, texts),
        "pictures": list(placed.evidence),
        "aloud": may_speak and announcement.id not in SILENT and not is_withdrawn,
    }


def _text(announcement: Announcement, dealer: Seat, texts: Catalogue, names: Sequence[str]) -> str:
    """Returns the sentence; only the name of an announcement that lacks an argument, so that the page still works."""
    try:
        return saying_text(announcement, dealer, texts, names)
    except MissingTextError:
        return announcement.id.value.replace("_", " ")


def _rule_name(rule: str, texts: Catalogue) -> str:
    """Returns a rule's number; the name of a rule that has none, `four winds`, in the page's language."""
    name = rule.replace(" ", "_")
    return texts.texts.get(f"abort.{name}") or texts.texts.get(f"yaku.{name}") or article_reference(rule, texts)


def _why(placed: LoggedAnnouncement, texts: Catalogue) -> str:
    """Returns the rule, the journal's entries and the frame of what the camera announced; nothing if people told it."""
    if placed.frame is None:
        return ""
    parts = []
    if rule := _rule_name(placed.announcement.rule, texts):
        parts.append(texts.text("why.rule", rule=rule))
    if placed.cause:
        parts.append(texts.text("why.entries", entries=", ".join(map(str, placed.cause))))
    parts.append(texts.text("why.frame", frame=placed.frame))
    return " · ".join(parts)
