"""The names of the next game: for one game only, on a full disk, and in a file that somebody edited."""

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


def test_the_names_are_for_the_game_after_the_one_in_which_they_were_entered_and_for_no_later_one(
    tmp_path: Path,
) -> None:
    NextNames(Vault(tmp_path / "table.secrets")).store(7, {Seat.NEAR: "Aoi"})
    names = NextNames(Vault(tmp_path / "table.secrets"))
    players = ("Ann", "Ben", "Cem", "Dea")
    assert names.after(7, players) == ("Aoi", "Ben", "Cem", "Dea")
    assert names.after(31, players) == players
    names.store(31, {Seat.FAR: "Eve"})
    assert names.after(31, players) == ("Ann", "Ben", "Eve", "Dea")


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"game": 7}', '{"game": 7, "names": ["Aoi"]}', '{"game": 7, "names": {"0": 1}}']
)
def test_what_is_no_name_in_an_edited_file_changes_none(tmp_path: Path, text: str) -> None:
    vault = Vault(tmp_path / "table.secrets")
    vault.store({"next game": text})
    assert NextNames(vault).changed_names(7) == {}
