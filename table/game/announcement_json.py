"""Announcements as in the JSON contract, and their changes after a correction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from table.game.journal.entries import Entry, Redone, Reseated, Undone
from table.game.journal.fold import LoggedAnnouncement, Status
from table.game.journal.seating import Seating
from table.game.referee.findings import Question
from table.game.snapshot import AccessNews, CameraHealth, KeptMoment
from table.rules.terms.announcements import Announcement, AnnouncementId
from table.rules.terms.seats import SEATS, Seat
from vision.felt import FeltReport

_ABOUT_PEOPLE: Final = frozenset(
    (AnnouncementId.FOUL_AGREED, AnnouncementId.SEAT_ASKED, AnnouncementId.SEAT_KEPT, AnnouncementId.SEAT_TAKEN)
)


def announcement_line(logged: LoggedAnnouncement) -> dict[str, Any]:
    """Returns an announcement as JSON, with its tiles only if a camera saw them."""
    announcement = logged.announcement
    line = {
        "id": announcement.id.value,
        "scope": announcement.scope.value,
        "seat": None if announcement.seat is None else int(announcement.seat),
        "frame": logged.frame,
        "cause": list(logged.cause),
        "args": announcement.args,
        "status": logged.status.value,
        "key": logged.key,
        "rule": announcement.rule,
    }
    return line | {"evidence": list(logged.evidence)} if logged.evidence else line


def seen_after(logged: LoggedAnnouncement, entry: int) -> LoggedAnnouncement:
    """Returns the announcement, without its tiles if they are from an earlier run, whose ids are meaningless."""
    return logged if logged.cause[0] > entry else replace(logged, evidence=())


def difference(
    before: Sequence[LoggedAnnouncement], after: Sequence[LoggedAnnouncement], *, seen_since: int
) -> list[LoggedAnnouncement]:
    """Returns the announcements to repeat after a correction: those withdrawn, changed or new."""
    old, new = {logged.key: logged for logged in before}, {logged.key: logged for logged in after}
    changed = [replace(logged, status=Status.WITHDRAWN) for key, logged in old.items() if key not in new]
    changed += [
        replace(logged, status=Status.CHANGED if key in old else Status.NEW)
        for key, logged in new.items()
        if key not in old or old[key].announcement != logged.announcement
    ]
    return [seen_after(logged, seen_since) for logged in changed]


def camera_moved(report: FeltReport, hand: int) -> LoggedAnnouncement:
    """Returns the announcement that the camera or the table was pushed and the picture realigned."""
    args = {"mm": round(report.moved_mm)}
    return _of_the_table(AnnouncementId.CAMERA_MOVED, hand, mark=str(report.frame), frame=report.frame, args=args)


def moment_flagged(moment: KeptMoment, hand: int) -> LoggedAnnouncement:
    """Returns the announcement of a saved clip."""
    if moment.is_kept:
        return _of_the_table(
            AnnouncementId.MOMENT_KEPT, hand, mark=moment.name, args={"at": moment.at, "seconds": moment.seconds}
        )
    return _of_the_table(AnnouncementId.MOMENT_LOST, hand, mark=moment.name, args={"at": moment.at})


def access_changed(news: AccessNews, hand: int, number: int) -> LoggedAnnouncement:
    """Returns the announcement of a change of roles; `number` distinguishes several in one hand."""
    announcement = Announcement(id=news.id, seat=news.seat, args=news.args)
    return LoggedAnnouncement.of_hand(hand, announcement, f"access {number}")


def voices_agreed(voices: Sequence[Seat | str], hand: int, entry: int) -> LoggedAnnouncement:
    """Returns the announcement of the two who agreed on a foul; `entry` logged the foul."""
    first, second = voices
    return _of_the_table(
        AnnouncementId.FOUL_AGREED, hand, mark=f"voices {entry}", args={"first": first, "second": second}
    )


def game_resumed(entry: Entry, hand: int) -> LoggedAnnouncement:
    """Returns the announcement that the opening of a game was undone or redone by this entry."""
    args = {"opening": "undone" if isinstance(entry.body, Undone) else "redone"}
    said = _of_the_table(AnnouncementId.GAME_RESUMED, hand, mark=str(entry.number), args=args)
    return replace(said, cause=(entry.number,))


def seats_swapped(entry: Entry, entries: Sequence[Entry], hand: int) -> LoggedAnnouncement | None:
    """Returns the announcement that this entry swapped seats, or undid or redid a swap; None if it did not.

    `entries` are those of the game, in which a swap that is undone or redone is found.
    """
    body = entry.body
    if isinstance(body, Undone | Redone):
        act = body.act
        body = next((each.body for each in entries if each.envelope.act == act), body)
    if not isinstance(body, Reseated):
        return None
    what = "swapped_results" if body.moves_results and hand else "swapped"
    what = "undone" if isinstance(entry.body, Undone) else what
    seats = [int(seat) for seat in SEATS if body.order[seat] is not seat]
    said = _of_the_table(
        AnnouncementId.SEATS_SWAPPED, hand, mark=str(entry.number), args={"what": what, "seats": seats}
    )
    return replace(said, cause=(entry.number,))


def with_people_moved(logged: LoggedAnnouncement, before: Seating, after: Seating) -> LoggedAnnouncement:
    """Returns an announcement about people, which no entry of the journal tells, with their seats after a change.

    Whoever sits at no seat any more is called by name.
    """
    announcement = logged.announcement
    if announcement.id not in _ABOUT_PEOPLE:
        return logged
    seat = None if announcement.seat is None else before.seat_in(after, announcement.seat)
    args = {
        name: before.name_if_left(after, value) or before.seat_in(after, value) if isinstance(value, Seat) else value
        for name, value in announcement.args.items()
    }
    after_all = replace(announcement, seat=seat, args=args)
    return logged if after_all == announcement else replace(logged, announcement=after_all)


def camera_changed(health: CameraHealth, hand: int, *, why: str) -> LoggedAnnouncement:
    """Returns the announcement that the camera was lost, with the reason if players can remove it, or is back."""
    if health is not CameraHealth.LOST:
        return _of_the_table(AnnouncementId.CAMERA_BACK, hand)
    return _of_the_table(AnnouncementId.CAMERA_LOST, hand, args={"why": why} if why else None)


def _of_the_table(
    saying: AnnouncementId,
    hand: int,
    *,
    mark: str = "-",
    frame: int | None = None,
    args: Mapping[str, Any] | None = None,
) -> LoggedAnnouncement:
    """Returns an announcement without seat or entry; `mark` distinguishes several in one hand."""
    announcement = Announcement(id=saying, args=args or {})
    return LoggedAnnouncement.of_hand(hand, announcement, mark, frame=frame)


def doubted(question: Question, hand: int) -> LoggedAnnouncement:
    """Returns a question of the referee as an announcement, which is shown on the page and never spoken."""
    args = {
        "tile": None if question.tile is None else question.tile.text,
        "discard": question.discard,
        "alternatives": [[tile.text, score] for tile, score in question.alternatives],
    } | ({} if question.about is None else {"kind": question.about})
    asked = Announcement(id=question.id, seat=question.seat, args=args)
    return LoggedAnnouncement.of_hand(hand, asked, question.discard, frame=question.frame, evidence=question.evidence)
