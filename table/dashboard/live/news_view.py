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
from table.i18n import (
    PENALTY,
    Catalogue,
    MissingTextError,
    announcement_dealer,
    announcement_sentence,
    lasting_names,
    round_name,
)
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
    """Returns the newest public announcements, newest first, with the winds of their own hand; settlements have none.

    A hand that no camera sees begins when the one before is settled, though its start is recorded with what people
    first enter for it.
    """
    lines: list[tuple[LoggedAnnouncement, Seat]] = []
    line_dealer, newest_hand = _first_dealer(snapshot, dealer), _newest_hand(snapshot.announcements)
    for item in _valid_items(_with_starts_in_time([*snapshot.announcements, *_coming_start(snapshot)])):
        announcement = item.announcement
        starting_dealer = _starting_dealer(item)
        line_dealer = line_dealer if starting_dealer is None else starting_dealer
        is_settled = announcement.id is AnnouncementId.SETTLEMENT_CONFIRMED
        if is_settled and lines and lines[-1][0].announcement.id is AnnouncementId.SETTLEMENT_PROPOSED:
            lines.pop()  # confirmed at once: one line is enough
        if announcement.scope is Scope.PUBLIC:
            default = line_dealer if item.hand is None else dealer
            lines.append((item, dealer_of(item, snapshot.game, default)))

    def may_speak(item: LoggedAnnouncement) -> bool:
        return not is_silent(snapshot) and not _is_past_start(item, newest_hand) and not _is_unseen_start(item)

    return [
        announcement_view(item, line_dealer, texts, names=names_then(item, snapshot), may_speak=may_speak(item))
        | _settlement_view(item, line_dealer, snapshot, texts)
        for item, line_dealer in reversed(lines[-NEWS:])
    ]


def names_then(item: LoggedAnnouncement, snapshot: Snapshot) -> Names:
    """Returns the names of those who sat at the seats when it happened; of a foul found later, in its hand."""
    if (hand := item.announcement.earlier_hand) is not None:
        return snapshot.names_in(hand)
    return snapshot.names_at(item.cause[0]) if item.cause else snapshot.names_in(item.hand)


def _settlement_view(item: LoggedAnnouncement, dealer: Seat, snapshot: Snapshot, texts: Catalogue) -> View:
    """Returns a settlement in words, and the round of its hand if an edit, or undoing one, has changed it.

    Empty for any other announcement, and for a settlement that was withdrawn.
    """
    history, announcement = snapshot.game.history, item.announcement
    is_settled = announcement.id is AnnouncementId.SETTLEMENT_CONFIRMED and item.status is not Status.WITHDRAWN
    if not is_settled or item.hand is None or item.hand >= len(history):
        return {}
    settlement = history[item.hand].settlement
    names = lasting_names(snapshot.names_in(item.hand), texts)
    if (
        settlement is not None
        and announcement.args.get("deltas") == list(settlement.deltas)
        and PENALTY not in announcement.args
    ):
        sticks = cast(Sequence[int], announcement.args.get("riichi", ()))
        text = settled_text(settlement, dealer, texts, names, sticks=sticks)
    else:
        text = _text(announcement, dealer, texts, names)
        if settlement is not None and settlement.chips is not None and any(settlement.chips):
            text = f"{text} {chips_text(settlement.chips, dealer, texts, names)}"
    if item.status is Status.CHANGED:
        key = "said.uncorrected" if is_correction_undone(snapshot.changes, item.hand) else "said.corrected"
        text = texts.text(key, round=round_name(history[item.hand].round, texts), text=text)
    return {"text": text}


def _valid_items(announcements: Sequence[LoggedAnnouncement]) -> list[LoggedAnnouncement]:
    """Leaves out announcements that were replaced, and starts of hands that an edit of an earlier one moved."""
    items = _without_withdrawn(_without_repeats(announcements))
    changed = {item.key: index for index, item in enumerate(items) if item.status is Status.CHANGED}
    newest_hand = _newest_hand(items)
    gone_keys = {
        item.key
        for item in items
        if item.status is Status.WITHDRAWN and (_is_past_start(item, newest_hand) or _is_unseen_start(item))
    }
    return [
        item for index, item in enumerate(items) if changed.get(item.key, index) <= index and item.key not in gone_keys
    ]


def _with_starts_in_time(items: Sequence[LoggedAnnouncement]) -> list[LoggedAnnouncement]:
    """Puts the start of each hand that no camera saw right after the settlement of the hand before, or first."""
    ordered: list[LoggedAnnouncement] = []
    for item in items:
        if _starting_dealer(item) is None or item.frame is not None or item.status is not Status.NEW:
            ordered.append(item)
            continue
        ends = [
            at
            for at, other in enumerate(ordered, 1)
            if other.announcement.id in (AnnouncementId.SETTLEMENT_CONFIRMED, AnnouncementId.SETTLED_WITHOUT)
            and other.status is Status.NEW
            and other.hand == (item.hand or 0) - 1
        ]
        ordered.insert(ends[-1] if ends else len(ordered) if item.hand else 0, item)
    return ordered


def _coming_start(snapshot: Snapshot) -> list[LoggedAnnouncement]:
    """Returns the start of the next hand at a table kept by hand, until something is entered for it; else nothing."""
    game, start = snapshot.game, snapshot.game.next_start
    is_begun = bool(game.history) or any(snapshot.names)
    if game.live is not None or start is None or is_watched(snapshot) or not is_begun:
        return []
    args = {"round": repr(start.round), "dealer": int(start.dealer), "honba": start.honba, "deposits": start.deposits}
    announcement = Announcement(id=AnnouncementId.HAND_STARTED, rule="", seat=start.dealer, args=args)
    return [LoggedAnnouncement.of_hand(len(game.history), announcement, COMING)]


def _without_repeats(announcements: Sequence[LoggedAnnouncement]) -> list[LoggedAnnouncement]:
    """Leaves out changes that alter no sentence: of later hands, often only the scores change."""
    found: list[LoggedAnnouncement] = []
    latest_args: dict[str, dict[str, object]] = {}
    for item in announcements:
        args = {name: value for name, value in item.announcement.args.items() if name != "scores"}
        if item.status is not Status.CHANGED or latest_args.get(item.key) != args:
            found.append(item)
        latest_args[item.key] = args
    return found


def _without_withdrawn(announcements: Sequence[LoggedAnnouncement]) -> list[LoggedAnnouncement]:
    """Keeps one line of a withdrawn announcement: the withdrawal, or what was announced again after it."""
    latest = {item.key: at for at, item in enumerate(announcements)}
    withdrawn = {item.key: at for at, item in enumerate(announcements) if item.status is Status.WITHDRAWN}
    return [item for at, item in enumerate(announcements) if at > withdrawn.get(item.key, -1) or at == latest[item.key]]


def _newest_hand(announcements: Sequence[LoggedAnnouncement]) -> int:
    """Returns the newest hand with an announcement; -1 for none."""
    return max((item.hand for item in announcements if item.hand is not None), default=-1)


def _starting_dealer(item: LoggedAnnouncement) -> Seat | None:
    """Returns the dealer in an announcement that a hand has started; None for any other announcement."""
    return item.announcement.seat if item.announcement.id is AnnouncementId.HAND_STARTED else None


def _is_unseen_start(item: LoggedAnnouncement) -> bool:
    """Returns whether a hand was recorded as started when people entered something for it."""
    return _starting_dealer(item) is not None and item.frame is None and not item.key.endswith(f".{COMING}")


def _is_past_start(item: LoggedAnnouncement, newest_hand: int) -> bool:
    return _starting_dealer(item) is not None and item.hand is not None and item.hand < newest_hand


def _first_dealer(snapshot: Snapshot, dealer: Seat) -> Seat:
    """Returns the dealer of the hand of the oldest announcement."""
    starts = sum(_starting_dealer(item) is not None for item in snapshot.announcements)
    history = snapshot.game.history
    hand = snapshot.game.hand
    dealers = [past.dealer for past in history] + ([dealer] if hand is not None and hand.is_live else [])
    index = len(dealers) - starts - 1
    return dealers[index] if dealers and index >= 0 else dealer


def dealer_of(item: LoggedAnnouncement, game: GameState, default: Seat) -> Seat:
    """Returns the dealer of an announcement's hand, according to the game's present state.

    Args:
        item: the announcement.
        game: the game with its finished hands.
        default: the dealer if the announcement belongs to no finished hand.
    """
    return announcement_dealer(item.announcement, item.hand, game, default)


def announcement_view(
    item: LoggedAnnouncement,
    dealer: Seat,
    texts: Catalogue,
    *,
    names: Sequence[str],
    may_speak: bool = True,
) -> View:
    """Returns one announcement in words, with its seat and its sources."""
    announcement = item.announcement
    text = _text(announcement, dealer, texts, names)
    is_withdrawn = item.status is Status.WITHDRAWN
    return {
        "key": item.key,
        "id": announcement.id.value,
        "status": item.status.value,
        "seat": None if announcement.seat is None else int(announcement.seat),
        "text": texts.text("said.withdrawn", text=text) if is_withdrawn else text,
        "why": _source_text(item, texts),
        "pictures": list(item.evidence),
        "aloud": may_speak and announcement.id not in SILENT and not is_withdrawn,
    }


def _text(announcement: Announcement, dealer: Seat, texts: Catalogue, names: Sequence[str]) -> str:
    """Returns the sentence, or only the announcement's name if it lacks an argument, so that the page still works."""
    try:
        return announcement_sentence(announcement, dealer, texts, names)
    except MissingTextError:
        return announcement.id.value.replace("_", " ")


def _rule_name(rule: str, texts: Catalogue) -> str:
    """Returns a rule's number; for a rule that has only a name (`four winds`), the name in the page's language."""
    name = rule.replace(" ", "_")
    return texts.texts.get(f"abort.{name}") or texts.texts.get(f"yaku.{name}") or article_reference(rule, texts)


def _source_text(item: LoggedAnnouncement, texts: Catalogue) -> str:
    """Returns the rule, entries and frame behind an announcement from the camera; empty if people reported it."""
    if item.frame is None:
        return ""
    parts = []
    if rule := _rule_name(item.announcement.rule, texts):
        parts.append(texts.text("why.rule", rule=rule))
    if item.cause:
        parts.append(texts.text("why.entries", entries=texts.list_text(map(str, item.cause))))
    parts.append(texts.text("why.frame", frame=item.frame))
    return " · ".join(parts)
