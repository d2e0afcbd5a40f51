from __future__ import annotations

import hashlib
import json
import stat
import threading
import unicodedata
from collections import UserDict
from pathlib import Path

import pytest

from table.dashboard.web.access import vault as vaults
from table.dashboard.web.access.pin_choice import MOST_CHARACTERS, PinError, comparable_pin
from table.dashboard.web.access.pin_tries import ATTEMPTS, ATTEMPTS_IN_HOUR, ATTEMPTS_OF_ALL, HOUR_S, WAIT_S
from table.dashboard.web.access.vault import Vault
from table.runtime.table_errors import ConfigError
from tests.fakes.desks import PIN


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def wrong_pin_message(vault: Vault, address: str = "10.0.0.2") -> str:
    with pytest.raises(PinError) as caught:
        vault.check_pin("9999", address)
    return str(caught.value)


def test_the_first_pin_is_chosen_and_no_other_takes_its_place() -> None:
    vault = Vault()
    assert not vault.has_pin
    vault.set_pin(PIN)
    vault.check_pin(PIN, "10.0.0.2")
    with pytest.raises(PinError, match="expected the PIN chosen at the first start"):
        vault.set_pin("845173")
    assert "expected the chosen PIN, got another" in wrong_pin_message(vault)


def test_a_pin_that_is_too_short_is_not_taken() -> None:
    vault = Vault()
    with pytest.raises(PinError, match="expected a PIN of six digits or a word of eight letters"):
        vault.set_pin("4711")
    assert not vault.has_pin


@pytest.mark.parametrize(
    "pin",
    [
        f"kingfisher{' ' * 60}",
        unicodedata.normalize("NFD", "다나카의마작탁자는거실에있다언제나깨끗하다오늘도내일도모레도"),
    ],
)
def test_a_pin_is_as_long_as_it_is_compared_when_it_is_entered_as_when_it_was_chosen(pin: str) -> None:
    assert len(pin) > MOST_CHARACTERS >= len(comparable_pin(pin))
    vault = Vault()
    vault.set_pin(pin)
    vault.check_pin(pin, "10.0.0.2")


def test_before_a_pin_is_chosen_none_is_right() -> None:
    assert "expected the chosen PIN, got another" in wrong_pin_message(Vault())


def test_an_address_that_guesses_has_to_wait_even_with_the_right_pin() -> None:
    time = Time()
    vault = Vault(clock=time)
    vault.set_pin(PIN)
    for _ in range(ATTEMPTS):
        time.now += 10
        assert "got another one" in wrong_pin_message(vault)
    last, time.now = time.now, time.now + WAIT_S - 1
    with pytest.raises(PinError, match="a wait of some minutes"):
        vault.check_pin(PIN, "10.0.0.2")
    vault.check_pin(PIN, "10.0.0.3")
    time.now = last + WAIT_S
    assert "got another one" in wrong_pin_message(vault)
    vault.check_pin(PIN, "10.0.0.2")
    assert "got another one" in wrong_pin_message(vault)


def test_secrets_outlive_the_program_and_are_closed_to_others(tmp_path: Path) -> None:
    path = tmp_path / "table.secrets"
    first = Vault(path)
    first.set_pin(PIN)
    again = Vault(path)
    assert again.key == first.key
    again.check_pin(PIN, "10.0.0.2")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert PIN not in path.read_text()


DAMAGED = (
    *("no json", "[1]", '{"key": 1}', '{"key": ""}', "[" * 50_000, '{"key": "k", "era": "soon"}'),
    *('{"key": "k", "salt": "zz", "pin": "ab"}', '{"key": "k", "salt": "00", "pin": "\\u00e9"}'),
    *('{"key": "k", "seat 1 pin": "0 ab"}', '{"key": "\\ud800"}', '{"key": "k", "seat 1": "\\ud800"}'),
    *('{"key": "k", "broadcast delay": "x"}', '{"key": "k", "broadcast delay": "-1"}'),
    *('{"key": "k", "broadcast key": "0 \\ud800"}', json.dumps({"key": "k", "era": "9" * 5000})),
)


@pytest.mark.parametrize("text", DAMAGED)
def test_a_file_of_something_else_is_named_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"notes"):
        Vault(path)
    assert path.read_text() == text


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot write the table's secrets"):
        Vault(tmp_path / "missing" / "secrets")


def test_a_pin_of_four_digits_that_was_chosen_before_counts_until_it_is_changed(tmp_path: Path) -> None:
    salt = bytes(16)
    before = {"key": "k", "salt": salt.hex(), "pin": hashlib.scrypt(b"4711", salt=salt, **vaults._COST).hex()}
    path = tmp_path / "table.secrets"
    path.write_text(json.dumps(before))
    vault = Vault(path)
    vault.check_pin("4711", "10.0.0.2")
    vault.change_pin("4711", PIN, "10.0.0.2")
    assert Vault(path).era == 1
    Vault(path).check_pin(PIN, "10.0.0.2")
    with pytest.raises(PinError):
        vault.check_pin("4711", "10.0.0.2")


def test_many_addresses_together_guess_no_faster_than_the_limit_for_all(caplog: pytest.LogCaptureFixture) -> None:
    time = Time()
    vault = Vault(clock=time)
    vault.set_pin(PIN)
    for number in range(ATTEMPTS_OF_ALL):
        assert "got another one" in wrong_pin_message(vault, f"10.0.{number}.2")
    assert "a wait of some minutes" in wrong_pin_message(vault, "10.9.9.9")
    assert caplog.text.count("a wrong PIN of the owner") == ATTEMPTS_OF_ALL
    assert "10.0." not in caplog.text
    time.now = HOUR_S
    vault.check_pin(PIN, "10.9.9.9")


def test_strangers_guesses_keep_no_owner_from_changing_the_pin_and_the_owners_phones_are_counted_apart() -> None:
    vault = Vault(clock=Time())
    vault.set_pin(PIN)
    for number in range(ATTEMPTS_OF_ALL):
        wrong_pin_message(vault, f"10.0.{number}.2")
    for _ in range(ATTEMPTS):
        with pytest.raises(PinError, match="another one"):
            vault.change_pin("nightingale", "kingfisher", "a borrowed phone")
    with pytest.raises(PinError, match="a wait of some minutes"):
        vault.change_pin(PIN, "kingfisher", "a borrowed phone")
    vault.change_pin(PIN, "kingfisher", "the owner's phone")


def test_a_phone_that_guesses_all_evening_keeps_nobody_else_out() -> None:
    time = Time()
    vault = Vault(clock=time)
    vault.set_pin(PIN)
    guesses = 0
    for time.now in range(0, int(2 * HOUR_S), 20):
        guesses += "got another one" in wrong_pin_message(vault, "10.0.0.7")
    assert guesses == 2 * ATTEMPTS_IN_HOUR
    vault.check_pin(PIN, address="10.0.0.2")


def test_wrong_pins_of_a_seat_keep_no_owner_out() -> None:
    vault = Vault(clock=Time())
    vault.set_pin(PIN)
    vault.store({"seat 1 pin": vault.hash_of("kingfisher")})
    for _ in range(ATTEMPTS):
        with pytest.raises(PinError, match="another one"):
            vault.check_seat_pin(1, "nightingale", "10.0.0.2")
    with pytest.raises(PinError, match="a wait of some minutes"):
        vault.check_seat_pin(1, "kingfisher", "10.0.0.2")
    vault.check_pin(PIN, "10.0.0.2")


def test_a_pin_that_cannot_be_written_is_none(tmp_path: Path) -> None:
    vault = Vault(tmp_path / "table.secrets")
    (tmp_path / "table.secrets").unlink()
    tmp_path.rmdir()
    with pytest.raises(ConfigError):
        vault.set_pin(PIN)
    assert not vault.has_pin


def test_a_phone_that_changes_seats_has_one_of_them_at_any_time() -> None:
    vault, seen = Vault(), list[set[str]]()
    vault.store({"seat 0": "phone"})

    class WatchedChanges(UserDict[str, str | None]):
        def __getitem__(self, name: str) -> str | None:
            seen.append(vault.stored_texts.keys() & {"seat 0", "seat 1"})
            return super().__getitem__(name)

    vault.store(WatchedChanges({"seat 0": None, "seat 1": "phone"}))
    assert set() not in seen
    assert vault.stored_texts.keys() == {"key", "seat 1"}


def test_sixteen_phones_choose_the_first_pin_and_one_does(tmp_path: Path) -> None:
    vault = Vault(tmp_path / "table.secrets")
    accepted: list[str] = []

    def choose(pin: str) -> None:
        try:
            vault.set_pin(pin)
        except PinError:
            return
        accepted.append(pin)

    threads = [threading.Thread(target=choose, args=(f"{739152 + 17 * number}",)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (chosen,) = accepted
    vault.check_pin(chosen, "10.0.0.2")
