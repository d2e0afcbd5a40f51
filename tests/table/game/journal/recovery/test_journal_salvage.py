"""A damaged journal of which no backup is whole: what holds of it is shown, and played on."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_notice import NoticeKind
from table.game.journal.recovery.journal_opening import open_journal
from tests.fakes.disks import fill, make_room, small_disk
from tests.table.game.by_hand import draw, table_at, tell, win


def damaged_journal(path: Path, text: bytes) -> Path:
    """A journal of three hands, with a byte flipped in the last entry that holds `text`."""
    with Journal(path) as journal:
        tell(table_at(journal), win(1, 0, 1), win(1, 2, 1), draw(0))
    content = bytearray(path.read_bytes())
    content[content.rindex(text)] ^= 1
    path.write_bytes(content)
    return path


def test_the_hands_before_the_damage_are_shown_and_played_on(tmp_path: Path) -> None:
    path = damaged_journal(tmp_path / "a.journal", b'"draw"')
    found = open_journal(path, tmp_path / "backups", stamp="now")
    assert [notice.kind for notice in found.notices] == [NoticeKind.LOST]
    with found.journal as journal:
        table = table_at(journal)
        assert table.state.scores == (24000, 27500, 23500, 25000)
        tell(table, draw(0))
        assert table.state.scores == (27000, 26500, 22500, 24000)
    reopened = open_journal(path, tmp_path / "backups", stamp="later")
    with reopened.journal as journal:
        assert (reopened.notices, table_at(journal).state.scores) == ((), (27000, 26500, 22500, 24000))
    assert (tmp_path / "a.journal.bad-now").exists()


def test_a_full_disk_shows_what_holds_too_and_so_does_the_next_start(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        path = damaged_journal(disk / "a.journal", b'"draw"')
        fill(disk)
        for stamp in ("now", "later"):
            found = open_journal(path, disk / "backups", stamp=stamp)
            assert [notice.kind for notice in found.notices] == [NoticeKind.LOST]
            with found.journal as journal:
                assert table_at(journal).state.scores == (24000, 27500, 23500, 25000)
            if stamp == "now":
                make_room(disk)


@pytest.mark.parametrize("rubbish", [b"\xa5" * 20_000, b"", b"SQLite format 3\0" + b"\xa5" * 9_000])
def test_a_file_of_which_nothing_holds_begins_anew(tmp_path: Path, rubbish: bytes) -> None:
    path = tmp_path / "a.journal"
    path.write_bytes(rubbish)
    with open_journal(path, tmp_path / "backups", stamp="now").journal as journal:
        assert journal.last == 0
        tell(table_at(journal), draw(0))
