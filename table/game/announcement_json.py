"""Announcements as in the JSON contract, and their changes after a correction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from table.game.journal.entries import Entry, Redone, Reseated, Undone
from table.game.journal.fold import FoldedGame, LoggedAnnouncement, Status, fold, opened_game
from table.game.journal.game_openings import own_entries
from table.game.journal.history.kept_hands import corrections_of_hands, hands_back, hands_lost
from table.game.journal.seating import Seating
from table.game.referee.findings import Question
from table.game.snapshot import AccessNews, CameraHealth, SavedClip
from table.rules.terms.announcements import Announcement, AnnouncementId
from table.rules.terms.seats import SEATS, Seat
from vision.felt import FeltReport

ABOUT_PEOPLE: Final = frozenset(
    (AnnouncementId.FOUL_AGREED, AnnouncementId.SEAT_ASKED, AnnouncementId.SEAT_KEPT, AnnouncementId.SEAT_TAKEN)
)


def announcement_line(logged_announcement: LoggedAnnouncement) -> dict[str, Any]:
    """Returns an announcement as JSON, with its tiles only if a camera saw them."""
    announcement = logged_announcement.announcement
    line = {
        "id": announcement.id.value,
        "scope": announcement.scope.value,
        "seat": None if announcement.seat is None else int(announcement.seat),
        "frame": logged_announcement.frame,
        "cause": list(logged_announcement.cause),
        "args": announcement.args,
        "status": logged_announcement.status.value,
        "key": logged_announcement.key,
        "rule": announcement.rule,
    }
    return line | {"evidence": list(logged_announcement.evidence)} if logged_announcement.evidence else line


def without_stale_evidence(logged_announcement: LoggedAnnouncement, run_start: int) -> LoggedAnnouncement:
    """Returns the announcement, without its tiles if an earlier run saw them: their ids mean nothing in this one."""
    return (
        logged_announcement if logged_announcement.cause[0] > run_start else replace(logged_announcement, evidence=())
    )


def changed_announcements(
    before: Sequence[LoggedAnnouncement], after: Sequence[LoggedAnnouncement], *, run_start: int
) -> list[LoggedAnnouncement]:
    """Returns the announcements to repeat after a correction: those withdrawn, changed or new."""
    old, new = {logged.key: logged for logged in before}, {logged.key: logged for logged in after}
    changed = [replace(logged, status=Status.WITHDRAWN) for key, logged in old.items() if key not in new]
    changed += [
        replace(logged, status=Status.CHANGED if key in old else Status.NEW)
        for key, logged in new.items()
        if key not in old or old[key].announcement != logged.announcement
    ]
    return [without_stale_evidence(logged, run_start) for logged in changed]


def camera_moved_announcement(report: FeltReport, hand: int) -> LoggedAnnouncement:
    """Returns the announcement that the camera or the table was pushed and the picture realigned."""
    args = {"mm": round(report.moved_mm)}
    return _table_announcement(AnnouncementId.CAMERA_MOVED, hand, mark=str(report.frame), frame=report.frame, args=args)


def clip_announcement(clip: SavedClip, hand: int) -> LoggedAnnouncement:
    """Returns the announcement of a saved clip."""
    if clip.is_saved:
        return _table_announcement(
            AnnouncementId.MOMENT_KEPT, hand, mark=clip.name, args={"at": clip.time, "seconds": clip.seconds}
        )
    return _table_announcement(AnnouncementId.MOMENT_LOST, hand, mark=clip.name, args={"at": clip.time})


def access_announcement(news: AccessNews, hand: int, number: int) -> LoggedAnnouncement:
    """Returns the announcement of a change of roles; `number` distinguishes several in one hand."""
    announcement = Announcement(id=news.id, seat=news.seat, args=news.args)
    return LoggedAnnouncement.of_hand(hand, announcement, f"access {number}")


def vote_announcement(voters: Sequence[Seat | str], hand: int, entry: int) -> LoggedAnnouncement:
    """Returns the announcement of the two who agreed on a foul; `entry` logged the foul."""
    first, second = voters
    return _table_announcement(
        AnnouncementId.FOUL_AGREED, hand, mark=f"voices {entry}", args={"first": first, "second": second}
    )


def resumption_announcement(entry: Entry, hand: int) -> LoggedAnnouncement:
    """Returns the announcement that the opening of a game was undone or redone by this entry."""
    args = {"opening": "undone" if isinstance(entry.body, Undone) else "redone"}
    announcement = _table_announcement(AnnouncementId.GAME_RESUMED, hand, mark=str(entry.number), args=args)
    return replace(announcement, cause=(entry.number,))


def swap_announcement(entry: Entry, entries: Sequence[Entry], hand: int) -> LoggedAnnouncement | None:
    """Returns the announcement that this entry swapped seats, or undid or redid a swap; None if it did not.

    `entries` are those of the game, in which a swap that is undone or redone is found.
    """
    body = entry.body
    if isinstance(body, Undone | Redone):
        act = body.act
        body = next((written.body for written in entries if written.envelope.act == act), body)
    if not isinstance(body, Reseated):
        return None
    change = "swapped_results" if body.moves_results and hand else "swapped"
    change = "undone" if isinstance(entry.body, Undone) else change
    seats = [int(seat) for seat in SEATS if body.order[seat] is not seat]
    announcement = _table_announcement(
        AnnouncementId.SEATS_SWAPPED, hand, mark=str(entry.number), args={"what": change, "seats": seats}
    )
    return replace(announcement, cause=(entry.number,))


def later_hands_announcements(
    before: FoldedGame, after: FoldedGame, entries: Sequence[Entry]
) -> Iterator[LoggedAnnouncement]:
    """Yields the announcements of finished hands that the last entry, a correction, took out or brought back.

    `before` is the game before that entry, `after` the game with it; `entries` are all entries of the game.
    """
    entry, lost = entries[-1], hands_lost(before, after, entries)
    lost_hands = [before.state.history[hand] for hand in lost]
    hands_again = [after.state.history[hand] for hand in hands_back(before, after, entries[:-1])]
    is_cut_short = after.state.is_over and after.hand == min(lost, default=0)
    for change, hands in (("over" if is_cut_short else "unfit", lost_hands), ("back", hands_again)):
        if hands:
            args = {"what": change, "hands": [[repr(hand.round), hand.honba] for hand in hands]}
            announcement = _table_announcement(
                AnnouncementId.LATER_HANDS, after.hand, mark=f"{change} {entry.number}", args=args
            )
            yield replace(announcement, cause=(entry.number,))


def all_later_hands_announcements(entries: Sequence[Entry]) -> Iterator[LoggedAnnouncement]:
    """Yields what `later_hands_announcements` yielded for each correction of a game when it was made, oldest first."""
    game_entries = own_entries(entries)
    opening = opened_game(game_entries[0])
    for place in corrections_of_hands(game_entries):
        before, after = (fold(opening, game_entries[1:end]) for end in (place, place + 1))
        yield from later_hands_announcements(before, after, game_entries[: place + 1])


def with_people_moved(logged_announcement: LoggedAnnouncement, before: Seating, after: Seating) -> LoggedAnnouncement:
    """Returns an announcement about people, which is not in the journal, with their seats after the seating changed.

    Whoever no longer has a seat is called by name.
    """
    announcement = logged_announcement.announcement
    if announcement.id not in ABOUT_PEOPLE:
        return logged_announcement
    seat = None if announcement.seat is None else before.seat_in(after, announcement.seat)
    args = {
        name: before.name_if_left(after, value) or before.seat_in(after, value) if isinstance(value, Seat) else value
        for name, value in announcement.args.items()
    }
    moved_announcement = replace(announcement, seat=seat, args=args)
    return (
        logged_announcement
        if moved_announcement == announcement
        else replace(logged_announcement, announcement=moved_announcement)
    )


def camera_announcement(health: CameraHealth, hand: int, *, reason: str) -> LoggedAnnouncement:
    """Returns the announcement that the camera is back, or lost; then with the reason if players can remove it."""
    if health is not CameraHealth.LOST:
        return _table_announcement(AnnouncementId.CAMERA_BACK, hand)
    return _table_announcement(AnnouncementId.CAMERA_LOST, hand, args={"why": reason} if reason else None)


def _table_announcement(
    announcement_id: AnnouncementId,
    hand: int,
    *,
    mark: str = "-",
    frame: int | None = None,
    args: Mapping[str, Any] | None = None,
) -> LoggedAnnouncement:
    """Returns an announcement without seat or entry; `mark` distinguishes several in one hand."""
    announcement = Announcement(id=announcement_id, args=args or {})
    return LoggedAnnouncement.of_hand(hand, announcement, mark, frame=frame)


def doubt_announcement(question: Question, hand: int) -> LoggedAnnouncement:
    """Returns a question of the referee as an announcement, which is shown on the page and never spoken."""
    args = {
        "tile": None if question.tile is None else question.tile.text,
        "discard": question.discard,
        "alternatives": [[tile.text, score] for tile, score in question.alternatives],
    } | ({} if question.subject is None else {"kind": question.subject})
    announcement = Announcement(id=question.id, seat=question.seat, args=args)
    return LoggedAnnouncement.of_hand(
        hand, announcement, question.discard, frame=question.frame, evidence=question.evidence
    )
