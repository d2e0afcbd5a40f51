"""Reads a desk's journal, also one that a power cut, a failing card or an editor damaged.

The desk writes every act to two files, the journal and its copy, so that whatever happens to one of them costs nothing.
If both are damaged, the acts that can be read count, up to the first damaged one on which others may build. Whatever is
replaced stays beside the journal.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from table.mqtt.tournament.acts import Act, read_act
from table.mqtt.tournament.tournament import Tournament, apply_act, is_possible
from table.runtime.table_errors import ConfigError
from vision.atomic_files import read_whole, write_whole
from vision.errors import reason_and_place
from vision.json_text import read_json

FORMAT: Final = {"format": "tachiai-desk", "version": 1}
HEADER: Final = json.dumps(FORMAT).encode()
"""The first line."""
_INDEPENDENT_ACT: Final = re.compile(
    rb'\s*\{"act": ?"(ClockMoved|TimeCalled|GameHeard|GameMoved|ResultTold|PenaltyCancelled|PlayerReplaced'
    rb'|AppealDecided)"'
)
"""The beginning of an act on which no other builds: a later one replaces or repeats it."""
_log = logging.getLogger(__name__)


class DamageKind(StrEnum):
    """What happened to a journal; the catalogue's text ``desk.journal_KIND`` explains it to the desk's owner."""

    CUT = "cut"
    """Its last line was incomplete, and does not count."""
    RESTORED = "restored"
    """The copy took its place; nothing is missing."""
    LOST = "lost"
    """Some lines do not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalDamage:
    """The damage that was found at the start."""

    kind: DamageKind
    kept_file: str
    """The name of the damaged file beside the journal; empty if there was none."""
    lines: tuple[int, ...] = ()
    """The numbers of the lines that do not count."""
    note: str
    """The same for the terminal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveredJournal:
    """The content of the journal from now on."""

    acts: tuple[Act, ...]
    content: bytes
    is_copied: bool
    """Whether the copy has the same content."""
    damage: JournalDamage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _JournalFile:
    """A file, read line by line."""

    whole: bytes = b""
    """Its content, unchanged."""
    is_journal: bool = False
    """Whether its first line is a journal's, or the beginning of it."""
    acts: tuple[Act, ...] = ()
    """The acts that count."""
    lines: tuple[bytes, ...] = ()
    """Their lines."""
    act_lines: frozenset[bytes] = frozenset()
    """Every line that is an act, whether it counts or not."""
    lost_lines: tuple[int, ...] = ()
    """The numbers of the lines that do not count."""
    cut_line: int = 0
    """The number of an incomplete last line; 0 without one."""

    @property
    def is_sound(self) -> bool:
        return self.is_journal and not self.lost_lines and not self.cut_line

    @property
    def content(self) -> bytes:
        return b"".join(line + b"\n" for line in (HEADER, *self.lines))


def copy_of(path: Path) -> Path:
    """Returns the path of a journal's copy."""
    return path.with_name(f"{path.name}.second")


def recover_journal(path: Path, stamp: str) -> RecoveredJournal:
    """Reads a journal, which may be missing, and repairs it; a damaged file is kept as ``NAME.bad-STAMP``.

    Raises:
        ConfigError: it is another version's, or not a desk's journal and there is no copy of one; it stays as it is.
        OSError: it cannot be read, or cannot be repaired because the disk is full; it stays as it is.
    """
    original = _read(path)
    copy = _read_copy(path, original)
    best, damage = original, None
    if copy.is_sound and len(copy.acts) > len(original.acts) and original.act_lines <= copy.act_lines:
        best, damage = copy, _restored_damage(path, original, stamp)
    elif not original.is_journal:
        raise ConfigError(f"expected a desk's journal of version {FORMAT['version']}, got {path}, which stays as it is")
    elif not original.is_sound:
        damage = _damage(path, original, stamp)
    if damage is not None and damage.kept_file:
        write_whole(path.with_name(damage.kept_file), original.whole)
    if best.content != original.whole:
        write_whole(path, best.content)
    is_copied = copy.whole == best.content
    return RecoveredJournal(acts=best.acts, content=best.content, is_copied=is_copied, damage=damage)


def _read(path: Path) -> _JournalFile:
    whole = read_whole(path) if path.exists() else b""
    if HEADER.startswith(whole.rstrip(b"\r\n")):
        return _JournalFile(whole=whole, is_journal=True)
    first, *lines = whole.splitlines()
    try:
        header = read_json(first)
    except ValueError:
        return _JournalFile(whole=whole)
    if isinstance(header, dict) and header.get("format") == FORMAT["format"] and header != FORMAT:
        raise ConfigError(f"expected a desk's journal of version {FORMAT['version']}, got another version's, {path}")
    return _read_acts(whole, lines) if header == FORMAT else _JournalFile(whole=whole)


def _read_copy(path: Path, original: _JournalFile) -> _JournalFile:
    copy = copy_of(path)
    try:
        return original if copy.exists() and read_whole(copy) == original.whole else _read(copy)
    except (OSError, ConfigError) as error:
        _log.warning("the copy of the desk's journal cannot be read: %s", reason_and_place(error))
        return _JournalFile()


def _read_acts(whole: bytes, lines: Sequence[bytes]) -> _JournalFile:
    """Returns the acts that count: up to a line that cannot be read, and after it if none can build on it."""
    now: Tournament | None = None
    acts, valid_lines, lost_lines, act_lines, cut_line = list[Act](), list[bytes](), list[int](), set[bytes](), 0
    is_lost = False
    last = len(lines) + 1
    for number, line in enumerate(lines, 2):
        act = _act(line)
        if act is not None:
            act_lines.add(line)
        if act is not None and not is_lost and is_possible(now, act):
            now = apply_act(now, act)
            acts.append(act)
            valid_lines.append(line)
        elif act is None and number == last and not whole.endswith((b"\n", b"\r")):
            cut_line = number
        elif line.strip():
            lost_lines.append(number)
            is_lost = is_lost or not _INDEPENDENT_ACT.match(line)
    return _JournalFile(
        whole=whole,
        is_journal=True,
        acts=tuple(acts),
        lines=tuple(valid_lines),
        act_lines=frozenset(act_lines),
        lost_lines=tuple(lost_lines),
        cut_line=cut_line,
    )


def _act(line: bytes) -> Act | None:
    """Returns the act of a line; None if no desk wrote the line."""
    try:
        return read_act(read_json(line))
    except ValueError:
        return None


def _restored_damage(path: Path, original: _JournalFile, stamp: str) -> JournalDamage:
    kept_file = f"{path.name}.bad-{stamp}" if original.whole else ""
    remark = f"; the damaged file is kept as {kept_file}" if kept_file else ""
    note = f"expected a whole desk's journal in {path}, got less than its copy holds: restored from that{remark}"
    return JournalDamage(kind=DamageKind.RESTORED, kept_file=kept_file, note=note)


def _damage(path: Path, original: _JournalFile, stamp: str) -> JournalDamage:
    kept_file = f"{path.name}.bad-{stamp}"
    remark = f"the file is kept as {kept_file}"
    if not original.lost_lines:
        problem = f"expected a whole last line in {path}, got a part in line {original.cut_line}"
        note = f"{problem}, which does not count; {remark}"
        return JournalDamage(kind=DamageKind.CUT, kept_file=kept_file, note=note)
    problem = f"expected the acts of a desk in {path}, got damage: {_lines_text(original.lost_lines)} of it"
    return JournalDamage(
        kind=DamageKind.LOST,
        kept_file=kept_file,
        lines=original.lost_lines,
        note=f"{problem} cannot be read or builds on that; {remark}",
    )


def _lines_text(lines: Sequence[int]) -> str:
    """Returns the numbers of lines in words: `line 7`, `lines 3 to 9`, `lines 4, 7`."""
    if len(lines) == 1:
        return f"line {lines[0]}"
    if len(lines) > 2 and lines[-1] - lines[0] + 1 == len(lines):
        return f"lines {lines[0]} to {lines[-1]}"
    return f"lines {', '.join(map(str, lines))}"
