from __future__ import annotations

import pytest

from table.game.journal.entries import Source
from table.game.referee import Correction, FoundEvent, RefereeError
from table.rules.events import DrawReached
from table.rules.terms.tiles import Tile


def test_a_confidence_above_one_is_refused() -> None:
    with pytest.raises(RefereeError, match="expected a confidence from 0 to 1"):
        FoundEvent(event=DrawReached(), source=Source.PRESS, confidence=1.5)


def test_a_correction_is_of_a_discard_or_of_an_indicator() -> None:
    with pytest.raises(RefereeError, match="expected a discard or an indicator"):
        Correction(to=Tile("1m"), source=Source.PRESS)
