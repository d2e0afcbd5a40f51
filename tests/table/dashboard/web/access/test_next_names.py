"""The names of the next game on a disk that cannot be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.dashboard.web.access import vault as vaults
from table.dashboard.web.access.next_names import NextNames
from table.dashboard.web.access.vault import Vault
from table.rules.terms.seats import Seat


def test_names_move_with_their_seats_even_if_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    names = NextNames(Vault(tmp_path / "table.secrets"))
    names.store(7, {Seat.NEAR: "Aoi"})

    def write_nothing(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(vaults, "write_whole", write_nothing)
    names.move(7, (Seat.FAR, Seat.RIGHT, Seat.NEAR, Seat.LEFT))
    assert names.changed_names(7) == {Seat.FAR: "Aoi"}
    assert "the names for the next game are lost when the program ends" in caplog.text
