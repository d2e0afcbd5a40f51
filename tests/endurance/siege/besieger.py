"""One process that besieges: it goes on with the kind that is furthest behind its share of an hour's goals."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.queues import Queue
from random import Random
from time import monotonic
from typing import Final

from tests.endurance.siege.bad_files import read_bad_files
from tests.endurance.siege.kills import kill_while_posting
from tests.endurance.siege.restores import interrupt_restores
from tests.endurance.siege.sessions import hold_session
from tests.endurance.siege.spoiled_journals import spoil_journals
from tests.endurance.siege.tally import Kind, Tally

GOALS: Final[Mapping[Kind, int]] = {
    Kind.ACTS: 100_000,
    Kind.KILLS: 500,
    Kind.JOURNALS: 200,
    Kind.FILES: 500,
    Kind.RESTORES: 100,
}
"""What an hour has to bring."""
ROUNDS: Final[Mapping[Kind, tuple[Callable[[int, int], Tally], int, int]]] = {
    Kind.ACTS: (hold_session, 1200, 240),
    Kind.KILLS: (kill_while_posting, 10, 2),
    Kind.JOURNALS: (spoil_journals, 6, 3),
    Kind.FILES: (read_bad_files, 20, 10),
    Kind.RESTORES: (interrupt_restores, 4, 2),
}
"""What makes one round of a kind out of a seed, how large it is, and how large in the short form."""
Round = tuple[Kind, Tally]


def besiege(seed: int, seconds: float, kinds: Sequence[Kind], done: Queue[Round], *, is_short: bool) -> None:
    """Plays rounds until the time is over, or one of each kind; hands each in as it is done."""
    chance, begin, tallies = Random(seed), monotonic(), {kind: Tally() for kind in kinds}
    logging.getLogger().addHandler(logging.NullHandler())
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = folder  # rule sets that are brought stay out of the user's own
        for kind in kinds if is_short else ():
            attack, _, size = ROUNDS[kind]
            done.put((kind, attack(chance.getrandbits(32), size)))
        while not is_short and monotonic() < begin + seconds:
            kind = min(kinds, key=lambda each: tallies[each].attempts / GOALS[each])
            attack, size, _ = ROUNDS[kind]
            tally = attack(chance.getrandbits(32), size)
            tallies[kind].add(tally)
            done.put((kind, tally))
