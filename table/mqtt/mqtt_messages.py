"""The messages of a table, as plain data. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from table.camera.clips.clip_folder import Clip
from table.game.announcement_json import ABOUT_PEOPLE
from table.game.journal.authors import OWNER, is_owner
from table.game.journal.fold import LoggedAnnouncement
from table.game.snapshot import Mode, Snapshot
from table.rules.terms.announcements import Scope
from table.rules.terms.seats import SEATS

Message = Mapping[str, Any]
MOST_APPEALS: Final = 20
"""Limit of appeals in a message; the latest are sent."""
NAMES: Final = frozenset({"asker", "first", "second"})
"""Arguments of announcements that hold a player's name, a seat or the owner."""


def table_message(snapshot: Snapshot) -> Message:
    """Returns the state of the game: round, counters, scores by seat, and whether a camera watches. No names."""
    game, start = snapshot.game, snapshot.game.start_on_table
    return {
        "round": None if start is None else repr(start.round),
        "honba": 0 if start is None else start.honba,
        "deposits": game.deposits,
        "dealer": None if start is None else int(start.dealer),
        "scores": list(game.scores),
        "hands": len(game.history),
        "is_over": game.is_over,
        "camera": snapshot.camera.value,
    }


def appeals_message(address: str | None, clips: Sequence[Clip]) -> Message:
    """Returns the last moments that people flagged, and the address of the table's pages, where the clips stay."""
    appeals = [
        {
            "name": clip.name,
            "at": clip.when.strftime("%H:%M"),
            "seconds": round(clip.seconds),
            "by": OWNER if is_owner(clip.by) else clip.by,
        }
        for clip in sorted(clips, key=lambda clip: clip.when)[-MOST_APPEALS:]
    ]
    return {"address": address, "appeals": appeals}


def public_announcements(
    entries: Sequence[LoggedAnnouncement], before: Sequence[LoggedAnnouncement], mode: Mode
) -> list[LoggedAnnouncement]:
    """Returns the public ones of a snapshot's announcements that an earlier snapshot lacks, without players' names.

    Both have only the last announcements. Those about people change when people change seats, and are no news then.
    """
    if mode is Mode.TOURNAMENT:
        return []
    most_kept = min(len(entries), len(before))
    kept_numbers = (
        number
        for number in range(most_kept, -1, -1)
        if all(map(_is_same, before[len(before) - number :], entries[:number]))
    )
    news = entries[next(kept_numbers) :]
    return [_without_names(logged) for logged in news if logged.announcement.scope is Scope.PUBLIC]


def _is_same(before: LoggedAnnouncement, after: LoggedAnnouncement) -> bool:
    """Whether it is one announcement; a camera that is lost several times in a hand makes several that are equal."""
    is_about_people = after.announcement.id in ABOUT_PEOPLE
    return before is after or (is_about_people and (before.key, before.status) == (after.key, after.status))


def _without_names(entry: LoggedAnnouncement) -> LoggedAnnouncement:
    args = {
        name: value
        for name, value in entry.announcement.args.items()
        if name not in NAMES or isinstance(value, int) or value == OWNER
    }
    return replace(entry, announcement=replace(entry.announcement, args=args))


def discovery_messages(name: str, base: str, prefix: str) -> Iterator[tuple[str, Message]]:
    """Yields the retained messages of Home Assistant's discovery, each with its topic."""
    device = {"identifiers": [f"tachiai_{name}"], "name": f"Tachiai {name}", "manufacturer": "Tachiai"}
    common = {"availability_topic": f"{base}/status", "device": device}
    for seat in SEATS:
        yield (
            f"{prefix}/sensor/tachiai_{name}/score_{int(seat)}/config",
            {
                **common,
                "name": f"Score {int(seat)}",
                "unique_id": f"tachiai_{name}_score_{int(seat)}",
                "state_topic": f"{base}/table",
                "value_template": f"{{{{ value_json.scores[{int(seat)}] }}}}",
            },
        )
    yield (
        f"{prefix}/sensor/tachiai_{name}/round/config",
        {
            **common,
            "name": "Round",
            "unique_id": f"tachiai_{name}_round",
            "state_topic": f"{base}/table",
            "value_template": "{{ value_json.round }}",
            "json_attributes_topic": f"{base}/table",
        },
    )
    yield (
        f"{prefix}/binary_sensor/tachiai_{name}/health/config",
        {
            **common,
            "name": "Health",
            "unique_id": f"tachiai_{name}_health",
            "device_class": "problem",
            "state_topic": f"{base}/health",
            "value_template": "{{ 'OFF' if value_json.ok else 'ON' }}",
        },
    )


def json_text(message: Message) -> str:
    """Returns a message encoded as JSON."""
    return json.dumps(message, ensure_ascii=False)
