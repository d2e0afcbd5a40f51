from __future__ import annotations

import stat
from pathlib import Path

import pytest

from table.dashboard.web.vault import ATTEMPTS, WAIT_S, PinError, Vault
from table.runtime.table_errors import ConfigError


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def wrong(vault: Vault, address: str = "10.0.0.2") -> str:
    with pytest.raises(PinError) as caught:
        vault.check_pin("9999", address)
    return str(caught.value)


def test_the_first_pin_is_chosen_and_no_other_takes_its_place() -> None:
    vault = Vault()
    assert not vault.has_pin
    vault.set_pin("4711")
    vault.check_pin("4711", "10.0.0.2")
    with pytest.raises(PinError, match="expected the PIN that was chosen at the first start"):
        vault.set_pin("1234")
    assert "expected the owner's PIN" in wrong(vault)


@pytest.mark.parametrize("pin", ["", "123", "1234567890123", "12a4", "١٢٣٤"])
def test_a_pin_is_four_to_twelve_digits(pin: str) -> None:
    with pytest.raises(PinError, match="expected a PIN of 4 to 12 digits"):
        Vault().set_pin(pin)


def test_before_a_pin_is_chosen_none_is_right() -> None:
    assert "expected the owner's PIN" in wrong(Vault())


def test_an_address_that_guesses_has_to_wait_even_with_the_right_pin() -> None:
    time = Time()
    vault = Vault(clock=time)
    vault.set_pin("4711")
    for _ in range(ATTEMPTS):
        assert "got another one" in wrong(vault)
    with pytest.raises(PinError, match="patience"):
        vault.check_pin("4711", "10.0.0.2")
    vault.check_pin("4711", "10.0.0.3")
    time.now = WAIT_S
    assert "got another one" in wrong(vault)
    vault.check_pin("4711", "10.0.0.2")
    assert "got another one" in wrong(vault)


def test_secrets_outlive_the_program_and_are_closed_to_others(tmp_path: Path) -> None:
    path = tmp_path / "table.secrets"
    first = Vault(path)
    first.set_pin("4711")
    again = Vault(path)
    assert again.key == first.key
    again.check_pin("4711", "10.0.0.2")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "4711" not in path.read_text()


@pytest.mark.parametrize("text", ["no json", "[1]", '{"key": 1}'])
def test_a_file_of_something_else_is_named_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"notes"):
        Vault(path)
    assert path.read_text() == text


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot write the table's secrets"):
        Vault(tmp_path / "missing" / "secrets")
