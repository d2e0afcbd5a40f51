from __future__ import annotations

import pytest

from table.dashboard.web.addresses.qr_code import join_address


@pytest.mark.parametrize("address", ["http://192.168.1.7:8000/", "http://tachiai.local/"])
def test_phones_join_at_the_address_by_which_the_page_was_opened(address: str) -> None:
    assert join_address(address) == address.rstrip("/")


@pytest.mark.parametrize("address", ["http://localhost:8000/", "http://127.0.0.1/", "http://[::1]:8000/", "http:///"])
def test_an_address_of_this_machine_alone_or_of_none_is_no_use_to_phones(address: str) -> None:
    assert join_address(address) is None
