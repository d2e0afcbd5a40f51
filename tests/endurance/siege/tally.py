"""What came of a siege, by kind."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """What a table is put to."""

    ACTS = "accepted acts, with faults"
    KILLS = "kills while posting"
    JOURNALS = "corrupted journals"
    FILES = "bad files"
    RESTORES = "interrupted restores"


@dataclass(slots=True)
class Tally:
    """Attempts of one kind, and how many the table survived."""

    attempts: int = 0
    survived: int = 0
    details: Counter[str] = field(default_factory=Counter)
    """How often what happened."""
    faults: list[str] = field(default_factory=list)
    """What went wrong, each with what makes it happen again."""

    def add(self, other: Tally) -> None:
        """Adds what another round brought."""
        self.attempts += other.attempts
        self.survived += other.survived
        self.details += other.details
        self.faults += other.faults

    def fault(self, name: str, error: Exception) -> None:
        """Notes what went wrong, and where."""
        place = "".join(traceback.format_exception(error, limit=-3))
        self.faults.append(f"{name}:\n{place}")


Tallies = dict[Kind, Tally]


def sum_of(parts: Iterable[Tallies]) -> Tallies:
    """The sum of what several besiegers brought."""
    whole = {kind: Tally() for kind in Kind}
    for part in parts:
        for kind, tally in part.items():
            whole[kind].add(tally)
    return whole


def as_table(tallies: Tallies, kinds: Sequence[Kind]) -> str:
    """The table that people read."""
    lines = ["| kind | attempts | survived | of them |", "|---|---:|---:|---|"]
    for kind in kinds:
        tally = tallies[kind]
        details = ", ".join(f"{count:,} {name}" for name, count in sorted(tally.details.items()))
        lines.append(f"| {kind} | {tally.attempts:,} | {tally.survived:,} | {details} |")
    return "\n".join(lines)
