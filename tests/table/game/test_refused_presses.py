"""A press that is refused leaves nothing of itself in the journal, at whatever step it was refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from table.game.commands.command_reader import read_press
from table.game.commands.game_commands import ClaimTsumo, Confirm
from table.game.journal.entries import Entry
from table.game.snapshot import CameraHealth
from table.rules.events import Discarded, WinClaimed, WinWithdrawn
from table.rules.terms.seats import Seat
from table.runtime.table_errors import PressError
from tests.table.game.by_hand import undo
from tests.table.game.table_by_hand import TableByHand
from vision.felt import Zone

SIX = ((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"), (0, "5m"), (1, "6m"))
MARK = "0123456789abcdef"
REFUSED: Mapping[str, Mapping[str, Any]] = {
    "a hand that cannot be": {"press": "ron", "seat": 0, "tiles": "1111m"},
    "a win on one's own tile": {"press": "ron", "seat": 0, "discarder": 0, "han": 1, "fu": 30},
    "melds that cannot be": {"press": "ron", "seat": 0, "tiles": "22s", "melds": "234m,9999s,9999s,9999s"},
}


@pytest.fixture
def proven() -> Iterator[TableByHand]:
    """A table whose camera was lost and found that nothing went unseen; a ron may still be on a tile of nobody."""
    by_hand = TableByHand().discard(*SIX)
    by_hand.table.set_camera_health(CameraHealth.LOST)
    by_hand.observe(by_hand.felt).observe(by_hand.felt, seconds=2.0)
    assert not by_hand.hand.has_gap
    yield by_hand
    by_hand.table.journal.close()


def give(by_hand: TableByHand, press: Mapping[str, Any], by: str = "owner") -> tuple[Entry, ...]:
    """Gives a press that is refused; returns what it wrote all the same."""
    before = by_hand.table.journal.last
    with pytest.raises(PressError):
        by_hand.table.handle(replace(read_press(press), by=by, mark=MARK))
    return by_hand.table.journal.entries(before)


@pytest.mark.parametrize("press", REFUSED.values(), ids=REFUSED)
def test_a_refused_win_leaves_no_gap_that_it_would_have_opened(proven: TableByHand, press: Mapping[str, Any]) -> None:
    state = proven.table.state
    assert give(proven, press) == ()
    assert proven.table.state == state
    with pytest.raises(PressError):  # sent again, it is refused again, and not taken for one that was carried out
        proven.table.handle(replace(read_press(press), by="owner", mark=MARK))


def test_a_second_win_of_another_kind_leaves_the_claims_as_they_were(proven: TableByHand) -> None:
    proven.press(ClaimTsumo, 0, han=3, fu=40, by="seat 0")
    claims = proven.hand.claims
    assert give(proven, {"press": "ron", "seat": 2, "han": 1, "fu": 30}) == ()
    assert proven.hand.claims == claims


def test_a_discard_found_late_at_anothers_refused_press_leaves_the_claim_with_who_made_it(proven: TableByHand) -> None:
    by_hand = proven.discard((2, "9p"))
    by_hand.table.handle(ClaimTsumo(seat=Seat(0), han=3, fu=40, by="seat 0", mark="claimed-claimed"))
    by_hand.table.handle(Confirm(by="seat 0"))
    by_hand.lay(3, Zone.RIVER, "9s")
    undo(by_hand.table, by="seat 0")
    assert [claim.seat for claim in by_hand.hand.claims] == [Seat(0)]
    entries = give(by_hand, {"press": "ron", "seat": 2, "han": 1, "fu": 30})
    kinds = [type(entry.body) for entry in entries]
    assert kinds == [WinWithdrawn, Discarded, WinClaimed]
    assert {entry.envelope.by for entry in entries} == {"seat 0", ""}
    assert [claim.seat for claim in by_hand.hand.claims] == [Seat(0)]
